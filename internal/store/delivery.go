package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
)

// deliveryColumns selects a delivery.Record from webhook_delivery_shown d.
const deliveryColumns = `d.id, d.account_id, d.event_id, v.event_type, d.endpoint_id,
	d.state, d.attempt_count, d.next_attempt_at, d.last_error,
	d.created_at, d.updated_at`

// Delivery finds a delivery.
func (r Webhooks) Delivery(ctx context.Context, wireID id.WebhookDeliveryID) (delivery.Record, error) {
	d, err := find[delivery.Record](ctx, r.unit, refusal.EntityWebhookDelivery, wireID, `
		SELECT `+deliveryColumns+` FROM webhook_delivery_shown d JOIN webhook_event v ON v.id = d.event_id JOIN account a ON a.id = d.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return delivery.Record{}, err
	}
	r.noteAccount(d.AccountID)
	return d, nil
}

// Attempts reads the log of a delivery's attempts, oldest first.
func (r Webhooks) Attempts(ctx context.Context, d delivery.Record) ([]delivery.LoggedAttempt, error) {
	return db.Many[delivery.LoggedAttempt](ctx, r.q, `
		SELECT number, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, workflow_id, run_id
		FROM webhook_attempt WHERE delivery_id = $1 ORDER BY number`, d.ID)
}

// Waits returns why a delivery waits. It is nil for a delivery that has ended.
func (r Webhooks) Waits(ctx context.Context, d delivery.Record) ([]delivery.Wait, error) {
	waits, err := deliveries.Waits(ctx, r.q, r.moment, d.ID)
	return waits[d.ID], err
}

// AllWebhooks lists deliveries and replays of all tenants, for operators.
type AllWebhooks struct{ *base }

// Waits returns why deliveries of any account wait, for operators. It leaves out deliveries that
// have ended.
func (s AllWebhooks) Waits(ctx context.Context, list []delivery.Record) (map[id.UUID][]delivery.Wait, error) {
	ids := make([]id.UUID, len(list))
	for i, d := range list {
		ids[i] = d.ID
	}
	return deliveries.Waits(ctx, s.db, s.db.Moment(), ids...)
}

// Deliveries lists an account's deliveries, newest first. The string is the After of the next page.
// It is empty on the last page.
func (r Webhooks) Deliveries(ctx context.Context, accountID id.AccountID, f delivery.Filter, p domain.Page) ([]delivery.Record, string, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(p, id.WebhookDelivery)
	if err != nil {
		return nil, "", err
	}
	if !f.ConfigID.IsZero() {
		// The deliveries of a deleted endpoint can still be listed.
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

// listDeliveries lists the deliveries of an account, or of all accounts.
func listDeliveries(ctx context.Context, q db.Querier, account id.NullUUID, f delivery.Filter, after id.UUID, limit int) ([]delivery.Record, string, error) {
	if f.Undelivered && f.State != "" {
		if !slices.Contains(delivery.Undelivered(), f.State) {
			return nil, "", nil
		}
		f.Undelivered = false // the state is the narrower condition
	}
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
	if !f.Since.IsZero() {
		match.add(`d.created_at >= %s`, f.Since)
	}
	if !f.Until.IsZero() {
		match.add(`d.created_at < %s`, f.Until)
	}
	most := ` ORDER BY d.id DESC LIMIT ` + strconv.Itoa(limit+1)
	sql := `SELECT ` + deliveryColumns + ` FROM webhook_delivery_shown d JOIN webhook_event v ON v.id = d.event_id WHERE `
	if f.State == "" && !f.Undelivered || !f.EventID.IsZero() { // an event has few deliveries
		switch {
		case f.Undelivered:
			match.add(`d.state = ANY (%s)`, delivery.Undelivered())
		case f.State != "":
			match.add(`d.state = %s`, f.State)
		}
		sql += strings.Join(match.sql, ` AND `)
	} else {
		// An array makes the page a condition of the index. With a join, Postgres may read the
		// whole table.
		sql += `d.id = ANY (ARRAY(` + deliveriesInSQL(f, account.Valid, &match, most) + most + `))`
	}
	found, err := db.Many[delivery.Record](ctx, q, sql+most, match.args...)
	if err != nil {
		return nil, "", fmt.Errorf("list deliveries: %w", err)
	}
	if len(found) <= limit {
		return found, "", nil
	}
	found = found[:limit]
	return found, found[limit-1].WireID().String(), nil
}

// deliveriesInSQL selects ids of the matching deliveries that callers see in the filter's state, or
// that are undelivered. A state of open deliveries depends on their endpoints. So the query begins
// with the endpoints, and reads one page of each in the order of an index. It reads nothing else,
// however much waits at other endpoints.
func deliveriesInSQL(f delivery.Filter, ofAccount bool, match *conditions, most string) string {
	matches := strings.Join(match.sql, ` AND `)
	stored := func(state delivery.State) string {
		return `SELECT d.id FROM webhook_delivery d WHERE ` + matches + ` AND d.state = '` + string(state) + `'`
	}
	var which string
	var also delivery.State // a state that does not depend on the endpoint
	states := []delivery.State{delivery.Pending, delivery.Retrying}
	switch {
	case f.Undelivered:
		which, also = `e.deleted_at IS NULL`, delivery.Failed
	case f.State.Open():
		which, states = deliveries.SendableSQL, []delivery.State{f.State}
	case f.State == delivery.Held:
		which = `e.deleted_at IS NULL AND NOT ` + deliveries.SendableSQL
	case f.State == delivery.Canceled:
		which, also = `e.deleted_at IS NOT NULL`, delivery.Canceled // canceled in the database, or not collected yet
	default:
		return stored(f.State)
	}
	from := `webhook_endpoint e`
	switch {
	case !f.ConfigID.IsZero():
		match.add(`e.id = %s`, f.ConfigID.UUID)
		which, match.sql = which+` AND `+match.sql[len(match.sql)-1], match.sql[:len(match.sql)-1]
	case ofAccount:
		which += ` AND e.account_id = $2` // as match has it
	default: // all accounts: the endpoints that have open deliveries
		from += ` JOIN ` + deliveries.OpenEndpointsSQL + ` AS o ON o.endpoint_id = e.id`
	}
	var parts []string
	for _, s := range states {
		parts = append(parts, `SELECT d.id FROM endpoints e, LATERAL (`+stored(s)+` AND d.endpoint_id = e.id`+most+`) d`)
	}
	if also != "" {
		parts = append(parts, `SELECT d.id FROM (`+stored(also)+most+`) d`)
	}
	return `WITH endpoints AS MATERIALIZED (SELECT e.id FROM ` + from + ` WHERE ` + which + `) SELECT d.id FROM (` + strings.Join(parts, ` UNION ALL `) + `) d`
}

// Deliveries lists deliveries of every account, newest first, for operators. An id in the filter
// that no record has matches nothing.
func (s AllWebhooks) Deliveries(ctx context.Context, f delivery.Filter, p domain.Page) ([]delivery.Record, string, error) {
	after, err := after(p, id.WebhookDelivery)
	if err != nil {
		return nil, "", err
	}
	return listDeliveries(ctx, s.db, id.NullUUID{}, f, after, p.Limit)
}

// mustOwn refuses a record that does not belong to an account.
func (r Webhooks) mustOwn(ctx context.Context, account domain.Account, table string, u id.UUID, entity string, wireID fmt.Stringer) error {
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

// RetryDelivery requests an attempt now, whatever the endpoint's health. A delivery that has
// succeeded is sent once more. If an attempt is in flight, the new one follows when it ends without
// success.
func (r Webhooks) RetryDelivery(ctx context.Context, wireID id.WebhookDeliveryID) error {
	d, err := r.Delivery(ctx, wireID)
	if err != nil {
		return err
	}
	return r.changeDelivery(ctx, d, delivery.Retry(), func(state delivery.State, sendable, deleted bool) error {
		switch {
		case state == delivery.Canceled || deleted:
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryCanceled, "The endpoint was deleted; nothing more is sent to it.")
		case !sendable:
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryHeld,
				"Nothing can be sent now: activate a webhook key, or enable the endpoint with webhook.config.update; the service then sends it.")
		case !state.Open(): // an open delivery waits already
			return r.MayAskForMore(ctx, d.AccountID)
		}
		return nil
	})
}

// CancelDelivery fails a delivery and records why. It can still be retried. If an attempt in flight
// succeeds, the delivery becomes DELIVERED anyway.
func (r Webhooks) CancelDelivery(ctx context.Context, wireID id.WebhookDeliveryID, why string) error {
	d, err := r.Delivery(ctx, wireID)
	if err != nil {
		return err
	}
	return r.changeDelivery(ctx, d, delivery.GiveUp(why), func(state delivery.State, _, deleted bool) error {
		if deleted && state.Open() {
			state = delivery.Canceled
		}
		if state.Final() {
			return refusal.Rule(refusal.EntityWebhookDelivery, wireID.String(), refusal.DeliveryEnded, "The delivery is %s: it has ended and cannot be canceled.", state)
		}
		return nil
	})
}

// changeDelivery applies a change to one delivery, unless the delivery's stored state or its
// endpoint forbids it.
func (r Webhooks) changeDelivery(
	ctx context.Context,
	d delivery.Record, c delivery.Change,
	refuse func(state delivery.State, sendable, deleted bool) error,
) error {
	// The order of locks: health, delivery.
	if _, err := deliveries.LockHealth(ctx, r.q, d.EndpointID); err != nil {
		return err
	}
	locked, found, err := db.One[struct {
		deliveries.Row
		Moment time.Time
	}](ctx, r.q, `
		SELECT `+deliveries.RowColumns+`, m.at AS moment
		FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_delivery d
		WHERE d.id = $2
		FOR UPDATE OF d`,
		r.moment, d.ID)
	switch {
	case err != nil:
		return fmt.Errorf("lock a delivery: %w", err)
	case !found: // the delivery was pruned meanwhile
		return refusal.NotFound(refusal.EntityWebhookDelivery, d.WireID().String())
	}
	// A statement after the ones that lock sees what was committed before.
	sendable, deleted, err := r.sendable(ctx, d.EndpointID)
	if err != nil {
		return err
	}
	if err := refuse(locked.State, sendable, deleted); err != nil {
		return err
	}
	changed := c.Apply(locked.Delivery(), locked.Moment)
	batch := &pgx.Batch{}
	deliveries.Save(batch, []id.UUID{d.ID}, []delivery.Delivery{changed}, locked.Moment)
	switch {
	case !changed.RetryRequestedAt.IsZero():
		deliveries.WakeRunsNow(batch, r.moment, d.EndpointID)
		r.outbox.NotifyAfter(r.after)
	case changed.State.Open() || locked.State == delivery.Retrying: // the endpoint's run may have nothing left to do
		deliveries.AskRun(batch, d.EndpointID, locked.Moment)
		r.outbox.NotifyAfter(r.after)
	}
	if changed.State != locked.State && !changed.State.Open() {
		r.outbox.CountAfter(r.after, changed.State, 1)
	}
	notices := deliveries.NoticesOf(delivery.FailedNotice(locked.Delivery(), changed), d.EndpointID, "", r.trace, locked.Row, changed)
	if err := r.outbox.QueueNotices(batch, r.after, r.at, d.AccountID, r.actor, notices...); err != nil {
		return err
	}
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("%s a delivery: %w", c.Name, err)
	}
	return nil
}

// sendable reports whether anything may be sent to an endpoint, and whether the endpoint is
// deleted.
func (r Webhooks) sendable(ctx context.Context, endpoint id.UUID) (sendable, deleted bool, err error) {
	err = r.q.QueryRow(ctx, `
		SELECT `+deliveries.SendableSQL+`, e.deleted_at IS NOT NULL
		FROM webhook_endpoint e
		WHERE e.id = $1`,
		endpoint).Scan(&sendable, &deleted)
	if err != nil {
		return false, false, fmt.Errorf("look at an endpoint: %w", err)
	}
	return sendable, deleted, nil
}

// recoverBatch is how many deliveries one transaction reopens.
const recoverBatch = 1000

// RecoverSome reopens the next batch of an endpoint's FAILED deliveries whose events occurred at
// since or later. It returns zero when none are left. It leaves out deliveries that changed after
// the run began, so that it reopens none twice. It finds the deliveries before it locks anything,
// because very many may not match.
func (s LongRuns) RecoverSome(ctx context.Context, run domain.Run, configID id.WebhookConfigID, since time.Time) (domain.Recovered, error) {
	return finish(ctx, s.base, run, func(r *unit) (domain.Recovered, error) {
		e, err := r.webhooks().Endpoint(ctx, configID)
		if err != nil {
			return domain.Recovered{}, err
		}
		c := delivery.Recover()
		candidates, err := db.Column[id.UUID](ctx, r.q, `
			SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = $1 AND `+deliveries.FromSQL(c)+` AND d.updated_at <= $2
				AND EXISTS (SELECT FROM webhook_event v WHERE v.id = d.event_id AND v.occurred_at >= $4) ORDER BY d.id LIMIT $3`, e.ID, run.StartedAt, recoverBatch, since)
		if err != nil {
			return domain.Recovered{}, fmt.Errorf("find deliveries to %s: %w", c.Name, err)
		}
		if len(candidates) == 0 {
			return domain.Recovered{}, nil
		}
		if e, _, err = r.webhooks().lockEndpoint(ctx, configID); err != nil {
			return domain.Recovered{}, err
		}
		tag, err := r.q.Exec(ctx, `
			UPDATE webhook_delivery SET `+deliveries.ChangeSQL(c)+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d WHERE d.id = ANY ($2) AND `+deliveries.FromSQL(c)+` AND d.updated_at <= $3 FOR UPDATE OF d SKIP LOCKED)`,
			r.moment, candidates, run.StartedAt)
		if err != nil {
			return domain.Recovered{}, fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		if tag.RowsAffected() == 0 { // zero rows here does not mean that none are left
			return domain.Recovered{}, fmt.Errorf("%s deliveries: others are changing all %d that were found; it is retried", c.Name, len(candidates))
		}
		batch := &pgx.Batch{}
		deliveries.MakeReady(batch, e.ID) // for deliveries without any attempt
		deliveries.WakeRunsNow(batch, r.moment, e.ID)
		r.outbox.NotifyAfter(r.after)
		if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
			return domain.Recovered{}, fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		return domain.Recovered{Count: int(tag.RowsAffected()), StartedAt: run.StartedAt}, nil
	})
}

// KeepRecovered stores the outcome of a complete recovery. If no delivery was FAILED, the outcome
// says whether other deliveries to the endpoint wait.
func (s LongRuns) KeepRecovered(ctx context.Context, run domain.Run, configID id.WebhookConfigID, total domain.Recovered) (domain.Recovered, error) {
	return finish(ctx, s.base, run, func(r *unit) (_ domain.Recovered, err error) {
		if total.Count == 0 {
			err = r.q.QueryRow(ctx, `
				SELECT EXISTS (
					SELECT FROM webhook_delivery
					WHERE endpoint_id = $1 AND state IN ('PENDING', 'RETRYING'))`,
				configID.UUID).Scan(&total.OthersWait)
		}
		return total, err
	})
}
