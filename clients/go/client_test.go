package requisite

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func read(t *testing.T, path string, out any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSignatureVectors(t *testing.T) {
	var file struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
		Vectors   []struct {
			Name, Method, Target, Body, Timestamp, Nonce string
			IdempotencyKey                               string            `json:"idempotency_key"`
			APIVersion                                   string            `json:"api_version"`
			StringToSign                                 string            `json:"string_to_sign"`
			Headers                                      map[string]string `json:"headers"`
		}
	}
	read(t, "../../docs/signature-vectors.json", &file)
	s, err := NewSigner(file.APIKey, file.SecretKey, file.AuthToken)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) < 6 {
		t.Fatal("vectors are missing")
	}
	for _, v := range file.Vectors {
		if got := scheme + " " + s.signature(v.StringToSign); got != v.Headers["authorization"] {
			t.Errorf("%s: %s", v.Name, got)
		}
		if v.Nonce == "" {
			continue // a signature over the API key alone, which this package never makes
		}
		header := http.Header{}
		if v.IdempotencyKey != "" {
			header.Set("Idempotency-Key", v.IdempotencyKey)
		}
		if v.APIVersion != "" {
			header.Set("X-API-Version", v.APIVersion)
		}
		seconds, _ := strconv.ParseInt(v.Timestamp, 10, 64)
		s.sign(v.Method, v.Target, header, []byte(v.Body), time.Unix(seconds, 0), v.Nonce)
		if len(header) != len(v.Headers) {
			t.Errorf("%s: %v", v.Name, header)
		}
		for name, want := range v.Headers {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q, not %q", v.Name, name, got, want)
			}
		}
	}
}

// seen is a request that a server received.
type seen struct {
	path, body string
	header     http.Header
}

// serve answers one request after the other, and records them.
func serve(t *testing.T, answers ...func(http.ResponseWriter)) (*Client, *[]seen) {
	var got []seen
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, seen{r.URL.Path, string(body), r.Header})
		if len(got) > len(answers) {
			t.Errorf("%d requests came", len(got))
			return
		}
		answers[len(got)-1](w)
	}))
	t.Cleanup(s.Close)
	c, err := New(s.URL+"/v1", "sb_k", "c2VjcmV0", "token")
	if err != nil {
		t.Fatal(err)
	}
	c.Retry = Retry{Attempts: 4, Wait: time.Nanosecond, MaxWait: 2 * time.Second}
	return c, &got
}

func answer(status int, body string, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const (
	done        = `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"v","later":1},"data":{"business_id":"b_1","later":[{}]}}`
	unavailable = `{"meta":{"status":"ERROR","trace_id":"trc_2","version":"v"},"errors":[{"code":"UNAVAILABLE","message":"later"}]}`
)

// TestCall_ReturnsFaultsOfTheProgramAtOnce: the wait before a repeat would outlast the test.
func TestCall_ReturnsFaultsOfTheProgramAtOnce(t *testing.T) {
	for name, spoil := range map[string]func(*Client) Option{
		"trace":          func(*Client) Option { return Trace("00-1\n") },
		"sandbox answer": func(*Client) Option { return SandboxAnswer("\x00") },
		"version":        func(c *Client) Option { c.APIVersion = "2025\r\n"; return func(http.Header) {} },
		"no scheme":      func(c *Client) Option { c.BaseURL = "api.example.com"; return func(http.Header) {} },
		"other scheme":   func(c *Client) Option { c.BaseURL = "ftp://api.example.com"; return func(http.Header) {} },
	} {
		c, _ := serve(t)
		c.Retry = Retry{Attempts: 2, Wait: 1000 * time.Hour, MaxWait: 1000 * time.Hour}
		if _, err := c.MetaCheckVersion(t.Context(), Empty{}, spoil(c)); err == nil {
			t.Error(name)
		}
	}
}

func TestRetry_KeepsTheIdempotencyKeyAndRenewsTheNonce(t *testing.T) {
	broken := func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }
	c, got := serve(t, answer(503, unavailable, "Retry-After", "0"), broken, answer(502, "<html>"), answer(200, done))
	r, err := c.BusinessCreate(t.Context(), BusinessCreateRequest{AccountID: "sb_1", Business: BusinessCreateRequestBusiness{LegalName: "A", Email: Null[string]()}})
	if err != nil || r.Data.BusinessID != "b_1" || r.TraceID != "trc_1" {
		t.Fatal(r, err)
	}
	nonces, keys := map[string]bool{}, map[string]bool{}
	for _, s := range *got {
		nonces[s.header.Get("X-API-Nonce")], keys[s.header.Get("Idempotency-Key")] = true, true
		if s.path != "/v1/business.create" || s.body != `{"account_id":"sb_1","business":{"legal_name":"A","email":null}}` {
			t.Error(s.path, s.body)
		}
		if !strings.HasSuffix(s.header.Get("X-API-Signed-Elements"), ";Idempotency-Key") {
			t.Error(s.header)
		}
	}
	if len(*got) != 4 || len(nonces) != 4 || len(keys) != 1 || keys[""] {
		t.Error(len(*got), nonces, keys)
	}
}

