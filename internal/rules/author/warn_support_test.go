package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/requirement"
)

// warned are the warnings and hints of a rule set. The cost limit is one that drawn
// conditions do not reach.
func warned(t *testing.T, rs requirement.RuleSet) []requirement.Problem {
	t.Helper()
	program, problems := requirement.Compile(rs, requirement.Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	found, err := Warnings(t.Context(), Today(), program, rs)
	require.NoError(t, err)
	return found
}

// likelyMistakes are the warnings of a rule set without its hints.
func likelyMistakes(t *testing.T, rs requirement.RuleSet) []requirement.Problem {
	t.Helper()
	return slices.DeleteFunc(warned(t, rs), func(w requirement.Problem) bool { return w.Severity == requirement.SeverityHint })
}

func documentRule(entityType, when string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: "DOC", Name: "A document", Category: "TEST", RequirementText: "A copy.", EntityType: entityType, When: when}
}

// oneRule is a rule set with one document and the list high_risk.
func oneRule(entityType, when string) requirement.RuleSet {
	return requirement.RuleSet{Lists: map[string][]string{"high_risk": {"5967", "7995"}}, Documents: []requirement.DocumentRule{documentRule(entityType, when)}}
}

func rulesOf(n int, entityType string, when func(i int) string) []requirement.DocumentRule {
	rules := make([]requirement.DocumentRule, n)
	for i := range rules {
		rules[i] = documentRule(entityType, when(i))
		rules[i].DocumentTypeCode, rules[i].Name = fmt.Sprint("DOC_", i), fmt.Sprint("Document ", i)
	}
	return rules
}

func always(when string) func(int) string { return func(int) string { return when } }

// manyRules are rules with one condition.
func manyRules(n int, entityType, when string) requirement.RuleSet {
	return requirement.RuleSet{Lists: map[string][]string{}, Documents: rulesOf(n, entityType, always(when))}
}

// repeated is as long as a condition may be.
func repeated(part, sign string) string {
	return strings.TrimSuffix(strings.Repeat(part+sign, requirement.MaxConditionLength/len(part+sign)), sign)
}
