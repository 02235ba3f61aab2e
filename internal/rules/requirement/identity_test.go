package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIdentity_IsComparedAsPeopleDo(t *testing.T) {
	approved := Identity{FirstName: " Zoë", LastName: "STRAßE", Citizenship: "US"}
	for name, c := range map[string]struct {
		now  Identity
		same bool
	}{
		"the same":          {approved, true},
		"case and marks":    {Identity{FirstName: "zoe\u0308 ", LastName: "strasse", Citizenship: "us"}, true},
		"a field is filled": {Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1990-01-01"}, true},
		"another name":      {Identity{FirstName: "Zoe", LastName: "Straße", Citizenship: "US"}, false},
		"a field is gone":   {Identity{FirstName: "Zoë", LastName: "Straße"}, false},
		"invisible marks":   {Identity{FirstName: "Zo\u200be\u00ad\u0308", LastName: "\u2060Straße\ufeff", Citizenship: "US"}, true},
		"parts in one":      {Identity{LastName: "Zoë Straße", Citizenship: "US"}, true},
		"a part is gone":    {Identity{LastName: "Straße", Citizenship: "US"}, false},
	} {
		_, same := approved.FilledBy(c.now)
		require.Equal(t, c.same, same, name)
	}
	filled, _ := approved.FilledBy(Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1990-01-01"})
	_, same := filled.FilledBy(Identity{FirstName: "Zoë", LastName: "Straße", Citizenship: "US", DateOfBirth: "1991-01-01"})
	require.False(t, same, "what was filled is bound from then on")

	_, same = Identity{LastName: "Sukarno"}.FilledBy(Identity{FirstName: "Kusno", LastName: "Sukarno"})
	require.False(t, same, "a part of a name that is filled later is a change")
	_, same = Identity{LastName: "Sukarno"}.FilledBy(Identity{FirstName: "Sukarno", DateOfBirth: "1901-06-06", Citizenship: "ID"})
	require.True(t, same)
	filled, same = Identity{}.FilledBy(Identity{FirstName: "Kusno", LastName: "Sukarno"})
	require.True(t, same, "nothing was seen when it was approved")
	require.Equal(t, Identity{FirstName: "Kusno", LastName: "Sukarno"}, filled)
}
