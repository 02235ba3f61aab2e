package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
	"requisite/internal/testkit/history"
)

// onDay is a day of the model as a date.
func onDay(day int) fact.Date { return fact.DateOf(today.UTC().AddDate(0, 0, day)) }

// drawVersion draws a version of the rules of some documents, each with one of three texts, or left out.
func drawVersion(t *rapid.T, a *history.Account, documents ...string) history.Version {
	v := history.Version{Texts: map[string]string{}, ForNew: rapid.IntRange(0, 2).Draw(t, "for new") == 0}
	for _, document := range documents {
		if text := rapid.SampledFrom([]string{"a", "a", "b", "c", ""}).Draw(t, "text of "+document); text != "" {
			v.Texts[document] = text
		}
	}
	if ahead := rapid.IntRange(-3, 4).Draw(t, "days ahead"); ahead > 0 {
		v.From = a.Day + ahead
	}
	v.Keeps = rapid.SampledFrom([][]string{nil, nil, {"D"}, {"E"}, {"*"}}).Draw(t, "keeps")
	return v
}

func documentRules(v history.Version) (rules []requirement.DocumentRule) {
	for document, text := range v.Texts {
		kind := kind(document)
		rules = append(rules, requirement.DocumentRule{DocumentTypeCode: kind.code(), Name: text, EntityType: document[len(kind.code())+1:]})
	}
	return rules
}

// versionTexts are those of the last version of the model.
func versionTexts(a *history.Account) VersionTexts {
	v, from := a.Versions[len(a.Versions)-1], ""
	if v.From > 0 {
		from = onDay(v.From).String()
	}
	return NewVersionTexts(v.Number, from, v.Keeps, documentRules(v))
}

// stored is what the store reads again.
func stored(t fataler, k KeptTexts) (read KeptTexts) {
	text, err := json.Marshal(k)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &read))
	return read
}

// TestKeptTexts_HoldAsTheModelSays for any order of publications: kept or not, for new workflows, coming, and replaced while coming.
func TestKeptTexts_HoldAsTheModelSays(t *testing.T) {
	t.Parallel()
	documents := []string{"D " + fact.EntityPerson, "D " + fact.EntityBusiness, "E " + fact.EntityBusiness}
	rapid.Check(t, func(t *rapid.T) {
		a := &history.Account{Day: 1}
		var kept []KeptTexts
		for range rapid.IntRange(2, 12).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "a day passes") == 0 {
				a.Day++
			}
			replaced := a.Publish(drawVersion(t, a, documents...))
			var last KeptTexts
			if len(kept) > 0 {
				last = kept[len(kept)-1]
			}
			kept = append(kept, stored(t, last.Next(versionTexts(a), replaced, onDay(a.Day).String())))
		}
		for _, under := range a.Versions {
			for _, approved := range a.Versions {
				if approved.ReplacedBy > 0 {
					continue // no calculation has used it
				}
				for document, text := range approved.Texts {
					now, there := under.Texts[document]
					if !there || now == text {
						continue
					}
					kind := kind(document)
					d := Document{DocumentTypeCode: kind.code(), EntityType: document[len(kind.code())+1:], Version: under.Number}
					approval := Approval{Text: requirement.DocumentText{Name: text}, Version: approved.Number}
					require.Equal(t, a.Holds(under.Number, approved.Number, document, text), kept[under.Number-1].hold(d, approval),
						"%s %q approved under %d, calculated under %d of %+v", document, text, approved.Number, under.Number, a.Versions)
				}
			}
		}
	})
}

// A version that is replaced while it is coming does not count, also where others were published in between.
func TestKeptTexts_LeaveOutWhatNeverCame(t *testing.T) {
	a := &history.Account{Day: 1}
	var kept KeptTexts
	publish := func(text string, v history.Version) []int {
		v.Texts = map[string]string{"D Business": text}
		replaced := a.Publish(v)
		kept = stored(t, kept.Next(versionTexts(a), replaced, onDay(a.Day).String()))
		return replaced
	}
	holds := func() bool {
		d := Document{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, Version: len(a.Versions)}
		return kept.hold(d, Approval{Text: requirement.DocumentText{Name: "a"}, Version: 1})
	}
	publish("a", history.Version{})
	publish("b", history.Version{From: 10})
	require.Empty(t, publish("c", history.Version{ForNew: true, Keeps: []string{"D"}}))
	require.False(t, holds(), "the second version counts while it is coming")
	require.Equal(t, []int{2}, publish("c", history.Version{}))
	require.True(t, holds())
	publish("d", history.Version{Keeps: []string{"*"}})
	require.True(t, holds())
	require.Empty(t, kept.Open)
	publish("e", history.Version{})
	publish("f", history.Version{Keeps: []string{"*"}})
	require.False(t, holds(), "no later version restores what an earlier one has ended")
}

// TestKeptTexts_StaySmall: they grow by what is kept, and by versions behind one that is still coming.
func TestKeptTexts_StaySmall(t *testing.T) {
	var kept KeptTexts
	publish := func(version int, from string, text string, keeps ...string) {
		says := NewVersionTexts(version, from, keeps, []requirement.DocumentRule{{DocumentTypeCode: "D", Name: text, EntityType: fact.EntityBusiness}})
		kept = kept.Next(says, nil, "2026-01-01")
	}
	for version := range 100 {
		publish(version+1, "", fmt.Sprint(version%3), "D")
	}
	require.Len(t, kept.Settled[kindOf("D", fact.EntityBusiness)], 3)
	publish(101, "", "other")
	require.Len(t, kept.Settled[kindOf("D", fact.EntityBusiness)], 1)
	publish(102, "2026-02-01", "coming")
	publish(103, "", "new")
	require.Len(t, kept.Open, 2)
	require.Len(t, kept.Next(NewVersionTexts(104, "", nil, nil), nil, "2026-02-01").Open, 0)
}

// TestDocumentText_DigestTellsTextsApart exactly as Same does.
func TestDocumentText_DigestTellsTextsApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawText(t)
		b := a
		b.AnyOf = slices.Clone(a.AnyOf)
		slices.Reverse(b.AnyOf)
		if rapid.Bool().Draw(t, "another text") {
			b = drawText(t)
		}
		require.Equal(t, a.Same(b), a.Digest() == b.Digest(), "%+v %+v", a, b)
	})
}

func drawText(t *rapid.T) requirement.DocumentText {
	periods := rapid.SampledFrom([]*fact.Period{nil, rulestest.Period("1 year"), rulestest.Period("12 months"), rulestest.Period("365 days")})
	text := requirement.DocumentText{
		Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), RequirementText: rapid.SampledFrom([]string{"", "a"}).Draw(t, "requirement text"),
		NotOlderThan: periods.Draw(t, "not older than"), MustBeValid: rapid.Bool().Draw(t, "must be valid"),
	}
	for _, code := range []string{"A", "B", "C"} {
		if rapid.Bool().Draw(t, code) {
			text.AnyOf = append(text.AnyOf, requirement.DocumentOption{OptionPart: requirement.OptionPart{
				DocumentTypeCode: code, Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), NotOlderThan: periods.Draw(t, "not older than"),
				MustBeValid: rapid.SampledFrom([]*bool{nil, new(true), new(false)}).Draw(t, "must be valid"),
			}})
		}
	}
	return text
}
