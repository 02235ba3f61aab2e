package local

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSavedQueries_AreInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/operating/runs.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(guide), "\n## Lists in the Temporal UI\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.FixedZone("east", -3600)) // the 21st in UTC
	for _, q := range savedQueries(at, "w_…") {
		require.Contains(t, section, "| "+q.name+" | `"+strings.Replace(q.query, "2026-11-21", "2026-11-20", 1)+"` |")
	}
	require.Equal(t, "http://ui/namespaces/requisite/workflows?query=ApplicationWorkflowId+%3D+%22w_1%22", savedQueries(at, "w_1")[2].link("http://ui", "requisite"))
	require.Contains(t, savedQueries(at, "w_1")[0].query, "2026-11-21T00:00:00Z", "days are those of UTC")
}
