package requirement

import (
	"context"
	"fmt"
	"math"
	"strings"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file calculates the score with the rules that applied, or gaps.

// MaxPricingRules limits the rules of one pricing model.
const MaxPricingRules = 200

// maxPoints limits the absolute value of a base and of the points of one rule.
const maxPoints = 1_000_000_000

// PricingModel is the source form of the calculation of an account's evaluation scores: a base, and
// the points of every rule that holds.
type PricingModel struct {
	// Facts has the declared facts, as RuleSet.Facts does.
	Facts []fact.Declaration `json:"facts,omitempty"`
	Base  fact.Number        `json:"base"`
	Rules []PricingRule      `json:"rules"`
}

// PricingRule adds its points, which may be negative, if its condition holds. The condition is in
// the language of the document rules, without evaluation_score, person and lists.
type PricingRule struct {
	Name   string      `json:"name"`
	When   string      `json:"when,omitempty" minLength:"1" doc:"write what must hold, such as business_age_years >= 2"`
	Points fact.Number `json:"points"`
}

// CanonicalJSON is the form in which a pricing model is stored and compared; see
// RuleSet.CanonicalJSON.
func (m PricingModel) CanonicalJSON() []byte { return fact.CanonicalJSON(m) }

// ParsePricingModelJSON parses a pricing model as ParseRuleSetJSON parses a rule set.
func ParsePricingModelJSON(data []byte) (PricingModel, []Problem) {
	return ReadPricingModel(rulefile.JSONFile(data))
}

// Pricing is a compiled pricing model. It is immutable and safe for concurrent use.
type Pricing struct {
	base  fact.Number
	table *fact.Table
	rules []CompiledPricingRule
	limit uint64 // steps of one calculation

	declared []fact.Declaration
	asked    []AskedFact
	needs    fact.Needs
	yield    func()
}

// CompiledPricingRule is a pricing rule with its condition.
type CompiledPricingRule struct {
	PricingRule
	Path      string
	Condition *Condition
	Noticed   []Problem // warnings of the compilation
}

// PricingResult is the result of one calculation. If Gaps is not empty, nothing was calculated.
type PricingResult struct {
	Score   fact.Number   `json:"score"`
	Applied []AppliedRule `json:"applied"`
	// NotApplied has the rules that did not hold.
	NotApplied []AppliedRule `json:"not_applied"`
	Gaps       []fact.Gap    `json:"gaps"`
}

// AppliedRule is a pricing rule that held, or did not.
type AppliedRule struct {
	Name   string      `json:"name"`
	Points fact.Number `json:"points"`
	Reason Reason      `json:"reason"`
}

// CompilePricing checks a whole pricing model and prepares it for calculations. It reports every
// problem that it finds. If there is any, the Pricing is nil.
func CompilePricing(m PricingModel, opts Options) (*Pricing, []Problem) {
	p, problems := makePricing(m, opts)
	if p != nil {
		problems = gapsProblem(p.table, p.needs)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return p, nil
}

func makePricing(m PricingModel, opts Options) (*Pricing, []Problem) {
	opts = opts.withDefaults()
	problems := append(opts.validate(), m.validate()...)
	if len(m.Rules) > MaxPricingRules {
		return nil, problems
	}
	p := &Pricing{base: m.Base, table: fact.NewTable(m.Facts), declared: m.Facts, limit: opts.CostLimit}
	names := scope{table: p.table, constant: constants(nil)}
	var steps stepsTogether
	asked, found := compileAsked(m.Facts, names, opts, &steps)
	p.asked, names.asked, problems = asked, asked, append(problems, found...)
	language := newLanguage(names, opts)
	for i, source := range m.Rules {
		path := fmt.Sprintf("rules[%d]", i)
		if source.When == "" {
			problems = append(problems, Problem{Path: path + ".when", Message: "is missing: " + writeWhatMustHold})
			continue
		}
		compiled, found, noticed := language.compile(source.When)
		problems = append(problems, rulefile.WithPath(found, path+".when")...)
		if compiled == nil {
			continue
		}
		steps.add(compiled, 1, source.Name, path)
		p.needs.Add(compiled.needs.OfRule(fact.EntityWorkflow))
		p.rules = append(p.rules, CompiledPricingRule{source, path, compiled, noticed})
	}
	if steps.total > opts.CostLimit {
		problems = append(problems, Problem{Path: "rules", Message: steps.refusal(nil, opts.CostLimit)})
	}
	if len(problems) > 0 {
		return nil, rulefile.FirstProblems(problems)
	}
	return p, nil
}

// LoadPricing prepares a pricing model that was checked when it was published. Loading does not
// refuse a model that may exceed the limit of steps: a calculation ends at the limit.
func LoadPricing(_ context.Context, content []byte, opts Options) (*Pricing, []Problem, error) {
	model, problems := ParsePricingModelJSON(content)
	if len(problems) > 0 {
		return nil, problems, nil
	}
	limit := opts.withDefaults().CostLimit
	opts.CostLimit = math.MaxUint64
	p, problems := makePricing(model, opts)
	if p != nil {
		p.limit = limit
	}
	return p, problems, nil
}

func (m PricingModel) validate() []Problem {
	var problems []Problem
	add := func(path, message string) { problems = append(problems, Problem{Path: path, Message: message}) }
	bounded := func(path string, v fact.Number) {
		decimals, ends := v.Decimals()
		switch {
		case v.Cmp(rational.Int(maxPoints)) > 0 || v.Cmp(rational.Int(-maxPoints)) < 0:
			add(path, fmt.Sprintf("must be a number between -%d and %d", maxPoints, maxPoints))
		case !ends || decimals > fact.ScoreDecimals:
			add(path, fmt.Sprintf("has more than %d decimals, which no score can hold", fact.ScoreDecimals))
		}
	}
	problems = append(problems, validateFacts(m.Facts)...)
	bounded("base", m.Base)
	if len(m.Rules) > MaxPricingRules {
		add("rules", fmt.Sprintf("holds %d rules; at most %d are allowed", len(m.Rules), MaxPricingRules))
	}
	for i, rule := range m.Rules {
		path := fmt.Sprintf("rules[%d]", i)
		if strings.TrimSpace(rule.Name) == "" || rulefile.TooLong(rule.Name, MaxTextLength) {
			add(path+".name", fmt.Sprintf("must be text of 1 to %d characters", MaxTextLength))
		} else if found := rulefile.Unprintable(rule.Name); found != "" {
			add(path+".name", found)
		}
		bounded(path+".points", rule.Points)
	}
	return problems
}

// Declared returns the facts that the model declares.
func (p *Pricing) Declared() []fact.Declaration { return p.declared }

// Asked is like Program.Asked.
func (p *Pricing) Asked() []AskedFact { return p.asked }

// FactNames returns the sorted names of the facts to which the model refers.
func (p *Pricing) FactNames() []string { return p.needs.Names() }

// CompiledRules returns the rules with their conditions, in the order of publication. The caller
// must not change them.
func (p *Pricing) CompiledRules() []CompiledPricingRule { return p.rules }

// Gaps returns the gaps in the facts that the model needs. It returns the same errors as Score.
func (p *Pricing) Gaps(ctx context.Context, f fact.Facts) ([]fact.Gap, error) {
	values, err := p.prepare(ctx, f)
	if err != nil {
		return nil, err
	}
	return values.gaps(p.needs), nil
}

// prepare is like Program.prepare.
func (p *Pricing) prepare(ctx context.Context, f fact.Facts) (*Bindings, error) {
	if err := checkFacts(&f, p.needs); err != nil {
		return nil, err
	}
	values := Bind(p.table, f, nil, p.limit)
	values.yield = p.yield
	return values, values.ask(ctx, p.asked, p.needs)
}

const thenPrice = "Then call workflow.pricing.calculate, and calculate the required documents again."

// ExplainScoreGap adds to a gap of the score which facts pricing lacks, in words and as
// PricingMissing. The model is nil for an account without one.
func ExplainScoreGap(ctx context.Context, g *fact.Gap, model *Pricing, f fact.Facts) error {
	if model == nil {
		g.Message = "The evaluation score of this workflow has not been calculated, " +
			"and the account has no pricing model: ask the operator to publish one. " +
			thenPrice
		return nil
	}
	lacking, err := model.Gaps(ctx, f)
	if err != nil || len(lacking) == 0 {
		return err
	}
	if jsonBytes(lacking) > maxPricingGaps {
		g.Message = fmt.Sprintf(
			"The evaluation score of this workflow has not been calculated, and pricing lacks more facts than this answer holds: "+
				"call workflow.pricing.calculate, which lists them. %s",
			thenPrice)
		return nil
	}
	g.PricingMissing = lacking
	g.Message = fmt.Sprintf(
		"The evaluation score of this workflow has not been calculated, and pricing lacks %s: supply what pricing_missing lists. %s",
		model.table.LackingWords(lacking, f), thenPrice)
	return nil
}

// maxPricingGaps limits, in bytes, what a gap of the score says about pricing. The same answer has
// the gaps of the rules, and one workflow task contains both twice: in the failure of evaluating
// and in the run's answer.
const maxPricingGaps = 100_000

// Yielding is like Program.Yielding.
func (p *Pricing) Yielding(yield func()) *Pricing {
	yielding := *p
	yielding.yield = yield
	return &yielding
}

// Score returns the gaps in the facts or, if there are none, the score and the rules that made it,
// in their order. It ignores EvaluationScore. It returns the same errors as Program.Evaluate.
func (p *Pricing) Score(ctx context.Context, f fact.Facts) (PricingResult, error) {
	values, err := p.prepare(ctx, f)
	if err != nil {
		return PricingResult{}, err
	}
	if gaps := values.gaps(p.needs); len(gaps) > 0 {
		return PricingResult{Gaps: gaps}, nil
	}
	result := PricingResult{Score: p.base, Applied: []AppliedRule{}}
	var applied, others []*Condition
	for _, rule := range p.rules {
		holds, err := rule.Condition.Holds(ctx, values)
		if err != nil {
			return PricingResult{}, fmt.Errorf("rule %s (%s): %w", rule.Path, rulefile.Clip(rule.Name), err)
		}
		if holds {
			if result.Score, err = result.Score.Add(rule.Points); err != nil {
				return PricingResult{}, fmt.Errorf("add the points of %s: %w", rule.Path, err)
			}
			result.Applied, applied = append(result.Applied, AppliedRule{Name: rule.Name, Points: rule.Points}), append(applied, rule.Condition)
		} else {
			result.NotApplied, others = append(result.NotApplied, AppliedRule{Name: rule.Name, Points: rule.Points}), append(others, rule.Condition)
		}
	}
	// Reasons use the steps that are left after all decisions.
	for i, c := range applied {
		if err := values.giveWay(ctx, 0); err != nil {
			return PricingResult{}, err
		}
		result.Applied[i].Reason = c.because(values, result.Applied[i].Name, "applied", true)
	}
	for i, c := range others {
		if err := values.giveWay(ctx, 0); err != nil {
			return PricingResult{}, err
		}
		result.NotApplied[i].Reason = c.because(values, result.NotApplied[i].Name, "not applied", false)
	}
	return result, nil
}

// MemoryBytes estimates how much memory the model uses.
func (p *Pricing) MemoryBytes() int64 {
	bytes := languageMemory
	for _, r := range p.rules {
		bytes += ruleMemory + int64(len(r.Name)) + r.Condition.memory()
	}
	for _, a := range p.asked {
		bytes += ruleMemory + a.Condition.memory()
	}
	return bytes
}
