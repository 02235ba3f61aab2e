package server

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/api/spec"
	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// faulty is a request with faults. Some of them are in the state of the service.
type faulty struct {
	*tenant
	signer       requisite.Signer
	path, method string
	media        string
	ofRules      bool // account.documentRules.publish, else business.salesInfo.create
	account      string
	business     string
	currency     string
	unknownField bool
	announced    bool // Content-Length is too large
	endless      bool // the body is too large
	idempotency  string
	version      string
	unsigned     string // an element that the signature lacks
	signedAt     time.Time
	ctx          context.Context
	after        []func(http.Header) // change the headers after signing
	sent         []func(http.Header) // change the headers last
	restore      []func()
}

// fault makes a request fail at one step.
type fault struct {
	when string // the beginning of the step's When
	code refusal.Code
	sub  refusal.SubCode
	make func(*faulty)
}

func (f *faulty) send() *httptest.ResponseRecorder {
	body := fmt.Sprintf(`{"business_id":%q,"sales_info":{"sales_amount":[{"type":"HIGHEST_TICKET_SALE","value":1,"currency":%q}]}`, f.business, f.currency)
	limit := bodyLimit
	if f.ofRules {
		body, limit = fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[]}`, f.account), rulesLimit
	}
	if f.unknownField {
		body += `,"unknown":1`
	}
	body += "}"
	if f.endless {
		body += strings.Repeat(" ", limit)
	}
	header := http.Header{"Content-Type": {f.media}}
	f.sign(header, body)
	for _, change := range slices.Concat(f.after, f.sent) {
		change(header)
	}
	r := httptest.NewRequestWithContext(f.ctx, f.method, f.path, strings.NewReader(body))
	r.Header = header
	switch {
	case f.announced:
		r.ContentLength = int64(limit) + 1
	case f.endless:
		r.ContentLength = -1
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// sign signs as the clients do, without the element that a fault leaves out.
func (f *faulty) sign(header http.Header, body string) {
	sum := sha256.Sum256([]byte(body))
	header.Set(sig1.HeaderAPIKey, f.signer.APIKey)
	header.Set(sig1.HeaderAuthToken, f.signer.AuthToken)
	header.Set(sig1.HeaderTimestamp, strconv.FormatInt(f.signedAt.Unix(), 10))
	header.Set(sig1.HeaderNonce, rand.Text())
	header.Set(sig1.HeaderContentSHA256, base64.StdEncoding.EncodeToString(sum[:]))
	elements := [][2]string{
		{"API-Key", f.signer.APIKey}, {"HTTP-Verb", f.method}, {"URL-Path", f.path}, {"Timestamp", header.Get(sig1.HeaderTimestamp)},
		{"Nonce", header.Get(sig1.HeaderNonce)}, {"Content-SHA256", header.Get(sig1.HeaderContentSHA256)},
	}
	if f.idempotency != "" {
		header.Set(sig1.HeaderIdempotencyKey, f.idempotency)
		elements = append(elements, [2]string{"Idempotency-Key", f.idempotency})
	}
	if f.version != "" {
		header.Set(sig1.HeaderVersion, f.version)
		elements = append(elements, [2]string{"API-Version", f.version})
	}
	var names, values []string
	for _, e := range elements {
		if e[0] != f.unsigned {
			names, values = append(names, e[0]), append(values, e[1])
		}
	}
	header.Set(sig1.HeaderSignedElements, strings.Join(names, ";"))
	mac := hmac.New(sha256.New, f.signer.Secret)
	mac.Write([]byte(strings.Join(append([]string{header.Get(sig1.HeaderSignedElements)}, values...), "\n")))
	header.Set(sig1.HeaderAuthorization, sig1.Scheme+" "+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// fill takes all slots of a limiter that are free for a tenant.
func (f *faulty) fill(l *limiter.Limiter, tenant string) {
	taken := l.Take(tenant, l.Free(tenant))
	require.NotZero(f, taken)
	f.restore = append(f.restore, func() { l.Release(tenant, taken) })
}

// TestRefusals_FollowTheDocumentedOrder sends a request with two faults for every two
// steps on the page. The earlier step must win. The test leaves out the last two steps:
// STILL_RUNNING needs a started run, and the last one can happen at any point.
func TestRefusals_FollowTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 40}})
	c.at = time.Now().Truncate(time.Millisecond)
	business := func() string {
		return c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, ""))["business_id"].(string)
	}
	withSales := business()
	c.data("business.salesInfo.create", fmt.Sprintf(`{"business_id":%q,"sales_info":{"sales_amount":[]}}`, withSales))
	keys := c.with(domain.NewCredential{Name: "keys", Permissions: domain.Permissions{domain.PermissionKeys}})
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}
	for _, operation := range []string{"business.salesInfo.create", "account.documentRules.publish"} {
		_, err := c.store.Write(t.Context(), domain.Call{Scope: scope, Actor: domain.APIKey("c"), Operation: operation, IdempotencyKey: "used", BodySHA256: make([]byte, sha256.Size)},
			func(*store.Records) (any, error) { return wire.Empty{}, nil })
		require.NoError(t, err)
	}
	usual, full := c.store, database.Open(t, pgtest.As(c.url, pgtest.Serving), nil, store.Options{Quotas: store.Quotas{Outcomes: 1}})
	// The queue for a check of rules is full.
	idle, busy := c.rules, engine.New(c.store.Versions, 1<<20)
	checks, organization := busy.Limiters()[1], c.organization.String()
	_, err := checks.Wait(t.Context(), organization, 0)
	require.NoError(t, err)
	waits, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	const queued = 10
	for range queued {
		go func() {
			_, _ = checks.Wait(waits, organization, limiter.Forever)
			ended <- struct{}{}
		}()
	}
	becomes(t, "waiting checks", queued, func() int { return checks.Stat().Waiting })
	defer func() {
		stop()
		for range queued {
			<-ended
		}
	}()
	past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()

	set := func(name string, value func() string) func(*faulty) {
		return func(f *faulty) { f.after = append(f.after, func(h http.Header) { h.Set(name, value()) }) }
	}
	fixed := func(text string) func() string { return func() string { return text } }
	faults := []fault{
		{"", refusal.UnknownOperation, "", func(f *faulty) { f.path = "/business.salesInfo.mislay" }},
		{"", refusal.MethodNotAllowed, "", func(f *faulty) { f.method = http.MethodPut }},
		{"", refusal.UnsupportedMediaType, "", func(f *faulty) { f.media = "text/plain" }},
		{"Content-Length is larger", refusal.RequestTooLarge, "", func(f *faulty) { f.announced = true }},
		{"There is no room for the body", refusal.Unavailable, "", func(f *faulty) { f.fill(f.Limiters.Bodies.Unverified, "") }},
		{"The body is larger", refusal.RequestTooLarge, "", func(f *faulty) { f.endless = true }},
		{"", refusal.AuthMissingHeader, "", func(f *faulty) {
			f.after = append(f.after, func(h http.Header) { h.Del(sig1.HeaderAuthToken) })
		}},
		{"", refusal.AuthInvalidHeader, "", set(sig1.HeaderAuthorization, fixed("Basic x"))},
		{"The API key is malformed", refusal.AuthInvalidAPIKey, "", set(sig1.HeaderAPIKey, fixed("key"))},
		{"The credential cannot be looked up", refusal.Unavailable, "", func(f *faulty) { f.ctx = past }},
		{"", refusal.AuthInvalidAPIKey, "", set(sig1.HeaderAPIKey, func() string {
			unknown := id.New()
			return "sb_" + id.Base62(unknown[:])
		})},
		{"", refusal.AuthInvalidAuthToken, "", set(sig1.HeaderAuthToken, fixed("another"))},
		{"", refusal.AuthSignatureMismatch, "", set(sig1.HeaderAuthorization, fixed(sig1.Scheme+" "+knownAnswer))},
		{"", refusal.AuthElementRequired, "", func(f *faulty) { f.unsigned = "Nonce" }},
		{"", refusal.AuthTimestampExpired, "", func(f *faulty) { f.signedAt = f.signedAt.Add(-time.Hour) }},
		{"The credential has used up", refusal.TooManyRequests, "", func(f *faulty) { f.fill(f.Limiters.Bodies.Verified, organization) }},
		{"", refusal.AuthNonceReused, "", func(f *faulty) {
			f.sent = append(f.sent, func(h http.Header) {
				fresh, err := usual.Credentials.UseNonce(t.Context(), h.Get(sig1.HeaderAPIKey), h.Get(sig1.HeaderNonce), f.at)
				require.NoError(t, err)
				require.True(t, fresh)
			})
		}},
		{"", refusal.Forbidden, "", func(f *faulty) { f.signer = keys.signer }},
		{"", refusal.UnknownVersion, "", func(f *faulty) { f.version = "1999-01-01" }},
		{"Idempotency-Key, X-Sandbox-Today", refusal.BadRequest, "", func(f *faulty) { f.idempotency = strings.Repeat("x", 256) }},
		{"The check of the rules", refusal.TooManyRequests, "", func(f *faulty) {
			f.ofRules, f.Server.rules = true, busy
			f.restore = append(f.restore, func() { f.Server.rules = idle })
		}},
		{"All other problems of the request itself", refusal.BadRequest, "", func(f *faulty) { f.unknownField = true }},
		{"X-Sandbox-Answer asks for it", refusal.Unavailable, "", set(spec.HeaderSandboxAnswer, fixed("UNAVAILABLE"))},
		{"A repeat", refusal.IdempotencyKeyReused, "", func(f *faulty) { f.idempotency = "used" }},
		{"The limit of stored outcomes", refusal.TooManyRequests, "", func(f *faulty) {
			f.idempotency, f.Server.store = rand.Text(), full
			f.restore = append(f.restore, func() { f.Server.store = usual })
		}},
		{"", refusal.EntityNotFound, "", func(f *faulty) {
			f.business, f.account = "b_"+strings.Repeat("7", 21), "sb_"+strings.Repeat("7", 21)
		}},
		{"Problems that only the records show", refusal.BadRequest, "", func(f *faulty) { f.currency = "EUR" }},
		{"The operation's own refusals", refusal.SystemRuleViolation, refusal.SalesInfoExists, func(f *faulty) { f.business = withSales }},
	}

	stepOf := func(x fault) int {
		var found []int
		for i, s := range reference.Precedence {
			if strings.HasPrefix(s.When, x.when) && (x.when != "" || s.When == "") && (slices.Contains(s.Codes, x.code) || s.Codes == nil && x.sub != "") {
				found = append(found, i)
			}
		}
		require.Len(t, found, 1, "%s %s", x.code, x.when)
		return found[0]
	}
	slices.SortFunc(faults, func(a, b fault) int { return stepOf(a) - stepOf(b) })
	require.Len(t, faults, len(reference.Precedence)-2, "every step except the last two has a fault")
	// A request with rules cannot break the steps about sales.
	ofRules := func(x fault) bool { return strings.HasPrefix(x.when, "The check of the rules") }
	ofSales := func(x fault) bool { return x.sub != "" || strings.HasPrefix(x.when, "Problems that only") }
	sent := 0
	for i, earlier := range faults {
		require.Equal(t, i, stepOf(earlier))
		for _, later := range faults[i:] {
			if ofRules(earlier) && ofSales(later) {
				continue
			}
			f := &faulty{
				tenant: c, signer: c.signer, method: http.MethodPost, media: "application/json", ofRules: ofRules(later) || ofRules(earlier),
				account: c.account, business: business(), currency: "USD", signedAt: c.at, ctx: t.Context(),
			}
			f.path = "/business.salesInfo.create"
			if f.ofRules {
				f.path = "/account.documentRules.publish"
			}
			later.make(f)
			if later.when != earlier.when || later.code != earlier.code {
				earlier.make(f) // overrides later where both change the same field
			}
			w := f.send()
			for _, undo := range f.restore {
				undo()
			}
			var answer struct{ Errors []refusal.Refusal }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
			require.Len(t, answer.Errors, 1, "%s %s", later.code, later.when)
			require.Equal(t, []any{earlier.code, earlier.sub, earlier.code.Status()}, []any{answer.Errors[0].Code, answer.Errors[0].SubCode, w.Code},
				"%s (%s) comes before %s (%s): %s", earlier.code, earlier.when, later.code, later.when, w.Body)
			sent++
		}
	}
	require.Greater(t, sent, 300)
	require.Zero(t, c.Limiters.Bodies.Unverified.Stat().InUse+c.Limiters.Bodies.Verified.Stat().InUse)
}

var (
	listItem = regexp.MustCompile(`(?s)<li>(.*?)</li>`)
	tags     = regexp.MustCompile(`<[^>]*>`)
)

// TestDocsPage_ShowsTheOrderOfRefusals, with the reason of each step.
func TestDocsPage_ShowsTheOrderOfRefusals(t *testing.T) {
	page := fetch(t, errorsPage).Body.String()
	_, section, found := strings.Cut(page, `<section id="precedence">`)
	require.True(t, found)
	section, _, _ = strings.Cut(section, "</section>")
	items := listItem.FindAllStringSubmatch(section, -1)
	require.Len(t, items, len(reference.Precedence))
	for i, s := range reference.Precedence {
		text := html.UnescapeString(tags.ReplaceAllString(items[i][1], ""))
		var want []string
		for _, code := range s.Codes {
			want = append(want, fmt.Sprintf("%d %s", code.Status(), code))
		}
		require.True(t, strings.HasPrefix(text, strings.Join(want, " or ")), text)
		require.Contains(t, text, s.When)
		require.Equal(t, s.Of.Words != reference.AnyOperation.Words && s.Of.Words != reference.NoOperation.Words, strings.Contains(text, "Only "+s.Of.Words+"."), text)
	}
}
