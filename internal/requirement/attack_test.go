package requirement

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	tests "requisite/internal/needs"
	"requisite/internal/requirement/rulefile"
)

// checkedWithin is far more than checking any rule set that a request can hold
// takes, which is two seconds; with the race detector, on a machine with much else
// to do, a minute is not enough. What grows with the square of its size takes hours
// there.
const checkedWithin = 10 * time.Minute

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
		return RuleSet{Lists: numberedLists(48, 1000), Documents: rulesOf(48, EntityPerson, func(i int) string { return fmt.Sprint("person.citizenship in lists.l", i) })}
	},
	"conditions that name a list again and again": func() RuleSet {
		return RuleSet{Lists: codeLists(10, 1000), Documents: rulesOf(60, EntityBusiness, always(repeated(`"7995" in lists.l1`, " || ")))}
	},
	"codes held against many lists": func() RuleSet {
		return RuleSet{Lists: codeLists(100, 1000), Documents: rulesOf(300, EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d || c in lists.l%d)", i%100, (i+1)%100)
		})}
	},
	"lists joined by and": func() RuleSet {
		return RuleSet{Lists: numberedLists(100, 900), Documents: rulesOf(50, EntityPerson, func(i int) string {
			return fmt.Sprintf("person.citizenship in lists.l%d && person.citizenship in lists.l%d", i, i+1)
		})}
	},
	"constant conditions": func() RuleSet {
		return RuleSet{Lists: numberedLists(2, 150), Documents: rulesOf(1000, EntityBusiness, always(`lists.l0.all(x, lists.l1.all(y, x != y))`))}
	},
	"mistakes of syntax": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, EntityBusiness, always(repeated("and or is not", " ")))}
	},
	"facts written with blanks": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, EntityBusiness, always(repeated("evaluation score", " ")))}
	},
	"long sums": func() RuleSet {
		return RuleSet{Documents: rulesOf(240, EntityBusiness, always("evaluation_score > "+repeated("1", "+")[:4000]+"1"))}
	},
	"misspelt lists": func() RuleSet {
		return RuleSet{Lists: numberedLists(100, 1), Documents: rulesOf(200, EntityBusiness, always(repeated(`"a" in lists.ll1`, "||")))}
	},
	"entries that repeat": func() RuleSet {
		rs := RuleSet{Lists: numberedLists(100, 1000)}
		for _, entries := range rs.Lists {
			entries[999] = entries[0]
		}
		return rs
	},
	"bounds that no example tries": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(200, EntityBusiness, func(i int) string {
			var bounds []string
			for j := range 12 {
				bounds = append(bounds, fmt.Sprintf("evaluation_score > %d", 100*i+j))
			}
			return strings.Join(bounds, " || ")
		})}
		for i := range MaxExamples {
			rs.Examples = append(rs.Examples, Example{Name: fmt.Sprint("e", i), Facts: ExampleFacts{EvaluationScore: decimal(-1.0)}, Expect: Expectation{Documents: []ExpectedDocument{}}})
		}
		return rs
	},
	"texts that differ by a letter": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(1000, EntityBusiness, always("evaluation_score > 25"))}
		for i := range rs.Documents {
			rs.Documents[i].DocumentTypeCode = strings.Repeat("A", 60) + fmt.Sprintf("%03d", i)
		}
		return rs
	},
	"a code in one list and no other": func() RuleSet {
		return RuleSet{Lists: codeLists(100, 900), Documents: rulesOf(60, EntityBusiness, func(i int) string {
			return fmt.Sprintf("industry_category_code.exists(c, c in lists.l%d", i) + strings.Repeat(fmt.Sprintf(" && !(c in lists.l%d)", i+1), 12) + ")"
		})}
	},
	"examples that expect much": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(1000, EntityBusiness, always("evaluation_score > 25"))}
		for i := range MaxExamples {
			e := Example{Name: fmt.Sprint("e", i), Facts: ExampleFacts{EvaluationScore: decimal(1.0)}, Expect: Expectation{Documents: []ExpectedDocument{}}}
			for j := range 300 {
				e.Expect.Documents = append(e.Expect.Documents, ExpectedDocument{DocumentTypeCode: fmt.Sprint("D", j)})
			}
			rs.Examples = append(rs.Examples, e)
		}
		return rs
	},
	"examples with many persons": func() RuleSet {
		rs := RuleSet{Documents: rulesOf(20, EntityPerson, always("person.ownership_percentage > 25"))}
		for i := range 60 {
			rs.Examples = append(rs.Examples, Example{Name: fmt.Sprint("e", i), Facts: ExampleFacts{Persons: manyPersons(MaxPersons)}, Expect: Expectation{Documents: []ExpectedDocument{}}})
		}
		return rs
	},
}

func TestCheckingIsNearLinear(t *testing.T) {
	t.Parallel()
	for name, attack := range costlyToCheck {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), checkedWithin)
			defer cancel()
			_, _, err := CompileContext(ctx, attack(), Options{})
			require.NoError(t, err, "it was not checked within %s", checkedWithin)
		})
	}
}

