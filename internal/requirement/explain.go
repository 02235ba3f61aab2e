package requirement

import (
	"context"
	"fmt"
)

// Explanation shows how every rule came to its result, also those that require
// nothing. If Gaps is not empty nothing was evaluated and Rules is nil.
type Explanation struct {
	Rules []RuleExplanation `json:"rules"`
	Gaps  []Gap             `json:"gaps"`
}

// RuleExplanation is the evaluation of one rule for one entity.
type RuleExplanation struct {
	// Path is the rule's place in its rule set, such as documents[1].
	Path             string `json:"path"`
	DocumentTypeCode string `json:"document_type_code"`
	EntityType       string `json:"entity_type"`
	EntityID         string `json:"entity_id"`
	Rule             string `json:"rule"`
	Required         bool   `json:"required"`
	// Steps is the evaluation as a tree; nil for a rule without a condition.
	Steps *Step `json:"steps,omitempty"`
}

// Step is the evaluation of one sub-expression.
type Step struct {
	Expression string `json:"expression"`
	// Element is the element of a list that a loop looked at: `p = p_…`.
	Element string `json:"element,omitempty"`
	// Value is what the expression gave: true or false, a number, a text, a
	// date as YYYY-MM-DD, a list of those, or the id of a person. A number whose
	// decimals never end is in JSON a text such as "1/3". It is nil when
	// the expression was not looked at, or has no answer for these facts.
	Value any `json:"value"`
	// Skipped marks what was not looked at, because the result was certain
	// without it.
	Skipped bool   `json:"skipped,omitempty"`
	Steps   []Step `json:"steps,omitempty"`
	// Omitted counts the steps directly below that are left out, because the
	// explanation has MaxExplainedSteps without them.
	Omitted int `json:"omitted,omitempty"`
}

// MaxExplainedSteps bounds the explanation of one rule for one entity: a loop
// within a loop looks at more than anybody reads.
const MaxExplainedSteps = 2000

// Explain evaluates every rule and shows each step. It agrees with Evaluate on
// the same facts, and fails where Evaluate fails.
func (p *Program) Explain(ctx context.Context, f Facts) (Explanation, error) {
	explanation := Explanation{Rules: []RuleExplanation{}}
	gaps, err := p.ExplainEach(ctx, f, func(r RuleExplanation) error {
		explanation.Rules = append(explanation.Rules, r)
		return nil
	})
	if err != nil {
		return Explanation{}, err
	}
	if len(gaps) > 0 {
		return Explanation{Gaps: gaps}, nil
	}
	return explanation, nil
}

// ExplainEach is Explain for rule sets of any size: it hands over one rule and
// entity after the other and keeps none. With gaps it hands over nothing. An
// error of see ends it and is returned.
func (p *Program) ExplainEach(ctx context.Context, f Facts, see func(RuleExplanation) error) ([]Gap, error) {
	b, err := p.prepare(f)
	if err != nil {
		return nil, err
	}
	if gaps := p.needs.gaps(b); len(gaps) > 0 {
		return gaps, nil
	}
	for _, r := range p.rules {
		for _, subject := range r.subjects(b) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			holds, err := r.holds(ctx, subject.values)
			if err != nil {
				return nil, fmt.Errorf("explain %s (%s): %w", r.path, r.DocumentTypeCode, err)
			}
			if err := see(r.explain(subject, holds)); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

func (r rule) explain(s subject, holds bool) RuleExplanation {
	explained := RuleExplanation{
		Path: r.path, DocumentTypeCode: r.DocumentTypeCode, EntityType: r.EntityType, EntityID: s.entityID,
		Rule: alwaysRequired, Required: holds,
	}
	if r.condition != nil {
		left := MaxExplainedSteps
		steps := walk(r.condition.tree, s.values).public(&left)
		explained.Rule, explained.Steps = r.condition.source, &steps
	}
	return explained
}

// public is a step as a reader sees it. Literals, lists and loop variables say
// nothing and are left out; left is how many steps may still be shown.
func (s *step) public(left *int) Step {
	*left--
	shown := Step{Expression: s.node.text(), Element: s.element, Skipped: s.skipped}
	if s.skipped {
		return shown
	}
	shown.Value = s.datum.public()
	for _, part := range s.steps {
		switch part.node.kind {
		case literalKind, listKind, variableKind:
		default:
			if *left <= 0 {
				shown.Omitted++
				continue
			}
			shown.Steps = append(shown.Steps, part.public(left))
		}
	}
	return shown
}

func (d datum) public() any {
	switch {
	case d.undecided:
		return nil
	case d.person != nil:
		return d.person.PersonID
	case d.value != nil:
		return plainValue(d.value)
	}
	values := make([]any, len(d.items))
	for i, item := range d.items {
		values[i] = item.public()
	}
	return values
}
