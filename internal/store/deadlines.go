package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/event"
)

// deadlinesBatch is how many documents of an account are handled before it is another account's
// turn.
const deadlinesBatch = 20

// accountDue is an account with documents that a new day affects.
type accountDue struct {
	AccountID, OrganizationID id.UUID
	Environment               domain.Environment
	Today                     string // in the account's time zone
}

// workflowDue is a workflow with a document that a new day affects.
type workflowDue struct {
	NextOn     string
	WorkflowID id.UUID
}

// ApplyDeadlines applies the dates that have come to all documents. Documents that have expired or
// must be renewed become PENDING again. Events announce what has expired, what is overdue, and what
// expires soon.
//
// Each workflow has its own transaction, and accounts take turns. Locked workflows are left to the
// next call. A workflow that fails does not stop the others: failed is called for it, and the error
// says how many failed. ApplyDeadlines is safe to run at any time, also concurrently: each event of
// a document is sent once for its date.
func (s Upkeep) ApplyDeadlines(ctx context.Context, progress func(domain.Deadlines), failed func(id.WorkflowID, error)) (domain.Deadlines, error) {
	run := deadlinesRun{Upkeep: s, progress: progress, failed: failed, looked: map[id.UUID]workflowDue{}, finished: map[id.UUID]bool{}, busy: map[id.UUID]bool{}}
	for more := true; more; {
		more = false
		accounts, err := run.accountsDue(ctx)
		if err != nil {
			return run.done, err
		}
		for _, account := range accounts {
			if run.over(account) {
				continue
			}
			if err := run.turn(ctx, account); err != nil {
				return run.done, fmt.Errorf("apply the deadlines of account %s: %w", account.Environment.Account(account.AccountID), err)
			}
			more = more || !run.over(account)
		}
	}
	if run.failures > 0 {
		return run.done, errors.Join(run.unknown, fmt.Errorf("the deadlines of %d workflows could not be applied", run.failures))
	}
	return run.done, run.unknown
}

// deadlinesRun is one call of ApplyDeadlines.
type deadlinesRun struct {
	Upkeep
	progress func(domain.Deadlines)
	failed   func(id.WorkflowID, error)
	done     domain.Deadlines
	failures int
	unknown  error                   // a time zone that this program does not know; accounts in other zones are still handled
	looked   map[id.UUID]workflowDue // the last workflow that was handled, by account
	finished map[id.UUID]bool        // the accounts with no more work in this run
	busy     map[id.UUID]bool        // the organizations whose accounts are left to the next call
}

// over reports that an account is not handled any more in this run.
func (run *deadlinesRun) over(account accountDue) bool {
	return run.finished[account.AccountID] || run.busy[account.OrganizationID]
}

// putOff leaves an organization that uses all its connections to the next call. Waiting for a
// connection takes long, and would delay the other organizations.
func (run *deadlinesRun) putOff(account accountDue) {
	run.busy[account.OrganizationID] = true
	run.done.PutOff++
	run.progress(run.done)
}

// turn handles the next documents of an account. An error ends the run.
func (run *deadlinesRun) turn(ctx context.Context, account accountDue) error {
	batch, err := run.workflowsDue(ctx, account, run.looked[account.AccountID])
	run.finished[account.AccountID] = len(batch) < deadlinesBatch
	switch {
	case errors.Is(err, limiter.ErrBusy):
		run.putOff(account)
		return nil
	case err != nil:
		return err
	}
	for _, w := range slices.Compact(batch) { // documents of one workflow are handled together
		run.looked[account.AccountID] = w
		switch brought, err := run.passDay(ctx, account, w.WorkflowID); {
		case err == nil:
			run.done = run.done.Plus(brought)
		case errors.Is(err, limiter.ErrBusy):
			run.putOff(account)
			return nil
		case db.Busy(err):
			run.done.PutOff++
		case ctx.Err() != nil, db.Unreachable(err) && !db.StatementTimedOut(err):
			return err
		default:
			run.failures++
			run.failed(id.WorkflowID{UUID: w.WorkflowID}, err)
		}
		run.progress(run.done)
	}
	return nil
}

// accountsDue finds the accounts with documents that a new day affects. It ignores dates that are
// still in the future in the account's own time zone.
func (run *deadlinesRun) accountsDue(ctx context.Context) ([]accountDue, error) {
	stored, err := db.Column[string](ctx, run.db, `SELECT DISTINCT time_zone FROM account`)
	if err != nil {
		return nil, fmt.Errorf("read the time zones of accounts: %w", err)
	}
	var zones, days []string
	now := run.db.Clock()
	for _, zone := range stored {
		today, err := localDate(now, zone)
		if err != nil {
			run.unknown = err
			continue
		}
		zones, days = append(zones, zone), append(days, today.String())
	}
	accounts, err := db.Many[accountDue](ctx, run.db, `
		SELECT account_id, organization_id, environment, today
		FROM accounts_with_documents_due($1, $2)`,
		zones, days)
	if err != nil {
		return nil, fmt.Errorf("find accounts with deadlines: %w", err)
	}
	return accounts, nil
}

