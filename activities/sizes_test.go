package activities_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// What Temporal takes: of one payload, and of one workflow task.
const (
	mostPayload = 2 << 20
	mostTask    = 4 << 20
)

// largest is a business whose facts are all as large as possible.
func largest(persons int) fact.Facts {
	amount, share, citizenship := rational.Hundredths(999999999999999), rational.Hundredths(9999), "CA"
	f := fact.Facts{
		WorkflowID: "w_0000000000000000000000", BusinessID: "b_0000000000000000000000", SalesInfoID: "bsi_0000000000000000000000", Currency: "EUR",
		EvaluationScore: &amount, AverageMonthlyCreditSales: &amount, AverageYearlyCreditSales: &amount, AverageIndividualSale: &amount, HighestTicketSale: &amount,
		EstablishedDate: &fact.Date{Year: 2000, Month: 12, Day: 31}, AsOf: fact.Date{Year: 2026, Month: 12, Day: 31},
	}
	for i := range fact.MaxIndustryCategoryCodes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprintf("79%08d", i))
	}
	for i := range persons {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Citizenship: &citizenship, OwnershipPercentage: &share})
	}
	return f
}

func bytesOf(t *testing.T, v any) int {
	t.Helper()
	written, err := json.Marshal(v)
	require.NoError(t, err)
	return len(written)
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
		"rules of business": {Name: "Passport", EntityType: fact.EntityBusiness, When: `industry_category_code.all(c, c > "7") && persons.all(p, p.citizenship == "CA")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compile := func(n int) (*requirement.Program, []requirement.Problem) {
				var set requirement.RuleSet
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
				err := requirement.ErrTooMuchRequired
				for n := rules; err != nil; n = n * 9 / 10 {
					program, problems := compile(n)
					require.Empty(t, problems)
					if found, err = program.Evaluate(t.Context(), largest(persons)); err != nil {
						require.True(t, errors.Is(err, requirement.ErrTooMuchRequired) && persons > requirement.SizedPersons, "%v", err)
					}
				}
				snapshot := calculation.Snapshot{Facts: largest(fact.MaxPersons), RuleSet: &calculation.VersionRef{WireID: "rul_0000000000000000000000"}}
				in := activities.Evaluation{Calculation: activities.Calculation{Run: domain.Run{ID: uuid.NewString(), StartedAt: time.Now()}}, Snapshot: snapshot}
				var saved activities.Saved
				for _, r := range found.Required {
					ref := calculation.DocumentRef{
						RequiredDocumentID: id.Format(id.RequiredDocument, uuid.Max), DocumentTypeCode: r.DocumentTypeCode, EntityType: r.EntityType, EntityID: r.EntityID,
						Status: requirement.NeedsReview,
					}
					saved.Kept, saved.Removed = append(saved.Kept, ref), append(saved.Removed, ref)
				}
				sizes := map[string]int{
					"facts": bytesOf(t, activities.Loaded{Snapshot: snapshot}), "evaluated": bytesOf(t, activities.Evaluated{ByRules: activities.ByRules{Required: found.Required, NotRequired: found.NotRequired}}), "saved": bytesOf(t, saved),
				}
				saving := bytesOf(t, activities.SavingDocuments{Evaluation: in, ByRules: activities.ByRules{Required: found.Required, NotRequired: found.NotRequired}})
				require.Less(t, saving, mostPayload)
				task := sizes["saved"] // once more, as the result of the run
				for step, bytes := range sizes {
					require.Less(t, bytes, mostPayload, step)
					task += bytes
				}
				require.Less(t, task, mostTask)
				t.Logf("%d rules, %d persons, %d documents: saving takes %d bytes, the results %v, the task %d", rules, persons, len(found.Required), saving, sizes, task)
			}
		})
	}
}
