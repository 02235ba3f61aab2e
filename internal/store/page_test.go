package store

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
)

// FuzzPageAfter: where a page begins is the identifier that an earlier answer
// gave, or is refused with the name of the field.
func FuzzPageAfter(f *testing.F) {
	for _, seed := range []string{
		"", "w_7n42DGM5Tflk9n8mt7Fhc7", "7n42DGM5Tflk9n8mt7Fhc7", "w_zzzzzzzzzzzzzzzzzzzzzz", "wh_7n42DGM5Tflk9n8mt7Fhc7", "w_0193ABCDEFGHIJKLMNO-Q", "w_\x00' OR 1=1 --", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		u, err := after(domain.Page{After: cursor}, id.Workflow)
		switch {
		case err != nil:
			refused, ok := refusal.FromError(err)
			require.True(t, ok)
			require.Equal(t, refusal.BadRequest, refused.Code)
			require.Contains(t, string(refused.Details), `"page.after"`)
		case cursor == "":
			require.Equal(t, id.Max, u, "the newest comes first")
		case u != id.Nil: // nothing comes after that
			require.Equal(t, cursor, id.Format(id.Workflow, u))
		}
	})
}

// FuzzFeedCursor: a cursor of the feed has one spelling, which fits where a page's
// after does.
func FuzzFeedCursor(f *testing.F) {
	f.Add(feedCursor{731, id.Max, id.Max}.String())
	f.Add(feedCursor{}.String())
	f.Add(feedCursor{-1, id.Max, id.Max}.String())
	f.Add(feedCursor{0, id.Nil, id.Max}.String())
	f.Add("wh_7n42DGM5Tflk9n8mt7Fhc7")
	f.Add("")
	f.Add("AAAAAAAAAts_____\r________________8_____________________w")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := parseFeedCursor(text)
		switch {
		case err != nil:
			refused, ok := refusal.FromError(err)
			require.True(t, ok)
			require.Equal(t, refusal.BadRequest, refused.Code)
			require.Contains(t, string(refused.Details), `"page.after"`)
		case text == "":
			require.Equal(t, feedCursor{}, read)
		default:
			require.Equal(t, text, read.String())
			require.LessOrEqual(t, len(text), 64)
			require.True(t, read.Position > 0 || read == feedCursor{})
		}
	})
}

// TestFeedCursor_IsReadAsItWasWritten, and a cursor with any other letter is not the
// same.
func TestFeedCursor_IsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes16 := rapid.SliceOfN(rapid.Byte(), 16, 16)
		c := feedCursor{rapid.Int64Range(1, math.MaxInt64).Draw(t, "position"), id.UUID(bytes16.Draw(t, "event")), id.UUID(bytes16.Draw(t, "batch"))}
		text := c.String()
		read, err := parseFeedCursor(text)
		require.NoError(t, err)
		require.Equal(t, c, read)
		changed := []byte(text)
		changed[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("Ab0-_\n=")).Draw(t, "letter")
		if other, err := parseFeedCursor(string(changed)); err == nil && string(changed) != text {
			require.NotEqual(t, c, other)
		}
	})
}
