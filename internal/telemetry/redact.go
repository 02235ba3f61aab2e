package telemetry

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Attributes of the service's own spans.
const (
	AttributeDeliveryID = attribute.Key("requisite.delivery_id")
	AttributeAttempt    = attribute.Key("requisite.attempt") // its number, from 1
	AttributeOutcome    = attribute.Key("requisite.outcome")
	AttributeTraceID    = attribute.Key("requisite.trace_id") // trc_…, as answers show it

	AttributeErrorType  = attribute.Key("error.type")
	AttributeMethod     = attribute.Key("http.request.method")
	AttributeStatusCode = attribute.Key("http.response.status_code")
	AttributeServer     = attribute.Key("server.address") // without the port
	AttributeServerPort = attribute.Key("server.port")
)

// exported lists the attributes of exported spans: ids, codes, numbers, hosts, and SQL,
// which has placeholders for all values.
var exported = map[attribute.Key]bool{
	AttributeDeliveryID: true, AttributeAttempt: true, AttributeOutcome: true, AttributeTraceID: true,
	AttributeErrorType: true, AttributeMethod: true, AttributeStatusCode: true, AttributeServer: true, AttributeServerPort: true,
	"db.system.name": true, "db.namespace": true, "db.operation.name": true, "db.query.text": true,
	"pgx.operation.type": true, "pgx.rows_affected": true, "pgx.sql_state": true,
	"temporalActivityID": true, "temporalRunID": true, "temporalUpdateID": true, "temporalWorkflowID": true,
	"exception.type": true,
}

// redacting exports spans without personal data. Libraries write error messages into
// spans, and a message may quote a request. So it exports only the type or code of an
// error.
type redacting struct{ sdktrace.SpanExporter }

func (d redacting) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	outgoing := make([]sdktrace.ReadOnlySpan, len(spans))
	for i, s := range spans {
		outgoing[i] = redactedSpan{s}
	}
	return d.SpanExporter.ExportSpans(ctx, outgoing)
}

type redactedSpan struct{ sdktrace.ReadOnlySpan }

func (s redactedSpan) Attributes() []attribute.KeyValue { return allowed(s.ReadOnlySpan.Attributes()) }

func (s redactedSpan) Status() sdktrace.Status {
	return sdktrace.Status{Code: s.ReadOnlySpan.Status().Code}
}

func (s redactedSpan) Events() []sdktrace.Event {
	events := slices.Clone(s.ReadOnlySpan.Events())
	for i := range events {
		events[i].Attributes = allowed(events[i].Attributes)
	}
	return events
}

func allowed(attributes []attribute.KeyValue) []attribute.KeyValue {
	return slices.DeleteFunc(slices.Clone(attributes), func(a attribute.KeyValue) bool { return !exported[a.Key] })
}

// Fail marks a span as failed, with a code.
func Fail(span trace.Span, code string) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(AttributeErrorType.String(code))
}
