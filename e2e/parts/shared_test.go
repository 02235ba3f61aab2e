package parts_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/parts"
)

func TestCount_AppendsThePackageForEachStack(t *testing.T) {
	file := t.TempDir() + "/stacks"
	t.Setenv(parts.StacksFile, file)
	require.NoError(t, parts.Count())
	require.NoError(t, parts.Count())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "e2e/parts\ne2e/parts\n", string(text))
}
