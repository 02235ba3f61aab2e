package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/internal/webhooks/delivery"
)

const day = 24 * time.Hour

func (b *bundle) prune(keep store.Retention) domain.Pruned {
	b.Helper()
	p, err := b.Operator.Upkeep.Prune(b.Context(), keep, func(domain.Pruned) {}, func(string, error) {})
	require.NoError(b, err)
	return p
}

func TestPrune_DeletesAttemptsBeforeEvents(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	done, open := b.Endpoint(), b.Endpoint()
	b.SendTests(done, 2)
	b.SendTests(open, 1)
	var delivered, failed, retrying id.UUID
	for _, a := range b.Claim() {
		switch {
		case a.EndpointID == open.ID:
			retrying = a.DeliveryID
			b.End(a, 500)
		case delivered == id.Nil:
			delivered = a.DeliveryID
			b.End(a, 200)
		default:
			failed = a.DeliveryID
			b.End(a, 500)
			b.Write(b.Call, func(r *store.Records) error {
				return r.Webhooks.CancelDelivery(t.Context(), delivery.Record{ID: failed}.WireID(), "why")
			})
		}
	}
	logged := func(delivery id.UUID) int {
		return b.Count(`SELECT count(*) FROM webhook_attempt WHERE delivery_id = $1`, delivery)
	}
	keep := store.Retention{Attempts: 4 * day}
	b.Pass(3 * day)
	require.Zero(t, b.prune(keep).Attempts, "they are younger")
	b.Pass(2 * day)
	require.Zero(t, b.prune(store.Retention{}).Attempts, "they go with their events when nothing else is asked for")
	pruned := b.prune(keep)
	require.EqualValues(t, 2, pruned.Attempts)
	require.Zero(t, pruned.Events)
	require.Zero(t, logged(delivered)+logged(failed))
	require.Equal(t, 1, logged(retrying), "the attempts of what can still be sent stay")

	for _, d := range []id.UUID{delivered, failed} {
		b.Write(b.Call, func(r *store.Records) error {
			return r.Webhooks.RetryDelivery(t.Context(), delivery.Record{ID: d}.WireID())
		})
		require.Equal(t, 2, b.ClaimForRun(done).Attempts[0].Number, "retry_count goes on from what was logged before")
	}
	require.Zero(t, b.prune(keep).Attempts)
}

// TestPrune_WorksInBatches prunes more than a statement takes, and says how
// far it is.
func TestPrune_WorksInBatches(t *testing.T) {
	b := setup(t)
	e := b.Endpoint()
	const events, deliveries, attempts = 12_000, 40, 300 // the attempts of one delivery fall into two batches
	old := b.Now().Add(-20 * day)
	require.NoError(t, b.Exec(`
		WITH made AS (INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'WEBHOOK_TEST', $2, 'u', 'SYSTEM', '{}' FROM generate_series(1, $3::int) n RETURNING id),
		owed AS (INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, created_at, updated_at)
			SELECT id, $1, id, $4, 'FAILED', $6, $2, $2 FROM made ORDER BY id LIMIT $5 RETURNING id)
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
		SELECT owed.id, n, $4, 'FAILED', 'k', $2, false, 0, '', '', '' FROM owed, generate_series(1, $6::int) n`, b.Account.ID, old, events, e.ID, deliveries, attempts))
	var told []domain.Pruned
	p, err := b.Operator.Upkeep.Prune(t.Context(), store.Retention{Attempts: 10 * day}, func(p domain.Pruned) { told = append(told, p) }, func(string, error) {})
	require.NoError(t, err)
	require.EqualValues(t, deliveries*attempts, p.Attempts)
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_attempt`))
	require.GreaterOrEqual(t, len(told), deliveries*attempts/5000)
	require.Equal(t, p, told[len(told)-1])

	told = nil
	p, err = b.Operator.Upkeep.Prune(t.Context(), store.Retention{Events: 10 * day}, func(p domain.Pruned) { told = append(told, p) }, func(string, error) {})
	require.NoError(t, err)
	require.EqualValues(t, events, p.Events)
	require.GreaterOrEqual(t, len(told), events/5000)
	require.Equal(t, p, told[len(told)-1])
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event WHERE occurred_at < now() - interval '1 day'`))
}

func TestPrune_KeepsADeliveryThatIsRetriedMeanwhile(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	d := b.Claim()[0]
	b.End(d, 200)
	b.Pass(40 * day)
	b.Write(b.Call, func(r *store.Records) error {
		err := r.Webhooks.RetryDelivery(t.Context(), delivery.Record{ID: d.DeliveryID}.WireID())
		b.prune(store.Retention{}) // does not wait
		return err
	})
	require.Equal(t, delivery.Retrying, b.StateOf(d.DeliveryID))
	require.Equal(t, 2, b.ClaimForRun(e).Attempts[0].Number)
}

func TestPrune_KeepsResultsOfOpenRuns(t *testing.T) {
	b := setup(t)
	run := b.Run()
	require.NoError(t, only(b.Store.LongRuns.KeepRecovered(t.Context(), run, id.WebhookConfigID{}, domain.Recovered{Count: 1})))
	request := b.Call
	request.IdempotencyKey, request.BodySHA256 = "key", make([]byte, 32)
	b.Write(request, func(*store.Records) error { return nil })
	begun := b.Now().Add(-time.Minute)
	b.Pass(100 * day)
	p := b.prune(store.Retention{OldestRun: begun})
	require.EqualValues(t, 1, p.Outcomes, "no run asks for the outcome of a request: the open run of one tenant keeps none of another's keys")
	p = b.prune(store.Retention{OldestRun: begun.Add(day)})
	require.EqualValues(t, 1, p.Outcomes)
}

