package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
)

// Decide evaluates rules for a snapshot's facts: what they require, or the gaps.
type Decide func(context.Context, calculation.Snapshot) (requirement.Result, error)

// ErrPast refuses a preview of a day that has passed.
var ErrPast = errors.New("the day has passed in the account's time zone")

// Preview evaluates a workflow's current facts and compares the result with the
// documents on record. It writes nothing. versionID becomes the rule set version
// of new reasons; nil is the one in force. Days are counted at asOf, or on the account's local date
// where it is zero; an asOf before that is ErrPast. While it evaluates it holds no connection.
func (s *Store) Preview(ctx context.Context, scope domain.Scope, workflowID id.WorkflowID, versionID *string, asOf fact.Date, decide Decide) (calculation.Preview, error) {
	var found standing
	var w domain.Workflow
	err := s.atOneMoment(ctx, scope, func(r *Records) (err error) {
		found, w, err = r.standing(ctx, workflowID, r.at)
		if w.State == domain.Ended { // whether or not its business was erased since
			err = refusal.Ended(workflowID.String())
		}
		return err
	})
	if err != nil {
		return calculation.Preview{}, err
	}
	switch {
	case asOf.IsZero():
	case asOf.Before(found.snapshot.Facts.AsOf):
		return calculation.Preview{AccountID: w.AccountID}, fmt.Errorf("%w: it is %s", ErrPast, found.snapshot.Facts.AsOf)
	default:
		found.snapshot.Facts.AsOf = asOf
	}
	preview, err := found.preview(ctx, versionID, decide)
	preview.AccountID = w.AccountID
	return preview, err
}

// PreviewOpen previews a page of the workflows of an account that have not
// ended, newest first, all from one database snapshot, and returns the After of
// the next page, empty on the last one. Later pages see what changed in between.
// Ages are as of the local date at asOf, so that they are the same on all pages.
// see is called for each preview. It writes nothing. While it evaluates it holds
// no connection.
func (s *Store) PreviewOpen(ctx context.Context, scope domain.Scope, accountID id.AccountID, p domain.Page, asOf time.Time, decide Decide, see func(calculation.WorkflowPreview)) (string, error) {
	next := ""
	var page []standing
	var names []*string
	err := s.atOneMoment(ctx, scope, func(r *Records) error {
		var open []id.WorkflowID
		var err error
		if open, next, err = r.openWorkflows(ctx, accountID, p); err != nil {
			return err
		}
		for _, w := range open {
			one, workflow, err := r.standing(ctx, w, asOf)
			if err != nil {
				return fmt.Errorf("workflow %s: %w", w, err)
			}
			page, names = append(page, one), append(names, workflow.ExternalID)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	for i, one := range page {
		preview, err := one.preview(ctx, nil, decide)
		if err != nil && !requirement.Unanswerable(err) {
			return "", fmt.Errorf("workflow %s: %w", one.snapshot.Facts.WorkflowID, err)
		}
		see(calculation.WorkflowPreview{WorkflowID: one.snapshot.Facts.WorkflowID, ExternalID: names[i], Preview: preview, Err: err})
	}
	return next, nil
}

// openSQL are workflows w for which something may be calculated.
const openSQL = `w.state <> 'ENDED' AND NOT EXISTS (SELECT FROM business b WHERE b.id = w.business_id AND b.erased_at IS NOT NULL)`

// CountOpen counts the workflows of an account that have not ended and whose
// business is not erased.
func (r *Records) CountOpen(ctx context.Context, accountID id.AccountID) (int, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return 0, err
	}
	var n int
	if err := r.q.QueryRow(ctx, `SELECT count(*) FROM workflow w WHERE w.account_id = $1 AND `+openSQL, account.ID).Scan(&n); err != nil {
		return 0, fmt.Errorf("count workflows: %w", err)
	}
	return n, nil
}

func (r *Records) openWorkflows(ctx context.Context, accountID id.AccountID, p domain.Page) ([]id.WorkflowID, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after := uuid.Max
	if p.After != "" {
		if after, err = id.Parse(id.Workflow, p.After); err != nil {
			return nil, "", fmt.Errorf("page after %q: it is not a workflow id", p.After)
		}
	}
	found, err := db.Column[uuid.UUID](ctx, r.q, `
		SELECT w.id FROM workflow w WHERE w.account_id = $1 AND w.id < $2 AND `+openSQL+` ORDER BY w.id DESC LIMIT $3`, account.ID, after, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list workflows: %w", err)
	}
	open := make([]id.WorkflowID, len(found))
	for i, u := range found {
		open[i] = id.WorkflowID{UUID: u}
	}
	if len(open) <= p.Limit {
		return open, "", nil
	}
	open = open[:p.Limit]
	return open, open[p.Limit-1].String(), nil
}

// Snapshot reads what a calculation of a workflow would start from now, ended
// or not.
func (s *Store) Snapshot(ctx context.Context, scope domain.Scope, workflowID id.WorkflowID) (domain.Workflow, calculation.Snapshot, error) {
	r := s.Records(scope)
	snapshot, file, err := r.snapshot(ctx, workflowID, r.at)
	return file.Workflow, snapshot, err
}

// atOneMoment gives read-only records from one database snapshot.
func (s *Store) atOneMoment(ctx context.Context, scope domain.Scope, read func(*Records) error) error {
	return s.db.InSnapshot(ctx, scope, func(tx pgx.Tx) error {
		return read(&Records{q: tx, scope: scope, at: s.db.Clock()})
	})
}

// standing is what is on record for a workflow, from one database snapshot.
type standing struct {
	snapshot   calculation.Snapshot
	identities map[requirement.Entity]requirement.Identity
	existing   []requirement.Document
	// earlier are the documents of an earlier workflow whose approvals would be taken over.
	earlier []requirement.Document
}

func (r *Records) standing(ctx context.Context, workflowID id.WorkflowID, asOf time.Time) (standing, domain.Workflow, error) {
	snapshot, file, err := r.snapshot(ctx, workflowID, asOf)
	if err != nil {
		return standing{}, file.Workflow, err
	}
	existing, earlier, _, err := r.documentsWithEarlier(ctx, file)
	return standing{snapshot, file.recorded(r.scope.Environment).Identities(), existing, earlier}, file.Workflow, err
}

func (s standing) preview(ctx context.Context, versionID *string, decide Decide) (calculation.Preview, error) {
	found, err := decide(ctx, s.snapshot)
	if err != nil || len(found.Gaps) > 0 {
		return calculation.Preview{Gaps: found.Gaps}, err
	}
	version := ""
	switch {
	case versionID != nil:
		version = *versionID
	case s.snapshot.RuleSet != nil:
		version = s.snapshot.RuleSet.WireID
	}
	seen := requirement.Seen{VersionID: version, AsOf: s.snapshot.Facts.AsOf, Facts: s.snapshot.Facts, Identities: s.identities, Earlier: s.earlier}
	return calculation.Preview{Changes: requirement.Recalculate(s.existing, found, seen, func() string { return "" })}, nil
}
