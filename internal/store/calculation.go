package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/webhooks/event"
)

// Found is what a calculation found in a snapshot: Required documents, a Score, or Refused.
type Found interface {
	used() usedVersions
	// write queues the statements that save the result and the decision. The refusal is one that
	// the decision records.
	write(ctx context.Context, r *unit, last *pgx.Batch, file storedApplication, from calculation.Snapshot) (calculation.RunResult, *refusal.Refusal, error)
}

// Save saves the result of a calculation in one transaction under a lock on the workflow, with its
// decision and its event. If data that the result uses has changed since the snapshot, the error is
// calculation.ErrFactsChanged. A refusal is recorded, and is also the error. A run that has already
// written gets the same outcome again. So does another run whose idempotency key has an outcome.
func (s *Store) Save(ctx context.Context, run domain.Run, from calculation.Snapshot, found Found) (calculation.RunResult, error) {
	if from.Scope != run.Call.Scope || from.Facts.WorkflowID != run.WorkflowID.String() { // another workflow or scope may have the same facts
		return calculation.RunResult{}, fmt.Errorf("the facts of %s are not those of %s", from.Facts.WorkflowID, run.WorkflowID)
	}
	var result calculation.RunResult // includes what is not stored
	outcome, ran, err := s.writeOnce(ctx, run, func(r *unit, last *pgx.Batch) (Outcome, error) {
		file, err := r.lockedOpenApplication(ctx, run.WorkflowID, day{on: from.Facts.AsOf})
		if err != nil {
			return Outcome{}, err
		}
		now, unchanged, err := file.unchanged(from, found.used())
		switch {
		case err != nil:
			return Outcome{}, err
		case !unchanged:
			return Outcome{}, calculation.ErrFactsChanged
		}
		r.recalculating = run.Recalculation
		from.Facts = now // a run leaves the facts out: see calculation.Snapshot.WithoutFacts
		var refused *refusal.Refusal
		result, refused, err = found.write(ctx, r, last, file, from)
		if err != nil || refused != nil {
			return Outcome{Refusal: refused}, err
		}
		return outcomeOf(result)
	})
	switch {
	case err != nil:
		return calculation.RunResult{}, err
	case ran && outcome.Refusal == nil:
		return result, nil
	}
	result, err = outcome.RunResult()
	result.Repeated = !ran && err == nil
	return result, err
}

// Score is a workflow's evaluation score, with the rules that calculated it.
type Score requirement.PricingResult

func (Score) used() usedVersions { return usedVersions{pricingModel: true} }

func (s Score) write(
	ctx context.Context, r *unit, last *pgx.Batch,
	file storedApplication, from calculation.Snapshot,
) (calculation.RunResult, *refusal.Refusal, error) {
	score := s.Score
	ref, err := r.decisions().record(ctx, last, file, verdict{
		Content: decision.Content{
			Kind: decision.Pricing, Outcome: decision.Priced,
			Changes: decision.Changes{Score: &score},
			Results: decision.ResultsOfPricing(requirement.PricingResult(s)),
		},
		used: s.used(), asOf: from.Facts.AsOf,
	})
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	last.Queue(`
		UPDATE workflow SET evaluation_score = $2, score_calculated_at = $3, score_facts = $4, version = version + 1, updated_at = $3
		WHERE id = $1`, file.ID, score, r.at, from.Fingerprint)
	fields := event.ScoreContent{Score: score, DecisionRef: ref}
	_, err = r.queueEvents(last, subjectOf(file.Workflow), Event{Type: domain.WorkflowPricingCalculated, Fields: fields})
	return calculation.RunResult{Score: &score, Decision: &ref}, nil, err
}

// Refused is a calculation that was refused because of the stored facts. Its decision changes
// nothing.
type Refused struct {
	Kind    decision.Kind
	Refusal *refusal.Refusal
}

