package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/delivery"
)

func TestEveryEndpointThatTakesAnEventGetsADelivery(t *testing.T) {
	b := setup(t)
	all, some, other := b.endpoint(), b.endpoint("WORKFLOW_COMPLETED", "WORKFLOW_CREATED"), b.endpoint("WEBHOOK_TEST")
	b.write(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), b.workflow.WireID()) })
	per := func(e domain.Endpoint) int {
		return b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, e.ID)
	}
	require.Equal(t, []int{1, 1, 0}, []int{per(all), per(some), per(other)})
	// A transaction that fails leaves neither.
	require.Error(t, b.try(b.call, func(r *postgres.Records) error {
		if _, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Started); err != nil {
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
	attempts := b.claim()
	require.Len(t, attempts, 1)
	a := attempts[0]
	require.Equal(t, "WEBHOOK_TEST", a.Event.Type)
	require.Equal(t, 1, a.Number)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING' AND workflow_id = 'send/1' AND run_id = 'session'`))
	require.Equal(t, delivery.Pending, b.state(a.DeliveryID), "until its first attempt has ended")
	require.Empty(t, b.claim(), "what is in flight is claimed by nobody else")
	require.Empty(t, b.look(e).Attempts)
	next := b.end(a, 500)
	require.Equal(t, delivery.Retrying, next.State)
	require.Equal(t, next, deliveries.Next{State: delivery.Retrying, Outcome: delivery.Fail, At: next.At, Error: "HTTP 500"})
	require.Empty(t, b.claim(), "what has failed is its endpoint's run's")
	require.Empty(t, b.look(e).Attempts, "not before its time")
	b.pass(time.Minute)
	a = b.look(e).Attempts[0]
	require.Equal(t, 2, a.Number)
	require.Equal(t, delivery.Delivered, b.end(a, 204).State)
	require.Empty(t, b.look(e).Attempts)
	require.Equal(t, []int{1, 1}, []int{
		b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED' AND status_code = 500`),
		b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SUCCEEDED' AND status_code = 204 AND activity_id = '5'`),
	})
	require.Equal(t, deliveries.Next{State: delivery.Delivered, Outcome: delivery.Succeeded}, b.end(a, 500), "an end that is written twice changes nothing")
	require.Equal(t, 2, b.count(`SELECT attempt_count FROM webhook_delivery`))
}

func TestLostAttempt_IsUnknownAndKeepsItsSlot(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, delivery.MaxInFlight+1)
	attempts := b.claim()
	require.Len(t, attempts, delivery.MaxInFlight)
	lost, err := b.store.Deliveries().LoseOf(t.Context(), domain.Maker{RunID: "another"})
	require.NoError(t, err)
	require.Zero(t, lost)
	lost, err = b.store.Deliveries().LoseOf(t.Context(), inSession)
	require.NoError(t, err)
	require.Equal(t, delivery.MaxInFlight, lost)
	require.Equal(t, delivery.MaxInFlight, b.states(delivery.Retrying))
	require.Equal(t, delivery.MaxInFlight, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'UNKNOWN'`))
	require.Empty(t, b.claim(), "their requests may still be on their way")
	b.pass(delivery.SlotHeld - 20*time.Second)
	require.Empty(t, b.claim())
	b.pass(21 * time.Second)
	require.Len(t, b.claim(), 1)

	// The end of one comes after all.
	require.Equal(t, delivery.Delivered, b.end(attempts[0], 200).State)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SUCCEEDED'`))
	next := b.end(attempts[1], 500)
	require.Equal(t, delivery.Retrying, next.State)
	require.Equal(t, 1, b.count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, attempts[1].DeliveryID), "it was counted when it was lost")
}

func TestAttemptsThatAreTooOldAreLost(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 2)
	b.claim()
	due := func() bool {
		due, err := b.store.Deliveries().SessionDue(t.Context(), nil)
		require.NoError(t, err)
		return due
	}
	require.False(t, due())
	b.pass(delivery.LostAfter - time.Second)
	lost, err := b.store.Deliveries().LoseOld(t.Context())
	require.NoError(t, err)
	require.Zero(t, lost)
	b.pass(2 * time.Second)
	require.True(t, due(), "so that a session looks")
	lost, err = b.store.Deliveries().LoseOld(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	require.False(t, due())
}

