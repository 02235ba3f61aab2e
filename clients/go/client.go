// Package requisite calls the API of Requisite and receives its webhooks. It
// needs nothing beyond the standard library.
//
// A [Client] signs requests, retries them if that is safe, and returns refusals as
// [Error]. It has a method for each operation. A [Receiver] is an http.Handler that
// verifies and decrypts webhooks. It processes each event once.
package requisite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	crypto "crypto/rand"
)

// userAgent is sent as User-Agent.
const userAgent = "requisite-client-go/1.0.0"

// maxAnswer is the most bytes that are read of a response.
const maxAnswer = 64 << 20

// Client calls one API with one credential. It is safe for concurrent use. Use New to
// make one. The zero value of Retry does not retry.
type Client struct {
	// BaseURL is the address of the API, such as https://requisite.example.com.
	BaseURL string
	Signer  Signer
	// HTTP sends the requests. It should have a timeout. Redirects are not followed.
	HTTP *http.Client
	// Retry limits the retries of a request. The zero value allows none.
	Retry Retry
	// APIVersion is sent as X-API-Version when it is not empty.
	APIVersion string
}

// Retry limits the retries of a request. The client retries after a lost connection, 409
// REQUEST_IN_PROGRESS, 429 and 5xx. It signs each retry again. A retry of a request that
// writes has the same Idempotency-Key, so that it takes effect once.
//
// A call whose timestamp is refused is also sent once more, with the clock of the service: over TLS
// or to a loopback address, if the clocks differ by at most a day. This is no attempt of Retry.
type Retry struct {
	// Attempts is the maximum number of attempts, including the first.
	Attempts int
	// Wait is the longest wait before the second attempt. It doubles with each attempt.
	// The client waits for a random time between half of it and all of it.
	Wait time.Duration
	// MaxWait limits each wait. The client does not retry a response whose Retry-After is
	// longer.
	MaxWait time.Duration
	// Total limits the time from the first attempt to the beginning of the last one. Zero is
	// no limit.
	Total time.Duration
}

// DefaultRetry returns the limits that New uses.
func DefaultRetry() Retry {
	return Retry{Attempts: 5, Wait: 500 * time.Millisecond, MaxWait: 30 * time.Second, Total: 5 * time.Minute}
}

// New returns a client with DefaultRetry. secretKey is in standard Base64, as the operator
// of the service hands it out.
func New(baseURL, apiKey, secretKey, authToken string) (*Client, error) {
	signer, err := NewSigner(apiKey, secretKey, authToken)
	if err != nil {
		return nil, err
	}
	if err := checkAddress(baseURL); err != nil {
		return nil, err
	}
	return &Client{BaseURL: baseURL, Signer: signer, HTTP: &http.Client{Timeout: time.Minute, Transport: transport()}, Retry: DefaultRetry()}, nil
}

func checkAddress(baseURL string) error {
	if u, err := url.Parse(baseURL); err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return errors.New("requisite: the base URL must be the address of the API, such as https://requisite.example.com")
	}
	return nil
}

// transport is shared by all clients. It keeps more idle connections than Go's default of
// two: otherwise 30 of 32 concurrent calls would open a new connection each time.
var transport = sync.OnceValue(func() http.RoundTripper {
	usual, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // the program has replaced it
		return http.DefaultTransport
	}
	keeping := usual.Clone()
	keeping.MaxIdleConnsPerHost = 100 // as many as Go keeps for all hosts
	return keeping
})

// Option modifies a request before it is signed.
type Option func(http.Header)

// IdempotencyKey makes a request safe to repeat across calls and processes: requests with
// the same key and body take effect once. A key has 1 to 255 printable ASCII characters;
// a call with any other key fails with ErrKey. Without this option, each call of an
// operation that writes gets a new key.
func IdempotencyKey(key string) Option {
	return func(h http.Header) { h.Set(headerIdempotencyKey, key) }
}

// ErrKey is the error of a call with a malformed IdempotencyKey. The client does not send
// the request.
var ErrKey = errors.New("requisite: an idempotency key has 1 to 255 printable ASCII characters, without spaces around them")

func checkKey(h http.Header) error {
	keys, given := h[headerIdempotencyKey]
	if !given {
		return nil
	}
	for _, key := range keys {
		odd := func(r rune) bool { return r < ' ' || r > '~' }
		if key == "" || len(key) > 255 || strings.TrimSpace(key) != key || strings.ContainsFunc(key, odd) {
			return ErrKey
		}
	}
	return nil
}

// Trace continues a W3C trace.
func Trace(traceparent string) Option {
	return func(h http.Header) { h.Set("traceparent", traceparent) }
}

// SandboxAnswer asks for an answer that is hard to meet by chance, such as RATE_LIMITED. Only
// credentials of the sandbox may. The client sends it with each retry.
func SandboxAnswer(answer string) Option {
	return func(h http.Header) { h.Set("X-Sandbox-Answer", answer) }
}

