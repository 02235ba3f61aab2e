package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/store/db"
)

// Recalculations reads and writes the recalculations of accounts.
type Recalculations struct{ *unit }

func (u *unit) recalculations() Recalculations { return Recalculations{u} }

// recalculationColumns reads a domain.Recalculation of recalculation r.
const recalculationColumns = `r.id, r.account_id, r.state,
	r.total, r.changed, r.unchanged, r.with_gaps, r.not_evaluable,
	r.only_stale, r.started_at, r.ended_at`

// Start begins a recalculation of the workflows of an account that have not ended. With onlyStale,
// it includes only those whose documents are not up to date. A worker starts the run after the
// commit. An account has one recalculation at a time.
func (r Recalculations) Start(ctx context.Context, accountID id.AccountID, onlyStale bool) (id.RecalculationID, error) {
	none := func(err error) (id.RecalculationID, error) { return id.RecalculationID{}, err }
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return none(err)
	}
	switch there, err := r.rulesInForce(ctx, account); {
	case err != nil:
		return none(err)
	case !there:
		return none(refusal.Rule(refusal.EntityAccount, accountID.String(), refusal.RulesNotPublished,
			"This account has no rules in force: publish some with account.documentRules.publish first."))
	}
	made, started, err := r.start(ctx, account.ID, onlyStale, r.actor, `DO NOTHING`)
	if err == nil && !started {
		return none(r.inProgress(ctx, account))
	}
	return made, err
}

// inProgress refuses a second recalculation of an account, and names the first.
func (r Recalculations) inProgress(ctx context.Context, account domain.Account) error {
	running, there, err := db.One[struct{ ID id.UUID }](ctx, r.q, `SELECT id FROM recalculation WHERE account_id = $1 AND state = 'RUNNING'`, account.ID)
	if err != nil {
		return fmt.Errorf("find the recalculation of an account: %w", err)
	}
	which := ""
	if there { // the first one may have ended meanwhile
		which = " by " + id.RecalculationID{UUID: running.ID}.String()
	}
	return refusal.Rule(refusal.EntityAccount, account.WireID().String(), refusal.RecalculationInProgress,
		"This account is being recalculated%s: account.recalculation.get shows when that has ended.", which)
}

// startAutomatic starts an automatic recalculation. If one is running, it begins again when it ends.
func (r Recalculations) startAutomatic(ctx context.Context, account id.UUID) error {
	_, _, err := r.start(ctx, account, true, domain.System, `DO UPDATE SET again_at = greatest(recalculation.again_at, excluded.requested_at)`)
	return err
}

func (r Recalculations) start(
	ctx context.Context,
	account id.UUID, onlyStale bool,
	by domain.Actor, onConflict string,
) (made id.RecalculationID, started bool, err error) {
	made.UUID = r.newID()
	tag, err := r.q.Exec(ctx, `
		INSERT INTO recalculation (id, account_id, only_stale, user_id, user_type, traceparent, started_at, requested_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (account_id) WHERE state = 'RUNNING' `+onConflict,
		made.UUID, account, onlyStale, by.UserID, by.UserType, r.trace, r.at)
	if err != nil {
		return made, false, fmt.Errorf("start a recalculation: %w", err)
	}
	return made, tag.RowsAffected() == 1, nil
}

// rulesInForce reports whether an account has rules in force today.
func (r Recalculations) rulesInForce(ctx context.Context, account domain.Account) (bool, error) {
	today, err := r.today(account.TimeZone)
	if err != nil {
		return false, err
	}
	var there bool
	err = r.q.QueryRow(ctx, `SELECT EXISTS (SELECT FROM rule_set v WHERE v.account_id = $1 AND (v.effective_from IS NULL OR v.effective_from <= $2::text::date))`,
		account.ID, today.String()).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for rules in force: %w", err)
	}
	return there, nil
}

