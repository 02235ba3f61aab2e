// Package sending makes the attempts at deliveries: it claims what may begin,
// posts it, and writes the outcome. Package delivery decides what may begin and
// what follows; Temporal makes sure that the work goes on after a crash.
package sending

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"requisite/internal/delivery"
	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/postgres"
	"requisite/internal/share"
	"requisite/internal/telemetry"
	"requisite/internal/webhook"
)

// Engine makes attempts in one process. It is safe for concurrent use.
type Engine struct {
	store  *postgres.Store
	sender *webhook.Sender
	count  *metrics.Metrics // may be nil
	log    *slog.Logger
	places *places
	due    chan struct{} // make the dispatcher look for sessions and for runs to wake
	runs   chan struct{}

	mu       sync.Mutex
	claiming *session
	expected time.Time // the deadline for a started session to begin
	lostAt   time.Time // when lost attempts were last looked for
}

// New makes an engine over a store and a sender.
func New(store *postgres.Store, sender *webhook.Sender, bounds Bounds, count *metrics.Metrics, log *slog.Logger) *Engine {
	return &Engine{store: store, sender: sender, count: count, log: log, places: newPlaces(bounds), due: make(chan struct{}, 1), runs: make(chan struct{}, 1)}
}

// Stat counts the places for attempts in flight.
func (e *Engine) Stat() share.Stat { return e.places.Stat() }

// look makes the dispatcher look for due deliveries.
func (e *Engine) look() {
	for _, c := range []chan struct{}{e.due, e.runs} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// end is an attempt that has ended, or was never begun.
type end struct {
	postgres.AttemptEnd
	dropped bool
}

// since is the time since a moment, by the monotonic or the wall clock, whichever
// says longer: the monotonic clock stops while a virtual machine is suspended, and
// the wall clock may be set back.
func since(t time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)))
}

// attempt makes one attempt. Only the sender limits it: a request that has been
// sent is awaited, whatever happens to the run around it.
func (e *Engine) attempt(ctx context.Context, a postgres.Attempt) end {
	if since(a.ClaimedAt) > delivery.BeginWithin {
		return end{AttemptEnd: postgres.AttemptEnd{Attempt: a}, dropped: true}
	}
	ctx = telemetry.Within(context.WithoutCancel(ctx), a.Traceparent)
	var body []byte
	err := a.Broken
	if err == nil {
		body, err = webhook.Seal(a.Event, a.Key, a.Number-1, a.StartedAt)
	}
	if err != nil {
		e.log.ErrorContext(ctx, "a webhook cannot be sealed", "error", err, "delivery_id", id.Format(id.WebhookDelivery, a.DeliveryID))
		return end{AttemptEnd: postgres.AttemptEnd{Attempt: a, Result: webhook.Result{Error: "the event could not be encrypted"}}}
	}
	result := e.sender.Post(ctx, a.URL, webhook.Header(a.Event.ID, a.StartedAt, a.Traceparent), body, telemetry.AttributeAttempt.Int(a.Number))
	return end{AttemptEnd: postgres.AttemptEnd{Attempt: a, Result: result}}
}

// observe counts an attempt, and adds it to the log and the trace.
func (e *Engine) observe(ctx context.Context, ended postgres.AttemptEnd, next postgres.Next) {
	delay := time.Duration(-1)
	if !ended.SendableAt.IsZero() {
		delay = max(0, ended.StartedAt.Sub(ended.SendableAt))
	}
	e.count.Attempt(string(next.Outcome), ended.Result.Duration, delay)
	ctx = telemetry.Within(ctx, ended.Traceparent)
	level := slog.LevelInfo
	if next.Outcome == delivery.Succeeded {
		level = slog.LevelDebug
	}
	e.log.Log(ctx, level, "attempt", "delivery_id", id.Format(id.WebhookDelivery, ended.DeliveryID), "endpoint_id", id.Format(id.WebhookConfig, ended.EndpointID),
		"number", ended.Number, "outcome", next.Outcome, "status_code", ended.Result.StatusCode, "duration", ended.Result.Duration, "state", next.State, "trace_id", telemetry.Of(ctx).ID())
}

