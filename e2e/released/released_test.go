//go:build deep

package released_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"requisite/e2e/harness"
	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/testkit/released"
	"requisite/workflows"
)

func TestMain(m *testing.M) { harness.Run(m) }

// kept are settings that delete nothing because of its age. Otherwise the worker would prune
// recorded events and outcomes, because a recording grows old.
var kept = []string{"REQUISITE_KEEP_EVENTS=876000h", "REQUISITE_KEEP_OUTCOMES=876000h", "REQUISITE_KEEP_RULE_VERSIONS=876000h"}

// TestUpgrade_GoesOnWithTheDataOfEveryRelease restores the database of every release,
// upgrades it, and starts today's programs with that release's keysets. They must answer
// every request as the release did, and continue its open work.
//
// A failure means that an upgrade would break stored data, or ids, cursors and secrets of
// callers. Never change the recorded files: make the new code read the old form, or migrate
// it.
func TestUpgrade_GoesOnWithTheDataOfEveryRelease(t *testing.T) {
	releases, err := released.Directories("testdata")
	require.NoError(t, err)
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			resume(t, release)
		})
	}
}

// installation is an upgraded installation of a release.
type installation struct {
	*harness.Stack
	caller
	receiver *receiver
}

func resume(t *testing.T, release string) {
	i := installation{receiver: newReceiver(t)}
	readJSON(t, filepath.Join(in(release), "caller.json"), &i.caller)
	for keyID, secret := range i.Secrets {
		i.receiver.knows(keyID, secret)
	}
	i.Stack = harness.NewStopped(t, harness.Options{Keysets: in(release), Fill: func(t testing.TB, s *harness.Stack) {
		migrateTo(t, s, release)
		data, err := os.ReadFile(filepath.Join(in(release), "database.sql"))
		require.NoError(t, err)
		load(t, s.DatabaseURL, string(data))
		s.CreateLogins(t)
		migrate(t, s)
		s.AccountID = i.caller.AccountID
		s.Client, err = i.Main.Client("")
		require.NoError(t, err)
	}}, kept...)

	// The worker starts later, because it would change the recorded deliveries at once.
	i.StartAPI(t)
	var answers []answered
	readJSON(t, filepath.Join(in(release), "answers.json"), &answers)
	require.Greater(t, len(answers), 30)
	for _, recorded := range answers {
		now := i.ask(t, i.Stack, recorded)
		var differences []string
		if now.Status != recorded.Status {
			differences = append(differences, http.StatusText(now.Status))
		}
		differences = append(differences, missing("data", recorded.Data, now.Data)...)
		differences = append(differences, missing("errors", recorded.Errors, now.Errors)...)
		if len(differences) > 0 {
			t.Errorf("the response to %s %v %s differs from that of %s:\n%s\nnow: %v %v", recorded.Operation, recorded.Request, recorded.By, release, strings.Join(differences, "\n"), now.Data, now.Errors)
		}
	}
	i.rulesAreTheSame(t)
	i.nothingChangesByItself(t)
	i.webhooksGoOn(t)
	i.documentsGoOn(t)
	i.payloadsOpen(t, filepath.Join(in(release), "history.json"))
	require.NotContains(t, output(t, i.Stack, "decision", "verify", "--account", i.caller.AccountID), " 0 decisions")
}

// rulesAreTheSame publishes the rules in force again, in the form of the original request
// and in the form of the response. Neither may make a new version.
func (i installation) rulesAreTheSame(t *testing.T) {
	var inForce struct {
		VersionID string          `json:"version_id"`
		Rules     json.RawMessage `json:"rules"`
	}
	i.Must(t, "account.documentRules.get", harness.Object{"account_id": i.caller.AccountID}, &inForce)
	for _, rules := range []json.RawMessage{i.Rules, inForce.Rules} {
		var published struct {
			VersionID string `json:"version_id"`
			Changed   bool   `json:"changed"`
		}
		i.Must(t, "account.documentRules.publish", harness.Object{"account_id": i.caller.AccountID, "rules": rules}, &published)
		require.False(t, published.Changed, "the canonical form of rules has changed: publishing the rules in force made a new version")
		require.Equal(t, inForce.VersionID, published.VersionID)
	}
	file := filepath.Join(t.TempDir(), "pricing.json")
	require.NoError(t, os.WriteFile(file, i.Pricing, 0o600))
	require.Contains(t, output(t, i.Stack, "pricing", "publish", file, "--account", i.caller.AccountID), "is in force already, with the same content")
}

