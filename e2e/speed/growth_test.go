//go:build deep

package speed_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// accounts is how many accounts a full stack has, each with an endpoint.
var accounts = needs.Size(5_000, 50)

// BenchmarkGrowth compares two stacks. One of them has a hundred thousand applications, and then a million (in the small
// size a hundred, and then a thousand), each with a business, a document, a decision, an event and its delivery; half of them are the caller's. It measures on both in
// turn, so a ratio above one means that the full stack is slower:
//
//   - one caller's calculation, and lists of the first page, in medians of milliseconds
//   - 320 calculations of 32 callers
//   - 800 test events that 16 callers publish, until the last one has arrived, and one event after the other
//
// It fails if the programs have read a large table from its beginning to its end.
//
//	TEST_LARGE_BENCHMARKS=1 go test -tags deep -run NONE -bench Growth -benchtime 1x ./e2e/speed
func BenchmarkGrowth(b *testing.B) {
	empty, full := growing(b, harness.Shared(b)), growing(b, harness.New(b))
	on := 0
	for _, applications := range []int{needs.Size(100_000, 100), needs.Size(1_000_000, 1_000)} {
		b.Run(strconv.Itoa(applications), func(b *testing.B) {
			full.fill(b, on, applications)
			on = applications
			before := full.readWhole(b)
			if needs.Size(1, 0) == 1 {
				require.NotEmpty(b, before, "large tables")
			}
			for _, g := range []*growth{empty, full} { // fills the caches of both
				for _, m := range g.measures() {
					m.do(b)
				}
			}
			took := map[string][2]float64{}
			for i, m := range empty.measures() {
				var all [2][]time.Duration
				for range b.N * m.times {
					for side, g := range []*growth{empty, full} {
						same := g.measures()[i]
						all[side] = append(all[side], timed(func() { same.do(b) }))
						ended(b, g.s)
					}
				}
				took[m.name] = [2]float64{median(all[0]), median(all[1])}
			}
			b.ReportMetric(0, "ns/op")
			for name, t := range took {
				b.ReportMetric(t[1], name+"_ms")
				b.ReportMetric(t[1]/t[0], name+"_ratio")
			}
			if len(before) > 0 {
				full.endSessions(b)
			}
			after := full.readWhole(b)
			for table, scans := range before {
				require.Equal(b, scans, after[table], "scans of the whole table %s", table)
			}
		})
	}
}

// growth is a stack with an application of each caller, a document and an endpoint.
type growth struct {
	s        *harness.Stack
	one      func()
	all      []func()
	workflow harness.Request
	config   string
	arrivals chan struct{}
}

func growing(b *testing.B, s *harness.Stack) *growth {
	g := &growth{s: s, workflow: s.Application(b), arrivals: make(chan struct{}, 10_000)}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
		g.arrivals <- struct{}{}
	}))
	b.Cleanup(receiver.Close)
	key, _ := s.CreateKey(b)
	s.ActivateKey(b, key)
	s.Must(b, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": receiver.URL, "event_types": []string{"WEBHOOK_TEST", "REQUIRED_DOCUMENTS_CALCULATED"}}}, &struct {
		ID *string `json:"config_id"`
	}{&g.config})
	s.Must(b, "workflow.requiredDocument.calculate", g.workflow, nil)
	g.await(b, 1) // it is copied
	s.Must(b, "webhook.config.update", harness.Object{"config_id": g.config, "config": harness.Object{"event_types": []string{"WEBHOOK_TEST"}}}, nil)
	g.one = calculation(b, s)
	for range 32 {
		g.all = append(g.all, calculation(b, s))
	}
	return g
}

type measure struct {
	name  string
	times int
	do    func(*testing.B)
}

