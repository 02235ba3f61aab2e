package author

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// The words of warnings. Input: a part that always comes out alike. Output: the
// warning, with its position.

// report adds a warning about a part, with the position where the part begins.
func (l *linter) report(n *requirement.Node, message string) {
	if l.left <= 0 || len(l.found) >= requirement.MaxConditionProblems {
		return
	}
	line, column := startOf(n)
	l.add(n, requirement.Problem{Message: rulefile.Clip(n.Text()) + " " + message, Line: line, Column: column})
}

func (l *linter) add(n *requirement.Node, p requirement.Problem) {
	l.found, l.about = append(l.found, p), append(l.about, n)
}

// startOf is where the text of n begins.
func startOf(n *requirement.Node) (line, column int) {
	n.Walk(func(part *requirement.Node) {
		at := part.Column
		if part.Kind == requirement.FieldKind && part.Args[0].Line == 0 {
			at = max(1, at-len(part.Args[0].Name)-1) // a field's position is behind its point
		}
		if part.Line > 0 && (line == 0 || part.Line < line || part.Line == line && at < column) {
			line, column = part.Line, at
		}
	})
	return line, column
}

// decidedComparison reports a comparison that always comes out alike, unless it is
// warned of for a value that no record can hold.
func (l *linter) decidedComparison(n *requirement.Node, v verdict) {
	impossible := &valueWarnings{lists: l.lists, loops: l.loops}
	impossible.visit(n)
	if len(impossible.found) > 0 {
		l.saidOtherwise(n, impossible.found[len(impossible.found)-1])
		return
	}
	why := ""
	for _, arg := range n.Args {
		if fact := l.wordsOf(arg); fact != "" {
			why = ": " + fact
		}
	}
	switch {
	case n.Name == operators.In && n.Args[1].Kind == requirement.ArrayKind && len(n.Args[1].Args) == 0:
		why = ": the list is empty"
	case n.Constant():
		why = ", for it refers to no fact"
	case len(n.Args) == 2 && l.alike(n.Args[0], n.Args[1]):
		why = ", for it compares something with itself"
	}
	l.report(n, rulefile.Pick(v.holds.none, "is never true", "is always true")+why)
}

// wordsOf say which values the quantity that n rests on can have.
func (l *linter) wordsOf(n *requirement.Node) string {
	words := ""
	if isComparable(n) {
		if s, ok := l.sum(n); ok {
			for _, t := range s.terms {
				words = t.of.words
			}
		}
	} else if n.Shape == fact.TextShape && n.Kind != requirement.LiteralKind {
		if q, ok := l.value(n); ok {
			words = q.words
		}
	}
	return words
}

// decidedJunction reports a junction of which no part is decided by itself.
func (l *linter) decidedJunction(n *requirement.Node, v verdict, parts []*requirement.Node, holds, fails []box) {
	if all := rulefile.Pick(v.holds.none, operators.LogicalOr, operators.LogicalAnd); n.Name == all && v.holds.none != v.fails.none {
		l.report(n, rulefile.Pick(v.holds.none, "is never true", "is always true")) // for each of its parts is
		return
	}
	if n.Name == operators.LogicalAnd && valuesOfOne(parts, operators.Equals) != "" ||
		n.Name == operators.LogicalOr && valuesOfOne(parts, operators.NotEquals) != "" {
		l.saidOtherwise(n, requirement.Problem{Line: n.Line, Column: n.Column})
		return
	}
	if slices.ContainsFunc(parts, func(part *requirement.Node) bool { return part.Kind == requirement.LiteralKind }) {
		l.report(n, rulefile.Pick(n.Name == operators.LogicalAnd, "is never true: one of its parts is false", "is always true: one of its parts is true"))
		return
	}
	boxes := holds
	if n.Name == operators.LogicalOr {
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
		l.report(n, rulefile.Pick(n.Name == operators.LogicalAnd, "is never true", "is always true"))
		return
	}
	first := slices.IndexFunc(boxes[:last], func(b box) bool { return l.join(b, boxes[last], true).none })
	if l.left <= 0 || len(l.found) >= requirement.MaxConditionProblems {
		return
	}
	line, column := startOf(n)
	message := "the parts of " + rulefile.Clip(n.Text())
	if first >= 0 {
		line, column = startOf(parts[first])
		message = rulefile.Clip(parts[first].Text()) + " and " + rulefile.Clip(parts[last].Text())
	}
	if n.Name == operators.LogicalAnd {
		message += " are never true together" + reversed(parts, first, last)
	} else {
		message = "of " + message + " one is always true: write && if both must be true"
	}
	l.add(n, requirement.Problem{Message: message, Line: line, Column: column})
}

// reversed says what to do about two parts that contradict each other.
func reversed(parts []*requirement.Node, first, last int) string {
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
func textBound(n *requirement.Node, below bool) (of *requirement.Node, bound string, ok bool) {
	if !n.IsComparison() || len(n.Args) != 2 || n.Args[0].Shape != fact.TextShape || n.Args[1].Shape != fact.TextShape {
		return nil, "", false
	}
	of, other, operator := n.Args[0], n.Args[1], n.Name
	if of.Kind == requirement.LiteralKind {
		of, other, operator = other, of, requirement.Mirrors[operator]
	}
	bound, ok = other.Literal.(string)
	if below {
		return of, bound, ok && (operator == operators.Greater || operator == operators.GreaterEquals)
	}
	return of, bound, ok && (operator == operators.Less || operator == operators.LessEquals)
}
