package outages_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/parts"
)

// TestErasure plants a person and a business, has documents required for them
// and webhooks answered with their names, erases the business, and looks for them
// in every row and every history.
func TestErasure(t *testing.T) {
	t.Parallel()
	s := stack{parts.New(t)}
	type object = map[string]any
	must := func(operation string, in, out any) {
		t.Helper()
		_, err := s.Client.Call(t.Context(), operation, in, out)
		require.NoError(t, err, operation)
	}
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("thanks for Quillfeather")) }))
	defer echo.Close()
	var key struct {
		ID string `json:"key_id"`
	}
	must("webhook.key.create", object{"account_id": s.AccountID}, &key)
	must("webhook.key.activate", object{"key_id": key.ID}, nil)
	must("webhook.config.create", object{"account_id": s.AccountID, "config": object{"url": echo.URL}}, nil)

	planted := []string{"Quillfeather", "Plantedplumbing", "planted.example", "1981-02-03", `"LI"`, "33.33", "Planted Road", "555-0199"}
	var business struct {
		ID string `json:"business_id"`
	}
	must("business.create", object{"account_id": s.AccountID, "business": object{"legal_name": "Plantedplumbing", "operating_name": "Plantedplumbing", "email": "a@planted.example",
		"website": "https://planted.example", "phone_number": "555-0199", "established_date": "2001-01-01", "address": object{"line1": "1 Planted Road"}}}, &business)
	must("person.create", object{"business_id": business.ID, "person": object{"first_name": "Ida", "last_name": "Quillfeather", "citizenship": "LI",
		"ownership_percentage": 33.33, "date_of_birth": "1981-02-03", "email": "q@planted.example"}}, nil)
	must("account.documentRules.publish", object{"account_id": s.AccountID, "rules": object{"documents": []object{{
		"document_type_code": "PASSPORT", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Person",
		"when": `person.citizenship != "US" && person.ownership_percentage >= 25`}}}}, nil)
	var w parts.Request
	must("workflow.create", object{"account_id": s.AccountID, "workflow": object{"business_id": business.ID}}, &w)
	must("workflow.pricing.calculate", w, nil)
	must("workflow.requiredDocument.calculate", w, nil)
	s.Poll(t, "the answers of the receiver are not logged", func(ctx context.Context) (bool, error) {
		var n int
		err := s.Query(ctx, `SELECT count(*) FROM webhook_attempt WHERE response_body LIKE '%Quillfeather%'`, &n)
		return n >= 4, err
	})
	temporal := s.Temporal(t)
	mine := func() (runs []string) {
		for _, run := range s.Runs(t, temporal) {
			if strings.Contains(run.WorkflowId, w.WorkflowID) {
				runs = append(runs, string(s.History(t, temporal, run, true)))
			}
		}
		return runs
	}
	s.Poll(t, "the runs are not shown", func(context.Context) (bool, error) { return len(mine()) == 2, nil })
	require.Contains(t, strings.Join(mine(), ""), "TEk", "the histories hold the facts, in Base64") // LI

	ask := s.Starter("erase", business.ID, "--account", s.AccountID)
	ask.Stdin = strings.NewReader("no\n")
	out, err := ask.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "1 person(s)")
	require.Contains(t, string(out), "nothing was erased")
	for range 2 { // again does no harm
		out, err = s.Starter("erase", business.ID, "--account", s.AccountID, "--yes").CombinedOutput()
		require.NoError(t, err, "%s", out)
	}

	places := map[string][]byte{}
	s.dump(t, places)
	for place, text := range places {
		for _, p := range planted {
			require.False(t, bytes.Contains(text, []byte(p)), "%s stands in %s", p, place)
		}
	}
	require.Empty(t, mine())
	documents := s.Documents(t, w)
	require.Len(t, documents, 1, "which documents were required stays")
	require.Contains(t, string(documents[0]), `"document_type_code":"PASSPORT"`)
	require.Contains(t, string(documents[0]), "The facts that decided were erased.")

	// The business goes on as one of which nothing is known.
	answer := s.Within(t, bound, "workflow.requiredDocument.calculate", w)
	require.Equal(t, "MISSING_REQUIREMENTS", answer.Errors[0].Code, "%s", answer.Body)
}
