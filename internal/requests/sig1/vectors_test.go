package sig1

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/signature-vectors.json anew")

// vectorFile holds signed requests for authors of clients. The clients of this repository are tested
// with them.
type vectorFile struct {
	About     string   `json:"about"`
	APIKey    string   `json:"api_key"`
	SecretKey string   `json:"secret_key"`
	AuthToken string   `json:"auth_token"`
	Vectors   []vector `json:"vectors"`
}

type vector struct {
	Name           string            `json:"name"`
	Method         string            `json:"method"`
	Target         string            `json:"target"`
	Body           string            `json:"body"`
	Timestamp      string            `json:"timestamp"`
	Nonce          string            `json:"nonce"`
	IdempotencyKey string            `json:"idempotency_key,omitempty"`
	APIVersion     string            `json:"api_version,omitempty"`
	StringToSign   string            `json:"string_to_sign"`
	Headers        map[string]string `json:"headers"`
}

// TestVectors compares docs/signature-vectors.json with this implementation. With -update
// it writes the file.
func TestVectors(t *testing.T) {
	const path = "../../../docs/signature-vectors.json"
	file := vectorFile{
		About: "Signed requests of the strict policy: from method, target (path and query as sent), body, time and nonce to the string to sign and the headers. " +
			"The first is signed with the API key alone, which the minimal policy accepts. All secrets here are public: use them for tests alone.",
		APIKey: knownKey, SecretKey: knownSecret, AuthToken: token,
	}
	alone := Request{Method: "POST", Target: "/meta.checkVersion", Header: http.Header{}, Body: []byte("{}")}
	alone.signElements(t, []Element{APIKey})
	file.Vectors = append(file.Vectors, vector{Name: "the API key alone", Method: alone.Method, Target: alone.Target, Body: "{}",
		StringToSign: knownKey, Headers: headersOf(alone.Header)})
	for _, v := range []vector{
		{Name: "strict", Target: "/meta.checkVersion", Body: "{}"},
		{Name: "with an Idempotency-Key", Target: "/workflow.start", Body: `{"workflow_id":"w_31fKnzWZaYjswf1I8nulv"}`, IdempotencyKey: "order 7"},
		{Name: "with an Idempotency-Key and a version", Target: "/workflow.start", Body: `{"workflow_id":"w_31fKnzWZaYjswf1I8nulv"}`, IdempotencyKey: "order 8", APIVersion: "2025-03-24"},
		{Name: "below a path, text beyond ASCII", Target: "/compliance/v1/person.create", Body: `{"person":{"first_name":"Amélie"}}`, IdempotencyKey: "p-1"},
		{Name: "with a query", Target: "/meta.checkVersion?a=1&b=%20", Body: " {} \n"},
	} {
		v.Method, v.Timestamp, v.Nonce = "POST", "1800000000", "ABCDEFGHIJKLMNOPQRSTUVWX-_"
		r := Request{Method: v.Method, Target: v.Target, Header: http.Header{}, Body: []byte(v.Body)}
		elements := Strict()
		for _, more := range []struct {
			element Element
			value   string
		}{{IdempotencyKey, v.IdempotencyKey}, {APIVersion, v.APIVersion}} {
			if more.value != "" {
				r.Header.Set(headers[more.element], more.value)
				elements = append(elements, more.element)
			}
		}
		r.Header.Set(HeaderTimestamp, v.Timestamp)
		r.Header.Set(HeaderNonce, v.Nonce)
		r.Header.Set(HeaderContentSHA256, bodyHash(r.Body))
		r.signElements(t, elements)
		require.NoError(t, Verify(t.Context(), r, &memory{}, time.Unix(1_800_000_000, 0)), v.Name)
		v.StringToSign, v.Headers = r.stringToSign(elements), headersOf(r.Header)
		file.Vectors = append(file.Vectors, v)
	}
	want, err := json.MarshalIndent(file, "", "  ")
	require.NoError(t, err)
	want = append(want, '\n')
	if *update {
		require.NoError(t, os.WriteFile(path, want, 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// headersOf names the headers of a signed request in lower case.
func headersOf(h http.Header) map[string]string {
	m := map[string]string{}
	for name, values := range h {
		m[strings.ToLower(name)] = values[0]
	}
	return m
}
