package deliveries_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// other opens a transaction beside the store, with every right.
func (b *bundle) other() pgx.Tx {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.URL)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close(context.WithoutCancel(b.Context())) })
	tx, err := conn.Begin(b.Context())
	require.NoError(b, err)
	return tx
}

func TestEnabling_MakesEverythingDueOldestFirst(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 2)
	failed := b.Claim()
	for _, a := range failed {
		b.EndWith(a, pgtest.Answer{Status: 429, RetryAfter: time.Hour})
		b.Pass(time.Second)
	}
	var written []id.UUID
	for range delivery.MaxInFlight + 2 {
		b.SendTests(e, 1)
		written = append(written, b.LastOf(e))
		b.Pass(time.Second)
	}
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	require.Equal(t, len(written)+2, b.CountIn(delivery.Held))
	b.Pass(7 * 24 * time.Hour)
	b.reconcile()
	b.tidy()
	require.Empty(t, b.Claim())
	require.Empty(t, b.ClaimForRun(e).Attempts)

	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Zero(t, b.CountIn(delivery.Held))
	retried := b.ClaimForRun(e)
	require.Equal(t, deliveriesOf(failed), deliveriesOf(retried.Attempts), "although their backoff lay ahead")
	first := b.Claim()
	require.Equal(t, written[:delivery.MaxInFlight-2], deliveriesOf(first), "the oldest, and ten in flight with the others")
	require.Empty(t, b.Claim())
	for _, a := range append(retried.Attempts, first...) {
		b.End(a, 200)
	}
	require.Equal(t, written[delivery.MaxInFlight-2:], deliveriesOf(b.Claim()))
}

func TestEnabling_MakesDueWhatFailedWhileItWasDisabled(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	inFlight := b.Claim()[0]
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	next := b.EndWith(inFlight, pgtest.Answer{Status: 503, RetryAfter: time.Hour})
	require.Equal(t, delivery.Held, next.State)
	require.Zero(t, next.At)
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Positive(t, b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`), "its run looks")
	again := b.ClaimForRun(e).Attempts
	require.Len(t, again, 1)
	b.EndWith(again[0], pgtest.Answer{Status: 503, RetryAfter: time.Hour})
	require.Empty(t, b.ClaimForRun(e).Attempts, "from then on it has its own schedule")
	require.Greater(t, b.ClaimForRun(e).In, 50*time.Minute)
}

// TestReplay_SendsAnEventWhoseTransactionWasOpen when the replay was requested, to an endpoint
// that the event's transaction did not see.
func TestReplay_SendsAnEventWhoseTransactionWasOpen(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	writer := b.emitOpen(b.Endpoint(), "WORKFLOW_STARTED")
	e := b.Endpoint("WORKFLOW_STARTED")
	run, err := b.Replay(domain.ReplayRequest{ConfigID: e.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)
	list, err := b.Store.LongRuns.ToStart(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, list, "it waits for the writer")
	require.NoError(t, writer.Commit(t.Context()))
	b.awaitStart()
	step, err := b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
	require.NoError(t, err)
	require.EqualValues(t, 2, step.Done, "with that of the workflow")
}

// awaitStart waits until the run of one replay is to be started: also other tests' transactions
// may have been open when it was requested.
func (b *bundle) awaitStart() {
	b.Helper()
	await.True(b, "the replay to start", func(ctx context.Context) error {
		list, err := b.Store.LongRuns.ToStart(ctx, 10)
		if err == nil && len(list) != 1 {
			err = fmt.Errorf("%d replays", len(list))
		}
		return err
	})
}

// TestErase_DropsAnswersToAReplayBesideIt: the erasure has marked the events and looked for
// deliveries; a replay adds one, which is answered.
func TestErase_DropsAnswersToAReplayBesideIt(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	first, second := b.Endpoint("WORKFLOW_COMPLETED"), b.Endpoint("WEBHOOK_TEST", "WORKFLOW_COMPLETED")
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET event_types = '{WEBHOOK_TEST}' WHERE id = $1`, second.ID))
	b.Write(b.Call, func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false)
		return err
	})
	body := "it names somebody"
	answer := func(a deliveries.Attempt) {
		_, err := pgtest.EndAll(t.Context(), b.Store, deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: 200, Body: body}})
		require.NoError(t, err)
	}
	answer(b.Claim()[0])
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET event_types = '{WORKFLOW_COMPLETED}' WHERE id = $1`, second.ID))
	run, err := b.Replay(domain.ReplayRequest{ConfigID: second.WireID(), Since: b.Now().Add(-time.Hour)})
	require.NoError(t, err)

	holder := b.other()
	_, err = holder.Exec(t.Context(), `SELECT FROM webhook_attempt WHERE endpoint_id = $1 FOR UPDATE`, first.ID)
	require.NoError(t, err)
	erased, stepped := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)
		erased <- err
	}()
	b.AwaitLock("the erasure")
	go func() {
		_, err := b.Store.Deliveries.Replays.ReplaySome(t.Context(), run)
		stepped <- err
	}()
	b.AwaitLocks(2, "the replay")
	require.NoError(t, holder.Rollback(t.Context()))
	require.NoError(t, await.Next(t, "the erasure", erased))
	require.NoError(t, await.Next(t, "the replay", stepped))
	again := b.Claim()
	require.Len(t, again, 1)
	answer(again[0])
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_attempt WHERE response_body <> ''`))
}

