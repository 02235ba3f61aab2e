package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/webhooks/event"
)

// Finding is what a calculation found in a snapshot: Documents, a Score, or Refused.
type Finding interface {
	used() usedVersions
	// write queues what writes what was found, and the decision. The refusal is one that is recorded.
	write(ctx context.Context, r *Records, last *pgx.Batch, file onFile, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error)
}

// Save writes what a calculation found, in one transaction under a lock on the
// workflow, with its decision and its event. When the finding rests on something that is no longer
// on file, the error is calculation.ErrFactsChanged. What was refused is recorded, and is then the
// error. A run that has already written gets the same outcome again, and so does one whose
// idempotency key has one.
func (s *Store) Save(ctx context.Context, run domain.Run, from calculation.Snapshot, found Finding) (calculation.RunResult, error) {
	if from.Scope != run.Call.Scope || from.Facts.WorkflowID != run.WorkflowID.String() { // whose facts may be the same
		return calculation.RunResult{}, fmt.Errorf("the facts of %s are not those of %s", from.Facts.WorkflowID, run.WorkflowID)
	}
	result, ran, err := finishOnce(ctx, s, run, func(r *Records, last *pgx.Batch) (calculation.RunResult, *refusal.Refusal, error) {
		file, err := r.lockedOnFile(ctx, run.WorkflowID)
		if err != nil {
			return calculation.RunResult{}, nil, err
		}
		now, unchanged, err := file.unchanged(from, found.used())
		switch {
		case err != nil:
			return calculation.RunResult{}, nil, err
		case !unchanged:
			return calculation.RunResult{}, nil, calculation.ErrFactsChanged
		}
		from.Facts = now // a run leaves them out: see calculation.Snapshot.WithoutFacts
		return found.write(ctx, r, last, file, from)
	})
	result.Repeated = !ran && err == nil
	return result, err
}

// Score is a workflow's evaluation score, and the rules that made it.
type Score requirement.PricingResult

func (Score) used() usedVersions { return usedVersions{pricingModel: true} }

func (s Score) write(ctx context.Context, r *Records, last *pgx.Batch, file onFile, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	score := s.Score
	ref, err := r.record(ctx, last, file, verdict{
		Content: decision.Content{Kind: decision.Pricing, Outcome: decision.Priced, Changes: decision.Changes{Score: &score}, Results: decision.ResultsOfPricing(requirement.PricingResult(s))},
		used:    s.used(), asOf: from.Facts.AsOf,
	})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	last.Queue(`
		UPDATE workflow SET evaluation_score = $2, score_calculated_at = $3, score_facts = $4, version = version + 1, updated_at = $3
		WHERE id = $1`, file.ID, score, r.at, from.Fingerprint)
	fields := event.ScoreContent{Score: score, Decision: ref}
	_, err = r.queueEvents(last, subjectOf(file.Workflow), Event{Type: domain.WorkflowPricingCalculated, Fields: fields})
	return calculation.RunResult{Score: &score, Decision: &ref}, nil, err
}

// Refused is a calculation that was refused for what is on file: a decision that changes
// nothing.
type Refused struct {
	Kind    decision.Kind
	Refusal *refusal.Refusal
}

// used are all versions that the refused calculation may depend on: a fact that the score lacks is
// also a gap of the documents.
func (f Refused) used() usedVersions {
	return usedVersions{ruleSet: f.Kind == decision.Calculation, pricingModel: true}
}

func (f Refused) write(ctx context.Context, r *Records, last *pgx.Batch, file onFile, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	made := verdict{Content: decision.Content{Kind: f.Kind, Outcome: f.Refusal.SpecificCode()}, used: f.used(), asOf: from.Facts.AsOf}
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

// Documents are the documents that a workflow requires, with the rules that require them.
type Documents requirement.Result

func (Documents) used() usedVersions { return usedVersions{ruleSet: true} }

// write writes the difference between the documents on record and those required
// now.
func (required Documents) write(ctx context.Context, r *Records, last *pgx.Batch, file onFile, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error) {
	existing, earlier, updatedAt, err := r.documentsWithEarlier(ctx, file)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	lockedAt := r.at
	r.stamp(&lockedAt, updatedAt)
	seen := requirement.Seen{AsOf: from.Facts.AsOf, Facts: from.Facts, Identities: file.recorded(r.scope.Environment).Identities(), Earlier: earlier}
	if from.RuleSet != nil {
		seen.VersionID = from.RuleSet.WireID
	}
	changes := requirement.Recalculate(existing, requirement.Result(required), seen, func() string { return id.Format(id.RequiredDocument, r.newID()) })
	changed := calculation.DocumentChanges{
		Added: refs(changes.Added), Kept: refs(changes.Kept), Restored: refs(changes.Restored), Removed: refs(changes.Removed),
		Reopened: refs(changes.Reopened), Reinstated: refs(changes.Reinstated), Carried: carriedRefs(changes.Carried),
	}
	result := calculation.RunResult{Documents: changed.Count(), Changed: changed}
	if file.ScoreFacts != nil && *file.ScoreFacts != from.Fingerprint {
		result.Warnings = []refusal.Warning{{
			Code:    refusal.ScoreOutdated,
			Message: "Facts have changed since evaluation_score was calculated; run workflow.pricing.calculate and then this operation again to use a new score.",
		}}
	}
	ref, err := r.record(ctx, last, file, verdict{
		Content: decision.Content{
			Kind: decision.Calculation, Outcome: decision.Calculated, Results: decision.ResultsOfRules(requirement.Result(required)),
			Changes: decision.Changes{
				Added: changed.Added, Kept: changed.Kept, Restored: changed.Restored, Removed: changed.Removed,
				Reopened: changed.Reopened, Reinstated: changed.Reinstated, Carried: changed.Carried,
			},
		},
		used: required.used(), asOf: from.Facts.AsOf,
	})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	result.Decision = &ref
	last.Queue(`
		UPDATE workflow SET documents_calculated_at = $2, documents_workflow_version = $3, documents_business_version = $4, documents_rule_set_id = $5
		WHERE id = $1`, file.ID, r.at, file.WorkflowVersion, file.BusinessVersion, file.RuleSetID)
	if changes.Empty() {
		return result, nil, nil
	}
	if err := r.apply(last, file.Workflow, changes, ref.DecisionID); err != nil {
		return calculation.RunResult{}, nil, err
	}
	fields := event.DocumentsContent{
		Added: changed.Added, Kept: changed.Kept, Restored: changed.Restored, Removed: changed.Removed,
		Reopened: changed.Reopened, Reinstated: changed.Reinstated, Carried: changed.Carried, Decision: ref,
	}
	_, err = r.queueEvents(last, subjectOf(file.Workflow), Event{Type: domain.RequiredDocumentsCalculated, Fields: fields})
	return result, nil, err
}
