package postgres

import (
	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
)

// after parses the cursor that a page begins at, in a list with the newest first.
func after(p domain.Page, prefix id.Prefix) (uuid.UUID, error) {
	return afterFrom(p, prefix, uuid.Max)
}

// afterFrom is after for a list that begins at first.
func afterFrom(p domain.Page, prefix id.Prefix, first uuid.UUID) (uuid.UUID, error) {
	if p.After == "" {
		return first, nil
	}
	u, err := id.Parse(prefix, p.After)
	if err != nil {
		return uuid.Nil, refusal.Fields(refusal.Field{Field: "page.after", Message: "Use the next value of an earlier response."})
	}
	return u, nil
}
