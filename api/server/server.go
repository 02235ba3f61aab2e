// Package server answers the signed requests of the API: one table of operations, how each
// is decoded, admitted and answered, and the runs that it waits for.
package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/health"
	"requisite/internal/limiter"
	"requisite/internal/metrics"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
	"requisite/internal/text/typo"
	"requisite/internal/webhooks/webhook"
)

// Server handles the requests of the API. It contains no business rules.
type Server struct {
	store     *store.Store
	rules     *engine.Engine // for checks of rules and previews
	temporal  client.Client
	converter func(workflowID string) converter.DataConverter // of the payloads of a run
	// completions has the results of runs that this process executes itself.
	completions *temporalclient.Completions
	log         *slog.Logger
	now         func() time.Time
	metrics     *metrics.Metrics
	tracer      trace.Tracer
	limit       *limits.RateLimit
	Limiters    limits.Limiters
	guard       *webhook.Guard // checks the URLs of endpoints
	// patience is how long a request waits for its run, slotPatience how long for a slot.
	patience, slotPatience time.Duration
	api                    *reference.API
	operations             map[string]operation
	ready                  health.Check
}

// Settings configure a server.
type Settings struct {
	Patience  time.Duration
	Bounds    limits.Bounds
	RateLimit float64          // requests per second of one credential; 0 is no limit
	MaxBodies int64            // bytes of all bodies that are not decoded yet
	Metrics   *metrics.Metrics // may be nil
	Spans     *telemetry.Spans // may be nil
	Guard     *webhook.Guard
	TryIt     bool
	Ready     health.Check // may be nil in tests without /readyz
	// Completions may be nil.
	Completions *temporalclient.Completions
}

// New makes a server of requests with signatures, and of pages.
func New(
	store *store.Store, rules *engine.Engine, temporal client.Client, dc func(string) converter.DataConverter,
	log *slog.Logger, now func() time.Time, set Settings,
) *Server {
	s := &Server{
		store:        store,
		rules:        rules,
		temporal:     temporal,
		converter:    dc,
		completions:  set.Completions,
		log:          log,
		now:          now,
		metrics:      set.Metrics,
		tracer:       set.Spans.Tracer(),
		limit:        limits.NewRateLimit(set.RateLimit),
		Limiters:     limits.NewLimiters(set.Bounds, set.MaxBodies),
		guard:        set.Guard,
		patience:     set.Patience,
		slotPatience: limits.SlotPatience,
		ready:        set.Ready,
	}
	all := operations()
	s.api, s.operations = reference.NewAPI(Operations()), map[string]operation{}
	s.api.TryIt = set.TryIt
	for _, o := range all {
		s.operations[o.Name] = o
	}
	s.metrics.Operations(maps.Keys(s.operations))
	return s
}

// ServeHTTP handles every path. Probes and pages need no signature, operations do.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.probe(w, r) {
		return
	}
	if is, err := s.api.Page(w, r); is {
		s.write(err)
		return
	}
	s.serve(w, r, &caller{})
}

// serve answers a request for an operation.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, c *caller) {
	started := s.now()
	ctx, span := s.tracer.Start(telemetry.Within(r.Context(), r.Header.Get("traceparent")), "request", trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	r = r.WithContext(ctx)
	current := telemetry.Of(ctx)
	w.Header().Set("traceparent", current.Parent())
	c.traceID, c.call.TraceParent = current.ID(), current.Parent()
	reply, err := s.answer(r, w.Header(), c)
	if callerGone(r, err) {
		s.write(wire.WriteRefusal(w, c.traceID, unavailable()))
		s.recordCallerGone(r, c, span, started)
		return
	}
	status := http.StatusOK
	var refused *refusal.Refusal
	if err == nil {
		if !c.credential.Permissions.Has(domain.PermissionRead) {
			reply.Warnings = refusal.WarningsWithoutFile(reply.Warnings)
		}
		err = wire.WriteReply(w, c.traceID, reply)
	} else {
		refused = s.refusalFor(r.Context(), c, err)
		status = refused.Code.Status()
		err = wire.WriteRefusal(w, c.traceID, refused)
	}
	describe(span, c, r.Method, status, refused)
	if c.played {
		s.metrics.SandboxAnswer(c.call.Operation)
	} else {
		s.metrics.Request(c.call.Operation, status, s.now().Sub(started), refused)
	}
	s.record(r, c, line{status: status, refused: refused, started: started, sent: err == nil})
}

