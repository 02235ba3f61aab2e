// Package author helps those who write rules: it finds what is allowed in a rule set or a
// pricing model but looks like a mistake, says what examples leave untried, and reports
// on whole files. It refuses nothing: that is for package requirement.
package author

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/visible"
)

// Warnings. Input: a compiled condition or rule set. Output: warnings about what is
// allowed but looks like a mistake.

// Warnings are what is allowed in a rule set but looks like a mistake: warnings first,
// then hints. p is what the rule set was compiled to. The error is the context's.
func Warnings(ctx context.Context, p *requirement.Program, rs requirement.RuleSet) ([]requirement.Problem, error) {
	rules := p.CompiledRules()
	found, decided := ruleWarnings(ctx, rules, rs.Lists)
	for _, more := range []func() []requirement.Problem{
		func() []requirement.Problem {
			return p.SizeProblem(fact.MaxPersons, ", so the service would refuse to calculate it")
		},
		func() []requirement.Problem { return listWarnings(rules, rs.Lists) },
		func() []requirement.Problem { return hiddenCharacters(rs) },
		func() []requirement.Problem { return exampleWarnings(rs.Examples) },
		func() []requirement.Problem { return lint(ctx, rules, rs) },
		func() []requirement.Problem { return hints(ctx, p, rs, decided) },
	} {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found = append(found, more()...)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return sorted(found), nil
}

// sorted are the problems of rules that can be published all the same: warnings
// first, so that no number of hints crowds one out.
func sorted(problems []requirement.Problem) []requirement.Problem {
	for i := range problems {
		problems[i].Severity = cmp.Or(problems[i].Severity, requirement.SeverityWarning)
	}
	slices.SortStableFunc(problems, func(a, b requirement.Problem) int {
		return cmp.Compare(len(b.Severity), len(a.Severity))
	})
	found := rulefile.FirstProblems(problems)
	if last := len(found) - 1; len(problems) > len(found) {
		found[last].Severity = problems[last].Severity
	}
	return found
}

// ruleWarnings are about the conditions. Looking for them evaluates some, and so
// comes after the bound on what they may cost. decided tells of each rule that its
// condition comes out alike whatever the facts are.
func ruleWarnings(ctx context.Context, rules []requirement.CompiledRule, lists map[string][]string) (found []requirement.Problem, decided []bool) {
	decided, read := make([]bool, len(rules)), requirement.ListsOf(lists)
	told, seen := map[requirement.Problem]bool{}, map[listUse]bool{}
	lint := newLinter(ctx, lists)
	for i, r := range rules {
		if r.Condition == nil || len(found) >= rulefile.MaxProblems || ctx.Err() != nil {
			continue
		}
		var linted []requirement.Problem
		said := conditionWarnings(ctx, r.Condition, lists, read, seen)
		linted, decided[i] = lint.condition(r.Condition.Tree, said)
		for _, w := range slices.Concat(r.Noticed, said, linted) {
			w.Path = cmp.Or(w.Path, r.Path+".when")
			if !told[w] { // several rules may use one list
				found = append(found, w)
			}
			told[w] = true
		}
	}
	return found, decided
}

// PricingWarnings are Warnings of a pricing model. After the context has ended there may
// be more.
func PricingWarnings(ctx context.Context, p *requirement.Pricing) []requirement.Problem {
	var found []requirement.Problem
	lint := newLinter(ctx, nil)
	lint.never, lint.always = "so its points are never added", "so its points are always added: make them part of the base if you mean that"
	var rules []requirement.CompiledRule
	for _, r := range p.CompiledRules() {
		if len(found) >= rulefile.MaxProblems || ctx.Err() != nil {
			break
		}
		found = append(found, hiddenCharacter(r.Path+".name", r.Name)...)
		found = append(found, hiddenCharacter(r.Path+".when", r.When)...)
		if r.Points.Sign() == 0 {
			found = append(found, requirement.Problem{Path: r.Path + ".points", Message: "are 0, so the rule changes nothing: leave it out, or write its points"})
		}
		said := conditionWarnings(ctx, r.Condition, nil, nil, map[listUse]bool{})
		linted, _ := lint.condition(r.Condition.Tree, said)
		found = append(found, rulefile.WithPath(slices.Concat(r.Noticed, said, linted), r.Path+".when")...)
		rules = append(rules, requirement.CompiledRule{Path: r.Path, Condition: r.Condition})
	}
	if ctx.Err() == nil {
		found = append(found, industryCodes(ctx, rules, nil)...)
	}
	return sorted(found)
}

// conditionWarnings are about what a condition allows but hardly means. Those about an
// entry of a list have its path, and the others none; seen are the uses of lists
// that other conditions of the rule set have been warned of.
func conditionWarnings(ctx context.Context, c *requirement.Condition, lists map[string][]string, read map[string]*requirement.TextList, seen map[listUse]bool) []requirement.Problem {
	var found []requirement.Problem
	warn := func(n *requirement.Node, format string, args ...any) {
		found = append(found, requirement.Problem{Message: fmt.Sprintf(format, args...), Line: n.Line, Column: n.Column})
	}
	if c.Tree.Constant() {
		if always, err := c.Holds(ctx, requirement.Bind(fact.Facts{}, read, c.Cost)); err == nil {
			warn(c.Tree, "refers to no fact, so it is always %v", always)
		}
	}
	inner := map[*requirement.Node]bool{} // parts of a chain that has been looked at whole
	c.Tree.Walk(func(n *requirement.Node) {
		if n.Kind != requirement.CallKind || inner[n] {
			return
		}
		switch n.Name {
		case operators.LogicalOr:
			if pair := valuesOfOne(chain(n, inner), operators.NotEquals); pair != "" {
				warn(n, "of %s one is always true, because every value differs from one of the two: write && if it must differ from both", pair)
			}
		case operators.LogicalAnd:
			if pair := valuesOfOne(chain(n, inner), operators.Equals); pair != "" {
				warn(n, "%s are never true together, because no value equals both: write || if one of them is enough", pair)
			}
		}
	})
	v := &valueWarnings{lists: lists, seen: seen}
	v.visit(c.Tree)
	return slices.Concat(found, v.found, unusedVariables(c), otherCodes(c))
}

// chain are the parts that n and the same operator below it join; inner gets those
// that are joints themselves.
func chain(n *requirement.Node, inner map[*requirement.Node]bool) []*requirement.Node {
	var parts []*requirement.Node
	for _, arg := range n.Args {
		if arg.Kind == requirement.CallKind && arg.Name == n.Name {
			inner[arg] = true
			parts = append(parts, chain(arg, inner)...)
			continue
		}
		parts = append(parts, arg)
	}
	return parts
}

// valuesOfOne finds two parts that compare one thing, by the same operator, with
// two literals.
func valuesOfOne(parts []*requirement.Node, operator string) string {
	first := map[string]*requirement.Node{}
	for _, part := range parts {
		if part.Kind != requirement.CallKind || part.Name != operator || part.Args[0].Constant() || part.Args[1].Kind != requirement.LiteralKind {
			continue
		}
		of := part.Args[0].Text()
		if before := first[of]; before != nil && !requirement.Equal(before.Args[1].Literal, part.Args[1].Literal) {
			return rulefile.Clip(before.Text()) + " and " + rulefile.Clip(part.Text())
		}
		first[of] = part
	}
	return ""
}

// listWarnings are about lists that no rule uses, that are empty or that say a
// text twice.
func listWarnings(rules []requirement.CompiledRule, lists map[string][]string) []requirement.Problem {
	used := map[string]bool{}
	for _, r := range rules {
		if r.Condition != nil {
			r.Condition.Tree.Walk(func(n *requirement.Node) {
				if n.Kind == requirement.ListKind {
					used[n.Name] = true
				}
			})
		}
	}
	var found []requirement.Problem
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		path, entries := "lists."+name, lists[name]
		if !used[name] {
			found = append(found, requirement.Problem{Path: path, Message: "is used by no rule"})
		}
		if len(entries) == 0 {
			found = append(found, requirement.Problem{Path: path, Message: "is empty, so no value is ever in it"})
		}
		before := make(map[string]bool, len(entries))
		for i, entry := range entries {
			if before[entry] {
				found = append(found, requirement.Problem{Path: fmt.Sprintf("%s[%d]", path, i), Message: fmt.Sprintf("repeats %q", entry)})
			}
			before[entry] = true
		}
	}
	return found
}

