package telemetry

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// What the linker sets, with -X requisite/internal/telemetry.linked=… and
// linkedRevision=…, where the sources have no repository beside them; linkedSources is
// a hash of the sources.
var linked, linkedRevision, linkedSources string

// dirtySuffix is of a commit whose files were changed.
const dirtySuffix = "-dirty"

// devel is the version of a program that was built from sources between releases.
const devel = "devel"

// Build says what a program was built from. No part of it is empty.
type Build struct {
	Version   string // a release, or devel
	Revision  string // the commit, with -dirty for one that was changed; "none" where there was no repository
	GoVersion string
}

// ThisBuild is that of this program.
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
			b.Revision += dirtySuffix
		}
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version // a tag, where Go found one
	}
	b.Version, b.Revision = cmp.Or(b.Version, devel), cmp.Or(b.Revision, "none")
	return b
}

// Version is the version of the program, for logs and traces; of a program between
// releases it is the revision, where there is one.
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

// digits is how much of a hash identifies a build.
const digits = 12

// BuildID identifies the code of this program among all builds of it: the release, or
// the commit. Where neither says what was built, because files were changed or there
// was no repository, a hash of the sources or of the program follows.
func BuildID() (string, error) {
	return ThisBuild().id(func() (string, error) {
		if linkedSources != "" {
			return linkedSources, nil
		}
		return ownHash()
	})
}

func (b Build) id(hash func() (string, error)) (string, error) {
	name := b.Version
	if name == devel && b.Revision != "none" {
		name = b.Revision
		if revision, dirty := strings.CutSuffix(name, dirtySuffix); len(revision) > digits {
			name = revision[:digits]
			if dirty {
				name += dirtySuffix
			}
		}
	}
	changed := strings.HasSuffix(b.Version, dirtySuffix) || strings.HasSuffix(b.Version, "+dirty") || strings.HasSuffix(b.Revision, dirtySuffix)
	if b.Revision != "none" && !changed {
		return name, nil
	}
	of, err := hash()
	if err != nil {
		return "", fmt.Errorf("identify this build: %w", err)
	}
	return name + "-" + of[:min(digits, len(of))], nil
}

// ownHash is the hash of the file that this process runs.
var ownHash = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
})
