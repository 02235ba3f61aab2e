package postgres

import (
	"context"
	"errors"
	"fmt"

	"requisite/internal/rational"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/wire"
)

// ErrFactsChanged reports that facts or rules are no longer those that a
// calculation was made from: nothing was written, and it must read again.
var ErrFactsChanged = errors.New("the facts or the rules changed while the calculation ran")

// RunResult is what a run wrote.
type RunResult struct {
	// Added, Kept, Restored and Removed are set by a calculation of documents.
	Added    []DocumentRef `json:"added,omitempty"`
	Kept     []DocumentRef `json:"kept,omitempty"`
	Restored []DocumentRef `json:"restored,omitempty"`
	Removed  []DocumentRef `json:"removed,omitempty"`
	// Score is set by pricing.
	Score    *rational.Number `json:"evaluation_score,omitempty"`
	Warnings []wire.Warning   `json:"warnings,omitempty"`
}

// Reply is what the caller is answered with: {}, and any warnings.
func (r RunResult) Reply() wire.Reply { return wire.Reply{Data: wire.Empty{}, Warnings: r.Warnings} }

func (r *RunResult) warn(warnings []wire.Warning) { r.Warnings = warnings }

// SaveRequiredDocuments writes what a calculation found, in one transaction
// under a lock on the workflow, with the event that tells of it. Versions that
// are no longer those of the snapshot give ErrFactsChanged. A run that has
// written before gets the same result again.
func (s *Store) SaveRequiredDocuments(ctx context.Context, run Run, from Snapshot, required []requirement.Requirement) (RunResult, error) {
	return finish(ctx, s, run, func(r *Records) (RunResult, error) {
		w, err := r.lockFacts(ctx, run)
		if err != nil {
			return RunResult{}, err
		}
		now, err := r.versions(ctx, w)
		switch {
		case err != nil:
			return RunResult{}, err
		case now.Workflow != from.Versions.Workflow, now.Business != from.Versions.Business, now.RuleSet != from.Versions.RuleSet:
			return RunResult{}, ErrFactsChanged
		}
		return r.recalculate(ctx, w, from, required)
	})
}

// Evaluate turns a snapshot into requirements; missing facts are a refusal.
type Evaluate func(context.Context, Snapshot) ([]requirement.Requirement, error)

// CalculateUnderLocks reads, evaluates and writes in one transaction that
// holds the facts and the rules still: for a workflow whose facts change too
// often to be caught between reading and writing.
func (s *Store) CalculateUnderLocks(ctx context.Context, run Run, evaluate Evaluate) (RunResult, error) {
	return finish(ctx, s, run, func(r *Records) (RunResult, error) {
		w, err := r.lockFacts(ctx, run)
		if err != nil {
			return RunResult{}, err
		}
		snapshot, err := r.snapshot(ctx, w, run.StartedAt)
		if err != nil {
			return RunResult{}, err
		}
		required, err := evaluate(ctx, snapshot)
		if err != nil {
			return RunResult{}, err
		}
		return r.recalculate(ctx, w, snapshot, required)
	})
}

// SaveScore sets a workflow's evaluation score, with its event, under the same
// conditions as SaveRequiredDocuments.
func (s *Store) SaveScore(ctx context.Context, run Run, from Snapshot, score rational.Number) (RunResult, error) {
	return finish(ctx, s, run, func(r *Records) (RunResult, error) {
		w, err := r.lockFacts(ctx, run)
		if err != nil {
			return RunResult{}, err
		}
		now, err := r.versions(ctx, w)
		switch {
		case err != nil:
			return RunResult{}, err
		case now.Business != from.Versions.Business, now.PricingModel != from.Versions.PricingModel:
			return RunResult{}, ErrFactsChanged
		}
		return r.setScore(ctx, w, from, score)
	})
}

