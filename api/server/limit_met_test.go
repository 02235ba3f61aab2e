package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/activities"
	"requisite/api/limits"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// takeAll takes all slots that are free for tenants of these names.
func takeAll(t *testing.T, l *limiter.Limiter, tenants ...string) {
	for _, tenant := range tenants {
		if n := l.Take(tenant, l.Free(tenant)); n > 0 {
			t.Cleanup(func() { l.Release(tenant, n) })
		}
	}
}

// TestTooManyRequests_NamesTheLimit provokes each kind of 429.
func TestTooManyRequests_NamesTheLimit(t *testing.T) {
	t.Parallel()
	rules := `"rules":{"documents":[{"document_type_code":"D","name":"n","category":"c","requirement_text":"t","entity_type":"Workflow"}]}`
	strangers := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	shared := func(each int) db.Connections { // a request waits for the timeout of statements, and some seconds more
		return db.Connections{Max: 8, Each: each, Apart: 2, Statement: 5 * time.Second, Lock: time.Hour, Connect: time.Hour}
	}
	account := func(c refusing) (operation, body string) { return "account.get", c.named() }
	newKey := func(c refusing) (operation, body string) { return "webhook.key.create", c.named() }
	create := func(c refusing) (operation, body string) {
		return "business.create", c.applicant(`{"legal_name":"Ltd"}`, "")
	}
	validate := func(c refusing) (operation, body string) {
		return "account.documentRules.validate", c.sent(rules)
	}
	preview := func(c refusing) (operation, body string) {
		c.data("account.documentRules.publish", c.sent(rules))
		return "account.documentRules.preview", c.started()
	}
	calculate := func(c refusing) (operation, body string) {
		c.data("account.documentRules.publish", c.sent(rules))
		return "workflow.requiredDocument.calculate", c.started()
	}
	ofActivities := func(c refusing, name string, tenants ...string) {
		for _, l := range c.Server.rules.Limiters() {
			if l.Stat().Name == name {
				takeAll(c.T, l, tenants...)
			}
		}
	}
	outcomes := func(c refusing) {
		c.limited(store.Quotas{Outcomes: 1})
		c.Server.rules = engine.New(c.Server.store.Versions, 1<<20)
		c.Server.temporal = runsHere{activities: activities.New(c.Server.store, c.Server.rules), forget: func() { c.exec(`UPDATE outcome SET run_id = gen_random_uuid()`) }}
		require.Equal(c, 200, c.send(c.Context(), "account.documentRules.publish", c.signed("account.documentRules.publish", c.sent(rules), "first"), c.sent(rules)).Code)
	}
	const each = "ORGANIZATION"
	for _, x := range []struct {
		of, scope string
		limit     float64
		request   func(refusing) (operation, body string)
		meet      func(refusing)
		key       string
		wait      string
	}{
		{of: "requests_per_second", scope: "CREDENTIAL", limit: 0.5, request: account, meet: func(c refusing) {
			c.Server.limit = limits.NewRateLimit(0.5)
			require.Equal(c, 200, c.send(c.Context(), "account.get", c.signed("account.get", c.named()), c.named()).Code)
		}, wait: "2"},
		{of: "requests", scope: each, limit: 1, request: account, meet: func(c refusing) { takeAll(c.T, c.Limiters.Requests, c.tenant.organization.String()) }},
		{of: "requests", scope: "SERVICE", limit: 5, request: account, meet: func(c refusing) { takeAll(c.T, c.Limiters.Requests, strangers...) }},
		{of: "waiting_callers", scope: each, limit: 1, request: newKey, meet: func(c refusing) { takeAll(c.T, c.Limiters.Waiting, c.tenant.organization.String()) }},
		{of: "waiting_callers", scope: "SERVICE", limit: 5, request: newKey, meet: func(c refusing) { takeAll(c.T, c.Limiters.Waiting, strangers...) }},
		{of: "runs", scope: each, limit: 1, request: newKey, meet: func(c refusing) { takeAll(c.T, c.Limiters.Runs, c.tenant.organization.String()) }},
		{of: "runs", scope: "SERVICE", limit: 5, request: newKey, meet: func(c refusing) { takeAll(c.T, c.Limiters.Runs, strangers...) }},
		{of: "body_bytes", scope: each, limit: 6710886, request: account, meet: func(c refusing) { takeAll(c.T, c.Limiters.Bodies.Verified, c.tenant.organization.String()) }},
		{of: "body_bytes", scope: "SERVICE", limit: 32 << 20, request: account, meet: func(c refusing) { takeAll(c.T, c.Limiters.Bodies.Verified, strangers...) }},
		{of: "rule_checks", scope: each, limit: 1, request: validate, meet: func(c refusing) { ofActivities(c, "rule_checks", c.tenant.organization.String()) }},
		{of: "rule_checks", scope: "SERVICE", request: validate, meet: func(c refusing) { ofActivities(c, "rule_checks", strangers...) }},
		{of: "evaluations", scope: "SERVICE", request: preview, meet: func(c refusing) { ofActivities(c, "evaluations", strangers...) }},
		{of: "database_connections", scope: each, limit: 1, request: account, meet: func(c refusing) {
			c.Server.store = database.Open(c.T, pgtest.As(c.url, pgtest.Serving), nil, store.Options{Connections: shared(1)})
			takeAll(c.T, c.Server.store.Database.Shared(), c.tenant.organization.String())
		}},
		{of: "database_connections", scope: "SERVICE", limit: 6, request: account, meet: func(c refusing) {
			c.Server.store = database.Open(c.T, pgtest.As(c.url, pgtest.Serving), nil, store.Options{Connections: shared(2)})
			takeAll(c.T, c.Server.store.Database.Shared(), strangers...)
		}},
		{of: "outcomes", scope: each, limit: 1, key: "second", request: create, meet: outcomes, wait: "3600"},
		{of: "decision_bytes_a_day", scope: each, limit: 1000, request: calculate, meet: func(c refusing) {
			c.limited(store.Quotas{DecisionBytesADay: 1000})
			c.Server.rules = engine.New(c.Server.store.Versions, 1<<20)
			c.Server.temporal = runsHere{activities: activities.New(c.Server.store, c.Server.rules), forget: func() {}}
		}, wait: "86400"},
		{of: "outcomes", scope: each, limit: 1, key: "second", request: calculate, meet: outcomes, wait: "3600"}, // at the end of its run
	} {
		t.Run(strings.ToLower(x.scope)+" "+x.of, func(t *testing.T) {
			t.Parallel()
			c := whole(t)
			operation, body := x.request(c)
			x.meet(c)
			c.slotPatience, c.patience = time.Millisecond, time.Minute
			if x.of == "runs" {
				c.patience = time.Millisecond
			}
			limiters := slices.Concat(c.Server.rules.Limiters(), c.Limiters.All())
			if shared := c.Server.store.Database.Shared(); shared != nil {
				limiters = append(limiters, shared)
			}
			met := slices.IndexFunc(limiters, func(l *limiter.Limiter) bool { return l.Stat().Name == x.of })
			var refused uint64
			if met >= 0 {
				refused = limiters[met].Stat().Refused
			}
			w := c.send(await.Context(t), operation, c.signed(operation, body, x.key), body)
			require.Equal(t, http.StatusTooManyRequests, w.Code, "%s", w.Body)
			var answer struct{ Errors []refusal.Refusal }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
			var details []map[string]any
			require.NoError(t, json.Unmarshal(answer.Errors[0].Details, &details))
			want := map[string]any{"limit": x.limit, "scope": x.scope, "of": x.of}
			if x.limit == 0 { // it depends on the machine
				want["limit"] = details[0]["limit"]
				require.Positive(t, details[0]["limit"])
			}
			require.Equal(t, []map[string]any{want}, details)
			if x.wait == "" {
				x.wait = "1"
			}
			require.Equal(t, x.wait, w.Header().Get("Retry-After"))
			require.Equal(t, met < 0, slices.Contains([]string{"requests_per_second", "outcomes", "decision_bytes_a_day"}, x.of), "only these have no limiter")
			if met >= 0 {
				require.Equal(t, refused+1, limiters[met].Stat().Refused, "the metric counts it once")
			}
		})
	}
}

// sent returns a request with the account and other fields.
func (c refusing) sent(fields string) string {
	return fmt.Sprintf(`{"account_id":%q,%s}`, c.account, fields)
}
