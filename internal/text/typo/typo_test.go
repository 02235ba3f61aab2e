package typo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"legal_name", "email", "phone_number", "ab", "ba"}
	for misspelt, want := range map[string]string{
		"legal_nmae":                     "legal_name", // a swap is one edit
		"LEGAL_NAME":                     "legal_name",
		"legl_name":                      "legal_name",
		"emails":                         "email",
		"bb":                             "ab", // as near as ba
		"fax":                            "",
		"":                               "",
		strings.Repeat("legal_name", 11): "",
	} {
		found, ok := Nearest(misspelt, names, 1)
		require.Equal(t, want, found, misspelt)
		require.Equal(t, want != "", ok, misspelt)
	}
	found, ok := Meant("phone_nubmre", names)
	require.True(t, ok)
	require.Equal(t, "phone_number", found)
	_, ok = Meant("phone", names)
	require.False(t, ok, "more than a third differs")
}
