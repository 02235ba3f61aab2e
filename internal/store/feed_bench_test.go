package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/needs"
)

// BenchmarkFeed reads the feed of an account with a million events (in the small size 10,000),
// as the api: a page in the middle, one with contents, a look that finds nothing new, a page
// that a filter leaves empty, and the next page after an event was written.
//
//	TEST_LARGE_BENCHMARKS=1 go test -run NONE -bench Feed ./internal/store
func BenchmarkFeed(b *testing.B) {
	s := prepare(b)
	events := needs.Size(1_000_000, 10_000)
	require.NoError(b, s.Exec(`
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
		SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || substr(md5(n::text), 13))::uuid, $1, 'WEBHOOK_TEST', now(), 'u', 'SYSTEM', jsonb_build_object('x', repeat(md5(n::text), 20))
		FROM generate_series(1, $2) n`, s.Account.ID, events))
	fillFeed(s)
	require.NoError(b, s.Exec(`VACUUM ANALYZE`))
	s.Store = server.Open(b, pgtest.As(s.URL, pgtest.Serving), nil, store.Options{Connections: db.Connections{Max: 2}})
	middle, end := middleAndEnd(s)
	for _, one := range []struct {
		name  string
		query domain.EventQuery
		after string
		write bool
	}{
		{"middle", inOrder, middle, false},
		{"contents", domain.EventQuery{OldestFirst: true, Payload: true}, middle, false},
		{"caught-up", inOrder, end, false},
		{"filtered", domain.EventQuery{OldestFirst: true, EventFilter: domain.EventFilter{Type: domain.WebhookKeyActivated}}, middle, false},
		{"written", inOrder, end, true},
	} {
		b.Run(one.name, func(b *testing.B) {
			var reading, writing time.Duration
			after := one.after
			for b.Loop() {
				began := time.Now()
				if one.write {
					s.createWorkflow()
					writing += time.Since(began)
					began = time.Now()
				}
				after = readPage(s, one.query, after, one.write)
				reading += time.Since(began)
			}
			b.ReportMetric(float64(reading.Microseconds())/float64(b.N), "µs/page")
			if one.write {
				b.ReportMetric(float64(writing.Microseconds())/float64(b.N), "µs/write")
			}
		})
	}
}

func fillFeed(s *bundle) {
	require.NoError(s, s.Exec(`
		INSERT INTO webhook_event_position (event_id, account_id, position, batch)
		SELECT id, account_id, row_number() OVER (PARTITION BY account_id ORDER BY id), $1 FROM webhook_event ON CONFLICT (event_id) DO UPDATE SET position = excluded.position, batch = excluded.batch`, s.Account.ID))
	require.NoError(s, s.Exec(`INSERT INTO webhook_feed SELECT account_id, max(position) FROM webhook_event_position GROUP BY 1`))
}

func middleAndEnd(s *bundle) (middle, end string) {
	at := func(position string) string {
		var n int64
		var event, batch id.UUID
		require.NoError(s, s.Pool().QueryRow(s.Context(), `SELECT position, event_id, batch FROM webhook_event_position WHERE position = (SELECT `+position+` FROM webhook_feed)`).Scan(&n, &event, &batch))
		return store.FeedCursor(n, event, batch)
	}
	return at(`last_position / 2`), at(`last_position`)
}

func readPage(s *bundle, q domain.EventQuery, after string, goOn bool) string {
	page := s.mustList(q, 50, after)
	if goOn {
		require.Len(s, page.Events, 1)
		return page.Next
	}
	return after
}
