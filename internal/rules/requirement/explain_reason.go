package requirement

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has reasons: one sentence why a condition holds, and the values that it depends on, by
// name.

// Words of reasons that Names replaces.
const (
	becauseWord     = " because "
	statedNoPersons = "the business has stated that it has no persons"
)

// alwaysRequired is the rule of a document without a condition.
const alwaysRequired = "always required"

// requiredIfOffered is the rule of a document whose options have all conditions, and which has none.
const requiredIfOffered = "required where an option is offered"

// Reason says why a document is required.
type Reason struct {
	// Message is one sentence for an officer, with the values that decided. A long sentence leaves
	// out some of them. It has ids in place of names until Names.In replaces them.
	Message string `json:"message"`
	// Facts has the values that decided, by the names that rules use: numbers as numbers, dates as
	// YYYY-MM-DD, the matching elements of a list, and under persons, by person id, the fields that
	// mattered. It is never nil.
	Facts ReasonFacts `json:"facts"`
}

// ReasonFacts has the facts of a reason. Parsing them from JSON keeps every number exact.
type ReasonFacts map[string]any

// UnmarshalJSON reads the facts.
func (f *ReasonFacts) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var facts map[string]any
	if err := decoder.Decode(&facts); err != nil {
		return err
	}
	*f = facts
	return exactNumbers(facts)
}

