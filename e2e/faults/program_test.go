//go:build deep

package faults

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"requisite/e2e/harness"
)

// zones are those of the accounts. A midnight is never more than twelve hours away.
var zones = []string{"UTC", "Pacific/Fiji", "America/New_York"}

// stack is a stack whose every connection goes through a proxy.
type stack struct {
	*harness.Stack
	t       testing.TB
	since   func() time.Duration
	builds  [2]string
	links   map[string]*Proxy
	current map[string]*instance // by program
	build   map[string]int
	all     []*instance
	tenants *tenants
	load    *load
	disk    string // the file system of Postgres, which a fault can fill; empty if there is none

	stepped, lost []Span
	today         map[string]string // by account, of the last day
	repeats       []Repeat
	left          []string // faults that are impossible on this machine
}

// diskSize is more than a long run needs.
const diskSize = "3g"

// newStack starts a stack. The data of Postgres is on a separate file system if the test
// may mount one.
func newStack(t testing.TB, builds [2]string, since func() time.Duration) *stack {
	s := &stack{t: t, since: since, builds: builds, links: map[string]*Proxy{}, current: map[string]*instance{}, build: map[string]int{}}
	var err error
	options := harness.Options{PostgresSettings: []string{"max_connections=150", "max_wal_size=96MB"}}
	dir := filepath.Join(t.TempDir(), "postgres")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for above := filepath.Dir(dir); len(above) > len(os.TempDir()); above = filepath.Dir(above) {
		require.NoError(t, os.Chmod(above, 0o755)) // Postgres does not run as root, and must be able to reach its data
	}
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+diskSize, "tmpfs", dir).Run(); err == nil {
		s.disk, options.PostgresDir = dir, dir
		t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	} else {
		t.Logf("cannot mount a file system (%v): there will be no disk-full", err)
	}
	s.Stack = harness.NewStopped(t, options, harness.Impatient)
	for link, to := range map[string]string{
		"api-postgres": s.postgresAddress(), "worker-postgres": s.postgresAddress(),
		"api-temporal": s.TemporalAddress, "worker-temporal": s.TemporalAddress,
		"client-api": "", "worker-sinks": "",
	} {
		s.links[link], err = NewProxy(to)
		require.NoError(t, err)
		t.Cleanup(s.links[link].Close)
	}
	for _, program := range programs {
		s.current[program] = s.start(program)
	}
	s.links["client-api"].To(s.current["api"].address)
	s.healthy()
	return s
}

func (s *stack) postgresAddress() string {
	u, err := url.Parse(s.DatabaseURL)
	require.NoError(s.t, err)
	return u.Host
}

// start starts a program of the current build behind its proxies.
func (s *stack) start(program string) *instance {
	// The program's own role, so that row-level security applies.
	database, err := url.Parse(harness.AsProgram(s.DatabaseURL, program))
	require.NoError(s.t, err)
	database.Host = s.links[program+"-postgres"].Addr()
	env := append(s.Environment(), "PATH="+os.Getenv("PATH"), "DATABASE_URL="+database.String(), "TEMPORAL_ADDRESS="+s.links[program+"-temporal"].Addr())
	i, err := newInstance(program, s.builds[s.build[program]], s.Dir, harness.HeldAddress(s.t), harness.HeldAddress(s.t), env)
	require.NoError(s.t, err)
	s.all = append(s.all, i)
	s.t.Cleanup(func() { awaitEnd(i.stop(), i) })
	return i
}

// awaitEnd waits for an instance to end, and kills it if that takes too long.
func awaitEnd(ended <-chan struct{}, i *instance) {
	select {
	case <-ended:
	case <-time.After(90 * time.Second):
		i.signal(syscall.SIGKILL)
		<-ended
	}
}

// healthy waits until all programs are healthy.
func (s *stack) healthy() {
	s.Poll(s.t, "the programs do not become healthy", func(context.Context) (bool, error) {
		for program, i := range s.current {
			if !i.healthy() {
				return false, fmt.Errorf("%s is not", program)
			}
		}
		return true, nil
	})
}

// undo ends a fault.
type undo func()

// perform begins a fault and the one beside it, and ends both.
func (s *stack) perform(step Step) {
	started := []Step{step}
	if step.Beside != nil {
		started = append(started, *step.Beside)
	}
	slices.SortFunc(started, func(a, b Step) int { return starts(b) - starts(a) }) // faults that restart processes end last
	var undos []undo
	for _, f := range started {
		undos = append(undos, s.make(f))
	}
	time.Sleep(step.Hold)
	slices.Reverse(undos)
	for _, u := range undos {
		u()
	}
}

