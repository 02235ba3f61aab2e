//go:build !linux

package vault

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// asNobody runs a function while nobody may read the file.
func asNobody(t *testing.T, path string, do func()) {
	require.NoError(t, os.Chmod(path, 0o200))
	defer func() { require.NoError(t, os.Chmod(path, 0o600)) }()
	do()
}
