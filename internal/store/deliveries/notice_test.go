package deliveries_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// of ends attempts at one endpoint as told, and succeeds with the others.
func (b *bundle) answering(e domain.Endpoint, status int) func(deliveries.Attempt) pgtest.Answer {
	return func(a deliveries.Attempt) pgtest.Answer {
		if a.EndpointID == e.ID {
			return pgtest.Answer{Status: status}
		}
		return pgtest.Answer{Status: 200}
	}
}

func TestNotices_GoToTheOtherEndpointsThatNameThem(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	all, some := b.Endpoint(), b.Endpoint("WEBHOOK_ENDPOINT_RECOVERED")
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint(append(pgtest.NoticeTypes(), "WEBHOOK_TEST")...)
	b.SendTests(e, delivery.FailingAfter+2)
	b.SendTests(e, 1)
	attempts := b.Claim()
	for _, a := range attempts[:delivery.FailingAfter-1] {
		b.End(a, 500)
	}
	kinds, _ := b.Notices(watching)
	require.Empty(t, kinds)
	b.End(attempts[delivery.FailingAfter-1], 503)
	b.End(attempts[delivery.FailingAfter-1], 503) // once more, as after a crash
	b.End(attempts[delivery.FailingAfter], 500)
	kinds, contents := b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_FAILING"}, kinds, "once")
	c := contents[0]
	require.Equal(t, []any{e.WireID().String(), "HTTP 503", float64(delivery.FailingAfter + 3)}, []any{c["config_id"], c["last_error"], c["waiting"]})
	require.Contains(t, e.URL, c["url_host"])
	require.NotEmpty(t, c["since"])
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_ENDPOINT_FAILING' AND user_type = 'SYSTEM' AND account_id = $1`, b.Account.ID))

	b.End(attempts[delivery.FailingAfter+1], 200)
	b.End(attempts[delivery.FailingAfter+2], 200)
	kinds, contents = b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_RECOVERED"}, kinds)
	require.Equal(t, c["since"], contents[1]["since"])
	kinds, _ = b.Notices(some)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_RECOVERED"}, kinds)
	for _, none := range []domain.Endpoint{all, e} {
		kinds, _ = b.Notices(none)
		require.Empty(t, kinds, "an endpoint without a list, and the endpoint itself")
	}
	require.Equal(t, map[delivery.NoticeType]int64{delivery.EndpointFailing: 1, delivery.EndpointRecovered: 1, delivery.EndpointDisabled: 0, delivery.DeliveryFailed: 0}, b.Store.Deliveries.Outbox.Noticed())
	require.Len(t, b.Claim(), 3, "they are sent at once")
}

func TestNotices_TellOfADisabledEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	b.SendTests(e, 2)
	attempts := b.Claim()
	b.End(attempts[0], 410)
	b.End(attempts[1], 200) // was in flight
	kinds, contents := b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_DISABLED"}, kinds)
	require.Equal(t, []any{"HTTP 410", "The endpoint answered 410 Gone."}, []any{contents[0]["last_error"], contents[0]["disabled_reason"]})
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	b.work(always(pgtest.Answer{Status: 200}))
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 200}))
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	kinds, contents = b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_ENDPOINT_DISABLED"}, kinds)
	require.Equal(t, []any{nil, "Disabled with webhook.config.update."}, []any{contents[2]["last_error"], contents[2]["disabled_reason"]})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_ENDPOINT_DISABLED' AND user_id = 'tester'`), "it names who did it")
}

// TestNotices_TellOfARecoveryDuringAFlush: what is in flight to an endpoint that has just been
// enabled may be all that there is to send.
func TestNotices_TellOfARecoveryDuringAFlush(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	b.SendTests(e, 2)
	earlier := b.Claim()
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	b.End(earlier[0], 200)
	kinds, _ := b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_DISABLED"}, kinds, "it began before")
	b.End(earlier[1], 500)
	b.SendTests(e, 1)
	attempts := b.Claim()
	b.Flush(e)
	for _, a := range attempts {
		if a.EndpointID == e.ID {
			b.End(a, 200)
		}
	}
	kinds, _ = b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED"}, kinds)
}

func TestNotices_TellNothingOfADeletedEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	b.SendTests(e, delivery.FailingAfter)
	attempts := b.Claim()
	b.deleteEndpoint(e)
	for _, a := range attempts {
		b.End(a, 500)
	}
	kinds, _ := b.Notices(watching)
	require.Empty(t, kinds)
}

