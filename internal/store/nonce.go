package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"requisite/internal/requests/sig1"
	"requisite/internal/store/db"
)

// nonces are written in groups. While one group of an API key is being written, the next nonces of
// the key form the next group. So callers that share a key wait for one commit instead of one each,
// and use one connection.
type nonces struct {
	mu      sync.Mutex
	waiting map[string][]*nonceGroup // by API key, for keys with a write in progress
}

type nonceGroup struct {
	uses  map[string]time.Time // when each nonce was used
	done  chan struct{}
	fresh map[string]bool
	err   error
}

const (
	// nonceGroupSize limits how many nonces one statement writes.
	nonceGroupSize = 200
	// noncesWithin is the timeout for writing a group. It does not depend on the callers.
	noncesWithin = 10 * time.Second
)

// UseNonce records a nonce. It returns false if the API key used the nonce in the last
// sig1.NonceLife. If ctx ends first, the nonce may have been recorded.
func (s Credentials) UseNonce(ctx context.Context, apiKey, nonce string, now time.Time) (bool, error) {
	group := s.nonces.join(apiKey, nonce, now, s.writeNonces)
	if group == nil {
		return false, nil // another request is waiting with the same nonce
	}
	select {
	case <-group.done:
		return group.fresh[nonce], group.err
	case <-ctx.Done():
		return false, fmt.Errorf("record a nonce: %w", context.Cause(ctx))
	}
}

// join adds a nonce to the group that is written next. It returns nil if the group already has the
// nonce.
func (n *nonces) join(apiKey, nonce string, now time.Time, write func(apiKey string, g *nonceGroup)) *nonceGroup {
	n.mu.Lock()
	defer n.mu.Unlock()
	groups, writing := n.waiting[apiKey]
	for _, g := range groups {
		if _, twice := g.uses[nonce]; twice {
			return nil
		}
	}
	if len(groups) == 0 || len(groups[len(groups)-1].uses) == nonceGroupSize {
		groups = append(groups, &nonceGroup{uses: map[string]time.Time{}, done: make(chan struct{})})
	}
	group := groups[len(groups)-1]
	group.uses[nonce] = now
	if n.waiting == nil {
		n.waiting = map[string][]*nonceGroup{}
	}
	n.waiting[apiKey] = groups
	if !writing {
		go n.run(apiKey, write)
	}
	return group
}

// run writes the groups of an API key one after the other, until none is left.
func (n *nonces) run(apiKey string, write func(apiKey string, g *nonceGroup)) {
	for {
		n.mu.Lock()
		groups := n.waiting[apiKey]
		if len(groups) == 0 {
			delete(n.waiting, apiKey)
			n.mu.Unlock()
			return
		}
		n.waiting[apiKey] = groups[1:]
		n.mu.Unlock()
		write(apiKey, groups[0])
		close(groups[0].done)
	}
}

func (s Credentials) writeNonces(apiKey string, g *nonceGroup) {
	ctx, cancel := context.WithTimeout(context.Background(), noncesWithin)
	defer cancel()
	list := slices.Sorted(maps.Keys(g.uses)) // all writers lock rows in the same order
	at := make([]time.Time, len(list))
	for i, nonce := range list {
		at[i] = g.uses[nonce]
	}
	fresh, err := db.Column[string](ctx, s.db.Authenticating(apiKey), `
		INSERT INTO nonce (api_key, nonce, expires_at)
		SELECT $1, u.nonce, u.at + make_interval(secs => $4) FROM unnest($2::text[], $3::timestamptz[]) AS u (nonce, at)
		ON CONFLICT (api_key, nonce) DO UPDATE SET expires_at = excluded.expires_at WHERE nonce.expires_at <= excluded.expires_at - make_interval(secs => $4)
		RETURNING nonce`, apiKey, list, at, sig1.NonceLife.Seconds())
	if err != nil {
		g.err = fmt.Errorf("record nonces: %w", err)
		return
	}
	g.fresh = map[string]bool{}
	for _, nonce := range fresh {
		g.fresh[nonce] = true
	}
}
