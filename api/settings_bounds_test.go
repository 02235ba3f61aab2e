package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettings_BoundsAreInclusive(t *testing.T) {
	require.NoError(t, checked(t, "--drain", "0s"))
	require.NoError(t, checked(t, "--organization-share", "100"))
}
