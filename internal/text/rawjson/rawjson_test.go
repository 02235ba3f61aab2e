package rawjson

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// It finds the values that encoding/json finds, in all input that encoding/json accepts.
func FuzzNext(f *testing.F) {
	for _, seed := range []string{
		`[]`, `[ 1 , "a\"]" ,{"b":[2,"}"]}, null]`, `{"a":1,"b\\":{"c":"\""}}`, `"\\"`, `-1.5e3`, `[[[]],[]]`, `["\u005d"]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		text = bytes.Trim(text, " \t\r\n")
		require.Equal(t, len(text), ValueEnd(text, 0))
		switch text[0] {
		case '[':
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal(text, &want))
			require.Equal(t, len(want), Value{Text: text}.Count())
			at := 1
			for _, value := range want {
				begin, end, ok := Next(text, at)
				require.True(t, ok)
				require.Equal(t, string(value), string(text[begin:end]))
				at = end
			}
			_, _, ok := Next(text, at)
			require.False(t, ok)
		case '{':
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(text, &want))
			got := map[string]json.RawMessage{}
			for at := 1; ; {
				begin, end, ok := Next(text, at)
				if !ok {
					break
				}
				var name string
				require.NoError(t, json.Unmarshal(text[begin:end], &name))
				begin, at, ok = Next(text, end)
				require.True(t, ok)
				got[name] = text[begin:at]
			}
			require.Equal(t, want, got)
		}
	})
}
