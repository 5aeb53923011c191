package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// mostWrong is how many of n good addresses a filter of this rate may block: the
// mean and five standard deviations.
func mostWrong(n int, rate float64) int {
	mean := float64(n) * rate
	return int(mean + 5*math.Sqrt(mean))
}

func newList(t *testing.T, n int) *List {
	t.Helper()
	l, err := NewList(uint64(n), 0.001)
	if err != nil {
		t.Fatal(err)
	}
	for a := range addresses("spam", n) {
		l.Add(a)
	}
	return l
}

func TestAnAuditFindsEveryGoodAddressThatIsBlocked(t *testing.T) {
	listed, good := 100_000, 1_000_000
	if testing.Short() {
		listed, good = 10_000, 100_000
	}
	l := newList(t, listed)
	users := slices.Collect(addresses("user", good))
	var wrong []string
	for _, a := range users {
		if l.Blocks(a) {
			wrong = append(wrong, a)
		}
	}
	if n := len(wrong); n == 0 || n > mostWrong(good, 0.001) {
		t.Errorf("%d of %d good addresses are blocked before the audit", n, good)
	}
	// Listed addresses may be among those that mail is wanted from.
	audited := func(yield func(string) bool) {
		slices.Values(users)(yield)
		addresses("spam", listed)(yield)
	}
	if n := l.Audit(audited); n != len(wrong) {
		t.Errorf("the audit finds %d of %d", n, len(wrong))
	}
	for _, a := range wrong {
		if _, ok := l.exceptions[a]; !ok {
			t.Errorf("%s is no exception", a)
		}
	}
	if n := blocks(&l.Screen, slices.Values(users)); n != 0 {
		t.Errorf("%d good addresses are blocked after the audit", n)
	}
	if n := blocks(&l.Screen, addresses("spam", listed)); n != listed {
		t.Errorf("%d of %d listed addresses are blocked", n, listed)
	}
	if n := l.Audit(audited); n != 0 {
		t.Errorf("a second audit finds %d", n)
	}

	// An exception that is listed is an exception no longer, whatever its case.
	for _, a := range wrong {
		l.Add(" " + strings.ToUpper(a))
		if !l.Blocks(a) {
			t.Errorf("%s is listed and not blocked", a)
		}
	}
	l.Audit(audited)
	for _, a := range wrong {
		if !l.Blocks(a) {
			t.Errorf("%s is listed and not blocked after an audit", a)
		}
	}
}

func TestAuditsOfAllLengths(t *testing.T) {
	l := newList(t, 50)
	for a := range addresses("more", 5000) { // overfull: about all are blocked
		l.filter.AddString(a)
	}
	all := slices.Collect(addresses("user", 3000))
	for _, n := range []int{0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 3000} {
		clear(l.exceptions)
		blocked := blocks(&l.Screen, slices.Values(all[:n]))
		if found := l.Audit(slices.Values(all[:n])); found != blocked || len(l.exceptions) != found {
			t.Errorf("%d addresses, of which %d are blocked: %d found, %d exceptions", n, blocked, found, len(l.exceptions))
		}
		if n > 0 && blocked < n/2 {
			t.Errorf("%d of %d are blocked: the filter is not overfull", blocked, n)
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	const listed, good = 10_000, 100_000
	var out bytes.Buffer
	if err := run(&out, listed, good, 0.001); err != nil {
		t.Fatal(err)
	}
	said := out.String()
	t.Log(said)
	for _, want := range []string{
		fmt.Sprintf("%d listed addresses: ", listed),
		fmt.Sprintf("after another audit:\n  0 of %d good addresses are blocked", good),
		fmt.Sprintf("all the time: %[1]d of %[1]d listed addresses are blocked", listed+listed/20),
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the program does not say %q", want)
		}
	}
	for line := range strings.Lines(said) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
	}
}
