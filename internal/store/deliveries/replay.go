package deliveries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

const (
	// replayLook is how many events one step of a replay reads.
	replayLook = 2000
	// replayWaiting is how many deliveries may wait at an endpoint before a replay stops adding
	// more.
	replayWaiting = WaitingCounted
	// replayCounted is the limit of counting the events of a replay.
	replayCounted = 100_000
)

// wantedSQL holds if replay r sends event v. A replay sends no test events, and no endpoint gets a
// notice about itself. $2 are the types of notices.
const wantedSQL = `(v.occurred_at >= r.since AND v.occurred_at < r.until AND v.event_type = ANY (r.event_types)
	AND NOT v.test
	AND NOT (v.event_type = ANY ($2::text[]) AND v.fields->>'config_id' = $3))`

// ReplayedColumns reads a domain.Replayed of webhook_replay r.
const ReplayedColumns = `r.state, r.done, r.total, r.started_at, r.ended_at`

// AllEndedSQL holds if all transactions that ran when replay r was requested have ended. A begun
// number that is still in the future comes from another server: this database was restored from its
// backup.
const AllEndedSQL = `(r.begun < pg_snapshot_xmin(pg_current_snapshot()) OR r.begun >= pg_snapshot_xmax(pg_current_snapshot()))`

// replayRow is a row of webhook_replay, with its endpoint.
type replayRow struct {
	domain.Replayed
	AccountID  id.UUID
	EndpointID id.UUID
	Until      time.Time
	Cursor     id.UUID
	Counted    bool
	URL        string
	Deleted    bool
	At         time.Time
}

// Replays takes the steps of replays.
type Replays struct{ *base }

// ReplaySome sends the next events of a replay to its endpoint, unless too many deliveries wait
// there. Each call continues where the last one ended.
func (s Replays) ReplaySome(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return s.replayStep(ctx, run, s.replayBatch)
}

// CancelReplay ends a replay. Deliveries that it has created stay.
func (s Replays) CancelReplay(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return s.replayStep(ctx, run, func(_ context.Context, _ pgx.Tx, r *replayRow, _ *db.AfterCommit) (int, error) {
		r.State = domain.ReplayCanceled
		return 0, nil
	})
}

// replayStep changes a running replay, under its lock. If there was no room, change returns how
// many deliveries wait.
func (s Replays) replayStep(
	ctx context.Context,
	run id.RunID,
	change func(context.Context, pgx.Tx, *replayRow, *db.AfterCommit) (int, error),
) (step domain.ReplayStep, err error) {
	var after db.AfterCommit
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		after = db.AfterCommit{}
		// The lock on the account excludes an erasure, which must find every delivery of its
		// events. Replays do not share the lock: if several shared it, an erasure could wait for
		// it forever.
		_, err := tx.Exec(ctx, `SELECT FROM account WHERE id = (SELECT account_id FROM webhook_replay WHERE id = $1) FOR NO KEY UPDATE`, run.UUID)
		if err != nil {
			return fmt.Errorf("lock an account: %w", err)
		}
		r, found, err := db.One[replayRow](ctx, tx, `
			SELECT `+ReplayedColumns+`, r.account_id, r.endpoint_id, r.until, r.cursor, r.counted, e.url, e.deleted_at IS NOT NULL AS deleted, m.at
			FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_replay r
				JOIN webhook_endpoint e ON e.id = r.endpoint_id
			WHERE r.id = $2
			FOR UPDATE OF r`,
			s.db.Moment(), run.UUID)
		if err != nil {
			return err
		}
		if !found { // the replay has ended and was pruned
			step = domain.ReplayStep{Replayed: domain.Replayed{State: domain.ReplayCanceled}}
			return nil
		}
		step = domain.ReplayStep{Replayed: r.Replayed, Host: Host(r.URL)}
		if r.State != domain.ReplayRunning {
			return nil
		}
		if step.Waiting, err = change(ctx, tx, &r, &after); err != nil {
			return err
		}
		if r.State != domain.ReplayRunning {
			r.EndedAt = &r.At
		}
		step.Replayed = r.Replayed
		_, err = tx.Exec(ctx, `
			UPDATE webhook_replay SET state = $2, done = $3, total = $4, ended_at = $5, cursor = $6, counted = $7, lease = $8 WHERE id = $1`,
			run.UUID, r.State, r.Done, r.Total, r.EndedAt, r.Cursor, r.Counted, r.At.Add(domain.RunLease))
		return err
	})
	if err != nil {
		return domain.ReplayStep{}, fmt.Errorf("replay events: %w", err)
	}
	after.Run(ctx)
	return step, nil
}

func (s Replays) replayBatch(ctx context.Context, tx pgx.Tx, r *replayRow, after *db.AfterCommit) (waiting int, err error) {
	if r.Deleted {
		r.State = domain.ReplayCanceled
		return 0, nil
	}
	if waiting, err = s.replayRoom(ctx, tx, r); err != nil || waiting > 0 {
		return waiting, err
	}
	config, last := id.Format(id.WebhookConfig, r.EndpointID), id.FirstAt(r.Until.Add(db.ClockSkew))
	if !r.Counted { // only once: with very many events, counting costs more than a step
		if err := s.countReplay(ctx, tx, r, config, last); err != nil {
			return 0, err
		}
	}
	// The query names the account instead of reading it from the replay's row. Only then does an
	// index return the events in order, and the query stops at its limit.
	looked, err := db.Many[struct {
		ID     id.UUID
		Notice bool
		Wanted bool
	}](ctx, tx, `
		SELECT v.id, v.event_type = ANY ($2::text[]) AS notice, `+wantedSQL+` AS wanted
		FROM webhook_event v, webhook_replay r
		WHERE r.endpoint_id = $1 AND r.state = 'RUNNING' AND v.account_id = $7 AND v.id > $4 AND v.id < $5 ORDER BY v.id LIMIT $6`,
		r.EndpointID, delivery.NoticeTypes(), config, r.Cursor, last, replayLook, r.AccountID)
	if err != nil {
		return 0, fmt.Errorf("find events: %w", err)
	}
	if len(looked) < replayLook {
		r.State = domain.ReplayCompleted
	}
	var wanted []id.UUID
	notices := map[id.UUID]bool{}
	for _, v := range looked {
		r.Cursor = v.ID
		if v.Wanted {
			wanted = append(wanted, v.ID)
			notices[v.ID] = v.Notice
		}
	}
	r.Done += int64(len(wanted))
	if r.Total != nil && r.Done > *r.Total {
		r.Total = &r.Done
	}
	if len(wanted) == 0 {
		return 0, nil
	}
	return 0, s.sendAgain(ctx, tx, r, wanted, notices, after)
}

