package requirement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
)

// This file has the only evaluator of conditions. It walks the tree of a condition, and returns the
// result and, when it explains, what the result depends on or each of its steps.

// stopped is the failure of every node after the walker has stopped.
var stopped = &failure{node: &Node{Name: "the condition", Kind: FactKind}, err: ErrCostLimit}

// step is the evaluation of one node for one set of values.
type step struct {
	node    *Node
	datum   datum
	element string // within a loop, the element of this step
	steps   []*step
	// defaultBecause says why the fact of the node counts as its default. It is empty if the fact
	// does not.
	defaultBecause string
	skipped        bool // not evaluated, because the result was certain without it
	omitted        int  // steps below this one that were not kept
}

// walker evaluates a tree as CEL would. When it explains, it keeps what each value depends on. When
// it explains or keeps steps, it visits every element of a list, so that all matching elements are
// named.
type walker struct {
	*Bindings
	ctx       context.Context // nil if nothing ends the evaluation
	explains  bool
	kept      int     // steps that it may still keep
	variables []datum // the current elements of the loops around, by slot
	most      int     // steps that it may take
	left      int     // steps that it may still take; if negative, no result is valid
	nextCheck int     // it checks the context when fewer than these are left
	ended     error   // the cause for which the context has ended
}

// interruptEvery is how many steps a walker takes between two checks of its context.
const interruptEvery = 5_000

// walk evaluates a condition and keeps at most kept of its steps.
func walk(n *Node, b *Bindings, kept int) *step {
	w := &walker{Bindings: b, left: math.MaxInt, kept: kept - 1}
	s := &step{node: n}
	s.datum = w.eval(n, s)
	return s
}

// walkWithin explains a condition without keeping steps, and returns how many steps it took. It
// returns false if it takes more than most steps.
func walkWithin(n *Node, b *Bindings, most int) (result datum, steps int, ok bool) {
	w := &walker{Bindings: b, explains: true, left: most}
	result = w.eval(n, nil)
	return result, most - w.left, w.left >= 0
}

// spend takes steps from those that are left. False means that the evaluation ends.
func (w *walker) spend(steps int) bool {
	w.left -= steps
	return w.left >= w.nextCheck || w.goesOn()
}

func (w *walker) goesOn() bool {
	if w.left < 0 || w.ended != nil {
		return false
	}
	if w.ctx != nil {
		if w.ended = w.giveWay(w.ctx, w.most-w.left); w.ended != nil {
			w.nextCheck = math.MaxInt
			return false
		}
	}
	w.nextCheck = max(0, w.left-interruptEvery)
	return true
}

// spendSize takes the cost of an operation for the size of its operands.
func (w *walker) spendSize(steps int) bool {
	if w.explains {
		steps /= explainingCost
	}
	return w.spend(steps)
}

// eval evaluates a node. s keeps the steps below it; nil keeps none.
func (w *walker) eval(n *Node, s *step) datum {
	if !w.spend(1) {
		return datum{failed: stopped}
	}
	switch n.Kind {
	case LiteralKind:
		return datum{value: n.Literal}
	case FactKind:
		return w.fact(n, s)
	case ListKind:
		return w.lists[n.Name].read(false)
	case VariableKind:
		return w.variables[n.Slot]
	case FieldKind:
		return w.field(n, s, w.below(s, n.Args[0]))
	case ArrayKind:
		return w.array(n, s)
	case LoopKind:
		return w.loop(n, s)
	case DefinitionKind:
		return w.definition(n, s)
	}
	switch n.Name {
	case operators.LogicalAnd:
		return w.junction(n, s, false)
	case operators.LogicalOr:
		return w.junction(n, s, true)
	case operators.LogicalNot:
		d := w.below(s, n.Args[0])
		if d.failed == nil {
			d.value = !d.truth()
		}
		return d
	case operators.Conditional:
		return w.conditional(n, s)
	}
	return w.operation(n, s)
}

// below evaluates a part of a step.
func (w *walker) below(s *step, n *Node) datum {
	if s == nil {
		return w.eval(n, nil)
	}
	return w.belowKept(s, n, "")
}

