package decisions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/internal/testkit/needs"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

// verified is what each check of an account's record prints: of the database, and of an export with
// our command and with the program in Python.
func (b *bundle) verified() (found map[string]string, export string) {
	b.Helper()
	python := needs.Program(b.T, "python3", "install Python 3")
	export = b.MustRun("decision", "export", "--account", b.Account)
	file := startertest.RulesFile(b.T, "export.jsonl", export)
	database, err := b.Try("decision", "verify", "--account", b.Account)
	exported, exportErr := b.Try("decision", "verify", file)
	theirs, theirErr := exec.CommandContext(b.Context(), python, "../../examples/decisions/verify.py", file).CombinedOutput()
	found = map[string]string{"database": database, "export": exported, "Python": string(theirs)}
	require.Equal(b, []bool{err == nil, err == nil}, []bool{exportErr == nil, theirErr == nil}, "%v", found)
	return found, export
}

// approve has one person propose and another approve rules.
func (b *bundle) approve(d calculation.Draft, by, comment string, second domain.Actor) (calculation.Proposal, store.Published) {
	b.Helper()
	var proposed store.Proposed
	var made store.Published
	as := func(actor domain.Actor, change func(*store.Records) error) {
		call := b.Call
		call.Actor = actor
		_, err := b.Store.Write(b.Context(), call, func(r *store.Records) (any, error) { return struct{}{}, change(r) })
		require.NoError(b, err)
	}
	as(domain.APIKey(by), func(r *store.Records) (err error) {
		proposed, err = r.Rules.Propose(b.Context(), id.Must[id.AccountID](b.Account), d)
		return err
	})
	as(second, func(r *store.Records) (err error) {
		made, err = r.Rules.Approve(b.Context(), proposed.WireID(), &comment)
		return err
	})
	read, err := b.Store.Records(b.Call.Scope).Rules.Proposal(b.Context(), proposed.WireID())
	require.NoError(b, err)
	require.Equal(b, proposed.Content, read.Content)
	return read, made
}

// draftOf reads a file of rules as the commands do.
func draftOf(t *testing.T, name, text string) calculation.Draft {
	t.Helper()
	var out bytes.Buffer
	found, err := ruleset.ReadRuleSet(&out, startertest.RulesFile(t, name, text))
	require.NoError(t, err, "%s\n%s", out.String(), text)
	return calculation.NewDraft(found.Set.CanonicalJSON())
}

