package requirement

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// Conditions in English. Input: a node. Output: words for it, for a reader who does
// not know the language of rules.

// wording puts expressions into words, for a reader who does not know the language
// of the rules. It maps the variables of loops, and person, to whom they stand for:
// "every person", "they", or "person p_…".
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

// they is whom a condition about each of several persons speaks of.
const they = "they"

// onePersonNoun begins the noun of one person.
const onePersonNoun = "person "

// ofWhom is a field of whom a variable stands for.
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
func (w wording) phrase(n *node) string {
	switch n.kind {
	case literalKind:
		return valueText(n.literal)
	case factKind:
		if row, ok := fact.Find(n.name); ok {
			noun, _ := labelWords(row)
			return noun
		}
		if n.name == fact.NamePerson {
			return "the person"
		}
		return fact.NamePersons
	case listKind:
		return "the list " + n.name
	case variableKind:
		return w.variable(n)
	case fieldKind:
		field, _ := fact.FindPersonField(n.name)
		return ofWhom(w[n.args[0].name], field.Label)
	case arrayKind:
		return w.anyOf(n)
	case loopKind:
		if n.shape == fact.BoolShape {
			return w.condition(n, true)
		}
		return w.elements("the", n) + " together"
	}
	return w.call(n)
}

// variable is the element that a loop looks at.
func (w wording) variable(n *node) string {
	noun := w[n.name]
	if field, ok := fact.FindPersonField(n.origin); ok && noun != "" {
		return ofWhom(noun, field.Label)
	}
	if n.shape != fact.PersonShape && strings.HasPrefix(noun, onePersonNoun) {
		return "the value for " + noun // which may have been calculated from what is on record
	}
	if noun == "" || noun == they {
		if list := fact.Lookup(n.origin).List; list != nil {
			return "the " + list.Element
		}
		return "the entry"
	}
	return noun
}

var arithmetic = map[string]string{
	operators.Add: " plus ", operators.Subtract: " minus ", operators.Multiply: " times ", operators.Divide: " divided by ",
}

func (w wording) call(n *node) string {
	part := func(i int) string {
		text := w.phrase(n.args[i])
		if inner := n.args[i]; inner.kind == callKind && arithmetic[inner.name] != "" && (inner.binding() < n.binding() || i == 1 && inner.binding() == n.binding()) {
			text = "(" + text + ")"
		}
		return text
	}
	switch {
	case arithmetic[n.name] != "":
		return part(0) + arithmetic[n.name] + part(1)
	case n.name == operators.Modulo:
		return "the remainder of " + part(0) + " divided by " + part(1)
	case n.name == operators.Negate:
		return "minus " + part(0)
	case n.counts():
		return "the number of " + w.counted(n.args[0])
	case n.name == "size":
		return "the length of " + part(0)
	case n.name == operators.Conditional && n.shape != fact.BoolShape:
		return "(if " + w.condition(n.args[0], true) + " " + w.phrase(n.args[1]) + ", otherwise " + w.phrase(n.args[2]) + ")"
	case n.shape == fact.BoolShape:
		return w.condition(n, true)
	case len(n.args) > 0: // a conversion says nothing
		return part(0)
	}
	return n.name
}

