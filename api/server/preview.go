package server

import (
	"context"

	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

type rulesPreviewRequest struct {
	WorkflowRequest
	Rules *wire.Raw `json:"rules,omitempty" doc:"A rule set to try; without it, the one in force."`
	tried engine.Checked
}

func (in *rulesPreviewRequest) checkOn(ctx context.Context, s *Server, c *caller) ([]refusal.Field, error) {
	if in.Rules == nil {
		return nil, nil
	}
	tried := RuleSetField{Rules: *in.Rules}
	problems, err := tried.checkOn(ctx, s, c)
	in.tried = tried.checked
	return problems, err
}

// rulesPreviewData describes what a calculation would change. Lists are never null.
type rulesPreviewData struct {
	Added    []previewedDocument `json:"added" nullable:"false"`
	Kept     []previewedDocument `json:"kept" nullable:"false"`
	Restored []previewedDocument `json:"restored" nullable:"false"`
	Removed  []previewedDocument `json:"removed" nullable:"false"`
	Missing  []fact.Gap          `json:"missing" nullable:"false" doc:"As the details of MISSING_REQUIREMENTS; when there are any, nothing would change."`
}

// previewedDocument has an id only if the document is on record.
type previewedDocument struct {
	RequiredDocumentID string                       `json:"required_document_id,omitempty"`
	DocumentTypeCode   string                       `json:"document_type_code"`
	Name               string                       `json:"name"`
	Category           string                       `json:"category"`
	RequirementText    string                       `json:"requirement_text"`
	EntityType         string                       `json:"entity_type"`
	EntityID           string                       `json:"entity_id"`
	Status             requirement.Status           `json:"status"`
	Reasons            []requirement.DocumentReason `json:"reasons" nullable:"false"`
}

func rulesPreview(ctx context.Context, s *Server, c *caller, in *rulesPreviewRequest) (wire.Reply, error) {
	var version *string
	if in.tried.Program != nil {
		version = new(string) // unpublished rules have no version
		if err := s.store.Records(c.call.Scope).CheckDeclarationsFor(ctx, in.WorkflowID, in.tried.Content); err != nil {
			return wire.Reply{}, err
		}
	}
	evaluate := func(ctx context.Context, snapshot calculation.Snapshot) (requirement.Result, error) {
		return s.rules.Preview(ctx, s.slotPatience, in.tried.Program, "", snapshot)
	}
	preview, err := s.store.Preview(ctx, c.call.Scope, in.WorkflowID, version, evaluate)
	if preview.AccountID != uuid.Nil {
		c.accountID = id.Account(c.call.Scope.Environment.Prefix(), preview.AccountID).String()
	}
	if err != nil {
		return wire.Reply{}, err
	}
	data := rulesPreviewData{
		Added:    previewed(preview.Changes.Added),
		Kept:     previewed(preview.Changes.Kept),
		Restored: previewed(preview.Changes.Restored),
		Removed:  previewed(preview.Changes.Removed),
		Missing:  preview.Gaps,
	}
	if data.Missing == nil {
		data.Missing = []fact.Gap{}
	}
	return wire.Reply{Data: data}, nil
}

func previewed(documents []requirement.Document) []previewedDocument {
	list := make([]previewedDocument, len(documents))
	for i, d := range documents {
		list[i] = previewedDocument{
			d.ID, d.DocumentTypeCode, d.Name, d.Category, d.RequirementText, d.EntityType, d.EntityID, d.Status, d.Reasons,
		}
	}
	return list
}
