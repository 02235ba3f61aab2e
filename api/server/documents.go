package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/workflows"
)

type documentData struct {
	RequiredDocumentID string                       `json:"required_document_id"`
	DocumentTypeCode   string                       `json:"document_type_code"`
	Name               string                       `json:"name"`
	Category           string                       `json:"category"`
	RequirementText    string                       `json:"requirement_text"`
	Explanation        string                       `json:"explanation,omitempty" doc:"Why the document is needed, in words for the applicant. reasons are for the platform: they name lists and limits."`
	AnyOf              []requirement.DocumentOption `json:"any_of" nullable:"false" doc:"Options that are offered, of which any one suffices, or at_least many. Empty where there is one document only."`
	AtLeast            int                          `json:"at_least,omitempty" doc:"How many options of any_of are needed: with fewer options, all. Absent where one suffices."`
	NotOlderThan       *fact.Period                 `json:"not_older_than,omitempty" doc:"How old evidence may be, by its issued_on."`
	MustBeValid        bool                         `json:"must_be_valid,omitempty" doc:"Whether evidence must be valid, by its expires_on."`
	ValidFor           *fact.Period                 `json:"valid_for,omitempty" doc:"For how long evidence must still be valid when it is approved, by its expires_on."`
	ExpiredAtMost      *fact.Period                 `json:"expired_at_most,omitempty" doc:"How long ago evidence may have expired, by its expires_on."`
	BoundTo            []string                     `json:"bound_to,omitempty" nullable:"false" doc:"What an approval depends on besides the text and the identity. With other values the document is to be reviewed again, FACTS_CHANGED."`
	EntityType         string                       `json:"entity_type"`
	EntityID           string                       `json:"entity_id"`
	EntityName         string                       `json:"entity_name,omitempty"`
	Status             document.Status              `json:"status"`
	document.StatusCause
	Origin     document.Origin           `json:"origin" doc:"MANUAL: it was required with workflow.requiredDocument.create, and no rule makes it INACTIVE."`
	Evidence   []document.Evidence       `json:"evidence" nullable:"false"`
	ReviewedBy string                    `json:"reviewed_by,omitempty" doc:"Of the last update."`
	ReviewNote string                    `json:"review_note,omitempty" doc:"The note of the last update."`
	ValidUntil fact.Date                 `json:"valid_until,omitzero" format:"date" doc:"The last day on which the approval is valid. Absent where it is not COMPLETED, or ends only by hand."`
	DueOn      fact.Date                 `json:"due_on,omitzero" format:"date" doc:"The last day on which it is due, in the account's time zone. Absent unless it is PENDING or NEEDS_REVIEW."`
	Overdue    bool                      `json:"overdue" doc:"Whether it is PENDING, and due_on has passed."`
	Reasons    []document.DocumentReason `json:"reasons" nullable:"false"`
	DecisionID id.DecisionID             `json:"decision_id" doc:"The decision that last changed the document: see workflow.decision.get. Send it with your own, so that you decide about what you have read."`
	CreatedAt  wire.DateTime             `json:"created_at"`
	UpdatedAt  wire.DateTime             `json:"updated_at"`
}

func documentView(d calculation.RequiredDocument) documentData {
	data := documentData{
		RequiredDocumentID: d.ID, DocumentTypeCode: d.DocumentTypeCode, Name: d.Name, Category: d.Category, RequirementText: d.RequirementText,
		Explanation: d.Explanation, AnyOf: d.AnyOf, AtLeast: d.AtLeast,
		NotOlderThan: d.NotOlderThan, MustBeValid: d.MustBeValid, ValidFor: d.ValidFor, ExpiredAtMost: d.ExpiredAtMost, BoundTo: d.BoundTo, EntityType: d.EntityType, EntityID: d.EntityID,
		Status: d.Status, StatusCause: d.Cause(), Origin: d.Origin, Evidence: d.Evidence, ReviewedBy: d.ReviewedBy, ReviewNote: d.ReviewNote,
		ValidUntil: d.ValidUntil(), DueOn: d.Deadline(), Overdue: d.Overdue, Reasons: d.Reasons, DecisionID: d.DecisionID,
		CreatedAt: wire.DateTime(d.CreatedAt), UpdatedAt: wire.DateTime(d.UpdatedAt),
	}
	if data.AnyOf == nil {
		data.AnyOf = []requirement.DocumentOption{}
	}
	if data.Evidence == nil {
		data.Evidence = []document.Evidence{}
	}
	return data
}

