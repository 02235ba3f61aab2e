package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/starter/webhooks"
)

// It prints each event once, pauses only when it has caught up, and returns the cursor. A
// page may be empty.
func TestPoller_ContinuesAfterItsCursor(t *testing.T) {
	pages := map[string]string{
		"":   `{"events":[{"id":"wh_1","event_type":"WORKFLOW_CREATED","timestamp":"2026-11-20T09:30:00.000Z","sequence":1,"data":{"state":"CREATED"}}],"next":"c1","caught_up":false}`,
		"c1": `{"events":[],"next":"c2","caught_up":false}`,
		"c2": `{"events":[{"id":"wh_2","event_type":"WEBHOOK_TEST","timestamp":"2026-11-20T09:30:01.000Z","data":{"config_id":"\u001b[2J"}}],"next":"c3","caught_up":true}`,
		"c3": `{"events":[],"next":"c4","caught_up":true}`,
	}
	var asked []string
	var out strings.Builder
	pauses := 0
	p := &webhooks.Poller{
		AccountID: "sb_1", Since: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		Print: func(format string, args ...any) { fmt.Fprintf(&out, format, args...) },
		Call: func(_ context.Context, operation string, in, to any) error {
			require.Equal(t, "webhook.event.list", operation)
			text, err := json.Marshal(in)
			require.NoError(t, err)
			asked = append(asked, string(text))
			var sent struct {
				Page struct{ After string }
			}
			require.NoError(t, json.Unmarshal(text, &sent))
			return json.Unmarshal([]byte(pages[sent.Page.After]), to)
		},
		Pause: func(context.Context) error {
			if pauses++; pauses == 2 {
				return context.Canceled
			}
			return nil
		},
	}
	after, err := p.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, "c4", after)
	require.Len(t, asked, 4)
	for _, request := range asked {
		require.Contains(t, request, `"filters":{"since":"2026-11-20T09:00:00.000Z"}`)
	}
	require.Equal(t, 1, strings.Count(out.String(), "wh_1"))
	require.Contains(t, out.String(), "WORKFLOW_CREATED  wh_1  (sequence 1)")
	require.Contains(t, out.String(), "WEBHOOK_TEST  wh_2\n")
	require.NotContains(t, out.String(), "\x1b")

	p.Call = func(context.Context, string, any, any) error { return errors.New("away") }
	after, err = p.Run(t.Context())
	require.ErrorContains(t, err, "away")
	require.Equal(t, "c4", after)
}

// A time filter would leave out events between the cursor and now.
func TestPoller_AfterACursorHasNoTimeFilter(t *testing.T) {
	now := time.Now()
	require.Equal(t, now, webhooks.NewPoller("sb_1", nil, "", now).Since)
	require.Zero(t, webhooks.NewPoller("sb_1", nil, "c1", now).Since)
}
