package deliveries_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

func TestReplay_SendsWhatHappenedBeforeTheEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	first := b.Endpoint()
	b.SendTests(first, 1)
	b.Write(b.Call, func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false)
		return err
	})
	all, some := b.Endpoint(), b.Endpoint("WORKFLOW_COMPLETED", "WORKFLOW_CREATED")
	step := b.Replayed(all)
	require.Equal(t, domain.ReplayCompleted, step.State)
	require.Equal(t, []int64{4, 4}, []int64{step.Done, *step.Total})
	require.NotNil(t, step.EndedAt)
	require.Equal(t, []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED", "WEBHOOK_KEY_ACTIVATED", "WORKFLOW_COMPLETED"}, b.EventTypes(all), "in their order, and no test of another endpoint")
	b.Replayed(some)
	require.Equal(t, []string{"WORKFLOW_CREATED", "WORKFLOW_COMPLETED"}, b.EventTypes(some))
	attempts := b.Claim()
	replays := 0
	for _, a := range attempts {
		require.Equal(t, a.EndpointID != first.ID, a.Event.Replay)
		if a.Event.Replay {
			replays++
			require.Equal(t, 1, a.Number)
		}
		b.End(a, 200)
	}
	require.Equal(t, 6, replays)

	// Once more: what was delivered goes out again, and says so.
	b.Replayed(some, "WORKFLOW_COMPLETED")
	attempts = b.ClaimForRun(some).Attempts
	require.Len(t, attempts, 1)
	require.True(t, attempts[0].Event.Replay)
	require.Equal(t, 2, attempts[0].Number)
	step = b.Replayed(some, "WORKFLOW_COMPLETED")
	require.Equal(t, int64(1), step.Done, "it is on its way")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'RETRYING'`, some.ID))
}

func TestReplay_ToAHeldEndpoint(t *testing.T) {
	b := setup(t)
	e := b.Endpoint() // and no key
	b.Replayed(e)
	require.Equal(t, 2, b.CountIn(delivery.Held))
	b.ActiveKey()
	require.Len(t, b.Claim(), 3, "with the event of the key")
}

func TestReplay_GoesOnWhereAStepEnded(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	ids := make([]id.UUID, 5000)
	for i := range ids {
		ids[i] = id.New()
	}
	require.NoError(t, b.Exec(`
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT id, $2, 'WEBHOOK_KEY_ACTIVATED', $3, 'u', 'SYSTEM', '{}' FROM unnest($1::uuid[]) id`, ids, b.Account.ID, b.Now()))
	e := b.Endpoint("WEBHOOK_KEY_ACTIVATED")
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)
	var progress []int64
	for range 4 {
		step, err := b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, int64(5001), *step.Total)
		progress = append(progress, step.Done)
	}
	require.Equal(t, []int64{1998, 3998, 5001, 5001}, progress, "2000 events at a time, two of another type before them; a step too many changes nothing")
	require.Equal(t, 5001, b.Count(`SELECT count(DISTINCT event_id) FROM webhook_delivery WHERE endpoint_id = $1 AND replay AND state = 'PENDING'`, e.ID))
	found, err := b.Store.Records(b.Call.Scope).Webhooks.Replayed(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayCompleted, found.State)
}

func TestReplay_WaitsWhileTooMuchWaits(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.Endpoint()
	e := b.Endpoint()
	b.fill(e, deliveries.WaitingCounted)
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)
	step, err := b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, deliveries.WaitingCounted, step.Waiting)
	require.Zero(t, step.Done)
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'DELIVERED', next_attempt_at = NULL`))
	step, err = b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Zero(t, step.Waiting)
	require.Positive(t, step.Done)

	bounded := server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Now: b.Now, Quotas: store.Quotas{Waiting: 1}, Connections: db.Connections{Max: 3}})
	other := b.Endpoint()
	run, err = b.Replay(domain.ReplayRequest{ConfigID: other.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)
	step, err = bounded.Deliveries.Replays.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, 1, step.Waiting, "the account's quota")
	_, err = bounded.Write(t.Context(), b.Call, func(r *store.Records) (any, error) {
		return r.Webhooks.Replay(t.Context(), domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour)})
	})
	require.Equal(t, refusal.WaitingLimitExceeded, pgtest.Refused(t, err).SubCode)
}

