package requirement

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/docs"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// compileSchema holds dates to existing days, as editors do.
func compileSchema(t *testing.T, source []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("schema.json", document))
	schema, err := compiler.Compile("schema.json")
	require.NoError(t, err)
	return schema
}

func genericYAML(t *testing.T, text string) any {
	t.Helper()
	var content any
	require.Empty(t, rulefile.YAMLFile([]byte(text)).Read(wire.NewSchemas(), &content, &fileChecks{}))
	return content
}

func ruleProblems(t fataler, value any) []Problem {
	data, err := json.Marshal(value)
	require.NoError(t, err)
	rs, problems := ParseRuleSetJSON(data)
	if len(problems) == 0 {
		_, problems = Compile(rs, Options{})
	}
	return problems
}

func pricingProblems(t fataler, value any) []Problem {
	data, err := json.Marshal(value)
	require.NoError(t, err)
	model, problems := ParsePricingModelJSON(data)
	if len(problems) == 0 {
		_, problems = CompilePricing(model, Options{})
	}
	return problems
}

// beyondSchemas are the problems that a schema cannot see: they compare one
// part of a file with another.
var beyondSchemas = regexp.MustCompile(`the rules give|needs as_of|has persons and no_persons_attested|after as_of|two persons with one person_id|is already (documents|findings|facts)\[|is not one of the choices|is not of the type|is a fact of|is not a declared fact|is in the list twice|a (text|number|date|list|amount) (has|is)|a text may [^:]*$|is one more fact of persons|is already any_of\[|reminds of nothing|is never overdue|says from when to count|is no date of the Business`)

func withinSchemas(problems []Problem) []Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool { return beyondSchemas.MatchString(p.Message) })
}

func TestExampleFiles_MatchTheirSchemas(t *testing.T) {
	for dir, source := range map[string][]byte{"rules": docs.RulesSchema, "pricing": docs.PricingSchema} {
		schema := compileSchema(t, source)
		files, err := filepath.Glob("../../../examples/" + dir + "/*.yaml")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, schema.Validate(genericYAML(t, string(data))), file)
			// The first line is how editors find the schema.
			first, _, _ := strings.Cut(string(data), "\n")
			path, found := strings.CutPrefix(first, "# yaml-language-server: $schema=")
			require.True(t, found, file)
			named, err := os.ReadFile(filepath.Join(filepath.Dir(file), path))
			require.NoError(t, err)
			require.Equal(t, string(source), string(named), file)
		}
	}
}

// schemaRules has every property, each with a value that is allowed.
const schemaRules = `facts:
  - {name: form, entity_type: Business, type: TEXT, choices: [LLC, "1"], label: form, ask: The form., default: LLC}
  - {name: roles, entity_type: Person, type: TEXT_LIST, label: roles, ask: The roles., default: [b], asked_when: person.citizenship == "CA"}
lists: {codes: ["7995", "0742"]}
definitions: {new: business_age_years < 2, small: "definitions.new && country == 'US'"}
documents:
  - document_type_code: A
    name: n
    category: c
    requirement_text: r
    entity_type: Business
    when: business_age_years < 200
    any_of:
      - {document_type_code: G, name: n, not_older_than: 3 months, must_be_valid: true, valid_for: 1 year}
      - {document_type_code: H, name: n, expired_at_most: 1 year}
      - all_of: [{document_type_code: I, name: n}, {document_type_code: J, name: n}]
  - {document_type_code: B, name: n, category: c, requirement_text: r, entity_type: Person, when: person.citizenship != "US"}
  - {document_type_code: C, name: n, category: c, requirement_text: r, entity_type: Workflow}
  - document_type_code: D
    name: n
    category: c
    requirement_text: r
    entity_type: Workflow
    when: business_age_years > 200
    any_of:
      - {document_type_code: E, name: n, requirement_text: r, not_older_than: 3 months, must_be_valid: false}
      - {document_type_code: F, name: n}
    not_older_than: 90 days
    must_be_valid: true
    renew_after: 1 year
    remind_before: 1 month
    due_within: 30 days
    due_from: established_date
    hold: WHEN_OVERDUE
    explanation: e
    legal_basis: l
findings:
  - {finding_code: A, kind: HOLD, name: n, message: m, entity_type: Business, when: business_age_years < 200, legal_basis: l}
  - {finding_code: B, kind: REVIEW, name: n, message: m, entity_type: Person, when: person.citizenship == "CA"}
  - {finding_code: C, kind: DECLINE, name: n, message: m, entity_type: Workflow, when: business_age_years > 200}
examples:
  - name: e
    facts:
      as_of: 2026-03-15
      evaluation_score: 1
      average_monthly_credit_sales: 1
      average_yearly_credit_sales: 1
      average_individual_sale: 1
      highest_ticket_sale: 1
      established_date: 2024-02-29
      industry_category_code: ["0742"]
      country: GB
      persons: [{person_id: p1, citizenship: CA, ownership_percentage: 100, date_of_birth: 1999-12-31, country_of_residence: GB, custom: {roles: [a]}}]
      custom: {form: "1"}
    expect:
      documents:
        - document_type_code: A
          entity_type: Business
          any_of:
            - {document_type_code: H, expired_at_most: 1 year}
            - {all_of: [I, J]}
            - {document_type_code: G, not_older_than: 3 months, must_be_valid: true, valid_for: 1 year}
        - {document_type_code: B, entity_type: Person, person_id: p1}
        - C
      findings: [{finding_code: A, entity_type: Business}, {finding_code: B, entity_type: Person, person_id: p1}]
  - name: g
    facts: {persons: [{person_id: p1}], no_persons_attested: false}
    expect: {gaps: [established_date, {fact: person.citizenship, person_id: p1}]}
`

