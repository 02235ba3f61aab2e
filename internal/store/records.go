package store

import (
	"requisite/internal/domain"
	"requisite/internal/id"
)

// Records reads and writes the records of one scope. It finds no record of another scope. Each
// field is a room: the records of one kind. All rooms share one unit. A room calls only rooms that
// are declared before it.
type Records struct {
	*unit
	Tenants        Tenants
	Facts          Facts
	Businesses     Businesses
	Persons        Persons
	Applicants     Applicants
	Workflows      Workflows
	Decisions      Decisions
	Documents      Documents
	Recalculations Recalculations
	Rules          Rules
	Webhooks       Webhooks
	Previews       Previews
}

func newRecords(u *unit) *Records {
	return &Records{
		unit:           u,
		Tenants:        u.tenants(),
		Facts:          u.facts(),
		Businesses:     u.businesses(),
		Persons:        u.persons(),
		Applicants:     u.applicants(),
		Workflows:      u.workflows(),
		Decisions:      u.decisions(),
		Documents:      u.documents(),
		Recalculations: u.recalculations(),
		Rules:          u.rules(),
		Webhooks:       u.webhooks(),
		Previews:       u.previews(),
	}
}

// Records returns the records of a scope, for reading.
func (s *Store) Records(scope domain.Scope) *Records { return newRecords(s.reading(scope)) }

// reading is a unit without a transaction, which only reads.
func (b *base) reading(scope domain.Scope) *unit {
	return &unit{
		q: b.db.Scoped(scope), scope: scope, at: b.db.Clock(), clock: b.db.Clock,
		quotas: b.quotas, counts: &b.counts, account: new(id.UUID),
	}
}
