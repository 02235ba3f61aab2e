package requirement

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func numbered(prefix string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(prefix, i)
	}
	return texts
}

func numberedLists(n, entries int) map[string][]string {
	lists := map[string][]string{}
	for i := range n {
		lists[fmt.Sprint("l", i)] = numbered(fmt.Sprintf("t%d_", i), entries)
	}
	return lists
}

// codeLists hold what records can hold, so that no warning ends the search for
// others.
func codeLists(n, entries int) map[string][]string {
	lists := map[string][]string{}
	for i := range n {
		for j := range entries {
			lists[fmt.Sprint("l", i)] = append(lists[fmt.Sprint("l", i)], fmt.Sprintf("%04d%02d", j, i))
		}
	}
	return lists
}

// rulesOf are n rules whose conditions differ.
func rulesOf(n int, entityType string, when func(i int) string) []DocumentRule {
	rules := make([]DocumentRule, n)
	for i := range rules {
		rules[i] = documentRule(entityType, when(i))
		rules[i].DocumentTypeCode = fmt.Sprint("DOC_", i)
	}
	return rules
}

func always(when string) func(int) string { return func(int) string { return when } }

// repeated joins parts up to the length that a condition may have.
func repeated(part, sign string) string {
	return strings.TrimSuffix(strings.Repeat(part+sign, MaxConditionLength/len(part+sign)), sign)
}

// Each of these once took time in the square of its size, or could.
var costlyToCheck = map[string]func() RuleSet{
	"a list for each of many rules of persons": func() RuleSet {
		return RuleSet{Lists: numberedLists(48, 1000), Documents: rulesOf(48, fact.EntityPerson, func(i int) string { return fmt.Sprint("person.citizenship in lists.l", i) })}
	},
	"conditions that name a list again and again": func() RuleSet {
		return RuleSet{Lists: codeLists(10, 1000), Documents: rulesOf(60, fact.EntityBusiness, always(repeated(`"7995" in lists.l1`, " || ")))}
	},
	"codes held against many lists": func() RuleSet {
		return RuleSet{Lists: codeLists(100, 1000), Documents: rulesOf(300, fact.EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d || c in lists.l%d)", i%100, (i+1)%100)
		})}
	},
	"lists joined by and": func() RuleSet {
		return RuleSet{Lists: numberedLists(100, 900), Documents: rulesOf(50, fact.EntityPerson, func(i int) string {
			return fmt.Sprintf("person.citizenship in lists.l%d && person.citizenship in lists.l%d", i, i+1)
		})}
	},
	"constant conditions": func() RuleSet {
		return RuleSet{Lists: numberedLists(2, 150), Documents: rulesOf(1000, fact.EntityBusiness, always(`lists.l0.all(x, lists.l1.all(y, x != y))`))}
	},
	"mistakes of syntax": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always(repeated("and or is not", " ")))}
	},
	"facts written with blanks": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always(repeated("evaluation score", " ")))}
	},
	"long sums": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, fact.EntityBusiness, always("evaluation_score > "+repeated("1", "+")[:4000]+"1"))}
	},
	"misspelt lists": func() RuleSet {
		return RuleSet{Lists: numberedLists(100, 1), Documents: rulesOf(200, fact.EntityBusiness, always(repeated(`"a" in lists.ll1`, "||")))}
	},
	"entries that repeat": func() RuleSet {
		rs := RuleSet{Lists: numberedLists(100, 1000)}
		for _, entries := range rs.Lists {
			entries[999] = entries[0]
		}
		return rs
	},
	"bounds that no example tries": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(200, fact.EntityBusiness, func(i int) string {
			var bounds []string
			for j := range 12 {
				bounds = append(bounds, fmt.Sprintf("evaluation_score > %d", 100*i+j))
			}
			return strings.Join(bounds, " || ")
		})}
		for i := range MaxExamples {
			rs.Examples = append(rs.Examples, Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(-1.0)}, Expect: Expectation{Documents: []ExpectedDocument{}}})
		}
		return rs
	},
	"texts that differ by a letter": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(1000, fact.EntityBusiness, always("evaluation_score > 25"))}
		for i := range rs.Documents {
			rs.Documents[i].DocumentTypeCode = strings.Repeat("A", 60) + fmt.Sprintf("%03d", i)
		}
		return rs
	},
	"a code in one list and no other": func() RuleSet {
		return RuleSet{Lists: codeLists(100, 900), Documents: rulesOf(60, fact.EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d", i) + strings.Repeat(fmt.Sprintf(" && !(c in lists.l%d)", i+1), 12) + ")"
		})}
	},
	"examples that expect much": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(1000, fact.EntityBusiness, always("evaluation_score > 25"))}
		for i := range MaxExamples {
			e := Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(1.0)}, Expect: Expectation{Documents: []ExpectedDocument{}}}
			for j := range 300 {
				e.Expect.Documents = append(e.Expect.Documents, ExpectedDocument{DocumentTypeCode: fmt.Sprint("D", j)})
			}
			rs.Examples = append(rs.Examples, e)
		}
		return rs
	},
	"examples with many persons": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(20, fact.EntityPerson, always("person.ownership_percentage > 25"))}
		for i := range 60 {
			rs.Examples = append(rs.Examples, Example{Name: fmt.Sprint("e", i), Facts: fact.ExampleFacts{Persons: manyPersons(fact.MaxPersons)}, Expect: Expectation{Documents: []ExpectedDocument{}}})
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
			var longest time.Duration
			for b.Loop() {
				last := time.Now()
				ctx := WithPauses(b.Context(), func() error {
					longest, last = max(longest, time.Since(last)), time.Now()
					return nil
				})
				_, _, err := CompileContext(ctx, rs, Options{})
				require.NoError(b, err)
				longest = max(longest, time.Since(last))
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms-without-pause")
		})
	}
	for name, text := range costlyToRead() {
		b.Run(name, func(b *testing.B) {
			check := CheckRuleSetYAML
			if strings.HasPrefix(text, "{") {
				check = CheckRuleSetJSON
			}
			for b.Loop() {
				require.NotEmpty(b, check([]byte(text), Options{}).Problems)
			}
		})
	}
}

