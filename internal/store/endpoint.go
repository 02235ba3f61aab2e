package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/event"
)

// Webhooks reads and writes endpoints, keys, events, deliveries and replays.
type Webhooks struct{ *unit }

func (u *unit) webhooks() Webhooks { return Webhooks{u} }

const endpointColumns = `e.id, e.account_id, e.url, e.url_key,
	e.event_types, e.description,
	e.rate_per_second, e.concurrency,
	e.status, e.disabled_reason,
	e.created_at, e.updated_at`

// CreateEndpoint adds an ACTIVE endpoint in a free slot of the account.
func (r Webhooks) CreateEndpoint(ctx context.Context, accountID id.AccountID, e domain.Endpoint) (domain.Endpoint, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return domain.Endpoint{}, err
	}
	// The lock serializes concurrent searches for a free slot.
	if _, err := r.q.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, account.ID); err != nil {
		return domain.Endpoint{}, fmt.Errorf("lock an account: %w", err)
	}
	r.stamp()
	var slot *int
	err = r.q.QueryRow(ctx, `
		SELECT min(n) FROM generate_series(1, $2) n
		WHERE NOT EXISTS (SELECT FROM webhook_endpoint WHERE account_id = $1 AND slot = n AND deleted_at IS NULL)`, account.ID, deliveries.MaxEndpoints).Scan(&slot)
	switch {
	case err != nil:
		return domain.Endpoint{}, fmt.Errorf("find a slot for an endpoint: %w", err)
	case slot == nil:
		return domain.Endpoint{}, refusal.Rule(refusal.EntityWebhookConfig, "", refusal.MaxWebhookURLLimit,
			"The account has %d webhook URLs, the maximum: delete one first.", deliveries.MaxEndpoints)
	}
	e.ID, e.AccountID, e.Status, e.CreatedAt, e.UpdatedAt = r.newID(), account.ID, domain.EndpointActive, r.at, r.at
	if err := r.distinct(ctx, e); err != nil {
		return domain.Endpoint{}, err
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		INSERT INTO webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, slot, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'ACTIVE', $9, $10, $10)`,
		e.ID, e.AccountID, e.URL, e.URLKey, e.EventTypes, e.Description, e.RatePerSecond, e.Concurrency, *slot, r.at)
	batch.Queue(`INSERT INTO webhook_endpoint_health (endpoint_id) VALUES ($1)`, e.ID)
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return domain.Endpoint{}, fmt.Errorf("create an endpoint: %w", err)
	}
	return e, nil
}

// distinct refuses a URL that another endpoint of the account has. Transactions that write the same URL
// wait for each other, so that they never violate the unique index.
func (r Webhooks) distinct(ctx context.Context, e domain.Endpoint) error {
	var others []id.UUID
	batch := &pgx.Batch{}
	batch.Queue(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoint_url/' || $1 || '/' || $2, 0))`, e.AccountID, e.URLKey)
	batch.Queue(`SELECT id FROM webhook_endpoint WHERE account_id = $1 AND url_key = $2 AND id <> $3 AND deleted_at IS NULL`, e.AccountID, e.URLKey, e.ID).
		Query(db.Each(pgx.RowTo[id.UUID], func(other id.UUID) { others = append(others, other) }))
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return fmt.Errorf("look for the URL of an endpoint: %w", err)
	}
	if len(others) == 0 {
		return nil
	}
	return refusal.Rule(refusal.EntityWebhookConfig, id.Format(id.WebhookConfig, others[0]), refusal.URLAlreadyExists,
		"The account has an endpoint with this URL already.").ToDo()
}

