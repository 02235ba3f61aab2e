package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
	"requisite/starter/admin"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

func TestCredential_CreateRevokeAndList(t *testing.T) {
	b := startertest.Setup(t)
	organization := id.Format(id.Organization, b.Call.Scope.OrganizationID)
	make := func(args ...string) (made admin.MadeCredential) {
		require.NoError(t, json.Unmarshal([]byte(b.MustRun(append([]string{"credential", "create", organization}, args...)...)), &made))
		return made
	}
	require.Equal(t, domain.AllPermissions(), make("approves too", "--permissions", "all").Permissions)
	all := make("all")
	require.Equal(t, domain.DefaultPermissions(), all.Permissions, "none that was not named approves rules")
	require.Nil(t, all.ExpiresAt)
	limited := make("limited", "--permissions", "webhooks, read", "--expires", "2999-01-31")
	require.Equal(t, domain.Permissions{domain.PermissionRead, domain.PermissionWebhooks}, limited.Permissions)
	require.Equal(t, "2999-01-31T00:00:00Z", cli.Moment(limited.ExpiresAt))
	before := time.Now().UTC().Truncate(time.Second)
	soon := make("soon", "--expires", "90d")
	require.False(t, soon.ExpiresAt.Before(before.AddDate(0, 0, 90)) || soon.ExpiresAt.After(time.Now().UTC().AddDate(0, 0, 90)), soon.ExpiresAt)

	b.Store.Credentials.NoteUse(domain.Credential{APIKey: all.APIKey}, func(err error) { require.NoError(t, err) })
	b.MustRun("credential", "revoke", limited.APIKey)
	list := func() string { return b.MustRun("credential", "list", organization) }
	await.True(t, "the use of the credential to be recorded", func(context.Context) error {
		if out := list(); !regexp.MustCompile(all.APIKey + ` .*Z +in force`).MatchString(out) {
			return errors.New(out)
		}
		return nil
	})
	require.Regexp(t, `API KEY +NAME +POLICY +PERMISSIONS +EXPIRES +LAST USED +STATE`, list())
	require.Regexp(t, all.APIKey+` +all +strict +read,write,rules,keys,webhooks +- +20\S+Z +in force`, list())
	require.Regexp(t, limited.APIKey+` +limited +strict +read,webhooks +2999-01-31T00:00:00Z +- +revoked 20`, list())
	require.Regexp(t, soon.APIKey+` +soon +strict +\S+ +20\S+Z +- +in force`, list())

	for problem, args := range map[string][]string{
		`there is no permission "wirte": did you mean write?; there are read,write,rules,approve_rules,keys,webhooks`: {"--permissions", "read,wirte"},
		"name at least one permission": {"--permissions", "read,"},
		"must expire in the future":    {"--expires", "2020-01-31"},
		`--expires must be days from now as 90d, a day as 2027-01-31 or a time as 2027-01-31T12:00:00Z, not "soon"`: {"--expires", "soon"},
	} {
		_, err := b.Try(append([]string{"credential", "create", organization, "x"}, args...)...)
		require.ErrorContains(t, err, problem)
	}
	for _, command := range []string{"credential", "account"} {
		_, err := b.Try(command, "create", id.Format(id.Organization, id.New()), "x")
		require.ErrorContains(t, err, "there is no organization org_")
	}
	expired := domain.Credential{ExpiresAt: new(time.Time)}
	require.Equal(t, "expired", admin.CredentialState(expired, time.Now()))
}

func TestAccountUpdate_RulesNeedApproval(t *testing.T) {
	b := startertest.Setup(t)
	_, err := b.Try("account", "update", b.Account)
	require.ErrorContains(t, err, "--rules-need-approval")
	require.Contains(t, b.MustRun("account", "update", b.Account, "--rules-need-approval"), "need approval")
	require.Regexp(t, b.Account+` .* yes `, b.MustRun("account", "list"))
	require.Contains(t, b.MustRun("account", "update", b.Account, "--rules-need-approval=false"), "need no approval")
	require.NotRegexp(t, b.Account+` .* yes `, b.MustRun("account", "list"))
}

func TestAccountUpdate_Recalculation(t *testing.T) {
	b := startertest.Setup(t)
	require.Regexp(t, b.Account+` .* MANUAL `, b.MustRun("account", "list"))
	_, err := b.Try("account", "update", b.Account, "--recalculation", "daily")
	require.ErrorContains(t, err, "MANUAL, ON_FORCE or DAILY")
	require.Contains(t, b.MustRun("account", "update", b.Account, "--recalculation", "DAILY", "--rules-need-approval"), "is DAILY")
	require.Regexp(t, b.Account+` .* yes +DAILY `, b.MustRun("account", "list"))
	b.MustRun("account", "update", b.Account, "--rules-need-approval=false")
	require.Regexp(t, b.Account+` .* DAILY `, b.MustRun("account", "list"), "what is not given stays")
}

func TestAccountList_NamesTheOrganizationOfEveryAccount(t *testing.T) {
	b := startertest.Setup(t)
	other := strings.TrimSpace(b.MustRun("organization", "create", "Other Ltd"))
	account := strings.TrimSpace(b.MustRun("account", "create", other, "second"))
	all := b.MustRun("account", "list")
	require.Contains(t, all, b.Account)
	require.Regexp(t, account+` .* `+other, all)
	require.NotContains(t, b.MustRun("account", "list", other), b.Account)
}
