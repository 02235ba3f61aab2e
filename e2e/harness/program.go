package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// Program is a process that a test can stop, freeze or kill.
type Program struct {
	command *exec.Cmd
	log     string      // the log file; may be empty
	asked   atomic.Bool // whether a test ends it or has ended it
	ended   chan struct{}
	result  error         // of the process, once ended is closed
	failed  chan struct{} // closed when it has ended by itself
}

// startProgram starts a program. The cleanup of life ends it if it still runs.
func startProgram(t, life testing.TB, command *exec.Cmd, log string) *Program {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_, err := command.StdinPipe() // closes, and so stops the program, if this process dies
	require.NoError(t, err)
	require.NoError(t, command.Start())
	p := &Program{command: command, log: log, ended: make(chan struct{}), failed: make(chan struct{})}
	go func() {
		p.result = command.Wait()
		close(p.ended)
		if !p.asked.Load() {
			close(p.failed)
		}
	}()
	life.Cleanup(func() {
		p.asked.Store(true)
		_ = command.Process.Signal(syscall.SIGCONT)
		_ = command.Process.Signal(syscall.SIGTERM)
		<-p.ended
	})
	return p
}

// process returns the program as a process that a wait depends on.
func (p *Program) process() await.Process {
	return await.Process{Name: filepath.Base(p.command.Path), Ended: p.failed, Log: p.log}
}

// Ended is closed when the program has ended.
func (p *Program) Ended() <-chan struct{} { return p.ended }

// Stop asks a program to end, and waits for it.
func (p *Program) Stop(t testing.TB) {
	t.Helper()
	p.Signal(t, syscall.SIGTERM)
	await.Closed(t, filepath.Base(p.command.Path)+" to end", p.ended, p.process())
	require.NoError(t, p.result, "%s did not exit with 0", p.command.Path)
}

// PeakMemory returns the maximum resident memory so far, in bytes, or 0 if the system does
// not report it.
func (p *Program) PeakMemory(t testing.TB) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	_, peak, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0 // the program has ended
	}
	kilobytes, err := strconv.ParseInt(strings.Fields(peak)[0], 10, 64)
	require.NoError(t, err)
	return kilobytes << 10
}

// CPU returns the processor time used so far, or 0 if the system does not report it.
func (p *Program) CPU(t testing.TB) time.Duration { return processorOf(t, p.command.Process.Pid) }

// Signal sends a signal. A signal that ends the program does not fail waits of the stack.
func (p *Program) Signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if signal == syscall.SIGTERM || signal == syscall.SIGINT || signal == syscall.SIGKILL {
		p.asked.Store(true)
	}
	if err := p.command.Process.Signal(signal); !errors.Is(err, os.ErrProcessDone) {
		require.NoError(t, err)
	}
}

// Freeze stops the execution of the program until thaw is called or the test ends.
func (p *Program) Freeze(t testing.TB) (thaw func()) {
	t.Helper()
	p.Signal(t, syscall.SIGSTOP)
	thaw = func() { p.Signal(t, syscall.SIGCONT) }
	t.Cleanup(thaw)
	return thaw
}

// Kill kills the program, and waits for its end.
func (p *Program) Kill(t testing.TB) {
	t.Helper()
	p.Signal(t, syscall.SIGKILL)
	<-p.ended
}
