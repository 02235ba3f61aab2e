package deliveries_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// BenchmarkClaimBesideFullEndpoints compares two databases, turn about: in one, a
// thousand endpoints of other accounts have deliveries that are due and no free
// slot. It measures a claim from ten healthy endpoints, and looking whether a
// session has anything to do when it has not. What counts is the ratio.
//
//	go test -run NONE -bench FullEndpoints -benchtime 100x ./internal/store/deliveries
func BenchmarkClaimBesideFullEndpoints(b *testing.B) {
	const full = 1000
	for _, kind := range []struct {
		name                        string
		rate, concurrency, inFlight int
	}{
		{"concurrency", 0, 1, 1},
		{"rate", 1, 0, 0},
		{"neither", 0, 0, delivery.MaxInFlight},
	} {
		b.Run(kind.name, func(b *testing.B) {
			alone, beside := newClaims(b), newClaims(b)
			beside.crowded(full, kind.rate, kind.concurrency, kind.inFlight)
			for _, c := range []*claims{alone, beside} {
				c.claim(b)
				c.look(b)
			}
			var claim, look [2][]time.Duration
			for b.Loop() {
				for i, c := range []*claims{alone, beside} {
					claim[i] = append(claim[i], c.claim(b))
					look[i] = append(look[i], c.look(b))
				}
			}
			report := func(name string, took [2][]time.Duration) {
				for i := range took {
					slices.Sort(took[i])
				}
				middle := func(list []time.Duration) float64 { return float64(list[len(list)/2].Microseconds()) }
				b.ReportMetric(middle(took[0]), "µs-"+name+"-alone")
				b.ReportMetric(middle(took[1]), "µs-"+name+"-beside")
				b.ReportMetric(middle(took[1])/middle(took[0]), name+"-ratio")
			}
			b.ReportMetric(0, "ns/op")
			report("claim", claim)
			report("look", look)
		})
	}
}

// claims is a database with ten healthy endpoints, whose clock stands still.
type claims struct {
	*bundle
	store   *store.Store
	clockAt time.Time
	healthy []domain.Endpoint
}

func newClaims(b *testing.B) *claims {
	c := &claims{bundle: prepare(b)}
	c.ActiveKey()
	c.clockAt = c.Now()
	c.store = server.Open(b, pgtest.As(c.URL, pgtest.Serving), nil, store.Options{Now: func() time.Time { return c.clockAt }, Connections: db.Connections{Max: 2}})
	for range 10 {
		c.healthy = append(c.healthy, c.Endpoint())
	}
	return c
}

// crowded makes n more endpoints, each with so many attempts in flight or its rate
// used up, and with one delivery more that is due.
func (c *claims) crowded(n, rate, concurrency, inFlight int) {
	c.crowd(c.healthy[0], n)
	at := c.clockAt.Add(time.Second)
	require.NoError(c, c.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = created_at WHERE account_id <> $1`, c.Account.ID))
	require.NoError(c, c.Exec(`UPDATE webhook_endpoint SET rate_per_second = nullif($2, 0), concurrency = nullif($3, 0) WHERE account_id <> $1`, c.Account.ID, rate, concurrency))
	if rate > 0 {
		require.NoError(c, c.Exec(`UPDATE webhook_endpoint_health h SET opens_at = $2 FROM webhook_endpoint e WHERE e.id = h.endpoint_id AND e.account_id <> $1`, c.Account.ID, at))
		require.NoError(c, c.Exec(`UPDATE webhook_ready SET session_at = $2 WHERE account_id <> $1`, c.Account.ID, at))
	}
	require.NoError(c, c.Exec(`
		WITH events AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), a.id, 'WEBHOOK_TEST', $2, 'u', 'SYSTEM', '{}' FROM account a, generate_series(1, $3) WHERE a.id <> $1 RETURNING id, account_id),
		owed AS (
			INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
			SELECT gen_random_uuid(), v.account_id, v.id, e.id, 'PENDING', $2, $2, $2 FROM events v JOIN webhook_endpoint e ON e.account_id = v.account_id RETURNING id, endpoint_id)
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
		SELECT id, 1, endpoint_id, 'SENDING', 'k', $2, false, 0, 'send/1', 'other', '' FROM owed`, c.Account.ID, c.clockAt, inFlight))
	require.NoError(c, c.Exec(`ANALYZE`))
}

// claim measures a claim of two deliveries of each healthy endpoint, and ends them.
func (c *claims) claim(b *testing.B) time.Duration {
	for _, e := range c.healthy {
		c.fill(e, 2)
	}
	began := time.Now()
	claimed, err := pgtest.ClaimAs(b.Context(), c.store, pgtest.InSession)
	took := time.Since(began)
	require.NoError(b, err)
	require.Len(b, claimed.Attempts, 2*len(c.healthy))
	ends := make([]deliveries.AttemptEnd, len(claimed.Attempts))
	for i, a := range claimed.Attempts {
		ends[i] = ended(a, 200)
	}
	_, rest, err := c.store.Deliveries.Ends.EndWithoutWaiting(b.Context(), ends)
	require.NoError(b, err)
	require.Empty(b, rest)
	return took
}

// look measures what a process asks every second, and after each notification.
func (c *claims) look(b *testing.B) time.Duration {
	began := time.Now()
	due, err := c.store.Deliveries.Claims.SessionDue(b.Context(), nil)
	took := time.Since(began)
	require.NoError(b, err)
	require.False(b, due)
	return took
}
