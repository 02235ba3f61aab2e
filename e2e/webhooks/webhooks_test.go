// Package webhooks_test tests webhooks as a receiver sees them: real deliveries from a real
// stack, while endpoints answer well, badly, slowly or not at all.
package webhooks_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	schedule "requisite/internal/webhooks/delivery"
)

// TestEvent_ArrivesEncryptedAndIsCounted is not parallel, so that it knows all counters.
func TestEvent_ArrivesEncryptedAndIsCounted(t *testing.T) {
	s := newStack(t)
	api, worker := s.counters("api"), s.counters("worker")
	k := s.sink(nil, "WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "REQUIRED_DOCUMENTS_CALCULATED")
	w := s.Application(t)
	s.Must(s.t, "workflow.requiredDocument.calculate", w, nil)
	seen := k.await("three events", count(3))
	kinds := map[string]arrival{}
	for _, a := range seen {
		kinds[a.EventType] = a
	}
	calculated := kinds["REQUIRED_DOCUMENTS_CALCULATED"]
	require.Equal(t, "1.0", calculated.Payload["version"])
	require.Equal(t, w.WorkflowID, calculated.Payload["workflow_id"])
	require.Equal(t, "API_KEY", calculated.Payload["user_context"].(harness.Object)["user_type"])
	require.Contains(t, calculated.Payload["user_context"].(harness.Object)["user_id"], t.Name(), "the credential's name")
	require.Len(t, calculated.Payload["added"], 1)
	require.Equal(t, "OLD", calculated.Payload["added"].([]any)[0].(harness.Object)["document_type_code"])
	require.Equal(t, []any{}, calculated.Payload["removed"])
	require.Equal(t, "CREATED", kinds["WORKFLOW_CREATED"].Payload["state"])
	require.Equal(t, "STARTED", kinds["WORKFLOW_STARTED"].Payload["state"])
	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`, calculated.Header.Get("traceparent"))
	s.Must(s.t, "workflow.complete", w, nil)
	k.await("the fourth event", count(4))
	s.metrics(map[string][]string{
		"api": {api.plus(`requisite_calculations_total{outcome="CALCULATED"}`, 1),
			`requisite_database_readable 1`, `requisite_healthy 1`, `temporal_request_total{`},
		"worker": {worker.plus(`requisite_webhook_attempts_total{outcome="SUCCEEDED"}`, 4), worker.plus(`requisite_webhook_deliveries_total{state="DELIVERED"}`, 4),
			worker.plus(`requisite_webhook_deliveries_total{state="FAILED"}`, 0), `requisite_webhook_backlog{state="HELD"} 0`, `requisite_webhook_overdue 0`,
			`requisite_healthy 1`, `requisite_schedule_last_success_timestamp_seconds{schedule="prune"}`},
	}, k.URL, "Outage Ltd", s.AccountID, w.WorkflowID)
	c := s.Temporal(t)
	for _, d := range k.awaitDeliveries(4, "DELIVERED") {
		log := s.delivery(d.DeliveryID)
		require.Len(t, log.Attempts, 1)
		require.Equal(t, "SUCCEEDED", log.Attempts[0].Outcome)
		require.Equal(t, 204, log.Attempts[0].StatusCode)
		require.Contains(t, k.URL, log.Attempts[0].Address)
		// The attempt names its run. Search attributes find the run by everything it concerns.
		run := log.Attempts[0]
		require.Regexp(t, `^send/[0-9A-Za-z]+$`, run.WorkflowID)
		query := fmt.Sprintf("WorkflowType = 'SendWebhooks' AND AccountIds = %q AND EndpointIds = %q AND EventTypes = %q AND Outcome = 'DELIVERED' AND RunId = %q",
			s.AccountID, k.ConfigID, d.EventType, run.RunID)
		require.Equal(t, run.WorkflowID, s.awaitOneRun(c, query).Execution.WorkflowId)
	}
}

func TestDelivery_HeldWithoutActiveKeyAndWhileDisabled(t *testing.T) {
	t.Parallel()
	s := withoutKey(t, harness.Shared(t))
	k := s.sink(nil)
	sent := k.test(5)
	k.awaitDeliveries(5, "HELD")
	require.Equal(t, health{Status: "HELD", Held: 5}, k.health())
	require.Empty(t, k.seen(), "the service sends nothing without a key")
	s.ActivateKey(s.t, s.createKey())
	seen := k.await("the held events", distinct(6)) // and the event of the activation
	k.awaitDeliveries(6, "DELIVERED")               // what is in flight is HELD while the endpoint is disabled
	for _, id := range sent {
		require.Contains(t, ids(seen), id)
	}

	s.Must(s.t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "DISABLED"}}, nil)
	sent = k.test(3)
	k.awaitDeliveries(3, "HELD")
	require.Equal(t, health{Status: "DISABLED", Held: 3}, k.health())
	flushed := s.Send(t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID})
	require.JSONEq(t, `{"count": 0}`, string(flushed.Data))
	require.Len(t, flushed.Meta.Warnings, 1, "%s", flushed.Body)
	require.Equal(t, "ENDPOINT_DISABLED", flushed.Meta.Warnings[0].Code)
	s.ActivateKey(s.t, s.createKey())
	s.Must(s.t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "ACTIVE"}}, nil)
	seen = k.await("the events held while disabled", distinct(10))
	for _, a := range seen {
		if slices.Contains(sent, a.ID) {
			require.Len(t, a.KeyID, 15)
			require.NotEqual(t, seen[0].KeyID, a.KeyID, "an attempt uses the key that is active when it begins")
		}
	}
}

func TestAttempt_UsesTheKeyThatIsActiveWhenItBegins(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(status(http.StatusInternalServerError), "WEBHOOK_TEST")
	k.test(1)
	first := k.await("the first attempt", count(1))[0]
	replacing := s.createKey()
	s.ActivateKey(s.t, replacing)
	k.answers(nil)
	log := s.delivery(k.awaitDeliveries(1, "DELIVERED")[0].DeliveryID)
	seen := k.seen()
	require.Len(t, log.Attempts, len(seen))
	for i, a := range seen {
		require.Equal(t, []any{first.ID, i, log.Attempts[i].KeyID}, []any{a.ID, a.RetryCount, a.KeyID})
	}
	require.NotEqual(t, replacing, first.KeyID)
	require.Equal(t, replacing, seen[len(seen)-1].KeyID)
	require.Equal(t, 500, log.Attempts[0].StatusCode)
}

// TestHangingEndpoints_DoNotDelayOthers: 300 webhooks wait for two endpoints that do not
// answer. Those of a healthy endpoint overtake them. An endpoint gets ten attempts at once.
func TestHangingEndpoints_DoNotDelayOthers(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	const waiting, events = 150, 50
	release := make(chan struct{})
	waits := held(release, status(http.StatusNoContent))
	hanging := []*sink{s.sink(waits, "WEBHOOK_TEST"), s.sink(waits, "WEBHOOK_TEST")}
	healthy := s.sink(nil, "WEBHOOK_TEST")
	for _, k := range hanging {
		k.test(waiting)
	}
	sent := healthy.test(events)
	seen := healthy.await("the healthy endpoint's webhooks", distinct(events))
	for _, id := range sent {
		require.Contains(t, ids(seen), id)
	}
	for _, k := range hanging {
		require.GreaterOrEqual(t, len(k.deliveries("PENDING")), waiting/2, "webhooks of the healthy endpoint overtook these")
	}
	var most int
	require.NoError(t, s.Query(t.Context(), `SELECT max(n) FROM (SELECT count(*) AS n FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
		WHERE a.outcome = 'SENDING' AND d.account_id = $1 GROUP BY a.endpoint_id) t`, &most, s.AccountKey()))
	require.LessOrEqual(t, most, schedule.MaxInFlight)
	close(release)
	for _, k := range hanging {
		k.await("the backlog of an endpoint that answers again", distinct(waiting))
	}
}

// TestKilledProcess_LosesNoEvent kills each process with attempts in flight. All events
// arrive, and the log has every attempt that arrived.
func TestKilledProcess_LosesNoEvent(t *testing.T) {
	for _, c := range []struct {
		name string
		kill func(*stack, testing.TB)
	}{
		{"worker", func(s *stack, t testing.TB) { s.Worker.Kill(t); s.StartPrograms(t) }},
		{"api", func(s *stack, t testing.TB) { s.API.Kill(t); s.StartPrograms(t) }},
		{"temporal", func(s *stack, t testing.TB) { s.RestartTemporal(t) }},
		{"postgres", func(s *stack, t testing.TB) { s.KillPostgres(t); s.StartPostgres(t) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t)
			release := make(chan struct{})
			k := s.sink(held(release, status(http.StatusNoContent)), "WEBHOOK_TEST")
			const events = 60
			written := make(chan map[string]bool, 1)
			go func() { written <- k.write(events) }()
			k.await("attempts in flight", count(5))
			c.kill(s, t)
			close(release)
			sent := await.Next(t, "the answers to all requests", written, s.Running()...)
			require.Len(t, sent, events)
			k.await("every event", func(list []arrival) bool {
				seen := ids(list)
				for id := range sent {
					if seen[id] == 0 {
						return false
					}
				}
				return true
			})
			s.awaitAllDelivered()
			var logged int
			require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.account_id = $1`, &logged, s.AccountKey()))
			require.GreaterOrEqual(t, logged, len(k.seen()), "the log has every attempt that arrived")
		})
	}
}

