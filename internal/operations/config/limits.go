package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"requisite/internal/postgres"
)

// BindRuleCache adds the flag of the memory for compiled rules, for every program that
// evaluates them.
func BindRuleCache(flags *pflag.FlagSet, bytes *int64) {
	flags.Int64Var(bytes, "rule-cache-bytes", 128<<20, "estimated memory for compiled rule sets and pricing models; at least 1 MiB")
	Env(flags, "rule-cache-bytes", "REQUISITE_RULE_CACHE_BYTES")
}

// CheckRuleCache reports what is wrong with that setting.
func CheckRuleCache(bytes int64) error {
	if bytes < 1<<20 {
		return fmt.Errorf("--rule-cache-bytes must be at least 1048576, not %d", bytes)
	}
	return nil
}

// BindShare adds the flag that limits what one organization may take.
func BindShare(flags *pflag.FlagSet, percent *int) {
	flags.IntVar(percent, "organization-share", 25, "percentage of each shared limit that one organization may use; 100 where there is only one")
	Env(flags, "organization-share", "REQUISITE_ORGANIZATION_SHARE")
}

// CheckShare reports what is wrong with that setting.
func CheckShare(percent int) error {
	if percent < 1 || percent > 100 {
		return fmt.Errorf("--organization-share must be a percentage from 1 to 100, not %d", percent)
	}
	return nil
}

// Each is how many slots of a limit one organization may use, one at least.
func Each(total, percent int) int { return max(1, total*percent/100) }

// BindConnections adds the flags that bound connections to the database, in every
// program that serves.
func BindConnections(flags *pflag.FlagSet, c *postgres.Connections) {
	flags.Int32Var(&c.Max, "database-connections", 20, "database connections in the pool that serves tenants")
	Env(flags, "database-connections", "REQUISITE_DATABASE_CONNECTIONS")
	flags.Int32Var(&c.Apart, "database-connections-apart", 4, "additional database connections, only for authentication and health checks")
	Env(flags, "database-connections-apart", "REQUISITE_DATABASE_CONNECTIONS_APART")
	usual := postgres.DefaultConnections()
	for _, d := range connectionTimes(c, usual) {
		flags.DurationVar(d.target, d.flag, d.usual, fmt.Sprintf("%s; %s to %s", d.usage, d.least, d.most))
		Env(flags, d.flag, "REQUISITE_"+strings.ToUpper(strings.ReplaceAll(d.flag, "-", "_")))
	}
}

// connectionTime is a setting of how long something at the database may take.
type connectionTime struct {
	flag               string
	target             *time.Duration
	usual, least, most time.Duration
	usage              string
}

// connectionTimes have ranges within which the programs still work: a step of a
// calculation times out after 30s, and a statement must end before that.
func connectionTimes(c *postgres.Connections, usual postgres.Connections) []connectionTime {
	return []connectionTime{
		{"database-statement-timeout", &c.Statement, usual.Statement, time.Second, 25 * time.Second, "how long one statement may take before Postgres cancels it"},
		{"database-lock-timeout", &c.Lock, usual.Lock, 100 * time.Millisecond, 25 * time.Second, "how long a statement may wait for a lock; at most --database-statement-timeout"},
		{"database-idle-transaction-timeout", &c.IdleTransaction, usual.IdleTransaction, time.Second, time.Minute, "how long a transaction may do nothing before Postgres ends its connection"},
		{"database-connect-timeout", &c.Connect, usual.Connect, 100 * time.Millisecond, time.Minute, "how long opening one database connection may take"},
		{"database-connection-life", &c.Life, usual.Life, 10 * time.Second, 24 * time.Hour, "how long a database connection is used, plus up to a sixth, before another replaces it: after a failover behind one name all connections have moved by then"},
		{"database-connection-idle", &c.Idle, usual.Idle, time.Second, 24 * time.Hour, "how long an unused database connection is kept"},
	}
}

