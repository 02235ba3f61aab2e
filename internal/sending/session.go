package sending

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/delivery"
)

// Session configures a session.
type Session struct {
	By domain.CreatedBy
	// Quick leaves out endpoints that last answered slowly, so that it ends soon.
	Quick bool
	// Window is how long it claims. Then it waits for its attempts in flight.
	Window time.Duration
	// Repeated says that an earlier try of the same run may have left attempts. The session first
	// declares them lost.
	Repeated bool
}

// idleTimeout is how long a session without work waits for more. New events in that time
// need no new run, so a process starts at most four runs a second.
const idleTimeout = 250 * time.Millisecond

// claimPause is how long a session waits after it has claimed all due deliveries. One
// claim and one commit then serve more deliveries.
const claimPause = 10 * time.Millisecond

// claimSize limits what one claim takes.
const claimSize = 200

// Sent is the result of a session, for operators.
type Sent struct {
	Delivered int `json:"delivered,omitempty"`
	Failed    int `json:"failed,omitempty"`
	Unknown   int `json:"unknown,omitempty"`
	// The ids that it worked on, at most ListMost of each.
	Accounts   []string `json:"accounts,omitempty"`
	Endpoints  []string `json:"endpoints,omitempty"`
	EventTypes []string `json:"event_types,omitempty"`
	// Failures are the first attempts that failed.
	Failures []Failure `json:"failures,omitempty"`
	// More reports that something is left for the rest of the run.
	More bool `json:"more,omitempty"`
}

// Failure is an attempt that did not succeed.
type Failure struct {
	DeliveryID string `json:"delivery_id"`
	EndpointID string `json:"endpoint_id"`
	EventType  string `json:"event_type"`
	Host       string `json:"host"`
	Error      string `json:"error"`
}

// ListMost and FailuresMost limit what a session reports.
const (
	ListMost     = 50
	FailuresMost = 20
)

// Plus adds what the rest of a run did.
func (s Sent) Plus(more Sent) Sent {
	s.Delivered, s.Failed, s.Unknown = s.Delivered+more.Delivered, s.Failed+more.Failed, s.Unknown+more.Unknown
	for _, a := range more.Accounts {
		s.Accounts = with(s.Accounts, a)
	}
	for _, e := range more.Endpoints {
		s.Endpoints = with(s.Endpoints, e)
	}
	for _, t := range more.EventTypes {
		s.EventTypes = with(s.EventTypes, t)
	}
	s.Failures = slices.Concat(s.Failures, more.Failures)
	s.Failures = s.Failures[:min(len(s.Failures), FailuresMost)]
	s.More = more.More
	return s
}

func with(list []string, item string) []string {
	if len(list) >= ListMost || slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

func (s *Sent) add(w written) {
	if w.dropped {
		s.More = true
		return
	}
	s.Accounts = with(s.Accounts, w.Event.AccountID)
	s.Endpoints = with(s.Endpoints, id.Format(id.WebhookConfig, w.EndpointID))
	s.EventTypes = with(s.EventTypes, w.Event.Type)
	why := w.next.Error
	switch {
	case w.err != nil:
		s.Unknown++
		why = notRecorded
	case w.next.Outcome == delivery.AttemptSucceeded:
		s.Delivered++
		return
	default:
		s.Failed++
	}
	if len(s.Failures) < FailuresMost {
		s.Failures = append(s.Failures, Failure{
			DeliveryID: id.Format(id.WebhookDelivery, w.DeliveryID),
			EndpointID: id.Format(id.WebhookConfig, w.EndpointID),
			EventType:  w.Event.Type,
			Host:       hostOf(w.URL),
			Error:      why,
		})
	}
}

// notRecorded is the reason of an attempt whose outcome could not be written.
const notRecorded = "the outcome could not be written to the database"

// Outcome is the worst outcome of its attempts.
func (s Sent) Outcome() string {
	switch {
	case s.Unknown > 0:
		return "UNKNOWN"
	case s.Failed > 0:
		return "FAILED"
	case s.Delivered > 0:
		return "DELIVERED"
	default:
		return "NOTHING_DUE"
	}
}

// Describe is the result as Markdown, for an operator.
func (s Sent) Describe() string {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("%d delivered, %d failed, %d with an unknown outcome.\n\n", s.Delivered, s.Failed, s.Unknown))
	for _, f := range s.Failures {
		b.WriteString(fmt.Sprintf("- %s (%s) to %s of endpoint %s: %s\n",
			f.DeliveryID, f.EventType, visible.Markdown(f.Host), f.EndpointID, visible.Markdown(f.Error)))
	}
	if more := s.Failed + s.Unknown - len(s.Failures); more > 0 {
		b.WriteString(fmt.Sprintf("- and %d more\n", more))
	}
	if s.Failed > 0 {
		b.WriteString("\nThe run of each endpoint, whose id is the endpoint's, retries what failed.\n")
	}
	return b.String()
}

