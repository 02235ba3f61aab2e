// Package author helps authors of rules. It finds what is allowed in a rule set or a pricing model
// but looks like a mistake, finds what examples leave untried, and reports on whole files. It
// refuses nothing: package requirement does that.
package author

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/visible"
)

// This file has the warnings about what is allowed but looks like a mistake.

// Warnings returns what is allowed in a rule set but looks like a mistake: warnings first, then
// hints. p is the compiled rule set. The error is the context's.
func Warnings(ctx context.Context, today fact.Date, p *requirement.Program, rs requirement.RuleSet) ([]requirement.Problem, error) {
	rules, tried := p.CompiledRules(), coverageOf(p)
	l := newLinter(ctx, rs.Lists, today)
	conditions, found := l.conditions(rules)
	defined, ofDefinitions := l.definitions(p)
	found = slices.Concat(found, ofDefinitions, l.asked(p.Asked()))
	for _, more := range []func() []requirement.Problem{
		func() []requirement.Problem {
			return p.SizeProblem(fact.MaxPersons, ", so the service would refuse to calculate it")
		},
		func() []requirement.Problem {
			return factWarnings(rs.Facts, slices.Concat(p.FactNames(), usedByTerms(rs)))
		},
		func() []requirement.Problem { return excludedByNoRule(rs) },
		func() []requirement.Problem { return termWarnings(rs, conditions) },
		func() []requirement.Problem { return unstatedFacts(p, rs) },
		func() []requirement.Problem { return listWarnings(p, rs.Lists) },
		func() []requirement.Problem { return unusedDefinitions(p) },
		func() []requirement.Problem { return hiddenCharacters(rs) },
		func() []requirement.Problem { return alikeRules(ctx, rules, rs.Examples) },
		l.industryCodes,
		l.outsideLists,
		func() []requirement.Problem { return l.oddCodes(found) },
		func() []requirement.Problem { return l.unmentioned(rs) },
		func() []requirement.Problem { return bands(conditions, tried.of) },
		func() []requirement.Problem { return hints(p, rs, conditions, defined, tried) },
	} {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found = append(found, more()...)
	}
	if len(rules) == 0 {
		found = append(found, requirement.Problem{Path: "documents", Message: "has no rules, so no document is ever required"})
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return sorted(found), nil
}

// Today is the latest current date of all time zones, for files that are checked without an
// account: its zone may be ahead.
func Today() fact.Date {
	const ahead = 14 * time.Hour
	return fact.DateOf(time.Now().UTC().Add(ahead))
}

// sorted sorts the problems of rules that can still be published: warnings first, so that hints
// never displace a warning.
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

// conditions analyzes the conditions of rules. It returns nil for a rule without a condition, and
// for the rest once enough was found.
func (l *linter) conditions(rules []requirement.CompiledRule) (conditions []*condition, found []requirement.Problem) {
	conditions = make([]*condition, len(rules))
	reported := map[requirement.Problem]bool{}
	report := func(path string, noticed []requirement.Problem, c *condition) {
		for _, w := range slices.Concat(rulefile.WithPath(slices.Clone(noticed), path), c.found) {
			if !reported[w] { // several rules may use one list
				found = append(found, w)
			}
			reported[w] = true
		}
	}
	for i, r := range rules {
		if len(found) >= rulefile.MaxProblems || l.ctx.Err() != nil {
			break
		}
		if r.Condition != nil {
			conditions[i] = l.ofRule(r)
			report(r.Path+".when", r.Noticed, conditions[i])
		}
		for j, o := range r.Options {
			if o.Condition != nil {
				path := r.OptionPath(j) + ".when"
				report(path, o.Noticed, l.ofOption(path, o.Condition))
			}
		}
	}
	return conditions, found
}

// ofOption analyzes the condition of an option.
func (l *linter) ofOption(path string, of *requirement.Condition) *condition {
	defer l.saying("so the option is never offered", "so the option is always offered: leave when out if you mean that")()
	return l.condition(path, of)
}

// saying sets what follows from a condition that never or always holds, until restore is called.
func (l *linter) saying(never, always string) (restore func()) {
	neverBefore, alwaysBefore := l.never, l.always
	l.never, l.always = never, always
	return func() { l.never, l.always = neverBefore, alwaysBefore }
}

// ofRule analyzes the condition of a rule. The words differ for findings, which require nothing.
func (l *linter) ofRule(r requirement.CompiledRule) *condition {
	if r.Finding != nil {
		defer l.saying("so it is never found", "so it is found of every application")()
	}
	return l.condition(r.Path+".when", r.Condition)
}

// PricingWarnings is Warnings for a pricing model. If the context has ended, there may be more.
func PricingWarnings(ctx context.Context, today fact.Date, p *requirement.Pricing) []requirement.Problem {
	l := newLinter(ctx, nil, today)
	l.never, l.always = "so its points are never added", "so its points are always added: make them part of the base if you mean that"
	var texts []requirement.Problem
	var rules []requirement.CompiledRule
	for _, r := range p.CompiledRules() {
		texts = append(texts, hiddenCharacter(r.Path+".name", r.Name)...)
		texts = append(texts, hiddenCharacter(r.Path+".when", r.When)...)
		if r.Points.Sign() == 0 {
			texts = append(texts, requirement.Problem{Path: r.Path + ".points", Message: "are 0, so the rule changes nothing: leave it out, or write its points"})
		}
		rules = append(rules, requirement.CompiledRule{Rule: requirement.Rule{Path: r.Path}, Condition: r.Condition, Noticed: r.Noticed})
	}
	conditions, found := l.conditions(rules)
	found = append(found, l.asked(p.Asked())...)
	if ctx.Err() != nil {
		return nil
	}
	texts = append(texts, factWarnings(p.Declared(), p.FactNames())...)
	noExamples := func(*quantity) []*big.Rat { return nil }
	return sorted(slices.Concat(texts, found, l.industryCodes(), bands(conditions, noExamples)))
}

// listWarnings warns of lists that no rule uses, that are empty, or that repeat a text.
func listWarnings(p *requirement.Program, lists map[string][]string) []requirement.Problem {
	used := map[string]bool{}
	look := func(c *requirement.Condition) {
		if c != nil {
			c.Tree.Walk(func(n *requirement.Node) { used[n.Name] = used[n.Name] || n.Kind == requirement.ListKind })
		}
	}
	for _, r := range p.CompiledRules() {
		for _, c := range r.Conditions() {
			look(c)
		}
	}
	for _, d := range p.CompiledDefinitions() {
		look(d.Condition)
	}
	for _, a := range p.Asked() {
		look(a.Condition)
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

// definitions analyzes the conditions of definitions, as conditions does for rules.
func (l *linter) definitions(p *requirement.Program) (conditions []*condition, found []requirement.Problem) {
	defer l.saying("so the definition never holds", "so the definition always holds")()
	for _, d := range p.CompiledDefinitions() {
		if len(found) >= rulefile.MaxProblems || l.ctx.Err() != nil {
			break
		}
		c := l.condition(d.Path, d.Condition)
		conditions = append(conditions, c)
		found = slices.Concat(found, rulefile.WithPath(slices.Clone(d.Noticed), d.Path), c.found)
	}
	return conditions, found
}

// unusedDefinitions finds the definitions that no rule uses, directly or through other definitions.
func unusedDefinitions(p *requirement.Program) (found []requirement.Problem) {
	used := map[string]bool{}
	for _, r := range p.CompiledRules() {
		for _, c := range r.Conditions() {
			c.Tree.WalkAll(func(n *requirement.Node) { used[n.Name] = used[n.Name] || n.Kind == requirement.DefinitionKind })
		}
	}
	for _, d := range p.CompiledDefinitions() {
		if !used[d.Name] {
			found = append(found, requirement.Problem{Path: d.Path, Message: "is used by no rule", Severity: requirement.SeverityHint})
		}
	}
	return found
}

// hiddenCharacters finds the texts of a rule set with characters that a reader does not see, such
// as one that changes the direction of the text after it. Applicants would get such texts, and a
// code with such a character never equals a stored code.
func hiddenCharacters(rs requirement.RuleSet) []requirement.Problem {
	var found []requirement.Problem
	check := func(path, text string) {
		if len(found) < rulefile.MaxProblems {
			found = append(found, hiddenCharacter(path, text)...)
		}
	}
	for i, d := range rs.Facts {
		path := fmt.Sprintf("facts[%d].", i)
		check(path+"label", d.Label)
		check(path+"ask", d.Ask)
		check(path+"asked_when", d.AskedWhen)
		for j, choice := range d.Choices {
			check(fmt.Sprintf("%schoices[%d]", path, j), choice)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rs.Lists)) {
		for i, entry := range rs.Lists[name] {
			if strings.ContainsFunc(entry, visible.Hidden) { // a rule set may have 100,000 entries
				check(fmt.Sprintf("%s.%s[%d]", fact.NameLists, name, i), entry)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rs.Definitions)) {
		check("definitions."+name, rs.Definitions[name])
	}
	for i, doc := range rs.Documents {
		path := fmt.Sprintf("documents[%d].", i)
		check(path+"name", doc.Name)
		check(path+"category", doc.Category)
		check(path+"requirement_text", doc.RequirementText)
		check(path+"when", doc.When)
		check(path+"explanation", doc.Explanation)
		check(path+"legal_basis", doc.LegalBasis)
		for j, option := range doc.AnyOf {
			at := fmt.Sprintf("%sany_of[%d].", path, j)
			check(at+"when", option.When)
			for k, part := range option.Parts() {
				below := at
				if option.AllOf != nil {
					below = fmt.Sprintf("%sall_of[%d].", at, k)
				}
				check(below+"name", part.Name)
				check(below+"requirement_text", part.RequirementText)
			}
		}
	}
	for i, f := range rs.Findings {
		path := fmt.Sprintf("findings[%d].", i)
		check(path+"name", f.Name)
		check(path+"message", f.Message)
		check(path+"when", f.When)
		check(path+"legal_basis", f.LegalBasis)
	}
	for i, example := range rs.Examples {
		check(fmt.Sprintf("examples[%d].name", i), example.Name)
	}
	return found
}

// hiddenCharacter returns a problem with the first hidden character of a text, if it has one.
func hiddenCharacter(path, text string) []requirement.Problem {
	at := strings.IndexFunc(text, visible.Hidden)
	if at < 0 {
		return nil
	}
	hidden, _ := utf8.DecodeRuneInString(text[at:])
	p := requirement.Problem{
		Path: path,
		Message: fmt.Sprintf(
			"holds U+%04X, which cannot be seen or changes the direction of the text after it: take it out",
			hidden),
	}
	if rulefile.IsCondition(path) {
		p.Line, p.Column = rulefile.LineColumn(text, at)
	}
	return []requirement.Problem{p}
}
