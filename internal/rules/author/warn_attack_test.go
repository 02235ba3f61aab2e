package author

import (
	"context"
	"fmt"
	"maps"
	"math"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
	"requisite/internal/testkit/needs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each of these once took time in the square of its size, or could.
var costlyToCheck = map[string]func() requirement.RuleSet{
	"a list for each of many rules of persons": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.NumberedLists(48, 1000), Documents: rulesOf(48, fact.EntityPerson, func(i int) string { return fmt.Sprint("person.citizenship in lists.l", i) })}
	},
	"conditions that name a list again and again": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.CodeLists(10, 1000), Documents: rulesOf(60, fact.EntityBusiness, always(repeated(`"7995" in lists.l1`, " || ")))}
	},
	"parts that change nothing": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(60, fact.EntityBusiness, func(i int) string {
			parts := rulestest.Numbered(`c > "`, 280)
			return "industry_category_code.exists(c, " + strings.Join(parts, `" || `) + fmt.Sprintf(`" || c == "%d")`, i)
		})}
	},
	"codes held against many lists": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.CodeLists(100, 1000), Documents: rulesOf(300, fact.EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d || c in lists.l%d)", i%100, (i+1)%100)
		})}
	},
	"lists joined by and": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.NumberedLists(100, 900), Documents: rulesOf(50, fact.EntityPerson, func(i int) string {
			return fmt.Sprintf("person.citizenship in lists.l%d && person.citizenship in lists.l%d", i, i+1)
		})}
	},
	"definitions that are joined again and again": func() requirement.RuleSet {
		rs := requirement.RuleSet{Definitions: map[string]string{}, Documents: rulesOf(200, fact.EntityBusiness, func(i int) string {
			return fmt.Sprintf("(definitions.d%d || definitions.d%d) && !(definitions.d%d && definitions.d%d) && evaluation_score > %d", i%90, (i+1)%90, (i+2)%90, (i+3)%90, i)
		})}
		for i := range 90 {
			rs.Definitions[fmt.Sprint("d", i)] = fmt.Sprintf("(evaluation_score > %d || highest_ticket_sale > %d) && (business_age_months < %d || size(persons) > %d || country == \"US\")", i, i, i+1, i)
		}
		return rs
	},
	"many loops over one list": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(200, fact.EntityBusiness, func(i int) string {
			var loops []string
			for j := range 12 {
				loops = append(loops, fmt.Sprintf("persons.exists(p, p.ownership_percentage > %d && p.citizenship != \"US\")", j+i%80))
			}
			return strings.Join(loops, " && ") + " || " + strings.Join(loops, " && !")
		})}
	},
	"many bands beside other parts": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(60, fact.EntityBusiness, func(i int) string {
			var parts []string
			for j := range 80 {
				parts = append(parts, fmt.Sprintf("(evaluation_score > %d || country == \"US\")", 100*i+j))
			}
			return strings.Join(parts, " && ")
		})}
	},
	"constant conditions": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.NumberedLists(2, 150), Documents: rulesOf(1000, fact.EntityBusiness, always(`lists.l0.all(x, lists.l1.all(y, x != y))`))}
	},
	"mistakes of syntax": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always(repeated("and or is not", " ")))}
	},
	"facts written with blanks": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always(repeated("evaluation score", " ")))}
	},
	"long sums": func() requirement.RuleSet {
		return requirement.RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always("evaluation_score > "+repeated("1", "+")[:4000]+"1"))}
	},
	"misspelt lists": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.NumberedLists(100, 1), Documents: rulesOf(200, fact.EntityBusiness, always(repeated(`"a" in lists.ll1`, "||")))}
	},
	"entries that repeat": func() requirement.RuleSet {
		rs := requirement.RuleSet{Lists: rulestest.NumberedLists(100, 1000)}
		for _, entries := range rs.Lists {
			entries[999] = entries[0]
		}
		return rs
	},
	"bounds that no example tries": func() requirement.RuleSet {
		rs := requirement.RuleSet{Documents: rulesOf(200, fact.EntityBusiness, func(i int) string {
			var bounds []string
			for j := range 12 {
				bounds = append(bounds, fmt.Sprintf("evaluation_score > %d", 100*i+j))
			}
			return strings.Join(bounds, " || ")
		})}
		for i := range requirement.MaxExamples {
			rs.Examples = append(rs.Examples, requirement.Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(-1.0)}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}})
		}
		return rs
	},
	"texts that differ by a letter": func() requirement.RuleSet {
		rs := requirement.RuleSet{Documents: rulesOf(1000, fact.EntityBusiness, always("evaluation_score > 25"))}
		for i := range rs.Documents {
			rs.Documents[i].DocumentTypeCode = strings.Repeat("A", 60) + fmt.Sprintf("%03d", i)
		}
		return rs
	},
	"a code in one list and no other": func() requirement.RuleSet {
		return requirement.RuleSet{Lists: rulestest.CodeLists(100, 900), Documents: rulesOf(60, fact.EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d", i) + strings.Repeat(fmt.Sprintf(" && !(c in lists.l%d)", i+1), 12) + ")"
		})}
	},
	"tables of joined texts": func() requirement.RuleSet {
		lists := map[string][]string{}
		for i, country := range fact.Countries() {
			for j := range 1000 {
				lists[fmt.Sprint("l", j%100)] = append(lists[fmt.Sprint("l", j%100)], country+fact.Countries()[(i+j)%200])
			}
			if i == 90 {
				break
			}
		}
		return requirement.RuleSet{Lists: lists, Documents: rulesOf(60, fact.EntityPerson, func(i int) string {
			return repeated(fmt.Sprintf("country + person.country_of_residence in lists.l%d", i), " || ")
		})}
	},
	"choices between elements of lists of choices": func() requirement.RuleSet {
		condition := "country == e22"
		for i := 22; i > 0; i-- {
			condition = fmt.Sprintf("[1 < 2 ? e%d : e%d].exists(e%d, %s)", i-1, i-1, i, condition)
		}
		return oneRule(fact.EntityBusiness, `["UK"].exists(e0, `+condition+")")
	},
	"choices between joined texts": func() requirement.RuleSet {
		return oneRule(fact.EntityBusiness, `"US" in [country + "cc"]`+strings.Repeat(`.map(e, 1 < 2 ? e : e)`, 170))
	},
	"examples that expect much": func() requirement.RuleSet {
		rs := requirement.RuleSet{Documents: rulesOf(1000, fact.EntityBusiness, always("evaluation_score > 25"))}
		for i := range requirement.MaxExamples {
			e := requirement.Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(1.0)}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}}
			for j := range 300 {
				e.Expect.Documents = append(e.Expect.Documents, requirement.ExpectedDocument{DocumentTypeCode: fmt.Sprint("D", j)})
			}
			rs.Examples = append(rs.Examples, e)
		}
		return rs
	},
	"examples with many persons": func() requirement.RuleSet {
		rs := requirement.RuleSet{Documents: rulesOf(20, fact.EntityPerson, always("person.ownership_percentage > 25"))}
		for i := range 60 {
			rs.Examples = append(rs.Examples, requirement.Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{Persons: rulestest.ManyPersons(fact.MaxPersons)}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}})
		}
		return rs
	},
}

