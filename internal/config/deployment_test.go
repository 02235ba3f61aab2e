package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheVersionOfAWorker(t *testing.T) {
	own := Deployment{MakeCurrent: "auto"}
	require.NoError(t, own.Check())
	require.NotEmpty(t, own.BuildID, "its own build")
	named := Deployment{BuildID: "v1.2.0+7", MakeCurrent: "start"}
	require.NoError(t, named.Check())
	require.Equal(t, "v1.2.0+7", named.BuildID)
	for _, bad := range []string{"two words", "it's", `a"b`, "__reserved", "é", strings.Repeat("x", 201)} {
		require.ErrorContains(t, (&Deployment{BuildID: bad}).Check(), "--build-id must be", bad)
	}
	require.ErrorContains(t, (&Deployment{BuildID: "v1", MakeCurrent: "sometimes"}).Check(), `--make-current must be start, auto or never, not "sometimes"`)
}
