package telemetry

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// The linker sets these with -X requisite/internal/telemetry.linked=… and
// linkedRevision=…, if the build has no repository.
var linked, linkedRevision string

// devel is the version of a program that was built from sources between releases.
const devel = "devel"

// Build is the source of a program. No field is empty.
type Build struct {
	Version   string // a release, or devel
	Revision  string // the commit, with -dirty after local changes; "none" without a repository
	GoVersion string
}

// ThisBuild is the build of this program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) Build {
	b := Build{Version: linked, Revision: linkedRevision, GoVersion: runtime.Version()}
	if info == nil {
		info = &debug.BuildInfo{}
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	if b.Revision == "" && vcs["vcs.revision"] != "" {
		b.Revision = vcs["vcs.revision"]
		if vcs["vcs.modified"] == "true" {
			b.Revision += "-dirty"
		}
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version // a tag, where Go found one
	}
	b.Version, b.Revision = cmp.Or(b.Version, devel), cmp.Or(b.Revision, "none")
	return b
}

// Version is the version of the program, for logs and traces. Between releases it is the
// revision, if there is one.
func Version() string {
	b := ThisBuild()
	if b.Version == devel && b.Revision != "none" {
		return b.Revision
	}
	return b.Version
}

func (b Build) String() string {
	return fmt.Sprintf("%s (revision %s, %s)", b.Version, b.Revision, b.GoVersion)
}
