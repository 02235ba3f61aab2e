// Package released_test checks that upgrades work with the data of earlier releases: the
// database, keysets, Temporal's payloads, and everything that callers have stored. Tests
// with a stack have the build tag deep.
package released_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/released"
)

// vectors returns the hashes of the published vectors, by file and name.
func vectors(t testing.TB) map[string]map[string]string {
	found := map[string]map[string]string{}
	for _, name := range []string{"signature-vectors.json", "webhook-vectors.json"} {
		var file struct {
			Keys    map[string]any
			Vectors []map[string]any
		}
		readJSON(t, filepath.Join("../../docs", name), &file)
		require.NotEmpty(t, file.Vectors)
		hashes := map[string]string{}
		for key, secret := range file.Keys {
			hashes["key "+key] = hash(t, secret)
		}
		for _, v := range file.Vectors {
			hashes[v["name"].(string)] = hash(t, v)
		}
		found[name] = hashes
	}
	return found
}

func hash(t testing.TB, value any) string {
	text, err := json.Marshal(value) // sorts by name
	require.NoError(t, err)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// TestReleasedVectors_DoNotChange, because callers have copies of them.
func TestReleasedVectors_DoNotChange(t *testing.T) {
	releases, err := released.Directories("testdata")
	require.NoError(t, err)
	now := vectors(t)
	for _, release := range releases {
		var recorded map[string]map[string]string
		readJSON(t, filepath.Join(in(release), "vectors.json"), &recorded)
		require.NotEmpty(t, recorded)
		for file, hashes := range recorded {
			for name, hash := range hashes {
				require.Equal(t, hash, now[file][name], "docs/%s: %q differs from release %s. Restore it, and add a new vector instead", file, name, release)
			}
		}
	}
}

// decode decodes JSON, and keeps numbers as they are written.
func decode(t testing.TB, text []byte, out any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(out))
}

func readJSON(t testing.TB, file string, out any) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	decode(t, text, out)
}

func in(release string) string { return filepath.Join("testdata", release) }
