package rulefile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnprintable_FindsControlCharactersAndBrokenUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"a\tb\r\n é\u2028": "",
		"a \uFFFD":         "", // it is UTF-8, and stands for what was not
		"a\xff":            "is not UTF-8: save the file as UTF-8",
		"\uFFFD\xc3":       "is not UTF-8: save the file as UTF-8",
		"a\x00":            "holds the control character U+0000: take it out",
		"\u0085":           "holds the control character U+0085: take it out",
		"\x7f\xff":         "holds the control character U+007F: take it out",
	} {
		require.Equal(t, want, Unprintable(text), "%q", text)
	}
	require.False(t, TooLong("ééé", 3), "characters count, and not bytes")
	require.True(t, TooLong("éééé", 3))
}
