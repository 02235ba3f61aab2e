package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"requisite/internal/domain"
)

// uses writes when credentials were last used. It writes in the background, one use at a time, so
// that it takes at most one connection.
type uses struct {
	mu      sync.Mutex
	waiting []use
	tried   *simplelru.LRU[string, time.Time] // by API key; created on first use
	writing sync.WaitGroup
	running bool
	closed  bool
}

type use struct {
	apiKey string
	at     time.Time
}

const (
	// useEvery is the precision of last_used_at: it is written at most once in this time.
	useEvery = time.Hour
	// useRetry is how long a process waits after a failed write before it tries again.
	useRetry = time.Minute
	// usesKept limits how many credentials have their last try remembered. usesWaiting limits how
	// many wait to be written. A credential beyond that limit is written at its next use.
	usesKept    = 10_000
	usesWaiting = 1_000
	useWithin   = 10 * time.Second
)

// NoteUse records in the background that a credential was used, at most once an hour. If the write
// fails, it only calls failed.
func (s Credentials) NoteUse(c domain.Credential, failed func(error)) {
	now := s.db.Clock()
	if c.LastUsedAt != nil && now.Sub(*c.LastUsedAt) < useEvery {
		return
	}
	s.uses.add(use{c.APIKey, now}, func(u use) {
		if err := s.writeUse(u); err != nil {
			failed(err)
		}
	})
}

func (s Credentials) writeUse(u use) error {
	ctx, cancel := context.WithTimeout(context.Background(), useWithin)
	defer cancel()
	// Another process may have written it since the credential was read.
	_, err := s.db.ForAPIKey(u.apiKey).Exec(ctx, `
		UPDATE credential SET last_used_at = $2
		WHERE api_key = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - make_interval(secs => $3))`,
		u.apiKey, u.at, useEvery.Seconds())
	if err != nil {
		return fmt.Errorf("record the use of credential %s: %w", u.apiKey, err)
	}
	return nil
}

func (n *uses) add(u use, write func(use)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tried == nil {
		n.tried, _ = simplelru.NewLRU[string, time.Time](usesKept, nil) // fails for a size of 0
	}
	if last, ok := n.tried.Get(u.apiKey); n.closed || len(n.waiting) >= usesWaiting || ok && u.at.Sub(last) < useRetry {
		return
	}
	n.tried.Add(u.apiKey, u.at)
	n.waiting = append(n.waiting, u)
	if !n.running {
		n.running = true
		n.writing.Go(func() { n.run(write) })
	}
}

func (n *uses) run(write func(use)) {
	for {
		n.mu.Lock()
		if len(n.waiting) == 0 || n.closed {
			n.running = false
			n.mu.Unlock()
			return
		}
		next := n.waiting[0]
		n.waiting = n.waiting[1:]
		n.mu.Unlock()
		write(next)
	}
}

// close waits for the current write, and drops the others.
func (n *uses) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.writing.Wait()
}
