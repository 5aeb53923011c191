package filterfile

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/linebloom/linebloom/internal/format"
)

// verifyAll compares all chunks with their checksums, on all CPUs, and returns
// the error of the first that is damaged.
func verifyAll(h *format.Header, body []byte, sums []uint32) error {
	errs := make([]error, len(sums))
	forChunks(len(sums), func(i int) {
		from, to := h.Chunk(i)
		errs[i] = h.CheckChunk(i, body[from:to], sums[i])
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// forChunks calls do for 0 to n-1, from several goroutines. A panic in one of
// them, such as that of a fault, becomes a panic of the caller.
func forChunks(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), 16, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	var failure atomic.Value
	for range workers {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failure.CompareAndSwap(nil, &r)
				}
			}()
			debug.SetPanicOnFault(true) // for this goroutine, which ends here
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
	if r, ok := failure.Load().(*any); ok {
		panic(*r)
	}
}
