//go:build deep

package released_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// caller has everything that a caller has received from the service.
type caller struct {
	About     string             `json:"about"`
	AccountID string             `json:"account_id"`
	Main      harness.Credential `json:"main"` // has every permission
	// Others are credentials with fewer permissions.
	Others map[string]harness.Credential `json:"others"`
	// Secrets of webhook keys, by key id.
	Secrets map[string]string `json:"secrets"`
	// Rules and Pricing are the published content.
	Rules   json.RawMessage `json:"rules"`
	Pricing json.RawMessage `json:"pricing"`

	WorkflowID string `json:"workflow_id"` // calculated, and up to date
	// PersonID is a person with an INACTIVE document, which becomes required if the person
	// is a citizen of Norway.
	PersonID   string `json:"person_id"`
	DocumentID string `json:"document_id"`

	// Open are the open deliveries at the time when the service stopped.
	Open []openDelivery `json:"owed"`
	// EventsUntil is the caller's cursor, at the end of the feed.
	EventsUntil string `json:"events_until"`
}

type openDelivery struct {
	ConfigID   string `json:"config_id"`
	DeliveryID string `json:"delivery_id"`
	EventID    string `json:"event_id"`
	Status     string `json:"status"`
}

// answered is a response of a release, with the fields that later releases must return.
type answered struct {
	Operation      string `json:"operation"`
	By             string `json:"by,omitempty"` // name of one of the caller's other credentials
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	Request        any    `json:"request"`
	// Moves are fields that were left out at any depth, with the reason why a later response
	// may differ.
	Moves  map[string]string `json:"moves,omitempty"`
	Status int               `json:"status"`
	Data   any               `json:"data,omitempty"`
	Errors any               `json:"errors,omitempty"`
}

// client returns a client with one of the caller's credentials.
func (c caller) client(t testing.TB, s *harness.Stack, by string) *requisite.Client {
	if by == "" {
		return s.Client
	}
	require.Contains(t, c.Others, by)
	client, err := c.Others[by].Client(s.Client.BaseURL)
	require.NoError(t, err)
	return client
}

// ask sends the request of a recorded response, and returns the response of today.
func (c caller) ask(t testing.TB, s *harness.Stack, a answered) answered {
	t.Helper()
	body, err := json.Marshal(a.Request)
	require.NoError(t, err)
	var options []requisite.Option
	if a.IdempotencyKey != "" {
		options = append(options, requisite.IdempotencyKey(a.IdempotencyKey))
	}
	answer, err := c.client(t, s, a.By).Send(t.Context(), a.Operation, body, options...)
	require.NoError(t, err, a.Operation)
	var got struct{ Data, Errors any }
	decode(t, answer.Body, &got)
	a.Status, a.Data, a.Errors = answer.HTTPStatus, got.Data, got.Errors
	return a
}

// without removes fields at any depth.
func without[T any](value any, fields map[string]T) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, v := range value {
			if _, moves := fields[name]; !moves {
				kept[name] = without(v, fields)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, v := range value {
			kept[i] = without(v, fields)
		}
		return kept
	}
	return value
}

// missing lists the parts of a recorded value that now are missing or different. Additional
// fields are no difference.
func missing(at string, recorded, now any) (differences []string) {
	switch recorded := recorded.(type) {
	case map[string]any:
		fields, ok := now.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s was an object and is %v", at, now)}
		}
		for _, name := range slices.Sorted(maps.Keys(recorded)) {
			value, there := fields[name]
			if !there {
				differences = append(differences, fmt.Sprintf("%s.%s is gone; it was %v", at, name, recorded[name]))
				continue
			}
			differences = append(differences, missing(at+"."+name, recorded[name], value)...)
		}
	case []any:
		values, ok := now.([]any)
		if !ok || len(values) != len(recorded) {
			return []string{fmt.Sprintf("%s had %d entries and is %v", at, len(recorded), now)}
		}
		for i := range recorded {
			differences = append(differences, missing(fmt.Sprintf("%s[%d]", at, i), recorded[i], values[i])...)
		}
	default:
		if recorded != now {
			return []string{fmt.Sprintf("%s was %v and is %v", at, recorded, now)}
		}
	}
	return differences
}

func writeJSON(t testing.TB, file string, value any) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	require.NoError(t, encoder.Encode(value))
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
}

// receiver receives the webhooks of an account.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	secrets map[string]string
	refuses map[string]http.HandlerFunc // responses by path
	events  map[string]requisite.Event
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{secrets: map[string]string{}, refuses: map[string]http.HandlerFunc{}, events: map[string]requisite.Event{}}
	takes := &requisite.Receiver{
		Secrets: func(_ context.Context, accountID, keyID string) (string, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if secret, ok := r.secrets[keyID]; ok {
				return secret, nil
			}
			return "", requisite.ErrUnknownKey
		},
		Processed: &requisite.Memory{},
		Handle: func(_ context.Context, w requisite.Event) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.events[w.ID] = w
			return nil
		},
		Tests: true,
		Log:   func(err error) { t.Log("the receiver:", err) },
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		refuse := r.refuses[q.URL.Path]
		r.mu.Unlock()
		if refuse != nil {
			refuse(w, q)
			return
		}
		takes.ServeHTTP(w, q)
	}))
	t.Cleanup(r.Close)
	return r
}

// refuse sets the response of a path. nil accepts webhooks again.
func (r *receiver) refuse(path string, answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuses[path] = answer
}

// knows adds the secret of a key.
func (r *receiver) knows(keyID, secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets[keyID] = secret
}

func (r *receiver) has(eventID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.events[eventID]
	return ok
}

// output runs a command of starter, and returns its output.
func output(t testing.TB, s *harness.Stack, args ...string) string {
	t.Helper()
	out, err := s.Starter(args...).CombinedOutput()
	require.NoError(t, err, "starter %v: %s", args, out)
	return string(out)
}

func migrate(t testing.TB, s *harness.Stack) string {
	return output(t, s, "migrate", "--api-role", harness.API, "--worker-role", harness.Worker)
}
