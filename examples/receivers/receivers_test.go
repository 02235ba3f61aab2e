//go:build deep

package receivers

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/testkit/await"
)

// TestReceivers_PassTheVectors runs the own test of each receiver. The Go receiver's is not
// among them, because go test runs it anyway.
func TestReceivers_PassTheVectors(t *testing.T) {
	dir := directory(t)
	t.Run("node", func(t *testing.T) {
		run(t, filepath.Join(dir, "node"), node(t), "--test")
	})
	t.Run("python", func(t *testing.T) {
		run(t, filepath.Join(dir, "python"), python(t), "-B", "-m", "unittest")
	})
	t.Run("java", func(t *testing.T) {
		classes := t.TempDir()
		run(t, filepath.Join(dir, "java"), java(t, "javac"), "-d", classes, "-cp", gson, "Receiver.java", "ReceiverTest.java")
		run(t, filepath.Join(dir, "java"), java(t, "java"), "-cp", classes+":"+gson, "ReceiverTest",
			filepath.Join(dir, "..", "..", "docs", "webhook-vectors.json"))
	})
}

// sender sends valid and invalid webhooks.
type sender struct {
	*Receiver
	account string
	keys    map[string]string
}

func startSender(t *testing.T, language string) *sender {
	s := &sender{account: newID(id.AccountSandbox), keys: map[string]string{}}
	for _, key := range []string{"whk_20251121_01", "whk_20251121_02"} {
		s.keys[s.account+"/"+key] = newSecret()
	}
	s.Receiver = Start(t, language, maps.Clone(s.keys))
	return s
}

func newID(prefix id.Prefix) string { return id.Format(prefix, id.New()) }

func newSecret() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret)
	return base64.StdEncoding.EncodeToString(secret)
}

// webhook is a request before it is sent.
type webhook struct {
	envelope
	iat       int64
	plaintext string
	headers   map[string]string
}

// sealed returns a new webhook, encrypted by go-jose. change may set fields; they are the
// same in the body and in the token.
func (s *sender) sealed(t *testing.T, secret string, change func(*webhook)) webhook {
	w := webhook{envelope: envelope{
		ID: newID(id.WebhookEvent), EventType: "WORKFLOW_STARTED", Timestamp: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		AccountID: s.account, Sequence: 2, SchemaVersion: "2025-11-21", KeyID: "whk_20251121_01",
	}, iat: time.Now().Unix()}
	w.plaintext = `{"version":"1.0","workflow_id":"` + newID(id.Workflow) + `","sequence":2,"user_context":{"user_id":"Zoë 審査 🏦","user_type":"API_KEY"},"state":"STARTED"}`
	if change != nil {
		change(&w)
	}
	w.Data = w.encrypt(t, secret, jose.DIRECT, jose.A256GCM)
	w.headers = map[string]string{"webhook-id": w.ID, "webhook-timestamp": strconv.FormatInt(w.iat, 10)}
	return w
}

func (s *sender) good(t *testing.T) webhook {
	return s.sealed(t, s.keys[s.account+"/whk_20251121_01"], nil)
}

// encrypt makes a valid token with the given algorithms.
func (w webhook) encrypt(t *testing.T, secret string, alg jose.KeyAlgorithm, enc jose.ContentEncryption) string {
	key, err := base64.StdEncoding.DecodeString(secret)
	require.NoError(t, err)
	options := &jose.EncrypterOptions{ExtraHeaders: map[jose.HeaderKey]any{
		"id": w.ID, "event_type": w.EventType, "timestamp": w.Timestamp, "account_id": w.AccountID,
		"schema_version": w.SchemaVersion, "retry_count": w.RetryCount, "iat": w.iat,
	}}
	if w.Sequence != 0 {
		options.ExtraHeaders["sequence"] = w.Sequence
	}
	if w.Replay {
		options.ExtraHeaders["replay"] = true
	}
	encrypter, err := jose.NewEncrypter(enc, jose.Recipient{Algorithm: alg, Key: key, KeyID: w.KeyID}, options)
	require.NoError(t, err)
	token, err := encrypter.Encrypt([]byte(w.plaintext))
	require.NoError(t, err)
	text, err := token.CompactSerialize()
	require.NoError(t, err)
	return text
}

