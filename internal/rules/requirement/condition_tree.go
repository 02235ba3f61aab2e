package requirement

import (
	"slices"

	"cel.dev/cel-go/common/ast"

	"requisite/internal/rules/fact"
)

// The tree of a condition, which all later files read. Input: a node. Output: its
// parts, and whether its value is constant.

// kind tells the nodes of a condition's tree apart.
type kind uint8

const (
	literalKind  kind = iota
	factKind          // a fact, or person or persons
	listKind          // lists.NAME
	variableKind      // the variable of an enclosing loop
	fieldKind         // a person's field
	arrayKind         // [a, b]
	callKind          // an operator or a function
	loopKind          // exists, all, exists_one, filter or map
)

// node is one sub-expression of a condition, in the form in which it was
// written: a loop is one node, not its expansion. The language has no other
// expressions than those a node can hold; whatever else CEL could say is
// refused, so that no reference to a fact can hide.
type node struct {
	kind  kind
	shape fact.Shape

	// name is the fact, list, variable, field, operator, function or loop.
	name string
	// literal is a bool, Number, string or Date.
	literal any
	// args are a field's person, an array's elements, a call's operands, or a
	// loop's list, test and result; map may have no test, and only map has a
	// result.
	args []*node
	// variable is the name that a loop gives to the element at hand.
	variable string
	// row is that of a fact or a field, and nil of other nodes.
	row *fact.Row
	// slot is how many loops are around a loop. That of a variable is its loop's.
	slot int
	// items are the elements of an array of literals.
	items []datum
	// origin is the fact whose elements a list or a loop variable holds.
	origin string
	// whole marks a number, or a list of numbers, that has no fraction whatever
	// the facts are.
	whole bool

	id   int64
	expr ast.Expr // nil once the condition is resolved
	// line and column are its position in the condition, from 1; 0 when unknown.
	line, column int
}

func (n *node) list() *node   { return n.args[0] }
func (n *node) test() *node   { return n.args[1] }
func (n *node) result() *node { return n.args[2] }

// isComparison reports whether n compares two values.
func (n *node) isComparison() bool {
	return n.kind == callKind && n.binding() == bindComparison
}

// counts reports whether n is how many elements a list has.
func (n *node) counts() bool {
	return n.kind == callKind && n.name == "size" && len(n.args) == 1 && n.args[0].shape.List
}

// countsWithin reports whether n is, or holds, how many elements a list has.
func (n *node) countsWithin() bool {
	found := false
	n.walk(func(part *node) { found = found || part.counts() })
	return found
}

// constant reports whether n has the same value whatever the facts are.
func (n *node) constant() bool { return n.constantIn(nil) }

// constantIn is constant within loops over constant lists, whose variables are
// bound.
func (n *node) constantIn(bound []string) bool {
	switch n.kind {
	case factKind, fieldKind:
		return false
	case variableKind:
		return slices.Contains(bound, n.name)
	case loopKind:
		if !n.list().constantIn(bound) {
			return false
		}
		bound = append(slices.Clone(bound), n.variable)
	}
	for i, arg := range n.args {
		overList := n.kind == loopKind && i == 0
		if arg != nil && !overList && !arg.constantIn(bound) {
			return false
		}
	}
	return true
}

// walk visits n and everything below it.
func (n *node) walk(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, arg := range n.args {
		arg.walk(visit)
	}
}

// comparedFact is the fact or field whose values n has, as they are on record.
func (n *node) comparedFact() string {
	switch {
	case n.kind == factKind && !n.shape.List:
		return n.name
	case n.kind == callKind || n.shape.Base == fact.PersonBase:
		return ""
	}
	return n.origin
}
