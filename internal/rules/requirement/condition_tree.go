package requirement

import (
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// This file has the tree of a condition. All later files of the package use it.

// Kind is the kind of a node in a condition's tree.
type Kind uint8

// The kinds of nodes.
const (
	LiteralKind    Kind = iota
	FactKind            // a fact that does not belong to a person, or person or persons
	ListKind            // lists.NAME
	VariableKind        // the variable of an enclosing loop
	FieldKind           // a person's field
	ArrayKind           // [a, b]
	CallKind            // an operator or a function
	DefinitionKind      // definitions.NAME, or p.definitions.NAME
	LoopKind            // exists, all, exists_one, filter, map or sum
)

// Node is one sub-expression of a condition, as it was written: a loop is one node, and not its
// expansion. A node can express the whole language. All other expressions of CEL are refused, so
// that no reference to a fact can be hidden.
type Node struct {
	Kind  Kind
	Shape fact.Shape

	// Name is the name of the fact, list, definition, variable, field, operator, function or loop.
	Name string
	// Literal is a bool, Number, string or Date.
	Literal any
	// Args has a field's person, an array's elements, a call's operands, or a loop's list, test and
	// result. Only map and sum have a result. map may have no test, and sum has none. A definition
	// has the person for whom it is used, if that is written.
	Args []*Node
	// Body is the condition of a definition. Its positions and ids refer to its own text.
	Body *Node
	// Once is the definition that has one value for a workflow, because it reads no person. It is
	// nil for another definition, and where each use evaluates it.
	Once *CompiledDefinition
	// Variable is the name of a loop for its current element.
	Variable string
	// Row is the row of a fact or a field. For other nodes it is fact.NoFact.
	Row *fact.Row
	// Slot is the number of loops around a loop. A variable has the slot of its loop.
	Slot int
	// items are the elements of an array of literals.
	items []datum
	// Origin is the fact from which the elements of a list or a loop variable come: fact.Persons
	// for persons, and fact.NoFact if there is none.
	Origin *fact.Row
	// whole marks a number, or a list of numbers, without fractions for any facts.
	whole bool

	id int64
	// Line and Column are its position in the condition, from 1. They are 0 if unknown.
	Line, Column int
}

func newNode(id int64) *Node { return &Node{id: id, Row: fact.NoFact, Origin: fact.NoFact} }

// List, Test and Result are the parts of a loop: see Args.
func (n *Node) List() *Node   { return n.Args[0] }
func (n *Node) Test() *Node   { return n.Args[1] }
func (n *Node) Result() *Node { return n.Args[2] }

// IsComparison reports whether n compares two values.
func (n *Node) IsComparison() bool {
	return n.Kind == CallKind && n.binding() == bindComparison
}

// Counts reports whether n is the number of elements of a list.
func (n *Node) Counts() bool {
	return n.Kind == CallKind && n.Name == "size" && len(n.Args) == 1 && n.Args[0].Shape.List
}

// sums reports whether n adds up a number for each element of a list.
func (n *Node) sums() bool { return n.Kind == LoopKind && n.Name == sumName }

// countsWithin reports whether n is or contains the number of elements of a list, or a sum over
// one.
func (n *Node) countsWithin() bool {
	found := false
	n.Walk(func(part *Node) { found = found || part.Counts() || part.sums() })
	return found
}

// Constant reports whether n has the same value for all facts.
func (n *Node) Constant() bool { return n.constantIn(nil) }

// constantIn is Constant within loops over constant lists, whose variables are bound.
func (n *Node) constantIn(bound []string) bool {
	switch n.Kind {
	case FactKind, FieldKind:
		return false
	case CallKind:
		if n.CountsSince() {
			return false // the day of the calculation is not one of its operands
		}
	case DefinitionKind:
		return n.Body.constantIn(nil)
	case VariableKind:
		return slices.Contains(bound, n.Name)
	case LoopKind:
		if !n.List().constantIn(bound) {
			return false
		}
		bound = append(slices.Clone(bound), n.Variable)
	}
	for i, arg := range n.Args {
		overList := n.Kind == LoopKind && i == 0
		if arg != nil && !overList && !arg.constantIn(bound) {
			return false
		}
	}
	return true
}

// needs returns the facts to which the tree refers, whether evaluated or not.
func (n *Node) needs() fact.Needs {
	found := fact.Needs{Facts: map[*fact.Row]bool{}, Fields: map[*fact.Row]bool{}}
	n.WalkAll(func(part *Node) {
		switch part.Kind {
		case FactKind:
			if part.Row != fact.NoFact {
				found.Facts[part.Row] = true
			}
			found.People = found.People || part.Name == fact.NamePersons
		case FieldKind:
			found.Fields[part.Row] = true
		case CallKind:
			found.Counts = found.Counts || part.CountsSince()
		case LoopKind:
			found.Looped = found.Looped || part.List().Shape == fact.ListOf(fact.PersonShape)
		}
	})
	return found
}

// readsPerson reports whether the tree is about the person of a Person rule.
func (n *Node) readsPerson() (reads bool) {
	n.WalkAll(func(part *Node) { reads = reads || part.isPerson() })
	return reads
}

// isPerson reports whether n is the person of a Person rule.
func (n *Node) isPerson() bool { return n.Kind == FactKind && n.Name == fact.NamePerson }

// once returns the definitions of the tree that are evaluated once, also those that they use
// themselves, each once.
func (n *Node) once() (found []*CompiledDefinition) {
	n.WalkAll(func(part *Node) {
		if part.Once != nil && !slices.Contains(found, part.Once) {
			found = append(found, part.Once)
		}
	})
	return found
}

// numbers counts the literal numbers of the tree.
func (n *Node) numbers() (count int) {
	n.Walk(func(part *Node) {
		if _, is := part.Literal.(fact.Number); is {
			count++
		}
	})
	return count
}

// Constants returns the literals and the named lists from which the values of n come, each once.
// loops are the loops around n, outermost first.
func (n *Node) Constants(loops []*Node) (found []*Node) {
	looked := map[*Node]bool{} // the lists of loops: nested loops may name each twice
	var look func(n *Node)
	look = func(n *Node) {
		switch {
		case n.Kind == LiteralKind || n.Kind == ListKind:
			found = append(found, n)
		case n.Kind == ArrayKind:
			for _, arg := range n.Args {
				look(arg)
			}
		case n.Kind == CallKind && n.Name == operators.Conditional:
			look(n.Args[1])
			look(n.Args[2])
		case n.Kind == VariableKind && n.Slot < len(loops) && !looked[loops[n.Slot]]:
			looked[loops[n.Slot]] = true
			look(loops[n.Slot].List())
		}
	}
	look(n)
	return found
}

// Walk visits n and everything below it in the same text.
func (n *Node) Walk(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, arg := range n.Args {
		arg.Walk(visit)
	}
}

// WalkAll visits n and everything below it, including the conditions of definitions.
func (n *Node) WalkAll(visit func(*Node)) {
	n.Walk(func(part *Node) {
		visit(part)
		part.Body.WalkAll(visit)
	})
}

// ComparedFact is the fact or field whose stored values n has unchanged.
func (n *Node) ComparedFact() *fact.Row {
	switch {
	case n.Kind == FactKind && !n.Shape.List:
		return n.Row
	case n.Kind == CallKind || n.Shape.Base == fact.PersonBase:
		return fact.NoFact
	}
	return n.Origin
}
