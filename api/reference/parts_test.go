package reference

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func fieldsNamed(names ...string) (fields []pageField) {
	for _, name := range names {
		fields = append(fields, pageField{Name: name})
	}
	return fields
}

func TestPageFields_OfTheMainUseComeFirst(t *testing.T) {
	all := pageFields{Main: fieldsNamed("a", "b", "b.c", "d")}
	sorted, err := all.first([]string{"d", "b.c"})
	require.NoError(t, err)
	require.Equal(t, pageFields{Main: fieldsNamed("d", "b.c"), More: fieldsNamed("a", "b")}, sorted)
	same, err := all.first(nil)
	require.NoError(t, err)
	require.Equal(t, all, same)
	_, err = all.first([]string{"e"})
	require.ErrorContains(t, err, "there is no field e")
}

func TestPageFields_AreFoldedIfThereAreMany(t *testing.T) {
	few := pageFields{Main: fieldsNamed("a", "a.b", "a.b.c")}
	require.Equal(t, few, few.fold())
	many := pageFields{Main: slices.Concat(fieldsNamed("a", "a.b"), slices.Repeat(fieldsNamed("a.b.c"), longTable))}
	require.Equal(t, pageFields{Main: fieldsNamed("a", "a.b"), More: slices.Repeat(fieldsNamed("a.b.c"), longTable)}, many.fold())
}

// TestOnboarding_HasTwelveSteps, none of which is in another part.
func TestOnboarding_HasTwelveSteps(t *testing.T) {
	require.Len(t, onboarding, 12)
	require.Equal(t, "Onboarding", chapters()[0].Name)
	require.Len(t, chapters()[0].Groups[0].Operations, len(onboarding))
	require.Len(t, chapters(), 3)
}
