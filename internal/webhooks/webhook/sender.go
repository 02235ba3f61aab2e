package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"requisite/internal/telemetry"
	"requisite/internal/webhooks/delivery"
)

// Limits of the parts of an attempt; AttemptTimeout limits the whole.
const (
	connectTimeout   = 10 * time.Second // to one address
	handshakeTimeout = 10 * time.Second // TLS
	idleTimeout      = 30 * time.Second // for which an idle connection is kept
	answerHeaders    = 32 << 10         // bytes of an answer's header
	// maxInterim is how many interim answers (100 to 199) are skipped.
	maxInterim = 5
	// The duration of an attempt without an address is rounded up to noAddressStep.
	// The exact time would tell names in the operator's network from unknown ones.
	noAddressStep = time.Second
)

// Sender posts webhooks. It is safe for concurrent use.
type Sender struct {
	client        *retryablehttp.Client
	transport     *http.Transport
	tracer        trace.Tracer
	log           *slog.Logger
	timeout       time.Duration
	noAddressStep time.Duration
	now           func() time.Time
}

// SenderOptions configure a Sender; the zero value is suitable for production.
type SenderOptions struct {
	Resolver *net.Resolver
	Roots    *x509.CertPool
	Timeout  time.Duration // delivery.AttemptTimeout when zero
	Tracer   trace.Tracer  // for the spans of attempts; nil makes none
	// Log gets, at debug level, what an attempt's error leaves out: the address,
	// and the error of the network or the resolver. Nil logs nothing.
	Log *slog.Logger
}

// NewSender makes a sender that connects only to addresses that guard allows.
// It ignores proxies from the environment, follows no redirects, and does not
// decompress.
func NewSender(guard *Guard, o SenderOptions) *Sender {
	dialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second, Resolver: limitedResolver(o.Resolver), ControlContext: guard.control}
	transport := &http.Transport{
		Proxy: nil,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dial(ctx, dialer, network, address)
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    handshakeTimeout,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1: one attempt, one connection
		DisableCompression:     true,
		MaxIdleConns:           1000,
		MaxIdleConnsPerHost:    delivery.MaxInFlight,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: answerHeaders,
	}
	single := transport.Clone()
	single.DisableKeepAlives = true
	s := &Sender{transport: transport, timeout: o.Timeout, tracer: o.Tracer, log: o.Log, noAddressStep: noAddressStep, now: time.Now}
	if s.timeout == 0 {
		s.timeout = delivery.AttemptTimeout
	}
	if s.tracer == nil {
		s.tracer = noop.NewTracerProvider().Tracer("")
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.client = &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: roundTripper{reusing: transport, single: single},
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			},
		},
		RetryMax:     2,
		RetryWaitMin: 100 * time.Millisecond,
		RetryWaitMax: 400 * time.Millisecond,
		Backoff:      retryablehttp.DefaultBackoff,
		CheckRetry:   mayRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return s
}

// roundTripper sends on a connection that is kept open, and repeats on a new one. It hides
// CloseIdleConnections. The client calls that after each failure, and would close the idle
// connections to all other endpoints.
type roundTripper struct{ reusing, single *http.Transport }

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	if attemptOf(request.Context()).state().repeated {
		return r.single.RoundTrip(request)
	}
	return r.reusing.RoundTrip(request)
}

// Close closes idle connections.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// mayRetry allows to retry a request if no byte of it was sent, for example after a
// refused connection or a failed handshake, and to repeat one whose reused connection ended
// without an answer. Any other request that may have reached the receiver is an attempt of
// its own.
func mayRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	a := attemptOf(ctx)
	return err != nil && ctx.Err() == nil && a != nil && (a.mayConnectAgain(err) || a.repeat(err)), nil
}

// Result is the result of an attempt.
type Result struct {
	StatusCode int    // zero without an answer
	Error      string // one of the Failure texts, or empty when the answer is complete
	Body       string // at most AnswerLimit bytes, valid UTF-8
	Address    string // the last one dialed; empty for one that is not allowed
	RetryAfter time.Duration
	Duration   time.Duration
}

