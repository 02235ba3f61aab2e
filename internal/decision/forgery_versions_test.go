package decision_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
)

// TestVersions_ThatWereForgedAreNamed by both verifiers: a field of a line, or the whole line.
func TestVersions_ThatWereForgedAreNamed(t *testing.T) {
	r := fullRecord()
	lines := r.lines(t)
	rules, prices := published["rules"][0], published["prices"][0]
	other := rulesVersion(7)
	cases := map[string]checked{}
	forge := func(name, finding string, change func(l []string) []string) {
		cases[name] = checked{text: strings.Join(change(slices.Clone(lines)), ""), finding: finding}
	}
	field := func(name, finding string, change func(rules, prices *decision.PublishedVersion)) {
		rules, prices := rules, prices
		change(&rules, &prices)
		forge("another "+name, finding, func(l []string) []string {
			l[1], l[2] = lineOf(t, decision.ExportLine{Version: &rules}), lineOf(t, decision.ExportLine{Version: &prices})
			return l
		})
	}
	named := "version " + rules.ID.String()
	changed := named + " of the rules was changed: its fields have the SHA-256 [0-9a-f]{64}, and the decision names " + decision.Hex(rules.Hash())
	for name, change := range map[string]func(v *decision.PublishedVersion){
		"version":          func(v *decision.PublishedVersion) { v.Version++ },
		"content":          func(v *decision.PublishedVersion) { v.Content = strings.Replace(v.Content, "É", "E", 1) },
		"effective_from":   func(v *decision.PublishedVersion) { v.EffectiveFrom = "" },
		"applies_to":       func(v *decision.PublishedVersion) { v.AppliesTo = "NEW" },
		"keep_approvals":   func(v *decision.PublishedVersion) { v.KeepApprovals = `["*"]` },
		"proposed_by":      func(v *decision.PublishedVersion) { v.ProposedBy = "Carla" },
		"proposed_at":      func(v *decision.PublishedVersion) { v.ProposedAt = decision.Time(began) },
		"proposal_comment": func(v *decision.PublishedVersion) { v.ProposalComment += " twice" },
		"approved_by":      func(v *decision.PublishedVersion) { v.ApprovedBy = "Carla" },
		"approved_at":      func(v *decision.PublishedVersion) { v.ApprovedAt = v.ProposedAt },
		"published_by":     func(v *decision.PublishedVersion) { v.PublishedBy = "Carla" },
		"published_at":     func(v *decision.PublishedVersion) { v.PublishedAt = decision.Time(began.Add(time.Hour)) },
		"comment":          func(v *decision.PublishedVersion) { v.PublishComment = "" },
		"form":             func(v *decision.PublishedVersion) { v.Form = decision.ContentAlone },
		"comment, which takes the end of another field": func(v *decision.PublishedVersion) {
			v.PublishedAt, v.PublishComment = v.PublishedAt+"\ncomment=1:x", ""
		},
	} {
		want := changed
		if name == "form" {
			want = strings.Replace(want, "fields have", "content has", 1)
		}
		field(name, want, func(rules, _ *decision.PublishedVersion) { change(rules) })
	}
	for name, finding := range map[string]string{
		"published_at, named": `its id was made at 2026-05-03T10:00:00.000000Z, which is not published_at`,
		"published_by, named": `published_by is not proposed_by`,
		"approved_at, named":  `approved_at is not published_at`,
		"approved_by, named":  `approved_by is proposed_by`,
	} {
		field(name, named+" was changed: "+finding, func(v, _ *decision.PublishedVersion) {
			switch name[:len("approved_at")] {
			case "published_a":
				v.PublishedAt = decision.Time(began.Add(time.Millisecond))
			case "published_b":
				v.PublishedBy = "Carla"
			case "approved_at":
				v.ApprovedAt = ""
			default:
				v.ApprovedBy = v.ProposedBy
			}
		})
	}
	gone := named + " of the rules was removed or moved: it does not come before"
	field("version_id", gone, func(v, _ *decision.PublishedVersion) { v.ID = other.ID })
	field("content of prices", "version "+prices.ID.String()+" of the prices was changed: its content has the SHA-256 ", func(_, v *decision.PublishedVersion) {
		v.Content = strings.Replace(v.Content, "É", "E", 1)
	})
	for _, form := range []string{"3", "0", `"2"`} {
		forge("form "+form, gone, func(l []string) []string {
			l[1] = strings.Replace(l[1], `"form":2`, `"form":`+form, 1)
			return l
		})
	}
	forge("the lines of form 2 as content of form 1", gone, func(l []string) []string {
		var text strings.Builder
		for _, m := range regexp.MustCompile(`"(\w+)":("(?:[^"\\]|\\.)*"|\d+)`).FindAllStringSubmatch(l[1], -1) {
			value := m[2]
			if value[0] == '"' {
				require.NoError(t, json.Unmarshal([]byte(m[2]), &value))
			}
			if m[1] != "form" {
				fmt.Fprintf(&text, "%s=%d:%s\n", m[1], len(value), value)
			}
		}
		forged := decision.PublishedVersion{Form: decision.ContentAlone, ID: rules.ID, Version: 1, Content: text.String(), PublishedAt: rules.PublishedAt}
		require.Equal(t, rules.Hash(), forged.Hash(), "no verifier may read this")
		l[1] = lineOf(t, decision.ExportLine{Version: &forged})
		return l
	})
	forge("removed", gone, func(l []string) []string { return slices.Delete(l, 1, 2) })
	forge("moved behind its first decision", gone, func(l []string) []string {
		return slices.Delete(slices.Insert(l, 5, l[1]), 1, 2) // before the next decision that names it
	})
	forge("moved before another line", named+" was inserted or moved: what follows it does not name it", func(l []string) []string {
		return slices.Delete(slices.Insert(l, 4, l[1]), 1, 2)
	})
	forge("moved to the end", named+" was inserted or moved: what follows it does not name it", func(l []string) []string {
		return slices.Delete(slices.Insert(l, len(l)-1, l[1]), 1, 2)
	})
	forge("repeated", named+" was inserted: it comes twice", func(l []string) []string { return slices.Insert(l, 3, l[1]) })
	forge("repeated before a later decision", named+" was inserted: it comes twice", func(l []string) []string { return slices.Insert(l, 5, l[1]) })
	forge("one that nothing names", "version "+other.ID.String()+" was inserted or moved: what follows it does not name it", func(l []string) []string {
		return slices.Insert(l, 3, lineOf(t, decision.ExportLine{Version: &other}))
	})
	forge("nothing, in other escapes", "", func(l []string) []string {
		l[1] = strings.NewReplacer("“", `\u201c`, "/", `\/`, "ö", `\u00f6`).Replace(l[1])
		require.NotEqual(t, lines[1], l[1])
		return l
	})
	check(t, cases)
}
