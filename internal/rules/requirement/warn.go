package requirement

import (
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

// warnings are about what a condition allows but hardly means. Those about an
// entry of a list have its path, and the others none; seen are the uses of lists
// that other conditions of the rule set have been warned of.
func (c *condition) warnings(ctx context.Context, lists map[string][]string, read map[string]*textList, seen map[listUse]bool) []Problem {
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
			if pair := valuesOfOne(n.chain(inner), operators.NotEquals); pair != "" {
				warn(n, "of %s one is always true, because every value differs from one of the two: write && if it must differ from both", pair)
			}
		case operators.LogicalAnd:
			if pair := valuesOfOne(n.chain(inner), operators.Equals); pair != "" {
				warn(n, "%s are never true together, because no value equals both: write || if one of them is enough", pair)
			}
		}
	})
	v := &valueWarnings{lists: lists, seen: seen}
	v.visit(c.tree)
	return slices.Concat(found, v.found, c.unusedVariables(), c.otherCodes())
}

// chain are the parts that n and the same operator below it join; inner gets those
// that are joints themselves.
func (n *node) chain(inner map[*node]bool) []*node {
	var parts []*node
	for _, arg := range n.args {
		if arg.kind == callKind && arg.name == n.name {
			inner[arg] = true
			parts = append(parts, arg.chain(inner)...)
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
func (p *Program) listWarnings() []Problem {
	used := map[string]bool{}
	for _, r := range p.rules {
		if r.condition != nil {
			r.condition.tree.walk(func(n *node) {
				if n.kind == listKind {
					used[n.name] = true
				}
			})
		}
	}
	var found []Problem
	for _, name := range slices.Sorted(maps.Keys(p.lists)) {
		path, entries := "lists."+name, p.lists[name]
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
func (rs RuleSet) hiddenCharacters() []Problem {
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
