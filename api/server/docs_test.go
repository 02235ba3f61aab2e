package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/internal/clientmodel"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/webhooks/event"
	"requisite/internal/webhooks/webhook"
)

// testServer returns a server without a database and without Temporal.
func testServer(change ...func(*Settings)) *Server {
	set := Settings{Patience: time.Hour, Bounds: limits.Bounds{Waiting: 1}, MaxBodies: 64 << 20, Guard: webhook.NewGuard(webhook.DefaultPorts(), nil)}
	for _, c := range change {
		c(&set)
	}
	s := New(nil, engine.New(nil, 1<<20), nil, nil, slog.New(slog.DiscardHandler), time.Now, set)
	s.slotPatience = time.Hour
	return s
}

type documentedServer struct {
	*Server
	texts map[string]string // of each path, as a reader sees them
	err   error
}

// servers has a server without the form that signs, and one with it, for all tests that only read:
// to make the documents takes seconds with the race detector.
var servers = map[bool]func() documentedServer{
	false: sync.OnceValue(func() documentedServer { return serve(false) }),
	true:  sync.OnceValue(func() documentedServer { return serve(true) }),
}

func serve(tryIt bool) documentedServer {
	d := documentedServer{Server: testServer(func(set *Settings) { set.TryIt = tryIt }), texts: map[string]string{}}
	pages, err := d.api.Pages()
	for path, page := range pages {
		d.texts[path] = html.UnescapeString(colors.ReplaceAllString(string(page.Body), ""))
	}
	d.err = err
	return d
}

func fetch(t *testing.T, path string) *httptest.ResponseRecorder {
	s, _ := docsPages(t, false)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// TestOpenAPI_HasAValidExampleOfEveryOperation, which the service would not refuse.
func TestOpenAPI_HasAValidExampleOfEveryOperation(t *testing.T) {
	s := newTenant(t, Settings{}).Server // checks of rules ask for the account's day
	ofSandbox := &caller{call: domain.Call{Scope: domain.Scope{Environment: domain.Sandbox}}}
	require.Len(t, reference.OperationExamples(), len(s.operations))
	for name, o := range s.operations {
		shown, ok := reference.OperationExamples()[name]
		require.True(t, ok, name)
		_, err := s.decode(o, httptest.NewRequest(http.MethodPost, "/", nil), ofSandbox, []byte(shown.Request))
		require.NoError(t, err, name)
		decoder := json.NewDecoder(strings.NewReader(shown.Data))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(reflect.New(o.Data).Interface()), name)
		require.ElementsMatch(t, keysOf(t, shown.Data), shownKeys(t, o.Data, shown.Data), "%s: the example has every required field", name)
		for _, refused := range shown.Refusals {
			require.Contains(t, reference.RefusalExamples(), refused, name)
		}
	}
	for _, code := range reference.GeneralCodes() {
		require.Contains(t, reference.RefusalExamples(), string(code))
	}
	for name, text := range reference.RefusalExamples() {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		var entry refusal.Refusal
		require.NoError(t, decoder.Decode(&entry), name)
		if name != "rules" {
			require.Contains(t, []string{string(entry.Code), string(entry.SubCode)}, name)
		}
	}
}

func keysOf(t *testing.T, text string) (names []string) {
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &fields))
	for name := range fields {
		names = append(names, name)
	}
	return names
}

// shownKeys returns the fields of the example's data after a round trip through its type.
func shownKeys(t *testing.T, data reflect.Type, text string) []string {
	value := reflect.New(data).Interface()
	require.NoError(t, json.Unmarshal([]byte(text), value))
	again, err := json.Marshal(value)
	require.NoError(t, err)
	return keysOf(t, string(again))
}

// colors are the tags of the tokens of code.
var colors = regexp.MustCompile(`<span class="[a-z]">|</span>`)

// pagesOf are the documents that a server serves.
func pagesOf(t *testing.T, s *Server) map[string]reference.Document {
	pages, err := s.api.Pages()
	require.NoError(t, err)
	return pages
}

