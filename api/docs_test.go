package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/needs"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/sig1"
	"requisite/internal/webhook"
)

func testServer(t *testing.T) *server {
	s, err := newServer(nil, nil, nil, nil, slog.New(slog.DiscardHandler), time.Now, settings{patience: time.Second, bounds: bounds{waiting: 1}, maxBodies: 64 << 20, guard: webhook.NewGuard(webhook.DefaultPorts(), nil)})
	require.NoError(t, err)
	return s
}

func fetch(t *testing.T, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	testServer(t).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// TestTheDescriptionIsValid checks /openapi.json against the published schema
// of OpenAPI 3.1.
func TestTheDescriptionIsValid(t *testing.T) {
	w := fetch(t, "/openapi.json")
	require.Equal(t, 200, w.Code)
	document, err := libopenapi.NewDocument(w.Body.Bytes())
	require.NoError(t, err)
	require.Equal(t, "3.1.0", document.GetVersion())
	_, err = document.BuildV3Model()
	require.NoError(t, err, "every reference leads somewhere")
	check, problems := validator.NewValidator(document)
	require.Empty(t, problems)
	valid, found := check.ValidateDocument()
	for _, problem := range found {
		t.Logf("%s: %s", problem.Message, problem.Reason)
	}
	require.True(t, valid)
}

// TestTheDescriptionIsComplete: an operation cannot be added without its
// examples, and an example cannot say what the service would refuse.
func TestTheDescriptionIsComplete(t *testing.T) {
	s := testServer(t)
	require.Len(t, operationExamples(), len(s.operations))
	for name, o := range s.operations {
		shown, ok := operationExamples()[name]
		require.True(t, ok, name)
		require.NoError(t, s.schemas.Decode([]byte(shown.request), s.empty(o)), name)
		decoder := json.NewDecoder(strings.NewReader(shown.data))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(reflect.New(o.data).Interface()), name)
		require.ElementsMatch(t, keysOf(t, shown.data), shownKeys(t, o.data, shown.data), "%s: the example has every field that is always there", name)
		for _, refused := range shown.refusals {
			require.Contains(t, refusalExamples(), refused, name)
		}
	}
	for _, code := range generalCodes() {
		require.Contains(t, refusalExamples(), string(code))
	}
	for name, text := range refusalExamples() {
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

// shownKeys are the fields that the example's data has once it was read into
// its type and written again.
func shownKeys(t *testing.T, data reflect.Type, text string) []string {
	value := reflect.New(data).Interface()
	require.NoError(t, json.Unmarshal([]byte(text), value))
	again, err := json.Marshal(value)
	require.NoError(t, err)
	return keysOf(t, string(again))
}

// TestThePage: it has every operation, code, sub-code, warning and event under an
// anchor of its own, with the words of the catalogue and whole answers.
func TestThePage(t *testing.T) {
	w := fetch(t, "/docs")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	page := html.UnescapeString(w.Body.String())
	has := func(text string) { require.True(t, strings.Contains(page, text), "the page lacks %s", text) }
	said := func(anchor string, words refusal.Words) {
		has(` id="` + anchor + `">`)
		for _, text := range []string{words.Cause, words.Cure} {
			has(text)
		}
	}
	for name := range testServer(t).operations {
		has(` id="` + name + `">`)
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
		said("warning-"+code, words)
	}
	for _, event := range domain.EventTypes() {
		has(` id="event-` + string(event) + `">`)
	}
	for _, gap := range []string{requirement.CodeCalculatedPricingRequired, requirement.CodeFieldsRequired} {
		has(` id="` + gap + `">`)
	}
	for name := range refusalExamples() {
		has(indentedValue(refusalExample(name)))
	}
	for _, path := range []string{"/docs/", "/openapi.json/x", "/docs/try.js", "/docs/page.html"} {
		require.Equal(t, 404, fetch(t, path).Code, path)
	}
	start := fetch(t, "/")
	require.Equal(t, 302, start.Code)
	require.Equal(t, "/docs", start.Header().Get("Location"))
}

var (
	ids     = regexp.MustCompile(` id="([^"]*)"`)
	targets = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
)

// TestThePagesLinksLead: every link of every page leads to something that is
// served, and to an anchor that is there.
func TestThePagesLinksLead(t *testing.T) {
	s := testServer(t)
	s.tryIt = true
	var err error
	s.pages, err = s.makePages()
	require.NoError(t, err)
	anchors := map[string]map[string]bool{}
	for path, document := range s.pages {
		anchors[path] = map[string]bool{"": true}
		for _, id := range ids.FindAllStringSubmatch(string(document.body), -1) {
			require.False(t, anchors[path][id[1]], "%s has %s twice", path, id[1])
			anchors[path][html.UnescapeString(id[1])] = true
		}
	}
	seen := 0
	for path, document := range s.pages {
		if document.media != mediaHTML {
			continue
		}
		for _, target := range targets.FindAllStringSubmatch(string(document.body), -1) {
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

// TestTheFormIsOffUnlessAskedFor: without the setting the page can call nothing.
func TestTheFormIsOffUnlessAskedFor(t *testing.T) {
	s := testServer(t)
	for _, on := range []bool{false, true} {
		s.tryIt = on
		var err error
		s.pages, err = s.makePages()
		require.NoError(t, err)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/docs", nil))
		require.Equal(t, on, strings.Contains(w.Body.String(), "/docs/try.js"))
		require.Equal(t, on, strings.Contains(w.Header().Get("Content-Security-Policy"), "connect-src"))
		require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
		require.NotContains(t, w.Body.String(), "style=")
	}
}

// TestTheSignedRequestVerifies: the request on the page is one that the service
// accepts, and its text is what was signed.
func TestTheSignedRequestVerifies(t *testing.T) {
	r, err := exampleSignature()
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
	page := html.UnescapeString(fetch(t, "/docs").Body.String())
	for _, shown := range []string{r.Text, r.Body, r.Signature, r.SecretKey} {
		require.True(t, strings.Contains(page, shown), shown)
	}
}

// tokenOf is knownCredential with another token.
type tokenOf struct {
	knownCredential
	AuthToken string
}

func (o tokenOf) Credential(ctx context.Context, apiKey string) (sig1.Credential, bool, error) {
	c, known, err := o.knownCredential.Credential(ctx, apiKey)
	c.TokenSHA256 = sha256.Sum256([]byte(o.AuthToken))
	return c, known, err
}

// TestThePageInABrowser looks at every page in Chromium, at three widths, light
// and dark, and without JavaScript: see check/page.mjs.
func TestThePageInABrowser(t *testing.T) {
	tools(t)
	if os.Getenv("CHROMIUM") == "" && !slices.ContainsFunc([]string{"chromium", "chromium-browser", "google-chrome"}, func(name string) bool {
		_, err := os.Stat("/usr/bin/" + name)
		return err == nil
	}) {
		needs.Lacking(t, "there is no Chromium: apt-get install chromium, or set CHROMIUM to where it is")
	}
	s := testServer(t)
	s.tryIt = true
	var err error
	s.pages, err = s.makePages()
	require.NoError(t, err)
	var signed atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, knownCredential{}, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		signed.Add(1)
		_, _ = io.WriteString(w, `{"verified":"`+r.Header.Get(sig1.HeaderIdempotencyKey)+`"}`)
	}))
	defer service.Close()
	c := exec.CommandContext(t.Context(), "node", "check/page.mjs", service.URL)
	c.Env = append(os.Environ(), "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.EqualValues(t, 2, signed.Load(), "the form signs what the service accepts")
}

const (
	knownKey    = "sb_3eY9UJuj09636NVPlgmhfa"
	knownSecret = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
	knownAnswer = "iWEh4jjK9wfjTXd/3GzImPLL1swTZiCPpDbj62vFo2Q="
)

// knownCredential serves the credential of the known answer, strictly.
type knownCredential struct{}

func (knownCredential) Credential(_ context.Context, apiKey string) (sig1.Credential, bool, error) {
	secret, err := base64.StdEncoding.DecodeString(knownSecret)
	return sig1.Credential{Secret: secret, TokenSHA256: sha256.Sum256([]byte("a token"))}, apiKey == knownKey, err
}

func (knownCredential) Admit(context.Context) error { return nil }

func (knownCredential) UseNonce(context.Context, string, string, time.Time) (bool, error) {
	return true, nil
}

// TestSnippets runs the page's snippets: each gives the known answer, and sends
// a request that verifies.
func TestSnippets(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, knownCredential{}, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, "verified "+string(body)+r.Header.Get(sig1.HeaderIdempotencyKey))
	}))
	defer receiver.Close()
	for name, command := range map[string][]string{
		"shell": {"bash", "docs/snippets/sign.sh"}, "go": {"go", "run", "./docs/snippets/go"},
		"typescript": {"node"}, "python": {"python3", "docs/snippets/sign.py"},
	} {
		t.Run(name, func(t *testing.T) {
			runs(t, name)
			if name == "typescript" {
				command = append(command, compiled(t))
			}
			run := func(args ...string) string {
				c := exec.CommandContext(t.Context(), command[0], append(command[1:len(command):len(command)], args...)...)
				c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token")
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return strings.TrimSpace(string(out))
			}
			require.Equal(t, knownAnswer, run("--signature", knownKey))
			require.Equal(t, `verified {"name":"Amélie"}`, run("business.get", `{"name":"Amélie"}`))
			require.Equal(t, `verified {}with a key`, run("business.create", `{}`, "with a key"))
		})
	}
}

