package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
)

// Previews reads what a calculation would read. It writes nothing.
type Previews struct{ *unit }

func (u *unit) previews() Previews { return Previews{u} }

// Decide evaluates rules for a snapshot's facts: what they require, or the gaps.
type Decide func(context.Context, calculation.Snapshot) (requirement.Result, error)

// Tried has the rules of a preview: a published version, unpublished content, or, without either,
// those in force for the workflow.
type Tried struct {
	VersionID id.RuleSetVersionID
	Draft     []byte
	// Validity says when and for which workflows a draft would be in force. Zero is at once and for
	// all. It decides which approvals stay valid.
	Validity calculation.Validity
}

// ErrPast refuses a preview of a day that has passed.
var ErrPast = errors.New("the day has passed in the account's time zone")

// Preview evaluates a workflow's current facts and compares the result with the stored documents.
// It writes nothing. It counts days and selects the rules in force at asOf, or on the account's day
// if asOf is zero. If asOf is earlier than that day, the error is ErrPast. It holds no
// connection while it evaluates.
func (s *Store) Preview(
	ctx context.Context, scope domain.Scope,
	workflowID id.WorkflowID,
	rules Tried, asOf fact.Date,
	decide Decide,
) (calculation.Preview, error) {
	var found previewInput
	var w domain.Workflow
	err := s.atOneMoment(ctx, scope, func(r *unit) (err error) {
		on := r.day(r.at)
		if !asOf.IsZero() {
			on = day{on: asOf}
		}
		found, w, err = r.previews().input(ctx, workflowID, on, rules, nil)
		if w.State == domain.Ended { // even if its business was erased since
			err = refusal.Ended(workflowID.String())
		}
		return err
	})
	if err != nil {
		return calculation.Preview{}, err
	}
	if !asOf.IsZero() && asOf.Before(found.today) {
		return calculation.Preview{AccountID: w.AccountID}, fmt.Errorf("%w: it is %s", ErrPast, found.today)
	}
	preview, err := found.preview(ctx, decide)
	preview.AccountID = w.AccountID
	return preview, err
}