// docsPages returns a server that tests only read, and the texts of all documents that it serves.
func docsPages(t *testing.T, tryIt bool) (s *Server, texts map[string]string) {
	d := servers[tryIt]()
	require.NoError(t, d.err)
	return d.Server, d.texts
}

// TestDocsPages_ShowEveryOperationCodeAndEvent, and every sub-code and warning. Each has
// its own anchor, its description and a whole response, and is in the text for programs. The status of
// a document says which moves are allowed.
func TestDocsPages_ShowEveryOperationCodeAndEvent(t *testing.T) {
	s, pages := docsPages(t, false)
	has := func(path, text string) {
		require.True(t, strings.Contains(pages[path], text), "%s lacks %s", path, text)
	}
	inText := func(text string) { has("/docs.md", text) }
	snippets, err := clientmodel.NewSnippets(pagesOf(t, s)["/openapi.json"].Body)
	require.NoError(t, err)
	said := func(anchor string, words refusal.Words) {
		has(errorsPage, ` id="`+anchor+`">`)
		for _, text := range []string{words.Cause, words.Cure} {
			has(errorsPage, text)
			inText(text)
		}
	}
	for name, o := range s.operations {
		path := reference.Address(o.Operation)
		has("/llms.txt", "["+name+"]("+reference.Address(o.Operation)+"): "+o.Summary)
		inText("# `" + name + "`\n\n" + o.Summary)
		calls, err := reference.CallSnippets(snippets, o.Operation, reference.OperationExamples()[name].Request)
		require.NoError(t, err)
		for _, call := range calls {
			has(path, call.Text)
			inText(call.Text)
		}
	}
	for _, code := range refusal.Codes() {
		words, _ := code.Words()
		said(string(code), words)
	}
	for _, code := range refusal.SubCodes() {
		words, _ := code.Words()
		said(string(code), words)
	}
	for _, code := range refusal.WarningCodes() {
		words, _ := refusal.WarningWords(code)
		said("warning-"+string(code), words)
	}
	for _, kind := range domain.EventTypes() {
		has("/docs/events", ` id="event-`+string(kind)+`">`)
		about, _ := event.Describe(kind)
		for _, text := range []string{about.About, reference.IndentedValue(reference.EventContentExample(about))} {
			has("/docs/events", text)
			inText(text)
		}
	}
	for _, gap := range []string{fact.CodeCalculatedPricingRequired, fact.CodeFieldsRequired} {
		has(errorsPage, ` id="`+gap+`">`)
	}
	users := map[string][]string{}
	for name, o := range s.operations {
		for _, refused := range reference.OperationExamples()[name].Refusals {
			users[refused] = append(users[refused], reference.Address(o.Operation))
		}
	}
	for name := range reference.RefusalExamples() {
		answer := reference.IndentedValue(reference.RefusalExample(name))
		inText(answer)
		for _, path := range users[name] {
			has(path, answer)
		}
		if name != "rules" {
			has(errorsPage, answer)
		}
	}
	for _, path := range []string{"/openapi.json/x", "/openapi.json/", "/docs/try.js", "/docs/pages/start.html"} {
		require.Equal(t, 404, fetch(t, path).Code, path)
	}
	for operation, field := range map[string]string{"workflow.requiredDocument.update": "request.required_document.status", "workflow.requiredDocument.get": "data.status"} {
		_, row, found := strings.Cut(pages["/docs/operations/"+operation], ` id="`+field+`"`)
		require.True(t, found)
		row, _, _ = strings.Cut(row, "</tr>")
		for _, move := range []string{"PENDING to NEEDS_REVIEW or COMPLETED", "NEEDS_REVIEW to COMPLETED or PENDING", "COMPLETED to PENDING", "WAIVED to PENDING"} {
			require.Contains(t, row, move)
		}
	}
	for path, page := range map[string]string{"/": "/docs", "/docs/": "/docs", "/docs/operations/workflow.get/": "/docs/operations/workflow.get"} {
		redirect := fetch(t, path)
		require.Equal(t, []any{302, page}, []any{redirect.Code, redirect.Header().Get("Location")}, path)
	}
}

