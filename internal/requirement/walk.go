package requirement

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
)

// atom is one value on file that a result rests on: a fact, one element of a
// list fact, or a person's field. A person whose field is empty counts merely
// for being on record.
type atom struct {
	fact   string
	person string
	field  string
	value  any
}

// clause is one statement about the facts: a comparison, what it compared and
// how it came out. Its words are found only when it is read.
type clause struct {
	node     *node
	operands []datum
	truth    bool
	atoms    []atom
}

// datum is a value together with what it rests on: the values on file that it
// was made of, and the statements that chose it.
type datum struct {
	value     any // bool, Number, string or Date
	person    *PersonFacts
	items     []datum
	left      []datum // the tests of what a filter left out
	atoms     []atom
	clauses   []clause
	undecided bool
}

func (d datum) truth() bool { return d.value == true }

// step is the evaluation of one node for one set of values.
type step struct {
	node    *node
	datum   datum
	element string // within a loop, the element that this step is for
	steps   []*step
	skipped bool // not looked at, because the result was certain without it
}

// walker evaluates a condition's tree step by step, to show how its result came
// about. It reads the tree as CEL does, with two additions: it looks at every
// element of a list, so that all that match are named, and it keeps what each
// value rests on.
type walker struct {
	*bindings
	variables []variable // of the loops around, outermost first
	shown     bool       // the steps are kept
	// left is how much work the walker may still do. Once it is below zero no
	// result means anything.
	left int
}

// variable is that of a loop, with the element at hand.
type variable struct {
	name string
	datum
}

// walk evaluates a condition and keeps every step.
func walk(n *node, b *bindings) *step {
	w := &walker{bindings: b, shown: true, left: math.MaxInt}
	return w.step(n)
}

// walkWithin finds the result alone; false when that takes more than a number of
// steps. It returns how many it took.
func walkWithin(n *node, b *bindings, most int) (result datum, steps int, ok bool) {
	w := &walker{bindings: b, left: most}
	s := step{node: n}
	w.fill(&s)
	return s.datum, most - w.left, w.left >= 0
}

// tooMuch takes work from what is left, and reports whether nothing is.
func (w *walker) tooMuch(work int) bool {
	w.left -= work
	return w.left < 0
}

func (w *walker) step(n *node) *step {
	s := &step{node: n}
	w.fill(s)
	return s
}

// fill evaluates a step that has its node.
func (w *walker) fill(s *step) {
	n := s.node
	if w.tooMuch(1) {
		s.datum.undecided = true
		return
	}
	switch n.kind {
	case literalKind:
		s.datum.value = n.literal
	case factKind:
		s.datum = w.fact(n.name)
	case listKind:
		w.tooMuch(len(w.lists[n.name]))
		s.datum.items = textItems(w.lists[n.name], "")
	case variableKind:
		for _, v := range slices.Backward(w.variables) {
			if v.name == n.name {
				s.datum = v.datum
				break
			}
		}
	case fieldKind:
		s.datum = fieldDatum(n.name, w.below(s, n.args[0]))
	case arrayKind:
		for _, arg := range n.args {
			item := w.below(s, arg)
			s.datum.undecided = s.datum.undecided || item.undecided
			s.datum.items = append(s.datum.items, item)
		}
	case loopKind:
		w.loop(s)
	case callKind:
		w.call(s)
	}
}

// below evaluates a part of a step.
func (w *walker) below(s *step, n *node) datum {
	if !w.shown {
		part := step{node: n}
		w.fill(&part)
		return part.datum
	}
	part := w.step(n)
	s.steps = append(s.steps, part)
	return part.datum
}

// skip records a part that the result does not depend on.
func (w *walker) skip(s *step, n *node) {
	if !w.shown {
		return
	}
	s.steps = append(s.steps, &step{node: n, skipped: true})
}