// entityID is the id of a record that may require documents.
type entityID string

func (entityID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^(w|b|p)_" + id.TailPattern + "$",
		PatternDescription: "the id of a workflow, a business or a person",
	}
}

type documentsListRequest struct {
	WorkflowRequest
	Filters struct {
		Status     document.Status `json:"required_document_status,omitempty"`
		EntityType spec.EntityType `json:"entity_type,omitempty"`
		EntityID   entityID        `json:"entity_id,omitempty" doc:"The workflow, its business, or a person, also one who was deleted."`
	} `json:"filters,omitempty"`
	Page *page `json:"page,omitempty" doc:"Ask for a part of the list; without it the answer has all documents."`
}

func (in *documentsListRequest) check() []refusal.Field {
	if in.Page == nil {
		return nil
	}
	return checkAfter[id.RequiredDocumentID](*in.Page)
}

// DocumentRequest names a required document.
type DocumentRequest struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
}

func documentGet(ctx context.Context, r *store.Records, in *DocumentRequest) (documentData, error) {
	d, err := r.Documents.Get(ctx, in.RequiredDocumentID)
	return documentView(d), err
}

type documentsListData struct {
	RequiredDocuments []documentData `json:"required_documents" nullable:"false" doc:"In the order in which they were first required."`
	Next              *string        `json:"next" doc:"Pass it as page.after for the next page; null on the last one, and without page."`
}

func documentsList(ctx context.Context, r *store.Records, in *documentsListRequest) (documentsListData, error) {
	var part *domain.Page
	if in.Page != nil {
		part = new(in.Page.page())
	}
	filter := calculation.DocumentFilter{Status: in.Filters.Status, EntityType: string(in.Filters.EntityType), EntityID: string(in.Filters.EntityID)}
	found, next, err := r.Documents.List(ctx, in.WorkflowID, filter, part)
	data := documentsListData{RequiredDocuments: []documentData{}}
	for _, d := range found {
		data.RequiredDocuments = append(data.RequiredDocuments, documentView(d))
	}
	if next != "" {
		data.Next = &next
	}
	return data, err
}

func documentsCalculate(ctx context.Context, s *Server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculationJob(c, in.WorkflowID, workflows.Calculation, workflows.StartCalculation, "workflow.requiredDocument.list"))
}

// ExpectedDecision is the decision that last changed the document, as the caller has read it.
type ExpectedDecision struct {
	DecisionID id.DecisionID `json:"decision_id,omitzero" doc:"The decision_id of the document as you have read it. When another decision has changed it since, the answer is DOCUMENT_CHANGED."`
}

type documentUpdateRequest struct {
	DocumentRequest
	RequiredDocument struct {
		Status     spec.NewStatus      `json:"status"`
		Evidence   []document.Evidence `json:"evidence,omitempty" nullable:"false" minItems:"1" maxItems:"20" doc:"It replaces what was there; absent keeps it. One entry that meets the terms of the document, or of its option, suffices for COMPLETED, unless at_least or all_of ask for more. With COMPLETED for a document that is COMPLETED it is a new approval."`
		ReviewedBy string              `json:"reviewed_by,omitempty" maxLength:"200" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Who has reviewed. Absent clears it."`
		Note       string              `json:"note,omitempty" maxLength:"1000" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Shown as review_note. Absent clears it."`
	} `json:"required_document"`
	ExpectedDecision
}

func (in *documentUpdateRequest) check() []refusal.Field {
	var problems []refusal.Field
	for i, e := range in.RequiredDocument.Evidence {
		if e.IssuedOn != nil && e.ExpiresOn != nil && e.ExpiresOn.Before(*e.IssuedOn) {
			problems = append(problems, refusal.At(fmt.Sprintf("required_document.evidence[%d].expires_on", i), refusal.NotAllowed, "This may not be before issued_on."))
		}
	}
	return problems
}

