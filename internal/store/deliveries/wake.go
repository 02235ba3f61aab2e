package deliveries

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Trouble is an endpoint whose run must be started or woken.
type Trouble struct {
	Endpoint   id.UUID
	EndpointID string // wire ids
	AccountID  string
	Host       string
	EventTypes []string // of the first deliveries that wait for a retry
}

// troubleTypes is how many of an endpoint's deliveries are read for their event types.
const troubleTypes = 50

// wakeLease is how long a worker has to wake a run before another worker tries. The run saves when
// it has looked.
const wakeLease = 30 * time.Second

// Runs says which endpoints in trouble need a run, wakes the runs, and changes what they wait for.
type Runs struct{ *base }

// ToWake leases up to most endpoints whose run must look to the caller. It returns those that
// have a run or need one. An endpoint that was disabled meanwhile, or has nothing to retry, needs
// none.
func (s Runs) ToWake(ctx context.Context, most int) (list []Trouble, err error) {
	err = s.db.InPlannedTx(ctx, func(tx pgx.Tx) error {
		locked, err := db.Column[id.UUID](ctx, tx, `
			SELECT h.endpoint_id FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_endpoint_health h WHERE h.wake_at IS NOT NULL AND coalesce(h.wake_lease < m.at, true)
			ORDER BY h.wake_at LIMIT $2 FOR UPDATE OF h SKIP LOCKED`, s.db.Moment(), most)
		if err != nil {
			return fmt.Errorf("find endpoints in trouble: %w", err)
		}
		if len(locked) == 0 {
			return nil
		}
		list, err = troubles(ctx, tx, `
			needed AS (
				SELECT h.endpoint_id, h.looks_at IS NOT NULL OR `+SendableSQL+` AND (h.failures >= $4
					OR (SELECT true FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state = 'RETRYING' LIMIT 1) IS NOT NULL
					OR (SELECT true FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.retry_requested_at IS NOT NULL LIMIT 1) IS NOT NULL) AS is
				FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id WHERE h.endpoint_id = ANY ($2)),
			taken AS (
				UPDATE webhook_endpoint_health h SET wake_at = CASE WHEN needed.is THEN h.wake_at END,
					wake_lease = CASE WHEN needed.is THEN `+db.MomentSQL+` + make_interval(secs => $3) END
				FROM needed WHERE needed.endpoint_id = h.endpoint_id
				RETURNING h.endpoint_id, needed.is),
			which AS (SELECT endpoint_id FROM taken WHERE taken.is)`, s.db.Moment(), locked, wakeLease.Seconds(), delivery.FailingAfter)
		return err
	})
	return list, err
}

// OrganizationOf returns the owner of an endpoint, in the form of Attempt.Organization.
func (s Runs) OrganizationOf(ctx context.Context, endpoint id.UUID) (organization string, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT a.organization_id::text
		FROM webhook_endpoint e JOIN account a ON a.id = e.account_id
		WHERE e.id = $1`,
		endpoint).Scan(&organization)
	if err != nil {
		return "", fmt.Errorf("read whose an endpoint is: %w", err)
	}
	return organization, nil
}

// InTrouble lists the endpoints that should have a run open.
func (s Runs) InTrouble(ctx context.Context) (list []Trouble, err error) {
	err = s.db.InPlannedTx(ctx, func(tx pgx.Tx) (err error) {
		list, err = troubles(ctx, tx, `which AS (SELECT endpoint_id FROM webhook_endpoint_health WHERE looks_at IS NOT NULL)`)
		return err
	})
	return list, err
}

func troubles(ctx context.Context, tx pgx.Tx, which string, args ...any) ([]Trouble, error) {
	type row struct {
		ID          id.UUID
		AccountID   id.UUID
		Environment domain.Environment
		URL         string
		EventTypes  []string
	}
	rows, err := db.Many[row](ctx, tx, `
		WITH `+which+`
		SELECT e.id, e.account_id, a.environment, e.url,
			ARRAY(SELECT DISTINCT w.event_type FROM (
				SELECT v.event_type FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
				WHERE d.endpoint_id = e.id AND d.state = 'RETRYING' ORDER BY d.next_attempt_at LIMIT `+strconv.Itoa(troubleTypes)+`) w ORDER BY 1) AS event_types
		FROM which JOIN webhook_endpoint e ON e.id = which.endpoint_id JOIN account a ON a.id = e.account_id`, args...)
	if err != nil {
		return nil, fmt.Errorf("find endpoints in trouble: %w", err)
	}
	list := make([]Trouble, len(rows))
	for i, r := range rows {
		list[i] = Trouble{r.ID, id.Format(id.WebhookConfig, r.ID), id.Format(r.Environment.Prefix(), r.AccountID), Host(r.URL), r.EventTypes}
	}
	return list, nil
}

// Wake asks the runs of the endpoints to look now. An endpoint whose health is locked is left
// to the next call.
func (s Runs) Wake(ctx context.Context, endpoints []id.UUID) error {
	_, err := s.db.Exec(ctx, `
		WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_endpoint_health WHERE endpoint_id = ANY ($2) FOR UPDATE SKIP LOCKED)
		UPDATE webhook_endpoint_health h SET wake_at = `+db.MomentSQL+`, wake_lease = NULL, looks_at = NULL FROM mine WHERE h.endpoint_id = mine.endpoint_id`,
		s.db.Moment(), endpoints)
	if err != nil {
		return fmt.Errorf("wake endpoints' runs: %w", err)
	}
	s.notifier.due()
	return nil
}

// askBatch limits how many deliveries one statement changes.
const askBatch = 1000

// RetryEndpointNow requests an attempt at all of an endpoint's RETRYING deliveries, whatever its
// health. It skips locked rows. An attempt in flight does not satisfy the request, because it may
// be lost: the delivery is attempted once more after it.
func (s Runs) RetryEndpointNow(ctx context.Context, endpoint id.UUID) error {
	c := delivery.RetryRetrying()
	var since time.Time
	if err := s.db.QueryRow(ctx, `SELECT `+db.MomentSQL, s.db.Moment()).Scan(&since); err != nil {
		return fmt.Errorf("%s deliveries: %w", c.Name, err)
	}
	for {
		tag, err := s.db.Exec(ctx, `
			UPDATE webhook_delivery SET `+ChangeSQL(c)+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = $2
					AND `+FromSQL(c)+`
					AND coalesce(d.retry_requested_at < $4, true)
				LIMIT $3 FOR UPDATE SKIP LOCKED)`,
			s.db.Moment(), endpoint, askBatch, since)
		if err != nil {
			return fmt.Errorf("%s deliveries: %w", c.Name, err)
		}
		if tag.RowsAffected() < askBatch {
			return nil
		}
	}
}