// TestVersions_ThatWereForgedInTheDatabaseAreNamed, whichever field the owner of the database
// changes, by the check of the database and by both of an export.
func TestVersions_ThatWereForgedInTheDatabaseAreNamed(t *testing.T) {
	b := setup(t)
	d := draftOf(t, "rules.yaml", oldRules)
	why := "asked for"
	d.Comment, d.KeepApprovals = &why, []string{"OLD"}
	_, made := b.approve(d, "Ann", "well done", domain.APIKey("Bob"))
	decided := b.DecideByRules(b.Workflow)
	for _, shown := range []string{b.MustRun("decision", "show", decided.DecisionID.String()), regexp.MustCompile(`</?dd>`).ReplaceAllString((&examined{bundle: b}).page(decided), "")} {
		require.Regexp(t, ` ?Proposed \S+Z by Ann \(API_KEY\): asked for ?Approved \S+Z by Bob \(API_KEY\): well done`, strings.Join(strings.Fields(shown), " "), "each comment with who said it")
	}
	b.MustRun("pricing", "publish", startertest.RulesFile(t, "pricing.yaml", pricingModel), "--account", b.Account)
	b.DecideScore(b.Workflow)
	found, export := b.verified()
	require.Contains(t, found["database"], "0 problems: 2 decisions")
	require.Contains(t, export, made.WireID().String())
	prices := regexp.MustCompile(`"pricing_version_id":"(rul_\w+)`).FindStringSubmatch(export)[1]

	rules := made.WireID().String()
	changed := "version " + rules + " of the rules was changed: its fields have the SHA-256 "
	type forged struct{ table, change, finding string }
	cases := []forged{
		{"rule_set", `id = gen_random_uuid()`, "version " + rules + " of the rules was removed"},
		{"rule_set", `version = 7`, changed},
		{"rule_set", `content = replace(content, 'Passport', 'Passpart')`, changed},
		{"rule_set", `content = content || ' '`, changed},
		{"rule_set", `effective_from = published_at::date - 1`, changed},
		{"rule_set", `applies_to = 'NEW'`, changed},
		{"rule_set", `keep_approvals = '{}'`, changed},
		{"rule_set", `keep_approvals = '{*}'`, changed},
		{"rule_set", `proposed_by = 'Carl'`, changed},
		{"rule_set", `proposed_by = 'Carl'`, "published_by is not proposed_by"},
		{"rule_set", `proposed_by_type = 'SYSTEM'`, changed},
		{"rule_set", `approved_by_type = 'SYSTEM'`, changed},
		{"rule_set", `proposed_at = proposed_at - interval '1 microsecond'`, changed},
		{"rule_set", `proposal_comment = 'asked for.'`, changed},
		{"rule_set", `approved_by = 'Carl'`, changed},
		{"rule_set", `approved_at = approved_at + interval '1 microsecond'`, changed},
		{"rule_set", `approved_at = approved_at + interval '1 microsecond'`, "approved_at is not published_at"},
		{"rule_set", `published_by = 'Carl'`, changed},
		{"rule_set", `published_by = 'Carl'`, "published_by is not proposed_by"},
		{"rule_set", `published_at = published_at + interval '1 microsecond'`, changed},
		{"rule_set", `published_at = published_at + interval '1 millisecond'`, "which is not published_at"},
		{"rule_set", `comment = NULL`, changed},
		{"rule_set", `comment = 'Well done'`, changed},
		{"rule_set", `proposed_by = NULL, proposed_by_type = NULL, proposed_at = NULL, proposal_comment = NULL, approved_by = NULL, approved_by_type = NULL, approved_at = NULL`, changed},
		{"pricing_model", `content = replace(content, '500', '501')`, "version " + prices + " of the prices was changed: its content has the SHA-256 "},
		{"pricing_model", `id = gen_random_uuid()`, "version " + prices + " of the prices was removed"},
	}
	for _, table := range []string{"rule_set", "pricing_model"} {
		b.Exec(`ALTER TABLE ` + table + ` DISABLE TRIGGER USER`)
	}
	fields := map[string]bool{}
	for _, c := range cases {
		b.Exec(`CREATE TABLE true_version AS SELECT * FROM ` + c.table)
		b.Exec(`UPDATE ` + c.table + ` SET ` + c.change)
		found, _ := b.verified()
		var columns []string
		for _, m := range regexp.MustCompile(`(\w+) = `).FindAllStringSubmatch(c.change, -1) {
			columns, fields[m[1]] = append(columns, m[1]+" = v."+m[1]), true
		}
		for check, text := range found {
			require.Contains(t, text, c.finding, "%s, %s", c.change, check)
		}
		b.Exec(`UPDATE ` + c.table + ` SET ` + strings.Join(columns, ", ") + ` FROM true_version v`)
		b.Exec(`DROP TABLE true_version`)
	}
	found, again := b.verified()
	require.Contains(t, found["database"], "0 problems: 2 decisions")
	require.Equal(t, lines(export)[1:], lines(again)[1:])
	fields["version_id"] = fields["id"]
	for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(lines(export)[1], -1) {
		require.True(t, m[1] == "form" || fields[m[1]], m[1])
	}
}

// oddText has what writers of files and of JSON treat in different ways.
var oddText = rapid.Custom(func(t *rapid.T) string {
	runes := []rune("aZ 0éßÅÅ日🚲“”&<>\"'\\/:#{}[],%-\u00a0\u0301\u2028\u202e\ufeff")
	return "x" + string(rapid.SliceOfN(rapid.SampledFrom(runes), 0, 12).Draw(t, "text")) + "x"
})

// proposedRules are a file of rules, and what is said of it.
type proposedRules struct {
	name, text    string
	force         calculation.Validity
	by, second    string
	comment, said string
}

var someProposal = rapid.Custom(func(t *rapid.T) (p proposedRules) {
	indent := func(name string) string { return strings.Repeat(" ", rapid.IntRange(0, 3).Draw(t, name)) }
	quoted := func(text string) string {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(rapid.Bool().Draw(t, "escape"))
		_ = e.Encode(text)
		return strings.TrimSpace(out.String())
	}
	asJSON := rapid.Bool().Draw(t, "JSON")
	var documents, codes []string
	for i := range rapid.IntRange(1, 4).Draw(t, "documents") {
		code := fmt.Sprintf("D%d", i)
		codes = append(codes, code)
		when := "business_age_years" + indent("before") + ">=" + indent("after") + fmt.Sprint(rapid.IntRange(0, 99).Draw(t, "years"))
		fields := map[string]string{
			"document_type_code": quoted(code), "entity_type": `"Business"`, "name": quoted(oddText.Draw(t, "name")), "category": quoted(oddText.Draw(t, "category")),
			"requirement_text": quoted(oddText.Draw(t, "requirement")), "when": quoted(when),
		}
		if !asJSON && rapid.Bool().Draw(t, "block") {
			fields["when"] = "|\n      " + when + "  // why é\n      || 1" + indent("lines") + "> 2\n"
		}
		var parts []string
		for _, field := range rapid.Permutation(slices.Sorted(maps.Keys(fields))).Draw(t, "order") {
			if asJSON {
				parts = append(parts, quoted(field)+indent("colon")+":"+fields[field])
			} else {
				parts = append(parts, field+": "+indent("value")+strings.TrimRight(fields[field], "\n"))
			}
		}
		if asJSON {
			documents = append(documents, "{"+indent("brace")+strings.Join(parts, ",\n"+indent("comma"))+"}")
		} else {
			documents = append(documents, "  - "+strings.Join(parts, "\n    "))
		}
	}
	p.name, p.text = "rules.yaml", "# é\n\ndocuments:\n"+strings.Join(documents, "\n\n")+"\n"
	if asJSON {
		p.name, p.text = "rules.json", indent("file")+`{"documents" :[`+strings.Join(documents, ",")+"]}\n\n"
	}
	p.force.AppliesTo = rapid.SampledFrom([]calculation.AppliesTo{calculation.AppliesToAll, calculation.AppliesToNew}).Draw(t, "applies to")
	p.force.KeepApprovals = rapid.SliceOf(rapid.SampledFrom(append(codes, "*"))).Draw(t, "keep approvals")
	p.by, p.second = oddText.Draw(t, "by"), "second "+oddText.Draw(t, "second")
	p.comment, p.said = oddText.Draw(t, "comment"), oddText.Draw(t, "said")
	return p
})

