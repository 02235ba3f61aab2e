package requirement

import (
	"context"
	"fmt"

	"requisite/internal/rules/rulefile"
)

// The checks before publication: they give a Program, or problems, those of its examples
// included.

// FailingExample is an example that does not come out as expected.
type FailingExample struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	index   int
}

// Problem is a failing example as a problem of its rule set.
func (f FailingExample) Problem() Problem {
	return Problem{Path: fmt.Sprintf("examples[%d]", f.index), Message: f.Message}
}

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
	p, failing, problems, err := CompileDraft(ctx, rs, opts)
	for _, f := range failing {
		problems = append(problems, f.Problem())
	}
	if len(problems) > 0 {
		return nil, rulefile.FirstProblems(problems), err
	}
	return p, nil, err
}

// CompileDraft is CompileContext for a rule set that is tried and not published: an example that
// fails is no problem.
func CompileDraft(ctx context.Context, rs RuleSet, opts Options) (*Program, []FailingExample, []Problem, error) {
	p, problems := compile(ctx, rs, opts)
	var failing []FailingExample
	if len(problems) > 0 {
		problems = append(problems, InvalidExamples(rs.Examples)...)
	} else if ctx.Err() == nil {
		failing = p.runExamples(ctx, rs.Examples, opts.withDefaults().CostLimit)
	}
	if ctx.Err() != nil {
		return nil, nil, nil, context.Cause(ctx)
	}
	if len(problems)+len(failing) == 0 { // an example in the file is shorter than in the canonical form, which is stored and read again
		if n := len(rs.CanonicalJSON()); n > MaxSourceBytes {
			problems = []Problem{{Message: fmt.Sprintf(
				"takes %d bytes as it is stored, at most %d are allowed: shorten texts, or expect fewer documents in examples",
				n, MaxSourceBytes)}}
		}
	}
	if len(problems) > 0 {
		return nil, nil, rulefile.FirstProblems(problems), nil
	}
	return p, failing, nil, nil
}

// compile is CompileContext without running the examples. What it returns after
// the context has ended means nothing.
func compile(ctx context.Context, rs RuleSet, opts Options) (*Program, []Problem) {
	p, problems := compileUnsized(ctx, rs, opts)
	if len(problems) == 0 && ctx.Err() == nil {
		problems = append(p.SizeProblem(SizedPersons, ""), gapsProblem(p.table, p.needs)...)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return p, nil
}
