package requirement

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Reading files of rules. Input: JSON or YAML. Output: a rule set, and problems with
// their position in the file.

// ParseRuleSetJSON reads a rule set from JSON, strictly: repeated names, unknown
// names, names in another case, wrong types and anything after the end are
// problems, and all of them are reported at once, with their position in the
// file. Missing names and the conditions are Compile's concern; what could be read
// is returned with the problems, so that Compile can find the rest.
func ParseRuleSetJSON(data []byte) (RuleSet, []Problem) {
	root, problems := rulefile.ReadJSON(data)
	return DecodeRuleSet(root, problems)
}

// ParseStoredRuleSet reads the canonical form of a rule set that has been published.
// What its examples say was held against what records could hold then, which may be
// less or more today.
func ParseStoredRuleSet(data []byte) (RuleSet, []Problem) {
	root, problems := rulefile.ReadJSON(data)
	d := &decoding{problems: problems, stored: true}
	return d.ruleSet(root)
}

// ParseRuleSetYAML is ParseRuleSetJSON for YAML. Texts that YAML would take for
// numbers, such as industry category codes, must be in quotes. Anchors, aliases
// and merge keys are refused.
func ParseRuleSetYAML(data []byte) (RuleSet, []Problem) {
	root, problems := rulefile.ReadYAML(data, FileNames())
	return DecodeRuleSet(root, problems)
}

// DecodeRuleSet is the rule set of a file that has been read. It adds to the problems of
// reading it.
func DecodeRuleSet(root *rulefile.Node, problems []Problem) (RuleSet, []Problem) {
	d := &decoding{problems: problems}
	return d.ruleSet(root)
}

// DecodeFacts are the facts of a file, in the form of an example's: see DecodeRuleSet.
func DecodeFacts(root *rulefile.Node, problems []Problem) (fact.Facts, []Problem) {
	d := &decoding{problems: problems}
	facts := d.exampleFacts(root, "")
	example := Example{Name: "the facts", Facts: facts, Expect: Expectation{Documents: []ExpectedDocument{}}}
	if failure := example.invalid(fact.Needs{}); failure != "" && len(d.problems) == 0 {
		d.refuse(root, "", "%s", failure)
	}
	return facts.Facts(), d.problems
}

func (d *decoding) ruleSet(root *rulefile.Node) (RuleSet, []Problem) {
	if root == nil {
		return RuleSet{}, d.problems
	}
	var rs RuleSet
	d.object(root, "", fields{
		"lists":     func(n *rulefile.Node, path string) { rs.Lists = d.lists(n, path) },
		"documents": func(n *rulefile.Node, path string) { rs.Documents = list(d, n, path, d.document) },
		"examples":  func(n *rulefile.Node, path string) { rs.Examples = listUpTo(d, n, path, 2*MaxExamples, d.example) },
	})
	if root.Kind == rulefile.ObjectKind && root.Member("documents") == nil && len(d.problems) == 0 {
		d.refuse(root, "documents", "is missing; it may be empty: documents: []")
	}
	return rs, d.problems
}

// FileNames are the names of rule and price files.
var FileNames = sync.OnceValue(func() *rulefile.Names {
	return rulefile.NewNames([]string{"lists", "documents", "examples", "base", "rules"}, append(fact.PersonFieldNames(),
		"document_type_code", "name", "category", "requirement_text", "entity_type", "when", "facts", "expect", "gaps", "fact",
		"persons", "no_persons_attested", "as_of", "points"))
})

// fields are the names that an object may have, and what reads each.
type fields map[string]func(n *rulefile.Node, path string)

// decoding collects the problems of one file.
type decoding struct {
	problems []Problem
	stored   bool // the file was checked when it was published
}

func (d *decoding) refuse(n *rulefile.Node, path, format string, args ...any) {
	switch len(d.problems) {
	case rulefile.MaxProblems:
		return
	case rulefile.MaxProblems - 1:
		d.problems = append(d.problems, rulefile.MoreProblems())
		return
	}
	line, column := n.LineColumn()
	d.problems = append(d.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: line, Column: column})
}

// full reports that no further problem will be told: nothing more is read.
func (d *decoding) full() bool { return len(d.problems) >= rulefile.MaxProblems }

