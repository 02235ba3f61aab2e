package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func findingRule(entityType, when string) FindingRule {
	return FindingRule{FindingCode: "FOUND", Kind: KindHold, Name: "A finding", Message: "Look at it.", EntityType: entityType, When: when}
}

// withFinding has a document of the business and a finding of each person.
func withFinding() RuleSet {
	return RuleSet{
		Documents: []DocumentRule{documentRule(fact.EntityBusiness, "evaluation_score > 600")},
		Findings:  []FindingRule{findingRule(fact.EntityPerson, `person.citizenship == "CA"`)},
	}
}

func TestFindings_AreEvaluatedWithTheDocuments(t *testing.T) {
	t.Parallel()
	rs, f := withFinding(), fact.Facts{EvaluationScore: rulestest.Decimal(620), BusinessID: "b_1", Persons: []fact.PersonFacts{
		{PersonID: "p_1", Citizenship: rulestest.Ptr("US")}, {PersonID: "p_2", Citizenship: rulestest.Ptr("CA")},
	}}
	found := evaluate(t, rs, f)
	require.Len(t, found.Required, 2)
	require.Equal(t, []any{"DOC", ""}, []any{found.Required[0].DocumentTypeCode, found.Required[0].FindingCode}, "documents come first")
	finding := found.Required[1]
	require.Equal(t, []any{"", "FOUND", fact.EntityPerson, "p_2"}, []any{finding.DocumentTypeCode, finding.FindingCode, finding.EntityType, finding.EntityID})
	require.Equal(t, "A finding: found because the citizenship of person p_2 is CA.", finding.Reason.Message)
	require.NotEmpty(t, finding.Reason.Facts)

	f.Persons[1].Citizenship = rulestest.Ptr("US")
	found = evaluate(t, rs, f)
	require.Len(t, found.Required, 1)
	require.Equal(t, []RuleKey{{FindingCode: "FOUND", EntityType: fact.EntityPerson}}, []RuleKey{found.NotRequired[0].RuleKey()})
	rs.Findings[0] = findingRule(fact.EntityBusiness, `country == "CA"`)
	f.Country = rulestest.Ptr("US")
	require.Equal(t, "A finding: not found because the country of the business is US, not CA.", evaluate(t, rs, f).NotRequired[0].Reason.Message)

	f.Country = nil
	gaps := evaluate(t, rs, f).Gaps
	require.Equal(t, []string{"country"}, []string{gaps[0].Fact}, "a fact that only a finding reads is a gap")
	require.Equal(t, []string{"FOUND"}, mustCompile(t, rs).NeededBy("country"))

	rs.Findings[0].When = "1 / (evaluation_score - 620) > 1"
	_, err := mustCompile(t, rs).Evaluate(t.Context(), f)
	require.True(t, Unanswerable(err))
	require.ErrorContains(t, err, "findings[0] (FOUND)")
}

func TestFindings_AreCheckedLikeDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change     func(*RuleSet)
		path, want string
	}{
		"twice":                {func(rs *RuleSet) { rs.Findings = append(rs.Findings, rs.Findings[0]) }, "findings[1].finding_code", "is already findings[0]"},
		"code of a document":   {func(rs *RuleSet) { rs.Findings[0].FindingCode = "DOC" }, "", ""},
		"code in small":        {func(rs *RuleSet) { rs.Findings[0].FindingCode = "too big" }, "findings[0].finding_code", "write TOO_BIG"},
		"code of a hold":       {func(rs *RuleSet) { rs.Findings[0].FindingCode = DocumentOverdue }, "findings[0].finding_code", "choose another code"},
		"other kind":           {func(rs *RuleSet) { rs.Findings[0].Kind = "DECLINED" }, "findings[0].kind", "did you mean DECLINE?"},
		"no kind":              {func(rs *RuleSet) { rs.Findings[0].Kind = "" }, "findings[0].kind", "write REVIEW, HOLD or DECLINE"},
		"no message":           {func(rs *RuleSet) { rs.Findings[0].Message = " " }, "findings[0].message", "is missing"},
		"no condition":         {func(rs *RuleSet) { rs.Findings[0].When = "" }, "findings[0].when", "is missing"},
		"a misspelt fact":      {func(rs *RuleSet) { rs.Findings[0].When = "contry == 'US'" }, "findings[0].when", "did you mean country"},
		"person of a business": {func(rs *RuleSet) { rs.Findings[0].EntityType = fact.EntityBusiness }, "findings[0].when", "person"},
		"none":                 {func(rs *RuleSet) { rs.Findings = []FindingRule{} }, "findings", "leave findings out"},
		"too many": {func(rs *RuleSet) {
			for i := range MaxFindings {
				rs.Findings = append(rs.Findings, FindingRule{FindingCode: fmt.Sprint("F", i), Kind: KindHold, Name: "n", Message: "m", EntityType: fact.EntityPerson, When: "true"})
			}
		}, "findings", "holds 101 rules; at most 100 are allowed"},
		"too long together": {func(rs *RuleSet) {
			long := `"` + strings.Repeat("x", MaxConditionLength-10) + `" == ""`
			for i := range MaxFindings - 1 {
				rs.Findings = append(rs.Findings, FindingRule{FindingCode: fmt.Sprint("F", i), Kind: KindHold, Name: "n", Message: "m", EntityType: fact.EntityWorkflow, When: long})
			}
		}, "findings", "have conditions of more than"},
	} {
		rs := withFinding()
		c.change(&rs)
		_, problems := Compile(rs, Options{})
		if c.want == "" {
			require.Empty(t, problems, name)
			continue
		}
		require.Condition(t, func() bool {
			return slices.ContainsFunc(problems, func(p Problem) bool { return p.Path == c.path && strings.Contains(p.Message, c.want) })
		}, "%s: %v", name, problems)
	}
}

