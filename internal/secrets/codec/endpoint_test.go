package codec

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/encoding/protojson"
)

const (
	token = "planted-token-0123456789abcdef-0123456789abcdef"
	ui    = "http://localhost:8233"
)

// bench is an endpoint at a real port, with a clock of its own and everything
// that it and its server have said.
type bench struct {
	*testing.T
	endpoint *Endpoint
	base     string
	now      time.Time
	said     bytes.Buffer
	log      bytes.Buffer
	sealed   string
}

func newBench(t *testing.T) *bench { return newBenchOf(t, token) }

func newBenchOf(t *testing.T, token string) *bench {
	b := &bench{T: t, now: time.Date(2026, 11, 20, 9, 40, 0, 0, time.UTC)}
	v := keys(t)
	sealed, err := payloads{vault: v, to: binding{"requisite", "w"}}.Encode([]*commonpb.Payload{{Metadata: map[string][]byte{converter.MetadataEncoding: []byte("json/plain")}, Data: []byte(`"` + planted + `"`)}})
	require.NoError(t, err)
	body, err := protojson.Marshal(&commonpb.Payloads{Payloads: sealed})
	require.NoError(t, err)
	b.sealed = string(body)

	server := httptest.NewUnstartedServer(nil)
	b.base = "http://" + server.Listener.Addr().String()
	b.endpoint, err = newEndpoint(v, Access{Token: token, Origins: []string{ui}, Hosts: []string{server.Listener.Addr().String()}}, slog.New(slog.NewTextHandler(&b.log, nil)), func() time.Time { return b.now })
	require.NoError(t, err)
	server.Config.Handler = b.endpoint
	server.Start()
	t.Cleanup(server.Close)
	return b
}

// answer is a response that has been read.
type answer struct {
	*http.Response
	text string
}

