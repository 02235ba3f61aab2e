package vault

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckFile_MissingFileIsAnError(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		require.ErrorIs(t, CheckFile(filepath.Join(t.TempDir(), "kek.json"), encrypted), fs.ErrNotExist)
	}
}
