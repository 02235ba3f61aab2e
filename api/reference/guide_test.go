package reference

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/docs"
	"requisite/internal/requests/refusal"
)

// TestCallingGuide_ShowsAGapOfTheReference, from the example of MISSING_REQUIREMENTS.
func TestCallingGuide_ShowsAGapOfTheReference(t *testing.T) {
	_, section, found := strings.Cut(string(docs.Calling), "\n## Fill the gaps\n")
	require.True(t, found)
	_, shown, found := strings.Cut(section, "```json\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```")
	var refused struct {
		Details []json.RawMessage `json:"details"`
	}
	require.NoError(t, json.Unmarshal([]byte(RefusalExamples()["MISSING_REQUIREMENTS"]), &refused))
	require.JSONEq(t, string(refused.Details[1]), shown)
}

// TestCallingGuide_NamesEveryStatusOfARefusal in its table.
func TestCallingGuide_NamesEveryStatusOfARefusal(t *testing.T) {
	_, section, found := strings.Cut(string(docs.Calling), "\n## Handle a refusal\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	for _, code := range refusal.Codes() {
		require.Regexp(t, `(?m)^\|[^|]*(\b`+strconv.Itoa(code.Status())+"\\b|`"+string(code)+"`)", section)
	}
}
