package sending

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"requisite/internal/store/deliveries"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func endAt(endpoint uuid.UUID, ago time.Duration) end {
	return end{AttemptEnd: deliveries.AttemptEnd{Attempt: deliveries.Attempt{EndpointID: endpoint}}, at: time.Now().Add(-ago)}
}

// Each outcome has its own deadline.
func TestWriter_GivesUpOnlyOldOutcomes(t *testing.T) {
	f := &flight{e: &Engine{patience: time.Hour, log: slog.New(slog.DiscardHandler)}, ctx: context.Background(), written: make(chan []written, 1)}
	old, young := uuid.New(), uuid.New()
	away := errors.New("away")
	left := newWriter(f).giveUpOld([]end{endAt(old, 2*time.Hour), endAt(young, time.Minute)}, away)
	require.Len(t, left, 1)
	require.Equal(t, young, left[0].EndpointID)
	given := <-f.written
	require.Len(t, given, 1)
	require.Equal(t, old, given[0].EndpointID)
	require.Equal(t, away, given[0].err)
}

func TestSplitGroup_DividesByEndpointAndThenInHalves(t *testing.T) {
	a, b := uuid.New(), uuid.New()
	group := func(endpoints ...uuid.UUID) (list []end) {
		for _, e := range endpoints {
			list = append(list, endAt(e, 0))
		}
		return list
	}
	for name, c := range map[string]struct {
		group []end
		busy  bool
		sizes []int
	}{
		"of several endpoints":                  {group(a, b, a), false, []int{2, 1}},
		"of several endpoints, behind a lock":   {group(a, b, a), true, []int{2, 1}},
		"of one endpoint, in halves":            {group(a, a, a), false, []int{1, 2}},
		"of one endpoint, behind a lock, whole": {group(a, a, a), true, []int{3}},
		"one alone":                             {group(a), false, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			var sizes []int
			for _, part := range splitGroup(c.group, c.busy) {
				sizes = append(sizes, len(part))
			}
			require.Equal(t, c.sizes, sizes)
		})
	}
}
