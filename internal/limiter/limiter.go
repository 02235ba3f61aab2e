// Package limiter limits the concurrent work of a process, in total and for each tenant,
// so that no tenant crowds out others. Its token buckets limit work over time.
package limiter

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrBusy reports that no slot became free in time.
var ErrBusy = errors.New("no slot became free in time")

// Busy is the ErrBusy that Wait returns. It says which limit was met.
type Busy struct {
	Name     string // of the limiter
	Limit    int
	OfTenant bool // Limit is the limit of one tenant, not the total
}

func (b *Busy) Error() string { return fmt.Sprintf("%v: %s, limit %d", ErrBusy, b.Name, b.Limit) }

func (b *Busy) Unwrap() error { return ErrBusy }

// Forever is the patience of a wait that only its context ends.
const Forever time.Duration = -1

// Limiter grants slots. A free slot goes to the waiting tenant below its limit that holds
// the fewest; among equals, to the one that was served longest ago. So a long queue of one
// tenant delays another by at most one turn. Wait on nil limits nothing.
type Limiter struct {
	name        string
	total, each int

	mu      sync.Mutex
	inUse   int
	tenants map[string]*tenant
	served  uint64     // counts grants and releases
	queue   *list.List // of *wait
	refused uint64
}

// tenant holds slots or waits for them.
type tenant struct {
	held, waiting int
	served        uint64 // when it was last granted a slot, or gave one back
}

type wait struct {
	tenant  string
	granted chan struct{}
}

// queueEach limits the queue of a tenant to this many waits for each of its slots. A wait
// with Forever is not refused.
const queueEach = 10

// New makes a limiter with total slots. One tenant may hold at most each slots. Zero is no limit.
func New(name string, total, each int) *Limiter {
	return &Limiter{name: name, total: total, each: each, tenants: map[string]*tenant{}, queue: list.New()}
}

// Wait takes a slot. It waits for at most patience, and not at all if that is zero. It
// fails with ErrBusy, or with the cause of the context's end. A deadline whose cause is
// ErrBusy counts as the end of patience. release gives the slot back; further calls do
// nothing.
func (l *Limiter) Wait(ctx context.Context, name string, patience time.Duration) (release func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	release = sync.OnceFunc(func() { l.Release(name, 1) })
	queued, err := l.takeOrQueue(name, patience)
	switch {
	case err != nil:
		return nil, err
	case queued == nil:
		return release, nil
	}
	var late <-chan time.Time
	if patience != Forever {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-queued.Value.(*wait).granted:
		return release, nil
	case <-late:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err := l.leaveQueue(queued, err); err != nil {
		return nil, err
	}
	return release, nil // it was granted at the same moment
}

// takeOrQueue takes a slot, or queues a wait for one. If it took a slot, it returns nil for both.
func (l *Limiter) takeOrQueue(name string, patience time.Duration) (queued *list.Element, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.of(name)
	defer l.forget(name, of)
	if l.free(of) > 0 {
		l.grant(of, 1)
		return nil, nil
	}
	if patience == 0 || patience > 0 && l.each > 0 && of.waiting >= queueEach*l.each {
		l.refused++
		return nil, l.met(of)
	}
	of.waiting++
	return l.queue.PushBack(&wait{name, make(chan struct{})}), nil
}

// leaveQueue returns why the wait ended without a slot: the end of its context, or the limit
// that was met. It returns nil when the slot has been granted meanwhile. A caller that goes
// away is not refused; one that runs out of time is.
func (l *Limiter) leaveQueue(queued *list.Element, ended error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := queued.Value.(*wait)
	select {
	case <-w.granted:
		return nil
	default:
	}
	l.queue.Remove(queued)
	of := l.tenants[w.tenant]
	of.waiting--
	defer l.forget(w.tenant, of)
	switch {
	case ended == nil || errors.Is(ended, ErrBusy):
		l.refused++
		return l.met(of)
	case errors.Is(ended, context.DeadlineExceeded):
		l.refused++
	}
	return ended
}

// Take takes up to n slots without waiting, and returns how many: all of them, or as
// many as are free. Release gives them back.
func (l *Limiter) Take(name string, n int) (taken int) { return l.take(name, 0, n) }

// TakeAll takes n slots without waiting, or none.
func (l *Limiter) TakeAll(name string, n int) bool { return l.take(name, n, n) == n }

func (l *Limiter) take(name string, least, most int) (taken int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.of(name)
	defer l.forget(name, of)
	if taken = min(most, l.free(of)); taken < most {
		l.refused++
	}
	if taken == 0 || taken < least {
		return 0
	}
	l.grant(of, taken)
	return taken
}

// Release gives back slots of a tenant, and grants them to those who wait.
func (l *Limiter) Release(name string, n int) {
	if n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.tenants[name]
	of.held -= n
	l.inUse -= n
	l.served++
	of.served = l.served
	l.forget(name, of)
	for e := l.next(); e != nil; e = l.next() {
		w := e.Value.(*wait)
		l.queue.Remove(e)
		of := l.tenants[w.tenant]
		of.waiting--
		l.grant(of, 1)
		close(w.granted)
	}
}

// Yield lends a slot that the tenant holds to other tenants that wait. It returns when it
// is the tenant's turn again, at once if no other tenant waits.
func (l *Limiter) Yield(name string) {
	l.mu.Lock()
	others := l.queue.Len() > l.tenants[name].waiting
	w := &wait{name, make(chan struct{})}
	if others {
		l.tenants[name].waiting++
		l.queue.PushFront(w) // before other work of the tenant
	}
	l.mu.Unlock()
	if others {
		l.Release(name, 1)
		<-w.granted
	}
}

// Free is how many slots a tenant could take now.
func (l *Limiter) Free(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.of(name)
	defer l.forget(name, of)
	return l.free(of)
}

// Unused is how many slots are free in total.
func (l *Limiter) Unused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unused()
}

