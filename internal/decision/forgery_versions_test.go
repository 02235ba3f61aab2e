package decision_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/text/names"
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
		"proposed_by_type": func(v *decision.PublishedVersion) { v.ProposedByType = "API_KEY" },
		"proposed_at":      func(v *decision.PublishedVersion) { v.ProposedAt = decision.Time(began) },
		"proposal_comment": func(v *decision.PublishedVersion) { v.ProposalComment += " twice" },
		"approved_by":      func(v *decision.PublishedVersion) { v.ApprovedBy = "Carla" },
		"approved_by_type": func(v *decision.PublishedVersion) { v.ApprovedByType = "SYSTEM" },
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
	for finding, change := range map[string]func(v *decision.PublishedVersion){
		"its id was made at 2026-05-03T10:00:00.000000Z, which is not published_at": func(v *decision.PublishedVersion) {
			v.PublishedAt = decision.Time(began.Add(time.Millisecond))
		},
		"published_by is not proposed_by":                       func(v *decision.PublishedVersion) { v.PublishedBy = "Carla" },
		"approved_at is not published_at":                       func(v *decision.PublishedVersion) { v.ApprovedAt = v.ProposedAt },
		"it has only a part of a proposal and its approval":     func(v *decision.PublishedVersion) { v.ProposalComment = "" },
		"neither who proposed nor who approved is a credential": func(v *decision.PublishedVersion) { v.ApprovedByType = "SYSTEM" },
	} {
		field(finding, named+" was changed: "+finding, func(v, _ *decision.PublishedVersion) { change(v) })
	}
	// One name in two forms is one person for both.
	for _, name := range []string{"Anton", " ANTON ", "An\u200bton", "Ａnton", "\u202eAnton\ufe0f"} {
		field("approved_by: "+name, named+" was changed: approved_by is proposed_by", func(v, _ *decision.PublishedVersion) { v.ApprovedBy = name })
	}
	gone := named + " of the rules was removed or moved: it does not come before"
	field("version_id", gone, func(v, _ *decision.PublishedVersion) { v.ID = other.ID })
	field("content of prices", "version "+prices.ID.String()+" of the prices was changed: its content has the SHA-256 ", func(_, v *decision.PublishedVersion) {
		v.Content = strings.Replace(v.Content, "É", "E", 1)
	})
	for of, forged := range map[string]decision.PublishedVersion{"rules": pricesVersion(1), "prices": rulesVersion(1)} {
		r := fullRecord()
		for _, chain := range r.chains {
			for i := range chain {
				if chain[i].RuleSet != nil && of == "rules" {
					chain[i].RuleSet = naming(forged)
				}
				if chain[i].PricingModel != nil && of == "prices" {
					chain[i].PricingModel = naming(forged)
				}
			}
		}
		at := map[string]int{"rules": 1, "prices": 2}[of]
		l := r.lines(t)
		l[at] = lineOf(t, decision.ExportLine{Version: &forged})
		cases[of+" in the other form"] = checked{text: strings.Join(l, ""), finding: fmt.Sprintf("version %s of the %s was changed: it is of form %d", forged.ID, of, forged.Form)}
	}
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
	// The hash of prices covers no other field, so a verifier accepts none.
	forgedPrices := "version " + prices.ID.String() + " was changed: it is of form 1, which has no "
	for name, change := range map[string]func(v *decision.PublishedVersion){
		"effective_from":   func(v *decision.PublishedVersion) { v.EffectiveFrom = "2026-05-04" },
		"applies_to":       func(v *decision.PublishedVersion) { v.AppliesTo = "ALL" },
		"keep_approvals":   func(v *decision.PublishedVersion) { v.KeepApprovals = "[]" },
		"proposed_by":      func(v *decision.PublishedVersion) { v.ProposedBy = v.PublishedBy },
		"proposed_by_type": func(v *decision.PublishedVersion) { v.ProposedByType = "API_KEY" },
		"proposed_at":      func(v *decision.PublishedVersion) { v.ProposedAt = v.PublishedAt },
		"proposal_comment": func(v *decision.PublishedVersion) { v.ProposalComment = "asked for" },
		"approved_by": func(v *decision.PublishedVersion) {
			v.ProposedBy, v.ApprovedBy, v.ApprovedAt = v.PublishedBy, "Berta", v.PublishedAt
		},
		"approved_by_type": func(v *decision.PublishedVersion) { v.ApprovedByType = "API_KEY" },
		"approved_at":      func(v *decision.PublishedVersion) { v.ApprovedAt = v.PublishedAt },
		"comment":          func(v *decision.PublishedVersion) { v.PublishComment = "read by two" },
	} {
		field(name+" of prices", forgedPrices+name, func(_, v *decision.PublishedVersion) { change(v) })
	}
	for _, at := range []string{prices.PublishedAt + ", approved by Berta", strings.TrimSuffix(prices.PublishedAt, "Z"), prices.PublishedAt[:23] + "+0000Z", prices.PublishedAt[:23] + "²³¹Z"} {
		field("published_at of prices: "+at, "version "+prices.ID.String()+" was changed: its id was made at ", func(_, v *decision.PublishedVersion) { v.PublishedAt = at })
	}
	for _, number := range []string{"0", "-0", "-1", "1.0", "1e0", "99999999999999999999", `"1"`, "true"} {
		forge("prices with the version "+number, "version "+prices.ID.String()+" of the prices was removed or moved", func(l []string) []string {
			l[2] = strings.Replace(l[2], `"version":1`, `"version":`+number, 1)
			return l
		})
	}
	forge("a field of the object", gone, func(l []string) []string {
		l[1] = strings.Replace(l[1], `"form":2`, `"form":2,"more":"x"`, 1)
		return l
	})
	forge("removed", gone, func(l []string) []string { return slices.Delete(l, 1, 2) })
	forge("moved behind its first decision", gone, func(l []string) []string {
		return slices.Delete(slices.Insert(l, 5, l[1]), 1, 2) // before the next decision that names it
	})
	forge("moved before another line", named+" was inserted or moved: what follows it does not name it", func(l []string) []string {
		return slices.Delete(slices.Insert(l, 12, l[1]), 1, 2) // an erasure
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

// TestInvisible_IsTheSameForBothVerifiers: each code point that a name is compared without.
func TestInvisible_IsTheSameForBothVerifiers(t *testing.T) {
	program, err := os.ReadFile("../../examples/decisions/verify.py")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)INVISIBLE = .*?"""(.*?)"""`).FindSubmatch(program)
	theirs := map[rune]bool{}
	for _, of := range strings.Fields(string(list[1])) {
		from, to, is := strings.Cut(of, "-")
		if !is {
			to = from
		}
		first, err := strconv.ParseInt(from, 16, 32)
		require.NoError(t, err)
		last, err := strconv.ParseInt(to, 16, 32)
		require.NoError(t, err)
		for r := rune(first); r <= rune(last); r++ {
			theirs[r] = true
		}
	}
	for r := range rune(unicode.MaxRune + 1) {
		require.Equal(t, theirs[r], names.Ignorable(r), "%U", r)
	}
}
