package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linebloom/linebloom/asm"
)

// Both sides of every operation do the same work, and those that test find the
// keys that are found wrongly.
func TestGuardedSidesAgree(t *testing.T) {
	ops, err := guardedOps()
	if err != nil {
		t.Fatal(err)
	}
	keys := hashesFrom(absent, guardPart/2)
	for _, op := range ops {
		for pass := range 2 {
			if ours, generic := op.runOurs(keys), op.runGeneric(keys); ours != generic {
				t.Errorf("%s, pass %d: %d, package generic %d", op.name, pass, ours, generic)
			} else if strings.Contains(op.name, "Add") != (ours == 0) {
				t.Errorf("%s finds %d", op.name, ours)
			}
		}
		if op.demand < 1.5 || len(op.by) == 0 {
			t.Errorf("%s: %g is demanded of %q", op.name, op.demand, op.by)
		}
	}
}

// fakeMachine is a guard whose clock advances only by what passes take.
type fakeMachine struct {
	guard
	clock  time.Time
	sleeps int
}

func newFakeMachine(out io.Writer) *fakeMachine {
	m := &fakeMachine{}
	m.guard = guard{out, func() time.Time { return m.clock }, func(time.Duration) { m.sleeps++ }}
	return m
}

// op returns an operation whose sides take so many milliseconds, three times as
// long in the first passes and then in three of six, in which the other side is
// not struck.
func (m *fakeMachine) op(name string, ours, generic, noisyPasses int) guarded {
	side := func(ms, turn int) func([]uint64) int {
		passes := 0
		return func([]uint64) int {
			took := time.Duration(ms) * time.Millisecond
			if passes < noisyPasses || (passes/3+turn)%2 == 0 {
				took *= 3
			}
			passes++
			m.clock = m.clock.Add(took)
			return 7
		}
	}
	return guarded{name: name, demand: 2, by: []string{"kernel"}, runOurs: side(ours, 0), runGeneric: side(generic, 1)}
}

// Two parts of any keys.
var fakeKeys = make([]uint64, 2*guardPart)

func TestGuardPassesThroughNoise(t *testing.T) {
	var out bytes.Buffer
	m := newFakeMachine(&out)
	quiet, noisy := m.op("quiet", 1, 5, 0), m.op("noisy", 1, 5, 0)
	clean := noisy.runOurs
	passes := 0
	noisy.runOurs = func(keys []uint64) int { // no clean round in two attempts
		if passes++; passes <= 2*2*guardRounds {
			m.clock = m.clock.Add(20 * time.Millisecond)
		}
		return clean(keys)
	}
	if err := m.run("kernel", []guarded{quiet, noisy}, fakeKeys); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if m.sleeps != 2 || passes != 3*2*guardRounds {
		t.Errorf("%d pauses, %d passes", m.sleeps, passes)
	}
}

// A kernel that is not used stays as slow as package generic in the truth, and
// noise, however it falls, does not hide that.
func TestGuardFailsWithoutTheKernel(t *testing.T) {
	for _, noisyPasses := range []int{0, 4, guardRounds, 1000} {
		var out bytes.Buffer
		m := newFakeMachine(&out)
		err := m.run("kernel", []guarded{m.op("fast", 1, 5, 0), m.op("unused", 5, 5, noisyPasses)}, fakeKeys)
		if err == nil || !strings.HasSuffix(err.Error(), "in the times of unused") {
			t.Errorf("%d noisy passes: error %v\n%s", noisyPasses, err, &out)
		}
		if m.sleeps != guardAttempts-1 || strings.Count(out.String(), "SHORT") != 1 {
			t.Errorf("%d noisy passes: %d pauses\n%s", noisyPasses, m.sleeps, &out)
		}
	}
}

func TestGuardDemandsNothingOfOtherKernels(t *testing.T) {
	m := newFakeMachine(io.Discard)
	if err := m.run("another", []guarded{m.op("slow", 5, 5, 0)}, fakeKeys); err != nil || m.sleeps > 0 {
		t.Errorf("error %v, %d pauses", err, m.sleeps)
	}
}

func TestGuardFindsWrongAnswers(t *testing.T) {
	m := newFakeMachine(io.Discard)
	op := m.op("wrong", 1, 5, 0)
	op.runOurs = func([]uint64) int { return 8 }
	if err := m.run("kernel", []guarded{op}, fakeKeys); err == nil || !strings.Contains(err.Error(), "wrong finds 8") {
		t.Errorf("error %v", err)
	}
}

func TestGuardWantsTheKernelThatIsNamed(t *testing.T) {
	for _, c := range []struct {
		chosen, wanted string
		ok             bool
	}{
		{asm.Go, "", true},
		{asm.Go, asm.Go, true},
		{asm.Go, asm.BITALG, false},
		{asm.AVX2, asm.AVX512, false},
		{asm.AVX2, asm.Go, false},
	} {
		var out bytes.Buffer
		err := newGuard(&out).check(c.chosen, c.wanted)
		if (err == nil) != c.ok || c.ok != strings.Contains(out.String(), "nothing to guard") {
			t.Errorf("%s chosen, %q wanted: error %v, output %q", c.chosen, c.wanted, err, &out)
		}
	}
	t.Setenv("LINEBLOOM_KERNEL", "none")
	if err := run([]string{"-guard"}, io.Discard); err == nil || !strings.Contains(err.Error(), "demands none") {
		t.Errorf("the program says %v", err)
	}
}

// The kernels that demands are made of are kernels.
func TestGuardNamesKernels(t *testing.T) {
	for _, k := range asm.Kernels() {
		if known := slices.Contains(guardX86, k.Name); known != (k.Name != asm.Go && k.Name != asm.NEON) {
			t.Errorf("kernel %s: demands are made: %v", k.Name, known)
		}
	}
}
