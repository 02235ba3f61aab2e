package e2e_test

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/e2e/harness"
)

func third() account { return running.Accounts[2] }

func TestKey_IsCreatedActivatedAndReplaced(t *testing.T) {
	as := second()
	create := newExchange(t, as, "webhook.key.create", harness.Object{"account_id": as.AccountID}).with("Idempotency-Key", "Idempotency-Key", "life-of-a-key")
	made := create.sign(t).send(t)
	require.Equal(t, 200, made.status, "%v", made.body)
	key := made.body["data"].(harness.Object)
	require.Regexp(t, `^whk_[0-9]{8}_[0-9]{2}$`, key["key_id"])
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, key["created_at"])
	require.Equal(t, strings.ReplaceAll(key["created_at"].(string)[:10], "-", ""), key["key_id"].(string)[4:12], "the id has the date of created_at")
	require.Equal(t, "INACTIVE", key["status"])
	secret, err := base64.StdEncoding.DecodeString(key["shared_secret"].(string))
	require.NoError(t, err)
	require.Len(t, secret, 32)
	require.Len(t, key, 4)

	again := newExchange(t, as, "webhook.key.create", harness.Object{"account_id": as.AccountID}).with("Idempotency-Key", "Idempotency-Key", "life-of-a-key").sign(t).send(t)
	require.Equal(t, 200, again.status)
	require.Equal(t, key["key_id"], again.body["data"].(harness.Object)["key_id"])
	require.NotContains(t, again.body["data"], "shared_secret", "shown once")
	require.Equal(t, "SECRET_ALREADY_SHOWN", again.body["meta"].(harness.Object)["warnings"].([]any)[0].(harness.Object)["code"])
	other := newExchange(t, as, "webhook.key.create", harness.Object{"account_id": third().AccountID}).with("Idempotency-Key", "Idempotency-Key", "life-of-a-key").sign(t).send(t)
	require.Equal(t, 422, other.status)

	got := data(t, as, "webhook.key.get", harness.Object{"key_id": key["key_id"]})
	require.Equal(t, harness.Object{"key_id": key["key_id"], "account_id": as.AccountID, "status": "INACTIVE", "created_at": key["created_at"]}, got)
	active := data(t, as, "webhook.key.activate", harness.Object{"key_id": key["key_id"], "account_id": as.AccountID})
	require.Equal(t, "ACTIVE", active["status"])
	require.Len(t, active, 3)
	require.Equal(t, active, data(t, as, "webhook.key.activate", harness.Object{"key_id": key["key_id"]}), "the active key again")

	second := data(t, as, "webhook.key.create", harness.Object{"account_id": as.AccountID})
	data(t, as, "webhook.key.activate", harness.Object{"key_id": second["key_id"]})
	refused := call(t, as, "webhook.key.activate", harness.Object{"key_id": key["key_id"]})
	require.Equal(t, "KEY_DELETED", refused.sub())
	require.Equal(t, "Webhook Key", refused.error()["entity_type"])
	keys := data(t, as, "webhook.key.list", harness.Object{"account_id": as.AccountID})["keys"].([]any)
	require.Equal(t, second["key_id"], keys[0].(harness.Object)["key_id"], "newest first")
	require.Equal(t, "ACTIVE", keys[0].(harness.Object)["status"])
	require.Equal(t, "DELETED", keys[1].(harness.Object)["status"])
	require.NotEmpty(t, keys[1].(harness.Object)["deleted_at"])
}

