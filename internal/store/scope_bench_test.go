package store_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// BenchmarkRowLevelSecurity compares the api's role with a superuser, who is exempt from policies,
// in turn on the same rows: a read of one workflow, and
// what a calculation reads and saves. A read is also compared with its statement
// alone, without the setting that is sent with it.
func BenchmarkRowLevelSecurity(b *testing.B) {
	_, operator, url := server.Stores(b, nil)
	account, call := pgtest.NewAccount(b, operator, "bench", "UTC")
	with := server.Open(b, pgtest.As(url, pgtest.API), nil, store.Options{Connections: db.Connections{Max: 1}})
	without := server.Open(b, url, nil, store.Options{Connections: db.Connections{Max: 1}})
	var w domain.Workflow
	_, err := with.Write(b.Context(), call, func(r *store.Records) (any, error) {
		business, err := r.Applicants.CreateBusiness(b.Context(), account.WireID(), domain.Business{LegalName: "Ltd"})
		if err == nil {
			w, err = r.Workflows.Create(b.Context(), account.WireID(), business.WireID(), domain.NewWorkflow{State: domain.Started})
		}
		return nil, err
	})
	require.NoError(b, err)
	read := func(s *store.Store) error {
		_, err := s.Records(call.Scope).Workflows.Get(b.Context(), w.WireID())
		return err
	}
	save := func(s *store.Store) error {
		run := domain.Run{ID: time.Now().String(), Call: call, WorkflowID: w.WireID(), StartedAt: time.Now()}
		snapshot, err := s.LoadFacts(b.Context(), call, run.WorkflowID, run.StartedAt)
		if err != nil {
			return err
		}
		_, err = s.Save(b.Context(), run, snapshot, store.Required{})
		return err
	}
	conn, err := pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	defer conn.Close(b.Context())
	b.Run("statement", func(b *testing.B) {
		var took [2]time.Duration
		for b.Loop() {
			began := time.Now()
			require.NoError(b, read(with))
			took[0] += time.Since(began)
			began = time.Now()
			rows, err := conn.Query(b.Context(), `
				SELECT `+store.WorkflowColumns+` FROM workflow w JOIN account a ON a.id = w.account_id
				WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3`, w.ID, call.Scope.OrganizationID, call.Scope.Environment)
			require.NoError(b, err)
			_, err = pgx.CollectOneRow(rows, pgx.RowToStructByName[domain.Workflow])
			require.NoError(b, err)
			took[1] += time.Since(began)
		}
		b.ReportMetric(float64(took[0].Microseconds())/float64(b.N), "µs-with")
		b.ReportMetric(float64(took[1].Microseconds())/float64(b.N), "µs-bare")
		b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "with/bare")
	})
	for name, work := range map[string]func(*store.Store) error{"workflow": read, "calculation": save} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			for b.Loop() {
				for i, s := range []*store.Store{with, without} {
					began := time.Now()
					require.NoError(b, work(s))
					took[i] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took[0].Microseconds())/float64(b.N), "µs-with")
			b.ReportMetric(float64(took[1].Microseconds())/float64(b.N), "µs-without")
			b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "with/without")
		})
	}
}
