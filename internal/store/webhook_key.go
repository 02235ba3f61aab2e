package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/event"
)

const (
	// keysPerDay is how many keys an account may create in one day (UTC).
	keysPerDay = 100
	// sharedSecretBytes is the length of an AES-256 key.
	sharedSecretBytes = 32
)

const webhookKeyColumns = `k.account_id, k.key_id, k.status, k.created_at, k.revealed_at, k.activated_at, k.deleted_at`

// WebhookKeys creates, reveals and activates the keys that encrypt webhooks.
type WebhookKeys struct{ *base }

// Create makes an INACTIVE key on the day of the run's start. The limit is exact: keys of
// one account are made one after the other, and none is ever removed. A run that has already
// created its key gets the same one.
func (s WebhookKeys) Create(ctx context.Context, run domain.Run, accountID id.AccountID) (domain.CreatedKey, error) {
	secret := make([]byte, sharedSecretBytes)
	rand.Read(secret)
	return finish(ctx, s.base, run, func(r *unit) (domain.CreatedKey, error) {
		account, err := r.tenants().Get(ctx, accountID)
		if err != nil {
			return domain.CreatedKey{}, err
		}
		at := run.StartedAt.UTC().Truncate(time.Millisecond)
		day := at.Truncate(24 * time.Hour)
		iteration, err := r.webhooks().nextKey(ctx, account.ID, day)
		if err != nil {
			return domain.CreatedKey{}, err
		}
		keyID := fmt.Sprintf("whk_%s_%02d", day.Format("20060102"), iteration%100)
		sealed, err := s.secrets().sealNew(ctx, r.q, secret, deliveries.KeyBinding(account.ID, keyID))
		if err != nil {
			return domain.CreatedKey{}, err
		}
		_, err = r.q.Exec(ctx, `
			INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at)
			VALUES ($1, $2, $3, $4, 'INACTIVE', $5, $6)`, account.ID, keyID, day, iteration, sealed, at)
		if err != nil {
			return domain.CreatedKey{}, fmt.Errorf("create a webhook key: %w", err)
		}
		return domain.CreatedKey{KeyID: keyID, Status: domain.KeyInactive, CreatedAt: at}, nil
	})
}

// nextKey returns the number of the account's next key of a day. It locks the account.
func (r Webhooks) nextKey(ctx context.Context, accountID id.UUID, day time.Time) (n int, err error) {
	if _, err := r.q.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, accountID); err != nil {
		return 0, fmt.Errorf("lock an account: %w", err)
	}
	err = r.q.QueryRow(ctx, `SELECT coalesce(max(iteration), 0) + 1 FROM webhook_key WHERE account_id = $1 AND day = $2`, accountID, day).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the webhook keys of a day: %w", err)
	}
	if n > keysPerDay {
		return 0, refusal.Rule(refusal.EntityWebhookKey, "", refusal.DailyLimitExceeded,
			"%d webhook keys have been created for this account on %s (UTC), the maximum for a day: create one tomorrow.", keysPerDay, day.Format(time.DateOnly))
	}
	return n, nil
}

// TakeSecret returns a key's secret, in standard Base64, the first time it is called; then it
// returns false. Of concurrent calls, one gets the secret.
func (s WebhookKeys) TakeSecret(ctx context.Context, scope domain.Scope, accountID id.AccountID, keyID string) (string, bool, error) {
	account, err := s.reading(scope).tenants().Get(ctx, accountID)
	if err != nil {
		return "", false, err
	}
	var sealed []byte
	err = s.db.Scoped(scope).QueryRow(ctx, `
		UPDATE webhook_key SET revealed_at = $3 WHERE account_id = $1 AND key_id = $2 AND revealed_at IS NULL
		RETURNING secret_sealed`, account.ID, keyID, s.db.Clock()).Scan(&sealed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("take the secret of a webhook key: %w", err)
	}
	secret, err := s.vault.Open(sealed, deliveries.KeyBinding(account.ID, keyID))
	if err != nil {
		return "", false, fmt.Errorf("secret of webhook key %s: %w", keyID, err)
	}
	return base64.StdEncoding.EncodeToString(secret), true, nil
}

