package deliveries_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

func TestEmit_MakesADeliveryForEachEndpointThatTakesTheEvent(t *testing.T) {
	b := setup(t)
	all, some, other := b.Endpoint(), b.Endpoint("WORKFLOW_COMPLETED", "WORKFLOW_CREATED"), b.Endpoint("WEBHOOK_TEST")
	b.Write(b.Call, func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false)
		return err
	})
	per := func(e domain.Endpoint) int {
		return b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, e.ID)
	}
	require.Equal(t, []int{1, 1, 0}, []int{per(all), per(some), per(other)})
	// A transaction that fails leaves neither.
	require.Error(t, b.Try(b.Call, func(r *store.Records) error {
		if _, err := r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started}); err != nil {
			return err
		}
		return refusal.New(refusal.InternalError, "no")
	}))
	require.Equal(t, []int{1, 1, 0}, []int{per(all), per(some), per(other)})
}

func TestAttempt_IsLoggedBeforeAndAfter(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	attempts := b.Claim()
	require.Len(t, attempts, 1)
	a := attempts[0]
	require.Equal(t, "WEBHOOK_TEST", a.Event.Type)
	require.Equal(t, 1, a.Number)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING' AND workflow_id = 'send/1' AND run_id = 'session'`))
	require.Equal(t, delivery.Pending, b.StateOf(a.DeliveryID), "until its first attempt has ended")
	require.Empty(t, b.Claim(), "what is in flight is claimed by nobody else")
	require.Empty(t, b.ClaimForRun(e).Attempts)
	next := b.End(a, 500)
	require.Equal(t, delivery.Retrying, next.State)
	require.Equal(t, next, deliveries.Next{State: delivery.Retrying, Outcome: delivery.AttemptFailed, At: next.At, Error: "HTTP 500"})
	require.Empty(t, b.Claim(), "what has failed is its endpoint's run's")
	require.Empty(t, b.ClaimForRun(e).Attempts, "not before its time")
	b.Pass(time.Minute)
	a = b.ClaimForRun(e).Attempts[0]
	require.Equal(t, 2, a.Number)
	require.Equal(t, delivery.Delivered, b.End(a, 204).State)
	require.Empty(t, b.ClaimForRun(e).Attempts)
	require.Equal(t, []int{1, 1}, []int{
		b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED' AND status_code = 500`),
		b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SUCCEEDED' AND status_code = 204 AND activity_id = '5'`),
	})
	require.Equal(t, deliveries.Next{State: delivery.Delivered, Outcome: delivery.AttemptSucceeded}, b.End(a, 500), "an end that is written twice changes nothing")
	require.Equal(t, 2, b.Count(`SELECT attempt_count FROM webhook_delivery`))
}

func TestLostAttempt_IsUnknownAndKeepsItsSlot(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, delivery.MaxInFlight+1)
	attempts := b.Claim()
	require.Len(t, attempts, delivery.MaxInFlight)
	lost, err := b.Store.Deliveries.Ends.MarkLost(t.Context(), domain.CreatedBy{RunID: "another"})
	require.NoError(t, err)
	require.Zero(t, lost)
	lost, err = b.Store.Deliveries.Ends.MarkLost(t.Context(), pgtest.InSession)
	require.NoError(t, err)
	require.Equal(t, delivery.MaxInFlight, lost)
	require.Equal(t, delivery.MaxInFlight, b.CountIn(delivery.Retrying))
	require.Equal(t, delivery.MaxInFlight, b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'UNKNOWN'`))
	require.Empty(t, b.Claim(), "their requests may still be on their way")
	b.Pass(delivery.SlotHeld - 20*time.Second)
	require.Empty(t, b.Claim())
	b.Pass(21 * time.Second)
	require.Len(t, b.Claim(), 1)

	// The end of one comes after all.
	require.Equal(t, delivery.Delivered, b.End(attempts[0], 200).State)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SUCCEEDED'`))
	next := b.End(attempts[1], 500)
	require.Equal(t, delivery.Retrying, next.State)
	require.Equal(t, 1, b.Count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, attempts[1].DeliveryID), "it was counted when it was lost")
}

