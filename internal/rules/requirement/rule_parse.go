package requirement

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/rawjson"
	"requisite/internal/text/typo"
)

// ParseRuleSetJSON parses a rule set strictly. Repeated names, unknown names, names in another
// case, wrong types and anything after the end are problems. It reports all of them at once, with
// their position in the file. Compile checks missing names and conditions. ParseRuleSetJSON returns
// what it could parse with the problems, so that Compile can find the rest.
func ParseRuleSetJSON(data []byte) (RuleSet, []Problem) {
	return ReadRuleSet(rulefile.JSONFile(data))
}

// ParseStoredRuleSet parses the canonical form of a published rule set. It does not check the
// values in examples again: the values that records can contain may have changed since.
func ParseStoredRuleSet(data []byte) (rs RuleSet, problems []Problem) {
	problems = readFile(rulefile.JSONFile(data), &rs)
	return rs, problems
}

// ReadRuleSet reads the rule set of a file as ParseRuleSetJSON does. In YAML, texts that look like
// numbers, such as industry category codes, must be in quotes.
func ReadRuleSet(f *rulefile.File) (rs RuleSet, problems []Problem) {
	problems = readFile(f, &rs)
	found := misstatements{file: f, unread: problems, table: fact.NewTable(rs.Facts)}
	for i, example := range rs.Examples {
		path := fmt.Sprintf("examples[%d]", i)
		found.facts(example.Facts, path+".facts.")
		found.expectation(example.Expect, path+".expect.")
	}
	return rs, rulefile.FirstProblems(append(problems, found.problems...))
}

// ReadPricingModel reads the pricing model of a file: see ReadRuleSet.
func ReadPricingModel(f *rulefile.File) (m PricingModel, problems []Problem) {
	problems = readFile(f, &m)
	return m, problems
}

func readFile(f *rulefile.File, target any) []Problem {
	return f.Read(fileSchemas(), target, &fileChecks{file: f})
}

// fileSchemas describes what a file can contain.
var fileSchemas = sync.OnceValue(func() *wire.Schemas {
	s := wire.NewSchemas()
	for _, t := range []reflect.Type{reflect.TypeFor[RuleSet](), reflect.TypeFor[PricingModel]()} {
		s.Describe(t)
	}
	return s
})

// Schema lists the kinds.
func (FindingKind) Schema(huma.Registry) *huma.Schema { return wire.OneOf(findingKinds()...) }

// Schema lists the values.
func (Hold) Schema(huma.Registry) *huma.Schema { return wire.OneOf(HoldWhenOpen, HoldWhenOverdue) }

// textOrObject is the schema of a value that may also be written as a text.
func textOrObject[T any](r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: huma.TypeString}}}
}

// Schema describes the object, or only the document type code.
func (ExpectedDocument) Schema(r huma.Registry) *huma.Schema {
	type document ExpectedDocument
	return textOrObject[document](r)
}

// UnmarshalText parses the document type code.
func (d *ExpectedDocument) UnmarshalText(text []byte) error {
	d.DocumentTypeCode = string(text)
	return nil
}

// Schema describes the object, or only the document type code.
func (ExpectedOption) Schema(r huma.Registry) *huma.Schema {
	type option ExpectedOption
	return textOrObject[option](r)
}

// UnmarshalText parses the document type code.
func (o *ExpectedOption) UnmarshalText(text []byte) error {
	o.DocumentTypeCode = string(text)
	return nil
}

// Schema describes the object, or only the finding code.
func (ExpectedFinding) Schema(r huma.Registry) *huma.Schema {
	type finding ExpectedFinding
	return textOrObject[finding](r)
}

// UnmarshalText parses the finding code.
func (f *ExpectedFinding) UnmarshalText(text []byte) error {
	f.FindingCode = string(text)
	return nil
}

// Schema describes the object, or only the name of the fact.
func (ExpectedGap) Schema(r huma.Registry) *huma.Schema {
	type gap ExpectedGap
	return textOrObject[gap](r)
}

// UnmarshalText parses the name of the fact.
func (g *ExpectedGap) UnmarshalText(text []byte) error {
	g.Fact = string(text)
	return nil
}

// fileChecks checks the form of a file, with messages for its author.
type fileChecks struct {
	file    *rulefile.File
	entries int // of all lists so far
}

// maxEntries limits the entries of all lists of a file together. They take more memory than space
// in the file.
const maxEntries = 15 * rulefile.MaxItems

