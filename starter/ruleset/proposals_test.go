package ruleset_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/starter/cli"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

func TestRules_ProposeAndApprove(t *testing.T) {
	b := startertest.Setup(t)
	before, after := startertest.RulesFile(t, "old.yaml", oldRules), startertest.RulesFile(t, "new.yaml", newRules)
	b.Publish(before)
	b.MustRun("account", "update", b.Account, "--rules-need-approval")
	_, err := b.Try("rules", "publish", after, "--as-operator", b.Account, "--as", "Ada")
	require.ErrorContains(t, err, "need approval")
	require.Contains(t, cli.ErrorText(err), "starter rules propose")
	ada, bob := []string{"--as-operator", b.Account, "--as", "Ada"}, []string{"--as-operator", b.Account, "--as", "Bob"}
	_, err = b.Try(append([]string{"rules", "propose", after}, ada...)...)
	require.ErrorContains(t, err, "--comment is not set")
	propose := []string{"rules", "propose", after, "--comment", "the board \u202e", "--new-applications", "--keep-approvals", "PASSPORT"}
	out := b.MustRun(append(propose, ada...)...)
	require.Contains(t, out, " awaits another person\n  compared with version 1, it adds NEW; it removes GONE; it changes OLD, PASSPORT\n")
	_, err = b.Try("rules", "approve", regexp.MustCompile(`prp_\w+`).FindString(out), "--as-operator", b.Account, "--as", "Bob", "--comment", "c")
	require.Equal(t, refusal.SecondPersonRequired, pgtest.Refused(t, err).SubCode, "two operators may be one person")
	first := regexp.MustCompile(`prp_\w+`).FindString(out)
	require.Equal(t, "rejected "+first+"\n", b.MustRun(append([]string{"rules", "reject", first, "--comment", "once more"}, ada...)...))
	for why, more := range map[string][]string{
		"--account is not set":                                    nil,
		"no stack is running here":                                {"--account", b.Account, "--stack", "none.json"},
		"gives --as-operator ACCOUNT_ID and --as NAME":            {"--account", b.Account, "--stack", "none.json"},
		"--as belongs to --as-operator":                           {"--account", b.Account, "--as", "Ada"},
		"--as is not set":                                         {"--as-operator", b.Account},
		"[account as-operator] are set none of the others can be": {"--as-operator", b.Account, "--account", b.Account},
	} {
		_, err = b.Try(append(propose, more...)...)
		require.ErrorContains(t, err, why)
	}
	// The API proposes for the credential.
	credential := startertest.FakeAPI(t, func(operation string, body map[string]any) string {
		require.Equal(t, "account.documentRules.proposal.create", operation)
		content, err := json.Marshal(body["rules"])
		require.NoError(t, err)
		d, comment := calculation.NewDraft(content), body["comment"].(string)
		d.Comment, d.AppliesTo, d.KeepApprovals = &comment, calculation.AppliesTo(body["applies_to"].(string)), []string{"PASSPORT"}
		require.Equal(t, []any{"PASSPORT"}, body["keep_approvals"])
		var made store.Proposed
		_, err = b.Store.Write(t.Context(), domain.Call{Scope: b.Call.Scope, Actor: domain.APIKey("Ada")}, func(r *store.Records) (any, error) {
			made, err = r.Rules.Propose(t.Context(), id.Must[id.AccountID](b.Account), d)
			return nil, err
		})
		require.NoError(t, err)
		return startertest.Success(`{"proposal_id":"` + made.WireID().String() + `"}`)
	})
	proposal := regexp.MustCompile(`prp_\w+`).FindString(b.MustRun(append(append(propose, "--account", b.Account), credential...)...))
	_, err = b.Try("account", "update", b.Account, "--rules-need-approval=false")
	require.ErrorContains(t, err, "open proposals (1)")

	out = b.MustRun("rules", "proposals", proposal)
	require.Regexp(t, `^# `+proposal+` \(OPEN\), proposed \S+Z by Ada \(API_KEY\): the board \\u202e\n# once it is approved, it is in force for new applications; approvals hold of PASSPORT\n# compared with version 1`, out)
	shown, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(out)))
	require.Empty(t, problems)
	written, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(newRules)))
	require.Empty(t, problems)
	require.Equal(t, written, shown)
	require.Regexp(t, proposal+` +OPEN +\S+Z +Ada \(API_KEY\) +- +- +the board`, b.MustRun("rules", "proposals", "--account", b.Account))

	require.Regexp(t, `^`+proposal+` applies to applications that are opened from then on`, b.MustRun("rules", "preview", proposal, "--account", b.Account))

	for _, args := range [][]string{append(ada, "approve", proposal, "--comment", "c"), {"approve", proposal, "--comment", "c", "--stack", "none.json"}, append(bob, "approve", proposal), append(bob, "reject", proposal)} {
		_, err = b.Try(append([]string{"rules"}, args...)...)
		require.Error(t, err, "%v", args)
	}
	_, err = b.Try("call", "account.documentRules.proposal.approve", `{"proposal_id":"`+proposal+`"}`, "--as-operator", b.Account)
	require.ErrorContains(t, err, "--as is not set")
	out = b.MustRun(append([]string{"rules", "approve", proposal, "--comment", "as decided"}, bob...)...)
	require.Regexp(t, `^version 2 \(rul_\w+\) is in force for new applications\n  proposed \S+Z by Ada \(API_KEY\): the board \S+; approved \S+Z by Bob \(operator\): as decided\n$`, out)
	list := b.MustRun("rules", "list", "--account", b.Account)
	require.Regexp(t, `(?m)^2 +rul_\w+ +IN_FORCE +\S+Z +NEW +Ada \(API_KEY\) +the board \S+ +Bob \(operator\) +as decided`, list)
	require.Regexp(t, `(?m)^1 +rul_\w+ +IN_FORCE +\S+Z +ALL +\S+ +- +- +- *$`, list)
	require.Regexp(t, `# approved \S+Z by Bob \(operator\): as decided\n`, b.MustRun("rules", "proposals", proposal))

	require.NotContains(t, b.MustRun("rules", "proposals", "--account", b.Account, "--state", "OPEN"), "prp_")
	_, err = b.Try("rules", "proposals", "--account", b.Account, "--state", "open")
	require.ErrorContains(t, err, "--state is one of")
}

