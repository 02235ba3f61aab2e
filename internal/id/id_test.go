package id

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFormat_UsesTheDocumentedAlphabet(t *testing.T) {
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{[]byte{0}, "0"},
		{[]byte{9}, "9"},
		{[]byte{10}, "A"},
		{[]byte{35}, "Z"},
		{[]byte{36}, "a"},
		{[]byte{61}, "z"},
		{[]byte{62}, "10"},
		{[]byte{1, 0}, "48"},
	} {
		require.Equal(t, c.want, Base62(c.bytes))
	}
	require.Equal(t, "w_7n42DGM5Tflk9n8mt7Fhc7", Format(Workflow, uuid.Max))
}

func TestParse_ReadsFormattedIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := New()
		copy(u[6:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "tail"))
		got, err := Parse(Business, Format(Business, u))
		require.NoError(t, err)
		require.Equal(t, u, got)
	})
}

func TestParse_RefusesOtherForms(t *testing.T) {
	for _, s := range []string{
		"", "w_", "b_0193ABCDEFGHIJKLMNOPQ", "w_0193ABCDEFGHIJKLMNO", "w_0193ABCDEFGHIJKLMNOPQRS",
		"w_0193ABCDEFGHIJKLMNO-Q", "w_0193ABCDEFGHIJKLMNOPé", " w_1193ABCDEFGHIJKLMNOPQ", "W_1193ABCDEFGHIJKLMNOPQ",
	} {
		_, err := Parse(Workflow, s)
		require.ErrorIs(t, err, ErrMalformed, s)
	}
}

func TestParse_UnknownIDsOfTheRightFormAreNil(t *testing.T) {
	for _, s := range []string{"w_zzzzzzzzzzzzzzzzzzzzzz", "w_7n42DGM5Tflk9n8mt7Fhc8", "w_00000000000000000001"} {
		u, err := Parse(Workflow, s)
		require.NoError(t, err, s)
		require.Equal(t, uuid.Nil, u, s)
	}
}

// Ids of one time are in the order of their creation.
func TestNewAt_OrdersByTime(t *testing.T) {
	at := time.Date(2026, 11, 24, 12, 0, 0, 999_999_000, time.UTC)
	var before uuid.UUID
	made.Store(0)
	for _, at := range []time.Time{at.Add(-time.Hour), at.Add(-time.Microsecond), at, at, at, at.Add(time.Microsecond), at.Add(time.Hour)} {
		u := NewAt(at)
		require.Equal(t, uuid.Version(7), u.Version())
		require.Equal(t, uuid.RFC4122, u.Variant())
		seconds, nanoseconds := u.Time().UnixTime()
		require.Equal(t, at.UnixMilli(), time.Unix(seconds, nanoseconds).UnixMilli())
		require.Negative(t, bytes.Compare(before[:], u[:]), "%v", at)
		before = u
	}
	made.Store(100)
	first := NewAt(at)
	made.Store(100)
	require.NotEqual(t, first, NewAt(at))
}
