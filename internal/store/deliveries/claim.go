package deliveries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/wire"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// Attempt is an attempt that is logged as SENDING and about to be made.
type Attempt struct {
	delivery.Attempt
	DeliveryID id.UUID
	EndpointID id.UUID
	AccountID  id.UUID
	// Organization owns the endpoint. It is used only to count attempts by organization.
	Organization string
	URL          string
	Traceparent  string
	Event        webhook.Event
	Key          webhook.Key
	// ClaimedAt is the time by this process's clock. BeginWithin counts from it.
	ClaimedAt time.Time
	// SendableAt is when the first attempt could have been made: after the delivery was released,
	// after the endpoint stopped failing, and after its Retry-After. It is zero for later attempts,
	// and for any attempt at an endpoint that fails or has limits of its own.
	SendableAt time.Time

	// Broken is why this attempt cannot be sent: the key's secret cannot be decrypted, or the event
	// cannot be read. It does not affect other attempts.
	Broken error

	unwell bool // the endpoint's health has marks of failures: ending the attempt must update it
}

// Claimed is the result of a claim.
type Claimed struct {
	Attempts []Attempt
	// More reports that there may be more to claim now.
	More bool
	// OpensIn is how soon an endpoint's own rate allows an attempt again. It is zero when no rate
	// delays the claim.
	OpensIn time.Duration
}

// Claims finds the endpoints to which something is due, and begins attempts.
type Claims struct{ *base }

func (b *base) claims() Claims { return Claims{b} }

// Claim claims first attempts for a session at ready endpoints, and logs them as SENDING in one
// transaction. It takes the oldest deliveries of each endpoint, at most slots[i] of the endpoint
// with index i. Concurrent claims get different deliveries: a claim skips rows that another
// transaction has locked.
func (s Claims) Claim(ctx context.Context, by domain.CreatedBy, ready Ready, slots []int) (Claimed, error) {
	claimedAt := time.Now()
	var endpoints []id.UUID
	var wanted []int
	for i, n := range slots {
		if n > 0 {
			endpoints, wanted = append(endpoints, ready.ids[i]), append(wanted, n)
		}
	}
	if len(endpoints) == 0 {
		return Claimed{OpensIn: ready.opensIn}, nil
	}
	var claimed Claimed
	err := s.db.InPlannedTx(ctx, func(tx pgx.Tx) error {
		claimed = Claimed{OpensIn: ready.opensIn, More: ready.more || len(endpoints) < len(ready.ids)}
		locked, err := db.Many[struct {
			limitsRow
			EndpointID id.UUID
			Slots      int
			At         time.Time
		}](ctx, tx, `
			SELECT h.endpoint_id, w.slots, m.at, `+limitsColumns+` FROM (SELECT `+db.MomentSQL+` AS at) m, unnest($2::uuid[], $3::int[]) AS w (endpoint_id, slots)
			JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			FOR UPDATE OF h SKIP LOCKED`, s.db.Moment(), endpoints, wanted)
		if err != nil || len(locked) == 0 {
			return err
		}
		mine, most, inFlight := make([]id.UUID, len(locked)), make([]int, len(locked)), make([]int, len(locked))
		for i, l := range locked {
			limits := l.limits()
			mine[i], most[i], inFlight[i] = l.EndpointID, min(l.Slots, limits.Room(0, l.At)), limits.MostInFlight()
		}
		// Now that the locks are held, the attempts in flight are counted again.
		claimed.Attempts, err = s.logPicked(ctx, tx, locked[0].At, by, false, `
			SELECT d.*
			FROM unnest($6::uuid[], $7::int[], $9::int[]) AS w (endpoint_id, slots, in_flight)
				JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id,
				LATERAL (
				SELECT d.* FROM webhook_delivery d
				WHERE d.endpoint_id = h.endpoint_id
					AND h.failures < $8
					AND coalesce(`+retryAfterSQL(`$1::timestamptz`)+` <= $1, true)
					AND d.state = 'PENDING'
					AND d.retry_requested_at IS NULL
					AND `+IdleSQL+`
				ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, least(w.slots, w.in_flight - `+inFlightSQL(`$1::timestamptz`)+`)) FOR UPDATE SKIP LOCKED) AS d`,
			mine, most, delivery.FailingAfter, inFlight)
		if err != nil {
			return err
		}
		given := map[id.UUID]int{}
		for _, a := range claimed.Attempts {
			given[a.EndpointID]++
		}
		var turns, paced []id.UUID
		var at, opens []time.Time
		for i, l := range locked {
			e := l.EndpointID
			left := l.limits().Begun(given[e], l.At)
			next := left.Opens(l.At)
			switch {
			case next.After(l.At): // there may be more to claim, but later
				claimed.OpensIn = sooner(claimed.OpensIn, next.Sub(l.At))
			case given[e] == most[i]:
				claimed.More = true
			}
			if given[e] > 0 || next.After(l.At) {
				turns, at = append(turns, e), append(at, next)
			}
			if left.PerSecond > 0 {
				paced, opens = append(paced, e), append(opens, left.OpensAt)
			}
		}
		batch := &pgx.Batch{}
		queueTurns(batch, turns, at)
		savePace(batch, paced, opens)
		return db.CommitWith(ctx, tx, batch)
	})
	if err != nil {
		return Claimed{}, err // an attempt that is not logged must not be sent
	}
	for i := range claimed.Attempts {
		claimed.Attempts[i].ClaimedAt = claimedAt
	}
	return claimed, nil
}

