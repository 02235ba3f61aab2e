package sending

import (
	"sync"

	"requisite/internal/delivery"
	"requisite/internal/share"
)

// Bounds are how many attempts one process has in flight at once. An endpoint has
// ten of them at most.
type Bounds struct {
	All int
	// Each is how many the endpoints of one organization have; zero is no bound.
	Each int
}

// places are what attempts in flight hold: one each. Three quarters of them are for
// endpoints that did not last answer quickly, so that however many hang, there is
// room for others; and of one organization there are so many at most, so that it
// needs several to take all.
type places struct {
	all, unsure, each int

	mu         sync.Mutex
	held       int
	heldUnsure int
	by         map[string]int // by organization
}

func newPlaces(b Bounds) *places {
	each := b.Each
	if each == 0 {
		each = b.All
	}
	return &places{all: b.All, unsure: b.All - b.All/4, each: each, by: map[string]int{}}
}

// free is how many anybody may still take.
func (p *places) free(quick bool) int {
	free := p.all - p.held
	if !quick {
		free = min(free, p.unsure-p.heldUnsure)
	}
	return free
}

// share takes places for attempts at endpoints, at most so many, and divides them.
func (p *places) share(ready []delivery.Ready, most int, quick bool) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := map[string]int{}
	for _, r := range ready {
		if _, known := room[r.Organization]; !known {
			room[r.Organization] = p.each - p.by[r.Organization]
		}
	}
	given := delivery.Share(ready, min(most, p.free(quick)), room)
	for i, n := range given {
		p.add(ready[i].Organization, n, quick)
	}
	return given
}

// take takes places for attempts at one endpoint, as many of those wanted as there
// are.
func (p *places) take(organization string, wanted int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := max(0, min(wanted, p.free(false), p.each-p.by[organization]))
	p.add(organization, got, false)
	return got
}

// give gives places back. It reports whether the organization had none left.
func (p *places) give(organization string, n int, quick bool) (wasFull bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wasFull = n > 0 && p.by[organization] >= p.each
	p.add(organization, -n, quick)
	return wasFull
}

func (p *places) add(organization string, n int, quick bool) {
	p.held += n
	if !quick {
		p.heldUnsure += n
	}
	if p.by[organization] += n; p.by[organization] == 0 {
		delete(p.by, organization)
	}
}

// full are the organizations that have as many as they may.
func (p *places) full() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var full []string
	for organization, n := range p.by {
		if n >= p.each {
			full = append(full, organization)
		}
	}
	return full
}

// Stat counts.
func (p *places) Stat() share.Stat {
	p.mu.Lock()
	defer p.mu.Unlock()
	return share.Stat{Name: "webhook_attempts", InUse: p.held, Total: p.all}
}
