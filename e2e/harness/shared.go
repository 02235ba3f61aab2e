package harness

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Run runs the tests of a package, ends the stack that they share, and prints how many
// stacks the package has started. env is additional environment of the shared programs.
func Run(m *testing.M, env ...string) {
	flag.Parse()
	begun := time.Now()
	common.env = env
	if timeout, err := time.ParseDuration(flag.Lookup("test.timeout").Value.String()); err == nil && timeout > 0 {
		common.life.deadline = begun.Add(timeout)
	}
	code := m.Run()
	if !common.life.end() && code == 0 {
		code = 1
	}
	PrintStacks()
	os.Exit(code)
}

// RunTogether is Run with a default of -parallel, for tests that mostly wait.
func RunTogether(m *testing.M, tests int, env ...string) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
			panic(err)
		}
	}
	Run(m, env...)
}

// common is shared by the tests of a package.
var common = struct {
	sync.Mutex
	env     []string
	life    *life
	stack   *Stack // nil until the first call of Shared
	tenants int
}{life: newLife()}

// Shared returns the stack of the package with a new organization for the test. The first
// call starts the stack. TestMain must call Run or RunTogether.
//
// A test that is not parallel may stop, kill and freeze processes, because no other test
// runs at the same time. Shared restarts stopped processes for the next test.
func Shared(t testing.TB) *Stack {
	t.Helper()
	common.Lock()
	defer common.Unlock()
	if common.stack == nil {
		if common.life.Failed() {
			t.Fatal("the stack of the package did not start: see the first test that needed it")
		}
		if !common.life.do(t, func() { common.stack = New(common.life, common.env...) }) {
			common.stack = nil
			t.FailNow()
		}
	}
	s := &Stack{Processes: common.stack.Processes, Client: common.stack.Client}
	s.showLogsOf(t)
	s.restore(t)
	store := s.open(t)
	defer store.Close()
	common.tenants++
	s.useTenant(t, store, fmt.Sprintf("%s %d", t.Name(), common.tenants)) // with -count, a test needs several names
	return s
}

// restore starts processes that an earlier test has ended.
func (s *Stack) restore(t testing.TB) {
	if s.postgres.asked.Load() {
		s.StartPostgres(t)
	}
	if s.Devstack.asked.Load() {
		s.StartTemporal(t)
	}
	s.StartPrograms(t)
}

// stacks counts the stacks that this package has started.
var stacks atomic.Int64

// StacksFile is the environment variable with the name of a file. The file gets a line with
// the package's name for each started stack, because go test hides the output of packages.
const StacksFile = "TEST_STACKS_FILE"

// CountStack counts a stack. Call it in a test that starts one without this package.
func CountStack(t testing.TB) {
	t.Helper()
	if err := Count(); err != nil {
		t.Fatal(err)
	}
}

// Count is CountStack for a TestMain.
func Count() error {
	stacks.Add(1)
	file := os.Getenv(StacksFile)
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, packageName())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// PrintStacks prints how many stacks the package has started.
func PrintStacks() { fmt.Printf("%s: %d stacks started\n", packageName(), stacks.Load()) }

// packageName returns the path of the package under test. Tests run in its directory.
func packageName() string {
	dir, err := os.Getwd()
	if err != nil {
		return "unknown"
	}
	for root := dir; root != filepath.Dir(root); root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return strings.TrimPrefix(strings.TrimPrefix(dir, root), string(filepath.Separator))
		}
	}
	return dir
}

// life is the testing.TB of processes that end with the package and not with a test.
type life struct {
	testing.TB // nil: methods that this package does not use panic
	ctx        context.Context
	cancel     context.CancelFunc
	deadline   time.Time

	mu     sync.Mutex
	asking testing.TB // the test that calls do; nil for none
	ends   []func()
	failed bool
}

func newLife() *life {
	l := &life{}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// do runs f for a test. f may call FailNow. do returns false if f has failed.
func (l *life) do(t testing.TB, f func()) (well bool) {
	l.mu.Lock()
	l.asking = t
	l.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
		well = !l.Failed()
	}()
	<-done
	l.mu.Lock()
	l.asking = nil
	l.mu.Unlock()
	return well
}

// end runs all cleanups, the last one first.
func (l *life) end() (well bool) {
	l.cancel()
	for {
		l.mu.Lock()
		if len(l.ends) == 0 {
			l.mu.Unlock()
			return !l.Failed()
		}
		last := l.ends[len(l.ends)-1]
		l.ends = l.ends[:len(l.ends)-1]
		l.mu.Unlock()
		l.do(nil, last)
	}
}

func (l *life) Helper()                                  {}
func (l *life) Name() string                             { return packageName() }
func (l *life) Context() context.Context                 { return l.ctx }
func (l *life) Deadline() (deadline time.Time, set bool) { return l.deadline, !l.deadline.IsZero() }

func (l *life) Cleanup(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ends = append(l.ends, f)
}

func (l *life) TempDir() string {
	dir, err := os.MkdirTemp("", "requisite-tests-")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			l.Errorf("%v", err)
		}
	})
	return dir
}

func (l *life) Log(args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asking != nil {
		l.asking.Log(args...)
		return
	}
	fmt.Fprintln(os.Stderr, args...)
}

func (l *life) Logf(format string, args ...any) { l.Log(fmt.Sprintf(format, args...)) }

func (l *life) Errorf(format string, args ...any) {
	l.Log(fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = true
}

func (l *life) FailNow() {
	l.mu.Lock()
	l.failed = true
	l.mu.Unlock()
	runtime.Goexit()
}

func (l *life) Fatal(args ...any) {
	l.Log(args...)
	l.FailNow()
}

func (l *life) Fatalf(format string, args ...any) { l.Fatal(fmt.Sprintf(format, args...)) }

func (l *life) Failed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}
