package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettings_BoundsAreInclusive(t *testing.T) {
	require.NoError(t, checked(t, "--drain", "0s"))
	require.NoError(t, checked(t, "--patience", "31s", "--shutdown-grace", "31s"))
	require.NoError(t, checked(t, "--max-connections", "1", "--organization-share", "100"))
}
