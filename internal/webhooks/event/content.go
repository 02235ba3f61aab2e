// Package event holds what events contain, with an example of each type. It does no I/O.
package event

import (
	"encoding/json"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/webhooks/delivery"
)

// Description says what an event of one type means and carries.
type Description struct {
	// About is a sentence: when the event is sent.
	About string
	// Sequence is the number of the example within its workflow; 0 for an event that
	// is about no workflow.
	Sequence int64
	// Example gives the fields beside the common ones. Every event of the type has the same
	// fields.
	Example func(Named) any
}

// OfWorkflow reports whether the event is about a workflow. Its content then names it.
func (d Description) OfWorkflow() bool { return d.Sequence != 0 }

// Named has the ids of records and the time for the examples of events.
type Named struct {
	Workflow id.WorkflowID
	Business id.BusinessID
	Document id.RequiredDocumentID
	Decision id.DecisionID
	Version  id.RuleSetVersionID
	Config   id.WebhookConfigID
	Delivery id.WebhookDeliveryID
	Event    id.WebhookEventID
	KeyID    string
	At       time.Time
}

// madeUp returns new ids, of records that do not exist. A receiver that stores examples
// therefore does not mix them with other data.
func madeUp(at time.Time) Named {
	return Named{
		Workflow: id.WorkflowID{UUID: id.New()},
		Business: id.BusinessID{UUID: id.New()},
		Document: id.RequiredDocumentID{UUID: id.New()},
		Decision: id.DecisionID{UUID: id.New()},
		Version:  id.RuleSetVersionID{UUID: id.New()},
		Config:   id.WebhookConfigID{UUID: id.New()},
		Delivery: id.WebhookDeliveryID{UUID: id.New()},
		Event:    id.WebhookEventID{UUID: id.New()},
		KeyID:    "whk_20000101_01", // no account has this key: the service did not exist in 2000
		At:       at,
	}
}

// Fields are the fields of an example beside version and user_context.
func (d Description) Fields(n Named) (map[string]any, error) {
	text, err := json.Marshal(d.Example(n))
	if err != nil {
		return nil, fmt.Errorf("example of an event: %w", err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("example of an event: %w", err)
	}
	if d.OfWorkflow() {
		fields["workflow_id"], fields["sequence"] = n.Workflow, d.Sequence
	}
	return fields, nil
}

// TestEvent is the content of an event of the type that is sent to try an
// endpoint, beside version and user_context: an example that says so. Only
// WEBHOOK_TEST names a record on file: the endpoint. about is the endpoint that a
// notice is about; it is zero for the other types.
func TestEvent(t domain.EventType, endpoint id.WebhookConfigID, at time.Time) (fields map[string]any, about id.WebhookConfigID, err error) {
	named := madeUp(at)
	switch {
	case t == domain.WebhookTest:
		named.Config = endpoint
	case t.Notice():
		about = named.Config
	}
	described, ok := Describe(t)
	if !ok {
		return nil, about, fmt.Errorf("there is no event type %s", t)
	}
	if fields, err = described.Fields(named); err != nil {
		return nil, about, err
	}
	fields["test"] = true
	return fields, about, nil
}

// StateContent is the content of an event about the state of a workflow.
type StateContent struct {
	State domain.State `json:"state"`
}

// ScoreContent is the content of WORKFLOW_PRICING_CALCULATED.
type ScoreContent struct {
	Score rational.Number `json:"evaluation_score"`
	refusal.DecisionRef
}

// DocumentsContent is the content of REQUIRED_DOCUMENTS_CALCULATED.
type DocumentsContent struct {
	calculation.DocumentChanges
	refusal.DecisionRef
}

// DocumentContent is the content of REQUIRED_DOCUMENT_UPDATED.
type DocumentContent struct {
	calculation.DocumentMove
	Evidence []EventEvidence `json:"evidence,omitempty" nullable:"false"`
	refusal.DecisionRef
}

// EventEvidence is evidence without the caller's reference, which may be personal.
type EventEvidence struct {
	DocumentTypeCode string     `json:"document_type_code,omitempty"`
	IssuedOn         *fact.Date `json:"issued_on,omitempty" format:"date"`
	ExpiresOn        *fact.Date `json:"expires_on,omitempty" format:"date"`
	NeverExpires     bool       `json:"never_expires,omitzero"`
}

// EvidenceOf converts evidence for events.
func EvidenceOf(stated []document.Evidence) []EventEvidence {
	shown := make([]EventEvidence, len(stated))
	for i, e := range stated {
		shown[i] = EventEvidence{e.DocumentTypeCode, e.IssuedOn, e.ExpiresOn, e.NeverExpires}
	}
	return shown
}

// DocumentAddedContent is the content of REQUIRED_DOCUMENT_ADDED.
type DocumentAddedContent struct {
	calculation.DocumentAdded
	refusal.DecisionRef
}

// DocumentOverdueContent is the content of REQUIRED_DOCUMENT_OVERDUE.
type DocumentOverdueContent struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	DueOn              fact.Date             `json:"due_on" format:"date" doc:"The last day on which it was due."`
}