// anyOf joins the entries of a list in brackets, the first of them if there are many.
func (w wording) anyOf(n *node) string {
	if len(n.args) == 0 {
		return "one of none"
	}
	var texts []string
	for _, arg := range n.args[:min(len(n.args), maxClauses)] {
		texts = append(texts, w.phrase(arg))
	}
	if more := len(n.args) - maxClauses; more > 0 {
		texts = append(texts, fmt.Sprintf("%d %s", more, pick(more == 1, "other", "others")))
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
func (w wording) counted(list *node) string {
	switch {
	case list.kind == listKind:
		return "entries of the list " + list.name
	case list.kind == loopKind:
		return w.counted(list.list()) + w.suchThat(list)
	case list.origin == fact.NamePersons:
		return fact.NamePersons
	case fact.Lookup(list.origin).List != nil:
		return fact.Lookup(list.origin).List.Many
	}
	return "entries"
}

// suchThat restricts the elements of a list to those that a filter leaves.
func (w wording) suchThat(loop *node) string {
	if loop.test() == nil || loop.name != operators.Filter && loop.name != operators.Map {
		return ""
	}
	if loop.list().origin == fact.NamePersons {
		return " for whom " + w.with(loop.variable, they).condition(loop.test(), true)
	}
	return " of which " + w.with(loop.variable, they).condition(loop.test(), true)
}

// elements name the elements of a list, each behind a determiner: "every person". The
// determiner "a" becomes the article of what follows.
func (w wording) elements(determiner string, list *node) string {
	behind := func(article, noun string) string { return pick(determiner == "a", article, determiner) + " " + noun }
	switch {
	case list.kind == listKind:
		return behind("an", "entry of the list "+list.name)
	case list.kind == loopKind && list.name == operators.Map && list.origin == "": // calculated of each
		return w.oneOf(determiner, list)
	case list.kind == loopKind:
		return w.elements(determiner, list.list()) + w.suchThat(list)
	case list.origin == fact.NamePersons:
		return behind("a", "person")
	case fact.Lookup(list.origin).List != nil:
		return behind(fact.Lookup(list.origin).List.Article, fact.Lookup(list.origin).List.One)
	}
	return behind("an", "entry")
}

// condition says what holds, or what does not.
func (w wording) condition(n *node, truth bool) string {
	switch {
	case n.kind == literalKind:
		return pick(n.literal == truth, "this always holds", "this never holds")
	case n.kind == loopKind:
		return w.quantified(n, truth)
	case n.kind != callKind:
		return w.phrase(n) + pick(truth, " holds", " does not hold")
	}
	switch n.name {
	case operators.LogicalNot:
		return w.condition(n.args[0], !truth)
	case operators.LogicalAnd, operators.LogicalOr:
		and := (n.name == operators.LogicalAnd) == truth
		part := func(arg *node) string {
			text := w.condition(arg, truth)
			if arg.kind == callKind && (arg.name == operators.LogicalAnd || arg.name == operators.LogicalOr) && arg.name != n.name {
				return "(" + text + ")"
			}
			return text
		}
		return part(n.args[0]) + pick(and, " and ", " or ") + part(n.args[1])
	case operators.Conditional:
		return "if " + w.condition(n.args[0], true) + " then " + w.condition(n.args[1], truth) + ", otherwise " + w.condition(n.args[2], truth)
	case operators.In:
		return w.member(n, truth)
	}
	if n.isComparison() && n.args[0].shape == fact.BoolShape {
		same := (n.name == operators.Equals) == truth
		return "either " + w.condition(n.args[0], true) + pick(same, " and ", " or ") + w.condition(n.args[1], true) + pick(same, ", or neither", ", but not both")
	}
	return w.compared(n, truth)
}

func (w wording) compared(n *node, truth bool) string {
	left, right, operator := n.args[0], n.args[1], n.name
	if mirrored, ok := mirrors[operator]; ok && left.constant() && !right.constant() {
		left, right, operator = right, left, mirrored
	}
	relation := relationText(operator, left.shape, truth)
	if plain, ok := strings.CutPrefix(relation, "which "); ok {
		return w.phrase(left) + " " + plain + " " + w.phrase(right)
	}
	return w.phrase(left) + " " + verb(left) + " " + strings.TrimPrefix(relation+" ", " ") + w.phrase(right)
}

func verb(n *node) string {
	if row, ok := fact.Find(n.name); ok && n.kind == factKind {
		_, is := labelWords(row)
		return is
	}
	return "is"
}

// labelWords are the noun and the verb of the fact's label.
func labelWords(row *fact.Row) (noun, verb string) {
	at := strings.LastIndex(row.Label, " ")
	return row.Label[:at], row.Label[at+1:]
}

// member is in.
func (w wording) member(n *node, truth bool) string {
	value, list := n.args[0], n.args[1]
	is := verb(value) + pick(truth, " ", " not ")
	switch {
	case list.kind == arrayKind:
		return w.phrase(value) + " " + is + w.anyOf(list)
	case list.kind == loopKind, list.kind == factKind:
		return w.oneOf(pick(truth, "a", "no"), list) + " is " + w.phrase(value)
	}
	return w.phrase(value) + " " + is + "in " + w.phrase(list)
}

// oneOf names what a list holds one of, or none: "no person's citizenship".
func (w wording) oneOf(determiner string, list *node) string {
	if list.kind != loopKind || list.name != operators.Map {
		return w.elements(determiner, list)
	}
	if !list.result().namesOnce(list.variable) {
		return determiner + " value calculated for " + w.elements("each", list.list()) + w.suchThat(list)
	}
	return w.with(list.variable, w.elements(determiner, list.list())+w.suchThat(list)).phrase(list.result())
}

// namesOnce reports whether n can be said with a determiner instead of a variable:
// "no" and "every" mean something else when they come twice, or in a choice.
func (n *node) namesOnce(variable string) bool {
	choice := false
	n.walk(func(part *node) { choice = choice || part.name == operators.Conditional })
	return !choice && uses(n, variable) == 1
}

// quantified is a loop that is true or false.
func (w wording) quantified(n *node, truth bool) string {
	all := n.name == operators.All
	determiner := pick(all, "every", "a")
	switch {
	case n.name == operators.ExistsOne:
		determiner = "exactly one"
	case !all && !truth:
		determiner, truth = "no", true
	}
	element := w.elements(determiner, n.list())
	if _, ok := fact.FindPersonField(n.list().origin); ok && n.list().kind == loopKind {
		element = determiner + " person" + w.suchThat(n.list()) // a field of whom
	}
	simple := n.test().kind == callKind && len(n.test().args) > 0 && uses(n.test().args[0], n.variable) == 1 && uses(n.test(), n.variable) == 1 &&
		!slices.Contains([]string{operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional}, n.test().name)
	if simple && (truth || !all) && !(n.name == operators.ExistsOne && !truth) {
		return w.with(n.variable, element).condition(n.test(), true)
	}
	return pick(truth, "for ", "not for ") + element + " " + w.with(n.variable, they).condition(n.test(), true)
}

// uses counts how often a variable occurs.
func uses(n *node, variable string) int {
	count := 0
	n.walk(func(part *node) {
		if part.kind == variableKind && part.name == variable {
			count++
		}
	})
	return count
}

// named is the wording in which every person is the one whom a value is of.
func named(n *node, d datum) wording {
	w := wording{}
	person := d.onePerson()
	if person == "" {
		return w
	}
	n.walk(func(part *node) {
		if part.kind == variableKind || part.kind == factKind && part.name == fact.NamePerson {
			w[part.name] = onePersonNoun + person
		}
	})
	return w
}
