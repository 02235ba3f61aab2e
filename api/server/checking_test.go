package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
)

func anyCaller() *caller {
	return &caller{call: domain.Call{Scope: domain.Scope{OrganizationID: id.New(), Environment: domain.Sandbox}}}
}

const anyAccount = `"account_id":"sb_0000000000000000000000"`

// submit decodes a request as the api does after it has verified it.
func submit(ctx context.Context, s *Server, c *caller, operation, body string) error {
	_, err := s.decode(s.operations[operation], httptest.NewRequest("POST", "/"+operation, nil).WithContext(ctx), c, []byte(body))
	return err
}

// manyLists returns rules with many long lists. Such a set once took 15 minutes to check.
func manyLists(t *testing.T) string {
	lists, documents := map[string][]string{}, []map[string]string{}
	for i := range 48 {
		for j := range 1000 {
			lists[fmt.Sprint("l", i)] = append(lists[fmt.Sprint("l", i)], fmt.Sprintf("t%d_%d", i, j))
		}
		documents = append(documents, map[string]string{"document_type_code": fmt.Sprint("D", i), "name": "n", "category": "c", "requirement_text": "t",
			"entity_type": "Person", "when": fmt.Sprint("person.citizenship in lists.l", i)})
	}
	text, err := json.Marshal(map[string]any{"lists": lists, "documents": documents})
	require.NoError(t, err)
	return string(text)
}

// rulesBodies returns a request with the rules for each operation that takes rules.
func rulesBodies(rules string) map[string]string {
	return map[string]string{
		"account.documentRules.validate": `{` + anyAccount + `,"rules":` + rules + `}`,
		"account.documentRules.publish":  `{` + anyAccount + `,"rules":` + rules + `}`,
		"account.documentRules.preview":  `{"workflow_id":"w_0000000000000000000000","rules":` + rules + `}`,
	}
}

func TestRuleCheck_WaitsForASlot(t *testing.T) {
	t.Parallel()
	s := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 1}}).Server // checks of rules ask for the account's day
	const validate = "account.documentRules.validate"
	require.NoError(t, submit(t.Context(), s, anyCaller(), validate, rulesBodies(manyLists(t))[validate]))
	hog := anyCaller()
	checks := s.rules.Limiters()[1]
	release, err := checks.Wait(t.Context(), hog.call.Scope.OrganizationID.String(), 0)
	require.NoError(t, err)
	for operation, body := range rulesBodies(`{"documents":[]}`) {
		soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		require.ErrorIs(t, submit(soon, s, hog, operation, body), context.DeadlineExceeded, "%s: the organization has no free slot", operation)
		cancel()
	}
	s.slotPatience = time.Millisecond
	found := asRefusal(submit(t.Context(), s, hog, validate, rulesBodies(`{"documents":[]}`)[validate]))
	require.Equal(t, refusal.TooManyRequests, found.Code)
	require.NotZero(t, found.RetryAfter)
	release()

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for operation, body := range rulesBodies(`{"documents":[]}`) {
		require.ErrorIs(t, submit(gone, s, hog, operation, body), context.Canceled, "%s: its caller hung up", operation)
	}
	require.Zero(t, checks.Stat().InUse)
}

func TestOperations_ListThoseThatWaitForARun(t *testing.T) {
	var waits []string
	for name, o := range testServer().operations {
		if o.Waits {
			waits = append(waits, name)
		}
	}
	require.ElementsMatch(t, []string{
		"workflow.requiredDocument.calculate", "workflow.pricing.calculate", "webhook.key.create", "webhook.key.activate", "webhook.delivery.recover",
	}, waits)
}