// workflowsDue finds the workflows of an account's next documents that a new day affects.
func (s Upkeep) workflowsDue(ctx context.Context, account accountDue, after workflowDue) ([]workflowDue, error) {
	if after.NextOn == "" {
		after.NextOn = "-infinity"
	}
	batch, err := db.Many[workflowDue](ctx, s.db.Scoped(account.scope()), `
		SELECT to_char(d.next_on, 'YYYY-MM-DD') AS next_on, d.workflow_id FROM required_document d
		WHERE d.account_id = $1 AND d.next_on <= $2::text::date AND (d.next_on, d.workflow_id) > ($3::text::date, $4)
		ORDER BY d.next_on, d.workflow_id LIMIT $5`, account.AccountID, account.Today, after.NextOn, after.WorkflowID, deadlinesBatch)
	if err != nil {
		return nil, fmt.Errorf("find workflows with deadlines: %w", err)
	}
	return batch, nil
}

func (a accountDue) scope() domain.Scope {
	return domain.Scope{OrganizationID: a.OrganizationID, Environment: a.Environment}
}

// passDay applies the dates that have come to a workflow's documents, in one transaction.
func (s Upkeep) passDay(ctx context.Context, account accountDue, workflow id.UUID) (domain.Deadlines, error) {
	var done domain.Deadlines
	call := domain.Call{Scope: account.scope(), Actor: domain.System, Operation: string(ScheduleDeadlines)}
	err := s.inTx(ctx, call, func(tx pgx.Tx, r *unit) error {
		if err := db.WaitBriefly(ctx, tx); err != nil {
			return err
		}
		free, err := db.Column[id.UUID](ctx, tx, `SELECT id FROM workflow WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED`, workflow)
		if err != nil {
			return fmt.Errorf("lock a workflow: %w", err)
		}
		if len(free) == 0 {
			done.PutOff++
			return nil
		}
		done, err = r.documents().passDay(ctx, account.Today, workflow)
		return err
	})
	return done, err
}

// ApplyDeadlines does for one workflow what the round of upkeep does on the account's day. The
// decision is the caller's. It waits for locks. A repeat on the same day does nothing.
func (r Documents) ApplyDeadlines(ctx context.Context, workflowID id.WorkflowID) (done domain.Deadlines, err error) {
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return done, err
	}
	_, today, err := r.tenants().today(ctx, r.scope.Environment.Account(w.AccountID))
	for err == nil {
		var brought domain.Deadlines
		if brought, err = r.passDay(ctx, today.String(), w.ID); brought == (domain.Deadlines{}) {
			break
		}
		done = done.Plus(brought)
	}
	return done, err
}

// passDay applies the next date that has come to each document of a workflow, which it locks: one
// decision for all that have expired, and an event for each document. In an ended workflow it
// changes nothing, and only sends events about what has expired.
func (r Documents) passDay(ctx context.Context, today string, workflow id.UUID) (done domain.Deadlines, err error) {
	locked, err := r.locked(ctx, workflow, `d.next_on <= $2::text::date`, today)
	if err != nil || len(locked.documents) == 0 || locked.file.Business.ErasedAt != nil {
		return done, err
	}
	ended := locked.file.State == domain.Ended
	written := documentsWritten{content: decision.Content{Kind: decision.DocumentStatus, Outcome: decision.Expired}}
	var tell []func(refusal.DecisionRef) Event
	for _, d := range locked.documents {
		after, occasion := d.OnDay(locked.today, ended)
		documentID := id.Must[id.RequiredDocumentID](d.ID)
		notify := func(t domain.EventType, fields any) {
			tell = append(tell, func(refusal.DecisionRef) Event { return Event{t, fields} })
		}
		switch occasion {
		case document.OccasionExpired:
			reason := d.Lapsed(locked.today)
			if reason == document.RenewalDue {
				done.RenewalDue++
			} else {
				done.Expired++
			}
			expiry := calculation.DocumentExpiry{
				RequiredDocumentID: documentID, DocumentTypeCode: d.DocumentTypeCode, Status: after.Status, PreviousStatus: d.Status,
				StatusReason: reason, ValidUntil: d.ValidUntil(),
			}
			tell = append(tell, func(ref refusal.DecisionRef) Event {
				return Event{domain.RequiredDocumentExpired, event.DocumentExpiredContent{
					DocumentExpiry: expiry,
					WorkflowState:  locked.file.State,
					DecisionID:     ref.DecisionID, Digest: ref.Digest,
				}}
			})
			if !ended {
				written.decided = append(written.decided, after)
				written.content.Changes.Expired = append(written.content.Changes.Expired, calculation.DocumentExpired{DocumentExpiry: expiry, DueOn: after.Deadline()})
				continue
			}
		case document.OccasionOverdue:
			done.Overdue++
			notify(domain.RequiredDocumentOverdue, event.DocumentOverdueContent{RequiredDocumentID: documentID, DocumentTypeCode: d.DocumentTypeCode, DueOn: d.DueOn})
		case document.OccasionExpiring:
			done.Expiring++
			notify(domain.RequiredDocumentExpiring, event.DocumentExpiringContent{
				RequiredDocumentID: documentID,
				DocumentTypeCode:   d.DocumentTypeCode,
				ValidUntil:         d.ValidUntil(),
			})
		}
		written.notified = append(written.notified, after)
	}
	written.events = func(ref refusal.DecisionRef) (events []Event) {
		for _, of := range tell {
			events = append(events, of(ref))
		}
		return events
	}
	_, err = r.write(ctx, locked, written)
	return done, err
}
