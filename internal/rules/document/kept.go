package document

import (
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/requirement"
	"requisite/internal/text/typo"
)

// This file decides which approvals stay valid although the text of a document changes.

// kind is a document type and an entity type. A set of rules has one rule for each kind.
type kind string

func kindOf(code, entityType string) kind { return kind(code + " " + entityType) }

func (k kind) code() string {
	code, _, _ := strings.Cut(string(k), " ")
	return code
}

// VersionTexts has the texts of a version's documents as digests, and the approvals that the
// version keeps.
type VersionTexts struct {
	// From is the first day of the version, as YYYY-MM-DD. It is empty if the version is in force
	// from its publication.
	From    string `json:"from,omitempty"`
	Version int    `json:"version"`
	// Keeps are the document types whose approvals stay valid although their text changes. "*"
	// means all.
	Keeps []string `json:"keeps,omitempty"`
	// Digests are the digests of the texts.
	Digests map[kind]string `json:"digests"`
}

// keepsAll in keep_approvals means all document types.
const keepsAll = "*"

// Keeps reports whether approvals of a document type stay valid although its text changes.
func Keeps(codes []string, code string) bool {
	return slices.Contains(codes, keepsAll) || slices.Contains(codes, code)
}

// UnknownKept returns the index of the first code that no rule has, with its problem. The index is
// -1 if there is none.
func UnknownKept(codes []string, rules []requirement.Rule) (at int, problem refusal.Problem) {
	var known []string
	for _, r := range rules {
		if r.Document != nil {
			known = append(known, r.DocumentTypeCode)
		}
	}
	for i, code := range codes {
		if code != keepsAll && !slices.Contains(known, code) {
			near, ok := typo.Meant(code, known)
			if !ok {
				return i, refusal.NotOneOf(known, "", "These rules require no document of this type.")
			}
			return i, refusal.NotOneOf(known, near, "These rules require no document of this type; did you mean %s?", near)
		}
	}
	return -1, refusal.Problem{}
}

// NewVersionTexts makes the VersionTexts of a version's documents.
func NewVersionTexts(version int, from string, keeps []string, documents []requirement.DocumentRule) VersionTexts {
	v := VersionTexts{Version: version, From: from, Keeps: keeps, Digests: make(map[kind]string, len(documents))}
	for _, doc := range documents {
		v.Digests[kindOf(doc.DocumentTypeCode, doc.EntityType)] = doc.DocumentText().Digest()
	}
	return v
}

// KeptTexts has the texts whose approvals are valid under a version of an account's rules. It never
// changes, and needs no other version to be read.
type KeptTexts struct {
	// Settled has the digests of texts whose approvals are valid under the last version that can no
	// longer be withdrawn. The version's own text comes last. An empty digest means that it has no
	// such document.
	Settled map[kind][]string `json:"settled,omitempty"`
	// Open has the versions from the first coming one on, by their numbers. A version that is
	// replaced before it comes into force does not count.
	Open []VersionTexts `json:"open,omitempty"`
}

// Next is the KeptTexts of the version that is published next, today. It replaces the coming
// versions with the given numbers.
func (k KeptTexts) Next(v VersionTexts, replaced []int, today string) KeptTexts {
	withdrawn := func(o VersionTexts) bool { return slices.Contains(replaced, o.Version) }
	next := KeptTexts{Settled: k.Settled, Open: append(slices.DeleteFunc(slices.Clone(k.Open), withdrawn), v)}
	for len(next.Open) > 0 && next.Open[0].From <= today {
		next.Settled, next.Open = next.Open[0].after(next.Settled), next.Open[1:]
	}
	return next
}

// after returns the texts whose approvals are valid under v. before has those of the previous
// version.
func (v VersionTexts) after(before map[kind][]string) map[kind][]string {
	now := make(map[kind][]string, len(v.Digests))
	for kind := range v.Digests {
		now[kind] = v.keep(kind, before[kind])
	}
	for kind, texts := range before {
		if _, there := v.Digests[kind]; there {
			continue
		}
		if kept := v.keep(kind, texts); kept != nil {
			now[kind] = kept
		}
	}
	return now
}

// keep is after for one kind of document.
func (v VersionTexts) keep(kind kind, before []string) []string {
	own, last := v.Digests[kind], ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch {
	case own == last:
		return before
	case Keeps(v.Keeps, kind.code()):
		superseded := func(text string) bool { return text == "" || text == own }
		return append(slices.DeleteFunc(slices.Clone(before), superseded), own)
	case own == "":
		return nil
	}
	return []string{own}
}

// hold reports whether an approval of another text is valid for a document's current text. It is if
// the approved version, or a later one, had that text, and every version since then has left the
// text as it was or keeps its approvals. A manual text belongs to no version.
func (k KeptTexts) hold(d Document, approved Approval) bool {
	if approved.Version == 0 || approved.Version > d.Version {
		return false
	}
	kind := kindOf(d.DocumentTypeCode, d.EntityType)
	texts := k.Settled[kind]
	for _, v := range k.Open {
		texts = v.keep(kind, texts)
	}
	return slices.Contains(texts, approved.Text.Digest())
}
