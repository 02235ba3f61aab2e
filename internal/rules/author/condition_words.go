package author

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// The words of warnings. Input: a part that always comes out alike or changes nothing.
// Output: the warning, with its position.

// report adds a warning about a part, with the position where the part begins.
func (c *condition) report(n *requirement.Node, message string) {
	if n != c.tree || !n.Constant() {
		message = rulefile.Clip(n.Text()) + " " + message
	}
	c.add(n, n, message)
}

func (c *condition) add(about, at *requirement.Node, message string) {
	if len(c.found) < rulefile.MaxProblems {
		line, column := startOf(at)
		c.found = append(c.found, requirement.Problem{Message: message, Line: line, Column: column})
		c.about = append(c.about, about)
	}
}

// startOf is where the text of n begins.
func startOf(n *requirement.Node) (line, column int) {
	n.Walk(func(part *requirement.Node) {
		at := part.Column
		switch { // the position of these is behind their point
		case part.Kind == requirement.FieldKind && part.Args[0].Line == 0:
			at = max(1, at-len(part.Args[0].Name)-1)
		case part.Kind == requirement.ListKind:
			at = max(1, at-len(fact.NameLists)-1)
		}
		if part.Line > 0 && (line == 0 || part.Line < line || part.Line == line && at < column) {
			line, column = part.Line, at
		}
	})
	return line, column
}

func neverOrAlways(truth bool) string { return rulefile.Pick(truth, "is always true", "is never true") }

// superfluous reports a part of n that changes nothing for the points that matter. alone
// tells whether another part alone makes it so.
func (p *pass) superfluous(n, part *requirement.Node, matters *big.Int, alone func(*requirement.Node) bool) {
	parts, and := joinedParts(n), n.Name == operators.LogicalAnd
	at := slices.IndexFunc(parts, func(other *requirement.Node) bool { return other != part && alone(other) })
	switch {
	case at >= 0 && alike(part, parts[at]):
		p.report(part, "stands there twice: leave one out, or correct it")
	case at >= 0:
		p.report(part, rulefile.Pick(and, "is true whenever ", "is true only where ")+rulefile.Clip(parts[at].Text())+" is, so it changes nothing: leave it out, or correct one of the two")
	case matters.Cmp(p.all) != 0:
		p.report(part, neverOrAlways(and)+whereLookedAt)
	default:
		p.report(part, "changes nothing beside the other parts of "+rulefile.Clip(n.Text())+": leave it out, or correct one of them")
	}
}

const whereLookedAt = " where it is looked at: leave it out, or correct it"

// explain reports the parts that come out alike, each where it shows why.
func (c *condition) explain(n *requirement.Node) {
	if n == nil || c.isIdle(n) || c.left <= 0 {
		return
	}
	c.left--
	v, decided := c.known[n]
	switch {
	case n.Kind == requirement.LoopKind:
		if decided && n.Test().Kind == requirement.LiteralKind {
			c.report(n, neverOrAlways(v.truth))
		}
	case isCall(n, operators.LogicalAnd, operators.LogicalOr):
		c.explainParts(n, v, decided)
		return
	case isCall(n, operators.Conditional) && alike(n.Args[1], n.Args[2]):
		c.report(n, "has the same result whether its condition is true or false")
	case decided && n.Kind != requirement.LiteralKind && c.tests[n] != nil && !c.valued[n]:
		c.explainTest(n, v.truth)
	}
	for _, arg := range n.Args {
		c.explain(arg)
	}
}