func (g *growth) measures() []measure {
	return []measure{
		{"calculation", needs.Size(100, 5), func(*testing.B) { g.one() }},
		{"32_callers", needs.Size(3, 1), func(*testing.B) {
			together(len(g.all), func(i int) {
				for range 10 {
					g.all[i]()
				}
			})
		}},
		{"workflow_list", needs.Size(20, 2), func(b *testing.B) {
			g.s.Must(b, "workflow.list", harness.Object{"account_id": g.s.AccountID, "page": harness.Object{"limit": 20}}, nil)
		}},
		{"event_list", needs.Size(20, 2), func(b *testing.B) {
			g.s.Must(b, "webhook.event.list", harness.Object{"account_id": g.s.AccountID, "page": harness.Object{"limit": 20}}, nil)
		}},
		{"delivery_list", needs.Size(20, 2), func(b *testing.B) {
			g.s.Must(b, "webhook.delivery.list", harness.Object{"account_id": g.s.AccountID, "page": harness.Object{"limit": 20}}, nil)
		}},
		{"decision_list", needs.Size(20, 2), func(b *testing.B) {
			g.s.Must(b, "workflow.decision.list", g.workflow, nil)
		}},
		{"event", needs.Size(50, 5), func(b *testing.B) { g.publish(b, 1, 1) }},
		{"800_events", needs.Size(3, 1), func(b *testing.B) { g.publish(b, 16, 50) }},
	}
}

// publish sends test events, and waits until they have arrived.
func (g *growth) publish(b *testing.B, callers, each int) {
	together(callers, func(int) {
		for range each {
			call(b, g.s, "webhook.config.test", harness.Object{"config_id": g.config})
		}
	})
	g.await(b, callers*each)
}

func (g *growth) await(b *testing.B, arrivals int) {
	for range arrivals {
		await.Next(b, "an event", g.arrivals, g.s.Running()...)
	}
}

