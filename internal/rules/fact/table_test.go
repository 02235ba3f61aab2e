package fact

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"requisite/internal/rational"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what docs say of facts anew, from the table of facts")

// TestFacts_HaveCompleteRows: otherwise a message would have a hole where the row lacks a text.
func TestFacts_HaveCompleteRows(t *testing.T) {
	require.Len(t, BuiltIn.rows, len(builtIn)+len(builtInFields), "two facts have one name")
	said := map[string]string{"directors": "", "owners": "", "people": "", "shareholders": ""}
	for _, row := range BuiltIn.rows {
		require.Regexp(t, `^[a-z]+(_[a-z]+)*$`, row.Name)
		require.True(t, row.Since >= 1, row.Name)
		require.NotEmpty(t, row.Label, row.Name)
		require.Equal(t, row.Priced || row.Follows != "" || row.IsID(), row.ask == "", "%s: what to ask for", row.Name)
		require.NotEmpty(t, row.guide, row.Name)
		require.NotNil(t, row.Longest, row.Name)
		require.Contains(t, DeclaredTypes(), string(row.Wire), row.Name)
		require.Equal(t, row.Shape == NumberShape, row.Bits > 0, "%s: bits", row.Name)
		require.Equal(t, row.Shape.Number() || row.Shape == DateShape, row.Domain != nil, "%s: domain", row.Name)
		if form := row.Text; form != nil {
			require.NotEmpty(t, form.Words, row.Name)
			require.True(t, form.recorded(form.Shortest) && form.recorded(form.Longest), "%s: %q, %q", row.Name, form.Shortest, form.Longest)
			require.True(t, form.HasPart("") && form.HasPart(form.Longest), row.Name)
			require.LessOrEqual(t, len(form.Shortest), len(form.Longest), row.Name)
		}
		for _, word := range row.synonyms {
			if other := BuiltIn.rows[word]; other != nil {
				require.NotEqual(t, other.OfPerson(), row.OfPerson(), "%s is a fact itself", word)
				continue
			}
			require.NotContains(t, said, word)
			said[word] = row.Name
		}
		if row.OfPerson() || row.Follows != "" {
			continue
		}
		require.NotEmpty(t, row.missing.by, row.Name)
		require.Equal(t, row.missing.by == operationBusiness, row.missing.phrase != "", "%s: phrase", row.Name)
		require.Equal(t, row.missing.by == operationCreateSales, row.missing.amount != "", "%s: amount", row.Name)
		require.NotEmpty(t, row.about, row.Name)
	}
	for _, row := range builtIn {
		require.Regexp(t, `^\S.* (is|are)$`, row.Label, "%s: the beginning of a sentence", row.Name)
		if row.Follows != "" {
			_, known := BuiltIn.Find(row.Follows)
			require.True(t, known, row.Name)
			require.NotNil(t, row.counted, row.Name)
		}
	}
}

// put writes a value of its own where a fact is kept.
func put(pointer any, n int64) any {
	switch pointer := pointer.(type) {
	case **Number:
		number := rational.Int(n)
		*pointer = &number
	case **Date:
		*pointer = &Date{Year: 2000 + int(n), Month: 1, Day: 1}
	case **string:
		text := fmt.Sprint(n)
		*pointer = &text
	case *string:
		*pointer = fmt.Sprint(n)
	case *[]string:
		*pointer = []string{fmt.Sprint(n)}
	default:
		panic(fmt.Sprintf("%T", pointer))
	}
	return kept(pointer)
}

// TestFacts_AreStoredUnderTheirNames: a copied row that still points at the original's fact would
// compile.
func TestFacts_AreStoredUnderTheirNames(t *testing.T) {
	names := func(v any) []string {
		var members map[string]any
		require.NoError(t, json.Unmarshal(CanonicalJSON(v), &members))
		return slices.Sorted(maps.Keys(members))
	}
	for i, row := range builtIn {
		if row.Follows != "" {
			continue
		}
		var f Facts
		empty := names(f)
		require.Nil(t, row.Value(&f), row.Name)
		value := put(row.stored(&f), int64(i+1))
		require.Equal(t, value, row.Value(&f), row.Name)
		require.Equal(t, slices.Sorted(slices.Values(append(empty, row.Name))), names(f))
		var e ExampleFacts
		value = put(row.example(&e), int64(i+1))
		require.Equal(t, []string{row.Name}, names(e))
		f = e.Facts()
		require.Equal(t, value, row.Value(&f), row.Name)
		if amount := row.missing.amount; amount != "" {
			require.Equal(t, row.stored(&f), any(f.SalesAmount(amount)))
		}
	}
	for i, row := range builtInFields {
		var p PersonFacts
		value := put(row.ofPerson(&p), int64(i+1))
		require.Equal(t, value, row.ValueOf(&p))
		require.Equal(t, slices.Compact(slices.Sorted(slices.Values([]string{namePersonID, row.Name}))), names(p))
	}
	require.Nil(t, new(Facts).SalesAmount(""))
	require.Nil(t, new(Facts).SalesAmount("NO_SUCH_SALE"))
}

