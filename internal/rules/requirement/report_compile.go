package requirement

import (
	"cmp"
	"context"
	"slices"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// The checks before publication. Input: a rule set. Output: a Program with its
// warnings, or problems, those of its examples included.

// Compile is CompileContext for rule sets that may take as long as they take.
func Compile(rs RuleSet, opts Options) (*Program, []Problem) {
	program, problems, _ := CompileContext(context.Background(), rs, opts)
	return program, problems
}

// CompileContext checks a rule set whole, its examples included, and makes it
// ready to evaluate. It reports the problems that it finds, at most a hundred;
// the Program is nil if there is any. The error is the context's, when that ends
// first.
func CompileContext(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem, error) {
	p, problems := compile(ctx, rs, opts)
	if len(problems) > 0 {
		problems = append(problems, invalidExamples(rs.Examples)...)
	} else if ctx.Err() == nil {
		var tried *coverage
		if tried, problems = p.runExamples(ctx, rs.Examples, opts.withDefaults().CostLimit); len(problems) == 0 && ctx.Err() == nil {
			p.warnings = warnings(slices.Concat(p.warnings, p.lint(ctx, rs.Examples), p.hints(ctx, tried, rs.Examples)))
		}
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if len(problems) > 0 {
		return nil, rulefile.FirstProblems(problems), nil
	}
	return p, nil, nil
}

// compile is CompileContext without running the examples. What it returns after
// the context has ended means nothing.
func compile(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem) {
	p, problems := compileUnsized(ctx, rs, opts)
	if len(problems) > 0 || ctx.Err() != nil {
		return nil, problems
	}
	p.warnings = p.ruleWarnings(ctx)
	if most := p.mostRequired(SizedPersons); most.bytes > MaxResultBytes {
		return nil, []Problem{most.problem("")}
	}
	if most := p.mostRequired(fact.MaxPersons); most.bytes > MaxResultBytes {
		p.warnings = append(p.warnings, most.problem(", so the service would refuse to calculate it"))
	}
	for _, more := range []func() []Problem{p.listWarnings, rs.hiddenCharacters} {
		if ended(ctx) {
			return nil, nil
		}
		p.warnings = append(p.warnings, more()...)
	}
	p.warnings = append(p.warnings, exampleWarnings(rs.Examples)...)
	return p, nil
}

// ruleWarnings are about the conditions. Looking for them evaluates some, and so
// comes after the bound on what they may cost.
func (p *Program) ruleWarnings(ctx context.Context) []Problem {
	var found []Problem
	told, seen := map[Problem]bool{}, map[listUse]bool{}
	lint := newLinter(ctx, p.lists)
	for i, r := range p.rules {
		if r.condition == nil || len(found) >= rulefile.MaxProblems || ended(ctx) {
			continue
		}
		var linted []Problem
		said := r.condition.warnings(ctx, p.lists, p.read, seen)
		linted, p.rules[i].decided = lint.condition(r.condition.tree, said)
		for _, w := range slices.Concat(r.noticed, said, linted) {
			w.Path = cmp.Or(w.Path, r.path+".when")
			if !told[w] { // several rules may use one list
				found = append(found, w)
			}
			told[w] = true
		}
	}
	return found
}