// callerGone reports whether a request failed because its caller closed the connection. The
// server cancels the context of a request for no other reason; its own limits are deadlines.
func callerGone(r *http.Request, err error) bool {
	if err == nil || !errors.Is(r.Context().Err(), context.Canceled) {
		return false
	}
	refused, is := refusal.FromError(err)
	return !is || refused.Code == refusal.Unavailable
}

// recordCallerGone records a request whose caller went away. It does not count as an
// error of the service.
func (s *Server) recordCallerGone(r *http.Request, c *caller, span trace.Span, started time.Time) {
	name(span, c, r.Method, metrics.StatusCallerGone)
	span.SetAttributes(telemetry.AttributeOutcome.String(metrics.CallerGone))
	s.metrics.CallerGone(c.call.Operation)
	s.record(r, c, line{status: metrics.StatusCallerGone, outcome: metrics.CallerGone, started: started})
}

// name sets the operation and the status of a request's span.
func name(span trace.Span, c *caller, method string, status int) {
	if c.call.Operation != "" { // empty for unknown paths, which may contain anything
		span.SetName(c.call.Operation)
	}
	if method == http.MethodPost {
		span.SetAttributes(telemetry.AttributeMethod.String(method))
	}
	span.SetAttributes(telemetry.AttributeStatusCode.Int(status), telemetry.AttributeTraceID.String(c.traceID))
}

// describe adds the outcome to a request's span.
func describe(span trace.Span, c *caller, method string, status int, refused *refusal.Refusal) {
	name(span, c, method, status)
	switch {
	case refused == nil:
		span.SetAttributes(telemetry.AttributeOutcome.String("SUCCESS"))
	case status >= http.StatusInternalServerError && !c.played:
		telemetry.Fail(span, string(refused.Code))
	default: // the caller's mistake, not an error of the service
		span.SetAttributes(telemetry.AttributeOutcome.String(refused.SpecificCode()))
	}
}

// probe answers /livez, /readyz and /healthz. Anybody may ask, so a negative answer
// contains no reason.
func (s *Server) probe(w http.ResponseWriter, r *http.Request) bool {
	asks := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case r.URL.Path == "/healthz":
		s.health(w, r)
	case r.URL.Path == "/livez" && asks:
		health.Live(w, r)
	case r.URL.Path == "/readyz" && asks:
		health.Ready(func(ctx context.Context) error {
			if s.ready(ctx) != nil {
				return errNotReady
			}
			return nil
		}, nil)(w, r)
	default:
		return false
	}
	return true
}

var errNotReady = errors.New("not ready")

// health answers /healthz: /readyz in the envelope of the API.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	trace := telemetry.Continue(r.Header.Get("traceparent"))
	w.Header().Set("traceparent", trace.Parent())
	if s.ready(r.Context()) != nil {
		s.write(wire.WriteRefusal(w, trace.ID(), unavailable()))
		return
	}
	s.write(wire.WriteReply(w, trace.ID(), wire.Reply{Data: wire.Empty{}}))
}

func (s *Server) write(err error) {
	if err != nil {
		s.log.Warn("cannot send a response", "error", err)
	}
}

