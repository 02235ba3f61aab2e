package requirement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// TestFindings_CountInTheBoundOfAResult with what workflow.get tells of them: it has all in one answer.
func TestFindings_CountInTheBoundOfAResult(t *testing.T) {
	t.Parallel()
	long := func(bytes int) requirement.RuleSet {
		rs := requirement.RuleSet{Findings: []requirement.FindingRule{{
			FindingCode: "FOUND", Kind: requirement.KindHold, Name: "A finding", EntityType: fact.EntityPerson,
			When: `person.citizenship == "CA" && country != "US"`,
		}}}
		rs.Findings[0].Message = strings.Repeat("x", bytes)
		for i := range 9 {
			f := rs.Findings[0]
			f.FindingCode = fmt.Sprint("F", i)
			rs.Findings = append(rs.Findings, f)
		}
		return rs
	}
	_, problems := requirement.Compile(long(requirement.MaxTextLength), requirement.Options{})
	require.Len(t, problems, 1)
	require.Equal(t, "findings", problems[0].Path)
	require.Contains(t, problems[0].Message, "may require 500 documents and findings at once of a business with 50 persons")
	require.Contains(t, problems[0].Message, "shorten its message")
	rs, f := long(1000), requirement.LargestFacts(requirement.SizedPersons)
	f.Country = rulestest.Ptr("GB")
	program, problems := requirement.Compile(rs, requirement.Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	found, err := program.Evaluate(t.Context(), f)
	require.NoError(t, err)
	require.Len(t, found.Required, 500)
	seen := document.Seen{VersionID: "rul_" + fact.LongestEntityID[2:], AsOf: fact.Date{Year: 2026, Month: 1, Day: 1}, Facts: f}
	require.LessOrEqual(t, requirement.JSONBytes(document.Recalculate(nil, found, seen, nil).Findings.Now), program.MostRequiredBytes(requirement.SizedPersons))
	f = requirement.LargestFacts(fact.MaxPersons)
	f.Country = rulestest.Ptr("GB")
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorIs(t, err, requirement.ErrTooMuchRequired)
}
