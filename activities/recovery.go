package activities

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/postgres"
)

// RecoverStep is the input of RecoverSome.
type RecoverStep struct {
	Run      postgres.Run `json:"run"`
	Part     int          `json:"part"`
	ConfigID string       `json:"config_id"`
	Since    string       `json:"since"`
}

// RecoverSome lets the next FAILED deliveries of an endpoint go again; a second
// time for the same part of the same run it answers what the first one did.
func (a *Activities) RecoverSome(ctx context.Context, in RecoverStep) (postgres.Recovered, error) {
	since, err := time.Parse(time.RFC3339, in.Since)
	if err != nil {
		return postgres.Recovered{}, fmt.Errorf("read since: %w", err)
	}
	part := in.Run
	part.ID = fmt.Sprintf("%s/%d", in.Run.ID, in.Part)
	part.Call.IdempotencyKey = "" // the whole has an outcome, its parts have none
	some, err := a.store.RecoverSome(ctx, part, in.ConfigID, since)
	return some, asFailure(err)
}

// KeepRecovered is the input of the activity of the same name.
type KeepRecovered struct {
	Run       postgres.Run       `json:"run"`
	Recovered postgres.Recovered `json:"recovered"`
}

// KeepRecovered keeps the count for whoever repeats the request.
func (a *Activities) KeepRecovered(ctx context.Context, in KeepRecovered) (postgres.Recovered, error) {
	kept, err := a.store.KeepRecovered(ctx, in.Run, in.Recovered)
	return kept, asFailure(err)
}