func documentUpdate(ctx context.Context, s *Server, c *caller, in *documentUpdateRequest) (wire.Reply, error) {
	stated := in.RequiredDocument
	review := document.Review{Status: document.Status(stated.Status), Evidence: stated.Evidence, ReviewedBy: stated.ReviewedBy, Note: stated.Note}
	return s.decide(ctx, c, func(r *store.Records) (wire.Reply, error) {
		ref, err := r.Documents.Update(ctx, in.RequiredDocumentID, review, in.DecisionID)
		return wire.Reply{Data: wire.Empty{}, Decision: &ref}, err
	})
}

// decide runs an operation that records a decision.
func (s *Server) decide(ctx context.Context, c *caller, operation func(*store.Records) (wire.Reply, error)) (wire.Reply, error) {
	return s.store.WriteWarning(ctx, c.call, func(r *store.Records) (wire.Reply, error) {
		reply, err := operation(r)
		c.accountID = r.AccountID()
		return reply, err
	})
}

type documentWaiveRequest struct {
	DocumentRequest
	Reason string `json:"reason" maxLength:"1000" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Why the document is not needed. The decision keeps it."`
	ExpectedDecision
}

func documentWaive(ctx context.Context, s *Server, c *caller, in *documentWaiveRequest) (wire.Reply, error) {
	return s.decide(ctx, c, func(r *store.Records) (wire.Reply, error) {
		ref, err := r.Documents.Waive(ctx, in.RequiredDocumentID, in.Reason, in.DecisionID)
		return wire.Reply{Data: wire.Empty{}, Decision: &ref}, err
	})
}

type documentCreateRequest struct {
	WorkflowRequest
	Document struct {
		DocumentTypeCode string          `json:"document_type_code" pattern:"^[A-Z0-9_]{1,64}$" patternDescription:"1 to 64 of A-Z, 0-9 and _"`
		Name             string          `json:"name" maxLength:"4000" pattern:"\\S" patternDescription:"a text that is not blank"`
		Category         string          `json:"category" maxLength:"4000" pattern:"\\S" patternDescription:"a text that is not blank"`
		RequirementText  string          `json:"requirement_text" maxLength:"4000" pattern:"\\S" patternDescription:"a text that is not blank" doc:"What the document must show."`
		EntityType       spec.EntityType `json:"entity_type"`
		EntityID         entityID        `json:"entity_id" doc:"The workflow, its business, or a person of the business."`
		Explanation      string          `json:"explanation,omitempty" maxLength:"500" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Why the document is needed, in words for the applicant."`
		DueWithin        *fact.Period    `json:"due_within,omitempty" doc:"How long after today it is due."`
	} `json:"document"`
	Reason string `json:"reason" maxLength:"1000" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Why the document is required, for colleagues. It stands in the document's reasons."`
}

// prefixes begin the ids of entities that may require documents.
var prefixes = map[string]id.Prefix{fact.EntityWorkflow: id.Workflow, fact.EntityBusiness: id.Business, fact.EntityPerson: id.Person}

func (in *documentCreateRequest) check() []refusal.Field {
	if prefix, known := prefixes[string(in.Document.EntityType)]; known && !strings.HasPrefix(string(in.Document.EntityID), string(prefix)) {
		return []refusal.Field{refusal.At("document.entity_id", refusal.WrongFormat, "This must be the id of a %s, as entity_type says.", in.Document.EntityType)}
	}
	return nil
}

func documentCreate(ctx context.Context, s *Server, c *caller, in *documentCreateRequest) (wire.Reply, error) {
	of := requirement.Entity{Type: string(in.Document.EntityType), ID: string(in.Document.EntityID)}
	text := document.ManualText{
		Name: in.Document.Name, Category: in.Document.Category, RequirementText: in.Document.RequirementText, Explanation: in.Document.Explanation,
		DueWithin: in.Document.DueWithin, Reason: in.Reason,
	}
	return s.decide(ctx, c, func(r *store.Records) (wire.Reply, error) {
		made, ref, err := r.Documents.Create(ctx, in.WorkflowID, in.Document.DocumentTypeCode, of, text)
		return wire.Reply{Data: DocumentRequest{made}, Decision: &ref}, err
	})
}
