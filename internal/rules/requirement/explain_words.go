package requirement

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file puts conditions into English for a reader who does not know the language of rules.

// wording puts expressions into words. It maps the variables of loops, and person, to words for the
// persons that they mean: "every person", "they", or "person p_…".
type wording map[string]string

func (w wording) with(variable, noun string) wording {
	more := wording{variable: noun}
	for name, n := range w {
		if name != variable {
			more[name] = n
		}
	}
	return more
}

// they is the word for each person in a condition about several persons.
const they = "they"

// onePersonNoun begins the noun of one person.
const onePersonNoun = "person "

// ofWhom names a field of the person for whom a variable stands.
func ofWhom(noun, label string) string {
	switch {
	case noun == they:
		return "their " + label
	case noun == "":
		return "a person's " + label
	case strings.HasSuffix(noun, " person"):
		return noun + "'s " + label
	}
	return "the " + label + " of " + noun
}

// phrase names a value: "average monthly credit sales times 12".
func (w wording) phrase(n *Node) string {
	switch n.Kind {
	case LiteralKind:
		return valueText(n.Literal)
	case FactKind:
		if n.Row != fact.NoFact {
			noun, _ := labelWords(n.Row)
			return noun
		}
		if n.Name == fact.NamePerson {
			return "the person"
		}
		return fact.NamePersons
	case ListKind:
		return "the list " + n.Name
	case DefinitionKind:
		return "the definition " + n.Name
	case VariableKind:
		return w.variable(n)
	case FieldKind:
		return ofWhom(w[n.Args[0].Name], n.Row.Label)
	case ArrayKind:
		return w.anyOf(n, "")
	case LoopKind:
		switch {
		case n.Shape == fact.BoolShape:
			return w.condition(n, true)
		case n.sums() && n.Result().namesOnce(n.Variable):
			return "the sum of " + w.with(n.Variable, w.elements("every", n.List())).phrase(n.Result())
		case n.sums():
			return "the sum of the values calculated for " + w.elements("every", n.List())
		}
		return w.elements("the", n) + " together"
	}
	return w.call(n)
}

// variable names the current element of a loop.
func (w wording) variable(n *Node) string {
	noun := w[n.Name]
	if n.Origin.OfPerson() && n.Origin.List == nil && noun != "" {
		return ofWhom(noun, n.Origin.Label)
	}
	if n.Shape != fact.PersonShape && strings.HasPrefix(noun, onePersonNoun) {
		return "the value for " + noun // it may be calculated from stored values
	}
	if noun == "" || noun == they {
		if list := n.Origin.List; list != nil {
			return "the " + list.Element
		}
		return "the entry"
	}
	return noun
}

var arithmetic = map[string]string{
	operators.Add: " plus ", operators.Subtract: " minus ", operators.Multiply: " times ", operators.Divide: " divided by ",
}

func (w wording) call(n *Node) string {
	unit := ""
	if n.Name == operators.Add || n.Name == operators.Subtract || n.Name == operators.Conditional {
		unit = n.unit()
	}
	part := func(i int) string {
		text := w.measured(n.Args[i], unit)
		if inner := n.Args[i]; inner.Kind == CallKind && arithmetic[inner.Name] != "" && (inner.binding() < n.binding() || i == 1 && inner.binding() == n.binding()) {
			text = "(" + text + ")"
		}
		return text
	}
	switch {
	case n.Shape == fact.TextShape && n.Name == operators.Add:
		return w.join(n.joined())
	case arithmetic[n.Name] != "":
		return part(0) + arithmetic[n.Name] + part(1)
	case n.Name == operators.Modulo:
		return "the remainder of " + part(0) + " divided by " + part(1)
	case n.Name == operators.Negate:
		return "minus " + part(0)
	case n.CountsSince():
		return "the " + n.CountedUnit() + "s since " + part(0)
	case n.CountsTime():
		return "the " + n.CountedUnit() + "s from " + part(0) + " to " + part(1)
	case n.Counts():
		return "the number of " + w.counted(n.Args[0])
	case n.Name == "size":
		return "the length of " + part(0)
	case n.Name == operators.Conditional && n.Shape != fact.BoolShape:
		return "(if " + w.condition(n.Args[0], true) + " " + part(1) + ", otherwise " + part(2) + ")"
	case n.Shape == fact.BoolShape:
		return w.condition(n, true)
	case len(n.Args) > 0: // a conversion adds nothing
		return part(0)
	}
	return n.Name
}

// join names texts that + joins: "the country of the business joined with "/" and the id".
func (w wording) join(parts []*Node) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		if texts[i] = w.phrase(part); part.Kind == LiteralKind {
			texts[i] = part.Text()
		}
	}
	return texts[0] + " joined with " + joined(texts[1:], "and")
}