// answer handles a request. It checks for refusals in the documented order; the first
// that applies wins.
func (s *Server) answer(r *http.Request, header http.Header, c *caller) (wire.Reply, error) {
	o, ok := s.operations[strings.TrimPrefix(r.URL.Path, "/")]
	if !ok {
		return wire.Reply{}, s.unknownOperation(r.URL.Path)
	}
	c.call.Operation = o.Name
	if r.Method != http.MethodPost {
		refused := refusal.New(refusal.MethodNotAllowed, "Every operation takes POST.")
		refused.Allow = http.MethodPost
		return wire.Reply{}, refused
	}
	if err := checkMedia(r.Header); err != nil {
		return wire.Reply{}, err
	}
	a := &admission{s: s, o: o, c: c, header: header, room: s.Limiters.Bodies.Room()}
	defer a.release()
	body, err := s.readVerified(r, a)
	if err != nil {
		return wire.Reply{}, err
	}
	if err := a.permitted(); err != nil {
		return wire.Reply{}, err
	}
	if version := r.Header.Get(sig1.HeaderVersion); len(r.Header.Values(sig1.HeaderVersion)) > 0 && version != wire.Version {
		return wire.Reply{}, refusal.New(refusal.UnknownVersion, "%s must be %s, or left out.", sig1.HeaderVersion, wire.Version)
	}
	in, err := s.decode(o, r, c, body)
	a.room.Release()
	if err != nil {
		return wire.Reply{}, err
	}
	if refused := c.refuseAsAsked(); refused != nil {
		c.played = true
		return wire.Reply{}, refused
	}
	reply, err := o.handle(r.Context(), s, c, in)
	if err != nil {
		return wire.Reply{}, err
	}
	if in, warns := in.(interface{ warn() []refusal.Warning }); warns {
		reply.Warnings = append(in.warn(), reply.Warnings...)
	}
	return reply, s.nameEntities(r.Context(), c, reply.Data)
}

// unknownOperation names the operation that is nearest to the last part of a path.
func (s *Server) unknownOperation(path string) *refusal.Refusal {
	const message = "There is no such operation; every operation is POST {base_url}/<name>."
	if near, is := typo.Meant(path[strings.LastIndexByte(path, '/')+1:], slices.Collect(maps.Keys(s.operations))); is {
		return refusal.New(refusal.UnknownOperation, message+" Did you mean /%s?", near)
	}
	return refusal.New(refusal.UnknownOperation, message)
}

// readVerified verifies and admits a request, unless an operator sends it, and returns its body.
func (s *Server) readVerified(r *http.Request, a *admission) ([]byte, error) {
	body, err := readBody(r, a.o.BodyLimit, &a.room)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(body)
	a.c.call.BodySHA256 = hash[:]
	if a.c.operator != nil {
		return body, a.operator()
	}
	return body, s.verify(r, a, body)
}

// checkMedia refuses a body that is not plain JSON in UTF-8.
func checkMedia(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refusal.New(refusal.UnsupportedMediaType, "The body must be sent as it is, without a Content-Encoding.")
	}
	media, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, stated := parameters["charset"]
	if err != nil || len(h.Values("Content-Type")) != 1 || media != "application/json" || stated && !strings.EqualFold(charset, "utf-8") {
		return refusal.New(refusal.UnsupportedMediaType, "The body must be sent as Content-Type: application/json, once, in UTF-8.")
	}
	return nil
}

// readBody reads a body of at most limit bytes. It takes room as bytes arrive, so that a
// large Content-Length alone takes none.
func readBody(r *http.Request, limit int64, room *limits.BodyRoom) ([]byte, error) {
	tooLarge := refusal.New(refusal.RequestTooLarge, "The body is longer than %d bytes, the limit of this operation.", limit)
	if r.ContentLength > limit {
		return nil, tooLarge
	}
	most := limit + 1 // one byte more shows that the body is too large
	if r.ContentLength >= 0 {
		most = r.ContentLength + 1 // room to read the end of the body
	}
	var body []byte
	for {
		if len(body) == cap(body) {
			size := min(max(2*int64(cap(body)), 4<<10), most)
			if !room.Take(int(size) - cap(body)) {
				return nil, noRoom()
			}
			body = append(make([]byte, 0, size), body...)
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, tooLarge
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, refusal.Fields(refusal.At("", refusal.Malformed, "The body could not be read to its end."))
		}
	}
}

var idempotencyKeyForm = regexp.MustCompile(`^[ -~]{1,255}$`)

// decode makes all checks that need only the request, and for rules the account's day.
func (s *Server) decode(o operation, r *http.Request, c *caller, body []byte) (any, error) {
	if err := readHeaders(o, c, r.Header, s.now()); err != nil {
		return nil, err
	}
	in := reflect.New(o.Request).Interface()
	if err := s.api.Schemas.Decode(body, in, func() ([]refusal.Field, error) { return s.check(r.Context(), c, in) }); err != nil {
		return nil, err
	}
	c.entities = idsIn(reflect.ValueOf(in))
	return in, nil
}

