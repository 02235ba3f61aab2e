// Package telemetry identifies a request everywhere by one trace: in the
// answer, the logs, the runs and the spans.
package telemetry

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"requisite/internal/id"
)

// Trace is a span of a W3C trace.
type Trace struct{ span trace.SpanContext }

// Of is the current span of ctx; not valid outside any.
func Of(ctx context.Context) Trace { return Trace{trace.SpanContextFromContext(ctx)} }

// Continue continues the trace of a traceparent header, or begins a new one
// when the header is absent or malformed. No span is recorded for it.
func Continue(traceparent string) Trace {
	remote := parse(traceparent)
	config := trace.SpanContextConfig{TraceID: remote.TraceID(), TraceFlags: remote.TraceFlags()}
	if !remote.IsValid() {
		rand.Read(config.TraceID[:])
	}
	rand.Read(config.SpanID[:])
	return Trace{trace.NewSpanContext(config)}
}

// Within adds the trace of a traceparent header to ctx: spans that begin in it are
// children of the header's span. It returns ctx unchanged if ctx is in that trace
// already, or if the header is absent or malformed.
func Within(ctx context.Context, traceparent string) context.Context {
	remote := parse(traceparent)
	if !remote.IsValid() || trace.SpanContextFromContext(ctx).TraceID() == remote.TraceID() {
		return ctx
	}
	return trace.ContextWithRemoteSpanContext(ctx, remote)
}

// parse reads the only trace header that is accepted from outside. tracestate
// and baggage are ignored: they can hold anything.
func parse(traceparent string) trace.SpanContext {
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}

// ReadID parses a trace id in any of its forms: trc_…, 32 hexadecimal digits,
// or a whole traceparent header.
func ReadID(text string) (trace.TraceID, error) {
	if remote := parse(text); remote.IsValid() {
		return remote.TraceID(), nil
	}
	var traceID trace.TraceID
	if tail, ours := strings.CutPrefix(text, string(id.Trace)); ours {
		if n, ok := id.FromBase62(tail, len(traceID)); ok {
			return trace.TraceID(n), nil
		}
	} else if traceID, err := trace.TraceIDFromHex(strings.ToLower(text)); err == nil {
		return traceID, nil
	}
	return traceID, fmt.Errorf("%q is not the id of a trace: it must be trc_… as in meta.trace_id, 32 hexadecimal digits, or a traceparent header", text)
}

// ShownID is a trace id in the form of answers.
func ShownID(traceID trace.TraceID) string { return string(id.Trace) + id.Base62(traceID[:]) }

// Valid reports whether there is a trace at all.
func (t Trace) Valid() bool { return t.span.IsValid() }

// ID is the trace's id in the form of answers.
func (t Trace) ID() string { return ShownID(t.span.TraceID()) }

// Parent is the traceparent header that continues the trace; empty without a trace.
func (t Trace) Parent() string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(context.Background(), t.span), carrier)
	return carrier["traceparent"]
}
