package telemetry

import (
	"fmt"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
)

// SQL traces the statements within a sampled span: their text, never their
// values. On nil it traces none.
func (s *Spans) SQL() pgx.QueryTracer {
	if s == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(s.provider), otelpgx.WithDisableConnectionDetailsInAttributes())
}

// Temporal propagates the trace of the caller that starts a run through the run
// and its steps, makes their spans, and adds trace_id to every line that they
// log. On nil it does nothing.
func (s *Spans) Temporal() ([]interceptor.ClientInterceptor, error) {
	if s == nil {
		return nil, nil
	}
	tracer, err := opentelemetry.NewTracer(opentelemetry.TracerOptions{
		Tracer:                  s.provider.Tracer("go.temporal.io/sdk"),
		TextMapPropagator:       propagation.TraceContext{},
		DisableBaggage:          true,
		DisableSignalTracing:    true,
		DisableQueryTracing:     true,
		AllowInvalidParentSpans: true,
	})
	if err != nil {
		return nil, fmt.Errorf("trace runs: %w", err)
	}
	return []interceptor.ClientInterceptor{interceptor.NewTracingInterceptor(traceIDLogger{tracer})}, nil
}

// traceIDLogger writes the trace id to logs in the form of answers.
type traceIDLogger struct{ interceptor.Tracer }

func (l traceIDLogger) GetLogger(logger log.Logger, ref interceptor.TracerSpanRef) log.Logger {
	span, ok := ref.(interface{ SpanContext() trace.SpanContext })
	if !ok {
		return logger
	}
	return log.With(logger, "trace_id", Trace{span.SpanContext()}.ID())
}
