package filterfile

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

func init() {
	children["write"] = writeForEver
}

// writerKey returns key i of a writer.
func writerKey(writer, i uint64) uint64 { return writer<<40 | i }

// writeForEver adds keys of its own until it is killed: the file, its number, and
// whether it closes the file now and then. After each batch it says on stdout how
// many it has added.
func writeForEver(args []string) error {
	path, closes := args[0], args[2] == "true"
	writer, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return err
	}
	s, err := OpenShared(path)
	if err != nil {
		return err
	}
	said := make([]byte, 8)
	for n := uint64(0); ; {
		batch := make([]uint64, 1+rand.IntN(100))
		for i := range batch {
			batch[i] = writerKey(writer, n+uint64(i))
		}
		n += uint64(len(batch))
		switch rand.IntN(3) {
		case 0:
			s.AddUint64s(batch)
		case 1:
			for _, key := range batch {
				s.TestAndAddUint64(key)
			}
		case 2:
			hashes := make([]uint64, len(batch))
			for i, key := range batch {
				hashes[i] = blocked.HashUint64(s.Params().Seed, key)
			}
			s.AddHashes(hashes)
		}
		binary.LittleEndian.PutUint64(said, n)
		if _, err := os.Stdout.Write(said); err != nil {
			return err
		}
		switch x := rand.IntN(100); {
		case x == 0:
			if err := s.Sync(); err != nil {
				return err
			}
		case x < 20 && closes:
			if err := s.Close(); err != nil {
				return err
			}
			if s, err = OpenShared(path); err != nil {
				return err
			}
		}
	}
}

// A writer is a child that calls writeForEver.
type writer struct {
	*exec.Cmd
	number uint64
	began  chan struct{} // is closed by the first word
	ended  chan struct{}
	added  uint64 // that it said; to be read when it has ended
}

func startWriter(t *testing.T, path string, number uint64, closes bool) *writer {
	t.Helper()
	w := &writer{
		Cmd:    child(t, "write", path, strconv.FormatUint(number, 10), strconv.FormatBool(closes)),
		number: number, began: make(chan struct{}), ended: make(chan struct{}),
	}
	out, err := w.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, w.Cmd)
	go func() {
		defer close(w.ended)
		for said := make([]byte, 8); ; {
			if _, err := io.ReadFull(out, said); err != nil {
				return
			}
			if w.added == 0 {
				close(w.began)
			}
			w.added = binary.LittleEndian.Uint64(said)
		}
	}()
	return w
}

// kill kills a writer as kill -9 does, and returns the keys that it said it had
// added.
func (w *writer) kill(t *testing.T) []uint64 {
	t.Helper()
	w.Process.Kill()
	<-w.ended
	if err := w.Wait(); err == nil || w.ProcessState.Exited() {
		t.Errorf("a writer ended by itself: %v\n%s", err, w.Stderr)
	}
	keys := make([]uint64, w.added)
	for i := range keys {
		keys[i] = writerKey(w.number, uint64(i))
	}
	return keys
}

// awaitBegin waits until a writer has added something, or has ended.
func (w *writer) awaitBegin() {
	select {
	case <-w.began:
	case <-w.ended:
	}
}

// Four processes add to one file and are killed at any moment: what they said they
// had added is there, the file can be opened, says that it was not closed, and is
// whole when it has been.
func TestNothingIsLostToKill(t *testing.T) {
	t.Parallel()
	killWriters(t, rounds(20), false)
}

// The same with processes that open and close the file all the time, so that they
// are killed while one of them writes checksums. It may have been closed in order
// then.
func TestNothingIsLostToKillWhileOpeningAndClosing(t *testing.T) {
	t.Parallel()
	killWriters(t, rounds(10), true)
}

func killWriters(t *testing.T, rounds int, closes bool) {
	unclean, keys := 0, 0
	for range rounds {
		path, s := create(t, 1_000_000)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		writers := make([]*writer, 4)
		for i := range writers {
			writers[i] = startWriter(t, path, uint64(i), closes)
		}
		for _, w := range writers {
			w.awaitBegin()
		}
		var added []uint64
		for _, w := range writers {
			time.Sleep(time.Duration(rand.IntN(int(10 * time.Millisecond))))
			added = append(added, w.kill(t)...)
		}
		f, err := Open(path, Options{})
		if err == nil {
			f.Close()
		} else if !errors.Is(err, blocked.ErrUnclean) {
			t.Fatalf("after the kill: %v", err)
		}
		again, err := OpenShared(path)
		if err != nil {
			t.Fatal(err)
		}
		if again.Unclean() == (f != nil) {
			t.Fatalf("Open takes the file: %v, OpenShared says that it is unclean: %v", f != nil, again.Unclean())
		}
		if !again.Unclean() && !closes {
			t.Fatal("all who had the file open have died, and it counts as closed")
		}
		if again.Unclean() {
			unclean++
			if again.CountState() == blocked.Exact {
				t.Error("the count of an unclean file is exact")
			}
		}
		if n := lost(again, added); n > 0 {
			t.Fatalf("%d of %d keys are lost", n, len(added))
		}
		keys += len(added)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if n := lost(verified(t, path), added); n > 0 {
			t.Fatalf("%d of %d keys are lost after Close", n, len(added))
		}
		if names := leftovers(t, path); len(names) > 0 {
			t.Fatalf("left behind: %v", names)
		}
	}
	t.Logf("%d rounds, of which %d unclean, %d keys", rounds, unclean, keys)
}

// A process that dies between adding a key and counting it makes the count wrong.
// If others close the file in order, they must know.
func TestADeathMakesTheCountAnEstimate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.lbf")
	for _, kill := range []bool{false, true} {
		s, err := Create(path, 1000, 0.01)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.TestAndAddUint64(1)
		cmd := child(t, "open", path, strconv.FormatBool(kill))
		start(t, cmd)
		if err := cmd.Wait(); kill == (err == nil) {
			t.Fatalf("%v\n%s", err, cmd.Stderr)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		want := blocked.Exact
		if kill {
			want = blocked.Estimate
		}
		if h := verified(t, path).Header(); h.CountState != want || h.Count != 1 {
			t.Errorf("killed: %v, %d keys, %v", kill, h.Count, h.CountState)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func init() {
	// open opens a file, and dies or closes it.
	children["open"] = func(args []string) error {
		s, err := OpenShared(args[0])
		if err != nil {
			return err
		}
		if args[1] == "true" {
			p, err := os.FindProcess(os.Getpid())
			if err != nil {
				return err
			}
			p.Kill()
			select {}
		}
		return s.Close()
	}
}