// Post sends one body and reads at most AnswerLimit bytes of the answer. When the timeout
// is over, it closes the connections. It sends the trace context of ctx to the receiver.
func (s *Sender) Post(ctx context.Context, target string, header http.Header, body []byte, attributes ...attribute.KeyValue) Result {
	started := s.now()
	ctx, span := s.tracer.Start(ctx, http.MethodPost, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	defer span.End()
	if current := telemetry.Of(ctx); current.Valid() {
		header.Set("traceparent", current.Parent())
	}
	a := begin(ctx, s.timeout, strings.HasPrefix(target, "https:"))
	defer a.end()
	result := s.post(a, target, header, body)
	if result.Error == FailureNoAddress {
		s.hideLookup(a.ctx, started)
	} else {
		result.Address = a.dialed()
	}
	result.Duration = s.now().Sub(started)
	describe(span, target, result)
	return result
}

// hideLookup waits until the duration of an attempt is a multiple of noAddressStep.
func (s *Sender) hideLookup(ctx context.Context, started time.Time) {
	past := s.now().Sub(started) % s.noAddressStep
	wait := time.NewTimer(s.noAddressStep - past)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

// describe adds the result of an attempt to its span. Of the URL it includes only
// the host and the port: a path may hold a secret.
func describe(span trace.Span, target string, result Result) {
	span.SetAttributes(telemetry.AttributeMethod.String(http.MethodPost))
	if u, err := url.Parse(target); err == nil {
		span.SetAttributes(telemetry.AttributeServer.String(u.Hostname()))
		if port, err := strconv.Atoi(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])); err == nil {
			span.SetAttributes(telemetry.AttributeServerPort.Int(port))
		}
	}
	if result.StatusCode != 0 {
		span.SetAttributes(telemetry.AttributeStatusCode.Int(result.StatusCode))
	}
	outcome := delivery.AttemptFailed
	switch {
	case result.Error != "":
		telemetry.Fail(span, "no_answer")
	case delivery.Classify(result.StatusCode) != delivery.Success:
		telemetry.Fail(span, strconv.Itoa(result.StatusCode))
	default:
		outcome = delivery.AttemptSucceeded
	}
	span.SetAttributes(telemetry.AttributeOutcome.String(string(outcome)))
}

func (s *Sender) post(a *attempt, target string, header http.Header, body []byte) Result {
	request, err := retryablehttp.NewRequestWithContext(httptrace.WithClientTrace(a.ctx, a.trace()), http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return Result{Error: FailureURL}
	}
	request.Header = header
	response, err := s.client.Do(request)
	if err != nil {
		why := a.failure(err)
		s.logCause(a, request.URL.Host, why, err)
		return Result{Error: why}
	}
	result := Result{StatusCode: response.StatusCode}
	// Closing the body waits for its connection, and an endpoint that reads nothing can
	// delay that. So close an unfinished connection below TLS first.
	defer func() {
		a.closeConnections()
		_ = response.Body.Close()
	}()
	if response.StatusCode < http.StatusOK {
		// After 101 the endpoint may speak any protocol on the connection.
		result.Error = FailureStatus
		return result
	}
	result.RetryAfter = RetryAfter(response.StatusCode, response.Header.Get("Retry-After"), s.now())
	read, err := io.ReadAll(io.LimitReader(response.Body, AnswerLimit))
	result.Body = printable(read)
	switch {
	case err != nil:
		result.Error = a.bodyFailure(err)
		s.logCause(a, request.URL.Host, result.Error, err)
	case len(read) < AnswerLimit:
		a.release()
	}
	return result
}

// printable is text that Postgres can store: valid UTF-8 without NUL, within
// the limit even after replacements.
func printable(data []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(data), "?"), "\x00", "?")
	return text[:min(len(text), AnswerLimit)]
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
