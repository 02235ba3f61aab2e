package changes

import (
	"fmt"
	"maps"
	"slices"

	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Codes returns the documents and findings that differ between two contents. The first
// content may be empty.
func Codes(before, after string) (calculation.ChangedCodes, error) {
	sets := [2]requirement.RuleSet{}
	for i, content := range []string{before, after} {
		if content == "" {
			continue
		}
		set, problems := requirement.ParseStoredRuleSet([]byte(content))
		if len(problems) > 0 {
			return calculation.ChangedCodes{}, fmt.Errorf("read a stored rule set: %s: %s", problems[0].Path, problems[0].Message)
		}
		sets[i] = set
	}
	codes := func(set requirement.RuleSet) map[string]bool {
		found := map[string]bool{}
		for _, r := range set.Rules() {
			found[r.Code()] = true
		}
		return found
	}
	was, is := codes(sets[0]), codes(sets[1])
	added, removed, changed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	note := func(code string) {
		switch {
		case !was[code]:
			added[code] = true
		case !is[code]:
			removed[code] = true
		default: // also if the code now has another rule, too
			changed[code] = true
		}
	}
	diff := Compare(sets[0], sets[1])
	for _, d := range slices.Concat(diff.Added, diff.Removed) {
		note(d.Code())
	}
	for _, d := range diff.Changed {
		note(d.Code())
	}
	for _, d := range diff.Reading(sets[1]) {
		note(d.Code())
	}
	sorted := func(codes map[string]bool) []string { return append([]string{}, slices.Sorted(maps.Keys(codes))...) }
	return calculation.ChangedCodes{Added: sorted(added), Removed: sorted(removed), Changed: sorted(changed)}, nil
}
