package harness

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNextRelease_AppliesToTheSources: each edit finds its line.
func TestNextRelease_AppliesToTheSources(t *testing.T) {
	_, err := edited("../..", t.TempDir(), NextRelease()...)
	require.NoError(t, err)
}
