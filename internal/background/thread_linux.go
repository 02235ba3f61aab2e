package background

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
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
func lower() { lowerThread(0) }

func lowerThread(thread int) {
	// Where one is forbidden, the thread runs like any other.
	_ = unix.SchedSetAttr(thread, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0)
	if set, some := processors(); some {
		_ = unix.SchedSetaffinity(thread, &set)
	}
}

// executable is the program itself, also when its file has been replaced.
const executable = "/proc/self/exe"

// nameProcess sets the name of this process for top and for the log of a kernel that
// runs out of memory: they do not show its arguments. Linux keeps 15 characters.
func nameProcess(name string) { _ = os.WriteFile("/proc/self/comm", []byte(name), 0) }

// giveWay has a process that has just been started give way to everything else. It
// could also inherit that from the thread that starts it. But garbage collection
// here waits for that thread until the process runs its own program.
func giveWay(pid int) {
	// When memory is scarce, the kernel ends it before any other.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
	lowerProcess(pid)
	// The session gets a tenth of the share of a processor that each of Postgres's
	// connections and Temporal gets: see sched(7). Less would hardly help them, and on a
	// busy machine computations would stand still. In a container the share is that of
	// its control group, and stays as it is.
	share, err := os.OpenFile(fmt.Sprintf("/proc/%d/autogroup", pid), os.O_WRONLY, 0)
	if err != nil {
		return
	}
	write := func() error { _, err := share.WriteString("10"); return err }
	if !errors.Is(write(), unix.EAGAIN) {
		_ = share.Close()
		return
	}
	go func() {
		defer func() { _ = share.Close() }()
		untilTaken(write) // or the process has ended
	}()
}

// untilTaken writes a session's share again while Linux is busy: without a privilege
// it takes one in a tenth of a second, from all processes together.
func untilTaken(write func() error) {
	for {
		time.Sleep(autogroupPause + rand.N(autogroupPause))
		if !errors.Is(write(), unix.EAGAIN) {
			return
		}
	}
}

const autogroupPause = 50 * time.Millisecond

// lowerProcess lowers every thread. Those that start meanwhile have the priority of
// the one that started them, so it looks again until it finds no other.
func lowerProcess(pid int) {
	lowered := map[string]bool{}
	for found := true; found; {
		found = false
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // none when it has ended
		for _, t := range threads {
			thread, err := strconv.Atoi(t.Name())
			if err != nil || lowered[t.Name()] {
				continue
			}
			lowerThread(thread)
			lowered[t.Name()], found = true, true
		}
	}
}

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

// processorTime returns how much processor time the calling thread has taken since.
func processorTime() (taken func() time.Duration) {
	// The id of pthread_getcpuclockid(3): the inverted id of the thread, and flags.
	const perThread, scheduled = 4, 2 // CPUCLOCK_PERTHREAD, CPUCLOCK_SCHED
	clock := int32(^threadID()<<3 | perThread | scheduled)
	now := func() time.Duration {
		var t unix.Timespec
		_ = unix.ClockGettime(clock, &t) // fails when the thread has ended
		return time.Duration(t.Nano())
	}
	before := now()
	return func() time.Duration { return now() - before }
}