// exactNumbers turns texts of numbers into numbers.
func exactNumbers(facts map[string]any) error {
	for name, value := range facts {
		switch value := value.(type) {
		case json.Number:
			number, err := rational.Parse(value.String())
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			facts[name] = number
		case map[string]any:
			if err := exactNumbers(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// because explains why the condition holds, or does not, for the thing with a name that is done or
// not.
func (c *Condition) because(b *Bindings, name, done string, holds bool) Reason {
	var said string
	var atoms []atom
	if result, ok := c.restsOn(b); ok {
		said, atoms = statements(result.rests().clauses, c.Tree, c.mostSaid, holds), result.support()
	} else {
		said, atoms = wording{}.condition(c.Tree, holds), b.atoms(c.needs)
	}
	facts := factsOf(atoms)
	said = clipBytes(b.inCurrency(said), c.mostSaid)
	if c.needs.People && b.attested() {
		said += "; " + statedNoPersons
		facts[fact.NameNoPersons] = true
	}
	return Reason{Message: becauseText(name, done, said+defaultsAmong(atoms).text(b)), Facts: facts}
}

// restsOn returns what the result of the condition depends on. It returns false if that takes more
// steps than are left, or than a reason may take.
func (c *Condition) restsOn(b *Bindings) (datum, bool) {
	most := min(MaxReasonSteps, b.remaining()/explainingCost)
	result, steps, ok := walkWithin(c.Tree, b, most)
	if ok {
		steps, ok = telling(result, steps, most)
	}
	*b.spent += explainingCost * uint64(min(steps, most))
	return result, ok
}

// becauseOfDefaults is the reason of a Person rule that holds for no person. It only says which of
// the facts that decided count as their default. It is empty if none does.
func (c *Condition) becauseOfDefaults(ctx context.Context, b *Bindings, persons []subject, name, holds string) (Reason, error) {
	if defaultsAmong(b.atoms(c.needs)).text(b) == "" {
		return Reason{}, nil
	}
	decided := withDefault{}
	for _, p := range persons {
		if err := b.giveWay(ctx, 0); err != nil {
			return Reason{}, err
		}
		result, steps, ok := walkWithin(c.Tree, p.values, min(MaxReasonSteps, b.remaining()/explainingCost))
		*b.spent += explainingCost * uint64(steps)
		if ok {
			decided.add(result.support())
		} else {
			decided.add(p.values.atoms(c.needs))
		}
	}
	said := decided.text(b)
	if said == "" {
		return Reason{}, nil
	}
	return Reason{Message: onOneLine(name) + ": " + holds + " of nobody" + said + ".", Facts: ReasonFacts{}}, nil
}

// withDefault has the facts that decided and have a default, whether or not they count as it, with
// the ids of the persons to whom they belong.
type withDefault map[*fact.Row]map[string]bool

func defaultsAmong(atoms []atom) withDefault {
	decided := withDefault{}
	decided.add(atoms)
	return decided
}

func (decided withDefault) add(atoms []atom) {
	for _, a := range atoms {
		if a.row != nil && a.row.Default != nil {
			if decided[a.row] == nil {
				decided[a.row] = map[string]bool{}
			}
			decided[a.row][a.person] = true
		}
	}
}

// text says which of the facts count as their default, and why.
func (decided withDefault) text(b *Bindings) (said string) {
	if len(decided) == 0 {
		return ""
	}
	for _, row := range b.table.Facts {
		if decided[row] != nil {
			if because := row.DefaultBecause(b.facts.Custom); because != "" {
				said += "; " + strings.TrimSuffix(row.Label, " is") + b.countedAs(because, row)
			}
		}
	}
	for _, row := range b.table.Fields {
		if decided[row] == nil {
			continue
		}
		of := map[string][]string{}
		for i := range b.persons {
			if id := b.persons[i].PersonID; decided[row][id] {
				because := row.DefaultBecause(b.persons[i].Custom)
				of[because] = append(of[because], id)
			}
		}
		for _, because := range fact.DefaultReasons() {
			switch ids := of[because]; len(ids) {
			case 0:
			case 1:
				said += "; " + ofWhom(onePersonNoun+ids[0], row.Label) + b.countedAs(because, row)
			default:
				said += fmt.Sprintf("; the %s of %d persons", row.Label, len(ids)) + b.countedAs(because, row)
			}
		}
	}
	return said
}

func (b *Bindings) countedAs(because string, row *fact.Row) string {
	return b.inCurrency(defaultWords(because, row))
}

func defaultWords(because string, row *fact.Row) string {
	return " (" + because + ", counted as " + defaultText(row.Default) + unitOf(row) + ")"
}

func defaultText(v any) string {
	texts, ok := v.([]string)
	switch {
	case !ok:
		return valueText(v)
	case len(texts) == 0:
		return "none"
	}
	return strings.Join(texts, ", ")
}

func becauseText(name, done, statements string) string {
	return onOneLine(name) + ": " + done + becauseWord + strings.TrimSuffix(statements, ".") + "."
}

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// telling adds the steps of putting a result into words to the steps that led to it. It returns
// false if that is more than a reason may take.
func telling(result datum, steps, most int) (int, bool) {
	weights := map[*Node]int{}
	var tell func(clauses []clause) bool
	tell = func(clauses []clause) bool {
		for _, clause := range clauses {
			weight, known := weights[clause.node]
			if !known {
				weight = clause.node.tellingSteps()
				weights[clause.node] = weight
			}
			if steps += weight + len(clause.atoms); steps > most || !tell(clause.within) {
				return false
			}
		}
		return true
	}
	if !tell(result.rests().clauses) {
		return steps, false
	}
	steps += len(result.rests().atoms)
	return steps, steps <= most
}

// tellingSteps counts the steps of putting one statement about n into words.
func (n *Node) tellingSteps() int {
	bytes := len(n.Text())
	if n.Kind == DefinitionKind {
		bytes += len(n.Body.Text())
	}
	return 2 + bytes/textAStep
}

func statements(clauses []clause, tree *Node, most int, holds bool) string {
	var texts []string
	said := map[string]bool{}
	for _, c := range clauses {
		if len(c.atoms) == 0 && c.node.Constant() {
			continue
		}
		if text := c.text(); !said[text] {
			said[text] = true
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		if tree.Constant() {
			return "its condition " + rulefile.Pick(holds, "always", "never") + " holds"
		}
		return wording{}.condition(tree, holds)
	}
	shown := min(len(texts), maxClauses)
	for shown > 1 && jsonBytes(strings.Join(texts[:shown], "; "))+moreBytes > most {
		shown--
	}
	if more := len(texts) - shown; more > 0 {
		texts = append(texts[:shown], fmt.Sprintf("%d more such %s", more, rulefile.Pick(more == 1, "value", "values")))
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], "; ") + "; and " + texts[last]
}

// factsOf arranges atoms for a reader: see Reason.Facts.
func factsOf(atoms []atom) map[string]any {
	facts := map[string]any{}
	persons := map[string]any{}
	for _, a := range atoms {
		switch {
		case a.person == "":
			addTo(facts, a)
		default:
			fields, ok := persons[a.person].(map[string]any)
			if !ok {
				fields = map[string]any{}
				persons[a.person] = fields
			}
			if a.row != nil {
				addTo(fields, a)
			}
		}
	}
	sortTexts(facts)
	for _, fields := range persons {
		sortTexts(fields.(map[string]any))
	}
	if len(persons) > 0 {
		facts[fact.NamePersons] = persons
	}
	return facts
}

// sortTexts sorts the lists, and removes repeated texts.
func sortTexts(facts map[string]any) {
	for name, value := range facts {
		if texts, ok := value.([]string); ok {
			slices.Sort(texts)
			facts[name] = slices.Compact(texts)
		}
	}
}

// addTo adds a value, or one element of a list.
func addTo(facts map[string]any, a atom) {
	if a.row.List == nil {
		facts[a.row.Name] = plainValue(a.value)
		return
	}
	texts, ok := facts[a.row.Name].([]string)
	if !ok {
		texts = []string{}
	}
	if text, ok := a.value.(string); ok {
		texts = append(texts, text)
	}
	facts[a.row.Name] = texts
}

// plainValue converts a value for JSON.
func plainValue(v any) any {
	if date, ok := v.(fact.Date); ok {
		return date.String()
	}
	return v
}

// text puts a clause into words.
func (c clause) text() string {
	n, truth := c.node, c.truth
	if len(c.operands) == 1 {
		return subjectText(n, c.operands[0]) + " " + valueText(c.operands[0].value) + n.unit()
	}
	switch n.Kind {
	case DefinitionKind:
		return c.definitionText()
	case LoopKind, FactKind:
		return namedFor(n, c.atoms).condition(n, truth)
	case FieldKind:
		return ofWhom(onePersonNoun+c.atoms[0].person, n.Row.Label) + isTrue(truth)
	}
	left, right := n.Args[0], n.Args[1]
	subject, object, operator := c.operands[0], c.operands[1], n.Name
	if operator == operators.In {
		return membershipText(left, right, subject, object, truth)
	}
	if mirrored, ok := Mirrors[operator]; ok && left.Constant() && !right.Constant() {
		left, right, subject, object, operator = right, left, object, subject, mirrored
	}
	leftUnit, rightUnit := units(left, right)
	is := subjectText(left, subject) + " " + valueText(subject.value) + leftUnit
	if left.CountsTime() {
		is = timeText(left, subject)
	}
	objectText := valueText(object.value) + rightUnit
	if !right.Constant() {
		objectText = named(right, object).phrase(right) + " (" + objectText + ")"
	}
	if relation := relationText(operator, left.Shape, truth); relation != "" {
		return is + ", " + relation + " " + objectText
	}
	if !right.Constant() {
		return is + ", the same as " + objectText
	}
	return is
}

// subjectText begins a statement about a value: "the citizenship of person p is".
func subjectText(n *Node, d datum) string {
	switch {
	case n.Kind == FactKind:
		if n.Row != fact.NoFact {
			return n.Row.Label
		}
	case n.Kind == VariableKind && n.Origin.List != nil:
		return n.Origin.List.Article + " " + n.Origin.List.One + " is"
	}
	return named(n, d).phrase(n) + " " + verb(n)
}

// timeText says how much time lies between two days: "it is 14 months since the date". If the count
// is negative, the sentence has the days in order of time.
func timeText(n *Node, d datum) string {
	count, unit, counted := d.value.(fact.Number), n.CountedUnit(), ""
	dates := make([]string, len(n.Args))
	for i, date := range n.Args {
		dates[i] = named(n, d).phrase(date)
	}
	is := "since"
	if count.Sign() < 0 {
		counted, count, is = " (counted as "+count.String()+")", count.Neg(), "until"
		slices.Reverse(dates)
	}
	if len(dates) == 2 {
		is = "from"
	}
	return fmt.Sprintf("it is %s %s%s %s %s%s", count, unit, rulefile.Pick(count.Equal(rational.Int(1)), "", "s"), is, strings.Join(dates, " to "), counted)
}

// onePerson is the person to whom all values of persons belong, if there is only one. alone reports
// that there are no other values.
func onePerson(atoms []atom) (person string, alone bool) {
	alone = true
	for _, a := range atoms {
		switch {
		case a.person == "":
			alone = false
		case person != "" && a.person != person:
			return "", false
		default:
			person = a.person
		}
	}
	return person, alone
}

func membershipText(value, list *Node, subject, found datum, truth bool) string {
	if of := list.Row.List; of != nil {
		include := rulefile.Pick(truth, " include ", " do not include ") + valueText(subject.value)
		if list.Kind == FieldKind {
			return namedFor(list, found.support()).phrase(list) + include
		}
		return "the " + of.Many + include
	}
	field, ofPersons := list.Origin, list.Origin.OfPerson() && list.Origin.List == nil
	unit, listUnit := units(value, list)
	said := valueText(subject.value) + unit
	is := subjectText(value, subject) + " " + said
	switch {
	case value.Constant() && ofPersons && truth:
		return "the " + field.Label + whoseText(found) + " is " + said
	case ofPersons && !truth:
		none := wording{}.oneOf("no", list)
		if value.Constant() {
			return none + " is " + said
		}
		return is + ", and " + none + " is the same"
	case ofPersons:
		return is + ", the same as the " + field.Label + whoseText(found)
	case list.Kind == LoopKind:
		one := wording{}.oneOf(rulefile.Pick(truth, "a", "no"), list)
		switch {
		case value.Constant():
			return one + " is " + said
		case truth:
			return is + ", the same as " + one
		}
		return is + ", and " + one + " is the same"
	case list.Kind == ArrayKind && truth:
		return is + ", one of " + wording{}.anyOf(list, listUnit)
	case list.Kind == ArrayKind:
		return is + ", not " + wording{}.anyOf(list, listUnit)
	}
	return is + rulefile.Pick(truth, ", which is in ", ", which is not in ") + wording{}.phrase(list)
}

// whoseText names the persons whose values were found in a list, or some of them if there are many.
func whoseText(found datum) string {
	var persons []string
	named := map[string]bool{}
	for _, item := range found.items {
		for _, a := range item.rests().atoms {
			if a.person != "" && !named[a.person] {
				named[a.person] = true
				persons = append(persons, a.person)
			}
		}
	}
	switch more := len(persons) - maxClauses; {
	case len(persons) == 0:
		return ""
	case len(persons) == 1:
		return " of person " + persons[0]
	case more > 0:
		persons = append(persons[:maxClauses], fmt.Sprintf("and %d more", more))
	}
	return " of persons " + strings.Join(persons, ", ")
}

// relationText is empty for an equality that holds: the value says it.
func relationText(operator string, of fact.Shape, truth bool) string {
	if !truth {
		if opposite, ok := denied[operator]; ok {
			operator, truth = opposite, true
		}
	}
	date := of == fact.DateShape
	switch operator {
	case operators.NotEquals:
		return "not"
	case operators.Less:
		return rulefile.Pick(date, "before", "less than")
	case operators.LessEquals:
		return rulefile.Pick(date, "on or before", "at most")
	case operators.Greater:
		return rulefile.Pick(date, "after", "more than")
	case operators.GreaterEquals:
		return rulefile.Pick(date, "on or after", "at least")
	case "contains":
		return rulefile.Pick(truth, "which contains", "which does not contain")
	case "startsWith":
		return rulefile.Pick(truth, "which starts with", "which does not start with")
	case "endsWith":
		return rulefile.Pick(truth, "which ends with", "which does not end with")
	}
	return ""
}

func valueText(v any) string {
	switch v := v.(type) {
	case fact.Number:
		return v.Words()
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// jsonBytes is the size of a value in bytes, as Temporal's converter writes it.
func jsonBytes(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("requirement: a reason that JSON cannot express: %v", err))
	}
	return len(text)
}

// clipBytes shortens a text to most bytes in JSON.
func clipBytes(text string, most int) string {
	clipped := text
	for jsonBytes(clipped) > most && text != "" {
		text = strings.ToValidUTF8(text[:len(text)*9/10], "")
		clipped = text + "…"
	}
	return clipped
}

// moreBytes is space for "; and 40000 more such values".
const moreBytes = 32
