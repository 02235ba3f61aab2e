// Package telemetry names a request in every place that tells of it: the
// answer, the log and the run.
package telemetry

import (
	"context"
	"crypto/rand"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"requisite/internal/id"
)

// Trace is the place of one request in a W3C trace.
type Trace struct{ span trace.SpanContext }

// Continue goes on with the trace of a traceparent header, or begins a new one
// when the header is absent or malformed.
func Continue(traceparent string) Trace {
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	remote := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
	config := trace.SpanContextConfig{TraceID: remote.TraceID(), TraceFlags: remote.TraceFlags()}
	if !remote.IsValid() {
		rand.Read(config.TraceID[:])
	}
	rand.Read(config.SpanID[:])
	return Trace{trace.NewSpanContext(config)}
}

// ID is the trace's id as answers show it.
func (t Trace) ID() string {
	traceID := t.span.TraceID()
	return string(id.Trace) + id.Base62(traceID[:])
}

// Parent is the traceparent header that continues the trace from here.
func (t Trace) Parent() string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(context.Background(), t.span), carrier)
	return carrier["traceparent"]
}