// anyOf joins the literals of a list, or some of them if there are many. Numbers get the unit.
func (w wording) anyOf(n *Node, unit string) string {
	if len(n.Args) == 0 {
		return "one of none"
	}
	var texts []string
	for _, arg := range n.Args[:min(len(n.Args), maxClauses)] {
		texts = append(texts, w.measured(arg, unit))
	}
	if more := len(n.Args) - maxClauses; more > 0 {
		texts = append(texts, fmt.Sprintf("%d %s", more, rulefile.Pick(more == 1, "other", "others")))
	}
	return joined(texts, "or")
}

func joined(texts []string, by string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " " + by + " " + texts[last]
}

// counted names the elements of a list that is counted.
func (w wording) counted(list *Node) string {
	switch {
	case list.Kind == ListKind:
		return "entries of the list " + list.Name
	case list.Kind == LoopKind:
		return w.counted(list.List()) + w.suchThat(list)
	case list.Origin == fact.Persons:
		return fact.NamePersons
	case list.Kind == FieldKind:
		return strings.TrimPrefix(w.phrase(list), "the ")
	case list.Origin.List != nil:
		return list.Origin.List.Many
	}
	return "entries"
}

// suchThat adds the condition of a filter to the elements of a list.
func (w wording) suchThat(loop *Node) string {
	if loop.Test() == nil || loop.Name != operators.Filter && loop.Name != operators.Map {
		return ""
	}
	if loop.List().Origin == fact.Persons {
		return " for whom " + w.with(loop.Variable, they).condition(loop.Test(), true)
	}
	return " of which " + w.with(loop.Variable, they).condition(loop.Test(), true)
}

// elements names the elements of a list, each after a determiner: "every person". The determiner
// "a" becomes the article of the next word.
func (w wording) elements(determiner string, list *Node) string {
	behind := func(article, noun string) string {
		return rulefile.Pick(determiner == "a", article, determiner) + " " + noun
	}
	switch {
	case list.Kind == ListKind:
		return behind("an", "entry of the list "+list.Name)
	case list.Kind == LoopKind && list.Name == operators.Map && list.Origin == fact.NoFact: // calculated from each element
		return w.oneOf(determiner, list)
	case list.Kind == LoopKind:
		return w.elements(determiner, list.List()) + w.suchThat(list)
	case list.Origin == fact.Persons:
		return behind("a", "person")
	case list.Kind == FieldKind:
		return behind("an", "entry of "+w.phrase(list))
	case list.Origin.List != nil:
		return behind(list.Origin.List.Article, list.Origin.List.One)
	}
	return behind("an", "entry")
}

// condition says that a condition holds, or that it does not.
func (w wording) condition(n *Node, truth bool) string {
	switch {
	case n.Kind == LiteralKind:
		return rulefile.Pick(n.Literal == truth, "this always holds", "this never holds")
	case n.Kind == LoopKind:
		return w.quantified(n, truth)
	case n.Row != fact.NoFact:
		return w.phrase(n) + isTrue(truth)
	case n.Kind != CallKind:
		return w.phrase(n) + rulefile.Pick(truth, " holds", " does not hold")
	}
	switch n.Name {
	case operators.LogicalNot:
		return w.condition(n.Args[0], !truth)
	case operators.LogicalAnd, operators.LogicalOr:
		and := (n.Name == operators.LogicalAnd) == truth
		part := func(arg *Node) string {
			text := w.condition(arg, truth)
			if arg.Kind == CallKind && (arg.Name == operators.LogicalAnd || arg.Name == operators.LogicalOr) && arg.Name != n.Name {
				return "(" + text + ")"
			}
			return text
		}
		return part(n.Args[0]) + rulefile.Pick(and, " and ", " or ") + part(n.Args[1])
	case operators.Conditional:
		return "if " + w.condition(n.Args[0], true) + " then " + w.condition(n.Args[1], truth) + ", otherwise " + w.condition(n.Args[2], truth)
	case operators.In:
		return w.member(n, truth)
	}
	if n.IsComparison() && n.Args[0].Shape == fact.BoolShape {
		same := (n.Name == operators.Equals) == truth
		return "either " + w.condition(n.Args[0], true) +
			rulefile.Pick(same, " and ", " or ") + w.condition(n.Args[1], true) +
			rulefile.Pick(same, ", or neither", ", but not both")
	}
	return w.compared(n, truth)
}

func isTrue(truth bool) string { return rulefile.Pick(truth, " is true", " is false") }

