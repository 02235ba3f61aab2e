package requirement

import (
	"slices"

	"github.com/stretchr/testify/require"
)

// warned are the warnings and hints of a rule set. The cost limit is one that drawn
// conditions do not reach.
func warned(t fataler, rs RuleSet) []Problem {
	t.Helper()
	program, problems := Compile(rs, Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	found, err := Warnings(background(t), program, rs)
	require.NoError(t, err)
	return found
}

// likelyMistakes are the warnings of a rule set without its hints.
func likelyMistakes(t fataler, rs RuleSet) []Problem {
	t.Helper()
	return slices.DeleteFunc(warned(t, rs), func(w Problem) bool { return w.Severity == SeverityHint })
}