func (w *walker) fact(name string) datum {
	switch name {
	case namePerson:
		return personDatum(w.person)
	case namePersons:
		var d datum
		for i := range w.persons {
			d.items = append(d.items, personDatum(&w.persons[i]))
		}
		return d
	}
	row := lookup(name)
	if texts := row.texts(w.facts); texts != nil {
		return datum{items: textItems(*texts, name)}
	}
	value := row.value(w.facts)
	return datum{value: value, atoms: []atom{{fact: name, value: value}}}
}

func personDatum(p *PersonFacts) datum {
	return datum{person: p, atoms: []atom{{person: p.PersonID}}}
}

func fieldDatum(name string, of datum) datum {
	if of.person == nil { // an element whose value is undecided
		return datum{undecided: true, clauses: of.clauses}
	}
	field, _ := findPersonField(name)
	value := field.valueOf(of.person)
	return datum{value: value, clauses: of.clauses, atoms: []atom{{person: of.person.PersonID, field: name, value: value}}}
}

// textItems are the elements of a list, resting on the fact that it comes from.
func textItems(texts []string, fact string) []datum {
	items := make([]datum, len(texts))
	var atoms []atom // of all, since most lists are short
	if fact != "" {
		atoms = make([]atom, len(texts))
	}
	for i, text := range texts {
		items[i].value = text
		if fact != "" {
			atoms[i] = atom{fact: fact, value: items[i].value}
			items[i].atoms = atoms[i : i+1 : i+1]
		}
	}
	return items
}

func (w *walker) loop(s *step) {
	n := s.node
	list := w.below(s, n.list())
	s.datum.undecided = list.undecided
	s.datum.left = list.left
	tests := make([]datum, 0, len(list.items))
	w.variables = append(w.variables, variable{name: n.variable})
	for _, item := range list.items {
		w.variables[len(w.variables)-1].datum = item
		test := datum{value: true}
		if n.test() != nil {
			test = w.element(s, n.test(), item)
		}
		if w.tooMuch(1 + len(item.clauses) + len(item.atoms) + len(test.clauses) + len(test.atoms)) {
			s.datum.undecided = true
			break
		}
		if len(item.clauses) > 0 {
			test.clauses = slices.Concat(item.clauses, test.clauses)
		} else {
			test.clauses = slices.Clip(test.clauses) // which others may hold too
		}
		if len(test.clauses) == 0 {
			test.atoms = slices.Concat(item.atoms, test.atoms)
		}
		tests = append(tests, test)
		switch {
		case n.name == operators.Filter && test.truth():
			item.clauses = test.clauses
			s.datum.items = append(s.datum.items, item)
		case n.name == operators.Map && test.truth():
			result := w.element(s, n.result(), item)
			s.datum.undecided = s.datum.undecided || result.undecided
			result.clauses = append(result.clauses, test.clauses...)
			s.datum.items = append(s.datum.items, result)
		case n.shape.list:
			s.datum.undecided = s.datum.undecided || test.undecided
			s.datum.left = append(s.datum.left, test)
		}
	}
	w.variables = w.variables[:len(w.variables)-1]
	switch n.name {
	case operators.Exists:
		s.datum = anyOf(tests, list)
	case operators.All:
		s.datum = allOf(tests, list)
	case operators.ExistsOne:
		s.datum = exactlyOne(tests, list)
	}
	if len(list.clauses) > 0 {
		s.datum.clauses = slices.Concat(list.clauses, s.datum.clauses)
	} else {
		s.datum.clauses = slices.Clip(s.datum.clauses)
	}
	if !s.datum.undecided && (n.name == operators.All && s.datum.truth() || n.name == operators.Exists && !s.datum.truth()) {
		s.datum.clauses = []clause{{node: n, truth: s.datum.truth(), atoms: s.datum.support()}}
	}
}

// element evaluates a part of a loop for one element of its list.
func (w *walker) element(s *step, n *node, item datum) datum {
	found := w.below(s, n)
	if w.shown {
		s.steps[len(s.steps)-1].element = s.node.variable + " = " + elementText(item)
	}
	return found
}

