package requirement

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/operators"
)

// warnings are about what a condition allows but hardly means. Those about an
// entry of a list have its path, and the others none.
func (c *condition) warnings(lists map[string][]string) []Problem {
	var found []Problem
	warn := func(n *node, format string, args ...any) {
		found = append(found, Problem{Message: fmt.Sprintf(format, args...), Line: n.line, Column: n.column})
	}
	if c.tree.constant() {
		result := walk(c.tree, bind(Facts{}, nil, lists)).datum
		warn(c.tree, "refers to no fact, so that it is always %v", result.truth())
	}
	c.tree.walk(func(n *node) {
		if n.kind == callKind && n.name == operators.Divide && n.shape == integerShape && !n.constant() {
			warn(n, "%s drops what is left over: write double(%s) to keep it", clip(n.text()), clip(n.args[0].text()))
		}
	})
	v := &valueWarnings{lists: lists}
	v.visit(c.tree)
	return append(found, v.found...)
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
