package replay

import (
	"context"
	"fmt"
	"slices"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Application has the recorded facts of an application's latest calculation.
type Application struct {
	WorkflowID id.WorkflowID
	ExternalID *string
	DecisionID id.DecisionID
	AsOf       fact.Date
	Facts      decision.Facts
	// Approved are the documents that are completed or waived today; none if the application has ended.
	Approved []calculation.ApprovedDocument
}

// Backtest compares the decisions of a draft and of the version in force on the same facts.
type Backtest struct {
	inForce, draft side
	// texts are the rules that both have, with different texts.
	texts map[requirement.RuleKey]bool
	keep  []string
}

// NewBacktest compares two rule sets. keep has the codes of documents whose approvals would stay
// valid although their text changes; "*" means all.
func NewBacktest(inForce, draft *requirement.Program, keep ...string) *Backtest {
	b := &Backtest{newSide(inForce), newSide(draft), map[requirement.RuleKey]bool{}, keep}
	for key, r := range b.draft.rules {
		if old, known := b.inForce.rules[key]; known && r.Document != nil && !old.Document.DocumentText().Same(r.Document.DocumentText()) {
			b.texts[key] = true
		}
	}
	return b
}

// side is one of the two rule sets.
type side struct {
	program *requirement.Program
	rules   map[requirement.RuleKey]requirement.Rule
}

func newSide(p *requirement.Program) side {
	s := side{p, map[requirement.RuleKey]requirement.Rule{}}
	for _, r := range p.Rules() {
		s.rules[r.RuleKey] = r
	}
	return s
}

// TextsChanged returns the document type codes of the rules whose text the draft changes.
func (b *Backtest) TextsChanged() []string {
	var codes []string
	for r := range b.texts {
		codes = append(codes, r.Code())
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Try finds how the draft would have changed the decision about an application.
func (b *Backtest) Try(ctx context.Context, a Application) (changes.Application, error) {
	tried := changes.Application{WorkflowID: a.WorkflowID.String(), DecisionID: a.DecisionID.String()}
	if a.ExternalID != nil {
		tried.ExternalID = *a.ExternalID
	}
	facts, err := a.Facts.ForRules(a.AsOf)
	if err != nil {
		return tried, fmt.Errorf("the facts of decision %s: %w", a.DecisionID, err)
	}
	var before, after []changes.Change
	if before, tried.InForce, err = b.inForce.evaluate(ctx, facts); err != nil {
		return tried, err
	}
	if after, tried.Undecided, err = b.draft.evaluate(ctx, facts); err != nil {
		return tried, err
	}
	if tried.Decided() && tried.InForce.Decided() {
		tried.Changes = b.compare(before, after, a.Approved)
		tried.Changes = append(tried.Changes, b.overdue(tried.Changes, facts)...)
	}
	return tried, nil
}

// evaluate returns the documents and findings of the rules. Their kind of change is empty.
func (s side) evaluate(ctx context.Context, facts fact.Facts) ([]changes.Change, changes.Undecided, error) {
	result, err := s.program.Evaluate(ctx, facts)
	if requirement.Unanswerable(err) {
		return nil, changes.Undecided{Failure: err.Error()}, nil
	}
	found := make([]changes.Change, len(result.Required))
	for i, r := range result.Required {
		found[i] = changes.Change{RuleKey: r.RuleKey(), EntityID: r.EntityID, Reason: r.Reason.Message}
		if rule := s.rules[r.RuleKey()]; rule.Finding != nil {
			found[i].FindingKind = rule.Finding.Kind
		}
	}
	return found, changes.Undecided{Gaps: result.Gaps}, err
}

// compare returns the changes from before to after. A finding whose kind changes counts as removed and added.
func (b *Backtest) compare(before, after []changes.Change, approved []calculation.ApprovedDocument) (found []changes.Change) {
	withoutReason := func(c changes.Change) changes.Change { c.Reason = ""; return c }
	add := func(kind changes.Kind, c changes.Change) { c.Kind = kind; found = append(found, c) }
	required, stays := map[changes.Change]bool{}, map[changes.Change]bool{}
	for _, c := range before {
		required[withoutReason(c)] = true
	}
	for _, c := range after {
		stays[withoutReason(c)] = true
		switch {
		case !required[withoutReason(c)]:
			add(changes.Added, c)
		default:
			add(changes.Kept, c)
			if !b.texts[c.RuleKey] {
				continue
			}
			add(changes.TextChanged, c)
			if !document.Keeps(b.keep, c.DocumentTypeCode) && slices.Contains(approved, calculation.ApprovedDocument{DocumentTypeCode: c.DocumentTypeCode, EntityType: c.EntityType, EntityID: c.EntityID}) {
				add(changes.Reopened, c)
			}
		}
	}
	for _, c := range before {
		if !stays[withoutReason(c)] {
			add(changes.Removed, c)
		}
	}
	return found
}

// overdue returns the added documents that would have been due before the day of the decision.
func (b *Backtest) overdue(all []changes.Change, facts fact.Facts) (found []changes.Change) {
	for _, c := range all {
		rule := b.draft.rules[c.RuleKey].Document
		if c.Kind != changes.Added || rule == nil {
			continue
		}
		if due := rule.DueDate(facts, facts.AsOf); !due.IsZero() && due.Before(facts.AsOf) {
			c.Kind = changes.OverdueAtOnce
			found = append(found, c)
		}
	}
	return found
}
