package requirement

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what docs say of facts anew, from the table of facts")

// TestEveryFactHasACompleteRow: what is left out of a row is missed here, and not by
// whoever reads a message with a hole in it.
func TestEveryFactHasACompleteRow(t *testing.T) {
	require.Len(t, rows, len(factTable)+len(personFields), "two facts have one name")
	said := map[string]string{"directors": "", "owners": "", "people": "", "shareholders": ""}
	for _, row := range rows {
		require.Regexp(t, `^[a-z]+(_[a-z]+)*$`, row.name)
		require.True(t, row.since >= 1 && row.since <= EnvironmentVersion, "%s is a fact since version %d, and the newest is %d", row.name, row.since, EnvironmentVersion)
		require.NotEmpty(t, row.label, row.name)
		require.NotEmpty(t, row.guide, row.name)
		require.NotNil(t, row.longest, row.name)
		require.Equal(t, row.shape == numberShape, row.bits > 0, "%s: bits", row.name)
		require.Equal(t, row.shape.number() || row.shape == dateShape, row.domain != nil, "%s: domain", row.name)
		if form := row.text; form != nil {
			require.NotEmpty(t, form.words, row.name)
			require.True(t, form.recorded(form.shortest) && form.recorded(form.longest), "%s: %q, %q", row.name, form.shortest, form.longest)
			require.True(t, form.part.MatchString("") && form.part.MatchString(form.longest), row.name)
			require.LessOrEqual(t, len(form.shortest), len(form.longest), row.name)
		}
		for _, word := range row.synonyms {
			require.Nil(t, rows[word], "%s is a fact itself", word)
			require.NotContains(t, said, word)
			said[word] = row.name
		}
		if row.ofPerson != nil || row.follows != "" {
			continue
		}
		require.NotEmpty(t, row.missing.by, row.name)
		require.Equal(t, row.missing.by == operationBusiness, row.missing.ask != "", "%s: ask", row.name)
		require.Equal(t, row.missing.by == operationCreateSales, row.missing.amount != "", "%s: amount", row.name)
		require.NotEmpty(t, row.about, row.name)
	}
	for _, row := range factTable {
		if noun, verb := row.words(); noun == "" || verb != "is" && verb != "are" {
			t.Errorf("%s: %q is no beginning of a sentence", row.name, row.label)
		}
		if row.follows != "" {
			_, known := findFact(row.follows)
			require.True(t, known, row.name)
			require.NotNil(t, row.counted, row.name)
		}
	}
}

// put writes a value of its own where a fact is kept.
func put(pointer any, n int64) any {
	switch pointer := pointer.(type) {
	case **Number:
		*pointer = decimal(float64(n))
	case **Date:
		*pointer = &Date{Year: 2000 + int(n), Month: 1, Day: 1}
	case **string:
		*pointer = ptr(fmt.Sprint(n))
	case *string:
		*pointer = fmt.Sprint(n)
	case *[]string:
		*pointer = []string{fmt.Sprint(n)}
	default:
		panic(fmt.Sprintf("%T", pointer))
	}
	return kept(pointer)
}

// TestEveryFactIsKeptUnderItsName: a row that was copied and left pointing at the fact
// that it was copied from would compile.
func TestEveryFactIsKeptUnderItsName(t *testing.T) {
	names := func(v any) []string {
		var members map[string]any
		require.NoError(t, json.Unmarshal(canonicalJSON(v), &members))
		return sortedKeys(members)
	}
	for i, row := range factTable {
		if row.follows != "" {
			continue
		}
		var f Facts
		empty := names(f)
		require.Nil(t, row.value(&f), row.name)
		value := put(row.stored(&f), int64(i+1))
		require.Equal(t, value, row.value(&f), row.name)
		require.Equal(t, slices.Sorted(slices.Values(append(empty, row.name))), names(f))
		var e ExampleFacts
		value = put(row.example(&e), int64(i+1))
		require.Equal(t, []string{row.name}, names(e))
		f = e.facts()
		require.Equal(t, value, row.value(&f), row.name)
		if amount := row.missing.amount; amount != "" {
			require.Equal(t, row.stored(&f), any(f.SalesAmount(amount)))
		}
	}
	for i, row := range personFields {
		var p PersonFacts
		value := put(row.ofPerson(&p), int64(i+1))
		require.Equal(t, value, row.valueOf(&p))
		require.Equal(t, slices.Compact(slices.Sorted(slices.Values([]string{namePersonID, row.name}))), names(p))
	}
	require.Nil(t, new(Facts).SalesAmount(""))
	require.Nil(t, new(Facts).SalesAmount("NO_SUCH_SALE"))
}

