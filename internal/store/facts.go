package store

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
)

// storedApplication has everything that is stored for a workflow, from one database snapshot. A
// calculation reads it, and a decision records it.
type storedApplication struct {
	domain.Workflow
	// ScoreFacts is the fingerprint of the facts that the score was calculated from.
	ScoreFacts            *string
	DocumentsCalculatedAt *time.Time
	// Findings are the findings of the last calculation.
	Findings []document.Finding
	// The versions that documents_stale compares.
	WorkflowVersion, BusinessVersion int64

	Currency, TimeZone string // of the account
	Business           domain.Business
	Sales              []salesRow
	Persons            []domain.Person

	// Rules are the versions in force for the workflow on each of the possible dates of its day.
	Rules        []version
	PricingModel *version

	// AsOf is the day, and RuleSet the version in force on it.
	AsOf    fact.Date `db:"-"`
	RuleSet *version  `db:"-"`

	// The last decision.
	DecisionNumber int64
	DecisionDigest []byte
	DecidedAt      *time.Time
}

// version is a version of the rules or prices in force. It is nil, or has no id, if there is none.
type version struct {
	ID     id.NullUUID
	Number *int
	SHA256 []byte
}

// ref names the version in a snapshot. It is nil if there is none.
func (v *version) ref() *calculation.VersionRef {
	if v == nil || !v.ID.Valid {
		return nil
	}
	return &calculation.VersionRef{ID: v.ID.UUID, WireID: id.Format(id.RuleSetVersion, v.ID.UUID), Version: *v.Number}
}

func (v *version) recorded() *decision.Version {
	if v == nil {
		return nil
	}
	return readVersion(v.ID, v.SHA256)
}

func (v *version) same(then *calculation.VersionRef) bool {
	now := v.ref()
	return (now == nil) == (then == nil) && (now == nil || now.ID == then.ID)
}

// storedApplicationSQL is a single statement, so that everything comes from one database snapshot.
// Records are read by position: the columns have the order of the fields.
var storedApplicationSQL = `
	SELECT ` + workflowColumns + `, w.score_facts, w.documents_calculated_at, w.findings, w.version AS workflow_version, b.version AS business_version,
		a.currency, a.time_zone, (SELECT r FROM (SELECT ` + businessColumns + `) r) AS business,
		ARRAY (SELECT r FROM (` + salesSQL(`= b.id`) + `) r) AS sales,
		ARRAY (SELECT r FROM (SELECT ` + personColumns + ` FROM person p WHERE p.business_id = b.id ORDER BY p.id) r) AS persons,
		ARRAY (SELECT r FROM (SELECT s.id, s.version, s.sha256 FROM unnest($4::text[]::date[]) WITH ORDINALITY AS t (day, n)
			LEFT JOIN LATERAL rules_in_force(w.account_id, w.created_at, w.created_on, t.day) s ON true ORDER BY t.n) r) AS rules,
		(SELECT r FROM (SELECT m.id, m.version, m.sha256 FROM pricing_model m WHERE m.account_id = w.account_id ORDER BY m.version DESC LIMIT 1) r) AS pricing_model,
		w.decision_number, w.decision_digest, w.decided_at
	FROM workflow w JOIN account a ON a.id = w.account_id JOIN business b ON b.id = w.business_id
	WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3`

// application reads everything that is stored for a workflow, with the rules in force for it on a
// day.
func (r *unit) application(ctx context.Context, workflowID id.WorkflowID, on day) (storedApplication, error) {
	file, err := find[storedApplication](ctx, r, refusal.EntityWorkflow, workflowID, storedApplicationSQL, on.dates())
	if err != nil {
		return storedApplication{}, err
	}
	r.noteAccount(file.AccountID)
	return file, file.choose(on)
}

// choose selects the rules in force on the day in the account's time zone.
func (f *storedApplication) choose(on day) error {
	date, i, err := on.in(f.TimeZone)
	if err == nil {
		f.AsOf, f.RuleSet = date, &f.Rules[i]
	}
	return err
}

// lockedOpenApplication locks a workflow, and shares the locks of its facts and its account's
// policy, until the transaction ends. It reads what is stored, and sets the time of the change. It
// refuses a workflow that has ended.
func (r *unit) lockedOpenApplication(ctx context.Context, workflowID id.WorkflowID, on day) (storedApplication, error) {
	file, err := r.lockedApplication(ctx, workflowID, on)
	if err == nil && file.State == domain.Ended {
		err = refusal.Ended(workflowID.String())
	}
	return file, err
}

// lockedApplication is lockedOpenApplication that also accepts a workflow that has ended.
func (r *unit) lockedApplication(ctx context.Context, workflowID id.WorkflowID, on day) (storedApplication, error) {
	file, err := lockAndFind[storedApplication](ctx, r, lockFactsSQL, refusal.EntityWorkflow, workflowID, storedApplicationSQL, on.dates())
	if err != nil {
		return storedApplication{}, err
	}
	if err := file.choose(on); err != nil {
		return storedApplication{}, err
	}
	r.noteAccount(file.AccountID)
	r.stamp(&file.UpdatedAt, file.DocumentsCalculatedAt)
	return file, nil
}

