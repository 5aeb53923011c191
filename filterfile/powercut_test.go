package filterfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

// sectorBytes is what a disk writes as a whole.
const sectorBytes = 512

// mixture returns what a power cut may leave of a file: each sector is that of
// one of the moments since the last Sync. They are equally long.
func mixture(r *rand.Rand, moments ...[]byte) []byte {
	p := bytes.Clone(moments[0])
	for at := 0; at < len(p); at += sectorBytes {
		end := min(at+sectorBytes, len(p))
		copy(p[at:end], moments[r.IntN(len(moments))][at:end])
	}
	return p
}

// mixState mixes the changing part of the header by words, as if a sector could
// be written in part.
func mixState(r *rand.Rand, p []byte, moments ...[]byte) {
	for at := format.AtCount; at < format.HeaderBytes; at += 8 {
		copy(p[at:at+8], moments[r.IntN(len(moments))][at:])
	}
}

// abandon ends the use of a file as the death of its process would, for which
// nobody waits for the disk.
func abandon(s *Shared) {
	endUse(s.file) // tests beside this one start processes, which would keep the locks for a moment
	s.close()
}

// A power cut leaves any mixture of what the disk had at the last Sync and of what
// was in memory later. Whatever it is, the file can be opened, and every key that
// was added before the Sync is there.
func TestAPowerCutLosesNothingThatWasSynced(t *testing.T) {
	t.Parallel()
	const step = 500 // keys between two Syncs
	path, s := create(t, 20_000)
	defer s.Close()
	cut := filepath.Join(t.TempDir(), "cut.lbf")
	r := dice(5)
	torn := 0
	const syncs = 20
	for i := range syncs {
		if err := s.Sync(); err != nil {
			t.Fatal(err)
		}
		moments := [][]byte{contentOf(t, path)}
		synced := span(0, i*step)
		for range 2 {
			n := i*step + (len(moments)-1)*step/2
			s.AddUint64s(span(n, n+step/4))
			for _, key := range span(n+step/4, n+step/2) {
				s.TestAndAddUint64(key)
			}
			moments = append(moments, contentOf(t, path))
		}
		for range rounds(1000) / syncs {
			p := mixture(r, moments...)
			if r.IntN(2) == 0 {
				mixState(r, p, moments...)
			}
			if !bytes.Equal(p, moments[0]) && !bytes.Equal(p, moments[2]) {
				torn++
			}
			write(t, cut, p)
			after, err := OpenShared(cut)
			if err != nil {
				t.Fatal(err)
			}
			if !after.Unclean() || after.CountState() == blocked.Exact {
				t.Fatal("the file counts as closed")
			}
			if n := lost(after, synced); n > 0 {
				t.Fatalf("%d of %d synced keys are lost", n, len(synced))
			}
			if r.IntN(20) > 0 {
				abandon(after)
				continue
			}
			after.AddUint64(1 << 60)
			if err := after.Close(); err != nil {
				t.Fatal(err)
			}
			f := verified(t, cut)
			if lost(f, synced) > 0 || !f.HasUint64(1<<60) {
				t.Fatal("keys are lost after Close")
			}
			f.Close()
		}
	}
	t.Logf("%d torn files", torn)
}

// Close writes checksums, syncs, and only then the sign that the file is whole. So
// a power cut meanwhile leaves a file that says it was not closed, or one whose
// bytes all agree.
func TestAPowerCutDuringCloseLeavesAFileThatIsWholeOrSaysItIsNot(t *testing.T) {
	t.Parallel()
	path, s := create(t, 200_000)
	keys := span(0, 100_000)
	s.AddUint64s(keys)
	before := contentOf(t, path) // with the checksums of an empty filter
	footer := s.header.TotalBytes() - uint64(s.header.FooterBytes())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	closed := contentOf(t, path)
	summed := append(bytes.Clone(before[:footer]), closed[footer:]...)
	if !bytes.Equal(summed[format.FileAlign:], closed[format.FileAlign:]) {
		t.Fatal("Close changed blocks")
	}
	cut := filepath.Join(t.TempDir(), "cut.lbf")
	r := dice(6)
	whole := 0
	for i := range rounds(100) {
		moments := [][]byte{before, summed} // until the first sync of Close, and
		if i%2 == 1 {
			moments = [][]byte{summed, closed} // until the second
		}
		write(t, cut, mixture(r, moments...))
		f, err := Open(cut, Options{})
		if err == nil {
			whole++
			if lost(f, keys) > 0 {
				t.Fatal("a file counts as whole, and keys are lost")
			}
			f.Close()
		} else if !errors.Is(err, blocked.ErrUnclean) {
			t.Fatal(err)
		}
		after, err := OpenShared(cut)
		if err != nil {
			t.Fatal(err)
		}
		if after.Unclean() == (f != nil) {
			t.Fatalf("Open takes the file: %v, OpenShared says that it is unclean: %v", f != nil, after.Unclean())
		}
		if lost(after, keys) > 0 {
			t.Fatal("keys are lost")
		}
		abandon(after)
	}
	t.Logf("%d of %d were whole", whole, rounds(100))
}

// The sign that a file is whole is the last thing that is written of its state: a
// process that dies meanwhile, or a disk that writes the page meanwhile, leaves a
// file in use. Who sees the sign sees the rest.
func TestTheStateIsWholeWhenTheFileStopsBeingInUse(t *testing.T) {
	t.Parallel()
	h := format.Header{Layout: format.Blocked, K: 6, Blocks: 1, CountState: format.Exact}
	h.Place(format.FileAlign)
	clean := h.Append(nil)
	page := make([]uint64, format.FileAlign/8) // aligned
	p := mem.Bytes(page)
	turns := rounds(20_000)
	opened, closed := make(chan struct{}), make(chan struct{})
	go func() {
		for i := range turns {
			<-opened
			h := h
			h.Count, h.CountState = uint64(i), format.Estimate
			sealState(p, &h)
			closed <- struct{}{}
		}
	}()
	for range turns {
		copy(p, clean)
		stateOf(p).use()
		stateOf(p).add(12345)
		opened <- struct{}{}
		for state := stateOf(p); state.inUse(); {
		}
		if _, err := format.Parse(p); err != nil {
			t.Fatal(err)
		}
		<-closed
	}
}

// inUse reports whether the state says so.
func (s state) inUse() bool { return little32(atomic.LoadUint32(s.word))&inUse != 0 }
