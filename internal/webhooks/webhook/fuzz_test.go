package webhook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/wire"
	"requisite/internal/webhooks/delivery"
)

// No answer delays a delivery by a negative time or by more than an hour. A larger number
// never means a shorter delay.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{
		"", "0", "30", "-5", "+5", "2147483648", "99999999999999999999", "1.5", " 3", "soon",
		"Fri, 20 Nov 2026 12:10:00 GMT", "Friday, 20-Nov-26 12:10:00 GMT", "Fri Nov 20 12:10:00 2026", "Mon, 01 Jan 0001 00:00:00 GMT",
	} {
		f.Add(503, seed, int64(1_795_000_000))
	}
	f.Add(500, "30", int64(0))
	f.Add(429, "30", int64(1)<<62)
	f.Fuzz(func(t *testing.T, status int, header string, at int64) {
		got := RetryAfter(status, header, time.Unix(at, 0))
		require.GreaterOrEqual(t, got, time.Duration(0))
		require.LessOrEqual(t, got, delivery.MaxRetryAfter)
		digits := header != "" && strings.Trim(header, "0123456789") == ""
		switch {
		case status != 429 && status != 503:
			require.Zero(t, got)
		case digits && len(strings.TrimLeft(header, "0")) > 4:
			require.Equal(t, delivery.MaxRetryAfter, got)
		case digits:
			seconds, err := strconv.Atoi("0" + strings.TrimLeft(header, "0"))
			require.NoError(t, err)
			require.Equal(t, min(delivery.MaxRetryAfter, time.Duration(seconds)*time.Second), got)
		}
	})
}

var (
	fuzzedAt  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	fuzzedKey = Key{ID: "whk_20261120_01", Secret: bytes.Repeat([]byte{7}, 32)}
	fuzzed    = Event{"wh_1", "WORKFLOW_COMPLETED", wire.DateTime(fuzzedAt), "sb_1", 4, false, []byte(`{"state":"ENDED"}`)}
)

// openFuzzed uses one secret for every key, so that only the content of the token decides what is
// refused.
func openFuzzed(body []byte, header http.Header) (Opened, error) {
	return Open(body, header, fuzzedAt, func(string, string) ([]byte, bool) { return fuzzedKey.Secret, true })
}

func fuzzedOpened() Opened {
	return Opened{fuzzed.ID, fuzzed.Type, fuzzed.AccountID, fuzzedKey.ID, "2026-11-20T12:00:00.000Z", fuzzed.Sequence, 2, false, json.RawMessage(fuzzed.Payload)}
}

// Only a sealed body opens, and it opens as it was sealed.
func FuzzOpen(f *testing.F) {
	for _, v := range readVectors(f).Vectors {
		f.Add([]byte(v.Body), v.Headers["webhook-id"], v.Headers["webhook-timestamp"])
	}
	at := strconv.FormatInt(fuzzedAt.Unix(), 10)
	sealed, err := Seal(fuzzed, fuzzedKey, 2, fuzzedAt)
	require.NoError(f, err)
	f.Add(sealed, fuzzed.ID, at)
	// With compression, of a token that nobody sealed.
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"dir","enc":"A256GCM","zip":"DEF","kid":"whk_20261120_01","iat":1e400}`))
	f.Add([]byte(`{"id":"wh_1","account_id":"sb_1","key_id":"whk_20261120_01","retry_count":0,"data":"`+head+`..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA"}`), "wh_1", at)
	f.Fuzz(func(t *testing.T, body []byte, webhookID, timestamp string) {
		header := http.Header{"Webhook-Id": {webhookID}, "Webhook-Timestamp": {timestamp}}
		if got, err := openFuzzed(body, header); err == nil {
			require.Equal(t, fuzzedOpened(), got)
		}
	})
}

// A token with a changed character does not open, unless both spell the same bytes. A
// changed clear field never opens.
func FuzzTampered(f *testing.F) {
	f.Add(uint16(0), byte('x'), "id", "wh_2")
	f.Add(uint16(400), byte('.'), "account_id", "sb_2")
	f.Add(uint16(60000), byte('A'), "timestamp", "2026-11-20T12:00:00Z")
	f.Add(uint16(100), byte('='), "event_type", "")
	f.Add(uint16(7), byte('e'), "key_id", "whk_20261120_02")
	f.Add(uint16(7), byte('e'), "schema_version", "2025-11-22")
	f.Fuzz(func(t *testing.T, at uint16, character byte, name, value string) {
		sealed, err := Seal(fuzzed, fuzzedKey, 2, fuzzedAt)
		require.NoError(t, err)
		header := Header(fuzzed.ID, fuzzedAt, "")
		got, err := openFuzzed(sealed, header)
		require.NoError(t, err)
		require.Equal(t, fuzzedOpened(), got)

		var fields map[string]any
		require.NoError(t, json.Unmarshal(sealed, &fields))
		token := []byte(fields["data"].(string))
		tampered := bytes.Clone(token)
		tampered[int(at)%len(tampered)] = character
		changed := func(name string, value any) []byte {
			other := map[string]any{}
			for n, v := range fields {
				other[n] = v
			}
			other[name] = value
			body, err := json.Marshal(other)
			require.NoError(t, err)
			return body
		}
		if _, err := openFuzzed(changed("data", string(tampered)), header); err == nil {
			require.Equal(t, spelled(t, token), spelled(t, tampered))
		}
		if was, ok := fields[name].(string); ok && was != strings.ToValidUTF8(value, "\ufffd") {
			_, err = openFuzzed(changed(name, value), header)
			require.Error(t, err, name)
		}
		_, err = openFuzzed(changed("retry_count", int(at)+3), header)
		require.Error(t, err)
	})
}

// spelled are the bytes that a token's parts stand for.
func spelled(t *testing.T, token []byte) (parts []string) {
	for _, part := range strings.Split(string(token), ".") {
		decoded, err := base64.RawURLEncoding.DecodeString(part)
		require.NoError(t, err)
		parts = append(parts, string(decoded))
	}
	return parts
}
