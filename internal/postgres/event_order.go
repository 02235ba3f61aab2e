package postgres

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/refusal"
)

// Events in the order of their transactions: decision 022. An event's position is its
// epoch, its transaction, its sequence and its id. Ids are not in the order of
// commits, and neither are those of transactions; but below the horizon of a
// snapshot, the oldest transaction that was open, every transaction has ended. What
// lies below it never changes, so a reader who goes on from there misses nothing.

// position is that of an event in the feed: a reader goes on after it.
type position struct {
	epoch    int32
	tag      int64 // of the epoch
	xid      uint64
	sequence int64
	id       uuid.UUID
}

const positionSize = 4 + 8 + 8 + 8 + 16

func (p position) String() string {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, positionSize), uint32(p.epoch))
	for _, part := range []uint64{uint64(p.tag), p.xid, uint64(p.sequence)} {
		b = binary.BigEndian.AppendUint64(b, part)
	}
	return base64.RawURLEncoding.EncodeToString(append(b, p.id[:]...))
}

// parsePosition reads what String writes, and nothing else; empty is the beginning.
func parsePosition(cursor string) (position, error) {
	if cursor == "" {
		return position{}, nil
	}
	// A decoder skips line breaks, so the length is that of the text as well as that of its bytes.
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) != positionSize || len(cursor) != base64.RawURLEncoding.EncodedLen(positionSize) || b[0] > 127 { // an epoch is positive
		return position{}, refusal.Fields(refusal.Field{Field: "page.after", Message: "This must be the value of next of an earlier answer with the same order."})
	}
	number := func(at int) uint64 { return binary.BigEndian.Uint64(b[at:]) }
	return position{epoch: int32(binary.BigEndian.Uint32(b)), tag: int64(number(4)), xid: number(12), sequence: int64(number(20)), id: uuid.UUID(b[28:])}, nil
}

// horizon is how far events can be read in order.
type horizon struct {
	Epoch  int32  // of what is written now
	Tag    int64  // of that epoch
	Oldest uint64 // the oldest open transaction: all before it have ended
	Next   uint64 // one more than the latest transaction that has ended
	Known  bool   // the position that was asked about is one of this database
}

// readHorizon also looks whether a position is of an epoch that the database knows.
func readHorizon(ctx context.Context, q querier, from position) (horizon, error) {
	h, _, err := one[horizon](ctx, q, `
		WITH last AS (SELECT max(number) AS number FROM event_epoch), here AS (SELECT event_cluster() AS cluster),
		current AS (
			SELECT coalesce(e.number, coalesce(last.number, 0) + 1) AS epoch, coalesce(e.tag, event_tag(here.cluster)) AS tag
			FROM last CROSS JOIN here LEFT JOIN event_epoch e ON e.number = last.number AND e.cluster = here.cluster)
		SELECT epoch, tag, pg_snapshot_xmin(pg_current_snapshot()) AS oldest, pg_snapshot_xmax(pg_current_snapshot()) AS next,
			$1 = 0 OR (epoch, tag) = ($1, $2) OR EXISTS (SELECT FROM event_epoch e WHERE (e.number, e.tag) = ($1, $2)) AS known
		FROM current`, from.epoch, from.tag)
	if err != nil {
		return h, fmt.Errorf("read how far events are in order: %w", err)
	}
	return h, nil
}

// eventsInOrder lists events after a position and below the horizon. The next position is
// that of the last event; once all were listed it is the horizon, so that what a
// filter left out is not looked at again.
func (r *Records) eventsInOrder(ctx context.Context, accountID uuid.UUID, q domain.EventQuery, p domain.Page) ([]domain.OutboxEvent, string, error) {
	from, err := parsePosition(p.After)
	if err != nil {
		return nil, "", err
	}
	h, err := readHorizon(ctx, r.q, from)
	if err != nil {
		return nil, "", err
	}
	if !h.Known || from.epoch == h.Epoch && from.xid > h.Next {
		return nil, "", refusal.Fields(refusal.Field{Field: "page.after", Message: "This was answered before the service's data was restored from a backup that does not hold all of it. " +
			"Begin again without page.after, with filters.since at the last event that you have, and drop the events that you know by their event_id."})
	}
	var match conditions
	match.add(`(v.epoch, v.xid, v.sequence, v.id) > (%s, %s, %s, %s)`, from.epoch, from.xid, from.sequence, from.id)
	match.add(`(v.epoch, v.xid) < (%s, %s)`, h.Epoch, h.Oldest)
	page, err := r.eventPage(ctx, accountID, q, p, match, `v.epoch, v.xid, v.sequence, v.id`)
	if err != nil {
		return nil, "", err
	}
	next := position{epoch: h.Epoch, tag: h.Tag, xid: h.Oldest}
	if page.more {
		next = position{epoch: page.last.Epoch, tag: h.Tag, xid: page.last.XID, sequence: page.last.Sequence, id: page.last.ID}
		if next.epoch != h.Epoch {
			if err := r.q.QueryRow(ctx, `SELECT tag FROM event_epoch WHERE number = $1`, next.epoch).Scan(&next.tag); err != nil {
				return nil, "", fmt.Errorf("read the epoch of an event: %w", err)
			}
		}
	}
	return page.events, next.String(), nil
}

// BeginEpoch begins an epoch of events: after the database was put back to an
// earlier state in a way that it cannot see itself. It waits for transactions that
// write events, and they for it.
func (s *Store) BeginEpoch(ctx context.Context) (number int, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE webhook_event IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			INSERT INTO event_epoch (number, cluster, tag) SELECT coalesce(max(number), 0) + 1, event_cluster(), event_tag(gen_random_uuid()::text) FROM event_epoch
			RETURNING number`).Scan(&number)
	})
	if err != nil {
		return 0, fmt.Errorf("begin an epoch of events: %w", err)
	}
	return number, nil
}

// lags measures for how long the horizon has been held back, from what was seen of
// it before: the ages of other programs' transactions are not visible to the
// service.
type lags struct {
	mu   sync.Mutex
	seen []sighting // in order of time
}

// sighting is how many transactions had ended at a time.
type sighting struct {
	at   time.Time
	next uint64
}

// mostSightings bounds the memory: beyond it every second one is forgotten, which
// makes the lag up to twice as coarse.
const mostSightings = 512

// lag is for how long transactions that have ended wait for the oldest open one: at
// most since the latest look at which none did, or the first look of all.
func (l *lags) lag(now time.Time, h horizon) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, sighting{now, h.Next})
	for len(l.seen) > 1 && l.seen[1].next <= h.Oldest {
		l.seen = l.seen[1:]
	}
	if len(l.seen) > mostSightings {
		kept := l.seen[:0]
		for i, s := range l.seen {
			if i%2 == 0 {
				kept = append(kept, s)
			}
		}
		l.seen = kept
	}
	if h.Oldest >= h.Next {
		return 0
	}
	return now.Sub(l.seen[0].at)
}

func (s *Store) eventLag(ctx context.Context) (time.Duration, error) {
	h, err := readHorizon(ctx, s.pool, position{})
	if err != nil {
		return 0, err
	}
	return s.lags.lag(s.clock(), h), nil
}
