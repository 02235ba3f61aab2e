package needs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/needs"
)

// With TEST_EVERYTHING=1, a test fails if the machine lacks what it needs.
func TestNeeds_FailInsteadOfSkippingInCI(t *testing.T) {
	for value, want := range map[string][2]string{"1": {"fatal", "fatal"}, "": {"skip", "log"}, "0": {"skip", "log"}} {
		t.Setenv("TEST_EVERYTHING", value)
		r := &recorder{TB: t}
		needs.Program(r, "no-such-program", "apt-get install it")
		require.Equal(t, want[0]+": no-such-program is not installed: apt-get install it", r.said)
		needs.File(r, "no/such/file", "npm ci")
		require.Equal(t, want[0]+": no/such/file is missing: npm ci", r.said)
		needs.LeftOut(r, "pg_dump")
		require.Regexp(t, "^"+want[1]+": (left out: )?pg_dump$", r.said)
	}
	r := &recorder{TB: t}
	require.NotEmpty(t, needs.Program(r, "go", ""))
	needs.File(r, "needs.go", "")
	require.Empty(t, r.said)
}

type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()           {}
func (r *recorder) Fatal(what ...any) { r.said = "fatal: " + fmt.Sprint(what...) }
func (r *recorder) Skip(what ...any)  { r.said = "skip: " + fmt.Sprint(what...) }
func (r *recorder) Log(what ...any)   { r.said = "log: " + fmt.Sprint(what...) }
