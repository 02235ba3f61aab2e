package postgres_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/delivery"
)

func (b *bundle) replay(in domain.ReplayRequest) (run id.RunID, err error) {
	err = b.try(b.call, func(r *postgres.Records) error {
		run, err = r.Replay(b.Context(), in)
		return err
	})
	return run, err
}

// replayed replays everything of the last hour, to the end.
func (b *bundle) replayed(e domain.Endpoint, types ...string) domain.ReplayStep {
	b.Helper()
	run, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(-time.Hour), EventTypes: types})
	require.NoError(b, err)
	for {
		step, err := b.store.Deliveries().ReplaySome(b.Context(), run)
		require.NoError(b, err)
		if step.State != domain.ReplayRunning {
			return step
		}
	}
}

func (b *bundle) owed(e domain.Endpoint) (types []string) {
	b.Helper()
	rows, err := b.pool().Query(b.Context(), `SELECT v.event_type FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE d.endpoint_id = $1 ORDER BY d.id`, e.ID)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var kind string
		require.NoError(b, rows.Scan(&kind))
		types = append(types, kind)
	}
	require.NoError(b, rows.Err())
	return types
}

func TestAnEndpointGetsWhatHappenedBeforeIt(t *testing.T) {
	b := setup(t)
	b.activeKey()
	first := b.endpoint()
	b.owe(first, 1)
	b.write(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), b.workflow.WireID()) })
	all, some := b.endpoint(), b.endpoint("WORKFLOW_COMPLETED", "WORKFLOW_CREATED")
	step := b.replayed(all)
	require.Equal(t, domain.ReplayCompleted, step.State)
	require.Equal(t, []int64{4, 4}, []int64{step.Done, *step.Total})
	require.NotNil(t, step.EndedAt)
	require.Equal(t, []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED", "WEBHOOK_KEY_ACTIVATED", "WORKFLOW_COMPLETED"}, b.owed(all), "in their order, and no test of another endpoint")
	b.replayed(some)
	require.Equal(t, []string{"WORKFLOW_CREATED", "WORKFLOW_COMPLETED"}, b.owed(some))
	attempts := b.claim()
	replays := 0
	for _, a := range attempts {
		require.Equal(t, a.EndpointID != first.ID, a.Event.Replay)
		if a.Event.Replay {
			replays++
			require.Equal(t, 1, a.Number)
		}
		b.end(a, 200)
	}
	require.Equal(t, 6, replays)

	// Once more: what was delivered goes out again, and says so.
	b.replayed(some, "WORKFLOW_COMPLETED")
	attempts = b.look(some).Attempts
	require.Len(t, attempts, 1)
	require.True(t, attempts[0].Event.Replay)
	require.Equal(t, 2, attempts[0].Number)
	step = b.replayed(some, "WORKFLOW_COMPLETED")
	require.Equal(t, int64(1), step.Done, "it is on its way")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'RETRYING'`, some.ID))
}

func TestAReplayToAnEndpointThatIsHeld(t *testing.T) {
	b := setup(t)
	e := b.endpoint() // and no key
	b.replayed(e)
	require.Equal(t, 2, b.states(delivery.Held))
	b.activeKey()
	require.Len(t, b.claim(), 3, "with the event of the key")
}

func TestAReplayGoesOnWhereAStepEnded(t *testing.T) {
	b := setup(t)
	b.activeKey()
	ids := make([]uuid.UUID, 5000)
	for i := range ids {
		ids[i] = id.New()
	}
	require.NoError(t, b.exec(`
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT id, $2, 'WEBHOOK_KEY_ACTIVATED', $3, 'u', 'SYSTEM', '{}' FROM unnest($1::uuid[]) id`, ids, b.account.ID, b.now()))
	e := b.endpoint("WEBHOOK_KEY_ACTIVATED")
	run, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(-time.Hour)})
	require.NoError(t, err)
	var progress []int64
	for range 4 {
		step, err := b.store.Deliveries().ReplaySome(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, int64(5001), *step.Total)
		progress = append(progress, step.Done)
	}
	require.Equal(t, []int64{1998, 3998, 5001, 5001}, progress, "2000 events at a time, two of another type before them; a step too many changes nothing")
	require.Equal(t, 5001, b.count(`SELECT count(DISTINCT event_id) FROM webhook_delivery WHERE endpoint_id = $1 AND replay AND state = 'PENDING'`, e.ID))
	found, err := b.store.Records(b.call.Scope).Replayed(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayCompleted, found.State)
}

func TestAReplayWaitsWhileTooMuchWaits(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.endpoint()
	e := b.endpoint()
	b.fill(e, deliveries.WaitingCounted)
	run, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(-time.Hour)})
	require.NoError(t, err)
	step, err := b.store.Deliveries().ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, deliveries.WaitingCounted, step.Waiting)
	require.Zero(t, step.Done)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'DELIVERED', next_attempt_at = NULL`))
	step, err = b.store.Deliveries().ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Zero(t, step.Waiting)
	require.Positive(t, step.Done)

	bounded := server.Open(t, pgtest.As(b.url, pgtest.Serving), nil, postgres.Options{Now: b.now, Quotas: postgres.Quotas{Waiting: 1}, Connections: db.Connections{Max: 3}})
	other := b.endpoint()
	run, err = b.replay(domain.ReplayRequest{ConfigID: other.WireID(), Since: b.now().Add(-time.Hour)})
	require.NoError(t, err)
	step, err = bounded.Deliveries().ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, 1, step.Waiting, "the account's quota")
	_, err = bounded.Write(t.Context(), b.call, func(r *postgres.Records) (any, error) {
		return r.Replay(t.Context(), domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(-time.Hour)})
	})
	require.Equal(t, refusal.WaitingLimitExceeded, refused(t, err).SubCode)
}

