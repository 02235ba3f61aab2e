package deliveries

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// MaxEndpoints is how many endpoints an account may have. The schema has as many slots.
const MaxEndpoints = 20

// Event is one event to write. Fields becomes a JSON object.
type Event struct {
	ID     id.UUID
	Type   domain.EventType
	Fields any
	Trace  string
	// About is the endpoint of a notice.
	About id.NullUUID
	// waiting adds how many deliveries wait at the endpoint.
	waiting bool
}

// Emission is all that a transaction emits for one account.
type Emission struct {
	Account  id.UUID
	Workflow id.NullUUID // the workflow of the events
	Tested   id.NullUUID // the only endpoint that gets the test events
	Actor    domain.Actor
	At       time.Time
	Failing  int // how many attempts at each delivery fail before one is sent, in the sandbox
	Events   []Event
}

// Outbox writes what a transaction reports about its change: events with their deliveries, notices,
// and, after the commit, counts and a notification that deliveries are due.
type Outbox struct{ *base }

func (b *base) outbox() Outbox { return Outbox{b} }

// QueueEvents queues the statement that writes events with their deliveries, in a transaction that
// names their tenant. A transaction writes all its events with one such statement; see emit_events
// in the schema. QueueEvents refuses a test event for an endpoint that does not exist.
func (s Outbox) QueueEvents(batch *pgx.Batch, after *db.AfterCommit, e Emission) error {
	n := len(e.Events)
	if n == 0 {
		return nil
	}
	events, kinds, contents, traces, abouts := make([]id.UUID, n), make([]string, n), make([]json.RawMessage, n), make([]string, n), make([]id.NullUUID, n)
	waiting := make([]bool, n)
	for i, one := range e.Events {
		fields, err := json.Marshal(one.Fields)
		if err != nil {
			return fmt.Errorf("encode a %s event: %w", one.Type, err)
		}
		events[i], kinds[i], contents[i], traces[i], abouts[i], waiting[i] = one.ID, string(one.Type), fields, one.Trace, one.About, one.waiting
	}
	ids := make([]id.UUID, n*MaxEndpoints)
	for i := range ids {
		ids[i] = id.New()
	}
	args := []any{s.db.Moment(), e.Account, e.Workflow, e.Tested, e.Actor.UserID, e.Actor.UserType, e.At, events, kinds, contents, traces, abouts, ids, e.Failing}
	content, from := `$10::jsonb[]`, ``
	if e.counts() {
		content, from = `c.contents`, `(
			SELECT array_agg(CASE WHEN u.waiting THEN u.content || jsonb_build_object('waiting', (SELECT count(*) FROM (
				SELECT FROM webhook_delivery d
				WHERE d.endpoint_id = u.about AND d.state IN ('PENDING', 'RETRYING')
				LIMIT $16) w)) ELSE u.content END ORDER BY u.n) AS contents
			FROM unnest($10::jsonb[], $12::uuid[], $15::boolean[]) WITH ORDINALITY AS u (content, about, waiting, n)) c, LATERAL `
		args = append(args, waiting, WaitingCounted)
	}
	batch.Queue(`SELECT w.n FROM `+from+`emit_events($1, $2, $3, $4, $5, $6, $7, $8, $9, `+content+`, $11, $12, $13, $14) AS w (n)`, args...).
		QueryRow(func(row pgx.Row) error {
			var written int64
			if err := row.Scan(&written); err != nil {
				return fmt.Errorf("write events: %w", err)
			}
			if e.Tested.Valid && written == 0 { // the endpoint was deleted meanwhile
				return refusal.NotFound(refusal.EntityWebhookConfig, id.Format(id.WebhookConfig, e.Tested.UUID))
			}
			if written > 0 {
				s.NotifyAfter(after)
			}
			return nil
		})
	return nil
}

// counts reports whether an event says how many deliveries wait.
func (e Emission) counts() bool {
	return slices.ContainsFunc(e.Events, func(one Event) bool { return one.waiting })
}