// TestRules_PublishWithACredential: standard output has the answer alone.
func TestRules_PublishWithACredential(t *testing.T) {
	answer := startertest.Success(`{"version_id":"rul_1"}`)
	flags := startertest.FakeAPI(t, func(operation string, body map[string]any) string {
		require.Equal(t, "account.documentRules.publish", operation)
		require.Equal(t, "sb_1", body["account_id"])
		require.Equal(t, "2999-01-01", body["effective_from"])
		require.NotContains(t, body, "comment")
		require.NotContains(t, body, "applies_to")
		require.Contains(t, body["rules"], "documents")
		return answer
	})
	file := startertest.RulesFile(t, "rules.yaml", oldRules)
	var out, progress bytes.Buffer
	for _, c := range []struct {
		from string
		code int
		out  string
		says string
	}{
		{"2999-01-01", 0, answer, file + ":1:1: hint: examples: there are none"},
		{"2999-1-1", cli.ExitFailed, "", ""},
	} {
		out.Reset()
		root := command.New()
		root.SetOut(&out)
		root.SetErr(&progress)
		root.SetArgs(append([]string{"rules", "publish", file, "--account", "sb_1", "--effective-from", c.from}, flags...))
		require.Equal(t, c.code, cli.ExitCode(io.Discard, root.ExecuteContext(t.Context())))
		if c.out != "" {
			require.JSONEq(t, c.out, out.String())
		}
		require.Contains(t, progress.String(), c.says)
	}
}
