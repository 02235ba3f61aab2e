package requirement

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// hostileSources are the rule sets that take most memory for their size.
func hostileSources(size int) map[string]string {
	repeat := func(before, text, after string) string {
		return before + strings.Repeat(text, max(0, size-len(before)-len(after))/len(text)) + after
	}
	each := func(before, format, after string) string {
		var b strings.Builder
		b.WriteString(before)
		for i := 0; b.Len()+len(format) < size-len(after)-8; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + after
	}
	return map[string]string{
		"many lists":           each(`{"documents":[],"lists":{`, `"%x":["",`+strings.Repeat(`"",`, 500)+`""],`, `"z":[]}}`),
		"many short lists":     each(`{"documents":[],"lists":{`, `"%x":[],`, `"z":[]}}`),
		"many persons":         repeat(`{"documents":[],"examples":[`, `{"facts":{"persons":[`+strings.Repeat(`{},`, 399)+`{}]}},`, `{}]}`),
		"many expected":        repeat(`{"documents":[],"examples":[`, `{"expect":{"documents":[`+strings.Repeat(`"A",`, 9000)+`"A"]}},`, `{}]}`),
		"codes":                repeat(`{"documents":[],"examples":[`, `{"facts":{"industry_category_code":[`+strings.Repeat(`"1",`, 9000)+`"1"]}},`, `{}]}`),
		"lists of nothing":     repeat(`{"lists":{"a":[`, `[],`, `[]]},"documents":[]}`),
		"many lists of lists":  repeat(`{"documents":[],"lists":{`, `"a":[`+strings.Repeat(`[],`, 9000)+`[]],`, `"z":[]}}`),
		"empty texts":          repeat(`{"lists":{"a":[`, `"",`, `""]},"documents":[]}`),
		"short texts":          repeat(`{"documents":[],"lists":{`, `"a":[`+strings.Repeat(`"7995",`, 999)+`""],`, `"z":[]}}`),
		"numbers":              repeat(`{"lists":{"a":[`, `1,`, `1]},"documents":[]}`),
		"empty documents":      repeat(`{"documents":[`, `{},`, `{}]}`),
		"documents of a field": repeat(`{"documents":[`, `{"when":""},`, `{}]}`),
		"documents of unknown": repeat(`{"documents":[`, `{"x":1},`, `{}]}`),
		"examples":             repeat(`{"documents":[],"examples":[`, `{},`, `{}]}`),
		"facts":                repeat(`{"documents":[],"examples":[`, `{"facts":{}},`, `{}]}`),
		"persons":              repeat(`{"documents":[],"examples":[{"facts":{"persons":[`, `{},`, `{}]}}]}`),
		"expected":             repeat(`{"documents":[],"examples":[{"expect":{"documents":[`, `"A",`, `"A"]}}]}`),
		"a name twice":         repeat(`{`, `"lists":{},`, `"documents":[]}`),
		"unknown names":        repeat(`{`, `"a":1,`, `"documents":[]}`),
		"unknown lists":        repeat(`{"a":[`, `[],`, `[]],"documents":[]}`),
		"deep":                 repeat(strings.Repeat(`{"a":`, 18)+`[`, `[],`, `[]]`+strings.Repeat("}", 18)),
		"lines":                repeat(`{"documents":[]`, "\n", `}`),
		"a long text":          `{"documents":[{"when":"` + strings.Repeat("x", size-30) + `"}]}`,
		"a long name":          `{"documents":[{"` + strings.Repeat("x", size-30) + `":1}]}`,
		"list names":           repeat(`{"documents":[],"lists":{`, `"a":[],`, `"z":[]}}`),
		"no JSON":              repeat(`{"lists":{"a":[`, `[],`, ``),
	}
}

// TestParse_AllocatesAtMostTenTimesTheFile holds the bound of docs/decisions/007-limits.md.
func TestParse_AllocatesAtMostTenTimesTheFile(t *testing.T) {
	for _, size := range []int{64 << 10, MaxSourceBytes} {
		for name, text := range hostileSources(size) {
			t.Run(fmt.Sprintf("%d KiB/%s", size>>10, name), func(t *testing.T) {
				data := []byte(text)
				require.LessOrEqual(t, len(data), size)
				var problems []Problem
				most := uint64(raceFactor * (1<<20 + 10*len(data)))
				least := uint64(math.MaxUint64)
				for range 3 { // other goroutines, and what is made once, add to some measurements
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, problems = ParseRuleSetJSON(data)
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
					if least <= most {
						break
					}
				}
				require.LessOrEqual(t, least, most, "of %d bytes", len(data))
				require.LessOrEqual(t, len(problems), rulefile.MaxProblems)
			})
		}
	}
}

// TestMemoryBytes_CountsConditions, and takes rules that have none.
func TestMemoryBytes_CountsConditions(t *testing.T) {
	bytes := func(when string) int64 {
		program, problems := Compile(RuleSet{Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: when}}}, Options{})
		require.Empty(t, problems)
		return program.MemoryBytes()
	}
	require.Less(t, bytes(""), bytes("business_age_years > 3"))
	require.Less(t, bytes("business_age_years > 3"), bytes("business_age_years > 3 && evaluation_score > 500"))
}
