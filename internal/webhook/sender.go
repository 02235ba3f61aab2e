package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"requisite/internal/delivery"
	"requisite/internal/telemetry"
)

// Sender posts webhooks. It is safe for concurrent use.
type Sender struct {
	client  *retryablehttp.Client
	tracer  trace.Tracer
	timeout time.Duration
	now     func() time.Time
}

// SenderOptions change what a Sender depends on; the zero value is fit for
// production.
type SenderOptions struct {
	Resolver *net.Resolver
	Roots    *x509.CertPool
	Timeout  time.Duration // delivery.AttemptTimeout when zero
	Tracer   trace.Tracer  // of the spans of attempts; nil makes none
}

// NewSender makes a sender that connects only where guard admits. It uses no
// proxy, whatever the environment says, follows no redirect, and decompresses
// nothing.
func NewSender(guard *Guard, o SenderOptions) *Sender {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Resolver: o.Resolver, ControlContext: guard.control}
	transport := &http.Transport{
		Proxy:                  nil,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    10 * time.Second,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1: one attempt, one connection
		DisableCompression:     true,
		MaxIdleConns:           1000,
		MaxIdleConnsPerHost:    delivery.MaxInFlight,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 32 << 10,
	}
	timeout := o.Timeout
	if timeout == 0 {
		timeout = delivery.AttemptTimeout
	}
	tracer := o.Tracer
	if tracer == nil {
		tracer = noop.NewTracerProvider().Tracer("")
	}
	return &Sender{
		timeout: timeout,
		tracer:  tracer,
		client: &retryablehttp.Client{
			HTTPClient: &http.Client{
				Transport: transport,
				CheckRedirect: func(*http.Request, []*http.Request) error {
					return http.ErrUseLastResponse
				},
			},
			RetryMax:     2,
			RetryWaitMin: 100 * time.Millisecond,
			RetryWaitMax: 400 * time.Millisecond,
			Backoff:      retryablehttp.DefaultBackoff,
			CheckRetry:   onlyWhatNeverLeft,
			ErrorHandler: retryablehttp.PassthroughErrorHandler,
		},
		now: time.Now,
	}
}

// Close gives idle connections back.
func (s *Sender) Close() { s.client.HTTPClient.CloseIdleConnections() }

// dial follows one attempt down to its connection.
type dial struct {
	encrypted bool
	sent      atomic.Bool // the request's head has been written

	mu      sync.Mutex
	address netip.AddrPort
}

type dialKey struct{}

func (d *dial) note(address netip.AddrPort) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.address = address
}

// onlyWhatNeverLeft tries again what failed before a byte of the request was
// sent, such as a refused connection or a broken handshake: whatever may have
// reached the receiver is one attempt, and is logged as one.
func onlyWhatNeverLeft(ctx context.Context, _ *http.Response, err error) (bool, error) {
	d, _ := ctx.Value(dialKey{}).(*dial)
	if err == nil || ctx.Err() != nil || d == nil || d.sent.Load() || errors.Is(err, ErrForbiddenAddress) {
		return false, nil
	}
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	slow := errors.As(err, &timeout) && timeout.Timeout()
	lasting := errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound
	return !slow && !lasting, nil
}

// Result is how an attempt went.
type Result struct {
	StatusCode int    // zero without an answer
	Error      string // empty with a whole answer
	Body       string // at most AnswerLimit bytes, valid UTF-8
	Address    string // that was dialed last
	RetryAfter time.Duration
	Duration   time.Duration
}

// Post sends one body and reads the answer, all within the timeout. An answer
// of which more than AnswerLimit bytes come is cut there, unread. The receiver
// is told the place of the attempt in the trace that ctx is within.
func (s *Sender) Post(ctx context.Context, target string, header http.Header, body []byte) Result {
	started := s.now()
	ctx, span := s.tracer.Start(ctx, http.MethodPost, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	if place := telemetry.Of(ctx); place.Valid() {
		header.Set("traceparent", place.Parent())
	}
	d := &dial{encrypted: strings.HasPrefix(target, "https:")}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, dialKey{}, d), s.timeout)
	defer cancel()
	result := s.post(ctx, d, target, header, body)
	result.Duration = s.now().Sub(started)
	describe(span, target, result)
	d.mu.Lock()
	defer d.mu.Unlock()
	if result.Address == "" && d.address.IsValid() {
		result.Address = d.address.String()
	}
	return result
}

// describe tells the span of an attempt what became of it. Of the URL it tells the
// host alone: a path may hold a secret.
func describe(span trace.Span, target string, result Result) {
	span.SetAttributes(telemetry.AttributeMethod.String(http.MethodPost))
	if u, err := url.Parse(target); err == nil {
		span.SetAttributes(telemetry.AttributeServer.String(u.Host))
	}
	if result.StatusCode != 0 {
		span.SetAttributes(telemetry.AttributeStatusCode.Int(result.StatusCode))
	}
	switch {
	case result.Error != "":
		telemetry.Fail(span, "no_answer")
	case delivery.Classify(result.StatusCode) != delivery.Success:
		telemetry.Fail(span, strconv.Itoa(result.StatusCode))
	}
}

func (s *Sender) post(ctx context.Context, d *dial, target string, header http.Header, body []byte) Result {
	var result Result
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(i httptrace.GotConnInfo) { result.Address = i.Conn.RemoteAddr().String() },
		WroteHeaders: func() { d.sent.Store(true) },
	})
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return Result{Error: "the URL cannot be requested"}
	}
	request.Header = header
	response, err := s.client.Do(request)
	if err != nil {
		result.Error = s.describe(err)
		return result
	}
	defer response.Body.Close()
	result.StatusCode = response.StatusCode
	result.RetryAfter = RetryAfter(response.StatusCode, response.Header.Get("Retry-After"), s.now())
	read, err := io.ReadAll(io.LimitReader(response.Body, AnswerLimit))
	result.Body = printable(read)
	if err != nil {
		result.Error = "the answer broke off: " + s.describe(err)
	}
	return result
}

// printable is text that Postgres keeps: valid UTF-8 without NUL, within the
// limit whatever was replaced.
func printable(data []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(data), "?"), "\x00", "?")
	return text[:min(len(text), AnswerLimit)]
}

// notHTTP marks errors of the HTTP client that quote what was received.
var notHTTP = regexp.MustCompile(`malformed|bad Content-Length|transfer encoding|Location header`)

// describe says what went wrong without the URL, which the reader knows and
// which may hold a secret path, and without words of the answer.
func (s *Sender) describe(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no whole answer within %s", s.timeout)
	}
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	const most = 300
	text := printable([]byte(err.Error())) // the receiver's certificate may speak in it
	if notHTTP.MatchString(text) {
		return "the answer is not valid HTTP"
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Header makes the headers of an attempt.
func Header(eventID string, now time.Time, traceparent string) http.Header {
	h := http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"Requisite-Webhooks/1"},
		"Webhook-Id":        {eventID},
		"Webhook-Timestamp": {strconv.FormatInt(now.Unix(), 10)},
	}
	if traceparent != "" {
		h.Set("traceparent", traceparent)
	}
	return h
}
