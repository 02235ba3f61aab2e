package domain

import (
	"time"

	"requisite/internal/id"
)

// RecalculationSetting says when the service recalculates an account by itself.
type RecalculationSetting string

// The settings.
const (
	RecalculationManual  RecalculationSetting = "MANUAL"
	RecalculationOnForce RecalculationSetting = "ON_FORCE" // when rules come into force
	RecalculationDaily   RecalculationSetting = "DAILY"    // on each day in the account's time zone
)

// RecalculationSettings lists all of them.
func RecalculationSettings() []RecalculationSetting {
	return []RecalculationSetting{RecalculationManual, RecalculationOnForce, RecalculationDaily}
}

// RecalculationState is the state of a recalculation.
type RecalculationState string

// The states of a recalculation.
const (
	RecalculationRunning  RecalculationState = Running
	RecalculationDone     RecalculationState = "DONE"
	RecalculationCanceled RecalculationState = "CANCELED"
)

// RecalculationStates lists all of them.
func RecalculationStates() []RecalculationState {
	return []RecalculationState{RecalculationRunning, RecalculationDone, RecalculationCanceled}
}

// RecalculationCounts counts the recalculated workflows by result.
type RecalculationCounts struct {
	Changed      int64 `json:"changed"` // their documents or findings
	Unchanged    int64 `json:"unchanged"`
	WithGaps     int64 `json:"with_gaps"`
	NotEvaluable int64 `json:"not_evaluable"`
}

// Done returns how many workflows are done.
func (c RecalculationCounts) Done() int64 {
	return c.Changed + c.Unchanged + c.WithGaps + c.NotEvaluable
}

// Plus adds counts.
func (c RecalculationCounts) Plus(d RecalculationCounts) RecalculationCounts {
	return RecalculationCounts{c.Changed + d.Changed, c.Unchanged + d.Unchanged, c.WithGaps + d.WithGaps, c.NotEvaluable + d.NotEvaluable}
}

// Recalculation is a recalculation of an account.
type Recalculation struct {
	ID        id.UUID
	AccountID id.UUID
	RecalculationProgress
	OnlyStale bool
	StartedAt time.Time
	EndedAt   *time.Time
}

// WireID is the recalculation's id in the API.
func (r Recalculation) WireID() id.RecalculationID { return id.RecalculationID{UUID: r.ID} }

// RecalculationProgress is how far a recalculation is.
type RecalculationProgress struct {
	State RecalculationState `json:"state"`
	// Total is nil before the workflows are counted, and while there are too many to count.
	Total *int64 `json:"total,omitempty"`
	RecalculationCounts
}
