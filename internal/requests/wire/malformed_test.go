package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

func TestDecode_ExplainsMalformedJSON(t *testing.T) {
	for body, want := range map[string]string{
		"{\"a\":1,}":                     "there is a comma too many at line 1, column 7.",
		"{\n  \"a\": 1 // one\n}":        "it holds a comment at line 2, column 10.",
		"{'a':1}":                        "text and names stand in double quotes at line 1, column 2.",
		"\xef\xbb\xbf{}":                 "byte order mark",
		"{\"a\":":                        "ends too early",
		"{\"a\":\"\xff\"}":               "it is not UTF-8 at line 1",
		"{\"name\":\"\\ud800 planted\"}": "at line 1",
	} {
		_, problems := parseTree([]byte(body))
		require.Len(t, problems, 1, body)
		require.Contains(t, problems[0].Message, want, body)
		require.NotContains(t, problems[0].Message, "planted", "the body is not quoted")
	}
}

type limits struct {
	Limit *Integer `json:"limit,omitempty" minimum:"1" maximum:"200"`
	Name  string   `json:"name,omitempty" minLength:"1"`
	Note  string   `json:"note,omitempty"`
	Day   string   `json:"day,omitempty" format:"date"`
}

func TestInteger_ReadsEverySpellingOfAWholeNumber(t *testing.T) {
	s := NewSchemas()
	for text, want := range map[string]Integer{"2": 2, "2.0": 2, "2e0": 2, "20e-1": 2, "1.5e1": 15, "200.00": 200} {
		var in limits
		require.NoError(t, s.Decode([]byte(`{"limit":`+text+`}`), &in), text)
		require.Equal(t, want, *in.Limit, text)
	}
	for _, text := range []string{"2.5", "0", "201", "1e400", "-1", `"2"`} {
		require.Error(t, s.Decode([]byte(`{"limit":`+text+`}`), new(limits)), text)
	}
}

func TestDecode_LimitsTexts(t *testing.T) {
	s := NewSchemas()
	for body, want := range map[string]string{
		`{"name":""}`:          "This must not be empty.",
		`{"name":"  "}`:        "This must not be empty.",
		`{"name":"a\nb"}`:      "This may not contain control characters.",
		`{"name":"a\u0000b"}`:  "This may not contain control characters.",
		`{"note":"a\u0007b"}`:  "This may not contain control characters.",
		`{"day":"2026-02-30"}`: "There is no such day.",
		`{"day":"30.2.2026"}`:  "This must be a date of the form YYYY-MM-DD.",
	} {
		var refused *refusal.Refusal
		require.ErrorAs(t, s.Decode([]byte(body), new(limits)), &refused, body)
		require.Contains(t, string(refused.Details), want, body)
	}
	require.NoError(t, s.Decode([]byte(`{"note":"two\nlines"}`), new(limits)))
}
