//go:build deep

package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// TestKilledWorker_ResumesAReplay kills the worker before the replay, during its step, and
// repeatedly while it sends. The new endpoint gets every event of its types, and no other
// endpoint gets one.
func TestKilledWorker_ResumesAReplay(t *testing.T) {
	s := newStack(t)
	defer s.explain()
	old := s.sink(nil)
	since := time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	var business struct {
		ID string `json:"business_id"`
	}
	s.Must(t, "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Ltd"}}, &business)
	const workflows, tests = 120, 6
	var all errgroup.Group
	all.SetLimit(8)
	for range workflows {
		all.Go(func() error {
			_, err := harness.Call(t.Context(), s.Client, "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, nil)
			return err
		})
	}
	require.NoError(t, all.Wait())
	old.test(tests)
	old.await("every event", distinct(2*workflows+tests))
	s.awaitAllDelivered() // a kill would repeat open deliveries
	before := old.seen()
	wanted := map[string]int{}
	for _, a := range before {
		if a.EventType == "WORKFLOW_CREATED" || a.EventType == "WORKFLOW_STARTED" {
			wanted[a.ID] = 1
		}
	}
	require.Len(t, wanted, 2*workflows)

	slow := func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(40 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}
	later, bystander := s.sink(slow, "WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WEBHOOK_TEST"), s.sink(nil)
	kill := func() { s.Worker.Kill(t) }
	// The run begins when a worker runs again. The next kill is before the commit of its
	// first step.
	kill()
	started, err := s.Client.WebhookEventReplay(t.Context(), requisite.ReplayRequest{ConfigID: later.ConfigID, Since: since})
	require.NoError(t, err)
	hold := s.Hold(t, `SELECT FROM webhook_endpoint_health FOR UPDATE`)
	s.StartPrograms(t)
	s.Await(t, "a step of the replay that waits for the lock", func(ctx context.Context) error {
		var waiting bool
		err := s.Query(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database())
			AND EXISTS (SELECT FROM webhook_replay WHERE lease > now() AND account_id = $1)`, &waiting, s.AccountKey())
		if err == nil && !waiting {
			err = errors.New("none waits")
		}
		return err
	})
	kill()
	hold()
	replayed := func() requisite.ReplayedData {
		t.Helper()
		found, err := s.Client.WebhookEventReplayed(t.Context(), requisite.RunRequest{RunID: started.Data.RunID})
		require.NoError(t, err)
		return found.Data
	}
	require.Equal(t, "RUNNING", replayed().State)
	require.Zero(t, replayed().Done, "the step has not committed")
	s.StartPrograms(t)
	// After a kill, the worker sends nothing to the endpoint until the lease of the attempts
	// in flight expires. So the second and third kill come right after a start.
	for _, n := range []int{1, 1, 1, workflows} {
		later.await("some of the events", distinct(n))
		kill()
		s.StartPrograms(t)
	}
	later.await("every wanted event", distinct(len(wanted)))
	later.awaitDeliveries(200, "DELIVERED")
	s.awaitAllDelivered()
	var ended requisite.ReplayedData
	s.Await(t, "the end of the replay", func(context.Context) error {
		if ended = replayed(); ended.State == "RUNNING" {
			return fmt.Errorf("%d are done", ended.Done)
		}
		return nil
	})
	require.Equal(t, "COMPLETED", ended.State)
	require.NotNil(t, ended.Total)
	require.Equal(t, []int64{2 * workflows, 2 * workflows}, []int64{ended.Done, *ended.Total})
	require.NotNil(t, ended.EndedAt)

	seen := later.seen()
	require.ElementsMatch(t, slices.Collect(maps.Keys(wanted)), slices.Collect(maps.Keys(ids(seen))), "every wanted event, and no test of another endpoint")
	for _, a := range seen {
		require.True(t, a.Replay)
	}
	require.Empty(t, bystander.seen())
	require.Equal(t, ids(before), ids(old.seen()), "the other endpoint gets no event again")
	for _, a := range old.seen() {
		require.False(t, a.Replay)
	}
	var marked int
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_delivery WHERE replay AND account_id = $1`, &marked, s.AccountKey()))
	require.Equal(t, 2*workflows, marked)
	t.Logf("%d events, %d arrivals", len(wanted), len(seen))
}
