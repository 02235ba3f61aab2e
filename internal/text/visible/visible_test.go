package visible_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"requisite/internal/text/visible"
)

func TestTerminal_EscapesControlCharacters(t *testing.T) {
	for text, shown := range map[string]string{
		"Müller & Söhne\t42\n":      "Müller & Söhne\t42\n",
		"\x1b[2J\x1b]0;title\x07":   `\u001b[2J\u001b]0;title\u0007`,
		"a\rb\x00c\x7f\u009b2J":     `a\u000db\u0000c\u007f\u009b2J`,
		"exe.\u202efdp":             `exe.\u202efdp`,
		"\u2066x\u2069\u200f\ufeff": `\u2066x\u2069\u200f\ufeff`,
		"zero\u200bwidth\u2028end":  `zero\u200bwidth\u2028end`,
		"tag \U000e0041":            `tag \udb40\udc41`,
		"not UTF-8 \xff\xc3":        "not UTF-8 \ufffd\ufffd",
		"👩\u200d🚀 می\u200cخواهم":    "👩\u200d🚀 می\u200cخواهم",
		"a backslash \\u202e":       `a backslash \u202e`,
	} {
		require.Equal(t, shown, visible.Terminal(text))
	}
}

func TestLine_HasNoLineBreaks(t *testing.T) {
	require.Equal(t, `one two three \u001b[1A`, visible.Line(" one\ntwo\r\n\tthree \x1b[1A"))
	require.Equal(t, "", visible.Line("\n \t"))
}

func TestMarkdown_EscapesMarkup(t *testing.T) {
	for text, shown := range map[string]string{
		"BANK_STATEMENTS":          "BANK_STATEMENTS",
		"Bank statements, three":   "Bank statements, three",
		"w_0k3":                    "w_0k3",
		"":                         "",
		"It is 3.5 %, at most.":    "It is 3.5 %, at most.",
		"the person's \"name\"":    "the person's \"name\"",
		"1. one":                   "`1. one`",
		"—_a_—":                    "`—_a_—`",
		"documents[0] (X_DOC)":     "`documents[0] (X_DOC)`",
		"[x](javascript:alert(1))": "`[x](javascript:alert(1))`",
		"https://evil.example":     "`https://evil.example`",
		"www.evil.example":         "`www.evil.example`",
		"me@evil.example":          "`me@evil.example`",
		"**bold**":                 "`**bold**`",
		"_x_":                      "`_x_`",
		"<img src=x>":              "`<img src=x>`",
		"&lt;":                     "`&lt;`",
		"- item":                   "`- item`",
		"# title\n\n> quote":       "`# title > quote`",
		"a`b":                      "``a`b``",
		"``":                       "``` `` ```",
		"\u202eabc":                "`\\u202eabc`",
	} {
		require.Equal(t, shown, visible.Markdown(text))
	}
}

func TestWriter_EscapesCharactersSplitOverWrites(t *testing.T) {
	var b strings.Builder
	w := visible.NewWriter(&b)
	require.Same(t, w, visible.NewWriter(w), "text is made visible once")
	for _, part := range []string{"é\xe2", "\x80", "\xaex", "\x1b[2J\n", "\xff!", "\xe2\x80"} {
		n, err := w.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, "é\\u202ex\\u001b[2J\n\ufffd!", b.String())
	require.Same(t, &b, w.Unfiltered())
}

// dangerous is what must not reach a terminal: written apart from the code.
func dangerous(r rune) bool {
	switch {
	case r < 0x20 && r != '\n' && r != '\t', r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	}
	return r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

func FuzzTerminal(f *testing.F) {
	for _, seed := range []string{"plain", "\x1b[31m", "\u202e", "\xff\xfe", "a\nb\tc", "\U000e0041", "\u009b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := visible.Terminal(text)
		require.True(t, utf8.ValidString(shown))
		require.False(t, strings.ContainsFunc(shown, dangerous), "%q", shown)
		require.Equal(t, shown, visible.Terminal(shown), "what is visible stays")
		require.False(t, strings.ContainsAny(visible.Line(text), "\n\t"))

		var b strings.Builder
		w := visible.NewWriter(&b)
		for i := range len(text) {
			_, err := w.Write([]byte{text[i]})
			require.NoError(t, err)
		}
		require.False(t, strings.ContainsFunc(b.String(), dangerous))
		if utf8.ValidString(text) {
			require.Equal(t, shown, b.String(), "the writer shows the same, however the text is cut")
			inJSON, err := json.Marshal(text)
			require.NoError(t, err)
			var back string
			require.NoError(t, json.Unmarshal([]byte(visible.Terminal(string(inJSON))), &back))
			require.Equal(t, text, back, "JSON says the same")
		}
	})
}

// outerMark is a mark that could begin or end markup: an underscore or a dash that is
// not within a word, or a point or a colon that is not at the end of one.
var outerMark = regexp.MustCompile(`(?:^|[^\pL\pN])[_-]|[_-](?:[^\pL\pN]|$)|[.:][\pL]|\pL[.]\pN|^\pN+[.:](?: |$)`)

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"X_DOC", "documents[0] (X_DOC)", "`", "a``b`", "http://x", "<a>", "\\`", "_a_", "-", "1. x", "|"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := visible.Markdown(text)
		require.False(t, strings.ContainsFunc(shown, dangerous))
		require.False(t, strings.ContainsAny(shown, "\n\t"))
		if !strings.HasPrefix(shown, "`") {
			require.False(t, strings.ContainsAny(shown, "!#$&()*+/<=>@[\\]^`{|}~"), "%q", shown)
			require.False(t, outerMark.MatchString(shown), "%q", shown)
			return
		}
		fence := shown[:len(shown)-len(strings.TrimLeft(shown, "`"))]
		inside, ok := strings.CutSuffix(strings.TrimPrefix(shown, fence), fence)
		require.True(t, ok && inside != "", "%q", shown)
		require.NotContains(t, inside, fence, "the text ends its own code span")
		require.False(t, strings.HasSuffix(inside, "`"), "the text lengthens the fence")
	})
}
