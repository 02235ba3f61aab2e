package deployment

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
)

func TestACallThatTheServerGivesUpIsRepeated(t *testing.T) {
	for _, passing := range []error{
		serviceerror.NewResourceExhausted(0, "busy"), serviceerror.NewCanceled("stream terminated by RST_STREAM with error code: CANCEL"),
	} {
		synctest.Test(t, func(t *testing.T) {
			answers := []error{passing, passing, nil}
			calls := 0
			require.NoError(t, patiently(t.Context(), func() error { calls++; return answers[calls-1] }))
			require.Equal(t, 3, calls)

			calls = 0
			require.ErrorIs(t, patiently(t.Context(), func() error { calls++; return passing }), passing)
			require.Equal(t, patience, calls)

			ctx, cancel := context.WithCancel(t.Context())
			calls = 0
			require.Error(t, patiently(ctx, func() error { calls++; cancel(); return passing }))
			require.Equal(t, 1, calls, "nobody waits any more")
		})
	}
	final := errors.New("no such version")
	calls := 0
	require.ErrorIs(t, patiently(t.Context(), func() error { calls++; return final }), final)
	require.Equal(t, 1, calls)
}
