package deliveries_test

import (
	"testing"
	"time"

	"requisite/internal/webhooks/delivery"

	"github.com/stretchr/testify/require"
)

func TestNextAfter_IsNeverInThePast(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	later := now.Add(time.Millisecond)
	for _, due := range []*time.Time{nil, new(now.Add(-time.Hour)), new(now)} {
		require.Nil(t, delivery.Record{NextAttemptAt: due}.NextAfter(now))
	}
	require.Equal(t, &later, delivery.Record{NextAttemptAt: &later}.NextAfter(now))
}