// write sends n test events, and repeats each request until it gets a response. It returns
// the ids of the events.
func (k *sink) write(n int) map[string]bool {
	events := map[string]bool{}
	var lock sync.Mutex
	var all errgroup.Group
	all.SetLimit(4)
	for i := range n {
		all.Go(func() error {
			for k.s.t.Context().Err() == nil {
				var made struct {
					EventID string `json:"event_id"`
				}
				_, err := k.s.Client.Call(k.s.t.Context(), "webhook.config.test", harness.Object{"config_id": k.ConfigID}, &made, requisite.IdempotencyKey(fmt.Sprint("event", i)))
				if err == nil {
					lock.Lock()
					events[made.EventID] = true
					lock.Unlock()
					return nil
				}
			}
			return k.s.t.Context().Err()
		})
	}
	_ = all.Wait() // fails only if the test ends
	return events
}

func TestWebhookRequests_AreRefused(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil)
	create := func(config harness.Object) harness.Object {
		return harness.Object{"account_id": s.AccountID, "config": config}
	}
	unknown := strings.Repeat("7", 21)
	for _, c := range []struct {
		name, operation string
		body            harness.Object
		code, field     string
	}{
		{"plain http", "webhook.config.create", create(harness.Object{"url": "http://hooks.example.com/"}), "BAD_REQUEST", "config.url"},
		{"private", "webhook.config.create", create(harness.Object{"url": "https://10.0.0.1/"}), "BAD_REQUEST", "config.url"},
		{"another port", "webhook.config.create", create(harness.Object{"url": "https://hooks.example.com:444/"}), "BAD_REQUEST", "config.url"},
		{"user info", "webhook.config.create", create(harness.Object{"url": "https://a:b@hooks.example.com/"}), "BAD_REQUEST", "config.url"},
		{"no event types", "webhook.config.create", create(harness.Object{"url": "https://hooks.example.com/", "event_types": []string{}}), "BAD_REQUEST", "config.event_types"},
		{"an unknown event type", "webhook.config.create", create(harness.Object{"url": "https://hooks.example.com/", "event_types": []string{"X"}}), "BAD_REQUEST", "config.event_types[0]"},
		{"an event type twice", "webhook.config.create", create(harness.Object{"url": "https://hooks.example.com/", "event_types": []string{"WEBHOOK_TEST", "WEBHOOK_TEST"}}), "BAD_REQUEST", "config.event_types[1]"},
		{"no URL", "webhook.config.create", create(harness.Object{}), "BAD_REQUEST", "config.url"},
		{"another's config", "webhook.config.get", harness.Object{"config_id": "whc_" + unknown}, "ENTITY_NOT_FOUND", ""},
		{"a malformed config", "webhook.config.update", harness.Object{"config_id": "whc_1", "config": harness.Object{}}, "BAD_REQUEST", "config_id"},
		{"an unknown delivery", "webhook.delivery.retry", harness.Object{"delivery_id": "whd_" + unknown}, "ENTITY_NOT_FOUND", ""},
		{"an unknown event to list by", "webhook.delivery.list", harness.Object{"account_id": s.AccountID, "filters": harness.Object{"event_id": "wh_" + unknown}}, "ENTITY_NOT_FOUND", ""},
		{"since is no time", "webhook.delivery.recover", harness.Object{"config_id": k.ConfigID, "since": "yesterday"}, "BAD_REQUEST", "since"},
		{"an unknown config to recover", "webhook.delivery.recover", harness.Object{"config_id": "whc_" + unknown, "since": "2026-01-01T00:00:00.000Z"}, "ENTITY_NOT_FOUND", ""},
	} {
		answer := s.Send(t, c.operation, c.body)
		require.NotEmpty(t, answer.Errors, c.name)
		require.Equal(t, c.code, answer.Errors[0].Code, c.name)
		if c.field != "" {
			require.Contains(t, string(answer.Errors[0].Details), fmt.Sprintf("%q", c.field), c.name)
		}
	}
	repeated := s.Send(t, "webhook.config.create", create(harness.Object{"url": k.URL + "/hooks"}))
	require.Equal(t, "URL_ALREADY_EXISTS", repeated.Errors[0].SubCode)
	require.Equal(t, "WebhookConfig", repeated.Errors[0].EntityType)
	for i := range 19 {
		s.Must(s.t, "webhook.config.create", create(harness.Object{"url": fmt.Sprintf("https://hooks.example.com/%d", i), "event_types": []string{"WORKFLOW_COMPLETED"}}), nil)
	}
	require.Equal(t, "MAX_WEBHOOK_URL_LIMIT", s.Send(t, "webhook.config.create", create(harness.Object{"url": "https://hooks.example.com/21"})).Errors[0].SubCode)
	var got harness.Object
	s.Must(s.t, "webhook.config.get", harness.Object{"config_id": k.ConfigID}, &got)
	require.Equal(t, "ACTIVE", got["status"])
	require.Nil(t, got["event_types"])
	require.Contains(t, got, "event_types")
	s.Must(s.t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"description": "d", "event_types": []string{"WEBHOOK_TEST"}}}, nil)
	s.Must(s.t, "webhook.config.get", harness.Object{"config_id": k.ConfigID}, &got)
	require.Equal(t, []any{"WEBHOOK_TEST"}, got["event_types"])
}

