//go:build deep

package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	schedule "requisite/internal/webhooks/delivery"
)

// gauge counts the concurrent requests of a sink, and notes when each counted. Like a real
// receiver, it processes a request to its end even if the sender is gone. No request ends
// while the gate is shut.
type gauge struct {
	now  atomic.Int64
	gate *gate

	mu    sync.Mutex
	spans []countedSpan
}

// countedSpan is the time in which a request counted.
type countedSpan struct{ from, until time.Time }

// most returns the largest number of requests at once.
func (g *gauge) most() (most int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, at := range g.spans { // the largest number is reached when one begins
		n := 0
		for _, s := range g.spans {
			if !s.from.After(at.from) && s.until.After(at.from) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// gate lets requests through while it is open.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = make(chan struct{})
}

func (g *gate) lift() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

func (g *gate) pass() {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	<-open
}

func (g *gauge) serve(w http.ResponseWriter, r *http.Request) {
	from := time.Now()
	g.now.Add(1)
	// After this time, the longest of an attempt, the request does not count any more: its
	// worker was killed, and the gate was shut until the next worker had started. A busy machine
	// may run this receiver long after the attempt began, so the time counts from its signature.
	signed, err := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
	if err != nil {
		panic(err) // the sink has verified it
	}
	longest := time.Unix(signed, 0).Add(schedule.AttemptTimeout)
	ended := sync.OnceFunc(func() { g.now.Add(-1) })
	defer ended()
	defer time.AfterFunc(time.Until(longest), ended).Stop()
	defer func() {
		until := time.Now()
		if until.After(longest) {
			until = longest
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.spans = append(g.spans, countedSpan{from, until})
	}()
	g.gate.pass()
	time.Sleep(time.Second) // the work of the receiver
	w.WriteHeader(http.StatusNoContent)
}

// logged returns the attempts in the log, as event and retry count.
func (s *stack) logged() map[string]bool {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.DatabaseURL)
	require.NoError(s.t, err)
	defer conn.Close(s.t.Context())
	rows, err := conn.Query(s.t.Context(), `SELECT d.event_id, a.number - 1 FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id`)
	require.NoError(s.t, err)
	defer rows.Close()
	list := map[string]bool{}
	for rows.Next() {
		var event [16]byte
		var retry int
		require.NoError(s.t, rows.Scan(&event, &retry))
		list[fmt.Sprint(id.Format(id.WebhookEvent, event), " ", retry)] = true
	}
	require.NoError(s.t, rows.Err())
	return list
}

// explain prints the open deliveries and the state of endpoints if the test has failed.
func (s *stack) explain() {
	if !s.t.Failed() {
		return
	}
	for _, sql := range []string{
		`SELECT coalesce(string_agg(t::text, E'\n'), '') FROM (SELECT d.endpoint_id, d.state, a.outcome, a.number, count(*), min(a.started_at), max(a.started_at), min(d.next_attempt_at), now()
			FROM webhook_delivery d LEFT JOIN webhook_attempt a ON a.delivery_id = d.id AND a.number = (SELECT max(number) FROM webhook_attempt WHERE delivery_id = d.id)
			WHERE d.state <> 'DELIVERED' GROUP BY 1, 2, 3, 4 ORDER BY 1) t`,
		`SELECT coalesce(string_agg(t::text, E'\n'), '') FROM webhook_endpoint_health t`,
		`SELECT coalesce(string_agg(t::text, E'\n'), '') FROM webhook_ready t`,
	} {
		var text string
		if err := s.Query(context.WithoutCancel(s.t.Context()), sql, &text); err != nil {
			text = err.Error()
		}
		s.t.Log(text)
	}
}

// TestKilledWorker_LosesNoneOfHundredsInFlight kills the worker with hundreds of attempts in
// flight, again when it repeats the lost ones, and then eight more times. Every event
// arrives, every attempt is in the log, and no endpoint has more than ten at once.
func TestKilledWorker_LosesNoneOfHundredsInFlight(t *testing.T) {
	s := newStack(t)
	const endpoints, each = 20, 16
	var sinks []*sink
	var gauges []*gauge
	var gate gate
	gate.shut()
	for range endpoints {
		g := &gauge{gate: &gate}
		gauges = append(gauges, g)
		sinks = append(sinks, s.sink(g.serve, "WEBHOOK_TEST"))
	}
	t.Cleanup(gate.lift) // runs before the sinks close
	inFlight := func() (n int64) {
		for _, g := range gauges {
			n += g.now.Load()
		}
		return n
	}
	awaitInFlight := func(enough func(int64) bool) {
		t.Helper()
		s.Await(t, "other attempts in flight", func(context.Context) error {
			if n := inFlight(); !enough(n) {
				return fmt.Errorf("%d are in flight", n)
			}
			return nil
		})
	}
	killAt := func(n int64) {
		awaitInFlight(func(now int64) bool { return now >= n })
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	sent := make([][]string, endpoints)
	defer s.explain()
	for i, k := range sinks {
		sent[i] = k.test(each)
	}
	killAt(100)
	gate.lift()
	awaitInFlight(func(now int64) bool { return now == 0 })
	gate.shut()
	killAt(60)
	gate.lift()
	for range 8 { // ten kills in all
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	awaitInFlight(func(now int64) bool { return now > 0 })
	for i, k := range sinks {
		seen := ids(k.await("everything", distinct(each)))
		for _, event := range sent[i] {
			require.Contains(t, seen, event)
		}
	}
	for _, k := range sinks {
		k.awaitDeliveries(each, "DELIVERED")
	}
	logged := s.logged()
	arrived := 0
	for i, k := range sinks {
		most := gauges[i].most()
		require.Positive(t, most)
		require.LessOrEqual(t, most, schedule.MaxInFlight, "an endpoint works on more than ten at once")
		once := map[string]bool{}
		for _, a := range k.seen() {
			attempt := fmt.Sprint(a.ID, " ", a.RetryCount)
			require.True(t, logged[attempt], "%s arrived and is not in the log", attempt)
			require.False(t, once[attempt], "%s arrived twice", attempt)
			once[attempt] = true
			arrived++
		}
	}
	var sending int
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE a.outcome = 'SENDING' AND d.account_id = $1`, &sending, s.AccountKey()))
	require.Zero(t, sending)
	t.Logf("%d events, %d arrivals, %d attempts logged", endpoints*each, arrived, len(logged))
}
