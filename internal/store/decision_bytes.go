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
	bucket, _ := r.decisionBytes.LoadOrStore(r.scope.OrganizationID, rate.NewLimiter(rate.Limit(float64(quota)/day.Seconds()), int(quota)))
	if bucket.(*rate.Limiter).AllowN(r.clock(), bytesOf(d)) {
		return nil
	}
	tomorrow := r.at.UTC().Truncate(day).Add(day)
	return refusal.TooMany(refusal.Limit{Limit: float64(quota), Scope: refusal.ScopeOrganization, Of: refusal.LimitDecisionBytesADay}, tomorrow.Sub(r.at),
		"The decisions of this organization take %d bytes today (UTC), as many as they may. Nothing was changed: try again tomorrow.", quota)
}
