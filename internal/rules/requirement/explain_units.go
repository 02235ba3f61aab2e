package requirement

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// This file adds units to the numbers in a reason.

// The text after a number with a unit.
const (
	percentUnit = "%"
	// moneyUnit stands for the currency until inCurrency writes it, because conditions are put into
	// words without the facts. No stored text contains a control character.
	moneyUnit = " \x1a"
)

// inCurrency writes the currency of the facts after amounts.
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

// Percentage reports whether n is a percentage, or is calculated from percentages and no amounts.
// loops are the loops around n, outermost first.
func (n *Node) Percentage(loops []*Node) bool {
	of := n.CalculatedFrom(loops)
	has := func(unit string) bool {
		return slices.ContainsFunc(of, func(row *fact.Row) bool { return unitOf(row) == unit })
	}
	return has(percentUnit) && !has(moneyUnit)
}

// CalculatedFrom returns the stored numbers from which a number, or those of a list, are
// calculated. loops are the loops around n, outermost first.
func (n *Node) CalculatedFrom(loops []*Node) (found []*fact.Row) {
	looked := map[*Node]bool{}
	var look func(n *Node, loops []*Node)
	look = func(n *Node, loops []*Node) {
		switch {
		case n == nil || n.Shape.Base != fact.NumberBase || n.Counts():
		case n.Kind == VariableKind && n.Slot < len(loops) && !looked[loops[n.Slot]]:
			looked[loops[n.Slot]] = true
			look(loops[n.Slot].List(), loops)
		case n.Kind == LoopKind && n.Name == operators.Filter:
			look(n.List(), loops)
		case n.Kind == LoopKind:
			look(n.Result(), append(slices.Clip(loops[:n.Slot]), n))
		case n.Row != fact.NoFact:
			found = append(found, n.Row)
		default:
			for _, arg := range n.Args {
				look(arg, loops)
			}
		}
	}
	look(n, loops)
	return found
}

// mixedUnits is for a number that is calculated from amounts or percentages and has neither unit.
const mixedUnits = "mixed"

// unit is the unit of a number, or of the numbers of a list. It is empty if there is none, or if n
// mixes several.
func (n *Node) unit() string {
	if unit := n.ofUnits(); unit != mixedUnits {
		return unit
	}
	return ""
}

// ofUnits is the unit. It is empty for a plain number, and mixedUnits if n mixes several.
func (n *Node) ofUnits() string {
	switch {
	case n.Shape.Base != fact.NumberBase:
	case n.Kind == FactKind || n.Kind == FieldKind:
		return unitOf(n.Row)
	case n.Kind == VariableKind:
		return unitOf(n.Origin)
	case n.Kind == LoopKind && n.Name == operators.Filter:
		return n.List().ofUnits()
	case n.Kind == LoopKind:
		return n.Result().ofUnits()
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
	case operators.Multiply, operators.Divide: // half of an amount is an amount, and half of a percentage may be a fraction
		left, right := n.Args[0].ofUnits(), n.Args[1].ofUnits()
		switch {
		case right == "" && left != percentUnit:
			return left
		case left == "" && right == moneyUnit && n.Name == operators.Multiply:
			return moneyUnit
		}
		return mixedUnits
	}
	if len(n.Args) == 1 && n.Args[0].Shape.Number() {
		return n.Args[0].ofUnits()
	}
	return ""
}

// together is the unit of two numbers that are added, or of which one is chosen. A constant has the
// unit of the other.
func together(left, right *Node) string {
	l, r := left.ofUnits(), right.ofUnits()
	switch {
	case l == r || right.Constant():
		return l
	case left.Constant():
		return r
	}
	return mixedUnits
}

// units returns the units of the two sides of a comparison. A constant has the unit of the other
// side.
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

// measured is phrase for a value with a unit, which follows a literal.
func (w wording) measured(n *Node, unit string) string {
	switch {
	case n.Kind == ArrayKind:
		return w.anyOf(n, unit)
	case n.Kind == LiteralKind && n.Shape.Number():
		return w.phrase(n) + unit
	}
	return w.phrase(n)
}
