package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Who disables, enables or deletes an endpoint, or activates a key, decides about
// any number of deliveries. Under the locks of the decision only the decision is
// written: it alone keeps deliveries from going out, or lets them. The deliveries
// follow after the commit, a batch at a time, for a while by whoever decided, and
// then by Mend.
const (
	settleBatch = 5000
	settleFor   = time.Second
	mendFor     = 20 * time.Second
)

// aftermath is what a transaction leaves to be done once it is committed.
type aftermath struct {
	of        querier // who sees what is to follow; nil for the store, as whoever it connects as
	due       bool    // deliveries became due
	unsettled []unsettled
	// counts are of the deliveries that came to an end or a stand.
	counts map[DeliveryState]int64
}

// plus adds what a part of the transaction leaves.
func (a *aftermath) plus(part aftermath) {
	if a == nil {
		return
	}
	a.due = a.due || part.due
	a.unsettled = append(a.unsettled, part.unsettled...)
	for state, n := range part.counts {
		a.count(state, n)
	}
}

func (a *aftermath) count(state DeliveryState, n int64) {
	if a.counts == nil {
		a.counts = map[DeliveryState]int64{}
	}
	a.counts[state] += n
}

// unsettled names deliveries that may contradict what was decided.
type unsettled struct {
	column string // of webhook_delivery: endpoint_id or account_id
	id     uuid.UUID
}

// due remembers that the transaction has made deliveries due.
func (r *Records) due() {
	if r.after != nil {
		r.after.due = true
	}
}

// unsettle remembers that the transaction has decided about deliveries.
func (r *Records) unsettle(column string, id uuid.UUID) {
	if r.after != nil {
		r.after.unsettled = append(r.after.unsettled, unsettled{column, id})
	}
}

// follow does what a committed transaction has left. The decision stands whatever
// becomes of it, and Mend is behind it: so it has no error.
func (s *Store) follow(ctx context.Context, left aftermath) {
	for state, n := range left.counts {
		s.tally.add(state, n)
	}
	if len(left.unsettled) > 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleFor)
		defer cancel()
		for _, u := range left.unsettled {
			_, _ = s.settleAll(ctx, cmp.Or[querier](left.of, s.pool), &u, s.clock())
		}
		left.due = true
	}
	if left.due {
		s.notifier.due()
	}
}

// settled counts deliveries that followed a decision.
type settled struct{ canceled, held, released int64 }

// settleAll lets deliveries follow what was decided, until all have or ctx ends:
// all deliveries when u is nil. What somebody is changing at the moment is left to
// the next time.
func (s *Store) settleAll(ctx context.Context, q querier, u *unsettled, at time.Time) (settled, error) {
	var done settled
	for _, step := range []struct {
		count *int64
		state DeliveryState // that they come to; empty when they go on
		set   string
		of    string
	}{
		{&done.canceled, Canceled, `state = 'CANCELED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $1`,
			`e.deleted_at IS NOT NULL AND d.state IN ('PENDING', 'RETRYING', 'HELD')`},
		{&done.held, Held, `state = 'HELD', next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $1`,
			`e.status = 'DISABLED' AND e.deleted_at IS NULL AND d.state IN ('PENDING', 'RETRYING')`},
		{&done.released, "", `state = CASE WHEN attempt_count = 0 THEN 'PENDING' ELSE 'RETRYING' END, next_attempt_at = $1, updated_at = $1`,
			`d.state = 'HELD' AND e.status = 'ACTIVE' AND e.deleted_at IS NULL AND EXISTS (SELECT FROM webhook_key k WHERE k.account_id = d.account_id AND k.status = 'ACTIVE')`},
	} {
		of, args := step.of, []any{at, settleBatch}
		if u != nil {
			of += ` AND d.` + u.column + ` = $3`
			args = append(args, u.id)
		}
		for more := true; more; {
			tag, err := q.Exec(ctx, `
				UPDATE webhook_delivery SET `+step.set+` WHERE id IN (
					SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE `+of+` LIMIT $2 FOR UPDATE OF d SKIP LOCKED)`, args...)
			if err != nil {
				return done, fmt.Errorf("settle deliveries: %w", err)
			}
			*step.count += tag.RowsAffected()
			if step.state != "" {
				s.tally.add(step.state, tag.RowsAffected())
			}
			more = tag.RowsAffected() == settleBatch
		}
	}
	return done, nil
}
