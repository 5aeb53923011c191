package window

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// benchKeys distinct keys: with fewer the branch predictor learns the answers.
const benchKeys = 1 << 20

// inTurns runs things in turns and reports the medians of their times per key, and
// their ratios to the first. What prepare does before each is not measured.
func inTurns(b *testing.B, names []string, prepare, run func(i int)) {
	b.Helper()
	times := make([][]float64, len(names))
	for b.Loop() {
		for i := range names {
			prepare(i)
			start := time.Now()
			run(i)
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/benchKeys)
		}
	}
	medians := make([]float64, len(names))
	for i, name := range names {
		slices.Sort(times[i])
		medians[i] = times[i][len(times[i])/2]
		b.ReportMetric(medians[i], "ns/key-"+name)
		if i > 0 {
			b.ReportMetric(medians[i]/medians[0], "x-"+name)
		}
	}
}

func randomHashes(seed uint64) []uint64 {
	r := dice(seed)
	hashes := make([]uint64, benchKeys)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	return hashes
}

// BenchmarkSeen compares windows of 2 and 5 generations, full, with one filter, at
// the same capacity and rate: new keys, and keys that are known to the newest
// generation. The windows go by count, by timer, and by a clock that stands still.
func BenchmarkSeen(b *testing.B) {
	clock := &fakeClock{}
	names := []string{"TestAndAdd", "count", "timer", "clock", "batch", "5-generations"}
	configs := map[string]Config{
		"count":         {Count: benchKeys},
		"timer":         {Duration: time.Hour, Capacity: benchKeys},
		"clock":         {Duration: time.Hour, Capacity: benchKeys, Clock: clock.now},
		"batch":         {Duration: time.Hour, Capacity: benchKeys},
		"5-generations": {Duration: time.Hour, Capacity: benchKeys, Generations: 5},
	}
	known := randomHashes(1)
	dst := make([]uint64, benchKeys/64)
	for _, fresh := range []bool{true, false} {
		name := map[bool]string{true: "new", false: "known"}[fresh]
		b.Run(name, func(b *testing.B) {
			windows := map[string]*Sliding{}
			var filter *blocked.AtomicFilter
			renew := func(name string) {
				if name == "TestAndAdd" {
					filter, _ = blocked.NewAtomic(benchKeys, 0.01)
					filter.Clear() // touches its pages
					return
				}
				c := configs[name]
				c.FPRate = 0.01
				windows[name] = sliding(b, c)
				windows[name].newest().filter.Clear()
				awaitSpare(windows[name])
			}
			for _, name := range names {
				renew(name)
				if name == "TestAndAdd" {
					filter.AddHashes(known)
				} else {
					windows[name].SeenHashes(dst, known)
				}
			}
			seed := uint64(10)
			hashes := known
			inTurns(b, names, func(i int) {
				if !fresh {
					return
				}
				if i == 0 {
					seed++
					hashes = randomHashes(seed)
				}
				renew(names[i])
			}, func(i int) {
				switch name := names[i]; name {
				case "TestAndAdd":
					for _, h := range hashes {
						filter.TestAndAddHash(h)
					}
				case "batch":
					windows[name].SeenHashes(dst, hashes)
				default:
					s := windows[name]
					for _, h := range hashes {
						s.SeenHash(h)
					}
				}
			})
		})
	}
}

// BenchmarkHas compares look-ups of absent keys in full windows with those in one
// filter, at the same capacity and rate.
func BenchmarkHas(b *testing.B) {
	filter, err := blocked.NewAtomic(benchKeys, 0.01)
	if err != nil {
		b.Fatal(err)
	}
	s := sliding(b, Config{Duration: time.Hour, Capacity: benchKeys, FPRate: 0.01})
	dst := make([]uint64, benchKeys/64)
	filter.AddHashes(randomHashes(1))
	s.SeenHashes(dst, randomHashes(1))
	s.mu.Lock()
	s.rotate(1)
	s.mu.Unlock()
	s.SeenHashes(dst, randomHashes(2))
	l := NewLive(filter)
	absent := randomHashes(3)
	inTurns(b, []string{"filter", "Live", "Sliding", "filter-batch", "Live-batch", "Sliding-batch"}, func(int) {}, func(i int) {
		switch i {
		case 0:
			for _, h := range absent {
				filter.HasHash(h)
			}
		case 1:
			for _, h := range absent {
				l.HasHash(h)
			}
		case 2:
			for _, h := range absent {
				s.HasHash(h)
			}
		case 3:
			filter.HasHashes(dst, absent)
		case 4:
			l.HasHashes(dst, absent)
		case 5:
			s.HasHashes(dst, absent)
		}
	})
}

// BenchmarkFile compares look-ups in a file that may be replaced with those in one
// that may not, and with those under a lock for readers, by one and by two goroutines.
func BenchmarkFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f.lbf")
	filter, err := blocked.New(benchKeys/8, 0.01)
	if err != nil {
		b.Fatal(err)
	}
	filter.AddHashes(randomHashes(1)[:benchKeys/8])
	if err := filterfile.Save(path, filter, nil); err != nil {
		b.Fatal(err)
	}
	f := openFile(b, path, FileOptions{})
	defer f.Close()
	absent := randomHashes(2)
	for _, goroutines := range []int{1, 2} {
		b.Run(map[int]string{1: "1", 2: "2"}[goroutines], func(b *testing.B) {
			f.Do(func(file *filterfile.File) error {
				var mu sync.RWMutex
				inTurns(b, []string{"filterfile", "File", "RWMutex"}, func(int) {}, func(i int) {
					together(goroutines, func(g int) {
						part := absent[g*benchKeys/goroutines:][:benchKeys/goroutines]
						switch i {
						case 0:
							for _, h := range part {
								file.HasHash(h)
							}
						case 1:
							for _, h := range part {
								f.HasHash(h)
							}
						case 2:
							for _, h := range part {
								mu.RLock()
								file.HasHash(h)
								mu.RUnlock()
							}
						}
					})
				})
				return nil
			})
		})
	}
}

// BenchmarkRotate gives the time of a call that ends a generation of 55 MiB, and, for
// comparison, that of one which does not. The next generation is ready before.
func BenchmarkRotate(b *testing.B) {
	clock := &fakeClock{}
	s := sliding(b, Config{Duration: 100, Capacity: 40_000_000, FPRate: 0.01, Clock: clock.now})
	now := time.Duration(0)
	times := [2][]float64{}
	for b.Loop() {
		for i := range times {
			awaitSpare(s)
			now += 50 // half of a generation
			clock.set(now)
			start := time.Now()
			s.SeenHash(uint64(now) << 20)
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds()))
		}
	}
	for i, name := range []string{"ns-without", "ns-rotating"} {
		slices.Sort(times[i])
		b.ReportMetric(times[i][len(times[i])/2], name)
	}
	b.ReportMetric(float64(s.Params().Bytes())/(1<<20), "MiB")
}