func TestLostAttempt_IsFoundByItsAge(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.SendTests(b.Endpoint(), 2)
	b.Claim()
	due := func() bool {
		due, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), nil)
		require.NoError(t, err)
		return due
	}
	require.False(t, due())
	b.Pass(delivery.LostAfter - time.Second)
	lost, err := b.Store.Deliveries.Ends.MarkExpired(t.Context())
	require.NoError(t, err)
	require.Zero(t, lost)
	b.Pass(2 * time.Second)
	require.True(t, due(), "so that a session looks")
	lost, err = b.Store.Deliveries.Ends.MarkExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	require.False(t, due())
}

func TestAttempt_NeverBegunLeavesNothing(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.SendTests(b.Endpoint(), 1)
	dropped := b.Claim()
	require.NoError(t, b.Store.Deliveries.Ends.Drop(t.Context(), dropped))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_attempt`))
	again := b.Claim()
	require.Len(t, again, 1)
	require.Equal(t, 1, again[0].Number)
}

func TestRetry_GoesOutToAFailingEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	b.SendTests(e, 20)
	require.Empty(t, b.Claim())
	var asked id.UUID
	require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1`, e.ID).Scan(&asked))
	b.retry(asked)
	require.Len(t, b.inTrouble(), 1, "its run is woken")
	attempts := b.ClaimForRun(e).Attempts
	require.Equal(t, []id.UUID{asked}, deliveriesOf(attempts))
	require.Equal(t, delivery.Delivered, b.End(attempts[0], 200).State)
	require.Len(t, b.Claim(), delivery.MaxInFlight, "and its success lets the others go")
}

func TestEndpoint_IsDisabledBy410OrAfterFiveDays(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	gone, dead := b.Endpoint(), b.Endpoint()
	b.SendTests(gone, 3)
	require.Equal(t, delivery.Held, b.End(b.Claim()[0], 410).State)
	require.Equal(t, "The endpoint answered 410 Gone.", *b.endpointNow(gone).DisabledReason)
	b.SendTests(gone, 1)
	require.Equal(t, 4, b.CountIn(delivery.Held), "what comes later, too")

	for b.endpointNow(dead).Status == domain.EndpointActive {
		b.SendTests(dead, 1)
		b.work(always(pgtest.Answer{Status: 500}))
		b.Pass(time.Hour)
	}
	require.InDelta(t, 5*24, time.Duration(b.Clock.Load()).Hours(), 3)
	require.Contains(t, *b.endpointNow(dead).DisabledReason, "has failed")

	for _, e := range []domain.Endpoint{gone, dead} {
		b.update(e, pgtest.WithStatus(domain.EndpointActive))
		require.Nil(t, b.endpointNow(e).DisabledReason)
	}
	require.Zero(t, b.CountIn(delivery.Held), "enabled again, everything goes out")
}

func TestHeld_WithoutAnActiveKey(t *testing.T) {
	b := setup(t)
	e := b.Endpoint()
	b.SendTests(e, 3)
	require.Equal(t, 3, b.CountIn(delivery.Held))
	require.Empty(t, b.Claim(), "no run is started for nothing")
	refusedRetry := b.Try(b.Call, func(r *store.Records) error {
		return r.Webhooks.RetryDelivery(t.Context(), delivery.Record{ID: b.Oldest(e)}.WireID())
	})
	require.Equal(t, refusal.DeliveryHeld, pgtest.Refused(t, refusedRetry).SubCode)
	b.ActiveKey()
	require.Zero(t, b.CountIn(delivery.Held))
	require.Len(t, b.Claim(), 4, "the activation's own event too")
}

