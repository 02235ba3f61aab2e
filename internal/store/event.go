package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// Event is something that happened. Fields becomes a JSON object and holds no personal data.
type Event struct {
	Type   domain.EventType
	Fields any
}

// subject is what an event is about: an account, and usually one of its workflows.
type subject struct {
	accountID  id.UUID
	workflowID id.NullUUID
	// tested is the only endpoint that gets a test event.
	tested id.NullUUID
	// noticed is the endpoint that a test of a notice is about.
	noticed id.NullUUID
}

func subjectOf(w domain.Workflow) subject {
	return subject{accountID: w.AccountID, workflowID: id.NullUUID{UUID: w.ID, Valid: true}}
}

// emit sends the statements of a change, and writes all its events to the outbox. Each event gets a
// delivery for each endpoint that subscribes to it.
func (r *unit) emit(ctx context.Context, change *pgx.Batch, about subject, events ...Event) error {
	if _, err := r.queueEvents(change, about, events...); err != nil {
		return err
	}
	return db.SendAll(ctx, r.q, change)
}

// queueEvents queues the statement that writes events, and returns their ids.
func (r *unit) queueEvents(batch *pgx.Batch, about subject, events ...Event) ([]id.UUID, error) {
	made := make([]id.UUID, len(events))
	list := make([]deliveries.Event, len(events))
	for i, e := range events {
		made[i] = r.newID()
		list[i] = deliveries.Event{ID: made[i], Type: e.Type, Fields: e.Fields, Trace: r.trace, About: about.noticed}
	}
	return made, r.outbox.QueueEvents(batch, r.after, deliveries.Emission{
		Account: about.accountID, Workflow: about.workflowID, Tested: about.tested, Actor: r.actor, At: r.at, Failing: r.failing, Events: list,
	})
}

// MaxPayloads limits the content of one page of events, in bytes. A page has at least one event.
const MaxPayloads = 1 << 20

const eventColumns = `v.id, v.account_id, v.event_type, v.occurred_at, v.workflow_id, v.sequence, v.test, v.user_id, v.user_type, v.fields`

// eventRow is an event as it is read. Fields is nil if the content was not requested.
type eventRow struct {
	ID         id.UUID
	AccountID  id.UUID
	EventType  domain.EventType
	OccurredAt time.Time
	WorkflowID id.NullUUID
	Sequence   int64
	Test       bool
	UserID     string
	UserType   string
	Fields     []byte
}

func (e eventRow) event(payload bool) (domain.OutboxEvent, error) {
	event := domain.OutboxEvent{
		ID: e.ID, AccountID: e.AccountID, EventType: e.EventType, OccurredAt: e.OccurredAt, WorkflowID: e.WorkflowID, Sequence: e.Sequence, Test: e.Test,
	}
	var err error
	if payload {
		event.Payload, err = deliveries.EventPayload(e.WorkflowID, e.Sequence, e.UserID, e.UserType, e.Fields)
	}
	return event, err
}

