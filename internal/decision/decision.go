// Package decision has the record of decisions about an application, with their reasons and
// makers: its form, the digests that chain it, and the check of that chain. It reads no
// database and no clock.
//
// A record is a chain of decisions for each workflow, numbered from 1. Each digest covers all
// fields of its decision and the digest before it. Personal data stands in it only as a salted
// hash, so that it can be erased without breaking the chain.
package decision

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Kind is the kind of a decision.
type Kind string

// The kinds of decisions.
const (
	Calculation    Kind = "CALCULATION"
	Pricing        Kind = "PRICING"
	DocumentStatus Kind = "DOCUMENT_STATUS"
	Erasure        Kind = "ERASURE"
)

// Kinds lists all of them.
func Kinds() []Kind { return []Kind{Calculation, Pricing, DocumentStatus, Erasure} }

// Outcome is the outcome of a decision.
type Outcome string

// The outcomes of decisions other than refusals. The outcome of a refusal is its sub-code, or else its code.
const (
	Calculated Outcome = "CALCULATED"
	Priced     Outcome = "PRICED"
	Updated    Outcome = "UPDATED"
	Created    Outcome = "CREATED"
	Waived     Outcome = "WAIVED"
	Expired    Outcome = "EXPIRED"
	Erased     Outcome = "ERASED"
)

// Outcomes lists all of them, and the refusals that are decisions: see refusal.Decided.
func Outcomes() []Outcome {
	return []Outcome{
		Calculated, Priced, Updated, Created, Waived, Expired, Erased, Outcome(refusal.MissingRequirements), Outcome(refusal.RuleNotEvaluable),
	}
}

// Decision is one recorded decision. Its texts are exactly the bytes that were written, because
// digests cover them.
type Decision struct {
	// ID has the time of DecidedAt, to the millisecond.
	ID         id.DecisionID
	WorkflowID id.WorkflowID
	// BusinessID is the business of the workflow. An erasure concerns all workflows of a business.
	BusinessID id.BusinessID
	// Number counts the decisions of a workflow from 1, without gaps.
	Number    int64
	Kind      Kind
	Outcome   Outcome
	DecidedAt time.Time // in microseconds; never before PreviousAt
	// PreviousAt is when the previous decision was made; nil for the first.
	PreviousAt *time.Time
	// AsOf is the account's local date. The rules count ages up to this date.
	AsOf fact.Date
	// SandboxToday reports whether a caller of the sandbox named AsOf.
	SandboxToday bool
	UserID       string
	UserType     string
	TraceID      string
	// RuleSet and PricingModel are nil if the decision used none.
	RuleSet, PricingModel *Version
	// Changes is the JSON of Changes.
	Changes string
	// Results is the JSON of a list of RuleResult without reasons. An erasure has none.
	Results string
	// PersonalSHA256 is the hash of Salt and Personal; nil if the decision never had a personal part.
	PersonalSHA256 []byte
	// PreviousDigest is empty for the first decision.
	PreviousDigest, Digest []byte

	// Personal is the JSON of Personal. An erasure empties Personal and Salt, which has SaltSize bytes.
	Personal string
	Salt     []byte
	// Fingerprint is the result of ComputeFingerprint; nil if Personal is empty.
	Fingerprint []byte
}

// Version is a version of rules or prices that was used, and its hash: see PublishedVersion.
type Version struct {
	ID     id.RuleSetVersionID
	SHA256 []byte
}

// Erased reports whether the personal part was removed. It looks at the fingerprint, because decisions in
// lists have no personal part.
func (d Decision) Erased() bool { return d.PersonalSHA256 != nil && d.Fingerprint == nil }

// afterErasure reports whether the facts say that the business had been erased.
func (d Decision) afterErasure() bool {
	const field = `"erased_at"`
	if !strings.Contains(d.Personal, field) { // decoding a large text takes long
		return false
	}
	var personal struct {
		Facts struct {
			Business struct {
				ErasedAt string `json:"erased_at"`
			} `json:"business"`
		} `json:"facts"`
	}
	return json.Unmarshal([]byte(d.Personal), &personal) == nil && personal.Facts.Business.ErasedAt != ""
}

// name returns the fields with which problems name a decision.
func (d Decision) name() *Decision {
	return &Decision{ID: d.ID, WorkflowID: d.WorkflowID, BusinessID: d.BusinessID, Number: d.Number}
}

// Ref names the decision in answers and events.
func (d Decision) Ref() refusal.DecisionRef {
	return refusal.DecisionRef{DecisionID: d.ID, Digest: Hex(d.Digest)}
}

