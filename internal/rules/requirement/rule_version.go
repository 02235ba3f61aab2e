package requirement

import (
	"fmt"
	"slices"

	"requisite/internal/rules/fact"
)

// This file has the version of the language: the version and the limit of steps that apply.

// newestVersion is the newest version of the rules' language. Each fact, function and word of
// conditions says since which version it exists. New content is checked under the newest version,
// and stored with it: see Newest. ParseStoredRuleSet and Load read stored content under the version
// with which it was published. That version alone decides what stored rules can use. Their
// examples, lints and warnings are not checked again.
var newestVersion = func() int {
	newest := definitionsSince
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

// DefaultCostLimit limits the steps of one evaluation: of all rules, for every person. Publishing
// estimates the worst case, with MaxPersons persons and MaxIndustryCategoryCodes codes. An
// evaluation stops at the limit. Reasons use the steps that the decisions have left.
// BenchmarkTheCostliestRules measures how long the costliest rule sets take: about 100 ms.
const DefaultCostLimit uint64 = 3_000_000

// Options select the language under which a rule set or a pricing model compiles. The zero value
// means the options of Newest. Stored content is loaded with the options of its publication.
type Options struct {
	EnvironmentVersion int
	CostLimit          uint64
}

// Newest returns the options with which new rules are checked and published.
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
