package background

import (
	"time"

	"golang.org/x/sys/unix"
)

func threadID() int { return unix.Gettid() }

// lower gives the calling thread the policy SCHED_IDLE, which needs no privilege.
// A lower priority under the ordinary policy is not enough: the kernel lets such a
// thread finish its time slice of some milliseconds.
func lower() clock {
	// Where that is forbidden, the thread runs like any other.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0)
	return clock{threadID()}
}

// clock measures the processor time of a thread.
type clock struct{ thread int }

// taken is zero when the thread has ended.
func (c clock) taken() time.Duration {
	// The clock's id is that of pthread_getcpuclockid(3): the thread's, inverted,
	// and CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED.
	const perThread, scheduled = 4, 2
	var now unix.Timespec
	if unix.ClockGettime(int32(^c.thread<<3|perThread|scheduled), &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
