package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/requests/sig1"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/webhook"
)

var database *pgtest.Server

func TestMain(m *testing.M) {
	pgtest.Main(m, func(s *pgtest.Server) { database = s })
}

// hostileTexts are valid in an HTTP header, but not in Postgres or a log.
var hostileTexts = []string{
	"\xff", "a\xffb", "\xc3\x28", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\u0080", "\u202e", "\ufeff", "😀", "\t", "a\tb",
	"%00", "%ff", `\u0000`, "'", `"`, "';--", "${jndi:x}", strings.Repeat("a", 8<<10), strings.Repeat("\xff", 8<<10),
}

// TestHostileText_IsNeverAnInternalError sends hostile text in every header, in the path,
// in the query and in the body, signed and unsigned.
func TestHostileText_IsNeverAnInternalError(t *testing.T) {
	serving, store, _ := database.Stores(t, time.Now)
	account, call := pgtest.NewAccount(t, store, "hostile", "UTC")
	signers := map[string]requisite.Signer{}
	for name, policy := range map[string]domain.Policy{"strict": domain.Strict, "minimal": domain.Minimal} {
		made, secrets, err := store.Credentials.Create(t.Context(), call.Scope, domain.NewCredential{Name: name, Policy: policy})
		require.NoError(t, err)
		signers[name], err = requisite.NewSigner(made.APIKey, secrets.SecretKey, secrets.AuthToken)
		require.NoError(t, err)
	}
	var log strings.Builder
	s := New(serving, nil, nil, nil, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})), time.Now,
		Settings{Patience: time.Hour, Bounds: limits.Bounds{Waiting: 1}, MaxBodies: 64 << 20, Guard: webhook.NewGuard(webhook.DefaultPorts(), nil)})
	server := httptest.NewUnstartedServer(s)
	server.Config = limits.NewHTTPServer(s, time.Hour, slog.New(slog.DiscardHandler))
	server.Start()
	defer server.Close()
	send := func(what, target, body string, header http.Header) (status int, code string) {
		u, err := url.Parse(server.URL + target)
		require.NoError(t, err)
		request := &http.Request{Method: http.MethodPost, URL: u, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			require.Contains(t, err.Error(), "invalid", "%s: the client does not send it", what)
			return 0, ""
		}
		defer response.Body.Close()
		var envelope struct{ Errors []struct{ Code string } }
		data, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		if json.Unmarshal(data, &envelope) == nil && len(envelope.Errors) > 0 {
			code = envelope.Errors[0].Code
		}
		require.Less(t, response.StatusCode, 500, "%s: %s", what, data)
		return response.StatusCode, code
	}
	body := `{"account_id":"` + account.WireID().String() + `"}`
	signed := func(signer requisite.Signer, target, body string, change func(http.Header)) http.Header {
		header := http.Header{"Content-Type": {"application/json"}}
		change(header)
		if signer.APIKey == signers["minimal"].APIKey {
			mac := hmac.New(sha256.New, signer.Secret)
			mac.Write([]byte(signer.APIKey))
			header.Set(sig1.HeaderAPIKey, signer.APIKey)
			header.Set(sig1.HeaderAuthToken, signer.AuthToken)
			header.Set(sig1.HeaderAuthorization, sig1.Scheme+" "+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		} else {
			signer.Sign("POST", target, header, []byte(body), time.Now())
		}
		return header
	}
	names := []string{
		sig1.HeaderAPIKey, sig1.HeaderAuthToken, sig1.HeaderAuthorization, sig1.HeaderContentSHA256, sig1.HeaderIdempotencyKey, sig1.HeaderNonce,
		sig1.HeaderSignedElements, sig1.HeaderTimestamp, sig1.HeaderVersion,
		"Content-Type", "Content-Encoding", "User-Agent", "Traceparent", "Tracestate", "Baggage", "X-Forwarded-For", "Accept", "Cookie", "Referer", "Expect",
	}
	for policy, signer := range signers {
		status, _ := send("as it should be", "/account.get", body, signed(signer, "/account.get", body, func(http.Header) {}))
		require.Equal(t, 200, status, policy)
		for _, text := range hostileTexts {
			for _, name := range names {
				// Set before signing, as a tenant can, and afterwards, as anybody can.
				send(policy+" "+name+" signed", "/account.get", body, signed(signer, "/account.get", body, func(h http.Header) { h.Set(name, text) }))
				header := signed(signer, "/account.get", body, func(http.Header) {})
				header.Set(name, text)
				status, code := send(policy+" "+name, "/account.get", body, header)
				if name == sig1.HeaderAPIKey && status != 0 && strings.TrimSpace(text) != "" {
					require.Equal(t, 401, status)
					require.Equal(t, "AUTH_INVALID_API_KEY", code, "%q", text)
				}
			}
			for _, target := range []string{"/account.get?x=" + url.QueryEscape(text), "/account.get/" + url.PathEscape(text), "/" + url.PathEscape(text)} {
				send("path", target, body, signed(signer, target, body, func(http.Header) {}))
			}
			quoted, err := json.Marshal(map[string]string{"account_id": text})
			require.NoError(t, err)
			for _, body := range []string{string(quoted), `{"account_id":"` + text + `"}`, `{"` + text + `":1}`} {
				send("body", "/account.get", body, signed(signer, "/account.get", body, func(http.Header) {}))
			}
		}
	}
	require.Empty(t, log.String(), "the log has no warning and no error")
}
