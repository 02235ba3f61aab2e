package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
)

// Retention is how long records are kept before they are pruned. A zero field means the default. A
// value below the minimum means the minimum, so that no argument of a schedule can delete what is
// still needed.
type Retention struct {
	// Events counts from the creation of an event, and applies once all its deliveries have ended.
	// It includes the deliveries and attempts.
	Events time.Duration `json:"events,omitempty"`
	// Attempts counts from their start, and applies once their delivery has ended. Zero keeps them
	// as long as their event, which is also the maximum.
	Attempts time.Duration `json:"attempts,omitempty"`
	// Outcomes is for those of requests with an idempotency key, and of Temporal runs.
	Outcomes time.Duration `json:"outcomes,omitempty"`
	// RuleVersions counts from the replacement of a version, and applies once no document, finding
	// or decision names it.
	RuleVersions time.Duration `json:"rule_versions,omitempty"`
	// Decisions counts from the end of the month (UTC) in which they were made.
	Decisions time.Duration `json:"decisions,omitempty"`
	// OldestRun is when the oldest open run started. Outcomes of runs since then are kept, because
	// a run may still ask for its outcome. The zero time means that no run is open.
	OldestRun time.Time `json:"-"`
}

// Defaults and minimums.
const (
	DefaultEventLife   = 30 * 24 * time.Hour
	DefaultOutcomeLife = 48 * time.Hour
	DefaultRuleLife    = 30 * 24 * time.Hour
	// DefaultDecisionLife is seven years, with their leap days.
	DefaultDecisionLife = (7*365 + 2) * 24 * time.Hour
	MinDecisionLife     = 30 * 24 * time.Hour
	// MinRuleLife is longer than a calculation uses a version after reading it.
	MinRuleLife = 24 * time.Hour
	// MinEventLife is longer than a delivery's schedule, with time to notice that the delivery has
	// failed.
	MinEventLife = 7 * 24 * time.Hour
	// MinAttemptLife is longer than a delivery's schedule of three and a half days.
	MinAttemptLife = 4 * 24 * time.Hour
	// MinOutcomeLife is how long repeats of a request are guaranteed to work.
	MinOutcomeLife = 24 * time.Hour
)

// bounded applies defaults and minimums.
func (k Retention) bounded() Retention {
	k.Events = max(cmp.Or(k.Events, DefaultEventLife), MinEventLife)
	k.Attempts = min(max(cmp.Or(k.Attempts, k.Events), MinAttemptLife), k.Events)
	k.Outcomes = max(cmp.Or(k.Outcomes, DefaultOutcomeLife), MinOutcomeLife)
	k.Decisions = max(cmp.Or(k.Decisions, DefaultDecisionLife), MinDecisionLife)
	k.RuleVersions = max(cmp.Or(k.RuleVersions, DefaultRuleLife), MinRuleLife)
	return k
}

// pruneBatch limits the rows that one statement reads or deletes, so that pruning never holds locks
// for long.
const pruneBatch = 5000

