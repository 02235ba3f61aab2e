package pgtest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// The claimers: a session, and the run of an endpoint.
var (
	InSession = domain.CreatedBy{WorkflowID: "send/1", RunID: "session"}
	InRun     = domain.CreatedBy{WorkflowID: "whc_1", RunID: "endpoint", ActivityID: "5"}
)

// Answer is how a receiver answers one attempt.
type Answer struct {
	Status     int
	RetryAfter time.Duration
}

// Endpoint adds an endpoint for some event types. Without types, it takes all events but notices.
func (b *Bundle) Endpoint(types ...string) domain.Endpoint {
	b.Helper()
	var e domain.Endpoint
	url := fmt.Sprintf("https://%d.example/", b.runs.Add(1))
	b.Write(b.Call, func(r *store.Records) (err error) {
		e, err = r.Webhooks.CreateEndpoint(b.Context(), b.Account.WireID(), domain.Endpoint{URL: url, URLKey: url, EventTypes: types})
		return err
	})
	return e
}

// SendTests writes n test events for one endpoint.
func (b *Bundle) SendTests(e domain.Endpoint, n int) {
	b.Helper()
	for range n {
		b.Write(b.Call, func(r *store.Records) error {
			_, err := r.Webhooks.TestEndpoint(b.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	}
}

// Oldest returns the first delivery of an endpoint.
func (b *Bundle) Oldest(e domain.Endpoint) (d id.UUID) {
	b.Helper()
	require.NoError(b, b.Pool().QueryRow(b.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 1`, e.ID).Scan(&d))
	return d
}

// ActiveKey makes a webhook key and activates it.
func (b *Bundle) ActiveKey() {
	b.Helper()
	_, err := b.Activate(b.MustKey().KeyID)
	require.NoError(b, err)
}

// Claim claims as a session does.
func (b *Bundle) Claim() []deliveries.Attempt {
	b.Helper()
	claimed, err := ClaimAs(b.Context(), b.Store, InSession)
	require.NoError(b, err)
	return claimed.Attempts
}

// ClaimAs claims as a session with free slots does.
func ClaimAs(ctx context.Context, store *store.Store, by domain.CreatedBy) (deliveries.Claimed, error) {
	ready, err := store.Deliveries.Claims.LookForReady(ctx, false, nil)
	if err != nil {
		return deliveries.Claimed{}, err
	}
	return store.Deliveries.Claims.Claim(ctx, by, ready, delivery.Share(ready.Endpoints, 200, nil))
}

// ClaimForRun claims as an endpoint's run does.
func (b *Bundle) ClaimForRun(e domain.Endpoint) deliveries.RunClaim {
	b.Helper()
	claimed, err := b.Store.Deliveries.Claims.ForRun(b.Context(), InRun, e.ID, delivery.MaxInFlight, 0)
	require.NoError(b, err)
	return claimed
}

// EndWith ends an attempt with an answer.
func (b *Bundle) EndWith(a deliveries.Attempt, with Answer) deliveries.Next {
	b.Helper()
	next, err := EndAll(b.Context(), b.Store, deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: with.Status, RetryAfter: with.RetryAfter}})
	require.NoError(b, err)
	return next[0]
}

// EndAll ends attempts as a sender does: successes together, and the rest by account. It repeats an
// account whose rows are locked.
func EndAll(ctx context.Context, store *store.Store, ends ...deliveries.AttemptEnd) ([]deliveries.Next, error) {
	nexts, rest, err := store.Deliveries.Ends.EndWithoutWaiting(ctx, ends)
	if err != nil {
		return nil, err
	}
	byAccount := map[id.UUID][]int{}
	for _, i := range rest {
		byAccount[ends[i].AccountID] = append(byAccount[ends[i].AccountID], i)
	}
	for _, group := range byAccount {
		list := make([]deliveries.AttemptEnd, len(group))
		for k, i := range group {
			list[k] = ends[i]
		}
		written, err := UnlessBusy(func() ([]deliveries.Next, error) { return store.Deliveries.Ends.EndAttempts(ctx, list) })
		if err != nil {
			return nil, err
		}
		for k, i := range group {
			nexts[i] = written[k]
		}
	}
	return nexts, nil
}

// UnlessBusy repeats do while another transaction is in its way.
func UnlessBusy[T any](do func() (T, error)) (T, error) {
	for {
		value, err := do()
		if !db.Busy(err) {
			return value, err
		}
	}
}

// End ends an attempt with a status code.
func (b *Bundle) End(a deliveries.Attempt, status int) deliveries.Next {
	b.Helper()
	return b.EndWith(a, Answer{Status: status})
}

// WithStatus returns a change of an endpoint's status.
func WithStatus(status domain.EndpointStatus) func(*domain.Endpoint) {
	return func(e *domain.Endpoint) { e.Status = status }
}

// Flush makes all open deliveries of an endpoint due.
func (b *Bundle) Flush(e domain.Endpoint) (count int) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) (err error) {
		count, _, err = r.Webhooks.FlushEndpoint(b.Context(), e.WireID())
		return err
	})
	return count
}

// StateOf returns the state of a delivery that callers see.
func (b *Bundle) StateOf(d id.UUID) (state delivery.State) {
	b.Helper()
	require.NoError(b, b.Pool().QueryRow(b.Context(), `SELECT state FROM webhook_delivery_shown WHERE id = $1`, d).Scan(&state))
	return state
}

// CountIn counts the deliveries that callers see in a state.
func (b *Bundle) CountIn(state delivery.State) int {
	return b.Count(`SELECT count(*) FROM webhook_delivery_shown WHERE state = $1`, state)
}

// Now is the store's time. It moves only when the test moves it.
func (b *Bundle) Now() time.Time { return b.Began.Add(time.Duration(b.Clock.Load())) }

// Pass moves the store's clock.
func (b *Bundle) Pass(d time.Duration) { b.Clock.Add(int64(d)) }

// NewKey makes a webhook key in a run.
func (b *Bundle) NewKey(run domain.Run) (domain.CreatedKey, error) {
	return b.Store.WebhookKeys.Create(b.Context(), run, b.Account.WireID())
}

// MustKey makes a webhook key.
func (b *Bundle) MustKey() domain.CreatedKey {
	b.Helper()
	made, err := b.NewKey(b.Run())
	require.NoError(b, err)
	return made
}

// Activate makes a webhook key the active one.
func (b *Bundle) Activate(keyID string) (domain.ActivatedKey, error) {
	return b.Store.WebhookKeys.Activate(b.Context(), b.Run(), b.Account.WireID(), keyID)
}

// Notices lists an endpoint's notices, oldest first, with their content.
func (b *Bundle) Notices(e domain.Endpoint) (types []string, contents []map[string]any) {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `
		SELECT v.event_type, v.fields FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
		WHERE d.endpoint_id = $1 AND d.of_notice ORDER BY d.id`, e.ID)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var kind string
		var fields json.RawMessage
		require.NoError(b, rows.Scan(&kind, &fields))
		content := map[string]any{}
		require.NoError(b, json.Unmarshal(fields, &content))
		types, contents = append(types, kind), append(contents, content)
	}
	require.NoError(b, rows.Err())
	return types, contents
}

// NoticeTypes lists the types of notices, by the names that endpoints use.
func NoticeTypes() (list []string) {
	for _, n := range delivery.NoticeTypes() {
		list = append(list, string(n))
	}
	return list
}

// Replay begins a replay.
func (b *Bundle) Replay(in domain.ReplayRequest) (run id.RunID, err error) {
	err = b.Try(b.Call, func(r *store.Records) error {
		run, err = r.Webhooks.Replay(b.Context(), in)
		return err
	})
	return run, err
}

// Replayed replays all events of the last hour to an endpoint, to the end.
func (b *Bundle) Replayed(e domain.Endpoint, types ...string) domain.ReplayStep {
	b.Helper()
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour), EventTypes: types})
	require.NoError(b, err)
	for {
		step, err := b.Store.Deliveries.Replays.ReplaySome(b.Context(), run)
		require.NoError(b, err)
		if step.State != domain.ReplayRunning {
			return step
		}
	}
}

// EventTypes lists the types of an endpoint's events, in the order of their deliveries.
func (b *Bundle) EventTypes(e domain.Endpoint) (types []string) {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `
		SELECT v.event_type
		FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
		WHERE d.endpoint_id = $1
		ORDER BY d.id`,
		e.ID)
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

// RowsRead returns how many rows of a table a statement reads, including rows that it then filters
// out.
func (b *Bundle) RowsRead(q pgx.QueuedQuery, table string) (rows float64) {
	b.Helper()
	var text []byte
	require.NoError(b, b.Pool().QueryRow(b.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+q.SQL, q.Arguments...).Scan(&text))
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

// LastOf returns the last delivery of an endpoint.
func (b *Bundle) LastOf(e domain.Endpoint) (d id.UUID) {
	b.Helper()
	require.NoError(b, b.Pool().QueryRow(b.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1`, e.ID).Scan(&d))
	return d
}
