package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/await"
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
	spinning  = NewTask("spin", func(ctx context.Context, limit time.Duration) (_ told, err error) {
		Limit(ctx, limit, errTooLong, func(ctx context.Context) {
			for ctx.Err() == nil {
			}
			err = context.Cause(ctx)
		})
		return told{}, err
	}, errTooLong)
	printing = NewTask("print", func(_ context.Context, say string) (told, error) {
		_, err := fmt.Println(say)
		return told{Said: say}, err
	})
	// starving leaves a line in a file each time.
	starving = NewTask("starve", func(_ context.Context, file string) (told, error) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return told{}, err
		}
		if _, err := f.WriteString("x"); err != nil {
			return told{}, err
		}
		return told{}, deeper(1)
	})
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
	out, err := telling.Run(t.Context(), "a\u2028 <b>")
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
			out, err := telling.Run(t.Context(), fmt.Sprint(i))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(i), out.Said)
		})
	}
	group.Wait()
}

func TestErrorsOfTasksAreKnownByTheirKind(t *testing.T) {
	t.Parallel()
	_, err := failing.Run(t.Context(), true)
	require.ErrorIs(t, err, errKnown)
	require.EqualError(t, err, "rule 7: it cannot be done")
	_, err = failing.Run(t.Context(), false)
	require.EqualError(t, err, "something else")
	require.NotErrorIs(t, err, errKnown)
}

func TestAPanicOfATaskIsAnError(t *testing.T) {
	t.Parallel()
	_, err := panicking.Run(t.Context(), "")
	require.ErrorContains(t, err, "panic: the rules are broken")
	_, err = panicking.here(t.Context(), "")
	require.ErrorContains(t, err, "panic: the rules are broken")
}

// TestATaskEndsAfterItsProcessorTime, though its process has a single thread for Go.
func TestATaskEndsAfterItsProcessorTime(t *testing.T) {
	t.Parallel()
	_, err := spinning.Run(t.Context(), 5*time.Millisecond)
	require.ErrorIs(t, err, errTooLong)
}

func TestWhatATaskPrintsIsNoAnswer(t *testing.T) {
	t.Parallel()
	out, err := printing.Run(t.Context(), `{"out":{"Said":"another"}}`)
	require.NoError(t, err)
	require.Equal(t, `{"out":{"Said":"another"}}`, out.Said)
}

func TestATaskEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := spinning.Run(ctx, 0)
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

// TestWhatExhaustsAProcessEndsItAlone: this one lives, and says what happened, but
// not with the stacks of all goroutines. Another idle process is left alone.
func TestWhatExhaustsAProcessEndsItAlone(t *testing.T) {
	retireAll()
	others := make([]*process, 2)
	for i := range others {
		var err error
		others[i], err = begin()
		require.NoError(t, err)
	}
	for _, p := range others {
		p.rest()
	}
	file := filepath.Join(t.TempDir(), "tries")
	_, err := starving.Run(t.Context(), file)
	require.ErrorIs(t, err, io.EOF)
	require.ErrorContains(t, err, "a process for long computations has ended")
	require.ErrorContains(t, err, "exit status 2: runtime: goroutine stack exceeds 67108864-byte limit")
	require.NotContains(t, err.Error(), "\n")
	tries, readErr := os.ReadFile(file)
	require.NoError(t, readErr)
	require.Equal(t, "xx", string(tries))
	idle.Lock()
	defer idle.Unlock()
	require.Equal(t, others[:1], idle.list)
}

// TestACrashIsNotExplainedWithAnotherTask: what that printed may be another tenant's.
func TestACrashIsNotExplainedWithAnotherTask(t *testing.T) {
	p, err := begin()
	require.NoError(t, err)
	_, err = p.ask(t.Context(), question[any]{"print", "planted"})
	require.NoError(t, err)
	await.True(t, "what the task prints", func(context.Context) error {
		if got := p.printed.String(); got != "planted" {
			return errors.New(got)
		}
		return nil
	})
	require.Same(t, p, lastIdle())
	_, err = p.ask(t.Context(), question[any]{"starve", filepath.Join(t.TempDir(), "tries")})
	require.ErrorContains(t, err, "runtime: goroutine stack exceeds")
	require.NotContains(t, err.Error(), "planted")
}