// TestDecisions_WaitForNoWriterOfEvents: sixteen writers of one endpoint's events stay open.
func TestDecisions_WaitForNoWriterOfEvents(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1) // its row in webhook_ready is committed
	var open []pgx.Tx
	for range 16 {
		open = append(open, b.emitOpen(e, "WEBHOOK_TEST"))
	}
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	b.Flush(e)
	began := time.Now()
	b.deleteEndpoint(e)
	t.Logf("deleting an endpoint beside 16 open writers took %s", time.Since(began))
	for _, tx := range open {
		require.NoError(t, tx.Commit(t.Context()))
	}
	require.Equal(t, 17, b.CountIn(delivery.Canceled))
	require.Empty(t, b.Claim())
	b.tidy()
	require.Zero(t, b.ready())
	b.reconcile()
	require.Equal(t, 17, b.Count(`SELECT count(*) FROM webhook_delivery WHERE state = 'CANCELED'`))
}

// TestTidying_ForgetsNothing while events are written, sent and delivered without a pause.
func TestTidying_ForgetsNothing(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	l := &loops{t: t, done: make(chan struct{})}
	l.add(func() error { _, err := b.Store.Deliveries.Claims.TidyReady(t.Context(), id.Nil); return err })
	l.add(func() error {
		claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
		for _, a := range claimed.Attempts {
			if err == nil {
				_, err = pgtest.EndAll(t.Context(), b.Store, ended(a, 200))
			}
		}
		return err
	})
	pgtest.AtOnce(3, func(int) {
		for range 60 {
			err := b.Try(b.Call, func(r *store.Records) error {
				_, err := r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	l.stop()
	for len(b.deliverDue(t)) > 0 {
	}
	require.Zero(t, b.CountIn(delivery.Pending))
	require.Zero(t, b.reconcile())
}

// TestTidying_LeavesAWriterThatLostTheRace to make the endpoint ready: its delivery is not
// visible yet.
func TestTidying_LeavesAWriterThatLostTheRace(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	first := b.emitOpen(e, "WEBHOOK_TEST")
	second := make(chan pgx.Tx, 1)
	go func() { second <- b.emitOpen(e, "WEBHOOK_TEST") }()
	b.AwaitLock("the other writer")
	require.NoError(t, first.Commit(t.Context()))
	writer := await.Next(t, "the other writer", second)
	b.End(b.Claim()[0], 200)
	b.tidy()
	require.Equal(t, 1, b.ready())
	require.NoError(t, writer.Commit(t.Context()))
	require.Len(t, b.Claim(), 1)
}

// TestClaim_TakesTurnsBesideOpenWriters, or a busy endpoint would stay first.
func TestClaim_TakesTurnsBesideOpenWriters(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.emitOpen(e, "WEBHOOK_TEST")
	require.Len(t, b.Claim(), 1)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at = $1`, b.Now()))
}

// TestDeletedEndpoint_IsForgotten: its deliveries are CANCELED at once, count nowhere, tell
// nobody, and are pruned.
func TestDeletedEndpoint_IsForgotten(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	b.SendTests(e, 20)
	sending := b.Claim()
	last := sending[0]
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = $2, round_attempts = $2 WHERE id = $1`, last.DeliveryID, delivery.MaxAttempts-1))
	b.deleteEndpoint(e)
	require.Equal(t, 20, b.CountIn(delivery.Canceled))
	for i, status := range []int{500, 200, 410} {
		require.Equal(t, delivery.Canceled, b.End(sending[i], status).State)
		require.Equal(t, delivery.Canceled, b.StateOf(sending[i].DeliveryID))
	}
	require.NoError(t, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), sending[3:4]))
	require.EqualValues(t, 4, b.Store.Deliveries.Outbox.Ended()[delivery.Canceled])
	kinds, _ := b.Notices(watching)
	require.Empty(t, kinds)
	backlog, err := b.Store.Deliveries.Overview.Backlog(t.Context())
	require.NoError(t, err)
	for _, s := range backlog {
		require.Zero(t, s.Count, s.State)
	}
	bounded := server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Now: b.Now, Quotas: store.Quotas{Waiting: 1}, Connections: db.Connections{Max: 3}})
	_, err = bounded.Write(t.Context(), b.Call, func(r *store.Records) (any, error) {
		return r.Webhooks.TestEndpoint(t.Context(), watching.WireID(), domain.WebhookTest)
	})
	require.NoError(t, err, "the account has room")
	require.Zero(t, b.reconcile())
	require.EqualValues(t, 20, b.Store.Deliveries.Outbox.Ended()[delivery.Canceled])
	b.Pass(8 * 24 * time.Hour)
	pruned, err := b.Operator.Upkeep.Prune(t.Context(), store.Retention{Events: time.Hour}, func(domain.Pruned) {}, func(string, error) {})
	require.NoError(t, err)
	require.GreaterOrEqual(t, pruned.Events, int64(20))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, e.ID))
}

