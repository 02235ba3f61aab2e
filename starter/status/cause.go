package status

import (
	"fmt"
	"slices"
	"strings"
)

// anyProgram is how the names of the lines of programs begin.
const anyProgram = "program "

// dependencies lists which lines a line depends on. A line that is WRONG is explained by one of them that is WRONG. An
// entry that ends with a space stands for all lines that begin with it. A line comes after all that explain it. Without
// a list, the finding has it.
var dependencies = []struct {
	line string
	on   []string
}{
	{connections, nil},
	{postgres, []string{connections}},
	{temporal, nil},
	{anyProgram, nil},
	{"versions", []string{temporal, anyProgram}},
	{"task queue ", []string{temporal, anyProgram, "versions"}},
	{"schedule ", []string{temporal, anyProgram, "versions"}},
	{"runs", []string{temporal}},
	{"payload keyset", []string{temporal}},
	{"schema", []string{postgres}},
	{"role of the api", []string{postgres, "schema"}},
	{"role of the worker", []string{postgres, "schema"}},
	{"collations", []string{postgres}},
	{"transactions", []string{postgres}},
	{"clock", []string{postgres}},
	{"disk", []string{postgres}},
	{"archive", []string{postgres}},
	{"backup", []string{postgres}},
	{"keyset of secrets", []string{postgres, connections}},
	{"success of ", []string{postgres, temporal, anyProgram, "versions", "task queue ", "schedule "}},
	{"backlog", []string{postgres, temporal, anyProgram, "versions", "task queue "}},
	{"longest waiting", []string{postgres, temporal, anyProgram, "versions", "task queue ", "backlog"}},
	{"endpoints", []string{postgres}},
}

// covers reports whether an entry of dependencies stands for a line.
func covers(entry, line string) bool {
	return entry == line || strings.HasSuffix(entry, " ") && strings.HasPrefix(line, entry)
}

// explain makes each line UNKNOWN that another line which is WRONG explains, and lets it name that line: a cause is WRONG once.
func explain(found []Finding) []Finding {
	all := slices.Clone(found)
	for _, d := range dependencies {
		for k, f := range all {
			if f.State != Wrong || !covers(d.line, f.Check) {
				continue
			}
			groups := f.follows
			if len(d.on) > 0 {
				groups = [][]string{d.on}
			}
			if causes := causesIn(all, groups); len(causes) > 0 {
				all[k] = unknown(f.Check, see(causes...), "%s", f.Found)
				all[k].causes = causes
			}
		}
	}
	return all
}

// causesIn returns the lines that explain all groups together; none if a group is not explained.
func causesIn(all []Finding, groups [][]string) (lines []string) {
	for _, entries := range groups {
		found := firstOf(all, entries)
		if len(found) == 0 {
			return nil
		}
		lines = append(lines, found...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// firstOf returns the lines that are WRONG of the first entry that stands for one, or the causes of such lines.
func firstOf(all []Finding, entries []string) (lines []string) {
	for _, entry := range entries {
		for _, f := range all {
			switch {
			case !covers(entry, f.Check):
			case f.State == Wrong:
				lines = append(lines, f.Check)
			default:
				lines = append(lines, f.causes...)
			}
		}
		if len(lines) > 0 {
			return lines
		}
	}
	return nil
}

// see refers to other lines.
func see(lines ...string) string {
	var quoted []string
	for _, name := range lines {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	if len(quoted) == 1 {
		return "see the line " + quoted[0]
	}
	return "see the lines " + strings.Join(quoted, " and ")
}
