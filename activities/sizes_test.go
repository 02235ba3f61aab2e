package activities_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/workflows"
)

// What Temporal takes: of one payload, of one workflow task, and, with a margin, of a run.
const (
	mostPayload = 2 << 20
	mostTask    = 4 << 20
	mostHistory = 40 << 20
)

// largest is a business whose facts are all as large as possible.
func largest(t *testing.T, persons int) fact.Facts {
	amount, share, country := rational.Hundredths(999999999999999), rational.Hundredths(9999), "CA"
	f := fact.Facts{
		WorkflowID: "w_0000000000000000000000", BusinessID: "b_0000000000000000000000", SalesInfoID: "bsi_0000000000000000000000", Currency: "EUR",
		EvaluationScore: &amount, AverageMonthlyCreditSales: &amount, AverageYearlyCreditSales: &amount, AverageIndividualSale: &amount, HighestTicketSale: &amount,
		EstablishedDate: &fact.Date{Year: 2000, Month: 12, Day: 31}, AsOf: fact.Date{Year: 2026, Month: 12, Day: 31}, Country: &country,
		Custom: custom(t, "business", fact.MaxCustomBytes, nil),
	}
	maps.Copy(f.Custom, custom(t, "workflow", fact.MaxCustomBytes, nil))
	ofPerson := custom(t, "person", fact.MaxPersonCustomBytes, nil)
	for i := range fact.MaxIndustryCategoryCodes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprintf("79%08d", i))
	}
	for i := range persons {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Citizenship: &country, OwnershipPercentage: &share,
			DateOfBirth: f.EstablishedDate, CountryOfResidence: &country, Custom: ofPerson})
	}
	return f
}

// custom are the first values and others, which together take as many bytes as those of one record
// may.
func custom(t *testing.T, name string, bytes int, first domain.Custom) fact.Values {
	t.Helper()
	values := domain.Custom{}
	maps.Copy(values, first)
	for i := 0; ; i++ {
		empty := maps.Clone(values)
		key := fmt.Sprintf("%s%d", name, i)
		empty[key] = json.RawMessage(`""`)
		room := bytes - empty.Size()
		if room < 1 {
			break
		}
		values[key] = json.RawMessage(`"` + strings.Repeat("<", min(room, fact.MaxDeclaredText)) + `"`)
	}
	require.LessOrEqual(t, values.Size(), bytes)
	require.Greater(t, values.Size(), bytes-30)
	var read fact.Values
	require.NoError(t, json.Unmarshal([]byte(values.Text()), &read))
	require.Equal(t, values.Size(), bytesOf(t, read), "the size that is bounded is the one that travels")
	return read
}

// bytesOf are those of the payload of a value, before it is encrypted.
func bytesOf(t *testing.T, v any) int {
	t.Helper()
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(v))
	return written.Len() - len("\n")
}

// bytesOfOthers is room for what else a workflow task holds, such as names, times and keys.
const bytesOfOthers = 20_000

func snapshotOf(facts fact.Facts) calculation.Snapshot {
	return calculation.Snapshot{Facts: facts, Fingerprint: facts.Fingerprint(), RuleSet: &calculation.VersionRef{WireID: "rul_0000000000000000000000"}}
}

func evaluationOf(snapshot calculation.Snapshot) activities.Evaluation {
	return activities.Evaluation{Calculation: activities.Calculation{Run: domain.Run{ID: id.New().String(), StartedAt: time.Now()}}, Snapshot: snapshot}
}

// longestTerms is a rule whose terms are all as long as possible.
func longestTerms() requirement.DocumentRule {
	long := strings.Repeat("<", requirement.MaxTextLength)
	rule := requirement.DocumentRule{Name: long, EntityType: fact.EntityPerson, LegalBasis: strings.Repeat("<", requirement.MaxLegalBasisLength)}
	rule.Explanation = strings.Repeat("<", requirement.MaxExplanationLength)
	for i := range requirement.MaxOptions {
		rule.AnyOf = append(rule.AnyOf, requirement.DocumentOption{OptionPart: requirement.OptionPart{DocumentTypeCode: fmt.Sprintf("O%063d", i), Name: long, RequirementText: long}})
	}
	return rule
}

