package postgres

import (
	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/refusal"
)

// Page asks for at most Limit records that were made before After, a wire id;
// newest first. An empty After begins at the newest.
type Page struct {
	Limit int
	After string
}

// after reads where a page begins.
func after(p Page, prefix id.Prefix) (uuid.UUID, error) {
	if p.After == "" {
		return uuid.Max, nil
	}
	u, err := id.Parse(prefix, p.After)
	if err != nil {
		return uuid.Nil, refusal.Fields(refusal.Field{Field: "page.after", Message: "This must be the value of next of an earlier answer."})
	}
	return u, nil
}