// used returns all versions that the refused calculation may depend on. A fact that the score lacks
// is also a gap of the documents.
func (f Refused) used() usedVersions {
	return usedVersions{ruleSet: f.Kind == decision.Calculation, pricingModel: true}
}

func (f Refused) write(
	ctx context.Context, r *unit, last *pgx.Batch,
	file storedApplication, from calculation.Snapshot,
) (calculation.RunResult, *refusal.Refusal, error) {
	made := verdict{Content: decision.Content{Kind: f.Kind, Outcome: decision.Outcome(f.Refusal.SpecificCode())}, used: f.used(), asOf: from.Facts.AsOf}
	if f.Refusal.Code == refusal.MissingRequirements {
		if err := json.Unmarshal(f.Refusal.Details, &made.Gaps); err != nil {
			return calculation.RunResult{}, nil, fmt.Errorf("read the gaps of a refusal: %w", err)
		}
	} else {
		made.Error = &decision.RuleError{Code: f.Refusal.SubCode, Message: f.Refusal.Message}
	}
	if repeated, err := r.decisions().repeats(ctx, file, made); err != nil || repeated {
		return calculation.RunResult{}, f.Refusal, err
	}
	ref, err := r.decisions().record(ctx, last, file, made)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	refused := *f.Refusal
	refused.Decision = &ref
	return calculation.RunResult{}, &refused, nil
}

// Required has the documents that a workflow requires and its findings, with the rules of both.
type Required requirement.Result

func (Required) used() usedVersions { return usedVersions{ruleSet: true} }

// changesApprovedText reports whether a rule's text differs from the approved text of one of the documents.
func (required Required) changesApprovedText(documents []document.Document) bool {
	rules := make(map[requirement.RuleKey]requirement.DocumentText, len(required.Rules))
	for _, rule := range required.Rules {
		if rule.Document != nil {
			rules[rule.RuleKey] = rule.Document.DocumentText()
		}
	}
	return slices.ContainsFunc(documents, func(d document.Document) bool {
		text, known := rules[requirement.RuleKey{DocumentTypeCode: d.DocumentTypeCode, EntityType: d.EntityType}]
		return known && d.Approval != nil && !d.Approval.Text.Same(text)
	})
}

// write writes the difference between the stored documents and findings and the new ones.
func (required Required) write(
	ctx context.Context, r *unit, last *pgx.Batch,
	file storedApplication, from calculation.Snapshot,
) (calculation.RunResult, *refusal.Refusal, error) {
	changes, err := required.changes(ctx, r, file, from)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	changed := document.MapChanges(changes.ByChange, refs, carriedRefs)
	result := calculation.RunResult{
		Documents: new(document.CountChanges(changed)), Changed: changed,
		Warnings: file.scoreWarnings(from), Unchanged: r.recalculating && changes.OnlyReasons(),
	}
	ref, recorded, err := required.record(ctx, r, last, file, from, changes, changed)
	if err != nil {
		return calculation.RunResult{}, nil, err
	}
	if recorded {
		result.Decision = &ref
	}
	if err := queueCalculated(last, file, r.at, from.Facts.AsOf, changes.Findings); err != nil {
		return calculation.RunResult{}, nil, err
	}
	if !changes.Empty() {
		if err := r.documents().apply(last, file.Workflow, changes, ref.DecisionID); err != nil {
			return calculation.RunResult{}, nil, err
		}
	}
	if events := calculated(changes, changed, ref); len(events) > 0 {
		_, err = r.queueEvents(last, subjectOf(file.Workflow), events...)
	}
	return result, nil, err
}

