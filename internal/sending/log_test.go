package sending_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/webhooks/delivery"
)

// The line has neither the path and query of the URL, which may hold a secret, nor the
// receiver's answer.
func TestLog_HasOneLineForEachFailedAttempt(t *testing.T) {
	const secret = "planted-secret"
	h := newHouse(t)
	h.echo = secret
	u := h.tenant("one")
	e := u.endpoint("/"+secret+"?token="+secret, "WEBHOOK_TEST")
	well := u.endpoint("/well", "WEBHOOK_TEST")
	h.answer = func(path string) int {
		if path == "/well" {
			return http.StatusOK
		}
		return http.StatusInternalServerError
	}
	u.owe(e, 1)
	u.owe(well, 1)
	require.Equal(t, 1, h.send().Failed)
	require.NotContains(t, h.log.String(), secret)

	lines := strings.Split(strings.TrimSpace(h.log.String()), "\n")
	require.Len(t, lines, 1, "a success is logged at the level debug: %s", h.log)
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &line))
	var d id.UUID
	require.NoError(t, h.conn.QueryRow(t.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1`, e.ID).Scan(&d))
	require.Equal(t, []any{"delivery attempt failed", "HTTP 500", h.receiver.Listener.Addr().String(), u.account.WireID().String(), e.WireID().String(), 500.0, "FAILED", "RETRYING"},
		[]any{line["msg"], line["reason"], line["url_host"], line["account_id"], line["endpoint_id"], line["status_code"], line["outcome"], line["state"]})
	require.Equal(t, delivery.Record{ID: d}.WireID().String(), line["delivery_id"])
	require.Less(t, line["duration_ms"], float64(delivery.AttemptTimeout.Milliseconds()), "milliseconds")
	require.NotContains(t, line, "duration")
}
