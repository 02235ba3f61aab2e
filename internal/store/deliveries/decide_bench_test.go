package deliveries_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/needs"
	"requisite/internal/webhooks/delivery"
)

// BenchmarkDecisions measures what a caller waits for when an account has twenty endpoints with
// a million open deliveries (in the small size a thousand), half of them to be retried in an hour.
//
//	TEST_LARGE_BENCHMARKS=1 go test -run NONE -bench Decisions -benchtime 3x ./internal/store/deliveries
func BenchmarkDecisions(b *testing.B) {
	each := needs.Size(50_000, 50)
	w := prepare(b)
	var endpoints []domain.Endpoint
	for range 20 {
		e := w.Endpoint("WEBHOOK_TEST")
		w.fill(e, each)
		endpoints = append(endpoints, e)
	}
	require.NoError(b, w.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, round_attempts = 1, next_attempt_at = next_attempt_at + interval '1 hour' WHERE id::text < '8'`))
	require.NoError(b, w.Exec(`VACUUM ANALYZE`))
	took := map[string][]time.Duration{}
	measure := func(name string, do func()) {
		began := time.Now()
		do()
		took[name] = append(took[name], time.Since(began))
	}
	key := w.MustKey()
	measure("activate", func() {
		_, err := w.Activate(key.KeyID)
		require.NoError(b, err)
	})
	require.Zero(b, w.CountIn(delivery.Held))
	e := endpoints[0]
	for b.Loop() {
		for _, change := range []domain.EndpointStatus{domain.EndpointDisabled, domain.EndpointActive} {
			measure(map[domain.EndpointStatus]string{domain.EndpointDisabled: "disable", domain.EndpointActive: "enable"}[change], func() {
				w.Write(w.Call, func(r *store.Records) error {
					return r.Webhooks.UpdateEndpoint(b.Context(), e.WireID(), pgtest.WithStatus(change))
				})
			})
		}
		measure("flush", func() { w.Flush(e) })
		for _, state := range []delivery.State{delivery.Held, delivery.Retrying} {
			measure("list-"+string(state), func() {
				_, _, err := w.Store.Records(w.Call.Scope).Webhooks.Deliveries(b.Context(), w.Account.WireID(), delivery.Filter{State: state}, domain.Page{Limit: 200})
				require.NoError(b, err)
			})
		}
		measure("backlog", func() {
			_, err := w.Store.Deliveries.Overview.Backlog(b.Context())
			require.NoError(b, err)
		})
	}
	measure("delete", func() {
		w.Write(w.Call, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(b.Context(), e.WireID()) })
	})
	left := func() int {
		return w.Count(`SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state <> 'CANCELED'`, e.ID)
	}
	for n := left(); n > 0; { // a reconciliation collects for two seconds
		w.reconcile()
		require.Less(b, left(), n)
		n = left()
	}
	b.ReportMetric(0, "ns/op")
	for name, list := range took {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, "ms-"+name)
	}
}
