package refusal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/constants"
)

// Each code needs a status, a cause and a remedy.
func TestCatalogue_DescribesEveryCode(t *testing.T) {
	said := func(name string, w Words, ok bool) {
		require.True(t, ok, "%s has no words in the catalogue", name)
		for _, text := range []string{w.Cause, w.Cure} {
			require.Regexp(t, `^[A-Za-z0-9].*\.$`, text, name)
		}
	}
	for _, name := range constants.Of(t, ".", func(_, of string) bool { return of == "Code" }) {
		require.Contains(t, Codes(), Code(name), "has no status")
		w, ok := Code(name).Words()
		said(name, w, ok)
	}
	subCodes := constants.Of(t, ".", func(_, of string) bool { return of == "SubCode" })
	for _, name := range subCodes {
		w, ok := SubCode(name).Words()
		said(name, w, ok)
	}
	require.Len(t, SubCodes(), len(subCodes), "no words for a sub-code that does not exist")
	require.ElementsMatch(t, constants.Of(t, ".", func(name, _ string) bool { return strings.HasPrefix(name, "Entity") && name != "EntityNotFound" }), EntityTypes())
	for _, name := range WarningCodes() {
		w, ok := WarningWords(name)
		said(string(name), w, ok)
	}
}