// belowKept keeps the step of the part, with its element.
func (w *walker) belowKept(s *step, n *Node, element string) datum {
	part := w.keep(s, n)
	found := w.eval(n, part)
	if part != nil {
		part.datum, part.element = found, element
	}
	return found
}

// keep begins the step of a part. It returns nil if the step is not kept. Literals, lists and loop
// variables are left out, because they tell a reader nothing.
func (w *walker) keep(s *step, n *Node) *step {
	if n.Kind == LiteralKind || n.Kind == ListKind || n.Kind == VariableKind {
		return nil
	}
	if w.kept <= 0 {
		s.omitted++
		return nil
	}
	w.kept--
	part := &step{node: n}
	s.steps = append(s.steps, part)
	return part
}

// skip records a part on which the result does not depend.
func (w *walker) skip(s *step, n *Node) {
	if s == nil {
		return
	}
	if part := w.keep(s, n); part != nil {
		part.skipped = true
	}
}

func (w *walker) fact(n *Node, s *step) datum {
	switch n.Name {
	case fact.NamePerson:
		return *w.person
	case fact.NamePersons:
		return datum{items: w.people}
	}
	if s != nil {
		s.defaultBecause = n.Row.DefaultBecause(w.facts.Custom)
	}
	return w.recorded(n, w.values[n.Row.Position], "", nil)
}

// recorded returns the stored value of a fact, of a person or not.
func (w *walker) recorded(n *Node, value any, person string, clauses []clause) datum {
	if value == nil {
		return notOnFile(n)
	}
	if list, ok := value.(*TextList); ok {
		return list.read(w.explains)
	}
	if !w.explains {
		return datum{value: value}
	}
	because := &why{clauses: clauses, atoms: []atom{{n.Row, person, value}}}
	if truth, ok := value.(bool); ok {
		because.clauses = append(slices.Clip(clauses), clause{node: n, truth: truth, atoms: because.atoms})
	}
	return datum{value: value, why: because}
}

// notOnFile is the result for an absent fact. Gaps are found before, so that no evaluation reaches
// it.
func notOnFile(n *Node) datum { return datum{failed: &failure{n, errAbsent}} }

func (w *walker) field(n *Node, s *step, of datum) datum {
	if of.failed != nil {
		return datum{failed: of.failed}
	}
	person := of.value.(*personValues)
	if s != nil {
		s.defaultBecause = n.Row.DefaultBecause(person.Custom)
	}
	return w.recorded(n, person.fields[n.Row.Position], person.PersonID, of.rests().clauses)
}

func (w *walker) array(n *Node, s *step) datum {
	if n.items != nil && !w.explains {
		return datum{items: n.items}
	}
	if !w.explains {
		w.spend(madeSteps * len(n.Args))
	}
	d := datum{items: make([]datum, len(n.Args))}
	for i, arg := range n.Args {
		d.items[i] = w.below(s, arg)
		d.failed = cmp.Or(d.failed, d.items[i].failed)
	}
	return d
}