const schemaPricing = `base: 1
facts:
  - {name: form, entity_type: Business, type: TEXT, choices: [LLC, "1"], label: form, ask: The form., default: LLC}
  - {name: shops, entity_type: Business, type: TEXT_LIST, label: shops, ask: The shops., default: [b], asked_when: country == "GB"}
rules: [{name: n, when: business_age_years < 2, points: -1.5}]
`

// at replaces, adds or (with absent) deletes the value at a path such as
// documents.0.when.
func at(root any, path string, value any) any {
	name, rest, deeper := strings.Cut(path, ".")
	switch node := root.(type) {
	case map[string]any:
		node = maps.Clone(node)
		switch {
		case deeper:
			node[name] = at(node[name], rest, value)
		case value == absent:
			delete(node, name)
		default:
			node[name] = value
		}
		return node
	case []any:
		i, _ := strconv.Atoi(name)
		node = slices.Clone(node)
		switch {
		case deeper:
			node[i] = at(node[i], rest, value)
		case value == absent:
			return slices.Delete(node, i, i+1)
		default:
			node[i] = value
		}
		return node
	}
	return root
}

var absent any = new(int)

func many(n int, entry func(i int) any) []any {
	entries := make([]any, n)
	for i := range entries {
		entries[i] = entry(i)
	}
	return entries
}