// runs skips the snippets of a language that this machine cannot run.
func runs(t *testing.T, language string) {
	t.Helper()
	switch language {
	case "shell":
		for _, program := range []string{"bash", "curl", "openssl"} {
			needs.Program(t, program, "apt-get install "+program)
		}
	case "typescript":
		tools(t)
	case "python":
		needs.Program(t, "python3", "install Python 3")
	}
}

// compiled is the TypeScript snippet as JavaScript, after its types and those of
// each operation's snippet were checked.
func compiled(t *testing.T) string {
	compiler, err := filepath.Abs("check/node_modules/typescript/bin/tsc")
	require.NoError(t, err)
	dir := t.TempDir()
	sign, err := os.ReadFile("docs/snippets/sign.ts")
	require.NoError(t, err)
	calls := "import { call } from \"./sign.js\";\n"
	operations := testServer(t).operations
	for name, shown := range operationExamples() {
		calls += "{ " + callSnippets(operations[name], shown.request)[2].Text + " console.log(answer.data); }\n"
	}
	for name, text := range map[string]string{"sign.ts": string(sign), "calls.ts": calls, "package.json": `{"type":"module"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(compiler), "../.."), filepath.Join(dir, "node_modules")))
	c := exec.CommandContext(t.Context(), "node", compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "sign.ts", "calls.ts")
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(dir, "sign.js")
}

// TestCallSnippets runs the snippets of every operation: each sends the request
// of its example.
func TestCallSnippets(t *testing.T) {
	type sent struct {
		operation, key string
		body           any
	}
	received := make(chan sent, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, knownCredential{}, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		received <- sent{strings.TrimPrefix(r.URL.Path, "/"), r.Header.Get(sig1.HeaderIdempotencyKey), parsed(string(body))}
		_, _ = io.WriteString(w, `{"data":{}}`)
	}))
	defer receiver.Close()
	operations := testServer(t).operations
	names := slices.Sorted(maps.Keys(operationExamples()))
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, name := range []string{"sign.py", "sign.sh", "go/main.go"} {
		text, err := os.ReadFile("docs/snippets/" + name)
		require.NoError(t, err)
		if name == "go/main.go" {
			text = bytes.Replace(text, []byte("func main() {"), []byte("func unused() {"), 1)
		}
		write(filepath.Base(name), string(text))
	}
	const executable = "chmod +x sign.sh"
	require.Contains(t, fetch(t, "/docs").Body.String(), "<code>"+executable+"</code>")
	shell, python := "set -e\n"+executable+"\n", "from sign import call\n"
	program := "package main\n\nfunc check(_ string, err error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n\nfunc main() {\n"
	for _, name := range names {
		calls := callSnippets(operations[name], operationExamples()[name].request)
		shell += calls[0].Text + "\n"
		python += calls[3].Text + "\n"
		program += "\t{\n\t\t" + calls[1].Text + "\n\t\tcheck(answer, err)\n\t}\n"
	}
	write("calls.sh", shell)
	write("calls.py", python)
	write("calls.go", program+"}\n")
	write("go.mod", "module calls\n\ngo 1.24\n")
	for language, command := range map[string][]string{"shell": {"bash", "calls.sh"}, "python": {"python3", "calls.py"}, "go": {"go", "run", "."}} {
		t.Run(language, func(t *testing.T) {
			runs(t, language)
			c := exec.CommandContext(t.Context(), command[0], command[1:]...)
			c.Dir = dir
			c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token", "GOFLAGS=")
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range names {
				select {
				case got := <-received:
					require.Equal(t, []string{name, exampleKey(operations[name])}, []string{got.operation, got.key})
					require.Equal(t, operations[name].writes, got.key != "", name)
					require.Equal(t, parsed(operationExamples()[name].request), got.body, name)
				default:
					require.Fail(t, "not sent", name)
				}
			}
		})
	}
}

// TestTheShellSnippetShowsNoSecret runs it with programs that note the arguments
// that they are given: everybody on a machine can read those.
func TestTheShellSnippetShowsNoSecret(t *testing.T) {
	runs(t, "shell")
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Header.Get("X-API-Auth-Token"))
	}))
	defer receiver.Close()
	dir := t.TempDir()
	noted := filepath.Join(dir, "noted")
	for _, name := range []string{"openssl", "curl", "od", "tr", "cat", "date"} {
		program, err := exec.LookPath(name)
		require.NoError(t, err)
		script := fmt.Sprintf("#!/bin/bash\necho \"%s $*\" >> %s\nexec %s \"$@\"\n", name, noted, program)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	for name, secret := range map[string][]byte{"as ours": decoded(t, knownSecret), "longer than a block": bytes.Repeat([]byte("planted."), 9)} {
		c := exec.CommandContext(t.Context(), "bash", "docs/snippets/sign.sh", "business.get", "{}")
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "BASE_URL="+receiver.URL, "API_KEY="+knownKey,
			"SECRET_KEY="+base64.StdEncoding.EncodeToString(secret), "AUTH_TOKEN=planted-token")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, "planted-token", string(out), name)

		c = exec.CommandContext(t.Context(), "bash", "docs/snippets/sign.sh", "--signature", knownKey)
		c.Env = append(os.Environ(), "SECRET_KEY="+base64.StdEncoding.EncodeToString(secret))
		out, err = c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(knownKey))
		require.Equal(t, base64.StdEncoding.EncodeToString(mac.Sum(nil)), strings.TrimSpace(string(out)), name)

		arguments, err := os.ReadFile(noted)
		require.NoError(t, err)
		require.Contains(t, string(arguments), "X-API-Key: "+knownKey)
		for _, shown := range []string{"planted", base64.StdEncoding.EncodeToString(secret)[:20], hex.EncodeToString(secret)[:20]} {
			require.NotContains(t, string(arguments), shown, name)
		}
	}
}

func decoded(t *testing.T, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}

// section is the text of a section of /docs, with its links.
func section(t *testing.T, id string) string {
	_, text, found := strings.Cut(fetch(t, startPage).Body.String(), `<section id="`+id+`">`)
	require.True(t, found)
	text, _, _ = strings.Cut(text, "</section>")
	return html.UnescapeString(text)
}

// TestThePageOnLists: which lists have pages and how they end, as the operations
// say and do.
func TestThePageOnLists(t *testing.T) {
	text := section(t, "lists")
	const usual = "Pass it as page.after for the next page; null on the last one."
	api := description(t)
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	properties := func(schema any) map[string]any {
		object := schema.(map[string]any)
		if target, is := object["$ref"].(string); is {
			object = schemas[strings.TrimPrefix(target, schemaPrefix)].(map[string]any)
		}
		return orNone(object["properties"])
	}
	for name := range testServer(t).operations {
		post := api["paths"].(map[string]any)["/"+name].(map[string]any)["post"].(map[string]any)
		schema := func(place any) any {
			return place.(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
		}
		_, paged := properties(schema(post["requestBody"]))["page"]
		next, ends := properties(properties(schema(post["responses"].(map[string]any)["200"]))["data"])["next"].(map[string]any)
		require.Equal(t, paged, ends, "%s: what takes a page answers with next", name)
		require.False(t, paged && !strings.HasSuffix(name, ".list"), name)
		require.Equal(t, paged && next["description"] != usual, strings.Contains(text, `<a href="#`+name+`">`), "%s: the page names the lists that differ: %v", name, next)
	}

	c := applicantTenant(t)
	business, workflow, documents := c.application(3)
	opened := []any{workflow}
	for range 50 {
		opened = append(opened, c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business))["workflow_id"])
	}
	list := func(operation, items, id, rest string) (ids []any, next any) {
		data := c.data(operation, fmt.Sprintf(`{"account_id":%q%s}`, c.account, rest))
		for _, item := range data[items].([]any) {
			ids = append(ids, item.(map[string]any)[id])
		}
		return ids, data["next"]
	}
	slices.Reverse(opened)
	require.Contains(t, text, "50 when left out")
	ids, next := list("workflow.list", "workflows", "workflow_id", "")
	require.Equal(t, opened[:50], ids, "newest first")
	ids, next = list("workflow.list", "workflows", "workflow_id", fmt.Sprintf(`,"page":{"after":%q}`, next))
	require.Equal(t, []any{opened[50:], nil}, []any{ids, next})
	var configs, events []any
	for _, path := range []string{"a", "b"} {
		config := c.data("webhook.config.create", fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/%s"}}`, c.account, path))["config_id"]
		configs = append([]any{config}, configs...)
		events = append([]any{c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q}`, config))["event_id"]}, events...)
	}
	ids, next = list("webhook.config.list", "configs", "config_id", "")
	require.Equal(t, []any{configs, nil}, []any{ids, next})
	ids, _ = list("webhook.delivery.list", "deliveries", "event_id", "")
	require.Equal(t, events, ids)
	ids, _ = list("webhook.event.list", "events", "event_id", `,"filters":{"event_type":"WEBHOOK_TEST"}`)
	require.Equal(t, events, ids)
	c.exec(`UPDATE webhook_event SET xid = '1' WHERE epoch > 0`) // other tests' transactions hold nothing back
	ids, next = list("webhook.event.list", "events", "event_id", `,"filters":{"event_type":"WEBHOOK_TEST"},"order":"OLDEST_FIRST"`)
	slices.Reverse(events)
	require.Equal(t, events, ids)
	require.NotNil(t, next)
	listed := c.data("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q}`, workflow))["required_documents"].([]any)
	require.Len(t, listed, len(documents))
	for i, d := range listed {
		require.Equal(t, documents[i], d.(map[string]any)["required_document_id"], "in the order in which they were first required")
	}
}

