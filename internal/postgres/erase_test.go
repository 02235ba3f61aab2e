package postgres_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// TestErase_WaitsForACalculation takes the locks of a calculation, in its order,
// while a business is erased.
func TestErase_WaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.publishOne()
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)))
	erased := make(chan error, 1)
	go func() { erased <- only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)) }()
	b.awaitLock("the erasure")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM business FOR SHARE`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.Zero(t, b.count(`SELECT count(*) FROM person WHERE citizenship IS NOT NULL`))
}

// TestErase_RejectsLaterChanges: what would change the business, or decide by it,
// is refused, and the record says since when.
func TestErase_RejectsLaterChanges(t *testing.T) {
	b := setup(t)
	b.publishOne()
	person := b.person.WireID()
	for range 2 { // again does no harm
		require.NoError(t, only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)))
		b.pass(time.Hour)
	}
	r := b.store.Records(b.call.Scope)
	found, err := r.Business(t.Context(), b.business.WireID())
	require.NoError(t, err)
	require.NotNil(t, found.ErasedAt)
	require.Equal(t, 2*time.Hour, b.now().Sub(*found.ErasedAt), "the first time counts")
	date := "2001-01-01"
	for what, err := range map[string]error{
		"update": b.try(b.call, func(r *postgres.Records) error {
			return r.UpdateBusiness(t.Context(), b.business.WireID(), func(b *domain.Business) { b.EstablishedDate = &date })
		}),
		"person":             b.tryPerson(),
		"update of a person": b.try(b.call, func(r *postgres.Records) error { return r.UpdatePerson(t.Context(), person, func(*domain.Person) {}) }),
		"sales":              b.try(b.call, func(r *postgres.Records) error { return only(r.CreateSalesInfo(t.Context(), b.business.WireID(), nil)) }),
		"workflow":           b.tryWorkflow(domain.Created),
		"calculate":          only(b.store.LoadFacts(t.Context(), b.call, b.workflow.WireID(), b.now())),
		"preview":            only(b.store.Preview(t.Context(), b.call.Scope, b.workflow.WireID(), nil, nil)),
	} {
		found := refused(t, err)
		require.Equal(t, refusal.BusinessErased, found.SubCode, what)
		require.Equal(t, b.business.WireID().String(), found.EntityID)
	}
	open, err := r.CountOpen(t.Context(), b.account.WireID())
	require.NoError(t, err)
	require.Zero(t, open, "a preview of all workflows leaves it out")
}

// inFlight makes a workflow of the business, whose two events are in flight.
func (b *bundle) inFlight() []deliveries.Attempt {
	b.Helper()
	b.activeKey()
	b.endpoint("WORKFLOW_CREATED", "WORKFLOW_STARTED")
	require.NoError(b, b.tryWorkflow(domain.Started))
	attempts := b.claim()
	require.Len(b, attempts, 2)
	return attempts
}

func echoing(a deliveries.Attempt, status int) deliveries.AttemptEnd {
	return deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: status, Body: "thanks for Quillfeather"}}
}

func (b *bundle) echoes() int {
	return b.count(`SELECT count(*) FROM webhook_attempt WHERE response_body LIKE '%Quillfeather%'`)
}

// TestErase_TheEndOfAnAttemptWaitsForIt, and so does a replay, which would send an
// event that is not marked yet.
func TestErase_TheEndOfAnAttemptWaitsForIt(t *testing.T) {
	for _, status := range []int{200, 500} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			b := setup(t)
			attempts := b.inFlight()
			_, err := endAll(t.Context(), b.store, echoing(attempts[0], status))
			require.NoError(t, err)
			require.Equal(t, 1, b.echoes())
			late := b.endpoint()
			var replay id.RunID
			b.write(b.call, func(r *postgres.Records) (err error) {
				replay, err = r.Replay(t.Context(), domain.ReplayRequest{ConfigID: late.WireID(), Since: b.now().Add(-time.Hour)})
				return err
			})
			tx, err := b.pool().Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
			require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_attempt WHERE response_body <> '' FOR UPDATE`)))
			erased, replayed := make(chan error, 1), make(chan error, 1)
			go func() { erased <- only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)) }()
			b.awaitLock("the erasure")

			_, rest, err := b.store.Deliveries().EndSuccesses(t.Context(), []deliveries.AttemptEnd{echoing(attempts[1], status)})
			require.NoError(t, err)
			require.Len(t, rest, 1)
			require.True(t, db.Busy(only(b.store.Deliveries().EndAttempts(t.Context(), []deliveries.AttemptEnd{echoing(attempts[1], status)}))))
			go func() { replayed <- only(b.store.Deliveries().ReplaySome(b.Context(), replay)) }()
			b.awaitLocks(2, "the erasure and the replay")
			require.NoError(t, tx.Commit(t.Context()))
			require.NoError(t, <-erased)
			require.NoError(t, <-replayed)

			nexts, err := endAll(t.Context(), b.store, echoing(attempts[1], status))
			require.NoError(t, err)
			require.NotEqual(t, delivery.Sending, nexts[0].Outcome)
			for _, a := range b.claim() {
				require.NoError(t, only(endAll(t.Context(), b.store, echoing(a, status))))
			}
			require.Equal(t, 1, b.echoes(), "of the activation of the key, which is the event of no business")
		})
	}
}

// TestErase_WaitsForTheEndOfAnAttempt that has locked its delivery.
func TestErase_WaitsForTheEndOfAnAttempt(t *testing.T) {
	b := setup(t)
	attempts := b.inFlight()
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_delivery WHERE id = $1 FOR UPDATE`, attempts[1].DeliveryID)))
	require.NoError(t, only(tx.Exec(t.Context(), `UPDATE webhook_attempt SET response_body = 'Quillfeather' WHERE delivery_id = $1`, attempts[1].DeliveryID)))
	erased := make(chan postgres.Erasure, 1)
	go func() {
		done, err := b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)
		if err != nil {
			b.Error(err)
		}
		erased <- done
	}()
	b.awaitLock("the erasure")
	require.NoError(t, tx.Commit(t.Context()))
	require.EqualValues(t, 1, (<-erased).Answers)
	require.Zero(t, b.echoes())
}

// TestErase_PruningLeavesItsDeliveries, so that neither waits for the other.
func TestErase_PruningLeavesItsDeliveries(t *testing.T) {
	b := setup(t)
	for _, a := range b.inFlight() {
		require.NoError(t, only(endAll(t.Context(), b.store, echoing(a, 200))))
	}
	b.pass(5 * day)
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_attempt FOR UPDATE`)))
	erased := make(chan error, 1)
	go func() { erased <- only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)) }()
	b.awaitLock("the erasure")
	keep := postgres.Retention{Attempts: 4 * day}
	require.Zero(t, b.prune(keep).Attempts)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.EqualValues(t, 2, b.prune(keep).Attempts)
}
