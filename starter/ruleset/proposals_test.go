package ruleset_test

import (
	"encoding/json"
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
	"requisite/starter/startertest"
)

func TestRules_ProposeAndApprove(t *testing.T) {
	b := startertest.Setup(t)
	before, after := startertest.RulesFile(t, "old.yaml", oldRules), startertest.RulesFile(t, "new.yaml", newRules)
	b.MustRun("rules", "publish", before, "--account", b.Account)
	b.MustRun("account", "update", b.Account, "--rules-need-approval")
	_, err := b.Try("rules", "publish", after, "--account", b.Account, "--as", "Ada")
	require.ErrorContains(t, err, "need approval")
	require.Contains(t, cli.ErrorText(err), "starter rules propose")
	_, err = b.Try("rules", "propose", after, "--account", b.Account, "--as", "Ada")
	require.ErrorContains(t, err, "--comment is not set")
	propose := []string{"rules", "propose", after, "--account", b.Account, "--comment", "the board \x1b[2J", "--new-applications", "--keep-approvals", "PASSPORT"}
	out := b.MustRun(append(propose, "--as", "Ada")...)
	require.Contains(t, out, " awaits another person\n  compared with version 1, it adds NEW; it removes GONE; it changes OLD, PASSPORT\n")
	_, err = b.Try("rules", "approve", regexp.MustCompile(`prp_\w+`).FindString(out), "--as", "Bob", "--comment", "c")
	require.Equal(t, refusal.SecondPersonRequired, pgtest.Refused(t, err).SubCode, "two operators may be one person")
	b.MustRun("rules", "reject", regexp.MustCompile(`prp_\w+`).FindString(out), "--as", "Ada", "--comment", "once more")
	_, err = b.Try(append(propose, "--stack", "none.json")...)
	require.ErrorContains(t, err, "no stack is running here")
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
			made, err = r.ProposeRules(t.Context(), id.Must[id.AccountID](b.Account), d)
			return nil, err
		})
		require.NoError(t, err)
		return startertest.Success(`{"proposal_id":"` + made.WireID().String() + `"}`)
	})
	proposal := regexp.MustCompile(`prp_\w+`).FindString(b.MustRun(append(propose, credential...)...))
	_, err = b.Try("account", "update", b.Account, "--rules-need-approval=false")
	require.ErrorContains(t, err, "open proposals (1)")

	out = b.MustRun("rules", "proposals", proposal)
	require.Regexp(t, `^# `+proposal+` \(OPEN\), proposed \S+Z by Ada \(API_KEY\): the board \\u001b\[2J\n# once it is approved, it is in force for new applications; approvals hold of PASSPORT\n# compared with version 1`, out)
	shown, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(out)))
	require.Empty(t, problems)
	written, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(newRules)))
	require.Empty(t, problems)
	require.Equal(t, written, shown)
	require.Regexp(t, proposal+` +OPEN +\S+Z +Ada \(API_KEY\) +- +- +the board`, b.MustRun("rules", "proposals", "--account", b.Account))

	require.Regexp(t, `^`+proposal+` applies to applications that are opened from then on`, b.MustRun("rules", "preview", proposal, "--account", b.Account))

	for _, args := range [][]string{{"approve", proposal, "--as", "Ada", "--comment", "c"}, {"approve", proposal, "--comment", "c", "--stack", "none.json"}, {"approve", proposal, "--as", "Bob"}, {"reject", proposal, "--as", "Bob"}} {
		_, err = b.Try(append([]string{"rules"}, args...)...)
		require.Error(t, err, "%v", args)
	}
	_, err = b.Try("call", "account.documentRules.proposal.approve", `{"proposal_id":"`+proposal+`"}`, "--as-operator", b.Account)
	require.ErrorContains(t, err, "--as is not set")
	out = b.MustRun("rules", "approve", proposal, "--as", "Bob", "--comment", "as decided")
	require.Regexp(t, `^version 2 \(rul_\w+\) is in force for new applications\n  proposed \S+Z by Ada \(API_KEY\): the board \S+; approved \S+Z by Bob \(SYSTEM\): as decided\n$`, out)
	list := b.MustRun("rules", "list", "--account", b.Account)
	require.Regexp(t, `(?m)^2 +rul_\w+ +IN_FORCE +\S+Z +NEW +Ada \(API_KEY\) +the board \S+ +Bob \(SYSTEM\) +as decided`, list)
	require.Regexp(t, `(?m)^1 +rul_\w+ +IN_FORCE +\S+Z +ALL +\S+ +- +- +- *$`, list)
	require.Regexp(t, `# approved \S+Z by Bob \(SYSTEM\): as decided\n`, b.MustRun("rules", "proposals", proposal))

	out = b.MustRun("rules", "propose", before, "--account", b.Account, "--as", "Ada", "--comment", "back")
	b.MustRun("rules", "reject", regexp.MustCompile(`prp_\w+`).FindString(out), "--as", "Ada", "--comment", "no")
	require.NotContains(t, b.MustRun("rules", "proposals", "--account", b.Account, "--state", "OPEN"), "prp_")
	_, err = b.Try("rules", "proposals", "--account", b.Account, "--state", "open")
	require.ErrorContains(t, err, "--state is one of")
}
