package author

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file writes the warnings about parts that always have the same value.

func neverOrAlways(truth bool) string { return rulefile.Pick(truth, "is always true", "is never true") }

// report adds a warning about a part, at the position where the part begins.
func (c *condition) report(n *requirement.Node, message string) {
	c.add(n, n, rulefile.Clip(n.Text())+" "+message)
}

func (c *condition) add(about, at *requirement.Node, message string) {
	c.addAt(about, c.problem(at, message))
}

func (c *condition) problem(at *requirement.Node, message string) requirement.Problem {
	line, column := startOf(at)
	return requirement.Problem{Path: c.path, Line: line, Column: column, Message: message}
}

func (c *condition) addAt(about *requirement.Node, p requirement.Problem) {
	if len(c.found) < rulefile.MaxProblems {
		c.found, c.about = append(c.found, p), append(c.about, about)
	}
}

// startOf is where the text of n begins.
func startOf(n *requirement.Node) (line, column int) {
	n.Walk(func(part *requirement.Node) {
		at := part.Column
		switch { // their position is after their point
		case part.Kind == requirement.FieldKind && part.Args[0].Line == 0:
			at = max(1, at-len(part.Args[0].Name)-1)
		case part.Kind == requirement.ListKind:
			at = max(1, at-len(fact.NameLists)-1)
		case part.Kind == requirement.DefinitionKind:
			for _, person := range part.Args {
				at -= len(person.Name) + 1
			}
			at = max(1, at-len("definitions")-1)
		}
		if part.Line > 0 && (line == 0 || part.Line < line || part.Line == line && at < column) {
			line, column = part.Line, at
		}
	})
	return line, column
}

// explain reports the parts that always have the same value, each where the reason is visible.
func (c *condition) explain(n *requirement.Node) {
	if n == nil || c.left <= 0 {
		return
	}
	c.left--
	truth, known := c.known[n]
	switch {
	case isCall(n, operators.LogicalAnd, operators.LogicalOr):
		c.explainParts(n, truth, known)
		return
	case isCall(n, operators.Conditional) && alike(n.Args[1], n.Args[2]):
		c.report(n, "has the same result whether its condition is true or false")
	case known && c.tests[n] != nil && !c.valued[n] && n.Kind != requirement.LoopKind:
		c.explainTest(n, truth)
	}
	for _, arg := range n.Args {
		c.explain(arg)
	}
}

// explainTest reports a comparison that always has the same value.
func (c *condition) explainTest(n *requirement.Node, truth bool) {
	why := ""
	switch of := c.tests[n].of; {
	case isCall(n, operators.In) && n.Args[1].Kind == requirement.ArrayKind && len(n.Args[1].Args) == 0:
		why = ": the list is empty"
	case n.Kind == requirement.DefinitionKind:
		why = ", as its own warning says"
	case n.Constant():
		why = ", for it refers to no fact"
	case of == nil:
		why = ", for it compares something with itself"
	case of.words() != "":
		why = ": " + of.words()
	}
	c.report(n, neverOrAlways(truth)+why)
}

// explainParts reports && or || if no single part shows why it always has the same value.
func (c *condition) explainParts(n *requirement.Node, truth, known bool) {
	parts, and := joinedParts(n), n.Name == operators.LogicalAnd
	shown, literal := !known, false
	for _, part := range parts {
		if of, decided := c.known[part]; decided && of && and && part.IsComparison() && !part.Constant() && !c.valued[part] {
			continue // a range in full, as in 0 <= x && x <= 100, is not a mistake
		}
		literal = literal || part.Kind == requirement.LiteralKind
		shown = shown || c.isKnown(part) && part.Kind != requirement.LiteralKind
		c.explain(part)
	}
	switch {
	case shown:
	case literal, and == truth: // because each of its parts has that value
		c.report(n, neverOrAlways(truth))
	default:
		c.contradiction(n, parts)
	}
}

// contradiction reports parts that make another part false, or true in ||. It names two parts if
// they are enough.
func (c *condition) contradiction(n *requirement.Node, parts []*requirement.Node) {
	and := n.Name == operators.LogicalAnd
	first, last := -1, 0
	for last = 1; last < len(parts) && first < 0; last++ {
		first = slices.IndexFunc(parts[:last], func(part *requirement.Node) bool { return c.excluded(claim{part, and}, claim{parts[last], and}) })
	}
	last--
	at, message, cure := n, "the parts of "+rulefile.Clip(n.Text()), ": write || if one of them is enough"
	if !and {
		cure = ": write && if both must be true"
	}
	if first >= 0 {
		a, b := parts[first], parts[last]
		at, message = a, rulefile.Clip(a.Text())+" and "+rulefile.Clip(b.Text())
		switch {
		case and && isCall(a, operators.Equals) && isCall(b, operators.Equals):
			cure = ", because no value equals both" + cure
		case !and && isCall(a, operators.NotEquals) && isCall(b, operators.NotEquals):
			cure = ", because every value differs from one of the two: write && if it must differ from both"
		}
	}
	c.add(n, at, rulefile.Pick(and, message+" are never true together", "of "+message+" one is always true")+cure)
}

// conclude adds the consequence for a condition that always has the same value to the warning about
// the part that decides it. It adds branches that are never reached to the warning about their
// test.
func (c *condition) conclude() {
	c.tree.Walk(func(n *requirement.Node) {
		if isCall(n, operators.Conditional) && c.isKnown(n.Args[0]) && !alike(n.Args[1], n.Args[2]) {
			branch := n.Args[2]
			if !c.known[n.Args[0]] {
				branch = n.Args[1]
			}
			c.append(n.Args[0], "so "+rulefile.Clip(branch.Text())+" is never reached", ", ")
		}
	})
	if c.isKnown(c.tree) {
		c.append(c.tree, rulefile.Pick(c.known[c.tree], c.always, c.never), "; ")
	}
}

// append adds a consequence to the warning about a part that always has the same value.
func (c *condition) append(n *requirement.Node, consequence, sign string) {
	truth := c.known[n]
	part := c.deciding(n, truth)
	if part == nil { // no part decides it alone
		c.report(n, neverOrAlways(truth))
		part = c.deciding(n, truth)
	}
	switch {
	case part == nil: // there was no room for the warning
	case strings.HasSuffix(part.Message, "?"):
		part.Message += " S" + consequence[1:]
	default:
		part.Message += sign + consequence
	}
}

// deciding returns the warning about the part that alone decides the value of another part.
func (c *condition) deciding(n *requirement.Node, truth bool) *requirement.Problem {
	for i, about := range slices.Backward(c.about) {
		if about == n {
			return &c.found[i]
		}
	}
	var parts []*requirement.Node
	switch {
	case n.Kind == requirement.LoopKind:
		parts = []*requirement.Node{n.Test()}
	case isCall(n, operators.LogicalNot):
		return c.deciding(n.Args[0], !truth)
	case isCall(n, operators.LogicalAnd) && !truth, isCall(n, operators.LogicalOr) && truth:
		parts = joinedParts(n)
	}
	for _, part := range parts {
		if v, known := c.known[part]; known && v == truth {
			if found := c.deciding(part, truth); found != nil {
				return found
			}
		}
	}
	return nil
}