func TestAnAttemptThatWasNeverBegunLeavesNothing(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	dropped := b.claim()
	require.NoError(t, b.store.Deliveries().Drop(t.Context(), dropped))
	require.Zero(t, b.count(`SELECT count(*) FROM webhook_attempt`))
	again := b.claim()
	require.Len(t, again, 1)
	require.Equal(t, 1, again[0].Number)
}

func TestAfterNinetyFiveAttemptsADeliveryIsFailedAndCanBeAskedForAgain(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	failed := b.oldest(e)
	attempts := 0
	for b.state(failed) != delivery.Failed {
		for _, a := range b.work(always(answer{status: 503})) {
			require.Equal(t, failed, a.DeliveryID)
			attempts++
		}
		// Others succeed now and then, so that the endpoint is neither failing nor
		// disabled.
		require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failures = 0, failing_since = NULL, probe_at = NULL, probes = 0`))
		if b.state(failed) == delivery.Retrying {
			b.pass(b.nextAfter(failed) + time.Second)
		}
	}
	require.Equal(t, delivery.MaxAttempts, attempts)
	require.InDelta(t, 3.5*24, time.Duration(b.clock.Load()).Hours(), 8)

	b.retry(failed)
	require.Equal(t, delivery.Retrying, b.state(failed))
	again := b.look(e).Attempts
	require.Len(t, again, 1)
	require.Equal(t, delivery.MaxAttempts+1, again[0].Number, "retry_count goes on")
	b.end(again[0], 503)
	require.Equal(t, 1, b.count(`SELECT round_attempts FROM webhook_delivery WHERE id = $1`, failed), "the schedule begins anew")
}

func TestARetryThatSomebodyAsksForGoesOutToAFailingEndpoint(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.fail(e)
	b.owe(e, 20)
	require.Empty(t, b.claim())
	var asked uuid.UUID
	require.NoError(t, b.pool().QueryRow(t.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1`, e.ID).Scan(&asked))
	b.retry(asked)
	require.Len(t, b.inTrouble(), 1, "its run is woken")
	attempts := b.look(e).Attempts
	require.Equal(t, []uuid.UUID{asked}, deliveriesOf(attempts))
	require.Equal(t, delivery.Delivered, b.end(attempts[0], 200).State)
	require.Len(t, b.claim(), delivery.MaxInFlight, "and its success lets the others go")
}

func TestAnEndpointIsDisabledWhenItSaysSoOrAfterFiveDays(t *testing.T) {
	b := setup(t)
	b.activeKey()
	gone, dead := b.endpoint(), b.endpoint()
	b.owe(gone, 3)
	require.Equal(t, delivery.Held, b.end(b.claim()[0], 410).State)
	require.Equal(t, "The endpoint answered 410 Gone.", *b.endpointNow(gone).DisabledReason)
	b.owe(gone, 1)
	require.Equal(t, 1, b.states(delivery.Held), "what comes later is held from the start")
	b.settle()
	require.Equal(t, 4, b.states(delivery.Held))

	for b.endpointNow(dead).Status == domain.EndpointActive {
		b.owe(dead, 1)
		b.work(always(answer{status: 500}))
		b.pass(time.Hour)
	}
	require.InDelta(t, 5*24, time.Duration(b.clock.Load()).Hours(), 3)
	require.Contains(t, *b.endpointNow(dead).DisabledReason, "has failed")

	for _, e := range []domain.Endpoint{gone, dead} {
		b.update(e, is(domain.EndpointActive))
		require.Nil(t, b.endpointNow(e).DisabledReason)
	}
	require.Zero(t, b.states(delivery.Held), "enabled again, everything goes out")
}

