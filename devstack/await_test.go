package main

import (
	"context"
	"testing"
	"time"
)

const (
	// reserve is the time that a wait leaves before the test's deadline, to print the reason.
	reserve = 10 * time.Second
	// interval is the time between two checks.
	interval = 20 * time.Millisecond
)

// untilDeadline ends shortly before the deadline of the test, and when the test ends.
func untilDeadline(t testing.TB) context.Context {
	timed, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok { // a benchmark has none
		return t.Context()
	}
	deadline, ok := timed.Deadline()
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-reserve))
	t.Cleanup(cancel)
	return ctx
}

// await waits until the check returns nil. The error of the check says what is missing. This
// module cannot use the package internal/testkit/await of the main module.
func await(t testing.TB, what string, check func(context.Context) error) {
	t.Helper()
	ctx := untilDeadline(t)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		err := check(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("waited for %s\nlast seen: %v", what, err)
		case <-ticker.C:
		}
	}
}
