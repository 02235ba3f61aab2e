package webhooks_test

import (
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/webhooks/delivery"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

func TestDeliveryList_RefusesAnUnknownStatus(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("REQUISITE_KEK_FILE", "") // nothing is decrypted
	require.Contains(t, b.MustRun("delivery", "list", "--account", b.Account, "--status", "failed"), "DELIVERY")
	_, err := b.Try("delivery", "list", "--account", b.Account, "--status", "BOGUS")
	require.ErrorContains(t, err, "--status must be one of [PENDING RETRYING HELD DELIVERED FAILED CANCELED]")
}

func TestDeliveryList_ShowsWhatIsUndelivered(t *testing.T) {
	b := startertest.Setup(t)
	d := owe(b)
	require.Contains(t, b.MustRun("delivery", "list", "--undelivered"), d)
	require.Contains(t, b.MustRun("delivery", "list", "--undelivered", "--account", b.Account, "--status", "held"), d)
	require.NotContains(t, b.MustRun("delivery", "list", "--undelivered", "--status", "failed"), d)
	b.MustRun("delivery", "cancel", d)
	require.Contains(t, b.MustRun("delivery", "list", "--undelivered"), "FAILED")
	b.Exec(`UPDATE webhook_delivery SET state = 'DELIVERED'`)
	require.NotContains(t, b.MustRun("delivery", "list", "--undelivered"), d)
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
		e, err := r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://second.example/", URLKey: "second"})
		if err == nil {
			_, err = r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	require.Contains(t, b.MustRun("delivery", "list", "--limit", "1"), "There are more; give a higher --limit")
}

// owe makes an endpoint and a delivery to it, which is HELD for want of a key.
func owe(b *startertest.Bundle) (deliveryID string) {
	b.Helper()
	b.Write(func(r *store.Records) error {
		e, err := r.Webhooks.CreateEndpoint(b.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://first.example/", URLKey: "first"})
		if err == nil {
			_, err = r.Webhooks.TestEndpoint(b.Context(), e.WireID(), domain.WebhookTest)
		}
		return err
	})
	found, _, err := b.Store.AllWebhooks.Deliveries(b.Context(), delivery.Filter{}, domain.Page{Limit: 1})
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
		require.Regexp(t, `(?m) `+state+` +0 +- +DUE +-$`, b.MustRun("delivery", "list"))
		require.NotContains(t, b.MustRun("delivery", "get", d), "next_attempt_at")
	}
	next := time.Now().Add(time.Hour).Truncate(time.Second)
	b.Exec(`UPDATE webhook_delivery SET next_attempt_at = $1`, next)
	require.Contains(t, b.MustRun("delivery", "list"), next.Format(time.RFC3339))
	require.Contains(t, b.MustRun("delivery", "get", d), `"next_attempt_at": "`+next.UTC().Format("2006-01-02T15:04:05"))
}

// The answer of the API is JSON, in which a receiver's text does not control the terminal.
func TestDelivery_GetCancelRetryAndFlushRunOperations(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("REQUISITE_KEK_FILE", "") // nothing is decrypted
	d := owe(b)
	require.Contains(t, b.MustRun("delivery", "get", d), `"cause": "NO_ACTIVE_KEY"`)
	require.Contains(t, b.MustRun("delivery", "list"), " NO_ACTIVE_KEY ")
	b.MustRun("delivery", "cancel", d)
	b.Exec(`UPDATE webhook_delivery SET last_error = $1`, startertest.Hostile)
	shown := b.MustRun("delivery", "get", d)
	startertest.RequireHarmless(t, shown)
	var got struct {
		Data struct {
			Status    string `json:"status"`
			ConfigID  string `json:"config_id"`
			LastError string `json:"last_error"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(shown), &got))
	require.Equal(t, "FAILED", got.Data.Status)
	require.Equal(t, startertest.Hostile, got.Data.LastError)
	activeKey(b)
	b.MustRun("delivery", "retry", d)
	require.Regexp(t, ` delivery retry +DONE `, b.MustRun("audit", "list"), "under the name of the command")
	require.Contains(t, b.MustRun("delivery", "get", d), `"status": "PENDING"`)
	require.Contains(t, b.MustRun("delivery", "flush", got.Data.ConfigID), `"count": 1`)

	b.MustRun("delivery", "cancel", d)
	out, err := b.Try("delivery", "cancel", d)
	require.Contains(t, out, "SYSTEM_RULE_VIOLATION")
	require.Equal(t, cli.ExitRefused, cli.ExitCode(io.Discard, err))
	unknown := id.WebhookDeliveryID{UUID: id.New()}.String()
	_, err = b.Try("delivery", "get", unknown)
	require.EqualError(t, errors.New(cli.ErrorText(err)), "there is no such webhook delivery: "+unknown)
	require.Equal(t, cli.ExitRefused, cli.ExitCode(io.Discard, err))
}
