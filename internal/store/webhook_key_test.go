package store_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

func (b *bundle) deleteKey(keyID string) error {
	return b.Try(b.Call, func(r *store.Records) error { return r.Webhooks.DeleteKey(b.Context(), keyID, b.Account.WireID()) })
}

func (b *bundle) webhookKey(keyID string) domain.WebhookKey {
	b.Helper()
	key, err := b.Store.Records(b.Call.Scope).Webhooks.Key(b.Context(), keyID, b.Account.WireID())
	require.NoError(b, err)
	return key
}

// allKeys lists the keys of an account in pages of two.
func (b *bundle) allKeys(account id.AccountID) (all []domain.WebhookKey) {
	b.Helper()
	for page := (domain.Page{Limit: 2}); ; {
		found, next, err := b.Store.Records(b.Call.Scope).Webhooks.Keys(b.Context(), account, page)
		require.NoError(b, err)
		require.LessOrEqual(b, len(found), 2)
		all = append(all, found...)
		if page.After = next; next == "" {
			return all
		}
	}
}

func TestWebhookKey_DailyLimit(t *testing.T) {
	b := setup(t)
	b.Store = server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Connections: db.Connections{Max: 30}})
	var lock sync.Mutex
	made, limited := map[string]int{}, 0
	at := time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)
	pgtest.AtOnce(150, func(i int) {
		run := b.Run()
		run.StartedAt = at
		// Every activity may run twice, at once even.
		var twice [2]domain.CreatedKey
		var errs [2]error
		pgtest.AtOnce(1+i%2, func(n int) { twice[n], errs[n] = b.NewKey(run) })
		if i%2 == 1 && (twice[0] != twice[1] || (errs[0] == nil) != (errs[1] == nil)) {
			t.Errorf("one run made %v and %v (%v, %v)", twice[0], twice[1], errs[0], errs[1])
		}
		lock.Lock()
		defer lock.Unlock()
		var refused *refusal.Refusal
		switch {
		case errs[0] == nil:
			made[twice[0].KeyID]++
		case errors.As(errs[0], &refused) && refused.SubCode == refusal.DailyLimitExceeded && refused.EntityType == "Webhook Key":
			limited++
		default:
			t.Error(errs[0])
		}
	})
	require.Len(t, made, 100, "no key id twice")
	require.Equal(t, 50, limited)
	for n := range 100 {
		require.Equal(t, 1, made[fmt.Sprintf("whk_20261120_%02d", n)], "the hundredth is 00")
	}
	require.Equal(t, 100, b.Count(`SELECT count(*) FROM webhook_key`))

	next := b.Run()
	next.StartedAt = at.Add(time.Minute)
	key, err := b.NewKey(next)
	require.NoError(t, err)
	require.Equal(t, "whk_20261121_01", key.KeyID, "the day after begins anew")
	late := b.Run()
	late.StartedAt = at
	_, err = b.NewKey(late)
	require.Equal(t, refusal.DailyLimitExceeded, pgtest.Refused(t, err).SubCode, "a run belongs to the day on which it read the clock")
	require.Contains(t, err.Error(), "100 webhook keys have been created for this account on 2026-11-20 (UTC)")
}

func TestWebhookKey_RepeatedRequestReturnsTheSameKey(t *testing.T) {
	b := setup(t)
	call := b.keyed("k")
	runs := make([]domain.CreatedKey, 20)
	pgtest.AtOnce(20, func(i int) {
		run := b.Run()
		run.Call = call
		var err error
		if runs[i], err = b.NewKey(run); err != nil {
			t.Error(err)
		}
	})
	for _, r := range runs {
		require.Equal(t, runs[0].KeyID, r.KeyID)
		require.Equal(t, domain.KeyInactive, r.Status)
		require.False(t, time.Time(r.CreatedAt).IsZero())
	}
	require.Equal(t, 1, b.Count(`SELECT max(iteration) FROM webhook_key`), "no number was burned")
}

