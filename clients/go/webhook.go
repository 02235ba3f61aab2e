package requisite

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxWebhook = 1 << 20
	maxAge     = 5 * time.Minute
)

// Content decodes Data into out, the type of the event's content. It ignores fields that
// out does not have.
func (e Event) Content(out any) error {
	if err := json.Unmarshal(e.Data, out); err != nil {
		return fmt.Errorf("content of %s: %w", e.EventType, err)
	}
	return nil
}

// WebhookRefused is why a request is not a valid webhook. Status is the HTTP status for the
// response. It is never 410, because that would disable the endpoint.
type WebhookRefused struct {
	Status int
	Reason string
}

func (e *WebhookRefused) Error() string { return e.Reason }

// ErrUnknownKey is the error of Secrets for an unknown key.
var ErrUnknownKey = errors.New("no secret is stored for this account_id and key_id")

// Secrets returns the shared secret of a key, in Base64 as webhook.key.create returned it.
// Look it up by both ids, because different accounts have keys with the same id.
type Secrets func(ctx context.Context, accountID, keyID string) (sharedSecret string, err error)

// Clear fields are in the body and in the token's authenticated header. Optional fields
// are in both or in neither.
var (
	clearFields    = []string{"id", "event_type", "timestamp", "account_id", "schema_version", "key_id", "retry_count"}
	optionalFields = []string{"sequence", "replay"}
)

// Seen reports whether an event was processed. Store its id in the transaction that
// processes it, in a unique column: of two attempts at once, one then fails.
type Seen func(ctx context.Context, eventID string) (bool, error)

// ErrRepeat is the error of VerifyAndDecrypt for an event that was processed. Answer 2xx.
var ErrRepeat = errors.New("the event was processed already")

// VerifyAndDecrypt verifies and decrypts a webhook. It returns a WebhookRefused if the
// request does not come from the service or is more than five minutes old, ErrRepeat for
// an event that was seen, and the errors of secrets and seen. A Receiver does the
// same, and processes the event.
//
// body is what arrived, as bytes or as text, before anything has parsed it.
func VerifyAndDecrypt[Body ~[]byte | ~string](ctx context.Context, body Body, header http.Header, now time.Time, secrets Secrets, seen Seen) (Event, error) {
	event, err := open(ctx, []byte(body), header, now, secrets)
	if err != nil {
		return Event{}, err
	}
	switch repeat, err := seen(ctx, event.ID); {
	case err != nil:
		return Event{}, fmt.Errorf("look for a repeat of %s: %w", event.ID, err)
	case repeat:
		return Event{}, ErrRepeat
	}
	return event, nil
}

