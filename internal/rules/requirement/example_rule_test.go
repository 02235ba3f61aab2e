package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func TestExample_SaysWhatItExpectsAndWhatTheRulesGive(t *testing.T) {
	rules := RuleSet{Documents: []DocumentRule{
		documentRule(fact.EntityBusiness, "evaluation_score > 600 && business_age_months < 24"),
		documentRule(fact.EntityPerson, `person.citizenship != "US"`),
	}}
	facts := fact.ExampleFacts{
		AsOf: rulestest.Ptr(rulestest.Date("2026-03-15")), EstablishedDate: rulestest.Ptr(rulestest.Date("2025-01-31")), EvaluationScore: rulestest.Decimal(620.0),
		Persons: []fact.PersonFacts{{PersonID: "p1", Citizenship: rulestest.Ptr("CA")}},
	}
	both := []ExpectedDocument{{DocumentTypeCode: "DOC"}, {DocumentTypeCode: "DOC", PersonID: "p1"}}
	for name, c := range map[string]struct {
		change func(*Example)
		want   string
	}{
		"as expected": {func(e *Example) {}, ""},
		"with the entity type": {func(e *Example) {
			e.Expect.Documents = []ExpectedDocument{{DocumentTypeCode: "DOC", EntityType: "Business"}, {DocumentTypeCode: "DOC", EntityType: "Person", PersonID: "p1"}}
		}, ""},
		"one too few": {func(e *Example) { e.Expect.Documents = both[:1] }, `"it" expects document DOC of the business; the rules give document DOC of person p1, document DOC of the business`},
		"nothing":     {func(e *Example) { e.Expect.Documents = []ExpectedDocument{} }, `"it" expects nothing; the rules give document DOC of person p1, document DOC of the business`},
		"unknown":     {func(e *Example) { e.Expect.Documents = []ExpectedDocument{{DocumentTypeCode: "DCO"}} }, `"it" expects document DCO; the rules give document DOC of person p1, document DOC of the business`},
		"a gap":       {func(e *Example) { e.Facts.EvaluationScore = nil }, `"it" expects document DOC of person p1, document DOC of the business; the rules give missing evaluation_score`},
		"an expected gap": {func(e *Example) {
			e.Facts.EvaluationScore, e.Facts.Persons[0].Citizenship = nil, nil
			e.Expect = Expectation{Gaps: []ExpectedGap{{Fact: "person.citizenship", PersonID: "p1"}, {Fact: "evaluation_score"}}}
		}, ""},
		"an expected gap that is none": {func(e *Example) {
			e.Expect = Expectation{Gaps: []ExpectedGap{{Fact: "evaluation_score"}}}
		}, `"it" expects missing evaluation_score; the rules give document DOC of person p1, document DOC of the business`},
		"nobody on record": {func(e *Example) {
			e.Facts.Persons, e.Expect = nil, Expectation{Gaps: []ExpectedGap{{Fact: "person.citizenship"}}}
		}, ""},
		"nobody and none": {func(e *Example) {
			e.Facts.Persons, e.Facts.NoPersonsAttested, e.Expect.Documents = nil, true, both[:1]
		}, ""},
		"persons and none":    {func(e *Example) { e.Facts.NoPersonsAttested = true }, "has persons and no_persons_attested: true"},
		"no name":             {func(e *Example) { e.Name = " " }, "has no name"},
		"no expectation":      {func(e *Example) { e.Expect = Expectation{} }, "must expect either documents, or gaps"},
		"no gaps":             {func(e *Example) { e.Expect = Expectation{Gaps: []ExpectedGap{}} }, "expects no gaps"},
		"no day":              {func(e *Example) { e.Facts.AsOf = nil }, "needs as_of"},
		"no person id":        {func(e *Example) { e.Facts.Persons[0].PersonID = "" }, "without person_id"},
		"not established yet": {func(e *Example) { e.Facts.EstablishedDate = rulestest.Ptr(rulestest.Date("2026-03-16")) }, "established_date 2026-03-16 after as_of 2026-03-15"},
		"not born yet":        {func(e *Example) { e.Facts.Persons[0].DateOfBirth = rulestest.Ptr(rulestest.Date("2026-03-16")) }, "date_of_birth 2026-03-16 after as_of 2026-03-15"},
		"established on the day": {func(e *Example) {
			e.Facts.EstablishedDate = e.Facts.AsOf
		}, ""},
		"too many persons": {func(e *Example) { e.Facts.Persons = make([]fact.PersonFacts, fact.MaxPersons+1) }, "has 201 persons, and a business has at most 200 on record"},
		"too many codes":   {func(e *Example) { e.Facts.IndustryCategoryCode = make([]string, fact.MaxIndustryCategoryCodes+1) }, "has 101 industry category codes"},
		"one id twice":     {func(e *Example) { e.Facts.Persons = append(e.Facts.Persons, e.Facts.Persons[0]) }, "one person_id"},
	} {
		example := Example{Name: "it", Facts: facts, Expect: Expectation{Documents: both}}
		example.Facts.Persons = append([]fact.PersonFacts{}, facts.Persons...)
		c.change(&example)
		rs := rules
		rs.Examples = []Example{{Name: "first", Facts: facts, Expect: Expectation{Documents: both}}, example}
		program, problems := Compile(rs, Options{})
		if c.want == "" {
			require.Empty(t, problems, name)
			continue
		}
		require.Nil(t, program)
		require.Len(t, problems, 1, name)
		require.Equal(t, "examples[1]", problems[0].Path)
		require.Contains(t, problems[0].Message, c.want, name)
	}
}

