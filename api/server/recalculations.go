package server

import (
	"context"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
)

type recalculationStartRequest struct {
	AccountRequest
	OnlyStale *bool `json:"only_stale,omitempty" nullable:"false" doc:"Only workflows whose documents are stale, or were calculated on an earlier day in the account's time zone by rules that count days; true when left out. With false, all that have not ended."`
}

// RecalculationRequest names a recalculation.
type RecalculationRequest struct {
	RunID id.RecalculationID `json:"run_id"`
}

func recalculationStart(ctx context.Context, r *store.Records, in *recalculationStartRequest) (RecalculationRequest, error) {
	run, err := r.Recalculations.Start(ctx, in.AccountID, in.OnlyStale == nil || *in.OnlyStale)
	return RecalculationRequest{run}, err
}

type recalculationData struct {
	State        domain.RecalculationState `json:"state"`
	Total        *int64                    `json:"total,omitempty" doc:"How many workflows it calculates. Absent until they are counted, and while they are among more than 100,000."`
	Done         int64                     `json:"done" doc:"The sum of the four that follow."`
	Changed      int64                     `json:"changed" doc:"Workflows with other documents or findings than before, or whose documents or findings differ in more than reasons."`
	Unchanged    int64                     `json:"unchanged" doc:"Workflows where at most reasons have changed."`
	WithGaps     int64                     `json:"with_gaps" doc:"Workflows that lack facts. Their documents stay as they were."`
	NotEvaluable int64                     `json:"not_evaluable" doc:"Workflows that could not be calculated for another reason, for example because a rule has no result for their facts. Their documents stay as they were."`
	StartedAt    wire.DateTime             `json:"started_at"`
	EndedAt      *wire.DateTime            `json:"ended_at,omitempty"`
}

func recalculationGet(ctx context.Context, r *store.Records, in *RecalculationRequest) (recalculationData, error) {
	found, err := r.Recalculations.Get(ctx, in.RunID)
	return recalculationData{
		found.State, found.Total, found.Done(),
		found.Changed, found.Unchanged, found.WithGaps, found.NotEvaluable,
		wire.DateTime(found.StartedAt), (*wire.DateTime)(found.EndedAt),
	}, err
}

func recalculationCancel(ctx context.Context, r *store.Records, in *RecalculationRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Recalculations.Cancel(ctx, in.RunID)
}
