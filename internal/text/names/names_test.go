package names_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/text/names"
)

func TestSame_IsOneNameForAReader(t *testing.T) {
	for _, pair := range [][2]string{
		{"Ada King", "ada  KING "},
		{"Ada King", "Ada\u00a0King"},
		{"Ada King", "A\u200bda King"},
		{"Ada King", "Ada\u2060 Ki\u00adng"},
		{"Ada King", "\u202eAda King\u202c"},
		{"Ada King", "Ada\u200d King\ufe0f"},
		{"Ada King", "\U000e0041Ada King\u3164"},
		{"Ada King", "Ａｄａ　Ｋｉｎｇ"},
		{"Weiß", "WEISS"},
		{"Weiß", "Weiẞ"},
		{"ﬁnn", "FINN"},
		{"Zoe\u0308", "Zo\u00eb"},
		{"Zoe\u200d\u0308", "Zo\u00eb"}, // an accent that follows what is removed
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
		{"", " \u200b"},
	} {
		require.True(t, names.Same(pair[0], pair[1]), "%q %q", pair[0], pair[1])
	}
	for _, pair := range [][2]string{{"Ada", "Аda"}, {"Ada King", "AdaKing"}, {"Ada", "Adá"}, {"Ada", "Ada 2"}} { // the first А is Cyrillic
		require.False(t, names.Same(pair[0], pair[1]), "%q %q", pair[0], pair[1])
	}
}

func TestSame_HoldsInEachForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("aAßſİıΐéǅﬁ\u0301\u0345\u200d\uffa0 ")))).Draw(t, "name")
		require.True(t, names.Same(name, name))
		require.True(t, names.Same(name, "\u00a0"+strings.Join(strings.Split(name, ""), "\u2060")+" "), "%q", name)
	})
}

func TestCheck_NamesTheCharacter(t *testing.T) {
	for name, want := range map[string]string{
		"Ada\u200b King": `the character U+200B after "Ada", which is invisible`,
		"\u202eAda":      `the character U+202E after "", which changes the direction of text`,
		"\u200d":         `U+200D`,
		"Ad\u00ada":      `U+00AD after "Ad"`,
	} {
		require.ErrorContains(t, names.Check(name), want)
	}
	for _, name := range []string{"", "Zo\u00eb King", "Αδα 2", "a\u0301"} {
		require.NoError(t, names.Check(name), name)
	}
}

func TestIgnorable_IsEachDirectionAndEachJoiner(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		if unicode.In(r, unicode.Bidi_Control, unicode.Join_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			require.True(t, names.Ignorable(r), "%U", r)
		}
	}
	for _, r := range "aß \u0301\u0600\u06dd\ufff9\u00a0\n" {
		require.False(t, names.Ignorable(r), "%U", r)
	}
	for _, r := range "\u00ad\u180e\u200b\u2060\u2064\ufeff\U0001d173\U000e0001\U000e0fff" {
		require.True(t, names.Ignorable(r), "%U", r)
	}
}
