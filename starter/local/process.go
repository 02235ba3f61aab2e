package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// process is a program of the stack. It has its own process group: Ctrl-C reaches only
// starter, which stops the programs in order. If starter dies, the program stops because
// its standard input ends.
type process struct {
	name    string
	command *exec.Cmd
	stdin   io.Closer
	logFile string
	exited  chan struct{}
	err     error
	// reported says that the program has ended by itself, and that starter has printed it.
	reported bool
}

// stopGrace is how long a program may take to finish its current work.
const stopGrace = 45 * time.Second

// startProcess runs a program with a log file. With events, the caller must read its standard
// output until it ends.
func startProcess(f files, name string, env, args []string, events bool) (*process, io.Reader, error) {
	p := &process{name: name, logFile: filepath.Join(f.logs, name+".log"), exited: make(chan struct{})}
	log, err := os.OpenFile(p.logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	p.command = exec.Command(filepath.Join(f.bin, name), args...)
	p.command.Env = append(os.Environ(), env...)
	p.command.Stderr = log
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if p.stdin, err = p.command.StdinPipe(); err != nil {
		return nil, nil, err
	}
	var output io.Reader
	if events {
		read, write, err := os.Pipe() // unlike a StdoutPipe, it may be read after the end
		if err != nil {
			return nil, nil, err
		}
		defer write.Close() // the program has its own
		output, p.command.Stdout = read, write
	}
	if err := p.command.Start(); err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.exited)
	}()
	return p, output, nil
}

// stop asks the program to finish and waits until it has.
func (p *process) stop() error {
	if p.reported {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", p.name, err)
	}
	select {
	case <-p.exited:
		return p.err
	case <-time.After(stopGrace):
		return errors.Join(fmt.Errorf("%s did not stop within %s and was killed", p.name, stopGrace), p.command.Process.Kill())
	}
}

// failure explains why a program that should be running has ended.
func (p *process) failure() error {
	return fmt.Errorf("%s ended unexpectedly (%s); the end of %s says:\n%s", p.name, p.command.ProcessState, p.logFile, tail(p.logFile, 8))
}

func tail(path string, lines int) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
