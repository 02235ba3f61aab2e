package requirement

import (
	"math/bits"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
)

// This file estimates the cost of evaluating a condition: the most steps for facts of the maximum
// size. The evaluator counts by the same rules.

// MaxReasonSteps limits the work of explaining why one condition holds. The limit of the evaluation
// applies to the work for all reasons. If the work exceeds either, as with a loop over all persons
// within another, the reason repeats the condition and names every fact that the condition needs.
const MaxReasonSteps = 20_000

// explainingCost is the cost of one step of an explanation, which takes about that many times as
// long.
const explainingCost = 10

// evaluationCost is the cost of starting one evaluation of one condition.
const evaluationCost = 10

// Each operation costs one step, and so does each element of a list that is visited. Operands cost
// more by their size.
const (
	madeSteps     = 4  // for each element of a list that a condition makes
	textAStep     = 64 // bytes of a text that are compared, or of a condition that are written out
	searchedAStep = 16 // bytes of a text that are searched or counted
)

// sizeSteps is the cost of an operation for the size of its operands.
func sizeSteps(operator string, left, right any) int {
	switch left := left.(type) {
	case string:
		text, _ := right.(string)
		return textSteps(operator, len(left), len(text))
	case fact.Number:
		number, _ := right.(fact.Number)
		return numberSteps(operator, numberBits(left)+numberBits(number))
	}
	return 0
}

func numberBits(n fact.Number) int {
	num, den := n.Bits()
	return num + den
}

// textSteps is the cost of an operation on texts with these lengths in bytes.
func textSteps(operator string, left, right int) int {
	switch operator {
	case "contains", "size", operators.Add:
		return (left + right) / searchedAStep
	}
	return min(left, right) / textAStep
}

// numberSteps is the cost of an operation on numbers with this many bits, numerators and
// denominators together. Above 64 bits a result may need math/big.
func numberSteps(operator string, bits int) int {
	switch operator {
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		if bits <= 64 {
			return 1
		}
		return bits / 4
	case operators.Negate:
		return 1 + bits/32
	}
	return bits / 32
}

// searchSteps is the cost of searching for a text in a sorted list.
func searchSteps(entries int) int { return bits.Len(uint(entries)) }

// effort is the most work to evaluate a node, with bounds of the result.
type effort struct {
	steps uint64
	items uint64 // of a list
	bytes int    // of a text, or of the texts of a list
	magnitude
}

// mostSteps is the largest estimate. That many for each person and each rule of a rule set can
// still be added up.
const mostSteps uint64 = 1 << 45

func stepsOf(parts ...uint64) uint64 {
	var sum uint64
	for _, part := range parts {
		sum = min(sum+part, mostSteps)
	}
	return sum
}

func stepsTimes(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return min(low, mostSteps)
	}
	return mostSteps
}

// estimator finds the efforts of a condition's nodes. It is sound for facts that records can
// contain: no evaluation of them takes more steps, and no number exceeds the limits of package
// rational unless tooLarge says so.
type estimator struct {
	lists     map[string]*TextList
	variables []effort            // by slot
	found     map[int64]magnitude // by the id of the node
	tooLarge  *Node               // the first expression that may become too large
	tooLong   *Node               // the first text that may become too long
	// loops are the loops around the current node, and longest those that run most often.
	loops, longest []turns
}

func estimate(tree *Node, lists map[string]*TextList) (*estimator, uint64) {
	e := &estimator{lists: lists, found: map[int64]magnitude{}}
	return e, e.of(tree).steps
}

func (e *estimator) of(n *Node) effort {
	found := e.node(n)
	found.steps = stepsOf(found.steps, 1)
	if found.numBits() > rational.MaxBits {
		if e.tooLarge == nil {
			e.tooLarge = n
		}
		found.magnitude = wholeMagnitude(1) // report it once
	}
	e.found[n.id] = found.magnitude
	if n.Kind == CallKind && n.Shape == fact.TextShape && found.bytes > maxJoinedText {
		if e.tooLong == nil {
			e.tooLong = n
		}
		found.bytes = 1 // report it once
	}
	return found
}

// maxJoinedText limits a text that + makes, in bytes. A list may contain a thousand such texts.
const maxJoinedText = 4096

