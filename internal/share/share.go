// Package share limits how much is done at once, in total and for each tenant,
// so that no tenant crowds out others.
package share

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBusy reports that there was no place in time.
var ErrBusy = errors.New("too much is being done at once")

// Places are held while something is done. A free place goes to the waiting tenant
// that holds the fewest, of those within their share; among equals, to the one
// that was served longest ago. So a long queue of one tenant does not delay
// another by more than a turn. Methods on nil do nothing and limit nothing.
type Places struct {
	name        string
	total, each int

	mu      sync.Mutex
	held    map[string]int
	inUse   int
	queued  map[string]int
	served  map[string]uint64 // when each tenant that holds or waits was last served
	serving uint64            // counts up
	waiting *list.List        // of *waiter
	refused uint64
}

type waiter struct {
	tenant  string
	granted chan struct{}
}

// queueEach is how many requests of one tenant may wait for each place of its share.
const queueEach = 10

// New makes places: a total, of which each tenant may hold at most each. Zero is
// no limit.
func New(name string, total, each int) *Places {
	return &Places{name: name, total: total, each: each, held: map[string]int{}, queued: map[string]int{}, served: map[string]uint64{}, waiting: list.New()}
}

// Take waits for a place for as long as patience lasts, not at all when it is
// zero, and for as long as the context does when it is negative. It fails with
// ErrBusy, or with the context's error. The place must be released once.
func (p *Places) Take(ctx context.Context, tenant string, patience time.Duration) (release func(), err error) {
	if p == nil {
		return func() {}, nil
	}
	p.mu.Lock()
	if p.free(tenant) {
		p.hold(tenant)
		p.mu.Unlock()
		return p.releaser(tenant), nil
	}
	if patience == 0 || patience > 0 && p.each > 0 && p.queued[tenant] >= queueEach*p.each {
		p.refused++
		p.mu.Unlock()
		return nil, ErrBusy
	}
	w := &waiter{tenant, make(chan struct{})}
	place := p.waiting.PushBack(w)
	p.queued[tenant]++
	p.mu.Unlock()

	var late <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-w.granted:
		return p.releaser(tenant), nil
	case <-late:
		err = ErrBusy
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.granted: // at the same moment
		return p.releaser(tenant), nil
	default:
	}
	p.waiting.Remove(place)
	p.unqueue(tenant)
	if errors.Is(err, ErrBusy) {
		p.refused++
	}
	return nil, err
}

func (p *Places) free(tenant string) bool {
	return (p.total == 0 || p.inUse < p.total) && (p.each == 0 || p.held[tenant] < p.each)
}

func (p *Places) hold(tenant string) {
	p.inUse++
	p.held[tenant]++
	p.serving++
	p.served[tenant] = p.serving
}

func (p *Places) unqueue(tenant string) {
	if p.queued[tenant]--; p.queued[tenant] == 0 {
		delete(p.queued, tenant)
	}
	p.forget(tenant)
}

// forget drops the state of a tenant that neither holds nor waits for a place.
func (p *Places) forget(tenant string) {
	if p.held[tenant] == 0 && p.queued[tenant] == 0 {
		delete(p.served, tenant)
	}
}

// next is the waiter whose turn it is; nil when nobody may have a place.
func (p *Places) next() *list.Element {
	var best *list.Element
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		tenant := e.Value.(*waiter).tenant
		if !p.free(tenant) {
			continue
		}
		if best == nil || p.before(tenant, best.Value.(*waiter).tenant) {
			best = e
		}
	}
	return best
}

func (p *Places) before(a, b string) bool {
	if p.held[a] != p.held[b] {
		return p.held[a] < p.held[b]
	}
	return p.served[a] < p.served[b]
}

func (p *Places) releaser(tenant string) func() {
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.inUse--
		if p.held[tenant]--; p.held[tenant] == 0 {
			delete(p.held, tenant)
		}
		p.forget(tenant)
		for e := p.next(); e != nil; e = p.next() {
			w := e.Value.(*waiter)
			p.waiting.Remove(e)
			p.hold(w.tenant)
			p.unqueue(w.tenant)
			close(w.granted)
		}
	})
}

// Stat is the current use of places.
type Stat struct {
	Name                  string
	InUse, Waiting, Total int
	Refused               uint64
}

// Stat counts.
func (p *Places) Stat() Stat {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stat{p.name, p.inUse, p.waiting.Len(), p.total, p.refused}
}
