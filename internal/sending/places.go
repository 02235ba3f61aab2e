package sending

import (
	"sync"

	"requisite/internal/delivery"
	"requisite/internal/share"
)

// Bounds limit how many attempts one process has in flight. An endpoint has at
// most ten of them.
type Bounds struct {
	All int
	// Each limits the attempts at all endpoints of one organization; zero is no limit.
	Each int
}

// places are what attempts in flight hold, one each. Endpoints that did not last
// answer quickly get at most three quarters of them, so that there is room for
// others, however many hang; and one organization gets only a share, so that none
// can take them all.
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

// free is how many may still be taken.
func (p *places) free(quick bool) int {
	free := p.all - p.held
	if !quick {
		free = min(free, p.unsure-p.heldUnsure)
	}
	return free
}

// share takes up to a number of places for attempts at endpoints, and divides them.
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

// take takes places for attempts at one endpoint: those wanted, or fewer when
// there are not enough.
func (p *places) take(organization string, wanted int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := max(0, min(wanted, p.free(false), p.each-p.by[organization]))
	p.add(organization, got, false)
	return got
}

// give gives back places. It reports whether the organization had none left.
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

// full are the organizations that have used up their share.
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
