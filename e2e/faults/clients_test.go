//go:build deep

package faults

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// How many of each the clients use at once.
const (
	applicationsAtOnce = 8 // of an account
	endpointsAtOnce    = 6
)

// prepare creates the first records of every account.
func (l *load) prepare(ctx context.Context) {
	for _, a := range l.accounts {
		l.publish(ctx, a)
		l.activateKey(ctx, a, l.createKey(ctx, a))
		l.createEndpoint(ctx, a, allTypes, true)
		l.createEndpoint(ctx, a, typeChoices[1], true)
		for range 3 {
			l.apply(ctx, a, true)
		}
	}
}

// run runs all clients until stop ends. They finish their requests unless ctx ends.
func (l *load) run(ctx, stop context.Context, seed uint64) {
	var all sync.WaitGroup
	client := func(number uint64, rest float64, do func(random *rand.Rand, a *account)) {
		random := rand.New(rand.NewPCG(seed, number))
		all.Go(func() {
			for {
				wait := time.Duration(rest * (0.5 + random.Float64()) * float64(l.pace))
				if !pause(stop, wait) {
					return
				}
				do(random, l.accounts[random.IntN(len(l.accounts))])
			}
		})
	}
	with := func(do func(random *rand.Rand, a *account, p *application)) func(*rand.Rand, *account) {
		return func(random *rand.Rand, a *account) {
			if p := a.any(random); p != nil {
				do(random, a, p)
			}
		}
	}
	for n := range uint64(2) {
		client(10+n, 2, with(func(_ *rand.Rand, a *account, p *application) { l.update(ctx, a, p) }))
	}
	for n := range uint64(3) {
		client(20+n, 2, with(func(random *rand.Rand, a *account, p *application) { l.calculate(ctx, random, a, p) }))
	}
	client(30, 1, with(func(_ *rand.Rand, a *account, p *application) { l.read(ctx, a, p) }))
	client(31, 8, func(random *rand.Rand, a *account) {
		a.mu.Lock()
		full := len(a.applications) >= applicationsAtOnce
		a.mu.Unlock()
		if full {
			l.end(ctx, random, a)
		}
		l.apply(ctx, a, false)
	})
	client(32, 15, func(_ *rand.Rand, a *account) { l.publish(ctx, a) })
	client(33, 4, func(random *rand.Rand, _ *account) { l.replay(ctx, random) })
	for n := range uint64(2) {
		client(40+n, 12, func(random *rand.Rand, a *account) {
			if key := l.createKey(ctx, a); key != "" && random.IntN(3) > 0 {
				l.activateKey(ctx, a, key)
			}
		})
	}
	for n, a := range l.accounts { // one client changes an account's endpoints, another one its documents
		client(50+uint64(n), 5, func(random *rand.Rand, _ *account) { l.tend(ctx, random, a) })
		client(60+uint64(n), 4, l.reviewer(ctx, a))
		client(63+uint64(n), 10, func(random *rand.Rand, _ *account) { l.renew(ctx, a, a.any(random)) })
	}
	all.Go(func() {
		random := rand.New(rand.NewPCG(seed, 70))
		for pause(stop, between(random, 300*time.Millisecond, 1500*time.Millisecond)) {
			var names []string
			for _, a := range l.accounts {
				for _, h := range a.hooks() {
					names = append(names, h.sink)
				}
			}
			l.sinks.changeMood(random, names)
		}
	})
	all.Wait()
}

// tend does one random operation on an account's endpoints.
func (l *load) tend(ctx context.Context, random *rand.Rand, a *account) {
	hooks := a.hooks()
	h := hooks[random.IntN(len(hooks))] // never empty: two endpoints are kept
	switch random.IntN(10) {
	case 0, 1:
		if len(hooks) < endpointsAtOnce {
			l.createEndpoint(ctx, a, typeChoices[random.IntN(len(typeChoices))], false)
		}
	case 2:
		if !h.kept {
			l.deleteEndpoint(ctx, a, h)
		}
	case 3:
		types := typeChoices[random.IntN(len(typeChoices))]
		l.updateEndpoint(ctx, a, h, "event_types", types, typesOf(types))
	case 4:
		if h.status == "ACTIVE" {
			l.setStatus(ctx, a, h, "DISABLED")
		} else {
			l.setStatus(ctx, a, h, "ACTIVE")
		}
	case 5, 6:
		if h.status == "ACTIVE" && l.sinks.is(h.sink) != gone {
			l.enable(ctx, a, h)
		}
	default:
		l.test(ctx, a, h)
	}
}

// reviewsOfOne keep an application below the number of decisions that a day may bring, with its
// calculations.
const reviewsOfOne = 300

// reviewer changes the status of documents of an account's first application, then of new ones
// that no client ends.
func (l *load) reviewer(ctx context.Context, a *account) func(*rand.Rand, *account) {
	var id, status string
	p, reviews := a.first(), 0
	return func(*rand.Rand, *account) {
		if reviews == reviewsOfOne {
			if next := l.apply(ctx, a, true); next != nil {
				a.letEnd(p)
				p, id, reviews = next, "", 0
			}
			return
		}
		if id == "" { // until somebody has calculated it
			if base := l.list(ctx, a, p); base != nil {
				id, status = base.ID, base.Status
			}
			return
		}
		status = l.review(ctx, a, id, status)
		reviews++
	}
}
