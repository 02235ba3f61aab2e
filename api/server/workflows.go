package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/workflows"
)

type WorkflowRequest struct {
	WorkflowID id.WorkflowID `json:"workflow_id"`
}

type workflowCreateRequest struct {
	AccountRequest
	Workflow struct {
		BusinessRequest
		State string `json:"state,omitempty" enum:"CREATED,STARTED" default:"STARTED"`
		ExternalIDField
		CustomField
	} `json:"workflow"`
}

func workflowCreate(ctx context.Context, r *store.Records, in *workflowCreateRequest) (WorkflowRequest, error) {
	state := domain.Started
	if in.Workflow.State != "" {
		state = domain.State(in.Workflow.State)
	}
	w, err := r.CreateWorkflow(ctx, in.AccountID, in.Workflow.BusinessID, domain.NewWorkflow{
		State: state, ExternalID: (*string)(in.Workflow.ExternalID.Value), Custom: in.Workflow.values(),
	})
	return WorkflowRequest{w.WireID()}, err
}

type workflowUpdateRequest struct {
	WorkflowRequest
	Workflow struct {
		ExternalIDField
		CustomField
	} `json:"workflow"`
}

func workflowUpdate(ctx context.Context, r *store.Records, in *workflowUpdateRequest) (wire.Empty, error) {
	var external **string
	if in.Workflow.ExternalID.Sent {
		external = new((*string)(in.Workflow.ExternalID.Value))
	}
	return wire.Empty{}, r.UpdateWorkflow(ctx, in.WorkflowID, external, in.Workflow.change())
}

func workflowStart(ctx context.Context, r *store.Records, in *WorkflowRequest) (wire.Empty, error) {
	return wire.Empty{}, r.StartWorkflow(ctx, in.WorkflowID)
}

func workflowComplete(ctx context.Context, r *store.Records, in *WorkflowRequest) (wire.Empty, []refusal.Warning, error) {
	if err := r.CompleteWorkflow(ctx, in.WorkflowID); err != nil {
		return wire.Empty{}, nil, err
	}
	w, err := r.WorkflowWithDocuments(ctx, in.WorkflowID)
	open := w.Pending + w.NeedsReview
	if err != nil || open == 0 {
		return wire.Empty{}, nil, err
	}
	return wire.Empty{}, []refusal.Warning{{
		Code:    refusal.DocumentsNotCompleted,
		Message: fmt.Sprintf("The workflow has ended with %d required document(s) that are not completed: %d PENDING, %d NEEDS_REVIEW.", open, w.Pending, w.NeedsReview),
	}}, nil
}

// ListedWorkflow is a workflow without the counts of its documents.
type ListedWorkflow struct {
	WorkflowID        id.WorkflowID  `json:"workflow_id"`
	AccountID         id.AccountID   `json:"account_id"`
	BusinessID        id.BusinessID  `json:"business_id"`
	ExternalID        *string        `json:"external_id,omitempty"`
	State             domain.State   `json:"state"`
	Custom            wire.Custom    `json:"custom" doc:"The values of facts that the account declares itself, by name."`
	EvaluationScore   *wire.Exact    `json:"evaluation_score,omitempty"`
	ScoreCalculatedAt *wire.DateTime `json:"score_calculated_at,omitempty"`
	CreatedAt         wire.DateTime  `json:"created_at"`
	StartedAt         *wire.DateTime `json:"started_at,omitempty"`
	EndedAt           *wire.DateTime `json:"ended_at,omitempty"`
	UpdatedAt         wire.DateTime  `json:"updated_at"`

	DocumentsCalculatedAt *wire.DateTime `json:"documents_calculated_at,omitempty" doc:"When the required documents were last calculated. Absent before the first calculation: an empty list then means nothing."`
	DocumentsStale        *bool          `json:"documents_stale,omitempty" doc:"Whether the application, its business, persons or sales, its score or the account's rules have changed since: calculate again. It may be true although the documents would stay the same; that days pass does not count. Absent before the first calculation, false when the workflow has ended."`
}

