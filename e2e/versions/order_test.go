//go:build deep

package versions_test

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
	"requisite/e2e/parts"
	"requisite/internal/id"
)

// nextRelease is how the next release may differ: an endpoint's run in any way, because it
// stays on its version; a calculation and a session behind workflow.GetVersion, with the
// change not active yet.
func nextRelease() []parts.Edit {
	step := "\tif workflow.GetVersion(ctx, \"next\", workflow.DefaultVersion, 1) == 1 {\n\t\t_ = workflow.Sleep(ctx, 1000)\n\t}\n"
	return []parts.Edit{
		incompatible,
		{File: "workflows/calculate.go", From: "\tvar why string\n", To: step + "\tvar why string\n"},
		{File: "workflows/webhooks.go", From: "\tvar sent, rest sending.Sent\n", To: step + "\tvar sent, rest sending.Sent\n"},
	}
}

// TestFirstWorker_BecomesCurrentByItself, and an endpoint's run goes on it, also one that
// began before.
func TestFirstWorker_BecomesCurrentByItself(t *testing.T) {
	s := newStack(t, parts.Shared(t))
	k := s.sink()
	s.Must(t, "webhook.config.test", parts.Object{"config_id": k.ID}, nil)
	s.Poll(t, "the endpoint's run does not try", func(ctx context.Context) (bool, error) {
		described, err := s.c.DescribeWorkflowExecution(ctx, k.ID, "")
		return len(described.GetPendingActivities()) > 0, err
	})
	list := s.deploy("list")
	require.Contains(t, list, "CURRENT")
	require.NotContains(t, list, "unknown")
	s.nothingIsLost([]*sink{k}, 1, 0)
	s.noTaskFailed()
}

// TestUpgradesInEitherOrder holds what is promised from 1.0 on: the api and the worker may
// be upgraded and rolled back in either order across one release, with calculations,
// sessions and endpoints' runs in flight. Here the next release is a changed build of this one.
func TestUpgradesInEitherOrder(t *testing.T) {
	next := parts.NewPrograms(t).Changed(t, "next", nextRelease()...)
	t.Run("the api first", func(t *testing.T) { upgrade(t, next, "api", "worker") })
	t.Run("the worker first", func(t *testing.T) { upgrade(t, next, "worker", "api") })
}

// upgrade upgrades the programs to those in the directory next in this order, and
// rolls them back in the same.
func upgrade(t *testing.T, next, first, second string) {
	on := parts.Shared(t)
	build := func(dir string, id string) parts.Build {
		return parts.Build{Dir: dir, Env: []string{"REQUISITE_BUILD_ID=" + id, "REQUISITE_MAKE_CURRENT=start"}}
	}
	this, that := build("", "this"), build(next, "next")
	on.API.Stop(t)
	on.Worker.Stop(t)
	on.Builds = map[string]parts.Build{"api": this, "worker": this}
	on.StartPrograms(t)
	s := newStack(t, on)
	w := s.Application(t)
	failing := s.sink()
	s.Must(t, "webhook.config.test", parts.Object{"config_id": failing.ID}, nil)
	s.awaitOn([]*sink{failing}, "the endpoint has no run", all("this", 1))

	// A receiver that holds attempts, so that a session is in flight.
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
	s.Must(t, "webhook.config.create", parts.Object{"account_id": s.AccountID, "config": parts.Object{"url": slow.URL, "event_types": []string{"WEBHOOK_TEST"}}}, &struct {
		ID *string `json:"config_id"`
	}{&config})

	// swap replaces one program while a calculation and a session are in flight. Requests
	// that meet no api are repeated with their keys.
	swap := func(name string, with parts.Build) {
		t.Helper()
		mayEnd := make(chan struct{})
		end := sync.OnceFunc(func() { close(mayEnd) })
		defer end()
		holds.Store(&mayEnd)
		before := held.Load()
		s.Must(t, "webhook.config.test", parts.Object{"config_id": config}, nil)
		s.Poll(t, "no session sends", func(context.Context) (bool, error) { return held.Load() > before, nil })
		release := s.Hold(t, `SELECT FROM workflow FOR UPDATE`)
		key := fmt.Sprint("in-flight-", id.New())
		answered := s.InBackground("workflow.requiredDocument.calculate", w, requisite.IdempotencyKey(key))
		s.Poll(t, "no calculation is in flight", func(ctx context.Context) (bool, error) {
			var waits int
			err := s.Query(ctx, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'requisite-%'`, &waits)
			return waits > 0, err
		})
		program := map[string]*parts.Program{"api": s.API, "worker": s.Worker}[name]
		// The sender finishes its attempts first, so they may end while it stops.
		stopped := make(chan struct{})
		go func() { defer close(stopped); program.Stop(t) }()
		end()
		<-stopped
		s.Builds[name] = with
		endpointOn := "this"
		if s.Builds["worker"].Dir == that.Dir {
			endpointOn = "next"
		}
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
		s.awaitOn([]*sink{failing}, "the endpoint's run is not on version "+endpointOn, all(endpointOn, 1))
	}
	for _, release := range []parts.Build{that, this} {
		for _, program := range []string{first, second} {
			swap(program, release)
		}
	}
	require.EqualValues(t, held.Load(), arrived.Load())
	s.nothingIsLost([]*sink{failing}, 1, arrived.Load())
	s.noTaskFails()
	s.noTaskFailed()
}
