package harness_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

func TestCount_AppendsThePackageForEachStack(t *testing.T) {
	file := t.TempDir() + "/stacks"
	t.Setenv(harness.StacksFile, file)
	require.NoError(t, harness.Count())
	require.NoError(t, harness.Count())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "e2e/harness\ne2e/harness\n", string(text))
}
