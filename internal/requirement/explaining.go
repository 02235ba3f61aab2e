package requirement

import (
	"cmp"
	"slices"

	"cel.dev/cel-go/common/operators"
)

// MaxReasonSteps bounds the work of explaining why one condition holds. Beyond
// it, as with a loop over all persons within another, the reason repeats the
// condition and names every fact that it needs.
const MaxReasonSteps = 20_000

// explainingCost is what one step of an explanation costs, in steps of an evaluation:
// it takes so many times as long.
const explainingCost = 5

// explained is how much work it may be to find the result of a node with its
// reasons, with everything on file that may be.
type explained struct {
	steps int // to find it
	own   int // statements and values that the result carries
	items int // of a list
	each  int // what each item carries
	told  int // steps to tell of its statements, with the values in them
}

func (e explained) carried() int { return e.own + bounded(e.items, e.each) }

// bounded multiplies and adds no further than anybody needs to know.
func bounded(a, b int) int {
	if a > 0 && b > MaxReasonSteps/a {
		return MaxReasonSteps + 1
	}
	return a * b
}

func sumOf(parts ...int) int {
	sum := 0
	for _, part := range parts {
		sum = min(sum+part, MaxReasonSteps+1)
	}
	return sum
}

// reasonSteps is how many steps a reason of a condition takes at most, never more
// than MaxReasonSteps. sizes are what its operations cost for their operands.
func reasonSteps(tree *node, lists map[string]*textList, sizes map[*node]int) int {
	e := explaining{lists: lists, sizes: sizes, variables: map[string]explained{}}.of(tree)
	return min(sumOf(e.steps, e.told, e.own), MaxReasonSteps)
}

type explaining struct {
	lists     map[string]*textList
	sizes     map[*node]int
	variables map[string]explained
}

func (x explaining) of(n *node) explained {
	switch n.kind {
	case literalKind:
		return explained{steps: 1}
	case factKind:
		if n.name == namePersons {
			return explained{steps: 1, items: MaxPersons, each: 1}
		}
		if list := lookup(n.name).list; list != nil {
			return explained{steps: 1, items: list.most, each: 1}
		}
		return explained{steps: 1, own: 1}
	case listKind:
		entries := len(x.lists[n.name].entries)
		return explained{steps: 1 + entries, items: entries}
	case variableKind:
		return explained{steps: 1, own: x.variables[n.name].own, told: x.variables[n.name].told}
	case loopKind:
		return x.loop(n)
	case callKind:
		if n.name == operators.In && n.args[1].kind == listKind {
			value := x.of(n.args[0])
			return x.statement(n, sumOf(value.steps, 1), value)
		}
	}
	parts := make([]explained, len(n.args))
	steps := 1
	for i, arg := range n.args {
		parts[i] = x.of(arg)
		steps = sumOf(steps, parts[i].steps)
	}
	switch {
	case n.kind == fieldKind:
		return explained{steps: steps, own: 1 + parts[0].own, told: parts[0].told}
	case n.kind == arrayKind:
		list := explained{steps: steps, items: len(parts)}
		for _, part := range parts {
			list.each = max(list.each, part.carried())
			list.told = sumOf(list.told, part.told)
		}
		return list
	case n.name == operators.LogicalAnd, n.name == operators.LogicalOr, n.name == operators.LogicalNot, n.name == operators.Conditional:
		all := explained{steps: steps}
		for _, part := range parts {
			all.own, all.told = sumOf(all.own, part.own), sumOf(all.told, part.told)
			all.items, all.each = max(all.items, part.items), max(all.each, part.each)
		}
		return all
	}
	return x.statement(n, steps, parts...)
}

// statement is an operation whose result carries what its operands do.
func (x explaining) statement(n *node, steps int, operands ...explained) explained {
	carried, told := 0, 0
	for _, operand := range operands {
		carried, told = sumOf(carried, operand.carried()), sumOf(told, operand.told)
	}
	made := explained{steps: sumOf(steps, x.sizes[n]/explainingCost, carried, carried), own: sumOf(carried, 1), told: told}
	if n.states() {
		made.steps = sumOf(made.steps, 2)
		made.told = sumOf(told, n.tellingSteps(), carried)
	}
	return made
}

func (x explaining) loop(n *node) explained {
	list := x.of(n.list())
	x.variables[n.variable] = explained{own: list.each, told: list.told}
	test, result := explained{}, explained{}
	if n.test() != nil {
		test = x.of(n.test())
	}
	if n.name == operators.Map {
		result = x.of(n.result())
	}
	delete(x.variables, n.variable)
	each := sumOf(1, list.each, list.each, test.own, test.own)
	all := explained{
		steps: sumOf(1, list.steps, bounded(list.items, sumOf(each, test.steps, result.steps))),
		own:   sumOf(list.own, bounded(list.items, sumOf(list.each, test.own))),
		told:  sumOf(list.told, bounded(list.items, sumOf(test.told, result.told))),
	}
	if n.shape.list {
		all.items, all.each = list.items, sumOf(list.each, test.own, result.carried())
	}
	return all
}

// explainingSteps is how many steps the reasons of one evaluation take at most.
// Each that is told takes room in the result, which MaxResultBytes bounds: those
// that take most steps for their bytes are counted, until the room is filled.
func (p *Program) explainingSteps() uint64 {
	type reasons struct{ steps, bytes, most int }
	var all []reasons
	for i := range p.rules {
		r := &p.rules[i]
		if r.condition == nil {
			continue
		}
		least := Requirement{DocumentTypeCode: r.DocumentTypeCode, Name: r.Name, Category: r.Category, RequirementText: r.RequirementText, EntityType: r.EntityType,
			Reason: Reason{Rule: r.condition.source, Facts: map[string]any{}}}
		found := reasons{r.condition.reasonSteps, len(canonicalJSON(least)), 1}
		if r.EntityType == EntityPerson {
			found.most = MaxPersons
		}
		all = append(all, found)
	}
	slices.SortStableFunc(all, func(a, b reasons) int { return cmp.Compare(b.steps*a.bytes, a.steps*b.bytes) })
	var steps uint64
	room := MaxResultBytes
	for _, r := range all {
		if room < 0 {
			break
		}
		told := min(r.most, room/r.bytes+1) // one may be told that does not fit any more
		steps += uint64(told) * uint64(r.steps)
		room -= told * r.bytes
	}
	return steps
}

// atoms are all values on file that a condition needs.
func (n needs) atoms(b *bindings) []atom {
	var found []atom
	for _, row := range factTable {
		if !n.facts[row.name] {
			continue
		}
		if codes, ok := row.value(b.facts).([]string); ok {
			for _, code := range codes {
				found = append(found, atom{fact: row.name, value: code})
			}
			continue
		}
		found = append(found, atom{fact: row.name, value: row.value(b.facts)})
	}
	persons := b.persons
	if !n.people && b.person != nil {
		persons = []PersonFacts{*b.onePerson()}
	}
	for i := range persons {
		for _, field := range personFields {
			if n.fields[field.name] {
				found = append(found, atom{person: persons[i].PersonID, field: field.name, value: field.valueOf(&persons[i])})
			}
		}
	}
	return found
}
