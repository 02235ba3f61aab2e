package store

import (
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
)

// decisionOverhead is what a decision takes beside its texts, with its indexes.
const decisionOverhead = 1 << 10

func bytesOf(d decision.Decision) int {
	return len(d.Changes) + len(d.Results) + len(d.Personal) + decisionOverhead
}

// decisionBytesRefill is how long it takes until an organization that used all of its bytes has them again.
const decisionBytesRefill = 24 * time.Hour

func newDecisionBytes(quota int64) *limiter.Buckets {
	return limiter.NewBuckets(float64(quota)/decisionBytesRefill.Seconds(), int(quota))
}

// takeBytes refuses a decision beyond the bytes that this process may record for the organization:
// those of a day at once, and as many in the course of each day. What the service decides itself is never
// refused. Bytes are not given back if the transaction fails.
func (r Decisions) takeBytes(d decision.Decision) error {
	quota := r.quotas.DecisionBytesADay
	if quota == 0 || d.Kind == decision.Erasure || r.actor == domain.System {
		return nil
	}
	_, wait := r.decisionBytes.Take(r.scope.OrganizationID.String(), bytesOf(d), r.clock())
	if wait == 0 {
		return nil
	}
	wait = min(wait, decisionBytesRefill) // a decision that is larger than the quota never fits
	return refusal.TooMany(refusal.Limit{Limit: float64(quota), Scope: refusal.ScopeOrganization, Of: refusal.LimitDecisionBytesADay}, wait,
		"The decisions of this organization take as many bytes as they may, %d a day. Nothing was changed: try again later.", quota)
}
