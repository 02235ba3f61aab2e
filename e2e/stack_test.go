// Package e2e_test is a caller of the running service: it starts everything as
// a newcomer does, once, and looks at it from outside.
package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"requisite/e2e/parts"
)

// running is what `starter up` says of the stack.
var running struct {
	BaseURL         string            `json:"base_url"`
	TemporalUIURL   string            `json:"temporal_ui_url"`
	TemporalAddress string            `json:"temporal_address"`
	Namespace       string            `json:"namespace"`
	DatabaseURL     string            `json:"database_url"`
	Accounts        []account         `json:"accounts"`
	Metrics         map[string]string `json:"metrics"`
}

// said is what `starter up` has printed.
var said printed

type printed struct {
	mu sync.Mutex
	*strings.Builder
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Builder.Write(text)
}

func (p *printed) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Builder.String()
}

// stackDir holds the stack's files, logs among them.
var stackDir string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "requisite-e2e-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	stackDir = filepath.Join(dir, "stack")
	built, err := parts.Programs()
	if err != nil {
		return 1, err
	}
	// It builds there, unless what is there is up to date.
	bin := filepath.Join(stackDir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return 1, err
	}
	for _, program := range []string{"devstack", "api", "worker"} {
		if out, err := exec.Command("cp", filepath.Join(built, program), bin).CombinedOutput(); err != nil {
			return 1, fmt.Errorf("%w: %s", err, out)
		}
	}
	up := exec.Command(filepath.Join(built, "starter"), "up", "--ephemeral", "--dir", stackDir, "--api-port", "0", "--ui-port", "0", "--temporal-port", "0", "--codec-port", "0")
	said.Builder = new(strings.Builder)
	up.Stdout, up.Stderr = io.MultiWriter(os.Stdout, &said), os.Stderr
	up.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := up.Start(); err != nil {
		return 1, err
	}
	ended := make(chan error, 1)
	go func() { ended <- up.Wait() }()
	if err := awaitStack(ended); err != nil {
		_ = syscall.Kill(-up.Process.Pid, syscall.SIGKILL)
		return 1, err
	}
	code = m.Run()
	if code != 0 {
		for _, log := range []string{"api.log", "worker.log"} {
			data, _ := os.ReadFile(filepath.Join(stackDir, "logs", log))
			fmt.Printf("--- the end of %s\n%s\n", log, data[max(0, len(data)-6000):])
		}
	}
	return code, stop(up, ended)
}

// awaitStack returns when stack.json is there. The first build of devstack
// takes minutes.
func awaitStack(ended <-chan error) error {
	deadline := time.After(25 * time.Minute)
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			return fmt.Errorf("starter up ended early: %w", err)
		case <-deadline:
			return errors.New("starter up is not ready after 25 minutes")
		case <-ticker.C:
		}
		data, err := os.ReadFile(filepath.Join(stackDir, "stack.json"))
		if err == nil {
			return json.Unmarshal(data, &running)
		}
	}
}

// stop interrupts the stack, as Ctrl-C does, and checks that nothing is left.
func stop(up *exec.Cmd, ended <-chan error) error {
	if err := up.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("starter up did not end well: %w", err)
		}
	case <-time.After(2 * time.Minute):
		_ = syscall.Kill(-up.Process.Pid, syscall.SIGKILL)
		return errors.New("starter up did not end within two minutes of an interrupt")
	}
	if _, err := os.Stat(filepath.Join(stackDir, "stack.json")); !errors.Is(err, os.ErrNotExist) {
		return errors.New("stack.json outlived the stack")
	}
	for _, address := range []string{running.BaseURL, running.TemporalUIURL, "tcp://" + running.TemporalAddress, running.DatabaseURL} {
		u, err := url.Parse(address)
		if err != nil {
			return err
		}
		if conn, err := net.Dial("tcp", u.Host); err == nil {
			_ = conn.Close()
			return fmt.Errorf("something still listens on %s", u.Host)
		}
	}
	return nil
}
