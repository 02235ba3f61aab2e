package server

import (
	"context"
	"errors"
	"slices"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/author"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/document"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

type rulesPreviewRequest struct {
	WorkflowRequest
	Rules     *wire.Raw           `json:"rules,omitempty" doc:"A rule set to try; without it and version_id, the one in force. Its examples may fail."`
	VersionID id.RuleSetVersionID `json:"version_id,omitzero" doc:"A version of the account's rules to try."`
	AsOf      *fact.Date          `json:"as_of,omitempty" format:"date" doc:"The day at which days are counted: today in the account's time zone, or later."`
	tried     engine.Checked
}

func (in *rulesPreviewRequest) checkOn(ctx context.Context, s *Server, c *caller) ([]refusal.Field, error) {
	if in.Rules == nil {
		return nil, nil
	}
	if !in.VersionID.IsZero() {
		return []refusal.Field{refusal.At("version_id", refusal.NotAllowed, "Give rules or version_id, not both.")}, nil
	}
	tried := RuleSetRequest{Rules: *in.Rules}
	problems, err := tried.checkDraft(ctx, s, c, author.Today()) // a preview answers no warnings
	in.tried = tried.checked
	return problems, err
}

// RulesPreviewData describes what a calculation would change. Lists are never null.
type RulesPreviewData struct {
	document.ByChange[[]previewedDocument, []previewedDocument]

	Findings previewedFindings `json:"findings" doc:"The findings of the rules."`

	Rules []previewedRule `json:"rules" nullable:"false" doc:"Every rule, also one that gives nobody a document. Empty where facts are missing."`

	Missing []fact.Gap `json:"missing" nullable:"false" doc:"As the details of MISSING_REQUIREMENTS; when there are any, nothing would change."`

	FailingExamples []requirement.FailingExample `json:"failing_examples" nullable:"false" doc:"The examples of rules that fail. account.documentRules.publish refuses them."`
}

// previewedRule counts what a rule would change.
type previewedRule struct {
	DocumentTypeCode string                  `json:"document_type_code,omitempty"`
	FindingCode      string                  `json:"finding_code,omitempty"`
	Kind             requirement.FindingKind `json:"kind,omitempty" doc:"Of a finding."`
	EntityType       string                  `json:"entity_type"`
	Rule             string                  `json:"rule" doc:"The condition."`
	Required         int                     `json:"required" doc:"How many documents would be required, or findings found."`
	Added            int                     `json:"added"`
	Kept             int                     `json:"kept"`
	Restored         int                     `json:"restored"`
	Removed          int                     `json:"removed"`
	Reopened         int                     `json:"reopened"`
	OverdueAtOnce    int                     `json:"overdue_at_once" doc:"How many documents would be overdue, and are not now."`
}

// previewedRules counts the changes by rule.
func previewedRules(preview calculation.Preview) []previewedRule {
	report := changes.NewReport(0, preview.Rules, nil)
	report.Add(changes.Application{Changes: changes.OfDocuments(preview.Changes)})
	list := []previewedRule{}
	for _, r := range report.Sum().Rules {
		list = append(list, previewedRule{
			r.DocumentTypeCode, r.FindingCode, r.FindingKind, r.EntityType, r.Rule, r.Required,
			r.Added.Count, r.Kept.Count, r.Restored.Count, r.Removed.Count, r.Reopened.Count, r.OverdueAtOnce.Count,
		})
	}
	return list
}

// previewedFindings are the findings that a calculation would leave, and those that it would begin and end.
type previewedFindings struct {
	Now     []findingData `json:"now" nullable:"false" doc:"All that would be found, those on record with the day since which they are."`
	Added   []findingData `json:"added" nullable:"false"`
	Removed []findingData `json:"removed" nullable:"false"`
}

// previewedDocument has an id only if the document is on record.
type previewedDocument struct {
	RequiredDocumentID string          `json:"required_document_id,omitempty"`
	DocumentTypeCode   string          `json:"document_type_code"`
	Name               string          `json:"name"`
	Category           string          `json:"category"`
	RequirementText    string          `json:"requirement_text"`
	Explanation        string          `json:"explanation,omitempty" doc:"Why the document is needed, in words for the applicant."`
	EntityType         string          `json:"entity_type"`
	EntityID           string          `json:"entity_id"`
	EntityName         string          `json:"entity_name,omitempty"`
	Status             document.Status `json:"status"`
	document.StatusCause
	Reasons     []document.DocumentReason `json:"reasons" nullable:"false"`
	TextChanged bool                      `json:"text_changed,omitempty" doc:"In kept: the document would demand something else than it does now."`
}

func rulesPreview(ctx context.Context, s *Server, c *caller, in *rulesPreviewRequest) (wire.Reply, error) {
	var rules store.Tried
	if in.tried.Program != nil {
		rules.Draft = in.tried.Content
		if err := s.store.Records(c.call.Scope).Rules.CheckFor(ctx, in.WorkflowID, in.tried.Content); err != nil {
			return wire.Reply{}, err
		}
	}
	evaluate := func(ctx context.Context, snapshot calculation.Snapshot) (requirement.Result, error) {
		return s.rules.Preview(ctx, s.slotPatience, in.tried.Program, "", snapshot)
	}
	if !in.VersionID.IsZero() {
		chosen, err := s.versionOfWorkflow(ctx, c, in.WorkflowID, in.VersionID)
		if err != nil {
			return wire.Reply{}, err
		}
		rules.VersionID = in.VersionID
		evaluate = func(ctx context.Context, snapshot calculation.Snapshot) (requirement.Result, error) {
			snapshot.RuleSet = &chosen
			return s.rules.Preview(ctx, s.slotPatience, nil, "", snapshot)
		}
	}
	var asOf fact.Date
	if in.AsOf != nil {
		asOf = *in.AsOf
	}
	preview, err := s.store.Preview(ctx, c.call.Scope, in.WorkflowID, rules, asOf, evaluate)
	if preview.AccountID != id.Nil {
		c.accountID = id.Account(c.call.Scope.Environment.Prefix(), preview.AccountID).String()
	}
	if errors.Is(err, store.ErrPast) {
		return wire.Reply{}, refusal.Fields(refusal.At("as_of", refusal.NotAllowed, "This may not be before today in the account's time zone."))
	}
	if err != nil {
		return wire.Reply{}, err
	}
	data := PreviewData(preview, in.tried.Failing)
	return wire.Reply{Data: &data}, nil
}

// PreviewData is the data of account.documentRules.preview.
func PreviewData(preview calculation.Preview, failing []requirement.FailingExample) RulesPreviewData {
	data := RulesPreviewData{
		ByChange: document.MapChanges(preview.Changes.ByChange, previewed, previewed),

		Findings: previewedFindings{
			Now: ofRules(preview.Changes.Findings.Now), Added: ofRules(preview.Changes.Findings.Added), Removed: ofRules(preview.Changes.Findings.Removed),
		},

		Rules: previewedRules(preview),

		Missing: preview.Gaps,

		FailingExamples: append([]requirement.FailingExample{}, failing...),
	}
	for i, kept := range data.Kept {
		isKept := func(d document.Document) bool { return d.ID == kept.RequiredDocumentID }
		data.Kept[i].TextChanged = slices.ContainsFunc(preview.Changes.TextChanged, isKept)
	}
	if data.Missing == nil {
		data.Missing = []fact.Gap{}
	}
	return data
}

func ofRules(findings []document.Finding) []findingData {
	list := make([]calculation.Finding, len(findings))
	for i, f := range findings {
		list[i].Finding = f
	}
	return findingsView(list)
}

func previewed(documents []document.Document) []previewedDocument {
	list := make([]previewedDocument, len(documents))
	for i, d := range documents {
		list[i] = previewedDocument{
			RequiredDocumentID: d.ID, DocumentTypeCode: d.DocumentTypeCode, Name: d.Name, Category: d.Category, RequirementText: d.RequirementText,
			Explanation: d.Explanation, EntityType: d.EntityType, EntityID: d.EntityID, Status: d.Status, StatusCause: d.Cause(), Reasons: d.Reasons,
		}
	}
	return list
}

// versionOfWorkflow is a version of the rules of the workflow's account.
func (s *Server) versionOfWorkflow(ctx context.Context, c *caller, workflowID id.WorkflowID, versionID id.RuleSetVersionID) (calculation.VersionRef, error) {
	r := s.store.Records(c.call.Scope)
	w, err := r.Workflows.Get(ctx, workflowID)
	if err != nil {
		return calculation.VersionRef{}, err
	}
	found, err := r.Rules.Version(ctx, c.call.Scope.Environment.Account(w.AccountID), versionID)
	return calculation.VersionRef{ID: found.ID, WireID: found.WireID().String()}, err
}
