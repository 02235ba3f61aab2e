package speed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// examples are the rules and the application of which BenchmarkDisk makes copies: three persons and seven documents.
const examples = "../../examples/"

// BenchmarkDisk reports by how many bytes an application enlarges the three databases, as pg_database_size says, so with
// the space that Postgres does not return. An application has three runs: a calculation that finds the persons missing, a
// price, and a calculation of the documents. Then each document is COMPLETED, and the workflow too. One endpoint gets all
// events.
//
//   - "requisite" is the service's database. Of it, "requisite_pruned" are tables whose rows are pruned after days,
//     "decision" is the record that is kept for years.
//   - "temporal" and "visibility" are Temporal's databases, and "run_in_temporal" is a third of both. Of visibility,
//     "unused_indexes" are indexes of attributes that no run has. "visibility_reindexed" is the size after REINDEX, with all
//     indexes.
//   - "wal" is what Postgres has written to the write-ahead logs of both servers.
//
// There are 2,000 applications, or 20 in the small size. It makes one round, regardless of -benchtime.
//
//	TEST_LARGE_BENCHMARKS=1 go test -run NONE -bench Disk -benchtime 1x ./e2e/speed
func BenchmarkDisk(b *testing.B) {
	s := harness.New(b)
	temporal, visibility := temporalDatabase(b, s, "temporal"), temporalDatabase(b, s, "temporal_visibility")
	ours := connect(b, s.DatabaseURL)
	applications := needs.Size(2_000, 20)
	var events atomic.Int64
	apply := applicant(b, s, &events)
	runs := func() int {
		return number[int](b, visibility, `SELECT count(*) FROM executions_visibility WHERE workflow_type_name LIKE 'Calculate%' AND close_time IS NOT NULL`)
	}
	at := func() map[string]int64 {
		for _, database := range []*pgx.Conn{ours, temporal, visibility} {
			_, err := database.Exec(b.Context(), `CHECKPOINT`) // what follows it logs whole pages, once each
			require.NoError(b, err)
		}
		return map[string]int64{
			"requisite": size(b, ours), "temporal": size(b, temporal), "visibility": size(b, visibility),
			"decision": number[int64](b, ours, `SELECT pg_total_relation_size('decision')`),
			"requisite_pruned": number[int64](b, ours, `SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
				WHERE relkind = 'r' AND relname IN ('nonce', 'outcome', 'webhook_event', 'webhook_event_position', 'webhook_delivery', 'webhook_attempt')`),
			"wal": number[int64](b, ours, written) + number[int64](b, temporal, written),
		}
	}
	total := 0
	take := func(each int) {
		together(callers, func(int) {
			for range each {
				if err := apply(); err != nil {
					b.Error(err)
					return
				}
			}
		})
		if b.Failed() {
			b.FailNow()
		}
		total += callers * each
		await.True(b, "the runs to have ended, and to be listed", func(context.Context) error {
			if n := runs(); n < runsEach*total {
				return fmt.Errorf("%d have, of %d applications", n, total)
			}
			return nil
		})
	}
	take(1) // what the first calls create is no application's
	before := at()
	for made := false; b.Loop(); made = true {
		if !made {
			take(applications / callers)
		}
	}
	after, made := at(), total-callers
	report := func(name string, bytes int64) {
		b.ReportMetric(float64(bytes)/float64(made), name+"_bytes")
	}
	for name := range after {
		report(name, after[name]-before[name])
	}
	report("run_in_temporal", (after["temporal"]-before["temporal"]+after["visibility"]-before["visibility"])/runsEach)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(made), "applications")
	b.ReportMetric(float64(events.Load())/float64(total), "events")
	_, err := visibility.Exec(b.Context(), `ANALYZE executions_visibility`)
	require.NoError(b, err)
	// The second column of an index is the attribute.
	const unused = `FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = 2
		JOIN pg_stats s ON s.tablename = 'executions_visibility' AND s.attname = a.attname AND s.null_frac = 1
		WHERE i.indrelid = 'executions_visibility'::regclass`
	report("unused_indexes", number[int64](b, visibility, `SELECT coalesce(sum(pg_relation_size(i.indexrelid)), 0)::bigint `+unused))
	b.Logf("%d indexes of visibility, of which %d are of attributes that no run has: %s", number[int](b, visibility, `SELECT count(*) FROM pg_index WHERE indrelid = 'executions_visibility'::regclass`),
		number[int](b, visibility, `SELECT count(*) `+unused), number[string](b, visibility, `SELECT string_agg(i.indexrelid::regclass::text, ' ' ORDER BY 1) `+unused))
	for name, database := range map[string]*pgx.Conn{"requisite": ours, "temporal": temporal} {
		b.Logf("%s: %s", name, number[string](b, database, `SELECT string_agg(relname || ' ' || pg_total_relation_size(oid), ', ' ORDER BY pg_total_relation_size(oid) DESC)
			FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > 200000`))
	}
	_, err = visibility.Exec(b.Context(), `REINDEX TABLE executions_visibility`)
	require.NoError(b, err)
	report("visibility_reindexed", size(b, visibility)-before["visibility"])
}

