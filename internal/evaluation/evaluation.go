// Package evaluation checks and evaluates the rules of tenants. Whatever may take
// long is a task of package background: nothing else waits for it.
package evaluation

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"requisite/internal/background"
	"requisite/internal/requirement"
)

// Checked is what the check of a rule set has found.
type Checked struct {
	// Unread are the problems of what cannot be read, and Problems those of what
	// can: its conditions and examples.
	Unread   []requirement.Problem `json:"unread"`
	Problems []requirement.Problem `json:"problems"`

	// What follows is empty if there are any.

	// Content is the canonical form.
	Content   []byte                `json:"content"`
	FactNames []string              `json:"fact_names"`
	Warnings  []requirement.Problem `json:"warnings"`
}

// Rules are those of a rule set without problems.
func (c Checked) Rules() *Rules { return &Rules{published: published{content: c.Content}} }

var checking = background.NewTask("check", check, ErrTooLong)

// ErrTooLong reports that checking a rule set takes more than its limit.
var ErrTooLong = errors.New("the rules take too long to check")

// toCheck is what a checking process is asked.
type toCheck struct {
	Content []byte        `json:"content"`
	Limit   time.Duration `json:"limit"`
}

// Check checks a rule set in JSON. The error is ErrTooLong when that takes more than
// limit of processor time, and the context's cause when the context ends first. A limit
// of zero means none.
func Check(ctx context.Context, limit time.Duration, content []byte) (Checked, error) {
	return checking.Run(ctx, toCheck{content, limit})
}

func check(ctx context.Context, in toCheck) (c Checked, err error) {
	background.Limit(ctx, in.Limit, ErrTooLong, func(ctx context.Context) {
		set, problems := requirement.ParseRuleSetJSON(in.Content)
		c.Unread = problems
		if len(problems) > 0 {
			set.Examples = nil // they may fail because of what could not be read
		}
		var program *requirement.Program
		if program, c.Problems, err = requirement.CompileContext(ctx, set, requirement.Options{}); err != nil || program == nil || len(problems) > 0 {
			return
		}
		c.Content, c.FactNames, c.Warnings = set.CanonicalJSON(), program.FactNames(), program.Warnings()
		latestRules.keep(source{sum: sha256.Sum256(c.Content)}, program) // a preview evaluates them next
	})
	return c, err
}

// Rules are a rule set that has been checked. They are immutable and safe for
// concurrent use.
type Rules struct {
	published
	program *requirement.Program // nil where only the evaluating process needs it
}

// published is what an evaluating process needs of rules or of a pricing model.
type published struct {
	content []byte
	options requirement.Options
	here    bool // see Rules.Here
}

func (p published) evaluation(facts requirement.Facts, limit time.Duration) evaluation {
	return evaluation{p.content, p.options, facts, limit}
}

// Load makes a published rule set ready. It takes time in proportion to the size.
func Load(ctx context.Context, content []byte, options requirement.Options) (*Rules, []requirement.Problem, error) {
	r := &Rules{published: published{content: content, options: options}}
	var problems []requirement.Problem
	var err error
	r.program, problems, err = loadRules(ctx, content, options)
	return r, problems, err
}

func loadRules(ctx context.Context, content []byte, options requirement.Options) (*requirement.Program, []requirement.Problem, error) {
	set, problems := requirement.ParseStoredRuleSet(content)
	if len(problems) > 0 {
		return nil, problems, nil
	}
	return requirement.Load(ctx, set, options)
}

// MemoryBytes is about how much memory the rules take.
func (r *Rules) MemoryBytes() int64 { return int64(len(r.content)) + r.program.MemoryBytes() }

// Here returns the same rules, which must be loaded, for a caller that holds locks: they
// never evaluate in another process, which might have to be started and to compile them
// first. On a busy machine they still wait for a processor, as any long computation.
func (r *Rules) Here() *Rules {
	here := *r
	here.here = true
	return &here
}

// Evaluate is requirement.Program.Evaluate. When that takes more than limit of
// processor time, the error is requirement.ErrTimeLimit. What is beyond a moment is
// evaluated anew in the background, and rules that are not loaded are evaluated there
// from the start. Gaps found in another process lack their Fact.
func (r *Rules) Evaluate(ctx context.Context, limit time.Duration, facts requirement.Facts) (result requirement.Result, err error) {
	e := r.evaluation(facts, limit)
	if r.program == nil {
		result, err = evaluating.Run(ctx, e)
	} else {
		result, err = compute(ctx, r.program.Evaluate, evaluating, e, r.here)
	}
	result.Rules = r.Rules()
	return result, err
}

// Rules are the document rules with their texts.
func (r *Rules) Rules() []requirement.DocumentRule {
	if r.program != nil {
		return r.program.Rules()
	}
	set, _ := requirement.ParseStoredRuleSet(r.content) // checked before
	return set.Documents
}