// Prune deletes expired nonces, and records older than their retention. It keeps open deliveries
// and their attempts, however old they are. Each batch is a transaction, after which Prune calls
// progress with the counts so far. A failure does not undo earlier batches. A step that fails does
// not stop the others: Prune calls failed with its name, and returns all errors. It is safe to run
// at any time, also concurrently.
func (s Upkeep) Prune(ctx context.Context, keep Retention, progress func(domain.Pruned), failed func(step string, err error)) (domain.Pruned, error) {
	keep, now := keep.bounded(), s.db.Clock()
	var p domain.Pruned
	outcomes := now.Add(-keep.Outcomes)
	ofRuns := outcomes
	if begun := keep.OldestRun.Add(-db.ClockSkew); !keep.OldestRun.IsZero() && begun.Before(outcomes) {
		ofRuns = begun
	}
	counting := func(count *int64) func(int64) { return func(n int64) { *count += n; progress(p) } }
	var errs []error
	for _, step := range []struct {
		name  string
		prune func() error
	}{
		// The database's clock counts, too: if this process's clock were ahead, a request that is
		// still accepted could be replayed.
		{"nonces", func() error {
			return s.pruneRows(ctx, counting(&p.Nonces), `nonce WHERE expires_at <= least($1, now())`, now)
		}},
		// The oldest come first. The parts of a recovery have outcomes that are older than the one
		// with the idempotency key. So a key that may be used again finds no parts of its earlier
		// use.
		{"outcomes", func() error {
			return s.pruneRows(ctx, counting(&p.Outcomes), `outcome WHERE created_at <= $1
					AND (created_at <= $2 OR starts_with(run_id, '`+requestPrefix+`'))
				ORDER BY created_at`,
				outcomes, ofRuns)
		}},
		{"replays", func() error {
			return s.pruneRows(ctx, counting(&p.Replays), `webhook_replay WHERE ended_at <= $1`, now.Add(-keep.Events))
		}},
		{"events", func() error { return s.pruneEvents(ctx, now.Add(-keep.Events), counting(&p.Events)) }},
		{"decisions", func() error { return s.pruneDecisions(ctx, now.Add(-keep.Decisions), counting(&p.Decisions)) }},
		{"rule versions", func() error { return s.pruneRuleVersions(ctx, now.Add(-keep.RuleVersions), counting(&p.RuleVersions)) }},
		{"proposals", func() error {
			return s.pruneRows(ctx, counting(&p.Proposals), `rule_proposal WHERE state <> 'APPROVED'
					AND coalesce(decided_at, proposed_at) <= $1`,
				now.Add(-ProposalLife))
		}},
		// The last start of an account decides when the next is due.
		{"recalculations", func() error {
			return s.pruneRows(ctx, counting(&p.Recalculations), `recalculation r WHERE r.ended_at <= $1
				AND (r.requested_at IS NULL OR EXISTS (
					SELECT FROM recalculation n
					WHERE n.account_id = r.account_id
						AND (n.requested_at, n.id) > (r.requested_at, r.id)))`,
				now.Add(-keep.Events))
		}},
		{"attempts", func() error {
			if keep.Attempts == keep.Events {
				return nil
			}
			return s.pruneAttempts(ctx, now.Add(-keep.Attempts), counting(&p.Attempts))
		}},
	} {
		if err := step.prune(); err != nil {
			errs = append(errs, fmt.Errorf("prune %s: %w", step.name, err))
			if ctx.Err() != nil {
				break
			}
			failed(step.name, err)
		}
	}
	return p, errors.Join(errs...)
}

// pruneRows deletes, in batches, the rows of a table that a condition selects. from must begin with
// the table's name and a blank.
func (s Upkeep) pruneRows(ctx context.Context, progress func(int64), from string, args ...any) error {
	table, _, _ := strings.Cut(from, " ")
	for {
		tag, err := s.db.Exec(ctx, `DELETE FROM `+table+` WHERE ctid = ANY (ARRAY(SELECT ctid FROM `+from+` LIMIT `+strconv.Itoa(pruneBatch)+`))`, args...)
		if err != nil {
			return err
		}
		progress(tag.RowsAffected())
		if tag.RowsAffected() < pruneBatch {
			return nil
		}
	}
}

// pruneEvents deletes events with their deliveries and attempts, oldest first, each batch in a
// transaction. A locked delivery, which is being retried or erased, is left to the next call, with
// its event.
func (s Upkeep) pruneEvents(ctx context.Context, before time.Time, progress func(int64)) error {
	var after id.UUID
	for {
		// Ids have the order of creation, so that newer events are not read.
		batch, err := db.Column[id.UUID](ctx, s.db, `SELECT id FROM webhook_event WHERE occurred_at < $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4`,
			before, after, id.FirstAt(before), pruneBatch/5)
		if err != nil {
			return fmt.Errorf("find old events: %w", err)
		}
		if len(batch) == 0 {
			return nil
		}
		after = batch[len(batch)-1]
		var deleted int64
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `
				DELETE FROM webhook_delivery WHERE id IN (
					SELECT d.id FROM webhook_delivery d WHERE d.event_id = ANY ($1) AND d.state IN ('DELIVERED', 'FAILED', 'CANCELED')
						AND NOT EXISTS (SELECT FROM webhook_delivery o WHERE o.event_id = d.event_id AND o.state NOT IN ('DELIVERED', 'FAILED', 'CANCELED'))
					FOR UPDATE OF d SKIP LOCKED)`, batch)
			if err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, `
				DELETE FROM webhook_event v WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)`, batch)
			deleted = tag.RowsAffected()
			return err
		})
		if err != nil {
			return fmt.Errorf("delete old events: %w", err)
		}
		progress(deleted)
	}
}

