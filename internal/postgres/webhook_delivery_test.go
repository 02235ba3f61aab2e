package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/webhook"
)

func (b *bundle) endpoint(types ...string) postgres.Endpoint {
	b.Helper()
	var e postgres.Endpoint
	url := fmt.Sprintf("https://%d.example/", b.runs.Add(1))
	b.write(b.call, func(r *postgres.Records) (err error) {
		e, err = r.CreateEndpoint(b.Context(), b.account.WireID(), postgres.Endpoint{URL: url, URLKey: url, EventTypes: types})
		return err
	})
	return e
}

// owe writes n events for an endpoint alone.
func (b *bundle) owe(e postgres.Endpoint, n int) {
	b.Helper()
	for range n {
		b.write(b.call, func(r *postgres.Records) error {
			_, err := r.TestEndpoint(b.Context(), e.WireID())
			return err
		})
	}
}

func (b *bundle) activeKey() {
	b.Helper()
	_, err := b.activate(b.mustKey().KeyID)
	require.NoError(b, err)
}

func (b *bundle) claim() []postgres.Due {
	b.Helper()
	due, err := b.store.ClaimDue(b.Context())
	require.NoError(b, err)
	return due
}

func (b *bundle) begin(delivery uuid.UUID) postgres.Attempt {
	b.Helper()
	a, err := b.store.BeginAttempt(b.Context(), delivery, postgres.Begin{})
	require.NoError(b, err)
	return a
}

// beginAll puts attempts on the wire at once.
func (b *bundle) beginAll(due []postgres.Due) (attempts []postgres.Attempt) {
	b.Helper()
	for _, d := range due {
		attempts = append(attempts, b.begin(d.ID))
	}
	return attempts
}

func (b *bundle) end(a postgres.Attempt, status int) postgres.Next {
	b.Helper()
	next, err := b.store.EndAttempt(b.Context(), a, webhook.Result{StatusCode: status})
	require.NoError(b, err)
	return next
}

func (b *bundle) state(delivery uuid.UUID) (state postgres.DeliveryState) {
	b.Helper()
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT state FROM webhook_delivery WHERE id = $1`, delivery).Scan(&state))
	return state
}

func (b *bundle) states(state postgres.DeliveryState) int {
	return b.count(`SELECT count(*) FROM webhook_delivery WHERE state = $1`, state)
}

func (b *bundle) pass(d time.Duration) { b.clock.Add(int64(d)) }

func TestEveryEndpointThatTakesAnEventGetsADelivery(t *testing.T) {
	b := setup(t)
	all, some, other := b.endpoint(), b.endpoint("WORKFLOW_COMPLETED", "WORKFLOW_CREATED"), b.endpoint("WEBHOOK_TEST")
	b.write(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), b.workflow.WireID()) })
	per := func(e postgres.Endpoint) int {
		return b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, e.ID)
	}
	require.Equal(t, []int{1, 1, 0}, []int{per(all), per(some), per(other)})
	// A transaction that fails leaves neither.
	require.Error(t, b.try(b.call, func(r *postgres.Records) error {
		if _, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), postgres.Started); err != nil {
			return err
		}
		return refusal.New(refusal.InternalError, "no")
	}))
	require.Equal(t, []int{1, 1, 0}, []int{per(all), per(some), per(other)})
}

func TestAnAttemptIsLoggedBeforeAndAfter(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	due := b.claim()
	require.Len(t, due, 1)
	require.Equal(t, "WEBHOOK_TEST", due[0].EventType)
	require.Empty(t, b.claim(), "what is claimed is claimed by nobody else")

	a := b.begin(due[0].ID)
	require.Equal(t, postgres.StepSend, a.Step)
	require.Equal(t, 1, a.Number)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`))
	require.Equal(t, postgres.StepWait, b.begin(due[0].ID).Step, "the same activity a second time makes no second attempt at once")
	next := b.end(a, 500)
	require.Equal(t, postgres.Retrying, next.State)
	require.Equal(t, postgres.StepWait, b.begin(due[0].ID).Step, "not before its time")
	b.pass(time.Minute)
	a = b.begin(due[0].ID)
	require.Equal(t, 2, a.Number)
	require.Equal(t, postgres.Delivered, b.end(a, 204).State)
	require.Equal(t, postgres.StepEnded, b.begin(due[0].ID).Step)
	require.Equal(t, []int{1, 1}, []int{
		b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED' AND status_code = 500`),
		b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SUCCEEDED' AND status_code = 204`),
	})
}