// A text that was read is placed in its file: whatever is wrong with it.
func TestReadingIsNearLinear(t *testing.T) {
	t.Parallel()
	near := strings.Builder{} // names that are near to one that belongs here, which comes last
	for i := range 40_000 {
		fmt.Fprintf(&near, `"requirement_%04d":1,`, i)
	}
	for name, text := range map[string]string{
		"near names":       `{"documents":[{` + near.String() + `"requirement_text":1}]}`,
		"unknown names":    `{"documents":[{` + strings.Repeat(`"a":1,`, 150_000) + `"name":1}]}`,
		"mistakes of YAML": "a: 'b' c\n" + strings.Repeat("\n", 900_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := make(chan []Problem, 1)
			go func() {
				if strings.HasPrefix(text, "{") {
					done <- CheckRuleSetJSON([]byte(text), Options{}).Problems
					return
				}
				done <- CheckRuleSetYAML([]byte(text), Options{}).Problems
			}()
			select {
			case problems := <-done:
				require.NotEmpty(t, problems)
				require.LessOrEqual(t, len(problems), rulefile.MaxProblems)
			case <-time.After(checkedWithin):
				t.Fatalf("it was not checked within %s", checkedWithin)
			}
		})
	}
}

// ended is a context that ends after it was asked so often.
type ended struct {
	context.Context
	left *int
}

var errEnded = errors.New("nobody waits any more")

func (c ended) Err() error {
	if *c.left--; *c.left < 0 {
		return errEnded
	}
	return nil
}

// partOf is the beginning of an attack, for a test that checks it again and again: it is
// enough to see where checking looks at its context. TestCheckingIsNearLinear checks
// the whole.
func partOf(rs RuleSet) RuleSet {
	length := 0
	for i, d := range rs.Documents {
		if length += len(d.When); length > 10_000 {
			rs.Documents = rs.Documents[:i]
			break
		}
	}
	rs.Examples = rs.Examples[:len(rs.Examples)/8]
	return rs
}

func TestCheckingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, attack := range costlyToCheck {
		rs := partOf(attack())
		left := math.MaxInt
		_, _, err := CompileContext(ended{t.Context(), &left}, rs, Options{})
		require.NoError(t, err, name)
		asked := math.MaxInt - left
		require.Greater(t, asked, 1, name)
		for _, after := range []int{0, asked / 2, asked - 1}[:tests.Tries(3, 2)] {
			left := after
			program, problems, err := CompileContext(ended{t.Context(), &left}, rs, Options{})
			require.Error(t, err, "%s: it ended after %d of %d", name, after, asked)
			require.Nil(t, program)
			require.Empty(t, problems, "what was not looked at to its end says nothing")
			require.Less(t, -left, 1100, "%s: nothing goes on after the end", name)
		}
	}
}

// TestAConstantDivisorIsNotCalculatedAtAnyPrice: nine to the power of twelve steps,
// which need no facts.
func TestAConstantDivisorIsNotCalculatedAtAnyPrice(t *testing.T) {
	t.Parallel()
	const list = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
	divisor := "true"
	for i := range 11 {
		divisor = fmt.Sprintf("%s.all(x%d, %s)", list, i, divisor)
	}
	requireProblem(t, oneRule(EntityBusiness, "1 / size("+list+".filter(x, "+divisor+")) > 0"), "documents[0].when", "steps")
}

func TestTheBoundCountsLoopsWithinLoopsAndTheirReasons(t *testing.T) {
	t.Parallel()
	const pairs = `persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`
	requireProblem(t, manyRules(31, EntityBusiness, pairs), "documents", "write fewer or simpler rules")
	_, problems := Compile(manyRules(2, EntityBusiness, pairs), Options{})
	require.Empty(t, problems)
}

// costly are conditions whose reasons grow with the square of what is on file, or
// with the length of the condition.
var costlyToExplain = []string{
	`persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`,
	`persons.all(p, persons.all(q, p.ownership_percentage + p.ownership_percentage * 2.0 - q.ownership_percentage + 1.5 > 1.0))`,
	`persons.all(p, p.citizenship in persons.map(q, q.citizenship))`,
	`persons.all(p, !("US" in persons.map(q, q.citizenship)))`,
	`persons.all(p, size(persons.filter(q, q.ownership_percentage > 25)) > 1)`,
	`lists.high_risk.all(c, !(c in industry_category_code))`,
	`persons.filter(p, persons.exists(q, q.citizenship == p.citizenship)).map(r, r.ownership_percentage).all(x, x > 1.0)`,
}

// largeFacts have all on file that may be.
func largeFacts() Facts {
	f := completeFacts()
	f.Persons = manyPersons(MaxPersons)
	f.IndustryCategoryCode = numbered("", MaxIndustryCategoryCodes)
	return f
}

