package requirement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/rational"
)

// ParseRuleSetJSON reads a rule set from JSON, strictly: repeated names, unknown
// names, names in another case, wrong types and anything after the end are
// problems, and all of them are reported at once, placed in the file. Missing
// names and the conditions are Compile's concern; what could be read is returned
// with the problems, so that Compile can find the rest.
func ParseRuleSetJSON(data []byte) (RuleSet, []Problem) {
	root, problems := readJSON(data)
	return decodeRuleSet(root, problems)
}

// ParseStoredRuleSet reads the canonical form of a rule set that has been published.
// What its examples say was held against what records could hold then, which may be
// less or more today.
func ParseStoredRuleSet(data []byte) (RuleSet, []Problem) {
	root, problems := readJSON(data)
	d := &decoding{problems: problems, stored: true}
	return d.ruleSet(root)
}

// ParseRuleSetYAML is ParseRuleSetJSON for YAML. Texts that YAML would take for
// numbers, such as industry category codes, must be in quotes. Anchors, aliases
// and merge keys are refused.
func ParseRuleSetYAML(data []byte) (RuleSet, []Problem) {
	root, problems := readYAML(data)
	return decodeRuleSet(root, problems)
}

// ParsePricingModelJSON reads a pricing model as ParseRuleSetJSON reads a rule
// set.
func ParsePricingModelJSON(data []byte) (PricingModel, []Problem) {
	root, problems := readJSON(data)
	return decodePricingModel(root, problems)
}

// ParsePricingModelYAML reads a pricing model as ParseRuleSetYAML reads a rule
// set.
func ParsePricingModelYAML(data []byte) (PricingModel, []Problem) {
	root, problems := readYAML(data)
	return decodePricingModel(root, problems)
}

func decodeRuleSet(root *sourceNode, problems []Problem) (RuleSet, []Problem) {
	d := &decoding{problems: problems}
	return d.ruleSet(root)
}

func (d *decoding) ruleSet(root *sourceNode) (RuleSet, []Problem) {
	if root == nil {
		return RuleSet{}, d.problems
	}
	var rs RuleSet
	d.object(root, "", fields{
		"lists":     func(n *sourceNode, path string) { rs.Lists = d.lists(n, path) },
		"documents": func(n *sourceNode, path string) { rs.Documents = list(d, n, path, d.document) },
		"examples":  func(n *sourceNode, path string) { rs.Examples = listUpTo(d, n, path, 2*MaxExamples, d.example) },
	})
	if root.kind == objectSource && root.member("documents") == nil && len(d.problems) == 0 {
		d.refuse(root, "documents", "is missing; it may be empty: documents: []")
	}
	return rs, d.problems
}

func decodePricingModel(root *sourceNode, problems []Problem) (PricingModel, []Problem) {
	if root == nil {
		return PricingModel{}, problems
	}
	d := &decoding{problems: problems}
	var model PricingModel
	d.object(root, "", fields{
		"base":  func(n *sourceNode, path string) { model.Base = value(d.number(n, path)) },
		"rules": func(n *sourceNode, path string) { model.Rules = list(d, n, path, d.pricingRule) },
	})
	if root.kind == objectSource && root.member("base") == nil && len(d.problems) == 0 {
		d.refuse(root, "base", "is missing: write the score that a business has before any rule, such as base: 500")
	}
	return model, d.problems
}

// fields are the names that an object may have, and what reads each.
type fields map[string]func(n *sourceNode, path string)

// decoding collects the problems of one file.
type decoding struct {
	problems []Problem
	stored   bool // the file was checked when it was published
}

func (d *decoding) refuse(n *sourceNode, path, format string, args ...any) {
	switch len(d.problems) {
	case maxProblems:
		return
	case maxProblems - 1:
		d.problems = append(d.problems, moreProblems())
		return
	}
	line, column := n.place()
	d.problems = append(d.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: line, Column: column})
}

// full reports that no further problem will be told: nothing more is read.
func (d *decoding) full() bool { return len(d.problems) >= maxProblems }