func TestHeld_IsNoDelay(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.EndWith(b.Claim()[0], pgtest.Answer{Status: 429, RetryAfter: time.Hour})
	b.SendTests(e, 1)
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	oldest := func(state delivery.State) time.Duration {
		list, err := b.Store.Deliveries.Overview.Backlog(t.Context())
		require.NoError(t, err)
		for _, s := range list {
			if s.State == state {
				return s.Oldest
			}
		}
		t.Fatal(state)
		return 0
	}
	next := func() int { return b.Count(`SELECT count(next_attempt_at) FROM webhook_delivery_shown`) }
	b.Pass(7 * 24 * time.Hour)
	require.Equal(t, 7*24*time.Hour, oldest(delivery.Held))
	require.Zero(t, next(), "none is foreseen")
	require.Zero(t, b.overdue())
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Equal(t, 2, next())
	b.Pass(time.Minute)
	require.Equal(t, []time.Duration{time.Minute, time.Minute}, []time.Duration{oldest(delivery.Pending), oldest(delivery.Retrying)})
	require.Zero(t, b.overdue())
	b.Pass(2 * time.Minute)
	require.EqualValues(t, 2, b.overdue(), "also what its backoff would have put off")
	require.True(t, b.Claim()[0].SendableAt.Equal(b.Now().Add(-3*time.Minute)))
}

