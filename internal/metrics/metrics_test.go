package metrics

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
)

func TestMetrics_CountEvents(t *testing.T) {
	m := New()
	m.Request("workflow.requiredDocument.calculate", 200, 20*time.Millisecond, nil)
	m.Request("workflow.requiredDocument.calculate", 400, time.Millisecond, refusal.Missing([]fact.Gap{
		{Code: "CALCULATED_PRICING_REQUIRED", EntityType: "Workflow", EntityID: "w_planted"},
		{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_planted", Fields: []string{"citizenship"}},
	}))
	m.Request("webhook.key.create", 400, time.Millisecond, refusal.Rule("Webhook Key", "sb_planted", refusal.DailyLimitExceeded, "planted"))
	m.Request("workflow.pricing.calculate", 400, time.Millisecond, refusal.Rule("Account", "sb_planted", refusal.RuleNotEvaluable, "planted"))
	m.Request("", 404, time.Millisecond, refusal.New(refusal.UnknownOperation, "planted"))
	m.Attempt("SUCCEEDED", time.Second, 30*time.Millisecond)
	m.Attempt("FAILED", time.Second, -1)
	m.CallerGone("webhook.key.create")
	m.CallerGone("")
	m.SandboxAnswer("workflow.get")
	tagged := m.Temporal().WithTags(map[string]string{"task-queue": "sync"})
	tagged.Counter("temporal_request").Inc(2)
	tagged.Gauge("temporal_worker_task_slots_available").Update(5)
	tagged.Timer("temporal_request_latency").Record(time.Second)
	m.Temporal().WithTags(map[string]string{"other": "tag"}).Counter("temporal_request").Inc(1)
	text := scrape(t, m)
	for _, line := range []string{
		`requisite_http_requests_total{operation="workflow.requiredDocument.calculate",status="200"} 1`,
		`requisite_http_requests_total{operation="unknown",status="404"} 1`,
		`requisite_http_request_duration_seconds_count{operation="webhook.key.create"} 1`,
		`requisite_refusals_total{code="SYSTEM_RULE_VIOLATION",sub_code="DAILY_LIMIT_EXCEEDED"} 1`,
		`requisite_calculations_total{outcome="CALCULATED"} 1`,
		`requisite_calculations_total{outcome="MISSING_REQUIREMENTS"} 1`,
		`requisite_gaps_total{entity_type="Person",field="citizenship"} 1`,
		`requisite_gaps_total{entity_type="Workflow",field="evaluation_score"} 1`,
		`requisite_webhook_keys_total{outcome="DAILY_LIMIT_EXCEEDED"} 1`,
		`requisite_rules_not_evaluable_total{operation="workflow.pricing.calculate"} 1`,
		`requisite_rules_not_evaluable_total{operation="workflow.requiredDocument.calculate"} 0`,
		`requisite_webhook_attempts_total{outcome="SUCCEEDED"} 1`,
		`requisite_webhook_first_attempt_delay_seconds_count 1`,
		`requisite_http_requests_total{operation="webhook.key.create",status="499"} 1`,
		`requisite_http_requests_total{operation="unknown",status="499"} 1`,
		`requisite_webhook_keys_total{outcome="CALLER_GONE"} 1`,
		`requisite_http_requests_total{operation="workflow.get",status="sandbox"} 1`,
		`requisite_webhook_keys_total{outcome="CREATED"} 0`,
		`requisite_refusals_total{code="STILL_RUNNING",sub_code=""} 0`,
		`requisite_webhook_attempts_total{outcome="UNKNOWN"} 0`,
		`temporal_request_total{task_queue="sync"} 2`,
		`temporal_request_total{other="tag"} 1`,
		`temporal_worker_task_slots_available{task_queue="sync"} 5`,
		`temporal_request_latency_seconds_count{task_queue="sync"} 1`,
		`temporal_request_latency_seconds_bucket{task_queue="sync",le="0.5"} 0`,
		`temporal_request_latency_seconds_bucket{task_queue="sync",le="25"} 1`,
		`go_goroutines`,
	} {
		require.Contains(t, text, line)
	}
	require.NotContains(t, text, "planted", "no ids, names or texts")
	problems, err := testutil.GatherAndLint(m.registry)
	require.NoError(t, err)
	for _, p := range problems {
		require.NotContains(t, p.Metric, "requisite_", p.Text)
	}
}

func TestNilMetrics_CountNothing(t *testing.T) {
	var m *Metrics
	m.Operations(slices.Values([]string{"business.create"}))
	m.Request("x", 200, 0, nil)
	m.Attempt("x", 0, 0)
	m.CallerGone("x")
	m.Register(nil)
	m.Temporal().Counter("x").Inc(1)
}

type fakeStore struct {
	pool  *pgxpool.Pool
	asked int
	err   error
}

func (s *fakeStore) PoolStat() *pgxpool.Stat { return s.pool.Stat() }
func (s *fakeStore) ConnectionWaits() int64  { return 3 }

func (s *fakeStore) Ended() map[delivery.State]int64 {
	return map[delivery.State]int64{delivery.Delivered: 0, delivery.Failed: 0, delivery.Canceled: 0}
}

func (s *fakeStore) Noticed() map[delivery.NoticeType]int64 {
	all := map[delivery.NoticeType]int64{}
	for _, t := range delivery.NoticeTypes() {
		all[t] = 0
	}
	return all
}

func (s *fakeStore) BackgroundState(_ context.Context, all bool) (store.BackgroundState, error) {
	s.asked++
	var backlog []deliveries.Backlog
	if all { // every state is present, even with none
		backlog = []deliveries.Backlog{{State: delivery.Pending}, {State: delivery.Retrying}, {State: delivery.Held, Count: 7, Oldest: time.Minute}, {State: delivery.Failed}}
	}
	return store.BackgroundState{
		Backlog: backlog, Endpoints: deliveries.Endpoints{Healthy: 4, Failing: 2}, Overdue: 3,
		LastSuccess: map[store.Schedule]time.Time{
			store.SchedulePrune: time.UnixMilli(1795255200500), store.ScheduleReconcile: time.UnixMilli(1795255800000), store.ScheduleDeadlines: time.UnixMilli(1795255830000), store.ScheduleRecalculations: time.UnixMilli(1795255840000),
			store.Backup: time.UnixMilli(1795200000000), store.Restore: time.UnixMilli(1795100000000),
		},
	}, s.err
}

func TestStoreCollector_CachesTheBacklog(t *testing.T) {
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	defer pool.Close()
	store := &fakeStore{pool: pool}
	m := New()
	m.Register(NewStoreCollector(store, store, store, true))
	for range 3 {
		text := scrape(t, m)
		require.Contains(t, text, `requisite_webhook_backlog{state="HELD"} 7`)
		require.Contains(t, text, `requisite_webhook_oldest_seconds{state="HELD"} 60`)
		require.Contains(t, text, `requisite_database_connections{use="max"}`)
		require.Contains(t, text, "requisite_webhook_overdue 3\n")
		require.Contains(t, text, `requisite_webhook_endpoints{state="FAILING"} 2`)
		require.Contains(t, text, `requisite_webhook_endpoints{state="HEALTHY"} 4`)
		require.Contains(t, text, `requisite_schedule_last_success_timestamp_seconds{schedule="backup"} 1.7952e+09`)
		require.Contains(t, text, `requisite_schedule_last_success_timestamp_seconds{schedule="restore"} 1.7951e+09`)
		require.Contains(t, text, `requisite_schedule_last_success_timestamp_seconds{schedule="prune"} 1.7952552005e+09`)
		require.Contains(t, text, `requisite_webhook_deliveries_total{state="FAILED"} 0`)
	}
	require.Equal(t, 1, store.asked, "however often it is scraped")

	away := New()
	broken := &fakeStore{pool: pool, err: errors.New("away")}
	away.Register(NewStoreCollector(broken, broken, broken, true))
	text := scrape(t, away)
	require.Contains(t, text, "requisite_database_readable 0")
	require.NotContains(t, text, "requisite_webhook_backlog{")
	require.NotContains(t, text, "requisite_webhook_overdue")
	require.Contains(t, text, `requisite_webhook_deliveries_total{state="FAILED"} 0`, "what the process counts itself")
	require.Contains(t, text, `requisite_webhook_notices_total{type="WEBHOOK_ENDPOINT_FAILING"} 0`)
}

// Prometheus sees no increase in a series that begins at 1.
func TestFaults_SeriesBeginAtZero(t *testing.T) {
	m := New()
	m.Operations(slices.Values([]string{"workflow.get"}))
	text := scrape(t, m)
	for _, operation := range []string{"workflow.get", "unknown"} {
		for _, status := range []string{"200", "400", "401", "499", "500", "503", "504"} {
			require.Contains(t, text, `requisite_http_requests_total{operation="`+operation+`",status="`+status+`"} 0`)
		}
	}
}
