package sending_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/sending"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// If an endpoint's run ends in between, the endpoint is no longer in trouble, and so does
// not miss a run.
func TestReconcile_ListsOpenRunsBeforeEndpointsInTrouble(t *testing.T) {
	st, operator, url := server.Stores(t, nil)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	account, call := pgtest.NewAccount(t, operator, "first", "UTC")
	endpoint := func(url string) (e domain.Endpoint) {
		_, err := st.Write(t.Context(), call, func(r *store.Records) (_ any, err error) {
			e, err = r.Webhooks.CreateEndpoint(t.Context(), account.WireID(), domain.Endpoint{URL: url, URLKey: url})
			return struct{}{}, err
		})
		require.NoError(t, err)
		return e
	}
	withRun, lost := endpoint("https://one.example/"), endpoint("https://two.example/")

	// They come into trouble when the runs are listed, not before.
	found, err := sending.New(st, nil, sending.Bounds{All: 10}, nil, slog.New(slog.DiscardHandler)).Reconcile(t.Context(), func(ctx context.Context) (map[string]bool, error) {
		_, err := conn.Exec(ctx, `UPDATE webhook_endpoint_health SET looks_at = now() + interval '1 hour'`)
		return map[string]bool{withRun.WireID().String(): true}, err
	})
	require.NoError(t, err)
	require.Equal(t, sending.Reconciled{Missing: 1}, found)
	var woken id.UUID
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT endpoint_id FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`).Scan(&woken))
	require.Equal(t, lost.ID, woken)
}

// Operators read it as the result of the run.
func TestReconciled_IsOneFlatJSONObject(t *testing.T) {
	for want, found := range map[string]sending.Reconciled{
		`{}`:                       {},
		`{"no_run":2,"missing":1}`: {Reconciled: deliveries.Reconciled{NoRun: 2}, Missing: 1},
	} {
		text, err := json.Marshal(found)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}
