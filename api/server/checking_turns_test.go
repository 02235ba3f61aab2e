package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"requisite/api/limits"
)

// another returns a tenant of another organization at the same api.
func (c *tenant) another() *tenant {
	c.Helper()
	other := *c
	other.belong("another")
	return &other
}

// largeSet returns a rule set of the largest allowed size.
func largeSet() string {
	numbers := make([]string, 700)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	var documents []string
	for i := range 90 {
		documents = append(documents, fmt.Sprintf(`{"document_type_code":"D%d","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"evaluation_score in [%s]"}`,
			i, strings.Join(numbers, ",")))
	}
	return `{"documents":[` + strings.Join(documents, ",") + `]}`
}

// TestRuleCheck_OfOneTenantDoesNotBlockOthers: one tenant checks its largest rule set over
// and over, four at once. No publication of another tenant fails.
func TestRuleCheck_OfOneTenantDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 40, Share: 25}})
	c.slotPatience = limits.SlotPatience
	hog := c.another()
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for ctx.Err() == nil {
				status, code := hog.sign("account.documentRules.validate", `{"account_id":"`+hog.account+`","rules":`+largeSet()+`}`)(ctx)
				if status != 200 && code != "TOO_MANY_REQUESTS" && ctx.Err() == nil {
					t.Errorf("the neighbor is answered %d %s", status, code)
				}
			}
		})
	}
	for i := range 5 {
		c.answers(200, "", c.sign("account.documentRules.publish", fmt.Sprintf(`{"account_id":%q,"rules":{"lists":{"l":["%d"]},"documents":[{"document_type_code":"D","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"evaluation_score > 1"}]}}`, c.account, i)))
	}
	stop()
	group.Wait()
}
