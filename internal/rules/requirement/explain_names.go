package requirement

import (
	"regexp"
	"strings"

	"requisite/internal/rules/fact"
)

// Names in reasons. An evaluation knows no names: its reasons, and so histories, recorded decisions
// and their exports, have the ids of persons. Names are written where a reason is shown.

// Names are what the persons and the business of an application are called. The zero value knows
// nobody.
type Names struct {
	of       map[Entity]string
	business *strings.Replacer // of the words that mean the business; nil where it has no name
}

// NamesOf are the names of these entities. Those whose names look the same, or have an id in them, have their
// id behind it.
func NamesOf(identities map[Entity]Identity) Names {
	names := Names{of: make(map[Entity]string, len(identities))}
	namesakes := make(map[string][]Entity, len(identities))
	for entity, identity := range identities {
		if name := identity.Name(); name != "" {
			names.of[entity] = name
			namesakes[folded(name)] = append(namesakes[folded(name)], entity)
		}
	}
	for _, entities := range namesakes {
		for _, entity := range entities {
			if len(entities) > 1 || idInName.MatchString(names.of[entity]) {
				names.of[entity] += behindName(entity)
			}
		}
	}
	for entity, name := range names.of {
		if entity.Type == fact.EntityBusiness {
			names.business = strings.NewReplacer(businessWords(name)...)
		}
	}
	return names
}

// idInName finds what reads as the id behind another name.
var idInName = regexp.MustCompile(`\b[pb]_`)

// Name is what the person or the business is called; empty where it has no name.
func (i Identity) Name() string {
	return onOneLine(i.LegalName + " " + i.FirstName + " " + i.LastName)
}

func behindName(e Entity) string { return " (" + e.ID + ")" }

// businessWords are the words of reasons that mean the business, each before what says the same by
// its name.
func businessWords(name string) (pairs []string) {
	add := func(words string) {
		if named := strings.Replace(words, "the business", name, 1); named != words {
			pairs = append(pairs, words, named)
		}
	}
	add(statedNoPersons)
	for _, row := range fact.BuiltIn.Facts {
		noun, _ := labelWords(row)
		add(noun)
	}
	return pairs
}

// people are the words of reasons that mean persons.
var people = regexp.MustCompile(`persons? p_\w+(, p_\w+)*`)

// doneBecause is what stands between the name of a document and the reason.
var doneBecause = regexp.MustCompile(`: [a-z ]+` + becauseWord)

// In is the sentence of a reason with names in place of ids. Those without a name keep their id.
func (n Names) In(message string) string {
	// What is before is the name of the document, in the author's words.
	behind := 0
	if at := doneBecause.FindStringIndex(message); at != nil {
		behind = at[1]
	}
	named, said := message[:behind], message[behind:]
	for {
		at := people.FindStringIndex(said)
		if at == nil {
			return named + n.ofBusiness(said)
		}
		named += n.ofBusiness(said[:at[0]]) + n.persons(said[at[0]:at[1]])
		said = said[at[1]:]
	}
}

func (n Names) ofBusiness(said string) string {
	if n.business == nil {
		return said
	}
	return n.business.Replace(said)
}

// persons are the names of those whom people has found.
func (n Names) persons(mentioned string) string {
	_, ids, _ := strings.Cut(mentioned, " ")
	persons := strings.Split(ids, ", ")
	for i, id := range persons {
		if persons[i] = n.of[Entity{fact.EntityPerson, id}]; persons[i] == "" {
			persons[i] = onePersonNoun + id
		}
	}
	return strings.Join(persons, ", ")
}

// Full is the name of an entity with its id, or the id alone.
func (n Names) Full(e Entity) string {
	name := n.of[e]
	if name == "" {
		return e.ID
	}
	return strings.TrimSuffix(name, behindName(e)) + behindName(e)
}
