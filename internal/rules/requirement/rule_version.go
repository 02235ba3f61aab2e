package requirement

import (
	"fmt"
	"slices"

	"requisite/internal/rules/fact"
)

// The version of the language: the version and the limit of steps that apply.

// newestVersion is the version of the rules' language: of the facts, functions and words
// that a condition may use, each of which says since when it exists. What is new is checked
// under the newest version, and kept with it: see
// Newest. What is stored is read by ParseStoredRuleSet and made ready by Load, under
// the version that it was published under: that alone decides what stored rules can
// refer to, and their examples, lints and warnings are not looked at again.
var newestVersion = func() int {
	newest := 1
	for _, row := range slices.Concat(fact.BuiltIn.Facts, fact.BuiltIn.Fields) {
		newest = max(newest, row.Since)
	}
	for _, names := range []map[string]int{functions, words} {
		for _, since := range names {
			newest = max(newest, since)
		}
	}
	return newest
}()

// DefaultCostLimit bounds the steps of one evaluation: of all rules, for every person.
// Publishing estimates the worst case, with MaxPersons persons and
// MaxIndustryCategoryCodes codes on file, and an evaluation stops at the limit. Reasons
// take of the same steps what the decisions have left. BenchmarkTheCostliestRules
// measures how long the costliest rule sets take: about 100 ms.
const DefaultCostLimit uint64 = 3_000_000

// Options fix the language under which a rule set or a pricing model compiles. The
// zero value stands for the options of Newest. Stored content is loaded with the options that it
// was published with.
type Options struct {
	EnvironmentVersion int
	CostLimit          uint64
}

// Newest are the options under which new rules are checked, and with which they are
// published.
func Newest() Options {
	return Options{EnvironmentVersion: newestVersion, CostLimit: DefaultCostLimit}
}

func (o Options) withDefaults() Options {
	newest := Newest()
	if o.EnvironmentVersion == 0 {
		o.EnvironmentVersion = newest.EnvironmentVersion
	}
	if o.CostLimit == 0 {
		o.CostLimit = newest.CostLimit
	}
	return o
}

func (o Options) validate() []Problem {
	if o.EnvironmentVersion < 1 || o.EnvironmentVersion > newestVersion {
		return []Problem{{Message: fmt.Sprintf(
			"the rules were published under version %d of the language, and this program knows versions 1 to %d: run a newer program",
			o.EnvironmentVersion, newestVersion)}}
	}
	return nil
}
