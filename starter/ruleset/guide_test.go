package ruleset_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/author"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/starter/command"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

// block is one fenced block of a guide. The word after the language says what
// the test does with it; readers do not see it.
type block struct {
	info string
	line int
	text string
}

func blocks(t *testing.T, file string) (string, []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var found []block
	var open *block
	for i, line := range strings.Split(string(data), "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			open = &block{info: strings.TrimPrefix(strings.TrimSpace(line), "```"), line: i + 1}
		case fence:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	require.Nil(t, open, "a block is not closed")
	return string(data), found
}

// TestRulesGuide runs every block of the guide. A block of another kind fails.
func TestRulesGuide(t *testing.T) {
	guide, all := blocks(t, "../../docs/rules.md")
	t.Chdir(t.TempDir())
	var application fact.ExampleFacts
	output := "" // of the last rules validate, until it has been shown
	counts := map[string]int{}
	for _, b := range all {
		counts[b.info]++
		here := fmt.Sprintf("docs/rules.md:%d", b.line)
		if b.info != "text output" && b.info != "sh" {
			require.Empty(t, unshown(output), "%s: what came before is refused or warned of, and no output follows it", here)
		}
		switch b.info {
		case "yaml rules":
			require.NoError(t, os.WriteFile("rules.yaml", []byte(b.text), 0o600))
			output, _ = startertest.Run(t, "rules", "validate", "rules.yaml")
		case "text output":
			require.Equal(t, b.text, output, here)
			output = ""
		case "sh":
			requireCommands(t, b.text, here)
		case "yaml declarations": // see declared
		case "yaml facts":
			application = applicationOf(t, b.text)
		case "yaml pricing":
			require.NoError(t, os.WriteFile("pricing.yaml", []byte(b.text), 0o600))
			_, err := ruleset.ReadPricing(os.Stderr, "pricing.yaml")
			require.NoError(t, err, here)
		case "cel holds", "cel fails":
			for condition := range strings.Lines(b.text) {
				required := holds(t, strings.TrimSpace(condition), application, here)
				require.Equal(t, b.info == "cel holds", required, "%s: %s", here, condition)
			}
		case "text refused", "text warned":
			mistakes(t, b, here)
		default:
			t.Fatalf("%s: no test knows a block of the kind %q", here, b.info)
		}
	}
	require.Empty(t, unshown(output))
	for _, kind := range []string{"yaml rules", "text output", "sh", "yaml facts", "yaml pricing", "cel holds", "cel fails", "text refused", "text warned"} {
		require.NotZero(t, counts[kind], kind)
	}
	requireEveryName(t, guide)
	requireSentences(t, guide)
	requireLimits(t, guide)
	requireHeadings(t, guide)
}

// It tries mistakes of every kind. The guide shows some of them.
func TestRuleMistakes_MessagesSayWhatToWrite(t *testing.T) {
	for _, kind := range []string{"refused", "warned"} {
		file := "testdata/" + kind + ".txt"
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		mistakes(t, block{info: "text " + kind, text: string(text)}, file)
	}
}

// TestRulesValidate_PrintsWhereAndWhy holds the whole output for files with several mistakes.
func TestRulesValidate_PrintsWhereAndWhy(t *testing.T) {
	const file = "testdata/validated.txt"
	_, all := blocks(t, file)
	t.Chdir(t.TempDir())
	require.NotEmpty(t, all)
	for pair := range slices.Chunk(all, 2) {
		require.Equal(t, []string{"yaml rules", "text output"}, []string{pair[0].info, pair[1].info})
		require.NoError(t, os.WriteFile("rules.yaml", []byte(pair[0].text), 0o600))
		output, _ := startertest.Run(t, "rules", "validate", "rules.yaml")
		require.Equal(t, pair[1].text, output, "%s:%d", file, pair[0].line)
	}
}

func unshown(output string) string {
	told := strings.Contains(output, ": warning: ") || strings.Contains(output, ": hint: ") && !strings.Contains(output, "hint: examples: ")
	if strings.Contains(output, "example(s) hold") && !told {
		return ""
	}
	return output
}

// requireCommands looks the commands of a shell block up.
func requireCommands(t *testing.T, text, here string) {
	t.Helper()
	for line := range strings.Lines(text) {
		args := strings.Fields(line)
		require.Equal(t, []string{"go", "run", "./starter"}, args[:3], here)
		found, _, err := command.New().Find(args[3:])
		require.NoError(t, err, here)
		require.True(t, found.Runnable(), here)
	}
}

func applicationOf(t *testing.T, text string) fact.ExampleFacts {
	t.Helper()
	indented := strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n      ")
	set, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte("documents: []\nexamples:\n  - name: x\n    facts:\n      " + indented + "\n    expect: {documents: []}\n")))
	require.Empty(t, problems)
	return set.Examples[0].Facts
}

// rulesGuide is found before a test changes the directory.
var rulesGuide, _ = filepath.Abs("../../docs/rules.md")

// declared are the facts and lists that the guide declares for the conditions that it shows.
var declared = sync.OnceValue(func() (set requirement.RuleSet) {
	guide, err := os.ReadFile(rulesGuide)
	if err != nil {
		panic(err)
	}
	for _, before := range []string{"```yaml rules\nfacts:", "```yaml declarations\nfacts:"} {
		_, text, found := strings.Cut(string(guide), before)
		text, _, _ = strings.Cut("facts:"+text, "```")
		if !strings.Contains(text, "\ndocuments:") {
			text += "documents: []\n"
		}
		read, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(text)))
		if !found || len(problems) > 0 {
			panic(fmt.Sprintf("%s: %v", before, problems))
		}
		set.Facts = append(set.Facts, read.Facts...)
		set.Lists = read.Lists
	}
	return set
})

