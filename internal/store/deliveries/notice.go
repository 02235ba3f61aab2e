package deliveries

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/wire"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Notice is a notice about an endpoint, or about one of its deliveries.
type Notice struct {
	delivery.Notice
	Endpoint uuid.UUID
	Host     string                // of the endpoint's URL
	failed   domain.DeliveryNotice // of a notice about a delivery
	Trace    string
}

func (n Notice) fields() any {
	if n.Type == delivery.DeliveryFailed {
		return n.failed
	}
	return domain.EndpointNotice{
		ConfigID: id.WebhookConfigID{UUID: n.Endpoint}, URLHost: n.Host, Since: wire.DateTime(n.Since), LastError: orNil(n.LastError), DisabledReason: n.Reason,
	}
}

// NoticesOf turns what was decided about a delivery, and about its endpoint, into
// notices.
func NoticesOf(decided []delivery.Notice, endpoint uuid.UUID, url, trace string, row Row, d delivery.Delivery) []Notice {
	list := make([]Notice, len(decided))
	for i, n := range decided {
		list[i] = Notice{Notice: n, Endpoint: endpoint, Host: Host(url), Trace: trace}
		if n.Type == delivery.DeliveryFailed {
			list[i].failed = domain.DeliveryNotice{
				DeliveryID: id.WebhookDeliveryID{UUID: row.ID}, EventID: id.WebhookEventID{UUID: row.EventID}, ConfigID: id.WebhookConfigID{UUID: endpoint},
				AttemptCount: d.Attempts, LastError: orNil(d.LastError),
			}
		}
	}
	return list
}

// queueNotices queues the statements that write notices about endpoints of one
// account, in a transaction that has named no tenant and names this one from here
// on. They are the last statements of the batch: notices tell what waits after the
// others. Notices about more than one endpoint need the exclusive lock of the
// account's endpoints: each writes to all other endpoints, and two transactions that
// do so in different orders would be in a deadlock.
func (s *Store) queueNotices(batch *pgx.Batch, after *db.AfterCommit, at time.Time, account uuid.UUID, list []Notice) error {
	if len(list) == 0 {
		return nil
	}
	batch.Queue(`
		SELECT set_config('requisite.organization', a.organization_id::text, true), set_config('requisite.environment', a.environment, true)
		FROM account a WHERE a.id = $1`, account)
	for _, n := range list {
		if err := s.QueueNotice(batch, after, at, domain.System, n); err != nil {
			return err
		}
	}
	return nil
}

// QueueNotice queues the statement that writes a notice, in a transaction that
// names the endpoint's tenant.
func (s *Store) QueueNotice(batch *pgx.Batch, after *db.AfterCommit, at time.Time, actor domain.Actor, n Notice) error {
	fields, err := json.Marshal(n.fields())
	if err != nil {
		return fmt.Errorf("encode a notice: %w", err)
	}
	ids := make([]uuid.UUID, MaxEndpoints)
	for i := range ids {
		ids[i] = id.New()
	}
	content := `$8::jsonb`
	args := []any{s.db.Moment(), id.New(), n.Endpoint, n.Type, at, actor.UserID, actor.UserType, fields, n.Trace, ids}
	if n.Type != delivery.DeliveryFailed {
		content = `$8::jsonb || jsonb_build_object('waiting', (SELECT count(*) FROM (
			SELECT FROM webhook_delivery d WHERE d.endpoint_id = $3 AND d.state IN ('PENDING', 'RETRYING', 'HELD') LIMIT $11) w))`
		args = append(args, WaitingCounted)
	}
	batch.Queue(`
		SELECT n.sendable, n.held
		FROM webhook_endpoint e, LATERAL emit_event($1, $2, e.account_id, $4, $5, NULL, $6, $7, `+content+`, $9, NULL, $10, e.id) AS n
		WHERE e.id = $3`, args...).
		QueryRow(func(row pgx.Row) error {
			var sendable, held int64
			if err := row.Scan(&sendable, &held); err != nil {
				return fmt.Errorf("write a notice: %w", err)
			}
			s.CountAfter(after, delivery.Held, held)
			after.Do(func(ctx context.Context) { s.tellOperators(ctx, n) })
			if sendable > 0 {
				s.NotifyAfter(after)
			}
			return nil
		})
	return nil
}

// Noticed counts, by type, the notices that this store has written since it was
// opened. All types are present.
func (s *Store) Noticed() map[delivery.NoticeType]int64 {
	return s.noticed.count(delivery.NoticeTypes()...)
}

// tellOperators counts and logs a notice whose transaction is committed. Hosts are
// logged, as in the Temporal UI, and no errors: they may quote an answer.
func (s *Store) tellOperators(ctx context.Context, n Notice) {
	s.noticed.add(n.Type, 1)
	if s.log == nil {
		return
	}
	level, about := slog.LevelWarn, []any{"notice", n.Type, "endpoint_id", id.Format(id.WebhookConfig, n.Endpoint)}
	switch n.Type {
	case delivery.DeliveryFailed:
		about = append(about, "delivery_id", n.failed.DeliveryID, "attempts", n.failed.AttemptCount)
	case delivery.EndpointRecovered:
		level = slog.LevelInfo
		fallthrough
	default:
		about = append(about, "host", n.Host, "since", n.Since.UTC())
	}
	s.log.Log(ctx, level, "webhook notice", about...)
}

// Host is the part of a URL that operators see: a path may hold a secret.
func Host(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Host
}
