package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres/db"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/requirement"
)

// Finding is what a calculation found in a snapshot: Documents or a Score.
type Finding interface {
	// current reports whether the finding's inputs are still those on record.
	current(now, then domain.Versions) bool
	write(ctx context.Context, r *Records, w domain.Workflow, from domain.Snapshot) (domain.RunResult, error)
}

// Save writes what a calculation found, in one transaction under a lock on the
// workflow, with its event. When the versions differ from those of the snapshot, the
// error is domain.ErrFactsChanged. A run that has already written gets the same result
// again.
func (s *Store) Save(ctx context.Context, run domain.Run, from domain.Snapshot, found Finding) (domain.RunResult, error) {
	if from.Scope != run.Call.Scope || from.Facts.WorkflowID != run.WorkflowID.String() { // whose versions may be the same
		return domain.RunResult{}, fmt.Errorf("the facts of %s are not those of %s", from.Facts.WorkflowID, run.WorkflowID)
	}
	return s.calculated(ctx, run, func(r *Records) (domain.RunResult, error) {
		w, now, err := r.lockFacts(ctx, run)
		if err != nil {
			return domain.RunResult{}, err
		}
		if !found.current(now, from.Versions) {
			return domain.RunResult{}, domain.ErrFactsChanged
		}
		return found.write(ctx, r, w, from)
	})
}

// UnderLocks reads, evaluates and writes in one transaction that locks the facts
// and the rules: for a workflow whose facts keep changing between reading and
// writing. ready is called with a connection, and without locks on facts or rules; a
// wait for one of those fails after half a second.
func (s *Store) UnderLocks(ctx context.Context, run domain.Run, ready func(context.Context) error, find func(context.Context, domain.Snapshot) (Finding, error)) (domain.RunResult, error) {
	return s.calculated(ctx, run, func(r *Records) (domain.RunResult, error) {
		if err := ready(ctx); err != nil {
			return domain.RunResult{}, err
		}
		// No slot is held for seconds while others lock the facts: the step is retried.
		if err := db.Queue(ctx, r.q, nil, `SELECT set_config('lock_timeout', '500', true)`); err != nil {
			return domain.RunResult{}, err
		}
		if _, _, err := r.lockFacts(ctx, run); err != nil {
			return domain.RunResult{}, err
		}
		snapshot, w, err := r.snapshot(ctx, run.WorkflowID, run.StartedAt)
		if err != nil {
			return domain.RunResult{}, err
		}
		found, err := find(ctx, snapshot)
		if err != nil {
			return domain.RunResult{}, err
		}
		return found.write(ctx, r, w, snapshot)
	})
}

// RunOutcome is the result of what a run has committed; false when it has committed
// nothing.
func (s *Store) RunOutcome(ctx context.Context, run domain.Run) (json.RawMessage, bool, error) {
	return finished[json.RawMessage](ctx, s.db.Scoped(run.Call.Scope), run.ID)
}

func (s *Store) calculated(ctx context.Context, run domain.Run, step func(*Records) (domain.RunResult, error)) (domain.RunResult, error) {
	result, ran, err := finishOnce(ctx, s, run, step)
	result.Repeated = !ran && err == nil
	return result, err
}

// Score is a workflow's evaluation score.
type Score rational.Number

func (Score) current(now, then domain.Versions) bool {
	return now.Business == then.Business && now.PricingModel == then.PricingModel
}

func (s Score) write(ctx context.Context, r *Records, w domain.Workflow, from domain.Snapshot) (domain.RunResult, error) {
	score := rational.Number(s)
	err := db.Queue(ctx, r.q, nil, `
		UPDATE workflow SET evaluation_score = $2, score_calculated_at = $3, score_facts = $4, version = version + 1, updated_at = $3
		WHERE id = $1`, w.ID, score, r.at, from.Facts.Fingerprint())
	if err != nil {
		return domain.RunResult{}, fmt.Errorf("set a workflow's score: %w", err)
	}
	fields := domain.ScoreContent{Score: score}
	return domain.RunResult{Score: &score}, r.emit(ctx, subjectOf(w), Event{Type: domain.WorkflowPricingCalculated, Fields: fields})
}

