package decision

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPage_ListsTheFieldsOfHashes, in their order: an examiner computes them by it.
func TestPage_ListsTheFieldsOfHashes(t *testing.T) {
	page := readPage(t, "decision-export.md")
	for title, fields := range map[string][][2]string{"The digest": (Decision{SandboxToday: true}).fields(), "The hash of a version": (PublishedVersion{}).fields()} {
		_, section, found := strings.Cut(page, "\n## "+title+"\n")
		require.True(t, found)
		section, _, _ = strings.Cut(section, "\n## ")
		var listed, names []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\|").FindAllStringSubmatch(section, -1) {
			listed = append(listed, m[1])
		}
		for _, f := range fields {
			names = append(names, f[0])
		}
		require.Equal(t, names, listed)
	}
	for _, f := range slices.Concat((Decision{SandboxToday: true}).exported(), (PublishedVersion{}).exported()) {
		require.Contains(t, page, "`"+f[0]+"`")
	}
}

// TestPage_HasAVersionWithItsHash to try a verifier with.
func TestPage_HasAVersionWithItsHash(t *testing.T) {
	m := regexp.MustCompile("(?s)has the hash\n`([0-9a-f]{64})`:\n\n```json\n(.*?\n)```").FindStringSubmatch(readPage(t, "decision-export.md"))
	require.NotNil(t, m)
	line, err := ReadExportLine([]byte(m[2]))
	require.NoError(t, err)
	require.Empty(t, line.Version.contradictions())
	require.Equal(t, Hex(line.Version.Hash()), m[1])
}

// TestPages_AreShort.
func TestPages_AreShort(t *testing.T) {
	for _, page := range []string{"decision-record.md", "decision-export.md"} {
		require.LessOrEqual(t, len(regexp.MustCompile(`\S*\w\S*`).FindAllString(readPage(t, page), -1)), 1100, page)
	}
}

func readPage(t *testing.T, name string) string {
	text, err := os.ReadFile("../../docs/" + name)
	require.NoError(t, err)
	return string(text)
}

// TestDigest_HasTheFormOfThePage, spelled out for one decision.
func TestDigest_HasTheFormOfThePage(t *testing.T) {
	var text strings.Builder
	writeField(&text, "outcome", "é")
	writeField(&text, "trace_id", "")
	require.Equal(t, "outcome=2:é\ntrace_id=\n", text.String())
}
