package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// removed says what to do instead of a setting that the api or the worker had, by the
// name of its flag.
var removed = map[string]string{
	"announce":                          "use --child",
	"build-id":                          "unset it; open runs go on with any release",
	"database-connect-timeout":          "unset it; it is always 5 seconds",
	"database-connection-idle":          "unset it; it is always 5 minutes",
	"database-connection-life":          "unset it; it is always 30 minutes",
	"database-connections-apart":        "unset it; it is always 4",
	"database-connections-each":         "use --organization-share",
	"database-idle-transaction-timeout": "use --database-timeout",
	"database-lock-timeout":             "use --database-timeout, of which it is a third",
	"database-statement-timeout":        "use --database-timeout",
	"evaluation-timeout":                "unset it; an evaluation ends after 6,000,000 steps",
	"make-current":                      "unset it; open runs go on with any release",
	"max-attempts-each":                 "use --organization-share",
	"max-body-bytes":                    "set GOMEMLIMIT, of which it is an eighth",
	"max-businesses":                    "use --quota businesses=N",
	"max-connections":                   "unset it; it is always 2,048",
	"max-connections-of-address":        "limit the connections of an address at your proxy",
	"max-evaluations":                   "unset it; it is always half of the processors",
	"max-outcomes":                      "use --quota outcomes=N",
	"max-requests-each":                 "use --organization-share",
	"max-rule-bytes":                    "use --quota rule-bytes=N",
	"max-rule-checks":                   "unset it; checks take turns with evaluations",
	"max-rule-checks-each":              "unset it; it is always 1",
	"max-rule-versions-a-day":           "use --quota rule-versions-a-day=N",
	"max-runs-each":                     "use --organization-share",
	"max-steps-each":                    "use --organization-share",
	"max-unverified-bytes":              "set GOMEMLIMIT, of which it is a sixteenth",
	"max-waiting-deliveries":            "use --quota waiting-deliveries=N",
	"max-waiting-each":                  "use --organization-share",
	"max-workflows":                     "use --quota workflows=N",
	"rule-cache-bytes":                  "set GOMEMLIMIT, of which it is a quarter",
	"rule-check-timeout":                "unset it; a check ends after a number of steps",
	"shutdown-grace":                    "use --patience; it is 5 seconds more",
	"stop-on-stdin-eof":                 "use --child",
	"trusted-proxies":                   "limit the requests of an address at your proxy",
}

// ExplainRemoved adds to the error for a removed flag what to use instead.
func ExplainRemoved(_ *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if instead, known := removed[unknown.GetSpecifiedName()]; known {
			return fmt.Errorf("--%s is not a setting any more: %s", unknown.GetSpecifiedName(), instead)
		}
	}
	return err
}

// refuseRemoved is an error for each variable of a setting that was removed.
func refuseRemoved(environ []string) error {
	var problems []error
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		setting, ours := strings.CutPrefix(strings.TrimSuffix(name, "_FILE"), "REQUISITE_")
		instead, known := removed[strings.ToLower(strings.ReplaceAll(setting, "_", "-"))]
		if ours && known && value != "" {
			problems = append(problems, fmt.Errorf("%s is not a setting any more: %s", name, instead))
		}
	}
	return errors.Join(problems...)
}
