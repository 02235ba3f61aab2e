package parts

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

// Processor is the processor time that the stack's parts have used so far. Unlike
// elapsed time it hardly depends on what else the machine does.
type Processor struct {
	API      time.Duration
	Postgres time.Duration // the product's
	Temporal time.Duration // with the Postgres that keeps its data
}

// Since is what was used after before.
func (p Processor) Since(before Processor) Processor {
	return Processor{API: p.API - before.API, Postgres: p.Postgres - before.Postgres, Temporal: p.Temporal - before.Temporal}
}

// Plus is the sum of both.
func (p Processor) Plus(q Processor) Processor {
	return Processor{API: p.API + q.API, Postgres: p.Postgres + q.Postgres, Temporal: p.Temporal + q.Temporal}
}

// Processor reads what the parts have used.
func (s *Stack) Processor(t testing.TB) Processor {
	return Processor{
		API:      processorOf(t, s.API.command.Process.Pid),
		Postgres: processorOf(t, s.PostgresPID()),
		Temporal: processorOf(t, s.Devstack.command.Process.Pid),
	}
}

// ProcessorHere is what this process has used, without its children.
func ProcessorHere(t testing.TB) time.Duration {
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// tick is the unit of /proc/PID/stat on Linux: USER_HZ is 100 everywhere.
const tick = 10 * time.Millisecond

// processorOf sums what a process has used and what its children have, those that
// have ended included.
func processorOf(t testing.TB, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended, and counts in its parent
	}
	// The name, in parentheses, may hold anything.
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