func TestAnAttemptWhoseEndIsLostIsUnknown(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	delivery := b.claim()[0].ID
	_, err := b.store.BeginAttempt(t.Context(), delivery, postgres.Begin{Maker: "one"})
	require.NoError(t, err)
	b.pass(20 * time.Second)
	require.Equal(t, postgres.StepWait, b.begin(delivery).Step, "it may still be on the wire")
	a, err := b.store.BeginAttempt(t.Context(), delivery, postgres.Begin{Maker: "two", After: []string{"one", "two"}})
	require.NoError(t, err)
	require.Equal(t, 2, a.Number, "the lost one counts: it may have arrived")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'UNKNOWN' AND number = 1`))
	require.NoError(t, b.store.LoseAttempt(t.Context(), a))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'UNKNOWN'`))
	require.Equal(t, postgres.StepWait, b.begin(delivery).Step, "what broke it off may last")
	b.pass(webhook.Delay(2, 1))
	require.Equal(t, 3, b.begin(delivery).Number)
}

func TestAfterNinetyFiveAttemptsADeliveryIsFailedAndCanBeAskedForAgain(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	var failed uuid.UUID
	for _, d := range b.claim() {
		if d.EndpointID == e.WireID() {
			failed = d.ID
		}
	}
	attempts := 0
	for b.state(failed) != postgres.Failed {
		a := b.begin(failed)
		require.Equal(t, postgres.StepSend, a.Step)
		attempts++
		next := b.end(a, 503)
		// Others succeed now and then, so that the endpoint is neither failing nor
		// disabled.
		require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failures = 0, failing_since = NULL, probe_at = NULL, probes = 0`))
		if next.State == postgres.Retrying {
			b.clock.Store(int64(time.Until(next.At)) + int64(time.Second))
		}
	}
	require.Equal(t, webhook.MaxAttempts, attempts)
	require.InDelta(t, 3.5*24, time.Duration(b.clock.Load()).Hours(), 8)
	require.Equal(t, postgres.Failed, b.state(failed))

	wire := postgres.Delivery{ID: failed}.WireID()
	b.write(b.call, func(r *postgres.Records) error { return r.RetryDelivery(t.Context(), wire) })
	require.Equal(t, postgres.Retrying, b.state(failed))
	found := false
	for _, d := range b.claim() {
		found = found || d.ID == failed
	}
	require.True(t, found)
	require.Equal(t, webhook.MaxAttempts+1, b.begin(failed).Number, "retry_count goes on")
	require.Equal(t, 1, b.count(`SELECT round_attempts FROM webhook_delivery WHERE id = $1`, failed), "the schedule begins anew")
}

func TestARetryThatSomebodyAsksForGoesOutToAFailingEndpoint(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 20)
	due := b.claim()
	for _, a := range b.beginAll(due) {
		b.end(a, 500)
	}
	b.pass(10 * time.Second)
	var probing uuid.UUID
	for _, d := range due {
		if a := b.begin(d.ID); a.Step == postgres.StepSend {
			b.end(a, 500)
			probing = d.ID
		}
	}
	require.Empty(t, b.claim())
	var asked postgres.Delivery
	b.write(b.call, func(r *postgres.Records) error {
		list, _, err := r.Deliveries(t.Context(), b.account.WireID(), postgres.DeliveryFilter{State: postgres.Pending}, postgres.Page{Limit: 1})
		if err != nil {
			return err
		}
		asked = list[0]
		return r.RetryDelivery(t.Context(), asked.WireID())
	})
	claimed := b.claim()
	require.Len(t, claimed, 1)
	require.Equal(t, asked.ID, claimed[0].ID)
	require.NotEqual(t, probing, asked.ID)
	a := b.begin(asked.ID)
	require.Equal(t, postgres.StepSend, a.Step)
	require.Equal(t, postgres.Delivered, b.end(a, 200).State)
	require.GreaterOrEqual(t, len(b.claim()), webhook.OnTheWire-1, "and its success lets the others go")
}

func TestAnEndpointIsDisabledWhenItSaysSoOrAfterFiveDays(t *testing.T) {
	b := setup(t)
	b.activeKey()
	gone, dead := b.endpoint(), b.endpoint()
	b.owe(gone, 3)
	for _, d := range b.claim()[:1] {
		require.Equal(t, postgres.Held, b.end(b.begin(d.ID), 410).State)
	}
	require.Equal(t, 3, b.states(postgres.Held))
	require.Equal(t, "The endpoint answered 410 Gone.", *b.endpointNow(gone).DisabledReason)
	b.owe(gone, 1)
	require.Equal(t, 4, b.states(postgres.Held), "what comes later is held from the start")

	b.owe(dead, 1)
	delivery := b.claim()[0].ID
	for b.endpointNow(dead).Status == postgres.EndpointActive {
		a := b.begin(delivery)
		if a.Step != postgres.StepSend {
			b.pass(time.Hour)
			if a.Step == postgres.StepEnded {
				b.owe(dead, 1)
				delivery = b.claim()[0].ID
			}
			continue
		}
		b.end(a, 500)
	}
	require.InDelta(t, 5*24, time.Duration(b.clock.Load()).Hours(), 3)
	require.Contains(t, *b.endpointNow(dead).DisabledReason, "has failed")

	// Enabled again, everything goes out.
	for _, e := range []postgres.Endpoint{gone, dead} {
		b.write(b.call, func(r *postgres.Records) error {
			return r.UpdateEndpoint(t.Context(), e.WireID(), func(e *postgres.Endpoint) { e.Status = postgres.EndpointActive })
		})
		require.Nil(t, b.endpointNow(e).DisabledReason)
	}
	require.Zero(t, b.states(postgres.Held))
}

func (b *bundle) endpointNow(e postgres.Endpoint) postgres.Endpoint {
	b.Helper()
	found, err := b.store.Records(b.call.Scope).Endpoint(b.Context(), e.WireID())
	require.NoError(b, err)
	return found
}

func TestWithoutAKeyADeliveryIsHeld(t *testing.T) {
	b := setup(t)
	e := b.endpoint()
	b.owe(e, 3)
	require.Empty(t, b.claim(), "no run is started for nothing")
	require.Equal(t, 3, b.states(postgres.Held))
	refusedRetry := b.try(b.call, func(r *postgres.Records) error {
		list, _, err := r.Deliveries(t.Context(), b.account.WireID(), postgres.DeliveryFilter{}, postgres.Page{Limit: 1})
		require.NoError(t, err)
		return r.RetryDelivery(t.Context(), list[0].WireID())
	})
	require.Equal(t, refusal.DeliveryHeld, refused(t, refusedRetry).SubCode)
	b.activeKey()
	require.Zero(t, b.states(postgres.Held))
	require.Len(t, b.claim(), 4, "the activation's own event too")
}

// TestNothingSleepsPastAnActivation lets claims and attempts decide that there is
// no key at the moment when one is activated.
func TestNothingSleepsPastAnActivation(t *testing.T) {
	b := setup(t)
	e := b.endpoint()
	for round := range 15 {
		b.owe(e, 5)
		key := b.mustKey()
		if round == 0 {
			require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'INACTIVE'`))
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 3 {
				due, err := b.store.ClaimDue(t.Context())
				if err != nil {
					t.Error(err)
				}
				for _, d := range due {
					if _, err := b.store.BeginAttempt(t.Context(), d.ID, postgres.Begin{}); err != nil {
						t.Error(err)
					}
				}
			}
		})
		wg.Go(func() {
			if _, err := b.activate(key.KeyID); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		require.Zero(t, b.states(postgres.Held), "round %d", round)
		// The next round begins without an active key.
		require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'DELETED', deleted_at = now() WHERE status = 'ACTIVE'`))
		require.NoError(t, b.exec(`DELETE FROM webhook_attempt`))
		require.NoError(t, b.exec(`DELETE FROM webhook_delivery`))
	}
}

// TestNothingSleepsPastAnEnabling does the same for an endpoint that is disabled
// and enabled while events are written, claimed and attempted.
func TestNothingSleepsPastAnEnabling(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	var stop atomic.Bool
	var wg sync.WaitGroup
	set := func(status postgres.EndpointStatus) error {
		return b.try(b.call, func(r *postgres.Records) error {
			return r.UpdateEndpoint(t.Context(), e.WireID(), func(e *postgres.Endpoint) { e.Status = status })
		})
	}
	for range 3 {
		wg.Go(func() {
			for n := 0; n < 300 && !stop.Load(); n++ {
				err := b.try(b.call, func(r *postgres.Records) error {
					_, err := r.TestEndpoint(t.Context(), e.WireID())
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for !stop.Load() {
			due, err := b.store.ClaimDue(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			for _, d := range due {
				a, err := b.store.BeginAttempt(t.Context(), d.ID, postgres.Begin{})
				if err == nil && a.Step == postgres.StepSend {
					_, err = b.store.EndAttempt(t.Context(), a, webhook.Result{StatusCode: 200 + 300*int(d.ID[15]%2)})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 20 {
		require.NoError(t, set(postgres.EndpointDisabled))
		require.NoError(t, set(postgres.EndpointActive))
	}
	stop.Store(true)
	wg.Wait()
	_, err := b.store.Mend(t.Context()) // what somebody had locked when it was to follow
	require.NoError(t, err)
	require.Zero(t, b.states(postgres.Held), "nothing is forgotten")
	mended, err := b.store.Mend(t.Context())
	require.NoError(t, err)
	require.Zero(t, mended.Released+mended.Held+mended.Canceled)
}

func TestADeletedEndpointCancelsWhatItIsOwed(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 3)
	due := b.claim()
	sending := b.begin(due[0].ID)
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(t.Context(), e.WireID()) })
	require.Equal(t, 3, b.states(postgres.Canceled))
	require.Equal(t, postgres.Canceled, b.begin(due[1].ID).State)
	require.Equal(t, postgres.Canceled, b.end(sending, 500).State)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED'`), "the attempt under way is in the log all the same")
	_, err := b.store.Records(b.call.Scope).Endpoint(t.Context(), e.WireID())
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
}

