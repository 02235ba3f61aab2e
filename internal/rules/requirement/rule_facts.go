package requirement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file checks declarations of facts.

// Limits of the texts of a declaration, in characters.
const (
	maxFactLabel = 60
	maxFactAsk   = 300
)

// factNamePattern matches the name of a declared fact. The name must not be a word of CEL.
var factNamePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)

// validateFacts returns what is wrong with the declared facts of a set.
func validateFacts(facts []fact.Declaration) []Problem {
	var problems []Problem
	add := func(path, format string, args ...any) {
		problems = append(problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if n := len(facts); n > fact.MaxDeclared {
		add("facts", "holds %d facts; at most %d are allowed", n, fact.MaxDeclared)
	}
	first, persons := map[string]int{}, 0
	for i, d := range facts {
		path := fmt.Sprintf("facts[%d].", i)
		for _, p := range validateFact(d) {
			add(path+p.Path, "%s", p.Message)
		}
		if earlier, seen := first[d.Name]; seen && d.Name != "" {
			add(path+"name", "%s is already facts[%d]: give each fact its own name", rulefile.Clip(d.Name), earlier)
		} else {
			first[d.Name] = i
		}
		if d.EntityType == fact.EntityPerson {
			if persons++; persons == fact.MaxDeclaredPersons+1 {
				add(path+"entity_type", "is one more fact of persons than the %d that are allowed", fact.MaxDeclaredPersons)
			}
		}
	}
	return problems
}

// validateFact returns what is wrong with one declaration. The path of a problem is that of its
// field.
func validateFact(d fact.Declaration) []Problem {
	var problems []Problem
	add := func(field, format string, args ...any) {
		problems = append(problems, Problem{Path: field, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case d.Name == "":
		add("name", "is missing")
	case celReserved(d.Name):
		add("name", "%s is a word of the language of conditions: choose another name, such as %s_fact", d.Name, d.Name)
	case !factNamePattern.MatchString(d.Name):
		hint := ""
		name := strings.ToLower(strings.NewReplacer(" ", "_", "-", "_", ".", "_").Replace(strings.TrimPrefix(strings.TrimSpace(d.Name), fact.NameCustom+".")))
		if factNamePattern.MatchString(name) && !celReserved(name) {
			hint = ": write " + name
		}
		add("name", "must start with a-z and go on with a-z, 0-9 and _, at most 48 characters%s", hint)
	}
	oneOf := func(field, value string, names []string) {
		switch {
		case value == "":
			add(field, "is missing: write %s", joined(names, "or"))
		case !slices.Contains(names, value):
			add(field, "%q is not %s%s", rulefile.Clip(value), joined(names, "or"), rulefile.DidYouMean(value, names))
		}
	}
	oneOf("entity_type", d.EntityType, fact.EntityTypes())
	oneOf("type", string(d.Type), fact.DeclaredTypes())
	for _, text := range []struct {
		field, value string
		most         int
	}{{"label", d.Label, maxFactLabel}, {"ask", d.Ask, maxFactAsk}} {
		switch {
		case strings.TrimSpace(text.value) == "":
			add(text.field, "is missing: write %s",
				map[string]string{
					"label": "what the fact is, in a few words, such as legal form",
					"ask":   "what to ask the applicant for, in a sentence",
				}[text.field])
		case rulefile.TooLong(text.value, text.most):
			add(text.field, "is longer than %d characters", text.most)
		case rulefile.Unprintable(text.value) != "":
			add(text.field, "%s", rulefile.Unprintable(text.value))
		}
	}
	problems = append(problems, validateChoices(d)...)
	if d.Default != nil && slices.Contains(fact.DeclaredTypes(), string(d.Type)) {
		if why := d.Refuse(*d.Default); why != "" {
			add("default", "%s", why)
		}
	}
	if d.AskedWhen != "" && d.Default == nil {
		add("asked_when", "needs a default, which the fact counts as where it is not asked for: add one, or leave asked_when out")
	}
	return problems
}

func validateChoices(d fact.Declaration) []Problem {
	var problems []Problem
	add := func(field, format string, args ...any) {
		problems = append(problems, Problem{Path: field, Message: fmt.Sprintf(format, args...)})
	}
	switch n := len(d.Choices); {
	case d.Choices == nil:
		return nil
	case d.Type != fact.DeclaredText && d.Type != fact.DeclaredTextList:
		add("choices", "belong only to TEXT and TEXT_LIST: leave them out, or write one of the two as type")
		return problems
	case n == 0:
		add("choices", "holds none: list them, or leave choices out where any text will do")
	case n > maxChoices:
		add("choices", "holds %d choices; at most %d are allowed", n, maxChoices)
		return problems
	}
	first := map[string]int{}
	for i, choice := range d.Choices {
		field := fmt.Sprintf("choices[%d]", i)
		earlier, seen := first[choice]
		switch {
		case fact.RefuseText(choice) != "":
			add(field, "%s: write what applicants can choose, or take it out", fact.RefuseText(choice))
		case rulefile.TooLong(choice, MaxListEntryLength):
			add(field, "is longer than %d characters", MaxListEntryLength)
		case seen:
			add(field, "%q is already choices[%d]: take one out", rulefile.Clip(choice), earlier)
		default:
			first[choice] = i
		}
	}
	return problems
}

// maxChoices limits the choices of one fact.
const maxChoices = 100