// PreviewOpen previews a page of an account's workflows that have not ended, newest first, all from
// one database snapshot. It calls see for each preview, and returns the After of the next page,
// empty on the last one. Later pages see changes that happened meanwhile. Ages are counted on the
// local date at asOf, so that they are the same on all pages. It writes nothing, and holds no
// connection while it evaluates.
func (s *Store) PreviewOpen(
	ctx context.Context, scope domain.Scope,
	accountID id.AccountID, p domain.Page,
	rules Tried, asOf time.Time,
	decide Decide, see func(calculation.WorkflowPreview),
) (string, error) {
	next := ""
	var page []previewInput
	var names []*string
	err := s.atOneMoment(ctx, scope, func(r *unit) error {
		var open []id.WorkflowID
		draft, err := r.previews().draftVersion(ctx, accountID, rules)
		if err != nil {
			return err
		}
		if open, next, err = r.previews().openWorkflows(ctx, accountID, p); err != nil {
			return err
		}
		for _, w := range open {
			one, workflow, err := r.previews().input(ctx, w, day{at: asOf}, rules, draft)
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
		preview, err := one.preview(ctx, decide)
		if err != nil && !requirement.Unanswerable(err) {
			return "", fmt.Errorf("workflow %s: %w", one.snapshot.Facts.WorkflowID, err)
		}
		see(calculation.WorkflowPreview{WorkflowID: one.snapshot.Facts.WorkflowID, ExternalID: names[i], Preview: preview, Err: err})
	}
	return next, nil
}

// openSQL is the condition that workflow w can be calculated.
const openSQL = `w.state <> 'ENDED' AND NOT EXISTS (SELECT FROM business b WHERE b.id = w.business_id AND b.erased_at IS NOT NULL)`

// CountOpen counts the workflows of an account that have not ended and whose business is not
// erased.
func (r Previews) CountOpen(ctx context.Context, accountID id.AccountID) (int, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return 0, err
	}
	var n int
	if err := r.q.QueryRow(ctx, `SELECT count(*) FROM workflow w WHERE w.account_id = $1 AND `+openSQL, account.ID).Scan(&n); err != nil {
		return 0, fmt.Errorf("count workflows: %w", err)
	}
	return n, nil
}

func (r Previews) openWorkflows(ctx context.Context, accountID id.AccountID, p domain.Page) ([]id.WorkflowID, string, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after := id.Max
	if p.After != "" {
		if after, err = id.Parse(id.Workflow, p.After); err != nil {
			return nil, "", fmt.Errorf("page after %q: it is not a workflow id", p.After)
		}
	}
	found, err := db.Column[id.UUID](ctx, r.q, `
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

// atOneMoment passes read-only records from one database snapshot.
func (s *Store) atOneMoment(ctx context.Context, scope domain.Scope, read func(*unit) error) error {
	return s.db.InSnapshot(ctx, scope, func(tx pgx.Tx) error {
		return read(&unit{q: tx, scope: scope, at: s.db.Clock()})
	})
}

// previewInput is what is stored for a workflow, from one database snapshot, with the rules to try.
type previewInput struct {
	today      fact.Date
	snapshot   calculation.Snapshot
	identities map[requirement.Entity]requirement.Identity
	address    string // as approvals are bound to it
	existing   []document.Document
	findings   []document.Finding
	// earlier are the documents of an earlier workflow whose approvals would be taken over.
	earlier []document.Document
	version ruleVersion
}

// input reads what is stored, and the rules to try. draft is nil if the rules are no draft,
// or not known yet.
func (r Previews) input(ctx context.Context, workflowID id.WorkflowID, on day, rules Tried, draft *ruleVersion) (previewInput, domain.Workflow, error) {
	snapshot, file, err := r.snapshot(ctx, workflowID, on)
	if err != nil {
		return previewInput{}, file.Workflow, err
	}
	today, err := r.today(file.TimeZone)
	if err != nil {
		return previewInput{}, file.Workflow, err
	}
	existing, earlier, _, err := r.documents().withEarlier(ctx, file)
	if err != nil {
		return previewInput{}, file.Workflow, err
	}
	onFile := file.recorded(r.scope.Environment)
	found := previewInput{today, snapshot, onFile.Identities(), onFile.Address(), existing, file.Findings, earlier, ruleVersion{}}
	switch {
	case draft != nil:
		found.version = *draft
	case rules.Draft != nil:
		if draft, err = r.draftVersion(ctx, r.scope.Environment.Account(file.AccountID), rules); err == nil {
			found.version = *draft
		}
	case !rules.VersionID.IsZero():
		found.version, err = r.rules().ruleVersion(ctx, rules.VersionID.NullUUID())
	default:
		found.version, err = r.rules().ruleVersion(ctx, file.RuleSet.ID)
	}
	return found, file.Workflow, err
}

// draftVersion is a draft as the next version. It is nil without a draft.
func (r Previews) draftVersion(ctx context.Context, accountID id.AccountID, rules Tried) (*ruleVersion, error) {
	if rules.Draft == nil {
		return nil, nil
	}
	account, today, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return nil, err
	}
	latest, _, err := r.rules().latest(ctx, ruleSets, account.ID)
	if err != nil {
		return nil, err
	}
	next := calculation.Publication{Version: latest.Version + 1, Content: string(rules.Draft), PublishedAt: r.at, Validity: rules.Validity}
	next.AppliesTo = cmp.Or(next.AppliesTo, calculation.AppliesToAll)
	replaced, _, err := r.rules().notReplaced(ctx, account.ID, next.Validity, today)
	if err != nil {
		return nil, err
	}
	kept, err := r.rules().keptTexts(ctx, latest, next, replaced, today)
	return &ruleVersion{number: next.Version, keptTexts: kept}, err
}

func (s previewInput) preview(ctx context.Context, decide Decide) (calculation.Preview, error) {
	found, err := decide(ctx, s.snapshot)
	if err != nil || len(found.Gaps) > 0 {
		return calculation.Preview{Gaps: found.Gaps}, err
	}
	seen := document.Seen{
		VersionID: s.version.id, Version: s.version.number, AsOf: s.snapshot.Facts.AsOf, Facts: s.snapshot.Facts, Identities: s.identities, Address: s.address,
		Earlier: s.earlier, Findings: s.findings, KeptTexts: s.version.keptTexts,
	}
	changes := document.Recalculate(s.existing, found, seen, func() string { return "" })
	return calculation.Preview{Rules: found.Rules, Changes: changes}, nil
}
