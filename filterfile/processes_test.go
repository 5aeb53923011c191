package filterfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/mem"
)

// processes is the number of children that use one file.
const processes = 8

func init() {
	children["count"] = countKeys
	children["race"] = raceToCreate
}

// numbers reads the arguments of a child.
func numbers(args []string) (ns []int, err error) {
	for _, a := range args {
		n, e := strconv.Atoi(a)
		ns, err = append(ns, n), errors.Join(err, e)
	}
	return ns, err
}

// shuffled calls do with all numbers below n, in an order that is the same for all
// processes, so that those with common keys come to them at about the same time.
func shuffled(n int, do func(i int)) {
	const step = 1_000_003 // a prime
	for i := range n {
		do(int(uint64(i) * step % uint64(n)))
	}
}

// countKeys adds keys from to from+n-1 of total by TestAndAdd and writes a bitmap
// of those that it reports as new. Meanwhile it opens and closes the file, so that
// it is the last at times and the first at others.
func countKeys(args []string) error {
	path, report := args[0], args[1]
	ns, err := numbers(args[2:])
	if err != nil {
		return err
	}
	from, n, total, stay := ns[0], ns[1], ns[2], ns[3]
	awaitStart()
	fresh := make([]uint64, (total+63)/64)
	var s *Shared
	done := 0
	shuffled(total, func(key int) {
		if key < from || key >= from+n || err != nil {
			return
		}
		if s == nil {
			if s, err = OpenShared(path); err != nil {
				return
			}
		}
		if !s.TestAndAddUint64(uint64(key)) {
			fresh[key/64] |= 1 << (key % 64)
		}
		if done++; done%stay == 0 || done == n {
			err = s.Close()
			s = nil
		}
	})
	if err != nil {
		return err
	}
	return os.WriteFile(report, mem.Bytes(fresh), 0o644)
}

// Eight processes add overlapping keys and come and go. No key is lost, none is
// reported as new by two of them, and the count is the number of those reports.
// What is missing from it are false positives.
func TestProcessesCountEveryKeyOnce(t *testing.T) {
	t.Parallel()
	n := rounds(100_000)
	total := n / 2 * (processes + 1) // each key but those at the ends is added by two
	path, s := create(t, uint64(total))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reports := filepath.Join(t.TempDir(), "report")
	var cmds []*exec.Cmd
	for i := range processes {
		stay := n/30 + i*n/300 // keys between opening and closing
		cmds = append(cmds, child(t, "count", path, reports+strconv.Itoa(i),
			strconv.Itoa(i*n/2), strconv.Itoa(n), strconv.Itoa(total), strconv.Itoa(max(stay, 1))))
	}
	startTogether(t, cmds...)
	wait(t, cmds...)
	if t.Failed() {
		return
	}
	all := make([]uint64, (total+63)/64)
	sum := 0
	for i := range processes {
		fresh := make([]uint64, len(all))
		if copy(mem.Bytes(fresh), contentOf(t, reports+strconv.Itoa(i))) != 8*len(all) {
			t.Fatal("a report is short")
		}
		for w, x := range fresh {
			if twice := all[w] & x; twice != 0 {
				t.Fatalf("key %d was new to two processes", 64*w+bits.TrailingZeros64(twice))
			}
			all[w] |= x
			sum += bits.OnesCount64(x)
		}
	}
	f := verified(t, path) // all have closed it, so that it is whole
	h := f.Header()
	if h.Count != uint64(sum) || h.CountState != blocked.Exact {
		t.Errorf("%d keys (%v), the processes reported %d", h.Count, h.CountState, sum)
	}
	if n := lost(f, span(0, total)); n > 0 {
		t.Errorf("%d of %d keys are lost", n, total)
	}
	// The rate grows from 0 to 1 % while the filter fills.
	if wrong := total - sum; float64(wrong) > 0.01*float64(total) {
		t.Errorf("%d of %d keys were never new", wrong, total)
	}
	again, err := OpenShared(path)
	if err != nil || again.Unclean() {
		t.Fatal(err)
	}
	if n, err := again.Len(); n != uint64(sum) || err != nil {
		t.Errorf("Len: %d, %v; want %d", n, err, sum)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("%d processes, %d keys each, %d distinct, %d were new", processes, n, total, sum)
}

// raceToCreate creates a file, or opens it if somebody was faster: with Create or
// with OpenOrCreate. It adds a key of its own, and says whether Create made the
// file.
func raceToCreate(args []string) error {
	path := args[1]
	key, err := strconv.ParseUint(args[2], 10, 64)
	if err != nil {
		return err
	}
	awaitStart()
	var s *Shared
	if args[0] == "OpenOrCreate" {
		s, err = OpenOrCreate(path, 1000+key, 0.01)
	} else if s, err = Create(path, 1000+key, 0.01); err == nil {
		fmt.Print("created")
	} else if errors.Is(err, fs.ErrExist) {
		s, err = OpenShared(path)
	}
	if err != nil {
		return err
	}
	s.AddUint64(key)
	return s.Close()
}

// Of many processes that create one file at once, one does, whole from its first
// moment, and the others find it.
func TestOneOfManyProcessesCreatesTheFile(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"Create", "OpenOrCreate"} {
		for range rounds(5) {
			path := filepath.Join(t.TempDir(), "f.lbf")
			if s, err := OpenOrCreate(path+"0", 1, 0.1); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			} else if err := errors.Join(s.Close(), os.Remove(path+"0")); err != nil {
				t.Fatal(err)
			}
			var cmds []*exec.Cmd
			said := make([]writtenTo, processes)
			for i := range processes {
				cmd := child(t, "race", how, path, strconv.Itoa(i))
				cmd.Stdout = &said[i]
				cmds = append(cmds, cmd)
			}
			startTogether(t, cmds...)
			wait(t, cmds...)
			created := 0
			for i := range said {
				if string(said[i]) == "created" {
					created++
				}
			}
			if how == "Create" && created != 1 {
				t.Errorf("%d processes created the file", created)
			}
			if n := lost(verified(t, path), span(0, processes)); n > 0 {
				t.Errorf("%d of %d processes added to another file", n, processes)
			}
			if names := leftovers(t, path); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		}
	}
}

// writtenTo keeps what is written to it.
type writtenTo []byte

func (w *writtenTo) Write(p []byte) (int, error) { *w = append(*w, p...); return len(p), nil }

// Opening and closing a file many times, from several goroutines too, while other
// processes are being started, which have copies of all descriptors for a moment:
// the last one to close it still knows that it is the last.
func TestTheLastToCloseKnowsWhileProcessesAreStarted(t *testing.T) {
	if os.Getenv("LINEBLOOM_EXEC") != "" {
		t.Skip("qemu hangs now and then in a process that is being started")
	}
	path, s := create(t, 1000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	nothing := child(t, "nothing")
	start(t, nothing) // or skips
	wait(t, nothing)
	stop := make(chan struct{})
	started := make(chan int)
	go func() {
		n := 0
		defer func() { started <- n }()
		for {
			select {
			case <-stop:
				return
			default:
			}
			exec.Command(os.Args[0], "-test.run=^$").Run()
			n++
		}
	}()
	for i := range rounds(200) {
		s, err := OpenShared(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Unclean() {
			t.Fatalf("round %d: the file was not closed by the last one", i)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		f.Close()
	}
	close(stop)
	t.Logf("%d processes were started", <-started)
}
