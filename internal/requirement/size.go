package requirement

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
)

// SizedPersons is how many persons a business may have on record for every
// calculation of a published rule set to be certain to fit into a run. For more,
// up to MaxPersons, publishing only warns.
const SizedPersons = 50

// What takes most room of what records hold.
const (
	longestEntityID = "p_0000000000000000000000"
	longestScore    = "-999999999999.999999"
)

var (
	longestAmount = rational.Hundredths(999999999999999)
	longestAge    = rational.Int(9999 * 12) // in months
	// A number that is calculated, as a reason says it: of 154 digits.
	longestNumber = "just under -" + strings.Repeat("9", 154) + ".123456"
	longestShare  = rational.Hundredths(9999)
)

// resultSize counts the bytes of requirements. Writing them as JSON takes longer
// than most evaluations, so it is done only where a bound that is found at a
// glance exceeds MaxResultBytes.
type resultSize struct{ glance, exact int }

// add counts one more requirement after those that were added before.
func (s *resultSize) add(r Requirement, before []Requirement) (bytes int) {
	if s.glance <= MaxResultBytes {
		// A byte of a text takes six at most, as \u0000 does.
		s.glance += 500 + 6*(len(r.DocumentTypeCode)+len(r.Name)+len(r.Category)+len(r.RequirementText)+len(r.EntityType)+len(r.EntityID)+
			len(r.Reason.Rule)+len(r.Reason.Message)) + mostBytes(r.Reason.Facts)
		if s.glance <= MaxResultBytes {
			return s.glance
		}
		for _, earlier := range before {
			s.exact += len(canonicalJSON(earlier))
		}
	}
	s.exact += len(canonicalJSON(r))
	return s.exact
}

// mostBytes is no less than what facts take as JSON.
func mostBytes(facts map[string]any) int {
	total := 2
	for name, value := range facts {
		total += 6*len(name) + 4
		switch value := value.(type) {
		case string:
			total += 6*len(value) + 2
		case []string:
			for _, text := range value {
				total += 6*len(text) + 3
			}
		case map[string]any:
			total += mostBytes(value)
		default:
			total += len(fmt.Sprint(value))
		}
	}
	return total
}

// ruleSize is how many bytes one document of a rule takes at most, as JSON with
// its texts and its reason: fixed, and as much again for each person on record
// whom its reason can name.
type ruleSize struct {
	rule      *rule
	fixed     int
	perPerson int
	// citizenships are those to whom a Person rule can apply at all; nil when
	// its condition does not say.
	citizenships []string
}

func (s ruleSize) of(persons int) int { return s.fixed + s.perPerson*persons }

// sizes are those of a rule set whose every document is required at once.
type sizes []ruleSize

func (p *Program) sizes() sizes {
	found := make(sizes, len(p.rules))
	for i := range p.rules {
		found[i] = p.sizeOf(&p.rules[i])
	}
	return found
}

// of is how many documents a business with so many persons can be required to
// bring, and their bytes. All persons may have the citizenship of which most is
// required.
func (all sizes) of(persons int) (documents, bytes int) {
	named := []string{""} // a citizenship that no rule names
	for _, s := range all {
		named = append(named, s.citizenships...)
		if s.rule.EntityType != EntityPerson {
			documents, bytes = documents+1, bytes+s.of(persons)
		}
	}
	slices.Sort(named)
	mostDocuments, mostBytes := 0, 0
	for _, citizenship := range slices.Compact(named) {
		ofOne, bytesOfOne := 0, 0
		for _, s := range all {
			if s.rule.EntityType == EntityPerson && (s.citizenships == nil || slices.Contains(s.citizenships, citizenship)) {
				ofOne, bytesOfOne = ofOne+1, bytesOfOne+s.of(persons)
			}
		}
		if bytesOfOne > mostBytes {
			mostDocuments, mostBytes = ofOne, bytesOfOne
		}
	}
	return documents + mostDocuments*persons, bytes + mostBytes*persons
}

