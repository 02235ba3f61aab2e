package server

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

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

type WorkflowRequest struct {
	WorkflowID id.WorkflowID `json:"workflow_id"`
}

// firstState is a state in which a workflow can be created.
type firstState string

func (firstState) Schema(huma.Registry) *huma.Schema {
	return wire.OneOf(domain.Created, domain.Started)
}

type workflowCreateRequest struct {
	AccountRequest
	Workflow struct {
		BusinessRequest
		State              firstState    `json:"state,omitempty" default:"STARTED"`
		PreviousWorkflowID id.WorkflowID `json:"previous_workflow_id,omitzero" doc:"An ENDED workflow of the business. The first calculation takes over its approvals that still hold: the same document, entity, text, identity and bound facts, and still valid."`
		ExternalIDField
		CustomField
	} `json:"workflow"`
}

func workflowCreate(ctx context.Context, r *store.Records, in *workflowCreateRequest) (WorkflowRequest, error) {
	state := domain.Started
	if in.Workflow.State != "" {
		state = domain.State(in.Workflow.State)
	}
	w, err := r.Workflows.Create(ctx, in.AccountID, in.Workflow.BusinessID, domain.NewWorkflow{
		State: state, ExternalID: (*string)(in.Workflow.ExternalID.Value), PreviousWorkflowID: in.Workflow.PreviousWorkflowID, Custom: in.Workflow.values(),
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

func (in *workflowUpdateRequest) warn() []refusal.Warning {
	return nothingToUpdate("workflow", in.Workflow)
}

func workflowUpdate(ctx context.Context, r *store.Records, in *workflowUpdateRequest) (wire.Empty, error) {
	var external **string
	if in.Workflow.ExternalID.Sent {
		external = new((*string)(in.Workflow.ExternalID.Value))
	}
	return wire.Empty{}, r.Workflows.Update(ctx, in.WorkflowID, external, in.Workflow.change())
}

func workflowStart(ctx context.Context, r *store.Records, in *WorkflowRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Workflows.Start(ctx, in.WorkflowID)
}

type workflowCompleteRequest struct {
	WorkflowRequest
	Strict bool `json:"strict,omitempty" doc:"Refuse, where the answer would have warnings other than FINDINGS_OPEN for findings of kind REVIEW."`
}

func workflowComplete(ctx context.Context, r *store.Records, in *workflowCompleteRequest) (wire.Empty, []refusal.Warning, error) {
	warnings, err := r.Workflows.Complete(ctx, in.WorkflowID, in.Strict)
	return wire.Empty{}, warnings, err
}

// ListedWorkflow is a workflow without its findings.
type ListedWorkflow struct {
	WorkflowID id.WorkflowID `json:"workflow_id"`
	AccountID  id.AccountID  `json:"account_id"`
	BusinessID id.BusinessID `json:"business_id"`

	PreviousWorkflowID id.WorkflowID `json:"previous_workflow_id,omitzero" doc:"The workflow whose approvals the first calculation takes over."`

	ExternalIDOnRecord
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

	Documents documentCounts `json:"documents" doc:"How many required documents have each status. Nothing is open when documents_calculated_at is set, documents_stale is false, and pending and needs_review are 0."`
}

type workflowData struct {
	ListedWorkflow
	RuleVersionID id.RuleSetVersionID `json:"rule_version_id,omitzero" doc:"The version of the account's rules that is in force for this workflow today; once it has ENDED, the one that its last calculation used. Absent where there is none."`

	Findings []findingData `json:"findings" nullable:"false" doc:"What the last calculation found by the rules, and the documents that hold up the application today. Findings advise: they change no state."`
}

// findingData is a finding of a rule, or of a document that holds up its application.
type findingData struct {
	FindingCode string                    `json:"finding_code" doc:"That of the rule, or DOCUMENT_OPEN or DOCUMENT_OVERDUE of a document with hold."`
	Kind        requirement.FindingKind   `json:"kind"`
	Message     string                    `json:"message,omitempty" doc:"The text of the rule."`
	EntityType  string                    `json:"entity_type,omitempty"`
	EntityID    string                    `json:"entity_id,omitempty"`
	EntityName  string                    `json:"entity_name,omitempty"`
	Reasons     []document.DocumentReason `json:"reasons,omitempty" nullable:"false" doc:"Why the rule found it. For the platform, not for applicants."`

	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id,omitzero" doc:"The document that holds up the application. Such a finding has no message, entity and reasons."`

	Since fact.Date `json:"since" format:"date" doc:"The day in the account's time zone: on which it was first found; of DOCUMENT_OPEN, on which the document was required, restored, or made PENDING by expiry or renewal, or the first after valid_until; of DOCUMENT_OVERDUE, the first after due_on."`
}

func findingsView(findings []calculation.Finding) []findingData {
	list := make([]findingData, len(findings))
	for i, f := range findings {
		list[i] = findingData{
			FindingCode: f.FindingCode, Kind: f.Kind, Message: f.Message, EntityType: f.EntityType, EntityID: f.EntityID, Reasons: f.Reasons,
			RequiredDocumentID: f.RequiredDocumentID, Since: f.Since,
		}
	}
	return list
}

type documentCounts struct {
	Pending     int `json:"pending"`
	NeedsReview int `json:"needs_review"`
	Completed   int `json:"completed"`
	Waived      int `json:"waived"`
	Inactive    int `json:"inactive"`
	Overdue     int `json:"overdue" doc:"How many are PENDING and were due before today, in the account's time zone."`
}

func workflowView(r *store.Records, w domain.StoredWorkflow) ListedWorkflow {
	var score *wire.Exact
	if w.EvaluationScore != nil {
		score = &wire.Exact{Number: *w.EvaluationScore}
	}
	return ListedWorkflow{
		WorkflowID: w.WireID(),
		AccountID:  r.Environment().Account(w.AccountID),
		BusinessID: id.BusinessID{UUID: w.BusinessID},

		ExternalIDOnRecord: ExternalIDOnRecord{w.ExternalID},
		PreviousWorkflowID: id.WorkflowID{UUID: w.PreviousWorkflowID.UUID},

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
		Documents: documentCounts{
			Pending: w.Pending, NeedsReview: w.NeedsReview, Completed: w.Completed, Waived: w.Waived, Inactive: w.Inactive, Overdue: w.Overdue,
		},
	}
}

func workflowGet(ctx context.Context, r *store.Records, in *WorkflowRequest) (workflowData, error) {
	w, err := r.Workflows.WithFindings(ctx, in.WorkflowID)
	return workflowData{workflowView(r, w.StoredWorkflow), id.RuleSetVersionID{UUID: w.RuleSetID.UUID}, findingsView(w.Findings)}, err
}

type deadlinesApplyData struct {
	Expired    int64 `json:"expired" doc:"How many approvals have lapsed with their evidence."`
	RenewalDue int64 `json:"renewal_due" doc:"How many approvals have lapsed because it is time to renew them."`
	Overdue    int64 `json:"overdue" doc:"How many documents became overdue."`
	Expiring   int64 `json:"expiring" doc:"How many reminders of approvals that lapse soon were sent."`
}

func deadlinesApply(ctx context.Context, r *store.Records, in *WorkflowRequest) (deadlinesApplyData, error) {
	brought, err := r.Documents.ApplyDeadlines(ctx, in.WorkflowID)
	return deadlinesApplyData{brought.Expired, brought.RenewalDue, brought.Overdue, brought.Expiring}, err
}

type workflowListRequest struct {
	AccountRequest
	Filters struct {
		BusinessID id.BusinessID `json:"business_id,omitzero"`
		State      domain.State  `json:"state,omitempty"`
		ExternalID externalID    `json:"external_id,omitempty"`

		DocumentsStale *bool `json:"documents_stale,omitempty" doc:"Only workflows with this documents_stale, which a workflow has from its first calculation on."`
		OpenDocuments  *bool `json:"open_documents,omitempty" doc:"Whether documents.pending or documents.needs_review is more than 0."`
		Overdue        *bool `json:"overdue,omitempty" doc:"Whether documents.overdue is more than 0."`
	} `json:"filters,omitempty"`
	Page page `json:"page,omitempty"`
}

func (in *workflowListRequest) check() []refusal.Field { return checkAfter[id.WorkflowID](in.Page) }

type workflowListData struct {
	Workflows []ListedWorkflow `json:"workflows" nullable:"false"`
	Next      *string          `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func workflowList(ctx context.Context, r *store.Records, in *workflowListRequest) (workflowListData, error) {
	filter := domain.WorkflowFilter{
		BusinessID: in.Filters.BusinessID, State: in.Filters.State, ExternalID: string(in.Filters.ExternalID),
		DocumentsStale: in.Filters.DocumentsStale, Open: in.Filters.OpenDocuments, Overdue: in.Filters.Overdue,
	}
	found, next, err := r.Workflows.List(ctx, in.AccountID, filter, in.Page.page())
	data := workflowListData{Workflows: []ListedWorkflow{}}
	for _, w := range found {
		data.Workflows = append(data.Workflows, workflowView(r, w))
	}
	if next != "" {
		data.Next = &next
	}
	return data, err
}

func pricingCalculate(ctx context.Context, s *Server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculationJob(c, in.WorkflowID, workflows.Pricing, workflows.StartPricing, "workflow.get"))
}

// calculationJob returns a job about one workflow.
func calculationJob(c *caller, workflowID id.WorkflowID, kind workflows.Kind, start func(workflows.Request) workflows.Start, shownBy string) job {
	return job{
		kind: kind, shownBy: shownBy,
		find: func(ctx context.Context, r *store.Records) (workflows.Start, error) {
			w, err := r.Workflows.Get(ctx, workflowID)
			return start(workflows.Request{Call: c.call, AccountID: r.Environment().Account(w.AccountID), WorkflowID: workflowID}), err
		},
		// The result of a run has details for operators. The response omits them.
		reply: func(result json.RawMessage) (wire.Reply, error) {
			var found struct {
				Warnings []refusal.Warning    `json:"warnings"`
				Decision *refusal.DecisionRef `json:"decision"`
			}
			err := json.Unmarshal(result, &found)
			return wire.Reply{Data: wire.Empty{}, Warnings: found.Warnings, Decision: found.Decision}, err
		},
	}
}