func TestWhatAReplayRefuses(t *testing.T) {
	b := setup(t)
	e := b.endpoint("WORKFLOW_CREATED")
	since := b.now().Add(-time.Hour)
	_, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since, EventTypes: []string{"WORKFLOW_CREATED", "WORKFLOW_STARTED"}})
	require.Contains(t, string(refused(t, err).Details), "event_types[1]")
	_, err = b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(time.Hour)})
	require.Contains(t, string(refused(t, err).Details), "since")
	run, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since})
	require.NoError(t, err)
	_, err = b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: since})
	require.Equal(t, refusal.ReplayInProgress, refused(t, err).SubCode)

	// Its run is started, and again when nothing has come of it.
	start := func() int {
		list, err := b.store.Deliveries().ReplaysToStart(t.Context(), 10)
		require.NoError(t, err)
		return len(list)
	}
	require.Equal(t, 1, start())
	require.Zero(t, start())
	b.pass(time.Minute)
	require.Equal(t, 1, start())
	found, err := b.store.Records(b.call.Scope).Replayed(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayRunning, found.State)
	_, other := b.newAccount("other", "UTC")
	_, err = b.store.Records(other.Scope).Replayed(t.Context(), run)
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
	b.deleteEndpoint(e)
	step, err := b.store.Deliveries().ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.ReplayCanceled, step.State)
	b.pass(time.Hour)
	require.Zero(t, start())
}

func TestNoNoticeAboutAnEndpointIsReplayedToIt(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint(noticeTypes()...)
	b.fail(e)
	b.replayed(e)
	require.Empty(t, b.count(`SELECT count(*) FROM webhook_delivery WHERE replay`))
	watching := b.endpoint(noticeTypes()...)
	b.replayed(watching)
	kinds, _ := b.told(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_FAILING"}, kinds)
}

// TestAReplayAmongVeryManyEventsCountsThemOnce: the count reads a hundred thousand
// events, and a step two thousand.
func TestAReplayAmongVeryManyEventsCountsThemOnce(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint("WORKFLOW_COMPLETED")
	const others, perStep = 100_001, 2000
	ids := make([]uuid.UUID, others)
	for i := range ids {
		ids[i] = id.New()
	}
	require.NoError(t, b.exec(`
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT id, $2, 'WEBHOOK_KEY_ACTIVATED', $3, 'u', 'SYSTEM', '{}' FROM unnest($1::uuid[]) id`, ids, b.account.ID, b.now()))
	require.NoError(t, b.exec(`ANALYZE webhook_event`))
	noted := &spy{}
	store := server.Open(t, pgtest.As(b.url, pgtest.Serving), nil, postgres.Options{Now: b.now, Tracer: noted})
	run, err := b.replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.now().Add(-time.Hour)})
	require.NoError(t, err)
	for range 4 {
		step, err := store.Deliveries().ReplaySome(t.Context(), run)
		require.NoError(t, err)
		require.Equal(t, domain.ReplayRunning, step.State)
		require.Nil(t, step.Total, "too many to count")
		require.Zero(t, step.Done, "none of them is wanted")
	}
	counts, looks := 0, 0
	for _, statement := range noted.sent {
		switch {
		case strings.Contains(statement.SQL, "FILTER (WHERE w.wanted)"):
			counts++
		case strings.Contains(statement.SQL, "AS notice"):
			looks++
			read := b.rowsRead(statement, "webhook_event")
			require.Positive(t, read)
			require.LessOrEqual(t, read, perStep+1.0, "a step reads what it looks at")
		}
	}
	require.Equal(t, []int{1, 4}, []int{counts, looks})
}

// rowsRead is how many rows of a table a statement reads, those included that it
// then leaves out.
func (b *bundle) rowsRead(q pgx.QueuedQuery, table string) (rows float64) {
	b.Helper()
	var text []byte
	require.NoError(b, b.pool().QueryRow(b.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+q.SQL, q.Arguments...).Scan(&text))
	type node struct {
		Relation string  `json:"Relation Name"`
		Rows     float64 `json:"Actual Rows"`
		Loops    float64 `json:"Actual Loops"`
		Removed  float64 `json:"Rows Removed by Filter"`
		Plans    []node
	}
	var plans []struct{ Plan node }
	require.NoError(b, json.Unmarshal(text, &plans))
	var add func(node)
	add = func(n node) {
		if n.Relation == table {
			rows += (n.Rows + n.Removed) * n.Loops
		}
		for _, inner := range n.Plans {
			add(inner)
		}
	}
	add(plans[0].Plan)
	return rows
}
