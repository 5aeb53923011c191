//go:build race

package filterfile

import (
	"sync/atomic"
	"time"
)

// running counts the operations that are going on, so that closing a file can
// wait for them: under the race detector atomic operations are C code, in which a
// fault cannot be recovered.
type running struct{ n atomic.Int64 }

func (r *running) begin() { r.n.Add(1) }
func (r *running) end()   { r.n.Add(-1) }

func (r *running) await() {
	for r.n.Load() > 0 {
		time.Sleep(10 * time.Microsecond)
	}
}
