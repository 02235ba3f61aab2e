package sig1

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/requests/refusal"
)

const (
	knownKey    = "sb_3eY9UJuj09636NVPlgmhfa"
	knownSecret = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
	knownAnswer = "iWEh4jjK9wfjTXd/3GzImPLL1swTZiCPpDbj62vFo2Q="
	token       = "an-opaque-token"
)

var now = time.Unix(1_800_000_000, 0)

// memory is an Admission of one credential.
type memory struct {
	minimal bool
	used    map[string]bool
	full    error // refuses everybody
	broken  error // no answer of a credential
	failing error // no answer of a nonce
}

func (m *memory) Admit(context.Context) error { return m.full }

func (m *memory) Credential(_ context.Context, apiKey string) (Credential, bool, error) {
	secret, err := base64.StdEncoding.DecodeString(knownSecret)
	if m.broken != nil {
		return Credential{}, false, m.broken
	}
	return Credential{Secret: secret, TokenSHA256: sha256.Sum256([]byte(token)), Minimal: m.minimal}, apiKey == knownKey, err
}

func (m *memory) UseNonce(_ context.Context, apiKey, nonce string, _ time.Time) (bool, error) {
	if m.failing != nil {
		return false, m.failing
	}
	if m.used == nil {
		m.used = map[string]bool{}
	}
	fresh := !m.used[apiKey+nonce]
	m.used[apiKey+nonce] = true
	return fresh, nil
}

func code(t require.TestingT, err error) refusal.Code {
	if err == nil {
		return ""
	}
	r, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	return r.Code
}

func TestSign_KnownAnswer(t *testing.T) {
	r := Request{Method: "POST", Target: "/", Header: http.Header{}}
	r.signElements(t, []Element{APIKey})
	require.Equal(t, Scheme+" "+knownAnswer, r.Header.Get(HeaderAuthorization))
	require.Empty(t, r.Header.Get(HeaderSignedElements), "the API key alone needs no list")
	require.NoError(t, Verify(t.Context(), r, &memory{minimal: true}, now))
}

func TestStringToSign(t *testing.T) {
	r := signed(t, HeaderIdempotencyKey, "order 7")
	want := strings.Join([]string{
		"API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256;Idempotency-Key",
		knownKey, "POST", "/business.create?x=1", "1800000000", r.Header.Get(HeaderNonce),
		"AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX+GI=", "order 7",
	}, "\n")
	r.Header.Set(HeaderContentSHA256, "AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX+GI=")
	elements, ok := parseElements(r.Header.Get(HeaderSignedElements))
	require.True(t, ok)
	require.Equal(t, want, r.stringToSign(elements))
}