// Endpoint finds an endpoint that is not deleted.
func (r Webhooks) Endpoint(ctx context.Context, wireID id.WebhookConfigID) (domain.Endpoint, error) {
	e, err := find[domain.Endpoint](ctx, r.unit, refusal.EntityWebhookConfig, wireID, `
		SELECT `+endpointColumns+` FROM webhook_endpoint e JOIN account a ON a.id = e.account_id
		WHERE e.id = $1 AND e.deleted_at IS NULL AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.Endpoint{}, err
	}
	r.noteAccount(e.AccountID)
	return e, nil
}

// Endpoints lists an account's endpoints, newest first.
func (r Webhooks) Endpoints(ctx context.Context, accountID id.AccountID) ([]domain.Endpoint, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return nil, err
	}
	return db.Many[domain.Endpoint](ctx, r.q, `
		SELECT `+endpointColumns+` FROM webhook_endpoint e WHERE e.account_id = $1 AND e.deleted_at IS NULL ORDER BY e.id DESC`, account.ID)
}

// EndpointHealth reads the health of endpoints.
func (r Webhooks) EndpointHealth(ctx context.Context, endpoints ...domain.Endpoint) (map[id.UUID]domain.EndpointHealth, error) {
	ids := make([]id.UUID, len(endpoints))
	for i, e := range endpoints {
		ids[i] = e.ID
	}
	rows, err := db.Many[struct {
		EndpointID id.UUID
		domain.EndpointHealth
	}](ctx, r.q, `
		SELECT h.endpoint_id,
			CASE
				WHEN e.status = 'DISABLED' THEN 'DISABLED'
				WHEN NOT `+deliveries.KeyedSQL+` THEN 'HELD'
				WHEN h.failures >= $2 THEN 'FAILING'
				ELSE 'HEALTHY'
			END AS status,
			CASE WHEN h.failures >= $2 THEN h.failing_since END AS failing_since, h.last_error, h.looks_at AS next_look,
			CASE WHEN s.sendable THEN p.n ELSE 0 END AS waiting,
			CASE WHEN s.sendable THEN r.n ELSE 0 END AS retrying,
			CASE WHEN s.sendable THEN 0 ELSE least(p.n + r.n, $3) END AS held
		FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id, LATERAL (SELECT `+deliveries.SendableSQL+` AS sendable) s,
			LATERAL (SELECT count(*)::int AS n FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state = 'PENDING' LIMIT $3) AS d) p,
			LATERAL (SELECT count(*)::int AS n FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state = 'RETRYING' LIMIT $3) AS d) r
		WHERE h.endpoint_id = ANY ($1)`, ids, delivery.FailingAfter, deliveries.WaitingCounted)
	if err != nil {
		return nil, fmt.Errorf("read how endpoints do: %w", err)
	}
	health := map[id.UUID]domain.EndpointHealth{}
	for _, h := range rows {
		health[h.EndpointID] = h.EndpointHealth
	}
	return health, nil
}

// lockEndpoint locks an endpoint's health, which also locks the endpoint, and reads the endpoint.
// While the lock is held, no attempt at the endpoint begins or ends, and nobody else changes it.
func (r Webhooks) lockEndpoint(ctx context.Context, wireID id.WebhookConfigID) (domain.Endpoint, deliveries.HealthRow, error) {
	e, err := r.Endpoint(ctx, wireID)
	if err != nil {
		return e, deliveries.HealthRow{}, err
	}
	h, err := deliveries.LockHealth(ctx, r.q, e.ID)
	if err != nil {
		return e, h, err
	}
	e, err = r.Endpoint(ctx, wireID)
	return e, h, err
}

// UpdateEndpoint changes an endpoint. Disabling it makes its deliveries HELD. Enabling it makes
// them due. Enabling it or changing its URL resets its health, and earlier attempts no longer count
// toward it.
func (r Webhooks) UpdateEndpoint(ctx context.Context, wireID id.WebhookConfigID, change func(*domain.Endpoint)) error {
	e, h, err := r.lockEndpoint(ctx, wireID)
	if err != nil {
		return err
	}
	r.stamp(&e.UpdatedAt)
	before := e
	change(&e)
	switch {
	case e.Status == domain.EndpointActive:
		e.DisabledReason = nil
	case before.Status == domain.EndpointActive:
		reason := "Disabled with webhook.config.update."
		e.DisabledReason = &reason
	}
	if e.URLKey != before.URLKey {
		if err := r.distinct(ctx, e); err != nil {
			return err
		}
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_endpoint SET url = $2, url_key = $3, event_types = $4, description = $5, status = $6, disabled_reason = $7, updated_at = $8,
			rate_per_second = $9, concurrency = $10
		WHERE id = $1`, e.ID, e.URL, e.URLKey, e.EventTypes, e.Description, e.Status, e.DisabledReason, r.at, e.RatePerSecond, e.Concurrency)
	if err != nil {
		return fmt.Errorf("change an endpoint: %w", err)
	}
	return r.follow(ctx, h, before, e)
}

// follow writes the consequences of a change of an endpoint.
func (r Webhooks) follow(ctx context.Context, h deliveries.HealthRow, before, e domain.Endpoint) error {
	batch, health := &pgx.Batch{}, h.Health()
	if e.Status == domain.EndpointActive && before.Status == domain.EndpointDisabled || e.URLKey != before.URLKey {
		at, err := r.databaseTime(ctx)
		if err != nil {
			return err
		}
		health = health.Renewed(at)
		if e.Status == domain.EndpointActive {
			deliveries.Release(batch, r.moment, e.ID)
			r.outbox.NotifyAfter(r.after)
		}
	}
	var notices []deliveries.Notice
	if e.Status == domain.EndpointDisabled && before.Status == domain.EndpointActive {
		var told delivery.Notice
		health, told = health.Disabled(*e.DisabledReason, r.at)
		notices = append(notices, deliveries.Notice{Notice: told, Endpoint: e.ID, Host: deliveries.Host(e.URL), Trace: r.trace})
	}
	if health != h.Health() {
		deliveries.SaveHealth(batch, h, health)
	}
	if err := r.outbox.QueueNotices(batch, r.after, r.at, e.AccountID, r.actor, notices...); err != nil {
		return err
	}
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("write what follows for an endpoint: %w", err)
	}
	return nil
}

