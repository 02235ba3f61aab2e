package background

import (
	"context"
	"os"
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

// TestTheMainThreadIsLeftAlone says of the first thread that it is the main one.
func TestTheMainThreadIsLeftAlone(t *testing.T) {
	real := onMainThread
	defer func() { onMainThread = real }()
	first := 0
	onMainThread = func() bool {
		if first == 0 {
			first = unix.Gettid()
		}
		return unix.Gettid() == first
	}
	Run(t.Context(), 0, nil, func(context.Context) { require.NotEqual(t, first, unix.Gettid()) })
	require.NotZero(t, first)
}
