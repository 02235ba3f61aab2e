package activities_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/temporaltest"
	"requisite/workflows"
)

// recovering is an endpoint with 1,500 deliveries to recover: two parts, a
// batch of 1,000 and the rest.
type recovering struct {
	*testing.T
	conn    *pgx.Conn
	real    *activities.Activities
	request workflows.RecoverRequest
}

func newRecovering(t *testing.T) *recovering {
	t.Parallel()
	st, operator, url := server.Stores(t, nil)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	account, call := pgtest.NewAccount(t, operator, "first", "UTC")
	var e domain.Endpoint
	_, err = st.Write(t.Context(), call, func(r *store.Records) (_ any, err error) {
		e, err = r.Webhooks.CreateEndpoint(t.Context(), account.WireID(), domain.Endpoint{URL: "https://example.com/", URLKey: "k"})
		return nil, err
	})
	require.NoError(t, err)
	key, err := st.WebhookKeys.Create(t.Context(), domain.Run{ID: "create", Call: call, StartedAt: time.Now()}, account.WireID())
	require.NoError(t, err)
	_, err = st.WebhookKeys.Activate(t.Context(), domain.Run{ID: "activate", Call: call, StartedAt: time.Now()}, account.WireID(), key.KeyID)
	require.NoError(t, err)
	call.IdempotencyKey, call.BodySHA256 = "k", make([]byte, 32)
	r := &recovering{T: t, conn: conn, real: activities.New(st, engine.New(st.Versions, cacheBytes))}
	r.request = workflows.RecoverRequest{Call: call, AccountID: account.WireID(), ConfigID: e.WireID(), Since: time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)}
	r.exec(`DELETE FROM webhook_delivery`) // of the activation
	r.exec(`
		WITH made AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, 'WEBHOOK_TEST', now(), 'u', 'SYSTEM', '{}' FROM generate_series(1, 1500) RETURNING id)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, round_attempts, next_attempt_at, created_at, updated_at)
		SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, $2, made.id, $1, 'FAILED', 1, 1, NULL, now(), now() FROM made`, e.ID, e.AccountID)
	r.exec(`UPDATE webhook_endpoint_health SET failures = 6, failing_since = now()`)
	return r
}

func (r *recovering) exec(sql string, args ...any) {
	r.Helper()
	_, err := r.conn.Exec(r.Context(), sql, args...)
	require.NoError(r, err)
}

func (r *recovering) count(sql string) (n int) {
	r.Helper()
	require.NoError(r, r.conn.QueryRow(r.Context(), sql).Scan(&n))
	return n
}

// begin begins the request, under the same workflow id each time. A run that dies does
// so in its second part.
func (r *recovering) begin(dies bool) (workflows.Answer[domain.Recovered], error) {
	r.Helper()
	env := temporaltest.Workflows()
	env.SetStartTime(time.Now())
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: "request"})
	env.RegisterActivity(r.real)
	env.OnActivity("RecoverSome", mock.Anything, mock.Anything).Return(func(ctx context.Context, in activities.RecoverStep) (domain.Recovered, error) {
		if dies && in.Part == 2 {
			return domain.Recovered{}, temporal.NewNonRetryableApplicationError("the run is gone", "GONE", nil)
		}
		return r.real.RecoverSome(ctx, in)
	}).Maybe()
	env.ExecuteWorkflow(workflows.RecoverDeliveries, r.request)
	var answer workflows.Answer[domain.Recovered]
	if err := env.GetWorkflowError(); err != nil {
		return answer, err
	}
	require.NoError(r, env.GetWorkflowResult(&answer))
	return answer, nil
}

// beginTwice has the request die half way, what it has reopened fail again, and the
// request begun again.
func (r *recovering) beginTwice(failAgain string) domain.Recovered {
	r.Helper()
	_, err := r.begin(true)
	require.ErrorContains(r, err, "the run is gone")
	require.Zero(r, r.count(`SELECT count(*) FROM outcome WHERE key IS NOT NULL`), "the request has no outcome")
	r.exec(failAgain)
	answer, err := r.begin(false)
	require.NoError(r, err)
	done, err := answer.Get()
	require.NoError(r, err)
	again, err := r.begin(false)
	require.NoError(r, err)
	require.Equal(r, done, *again.Result, "and once more")
	return done
}

func TestRecovery_RepeatContinuesAnInterruptedRun(t *testing.T) {
	r := newRecovering(t)
	done := r.beginTwice(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, updated_at = clock_timestamp() WHERE state = 'RETRYING'`)
	require.Equal(t, 1500, done.Count, "with what the first part did")
	require.Equal(t, 1000, r.count(`SELECT count(*) FROM webhook_delivery WHERE state = 'FAILED'`), "what has failed again is left")
	require.Equal(t, 500, r.count(`SELECT count(*) FROM webhook_delivery WHERE state = 'RETRYING'`))
}

// The Idempotency-Key gives both requests the same workflow id.
func TestRecovery_AnotherRequestStartsFromTheBeginning(t *testing.T) {
	r := newRecovering(t)
	_, err := r.begin(true)
	require.Error(t, err)
	r.exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL WHERE state = 'RETRYING'`)
	r.request.Call.BodySHA256 = append(make([]byte, 31), 1)
	answer, err := r.begin(false)
	require.NoError(t, err)
	require.Equal(t, 1500, answer.Result.Count)
	require.Zero(t, r.count(`SELECT count(*) FROM webhook_delivery WHERE state = 'FAILED'`))
}
