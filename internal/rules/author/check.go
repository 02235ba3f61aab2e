package author

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file checks files of rules, prices or facts: problems, warnings and results of examples,
// with their position in the file.

// Checked is the result of checking one file of rules.
type Checked struct {
	Set requirement.RuleSet
	// Program is nil if there is any problem.
	Program *requirement.Program
	// Problems and Warnings have a position in the file, also for a condition, and are in the order
	// of the file.
	Problems, Warnings []requirement.Problem
	// Failing are the examples of a draft that fail.
	Failing []requirement.FailingExample
}

// CheckRuleSet reads and compiles a file of rules, and reports the problems of both. If there are
// none, it runs the examples. An example that fails is a problem; a warning may say why it fails.
func CheckRuleSet(f *rulefile.File) Checked { return checkRuleSet(f, requirement.Options{}) }

func checkRuleSet(f *rulefile.File, opts requirement.Options) Checked {
	checked := checkDraft(f, opts)
	if len(checked.Failing) == 0 {
		return checked
	}
	problems := make([]requirement.Problem, len(checked.Failing))
	for i, failing := range checked.Failing {
		problems[i] = failing.Problem()
	}
	return Checked{Set: checked.Set, Problems: f.LocateAll(nil, problems), Warnings: checked.Warnings}
}

// CheckDraft is CheckRuleSet for a file that is not published: an example that fails is not a
// problem.
func CheckDraft(f *rulefile.File) Checked { return checkDraft(f, requirement.Options{}) }

func checkDraft(f *rulefile.File, opts requirement.Options) Checked {
	set, unread := requirement.ReadRuleSet(f)
	if !f.Readable() {
		return Checked{Problems: unread}
	}
	tried := set
	if len(unread) > 0 {
		tried.Examples = nil // they may fail because of what could not be read
	}
	program, failing, problems, _ := requirement.CompileDraft(context.Background(), tried, opts)
	if len(unread) > 0 {
		problems = append(problems, slices.DeleteFunc(requirement.InvalidExamples(set.Examples), func(p requirement.Problem) bool {
			return slices.ContainsFunc(unread, func(u requirement.Problem) bool { return strings.HasPrefix(u.Path, p.Path) })
		})...)
	}
	checked := Checked{Set: set, Program: program, Failing: failing, Problems: f.LocateAll(unread, problems)}
	if len(checked.Problems) > 0 {
		checked.Program = nil
		return checked
	}
	found, _ := Warnings(context.Background(), Today(), program, set)
	checked.Warnings = f.LocateAll(nil, sorted(slices.Concat(f.CutTexts(), found)))
	return checked
}

// ExampleRun is the result of running the examples of a rule set.
type ExampleRun struct {
	Results []requirement.ExampleResult
	// Untried has what the examples leave untried, in the order of the rules: rules that no example
	// makes true or makes false, and thresholds that no example meets or exceeds.
	Untried []requirement.Problem
}

// RunExamples reads a file of rules and runs its examples: see requirement.RunExamples.
// Problems and results have their position in the file.
func RunExamples(ctx context.Context, f *rulefile.File) (ExampleRun, []requirement.Problem) {
	set, unread := requirement.ReadRuleSet(f)
	if len(unread) > 0 {
		return ExampleRun{}, CheckRuleSet(f).Problems
	}
	p, results, problems := requirement.RunExamples(ctx, set, requirement.Options{})
	if p == nil {
		return ExampleRun{}, f.LocateAll(nil, problems)
	}
	l := newLinter(ctx, set.Lists, Today())
	conditions, _ := l.conditions(p.CompiledRules())
	defined, _ := l.definitions(p)
	run := ExampleRun{Results: results, Untried: rulefile.FirstProblems(untried(p, conditions, defined, coverageOf(p), true))}
	for i := range run.Results {
		at := f.Locate(requirement.Problem{Path: fmt.Sprintf("examples[%d]", i)})
		run.Results[i].Line, run.Results[i].Column = at.Line, at.Column
	}
	for i, untried := range run.Untried {
		run.Untried[i] = f.Locate(untried)
	}
	return run, f.LocateAll(nil, problems)
}

// CheckedPricing is the result of checking one file with a pricing model.
type CheckedPricing struct {
	Model requirement.PricingModel
	// Pricing is nil if there is any problem.
	Pricing *requirement.Pricing
	// Problems and Warnings have a position in the file, and are in the order of the file.
	Problems, Warnings []requirement.Problem
}

// CheckPricingModel reads and compiles a file with a pricing model, and reports the problems of
// both at once.
func CheckPricingModel(f *rulefile.File) CheckedPricing {
	model, unread := requirement.ReadPricingModel(f)
	if !f.Readable() {
		return CheckedPricing{Problems: unread}
	}
	pricing, problems := requirement.CompilePricing(model, requirement.Options{})
	checked := CheckedPricing{Model: model, Problems: f.LocateAll(unread, problems)}
	if len(checked.Problems) > 0 {
		return checked
	}
	checked.Pricing = pricing
	checked.Warnings = f.LocateAll(nil, sorted(slices.Concat(f.CutTexts(), PricingWarnings(context.Background(), Today(), pricing))))
	return checked
}
