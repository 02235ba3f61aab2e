package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	Serve()
	os.Exit(m.Run())
}

var (
	errKnown   = errors.New("it cannot be done")
	errTooLong = errors.New("it takes too long")
)

// told is what a process tells of itself.
type told struct {
	Said        string
	Process     int
	Environment []string
}

var (
	telling = NewTask("tell", func(_ context.Context, say string) (told, error) {
		return told{say, os.Getpid(), os.Environ()}, nil
	})
	failing = NewTask("fail", func(_ context.Context, known bool) (told, error) {
		if known {
			return told{}, fmt.Errorf("rule 7: %w", errKnown)
		}
		return told{}, errors.New("something else")
	}, errTooLong, errKnown)
	panicking = NewTask("panic", func(context.Context, string) (told, error) { panic("the rules are broken") })
	spinning  = NewTask("spin", func(ctx context.Context, _ string) (told, error) {
		for ctx.Err() == nil {
		}
		return told{}, nil
	})
	waiting = NewTask("wait", func(context.Context, string) (told, error) {
		time.Sleep(100 * time.Millisecond)
		return told{Said: "waited"}, nil
	})
	starving = NewTask("starve", func(_ context.Context, s string) (told, error) { return told{}, deeper(len(s)) })
)

// deeper exhausts the stack, which no program survives.
func deeper(depth int) error {
	if depth < 0 {
		return nil
	}
	return fmt.Errorf("%d: %w", depth, deeper(depth+1))
}

func TestATaskRunsInAProcessWithoutSecrets(t *testing.T) {
	t.Setenv("SECRET", "planted")
	out, err := telling.Run(t.Context(), time.Minute, errTooLong, "a\u2028 <b>")
	require.NoError(t, err)
	require.Equal(t, "a\u2028 <b>", out.Said)
	require.NotEqual(t, os.Getpid(), out.Process)
	require.Equal(t, environment, out.Environment)
}

func TestManyTasksAtOnce(t *testing.T) {
	t.Parallel()
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			out, err := telling.Run(t.Context(), time.Minute, errTooLong, fmt.Sprint(i))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(i), out.Said)
		})
	}
	group.Wait()
}

func TestErrorsOfTasksAreKnownByTheirKind(t *testing.T) {
	t.Parallel()
	_, err := failing.Run(t.Context(), time.Minute, errTooLong, true)
	require.ErrorIs(t, err, errKnown)
	require.EqualError(t, err, "rule 7: it cannot be done")
	_, err = failing.Run(t.Context(), time.Minute, errTooLong, false)
	require.EqualError(t, err, "something else")
	require.NotErrorIs(t, err, errKnown)
}

func TestAPanicOfATaskReachesTheCaller(t *testing.T) {
	t.Parallel()
	defer func() { require.Contains(t, recover(), "the rules are broken") }()
	_, _ = panicking.Run(t.Context(), time.Minute, errTooLong, "")
	t.Error("not reached")
}

func TestATaskEndsAfterItsProcessorTime(t *testing.T) {
	t.Parallel()
	_, err := spinning.Run(t.Context(), 5*time.Millisecond, errTooLong, "")
	require.ErrorIs(t, err, errTooLong)
	out, err := waiting.Run(t.Context(), 50*time.Millisecond, errTooLong, "")
	require.NoError(t, err, "waiting takes no processor time")
	require.Equal(t, "waited", out.Said)
}

func TestATaskEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := spinning.Run(ctx, 0, nil, "")
	require.ErrorIs(t, err, context.Canceled)
}

func retireAll() {
	idle.Lock()
	list := slices.Clone(idle.list)
	idle.Unlock()
	for _, p := range list {
		p.retire()
	}
}

// TestWhatExhaustsAProcessEndsItAlone: this one lives, and says that it did not work.
func TestWhatExhaustsAProcessEndsItAlone(t *testing.T) {
	stderr := os.Stderr // the process writes a trace of its stack
	defer func() { os.Stderr = stderr }()
	retireAll() // an idle one would write to the present stderr
	var err error
	os.Stderr, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = starving.Run(t.Context(), 0, nil, "x")
	require.ErrorIs(t, err, io.EOF)
	require.ErrorContains(t, err, "a process for long computations has ended")
}

// TestAProcessThatWasKilledMeanwhileIsReplaced by a new one.
func TestAProcessThatWasKilledMeanwhileIsReplaced(t *testing.T) {
	first, err := telling.Run(t.Context(), 0, nil, "first")
	require.NoError(t, err)
	idle.Lock()
	for _, p := range idle.list {
		require.NoError(t, p.command.Process.Kill())
	}
	idle.Unlock()
	second, err := telling.Run(t.Context(), 0, nil, "second")
	require.NoError(t, err)
	require.Equal(t, "second", second.Said)
	require.NotEqual(t, first.Process, second.Process)
}

func TestAnIdleProcessIsRetired(t *testing.T) {
	_, err := telling.Run(t.Context(), 0, nil, "")
	require.NoError(t, err)
	idle.Lock()
	p := idle.list[len(idle.list)-1]
	idle.Unlock()
	p.retire()
	idle.Lock()
	require.NotContains(t, idle.list, p)
	idle.Unlock()
	require.Eventually(t, func() bool { return syscall.Kill(p.command.Process.Pid, 0) != nil }, time.Minute, time.Millisecond)
	p.retire() // the timer comes late
}

// TestAProcessEndsWithTheOneThatStartedIt, in the middle of a task too: then its
// standard input ends.
func TestAProcessEndsWithTheOneThatStartedIt(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"", "spin"} {
		p, err := begin()
		require.NoError(t, err)
		require.NoError(t, p.decoder.Decode(&answer{}))
		if task != "" {
			require.NoError(t, p.encoder.Encode(question{task, []byte(`""`)}))
		}
		require.NoError(t, p.input.Close())
		require.NoError(t, p.command.Wait())
	}
}