func TestAReasonIsBounded(t *testing.T) {
	t.Parallel()
	for _, when := range costlyToExplain {
		program := mustCompile(t, oneRule(EntityBusiness, when))
		b, err := program.prepare(largeFacts())
		require.NoError(t, err)
		found, err := program.matches(t.Context(), b)
		require.NoError(t, err)
		require.Len(t, found, 1, when)
		required := found[0].require()
		most := program.rules[0].condition.reasonSteps(program.lists)
		require.LessOrEqual(t, most, MaxReasonSteps, when)
		require.LessOrEqual(t, *b.explained, uint64(most), when)
		if *b.explained < MaxReasonSteps {
			continue
		}
		require.NotContains(t, required.Reason.Message, "more such values", when)
		for _, name := range program.FactNames() {
			if field, ok := strings.CutPrefix(name, "person."); ok {
				persons := required.Reason.Facts[namePersons].(map[string]any)
				require.Len(t, persons, MaxPersons, when)
				require.Contains(t, persons["p_007"], field, when)
			} else if name != namePersons {
				require.Contains(t, required.Reason.Facts, name, when)
			}
		}
	}
}

// TestAReasonTooLongToBeFoundRepeatsTheCondition, with the value of every fact that it
// needs and of no other.
func TestAReasonTooLongToBeFoundRepeatsTheCondition(t *testing.T) {
	t.Parallel()
	when := `evaluation_score > 5 && size(industry_category_code) > 0 && ` + costlyToExplain[0]
	f := largeFacts()
	reason := evaluate(t, oneRule(EntityBusiness, when), f).Required[0].Reason
	require.Equal(t, "A document: required because the evaluation score is more than 5 and the number of industry category codes is more than 0 and for every person for every person their ownership percentage is their ownership percentage.", reason.Message)
	require.Len(t, reason.Facts, 3)
	require.Equal(t, *f.EvaluationScore, reason.Facts["evaluation_score"])
	require.Len(t, reason.Facts["industry_category_code"], MaxIndustryCategoryCodes)
	persons := reason.Facts[namePersons].(map[string]any)
	require.Len(t, persons, MaxPersons)
	require.Equal(t, map[string]any{"ownership_percentage": *decimal(50)}, persons["p_007"])
}

// The estimate by which a rule set is published is never below what its reasons
// take.
func TestReasonsTakeNoMoreStepsThanEstimated(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		condition, _ := drawCondition(t, true)
		program := mustCompile(t, oneRule(EntityPerson, condition.short))
		f := fill(drawFacts(t))
		if rapid.Bool().Draw(t, "large") {
			f.Persons = manyPersons(rapid.IntRange(1, MaxPersons).Draw(t, "many"))
		}
		b, err := program.prepare(f)
		require.NoError(t, err)
		rule := program.rules[0]
		most := uint64(rule.condition.reasonSteps(program.lists))
		// A reason is of one person beside all others: a few of them show it.
		subjects := rule.subjects(b)
		for range min(len(subjects), 4) {
			subject := rapid.SampledFrom(subjects).Draw(t, "person")
			holds, err := rule.holds(background(t), subject.values)
			require.NoError(t, err)
			if !holds {
				continue
			}
			before := *b.explained
			match{rule, subject}.require()
			require.LessOrEqual(t, *b.explained-before, most, condition.short)
		}
	})
}

// BenchmarkTheCostliestRules evaluates rule sets of the most steps that can be
// published, with everything on file that may be: how long the costliest
// calculation of a tenant takes. It is what the bound was chosen by.
func BenchmarkTheCostliestRules(b *testing.B) {
	for name, c := range map[string]struct{ entityType, when string }{
		"pairs of persons": {EntityBusiness, costlyToExplain[0]},
		"sums":             {EntityBusiness, `persons.all(p, industry_category_code.all(c, p.ownership_percentage + p.ownership_percentage * 2.0 > 1.0))`},
		"rules of persons": {EntityPerson, `person.citizenship == "US" || person.ownership_percentage >= 50`},
		"codes":            {EntityBusiness, `lists.high_risk.all(c, !(c in industry_category_code))`},
	} {
		b.Run(name, func(b *testing.B) {
			var program *Program
			for n := 1; n <= MaxDocuments; n += 1 + n/10 {
				rs := manyRules(n, c.entityType, c.when)
				rs.Lists["high_risk"] = numbered("t", MaxListEntries)
				larger, problems := compileUnsized(b.Context(), rs, Options{})
				if len(problems) > 0 {
					break
				}
				program = larger
			}
			f := largeFacts()
			for b.Loop() {
				_, err := program.Evaluate(b.Context(), f)
				if err != nil {
					require.ErrorIs(b, err, ErrTooMuchRequired)
				}
			}
			b.ReportMetric(float64(len(program.rules)), "rules") // b.Loop forgets what was reported before
		})
	}
}
