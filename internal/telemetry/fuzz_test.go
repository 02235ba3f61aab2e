package telemetry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Any header results in a trace, and every form of its id names it.
func FuzzTraceparent(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more")
	f.Add("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("00-00000000000000000000000000000000-0000000000000000-00")
	f.Add("trc_7n42DGM5Tflk9n8mt7Fhc7")
	f.Add("4BF92F3577B34DA6A3CE929D0E0E4736")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		continued := Continue(text)
		require.True(t, continued.Valid())
		for _, shown := range []string{continued.ID(), continued.Parent(), continued.span.TraceID().String()} {
			traceID, err := ReadID(shown)
			require.NoError(t, err)
			require.Equal(t, continued.span.TraceID(), traceID)
		}
		traceID, err := ReadID(text)
		if err != nil {
			return
		}
		again, err := ReadID(ShownID(traceID))
		require.NoError(t, err)
		require.Equal(t, traceID, again)
		if parse(text).IsValid() {
			require.Equal(t, traceID, continued.span.TraceID(), "a trace goes on")
		}
	})
}