// changeable refuses a change of documents if the workflow has ended or its business was erased.
func (f storedApplication) changeable() error {
	switch {
	case f.State == domain.Ended:
		return refusal.Ended(f.WireID().String())
	case f.Business.ErasedAt != nil:
		return refusal.Erased(f.Business.WireID().String())
	}
	return nil
}

// earlier is the workflow whose approvals the next calculation takes over.
func (f storedApplication) earlier() id.NullUUID {
	if f.DocumentsCalculatedAt != nil {
		return id.NullUUID{}
	}
	return f.PreviousWorkflowID
}

// recorded returns the facts that a decision records.
func (f storedApplication) recorded(environment domain.Environment) decision.Facts {
	facts := decision.Facts{
		Workflow: decision.WorkflowFacts{WorkflowID: f.WireID(), EvaluationScore: f.EvaluationScore, Currency: f.Currency, Custom: wire.Custom{Custom: f.Custom}},
		Persons:  make([]view.PersonData, len(f.Persons)),
	}
	persons := make([]id.PersonID, len(f.Persons))
	for i, p := range f.Persons {
		facts.Persons[i], persons[i] = view.Person(p), p.WireID()
	}
	facts.Business = view.Business(f.Business, environment, salesInfo(f.Sales), persons)
	return facts
}

// seen returns the facts that rules see.
func (f storedApplication) seen(environment domain.Environment, asOf fact.Date) (fact.Facts, error) {
	facts, err := f.recorded(environment).ForRules(asOf)
	if err != nil {
		return fact.Facts{}, fmt.Errorf("read the facts of workflow %s: %w", f.WireID(), err)
	}
	return facts, nil
}

// usedVersions says which versions a decision uses. Rules may read the score; prices may not.
type usedVersions struct{ ruleSet, pricingModel bool }

// unchanged reports whether the facts that rules saw in a snapshot are still the stored ones, and
// so are the versions and the score if they are used. Data that no rule sees, such as a name, may
// have changed. It also returns the facts that rules see now.
func (f storedApplication) unchanged(since calculation.Snapshot, used usedVersions) (now fact.Facts, unchanged bool, err error) {
	if now, err = f.seen(since.Scope.Environment, since.Facts.AsOf); err != nil {
		return now, false, err
	}
	return now, f.Business.ErasedAt == nil && now.Fingerprint() == since.Fingerprint &&
		(!used.ruleSet || f.RuleSet.same(since.RuleSet) && sameScore(now.EvaluationScore, since.Facts.EvaluationScore)) &&
		(!used.pricingModel || f.PricingModel.same(since.PricingModel)), nil
}

func sameScore(now, then *rational.Number) bool {
	if now == nil || then == nil {
		return now == then
	}
	return now.Equal(*then)
}

// LoadFacts reads the snapshot for a run. It counts ages and selects the rules in force as of the
// account's day at startedAt, the start of the run. It refuses an ENDED workflow, and
// stores that refusal as the outcome of the call.
func (s *Store) LoadFacts(ctx context.Context, call domain.Call, workflowID id.WorkflowID, startedAt time.Time) (calculation.Snapshot, error) {
	r := &unit{q: s.db.Scoped(call.Scope), scope: call.Scope}
	snapshot, file, err := r.snapshot(ctx, workflowID, r.day(startedAt))
	if file.State == domain.Ended { // even if its business was erased since
		err = s.refuseEnded(ctx, call, workflowID)
	}
	if err != nil {
		return calculation.Snapshot{}, err
	}
	return snapshot, nil
}

// refuseEnded refuses a workflow that has ended. It stores the refusal, so that a repeat of
// the call gets the same one.
func (s *Store) refuseEnded(ctx context.Context, call domain.Call, workflowID id.WorkflowID) error {
	_, err := s.Write(ctx, call, func(*Records) (any, error) { return nil, refusal.Ended(workflowID.String()) })
	return err
}

// snapshot reads a workflow with all inputs of its calculation. It refuses an erased business.
func (r *unit) snapshot(ctx context.Context, workflowID id.WorkflowID, on day) (calculation.Snapshot, storedApplication, error) {
	file, err := r.application(ctx, workflowID, on)
	if err != nil {
		return calculation.Snapshot{}, storedApplication{}, err
	}
	if file.Business.ErasedAt != nil {
		return calculation.Snapshot{}, file, refusal.Erased(file.Business.WireID().String())
	}
	facts, err := file.seen(r.scope.Environment, file.AsOf)
	return calculation.Snapshot{
		Scope: r.scope, Facts: facts, Fingerprint: facts.Fingerprint(),
		RuleSet: file.RuleSet.ref(), PricingModel: file.PricingModel.ref(),
	}, file, err
}
