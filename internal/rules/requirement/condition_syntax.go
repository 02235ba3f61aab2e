package requirement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"cel.dev/cel-go/common"

	"requisite/internal/rules/rulefile"
)

// This file explains conditions that CEL cannot parse, and says what to write instead.

// syntaxMistake is a common mistake in writing a condition. It is searched for in the text outside
// of quotes.
type syntaxMistake struct {
	pattern *regexp.Regexp
	message string
}

// Hints that several mistakes share.
const (
	plainAmount   = "write amounts as plain numbers, without a currency sign"
	plainPercent  = "write a percentage as a plain number, such as 25"
	twoBounds     = "write two comparisons joined by &&, such as x >= 5 && x <= 7"
	isNotEqual    = "write != for \"is not equal\""
	signsOfOrder  = "write a sign: > for \"more than\", >= for \"at least\", < for \"less than\", <= for \"at most\""
	insteadOfNull = "null is not part of the rules: leave the comparison out, " + missingIsAskedFor
)

// syntaxMistakes are searched for only in conditions that CEL could not parse. The first group of a
// pattern is the mistake. Later patterns skip a mistake that an earlier one has explained.
var syntaxMistakes = sync.OnceValue(func() []syntaxMistake {
	const currencies = `(?:USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|SGD|HKD|ZAR)`
	return []syntaxMistake{
		{regexp.MustCompile(`[“”‘’«»„]`), "this quotation mark is not plain: write \" or '"},
		{regexp.MustCompile("[\u00a0\u2007\u202f\u200b\ufeff]"), "this is not a plain blank, although it may look like one: delete it"},
		{regexp.MustCompile(`(?:exists|exists_one|all|filter|map)\(\s*\w+\s*(=>|->|:)`),
			"write a comma after the name of the element, as in persons.exists(p, p.ownership_percentage > 50)"},
		{regexp.MustCompile(`[<>!](\s+=)`), "write the two characters of <=, >= and != without a blank between them"},
		{regexp.MustCompile(`(!==)`), isNotEqual},
		{regexp.MustCompile(`(=!)`), isNotEqual},
		{regexp.MustCompile(`=[<>]`), "write the comparison the other way round: <= or >="},
		{regexp.MustCompile(`<>`), isNotEqual},
		{regexp.MustCompile(`≠`), isNotEqual},
		{regexp.MustCompile(`≥`), "write >= for \"at least\""},
		{regexp.MustCompile(`≤`), "write <= for \"at most\""},
		{regexp.MustCompile(`>>|<<`), signsOfOrder},
		{regexp.MustCompile(`×`), "write * for \"times\""},
		{regexp.MustCompile(`÷`), "write / for \"divided by\""},
		{regexp.MustCompile(`[–—−]`), "this dash is not plain: write -"},
		{regexp.MustCompile(`\^`), "there is no power: multiply instead"},
		{regexp.MustCompile(`;`), "write && for \"and\", || for \"or\": a rule has one condition"},
		{regexp.MustCompile(`===`), "write == for \"is equal\""},
		{regexp.MustCompile(`(?:^|[^=!<>])(=)(?:[^=]|$)`), "= does not compare: write == for \"is equal\""},
		{regexp.MustCompile(`(?:&&|\|\|)\s*([<>=!]=|[<>])`), "repeat what is compared: x > 5 && x < 9"},
		{regexp.MustCompile(`(?:^|&&|\|\|)\s*(&&|\|\|)`), "a condition is missing before this sign"},
		{regexp.MustCompile(`(?:^|[^&])(&)(?:[^&]|$)`), "write && for \"and\""},
		{regexp.MustCompile(`(?:^|[^|])(\|)(?:[^|]|$)`), "write || for \"or\""},
		{regexp.MustCompile(`(?i)\b(between\s+\S+\s+and)\b`), twoBounds},
		{regexp.MustCompile(`(?i)\b(between)\b`), twoBounds},
		{regexp.MustCompile(`\.\.`), twoBounds},
		{regexp.MustCompile(`(?i)\b(is\s+(?:not\s+)?null)\b`), insteadOfNull},
		{regexp.MustCompile(`(?i)\b((?:is\s+)?not\s+in)\b`), "write !(x in list) for \"not in\""},
		{regexp.MustCompile(`(?i)\b((?:is\s+)?(?:(?:greater|more|higher|larger|bigger|older|less|fewer|lower|smaller|younger)` +
			`\s+than(?:\s+or\s+equal(?:\s+to)?)?|at\s+least|at\s+most|above|below|over|under|exceeds?|up\s+to))\b`),
			signsOfOrder},
		{regexp.MustCompile(`(?i)\b(is\s+not|(?:is\s+)?not\s+equals?(?:\s+to)?)\b`), isNotEqual},
		{regexp.MustCompile(`(?i)\b(starts?\s+with|begins?\s+with|ends?\s+with)\b`), "write text.startsWith(\"79\") or text.endsWith(\"79\")"},
		{regexp.MustCompile(`(?i)\b(contains?|includes?|like|matches)\s+["'\[\w]`),
			"write \"7995\" in list for a list, " +
				"and text.contains(\"79\") or text.startsWith(\"79\") for a text"},
		{regexp.MustCompile(`(?i)\b(and)\b`), "write && for \"and\""},
		{regexp.MustCompile(`(?i)\b(or)\b`), "write || for \"or\""},
		{regexp.MustCompile(`(?i)\b(not)\b`), "write ! for \"not\""},
		{regexp.MustCompile(`(?i)\b(if|then|else)\b`), "write a ? b : c for \"if a then b else c\""},
		{regexp.MustCompile(`(?i)\b(unless)\b`), "write && !(…) for \"unless\""},
		{regexp.MustCompile(`(?i)^\s*(when)\b`), "leave the word when out: what follows it is the condition"},
		{regexp.MustCompile(`[$€£¥]`), plainAmount},
		{regexp.MustCompile(`\d\s*\b?(` + currencies + `)\b`), plainAmount},
		{regexp.MustCompile(`\b(` + currencies + `)\s*\d`), plainAmount},
		{regexp.MustCompile(`\d(?:\.\d{3})+(,)\d`), "write large numbers without separators, and a point before the cents, such as 50000.25"},
		{regexp.MustCompile(`\d(,)\d\d\d\b`), plainDigits},
		{regexp.MustCompile(`\d([_'])\d`), plainDigits},
		{regexp.MustCompile(`\d( )\d\d\d\b`), plainDigits},
		{regexp.MustCompile(`\d\.\d+(\.)\d`), plainDigits},
		{regexp.MustCompile(`\d\s?([kKmM])\b`), "write the number out, such as 50000"},
		{regexp.MustCompile(`(?i)\d\s*(years?|months?|weeks?|days?)\b`),
			"write the number alone, and compare it with years_since, months_since or days_since of a date, " +
				"as in years_since(established_date) >= 2"},
		{regexp.MustCompile(`(?i)\b(is|equals)\s`), "write == for \"is equal\""},
		{regexp.MustCompile(`\bin\s*([({])[^()]*,`), "write a list in square brackets: in [\"US\", \"CA\"]"},
		{regexp.MustCompile(`(/\*)`), "a comment in a condition cannot begin like this: write it after //, or outside the condition"},
		{regexp.MustCompile(`(#)`), "a comment in a condition cannot begin like this: write it after //, or outside the condition"},
		{regexp.MustCompile(`\d\s*(%)(?:\s*(?:[)&|<>=!]|$))`), plainPercent},
		{regexp.MustCompile(`(?i)\d\s*(percent|per\s+cent|pct)\b`), plainPercent},
	}
})

