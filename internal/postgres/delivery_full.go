package postgres

import (
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// fullFor is how long an endpoint without a free slot is left out of looks, unless
// a slot becomes free here. It limits how late this process sees one that another
// process, or the owner of the endpoint, has made free.
const fullFor = 5 * time.Second

// fullEndpoints are those without a free slot, as far as this process knows. Finding
// that out takes as long as claiming from one, so that very many of them would delay
// all others, if each look did it again. Nothing depends on it but the time that
// takes: a claim counts what is in flight under its locks.
type fullEndpoints struct {
	mu    sync.Mutex
	until map[uuid.UUID]time.Time
	looks []*fullLook // under way
}

// fullLook is one look at ready endpoints.
type fullLook struct {
	of   *fullEndpoints
	at   time.Time
	full []uuid.UUID        // left out
	free map[uuid.UUID]bool // what got a free slot since it began; it may have missed that
}

// look begins a look; end must be called.
func (f *fullEndpoints) look(now time.Time) *fullLook {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := &fullLook{of: f, at: now, full: []uuid.UUID{}, free: map[uuid.UUID]bool{}}
	for e, until := range f.until {
		if now.Before(until) {
			l.full = append(l.full, e)
		} else {
			delete(f.until, e)
		}
	}
	f.looks = append(f.looks, l)
	return l
}

func (l *fullLook) end() {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.looks = slices.DeleteFunc(l.of.looks, func(other *fullLook) bool { return other == l })
}

// learn leaves an endpoint that the look found full out of others, for a time.
func (l *fullLook) learn(endpoint uuid.UUID, lasts time.Duration) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if l.free[endpoint] {
		return
	}
	if l.of.until == nil {
		l.of.until = map[uuid.UUID]time.Time{}
	}
	l.of.until[endpoint] = l.at.Add(lasts)
}

// freed is told of attempts that may no longer hold their slots.
func (f *fullEndpoints) freed(attempts []Attempt) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range attempts {
		delete(f.until, a.EndpointID)
		for _, l := range f.looks {
			l.free[a.EndpointID] = true
		}
	}
}

// notFullSQL: the ready endpoint q is not one of an array. It is looked up in a hash
// table, however long the array is.
func notFullSQL(array string) string {
	return `NOT (q.endpoint_id IN (SELECT unnest(` + array + `::uuid[])))`
}
