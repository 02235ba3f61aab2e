package requirement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// askedFacts are facts that are only asked for under a condition.
const askedFacts = `facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [SOLE_PROPRIETOR, LLC], label: legal form, ask: The legal form.}
  - {name: bearer, entity_type: Business, type: BOOLEAN, default: false, asked_when: custom.legal_form == "LLC", label: bearer shares, ask: Are there bearer shares?}
  - {name: tax_id, entity_type: Workflow, type: TEXT, default: none, asked_when: country == "US" && business_age_years >= 1, label: tax id, ask: The tax id.}
  - {name: visa, entity_type: Person, type: TEXT_LIST, choices: [A, B], default: [], asked_when: person.citizenship != country, label: visas, ask: The visas of this person.}
  - {name: votes, entity_type: Person, type: NUMBER, default: 0, asked_when: custom.legal_form == "LLC", label: votes, ask: The votes of this person.}
`

func askedGaps(gaps []fact.Gap) []string {
	found := make([]string, len(gaps))
	for i, g := range gaps {
		found[i] = g.Fact + " of " + g.EntityID
	}
	return found
}

func TestAskedWhen_DecidesWhetherAnAbsentFactIsAGap(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts() // US, established in 2025; p_1 of the US, p_2 of CA
	abroad := f
	abroad.Country = nil
	stateless := f
	stateless.Persons = slices.Clone(f.Persons)
	stateless.Persons[1].Citizenship = nil
	nobody := f
	nobody.Persons = nil
	with := func(f fact.Facts, custom string) fact.Facts {
		f.Custom = values(t, custom)
		return f
	}
	withVisa := with(f, `{}`)
	withVisa.Persons = slices.Clone(f.Persons)
	withVisa.Persons[1].Custom = values(t, `{"visa":["A"]}`)
	for name, c := range map[string]struct {
		entityType, when string
		facts            fact.Facts
		gaps             []string // of none it is decided
		required         []string
	}{
		"what it reads is missing":             {fact.EntityBusiness, "custom.bearer", f, []string{"custom.legal_form of b_1"}, nil},
		"it is asked for":                      {fact.EntityBusiness, "custom.bearer", with(f, `{"legal_form":"LLC"}`), []string{"custom.bearer of b_1"}, nil},
		"it is not asked for":                  {fact.EntityBusiness, "!custom.bearer", with(f, `{"legal_form":"SOLE_PROPRIETOR"}`), nil, []string{"b_1"}},
		"a value counts if asked for":          {fact.EntityBusiness, "custom.bearer", with(f, `{"legal_form":"LLC","bearer":true}`), nil, []string{"b_1"}},
		"a value counts if not asked for":      {fact.EntityBusiness, "custom.bearer", with(f, `{"legal_form":"SOLE_PROPRIETOR","bearer":true}`), nil, []string{"b_1"}},
		"what it reads is needed all the same": {fact.EntityBusiness, "custom.bearer", with(f, `{"bearer":true}`), []string{"custom.legal_form of b_1"}, nil},
		"a value of another type":              {fact.EntityBusiness, "custom.bearer", with(f, `{"legal_form":"LLC","bearer":"yes"}`), []string{"custom.bearer of b_1"}, nil},
		"the same where it is not asked for":   {fact.EntityBusiness, "!custom.bearer", with(f, `{"legal_form":"SOLE_PROPRIETOR","bearer":"yes"}`), nil, []string{"b_1"}},
		"one of two facts is missing":          {fact.EntityWorkflow, `custom.tax_id == "1"`, abroad, []string{"country of b_1"}, nil},
		"of a workflow":                        {fact.EntityWorkflow, `custom.tax_id == "1"`, f, []string{"custom.tax_id of w_1"}, nil},
		"of some persons":                      {fact.EntityPerson, `"A" in person.custom.visa`, f, []string{"person.custom.visa of p_2"}, nil},
		"of a person whose fact is missing":    {fact.EntityPerson, `"A" in person.custom.visa`, stateless, []string{"person.citizenship of p_2"}, nil},
		"of persons without the country":       {fact.EntityPerson, `"A" in person.custom.visa`, abroad, []string{"country of b_1"}, nil},
		"persons with a value and without":     {fact.EntityPerson, `"A" in person.custom.visa`, withVisa, nil, []string{"p_2"}},
		"in a loop":                            {fact.EntityBusiness, `persons.all(p, size(p.custom.visa) < 2)`, withVisa, nil, []string{"b_1"}},
		"of nobody, what it reads":             {fact.EntityBusiness, `persons.exists(p, "A" in p.custom.visa)`, nobody, []string{"person.citizenship of b_1"}, nil},
		"of nobody, who must be known first":   {fact.EntityBusiness, `persons.exists(p, p.custom.votes > 5)`, with(nobody, `{"legal_form":"LLC"}`), []string{"persons of b_1"}, nil},
		"of a fact that no rule reads":         {fact.EntityBusiness, `country == "US"`, f, nil, []string{"b_1"}},
	} {
		result := evaluate(t, declaring(t, askedFacts, c.entityType, c.when), c.facts)
		require.ElementsMatch(t, c.gaps, askedGaps(result.Gaps), name)
		if c.gaps == nil {
			require.Equal(t, c.required, entityIDs(result), name)
		}
		explained, err := mustCompile(t, declaring(t, askedFacts, c.entityType, c.when)).Explain(t.Context(), c.facts)
		require.NoError(t, err)
		require.ElementsMatch(t, c.gaps, askedGaps(explained.Gaps), name)
	}
}

