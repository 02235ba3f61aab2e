package requirement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Checks of files. Input: a file of rules, of prices or of facts. Output: its
// problems, warnings and results of examples, with their position in the file.

// Checked is all that is to be said of one file of rules.
type Checked struct {
	Set RuleSet
	// Program is nil when there is any problem.
	Program *Program
	// Problems and Warnings have their position in the file, also those of a condition,
	// and come in its order.
	Problems, Warnings []Problem
}

// CheckRuleSetYAML parses and compiles a file of rules, and reports the problems
// of both at once. Examples are run when there is no other problem.
func CheckRuleSetYAML(data []byte, opts Options) Checked {
	return checkRuleSet(rulefile.YAMLFile(data, ruleFileNames()), opts)
}

// CheckRuleSetJSON is CheckRuleSetYAML for JSON.
func CheckRuleSetJSON(data []byte, opts Options) Checked {
	return checkRuleSet(rulefile.JSONFile(data), opts)
}

func checkRuleSet(f *rulefile.File, opts Options) Checked {
	set, unread := decodeRuleSet(f.Root, f.Problems)
	if f.Root == nil {
		return Checked{Problems: unread}
	}
	tried := set
	if len(unread) > 0 {
		tried.Examples = nil // they may fail for what could not be read
	}
	program, problems := Compile(tried, opts)
	if len(unread) > 0 {
		problems = append(problems, slices.DeleteFunc(invalidExamples(set.Examples), func(p Problem) bool {
			return slices.ContainsFunc(unread, func(u Problem) bool { return strings.HasPrefix(u.Path, p.Path) })
		})...)
	}
	checked := Checked{Set: set, Program: program, Problems: f.LocateAll(unread, problems)}
	if len(checked.Problems) > 0 {
		checked.Program = nil
		return checked
	}
	checked.Warnings = f.LocateAll(nil, warnings(slices.Concat(f.CutTexts(), program.Warnings())))
	return checked
}

// RunExamplesYAML parses a file of rules and runs its examples: see RunExamples.
// Problems and results have their position in the file.
func RunExamplesYAML(ctx context.Context, data []byte, opts Options) (ExampleRun, []Problem) {
	return runExamplesOf(ctx, rulefile.YAMLFile(data, ruleFileNames()), opts)
}

// RunExamplesJSON is RunExamplesYAML for JSON.
func RunExamplesJSON(ctx context.Context, data []byte, opts Options) (ExampleRun, []Problem) {
	return runExamplesOf(ctx, rulefile.JSONFile(data), opts)
}

func runExamplesOf(ctx context.Context, f *rulefile.File, opts Options) (ExampleRun, []Problem) {
	set, unread := decodeRuleSet(f.Root, f.Problems)
	if len(unread) > 0 {
		return ExampleRun{}, checkRuleSet(f, opts).Problems
	}
	run, problems := RunExamples(ctx, set, opts)
	for i := range run.Results {
		at := f.Locate(Problem{Path: fmt.Sprintf("examples[%d]", i)})
		run.Results[i].Line, run.Results[i].Column = at.Line, at.Column
	}
	for i, untried := range run.Untried {
		run.Untried[i] = f.Locate(untried)
	}
	return run, f.LocateAll(nil, problems)
}

// CheckedPricing is all that is to be said of one file with a pricing model.
type CheckedPricing struct {
	Model PricingModel
	// Pricing is nil when there is any problem.
	Pricing *Pricing
	// Problems and Warnings have their position in the file and come in its order.
	Problems, Warnings []Problem
}

// CheckPricingModelYAML parses and compiles a file with a pricing model, and
// reports the problems of both at once.
func CheckPricingModelYAML(data []byte, opts Options) CheckedPricing {
	return checkPricingModel(rulefile.YAMLFile(data, ruleFileNames()), opts)
}

// CheckPricingModelJSON is CheckPricingModelYAML for JSON.
func CheckPricingModelJSON(data []byte, opts Options) CheckedPricing {
	return checkPricingModel(rulefile.JSONFile(data), opts)
}

func checkPricingModel(f *rulefile.File, opts Options) CheckedPricing {
	model, unread := decodePricingModel(f.Root, f.Problems)
	if f.Root == nil {
		return CheckedPricing{Problems: unread}
	}
	pricing, problems := CompilePricing(model, opts)
	checked := CheckedPricing{Model: model, Problems: f.LocateAll(unread, problems)}
	if len(checked.Problems) > 0 {
		return checked
	}
	checked.Pricing = pricing
	checked.Warnings = f.LocateAll(nil, warnings(slices.Concat(f.CutTexts(), pricing.Warnings(context.Background()))))
	return checked
}

// CheckFactsYAML reads a file of facts, in the form of an example's: for these,
// instead of those on file, rules can be explained.
func CheckFactsYAML(data []byte, _ Options) (f fact.Facts, problems []Problem) {
	return checkFactsFile(rulefile.YAMLFile(data, ruleFileNames()))
}

// CheckFactsJSON is CheckFactsYAML for JSON.
func CheckFactsJSON(data []byte, _ Options) (f fact.Facts, problems []Problem) {
	return checkFactsFile(rulefile.JSONFile(data))
}

func checkFactsFile(f *rulefile.File) (fact.Facts, []Problem) {
	if f.Root == nil {
		return fact.Facts{}, f.Problems
	}
	d := &decoding{problems: f.Problems}
	facts := d.exampleFacts(f.Root, "")
	example := Example{Name: "the facts", Facts: facts, Expect: Expectation{Documents: []ExpectedDocument{}}}
	if failure := example.invalid(fact.Needs{}); failure != "" && len(d.problems) == 0 {
		d.refuse(f.Root, "", "%s", failure)
	}
	return facts.Facts(), d.problems
}
