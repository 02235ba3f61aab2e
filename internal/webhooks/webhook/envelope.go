package webhook

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"

	"requisite/internal/requests/wire"
)

// SchemaVersion is the version of the envelope's form.
const SchemaVersion = "2025-11-21"

// Event is the content of an envelope.
type Event struct {
	ID        string // wh_…
	Type      string
	Timestamp wire.DateTime
	AccountID string
	Sequence  int64  // among the events of its workflow, from 1; zero for an event without one
	Replay    bool   // it is sent by a replay
	Payload   []byte // the JSON object that is encrypted, without replay
}

// Key is the account's active key at the moment of an attempt.
type Key struct {
	ID     string
	Secret []byte // 32 bytes
}

// clear is the part of the envelope that is not encrypted. The protected header
// of the token repeats all of it, so that any change is detected.
type clear struct {
	ID            string        `json:"id"`
	EventType     string        `json:"event_type"`
	Timestamp     wire.DateTime `json:"timestamp"`
	AccountID     string        `json:"account_id"`
	Sequence      int64         `json:"sequence,omitempty" minimum:"1" doc:"The event's number within its workflow: 1, 2, 3, without gaps. Absent without a workflow."`
	SchemaVersion string        `json:"schema_version"`
	KeyID         string        `json:"key_id"`
	Data          string        `json:"data"`
	RetryCount    int           `json:"retry_count"`
	Replay        bool          `json:"replay,omitempty"`
}

// Seal makes the body of one attempt: clear fields and a compact JWE (RFC 7516,
// alg dir, enc A256GCM) with a nonce of its own. retryCount is the number of
// earlier logged attempts; now becomes iat.
func Seal(e Event, key Key, retryCount int, now time.Time) ([]byte, error) {
	timestamp, err := json.Marshal(e.Timestamp)
	if err != nil {
		return nil, fmt.Errorf("seal an event: %w", err)
	}
	options := (&jose.EncrypterOptions{}).
		WithHeader("id", e.ID).
		WithHeader("event_type", e.Type).
		WithHeader("timestamp", json.RawMessage(timestamp)).
		WithHeader("account_id", e.AccountID).
		WithHeader("schema_version", SchemaVersion).
		WithHeader("retry_count", retryCount).
		WithHeader("iat", now.Unix())
	if e.Sequence != 0 {
		options = options.WithHeader("sequence", e.Sequence)
	}
	payload := e.Payload
	if e.Replay {
		options = options.WithHeader("replay", true)
		if payload, err = withReplay(payload); err != nil {
			return nil, fmt.Errorf("seal an event: %w", err)
		}
	}
	encrypter, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.DIRECT, Key: key.Secret, KeyID: key.ID}, options)
	if err != nil {
		return nil, fmt.Errorf("seal an event: %w", err)
	}
	token, err := encrypter.Encrypt(payload)
	if err != nil {
		return nil, fmt.Errorf("seal an event: %w", err)
	}
	compact, err := token.CompactSerialize()
	if err != nil {
		return nil, fmt.Errorf("seal an event: %w", err)
	}
	body, err := json.Marshal(clear{e.ID, e.Type, e.Timestamp, e.AccountID, e.Sequence, SchemaVersion, key.ID, compact, retryCount, e.Replay})
	if err != nil {
		return nil, fmt.Errorf("seal an event: %w", err)
	}
	return body, nil
}

// withReplay marks the content of an event as replayed.
func withReplay(payload []byte) ([]byte, error) {
	content := map[string]json.RawMessage{}
	if err := json.Unmarshal(payload, &content); err != nil {
		return nil, err
	}
	content["replay"] = json.RawMessage(`true`)
	return json.Marshal(content)
}

// Payload is the JSON object that is encrypted: the common fields and the fields of
// the event's type. workflowID is empty and sequence zero for an event without a
// workflow.
func Payload(workflowID string, sequence int64, userID, userType string, fields json.RawMessage) ([]byte, error) {
	payload := map[string]any{}
	if err := json.Unmarshal(fields, &payload); err != nil {
		return nil, fmt.Errorf("fields of an event: %w", err)
	}
	payload["version"] = "1.0"
	payload["user_context"] = map[string]string{"user_id": userID, "user_type": userType}
	if workflowID != "" {
		payload["workflow_id"], payload["sequence"] = workflowID, sequence
	}
	return json.Marshal(payload)
}
