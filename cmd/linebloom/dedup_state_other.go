//go:build !linux && !darwin

package main

import (
	"context"
	"errors"
	"fmt"
)

func (d *deduping) runState(context.Context, streams, []string) error {
	return fmt.Errorf("--state: %w on this system, files cannot be shared", errors.ErrUnsupported)
}