// lockFacts locks a workflow, its facts and its account's policy until the
// transaction ends, returns their versions, and takes the time of the change.
func (r *Records) lockFacts(ctx context.Context, run domain.Run) (domain.Workflow, domain.Versions, error) {
	found, err := find[struct {
		domain.Workflow
		DocumentsCalculatedAt            *time.Time
		WorkflowVersion, BusinessVersion int64
		RuleSet, Model                   uuid.NullUUID
	}](ctx, r, refusal.EntityWorkflow, run.WorkflowID, `
		SELECT `+workflowColumns+`, w.documents_calculated_at, w.version AS workflow_version, b.version AS business_version, p.rule_set_id AS rule_set, p.pricing_model_id AS model
		FROM workflow w JOIN account a ON a.id = w.account_id JOIN business b ON b.id = w.business_id JOIN account_policy p ON p.account_id = w.account_id
		WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3 FOR NO KEY UPDATE OF w FOR SHARE OF b, p`)
	switch {
	case err != nil:
		return domain.Workflow{}, domain.Versions{}, err
	case found.State == domain.Ended:
		return domain.Workflow{}, domain.Versions{}, refusal.Ended(run.WorkflowID.String())
	}
	r.stamp(&found.UpdatedAt, found.DocumentsCalculatedAt)
	return found.Workflow, domain.Versions{Workflow: found.WorkflowVersion, Business: found.BusinessVersion, RuleSet: found.RuleSet, PricingModel: found.Model}, nil
}

// Documents are the documents that a workflow requires, with the rules that require them.
type Documents requirement.Result

func (Documents) current(now, then domain.Versions) bool {
	return now.Workflow == then.Workflow && now.Business == then.Business && now.RuleSet == then.RuleSet
}

// write writes the difference between the documents on record and those required
// now.
func (required Documents) write(ctx context.Context, r *Records, w domain.Workflow, from domain.Snapshot) (domain.RunResult, error) {
	existing, updatedAt, err := r.documents(ctx, w.ID)
	if err != nil {
		return domain.RunResult{}, err
	}
	locked := r.at
	r.stamp(&locked, updatedAt)
	var versionID string
	if from.RuleSet != nil {
		versionID = from.RuleSet.WireID
	}
	changes := requirement.Recalculate(existing, requirement.Result(required), versionID, func() string { return id.Format(id.RequiredDocument, r.newID()) })
	result := domain.RunResult{
		Added: refs(changes.Added), Kept: refs(changes.Kept), Restored: refs(changes.Restored), Removed: refs(changes.Removed),
	}
	if from.ScoreOutdated && from.Facts.EvaluationScore != nil {
		result.Warnings = []refusal.Warning{{
			Code:    refusal.ScoreOutdated,
			Message: "Facts have changed since evaluation_score was calculated; run workflow.pricing.calculate and then this operation again to use a new score.",
		}}
	}
	if err := db.Queue(ctx, r.q, nil, `
		UPDATE workflow SET documents_calculated_at = $2, documents_workflow_version = $3, documents_business_version = $4, documents_rule_set_id = $5
		WHERE id = $1`, w.ID, r.at, from.Versions.Workflow, from.Versions.Business, from.Versions.RuleSet); err != nil {
		return domain.RunResult{}, fmt.Errorf("note a calculation: %w", err)
	}
	if changes.Empty() {
		return result, nil
	}
	if err := r.apply(ctx, w, changes); err != nil {
		return domain.RunResult{}, err
	}
	fields := domain.DocumentsContent{Added: result.Added, Kept: result.Kept, Restored: result.Restored, Removed: result.Removed}
	return result, r.emit(ctx, subjectOf(w), Event{Type: domain.RequiredDocumentsCalculated, Fields: fields})
}