func TestEndpointsAreLimitedAndDistinct(t *testing.T) {
	b := setup(t)
	var made, limited, repeated atomic.Int64
	atOnce(40, func(i int) {
		url := fmt.Sprintf("https://%d.example/", i%35)
		err := b.try(b.call, func(r *postgres.Records) error {
			_, err := r.CreateEndpoint(t.Context(), b.account.WireID(), postgres.Endpoint{URL: url, URLKey: url})
			return err
		})
		switch {
		case err == nil:
			made.Add(1)
		case refused(t, err).SubCode == refusal.MaxWebhookURLLimit:
			limited.Add(1)
		case refused(t, err).SubCode == refusal.URLAlreadyExists:
			repeated.Add(1)
		default:
			t.Error(err)
		}
	})
	require.EqualValues(t, 20, made.Load())
	require.EqualValues(t, 20, limited.Load()+repeated.Load())
	endpoints, err := b.store.Records(b.call.Scope).Endpoints(t.Context(), b.account.WireID())
	require.NoError(t, err)
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(t.Context(), endpoints[3].WireID()) })
	again := endpoints[3].URL
	b.write(b.call, func(r *postgres.Records) error {
		_, err := r.CreateEndpoint(t.Context(), b.account.WireID(), postgres.Endpoint{URL: again, URLKey: again})
		return err
	})
	err = b.try(b.call, func(r *postgres.Records) error {
		return r.UpdateEndpoint(t.Context(), endpoints[5].WireID(), func(e *postgres.Endpoint) { e.URL, e.URLKey = again, again })
	})
	require.Equal(t, refusal.URLAlreadyExists, refused(t, err).SubCode)
}

