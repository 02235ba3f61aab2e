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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// Program is a process of the stack that a test can stop, freeze or kill.
type Program struct {
	command *exec.Cmd
	log     string      // the file that it logs to; none when empty
	asked   atomic.Bool // a test has ended it, or is about to
	ended   chan struct{}
	result  error         // of the process, once ended is closed
	failed  chan struct{} // closed when it has ended and no test asked for that
}

// startProgram starts a program, which ends at the latest at the end of life.
func startProgram(t, life testing.TB, command *exec.Cmd, log string) *Program {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_, err := command.StdinPipe() // its end stops the program, should this test die
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

// process is what a wait depends on.
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
	require.NoError(t, p.result, "it did not end well")
}

// PeakMemory is the maximum resident memory so far, in bytes; 0 where the system does
// not report it.
func (p *Program) PeakMemory(t testing.TB) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
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

// Signal sends a signal. One that ends the program is a request of the test.
func (p *Program) Signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if signal == syscall.SIGTERM || signal == syscall.SIGINT || signal == syscall.SIGKILL {
		p.asked.Store(true)
	}
	if err := p.command.Process.Signal(signal); !errors.Is(err, os.ErrProcessDone) {
		require.NoError(t, err)
	}
}

// Freeze lets the program do nothing until it is thawed, at the latest at the end of
// the test.
func (p *Program) Freeze(t testing.TB) (thaw func()) {
	t.Helper()
	p.Signal(t, syscall.SIGSTOP)
	thaw = func() { p.Signal(t, syscall.SIGCONT) }
	t.Cleanup(thaw)
	return thaw
}

// Kill ends the program at once.
func (p *Program) Kill(t testing.TB) {
	t.Helper()
	p.Signal(t, syscall.SIGKILL)
	<-p.ended
}
