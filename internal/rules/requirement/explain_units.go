package requirement

import (
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// Units: what the numbers in a reason count.

// What stands behind a number of a unit.
const (
	percentUnit = "%"
	// moneyUnit stands for the currency until inCurrency writes it: conditions are put into words
	// without the facts. No text on record holds a control character.
	moneyUnit = " \x1a"
)

// inCurrency writes the currency of the facts behind amounts.
func (b *Bindings) inCurrency(said string) string {
	currency := b.facts.Currency
	if currency != "" {
		currency = " " + currency
	}
	return strings.ReplaceAll(said, moneyUnit, currency)
}

func unitOf(row *fact.Row) string {
	switch {
	case row.Percent != "":
		return percentUnit
	case row.Wire == fact.DeclaredAmount:
		return moneyUnit
	}
	return ""
}

// unit is the unit of a number, or of the numbers of a list. It is empty where there is none, and
// where n mixes several.
func (n *Node) unit() string {
	switch {
	case n.Shape.Base != fact.NumberBase:
	case n.Kind == FactKind || n.Kind == FieldKind:
		return unitOf(n.Row)
	case n.Kind == VariableKind:
		return unitOf(n.Origin)
	case n.Kind == LoopKind && n.Name == operators.Filter:
		return n.List().unit()
	case n.Kind == LoopKind:
		return n.Result().unit()
	case n.Kind == CallKind:
		return n.calculatedUnit()
	}
	return ""
}

func (n *Node) calculatedUnit() string {
	switch n.Name {
	case operators.Add, operators.Subtract, operators.Modulo:
		return together(n.Args[0], n.Args[1])
	case operators.Conditional:
		return together(n.Args[1], n.Args[2])
	case operators.Multiply, operators.Divide: // half of an amount is one, and half of a percentage may be a fraction
		left, right := n.Args[0].unit(), n.Args[1].unit()
		switch {
		case left == moneyUnit && n.Args[1].plain():
			return moneyUnit
		case n.Name == operators.Multiply && right == moneyUnit && n.Args[0].plain():
			return moneyUnit
		}
		return ""
	}
	if len(n.Args) == 1 && n.Args[0].Shape.Number() && !n.CountsSince() {
		return n.Args[0].unit()
	}
	return ""
}

// plain reports whether nothing within n has a unit.
func (n *Node) plain() bool {
	plain := true
	n.WalkAll(func(part *Node) { plain = plain && part.unit() == "" })
	return plain
}

// together is the unit of two numbers that are added or compared. A constant has that of the other.
func together(left, right *Node) string {
	l, r := units(left, right)
	if l == r {
		return l
	}
	return ""
}

// units are the units of two sides. A constant has that of the other side.
func units(left, right *Node) (l, r string) {
	l, r = left.unit(), right.unit()
	if left.Constant() {
		l = r
	}
	if right.Constant() {
		r = l
	}
	return l, r
}

// measured is phrase of a value that counts in a unit, which stands behind a literal.
func (w wording) measured(n *Node, unit string) string {
	switch {
	case n.Kind == ArrayKind:
		return w.anyOf(n, unit)
	case n.Kind == LiteralKind && n.Shape.Number():
		return w.phrase(n) + unit
	}
	return w.phrase(n)
}