// Get finds a recalculation.
func (r Recalculations) Get(ctx context.Context, run id.RecalculationID) (domain.Recalculation, error) {
	found, err := find[domain.Recalculation](ctx, r.unit, refusal.EntityRecalculation, run, `
		SELECT `+recalculationColumns+` FROM recalculation r JOIN account a ON a.id = r.account_id WHERE r.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err == nil {
		r.noteAccount(found.AccountID)
	}
	return found, err
}

// Cancel ends a recalculation. Documents that it has calculated stay calculated. A recalculation
// that has ended stays as it is.
func (r Recalculations) Cancel(ctx context.Context, run id.RecalculationID) error {
	if _, err := r.Get(ctx, run); err != nil {
		return err
	}
	return r.cancel(ctx, run)
}

// cancel ends a recalculation. Then it begins the automatic start that was requested meanwhile,
// unless canceling ends that, too.
func (r Recalculations) cancel(ctx context.Context, run id.RecalculationID) error {
	at, err := runningRecalculation(ctx, r.q, run, ` FOR UPDATE OF r`)
	if err != nil || at.State != domain.RecalculationRunning {
		return err
	}
	zone, err := domain.Zone(at.TimeZone)
	if err != nil {
		return err
	}
	automatic := at.Actor == domain.System
	_, err = r.q.Exec(ctx, `
		UPDATE recalculation
		SET state = 'CANCELED',
			again_at = NULL,
			requested_at = CASE WHEN $3 THEN requested_at END,
			ended_at = greatest(started_at, $2)
		WHERE id = $1`,
		at.ID, r.at, automatic)
	if err != nil {
		return fmt.Errorf("cancel a recalculation: %w", err)
	}
	if calculation.BeginsOnCancel(automatic, zone, at.RequestedAt, at.AgainAt) {
		return r.startAutomatic(ctx, at.AccountID)
	}
	return nil
}

// SetRecalculation sets when the service recalculates an account by itself.
func (r Tenants) SetRecalculation(ctx context.Context, accountID id.AccountID, setting domain.RecalculationSetting) error {
	account, err := r.Get(ctx, accountID)
	if err != nil {
		return err
	}
	if _, err := r.q.Exec(ctx, `UPDATE account SET recalculation = $2 WHERE id = $1`, account.ID, setting); err != nil {
		return fmt.Errorf("change an account: %w", err)
	}
	return nil
}

// RunningRecalculation is a recalculation as a step of its run reads it.
type RunningRecalculation struct {
	domain.Recalculation
	domain.Scope
	TimeZone string
	Round    int
	Cursor   id.UUID // the last workflow that it has handled
	// RequestedAt is when its round was requested. AgainAt is when an automatic start was requested
	// meanwhile.
	RequestedAt time.Time
	AgainAt     *time.Time
	domain.Actor
	Traceparent string
}

// RunningRecalculation reads the progress of a recalculation. A pruned one is CANCELED.
func (s LongRuns) RunningRecalculation(ctx context.Context, run id.RecalculationID) (RunningRecalculation, error) {
	return runningRecalculation(ctx, s.db, run, ``)
}

func runningRecalculation(ctx context.Context, q db.Querier, run id.RecalculationID, lock string) (RunningRecalculation, error) {
	found, there, err := db.One[RunningRecalculation](ctx, q, `
		SELECT `+recalculationColumns+`,
			a.organization_id, a.environment, a.time_zone,
			r.round, r.cursor, coalesce(r.requested_at, r.started_at) AS requested_at, r.again_at,
			r.user_id, r.user_type, r.traceparent
		FROM recalculation r JOIN account a ON a.id = r.account_id WHERE r.id = $1`+lock, run.UUID)
	switch {
	case err != nil:
		return found, fmt.Errorf("read a recalculation: %w", err)
	case !there:
		found.State = domain.RecalculationCanceled
	case found.Round > 1:
		found.automatic()
	}
	return found, nil
}

// CalculationOf returns the run that calculates a workflow in this round of the recalculation.
func (r RunningRecalculation) CalculationOf(workflow id.WorkflowID, at time.Time) domain.Run {
	call := domain.Call{Scope: r.Scope, Actor: r.Actor, Operation: RecalculationOperation, TraceParent: r.Traceparent}
	return domain.Run{ID: r.runPrefix() + workflow.UUID.String(), Call: call, WorkflowID: workflow, StartedAt: at, Recalculation: true}
}

// RecalculationOperation is the operation that decisions and outcomes of a recalculation name.
const RecalculationOperation = "account.recalculation.start"

func (r RunningRecalculation) runPrefix() string { return fmt.Sprintf("%s/%d/", r.WireID(), r.Round) }

// Now is the time for a calculation that begins now.
func (s *Store) Now() time.Time { return s.db.Clock() }

// WorkflowToRecalculate is a workflow that has not ended.
type WorkflowToRecalculate struct {
	ID id.WorkflowID
	// Stale reports whether its facts or its rules differ from those that its documents were
	// calculated with.
	Stale bool
	// CalculatedBy is the version that calculated its documents on another day. It is null if that
	// was today, or without rules.
	CalculatedBy id.NullUUID
	// Outcome is what an earlier try of this round has committed.
	Outcome Outcome
}

// recalculationLook is how many workflows one step of a recalculation reads. recalculationCounted
// is the limit of counting them.
const (
	recalculationLook    = 1000
	recalculationCounted = 100_000
)

// lookedSQL selects up to $3 workflows of account $1 after $2, with whether each is open, and stale
// on day $4. It looks up the rules in force only for open workflows.
var lookedSQL = `
	SELECT w.id, w.open, CASE WHEN w.open AND w.documents_calculated_at IS NOT NULL THEN ` + staleSQL(`$4`) + ` ELSE false END AS stale,
		CASE WHEN w.open AND w.documents_as_of <> $4::text::date THEN w.documents_rule_set_id END AS calculated_by
	FROM (SELECT w.*, w.state <> 'ENDED' AND b.erased_at IS NULL AS open FROM workflow w JOIN business b ON b.id = w.business_id
		WHERE w.account_id = $1 AND w.id > $2 ORDER BY w.id LIMIT $3) w`

// WorkflowsToRecalculate returns those of the next workflows of an account that have not ended.
// last is the last workflow that was read; the nil UUID means that there are no more.
func (s LongRuns) WorkflowsToRecalculate(ctx context.Context, r RunningRecalculation) (open []WorkflowToRecalculate, last id.UUID, err error) {
	today, err := localDate(s.db.Clock(), r.TimeZone)
	if err != nil {
		return nil, last, err
	}
	rows, err := db.Many[struct {
		ID           id.UUID
		Open, Stale  bool
		CalculatedBy id.NullUUID
		Content      []byte
	}](ctx, s.db.Scoped(r.Scope), `SELECT l.*, o.content FROM (`+lookedSQL+`) l LEFT JOIN outcome o ON o.run_id = $5 || l.id::text ORDER BY l.id`,
		r.AccountID, r.Cursor, recalculationLook, today.String(), r.runPrefix())
	if err != nil {
		return nil, last, fmt.Errorf("find workflows to recalculate: %w", err)
	}
	for _, row := range rows {
		last = row.ID
		w := WorkflowToRecalculate{ID: id.WorkflowID{UUID: row.ID}, Stale: row.Stale, CalculatedBy: row.CalculatedBy}
		if row.Content != nil {
			if err := json.Unmarshal(row.Content, &w.Outcome); err != nil {
				return nil, last, fmt.Errorf("read an outcome: %w", err)
			}
		}
		if row.Open || w.Outcome.Committed() {
			open = append(open, w)
		}
	}
	return open, last, nil
}

// CountToRecalculate counts the workflows of a recalculation, unless there are too many, and stores
// the total. countsDays reports whether a version counts days.
func (s LongRuns) CountToRecalculate(ctx context.Context, r RunningRecalculation, countsDays func(id.UUID) (bool, error)) error {
	today, err := localDate(s.db.Clock(), r.TimeZone)
	if err != nil {
		return err
	}
	rows, err := db.Many[struct {
		CalculatedBy         id.NullUUID
		Looked, Open, Others int64
		Stale                int64
	}](ctx, s.db.Scoped(r.Scope), `
		SELECT l.calculated_by, count(*) AS looked, count(*) FILTER (WHERE l.open) AS open, count(*) FILTER (WHERE l.stale) AS stale,
			count(*) FILTER (WHERE l.open AND NOT l.stale) AS others
		FROM (`+lookedSQL+`) l GROUP BY l.calculated_by`, r.AccountID, r.Cursor, recalculationCounted+1, today.String())
	if err != nil {
		return fmt.Errorf("count workflows to recalculate: %w", err)
	}
	var looked int64
	total := r.Done()
	for _, row := range rows {
		looked += row.Looked
		if !r.OnlyStale {
			total += row.Open
			continue
		}
		total += row.Stale
		if row.CalculatedBy.Valid && row.Others > 0 {
			counts, err := countsDays(row.CalculatedBy.UUID)
			if err != nil {
				return err
			}
			if counts {
				total += row.Others
			}
		}
	}
	if looked > recalculationCounted {
		return nil
	}
	_, err = s.db.Exec(ctx, `UPDATE recalculation SET total = $4 WHERE id = $1 AND round = $2 AND cursor = $3 AND total IS NULL`, r.ID, r.Round, r.Cursor, total)
	if err != nil {
		return fmt.Errorf("note how many workflows to recalculate: %w", err)
	}
	return nil
}

// AdvanceRecalculation stores that a recalculation has handled the workflows up to to, with their
// counts. It returns the new progress. The nil UUID means the end: the recalculation is DONE, or
// begins again. If another step of its run has stored that already, nothing changes.
func (s LongRuns) AdvanceRecalculation(
	ctx context.Context,
	r RunningRecalculation, to id.UUID, counts domain.RecalculationCounts,
) (now RunningRecalculation, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		now, err = runningRecalculation(ctx, tx, r.WireID(), ` FOR UPDATE OF r`)
		if err != nil || now.Round != r.Round || now.Cursor != r.Cursor {
			return err
		}
		at := s.db.Clock()
		now.advance(to, counts, at)
		_, err = tx.Exec(ctx, `
			UPDATE recalculation SET state = $2, requested_at = CASE WHEN $3 THEN again_at ELSE requested_at END, again_at = $13, round = $4, cursor = $5, total = $6,
				changed = $7, unchanged = $8, with_gaps = $9, not_evaluable = $10, ended_at = $11, lease = $12 WHERE id = $1`,
			now.ID, now.State, now.Round > r.Round, now.Round, now.Cursor, now.Total,
			now.Changed, now.Unchanged, now.WithGaps, now.NotEvaluable, now.EndedAt, at.Add(domain.RunLease), now.AgainAt)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("note the progress of a recalculation: %w", err)
	}
	return now, nil
}

// advance makes the change that AdvanceRecalculation stores. Counts add up over rounds. At the end,
// the total is what was handled, because some workflows may have ended meanwhile.
func (r *RunningRecalculation) advance(to id.UUID, counts domain.RecalculationCounts, at time.Time) {
	r.RecalculationCounts = r.Plus(counts)
	if r.Total != nil && *r.Total < r.Done() {
		r.Total = new(r.Done())
	}
	switch {
	case to != id.Nil:
		r.Cursor = to
	case r.State != domain.RecalculationRunning:
	case r.AgainAt != nil:
		r.Round, r.Cursor, r.Total = r.Round+1, id.Nil, nil
		r.RequestedAt, r.AgainAt = *r.AgainAt, nil
		r.automatic()
	default:
		if at.Before(r.StartedAt) {
			at = r.StartedAt
		}
		r.State, r.EndedAt, r.Total = domain.RecalculationDone, &at, new(r.Done())
	}
}

// automatic makes it an automatic recalculation.
func (r *RunningRecalculation) automatic() { r.OnlyStale, r.Actor = true, domain.System }

// EndRecalculation cancels a recalculation whose run an operator cancels.
func (s LongRuns) EndRecalculation(ctx context.Context, run id.RecalculationID) (domain.RecalculationProgress, error) {
	at, err := s.RunningRecalculation(ctx, run)
	if err != nil || at.State != domain.RecalculationRunning {
		return at.RecalculationProgress, err
	}
	err = s.inTx(ctx, scheduled(at.Scope), func(_ pgx.Tx, r *unit) error { return r.recalculations().cancel(ctx, run) })
	if err != nil {
		return at.RecalculationProgress, err
	}
	at, err = s.RunningRecalculation(ctx, run)
	return at.RecalculationProgress, err
}

// scheduled is the call of automatic recalculations.
func scheduled(scope domain.Scope) domain.Call {
	return domain.Call{Scope: scope, Actor: domain.System, Operation: string(ScheduleRecalculations)}
}

// accountsAtOnce is how many accounts one statement reads.
const accountsAtOnce = 500

// accountToRecalculate is an account that the service recalculates by itself.
type accountToRecalculate struct {
	domain.Account
	Last *time.Time // when it was last started
}

// StartDueRecalculations starts the recalculations that are due since the last start of each
// account, by the days in the account's time zone, and counts them. It is safe to run at any time,
// also concurrently: a started recalculation is no longer due. An account that fails does not stop
// the others.
func (s Upkeep) StartDueRecalculations(ctx context.Context, progress func(int64), failed func(id.AccountID, error)) (started int64, err error) {
	var last id.UUID
	var failures int
	for {
		accounts, err := db.Many[accountToRecalculate](ctx, s.db, `
			SELECT `+accountColumns+`, greatest((SELECT max(r.requested_at) FROM recalculation r WHERE r.account_id = a.id),
				(SELECT r.again_at FROM recalculation r WHERE r.account_id = a.id AND r.state = 'RUNNING')) AS last
			FROM account a WHERE a.recalculation <> 'MANUAL' AND a.id > $1 ORDER BY a.id LIMIT $2`, last, accountsAtOnce)
		if err != nil {
			return started, fmt.Errorf("find accounts to recalculate: %w", err)
		}
		for _, a := range accounts {
			last = a.ID
			due, err := s.startIfDue(ctx, a)
			switch {
			case ctx.Err() != nil:
				return started, err
			case err != nil:
				failures++
				failed(a.WireID(), err)
			case due:
				started++
			}
			progress(started)
		}
		if len(accounts) < accountsAtOnce {
			break
		}
	}
	if failures > 0 {
		return started, fmt.Errorf("the recalculations of %d accounts could not be started", failures)
	}
	return started, nil
}

func (s Upkeep) startIfDue(ctx context.Context, a accountToRecalculate) (due bool, err error) {
	zone, err := domain.Zone(a.TimeZone)
	if err != nil {
		return false, err
	}
	if !calculation.RecalculationDue(domain.RecalculationDaily, zone, a.Last, s.db.Clock(), nil) { // no day has begun since
		return false, nil
	}
	err = s.inTx(ctx, scheduled(domain.Scope{OrganizationID: a.OrganizationID, Environment: a.Environment}), func(_ pgx.Tx, r *unit) error {
		// A version of this day whose publication has not ended yet counts: this start is the only one of the day.
		if _, err := r.q.Exec(ctx, sharePolicySQL, a.ID); err != nil {
			return fmt.Errorf("share the lock of the policy: %w", err)
		}
		there, err := r.recalculations().rulesInForce(ctx, a.Account)
		if err != nil || !there {
			return err
		}
		today, err := r.today(a.TimeZone)
		if err != nil {
			return err
		}
		// A version that was replaced before its day never comes into force.
		starts, err := db.Column[string](ctx, r.q, `
			SELECT DISTINCT to_char(n.effective_from, 'YYYY-MM-DD')
			FROM rules_not_replaced($1, $2::text::date) n
			WHERE n.state = 'IN_FORCE' AND n.effective_from IS NOT NULL`,
			a.ID, today.String())
		if err != nil {
			return fmt.Errorf("read when rules come into force: %w", err)
		}
		if due = calculation.RecalculationDue(a.Recalculation, zone, a.Last, r.at, starts); !due {
			return nil
		}
		return r.recalculations().startAutomatic(ctx, a.ID)
	})
	return due, err
}