// GiveUp fails an endpoint's RETRYING deliveries because its run was canceled, and counts them.
// Their deliveries can still be recovered.
func (s Runs) GiveUp(ctx context.Context, endpoint id.UUID) (total int64, err error) {
	for more := true; more; {
		n, err := s.giveUpSome(ctx, endpoint)
		if err != nil {
			return total, err
		}
		total += n
		more = n == giveUpBatch
	}
	// This run no longer looks. Deliveries without any attempt at a failing endpoint wait for
	// another run.
	_, err = s.db.Exec(ctx, `
		UPDATE webhook_endpoint_health h SET looks_at = NULL, wake_lease = NULL, wake_at = CASE
			WHEN h.failures >= $3 AND EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state = 'PENDING') THEN `+db.MomentSQL+` END
		WHERE h.endpoint_id = $2`, s.db.Moment(), endpoint, delivery.FailingAfter)
	if err != nil {
		return total, fmt.Errorf("note that an endpoint's run has ended: %w", err)
	}
	// The next run or session takes deliveries that are written from now on.
	if _, err := s.db.Exec(ctx, `UPDATE webhook_ready SET session_at = '-infinity' WHERE endpoint_id = $1 AND session_at = 'infinity'`, endpoint); err != nil {
		return total, fmt.Errorf("note that an endpoint's run has ended: %w", err)
	}
	s.notifier.due()
	return total, nil
}

// giveUpBatch limits how many deliveries one transaction fails, each with a notice.
const giveUpBatch = 500

func (s Runs) giveUpSome(ctx context.Context, endpoint id.UUID) (n int64, err error) {
	var after db.AfterCommit
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		after = db.AfterCommit{}
		var account id.UUID
		if err := tx.QueryRow(ctx, `SELECT account_id FROM webhook_endpoint WHERE id = $1`, endpoint).Scan(&account); err != nil {
			return err
		}
		if _, err := LockHealth(ctx, tx, endpoint); err != nil {
			return err
		}
		var at time.Time
		if err := tx.QueryRow(ctx, `SELECT `+db.MomentSQL, s.db.Moment()).Scan(&at); err != nil {
			return err
		}
		rows, err := db.Many[Row](ctx, tx, `
			SELECT `+RowColumns+` FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
			WHERE d.endpoint_id = $1 AND e.deleted_at IS NULL AND d.state = 'RETRYING'
			ORDER BY d.id LIMIT $2 FOR UPDATE OF d SKIP LOCKED`, endpoint, giveUpBatch)
		if err != nil {
			return err
		}
		n = int64(len(rows))
		s.outbox().CountAfter(&after, delivery.Failed, n)
		c := delivery.GiveUpRetrying("given up by the operator")
		ids, changed := make([]id.UUID, n), make([]delivery.Delivery, n)
		var notices []Notice
		for i, row := range rows {
			ids[i], changed[i] = row.ID, c.Apply(row.Delivery(), at)
			notices = append(notices, NoticesOf(delivery.FailedNotice(row.Delivery(), changed[i]), endpoint, "", "", row, changed[i])...)
		}
		batch := &pgx.Batch{}
		Save(batch, ids, changed, at)
		if err := s.outbox().queueNotices(batch, &after, at, account, notices); err != nil {
			return err
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return 0, fmt.Errorf("give up deliveries: %w", err)
	}
	after.Run(ctx)
	return n, nil
}