func (s *sender) send(t *testing.T, w webhook) int {
	return s.post(t, w.headers, []byte(compact(t, w.envelope)))
}

func (s *sender) post(t *testing.T, headers map[string]string, body []byte) int {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	return answer.StatusCode
}

// requireEvent compares the next printed event with w.
func (s *sender) requireEvent(t *testing.T, w webhook) {
	t.Helper()
	got := await.Next(t, "an event that the receiver prints", s.Events)
	require.JSONEq(t, compact(t, w.event(w.plaintext)), compact(t, got))
}

// requireNothingPrinted requires that the receiver has printed no event since the last
// one: it sends a webhook, which must be the next one printed.
func (s *sender) requireNothingPrinted(t *testing.T) {
	t.Helper()
	marker := s.good(t)
	require.Equal(t, 204, s.send(t, marker))
	s.requireEvent(t, marker)
}

func TestReceivers_CheckAndProcessWebhooks(t *testing.T) {
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			s := startSender(t, language)
			secret := s.keys[s.account+"/whk_20251121_01"]
			refused := func(t *testing.T, status int) {
				t.Helper()
				require.GreaterOrEqual(t, status, 400)
				require.Less(t, status, 500)
				require.NotEqual(t, 410, status, "410 would disable the endpoint")
			}

			t.Run("prints what it decrypts, once", func(t *testing.T) {
				w := s.good(t)
				require.Equal(t, 204, s.send(t, w))
				s.requireEvent(t, w)
				require.Equal(t, 200, s.send(t, w), "the same attempt again")
				retry := s.sealed(t, secret, func(r *webhook) { r.envelope = w.envelope; r.RetryCount = 1 })
				require.Equal(t, 200, s.send(t, retry), "a later attempt at the same event")
				s.requireNothingPrinted(t)
			})

			// The vectors have every case. This checks that the receiver uses the real request.
			t.Run("refuses a changed body, and changed headers", func(t *testing.T) {
				for _, change := range []func(w *webhook){
					func(w *webhook) { w.Sequence = 9 },
					func(w *webhook) { w.headers["webhook-id"] = newID(id.WebhookEvent) },
				} {
					w := s.good(t)
					change(&w)
					require.Equal(t, 401, s.send(t, w))
				}
				s.requireNothingPrinted(t)
			})

			t.Run("refuses an old iat, and one ahead", func(t *testing.T) {
				// The vectors check the exact bounds, with a clock of their own.
				for _, off := range []time.Duration{-time.Hour, time.Hour} {
					refused(t, s.send(t, s.sealed(t, secret, func(w *webhook) { w.iat += int64(off.Seconds()) })))
				}
				s.requireNothingPrinted(t)
			})

			t.Run("refuses other algorithms, with the right secret", func(t *testing.T) {
				for _, other := range []struct {
					alg jose.KeyAlgorithm
					enc jose.ContentEncryption
				}{
					{jose.DIRECT, jose.A128CBC_HS256},
					{jose.A256KW, jose.A256GCM},
					{jose.A256GCMKW, jose.A256GCM},
					{jose.A256KW, jose.A128GCM},
				} {
					w := s.good(t)
					w.Data = w.encrypt(t, secret, other.alg, other.enc)
					refused(t, s.send(t, w))
				}
				w := s.good(t)
				key, err := base64.StdEncoding.DecodeString(secret)
				require.NoError(t, err)
				header := w.protected(w.iat)
				header.Alg = "none"
				w.Data = seal(t, key, []byte("a test nonce"), compact(t, header), w.plaintext)
				refused(t, s.send(t, w))
				unsigned := base64.RawURLEncoding.EncodeToString
				w.Data = unsigned([]byte(compact(t, header))) + "." + unsigned([]byte(w.plaintext)) + "."
				refused(t, s.send(t, w))
				s.requireNothingPrinted(t)
			})

			t.Run("refuses an oversize body", func(t *testing.T) {
				w := s.good(t)
				body := []byte(compact(t, w.envelope))
				padded := append(body, bytes.Repeat([]byte(" "), 1<<20+1-len(body))...)
				require.Equal(t, 413, s.post(t, w.headers, padded))
				require.Equal(t, 204, s.post(t, w.headers, padded[:1<<20]), "1 MiB is accepted")
				s.requireEvent(t, w)
			})

			t.Run("refuses garbage", func(t *testing.T) {
				w := s.good(t)
				body := compact(t, w.envelope)
				for _, garbage := range []string{
					"", "{", "null", "[]", `"text"`, "7", "{}", "\xff\xfe", strings.Repeat("[", 1<<19), strings.Repeat(`{"a":`, 1<<16),
					body[:len(body)/2], "[" + body + "]", `{"account_id":["x"],"key_id":{},"data":[]}`,
					strings.Replace(body, w.Data, "....", 1), strings.Replace(body, w.Data, "", 1),
					strings.Replace(body, w.Data, "bnVsbA....", 1), strings.Replace(body, w.Data, strings.Repeat(".", 1<<16), 1),
					strings.Replace(body, `"key_id":"whk_20251121_01"`, `"key_id":"__proto__"`, 1),
				} {
					refused(t, s.post(t, w.headers, []byte(garbage)))
				}
				for _, ask := range []struct{ method, url string }{
					{http.MethodGet, s.URL}, {http.MethodPut, s.URL}, {http.MethodPost, s.URL + "/more"}, {http.MethodPost, strings.TrimSuffix(s.URL, "/webhooks")},
				} {
					request, err := http.NewRequestWithContext(t.Context(), ask.method, ask.url, strings.NewReader(body))
					require.NoError(t, err)
					for name, value := range w.headers {
						request.Header.Set(name, value)
					}
					answer, err := http.DefaultClient.Do(request)
					require.NoError(t, err)
					require.NoError(t, answer.Body.Close())
					require.GreaterOrEqual(t, answer.StatusCode, 400, fmt.Sprint(ask))
				}
				s.requireNothingPrinted(t)
			})

			t.Run("takes a new key from the file", func(t *testing.T) {
				fresh := newSecret()
				w := s.sealed(t, fresh, func(w *webhook) { w.KeyID = "whk_20251122_01" })
				refused(t, s.send(t, w))
				s.AddKey(t, s.account, "whk_20251122_01", fresh)
				require.Equal(t, 204, s.send(t, w), "the refused event does not count as a duplicate")
				s.requireEvent(t, w)
				s.requireNothingPrinted(t) // uses the earlier key
			})

			t.Run("distinguishes keys of accounts with the same key id", func(t *testing.T) {
				other, fresh := newID(id.AccountLive), newSecret()
				s.AddKey(t, other, "whk_20251121_01", fresh)
				w := s.sealed(t, fresh, func(w *webhook) { w.AccountID = other })
				require.Equal(t, 204, s.send(t, w))
				s.requireEvent(t, w)
				refused(t, s.send(t, s.sealed(t, secret, func(w *webhook) { w.AccountID = other })))
				s.requireNothingPrinted(t)
			})

			t.Run("processes an event once when attempts arrive together", func(t *testing.T) {
				w := s.good(t)
				answers := make(chan int, 8)
				for range cap(answers) {
					go func() { answers <- s.attempt(w) }()
				}
				processed := 0
				for range cap(answers) {
					switch status := <-answers; status {
					case 204:
						processed++
					case 200, 409:
					default:
						t.Errorf("answered %d", status)
					}
				}
				require.Equal(t, 1, processed)
				s.requireEvent(t, w)
				s.requireNothingPrinted(t)
			})
		})
	}
}

// attempt sends w, from any goroutine. It returns 0 if that fails.
func (s *sender) attempt(w webhook) int {
	body, err := json.Marshal(w.envelope)
	if err != nil {
		return 0
	}
	request, err := http.NewRequest(http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	for name, value := range w.headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