// expect reports whether n is of a kind, and a problem when it is not.
func (d *decoding) expect(n *rulefile.Node, path string, kind rulefile.Kind) bool {
	switch n.Kind {
	case kind:
		return true
	case rulefile.RefusedKind:
		return false
	}
	hint := ""
	scalar := n.Kind == rulefile.TextKind || n.Kind == rulefile.NumberKind
	switch {
	case kind == rulefile.NumberKind && n.Kind == rulefile.TextKind && separatedDigits.MatchString(n.Text):
		hint = ": " + plainDigits
	case kind == rulefile.ListKind && gluedDash(n):
		hint = ": put a blank after the dash"
	case n.Kind == rulefile.BoolKind && strings.HasSuffix(path, ".when"):
		hint = ": leave when out for a document that is always required"
	case kind == rulefile.TextKind && (n.Kind == rulefile.NumberKind || n.Kind == rulefile.BoolKind):
		hint = fmt.Sprintf(": put it in quotes, %q", rulefile.Clip(n.Text))
	case kind == rulefile.ListKind && scalar:
		hint = fmt.Sprintf(": put it in square brackets, [%q]", rulefile.Clip(n.Text))
	case kind == rulefile.ObjectKind && n.Kind == rulefile.TextKind && FileNames().NoBlankAfterColon(n.Text):
		hint = ": put a blank after the colon"
	case kind == rulefile.ListKind && n.Kind == rulefile.ObjectKind:
		hint = ": begin each entry with - and a blank"
	}
	d.refuse(n, path, "must be %s and is %s%s", kind, n.Kind, hint)
	return false
}

// separatedDigits is a large number in parts, as people write it.
var separatedDigits = regexp.MustCompile(`^-?[0-9]{1,3}(?:[,_'’ \x{a0}\x{2009}\x{202f}][0-9]{3})+(?:\.[0-9]+)?$|^-?[0-9]{1,3}(?:\.[0-9]{3}){2,}$`)

// cutText is about what follows a comma in brackets where it belongs to the text
// before it. It is told once for each text.
func (d *decoding) cutText(cut, rest *rulefile.Member, path string) {
	at := strings.TrimPrefix(path+"."+rulefile.Clip(cut.Name), ".")
	if slices.ContainsFunc(d.problems, func(p Problem) bool { return p.Path == at }) {
		return
	}
	if separatedDigits.MatchString(cut.Value.Text + "," + rest.Name) {
		d.refuse(cut.Value, at, "a comma ends a number in brackets: %s", plainDigits)
		return
	}
	d.refuse(&rest.Key, at, "a comma ends a text in brackets: put the whole text of %s in quotes", rulefile.Clip(cut.Name))
}

// gluedDash reports what YAML makes of a list whose dashes have no blank after them.
func gluedDash(n *rulefile.Node) bool {
	glued := func(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != ' ' }
	if n.Kind == rulefile.TextKind {
		return n.Style == rulefile.PlainStyle && glued(n.Text)
	}
	return n.Kind == rulefile.ObjectKind && n.Where(func(m *rulefile.Member) bool { return glued(m.Name) }) != nil
}

