package sending

import (
	"requisite/internal/limiter"
	"requisite/internal/webhooks/delivery"
)

// Bounds limit how many attempts one process has in flight. An endpoint has at
// most ten of them.
type Bounds struct {
	All int
	// Each limits the attempts at all endpoints of one organization; zero is no limit.
	Each int
}

// slots limit attempts in flight; each holds one. An attempt at an endpoint whose last
// answer was not quick holds a slow slot too. There are three quarters as many slow
// slots, so hanging endpoints cannot use up all slots.
type slots struct{ all, slow *limiter.Limiter }

func newSlots(b Bounds) slots {
	return slots{limiter.New("webhook_attempts", b.All, b.Each), limiter.New("webhook_attempts_slow", b.All-b.All/4, 0)}
}

// share takes at most a number of slots for attempts, and divides them among endpoints.
func (s slots) share(ready []delivery.Ready, most int, quick bool) []int {
	wanted, met := total(delivery.Share(ready, most, nil)), s.all
	most = min(most, s.all.Unused())
	if !quick && s.slow.Unused() < most {
		most, met = s.slow.Unused(), s.slow
	}
	room := map[string]int{}
	for _, r := range ready {
		room[r.Organization] = s.all.Free(r.Organization)
	}
	given := delivery.Share(ready, most, room)
	switch n := total(given); {
	case n < min(most, wanted): // an organization has reached its own limit
		s.all.Refuse()
	case n < wanted:
		met.Refuse()
	}
	for i, n := range given {
		given[i] = s.take(ready[i].Organization, n, quick)
	}
	return given
}

func total(given []int) (sum int) {
	for _, n := range given {
		sum += n
	}
	return sum
}

// take takes the slots wanted for an organization, or as many as are free.
func (s slots) take(organization string, wanted int, quick bool) int {
	if !quick {
		wanted = s.slow.Take(organization, wanted)
	}
	taken := s.all.Take(organization, wanted)
	if !quick {
		s.slow.Release(organization, wanted-taken)
	}
	return taken
}

// release gives slots back.
func (s slots) release(organization string, n int, quick bool) {
	if !quick {
		s.slow.Release(organization, n)
	}
	s.all.Release(organization, n)
}