// sooner is the shorter of two waits. Zero means no wait.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// savePace saves when the endpoints' own rates allow the next attempt. The caller has locked the
// endpoints' health.
func savePace(batch *pgx.Batch, endpoints []id.UUID, opens []time.Time) {
	if len(endpoints) > 0 {
		batch.Queue(`
			UPDATE webhook_endpoint_health h SET opens_at = u.opens FROM unnest($1::uuid[], $2::timestamptz[]) AS u (endpoint_id, opens)
			WHERE h.endpoint_id = u.endpoint_id`, endpoints, opens)
	}
}

// logPicked logs an attempt for each delivery that a query selects and locks, and reads what is
// needed to send it. The arguments of the query begin at $6. The caller has locked the endpoints'
// health.
func (s Claims) logPicked(ctx context.Context, tx pgx.Tx, at time.Time, by domain.CreatedBy, probe bool, pick string, args ...any) ([]Attempt, error) {
	type row struct {
		ID           id.UUID
		AccountID    id.UUID
		Organization string
		Environment  domain.Environment
		EndpointID   id.UUID
		AttemptCount int
		DueAt        time.Time
		URL          string
		EventID      id.UUID
		EventType    string
		OccurredAt   time.Time
		WorkflowID   id.NullUUID
		Sequence     int64
		UserID       string
		UserType     string
		Fields       []byte
		Traceparent  string
		KeyID        string
		SecretSealed []byte
		Failures     int
		OpenSince    *time.Time // when the endpoint last stopped failing, or its Retry-After ended
		Epoch        int
		Watched      bool // a success, too, changes the endpoint's health
		Limited      bool // the endpoint has limits of its own
		Replay       bool
		AsAsked      bool
	}
	rows, err := db.Many[row](ctx, tx, `
		WITH picked AS MATERIALIZED (`+pick+`),
		sent AS MATERIALIZED (
			SELECT d.id, d.replay,
				v.failing_attempts > d.attempt_count AS as_asked,
				d.account_id, c.organization_id::text AS organization, c.environment,
				d.endpoint_id, d.attempt_count, greatest(d.next_attempt_at, h.released_at) AS due_at,
				e.url,
				v.id AS event_id, v.event_type, v.occurred_at,
				v.workflow_id,
				CASE WHEN v.test THEN coalesce((v.fields->>'sequence')::bigint, 0) ELSE v.sequence END AS sequence,
				v.user_id, v.user_type, v.fields, v.traceparent,
				k.key_id, k.secret_sealed,
				h.failures, greatest(h.recovered_at, `+retryAfterSQL(`$1::timestamptz`)+`) AS open_since,
				h.epoch, h.slow OR h.notified IS NOT NULL AS watched,
				e.rate_per_second IS NOT NULL OR e.concurrency IS NOT NULL AS limited
			FROM picked d JOIN webhook_event v ON v.id = d.event_id JOIN webhook_endpoint e ON e.id = d.endpoint_id
			JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id JOIN account c ON c.id = d.account_id
			JOIN webhook_key k ON k.account_id = d.account_id AND k.status = 'ACTIVE'
			WHERE e.status = 'ACTIVE' AND e.deleted_at IS NULL),
		logged AS (
			INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
			SELECT id, attempt_count + 1, endpoint_id, 'SENDING', key_id, $1, $2, epoch, $3, $4, $5 FROM sent)
		SELECT * FROM sent ORDER BY id`, append([]any{at, probe, by.WorkflowID, by.RunID, by.ActivityID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", err)
	}
	type opened struct {
		secret []byte
		err    error
	}
	secrets := map[id.UUID]opened{} // by account: each has one active key
	attempts := make([]Attempt, len(rows))
	for i, r := range rows {
		key, known := secrets[r.AccountID]
		if !known {
			if key.secret, key.err = s.vault.Open(r.SecretSealed, KeyBinding(r.AccountID, r.KeyID)); key.err != nil {
				key.err = fmt.Errorf("secret of webhook key %s: %w", r.KeyID, key.err)
			}
			secrets[r.AccountID] = key
		}
		payload, err := EventPayload(r.WorkflowID, r.Sequence, r.UserID, r.UserType, r.Fields)
		h := delivery.Health{Failures: r.Failures}
		attempts[i] = Attempt{
			Attempt:    delivery.Attempt{Number: r.AttemptCount + 1, StartedAt: at, Probe: probe, Epoch: r.Epoch, Outcome: delivery.AttemptSending, AsAsked: r.AsAsked},
			DeliveryID: r.ID, EndpointID: r.EndpointID, AccountID: r.AccountID, Organization: r.Organization, URL: r.URL, Traceparent: r.Traceparent,
			Event: webhook.Event{
				ID: id.Format(id.WebhookEvent, r.EventID), Type: r.EventType, Timestamp: wire.DateTime(r.OccurredAt),
				AccountID: id.Format(r.Environment.Prefix(), r.AccountID), Sequence: r.Sequence, Replay: r.Replay, Payload: payload,
			},
			Key:    webhook.Key{ID: r.KeyID, Secret: key.secret},
			Broken: errors.Join(key.err, err),
			unwell: r.Failures > 0 || r.Watched,
		}
		if r.AttemptCount == 0 && !h.Failing() && !r.Limited {
			attempts[i].SendableAt = r.DueAt
			if r.OpenSince != nil && r.OpenSince.After(r.DueAt) {
				attempts[i].SendableAt = *r.OpenSince
			}
		}
	}
	return attempts, nil
}

// EventPayload is the content of an event that receivers decrypt. A test event names its workflow
// and sequence in fields.
func EventPayload(workflow id.NullUUID, sequence int64, userID, userType string, fields []byte) ([]byte, error) {
	workflowID := ""
	if workflow.Valid {
		workflowID = id.Format(id.Workflow, workflow.UUID)
	}
	return webhook.Payload(workflowID, sequence, userID, userType, fields)
}

// KeyBinding ties the sealed secret of a webhook key to its row.
func KeyBinding(accountID id.UUID, keyID string) string {
	return fmt.Sprintf("webhook_key/%s/%s", accountID, keyID)
}
