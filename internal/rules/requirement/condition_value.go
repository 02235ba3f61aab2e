package requirement

import (
	"errors"
	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"slices"
)

// The values of nodes, and what they rest on.

// datum is what a node gives.
type datum struct {
	value  any      // bool, Number, string, Date or *personValues; nil for a list
	items  []datum  // of a list
	sorted []string // the same items, when they are texts in order
	failed *failure // nil when there is a value
	why    *why     // nil when nothing is explained
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

// why is what a value rests on: the values on file that it was made of, and the
// statements that chose it.
type why struct {
	atoms   []atom
	clauses []clause
	left    []datum // the tests of what a filter left out
}

// because makes w rest on what another result rests on.
func (w *why) because(other datum) {
	if other.why != nil {
		w.clauses = append(w.clauses, other.why.clauses...)
		w.atoms = append(w.atoms, other.why.atoms...)
	}
}

// add makes w rest on one of the numbers of a sum, and say how much it is.
func (w *why) add(n *Node, number datum) {
	w.because(number)
	if atoms := number.rests().atoms; len(atoms) > 0 && !n.Constant() {
		w.clauses = append(w.clauses, clause{node: n, operands: []datum{number}, truth: true, atoms: atoms})
	}
}

// support is all that a value, or a list with its elements, rests on.
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

// atom is one value on file that a result rests on: a fact, one element of a
// list fact, or a person's field.
type atom struct {
	row    *fact.Row // nil for a person who counts merely for being on record
	person string    // of a person's fact
	value  any       // nil of a list that is empty
}

// clause is one statement about the facts: a comparison, what it compared and
// how it came out, a number with its one operand, or a fact that is true or false. Its words are
// found only when it is read.
type clause struct {
	node     *Node
	operands []datum
	truth    bool
	atoms    []atom
	within   []clause // of a definition
	person   string   // of a person's fact that is true or false
}

// failure is an operation that has no answer.
type failure struct {
	node *Node
	err  error
}

func (f *failure) text() string { return f.node.Text() + " " + noAnswer(f.err) }

// TextList is a list of texts as conditions read it, in order.
type TextList struct {
	sorted  []string
	items   []datum // made when they are first read
	longest int     // bytes of an entry
	// row and person say whose the list is; row is nil of a list of the rule set.
	row    *fact.Row
	person string
}

// read is the list with its elements, which rest on the fact that they come from.
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

// personValues is a person as conditions read it.
type personValues struct {
	*fact.PersonFacts
	fields []any // as Bindings.values
}

// errAbsent: a condition was evaluated without a fact that it needs.
var errAbsent = errors.New("is not on file")

// errNoDay: the facts do not say on which day the calculation is.
var errNoDay = errors.New("has no day to count to")

// noAnswer says why an operation has no answer.
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
