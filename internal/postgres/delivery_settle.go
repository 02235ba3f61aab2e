package postgres

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/delivery"
	"requisite/internal/domain"
)

// Disabling, enabling or deleting an endpoint, and activating a key, can affect
// any number of deliveries. The transaction writes only the decision, which alone
// determines whether deliveries may be sent. The states of the deliveries are
// updated after the commit, batch by batch: first by the process that committed,
// for a limited time, then by Reconcile.
const (
	settleBatch     = 5000
	settleFor       = time.Second
	reconcileSettle = 20 * time.Second
)

// afterCommit is the work that a transaction leaves to be done once it is committed.
type afterCommit struct {
	scope   *domain.Scope // the tenant whose rows are visible meanwhile; nil for all, as the worker
	due     bool          // notify the dispatchers
	settle  []settlement
	entered map[delivery.State]int64 // deliveries that entered a state
	added   []string                 // the cached counts to increment
	notices []notice                 // that were written
	parts   []*afterCommit           // of savepoints
}

// settlement names deliveries that may contradict what was decided.
type settlement struct {
	column string // of webhook_endpoint: id or account_id
	id     uuid.UUID
}

// plus adds the work that a savepoint leaves. Queued statements may add to it until
// the commit.
func (a *afterCommit) plus(part *afterCommit) {
	if a != nil {
		a.parts = append(a.parts, part)
	}
}

// whole is the work with that of its savepoints.
func (a afterCommit) whole() afterCommit {
	for _, added := range a.parts {
		part := added.whole()
		a.due = a.due || part.due
		a.settle = append(a.settle, part.settle...)
		for state, n := range part.entered {
			a.count(state, n)
		}
		a.added = append(a.added, part.added...)
		a.notices = append(a.notices, part.notices...)
	}
	a.parts = nil
	return a
}

// add increments one of the cached counts.
func (a *afterCommit) add(key string) {
	if a != nil {
		a.added = append(a.added, key)
	}
}

func (a *afterCommit) count(state delivery.State, n int64) {
	if a == nil || n == 0 {
		return
	}
	if a.entered == nil {
		a.entered = map[delivery.State]int64{}
	}
	a.entered[state] += n
}

// due records that the dispatchers are to be notified.
func (r *Records) due() {
	if r.after != nil {
		r.after.due = true
	}
}

// settleLater records that the transaction has made a decision that deliveries must follow.
func (r *Records) settleLater(column string, id uuid.UUID) {
	if r.after != nil {
		r.after.settle = append(r.after.settle, settlement{column, id})
	}
}

// follow does the work that a committed transaction has left. It returns no
// error: the decision is in force whether it succeeds or not, and Reconcile
// finishes what it does not.
func (s *Store) follow(ctx context.Context, left afterCommit) {
	left = left.whole()
	for state, n := range left.entered {
		s.tally.add(state, n)
	}
	for _, key := range left.added {
		s.counts.add(key)
	}
	s.tellOperators(ctx, left.notices)
	if len(left.settle) > 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleFor)
		defer cancel()
		for _, what := range left.settle {
			_, _ = s.settle(ctx, left.scope, &what)
		}
		left.due = true
	}
	if left.due {
		s.notifier.due()
	}
}

// settled counts deliveries that followed a decision, by the name of the change.
type settled map[string]int64

// settle updates deliveries to match what was decided, until all do or ctx ends;
// when what is nil, all deliveries that are visible in the scope. Locked rows are
// left to the next time.
func (s *Store) settle(ctx context.Context, scope *domain.Scope, what *settlement) (settled, error) {
	done := settled{}
	for _, c := range delivery.Settlements() {
		endpoints, err := s.endpointsToSettle(ctx, scope, c, what)
		if err != nil {
			return done, err
		}
		for _, e := range endpoints {
			for more := true; more; {
				n, err := s.settleSome(ctx, scope, c, e)
				if err != nil {
					return done, err
				}
				done[c.Name] += n
				s.tally.add(c.To, n)
				more = n == settleBatch
			}
		}
	}
	return done, nil
}

// endpointsToSettle finds the endpoints that have deliveries to which a change
// applies. It walks along the index, so its cost does not depend on how many
// deliveries each has.
func (s *Store) endpointsToSettle(ctx context.Context, scope *domain.Scope, c delivery.Change, what *settlement) ([]uuid.UUID, error) {
	which, args := `true`, []any{}
	if what != nil {
		which, args = `e.`+what.column+` = $1`, []any{what.id}
	}
	sql := `SELECT e.id FROM webhook_endpoint e WHERE ` + which + ` AND ` + settlesSQL(c) + ` AND EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND ` + fromSQL(c) + `)`
	if what == nil {
		walks := ``
		for i, state := range c.From {
			walks += sqlIf(i > 0, ` UNION `, ``) + walkSQL(state)
		}
		sql = `SELECT e.id FROM (` + walks + `) AS w JOIN webhook_endpoint e ON e.id = w.endpoint_id WHERE ` + settlesSQL(c)
	}
	var found []uuid.UUID
	err := s.inScopeOrAll(ctx, scope, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sql, args...)
		if err == nil {
			found, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find deliveries to settle: %w", err)
	}
	return found, nil
}

