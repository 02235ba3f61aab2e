package background_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/background"
)

var errLimit = errors.New("it takes too long")

// spin computes until the context ends, and returns why.
func spin(ctx context.Context) error {
	for ctx.Err() == nil {
	}
	return context.Cause(ctx)
}

func TestAComputationEndsAfterItsProcessorTime(t *testing.T) {
	t.Parallel()
	var err error
	background.Limit(t.Context(), 5*time.Millisecond, errLimit, func(ctx context.Context) { err = spin(ctx) })
	require.ErrorIs(t, err, errLimit)
}

func TestAComputationEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var err error
	background.Limit(ctx, 0, nil, func(ctx context.Context) {
		cancel()
		err = spin(ctx)
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestAPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	defer func() { require.Contains(t, recover(), "the rules are broken") }()
	background.Run(func() { panic("the rules are broken") })
	t.Error("not reached")
}