// Refuse counts work that found too few slots in Free or Unused, and did not try to take
// more.
func (l *Limiter) Refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused++
}

// Busy names the limit that a refused tenant has met: its own, or else the total.
func (l *Limiter) Busy(name string) *Busy {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.of(name)
	defer l.forget(name, of)
	return l.met(of)
}

func (l *Limiter) met(of *tenant) *Busy {
	if l.each > 0 && l.each-of.held <= l.unused() {
		return &Busy{l.name, l.each, true}
	}
	return &Busy{l.name, l.total, false}
}

// AtLimit lists the tenants that hold as many slots as a tenant may.
func (l *Limiter) AtLimit() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for name, of := range l.tenants {
		if l.each > 0 && of.held >= l.each {
			names = append(names, name)
		}
	}
	return names
}

// unlimited is more slots than any tenant takes.
const unlimited = 1 << 40

func (l *Limiter) unused() int {
	if l.total == 0 {
		return unlimited
	}
	return l.total - l.inUse
}

func (l *Limiter) free(of *tenant) int {
	if l.each == 0 {
		return l.unused()
	}
	return min(l.unused(), l.each-of.held)
}

func (l *Limiter) grant(of *tenant, n int) {
	of.held += n
	l.inUse += n
	l.served++
	of.served = l.served
}

func (l *Limiter) of(name string) *tenant {
	of := l.tenants[name]
	if of == nil {
		of = &tenant{served: l.served} // a new tenant does not overtake those who wait
		l.tenants[name] = of
	}
	return of
}

// forget drops a tenant that neither holds nor waits for a slot.
func (l *Limiter) forget(name string, of *tenant) {
	if of.held == 0 && of.waiting == 0 {
		delete(l.tenants, name)
	}
}

// next is the wait that gets the next slot; nil if no waiting tenant may have one.
func (l *Limiter) next() *list.Element {
	var best *list.Element
	var first *tenant
	for e := l.queue.Front(); e != nil; e = e.Next() {
		of := l.tenants[e.Value.(*wait).tenant]
		if l.free(of) > 0 && (first == nil || of.before(first)) {
			best, first = e, of
		}
	}
	return best
}

func (t *tenant) before(other *tenant) bool {
	if t.held != other.held {
		return t.held < other.held
	}
	return t.served < other.served
}

// Stat is the current use of a limiter.
type Stat struct {
	Name                  string
	InUse, Waiting, Total int
	Refused               uint64
}

// Stat counts.
func (l *Limiter) Stat() Stat {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stat{l.name, l.inUse, l.queue.Len(), l.total, l.refused}
}