func TestVerify_Refusals(t *testing.T) {
	set := func(name, value string) func(*Request) { return func(r *Request) { r.Header.Set(name, value) } }
	del := func(name string) func(*Request) { return func(r *Request) { r.Header.Del(name) } }
	resign := func(change func(*Request)) func(*Request) {
		return func(r *Request) {
			change(r)
			elements, _ := parseElements(r.Header.Get(HeaderSignedElements))
			r.Header.Set(HeaderAuthorization, Scheme+" "+base64.StdEncoding.EncodeToString(r.signature(signer(t).Secret, elements)))
		}
	}
	at := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	for _, c := range []struct {
		name   string
		change func(*Request)
		want   refusal.Code
	}{
		{"untouched", func(*Request) {}, ""},
		{"no authorization", del(HeaderAuthorization), refusal.AuthMissingHeader},
		{"no API key", del(HeaderAPIKey), refusal.AuthMissingHeader},
		{"no token", del(HeaderAuthToken), refusal.AuthMissingHeader},
		{"listed nonce absent", del(HeaderNonce), refusal.AuthMissingHeader},
		{"missing comes before invalid", func(r *Request) { r.Header.Del(HeaderNonce); r.Header.Set(HeaderAuthorization, "Basic x") }, refusal.AuthMissingHeader},
		{"another scheme", set(HeaderAuthorization, "Basic abc="), refusal.AuthInvalidHeader},
		{"scheme in another case", set(HeaderAuthorization, "sig1-hmac-sha256 "+knownAnswer), refusal.AuthInvalidHeader},
		{"bad Base64", set(HeaderAuthorization, Scheme+" ***"), refusal.AuthInvalidHeader},
		{"loose Base64 padding bits", set(HeaderAuthorization, Scheme+" "+strings.Replace(knownAnswer, "2Q=", "2R=", 1)), refusal.AuthInvalidHeader},
		{"unknown element", set(HeaderSignedElements, "API-Key;Host"), refusal.AuthInvalidHeader},
		{"element in another case", set(HeaderSignedElements, "API-Key;nonce"), refusal.AuthInvalidHeader},
		{"repeated element", set(HeaderSignedElements, "API-Key;Nonce;Nonce"), refusal.AuthInvalidHeader},
		{"API key not first", set(HeaderSignedElements, "Nonce;API-Key"), refusal.AuthInvalidHeader},
		{"empty list", set(HeaderSignedElements, ""), refusal.AuthInvalidHeader},
		{"timestamp no number", set(HeaderTimestamp, "now"), refusal.AuthInvalidHeader},
		{"short nonce", set(HeaderNonce, "abc"), refusal.AuthInvalidHeader},
		{"hash of another length", set(HeaderContentSHA256, "AAAA"), refusal.AuthInvalidHeader},
		{"loose padding bits of the hash", func(r *Request) {
			hash := r.Header.Get(HeaderContentSHA256)
			r.Header.Set(HeaderContentSHA256, strings.TrimSuffix(hash, "I=")+"J=")
		}, refusal.AuthInvalidHeader},
		{"text behind the hash", func(r *Request) { r.Header.Set(HeaderContentSHA256, r.Header.Get(HeaderContentSHA256)+"A") }, refusal.AuthInvalidHeader},
		{"header sent twice", func(r *Request) { r.Header.Add(HeaderAPIKey, knownKey) }, refusal.AuthInvalidHeader},
		{"signed header sent twice", func(r *Request) { r.Header.Add(HeaderTimestamp, r.Header.Get(HeaderTimestamp)) }, refusal.AuthInvalidHeader},
		{"unknown key", set(HeaderAPIKey, "sb_4eY9UJuj09636NVPlgmhfa"), refusal.AuthInvalidAPIKey},
		{"wrong token", set(HeaderAuthToken, "other"), refusal.AuthInvalidAuthToken},
		{"other body", func(r *Request) { r.Body = []byte(`{"a":2}`) }, refusal.AuthSignatureMismatch},
		{"other verb", func(r *Request) { r.Method = "PUT" }, refusal.AuthSignatureMismatch},
		{"other query", func(r *Request) { r.Target = "/business.create?x=2" }, refusal.AuthSignatureMismatch},
		{"mismatch comes before policy", set(HeaderSignedElements, "API-Key"), refusal.AuthSignatureMismatch},
		{"API key alone", resign(set(HeaderSignedElements, "API-Key")), refusal.AuthElementRequired},
		{"unlisted idempotency key", set(HeaderIdempotencyKey, "k"), refusal.AuthElementRequired},
		{"unlisted empty version", set(HeaderVersion, ""), refusal.AuthElementRequired},
		{"too old", resign(set(HeaderTimestamp, at(-Skew-time.Second))), refusal.AuthTimestampExpired},
		{"too far ahead", resign(set(HeaderTimestamp, at(Skew+time.Second))), refusal.AuthTimestampExpired},
		{"just old enough", resign(set(HeaderTimestamp, at(-Skew))), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := signed(t)
			c.change(&r)
			store := &memory{}
			require.Equal(t, c.want, code(t, Verify(t.Context(), r, store, now)))
			require.Equal(t, c.want == "", len(store.used) == 1, "only an accepted request uses its nonce")
		})
	}
}

func TestVerify_ExplainsAMismatch(t *testing.T) {
	other := signer(t)
	for name, c := range map[string]struct {
		secret  []byte
		explain bool
		target  string
		want    string
	}{
		"the secret's Base64 text":       {[]byte(knownSecret), false, "/a", "The signature was made with the Base64 text of the secret key: decode the text, and use its bytes as the key."},
		"the text, with an explanation":  {[]byte(knownSecret), true, "/a", "The signature was made with the Base64 text of the secret key: decode the text, and use its bytes as the key."},
		"another secret":                 {[]byte("x"), false, "/a", "and their order. meta.whoami, signed in the same way, answers the string to sign."},
		"with an explanation":            {[]byte("x"), true, "/a?\xff", `The string to sign is "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256\n` + knownKey + `\nPOST\n/a?\xff\n1800000000\n`},
		"with one of a very long string": {[]byte("x"), true, "/" + strings.Repeat("a", 30<<10), `aaaaa".`},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Method: "POST", Target: c.target, Header: http.Header{}, Body: []byte("{}"), Explain: c.explain}
			other.Secret = c.secret
			other.Sign(r.Method, r.Target, r.Header, r.Body, now)
			var refused *refusal.Refusal
			require.ErrorAs(t, Verify(t.Context(), r, &memory{}, now), &refused)
			require.Equal(t, refusal.AuthSignatureMismatch, refused.Code)
			require.Contains(t, refused.Message, c.want)
			require.Equal(t, c.target[:min(len(c.target), longestShown)], refused.ReceivedPath)
			require.Less(t, len(refused.Message), 3000)
			require.NotContains(t, refused.Message, base64.StdEncoding.EncodeToString(signer(t).Secret))
			require.NotContains(t, refused.Message, token)
		})
	}
}