// Pricing is a pricing model that is ready. It is immutable and safe for concurrent
// use.
type Pricing struct {
	*requirement.Pricing
	published
}

// LoadPricing makes a published pricing model ready.
func LoadPricing(content []byte, options requirement.Options) (*Pricing, []requirement.Problem) {
	pricing, problems := loadPricing(content, options)
	return &Pricing{pricing, published{content: content, options: options}}, problems
}

func loadPricing(content []byte, options requirement.Options) (*requirement.Pricing, []requirement.Problem) {
	model, problems := requirement.ParsePricingModelJSON(content)
	if len(problems) > 0 {
		return nil, problems
	}
	return requirement.LoadPricing(model, options)
}

// MemoryBytes is about how much memory the model takes.
func (p *Pricing) MemoryBytes() int64 { return int64(len(p.content)) + p.Pricing.MemoryBytes() }

// Here is as Rules.Here.
func (p *Pricing) Here() *Pricing {
	here := *p
	here.here = true
	return &here
}

// Score is requirement.Pricing.Score, and otherwise as Rules.Evaluate.
func (p *Pricing) Score(ctx context.Context, limit time.Duration, facts requirement.Facts) (requirement.PricingResult, error) {
	return compute(ctx, p.Pricing.Score, scoring, p.evaluation(facts, limit), p.here)
}

// evaluation is what an evaluating process is asked. Compiling the content does not
// count toward the limit: it depends on what that process has compiled before.
type evaluation struct {
	Content []byte              `json:"content"`
	Options requirement.Options `json:"options"`
	Facts   requirement.Facts   `json:"facts"`
	Limit   time.Duration       `json:"limit"`
}

var (
	evaluating = background.NewTask("evaluate", evaluateRules, requirement.UnanswerableErrors()...)
	scoring    = background.NewTask("score", evaluatePricing, requirement.UnanswerableErrors()...)
)

func evaluateRules(ctx context.Context, e evaluation) (requirement.Result, error) {
	program, err := latestRules.get(e, func() (*requirement.Program, []requirement.Problem, error) {
		return loadRules(ctx, e.Content, e.Options)
	})
	if err != nil {
		return requirement.Result{}, err
	}
	return limited(ctx, program.Evaluate, e)
}

func evaluatePricing(ctx context.Context, e evaluation) (requirement.PricingResult, error) {
	model, err := latestPricing.get(e, func() (*requirement.Pricing, []requirement.Problem, error) {
		made, problems := loadPricing(e.Content, e.Options)
		return made, problems, nil
	})
	if err != nil {
		return requirement.PricingResult{}, err
	}
	return limited(ctx, model.Score, e)
}

// latest keeps what was compiled last: a tenant's evaluations follow each other.
type latest[T any] struct{ kept atomic.Pointer[compiled[T]] }

type compiled[T any] struct {
	from source
	made T
}

// source is what something was compiled from.
type source struct {
	sum     [sha256.Size]byte
	options requirement.Options
}

var (
	latestRules   latest[*requirement.Program]
	latestPricing latest[*requirement.Pricing]
)

func (l *latest[T]) get(e evaluation, compile func() (T, []requirement.Problem, error)) (T, error) {
	from := source{sha256.Sum256(e.Content), e.Options}
	if kept := l.kept.Load(); kept != nil && kept.from == from {
		return kept.made, nil
	}
	made, problems, err := compile()
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%s: %s", problems[0].Path, problems[0].Message)
	}
	if err == nil {
		l.keep(from, made)
	}
	return made, err
}

func (l *latest[T]) keep(from source, made T) { l.kept.Store(&compiled[T]{from, made}) }

// compute evaluates here for a moment, and then anew in the background. Most
// evaluations take far less than a moment. A limit below it is meant for tests.
func compute[Out any](ctx context.Context, evaluate evaluator[Out], task background.Task[evaluation, Out], e evaluation, here bool) (result Out, err error) {
	soon, cancel := context.WithTimeoutCause(ctx, min(moment, e.Limit), errMoment)
	result, err = evaluate(soon, e.Facts)
	cancel()
	switch {
	case !errors.Is(err, errMoment):
	case here:
		background.Run(func() { result, err = limited(ctx, evaluate, e) })
	default:
		result, err = task.Run(ctx, e)
	}
	return result, err
}

type evaluator[Out any] = func(context.Context, requirement.Facts) (Out, error)

func limited[Out any](ctx context.Context, evaluate evaluator[Out], e evaluation) (out Out, err error) {
	background.Limit(ctx, e.Limit, requirement.ErrTimeLimit, func(ctx context.Context) { out, err = evaluate(ctx, e.Facts) })
	return out, err
}

// moment is many times what an evaluation of ordinary rules takes, and far less than
// anybody notices.
const moment = 2 * time.Millisecond

var errMoment = errors.New("the evaluation takes longer than a moment")
