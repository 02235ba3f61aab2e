package deliveries

import (
	"context"
	"log/slog"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/wire"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/event"
)

// Notice is a notice about an endpoint, or about one of its deliveries.
type Notice struct {
	delivery.Notice
	Endpoint id.UUID
	Host     string               // of the endpoint's URL
	failed   event.DeliveryNotice // for a notice about a delivery
	Trace    string
}

func (n Notice) fields() any {
	if n.Type == delivery.DeliveryFailed {
		return n.failed
	}
	return event.EndpointNotice{
		ConfigID: id.WebhookConfigID{UUID: n.Endpoint}, URLHost: n.Host, Since: wire.DateTime(n.Since), LastError: db.OrNull(n.LastError), DisabledReason: n.Reason,
	}
}

// NoticesOf turns the decided notices about a delivery and its endpoint into notices to write.
func NoticesOf(decided []delivery.Notice, endpoint id.UUID, url, trace string, row Row, d delivery.Delivery) []Notice {
	list := make([]Notice, len(decided))
	for i, n := range decided {
		list[i] = Notice{Notice: n, Endpoint: endpoint, Host: Host(url), Trace: trace}
		if n.Type == delivery.DeliveryFailed {
			list[i].failed = event.DeliveryNotice{
				DeliveryID: id.WebhookDeliveryID{UUID: row.ID}, EventID: id.WebhookEventID{UUID: row.EventID}, ConfigID: id.WebhookConfigID{UUID: endpoint},
				AttemptCount: d.Attempts, LastError: db.OrNull(d.LastError),
			}
		}
	}
	return list
}

// queueNotices is QueueNotices in a transaction that has named no tenant. It names the account's
// tenant, also for later statements. The caller must first write what the notices report: they
// count waiting deliveries.
func (s Outbox) queueNotices(batch *pgx.Batch, after *db.AfterCommit, at time.Time, account id.UUID, list []Notice) error {
	if len(list) == 0 {
		return nil
	}
	batch.Queue(`
		SELECT set_config('requisite.organization', a.organization_id::text, true), set_config('requisite.environment', a.environment, true)
		FROM account a WHERE a.id = $1`, account)
	return s.QueueNotices(batch, after, at, account, domain.System, list...)
}

// QueueNotices queues the statement that writes all notices of a transaction. They are about
// endpoints of one account, and the transaction names its tenant.
func (s Outbox) QueueNotices(batch *pgx.Batch, after *db.AfterCommit, at time.Time, account id.UUID, actor domain.Actor, list ...Notice) error {
	events := make([]Event, len(list))
	for i, n := range list {
		events[i] = Event{
			ID: id.New(), Type: domain.EventType(n.Type), Fields: n.fields(), Trace: n.Trace,
			About: id.NullUUID{UUID: n.Endpoint, Valid: true}, waiting: n.Type != delivery.DeliveryFailed,
		}
		after.Do(func(ctx context.Context) { s.tellOperators(ctx, n) })
	}
	return s.QueueEvents(batch, after, Emission{Account: account, Actor: actor, At: at, Events: events})
}

// Noticed counts, by type, the notices that this store has written since it was opened. The result
// has all types.
func (s Outbox) Noticed() map[delivery.NoticeType]int64 {
	return s.noticed.count(delivery.NoticeTypes()...)
}

// tellOperators counts and logs a committed notice. It logs the host, as the Temporal UI does, but
// no error: an error may quote an answer.
func (s Outbox) tellOperators(ctx context.Context, n Notice) {
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

// Host is the only part of a URL that operators see: a path may hold a secret.
func Host(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Host
}
