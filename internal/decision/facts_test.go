package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
)

// TestForRules_CountryIsACode: an address may hold a text from before country had to be a code.
func TestForRules_CountryIsACode(t *testing.T) {
	for country, counts := range map[string]bool{"GB": true, "XK": true, "UK": false, "Germany": false, "gb": false, "": false} {
		facts, err := decision.Facts{Business: view.BusinessData{Address: wire.OrNull(&domain.Address{Country: &country})}}.ForRules(fact.Date{})
		require.NoError(t, err)
		if counts {
			require.Equal(t, &country, facts.Country)
		} else {
			require.Nil(t, facts.Country, country)
		}
	}
}
