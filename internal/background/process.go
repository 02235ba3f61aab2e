package background

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Task is a computation that runs in a process of its own, because whatever shares a
// process also waits for the pauses of its garbage collector. Those last until each
// thread has stopped, and a thread of low priority stops when it next gets a
// processor. The process also holds no secrets, and what exhausts its stack ends it
// alone.
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
type question[In any] struct {
	Task string `json:"task"`
	In   In     `json:"in"`
}

// answer is either Out or an error.
type answer struct {
	Out   json.RawMessage `json:"out,omitempty"`
	Error string          `json:"error,omitempty"`
	// Known is one more than the place of the error that Error wraps.
	Known int `json:"known,omitempty"`
}

// remote is an error of another process.
type remote struct {
	text string
	is   error
}

func (r remote) Error() string { return r.text }

func (r remote) Unwrap() error { return r.is }

func (t Task[In, Out]) perform(in json.RawMessage) (a answer) {
	defer func() {
		if failed := recover(); failed != nil {
			a = answer{Error: fmt.Sprintf("panic: %v\n%s", failed, debug.Stack())}
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

// Run has the task done by a process, and ends that process when ctx ends first. Then
// the error is the cause of that, and Run returns when the process has ended. A panic is
// an error, too. A task that ends its process, for instance because it exhausts the stack,
// is tried twice. Where there is no process, because the program has not called Serve or
// none can be started, Run does the task itself, as the function Run does. When memory or
// threads are short, it fails instead, because the program needs them, and so it does when
// no second process can be started.
func (t Task[In, Out]) Run(ctx context.Context, in In) (out Out, err error) {
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	a, err := ask(ctx, question[any]{t.name, in})
	switch {
	case errors.Is(err, errNoProcess):
		return t.here(ctx, in)
	case err != nil:
		return out, err
	case a.Known > 0:
		return out, remote{a.Error, t.known[a.Known-1]}
	case a.Error != "":
		return out, errors.New(a.Error)
	}
	return out, json.Unmarshal(a.Out, &out)
}

func (t Task[In, Out]) here(ctx context.Context, in In) (out Out, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("panic: %v", failed)
		}
	}()
	Run(func() { out, err = t.compute(ctx, in) })
	return out, err
}

// role marks the environment of a process that does tasks.
const role = "REQUISITE_BACKGROUND_PROCESS"

// environment is all that such a process gets: no setting, no credential, no key. It
// does one thing at a time. The limit on memory is one that the garbage collector keeps
// to if it can.
var environment = []string{role + "=1", "GOMAXPROCS=1", "GOMEMLIMIT=80MiB"}

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
	debug.SetMaxStack(maxStack)
	program, _, _ := strings.Cut(os.Args[0], ":")
	nameProcess(program + "-compute")
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT) // it ends with its standard input, which the program closes
	answers := os.Stdout
	os.Stdout = os.Stderr // whatever else is printed is no answer
	serve(os.Stdin, answers)
	os.Exit(1) // nobody reads the answers
}

func serve(in io.Reader, out io.Writer) {
	questions := make(chan question[json.RawMessage])
	go func() {
		decoder := json.NewDecoder(in)
		for {
			var q question[json.RawMessage]
			if decoder.Decode(&q) != nil {
				os.Exit(0) // nobody waits for an answer
			}
			questions <- q
		}
	}()
	encoder := json.NewEncoder(out)
	for q := range questions {
		do, exists := tasks[q.Task]
		if !exists {
			do = func(json.RawMessage) answer { return answer{Error: "there is no task " + q.Task} }
		}
		if encoder.Encode(do(q.In)) != nil {
			return
		}
	}
}

// process does one task at a time.
type process struct {
	command  *exec.Cmd
	input    io.Closer
	encoder  *json.Encoder
	decoder  *json.Decoder
	printed  *beginning // to standard error
	retiring *time.Timer
}

// idle are the processes that have nothing to do, the one used last at the end. A new
// one is started only when there is none, or in place of one that has ended, so there
// are never more processes than places for the computations.
var idle struct {
	sync.Mutex
	list []*process
}

