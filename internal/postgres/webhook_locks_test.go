package postgres_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/webhook"
)

func TestWhatSomebodyElseHasLockedDelaysNobody(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	other, call := b.newAccount("other", "UTC")
	var keyless postgres.Endpoint
	b.write(call, func(r *postgres.Records) (err error) {
		keyless, err = r.CreateEndpoint(t.Context(), other.WireID(), postgres.Endpoint{URL: "https://o.example/", URLKey: "https://o.example/"})
		if err == nil {
			_, err = r.TestEndpoint(t.Context(), keyless.WireID())
		}
		return err
	})
	locked := b.endpoint()
	b.owe(locked, 1)
	for _, sql := range []string{
		`SELECT FROM account WHERE name = 'other' FOR UPDATE`,
		`SELECT FROM webhook_endpoint FOR UPDATE`,
		`SELECT FROM webhook_delivery WHERE endpoint_id <> (SELECT id FROM webhook_endpoint ORDER BY id LIMIT 1) FOR UPDATE`,
		`SELECT FROM webhook_endpoint_health WHERE endpoint_id <> (SELECT id FROM webhook_endpoint ORDER BY id LIMIT 1) FOR UPDATE`,
	} {
		b.owe(e, 1)
		tx, err := b.pool().Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), sql)
		require.NoError(t, err)
		found := false
		for _, d := range b.claim() {
			found = found || d.EndpointID == e.WireID()
			require.Equal(t, postgres.Delivered, b.end(b.begin(d.ID), 200).State)
		}
		require.True(t, found, sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	b.claim()
	require.Equal(t, 1, b.states(postgres.Held), "held once nobody has the account locked")
}

// loops runs steps over and over, all at once, until the test says that it is
// enough.
type loops struct {
	t    *testing.T
	done chan struct{}
	all  sync.WaitGroup
}

func (l *loops) add(step func() error) {
	l.all.Go(func() {
		for {
			select {
			case <-l.done:
				return
			default:
			}
			if err := step(); err != nil {
				l.t.Error(err)
				return
			}
		}
	})
}

func (l *loops) stop() {
	close(l.done)
	l.all.Wait()
}

// TestNobodyWaitsInACircle: whoever claims, begins, ends, mends, retries and
// disables takes the same locks in the same order, or leaves what is locked.
func TestNobodyWaitsInACircle(t *testing.T) {
	for name, keyless := range map[string]bool{"with a key": false, "without": true} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.activeKey()
			e := b.endpoint()
			b.owe(e, 60)
			if keyless {
				require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'DELETED', deleted_at = now() WHERE status = 'ACTIVE'`))
			}
			// The rows lie in the table against the order of their ids.
			require.NoError(t, b.exec(`DO $$ DECLARE d record; BEGIN
				FOR d IN SELECT id FROM webhook_delivery ORDER BY id DESC LOOP UPDATE webhook_delivery SET last_error = '' WHERE id = d.id; END LOOP; END $$`))
			l := &loops{t: t, done: make(chan struct{})}
			l.add(func() error { _, err := b.store.ClaimDue(t.Context()); return err })
			l.add(func() error { _, err := b.store.ClaimDue(t.Context()); return err })
			l.add(func() error { _, err := b.store.Mend(t.Context()); return err })
			for range 100 {
				for _, status := range []postgres.EndpointStatus{postgres.EndpointDisabled, postgres.EndpointActive} {
					b.update(e, func(e *postgres.Endpoint) { e.Status = status })
				}
				require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'PENDING', next_attempt_at = now() WHERE state = 'HELD'`))
			}
			l.stop()
		})
	}
	t.Run("attempts", func(t *testing.T) {
		b := setup(t)
		b.activeKey()
		e := b.endpoint()
		b.owe(e, 30)
		l := &loops{t: t, done: make(chan struct{})}
		attempt := func() error {
			due, err := b.store.ClaimDue(t.Context())
			for _, d := range due {
				var a postgres.Attempt
				if err == nil {
					a, err = b.store.BeginAttempt(t.Context(), d.ID, postgres.Begin{Maker: "any", After: []string{"any"}})
				}
				if err == nil && a.Step == postgres.StepSend {
					b.pass(11 * time.Second) // now and then, one is taken for lost before it ends
					_, err = b.store.EndAttempt(t.Context(), a, webhook.Result{StatusCode: []int{200, 500, 500, 410}[(int(d.ID[15])+a.Number)%4]})
				}
			}
			return err
		}
		for range 3 {
			l.add(attempt)
		}
		l.add(func() error { _, err := b.store.Mend(t.Context()); return err })
		list, _, err := b.store.Records(b.call.Scope).Deliveries(t.Context(), b.account.WireID(), postgres.DeliveryFilter{}, postgres.Page{Limit: 20})
		require.NoError(t, err)
		for i := range 150 {
			b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointActive })
			d := list[i%len(list)]
			err := b.try(b.call, func(r *postgres.Records) error { return r.RetryDelivery(t.Context(), d.WireID()) })
			if err != nil {
				require.Equal(t, refusal.DeliveryHeld, refused(t, err).SubCode)
			}
			if _, err := b.store.BeginAttempt(t.Context(), d.ID, postgres.Begin{Force: true}); err != nil {
				t.Error(err)
			}
		}
		l.stop()
		require.Equal(t, 1, b.count(`SELECT count(DISTINCT endpoint_id) FROM webhook_attempt`))
		b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointActive })
		for range 300 { // everything ends, nothing is lost
			b.pass(61 * time.Minute)
			b.work(always(answer{status: 200}))
			if b.states(postgres.Delivered) == b.count(`SELECT count(*) FROM webhook_delivery`) {
				break
			}
		}
		require.Equal(t, b.count(`SELECT count(*) FROM webhook_delivery`), b.states(postgres.Delivered))
	})
}
