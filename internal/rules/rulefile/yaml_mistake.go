package rulefile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mistakes in YAML. Input: an error of the YAML library. Output: problems that say
// what to write instead.

// joinedFiles is about a file in which --- ends one YAML document and begins another.
func joinedFiles(data []byte, second yaml.Node) Problem {
	p := Problem{Message: "two files are joined here by ---: keep one", Line: second.Line, Column: second.Column}
	lines := YAMLLines(data)
	for at := min(second.Line, len(lines)) - 1; at >= 0; at-- {
		if strings.HasPrefix(lines[at], "---") {
			p.Line, p.Column = at+1, 1
			break
		}
	}
	return p
}

func yamlProblem(err error) Problem {
	problem := Problem{Message: fmt.Sprintf("is not YAML: %v", err)}
	if at := regexp.MustCompile(`^yaml: line (\d+): (.*)`).FindStringSubmatch(err.Error()); at != nil {
		problem.Message = "is not YAML: " + at[2]
		problem.Line, _ = strconv.Atoi(at[1])
	}
	return problem
}

// yamlMistake is a usual way to write a text that YAML does not take for one,
// looked for in the lines of a file that YAML could not read. The first group is
// what is wrong.
type yamlMistake struct {
	pattern *regexp.Regexp
	message string
}

// Names are the names that the files of one kind may have: what YAML cannot read
// is looked for beside them.
type Names struct {
	margin, below []string
	mistakes      []yamlMistake
	glued         *regexp.Regexp
}

// NewNames takes the names that stand at the margin of files, and those that never do.
func NewNames(margin, below []string) *Names {
	any := strings.Join(slices.Concat(margin, below), "|")
	return &Names{margin, below, yamlMistakes(any), regexp.MustCompile(`^(?:` + any + `):\S`)}
}

// NoBlankAfterColon reports a name that YAML takes for a part of the text after it.
func (n *Names) NoBlankAfterColon(text string) bool { return n.glued.MatchString(text) }

// BelongBelow reports a name that never stands at the margin.
func (n *Names) BelongBelow(name string) bool { return slices.Contains(n.below, name) }

func (n *Names) has(name string) bool { return slices.Contains(n.margin, name) || n.BelongBelow(name) }

const onALineOfItsOwn = `write >- here and the text on the next line, indented further`

func yamlMistakes(names string) []yamlMistake {
	const name = `^\s*(?:- +)?[a-z_]+: +`
	return []yamlMistake{
		{regexp.MustCompile(`^ *(\t)`), "is not YAML: indent with blanks: YAML has no tabs"},
		{regexp.MustCompile(`^\s*(?:- +)?((?:` + names + `):)[^ \t\r]`), "is not YAML: put a blank after the colon"},
		{regexp.MustCompile(name + `("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*[^\s#,\]}"':]`), "is not YAML: text follows the closing quotation mark: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `(\[[^\]]*\])\s*[^\s#,\]}]`), "is not YAML: text follows the closing bracket: " + onALineOfItsOwn},
		{regexp.MustCompile(name + "([!@%`&*])"), "is not YAML: a text without quotes cannot begin with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([|>](?:[^-+0-9 \t\r]|[-+0-9]+[^-+0-9 \t\r]|[-+0-9]*[ \t]+[^# \t\r]).*)`), "is not YAML: a text without quotes cannot begin with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([^\s"'\[{|>!@%&*#].*?:)(?:\s|$)`), "is not YAML: the colon in this text ends a name: " + onALineOfItsOwn},
	}
}

// yamlProblems say where a file stopped being YAML: at a usual mistake, if it has
// one, or where YAML noticed, which may be far from it.
func yamlProblems(data []byte, names *Names, err error) []Problem {
	var problems []Problem
	for i, line := range YAMLLines(data) {
		if len(problems) >= MaxProblems {
			break
		}
		for _, mistake := range names.mistakes {
			if at := mistake.pattern.FindStringSubmatchIndex(line); at != nil {
				_, column := LineColumn(line, at[2])
				problems = append(problems, Problem{Message: mistake.message, Line: i + 1, Column: column})
				break
			}
		}
	}
	if len(problems) > 0 {
		return problems
	}
	if p, found := OutlineMistake(YAMLLines(data), names); found {
		return []Problem{p}
	}
	return []Problem{yamlProblem(err)}
}

// YAMLLines are the lines as YAML counts them.
func YAMLLines(data []byte) []string {
	return regexp.MustCompile(`\r\n|[\n\r\x{85}\x{2028}\x{2029}]`).Split(string(data), -1)
}
