package document

import (
	"slices"
	"strings"

	"requisite/internal/rules/requirement"
)

// Texts that versions of the rules keep: which approvals hold although a document says something else.

// kind is a document type and an entity type, which a set of rules has one rule for.
type kind string

func kindOf(code, entityType string) kind { return kind(code + " " + entityType) }

func (k kind) code() string {
	code, _, _ := strings.Cut(string(k), " ")
	return code
}

// VersionTexts is what a version of an account's rules says of documents, and which approvals it keeps.
type VersionTexts struct {
	// From is the first day on which the version is in force, as YYYY-MM-DD; empty from its publication on.
	From    string `json:"from,omitempty"`
	Version int    `json:"version"`
	// Keeps are the document types whose approvals hold although their text changes; "*" is all.
	Keeps []string `json:"keeps,omitempty"`
	// Digests are those of the texts.
	Digests map[kind]string `json:"digests"`
}

// NewVersionTexts are those of a version's documents.
func NewVersionTexts(version int, from string, keeps []string, documents []requirement.DocumentRule) VersionTexts {
	v := VersionTexts{Version: version, From: from, Keeps: keeps, Digests: make(map[kind]string, len(documents))}
	for _, doc := range documents {
		v.Digests[kindOf(doc.DocumentTypeCode, doc.EntityType)] = doc.DocumentText().Digest()
	}
	return v
}

// KeptTexts are the texts whose approvals hold under a version of an account's rules. They never change, and no
// other version is needed to read them.
type KeptTexts struct {
	// Settled are the digests of texts whose approvals hold under the last version that nothing can withdraw any more. Its own
	// comes last; an empty one stands for no such document.
	Settled map[kind][]string `json:"settled,omitempty"`
	// Open are the versions from the first one on that was still coming, by their numbers. One that is replaced before it comes
	// into force does not count.
	Open []VersionTexts `json:"open,omitempty"`
}

// Next are those of the version that is published next, on a day, and replaces the coming ones with some numbers.
func (k KeptTexts) Next(v VersionTexts, replaced []int, today string) KeptTexts {
	withdrawn := func(o VersionTexts) bool { return slices.Contains(replaced, o.Version) }
	next := KeptTexts{Settled: k.Settled, Open: append(slices.DeleteFunc(slices.Clone(k.Open), withdrawn), v)}
	for len(next.Open) > 0 && next.Open[0].From <= today {
		next.Settled, next.Open = next.Open[0].after(next.Settled), next.Open[1:]
	}
	return next
}

// after are the texts whose approvals hold under v, which follows a version under which others hold.
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

// keep is after for one kind of documents.
func (v VersionTexts) keep(kind kind, before []string) []string {
	own, last := v.Digests[kind], ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch {
	case own == last:
		return before
	case slices.Contains(v.Keeps, "*") || slices.Contains(v.Keeps, kind.code()):
		superseded := func(text string) bool { return text == "" || text == own }
		return append(slices.DeleteFunc(slices.Clone(before), superseded), own)
	case own == "":
		return nil
	}
	return []string{own}
}

// hold reports whether an approval of another text holds for what a document says: the version that was approved, or a later one,
// has said its text, and every one after that left the text as it was or keeps its approvals. A text that was written by hand is of no version.
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
