package requirement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has what rules of documents and of findings have in common for checks, evaluation,
// limits and explanations.

// MaxFindings limits the findings of one rule set.
const MaxFindings = 100

// FindingRule says when there is a finding, which is advice about an application.
type FindingRule struct {
	FindingCode string      `json:"finding_code"`
	Kind        FindingKind `json:"kind"`
	Name        string      `json:"name"`
	// Message is the text for the platform.
	Message string `json:"message"`
	// EntityType has the meaning that it has for a document's rule.
	EntityType string `json:"entity_type"`
	When       string `json:"when" minLength:"1" doc:"write the condition under which it is found"`
	LegalBasis string `json:"legal_basis,omitempty" minLength:"1" doc:"write the law or the policy, or leave it out"`
}

// FindingKind is the advice of a finding.
type FindingKind string

// The kinds of findings.
const (
	KindReview  FindingKind = "REVIEW"  // somebody should look at the application
	KindHold    FindingKind = "HOLD"    // nothing should continue for now
	KindDecline FindingKind = "DECLINE" // the application should be declined
)

// Refuses reports whether a finding of this kind prevents a strict completion.
func (k FindingKind) Refuses() bool { return k == KindHold || k == KindDecline }

// The codes of the findings that the hold of a document makes. No rule may use them.
const (
	DocumentOpen    = "DOCUMENT_OPEN"
	DocumentOverdue = "DOCUMENT_OVERDUE"
)

func findingKinds() []string {
	return []string{string(KindReview), string(KindHold), string(KindDecline)}
}

// RuleKey identifies a rule of a set. One of the codes is empty.
type RuleKey struct{ DocumentTypeCode, FindingCode, EntityType string }

// Code is the code of the document or the finding.
func (k RuleKey) Code() string { return cmp.Or(k.DocumentTypeCode, k.FindingCode) }

func (k RuleKey) codeField() string {
	return rulefile.Pick(k.FindingCode != "", "finding_code", "document_type_code")
}

// Rule is the rule of a document or of a finding.
type Rule struct {
	RuleKey
	// Path is the path in the rule set, such as documents[1].
	Path       string
	Name, When string
	LegalBasis string
	// Document or Finding is the rule as it is written. The other is nil.
	Document *DocumentRule
	Finding  *FindingRule
}

// Rules returns the rules of documents, followed by those of findings.
func (rs RuleSet) Rules() []Rule {
	rules := DocumentRules(rs.Documents...)
	for i, f := range rs.Findings {
		rules = append(rules, Rule{RuleKey{"", f.FindingCode, f.EntityType}, fmt.Sprintf("findings[%d]", i), f.Name, f.When, f.LegalBasis, nil, &f})
	}
	return rules
}

// DocumentRules converts rules of documents.
func DocumentRules(documents ...DocumentRule) []Rule {
	rules := slices.Grow([]Rule(nil), len(documents))
	for i, doc := range documents {
		rules = append(rules, Rule{RuleKey{doc.DocumentTypeCode, "", doc.EntityType}, fmt.Sprintf("documents[%d]", i), doc.Name, doc.When, doc.LegalBasis, &doc, nil})
	}
	return rules
}

// Text is the rule as reasons state it: its condition.
func (r Rule) Text() string { return cmp.Or(strings.TrimSpace(r.When), r.withoutCondition()) }

// withoutCondition is the text of a rule without a condition of its own. If each option has one,
// the document is required where one of them is offered.
func (r Rule) withoutCondition() string {
	always := func(o DocumentOption) bool { return o.When == "" }
	if r.Document != nil && len(r.Document.AnyOf) > 0 && !slices.ContainsFunc(r.Document.AnyOf, always) {
		return requiredIfOffered
	}
	return alwaysRequired
}

// holdsWords says that the rule holds, or that it does not.
func (r Rule) holdsWords(holds bool) string {
	if r.Finding != nil {
		return rulefile.Pick(holds, "found", "not found")
	}
	return rulefile.Pick(holds, "required", "not required")
}

// textBytes is the size of the rule's texts that the service shows.
func (r Rule) textBytes() int {
	if r.Finding != nil {
		return len(r.Name) + len(r.Finding.Message)
	}
	return len(r.Name) + len(r.Document.Category) + len(r.Document.RequirementText)
}

// validate returns what is wrong with the texts of the rule.
func (r Rule) validate() []Problem {
	var problems []Problem
	add := func(field, format string, args ...any) {
		problems = append(problems, Problem{Path: r.Path + "." + field, Message: fmt.Sprintf(format, args...)})
	}
	type text struct{ field, value string }
	texts, codeField := []text{{"name", r.Name}}, "document_type_code"
	if doc := r.Document; doc != nil {
		texts = append(texts, text{"category", doc.Category}, text{"requirement_text", doc.RequirementText})
	} else {
		texts, codeField = append(texts, text{"message", r.Finding.Message}), "finding_code"
	}
	if message := codeProblem(r.Code()); message != "" {
		add(codeField, "%s", message)
	} else if r.Finding != nil && slices.Contains([]string{DocumentOpen, DocumentOverdue}, r.FindingCode) {
		add(codeField, "%s is what hold of a document finds: choose another code", r.FindingCode)
	}
	if f := r.Finding; f != nil {
		switch kind := string(f.Kind); {
		case kind == "":
			add("kind", "is missing: write %s", joined(findingKinds(), "or"))
		case !slices.Contains(findingKinds(), kind):
			add("kind", "%q is not %s%s", rulefile.Clip(kind), joined(findingKinds(), "or"), rulefile.DidYouMean(kind, findingKinds()))
		}
	}
	for _, text := range texts {
		if message := textProblem(text.value, MaxTextLength); message != "" {
			add(text.field, "%s", message)
		}
	}
	if message := textProblem(r.LegalBasis, MaxLegalBasisLength); r.LegalBasis != "" && message != "" {
		add("legal_basis", "%s", message)
	}
	switch r.EntityType {
	case fact.EntityWorkflow, fact.EntityBusiness, fact.EntityPerson:
	case "":
		add("entity_type", "is missing: write Workflow, Business or Person")
	default:
		add("entity_type", "%q is not Workflow, Business or Person%s", rulefile.Clip(r.EntityType), rulefile.DidYouMean(r.EntityType, fact.EntityTypes()))
	}
	if r.Finding != nil && r.When == "" {
		add("when", "is missing: write the condition under which it is found")
	}
	return problems
}
