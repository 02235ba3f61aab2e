package postgres

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/refusal"
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
			require.Equal(t, uuid.Max, u, "the newest comes first")
		case u != uuid.Nil: // nothing comes after that
			require.Equal(t, cursor, id.Format(id.Workflow, u))
		}
	})
}

// FuzzPosition: a position in the order of events has one spelling, which fits where a
// page's after does.
func FuzzPosition(f *testing.F) {
	f.Add(position{1, -1, 731, 3, uuid.Max}.String())
	f.Add(position{}.String())
	f.Add("wh_7n42DGM5Tflk9n8mt7Fhc7")
	f.Add("")
	f.Add("AAMAAf_______\r__4AAAAAAAAtsAAAAAAAAAA__________________\r____8")
	f.Fuzz(func(t *testing.T, cursor string) {
		read, err := parsePosition(cursor)
		switch {
		case err != nil:
			refused, ok := refusal.FromError(err)
			require.True(t, ok)
			require.Equal(t, refusal.BadRequest, refused.Code)
			require.Contains(t, string(refused.Details), `"page.after"`)
		case cursor == "":
			require.Equal(t, position{}, read)
		default:
			require.Equal(t, cursor, read.String())
			require.LessOrEqual(t, len(cursor), 64)
		}
	})
}

// TestTheLagIsThatOfTheOldestTransaction, as far as it was seen.
func TestTheLagIsThatOfTheOldestTransaction(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var l lags
	look := func(after time.Duration, oldest, next uint64) time.Duration {
		at = at.Add(after)
		return l.lag(at, horizon{Oldest: oldest, Next: next})
	}
	require.Zero(t, look(0, 100, 100), "nothing is open")
	require.Equal(t, 15*time.Second, look(15*time.Second, 103, 110), "nothing waited at the first look")
	require.Equal(t, 30*time.Second, look(15*time.Second, 103, 130), "it is still open")
	require.Equal(t, 30*time.Second, look(15*time.Second, 125, 140), "it ended, and what waits now came after the second look")
	require.Zero(t, look(15*time.Second, 140, 140))
	for range 5 * mostSightings {
		look(15*time.Second, 141, 1000)
	}
	require.Equal(t, 5*mostSightings*15*time.Second, look(0, 141, 1000), "for as long as it takes")
	require.LessOrEqual(t, len(l.seen), mostSightings+1)
}
