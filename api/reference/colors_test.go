package reference

import (
	"html"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestColored_MarksTokensOfEachLanguage(t *testing.T) {
	for _, c := range []struct{ language, code, want string }{
		{inJSON, `{"a": "b\"", "n": [-1.5, null]}`, `{<p>"a"</p>: <s>"b\""</s>, <p>"n"</p>: [<n>-1.5</n>, <k>null</k>]}`},
		{inHTTP, "POST / HTTP/1.1\nX-Key: a\n\n{\"n\": 1}", "<k>POST</k> / HTTP/<n>1.1</n>\n<p>X-Key:</p> a\n\n{<p>\"n\"</p>: <n>1</n>}"},
		{golang, "if a := \"//\"; true { // b < c\n}", "<k>if</k> a := <s>\"//\"</s>; <k>true</k> { <c>// b < c</c>\n}"},
		{typescript, "const a = `b`; // c", "<k>const</k> a = <s>`b`</s>; <c>// c</c>"},
		{python, "a = None  # 'b'", "a = <k>None</k>  <c># 'b'</c>"},
		{shell, `if [ $# = 1 ]; then echo "$A" '#' # b`, `<k>if</k> [ $# = 1 ]; <k>then</k> echo <s>"$A"</s> <s>'#'</s> <c># b</c>`},
		{inYAML, "- name: A # b\n  when: a > 5", "- <p>name</p>: A <c># b</c>\n  <p>when</p>: a > <n>5</n>"},
		{"text", "if <b>", "if <b>"},
	} {
		got := regexp.MustCompile(`<span class="(.)">([^<]*)</span>`).ReplaceAllString(string(colored(c.language, c.code)), "«$1»$2«/$1»")
		got = html.UnescapeString(got)
		got = regexp.MustCompile(`«(/?.)»`).ReplaceAllString(got, "<$1>")
		require.Equal(t, c.want, got, c.language)
	}
	for _, fence := range []string{"go", "ts", "python", "sh"} {
		require.Contains(t, scanners, fences[fence])
	}
}
