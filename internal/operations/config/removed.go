package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// removed says what to do instead of a setting that there was during development, by
// the name of its flag.
var removed = map[string]string{
	"announce":                          "use --child",
	"database-connect-timeout":          "it is 5 seconds",
	"database-connection-idle":          "it is 5 minutes",
	"database-connection-life":          "it is 30 minutes",
	"database-connections-apart":        "it is 4",
	"database-connections-each":         "use --organization-share",
	"database-idle-transaction-timeout": "use --database-timeout",
	"database-lock-timeout":             "use --database-timeout, of which it is a third",
	"database-statement-timeout":        "use --database-timeout",
	"max-attempts-each":                 "use --organization-share",
	"max-body-bytes":                    "set GOMEMLIMIT, of which it is an eighth",
	"max-businesses":                    "use --quota businesses=N",
	"max-connections":                   "it is 2,048",
	"max-outcomes":                      "use --quota outcomes=N",
	"max-requests-each":                 "use --organization-share",
	"max-rule-bytes":                    "use --quota rule-bytes=N",
	"max-rule-versions-a-day":           "use --quota rule-versions-a-day=N",
	"max-waiting-deliveries":            "use --quota waiting-deliveries=N",
	"max-waiting-each":                  "use --organization-share",
	"max-workflows":                     "use --quota workflows=N",
	"rule-cache-bytes":                  "set GOMEMLIMIT, of which it is a quarter",
	"shutdown-grace":                    "it is --patience and 5 seconds more",
	"stop-on-stdin-eof":                 "use --child",
}

// ExplainRemoved makes the error of an unknown flag say what to use instead of it.
func ExplainRemoved(_ *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if instead, known := removed[unknown.GetSpecifiedName()]; known {
			return fmt.Errorf("--%s is no setting any more: %s", unknown.GetSpecifiedName(), instead)
		}
	}
	return err
}

// removedVariable is the error for a variable of a setting that is no more; nil for others.
func removedVariable(name string) error {
	flag := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "REQUISITE_"), "_", "-"))
	if instead, known := removed[flag]; known {
		return fmt.Errorf("%s is no setting any more: %s", name, instead)
	}
	return nil
}