func TestAskedWhen_IsExplained(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Custom = values(t, `{"legal_form":"SOLE_PROPRIETOR","bearer":5}`)
	for _, c := range []struct{ entityType, when, want string }{
		{fact.EntityBusiness, "!custom.bearer", `"bearer shares" is false; "bearer shares" (on file with a value that does not count, counted as false)`},
		{fact.EntityBusiness, "persons.all(p, p.custom.votes < 5)", "every person's votes is less than 5; the votes of 2 persons (not asked, counted as 0)"},
		{fact.EntityPerson, `person.citizenship == "US" && size(person.custom.visa) == 0`, "the citizenship of person p_1 is US; and the number of visas of person p_1 is 0; the visas of person p_1 (not asked, counted as none)"},
	} {
		message := evaluate(t, declaring(t, askedFacts, c.entityType, c.when), withVisas(t, f)).Required[0].Reason.Message
		require.Equal(t, "A document: required because "+c.want+".", message)
	}
	program := mustCompile(t, declaring(t, askedFacts, fact.EntityBusiness, `custom.tax_id == "none" && persons.all(p, p.custom.votes < 5)`))
	because := map[string]string{}
	for _, v := range factValues(t, program, f) {
		if strings.HasPrefix(v.Name, "custom.") {
			because[v.Name] = fmt.Sprint(v.Value, " ", v.DefaultBecause)
		}
	}
	require.Equal(t, map[string]string{"custom.legal_form": "SOLE_PROPRIETOR ", "custom.tax_id": "<nil> ", "custom.votes": "0 not asked"}, because)
	explained, err := program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, []string{"custom.tax_id of w_1"}, askedGaps(explained.Gaps))
}

func withVisas(t *testing.T, f fact.Facts) fact.Facts {
	f.Persons = slices.Clone(f.Persons)
	f.Persons[1].Custom = values(t, `{"visa":["A"]}`)
	return f
}

// TestAskedWhen_NeedsWhatItReads: for gaps that examples can expect, for the names of what rules
// need, and for the days that they count.
func TestAskedWhen_NeedsWhatItReads(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, declaring(t, askedFacts, fact.EntityWorkflow, `custom.tax_id == "1" || persons.exists(p, p.custom.votes > 5)`))
	names := []string{"business_age_years", "country", "custom.legal_form", "custom.tax_id", "person.custom.votes", "persons"}
	require.Equal(t, names, program.FactNames())
	require.Equal(t, names, program.FactNamesWithoutDefault(), "all may be asked for")
	require.Equal(t, []string{"country", "custom.legal_form", "custom.tax_id", "established_date", "person.custom.votes", "persons"}, program.GapNames())
	require.True(t, program.CountsDays())
	require.Equal(t, []string{"DOC"}, program.NeededBy("custom.legal_form"))

	set, problems := ReadRuleSet(rulefile.YAMLFile([]byte(askedFacts + `documents:
  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: custom.bearer}
examples:
  - {name: asked, facts: {custom: {legal_form: LLC}}, expect: {gaps: [custom.bearer]}}
  - {name: not asked, facts: {custom: {legal_form: SOLE_PROPRIETOR}}, expect: {documents: []}}
  - {name: unknown, facts: {}, expect: {gaps: [custom.legal_form]}}
`)))
	require.Empty(t, problems)
	mustCompile(t, set)
	back, problems := ReadRuleSet(rulefile.YAMLFile(set.YAML()))
	require.Empty(t, problems)
	require.Equal(t, set.CanonicalJSON(), back.CanonicalJSON())
}

