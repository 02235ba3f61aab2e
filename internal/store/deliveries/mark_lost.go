package deliveries

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// MarkAttemptsLost declares attempts of one account lost when nobody will write their outcome. The
// outcome becomes UNKNOWN: the request may have arrived. The deliveries continue on schedule. It
// waits for locks as EndAttempts does.
func (s Ends) MarkAttemptsLost(ctx context.Context, attempts []Attempt) error {
	decide := func(_ int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After {
		return delivery.Lose(d, h, a, at, rand.Float64())
	}
	_, err := s.end(ctx, attempts, losing, decide, func(batch *pgx.Batch, found decided, _ lockedForEnd) {
		numbers := make([]int, len(found.order))
		for i, k := range found.order {
			numbers[i] = attempts[k].Number
		}
		batch.Queue(`
			UPDATE webhook_attempt a SET outcome = u.outcome FROM unnest($1::uuid[], $2::int[], $3::text[]) AS u (delivery_id, number, outcome)
			WHERE a.delivery_id = u.delivery_id AND a.number = u.number`, found.of, numbers, found.outcomes)
	})
	return err
}

// loseBatch limits how many attempts one statement reads.
const loseBatch = 500

// MarkLost declares lost what a run's activity left unfinished, or all unfinished attempts of the
// run when by names no activity. MarkExpired does so for attempts that are older than any attempt
// can be. Both return how many. If an account's attempts cannot be changed, because of an error or
// a lock, the next call tries them again; the other accounts' attempts are changed.
func (s Ends) MarkLost(ctx context.Context, by domain.CreatedBy) (int, error) {
	return s.lose(ctx, `a.run_id = $1 AND ($2 = '' OR a.activity_id = $2)`, by.RunID, by.ActivityID)
}

// MarkExpired declares old attempts lost; see MarkLost.
func (s Ends) MarkExpired(ctx context.Context) (int, error) {
	return s.lose(ctx, `a.started_at < `+db.MomentSQL+` - make_interval(secs => $2)`, s.db.Moment(), delivery.LostAfter.Seconds())
}

func (s Ends) lose(ctx context.Context, which string, args ...any) (total int, err error) {
	var errs []error
	last, lastStarted := id.Nil, time.Time{}
	for {
		found, err := db.Many[struct {
			DeliveryID id.UUID
			EndpointID id.UUID
			AccountID  id.UUID
			Number     int
			StartedAt  time.Time
			Probe      bool
			Epoch      int
		}](ctx, s.db, `
			SELECT a.delivery_id, a.endpoint_id, e.account_id, a.number, a.started_at, a.probe, a.epoch
			FROM webhook_attempt a
				JOIN webhook_endpoint e ON e.id = a.endpoint_id
			WHERE a.outcome = 'SENDING'
				AND `+which+`
				AND (a.started_at, a.delivery_id) > ($3, $4)
			ORDER BY a.started_at, a.delivery_id
			LIMIT `+fmt.Sprint(loseBatch),
			append(args, lastStarted, last)...)
		if err != nil {
			return total, errors.Join(append(errs, fmt.Errorf("find lost attempts: %w", err))...)
		}
		byAccount := map[id.UUID][]Attempt{}
		for _, f := range found {
			last, lastStarted = f.DeliveryID, f.StartedAt
			byAccount[f.AccountID] = append(byAccount[f.AccountID], Attempt{
				Attempt:    delivery.Attempt{Number: f.Number, StartedAt: f.StartedAt, Probe: f.Probe, Epoch: f.Epoch, Outcome: delivery.AttemptSending},
				DeliveryID: f.DeliveryID, EndpointID: f.EndpointID, AccountID: f.AccountID,
			})
		}
		for _, lost := range byAccount {
			n, err := s.loseEach(ctx, lost)
			total += n
			errs = append(errs, err)
		}
		if len(found) < loseBatch || ctx.Err() != nil {
			return total, errors.Join(errs...)
		}
	}
}

// loseEach declares attempts of one account lost: together, or one by one if that fails, so that
// one failing attempt does not stop the others.
func (s Ends) loseEach(ctx context.Context, lost []Attempt) (n int, err error) {
	err = s.MarkAttemptsLost(ctx, lost)
	if err == nil {
		return len(lost), nil
	}
	if db.Busy(err) { // the next call finds them again
		return 0, nil
	}
	if len(lost) == 1 || db.Unreachable(err) {
		return 0, fmt.Errorf("lose attempts at %s: %w", id.Format(id.WebhookConfig, lost[0].EndpointID), err)
	}
	var errs []error
	for i := range lost {
		some, err := s.loseEach(ctx, lost[i:i+1])
		n += some
		errs = append(errs, err)
	}
	return n, errors.Join(errs...)
}
