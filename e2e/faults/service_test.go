//go:build deep

package faults

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// instance supervises one process of a program, and restarts it when it ends.
type instance struct {
	program, binary  string
	address, metrics string
	env              []string
	log              string
	clock            *os.File

	mu      sync.Mutex
	process *os.Process
	down    bool // do not restart it for now
	stopped bool // do not restart it any more
	exits   int  // number of ends by itself
	ended   chan struct{}
}

// newInstance starts a program of a build. Its addresses must be held ones, because it
// restarts on them.
func newInstance(program, build, dir, address, metrics string, env []string) (*instance, error) {
	i := &instance{program: program, binary: filepath.Join(build, program), address: address, metrics: metrics, log: filepath.Join(dir, program+".log"), ended: make(chan struct{})}
	var err error
	if i.clock, err = os.CreateTemp(dir, "clock-"); err != nil {
		return nil, err
	}
	if err := setClock(i.clock, 0); err != nil {
		return nil, err
	}
	i.env = append(env, "REQUISITE_LISTEN="+i.address, "REQUISITE_METRICS_LISTEN="+i.metrics, "CLOCK_STEP_FILE="+i.clock.Name(),
		"REQUISITE_HEALTH_LISTEN=127.0.0.1:0",
		"REQUISITE_QUOTA=rule-versions-a-day=0") // a long run publishes more versions than the default quota allows
	go i.supervise()
	return i, nil
}

// restartAfter is how long the supervisor waits before a restart.
const restartAfter = 200 * time.Millisecond

func (i *instance) supervise() {
	defer close(i.ended)
	for {
		i.mu.Lock()
		stopped, down := i.stopped, i.down
		i.mu.Unlock()
		switch {
		case stopped:
			return
		case !down:
			i.run()
		}
		time.Sleep(restartAfter)
	}
}

// run runs the process until it ends.
func (i *instance) run() {
	log, err := os.OpenFile(i.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer log.Close()
	command := exec.Command(i.binary, "--child")
	command.Env, command.Stderr = i.env, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := command.StdinPipe() // closes, and so stops the program, if this process dies
	if err != nil {
		return
	}
	defer stdin.Close()
	i.mu.Lock()
	if i.stopped || i.down {
		i.mu.Unlock()
		return
	}
	err = command.Start()
	i.process = command.Process
	i.mu.Unlock()
	if err != nil {
		fmt.Fprintln(log, "the supervisor cannot start the program:", err)
		return
	}
	_ = command.Wait() // the log says how it ended
	i.mu.Lock()
	defer i.mu.Unlock()
	i.process = nil
	if !i.down && !i.stopped {
		i.exits++
	}
}

func (i *instance) signal(s os.Signal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process != nil {
		_ = i.process.Signal(s) // the process may have ended
	}
}

// kill kills the process, and does not restart it before revive.
func (i *instance) kill() {
	i.mu.Lock()
	i.down = true
	i.mu.Unlock()
	i.signal(syscall.SIGKILL)
}

func (i *instance) revive() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = false
}

// stop asks the process to end, and does not restart it. The channel is closed when it has
// ended.
func (i *instance) stop() <-chan struct{} {
	i.mu.Lock()
	i.stopped = true
	i.mu.Unlock()
	i.signal(syscall.SIGCONT)
	i.signal(syscall.SIGTERM)
	return i.ended
}

// restarts returns how often the process ended by itself.
func (i *instance) restarts() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.exits
}

// healthy asks the process whether it is healthy.
func (i *instance) healthy() bool {
	client := http.Client{Timeout: 2 * time.Second}
	response, err := client.Get("http://" + i.metrics + "/readyz")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode == http.StatusOK
}

// level reads the metrics of the process; false if it does not answer.
func (i *instance) level(ctx context.Context, at time.Duration) (Level, bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+i.metrics+"/metrics", nil)
	if err != nil {
		return Level{}, false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return Level{}, false
	}
	defer response.Body.Close()
	now := Level{At: at}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		switch {
		case name == "process_resident_memory_bytes":
			now.MemoryMB = value / (1 << 20)
		case name == "requisite_rule_cache_bytes":
			now.RulesMB = value / (1 << 20)
		case name == "go_goroutines":
			now.Goroutines = value
		case strings.HasPrefix(name, "requisite_database_connections{") && !strings.Contains(name, `"max"`):
			now.Database += value
		}
	}
	return now, lines.Err() == nil && now.Goroutines > 0
}

// setClock sets the offset of a clock.
func setClock(file *os.File, by time.Duration) error {
	var seconds [8]byte
	binary.NativeEndian.PutUint64(seconds[:], uint64(int64(by/time.Second)))
	_, err := file.WriteAt(seconds[:], 0)
	return err
}