// tooLarge is the problem of a rule set that a run could not carry for a
// business of ordinary size, and the warning of one that it could not carry for
// the largest.
func (all sizes) tooLarge() (problem, warning *Problem) {
	documents, bytes := all.of(SizedPersons)
	if bytes > MaxResultBytes {
		return &Problem{Path: "documents", Message: fmt.Sprintf("may require %d documents at once of a business with %d persons, which take up to %d bytes with their texts and reasons, and a calculation holds %d (%s): require fewer documents of each person, or shorten their texts",
			documents, SizedPersons, bytes, MaxResultBytes, all.largest(SizedPersons))}, nil
	}
	fits := SizedPersons
	for fits < MaxPersons {
		if _, bytes := all.of(fits + 1); bytes > MaxResultBytes {
			return nil, &Problem{Path: "documents", Message: fmt.Sprintf("fits into a calculation for a business with up to %d persons; of one with more it may require too much at once, and would then be refused when it is calculated (%s): require fewer documents of each person, or shorten their texts",
				fits, all.largest(fits+1))}
		}
		fits++
	}
	return nil, nil
}

// largest names the documents that take most, with their bytes.
func (all sizes) largest(persons int) string {
	const shown = 3
	total := func(s ruleSize) int {
		if s.rule.EntityType == EntityPerson {
			return s.of(persons) * persons
		}
		return s.of(persons)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b ruleSize) int { return total(b) - total(a) })
	var texts []string
	for _, s := range sorted[:min(shown, len(sorted))] {
		texts = append(texts, fmt.Sprintf("%s with %d", s.rule.DocumentTypeCode, total(s)))
	}
	return "the largest are " + strings.Join(texts, ", ")
}

func (p *Program) sizeOf(r *rule) ruleSize {
	largest := Requirement{
		DocumentTypeCode: r.DocumentTypeCode, Name: r.Name, Category: r.Category, RequirementText: r.RequirementText,
		EntityType: r.EntityType, EntityID: longestEntityID,
	}
	largest.Reason = rule{DocumentRule: r.DocumentRule}.reason(nil)
	size := ruleSize{rule: r}
	if c := r.condition; c != nil {
		person := c.needs.longestPerson()
		largest.Reason = Reason{Rule: c.source, Message: c.longestMessage(r.Name, p.lists), Facts: c.needs.longestFacts()}
		switch {
		case c.needs.people:
			size.perPerson = len(canonicalJSON(person)) + len(`"":,`) + len(longestEntityID)
		case len(c.needs.fields) > 0:
			largest.Reason.Facts[namePersons] = map[string]any{longestEntityID: person}
		}
		if r.EntityType == EntityPerson {
			size.citizenships = citizenships(c.tree, p.lists)
		}
	}
	size.fixed = len(canonicalJSON(largest)) + len(`"persons":{},`)
	return size
}

// longestFacts are the facts that a reason can hold, apart from persons.
func (n needs) longestFacts() map[string]any {
	facts := map[string]any{}
	for name := range n.facts {
		fact, _ := findFact(name)
		switch {
		case name == "industry_category_code":
			codes := make([]string, MaxIndustryCategoryCodes)
			for i := range codes {
				codes[i] = fmt.Sprintf("%0*d", len(textForms[name].longest), i)
			}
			facts[name] = codes
		case name == "evaluation_score":
			facts[name] = longestScore
		case slices.Contains(wholeFacts, name):
			facts[name] = longestAge
		case fact.shape == numberShape:
			facts[name] = longestAmount
		default:
			facts[name] = "9999-12-31"
		}
	}
	return facts
}

func (n needs) longestPerson() map[string]any {
	person := map[string]any{}
	for field := range n.fields {
		person[field] = longestField(field)
	}
	return person
}

func longestField(field string) any {
	if field == "ownership_percentage" {
		return longestShare
	}
	return longestText(field)
}

// longestText is as long as any text that records hold for a fact.
func longestText(fact string) string {
	return cmp.Or(textForms[fact].longest, longestEntityID)
}

// longestMessage is no shorter, as JSON, than any sentence that explains the
// condition.
func (c *condition) longestMessage(name string, lists map[string][]string) string {
	texts := longestClauses(c.tree, false, c.longestText(lists))
	slices.SortFunc(texts, func(a, b string) int { return len(canonicalJSON(b)) - len(canonicalJSON(a)) })
	said := strings.Join(texts[:min(len(texts), maxClauses)], "; ")
	if other := statements(nil, c.tree); len(canonicalJSON(other)) > len(canonicalJSON(said)) {
		said = other
	}
	return becauseText(name, "required", fmt.Sprintf("%s; and %d more such values", said, math.MaxInt32))
}

// longestText is the longest text that the condition itself, or a list that it
// names, holds; of texts on record it is told elsewhere.
func (c *condition) longestText(lists map[string][]string) string {
	longest := ""
	c.tree.walk(func(n *node) {
		for _, text := range constantTexts(n, lists) {
			if len(canonicalJSON(text)) > len(canonicalJSON(longest)) {
				longest = text
			}
		}
	})
	return longest
}

