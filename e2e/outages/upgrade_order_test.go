//go:build deep

package outages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/id"
)

// TestUpgrade_WorksInEitherOrder: operators may upgrade and roll back the api and the worker
// in either order across one release, with calculations, sessions and endpoints'
// runs in flight. One of the runs waits for an hour. The next release here is a changed
// build of this one.
func TestUpgrade_WorksInEitherOrder(t *testing.T) {
	next := harness.Changed(t, "next", harness.NextRelease()...)
	t.Run("the api first", func(t *testing.T) { upgrade(t, next, "api", "worker") })
	t.Run("the worker first", func(t *testing.T) { upgrade(t, next, "worker", "api") })
}

// upgrade upgrades the programs in this order, and rolls them back in the same order. next
// is the directory of the new programs.
func upgrade(t *testing.T, next, first, second string) {
	on := harness.Shared(t)
	this, that := harness.Build{}, harness.Build{Dir: next}
	on.API.Stop(t)
	on.Worker.Stop(t)
	on.Builds = map[string]harness.Build{"api": this, "worker": this}
	on.StartPrograms(t)
	s := newMixed(t, on)
	w := s.Application(t)
	failing, waiting := s.sink(), s.sink()
	runs := map[*sink]string{failing: s.fail(failing), waiting: s.fail(waiting)}

	// A receiver that delays its responses, so that a session is in flight.
	var holds atomic.Pointer[chan struct{}]
	open := make(chan struct{})
	close(open)
	holds.Store(&open)
	var held, arrived atomic.Int64
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		held.Add(1)
		<-*holds.Load()
		arrived.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(slow.Close)
	var config string
	s.Must(t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": slow.URL, "event_types": []string{"WEBHOOK_TEST"}}}, &struct {
		ID *string `json:"config_id"`
	}{&config})

	// swap replaces one program while a calculation and a session are in flight. It
	// repeats requests that reach no api.
	swap := func(name string, with harness.Build) {
		t.Helper()
		mayEnd := make(chan struct{})
		end := sync.OnceFunc(func() { close(mayEnd) })
		defer end()
		holds.Store(&mayEnd)
		before := held.Load()
		s.Must(t, "webhook.config.test", harness.Object{"config_id": config}, nil)
		s.Poll(t, "no session sends", func(context.Context) (bool, error) { return held.Load() > before, nil })
		release := s.Hold(t, `SELECT FROM workflow FOR UPDATE`)
		key := fmt.Sprint("in-flight-", id.New())
		answered := s.InBackground("workflow.requiredDocument.calculate", w, requisite.IdempotencyKey(key))
		s.Poll(t, "no calculation is in flight", func(ctx context.Context) (bool, error) {
			var waits int
			err := s.Query(ctx, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'requisite-%'`, &waits)
			return waits > 0, err
		})
		program := map[string]*harness.Program{"api": s.API, "worker": s.Worker}[name]
		// A worker finishes its attempts before it stops, so they may end meanwhile.
		stopped := make(chan struct{})
		go func() { defer close(stopped); program.Stop(t) }()
		end()
		<-stopped
		s.Builds[name] = with
		s.StartPrograms(t)
		release()
		<-answered
		s.Eventually(t, "workflow.requiredDocument.calculate", w, requisite.IdempotencyKey(key))
		s.Eventually(t, "workflow.requiredDocument.calculate", w)
		s.Poll(t, "a webhook is lost", func(ctx context.Context) (bool, error) {
			var left int
			err := s.Query(ctx, `SELECT count(*) FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE e.url LIKE '`+slow.URL+`%' AND d.state <> 'DELIVERED'`, &left)
			return left == 0, err
		})
		for k, run := range runs {
			s.Poll(t, "the endpoint's run does not wait", func(ctx context.Context) (bool, error) {
				described, err := harness.Describe(ctx, s.c, k.ID, run)
				return len(described.GetPendingActivities()) > 0, err
			})
		}
	}
	for _, release := range []harness.Build{that, this} {
		for _, program := range []string{first, second} {
			swap(program, release)
		}
	}
	require.EqualValues(t, held.Load(), arrived.Load())
	s.nothingIsLost([]*sink{failing, waiting}, 2, arrived.Load())
	s.noTaskFails()
	s.noTaskFailed()
	s.noRunFailed()
}
