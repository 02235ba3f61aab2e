// Package e2e_test is a caller of the running service. It starts a stack with `starter up`
// once, and tests it from outside.
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

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// running is the description of the stack by `starter up`.
var running struct {
	BaseURL         string            `json:"base_url"`
	TemporalUIURL   string            `json:"temporal_ui_url"`
	TemporalAddress string            `json:"temporal_address"`
	Namespace       string            `json:"namespace"`
	DatabaseURL     string            `json:"database_url"`
	Accounts        []account         `json:"accounts"`
	Metrics         map[string]string `json:"metrics"`
}

// said is the output of `starter up`.
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

// stackDir has the files and logs of the stack.
var stackDir string

// up is the process `starter up`. All waits of tests depend on it.
var up await.Process

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
	stackDir = filepath.Join(dir, "a reader's stack") // the commands that up prints must quote it
	built, err := harness.Programs()
	if err != nil {
		return 1, err
	}
	// `starter up` builds there, unless the programs are up to date.
	bin := filepath.Join(stackDir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return 1, err
	}
	for _, program := range []string{"devstack", "api", "worker"} {
		if out, err := exec.Command("cp", filepath.Join(built, program), bin).CombinedOutput(); err != nil {
			return 1, fmt.Errorf("%w: %s", err, out)
		}
	}
	command := exec.Command(filepath.Join(built, "starter"), "up", "--ephemeral", "--dir", stackDir, "--api-port", "0", "--ui-port", "0", "--temporal-port", "0", "--codec-port", "0", "--rate-limit", "1000")
	said.Builder = new(strings.Builder)
	command.Stdout, command.Stderr = io.MultiWriter(os.Stdout, &said), os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// On a slow machine a run may take longer than the default patience.
	command.Env = append(os.Environ(), "REQUISITE_PATIENCE=10m")
	if err := harness.Count(); err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	ended := make(chan struct{})
	var result error
	go func() {
		defer close(ended)
		result = command.Wait()
	}()
	up = await.Process{Name: "starter up", Ended: ended, Log: filepath.Join(stackDir, "logs", "api.log")}
	if err := awaitStack(ended); err != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		return 1, errors.Join(err, result)
	}
	code = m.Run()
	if code != 0 {
		for _, log := range []string{"api.log", "worker.log"} {
			data, _ := os.ReadFile(filepath.Join(stackDir, "logs", log))
			fmt.Printf("--- the end of %s\n%s\n", log, data[max(0, len(data)-6000):])
		}
	}
	harness.PrintStacks()
	// Interrupt the stack, as Ctrl-C does.
	if err := command.Process.Signal(os.Interrupt); err != nil {
		return 1, err
	}
	<-ended
	if result != nil {
		return 1, fmt.Errorf("starter up failed: %w", result)
	}
	return code, nothingLeft()
}

// awaitStack waits for stack.json.
func awaitStack(ended <-chan struct{}) error {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return errors.New("starter up ended early")
		case <-ticker.C:
		}
		data, err := os.ReadFile(filepath.Join(stackDir, "stack.json"))
		if err == nil {
			return json.Unmarshal(data, &running)
		}
	}
}

// nothingLeft checks that the stack has left no file and no listener.
func nothingLeft() error {
	if _, err := os.Stat(filepath.Join(stackDir, "stack.json")); !errors.Is(err, os.ErrNotExist) {
		return errors.New("stack.json exists after the end of the stack")
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