// fill copies the application, its document, decision, event and delivery until the stack has so many more than it had.
func (g *growth) fill(b *testing.B, from, to int) {
	began := time.Now()
	conn, err := pgx.Connect(b.Context(), g.s.DatabaseURL)
	require.NoError(b, err)
	defer conn.Close(context.Background())
	workflow, account := id.Must[id.WorkflowID](g.workflow.WorkflowID).UUID, g.s.AccountKey()
	run := func(sql string, args ...any) {
		_, err := conn.Exec(b.Context(), sql, args...)
		require.NoError(b, err, sql)
	}
	run(`SET session_replication_role = replica`) // without triggers and foreign keys
	if from == 0 {
		run(`CREATE TABLE place AS SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS account, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS endpoint, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS organization, n FROM generate_series(1, $1) n`, accounts)
		run(`INSERT INTO organization SELECT (jsonb_populate_record(o, jsonb_build_object('id', p.organization, 'name', p.n || o.name))).*
			FROM organization o JOIN account a ON a.organization_id = o.id, place p WHERE a.id = $1`, account)
		run(`INSERT INTO account SELECT (jsonb_populate_record(a, jsonb_build_object('id', p.account, 'organization_id', p.organization))).* FROM account a, place p WHERE a.id = $1`, account)
		run(`INSERT INTO webhook_endpoint SELECT (jsonb_populate_record(e, jsonb_build_object('id', p.endpoint, 'account_id', p.account))).* FROM webhook_endpoint e, place p WHERE e.account_id = $1`, account)
		run(`INSERT INTO webhook_endpoint_health (endpoint_id) SELECT endpoint FROM place`)
		run(`INSERT INTO place SELECT account_id, id, NULL, n FROM webhook_endpoint, generate_series(0, 1 - $2::int, -1) n WHERE account_id = $1`, account, accounts)
	}
	run(`CREATE TEMPORARY TABLE copied AS SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS workflow, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS business, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS event, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS delivery, p.account, p.endpoint, g AS position
		FROM generate_series($1::int, $2) g JOIN place p ON p.n = g % (2 * $3) - $3 + 1`, from, to-1, accounts)
	run(`INSERT INTO business SELECT (jsonb_populate_record(b, jsonb_build_object('id', c.business, 'account_id', c.account))).* FROM workflow w JOIN business b ON b.id = w.business_id, copied c WHERE w.id = $1`, workflow)
	run(`INSERT INTO workflow SELECT (jsonb_populate_record(w, jsonb_build_object('id', c.workflow, 'business_id', c.business, 'account_id', c.account))).* FROM workflow w, copied c WHERE w.id = $1`, workflow)
	run(`INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'workflow_id', c.workflow, 'account_id', c.account))).*
		FROM required_document d, copied c WHERE d.workflow_id = $1`, workflow)
	run(`INSERT INTO decision SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'workflow_id', c.workflow))).* FROM decision d, copied c WHERE d.workflow_id = $1 AND d.number = 1`, workflow)
	run(`INSERT INTO outcome SELECT c.workflow::text, o.organization_id, o.environment, o.operation, NULL, NULL, o.content, o.created_at
		FROM (SELECT * FROM outcome WHERE operation = 'workflow.requiredDocument.calculate' LIMIT 1) o, copied c`)
	run(`INSERT INTO webhook_event SELECT (jsonb_populate_record(v, jsonb_build_object('id', c.event, 'workflow_id', c.workflow, 'account_id', c.account))).* FROM webhook_event v, copied c WHERE v.workflow_id = $1 AND v.event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`, workflow)
	run(`INSERT INTO webhook_event_position (event_id, account_id, position, batch) SELECT event, account, position + 1000000, event FROM copied`)
	run(`INSERT INTO webhook_delivery SELECT (jsonb_populate_record(d, jsonb_build_object('id', c.delivery, 'event_id', c.event, 'endpoint_id', c.endpoint, 'account_id', c.account))).*
		FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id, copied c WHERE v.workflow_id = $1 AND v.event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`, workflow)
	run(`INSERT INTO webhook_attempt SELECT (jsonb_populate_record(a, jsonb_build_object('delivery_id', c.delivery, 'endpoint_id', c.endpoint))).*
		FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id JOIN webhook_event v ON v.id = d.event_id, copied c WHERE v.workflow_id = $1 AND v.event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`, workflow)
	run(`DROP TABLE copied`)
	run(`VACUUM ANALYZE`)
	for _, table := range []string{"workflow", "required_document", "decision", "outcome", "webhook_event", "webhook_event_position", "webhook_delivery", "webhook_attempt"} {
		var rows, bytes int
		require.NoError(b, conn.QueryRow(b.Context(), `SELECT count(*), pg_total_relation_size($1) FROM `+table, table).Scan(&rows, &bytes))
		require.GreaterOrEqual(b, rows, to, table)
		b.Logf("%s: %d rows of %d bytes with their indexes", table, rows, bytes/rows)
	}
	b.Logf("%d applications more within %s", to-from, time.Since(began).Round(time.Second))
}

// endSessions ends the sessions of the programs, which then count what they have not counted yet. They connect again.
func (g *growth) endSessions(b *testing.B) {
	const sessions = `FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'requisite-%' AND backend_start < $1`
	var now time.Time
	require.NoError(b, g.s.Query(b.Context(), `SELECT clock_timestamp()`, &now))
	_, err := g.s.Exec(b.Context(), `SELECT pg_terminate_backend(pid) `+sessions, now)
	require.NoError(b, err)
	await.True(b, "the sessions to end", func(ctx context.Context) error {
		var left int
		err := g.s.Query(ctx, `SELECT count(*) `+sessions, &left, now)
		if err == nil && left > 0 {
			err = fmt.Errorf("%d are left", left)
		}
		return err
	})
}

// readWhole counts, by name, the scans of tables of 20,000 rows and more from their beginning to their end. Once a
// minute, the round of deadlines reads all accounts, of which there are fewer.
func (g *growth) readWhole(b *testing.B) map[string]int64 {
	conn, err := pgx.Connect(b.Context(), g.s.DatabaseURL)
	require.NoError(b, err)
	defer conn.Close(context.Background())
	rows, err := conn.Query(b.Context(), `SELECT relname, seq_scan FROM pg_stat_user_tables WHERE n_live_tup >= 20000`)
	require.NoError(b, err)
	scans := map[string]int64{}
	var name string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&name, &n}, func() error {
		scans[name] = n
		return nil
	})
	require.NoError(b, err)
	return scans
}