// decisionBatch limits the decisions that one statement deletes, because each may have a megabyte.
const decisionBatch = 1000

// pruneDecisions deletes the decisions of months that ended before a time, oldest first.
func (s Upkeep) pruneDecisions(ctx context.Context, before time.Time, progress func(int64)) error {
	for {
		var deleted int64
		if err := s.db.Pool.QueryRow(ctx, `SELECT prune_decisions($1, $2)`, before, decisionBatch).Scan(&deleted); err != nil {
			return err
		}
		progress(deleted)
		if deleted < decisionBatch {
			return nil
		}
	}
}

// pruneAttempts deletes old attempts of deliveries that have ended. It walks along older
// deliveries, which have few attempts left: only open deliveries keep theirs. A delivery has its
// own counter of attempts, which continues when it is retried. pruneAttempts locks deliveries
// before their attempts, as all code does. Locked deliveries are left to the next call.
func (s Upkeep) pruneAttempts(ctx context.Context, before time.Time, progress func(int64)) error {
	type batch struct {
		DeliveryID id.UUID
		Number     int
		Deleted    int64
	}
	var after batch
	for {
		last, ok, err := db.One[batch](ctx, s.db, `
			WITH looked AS MATERIALIZED (
				SELECT delivery_id, number, started_at FROM webhook_attempt
				WHERE (delivery_id, number) > ($2, $3::int) AND delivery_id < $4 ORDER BY delivery_id, number LIMIT $5),
			ended AS MATERIALIZED (
				SELECT d.id FROM webhook_delivery d WHERE d.id IN (SELECT delivery_id FROM looked WHERE started_at < $1)
					AND d.state IN ('DELIVERED', 'FAILED', 'CANCELED') FOR UPDATE OF d SKIP LOCKED),
			deleted AS (
				DELETE FROM webhook_attempt a USING looked, ended
				WHERE a.delivery_id = looked.delivery_id AND a.number = looked.number AND looked.started_at < $1 AND ended.id = a.delivery_id
				RETURNING 1)
			SELECT delivery_id, number, (SELECT count(*) FROM deleted) AS deleted FROM looked ORDER BY delivery_id DESC, number DESC LIMIT 1`,
			before, after.DeliveryID, after.Number, id.FirstAt(before), pruneBatch)
		if err != nil {
			return fmt.Errorf("delete old attempts: %w", err)
		}
		if !ok {
			return nil
		}
		progress(last.Deleted)
		after = last
	}
}

// pruneRuleVersions deletes versions of rules that were replaced before a time and that no
// document, finding or decision names.
func (s Upkeep) pruneRuleVersions(ctx context.Context, before time.Time, progress func(int64)) error {
	var after id.UUID
	for {
		batch, err := db.Column[id.UUID](ctx, s.db, `
			SELECT v.id FROM rule_set v WHERE v.id > $2 AND v.published_at < $1
				AND EXISTS (SELECT FROM rule_set n WHERE n.account_id = v.account_id AND n.version > v.version AND n.published_at < $1
					AND (n.effective_from IS NULL OR n.effective_from < ($1 AT TIME ZONE 'UTC')::date))
			ORDER BY v.id LIMIT $3`, before, after, pruneBatch/5)
		if err != nil {
			return fmt.Errorf("find old versions of rules: %w", err)
		}
		if len(batch) == 0 {
			return nil
		}
		after = batch[len(batch)-1]
		names := make([]string, len(batch))
		for i, u := range batch {
			names[i] = id.Format(id.RuleSetVersion, u)
		}
		tag, err := s.db.Exec(ctx, `
			DELETE FROM rule_set WHERE id = ANY ($1) AND id NOT IN (SELECT needed_rule_versions($1, $2, $3))`, batch, names, before)
		if err != nil {
			return fmt.Errorf("delete versions of rules: %w", err)
		}
		progress(tag.RowsAffected())
	}
}