const (
	callers  = 10
	runsEach = 3 // runs of an application
	written  = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint`
)

// applicant publishes the rules of the example and makes an endpoint, which counts events. The function that it returns takes
// an application through the API.
func applicant(b *testing.B, s *harness.Stack, events *atomic.Int64) func() error {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
		events.Add(1)
	}))
	b.Cleanup(receiver.Close)
	key, _ := s.CreateKey(b)
	s.ActivateKey(b, key)
	s.Must(b, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": receiver.URL}}, nil)
	var rules harness.Object
	text, err := os.ReadFile(examples + "rules/us-card-acquirer.yaml")
	require.NoError(b, err)
	require.NoError(b, yaml.Unmarshal(text, &rules))
	s.Must(b, "account.documentRules.publish", harness.Object{"account_id": s.AccountID, "rules": rules}, nil)
	var example struct {
		Business harness.Object   `json:"business"`
		Sales    harness.Object   `json:"sales_info"`
		Persons  []harness.Object `json:"persons"`
	}
	text, err = os.ReadFile(examples + "applications/02-electronics-retailer.json")
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(text, &example))
	return func() (err error) {
		call := func(operation string, in, out any) {
			if err == nil {
				if _, err = s.Client.Call(context.Background(), operation, in, out); err != nil {
					err = fmt.Errorf("%s: %w", operation, err)
				}
			}
		}
		var business struct {
			ID string `json:"business_id"`
		}
		call("business.create", harness.Object{"account_id": s.AccountID, "business": example.Business}, &business)
		call("business.salesInfo.create", harness.Object{"business_id": business.ID, "sales_info": example.Sales}, nil)
		var w harness.Request
		call("workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, &w)
		call("workflow.requiredDocument.calculate", w, nil)
		if refused := (requisite.Error{}); errors.As(err, &refused) && refused.Code == requisite.CodeMissingRequirements {
			err = nil
		}
		call("person.create", harness.Object{"business_id": business.ID, "persons": example.Persons}, nil)
		call("workflow.pricing.calculate", w, nil)
		call("workflow.requiredDocument.calculate", w, nil)
		var list struct {
			Documents []struct {
				ID string `json:"required_document_id"`
			} `json:"required_documents"`
		}
		call("workflow.requiredDocument.list", w, &list)
		for _, d := range list.Documents {
			call("workflow.requiredDocument.update", harness.Object{"required_document_id": d.ID, "required_document": harness.Object{
				"status": "COMPLETED", "evidence": []harness.Object{{"reference": "upload-" + d.ID}}, "reviewed_by": "a.martin"}}, nil)
		}
		call("workflow.complete", w, nil)
		return err
	}
}

// temporalDatabase connects to one of Temporal's databases.
func temporalDatabase(b *testing.B, s *harness.Stack, name string) *pgx.Conn {
	u, err := url.Parse(s.TemporalDatabaseURL)
	require.NoError(b, err)
	u.Path = "/" + name
	return connect(b, u.String())
}

func connect(b *testing.B, url string) *pgx.Conn {
	conn, err := pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// number reads one value.
func number[T any](b *testing.B, database *pgx.Conn, sql string) (value T) {
	require.NoError(b, database.QueryRow(b.Context(), sql).Scan(&value), sql)
	return value
}

func size(b *testing.B, database *pgx.Conn) int64 {
	return number[int64](b, database, `SELECT pg_database_size(current_database())`)
}