func (w wording) compared(n *Node, truth bool) string {
	left, right, operator := n.Args[0], n.Args[1], n.Name
	if mirrored, ok := Mirrors[operator]; ok && left.Constant() && !right.Constant() {
		left, right, operator = right, left, mirrored
	}
	relation := relationText(operator, left.Shape, truth)
	if plain, ok := strings.CutPrefix(relation, "which "); ok {
		return w.phrase(left) + " " + plain + " " + w.phrase(right)
	}
	leftUnit, rightUnit := units(left, right)
	return w.measured(left, leftUnit) + " " + verb(left) + " " + strings.TrimPrefix(relation+" ", " ") + w.measured(right, rightUnit)
}

func verb(n *Node) string {
	if n.CountsTime() {
		return "are"
	}
	if n.Row != fact.NoFact && n.Kind == FactKind {
		_, is := labelWords(n.Row)
		return is
	}
	return "is"
}

// labelWords splits the fact's label into the noun and the verb.
func labelWords(row *fact.Row) (noun, verb string) {
	at := strings.LastIndex(row.Label, " ")
	return row.Label[:at], row.Label[at+1:]
}

// member puts in into words.
func (w wording) member(n *Node, truth bool) string {
	value, list := n.Args[0], n.Args[1]
	is := verb(value) + rulefile.Pick(truth, " ", " not ")
	valueUnit, listUnit := units(value, list)
	switch {
	case list.Kind == ArrayKind:
		return w.measured(value, valueUnit) + " " + is + w.anyOf(list, listUnit)
	case list.Kind == LoopKind, list.Row.List != nil:
		return w.oneOf(rulefile.Pick(truth, "a", "no"), list) + " is " + w.measured(value, valueUnit)
	}
	return w.phrase(value) + " " + is + "in " + w.phrase(list)
}

// oneOf names what a list contains one of, or none: "no person's citizenship".
func (w wording) oneOf(determiner string, list *Node) string {
	if list.Kind != LoopKind || list.Name != operators.Map {
		return w.elements(determiner, list)
	}
	if !list.Result().namesOnce(list.Variable) {
		return determiner + " value calculated for " + w.elements("each", list.List()) + w.suchThat(list)
	}
	return w.with(list.Variable, w.elements(determiner, list.List())+w.suchThat(list)).phrase(list.Result())
}

// namesOnce reports whether n can be said with a determiner instead of a variable. "no" and "every"
// have another meaning if they occur twice, or in a choice.
func (n *Node) namesOnce(variable string) bool {
	choice := false
	n.Walk(func(part *Node) { choice = choice || part.Name == operators.Conditional })
	return !choice && uses(n, variable) == 1
}

// quantified puts a loop that is true or false into words.
func (w wording) quantified(n *Node, truth bool) string {
	all := n.Name == operators.All
	determiner := rulefile.Pick(all, "every", "a")
	switch {
	case n.Name == operators.ExistsOne:
		determiner = "exactly one"
	case !all && !truth:
		determiner, truth = "no", true
	}
	element := w.elements(determiner, n.List())
	if of := n.List().Origin; of.OfPerson() && of.List == nil && n.List().Kind == LoopKind {
		element = determiner + " person" + w.suchThat(n.List()) // a field of a person
	}
	simple := n.Test().Kind == FieldKind && uses(n.Test(), n.Variable) == 1 ||
		n.Test().Kind == CallKind && len(n.Test().Args) > 0 &&
			!n.Test().Args[0].CountsTime() &&
			uses(n.Test().Args[0], n.Variable) == 1 &&
			uses(n.Test(), n.Variable) == 1 &&
			!slices.Contains([]string{operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional}, n.Test().Name)
	if simple && (truth || !all) && !(n.Name == operators.ExistsOne && !truth) {
		return w.with(n.Variable, element).condition(n.Test(), true)
	}
	return rulefile.Pick(truth, "for ", "not for ") + element + " " + w.with(n.Variable, they).condition(n.Test(), true)
}

// uses counts how often a variable occurs.
func uses(n *Node, variable string) int {
	count := 0
	n.Walk(func(part *Node) {
		if part.Kind == VariableKind && part.Name == variable {
			count++
		}
	})
	return count
}

// named is the wording in which every person is the one to whom a value belongs.
func named(n *Node, d datum) wording { return namedFor(n, d.rests().atoms) }

func namedFor(n *Node, atoms []atom) wording {
	w := wording{}
	person, alone := onePerson(atoms)
	if person == "" {
		return w
	}
	n.Walk(func(part *Node) {
		if part.Kind == VariableKind && (alone || part.Shape == fact.PersonShape) || part.Kind == FactKind && part.Name == fact.NamePerson {
			w[part.Name] = onePersonNoun + person
		}
	})
	return w
}
