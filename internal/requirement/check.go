package requirement

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Checked is all that is to be said of one file of rules.
type Checked struct {
	Set RuleSet
	// Program is nil when there is any problem.
	Program *Program
	// Problems and Warnings are placed in the file, also those of a condition,
	// and come in its order.
	Problems, Warnings []Problem
}

// CheckRuleSetYAML parses and compiles a file of rules, and reports the problems
// of both at once. Examples are run when there is no other problem.
func CheckRuleSetYAML(data []byte, opts Options) Checked {
	return checkRuleSet(YAMLFile(data), opts)
}

// CheckRuleSetJSON is CheckRuleSetYAML for JSON.
func CheckRuleSetJSON(data []byte, opts Options) Checked {
	return checkRuleSet(JSONFile(data), opts)
}

func checkRuleSet(f *File, opts Options) Checked {
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
	checked := Checked{Set: set, Program: program, Problems: f.Placed(unread, problems)}
	if len(checked.Problems) > 0 {
		checked.Program = nil
		return checked
	}
	checked.Warnings = f.Placed(nil, warnings(slices.Concat(f.CutTexts(), program.Warnings())))
	return checked
}

// RunExamplesYAML parses a file of rules and runs its examples: see RunExamples.
// Problems and results are placed in the file.
func RunExamplesYAML(ctx context.Context, data []byte, opts Options) (ExampleRun, []Problem) {
	return runExamplesOf(ctx, YAMLFile(data), opts)
}

// RunExamplesJSON is RunExamplesYAML for JSON.
func RunExamplesJSON(ctx context.Context, data []byte, opts Options) (ExampleRun, []Problem) {
	return runExamplesOf(ctx, JSONFile(data), opts)
}

func runExamplesOf(ctx context.Context, f *File, opts Options) (ExampleRun, []Problem) {
	set, unread := decodeRuleSet(f.Root, f.Problems)
	if len(unread) > 0 {
		return ExampleRun{}, checkRuleSet(f, opts).Problems
	}
	run, problems := RunExamples(ctx, set, opts)
	for i := range run.Results {
		at := f.place(Problem{Path: fmt.Sprintf("examples[%d]", i)})
		run.Results[i].Line, run.Results[i].Column = at.Line, at.Column
	}
	for i, untried := range run.Untried {
		run.Untried[i] = f.place(untried)
	}
	return run, f.Placed(nil, problems)
}

// CheckedPricing is all that is to be said of one file with a pricing model.
type CheckedPricing struct {
	Model PricingModel
	// Pricing is nil when there is any problem.
	Pricing *Pricing
	// Problems and Warnings are placed in the file and come in its order.
	Problems, Warnings []Problem
}

// CheckPricingModelYAML parses and compiles a file with a pricing model, and
// reports the problems of both at once.
func CheckPricingModelYAML(data []byte, opts Options) CheckedPricing {
	return checkPricingModel(YAMLFile(data), opts)
}

// CheckPricingModelJSON is CheckPricingModelYAML for JSON.
func CheckPricingModelJSON(data []byte, opts Options) CheckedPricing {
	return checkPricingModel(JSONFile(data), opts)
}

func checkPricingModel(f *File, opts Options) CheckedPricing {
	model, unread := decodePricingModel(f.Root, f.Problems)
	if f.Root == nil {
		return CheckedPricing{Problems: unread}
	}
	pricing, problems := CompilePricing(model, opts)
	checked := CheckedPricing{Model: model, Problems: f.Placed(unread, problems)}
	if len(checked.Problems) > 0 {
		return checked
	}
	checked.Pricing = pricing
	checked.Warnings = f.Placed(nil, warnings(slices.Concat(f.CutTexts(), pricing.Warnings(context.Background()))))
	return checked
}

// placed joins the problems of reading a file, which have their places, with
// those of what was read, which are placed in their conditions or not at all. What
// could not be read for one reason may look wrong for another, and is told once.
func (f *File) Placed(unread, found []Problem) []Problem {
	told := map[string]bool{}
	for _, p := range unread {
		told[p.Path] = true
	}
	all := slices.Clone(unread)
	for _, p := range found {
		if p.Path == "" || !told[p.Path] && !f.unreadAbove(unread, p.Path) {
			all = append(all, f.place(p))
		}
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		if a.Line == 0 || b.Line == 0 {
			return cmp.Compare(b.Line, a.Line) // what has no place, last
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return FirstProblems(all)
}

// unreadAbove reports a path below something that should be an object and is none:
// what it lacks has been told by that.
func (f *File) unreadAbove(unread []Problem, path string) bool {
	return slices.ContainsFunc(unread, func(p Problem) bool {
		if p.Path == "" || !strings.HasPrefix(path, p.Path+".") {
			return false
		}
		node, exact := f.Root.Nearest(p.Path)
		return exact && node.Kind != ObjectKind
	})
}

// place finds a problem's place in the file: that of its path, or of the nearest
// thing around it where the path is not in the file, as when a name is missing.
// Of a condition it is the place within.
func (f *File) place(p Problem) Problem {
	if p.Path == "" {
		return p
	}
	within := Problem{Line: p.Line, Column: p.Column}
	node, exact := f.Root.Nearest(p.Path)
	p.Line, p.Column = node.Place()
	if !exact || within.Line == 0 || !strings.HasSuffix(p.Path, ".when") {
		return p
	}
	if line, column, ok := f.within(node, within.Line, within.Column); ok {
		p.Line, p.Column = line, column
		return p
	}
	p.Message += fmt.Sprintf(" (line %d, column %d of the condition)", within.Line, within.Column)
	return p
}
