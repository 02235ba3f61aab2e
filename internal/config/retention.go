package config

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"requisite/internal/store"
)

// BindRetention adds the flags that say how long data is kept. CheckRetention
// finds contradictions between them.
func BindRetention(flags *pflag.FlagSet, keep *store.Retention) {
	flags.DurationVar(&keep.Events, "keep-events", store.DefaultEventLife,
		"how long events are kept, with their deliveries and attempts, once all deliveries have ended; at least 168h")
	Env(flags, "keep-events", "REQUISITE_KEEP_EVENTS")
	flags.DurationVar(&keep.Attempts, "keep-attempts", 0,
		"how long attempts are kept, with the receivers' answers, once their delivery has ended; at least 96h and at most --keep-events; "+
			"0s means as long as --keep-events")
	Env(flags, "keep-attempts", "REQUISITE_KEEP_ATTEMPTS")
	flags.DurationVar(&keep.RuleVersions, "keep-rule-versions", store.DefaultRuleLife,
		"how long a version of an account's rules is kept after another has replaced it, once no document, finding or decision names it; at least 24h")
	Env(flags, "keep-rule-versions", "REQUISITE_KEEP_RULE_VERSIONS")
	flags.DurationVar(&keep.Decisions, "keep-decisions", store.DefaultDecisionLife,
		"how long decisions are kept, with their facts and reasons, after the end of their month; at least 720h")
	Env(flags, "keep-decisions", "REQUISITE_KEEP_DECISIONS")
	flags.DurationVar(&keep.Outcomes, "keep-outcomes", store.DefaultOutcomeLife,
		"how long repeating a request with an Idempotency-Key returns its first outcome; at least 24h")
	Env(flags, "keep-outcomes", "REQUISITE_KEEP_OUTCOMES")
}

// CheckRetention reports periods that are too short or contradict each other,
// naming the flags that set them.
func CheckRetention(k store.Retention) error {
	var problems []error
	if k.Events < store.MinEventLife {
		problems = append(problems, fmt.Errorf("--keep-events is %s and must be at least %s: a delivery may take days", k.Events, store.MinEventLife))
	}
	switch {
	case k.Attempts == 0:
	case k.Attempts < store.MinAttemptLife:
		problems = append(problems, fmt.Errorf("--keep-attempts is %s and must be at least %s: the attempts at one delivery may take three and a half days",
			k.Attempts, store.MinAttemptLife))
	case k.Attempts > k.Events:
		problems = append(problems, fmt.Errorf("--keep-attempts is %s, but attempts are deleted with their events, which --keep-events keeps for %s",
			k.Attempts, k.Events))
	}
	if k.Outcomes < store.MinOutcomeLife {
		problems = append(problems, fmt.Errorf("--keep-outcomes is %s and must be at least %s: callers may repeat a request for that long",
			k.Outcomes, store.MinOutcomeLife))
	}
	if k.RuleVersions < store.MinRuleLife {
		problems = append(problems, fmt.Errorf("--keep-rule-versions is %s and must be at least %s: a calculation may still be using an older version",
			k.RuleVersions, store.MinRuleLife))
	}
	if k.Decisions < store.MinDecisionLife {
		problems = append(problems, fmt.Errorf("--keep-decisions is %s and must be at least %s: decisions are deleted by whole months",
			k.Decisions, store.MinDecisionLife))
	}
	return errors.Join(problems...)
}
