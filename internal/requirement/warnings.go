package requirement

import (
	"fmt"
	"regexp"
	"slices"

	"cel.dev/cel-go/common/operators"
)

// factForms are the texts that a fact can hold, by the fact or field.
var factForms = map[string]struct {
	pattern *regexp.Regexp
	words   string
}{
	"citizenship":            {regexp.MustCompile(`^[A-Z]{2}$`), "a citizenship is two capital letters, such as US"},
	"industry_category_code": {regexp.MustCompile(`^[A-Za-z0-9.]{1,10}$`), "an industry category code is 1 to 10 letters, digits and points"},
}

// warnings are about what a condition allows but hardly means.
func (c *condition) warnings(lists map[string][]string) []Problem {
	var found []Problem
	warn := func(format string, args ...any) {
		found = append(found, Problem{Message: fmt.Sprintf(format, args...)})
	}
	if c.tree.constant() {
		result := walk(c.tree, bind(Facts{}, nil, lists)).datum
		warn("refers to no fact, so that it is always %v", result.truth())
	}
	c.tree.walk(func(n *node) {
		if n.kind != callKind {
			return
		}
		switch n.name {
		case operators.Divide:
			if n.shape == integerShape && !n.constant() {
				warn("%s drops what is left over: write double(%s) to keep it", clip(n.text()), clip(n.args[0].text()))
			}
		case operators.Equals, operators.NotEquals, operators.In:
			for _, text := range unmatchable(n, lists) {
				warn("%s looks for %q, which no record can hold: %s", clip(n.text()), text, factForms[formOf(n)].words)
			}
		}
	})
	return found
}

// formOf is the fact that a comparison looks at, if its texts have a form.
func formOf(n *node) string {
	for _, arg := range n.args {
		if _, ok := factForms[arg.origin]; ok && arg.shape.base == textBase {
			return arg.origin
		}
	}
	return ""
}

func unmatchable(n *node, lists map[string][]string) []string {
	form, ok := factForms[formOf(n)]
	if !ok {
		return nil
	}
	var texts []string
	for _, arg := range n.args {
		for _, text := range constantTexts(arg, lists) {
			if !form.pattern.MatchString(text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// constantTexts are the texts that a literal or a list holds.
func constantTexts(n *node, lists map[string][]string) []string {
	switch n.kind {
	case literalKind:
		if text, ok := n.literal.(string); ok {
			return []string{text}
		}
	case listKind:
		return lists[n.name]
	case arrayKind:
		var texts []string
		for _, arg := range n.args {
			texts = append(texts, constantTexts(arg, lists)...)
		}
		return texts
	}
	return nil
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
	for _, name := range sortedKeys(p.lists) {
		path, entries := "lists."+name, p.lists[name]
		if !used[name] {
			found = append(found, Problem{Path: path, Message: "is used by no rule"})
		}
		if len(entries) == 0 {
			found = append(found, Problem{Path: path, Message: "is empty, so that nothing is ever in it"})
		}
		for i, entry := range entries {
			if slices.Contains(entries[:i], entry) {
				found = append(found, Problem{Path: fmt.Sprintf("%s[%d]", path, i), Message: fmt.Sprintf("repeats %q", entry)})
			}
		}
	}
	return found
}
