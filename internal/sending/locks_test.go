package sending_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// hold runs a statement in a transaction of its own, and keeps what it locks until
// the test releases it.
func (h *house) hold(sql string, args ...any) (release func()) {
	h.Helper()
	conn, err := pgx.Connect(h.Context(), h.conn.Config().ConnString())
	require.NoError(h, err)
	h.Cleanup(func() { conn.Close(context.Background()) })
	tx, err := conn.Begin(h.Context())
	require.NoError(h, err)
	_, err = tx.Exec(h.Context(), sql, args...)
	require.NoError(h, err)
	return func() { require.NoError(h, tx.Rollback(context.Background())) }
}

// holdAccount holds the locks of an account's endpoints.
func (u *tenant) holdAccount() (release func()) {
	return u.hold(`SELECT FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id WHERE e.account_id = $1 FOR UPDATE OF h`, u.account.ID)
}

// A batch without a change does not mean that none is left.
func TestRecovery_ContinuesWhileOthersLockDeliveries(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("one")
	e := u.endpoint("/e")
	u.owe(e, 3)
	h.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL WHERE endpoint_id = $1`, e.ID)
	release := h.hold(`SELECT FROM webhook_delivery WHERE endpoint_id = $1 FOR UPDATE`, e.ID)
	run := u.run()
	_, err := h.store.LongRuns.RecoverSome(t.Context(), run, e.WireID(), run.StartedAt.AddDate(0, 0, -1))
	require.ErrorContains(t, err, "it is retried")
	release()
	done, err := h.store.LongRuns.RecoverSome(t.Context(), run, e.WireID(), run.StartedAt.AddDate(0, 0, -1))
	require.NoError(t, err)
	require.Equal(t, 3, done.Count)
}

// One tenant's lock must not make the reconciliation fail.
func TestLoseOld_SkipsALockedAccount(t *testing.T) {
	h := newHouse(t)
	u, other := h.tenant("one"), h.tenant("other")
	for _, of := range []*tenant{u, other} {
		of.owe(of.endpoint("/e"), 2)
	}
	require.Len(t, h.claim("dead"), 4)
	h.exec(`UPDATE webhook_attempt SET started_at = started_at - interval '1 hour'`)
	release := u.holdAccount()
	lost, err := h.store.Deliveries.Ends.MarkExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	release()
	lost, err = h.store.Deliveries.Ends.MarkExpired(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	require.Equal(t, []string{"UNKNOWN"}, h.strings(`SELECT DISTINCT outcome FROM webhook_attempt`))
}
