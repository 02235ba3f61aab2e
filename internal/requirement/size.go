package requirement

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
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
	citizenships textSet
}

func (s ruleSize) of(persons int) int { return s.fixed + s.perPerson*persons }

// textSet is a set of texts; a nil one holds every text.
type textSet map[string]struct{}

func setOf(texts []string) textSet {
	set := make(textSet, len(texts))
	for _, text := range texts {
		set[text] = struct{}{}
	}
	return set
}

// and holds what both hold.
func (s textSet) and(other textSet) textSet {
	switch {
	case s == nil:
		return other
	case other == nil:
		return s
	case len(other) < len(s):
		s, other = other, s
	}
	both := textSet{}
	for text := range s {
		if _, ok := other[text]; ok {
			both[text] = struct{}{}
		}
	}
	return both
}

// or holds what either holds.
func (s textSet) or(other textSet) textSet {
	if s == nil || other == nil {
		return nil
	}
	either := make(textSet, len(s)+len(other))
	maps.Copy(either, s)
	maps.Copy(either, other)
	return either
}

// sizes are those of a rule set whose every document is required at once.
type sizes struct {
	rules []ruleSize
	// business is what does not belong to a person. persons are the largest sums
	// for one person: of a citizenship that no rule names, and of each that one
	// does.
	business sizeSum
	persons  []sizeSum
}

// sizeSum adds the sizes of several rules.
type sizeSum struct{ documents, fixed, perPerson int }

func (s sizeSum) plus(r ruleSize) sizeSum {
	return sizeSum{s.documents + 1, s.fixed + r.fixed, s.perPerson + r.perPerson}
}

func (p *Program) sizes() sizes {
	all := sizes{rules: make([]ruleSize, len(p.rules))}
	anybody, named := sizeSum{}, map[string]sizeSum{}
	for i := range p.rules {
		size := p.sizeOf(&p.rules[i])
		all.rules[i] = size
		switch {
		case size.rule.EntityType != EntityPerson:
			all.business = all.business.plus(size)
		case size.citizenships == nil:
			anybody = anybody.plus(size)
		}
		for citizenship := range size.citizenships {
			named[citizenship] = named[citizenship].plus(size)
		}
	}
	all.persons = []sizeSum{anybody}
	for _, citizenship := range sortedKeys(named) {
		sum := named[citizenship]
		all.persons = append(all.persons, sizeSum{sum.documents + anybody.documents, sum.fixed + anybody.fixed, sum.perPerson + anybody.perPerson})
	}
	return all
}

// of is how many documents a business with so many persons can be required to
// bring, and their bytes. All persons may have the citizenship of which most is
// required.
func (all sizes) of(persons int) (documents, bytes int) {
	most, mostBytes := 0, 0
	for _, sum := range all.persons {
		if bytesOfOne := sum.fixed + sum.perPerson*persons; bytesOfOne > mostBytes {
			most, mostBytes = sum.documents, bytesOfOne
		}
	}
	return all.business.documents + most*persons, all.business.fixed + all.business.perPerson*persons + mostBytes*persons
}

// tooLarge is the problem of a rule set that a run could not carry for a
// business of ordinary size, and the warning of one that it could not carry for
// the largest.
func (all sizes) tooLarge() (problem, warning *Problem) {
	documents, bytes := all.of(SizedPersons)
	if bytes > MaxResultBytes {
		return &Problem{Path: "documents", Message: fmt.Sprintf("may require %d documents at once of a business with %d persons, which take up to %d bytes with their texts and reasons, and a calculation holds %d (%s): %s",
			documents, SizedPersons, bytes, MaxResultBytes, all.largest(SizedPersons), all.smaller(SizedPersons))}, nil
	}
	// More persons never take less.
	fits := SizedPersons + sort.Search(MaxPersons-SizedPersons, func(more int) bool {
		_, bytes := all.of(SizedPersons + more + 1)
		return bytes > MaxResultBytes
	})
	if fits < MaxPersons {
		return nil, &Problem{Path: "documents", Message: fmt.Sprintf("fits into a calculation for a business with up to %d persons; of one with more it may require too much at once, and would then be refused when it is calculated (%s): %s",
			fits, all.largest(fits+1), all.smaller(fits+1))}
	}
	return nil, nil
}

// total are the bytes of a rule's documents, and those of them that name persons in
// their reasons.
func (s ruleSize) total(persons int) (bytes, naming int) {
	bytes, naming = s.of(persons), s.perPerson*persons
	if s.rule.EntityType == EntityPerson {
		bytes, naming = bytes*persons, naming*persons
	}
	return bytes, naming
}

