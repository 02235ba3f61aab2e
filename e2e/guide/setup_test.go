//go:build deep

package guide_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/webhooks/webhook"
)

// The tests publish more versions of rules than the default quota of a day allows.
func TestMain(m *testing.M) { harness.Run(m, "REQUISITE_QUOTA=rule-versions-a-day=0") }

// stack is the stack of the package with an organization for one test, which has an active
// webhook key.
type stack struct {
	*harness.Stack
	t      *testing.T
	key    string
	secret []byte
}

func newStack(t *testing.T) *stack {
	s := &stack{Stack: harness.Shared(t), t: t}
	s.key, s.secret = s.CreateKey(t)
	s.ActivateKey(t, s.key)
	return s
}

// starter runs a command that must succeed.
func (s *stack) starter(args ...string) string {
	s.t.Helper()
	out, err := s.Starter(args...).CombinedOutput()
	require.NoError(s.t, err, "starter %v\n%s", args, out)
	return string(out)
}

// restart restarts the api and the worker with the current settings.
func (s *stack) restart() {
	s.t.Helper()
	s.API.Stop(s.t)
	s.Worker.Stop(s.t)
	s.StartPrograms(s.t)
}

// sink is an endpoint that verifies and decrypts webhooks. The test sets its response.
type sink struct {
	s        *stack
	url      string
	configID string

	mu       sync.Mutex
	answer   http.HandlerFunc // nil is 204
	received map[string]int   // number of webhooks by event
	wrong    []error
}

func (s *stack) sink(types ...string) *sink {
	k := &sink{s: s, received: map[string]int{}}
	server := httptest.NewServer(k)
	s.t.Cleanup(server.Close)
	k.url = server.URL
	s.Must(s.t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": k.url, "event_types": types}}, &struct {
		ID *string `json:"config_id"`
	}{&k.configID})
	return k
}

func (k *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var got webhook.Opened
	if err == nil {
		got, err = webhook.Open(body, r.Header, time.Now(), func(_, keyID string) ([]byte, bool) { return k.s.secret, keyID == k.s.key })
	}
	k.mu.Lock()
	if err != nil {
		k.wrong = append(k.wrong, err)
	}
	k.received[got.ID]++
	answer := k.answer
	k.mu.Unlock()
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(w, r)
}

// answers sets the response of the sink.
func (k *sink) answers(h http.HandlerFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answer = h
}

// forget returns the received webhooks, and resets them.
func (k *sink) forget() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	require.Empty(k.s.t, k.wrong, "some webhooks do not verify or decrypt")
	before := k.received
	k.received = map[string]int{}
	return before
}

// test sends test events to the sink, and waits until each has had an attempt.
func (k *sink) test(n int) (events []string) {
	k.s.t.Helper()
	for range n {
		var made struct {
			ID string `json:"event_id"`
		}
		k.s.Must(k.s.t, "webhook.config.test", harness.Object{"config_id": k.configID}, &made)
		events = append(events, made.ID)
	}
	k.s.Poll(k.s.t, "some test events have no attempt", func(ctx context.Context) (bool, error) {
		var open int
		err := k.s.Query(ctx, `SELECT count(*) FROM webhook_delivery_shown WHERE (state = 'PENDING' OR state = 'RETRYING' AND last_error IS NULL) AND account_id = $1`, &open, k.s.AccountKey())
		return open == 0, err
	})
	return events
}

// overdue makes all waiting deliveries due, as after an hour.
func (s *stack) overdue() {
	s.exec(`UPDATE webhook_endpoint_health SET retry_after = now() - interval '1 hour' WHERE retry_after IS NOT NULL`)
	s.exec(`UPDATE webhook_delivery SET next_attempt_at = now() - interval '1 hour' WHERE state = 'RETRYING' AND account_id = $1`, s.AccountKey())
}

// awaitDelivered waits until all deliveries are DELIVERED.
func (s *stack) awaitDelivered() {
	s.t.Helper()
	s.Poll(s.t, "not everything is delivered", func(ctx context.Context) (bool, error) {
		var states string
		err := s.Query(ctx, `SELECT coalesce(string_agg(DISTINCT state, ' '), '') FROM webhook_delivery_shown WHERE account_id = $1`, &states, s.AccountKey())
		return states == "DELIVERED", fmt.Errorf("there are deliveries in %s (%w)", states, err)
	})
}