// longestClauses are the longest statements that the comparisons below n can
// make, as often as a reason can hold them: once, or within a loop for each
// element.
func longestClauses(n *node, looped bool, text string) []string {
	if n == nil {
		return nil
	}
	var found []string
	for i, arg := range n.args {
		found = append(found, longestClauses(arg, looped || n.kind == loopKind && i > 0, text)...)
	}
	longest := ""
	if n.kind == loopKind && n.shape == boolShape {
		for _, truth := range []bool{true, false} {
			if said := (clause{node: n, truth: truth}).text(); len(canonicalJSON(said)) > len(canonicalJSON(longest)) {
				longest = said
			}
		}
		return append(found, longest)
	}
	if !n.states() {
		return found
	}
	longest = ""
	operands := []datum{longestDatum(n.args[0], text), longestDatum(n.args[1], text)}
	for _, truth := range []bool{true, false} {
		said := clause{node: n, operands: operands, truth: truth}.text()
		if len(canonicalJSON(said)) > len(canonicalJSON(longest)) {
			longest = said
		}
	}
	times := 1
	if looped {
		times = maxClauses
	}
	return append(found, slices.Repeat([]string{longest}, times)...)
}

// states reports whether n says something about values: see statement.
func (n *node) states() bool {
	if n.kind != callKind || len(n.args) != 2 || n.args[0].shape == boolShape {
		return false
	}
	return n.isComparison() || slices.Contains([]string{"contains", "startsWith", "endsWith"}, n.name)
}

// longestDatum is a value of n that takes most room in a sentence, with whose it
// is.
func longestDatum(n *node, text string) datum {
	d := datum{value: n.longestValue(text)}
	field := n.personField()
	if field == "" {
		return d
	}
	d.atoms = []atom{{person: longestEntityID, field: field}}
	if n.shape.list {
		for i := range maxClauses + 1 {
			d.items = append(d.items, datum{atoms: []atom{{person: fmt.Sprintf("%s%d", longestEntityID[1:], i), field: field}}})
		}
	}
	return d
}

func (n *node) longestValue(text string) any {
	onRecord := n.kind == factKind || n.kind == fieldKind
	switch {
	case n.kind == literalKind:
		return n.literal
	case n.shape == textShape && n.origin != "":
		return longestText(n.origin)
	case n.shape == textShape:
		return text
	case n.shape == dateShape:
		return Date{Year: 9999, Month: 12, Day: 31}
	case n.shape == numberShape && n.whole && (onRecord || n.counts()):
		return longestAge
	case n.shape == numberShape && n.name == "evaluation_score":
		return longestScore
	case n.shape == numberShape && onRecord:
		return longestAmount
	case n.shape == numberShape:
		return longestNumber
	}
	return nil
}

// personField is the field of persons that a value of n is made of, the longest
// if of several; empty when it tells of nobody.
func (n *node) personField() string {
	longest := ""
	n.walk(func(part *node) {
		field := ""
		switch {
		case part.kind == fieldKind:
			field = part.name
		case part.kind == variableKind && slices.Contains(personFieldNames(), part.origin):
			field = part.origin
		}
		if len(field) > len(longest) {
			longest = field
		}
	})
	return longest
}

// citizenships are those of which one must be person's for the condition to
// hold, or nil when it holds for others too.
func citizenships(n *node, lists map[string][]string) []string {
	if n.kind != callKind {
		return nil
	}
	switch n.name {
	case operators.LogicalAnd:
		left, right := citizenships(n.args[0], lists), citizenships(n.args[1], lists)
		switch {
		case left == nil:
			return right
		case right == nil:
			return left
		}
		return slices.DeleteFunc(left, func(code string) bool { return !slices.Contains(right, code) })
	case operators.LogicalOr:
		left, right := citizenships(n.args[0], lists), citizenships(n.args[1], lists)
		if left == nil || right == nil {
			return nil
		}
		return append(left, right...)
	case operators.Equals, operators.In:
		for i, arg := range n.args {
			ofPerson := arg.kind == fieldKind && arg.name == "citizenship" && arg.args[0].kind == factKind
			if other := n.args[1-i]; ofPerson && other.constant() && other.kind != callKind && other.kind != loopKind {
				return append([]string{}, constantTexts(other, lists)...)
			}
		}
	}
	return nil
}
