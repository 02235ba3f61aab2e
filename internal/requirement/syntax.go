package requirement

import (
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/common"
)

// syntaxMistake is a usual way to write a condition wrongly, found in the text
// outside of quotes.
type syntaxMistake struct {
	pattern *regexp.Regexp
	message string
}

// syntaxMistakes are looked for only in conditions that CEL could not parse.
// The first group of a pattern is what is wrong.
func syntaxMistakes() []syntaxMistake {
	return []syntaxMistake{
		{regexp.MustCompile(`[“”‘’«»„]`), "this quotation mark is not plain: write \" or '"},
		{regexp.MustCompile(`=[<>]`), "write the comparison the other way round: <= or >="},
		{regexp.MustCompile(`<>`), "write != for \"is not equal\""},
		{regexp.MustCompile(`===`), "write == for \"is equal\""},
		{regexp.MustCompile(`(?:^|[^=!<>])(=)(?:[^=]|$)`), "= does not compare: write == for \"is equal\""},
		{regexp.MustCompile(`(?:^|[^&])(&)(?:[^&]|$)`), "write && for \"and\""},
		{regexp.MustCompile(`(?:^|[^|])(\|)(?:[^|]|$)`), "write || for \"or\""},
		{regexp.MustCompile(`(?i)\b(and)\b`), "write && for \"and\""},
		{regexp.MustCompile(`(?i)\b(or)\b`), "write || for \"or\""},
		{regexp.MustCompile(`(?i)\b(not)\b`), "write ! for \"not\""},
		{regexp.MustCompile(`(?i)\b(if|then|else)\b`), "write a ? b : c for \"if a then b else c\""},
		{regexp.MustCompile(`[$€£¥]`), "write amounts as plain numbers, without a currency sign"},
		{regexp.MustCompile(`\d(,)\d\d\d\b`), "write large numbers without separators, such as 50000"},
		{regexp.MustCompile(`\d([_'])\d`), "write large numbers without separators, such as 50000"},
		{regexp.MustCompile(`\d\.\d+(\.)\d`), "write large numbers without separators, such as 50000"},
		{regexp.MustCompile(`(?i)\b(is|equals)\s`), "write == for \"is equal\""},
		{regexp.MustCompile(`(?i)\b(between)\b`), "write two comparisons joined by &&, such as x >= 5 && x <= 7"},
		{regexp.MustCompile(`\bin\s*([({])[^()]*,`), "write a list in square brackets: in [\"US\", \"CA\"]"},
		{regexp.MustCompile(`(#)`), "this is no comment here: write it after // or outside of the condition"},
		{regexp.MustCompile(`\d(%)(?:\s*(?:[)&|]|$))`), "write a percentage as a plain number, such as 25"},
	}
}

// syntaxProblems explains why a condition could not be parsed.
func syntaxProblems(source string, errs []*common.Error) []Problem {
	outside, closed := blankQuoted(source)
	var problems []Problem
	for _, mistake := range syntaxMistakes() {
		for _, at := range mistake.pattern.FindAllStringSubmatchIndex(outside, -1) {
			start := at[0]
			if len(at) > 2 {
				start = at[2]
			}
			problems = append(problems, problemAt(source, start, mistake.message))
		}
	}
	if closed >= 0 {
		problems = append(problems, problemAt(source, closed, "this quotation mark is never closed"))
	}
	if len(problems) > 0 {
		return problems[:min(len(problems), maxConditionProblems)]
	}
	return celProblems(errs)
}

// blankQuoted replaces quoted text by blanks of the same length in bytes. The
// second result is where a quotation mark that is not closed stands, or -1.
func blankQuoted(source string) (string, int) {
	text := []byte(source)
	open := -1
	for i := 0; i < len(text); i++ {
		switch {
		case open < 0 && (text[i] == '"' || text[i] == '\''):
			open = i
		case open >= 0 && text[i] == '\\':
			text[i] = ' '
			if i++; i < len(text) {
				text[i] = ' '
			}
		case open >= 0 && text[i] == source[open]:
			open = -1
		case open >= 0:
			text[i] = ' '
		}
	}
	return string(text), open
}

func problemAt(source string, offset int, message string) Problem {
	line, column := lineColumn(source, offset)
	return Problem{Message: message, Line: line, Column: column}
}

// lineColumn counts lines and characters from 1 up to a byte offset.
func lineColumn(source string, offset int) (line, column int) {
	before := source[:offset]
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
}

// celProblems passes on what CEL says, in so far as a rule's author can use it:
// the first error, since those that follow tend to be its echo.
func celProblems(errs []*common.Error) []Problem {
	if len(errs) == 0 {
		return []Problem{{Message: "cannot be read as a condition"}}
	}
	message := strings.TrimPrefix(errs[0].Message, "Syntax error: ")
	message, _, _ = strings.Cut(message, " expecting {")
	start := Problem{Line: 1, Column: 1}
	switch {
	case strings.Contains(message, "recursion"):
		start.Message = fmt.Sprintf("is nested more than %d levels deep: split it", maxNesting)
		return []Problem{start}
	case strings.Contains(message, "node"):
		start.Message = fmt.Sprintf("has more than %d parts: move codes into lists, and split the rule", maxExpressionNodes)
		return []Problem{start}
	case strings.Contains(message, "expecting <EOF>"):
		message = "does not go on like this: an operator such as && or == is missing before this place, or a bracket is closed that was not opened"
	case strings.Contains(message, "<EOF>"):
		message = "ends too early: something is missing at the end, such as a value or a closing bracket"
	case strings.Contains(message, "invalid int literal"):
		message = "this whole number is too large: write it with a decimal point, such as 50000.0"
	default:
		message = "cannot be read as a condition: " + message
	}
	at := errs[0].Location
	if at.Line() < 1 {
		return []Problem{{Message: message}}
	}
	return []Problem{{Message: message, Line: at.Line(), Column: at.Column() + 1}}
}