func elementText(item datum) string {
	if item.person != nil {
		return item.person.PersonID
	}
	return literalText(item.value)
}

// anyOf is true for the reasons of every test that is true, and false for the
// reasons of all.
func anyOf(tests []datum, list datum) datum {
	return decide(tests, true, list)
}

// allOf is false for the reasons of every test that is false, and true for the
// reasons of all.
func allOf(tests []datum, list datum) datum {
	return decide(tests, false, list)
}

// decide combines tests of which one alone decides when its value is decisive.
// When none does, what a filter left out of the list counts as well.
func decide(tests []datum, decisive bool, list datum) datum {
	var deciding, rest datum
	found, undecided := false, list.undecided
	for _, test := range tests {
		switch {
		case test.undecided:
			undecided = true
		case test.value == decisive:
			found = true
			deciding.because(test)
		default:
			rest.because(test)
		}
	}
	if found {
		deciding.value = decisive
		return deciding
	}
	for _, left := range list.left {
		rest.because(left)
	}
	rest.undecided = undecided
	if !undecided {
		rest.value = !decisive
	}
	return rest
}

func exactlyOne(tests []datum, list datum) datum {
	count := 0
	result := datum{undecided: list.undecided}
	for _, test := range tests {
		result.undecided = result.undecided || test.undecided
		if test.truth() {
			count++
		}
		result.because(test)
	}
	for _, left := range list.left {
		result.because(left)
	}
	if !result.undecided {
		result.value = count == 1
	}
	return result
}

// because makes d rest on what another result rests on.
func (d *datum) because(other datum) {
	d.clauses = append(d.clauses, other.clauses...)
	d.atoms = append(d.atoms, other.atoms...)
}

// support is all that a value, or a list with its elements, rests on.
func (d datum) support() []atom {
	atoms := slices.Clone(d.atoms)
	for _, c := range d.clauses {
		atoms = append(atoms, c.atoms...)
	}
	for _, item := range d.items {
		atoms = append(atoms, item.support()...)
	}
	for _, left := range d.left {
		atoms = append(atoms, left.support()...)
	}
	return atoms
}

// weight is how much a result of one operation carries. The statement that it
// made, if any, is the first or the last of its clauses.
func (d datum) weight() int {
	weight := len(d.clauses) + len(d.atoms) + len(d.items)
	if last := len(d.clauses) - 1; last >= 0 {
		weight += max(len(d.clauses[0].atoms), len(d.clauses[last].atoms))
	}
	return weight
}

func (w *walker) call(s *step) {
	n := s.node
	switch n.name {
	case operators.LogicalAnd:
		w.junction(s, false)
	case operators.LogicalOr:
		w.junction(s, true)
	case operators.LogicalNot:
		d := w.below(s, n.args[0])
		s.datum = d
		if !d.undecided {
			s.datum.value = !d.truth()
		}
	case operators.Conditional:
		w.conditional(s)
	case operators.In:
		if n.args[1].kind == listKind {
			w.inList(s)
			return
		}
		fallthrough
	default:
		operands := make([]datum, len(n.args))
		for i, arg := range n.args {
			operands[i] = w.below(s, arg)
			s.datum.undecided = s.datum.undecided || operands[i].undecided
		}
		if !s.datum.undecided {
			s.datum = apply(n, operands)
			w.tooMuch(s.datum.weight())
		}
	}
}

// inList is in for a named list, which is not taken apart for it.
func (w *walker) inList(s *step) {
	value, entries := w.below(s, s.node.args[0]), w.lists[s.node.args[1].name]
	w.tooMuch(len(entries) / listEntriesAStep)
	if value.undecided {
		s.datum.undecided = true
		return
	}
	text, _ := value.value.(string)
	found := slices.Contains(entries, text)
	var matching datum
	if found {
		matching.items = []datum{{value: text}}
	}
	s.datum = statement(s.node, []datum{value, matching}, found)
	w.tooMuch(s.datum.weight())
}

