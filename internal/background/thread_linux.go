package background

import (
	"time"

	"golang.org/x/sys/unix"
)

func threadID() int { return unix.Gettid() }

// lower gives the calling thread the policy SCHED_IDLE, which any process may.
// Lower priorities of the ordinary policy are not enough: the kernel lets them
// finish their turn of some milliseconds.
func lower() clock {
	// Where it is forbidden, the thread runs as every other.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0)
	return clock{threadID()}
}

// clock is the processor time of a thread.
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
