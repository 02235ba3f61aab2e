package webhooks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/webhooks/outbox"
	"requisite/starter/startertest"
)

func TestDeliveryList_RefusesAnUnknownStatus(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("REQUISITE_KEK_FILE", "") // nothing is decrypted
	require.Contains(t, b.MustRun("delivery", "list", "--account", b.Account, "--status", "failed"), "DELIVERY")
	_, err := b.Try("delivery", "list", "--account", b.Account, "--status", "BOGUS")
	require.ErrorContains(t, err, "--status must be one of [PENDING RETRYING HELD DELIVERED FAILED CANCELED]")
}

func TestDeliveryList_IsLimited(t *testing.T) {
	b := startertest.Setup(t)
	owe(b)
	for _, wrong := range []string{"0", "-3", "10001"} {
		_, err := b.Try("delivery", "list", "--limit", wrong)
		require.ErrorContains(t, err, "--limit must be a number from 1 to 10000, not "+wrong)
	}
	require.NotContains(t, b.MustRun("delivery", "list", "--limit", "10000"), "There are more")
	b.Write(func(r *store.Records) error {
		e, err := r.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://second.example/", URLKey: "second"})
		if err == nil {
			_, err = r.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	require.Contains(t, b.MustRun("delivery", "list", "--limit", "1"), "There are more; give a higher --limit")
}

// owe makes an endpoint and a delivery to it, which is HELD for want of a key.
func owe(b *startertest.Bundle) (deliveryID string) {
	b.Helper()
	b.Write(func(r *store.Records) error {
		e, err := r.CreateEndpoint(b.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://first.example/", URLKey: "first"})
		if err == nil {
			_, err = r.TestEndpoint(b.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	found, _, err := b.Store.AllDeliveries(b.Context(), outbox.DeliveryFilter{}, domain.Page{Limit: 1})
	require.NoError(b, err)
	require.Len(b, found, 1)
	return found[0].WireID().String()
}

// activeKey gives the account an active key.
func activeKey(b *startertest.Bundle) {
	b.Helper()
	b.Exec(`INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, activated_at)
		SELECT id, 'whk_20261124_01', '2026-11-24', 1, 'ACTIVE', '', '2026-11-24', '2026-11-24' FROM account`)
}

func TestDelivery_ShowsTheNextAttemptOnlyIfItIsInTheFuture(t *testing.T) {
	b := startertest.Setup(t)
	d := owe(b)
	activeKey(b)
	for state, next := range map[string]time.Time{"PENDING": time.Now().Add(-time.Hour), "RETRYING": time.Now().Add(-time.Second)} {
		b.Exec(`UPDATE webhook_delivery SET state = $1, next_attempt_at = $2`, state, next)
		require.Regexp(t, `(?m) `+state+` +0 +- +-$`, b.MustRun("delivery", "list"))
		require.NotContains(t, b.MustRun("delivery", "get", d), "next attempt")
	}
	next := time.Now().Add(time.Hour).Truncate(time.Second)
	b.Exec(`UPDATE webhook_delivery SET next_attempt_at = $1`, next)
	require.Contains(t, b.MustRun("delivery", "list"), next.Format(time.RFC3339))
	require.Contains(t, b.MustRun("delivery", "get", d), "next attempt: "+next.Format(time.RFC3339)+"\n")
}

func TestDeliveryCancel_RecordsTheOperator(t *testing.T) {
	b := startertest.Setup(t)
	d := owe(b)
	b.MustRun("delivery", "cancel", d)
	require.Contains(t, b.MustRun("delivery", "get", d), "last error: given up by the operator\n")
}

func TestDeliveryGet_ShowsTheReceiversAnswers(t *testing.T) {
	b := startertest.Setup(t)
	d := owe(b)
	require.NotContains(t, b.MustRun("delivery", "get", d), "ANSWER", "nobody has answered")
	b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', next_attempt_at = now(), attempt_count = 7, last_error = $1`, startertest.Hostile)
	for number, body := range map[int]any{1: nil, 2: startertest.Hostile, 3: startertest.Hostile, 4: startertest.Hostile, 5: "the key\nis unknown", 6: " \n", 7: "the key\nis unknown"} {
		b.Exec(`INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id)
			SELECT id, $1, endpoint_id, 'FAILED', 'k_1', now(), 5, 418, $3, $2, '203.0.113.7:443', false, 0, 'send/1', 'run', '' FROM webhook_delivery`, number, body, startertest.Hostile)
	}
	out := b.MustRun("delivery", "get", d)
	startertest.RequireHarmless(t, out)
	require.Contains(t, out, `last error: x\u001b[2J`)
	require.Regexp(t, `(?m)^7 .* FAILED +418 +5 ms .* k_1 +203\.0\.113\.7:443 +send/1 run$`, out)
	_, answers, found := strings.Cut(out, "\n\n")
	require.True(t, found)
	shown := `x\u001b[2J\u009b1A\u202eevil\u2066 starter: all is well`
	require.Equal(t, "ATTEMPT  ANSWER\n2-4      "+shown+"\n5        the key is unknown\n7        the key is unknown\n", answers)
}

func TestDeliveryGet_ShowsTheHealthOfTheEndpoint(t *testing.T) {
	b := startertest.Setup(t)
	d := owe(b)
	require.Contains(t, b.MustRun("delivery", "get", d), "endpoint: https://first.example/ is HELD: the account has no active webhook key; 0 PENDING, 0 RETRYING, 1 HELD\n")
	activeKey(b)
	require.Contains(t, b.MustRun("delivery", "get", d), "endpoint: https://first.example/ is HEALTHY; 1 PENDING, 0 RETRYING, 0 HELD\n")
	b.Exec(`UPDATE webhook_endpoint_health SET failures = 5, failing_since = '2026-11-24T10:00:00Z', looks_at = '2026-11-24T11:00:00Z'`)
	require.Contains(t, b.MustRun("delivery", "get", d), "is FAILING since 2026-11-24T10:00:00Z, next attempt 2026-11-24T11:00:00Z; 1 PENDING")
	b.Exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = $1`, startertest.Hostile)
	startertest.RequireHarmless(t, b.MustRun("delivery", "get", d))
	require.Contains(t, b.MustRun("delivery", "get", d), "is DISABLED: x")
	b.Exec(`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL`)
	require.Contains(t, b.MustRun("delivery", "get", d), "endpoint: deleted\n")
}