func (w *walker) loop(n *Node, s *step) datum {
	list := w.below(s, n.List())
	if list.failed != nil {
		return datum{failed: list.failed}
	}
	for len(w.variables) <= n.Slot {
		w.variables = append(w.variables, datum{})
	}
	if n.sums() {
		return w.sum(n, s, list)
	}
	tests := tally{decisive: n.Name == operators.Exists, whole: n.Name == operators.ExistsOne}
	made := list.rests()
	made.left = slices.Clip(made.left)
	var result datum
	for _, item := range list.items {
		w.variables[n.Slot] = item
		test := datum{value: true}
		if n.Test() != nil {
			test = w.element(s, n, n.Test(), item)
		}
		if !w.spend(1) || w.explains && !w.joinTest(&test, item) {
			result.failed = stopped
			break
		}
		if !n.Shape.List {
			if tests.add(test) && !w.explains && s == nil {
				break
			}
			continue
		}
		if !w.explains {
			w.spend(madeSteps)
		}
		switch {
		case test.failed != nil:
			result.failed = test.failed
		case !test.truth():
			if w.explains {
				made.left = append(made.left, test)
			}
		case n.Name == operators.Filter:
			if w.explains {
				item.why = &why{atoms: item.rests().atoms, left: item.rests().left, clauses: test.why.clauses}
			}
			result.items = append(result.items, item)
		default:
			of := w.element(s, n, n.Result(), item)
			result.failed = cmp.Or(result.failed, of.failed)
			if w.explains {
				because := of.rests()
				because.clauses = slices.Concat(because.clauses, test.why.clauses)
				of.why = &because
			}
			result.items = append(result.items, of)
		}
	}
	switch {
	case result.failed != nil: // includes the case that the limit is reached
	case !n.Shape.List:
		result = tests.result(made.left)
	}
	if w.explains && result.failed == nil {
		because := result.rests()
		if n.Shape.List {
			because = why{left: made.left}
		}
		if len(list.items) == 0 { // the clause says that the list is empty
			because.atoms = slices.Concat(made.atoms, because.atoms)
		}
		because.clauses = slices.Concat(made.clauses, because.clauses)
		result.why = &because
		if n.Name == operators.All && result.truth() || n.Name == operators.Exists && !result.truth() {
			because.clauses = []clause{{node: n, truth: result.truth(), atoms: result.support()}}
		}
	}
	return result
}

// sum adds up a number for each element. It depends on each of them, and on those that were left
// out.
func (w *walker) sum(n *Node, s *step, list datum) datum {
	total := rational.Int(0)
	because := why{clauses: list.rests().clauses, left: list.rests().left}
	for _, item := range list.items {
		w.variables[n.Slot] = item
		of := w.element(s, n, n.Result(), item)
		if of.failed != nil {
			return datum{failed: of.failed}
		}
		number := of.value.(fact.Number)
		if !w.spend(1) || !w.spendSize(sizeSteps(operators.Add, total, number)) {
			return datum{failed: stopped}
		}
		sum, err := total.Add(number)
		if err != nil {
			return datum{failed: &failure{n, err}}
		}
		if total = sum; w.explains {
			because.add(n.Result(), of)
			if !w.spend(1 + of.weight()) {
				return datum{failed: stopped}
			}
		}
	}
	if !w.explains {
		return datum{value: total}
	}
	return datum{value: total, why: &because}
}

// joinTest makes the test of an element also depend on what the element depends on.
func (w *walker) joinTest(test *datum, item datum) bool {
	of, because := item.rests(), test.rests()
	if !w.spend(len(of.clauses) + len(of.atoms) + len(because.clauses) + len(because.atoms)) {
		return false
	}
	if len(because.clauses) == 0 && len(of.clauses) == 0 {
		because.atoms = slices.Concat(of.atoms, because.atoms)
	}
	if len(of.clauses) > 0 {
		because.clauses = slices.Concat(of.clauses, because.clauses)
	}
	test.why = &because
	return true
}

// element evaluates a part of a loop for one element of its list.
func (w *walker) element(s *step, loop, part *Node, item datum) datum {
	if s == nil {
		return w.eval(part, nil)
	}
	return w.belowKept(s, part, loop.Variable+" = "+elementText(item))
}

func elementText(item datum) string {
	if person, ok := item.value.(*personValues); ok {
		return person.PersonID
	}
	return LiteralText(item.value)
}

// tally combines tests. A single test with the decisive value decides, and gives the reason. If
// none decides, the result depends on all of them.
type tally struct {
	decisive       bool
	whole          bool // exactly one must be true, so that every test counts
	trues          int
	found          bool
	failed         *failure
	deciding, rest why
}

// add adds a test, and reports whether it decides.
func (t *tally) add(test datum) bool {
	switch {
	case test.failed != nil:
		if t.failed == nil || t.whole {
			t.failed = test.failed
		}
		return false
	case test.truth():
		t.trues++
	}
	if !t.whole && test.truth() == t.decisive {
		t.found = true
		t.deciding.because(test)
		return true
	}
	t.rest.because(test)
	return false
}

