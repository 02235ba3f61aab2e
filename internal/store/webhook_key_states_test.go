package store_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

// TestStates_HasEveryChangeOfAKey holds the table and the diagram of a webhook
// key to what happens: every change is tried in every state.
func TestStates_HasEveryChangeOfAKey(t *testing.T) {
	page, err := os.ReadFile("../../docs/states.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "\nA **webhook key**.")
	require.True(t, found)
	text, _, found = strings.Cut(text, "\nA **delivery**")
	require.True(t, found)
	_, picture, _ := strings.Cut(text, "```text\n")
	picture, table, found := strings.Cut(picture, "\n```\n")
	require.True(t, found)
	told := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| (?:–|`(\\w+)`) \\| ([^|]+) \\| `(\\w+)` \\|$")
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		told[fmt.Sprintf("%s | %s | %s", m[1], m[2], m[3])] = true
	}

	b := setup(t)
	status := func(keyID string) domain.KeyStatus { return b.webhookKey(keyID).Status }
	// Each makes a key in the state of that name.
	in := map[domain.KeyStatus]func() string{
		domain.KeyInactive: func() string { return b.MustKey().KeyID },
		domain.KeyActive: func() string {
			keyID := b.MustKey().KeyID
			require.NoError(t, only(b.Activate(keyID)))
			return keyID
		},
		domain.KeyDeleted: func() string {
			keyID := b.MustKey().KeyID
			require.NoError(t, b.deleteKey(keyID))
			return keyID
		},
	}
	// What is refused changes nothing.
	changes := map[string]func(keyID string){
		"activate": func(keyID string) { _, _ = b.Activate(keyID) },
		"another key is activated": func(string) {
			require.NoError(t, only(b.Activate(b.MustKey().KeyID)))
		},
		"delete": func(keyID string) { _ = b.deleteKey(keyID) },
	}
	made := map[string]bool{" | create | " + string(status(b.MustKey().KeyID)): true}
	for from, make := range in {
		require.Contains(t, picture, string(from))
		for name, change := range changes {
			require.Contains(t, picture, name)
			keyID := make()
			require.Equal(t, from, status(keyID))
			change(keyID)
			if to := status(keyID); to != from {
				made[fmt.Sprintf("%s | %s | %s", from, name, to)] = true
			}
		}
	}
	require.Equal(t, made, told)
}
