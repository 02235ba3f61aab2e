package background

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Task is a computation that runs in a process of its own, because whatever shares a
// process also waits for the pauses of its garbage collector. Those last until each
// thread has stopped, and a thread of low priority stops when it next gets a
// processor. The process also holds no secrets, and what exhausts its memory or
// stack ends it alone.
//
// In and Out are passed as JSON.
type Task[In, Out any] struct {
	name    string
	compute func(context.Context, In) (Out, error)
	known   []error
}

// NewTask makes the task of a name, when a package is initialized. Of the errors of
// compute, only the text is passed on, and which of known it wraps.
func NewTask[In, Out any](name string, compute func(context.Context, In) (Out, error), known ...error) Task[In, Out] {
	t := Task[In, Out]{name, compute, known}
	if tasks[name] != nil {
		panic("there are two tasks of the name " + name)
	}
	tasks[name] = t.perform
	return t
}

// tasks is written only while packages are initialized.
var tasks = map[string]func(in json.RawMessage) answer{}

// question asks a process for a task.
type question struct {
	Task string          `json:"task"`
	In   json.RawMessage `json:"in"`
}

// answer is either Out or an error.
type answer struct {
	Out   json.RawMessage `json:"out,omitempty"`
	Error string          `json:"error,omitempty"`
	// Known is one more than the place of the error that Error wraps.
	Known int `json:"known,omitempty"`
	// Panicked is set when Error describes a panic.
	Panicked bool `json:"panicked,omitempty"`
}

// known is an error of another process.
type known struct {
	text string
	is   error
}

func (k known) Error() string { return k.text }

func (k known) Unwrap() error { return k.is }

func (t Task[In, Out]) perform(in json.RawMessage) (a answer) {
	defer func() {
		if failed := recover(); failed != nil {
			a = answer{Error: fmt.Sprintf("%v\n%s", failed, debug.Stack()), Panicked: true}
		}
	}()
	var from In
	if err := json.Unmarshal(in, &from); err != nil {
		return answer{Error: err.Error()}
	}
	out, err := t.compute(context.Background(), from)
	if err != nil {
		return answer{Error: err.Error(), Known: 1 + slices.IndexFunc(t.known, func(k error) bool { return errors.Is(err, k) })}
	}
	encoded, err := json.Marshal(out)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Out: encoded}
}

// Run has the task done by a process, and ends that process when ctx ends first, or
// when it has taken limit of processor time. Then the error is the cause. A limit of
// zero means none. In a program that has not called Serve it is Run, the function.
func (t Task[In, Out]) Run(ctx context.Context, limit time.Duration, cause error, in In) (out Out, err error) {
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if !serving.Load() {
		Run(ctx, limit, cause, func(ctx context.Context) { out, err = t.compute(ctx, in) })
		return out, err
	}
	encoded, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	a, err := ask(ctx, limit, cause, question{t.name, encoded})
	switch {
	case err != nil:
		return out, err
	case a.Panicked:
		panic(a.Error)
	case a.Known > 0:
		return out, known{a.Error, t.known[a.Known-1]}
	case a.Error != "":
		return out, errors.New(a.Error)
	}
	return out, json.Unmarshal(a.Out, &out)
}

// role marks the environment of a process that does tasks.
const role = "REQUISITE_BACKGROUND_PROCESS"

// environment is all that such a process gets: no setting, no credential, no key. The
// limit on memory is one that the garbage collector keeps to if it can.
var environment = []string{role + "=1", "GOMEMLIMIT=128MiB"}

// maxStack is the largest stack of such a process, in bytes. The deepest conditions
// need a few MiB.
const maxStack = 64 << 20

var serving atomic.Bool

// Serve is called by main before anything else. It returns, unless the process was
// started to do tasks: then it does so, and the process ends with the one that
// started it.
func Serve() {
	if os.Getenv(role) == "" {
		serving.Store(true)
		return
	}
	alone()
	debug.SetMaxStack(maxStack)
	os.Exit(serve(os.Stdin, os.Stdout))
}