// syntaxProblems explains why a condition could not be parsed.
func syntaxProblems(source string, errs []*common.Error) []Problem {
	outside, closed := blankQuoted(source)
	if problems := spacedNames(source, outside, factNames(true, true)); len(problems) > 0 {
		return problems
	}
	if problems := foreignLetters(source, outside); len(problems) > 0 {
		return problems
	}
	var problems []Problem
	var explained [][]int
	for _, mistake := range syntaxMistakes() {
		for _, at := range mistake.pattern.FindAllStringSubmatchIndex(outside, -1) {
			span := at[:2]
			if len(at) > 2 {
				span = at[2:4]
			}
			if slices.ContainsFunc(explained, func(e []int) bool { return span[0] < e[1] && e[0] < span[1] }) {
				continue
			}
			explained = append(explained, span)
			problems = append(problems, problemAt(source, span[0], mistake.message))
		}
	}
	if closed >= 0 {
		problems = append(problems, problemAt(source, closed, "this quotation mark is never closed"))
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return problems[:min(len(problems), MaxConditionProblems)]
	}
	return celProblems(errs)
}

// spacedNames finds facts whose names are written with blanks or hyphens.
func spacedNames(source, outside string, names []string) []Problem {
	var problems []Problem
	for _, at := range regexp.MustCompile(`[A-Za-z]+(?:[ -][A-Za-z]+)+`).FindAllStringIndex(outside, -1) {
		written := outside[at[0]:at[1]]
		joined := strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(written))
		if slices.Contains(names, joined) {
			problems = append(problems, problemAt(source, at[0], fmt.Sprintf("the name of this fact is written %s", joined)))
		}
	}
	return problems
}

