package background_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/background"
)

// On a busy machine a computation gets no processor for a while. Here it only waits.
// Only Linux reports the processor time of a thread.
func TestWaitingIsNotComputing(t *testing.T) {
	t.Parallel()
	var err error
	background.Limit(t.Context(), 50*time.Millisecond, errLimit, func(ctx context.Context) {
		select {
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	})
	require.NoError(t, err)
}
