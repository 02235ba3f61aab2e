package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

const answerBytes = 256 << 10

// allocated is how many bytes work asks for, whether or not they are given back. It works three times, because other goroutines,
// and what is made once, add to some measurements.
func allocated(work func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// hostileBodies are the worst that so many bytes can say.
func hostileBodies(size int) map[string]string {
	repeat := func(before, text, after string) string {
		return before + strings.Repeat(text, max(0, size-len(before)-len(after))/len(text)) + after
	}
	each := func(before, format, after string) string {
		var b strings.Builder
		b.WriteString(before)
		for i := 0; b.Len() < size-len(after)-20; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + after
	}
	deep := strings.Repeat(`{"`+strings.Repeat("😀", 64)+`":`, 62)
	escaped := strings.Repeat(`{"`+strings.Repeat(`\u0001`, 64)+`":`, 62)
	wide := `"` + strings.Repeat("n", size/3) + `"`
	return map[string]string{
		"a name again and again, deep":             repeat(deep+"{", `"a":1,`, `"a":1}`+strings.Repeat("}", 62)),
		"the same with escapes":                    repeat(escaped+"{", `"a":1,`, `"a":1}`+strings.Repeat("}", 62)),
		"a name again and again":                   repeat("{", `"a":1,`, `"a":1}`),
		"a name again and again, below a long one": repeat("{"+wide+":{", `"a":1,`, `"a":1}}`),
		"a field again and again":                  repeat("{", `"name":1,`, `"name":1}`),
		"a list again and again":                   repeat("{", `"codes":[1,1,1,1,1,1,1,1],`, `"codes":[]}`),
		"rules again and again":                    repeat("{", `"rules":{},`, `"rules":{}}`),
		"pairs in many objects":                    repeat(`{"x":[`, `{"a":1,"a":1},`, `0]}`),
		"names near a field":                       each("{", `"%xddress":1,`, `"a":1}`),
		"other names":                              each("{", `"%x":1,`, `"a":1}`),
		"other names with escapes":                 each("{", `"\u0001%x":1,`, `"a":1}`),
		"fields in another case":                   repeat("{", `"Codes":["a","a","a"],`, `"a":1}`),
		"a list in another case":                   repeat(`{"Codes":[`, `"",`, `""]}`),
		"a long list":                              repeat(`{"codes":[`, `"",`, `""]}`),
		"a long list of numbers":                   repeat(`{"codes":[`, `1,`, `1]}`),
		"a long list of nothing":                   repeat(`{"codes":[`, `null,`, `1]}`),
		"a long list of objects":                   repeat(`{"parts":[`, `{},`, `{}]}`),
		"a long list of objects, then a short":     repeat(`{"parts":[`, `{},`, `{}],"parts":[]}`),
		"many lists of objects":                    repeat(`{"parts":[{}],`, `"parts":[{},{},{},{},{}],`, `"parts":[]}`),
		"lists within":                             repeat(`{"x":[`, `[],`, `[]]}`),
		"objects within":                           repeat(`{"x":[`, `{"a":{}},`, `{}]}`),
		"lists in rules":                           repeat(`{"rules":{"x":[`, `[],`, `[]]}}`),
		"too deep":                                 repeat("", "[", ""),
		"a long name":                              `{"` + strings.Repeat("n", size-7) + `":1}`,
		"a long name with escapes":                 `{"` + strings.Repeat(`\u0001`, (size-7)/6) + `":1}`,
		"a long text":                              `{"name":"` + strings.Repeat("n", size-11) + `"}`,
		"a long text with escapes":                 `{"name":"` + strings.Repeat(`\n`, (size-11)/2) + `"}`,
		"a long number":                            `{"limit":` + strings.Repeat("9", size-10) + `}`,
		"a huge number":                            `{"amount":1e` + strings.Repeat("9", size-14) + `}`,
		"a long enumeration":                       `{"kind":"` + strings.Repeat("<", size-11) + `"}`,
		"blanks":                                   repeat("", " ", "{}"),
		"no end":                                   repeat("{", `"a":1,`, ""),
		"no UTF-8":                                 repeat("{", `"a":1,`, "\"\xff\":1}"),
		"a comma too many":                         repeat("{", `"a":1,`, "}"),
		"nothing but names":                        repeat("{", `"":0,`, `"":0}`),
		"names in quotes":                          repeat("{", `":":0,`, `"":0}`),
		"colons in a text":                         `{"x":"` + strings.Repeat(":", size-8) + `"}`,
	}
}

type part struct {
	A, B, C, D, E, F, G, H string
	I, J                   Optional[string]
}

type hostileSample struct {
	Embedded
	Name   string             `json:"name" minLength:"1" maxLength:"4"`
	Kind   string             `json:"kind,omitempty" enum:"A,B"`
	Codes  Optional[[]string] `json:"codes,omitempty" maxItems:"2"`
	Amount *Decimal           `json:"amount,omitempty" minimum:"0"`
	Limit  *int               `json:"limit,omitempty" minimum:"1"`
	Rules  *Raw               `json:"rules,omitempty"`
	Parts  []part             `json:"parts,omitempty" maxItems:"5"`
}

// It tests the bounds of memory and of the answer in docs/decisions/007-limits.md with
// the worst bodies.
func TestDecode_AllocatesAtMostTenTimesTheBody(t *testing.T) {
	schemas := NewSchemas()
	schemas.Describe(reflect.TypeFor[hostileSample]())
	_ = schemas.Decode([]byte(`{"id":"x"}`), new(hostileSample)) // whose patterns are compiled once
	for _, size := range []int{64 << 10, 1 << 20} {
		for name, body := range hostileBodies(size) {
			t.Run(fmt.Sprintf("%d KiB/%s", size>>10, name), func(t *testing.T) {
				require.LessOrEqual(t, len(body), size)
				data := []byte(body)
				var err error
				cost := allocated(func() { err = schemas.Decode(data, new(hostileSample)) })
				require.LessOrEqual(t, cost, uint64(raceFactor*(1<<20+10*len(data))), "of %d bytes", len(data))
				var refused *refusal.Refusal
				require.ErrorAs(t, err, &refused)
				var fields []refusal.Field
				require.NoError(t, json.Unmarshal(refused.Details, &fields))
				require.NotEmpty(t, fields)
				require.LessOrEqual(t, len(fields), refusal.MaxFields)
				w := httptest.NewRecorder()
				require.NoError(t, WriteRefusal(w, "trc_1", refused))
				require.LessOrEqual(t, w.Body.Len(), answerBytes)
			})
		}
	}
}

func TestDecode_ReportsAtMostAHundredProblems(t *testing.T) {
	decode := func(body string) (*refusal.Refusal, []refusal.Field) {
		var refused *refusal.Refusal
		require.ErrorAs(t, NewSchemas().Decode([]byte(body), new(limits)), &refused)
		var fields []refusal.Field
		require.NoError(t, json.Unmarshal(refused.Details, &fields))
		return refused, fields
	}
	names := func(n int) string {
		var b strings.Builder
		for i := n - 1; i >= 0; i-- {
			fmt.Fprintf(&b, `"n%03d":1,`, i)
		}
		return b.String()
	}
	refused, fields := decode(`{` + names(100) + `"limit":1}`)
	require.Len(t, fields, 100)
	require.Contains(t, refused.Message, "has 100 problems;")
	refused, fields = decode(`{` + names(500) + `"limit":1}`)
	require.Len(t, fields, 100)
	require.Equal(t, "The request has more than 100 problems; details lists the first 100.", refused.Message)
	require.Equal(t, "n499", fields[0].Field, "in the order of the body")
	require.Equal(t, "n400", fields[99].Field)
	// Names that stand twice come in the order of the body, and before all others.
	_, fields = decode(`{"a":{"b":1,"b":2,"c":{"d":1,"d":1}},"a":[{"x":1},{"e":1,"e":1}],"unknown":1,"limit":0}`)
	var paths []string
	for _, f := range fields {
		paths = append(paths, f.Field)
	}
	require.Equal(t, []string{"a.b", "a.c.d", "a", "a[1].e", "unknown", "limit"}, paths)
	_, fields = decode(`{"` + strings.Repeat("😀", 65) + `":1,"` + strings.Repeat("é", 64) + `":1}`)
	require.ElementsMatch(t, []string{strings.Repeat("😀", 64) + "…", strings.Repeat("é", 64)}, []string{fields[0].Field, fields[1].Field})
	_, fields = decode(`{"a\n":1,"a\u000a":1}`)
	require.Equal(t, "a\n", fields[0].Field, "however it is spelt")
	require.Contains(t, fields[0].Message, "stands twice")
}