// TestFacts_AreListedInTheDocs holds the schemas and the guide to the table of
// facts. With -update it writes them.
func TestFacts_AreListedInTheDocs(t *testing.T) {
	var facts, ofPersons, gaps, table []string
	for _, row := range builtIn {
		table = append(table, guideRow(row))
		if row.Follows == "" {
			facts = append(facts, schemaOf(row, 12))
		}
	}
	guided := make([]string, len(builtInFields))
	for i, row := range builtInFields {
		guided[i] = fmt.Sprintf("`%s` (%s)", row.Name, row.guide)
		if row.CanLack() {
			ofPersons = append(ofPersons, schemaOf(row, 18))
		}
	}
	for _, name := range BuiltIn.GapNames() {
		gaps = append(gaps, strings.Repeat(" ", 8)+quoted(name))
	}
	var top, priced []string
	for _, row := range builtIn {
		top = append(top, row.Name)
		if !row.Priced {
			priced = append(priced, row.Name)
		}
	}
	count := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}[len(builtInFields)]
	for _, c := range []struct{ file, before, want, after string }{
		{"rules.schema.json", `"as_of": \{[^}]*\},\n`, strings.Join(facts, ",\n") + ",\n", ` *"custom": \{`},
		{"rules.schema.json", `"person_id": \{\n *"description": "A short name[^}]*\},\n`, strings.Join(ofPersons, ",\n") + "\n", `(?m:^ {16}\}\n)`},
		{"rules.schema.json", `"builtInFact": \{\n *"type": "string",\n *"enum": \[\n`, strings.Join(gaps, ",\n") + "\n", ` *\]`},
		{"rules.schema.json", `Compare facts: `, strings.Join(top, ", ") + ", persons, and person with entity_type Person. A person has " + enumerated(fieldNames()) + ".", ` Declared facts`},
		{"pricing.schema.json", `Compare facts: `, strings.Join(priced, ", ") + ", persons.", ` Declared facts`},
		{"rules.md", `\n## Facts\n[^|]*\|.*\n\|---\|---\|---\|---\|---\|\n`, strings.Join(table, "\n") + "\n", "\\| `persons` \\|"},
		{"rules.md", `\nA person has `, count + " facts: " + enumerated(guided), `\.\n`},
	} {
		path := "../../../docs/" + c.file
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		found := regexp.MustCompile(`(` + c.before + `)((?s:.*?))(` + c.after + `)`).FindSubmatchIndex(source)
		require.NotNil(t, found, "%s: %s", c.file, c.before)
		if *update {
			require.NoError(t, os.WriteFile(path, slices.Concat(source[:found[4]], []byte(c.want), source[found[5]:]), 0o644))
			continue
		}
		require.Equal(t, c.want, string(source[found[4]:found[5]]), "%s: go test ./internal/rules/fact -run TestFacts_AreListedInTheDocs -update writes it", c.file)
	}
}

func fieldNames() (names []string) {
	for _, row := range builtInFields {
		names = append(names, row.Name)
	}
	return names
}

// enumerated are names as a sentence lists them.
func enumerated(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSpace(out.String())
}

// schemaOf is a property of the schema.
func schemaOf(row *Row, indent int) string {
	about := row.about
	if row.List != nil {
		about += fmt.Sprintf(" At most %d %ss.", row.List.Most, row.List.Element)
	}
	text := fmt.Sprintf("%s: {\n  \"description\": %s,\n  %s\n}", quoted(row.Name), quoted(about), strings.ReplaceAll(row.schema, "\n", "\n  "))
	blank := strings.Repeat(" ", indent)
	return blank + strings.ReplaceAll(text, "\n", "\n"+blank)
}

// inTheAPI is what the API calls a fact.
func inTheAPI(row *Row) string {
	switch {
	case row.Follows != "":
		return "–"
	case row.missing.amount != "":
		return "`" + row.missing.amount + "`"
	}
	return "`" + row.requestName() + "`"
}

// guideRow is a line of the guide's table.
func guideRow(row *Row) string {
	from := map[string]string{
		operationPricing: "the workflow, by the account's pricing model", operationCreateSales: "the sales info of the business", operationBusiness: "the business",
	}[row.missing.by]
	asked := row.asked
	if row.Follows != "" {
		from, asked = "counted from `"+row.Follows+"`", BuiltIn.Lookup(row.Follows).asked
	}
	if row.List != nil {
		from += "; an empty list counts as absent"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |", row.Name, inTheAPI(row), row.guide, from, asked)
}

// TestFormFields_AreTheGapsOfTheirFacts, so that a form made from the list fills the gap.
func TestFormFields_AreTheGapsOfTheirFacts(t *testing.T) {
	fields := map[string]FormField{}
	for _, f := range FormFields() {
		fields[f.Label] = f
	}
	listed := func(row *Row, gap Gap) {
		f, is := fields[Words(row.Name)]
		require.Equal(t, row.ask != "", is, row.Name)
		if is {
			gap.Missing[0].Currency = ""
			require.Equal(t, gap.Missing[0], f.MissingField, row.Name)
			require.Equal(t, gap.EntityType, f.EntityType, row.Name)
			require.Equal(t, gap.RelatedEndpoints[len(gap.RelatedEndpoints)-1], f.Operation, row.Name)
		}
		delete(fields, Words(row.Name))
	}
	for _, row := range builtIn {
		listed(row, row.Gap(&Facts{BusinessID: "b_1", WorkflowID: "w_1", Currency: "USD"}))
	}
	for _, row := range builtInFields {
		listed(row, row.GapOf(&PersonFacts{PersonID: "p_1"}, true))
	}
	require.Empty(t, fields)
}
