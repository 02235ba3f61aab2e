package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.temporal.io/api/serviceerror"

	"requisite/internal/requests/refusal"
	"requisite/internal/telemetry"
)

func TestCallerGone_DiffersFromFailuresOfTheService(t *testing.T) {
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	lost := fmt.Errorf("run calculate/x: %w", context.Canceled)
	for _, c := range []struct {
		what string
		ctx  context.Context
		err  error
		want bool
	}{
		{"an interrupted wait", gone, lost, true},
		{"an interrupted call to Temporal", gone, serviceerror.NewCanceled("context canceled"), true},
		{"an interrupted start", gone, unavailable(), true},
		{"an answer that was ready before", gone, nil, false},
		{"a refusal that was ready before", gone, refusal.New(refusal.EntityNotFound, "x"), false},
		{"a lost dependency while the caller waits", t.Context(), lost, false},
		{"UNAVAILABLE while the caller waits", t.Context(), unavailable(), false},
		{"a deadline of the service", late, context.DeadlineExceeded, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/x", nil).WithContext(c.ctx)
		require.Equal(t, c.want, callerGone(r, c.err), c.what)
	}
}

// TestInternalErrors_AreLoggedOnce at ERROR, with code and trace. Refusals below 500 are
// not logged as errors.
func TestInternalErrors_AreLoggedOnce(t *testing.T) {
	for _, c := range []struct {
		err   error
		code  refusal.Code
		cause string
	}{
		{errors.New("planted"), refusal.InternalError, "planted"},
		{refusal.New(refusal.InternalError, "planted").Failure(), refusal.InternalError, "planted"},
		{fmt.Errorf("planted: %w", context.DeadlineExceeded), refusal.Unavailable, "planted"},
		{temporalUnavailable("start a run", errors.New("planted")), refusal.Unavailable, "start a run: planted"},
		{refusal.New(refusal.StillRunning, "planted"), refusal.StillRunning, "planted"},
		{refusal.Rule(refusal.EntityDocumentRules, "rul_x", refusal.RuleNotEvaluable, "x"), refusal.SystemRuleViolation, ""},
		{refusal.New(refusal.TooManyRequests, "x"), refusal.TooManyRequests, ""},
	} {
		var said bytes.Buffer
		s := testServer()
		s.log = slog.New(slog.NewTextHandler(&said, nil))
		called := &caller{traceID: "trc_x"}
		called.call.Operation = "workflow.get"
		require.Equal(t, c.code, s.refusalFor(t.Context(), called, c.err).Code)
		if c.cause == "" {
			require.Empty(t, said.String(), "%v", c.err)
			continue
		}
		require.Equal(t, 1, strings.Count(said.String(), "\n"), said.String())
		require.Contains(t, said.String(), `level=ERROR msg="a request failed" operation=workflow.get code=`+string(c.code)+" trace_id=trc_x")
		require.Contains(t, said.String(), c.cause)
	}
}

func TestCallerGone_IsRecordedWithStatus499(t *testing.T) {
	var said bytes.Buffer
	spans := tracetest.NewInMemoryExporter()
	s := testServer()
	s.log = slog.New(slog.NewTextHandler(&said, nil))
	ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer("").Start(t.Context(), "request")
	c := &caller{traceID: "trc_x"}
	c.call.Operation = "meta.checkVersion"
	s.recordCallerGone(httptest.NewRequest(http.MethodPost, "/meta.checkVersion", nil).WithContext(ctx), c, span, s.now())
	span.End()
	require.Contains(t, said.String(), "level=INFO msg=request operation=meta.checkVersion status=499 outcome=CALLER_GONE trace_id=trc_x")
	require.Contains(t, said.String(), "sent=false")
	require.Len(t, spans.GetSpans(), 1)
	got := spans.GetSpans()[0]
	require.Equal(t, codes.Unset, got.Status.Code)
	require.Equal(t, "meta.checkVersion", got.Name)
	require.Contains(t, got.Attributes, telemetry.AttributeOutcome.String("CALLER_GONE"))
	require.Contains(t, got.Attributes, telemetry.AttributeStatusCode.Int(499))
}