func TestAskedWhen_Problems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entityType, asked, want string }{
		{"Business", `evaluation_score > 5`, "1:1 evaluation_score is what pricing calculates, so asked_when cannot refer to it"},
		{"Business", `persons.exists(p, p.citizenship == "US")`, "1:1 persons: " + askedWhenReads},
		{"Business", `person.citizenship == "US"`, "1:1 person: " + askedWhenReads},
		{"Person", `persons.size() > 1`, "1:1 persons: " + askedWhenReads},
		{"Business", `custom.shares > 1`, "1:1 custom.shares belongs to a person: write persons.exists(p, p.custom.shares …)"},
		{"Business", `custom.other`, "1:1 custom.other has an asked_when itself, so no asked_when can read it: write its condition out"},
		{"Person", `custom.other && person.custom.asked`, "1:1 custom.other has an asked_when itself, so no asked_when can read it: write its condition out"},
		{"Person", `person.custom.asked`, "1:15 custom.asked has an asked_when itself, so no asked_when can read it: write its condition out"},
		{"Business", `definitions.small`, "1:13 definitions.small: asked_when cannot use definitions; write the condition out"},
		{"Business", `country`, "1:1 country is text, and a condition must be true or false: compare it with something"},
		{"Business", `contry == "US"`, "1:1 contry is not the name of a fact; did you mean country?"},
		{"Business", `total == 5`, "1:1 total is not the name of a fact: declare it under facts and write custom.total; or if it is text, put it in quotes: \"total\"; " +
			"the facts are average_monthly_credit_sales, "},
		{"Business", strings.Repeat("country == \"US\" || ", 300) + "true", "0:0 is longer than 4096 characters"},
	} {
		file := fmt.Sprintf(`facts:
  - {name: other, entity_type: Business, type: BOOLEAN, default: false, asked_when: country == "US", label: l, ask: a}
  - {name: shares, entity_type: Person, type: NUMBER, label: l, ask: a}
  - {name: asked, entity_type: %s, type: BOOLEAN, default: false, asked_when: '%s', label: l, ask: a}
`, c.entityType, c.asked)
		for name, compile := range map[string]func() []Problem{
			"rules": func() []Problem {
				set, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file + "definitions: {small: country == 'US'}\ndocuments: []\n")))
				require.Empty(t, problems)
				return second(Compile(set, Options{}))
			},
			"pricing": func() []Problem {
				model, problems := ReadPricingModel(rulefile.YAMLFile([]byte(file + "base: 1\n")))
				require.Empty(t, problems)
				_, problems = CompilePricing(model, Options{})
				return problems
			},
		} {
			problems := compile()
			require.NotEmpty(t, problems, "%s %s", name, c.asked)
			require.Equal(t, "facts[2].asked_when", problems[0].Path)
			said := positionOf(problems[0]) + " " + problems[0].Message
			require.True(t, strings.HasPrefix(said, c.want), "%s\n%s\n%s", c.asked, c.want, said)
		}
	}
	const noDefault = "facts:\n  - {name: n, entity_type: Business, type: DATE, label: l, ask: a, asked_when: country == \"US\"}\ndocuments: []\n"
	set, problems := ReadRuleSet(rulefile.YAMLFile([]byte(noDefault)))
	require.Empty(t, problems)
	requireProblem(t, set, "facts[0].asked_when", "needs a default, which the fact counts as where it is not asked for: add one, or leave asked_when out")

	// A position is that in the file.
	file := rulefile.YAMLFile([]byte("facts:\n  - name: n\n    entity_type: Business\n    type: DATE\n    default: 2020-01-01\n    label: l\n    ask: a\n    asked_when: >-\n      country == \"US\" &&\n      contry == \"US\"\ndocuments: []\n"))
	set, problems = ReadRuleSet(file)
	require.Empty(t, problems)
	_, problems = Compile(set, Options{})
	located := file.LocateAll(nil, problems)
	require.Equal(t, "10:7 facts[0].asked_when", positionOf(located[0])+" "+located[0].Path)
}

// TestAskedWhen_StepsCount for each person of a fact of persons.
func TestAskedWhen_StepsCount(t *testing.T) {
	t.Parallel()
	rs := declaring(t, askedFacts, fact.EntityBusiness, "true")
	rs.Facts[4].AskedWhen = "industry_category_code.all(a, industry_category_code.all(b, a == b || person.citizenship == a))"
	requireProblem(t, rs, "facts[4].asked_when", "for each of 200 persons, industry_category_code.all(a, …) runs 200 x 100 times")
	rs.Facts[4].AskedWhen = "industry_category_code.all(a, a == person.citizenship)"
	rs.Documents[0].When = "persons.all(p, p.custom.votes < 5)"
	program := mustCompile(t, rs)
	f := largeFacts()
	f.Custom = values(t, `{"legal_form":"LLC"}`)
	b, err := program.prepare(t.Context(), f)
	require.NoError(t, err)
	require.Greater(t, *b.spent, uint64(fact.MaxPersons))
	require.LessOrEqual(t, *b.spent, program.asked[2+1].Condition.stepsFor(fact.MaxPersons))
	_, problems := Compile(rs, Options{CostLimit: program.asked[3].Condition.stepsFor(fact.MaxPersons)})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "votes (facts[4].asked_when) takes most")
}

