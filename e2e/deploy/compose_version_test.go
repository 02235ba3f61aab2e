//go:build deep

package deploy_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var linked = regexp.MustCompile(`-ldflags="([^"]*)"`)

// TestImage_ReportsItsVersion builds with the flags of the image's programs.
func TestImage_ReportsItsVersion(t *testing.T) {
	// Only one service may build the image, because parallel builds of one tag fail.
	for name, s := range read(t).Services {
		require.Equal(t, name == "keys", s.Build != nil, "%s builds", name)
		require.Equal(t, s.Image == "requisite:local", s.PullPolicy == "never", name)
	}
	require.Equal(t, map[string]string{"VERSION": "${VERSION:-}", "REVISION": "${REVISION:-}"}, read(t).Services["keys"].Build.Args)
	dockerfile, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	require.Contains(t, string(dockerfile), "\nARG VERSION=\nARG REVISION=\nRUN sh deploy/image/programs.sh ")
	script, err := os.ReadFile("../../deploy/image/programs.sh")
	require.NoError(t, err)
	flags := linked.FindSubmatch(script)
	require.Len(t, flags, 2)
	for _, c := range []struct{ version, revision, says string }{{"v1.2.3-4-gabcdef", "abcdef0", "v1.2.3-4-gabcdef (revision abcdef0, "}, {"", "", "devel (revision none, "}} {
		set := strings.NewReplacer("${VERSION:-}", c.version, "${REVISION:-}", c.revision, "${sources}", "").Replace(string(flags[1]))
		build := exec.Command("go", "run", "-buildvcs=false", "-ldflags="+set, "../../starter/starter", "--version")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, "starter version "+c.says+runtime.Version()+")\n", string(out))
	}
}
