package colly

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gocolly/colly/v2/queue"
	"github.com/linebloom/linebloom/blocked"
)

// A Frontier is a storage of colly's queue in a file, for a crawl that shall resume:
// a line for every request that was ever added. After it has been opened it gives
// all of them out anew, from the first, and leaves it to the filter of visited
// pages to refuse those that were done. So nothing has to be written when a
// request is taken, and a request that was taken by a process that died before it
// asked the filter is not lost.
//
// It is for one process at a time, and any number of goroutines in it. In memory it
// takes a few KiB, however long it is.
type Frontier struct {
	mu     sync.Mutex
	file   *os.File
	size   int64 // of whole lines
	queued int   // lines not given out yet
	lines  *bufio.Reader
	failed error // for ever
}

var _ queue.Storage = (*Frontier)(nil)

// OpenFrontier opens the file, or creates it. What stands behind the last line,
// left by a crash while a line was written, is removed.
func OpenFrontier(path string) (*Frontier, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	q := &Frontier{file: f}
	q.lines = bufio.NewReader(&tail{q, 0})
	if err := q.count(); err != nil {
		return nil, errors.Join(fmt.Errorf("linebloom: reading %s: %w", path, err), f.Close())
	}
	return q, nil
}

// count counts the whole lines of the file and cuts off the rest.
func (q *Frontier) count() error {
	buf := make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := q.file.ReadAt(buf, at)
		q.queued += bytes.Count(buf[:n], []byte{'\n'})
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			q.size = at + int64(i) + 1
		}
		at += int64(n)
		if err == io.EOF {
			if at == q.size {
				return nil
			}
			return q.file.Truncate(q.size)
		}
		if err != nil {
			return err
		}
	}
}

// A tail reads the whole lines of a file that grows. Its end is an error only to who
// reads there, so that a buffer does not remember it.
type tail struct {
	q  *Frontier
	at int64
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.q.file.ReadAt(p[:min(int64(len(p)), t.q.size-t.at)], t.at)
	t.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// Init does nothing.
func (q *Frontier) Init() error { return nil }

// AddRequest writes a request to the end of the file. When it has returned, the
// death of the process does not lose the request. Requests have no line breaks,
// as JSON does not need any: others give blocked.ErrInvalid.
func (q *Frontier) AddRequest(request []byte) error {
	if bytes.IndexByte(request, '\n') >= 0 {
		return fmt.Errorf("linebloom: %w: a request with a line break", blocked.ErrInvalid)
	}
	line := append(append(make([]byte, 0, len(request)+1), request...), '\n')
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed != nil {
		return q.failed
	}
	// What a failed write leaves behind the last line has no end of line, and is
	// never read.
	if _, err := q.file.WriteAt(line, q.size); err != nil {
		return fmt.Errorf("linebloom: %w", err)
	}
	q.size += int64(len(line))
	q.queued++
	return nil
}

// GetRequest returns the next request, or io.EOF if there is none now.
func (q *Frontier) GetRequest() ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed != nil {
		return nil, q.failed
	}
	if q.queued == 0 {
		return nil, io.EOF
	}
	line, err := q.lines.ReadBytes('\n')
	if err != nil {
		if err == io.EOF {
			err = fmt.Errorf("%w: the file was cut short", blocked.ErrCorrupt)
		}
		q.failed = fmt.Errorf("linebloom: reading %s: %w", q.file.Name(), err)
		return nil, q.failed
	}
	q.queued--
	return line[:len(line)-1], nil
}

// QueueSize returns the number of requests that were not given out yet. Its error is
// that of a GetRequest before it: colly's queue ends with it.
func (q *Frontier) QueueSize() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued, q.failed
}

// Sync waits until what was added before is on the disk. To resume after a crash of
// the system, sync the frontier first and then the filter: a page that is marked
// as visited while its links are lost is a dead end.
func (q *Frontier) Sync() error {
	if err := q.file.Sync(); err != nil {
		return fmt.Errorf("linebloom: %w", err)
	}
	return nil
}

// Close closes the file. Who is done with the crawl removes it.
func (q *Frontier) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.file.Close(); err != nil {
		return fmt.Errorf("linebloom: %w", err)
	}
	if q.failed == nil {
		q.failed = fmt.Errorf("linebloom: %s: %w", q.file.Name(), os.ErrClosed)
	}
	return nil
}
