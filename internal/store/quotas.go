package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
)

// Quotas limit what one tenant may store. Zero is no limit.
type Quotas struct {
	// RuleVersionsADay is how many versions of its rules an account may publish or propose in one
	// day (UTC). RuleBytes is their total size in RuleBytesWindow. Versions that documents and
	// decisions keep for years do not count. The size of a version is that of its content, or of
	// the texts that it keeps, whichever is larger.
	RuleVersionsADay, RuleBytes int64
	// DecisionBytesADay is the size of the decisions that a process records for an organization:
	// that much at once, and the same again over each day.
	DecisionBytesADay int64
	// Waiting is how many deliveries may wait at an account's endpoints before requests that add
	// more are refused. Events are still written.
	Waiting int64
	// Businesses limits the businesses of an account, and Workflows the workflows of one business.
	Businesses, Workflows int64
	// Outcomes limits the stored outcomes of idempotency keys in one scope.
	Outcomes int64
}

// RuleBytesWindow is how long a version of rules counts against RuleBytes.
const RuleBytesWindow = 30 * 24 * time.Hour

// publishing refuses a version or a proposal of rules that exceeds an account's quotas. Both count
// against the quotas; an approved proposal counts once. The caller holds the lock of the account's
// policy.
func (r Rules) publishing(ctx context.Context, account domain.Account, bytes int, approved *calculation.Proposal) error {
	var today, recent int64
	var except id.UUID
	if approved != nil {
		except = approved.ID
	}
	err := r.q.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE at >= date_trunc('day', $2::timestamptz, 'UTC')), coalesce(sum(content_bytes), 0) FROM (
			SELECT published_at AS at, greatest(content_bytes, pg_column_size(kept_texts)) AS content_bytes FROM rule_set WHERE account_id = $1 AND published_at > $3
			UNION ALL SELECT proposed_at, content_bytes FROM rule_proposal WHERE account_id = $1 AND proposed_at > $3 AND state <> 'APPROVED' AND id <> $4) made`,
		account.ID, r.at, r.at.Add(-RuleBytesWindow), except).Scan(&today, &recent)
	switch {
	case err != nil:
		return fmt.Errorf("count the versions of an account's rules: %w", err)
	case r.quotas.RuleVersionsADay > 0 && today >= r.quotas.RuleVersionsADay:
		return refusal.Rule(refusal.EntityDocumentRules, account.WireID().String(), refusal.VersionLimitExceeded,
			"This account has published and proposed %d versions of its rules today (UTC), and may publish %d. "+
				"account.documentRules.validate and .preview try rules without publishing them.",
			today, r.quotas.RuleVersionsADay)
	case r.quotas.RuleBytes > 0 && recent+int64(bytes) > r.quotas.RuleBytes:
		return refusal.Rule(refusal.EntityDocumentRules, account.WireID().String(), refusal.SizeLimitExceeded,
			"The versions of this account's rules that were published or proposed in the last 30 days take %d bytes; "+
				"with the %d of this one they would take more than %d. "+
				"Publish smaller rules, or once without keep_approvals, which ends the list of kept texts, "+
				"or wait until the oldest of them are 30 days old.",
			recent, bytes, r.quotas.RuleBytes)
	}
	return nil
}

// MayAskForMore refuses a request for more deliveries when too many of the account's deliveries
// wait. It never refuses events.
func (r Webhooks) MayAskForMore(ctx context.Context, accountID id.UUID) error {
	return r.withinQuota(ctx, waitingLife, "waiting deliveries", accountID.String(), r.quotas.Waiting, 0, func() *refusal.Refusal {
		return refusal.Rule(refusal.EntityWebhookDelivery, "", refusal.WaitingLimitExceeded,
			"%d deliveries or more wait at this account's endpoints: "+
				"enable the endpoints, activate a webhook key or repair the receivers, "+
				"and repeat the request when fewer wait.",
			r.quotas.Waiting)
	}, `
		SELECT FROM webhook_endpoint e
			JOIN webhook_delivery d ON d.endpoint_id = e.id
				AND d.state IN ('PENDING', 'RETRYING')
		WHERE e.account_id = $1 AND e.deleted_at IS NULL`,
		accountID)
}

// withinQuota checks a quota against a count that is cached for life. written is how many rows this
// transaction has written already.
func (r *unit) withinQuota(
	ctx context.Context,
	life time.Duration, name, scope string, quota, written int64,
	full func() *refusal.Refusal,
	sql string, args ...any,
) error {
	if quota == 0 {
		return nil
	}
	key := name + " " + scope
	n, fresh := r.counts.get(key, r.at)
	if !fresh {
		if err := r.q.QueryRow(ctx, `SELECT count(*) FROM (`+sql+fmt.Sprintf(" LIMIT %d", quota+written)+`) c`, args...).Scan(&n); err != nil {
			return fmt.Errorf("count %s: %w", name, err)
		}
		n -= written
		r.counts.set(key, n, r.at.Add(life))
	}
	if n >= quota {
		return full()
	}
	r.after.Do(func(context.Context) { r.counts.add(key) })
	return nil
}

// counts caches counts that are too expensive to make for each request. A count is exact when it is
// made, and then grows with what this process commits. Concurrent requests may exceed a quota
// slightly.
type counts struct {
	mu    sync.Mutex
	known *simplelru.LRU[string, count] // evicts the least recently used
}

type count struct {
	n     int64
	until time.Time
}

// countsLife is how long a count is used. waitingLife is the same for waiting deliveries, whose
// number also falls. countsKept limits how many counts are cached.
const (
	countsLife  = 10 * time.Minute
	waitingLife = time.Second
	countsKept  = 10_000
)

// get returns a count. It returns false if the count is not cached.
func (c *counts) get(key string, at time.Time) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.cached().Get(key)
	return known.n, ok && !at.After(known.until)
}

// add increments a count, if it is cached.
func (c *counts) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.cached().Peek(key); ok {
		c.known.Add(key, count{known.n + 1, known.until})
	}
}

func (c *counts) set(key string, n int64, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cached().Add(key, count{n, until})
}

// cached is the cache, created on first use. The caller holds the lock.
func (c *counts) cached() *simplelru.LRU[string, count] {
	if c.known == nil {
		c.known, _ = simplelru.NewLRU[string, count](countsKept, nil) // fails for a size of 0
	}
	return c.known
}