func TestNotices_TellOfAFailedDeliveryThatIsNoNotice(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint("WEBHOOK_DELIVERY_FAILED"), b.Endpoint()
	b.SendTests(e, 3)
	attempts := b.Claim()
	lastRound := func(a deliveries.Attempt) {
		require.NoError(t, b.Exec(`UPDATE webhook_delivery SET attempt_count = $2, round_attempts = $2, state = 'RETRYING' WHERE id = $1`, a.DeliveryID, delivery.MaxAttempts-1))
	}
	lastRound(attempts[0])
	b.End(attempts[0], 500)
	lastRound(attempts[1])
	require.NoError(t, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), attempts[1:2]))
	b.End(attempts[2], 500)
	given, err := b.Store.Deliveries.Runs.GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, int64(1), given)
	b.SendTests(e, 1)
	var d delivery.Record
	require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'PENDING'`, e.ID).Scan(&d.ID))
	b.Write(b.Call, func(r *store.Records) error { return r.Webhooks.CancelDelivery(t.Context(), d.WireID(), "enough") })
	kinds, contents := b.Notices(watching)
	require.Len(t, kinds, 4)
	for i, want := range []struct {
		delivery string
		count    int
		err      string
	}{
		{id.Format(id.WebhookDelivery, attempts[0].DeliveryID), delivery.MaxAttempts, "HTTP 500"},
		{id.Format(id.WebhookDelivery, attempts[1].DeliveryID), delivery.MaxAttempts, "the attempt broke off"},
		{id.Format(id.WebhookDelivery, attempts[2].DeliveryID), 1, "given up by the operator"},
		{d.WireID().String(), 0, "enough"},
	} {
		c := contents[i]
		require.Equal(t, []any{want.delivery, float64(want.count), want.err, e.WireID().String()}, []any{c["delivery_id"], c["attempt_count"], c["last_error"], c["config_id"]})
		require.Contains(t, c["event_id"], "wh_")
	}
	// The notices fail themselves. No other endpoint gets a notice about that.
	other := b.Endpoint("WEBHOOK_DELIVERY_FAILED")
	for _, a := range b.Claim() {
		require.Equal(t, watching.ID, a.EndpointID)
		lastRound(a)
		b.End(a, 500)
	}
	kinds, _ = b.Notices(other)
	require.Empty(t, kinds)
	require.Equal(t, 8, b.CountIn(delivery.Failed))
}

// TestNotices_ThatNobodyExpectedAreWritten: an attempt that began while its endpoint
// was healthy ends when it fails. Its transaction has to begin anew.
func TestNotices_ThatNobodyExpectedAreWritten(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	watching, e := b.Endpoint(pgtest.NoticeTypes()...), b.Endpoint()
	b.SendTests(e, delivery.FailingAfter+1)
	attempts := b.Claim()
	for _, a := range attempts[1:] {
		b.End(a, 500)
	}
	b.End(attempts[0], 200)
	kinds, _ := b.Notices(watching)
	require.Equal(t, []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_RECOVERED"}, kinds)
}

// TestNotices_DoNotDeadlockWithDecisions: ends of attempts write notices while the
// account's endpoints are changed.
func TestNotices_DoNotDeadlockWithDecisions(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.Endpoint(pgtest.NoticeTypes()...)
	e := b.Endpoint()
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			err = b.Try(b.Call, func(r *store.Records) error {
				return r.Webhooks.UpdateEndpoint(t.Context(), e.WireID(), withURL(fmt.Sprintf("https://x%d.example/", i)))
			})
		}
		done <- err
	}()
	for range 20 {
		b.SendTests(e, delivery.FailingAfter)
		b.work(b.answering(e, 500))
		b.work(b.answering(e, 200))
	}
	require.NoError(t, <-done)
}

// TestNotices_OfOverlappingSessionsDoNotDeadlock: each notice makes all other endpoints
// of the account ready, in the order of their ids. Several in one transaction do so in
// another order.
func TestNotices_OfOverlappingSessionsDoNotDeadlock(t *testing.T) {
	b := setup(t)
	// A deadlock is found before a transaction gives up waiting for a lock.
	require.NoError(t, b.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = %L', current_database(), '1ms'); END $$`))
	// The transactions overlap.
	require.NoError(t, b.Exec(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END $$`))
	require.NoError(t, b.Exec(`CREATE TRIGGER slow AFTER INSERT ON webhook_ready FOR EACH ROW EXECUTE FUNCTION slow()`))
	store := server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{})
	b.ActiveKey()
	var endpoints []domain.Endpoint
	for range 6 {
		endpoints = append(endpoints, b.Endpoint(pgtest.NoticeTypes()...))
	}
	for range 10 {
		for _, e := range endpoints {
			b.SendTests(e, 1)
		}
		of := map[id.UUID]deliveries.Attempt{}
		for _, a := range b.Claim() {
			of[a.EndpointID] = a
		}
		require.Len(t, of, len(endpoints))
		require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET notified = 'WEBHOOK_ENDPOINT_FAILING', notified_since = now()`))
		require.NoError(t, b.Exec(`DELETE FROM webhook_ready`))
		sessions := [][]int{{0, 5}, {4, 2}, {3, 1}}
		pgtest.AtOnce(len(sessions), func(i int) {
			var ends []deliveries.AttemptEnd
			for _, e := range sessions[i] {
				ends = append(ends, ended(of[endpoints[e].ID], 200))
			}
			_, err := pgtest.UnlessBusy(func() ([]deliveries.Next, error) {
				next, err := store.Deliveries.Ends.EndAttempts(t.Context(), ends)
				var pg *pgconn.PgError
				if errors.As(err, &pg) && pg.Code == "40P01" {
					t.Error("a deadlock:", err)
				}
				return next, err
			})
			if err != nil {
				t.Error(err)
			}
		})
		require.Equal(t, 6*5, b.Count(`SELECT count(*) FROM webhook_delivery WHERE of_notice`))
		require.NoError(t, b.Exec(`DELETE FROM webhook_delivery`))
	}
}
