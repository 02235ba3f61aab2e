package requirement

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// The words of warnings. Input: a part that always comes out alike. Output: the
// warning, with its position.

// report adds a warning about a part, with the position where the part begins.
func (l *linter) report(n *node, message string) {
	if l.left <= 0 || len(l.found) >= maxConditionProblems {
		return
	}
	line, column := startOf(n)
	l.add(n, Problem{Message: rulefile.Clip(n.text()) + " " + message, Line: line, Column: column})
}

func (l *linter) add(n *node, p Problem) {
	l.found, l.about = append(l.found, p), append(l.about, n)
}

// startOf is where the text of n begins.
func startOf(n *node) (line, column int) {
	n.walk(func(part *node) {
		at := part.column
		if part.kind == fieldKind && part.args[0].line == 0 {
			at = max(1, at-len(part.args[0].name)-1) // a field's position is behind its point
		}
		if part.line > 0 && (line == 0 || part.line < line || part.line == line && at < column) {
			line, column = part.line, at
		}
	})
	return line, column
}

// decidedComparison reports a comparison that always comes out alike, unless it is
// warned of for a value that no record can hold.
func (l *linter) decidedComparison(n *node, v verdict) {
	impossible := &valueWarnings{lists: l.lists, loops: l.loops}
	impossible.visit(n)
	if len(impossible.found) > 0 {
		l.saidOtherwise(n, impossible.found[len(impossible.found)-1])
		return
	}
	why := ""
	for _, arg := range n.args {
		if fact := l.wordsOf(arg); fact != "" {
			why = ": " + fact
		}
	}
	switch {
	case n.name == operators.In && n.args[1].kind == arrayKind && len(n.args[1].args) == 0:
		why = ": the list is empty"
	case n.constant():
		why = ", for it refers to no fact"
	case len(n.args) == 2 && l.alike(n.args[0], n.args[1]):
		why = ", for it compares something with itself"
	}
	l.report(n, pick(v.holds.none, "is never true", "is always true")+why)
}

// wordsOf say which values the quantity that n rests on can have.
func (l *linter) wordsOf(n *node) string {
	words := ""
	if isComparable(n) {
		if s, ok := l.sum(n); ok {
			for _, t := range s.terms {
				words = t.of.words
			}
		}
	} else if n.shape == fact.TextShape && n.kind != literalKind {
		if q, ok := l.value(n); ok {
			words = q.words
		}
	}
	return words
}

// decidedJunction reports a junction of which no part is decided by itself.
func (l *linter) decidedJunction(n *node, v verdict, parts []*node, holds, fails []box) {
	if all := pick(v.holds.none, operators.LogicalOr, operators.LogicalAnd); n.name == all && v.holds.none != v.fails.none {
		l.report(n, pick(v.holds.none, "is never true", "is always true")) // for each of its parts is
		return
	}
	if n.name == operators.LogicalAnd && valuesOfOne(parts, operators.Equals) != "" ||
		n.name == operators.LogicalOr && valuesOfOne(parts, operators.NotEquals) != "" {
		l.saidOtherwise(n, Problem{Line: n.line, Column: n.column})
		return
	}
	if slices.ContainsFunc(parts, func(part *node) bool { return part.kind == literalKind }) {
		l.report(n, pick(n.name == operators.LogicalAnd, "is never true: one of its parts is false", "is always true: one of its parts is true"))
		return
	}
	boxes := holds
	if n.name == operators.LogicalOr {
		boxes = fails
	}
	// The box around the parts before it is empty together with the last of those
	// that decide, and mostly with one of them alone.
	var before box
	last := slices.IndexFunc(boxes, func(b box) bool {
		before = l.join(before, b, true)
		return before.none
	})
	if last < 0 {
		l.report(n, pick(n.name == operators.LogicalAnd, "is never true", "is always true"))
		return
	}
	first := slices.IndexFunc(boxes[:last], func(b box) bool { return l.join(b, boxes[last], true).none })
	if l.left <= 0 || len(l.found) >= maxConditionProblems {
		return
	}
	line, column := startOf(n)
	message := "the parts of " + rulefile.Clip(n.text())
	if first >= 0 {
		line, column = startOf(parts[first])
		message = rulefile.Clip(parts[first].text()) + " and " + rulefile.Clip(parts[last].text())
	}
	if n.name == operators.LogicalAnd {
		message += " are never true together" + reversed(parts, first, last)
	} else {
		message = "of " + message + " one is always true: write && if both must be true"
	}
	l.add(n, Problem{Message: message, Line: line, Column: column})
}

// reversed says what to do about two parts that contradict each other.
func reversed(parts []*node, first, last int) string {
	if first >= 0 {
		_, low, isLow := textBound(parts[first], true)
		_, high, isHigh := textBound(parts[last], false)
		if !isLow || !isHigh {
			_, low, isLow = textBound(parts[last], true)
			_, high, isHigh = textBound(parts[first], false)
		}
		if isLow && isHigh && low > high {
			return fmt.Sprintf(": the range begins after its end; write from %q to %q", high, low)
		}
	}
	return ": write || if one of them is enough"
}

// textBound is the bound that n sets to a text, from below or from above.
func textBound(n *node, below bool) (of *node, bound string, ok bool) {
	if !n.isComparison() || len(n.args) != 2 || n.args[0].shape != fact.TextShape || n.args[1].shape != fact.TextShape {
		return nil, "", false
	}
	of, other, operator := n.args[0], n.args[1], n.name
	if of.kind == literalKind {
		of, other, operator = other, of, mirrors[operator]
	}
	bound, ok = other.literal.(string)
	if below {
		return of, bound, ok && (operator == operators.Greater || operator == operators.GreaterEquals)
	}
	return of, bound, ok && (operator == operators.Less || operator == operators.LessEquals)
}