var kindWords = map[string]string{
	huma.TypeObject: "an object", huma.TypeArray: "a list", huma.TypeString: "text", huma.TypeNumber: "a number", huma.TypeBoolean: "true or false",
}

// invalid makes a problem of a file. A request with the file says more in the message than in the code.
func invalid(format string, args ...any) refusal.Problem {
	return refusal.Wrong(refusal.InvalidRule, format, args...)
}

func (c *fileChecks) Kind(path func() string, schema *huma.Schema, v rawjson.Value) refusal.Problem {
	is := map[byte]string{
		'{': huma.TypeObject, '[': huma.TypeArray,
		'"': huma.TypeString, '0': huma.TypeNumber,
		't': huma.TypeBoolean, 'f': huma.TypeBoolean,
	}[v.Kind()]
	text := ""
	if is != huma.TypeObject && is != huma.TypeArray {
		text = c.file.Written(v)
	}
	hint := ""
	must := schema.Type
	if must == "" && len(schema.OneOf) > 0 { // null, where several types are possible
		must = schema.OneOf[0].Type
	}
	if schema.Description == fact.ValueForms {
		return invalid("is %s: write %s, or leave the name out", cmp.Or(kindWords[is], "null"), fact.ValueForms)
	}
	switch {
	case must == huma.TypeNumber && is == huma.TypeString && rulefile.SeparatedDigits.MatchString(text):
		hint = ": " + plainDigits
	case must == huma.TypeArray && c.gluedDash(v):
		hint = ": put a blank after the dash"
	case (is == huma.TypeBoolean || is == "") && strings.HasSuffix(path(), ".when") && strings.HasPrefix(path(), "documents"):
		hint = ": leave when out for a document that is always required"
		if strings.Contains(path(), ".any_of[") {
			hint = ": leave when out for an option that is always offered"
		}
	case is == "":
		hint = ": write a value, or leave it out if it is not needed"
	case must == huma.TypeString && schema.PatternDescription != "" && !regexp.MustCompile(schema.Pattern).MatchString(text):
		hint = ": write " + schema.PatternDescription
	case must == huma.TypeString && (is == huma.TypeNumber || is == huma.TypeBoolean):
		hint = fmt.Sprintf(": put it in quotes, %q", rulefile.Clip(text))
	case must == huma.TypeArray && (is == huma.TypeString || is == huma.TypeNumber):
		hint = fmt.Sprintf(": put it in square brackets, [%q]", rulefile.Clip(text))
	case must == huma.TypeObject && rulefile.Glued.MatchString(text):
		hint = ": put a blank after the colon"
	case must == huma.TypeArray && is == huma.TypeObject:
		hint = ": begin each entry with - and a blank"
	}
	return invalid("must be %s and is %s%s", cmp.Or(kindWords[must], kindWords[huma.TypeObject]), cmp.Or(kindWords[is], "null"), hint)
}

// gluedDash reports a list whose dashes have no blank after them, as YAML reads it.
func (c *fileChecks) gluedDash(v rawjson.Value) bool {
	glued := func(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != ' ' }
	found := v.Kind() == '"' && c.file.Plain(v) && glued(v.String())
	if v.Kind() == '{' {
		v.Members(func(name, _ rawjson.Value) bool { found = glued(name.String()); return !found })
	}
	return found
}

// Text refuses a blank text. A blank condition differs from one that is left out: only the latter
// can mean "always".
func (*fileChecks) Text(schema *huma.Schema, text string) refusal.Problem {
	if schema.MinLength != nil && strings.TrimSpace(text) == "" {
		return invalid("is empty: %s", schema.Description)
	}
	return refusal.Problem{}
}

func (c *fileChecks) Number(schema *huma.Schema, v rawjson.Value) refusal.Problem {
	written := c.file.Written(v)
	if schema.Type == huma.TypeInteger && strings.Trim(written, "0123456789") != "" {
		return invalid("%s is not a whole number: write digits alone", rulefile.Clip(written))
	}
	if n, err := rational.Parse(written); err == nil && written == string(v.Text) {
		if _, err := rational.Parse(n.String()); err == nil { // it is stored without its exponent
			return refusal.Problem{}
		}
	}
	hint := "write at most 40 digits, with a point if need be"
	if rulefile.SeparatedDigits.MatchString(written) {
		hint = plainDigits
	}
	return invalid("%s is not a plain number: %s", rulefile.Clip(written), hint)
}

