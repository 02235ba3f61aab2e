package decision

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPage_ListsTheFieldsOfADigest, in their order: an examiner computes digests by it.
func TestPage_ListsTheFieldsOfADigest(t *testing.T) {
	page, err := os.ReadFile("../../docs/decision-record.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n### The digest\n")
	require.True(t, found)
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	var fields []string
	for _, f := range (Decision{}).fields() {
		fields = append(fields, f[0])
	}
	require.Equal(t, fields, listed)
	for _, f := range (Decision{}).exported() {
		require.Contains(t, string(page), "`"+f[0]+"`")
	}
	require.LessOrEqual(t, len(regexp.MustCompile(`\S*\w\S*`).FindAllString(string(page), -1)), 1100)
}

// TestDigest_HasTheFormOfThePage, spelled out for one decision.
func TestDigest_HasTheFormOfThePage(t *testing.T) {
	var text strings.Builder
	writeField(&text, "outcome", "é")
	writeField(&text, "same_as", "")
	require.Equal(t, "outcome=2:é\nsame_as=\n", text.String())
}