// result depends on the elements that a filter left out only if no test decides.
func (t *tally) result(left []datum) datum {
	if t.found {
		return datum{value: t.decisive, why: &t.deciding}
	}
	if t.failed != nil {
		return datum{failed: t.failed}
	}
	for _, test := range left {
		t.rest.because(test)
	}
	if t.whole {
		return datum{value: t.trues == 1, why: &t.rest}
	}
	return datum{value: !t.decisive, why: &t.rest}
}

// weight is the size of the explanation in the result of one operation. The operation's own
// statement, if any, is the first or the last of its clauses.
func (d datum) weight() int {
	because := d.rests()
	weight := len(because.clauses) + len(because.atoms) + len(d.items)
	if last := len(because.clauses) - 1; last >= 0 {
		weight += max(len(because.clauses[0].atoms), len(because.clauses[last].atoms))
	}
	return weight
}

// junction evaluates && or ||. If the first operand decides, the second is not evaluated.
func (w *walker) junction(n *Node, s *step, decisive bool) datum {
	first := w.below(s, n.Args[0])
	if first.failed == nil && first.truth() == decisive {
		w.skip(s, n.Args[1])
		return first
	}
	second := w.below(s, n.Args[1])
	if !w.explains {
		if second.failed == nil && second.truth() == decisive || first.failed == nil {
			return second
		}
		return first
	}
	sides := tally{decisive: decisive}
	sides.add(first)
	sides.add(second)
	return sides.result(nil)
}

func (w *walker) conditional(n *Node, s *step) datum {
	test := w.below(s, n.Args[0])
	chosen, other := n.Args[1], n.Args[2]
	if test.failed != nil {
		w.skip(s, chosen)
		w.skip(s, other)
		return datum{failed: test.failed}
	}
	if !test.truth() {
		chosen, other = other, chosen
	}
	d := w.below(s, chosen)
	if w.explains {
		because := d.rests()
		because.clauses = slices.Concat(test.rests().clauses, because.clauses)
		d.why = &because
	}
	w.skip(s, other)
	return d
}

// answer takes the cost of carrying an explained result.
func (w *walker) answer(d datum) datum {
	if w.explains && d.failed == nil {
		w.spend(d.weight())
	}
	return d
}

// operation evaluates an operator or a function that uses all its operands.
func (w *walker) operation(n *Node, s *step) datum {
	left := w.below(s, n.Args[0])
	var right datum
	if len(n.Args) == 2 {
		right = w.below(s, n.Args[1])
	}
	if failed := cmp.Or(left.failed, right.failed); failed != nil {
		return datum{failed: failed}
	}
	if n.Name == operators.In {
		return w.answer(w.member(n, left, right))
	}
	if !w.spendSize(sizeSteps(n.Name, left.value, right.value)) {
		return datum{failed: stopped}
	}
	if n.Shape == fact.BoolShape {
		truth := Compare(n.Name, left.value, right.value)
		if !w.explains {
			return datum{value: truth}
		}
		return w.answer(statement(n, left, right, truth))
	}
	var d datum
	switch n.Name {
	case operators.Negate:
		d.value = left.value.(fact.Number).Neg()
	case daysSince, monthsSince, yearsSince:
		if w.facts.AsOf.IsZero() {
			return datum{failed: &failure{n, errNoDay}}
		}
		d.value = rational.Int(dateFunctions[n.Name].count(left.value.(fact.Date), w.facts.AsOf))
	case daysBetween, monthsBetween, yearsBetween:
		d.value = rational.Int(dateFunctions[n.Name].count(left.value.(fact.Date), right.value.(fact.Date)))
	case "size":
		if n.Args[0].Shape.List {
			d.value = rational.Int(int64(len(left.items)))
			break
		}
		d.value = rational.Int(int64(utf8.RuneCountInString(left.value.(string))))
	default:
		if n.Shape == fact.TextShape {
			d.value = left.value.(string) + right.value.(string)
			break
		}
		result, err := calculate(n.Name, left.value.(fact.Number), right.value.(fact.Number))
		if err != nil {
			return datum{failed: &failure{n, err}}
		}
		d.value = result
	}
	if !w.explains {
		return d
	}
	d.why = new(why)
	d.why.because(left)
	d.why.because(right)
	if n.Counts() {
		// A count depends on the elements, each with what put it into the list, and on those that
		// were left out.
		d.why.left = left.rests().left
		for _, item := range left.items {
			d.why.because(item)
		}
		return w.answer(d)
	}
	for _, operand := range []datum{left, right} {
		for _, test := range operand.rests().left {
			d.why.atoms = append(d.why.atoms, test.support()...)
		}
	}
	return w.answer(d)
}

