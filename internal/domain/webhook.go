package domain

import (
	"time"

	"github.com/google/uuid"

	"requisite/internal/delivery"
	"requisite/internal/id"
)

// Delivery is what one event owes one endpoint.
type Delivery struct {
	ID            uuid.UUID
	AccountID     uuid.UUID
	EventID       uuid.UUID
	EventType     string
	EndpointID    uuid.UUID
	State         delivery.State
	AttemptCount  int
	NextAttemptAt *time.Time
	LastError     *string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// WireID is the delivery's id on the wire.
func (d Delivery) WireID() string { return id.Format(id.WebhookDelivery, d.ID) }

// NextAfter is the time of the next attempt when that lies after now; nil while
// the delivery is due, and when it is not open. What is due may wait for long: for
// an endpoint that fails, say.
func (d Delivery) NextAfter(now time.Time) *time.Time {
	if d.NextAttemptAt == nil || !d.NextAttemptAt.After(now) {
		return nil
	}
	return d.NextAttemptAt
}

// LoggedAttempt is one line of a delivery's log.
type LoggedAttempt struct {
	Number       int
	Outcome      delivery.Outcome
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

// DeliveryFilter narrows a list; zero fields do not.
type DeliveryFilter struct {
	ConfigID string
	EventID  string
	State    delivery.State
	Since    time.Time // of their making
	Until    time.Time
}

// Released counts deliveries that go out again, or at once.
type Released struct {
	Count int `json:"count"`
}

// BegunFlush is how a flush began: what is PENDING, and when that was, by the
// database's clock, by which deliveries are written, too.
type BegunFlush struct {
	Released
	At time.Time `json:"at"`
}

// Maker is the Temporal run that makes attempts, and which of its activities;
// ActivityID is empty for a local one.
type Maker struct{ WorkflowID, RunID, ActivityID string }

// EndpointStatus is whether an endpoint is sent to.
type EndpointStatus string

// A disabled endpoint holds its deliveries until it is enabled.
const (
	EndpointActive   EndpointStatus = "ACTIVE"
	EndpointDisabled EndpointStatus = "DISABLED"
)

// Endpoint is where an account's webhooks go. The wire calls it a config.
type Endpoint struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	URL       string
	// URLKey is the spelling by which two URLs are the same.
	URLKey string
	// EventTypes are those that it takes; nil takes all.
	EventTypes     []string
	Description    *string
	Status         EndpointStatus
	DisabledReason *string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// WireID is the endpoint's id on the wire.
func (e Endpoint) WireID() string { return id.Format(id.WebhookConfig, e.ID) }

// EndpointHealth is how an endpoint does, for its owner.
type EndpointHealth struct {
	Failing      bool
	FailingSince *time.Time
	LastError    *string
	NextLook     *time.Time // when what has failed is tried next
	Waiting      int        // PENDING, counted up to postgres.WaitingCounted
	Retrying     int        // the same of RETRYING
}

// EventType names what happened, as webhooks spell it.
type EventType string

// The events that are written with the data they tell of.
const (
	WorkflowCreated             EventType = "WORKFLOW_CREATED"
	WorkflowStarted             EventType = "WORKFLOW_STARTED"
	WorkflowCompleted           EventType = "WORKFLOW_COMPLETED"
	WorkflowPricingCalculated   EventType = "WORKFLOW_PRICING_CALCULATED"
	RequiredDocumentsCalculated EventType = "REQUIRED_DOCUMENTS_CALCULATED"
	RequiredDocumentUpdated     EventType = "REQUIRED_DOCUMENT_UPDATED"
	WebhookKeyActivated         EventType = "WEBHOOK_KEY_ACTIVATED"
	WebhookTest                 EventType = "WEBHOOK_TEST"
)

// EventTypes lists all of them.
func EventTypes() []EventType {
	return []EventType{
		WorkflowCreated, WorkflowStarted, WorkflowCompleted, WorkflowPricingCalculated, RequiredDocumentsCalculated, RequiredDocumentUpdated,
		WebhookKeyActivated, WebhookTest,
	}
}

// OutboxEvent is an event as it is listed.
type OutboxEvent struct {
	ID         uuid.UUID
	EventType  EventType
	OccurredAt time.Time
	WorkflowID uuid.NullUUID
}

// KeyStatus is where a webhook key stands.
type KeyStatus string

// A key goes INACTIVE, ACTIVE, DELETED, and never back. An account has at most
// one that is ACTIVE.
const (
	KeyInactive KeyStatus = "INACTIVE"
	KeyActive   KeyStatus = "ACTIVE"
	KeyDeleted  KeyStatus = "DELETED"
)

// WebhookKey is a key without its secret.
type WebhookKey struct {
	AccountID   uuid.UUID
	KeyID       string
	Status      KeyStatus
	CreatedAt   time.Time
	ActivatedAt *time.Time
	DeletedAt   *time.Time
}

// CreatedKey is what a run that creates a key answers; it never holds the
// secret.
type CreatedKey struct {
	KeyID     string    `json:"key_id"`
	Status    KeyStatus `json:"status"`
	CreatedAt time.Time `json:"created_at"`
}

// ActivatedKey is what a run that activates a key answers.
type ActivatedKey struct {
	KeyID       string    `json:"key_id"`
	Status      KeyStatus `json:"status"`
	ActivatedAt time.Time `json:"activated_at"`
}
