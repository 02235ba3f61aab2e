package postgres

import (
	"maps"
	"sync"
)

// tally counts the deliveries that this process has brought to an end or to a
// stand, once that is committed.
type tally struct {
	mu sync.Mutex
	of map[DeliveryState]int64
}

func (t *tally) add(state DeliveryState, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[DeliveryState]int64{}
	}
	t.of[state] += n
}

// count remembers that the transaction has moved deliveries into a state.
func (r *Records) count(state DeliveryState, n int64) {
	if r.after != nil {
		r.after.count(state, n)
	}
}

// Settled counts, by state, the deliveries that this store has brought to an end
// (DELIVERED, FAILED, CANCELED) or to a stand (HELD) since it was opened: each as
// often as it was, whoever asked for it. All four states are there.
func (s *Store) Settled() map[DeliveryState]int64 {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	all := map[DeliveryState]int64{Delivered: 0, Failed: 0, Held: 0, Canceled: 0}
	maps.Copy(all, s.tally.of)
	return all
}