// session is a Session under way.
type session struct {
	Session
	d        *Deliverer
	notified chan struct{} // deliveries have become due
	sent     Sent
}

// Send makes first attempts until nothing is due or the window ends. It returns when all
// outcomes are written. A hanging endpoint delays the return, but not the next session.
func (d *Deliverer) Send(ctx context.Context, how Session) (Sent, error) {
	s := &session{Session: how, d: d, notified: make(chan struct{}, 1)}
	d.startClaiming(s)
	defer d.stopClaiming(s)
	s.lose(ctx)
	err := s.run(ctx)
	if err == nil && s.Quick && !s.sent.More {
		s.sent.More, err = d.deliveries.Claims.SessionDue(ctx, d.slots.all.AtLimit()) // at an endpoint that answers slowly
	}
	return s.sent, err
}

// run claims until nothing is due or the window ends, and then waits for its attempts in flight.
func (s *session) run(ctx context.Context) error {
	flight := s.d.newFlight(ctx, s.Quick, groupSize)
	defer flight.close()
	c := newClaims(ctx, s.Window)
	defer c.stop()
	for {
		if c.now() {
			s.claimNow(ctx, flight, c)
		}
		if !c.claiming {
			s.d.stopClaiming(s)
			if flight.count == 0 {
				return c.failed
			}
		}
		s.wait(flight, c)
	}
}

// claims says when a session claims next.
type claims struct {
	claiming bool // false once the session only waits for its attempts in flight
	mayClaim bool // there may be more to claim
	failed   error
	pause    <-chan time.Time // the end of a claimPause; nil outside one
	opens    <-chan time.Time // when an endpoint's own rate allows more
	idle     *time.Timer
	window   *time.Timer
	stopped  <-chan struct{} // closed when the run has been canceled
}

func newClaims(ctx context.Context, window time.Duration) *claims {
	return &claims{
		claiming: true,
		mayClaim: true,
		idle:     time.NewTimer(idleTimeout),
		window:   time.NewTimer(window),
		stopped:  ctx.Done(),
	}
}

func (c *claims) stop() {
	c.idle.Stop()
	c.window.Stop()
}

// now reports whether the session claims now.
func (c *claims) now() bool { return c.claiming && c.mayClaim && c.pause == nil }

// claimNow claims once, and decides when the session claims next.
func (s *session) claimNow(ctx context.Context, f *flight, c *claims) {
	var claimed int
	var opensIn time.Duration
	if claimed, c.mayClaim, opensIn, c.failed = s.claim(ctx, f); c.failed != nil {
		c.claiming = false
	}
	c.opens = nil
	if opensIn > 0 { // a new session would come no sooner
		c.opens = time.After(max(opensIn, claimPause))
		c.idle.Reset(opensIn + idleTimeout)
	}
	if claimed > 0 {
		c.idle.Reset(opensIn + idleTimeout)
		if !c.mayClaim {
			c.pause = time.After(claimPause)
		}
	}
}