// endsAfter is a context that ends after it was asked so often.
type endsAfter struct {
	context.Context
	left *int
}

var errEnded = errors.New("nobody waits any more")

func (c endsAfter) Err() error {
	if *c.left--; *c.left < 0 {
		return errEnded
	}
	return nil
}

// partOf is the beginning of an attack, for a test that checks it again and again: it is
// enough to see where checking looks at its context.
func partOf(rs RuleSet) RuleSet {
	length := 0
	for i, d := range rs.Documents {
		if length += len(d.When); length > 1000*depth {
			rs.Documents = rs.Documents[:i]
			break
		}
	}
	rs.Examples = rs.Examples[:len(rs.Examples)/8]
	return rs
}

func TestCheck_StopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	for name, attack := range costlyToCheck {
		rs := partOf(attack())
		left := math.MaxInt
		_, _, err := CompileContext(endsAfter{t.Context(), &left}, rs, Options{})
		require.NoError(t, err, name)
		asked := math.MaxInt - left
		require.Greater(t, asked, 1, name)
		for _, after := range []int{asked / 2, asked - 1, 0}[:min(depth, 3)] {
			left := after
			program, problems, err := CompileContext(endsAfter{t.Context(), &left}, rs, Options{})
			require.Error(t, err, "%s: it ended after %d of %d", name, after, asked)
			require.Nil(t, program)
			require.Empty(t, problems, "what was not looked at to its end says nothing")
			require.Less(t, -left, 1100, "%s: nothing goes on after the end", name)
		}
	}
}

// The divisor takes nine to the power of twelve steps, which need no facts.
func TestCompile_RefusesAConstantDivisorOfTooManySteps(t *testing.T) {
	const list = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
	divisor := "true"
	for i := range 11 {
		divisor = fmt.Sprintf("%s.all(x%d, %s)", list, i, divisor)
	}
	requireProblem(t, oneRule(fact.EntityBusiness, "1 / size("+list+".filter(x, "+divisor+")) > 0"), "documents[0].when", "steps")
}