// foreignLetters finds letters outside of quotes that no name contains, the first of each word.
func foreignLetters(source, outside string) []Problem {
	var problems []Problem
	within := false
	for at, letter := range outside {
		switch {
		case letter < utf8.RuneSelf:
			within = within && NameCharacter(letter)
		case unicode.IsLetter(letter) && !within && len(problems) < MaxConditionProblems:
			within = true
			problems = append(problems, problemAt(source, at, foreignLetter(letter)))
		}
	}
	return problems
}

// blankQuoted replaces quoted text with blanks of the same length in bytes. The second result is
// the position of a quotation mark that is not closed, or -1.
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
	line, column := rulefile.LineColumn(source, offset)
	return Problem{Message: message, Line: line, Column: column}
}

// celProblems passes on CEL's messages if a rule's author can use them. It passes on only the first
// error, because later ones usually follow from it.
func celProblems(errs []*common.Error) []Problem {
	first := slices.MinFunc(errs, func(a, b *common.Error) int {
		return cmp.Or(cmp.Compare(a.Location.Line(), b.Location.Line()), cmp.Compare(a.Location.Column(), b.Location.Column()))
	})
	message := strings.TrimPrefix(first.Message, "Syntax error: ")
	message, _, _ = strings.Cut(message, " expecting {")
	start := Problem{Line: 1, Column: 1}
	switch {
	case strings.Contains(message, "recursion"):
		start.Message = fmt.Sprintf("is nested more than %d levels deep: split it", maxNesting)
		return []Problem{start}
	case strings.Contains(message, "expression count"):
		return tooManyParts()
	case strings.Contains(message, "expecting <EOF>"):
		message = "cannot continue like this: an operator such as && or == is missing before this position, or a closing bracket has no opening one"
	case strings.Contains(message, "<EOF>"):
		message = "ends too early: something is missing at the end, such as a value or a closing bracket"
	case strings.Contains(message, "invalid int literal"):
		message = "this number is too large: no amount on record has more than 13 digits before the point"
	case strings.Contains(message, "invalid double literal"):
		message = "this number is too large: no record can contain it"
	case strings.Contains(message, "unsupported syntax"):
		_, written, _ := strings.Cut(message, "unsupported syntax ")
		message = strings.Trim(written, "'") + " is not part of the rules' language: leave the ? out, " + missingIsAskedFor
	case strings.Contains(message, "reserved identifier"):
		_, word, _ := strings.Cut(message, "reserved identifier: ")
		message = rulefile.Clip(word) + " cannot be a name here: choose another variable name, such as p"
	case strings.Contains(message, "accumulator variable"):
		message = "choose another variable name, such as p: this one is taken"
	case strings.Contains(message, "argument must be a simple name"), strings.Contains(message, "argument is not an identifier"):
		message = "write a plain variable name here, such as p"
	case strings.Contains(message, "invalid unicode code point"):
		message = "this text contains a \\u that is not a character: type the character itself"
	default:
		message = unreadable(message)
	}
	at := first.Location
	if at.Line() < 1 {
		return []Problem{{Message: message}}
	}
	return []Problem{{Message: message, Line: at.Line(), Column: at.Column() + 1}}
}

// tooManyParts refuses a condition for its size.
func tooManyParts() []Problem {
	return []Problem{{Message: fmt.Sprintf("has more than %d parts: move codes into lists, and split the rule", maxExpressionNodes), Line: 1, Column: 1}}
}

// unreadable rewords a message of CEL's parser.
func unreadable(message string) string {
	quoted := regexp.MustCompile(
		`^(?:extraneous input|mismatched input|` +
			`token recognition error at:|no viable alternative at input) '(.*)'`).
		FindStringSubmatch(message)
	if quoted == nil || strings.TrimSpace(quoted[1]) == "" {
		return "cannot be read as a condition: " + message
	}
	return fmt.Sprintf(
		"%s does not fit here: a value, a closing bracket, or an operator such as && or == is missing before it, or it is not part of the rules",
		rulefile.Clip(strings.TrimSpace(quoted[1])))
}
