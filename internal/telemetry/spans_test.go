package telemetry

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"requisite/internal/testkit/await"
)

// sent is what one collector got.
type sent struct {
	collector.UnimplementedTraceServiceServer
	requests chan *collector.ExportTraceServiceRequest
}

func (s *sent) Export(_ context.Context, r *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	s.requests <- r
	return &collector.ExportTraceServiceResponse{}, nil
}

func (s *sent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	request := &collector.ExportTraceServiceRequest{}
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.requests <- request
}

func TestSpans_ReachTheCollector(t *testing.T) {
	s := &sent{requests: make(chan *collector.ExportTraceServiceRequest, 1)}
	overHTTP := httptest.NewServer(s)
	defer overHTTP.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	overGRPC := grpc.NewServer()
	collector.RegisterTraceServiceServer(overGRPC, s)
	go func() { _ = overGRPC.Serve(listener) }()
	defer overGRPC.Stop()
	for protocol, endpoint := range map[string]string{OverHTTP: overHTTP.URL, OverGRPC: "http://" + listener.Addr().String()} {
		export := Export{Endpoint: endpoint, Protocol: protocol}
		require.NoError(t, export.Check())
		require.True(t, export.Enabled())
		spans, err := Open(t.Context(), "test", export, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		spans.grace = time.Hour
		_, span := spans.Tracer().Start(t.Context(), "one")
		span.End()
		spans.Close()
		r := await.Next(t, "the spans over "+protocol, s.requests)
		require.Equal(t, "one", r.ResourceSpans[0].ScopeSpans[0].Spans[0].Name, protocol)
		require.Contains(t, r.ResourceSpans[0].Resource.String(), "requisite-test")
	}
}

// TestSpans_GoThroughTheProxyThatErrorsName, without its password. A process reads these variables once, so this one starts another.
func TestSpans_GoThroughTheProxyThatErrorsName(t *testing.T) {
	if os.Getenv("TEST_EXPORT") != "" {
		spans, err := Open(t.Context(), "test", Export{Endpoint: "http://collector.example.com:4318", Protocol: OverHTTP}, slog.New(slog.NewTextHandler(os.Stdout, nil)))
		require.NoError(t, err)
		spans.grace = time.Hour
		_, span := spans.Tracer().Start(t.Context(), "one")
		span.End()
		spans.Close()
		return
	}
	asked := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.URL.String()
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), "TEST_EXPORT=1", "HTTP_PROXY="+strings.Replace(proxy.URL, "://", "://user:planted@", 1))
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "POST http://collector.example.com:4318/v1/traces", await.Next(t, "a request of the proxy", asked))
	require.Contains(t, string(out), "level=WARN msg=traces proxy="+proxy.URL+" error=")
	require.NotContains(t, string(out), "planted")
}

// lines passes on what any goroutine logs. A line that nobody receives is dropped.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

func TestClose_DoesNotWaitForAnUnreachableCollector(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never answers
	require.NoError(t, err)
	defer listener.Close()
	said := make(lines, 100)
	spans, err := Open(t.Context(), "test", Export{Endpoint: "http://" + listener.Addr().String(), Protocol: OverHTTP}, slog.New(slog.NewTextHandler(said, nil)))
	require.NoError(t, err)
	spans.grace = time.Millisecond
	for range 5000 { // more than wait to be sent at once
		_, span := spans.Tracer().Start(t.Context(), "one")
		span.End()
	}
	closed := make(chan struct{})
	go func() { spans.Close(); close(closed) }()
	await.Closed(t, "the end of closing", closed)
	require.Contains(t, await.Next(t, "the line in the log", said), "traces")
}

func TestTrace_KeepsTheSamplingDecisionWithoutACollector(t *testing.T) {
	require.False(t, Export{}.Enabled())
	spans, err := Open(t.Context(), "test", Export{}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer spans.Close()
	ctx, _ := spans.Tracer().Start(Within(t.Context(), traceparent), "one")
	require.Regexp(t, `-01$`, Of(ctx).Parent())
	ctx, span := spans.Tracer().Start(t.Context(), "one")
	require.Regexp(t, `-00$`, Of(ctx).Parent())
	require.False(t, span.IsRecording())
	require.True(t, Of(ctx).Valid(), "there are ids all the same")
}

func TestExport_StandardVariablesTurnItOff(t *testing.T) {
	export := Export{Endpoint: "http://collector:4318", Protocol: OverHTTP}
	t.Setenv("OTEL_TRACES_EXPORTER", "none")
	require.False(t, export.Enabled())
	t.Setenv("OTEL_TRACES_EXPORTER", "otlp")
	require.True(t, export.Enabled())
	t.Setenv("OTEL_SDK_DISABLED", "true")
	require.False(t, export.Enabled())
}

func TestExport_InvalidEndpointsAreRefused(t *testing.T) {
	for _, e := range []Export{
		{Protocol: "http/json"},
		{Protocol: OverHTTP, Endpoint: "collector:4318"},
		{Protocol: OverHTTP, Endpoint: "http://"},
		{Protocol: OverHTTP, Endpoint: "http://user:planted-secret@collector:4318"},
	} {
		err := e.Check()
		require.ErrorContains(t, err, "--otlp-", "%v", e)
		require.NotContains(t, err.Error(), "planted-secret")
	}
}

// Libraries write error texts into spans. The service must not export them.
func TestSpans_ExportNoErrorTexts(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	spans := newSpans(sdktrace.WithSyncer(redacting{kept}))
	planted := errors.New("planted-name")
	_, span := spans.Tracer().Start(t.Context(), "one", trace.WithAttributes(attribute.String("db.query.text", "SELECT 1"), attribute.String("any", "planted-name")))
	span.RecordError(planted, trace.WithStackTrace(true))
	span.AddEvent("event", trace.WithAttributes(attribute.String("exception.message", "planted-name")))
	span.SetStatus(codes.Error, planted.Error())
	Fail(span, "INTERNAL_ERROR")
	span.End()
	require.Len(t, kept.GetSpans(), 1)
	got := kept.GetSpans()[0]
	require.Equal(t, sdktrace.Status{Code: codes.Error}, got.Status)
	require.ElementsMatch(t, []attribute.KeyValue{attribute.String("db.query.text", "SELECT 1"), AttributeErrorType.String("INTERNAL_ERROR")}, got.Attributes)
	require.Equal(t, []attribute.KeyValue{attribute.String("exception.type", "*errors.errorString")}, got.Events[0].Attributes)
	require.Empty(t, got.Events[1].Attributes)
}