func TestExample_ExpectsFindings(t *testing.T) {
	t.Parallel()
	rs := withFinding()
	facts := fact.ExampleFacts{EvaluationScore: rulestest.Decimal(620), Persons: []fact.PersonFacts{{PersonID: "p1", Citizenship: rulestest.Ptr("CA")}}}
	documents, none := []ExpectedDocument{{DocumentTypeCode: "DOC"}}, []ExpectedFinding{}
	found := []ExpectedFinding{{FindingCode: "FOUND", PersonID: "p1"}}
	for name, c := range map[string]struct {
		expect Expectation
		want   string
	}{
		"documents alone say nothing of findings": {Expectation{Documents: documents}, ""},
		"both":                        {Expectation{Documents: documents, Findings: found}, ""},
		"findings alone":              {Expectation{Findings: found}, ""},
		"includes and findings":       {Expectation{Includes: documents, Findings: found}, ""},
		"a wrong finding":             {Expectation{Documents: documents, Findings: none}, `expects document DOC of the business; the rules give document DOC of the business, finding FOUND of person p1`},
		"a missing one":               {Expectation{Findings: append([]ExpectedFinding{{FindingCode: "OTHER"}}, found...)}, `expects finding FOUND of person p1, finding OTHER; the rules give finding FOUND of person p1`},
		"includes and a wrong one":    {Expectation{Includes: documents, Findings: none}, `excludes finding FOUND of person p1, which the rules give`},
		"a finding is no document":    {Expectation{Includes: []ExpectedDocument{{DocumentTypeCode: "FOUND"}}}, `includes document FOUND, which the rules do not give`},
		"gaps and findings":           {Expectation{Gaps: []ExpectedGap{{Fact: "country"}}, Findings: none}, "findings go with all but gaps"},
		"excludes is about documents": {Expectation{Excludes: []ExpectedDocument{{DocumentTypeCode: "FOUND"}}}, ""},
	} {
		rs.Examples = []Example{{Name: "it", Facts: facts, Expect: c.expect}}
		_, problems := Compile(rs, Options{})
		if c.want == "" {
			require.Empty(t, problems, name)
			continue
		}
		require.Len(t, problems, 1, name)
		require.Contains(t, problems[0].Message, c.want, name)
	}
	rs.Examples = []Example{{Name: "it", Facts: facts, Expect: Expectation{Findings: none}}, {Name: "without", Facts: facts, Expect: Expectation{Documents: documents}}}
	_, results, problems := RunExamples(t.Context(), rs, Options{})
	require.Empty(t, problems)
	require.Equal(t, Expectation{Documents: documents, Findings: found}, results[0].Given)
	require.Equal(t, "FOUND", results[0].Rules[0].FindingCode)
	require.Empty(t, results[1].Failure)
	program, problems := Compile(RuleSet{Documents: rs.Documents, Findings: rs.Findings, Examples: rs.Examples[1:]}, Options{})
	require.Empty(t, problems)
	require.Equal(t, []bool{true, false}, program.Tried().Required, "an example that expects no findings tries none")
}
