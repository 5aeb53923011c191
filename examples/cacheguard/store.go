package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A memoryStore takes as long for a call as a database in the same room, and counts
// the calls.
type memoryStore struct {
	Calls   atomic.Int64
	latency time.Duration

	mu     sync.RWMutex
	values map[string]string
}

func (s *memoryStore) Load(ctx context.Context, key string) (string, error) {
	s.Calls.Add(1)
	if err := s.wait(ctx); err != nil {
		return "", err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	value, ok := s.values[key]
	if !ok {
		return "", fmt.Errorf("store: %w: %q", ErrAbsent, key)
	}
	return value, nil
}

func (s *memoryStore) Save(ctx context.Context, key, value string) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
	return nil
}

func (s *memoryStore) wait(ctx context.Context) error {
	if s.latency == 0 {
		return nil
	}
	select {
	case <-time.After(s.latency):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