// expect reports whether n is of a kind, and a problem when it is not.
func (d *decoding) expect(n *sourceNode, path string, kind sourceKind) bool {
	switch n.kind {
	case kind:
		return true
	case refusedSource:
		return false
	}
	hint := ""
	scalar := n.kind == textSource || n.kind == numberSource
	switch {
	case kind == numberSource && n.kind == textSource && separatedDigits.MatchString(n.text):
		hint = ": " + plainDigits
	case kind == arraySource && gluedDash(n):
		hint = ": put a blank after the dash"
	case n.kind == boolSource && strings.HasSuffix(path, ".when"):
		hint = ": leave when out for a document that is always required"
	case kind == textSource && (n.kind == numberSource || n.kind == boolSource):
		hint = fmt.Sprintf(": put it in quotes, %q", clip(n.text))
	case kind == arraySource && scalar:
		hint = fmt.Sprintf(": put it in square brackets, [%q]", clip(n.text))
	case kind == objectSource && n.kind == textSource && noBlankAfterColon.MatchString(n.text):
		hint = ": put a blank after the colon"
	case kind == arraySource && n.kind == objectSource:
		hint = ": begin each entry with - and a blank"
	}
	d.refuse(n, path, "must be %s and is %s%s", kind, n.kind, hint)
	return false
}

// separatedDigits is a large number in parts, as people write it.
var separatedDigits = regexp.MustCompile(`^-?[0-9]{1,3}(?:[,_'’ \x{a0}\x{2009}\x{202f}][0-9]{3})+(?:\.[0-9]+)?$|^-?[0-9]{1,3}(?:\.[0-9]{3}){2,}$`)

// cutText is about what follows a comma in brackets where it belongs to the text
// before it. It is told once for each text.
func (d *decoding) cutText(cut, rest *sourceMember, path string) {
	at := strings.TrimPrefix(path+"."+clip(cut.name), ".")
	if slices.ContainsFunc(d.problems, func(p Problem) bool { return p.Path == at }) {
		return
	}
	if separatedDigits.MatchString(cut.value.text + "," + rest.name) {
		d.refuse(cut.value, at, "a comma ends a number in brackets: %s", plainDigits)
		return
	}
	d.refuse(&rest.key, at, "a comma ends a text in brackets: put the whole text of %s in quotes", clip(cut.name))
}

// gluedDash reports what YAML makes of a list whose dashes have no blank after them.
func gluedDash(n *sourceNode) bool {
	glued := func(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != ' ' }
	if n.kind == textSource {
		return n.style == plainStyle && glued(n.text)
	}
	return n.kind == objectSource && n.where(func(m *sourceMember) bool { return glued(m.name) }) != nil
}

// object reads the members of n. It reports whether all of them could be read.
func (d *decoding) object(n *sourceNode, path string, allowed fields) bool {
	if !d.expect(n, path, objectSource) {
		return false
	}
	before := len(d.problems)
	// The ages are known only to say that they follow from other facts.
	names := func() []string {
		return slices.DeleteFunc(sortedKeys(allowed), func(name string) bool { return lookup(name).follows != "" })
	}
	seen := map[string]bool{}
	var cut *sourceMember // the text that a comma may have cut
	n.eachMember(func(m *sourceMember) bool {
		if n.flow && m.value.kind == nullSource && m.value.text == "" && allowed[m.name] == nil && cut != nil {
			d.cutText(cut, m, path)
			return !d.full()
		}
		if cut = nil; n.flow && m.value.style == plainStyle && (m.value.kind == textSource || m.value.kind == numberSource) {
			cut = m
		}
		at := strings.TrimPrefix(path+"."+clip(m.name), ".")
		here := &m.key
		read, known := allowed[m.name]
		switch {
		case seen[m.name]:
			d.refuse(here, at, "is written twice")
		case !known && len(d.problems) >= maxProblems: // it would not be told
		case !known && glued(m.name, allowed):
			name, text, _ := strings.Cut(m.name, ":")
			seen[name] = true
			d.refuse(here, strings.TrimPrefix(path+"."+name, "."), "put a blank after the colon")
			line, column := m.key.place()
			allowed[name](&sourceNode{kind: textSource, text: text, line: line, column: column}, strings.TrimPrefix(path+"."+name, "."))
		case !known:
			listed := names()
			// What was meant is read all the same, so that it is not missing too.
			if meant, ok := nearest(m.name, listed); ok && !seen[meant] && n.member(meant) == nil {
				seen[meant] = true
				allowed[meant](m.value, at)
			}
			hint := didYouMean(m.name, listed)
			if at := strings.IndexFunc(m.name, func(letter rune) bool { return lookalikes[letter].latin != "" }); at >= 0 {
				letter, _ := utf8.DecodeRuneInString(m.name[at:])
				hint = "; " + foreignLetter(letter)
			}
			if path == "" && hint == "" && belongsBelow(m.name) {
				hint = "; indent it as deep as the other names of the entry"
			}
			d.refuse(here, strings.TrimPrefix(path+"."+clip(m.name), "."), "is not a name that belongs here%s; the names are %s", hint, strings.Join(listed, ", "))
		default:
			read(m.value, at)
		}
		seen[m.name] = true
		return !d.full()
	})
	return len(d.problems) == before
}