// TestAskedWhen_WithoutAResultRefusesTheCalculation, as a condition without one does.
func TestAskedWhen_WithoutAResultRefusesTheCalculation(t *testing.T) {
	t.Parallel()
	rs := declaring(t, askedFacts, fact.EntityBusiness, "custom.bearer")
	rs.Facts[1].AskedWhen = "highest_ticket_sale / average_individual_sale > 5"
	f := rulestest.CompleteFacts()
	f.AverageIndividualSale = rulestest.Decimal(0)
	program := mustCompile(t, rs)
	_, err := program.Evaluate(t.Context(), f)
	require.ErrorIs(t, err, ErrUndecided)
	require.ErrorContains(t, err, "facts[1].asked_when (custom.bearer)")
}

func TestAskedWhen_OfPricing(t *testing.T) {
	t.Parallel()
	model, problems := ReadPricingModel(rulefile.YAMLFile([]byte(askedFacts + `base: 1
rules:
  - {name: r, points: 2, when: "!custom.bearer && persons.all(p, p.custom.votes < 5)"}
`)))
	require.Empty(t, problems)
	pricing, problems := CompilePricing(model, Options{})
	require.Empty(t, problems)
	f := rulestest.CompleteFacts()
	for custom, want := range map[string][]string{
		`{}`:                               {"custom.legal_form of b_1"},
		`{"legal_form":"LLC"}`:             {"custom.bearer of b_1", "person.custom.votes of p_1", "person.custom.votes of p_2"},
		`{"legal_form":"SOLE_PROPRIETOR"}`: {},
	} {
		f.Custom = values(t, custom)
		gaps, err := pricing.Gaps(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, want, askedGaps(gaps), custom)
		result, err := pricing.Score(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, want, askedGaps(result.Gaps))
		if len(want) == 0 {
			require.Equal(t, "3", result.Score.String())
			require.Contains(t, result.Applied[0].Reason.Message, `"bearer shares" (not asked, counted as false); the votes of 2 persons (not asked, counted as 0)`)
		}
	}
}

// The parts of drawn rules whose facts are asked for under a drawn condition.
var (
	ofBusinesses = []string{
		`country == "DE"`, `"0742" in industry_category_code`, `custom.plain == "A"`, `custom.plain != "B" && country == "US"`, `days_since(established_date) > 0`, `true`, `1 > 2`,
	}
	ofPersons = append([]string{
		`person.citizenship != "US"`, `person.ownership_percentage >= 25 || country == "US"`, `years_since(person.date_of_birth) < 18`, `person.person_id != "p_0"`,
	}, ofBusinesses...)
	askedParts = map[string][]string{
		fact.EntityBusiness: {"custom.b", "custom.w > 12", `custom.plain == "C"`, `persons.exists(o, "A" in o.custom.p)`, "persons.all(o, o.custom.q)"},
		fact.EntityPerson:   {"custom.b", "custom.w > 12", "person.custom.q", `"A" in person.custom.p`, "persons.all(o, o.custom.q)"},
	}
)