func TestSchema_RefusesWhatTheParserRefuses(t *testing.T) {
	t.Parallel()
	text := func(n int) any { return strings.Repeat("é", n) }
	document := func(i int) any {
		return map[string]any{"document_type_code": fmt.Sprintf("D_%d", i), "name": "n", "category": "c", "requirement_text": "r", "entity_type": "Workflow"}
	}
	finding := func(i int) any {
		return map[string]any{"finding_code": fmt.Sprintf("F_%d", i), "kind": "HOLD", "name": "n", "message": "m", "entity_type": "Workflow", "when": "true"}
	}
	option := func(i int) any { return map[string]any{"document_type_code": fmt.Sprintf("O_%d", i), "name": "n"} }
	periods := []any{absent, "1 day", "1 days", "12 month", "1000 years"}
	noPeriods := []any{"", "0 days", "1.5 months", "1001 days", "-1 days", "3 weeks", "3 Months", "3months", "P3M", 90, nil, true}
	person := func(i int) any {
		return map[string]any{"person_id": fmt.Sprintf("p%d", i), "citizenship": "US", "ownership_percentage": 0}
	}
	example := func(i int) any {
		return map[string]any{"name": fmt.Sprint(i), "expect": map[string]any{"gaps": []any{"established_date", "person.citizenship"}}}
	}
	manyLists := func(n int) any {
		lists := map[string]any{}
		for i := range n {
			lists[fmt.Sprintf("l%d", i)] = []any{"a"}
		}
		return lists
	}
	declared := func(i int) any {
		return map[string]any{"name": fmt.Sprintf("f%d", i), "entity_type": "Workflow", "type": "DATE", "label": "l", "ask": "a"}
	}
	choice := func(i int) any { return fmt.Sprint("c", i) }
	list := func(name string) any { return map[string]any{name: []any{"a"}} }
	repeat := func(value any) func(int) any { return func(int) any { return value } }
	for _, c := range []struct {
		path string
		good []any
		bad  []any
	}{
		{"documents", []any{[]any{}, many(MaxDocuments, document)}, []any{absent, nil, "x", map[string]any{}, many(MaxDocuments+1, document)}},
		{"documents.0", nil, []any{nil, "x", []any{}}},
		{"documents.0.document_type_code", []any{"A", strings.Repeat("A", 64), "0_9"}, []any{absent, "", "a", "A B", "É", "A\n", strings.Repeat("A", 65), 5, nil}},
		{"documents.0.name", []any{"x", text(MaxTextLength), "0"}, []any{absent, "", " ", "\t\n", "\u00a0", "\u2003\u3000", "\u0085", text(MaxTextLength + 1), 5, true, nil}},
		{"documents.0.category", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"documents.0.requirement_text", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"documents.0.entity_type", []any{"Workflow"}, []any{absent, "", "business", "BusinessSalesInfo", nil}},
		{"documents.0.when", []any{absent, "true", "true" + strings.Repeat(" ", MaxConditionLength-4)}, []any{"", " ", true, nil, "true" + strings.Repeat(" ", MaxConditionLength-3)}},
		{"documents.0.whem", nil, []any{"true"}},
		{"documents.3.any_of", []any{absent, many(MaxOptions, option)}, []any{nil, []any{}, "x", many(1, option), many(MaxOptions+1, option)}},
		{"documents.3.any_of.0", nil, []any{nil, "E"}},
		{"documents.3.any_of.0.document_type_code", []any{"A"}, []any{absent, "", "e", nil}},
		{"documents.3.any_of.0.name", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"documents.3.any_of.0.requirement_text", []any{absent, text(MaxTextLength)}, []any{"", " ", text(MaxTextLength + 1), nil}},
		{"documents.3.any_of.0.not_older_than", periods, noPeriods},
		{"documents.3.any_of.0.must_be_valid", []any{absent, true, false}, []any{nil, "true", 1}},
		{"documents.3.any_of.0.renew_after", nil, []any{"1 year"}},
		{"documents.3.not_older_than", periods, noPeriods},
		{"documents.3.must_be_valid", []any{absent, true, false}, []any{nil, "true", 1}},
		{"documents.3.renew_after", periods, noPeriods},
		{"documents.3.remind_before", periods, noPeriods},
		{"documents.3.due_within", periods, noPeriods},
		{"documents.3.due_from", []any{absent, "established_date"}, []any{"", " ", nil, 5}},
		{"documents.3.hold", []any{absent, "WHEN_OPEN"}, []any{"", "ALWAYS", "when_open", true, nil}},
		{"documents.3.explanation", []any{absent, text(MaxExplanationLength)}, []any{"", " ", text(MaxExplanationLength + 1), nil}},
		{"documents.3.legal_basis", []any{absent, text(MaxLegalBasisLength)}, []any{"", " ", text(MaxLegalBasisLength + 1), nil}},
		{"findings", []any{absent, many(MaxFindings, finding)}, []any{nil, []any{}, "x", map[string]any{}, many(MaxFindings+1, finding)}},
		{"findings.0", nil, []any{nil, "x", []any{}}},
		{"findings.0.finding_code", []any{"Z", strings.Repeat("A", 64)}, []any{absent, "", "a", DocumentOpen, DocumentOverdue, strings.Repeat("A", 65), nil}},
		{"findings.0.kind", []any{"REVIEW", "DECLINE"}, []any{absent, "", "hold", "APPROVE", true, nil}},
		{"findings.0.name", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"findings.0.message", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"findings.0.entity_type", []any{"Workflow"}, []any{absent, "", "business", nil}},
		{"findings.0.when", []any{"true"}, []any{absent, "", " ", true, nil, "true" + strings.Repeat(" ", MaxConditionLength-3)}},
		{"findings.0.legal_basis", []any{absent, text(MaxLegalBasisLength)}, []any{"", " ", text(MaxLegalBasisLength + 1), nil}},
		{"findings.0.category", nil, []any{"c"}},
		{"examples.0.expect.findings", []any{absent, []any{}}, []any{nil, "A", []any{"a"}, []any{5}}},
		{"examples.0.expect.findings.1.entity_type", []any{absent}, []any{"Business", ""}},
		{"examples.1.expect.findings", nil, []any{[]any{}, []any{"A"}}},
		{"facts.1.default", []any{[]any{}}, []any{absent}},
		{"facts.1.asked_when", []any{absent, "true", "true" + strings.Repeat(" ", MaxConditionLength-4)}, []any{"", " ", true, nil, "true" + strings.Repeat(" ", MaxConditionLength-3)}},
		{"lists", []any{absent, map[string]any{}, manyLists(MaxLists), list("a"), list("a" + strings.Repeat("_", 63)), list("infinite")}, []any{
			nil, []any{}, manyLists(MaxLists + 1), list(""), list("A"), list("1a"), list("a-b"), list("a" + strings.Repeat("_", 64)),
			list("in"), list("true"), list("void"), list("while"), list("package"),
		}},
		{"lists.codes", []any{[]any{}, many(MaxListEntries, func(i int) any { return fmt.Sprint(i) })}, []any{nil, "7995", many(MaxListEntries+1, func(i int) any { return fmt.Sprint(i) })}},
		{"lists.codes.0", []any{"", text(MaxListEntryLength)}, []any{742, nil, text(MaxListEntryLength + 1)}},
		{"examples.0.facts.custom", []any{absent, map[string]any{}}, []any{nil, []any{}, "LLC"}},
		{"examples.0.facts.custom.form", []any{absent, "LLC"}, []any{nil, map[string]any{}, []any{nil}}},
		{"examples.0.facts.persons.0.custom.roles", []any{absent, []any{}}, []any{nil, map[string]any{}, []any{1}}},
		{"examples", []any{absent, []any{}, many(MaxExamples, example)}, []any{nil, map[string]any{}, many(MaxExamples+1, example)}},
		{"examples.0.name", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1)}},
		{"examples.0.facts", []any{absent, map[string]any{}}, []any{nil, []any{}}},
		{"examples.0.facts.as_of", []any{"2024-02-29", "0001-01-01", "9999-12-31"}, []any{"2023-02-29", "2024-2-29", "29.02.2024", "0000-01-01", "2024-02-29T00:00:00Z", 2024, ""}},
		{"examples.0.facts.established_date", []any{absent, "2024-02-29"}, []any{"2023-02-29", nil}},
		{"examples.0.facts.evaluation_score", []any{absent, -3.5, 1e12}, []any{"600", 1.1e12, -1.1e12, nil}},
		{"examples.0.facts.average_monthly_credit_sales", []any{0, 0.01, 9999999999999.99}, []any{-0.01, 1e13, "5"}},
		{"examples.0.facts.average_yearly_credit_sales", []any{9999999999999.99}, []any{-0.01, 1e13}},
		{"examples.0.facts.average_individual_sale", []any{9999999999999.99}, []any{-0.01, 1e13}},
		{"examples.0.facts.highest_ticket_sale", []any{9999999999999.99}, []any{-0.01, 1e13}},
		{"examples.0.facts.business_age_years", nil, []any{3}},
		{"examples.0.facts.business_age_months", nil, []any{3}},
		{"examples.0.facts.industry_category_code", []any{[]any{}, many(fact.MaxIndustryCategoryCodes, repeat("1"))}, []any{"0742", nil, many(fact.MaxIndustryCategoryCodes+1, repeat("1"))}},
		{"examples.0.facts.industry_category_code.0", []any{"62.01", "abcDEF0123"}, []any{742, "", "MCC 742", "07420742074"}},
		{"examples.0.facts.persons", []any{[]any{}, many(fact.MaxPersons, person)}, []any{nil, person(1), many(fact.MaxPersons+1, person)}},
		{"examples.0.facts.no_persons_attested", []any{absent, false, true}, []any{nil, "true", 1}},
		{"examples.0.facts.persons.0.person_id", []any{"x"}, []any{absent, "", 1}},
		{"examples.0.facts.persons.0.citizenship", []any{absent, "US", "XK", "XXA", "XXC"}, []any{"", "us", "USA", "XXD", nil, false}},
		{"examples.0.facts.persons.0.ownership_percentage", []any{absent, 0, 100, 24.99}, []any{-0.01, 100.01, "25", nil}},
		{"examples.0.facts.persons.0.age", nil, []any{18}},
		{"examples.0.expect", nil, []any{absent, nil, map[string]any{}, map[string]any{"documents": []any{}, "gaps": []any{"established_date"}}, map[string]any{"documents": nil}}},
		{"examples.0.expect.documents", []any{[]any{}}, []any{nil, "A"}},
		{"examples.0.expect.documents.0", []any{"A", "Z"}, []any{"", "a", 5, nil, map[string]any{}}},
		{"examples.0.expect.documents.0.document_type_code", []any{"Z"}, []any{absent, "", "z", nil}},
		{"examples.0.expect.documents.0.entity_type", []any{absent, "Workflow"}, []any{"", "Person", "person"}},
		{"examples.0.expect.documents.0.any_of", []any{absent, []any{"H"}}, []any{nil, "H", []any{}, []any{5}, []any{"h"}, []any{nil}}},
		{"examples.0.expect.documents.0.any_of.0", []any{"H"}, []any{"", "h", 5, nil, map[string]any{}}},
		{"examples.0.expect.documents.0.any_of.0.document_type_code", []any{"Z"}, []any{absent, "", "z", nil}},
		{"examples.0.expect.documents.0.any_of.0.expired_at_most", []any{absent, "2 years"}, []any{"", "soon", 5}},
		{"examples.0.expect.documents.0.any_of.1.all_of", []any{[]any{"I", "J", "K"}}, []any{absent, nil, []any{}, []any{"I"}, []any{"i", "j"}, "I"}},
		{"examples.0.expect.documents.0.any_of.1.valid_for", nil, []any{"1 year"}},
		{"examples.0.expect.documents.0.any_of.2.must_be_valid", []any{absent, false}, []any{"", 5}},
		{"examples.0.expect", []any{map[string]any{"excludes": []any{"A", map[string]any{"document_type_code": "A"}}}},
			[]any{map[string]any{"excludes": []any{map[string]any{"document_type_code": "A", "any_of": []any{"H"}}}}}},
		{"examples.0.expect.documents.1.entity_type", []any{absent}, []any{"Business", "Workflow", ""}},
		{"examples.0.expect.documents.1.person_id", []any{"p9"}, []any{absent, "", 1}},
		{"examples.0.expect.documents.1.when", nil, []any{"true"}},
		{"examples.1.expect.gaps", nil, []any{[]any{}, nil, "established_date"}},
		{"examples.1.expect.gaps.0", gapFactValues(), []any{"", "citizenship", "business_age_years", "person.person_id", "person", 5}},
		{"examples.1.expect.gaps.1.fact", []any{"person.ownership_percentage"}, []any{absent, "", "established_date", "persons", "age"}},
		{"examples.1.expect.gaps.1.person_id", []any{absent, "p9"}, []any{"", 1, nil}},
		{"example", nil, []any{[]any{}}},
	} {
		agree(t, compileSchema(t, docs.RulesSchema), ruleProblems, genericYAML(t, schemaRules), c.path, c.good, c.bad)
	}
	rule := func(i int) any { return map[string]any{"name": fmt.Sprint(i), "when": "true", "points": 1} }
	for _, c := range []struct {
		path string
		good []any
		bad  []any
	}{
		{"facts", []any{absent, many(fact.MaxDeclared, declared)}, []any{nil, map[string]any{}, many(fact.MaxDeclared+1, declared)}},
		{"facts.0", nil, []any{nil, "form", []any{}}},
		{"facts.0.name", []any{"form", "f" + strings.Repeat("_", 47), "infinite"}, []any{absent, "", "Form", "1a", "a-b", "in", "true", "void", "f" + strings.Repeat("_", 48), 5, nil}},
		{"facts.0.entity_type", []any{"Workflow"}, []any{absent, "", "business", "BusinessSalesInfo", nil}},
		{"facts.0.type", nil, []any{absent, "", "text", "STRING", "NUMBER", "BOOLEAN", nil}},
		{"facts.0.choices", []any{absent, []any{"LLC", "1"}, many(maxChoices-1, choice), append(many(maxChoices-2, choice), "1", "LLC")}, []any{nil, "LLC", []any{}, append(many(maxChoices, choice), "LLC"), []any{"LLC", "LLC"}}},
		{"facts.0.choices.1", []any{text(MaxListEntryLength)}, []any{"", " ", "a\tb", "a\nb", "\u0085b", 1, nil, text(MaxListEntryLength + 1), "LLC"}},
		{"facts.0.label", []any{text(maxFactLabel)}, []any{absent, "", " ", text(maxFactLabel + 1), 5}},
		{"facts.0.ask", []any{text(maxFactAsk)}, []any{absent, "", " ", text(maxFactAsk + 1), 5}},
		{"facts.0.default", []any{absent, "1"}, []any{nil, map[string]any{}, []any{1}}},
		{"facts.1.default", []any{[]any{}}, []any{absent}},
		{"facts.1.asked_when", []any{absent, "true", "true" + strings.Repeat(" ", MaxConditionLength-4)}, []any{"", " ", true, nil, "true" + strings.Repeat(" ", MaxConditionLength-3)}},
		{"facts.0.choice", nil, []any{[]any{"LLC"}}},
		{"base", []any{0, -1e9, 1e9, 0.5}, []any{absent, nil, "500", 1e9 + 1, -1e9 - 1}},
		{"rules", []any{absent, []any{}, many(MaxPricingRules, rule)}, []any{nil, map[string]any{}, many(MaxPricingRules+1, rule)}},
		{"rules.0", nil, []any{nil, "true"}},
		{"rules.0.name", []any{text(MaxTextLength)}, []any{absent, "", " ", text(MaxTextLength + 1), 5}},
		{"rules.0.when", []any{"true" + strings.Repeat(" ", MaxConditionLength-4)}, []any{absent, "", " ", true, "true" + strings.Repeat(" ", MaxConditionLength-3)}},
		{"rules.0.points", []any{0, -1e9, 1e9}, []any{absent, nil, "5", 1e9 + 1, -1e9 - 1}},
		{"rules.0.bonus", nil, []any{5}},
		{"lists", nil, []any{map[string]any{}}},
	} {
		agree(t, compileSchema(t, docs.PricingSchema), pricingProblems, genericYAML(t, schemaPricing), c.path, c.good, c.bad)
	}
}