func TestWebhookKey_SecretIsRevealedOnce(t *testing.T) {
	b := setup(t)
	key := b.MustKey()
	var lock sync.Mutex
	var secrets []string
	pgtest.AtOnce(20, func(int) {
		secret, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), b.Call.Scope, b.Account.WireID(), key.KeyID)
		if err != nil {
			t.Error(err)
		}
		if ok {
			lock.Lock()
			secrets = append(secrets, secret)
			lock.Unlock()
		}
	})
	require.Len(t, secrets, 1)
	raw, err := base64.StdEncoding.DecodeString(secrets[0])
	require.NoError(t, err)
	require.Len(t, raw, 32)
	require.NotEqual(t, make([]byte, 32), raw, "a secret that anybody knows")
	another, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), b.Call.Scope, b.Account.WireID(), b.MustKey().KeyID)
	require.NoError(t, err)
	require.True(t, ok)
	require.NotEqual(t, secrets[0], another)
	again, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), b.Call.Scope, b.Account.WireID(), key.KeyID)
	require.NoError(t, err)
	require.False(t, ok)
	require.Empty(t, again)
	active, err := b.Activate(key.KeyID)
	require.NoError(t, err)
	require.False(t, active.SecretNotTaken)
	active, err = b.Activate(b.MustKey().KeyID)
	require.NoError(t, err)
	require.True(t, active.SecretNotTaken)

	_, other := b.NewAccount("other", "UTC")
	_, _, err = b.Store.WebhookKeys.TakeSecret(t.Context(), other.Scope, b.Account.WireID(), key.KeyID)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}

func TestWebhookKey_SecretIsBoundToItsRow(t *testing.T) {
	b := setup(t)
	first, second := b.MustKey(), b.MustKey()
	require.NoError(t, b.Exec(`UPDATE webhook_key SET secret_sealed = (SELECT secret_sealed FROM webhook_key WHERE key_id = $1) WHERE key_id = $2`, first.KeyID, second.KeyID))
	secret, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), b.Call.Scope, b.Account.WireID(), second.KeyID)
	require.ErrorIs(t, err, vault.ErrCannotOpen)
	require.False(t, ok)
	require.Empty(t, secret)

	other, _ := b.NewAccount("other", "UTC")
	require.NoError(t, b.Exec(`UPDATE webhook_key SET account_id = $1 WHERE key_id = $2`, other.ID, first.KeyID))
	scope, err := b.Operator.Scopes.Account(t.Context(), other.WireID())
	require.NoError(t, err)
	require.ErrorIs(t, only2(b.Store.WebhookKeys.TakeSecret(t.Context(), scope, other.WireID(), first.KeyID)), vault.ErrCannotOpen)
}

func TestWebhookKey_FoundByAccountAndID(t *testing.T) {
	b := setup(t)
	key := b.MustKey()
	find := func(call domain.Call, keyID string, account id.AccountID) (domain.WebhookKey, error) {
		return b.Store.Records(call.Scope).Webhooks.Key(t.Context(), keyID, account)
	}
	found, err := find(b.Call, key.KeyID, id.AccountID{})
	require.NoError(t, err)
	require.Equal(t, b.Account.ID, found.AccountID)

	sibling, err := b.Operator.Organizations.CreateAccount(t.Context(), b.Call.Scope, "sibling", "USD", "UTC")
	require.NoError(t, err)
	require.NoError(t, only(b.Store.WebhookKeys.Create(t.Context(), b.Run(), sibling.WireID())))
	_, err = find(b.Call, key.KeyID, id.AccountID{})
	require.Equal(t, refusal.BadRequest, pgtest.Refused(t, err).Code, "an ambiguous key id")
	require.Contains(t, string(pgtest.Refused(t, err).Details), `"account_id"`)
	found, err = find(b.Call, key.KeyID, sibling.WireID())
	require.NoError(t, err)
	require.Equal(t, sibling.ID, found.AccountID)

	_, other := b.NewAccount("other", "UTC")
	for _, account := range []id.AccountID{{}, b.Account.WireID()} {
		_, err = find(other, key.KeyID, account)
		require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, "another organization's")
	}
	_, err = find(b.Call, "whk_19990101_01", id.AccountID{})
	require.Equal(t, "Webhook Key", pgtest.Refused(t, err).EntityType)
}

