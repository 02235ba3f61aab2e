package requirement

import (
	"regexp"
	"strings"

	"requisite/internal/rules/fact"
)

// This file writes names into reasons. An evaluation knows no names: its reasons have the ids of
// persons, and so do histories, recorded decisions and their exports. Names are added where a
// reason is shown.

// Names has the names of the persons and the business of an application. The zero value has none.
type Names struct {
	of       map[Entity]string
	business *strings.Replacer // replaces the words that mean the business; nil if it has no name
}

// NamesOf returns the names of these entities. A name that looks like another one, or contains an
// id, is followed by its own id.
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

// idInName finds text in a name that looks like an id.
var idInName = regexp.MustCompile(`\b[pb]_`)

// Name is the name of the person or the business. It is empty if there is none.
func (i Identity) Name() string {
	return onOneLine(i.LegalName + " " + i.FirstName + " " + i.LastName)
}

func behindName(e Entity) string { return " (" + e.ID + ")" }

// businessWords returns the words of reasons that mean the business, each followed by the same with
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

// people finds the words of reasons that mean persons.
var people = regexp.MustCompile(`persons? p_\w+(, p_\w+)*`)

// doneBecause finds the words between the name of a document and the reason.
var doneBecause = regexp.MustCompile(`: [a-z ]+` + becauseWord)

// In returns the sentence of a reason with names in place of ids. A person without a name keeps the
// id.
func (n Names) In(message string) string {
	// The text before it is the name of the document, which the author has written.
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

// persons returns the names of the persons in a match of people.
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

// Full is the name of an entity with its id, or only the id.
func (n Names) Full(e Entity) string {
	name := n.of[e]
	if name == "" {
		return e.ID
	}
	return strings.TrimSuffix(name, behindName(e)) + behindName(e)
}
