package requirement

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

const policyYAML = `lists:
  high_risk: ["7995", "5967"]
documents:
  - document_type_code: BANK_STATEMENTS
    name: Bank statements, last three months
    category: FINANCIAL
    requirement_text: Three most recent statements of the settlement account.
    entity_type: Business
    when: average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)
  - document_type_code: PASSPORT
    name: Passport
    category: IDENTITY
    requirement_text: The photo page of a valid passport.
    entity_type: Person
    when: |
      person.citizenship != "US"
      && person.ownership_percentage >= 25
examples:
  - name: a foreign owner of a quarter
    facts:
      average_monthly_credit_sales: 50000.01
      industry_category_code: ["0742"]
      persons:
        - {person_id: p1, citizenship: US, ownership_percentage: 75}
        - {person_id: p2, citizenship: CA, ownership_percentage: 25}
    expect:
      documents:
        - BANK_STATEMENTS
        - {document_type_code: PASSPORT, person_id: p2}
  - name: nothing is asked of a small local business
    facts:
      average_monthly_credit_sales: 50000
      industry_category_code: ["0742"]
      persons: [{person_id: p1, citizenship: US, ownership_percentage: 100}]
    expect:
      documents: []
  - name: an owner of whom nothing is known
    facts:
      average_monthly_credit_sales: 1
      persons: [{person_id: p1, citizenship: US}]
    expect:
      gaps: [industry_category_code, {fact: person.ownership_percentage, person_id: p1}]
`

func TestParse_PolicyFromAFileCompiles(t *testing.T) {
	rs, problems := ReadRuleSet(rulefile.YAMLFile([]byte(policyYAML)))
	require.Empty(t, problems)
	require.Len(t, rs.Documents, 2)
	_, problems = Compile(rs, Options{})
	require.Empty(t, problems)

	again, problems := ParseRuleSetJSON(rs.CanonicalJSON())
	require.Empty(t, problems)
	require.Equal(t, rs.CanonicalJSON(), again.CanonicalJSON())
	require.Equal(t, rs.Examples, again.Examples)
}

func TestCanonicalJSON_IsEqualForEqualContent(t *testing.T) {
	one, problems := ParseRuleSetJSON([]byte(`{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business"}],"lists":{"b":["1"],"a":[]}}`))
	require.Empty(t, problems)
	two, problems := ReadRuleSet(rulefile.YAMLFile([]byte("lists: {a: [], b: ['1']}\ndocuments: [{entity_type: Business, requirement_text: r, name: n, category: c, document_type_code: A}]\n")))
	require.Empty(t, problems)
	require.Equal(t, string(one.CanonicalJSON()), string(two.CanonicalJSON()))
	require.Equal(t, `{"lists":{"a":[],"b":["1"]},"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business"}]}`, string(one.CanonicalJSON()))
	require.Equal(t, `{"documents":[]}`, string(RuleSet{}.CanonicalJSON()))
	two.Lists["b"][0] = "2"
	require.NotEqual(t, one.CanonicalJSON(), two.CanonicalJSON())
}

