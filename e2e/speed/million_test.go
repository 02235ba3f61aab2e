//go:build deep

package speed_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// documentsEach is the number of documents of each workflow on the full stack.
const documentsEach = 5

// BenchmarkCalculationAmongAMillionDocuments compares a calculation without changes on two
// stacks. One of them has a million documents, each with an event. They calculate in turn.
func BenchmarkCalculationAmongAMillionDocuments(b *testing.B) {
	documents := harness.Size(1_000_000, 10_000)
	empty, full := harness.Shared(b), harness.New(b)
	fill(b, full, documents)
	onEmpty, onFull := calculation(b, empty), calculation(b, full)
	for range 20 { // fills the caches of both
		onEmpty()
		onFull()
	}
	var without, with []time.Duration
	for b.Loop() {
		without = append(without, timed(onEmpty))
		with = append(with, timed(onFull))
	}
	b.ReportMetric(float64(documents), "documents")
	report(b, "empty", "full", median(without), median(with), "ms")
}

// fill copies a calculated workflow with its documents and events until the stack has a
// number of documents.
func fill(b *testing.B, s *harness.Stack, documents int) {
	one := s.Application(b)
	_, err := s.Client.Call(b.Context(), "workflow.requiredDocument.calculate", one, nil)
	require.NoError(b, err)
	conn, err := pgx.Connect(b.Context(), s.DatabaseURL)
	require.NoError(b, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(b.Context(), `CREATE TEMPORARY TABLE copied AS SELECT gen_random_uuid() AS id FROM generate_series(1, $1)`, documents/documentsEach)
	require.NoError(b, err)
	for _, step := range []string{
		`INSERT INTO workflow SELECT (jsonb_populate_record(w, jsonb_build_object('id', c.id))).* FROM workflow w, copied c`,
		`INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id, 'document_type_code', 'D' || g))).*
			FROM required_document d, copied c, generate_series(1, 5) g`,
		`INSERT INTO webhook_event SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'workflow_id', c.id, 'sequence', g))).*
			FROM webhook_event e, copied c, generate_series(1, 5) g WHERE e.event_type = 'REQUIRED_DOCUMENTS_CALCULATED'`,
		`VACUUM ANALYZE`,
	} {
		_, err := conn.Exec(b.Context(), step)
		require.NoError(b, err, step)
	}
	var there int
	require.NoError(b, s.Query(b.Context(), `SELECT count(*) FROM required_document`, &there))
	require.Equal(b, documents+1, there)
}