// replayRoom returns how many deliveries wait at the endpoint, or at the account, if they are too
// many to add more.
func (s Replays) replayRoom(ctx context.Context, tx pgx.Tx, r *replayRow) (waiting int, err error) {
	const counted = `SELECT count(*) FROM (
		SELECT FROM webhook_endpoint e
		JOIN webhook_delivery d ON d.endpoint_id = e.id
			AND d.state IN ('PENDING', 'RETRYING')
		WHERE e.deleted_at IS NULL AND `
	if err = tx.QueryRow(ctx, counted+`e.id = $1 LIMIT $2) w`, r.EndpointID, replayWaiting).Scan(&waiting); err != nil {
		return 0, fmt.Errorf("count what waits at an endpoint: %w", err)
	}
	if waiting >= replayWaiting {
		return waiting, nil
	}
	if s.mostWaiting == 0 {
		return 0, nil
	}
	if err = tx.QueryRow(ctx, counted+`e.account_id = $1 LIMIT $2) w`, r.AccountID, s.mostWaiting).Scan(&waiting); err != nil {
		return 0, fmt.Errorf("count what waits at an account's endpoints: %w", err)
	}
	if int64(waiting) >= s.mostWaiting {
		return waiting, nil
	}
	return 0, nil
}

// countReplay counts the events of a replay, up to replayCounted.
func (s Replays) countReplay(ctx context.Context, tx pgx.Tx, r *replayRow, config string, last id.UUID) error {
	var looked, total int64
	err := tx.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE w.wanted) FROM (
			SELECT `+wantedSQL+` AS wanted FROM webhook_event v, webhook_replay r
			WHERE r.endpoint_id = $1 AND r.state = 'RUNNING' AND v.account_id = $7 AND v.id > $4 AND v.id < $5 LIMIT $6) w`,
		r.EndpointID, delivery.NoticeTypes(), config, r.Cursor, last, replayCounted+1, r.AccountID).Scan(&looked, &total)
	if err != nil {
		return fmt.Errorf("count events: %w", err)
	}
	r.Counted = true
	if looked <= replayCounted {
		r.Total = &total
	}
	return nil
}

// sendAgain creates deliveries of events to the endpoint, or reopens those that have ended. It
// leaves open deliveries alone: they are sent anyway.
func (s Replays) sendAgain(ctx context.Context, tx pgx.Tx, r *replayRow, events []id.UUID, notices map[id.UUID]bool, after *db.AfterCommit) error {
	if _, err := LockHealth(ctx, tx, r.EndpointID); err != nil {
		return err
	}
	var deleted bool // the endpoint was deleted meanwhile
	if err := tx.QueryRow(ctx, `SELECT deleted_at IS NOT NULL FROM webhook_endpoint WHERE id = $1`, r.EndpointID).Scan(&deleted); err != nil {
		return fmt.Errorf("find an endpoint: %w", err)
	}
	if deleted {
		r.State, r.Done = domain.ReplayCanceled, r.Done-int64(len(events))
		return nil
	}
	rows, err := db.Many[Row](ctx, tx, `
		SELECT `+RowColumns+` FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.event_id = ANY ($2) ORDER BY d.id FOR UPDATE`, r.EndpointID, events)
	if err != nil {
		return fmt.Errorf("find deliveries: %w", err)
	}
	c := delivery.Replay()
	known := map[id.UUID]bool{}
	var reopened []id.UUID
	var changed []delivery.Delivery
	for _, row := range rows {
		known[row.EventID] = true
		if slices.Contains(c.From, row.State) {
			reopened, changed = append(reopened, row.ID), append(changed, c.Apply(row.Delivery(), r.At))
		}
	}
	var ids, added []id.UUID
	var ofNotice []bool
	for _, v := range events {
		if !known[v] {
			ids, added, ofNotice = append(ids, id.New()), append(added, v), append(ofNotice, notices[v])
		}
	}
	batch := &pgx.Batch{}
	if len(reopened) > 0 {
		Save(batch, reopened, changed, r.At)
		batch.Queue(`UPDATE webhook_delivery SET replay = true WHERE id = ANY ($1)`, reopened)
	}
	batch.Queue(`
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, next_attempt_at, created_at, updated_at)
		SELECT u.id, $4, u.event, $5, u.of_notice, true, 'PENDING', $6, $6, $6
		FROM unnest($1::uuid[], $2::uuid[], $3::boolean[]) AS u (id, event, of_notice)`, ids, added, ofNotice, r.AccountID, r.EndpointID, r.At)
	MakeReady(batch, r.EndpointID)
	WakeRunsNow(batch, s.db.Moment(), r.EndpointID)
	s.outbox().NotifyAfter(after)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return errors.Join(errors.New("write deliveries"), err)
	}
	return nil
}
