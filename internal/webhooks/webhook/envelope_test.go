package webhook

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status int
		header string
		want   time.Duration
	}{
		{503, "30", 30 * time.Second},
		{429, "30", 30 * time.Second},
		{500, "30", 0},
		{503, "", 0},
		{503, "-5", 0},
		{503, "soon", 0},
		{503, "99999999999999999999", time.Hour},
		{503, "86400", time.Hour},
		{503, "Fri, 20 Nov 2026 12:10:00 GMT", 10 * time.Minute},
		{503, "Fri, 20 Nov 2026 11:00:00 GMT", 0},
		{503, "Sat, 21 Nov 2026 12:00:00 GMT", time.Hour},
	} {
		require.Equal(t, c.want, RetryAfter(c.status, c.header, now), c)
	}
}

// The bodies have the form of the vectors, with a nonce of their own.
func TestSeal_MatchesTheVectors(t *testing.T) {
	compared := 0
	for _, v := range readVectors(t).Vectors {
		if !v.Accepted || v.Secret == "" {
			continue
		}
		compared++
		secret, err := base64.StdEncoding.DecodeString(v.Secret)
		require.NoError(t, err)
		e := v.Event
		var header struct {
			Iat int64 `json:"iat"`
		}
		require.NoError(t, json.Unmarshal([]byte(v.ProtectedHeader), &header))
		now := time.Unix(header.Iat, 0)
		for name, value := range v.Headers {
			require.Equal(t, value, Header(e.ID, now, v.Headers["traceparent"]).Get(name), name)
		}
		written := strings.Replace(v.Plaintext, `,"replay":true`, ``, 1) // an attempt of a replay adds it
		sealed := Event{e.ID, e.EventType, e.Timestamp, e.AccountID, e.Sequence, e.Replay, []byte(written)}
		body, err := Seal(sealed, Key{e.KeyID, secret}, e.RetryCount, now)
		require.NoError(t, err)
		var want, got map[string]any
		require.NoError(t, json.Unmarshal([]byte(v.Body), &want))
		require.NoError(t, json.Unmarshal(body, &got))
		token, err := jose.ParseEncryptedCompact(got["data"].(string), []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
		require.NoError(t, err)
		plain, err := token.Decrypt(secret)
		require.NoError(t, err)
		require.JSONEq(t, v.Plaintext, string(plain))
		delete(want, "data")
		delete(got, "data")
		require.Equal(t, want, got)
		require.JSONEq(t, v.ProtectedHeader, protected(t, body))
		again, err := Seal(sealed, Key{e.KeyID, secret}, e.RetryCount, now)
		require.NoError(t, err)
		require.NotEqual(t, body, again, "every attempt has a nonce of its own")
	}
	require.GreaterOrEqual(t, compared, 5)
	_, err := Seal(Event{}, Key{ID: "whk", Secret: []byte("short")}, 0, time.Now())
	require.Error(t, err)
}

func protected(t *testing.T, body []byte) string {
	var envelope struct{ Data string }
	require.NoError(t, json.Unmarshal(body, &envelope))
	part, _, _ := strings.Cut(envelope.Data, ".")
	text, err := base64.RawURLEncoding.DecodeString(part)
	require.NoError(t, err)
	return string(text)
}

func TestPayload_AddsTheCommonFields(t *testing.T) {
	got, err := Payload("w_1", 3, "back office", "API_KEY", []byte(`{"state":"ENDED"}`))
	require.NoError(t, err)
	require.JSONEq(t, `{"version":"1.0","workflow_id":"w_1","sequence":3,"user_context":{"user_id":"back office","user_type":"API_KEY"},"state":"ENDED"}`, string(got))
	got, err = Payload("", 0, "SYSTEM", "SYSTEM", []byte(`{"key_id":"whk_20261120_01"}`))
	require.NoError(t, err)
	require.JSONEq(t, `{"version":"1.0","user_context":{"user_id":"SYSTEM","user_type":"SYSTEM"},"key_id":"whk_20261120_01"}`, string(got))
}

func TestSeal_MarksAReplayInEveryPart(t *testing.T) {
	key := Key{ID: "whk_1", Secret: make([]byte, 32)}
	now := time.Unix(1763720130, 0)
	body, err := Seal(Event{ID: "wh_1", Type: "WORKFLOW_COMPLETED", AccountID: "sb_1", Replay: true, Payload: []byte(`{"state":"ENDED"}`)}, key, 0, now)
	require.NoError(t, err)
	require.Contains(t, string(body), `"retry_count":0,"replay":true`)
	require.Contains(t, protected(t, body), `"replay":true`)
	secret := func(string, string) ([]byte, bool) { return key.Secret, true }
	header := http.Header{}
	header.Set("webhook-id", "wh_1")
	header.Set("webhook-timestamp", "1763720130")
	opened, err := Open(body, header, now, secret)
	require.NoError(t, err)
	require.True(t, opened.Replay)
	require.JSONEq(t, `{"state":"ENDED","replay":true}`, string(opened.Payload))
	for _, changed := range []string{`"replay":false`, `"other":true`} {
		_, err = Open([]byte(strings.Replace(string(body), `"replay":true`, changed, 1)), header, now, secret)
		require.ErrorContains(t, err, "replay is not what the token says")
	}
}