// noBlankAfterColon is a name that YAML takes for a part of the text after it.
var noBlankAfterColon = regexp.MustCompile(`^(?:` + ruleFileNames + `):\S`)

// glued reports a name with its value, which one blank would make of it.
func glued(name string, allowed fields) bool {
	name, _, found := strings.Cut(name, ":")
	return found && allowed[name] != nil
}

func list[T any](d *decoding, n *sourceNode, path string, read func(n *sourceNode, path string) T) []T {
	return listUpTo(d, n, path, maxSourceItems, read)
}

// listUpTo is list for entries that take far more room read than written.
func listUpTo[T any](d *decoding, n *sourceNode, path string, most int, read func(n *sourceNode, path string) T) []T {
	if !d.expect(n, path, arraySource) {
		return nil
	}
	count := n.count()
	if count > most {
		d.refuse(n, path, "holds %d entries, far more than are allowed", count)
		return nil
	}
	values := make([]T, 0, count)
	n.eachItem(func(i int, item *sourceNode) bool {
		values = append(values, read(item, fmt.Sprintf("%s[%d]", path, i)))
		return !d.full()
	})
	return values
}

// texts is list for texts, of which there may be very many.
func (d *decoding) texts(n *sourceNode, path string) []string {
	if !d.expect(n, path, arraySource) {
		return nil
	}
	count := n.count()
	if count > maxSourceItems {
		d.refuse(n, path, "holds %d entries, far more than are allowed", count)
		return nil
	}
	values := make([]string, 0, count)
	n.eachItem(func(i int, item *sourceNode) bool {
		text := ""
		if item.kind == textSource {
			text = strings.Clone(item.text)
		} else {
			d.expect(item, fmt.Sprintf("%s[%d]", path, i), textSource)
		}
		values = append(values, text)
		return !d.full()
	})
	return values
}

func (d *decoding) text(n *sourceNode, path string) string {
	if !d.expect(n, path, textSource) {
		return ""
	}
	return strings.Clone(n.text) // which would keep the whole file
}

func (d *decoding) number(n *sourceNode, path string) *Number {
	if !d.expect(n, path, numberSource) {
		return nil
	}
	number, err := rational.Parse(n.text)
	if !jsontext.Value(n.text).IsValid() || err != nil {
		hint := "write at most 40 digits, with a point if need be"
		if separatedDigits.MatchString(n.text) {
			hint = plainDigits
		}
		d.refuse(n, path, "%s is not a plain number: %s", clip(n.text), hint)
		return nil
	}
	return &number
}

func (d *decoding) date(n *sourceNode, path string) *Date {
	if !d.expect(n, path, textSource) {
		return nil
	}
	date, err := ParseDate(n.text)
	if err != nil {
		d.refuse(n, path, "%v", err)
		return nil
	}
	return &date
}

// value is what p points to, or the zero value once a problem has been reported.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func (d *decoding) into(target *string) func(*sourceNode, string) {
	return func(n *sourceNode, path string) { *target = d.text(n, path) }
}

// amountInto reads a number that a record can hold.
func (d *decoding) amountInto(target **Number, fact string) func(*sourceNode, string) {
	return func(n *sourceNode, path string) {
		number := d.number(n, path)
		if number != nil && !d.stored {
			if why := lookup(fact).unrecordedNumber(*number, true); why != "" {
				d.refuse(n, path, "is %s, %s: %s", clip(n.text), neverOnRecord, why)
				return
			}
		}
		*target = number
	}
}