func TestParse_IsStrict(t *testing.T) {
	for _, c := range []struct {
		yaml  bool
		input string
		want  []string // path line:column message
	}{
		{false, `{"documents":[],"documents":[]}`, []string{"documents 1:17 is written twice"}},
		{false, `{"Documents":[]}`, []string{"Documents 1:2 is not a name that belongs here; did you mean documents?"}},
		{false, `{"documents":[{"nmae":"x","when":5,"name":7}],"lists":{"a":["1",2],"a":[]}}`, []string{
			"documents[0].nmae 1:16 is not a name that belongs here; did you mean name?",
			"documents[0].when 1:34 must be text and is a number: put it in quotes",
			"documents[0].name 1:43 must be text and is a number",
			`lists.a[1] 1:65 must be text and is a number: put it in quotes, "2"`,
			"lists.a 1:68 is written twice",
		}},
		{false, "{\n  \"documents\": [\n    null\n  ]\n}", []string{"documents[0] 3:5 must be an object and is null: write a value, or leave it out if it is not needed"}},
		{false, `{"documents":[]} {}`, []string{" 1:18 is not JSON: something follows"}},
		{false, `{"documents":[}`, []string{" 1:15 is not JSON"}},
		{false, `[]`, []string{" 1:1 must be an object and is a list"}},
		{false, ``, []string{" 1:1 is not JSON"}},
		{false, `{}`, []string{"documents 1:1 is missing"}},
		{false, `{"documents":[{"when":"  "}]}`, []string{"documents[0].when 1:23 is empty: leave it out"}},
		{false, `{"documents":"\"é\\", "x":1}`, []string{"documents 1:14 must be a list and is text", "x 1:23 is not a name"}},
		{false, strings.Repeat("[", 5000), []string{" 1:66 is not JSON: values are nested more than 64"}},
		{false, `{"documents":[],"examples":[{"facts":{"business_age_months":3,"established_date":"2023-02-29","score":1},"expect":{"gaps":["citizenship"]}}]}`, []string{
			"examples[0].facts.business_age_months 1:39 is calculated from other facts",
			"examples[0].facts.established_date 1:82 \"2023-02-29\" is not a date",
			"examples[0].facts.score 1:95 is not a name that belongs here",
			"examples[0].expect.gaps[0] 1:124 citizenship belongs to a person: write person.citizenship",
		}},
		{true, "documents: []\nexamples: [{facts: {industry_category_code: 0742}}]\nlists: {a: x}\n", []string{
			`examples[0].facts.industry_category_code 2:45 must be a list and is a number: put it in square brackets, ["0742"]`,
			`lists.a 3:12 must be a list and is text: put it in square brackets, ["x"]`,
		}},
		{true, "documents:\n  document_type_code: A\n", []string{"documents 2:3 must be a list and is an object: begin each entry with -"}},
		{true, "documents: [{when: true}]\n", []string{"documents[0].when 1:20 must be text and is true or false: leave when out"}},
		{true, "documents: [{when: , name: }]\n", []string{"documents[0].when 1:20 must be text and is null: leave when out", "documents[0].name 1:28 must be text and is null: write"}},
		{true, "documents: [{any_of: [{when: }]}]\n", []string{"documents[0].any_of[0].when 1:30 must be text and is null: leave when out for an option"}},
		{true, "documents: [{renew_after: 2}]\n", []string{`documents[0].renew_after 1:27 must be text and is a number: write a period of 1 to 1000 days, months or years, such as "90 days"`}},
		{true, "documents: &d []\nlists: *d\n", []string{"documents 1:12 anchors and aliases", "lists 2:8 anchors and aliases"}},
		{true, "x: &x {documents: []}\n<<: *x\n", []string{"x 1:4 anchors and aliases", " 2:1 a name must be plain text", "documents 1:1 is missing"}},
		{true, "documents: !!set {}\n", []string{"documents 1:12 YAML reads ! at the beginning of a value as a tag"}},
		{true, "# nothing\n", []string{" 1:1 the file is empty"}},
		{true, "documents: []\nexamples: [{facts: {evaluation_score: 0x10, highest_ticket_sale: .inf, average_individual_sale: 1_000}}]\n", []string{
			"examples[0].facts.evaluation_score 2:39 0x10 is not a plain number",
			"examples[0].facts.highest_ticket_sale 2:66 .inf is not a plain number",
			"examples[0].facts.average_individual_sale 2:97 1_000 is not a plain number",
		}},
	} {
		open := rulefile.JSONFile
		if c.yaml {
			open = rulefile.YAMLFile
		}
		_, problems := ReadRuleSet(open([]byte(c.input)))
		require.Len(t, problems, len(c.want), "%s\n%v", c.input, problems)
		for i, problem := range problems {
			require.Contains(t, fmt.Sprintf("%s %d:%d %s", problem.Path, problem.Line, problem.Column, problem.Message), c.want[i])
		}
	}
}

func FuzzRuleSets(f *testing.F) {
	f.Add([]byte(policyYAML))
	f.Add([]byte(`{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Person","when":"person.citizenship != \"US\""}]}`))
	f.Add([]byte("documents: [{when: 'persons.exists(p, p.citizenship == \"US\")'}]"))
	f.Add([]byte("documents: &d []\nlists: *d\n<<: *d\n"))
	f.Add([]byte("documents: !!set {}\n---\n? [a]\n: |2-\n  x\n"))
	f.Add([]byte(strings.Repeat("[", 100) + strings.Repeat("- ", 100) + strings.Repeat("{a: ", 100)))
	f.Add([]byte("examples: [{facts: {evaluation_score: 0x10, highest_ticket_sale: .inf, established_date: 2023-02-29}}]\ndocuments: []\n"))
	f.Add([]byte(declaredFacts + `documents: [{document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Person, when: 'person.custom.pep || custom.legal_form == "LLC"'}]
examples: [{name: e, facts: {custom: {legal_form: LLC}, persons: [{person_id: p1, custom: {pep: true}}]}, expect: {documents: []}}]
`))
	f.Add([]byte(`facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [LLC, CORPORATION], label: legal form, ask: The legal form., default: LLC}
  - {name: pep, entity_type: Person, type: BOOLEAN, label: politically exposed, ask: Whether this person is., default: false}
  - {name: reserve, entity_type: Workflow, type: AMOUNT, label: reserve, ask: The reserve.}
lists: {table: [US/LLC, GB/CORPORATION]}
definitions:
  tabled: country + "/" + custom.legal_form in lists.table
  exposed: definitions.tabled && persons.filter(p, p.custom.pep).sum(p, p.ownership_percentage) >= 25
documents:
  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: definitions.exposed || years_since(established_date) < 2}
  - {document_type_code: B, name: n, category: c, requirement_text: r, entity_type: Person, when: "!definitions.tabled && person.custom.pep && custom.reserve > 100"}
examples: [{name: e, facts: {country: US, persons: [{person_id: p_1, custom: {pep: true}}], custom: {legal_form: LLC, reserve: 5}}, expect: {documents: []}}]
`))
	f.Add([]byte(`{"facts":[{"name":"a","entity_type":"Business","type":"TEXT_LIST","choices":["A"],"default":["A"]}],"definitions":{"b":"definitions.c","c":"definitions.b"},"documents":[]}`))
	f.Add([]byte(`{"lists":{"a":["\u0080"]},"documents":[]}`))
	for _, policy := range []string{"crowdfunding", "lender", "money-transmitter"} {
		data, err := os.ReadFile("../author/testdata/policies/" + policy + ".yaml")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, open := range []func([]byte) *rulefile.File{rulefile.JSONFile, rulefile.YAMLFile} {
			rs, problems := ReadRuleSet(open(data))
			if len(problems) > 0 {
				continue
			}
			program, refused := Compile(rs, Options{})
			if rulefile.Unprintable(string(rs.CanonicalJSON())) != "" {
				require.NotEmpty(t, refused, "a rule set that cannot be read again")
				continue
			}
			again, problems := ParseRuleSetJSON(rs.CanonicalJSON())
			require.Empty(t, problems)
			require.Equal(t, string(rs.CanonicalJSON()), string(again.CanonicalJSON()))
			if program != nil {
				_, _ = program.Evaluate(t.Context(), rulestest.CompleteFacts())
			}
		}
	})
}