// TestApprovedRules_ComeIntoForceByteForByte: what was proposed, what the other person approved, what
// calculations load and what an export carries are the same bytes, and all verifiers agree.
func TestApprovedRules_ComeIntoForceByteForByte(t *testing.T) {
	now := time.Now().Add(-2 * time.Hour).Truncate(time.Hour)
	b := &bundle{startertest.SetupAt(t, func() time.Time {
		now = now.Add(time.Millisecond + 789*time.Nanosecond)
		return now
	})}
	proposals := map[id.RuleSetVersionID]calculation.Proposal{}
	for i := range 10 * needs.Depth {
		p := someProposal.Example(i)
		d := draftOf(t, p.name, p.text)
		d.Comment, d.Validity = &p.comment, p.force
		if today := now.UTC().Format(time.DateOnly); i%3 == 0 {
			d.EffectiveFrom = &today
		}
		proposal, made := b.approve(d, p.by, p.said, domain.APIKey(p.second))
		require.Equal(t, string(d.Content), proposal.Content, p.text)
		require.Equal(t, proposal.Content, made.Content)
		loaded, err := b.Store.Versions.RuleSetByID(t.Context(), b.Call.Scope, made.ID)
		require.NoError(t, err)
		require.Equal(t, proposal.Content, loaded.Content)
		require.Equal(t, decision.OfRules(made.Publication), decision.OfRules(loaded), "before and after the database")
		proposals[made.WireID()] = proposal
		b.DecideByRules(b.OpenWorkflow())
	}
	found, export := b.verified()
	require.Contains(t, found["Python"], "0 problem(s)")
	exported := 0
	for line := range strings.Lines(export) {
		read, err := decision.ReadExportLine([]byte(line))
		require.NoError(t, err)
		if read.Version == nil {
			continue
		}
		exported++
		v, p := read.Version, proposals[read.Version.ID]
		require.Equal(t, p.Content, v.Content)
		require.Equal(t, []string{p.ProposedBy, p.Comment, *p.DecidedBy, *p.DecisionComment, p.ProposedBy, string(p.AppliesTo)},
			[]string{v.ProposedBy, v.ProposalComment, v.ApprovedBy, v.PublishComment, v.PublishedBy, v.AppliesTo})
		require.Equal(t, []string{decision.Time(p.ProposedAt), decision.Time(*p.DecidedAt), decision.Time(*p.DecidedAt)}, []string{v.ProposedAt, v.ApprovedAt, v.PublishedAt})
		kept, err := json.Marshal(append([]string{}, p.KeepApprovals...))
		require.NoError(t, err)
		require.Equal(t, string(kept), v.KeepApprovals)
	}
	require.Len(t, proposals, exported)
}

// TestDecisionExport_WritesAVersionAnewWithItsBusiness that was not whole at an interruption.
func TestDecisionExport_WritesAVersionAnewWithItsBusiness(t *testing.T) {
	b := setup(t)
	b.publishRules(oldRules)
	b.DecideByRules(b.Workflow)
	b.publishRules(newRules)
	b.Write(func(r *store.Records) error {
		business, err := r.Applicants.CreateBusiness(t.Context(), id.Must[id.AccountID](b.Account), domain.Business{LegalName: "Other Ltd"})
		b.Business = business.WireID().String()
		return err
	})
	other := b.OpenWorkflow()
	b.DecideByRules(other)
	whole := lines(b.MustRun("decision", "export", "--account", b.Account))
	require.Len(t, whole, 8)
	require.Contains(t, whole[4], `{"version":`)
	b.Exec(`DELETE FROM decision WHERE workflow_id = $1`, id.Must[id.WorkflowID](other).UUID)
	anew := lines(b.MustRun("decision", "export", "--account", b.Account))
	for _, kept := range []int{5, 6} {
		file := startertest.RulesFile(t, "export.jsonl", strings.Join(whole[:kept], ""))
		b.MustRun("decision", "export", "--account", b.Account, "--out", file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, anew[1:], lines(string(text))[1:], "%d lines", kept)
	}
}