// factText reads a text that a record can hold.
func (d *decoding) factText(n *sourceNode, path, fact string) string {
	text := d.text(n, path)
	if n.kind == textSource && !d.stored {
		if why := unrecorded(fact, text); why != "" {
			d.refuse(n, path, "is %q, %s: %s", clip(text), neverOnRecord, why)
		}
	}
	return text
}

// idInto reads the id of a person, which may be left out but not be empty.
func (d *decoding) idInto(target *string) func(*sourceNode, string) {
	return func(n *sourceNode, path string) {
		*target = d.text(n, path)
		if n.kind == textSource && n.text == "" {
			d.refuse(n, path, "is empty: write a person_id of the facts, or leave it out")
		}
	}
}

func (d *decoding) dateInto(target **Date) func(*sourceNode, string) {
	return func(n *sourceNode, path string) { *target = d.date(n, path) }
}

func (d *decoding) entityTypeInto(target *string) func(*sourceNode, string) {
	return func(n *sourceNode, path string) {
		*target = d.text(n, path)
		if types := entityTypes(); n.kind == textSource && !slices.Contains(types, n.text) {
			d.refuse(n, path, "%q is not Workflow, Business or Person%s", clip(n.text), didYouMean(n.text, types))
		}
	}
}

// conditionInto reads a condition. Leaving it out and leaving it blank are two
// things: only the first can mean "always".
func (d *decoding) conditionInto(target *string, hint string) func(*sourceNode, string) {
	return func(n *sourceNode, path string) {
		*target = d.text(n, path)
		if n.kind == textSource && strings.TrimSpace(n.text) == "" {
			d.refuse(n, path, "is empty: %s", hint)
		}
	}
}

func (d *decoding) lists(n *sourceNode, path string) map[string][]string {
	if !d.expect(n, path, objectSource) {
		return nil
	}
	lists := map[string][]string{}
	n.eachMember(func(m *sourceMember) bool {
		at := path + "." + clip(m.name)
		if _, twice := lists[m.name]; twice {
			d.refuse(&m.key, at, "is written twice")
			return !d.full()
		}
		lists[strings.Clone(m.name)] = d.texts(m.value, at)
		return !d.full()
	})
	return lists
}

func (d *decoding) document(n *sourceNode, path string) DocumentRule {
	var doc DocumentRule
	if n.kind == objectSource && n.empty() {
		return doc
	}
	d.object(n, path, fields{
		"document_type_code": d.into(&doc.DocumentTypeCode),
		"name":               d.into(&doc.Name),
		"category":           d.into(&doc.Category),
		"requirement_text":   d.into(&doc.RequirementText),
		"entity_type":        d.into(&doc.EntityType),
		"when":               d.conditionInto(&doc.When, "leave it out when the document is always required"),
	})
	return doc
}

func (d *decoding) pricingRule(n *sourceNode, path string) PricingRule {
	var rule PricingRule
	d.object(n, path, fields{
		"name":   d.into(&rule.Name),
		"when":   d.conditionInto(&rule.When, writeWhatMustHold),
		"points": func(n *sourceNode, path string) { rule.Points = value(d.number(n, path)) },
	})
	if n.kind == objectSource && n.member("points") == nil {
		d.refuse(n, path+".points", "is missing")
	}
	return rule
}

func (d *decoding) example(n *sourceNode, path string) Example {
	var example Example
	if n.kind == objectSource && n.empty() {
		return example
	}
	d.object(n, path, fields{
		"name":   d.into(&example.Name),
		"facts":  func(n *sourceNode, path string) { example.Facts = d.exampleFacts(n, path) },
		"expect": func(n *sourceNode, path string) { example.Expect = d.expectation(n, path) },
	})
	return example
}

func (d *decoding) exampleFacts(n *sourceNode, path string) ExampleFacts {
	var f ExampleFacts
	if n.kind == objectSource && n.empty() {
		return f
	}
	members := fields{
		"as_of":     d.dateInto(&f.AsOf),
		namePersons: func(n *sourceNode, path string) { f.Persons = listUpTo(d, n, path, 2*MaxPersons, d.examplePerson) },
		nameNoPersons: func(n *sourceNode, path string) {
			f.NoPersonsAttested = d.expect(n, path, boolSource) && strings.EqualFold(n.text, "true")
		},
	}
	for _, row := range factTable {
		if row.follows != "" {
			members[row.name] = func(n *sourceNode, path string) {
				d.refuse(n, path, "follows from other facts: write %s and as_of", row.follows)
			}
			continue
		}
		members[row.name] = d.factInto(row.example(&f), row.name)
	}
	d.object(n, path, members)
	return f
}