func gapFactValues() []any {
	var names []any
	for _, name := range fact.BuiltIn.GapNames() {
		names = append(names, name)
	}
	return names
}

// agree holds schema and parser to one verdict about each value at a path.
func agree(t *testing.T, schema *jsonschema.Schema, problems func(fataler, any) []Problem, root any, path string, good, bad []any) {
	t.Helper()
	for _, value := range good {
		changed := at(root, path, value)
		require.NoError(t, schema.Validate(plain(t, changed)), "%s: %.100v", path, value)
		require.Empty(t, withinSchemas(problems(t, changed)), "%s: %.100v", path, value)
	}
	for _, value := range bad {
		changed := at(root, path, value)
		require.Error(t, schema.Validate(plain(t, changed)), "%s: %.100v", path, value)
		require.NotEmpty(t, withinSchemas(problems(t, changed)), "%s: %.100v", path, value)
	}
}

// plain is a value as a validator reads it from JSON.
func plain(t fataler, value any) any {
	data, err := json.Marshal(value)
	require.NoError(t, err)
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return read
}

// paths are all paths in a value, including the paths within its objects and lists.
func paths(value any, prefix string) []string {
	var found []string
	below := func(name string, v any) {
		found = append(found, prefix+name)
		found = append(found, paths(v, prefix+name+".")...)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below(name, v[name])
		}
	case []any:
		for i, item := range v {
			below(strconv.Itoa(i), item)
		}
	}
	return found
}