func TestReplay_Refusals(t *testing.T) {
	b := setup(t)
	e := b.Endpoint("WORKFLOW_CREATED")
	since := b.Now().Add(-time.Hour)
	_, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since, EventTypes: []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED"}})
	require.Contains(t, string(pgtest.Refused(t, err).Details), "event_types[1]")
	_, err = b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(time.Hour)})
	require.Contains(t, string(pgtest.Refused(t, err).Details), "since")
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since})
	require.NoError(t, err)
	_, err = b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since})
	require.Equal(t, refusal.ReplayInProgress, pgtest.Refused(t, err).SubCode)

	// Its run is started, and again when nothing has come of it.
	start := func() int {
		list, err := b.Store.LongRuns.ToStart(t.Context(), 10)
		require.NoError(t, err)
		return len(list)
	}
	b.awaitStart()
	require.Zero(t, start())
	b.Pass(time.Minute)
	require.Equal(t, 1, start())
	require.NoError(t, b.Exec(`UPDATE webhook_replay SET begun = '9000000000000000000'`)) // the database was restored to another server
	b.Pass(time.Minute)
	require.Equal(t, 1, start())
	found, err := b.Store.Records(b.Call.Scope).Webhooks.Replayed(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayRunning, found.State)
	_, other := b.NewAccount("other", "UTC")
	_, err = b.Store.Records(other.Scope).Webhooks.Replayed(t.Context(), run)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	b.deleteEndpoint(e)
	step, err := b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayCanceled, step.State)
	b.Pass(time.Hour)
	require.Zero(t, start())
}

func TestReplay_SendsNoNoticeAboutItsOwnEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint(pgtest.NoticeTypes()...)
	b.failEndpoint(e)
	b.Replayed(e)
	require.Empty(t, b.Count(`SELECT count(*) FROM webhook_delivery WHERE replay`))
	watching := b.Endpoint(pgtest.NoticeTypes()...)
	b.Replayed(watching)
	kinds, _ := b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_FAILING"}, kinds)
}

// TestReplay_CountsEachOfVeryManyEventsOnce: the count reads a hundred thousand
// events, and a step two thousand.
func TestReplay_CountsEachOfVeryManyEventsOnce(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint("WORKFLOW_COMPLETED")
	const others, perStep = 100_001, 2000
	ids := make([]id.UUID, others)
	for i := range ids {
		ids[i] = id.New()
	}
	require.NoError(t, b.Exec(`
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT id, $2, 'WEBHOOK_KEY_ACTIVATED', $3, 'u', 'SYSTEM', '{}' FROM unnest($1::uuid[]) id`, ids, b.Account.ID, b.Now()))
	require.NoError(t, b.Exec(`ANALYZE webhook_event`))
	noted := &pgtest.Spy{}
	store := server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Now: b.Now, Tracer: noted})
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)
	for range 4 {
		step, err := store.Deliveries.Replays.ReplaySome(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, domain.ReplayRunning, step.State)
		require.Nil(t, step.Total, "too many to count")
		require.Zero(t, step.Done, "none of them is wanted")
	}
	counts, looks := 0, 0
	for _, statement := range noted.Sent {
		switch {
		case strings.Contains(statement.SQL, "FILTER (WHERE w.wanted)"):
			counts++
		case strings.Contains(statement.SQL, "AS notice"):
			looks++
			read := b.RowsRead(statement, "webhook_event")
			require.Positive(t, read)
			require.LessOrEqual(t, read, perStep+1.0, "a step reads what it looks at")
		}
	}
	require.Equal(t, []int{1, 4}, []int{counts, looks})
}