// TestMalformedIdempotencyKey_IsNotSent, and the client does not replace it by another.
func TestMalformedIdempotencyKey_IsNotSent(t *testing.T) {
	for _, key := range []string{"", " ", "a ", "\n", "é", strings.Repeat("k", 256)} {
		c, got := serve(t)
		if _, err := c.BusinessCreate(t.Context(), BusinessCreateRequest{}, IdempotencyKey(key)); !errors.Is(err, ErrKey) || len(*got) != 0 {
			t.Errorf("%q: %v, sent %d times", key, err, len(*got))
		}
	}
	c, got := serve(t, answer(200, done))
	if _, err := c.BusinessCreate(t.Context(), BusinessCreateRequest{}, IdempotencyKey("order 7, "+strings.Repeat("k", 246))); err != nil || len(*got) != 1 {
		t.Error(err)
	}
}

func TestRetry_StopsAtItsLimits(t *testing.T) {
	four := []func(http.ResponseWriter){answer(503, unavailable), answer(503, unavailable), answer(503, unavailable), answer(503, unavailable)}
	c, got := serve(t, four...)
	_, err := c.MetaCheckVersion(t.Context(), Empty{})
	var refused Error
	if !errors.As(err, &refused) || refused.Code != "UNAVAILABLE" || refused.TraceID != "trc_2" || refused.HTTPStatus != 503 || len(*got) != 4 {
		t.Fatal(err, len(*got))
	}
	if (*got)[0].header.Get("Idempotency-Key") != "" {
		t.Error("a request that reads has an Idempotency-Key")
	}
	c, got = serve(t, answer(429, strings.Replace(unavailable, "UNAVAILABLE", "TOO_MANY_REQUESTS", 1), "Retry-After", "3"))
	if _, err = c.MetaCheckVersion(t.Context(), Empty{}); !errors.As(err, &refused) || refused.RetryAfter != 3*time.Second || len(*got) != 1 {
		t.Fatal("the client retries after a wait longer than MaxWait:", err)
	}
}