// SandboxToday makes a day, such as 2027-06-01, the account's today for this call: the day of the
// clock, or up to five years later. Only credentials of the sandbox may. A repeat with the same
// IdempotencyKey must name the same day.
func SandboxToday(day string) Option {
	return func(h http.Header) { h.Set(headerSandboxToday, day) }
}

// Answer is the envelope of a response. It ignores fields that this package does not know.
type Answer struct {
	HTTPStatus int             `json:"-"`
	Header     http.Header     `json:"-"`
	Body       []byte          `json:"-"`
	Meta       Meta            `json:"meta"`
	Data       json.RawMessage `json:"data"`
	Errors     []Error         `json:"errors"`
	// Replayed is true if an earlier request with the same Idempotency-Key did the work, and this
	// one did none.
	Replayed bool `json:"-"`
	// Decided is the decision that the response names.
	Decided `json:"-"`
}

// Result is the successful response of an operation. It has the TraceID and the Warnings of Meta.
type Result[T any] struct {
	Data T
	Meta
	Decided
	// Replayed is true if an earlier request with the same Idempotency-Key did the work, and this
	// one did none.
	Replayed bool
}

// Decided is the recorded decision that a response names. Refusals can be decisions too.
// Store both values with your application: they prove the decision later. They are empty if
// nothing was decided.
type Decided struct {
	DecisionID     string
	DecisionDigest string
}

type operation struct{ writes bool }

// Send signs and sends an unchanged body once, and returns the response of the API, which
// may be a refusal. An error means that there was no response in the envelope.
func (c *Client) Send(ctx context.Context, operation string, body []byte, options ...Option) (Answer, error) {
	request, err := c.request(ctx, operation, body, options)
	if err != nil {
		return Answer{}, err
	}
	return c.send(request, operation, body, 0)
}

// request returns the request of one attempt, unsigned. Its errors are mistakes of the program, so a retry does
// not help.
func (c *Client) request(ctx context.Context, operation string, body []byte, options []Option) (*http.Request, error) {
	if err := checkAddress(c.BaseURL); err != nil {
		return nil, err
	}
	target, err := url.JoinPath(c.BaseURL, operation)
	if err != nil {
		return nil, fmt.Errorf("address of %s: %w", operation, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("request for %s: %w", operation, err)
	}
	// Without GetBody the HTTP client cannot resend the request by itself. The nonce would
	// be used twice.
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", userAgent)
	if c.APIVersion != "" {
		request.Header.Set(headerVersion, c.APIVersion)
	}
	for _, option := range options {
		option(request.Header)
	}
	if err := checkKey(request.Header); err != nil {
		return nil, err
	}
	for name, values := range request.Header {
		if strings.ContainsFunc(strings.Join(values, ""), unicode.IsControl) {
			return nil, fmt.Errorf("requisite: the header %q must not have control characters", name)
		}
	}
	return request, nil
}

// send signs a request with a clock that is corrected, and sends it.
func (c *Client) send(request *http.Request, operation string, body []byte, correction time.Duration) (Answer, error) {
	c.Signer.Sign(request.Method, request.URL.RequestURI(), request.Header, body, time.Now().Add(correction))
	client := *cmp.Or(c.HTTP, http.DefaultClient)
	// Follow no redirect: the signature is for one path, and the credential must not go to
	// another host.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("call %s: %w", operation, err)
	}
	defer response.Body.Close()
	answer := Answer{HTTPStatus: response.StatusCode, Header: response.Header}
	if answer.Body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer)); err != nil {
		return answer, fmt.Errorf("answer of %s: %w", operation, err)
	}
	if err := json.Unmarshal(answer.Body, &answer); err != nil || answer.Meta.Status == "" {
		return answer, &UnexpectedAnswer{Operation: operation, HTTPStatus: response.StatusCode}
	}
	answer.Decided = Decided{response.Header.Get(headerDecisionID), response.Header.Get(headerDecisionDigest)}
	answer.Replayed = response.Header.Get("Idempotent-Replayed") == "true"
	for i := range answer.Errors {
		answer.Errors[i].complete(answer, operation, request.URL.RequestURI())
	}
	return answer, nil
}

// Call sends a request, retries it within the limits of Retry, and decodes data into out,
// which may be nil. It returns a refusal as Error, and a key without its secret as SecretLost. If ctx ends while it waits for a retry,
// the error wraps both the last failure and the error of ctx. Use it for operations without a method
// in this package, and for requests that are JSON already.
func (c *Client) Call(ctx context.Context, operation string, request, out any, options ...Option) (Answer, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return Answer{}, fmt.Errorf("encode a request for %s: %w", operation, err)
	}
	answer, err := c.repeat(ctx, operation, body, options)
	switch {
	case err != nil:
		return answer, err
	case operation == "webhook.key.create":
		if err := lost(answer); err != nil {
			return answer, err
		}
	}
	if out == nil {
		return answer, nil
	}
	if err := json.Unmarshal(answer.Data, out); err != nil {
		return answer, fmt.Errorf("data of %s: %w", operation, err)
	}
	return answer, nil
}

