package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"requisite/internal/localpostgres"
	"requisite/internal/testkit/await"
)

// Await waits until the check returns nil. The error of the check says what is missing. The
// test fails if a process of the stack ends by itself.
func (s *Stack) Await(t testing.TB, what string, check func(context.Context) error) {
	t.Helper()
	await.True(t, what, check, s.Running()...)
}

// Poll waits until the question returns true. complaint says what is wrong until then.
func (s *Stack) Poll(t testing.TB, complaint string, question func(context.Context) (bool, error)) {
	t.Helper()
	s.Await(t, "this to change: "+complaint, func(ctx context.Context) error {
		yes, err := question(ctx)
		if yes {
			return nil
		}
		if err == nil {
			err = errors.New(complaint)
		}
		return err
	})
}

// Running returns the processes that no test has ended, for waits.
func (s *Stack) Running() (list []await.Process) {
	for _, p := range []*Program{s.API, s.Worker, s.Devstack} {
		if p != nil && !p.asked.Load() {
			list = append(list, p.process())
		}
	}
	if s.postgres != nil && !s.postgres.asked.Load() {
		list = append(list, await.Process{Name: "Postgres", Ended: s.postgres.failed, Log: filepath.Join(s.Dir, "postgres.log")})
	}
	return list
}

// showLogsOf prints the ends of the programs' logs when a test has failed.
func (s *Stack) showLogsOf(t testing.TB) {
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		for _, name := range []string{"api", "worker"} {
			log, err := os.ReadFile(filepath.Join(s.Dir, name+".log"))
			if err == nil {
				t.Logf("the end of %s's log:\n%s", name, log[max(0, len(log)-4000):])
			}
		}
	})
}

// server is a Postgres that distinguishes a crash from a stop by a test.
type server struct {
	*localpostgres.Server
	asked  atomic.Bool
	failed chan struct{} // closed when it has ended by itself
}

func watch(started *localpostgres.Server) *server {
	s := &server{Server: started, failed: make(chan struct{})}
	go func() {
		<-s.Done()
		if !s.asked.Load() {
			close(s.failed)
		}
	}()
	return s
}

// Stop stops the server.
func (s *server) Stop() error {
	s.asked.Store(true)
	return s.Server.Stop()
}
