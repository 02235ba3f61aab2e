package domain

import (
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requirement"
	"requisite/internal/wire"
)

// EventDescription says what an event of one type means and carries.
type EventDescription struct {
	// About is a sentence: when the event is sent.
	About string
	// OfWorkflow tells that the event is about a workflow, which its content names.
	OfWorkflow bool
	// Content is a value of the type of the fields beside the common ones.
	Content any
}

// StateContent is the content of an event about the state of a workflow.
type StateContent struct {
	State State `json:"state"`
}

// ScoreContent is the content of WORKFLOW_PRICING_CALCULATED.
type ScoreContent struct {
	Score rational.Number `json:"evaluation_score"`
}

// DocumentsContent is the content of REQUIRED_DOCUMENTS_CALCULATED.
type DocumentsContent struct {
	Added    []DocumentRef `json:"added" nullable:"false"`
	Kept     []DocumentRef `json:"kept" nullable:"false"`
	Restored []DocumentRef `json:"restored" nullable:"false"`
	Removed  []DocumentRef `json:"removed" nullable:"false"`
}

// DocumentContent is the content of REQUIRED_DOCUMENT_UPDATED.
type DocumentContent struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	Status             requirement.Status    `json:"status"`
	PreviousStatus     requirement.Status    `json:"previous_status"`
}

// KeyContent is the content of WEBHOOK_KEY_ACTIVATED.
type KeyContent struct {
	KeyID string `json:"key_id"`
}

// TestContent is the content of WEBHOOK_TEST.
type TestContent struct {
	ConfigID id.WebhookConfigID `json:"config_id"`
}

// EndpointNotice is the content of a notice about an endpoint.
type EndpointNotice struct {
	ConfigID       id.WebhookConfigID `json:"config_id"`
	URLHost        string             `json:"url_host" doc:"The host of the endpoint's URL."`
	Since          wire.DateTime      `json:"since" doc:"When the trouble began."`
	LastError      *string            `json:"last_error" doc:"Null when no attempt has failed."`
	DisabledReason string             `json:"disabled_reason,omitempty" doc:"Only of WEBHOOK_ENDPOINT_DISABLED."`
	// Waiting is counted when the notice is written.
	Waiting int `json:"waiting" doc:"Deliveries that wait for the endpoint; counted up to 10,000."`
}

// DeliveryNotice is the content of WEBHOOK_DELIVERY_FAILED.
type DeliveryNotice struct {
	DeliveryID   id.WebhookDeliveryID `json:"delivery_id"`
	EventID      id.WebhookEventID    `json:"event_id"`
	ConfigID     id.WebhookConfigID   `json:"config_id"`
	AttemptCount int                  `json:"attempt_count"`
	LastError    *string              `json:"last_error" doc:"Null when no attempt has failed."`
}

var eventDescriptions = map[EventType]EventDescription{
	WorkflowCreated:             {"A workflow was created.", true, StateContent{}},
	WorkflowStarted:             {"A workflow was started. One that is created as STARTED sends this event after WORKFLOW_CREATED.", true, StateContent{}},
	WorkflowCompleted:           {"A workflow has ended.", true, StateContent{}},
	WorkflowPricingCalculated:   {"The evaluation score of a workflow was calculated.", true, ScoreContent{}},
	RequiredDocumentsCalculated: {"A calculation has changed the documents that a workflow requires. One that changes nothing sends no event.", true, DocumentsContent{}},
	RequiredDocumentUpdated:     {"The status of a required document was changed with workflow.requiredDocument.update.", true, DocumentContent{}},
	WebhookKeyActivated:         {"A webhook key became the account's active one. Like every webhook it is encrypted with the key that is active when it is sent.", false, KeyContent{}},
	WebhookTest:                 {"webhook.config.test was called. The event goes to that endpoint alone.", false, TestContent{}},
	WebhookEndpointFailing:      {"Five attempts in a row at another endpoint of the account have failed. From now on it is probed.", false, EndpointNotice{}},
	WebhookEndpointDisabled:     {"Another endpoint of the account was disabled. Its events wait until it is enabled.", false, EndpointNotice{}},
	WebhookEndpointRecovered:    {"Another endpoint of the account has answered 2xx for the first time since it failed or was disabled.", false, EndpointNotice{}},
	WebhookDeliveryFailed:       {"A delivery to another endpoint of the account was given up.", false, DeliveryNotice{}},
}

// Describe says what an event of the type means and carries; false for a type
// that is not described.
func (t EventType) Describe() (EventDescription, bool) {
	d, ok := eventDescriptions[t]
	return d, ok
}
