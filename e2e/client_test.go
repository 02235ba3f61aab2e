package e2e_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// The client of these tests follows the description of the API, and shares no code with the
// service.

type account struct {
	OrganizationID string `json:"organization_id"`
	AccountID      string `json:"account_id"`
	APIKey         string `json:"api_key"`
	SecretKey      string `json:"secret_key"`
	AuthToken      string `json:"auth_token"`
}

// exchange is a request that a test can change before and after signing.
type exchange struct {
	as       account
	method   string
	path     string
	body     []byte
	header   http.Header
	elements []string
}

var strict = []string{"API-Key", "HTTP-Verb", "URL-Path", "Timestamp", "Nonce", "Content-SHA256"}

func newExchange(t testing.TB, as account, operation string, body any) *exchange {
	raw, ok := body.([]byte)
	if !ok {
		var err error
		raw, err = json.Marshal(body)
		require.NoError(t, err)
	}
	sum := sha256.Sum256(raw)
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("X-API-Key", as.APIKey)
	header.Set("X-API-Auth-Token", as.AuthToken)
	header.Set("X-API-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
	header.Set("X-API-Nonce", rand.Text())
	header.Set("X-API-Content-SHA256", base64.StdEncoding.EncodeToString(sum[:]))
	return &exchange{as: as, method: "POST", path: "/" + operation, body: raw, header: header, elements: strict}
}

func (x *exchange) sign(t testing.TB) *exchange {
	carriers := map[string]string{
		"API-Key": "X-API-Key", "Timestamp": "X-API-Timestamp", "Nonce": "X-API-Nonce", "Content-SHA256": "X-API-Content-SHA256",
		"API-Version": "X-API-Version", "Idempotency-Key": "Idempotency-Key",
	}
	x.header.Set("X-API-Signed-Elements", strings.Join(x.elements, ";"))
	lines := []string{x.header.Get("X-API-Signed-Elements")}
	for _, e := range x.elements {
		switch e {
		case "HTTP-Verb":
			lines = append(lines, x.method)
		case "URL-Path":
			lines = append(lines, x.path)
		default:
			lines = append(lines, x.header.Get(carriers[e]))
		}
	}
	secret, err := base64.StdEncoding.DecodeString(x.as.SecretKey)
	require.NoError(t, err)
	text := strings.Join(lines, "\n")
	if len(x.elements) == 1 {
		text = x.as.APIKey
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	x.header.Set("Authorization", "Sig1-HMAC-SHA256 "+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return x
}

// with sets a header, and adds its element to the signed ones.
func (x *exchange) with(header, element, value string) *exchange {
	x.header.Set(header, value)
	x.elements = append(append([]string{}, x.elements...), element)
	return x
}

type answer struct {
	status int
	header http.Header
	body   harness.Object
}

func (x *exchange) send(t testing.TB) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), x.method, running.BaseURL+x.path, bytes.NewReader(x.body))
	require.NoError(t, err)
	request.Header = x.header
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	got := answer{status: response.StatusCode, header: response.Header}
	require.NoError(t, json.Unmarshal(data, &got.body), "%s", data)
	got.checkEnvelope(t)
	return got
}

// checkEnvelope checks what every response must satisfy.
func (a answer) checkEnvelope(t testing.TB) {
	t.Helper()
	meta := a.body["meta"].(harness.Object)
	require.Regexp(t, `^trc_[0-9A-Za-z]{1,22}$`, meta["trace_id"])
	require.Equal(t, "2025-03-24", meta["version"])
	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`, a.header.Get("traceparent"))
	require.Equal(t, "application/json", a.header.Get("Content-Type"))
	if a.status == 200 {
		require.Equal(t, "SUCCESS", meta["status"])
		require.Contains(t, a.body, "data")
		require.NotContains(t, a.body, "errors")
		return
	}
	require.Equal(t, "ERROR", meta["status"])
	require.NotContains(t, a.body, "data")
	require.NotEmpty(t, a.error()["message"])
}

func (a answer) error() harness.Object { return a.body["errors"].([]any)[0].(harness.Object) }

func (a answer) code() string {
	if a.status == 200 {
		return ""
	}
	return a.error()["code"].(string)
}

func (a answer) sub() string { s, _ := a.error()["sub_code"].(string); return s }

// fields returns the fields with problems of a BAD_REQUEST.
func (a answer) fields(t testing.TB) []string {
	t.Helper()
	require.Equal(t, "BAD_REQUEST", a.code(), "%v", a.body)
	var list []string
	for _, d := range a.error()["details"].([]any) {
		require.NotEmpty(t, d.(harness.Object)["message"])
		list = append(list, d.(harness.Object)["field"].(string))
	}
	return list
}

// call sends a request, which may be refused. It repeats the request until the service has time for it.
func call(t testing.TB, as account, operation string, body any) answer {
	t.Helper()
	return heard(t, func() answer { return newExchange(t, as, operation, body).sign(t).send(t) })
}

// heard repeats a request until the service has time for it.
func heard(t testing.TB, send func() answer) (a answer) {
	t.Helper()
	await.True(t, "an answer", func(context.Context) error {
		if a = send(); harness.LaterCode(a.code()) {
			return errors.New(a.code())
		}
		return nil
	})
	return a
}

// data sends a request that must succeed, and returns its data. It repeats the request until the service has time for it.
func data(t testing.TB, as account, operation string, body any) harness.Object {
	t.Helper()
	key := rand.Text() // it takes effect once
	a := heard(t, func() answer {
		return newExchange(t, as, operation, body).with("Idempotency-Key", "Idempotency-Key", key).sign(t).send(t)
	})
	require.Equal(t, 200, a.status, "%s: %v", operation, a.body)
	return a.body["data"].(harness.Object)
}