// Month returns the beginning of the month of t, in UTC. Decisions are pruned by months.
func Month(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// DocumentChanges is calculation.DocumentChanges without empty lists.
type DocumentChanges struct {
	Added      []calculation.DocumentRef `json:"added,omitempty" nullable:"false"`
	Kept       []calculation.DocumentRef `json:"kept,omitempty" nullable:"false"`
	Restored   []calculation.DocumentRef `json:"restored,omitempty" nullable:"false"`
	Removed    []calculation.DocumentRef `json:"removed,omitempty" nullable:"false"`
	Reopened   []calculation.DocumentRef `json:"reopened,omitempty" nullable:"false"`
	Reinstated []calculation.DocumentRef `json:"reinstated,omitempty" nullable:"false"`
	Carried    []calculation.CarriedRef  `json:"carried,omitempty" nullable:"false"`
}

// Changes is what a decision changed. It holds ids, and no personal data.
type Changes struct {
	DocumentChanges
	// Findings are all that a CALCULATION has found.
	Findings []calculation.FindingRef `json:"findings,omitempty"`
	// Score is set for a PRICING.
	Score *rational.Number `json:"evaluation_score,omitempty"`
	// Document is set for a DOCUMENT_STATUS that moved a document by hand.
	Document *calculation.DocumentMove `json:"document,omitempty"`
	// Created is set for a DOCUMENT_STATUS that required a document by hand.
	Created *calculation.DocumentAdded `json:"created,omitempty"`
	// Expired is set for a DOCUMENT_STATUS of the service: approvals have lapsed.
	Expired []calculation.DocumentExpired `json:"expired,omitempty"`
}

// RuleResult is a result of one rule. A rule has one for each entity for which it holds, or a single
// one if it holds for nobody.
type RuleResult struct {
	Rule             string              `json:"rule"`
	DocumentTypeCode string              `json:"document_type_code,omitempty"`
	FindingCode      string              `json:"finding_code,omitempty"`
	EntityType       string              `json:"entity_type,omitempty"`
	EntityID         string              `json:"entity_id,omitempty"`
	Points           *rational.Number    `json:"points,omitempty"`
	Holds            bool                `json:"holds"`
	Reason           *requirement.Reason `json:"reason,omitempty"`
}

// Personal is the part of a decision that an erasure removes.
type Personal struct {
	Facts Facts `json:"facts"`
	// Reasons are the reasons of the results, in the same order; null for a result without one.
	Reasons []*requirement.Reason `json:"reasons,omitempty"`
	Gaps    []fact.Gap            `json:"gaps,omitempty"`
	Error   *RuleError            `json:"error,omitempty"`
	// Statement is set for a DOCUMENT_STATUS that was made by hand.
	Statement *Statement `json:"statement,omitempty"`
}

// Statement is what somebody stated about a document, with the evidence and the text that they saw.
type Statement struct {
	Reason     string              `json:"reason,omitempty" doc:"Why the document was waived."`
	ReviewedBy string              `json:"reviewed_by,omitempty"`
	Note       string              `json:"note,omitempty"`
	Evidence   []document.Evidence `json:"evidence,omitempty" nullable:"false" doc:"The evidence on record then."`
	Approved   *Approved           `json:"approved,omitempty" doc:"What was approved or waived."`
	// Required is set for a CREATED.
	Required *document.ManualText `json:"required,omitempty" doc:"What was required by hand, and why."`
}

// Approved is the text and the identity for which an approval or a waiver holds.
type Approved struct {
	Text      requirement.DocumentText `json:"text"`
	Identity  requirement.Identity     `json:"identity" doc:"As the last calculation saw it; empty for a document of the workflow."`
	VersionID string                   `json:"version_id,omitempty" doc:"The version of the rules that has the text."`
}

// Approve sets Approved if this decision has approved or waived the document.
func (s *Statement) Approve(d document.Document) {
	if a := d.Approval; a != nil && a.DecisionID == "" {
		s.Approved = &Approved{a.Text, a.Identity, d.VersionID()}
	}
}

// Stated is what somebody stated about a document in an earlier decision.
type Stated struct {
	DecisionID         id.DecisionID
	Number             int64
	Outcome            Outcome // Updated, Created or Waived
	DecidedAt          time.Time
	UserID, UserType   string
	RequiredDocumentID id.RequiredDocumentID
	// Statement is nil after an erasure.
	Statement *Statement
}

// Stated returns the statement of a DOCUMENT_STATUS; nil for other kinds.
func (r Recorded) Stated() *Stated {
	stated := &Stated{DecisionID: r.ID, Number: r.Number, Outcome: r.Outcome, DecidedAt: r.DecidedAt, UserID: r.UserID, UserType: r.UserType}
	switch {
	case r.Changed.Document != nil:
		stated.RequiredDocumentID = r.Changed.Document.RequiredDocumentID
	case r.Changed.Created != nil:
		if stated.RequiredDocumentID.Parse(r.Changed.Created.RequiredDocumentID) != nil {
			return nil
		}
	default:
		return nil
	}
	if r.OnFile != nil {
		stated.Statement = r.OnFile.Statement
	}
	return stated
}

// RuleError says why a rule had no answer.
type RuleError struct {
	Code    refusal.SubCode `json:"code" enum:"RULE_NOT_EVALUABLE"`
	Message string          `json:"message"`
}

// Facts is everything that was on file at the time of a decision.
type Facts struct {
	Workflow WorkflowFacts     `json:"workflow"`
	Business view.BusinessData `json:"business"`
	Persons  []view.PersonData `json:"persons" nullable:"false"`
}

// WorkflowFacts are the facts of the workflow and of its account.
type WorkflowFacts struct {
	WorkflowID      id.WorkflowID    `json:"workflow_id"`
	EvaluationScore *rational.Number `json:"evaluation_score,omitempty"`
	Currency        string           `json:"currency"`
	Custom          wire.Custom      `json:"custom"`
}

// Reasons adds the reasons to results. They have none if personal was erased.
func Reasons(results []RuleResult, personal *Personal) []RuleResult {
	if personal == nil {
		return results
	}
	for i := range results {
		if i < len(personal.Reasons) {
			results[i].Reason = personal.Reasons[i]
		}
	}
	return results
}

// Names returns the names of the persons and the business at the time of the decision.
func (f Facts) Names() requirement.Names { return requirement.NamesOf(f.Identities()) }

// Identities returns the identities of all entities that the decision could require a document of.
func (f Facts) Identities() map[requirement.Entity]requirement.Identity {
	identities := map[requirement.Entity]requirement.Identity{
		{Type: fact.EntityWorkflow, ID: f.Workflow.WorkflowID.String()}: {},
		{Type: fact.EntityBusiness, ID: f.Business.BusinessID.String()}: {LegalName: f.Business.LegalName},
	}
	for _, p := range f.Persons {
		identities[requirement.Entity{Type: fact.EntityPerson, ID: p.PersonID.String()}] = requirement.Identity{
			FirstName: orEmpty(p.FirstName), LastName: orEmpty(p.LastName), DateOfBirth: orEmpty(p.DateOfBirth), Citizenship: orEmpty(p.Citizenship),
		}
	}
	return identities
}

// Address is the address of the business as approvals are bound to it.
func (f Facts) Address() string {
	a := f.Business.Address.Value
	if a == nil {
		return ""
	}
	return fact.FoldedAddress(a.Line1, a.Line2, a.City, a.Region, a.PostalCode, a.Country)
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Content is a decision before it is recorded.
type Content struct {
	Kind    Kind
	Outcome Outcome
	Changes Changes
	Results []RuleResult
	Gaps    []fact.Gap
	Error   *RuleError
	// Statement is set for a DOCUMENT_STATUS that is made by hand.
	Statement *Statement
}

// Texts encodes the results and the personal part of a decision.
func (c Content) Texts(facts Facts) (results, personal string, err error) {
	p := Personal{Facts: facts, Gaps: c.Gaps, Error: c.Error, Statement: c.Statement}
	plain := make([]RuleResult, len(c.Results))
	for i, r := range c.Results {
		p.Reasons = append(p.Reasons, r.Reason)
		r.Reason = nil
		plain[i] = r
	}
	first, err := json.Marshal(plain)
	if err != nil {
		return "", "", fmt.Errorf("encode the results of a decision: %w", err)
	}
	second, err := json.Marshal(p)
	if err != nil {
		return "", "", fmt.Errorf("encode the facts of a decision: %w", err)
	}
	return string(first), string(second), nil
}

// ForRules converts the facts to those that rules read.
func (f Facts) ForRules(asOf fact.Date) (fact.Facts, error) {
	facts := fact.Facts{
		AsOf:                 asOf,
		WorkflowID:           f.Workflow.WorkflowID.String(),
		BusinessID:           f.Business.BusinessID.String(),
		EvaluationScore:      f.Workflow.EvaluationScore,
		IndustryCategoryCode: f.Business.IndustryCategoryCode,
		NoPersonsAttested:    f.Business.NoPersonsAttested,
		Currency:             f.Workflow.Currency,
	}
	var err error
	if facts.EstablishedDate, err = dateOrNil(f.Business.EstablishedDate); err != nil {
		return fact.Facts{}, fmt.Errorf("established date: %w", err)
	}
	if address := f.Business.Address.Value; address != nil && address.Country != nil && fact.IsCountry(*address.Country) {
		facts.Country = address.Country
	}
	if sales := f.Business.SalesInfo; sales != nil {
		facts.SalesInfoID = sales.SalesInfoID.String()
		for _, amount := range sales.SalesAmount {
			onFile := facts.SalesAmount(amount.Type)
			if onFile == nil {
				return fact.Facts{}, fmt.Errorf("sales amount of type %s, which is no fact", amount.Type)
			}
			value := amount.Value.Exact()
			*onFile = &value
		}
	}
	for _, custom := range []wire.Custom{f.Workflow.Custom, f.Business.Custom} {
		values, err := fact.ParseValues(custom.Custom)
		if err != nil {
			return fact.Facts{}, fmt.Errorf("custom: %w", err)
		}
		if facts.Custom == nil {
			facts.Custom = values
		} else {
			maps.Copy(facts.Custom, values)
		}
	}
	for _, p := range f.Persons {
		person := fact.PersonFacts{PersonID: p.PersonID.String(), Citizenship: p.Citizenship, CountryOfResidence: p.CountryOfResidence}
		if person.DateOfBirth, err = dateOrNil(p.DateOfBirth); err != nil {
			return fact.Facts{}, fmt.Errorf("date of birth of a person: %w", err)
		}
		if person.Custom, err = fact.ParseValues(p.Custom.Custom); err != nil {
			return fact.Facts{}, fmt.Errorf("custom of a person: %w", err)
		}
		if share := p.OwnershipPercentage.Value; share != nil {
			value := share.Exact()
			person.OwnershipPercentage = &value
		}
		facts.Persons = append(facts.Persons, person)
	}
	return facts, nil
}

func dateOrNil(text *string) (*fact.Date, error) {
	if text == nil {
		return nil, nil
	}
	date, err := fact.ParseDate(*text)
	return &date, err
}

// RuleKey names the rule of a document or a finding.
func (r RuleResult) RuleKey() requirement.RuleKey {
	return requirement.RuleKey{DocumentTypeCode: r.DocumentTypeCode, FindingCode: r.FindingCode, EntityType: r.EntityType}
}

// ResultsOfRules are the results of the rules of documents and findings.
func ResultsOfRules(found requirement.Result) []RuleResult {
	conditions := make(map[requirement.RuleKey]string, len(found.Rules))
	for _, r := range found.Rules {
		conditions[r.RuleKey] = r.Text()
	}
	var results []RuleResult
	add := func(list []requirement.Requirement, holds bool) {
		for _, r := range list {
			result := RuleResult{
				Rule:             conditions[r.RuleKey()],
				DocumentTypeCode: r.DocumentTypeCode,
				FindingCode:      r.FindingCode,
				EntityType:       r.EntityType,
				EntityID:         r.EntityID,
				Holds:            holds,
			}
			if r.Reason.Message != "" {
				result.Reason = &r.Reason
			}
			results = append(results, result)
		}
	}
	add(found.Required, true)
	add(found.NotRequired, false)
	return results
}

// ResultsOfPricing are the results of the rules of a pricing model.
func ResultsOfPricing(found requirement.PricingResult) []RuleResult {
	var results []RuleResult
	add := func(list []requirement.AppliedRule, holds bool) {
		for _, r := range list {
			results = append(results, RuleResult{Rule: r.Name, Points: &r.Points, Holds: holds, Reason: &r.Reason})
		}
	}
	add(found.Applied, true)
	add(found.NotApplied, false)
	return results
}

// ReasonsByName is Reasons for a reader: the sentences have names in place of ids.
func ReasonsByName(results []RuleResult, personal *Personal) []RuleResult {
	results = Reasons(results, personal)
	if personal == nil {
		return results
	}
	names := personal.Facts.Names()
	for i, r := range results {
		if r.Reason != nil {
			results[i].Reason = &requirement.Reason{Message: names.In(r.Reason.Message), Facts: r.Reason.Facts}
		}
	}
	return results
}

// Recorded is a decision that was read and decoded.
type Recorded struct {
	Decision
	Changed Changes
	// Evaluated are the results with their reasons, which an erasure removes. The reasons have the names
	// of persons and the business at the time of the decision.
	Evaluated []RuleResult
	// OnFile is nil after an erasure, and for an erasure.
	OnFile *Personal
}