func open(ctx context.Context, body []byte, header http.Header, now time.Time, secrets Secrets) (Event, error) {
	if len(body) == 0 {
		return Event{}, &WebhookRefused{http.StatusBadRequest, "the body is empty; if something has read the request before, pass on the raw body"}
	}
	envelope, ok := object(body) // a struct would take other spellings of a name, and zero for a missing field
	if !ok {
		return Event{}, &WebhookRefused{http.StatusBadRequest, "the body is not a JSON object"}
	}
	accountID, _ := envelope["account_id"].(string)
	keyID, _ := envelope["key_id"].(string)
	token, _ := envelope["data"].(string)
	if accountID == "" || keyID == "" || token == "" {
		return Event{}, &WebhookRefused{http.StatusBadRequest, "account_id, key_id or data is missing, or is not text"}
	}
	sharedSecret, err := secrets(ctx, accountID, keyID)
	if errors.Is(err, ErrUnknownKey) {
		return Event{}, &WebhookRefused{http.StatusUnauthorized, ErrUnknownKey.Error()}
	} else if err != nil {
		return Event{}, fmt.Errorf("secret of a webhook: %w", err)
	}
	secret, fault := sharedSecretOf(sharedSecret)
	if fault != "" {
		return Event{}, fmt.Errorf("the shared secret of %s/%s %s", accountID, keyID, fault)
	}
	header64, content, err := decrypt(token, secret)
	if err != nil {
		return Event{}, err
	}

	// The decryption has verified the header. The body must match it.
	protected, ok := object(header64)
	if !ok {
		return Event{}, &WebhookRefused{http.StatusBadRequest, "the protected header is not a JSON object"}
	}
	protected["key_id"] = protected["kid"]
	for _, field := range clearFields {
		if protected[field] == nil || !reflect.DeepEqual(envelope[field], protected[field]) {
			return Event{}, differs(field)
		}
	}
	for _, field := range optionalFields {
		if !reflect.DeepEqual(envelope[field], protected[field]) {
			return Event{}, differs(field)
		}
	}
	e := Event{}
	if err := json.Unmarshal(header64, &e); err != nil {
		return Event{}, &WebhookRefused{http.StatusBadRequest, "the protected header is not that of a webhook"}
	}
	issued, _ := protected["iat"].(json.Number)
	iat, err := strconv.ParseInt(issued.String(), 10, 64)
	if err != nil || header.Get("webhook-id") != e.ID || header.Get("webhook-timestamp") != issued.String() {
		return Event{}, &WebhookRefused{http.StatusUnauthorized, "the request's headers differ from the protected header"}
	}
	if age := now.Sub(time.Unix(iat, 0)); age > maxAge || age < -maxAge {
		return Event{}, &WebhookRefused{http.StatusUnauthorized, "iat is more than five minutes away from this machine's clock"}
	}
	// Only the fields that were compared: the header may have others.
	e = Event{
		ID: e.ID, EventType: e.EventType, Timestamp: e.Timestamp, AccountID: e.AccountID, SchemaVersion: e.SchemaVersion,
		KeyID: keyID, RetryCount: e.RetryCount, Sequence: e.Sequence, Replay: e.Replay, Data: content,
	}
	return e, e.about()
}

// about sets what only the content says.
func (e *Event) about() error {
	var content struct {
		Test       bool   `json:"test"`
		WorkflowID string `json:"workflow_id"`
	}
	if err := json.Unmarshal(e.Data, &content); err != nil {
		return &WebhookRefused{http.StatusBadRequest, "the content is not that of an event"}
	}
	if e.Test = content.Test; !e.Test { // the records of a test do not exist
		e.WorkflowID = content.WorkflowID
	}
	return nil
}

func differs(field string) error {
	return &WebhookRefused{http.StatusUnauthorized, field + " differs from the protected header"}
}

// object decodes a JSON object, and keeps its numbers as they are written.
func object(text []byte) (map[string]any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var fields map[string]any
	if decoder.Decode(&fields) != nil || fields == nil {
		return nil, false
	}
	_, err := decoder.Token()
	return fields, err == io.EOF
}

// decrypt opens a compact JWE (RFC 7516). It accepts only dir with A256GCM.
func decrypt(token string, secret []byte) (header, content []byte, err error) {
	malformed := &WebhookRefused{http.StatusBadRequest, "data is not a compact JWE with dir and A256GCM"}
	parts := strings.Split(token, ".")
	if len(parts) != 5 || parts[1] != "" || strings.ContainsAny(token, "\r\n") { // the decoder skips line breaks
		return nil, nil, malformed
	}
	var decoded [5][]byte
	for i, part := range parts {
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return nil, nil, malformed
		}
	}
	header, nonce, ciphertext, tag := decoded[0], decoded[2], decoded[3], decoded[4]
	fields, ok := object(header)
	_, critical := fields["crit"]
	_, compressed := fields["zip"]
	if !ok || fields["alg"] != "dir" || fields["enc"] != "A256GCM" || critical || compressed || len(nonce) != 12 || len(tag) != 16 {
		return nil, nil, malformed
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, nil, err
	}
	content, err = gcm.Open(nil, nonce, append(ciphertext, tag...), []byte(parts[0]))
	if err != nil {
		return nil, nil, &WebhookRefused{http.StatusUnauthorized, "data does not decrypt with the secret of this account_id and key_id"}
	}
	return header, content, nil
}

// Claim is the state of an event in Processed.
type Claim int

// Claims.
const (
	Claimed   Claim = iota // the caller must process the event
	InProcess              // an earlier attempt is processing it
	Done                   // it was processed
)