// mostConnections is more than any Postgres server serves well.
const mostConnections = 1000

// CheckConnections reports what is wrong with those settings.
func CheckConnections(c postgres.Connections) error {
	var problems []error
	if c.Max < 5 || c.Max > mostConnections {
		problems = append(problems, fmt.Errorf("--database-connections must be from 5 to %d, not %d", mostConnections, c.Max))
	}
	if c.Apart < 2 || c.Apart > mostConnections {
		problems = append(problems, fmt.Errorf("--database-connections-apart must be from 2 to %d, not %d", mostConnections, c.Apart))
	}
	for _, d := range connectionTimes(&c, postgres.Connections{}) {
		if *d.target < d.least || *d.target > d.most {
			problems = append(problems, fmt.Errorf("--%s must be from %s to %s, not %s", d.flag, d.least, d.most, *d.target))
		}
	}
	if c.Lock > c.Statement {
		problems = append(problems, fmt.Errorf("--database-lock-timeout %s is longer than --database-statement-timeout %s, which would end the wait first", c.Lock, c.Statement))
	}
	return errors.Join(problems...)
}

// BindAttempts adds the flag that bounds webhook attempts.
func BindAttempts(flags *pflag.FlagSet, all *int) {
	flags.IntVar(all, "max-attempts", 4000, "webhook attempts that this process has in flight at once; at most three quarters of them to endpoints whose last answer was not quick")
	Env(flags, "max-attempts", "REQUISITE_MAX_ATTEMPTS")
}

// CheckAttempts reports what is wrong with that setting.
func CheckAttempts(all int) error {
	if all < 40 || all > 20_000 {
		return fmt.Errorf("--max-attempts must be from 40 to 20000, not %d", all)
	}
	return nil
}

// BindQuotas adds the flags that bound what an account, a business or an
// organization may store.
func BindQuotas(flags *pflag.FlagSet, q *postgres.Quotas) {
	quota := func(target *int64, flag, env string, value int64, usage string) {
		flags.Int64Var(target, flag, value, usage+"; 0 means no limit")
		Env(flags, flag, env)
	}
	quota(&q.RuleVersionsADay, "max-rule-versions-a-day", "REQUISITE_MAX_RULE_VERSIONS_A_DAY", 100, "rule versions that one account may publish per day (UTC)")
	quota(&q.RuleBytes, "max-rule-bytes", "REQUISITE_MAX_RULE_BYTES", 64<<20, "total bytes of one account's kept rule versions")
	quota(&q.Waiting, "max-waiting-deliveries", "REQUISITE_MAX_WAITING_DELIVERIES", 10_000, "deliveries that may wait for one account before config.test, delivery.retry and delivery.recover are refused; events are always written")
	quota(&q.Businesses, "max-businesses", "REQUISITE_MAX_BUSINESSES", 1_000_000, "businesses that one account may have")
	quota(&q.Workflows, "max-workflows", "REQUISITE_MAX_WORKFLOWS", 1_000, "workflows that one business may have")
	quota(&q.Outcomes, "max-outcomes", "REQUISITE_MAX_OUTCOMES", 5_000_000, "outcomes of requests with an Idempotency-Key that are kept for one organization and environment")
}

// CheckQuotas reports quotas that are negative.
func CheckQuotas(q postgres.Quotas) error {
	var problems []error
	for _, quota := range []struct {
		flag  string
		value int64
	}{
		{"max-rule-versions-a-day", q.RuleVersionsADay}, {"max-rule-bytes", q.RuleBytes}, {"max-waiting-deliveries", q.Waiting},
		{"max-businesses", q.Businesses}, {"max-workflows", q.Workflows}, {"max-outcomes", q.Outcomes},
	} {
		if quota.value < 0 {
			problems = append(problems, fmt.Errorf("--%s must be 0 or more, not %d", quota.flag, quota.value))
		}
	}
	return errors.Join(problems...)
}