// TestSchema_AgreesWithTheParserAboutAnyChange of a good file, except for problems that only the
// parser can see.
func TestSchema_AgreesWithTheParserAboutAnyChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema   []byte
		source   string
		problems func(fataler, any) []Problem
	}{{docs.RulesSchema, schemaRules, ruleProblems}, {docs.PricingSchema, schemaPricing, pricingProblems}} {
		schema := compileSchema(t, c.schema)
		root := genericYAML(t, c.source)
		rapid.Check(t, func(rt *rapid.T) {
			changed := root
			for range rapid.IntRange(1, 3).Draw(rt, "changes") {
				path := rapid.SampledFrom(append(paths(changed, ""), "rules")).Draw(rt, "path")
				value := rapid.SampledFrom([]any{
					absent, nil, true, 0, -1, 0.5, 1e15, "", " ", "a", "A", "p1", "US", "true", "2024-02-29", "Person", "Business", "person.citizenship",
					[]any{}, []any{"A"}, map[string]any{}, map[string]any{"a": []any{"b"}}, map[string]any{"person_id": "p1"}, map[string]any{"fact": "person.citizenship"},
				}).Draw(rt, "value")
				changed = at(changed, path, value)
			}
			refused := schema.Validate(plain(rt, changed))
			problems := c.problems(rt, changed)
			if refused == nil {
				// What the conditions say is no matter of a schema.
				require.Empty(rt, slices.DeleteFunc(withinSchemas(problems), func(p Problem) bool { return rulefile.IsCondition(p.Path) }))
			} else {
				require.NotEmpty(rt, problems, "%v", refused)
			}
		})
	}
}

