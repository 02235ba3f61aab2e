package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLogTellsWhoAskedWhat: one line a request, with ids and codes, and nothing
// that a caller has put in a request beside ids.
func TestTheLogTellsWhoAskedWhat(t *testing.T) {
	c := newTenant(t, settings{bounds: bounds{waiting: 5, requests: 5, runsEach: 1}})
	var log bytes.Buffer
	c.server.log = slog.New(slog.NewJSONHandler(&log, nil))
	const planted = "Planted Name"
	unknown := "w_7n42DGM5Tflk9n8mt7Fhc7"
	for _, one := range []struct {
		operation, body string
		want            map[string]any
		absent          []string
	}{
		{
			"account.get", `{"account_id":"` + c.account + `"}`,
			map[string]any{"status": 200.0, "outcome": "SUCCESS", "account_id": c.account, "api_key": c.key, "sent": true}, []string{"code", "sub_code"},
		},
		{
			"workflow.get", `{"workflow_id":"` + unknown + `"}`,
			map[string]any{"status": 400.0, "outcome": "ENTITY_NOT_FOUND", "code": "ENTITY_NOT_FOUND", "workflow_id": unknown, "api_key": c.key}, []string{"account_id", "sub_code"},
		},
		{
			"business.create", `{"account_id":"` + c.account + `","business":{"legal_name":"` + planted + `","established_date":"2001-01-01"}}`,
			map[string]any{"status": 200.0, "account_id": c.account}, nil,
		},
		{
			"workflow.get", `{"workflow_id":"` + planted + `"}`,
			map[string]any{"status": 400.0, "code": "BAD_REQUEST"}, []string{"workflow_id"},
		},
		{
			"webhook.config.update", `{"config_id":"whc_7n42DGM5Tflk9n8mt7Fhc7","config":{"url":"https://` + c.account + `.example/"}}`,
			map[string]any{"config_id": "whc_7n42DGM5Tflk9n8mt7Fhc7"}, nil,
		},
	} {
		log.Reset()
		c.sign(one.operation, one.body)(t.Context())
		require.NotContains(t, log.String(), planted)
		require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), log.String())
		var line map[string]any
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
		require.Equal(t, one.operation, line["operation"])
		require.NotEmpty(t, line["trace_id"])
		require.IsType(t, 0.0, line["duration_ms"])
		for name, want := range one.want {
			require.Equal(t, want, line[name], "%s: %s", one.operation, log.String())
		}
		for _, name := range one.absent {
			require.NotContains(t, line, name, one.operation)
		}
	}
}