func TestRecoveryCountsEachDeliveryOnce(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 30)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, dispatched_at = NULL WHERE endpoint_id = $1`, e.ID))
	since := time.Now().Add(-time.Hour)
	run := b.run()
	run.StartedAt = time.Now()
	part := func(n int) postgres.Recovered {
		r := run
		r.ID = fmt.Sprintf("%s/%d", run.ID, n)
		got, err := b.store.RecoverSome(t.Context(), r, e.WireID(), since)
		require.NoError(t, err)
		return got
	}
	require.Equal(t, 30, part(1).Count)
	require.Equal(t, 30, part(1).Count, "the same part again answers the same")
	b.pass(time.Second)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, dispatched_at = NULL, updated_at = now() + interval '1 second' WHERE endpoint_id = $1`, e.ID))
	require.Zero(t, part(2).Count, "what failed again meanwhile is not taken twice")
}

func TestAnAttemptThatIsLostCountsAmongTheNinetyFive(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	delivery := b.claim()[0].ID
	b.begin(delivery)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET attempt_count = 95, round_attempts = 95 WHERE id = $1`, delivery))
	b.pass(time.Minute)
	require.Equal(t, postgres.StepEnded, b.begin(delivery).Step)
	require.Equal(t, postgres.Failed, b.state(delivery))
}

func TestMend(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, deleted, disabled := b.endpoint(), b.endpoint(), b.endpoint()
	b.owe(e, 4)
	b.owe(deleted, 1)
	b.owe(disabled, 1)
	for _, d := range b.claim() {
		if d.EndpointID == e.WireID() {
			b.begin(d.ID)
		}
	}
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET deleted_at = now(), place = NULL WHERE id = $1`, deleted.ID))
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x' WHERE id = $1`, disabled.ID))
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL, dispatched_at = NULL
		WHERE id = (SELECT id FROM webhook_delivery WHERE endpoint_id = $1 LIMIT 1)`, e.ID))
	b.pass(10 * time.Minute)
	got, err := b.store.Mend(t.Context())
	require.NoError(t, err)
	require.Equal(t, postgres.Mended{LostAttempts: 4, Released: 1, Canceled: 1, Held: 1, Waiting: 3}, got)
	again, err := b.store.Mend(t.Context())
	require.NoError(t, err)
	require.Equal(t, postgres.Mended{Waiting: 3}, again, "their run, if there is one, should have begun")
	overdue, err := b.store.Overdue(t.Context(), time.Minute, uuid.Nil, 10)
	require.NoError(t, err)
	require.Len(t, overdue, 3)
}

func TestOldEventsGoWhenEverythingOfThemHasEnded(t *testing.T) {
	b := setup(t)
	b.activeKey()
	done, open := b.endpoint(), b.endpoint()
	b.owe(done, 3)
	b.owe(open, 1)
	for _, d := range b.claim() {
		if d.EndpointID == done.WireID() {
			b.end(b.begin(d.ID), 200)
		}
	}
	prune := func() postgres.Pruned {
		p, err := b.store.Prune(t.Context(), postgres.Retention{Events: time.Hour}, func(postgres.Pruned) {})
		require.NoError(t, err)
		return p
	}
	require.Zero(t, prune().Events, "a week at least, whatever is asked for")
	b.pass(8 * 24 * time.Hour)
	before := b.count(`SELECT count(*) FROM webhook_event`)
	pruned := prune()
	require.Positive(t, pruned.Events)
	require.EqualValues(t, before-int(pruned.Events), b.count(`SELECT count(*) FROM webhook_event`))
	require.Zero(t, b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, done.ID))
	require.Zero(t, b.count(`SELECT count(*) FROM webhook_attempt`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, open.ID), "what is still to be delivered stays")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_event v WHERE EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`))
	require.EqualValues(t, 1, pruned.KeyDays)
}
