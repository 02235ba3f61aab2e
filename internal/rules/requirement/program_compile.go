package requirement

import (
	"context"
	"fmt"

	"requisite/internal/rules/rulefile"
)

// This file has the checks before publication. They return a Program, or problems, including those
// of its examples.

// FailingExample is an example with an unexpected result.
type FailingExample struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	index   int
}

// Problem is the failing example as a problem of its rule set.
func (f FailingExample) Problem() Problem {
	return Problem{Path: fmt.Sprintf("examples[%d]", f.index), Message: f.Message}
}

// Compile is CompileContext without a limit of time.
func Compile(rs RuleSet, opts Options) (*Program, []Problem) {
	program, problems, _ := CompileContext(context.Background(), rs, opts)
	return program, problems
}

// CompileContext checks a whole rule set with its examples, and prepares it for evaluation. It
// reports at most a hundred problems. If there is any, the Program is nil. The error is the
// context's, if that ends first. Package author warns of what is allowed but looks like a mistake.
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

// CompileDraft is CompileContext for a rule set that is not published: an example that fails is not
// a problem.
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
	if len(problems)+len(failing) == 0 { // the canonical form, which is stored and read again, may be longer than the file
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

// compile is CompileContext without running the examples. Its result means nothing after the
// context has ended.
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
