package config

import (
	"github.com/spf13/pflag"

	"requisite/internal/postgres"
)

// BindRetention adds the flags that say how long things are kept; what
// contradicts itself, its Check finds.
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
