package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/domain"
)

// TestProposals_FromProposalToVersion, each step by a credential that may do nothing else.
func TestProposals_FromProposalToVersion(t *testing.T) {
	t.Parallel()
	c := whole(t)
	may := func(name string, permissions ...domain.Permission) refusing {
		return refusing{c.with(domain.NewCredential{Name: name, Permissions: permissions})}
	}
	author, approver, reader := may("author", domain.PermissionRules), may("approver", domain.PermissionApproveRules), may("reader", domain.PermissionRead)
	c.exec(`UPDATE account SET rules_need_approval = true`)
	answer := author.ask("account.documentRules.proposal.create", "once", author.proposing(c.rules("true")))
	require.Empty(t, answer.Errors)
	require.Equal(t, answer.Data, author.ask("account.documentRules.proposal.create", "once", author.proposing(c.rules("true"))).Data)
	require.Len(t, answer.Data["warnings"], 1)
	proposal := c.naming("proposal_id", answer.Data["proposal_id"])
	open := reader.data("account.documentRules.proposal.get", proposal)
	require.Equal(t, map[string]any{"added": []any{"D"}, "removed": []any{}, "changed": []any{}}, open["changes"])
	require.Equal(t, []any{"OPEN", "author", "c", nil}, []any{open["state"], open["proposed_by"], open["comment"], open["base_version"]})
	made := approver.data("account.documentRules.proposal.approve", proposal)
	read := reader.data("account.documentRules.proposal.get", proposal)
	require.Equal(t, []any{"APPROVED", "approver", made["version_id"], made["version"]}, []any{read["state"], read["decided_by"], read["version_id"], read["version"]})
	version := reader.data("account.documentRules.get", c.named())
	require.Equal(t, []any{made["version_id"], "author", "approver", open["proposed_at"], "c", open["rules"]},
		[]any{version["version_id"], version["published_by"], version["approved_by"], version["proposed_at"], version["proposal_comment"], version["rules"]})
	for range 3 {
		author.data("account.documentRules.proposal.create", author.proposing(c.rules("true")))
	}
	list := func(state string) []string {
		return reader.pages("account.documentRules.proposal.list", fmt.Sprintf(`"account_id":%q,"filters":{"state":%q},`, c.account, state), "proposals", "proposal_id")
	}
	require.Len(t, list("OPEN"), 3)
	require.Len(t, list("APPROVED"), 1)
}

// TestPublish_TellsOfKeptApprovalsWithTheOtherProblems of the request itself, before what only the records show.
func TestPublish_TellsOfKeptApprovalsWithTheOtherProblems(t *testing.T) {
	t.Parallel()
	c := whole(t)
	const rules = `{"documents":[{"document_type_code":"D","name":"n","category":"c","requirement_text":"t","entity_type":"Business"}],
		"examples":[{"name":"e","facts":{},"expect":{"excludes":["D"]}}]}`
	unknown := "sb_" + strings.Repeat("7", 21)
	body := fmt.Sprintf(`{"account_id":%q,"rules":%s,"keep_approvals":["D","E"],"comment":"c"}`, unknown, rules)
	for _, operation := range []string{"account.documentRules.publish", "account.documentRules.proposal.create"} {
		require.Equal(t, []string{"rules.examples[0]", "keep_approvals[1]"}, c.fields(operation, body), operation)
	}
}

// TestProposals_WhoMayReject: the permission rules is enough to withdraw one's own.
func TestProposals_WhoMayReject(t *testing.T) {
	t.Parallel()
	c := whole(t)
	propose := func() string {
		return c.naming("proposal_id", c.data("account.documentRules.proposal.create", c.proposing(c.rules("true")))["proposal_id"], `,"comment":"no"`)
	}
	author := c.with(domain.NewCredential{Name: "c", Permissions: domain.Permissions{domain.PermissionRules}})
	other := c.with(domain.NewCredential{Name: "other", Permissions: domain.Permissions{domain.PermissionRead, domain.PermissionRules}})
	approver := c.with(domain.NewCredential{Name: "other", Permissions: domain.Permissions{domain.PermissionApproveRules}})
	const reject = "account.documentRules.proposal.reject"
	own, another := propose(), propose()
	author.answers(403, "FORBIDDEN", author.sign("account.documentRules.proposal.approve", own))
	other.answers(403, "FORBIDDEN", other.sign(reject, own))
	author.answers(200, "", author.sign(reject, own))
	approver.answers(200, "", approver.sign(reject, another))
}

// TestProposals_ACredentialThatMayNoMore: between the proposal and its approval.
func TestProposals_ACredentialThatMayNoMore(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	all := refusing{c}
	proposal := all.naming("proposal_id", c.data("account.documentRules.proposal.create", all.proposing(all.rules("true")))["proposal_id"])
	approver := c.with(domain.NewCredential{Name: "approver", Permissions: domain.AllPermissions()})
	c.exec(`UPDATE credential SET permissions = DEFAULT WHERE api_key = '` + approver.key + `'`)
	approver.answers(403, "FORBIDDEN", approver.sign("account.documentRules.proposal.approve", proposal))
	require.NoError(t, c.operator.Credentials.Revoke(t.Context(), approver.key))
	approver.answers(401, "AUTH_INVALID_API_KEY", approver.sign("account.documentRules.proposal.approve", proposal))
	require.Zero(t, c.count("rule_set"))
}