func TestRetry_DoesNotRepeatRefusals(t *testing.T) {
	c, got := serve(t, answer(400, `{"meta":{"status":"ERROR","trace_id":"trc_3","version":"v"},"errors":[{"code":"BAD_REQUEST","message":"m","details":[{"field":"a.b","message":"wrong"},{"field":"","message":"odd"}]}]}`),
		answer(400, `{"meta":{"status":"ERROR","trace_id":"trc_3","version":"v"},"errors":[{"code":"SYSTEM_RULE_VIOLATION","sub_code":"WORKFLOW_ENDED","message":"m","entity_type":"Workflow","entity_id":"w_1"}]}`),
		answer(400, `{"meta":{"status":"ERROR","trace_id":"trc_3","version":"v"},"errors":[{"code":"MISSING_REQUIREMENTS","message":"m","details":[{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_1","message":"State it.","related_endpoints":["person.update"],"fields":["citizenship"],"missing":[{"field":"citizenship"}]}]}]}`),
		answer(302, "", "Location", "/elsewhere"))
	var refused Error
	_, err := c.WorkflowStart(t.Context(), WorkflowRequest{}, IdempotencyKey("mine"))
	if !errors.As(err, &refused) || len(refused.Problems()) != 2 || refused.Problems()[0].Field != "a.b" || refused.Gaps() != nil {
		t.Fatal(err)
	}
	if want := "BAD_REQUEST: m\n- a.b: wrong\n- odd"; err.Error() != want {
		t.Errorf("the error reads %q, not %q", err, want)
	}
	if (*got)[0].header.Get("Idempotency-Key") != "mine" {
		t.Error("the client does not send the caller's key")
	}
	_, err = c.WorkflowStart(t.Context(), WorkflowRequest{})
	if !errors.As(err, &refused) || refused.SubCode != "WORKFLOW_ENDED" || refused.EntityID != "w_1" {
		t.Fatal(err)
	}
	_, err = c.WorkflowRequiredDocumentCalculate(t.Context(), WorkflowRequest{})
	if !errors.As(err, &refused) || len(refused.Gaps()) != 1 || refused.Gaps()[0].EntityID != "p_1" || err.Error() != "MISSING_REQUIREMENTS: m\n- State it." {
		t.Fatal(err)
	}
	var unexpected *UnexpectedAnswer
	c.HTTP = &http.Client{} // a caller's own client
	if _, err = c.WorkflowStart(t.Context(), WorkflowRequest{}); !errors.As(err, &unexpected) || unexpected.HTTPStatus != 302 || len(*got) != 4 {
		t.Fatal("the client follows a redirect:", err)
	}
}