// TestDocsPages_FollowTheWork: the pages of the main job are steps, with the fields of the main use
// first, and the tags of the description are the parts.
func TestDocsPages_FollowTheWork(t *testing.T) {
	_, pages := docsPages(t, false)
	inOrder := func(path string, texts ...string) {
		rest := pages[path]
		for _, text := range texts {
			_, after, found := strings.Cut(rest, text)
			require.True(t, found, "%s lacks %s, after what comes before it", path, text)
			rest = after
		}
	}
	inOrder("/docs/onboarding", ">business.<wbr/>create<", ">workflow.<wbr/>create<", ">workflow.<wbr/>requiredDocument.<wbr/>calculate<", ">workflow.<wbr/>complete<")
	inOrder("/docs/operations/workflow.get", "Step 11 of", `id="data.state"`, "more fields of data", `id="data.account_id"`, `id="refusals"`)
	inOrder("/docs/webhooks", `id="send-again"`, ">webhook.delivery.retry<", ">webhook.delivery.recover<", ">webhook.config.flush<", ">webhook.event.replay<", "</table>")
	inOrder("/llms.txt", "## Onboarding", "[business.create](/docs/operations/business.create)", "## Rules and reviews", "## Webhooks when something is wrong")
	var names []any
	for _, tag := range description(t)["tags"].([]any) {
		names = append(names, tag.(map[string]any)["name"])
	}
	require.Equal(t, []any{"Onboarding", "Rules and reviews", "Webhooks when something is wrong"}, names)
	for path, item := range description(t)["paths"].(map[string]any) {
		require.Subset(t, names, item.(map[string]any)["post"].(map[string]any)["tags"], path)
	}
}

const errorsPage = "/docs/errors"

// TestDocsPages_AreSmall on a slow connection, because they come compressed. The index of the search
// is small too.
func TestDocsPages_AreSmall(t *testing.T) {
	s, _ := docsPages(t, true)
	pages := 0
	for path, document := range pagesOf(t, s) {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", "br, gzip;q=0.8")
		s.ServeHTTP(w, r)
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"), path)
		sent := w.Body.Len()
		body, err := gzip.NewReader(w.Body)
		require.NoError(t, err)
		unpacked, err := io.ReadAll(body)
		require.NoError(t, err)
		require.True(t, bytes.Equal(document.Body, unpacked), path)
		if document.Media == reference.MediaHTML || strings.HasSuffix(path, ".js") || strings.HasSuffix(path, ".css") {
			require.LessOrEqual(t, sent, 64<<10, path)
			pages++
		}
	}
	require.Greater(t, pages, 10)
	for _, encoding := range []string{"", "br", "gzip;q=0", "gzipped"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/docs", nil)
		r.Header.Set("Accept-Encoding", encoding)
		s.ServeHTTP(w, r)
		require.Empty(t, w.Header().Get("Content-Encoding"), encoding)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		require.True(t, bytes.Equal(pagesOf(t, s)["/docs"].Body, w.Body.Bytes()), encoding)
	}
}

// TestDocsPages_AreLoadedOnce: a browser asks again, and gets no body while nothing changed.
func TestDocsPages_AreLoadedOnce(t *testing.T) {
	s, _ := docsPages(t, false)
	tags := map[string]bool{}
	for path := range pagesOf(t, s) {
		first := httptest.NewRecorder()
		s.ServeHTTP(first, httptest.NewRequest(http.MethodGet, path, nil))
		tag := first.Header().Get("ETag")
		require.False(t, tags[tag], path)
		tags[tag] = true
		for known, status := range map[string]int{tag: http.StatusNotModified, `"another"`: http.StatusOK} {
			again, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
			r.Header.Set("If-None-Match", known)
			s.ServeHTTP(again, r)
			require.Equal(t, status, again.Code, path)
			require.Equal(t, status == http.StatusOK, again.Body.Len() > 0, path)
		}
	}
}