// member evaluates in. True depends on the elements that are equal, and false on all elements.
func (w *walker) member(n *Node, value, list datum) datum {
	var matching []datum
	steps := 0
	if text, ok := value.value.(string); ok && list.sorted != nil {
		if at, found := slices.BinarySearch(list.sorted, text); found {
			matching = list.items[at : at+1]
		}
		steps = searchSteps(len(list.sorted))
	} else {
		for i, item := range list.items {
			steps += 1 + sizeSteps(n.Name, value.value, item.value)
			if Equal(value.value, item.value) {
				if matching = append(matching, list.items[i]); !w.explains {
					break
				}
			}
		}
	}
	switch {
	case !w.spendSize(steps):
		return datum{failed: stopped}
	case !w.explains:
		return datum{value: matching != nil}
	case matching != nil:
		list = datum{items: matching}
	}
	return statement(n, value, list, matching != nil)
}

// Holds evaluates the condition for one set of values. If the context ends first, it returns the
// cause.
func (c *Condition) Holds(ctx context.Context, values *Bindings) (bool, error) {
	most := values.remaining() - evaluationCost
	w := &walker{Bindings: values, ctx: ctx, most: most, left: most, nextCheck: most}
	result := w.eval(c.Tree, nil)
	*values.spent += uint64(evaluationCost + most - w.left)
	switch {
	case w.ended != nil:
		return false, w.ended
	case w.left < 0:
		return false, ErrCostLimit
	case result.failed != nil:
		return false, fmt.Errorf("%w: %s", ErrUndecided, result.failed.text())
	}
	return result.truth(), nil
}

// Failures of an evaluation that the facts cause. Trying again with the same facts and rules does
// not help.
var (
	// ErrUndecided reports that the condition has no result for these facts, because it divides by
	// zero or calculates with numbers beyond all limits.
	ErrUndecided = errors.New("the condition has no result for these facts")
	// ErrCostLimit reports that the evaluation needs more steps than are allowed.
	ErrCostLimit = errors.New("the condition takes more steps than are allowed")
	// ErrTooManyFacts reports that more facts are stored than conditions are limited to.
	ErrTooManyFacts = errors.New("too many records for an evaluation")
	// ErrTooMuchRequired reports that the documents take more than MaxResultBytes.
	ErrTooMuchRequired = errors.New("the rules require more documents than one calculation can hold")
)

// Unanswerable reports an error that the same facts and rules always cause, so that trying again
// does not help.
func Unanswerable(err error) bool {
	return slices.ContainsFunc(unanswerable, func(final error) bool { return errors.Is(err, final) })
}

var unanswerable = []error{ErrUndecided, ErrCostLimit, ErrTooManyFacts, ErrTooMuchRequired}

// constantSteps limits the work for one constant. A constant that takes more is calculated with the
// facts, within the limits of every evaluation.
const constantSteps = 500

// constants returns a function that evaluates expressions without facts, with the lists of a rule
// set.
func constants(lists map[string]*TextList) func(*Node) any {
	return func(n *Node) any {
		result, _, within := walkWithin(n, Bind(fact.BuiltIn, fact.Facts{}, lists, 0), constantSteps)
		if !within {
			return nil
		}
		return result.value
	}
}