// object reads the members of n. It reports whether all of them could be read.
func (d *decoding) object(n *rulefile.Node, path string, allowed fields) bool {
	if !d.expect(n, path, rulefile.ObjectKind) {
		return false
	}
	before := len(d.problems)
	// The ages are known only to say that they follow from other facts.
	names := func() []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(allowed)), func(name string) bool { return fact.Lookup(name).Follows != "" })
	}
	seen := map[string]bool{}
	var cut *rulefile.Member // the text that a comma may have cut
	n.EachMember(func(m *rulefile.Member) bool {
		if n.Flow && m.Value.Kind == rulefile.NullKind && m.Value.Text == "" && allowed[m.Name] == nil && cut != nil {
			d.cutText(cut, m, path)
			return !d.full()
		}
		if cut = nil; n.Flow && m.Value.Style == rulefile.PlainStyle && (m.Value.Kind == rulefile.TextKind || m.Value.Kind == rulefile.NumberKind) {
			cut = m
		}
		at := strings.TrimPrefix(path+"."+rulefile.Clip(m.Name), ".")
		here := &m.Key
		read, known := allowed[m.Name]
		switch {
		case seen[m.Name]:
			d.refuse(here, at, "is written twice")
		case !known && len(d.problems) >= rulefile.MaxProblems: // it would not be told
		case !known && glued(m.Name, allowed):
			name, text, _ := strings.Cut(m.Name, ":")
			seen[name] = true
			d.refuse(here, strings.TrimPrefix(path+"."+name, "."), "put a blank after the colon")
			allowed[name](rulefile.TextAt(m, text), strings.TrimPrefix(path+"."+name, "."))
		case !known:
			listed := names()
			// What was meant is read all the same, so that it is not missing too.
			if meant, ok := rulefile.Nearest(m.Name, listed); ok && !seen[meant] && n.Member(meant) == nil {
				seen[meant] = true
				allowed[meant](m.Value, at)
			}
			hint := rulefile.DidYouMean(m.Name, listed)
			if at := strings.IndexFunc(m.Name, func(letter rune) bool { return lookalikes[letter].latin != "" }); at >= 0 {
				letter, _ := utf8.DecodeRuneInString(m.Name[at:])
				hint = "; " + foreignLetter(letter)
			}
			if path == "" && hint == "" && FileNames().BelongBelow(m.Name) {
				hint = "; indent it as deep as the other names of the entry"
			}
			d.refuse(here, strings.TrimPrefix(path+"."+rulefile.Clip(m.Name), "."), "is not a name that belongs here%s; the names are %s", hint, strings.Join(listed, ", "))
		default:
			read(m.Value, at)
		}
		seen[m.Name] = true
		return !d.full()
	})
	return len(d.problems) == before
}

// glued reports a name with its value, which one blank would make of it.
func glued(name string, allowed fields) bool {
	name, _, found := strings.Cut(name, ":")
	return found && allowed[name] != nil
}

func list[T any](d *decoding, n *rulefile.Node, path string, read func(n *rulefile.Node, path string) T) []T {
	return listUpTo(d, n, path, rulefile.MaxItems, read)
}

// listUpTo is list for entries that take far more room read than written.
func listUpTo[T any](d *decoding, n *rulefile.Node, path string, most int, read func(n *rulefile.Node, path string) T) []T {
	if !d.expect(n, path, rulefile.ListKind) {
		return nil
	}
	count := n.Count()
	if count > most {
		d.refuse(n, path, "holds %d entries, far more than are allowed", count)
		return nil
	}
	values := make([]T, 0, count)
	n.EachItem(func(i int, item *rulefile.Node) bool {
		values = append(values, read(item, fmt.Sprintf("%s[%d]", path, i)))
		return !d.full()
	})
	return values
}

// texts is list for texts, of which there may be very many.
func (d *decoding) texts(n *rulefile.Node, path string) []string {
	if !d.expect(n, path, rulefile.ListKind) {
		return nil
	}
	count := n.Count()
	if count > rulefile.MaxItems {
		d.refuse(n, path, "holds %d entries, far more than are allowed", count)
		return nil
	}
	values := make([]string, 0, count)
	n.EachItem(func(i int, item *rulefile.Node) bool {
		text := ""
		if item.Kind == rulefile.TextKind {
			text = strings.Clone(item.Text)
		} else {
			d.expect(item, fmt.Sprintf("%s[%d]", path, i), rulefile.TextKind)
		}
		values = append(values, text)
		return !d.full()
	})
	return values
}

func (d *decoding) text(n *rulefile.Node, path string) string {
	if !d.expect(n, path, rulefile.TextKind) {
		return ""
	}
	return strings.Clone(n.Text) // which would keep the whole file
}

func (d *decoding) number(n *rulefile.Node, path string) *fact.Number {
	if !d.expect(n, path, rulefile.NumberKind) {
		return nil
	}
	number, err := rational.Parse(n.Text)
	if !jsontext.Value(n.Text).IsValid() || err != nil {
		hint := "write at most 40 digits, with a point if need be"
		if separatedDigits.MatchString(n.Text) {
			hint = plainDigits
		}
		d.refuse(n, path, "%s is not a plain number: %s", rulefile.Clip(n.Text), hint)
		return nil
	}
	return &number
}