// TestConcurrentCalls_KeepTheirConnections for later calls.
func TestConcurrentCalls_KeepTheirConnections(t *testing.T) {
	const calls = 16
	var opened atomic.Int64
	var arrived sync.WaitGroup // the server answers when all calls have arrived
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived.Done()
		arrived.Wait()
		answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{}}`)(w)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	c, err := New(server.URL, "sb_1", "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5", "token")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		arrived.Add(calls)
		var all sync.WaitGroup
		for range calls {
			all.Add(1)
			go func() {
				defer all.Done()
				if _, err := c.WorkflowStart(t.Context(), WorkflowRequest{}); err != nil {
					t.Error(err)
				}
			}()
		}
		all.Wait()
	}
	if n := opened.Load(); n != calls {
		t.Errorf("the client opened %d connections for %d concurrent calls", n, calls)
	}
}

func TestPages_AreReadToTheEnd(t *testing.T) {
	page := func(items, next string) func(http.ResponseWriter) {
		return answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{"workflows":[`+items+`],"next":`+next+`}}`)
	}
	c, got := serve(t, page(`{"workflow_id":"w_1"},{"workflow_id":"w_2"}`, `"m1"`), page(`{"workflow_id":"w_3"}`, `null`))
	var ids []string
	for w, err := range c.WorkflowListAll(t.Context(), WorkflowListRequest{AccountID: "sb_1", Page: &Page{Limit: Ptr(int64(2))}}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, w.WorkflowID)
	}
	if strings.Join(ids, " ") != "w_1 w_2 w_3" || !strings.Contains((*got)[1].body, `"after":"m1"`) || !strings.Contains((*got)[1].body, `"limit":2`) {
		t.Fatal(ids, *got)
	}
	feed := func(items, next, caughtUp string) func(http.ResponseWriter) {
		return answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{"events":[`+items+`],"next":`+next+`,"caught_up":`+caughtUp+`}}`)
	}
	c, _ = serve(t, feed(``, `"m1"`, `false`), feed(`{"id":"wh_1"}`, `"m2"`, `true`))
	ids = nil
	for e, err := range c.WebhookEventListAll(t.Context(), EventListRequest{AccountID: "sb_1", Order: Ptr("OLDEST_FIRST")}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	if strings.Join(ids, " ") != "wh_1" {
		t.Fatal("a feed must end at caught_up, not at an empty page:", ids)
	}
	c, got = serve(t, feed(`{"id":"wh_1","data":{}},{"id":"wh_2","data":{}}`, `"m2"`, `true`))
	ids = nil
	handle := func(_ context.Context, e Event) error {
		ids = append(ids, e.ID+string(e.Data))
		return nil
	}
	_ = Receiver{Handle: handle} // one handler takes both
	for e, err := range c.AllEvents(t.Context(), EventListRequest{AccountID: "sb_1", Filters: &EventListRequestFilters{WorkflowID: Ptr("w_1")}}) {
		if err != nil || handle(t.Context(), e) != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(ids, " ") != "wh_1{} wh_2{}" {
		t.Fatal(ids)
	}
	if want := `{"account_id":"sb_1","filters":{"workflow_id":"w_1"},"include_data":true,"order":"OLDEST_FIRST"}`; (*got)[0].body != want {
		t.Fatal((*got)[0].body)
	}
	c, _ = serve(t, page(`{"workflow_id":"w_1"}`, `"m1"`), answer(400, strings.Replace(unavailable, "UNAVAILABLE", "BAD_REQUEST", 1)))
	var last error
	for _, last = range c.WorkflowListAll(t.Context(), WorkflowListRequest{AccountID: "sb_1"}) {
	}
	if last == nil {
		t.Fatal("the iterator loses the refusal of a later page")
	}
}

func TestSandboxAnswer_IsAskedForWithEachRetry(t *testing.T) {
	c, got := serve(t, answer(503, unavailable), answer(200, done), answer(200, `{"meta":{"status":"SUCCESS"},"data":{"workflows":[],"next":null}}`), answer(200, done))
	if _, err := c.WorkflowStart(t.Context(), WorkflowRequest{WorkflowID: "w_1"}, SandboxAnswer("UNAVAILABLE")); err != nil {
		t.Fatal(err)
	}
	for _, err := range c.WorkflowListAll(t.Context(), WorkflowListRequest{AccountID: "sb_1"}, SandboxAnswer("RATE_LIMITED")) {
		t.Fatal(err)
	}
	if _, err := c.WorkflowStart(t.Context(), WorkflowRequest{WorkflowID: "w_1"}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"UNAVAILABLE", "UNAVAILABLE", "RATE_LIMITED", ""} {
		if header := (*got)[i].header; header.Get("X-Sandbox-Answer") != want || strings.Contains(header.Get("X-API-Signed-Elements"), "Sandbox") {
			t.Error(i, header)
		}
	}
}

// TestLostSecret_IsAnError: the answer with the secret is lost, and the repeat has none.
func TestLostSecret_IsAnError(t *testing.T) {
	broken := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	shown := answer(200, `{"meta":{"status":"SUCCESS","trace_id":"trc_4","version":"v","warnings":[{"code":"SECRET_ALREADY_SHOWN","message":"m"}]},"data":{"key_id":"whk_20261120_01","status":"INACTIVE","created_at":"2026-11-20T09:30:00.000Z"}}`)
	for _, call := range []func(*Client) error{
		func(c *Client) error {
			_, err := c.WebhookKeyCreate(t.Context(), AccountRequest{AccountID: "sb_1"})
			return err
		},
		func(c *Client) error {
			_, err := c.Call(t.Context(), "webhook.key.create", AccountRequest{AccountID: "sb_1"}, nil)
			return err
		},
	} {
		c, got := serve(t, broken, shown)
		err := call(c)
		var lost *SecretLost
		if !errors.As(err, &lost) || lost.KeyID != "whk_20261120_01" || lost.TraceID != "trc_4" || !strings.Contains(err.Error(), "whk_20261120_01 is lost") ||
			!strings.Contains(err.Error(), "create another key; this one stays INACTIVE") {
			t.Error(err)
		}
		if len(*got) != 2 || (*got)[0].header.Get("Idempotency-Key") != (*got)[1].header.Get("Idempotency-Key") {
			t.Error("the client does not repeat the request:", *got)
		}
	}
	c, _ := serve(t, answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{"key_id":"whk_1","shared_secret":"c2VjcmV0"}}`))
	if made, err := c.WebhookKeyCreate(t.Context(), AccountRequest{AccountID: "sb_1"}); err != nil || made.Data.SharedSecret != "c2VjcmV0" {
		t.Error(made, err)
	}
}

