package localpostgres

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

const (
	fastShutdownTimeout      = 60 * time.Second
	immediateShutdownTimeout = 10 * time.Second
)

// process is a server's postmaster.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // valid once done is closed
}

// startProcess starts a postmaster that ends with this process. The goroutine that starts it locks its thread until it ends:
// the kernel signals the death of the parent when the thread that forked ends.
func startProcess(cmd *exec.Cmd) (*process, error) {
	shutDownWithParent(cmd)
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		if p.err == nil {
			p.err = errors.New("exit status 0")
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// shutDown asks for a fast shutdown, which closes connections and leaves the data clean. If that takes too long, it kills
// the server.
func (p *process) shutDown() error {
	_ = p.cmd.Process.Signal(os.Interrupt)
	if p.endedWithin(fastShutdownTimeout) {
		return nil
	}
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	if !p.endedWithin(immediateShutdownTimeout) {
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	return errors.New("PostgreSQL did not shut down in time and was stopped by force; its next start recovers from its log")
}

func (p *process) endedWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}