// nothingChangesByItself requires that a calculation with unchanged facts and rules changes
// nothing.
func (i installation) nothingChangesByItself(t *testing.T) {
	documents := func() (list struct {
		Documents []any `json:"required_documents"`
	}) {
		i.Must(t, "workflow.requiredDocument.list", harness.Request{WorkflowID: i.WorkflowID}, &list)
		return list
	}
	before, events := documents(), i.newEvents(t)
	require.NotEmpty(t, before.Documents)
	i.Must(t, "workflow.requiredDocument.calculate", harness.Request{WorkflowID: i.WorkflowID}, nil)
	require.Equal(t, before, documents())
	require.Len(t, i.newEvents(t), len(events))
}

type listedEvent struct {
	ID        string `json:"id"`
	EventType string `json:"event_type"`
	Data      struct {
		Restored []struct {
			ID string `json:"required_document_id"`
		} `json:"restored"`
	} `json:"data"`
}

// newEvents reads the feed after the caller's cursor.
func (i installation) newEvents(t testing.TB) []listedEvent {
	var page struct {
		Events []listedEvent `json:"events"`
	}
	i.Must(t, "webhook.event.list", harness.Object{
		"account_id": i.caller.AccountID, "order": "OLDEST_FIRST", "include_data": true, "page": harness.Object{"after": i.EventsUntil, "limit": 200}}, &page)
	return page.Events
}

// webhooksGoOn requires that open deliveries arrive once the endpoints can be reached.
func (i installation) webhooksGoOn(t *testing.T) {
	require.NotEmpty(t, i.Open)
	moved := map[string]bool{}
	for _, o := range i.Open {
		if !moved[o.ConfigID] {
			moved[o.ConfigID] = true
			i.Must(t, "webhook.config.update", harness.Object{"config_id": o.ConfigID, "config": harness.Object{"url": i.receiver.URL + "/" + o.ConfigID, "status": "ACTIVE"}}, nil)
		}
	}
	i.StartPrograms(t)
	for _, o := range i.Open {
		i.Poll(t, "a webhook that was "+o.Status+" does not arrive", func(context.Context) (bool, error) { return i.receiver.has(o.EventID), nil })
		i.Poll(t, "the delivery is not DELIVERED", func(ctx context.Context) (bool, error) {
			var d struct {
				Status string `json:"status"`
			}
			_, err := i.Client.Call(ctx, "webhook.delivery.get", harness.Object{"delivery_id": o.DeliveryID}, &d)
			return d.Status == "DELIVERED", err
		})
	}
}

// documentsGoOn changes a fact. The document that was required before must become required
// again as the same record, with an event.
func (i installation) documentsGoOn(t *testing.T) {
	i.Must(t, "person.update", harness.Object{"person_id": i.PersonID, "person": harness.Object{"citizenship": "NO"}}, nil)
	i.Must(t, "workflow.requiredDocument.calculate", harness.Request{WorkflowID: i.WorkflowID}, nil)
	var calculated listedEvent
	i.Poll(t, "the caller does not see the event", func(context.Context) (bool, error) {
		for _, e := range i.newEvents(t) {
			if e.EventType == "REQUIRED_DOCUMENTS_CALCULATED" {
				calculated = e
			}
		}
		return calculated.ID != "", nil
	})
	require.Len(t, calculated.Data.Restored, 1)
	require.Equal(t, i.DocumentID, calculated.Data.Restored[0].ID)
	i.Poll(t, "the event does not arrive", func(context.Context) (bool, error) { return i.receiver.has(calculated.ID), nil })
}

// payloadsOpen decrypts the payloads of a recorded run with the keyset of the release, and
// replays the run.
func (i installation) payloadsOpen(t *testing.T, file string) {
	sealed, err := os.ReadFile(file)
	require.NoError(t, err)
	history := &historypb.History{}
	require.NoError(t, temporalproto.CustomJSONUnmarshalOptions{}.Unmarshal(sealed, history))
	keys, err := vault.Keyset{File: i.PayloadKeyFile}.Load(t.Context())
	require.NoError(t, err)
	opened := 0
	require.NoError(t, proxy.VisitPayloads(t.Context(), history, proxy.VisitPayloadsOptions{
		Visitor: func(_ *proxy.VisitPayloadsContext, payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
			opened += len(payloads)
			return codec.NewReader(keys).Decode(payloads)
		},
	}))
	require.Greater(t, opened, 3)
	plain, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(history)
	require.NoError(t, err)
	require.NotContains(t, string(plain), "requisite-sealed")
	replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{
		FailureConverter:         temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{EncodeCommonAttributes: true}),
		DisableDeadlockDetection: true, // on a busy machine a goroutine may wait for a second
	})
	require.NoError(t, err)
	workflows.RegisterWorkflows(replayer)
	read, err := client.HistoryFromJSON(bytes.NewReader(plain), client.HistoryJSONOptions{})
	require.NoError(t, err)
	require.NoError(t, replayer.ReplayWorkflowHistory(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), read))
}
