package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
)

// gauge counts the requests that a sink works on at once, and the most of them. A
// request whose sender is gone is worked on to its end, as a receiver does.
// Until mayEnd is closed, if there is one, nothing ends.
type gauge struct {
	now, most atomic.Int64
	mayEnd    <-chan struct{}
}

func (g *gauge) serve(w http.ResponseWriter, _ *http.Request) {
	now := g.now.Add(1)
	defer g.now.Add(-1)
	for most := g.most.Load(); now > most && !g.most.CompareAndSwap(most, now); most = g.most.Load() {
	}
	if g.mayEnd != nil {
		<-g.mayEnd
	}
	time.Sleep(time.Second)
	w.WriteHeader(http.StatusNoContent)
}

// logged are the attempts in the log, as event and retry count.
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

// explain prints the state of everything when a test has failed.
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

// TestAWorkerIsKilledWithHundredsInFlight, again as soon as its lost attempts are repeated, and then eight
// times in a row: every event arrives, every attempt is in the log, and no endpoint works on more than ten
// at once.
func TestAWorkerIsKilledWithHundredsInFlight(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	const endpoints, each = 20, 16
	var sinks []*sink
	var gauges []*gauge
	mayEnd := make(chan struct{})
	let := sync.OnceFunc(func() { close(mayEnd) })
	t.Cleanup(let)
	for range endpoints {
		g := &gauge{mayEnd: mayEnd}
		gauges = append(gauges, g)
		sinks = append(sinks, s.sink(g.serve, "WEBHOOK_TEST"))
	}
	inFlight := func() (n int64) {
		for _, g := range gauges {
			n += g.now.Load()
		}
		return n
	}
	killAt := func(n int64) {
		s.Poll(t, fmt.Sprint("there are never so many in flight as ", n), func(context.Context) (bool, error) { return inFlight() >= n, nil })
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	sent := make([][]string, endpoints)
	var all atomic.Int64
	done := make(chan struct{})
	for i, k := range sinks {
		go func() {
			sent[i] = k.testBy(each, 2)
			if all.Add(1) == endpoints {
				close(done)
			}
		}()
	}
	<-done
	defer s.explain()
	killAt(150)
	let()
	s.Poll(t, "the receivers do not end what they work on", func(context.Context) (bool, error) { return inFlight() == 0, nil })
	killAt(60)
	for range 8 { // ten in all, these at whatever they have just begun
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	s.Poll(t, "nothing goes on", func(context.Context) (bool, error) { return inFlight() > 0, nil })
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
		require.LessOrEqual(t, gauges[i].most.Load(), int64(10), "an endpoint works on more than ten at once")
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
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`, &sending))
	require.Zero(t, sending)
	t.Logf("%d events, %d arrivals, %d attempts logged", endpoints*each, arrived, len(logged))
}