func serve(in io.Reader, out io.Writer) (code int) {
	questions := make(chan question)
	go func() {
		decoder := json.NewDecoder(in)
		for {
			var q question
			if decoder.Decode(&q) != nil {
				os.Exit(0) // nobody waits for an answer
			}
			questions <- q
		}
	}()
	encoder := json.NewEncoder(out)
	if encoder.Encode(answer{}) != nil { // it is ready: what starting took is no task's
		return 1
	}
	for q := range questions {
		do, exists := tasks[q.Task]
		if !exists {
			do = func(json.RawMessage) answer { return answer{Error: "there is no task " + q.Task} }
		}
		if encoder.Encode(do(q.In)) != nil {
			return 1
		}
	}
	return 0
}

// process does one task at a time.
type process struct {
	command  *exec.Cmd
	input    io.Closer
	encoder  *json.Encoder
	decoder  *json.Decoder
	clock    clock
	ready    bool // it has said so
	retiring *time.Timer
}

// idle are the processes that have nothing to do, the one used last at the end. How
// many there can be at once depends on the places for the computations.
var idle struct {
	sync.Mutex
	list []*process
}

// idleTime is how long a process is kept that has nothing to do. Starting one takes
// a tenth of a second or more.
const idleTime = time.Minute

// ask has a process answer. A process that has been idle may have been killed, for
// instance for lack of memory: then a new one is asked.
func ask(ctx context.Context, limit time.Duration, cause error, q question) (answer, error) {
	for {
		p, err := take()
		if err != nil {
			return answer{}, err
		}
		used := p.ready
		a, err := p.ask(ctx, limit, cause, q)
		if err == nil {
			p.rest()
			return a, nil
		}
		p.kill()
		if ctx.Err() != nil || errors.Is(err, cause) || !used {
			return answer{}, err
		}
	}
}

func take() (*process, error) {
	idle.Lock()
	last := len(idle.list) - 1
	if last < 0 {
		idle.Unlock()
		return begin()
	}
	defer idle.Unlock()
	p := idle.list[last]
	idle.list = idle.list[:last]
	p.retiring.Stop()
	return p, nil
}

func (p *process) rest() {
	idle.Lock()
	defer idle.Unlock()
	p.retiring = time.AfterFunc(idleTime, p.retire)
	idle.list = append(idle.list, p)
}

func (p *process) retire() {
	idle.Lock()
	at := slices.Index(idle.list, p)
	if at >= 0 {
		idle.list = slices.Delete(idle.list, at, at+1)
	}
	idle.Unlock()
	if at >= 0 {
		p.kill()
	}
}

// begin starts a process from a thread of low priority: the process inherits it, with
// the processors that the thread may use.
func begin() (*process, error) {
	c := exec.Command(executable)
	c.Args = []string{filepath.Base(os.Args[0]) + ": a long computation"} // for operators
	c.Env, c.Stderr = environment, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	input, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := c.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, input.Close())
	}
	started := make(chan error, 1)
	go start(func() {
		lower()
		started <- c.Start()
	})
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start a process for long computations: %w", err)
	}
	return &process{command: c, input: input, encoder: json.NewEncoder(input), decoder: json.NewDecoder(output), clock: processClock(c.Process.Pid)}, nil
}

func (p *process) ask(ctx context.Context, limit time.Duration, cause error, q question) (answer, error) {
	type outcome struct {
		answer
		err error
	}
	begun, done := make(chan time.Duration, 1), make(chan outcome, 1)
	go func() {
		var o outcome
		if !p.ready {
			o.err = p.decoder.Decode(&o.answer)
			p.ready = o.err == nil
		}
		begun <- p.clock.taken()
		if o.err == nil {
			o.err = p.encoder.Encode(q)
		}
		if o.err == nil {
			o.err = p.decoder.Decode(&o.answer)
		}
		done <- o
	}()
	var before time.Duration
	check := time.NewTimer(limit)
	check.Stop()
	defer check.Stop()
	for {
		select {
		case before = <-begun:
			if limit > 0 {
				check.Reset(limit)
			}
		case o := <-done:
			if o.err != nil {
				return answer{}, fmt.Errorf("a process for long computations has ended: %w", o.err)
			}
			return o.answer, nil
		case <-ctx.Done():
			return answer{}, context.Cause(ctx)
		case <-check.C:
			left := limit - (p.clock.taken() - before)
			if left <= 0 {
				return answer{}, cause
			}
			check.Reset(max(left, time.Millisecond))
		}
	}
}

// kill ends the process, whatever it does.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	_ = p.input.Close()
	go func() { _ = p.command.Wait() }() // only its end matters
}