// TestWebhookKey_ActivationFollowsTheModel checks the life of keys against a model: any sequence of
// creations and activations, with activations of all keys at once in between.
func TestWebhookKey_ActivationFollowsTheModel(t *testing.T) {
	b := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		account, err := b.Operator.Organizations.CreateAccount(b.Context(), b.Call.Scope, "model", "USD", "UTC")
		require.NoError(t, err)
		activate := func(keyID string) error {
			_, err := b.Store.WebhookKeys.Activate(b.Context(), b.Run(), account.WireID(), keyID)
			return err
		}
		status, active, told := map[string]domain.KeyStatus{}, "", 0
		var keys []string
		swap := func(keyID string) {
			if active != "" {
				status[active] = domain.KeyDeleted
			}
			status[keyID], active = domain.KeyActive, keyID
			told++
		}
		create := func() {
			key, err := b.Store.WebhookKeys.Create(b.Context(), b.Run(), account.WireID())
			require.NoError(t, err)
			keys = append(keys, key.KeyID)
			status[key.KeyID] = domain.KeyInactive
		}
		create() // from here on every action applies
		t.Repeat(map[string]func(*rapid.T){
			"create": func(*rapid.T) {
				if len(keys) < 5 { // each costs time in every step that follows
					create()
				}
			},
			"activate": func(t *rapid.T) {
				keyID := rapid.SampledFrom(keys).Draw(t, "key")
				err := activate(keyID)
				switch status[keyID] {
				case domain.KeyDeleted:
					require.Equal(t, refusal.KeyDeleted, pgtest.Refused(t, err).SubCode)
				case domain.KeyInactive:
					require.NoError(t, err)
					swap(keyID)
				default:
					require.NoError(t, err)
				}
			},
			"activate all at once": func(t *rapid.T) {
				before := active
				errs := make([]error, len(keys))
				pgtest.AtOnce(len(keys), func(i int) { errs[i] = activate(keys[i]) })
				for i, keyID := range keys {
					if status[keyID] == domain.KeyInactive {
						require.NoError(t, errs[i])
						status[keyID], status[before] = domain.KeyDeleted, domain.KeyDeleted
						told++
					}
				}
				delete(status, "")
				// The key that was activated last is active now.
				listed := b.allKeys(account.WireID())
				active = ""
				for _, k := range listed {
					if k.Status == domain.KeyActive {
						require.Empty(t, active)
						active = k.KeyID
						status[k.KeyID] = domain.KeyActive
					}
				}
				require.NotEmpty(t, active, "there is an active key once there was one")
			},
			"": func(t *rapid.T) {
				listed := b.allKeys(account.WireID())
				require.Len(t, listed, len(keys))
				for i, k := range listed {
					require.Equal(t, keys[len(keys)-1-i], k.KeyID, "newest first")
					require.Equal(t, status[k.KeyID], k.Status)
				}
				require.Equal(t, told, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_KEY_ACTIVATED' AND account_id = $1`, account.ID))
			},
		})
	})
}

// TestWebhookKey_OneIsActiveAtAllTimes looks at the table all the while keys are
// swapped by many at once.
func TestWebhookKey_OneIsActiveAtAllTimes(t *testing.T) {
	b := setup(t)
	var keys []string
	for range 30 {
		keys = append(keys, b.MustKey().KeyID)
	}
	require.NoError(t, only(b.Activate(keys[0])))
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if n := b.Count(`SELECT count(*) FROM webhook_key WHERE status = 'ACTIVE'`); n != 1 {
				t.Errorf("%d active keys", n)
				return
			}
		}
	})
	pgtest.AtOnce(len(keys)-1, func(i int) {
		if _, err := b.Activate(keys[i+1]); err != nil {
			t.Error(err)
		}
	})
	close(done)
	watching.Wait()
	require.Equal(t, 30, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_KEY_ACTIVATED'`))
	again, err := b.Activate(keys[0])
	require.Equal(t, refusal.KeyDeleted, pgtest.Refused(t, err).SubCode)
	require.Zero(t, again)
}

