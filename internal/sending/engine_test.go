package sending

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// However many endpoints hang, there is room for those that last answered quickly.
func TestEndpointsThatHangLeaveRoom(t *testing.T) {
	t.Parallel()
	e := New(nil, nil, nil, nil)
	require.Equal(t, maxUnsure, e.reserve(2*maxAttempts, false))
	require.Zero(t, e.reserve(1, false))
	require.Equal(t, maxAttempts-maxUnsure, e.reserve(maxAttempts, true))
	require.Zero(t, e.reserve(1, true))
	e.release(1, true)
	require.Zero(t, e.reserve(1, false), "a quick one's place is not for those that may hang")
	require.Equal(t, 1, e.reserve(2, true))
	e.release(10, false)
	require.Equal(t, 10, e.reserve(20, false))
}
