//go:build deep

package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// go run builds without information from the repository.
func TestVersion_IsKnownToGoRun(t *testing.T) {
	ran, err := exec.CommandContext(t.Context(), "go", "run", ".", "--version").CombinedOutput()
	require.NoError(t, err, "%s", ran)
	require.Regexp(t, `^starter version devel \(`, string(ran))
}
