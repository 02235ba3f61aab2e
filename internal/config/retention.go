package config

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"requisite/internal/postgres"
)

// BindRetention adds the flags that say how long things are kept; what
// contradicts itself, CheckRetention finds.
func BindRetention(flags *pflag.FlagSet, keep *postgres.Retention) {
	flags.DurationVar(&keep.Events, "keep-events", postgres.DefaultEventLife, "how long events are kept, with their deliveries and attempts, once all of them have ended; 168h at least")
	Env(flags, "keep-events", "REQUISITE_KEEP_EVENTS")
	flags.DurationVar(&keep.Attempts, "keep-attempts", 0, "how long attempts are kept, with what receivers answered, once their delivery has ended; 96h at least, and no longer than --keep-events, which it is when it is not given")
	Env(flags, "keep-attempts", "REQUISITE_KEEP_ATTEMPTS")
	flags.DurationVar(&keep.RuleVersions, "keep-rule-versions", postgres.DefaultRuleLife, "how long a version of an account's rules is kept after another took its place, once no document's reason names it; 24h at least")
	Env(flags, "keep-rule-versions", "REQUISITE_KEEP_RULE_VERSIONS")
	flags.DurationVar(&keep.Outcomes, "keep-outcomes", postgres.DefaultOutcomeLife, "how long a request with an Idempotency-Key can be repeated for its first outcome; 24h at least")
	Env(flags, "keep-outcomes", "REQUISITE_KEEP_OUTCOMES")
}

// CheckRetention names what is too short or contradicts itself, by the flags that
// set it.
func CheckRetention(k postgres.Retention) error {
	var problems []error
	if k.Events < postgres.MinEventLife {
		problems = append(problems, fmt.Errorf("--keep-events is %s and must be %s at least: a delivery may take days", k.Events, postgres.MinEventLife))
	}
	switch {
	case k.Attempts == 0:
	case k.Attempts < postgres.MinAttemptLife:
		problems = append(problems, fmt.Errorf("--keep-attempts is %s and must be %s at least: the attempts at one delivery take three and a half days", k.Attempts, postgres.MinAttemptLife))
	case k.Attempts > k.Events:
		problems = append(problems, fmt.Errorf("--keep-attempts is %s, but attempts go with their events, which --keep-events keeps for %s", k.Attempts, k.Events))
	}
	if k.Outcomes < postgres.MinOutcomeLife {
		problems = append(problems, fmt.Errorf("--keep-outcomes is %s and must be %s at least: callers may repeat a request for so long", k.Outcomes, postgres.MinOutcomeLife))
	}
	if k.RuleVersions < postgres.MinRuleLife {
		problems = append(problems, fmt.Errorf("--keep-rule-versions is %s and must be %s at least: a calculation may still work with one", k.RuleVersions, postgres.MinRuleLife))
	}
	return errors.Join(problems...)
}
