// Package guide_test tests the guides: the recipes, queries and filters for operators, the
// costs of runs, and every named command and flag. Tests with a stack have the build tag
// deep.
package guide_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

// block is a fenced block of a guide.
type block struct {
	language string
	line     int
	text     string
}

func blocks(t *testing.T, file string) (found []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var open *block
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && open == nil:
			open = &block{language: fence, line: n}
		case isFence:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line
		}
	}
	return found
}

var (
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inline = regexp.MustCompile("`([^`]+)`")
)

// spans returns the pieces of inline code of a guide, each on one line.
func spans(t *testing.T, file string) (found []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(string(data), ""), -1) {
		found = append(found, strings.Join(strings.Fields(m[1]), " "))
	}
	return found
}

// program is the help of a command: its flags, environment variables and subcommands.
type program struct {
	help     string
	flags    map[string]bool
	commands map[string]*program
}

var (
	helpFlag    = regexp.MustCompile(`(?m)^ +(?:-[a-z], )?--([a-z][a-z0-9-]*)`)
	helpCommand = regexp.MustCompile(`(?m)^  ([a-z]+) +\S`)
	anyFlag     = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
	variable    = regexp.MustCompile(`\b(?:REQUISITE_[A-Z_]+|DATABASE_[A-Z]+)\b`)
	command     = regexp.MustCompile(`(?:^|[ /])starter ((?:[^ ].*)?)$`)
)

// explore reads the help of a program and of all its subcommands.
func explore(t *testing.T, s *harness.Stack, name string, path ...string) *program {
	out, err := s.Command(nil, name, append(path, "--help")...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, path, out)
	p := &program{help: string(out), flags: map[string]bool{"help": true}, commands: map[string]*program{}}
	_, flags, _ := strings.Cut(p.help, "\nFlags:\n")
	for _, m := range helpFlag.FindAllStringSubmatch(flags, -1) {
		p.flags[m[1]] = true
	}
	_, commands, _ := strings.Cut(p.help, " [command]\n")
	commands, _, _ = strings.Cut(commands, "\nFlags:\n")
	for _, m := range helpCommand.FindAllStringSubmatch(commands, -1) {
		if m[1] != "help" && m[1] != "completion" {
			p.commands[m[1]] = explore(t, s, name, append(path[:len(path):len(path)], m[1])...)
		}
	}
	return p
}

func (p *program) all(collect func(*program)) {
	collect(p)
	for _, c := range p.commands {
		c.all(collect)
	}
}

// TestGuides_NameOnlyCommandsThatExist, and flags and variables that exist.
func TestGuides_NameOnlyCommandsThatExist(t *testing.T) {
	s := harness.NewPrograms(t)
	starter, api, worker := explore(t, s, "starter"), explore(t, s, "api"), explore(t, s, "worker")
	flags, help := map[string]bool{}, ""
	for _, p := range []*program{starter, api, worker} {
		p.all(func(p *program) {
			help += p.help
			for f := range p.flags {
				flags[f] = true
			}
		})
	}
	guides, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	below, err := filepath.Glob("../../docs/*/*.md") // decisions, and the guide for operators
	require.NoError(t, err)
	examined := 0
	for _, guide := range slices.Concat(guides, below, []string{"../../README.md"}) {
		var lines []string
		for _, b := range blocks(t, guide) {
			lines = append(lines, strings.Split(b.text, "\n")...)
		}
		for _, span := range spans(t, guide) {
			lines = append(lines, span)
			if strings.HasPrefix(span, "--") {
				require.True(t, flags[anyFlag.FindStringSubmatch(span)[1]], "%s names the flag %s, which does not exist", guide, span)
			}
		}
		for _, line := range lines {
			for _, name := range variable.FindAllString(line, -1) {
				require.True(t, strings.Contains(help, strings.TrimSuffix(name, "_FILE")), "%s names %s, which no help contains", guide, name)
			}
			if m := command.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				starter.requireCommand(t, m[1], guide+": "+line)
				examined++
			}
		}
	}
	require.Greater(t, examined, 50)
}

// requireCommand requires that the commands and flags of a command line exist.
func (p *program) requireCommand(t *testing.T, line, where string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " | ") // what reads its output has flags of its own
	words := strings.Fields(strings.SplitN(strings.NewReplacer(",", " ", "…", " ", "'", " ", `"`, " ").Replace(line), " #", 2)[0])
	for len(words) > 0 && p.commands[words[0]] != nil {
		p, words = p.commands[words[0]], words[1:]
	}
	require.True(t, len(p.commands) == 0 || len(words) == 0 || strings.HasPrefix(words[0], "--"), "%s: there is no command %s", where, line)
	for _, m := range anyFlag.FindAllStringSubmatch(strings.Join(words, " "), -1) {
		require.True(t, p.flags[m[1]], "%s: there is no flag --%s", where, m[1])
	}
}

// TestKeysetGuide_TerminatesOnlyWhatIsStartedAgain: a recovery or a recalculation would be lost.
func TestKeysetGuide_TerminatesOnlyWhatIsStartedAgain(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating/keysets.md")
	require.NoError(t, err)
	query := regexp.MustCompile(`temporal workflow terminate .* --query 'ExecutionStatus = "Running" AND WorkflowType IN \((.*)\)'`).FindSubmatch(text)
	require.Len(t, query, 2)
	startedAgain := []string{strconv.Quote(workflows.RetryEndpointName)}
	for _, s := range workflows.Schedules() {
		startedAgain = append(startedAgain, strconv.Quote(s.Workflow))
	}
	require.ElementsMatch(t, startedAgain, strings.Split(string(query[1]), ", "))
}

// TestTemporalGuide_ListsTheSearchAttributes, which operators of other clusters create.
func TestTemporalGuide_ListsTheSearchAttributes(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating/temporal.md")
	require.NoError(t, err)
	for _, a := range temporalclient.SearchAttributes() {
		require.Contains(t, string(text), fmt.Sprintf(" --name %s --type %s", a.Name, a.Type))
	}
}