// readHeaders reads the headers that change what the operation does.
func readHeaders(o operation, c *caller, header http.Header, now time.Time) error {
	var problems []refusal.Field
	if keys := header.Values(sig1.HeaderIdempotencyKey); len(keys) > 1 || len(keys) == 1 && !idempotencyKeyForm.MatchString(keys[0]) {
		problems = append(problems, refusal.At(sig1.HeaderIdempotencyKey, refusal.WrongFormat, "This header must hold 1 to 255 printable ASCII characters, once."))
	} else if len(keys) == 1 {
		c.call.IdempotencyKey = keys[0]
	}
	if o.Sandbox && c.call.Scope.Environment != domain.Sandbox {
		problems = append(problems, refusal.At("", refusal.NotAllowed, "This operation is %s", onlyForSandbox))
	}
	today, problem := c.today(o, header, now)
	if !problem.None() {
		problems = append(problems, problem.At(wire.HeaderSandboxToday))
	}
	if today != "" {
		c.onDay(today)
	}
	asked, problem := askedFor(o, c, header)
	if !problem.None() {
		problems = append(problems, problem.At(spec.HeaderSandboxAnswer))
	}
	if c.asked = asked; asked == spec.AnswerWebhookFailsTwice {
		c.call.FailingAttempts = failsTwice
	}
	if len(problems) > 0 {
		return refusal.Fields(problems...)
	}
	return nil
}

// check finds the problems of a request that its schema cannot express.
func (s *Server) check(ctx context.Context, c *caller, in any) ([]refusal.Field, error) {
	switch in := in.(type) {
	case interface{ check() []refusal.Field }:
		return in.check(), nil
	case interface {
		checkOn(context.Context, *Server, *caller) ([]refusal.Field, error)
	}:
		return in.checkOn(ctx, s, c)
	}
	return nil, nil
}

// refusalFor turns any error into a refusal. It logs an error of the service in full, and
// tells the caller nothing specific about it.
func (s *Server) refusalFor(ctx context.Context, c *caller, err error) *refusal.Refusal {
	refused := asRefusal(err)
	if refused.Code.Status() >= http.StatusInternalServerError && !c.played {
		s.log.ErrorContext(ctx, "a request failed", "operation", c.call.Operation, "code", string(refused.Code), "trace_id", c.traceID, "error", err)
	}
	answered, err := s.fitted(ctx, c, refused)
	if err != nil {
		return s.refusalFor(ctx, c, fmt.Errorf("fit a refusal to what its caller may read: %w", err))
	}
	return answered
}

// fitted returns a refusal with what its caller may read of the facts on file. With the permission
// read, its gaps name the persons and the business. Without it, they have no values.
func (s *Server) fitted(ctx context.Context, c *caller, refused *refusal.Refusal) (*refusal.Refusal, error) {
	mayRead := c.credential.Permissions.Has(domain.PermissionRead)
	switch {
	case refused.Code == refusal.MissingRequirements:
		var missing gaps
		err := json.Unmarshal(refused.Details, &missing)
		if !mayRead {
			missing = fact.WithoutValues(missing)
		}
		fitted := *refused
		err = errors.Join(err, s.nameEntities(ctx, c, missing))
		return fitted.With(missing), err
	case mayRead:
		return refused, nil
	}
	return refused.WithoutFile()
}

func asRefusal(err error) *refusal.Refusal {
	if refused, ok := refusal.FromError(err); ok {
		return refused
	}
	if busy := (*limiter.Busy)(nil); errors.As(err, &busy) {
		return limits.TooMuch(busy)
	}
	if db.Unreachable(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return unavailable()
	}
	return refusal.New(refusal.InternalError, "Something went wrong on our side; quote the trace_id when you report it.")
}

func unavailable() *refusal.Refusal {
	refused := refusal.New(refusal.Unavailable, "The service cannot reach one of its dependencies at the moment; try again shortly.")
	refused.RetryAfter = time.Second
	return refused
}

func noRoom() *refusal.Refusal {
	refused := refusal.New(refusal.Unavailable, "The service has no room for more requests at the moment; try again shortly.")
	refused.RetryAfter = time.Second
	return refused
}
