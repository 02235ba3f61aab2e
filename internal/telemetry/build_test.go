package telemetry

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABuildIsAlwaysKnown(t *testing.T) {
	here := runtime.Version()
	repository := []debug.BuildSetting{{Key: "vcs.revision", Value: "b3d1ff5"}, {Key: "vcs.modified", Value: "false"}}
	changed := []debug.BuildSetting{{Key: "vcs.revision", Value: "b3d1ff5"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		info                   *debug.BuildInfo
		linked, linkedRevision string
		want                   Build
	}{
		{nil, "", "", Build{"devel", "none", here}},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "", "", Build{"devel", "none", here}}, // go run
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: repository}, "", "", Build{"devel", "b3d1ff5", here}},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: changed}, "", "", Build{"v1.2.3", "b3d1ff5-dirty", here}},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: repository}, "1.2.4", "a1", Build{"1.2.4", "a1", here}}, // an image
	} {
		linked, linkedRevision = c.linked, c.linkedRevision
		require.Equal(t, c.want, buildOf(c.info))
	}
	linked, linkedRevision = "", ""
	require.Equal(t, "devel (revision none, "+here+")", buildOf(nil).String())
	require.NotEmpty(t, Version())
}

func TestTheBuildIDTellsCodeApart(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		build Build
		want  string
	}{
		{Build{Version: "v1.2.0", Revision: revision}, "v1.2.0"},
		{Build{Version: devel, Revision: revision}, "0123456789ab"},
		{Build{Version: devel, Revision: revision + "-dirty"}, "0123456789ab-dirty-feedfacecafe"},
		{Build{Version: "v1.2.0-dirty", Revision: revision}, "v1.2.0-dirty-feedfacecafe"},
		{Build{Version: "v1.2.1-0.20261120000000-0123456789ab+dirty", Revision: revision + "-dirty"}, "v1.2.1-0.20261120000000-0123456789ab+dirty-feedfacecafe"},
		{Build{Version: devel, Revision: "none"}, "devel-feedfacecafe"},
	} {
		id, err := c.build.id(func() (string, error) { return "feedfacecafe0123", nil })
		require.NoError(t, err)
		require.Equal(t, c.want, id)
	}
	id, err := BuildID()
	require.NoError(t, err)
	require.NotContains(t, id, "unknown")
	require.Regexp(t, `[0-9a-f]{12}`, id, "of a test, whose program has no commit")
}
