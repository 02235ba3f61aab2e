package requirement

import (
	"regexp"
	"strings"
	"sync"

	"requisite/internal/rules/fact"
)

// Names in reasons. An evaluation knows no names: its reasons, and so histories, recorded decisions
// and their exports, have the ids of persons. Names are written where a reason is shown.

// Names are what the persons and the business of an application are called.
type Names map[Entity]string

// NamesOf are the names of these entities. Those of the same name have their id behind it.
func NamesOf(identities map[Entity]Identity) Names {
	names, entities := make(Names, len(identities)), make(map[string]int, len(identities))
	for entity, identity := range identities {
		if name := identity.name(); name != "" {
			names[entity] = name
			entities[folded(name)]++
		}
	}
	for entity, name := range names {
		if entities[folded(name)] > 1 {
			names[entity] = name + " (" + entity.ID + ")"
		}
	}
	return names
}

func (i Identity) name() string {
	return onOneLine(i.LegalName + " " + i.FirstName + " " + i.LastName)
}

const theBusiness = "the business"

// mentions are the words of reasons that stand for persons, and for the business.
var mentions = sync.OnceValue(func() *regexp.Regexp {
	words := []string{`\bpersons? p_\w+(, p_\w+)*`, regexp.QuoteMeta(statedNoPersons)}
	for _, row := range fact.BuiltIn.Facts {
		if noun, _ := labelWords(row); strings.Contains(noun, theBusiness) {
			words = append(words, regexp.QuoteMeta(noun))
		}
	}
	return regexp.MustCompile(strings.Join(words, "|"))
})

// In is the sentence of a reason with names in place of ids. Those without a name keep their id.
func (n Names) In(message string) string {
	// What is before is the name of the document, in the author's words.
	said := max(0, strings.Index(message, becauseWord))
	return message[:said] + mentions().ReplaceAllStringFunc(message[said:], n.instead)
}

func (n Names) instead(mentioned string) string {
	_, ids, ofPersons := strings.Cut(mentioned, " p_")
	if !ofPersons {
		return strings.Replace(mentioned, theBusiness, n.business(), 1)
	}
	var persons []string
	for id := range strings.SplitSeq("p_"+ids, ", ") {
		name := n[Entity{fact.EntityPerson, id}]
		if name == "" {
			name = onePersonNoun + id
		}
		persons = append(persons, name)
	}
	return strings.Join(persons, ", ")
}

func (n Names) business() string {
	for entity, name := range n {
		if entity.Type == fact.EntityBusiness {
			return name
		}
	}
	return theBusiness
}
