package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

func TestMeantNames_OffersSimilarNames(t *testing.T) {
	names := []string{fact.NamePersons, "monthly_sales", "yearly_sales", "age"}
	for written, want := range map[string][]string{
		"monthly_sale":    {"monthly_sales"},
		"sales":           {"monthly_sales", "yearly_sales"},
		"SALES_YEARLY":    {"yearly_sales"},
		"Shareholders":    {fact.NamePersons},
		"mcc":             nil, // it means a name that is not to be had here
		"sales_of_a_day":  nil,
		"persons_persons": nil,
		"____":            nil,
		"":                nil,
	} {
		require.Equal(t, want, meantNames(written, names), written)
	}
	require.Equal(t, "; did you mean monthly_sales or yearly_sales?", meant("sales", names))
	require.Empty(t, meant("____", names))
	require.Equal(t, "; did you mean age?", rulefile.DidYouMean("agee", names))
	require.Empty(t, rulefile.DidYouMean("sales", names))
}
