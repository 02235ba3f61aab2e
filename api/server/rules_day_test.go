package server

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// A warning of a date after today goes by the account's day, and by the day that a call names.
func TestRulesWarnings_GoByTheAccountsDay(t *testing.T) {
	t.Parallel()
	c := whole(t)
	about := func(date, day fact.Date) []rulesWarning {
		t.Helper()
		body := c.named()
		var named map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &named))
		named["rules"] = map[string]any{"documents": []any{map[string]any{
			"document_type_code": "PLAN", "name": "Plan", "category": "C", "requirement_text": "A plan.", "entity_type": "Business",
			"when": "established_date < date(\"" + date.String() + "\")",
		}}}
		request, err := json.Marshal(named)
		require.NoError(t, err)
		status, a := c.onDay(day, "account.documentRules.validate", "", string(request))
		require.Equal(t, 200, status)
		var checked rulesChecked
		data, err := json.Marshal(a.Data)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &checked))
		found := []rulesWarning{}
		for _, w := range checked.Warnings {
			if w.Path == "rules.documents[0].when" && w.Severity == "WARNING" {
				found = append(found, w)
			}
		}
		return found
	}
	require.Len(t, about(later(1), later(0)), 1, "tomorrow in the account's time zone, UTC")
	require.Contains(t, about(later(31), later(30))[0].Message, "is after today")
	require.Empty(t, about(later(30), later(30)))
}
