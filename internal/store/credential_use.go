package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"requisite/internal/domain"
)

// uses writes when credentials were used last, beside the requests that used
// them: one at a time, so that it takes one connection at most.
type uses struct {
	mu      sync.Mutex
	waiting []use
	tried   *simplelru.LRU[string, time.Time] // by API key; made on first use
	writing sync.WaitGroup
	running bool
	closed  bool
}

type use struct {
	apiKey string
	at     time.Time
}

const (
	// useEvery is how exactly last_used_at is kept: it is written at most so often.
	useEvery = time.Hour
	// useRetry is when a process tries again to write a use, after one that failed too.
	useRetry = time.Minute
	// usesKept bounds the credentials whose last try is remembered, and usesWaiting
	// those that wait to be written; a further one is written at its next use.
	usesKept    = 10_000
	usesWaiting = 1_000
	useWithin   = 10 * time.Second
)

// NoteUse records that a credential was used, in the background and at most once
// an hour. failed is called when that was not possible; nothing else happens.
func (s *Store) NoteUse(c domain.Credential, failed func(error)) {
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

func (s *Store) writeUse(u use) error {
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

// close waits for the one that is being written, and forgets the others.
func (n *uses) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.writing.Wait()
}
