package telemetry

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThisBuild_IsAlwaysKnown(t *testing.T) {
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