func (e *estimator) node(n *Node) effort {
	switch n.Kind {
	case LiteralKind:
		switch value := n.Literal.(type) {
		case string:
			return effort{bytes: len(value)}
		case fact.Number:
			return effort{magnitude: literalMagnitude(value)}
		}
		return effort{}
	case FactKind:
		switch {
		case n.Name == fact.NamePersons:
			return effort{items: fact.MaxPersons}
		case n.Shape.List:
			return effort{items: uint64(n.Row.List.Most), bytes: len(n.Row.LongestText())}
		}
		return effort{bytes: len(n.Row.LongestText()), magnitude: onRecord(n.Row.Type)}
	case ListKind:
		return effort{items: uint64(len(e.lists[n.Name].sorted)), bytes: e.lists[n.Name].longest}
	case VariableKind:
		return e.variables[n.Slot]
	case DefinitionKind:
		if n.Once != nil {
			return effort{} // counted once: see Condition.steps
		}
		return e.of(n.Body)
	case FieldKind:
		found := effort{steps: e.of(n.Args[0]).steps, bytes: len(n.Row.LongestText()), magnitude: onRecord(n.Row.Type)}
		if n.Shape.List {
			found.items = uint64(n.Row.List.Most)
		}
		return found
	case ArrayKind:
		all := effort{items: uint64(len(n.Args))}
		for _, arg := range n.Args {
			part := e.of(arg)
			all.steps, all.bytes, all.magnitude = stepsOf(all.steps, part.steps, madeSteps), max(all.bytes, part.bytes), eitherMagnitude(all.magnitude, part.magnitude)
		}
		return all
	case LoopKind:
		return e.loop(n)
	}
	return e.call(n)
}

func (e *estimator) loop(n *Node) effort {
	list := e.of(n.List())
	of := effort{bytes: list.bytes, magnitude: list.magnitude}
	e.variables, e.loops = append(e.variables, of), append(e.loops, turns{n, list.items})
	if turnsOf(e.loops) > turnsOf(e.longest) {
		e.longest = slices.Clone(e.loops)
	}
	each := uint64(1)
	if n.Shape.List {
		each += madeSteps
	}
	for i, part := range n.Args[1:] {
		if part != nil {
			found := e.of(part)
			each = stepsOf(each, found.steps)
			if i == 1 {
				of = found
			}
		}
	}
	e.variables, e.loops = e.variables[:len(e.variables)-1], e.loops[:len(e.loops)-1]
	if n.Name == sumName {
		total := sumMagnitude(of.magnitude, list.items)
		each = stepsOf(each, uint64(numberSteps(operators.Add, total.bits()+of.bits())))
		return effort{steps: stepsOf(list.steps, stepsTimes(list.items, each)), magnitude: total}
	}
	all := effort{steps: stepsOf(list.steps, stepsTimes(list.items, each))}
	if n.Shape.List {
		all.items, all.bytes, all.magnitude = list.items, of.bytes, of.magnitude
	}
	return all
}

func (e *estimator) call(n *Node) effort {
	var parts [3]effort
	var steps uint64
	for i, arg := range n.Args {
		parts[i] = e.of(arg)
		steps = stepsOf(steps, parts[i].steps)
	}
	left, right := parts[0], parts[1]
	size := 0
	switch {
	case n.Name == operators.Conditional:
		yes, no := parts[1], parts[2]
		return effort{stepsOf(left.steps, max(yes.steps, no.steps)), max(yes.items, no.items), max(yes.bytes, no.bytes), eitherMagnitude(yes.magnitude, no.magnitude)}
	case n.Counts():
	case n.Shape == fact.TextShape:
		return effort{steps: stepsOf(steps, uint64(textSteps(n.Name, left.bytes, right.bytes))), bytes: left.bytes + right.bytes}
	case n.Args[0].Shape.Base == fact.TextBase:
		size = textSteps(n.Name, left.bytes, right.bytes)
	case n.Args[0].Shape.Base == fact.NumberBase:
		bits := left.bits()
		if len(n.Args) == 2 {
			bits += right.bits()
		}
		size = numberSteps(n.Name, bits)
	}
	if n.Name == operators.Divide && n.Args[1].Constant() { // the same divisor in each evaluation
		m := calculated(n.Name, left.magnitude, right.magnitude)
		m.fixed, m.loose = m.fixed+m.loose-left.loose, left.loose
		return effort{steps: stepsOf(steps, uint64(size)), magnitude: m}
	}
	switch list := n.Args[len(n.Args)-1]; {
	case n.Name != operators.In:
		steps = stepsOf(steps, uint64(size))
	case list.Kind == ListKind || list.Kind == FactKind || list.Kind == FieldKind:
		steps = stepsOf(steps, uint64(searchSteps(int(right.items))))
	default:
		steps = stepsOf(steps, stepsTimes(right.items, uint64(1+size)))
	}
	return effort{steps: steps, magnitude: calculated(n.Name, left.magnitude, right.magnitude)}
}

// mostClauses is the most statements that a reason can make about the values of n.
func (n *Node) mostClauses() int {
	clauses := 0
	n.WalkAll(func(part *Node) {
		switch {
		case part.Kind == DefinitionKind:
			clauses++
		case part.Kind == LoopKind:
			clauses += maxClauses
		case part.Kind == CallKind && part.Name != operators.LogicalAnd && part.Name != operators.LogicalOr:
			clauses++
		}
	})
	return min(max(clauses, 1), maxClauses)
}

// maxClauses limits the sentence of a reason. The values of the statements that it leaves out are
// still among the reason's facts.
const maxClauses = 8

// clauseBytes is the most bytes of what a reason says about one comparison, besides the text of the
// condition.
const clauseBytes = 96