func (c *fileChecks) Count(schema *huma.Schema, n int) refusal.Problem {
	most := cmp.Or(schema.MaxItems, schema.MaxProperties)
	if c.entries += n; n > rulefile.MaxItems || most != nil && n > *most {
		return invalid("holds %d entries, far more than are allowed", n)
	}
	if c.entries > maxEntries {
		return invalid("brings the entries of all lists of the file to more than %d: keep fewer examples, or shorter ones", maxEntries)
	}
	return refusal.Problem{}
}

func (*fileChecks) Unknown(path func() string, schema *huma.Schema, name string) (problem refusal.Problem, meant string) {
	names := slices.Sorted(maps.Keys(schema.Properties))
	if follows := fact.BuiltIn.Lookup(name).Follows; follows != "" && slices.Contains(names, follows) {
		return invalid("is calculated from other facts: write %s and as_of", follows), ""
	}
	meant, _ = typo.Meant(name, names)
	hint := rulefile.DidYouMean(name, names)
	if at := strings.IndexFunc(name, func(letter rune) bool { return lookalikes[letter].latin != "" }); at >= 0 {
		letter, _ := utf8.DecodeRuneInString(name[at:])
		hint = "; " + foreignLetter(letter)
	}
	if hint == "" && path() == rulefile.Clip(name) && belongsBelow(name) {
		hint = "; indent it as deep as the other names of the entry"
	}
	return invalid("is not a name that belongs here%s; the names are %s", hint, strings.Join(names, ", ")), meant
}

// belongsBelow reports a name that is never at the top level of a file.
func belongsBelow(name string) bool {
	files := fileSchemas().Registry.Map()
	margin := files["RuleSet"].Properties[name] != nil || files["PricingModel"].Properties[name] != nil
	return !margin && slices.ContainsFunc(slices.Collect(maps.Values(files)), func(s *huma.Schema) bool { return s.Properties[name] != nil })
}

// Missing reports a missing name that Compile would take for a zero value.
func (*fileChecks) Missing(name string) refusal.Problem {
	switch name {
	case "documents":
		return invalid("is missing; it may be empty: documents: []")
	case "base":
		return invalid("is missing: write the score that a business has before any rule, such as base: 500")
	case "points":
		return invalid("is missing")
	}
	return refusal.Problem{}
}

func (*fileChecks) Twice() refusal.Problem { return invalid("is written twice") }

func (*fileChecks) Unfit(_ rawjson.Value, err error) refusal.Problem { return invalid("%s", err) }

// misstatements collects statements of examples that no record can contain, and that no rule can
// lead to.
type misstatements struct {
	file     *rulefile.File
	unread   []Problem
	table    *fact.Table
	problems []Problem
}

// report skips what could not be read.
func (m *misstatements) report(path, format string, args ...any) {
	if len(m.problems) < rulefile.MaxProblems && !slices.ContainsFunc(m.unread, func(p Problem) bool { return strings.HasPrefix(p.Path, path) }) {
		m.problems = append(m.problems, m.file.At(path, fmt.Sprintf(format, args...)))
	}
}

func (m *misstatements) facts(facts fact.ExampleFacts, path string) {
	for _, row := range m.table.Facts {
		eachUnrecorded(row, row.Stated(&facts), func(at, why string) { m.report(path+row.Name+at, "%s", why) })
	}
	m.custom(facts.Custom, path, false)
	for i := range facts.Persons {
		below := func() string { return fmt.Sprintf("%spersons[%d].", path, i) }
		for _, row := range m.table.Fields {
			eachUnrecorded(row, row.StatedOf(&facts.Persons[i]), func(at, why string) { m.report(below()+row.Name+at, "%s", why) })
		}
		if len(facts.Persons[i].Custom) > 0 {
			m.custom(facts.Persons[i].Custom, below(), true)
		}
	}
}

// custom checks values of declared facts, of a person or not.
func (m *misstatements) custom(values fact.Values, path string, ofPerson bool) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		full := fact.NameCustom + "." + name
		row := m.table.Lookup(full)
		switch {
		case row.Declared == nil:
			m.report(path+full, "is not a declared fact%s", declareIt(m.table, full, ofPerson))
		case row.OfPerson() && !ofPerson:
			m.report(path+full, "is a fact of persons: write it in the custom of each person")
		case !row.OfPerson() && ofPerson:
			m.report(path+full, "is a fact of the %s: write it in the custom of the facts themselves", strings.ToLower(row.Declared.EntityType))
		case row.Shape.Known():
			if why := row.Declared.Refuse(values[name]); why != "" {
				m.report(path+full, "%s", why)
			}
		}
	}
}