// TestUndeliveredDeliveries_AreJoinedWithTheOtherFilters by and.
func TestUndeliveredDeliveries_AreJoinedWithTheOtherFilters(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 2)
	b.End(b.Claim()[0], 200)
	for state, want := range map[delivery.State]int{"": 1, delivery.Pending: 1, delivery.Failed: 0, delivery.Delivered: 0} {
		list, _, err := b.Store.Records(b.Call.Scope).Webhooks.Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{State: state, Undelivered: true}, domain.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, want, state)
	}
	for d, want := range map[id.UUID]int{b.Oldest(e): 0, b.LastOf(e): 1} {
		var event id.UUID
		require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT event_id FROM webhook_delivery WHERE id = $1`, d).Scan(&event))
		list, _, err := b.Store.Records(b.Call.Scope).Webhooks.Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{EventID: id.WebhookEventID{UUID: event}, Undelivered: true}, domain.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, want)
	}
}

// undelivered stands for the filter of that name.
const undelivered delivery.State = "undelivered"

// TestDeliveries_AreListedByTheStateThatIsShown, page by page, in an account and in all of them.
func TestDeliveries_AreListedByTheStateThatIsShown(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	var endpoints []domain.Endpoint
	for i := range 5 {
		e := b.Endpoint()
		b.SendTests(e, 6)
		endpoints = append(endpoints, e)
		states := []string{`'RETRYING', attempt_count = 1`, `'FAILED', next_attempt_at = NULL`, `'DELIVERED', next_attempt_at = NULL`, `'CANCELED', next_attempt_at = NULL`}
		for n, set := range states[:2+i%3] {
			require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = `+set+` WHERE id = (SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id OFFSET $2 LIMIT 1)`, e.ID, n))
		}
	}
	b.update(endpoints[1], pgtest.WithStatus(domain.EndpointDisabled))
	b.update(endpoints[3], pgtest.WithStatus(domain.EndpointDisabled))
	b.deleteEndpoint(endpoints[2])
	b.deleteEndpoint(endpoints[3])
	for _, state := range append(delivery.States(), "", undelivered) {
		for _, only := range []domain.Endpoint{{}, endpoints[1], endpoints[2]} {
			var want []id.UUID
			rows, err := b.Pool().Query(t.Context(), `SELECT id FROM webhook_delivery_shown WHERE (state = $1 OR $1 = '' OR $1 = 'undelivered' AND state IN ('PENDING', 'RETRYING', 'HELD', 'FAILED')) AND ($2 OR endpoint_id = $3) ORDER BY id DESC`, state, only.ID == id.Nil, only.ID)
			require.NoError(t, err)
			want, err = pgx.CollectRows(rows, pgx.RowTo[id.UUID])
			require.NoError(t, err)
			f := delivery.Filter{State: state, Since: b.Now().Add(-time.Hour)}
			if state == undelivered {
				f.State, f.Undelivered = "", true
			}
			if only.ID != id.Nil {
				f.ConfigID = only.WireID()
			}
			for name, list := range map[string]func(domain.Page) ([]delivery.Record, string, error){
				"account": func(p domain.Page) ([]delivery.Record, string, error) {
					return b.Store.Records(b.Call.Scope).Webhooks.Deliveries(t.Context(), b.Account.WireID(), f, p)
				},
				"operator": func(p domain.Page) ([]delivery.Record, string, error) {
					return b.Operator.AllWebhooks.Deliveries(t.Context(), f, p)
				},
			} {
				got := []id.UUID{}
				for p := (domain.Page{Limit: 2}); ; {
					page, next, err := list(p)
					require.NoError(t, err)
					for _, d := range page {
						got = append(got, d.ID)
						require.True(t, state == "" || state == undelivered || d.State == state)
					}
					if p.After = next; next == "" {
						break
					}
				}
				require.Equal(t, want, got, fmt.Sprint(name, " ", state))
			}
		}
	}
}
