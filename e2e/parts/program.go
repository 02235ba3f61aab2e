package parts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Stop asks a program to end, and waits for it.
func (p *Program) Stop(t testing.TB) {
	p.killed = true
	require.NoError(t, p.command.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.command.Wait(), "it did not end well")
}

// Program is a part of the stack that a test can stop, freeze or kill.
type Program struct {
	command *exec.Cmd
	killed  bool
}

func startProgram(t testing.TB, command *exec.Cmd) *Program {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_, err := command.StdinPipe() // its end stops the program, should this test die
	require.NoError(t, err)
	require.NoError(t, command.Start())
	p := &Program{command: command}
	t.Cleanup(func() {
		if !p.killed {
			_ = command.Process.Signal(syscall.SIGCONT)
			_ = command.Process.Signal(syscall.SIGTERM)
			_ = command.Wait()
		}
	})
	return p
}

// PeakMemory is the maximum resident memory so far, in bytes, and that of the
// processes that it has started and that still run; 0 where the system does not
// report it.
func (p *Program) PeakMemory(t testing.TB) (own int64, started []int64) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.command.Process.Pid))
	require.NoError(t, err)
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a thread that has ended
		}
		require.NoError(t, err)
		for child := range strings.FieldsSeq(string(children)) {
			started = append(started, peakMemory(t, child))
		}
	}
	return peakMemory(t, strconv.Itoa(p.command.Process.Pid)), started
}

func peakMemory(t testing.TB, process string) int64 {
	status, err := os.ReadFile(filepath.Join("/proc", process, "status"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	_, peak, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0 // it has ended
	}
	kilobytes, err := strconv.ParseInt(strings.Fields(peak)[0], 10, 64)
	require.NoError(t, err)
	return kilobytes << 10
}

// CPU is the processor time used so far; 0 where the system does not report it.
func (p *Program) CPU(t testing.TB) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // from the third on
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		require.NoError(t, err)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

func (p *Program) Signal(t testing.TB, signal os.Signal) {
	require.NoError(t, p.command.Process.Signal(signal))
}

func (p *Program) Kill(t testing.TB) {
	p.killed = true
	require.NoError(t, p.command.Process.Kill())
	_ = p.command.Wait() // killed, as its state says
}
