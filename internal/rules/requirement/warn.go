package requirement

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
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/visible"
)

// Warnings. Input: a compiled condition or rule set. Output: warnings about what is
// allowed but looks like a mistake.

// Warnings are what is allowed in a rule set but looks like a mistake: warnings first,
// then hints. p is what the rule set was compiled to. The error is the context's.
func Warnings(ctx context.Context, p *Program, rs RuleSet) ([]Problem, error) {
	rules := p.CompiledRules()
	found, decided := ruleWarnings(ctx, rules, rs.Lists)
	for _, more := range []func() []Problem{
		func() []Problem {
			return p.SizeProblem(fact.MaxPersons, ", so the service would refuse to calculate it")
		},
		func() []Problem { return listWarnings(rules, rs.Lists) },
		func() []Problem { return hiddenCharacters(rs) },
		func() []Problem { return exampleWarnings(rs.Examples) },
		func() []Problem { return lint(ctx, rules, rs) },
		func() []Problem { return hints(ctx, p, rs, decided) },
	} {
		if ended(ctx) {
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
func sorted(problems []Problem) []Problem {
	for i := range problems {
		problems[i].Severity = cmp.Or(problems[i].Severity, SeverityWarning)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
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
func ruleWarnings(ctx context.Context, rules []rule, lists map[string][]string) (found []Problem, decided []bool) {
	decided, read := make([]bool, len(rules)), listsOf(lists)
	told, seen := map[Problem]bool{}, map[listUse]bool{}
	lint := newLinter(ctx, lists)
	for i, r := range rules {
		if r.condition == nil || len(found) >= rulefile.MaxProblems || ended(ctx) {
			continue
		}
		var linted []Problem
		said := conditionWarnings(ctx, r.condition, lists, read, seen)
		linted, decided[i] = lint.condition(r.condition.tree, said)
		for _, w := range slices.Concat(r.noticed, said, linted) {
			w.Path = cmp.Or(w.Path, r.path+".when")
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
func PricingWarnings(ctx context.Context, p *Pricing) []Problem {
	var found []Problem
	lint := newLinter(ctx, nil)
	lint.never, lint.always = "so its points are never added", "so its points are always added: make them part of the base if you mean that"
	var rules []rule
	for _, r := range p.CompiledRules() {
		if len(found) >= rulefile.MaxProblems || ended(ctx) {
			break
		}
		found = append(found, hiddenCharacter(r.path+".name", r.Name)...)
		found = append(found, hiddenCharacter(r.path+".when", r.When)...)
		if r.Points.Sign() == 0 {
			found = append(found, Problem{Path: r.path + ".points", Message: "are 0, so the rule changes nothing: leave it out, or write its points"})
		}
		said := conditionWarnings(ctx, r.condition, nil, nil, map[listUse]bool{})
		linted, _ := lint.condition(r.condition.tree, said)
		found = append(found, rulefile.WithPath(slices.Concat(r.noticed, said, linted), r.path+".when")...)
		rules = append(rules, rule{path: r.path, condition: r.condition})
	}
	if ctx.Err() == nil {
		found = append(found, industryCodes(ctx, rules, nil)...)
	}
	return sorted(found)
}

// conditionWarnings are about what a condition allows but hardly means. Those about an
// entry of a list have its path, and the others none; seen are the uses of lists
// that other conditions of the rule set have been warned of.
func conditionWarnings(ctx context.Context, c *condition, lists map[string][]string, read map[string]*textList, seen map[listUse]bool) []Problem {
	var found []Problem
	warn := func(n *node, format string, args ...any) {
		found = append(found, Problem{Message: fmt.Sprintf(format, args...), Line: n.line, Column: n.column})
	}
	if c.tree.constant() {
		if always, err := c.holds(ctx, bind(fact.Facts{}, read, c.cost)); err == nil {
			warn(c.tree, "refers to no fact, so it is always %v", always)
		}
	}
	inner := map[*node]bool{} // parts of a chain that has been looked at whole
	c.tree.walk(func(n *node) {
		if n.kind != callKind || inner[n] {
			return
		}
		switch n.name {
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
	v.visit(c.tree)
	return slices.Concat(found, v.found, unusedVariables(c), otherCodes(c))
}

// chain are the parts that n and the same operator below it join; inner gets those
// that are joints themselves.
func chain(n *node, inner map[*node]bool) []*node {
	var parts []*node
	for _, arg := range n.args {
		if arg.kind == callKind && arg.name == n.name {
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
func valuesOfOne(parts []*node, operator string) string {
	first := map[string]*node{}
	for _, part := range parts {
		if part.kind != callKind || part.name != operator || part.args[0].constant() || part.args[1].kind != literalKind {
			continue
		}
		of := part.args[0].text()
		if before := first[of]; before != nil && !equal(before.args[1].literal, part.args[1].literal) {
			return rulefile.Clip(before.text()) + " and " + rulefile.Clip(part.text())
		}
		first[of] = part
	}
	return ""
}

// listWarnings are about lists that no rule uses, that are empty or that say a
// text twice.
func listWarnings(rules []rule, lists map[string][]string) []Problem {
	used := map[string]bool{}
	for _, r := range rules {
		if r.condition != nil {
			r.condition.tree.walk(func(n *node) {
				if n.kind == listKind {
					used[n.name] = true
				}
			})
		}
	}
	var found []Problem
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		path, entries := "lists."+name, lists[name]
		if !used[name] {
			found = append(found, Problem{Path: path, Message: "is used by no rule"})
		}
		if len(entries) == 0 {
			found = append(found, Problem{Path: path, Message: "is empty, so no value is ever in it"})
		}
		before := make(map[string]bool, len(entries))
		for i, entry := range entries {
			if before[entry] {
				found = append(found, Problem{Path: fmt.Sprintf("%s[%d]", path, i), Message: fmt.Sprintf("repeats %q", entry)})
			}
			before[entry] = true
		}
	}
	return found
}

// hiddenCharacters are the texts of a rule set that hold what a reader does not see,
// such as a character that changes the direction of the text after it: they would go
// out to applicants, and a code with one equals no code on record.
func hiddenCharacters(rs RuleSet) []Problem {
	var found []Problem
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
func hiddenCharacter(path, text string) []Problem {
	at := strings.IndexFunc(text, visible.Hidden)
	if at < 0 {
		return nil
	}
	hidden, _ := utf8.DecodeRuneInString(text[at:])
	p := Problem{Path: path, Message: fmt.Sprintf("holds U+%04X, which cannot be seen or changes the direction of the text after it: take it out", hidden)}
	if strings.HasSuffix(path, ".when") {
		p.Line, p.Column = rulefile.LineColumn(text, at)
	}
	return []Problem{p}
}