// Event finds an event, with its content.
func (r Webhooks) Event(ctx context.Context, wireID id.WebhookEventID) (domain.OutboxEvent, error) {
	found, err := find[eventRow](ctx, r.unit, refusal.EntityWebhookEvent, wireID, `
		SELECT `+eventColumns+` FROM webhook_event v JOIN account a ON a.id = v.account_id
		WHERE v.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return domain.OutboxEvent{}, err
	}
	r.noteAccount(found.AccountID)
	return found.event(true)
}

// Events lists an account's events. Next is the After of the next page. In the order newest first,
// it is empty on the last page. In the order oldest first, it is never empty: the list continues
// there with events that are committed later.
func (r Webhooks) Events(ctx context.Context, accountID id.AccountID, q domain.EventQuery, p domain.Page) (domain.EventPage, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return domain.EventPage{}, err
	}
	if !q.WorkflowID.IsZero() {
		if err := r.mustOwn(ctx, account, "workflow", q.WorkflowID.UUID, refusal.EntityWorkflow, q.WorkflowID); err != nil {
			return domain.EventPage{}, err
		}
	}
	if q.OldestFirst {
		return r.feed(ctx, account.ID, q, p)
	}
	after, err := after(p, id.WebhookEvent)
	if err != nil {
		return domain.EventPage{}, err
	}
	var match conditions
	match.add(`v.id < %s`, after)
	found, err := r.eventPage(ctx, account.ID, q, p, newestFirst, match)
	if err != nil || !found.more {
		return domain.EventPage{Events: found.events, CaughtUp: true}, err
	}
	return domain.EventPage{Events: found.events, Next: id.Format(id.WebhookEvent, found.last.ID)}, nil
}

// listedEvent is an event of a page. Only a page of the feed has positions.
type listedEvent struct {
	eventRow
	Position *int64
	Batch    *id.UUID
	Found    int64
}

// eventPage is one page of events, with the row of its last event, and whether more follow.
type eventPage struct {
	events []domain.OutboxEvent
	last   listedEvent
	more   bool
}

// eventOrder is the source and the order of a page of events.
type eventOrder struct{ source, columns, order string }

var (
	newestFirst = eventOrder{`webhook_event v`, `NULL::bigint AS position, NULL::uuid AS batch`, `id DESC`}
	fromFeed    = eventOrder{`webhook_event_position p JOIN webhook_event v ON v.id = p.event_id`, `p.position, p.batch`, `position`}
)

func (r Webhooks) eventPage(ctx context.Context, accountID id.UUID, q domain.EventQuery, p domain.Page, in eventOrder, match conditions) (eventPage, error) {
	match.add(`v.account_id = %s`, accountID)
	// The list has no test events but those of the type WEBHOOK_TEST: readers could mistake an example
	// for a real event.
	match.add(`(NOT v.test OR v.event_type = %s)`, domain.WebhookTest)
	if q.Type != "" {
		match.add(`v.event_type = %s`, q.Type)
	}
	if !q.Since.IsZero() {
		match.add(`v.occurred_at >= %s`, q.Since)
	}
	if !q.WorkflowID.IsZero() {
		match.add(`v.workflow_id = %s`, q.WorkflowID.UUID)
	}
	columns := eventColumns
	if !q.Payload {
		columns = strings.Replace(columns, `v.fields`, `NULL::jsonb AS fields`, 1)
	}
	rows, err := db.Many[listedEvent](ctx, r.q, fmt.Sprintf(`
		WITH found AS MATERIALIZED (SELECT %[1]s, %[2]s FROM %[3]s WHERE %[4]s ORDER BY %[5]s LIMIT %[6]d),
		measured AS (
			SELECT *, row_number() OVER o AS n, count(*) OVER () AS found, coalesce(sum(octet_length(fields::text)) OVER o, 0) AS bytes
			FROM found WINDOW o AS (ORDER BY %[5]s ROWS UNBOUNDED PRECEDING))
		SELECT id, account_id, event_type, occurred_at, workflow_id, sequence, test, user_id, user_type, fields, position, batch, found
		FROM measured WHERE n <= %[7]d AND (n = 1 OR bytes <= %[8]d) ORDER BY n`,
		columns, in.columns, in.source, strings.Join(match.sql, ` AND `), in.order, p.Limit+1, p.Limit, MaxPayloads), match.args...)
	if err != nil {
		return eventPage{}, fmt.Errorf("list events: %w", err)
	}
	page := eventPage{events: make([]domain.OutboxEvent, len(rows))}
	for i, row := range rows {
		if page.events[i], err = row.event(q.Payload); err != nil {
			return eventPage{}, err
		}
		if row.Position != nil {
			page.events[i].Position = *row.Position
		}
		page.last, page.more = row, row.Found > int64(len(rows))
	}
	return page, nil
}
