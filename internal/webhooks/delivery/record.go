package delivery

import (
	"time"

	"requisite/internal/id"
)

// Record is a delivery of one event to one endpoint, in a list.
type Record struct {
	ID            id.UUID
	AccountID     id.UUID
	EventID       id.UUID
	EventType     string
	EndpointID    id.UUID
	State         State
	AttemptCount  int
	NextAttemptAt *time.Time
	LastError     *string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// WireID is the delivery's id in the API.
func (d Record) WireID() id.WebhookDeliveryID { return id.WebhookDeliveryID{UUID: d.ID} }

// NextAfter is the time of the next attempt if that lies after now. It is nil if the
// delivery is due or not open. A due delivery may wait for a long time, for example
// for a failing endpoint.
func (d Record) NextAfter(now time.Time) *time.Time {
	if d.NextAttemptAt == nil || !d.NextAttemptAt.After(now) {
		return nil
	}
	return d.NextAttemptAt
}

// LoggedAttempt is one entry of a delivery's log.
type LoggedAttempt struct {
	Number       int
	Outcome      AttemptOutcome
	KeyID        string
	StartedAt    time.Time
	DurationMs   *int
	StatusCode   *int
	Error        *string
	ResponseBody *string
	Address      *string
	WorkflowID   string // of the Temporal run that made it
	RunID        string
}

// Filter filters a list of deliveries; zero fields match everything.
type Filter struct {
	ConfigID id.WebhookConfigID
	EventID  id.WebhookEventID
	State    State
	// Undelivered matches the states that the function Undelivered lists.
	Undelivered bool
	Since       time.Time // of their creation
	Until       time.Time
}
