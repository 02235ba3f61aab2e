//go:build deep

package webhooks_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/pgbouncer"
)

// TestDatabase_SettingsAndPoolerChangeNothing: the database and all roles have hostile
// settings. Programs and operators connect directly, or through a PgBouncer that pools
// sessions and has no other setting.
func TestDatabase_SettingsAndPoolerChangeNothing(t *testing.T) {
	for _, through := range []string{"direct", "PgBouncer"} {
		t.Run(through, func(t *testing.T) {
			of := harness.NewStopped(t, harness.Options{})
			direct := of.DatabaseURL
			conn, err := pgx.Connect(t.Context(), direct)
			require.NoError(t, err)
			defer conn.Close(t.Context())
			for _, inherited := range []string{"DATABASE requisite", "ROLE " + harness.Owner, "ROLE " + harness.API, "ROLE " + harness.Worker} {
				for _, sql := range pgtest.SetHostile(inherited) {
					_, err := conn.Exec(t.Context(), sql)
					require.NoError(t, err, sql)
				}
			}
			if through == "PgBouncer" {
				pooled := pgbouncer.Start(t, "session", []string{harness.AsOwner(direct), harness.AsProgram(direct, "api"), harness.AsProgram(direct, "worker")})
				of.UseDatabase(pooled(direct))
			}
			run := func(command *exec.Cmd) string {
				out, err := command.CombinedOutput()
				require.NoError(t, err, "%s\n%s", command, out)
				return string(out)
			}
			run(of.Starter("migrate", "--api-role", harness.API, "--worker-role", harness.Worker))
			of.StartPrograms(t)
			s := withKey(t, of)
			k := s.sink(nil)
			s.Publish(t, "business_age_years >= 5")

			const name = "Müller & Söhne ✓"
			var business struct {
				ID            string `json:"business_id"`
				Name          string `json:"legal_name"`
				EstablishedAt string `json:"established_date"`
			}
			s.Must(t, "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": name, "established_date": "2016-02-29"}}, &business)
			s.Must(t, "business.get", harness.Object{"business_id": business.ID}, &business)
			require.Equal(t, name, business.Name)
			require.Equal(t, "2016-02-29", business.EstablishedAt)
			var w harness.Request
			s.Must(t, "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, &w)
			s.Must(t, "workflow.requiredDocument.calculate", w, nil)
			require.Len(t, s.Documents(t, w), 1)
			calculated := func(list []arrival) bool {
				for _, a := range list {
					if a.EventType == "REQUIRED_DOCUMENTS_CALCULATED" {
						return true
					}
				}
				return false
			}
			k.await("the webhook of the calculation", calculated)
			var feed struct {
				Events []struct {
					EventType string `json:"event_type"`
				} `json:"events"`
			}
			for range 2 {
				s.Must(t, "webhook.event.list", harness.Object{"account_id": s.AccountID, "order": "OLDEST_FIRST", "include_data": true}, &feed)
				require.Equal(t, "REQUIRED_DOCUMENTS_CALCULATED", feed.Events[len(feed.Events)-1].EventType)
			}
			file := filepath.Join(s.Dir, "decisions.jsonl")
			run(s.Starter("decision", "export", "--account", s.AccountID, "--out", file))
			require.Contains(t, run(s.Starter("decision", "verify", file)), "0 problems") // of nothing: a decision of the last minutes is left out
			require.Contains(t, run(s.Starter("decision", "verify", "--account", s.AccountID)), "0 problems: 1 decision")
		})
	}
}
