package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// maxLooked limits the events that one call reads, because a filter may match none of them.
const maxLooked = 5000

// feedCursor is where a reader of an account's feed continues: after the event at a position. The
// zero value is the beginning.
type feedCursor struct {
	Position int64
	EventID  id.UUID
	// Batch is the random number of all positions that were assigned together. After a restore, the
	// same position gets another Batch.
	Batch id.UUID
}

const feedCursorSize = 8 + 16 + 16

func (c feedCursor) String() string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, feedCursorSize), uint64(c.Position))
	return base64.RawURLEncoding.EncodeToString(append(append(b, c.EventID[:]...), c.Batch[:]...))
}

// parseFeedCursor parses only what String writes. An empty text is the beginning.
func parseFeedCursor(text string) (feedCursor, error) {
	if text == "" {
		return feedCursor{}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil && len(b) == feedCursorSize {
		c := feedCursor{int64(binary.BigEndian.Uint64(b)), id.UUID(b[8:24]), id.UUID(b[24:])}
		begins := c == feedCursor{}
		if c.String() == text && (begins || c.Position > 0) { // the comparison refuses line breaks, which the decoder skips
			return c, nil
		}
	}
	return feedCursor{}, refusal.Fields(malformedCursor)
}

var malformedCursor = refusal.Field{Field: "page.after", Message: "Use the next value of an earlier answer with the same order."}

// CheckFeedCursor returns the problem of a malformed page.after of the feed.
func CheckFeedCursor(after string) []refusal.Field {
	if _, err := parseFeedCursor(after); err != nil {
		return []refusal.Field{malformedCursor}
	}
	return nil
}

// prunable reports whether the event is older than MinEventLife, so that it may have been pruned.
func (c feedCursor) prunable(now time.Time) bool {
	youngest := id.FirstAt(now.Add(db.ClockSkew - MinEventLife))
	return bytes.Compare(c.EventID[:], youngest[:]) < 0
}

// feed lists the events after a cursor in the account's feed. It assigns positions to events
// without one.
func (r Webhooks) feed(ctx context.Context, accountID id.UUID, q domain.EventQuery, p domain.Page) (domain.EventPage, error) {
	from, err := parseFeedCursor(p.After)
	if err != nil {
		return domain.EventPage{}, err
	}
	var withoutPosition bool
	if err := r.q.QueryRow(ctx, `SELECT give_event_positions($1)`, accountID).Scan(&withoutPosition); err != nil {
		return domain.EventPage{}, fmt.Errorf("give positions to events: %w", err)
	}
	window, err := r.feedWindow(ctx, accountID, from)
	if err != nil {
		return domain.EventPage{}, err
	}
	if window.End == nil {
		return domain.EventPage{Events: []domain.OutboxEvent{}, Next: from.String(), CaughtUp: !withoutPosition}, nil
	}
	var match conditions
	match.add(`p.account_id = %s AND p.position > %s AND p.position <= %s`, accountID, from.Position, window.End.Position)
	found, err := r.eventPage(ctx, accountID, q, p, fromFeed, match)
	if err != nil {
		return domain.EventPage{}, err
	}
	page := domain.EventPage{Events: found.events, Next: window.End.String(), CaughtUp: !window.More && !withoutPosition}
	if found.more {
		page.Next, page.CaughtUp = feedCursor{*found.last.Position, found.last.ID, *found.last.Batch}.String(), false
	}
	return page, nil
}

// feedRange is the range of events that one call reads.
type feedRange struct {
	End  *feedCursor // its last event; nil if it is empty
	More bool        // more events with positions follow
}

// feedWindow returns the range to read after a cursor. It refuses a cursor from a database state
// that was lost.
func (r Webhooks) feedWindow(ctx context.Context, accountID id.UUID, from feedCursor) (feedRange, error) {
	found, _, err := db.One[struct {
		Known    bool
		Position *int64
		EventID  *id.UUID
		Batch    *id.UUID
		More     *bool
	}](ctx, r.q, `
		SELECT $2 = 0 OR coalesce(
				(SELECT (p.event_id, p.batch) = ($3, $4) FROM webhook_event_position p WHERE p.account_id = $1 AND p.position = $2),
				$5 AND $2 <= (SELECT f.last_position FROM webhook_feed f WHERE f.account_id = $1), false) AS known,
			last.position, last.event_id, last.batch, last.more
		FROM (SELECT) AS always LEFT JOIN LATERAL (
			SELECT p.position, p.event_id, p.batch, EXISTS (SELECT FROM webhook_event_position n WHERE n.account_id = $1 AND n.position > p.position) AS more
			FROM webhook_event_position p
			WHERE p.account_id = $1 AND p.position > $2
				AND p.position < $6 + (SELECT n.position FROM webhook_event_position n WHERE n.account_id = $1 AND n.position > $2 ORDER BY n.position LIMIT 1)
			ORDER BY p.position DESC LIMIT 1) AS last ON true`,
		accountID, from.Position, from.EventID, from.Batch, from.prunable(r.at), int64(maxLooked))
	switch {
	case err != nil:
		return feedRange{}, fmt.Errorf("look at the feed: %w", err)
	case !found.Known:
		return feedRange{}, refusal.Rule(refusal.EntityWebhookEvent, id.Format(id.WebhookEvent, from.EventID), refusal.CursorUnknown,
			"page.after belongs to another account, or to a state that a restore from a backup has lost. "+
				"Start without it, with filters.since five minutes before your last event, and drop events that you know by their id.")
	case found.Position == nil:
		return feedRange{}, nil
	}
	return feedRange{&feedCursor{*found.Position, *found.EventID, *found.Batch}, *found.More}, nil
}