// inScopeOrAll is inScope, or inTx with the rights of the store's own role.
func (s *Store) inScopeOrAll(ctx context.Context, scope *domain.Scope, fn func(pgx.Tx) error) error {
	if scope == nil {
		return s.inTx(ctx, fn)
	}
	return s.inScope(ctx, *scope, fn)
}

// walkSQL finds the endpoints that have deliveries in a state that is not
// final, by walking along the index.
func walkSQL(state delivery.State) string {
	from := `FROM webhook_delivery d WHERE d.state = '` + string(state) + `'`
	return `(WITH RECURSIVE walk AS (
		(SELECT d.endpoint_id ` + from + ` ORDER BY d.endpoint_id LIMIT 1)
		UNION ALL
		SELECT (SELECT d.endpoint_id ` + from + ` AND d.endpoint_id > walk.endpoint_id ORDER BY d.endpoint_id LIMIT 1) FROM walk WHERE walk.endpoint_id IS NOT NULL)
		SELECT endpoint_id FROM walk WHERE endpoint_id IS NOT NULL)`
}

// settleSome changes a batch of an endpoint's deliveries, while the change follows
// from how the endpoint is.
func (s *Store) settleSome(ctx context.Context, scope *domain.Scope, c delivery.Change, endpoint uuid.UUID) (n int64, err error) {
	err = s.inScopeOrAll(ctx, scope, func(tx pgx.Tx) error {
		if c.To == "" { // releasing deliveries takes the same shared lock as writing them
			_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared(`+endpointsLockOf(`account_id`)+`) FROM webhook_endpoint WHERE id = $1`, endpoint)
			if err != nil {
				return fmt.Errorf("share an account's endpoints: %w", err)
			}
			if _, err := (&Records{q: tx}).lockHealth(ctx, endpoint); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, `
			UPDATE webhook_delivery SET `+changeSQL(c)+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
				WHERE d.endpoint_id = $2 AND `+fromSQL(c)+` AND `+settlesSQL(c)+` LIMIT $3 FOR UPDATE OF d SKIP LOCKED)`, s.moment(), endpoint, settleBatch)
		if err != nil {
			return fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		n = tag.RowsAffected()
		if c.To == "" && n > 0 {
			batch := &pgx.Batch{}
			open(batch, []uuid.UUID{endpoint})
			wakeNow(batch, endpoint, s.moment())
			return tx.SendBatch(ctx, batch).Close()
		}
		return nil
	})
	return n, err
}

// open makes endpoints ready, and open to sessions. The caller shares the lock of
// their accounts' endpoints.
func open(batch *pgx.Batch, endpoints []uuid.UUID) {
	batch.Queue(`
		INSERT INTO webhook_ready (endpoint_id, account_id) SELECT id, account_id FROM webhook_endpoint WHERE id = ANY ($1)
		ON CONFLICT (endpoint_id) DO UPDATE SET closed = false`, endpoints)
}

// disabling is why an endpoint is to be disabled, and the epoch of the health that
// this follows from.
type disabling struct {
	why   string
	epoch int
	at    time.Time
	trace string // of the delivery whose attempt it follows from
}

// disable disables an endpoint that answered 410 Gone, or that has failed for too long.
func (s *Store) disable(ctx context.Context, endpoint uuid.UUID, d disabling) error {
	var after afterCommit
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		after = afterCommit{}
		r := &Records{q: tx, at: s.clock(), after: &after}
		var account uuid.UUID
		var url string
		if err := tx.QueryRow(ctx, `SELECT account_id, url FROM webhook_endpoint WHERE id = $1`, endpoint).Scan(&account, &url); err != nil {
			return err
		}
		if err := r.holdEndpoints(ctx, account); err != nil {
			return err
		}
		h, err := r.lockHealth(ctx, endpoint)
		if err != nil || h.Epoch != d.epoch {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = $2, updated_at = $3
			WHERE id = $1 AND status = 'ACTIVE' AND deleted_at IS NULL`, endpoint, d.why, r.at)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		r.settleLater("id", endpoint)
		health, told := h.health().Disabled(d.why, d.at)
		batch := &pgx.Batch{}
		saveHealth(batch, h, health)
		err = queueNotices(batch, &after, s.moment(), d.at, []notice{{Notice: told, endpoint: endpoint, host: host(url), trace: d.trace}})
		if err != nil {
			return err
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("disable an endpoint: %w", err)
	}
	s.follow(ctx, after)
	return nil
}

// tally counts the deliveries that this process has moved to a final state or to
// HELD, after the commit.
type tally struct {
	mu sync.Mutex
	of map[delivery.State]int64
}

func (t *tally) add(state delivery.State, n int64) {
	if state == "" || state.Open() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[delivery.State]int64{}
	}
	t.of[state] += n
}

// Settled counts, by state, the deliveries that this store has moved to a final
// state or to HELD since it was opened: once for each move, whatever caused it.
// All four states are present.
func (s *Store) Settled() map[delivery.State]int64 {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	all := map[delivery.State]int64{delivery.Delivered: 0, delivery.Failed: 0, delivery.Held: 0, delivery.Canceled: 0}
	maps.Copy(all, s.tally.of)
	return all
}
