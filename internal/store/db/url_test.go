package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
)

// TestCheckURL_NamesTheFault, and never the value.
func TestCheckURL_NamesTheFault(t *testing.T) {
	t.Parallel()
	const rest = "@db.example:5432/requisite"
	for text, want := range map[string]string{
		"postgres://app:planted" + rest + "\n":                    "contains a line feed; remove it",
		"postgres://app:pla\nnted" + rest:                         "contains a line feed; remove it",
		"postgres://app:planted" + rest + " ":                     "begins or ends with a blank; remove it",
		"\tpostgres://app:planted" + rest:                         "begins or ends with a blank; remove it",
		"postgres://app:pla nted" + rest:                          "contains a blank; write it as %20",
		`"postgres://app:planted` + rest + `"`:                    "is in quotes; remove them",
		`'postgres://app:planted` + rest:                          "is in quotes; remove them",
		"postgres://app:pla%nted" + rest:                          "contains a % without two hexadecimal digits after it; write % as %25",
		"postgres://app:planted%" + rest:                          "contains a % without two hexadecimal digits after it; write % as %25",
		"postgres://app:planted%4" + rest:                         "contains a % without two hexadecimal digits after it; write % as %25",
		"postgres://app:pla#nted" + rest:                          "contains a #; write it as %23",
		"postgres://app:pla/nted" + rest:                          "contains a / or an @ in its user or password; write / as %2F and @ as %40",
		"postgres://app:12/planted" + rest:                        "contains a / or an @ in its user or password; write / as %2F and @ as %40",
		"postgres://app:pla@nted" + rest:                          "contains a / or an @ in its user or password; write / as %2F and @ as %40",
		"postgres://app:pla?nted" + rest:                          "contains a ? in its user or password; write it as %3F",
		"postgres://app:12?planted" + rest:                        "contains a ? in its user or password; write it as %3F",
		"postgres://app:pla\x01nted" + rest:                       "contains a control character; write it as % with two hexadecimal digits",
		"postgres://app:pla^nted" + rest:                          "cannot be read: a port must be a number",
		"postgres://app:planted@db.example:port/requisite":        "cannot be read: a port must be a number",
		"postgres://app:planted@one.example:5432,two.example/x":   "cannot be read: where it names several hosts, each needs its port",
		"host=db.example user=app password=planted":               "must begin with postgres:// or postgresql://",
		"app:planted" + rest:                                      "must begin with postgres:// or postgresql://",
		"postgres://app:planted" + rest + "?search_path=planted":  "sets search_path, which each program sets itself; remove it",
		"postgres://app:planted" + rest + "?TimeZone=planted":     "sets timezone, which each program sets itself; remove it",
		"postgres://app:planted" + rest + "?statement_timeout=17": "sets statement_timeout, which each program sets itself; remove it",
	} {
		err := db.CheckURL(text)
		require.ErrorContains(t, err, "the database URL "+want, "%q", text)
		require.NotContains(t, err.Error(), "planted")
		require.NotContains(t, err.Error(), "nted")
	}
	for _, fine := range []string{
		"postgres://app" + rest, "postgresql://app:p%20%25%2F%3F%23%40%3A%5C'%22" + rest, "postgres://app:p'w" + rest, "postgres:///requisite",
		"postgres://app@one.example:5432,two.example:5433/x?target_session_attrs=read-write", "postgres://app" + rest + "?sslmode=disable&application_name=a@b", "postgres://app@[::1]:5432/x",
		"postgres://app@/x?host=/var/run/postgresql",
	} {
		require.NoError(t, db.CheckURL(fine), fine)
	}
}
