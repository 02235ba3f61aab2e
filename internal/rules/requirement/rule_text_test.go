package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
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
	require.Equal(t, "; did you mean age?", didYouMean("agee", names))
	require.Empty(t, didYouMean("sales", names))
}

func TestUnprintable_FindsControlCharactersAndBrokenUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"a\tb\r\n é\u2028": "",
		"a \uFFFD":         "", // it is UTF-8, and stands for what was not
		"a\xff":            "is not UTF-8: save the file as UTF-8",
		"\uFFFD\xc3":       "is not UTF-8: save the file as UTF-8",
		"a\x00":            "holds the control character U+0000: take it out",
		"\u0085":           "holds the control character U+0085: take it out",
		"\x7f\xff":         "holds the control character U+007F: take it out",
	} {
		require.Equal(t, want, unprintable(text), "%q", text)
	}
	require.False(t, tooLong("ééé", 3), "characters count, and not bytes")
	require.True(t, tooLong("éééé", 3))
}