// TestActivation_MakesEverythingDue writes events at the moment when the first key
// is activated.
func TestActivation_MakesEverythingDue(t *testing.T) {
	b := setup(t)
	e := b.Endpoint()
	for round := range 15 {
		key := b.MustKey()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 5 {
					err := b.Try(b.Call, func(r *store.Records) error {
						_, err := r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Go(func() {
			if _, err := b.Activate(key.KeyID); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		require.Zero(t, b.CountIn(delivery.Held), "round %d", round)
		// The next round begins without an active key.
		require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'DELETED', deleted_at = now() WHERE status = 'ACTIVE'`))
		require.NoError(t, b.Exec(`DELETE FROM webhook_delivery`))
	}
}

// TestEnabling_MakesEverythingDue does the same for an endpoint that is disabled
// and enabled while events are written, claimed and attempted.
func TestEnabling_MakesEverythingDue(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for n := 0; n < 300 && !stop.Load(); n++ {
				err := b.Try(b.Call, func(r *store.Records) error {
					_, err := r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
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
			for _, a := range b.Claim() {
				b.End(a, 200+300*int(a.DeliveryID[15]%2))
			}
		}
	})
	for range 20 {
		b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
		b.update(e, pgtest.WithStatus(domain.EndpointActive))
	}
	stop.Store(true)
	wg.Wait()
	require.Zero(t, b.CountIn(delivery.Held), "nothing is forgotten")
	require.Zero(t, b.reconcile())
}

func (b *bundle) reconcile() deliveries.Reconciled {
	b.Helper()
	found, err := b.Store.Deliveries.Repairs.Reconcile(b.Context())
	require.NoError(b, err)
	return found
}

func TestDeletedEndpoint_CancelsItsDeliveries(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, delivery.MaxInFlight+3)
	sending := b.Claim()
	b.deleteEndpoint(e)
	require.Equal(t, delivery.MaxInFlight+3, b.CountIn(delivery.Canceled))
	require.Empty(t, b.Claim())
	require.Equal(t, delivery.Canceled, b.End(sending[0], 500).State)
	require.Equal(t, delivery.Canceled, b.End(sending[1], 200).State)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'FAILED'`), "the attempt under way is in the log all the same")
	_, err := b.Store.Records(b.Call.Scope).Webhooks.Endpoint(t.Context(), e.WireID())
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	require.Zero(t, b.ClaimForRun(e).Next)
}

func TestEndpoints_AreLimitedAndDistinct(t *testing.T) {
	b := setup(t)
	var made, limited, repeated atomic.Int64
	pgtest.AtOnce(40, func(i int) {
		url := fmt.Sprintf("https://%d.example/", i%35)
		err := b.Try(b.Call, func(r *store.Records) error {
			_, err := r.Webhooks.CreateEndpoint(t.Context(), b.Account.WireID(), domain.Endpoint{URL: url, URLKey: url})
			return err
		})
		switch {
		case err == nil:
			made.Add(1)
		case pgtest.Refused(t, err).SubCode == refusal.MaxWebhookURLLimit:
			limited.Add(1)
		case pgtest.Refused(t, err).SubCode == refusal.URLAlreadyExists:
			repeated.Add(1)
		default:
			t.Error(err)
		}
	})
	require.EqualValues(t, 20, made.Load())
	require.EqualValues(t, 20, limited.Load()+repeated.Load())
	endpoints, err := b.Store.Records(b.Call.Scope).Webhooks.Endpoints(t.Context(), b.Account.WireID())
	require.NoError(t, err)
	b.Write(b.Call, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(t.Context(), endpoints[3].WireID()) })
	again := endpoints[3].URL
	b.Write(b.Call, func(r *store.Records) error {
		_, err := r.Webhooks.CreateEndpoint(t.Context(), b.Account.WireID(), domain.Endpoint{URL: again, URLKey: again})
		return err
	})
	err = b.Try(b.Call, func(r *store.Records) error {
		return r.Webhooks.UpdateEndpoint(t.Context(), endpoints[5].WireID(), withURL(again))
	})
	require.Equal(t, refusal.URLAlreadyExists, pgtest.Refused(t, err).SubCode)
}

// failAll fails everything that an endpoint is owed, for good.
func (b *bundle) failAll(e domain.Endpoint) {
	require.NoError(b, b.Exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, retry_requested_at = NULL, updated_at = $2 WHERE endpoint_id = $1`, e.ID, b.Now()))
}

func TestRecovery_CountsEachDeliveryOnce(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 30)
	b.failAll(e)
	since := b.Now().Add(-time.Hour)
	b.Pass(time.Second)
	run := b.Run()
	part := func(n int) int {
		r := run
		r.ID = fmt.Sprintf("%s/%d", run.ID, n)
		got, err := b.Store.LongRuns.RecoverSome(t.Context(), r, e.WireID(), since)
		require.NoError(t, err)
		return got.Count
	}
	require.Equal(t, 30, part(1))
	require.Equal(t, 30, part(1), "the same part again answers the same")
	require.Equal(t, 30, b.CountIn(delivery.Pending), "they were never attempted")
	require.Len(t, b.Claim(), delivery.MaxInFlight)
	b.Pass(2 * time.Second)
	b.failAll(e)
	require.Zero(t, part(2), "what failed again meanwhile is not taken twice")
}

func TestFlush_SendsEverythingNow(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	asked := b.work(always(pgtest.Answer{Status: 500}))[0].DeliveryID
	b.backOff(asked, time.Hour)
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 200}))
	b.failEndpoint(e)
	b.SendTests(e, 3)
	b.Pass(time.Second)
	b.SendTests(e, 1)
	failed := b.LastOf(e)
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL WHERE id = $1`, failed))
	require.Equal(t, 3+1+delivery.FailingAfter, b.Flush(e), "PENDING and RETRYING ones")
	require.Zero(t, b.failures(e))
	sent := append(b.Claim(), b.ClaimForRun(e).Attempts...)
	require.Len(t, sent, 3+1+delivery.FailingAfter)
	require.True(t, of(sent, asked), "also what is due much later")
	require.Equal(t, delivery.Failed, b.StateOf(failed))
}

func TestCancel_GivesADeliveryUp(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	cancel := func(d id.UUID) error {
		return b.Try(b.Call, func(r *store.Records) error {
			return r.Webhooks.CancelDelivery(t.Context(), delivery.Record{ID: d}.WireID(), "why")
		})
	}
	b.SendTests(e, 2)
	sending := b.Claim()
	require.NoError(t, cancel(sending[0].DeliveryID))
	require.Equal(t, delivery.Failed, b.StateOf(sending[0].DeliveryID))
	require.Equal(t, refusal.DeliveryEnded, pgtest.Refused(t, cancel(sending[0].DeliveryID)).SubCode)
	require.Equal(t, delivery.Delivered, b.End(sending[0], 200).State, "an attempt in flight that succeeds is a success")
	require.NoError(t, cancel(sending[1].DeliveryID))
	require.Equal(t, delivery.Failed, b.End(sending[1], 500).State)
	b.retry(sending[1].DeliveryID)
	require.Len(t, b.ClaimForRun(e).Attempts, 1)
}

func TestReconcile_FindsWhatNothingElseWould(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, deleted, disabled, trouble, unready := b.Endpoint(), b.Endpoint(), b.Endpoint(), b.Endpoint(), b.Endpoint()
	for _, of := range []domain.Endpoint{deleted, disabled, trouble} {
		b.SendTests(of, 1)
	}
	b.SendTests(unready, 2)
	require.NoError(t, b.Exec(`DELETE FROM webhook_ready`))
	b.SendTests(e, 4)
	require.Len(t, b.Claim(), 4)
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL WHERE id = $1`, deleted.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x' WHERE id = $1`, disabled.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, round_attempts = 1 WHERE endpoint_id = $1`, trouble.ID))
	b.Pass(10 * time.Minute)
	require.Equal(t, 1, b.CountIn(delivery.Canceled))
	require.Equal(t, deliveries.Reconciled{Lost: 4, Unready: 1, NoRun: 1, Overdue: 3}, b.reconcile())
	require.Equal(t, []int{1, 1}, []int{b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'CANCELED'`, deleted.ID), b.CountIn(delivery.Held)})
	require.Equal(t, deliveries.Reconciled{Overdue: 3}, b.reconcile())
	require.Len(t, b.Claim(), 2)
	require.NoError(t, b.Exec(`DELETE FROM webhook_ready`))
	b.SendTests(unready, 1)
	require.NoError(t, b.Exec(`DELETE FROM webhook_ready`))
	require.EqualValues(t, 1, b.reconcile().Unready)
}

