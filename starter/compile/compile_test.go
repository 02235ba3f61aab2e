package compile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuild_SaysHowFarItIs: go build -v names the modules that it downloads and the packages that it compiles. The rest is what
// the compiler says.
func TestBuild_SaysHowFarItIs(t *testing.T) {
	var b Build
	b.read(strings.NewReader("go: downloading example.com/a v1.0.0\ngo: downloading example.com/b v1.0.0\n"))
	require.Equal(t, "2 modules downloaded", b.progress())
	b.read(strings.NewReader("example.com/a\nexample.com/b/c\n# requisite/x\nx.go:1:2: undefined: y\n"))
	require.Equal(t, "2 packages compiled", b.progress())
	b.total.Store(5)
	require.Equal(t, "2 packages compiled, 3 left", b.progress())
	b.total.Store(1) // counted before the last change of a file
	require.Equal(t, "2 packages compiled, 0 left", b.progress())
	require.Equal(t, "# requisite/x\nx.go:1:2: undefined: y\n", b.other.String())
}

func TestStart_TellsWhatTheCompilerSays(t *testing.T) {
	_, err := Start(t.Context(), t.TempDir(), t.TempDir(), "./nothing").Wait(nil)
	require.ErrorContains(t, err, "go build in ")
	require.ErrorContains(t, err, "go.mod")
}
