// Package await makes tests wait for events, and never for a length of time. A wait gives up
// shortly before the test's deadline, or as soon as a process of the test has ended. It
// prints what it waited for, the last error, and the end of the processes' logs.
package await

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Process is a process that a test depends on.
type Process struct {
	Name string
	// Ended is closed when the process has ended. May be nil.
	Ended <-chan struct{}
	// Log is the file that it logs to; none when empty.
	Log string
}

const (
	// reserve is how long before the test's deadline a wait gives up: time to say why.
	reserve = 10 * time.Second
	// The pause between two checks grows from firstPause to longestPause in about a second. A check takes processor time from
	// the tested code, most of all one that connects to a database.
	firstPause, longestPause = 20 * time.Millisecond, 250 * time.Millisecond
	// logShown limits how much of the end of a log is printed, in bytes.
	logShown = 4000
)

// errDeadline ends the waits of a test that has little time left.
var errDeadline = errors.New("the test's deadline is near")

// Context ends shortly before the deadline of the test, and when the test ends.
func Context(t testing.TB) context.Context {
	ctx := t.Context()
	timed, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok { // a benchmark has none
		return ctx
	}
	deadline, ok := timed.Deadline()
	if !ok {
		return ctx
	}
	ctx, cancel := context.WithDeadlineCause(ctx, deadline.Add(-reserve), errDeadline)
	t.Cleanup(cancel)
	return ctx
}

// True waits until the check returns nil. When it gives up, it prints the last error of the
// check. A check can miss a state that lasts less than longestPause.
func True(t testing.TB, what string, check func(context.Context) error, depends ...Process) {
	t.Helper()
	ctx, cancel := withProcesses(Context(t), depends)
	defer cancel(nil)
	last := errors.New("nothing: the check has never returned")
	for pause := firstPause; ; pause = min(pause*5/4, longestPause) {
		err := check(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil { // otherwise it may say only that its context has ended
			last = err
		}
		select {
		case <-ctx.Done():
			t.Fatal(complaint(ctx, what, last, depends))
		case <-time.After(pause):
		}
	}
}

// Next waits for the next value of a channel. It fails the test when the channel is
// closed.
func Next[T any](t testing.TB, what string, from <-chan T, depends ...Process) T {
	t.Helper()
	ctx, cancel := withProcesses(Context(t), depends)
	defer cancel(nil)
	select {
	case value, ok := <-from:
		if !ok {
			t.Fatalf("waited for %s: the channel is closed", what)
		}
		return value
	case <-ctx.Done():
		t.Fatal(complaint(ctx, what, errors.New("nothing has come"), depends))
		panic("unreachable")
	}
}

// Closed waits until a channel is closed, or yields a value.
func Closed[T any](t testing.TB, what string, done <-chan T, depends ...Process) {
	t.Helper()
	ctx, cancel := withProcesses(Context(t), depends)
	defer cancel(nil)
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal(complaint(ctx, what, errors.New("it has not ended"), depends))
	}
}

// withProcesses is a context that ends when a process has.
func withProcesses(ctx context.Context, depends []Process) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	for _, p := range depends {
		if p.Ended == nil {
			continue
		}
		go func() {
			select {
			case <-p.Ended:
				cancel(fmt.Errorf("%s has ended", p.Name))
			case <-ctx.Done():
			}
		}()
	}
	return ctx, cancel
}

func complaint(ctx context.Context, what string, last error, depends []Process) string {
	var b strings.Builder
	fmt.Fprintf(&b, "waited for %s until %v\nlast seen: %v", what, context.Cause(ctx), last)
	for _, p := range depends {
		if p.Log == "" {
			continue
		}
		log, err := os.ReadFile(p.Log)
		if err != nil {
			fmt.Fprintf(&b, "\n--- no log of %s: %v", p.Name, err)
			continue
		}
		fmt.Fprintf(&b, "\n--- the end of %s's log\n%s", p.Name, log[max(0, len(log)-logShown):])
	}
	return b.String()
}