func TestWithoutAKeyADeliveryIsHeld(t *testing.T) {
	b := setup(t)
	e := b.endpoint()
	b.owe(e, 3)
	require.Equal(t, 3, b.states(delivery.Held))
	require.Empty(t, b.claim(), "no run is started for nothing")
	refusedRetry := b.try(b.call, func(r *postgres.Records) error {
		return r.RetryDelivery(t.Context(), domain.Delivery{ID: b.oldest(e)}.WireID())
	})
	require.Equal(t, refusal.DeliveryHeld, refused(t, refusedRetry).SubCode)
	b.activeKey()
	require.Zero(t, b.states(delivery.Held))
	require.Len(t, b.claim(), 4, "the activation's own event too")
}

// TestNothingSleepsPastAnActivation writes events at the moment when the first key
// is activated.
func TestNothingSleepsPastAnActivation(t *testing.T) {
	b := setup(t)
	e := b.endpoint()
	for round := range 15 {
		key := b.mustKey()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 5 {
					err := b.try(b.call, func(r *postgres.Records) error {
						_, err := r.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Go(func() {
			if _, err := b.activate(key.KeyID); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		b.settle()
		require.Zero(t, b.states(delivery.Held), "round %d", round)
		// The next round begins without an active key.
		require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'DELETED', deleted_at = now() WHERE status = 'ACTIVE'`))
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
	for range 3 {
		wg.Go(func() {
			for n := 0; n < 300 && !stop.Load(); n++ {
				err := b.try(b.call, func(r *postgres.Records) error {
					_, err := r.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
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
			for _, a := range b.claim() {
				b.end(a, 200+300*int(a.DeliveryID[15]%2))
			}
		}
	})
	for range 20 {
		b.update(e, is(domain.EndpointDisabled))
		b.update(e, is(domain.EndpointActive))
	}
	stop.Store(true)
	wg.Wait()
	b.settle()
	require.Zero(t, b.states(delivery.Held), "nothing is forgotten")
	require.Zero(t, b.reconcile())
}

func (b *bundle) reconcile() deliveries.Reconciled {
	b.Helper()
	found, err := b.store.Deliveries().Reconcile(b.Context())
	require.NoError(b, err)
	return found
}

func TestADeletedEndpointCancelsWhatItIsOwed(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, delivery.MaxInFlight+3)
	sending := b.claim()
	b.deleteEndpoint(e)
	require.Equal(t, delivery.MaxInFlight+3, b.states(delivery.Canceled))
	require.Empty(t, b.claim())
	require.Equal(t, delivery.Canceled, b.end(sending[0], 500).State)
	require.Equal(t, delivery.Canceled, b.end(sending[1], 200).State)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED'`), "the attempt under way is in the log all the same")
	_, err := b.store.Records(b.call.Scope).Endpoint(t.Context(), e.WireID())
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
	require.Zero(t, b.look(e).Next)
}

func TestEndpointsAreLimitedAndDistinct(t *testing.T) {
	b := setup(t)
	var made, limited, repeated atomic.Int64
	atOnce(40, func(i int) {
		url := fmt.Sprintf("https://%d.example/", i%35)
		err := b.try(b.call, func(r *postgres.Records) error {
			_, err := r.CreateEndpoint(t.Context(), b.account.WireID(), domain.Endpoint{URL: url, URLKey: url})
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
		_, err := r.CreateEndpoint(t.Context(), b.account.WireID(), domain.Endpoint{URL: again, URLKey: again})
		return err
	})
	err = b.try(b.call, func(r *postgres.Records) error {
		return r.UpdateEndpoint(t.Context(), endpoints[5].WireID(), to(again))
	})
	require.Equal(t, refusal.URLAlreadyExists, refused(t, err).SubCode)
}

// failAll fails everything that an endpoint is owed, for good.
func (b *bundle) failAll(e domain.Endpoint) {
	require.NoError(b, b.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, asked_at = NULL, updated_at = $2 WHERE endpoint_id = $1`, e.ID, b.now()))
}

func TestRecoveryCountsEachDeliveryOnce(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 30)
	b.failAll(e)
	since := b.now().Add(-time.Hour)
	b.pass(time.Second)
	run := b.run()
	part := func(n int) int {
		r := run
		r.ID = fmt.Sprintf("%s/%d", run.ID, n)
		got, err := b.store.RecoverSome(t.Context(), r, e.WireID(), since)
		require.NoError(t, err)
		return got.Count
	}
	require.Equal(t, 30, part(1))
	require.Equal(t, 30, part(1), "the same part again answers the same")
	require.Equal(t, 30, b.states(delivery.Pending), "they were never attempted")
	require.Len(t, b.claim(), delivery.MaxInFlight)
	b.pass(2 * time.Second)
	b.failAll(e)
	require.Zero(t, part(2), "what failed again meanwhile is not taken twice")
}

func TestFlushSendsEverythingNow(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	asked := b.work(always(answer{429, time.Hour}))[0].DeliveryID
	b.owe(e, 1)
	b.work(always(answer{status: 200}))
	b.fail(e)
	b.owe(e, 3)
	b.pass(time.Second)
	b.owe(e, 1)
	failed := b.lastOf(e)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL WHERE id = $1`, failed))
	run := b.run()
	run.StartedAt = b.now()
	first, err := b.store.BeginFlush(t.Context(), run, e.WireID())
	require.NoError(t, err)
	require.Equal(t, 3, first.Count, "PENDING ones")
	run.ID += "/1"
	rest, err := b.store.FlushSome(t.Context(), run, e.WireID())
	require.NoError(t, err)
	require.Equal(t, 1+delivery.FailingAfter, rest.Count, "RETRYING ones")
	require.Zero(t, b.failures(e))
	sent := append(b.claim(), b.look(e).Attempts...)
	require.Len(t, sent, 3+1+delivery.FailingAfter)
	require.True(t, of(sent, asked), "also what was asked to wait")
	require.Equal(t, delivery.Failed, b.state(failed))
	run.ID += "/2"
	none, err := b.store.FlushSome(t.Context(), run, e.WireID())
	require.NoError(t, err)
	require.Zero(t, none.Count)
}

func (b *bundle) lastOf(e domain.Endpoint) (d uuid.UUID) {
	b.Helper()
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1`, e.ID).Scan(&d))
	return d
}

func TestADeliveryCanBeGivenUp(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	cancel := func(d uuid.UUID) error {
		return b.try(b.call, func(r *postgres.Records) error {
			return r.CancelDelivery(t.Context(), domain.Delivery{ID: d}.WireID(), "why")
		})
	}
	b.owe(e, 2)
	sending := b.claim()
	require.NoError(t, cancel(sending[0].DeliveryID))
	require.Equal(t, delivery.Failed, b.state(sending[0].DeliveryID))
	require.Equal(t, refusal.DeliveryEnded, refused(t, cancel(sending[0].DeliveryID)).SubCode)
	require.Equal(t, delivery.Delivered, b.end(sending[0], 200).State, "an attempt in flight that succeeds is a success")
	require.NoError(t, cancel(sending[1].DeliveryID))
	require.Equal(t, delivery.Failed, b.end(sending[1], 500).State)
	b.retry(sending[1].DeliveryID)
	require.Len(t, b.look(e).Attempts, 1)
}

func TestReconcileFindsWhatNothingElseWould(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, deleted, disabled, trouble, unready := b.endpoint(), b.endpoint(), b.endpoint(), b.endpoint(), b.endpoint()
	for _, of := range []domain.Endpoint{deleted, disabled, trouble} {
		b.owe(of, 1)
	}
	b.owe(unready, 2)
	require.NoError(t, b.exec(`DELETE FROM webhook_ready`))
	b.owe(e, 4)
	require.Len(t, b.claim(), 4)
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL WHERE id = $1`, deleted.ID))
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x' WHERE id = $1`, disabled.ID))
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, round_attempts = 1 WHERE endpoint_id = $1`, trouble.ID))
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL WHERE id = $1`, b.oldest(unready)))
	b.pass(10 * time.Minute)
	require.Equal(t, deliveries.Reconciled{Lost: 4, Unsettled: 3, Unready: 1, NoRun: 1, Overdue: 2}, b.reconcile())
	b.settle()
	require.Equal(t, []int{1, 1, 0}, []int{b.states(delivery.Canceled), b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'HELD'`, disabled.ID),
		b.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'HELD'`, unready.ID)})
	require.Equal(t, deliveries.Reconciled{Overdue: 2}, b.reconcile())
	require.Len(t, b.claim(), 2)
	require.NoError(t, b.exec(`DELETE FROM webhook_ready`))
	b.owe(unready, 1)
	require.NoError(t, b.exec(`DELETE FROM webhook_ready`))
	require.EqualValues(t, 1, b.reconcile().Unready)
}