func (d *decoding) date(n *rulefile.Node, path string) *fact.Date {
	if !d.expect(n, path, rulefile.TextKind) {
		return nil
	}
	date, err := fact.ParseDate(n.Text)
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

func (d *decoding) into(target *string) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) { *target = d.text(n, path) }
}

// amountInto reads a number that a record can hold.
func (d *decoding) amountInto(target **fact.Number, name string) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) {
		number := d.number(n, path)
		if number != nil && !d.stored {
			if why := fact.Lookup(name).UnrecordedNumber(*number, true); why != "" {
				d.refuse(n, path, "is %s, %s: %s", rulefile.Clip(n.Text), fact.NeverOnRecord, why)
				return
			}
		}
		*target = number
	}
}

// factText reads a text that a record can hold.
func (d *decoding) factText(n *rulefile.Node, path, name string) string {
	text := d.text(n, path)
	if n.Kind == rulefile.TextKind && !d.stored {
		if why := fact.Unrecorded(name, text); why != "" {
			d.refuse(n, path, "is %q, %s: %s", rulefile.Clip(text), fact.NeverOnRecord, why)
		}
	}
	return text
}

// idInto reads the id of a person, which may be left out but not be empty.
func (d *decoding) idInto(target *string) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) {
		*target = d.text(n, path)
		if n.Kind == rulefile.TextKind && n.Text == "" {
			d.refuse(n, path, "is empty: write a person_id of the facts, or leave it out")
		}
	}
}

func (d *decoding) dateInto(target **fact.Date) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) { *target = d.date(n, path) }
}

func (d *decoding) entityTypeInto(target *string) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) {
		*target = d.text(n, path)
		if types := fact.EntityTypes(); n.Kind == rulefile.TextKind && !slices.Contains(types, n.Text) {
			d.refuse(n, path, "%q is not Workflow, Business or Person%s", rulefile.Clip(n.Text), rulefile.DidYouMean(n.Text, types))
		}
	}
}

// conditionInto reads a condition. Leaving it out and leaving it blank are two
// things: only the first can mean "always".
func (d *decoding) conditionInto(target *string, hint string) func(*rulefile.Node, string) {
	return func(n *rulefile.Node, path string) {
		*target = d.text(n, path)
		if n.Kind == rulefile.TextKind && strings.TrimSpace(n.Text) == "" {
			d.refuse(n, path, "is empty: %s", hint)
		}
	}
}

func (d *decoding) lists(n *rulefile.Node, path string) map[string][]string {
	if !d.expect(n, path, rulefile.ObjectKind) {
		return nil
	}
	lists := map[string][]string{}
	n.EachMember(func(m *rulefile.Member) bool {
		at := path + "." + rulefile.Clip(m.Name)
		if _, twice := lists[m.Name]; twice {
			d.refuse(&m.Key, at, "is written twice")
			return !d.full()
		}
		lists[strings.Clone(m.Name)] = d.texts(m.Value, at)
		return !d.full()
	})
	return lists
}

