// Package sending makes the attempts at deliveries: it claims deliveries, posts
// webhooks, and writes the outcomes. Package delivery decides which attempts may
// begin and what follows. Temporal continues the work after a crash.
package sending

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/metrics"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/telemetry"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// Deliverer makes attempts in one process. It is safe for concurrent use.
type Deliverer struct {
	store      *store.Store
	deliveries *deliveries.Store
	sender     *webhook.Sender
	count      *metrics.Metrics // may be nil
	log        *slog.Logger
	slots      slots
	// due wakes the dispatcher to start sessions, runs to wake runs of endpoints.
	due, runs chan struct{}
	writers   *limiter.Limiter // of transactions that write outcomes of one account
	patience  time.Duration    // how long to retry writing an outcome

	mu       sync.Mutex
	claiming *session
	expected time.Time // the deadline for a started session to begin
	lostAt   time.Time // when lost attempts were last looked for
}

// New makes a deliverer over a store and a sender.
func New(store *store.Store, sender *webhook.Sender, bounds Bounds, count *metrics.Metrics, log *slog.Logger) *Deliverer {
	return &Deliverer{
		store:      store,
		deliveries: store.Deliveries,
		sender:     sender,
		count:      count,
		log:        log,
		slots:      newSlots(bounds),
		due:        make(chan struct{}, 1),
		runs:       make(chan struct{}, 1),
		writers:    limiter.New("outcome_writers", accountWriters, accountWritersEach),
		patience:   retryTimeout,
	}
}

// Limiters returns the limiters of attempts and of writing outcomes, for metrics.
func (d *Deliverer) Limiters() []*limiter.Limiter {
	return []*limiter.Limiter{d.slots.all, d.slots.slow, d.writers}
}

// wakeDispatcher makes the dispatcher look for due deliveries.
func (d *Deliverer) wakeDispatcher() {
	for _, c := range []chan struct{}{d.due, d.runs} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// end is an attempt that has ended, or was never begun.
type end struct {
	deliveries.AttemptEnd
	dropped bool
	at      time.Time
}

// since is the time since t, by the clock that shows the longer time. The monotonic clock
// stops while a virtual machine is suspended, and the wall clock may be set back.
func since(t time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)))
}

// attempt makes one attempt.
func (d *Deliverer) attempt(ctx context.Context, a deliveries.Attempt) end {
	ended := d.send(ctx, a)
	ended.at = time.Now()
	return ended
}

// send makes the request of an attempt. It waits for the answer, even if the run is
// canceled: only the sender's timeout ends it.
func (d *Deliverer) send(ctx context.Context, a deliveries.Attempt) end {
	if since(a.ClaimedAt) > delivery.BeginWithin {
		return end{AttemptEnd: deliveries.AttemptEnd{Attempt: a}, dropped: true}
	}
	if a.AsAsked {
		return end{AttemptEnd: deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{Error: webhook.FailureAsked}}}
	}
	ctx = telemetry.Within(context.WithoutCancel(ctx), a.Traceparent)
	var body []byte
	err := a.Broken
	if err == nil {
		body, err = webhook.Seal(a.Event, a.Key, a.Number-1, a.StartedAt)
	}
	if err != nil {
		d.log.ErrorContext(ctx, "a webhook cannot be sealed", "error", err, "delivery_id", id.Format(id.WebhookDelivery, a.DeliveryID))
		return end{AttemptEnd: deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{Error: "the event could not be encrypted"}}}
	}
	result := d.sender.Post(ctx, a.URL, webhook.Header(a.Event.ID, a.StartedAt, a.Traceparent), body, telemetry.AttributeAttempt.Int(a.Number))
	return end{AttemptEnd: deliveries.AttemptEnd{Attempt: a, Result: result}}
}

// observe counts an attempt, and adds it to the log and the trace.
func (d *Deliverer) observe(ctx context.Context, ended deliveries.AttemptEnd, next deliveries.Next) {
	delay := time.Duration(-1)
	if !ended.SendableAt.IsZero() {
		delay = max(0, ended.StartedAt.Sub(ended.SendableAt))
	}
	d.count.Attempt(string(next.Outcome), ended.Result.Duration, delay)
	d.logAttempt(ctx, ended, next)
}

// logAttempt writes the line of an attempt. Of the URL it has only the host: a path or a
// query may hold a secret.
func (d *Deliverer) logAttempt(ctx context.Context, ended deliveries.AttemptEnd, next deliveries.Next) {
	ctx = telemetry.Within(ctx, ended.Traceparent)
	level, message := slog.LevelInfo, "delivery attempt failed"
	if next.Outcome == delivery.AttemptSucceeded {
		level, message = slog.LevelDebug, "delivery attempt succeeded"
	}
	attributes := []slog.Attr{
		slog.String("url_host", hostOf(ended.URL)), slog.String("account_id", ended.Event.AccountID),
		slog.String("endpoint_id", id.Format(id.WebhookConfig, ended.EndpointID)), slog.String("delivery_id", id.Format(id.WebhookDelivery, ended.DeliveryID)),
		slog.Int("number", ended.Number), slog.String("outcome", string(next.Outcome)), slog.String("state", string(next.State)),
		slog.Int("status_code", ended.Result.StatusCode), telemetry.DurationMS(ended.Result.Duration), slog.String("trace_id", telemetry.Of(ctx).ID()),
	}
	if next.Error != "" {
		attributes = append(attributes, slog.String("reason", next.Error))
	}
	d.log.LogAttrs(ctx, level, message, attributes...)
}

// hostOf is the host of a URL, with its port.
func hostOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return u.Host
}

// flight is a set of attempts in flight, and writes their outcomes.
type flight struct {
	d       *Deliverer
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
	next deliveries.Next
	err  error // the outcome could not be written
}

// newFlight makes a flight. Its owner must receive from written until nothing is in
// flight, because the writer blocks while the buffer is full.
func (d *Deliverer) newFlight(ctx context.Context, quick bool, room int) *flight {
	f := &flight{d: d, quick: quick, ctx: ctx, results: make(chan end, room), written: make(chan []written, 1), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		newWriter(f).run()
	}()
	return f
}

// begin makes attempts concurrently; the caller has taken slots for them.
func (f *flight) begin(attempts []deliveries.Attempt) {
	f.count += len(attempts)
	for _, a := range attempts {
		go func() { f.results <- f.d.attempt(f.ctx, a) }()
	}
}

// take gives back the slots of written attempts.
func (f *flight) take(group []written) {
	f.count -= len(group)
	ended := map[string]int{}
	for _, w := range group {
		ended[w.Organization]++
	}
	if f.d.release(ended, f.quick) {
		f.d.wakeDispatcher() // more of that organization may be due
	}
}

// close waits for the writer. Nothing may be in flight.
func (f *flight) close() {
	close(f.results)
	<-f.done
}

// release gives back slots, counted by organization, and reports whether one of
// the organizations was at its limit.
func (d *Deliverer) release(n map[string]int, quick bool) (wereFull bool) {
	full := d.slots.all.AtLimit()
	for organization, n := range n {
		wereFull = wereFull || n > 0 && slices.Contains(full, organization)
		d.slots.release(organization, n, quick)
	}
	return wereFull
}
