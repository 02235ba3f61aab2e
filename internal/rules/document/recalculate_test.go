package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

type fataler interface {
	require.TestingT
	Helper()
}

// ledger applies changes as a store does, through JSON for the reasons.
type ledger struct {
	documents map[string]Document
	ids       int
}

func (l *ledger) newID() string {
	l.ids++
	return fmt.Sprintf("rd_%d", l.ids)
}

func (l *ledger) all() []Document {
	var documents []Document
	for _, id := range slices.Sorted(maps.Keys(l.documents)) {
		documents = append(documents, l.documents[id])
	}
	return documents
}

func (l *ledger) recalculate(t fataler, required requirement.Result, seen Seen) Changes {
	changes := Recalculate(l.all(), required, seen, l.newID)
	for _, written := range [][]Document{changes.Added, changes.Restored, changes.Removed, changes.Refreshed} {
		for _, document := range written {
			for _, column := range []any{&document.Reasons, &document.Terms, &document.Own, &document.Identity, &document.Approval, &document.Evidence} {
				text, err := json.Marshal(column)
				require.NoError(t, err)
				value := reflect.ValueOf(column).Elem()
				value.SetZero()
				require.NoError(t, json.Unmarshal(text, column))
			}
			l.documents[document.ID] = document
		}
	}
	return changes
}

func drawRequired(t *rapid.T) []requirement.Requirement {
	var required []requirement.Requirement
	for i := range 5 {
		if rapid.Bool().Draw(t, "required") {
			value := rapid.IntRange(0, 1).Draw(t, "value")
			required = append(required, requirement.Requirement{
				DocumentTypeCode: fmt.Sprintf("DOC_%d", i), EntityType: fact.EntityPerson, EntityID: "p_1",
				Reason: requirement.Reason{Message: "m", Facts: map[string]any{"business_age_months": int64(value), "industry_category_code": []string{"7995"}}},
			})
		}
	}
	return rapid.Permutation(required).Draw(t, "order")
}

func TestRecalculate_KeepsIDsAndStatuses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &ledger{documents: map[string]Document{}}
		ids := map[string]string{}
		statuses := map[string]Status{} // of documents that are or will be active
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			required := drawRequired(t)
			before := len(l.documents)
			changes := l.recalculate(t, requirement.Result{Required: required}, Seen{VersionID: "rul_1"})
			require.Equal(t, len(required), len(changes.Added)+len(changes.Kept)+len(changes.Restored))
			require.Equal(t, before+len(changes.Added), len(l.documents))

			wanted := map[string]bool{}
			for _, r := range required {
				wanted[r.DocumentTypeCode] = true
			}
			for id, document := range l.documents {
				code := document.DocumentTypeCode
				if known, seen := ids[code]; seen {
					require.Equal(t, known, id, "an id is for ever")
				} else {
					ids[code], statuses[code] = id, Pending
				}
				if wanted[code] {
					require.Equal(t, statuses[code], document.Status, "the status survives")
					require.Empty(t, document.PreviousStatus)
				} else {
					require.Equal(t, Inactive, document.Status)
					require.Equal(t, statuses[code], document.PreviousStatus)
				}
				require.Len(t, document.Reasons, 1)
			}

			again := l.recalculate(t, requirement.Result{Required: rapid.Permutation(required).Draw(t, "again")}, Seen{VersionID: "rul_1"})
			require.True(t, again.Empty(), "the same again changes nothing")
			require.Len(t, again.Kept, len(required))

			for id, document := range l.documents {
				if document.Status != Inactive && rapid.Bool().Draw(t, "reviewed") {
					document.Status = rapid.SampledFrom([]Status{Pending, NeedsReview, Completed}).Draw(t, "status")
					l.documents[id], statuses[document.DocumentTypeCode] = document, document.Status
				}
			}
		}
	})
}

