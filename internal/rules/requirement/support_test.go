package requirement

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

func documentRule(entityType, when string) DocumentRule {
	return DocumentRule{DocumentTypeCode: "DOC", Name: "A document", Category: "TEST", RequirementText: "A copy.", EntityType: entityType, When: when}
}

// oneRule is a rule set with one document and the list high_risk.
func oneRule(entityType, when string) RuleSet {
	return RuleSet{
		Lists:     map[string][]string{"high_risk": {"5967", "7995"}},
		Documents: []DocumentRule{documentRule(entityType, when)},
	}
}

type fataler interface {
	require.TestingT
	Helper()
}

// mustCompile compiles with a cost limit that drawn conditions do not reach.
func mustCompile(t fataler, rs RuleSet) *Program {
	t.Helper()
	program, problems := Compile(rs, Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	return program
}

// mustCompileUnsized compiles rules whose reasons may take more room than a calculation has.
func mustCompileUnsized(t fataler, rs RuleSet) *Program {
	t.Helper()
	program, problems := compileUnsized(background(t), rs, Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	return program
}

func evaluate(t fataler, rs RuleSet, f fact.Facts) Result {
	t.Helper()
	result, err := mustCompile(t, rs).Evaluate(background(t), f)
	require.NoError(t, err)
	return result
}

func entityIDs(result Result) []string {
	ids := []string{}
	for _, r := range result.Required {
		ids = append(ids, r.EntityID)
	}
	return ids
}

func background(t fataler) context.Context {
	if tb, ok := t.(testing.TB); ok {
		return tb.Context()
	}
	return context.Background()
}