// ruleSetOf declares facts only for a condition that names one: messages list all facts.
func ruleSetOf(condition string) requirement.RuleSet {
	entityType := fact.EntityBusiness
	if strings.Contains(condition, "person.") {
		entityType = fact.EntityPerson
	}
	set := requirement.RuleSet{Documents: []requirement.DocumentRule{{
		DocumentTypeCode: "DOC", Name: "n", Category: "c", RequirementText: "r", EntityType: entityType, When: condition,
	}}}
	for _, d := range declared().Facts {
		if strings.Contains(condition, d.Name) {
			set.Facts = append(set.Facts, d)
		}
	}
	if strings.Contains(condition, "lists.needs_articles") {
		set.Lists = declared().Lists
	}
	return set
}

// requireSentences compiles the conditions of the table of sentences.
func requireSentences(t *testing.T, guide string) {
	t.Helper()
	_, table, _ := strings.Cut(guide, "\n| The policy says |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile("(?m)^\\| .* \\| `(.*)` \\|$").FindAllStringSubmatch(table, -1)
	require.GreaterOrEqual(t, len(rows), 12)
	require.Len(t, rows, strings.Count(table, "\n")-1, "every row has a condition")
	for _, row := range rows {
		compiled(t, strings.ReplaceAll(row[1], `\|`, "|"), row[0])
	}
}

// TestRulesGuide_DatesThatNeverHappened count as the guide says, and are no gaps.
func TestRulesGuide_DatesThatNeverHappened(t *testing.T) {
	for condition, want := range map[string]int{`days_since(custom.account_changed_on) <= 30`: 0, `days_since(custom.first_sale_date) < 0`: 1} {
		result, err := compiled(t, condition, "the guide").Evaluate(t.Context(), fact.Facts{AsOf: fact.Date{Year: 2026, Month: 3, Day: 15}})
		require.NoError(t, err)
		require.Empty(t, result.Gaps, condition)
		require.Len(t, result.Required, want, condition)
	}
}

// compiled is a condition that nothing is to be said against.
func compiled(t *testing.T, condition, here string) *requirement.Program {
	t.Helper()
	program, problems := requirement.Compile(ruleSetOf(condition), requirement.Options{})
	require.Empty(t, problems, "%s: %s", here, condition)
	require.Empty(t, ofTheCondition(t, program, ruleSetOf(condition)), "%s: %s", here, condition)
	return program
}

// ofTheCondition are the warnings of a rule set apart from that it has no examples, also of a
// default.
func ofTheCondition(t *testing.T, program *requirement.Program, rules requirement.RuleSet) []requirement.Problem {
	t.Helper()
	warnings, err := author.Warnings(t.Context(), author.Today(), program, rules)
	require.NoError(t, err)
	return slices.DeleteFunc(warnings, func(w requirement.Problem) bool {
		return w.Path == "examples" || strings.HasPrefix(w.Message, "no example states ")
	})
}

// holds reports whether a condition requires its document of an application.
func holds(t *testing.T, condition string, application fact.ExampleFacts, here string) bool {
	t.Helper()
	require.NotNil(t, application.AsOf, "%s: no facts stand before it", here)
	facts := application.Facts()
	facts.SalesInfoID = "s"
	result, err := compiled(t, condition, here).Evaluate(t.Context(), facts)
	require.NoError(t, err, condition)
	require.Empty(t, result.Gaps, condition)
	return len(result.Required) > 0
}

// mistakes holds each mistake to the messages below it, all of them, and tries
// what to write instead.
func mistakes(t *testing.T, b block, here string) {
	t.Helper()
	var mistake string
	var shown, real []string
	settle := func() {
		require.Equal(t, real, shown, "%s: %s", here, mistake)
		shown, real = nil, nil
	}
	for line := range strings.Lines(b.text) {
		sign, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch sign {
		case "✗":
			settle()
			mistake = text
			program, problems := requirement.Compile(ruleSetOf(text), requirement.Options{})
			require.Equal(t, b.info == "text refused", program == nil, "%s: %s", here, text)
			if program != nil {
				problems = ofTheCondition(t, program, ruleSetOf(text))
			}
			for _, p := range problems {
				real = append(real, p.Message)
			}
		case "→":
			shown = append(shown, text)
		case "✓":
			settle()
			compiled(t, text, here)
		default:
			t.Fatalf("%s: a line begins with ✗, → or ✓: %s", here, line)
		}
	}
	settle()
}

// requireEveryName holds the tables to the names that the language has, as its
// own messages list them.
func requireEveryName(t *testing.T, guide string) {
	t.Helper()
	listed := func(condition, before string) []string {
		_, problems := requirement.Compile(ruleSetOf(condition), requirement.Options{})
		_, names, found := strings.Cut(problems[0].Message, before)
		require.True(t, found, problems[0].Message)
		return strings.Split(names, ", ")
	}
	facts := append(listed(`nothing.alike > 1`, "the facts are "), "person")
	for _, name := range facts {
		require.Contains(t, guide, "\n| `"+name+"` |")
	}
	for _, name := range listed(`person.nothing_alike > 1`, "the fields are ") {
		require.Contains(t, guide, "`"+name+"` (")
	}
	_, functions, _ := strings.Cut(guide, "\n## Functions\n")
	functions, _, _ = strings.Cut(functions, "\n## ")
	for _, name := range listed(`nothing_alike(1)`, "the functions are ") {
		require.Regexp(t, "(?m)^\\|.*\\b"+name+`\(`, functions)
	}
	// And no fact stands in the table that the language does not have.
	_, table, _ := strings.Cut(guide, "\n## Facts\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		require.True(t, slices.Contains(facts, row[1]), row[1])
	}
}

func requireLimits(t *testing.T, guide string) {
	t.Helper()
	for what, limit := range map[string]int{
		"Size of the file, in bytes": requirement.MaxSourceBytes, "Rules in a rule set": requirement.MaxDocuments, "Findings in a rule set": requirement.MaxFindings,
		"Declared facts of a rule set": fact.MaxDeclared, "of those, facts of persons": fact.MaxDeclaredPersons,
		"Names of declared facts in an account, ever": fact.MaxAccountFacts,
		"Bytes of `custom` of a business or workflow": fact.MaxCustomBytes, "Bytes of `custom` of a person": fact.MaxPersonCustomBytes,
		"Definitions": requirement.MaxDefinitions,
		"Named lists": requirement.MaxLists, "Codes in a list": requirement.MaxListEntries,
		"Characters of a code in a list": requirement.MaxListEntryLength, "Examples": requirement.MaxExamples,
		"Characters of a condition": requirement.MaxConditionLength, "Characters of a name, category or requirement text": requirement.MaxTextLength,
		"Persons of a business": fact.MaxPersons, "Industry category codes of a business": fact.MaxIndustryCategoryCodes,
		"Steps of an evaluation": int(requirement.DefaultCostLimit), "Rules in a pricing model": requirement.MaxPricingRules,
	} {
		require.Contains(t, guide, fmt.Sprintf("\n| %s | %d |\n", what, limit))
	}
	require.Contains(t, guide, fmt.Sprintf("may take %d bytes", requirement.MaxResultBytes))
	require.Contains(t, guide, fmt.Sprintf("The check assumes %d persons", requirement.SizedPersons))
}

// requireHeadings holds links within the guide to headings that exist.
func requireHeadings(t *testing.T, guide string) {
	t.Helper()
	anchors := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(guide, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors[strings.ReplaceAll(plain, " ", "-")] = true
	}
	for _, link := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(guide, -1) {
		require.True(t, anchors[link[1]], link[1])
	}
}

// A merge may join or cut rows.
func TestDocumentTables_RowsHaveTheColumnsOfTheHeading(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	pages, err := filepath.Glob("../../docs/operating/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, file := range slices.Concat(files, pages, []string{"../../README.md"}) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		columns, fenced := 0, false
		for i, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			}
			if fenced || !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			here := len(bar.FindAllString(line, -1))
			if columns == 0 {
				columns = here
			}
			require.Equal(t, columns, here, "%s:%d: %s", file, i+1, line)
		}
	}
}