// ClaimLasts is how long a claim in a database should last. An attempt ends after 30
// seconds, so a process that has not called Done after a minute has ended.
const ClaimLasts = time.Minute

// Processed stores which events were processed, so that no event is processed twice. Store
// it in a database, and do not delete old entries: a failed delivery can be sent again
// weeks later.
//
// A process may end between Claim and Done. Its claim must expire after ClaimLasts, or
// the Receiver would refuse the event until its delivery fails. Handle then runs again for
// the same event. To prevent that, mark the event as done in the transaction of your work;
// Done must accept an event that is done already.
type Processed interface {
	// Claim claims an event, unless it is done or has a claim that has not expired.
	Claim(ctx context.Context, eventID string) (Claim, error)
	// Done stores that a claimed event was processed.
	Done(ctx context.Context, eventID string) error
	// Release ends the claim of an event whose processing failed.
	Release(ctx context.Context, eventID string) error
}

// Memory is a Processed in memory, for tests and trials.
type Memory struct {
	mu   sync.Mutex
	done map[string]bool // false while it is processed
}

// Claim implements Processed.
func (m *Memory) Claim(_ context.Context, eventID string) (Claim, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	done, known := m.done[eventID]
	switch {
	case done:
		return Done, nil
	case known:
		return InProcess, nil
	case m.done == nil:
		m.done = map[string]bool{}
	}
	m.done[eventID] = false
	return Claimed, nil
}

// Done implements Processed.
func (m *Memory) Done(_ context.Context, eventID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[eventID] = true
	return nil
}

// Release implements Processed.
func (m *Memory) Release(_ context.Context, eventID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.done, eventID)
	return nil
}

// Receiver receives webhooks over HTTP. Serve it behind TLS, at the path of your endpoint's
// URL.
type Receiver struct {
	Secrets   Secrets
	Processed Processed
	// Handle processes an event. After an error the service sends the event again. An
	// attempt ends after 30 seconds: if the work takes long, store the event and return.
	Handle func(context.Context, Event) error
	// Tests gives Handle the events of webhook.config.test too. Their Test is true. Otherwise the
	// Receiver answers 2xx and drops them.
	Tests bool
	// Log gets the errors that the sender did not cause. It may be nil.
	Log func(error)
}

// ServeHTTP answers 2xx if the event was processed, now or earlier.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	err := r.receive(w, q)
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var refused *WebhookRefused
	if !errors.As(err, &refused) {
		if r.Log != nil {
			r.Log(err)
		}
		refused = &WebhookRefused{http.StatusInternalServerError, "not processed"}
	}
	http.Error(w, refused.Reason, refused.Status)
}

func (r *Receiver) receive(w http.ResponseWriter, q *http.Request) error {
	if q.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return &WebhookRefused{http.StatusMethodNotAllowed, "webhooks are sent with POST"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxWebhook))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &WebhookRefused{http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB"}
	} else if err != nil {
		return &WebhookRefused{http.StatusBadRequest, "the body did not arrive whole"}
	}
	event, err := open(q.Context(), body, q.Header, time.Now(), r.Secrets)
	if err != nil {
		return err
	}
	if event.Test && !r.Tests {
		return nil
	}
	claim, err := r.Processed.Claim(q.Context(), event.ID)
	switch {
	case err != nil:
		return fmt.Errorf("claim %s: %w", event.ID, err)
	case claim == Done:
		return nil
	case claim == InProcess:
		return &WebhookRefused{http.StatusConflict, "an earlier attempt is still being processed"}
	}
	// Store the outcome even if the sender hangs up.
	kept := context.WithoutCancel(q.Context())
	processed := false
	defer func() {
		if !processed {
			if err := r.Processed.Release(kept, event.ID); err != nil && r.Log != nil {
				r.Log(fmt.Errorf("release %s: %w", event.ID, err))
			}
		}
	}()
	if err := r.Handle(q.Context(), event); err != nil {
		return fmt.Errorf("process %s: %w", event.ID, err)
	}
	processed = true
	if err := r.Processed.Done(kept, event.ID); err != nil {
		return fmt.Errorf("remember %s: %w", event.ID, err)
	}
	return nil
}
