// Package history is a simple model of the versions of an account's rules, for tests: which version is in force, and which
// approvals hold under it.
package history

import "slices"

// Version is a version of the rules.
type Version struct {
	Number int
	// Texts has a text for each document for which it has a rule. The name of a document begins with its code and a blank.
	Texts map[string]string
	// Keeps are the codes of the documents whose approvals it keeps; "*" is all.
	Keeps []string
	// From is the first day on which it is in force; zero for at once.
	From int
	// ForNew means that existing workflows keep their rules.
	ForNew bool
	// ReplacedBy is the number of the version that replaced it before it came into force; zero for none.
	ReplacedBy int

	published moment
}

// Workflow is when a workflow was created.
type Workflow struct{ created moment }

type moment struct{ day, order int }

// Account has versions of rules.
type Account struct {
	Day      int // from 1 on
	Versions []Version
	order    int
}

func (a *Account) now() moment {
	a.order++
	return moment{a.Day, a.order}
}

// Open creates a workflow.
func (a *Account) Open() Workflow { return Workflow{a.now()} }

func (v Version) start() int {
	if v.From == 0 {
		return v.published.day
	}
	return v.From
}

// Publish adds the next version. It returns the numbers of the coming versions that it replaces: those that would come into
// force no earlier, and for no more workflows.
func (a *Account) Publish(v Version) (replaced []int) {
	v.Number, v.published = len(a.Versions)+1, a.now()
	for i, coming := range a.Versions {
		if coming.ReplacedBy == 0 && coming.start() > a.Day && v.start() <= coming.start() && (!v.ForNew || coming.ForNew) {
			a.Versions[i].ReplacedBy = v.Number
			replaced = append(replaced, coming.Number)
		}
	}
	a.Versions = append(a.Versions, v)
	return replaced
}

// InForce is the version in force for a workflow today: the highest number among those that have begun and apply to it.
func (a *Account) InForce(w Workflow) Version {
	for _, v := range slices.Backward(a.Versions) {
		applies := !v.ForNew || v.From == 0 && v.published.order < w.created.order || v.From > 0 && v.From <= w.created.day
		if v.start() <= a.Day && applies {
			return v
		}
	}
	return Version{}
}

// Holds reports whether an approval of a text under the version approved holds under the version under. It holds if that version
// has the text. It also holds if a version since approved has the text, and each version after that one has the text of its
// predecessor or keeps approvals. Versions that were replaced before they came into force do not count.
func (a *Account) Holds(under, approved int, document, text string) bool {
	if a.Versions[under-1].Texts[document] == text {
		return true
	}
	var counting []Version
	for _, v := range a.Versions[:under] {
		if v.ReplacedBy == 0 || v.ReplacedBy > under {
			counting = append(counting, v)
		}
	}
	for i, v := range counting {
		if v.Number < approved || v.Texts[document] != text {
			continue
		}
		holds := true
		for j := i + 1; j < len(counting); j++ {
			holds = holds && (counting[j].Texts[document] == counting[j-1].Texts[document] || counting[j].keeps(document))
		}
		if holds {
			return true
		}
	}
	return false
}

func (v Version) keeps(document string) bool {
	return slices.ContainsFunc(v.Keeps, func(code string) bool {
		return code == "*" || len(document) > len(code) && document[:len(code)+1] == code+" "
	})
}
