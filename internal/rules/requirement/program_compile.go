package requirement

import (
	"context"

	"requisite/internal/rules/rulefile"
)

// The checks before publication: from a rule set to a Program, or to problems. They include the
// problems of its examples.

// Compile is CompileContext for rule sets that may take as long as they take.
func Compile(rs RuleSet, opts Options) (*Program, []Problem) {
	program, problems, _ := CompileContext(context.Background(), rs, opts)
	return program, problems
}

// CompileContext checks a rule set whole, its examples included, and makes it
// ready to evaluate. It reports the problems that it finds, at most a hundred;
// the Program is nil if there is any. The error is the context's, when that ends
// first. Package author warns of what is allowed but looks like a mistake.
func CompileContext(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem, error) {
	p, problems := compile(ctx, rs, opts)
	if len(problems) > 0 {
		problems = append(problems, InvalidExamples(rs.Examples)...)
	} else if ctx.Err() == nil {
		problems = p.runExamples(ctx, rs.Examples, opts.withDefaults().CostLimit)
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
	if len(problems) == 0 && ctx.Err() == nil {
		problems = p.SizeProblem(SizedPersons, "")
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return p, nil
}
