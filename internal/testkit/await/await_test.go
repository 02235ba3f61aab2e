package await

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// failing records how a test ends instead of ending it.
type failing struct {
	*testing.T
	said string
}

type failedNow struct{}

func (f *failing) Fatal(args ...any) {
	f.said = args[0].(string)
	panic(failedNow{})
}

// run returns what a wait that gives up says.
func run(t *testing.T, wait func(testing.TB)) string {
	f := &failing{T: t}
	func() {
		defer func() {
			if r := recover(); r != nil {
				require.Equal(t, failedNow{}, r)
			}
		}()
		wait(f)
	}()
	return f.said
}

func TestTrue_EndsWhenTheCheckPasses(t *testing.T) {
	n := 0
	True(t, "the third check", func(context.Context) error {
		if n++; n < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	require.Equal(t, 3, n)
}

func TestTrue_GivesUpWhenAProcessHasEnded(t *testing.T) {
	log := filepath.Join(t.TempDir(), "api.log")
	require.NoError(t, os.WriteFile(log, []byte("panic: out of ideas"), 0o600))
	ended := make(chan struct{})
	checks := 0
	said := run(t, func(t testing.TB) {
		True(t, "a delivery", func(context.Context) error {
			if checks++; checks == 2 { // what the first one says is kept, however early the end is seen
				close(ended)
			}
			return errors.New("2 of 3 have arrived")
		}, Process{Name: "api", Ended: ended, Log: log})
	})
	require.Contains(t, said, "waited for a delivery until api has ended")
	require.Contains(t, said, "2 of 3 have arrived")
	require.Contains(t, said, "out of ideas")
}

// timed is a test with a deadline, regardless of -timeout.
type timed struct {
	*testing.T
	deadline time.Time
}

func (t timed) Deadline() (time.Time, bool) { return t.deadline, true }

func TestContext_EndsBeforeTheDeadlineOfTheTest(t *testing.T) {
	deadline := time.Now().Add(time.Hour)
	ends, ok := Context(timed{t, deadline}).Deadline()
	require.True(t, ok)
	require.Equal(t, reserve, deadline.Sub(ends))
}

func TestNext_ReturnsTheValue(t *testing.T) {
	values := make(chan int, 1)
	values <- 7
	require.Equal(t, 7, Next(t, "a value", values))
}