func starts(s Step) int {
	if s.restarts() {
		return 1
	}
	return 0
}

// make begins a fault, and returns how to end it.
func (s *stack) make(step Step) undo {
	switch step.Kind {
	case Kill:
		return s.kill(step.On)
	case Freeze:
		return s.freeze(step.On)
	case Cut:
		s.links[step.On].Cut(true)
		return func() { s.links[step.On].Cut(false) }
	case Stall:
		s.links[step.On].Stall(true)
		return func() { s.links[step.On].Stall(false) }
	case Delay:
		s.links[step.On].Delay(step.Amount)
		return func() { s.links[step.On].Delay(0) }
	case DiskFull:
		return s.fillDisk()
	case Connections:
		return s.takeConnections()
	case Clock:
		return s.stepClock(step.On, step.Amount)
	case Midnight:
		return s.passMidnight()
	case Lose:
		return s.loseTemporal()
	case Upgrade:
		return s.upgrade(step.On)
	case Tenants:
		return s.tenants.trouble(uint64(step.Number))
	case Keyset:
		return s.rotateKeyset(step.On)
	case Recalculation:
		return s.load.beside(uint64(step.Number), s.load.cancelRecalculation)
	case SandboxToday:
		return s.load.beside(uint64(step.Number), s.load.nameDays)
	case DeletePerson:
		return s.load.beside(uint64(step.Number), s.load.deletePerson)
	}
	panic("no such fault: " + step.Kind)
}

func (s *stack) kill(part string) undo {
	switch part {
	case "temporal":
		s.Devstack.Kill(s.t)
		return func() { s.StartTemporal(s.t) }
	case "postgres":
		s.KillPostgres(s.t)
		return func() { s.StartPostgres(s.t) }
	}
	i := s.current[part]
	i.kill()
	return i.revive
}

func (s *stack) freeze(part string) undo {
	switch part {
	case "temporal":
		s.Devstack.Signal(s.t, syscall.SIGSTOP)
		return func() { s.Devstack.Signal(s.t, syscall.SIGCONT) }
	case "postgres":
		frozen := family(s.PostgresPID())
		for _, pid := range frozen {
			_ = syscall.Kill(pid, syscall.SIGSTOP) // the process of a connection may have ended
		}
		return func() {
			for _, pid := range frozen {
				_ = syscall.Kill(pid, syscall.SIGCONT)
			}
		}
	}
	i := s.current[part]
	i.signal(syscall.SIGSTOP)
	return func() { i.signal(syscall.SIGCONT) }
}

// family returns a process and its children. The parent comes first, so that once frozen it
// starts no more children.
func family(parent int) []int {
	found := []int{parent}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		_, after, _ := strings.Cut(string(stat), ") ") // the name of the program may contain anything
		fields := strings.Fields(after)
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			found = append(found, pid)
		}
	}
	return found
}

// fillDisk leaves Postgres no free disk space.
func (s *stack) fillDisk() undo {
	if s.disk == "" {
		s.left = append(s.left, "disk-full: cannot mount a file system")
		return func() {}
	}
	// Postgres may write between the two calls, and then the second one fails.
	err := errors.New("never tried")
	for tries := 0; err != nil && tries < 1000; tries++ {
		var now syscall.Statfs_t
		require.NoError(s.t, syscall.Statfs(s.disk, &now))
		err = s.resize(fmt.Sprint((now.Blocks - now.Bfree) * uint64(now.Bsize)))
	}
	require.NoError(s.t, err)
	return func() {
		require.NoError(s.t, s.resize(diskSize))
		s.RevivePostgres(s.t) // Postgres ends if it cannot write its log
	}
}