type workflowData struct {
	ListedWorkflow
	Documents documentCounts `json:"documents" doc:"How many required documents have each status. Nothing is open when documents_calculated_at is set, documents_stale is false, and pending and needs_review are 0."`
}

type documentCounts struct {
	Pending     int `json:"pending"`
	NeedsReview int `json:"needs_review"`
	Completed   int `json:"completed"`
	Inactive    int `json:"inactive"`
}

func workflowView(r *store.Records, w domain.WorkflowOnRecord) ListedWorkflow {
	var score *wire.Exact
	if w.EvaluationScore != nil {
		score = &wire.Exact{Number: *w.EvaluationScore}
	}
	return ListedWorkflow{
		WorkflowID:        w.WireID(),
		AccountID:         r.Environment().Account(w.AccountID),
		BusinessID:        id.BusinessID{UUID: w.BusinessID},
		ExternalID:        w.ExternalID,
		State:             w.State,
		Custom:            wire.Custom{Custom: w.Custom},
		EvaluationScore:   score,
		ScoreCalculatedAt: (*wire.DateTime)(w.ScoreCalculatedAt),
		CreatedAt:         wire.DateTime(w.CreatedAt),
		StartedAt:         (*wire.DateTime)(w.StartedAt),
		EndedAt:           (*wire.DateTime)(w.EndedAt),
		UpdatedAt:         wire.DateTime(w.UpdatedAt),

		DocumentsCalculatedAt: (*wire.DateTime)(w.DocumentsCalculatedAt),
		DocumentsStale:        w.DocumentsStale,
	}
}

func workflowGet(ctx context.Context, r *store.Records, in *WorkflowRequest) (workflowData, error) {
	w, err := r.WorkflowWithDocuments(ctx, in.WorkflowID)
	return workflowData{workflowView(r, w.WorkflowOnRecord), documentCounts(w.DocumentCounts)}, err
}

type workflowListRequest struct {
	AccountRequest
	Filters struct {
		BusinessID id.BusinessID `json:"business_id,omitzero"`
		State      string        `json:"state,omitempty" enum:"CREATED,STARTED,ENDED"`
		ExternalID externalID    `json:"external_id,omitempty"`
	} `json:"filters,omitempty"`
	Page page `json:"page,omitempty"`
}

func (in *workflowListRequest) check() []refusal.Field { return checkAfter[id.WorkflowID](in.Page) }

