package author

import (
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/requirement"
)

// This file finds parts that are never true together, because each case of || contradicts another
// part.

// maxCases limits the cases that are tried for one conclusion.
const maxCases = 256

// claim is that a part is true, or that it is false.
type claim struct {
	part  *requirement.Node
	truth bool
}

// excluded reports whether claims never hold together.
func (c *condition) excluded(claims ...claim) bool {
	cases := maxCases
	return c.excludedIn(nil, claims, &cases)
}

// excludedIn is excluded for simple claims, each about a part that joins no others, beside open ones.
func (c *condition) excludedIn(simple, open []claim, cases *int) bool {
	simple, open = slices.Clone(simple), slices.Clone(open)
	var either []claim
	for len(open) > 0 {
		one := open[0]
		open = open[1:]
		n := one.part
		if truth, known := c.known[n]; known {
			if truth != one.truth {
				return true
			}
			continue
		}
		switch {
		case n.Kind == requirement.DefinitionKind:
			simple, open = append(simple, one), append(open, claim{n.Body, one.truth})
		case isCall(n, operators.LogicalNot):
			open = append(open, claim{n.Args[0], !one.truth})
		case !isCall(n, operators.LogicalAnd, operators.LogicalOr):
			simple = append(simple, one)
		case isCall(n, operators.LogicalAnd) == one.truth:
			open = append(open, claim{n.Args[0], one.truth}, claim{n.Args[1], one.truth})
		default:
			either = append(either, one)
		}
	}
	if c.contradict(simple) {
		return true
	}
	if len(either) == 0 {
		return false
	}
	for _, arg := range either[0].part.Args {
		if *cases--; *cases < 0 || c.left <= 0 || !c.excludedIn(simple, append(slices.Clone(either[1:]), claim{arg, either[0].truth}), cases) {
			return false
		}
	}
	return true
}

// contradict reports whether no value of a quantity fulfills all claims.
func (c *condition) contradict(claims []claim) bool {
	var compared []*quantity
	for _, one := range claims {
		one.part.WalkAll(func(n *requirement.Node) {
			c.left--
			if t := c.tests[n]; t != nil && t.of != nil && !slices.Contains(compared, t.of) {
				compared = append(compared, t.of)
			}
		})
	}
	for _, q := range compared {
		if c.passes[q] == nil {
			c.passes[q] = c.pass(q)
		}
		p := c.passes[q]
		left := p.all
		for _, one := range claims {
			s := p.sides(one.part)
			if !one.truth {
				s.yes = s.no
			}
			left = both(left, s.yes)
		}
		if left.Sign() == 0 {
			return true
		}
	}
	return false
}