func TestOldEventsGoWhenEverythingOfThemHasEnded(t *testing.T) {
	b := setup(t)
	b.activeKey()
	done, open := b.endpoint(), b.endpoint()
	b.owe(done, 3)
	b.owe(open, 1)
	for _, a := range b.claim() {
		if a.EndpointID == done.ID {
			b.end(a, 200)
		} else {
			require.NoError(t, b.store.Deliveries().Drop(t.Context(), []deliveries.Attempt{a}))
		}
	}
	prune := func() domain.Pruned {
		p, err := b.operator.Prune(t.Context(), postgres.Retention{Events: time.Hour}, func(domain.Pruned) {})
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
}

// health is an endpoint's health, for its owner.
func (b *bundle) health(e domain.Endpoint) domain.EndpointHealth {
	b.Helper()
	found, err := b.store.Records(b.call.Scope).EndpointHealth(b.Context(), e)
	require.NoError(b, err)
	require.Contains(b, found, e.ID)
	return found[e.ID]
}

// TestHealth_SaysWhyNothingIsSent: what is disabled comes before the lack of a key, and
// that before failures.
func TestHealth_SaysWhyNothingIsSent(t *testing.T) {
	b := setup(t)
	e := b.endpoint("WEBHOOK_TEST")
	b.owe(e, 2)
	require.Equal(t, domain.EndpointHealth{Status: domain.HealthHeld, Held: 2}, b.health(e))
	b.activeKey()
	require.Equal(t, domain.EndpointHealth{Status: domain.HealthHealthy, Waiting: 2}, b.health(e))
	b.work(always(answer{status: 200}))
	b.fail(e)
	b.owe(e, 2)
	h := b.health(e)
	require.Equal(t, []any{domain.HealthFailing, true, 0, delivery.FailingAfter, 2}, []any{h.Status, h.FailingSince != nil, h.Held, h.Retrying, h.Waiting})
	b.update(e, is(domain.EndpointDisabled))
	h = b.health(e)
	require.Equal(t, []any{domain.HealthDisabled, true, 2 + delivery.FailingAfter, 0, 0}, []any{h.Status, h.FailingSince != nil, h.Held, h.Retrying, h.Waiting})
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'INACTIVE', activated_at = NULL`))
	require.Equal(t, domain.HealthDisabled, b.health(e).Status)
	b.update(e, is(domain.EndpointActive))
	require.Equal(t, domain.HealthHeld, b.health(e).Status)
}

func TestHealth_CountsUpTo10000(t *testing.T) {
	b := setup(t)
	e := b.endpoint("WEBHOOK_TEST")
	b.fill(e, deliveries.WaitingCounted+1)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL`))
	require.Equal(t, 10_000, b.health(e).Held)
}

// TestFlush_OfADisabledEndpointDoesNothing, also before its deliveries are HELD.
func TestFlush_OfADisabledEndpointDoesNothing(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.fail(e)
	b.owe(e, 3)
	b.write(b.call, func(r *postgres.Records) error {
		return r.UpdateEndpoint(t.Context(), e.WireID(), is(domain.EndpointDisabled))
	})
	for range 2 {
		begun, err := b.store.BeginFlush(t.Context(), b.run(), e.WireID())
		require.NoError(t, err)
		require.Zero(t, begun.Count)
		require.Len(t, begun.Warnings, 1)
		require.Equal(t, refusal.EndpointDisabled, begun.Warnings[0].Code)
		require.Equal(t, delivery.FailingAfter, b.failures(e))
		b.settle()
	}
}