func TestRecalculate_RefreshesChangedDocuments(t *testing.T) {
	one := requirement.Requirement{DocumentTypeCode: "A", EntityType: fact.EntityBusiness, EntityID: "b_1", Reason: requirement.Reason{Message: "m", Facts: map[string]any{}}}
	rule := requirement.DocumentRule{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "r", EntityType: fact.EntityBusiness, When: " x "}
	ofPerson := requirement.DocumentRule{DocumentTypeCode: "A", Name: "of a person", EntityType: fact.EntityPerson}
	required := requirement.Result{Required: []requirement.Requirement{one}, Rules: requirement.DocumentRules(rule, ofPerson)}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, required, Seen{VersionID: "rul_1"})
	document := l.all()[0]
	require.Equal(t, []string{"n", "c", "r", "x"}, []string{document.Name, document.Category, document.RequirementText, document.Reasons[0].Rule})
	for name, change := range map[string]func(*requirement.Requirement, *requirement.DocumentRule){
		"name":     func(_ *requirement.Requirement, d *requirement.DocumentRule) { d.Name = "other" },
		"category": func(_ *requirement.Requirement, d *requirement.DocumentRule) { d.Category = "other" },
		"text":     func(_ *requirement.Requirement, d *requirement.DocumentRule) { d.RequirementText = "other" },
		"rule":     func(_ *requirement.Requirement, d *requirement.DocumentRule) { d.When = "y" },
		"always":   func(_ *requirement.Requirement, d *requirement.DocumentRule) { d.When = "" },
		"facts": func(r *requirement.Requirement, _ *requirement.DocumentRule) {
			r.Reason.Facts = map[string]any{"evaluation_score": 1.0}
		},
	} {
		changed, by := one, rule
		change(&changed, &by)
		changes := Recalculate(l.all(), requirement.Result{Required: []requirement.Requirement{changed}, Rules: requirement.DocumentRules(by)}, Seen{VersionID: "rul_1"}, l.newID)
		require.Len(t, changes.Refreshed, 1, name)
		require.Equal(t, changes.Kept, changes.Refreshed)
		require.False(t, changes.Empty())
	}
	require.Len(t, Recalculate(l.all(), required, Seen{VersionID: "rul_2"}, l.newID).Refreshed, 1, "another version")
	reworded := one
	reworded.Reason.Message = "the same in other words"
	before := l.all()
	changes := Recalculate(before, requirement.Result{Required: []requirement.Requirement{reworded}, Rules: required.Rules}, Seen{VersionID: "rul_1"}, l.newID)
	require.True(t, changes.Empty(), "other words for the same reason are no change")
	require.Equal(t, "the same in other words", changes.Kept[0].Reasons[0].Message)
	require.Equal(t, "m", before[0].Reasons[0].Message, "what was on record stays as it was")
	require.True(t, Recalculate(l.all(), required, Seen{VersionID: "rul_1"}, l.newID).Empty())

	l.recalculate(t, requirement.Result{}, Seen{VersionID: "rul_1"})
	require.Len(t, l.all()[0].Reasons, 1, "a removed document keeps its last reasons")
}

// Removed documents come in one order.
func TestRecalculate_KeepsADocumentForEachEntity(t *testing.T) {
	of := func(code, entityType, entityID string) requirement.Requirement {
		return requirement.Requirement{DocumentTypeCode: code, EntityType: entityType, EntityID: entityID, Reason: requirement.Reason{Facts: map[string]any{}}}
	}
	// In the order in which they are removed.
	all := []requirement.Requirement{of("A", fact.EntityBusiness, "x"), of("A", fact.EntityPerson, "p_1"), of("A", fact.EntityPerson, "p_2"), of("A", fact.EntityPerson, "x"), of("B", fact.EntityBusiness, "b_1")}
	mixed := []requirement.Requirement{all[4], all[2], all[0], all[3], all[1]}
	l := &ledger{documents: map[string]Document{}}
	require.Len(t, l.recalculate(t, requirement.Result{Required: mixed}, Seen{VersionID: "rul_1"}).Added, len(all))
	for i, one := range all {
		changes := Recalculate(l.all(), requirement.Result{Required: []requirement.Requirement{one}}, Seen{VersionID: "rul_1"}, l.newID)
		require.Len(t, changes.Kept, 1)
		require.Empty(t, changes.Added)
		require.False(t, changes.Empty())
		var removed []key
		for _, document := range changes.Removed {
			removed = append(removed, document.key())
		}
		var want []key
		for j, other := range all {
			if j != i {
				want = append(want, documentOf(other, requirement.Rule{}, fact.BuiltIn, Seen{}, requirement.Names{}).key())
			}
		}
		require.Equal(t, want, removed)
	}
}

func TestChanges_EmptyOnlyWithoutAnyChange(t *testing.T) {
	type byChange = ByChange[[]Document, []Document]
	one := []Document{{}}
	for _, kind := range []Changes{{ByChange: byChange{Added: one}}, {ByChange: byChange{Restored: one}}, {ByChange: byChange{Removed: one}}, {Refreshed: one}} {
		require.False(t, kind.Empty(), "%+v", kind)
	}
	require.True(t, Changes{ByChange: byChange{Kept: one}}.Empty())

	restored := Recalculate([]Document{{ID: "rd_1", DocumentTypeCode: "A", Status: Inactive}}, requirement.Result{Required: []requirement.Requirement{{DocumentTypeCode: "A"}}}, Seen{VersionID: "rul_1"}, nil).Restored
	require.Equal(t, Pending, restored[0].Status, "of a document without an earlier status nothing is known to have come in")
}

