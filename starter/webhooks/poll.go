package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"requisite/internal/text/visible"
)

// pollEvery is how long the poller waits when nothing new has come.
const pollEvery = time.Second

// Poller prints an account's events as they come, in order. It needs neither an
// endpoint nor a key.
type Poller struct {
	Call       func(ctx context.Context, operation string, in, out any) error
	Print      func(format string, args ...any)
	AccountID  string
	eventTypes []string
	after      string
	Since      time.Time // of events; zero for all
	Pause      func(context.Context) error
}

type polledEvent struct {
	ID        string          `json:"id"`
	EventType string          `json:"event_type"`
	Timestamp string          `json:"timestamp"`
	Sequence  int64           `json:"sequence"`
	Data      json.RawMessage `json:"data"`
}

// NewPoller continues after a cursor, or begins with the events from now on.
func NewPoller(accountID string, eventTypes []string, after string, now time.Time) *Poller {
	p := &Poller{AccountID: accountID, eventTypes: eventTypes, after: after}
	if after == "" {
		p.Since = now
	}
	return p
}

// Run polls until ctx ends, and returns the cursor to continue after.
func (p *Poller) Run(ctx context.Context) (after string, err error) {
	takes := map[string]bool{}
	for _, t := range p.eventTypes {
		takes[t] = true
	}
	for {
		in := map[string]any{"account_id": p.AccountID, "order": "OLDEST_FIRST", "include_data": true}
		if p.after != "" {
			in["page"] = map[string]string{"after": p.after}
		}
		if !p.Since.IsZero() { // on every page, because the first may have no event after Since
			in["filters"] = map[string]string{"since": p.Since.UTC().Format("2006-01-02T15:04:05.000Z")}
		}
		var page struct {
			Events   []polledEvent `json:"events"`
			Next     string        `json:"next"`
			CaughtUp bool          `json:"caught_up"`
		}
		if err := p.Call(ctx, "webhook.event.list", in, &page); err != nil {
			if ctx.Err() != nil {
				return p.after, nil
			}
			return p.after, err
		}
		for _, e := range page.Events {
			if len(takes) > 0 && !takes[e.EventType] {
				continue
			}
			note := ""
			if e.Sequence > 0 {
				note = fmt.Sprintf("  (sequence %d)", e.Sequence)
			}
			p.Print("\n%s  %s  %s%s\n%s\n", visible.Line(e.Timestamp), visible.Line(e.EventType), visible.Line(e.ID), note, Pretty(e.Data))
		}
		p.after = page.Next
		if page.CaughtUp && p.Pause(ctx) != nil {
			return p.after, nil
		}
	}
}

func pause(ctx context.Context) error {
	timer := time.NewTimer(pollEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
