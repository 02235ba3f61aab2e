package sending

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"requisite/internal/id"
	"requisite/internal/store/deliveries"

	"github.com/stretchr/testify/require"
)

func endAt(endpoint id.UUID, ago time.Duration) end {
	return end{AttemptEnd: deliveries.AttemptEnd{Attempt: deliveries.Attempt{EndpointID: endpoint}}, at: time.Now().Add(-ago)}
}

// Each outcome has its own deadline.
func TestWriter_GivesUpOnlyOldOutcomes(t *testing.T) {
	f := &flight{d: &Deliverer{patience: time.Hour, log: slog.New(slog.DiscardHandler)}, ctx: context.Background(), written: make(chan []written, 1)}
	old, young := id.New(), id.New()
	away := errors.New("away")
	left := newWriter(f).giveUpOld([]end{endAt(old, 2*time.Hour), endAt(young, time.Minute)}, away)
	require.Len(t, left, 1)
	require.Equal(t, young, left[0].EndpointID)
	given := <-f.written
	require.Len(t, given, 1)
	require.Equal(t, old, given[0].EndpointID)
	require.Equal(t, away, given[0].err)
}