// databaseTime is the time that decisions about deliveries use.
func (r *unit) databaseTime(ctx context.Context) (at time.Time, err error) {
	if err := r.q.QueryRow(ctx, `SELECT `+db.MomentSQL, r.moment).Scan(&at); err != nil {
		return at, fmt.Errorf("read the database's time: %w", err)
	}
	return at, nil
}

// FlushEndpoint resets an endpoint's health and makes all its open deliveries due. It returns how
// many they are. If the endpoint is disabled, it only returns a warning.
func (r Webhooks) FlushEndpoint(ctx context.Context, wireID id.WebhookConfigID) (int, []refusal.Warning, error) {
	e, err := r.Endpoint(ctx, wireID)
	if err != nil {
		return 0, nil, err
	}
	var count int
	// The count comes before the locks, because there may be very many deliveries.
	err = r.q.QueryRow(ctx, `
		SELECT count(*)
		FROM webhook_endpoint e
			JOIN webhook_delivery d ON d.endpoint_id = e.id
				AND d.state IN ('PENDING', 'RETRYING')
		WHERE e.id = $1 AND `+deliveries.SendableSQL,
		e.ID).
		Scan(&count)
	if err != nil {
		return 0, nil, fmt.Errorf("count what waits at an endpoint: %w", err)
	}
	e, h, err := r.lockEndpoint(ctx, wireID)
	switch {
	case err != nil:
		return 0, nil, err
	case e.Status == domain.EndpointDisabled:
		return 0, []refusal.Warning{{
			Code:    refusal.EndpointDisabled,
			Message: "Nothing was sent, because the endpoint is disabled: enable it with webhook.config.update, and the service sends its deliveries.",
		}}, nil
	}
	at, err := r.databaseTime(ctx)
	if err != nil {
		return 0, nil, err
	}
	batch := &pgx.Batch{}
	deliveries.SaveHealth(batch, h, h.Health().Flushed(at))
	deliveries.Release(batch, r.moment, e.ID)
	r.outbox.NotifyAfter(r.after)
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return 0, nil, fmt.Errorf("flush an endpoint: %w", err)
	}
	return count, nil, nil
}

// DeleteEndpoint deletes an endpoint, which cancels its open deliveries. The results of attempts in
// flight no longer count, and cause no notices.
func (r Webhooks) DeleteEndpoint(ctx context.Context, wireID id.WebhookConfigID) error {
	e, h, err := r.lockEndpoint(ctx, wireID)
	if err != nil {
		return err
	}
	r.stamp(&e.UpdatedAt)
	batch := &pgx.Batch{}
	deliveries.SaveHealth(batch, h, h.Health().Detached())
	batch.Queue(`UPDATE webhook_endpoint SET deleted_at = $2, slot = NULL, updated_at = $2 WHERE id = $1`, e.ID, r.at)
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("delete an endpoint: %w", err)
	}
	return nil
}

// TestEndpoint writes an example event of a type for one endpoint, even if the endpoint does not
// subscribe to the type.
func (r Webhooks) TestEndpoint(ctx context.Context, wireID id.WebhookConfigID, kind domain.EventType) (id.WebhookEventID, error) {
	e, err := r.Endpoint(ctx, wireID)
	if err != nil {
		return id.WebhookEventID{}, err
	}
	if err := r.MayAskForMore(ctx, e.AccountID); err != nil {
		return id.WebhookEventID{}, err
	}
	fields, noticed, err := event.TestEvent(kind, wireID, r.at)
	if err != nil {
		return id.WebhookEventID{}, err
	}
	batch := &pgx.Batch{}
	about := subject{accountID: e.AccountID, tested: id.NullUUID{UUID: e.ID, Valid: true}, noticed: noticed.NullUUID()}
	made, err := r.queueEvents(batch, about, Event{Type: kind, Fields: fields})
	if err != nil {
		return id.WebhookEventID{}, err
	}
	if err := r.q.SendBatch(ctx, batch).Close(); err != nil {
		return id.WebhookEventID{}, fmt.Errorf("write a test event: %w", err)
	}
	return id.WebhookEventID{UUID: made[0]}, nil
}
