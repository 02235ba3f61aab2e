package background

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"requisite/internal/await"
)

func policy(t *testing.T) uint32 {
	attr, err := unix.SchedGetAttr(0, 0)
	require.NoError(t, err)
	return attr.Policy
}

func TestComputationsGiveWayAndNothingElseDoes(t *testing.T) {
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			var within, thread uint32
			Run(func() { within, thread = policy(t), uint32(unix.Gettid()) })
			require.EqualValues(t, unix.SCHED_IDLE, within)
			require.NotEqualValues(t, os.Getpid(), thread, "the main thread would stay lowered for good")
			require.EqualValues(t, unix.SCHED_NORMAL, policy(t))
		})
	}
	all.Wait()
}

// TestAProcessHasANameOfItsOwn: its file is everybody's /proc/self/exe.
func TestAProcessHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	out, err := telling.Run(t.Context(), "")
	require.NoError(t, err)
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", out.Process))
	require.NoError(t, err)
	require.Equal(t, (filepath.Base(os.Args[0]) + "-compute")[:15]+"\n", string(name))
}

func affinity(t *testing.T) (set unix.CPUSet) {
	require.NoError(t, unix.SchedGetaffinity(0, &set))
	return set
}

func TestComputationsLeaveProcessorsFree(t *testing.T) {
	all := affinity(t)
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			var within unix.CPUSet
			Run(func() { within = affinity(t) })
			if all.Count() > 1 {
				require.Equal(t, all.Count()/2, within.Count())
			}
			require.Equal(t, all, affinity(t), "everything else may use all")
		})
	}
	group.Wait()
}

func TestTheSecondHalfOfTheProcessors(t *testing.T) {
	of := func(cpus ...int) (set unix.CPUSet) {
		for _, cpu := range cpus {
			set.Set(cpu)
		}
		return set
	}
	for _, c := range []struct{ all, computing []int }{
		{[]int{3}, nil},
		{[]int{0, 1}, []int{1}},
		{[]int{2, 5, 900}, []int{900}},
		{[]int{0, 1, 2, 1023}, []int{2, 1023}},
	} {
		half, some := secondHalf(of(c.all...))
		require.Equal(t, of(c.computing...), half)
		require.Equal(t, len(c.computing) > 0, some)
	}
}

// TestTheMainThreadIsLeftAlone says of the first thread that it is the main one.
func TestTheMainThreadIsLeftAlone(t *testing.T) {
	real := onMainThread
	defer func() { onMainThread = real }()
	first := 0
	onMainThread = func() bool {
		if first == 0 {
			first = unix.Gettid()
		}
		return unix.Gettid() == first || real() // which must not be lowered here either
	}
	Run(func() { require.NotEqual(t, first, unix.Gettid()) })
	require.NotZero(t, first)
}

var scheduling = NewTask("scheduling", func(context.Context, string) (within schedule, err error) {
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return within, err
	}
	score, err := os.ReadFile("/proc/self/oom_score_adj")
	if err != nil {
		return within, err
	}
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return within, err
	}
	session, err := unix.Getsid(0)
	if err != nil {
		return within, err
	}
	group, err := os.ReadFile("/proc/self/autogroup")
	if errors.Is(err, fs.ErrNotExist) {
		group, err = []byte(" nice 10\n"), nil
	}
	_, nice, _ := strings.Cut(string(group), " nice ")
	return schedule{attr.Policy, set.Count(), session == os.Getpid(), strings.TrimSpace(nice), strings.TrimSpace(string(score))}, err
})

// schedule is how a process is scheduled.
type schedule struct {
	Policy     uint32
	Processors int
	OwnSession bool
	// Nice is that of the session, where the kernel has one.
	Nice string
	// OutOfMemory is oom_score_adj.
	OutOfMemory string
}

func TestProcessesOfTasksGiveWay(t *testing.T) {
	all := affinity(t)
	want := schedule{unix.SCHED_IDLE, max(1, all.Count()/2), true, "10", "1000"}
	await.True(t, "a process that gives way", func(ctx context.Context) error { // of other sessions, Linux takes a share too
		within, err := scheduling.Run(ctx, "")
		if err == nil && within != want {
			err = fmt.Errorf("%+v, not %+v", within, want)
		}
		return err
	})
}

// TestAllThreadsOfAProcessGiveWay, also those that it starts meanwhile: the kernel
// looks at threads, not at processes.
func TestAllThreadsOfAProcessGiveWay(t *testing.T) {
	p, err := begin()
	require.NoError(t, err)
	defer p.retire()
	_, err = p.ask(t.Context(), question[any]{"tell", ""})
	require.NoError(t, err)
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.command.Process.Pid))
	require.NoError(t, err)
	require.Greater(t, len(threads), 1)
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		require.NoError(t, err)
		attr, err := unix.SchedGetAttr(id, 0)
		require.NoError(t, err)
		require.EqualValues(t, unix.SCHED_IDLE, attr.Policy)
	}
}

func TestAShareIsWrittenUntilItIsTaken(t *testing.T) {
	for _, last := range []error{nil, unix.ESRCH} {
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			began := time.Now()
			untilTaken(func() error {
				if tries++; tries < 5 {
					return &fs.PathError{Op: "write", Path: "autogroup", Err: unix.EAGAIN}
				}
				return last
			})
			require.Equal(t, 5, tries)
			require.GreaterOrEqual(t, time.Since(began), 5*autogroupPause)
		})
	}
}
