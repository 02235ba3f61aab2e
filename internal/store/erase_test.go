package store_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// TestErase_WaitsForACalculation takes the locks of a calculation, in its order,
// while a business is erased.
func TestErase_WaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.publishOne()
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)))
	erased := make(chan error, 1)
	go func() { erased <- only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)) }()
	b.AwaitLock("the erasure")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock_shared(hashtextextended('business/' || id::text, 0)) FROM business`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.Zero(t, b.Count(`SELECT count(*) FROM person WHERE citizenship IS NOT NULL`))
}

// TestErase_RejectsLaterChanges: what would change the business, or decide by it,
// is refused, and the record says since when.
func TestErase_RejectsLaterChanges(t *testing.T) {
	b := setup(t)
	b.publishOne()
	person := b.Person.WireID()
	for range 2 { // again does no harm
		require.NoError(t, only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)))
		b.Pass(time.Hour)
	}
	r := b.Store.Records(b.Call.Scope)
	found, err := r.Businesses.Get(t.Context(), b.Business.WireID())
	require.NoError(t, err)
	require.NotNil(t, found.ErasedAt)
	require.Equal(t, 2*time.Hour, b.Now().Sub(*found.ErasedAt), "the first time counts")
	date := "2001-01-01"
	for what, err := range map[string]error{
		"update": b.Try(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.EstablishedDate = &date })
		}),
		"person": b.tryPerson(),
		"update of a person": b.Try(b.Call, func(r *store.Records) error {
			return r.Persons.Update(t.Context(), person, domain.CustomChange{}, func(*domain.Person) {})
		}),
		"sales": b.Try(b.Call, func(r *store.Records) error {
			return only(r.Businesses.CreateSalesInfo(t.Context(), b.Business.WireID(), id.SalesInfoID{}, nil))
		}),
		"workflow":  b.tryWorkflow(domain.Created),
		"calculate": only(b.Store.LoadFacts(t.Context(), b.Call, b.Workflow.WireID(), b.Now())),
		"preview":   only(b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, nil)),
	} {
		found := pgtest.Refused(t, err)
		require.Equal(t, refusal.BusinessErased, found.SubCode, what)
		require.Equal(t, b.Business.WireID().String(), found.EntityID)
	}
	open, err := r.Previews.CountOpen(t.Context(), b.Account.WireID())
	require.NoError(t, err)
	require.Zero(t, open, "a preview of all workflows leaves it out")

	require.NoError(t, b.Exec(`UPDATE workflow SET state = 'ENDED', ended_at = now()`))
	for what, err := range map[string]error{
		"calculate": only(b.Store.LoadFacts(t.Context(), b.Call, b.Workflow.WireID(), b.Now())),
		"preview":   only(b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, nil)),
	} {
		require.Equal(t, refusal.WorkflowEnded, pgtest.Refused(t, err).SubCode, what)
	}
}

// inFlight makes a workflow of the business, whose two events are in flight.
func (b *bundle) inFlight() []deliveries.Attempt {
	b.Helper()
	b.ActiveKey()
	b.Endpoint("WORKFLOW_CREATED", "WORKFLOW_STARTED")
	require.NoError(b, b.tryWorkflow(domain.Started))
	attempts := b.Claim()
	require.Len(b, attempts, 2)
	return attempts
}

func echoing(a deliveries.Attempt, status int) deliveries.AttemptEnd {
	return deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: status, Body: "thanks for Quillfeather"}}
}

func (b *bundle) echoes() int {
	return b.Count(`SELECT count(*) FROM webhook_attempt WHERE response_body LIKE '%Quillfeather%'`)
}

// TestErase_TheEndOfAnAttemptWaitsForIt, and so does a replay, which would send an
// event that is not marked yet.
func TestErase_TheEndOfAnAttemptWaitsForIt(t *testing.T) {
	for _, status := range []int{200, 500} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			b := setup(t)
			attempts := b.inFlight()
			_, err := pgtest.EndAll(t.Context(), b.Store, echoing(attempts[0], status))
			require.NoError(t, err)
			require.Equal(t, 1, b.echoes())
			late := b.Endpoint()
			var replay id.RunID
			b.Write(b.Call, func(r *store.Records) (err error) {
				replay, err = r.Webhooks.Replay(t.Context(), domain.ReplayRequest{ConfigID: late.WireID(), Since: b.Now().Add(-time.Hour)})
				return err
			})
			tx, err := b.Pool().Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
			require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_attempt WHERE response_body <> '' FOR UPDATE`)))
			erased, replayed := make(chan error, 1), make(chan error, 1)
			go func() { erased <- only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)) }()
			b.AwaitLock("the erasure")

			_, rest, err := b.Store.Deliveries.Ends.EndWithoutWaiting(t.Context(), []deliveries.AttemptEnd{echoing(attempts[1], status)})
			require.NoError(t, err)
			require.Len(t, rest, 1)
			require.True(t, db.Busy(only(b.Store.Deliveries.Ends.EndAttempts(t.Context(), []deliveries.AttemptEnd{echoing(attempts[1], status)}))))
			go func() { replayed <- only(b.Store.Deliveries.Replays.ReplaySome(b.Context(), replay)) }()
			b.AwaitLocks(2, "the erasure and the replay")
			require.NoError(t, tx.Commit(t.Context()))
			require.NoError(t, <-erased)
			require.NoError(t, <-replayed)

			nexts, err := pgtest.EndAll(t.Context(), b.Store, echoing(attempts[1], status))
			require.NoError(t, err)
			require.NotEqual(t, delivery.AttemptSending, nexts[0].Outcome)
			for _, a := range b.Claim() {
				require.NoError(t, only(pgtest.EndAll(t.Context(), b.Store, echoing(a, status))))
			}
			require.Equal(t, 1, b.echoes(), "of the activation of the key, which is the event of no business")
		})
	}
}

// TestErase_WaitsForTheEndOfAnAttempt that has locked its delivery.
func TestErase_WaitsForTheEndOfAnAttempt(t *testing.T) {
	b := setup(t)
	attempts := b.inFlight()
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_delivery WHERE id = $1 FOR UPDATE`, attempts[1].DeliveryID)))
	require.NoError(t, only(tx.Exec(t.Context(), `UPDATE webhook_attempt SET response_body = 'Quillfeather' WHERE delivery_id = $1`, attempts[1].DeliveryID)))
	erased := make(chan store.Erasure, 1)
	go func() {
		done, err := b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)
		if err != nil {
			b.Error(err)
		}
		erased <- done
	}()
	b.AwaitLock("the erasure")
	require.NoError(t, tx.Commit(t.Context()))
	require.EqualValues(t, 1, (<-erased).Answers)
	require.Zero(t, b.echoes())
}

// TestErase_PruningLeavesItsDeliveries, so that neither waits for the other.
func TestErase_PruningLeavesItsDeliveries(t *testing.T) {
	b := setup(t)
	for _, a := range b.inFlight() {
		require.NoError(t, only(pgtest.EndAll(t.Context(), b.Store, echoing(a, 200))))
	}
	b.Pass(5 * day)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM webhook_attempt FOR UPDATE`)))
	erased := make(chan error, 1)
	go func() { erased <- only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)) }()
	b.AwaitLock("the erasure")
	keep := store.Retention{Attempts: 4 * day}
	require.Zero(t, b.prune(keep).Attempts)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.EqualValues(t, 2, b.prune(keep).Attempts)
}
