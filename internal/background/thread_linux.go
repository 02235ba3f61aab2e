package background

import (
	"math/bits"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

func threadID() int { return unix.Gettid() }

// lower gives the calling thread the policy SCHED_IDLE, and only some processors.
// Neither needs a privilege. A lower priority under the ordinary policy is not enough:
// the kernel lets such a thread finish its time slice of some milliseconds. The policy
// alone is not enough either: it holds among the threads of one control group or
// session. Temporal's and Postgres's have groups of their own, which share a processor
// equally with the api's.
func lower() clock {
	// Where one is forbidden, the thread runs like any other.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0)
	if set, some := processors(); some {
		_ = unix.SchedSetaffinity(0, &set)
	}
	return clock{int32(^threadID()<<3 | perThread | scheduled)}
}

// executable is the program itself, also when its file has been replaced.
const executable = "/proc/self/exe"

// alone gives the process's session a tenth of the share of a processor that each of
// Postgres's connections and Temporal gets. Less would hardly help them, and on a busy
// machine computations would stand still. In a container the share is that of its
// control group, and stays as it is.
func alone() { _ = os.WriteFile("/proc/self/autogroup", []byte("10"), 0) } // see nice(1)

func processClock(pid int) clock { return clock{int32(^pid<<3 | scheduled)} }

// processors are those for computations: the second half of those that the process may
// use, so that the computations of all processes on a machine leave the first half
// free. A single processor has no halves. They are read each time, because whoever
// manages the machine may change them.
func processors() (computing unix.CPUSet, some bool) {
	var all unix.CPUSet
	if unix.SchedGetaffinity(os.Getpid(), &all) != nil {
		return computing, false
	}
	return secondHalf(all)
}

func secondHalf(all unix.CPUSet) (half unix.CPUSet, some bool) {
	spare := (all.Count() + 1) / 2
	for cpu := range len(all) * bits.UintSize {
		if !all.IsSet(cpu) {
			continue
		}
		if spare > 0 {
			spare--
			continue
		}
		half.Set(cpu)
	}
	return half, half.Count() > 0
}

// clock measures the processor time of a thread or a process. Its id is that of
// pthread_getcpuclockid(3) or clock_getcpuclockid(3): the inverted id of the thread or
// process, with these flags.
type clock struct{ id int32 }

const perThread, scheduled = 4, 2 // CPUCLOCK_PERTHREAD, CPUCLOCK_SCHED

// taken is zero when the thread or process has ended.
func (c clock) taken() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(c.id, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