// TestDocsSearch_FindsEveryOperationFieldAndRefusal: the index has an entry of each, and
// each entry leads to an anchor.
func TestDocsSearch_FindsEveryOperationFieldAndRefusal(t *testing.T) {
	s, texts := docsPages(t, false)
	script := string(pagesOf(t, s)["/docs/search.js"].Body)
	index, found := strings.CutPrefix(strings.TrimSuffix(script, ";\n"), "globalThis.searchIndex = ")
	require.True(t, found)
	var pages []struct {
		Path     string  `json:"path"`
		Sections [][]any `json:"sections"` // anchor, title, text, fields, words of callers
	}
	require.NoError(t, json.Unmarshal([]byte(index), &pages))
	targets := map[string]bool{}
	for _, page := range pages {
		for _, entry := range page.Sections {
			anchor, text, fields := entry[0].(string), entry[2].(string), strings.Fields(entry[3].(string))
			if anchor == "test-your-error-handling" {
				require.Contains(t, text, " SECRET_LOST ", "codes in tables are found")
			}
			if anchor == "" {
				targets[page.Path] = true
			} else {
				fields = append(fields, anchor)
			}
			for _, anchor := range fields {
				targets[page.Path+"#"+anchor] = true
				require.True(t, strings.Contains(texts[page.Path], ` id="`+anchor+`"`), "%s#%s is no anchor", page.Path, anchor)
			}
		}
	}
	for name, o := range s.operations {
		require.Contains(t, targets, reference.Address(o.Operation))
		for field := range reference.Parsed(reference.OperationExamples()[name].Request).(map[string]any) {
			require.Contains(t, targets, reference.Address(o.Operation)+"#request."+field)
		}
		for field := range reference.Parsed(reference.OperationExamples()[name].Data).(map[string]any) {
			require.Contains(t, targets, reference.Address(o.Operation)+"#data."+field)
		}
	}
	for _, code := range refusal.Codes() {
		require.Contains(t, targets, errorsPage+"#"+string(code))
	}
	for _, code := range refusal.SubCodes() {
		require.Contains(t, targets, errorsPage+"#"+string(code))
	}
	for _, kind := range domain.EventTypes() {
		require.Contains(t, targets, "/docs/events#event-"+string(kind)+":user_context.user_id")
	}
	require.Contains(t, targets, "/docs/calling#verify-and-decrypt")
}

var (
	ids     = regexp.MustCompile(` id="([^"]*)"`)
	targets = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
)

// TestDocsPages_HaveNoBrokenLinks, neither to pages nor to anchors.
func TestDocsPages_HaveNoBrokenLinks(t *testing.T) {
	s, _ := docsPages(t, true)
	anchors := map[string]map[string]bool{}
	for path, document := range pagesOf(t, s) {
		anchors[path] = map[string]bool{"": true}
		for _, id := range ids.FindAllStringSubmatch(string(document.Body), -1) {
			require.False(t, anchors[path][id[1]], "%s has %s twice", path, id[1])
			anchors[path][html.UnescapeString(id[1])] = true
		}
	}
	seen := 0
	for path, document := range pagesOf(t, s) {
		if document.Media != reference.MediaHTML {
			continue
		}
		for _, target := range targets.FindAllStringSubmatch(string(document.Body), -1) {
			u, err := url.Parse(html.UnescapeString(target[1]))
			require.NoError(t, err)
			if u.Scheme != "" {
				require.NotContains(t, target[0], "src=", "%s loads %s from elsewhere", path, u)
				continue
			}
			to := path
			if u.Path != "" {
				to = u.Path
			}
			require.Contains(t, anchors, to, "%s links to %s", path, u)
			require.True(t, anchors[to][u.Fragment], "%s links to %s, which has no such anchor", path, u)
			seen++
		}
	}
	require.Greater(t, seen, 300)
}

// TestDocURLs_AreFound follows the doc_url of each refusal.
func TestDocURLs_AreFound(t *testing.T) {
	var refusals []*refusal.Refusal
	for _, code := range refusal.Codes() {
		refusals = append(refusals, refusal.New(code, "m"))
	}
	for _, code := range refusal.SubCodes() {
		refusals = append(refusals, refusal.Rule("Workflow", "", code, "m"))
	}
	for _, r := range refusals {
		path, anchor, _ := strings.Cut(r.Documented().DocURL, "#")
		page := fetch(t, path)
		require.Equal(t, http.StatusOK, page.Code, path)
		require.Contains(t, page.Body.String(), `id="`+anchor+`"`)
	}
}