func TestRunExamples_ShowsWhatDiffersAndWhy(t *testing.T) {
	facts := fact.ExampleFacts{EvaluationScore: rulestest.Decimal(620.0), Persons: []fact.PersonFacts{{PersonID: "p1", Citizenship: rulestest.Ptr("CA")}, {PersonID: "p2", Citizenship: rulestest.Ptr("US")}}}
	rs := RuleSet{
		Documents: []DocumentRule{documentRule(fact.EntityBusiness, "evaluation_score > 700"), documentRule(fact.EntityPerson, `person.citizenship != "US"`)},
		Examples: []Example{
			{Name: "differs", Facts: facts, Expect: Expectation{Documents: []ExpectedDocument{{DocumentTypeCode: "DOC"}}}},
			{Name: "holds", Facts: facts, Expect: Expectation{Documents: []ExpectedDocument{{DocumentTypeCode: "DOC", PersonID: "p1"}}}},
			{Name: "blocked", Facts: fact.ExampleFacts{Persons: facts.Persons}, Expect: Expectation{Documents: []ExpectedDocument{}}},
			{Name: "broken"},
		},
	}
	_, results, problems := RunExamples(t.Context(), rs, Options{})
	require.Empty(t, problems)
	require.Len(t, results, 4)

	differs := results[0]
	require.Equal(t, []Difference{{Text: "document DOC of the business"}}, differs.Missing)
	require.Equal(t, []Difference{{Text: "document DOC of person p1"}}, differs.Unexpected)
	require.Len(t, differs.Rules, 2)
	require.Equal(t, "documents[0]", differs.Rules[0].Path)
	require.False(t, differs.Rules[0].Required)
	require.Equal(t, false, differs.Rules[0].Steps.Value)
	require.Equal(t, "p1", differs.Rules[1].EntityID)
	require.True(t, differs.Rules[1].Required)

	require.Equal(t, ExampleResult{Name: "holds"}, results[1])
	require.Equal(t, []Difference{{"missing evaluation_score", []string{"DOC"}}}, results[2].Unexpected)
	require.Empty(t, results[2].Rules)
	require.Contains(t, results[3].Failure, "must expect either documents, or gaps")

	rs.Documents[0].When = "evaluation_scor > 1"
	_, results, problems = RunExamples(t.Context(), rs, Options{})
	require.Empty(t, results)
	require.Len(t, problems, 1)
}