// costlyToRead are files with many mistakes, each of which is located in its file.
func costlyToRead() map[string]string {
	near := strings.Builder{} // names that are near to one that belongs here, which comes last
	for i := range 40_000 {
		fmt.Fprintf(&near, `"requirement_%04d":1,`, i)
	}
	return map[string]string{
		"near names":       `{"documents":[{` + near.String() + `"requirement_text":1}]}`,
		"unknown names":    `{"documents":[{` + strings.Repeat(`"a":1,`, 150_000) + `"name":1}]}`,
		"mistakes of YAML": "a: 'b' c\n" + strings.Repeat("\n", 900_000),
	}
}

// BenchmarkCheckingTheCostliestRuleSets checks each whole, as a request can hold it.
func BenchmarkCheckingTheCostliestRuleSets(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(costlyToCheck)) {
		rs := costlyToCheck[name]()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := check(b.Context(), rs)
				require.NoError(b, err)
			}
		})
	}
	for name, text := range costlyToRead() {
		b.Run(name, func(b *testing.B) {
			open := rulefile.YAMLFile
			if strings.HasPrefix(text, "{") {
				open = rulefile.JSONFile
			}
			for b.Loop() {
				require.NotEmpty(b, CheckRuleSet(open([]byte(text))).Problems)
			}
		})
	}
}

// partOf is the beginning of an attack, for a test that checks it again and again: it is
// enough to see where checking looks at its context.
func partOf(rs requirement.RuleSet) requirement.RuleSet {
	length := 0
	for i, d := range rs.Documents {
		if length += len(d.When); length > 1000*needs.Depth {
			rs.Documents = rs.Documents[:i]
			break
		}
	}
	rs.Examples = rs.Examples[:len(rs.Examples)/8]
	return rs
}

// check is what a caller waits for: the problems of a rule set, or its warnings.
func check(ctx context.Context, rs requirement.RuleSet) ([]requirement.Problem, error) {
	program, problems, err := requirement.CompileContext(ctx, rs, requirement.Options{})
	if program == nil {
		return problems, err
	}
	return Warnings(ctx, Today(), program, rs)
}

func TestCheck_StopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	for name, attack := range costlyToCheck {
		rs := partOf(attack())
		left := math.MaxInt
		_, err := check(rulestest.EndsAfter{Context: t.Context(), Left: &left}, rs)
		require.NoError(t, err, name)
		asked := math.MaxInt - left
		require.Greater(t, asked, 1, name)
		for _, after := range []int{asked / 2, asked - 1, 0}[:min(needs.Depth, 3)] {
			left := after
			found, err := check(rulestest.EndsAfter{Context: t.Context(), Left: &left}, rs)
			require.Error(t, err, "%s: it ended after %d of %d", name, after, asked)
			require.Empty(t, found, "what was not looked at to its end says nothing")
			require.Less(t, -left, 1100, "%s: nothing goes on after the end", name)
		}
	}
}