func TestWebhookKey_ActivatingAgainChangesNothing(t *testing.T) {
	b := setup(t)
	key := b.MustKey()
	first, err := b.Activate(key.KeyID)
	require.NoError(t, err)
	b.Clock.Add(int64(time.Hour))
	again, err := b.Activate(key.KeyID)
	require.NoError(t, err)
	require.Equal(t, time.Time(first.ActivatedAt).UnixMilli(), time.Time(again.ActivatedAt).UnixMilli())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WEBHOOK_KEY_ACTIVATED'`))
}

func TestWebhookKey_DeletedOnceAndNeverWhileActive(t *testing.T) {
	b := setup(t)
	key := b.MustKey()
	stored := func() domain.WebhookKey { return b.webhookKey(key.KeyID) }
	require.NoError(t, only(b.Activate(key.KeyID)))
	active := stored()
	require.Equal(t, refusal.KeyActive, pgtest.Refused(t, b.deleteKey(key.KeyID)).SubCode)
	require.Equal(t, active, stored())

	another, unused := b.MustKey(), b.MustKey()
	activated, err := b.Activate(another.KeyID)
	require.NoError(t, err)
	require.Equal(t, another.KeyID, activated.KeyID)
	require.Equal(t, domain.KeyActive, activated.Status)
	replaced := stored()
	b.Clock.Add(int64(time.Hour))
	require.NoError(t, b.deleteKey(key.KeyID), "it is deleted already")
	require.Equal(t, replaced, stored(), "the time at which it was deleted stays")

	require.NoError(t, b.deleteKey(unused.KeyID))
	refusedKey, err := b.Activate(unused.KeyID)
	require.Equal(t, refusal.KeyDeleted, pgtest.Refused(t, err).SubCode)
	require.Zero(t, refusedKey)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, b.deleteKey("whk_19990101_01")).Code)
}

