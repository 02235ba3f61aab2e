package calls_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/starter/startertest"
)

func TestCall_WithoutAStackNamesStarterUpAndTheFlags(t *testing.T) {
	_, err := startertest.Run(t, "call", "meta.checkVersion", "--stack", filepath.Join(t.TempDir(), "stack.json"))
	require.ErrorContains(t, err, "starter up")
	require.ErrorContains(t, err, "--api-key")
	address := startertest.FakeAPI(t, func(string, map[string]any) string { return startertest.Success(`{}`) })[:2]
	_, err = startertest.Run(t, append([]string{"call", "meta.checkVersion", "--auth-token", "t"}, address...)...)
	require.ErrorContains(t, err, "--secret-key and --auth-token belong to a credential")
}

func TestTrace_TranslatesBetweenTheForms(t *testing.T) {
	out, err := startertest.Run(t, "trace", "trc_Kgywt6S99MKiCkM5FLT48")
	require.NoError(t, err)
	require.Contains(t, out, "0af7651916cd43dd8448eb211c80319c")
	require.Contains(t, out, `TraceId = "trc_Kgywt6S99MKiCkM5FLT48"`)
	_, err = startertest.Run(t, "trace", "nonsense")
	require.ErrorContains(t, err, "meta.trace_id")
}
