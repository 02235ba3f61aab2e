package postgres

import (
	"testing"

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