// TestWebhookKey_OfOtherTenantsIsNotFound tries every operation of keys on the
// account of another organization.
func TestWebhookKey_OfOtherTenantsIsNotFound(t *testing.T) {
	b := setup(t)
	_, other := b.NewAccount("other", "UTC")
	key, account := b.MustKey().KeyID, b.Account.WireID()
	run := func() domain.Run {
		run := b.Run()
		run.Call = other
		return run
	}
	for name, try := range map[string]func() (any, error){
		"create":   func() (any, error) { return b.Store.WebhookKeys.Create(t.Context(), run(), account) },
		"activate": func() (any, error) { return b.Store.WebhookKeys.Activate(t.Context(), run(), account, key) },
		"find":     func() (any, error) { return b.Store.Records(other.Scope).Webhooks.Key(t.Context(), key, account) },
		"list": func() (any, error) {
			return nil, only2(b.Store.Records(other.Scope).Webhooks.Keys(t.Context(), account, domain.Page{Limit: 1}))
		},
		"take its secret": func() (any, error) {
			secret, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), other.Scope, account, key)
			require.False(t, ok)
			return secret, err
		},
		"delete": func() (any, error) {
			return 0, b.Try(other, func(r *store.Records) error { return r.Webhooks.DeleteKey(t.Context(), key, account) })
		},
	} {
		got, err := try()
		require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, name)
		require.Equal(t, "Account", pgtest.Refused(t, err).EntityType, name)
		require.Empty(t, got, name)
	}
	_, err := b.Activate("whk_19990101_01")
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_key`))
}

// TestWebhookKey_DatabaseErrorsAreReturned breaks one statement at a
// time. What failed changes nothing.
func TestWebhookKey_DatabaseErrorsAreReturned(t *testing.T) {
	const noUpdate = `
		CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
		CREATE TRIGGER broken BEFORE UPDATE ON webhook_key FOR EACH ROW EXECUTE FUNCTION broken()`
	create := func(b *bundle, _ string) (any, error) { return b.NewKey(b.Run()) }
	activate := func(b *bundle, keyID string) (any, error) { return b.Activate(keyID) }
	remove := func(b *bundle, keyID string) (any, error) { return 0, b.deleteKey(keyID) }
	take := func(b *bundle, keyID string) (any, error) {
		secret, ok, err := b.Store.WebhookKeys.TakeSecret(b.Context(), b.Call.Scope, b.Account.WireID(), keyID)
		require.False(b, ok)
		return secret, err
	}
	for _, c := range []struct {
		name, breaks string
		try          func(*bundle, string) (any, error)
		active       bool // whether another key is active
		says         string
	}{
		{"create: the number", `ALTER TABLE webhook_key RENAME TO gone`, create, false, "count the webhook keys of a day: "},
		{"create: the key", `ALTER TABLE webhook_key ADD CHECK (status <> 'INACTIVE') NOT VALID`, create, false, "create a webhook key: "},
		{"take the secret", noUpdate, take, false, "take the secret of a webhook key: "},
		{"activate: find", `ALTER TABLE webhook_key RENAME TO gone`, activate, false, "find a webhook key: "},
		{"activate: replace", noUpdate, activate, true, "activate a webhook key: "},
		{"activate", noUpdate, activate, false, "activate a webhook key: "},
		{"activate: the event", `ALTER TABLE webhook_event RENAME TO gone`, activate, false, "webhook_event"},
		{"delete", noUpdate, remove, false, "delete a webhook key: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t)
			key := b.MustKey().KeyID
			if c.active {
				require.NoError(t, only(b.Activate(b.MustKey().KeyID)))
			}
			require.NoError(t, b.Exec(c.breaks))
			got, err := c.try(b, key)
			require.ErrorContains(t, err, c.says)
			_, isRefusal := refusal.FromError(err)
			require.False(t, isRefusal)
			require.Empty(t, got)
		})
	}
}

// TestWebhookKey_CreatedAtIsInMilliseconds compares what is answered with what is stored.
func TestWebhookKey_CreatedAtIsInMilliseconds(t *testing.T) {
	b := setup(t)
	run := b.Run()
	run.StartedAt = time.Date(2026, 11, 20, 9, 0, 0, 1_999_999, time.UTC)
	key, err := b.NewKey(run)
	require.NoError(t, err)
	require.Equal(t, run.StartedAt.Truncate(time.Millisecond), key.CreatedAt)
	require.True(t, b.webhookKey(key.KeyID).CreatedAt.Equal(key.CreatedAt))
}

func TestRewrap(t *testing.T) {
	b := setup(t)
	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, vault.Keyset{File: path}.Generate(t.Context()))
	open := func() {
		keys, err := vault.Keyset{File: path}.Load(t.Context())
		require.NoError(t, err)
		b.Store = server.Open(t, pgtest.As(b.URL, pgtest.Serving), keys, store.Options{Connections: db.Connections{Max: 3}})
		b.Operator = server.Open(t, pgtest.As(b.URL, pgtest.Owner), keys, store.Options{Connections: db.Connections{Max: 3}})
	}
	open()
	require.NoError(t, b.Store.Secrets.CheckKeyset(t.Context()), "nothing is sealed yet")
	var keys []domain.CreatedKey
	for range 20 {
		keys = append(keys, b.MustKey())
	}
	credential, secrets := b.newCredential(domain.NewCredential{})

	never, operator := b.Store, b.Operator // they are not started again at all
	require.NoError(t, only(vault.Keyset{File: path}.AddKey(t.Context())))
	open()
	forgotten := b.Store // nor this one, after the promotion
	number, err := vault.Keyset{File: path}.PromoteNewest(t.Context())
	require.NoError(t, err)
	open()
	keys = append(keys, b.MustKey())
	_, err = forgotten.WebhookKeys.Create(t.Context(), b.Run(), b.Account.WireID())
	require.NoError(t, err, "the rotation is under way")
	left, err := b.Operator.Secrets.SealedWithOldKeys(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 22, left)
	// As docs/operating/keysets.md finds them.
	require.Equal(t, 21, b.Count(`SELECT count(*) FROM webhook_key WHERE substring(secret_sealed FROM 1 FOR 5) <> decode('01' || lpad(to_hex($1::bigint), 8, '0'), 'hex')`, int64(number)))

	// It is stopped half-way and taken up again, while the service goes on.
	broken := keys[7].KeyID
	require.NoError(t, b.Exec(`UPDATE webhook_key SET secret_sealed = secret_sealed || '\x00' WHERE key_id = $1`, broken))
	require.ErrorIs(t, b.Operator.Secrets.Rewrap(t.Context(), func(int64) {}), store.ErrWrongKeyset)
	left, err = b.Operator.Secrets.SealedWithOldKeys(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, left, "what does not open stays as it is; all others moved")
	require.NoError(t, b.Exec(`DELETE FROM webhook_key WHERE key_id = $1`, broken))
	var moved int64
	require.NoError(t, b.Operator.Secrets.Rewrap(t.Context(), func(n int64) { moved = n }))
	require.Zero(t, moved, "nothing was left")
	for _, process := range []*store.Store{never, forgotten} {
		_, err = process.WebhookKeys.Create(t.Context(), b.Run(), b.Account.WireID())
		require.ErrorContains(t, err, "give it the present keyset file")
	}
	_, _, err = operator.Credentials.Create(t.Context(), b.Call.Scope, domain.NewCredential{Name: "n"})
	require.ErrorContains(t, err, "give it the present keyset file")

	require.NoError(t, only(vault.Keyset{File: path}.DropOld(t.Context())))
	open()
	require.NoError(t, b.Store.Secrets.CheckKeyset(t.Context()))
	for _, k := range keys {
		if k.KeyID == broken {
			continue
		}
		_, ok, err := b.Store.WebhookKeys.TakeSecret(t.Context(), b.Call.Scope, b.Account.WireID(), k.KeyID)
		require.NoError(t, err)
		require.True(t, ok)
	}
	_, proof := b.authenticate(credential.APIKey)
	require.Equal(t, secrets.SecretKey, base64.StdEncoding.EncodeToString(proof.Secret))

	other, err := vault.Ephemeral()
	require.NoError(t, err)
	require.ErrorIs(t, server.Open(t, pgtest.As(b.URL, pgtest.Serving), other, store.Options{}).Secrets.CheckKeyset(t.Context()), store.ErrWrongKeyset)
}

// TestRewrap_LeavesNoSecretBehindThatIsBeingStored: who counts the secrets of old keys waits for
// those that are being stored, and a process of an old key that comes later looks after the count.
func TestRewrap_LeavesNoSecretBehindThatIsBeingStored(t *testing.T) {
	b := setup(t)
	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, vault.Keyset{File: path}.Generate(t.Context()))
	open := func(role string) *store.Store {
		keys, err := vault.Keyset{File: path}.Load(t.Context())
		require.NoError(t, err)
		return server.Open(t, pgtest.As(b.URL, role), keys, store.Options{Connections: db.Connections{Max: 3}})
	}
	old := open(pgtest.Serving)
	_, _, err := open(pgtest.Owner).Credentials.Create(t.Context(), b.Call.Scope, domain.NewCredential{Name: "n"})
	require.NoError(t, err)
	require.NoError(t, only(vault.Keyset{File: path}.AddKey(t.Context())))
	require.NoError(t, only(vault.Keyset{File: path}.PromoteNewest(t.Context())))
	operator := open(pgtest.Owner)

	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock_shared(`+store.SealingLock+`)`)))
	var counting errgroup.Group
	counting.Go(func() error { return only(operator.Secrets.SealedWithOldKeys(t.Context())) })
	b.AwaitLock("the count of old secrets")
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, counting.Wait())

	tx, err = b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(`+store.SealingLock+`)`)))
	var creating errgroup.Group
	creating.Go(func() error { return only(old.WebhookKeys.Create(t.Context(), b.Run(), b.Account.WireID())) })
	b.AwaitLock("the creation of a key")
	require.NoError(t, operator.Secrets.Rewrap(t.Context(), func(int64) {}))
	require.NoError(t, tx.Commit(t.Context()))
	require.ErrorContains(t, creating.Wait(), "give it the present keyset file")
}
