package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/clientmodel"
)

// chapter is a part of the documentation: its name is the tag of its operations, and it has a page
// that lists them.
type chapter struct {
	Name, Path, About string
	Groups            []chapterGroup
}

// chapterGroup lists operations in the order of the navigation. A group without a name is the chapter's
// main subject.
type chapterGroup struct {
	Name       string
	Operations []string
}

// onboardingStep is an operation of the main job, with the fields that its page shows first.
type onboardingStep struct {
	Operation     string
	Request, Data []string
}

// onboarding is the main job, in the order of the work.
var onboarding = []onboardingStep{
	{
		"business.create",
		[]string{
			"account_id", "business", "business.legal_name", "business.external_id", "business.address", "business.address.country", "business.custom",
			"persons", "persons[].first_name", "persons[].last_name", "persons[].ownership_percentage", "sales_info",
		},
		[]string{"business_id", "person_ids", "sales_info_id"},
	},
	{"workflow.create", []string{"account_id", "workflow", "workflow.business_id", "workflow.state"}, []string{"workflow_id"}},
	{"workflow.pricing.calculate", []string{"workflow_id"}, nil},
	{"workflow.requiredDocument.calculate", []string{"workflow_id"}, nil},
	{"business.update", []string{"business_id", "business", "business.custom", "business.no_persons_attested"}, nil},
	{"person.create", []string{"business_id", "persons", "persons[].first_name", "persons[].last_name", "persons[].ownership_percentage"}, []string{"person_ids"}},
	{"person.update", []string{"person_id", "person", "person.date_of_birth", "person.ownership_percentage", "person.custom"}, nil},
	{
		"business.salesInfo.create",
		[]string{
			"business_id", "sales_info", "sales_info.sales_amount", "sales_info.sales_amount[].type", "sales_info.sales_amount[].value",
			"sales_info.sales_amount[].currency", "replaces",
		},
		[]string{"sales_info_id"},
	},
	{
		"workflow.requiredDocument.list",
		[]string{"workflow_id"},
		[]string{
			"required_documents", "required_documents[].required_document_id", "required_documents[].document_type_code", "required_documents[].name",
			"required_documents[].explanation", "required_documents[].entity_type", "required_documents[].entity_id", "required_documents[].status",
			"required_documents[].any_of", "required_documents[].decision_id",
		},
	},
	{
		"workflow.requiredDocument.update",
		[]string{
			"required_document_id", "required_document", "required_document.status", "required_document.evidence",
			"required_document.evidence[].document_type_code", "required_document.evidence[].reference", "required_document.evidence[].issued_on",
			"required_document.evidence[].expires_on", "required_document.reviewed_by", "decision_id",
		},
		nil,
	},
	{"workflow.get", []string{"workflow_id"}, []string{"state", "documents", "documents.pending", "documents.needs_review", "documents.completed", "documents_stale", "findings"}},
	{"workflow.complete", []string{"workflow_id", "strict"}, nil},
}

// What else than operations these parts have is in makeSite.
const (
	reviewsPage  = "/docs/rules-and-reviews"
	webhooksPage = "/docs/webhooks"
	webhooksPart = "Webhooks when something is wrong"
)

// chapters are the parts of the documentation. Each operation is in one group.
func chapters() []chapter {
	var main chapterGroup
	for _, step := range onboarding {
		main.Operations = append(main.Operations, step.Operation)
	}
	return []chapter{
		{
			"Onboarding", "/docs/onboarding",
			"From an applicant to the documents that it must bring, reviewed: twelve operations, in the order of the work.",
			[]chapterGroup{
				main,
				{"More on records", []string{
					"business.get", "business.list", "business.salesInfo.delete", "person.get", "person.list", "person.delete",
					"workflow.start", "workflow.update", "workflow.list", "account.get", "account.list", "account.fact.list",
					"meta.whoami", "meta.checkVersion",
				}},
			},
		},
		{
			"Rules and reviews", reviewsPage,
			"Publish the rules that decide, see what a draft would change, and read or correct what was decided.",
			[]chapterGroup{
				{"Rules", []string{
					"account.documentRules.validate", "account.documentRules.preview", "account.documentRules.publish",
					"account.documentRules.get", "account.documentRules.list",
					"account.documentRules.proposal.create", "account.documentRules.proposal.get", "account.documentRules.proposal.list",
					"account.documentRules.proposal.approve", "account.documentRules.proposal.reject",
					"account.recalculation.start", "account.recalculation.get", "account.recalculation.cancel",
				}},
				{"Reviews", []string{
					"workflow.requiredDocument.get", "workflow.requiredDocument.create", "workflow.requiredDocument.waive",
					"workflow.decision.list", "workflow.decision.get", "workflow.deadlines.apply",
				}},
			},
		},
		{
			webhooksPart, webhooksPage,
			"Find out why a webhook did not arrive, and send it again. Here are also the operations that set up keys and endpoints.",
			[]chapterGroup{
				{"Send again", []string{
					"webhook.delivery.retry", "webhook.delivery.recover", "webhook.config.flush", "webhook.event.replay", "webhook.event.replayed",
				}},
				{"Deliveries and events", []string{
					"webhook.delivery.list", "webhook.delivery.get", "webhook.delivery.cancel", "webhook.event.list", "webhook.event.get",
				}},
				{"Endpoints", []string{
					"webhook.config.create", "webhook.config.get", "webhook.config.list", "webhook.config.update", "webhook.config.delete", "webhook.config.test",
				}},
				{"Keys", []string{"webhook.key.create", "webhook.key.activate", "webhook.key.get", "webhook.key.list", "webhook.key.delete"}},
			},
		},
	}
}