// TestDocsListTheFactsOfTheTable holds the schemas and the guide to the table of
// facts. With -update it writes them.
func TestDocsListTheFactsOfTheTable(t *testing.T) {
	var facts, ofPersons, gaps, table []string
	for _, row := range factTable {
		table = append(table, guideRow(row))
		if row.follows == "" {
			facts = append(facts, schemaOf(row, 12))
		}
	}
	guided := make([]string, len(personFields))
	for i, row := range personFields {
		guided[i] = fmt.Sprintf("`%s` (%s)", row.name, row.guide)
		if row.canLack() {
			ofPersons = append(ofPersons, schemaOf(row, 18))
		}
	}
	for _, name := range gapFacts() {
		gaps = append(gaps, strings.Repeat(" ", 8)+quoted(name))
	}
	top, priced := withoutPersons(factNames(false, true)), withoutPersons(factNames(false, false))
	count := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}[len(personFields)]
	for _, c := range []struct{ file, before, want, after string }{
		{"rules.schema.json", `"as_of": \{[^}]*\},\n`, strings.Join(facts, ",\n") + ",\n", ` *"no_persons_attested": \{`},
		{"rules.schema.json", `"person_id": \{\n *"description": "A short name[^}]*\},\n`, strings.Join(ofPersons, ",\n") + "\n", `(?m:^ {16}\}\n)`},
		{"rules.schema.json", `"fact": \{\n *"type": "string",\n *"enum": \[\n`, strings.Join(gaps, ",\n") + "\n", ` *\]`},
		{"rules.schema.json", `Compare facts: `, strings.Join(top, ", ") + ", persons, and person with entity_type Person. A person has " + joined(personFieldNames(), "and") + ".", ` Join with`},
		{"pricing.schema.json", `Compare facts: `, strings.Join(priced, ", ") + ", persons.", ` The score itself`},
		{"rules.md", `\n## Facts\n[^|]*\|.*\n\|---\|---\|---\|---\|\n`, strings.Join(table, "\n") + "\n", "\\| `persons` \\|"},
		{"rules.md", `\nA person has `, count + " facts: " + joined(guided, "and"), `\.\n`},
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
		require.Equal(t, c.want, string(source[found[4]:found[5]]), "%s: go test ./internal/rules/requirement -run TestDocsListTheFactsOfTheTable -update writes it", c.file)
	}
}

func withoutPersons(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == namePersons })
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
func schemaOf(row *fact, indent int) string {
	about := row.about
	if row.list != nil {
		about += fmt.Sprintf(" At most %d %ss.", row.list.most, row.list.element)
	}
	text := fmt.Sprintf("%s: {\n  \"description\": %s,\n  %s\n}", quoted(row.name), quoted(about), strings.ReplaceAll(row.schema, "\n", "\n  "))
	blank := strings.Repeat(" ", indent)
	return blank + strings.ReplaceAll(text, "\n", "\n"+blank)
}

// guideRow is a line of the guide's table.
func guideRow(row *fact) string {
	from := map[string]string{
		operationPricing: "the workflow, by the account's pricing model", operationCreateSales: "the sales info of the business", operationBusiness: "the business",
	}[row.missing.by]
	asked := row.asked
	if row.follows != "" {
		from, asked = "counted from `"+row.follows+"`", lookup(row.follows).asked
	}
	if row.list != nil {
		from += "; an empty list counts as absent"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |", row.name, row.guide, from, asked)
}