func (d *decoding) document(n *rulefile.Node, path string) DocumentRule {
	var doc DocumentRule
	if n.Kind == rulefile.ObjectKind && n.Empty() {
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

func (d *decoding) example(n *rulefile.Node, path string) Example {
	var example Example
	if n.Kind == rulefile.ObjectKind && n.Empty() {
		return example
	}
	d.object(n, path, fields{
		"name":   d.into(&example.Name),
		"facts":  func(n *rulefile.Node, path string) { example.Facts = d.exampleFacts(n, path) },
		"expect": func(n *rulefile.Node, path string) { example.Expect = d.expectation(n, path) },
	})
	return example
}

func (d *decoding) exampleFacts(n *rulefile.Node, path string) fact.ExampleFacts {
	var f fact.ExampleFacts
	if n.Kind == rulefile.ObjectKind && n.Empty() {
		return f
	}
	members := fields{
		"as_of": d.dateInto(&f.AsOf),
		fact.NamePersons: func(n *rulefile.Node, path string) {
			f.Persons = listUpTo(d, n, path, 2*fact.MaxPersons, d.examplePerson)
		},
		fact.NameNoPersons: func(n *rulefile.Node, path string) {
			f.NoPersonsAttested = d.expect(n, path, rulefile.BoolKind) && strings.EqualFold(n.Text, "true")
		},
	}
	for _, row := range fact.Table {
		if row.Follows != "" {
			members[row.Name] = func(n *rulefile.Node, path string) {
				d.refuse(n, path, "is calculated from other facts: write %s and as_of", row.Follows)
			}
			continue
		}
		members[row.Name] = d.factInto(row.Example(&f), row.Name)
	}
	d.object(n, path, members)
	return f
}

func (d *decoding) examplePerson(n *rulefile.Node, path string) fact.PersonFacts {
	var person fact.PersonFacts
	if n.Kind == rulefile.ObjectKind && n.Empty() {
		return person
	}
	members := fields{}
	for _, row := range fact.PersonFields {
		members[row.Name] = d.factInto(row.OfPerson(&person), row.Name)
	}
	d.object(n, path, members)
	return person
}

// factInto reads what a record can hold of a fact into where it is kept:
// see fact.
func (d *decoding) factInto(pointer any, name string) func(*rulefile.Node, string) {
	switch pointer := pointer.(type) {
	case **fact.Number:
		return d.amountInto(pointer, name)
	case **fact.Date:
		return d.dateInto(pointer)
	case **string:
		return func(n *rulefile.Node, path string) {
			text := d.factText(n, path, name)
			*pointer = &text
		}
	case *string:
		return d.into(pointer)
	case *[]string:
		return func(n *rulefile.Node, path string) {
			*pointer = list(d, n, path, func(n *rulefile.Node, path string) string { return d.factText(n, path, name) })
		}
	}
	panic(fmt.Sprintf("no fact is kept in a %T", pointer))
}

func (d *decoding) expectation(n *rulefile.Node, path string) Expectation {
	var expect Expectation
	d.object(n, path, fields{
		"documents": func(n *rulefile.Node, path string) { expect.Documents = list(d, n, path, d.expectedDocument) },
		"gaps":      func(n *rulefile.Node, path string) { expect.Gaps = list(d, n, path, d.expectedGap) },
	})
	return expect
}

func (d *decoding) expectedDocument(n *rulefile.Node, path string) ExpectedDocument {
	var expected ExpectedDocument
	if n.Kind == rulefile.TextKind {
		expected.DocumentTypeCode = strings.Clone(n.Text)
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
	case expected.PersonID != "" && expected.EntityType != "" && expected.EntityType != fact.EntityPerson:
		d.refuse(n, path, "names a person, but is not a document of a person: leave out person_id or entity_type")
	case expected.PersonID == "" && expected.EntityType == fact.EntityPerson:
		d.refuse(n, path, "is the document of a person: add the person_id")
	}
	return expected
}

func (d *decoding) expectedGap(n *rulefile.Node, path string) ExpectedGap {
	var expected ExpectedGap
	if n.Kind == rulefile.TextKind {
		expected.Fact = strings.Clone(n.Text)
	} else if !d.object(n, path, fields{"fact": d.into(&expected.Fact), "person_id": d.idInto(&expected.PersonID)}) {
		return expected
	}
	names := fact.GapNames()
	switch {
	case expected.Fact == "":
		d.refuse(n, path, "must name the fact that is missing; those are %s", strings.Join(names, ", "))
	case slices.Contains(names, expected.Fact) && expected.PersonID != "" && !strings.HasPrefix(expected.Fact, fact.NamePerson+"."):
		d.refuse(n, path, "%s is no fact of a person: leave out person_id", expected.Fact)
	case slices.Contains(names, expected.Fact):
	case slices.Contains(names, fact.NamePerson+"."+expected.Fact):
		d.refuse(n, path, "%s belongs to a person: write person.%s", expected.Fact, expected.Fact)
	default:
		d.refuse(n, path, "%s is not a fact that can be missing%s; those are %s", rulefile.Clip(expected.Fact), rulefile.DidYouMean(expected.Fact, names), strings.Join(names, ", "))
	}
	return expected
}