// A recovery has the key of its request. A repeat that found parts of it, and no end, would
// continue it.
func TestPrune_KeepsARecoveryWhilePartsRemain(t *testing.T) {
	b := setup(t)
	const parts = 5001 // one more than a batch
	require.NoError(t, b.Exec(`
		INSERT INTO outcome (run_id, organization_id, environment, operation, key, body_sha256, content, created_at)
		SELECT 'recovery', gen_random_uuid(), 'sandbox', 'x', 'key', sha256(''), '{}', now()`))
	require.NoError(t, b.Exec(`
		INSERT INTO outcome (run_id, organization_id, environment, operation, content, created_at)
		SELECT 'recovery/' || n, gen_random_uuid(), 'sandbox', 'x', '{}', now() - interval '1 hour' FROM generate_series(1, $1) n`, parts))
	b.age(100 * day)
	b.Pass(100 * day)
	var left []int
	_, err := b.Operator.Upkeep.Prune(t.Context(), store.Retention{}, func(p domain.Pruned) {
		if p.Outcomes > 0 && p.Outcomes < parts {
			left = append(left, b.Count(`SELECT count(*) FROM outcome WHERE key IS NOT NULL`))
		}
	}, func(string, error) { t.Error("failed") })
	require.NoError(t, err)
	require.Equal(t, []int{1}, left)
	require.Zero(t, b.Count(`SELECT count(*) FROM outcome`))
}

// TestPrune_HasMinimumAges prunes with what a schedule of another
// version might say.
func TestPrune_HasMinimumAges(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.SendTests(b.Endpoint(), 1)
	b.End(b.Claim()[0], 200)
	b.publishOne()
	b.mustCalculate()
	b.Pass(23 * time.Hour)
	p := b.prune(store.Retention{Events: 1, Attempts: 1, Outcomes: 1})
	require.Zero(t, p)
	b.Pass(4 * day)
	p = b.prune(store.Retention{Events: 1, Attempts: 1, Outcomes: 1})
	require.Zero(t, p.Events)
	require.EqualValues(t, 1, p.Attempts)
	require.Positive(t, p.Outcomes)
}

func TestPrune_DeletesUnusedRuleVersions(t *testing.T) {
	b := setup(t)
	named := b.publish(rule("NAMED", ""))
	b.mustCalculate()
	forgotten := b.publish(rule("FORGOTTEN", ""))
	b.Pass(40 * day)
	current := b.publish(rule("CURRENT", ""))
	require.Zero(t, b.prune(store.Retention{}).RuleVersions, "another replaced it a moment ago")
	b.Pass(31 * day)
	require.EqualValues(t, 1, b.prune(store.Retention{}).RuleVersions)
	kept := func(p calculation.Publication) bool {
		_, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), p.WireID())
		return err == nil
	}
	require.True(t, kept(named), "a document's reason names it")
	require.False(t, kept(forgotten))
	require.True(t, kept(current))
	require.Equal(t, current.Version+1, b.publish(rule("NEXT", "")).Version)
	b.mustCalculate() // NAMED is not required any more, and its document stays as it was
	b.Pass(31 * day)
	b.publish(rule("LAST", ""))
	b.Pass(31 * day)
	b.prune(store.Retention{})
	require.True(t, kept(named))
}

// TestPrune_OneStepsFailureEndsNoOther, and is reported with its name.
func TestPrune_OneStepsFailureEndsNoOther(t *testing.T) {
	steps := []struct{ table, failed string }{ // events first: the others' steps delete them
		{"webhook_event", "events"}, {"nonce", "nonces"}, {"outcome", "outcomes"}, {"webhook_replay", "replays"},
		{"decision", "decisions"}, {"rule_set", "rule versions"}, {"rule_proposal", "proposals"}, {"recalculation", "recalculations"}, {"webhook_attempt", "attempts"},
	}
	b := setup(t)
	b.publish(rule("OLD", ""))
	b.mustCalculate()
	b.publish(rule("NEW", ""))
	b.Pass(40 * day)
	require.NoError(t, b.Exec(`CREATE FUNCTION refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`))
	for _, step := range steps {
		require.NoError(t, b.Exec(`CREATE TRIGGER refuses BEFORE DELETE ON `+step.table+` EXECUTE FUNCTION refuse_delete()`))
		var failed []string
		_, err := b.Operator.Upkeep.Prune(t.Context(), store.Retention{Attempts: 10 * day}, func(domain.Pruned) {}, func(step string, err error) {
			require.ErrorContains(t, err, "the disk is full")
			failed = append(failed, step)
		})
		for _, name := range failed {
			require.ErrorContains(t, err, "prune "+name+": ")
		}
		require.Equal(t, step.failed, strings.Join(failed, " "), step.table)
		require.NoError(t, b.Exec(`DROP TRIGGER refuses ON `+step.table))
	}
	require.NoError(t, only(b.Operator.Upkeep.Prune(t.Context(), store.Retention{}, func(domain.Pruned) {}, func(string, error) { t.Error("failed") })))
}