// changes compares the required documents and findings with the stored ones. It sets the time of
// the change.
func (required Required) changes(ctx context.Context, r *unit, file storedApplication, from calculation.Snapshot) (document.Changes, error) {
	existing, earlier, updatedAt, err := r.documents().withEarlier(ctx, file)
	if err != nil {
		return document.Changes{}, err
	}
	lockedAt := r.at
	r.stamp(&lockedAt, updatedAt)
	onFile := file.recorded(r.scope.Environment)
	seen := document.Seen{
		AsOf: from.Facts.AsOf, Facts: from.Facts,
		Identities: onFile.Identities(), Address: onFile.Address(),
		Earlier: earlier, Findings: file.Findings,
	}
	if from.RuleSet != nil {
		seen.VersionID, seen.Version = from.RuleSet.WireID, from.RuleSet.Version
	}
	if required.changesApprovedText(slices.Concat(existing, earlier)) {
		version, err := r.rules().ruleVersion(ctx, file.RuleSet.ID)
		if err != nil {
			return document.Changes{}, err
		}
		seen.KeptTexts = version.keptTexts
	}
	newID := func() string { return id.Format(id.RequiredDocument, r.newID()) }
	return document.Recalculate(existing, requirement.Result(required), seen, newID), nil
}

// scoreWarnings warns if the score was calculated from other facts.
func (f storedApplication) scoreWarnings(from calculation.Snapshot) []refusal.Warning {
	if f.ScoreFacts == nil || *f.ScoreFacts == from.Fingerprint {
		return nil
	}
	return []refusal.Warning{{
		Code:    refusal.ScoreOutdated,
		Message: "Facts have changed since evaluation_score was calculated; run workflow.pricing.calculate and then this operation again to use a new score.",
	}}
}

// record records the decision, unless it changes nothing and repeats the last one.
func (required Required) record(
	ctx context.Context, r *unit, last *pgx.Batch,
	file storedApplication, from calculation.Snapshot,
	changes document.Changes, changed calculation.DocumentChanges,
) (ref refusal.DecisionRef, recorded bool, err error) {
	made := verdict{
		Content: decision.Content{
			Kind: decision.Calculation, Outcome: decision.Calculated, Results: decision.ResultsOfRules(requirement.Result(required)),
			Changes: decision.Changes{DocumentChanges: decision.DocumentChanges(changed), Findings: calculation.FindingRefs(changes.Findings.Now)},
		},
		used: required.used(), asOf: from.Facts.AsOf,
	}
	if changes.Empty() && !changes.Findings.Changed {
		if repeated, err := r.decisions().repeats(ctx, file, made); err != nil || repeated {
			return refusal.DecisionRef{}, false, err
		}
	}
	ref, err = r.decisions().record(ctx, last, file, made)
	return ref, err == nil, err
}

// queueCalculated queues the statement that writes the findings, and the time, the versions and the
// day of the calculation.
func queueCalculated(last *pgx.Batch, file storedApplication, at time.Time, asOf fact.Date, changed document.FindingChanges) error {
	var findings []byte // nil if they stay as they are
	if changed.Changed {
		var err error
		if findings, err = json.Marshal(append([]document.Finding{}, changed.Now...)); err != nil {
			return fmt.Errorf("encode findings: %w", err)
		}
	}
	last.Queue(`
		UPDATE workflow SET documents_calculated_at = $2, documents_workflow_version = $3, documents_business_version = $4, documents_rule_set_id = $5,
			findings = coalesce($6, findings), documents_as_of = $7::text::date
		WHERE id = $1`, file.ID, at, file.WorkflowVersion, file.BusinessVersion, file.RuleSet.ID, findings, asOf.String())
	return nil
}

// calculated returns the events of a calculation. One that changes nothing has none.
func calculated(changes document.Changes, changed calculation.DocumentChanges, ref refusal.DecisionRef) (events []Event) {
	if !changes.Empty() {
		events = append(events, Event{Type: domain.RequiredDocumentsCalculated, Fields: event.DocumentsContent{DocumentChanges: changed, DecisionRef: ref}})
	}
	if f := changes.Findings; len(f.Added)+len(f.Removed) > 0 {
		events = append(events, Event{Type: domain.WorkflowFindingsChanged, Fields: event.FindingsContent{
			Added: calculation.FindingRefs(f.Added), Removed: calculation.FindingRefs(f.Removed), DecisionRef: ref,
		}})
	}
	return events
}