func TestKeyRequests_AreRefused(t *testing.T) {
	as := second()
	key := data(t, as, "webhook.key.create", harness.Object{"account_id": as.AccountID})["key_id"]
	unknown := as.AccountID[:3] + strings.Repeat("7", 21)
	for _, c := range []struct {
		name, operation string
		body            harness.Object
		code, entity    string
	}{
		{"no account", "webhook.key.create", harness.Object{}, "BAD_REQUEST", ""},
		{"a null account", "webhook.key.create", harness.Object{"account_id": nil}, "BAD_REQUEST", ""},
		{"a malformed account", "webhook.key.create", harness.Object{"account_id": "b_" + strings.Repeat("7", 21)}, "BAD_REQUEST", ""},
		{"an unknown account", "webhook.key.create", harness.Object{"account_id": unknown}, "ENTITY_NOT_FOUND", "Account"},
		{"another's account", "webhook.key.create", harness.Object{"account_id": third().AccountID}, "ENTITY_NOT_FOUND", "Account"},
		{"an account of the other environment", "webhook.key.create", harness.Object{"account_id": "lv_" + as.AccountID[3:]}, "ENTITY_NOT_FOUND", "Account"},
		{"a malformed key id", "webhook.key.activate", harness.Object{"key_id": "whk_2026_1"}, "BAD_REQUEST", ""},
		{"an unknown key id", "webhook.key.activate", harness.Object{"key_id": "whk_19990101_01"}, "ENTITY_NOT_FOUND", "Webhook Key"},
		{"another's account for a key of mine", "webhook.key.get", harness.Object{"key_id": key, "account_id": third().AccountID}, "ENTITY_NOT_FOUND", "Account"},
		{"an unknown account to list", "webhook.key.list", harness.Object{"account_id": unknown}, "ENTITY_NOT_FOUND", "Account"},
		{"a field too many", "webhook.key.create", harness.Object{"account_id": as.AccountID, "shared_secret": "x"}, "BAD_REQUEST", ""},
	} {
		got := call(t, as, c.operation, c.body)
		require.Equal(t, 400, got.status, c.name)
		require.Equal(t, c.code, got.code(), c.name)
		entity, _ := got.error()["entity_type"].(string)
		require.Equal(t, c.entity, entity, c.name)
	}
	require.Equal(t, "ENTITY_NOT_FOUND", call(t, third(), "webhook.key.activate", harness.Object{"key_id": key, "account_id": as.AccountID}).code(), "another organization's account")
}

// TestDailyLimitOfKeys_HoldsForConcurrentRequests sends 150 requests at once for one
// account. If midnight passes, it continues with the keys of the new day.
func TestDailyLimitOfKeys_HoldsForConcurrentRequests(t *testing.T) {
	as := third()
	today := func() string { return "whk_" + time.Now().UTC().Format("20060102") }
	secrets := map[string]map[any]string{} // by day and key
	for {
		day := today()
		earlier, limited := len(secrets[day]), 0
		for _, a := range createKeys(t, as, 150) {
			if a.status == 200 {
				made := a.body["data"].(harness.Object)
				of := made["key_id"].(string)[:len(day)]
				if secrets[of] == nil {
					secrets[of] = map[any]string{}
				}
				secrets[of][made["key_id"]] = made["shared_secret"].(string)
				continue
			}
			require.Equal(t, 400, a.status)
			require.Equal(t, "SYSTEM_RULE_VIOLATION", a.code())
			require.Equal(t, "Webhook Key", a.error()["entity_type"])
			require.Equal(t, "DAILY_LIMIT_EXCEEDED", a.sub())
			limited++
		}
		if day != today() {
			continue // the keys belong to two days
		}
		require.Len(t, secrets[day], 100)
		require.Len(t, slices.Compact(slices.Sorted(maps.Values(secrets[day]))), 100)
		require.Equal(t, 50+earlier, limited)
		require.Contains(t, secrets[day], day+"_00", "the hundredth")
		return
	}
}

// createKeys sends n requests for an account, 30 at a time.
func createKeys(t *testing.T, as account, n int) []answer {
	answers := make([]answer, n)
	var all errgroup.Group
	all.SetLimit(30)
	for i := range answers {
		all.Go(func() error {
			answers[i] = call(t, as, "webhook.key.create", harness.Object{"account_id": as.AccountID})
			return nil
		})
	}
	require.NoError(t, all.Wait())
	return answers
}
