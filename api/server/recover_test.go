package server

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

func TestRecover_NamesFlushWhenNothingHasFailed(t *testing.T) {
	t.Parallel()
	c := whole(t)
	config := c.data("webhook.config.create", fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/"}}`, c.account))["config_id"]
	recover := func(key string) (count any, codes []string) {
		a := c.ask("webhook.delivery.recover", key, c.naming("config_id", config, `,"since":"2026-01-01T00:00:00.000Z"`))
		require.Empty(t, a.Errors)
		for _, w := range a.Meta.Warnings {
			codes = append(codes, w.Code)
		}
		return a.Data["count"], codes
	}
	count, codes := recover("nothing at all")
	require.Equal(t, []any{0.0, []string(nil)}, []any{count, codes})

	c.data("webhook.config.test", c.naming("config_id", config))
	for range 2 { // a repeat gets the same
		count, codes = recover("held")
		require.Equal(t, []any{0.0, []string{string(refusal.NothingFailed)}}, []any{count, codes})
	}
	undelivered := func(filter string) any {
		return c.data("webhook.delivery.list", c.naming("account_id", c.account, `,"filters":{`+filter+`}`))["deliveries"]
	}
	require.Len(t, undelivered(`"undelivered":true`), 1)
	require.Len(t, undelivered(`"undelivered":false`), 1)
	require.Len(t, undelivered(`"undelivered":true,"status":"HELD"`), 1)
	require.Empty(t, undelivered(`"undelivered":true,"status":"FAILED"`))

	c.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL`)
	require.Len(t, undelivered(`"undelivered":true`), 1)
	count, codes = recover("failed")
	require.Equal(t, []any{1.0, []string(nil)}, []any{count, codes})
	c.exec(`UPDATE webhook_delivery SET state = 'DELIVERED', next_attempt_at = NULL`)
	require.Empty(t, undelivered(`"undelivered":true`))
}