// ScoreUnderLocks does for a score what CalculateUnderLocks does for documents.
func (s *Store) ScoreUnderLocks(ctx context.Context, run Run, score func(context.Context, Snapshot) (rational.Number, error)) (RunResult, error) {
	return finish(ctx, s, run, func(r *Records) (RunResult, error) {
		w, err := r.lockFacts(ctx, run)
		if err != nil {
			return RunResult{}, err
		}
		snapshot, err := r.snapshot(ctx, w, run.StartedAt)
		if err != nil {
			return RunResult{}, err
		}
		value, err := score(ctx, snapshot)
		if err != nil {
			return RunResult{}, err
		}
		return r.setScore(ctx, w, snapshot, value)
	})
}

func (r *Records) setScore(ctx context.Context, w Workflow, from Snapshot, score rational.Number) (RunResult, error) {
	_, err := r.q.Exec(ctx, `
		UPDATE workflow SET evaluation_score = $2, score_calculated_at = $3, score_facts = $4, version = version + 1, updated_at = $3
		WHERE id = $1`, w.ID, score, r.at, from.Facts.Fingerprint())
	if err != nil {
		return RunResult{}, fmt.Errorf("set a workflow's score: %w", err)
	}
	fields := struct {
		Score rational.Number `json:"evaluation_score"`
	}{score}
	return RunResult{Score: &score}, r.emit(ctx, w.subject(), Event{Type: WorkflowPricingCalculated, Fields: fields})
}

// lockFacts holds a workflow, and holds its facts and its account's policy
// still, until the transaction ends.
func (r *Records) lockFacts(ctx context.Context, run Run) (Workflow, error) {
	w, err := r.lockedWorkflow(ctx, run.WorkflowID)
	switch {
	case err != nil:
		return Workflow{}, err
	case w.State == Ended:
		return Workflow{}, refusal.Ended(run.WorkflowID)
	}
	_, err = r.q.Exec(ctx, `
		SELECT FROM business b JOIN account_policy p ON p.account_id = b.account_id WHERE b.id = $1 FOR SHARE`, w.BusinessID)
	if err != nil {
		return Workflow{}, fmt.Errorf("lock a workflow's facts: %w", err)
	}
	return w, nil
}

func (r *Records) versions(ctx context.Context, w Workflow) (Versions, error) {
	v, _, err := one[Versions](ctx, r.q, `
		SELECT w.version AS workflow, b.version AS business, p.rule_set_id AS rule_set, p.pricing_model_id AS pricing_model
		FROM workflow w JOIN business b ON b.id = w.business_id JOIN account_policy p ON p.account_id = w.account_id
		WHERE w.id = $1`, w.ID)
	if err != nil {
		return Versions{}, fmt.Errorf("read the versions of a workflow's facts: %w", err)
	}
	return v, nil
}

// recalculate writes the difference between the documents on record and those
// required now.
func (r *Records) recalculate(ctx context.Context, w Workflow, from Snapshot, required []requirement.Requirement) (RunResult, error) {
	existing, err := r.documents(ctx, w.ID)
	if err != nil {
		return RunResult{}, err
	}
	var versionID string
	if from.RuleSet != nil {
		versionID = from.RuleSet.WireID
	}
	changes := requirement.Recalculate(existing, required, versionID, newDocumentID)
	result := RunResult{
		Added: refs(changes.Added), Kept: refs(changes.Kept), Restored: refs(changes.Restored), Removed: refs(changes.Removed),
	}
	if from.ScoreOutdated && from.Facts.EvaluationScore != nil {
		result.Warnings = []wire.Warning{{
			Code:    "SCORE_OUTDATED",
			Message: "Facts have changed since evaluation_score was calculated; run workflow.pricing.calculate and then this operation again to use a new score.",
		}}
	}
	if changes.Empty() {
		return result, nil
	}
	if err := r.apply(ctx, w, changes); err != nil {
		return RunResult{}, err
	}
	fields := struct {
		Added    []DocumentRef `json:"added"`
		Kept     []DocumentRef `json:"kept"`
		Restored []DocumentRef `json:"restored"`
		Removed  []DocumentRef `json:"removed"`
	}{result.Added, result.Kept, result.Restored, result.Removed}
	return result, r.emit(ctx, w.subject(), Event{Type: RequiredDocumentsCalculated, Fields: fields})
}
