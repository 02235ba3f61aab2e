// Package history is a simple model of the versions of an account's rules, for tests: which version is in force, and which
// approvals hold under it.
package history

import "slices"

// Version is a version of the rules.
type Version struct {
	Number int
	// Texts are what it says of each document, whose name begins with its code and a blank. It has no rule for others.
	Texts map[string]string
	// Keeps are the codes of the documents whose approvals it keeps; "*" is all.
	Keeps []string
	// From is the first day on which it is in force; zero for at once.
	From int
	// ForNew leaves workflows that exist already under the rules that they have.
	ForNew bool
	// ReplacedBy is the number of the version that replaced it while it was still coming; zero for none.
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

// Publish makes the next version, and returns the numbers of the coming ones that it replaces: those that would be in force no
// earlier and for no more workflows.
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

// InForce is the version in force for a workflow today: the highest number whose day has come and that applies to it.
func (a *Account) InForce(w Workflow) Version {
	for _, v := range slices.Backward(a.Versions) {
		applies := !v.ForNew || v.From == 0 && v.published.order < w.created.order || v.From > 0 && v.From <= w.created.day
		if v.start() <= a.Day && applies {
			return v
		}
	}
	return Version{}
}

// Holds reports whether an approval of a text, under the version with a number, holds under another: that says the text, or some
// version from the approved one on does and every later one leaves what the one before it says, or keeps approvals. One that was
// replaced while it was still coming does not count.
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
