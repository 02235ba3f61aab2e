//go:build deep

package neighbors_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

var due = flag.Int("due", 2000, "how many documents of the neighbor are overdue at once")

const dueOfOne = 20 // documents of a workflow

// TestDeadlines_OtherTenantIsAnswered while days bring very much to another one. It prints how many times longer
// the other tenant waits, and how long everything takes.
func TestDeadlines_OtherTenantIsAnswered(t *testing.T) {
	s := harness.Shared(t)
	w := newWatcher(t, s)
	client, account := s.Tenant(t, "punctual")
	many := tenant{client, account}
	many.activateKey(t)
	many.endpoint(t, func(answer http.ResponseWriter, _ *http.Request) { answer.WriteHeader(http.StatusNoContent) })
	set := rules(1, "Business", "business_age_years >= 5", nil)
	documents := set["documents"].([]harness.Object)
	documents[0]["due_within"], documents[0]["due_from"] = "1 day", "established_date"
	require.NoError(t, many.call(t.Context(), "account.documentRules.publish", harness.Object{"account_id": many.accountID, "rules": set}, nil))
	one := many.workflow(t, 0)
	require.NoError(t, many.call(t.Context(), "workflow.requiredDocument.calculate", harness.Object{"workflow_id": one}, nil))
	told := func() (n int) {
		require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_OVERDUE'`, &n))
		return n
	}
	await.True(t, "the first one", func(context.Context) error {
		if n := told(); n != 1 {
			return fmt.Errorf("%d events", n)
		}
		return nil
	})

	w.measure(t) // fills the caches
	before := w.measure(t)
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), `CREATE TEMPORARY TABLE copied AS SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS id FROM generate_series(1, $1)`, *due/dueOfOne)
	require.NoError(t, err)
	for _, step := range []string{
		`INSERT INTO workflow SELECT (jsonb_populate_record(w, jsonb_build_object('id', c.id))).* FROM required_document d JOIN workflow w ON w.id = d.workflow_id, copied c WHERE d.notified ? 'overdue'`,
		fmt.Sprintf(`INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'workflow_id', c.id, 'document_type_code', 'D' || g,
			'notified', '{}'::jsonb, 'next_on', d.due_on + 1))).* FROM required_document d, copied c, generate_series(1, %d) g WHERE d.notified ? 'overdue'`, dueOfOne),
	} {
		_, err := conn.Exec(t.Context(), step)
		require.NoError(t, err, step)
	}
	want := 1 + *due/dueOfOne*dueOfOne
	await.True(t, "the next minute", func(context.Context) error {
		if told() == 1 {
			return errors.New("it has not begun")
		}
		return nil
	})
	begun := time.Now()
	var during figures
	for first := true; first || told() < want; first = false {
		w.workflowID = w.workflow(t, 2) // an application has a limit of decisions a day
		f := w.measure(t)
		during.calculations, during.webhooks, during.connections = append(during.calculations, f.calculations...), append(during.webhooks, f.webhooks...), append(during.connections, f.connections...)
	}
	t.Logf("%d documents were told to be overdue within %s", want-1, time.Since(begun).Round(time.Second))
	require.Equal(t, want, told(), "each once")
	compare(t, before, during)
}
