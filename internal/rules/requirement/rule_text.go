package requirement

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/typo"
)

// This file suggests the intended name for a text of a rule, or says why the text is refused.

// meant is rulefile.DidYouMean that also knows synonyms, and parts of names such as monthly_sales.
func meant(written string, names []string) string {
	if found := meantNames(written, names); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return ""
}

func meantNames(written string, names []string) []string {
	if near, ok := typo.Meant(written, names); ok {
		return []string{near}
	}
	var found []string
	for _, name := range fact.Synonyms[strings.ToLower(written)] {
		if slices.Contains(names, name) {
			found = append(found, name)
		}
	}
	if len(found) > 0 {
		return found
	}
	parts := strings.FieldsFunc(strings.ToLower(written), func(r rune) bool { return r == '_' })
	for _, name := range names {
		words := strings.Split(name, "_")
		if len(words) > 1 && len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(words, part) }) {
			found = append(found, name)
		}
	}
	return found
}

const plainDigits = rulefile.PlainDigits

const writeWhatMustHold = "write what must hold, such as business_age_years >= 2"

// lookalikes has letters of other scripts that look like Latin ones.
var lookalikes = lookalikeLetters(
	"Cyrillic", "аaеeоoрpсcуyхxіiјjѕsԁdһhАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS",
	"Greek", "οoαaνvιiκkρpυuχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX")

type lookalike struct{ script, latin string }

func lookalikeLetters(pairs ...string) map[rune]lookalike {
	letters := map[rune]lookalike{}
	for i := 0; i < len(pairs); i += 2 {
		runes := []rune(pairs[i+1])
		for j := 0; j < len(runes); j += 2 {
			letters[runes[j]] = lookalike{pairs[i], string(runes[j+1])}
		}
	}
	return letters
}

// foreignLetter says what to type instead of a letter that no name contains.
func foreignLetter(letter rune) string {
	if like, ok := lookalikes[letter]; ok {
		return fmt.Sprintf("this %c is a %s letter: type a Latin %s", letter, like.script, like.latin)
	}
	return fmt.Sprintf("a name cannot contain the letter %c: put it in quotes if it is text", letter)
}

func enumerate(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
