package id

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// An id that parses is written the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "w_", "w_7n42DGM5Tflk9n8mt7Fhc7", "w_7n42DGM5Tflk9n8mt7Fhc8", "w_zzzzzzzzzzzzzzzzzzzzzz",
		"w_00000000000000000001", "w_0193ABCDEFGHIJKLMNOPé", "b_31fKnzWZLlHagKjNG8g9g", "w_\x00\xff",
	} {
		f.Add(string(Workflow), seed)
	}
	f.Fuzz(func(t *testing.T, prefix, text string) {
		u, err := Parse(Prefix(prefix), text)
		switch {
		case err != nil:
			require.ErrorIs(t, err, ErrMalformed)
			require.Equal(t, uuid.Nil, u)
		case u != uuid.Nil:
			require.Equal(t, text, Format(Prefix(prefix), u))
		}
	})
}

func FuzzBase62(f *testing.F) {
	for _, seed := range [][]byte{nil, {0}, {61}, {62}, {1, 0}, uuid.Max[:], bytes.Repeat([]byte{7}, 16)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, number []byte) {
		if len(number) > 64 {
			return
		}
		text := Base62(number)
		back, ok := FromBase62(text, len(number))
		require.True(t, ok)
		require.True(t, bytes.Equal(number, back))
		if len(number) != len(uuid.UUID{}) || len(text) < 20 {
			return // ids have 20 digits at least
		}
		u, err := Parse(Business, Format(Business, uuid.UUID(number)))
		require.NoError(t, err)
		require.Equal(t, uuid.UUID(number), u)
	})
}