// pairs is a condition whose reason grows with the square of the persons on file.
const pairs = `persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`

// largeFacts have all on file that may be.
func largeFacts() fact.Facts {
	f := rulestest.CompleteFacts()
	f.Persons = manyPersons(fact.MaxPersons)
	f.IndustryCategoryCode = numbered("", fact.MaxIndustryCategoryCodes)
	return f
}

// The reason has the value of every fact that the condition needs, and of no other.
func TestReason_BeyondTheStepLimitRepeatsTheCondition(t *testing.T) {
	t.Parallel()
	when := `evaluation_score > 5 && size(industry_category_code) > 0 && ` + pairs
	f := largeFacts()
	reason := evaluate(t, oneRule(fact.EntityBusiness, when), f).Required[0].Reason
	require.Equal(t, "A document: required because the evaluation score is more than 5 and the number of industry category codes is more than 0 and for every person for every person their ownership percentage is their ownership percentage.", reason.Message)
	require.Len(t, reason.Facts, 3)
	require.Equal(t, *f.EvaluationScore, reason.Facts["evaluation_score"])
	require.Len(t, reason.Facts["industry_category_code"], fact.MaxIndustryCategoryCodes)
	persons := reason.Facts[fact.NamePersons].(map[string]any)
	require.Len(t, persons, fact.MaxPersons)
	require.Equal(t, map[string]any{"ownership_percentage": *rulestest.Decimal(50)}, persons["p_007"])
}

// Reasons take only the steps that the decisions have left. Beyond them, they repeat
// the condition and name all facts that it needs.
func TestReasons_ShareTheLimitOfTheEvaluation(t *testing.T) {
	t.Parallel()
	const when = `persons.exists(p, p.citizenship == "CA" && p.ownership_percentage > 1) && person.citizenship == "CA"`
	program := mustCompile(t, oneRule(fact.EntityPerson, when))
	f := rulestest.CompleteFacts()
	f.Persons = manyPersons(50)
	spend := func(limit uint64) (reasons []Reason, spent uint64) {
		program.limit = limit
		b, err := program.prepare(f)
		require.NoError(t, err)
		matches, err := program.matches(t.Context(), b)
		require.NoError(t, err)
		require.Len(t, matches, len(f.Persons))
		for _, m := range matches {
			reasons = append(reasons, m.require().Reason)
		}
		return reasons, *b.spent
	}
	whole, spent := spend(DefaultCostLimit)
	less, lessSpent := spend(spent - 1)
	require.LessOrEqual(t, lessSpent, spent-1)
	last := len(whole) - 1
	require.Equal(t, whole[:last], less[:last])
	require.Contains(t, whole[last].Message, "the citizenship of person p_000 is CA")
	require.Contains(t, less[last].Message, "required because for a person their citizenship is CA")
	require.Equal(t, whole[last].Facts, less[last].Facts, "every fact is still named")
}

func TestReason_CanBeGivenUpAtEveryStep(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.Persons = manyPersons(3)
	for _, when := range []string{
		`persons.all(p, persons.exists(q, q.ownership_percentage == p.ownership_percentage && q.citizenship in ["CA", "US"]))`,
		`persons.filter(p, p.ownership_percentage > 25).map(p, p.ownership_percentage).exists(n, n > (person.citizenship == "CA" ? 5 : 6))`,
		`lists.high_risk.exists_one(c, c in industry_category_code) || person.ownership_percentage * 2 > 1`,
	} {
		program := mustCompile(t, oneRule(fact.EntityPerson, when))
		b, err := program.prepare(f)
		require.NoError(t, err)
		rule := program.rules[0]
		subject := rule.subjects(b)[0]
		_, steps, ok := walkWithin(rule.condition.tree, subject.values, math.MaxInt)
		require.True(t, ok)
		for most := range steps {
			_, _, ok := walkWithin(rule.condition.tree, subject.values, most)
			require.False(t, ok, "%s after %d", when, most)
		}
		_, _, ok = walkWithin(rule.condition.tree, subject.values, steps)
		require.True(t, ok)
	}
}
