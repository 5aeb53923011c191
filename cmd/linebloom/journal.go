//go:build linux || darwin

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A journal is a file of the lines, by their pairs of hashes, that a process is about
// to claim and may not have printed. The process holds a lock on it, which ends with
// the process. Whoever starts later takes the journals of those that died: their
// lines are printed once more when they come again. So a line may be printed twice
// when a process is killed, and none is lost.
type journal struct {
	file    *os.File
	unsure  map[[2]uint64]struct{} // of processes that died
	written int64                  // bytes
	buf     []byte
}

// open makes the journal of this process and takes those of dead ones. No other
// process may be doing so.
func (j *journal) open(state string) error {
	j.unsure = map[[2]uint64]struct{}{}
	names, err := filepath.Glob(escapeGlob(state) + ".journal.*")
	if err != nil {
		return err
	}
	var dead []*os.File
	defer func() {
		for _, f := range dead {
			f.Close()
		}
	}()
	for _, name := range names {
		f, err := j.adopt(name)
		if err != nil {
			return err
		}
		if f != nil {
			dead = append(dead, f)
		}
	}
	dir, base := filepath.Split(state)
	if dir == "" {
		dir = "."
	}
	if j.file, err = os.CreateTemp(dir, strings.ReplaceAll(base, "*", "_")+".journal.*"); err != nil {
		return err
	}
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	if err := j.rewrite(); err != nil {
		return err
	}
	for _, f := range dead { // what they said is in this journal now
		os.Remove(f.Name())
	}
	return nil
}

func escapeGlob(name string) string {
	escaped := ""
	for _, c := range name {
		if c == '*' || c == '?' || c == '[' || c == '\\' {
			escaped += "\\"
		}
		escaped += string(c)
	}
	return escaped
}

// adopt reads the journal of a process that died, and returns it. Of one that lives
// it takes nothing and returns nil.
func (j *journal) adopt(name string) (*os.File, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // its process has ended well
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, f.Close() // it lives
	}
	pairs, err := io.ReadAll(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	for ; len(pairs) >= 16; pairs = pairs[16:] {
		j.unsure[[2]uint64{binary.LittleEndian.Uint64(pairs), binary.LittleEndian.Uint64(pairs[8:])}] = struct{}{}
	}
	return f, nil
}

// rewrite makes the journal say what is not sure now, and no more.
func (j *journal) rewrite() error {
	j.buf = j.buf[:0]
	for pair := range j.unsure {
		j.append(pair)
	}
	if _, err := j.file.WriteAt(j.buf, 0); err != nil {
		return fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	j.written = int64(len(j.buf))
	return j.file.Truncate(j.written)
}

func (j *journal) append(pair [2]uint64) {
	j.buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(j.buf, pair[0]), pair[1])
}

// write adds lines that are about to be claimed.
func (j *journal) write(pairs []uint64) error {
	if len(pairs) == 0 {
		return nil
	}
	j.buf = j.buf[:0]
	for i := 0; i < len(pairs); i += 2 {
		j.append([2]uint64(pairs[i:]))
	}
	if _, err := j.file.WriteAt(j.buf, j.written); err != nil {
		return fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	j.written += int64(len(j.buf))
	return nil
}

func (j *journal) has(pair [2]uint64) bool {
	_, ok := j.unsure[pair]
	return ok
}

// forgive reports whether a line is one that a dead process may not have printed.
// It is for once.
func (j *journal) forgive(pair [2]uint64) bool {
	ok := j.has(pair)
	delete(j.unsure, pair)
	return ok
}

// printed tells that all that was claimed has been printed.
func (j *journal) printed() error {
	if j.written == int64(16*len(j.unsure)) {
		return nil
	}
	return j.rewrite()
}

// close removes the journal, unless there are lines in it that nobody has asked for.
func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	var err error
	if j.written == 0 {
		err = os.Remove(j.file.Name())
	}
	return errors.Join(err, j.file.Close())
}

// How a lock is held.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// locked calls f while the lock is held.
func locked(lock *os.File, how int, f func() error) error {
	for {
		err := syscall.Flock(int(lock.Fd()), how)
		if err == nil {
			break
		}
		if err != syscall.EINTR {
			return fmt.Errorf("%s: %w", lock.Name(), err)
		}
	}
	defer syscall.Flock(int(lock.Fd()), syscall.LOCK_UN)
	return f()
}
