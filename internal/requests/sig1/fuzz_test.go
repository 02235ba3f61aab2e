package sig1

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

// A signed request is accepted, but not with another body, target, verb or version.
func FuzzSign(f *testing.F) {
	f.Add("POST", "/business.create?x=1", "order-7", "2025-03-24", []byte(`{"a":1}`))
	f.Add("", "", "", "", []byte(nil))
	f.Add("GET", "/ä?%zz#\n", "a\nb", ";", []byte("\x00\xff"))
	f.Fuzz(func(t *testing.T, method, target, key, version string, body []byte) {
		r := Request{Method: method, Target: target, Header: http.Header{}, Body: body}
		for name, value := range map[string]string{HeaderIdempotencyKey: key, HeaderVersion: version} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		signer(t).Sign(method, target, r.Header, body, now)
		require.NoError(t, Verify(t.Context(), r, &memory{}, now))
		for name, change := range map[string]func(*Request){
			"body":   func(r *Request) { r.Body = append(bytes.Clone(body), ' ') },
			"target": func(r *Request) { r.Target += "/" },
			"method": func(r *Request) { r.Method += "T" },
		} {
			changed := r
			change(&changed)
			require.Equal(t, refusal.AuthSignatureMismatch, code(t, Verify(t.Context(), changed, &memory{}, now)), name)
		}
		r.Header.Set(HeaderVersion, version+"1")
		require.Error(t, Verify(t.Context(), r, &memory{}, now))
	})
}

// A list that parses is written the same again.
func FuzzElements(f *testing.F) {
	f.Add("API-Key")
	f.Add("API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256;Idempotency-Key;API-Version")
	f.Add("API-Key;API-Key")
	f.Add(";API-Key;")
	f.Fuzz(func(t *testing.T, list string) {
		elements, ok := parseElements(list)
		if !ok {
			return
		}
		require.Equal(t, list, joinElements(elements))
		require.Equal(t, APIKey, elements[0])
		slices.Sort(elements)
		require.Equal(t, elements, slices.Compact(slices.Clone(elements)), "each stands once")
	})
}