// TestDocsPages_HaveTheFormOnlyWithTryIt: without the setting, the policy forbids any call.
func TestDocsPages_HaveTheFormOnlyWithTryIt(t *testing.T) {
	for _, on := range []bool{false, true} {
		s, _ := docsPages(t, on)
		for path, document := range pagesOf(t, s) {
			if document.Media != reference.MediaHTML {
				continue
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			require.Equal(t, path == "/docs/try", strings.Contains(w.Body.String(), "/docs/try.js"), path)
			require.Equal(t, on, strings.Contains(w.Body.String(), `href="/docs/try`), path)
			policy := w.Header().Get("Content-Security-Policy")
			require.Contains(t, policy, "default-src 'none'")
			require.Equal(t, on, strings.Contains(policy, "connect-src"))
			require.NotContains(t, policy, "unsafe")
			require.NotContains(t, w.Body.String(), "style=")
		}
	}
}

// TestDocsPages_CountTheHeadersOfASignature.
func TestDocsPages_CountTheHeadersOfASignature(t *testing.T) {
	r, err := reference.ExampleSignature()
	require.NoError(t, err)
	require.Len(t, r.Headers, 1+7, "Content-Type and seven of the signature")
	_, texts := docsPages(t, false)
	for _, path := range []string{"/docs/signing", "/docs/calling", "/docs.md"} {
		require.Contains(t, texts[path], "even headers", path)
		require.NotContains(t, texts[path], "our headers", path)
	}
}

// TestDocsPage_ShowsASignedRequestThatVerifies, with the signed text.
func TestDocsPage_ShowsASignedRequestThatVerifies(t *testing.T) {
	r, err := reference.ExampleSignature()
	require.NoError(t, err)
	h := http.Header{}
	for _, header := range r.Headers {
		h.Set(header.Name, header.Value)
	}
	require.Equal(t, knownSecret, r.SecretKey)
	at, err := strconv.ParseInt(h.Get(sig1.HeaderTimestamp), 10, 64)
	require.NoError(t, err)
	source := tokenOf{AuthToken: r.AuthToken}
	request := sig1.Request{Method: http.MethodPost, Target: r.Target, Header: h, Body: []byte(r.Body)}
	require.NoError(t, sig1.Verify(t.Context(), request, source, time.Unix(at, 0)))
	mac := hmac.New(sha256.New, decoded(t, r.SecretKey))
	mac.Write([]byte(r.Text))
	require.Equal(t, base64.StdEncoding.EncodeToString(mac.Sum(nil)), r.Signature)
	page := html.UnescapeString(fetch(t, "/docs/signing").Body.String())
	for _, shown := range []string{r.Text, r.Body, r.Signature, r.SecretKey} {
		require.True(t, strings.Contains(page, shown), shown)
	}
}

// tokenOf is knownCredential with another auth token.
type tokenOf struct {
	knownCredential
	AuthToken string
}

func (o tokenOf) Credential(ctx context.Context, apiKey string) (sig1.Credential, bool, error) {
	c, known, err := o.knownCredential.Credential(ctx, apiKey)
	c.TokenSHA256 = sha256.Sum256([]byte(o.AuthToken))
	return c, known, err
}

const (
	knownKey    = "sb_3eY9UJuj09636NVPlgmhfa"
	knownSecret = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
	knownAnswer = "iWEh4jjK9wfjTXd/3GzImPLL1swTZiCPpDbj62vFo2Q="
)

// knownCredential is a store with one strict credential. knownAnswer is the signature of
// its API key.
type knownCredential struct{}

func (knownCredential) Credential(_ context.Context, apiKey string) (sig1.Credential, bool, error) {
	secret, err := base64.StdEncoding.DecodeString(knownSecret)
	return sig1.Credential{Secret: secret, TokenSHA256: sha256.Sum256([]byte("a-token"))}, apiKey == knownKey, err
}

func (knownCredential) Admit(context.Context) error { return nil }

func (knownCredential) UseNonce(context.Context, string, string, time.Time) (bool, error) {
	return true, nil
}

func decoded(t *testing.T, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}
