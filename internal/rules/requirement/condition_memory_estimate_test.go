//go:build deep

package requirement

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func heap() int64 {
	var stats runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// It runs alone: the heap is everybody's.
func TestMemoryEstimate_IsNearTheMeasurement(t *testing.T) {
	for name, rs := range map[string]RuleSet{
		"one rule":        oneRule(fact.EntityBusiness, "evaluation_score > 5"),
		"many rules":      manyRules(500, fact.EntityBusiness, `average_monthly_credit_sales > 50000 && business_age_years < 2`),
		"loops":           manyRules(100, fact.EntityBusiness, `persons.exists(p, p.citizenship != "US" && p.ownership_percentage > 25)`),
		"long conditions": manyRules(60, fact.EntityBusiness, repeated("evaluation_score > 5", "||")),
		"literals":        manyRules(30, fact.EntityBusiness, `"US" in [`+strings.Repeat(`"US",`, 700)+`"CA"]`),
		"lists":           {Lists: rulestest.NumberedLists(100, 1000), Documents: rulesOf(1, fact.EntityBusiness, always(`"a" in lists.l1`))},
		"texts without rules": func() RuleSet {
			rs := manyRules(80, fact.EntityBusiness, "")
			for i := range rs.Documents {
				rs.Documents[i].RequirementText = repeated("x", "y")[:4000]
			}
			return rs
		}(),
	} {
		content := rs.CanonicalJSON()
		load := func() *Program {
			set, problems := ParseRuleSetJSON(content)
			require.Empty(t, problems)
			program, problems, err := Load(t.Context(), set, Options{})
			require.NoError(t, err)
			require.Empty(t, problems, name)
			return program
		}
		load()                                           // makes what all programs share
		kept := make([]*Program, 3+512<<10/len(content)) // so many that what the runtime does beside them is small
		before := heap()
		for i := range kept {
			kept[i] = load()
		}
		measured := (heap() - before) / int64(len(kept))
		estimate := kept[0].MemoryBytes()
		t.Logf("%-20s %8d bytes of source, %9d in memory, %9d by estimate (%.1f)", name, len(content), measured, estimate, float64(estimate)/float64(measured))
		assert.Less(t, measured, 2*estimate, name)
		assert.Greater(t, measured, estimate/8, name)
		runtime.KeepAlive(kept)
	}
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