// idleTime is how long a process is kept after its last task. Starting one takes a
// tenth of a second or more.
const idleTime = time.Minute

// errNoProcess reports that there is no process to ask.
var errNoProcess = errors.New("no process for long computations")

// ask has a process answer. One that has been idle may have ended, for instance for
// lack of memory: so another one, which is new, is asked once.
func ask(ctx context.Context, q question[any]) (a answer, err error) {
	if !serving.Load() {
		return answer{}, errNoProcess
	}
	p := lastIdle()
	for range tries {
		if p == nil {
			var failed error
			if p, failed = begin(); failed != nil {
				if err != nil { // what has ended a process does not run in this one
					return answer{}, err
				}
				return answer{}, noProcess(failed)
			}
		}
		if a, err = p.ask(ctx, q); err == nil {
			return a, nil
		}
		if ctx.Err() != nil {
			return answer{}, context.Cause(ctx)
		}
		p = nil
	}
	return answer{}, err
}

const tries = 2

// noProcess is err for lack of memory or threads, and otherwise errNoProcess, after a
// warning.
func noProcess(err error) error {
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) {
		return fmt.Errorf("start a process for long computations: %w", err)
	}
	if !warned.Swap(true) {
		slog.Warn("cannot start a process for long computations, which now run in this one, where requests wait for them", "error", err)
	}
	return errNoProcess
}

// warned is whether the log says that no process can be started.
var warned atomic.Bool

func lastIdle() *process {
	idle.Lock()
	defer idle.Unlock()
	last := len(idle.list) - 1
	if last < 0 {
		return nil
	}
	p := idle.list[last]
	idle.list = idle.list[:last]
	p.retiring.Stop()
	return p
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
		_ = p.kill()
	}
}

func begin() (*process, error) {
	c := exec.Command(executable)
	c.Args = []string{filepath.Base(os.Args[0]) + ": a long computation"} // for operators; see also nameProcess
	c.Env = environment
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	p := &process{command: c, printed: &beginning{}}
	c.Stderr = p.printed
	input, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := c.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, input.Close(), c.Stdin.(io.Closer).Close())
	}
	if err := c.Start(); err != nil { // which closes the pipes
		return nil, err
	}
	warned.Store(false)
	giveWay(c.Process.Pid)
	p.input, p.encoder, p.decoder = input, json.NewEncoder(input), json.NewDecoder(output)
	return p, nil
}

// ask has the process answer. Then it is idle, or has ended when there is an error.
func (p *process) ask(ctx context.Context, q question[any]) (answer, error) {
	type outcome struct {
		answer
		err error
	}
	done := make(chan outcome, 1)
	p.printed.forget() // what an earlier task has printed
	go func() {
		var o outcome
		if o.err = p.encoder.Encode(q); o.err == nil {
			o.err = p.decoder.Decode(&o.answer)
		}
		done <- o
	}()
	select {
	case <-ctx.Done():
		_ = p.kill()
		return answer{}, context.Cause(ctx)
	case o := <-done:
		if o.err != nil {
			ended := p.kill()
			return answer{}, fmt.Errorf("a process for long computations has ended: %w: %v: %s", o.err, ended, p.printed)
		}
		p.rest()
		return o.answer, nil
	}
}

// kill ends the process, whatever it does, and reports how it has ended. It waits for
// the end: until then the process uses memory, so its place is not free.
func (p *process) kill() error {
	_ = p.command.Process.Kill()
	_ = p.input.Close()
	return p.command.Wait()
}

// beginning keeps the first line of what is written to it, since it was last told to
// forget. Of a crash, that is the reason; the stacks of all goroutines follow.
type beginning struct {
	sync.Mutex
	text []byte
}

func (b *beginning) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	b.text = append(b.text, p[:min(len(p), maxBeginning-len(b.text))]...)
	return len(p), nil
}

func (b *beginning) forget() {
	b.Lock()
	defer b.Unlock()
	b.text = nil
}

func (b *beginning) String() string {
	b.Lock()
	defer b.Unlock()
	line, _, _ := bytes.Cut(b.text, []byte("\n"))
	return string(line)
}

// maxBeginning is in bytes.
const maxBeginning = 300