func FuzzPricingModels(f *testing.F) {
	f.Add([]byte(modelYAML))
	f.Add([]byte(`{"base":1.5,"rules":[{"name":"a","when":"persons.exists(p, p.citizenship != \"US\")","points":-1e3}]}`))
	f.Add([]byte("base: 9999999999999999999999999999999999999999\nrules: [{name: a, when: 'average_yearly_credit_sales / highest_ticket_sale > 1', points: 0.1}]"))
	f.Add([]byte("base: 0x10\nrules: {}"))
	f.Add([]byte("base: 1e-40\nrules: []"))
	f.Add([]byte("base: 99999999999939999999999999999999999999E9\nrules: []"))
	f.Add([]byte(declaredFacts + "base: 1\nrules: [{name: a, when: 'custom.reserve > 1 && persons.all(p, size(p.custom.roles) == 0)', points: 1}]"))
	f.Add([]byte(`{"base":0,"rules":[{"points":0}]}`))
	f.Add([]byte(`{"base":0,"rules":[{"name":"\u0080"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, open := range []func([]byte) *rulefile.File{rulefile.JSONFile, rulefile.YAMLFile} {
			model, problems := ReadPricingModel(open(data))
			if len(problems) > 0 {
				continue
			}
			pricing, refused := CompilePricing(model, Options{})
			if rulefile.Unprintable(string(model.CanonicalJSON())) != "" {
				require.NotEmpty(t, refused, "a pricing model that cannot be read again")
				continue
			}
			again, problems := ParsePricingModelJSON(model.CanonicalJSON())
			require.Empty(t, problems)
			require.Equal(t, string(model.CanonicalJSON()), string(again.CanonicalJSON()))
			if len(refused) == 0 {
				_, _ = pricing.Score(t.Context(), rulestest.CompleteFacts())
			}
		}
	})
}

func FuzzConditions(f *testing.F) {
	for _, when := range []string{
		`average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)`,
		`persons.filter(p, p.ownership_percentage >= 25).map(p, p.citizenship).all(c, c != "US")`,
		`business_age_months / 12 > 1.5 ? established_date < date("2020-01-31") : !(evaluation_score in [1, 2.5])`,
		`person.citizenship.startsWith("U") && size(persons) % 2 == 0`,
		`custom.sells_cbd ? "DIRECTOR" in person.custom.roles : custom.legal_form in ["LLC"] && custom.first_sale_date > established_date`,
		`persons.filter(p, p.country_of_residence != country).sum(p, p.ownership_percentage / 2) > 12.5`,
		`country + "/" + (person.date_of_birth < date("2000-02-29") ? "old" : "young") in ["US/old", "GB/young"]`,
		`years_since(established_date) > 2 || months_since(person.date_of_birth) < 12 * 18 && days_since(date("2099-12-31")) < 0`,
		`industry_category_code.sum(c, size(c + country)) == 12 && persons.all(p, person.citizenship + p.citizenship != "USCA")`,
	} {
		f.Add(when)
	}
	declared := declaring(f, declaredFacts, fact.EntityBusiness, "").Facts
	f.Fuzz(func(t *testing.T, when string) {
		for _, entityType := range []string{fact.EntityBusiness, fact.EntityPerson} {
			rs := oneRule(entityType, when)
			rs.Facts = declared
			program, problems := Compile(rs, Options{})
			if program == nil {
				require.NotEmpty(t, problems)
				continue
			}
			result, err := program.Evaluate(t.Context(), completeDeclared(t))
			if err != nil {
				require.ErrorIs(t, err, ErrUndecided)
				continue
			}
			explanation, err := program.Explain(t.Context(), completeDeclared(t))
			require.NoError(t, err)
			required := 0
			for _, rule := range explanation.Rules {
				if rule.Steps != nil {
					require.Equal(t, rule.Required, rule.Steps.Value)
				}
				if rule.Required {
					required++
				}
			}
			require.Len(t, result.Required, required)
		}
	})
}
