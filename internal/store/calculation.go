package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/outbox"
)

// Finding is what a calculation found in a snapshot: Documents, a Score, or Refused.
type Finding interface {
	// current reports whether the finding's inputs are still those on record.
	current(now, then calculation.Versions) bool
	// write queues what writes what was found, and the decision. The refusal is one that is recorded.
	write(ctx context.Context, r *Records, last *pgx.Batch, w domain.Workflow, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error)
}

// Save writes what a calculation found, in one transaction under a lock on the
// workflow, with its decision and its event. When the versions differ from those of the
// snapshot, the error is calculation.ErrFactsChanged. What was refused is recorded, and is then the
// error. A run that has already written gets the same outcome again, and so does one whose
// idempotency key has one.
func (s *Store) Save(ctx context.Context, run domain.Run, from calculation.Snapshot, found Finding) (calculation.RunResult, error) {
	if from.Scope != run.Call.Scope || from.Facts.WorkflowID != run.WorkflowID.String() { // whose versions may be the same
		return calculation.RunResult{}, fmt.Errorf("the facts of %s are not those of %s", from.Facts.WorkflowID, run.WorkflowID)
	}
	result, ran, err := finishOnce(ctx, s, run, func(r *Records, last *pgx.Batch) (calculation.RunResult, *refusal.Refusal, error) {
		w, now, err := r.lockFacts(ctx, run)
		if err != nil {
			return calculation.RunResult{}, nil, err
		}
		if !found.current(now, from.Versions) {
			return calculation.RunResult{}, nil, calculation.ErrFactsChanged
		}
		return found.write(ctx, r, last, w, from)
	})
	result.Repeated = !ran && err == nil
	return result, err
}

// Score is a workflow's evaluation score, and the rules that made it.
type Score requirement.PricingResult

func (Score) current(now, then calculation.Versions) bool {
	return now.Business == then.Business && now.PricingModel == then.PricingModel
}

func (s Score) write(ctx context.Context, r *Records, last *pgx.Batch, w domain.Workflow, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	file, err := r.readOnFile(ctx, w, versions{pricingModel: from.PricingModel})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	score := s.Score
	ref, err := r.record(ctx, last, file, verdict{
		Content: decision.Content{Kind: decision.Pricing, Outcome: decision.Priced, Changes: decision.Changes{Score: &score}, Results: decision.ResultsOfPricing(requirement.PricingResult(s))},
		asOf:    from.Facts.AsOf,
	})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	last.Queue(`
		UPDATE workflow SET evaluation_score = $2, score_calculated_at = $3, score_facts = $4, version = version + 1, updated_at = $3
		WHERE id = $1`, w.ID, score, r.at, from.Facts.Fingerprint())
	fields := outbox.ScoreContent{Score: score, Decision: ref}
	_, err = r.queueEvents(last, subjectOf(w), Event{Type: domain.WorkflowPricingCalculated, Fields: fields})
	return calculation.RunResult{Score: &score, Decision: &ref}, nil, err
}

// Refused is a calculation that was refused for what is on file: a decision that changes
// nothing.
type Refused struct {
	Kind    decision.Kind
	Refusal *refusal.Refusal
}

// current compares all versions that the refused calculation may rest on.
func (f Refused) current(now, then calculation.Versions) bool {
	return now.Business == then.Business && now.PricingModel == then.PricingModel &&
		(f.Kind == decision.Pricing || now.Workflow == then.Workflow && now.RuleSet == then.RuleSet)
}

func (f Refused) write(ctx context.Context, r *Records, last *pgx.Batch, w domain.Workflow, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	used := versions{pricingModel: from.PricingModel}
	if f.Kind == decision.Calculation {
		used.ruleSet = from.RuleSet
	}
	file, err := r.readOnFile(ctx, w, used)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	made := verdict{Content: decision.Content{Kind: f.Kind, Outcome: f.Refusal.Outcome()}, asOf: from.Facts.AsOf}
	if f.Refusal.Code == refusal.MissingRequirements {
		if err := json.Unmarshal(f.Refusal.Details, &made.Gaps); err != nil {
			return calculation.RunResult{}, nil, fmt.Errorf("read the gaps of a refusal: %w", err)
		}
	} else {
		made.Error = &decision.RuleError{Code: f.Refusal.SubCode, Message: f.Refusal.Message}
	}
	ref, err := r.record(ctx, last, file, made)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	refused := *f.Refusal
	refused.Decision = &ref
	return calculation.RunResult{}, &refused, nil
}

