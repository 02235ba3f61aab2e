package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
	"requisite/internal/text/rawjson"
)

// The tree equals what encoding/json reads. If a body is refused, encoding/json refuses
// it too, or the reason is one that it does not check.
func FuzzTree(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,"x\"\\\u00e9\n",true,false,null,{}],"b":{"c":[]}}`, ` [ 1 , 2 ] `, `"x"`, `0`, ``, `{`, `{"a":1,"a":2}`,
		`{"a":"\ud800"}`, `{"é":"\ud83d\ude00"}`, "{\"\xff\":1}", `[1,]`, `{"a" 1}`, `[[[[[[]]]]]]`, `1 2`, "\ufeff{}", `{"\u0061":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Add([]byte("{" + strings.Repeat(`"a":1,`, 150) + `"a":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		value, found, err := parseTree(body)
		require.LessOrEqual(t, len(found), maxProblems)
		if err != nil {
			var bad *Malformed
			require.ErrorAs(t, err, &bad)
			require.LessOrEqual(t, bad.At, len(body))
			// encoding/json allows names that are not UTF-8, half pairs and any depth.
			if json.Valid(body) {
				require.True(t, !utf8.Valid(body) || bytes.Contains(body, []byte(`\u`)) || depth(body) > MaxDepth, bad.Cause)
			}
			return
		}
		require.True(t, json.Valid(body))
		require.Equal(t, len(value.Text), rawjson.ValueEnd(body[value.At:], 0))
		if len(found) > 0 {
			return // of two values with one name, readers take either
		}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var want any
		require.NoError(t, decoder.Decode(&want))
		require.Equal(t, want, rebuilt(t, value))
	})
}

// depth is how deep the values of valid JSON are nested.
func depth(body []byte) (deepest int) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	for open := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			open++
			deepest = max(deepest, open)
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
}

// rebuilt is a value as encoding/json has it.
func rebuilt(t *testing.T, v rawjson.Value) any {
	switch v.Kind() {
	case '{':
		object := map[string]any{}
		var scratch []byte
		v.Members(func(name, value rawjson.Value) bool {
			require.Equal(t, name.String(), string(name.Unquoted(&scratch)))
			object[name.String()] = rebuilt(t, value)
			return true
		})
		return object
	case '[':
		list := []any{}
		v.Elements(func(i int, value rawjson.Value) bool {
			require.Len(t, list, i)
			list = append(list, rebuilt(t, value))
			return true
		})
		require.Len(t, list, v.Count())
		return list
	case '"':
		return v.String()
	case 't', 'f':
		return v.Kind() == 't'
	case 'n':
		return nil
	}
	return json.Number(v.Text)
}

// For any body, a refusal has a bounded number of problems and a bounded size, and is
// valid JSON.
func FuzzProblems(f *testing.F) {
	f.Add([]byte(`{"name":1,"x":2,"codes":[1,2,3],"inner":[]}`), uint16(200))
	f.Add([]byte(`"\u0001😀":0,`), uint16(3000))
	f.Add([]byte(`"codes":[1,null],`), uint16(500))
	f.Add([]byte(`{"rules":{"a":1,"a":1}}`), uint16(1))
	schemas := NewSchemas()
	f.Fuzz(func(t *testing.T, part []byte, times uint16) {
		duplicate := bytes.Repeat(part, min(int(times), 64<<10/max(1, len(part))))
		for _, body := range [][]byte{part, []byte(`{` + string(duplicate) + `"name":1}`), []byte(`{"codes":[` + string(duplicate) + `1]}`)} {
			err := schemas.Decode(body, &sample{})
			if err == nil {
				continue
			}
			var refused *refusal.Refusal
			require.True(t, errors.As(err, &refused), "%v", err)
			require.Equal(t, refusal.BadRequest, refused.Code)
			require.Less(t, len(refused.Details), answerBytes)
			var fields []refusal.Field
			require.NoError(t, json.Unmarshal(refused.Details, &fields))
			require.NotEmpty(t, fields)
			require.LessOrEqual(t, len(fields), refusal.MaxFields)
		}
	})
}
