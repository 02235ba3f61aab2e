package webhooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/e2e/harness"
)

// stack is a stack with the account of one test, which has an active key.
type stack struct {
	*harness.Stack
	t       testing.TB
	mu      sync.Mutex
	secrets map[string][]byte // by key id
}

// newStack returns the stack of the package, with an organization for the test. A test that
// kills a process must not be parallel.
func newStack(t testing.TB) *stack { return withKey(t, harness.Shared(t)) }

func withKey(t testing.TB, of *harness.Stack) *stack {
	s := withoutKey(t, of)
	s.ActivateKey(t, s.createKey())
	return s
}

func withoutKey(t testing.TB, of *harness.Stack) *stack {
	return &stack{Stack: of, t: t, secrets: map[string][]byte{}}
}

func (s *stack) createKey() string {
	s.t.Helper()
	keyID, secret := s.CreateKey(s.t)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets[keyID] = secret
	return keyID
}

// arrival is a webhook that a sink received, verified and decrypted.
type arrival struct {
	At         time.Time
	ID         string `json:"id"`
	EventType  string `json:"event_type"`
	Timestamp  string `json:"timestamp"`
	AccountID  string `json:"account_id"`
	Sequence   *int64 `json:"sequence"`
	KeyID      string `json:"key_id"`
	RetryCount int    `json:"retry_count"`
	Replay     bool   `json:"replay"`
	Data       string `json:"data"`
	Payload    harness.Object
	Header     http.Header
}

// sink is an endpoint. answer is its response; nil means 204.
type sink struct {
	*httptest.Server
	s        *stack
	ConfigID string

	mu       sync.Mutex
	answer   http.HandlerFunc
	arrivals []arrival
	wrong    []error
}

func (s *stack) sink(answer http.HandlerFunc, types ...string) *sink {
	s.t.Helper()
	k := &sink{s: s, answer: answer}
	k.Server = httptest.NewServer(k)
	s.t.Cleanup(k.Server.Close)
	config := harness.Object{"url": k.URL + "/hooks"}
	if len(types) > 0 {
		config["event_types"] = types
	}
	s.Must(s.t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": config}, &struct {
		ID *string `json:"config_id"`
	}{&k.ConfigID})
	s.t.Cleanup(func() {
		if !s.t.Failed() {
			// Following tests need no retries of this endpoint. The stack may have ended already.
			_, _ = s.Client.Call(context.Background(), "webhook.config.delete", harness.Object{"config_id": k.ConfigID}, nil)
		}
	})
	return k
}

