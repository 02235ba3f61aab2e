package store

import (
	"time"

	"golang.org/x/time/rate"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
)

// decisionOverhead is what a decision takes beside its texts, with its indexes.
const decisionOverhead = 1 << 10

func bytesOf(d decision.Decision) int {
	return len(d.Changes) + len(d.Results) + len(d.Personal) + decisionOverhead
}

// takeDecisionBytes refuses a decision beyond the bytes that this process may record for the organization:
// those of a day at once, and as many in the course of each day. What the service decides itself is never
// refused. Bytes are not given back if the transaction fails.
func (r *Records) takeDecisionBytes(d decision.Decision) error {
	quota := r.quotas.DecisionBytesADay
	if quota == 0 || d.Kind == decision.Erasure || r.actor == domain.System {
		return nil
	}
	const day = 24 * time.Hour
	bucket, found := r.decisionBytes.Load(r.scope.OrganizationID)
	if !found {
		bucket, _ = r.decisionBytes.LoadOrStore(r.scope.OrganizationID, rate.NewLimiter(rate.Limit(float64(quota)/day.Seconds()), int(quota)))
	}
	now := r.clock()
	taken := bucket.(*rate.Limiter).ReserveN(now, bytesOf(d))
	wait := taken.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	taken.CancelAt(now)
	wait = min(wait, day) // a decision that is larger than the quota never fits
	return refusal.TooMany(refusal.Limit{Limit: float64(quota), Scope: refusal.ScopeOrganization, Of: refusal.LimitDecisionBytesADay}, wait,
		"The decisions of this organization take as many bytes as they may, %d a day. Nothing was changed: try again later.", quota)
}
