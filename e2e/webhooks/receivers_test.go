//go:build deep

package webhooks_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/examples/receivers"
	"requisite/internal/testkit/await"
)

// TestExampleReceivers_AcceptRealWebhooks in every language.
func TestExampleReceivers_AcceptRealWebhooks(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	for _, language := range receivers.Languages() {
		t.Run(language, func(t *testing.T) {
			keys := map[string]string{}
			for id, secret := range s.secrets {
				keys[s.AccountID+"/"+id] = base64.StdEncoding.EncodeToString(secret)
			}
			r := receivers.Start(t, language, keys)
			var config struct {
				ID string `json:"config_id"`
			}
			s.Must(s.t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": r.URL}}, &config)
			w := s.Application(t)
			s.Must(s.t, "workflow.requiredDocument.calculate", w, nil)
			kinds := map[string]receivers.Event{}
			for kinds["REQUIRED_DOCUMENTS_CALCULATED"].Data == nil || kinds["WORKFLOW_CREATED"].Data == nil {
				e := await.Next(t, "both events", r.Events, s.Running()...)
				kinds[e.EventType] = e
			}
			require.Contains(t, string(kinds["REQUIRED_DOCUMENTS_CALCULATED"].Data), `"OLD"`)
			require.Contains(t, string(kinds["WORKFLOW_CREATED"].Data), w.WorkflowID)
			s.Must(s.t, "webhook.config.delete", harness.Object{"config_id": config.ID}, nil)
		})
	}
}
