package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"requisite/internal/telemetry"
)

// When a worker makes its version current by itself.
const (
	// MakeCurrentAtStart: when it starts. For deployments where only one version is meant to run.
	MakeCurrentAtStart = "start"
	// MakeCurrentIfNone: when no version is current, or when no worker of the current one has
	// asked for work for some minutes. So runs are not left waiting because nobody said which
	// version begins them.
	MakeCurrentIfNone = "auto"
	// MakeCurrentNever: only an operator does, with `starter deploy`.
	MakeCurrentNever = "never"
)

// Deployment is which version of the worker a program is, or means.
type Deployment struct {
	BuildID     string
	MakeCurrent string
}

// BindBuildID adds the flag that names the version.
func (d *Deployment) BindBuildID(flags *pflag.FlagSet) {
	String(flags, &d.BuildID, "build-id", "REQUISITE_BUILD_ID", "", "the version of this worker among all builds; builds whose workflows differ must not share one (default: the release or the commit that it was built from, with a hash of the program if files were changed)")
}

// Bind adds the flags of a worker.
func (d *Deployment) Bind(flags *pflag.FlagSet) {
	d.BindBuildID(flags)
	String(flags, &d.MakeCurrent, "make-current", "REQUISITE_MAKE_CURRENT", MakeCurrentIfNone, "when this worker's version becomes the current one, which begins the runs of endpoints and of upkeep: start, when the worker starts; auto, when there is none, or no worker of it for two minutes; never, only with `starter deploy`")
}

// longestBuildID is well below what Temporal accepts.
const longestBuildID = 200

// Check reports what is wrong with the settings, and fills in this build's own id.
func (d *Deployment) Check() (err error) {
	if d.BuildID == "" {
		if d.BuildID, err = telemetry.BuildID(); err != nil {
			return fmt.Errorf("%w; name it with --build-id", err)
		}
	}
	var problems []error
	if len(d.BuildID) > longestBuildID || strings.HasPrefix(d.BuildID, "__") || strings.ContainsFunc(d.BuildID, func(r rune) bool { return r <= ' ' || r > '~' || r == '\'' || r == '"' || r == '\\' }) {
		problems = append(problems, fmt.Errorf("--build-id must be at most %d printable ASCII characters without blanks and quotes, and must not begin with __, not %q", longestBuildID, d.BuildID))
	}
	switch d.MakeCurrent {
	case "", MakeCurrentAtStart, MakeCurrentIfNone, MakeCurrentNever:
	default:
		problems = append(problems, fmt.Errorf("--make-current must be %s, %s or %s, not %q", MakeCurrentAtStart, MakeCurrentIfNone, MakeCurrentNever, d.MakeCurrent))
	}
	return errors.Join(problems...)
}
