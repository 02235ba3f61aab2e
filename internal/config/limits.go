package config

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"requisite/internal/store"
	"requisite/internal/store/db"
)

// PartOfMemory is a part of Go's memory limit (GOMEMLIMIT), within bounds. Without a
// limit it is the upper bound.
func PartOfMemory(divisor, least, most int64) int64 {
	return min(most, max(least, debug.SetMemoryLimit(-1)/divisor))
}

// RuleCache is how many bytes of compiled rule sets and pricing models a program caches,
// by estimate.
func RuleCache() int64 { return PartOfMemory(4, 16<<20, 128<<20) }

// BindShare adds the flag that limits what one organization may take.
func BindShare(flags *pflag.FlagSet, percent *int) {
	flags.IntVar(percent, "organization-share", 25, "percentage of each shared limit that one organization may use; 100 where there is only one")
	Env(flags, "organization-share", "REQUISITE_ORGANIZATION_SHARE")
}

// CheckShare is an error for a share out of range.
func CheckShare(percent int) error {
	if percent < 1 || percent > 100 {
		return fmt.Errorf("--organization-share must be a percentage from 1 to 100, not %d", percent)
	}
	return nil
}

// Each is how many slots of a limit one organization may use, at least one.
func Each(total, percent int) int { return max(1, total*percent/100) }

// reservedConnections are for authentication and health checks, in addition to the pool
// that serves tenants. Each use takes about a millisecond.
const reservedConnections = 4

// BindConnections adds the flags that bound connections to the database, in every
// program that serves.
func BindConnections(flags *pflag.FlagSet, c *db.Connections) {
	c.Apart = reservedConnections
	flags.Int32Var(&c.Max, "database-connections", 20,
		"database connections in the pool that serves tenants; 4 more are for authentication and health checks alone")
	Env(flags, "database-connections", "REQUISITE_DATABASE_CONNECTIONS")
	flags.DurationVar(&c.Statement, "database-timeout", db.DefaultTimeout,
		"how long one statement may take before Postgres cancels it, and how long a transaction may do nothing; a wait for a lock may take a third of it; 3s to 25s")
	Env(flags, "database-timeout", "REQUISITE_DATABASE_TIMEOUT")
}

// A statement must end within its step of a calculation, which has 30 seconds.
const shortestTimeout, longestTimeout = 3 * time.Second, 25 * time.Second

// mostConnections is more than any Postgres server serves well.
const mostConnections = 1000

// CheckConnections is an error for connections or timeouts out of range.
func CheckConnections(c db.Connections) error {
	var problems []error
	if c.Max < 5 || c.Max > mostConnections {
		problems = append(problems, fmt.Errorf("--database-connections must be from 5 to %d, not %d", mostConnections, c.Max))
	}
	if c.Statement < shortestTimeout || c.Statement > longestTimeout {
		problems = append(problems, fmt.Errorf("--database-timeout must be from %s to %s, not %s", shortestTimeout, longestTimeout, c.Statement))
	}
	return errors.Join(problems...)
}

// BindAttempts adds the flag that bounds webhook attempts.
func BindAttempts(flags *pflag.FlagSet, all *int) {
	flags.IntVar(all, "max-attempts", 4000,
		"webhook attempts that this process has in flight at once; at most three quarters of them to endpoints whose last answer was not quick")
	Env(flags, "max-attempts", "REQUISITE_MAX_ATTEMPTS")
}

// CheckAttempts is an error for a number out of range.
func CheckAttempts(all int) error {
	if all < 40 || all > 20_000 {
		return fmt.Errorf("--max-attempts must be from 40 to 20000, not %d", all)
	}
	return nil
}

// quotas lists how much an account, a business or an organization may store, by name.
func quotas(q *store.Quotas) []quota {
	return []quota{
		{"businesses", &q.Businesses, 1_000_000},                // of an account
		{"decision-bytes-a-day", &q.DecisionBytesADay, 1 << 30}, // of an organization, in each process
		{"outcomes", &q.Outcomes, 5_000_000},                    // of an organization and environment, for idempotency keys
		{"rule-bytes", &q.RuleBytes, 64 << 20},                  // of the rule versions that an account publishes in 30 days
		{"rule-versions-a-day", &q.RuleVersionsADay, 100},       // of an account, by the day in UTC
		{"waiting-deliveries", &q.Waiting, 10_000},              // of an account, before it may ask for more; events are always written
		{"workflows", &q.Workflows, 1_000},                      // of a business
	}
}

type quota struct {
	name  string
	value *int64
	usual int64
}

// Quotas is the value of a flag that sets quotas: NAME=N, several separated by commas.
type Quotas struct{ *store.Quotas }

// BindQuotas adds the flag for how much an account, a business or an organization may store.
func BindQuotas(flags *pflag.FlagSet, q *store.Quotas) {
	for _, each := range quotas(q) {
		*each.value = each.usual
	}
	flags.Var(Quotas{q}, "quota", "what may be stored, as NAME=N, several separated by commas; N of 0 means no limit; a quota that is not named keeps its default")
	Env(flags, "quota", "REQUISITE_QUOTA")
}

// String lists the quotas.
func (q Quotas) String() string {
	if q.Quotas == nil {
		return ""
	}
	var list []string
	for _, each := range quotas(q.Quotas) {
		list = append(list, fmt.Sprintf("%s=%d", each.name, *each.value))
	}
	return strings.Join(list, ",")
}

// Set changes the quotas that text names.
func (q Quotas) Set(text string) error {
	for entry := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(entry), "=")
		n, err := strconv.ParseInt(number, 10, 64)
		i := slices.IndexFunc(quotas(q.Quotas), func(each quota) bool { return each.name == name })
		if i < 0 || err != nil || n < 0 {
			return fmt.Errorf("%q is not NAME=N with N of 0 or more and a NAME of %s", entry, q.names())
		}
		*quotas(q.Quotas)[i].value = n
	}
	return nil
}

func (q Quotas) names() string {
	var list []string
	for _, each := range quotas(q.Quotas) {
		list = append(list, each.name)
	}
	return strings.Join(list, ", ")
}

// Type is the name of the value in help.
func (Quotas) Type() string { return "NAME=N" }