// Each result fits into a payload of Temporal, and all of them into one workflow task.
// All documents of an earlier rule set are removed in the same run.
func TestSteps_TheLargestRuleSetFits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]requirement.DocumentRule{
		"most documents":    {Name: "n", EntityType: fact.EntityPerson},
		"long codes":        {DocumentTypeCode: strings.Repeat("A", 60), Name: "n", EntityType: fact.EntityPerson},
		"long names":        {Name: strings.Repeat("<", 4000), EntityType: fact.EntityPerson},
		"ordinary":          {Name: "Passport", EntityType: fact.EntityPerson, When: `person.citizenship != "US" && person.ownership_percentage >= 25`},
		"all persons":       {Name: "Passport", EntityType: fact.EntityPerson, When: `person.ownership_percentage > 1 && persons.all(p, p.citizenship == "CA")`},
		"all codes":         {Name: "Passport", EntityType: fact.EntityPerson, When: `industry_category_code.all(c, c > "7")`},
		"longest terms":     longestTerms(),
		"findings":          {Name: "Passport", EntityType: fact.EntityPerson, When: `person.citizenship != "US" && person.ownership_percentage >= 25`},
		"rules of business": {Name: "Passport", EntityType: fact.EntityBusiness, When: `industry_category_code.all(c, c > "7") && persons.all(p, p.citizenship == "CA")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compile := func(n int) (*requirement.Program, []requirement.Problem) {
				var set requirement.RuleSet
				if name == "findings" {
					for i := range min(n, requirement.MaxFindings) {
						set.Findings = append(set.Findings, requirement.FindingRule{FindingCode: fmt.Sprint("F", i), Kind: requirement.KindHold, Name: c.Name, Message: strings.Repeat("<", 10), EntityType: c.EntityType, When: c.When})
					}
				}
				for i := range n {
					rule := c
					rule.DocumentTypeCode, rule.Category, rule.RequirementText = fmt.Sprintf("%s%d", c.DocumentTypeCode, i), "c", "t"
					if name == "long codes" {
						rule.DocumentTypeCode = fmt.Sprintf("%s%04d", c.DocumentTypeCode, i)
					}
					set.Documents = append(set.Documents, rule)
				}
				return requirement.Compile(set, requirement.Options{})
			}
			rules := sort.Search(requirement.MaxDocuments, func(n int) bool {
				_, problems := compile(n + 1)
				return len(problems) > 0
			})
			for _, persons := range []int{requirement.SizedPersons, fact.MaxPersons} {
				var found requirement.Result
				facts := largest(t, persons)
				sort.Search(rules, func(less int) bool {
					program, problems := compile(rules - less)
					require.Empty(t, problems)
					result, err := program.Evaluate(t.Context(), facts)
					if err != nil {
						require.True(t, errors.Is(err, requirement.ErrTooMuchRequired) && persons > requirement.SizedPersons, "%v", err)
					} else if len(result.Required) > len(found.Required) {
						found = result
					}
					return err == nil
				})
				snapshot := snapshotOf(largest(t, fact.MaxPersons))
				in := evaluationOf(snapshot.WithoutFacts())
				changed := make([]calculation.DocumentRef, len(found.Required))
				saved := activities.Saved{RunResult: calculation.RunResult{Changed: calculation.DocumentChanges{Kept: changed, Removed: changed, Reopened: changed}}}
				saved.Documents = new(document.CountChanges(saved.Changed))
				sizes := map[string]int{
					"facts": bytesOf(t, activities.Loaded{Snapshot: snapshot}), "evaluated": bytesOf(t, activities.Evaluated{ByRules: activities.ByRules{Required: found.Required, NotRequired: found.NotRequired}}), "saved": bytesOf(t, saved),
				}
				saving := bytesOf(t, activities.SavingDocuments{Evaluation: in, ByRules: activities.ByRules{Required: found.Required, NotRequired: found.NotRequired}})
				require.Less(t, saving, mostPayload)
				require.Less(t, sizes["saved"], 1000, "however many documents there are")
				task := sizes["saved"] // once more, as the result of the run
				for step, bytes := range sizes {
					require.Less(t, bytes, mostPayload, step)
					task += bytes
				}
				require.Less(t, task+bytesOfOthers, mostTask)
				require.Less(t, sizes["facts"]+sizes["evaluated"]+saving+bytesOfOthers, mostTask, "a step that goes on as an ordinary activity")
				require.Less(t, workflows.MaxRounds*(sizes["facts"]+sizes["evaluated"]), mostHistory)
				t.Logf("%d rules, %d persons, %d documents: saving takes %d bytes, the results %v, the task %d", rules, persons, len(found.Required), saving, sizes, task)
			}
		})
	}
}

// The most gaps fit into one workflow task, with what is on file: in the failure of evaluating and
// in the run's answer, or in the input of recording them.
func TestSteps_TheMostGapsFit(t *testing.T) {
	t.Parallel()
	declared := func(name, ask string, facts int) (list []fact.Declaration, when string) {
		var conditions []string
		for i := range facts {
			d := fact.Declaration{Name: fmt.Sprintf("%s%d", name, i), EntityType: fact.EntityPerson, Type: fact.DeclaredTextList, Label: "label", Ask: ask, Choices: []string{"A", "B"}}
			list, conditions = append(list, d), append(conditions, fmt.Sprintf("p.custom.%s.size() > 1", d.Name))
		}
		return list, "persons.exists(p, " + strings.Join(conditions, " || ") + ")"
	}
	limit := requirement.Options{CostLimit: 1 << 40}
	var read []fact.Declaration
	compile := func(n int) (*requirement.Program, []requirement.Problem) {
		facts, when := declared(strings.Repeat("n", 1+n/75), strings.Repeat("asks", 1+n%75), fact.MaxDeclaredPersons)
		read = facts
		return requirement.Compile(requirement.RuleSet{Facts: facts, Documents: []requirement.DocumentRule{{
			DocumentTypeCode: "A", Category: "c", Name: "n", RequirementText: "t", EntityType: fact.EntityWorkflow, When: "evaluation_score > 1 && " + when,
		}}}, limit)
	}
	rules, problems := compile(sort.Search(40*75, func(n int) bool {
		_, problems := compile(n + 1)
		return len(problems) > 0
	}))
	require.Empty(t, problems)
	facts := largest(t, fact.MaxPersons)
	facts.EvaluationScore = nil
	unlike := domain.Custom{} // of which each gap says that it does not count
	for _, d := range read {
		unlike[d.Name] = json.RawMessage(`["C"]`)
	}
	for i := range facts.Persons {
		facts.Persons[i].Custom = custom(t, "person", fact.MaxPersonCustomBytes, unlike)
	}
	found, err := rules.Evaluate(t.Context(), facts)
	require.NoError(t, err)
	require.Len(t, found.Gaps, 1+fact.MaxDeclaredPersons*fact.MaxPersons)
	score := &found.Gaps[slices.IndexFunc(found.Gaps, func(g fact.Gap) bool { return g.EntityType == fact.EntityWorkflow })]
	without, priced := *score, largest(t, fact.MaxPersons)
	sort.Search(fact.MaxDeclaredPersons*46, func(n int) bool { // ever more facts with ever longer names
		facts, when := declared(strings.Repeat("p", 1+n%46), "ask", 1+n/46)
		model, problems := requirement.CompilePricing(requirement.PricingModel{Facts: facts, Rules: []requirement.PricingRule{{Name: "n", When: when, Points: rational.Int(1)}}}, limit)
		if len(problems) > 0 {
			return true
		}
		unlike := fact.Values{}
		for _, d := range facts {
			require.NoError(t, json.Unmarshal([]byte(`{"`+d.Name+`":["C"]}`), &unlike))
		}
		for i := range priced.Persons {
			priced.Persons[i].Custom = unlike
		}
		gap := without
		require.NoError(t, requirement.ExplainScoreGap(t.Context(), &gap, model, priced))
		if gap.PricingMissing == nil {
			return true
		}
		if bytesOf(t, gap.PricingMissing) > bytesOf(t, score.PricingMissing) {
			*score = gap
		}
		return false
	})
	require.Greater(t, bytesOf(t, score.PricingMissing), 95_000)

	refused := refusal.Missing(found.Gaps)
	snapshot := snapshotOf(facts)
	loaded, failure := bytesOf(t, activities.Loaded{Snapshot: snapshot}), bytesOf(t, refused)
	recording := bytesOf(t, activities.Refusing{Evaluation: evaluationOf(snapshot.WithoutFacts()), Refusal: refused})
	decision := &refusal.DecisionRef{Digest: strings.Repeat("0", 64)}
	recorded := bytesOf(t, activities.Recorded{Decision: decision})
	refused.Decision = decision
	answer := bytesOf(t, workflows.Answer[activities.Saved]{Refusal: refused})
	t.Logf("facts %d bytes, failure %d, recording %d, recorded %d, answer %d", loaded, failure, recording, recorded, answer)
	require.Greater(t, failure, 1_450_000+95_000)
	for _, payload := range []int{loaded, failure, recording, answer} {
		require.Less(t, payload, mostPayload)
	}
	require.Less(t, loaded+failure+recorded+answer+bytesOfOthers, mostTask)
	require.Less(t, loaded+failure+recording+bytesOfOthers, mostTask, "recording goes on as an ordinary activity")
}
