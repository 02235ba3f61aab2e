package deliveries

import (
	"context"
	"sync"

	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// CountAfter counts deliveries that a transaction moves to a state. It counts once the transaction
// is committed.
func (s Outbox) CountAfter(after *db.AfterCommit, state delivery.State, n int64) {
	if n > 0 {
		after.Do(func(context.Context) { s.ended.add(state, n) })
	}
}

// tally counts, by kind, what this process has committed.
type tally[K comparable] struct {
	mu sync.Mutex
	of map[K]int64
}

func (t *tally[K]) add(kind K, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[K]int64{}
	}
	t.of[kind] += n
}

// count returns the counts of some kinds.
func (t *tally[K]) count(kinds ...K) map[K]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[K]int64{}
	for _, kind := range kinds {
		all[kind] = t.of[kind]
	}
	return all
}

// Ended counts, by state, the deliveries that this store has moved to a final state since it was
// opened. Each move counts, whatever its cause. The result has all three states.
func (s Outbox) Ended() map[delivery.State]int64 {
	return s.ended.count(delivery.Delivered, delivery.Failed, delivery.Canceled)
}