func (s *stack) resize(size string) error {
	if out, err := exec.Command("mount", "-o", "remount,size="+size, s.disk).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// takeConnections takes all of Postgres's connections, including those of the programs.
func (s *stack) takeConnections() undo {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var taken []*pgx.Conn
		defer func() {
			for _, conn := range taken {
				_ = conn.Close(context.Background())
			}
		}()
		config, err := pgx.ParseConfig(s.SuperuserURL("postgres"))
		if err != nil {
			return
		}
		config.ConnectTimeout = 2 * time.Second
		for ctx.Err() == nil {
			conn, err := pgx.ConnectConfig(ctx, config)
			if err == nil {
				taken = append(taken, conn)
				continue
			}
			if len(taken) > 0 {
				_, _ = taken[0].Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'requisite-%'`) // frees more connections
			}
			pause(ctx, 20*time.Millisecond)
		}
	}()
	return func() { stop(); <-done }
}

func (s *stack) stepClock(program string, by time.Duration) undo {
	i, began := s.current[program], s.since()
	require.NoError(s.t, setClock(i.clock, by))
	if program == "worker" { // prune while the clock is wrong
		s.trigger("prune")
	}
	return func() {
		require.NoError(s.t, setClock(i.clock, 0))
		if program == "worker" {
			s.stepped = append(s.stepped, Span{began, s.since() + attemptLife})
		}
	}
}

// triggerEvery leaves a round time: a trigger terminates the one before.
const triggerEvery = 10 * time.Second

// trigger starts a round of a schedule, if Temporal is up. No promise depends on it.
func (s *stack) trigger(schedule string) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	c, err := client.NewLazyClient(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite", Identity: "test"})
	require.NoError(s.t, err)
	defer c.Close()
	if err := harness.StartRound(ctx, c, schedule); err != nil {
		s.t.Logf("cannot trigger %s: %s", schedule, err)
	}
}

// passMidnight stops the worker until a day has begun in one of the time zones of accounts. The clock then jumps
// an hour back, into the day before, and forth.
func (s *stack) passMidnight() undo {
	i, began, now := s.current["worker"], s.since(), time.Now()
	i.kill()
	by := 24 * time.Hour
	for _, name := range zones {
		at := now.In(zone(name))
		midnight := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, at.Location())
		by = min(by, midnight.Sub(now)+30*time.Minute)
	}
	require.NoError(s.t, setClock(i.clock, by))
	i.revive()
	return func() {
		for _, jump := range []time.Duration{0, -time.Hour, 0} {
			require.NoError(s.t, setClock(i.clock, by+jump))
			s.trigger("deadlines")
			time.Sleep(time.Second)
		}
		require.NoError(s.t, setClock(i.clock, 0))
		s.stepped = append(s.stepped, Span{began, s.since() + attemptLife})
	}
}

func zone(name string) *time.Location {
	location, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // zones are known
	}
	return location
}

// loseTemporal deletes Temporal's data, and follows the guide's "If Temporal is lost".
func (s *stack) loseTemporal() undo {
	began := s.since()
	s.LoseTemporal(s.t)
	return func() {
		s.Poll(s.t, "starter migrate does not succeed", func(context.Context) (bool, error) {
			out, err := s.Starter("migrate").CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			return err == nil, err
		})
		for _, i := range s.current {
			i.signal(syscall.SIGTERM) // the supervisor restarts it
		}
		s.lost = append(s.lost, Span{began, s.since() + time.Minute})
	}
}

// upgrade starts the other build, and stops the current one when the other is healthy.
func (s *stack) upgrade(program string) undo {
	old := s.current[program]
	s.build[program] = 1 - s.build[program]
	next := s.start(program)
	return func() {
		s.Poll(s.t, "the other build does not become healthy", func(context.Context) (bool, error) { return next.healthy(), nil })
		if program == "api" {
			s.links["client-api"].To(old.address, next.address)
			time.Sleep(time.Second) // both builds serve
			s.links["client-api"].To(next.address)
		}
		s.current[program] = next
		old.stop()
	}
}

// rotateKeyset rotates the keyset of secrets as the guide says, but one program does not restart with the new key. It
// goes on to encrypt with the key before until the fault ends.
func (s *stack) rotateKeyset(behind string) undo {
	s.healthy()
	file := s.keysetFile()
	s.operate("keyset", "add", file)
	s.restart(programs...)
	s.operate("keyset", "promote", file)
	s.restart(slices.DeleteFunc(slices.Clone(programs), func(program string) bool { return program == behind })...)
	s.operate("keyset", "rewrap")
	return func() {
		s.restart(behind)
		s.operate("keyset", "rewrap")
		s.operate("keyset", "drop")
	}
}

func (s *stack) keysetFile() string {
	for _, setting := range s.Environment() {
		if file, is := strings.CutPrefix(setting, "REQUISITE_KEK_FILE="); is {
			return file
		}
	}
	panic("the stack has no keyset")
}

// operate runs a command of an operator, which must succeed.
func (s *stack) operate(args ...string) {
	out, err := s.Starter(args...).CombinedOutput()
	require.NoError(s.t, err, "starter %v: %s", args, out)
}

// restart restarts programs, and waits until all are healthy.
func (s *stack) restart(programs ...string) {
	before := map[string]int{}
	for _, program := range programs {
		before[program] = s.current[program].restarts()
		s.current[program].signal(syscall.SIGTERM) // the supervisor restarts it
	}
	s.Poll(s.t, "the programs do not restart", func(context.Context) (bool, error) {
		for program, n := range before {
			if s.current[program].restarts() == n {
				return false, fmt.Errorf("%s runs on", program)
			}
		}
		return true, nil
	})
	s.healthy()
}