// hiddenCharacters are the texts of a rule set that hold what a reader does not see,
// such as a character that changes the direction of the text after it: they would go
// out to applicants, and a code with one equals no code on record.
func hiddenCharacters(rs requirement.RuleSet) []requirement.Problem {
	var found []requirement.Problem
	look := func(path, text string) {
		if len(found) < rulefile.MaxProblems {
			found = append(found, hiddenCharacter(path, text)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rs.Lists)) {
		for i, entry := range rs.Lists[name] {
			if strings.ContainsFunc(entry, visible.Hidden) { // a rule set may have 100,000 entries
				look(fmt.Sprintf("%s.%s[%d]", fact.NameLists, name, i), entry)
			}
		}
	}
	for i, doc := range rs.Documents {
		path := fmt.Sprintf("documents[%d].", i)
		look(path+"name", doc.Name)
		look(path+"category", doc.Category)
		look(path+"requirement_text", doc.RequirementText)
		look(path+"when", doc.When)
	}
	for i, example := range rs.Examples {
		look(fmt.Sprintf("examples[%d].name", i), example.Name)
	}
	return found
}

// hiddenCharacter is about the first such character of a text, if it holds one.
func hiddenCharacter(path, text string) []requirement.Problem {
	at := strings.IndexFunc(text, visible.Hidden)
	if at < 0 {
		return nil
	}
	hidden, _ := utf8.DecodeRuneInString(text[at:])
	p := requirement.Problem{Path: path, Message: fmt.Sprintf("holds U+%04X, which cannot be seen or changes the direction of the text after it: take it out", hidden)}
	if strings.HasSuffix(path, ".when") {
		p.Line, p.Column = rulefile.LineColumn(text, at)
	}
	return []requirement.Problem{p}
}