func TestPrune_DeletesAnEventWhoseDeliveriesHaveEnded(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	done, open := b.Endpoint(), b.Endpoint()
	b.SendTests(done, 3)
	b.SendTests(open, 1)
	for _, a := range b.Claim() {
		if a.EndpointID == done.ID {
			b.End(a, 200)
		} else {
			require.NoError(t, b.Store.Deliveries.Ends.Drop(t.Context(), []deliveries.Attempt{a}))
		}
	}
	prune := func() domain.Pruned {
		p, err := b.Operator.Upkeep.Prune(t.Context(), store.Retention{Events: time.Hour}, func(domain.Pruned) {}, func(string, error) {})
		require.NoError(t, err)
		return p
	}
	require.Zero(t, prune().Events, "a week at least, whatever is asked for")
	b.Pass(8 * 24 * time.Hour)
	before := b.Count(`SELECT count(*) FROM webhook_event`)
	pruned := prune()
	require.Positive(t, pruned.Events)
	require.EqualValues(t, before-int(pruned.Events), b.Count(`SELECT count(*) FROM webhook_event`))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, done.ID))
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_attempt`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1`, open.ID), "what is still to be delivered stays")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event v WHERE EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`))
}

// health is an endpoint's health, for its owner.
func (b *bundle) health(e domain.Endpoint) domain.EndpointHealth {
	b.Helper()
	found, err := b.Store.Records(b.Call.Scope).Webhooks.EndpointHealth(b.Context(), e)
	require.NoError(b, err)
	require.Contains(b, found, e.ID)
	return found[e.ID]
}

// TestHealth_SaysWhyNothingIsSent: what is disabled comes before the lack of a key, and
// that before failures.
func TestHealth_SaysWhyNothingIsSent(t *testing.T) {
	b := setup(t)
	e := b.Endpoint("WEBHOOK_TEST")
	b.SendTests(e, 2)
	require.Equal(t, domain.EndpointHealth{Status: domain.HealthHeld, Held: 2}, b.health(e))
	b.ActiveKey()
	require.Equal(t, domain.EndpointHealth{Status: domain.HealthHealthy, Waiting: 2}, b.health(e))
	b.work(always(pgtest.Answer{Status: 200}))
	b.failEndpoint(e)
	b.SendTests(e, 2)
	h := b.health(e)
	require.Equal(t, []any{domain.HealthFailing, true, 0, delivery.FailingAfter, 2}, []any{h.Status, h.FailingSince != nil, h.Held, h.Retrying, h.Waiting})
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	h = b.health(e)
	require.Equal(t, []any{domain.HealthDisabled, true, 2 + delivery.FailingAfter, 0, 0}, []any{h.Status, h.FailingSince != nil, h.Held, h.Retrying, h.Waiting})
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'INACTIVE', activated_at = NULL`))
	require.Equal(t, domain.HealthDisabled, b.health(e).Status)
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Equal(t, domain.HealthHeld, b.health(e).Status)
}

func TestHealth_CountsUpTo10000(t *testing.T) {
	b := setup(t)
	e := b.Endpoint("WEBHOOK_TEST")
	b.fill(e, deliveries.WaitingCounted+1)
	require.Equal(t, 10_000, b.health(e).Held)
}

func TestFlush_OfADisabledEndpointDoesNothing(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	b.SendTests(e, 3)
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	b.Write(b.Call, func(r *store.Records) error {
		count, warnings, err := r.Webhooks.FlushEndpoint(t.Context(), e.WireID())
		require.Zero(t, count)
		require.Len(t, warnings, 1)
		require.Equal(t, refusal.EndpointDisabled, warnings[0].Code)
		return err
	})
	require.Equal(t, delivery.FailingAfter, b.failures(e))
}

func of(attempts []deliveries.Attempt, d id.UUID) bool {
	return slices.Contains(deliveriesOf(attempts), d)
}
