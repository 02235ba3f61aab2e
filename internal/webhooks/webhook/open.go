package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// MaxAge is how far an attempt's iat may differ from a receiver's clock.
const MaxAge = 5 * time.Minute

// Opened is a webhook that a receiver has verified and decrypted.
type Opened struct {
	ID         string
	EventType  string
	AccountID  string
	KeyID      string
	Timestamp  string
	Sequence   int64 // among the events of its workflow, from 1; zero for an event without one
	RetryCount int
	Replay     bool // the event was sent before, or before the endpoint existed
	Payload    json.RawMessage
}

// ErrUnknownKey reports a webhook that is encrypted with a key whose secret the
// receiver does not have.
var ErrUnknownKey = errors.New("there is no secret for this key")

// Open verifies and decrypts a webhook as every receiver should: the clear part
// must equal the token's protected header, and the attempt must be recent.
// secret finds the key by the account and the key id.
func Open(body []byte, header http.Header, now time.Time, secret func(accountID, keyID string) ([]byte, bool)) (Opened, error) {
	var c struct {
		ID            string `json:"id"`
		EventType     string `json:"event_type"`
		Timestamp     string `json:"timestamp"`
		AccountID     string `json:"account_id"`
		Sequence      *int64 `json:"sequence"`
		SchemaVersion string `json:"schema_version"`
		KeyID         string `json:"key_id"`
		Data          string `json:"data"`
		RetryCount    *int   `json:"retry_count"`
		Replay        *bool  `json:"replay"`
	}
	if err := json.Unmarshal(body, &c); err != nil || c.RetryCount == nil {
		return Opened{}, errors.New("the body is not a webhook's envelope")
	}
	token, err := jose.ParseEncryptedCompact(c.Data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return Opened{}, errors.New("data is not a compact JWE with alg dir and enc A256GCM")
	}
	key, ok := secret(c.AccountID, c.KeyID)
	if !ok {
		return Opened{}, fmt.Errorf("%w: %s of %s", ErrUnknownKey, c.KeyID, c.AccountID)
	}
	payload, err := token.Decrypt(key)
	if err != nil {
		return Opened{}, fmt.Errorf("data does not decrypt with %s of %s", c.KeyID, c.AccountID)
	}
	iat, ok := token.Header.ExtraHeaders["iat"].(float64)
	if !ok {
		return Opened{}, errors.New("the token has no iat")
	}
	trusted := map[string]any{
		"id": c.ID, "event_type": c.EventType, "timestamp": c.Timestamp, "account_id": c.AccountID,
		"schema_version": c.SchemaVersion, "retry_count": float64(*c.RetryCount), "sequence": nil, // which not every event has
	}
	var sequence int64
	if c.Sequence != nil {
		sequence = *c.Sequence
		trusted["sequence"] = float64(sequence)
	}
	for name, clear := range trusted {
		if token.Header.ExtraHeaders[jose.HeaderKey(name)] != clear {
			return Opened{}, fmt.Errorf("%s is not what the token says", name)
		}
	}
	if replay, sent := token.Header.ExtraHeaders["replay"]; sent != (c.Replay != nil) || sent && replay != *c.Replay {
		return Opened{}, errors.New("replay is not what the token says")
	}
	at := strconv.FormatInt(int64(iat), 10)
	switch {
	case token.Header.KeyID != c.KeyID:
		return Opened{}, errors.New("key_id is not what the token says")
	case header.Get("webhook-id") != c.ID || header.Get("webhook-timestamp") != at:
		return Opened{}, errors.New("the headers webhook-id and webhook-timestamp are not what the token says")
	case now.Sub(time.Unix(int64(iat), 0)).Abs() > MaxAge:
		return Opened{}, fmt.Errorf("the attempt is of %s, more than %s ago", time.Unix(int64(iat), 0).UTC().Format(time.RFC3339), MaxAge)
	}
	return Opened{c.ID, c.EventType, c.AccountID, c.KeyID, c.Timestamp, sequence, *c.RetryCount, c.Replay != nil && *c.Replay, payload}, nil
}
