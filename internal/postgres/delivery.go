package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/delivery"
)

const deliveryColumns = `d.id, d.account_id, d.event_id, v.event_type, d.endpoint_id, d.state, d.attempt_count, d.next_attempt_at, d.last_error, d.created_at, d.updated_at`

// Delivery finds a delivery.
func (r *Records) Delivery(ctx context.Context, wireID id.WebhookDeliveryID) (domain.Delivery, error) {
	d, err := find[domain.Delivery](ctx, r, refusal.EntityWebhookDelivery, wireID, `
		SELECT `+deliveryColumns+` FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id JOIN account a ON a.id = d.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.Delivery{}, err
	}
	r.of(d.AccountID)
	return d, nil
}

// Attempts reads a delivery's log, oldest first.
func (r *Records) Attempts(ctx context.Context, d domain.Delivery) ([]domain.LoggedAttempt, error) {
	return db.Many[domain.LoggedAttempt](ctx, r.q, `
		SELECT number, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, workflow_id, run_id
		FROM webhook_attempt WHERE delivery_id = $1 ORDER BY number`, d.ID)
}

// Deliveries lists an account's deliveries, newest first; the string is the
// After of the next page, empty on the last one.
func (r *Records) Deliveries(ctx context.Context, accountID id.AccountID, f domain.DeliveryFilter, p domain.Page) ([]domain.Delivery, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(p, id.WebhookDelivery)
	if err != nil {
		return nil, "", err
	}
	if !f.ConfigID.IsZero() {
		// A deleted endpoint's deliveries can still be looked at.
		if err := r.mustOwn(ctx, account, "webhook_endpoint", f.ConfigID.UUID, refusal.EntityWebhookConfig, f.ConfigID); err != nil {
			return nil, "", err
		}
	}
	if !f.EventID.IsZero() {
		if err := r.mustOwn(ctx, account, "webhook_event", f.EventID.UUID, refusal.EntityWebhookEvent, f.EventID); err != nil {
			return nil, "", err
		}
	}
	return listDeliveries(ctx, r.q, account.WireID().NullUUID(), f, after, p.Limit)
}

func listDeliveries(ctx context.Context, q db.Querier, account uuid.NullUUID, f domain.DeliveryFilter, after uuid.UUID, limit int) ([]domain.Delivery, string, error) {
	var match conditions
	match.add(`d.id < %s`, after)
	if account.Valid {
		match.add(`d.account_id = %s`, account.UUID)
	}
	if !f.ConfigID.IsZero() {
		match.add(`d.endpoint_id = %s`, f.ConfigID.UUID)
	}
	if !f.EventID.IsZero() {
		match.add(`d.event_id = %s`, f.EventID.UUID)
	}
	if f.State != "" {
		match.add(`d.state = %s`, f.State)
	}
	if !f.Since.IsZero() {
		match.add(`d.created_at >= %s`, f.Since)
	}
	if !f.Until.IsZero() {
		match.add(`d.created_at < %s`, f.Until)
	}
	found, err := db.Many[domain.Delivery](ctx, q, `
		SELECT `+deliveryColumns+` FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
		WHERE `+strings.Join(match.sql, ` AND `)+` ORDER BY d.id DESC LIMIT `+strconv.Itoa(limit+1), match.args...)
	if err != nil {
		return nil, "", fmt.Errorf("list deliveries: %w", err)
	}
	if len(found) <= limit {
		return found, "", nil
	}
	found = found[:limit]
	return found, found[limit-1].WireID().String(), nil
}

// AllDeliveries lists deliveries of every account, newest first, for the operator.
// An id in the filter that no record has matches nothing.
func (s *Store) AllDeliveries(ctx context.Context, f domain.DeliveryFilter, p domain.Page) ([]domain.Delivery, string, error) {
	after, err := after(p, id.WebhookDelivery)
	if err != nil {
		return nil, "", err
	}
	return listDeliveries(ctx, s.db, uuid.NullUUID{}, f, after, p.Limit)
}

// DeliveryOwner and EndpointOwner find the owner of a delivery or an endpoint, for
// the operator's commands, which act on those of every tenant.
func (s *Store) DeliveryOwner(ctx context.Context, wireID id.WebhookDeliveryID) (domain.Owner, error) {
	return s.owner(ctx, `webhook_delivery`, wireID.UUID, refusal.EntityWebhookDelivery, wireID)
}

// EndpointOwner: see DeliveryOwner.
func (s *Store) EndpointOwner(ctx context.Context, wireID id.WebhookConfigID) (domain.Owner, error) {
	return s.owner(ctx, `webhook_endpoint`, wireID.UUID, refusal.EntityWebhookConfig, wireID)
}

func (s *Store) owner(ctx context.Context, table string, u uuid.UUID, entity string, wireID fmt.Stringer) (domain.Owner, error) {
	found, err := existing[struct {
		domain.Scope
		ID uuid.UUID
	}](ctx, s.db, entity, wireID, `SELECT a.id, a.organization_id, a.environment FROM `+table+` t JOIN account a ON a.id = t.account_id WHERE t.id = $1`, u)
	if err != nil {
		return domain.Owner{}, err
	}
	return domain.Owner{Scope: found.Scope, AccountID: found.Environment.Account(found.ID)}, nil
}

// mustOwn refuses a record that is not an account's.
func (r *Records) mustOwn(ctx context.Context, account domain.Account, table string, u uuid.UUID, entity string, wireID fmt.Stringer) error {
	var found bool
	err := r.q.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+table+` WHERE id = $1 AND account_id = $2)`, u, account.ID).Scan(&found)
	switch {
	case err != nil:
		return fmt.Errorf("find a record: %w", err)
	case !found:
		return refusal.NotFound(entity, wireID.String())
	}
	return nil
}

// RetryDelivery asks for an attempt now, whatever the endpoint's health. A
// delivery that succeeded is sent once more. If an attempt is in flight, the new
// one follows when it ends, unless it succeeds.
func (r *Records) RetryDelivery(ctx context.Context, wireID id.WebhookDeliveryID) error {
	d, err := r.Delivery(ctx, wireID)
	if err != nil {
		return err
	}
	if err := errors.Join(r.shareAccount(ctx, d.AccountID), deliveries.ShareEndpoints(ctx, r.q, d.AccountID)); err != nil {
		return err
	}
	sendable, deleted, err := r.sendable(ctx, d.EndpointID)
	if err != nil {
		return err
	}
	return r.changeDelivery(ctx, d, delivery.Retry(), func(state delivery.State) error {
		switch {
		case state == delivery.Canceled || deleted:
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryCanceled, "The endpoint was deleted; nothing more is sent to it.")
		case state == delivery.Held || !sendable:
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryHeld,
				"Nothing can be sent now: activate a webhook key, or enable the endpoint with webhook.config.update; the service then sends it.")
		case !state.Open(): // an open one waits already
			return r.MayAskForMore(ctx, d.AccountID)
		}
		return nil
	})
}

// CancelDelivery gives up on a delivery and records why: it is FAILED, and can
// be retried. If an attempt in flight succeeds, the delivery is DELIVERED all
// the same.
func (r *Records) CancelDelivery(ctx context.Context, wireID id.WebhookDeliveryID, why string) error {
	d, err := r.Delivery(ctx, wireID)
	if err != nil {
		return err
	}
	if err := deliveries.ShareEndpoints(ctx, r.q, d.AccountID); err != nil { // for a notice
		return err
	}
	return r.changeDelivery(ctx, d, delivery.GiveUp(why), func(state delivery.State) error {
		if state.Final() {
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryEnded, "The delivery is %s: it has ended and cannot be canceled.", state)
		}
		return nil
	})
}

// changeDelivery applies a change to one delivery, unless its current state does
// not allow it.
func (r *Records) changeDelivery(ctx context.Context, d domain.Delivery, c delivery.Change, refuse func(delivery.State) error) error {
	// The order of locks: health, delivery.
	if _, err := deliveries.LockHealth(ctx, r.q, d.EndpointID); err != nil {
		return err
	}
	locked, found, err := db.One[struct {
		deliveries.Row
		Moment time.Time
	}](ctx, r.q, `SELECT `+deliveries.RowColumns+`, m.at AS moment FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_delivery d WHERE d.id = $2 FOR UPDATE OF d`, r.moment, d.ID)
	switch {
	case err != nil:
		return fmt.Errorf("lock a delivery: %w", err)
	case !found: // pruned meanwhile
		return refusal.NotFound(refusal.EntityWebhookDelivery, d.WireID().String())
	}
	if err := refuse(locked.State); err != nil {
		return err
	}
	changed := c.Apply(locked.Delivery(), locked.Moment)
	batch := &pgx.Batch{}
	deliveries.Save(batch, []uuid.UUID{d.ID}, []delivery.Delivery{changed}, locked.Moment)
	switch {
	case !changed.AskedAt.IsZero():
		deliveries.WakeRunNow(batch, d.EndpointID, r.moment)
		r.deliveries.NotifyAfter(r.after)
	case changed.State.Open() || locked.State == delivery.Retrying: // its run may have nothing left to do
		deliveries.WakeRun(batch, d.EndpointID, locked.Moment)
		r.deliveries.NotifyAfter(r.after)
	}
	if changed.State != locked.State && !changed.State.Open() {
		r.deliveries.CountAfter(r.after, changed.State, 1)
	}
	notices := deliveries.NoticesOf(delivery.FailedNotice(locked.Delivery(), changed), d.EndpointID, "", r.trace, locked.Row, changed)
	if err := r.deliveries.QueueNotices(batch, r.after, r.at, d.AccountID, r.actor, notices...); err != nil {
		return err
	}
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("%s a delivery: %w", c.Name, err)
	}
	return nil
}

// sendable reports whether anything may be sent to an endpoint, and whether it is
// deleted.
func (r *Records) sendable(ctx context.Context, endpoint uuid.UUID) (sendable, deleted bool, err error) {
	err = r.q.QueryRow(ctx, `SELECT `+deliveries.SendableSQL+`, e.deleted_at IS NOT NULL FROM webhook_endpoint e WHERE e.id = $1`, endpoint).Scan(&sendable, &deleted)
	if err != nil {
		return false, false, fmt.Errorf("look at an endpoint: %w", err)
	}
	return sendable, deleted, nil
}

// releaseBatch is how many deliveries one transaction releases.
const releaseBatch = 1000

// RecoverSome releases the next batch of an endpoint's FAILED deliveries whose
// events occurred at since or later; zero when none are left. Deliveries that
// failed after the run began are skipped, so that none is released twice.
func (s *Store) RecoverSome(ctx context.Context, run domain.Run, configID id.WebhookConfigID, since time.Time) (domain.Released, error) {
	return s.releaseSome(ctx, run, configID, func(e domain.Endpoint, sendable bool) (delivery.Change, string, []any) {
		c := delivery.Recover()
		if !sendable {
			c = delivery.RecoverLater()
		}
		return c, `EXISTS (SELECT FROM webhook_event v WHERE v.id = d.event_id AND v.occurred_at >= $4)`, []any{since}
	})
}

// FlushSome makes the next batch of an endpoint's RETRYING deliveries due now;
// zero when none are left of those that were waiting when the run began. The
// first batch resets the endpoint's health.
func (s *Store) FlushSome(ctx context.Context, run domain.Run, configID id.WebhookConfigID) (domain.Released, error) {
	return s.releaseSome(ctx, run, configID, func(domain.Endpoint, bool) (delivery.Change, string, []any) {
		return delivery.Flush(), deliveries.IdleSQL + ` AND d.next_attempt_at <> d.updated_at`, nil // which is what a flush writes
	})
}

// BeginFlush resets an endpoint's health, and counts its PENDING deliveries,
// which sessions now send. To a disabled endpoint it does nothing, and warns. It
// starts by the database's clock, which deliveries are written with.
func (s *Store) BeginFlush(ctx context.Context, run domain.Run, configID id.WebhookConfigID) (domain.Released, error) {
	return finish(ctx, s, run, func(r *Records) (begun domain.Released, err error) {
		e, err := r.Endpoint(ctx, configID)
		if err != nil {
			return begun, err
		}
		// Before anything is locked: there may be very many.
		if err := r.q.QueryRow(ctx, `SELECT count(*) FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'PENDING'`, e.ID).Scan(&begun.Count); err != nil {
			return begun, fmt.Errorf("count what waits at an endpoint: %w", err)
		}
		if err := deliveries.ShareEndpoints(ctx, r.q, e.AccountID); err != nil {
			return begun, err
		}
		if e, err = r.Endpoint(ctx, configID); err != nil { // as it is now that the lock is held
			return begun, err
		}
		if e.Status == domain.EndpointDisabled {
			return domain.Released{Warnings: []refusal.Warning{{
				Code:    refusal.EndpointDisabled,
				Message: "Nothing was sent, because the endpoint is disabled: enable it with webhook.config.update, and the service sends its deliveries.",
			}}}, nil
		}
		if err := r.renewHealth(ctx, e.ID, delivery.Health.Flushed); err != nil {
			return begun, err
		}
		err = r.q.QueryRow(ctx, `SELECT `+db.MomentSQL, r.moment).Scan(&begun.StartedAt)
		return begun, err
	})
}

// releaseSome applies a change to the next batch of an endpoint's deliveries, of
// those last changed before the run began. It finds them before it locks anything:
// there may be very many that do not fit. What changes meanwhile is left out.
func (s *Store) releaseSome(ctx context.Context, run domain.Run, configID id.WebhookConfigID, how func(e domain.Endpoint, sendable bool) (delivery.Change, string, []any)) (domain.Released, error) {
	return finish(ctx, s, run, func(r *Records) (domain.Released, error) {
		e, err := r.Endpoint(ctx, configID)
		if err != nil {
			return domain.Released{}, err
		}
		c, which, args := how(e, true)
		candidates, err := db.Column[uuid.UUID](ctx, r.q, `
			SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = $1 AND `+deliveries.FromSQL(c)+` AND d.updated_at <= $2 AND `+which+` ORDER BY d.id LIMIT $3`,
			append([]any{e.ID, run.StartedAt, releaseBatch}, args...)...)
		if err != nil {
			return domain.Released{}, fmt.Errorf("find deliveries to %s: %w", c.Name, err)
		}
		if len(candidates) == 0 {
			return domain.Released{}, nil
		}
		if err := errors.Join(r.shareAccount(ctx, e.AccountID), deliveries.ShareEndpoints(ctx, r.q, e.AccountID)); err != nil {
			return domain.Released{}, err
		}
		sendable, deleted, err := r.sendable(ctx, e.ID)
		switch {
		case err != nil:
			return domain.Released{}, err
		case deleted: // before the lock was granted
			return domain.Released{}, refusal.NotFound(refusal.EntityWebhookConfig, configID.String())
		}
		if _, err := deliveries.LockHealth(ctx, r.q, e.ID); err != nil {
			return domain.Released{}, err
		}
		c, _, _ = how(e, sendable)
		if !sendable && c.To == "" { // disabled meanwhile: what it is owed will be held
			return domain.Released{}, nil
		}
		tag, err := r.q.Exec(ctx, `
			UPDATE webhook_delivery SET `+deliveries.ChangeSQL(c)+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d WHERE d.id = ANY ($2) AND `+deliveries.FromSQL(c)+` AND d.updated_at <= $3 AND `+which+` FOR UPDATE OF d SKIP LOCKED)`,
			append([]any{r.moment, candidates, run.StartedAt}, args...)...)
		if err != nil {
			return domain.Released{}, fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		if tag.RowsAffected() == 0 { // none is not the same as none left
			return domain.Released{}, fmt.Errorf("%s deliveries: others are changing all %d that were found; it is retried", c.Name, len(candidates))
		}
		r.deliveries.CountAfter(r.after, c.To, tag.RowsAffected())
		if c.To == "" {
			batch := &pgx.Batch{}
			deliveries.MakeReady(batch, []uuid.UUID{e.ID}) // what was never attempted
			deliveries.WakeRunNow(batch, e.ID, r.moment)
			r.deliveries.NotifyAfter(r.after)
			if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
				return domain.Released{}, fmt.Errorf("%s deliveries: %w", c.Name, err)
			}
		}
		return domain.Released{Count: int(tag.RowsAffected()), StartedAt: run.StartedAt}, nil
	})
}

// KeepReleased stores the outcome of a complete recovery or flush.
func (s *Store) KeepReleased(ctx context.Context, run domain.Run, total domain.Released) (domain.Released, error) {
	return finish(ctx, s, run, func(*Records) (domain.Released, error) { return total, nil })
}