// TestThePageOnIDs: every id in an example has the form that the page gives, or is
// one that it excepts.
func TestThePageOnIDs(t *testing.T) {
	text := section(t, "answers")
	form := regexp.MustCompile(`^[a-z]+_[0-9A-Za-z]{20,22}$`)
	excepted := map[string]bool{}
	check := func(example string) {
		walk(parsed(example), "", func(_ string, object map[string]any) {
			for name, value := range object {
				id, is := value.(string)
				if is && strings.HasSuffix(name, "_id") && !strings.HasPrefix(name, "temporal_") && !form.MatchString(id) { // those name no record of the API
					excepted[name] = true
				}
			}
		})
	}
	for _, shown := range operationExamples() {
		check(shown.request)
		check(shown.data)
	}
	for _, event := range domain.EventTypes() {
		about, _ := event.Describe()
		check(string(eventContentExample(about)))
	}
	delete(excepted, "user_id") // the name of a credential
	require.Equal(t, map[string]bool{"key_id": true}, excepted)
	require.Contains(t, text, "20 to 22 characters of <code>0-9A-Za-z</code>; <code>key_id</code> alone")
}

// TestThePageOnRepeating: it names the answers after which a request is to be
// repeated, which are those whose cure in the catalogue is that.
func TestThePageOnRepeating(t *testing.T) {
	_, text, found := strings.Cut(section(t, "repeating"), "Repeat after a lost connection, ")
	require.True(t, found)
	text, _, _ = strings.Cut(text, ";")
	for _, code := range refusal.Codes() {
		words, _ := code.Words()
		again := strings.HasPrefix(words.Cure, "Repeat the request") || strings.HasPrefix(words.Cure, "Wait for")
		require.Equal(t, again, strings.Contains(text, strconv.Itoa(code.Status())), "%s: %s", code, words.Cure)
	}
}

// TestEventsOfADisabledEndpointWait, as the description says of the answer 410.
func TestEventsOfADisabledEndpointWait(t *testing.T) {
	c := applicantTenant(t)
	config := c.data("webhook.config.create", fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/"}}`, c.account))["config_id"]
	c.data("webhook.config.update", fmt.Sprintf(`{"config_id":%q,"config":{"status":"DISABLED"}}`, config))
	c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q}`, config))
	deliveries := c.data("webhook.delivery.list", fmt.Sprintf(`{"account_id":%q}`, c.account))["deliveries"].([]any)
	require.Len(t, deliveries, 1)
	require.Equal(t, "HELD", deliveries[0].(map[string]any)["status"])
	for event, item := range description(t)["webhooks"].(map[string]any) {
		gone := item.(map[string]any)["post"].(map[string]any)["responses"].(map[string]any)["410"].(map[string]any)
		require.Contains(t, gone["description"], "its events wait until it is enabled again", event)
	}
}
