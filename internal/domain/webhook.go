package domain

import (
	"slices"
	"time"

	"requisite/internal/id"
)

// ReplayState is the state of a replay.
type ReplayState string

// The states of a replay.
const (
	ReplayRunning   ReplayState = Running
	ReplayCompleted ReplayState = "COMPLETED"
	ReplayCanceled  ReplayState = "CANCELED" // by the operator, or with its endpoint
)

// ReplayStates lists all of them.
func ReplayStates() []ReplayState {
	return []ReplayState{ReplayRunning, ReplayCompleted, ReplayCanceled}
}

// ReplayRequest says which events to replay to an endpoint.
type ReplayRequest struct {
	ConfigID     id.WebhookConfigID
	Since, Until time.Time // a zero Until is now
	EventTypes   []string  // nil is those that the endpoint takes
}

// Replayed is the progress of a replay.
type Replayed struct {
	State     ReplayState `json:"state"`
	Done      int64       `json:"done"`
	Total     *int64      `json:"total,omitempty"` // nil when there are too many to count, or before they are counted
	StartedAt time.Time   `json:"started_at"`
	EndedAt   *time.Time  `json:"ended_at,omitempty"`
}

// ReplayFilter selects replays; a zero field selects all.
type ReplayFilter struct {
	RunID     id.RunID
	AccountID id.AccountID
	ConfigID  id.WebhookConfigID
	Running   bool // only those that have not ended
}

// ListedReplay is a replay with its endpoint and its period.
type ListedReplay struct {
	Replayed
	ID           id.UUID
	AccountID    id.UUID
	EndpointID   id.UUID
	Since, Until time.Time
}

// ReplayStep is the progress of a replay after a step of its run.
type ReplayStep struct {
	Replayed
	Host string `json:"host"`
	// Waiting is how many deliveries wait at the endpoint, if that stops the replay for now;
	// else zero.
	Waiting int `json:"waiting,omitempty"`
}

// Recovered is what a recovery did, or one step of it.
type Recovered struct {
	Count int `json:"count"` // deliveries that were reopened
	// StartedAt is when the recovery began. It does not recover deliveries that fail later.
	StartedAt time.Time `json:"started_at,omitzero"`
	// OthersWait reports that nothing was reopened, and that other deliveries to the endpoint still wait.
	OthersWait bool `json:"others_wait,omitempty"`
}

// CreatedBy is the Temporal run and the activity that make attempts; ActivityID is
// empty for a local one.
type CreatedBy struct{ WorkflowID, RunID, ActivityID string }

// EndpointStatus says whether webhooks are sent to an endpoint.
type EndpointStatus string

// A disabled endpoint holds its deliveries until it is enabled.
const (
	EndpointActive   EndpointStatus = "ACTIVE"
	EndpointDisabled EndpointStatus = "DISABLED"
)

// EndpointStatuses lists both.
func EndpointStatuses() []EndpointStatus { return []EndpointStatus{EndpointActive, EndpointDisabled} }