// TestSchema_HasTheNamesOfTheParser: the schema has every name that the parser lists.
func TestSchema_HasTheNamesOfTheParser(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	require.NoError(t, json.Unmarshal(docs.RulesSchema, &schema))
	require.Subset(t, schemaNames(t, schema), []string{"lists", "when", "ownership_percentage", "fact"})
	root, objects := genericYAML(t, schemaRules), 0
	for _, path := range append(paths(root, ""), "") {
		for _, p := range ruleProblems(t, at(root, strings.TrimPrefix(path+".?", "."), 1)) {
			if _, names, told := strings.Cut(p.Message, "the names are "); told {
				require.Subset(t, schemaNames(t, schema), strings.Split(names, ", "), path)
				objects++
			}
		}
	}
	require.Greater(t, objects, 10)
	// The condition's description names every fact.
	for _, name := range append(factNames(true, true), newestScope(true, true).fieldNames()...) {
		require.Contains(t, string(docs.RulesSchema), name)
	}
	for _, name := range factNames(false, false) {
		require.Contains(t, string(docs.PricingSchema), name)
	}
}

// schemaNames are the names of all properties of a schema. Each has a
// description that is a sentence.
func schemaNames(t *testing.T, schema any) []string {
	t.Helper()
	var names []string
	switch node := schema.(type) {
	case map[string]any:
		if properties, ok := node["properties"].(map[string]any); ok && node["type"] == "object" {
			for name, property := range properties {
				names = append(names, name)
				description, _ := property.(map[string]any)["description"].(string)
				require.NotEmpty(t, description, name)
			}
		}
		for name, child := range node {
			if description, ok := child.(string); ok && name == "description" {
				require.Regexp(t, `^[A-Z].*[.\]]$`, description)
			}
			names = append(names, schemaNames(t, child)...)
		}
	case []any:
		for _, child := range node {
			names = append(names, schemaNames(t, child)...)
		}
	}
	return names
}