// send keeps what the endpoint said: the token is not in it.
func (b *bench) send(client *http.Client, method, path, body string, header ...string) answer {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method, b.base+path, strings.NewReader(body))
	require.NoError(b, err)
	for i := 0; i < len(header); i += 2 {
		if request.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	response, err := client.Do(request)
	require.NoError(b, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(b, err)
	require.NoError(b, response.Header.Write(&b.said))
	b.said.Write(text)
	require.NotContains(b, b.said.String(), token)
	require.Equal(b, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(b, "nosniff", response.Header.Get("X-Content-Type-Options"))
	return answer{response, string(text)}
}

// decode asks for the planted payload in the clear.
func (b *bench) decode(client *http.Client, header ...string) answer {
	b.Helper()
	a := b.send(client, http.MethodPost, decodePath+"?preserveStorageRefs=true", b.sealed, append([]string{"Content-Type", "application/json"}, header...)...)
	shown := strings.Contains(a.text, base64.StdEncoding.EncodeToString([]byte(`"`+planted+`"`)))
	require.Equal(b, a.StatusCode == http.StatusOK, shown, "%s", a.text)
	return a
}

// post sends a form from the endpoint's own page, or from another origin.
func (b *bench) post(client *http.Client, origin, path, secret string) answer {
	b.Helper()
	return b.send(client, http.MethodPost, path, url.Values{"token": {secret}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", origin)
}

func browser(t *testing.T) *http.Client {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &http.Client{Jar: jar}
}

// value is the cookie value of the session that a browser holds for decoding.
func (b *bench) value(client *http.Client) string {
	b.Helper()
	u, err := url.Parse(b.base + decodePath)
	require.NoError(b, err)
	held := client.Jar.Cookies(u)
	require.Len(b, held, 1)
	return held[0].Value
}

func (b *bench) hold(client *http.Client, value string) {
	u, err := url.Parse(b.base)
	require.NoError(b, err)
	client.Jar.SetCookies(u, []*http.Cookie{{Name: "requisite_codec_" + u.Port(), Value: value, Path: Path}})
}

func TestEndpoint_TokenDecodesPayloads(t *testing.T) {
	b := newBench(t)
	require.Equal(t, 200, b.decode(http.DefaultClient, "Authorization", "Bearer "+token).StatusCode)
	require.Equal(t, 200, b.decode(http.DefaultClient, "Authorization", "bearer "+token, "Origin", ui).StatusCode)
	for _, wrong := range []string{"", token, "Bearer", "Bearer ", "Bearer " + token[1:], "Bearer " + token + "0", "Basic " + token, "Bearer " + b.endpoint.sessions.ticket()} {
		a := b.decode(http.DefaultClient, "Authorization", wrong)
		require.Equal(t, 401, a.StatusCode, wrong)
		require.Contains(t, a.Header.Get("WWW-Authenticate"), "Bearer")
		require.Contains(t, a.text, SignInPath)
	}
}

func TestEndpoint_ReadinessNeedsNoToken(t *testing.T) {
	b := newBench(t)
	for _, path := range []string{"/livez", "/readyz", "/healthz"} {
		for _, host := range []string{strings.TrimPrefix(b.base, "http://"), "10.1.2.3:8234"} {
			a := b.send(http.DefaultClient, http.MethodGet, path, "", "Host", host)
			require.Equal(t, 200, a.StatusCode, path)
			require.Equal(t, "ok\n", a.text, path)
		}
		require.Equal(t, 404, b.send(http.DefaultClient, http.MethodPost, path, b.sealed, "Content-Type", "application/json").StatusCode, path)
	}
	require.Equal(t, 403, b.send(http.DefaultClient, http.MethodGet, SignInPath, "", "Host", "10.1.2.3:8234").StatusCode, "nothing else is answered for any host")
}

// The temporal command line and the SDKs use this client.
func TestEndpoint_WorksWithTemporalsRemoteCodec(t *testing.T) {
	b := newBench(t)
	var sealed commonpb.Payloads
	require.NoError(t, protojson.Unmarshal([]byte(b.sealed), &sealed))
	remote := func(authorization string) converter.PayloadCodec {
		return converter.NewRemotePayloadCodec(converter.RemotePayloadCodecOptions{Endpoint: b.base + Path, ModifyRequest: func(r *http.Request) error {
			r.Header.Set("Authorization", authorization)
			return nil
		}})
	}
	plain, err := remote("Bearer " + token).Decode(sealed.Payloads)
	require.NoError(t, err)
	require.Equal(t, `"`+planted+`"`, string(plain[0].Data))
	_, err = remote("Bearer wrong").Decode(sealed.Payloads)
	require.ErrorContains(t, err, "Unauthorized")
}

func TestEndpoint_SessionDecodesPayloads(t *testing.T) {
	b := newBench(t)
	for name, secret := range map[string]string{"token": token, "link": strings.TrimPrefix(b.endpoint.SignInLink(), SignInPath+"#")} {
		t.Run(name, func(t *testing.T) {
			client := browser(t)
			require.Equal(t, 401, b.decode(client, "Origin", ui).StatusCode)
			a := b.post(client, b.base, SignInPath, secret)
			require.Equal(t, 200, a.StatusCode)
			require.Contains(t, a.text, "20 November 2026, 21:40 UTC")
			require.Contains(t, a.text, `href="`+ui+`"`)
			require.Equal(t, 200, b.decode(client, "Origin", ui).StatusCode)
			require.Equal(t, 401, b.decode(client).StatusCode, "a browser names the origin of the page that asks")
		})
	}
}

func TestSession_CookieIsProtected(t *testing.T) {
	b := newBench(t)
	once := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a := b.post(once, b.base, SignInPath, token)
	require.Equal(t, 303, a.StatusCode)
	require.Equal(t, SignInPath, a.Header.Get("Location"))
	require.Len(t, a.Cookies(), 1)
	c := a.Cookies()[0]
	require.Equal(t, Path, c.Path)
	require.Empty(t, c.Domain)
	require.True(t, c.HttpOnly)
	require.False(t, c.Secure, "plain http on loopback")
	require.Equal(t, http.SameSiteStrictMode, c.SameSite)
	require.Equal(t, 12*60*60, c.MaxAge)
	require.NotContains(t, c.Value, b.endpoint.sessions.ticket())

	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, SignInPath, strings.NewReader("token="+token))
	request.Host = strings.TrimPrefix(b.base, "http://")
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "https://"+request.Host)
	recorder := httptest.NewRecorder()
	b.endpoint.ServeHTTP(recorder, request)
	require.True(t, recorder.Result().Cookies()[0].Secure, "behind a proxy with TLS")
}

func TestSession_EndsAfterTwelveHoursOrSignOutOrWithItsToken(t *testing.T) {
	b := newBench(t)
	client := browser(t)
	b.post(client, b.base, SignInPath, token)
	value := b.value(client)

	b.now = b.now.Add(12*time.Hour - time.Second)
	require.Equal(t, 200, b.decode(client, "Origin", ui).StatusCode)
	b.now = b.now.Add(time.Second)
	b.hold(client, value) // regardless of the browser's clock
	require.Equal(t, 401, b.decode(client, "Origin", ui).StatusCode, "after twelve hours")
	require.Contains(t, b.send(client, http.MethodGet, SignInPath, "").text, "Sign in")

	b.post(client, b.base, SignInPath, token)
	value = b.value(client)
	other := browser(t)
	b.post(other, b.base, SignInPath, token)
	require.Equal(t, 200, b.decode(client, "Origin", ui).StatusCode)
	require.Equal(t, 403, b.post(client, ui, signOutPath, "").StatusCode, "another page cannot sign out")
	require.Equal(t, 200, b.post(client, b.base, signOutPath, "").StatusCode)
	require.Equal(t, 401, b.decode(client, "Origin", ui).StatusCode)
	b.hold(client, value)
	require.Equal(t, 401, b.decode(client, "Origin", ui).StatusCode, "a copy of a session that was signed out")
	require.Equal(t, 200, b.decode(other, "Origin", ui).StatusCode, "others stay signed in")

	changed := newBenchOf(t, token+"0")
	changed.hold(client, b.value(other))
	require.Equal(t, 401, changed.decode(client, "Origin", ui).StatusCode, "the token was changed")
}

// TestSession_OutlivesARestart, which a rotation of the keyset needs. The sign-in link does not.
func TestSession_OutlivesARestart(t *testing.T) {
	b, again := newBench(t), newBench(t)
	client := browser(t)
	b.post(client, b.base, SignInPath, token)
	again.hold(client, b.value(client))
	require.Equal(t, 200, again.decode(client, "Origin", ui).StatusCode)
	page := again.send(client, http.MethodGet, SignInPath, "").text
	require.Contains(t, page, "signed in until 20 November 2026, 21:40 UTC")
	require.Contains(t, page, "restart this endpoint", "which reads the keyset when it starts")
	require.Equal(t, 401, again.post(browser(t), again.base, SignInPath, b.endpoint.sessions.ticket()).StatusCode)
}

func TestSessions_ForgetSignedOutSessionsAfterTheirEnd(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	s := newSessions(token, func() time.Time { return now })
	for range 3 {
		value, _ := s.begin()
		s.end(value)
		s.end("forged")
		now = now.Add(sessionLife)
	}
	require.Len(t, s.ended, 1)
}

func TestSession_ForgedCookiesAreRefused(t *testing.T) {
	b := newBench(t)
	client := browser(t)
	b.post(client, b.base, SignInPath, token)
	good := b.value(client)
	data, err := base64.RawURLEncoding.DecodeString(good)
	require.NoError(t, err)
	forged := map[string]string{"the token itself": token, "the link": b.endpoint.sessions.ticket(), "nothing": "", "cut off": good[:len(good)-2], "longer": good + "AA"}
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		forged[fmt.Sprintf("byte %d", i)] = base64.RawURLEncoding.EncodeToString(changed)
	}
	for name, value := range forged {
		b.hold(client, value)
		require.Equal(t, 401, b.decode(client, "Origin", ui).StatusCode, name)
	}
	b.hold(client, good)
	require.Equal(t, 200, b.decode(client, "Origin", ui).StatusCode)

	u, err := url.Parse(b.base)
	require.NoError(t, err)
	client.Jar.SetCookies(u, []*http.Cookie{{Name: "requisite_codec_" + u.Port(), Value: "of-another-server-on-this-host", Path: decodePath}})
	require.Equal(t, 200, b.decode(client, "Origin", ui).StatusCode, "a cookie of the same name does not shadow the session")
}

func TestSignIn_RefusesAWrongToken(t *testing.T) {
	b := newBench(t)
	client := browser(t)
	for _, wrong := range []string{"", "wrong", token[1:], token + "x", strings.ToUpper(token)} {
		a := b.post(client, b.base, SignInPath, wrong)
		require.Equal(t, 401, a.StatusCode)
		require.Contains(t, a.text, "That is not the token")
		require.Empty(t, a.Cookies())
		if wrong != "" {
			require.NotContains(t, a.text, wrong)
		}
	}
	require.Equal(t, 400, b.post(client, b.base, SignInPath, strings.Repeat("x", maxFormBytes)).StatusCode)
	require.Equal(t, 401, b.send(client, http.MethodPost, SignInPath+"?token="+token, "", "Origin", b.base).StatusCode, "never from an address, which logs keep")
	require.Equal(t, 403, b.post(client, ui, SignInPath, token).StatusCode, "from another page")
	require.Equal(t, 403, b.send(client, http.MethodPost, SignInPath, "", "Sec-Fetch-Site", "same-site").StatusCode)
}

func TestEndpoint_RefusesOtherOrigins(t *testing.T) {
	b := newBench(t)
	client := browser(t)
	b.post(client, b.base, SignInPath, token)
	for _, origin := range []string{"https://elsewhere.example", "null", ui + "0", strings.ToUpper(ui), "https://localhost:8233", b.base} {
		for _, a := range []answer{
			b.decode(client, "Origin", origin),
			b.decode(client, "Origin", origin, "Authorization", "Bearer "+token),
			b.send(client, http.MethodOptions, decodePath, "", "Origin", origin),
		} {
			require.Equal(t, 403, a.StatusCode, origin)
			require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}

func TestEndpoint_RefusesOtherHosts(t *testing.T) {
	b := newBench(t)
	client := browser(t)
	b.post(client, b.base, SignInPath, token)
	for _, host := range []string{"rebound.example:8234", "localhost", "127.0.0.1"} {
		require.Equal(t, 403, b.decode(client, "Host", host, "Origin", ui).StatusCode)
		require.Equal(t, 403, b.decode(client, "Host", host, "Authorization", "Bearer "+token).StatusCode)
		require.Equal(t, 403, b.send(client, http.MethodGet, SignInPath, "", "Host", host).StatusCode)
	}
}

func TestEndpoint_RefusalsHaveCORSHeaders(t *testing.T) {
	b := newBench(t)
	preflight := b.send(http.DefaultClient, http.MethodOptions, decodePath, "",
		"Origin", ui, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,x-namespace")
	require.Equal(t, 204, preflight.StatusCode, "no browser sends cookies with it")
	require.Equal(t, "Content-Type, X-Namespace, Authorization", preflight.Header.Get("Access-Control-Allow-Headers"))
	refused := b.decode(http.DefaultClient, "Origin", ui)
	require.Equal(t, 401, refused.StatusCode)
	for _, a := range []answer{preflight, refused, b.decode(http.DefaultClient, "Origin", ui, "Authorization", "Bearer "+token)} {
		require.Equal(t, ui, a.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "true", a.Header.Get("Access-Control-Allow-Credentials"))
		require.Equal(t, "Origin", a.Header.Get("Vary"))
	}
}

func TestEndpoint_OtherPathsAreNotFound(t *testing.T) {
	b := newBench(t)
	for _, path := range []string{Path + "/encode", Path + "/download", "/decode", "/encode", Path} {
		require.Equal(t, 404, b.send(http.DefaultClient, http.MethodPost, path, b.sealed, "Authorization", "Bearer "+token).StatusCode, path)
	}
	require.Equal(t, 405, b.send(http.DefaultClient, http.MethodGet, decodePath, "", "Authorization", "Bearer "+token).StatusCode)
	require.Contains(t, b.send(http.DefaultClient, http.MethodGet, "/", "").text, "Token of the codec endpoint")
	big := b.send(http.DefaultClient, http.MethodPost, decodePath, `{"payloads":[]`+strings.Repeat(" ", maxDecodeBytes)+`}`, "Authorization", "Bearer "+token)
	require.Equal(t, 400, big.StatusCode)
	require.Contains(t, big.text, "too large")
}

func TestSignInPage_PolicyAllowsOnlyItsOwnScript(t *testing.T) {
	b := newBench(t)
	a := b.send(http.DefaultClient, http.MethodGet, SignInPath, "")
	policy := a.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
		require.Contains(t, policy, want)
	}
	for _, tag := range []string{"style", "script"} {
		found := regexp.MustCompile(`(?s)<` + tag + `>(.*)</` + tag + `>`).FindStringSubmatch(a.text)
		require.NotNil(t, found)
		require.NotEmpty(t, found[1])
		require.Contains(t, policy, tag+"-src '"+digest([]byte(found[1]))+"'")
	}
	require.Equal(t, "same-origin", a.Header.Get("Referrer-Policy"))
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
}

func TestCheckToken_RefusesWeakTokensWithoutRepeatingThem(t *testing.T) {
	for _, weak := range []string{"", "planted", strings.Repeat("p", MinTokenLength-1), strings.Repeat("planted ", 8), strings.Repeat("plänted", 8)} {
		_, err := NewEndpoint(keys(t), Access{Token: weak}, nil)
		require.Error(t, err, weak)
		require.NotContains(t, err.Error(), "pl")
	}
	require.NoError(t, CheckToken(strings.Repeat("p", MinTokenLength)))
}

// TestEndpoint_LogsTheKeyThatItLacks, and nothing else: a UI tells operators only to sign in.
func TestEndpoint_LogsTheKeyThatItLacks(t *testing.T) {
	b := newBench(t)
	require.Equal(t, 200, b.decode(http.DefaultClient, "Authorization", "Bearer "+token).StatusCode)
	require.Empty(t, b.log.String())
	other := keys(t)
	sealed, err := payloads{vault: other, to: binding{"requisite", "w"}}.Encode([]*commonpb.Payload{{Data: []byte(planted)}, {Data: []byte(planted)}})
	require.NoError(t, err)
	body, err := protojson.Marshal(&commonpb.Payloads{Payloads: sealed})
	require.NoError(t, err)
	b.sealed = string(body)
	require.Equal(t, 400, b.decode(http.DefaultClient, "Authorization", "Bearer "+token).StatusCode)
	require.Equal(t, 1, strings.Count(b.log.String(), fmt.Sprintf(" key_id=%d ", other.PrimaryID())), "once for a request: %s", &b.log)
	require.NotContains(t, b.log.String(), planted)
}
