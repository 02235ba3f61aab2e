package activities

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
)

// RecoverStep is the input of RecoverSome.
type RecoverStep struct {
	Run      domain.Run         `json:"run"`
	Part     int                `json:"part"`
	ConfigID id.WebhookConfigID `json:"config_id"`
	Since    string             `json:"since,omitempty"` // RFC 3339
}

// part is the run of one step. It has its own result, but no outcome for the
// Idempotency-Key: only the whole run has one.
func (in RecoverStep) part() domain.Run {
	part := in.Run
	part.ID = fmt.Sprintf("%s/%d", in.Run.ID, in.Part)
	part.Call.IdempotencyKey = ""
	return part
}

// RecoverSome reopens the next batch of an endpoint's FAILED deliveries. A second execution
// for the same part of a run returns the result of the first.
func (a *Activities) RecoverSome(ctx context.Context, in RecoverStep) (domain.Recovered, error) {
	since, err := time.Parse(time.RFC3339, in.Since)
	if err != nil {
		return domain.Recovered{}, fmt.Errorf("read since: %w", err)
	}
	some, err := a.store.LongRuns.RecoverSome(ctx, in.part(), in.ConfigID, since)
	return some, asFailure(err)
}

// KeepRecovered is the input of the activity of the same name.
type KeepRecovered struct {
	Run       domain.Run         `json:"run"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	Recovered domain.Recovered   `json:"recovered"`
}

// KeepRecovered stores the count as the outcome of the request.
func (a *Activities) KeepRecovered(ctx context.Context, in KeepRecovered) (domain.Recovered, error) {
	kept, err := a.store.LongRuns.KeepRecovered(ctx, in.Run, in.ConfigID, in.Recovered)
	return kept, asFailure(err)
}
