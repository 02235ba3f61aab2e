package telemetry

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	traceID     = "trc_Kgywt6S99MKiCkM5FLT48"
)

func TestContinue_KeepsTheCallersTrace(t *testing.T) {
	got := Continue(traceparent)
	require.True(t, strings.HasPrefix(got.Parent(), "00-0af7651916cd43dd8448eb211c80319c-"), got.Parent())
	require.True(t, strings.HasSuffix(got.Parent(), "-01"), "the sampling decision is the caller's")
	require.NotContains(t, got.Parent(), "b7ad6b7169203331", "the span is ours")
	require.Equal(t, traceID, got.ID())
}

func TestContinue_StartsATraceWithoutAValidHeader(t *testing.T) {
	for _, header := range []string{"", "garbage", "00-00000000000000000000000000000000-b7ad6b7169203331-01"} {
		a, b := Continue(header), Continue(header)
		require.NotEqual(t, a.ID(), b.ID())
		require.Regexp(t, `^trc_[0-9A-Za-z]{1,22}$`, a.ID())
		require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$`, a.Parent())
	}
}

func TestWithin_SpansBelongToTheTrace(t *testing.T) {
	ctx := Within(t.Context(), traceparent)
	require.Equal(t, traceparent, Of(ctx).Parent())
	ctx, span := (*Spans)(nil).Tracer().Start(ctx, "one")
	require.Equal(t, traceID, Of(ctx).ID())
	require.NotEqual(t, traceparent, Of(ctx).Parent(), "the span is a child")
	require.Equal(t, Of(ctx), Of(Within(ctx, traceparent)), "who is within the trace stays where they are")
	require.Equal(t, Of(ctx), Of(Within(ctx, "garbage")))
	span.End()
	require.False(t, Of(Within(t.Context(), "")).Valid())
	require.Empty(t, Of(t.Context()).Parent())
}

func TestReadID_AcceptsEveryForm(t *testing.T) {
	for _, text := range []string{traceparent, "0af7651916cd43dd8448eb211c80319c", "0AF7651916CD43DD8448EB211C80319C", traceID} {
		got, err := ReadID(text)
		require.NoError(t, err)
		require.Equal(t, "0af7651916cd43dd8448eb211c80319c", got.String())
		require.Equal(t, traceID, ShownID(got))
	}
	short, err := ReadID("trc_1")
	require.NoError(t, err, "a caller's number may be small")
	require.Equal(t, "00000000000000000000000000000001", short.String())
	for _, text := range []string{"", "trc_", "trc_!", "trc_zzzzzzzzzzzzzzzzzzzzzzz", "w_Kgywt6S99MKiCkM5FLT48", "0af7"} {
		_, err := ReadID(text)
		require.ErrorContains(t, err, "is not the id of a trace", text)
	}
}
