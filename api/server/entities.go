package server

import (
	"context"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/fact"
)

// This file adds the names of persons and businesses to an answer. A name is personal data that a
// deletion or an erasure removes. So runs, decisions, stored outcomes and events have ids only.

// seeEntity gets what a part of an answer is about, and where its name goes.
type seeEntity func(entityType, entityID string, name *string)

// aboutEntities is an answer with parts that are about persons or businesses.
type aboutEntities interface{ entities(see seeEntity) }

func (d *documentData) entities(see seeEntity) { see(d.EntityType, d.EntityID, &d.EntityName) }

func (d *documentsListData) entities(see seeEntity) {
	for i := range d.RequiredDocuments {
		d.RequiredDocuments[i].entities(see)
	}
}

func (d *workflowData) entities(see seeEntity) { findingEntities(d.Findings, see) }

func (d *RulesPreviewData) entities(see seeEntity) {
	for _, list := range [][]previewedDocument{d.Added, d.Kept, d.Restored, d.Removed, d.Reopened, d.Reinstated, d.Carried} {
		for i := range list {
			see(list[i].EntityType, list[i].EntityID, &list[i].EntityName)
		}
	}
	for _, list := range [][]findingData{d.Findings.Now, d.Findings.Added, d.Findings.Removed} {
		findingEntities(list, see)
	}
	gaps(d.Missing).entities(see)
}

func findingEntities(findings []findingData, see seeEntity) {
	for i := range findings {
		see(findings[i].EntityType, findings[i].EntityID, &findings[i].EntityName)
	}
}

// gaps are the gaps of an answer.
type gaps []fact.Gap

func (g gaps) entities(see seeEntity) {
	for i := range g {
		see(g[i].EntityType, g[i].EntityID, &g[i].EntityName)
		gaps(g[i].PricingMissing).entities(see)
	}
}

// withNames are the types of records that have a name, and how their ids begin.
var withNames = map[string]id.Prefix{fact.EntityBusiness: id.Business, fact.EntityPerson: id.Person}

// nameEntities adds the names that are on file to an answer, if the caller may read them.
func (s *Server) nameEntities(ctx context.Context, c *caller, answer any) error {
	about, is := answer.(aboutEntities)
	if !is || !c.credential.Permissions.Has(domain.PermissionRead) {
		return nil
	}
	ids := map[string][]string{} // by type
	about.entities(func(entityType, entityID string, _ *string) { ids[entityType] = append(ids[entityType], entityID) })
	if len(ids[fact.EntityBusiness])+len(ids[fact.EntityPerson]) == 0 {
		return nil
	}
	names, err := s.store.Records(c.call.Scope).Applicants.Names(ctx, ids[fact.EntityBusiness], ids[fact.EntityPerson])
	if err != nil {
		return err
	}
	about.entities(func(entityType, entityID string, name *string) {
		// A gap of a person who is yet to be created has the id of the business.
		if prefix, is := withNames[entityType]; is && strings.HasPrefix(entityID, string(prefix)) {
			*name = names[entityID]
		}
	})
	return nil
}
