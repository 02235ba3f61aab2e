// Package replay evaluates the facts of recorded decisions again: with the rules that made the
// decision, which must give the same result, or with a draft. It reads no database and no clock.
package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Rules are the compiled rules and prices of decisions. A calculation with a nil RuleSet requires nothing.
type Rules struct {
	RuleSet *requirement.Program
	Pricing *requirement.Pricing
}

// MemoryBytes estimates how much memory the rules take.
func (r Rules) MemoryBytes() (bytes int64) {
	if r.RuleSet != nil {
		bytes += r.RuleSet.MemoryBytes()
	}
	if r.Pricing != nil {
		bytes += r.Pricing.MemoryBytes()
	}
	return bytes
}

// Found is the result of an evaluation, without texts for readers.
type Found struct {
	// Outcome is the outcome of a decision.
	Outcome decision.Outcome `json:"outcome"`
	Score   *rational.Number `json:"evaluation_score,omitempty"`
	Results []Result         `json:"results,omitempty"`
	Gaps    []Gap            `json:"gaps,omitempty"`
	// Message says why a rule has no answer. Replay does not compare it.
	Message string `json:"-"`
}

// Result is the result of one rule for one entity, with the facts that decided.
type Result struct {
	Rule             string                  `json:"rule"`
	DocumentTypeCode string                  `json:"document_type_code,omitempty"`
	FindingCode      string                  `json:"finding_code,omitempty"`
	EntityType       string                  `json:"entity_type,omitempty"`
	EntityID         string                  `json:"entity_id,omitempty"`
	Points           *rational.Number        `json:"points,omitempty"`
	Holds            bool                    `json:"holds"`
	Facts            requirement.ReasonFacts `json:"facts,omitempty"`
}

// Gap is a missing fact.
type Gap struct {
	Code       string    `json:"code"`
	EntityType string    `json:"entity_type"`
	EntityID   string    `json:"entity_id"`
	Missing    []Missing `json:"missing"`
}

// Missing names a missing field, without the texts with which callers ask for it.
type Missing struct {
	Field    string `json:"field"`
	Type     string `json:"type,omitempty"`
	Currency string `json:"currency,omitempty"`
}

// Case is a recorded decision that Replay can make again.
type Case struct {
	DecisionID id.DecisionID  `json:"decision_id,omitzero"`
	Kind       decision.Kind  `json:"kind"`
	AsOf       fact.Date      `json:"as_of"`
	Facts      decision.Facts `json:"facts"`
	Found      Found          `json:"found"`
}

// Read reads a complete calculation or pricing that was not erased.
func Read(d decision.Decision) (Case, error) {
	var changes decision.Changes
	var results []decision.RuleResult
	var personal decision.Personal
	for _, part := range []struct {
		name, text string
		into       any
	}{{"changes", d.Changes, &changes}, {"results", d.Results, &results}, {"facts", d.Personal, &personal}} {
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			return Case{}, fmt.Errorf("the %s of decision %s: %w", part.name, d.ID, err)
		}
	}
	c := Case{DecisionID: d.ID, Kind: d.Kind, AsOf: d.AsOf, Facts: personal.Facts}
	c.Found = Found{Outcome: d.Outcome, Score: changes.Score, Results: resultsOf(decision.Reasons(results, &personal)), Gaps: gapsOf(personal.Gaps)}
	return c, nil
}

// Evaluate returns what rules find for facts. The error is the error of ctx.
func Evaluate(ctx context.Context, kind decision.Kind, rules Rules, facts fact.Facts) (Found, error) {
	switch {
	case kind == decision.Pricing && rules.Pricing == nil:
		return Found{}, fmt.Errorf("a pricing has no pricing model")
	case kind == decision.Pricing:
		priced, err := rules.Pricing.Score(ctx, facts)
		if err != nil || len(priced.Gaps) > 0 {
			return refused(priced.Gaps, err)
		}
		return Found{Outcome: decision.Priced, Score: &priced.Score, Results: resultsOf(decision.ResultsOfPricing(priced))}, nil
	case kind != decision.Calculation:
		return Found{}, fmt.Errorf("no rules decide a %s", kind)
	case rules.RuleSet == nil:
		return Found{Outcome: decision.Calculated}, nil
	}
	required, err := rules.RuleSet.Evaluate(ctx, facts)
	if err != nil || len(required.Gaps) > 0 {
		return refused(required.Gaps, err)
	}
	return Found{Outcome: decision.Calculated, Results: resultsOf(decision.ResultsOfRules(required))}, nil
}

func refused(gaps []fact.Gap, err error) (Found, error) {
	switch {
	case err == nil:
		return Found{Outcome: decision.Outcome(refusal.MissingRequirements), Gaps: gapsOf(gaps)}, nil
	case requirement.Unanswerable(err):
		return Found{Outcome: decision.Outcome(refusal.RuleNotEvaluable), Message: err.Error()}, nil
	}
	return Found{}, err
}

