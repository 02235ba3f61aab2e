package telemetry

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATraceIsContinued(t *testing.T) {
	got := Continue("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	require.True(t, strings.HasPrefix(got.Parent(), "00-0af7651916cd43dd8448eb211c80319c-"), got.Parent())
	require.True(t, strings.HasSuffix(got.Parent(), "-01"), "the sampling decision is the caller's")
	require.NotContains(t, got.Parent(), "b7ad6b7169203331", "the span is ours")
	require.Equal(t, "trc_Kgywt6S99MKiCkM5FLT48", got.ID())
}

func TestANewTraceBeginsWithoutOne(t *testing.T) {
	for _, header := range []string{"", "garbage", "00-00000000000000000000000000000000-b7ad6b7169203331-01"} {
		a, b := Continue(header), Continue(header)
		require.NotEqual(t, a.ID(), b.ID())
		require.Regexp(t, `^trc_[0-9A-Za-z]{1,22}$`, a.ID())
		require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$`, a.Parent())
	}
}
