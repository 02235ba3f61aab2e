package changes

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

func TestReport(t *testing.T) {
	doc := func(code string) document.Document {
		return document.Document{DocumentTypeCode: code, EntityType: fact.EntityPerson}
	}
	type byChange = document.ByChange[[]document.Document, []document.Document]
	r := NewReport(2, []requirement.Rule{{RuleKey: requirement.RuleKey{DocumentTypeCode: "A", EntityType: fact.EntityPerson}, When: "evaluation_score > 1"}, {RuleKey: requirement.RuleKey{DocumentTypeCode: "NOBODY", EntityType: fact.EntityPerson}, When: "false"}}, nil)
	add := func(name string, c byChange) {
		r.Add(Application{WorkflowID: name, Changes: OfDocuments(document.Changes{ByChange: c})})
	}
	add("w_1", byChange{Added: []document.Document{doc("B"), doc("B"), doc("A")}, Kept: []document.Document{doc("C")}})
	add("w_2", byChange{Kept: []document.Document{doc("C")}})
	add("w_3", byChange{Removed: []document.Document{doc("C")}, Restored: []document.Document{doc("A")}})
	gaps := []fact.Gap{{Fact: "person.citizenship"}, {Fact: "person.citizenship"}, {Fact: "evaluation_score"}}
	for _, id := range []string{"w_4", "w_5", "w_6"} {
		r.Add(Application{WorkflowID: id, Undecided: Undecided{Gaps: gaps}, InForce: Undecided{Gaps: gaps[2:]}})
	}
	r.Add(Application{WorkflowID: "w_7", Undecided: Undecided{Failure: "no answer"}})
	r.Sum()
	require.Equal(t, 7, r.Applications)
	require.Equal(t, Tally{2, 2, []string{"w_1", "w_3"}}, r.Changed)
	require.Equal(t, Tally{1, 1, []string{"w_2"}}, r.Unchanged)
	require.Equal(t, Tally{3, 3, []string{"w_4", "w_5"}}, r.LackingFacts)
	person := func(code, rule string, required int, changes Tallies) RuleReport {
		return RuleReport{DocumentTypeCode: code, EntityType: fact.EntityPerson, Rule: rule, Required: required, Tallies: changes}
	}
	require.Equal(t, []RuleReport{
		person("A", "evaluation_score > 1", 2, Tallies{Added: Tally{1, 1, []string{"w_1"}}, Restored: Tally{1, 1, []string{"w_3"}}}),
		person("B", "", 2, Tallies{Added: Tally{2, 1, []string{"w_1"}}}),
		person("C", "", 2, Tallies{Kept: Tally{2, 2, []string{"w_1", "w_2"}}, Removed: Tally{1, 1, []string{"w_3"}}}),
		person("NOBODY", "false", 0, Tallies{}),
	}, r.Rules)
	require.False(t, r.Rules[3].Differs())
	written, err := json.Marshal(r.Rules[3])
	require.NoError(t, err)
	const none = `{"count":0,"applications":0}`
	require.JSONEq(t, `{"document_type_code":"NOBODY","entity_type":"Person","rule":"false","required":0,
		"added":`+none+`,"kept":`+none+`,"removed":`+none+`,"reopened":`+none+`,"overdue_at_once":`+none+`}`, string(written))
	for _, rule := range r.Rules {
		written, err = json.Marshal(rule)
		require.NoError(t, err)
		var read RuleReport
		require.NoError(t, json.Unmarshal(written, &read))
		require.Equal(t, rule, read)
	}
	require.Equal(t, []Obstacle{
		{"evaluation_score", Tally{3, 3, []string{"w_4", "w_5"}}, 3},
		{"person.citizenship", Tally{6, 3, []string{"w_4", "w_5"}}, 0},
	}, r.Gaps)
	require.Equal(t, []Obstacle{{"no answer", Tally{1, 1, []string{"w_7"}}, 0}}, r.Failures)

	for n := range 1000 {
		r.Add(Application{WorkflowID: "w_8", Undecided: Undecided{Failure: fmt.Sprint("no answer but ", n)}})
	}
	require.Len(t, r.Sum().Failures, maxFailures+1)
	require.Equal(t, 1001, r.NotEvaluable.Applications)
	require.Equal(t, 1000-(maxFailures-1), r.failures[otherFailures].Applications)
}

// TestReport_OfFindings counts one that changes its kind as one that ends and another that begins.
func TestReport_OfFindings(t *testing.T) {
	found := func(kind requirement.FindingKind) []document.Finding {
		return []document.Finding{{FindingCode: "ABROAD", Kind: kind, EntityType: fact.EntityPerson}}
	}
	r := NewReport(0, nil, nil)
	findings := document.FindingChanges{Added: found(requirement.KindHold), Removed: found(requirement.KindReview)}
	r.Add(Application{Changes: OfDocuments(document.Changes{Findings: findings})})
	require.Equal(t, 1, r.Changed.Applications)
	require.Equal(t, []RuleReport{
		{FindingCode: "ABROAD", EntityType: fact.EntityPerson, FindingKind: requirement.KindHold, Required: 1, Tallies: Tallies{Added: Tally{1, 1, nil}}},
		{FindingCode: "ABROAD", EntityType: fact.EntityPerson, FindingKind: requirement.KindReview, Tallies: Tallies{Removed: Tally{1, 1, nil}}},
	}, r.Sum().Rules)
}

// TestReport_CountsForARuleOnlyWhatItRequires: not a document of its code that a person required.
func TestReport_CountsForARuleOnlyWhatItRequires(t *testing.T) {
	key := func(code string) document.Document {
		return document.Document{ID: code, DocumentTypeCode: code, EntityType: fact.EntityBusiness, EntityID: "b_1"}
	}
	entity := requirement.Entity{Type: fact.EntityBusiness, ID: "b_1"}
	today := fact.Date{Year: 2026, Month: 3, Day: 15}
	seen := document.Seen{AsOf: today, Identities: map[requirement.Entity]requirement.Identity{entity: {}}}
	var stored []document.Document
	for _, code := range []string{"DEED", "FUNDS"} {
		stored = append(stored, key(code).RequireManually(document.ManualText{Name: "own"}, requirement.Identity{}, today))
	}
	rule := requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", EntityType: fact.EntityBusiness}
	result := requirement.Result{Rules: requirement.DocumentRules(rule)}
	of := func() []RuleReport {
		r := NewReport(0, result.Rules, nil)
		r.Add(Application{Changes: OfDocuments(document.Recalculate(stored, result, seen, nil))})
		require.Equal(t, 1, r.Changed.Applications+r.Unchanged.Applications)
		return r.Sum().Rules
	}
	require.Equal(t, []RuleReport{{DocumentTypeCode: "DEED", EntityType: fact.EntityBusiness, Rule: "always required"}}, of())
	result.Required = []requirement.Requirement{{DocumentTypeCode: "DEED", EntityType: entity.Type, EntityID: entity.ID}}
	required := of()
	require.Len(t, required, 1)
	require.Equal(t, []int{1, 1}, []int{required[0].Required, required[0].Kept.Count})
}
