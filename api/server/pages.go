package server

import (
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
)

// page selects a page of a list.
type page struct {
	Limit *wire.Integer `json:"limit,omitempty" minimum:"1" maximum:"200" default:"50"`
	After string        `json:"after,omitempty" minLength:"1" maxLength:"64" doc:"The next value of an earlier response."`
}

func (p page) page() domain.Page {
	limit := 50
	if p.Limit != nil {
		limit = int(*p.Limit)
	}
	return domain.Page{Limit: limit, After: p.After}
}

// checkAfter returns the problem of a page of a list of records that ids of this kind name.
func checkAfter[T any, P interface {
	*T
	Parse(text string) error
}](p page) []refusal.Field {
	if p.After == "" || P(new(T)).Parse(p.After) == nil {
		return nil
	}
	return []refusal.Field{store.MalformedAfter()}
}
