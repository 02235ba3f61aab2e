package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Processor is the processor time that the processes of the stack have used so far. It
// hardly depends on other load of the machine, unlike elapsed time.
type Processor struct {
	API      time.Duration
	Postgres time.Duration // of the product
	Temporal time.Duration // with its own Postgres
}

// Since returns the time that was used after before.
func (p Processor) Since(before Processor) Processor {
	return Processor{API: p.API - before.API, Postgres: p.Postgres - before.Postgres, Temporal: p.Temporal - before.Temporal}
}

// Plus returns the sum of both.
func (p Processor) Plus(q Processor) Processor {
	return Processor{API: p.API + q.API, Postgres: p.Postgres + q.Postgres, Temporal: p.Temporal + q.Temporal}
}

// Processor returns the processor time of the stack's processes.
func (s *Stack) Processor(t testing.TB) Processor {
	return Processor{
		API:      processorOf(t, s.API.command.Process.Pid),
		Postgres: processorOf(t, s.PostgresPID()),
		Temporal: processorOf(t, s.Devstack.command.Process.Pid),
	}
}

// ProcessorHere returns the processor time of this process, without its children.
func ProcessorHere(t testing.TB) time.Duration {
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// tick is the unit of /proc/PID/stat on Linux: USER_HZ is 100 everywhere.
const tick = 10 * time.Millisecond

// processorOf returns the processor time of a process and of its children, even if they
// have ended. It is 0 if the process has ended, or if the system has no /proc.
func processorOf(t testing.TB, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // a process that has ended counts in its parent
	}
	// The name of the program stands in parentheses, and may contain anything.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	var used time.Duration
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime: numbers 14 to 17
		ticks, err := strconv.ParseInt(field, 10, 64)
		require.NoError(t, err)
		used += time.Duration(ticks) * tick
	}
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	require.NoError(t, err)
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			n, err := strconv.Atoi(child)
			require.NoError(t, err)
			used += processorOf(t, n)
		}
	}
	return used
}