// byTotal are the rules whose documents take bytes, those that take most first.
func (all sizes) byTotal(persons int) []ruleSize {
	sorted := slices.Clone(all.rules)
	slices.SortStableFunc(sorted, func(a, b ruleSize) int {
		bytesOfA, _ := a.total(persons)
		bytesOfB, _ := b.total(persons)
		return bytesOfB - bytesOfA
	})
	return sorted
}

// largest names the documents that take most, with their bytes.
func (all sizes) largest(persons int) string {
	const shown = 3
	sorted := all.byTotal(persons)
	var texts []string
	for _, s := range sorted[:min(shown, len(sorted))] {
		bytes, naming := s.total(persons)
		text := fmt.Sprintf("%s with %d", s.rule.DocumentTypeCode, bytes)
		if s.mostlyNames(persons) {
			text += fmt.Sprintf(", of which %d are the persons that its reasons name", naming)
		}
		texts = append(texts, text)
	}
	return "the largest are " + strings.Join(texts, "; ")
}

// mostlyNames reports a rule whose reasons, which name each person for each person,
// are most of it.
func (s ruleSize) mostlyNames(persons int) bool {
	bytes, naming := s.total(persons)
	return s.rule.EntityType == EntityPerson && 2*naming > bytes
}

// smaller says how to require less.
func (all sizes) smaller(persons int) string {
	if largest := all.byTotal(persons)[0]; largest.mostlyNames(persons) {
		return fmt.Sprintf("%s is evaluated for each person, and each of its reasons names all persons: look at person alone in it, or make what looks at persons a rule of the business", largest.rule.DocumentTypeCode)
	}
	return "require fewer documents of each person, or shorten their texts"
}

func (p *Program) sizeOf(r *rule) ruleSize {
	largest := Requirement{
		DocumentTypeCode: r.DocumentTypeCode, Name: r.Name, Category: r.Category, RequirementText: r.RequirementText,
		EntityType: r.EntityType, EntityID: longestEntityID,
	}
	largest.Reason = (&rule{DocumentRule: r.DocumentRule}).reason(nil)
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
		facts[name] = lookup(name).longest
	}
	return facts
}

func (n needs) longestPerson() map[string]any {
	person := map[string]any{}
	for field := range n.fields {
		person[field] = lookup(field).longest
	}
	return person
}

// longestText is as long as any text that records hold for a fact.
func longestText(fact string) string {
	if form := lookup(fact).text; form != nil {
		return form.longest
	}
	return longestEntityID
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
	longest, length := "", 0
	named := textSet{}
	c.tree.walk(func(n *node) {
		switch n.kind {
		case literalKind:
		case listKind:
			if _, before := named[n.name]; before {
				return
			}
			named[n.name] = struct{}{}
		default: // what it holds is visited too
			return
		}
		for _, text := range constantTexts(n, lists) {
			// No character takes more than six bytes as JSON for each of its own.
			if 6*len(text)+2 > length && len(canonicalJSON(text)) > length {
				longest, length = text, len(canonicalJSON(text))
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
	d.why = &why{atoms: []atom{{person: longestEntityID, field: field}}}
	if n.shape.list {
		for i := range maxClauses + 1 {
			d.items = append(d.items, datum{why: &why{atoms: []atom{{person: fmt.Sprintf("%s%d", longestEntityID[1:], i), field: field}}}})
		}
	}
	return d
}

func (n *node) longestValue(text string) any {
	onRecord := n.kind == factKind || n.kind == fieldKind
	of := n.origin
	if onRecord {
		of = n.name
	}
	switch {
	case n.kind == literalKind:
		return n.literal
	case n.shape == textShape && of != "":
		return longestText(of)
	case n.shape == textShape:
		return text
	case n.shape == dateShape:
		return Date{Year: 9999, Month: 12, Day: 31}
	case n.shape == numberShape && n.whole && (onRecord || n.counts()):
		return longestAge
	case n.shape == numberShape && onRecord && lookup(of).signed:
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
func citizenships(n *node, lists map[string][]string) textSet {
	if n.kind != callKind {
		return nil
	}
	switch n.name {
	case operators.LogicalAnd:
		return citizenships(n.args[0], lists).and(citizenships(n.args[1], lists))
	case operators.LogicalOr:
		return citizenships(n.args[0], lists).or(citizenships(n.args[1], lists))
	case operators.Equals, operators.In:
		for i, arg := range n.args {
			ofPerson := arg.kind == fieldKind && arg.name == nameCitizenship && arg.args[0].kind == factKind
			if other := n.args[1-i]; ofPerson && other.constant() && other.kind != callKind && other.kind != loopKind {
				return setOf(constantTexts(other, lists))
			}
		}
	}
	return nil
}
