package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// The bytes of an organization's decisions are counted in its row. So that calculations do not
// wait for each other at the row, a process takes them from there in portions, and uses a portion
// up in memory. No more than the quota is ever recorded; a process that ends loses what it has
// not used of its portions.

// portionsOfADay is how many portions the quota of a day has.
const portionsOfADay = 256

// decisionOverhead is what a decision takes beside its texts, with its indexes.
const decisionOverhead = 1 << 10

func bytesOf(d decision.Decision) int64 {
	return int64(len(d.Changes) + len(d.Results) + len(d.Personal) + decisionOverhead)
}

// takeDecisionBytes refuses a decision beyond the bytes that the organization may record on a
// day (UTC, by the database's clock). What the service decides itself is never refused.
func (r *Records) takeDecisionBytes(ctx context.Context, d decision.Decision) error {
	quota, need := r.quotas.DecisionBytesADay, bytesOf(d)
	if quota == 0 || d.Kind == decision.Erasure || r.actor == domain.System || r.portions.use(r.scope.OrganizationID, need, r.at) {
		return nil
	}
	for _, portion := range []int64{max(need, quota/portionsOfADay), need} {
		left, ok, err := db.One[struct{ Seconds float64 }](ctx, r.q, `
			SELECT seconds FROM take_decision_bytes(`+db.MomentSQL+`, $2, $3) AS seconds WHERE seconds IS NOT NULL`, r.moment, portion, quota)
		if err != nil {
			return fmt.Errorf("count the bytes of decisions: %w", err)
		}
		if ok {
			until := r.at.Add(time.Duration(left.Seconds * float64(time.Second)))
			r.after.Do(func(context.Context) { r.portions.add(r.scope.OrganizationID, portion-need, until) })
			return nil
		}
	}
	tomorrow := r.at.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return refusal.TooMany(refusal.Limit{Limit: float64(quota), Scope: refusal.ScopeOrganization, Of: refusal.LimitDecisionBytesADay}, tomorrow.Sub(r.at),
		"The decisions of this organization take %d bytes today (UTC), as many as they may. Nothing was changed: try again tomorrow.", quota)
}

// portions are the bytes that a process has taken for organizations and not used yet.
type portions struct {
	mu    sync.Mutex
	taken *simplelru.LRU[id.UUID, portion] // evicts the least recently used
}

// portion is a number of bytes of one day, which ends at a time.
type portion struct {
	left  int64
	until time.Time
}

// use takes bytes from what an organization has; false when that is less. They are not given
// back if the transaction fails.
func (p *portions) use(organization id.UUID, bytes int64, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	has, _ := p.cached().Get(organization)
	if has.left < bytes || !at.Before(has.until) {
		return false
	}
	p.taken.Add(organization, portion{has.left - bytes, has.until})
	return true
}

// add adds bytes of the day that ends at a time.
func (p *portions) add(organization id.UUID, bytes int64, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	has, _ := p.cached().Peek(organization)
	// Two readings of one day's end differ by what lies between the clocks' readings.
	switch later := until.Sub(has.until); {
	case later > time.Hour:
		has = portion{}
	case later < -time.Hour: // of a day that has ended
		return
	}
	p.taken.Add(organization, portion{has.left + bytes, until})
}

// cached is the cache, made on first use; the caller holds the lock.
func (p *portions) cached() *simplelru.LRU[id.UUID, portion] {
	if p.taken == nil {
		p.taken, _ = simplelru.NewLRU[id.UUID, portion](countsKept, nil) // fails for a size of 0
	}
	return p.taken
}
