package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The protocols of the collector, as in the standard variable
// OTEL_EXPORTER_OTLP_PROTOCOL.
const (
	OverHTTP = "http/protobuf"
	OverGRPC = "grpc"
)

// Export configures where spans are sent.
type Export struct {
	// Endpoint is the collector's URL, such as http://127.0.0.1:4318; empty sends
	// nothing, unless OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.
	Endpoint string
	Protocol string // OverHTTP or OverGRPC
}

// Enabled reports whether spans are to be sent. The standard switches
// OTEL_SDK_DISABLED and OTEL_TRACES_EXPORTER=none turn them off.
func (e Export) Enabled() bool {
	off := strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none"
	return !off && (e.Endpoint != "" || os.Getenv(tracesEndpoint) != "")
}

const tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"

// Check reports settings that are not valid.
func (e Export) Check() error {
	var problems []error
	if e.Protocol != OverHTTP && e.Protocol != OverGRPC {
		problems = append(problems, fmt.Errorf("--otlp-protocol must be %s or %s, not %q", OverHTTP, OverGRPC, e.Protocol))
	}
	if e.Endpoint != "" {
		if u, err := url.Parse(e.Endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			problems = append(problems, errors.New("--otlp-endpoint must be a URL without user information, such as http://127.0.0.1:4318; "+
				"secrets go into OTEL_EXPORTER_OTLP_HEADERS"))
		}
	}
	return errors.Join(problems...)
}

// Spans makes the spans of one program and sends them to a collector.
type Spans struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	grace    time.Duration
}

// Open makes spans for a program, and sends them if export is enabled. Otherwise spans only
// have ids, and pass the caller's sampling decision on to receivers.
// OpenTelemetry's standard variables configure the rest: sampling (OTEL_TRACES_SAMPLER),
// headers and certificates for the collector (OTEL_EXPORTER_OTLP_HEADERS, …_CERTIFICATE),
// and attributes of the program (OTEL_RESOURCE_ATTRIBUTES).
//
// If the collector is unavailable, only spans are lost.
func Open(ctx context.Context, program string, export Export, log *slog.Logger) (*Spans, error) {
	if proxy := export.proxy(); proxy != "" {
		log = log.With("proxy", proxy)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	described, err := resource.Merge(
		resource.NewSchemaless(attribute.String("service.name", "requisite-"+program), attribute.String("service.version", Version())),
		resource.Environment(),
	)
	if err != nil {
		return nil, fmt.Errorf("read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(described)}
	if export.Enabled() {
		exporter, err := export.open(ctx)
		if err != nil {
			return nil, fmt.Errorf("send traces to %s: %w", export.Endpoint, err)
		}
		options = append(options, sdktrace.WithBatcher(redacting{exporter}))
	} else {
		options = append(options, sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.NeverSample())))
	}
	return newSpans(options...), nil
}

// proxy is the proxy that spans go through; empty for none.
func (e Export) proxy() string {
	target, err := url.Parse(e.Endpoint)
	if err != nil {
		return ""
	}
	if e.Protocol == OverGRPC {
		return GRPCProxy(target.Host)
	}
	return proxyTo(target)
}

// GRPCProxy is the proxy that gRPC takes to an address, without the user and the password in its URL;
// empty for none. gRPC reads HTTPS_PROXY with and without TLS.
func GRPCProxy(address string) string { return proxyTo(&url.URL{Scheme: "https", Host: address}) }

func proxyTo(target *url.URL) string {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: target})
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Scheme + "://" + proxy.Host
}

func newSpans(options ...sdktrace.TracerProviderOption) *Spans {
	provider := sdktrace.NewTracerProvider(options...)
	return &Spans{provider: provider, tracer: provider.Tracer("requisite"), grace: CloseGrace}
}

func (e Export) open(ctx context.Context) (sdktrace.SpanExporter, error) {
	if e.Protocol == OverGRPC {
		var options []otlptracegrpc.Option
		if e.Endpoint != "" {
			options = append(options, otlptracegrpc.WithEndpointURL(e.Endpoint))
		}
		return otlptracegrpc.New(ctx, options...)
	}
	var options []otlptracehttp.Option
	if e.Endpoint != "" {
		target, err := url.JoinPath(e.Endpoint, "v1/traces")
		if err != nil {
			return nil, err
		}
		options = append(options, otlptracehttp.WithEndpointURL(target))
	}
	return otlptracehttp.New(ctx, options...)
}

// Tracer makes the program's own spans. On nil it makes none.
func (s *Spans) Tracer() trace.Tracer {
	if s == nil {
		return newSpans(sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.NeverSample()))).tracer
	}
	return s.tracer
}

// CloseGrace is how long the last spans may take to be sent.
const CloseGrace = 3 * time.Second

// Close sends the remaining spans, for at most CloseGrace.
func (s *Spans) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	if err := s.provider.Shutdown(ctx); err != nil {
		otel.Handle(fmt.Errorf("the last traces could not be sent: %w", err))
	}
}