// junction is && or ||: the second side is not looked at when the first decides.
func (w *walker) junction(s *step, decisive bool) {
	first := w.below(s, s.node.args[0])
	if !first.undecided && first.value == decisive {
		w.skip(s, s.node.args[1])
		s.datum = first
		return
	}
	s.datum = decide([]datum{first, w.below(s, s.node.args[1])}, decisive, datum{})
}

func (w *walker) conditional(s *step) {
	test := w.below(s, s.node.args[0])
	chosen, other := s.node.args[1], s.node.args[2]
	if !test.truth() {
		chosen, other = other, chosen
	}
	if test.undecided {
		s.datum.undecided = true
		w.skip(s, s.node.args[1])
		w.skip(s, s.node.args[2])
		return
	}
	s.datum = w.below(s, chosen)
	s.datum.clauses = slices.Concat(test.clauses, s.datum.clauses)
	w.skip(s, other)
}

// apply evaluates an operator or function whose operands all have values.
func apply(n *node, operands []datum) datum {
	switch {
	case n.name == operators.In:
		return member(n, operands[0], operands[1])
	case n.shape == boolShape:
		return statement(n, operands, compare(n.name, operands[0].value, operands[1].value))
	}
	var d datum
	for _, operand := range operands {
		d.because(operand)
		for _, left := range operand.left {
			d.atoms = append(d.atoms, left.support()...)
		}
	}
	switch n.name {
	case operators.Negate:
		d.value = operands[0].value.(Number).Neg()
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		result, err := calculations[n.name](operands[0].value.(Number), operands[1].value.(Number))
		if d.undecided = err != nil; !d.undecided {
			d.value = result
		}
	case "size":
		if n.args[0].shape.list {
			d = countOf(operands[0])
		} else {
			d.value = rational.Int(int64(utf8.RuneCountInString(operands[0].value.(string))))
		}
	}
	return d
}

// countOf is the size of a list: it rests on its elements, each with what put it
// into the list, and on what was left out.
func countOf(list datum) datum {
	d := datum{value: rational.Int(int64(len(list.items))), left: list.left, clauses: slices.Clone(list.clauses), atoms: slices.Clone(list.atoms)}
	for _, item := range list.items {
		d.because(item)
	}
	return d
}

// member is in: true for the elements that are equal, false for all of them.
func member(n *node, value, list datum) datum {
	matching := datum{}
	for _, item := range list.items {
		if equal(value.value, item.value) {
			matching.items = append(matching.items, item)
		}
	}
	if len(matching.items) > 0 {
		return statement(n, []datum{value, matching}, true)
	}
	return statement(n, []datum{value, list}, false)
}

// equal reports whether two values of one kind are equal.
func equal(a, b any) bool {
	if n, ok := a.(Number); ok {
		m, ok := b.(Number)
		return ok && n.Equal(m)
	}
	return a == b
}

// compare reports whether a comparison of two values of one kind holds.
func compare(operator string, a, b any) bool {
	switch operator {
	case operators.Equals:
		return equal(a, b)
	case operators.NotEquals:
		return !equal(a, b)
	case "contains":
		return strings.Contains(a.(string), b.(string))
	case "startsWith":
		return strings.HasPrefix(a.(string), b.(string))
	case "endsWith":
		return strings.HasSuffix(a.(string), b.(string))
	}
	order := orderOf(a, b)
	switch operator {
	case operators.Less:
		return order < 0
	case operators.LessEquals:
		return order <= 0
	case operators.Greater:
		return order > 0
	}
	return order >= 0
}

func orderOf(a, b any) int {
	switch a := a.(type) {
	case Number:
		return a.Cmp(b.(Number))
	case string:
		return cmp.Compare(a, b.(string))
	}
	return a.(Date).UTC().Compare(b.(Date).UTC())
}
