package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

func TestDecode_ExplainsMalformedJSON(t *testing.T) {
	for body, want := range map[string]string{
		"{\"a\":1,}":                     "at line 1, column 7: delete the comma before the closing bracket.",
		"{\n  \"a\": 1 // one\n}":        "at line 2, column 10: JSON has no comments",
		"{'a':1}":                        "at line 1, column 2: write texts and names in double quotes.",
		"\xef\xbb\xbf{}":                 "byte order mark",
		"{\"a\":":                        "ends too early",
		" \n":                            "at line 1, column 1: it is empty.",
		"{} {}":                          "at line 1, column 4: something follows the end of the value.",
		"{\"a\":\"\xff\"}":               "at line 1, column 7: it is not UTF-8.",
		"{\"name\":\"\\ud800 planted\"}": "at line 1",
		strings.Repeat("[", 100):         "at line 1, column 66: values are nested more than 64 levels deep.",
	} {
		var refused *refusal.Refusal
		require.ErrorAs(t, NewSchemas().Decode([]byte(body), new(limits)), &refused, body)
		require.Contains(t, string(refused.Details), want, body)
		require.NotContains(t, string(refused.Details), "planted", "the body is not quoted")
	}
}

type limits struct {
	Rate  Optional[int] `json:"rate,omitempty" minimum:"1" maximum:"200"`
	Limit *Integer      `json:"limit,omitempty" minimum:"1" maximum:"200"`
	Name  string        `json:"name,omitempty" minLength:"1"`
	Note  string        `json:"note,omitempty"`
	Day   string        `json:"day,omitempty" format:"date"`
}

func TestInteger_ReadsEverySpellingOfAWholeNumber(t *testing.T) {
	s := NewSchemas()
	for text, want := range map[string]Integer{"2": 2, "2.0": 2, "2e0": 2, "20e-1": 2, "1.5e1": 15, "200.00": 200} {
		var in limits
		require.NoError(t, s.Decode([]byte(`{"limit":`+text+`}`), &in), text)
		require.Equal(t, want, *in.Limit, text)
		require.NoError(t, s.Decode([]byte(`{"rate":`+text+`}`), &in), text)
		require.Equal(t, int(want), *in.Rate.Value, text)
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
