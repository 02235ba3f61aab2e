package server

import (
	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/requests/wire"
)

// externalID is the caller's own id of a record. It may be personal, so it is of a type that
// idsIn does not log.
type externalID string

func (externalID) Schema(huma.Registry) *huma.Schema {
	shortest, longest := 1, 64
	return &huma.Schema{
		Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest,
		Pattern: "^[!-~]+$", PatternDescription: "printable ASCII without blanks",
	}
}

// ExternalIDField is the external_id of a record in a request.
type ExternalIDField struct {
	ExternalID wire.Optional[externalID] `json:"external_id,omitempty" doc:"Your own id of the record, unique in the account (business, workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries it."`
}

// ExternalIDOnRecord is the external_id of a record in an answer: null where it has none.
type ExternalIDOnRecord struct {
	ExternalID *string `json:"external_id"`
}

type externalIDFilter struct {
	ExternalID externalID `json:"external_id,omitempty"`
}

func (f ExternalIDField) apply(target **string) {
	if f.ExternalID.Sent {
		*target = (*string)(f.ExternalID.Value)
	}
}
