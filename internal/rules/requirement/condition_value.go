package requirement

import (
	"errors"
	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"slices"
)

// This file has the values of nodes, and what they depend on.

// datum is the result of a node.
type datum struct {
	value  any      // bool, Number, string, Date or *personValues; nil for a list
	items  []datum  // of a list
	sorted []string // the same items, if they are sorted texts
	failed *failure // nil if there is a value
	why    *why     // nil if nothing is explained
}

func (d datum) truth() bool {
	truth, _ := d.value.(bool)
	return truth
}

func (d datum) rests() why {
	if d.why == nil {
		return why{}
	}
	return *d.why
}

// why is what a value depends on: the stored values that it was calculated from, and the statements
// that selected it.
type why struct {
	atoms   []atom
	clauses []clause
	left    []datum // the tests of elements that a filter left out
}

// because makes w depend on what another result depends on.
func (w *why) because(other datum) {
	if other.why != nil {
		w.clauses = append(w.clauses, other.why.clauses...)
		w.atoms = append(w.atoms, other.why.atoms...)
	}
}

// add makes w depend on one of the numbers of a sum, and state the number.
func (w *why) add(n *Node, number datum) {
	w.because(number)
	if atoms := number.rests().atoms; len(atoms) > 0 && !n.Constant() {
		w.clauses = append(w.clauses, clause{node: n, operands: []datum{number}, truth: true, atoms: atoms})
	}
}

// support returns all that a value, or a list with its elements, depends on.
func (d datum) support() []atom {
	atoms := slices.Clone(d.rests().atoms)
	for _, c := range d.rests().clauses {
		atoms = append(atoms, c.atoms...)
	}
	for _, item := range d.items {
		atoms = append(atoms, item.support()...)
	}
	for _, left := range d.rests().left {
		atoms = append(atoms, left.support()...)
	}
	return atoms
}

// atom is one stored value that a result depends on: a fact, one element of a list fact, or a
// person's field.
type atom struct {
	row    *fact.Row // nil for a person who only counts because they are stored
	person string    // of a person's fact
	value  any       // nil for an empty list
}

// clause is one statement about the facts: a comparison with its operands and its result, a number
// with its single operand, or a fact that is true or false. It is put into words only when it is
// read.
type clause struct {
	node     *Node
	operands []datum
	truth    bool
	atoms    []atom
	within   []clause // of a definition
}

// failure is an operation without a result.
type failure struct {
	node *Node
	err  error
}

func (f *failure) text() string { return f.node.Text() + " " + noAnswer(f.err) }

// TextList is a list of texts in the form that conditions read, in order.
type TextList struct {
	sorted  []string
	items   []datum // created when they are first read
	longest int     // the most bytes of an entry
	// row and person say to what the list belongs. row is nil for a list of the rule set.
	row    *fact.Row
	person string
}

// read returns the list with its elements. They depend on the fact that they come from.
func (l *TextList) read(explains bool) datum {
	if l.items == nil {
		l.items = textItems(l.sorted, l.row, l.person)
	}
	d := datum{items: l.items, sorted: l.sorted}
	if explains && len(l.items) == 0 && l.row != nil {
		d.why = &why{atoms: []atom{{row: l.row, person: l.person}}}
	}
	return d
}

// personValues is a person in the form that conditions read.
type personValues struct {
	*fact.PersonFacts
	fields []any // as Bindings.values
}

// errAbsent reports that a condition was evaluated without a fact that it needs.
var errAbsent = errors.New("is not on file")

// errNoDay reports that the facts do not have the day of the calculation.
var errNoDay = errors.New("has no day to count to")

// noAnswer says why an operation has no result.
func noAnswer(err error) string {
	switch {
	case errors.Is(err, rational.ErrDivisionByZero):
		return "divides by zero"
	case errors.Is(err, rational.ErrTooLarge):
		return "becomes " + rational.ErrTooLarge.Error()
	case errors.Is(err, rational.ErrNotWhole):
		return "needs whole numbers on both sides"
	}
	return err.Error()
}