func TestReplayed_IsTrueForTheWorkOfAnEarlierRequest(t *testing.T) {
	refused := strings.Replace(unavailable, "UNAVAILABLE", "SYSTEM_RULE_VIOLATION", 1)
	c, got := serve(t, answer(200, done), answer(200, done, "Idempotent-Replayed", "true"), answer(400, refused, "Idempotent-Replayed", "true"))
	create := func() (bool, error) {
		r, err := c.BusinessCreate(t.Context(), BusinessCreateRequest{}, IdempotencyKey("k"))
		return r.Replayed, err
	}
	for _, want := range []bool{false, true} {
		if replayed, err := create(); replayed != want || err != nil {
			t.Error(replayed, err)
		}
	}
	var refusal Error
	if _, err := create(); !errors.As(err, &refusal) || !refusal.Replayed {
		t.Error(err)
	}
	if agent := (*got)[0].header.Get("User-Agent"); agent != "requisite-client-go/1.0.0" {
		t.Error(agent)
	}
}

func TestDecisions_AreMembersOfResultsAndRefusals(t *testing.T) {
	decided := []string{"Requisite-Decision-Id", "dec_1", "Requisite-Decision-Digest", "abc"}
	gaps := `{"meta":{"status":"ERROR","trace_id":"trc_2","version":"v"},"errors":[{"code":"MISSING_REQUIREMENTS","message":"m","details":[]}]}`
	c, _ := serve(t, answer(200, done, decided...), answer(400, gaps, decided...), answer(200, done))
	r, err := c.WorkflowRequiredDocumentCalculate(t.Context(), WorkflowRequest{})
	if err != nil || r.DecisionID != "dec_1" || r.DecisionDigest != "abc" || r.TraceID != "trc_1" {
		t.Error(r, err)
	}
	_, err = c.WorkflowRequiredDocumentCalculate(t.Context(), WorkflowRequest{})
	var refused Error
	if !errors.As(err, &refused) || refused.DecisionID != "dec_1" || refused.DecisionDigest != "abc" || refused.TraceID != "trc_2" {
		t.Error(err)
	}
	if r, err = c.WorkflowStart(t.Context(), WorkflowRequest{}); err != nil || r.Decided != (Decided{}) {
		t.Error(r, err)
	}
}

// TestAttempt_EndsWithItsTimeout although the answer goes on, and the client repeats it.
func TestAttempt_EndsWithItsTimeout(t *testing.T) {
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		for {
			if _, err := io.WriteString(w, " "); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer slow.Close()
	c, err := New(slow.URL, "sb_k", "c2VjcmV0", "token")
	if err != nil {
		t.Fatal(err)
	}
	c.HTTP.Timeout, c.Retry = 300*time.Millisecond, Retry{Attempts: 2, MaxWait: time.Second}
	var keys []string // of what is sent: a slow server may not have read it when its time is over
	_, err = c.WorkflowStart(t.Context(), WorkflowRequest{}, func(h http.Header) { keys = append(keys, h.Get("Idempotency-Key")) })
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() || len(keys) != 2 || keys[0] == "" || keys[0] != keys[1] {
		t.Error(err, keys)
	}
}