type workflowListData struct {
	Workflows []ListedWorkflow `json:"workflows" nullable:"false"`
	Next      *string          `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func workflowList(ctx context.Context, r *store.Records, in *workflowListRequest) (workflowListData, error) {
	filter := domain.WorkflowFilter{BusinessID: in.Filters.BusinessID, State: domain.State(in.Filters.State), ExternalID: string(in.Filters.ExternalID)}
	found, next, err := r.Workflows(ctx, in.AccountID, filter, in.Page.page())
	data := workflowListData{Workflows: []ListedWorkflow{}}
	for _, w := range found {
		data.Workflows = append(data.Workflows, workflowView(r, w))
	}
	if next != "" {
		data.Next = &next
	}
	return data, err
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
		Status     string   `json:"required_document_status,omitempty" enum:"PENDING,NEEDS_REVIEW,COMPLETED,INACTIVE"`
		EntityType string   `json:"entity_type,omitempty" enum:"Workflow,Business,Person"`
		EntityID   entityID `json:"entity_id,omitempty" doc:"The workflow, its business, or a person, also one who was deleted."`
	} `json:"filters,omitempty"`
	Page *page `json:"page,omitempty" doc:"Ask for a part of the list; without it the answer has all documents."`
}

func (in *documentsListRequest) check() []refusal.Field {
	if in.Page == nil {
		return nil
	}
	return checkAfter[id.RequiredDocumentID](*in.Page)
}

type documentData struct {
	RequiredDocumentID string                       `json:"required_document_id"`
	DocumentTypeCode   string                       `json:"document_type_code"`
	Name               string                       `json:"name"`
	Category           string                       `json:"category"`
	RequirementText    string                       `json:"requirement_text"`
	EntityType         string                       `json:"entity_type"`
	EntityID           string                       `json:"entity_id"`
	Status             requirement.Status           `json:"status"`
	Reasons            []requirement.DocumentReason `json:"reasons" nullable:"false"`
	DecisionID         id.DecisionID                `json:"decision_id" doc:"The decision that last changed the document: see workflow.decision.get."`
	CreatedAt          wire.DateTime                `json:"created_at"`
	UpdatedAt          wire.DateTime                `json:"updated_at"`
}

func documentView(d calculation.RequiredDocument) documentData {
	return documentData{
		d.ID, d.DocumentTypeCode, d.Name, d.Category, d.RequirementText, d.EntityType, d.EntityID, d.Status, d.Reasons, d.DecisionID,
		wire.DateTime(d.CreatedAt), wire.DateTime(d.UpdatedAt),
	}
}

// DocumentRequest names a required document.
type DocumentRequest struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
}

func documentGet(ctx context.Context, r *store.Records, in *DocumentRequest) (documentData, error) {
	d, err := r.RequiredDocument(ctx, in.RequiredDocumentID)
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
	filter := calculation.DocumentFilter{Status: requirement.Status(in.Filters.Status), EntityType: in.Filters.EntityType, EntityID: string(in.Filters.EntityID)}
	found, next, err := r.RequiredDocuments(ctx, in.WorkflowID, filter, part)
	data := documentsListData{RequiredDocuments: []documentData{}}
	for _, d := range found {
		data.RequiredDocuments = append(data.RequiredDocuments, documentView(d))
	}
	if next != "" {
		data.Next = &next
	}
	return data, err
}

type documentUpdateRequest struct {
	DocumentRequest
	RequiredDocument struct {
		Status string `json:"status" enum:"PENDING,NEEDS_REVIEW,COMPLETED,INACTIVE"`
	} `json:"required_document"`
}

func documentUpdate(ctx context.Context, s *Server, c *caller, in *documentUpdateRequest) (wire.Reply, error) {
	return s.store.WriteWarning(ctx, c.call, func(r *store.Records) (wire.Reply, error) {
		ref, err := r.UpdateDocumentStatus(ctx, in.RequiredDocumentID, requirement.Status(in.RequiredDocument.Status))
		c.accountID = r.AccountID()
		return wire.Reply{Data: wire.Empty{}, Decision: &ref}, err
	})
}

func documentsCalculate(ctx context.Context, s *Server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculationJob(c, in.WorkflowID, workflows.Calculation, workflows.StartCalculation, "workflow.requiredDocument.list"))
}

func pricingCalculate(ctx context.Context, s *Server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculationJob(c, in.WorkflowID, workflows.Pricing, workflows.StartPricing, "workflow.get"))
}

// calculationJob returns a job about one workflow.
func calculationJob(c *caller, workflowID id.WorkflowID, kind workflows.Kind, start func(workflows.Request) workflows.Start, shownBy string) job {
	return job{
		kind: kind, shownBy: shownBy,
		find: func(ctx context.Context, r *store.Records) (workflows.Start, error) {
			w, err := r.Workflow(ctx, workflowID)
			return start(workflows.Request{Call: c.call, AccountID: r.Environment().Account(w.AccountID), WorkflowID: workflowID}), err
		},
		// The result of a run has details for operators. The response omits them.
		reply: func(result json.RawMessage) (wire.Reply, error) {
			var found struct {
				Warnings []refusal.Warning `json:"warnings"`
				Decision *refusal.Decision `json:"decision"`
			}
			err := json.Unmarshal(result, &found)
			return wire.Reply{Data: wire.Empty{}, Warnings: found.Warnings, Decision: found.Decision}, err
		},
	}
}