// declareIt says what to do about the name of a fact that is not declared.
func declareIt(table *fact.Table, name string, ofPerson bool) string {
	if near, ok := nearestDeclared(strings.TrimPrefix(name, fact.NameCustom+"."), table.DeclaredNames(ofPerson)); ok {
		return "; did you mean " + near + "?"
	}
	return ": declare it under facts" + declaredNames(table)
}

// nearestDeclared finds the declared fact that a misspelt name probably means.
func nearestDeclared(misspelt string, names []string) (string, bool) {
	bare := make([]string, len(names))
	for i, name := range names {
		bare[i] = strings.TrimPrefix(name, fact.NameCustom+".")
	}
	near, ok := typo.Meant(misspelt, bare)
	return fact.NameCustom + "." + near, ok
}

func declaredNames(table *fact.Table) string {
	names := append(table.DeclaredNames(false), table.DeclaredNames(true)...)
	if len(names) == 0 {
		return "; none is declared"
	}
	return "; declared are " + strings.Join(names, ", ")
}

// eachUnrecorded visits the stated values of a fact that no record can contain, with the reason.
func eachUnrecorded(row *fact.Row, stated any, visit func(at, why string)) {
	refused := func(at, written, why string) {
		if why != "" {
			visit(at, fmt.Sprintf("is %s, %s: %s", written, fact.NeverOnRecord, why))
		}
	}
	switch stated := stated.(type) {
	case **fact.Number:
		if *stated != nil {
			refused("", rulefile.Clip((*stated).String()), row.UnrecordedNumber(**stated, true))
		}
	case **string:
		if *stated != nil {
			refused("", fmt.Sprintf("%q", rulefile.Clip(**stated)), row.Unrecorded(**stated))
		}
	case *[]string:
		for i, text := range *stated {
			if why := row.Unrecorded(text); why != "" {
				refused(fmt.Sprintf("[%d]", i), fmt.Sprintf("%q", rulefile.Clip(text)), why)
			}
		}
	}
}

func (m *misstatements) expectation(expect Expectation, path string) {
	names := m.table.GapNames()
	m.expected(expectedDocuments(expect.Documents), path+"documents", false)
	m.expected(expectedDocuments(expect.Includes), path+"includes", true)
	m.expected(expectedDocuments(expect.Excludes), path+"excludes", true)
	m.expected(expectedFindings(expect.Findings), path+"findings", false)
	for i, g := range expect.Gaps {
		report := func(format string, args ...any) { m.report(fmt.Sprintf("%sgaps[%d]", path, i), format, args...) }
		known := slices.Contains(names, g.Fact)
		switch {
		case g.Fact == "":
			report("must name the fact that is missing; those are %s", strings.Join(names, ", "))
		case known && g.PersonID != "" && !strings.HasPrefix(g.Fact, fact.NamePerson+"."):
			report("%s is no fact of a person: leave out person_id", g.Fact)
		case !known && slices.Contains(names, fact.NamePerson+"."+g.Fact):
			report("%s belongs to a person: write person.%s", g.Fact, g.Fact)
		case !known:
			report("%s is not a fact that can be missing%s; those are %s", rulefile.Clip(g.Fact), rulefile.DidYouMean(g.Fact, names), strings.Join(names, ", "))
		}
	}
}

// expected checks a list of documents or findings. With some, a code may mean the documents of any
// person.
func (m *misstatements) expected(list expectedRules, path string, some bool) {
	types, what, code := fact.EntityTypes(), "document", "document_type_code"
	if strings.HasSuffix(path, "findings") {
		what, code = "finding", "finding_code"
	}
	for i, d := range list {
		report := func(below, format string, args ...any) {
			m.report(fmt.Sprintf("%s[%d]%s", path, i, below), format, args...)
		}
		switch {
		case d.Code() == "":
			report("", "must name a %s by its %s", what, code)
		case d.EntityType != "" && !slices.Contains(types, d.EntityType):
			report(".entity_type", "%q is not Workflow, Business or Person%s", rulefile.Clip(d.EntityType), rulefile.DidYouMean(d.EntityType, types))
		case d.person != "" && d.EntityType != "" && d.EntityType != fact.EntityPerson:
			report("", "names a person, but is not a %s of a person: leave out person_id or entity_type", what)
		case d.person == "" && d.EntityType == fact.EntityPerson && !some:
			report("", "is the %s of a person: add the person_id", what)
		}
	}
}