// Only a caller who signs with the secret learns the time.
func TestVerify_TellsTheTimeToACallerWithAWrongClock(t *testing.T) {
	for name, c := range map[string]struct {
		off  time.Duration
		says string
	}{
		"behind":  {-2 * time.Hour, "it is 7200 seconds behind 2027-01-15T08:00:00.000Z."},
		"ahead":   {301 * time.Second, "it is 301 seconds ahead of 2027-01-15T08:00:00.000Z."},
		"decades": {30 * 365 * 24 * time.Hour, "it is 946080000 seconds ahead of"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Method: "POST", Target: "/a", Header: http.Header{}, Body: []byte("{}")}
			signer(t).Sign(r.Method, r.Target, r.Header, r.Body, now.Add(c.off))
			var refused *refusal.Refusal
			require.ErrorAs(t, Verify(t.Context(), r, &memory{}, now), &refused)
			require.Equal(t, []any{refusal.AuthTimestampExpired, "2027-01-15T08:00:00.000Z"}, []any{refused.Code, refused.ServerTime})
			require.Contains(t, refused.Message, c.says)
			stated, err := strconv.ParseInt(r.Header.Get(HeaderTimestamp), 10, 64)
			require.NoError(t, err)
			require.Equal(t, now.Unix(), stated+refused.DifferenceSeconds)
			r.Header.Set(HeaderAuthorization, Scheme+" "+knownAnswer)
			require.ErrorAs(t, Verify(t.Context(), r, &memory{}, now), &refused)
			require.Equal(t, []any{refusal.AuthSignatureMismatch, ""}, []any{refused.Code, refused.ServerTime})
		})
	}
}

func TestVerify_AcceptsANonceOnce(t *testing.T) {
	r, store := signed(t), &memory{}
	require.NoError(t, Verify(t.Context(), r, store, now))
	require.Equal(t, refusal.AuthNonceReused, code(t, Verify(t.Context(), r, store, now)))
}

// A request that was not admitted may be sent again unchanged.
func TestVerify_StoreErrorsAreNotRefusals(t *testing.T) {
	outage := errors.New("out of reach")
	for name, store := range map[string]*memory{"credential": {broken: outage}, "admit": {full: outage}, "nonce": {failing: outage}} {
		t.Run(name, func(t *testing.T) {
			r := signed(t)
			require.ErrorIs(t, Verify(t.Context(), r, store, now), outage)
			require.Empty(t, store.used)
			*store = memory{}
			require.NoError(t, Verify(t.Context(), r, store, now))
		})
	}
}

func TestVerify_APIKeyAloneUsesNoNonce(t *testing.T) {
	r, store := Request{Method: "POST", Target: "/", Header: http.Header{}}, &memory{minimal: true}
	r.signElements(t, []Element{APIKey})
	for range 2 {
		require.NoError(t, Verify(t.Context(), r, store, now))
	}
	require.Empty(t, store.used)
}

// It changes each byte that a strict request signs or sends as proof.
func TestVerify_RefusesAnyChangedByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := signed(t, HeaderIdempotencyKey, "order-7", HeaderVersion, "2025-03-24")
		change := func(s string) string {
			i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
			b := []byte(s)
			b[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
			return string(b)
		}
		names := []string{"", "verb", "target"}
		for name := range r.Header {
			names = append(names, name)
		}
		switch name := rapid.SampledFrom(names).Draw(t, "part"); name {
		case "":
			r.Body = []byte(change(string(r.Body)))
		case "verb":
			r.Method = change(r.Method)
		case "target":
			r.Target = change(r.Target)
		default:
			r.Header.Set(name, change(r.Header.Get(name)))
		}
		require.Error(t, Verify(t.Context(), r, &memory{}, now))
	})
}

func FuzzVerify(f *testing.F) {
	f.Add(Scheme+" "+knownAnswer, knownKey, token, "API-Key", "1800000000", "0123456789abcdef", "")
	f.Add("", "", "", ";", "-1", "é", "AA==")
	f.Fuzz(func(t *testing.T, authorization, key, tok, list, timestamp, nonce, hash string) {
		r := Request{Method: "POST", Target: "/x", Header: http.Header{}, Body: []byte("{}")}
		for name, value := range map[string]string{
			HeaderAuthorization: authorization, HeaderAPIKey: key, HeaderAuthToken: tok, HeaderSignedElements: list,
			HeaderTimestamp: timestamp, HeaderNonce: nonce, HeaderContentSHA256: hash,
		} {
			r.Header.Set(name, value)
		}
		if err := Verify(t.Context(), r, &memory{}, now); err != nil {
			require.NotEmpty(t, code(t, err))
			return
		}
		t.Fatal("a request that was never signed was accepted")
	})
}