// flight is a set of attempts in flight, and writes their outcomes.
type flight struct {
	e       *Engine
	quick   bool // to endpoints that last answered quickly
	ctx     context.Context
	results chan end
	written chan []written // one for each group
	count   int            // begun, and not yet written
	done    chan struct{}
}

// written is an attempt whose outcome has been written.
type written struct {
	end
	next postgres.Next
	err  error // the outcome could not be written
}

// newFlight makes a flight. Its owner must take what is written until nothing
// is in flight: the buffer is limited, and the writer blocks when it is full.
func (e *Engine) newFlight(ctx context.Context, quick bool, room int) *flight {
	f := &flight{e: e, quick: quick, ctx: ctx, results: make(chan end, room), written: make(chan []written, 1), done: make(chan struct{})}
	go f.write()
	return f
}

// begin makes attempts concurrently; the caller has taken places for them.
func (f *flight) begin(attempts []postgres.Attempt) {
	f.count += len(attempts)
	for _, a := range attempts {
		go func() { f.results <- f.e.attempt(f.ctx, a) }()
	}
}

// take returns what has been written; the places are free again.
func (f *flight) take(group []written) {
	f.count -= len(group)
	ended := map[string]int{}
	for _, w := range group {
		ended[w.Organization]++
	}
	if f.e.release(ended, f.quick) {
		f.e.look() // more of that organization may be due
	}
}

// close waits for the writer. Nothing may be in flight.
func (f *flight) close() {
	close(f.results)
	<-f.done
}

const (
	// groupSize limits how many outcomes are written in one transaction.
	groupSize = 200
	// writePatience is how long writing an outcome is retried. After that,
	// whoever finds the attempt declares it lost.
	writePatience = time.Minute
)

// write writes the outcomes of attempts in groups: all that arrived while the
// previous group was written.
func (f *flight) write() {
	defer close(f.done)
	for first := range f.results {
		group := []end{first}
		for more := true; more && len(group) < groupSize; {
			select {
			case next, open := <-f.results:
				if more = open; open {
					group = append(group, next)
				}
			default:
				more = false
			}
		}
		f.written <- f.writeGroup(group)
	}
}

func (f *flight) writeGroup(group []end) []written {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(f.ctx), writePatience)
	defer cancel()
	done := make([]written, len(group))
	var ended []postgres.AttemptEnd
	var dropped []postgres.Attempt
	var places []int
	for i, g := range group {
		done[i] = written{end: g}
		if g.dropped {
			dropped = append(dropped, g.Attempt)
			continue
		}
		ended, places = append(ended, g.AttemptEnd), append(places, i)
	}
	if err := patiently(ctx, func() error { return f.e.store.Drop(ctx, dropped) }); err != nil {
		f.e.log.ErrorContext(ctx, "attempts that were not begun could not be taken back; they will be UNKNOWN", "error", err, "count", len(dropped))
	}
	var nexts []postgres.Next
	err := patiently(ctx, func() (err error) {
		nexts, err = f.e.store.EndAttempts(ctx, ended)
		return err
	})
	if err != nil {
		f.e.log.ErrorContext(ctx, "the ends of attempts could not be written; they will be UNKNOWN", "error", err, "count", len(ended))
	}
	for i, at := range places {
		if err != nil {
			done[at].err = err
			continue
		}
		done[at].next = nexts[i]
		f.e.observe(f.ctx, ended[i], nexts[i])
	}
	return done
}

// patiently retries until it succeeds, or ctx ends.
func patiently(ctx context.Context, try func() error) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// release gives back places, counted by organization, and reports whether one of
// the organizations had none left.
func (e *Engine) release(n map[string]int, quick bool) (wereFull bool) {
	for organization, n := range n {
		wereFull = e.places.give(organization, n, quick) || wereFull
	}
	return wereFull
}
