//go:build deep

package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion_IsKnownToGoRun, which builds without the repository.
func TestVersion_IsKnownToGoRun(t *testing.T) {
	ran, err := exec.CommandContext(t.Context(), "go", "run", ".", "--version").CombinedOutput()
	require.NoError(t, err, "%s", ran)
	require.Regexp(t, `^starter version devel \(`, string(ran))
}