// wait waits for the next event: written outcomes, a time to claim, or the end of claiming.
func (s *session) wait(f *flight, c *claims) {
	var more chan struct{} // ready when there is more to claim now
	if c.now() {
		more = always
	}
	select {
	case group := <-f.written:
		s.take(f, group)
		c.mayClaim = true
		if !c.claiming {
			s.d.wakeDispatcher() // there is room again
		}
	case <-more:
	case <-c.pause:
		c.pause = nil
	case <-c.opens:
		c.opens, c.mayClaim = nil, true
	case <-s.notified:
		c.mayClaim = true
	case <-c.idle.C:
		c.claiming = false
	case <-c.window.C:
		c.claiming, s.sent.More = false, true
	case <-c.stopped:
		c.claiming, c.stopped = false, nil
	}
}

// always is ready at any time.
var always = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// claim begins attempts. It returns how many, whether there may be more now, and how soon
// an endpoint's own rate allows more.
func (s *session) claim(ctx context.Context, f *flight) (n int, more bool, opensIn time.Duration, err error) {
	taken := map[string]int{} // slots, by organization
	ready, err := s.d.deliveries.Claims.LookForReady(ctx, s.Quick, s.d.slots.all.AtLimit())
	if err != nil {
		return 0, false, 0, err
	}
	given := s.d.slots.share(ready.Endpoints, claimSize, s.Quick)
	for i, n := range given {
		taken[ready.Endpoints[i].Organization] += n
	}
	claimed, err := s.d.deliveries.Claims.Claim(ctx, s.By, ready, given)
	n = len(claimed.Attempts)
	for _, a := range claimed.Attempts {
		taken[a.Organization]--
	}
	s.d.release(taken, s.Quick)
	f.begin(claimed.Attempts)
	return n, claimed.More && n > 0, claimed.OpensIn, err
}

func (s *session) take(f *flight, group []written) {
	f.take(group)
	for _, w := range group {
		s.sent.add(w)
	}
}

// lose marks the attempts of an earlier try of this run as lost. Every loseEvery, it also marks
// attempts whose run is gone. It leaves attempts that it cannot change now to a later call.
func (s *session) lose(ctx context.Context) {
	report := func(err error) {
		if err != nil {
			s.d.log.WarnContext(ctx, "declaring attempts lost failed; the worker retries", "error", err)
		}
	}
	if s.Repeated {
		lost, err := s.d.deliveries.Ends.MarkLost(ctx, domain.CreatedBy{RunID: s.By.RunID})
		s.sent.Unknown += lost
		report(err)
	}
	if s.d.lostCheckIsDue() {
		_, err := s.d.deliveries.Ends.MarkExpired(ctx)
		report(err)
	}
}

// loseEvery is how often a process looks for lost attempts whose run is gone.
const loseEvery = 5 * time.Second

func (d *Deliverer) lostCheckIsDue() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.lostAt) < loseEvery {
		return false
	}
	d.lostAt = time.Now()
	return true
}

// startClaiming makes a session the one that gets notifications of due deliveries.
func (d *Deliverer) startClaiming(s *session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.claiming, d.expected = s, time.Time{}
}

// stopClaiming ends the notifications. It wakes the dispatcher for one that the session has not handled.
func (d *Deliverer) stopClaiming(s *session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claiming != s {
		return
	}
	d.claiming = nil
	select {
	case <-s.notified:
		d.wakeDispatcher()
	default:
	}
}

// notifySession reports whether a session in this process handles due deliveries.
func (d *Deliverer) notifySession() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claiming == nil {
		return time.Now().Before(d.expected)
	}
	select {
	case d.claiming.notified <- struct{}{}:
	default:
	}
	return true
}

// sessionStartTimeout is how long a started session may take to begin in this process.
// After that, the dispatcher starts another.
const sessionStartTimeout = time.Second

func (d *Deliverer) expectSession(session bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expected = time.Time{}
	if session {
		d.expected = time.Now().Add(sessionStartTimeout)
	}
}