// TestAskedWhen_MeansTheSameAsFactsThatAreStated: where a fact is not asked for, the model states its
// default, and then requires each fact that a rule reads. What asked_when reads is asked by rules of
// their own.
func TestAskedWhen_MeansTheSameAsFactsThatAreStated(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		asks := map[string]string{}
		for _, name := range []string{"b", "w"} {
			asks[name] = rapid.SampledFrom(ofBusinesses).Draw(t, "asked when")
		}
		for _, name := range []string{"p", "q"} {
			asks[name] = rapid.SampledFrom(ofPersons).Draw(t, "asked when, of a person")
		}
		defaults := rulestest.Values(fmt.Sprintf(`{"b":%t,"w":12.5,"p":%s,"q":%t}`,
			rapid.Bool().Draw(t, "default of b"), rapid.SampledFrom([]string{`[]`, `["C","A"]`}).Draw(t, "default of p"), rapid.Bool().Draw(t, "default of q")))
		declared := []fact.Declaration{
			{Name: "plain", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Choices: []string{"A", "B", "C"}},
			{Name: "b", EntityType: fact.EntityBusiness, Type: fact.DeclaredBoolean},
			{Name: "w", EntityType: fact.EntityWorkflow, Type: fact.DeclaredNumber},
			{Name: "p", EntityType: fact.EntityPerson, Type: fact.DeclaredTextList, Choices: []string{"A", "B", "C"}},
			{Name: "q", EntityType: fact.EntityPerson, Type: fact.DeclaredBoolean},
		}
		entityType := rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity type")
		when := rapid.SampledFrom(askedParts[entityType]).Draw(t, "part")
		for range rapid.IntRange(0, 2).Draw(t, "more parts") {
			when += rapid.SampledFrom([]string{" && ", " || ", " && !"}).Draw(t, "joined by") + "(" + rapid.SampledFrom(askedParts[entityType]).Draw(t, "part") + ")"
		}
		model, set := oneRule(entityType, when), oneRule(entityType, when)
		for i := range declared {
			d := &declared[i]
			d.Label, d.Ask = d.Name, d.Name
			model.Facts = append(model.Facts, *d)
			if asked := asks[d.Name]; asked != "" {
				d.AskedWhen, d.Default = asked, rulestest.Ptr(defaults[d.Name])
				if strings.Contains(strings.ReplaceAll(when, "custom.plain", ""), "custom."+d.Name) {
					needs := documentRule(d.EntityType, "true || ("+asked+")")
					needs.DocumentTypeCode = "NEEDS_" + strings.ToUpper(d.Name)
					model.Documents = append(model.Documents, needs)
				}
			}
			set.Facts = append(set.Facts, *d)
		}
		f := rulestest.DrawFacts(t, rapid.IntRange(0, 3).Draw(t, "complete") > 0)
		if len(f.Persons) == 0 {
			f.Persons = []fact.PersonFacts{{PersonID: "p_0"}}
		}
		rulestest.DrawValues(t, &f, model.Facts, rapid.IntRange(0, 4).Draw(t, "all values") == 0)

		got, err := mustCompile(t, set).Evaluate(background(t), f)
		require.NoError(t, err)
		want, err := mustCompile(t, model).Evaluate(background(t), stated(t, f, declared, defaults))
		require.NoError(t, err)
		gaps := func(r Result) []string { return slices.Sorted(slices.Values(askedGaps(r.Gaps))) }
		require.Equal(t, gaps(want), gaps(got), "%s with %v", when, asks)
		want.Required = slices.DeleteFunc(want.Required, func(r Requirement) bool { return r.DocumentTypeCode != "DOC" })
		require.Equal(t, entityIDs(want), entityIDs(got), "%s with %v", when, asks)
		for i := range got.Required {
			require.Equal(t, want.Required[i].Reason.Facts, got.Required[i].Reason.Facts)
			if strings.Contains(got.Required[i].Reason.Message, fact.NotAsked) {
				seen["not asked"]++
			}
		}
		seen[fmt.Sprint("gaps ", len(got.Gaps) > 0)]++
		again, err := mustCompile(t, set).Evaluate(background(t), f)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
	t.Log(seen)
	for _, outcome := range []string{"not asked", "gaps true", "gaps false"} {
		require.Positive(t, seen[outcome], outcome)
	}
}

// stated adds the defaults of the absent facts that are not asked for, or of which it is not known.
func stated(t fataler, f fact.Facts, declared []fact.Declaration, defaults fact.Values) fact.Facts {
	t.Helper()
	state := func(d fact.Declaration, of fact.Facts, custom *fact.Values) {
		if v, on := (*custom)[d.Name]; on && rulestest.Counts(d, v) {
			return
		}
		rs := oneRule(cmp.Or(map[string]string{fact.EntityPerson: fact.EntityPerson}[d.EntityType], fact.EntityBusiness), d.AskedWhen)
		rs.Facts = []fact.Declaration{declared[0]}
		result, err := mustCompile(t, rs).Evaluate(background(t), of)
		require.NoError(t, err)
		if len(result.Gaps) > 0 || len(result.Required) == 0 {
			added := fact.Values{d.Name: defaults[d.Name]}
			for name, v := range *custom {
				if name != d.Name {
					added[name] = v
				}
			}
			*custom = added
		}
	}
	before := f
	f.Persons = slices.Clone(f.Persons)
	for _, d := range declared[1:] {
		if d.EntityType != fact.EntityPerson {
			state(d, before, &f.Custom)
			continue
		}
		for i := range f.Persons {
			alone := before
			alone.Persons = before.Persons[i : i+1]
			state(d, alone, &f.Persons[i].Custom)
		}
	}
	return f
}