func (k *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var a arrival
	if err == nil {
		a, err = k.s.open(body, r.Header)
	}
	k.mu.Lock()
	if err != nil {
		k.wrong = append(k.wrong, err)
	}
	k.arrivals = append(k.arrivals, a)
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

// held calls another handler when it is released. It does not respond if the sender is gone
// before.
func held(release <-chan struct{}, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			answer(w, r)
		case <-r.Context().Done():
		}
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// open verifies and decrypts a webhook as a receiver does, without code of the sender.
func (s *stack) open(body []byte, header http.Header) (arrival, error) {
	a := arrival{At: time.Now(), Header: header}
	if err := json.Unmarshal(body, &a); err != nil {
		return a, err
	}
	token, err := jose.ParseEncryptedCompact(a.Data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return a, err
	}
	s.mu.Lock()
	secret := s.secrets[a.KeyID]
	s.mu.Unlock()
	plain, err := token.Decrypt(secret)
	if err != nil {
		return a, fmt.Errorf("decrypt with %s: %w", a.KeyID, err)
	}
	extra := token.Header.ExtraHeaders
	iat, _ := extra["iat"].(float64)
	var sequence any // nil if the event has no workflow
	if a.Sequence != nil {
		sequence = float64(*a.Sequence)
	}
	var replay any // nil unless the event is replayed
	if a.Replay {
		replay = true
	}
	for name, want := range map[string]any{
		"id": a.ID, "event_type": a.EventType, "timestamp": a.Timestamp, "account_id": a.AccountID,
		"schema_version": "2025-11-21", "retry_count": float64(a.RetryCount), "sequence": sequence, "replay": replay,
	} {
		if extra[jose.HeaderKey(name)] != want {
			return a, fmt.Errorf("the header's %s is %v, not %v", name, extra[jose.HeaderKey(name)], want)
		}
	}
	switch {
	case token.Header.KeyID != a.KeyID:
		return a, fmt.Errorf("kid %s is not %s", token.Header.KeyID, a.KeyID)
	case header.Get("webhook-id") != a.ID, header.Get("webhook-timestamp") != strconv.FormatInt(int64(iat), 10):
		return a, fmt.Errorf("headers %v do not match", header)
	case time.Since(time.Unix(int64(iat), 0)).Abs() > 5*time.Minute:
		return a, fmt.Errorf("iat %v is stale", iat)
	}
	if err := json.Unmarshal(plain, &a.Payload); err != nil {
		return a, err
	}
	if a.Payload["replay"] != replay {
		return a, fmt.Errorf("replay is %v in clear, and in the content %v", replay, a.Payload)
	}
	if a.Payload["sequence"] != sequence || (sequence == nil) != (a.Payload["workflow_id"] == nil) {
		return a, fmt.Errorf("the sequence is %v in clear, and in the content %v", sequence, a.Payload)
	}
	return a, nil
}

// seen returns the webhooks so far, and requires that all were valid.
func (k *sink) seen() []arrival {
	k.mu.Lock()
	defer k.mu.Unlock()
	require.Empty(k.s.t, k.wrong)
	return append([]arrival{}, k.arrivals...)
}

// await waits until the webhooks of the sink are enough, and returns them.
func (k *sink) await(what string, enough func([]arrival) bool) (list []arrival) {
	k.s.t.Helper()
	k.s.Await(k.s.t, what, func(context.Context) error {
		if seen := k.seen(); enough(seen) {
			list = seen
			return nil
		}
		return fmt.Errorf("%d arrivals", len(k.seen()))
	})
	return list
}

func count(n int) func([]arrival) bool { return func(a []arrival) bool { return len(a) >= n } }

// distinct requires n different events.
func distinct(n int) func([]arrival) bool {
	return func(list []arrival) bool { return len(ids(list)) >= n }
}

func ids(list []arrival) map[string]int {
	seen := map[string]int{}
	for _, a := range list {
		seen[a.ID]++
	}
	return seen
}

type delivery struct {
	DeliveryID    string `json:"delivery_id"`
	EventID       string `json:"event_id"`
	EventType     string `json:"event_type"`
	Status        string `json:"status"`
	AttemptCount  int    `json:"attempt_count"`
	NextAttemptAt string `json:"next_attempt_at"`
	LastError     string `json:"last_error"`
	Attempts      []struct {
		Number       int    `json:"number"`
		StatusCode   int    `json:"status_code"`
		Error        string `json:"error"`
		ResponseBody string `json:"response_body"`
		KeyID        string `json:"key_id"`
		Address      string `json:"address"`
		Outcome      string `json:"outcome"`
		WorkflowID   string `json:"temporal_workflow_id"`
		RunID        string `json:"temporal_run_id"`
	} `json:"attempts"`
}

// deliveries lists the deliveries of a sink, newest first, at most 200.
func (k *sink) deliveries(status string) []delivery {
	k.s.t.Helper()
	filters := harness.Object{"config_id": k.ConfigID}
	if status != "" {
		filters["status"] = status
	}
	var list struct {
		Deliveries []delivery `json:"deliveries"`
	}
	k.s.Must(k.s.t, "webhook.delivery.list", harness.Object{"account_id": k.s.AccountID, "filters": filters, "page": harness.Object{"limit": 200}}, &list)
	return list.Deliveries
}

func (s *stack) delivery(id string) (d delivery) {
	s.t.Helper()
	s.Must(s.t, "webhook.delivery.get", harness.Object{"delivery_id": id}, &d)
	return d
}

// awaitDeliveries waits until the sink has n deliveries with a status.
func (k *sink) awaitDeliveries(n int, status string) (list []delivery) {
	k.s.t.Helper()
	k.s.Await(k.s.t, fmt.Sprintf("%d deliveries that are %s", n, status), func(context.Context) error {
		if list = k.deliveries(status); len(list) < n {
			return fmt.Errorf("%d of them", len(list))
		}
		return nil
	})
	return list
}

// awaitAllDelivered waits until the account has no open delivery.
func (s *stack) awaitAllDelivered() {
	s.t.Helper()
	s.Await(s.t, "every delivery to end", func(ctx context.Context) error {
		var open int
		err := s.Query(ctx, `SELECT count(*) FROM webhook_delivery WHERE state <> 'DELIVERED' AND account_id = $1`, &open, s.AccountKey())
		if err == nil && open > 0 {
			err = fmt.Errorf("%d are left", open)
		}
		return err
	})
}

// test sends n test events to a sink, sixteen at a time.
func (k *sink) test(n int) []string { return k.testBy(n, 16) }

// testBy sends n test events from a number of callers.
func (k *sink) testBy(n, callers int) []string {
	k.s.t.Helper()
	events := make([]string, n)
	var all errgroup.Group
	all.SetLimit(callers)
	for i := range n {
		all.Go(func() error {
			var made struct {
				EventID string `json:"event_id"`
			}
			_, err := k.s.Client.Call(k.s.t.Context(), "webhook.config.test", harness.Object{"config_id": k.ConfigID}, &made)
			events[i] = made.EventID
			return err
		})
	}
	require.NoError(k.s.t, all.Wait())
	return events
}