// Endpoint is a URL to which an account's webhooks are sent. The API calls it a config.
type Endpoint struct {
	ID        id.UUID
	AccountID id.UUID
	URL       string
	// URLKey is the canonical spelling of the URL, which is unique in an account.
	URLKey string
	// EventTypes are the types of the events that it gets; nil is all except notices.
	EventTypes     []string
	Description    *string
	RatePerSecond  *int // its own limit; nil is no limit
	Concurrency    *int // its own limit; nil is delivery.MaxInFlight
	Status         EndpointStatus
	DisabledReason *string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// WireID is the endpoint's id in the API.
func (e Endpoint) WireID() id.WebhookConfigID { return id.WebhookConfigID{UUID: e.ID} }

// HealthStatus says whether webhooks are sent to an endpoint, and if not, why.
type HealthStatus string

// The statuses. If several apply, the last one counts.
const (
	HealthHealthy  HealthStatus = "HEALTHY"
	HealthFailing  HealthStatus = "FAILING"
	HealthHeld     HealthStatus = "HELD" // the account has no active key
	HealthDisabled HealthStatus = "DISABLED"
)

// HealthStatuses lists all of them.
func HealthStatuses() []HealthStatus {
	return []HealthStatus{HealthHealthy, HealthFailing, HealthHeld, HealthDisabled}
}

// EndpointHealth is the health of an endpoint, for its owner.
type EndpointHealth struct {
	Status       HealthStatus
	FailingSince *time.Time // nil until five attempts in a row have failed
	LastError    *string
	NextLook     *time.Time // when failed deliveries are retried next
	Waiting      int        // PENDING, counted up to deliveries.WaitingCounted
	Retrying     int        // the same of RETRYING
	Held         int        // the same of HELD
}

// EventType names what happened, as spelled in webhooks.
type EventType string

// The events, which are written in the transaction of the change.
const (
	WorkflowCreated             EventType = "WORKFLOW_CREATED"
	WorkflowStarted             EventType = "WORKFLOW_STARTED"
	WorkflowCompleted           EventType = "WORKFLOW_COMPLETED"
	WorkflowPricingCalculated   EventType = "WORKFLOW_PRICING_CALCULATED"
	RequiredDocumentsCalculated EventType = "REQUIRED_DOCUMENTS_CALCULATED"
	RequiredDocumentAdded       EventType = "REQUIRED_DOCUMENT_ADDED"
	RequiredDocumentUpdated     EventType = "REQUIRED_DOCUMENT_UPDATED"
	RequiredDocumentOverdue     EventType = "REQUIRED_DOCUMENT_OVERDUE"
	RequiredDocumentExpiring    EventType = "REQUIRED_DOCUMENT_EXPIRING"
	RequiredDocumentExpired     EventType = "REQUIRED_DOCUMENT_EXPIRED"
	WorkflowFindingsChanged     EventType = "WORKFLOW_FINDINGS_CHANGED"
	DocumentRulesPublished      EventType = "DOCUMENT_RULES_PUBLISHED"
	WebhookKeyActivated         EventType = "WEBHOOK_KEY_ACTIVATED"
	WebhookTest                 EventType = "WEBHOOK_TEST"
)

// The notices about an account's endpoints and deliveries, which go only to
// endpoints that name them.
const (
	WebhookEndpointFailing   EventType = "WEBHOOK_ENDPOINT_FAILING"
	WebhookEndpointDisabled  EventType = "WEBHOOK_ENDPOINT_DISABLED"
	WebhookEndpointRecovered EventType = "WEBHOOK_ENDPOINT_RECOVERED"
	WebhookDeliveryFailed    EventType = "WEBHOOK_DELIVERY_FAILED"
)

// EventTypes lists all of them.
func EventTypes() []EventType {
	return append([]EventType{
		WorkflowCreated, WorkflowStarted, WorkflowCompleted, WorkflowPricingCalculated, RequiredDocumentsCalculated, RequiredDocumentAdded, RequiredDocumentUpdated,
		RequiredDocumentOverdue, RequiredDocumentExpiring, RequiredDocumentExpired, WorkflowFindingsChanged, DocumentRulesPublished, WebhookKeyActivated, WebhookTest,
	}, noticeTypes()...)
}

func noticeTypes() []EventType {
	return []EventType{WebhookEndpointFailing, WebhookEndpointDisabled, WebhookEndpointRecovered, WebhookDeliveryFailed}
}

// Notice reports whether events of the type are notices.
func (t EventType) Notice() bool {
	return slices.Contains(noticeTypes(), t)
}

// OutboxEvent is an event in a list.
type OutboxEvent struct {
	ID         id.UUID
	AccountID  id.UUID
	EventType  EventType
	OccurredAt time.Time
	WorkflowID id.NullUUID
	Position   int64  // in the account's feed, from 1; 0 where it was not read from the feed
	Sequence   int64  // among the events of its workflow, from 1; 0 for one of no workflow
	Test       bool   // it is an example that was sent to try an endpoint
	Payload    []byte // the content, as receivers decrypt it; nil unless it was requested
}

// EventFilter filters a list; zero fields match everything.
type EventFilter struct {
	Type       EventType
	Since      time.Time
	WorkflowID id.WorkflowID
}

// EventQuery says which events to list, and in which order.
type EventQuery struct {
	EventFilter
	// OldestFirst reads the account's feed: a new event never appears before a listed one.
	OldestFirst bool
	Payload     bool
}

// EventPage is one page of events.
type EventPage struct {
	Events []OutboxEvent
	Next   string // the After of the next page; empty when there is none
	// CaughtUp says that there are no more events. A page of the feed may be empty without
	// it, if no event of the page matches the filter.
	CaughtUp bool
}

// KeyStatus is the status of a webhook key.
type KeyStatus string

// A key goes from INACTIVE to ACTIVE to DELETED, or from INACTIVE to DELETED,
// and never back. An account has at most one that is ACTIVE.
const (
	KeyInactive KeyStatus = "INACTIVE"
	KeyActive   KeyStatus = "ACTIVE"
	KeyDeleted  KeyStatus = "DELETED"
)

// KeyStatuses lists all of them.
func KeyStatuses() []KeyStatus { return []KeyStatus{KeyInactive, KeyActive, KeyDeleted} }

// WebhookKey is a key without its secret.
type WebhookKey struct {
	AccountID   id.UUID
	KeyID       string
	Status      KeyStatus
	CreatedAt   time.Time
	RevealedAt  *time.Time // when an answer took the secret; nil if none has
	ActivatedAt *time.Time
	DeletedAt   *time.Time
}

// CreatedKey is the result of a run that creates a key; it never holds the
// secret.
type CreatedKey struct {
	KeyID     string    `json:"key_id"`
	Status    KeyStatus `json:"status"`
	CreatedAt time.Time `json:"created_at"`
}

// ActivatedKey is the result of a run that activates a key.
type ActivatedKey struct {
	KeyID       string    `json:"key_id"`
	Status      KeyStatus `json:"status"`
	ActivatedAt time.Time `json:"activated_at"`
	// SecretNotTaken is true if no answer has taken the key's secret: no receiver can decrypt.
	SecretNotTaken bool `json:"secret_not_taken,omitempty"`
}