// DocumentExpiringContent is the content of REQUIRED_DOCUMENT_EXPIRING.
type DocumentExpiringContent struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	ValidUntil         fact.Date             `json:"valid_until" format:"date" doc:"The last day on which the approval is valid."`
}

// DocumentExpiredContent is the content of REQUIRED_DOCUMENT_EXPIRED.
type DocumentExpiredContent struct {
	calculation.DocumentExpiry
	WorkflowState domain.State  `json:"workflow_state" doc:"ENDED: the document stays as it is. Create the next workflow, with previous_workflow_id."`
	DecisionID    id.DecisionID `json:"decision_id,omitzero" doc:"Absent where workflow_state is ENDED: nothing was decided."`
	Digest        string        `json:"digest,omitempty" doc:"The decision's digest in the record, SHA-256 in hex."`
}

// FindingsContent is the content of WORKFLOW_FINDINGS_CHANGED.
type FindingsContent struct {
	Added   []calculation.FindingRef `json:"added" nullable:"false"`
	Removed []calculation.FindingRef `json:"removed" nullable:"false"`
	refusal.DecisionRef
}

// RulesContent is the content of DOCUMENT_RULES_PUBLISHED.
type RulesContent struct {
	VersionID     id.RuleSetVersionID   `json:"version_id"`
	VersionNumber int                   `json:"version_number" minimum:"1" doc:"The version as account.documentRules.publish answers it; version is that of the content."`
	EffectiveFrom *string               `json:"effective_from,omitempty" format:"date" doc:"The first day in force, in the account's time zone. Absent: at once."`
	AppliesTo     calculation.AppliesTo `json:"applies_to"`
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

var descriptions = map[domain.EventType]Description{
	domain.WorkflowCreated: {"A workflow was created.", 1, inState(domain.Created)},
	domain.WorkflowStarted: {
		"A workflow was started. One that is created as STARTED sends this event after WORKFLOW_CREATED.", 2, inState(domain.Started),
	},
	domain.WorkflowPricingCalculated: {"The evaluation score of a workflow was calculated.", 3, func(n Named) any {
		return ScoreContent{Score: rational.Int(620), DecisionRef: n.decision()}
	}},
	domain.RequiredDocumentsCalculated: {
		"A calculation has changed the documents that a workflow requires. One that changes nothing sends no event.", 4,
		func(n Named) any {
			changed := calculation.DocumentChanges{
				Added:      []calculation.DocumentRef{{NamedDocument: n.pendingDocument(exampleDocument)}},
				Kept:       []calculation.DocumentRef{},
				Restored:   []calculation.DocumentRef{},
				Removed:    []calculation.DocumentRef{},
				Reopened:   []calculation.DocumentRef{},
				Reinstated: []calculation.DocumentRef{},
				Carried:    []calculation.CarriedRef{},
			}
			return DocumentsContent{changed, n.decision()}
		},
	},
	domain.RequiredDocumentAdded: {"A document was required by hand, with workflow.requiredDocument.create.", 5, func(n Named) any {
		added := calculation.DocumentAdded{NamedDocument: n.pendingDocument("SOURCE_OF_FUNDS")}
		return DocumentAddedContent{added, n.decision()}
	}},
	domain.RequiredDocumentUpdated: {
		"A required document was updated with workflow.requiredDocument.update, or waived with .waive.", 6,
		func(n Named) any {
			move := calculation.DocumentMove{
				RequiredDocumentID: n.Document,
				DocumentTypeCode:   exampleDocument,
				Status:             document.NeedsReview,
				PreviousStatus:     document.Pending,
			}
			return DocumentContent{DocumentMove: move, DecisionRef: n.decision()}
		},
	},
	domain.RequiredDocumentOverdue: {"A required document is PENDING, and its due_on has passed. It is sent once for each due_on.", 7, func(n Named) any {
		return DocumentOverdueContent{n.Document, exampleDocument, n.day(-1)}
	}},
	domain.RequiredDocumentExpiring: {
		"The approval of a required document ends soon: remind_before of its rule says how soon. It is sent once for each valid_until.", 8,
		func(n Named) any { return DocumentExpiringContent{n.Document, exampleDocument, n.day(30)} },
	},
	domain.RequiredDocumentExpired: {
		"The approval of a required document has lapsed, and the document is PENDING again. In a workflow that has ended it stays as it is. " +
			"It is sent once for each valid_until.", 9,
		func(n Named) any {
			expiry := calculation.DocumentExpiry{
				RequiredDocumentID: n.Document,
				DocumentTypeCode:   exampleDocument,
				Status:             document.Pending,
				PreviousStatus:     document.Completed,
				StatusReason:       document.RenewalDue,
				ValidUntil:         n.day(-1),
			}
			return DocumentExpiredContent{expiry, domain.Started, n.Decision, exampleDigest}
		},
	},
	domain.WorkflowFindingsChanged: {
		"A calculation has changed the findings of a workflow. workflow.get has their messages and reasons.", 10,
		func(n Named) any {
			finding := calculation.FindingRef{
				FindingCode: "PROHIBITED_TRADE",
				Kind:        requirement.KindDecline,
				EntityType:  fact.EntityBusiness,
				EntityID:    n.Business.String(),
			}
			return FindingsContent{
				Added:       []calculation.FindingRef{finding},
				Removed:     []calculation.FindingRef{},
				DecisionRef: n.decision(),
			}
		},
	},
	domain.WorkflowCompleted: {"A workflow has ended.", 11, inState(domain.Ended)},
	domain.DocumentRulesPublished: {"A version of the account's rules was published. It is in force from effective_from on.", 0, func(n Named) any {
		from := fact.DateOf(n.At.AddDate(0, 1, 0)).String()
		return RulesContent{n.Version, 3, &from, calculation.AppliesToAll}
	}},
	domain.WebhookKeyActivated: {
		"A webhook key became the account's active one. Like every webhook it is encrypted with the key that is active when it is sent.", 0,
		func(n Named) any { return KeyContent{n.KeyID} },
	},
	domain.WebhookTest: {
		"webhook.config.test was called without an event_type, or with this one. The event goes to that endpoint alone.", 0,
		func(n Named) any { return TestContent{n.Config} },
	},
	domain.WebhookEndpointFailing: {"Five attempts in a row at another endpoint of the account have failed. From now on it is probed.", 0, func(n Named) any {
		return exampleNotice(n, "HTTP 503", 12)
	}},
	domain.WebhookEndpointDisabled: {"Another endpoint of the account was disabled. Its events wait until it is enabled.", 0, func(n Named) any {
		notice := exampleNotice(n, "HTTP 410", 12)
		notice.DisabledReason = "The endpoint answered 410 Gone."
		return notice
	}},
	domain.WebhookEndpointRecovered: {
		"Another endpoint of the account has answered 2xx for the first time since it failed or was disabled.", 0,
		func(n Named) any { return exampleNotice(n, "HTTP 503", 0) },
	},
	domain.WebhookDeliveryFailed: {"A delivery to another endpoint of the account was given up.", 0, func(n Named) any {
		reason := "HTTP 503"
		return DeliveryNotice{n.Delivery, n.Event, n.Config, delivery.MaxAttempts, &reason}
	}},
}

const (
	exampleDocument = "BANK_STATEMENTS"
	exampleDigest   = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"
)

func (n Named) decision() refusal.DecisionRef {
	return refusal.DecisionRef{DecisionID: n.Decision, Digest: exampleDigest}
}

// pendingDocument is a PENDING document of the example's business.
func (n Named) pendingDocument(typeCode string) calculation.NamedDocument {
	return calculation.NamedDocument{
		RequiredDocumentID: n.Document.String(),
		DocumentTypeCode:   typeCode,
		EntityType:         fact.EntityBusiness,
		EntityID:           n.Business.String(),
		Status:             document.Pending,
	}
}

func (n Named) day(after int) fact.Date { return fact.DateOf(n.At.UTC().AddDate(0, 0, after)) }

func inState(s domain.State) func(Named) any { return func(Named) any { return StateContent{s} } }

func exampleNotice(n Named, lastError string, waiting int) EndpointNotice {
	return EndpointNotice{
		ConfigID:  n.Config,
		URLHost:   "hooks.example.com",
		Since:     wire.DateTime(n.At.Add(-20 * time.Minute)),
		LastError: &lastError,
		Waiting:   waiting,
	}
}

// Describe says what an event of the type means and carries; false for a type
// that is not described.
func Describe(t domain.EventType) (Description, bool) {
	d, ok := descriptions[t]
	return d, ok
}
