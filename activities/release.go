package activities

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/webhooks/outbox"
)

// ReleaseStep is the input of RecoverSome.
type ReleaseStep struct {
	Run      domain.Run         `json:"run"`
	Part     int                `json:"part"`
	ConfigID id.WebhookConfigID `json:"config_id"`
	Since    string             `json:"since,omitempty"` // RFC 3339
}

// part is the run of one step. It has its own result, but no outcome for the
// Idempotency-Key: only the whole run has one.
func (in ReleaseStep) part() domain.Run {
	part := in.Run
	part.ID = fmt.Sprintf("%s/%d", in.Run.ID, in.Part)
	part.Call.IdempotencyKey = ""
	return part
}

// RecoverSome reopens the next batch of an endpoint's FAILED deliveries. A second execution
// for the same part of a run returns the result of the first.
func (a *Activities) RecoverSome(ctx context.Context, in ReleaseStep) (outbox.Released, error) {
	since, err := time.Parse(time.RFC3339, in.Since)
	if err != nil {
		return outbox.Released{}, fmt.Errorf("read since: %w", err)
	}
	some, err := a.store.RecoverSome(ctx, in.part(), in.ConfigID, since)
	return some, asFailure(err)
}

// KeepReleased is the input of the activity of the same name.
type KeepReleased struct {
	Run      domain.Run      `json:"run"`
	Released outbox.Released `json:"released"`
}

// KeepReleased stores the count as the outcome of the request.
func (a *Activities) KeepReleased(ctx context.Context, in KeepReleased) (outbox.Released, error) {
	kept, err := a.store.KeepReleased(ctx, in.Run, in.Released)
	return kept, asFailure(err)
}