// Activate makes a key the account's only ACTIVE one. The previous key becomes DELETED in
// the same transaction. The first key makes HELD deliveries due. Activating the ACTIVE key changes
// nothing and writes no event. The result says whether the key's secret has been returned.
func (s WebhookKeys) Activate(ctx context.Context, run domain.Run, accountID id.AccountID, keyID string) (domain.ActivatedKey, error) {
	return finish(ctx, s.base, run, func(r *unit) (domain.ActivatedKey, error) {
		account, err := r.tenants().Get(ctx, accountID)
		if err != nil {
			return domain.ActivatedKey{}, err
		}
		// The lock serializes activations of one account, and the check that there is no active
		// key.
		if _, err := r.q.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, account.ID); err != nil {
			return domain.ActivatedKey{}, fmt.Errorf("lock an account: %w", err)
		}
		key, err := r.webhooks().Key(ctx, keyID, accountID)
		switch {
		case err != nil:
			return domain.ActivatedKey{}, err
		case key.Status == domain.KeyDeleted:
			return domain.ActivatedKey{}, refusal.Rule(refusal.EntityWebhookKey, keyID, refusal.KeyDeleted,
				"This key was replaced by another and cannot be used again; create a new one with webhook.key.create.")
		case key.Status == domain.KeyActive:
			return domain.ActivatedKey{KeyID: keyID, Status: domain.KeyActive, ActivatedAt: *key.ActivatedAt, SecretNotTaken: key.RevealedAt == nil}, nil
		}
		var replaced *time.Time
		if err := r.q.QueryRow(ctx, `SELECT max(activated_at) FROM webhook_key WHERE account_id = $1 AND status = 'ACTIVE'`, account.ID).Scan(&replaced); err != nil {
			return domain.ActivatedKey{}, fmt.Errorf("find the active webhook key: %w", err)
		}
		if replaced == nil {
			if err := r.webhooks().releaseAccount(ctx, account.ID); err != nil {
				return domain.ActivatedKey{}, err
			}
		}
		r.stamp(&key.CreatedAt, replaced)
		batch := &pgx.Batch{}
		batch.Queue(`UPDATE webhook_key SET status = 'DELETED', deleted_at = $2 WHERE account_id = $1 AND status = 'ACTIVE'`, account.ID, r.at)
		batch.Queue(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = $3 WHERE account_id = $1 AND key_id = $2`, account.ID, keyID, r.at)
		fields := event.KeyContent{KeyID: keyID}
		if err := r.emit(ctx, batch, subject{accountID: account.ID}, Event{Type: domain.WebhookKeyActivated, Fields: fields}); err != nil {
			return domain.ActivatedKey{}, fmt.Errorf("activate a webhook key: %w", err)
		}
		return domain.ActivatedKey{KeyID: keyID, Status: domain.KeyActive, ActivatedAt: r.at, SecretNotTaken: key.RevealedAt == nil}, nil
	})
}

// releaseAccount makes all open deliveries at an account's endpoints due. The caller has locked the
// account, so that no endpoint is added.
func (r Webhooks) releaseAccount(ctx context.Context, account id.UUID) error {
	locked, err := db.Column[id.UUID](ctx, r.q, `
		SELECT h.endpoint_id FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id
		WHERE e.account_id = $1 AND e.deleted_at IS NULL ORDER BY h.endpoint_id FOR UPDATE OF h`, account)
	if err != nil {
		return fmt.Errorf("lock the health of an account's endpoints: %w", err)
	}
	batch := &pgx.Batch{}
	deliveries.Release(batch, r.moment, locked...)
	r.outbox.NotifyAfter(r.after)
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("make an account's deliveries due: %w", err)
	}
	return nil
}

// DeleteKey deletes an INACTIVE key, which then can never become active. Repeating it changes
// nothing.
func (r Webhooks) DeleteKey(ctx context.Context, keyID string, accountID id.AccountID) error {
	key, err := r.Key(ctx, keyID, accountID)
	if err != nil {
		return err
	}
	// The lock serializes this with activations.
	if _, err := r.q.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, key.AccountID); err != nil {
		return fmt.Errorf("lock an account: %w", err)
	}
	r.stamp(&key.CreatedAt)
	var status domain.KeyStatus
	if err := r.q.QueryRow(ctx, `
		SELECT status
		FROM webhook_key
		WHERE account_id = $1 AND key_id = $2
		FOR UPDATE`,
		key.AccountID, keyID).Scan(&status); err != nil {
		return fmt.Errorf("lock a webhook key: %w", err)
	}
	if status == domain.KeyActive {
		return refusal.Rule(refusal.EntityWebhookKey, keyID, refusal.KeyActive,
			"This key protects the account's webhooks: activate another one first, which deletes it.")
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_key
		SET status = 'DELETED', deleted_at = $3
		WHERE account_id = $1 AND key_id = $2 AND status = 'INACTIVE'`,
		key.AccountID, keyID, r.at)
	if err != nil {
		return fmt.Errorf("delete a webhook key: %w", err)
	}
	return nil
}

// Key finds a key by its id and its account. Key ids are unique only within an account. Without an
// account, it refuses a key id that several of the scope's accounts have.
func (r Webhooks) Key(ctx context.Context, keyID string, accountID id.AccountID) (domain.WebhookKey, error) {
	account := id.NullUUID{}
	if !accountID.IsZero() {
		a, err := r.tenants().Get(ctx, accountID)
		if err != nil {
			return domain.WebhookKey{}, err
		}
		account = id.NullUUID{UUID: a.ID, Valid: true}
	}
	found, err := db.Many[domain.WebhookKey](ctx, r.q, `
		SELECT `+webhookKeyColumns+` FROM webhook_key k JOIN account a ON a.id = k.account_id
		WHERE k.key_id = $1 AND ($2::uuid IS NULL OR k.account_id = $2) AND a.organization_id = $3 AND a.environment = $4
		LIMIT 2`, keyID, account, r.scope.OrganizationID, r.scope.Environment)
	switch {
	case err != nil:
		return domain.WebhookKey{}, fmt.Errorf("find a webhook key: %w", err)
	case len(found) == 0:
		return domain.WebhookKey{}, refusal.NotFound(refusal.EntityWebhookKey, keyID)
	case len(found) > 1:
		return domain.WebhookKey{}, refusal.Fields(refusal.At("account_id", refusal.Required,
			"More than one of your accounts has a key with this key_id: name the account."))
	}
	r.noteAccount(found[0].AccountID)
	return found[0], nil
}

// Keys lists an account's keys of every status, newest first. The string is the After of the next
// page. It is empty on the last page. The After is a key id, because no key is ever removed.
func (r Webhooks) Keys(ctx context.Context, accountID id.AccountID, page domain.Page) ([]domain.WebhookKey, string, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	found, err := db.Many[domain.WebhookKey](ctx, r.q, `
		SELECT `+webhookKeyColumns+` FROM webhook_key k
		WHERE k.account_id = $1
			AND ($2 = '' OR (k.created_at, k.iteration) < (
				SELECT l.created_at, l.iteration FROM webhook_key l
				WHERE l.account_id = $1 AND l.key_id = $2))
		ORDER BY k.created_at DESC, k.iteration DESC LIMIT $3`, account.ID, page.After, page.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list the webhook keys of an account: %w", err)
	}
	if len(found) <= page.Limit {
		return found, "", nil
	}
	return found[:page.Limit], found[page.Limit-1].KeyID, nil
}