// TestAProcessThatWasKilledMeanwhileIsReplaced by a new one.
func TestAProcessThatWasKilledMeanwhileIsReplaced(t *testing.T) {
	first, err := telling.Run(t.Context(), "first")
	require.NoError(t, err)
	idle.Lock()
	for _, p := range idle.list {
		require.NoError(t, p.command.Process.Kill())
	}
	idle.Unlock()
	second, err := telling.Run(t.Context(), "second")
	require.NoError(t, err)
	require.Equal(t, "second", second.Said)
	require.NotEqual(t, first.Process, second.Process)
}

func TestAnIdleProcessIsRetired(t *testing.T) {
	_, err := telling.Run(t.Context(), "")
	require.NoError(t, err)
	idle.Lock()
	p := idle.list[len(idle.list)-1]
	idle.Unlock()
	p.retire()
	idle.Lock()
	require.NotContains(t, idle.list, p)
	idle.Unlock()
	require.ErrorIs(t, syscall.Kill(p.command.Process.Pid, 0), syscall.ESRCH)
	p.retire() // the timer comes late
}

// TestAProcessEndsWithTheOneThatStartedIt, in the middle of a task too: then its
// standard input ends.
func TestAProcessEndsWithTheOneThatStartedIt(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"", "spin"} {
		p, err := begin()
		require.NoError(t, err)
		if task != "" {
			require.NoError(t, p.encoder.Encode(question[time.Duration]{task, 0}))
		}
		require.NoError(t, p.input.Close())
		require.NoError(t, p.command.Wait())
	}
}

// TestWithoutAProcessATaskRunsHere, since delaying others is better than no answer.
func TestWithoutAProcessATaskRunsHere(t *testing.T) {
	retireAll()
	limit := syscall.Rlimit{}
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := syscall.Rlimit{Cur: 0, Max: limit.Max} // EMFILE
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	out, err := telling.Run(t.Context(), "here")
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	require.NoError(t, err)
	require.Equal(t, os.Getpid(), out.Process)
}

// TestWhatEndsAProcessDoesNotRunHere, though no second process can be started.
func TestWhatEndsAProcessDoesNotRunHere(t *testing.T) {
	retireAll()
	p, err := begin()
	require.NoError(t, err)
	p.rest()
	limit := syscall.Rlimit{}
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := syscall.Rlimit{Cur: 0, Max: limit.Max} // EMFILE
	file := filepath.Join(t.TempDir(), "tries")
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	_, err = starving.Run(t.Context(), file)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	require.ErrorContains(t, err, "a process for long computations has ended")
}

// TestForLackOfMemoryNothingRunsHere: the program needs what there is.
func TestForLackOfMemoryNothingRunsHere(t *testing.T) {
	t.Parallel()
	for _, lack := range []error{syscall.EAGAIN, syscall.ENOMEM} {
		require.ErrorIs(t, noProcess(&os.PathError{Op: "fork/exec", Path: executable, Err: lack}), lack)
	}
}

// TestAProcessOutlivesTheSignalsThatEndAService, which may go to all of its processes
// while it still answers.
func TestAProcessOutlivesTheSignalsThatEndAService(t *testing.T) {
	retireAll()
	first, err := telling.Run(t.Context(), "first")
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(first.Process, syscall.SIGTERM))
	require.NoError(t, syscall.Kill(first.Process, syscall.SIGHUP))
	second, err := telling.Run(t.Context(), "second")
	require.NoError(t, err)
	require.Equal(t, first.Process, second.Process)
}