// counters is the text of a program's metrics at one time.
type counters string

func (s *stack) counters(program string) counters {
	s.t.Helper()
	return counters(s.AwaitMetrics(s.t, program, "requisite_healthy 1"))
}

// plus returns the line of a counter after an increase by n.
func (c counters) plus(name string, n int) string {
	_, after, _ := strings.Cut(string(c), "\n"+name+" ")
	value, _, _ := strings.Cut(after, "\n")
	before, _ := strconv.Atoi(value) // 0 without a line
	return fmt.Sprintf("%s %d\n", name, before+n)
}

// metrics requires lines in the programs' metrics, and texts that must not be in them.
func (s *stack) metrics(want map[string][]string, never ...string) {
	s.t.Helper()
	for program, lines := range want {
		text := s.AwaitMetrics(s.t, program, lines...)
		for _, planted := range never {
			require.NotContains(s.t, text, planted, program)
		}
	}
}

// TestFeed_HasTheEventsThatAReceiverGets: the same object, but for what only an attempt or only the feed has.
func TestFeed_HasTheEventsThatAReceiverGets(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	arrived := make(chan requisite.Event, 10)
	receiver := httptest.NewServer(&requisite.Receiver{
		Secrets: func(_ context.Context, _, keyID string) (string, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return base64.StdEncoding.EncodeToString(s.secrets[keyID]), nil
		},
		Processed: &requisite.Memory{},
		Handle: func(_ context.Context, e requisite.Event) error {
			arrived <- e
			return nil
		},
		Tests: true,
	})
	t.Cleanup(receiver.Close)
	config, err := s.Client.WebhookConfigCreate(t.Context(), requisite.ConfigCreateRequest{
		AccountID: s.AccountID, Config: requisite.ConfigCreateRequestConfig{URL: receiver.URL},
	})
	require.NoError(t, err)
	w := s.Application(t)
	s.Must(t, "workflow.requiredDocument.calculate", w, nil)
	_, err = s.Client.WebhookConfigTest(t.Context(), requisite.ConfigTestRequest{ConfigID: config.Data.ConfigID})
	require.NoError(t, err)

	received := map[string]requisite.Event{}
	for range 5 {
		e := await.Next(t, "a webhook", arrived)
		require.NotEmpty(t, e.KeyID)
		e.KeyID, e.RetryCount = "", 0
		received[e.ID] = e
	}
	tests, last := 0, int64(0)
	for e, err := range s.Client.AllEvents(t.Context(), requisite.EventListRequest{AccountID: s.AccountID}) {
		require.NoError(t, err)
		require.Greater(t, e.Position, last)
		last, e.Position = e.Position, 0
		if got, sent := received[e.ID]; sent { // the activation of the key was before the endpoint
			require.JSONEq(t, string(got.Data), string(e.Data))
			got.Data, e.Data = nil, nil
			require.Equal(t, got, e)
			delete(received, e.ID)
			require.Equal(t, e.Sequence > 0, e.WorkflowID == w.WorkflowID, e.EventType)
			if e.Test {
				tests++
			}
		}
	}
	require.Empty(t, received)
	require.Equal(t, 1, tests)
}
