package author

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// The lint knows the codes of a named list only where the list stands alone.
func TestLint_NoWarningAboutAListBesideACode(t *testing.T) {
	t.Parallel()
	for _, w := range warned(t, oneRule(fact.EntityBusiness, `industry_category_code.exists(c, !(c in lists.high_risk) && c != "7995")`)) {
		require.NotContains(t, w.Message, "is true for every business")
	}
}