// Only reasons differ after another version or other facts of the same rule. All else that a caller
// reads of a document or a finding is more.
func TestChanges_OnlyReasonsDiffer(t *testing.T) {
	document := conditional()
	document.DueWithin, document.DueFrom = rulestest.Period("1 day"), "established_date"
	finding := requirement.FindingRule{FindingCode: "F", Kind: requirement.KindHold, Message: "m", EntityType: fact.EntityBusiness}
	type input struct {
		document requirement.DocumentRule
		finding  requirement.FindingRule
		offered  []int
		facts    requirement.ReasonFacts
		seen     Seen
	}
	recalculate := func(l *ledger, findings []Finding, in input) Changes {
		result := requiredWith(in.document, fact.BuiltIn, in.offered...)
		result.Rules = append(result.Rules, requirement.RuleSet{Findings: []requirement.FindingRule{in.finding}}.Rules()...)
		result.Required[0].Reason.Facts = in.facts
		found := requirement.Requirement{FindingCode: "F", EntityType: fact.EntityBusiness, EntityID: "e", Reason: requirement.Reason{Facts: in.facts}}
		result.Required = append(result.Required, found)
		in.seen.Findings = findings
		return l.recalculate(t, result, in.seen)
	}
	for name, c := range map[string]struct {
		edit func(*input)
		only bool
	}{
		"nothing":             {func(*input) {}, true},
		"another version":     {func(in *input) { in.seen.VersionID = "rul_2" }, true},
		"other facts":         {func(in *input) { in.facts = requirement.ReasonFacts{"evaluation_score": 1} }, true},
		"another option":      {func(in *input) { in.offered = []int{1} }, false},
		"another due date":    {func(in *input) { in.seen.Facts.EstablishedDate = rulestest.Day("2026-01-02") }, false},
		"another explanation": {func(in *input) { in.document.Explanation = "e" }, false},
		"another category":    {func(in *input) { in.document.Category = "other" }, false},
		"another text":        {func(in *input) { in.document.Name = "other" }, false},
		"another message":     {func(in *input) { in.finding.Message = "other" }, false},
		"another kind":        {func(in *input) { in.finding.Kind = requirement.KindReview }, false},
	} {
		l := &ledger{documents: map[string]Document{}}
		seen := Seen{VersionID: "rul_1", AsOf: today, Facts: fact.Facts{EstablishedDate: rulestest.Day("2026-01-01")}}
		in := input{document, finding, []int{0}, requirement.ReasonFacts{}, seen}
		first := recalculate(l, nil, in)
		require.False(t, first.OnlyReasons(), name)
		c.edit(&in)
		require.Equal(t, c.only, recalculate(l, first.Findings.Now, in).OnlyReasons(), name)
	}
}

// Recalculate names whom the reasons name as they are called now. Another name alone refreshes
// nothing but the documents of that person.
func TestRecalculate_NamesPersonsInReasons(t *testing.T) {
	person := func(id string) requirement.Entity { return requirement.Entity{Type: fact.EntityPerson, ID: id} }
	required := requirement.Result{
		Rules:    requirement.DocumentRules(requirement.DocumentRule{DocumentTypeCode: "A", EntityType: fact.EntityBusiness}),
		Required: []requirement.Requirement{{DocumentTypeCode: "A", EntityType: fact.EntityBusiness, EntityID: "b_1", Reason: requirement.Reason{Message: "A: required because the citizenship of person p_1 is CA.", Facts: requirement.ReasonFacts{fact.NamePersons: map[string]any{"p_1": map[string]any{"citizenship": "CA"}}}}}},
	}
	seen := Seen{VersionID: "rul_1", Identities: map[requirement.Entity]requirement.Identity{{Type: fact.EntityBusiness, ID: "b_1"}: {LegalName: "Acme Ltd"}, person("p_1"): {FirstName: "Ada", LastName: "Lovelace"}}}
	l := &ledger{documents: map[string]Document{}}
	l.recalculate(t, required, seen)
	reason := l.all()[0].Reasons[0]
	require.Equal(t, "A: required because the citizenship of Ada Lovelace is CA.", reason.Message)
	require.Equal(t, required.Required[0].Reason.Facts, reason.Facts, "facts keep ids")
	seen.Identities[person("p_1")] = requirement.Identity{FirstName: "Ada", LastName: "King"}
	require.True(t, l.recalculate(t, required, seen).Empty())
	require.Equal(t, reason.Message, l.all()[0].Reasons[0].Message, "as the decision saw them")
}