func (d *decoding) examplePerson(n *sourceNode, path string) PersonFacts {
	var person PersonFacts
	if n.kind == objectSource && n.empty() {
		return person
	}
	members := fields{}
	for _, row := range personFields {
		members[row.name] = d.factInto(row.ofPerson(&person), row.name)
	}
	d.object(n, path, members)
	return person
}

// factInto reads what a record can hold of a fact into the place where it is kept:
// see fact.
func (d *decoding) factInto(place any, fact string) func(*sourceNode, string) {
	switch place := place.(type) {
	case **Number:
		return d.amountInto(place, fact)
	case **Date:
		return d.dateInto(place)
	case **string:
		return func(n *sourceNode, path string) {
			text := d.factText(n, path, fact)
			*place = &text
		}
	case *string:
		return d.into(place)
	case *[]string:
		return func(n *sourceNode, path string) {
			*place = list(d, n, path, func(n *sourceNode, path string) string { return d.factText(n, path, fact) })
		}
	}
	panic(fmt.Sprintf("no fact is kept in a %T", place))
}

func (d *decoding) expectation(n *sourceNode, path string) Expectation {
	var expect Expectation
	d.object(n, path, fields{
		"documents": func(n *sourceNode, path string) { expect.Documents = list(d, n, path, d.expectedDocument) },
		"gaps":      func(n *sourceNode, path string) { expect.Gaps = list(d, n, path, d.expectedGap) },
	})
	return expect
}

func (d *decoding) expectedDocument(n *sourceNode, path string) ExpectedDocument {
	var expected ExpectedDocument
	if n.kind == textSource {
		expected.DocumentTypeCode = strings.Clone(n.text)
	} else if !d.object(n, path, fields{
		"document_type_code": d.into(&expected.DocumentTypeCode),
		"entity_type":        d.entityTypeInto(&expected.EntityType),
		"person_id":          d.idInto(&expected.PersonID),
	}) {
		return expected
	}
	switch {
	case expected.DocumentTypeCode == "":
		d.refuse(n, path, "must name a document by its document_type_code")
	case expected.PersonID != "" && expected.EntityType != "" && expected.EntityType != EntityPerson:
		d.refuse(n, path, "names a person and is no document of a person: leave out person_id or entity_type")
	case expected.PersonID == "" && expected.EntityType == EntityPerson:
		d.refuse(n, path, "is the document of a person: add the person_id")
	}
	return expected
}

func (d *decoding) expectedGap(n *sourceNode, path string) ExpectedGap {
	var expected ExpectedGap
	if n.kind == textSource {
		expected.Fact = strings.Clone(n.text)
	} else if !d.object(n, path, fields{"fact": d.into(&expected.Fact), "person_id": d.idInto(&expected.PersonID)}) {
		return expected
	}
	names := gapFacts()
	switch {
	case expected.Fact == "":
		d.refuse(n, path, "must name the fact that is missing; those are %s", strings.Join(names, ", "))
	case slices.Contains(names, expected.Fact) && expected.PersonID != "" && !strings.HasPrefix(expected.Fact, namePerson+"."):
		d.refuse(n, path, "%s is no fact of a person: leave out person_id", expected.Fact)
	case slices.Contains(names, expected.Fact):
	case slices.Contains(names, namePerson+"."+expected.Fact):
		d.refuse(n, path, "%s belongs to a person: write person.%s", expected.Fact, expected.Fact)
	default:
		d.refuse(n, path, "%s is not a fact that can be missing%s; those are %s", clip(expected.Fact), didYouMean(expected.Fact, names), strings.Join(names, ", "))
	}
	return expected
}

// gapFacts are the names that a gap can have; see Gap.Fact.
func gapFacts() []string {
	var names []string
	for _, row := range factTable {
		if row.follows == "" {
			names = append(names, row.name)
		}
	}
	names = append(names, namePersons)
	for _, field := range personFields {
		if field.canLack() {
			names = append(names, namePerson+"."+field.name)
		}
	}
	return names
}