func (c *Client) repeat(ctx context.Context, operation string, body []byte, options []Option) (Answer, error) {
	known, ok := operations[operation]
	if c.Retry.Attempts > 1 && (known.writes || !ok) {
		key := crypto.Text()
		options = append([]Option{IdempotencyKey(key)}, options...) // a key of the caller overrides it
	}
	began := time.Now()
	var correction time.Duration
	for attempt := 1; ; attempt++ {
		request, err := c.request(ctx, operation, body, options)
		if err != nil {
			return Answer{}, err
		}
		answer, err := c.send(request, operation, body, correction)
		if err == nil && len(answer.Errors) > 0 {
			err = answer.Errors[0]
		} else if err == nil && answer.HTTPStatus != http.StatusOK {
			err = &UnexpectedAnswer{Operation: operation, HTTPStatus: answer.HTTPStatus}
		}
		if correction == 0 {
			if correction = c.correction(err); correction != 0 {
				attempt--
				continue
			}
		}
		if err == nil || ctx.Err() != nil || attempt >= c.Retry.Attempts || !repeatable(answer.HTTPStatus, err) {
			return answer, err
		}
		wait := c.Retry.wait(attempt)
		if answer.Header != nil {
			if asked, ok := retryAfter(answer.Header, time.Now()); ok {
				wait = max(wait, asked)
			}
		}
		if wait > c.Retry.MaxWait || c.Retry.Total > 0 && time.Since(began)+wait > c.Retry.Total {
			return answer, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return answer, fmt.Errorf("%w; no retry: %w", err, ctx.Err())
		case <-timer.C:
		}
	}
}

// maxCorrection is the most that a call corrects its clock by.
const maxCorrection = 24 * time.Hour

// correction returns by how much a refused timestamp differs from the clock of the service. It is 0
// if the answer must not be trusted: somebody who answers in place of the service could collect
// signatures that become valid tomorrow.
func (c *Client) correction(err error) time.Duration {
	var refused Error
	if !errors.As(err, &refused) || refused.Code != "AUTH_TIMESTAMP_EXPIRED" {
		return 0
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Scheme != "https" && base.Hostname() != "localhost" && !net.ParseIP(base.Hostname()).IsLoopback() {
		return 0
	}
	seconds, most := refused.DifferenceSeconds, int64(maxCorrection/time.Second)
	if seconds < -most || seconds > most {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// wait returns the time to wait after an attempt, which is partly random.
func (r Retry) wait(attempt int) time.Duration {
	wait := min(r.Wait<<min(attempt-1, 20), r.MaxWait)
	if wait <= 1 {
		return max(wait, 0)
	}
	return wait/2 + rand.N(wait/2)
}

// repeatable reports whether the same request may succeed later. A lost response is
// repeatable too, because the Idempotency-Key finds the first outcome.
func repeatable(status int, err error) bool {
	var refused Error
	if errors.As(err, &refused) {
		return refused.Code == "REQUEST_IN_PROGRESS" || refused.Code == "TOO_MANY_REQUESTS" || status >= 500
	}
	var unexpected *UnexpectedAnswer
	if errors.As(err, &unexpected) {
		return status == http.StatusTooManyRequests || status >= 500
	}
	return true
}

// retryAfter reads Retry-After, in seconds or as a date.
func retryAfter(header http.Header, now time.Time) (time.Duration, bool) {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// call is Call with the type of data.
func call[Data any](ctx context.Context, c *Client, operation string, in any, options []Option) (Result[Data], error) {
	var r Result[Data]
	answer, err := c.Call(ctx, operation, in, &r.Data, options...)
	r.Meta, r.Decided, r.Replayed = answer.Meta, answer.Decided, answer.Replayed
	return r, err
}

// AllEvents goes through the events of an account with their Data, in the order of the feed, until
// none is left. It sets Order and IncludeData. Each event is what a Receiver gives to Handle. To
// continue later, read pages with WebhookEventList and store Next. An error ends it.
func (c *Client) AllEvents(ctx context.Context, in EventListRequest, options ...Option) iter.Seq2[Event, error] {
	order, data := EventListOrderOldestFirst, true
	in.Order, in.IncludeData = &order, &data
	return c.WebhookEventListAll(ctx, in, options...)
}

// pages iterates over the items of all pages. read returns the page after a cursor, or the
// first page for nil.
func pages[Item any](read func(after *string) ([]Item, *string, error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var after *string
		for {
			items, next, err := read(after)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			after = next
		}
	}
}