// lockFacts locks a workflow, its facts and its account's policy until the
// transaction ends, returns their versions, and takes the time of the change.
func (r *Records) lockFacts(ctx context.Context, run domain.Run) (domain.Workflow, calculation.Versions, error) {
	type row struct {
		domain.Workflow
		DocumentsCalculatedAt            *time.Time
		WorkflowVersion, BusinessVersion int64
		RuleSet, Model                   uuid.NullUUID
	}
	var found []row
	batch := &pgx.Batch{}
	batch.Queue(lockFactsSQL, run.WorkflowID.UUID)
	batch.Queue(`
		SELECT `+workflowColumns+`, w.documents_calculated_at, w.version AS workflow_version, b.version AS business_version, p.rule_set_id AS rule_set, p.pricing_model_id AS model
		FROM workflow w JOIN account a ON a.id = w.account_id JOIN business b ON b.id = w.business_id JOIN account_policy p ON p.account_id = w.account_id
		WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3`, run.WorkflowID.NullUUID(), r.scope.OrganizationID, r.scope.Environment).
		Query(db.Each(pgx.RowToStructByName[row], func(w row) { found = append(found, w) }))
	switch err := db.SendAll(ctx, r.q, batch); {
	case err != nil:
		return domain.Workflow{}, calculation.Versions{}, fmt.Errorf("lock what a calculation rests on: %w", err)
	case len(found) == 0:
		return domain.Workflow{}, calculation.Versions{}, refusal.NotFound(refusal.EntityWorkflow, run.WorkflowID.String())
	case found[0].State == domain.Ended:
		return domain.Workflow{}, calculation.Versions{}, refusal.Ended(run.WorkflowID.String())
	}
	w := found[0]
	r.stamp(&w.UpdatedAt, w.DocumentsCalculatedAt)
	return w.Workflow, calculation.Versions{Workflow: w.WorkflowVersion, Business: w.BusinessVersion, RuleSet: w.RuleSet, PricingModel: w.Model}, nil
}

// Documents are the documents that a workflow requires, with the rules that require them.
type Documents requirement.Result

func (Documents) current(now, then calculation.Versions) bool {
	return now.Workflow == then.Workflow && now.Business == then.Business && now.RuleSet == then.RuleSet
}

// write writes the difference between the documents on record and those required
// now.
func (required Documents) write(ctx context.Context, r *Records, last *pgx.Batch, w domain.Workflow, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	file, err := r.readOnFile(ctx, w, versions{ruleSet: from.RuleSet})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	existing, updatedAt, err := r.documents(ctx, w.ID)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	locked := r.at
	r.stamp(&locked, updatedAt)
	var versionID string
	if from.RuleSet != nil {
		versionID = from.RuleSet.WireID
	}
	changes := requirement.Recalculate(existing, requirement.Result(required), versionID, func() string { return id.Format(id.RequiredDocument, r.newID()) })
	result := calculation.RunResult{
		Added: refs(changes.Added), Kept: refs(changes.Kept), Restored: refs(changes.Restored), Removed: refs(changes.Removed),
	}
	if from.ScoreOutdated && from.Facts.EvaluationScore != nil {
		result.Warnings = []refusal.Warning{{
			Code:    refusal.ScoreOutdated,
			Message: "Facts have changed since evaluation_score was calculated; run workflow.pricing.calculate and then this operation again to use a new score.",
		}}
	}
	ref, err := r.record(ctx, last, file, verdict{
		Content: decision.Content{
			Kind: decision.Calculation, Outcome: decision.Calculated, Results: decision.ResultsOfRules(requirement.Result(required)),
			Changes: decision.Changes{Added: result.Added, Kept: result.Kept, Restored: result.Restored, Removed: result.Removed},
		},
		asOf: from.Facts.AsOf,
	})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	result.Decision = &ref
	last.Queue(`
		UPDATE workflow SET documents_calculated_at = $2, documents_workflow_version = $3, documents_business_version = $4, documents_rule_set_id = $5
		WHERE id = $1`, w.ID, r.at, from.Versions.Workflow, from.Versions.Business, from.Versions.RuleSet)
	if changes.Empty() {
		return result, nil, nil
	}
	if err := r.apply(last, w, changes, ref.DecisionID); err != nil {
		return calculation.RunResult{}, nil, err
	}
	fields := outbox.DocumentsContent{Added: result.Added, Kept: result.Kept, Restored: result.Restored, Removed: result.Removed, Decision: ref}
	_, err = r.queueEvents(last, subjectOf(w), Event{Type: domain.RequiredDocumentsCalculated, Fields: fields})
	return result, nil, err
}
