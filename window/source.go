package window

import (
	"context"
	"iter"
)

// FromKeys returns a source for Rebuild that cannot fail.
func FromKeys(keys iter.Seq[[]byte]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for key := range keys {
			if !yield(key, nil) {
				return
			}
		}
	}
}

// FromChannel returns a source for Rebuild that ends when the channel is closed, and
// fails when ctx ends. That should be the context of Rebuild, and who sends should
// watch it too: nobody receives after it has ended.
func FromChannel(ctx context.Context, keys <-chan []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			select {
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			case key, ok := <-keys:
				if !ok || !yield(key, nil) {
					return
				}
			}
		}
	}
}
