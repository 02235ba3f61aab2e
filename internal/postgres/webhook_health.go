package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"requisite/internal/webhook"
)

// healthRow is how an endpoint does. It says when the endpoint may be probed,
// and nothing of when a delivery is due: each keeps its own schedule.
type healthRow struct {
	Failures     int
	FailingSince *time.Time
	ProbeAt      *time.Time
	Probes       int
	RetryAfter   *time.Time
	Epoch        int
	RecoveredAt  *time.Time // when it last ceased to fail
}

func (h healthRow) failing() bool { return h.Failures >= webhook.FailingAfter }

// probeAt is when a failing endpoint may be probed next: at its own pace, and
// not while it has asked to be left alone.
func (h healthRow) probeAt() time.Time {
	var at time.Time
	for _, t := range []*time.Time{h.ProbeAt, h.RetryAfter} {
		if t != nil && t.After(at) {
			at = *t
		}
	}
	return at
}

// sendableAt is when a delivery that is due at a time could go.
func (h healthRow) sendableAt(due *time.Time) time.Time {
	var at time.Time
	for _, t := range []*time.Time{due, h.RecoveredAt} {
		if t != nil && t.After(at) {
			at = *t
		}
	}
	return at
}

// failed counts a failed attempt.
func (h *healthRow) failed(a Attempt, at time.Time, retryAfter time.Duration) {
	h.Failures++
	if h.FailingSince == nil {
		h.FailingSince = &a.StartedAt
	}
	if a.Probe && h.failing() {
		h.Probes++
	}
	if asked := at.Add(retryAfter); retryAfter > 0 && (h.RetryAfter == nil || asked.After(*h.RetryAfter)) {
		h.RetryAfter = &asked
	}
	// Attempts that were on the wire when the endpoint began to fail do not put
	// its probes off.
	if h.failing() && (a.Probe || h.ProbeAt == nil) {
		next := at.Add(webhook.Delay(h.Probes+1, rand.Float64()))
		h.ProbeAt = &next
	}
}

func (r *Records) lockHealth(ctx context.Context, endpointID uuid.UUID) (healthRow, error) {
	h, ok, err := one[healthRow](ctx, r.q, `
		SELECT failures, failing_since, probe_at, probes, retry_after, epoch, recovered_at FROM webhook_endpoint_health WHERE endpoint_id = $1 FOR UPDATE`, endpointID)
	if err == nil && !ok {
		err = errors.New("an endpoint without a health record")
	}
	if err != nil {
		return h, fmt.Errorf("lock an endpoint's health: %w", err)
	}
	return h, nil
}

func (r *Records) saveHealth(ctx context.Context, endpointID uuid.UUID, h healthRow) error {
	_, err := r.q.Exec(ctx, `
		UPDATE webhook_endpoint_health SET failures = $2, failing_since = $3, probe_at = $4, probes = $5, retry_after = $6 WHERE endpoint_id = $1`,
		endpointID, h.Failures, h.FailingSince, h.ProbeAt, h.Probes, h.RetryAfter)
	if err != nil {
		return fmt.Errorf("record an endpoint's failure: %w", err)
	}
	return nil
}

// cleanHealth begins anew at $2; $3 is from how many failures on an endpoint fails.
const cleanHealth = `failures = 0, failing_since = NULL, probe_at = NULL, probes = 0, retry_after = NULL,
	recovered_at = CASE WHEN failures >= $3 THEN $2 ELSE recovered_at END`

// recovered tells that an attempt at the endpoint has succeeded. What its failing
// had put off is due by its own schedule, and may go now.
func (r *Records) recovered(ctx context.Context, a Attempt) error {
	_, err := r.q.Exec(ctx, `UPDATE webhook_endpoint_health SET `+cleanHealth+` WHERE endpoint_id = $1 AND epoch = $4 AND failures > 0`,
		a.EndpointID, r.at, webhook.FailingAfter, a.epoch)
	if err != nil {
		return fmt.Errorf("record an endpoint's success: %w", err)
	}
	return nil
}

// forgetHealth begins anew with an endpoint: what was sent to it before says
// nothing about it any more, however late its end comes.
func (r *Records) forgetHealth(ctx context.Context, endpointID uuid.UUID) error {
	_, err := r.q.Exec(ctx, `UPDATE webhook_endpoint_health SET `+cleanHealth+`, epoch = epoch + 1 WHERE endpoint_id = $1`, endpointID, r.at, webhook.FailingAfter)
	if err != nil {
		return fmt.Errorf("forget an endpoint's failures: %w", err)
	}
	return nil
}