// explainParts reports && or || of which no part shows by itself why it comes out alike.
func (c *condition) explainParts(n *requirement.Node, v verdict, decided bool) {
	parts, and := joinedParts(n), n.Name == operators.LogicalAnd
	if and {
		c.codeRanges(parts)
	}
	shown := false
	for _, part := range parts {
		known, alike := c.known[part]
		if alike && known.truth && and && part.IsComparison() && !part.Constant() && !c.valued[part] {
			continue // writing a range out in full, as in 0 <= x && x <= 100, is no mistake
		}
		shown = shown || alike && part.Kind != requirement.LiteralKind
		c.explain(part)
	}
	if !decided || shown {
		return
	}
	switch {
	case and == v.truth: // for each of its parts is
		c.report(n, neverOrAlways(v.truth))
		return
	case slices.ContainsFunc(parts, func(part *requirement.Node) bool { return part.Kind == requirement.LiteralKind }):
		c.report(n, neverOrAlways(v.truth)+rulefile.Pick(and, ": one of its parts is false", ": one of its parts is true"))
		return
	}
	first, last := v.by.deciding(parts, and)
	at, message := n, "the parts of "+rulefile.Clip(n.Text())
	if first >= 0 {
		at, message = parts[first], rulefile.Clip(parts[first].Text())+" and "+rulefile.Clip(parts[last].Text())
	}
	equal := first >= 0 && isCall(parts[first], operators.Equals) && isCall(parts[last], operators.Equals)
	differ := first >= 0 && isCall(parts[first], operators.NotEquals) && isCall(parts[last], operators.NotEquals)
	switch {
	case and && equal:
		message += " are never true together, because no value equals both: write || if one of them is enough"
	case and:
		message += " are never true together" + reversed(parts, first, last)
	case differ:
		message = "of " + message + " one is always true, because every value differs from one of the two: write && if it must differ from both"
	default:
		message = "of " + message + " one is always true: write && if both must be true"
	}
	c.add(n, at, message)
}

// deciding are the parts that together make && false, or || true, whatever the facts are:
// first is below 0 where the last needs several of those before it.
func (p *pass) deciding(parts []*requirement.Node, and bool) (first, last int) {
	open := func(part *requirement.Node) *big.Int {
		s := p.sides(part)
		if and {
			return s.yes
		}
		return s.no
	}
	left := p.all
	last = slices.IndexFunc(parts, func(part *requirement.Node) bool {
		left = both(left, open(part))
		return left.Sign() == 0
	})
	if last < 0 {
		return -1, -1
	}
	first = slices.IndexFunc(parts[:last], func(part *requirement.Node) bool { return both(open(part), open(parts[last])).Sign() == 0 })
	return first, last
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

// explainTest reports a comparison that comes out alike.
func (c *condition) explainTest(n *requirement.Node, truth bool) {
	why := ""
	switch of := c.tests[n].of; {
	case isCall(n, operators.In) && n.Args[1].Kind == requirement.ArrayKind && len(n.Args[1].Args) == 0:
		why = ": the list is empty"
	case n.Constant():
		why = ", for it refers to no fact"
	case of == nil:
		why = ", for it compares something with itself"
	case of.words() != "":
		why = ": " + of.words()
	}
	c.report(n, neverOrAlways(truth)+why)
}

// conclude says of a condition that always comes out alike what follows, behind the part
// that decides. Branches of ? : that are never reached are told behind their test.
func (c *condition) conclude() {
	c.tree.Walk(func(n *requirement.Node) {
		if isCall(n, operators.Conditional) && c.alwaysAlike(n.Args[0]) && !alike(n.Args[1], n.Args[2]) {
			truth := c.known[n.Args[0]].truth
			message := ", so " + rulefile.Clip(rulefile.Pick(truth, n.Args[2].Text(), n.Args[1].Text())) + " is never reached"
			if test := c.deciding(n.Args[0], truth); test != nil {
				test.Message += message
			} else {
				c.report(n.Args[0], neverOrAlways(truth)+message)
			}
		}
	})
	if !c.alwaysAlike(c.tree) {
		return
	}
	truth := c.known[c.tree].truth
	consequence := rulefile.Pick(truth, c.always, c.never)
	part := c.deciding(c.tree, truth)
	if part == nil { // no part does so alone
		c.report(c.tree, neverOrAlways(truth))
		part = c.deciding(c.tree, truth)
	}
	if part == nil {
		return // there was no room for it
	}
	if strings.HasSuffix(part.Message, "?") {
		part.Message += " S" + consequence[1:]
	} else {
		part.Message += "; " + consequence
	}
}

// deciding is what was found of the part that makes a condition come out as it always
// does, if one part alone does so.
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
		if v, known := c.known[part]; known && v.truth == truth {
			if found := c.deciding(part, truth); found != nil {
				return found
			}
		}
	}
	return nil
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
