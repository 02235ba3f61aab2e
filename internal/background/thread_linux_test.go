package background

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
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
			Run(t.Context(), 0, nil, func(context.Context) { within, thread = policy(t), uint32(unix.Gettid()) })
			require.EqualValues(t, unix.SCHED_IDLE, within)
			require.NotEqualValues(t, os.Getpid(), thread, "the main thread would stay lowered for good")
			require.EqualValues(t, unix.SCHED_NORMAL, policy(t))
		})
	}
	all.Wait()
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
			Run(t.Context(), 0, nil, func(context.Context) { within = affinity(t) })
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
	Run(t.Context(), 0, nil, func(context.Context) { require.NotEqual(t, first, unix.Gettid()) })
	require.NotZero(t, first)
}

var scheduling = NewTask("scheduling", func(context.Context, string) (within schedule, err error) {
	attr, err := unix.SchedGetAttr(0, 0)
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
	return schedule{attr.Policy, set.Count(), session == os.Getpid(), strings.TrimSpace(nice)}, err
})

// schedule is how a process is scheduled.
type schedule struct {
	Policy     uint32
	Processors int
	OwnSession bool
	// Nice is that of the session, where the kernel has one.
	Nice string
}

func TestProcessesOfTasksGiveWay(t *testing.T) {
	all := affinity(t)
	within, err := scheduling.Run(t.Context(), 0, nil, "")
	require.NoError(t, err)
	require.Equal(t, schedule{unix.SCHED_IDLE, max(1, all.Count()/2), true, "10"}, within)
}
