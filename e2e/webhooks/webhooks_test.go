// Package webhooks_test looks at webhooks as a receiver does: real deliveries
// from a real stack, while endpoints answer well, badly, slowly or not at all.
package webhooks_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"golang.org/x/sync/errgroup"

	requisite "requisite/clients/go"
	"requisite/e2e/parts"
	"requisite/examples/receivers"
)

func TestAnEventArrivesEncrypted(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil)
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
	require.Equal(t, parts.Object{"user_id": "outages", "user_type": "API_KEY"}, calculated.Payload["user_context"])
	require.Len(t, calculated.Payload["added"], 1)
	require.Equal(t, "OLD", calculated.Payload["added"].([]any)[0].(parts.Object)["document_type_code"])
	require.Equal(t, []any{}, calculated.Payload["removed"])
	require.Equal(t, "CREATED", kinds["WORKFLOW_CREATED"].Payload["state"])
	require.Equal(t, "STARTED", kinds["WORKFLOW_STARTED"].Payload["state"])
	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`, calculated.Header.Get("traceparent"))
	s.Must(s.t, "workflow.complete", w, nil)
	k.await("the fourth event", count(4))
	s.metrics(map[string][]string{
		"api": {`requisite_calculations_total{outcome="CALCULATED"} 1`, `requisite_webhook_keys_total{outcome="CREATED"} 1`,
			`requisite_database_readable 1`, `requisite_healthy 1`, `temporal_request_total{`},
		"worker": {`requisite_webhook_attempts_total{outcome="SUCCEEDED"} 4`, `requisite_webhook_deliveries_total{state="DELIVERED"} 4`,
			`requisite_webhook_backlog{state="HELD"} 0`, `requisite_webhook_overdue 0`,
			`requisite_webhook_deliveries_total{state="FAILED"} 0`, `requisite_healthy 1`, `requisite_schedule_last_success_timestamp_seconds{schedule="prune"}`},
	}, k.URL, "Outage Ltd", s.AccountID, w.WorkflowID)
	c := s.Temporal(t)
	for _, d := range k.awaitDeliveries(4, "DELIVERED") {
		log := s.delivery(d.DeliveryID)
		require.Len(t, log.Attempts, 1)
		require.Equal(t, "SUCCEEDED", log.Attempts[0].Outcome)
		require.Equal(t, 204, log.Attempts[0].StatusCode)
		require.Contains(t, k.URL, log.Attempts[0].Address)
		// The attempt names its run, which is found by whatever it concerned.
		run := log.Attempts[0]
		require.Regexp(t, `^send/[0-9A-Za-z]+$`, run.WorkflowID)
		query := fmt.Sprintf("WorkflowType = 'SendWebhooks' AND AccountIds = %q AND EndpointIds = %q AND EventTypes = %q AND Outcome = 'DELIVERED' AND RunId = %q",
			s.AccountID, k.ConfigID, d.EventType, run.RunID)
		s.Poll(t, "the run of the attempt is not found", func(ctx context.Context) (bool, error) {
			list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query})
			return len(list.GetExecutions()) == 1 && list.Executions[0].Execution.WorkflowId == run.WorkflowID, err
		})
	}
}

// TestReceivers sends real webhooks to the example receiver of every language.
func TestReceivers(t *testing.T) {
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
			s.Must(s.t, "webhook.config.create", parts.Object{"account_id": s.AccountID, "config": parts.Object{"url": r.URL}}, &config)
			w := s.Application(t)
			s.Must(s.t, "workflow.requiredDocument.calculate", w, nil)
			kinds := map[string]receivers.Event{}
			for len(kinds) < 3 {
				select {
				case e, open := <-r.Events:
					require.True(t, open, "the receiver ended")
					kinds[e.EventType] = e
				case <-time.After(time.Minute):
					t.Fatal("the webhooks did not arrive")
				}
			}
			require.Contains(t, string(kinds["REQUIRED_DOCUMENTS_CALCULATED"].Data), `"OLD"`)
			require.Contains(t, string(kinds["WORKFLOW_CREATED"].Data), w.WorkflowID)
			s.Must(s.t, "webhook.config.delete", parts.Object{"config_id": config.ID}, nil)
		})
	}
}

func TestWhatCannotGoIsHeldAndGoesLater(t *testing.T) {
	t.Parallel()
	s := &stack{Stack: parts.New(t), t: t, secrets: map[string][]byte{}}
	k := s.sink(nil)
	sent := k.test(5)
	k.awaitDeliveries(5, "HELD")
	require.Empty(t, k.seen(), "nothing goes out without a key")
	s.ActivateKey(s.t, s.createKey())
	seen := k.await("what was held", distinct(6)) // with the activation's own event
	for _, id := range sent {
		require.Contains(t, ids(seen), id)
	}

	s.Must(s.t, "webhook.config.update", parts.Object{"config_id": k.ConfigID, "config": parts.Object{"status": "DISABLED"}}, nil)
	sent = k.test(3)
	k.awaitDeliveries(3, "HELD")
	s.ActivateKey(s.t, s.createKey())
	s.Must(s.t, "webhook.config.update", parts.Object{"config_id": k.ConfigID, "config": parts.Object{"status": "ACTIVE"}}, nil)
	seen = k.await("what was held while disabled", distinct(10))
	for _, a := range seen {
		if slices.Contains(sent, a.ID) {
			require.Len(t, a.KeyID, 15)
			require.NotEqual(t, seen[0].KeyID, a.KeyID, "encrypted with the key that is active at the attempt")
		}
	}
}

func TestAKeyThatIsReplacedBetweenAttempts(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(status(http.StatusInternalServerError), "WEBHOOK_TEST")
	k.test(1)
	first := k.await("the first attempt", count(1))[0]
	s.ActivateKey(s.t, s.createKey())
	k.answers(nil)
	second := k.await("the second attempt", count(2))[1]
	require.Equal(t, first.ID, second.ID)
	require.NotEqual(t, first.KeyID, second.KeyID)
	require.Equal(t, []int{0, 1}, []int{first.RetryCount, second.RetryCount})
	log := s.delivery(k.awaitDeliveries(1, "DELIVERED")[0].DeliveryID)
	require.Equal(t, []string{first.KeyID, second.KeyID}, []string{log.Attempts[0].KeyID, log.Attempts[1].KeyID})
	require.Equal(t, 500, log.Attempts[0].StatusCode)
}

// TestASlowEndpointHoldsNobodyBack: 640 webhooks wait for endpoints that take
// long or never answer, and those of a healthy one overtake them.
func TestASlowEndpointHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	release := make(chan struct{})
	waits := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	slow, never := s.sink(waits, "WEBHOOK_TEST"), s.sink(waits, "WEBHOOK_TEST")
	healthy := s.sink(nil, "WEBHOOK_TEST")
	slow.test(320)
	never.test(320)
	sent := healthy.test(200)
	seen := healthy.await("the healthy endpoint's webhooks", distinct(200))
	for _, id := range sent {
		require.Contains(t, ids(seen), id)
	}
	for _, k := range []*sink{slow, never} {
		require.LessOrEqual(t, len(k.seen()), 20, "few are in flight at once")
		require.GreaterOrEqual(t, len(k.deliveries("PENDING")), 200)
	}
	close(release)
	slow.await("the slow endpoint's backlog", distinct(320))
	never.await("the other's", distinct(320))
}

func TestAnEndpointThatComesBackGetsEverything(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(status(http.StatusServiceUnavailable), "WEBHOOK_TEST")
	sent := k.test(60)
	k.await("enough attempts to see that it fails", count(6))
	s.Poll(t, "the endpoint is not probed", func(ctx context.Context) (bool, error) {
		var failing bool
		err := s.Query(ctx, `SELECT failures >= 5 FROM webhook_endpoint_health WHERE failures > 0`, &failing)
		return failing, err
	})
	down := len(k.seen())
	require.Less(t, down, 30, "most of them wait in the database")
	k.answers(nil)
	seen := k.await("everything", func(list []arrival) bool { return len(ids(list)) >= len(sent) })
	require.Less(t, len(seen), down+len(sent)+15, "nearly each of them once")
	k.awaitDeliveries(60, "DELIVERED")
}

func TestRetriesAndRecovery(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}, "WEBHOOK_TEST")
	k.test(1)
	k.await("the first attempt", count(1))
	d := k.awaitDeliveries(1, "RETRYING")[0]
	s.Poll(t, "the attempt is not logged", func(context.Context) (bool, error) {
		d = s.delivery(d.DeliveryID)
		return d.LastError == "HTTP 429", nil
	})
	next, err := time.Parse(time.RFC3339, d.NextAttemptAt)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), next, 2*time.Minute, "as it asked")
	k.answers(nil)
	s.Must(s.t, "webhook.delivery.retry", parts.Object{"delivery_id": d.DeliveryID}, nil)
	k.await("the retry, at once", count(2))
	k.awaitDeliveries(1, "DELIVERED")

	// A backlog that was given up, from before the outage's end.
	const backlog = 1500
	_, err = s.Exec(t.Context(), `
		WITH template AS (SELECT * FROM webhook_event WHERE event_type = 'WEBHOOK_TEST' LIMIT 1),
		events AS (INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), account_id, event_type, now(), user_id, user_type, fields FROM template, generate_series(1, $1) RETURNING id, account_id)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, round_attempts, last_error, created_at, updated_at)
		SELECT gen_random_uuid(), account_id, id, (SELECT id FROM webhook_endpoint), 'FAILED', 95, 95, 'HTTP 500', now(), now() FROM events`, backlog)
	require.NoError(t, err)
	request := parts.Object{"config_id": k.ConfigID, "since": time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")}
	var recovered struct {
		Count int `json:"count"`
	}
	s.Must(s.t, "webhook.delivery.recover", request, &recovered, requisite.IdempotencyKey("recover"))
	require.Equal(t, backlog, recovered.Count)
	s.Must(s.t, "webhook.delivery.recover", request, &recovered, requisite.IdempotencyKey("recover"))
	require.Equal(t, backlog, recovered.Count, "a repeat gets the first outcome")
	seen := k.await("the backlog", distinct(backlog+1))
	require.Equal(t, 95, seen[len(seen)-1].RetryCount)
}

// TestNothingIsLost kills every part while webhooks go out. Each event arrives
// at least once, and every attempt is in the log.
func TestNothingIsLost(t *testing.T) {
	for name, kill := range map[string]func(*stack, testing.TB){
		"worker": func(s *stack, t testing.TB) {
			s.Worker.Kill(t)
			s.StartPrograms(t)
		},
		"api": func(s *stack, t testing.TB) {
			s.API.Kill(t)
			s.StartPrograms(t)
		},
		"temporal": func(s *stack, t testing.TB) { s.RestartTemporal(t) },
		"postgres": func(s *stack, t testing.TB) {
			s.KillPostgres(t)
			s.StartPostgres(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(50 * time.Millisecond) // so that some are in flight at any time
				w.WriteHeader(http.StatusNoContent)
			}, "WEBHOOK_TEST")
			written := make(chan map[string]bool, 1)
			go func() { written <- k.write(150) }()
			k.await("the first", count(20))
			kill(s, t)
			k.await("some more", count(60))
			kill(s, t)
			events := <-written
			k.await("everything", func(list []arrival) bool {
				seen := ids(list)
				for id := range events {
					if seen[id] == 0 {
						return false
					}
				}
				return true
			})
			s.Poll(t, "not every delivery ends", func(ctx context.Context) (bool, error) {
				var open int
				err := s.Query(ctx, `SELECT count(*) FROM webhook_delivery WHERE state <> 'DELIVERED'`, &open)
				return err == nil && open == 0, err
			})
			var logged, unknown int
			require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt`, &logged))
			require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt WHERE outcome = 'UNKNOWN'`, &unknown))
			arrived := len(k.seen())
			require.GreaterOrEqual(t, logged, arrived, "every attempt that may have arrived is in the log")
			t.Logf("%d events, %d arrivals, %d attempts logged, %d of them with an unknown end", len(events), arrived, logged, unknown)
		})
	}
}

// write sends n test events, each until it is answered, and returns those that
// were.
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
				_, err := k.s.Client.Call(k.s.t.Context(), "webhook.config.test", parts.Object{"config_id": k.ConfigID}, &made, requisite.IdempotencyKey(fmt.Sprint("event", i)))
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
	_ = all.Wait() // an end of the test ends it early
	return events
}

func TestBadRequestsForWebhooks(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil)
	create := func(config parts.Object) parts.Object {
		return parts.Object{"account_id": s.AccountID, "config": config}
	}
	unknown := strings.Repeat("7", 21)
	for _, c := range []struct {
		name, operation string
		body            parts.Object
		code, field     string
	}{
		{"plain http", "webhook.config.create", create(parts.Object{"url": "http://hooks.example.com/"}), "BAD_REQUEST", "config.url"},
		{"private", "webhook.config.create", create(parts.Object{"url": "https://10.0.0.1/"}), "BAD_REQUEST", "config.url"},
		{"another port", "webhook.config.create", create(parts.Object{"url": "https://hooks.example.com:444/"}), "BAD_REQUEST", "config.url"},
		{"user info", "webhook.config.create", create(parts.Object{"url": "https://a:b@hooks.example.com/"}), "BAD_REQUEST", "config.url"},
		{"no event types", "webhook.config.create", create(parts.Object{"url": "https://hooks.example.com/", "event_types": []string{}}), "BAD_REQUEST", "config.event_types"},
		{"an unknown event type", "webhook.config.create", create(parts.Object{"url": "https://hooks.example.com/", "event_types": []string{"X"}}), "BAD_REQUEST", "config.event_types[0]"},
		{"an event type twice", "webhook.config.create", create(parts.Object{"url": "https://hooks.example.com/", "event_types": []string{"WEBHOOK_TEST", "WEBHOOK_TEST"}}), "BAD_REQUEST", "config.event_types[1]"},
		{"no URL", "webhook.config.create", create(parts.Object{}), "BAD_REQUEST", "config.url"},
		{"another's config", "webhook.config.get", parts.Object{"config_id": "whc_" + unknown}, "ENTITY_NOT_FOUND", ""},
		{"a malformed config", "webhook.config.update", parts.Object{"config_id": "whc_1", "config": parts.Object{}}, "BAD_REQUEST", "config_id"},
		{"an unknown delivery", "webhook.delivery.retry", parts.Object{"delivery_id": "whd_" + unknown}, "ENTITY_NOT_FOUND", ""},
		{"an unknown event to list by", "webhook.delivery.list", parts.Object{"account_id": s.AccountID, "filters": parts.Object{"event_id": "wh_" + unknown}}, "ENTITY_NOT_FOUND", ""},
		{"since is no time", "webhook.delivery.recover", parts.Object{"config_id": k.ConfigID, "since": "yesterday"}, "BAD_REQUEST", "since"},
		{"an unknown config to recover", "webhook.delivery.recover", parts.Object{"config_id": "whc_" + unknown, "since": "2026-01-01T00:00:00.000Z"}, "ENTITY_NOT_FOUND", ""},
	} {
		answer := s.Within(t, parts.Bound, c.operation, c.body)
		require.NotEmpty(t, answer.Errors, c.name)
		require.Equal(t, c.code, answer.Errors[0].Code, c.name)
		if c.field != "" {
			require.Contains(t, string(answer.Errors[0].Details), fmt.Sprintf("%q", c.field), c.name)
		}
	}
	repeated := s.Within(t, parts.Bound, "webhook.config.create", create(parts.Object{"url": k.URL + "/hooks"}))
	require.Equal(t, "URL_ALREADY_EXISTS", repeated.Errors[0].SubCode)
	require.Equal(t, "WebhookConfig", repeated.Errors[0].EntityType)
	for i := range 19 {
		s.Must(s.t, "webhook.config.create", create(parts.Object{"url": fmt.Sprintf("https://hooks.example.com/%d", i), "event_types": []string{"WORKFLOW_COMPLETED"}}), nil)
	}
	require.Equal(t, "MAX_WEBHOOK_URL_LIMIT", s.Within(t, parts.Bound, "webhook.config.create", create(parts.Object{"url": "https://hooks.example.com/21"})).Errors[0].SubCode)
	var got parts.Object
	s.Must(s.t, "webhook.config.get", parts.Object{"config_id": k.ConfigID}, &got)
	require.Equal(t, "ACTIVE", got["status"])
	require.Nil(t, got["event_types"])
	require.Contains(t, got, "event_types")
	s.Must(s.t, "webhook.config.update", parts.Object{"config_id": k.ConfigID, "config": parts.Object{"description": "d", "event_types": []string{"WEBHOOK_TEST"}}}, nil)
	s.Must(s.t, "webhook.config.get", parts.Object{"config_id": k.ConfigID}, &got)
	require.Equal(t, []any{"WEBHOOK_TEST"}, got["event_types"])
}

// metrics looks for lines in the programs' metrics, and for what must never be
// in them.
func (s *stack) metrics(want map[string][]string, never ...string) {
	s.t.Helper()
	for program, lines := range want {
		text := s.AwaitMetrics(s.t, program, lines...)
		for _, planted := range never {
			require.NotContains(s.t, text, planted, program)
		}
	}
}
