package store

import (
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
)

// decisionOverhead is the size of a decision without its texts, including its indexes.
const decisionOverhead = 1 << 10

func bytesOf(d decision.Decision) int {
	return len(d.Changes) + len(d.Results) + len(d.Personal) + decisionOverhead
}

// decisionBytesRefill is how long it takes until an organization that has used all its bytes has
// all of them again.
const decisionBytesRefill = 24 * time.Hour

func newDecisionBytes(quota int64) *limiter.Buckets {
	return limiter.NewBuckets(float64(quota)/decisionBytesRefill.Seconds(), int(quota))
}

// takeBytes refuses a decision that exceeds the bytes that this process may record for the
// organization: a day's quota at once, and the same again over each day. Decisions that no caller
// requested are never refused. If the transaction fails, the bytes stay used.
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