func resultsOf(results []decision.RuleResult) []Result {
	found := make([]Result, len(results))
	for i, r := range results {
		found[i] = Result{
			Rule:             r.Rule,
			DocumentTypeCode: r.DocumentTypeCode,
			FindingCode:      r.FindingCode,
			EntityType:       r.EntityType,
			EntityID:         r.EntityID,
			Points:           r.Points,
			Holds:            r.Holds,
		}
		if r.Reason != nil {
			found[i].Facts = r.Reason.Facts
		}
	}
	return found
}

func gapsOf(gaps []fact.Gap) []Gap {
	found := make([]Gap, len(gaps))
	for i, g := range gaps {
		found[i] = Gap{Code: g.Code, EntityType: g.EntityType, EntityID: g.EntityID, Missing: make([]Missing, len(g.Missing))}
		for j, m := range g.Missing {
			found[i].Missing[j] = Missing{m.Field, m.Type, m.Currency}
		}
	}
	return found
}

// Difference is one difference between a recorded decision and its replay.
type Difference struct {
	// Of says what differs, such as the facts of a document.
	Of       string `json:"of"`
	Recorded string `json:"recorded"`
	Now      string `json:"now"`
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: recorded is %s, and now %s", d.Of, d.Recorded, d.Now)
}

// Replay makes a decision again with the rules that made it, and returns the differences: in the outcome,
// the score, the documents or the rules that apply, the facts that decided, or the gaps.
func Replay(ctx context.Context, c Case, rules Rules) ([]Difference, error) {
	facts, err := c.Facts.ForRules(c.AsOf)
	if err != nil {
		return nil, fmt.Errorf("the facts of decision %s: %w", c.DecisionID, err)
	}
	now, err := Evaluate(ctx, c.Kind, rules, facts)
	if err != nil {
		return nil, err
	}
	return c.Found.compare(now)
}

// compare finds the differences. Order does not matter.
func (f Found) compare(now Found) ([]Difference, error) {
	if f.Outcome != now.Outcome {
		return []Difference{{"outcome", string(f.Outcome), string(now.Outcome)}}, nil
	}
	var found []Difference
	if a, b := scoreText(f.Score), scoreText(now.Score); a != b {
		found = append(found, Difference{"evaluation_score", a, b})
	}
	recorded, order, err := f.statements()
	if err != nil {
		return nil, err
	}
	evaluated, others, err := now.statements()
	if err != nil {
		return nil, err
	}
	for _, of := range append(order, slices.DeleteFunc(others, func(of string) bool { _, both := recorded[of]; return both })...) {
		if a, b := orNothing(recorded[of]), orNothing(evaluated[of]); a != b {
			found = append(found, Difference{of, a, b})
		}
	}
	return found, nil
}

func scoreText(score *rational.Number) string {
	if score == nil {
		return "none"
	}
	return score.String()
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// statements returns the results as texts by name, and the names in order. Repeated names are
// numbered.
func (f Found) statements() (map[string]string, []string, error) {
	said, order := map[string]string{}, []string(nil)
	add := func(of, text string) {
		name := of
		for n := 2; said[name] != ""; n++ {
			name = fmt.Sprintf("%s, %d", of, n)
		}
		said[name] = text
		order = append(order, name)
	}
	for _, r := range f.Results {
		of, holds := "rule "+r.Rule, "applied"
		code := r.DocumentTypeCode + r.FindingCode // one of them is empty; both are for a rule of prices
		if code != "" {
			of, holds = strings.TrimSpace(fmt.Sprintf("%s of %s %s", code, r.EntityType, r.EntityID)), "required"
		}
		if r.FindingCode != "" {
			of, holds = "finding "+of, "found"
		}
		if !r.Holds {
			holds = "not " + holds
		}
		if code != "" {
			holds += " by " + r.Rule
		}
		if r.Points != nil {
			holds += ", " + r.Points.String() + " points"
		}
		facts, err := json.Marshal(r.Facts)
		if err != nil {
			return nil, nil, fmt.Errorf("the facts of %s: %w", of, err)
		}
		if len(r.Facts) == 0 {
			facts = []byte("{}") // without facts, or without a reason
		}
		add(of, holds+", decided by "+string(facts))
	}
	for _, g := range f.Gaps {
		fields, err := json.Marshal(g.Missing)
		if err != nil {
			return nil, nil, fmt.Errorf("the gap of %s: %w", g.EntityID, err)
		}
		add(fmt.Sprintf("gap %s of %s %s", g.Code, g.EntityType, g.EntityID), string(fields))
	}
	return said, order, nil
}
