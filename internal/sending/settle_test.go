package sending_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/db"
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

// holdAccount holds the lock of an account's endpoints.
func (u *tenant) holdAccount() (release func()) {
	return u.hold(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints/' || $1::text, 0))`, u.account.ID)
}

// disable makes deliveries HELD that were not.
func (u *tenant) disable(e domain.Endpoint) {
	u.Helper()
	u.write(func(r *store.Records) error {
		return r.UpdateEndpoint(u.Context(), e.WireID(), func(e *domain.Endpoint) { e.Status = domain.EndpointDisabled })
	})
}

func (h *house) marked(e domain.Endpoint) bool {
	return h.count(`SELECT count(*) FROM webhook_endpoint WHERE id = $1 AND settle_at IS NOT NULL`, e.ID) == 1
}

func (h *house) settle() (progress bool) {
	h.Helper()
	progress, err := h.store.Deliveries().Settle(h.Context())
	require.NoError(h, err)
	return progress
}

// settleAll settles until nothing is marked.
func (h *house) settleAll() {
	h.Helper()
	for h.settle() {
	}
	require.Zero(h, h.count(`SELECT count(*) FROM webhook_endpoint WHERE settle_at IS NOT NULL`))
}

// Many endpoints of the locked account are first in the queue.
func TestSettle_LockedAccountDoesNotDelayOthers(t *testing.T) {
	h := newHouse(t)
	u, other := h.tenant("one"), h.tenant("other")
	e, well := u.endpoint("/e"), other.endpoint("/well")
	u.owe(e, 1)
	other.owe(well, 1)
	h.settleAll()
	u.disable(e)
	h.exec(`INSERT INTO webhook_endpoint SELECT (jsonb_populate_record(e, jsonb_build_object(
		'id', gen_random_uuid(), 'url_key', 'k' || n, 'slot', NULL, 'deleted_at', now(), 'settle_at', now() - interval '1 hour'))).*
		FROM webhook_endpoint e, generate_series(1, 250) AS n WHERE e.id = $1`, e.ID)
	h.exec(`INSERT INTO webhook_endpoint_health SELECT (jsonb_populate_record(h, jsonb_build_object('endpoint_id', e.id))).*
		FROM webhook_endpoint e, webhook_endpoint_health h WHERE h.endpoint_id = $1 ON CONFLICT DO NOTHING`, e.ID)
	other.disable(well)
	release := u.holdAccount()
	require.True(t, h.settle())
	require.False(t, h.marked(well))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'HELD'`, well.ID))
	require.True(t, h.marked(e))

	progress, err := h.store.Deliveries().Settle(t.Context())
	require.False(t, progress)
	require.True(t, db.Busy(err), "when nothing is settled, the caller learns why: %v", err)
	release()
	h.settleAll()
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'HELD'`, e.ID))
}

func TestSettle_FailedEndpointGoesToTheEndOfTheQueue(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("one")
	e, next := u.endpoint("/e"), u.endpoint("/next")
	u.owe(e, 1)
	h.settleAll()
	h.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$`)
	h.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON webhook_delivery FOR EACH ROW EXECUTE FUNCTION refuse()`)
	u.disable(e)
	u.disable(next)
	progress, err := h.store.Deliveries().Settle(t.Context())
	require.ErrorContains(t, err, "out of order")
	require.ErrorContains(t, err, e.WireID().String())
	require.True(t, progress)
	require.False(t, h.marked(next))
	u.write(func(r *store.Records) error {
		return r.UpdateEndpoint(t.Context(), next.WireID(), func(e *domain.Endpoint) { e.Status = domain.EndpointActive })
	})
	require.Equal(t, e.ID.String(), h.strings(`SELECT id::text FROM webhook_endpoint WHERE settle_at IS NOT NULL ORDER BY settle_at LIMIT 1`)[0])
	_, err = h.store.Deliveries().Settle(t.Context())
	require.ErrorContains(t, err, "out of order")
	h.exec(`DROP TRIGGER refuse ON webhook_delivery`)
	h.settleAll()
}

// An account may have any number of them.
func TestActivateKey_DoesNotMarkDeletedEndpoints(t *testing.T) {
	h := newHouse(t)
	u := h.tenant("one")
	e, kept := u.endpoint("/e"), u.endpoint("/kept")
	u.owe(e, 1)
	u.write(func(r *store.Records) error { return r.DeleteEndpoint(t.Context(), e.WireID()) })
	require.True(t, h.marked(e), "its deliveries are to be canceled")
	h.settleAll()
	require.Equal(t, 1, h.count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'CANCELED'`, e.ID))
	u.activate()
	require.True(t, h.marked(kept))
	require.False(t, h.marked(e))
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
	_, err := h.store.RecoverSome(t.Context(), run, e.WireID(), run.StartedAt.AddDate(0, 0, -1))
	require.ErrorContains(t, err, "it is retried")
	release()
	done, err := h.store.RecoverSome(t.Context(), run, e.WireID(), run.StartedAt.AddDate(0, 0, -1))
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
	lost, err := h.store.Deliveries().LoseOld(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	release()
	lost, err = h.store.Deliveries().LoseOld(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, lost)
	require.Equal(t, []string{"UNKNOWN"}, h.strings(`SELECT DISTINCT outcome FROM webhook_attempt`))
}