// tag is the name of the chapter that an operation is in; empty if it is in none.
func (o operation) tag() string {
	for _, c := range chapters() {
		if slices.ContainsFunc(c.Groups, func(g chapterGroup) bool { return slices.Contains(g.Operations, o.Name) }) {
			return c.Name
		}
	}
	return ""
}

// tags describes the chapters.
func tags() (all []*huma.Tag) {
	for _, c := range chapters() {
		all = append(all, &huma.Tag{Name: c.Name, Description: c.About})
	}
	return all
}

// operations describes the operations of the chapters, by name. Each published operation must be in
// exactly one group.
func (a *API) operations(api *huma.OpenAPI, calls *clientmodel.Snippets) (map[string]*pageOperation, error) {
	described := map[string]*pageOperation{}
	for _, o := range a.published {
		shown, err := a.pageOperation(api, calls, o)
		if err != nil {
			return nil, err
		}
		described[o.Name] = shown
	}
	for _, c := range chapters() {
		for _, g := range c.Groups {
			for i, name := range g.Operations {
				o := described[name]
				if o == nil || o.Chapter.Name != "" {
					return nil, fmt.Errorf("the part %s of the documentation names %s, which does not exist or stands there twice", c.Name, name)
				}
				if o.Chapter = c; g.Name != "" {
					continue
				}
				if o.Step = i + 1; i > 0 {
					o.Before = g.Operations[i-1]
				}
				if i+1 < len(g.Operations) {
					o.After = g.Operations[i+1]
				}
			}
		}
	}
	for name, o := range described {
		if o.Chapter.Name == "" {
			return nil, fmt.Errorf("the operation %s is in no part of the documentation: add it to chapters", name)
		}
		i := slices.IndexFunc(onboarding, func(s onboardingStep) bool { return s.Operation == name })
		if i < 0 {
			o.Request, o.Data = o.Request.fold(), o.Data.fold()
			continue
		}
		step := onboarding[i]
		var err error
		if o.Request, err = o.Request.first(step.Request); err == nil {
			o.Data, err = o.Data.first(step.Data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.Operation, err)
		}
	}
	return described, nil
}

// pageFields are the fields of a request or an answer: those of the main use, and all others.
type pageFields struct{ Main, More []pageField }

// Of a request or an answer with more fields, those below the second level are folded.
const longTable = 60

// fold folds the fields below the second level if there are many.
func (f pageFields) fold() pageFields {
	if len(f.Main) <= longTable {
		return f
	}
	var folded pageFields
	for _, field := range f.Main {
		if strings.Count(field.Name, ".") > 1 {
			folded.More = append(folded.More, field)
		} else {
			folded.Main = append(folded.Main, field)
		}
	}
	return folded
}

// first moves fields of the main use to the beginning. Without names all fields stay where they are.
func (f pageFields) first(names []string) (pageFields, error) {
	if len(names) == 0 {
		return f, nil
	}
	var sorted pageFields
	for _, name := range names {
		i := slices.IndexFunc(f.Main, func(field pageField) bool { return field.Name == name })
		if i < 0 {
			return f, fmt.Errorf("there is no field %s", name)
		}
		sorted.Main = append(sorted.Main, f.Main[i])
	}
	for _, field := range f.Main {
		if !slices.Contains(names, field.Name) {
			sorted.More = append(sorted.More, field)
		}
	}
	return sorted, nil
}
