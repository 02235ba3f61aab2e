package docs

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOperatorsGuide_TableOfContentsListsEveryPage, so that none can only be found
// by its name.
func TestOperatorsGuide_TableOfContentsListsEveryPage(t *testing.T) {
	pages, err := filepath.Glob("operating/*.md")
	require.NoError(t, err)
	require.Greater(t, len(pages), 10)
	var linked []string
	for _, m := range link.FindAllStringSubmatch(read(t, "operating/README.md"), -1) {
		linked = append(linked, m[1])
	}
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" {
			require.Contains(t, linked, name)
		}
	}
}
