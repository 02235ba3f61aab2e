package command_test

import (
	"bufio"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/testkit/await"
	"requisite/starter/cli"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

// unaudited are the commands that change nothing in the database. "call" and what runs an operation of the API are audited
// by the operation; "migrate" once the log exists; the keysets of files are not in the database.
var unaudited = []string{
	"account list", "audit list", "call", "codec", "credential list", "decision export", "decision list", "decision replay", "decision show", "decision verify",
	"delivery cancel", "delivery flush", "delivery get", "delivery list", "delivery retry", "explain", "healthz", "keyset add", "keyset create", "keyset encrypt", "keyset list", "keyset promote",
	"listen", "migrate", "organization list", "pricing schema", "pricing validate", "recalculation cancel", "recalculation get", "recalculation start", "replay list", "rules approve", "rules backtest", "rules diff", "rules get",
	"rules list", "rules preview", "rules proposals", "rules propose", "rules publish", "rules reject", "rules schema", "rules test", "rules validate", "secret create", "status", "temporal", "trace", "up",
}

func TestAudit_HasEveryCommandThatChangesSomething(t *testing.T) {
	var reading []string
	var look func(*cobra.Command)
	look = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			look(sub)
		}
		if !c.HasSubCommands() && c.Parent().Name() != "completion" && c.Name() != "help" && !cli.IsChanging(c) {
			reading = append(reading, strings.TrimPrefix(c.CommandPath(), "starter "))
		}
	}
	look(command.New())
	require.ElementsMatch(t, unaudited, reading)
}

// TestAudit_SaysWhoDidWhat, with ids alone.
func TestAudit_SaysWhoDidWhat(t *testing.T) {
	b := startertest.Setup(t)
	organization := id.Format(id.Organization, b.Call.Scope.OrganizationID)
	made := b.MustRun("credential", "create", organization, "Quillfeather")
	b.MustRun("credential", "create", organization, "Nightjar", "--as", "Grace")
	b.Publish(startertest.RulesFile(t, "rules.yaml", "documents: []\n"), "--as", "Ada", "--comment", "Quillfeather asked")
	_, err := b.Try("call", "business.get", `{"business_id":"b_000000000000000000001"}`, "--as-operator", b.Account)
	require.Error(t, err)
	_, err = b.Try("call", "business.update", `{"business_id":"b_000000000000000000001","business":{"legal_name":"Quillfeather"}}`, "--as-operator", b.Account, "--as", "Ada")
	require.Error(t, err)
	list := b.MustRun("audit", "list")
	require.Regexp(t, `(?m)Ada +\S+ +call business\.update +REFUSED ENTITY_NOT_FOUND +.*b_000000000000000000001`, list)
	require.Regexp(t, `(?m)Ada +\S+ +rules publish +DONE +`+b.Account+` rul_`, list)
	require.Regexp(t, `(?m) of the machine +\S+ +credential create +DONE +`+organization, list)
	require.Regexp(t, `(?m)Grace +\S+ +credential create +DONE +`+organization, list, "commands that keep no name elsewhere ask for one too")
	require.NotContains(t, list, "business.get")
	require.NotContains(t, list, "Quillfeather")
	for line := range strings.Lines(made) {
		if name, secret, is := strings.Cut(line, ":"); is && strings.Contains(name, "ecret") {
			require.NotContains(t, list, strings.TrimSpace(secret))
		}
	}
	require.Contains(t, b.MustRun("audit", "list", "--about", "b_000000000000000000001"), "business.update")
	require.NotContains(t, b.MustRun("audit", "list", "--about", "b_000000000000000000001"), "publish")
}

// TestAudit_NamesTheOperatorOfTheEnvironment, for each command that has no --as.
func TestAudit_NamesTheOperatorOfTheEnvironment(t *testing.T) {
	b := startertest.Setup(t)
	payload := filepath.Join(t.TempDir(), "payload.json")
	b.MustRun("keyset", "create", payload)
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", payload)
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	t.Setenv("REQUISITE_OPERATOR", "Ada King")
	b.MustRun("organization", "create", "Second")
	b.MustRun("organization", "create", "Third", "--as", "Grace")
	require.Contains(t, b.Publish(startertest.RulesFile(t, "rules.yaml", "documents: []\n")), "by Ada King\n")
	_, err := b.Try("erase", b.Business, "--account", b.Account, "--yes")
	require.ErrorContains(t, err, "reach Temporal")
	list := b.MustRun("audit", "list")
	require.Regexp(t, `(?m)Ada King +\S+ +organization create +DONE`, list)
	require.Regexp(t, `(?m)Grace +\S+ +organization create +DONE`, list)
	require.Regexp(t, `(?m)Ada King +\S+ +rules publish +DONE`, list)
	require.Regexp(t, `(?m)Ada King +\S+ +erase --yes=true +FAILED +`+b.Business, b.MustRun("audit", "list", "--about", b.Business), "the receipt of the erasure")

	flags := startertest.FakeAPI(t, func(string, map[string]any) string { return startertest.Success(`{}`) })
	b.MustRun(append([]string{"call", "account.get", `{"account_id":"sb_1"}`}, flags...)...)

	t.Setenv("REQUISITE_OPERATOR", "SYSTEM")
	_, err = b.Try("organization", "create", "Fourth")
	require.ErrorContains(t, err, "REQUISITE_OPERATOR sets it too")
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM operator_action`))
}

// TestAudit_RefusesWhatIsNoName before it writes anything.
func TestAudit_RefusesWhatIsNoName(t *testing.T) {
	b := startertest.Setup(t)
	for as, why := range map[string]string{
		"": "--as must be a name", "SYSTEM": "--as must be a name", "two\nlines": "--as must be a name", strings.Repeat("x", cli.MaxOperatorName+1): "--as must be a name",
		"Ada\u200d": `--as: the name has the character U+200D after "Ada"`,
	} {
		_, err := b.Try("pricing", "publish", startertest.RulesFile(t, "pricing.yaml", "base: 0\nrules: []\n"), "--account", b.Account, "--as", as)
		require.ErrorContains(t, err, why)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM operator_action`))
}

// TestAudit_SaysThatApprovalWasTurnedOff, which is the way past the second person.
func TestAudit_SaysThatApprovalWasTurnedOff(t *testing.T) {
	b := startertest.Setup(t)
	b.MustRun("account", "update", b.Account, "--rules-need-approval", "--as", "Ada")
	b.MustRun("account", "update", b.Account, "--rules-need-approval=false", "--as", "Bob")
	list := b.MustRun("audit", "list")
	require.Regexp(t, `(?m)Ada +\S+ +account update --rules-need-approval=true +DONE +`+b.Account, list)
	require.Regexp(t, `(?m)Bob +\S+ +account update --rules-need-approval=false +DONE +`+b.Account, list)
}

// TestAudit_NamesWhatAnInterruptedCommandHasStarted, which goes on.
func TestAudit_NamesWhatAnInterruptedCommandHasStarted(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "rules.yaml", "documents: []\n"))
	ctx, interrupt := context.WithCancel(t.Context())
	root := command.New()
	root.SetOut(io.Discard)
	printed, terminal := io.Pipe()
	root.SetErr(terminal)
	root.SetArgs([]string{"recalculation", "start", "--account", b.Account})
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	named := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(printed); lines.Scan(); {
			if strings.Contains(lines.Text(), "rec_") {
				close(named)
				break
			}
		}
		_, _ = io.Copy(io.Discard, printed)
	}()
	await.Closed(t, "the command to know what it has started", named)
	interrupt()
	require.ErrorIs(t, await.Next(t, "the end of the command", ended), context.Canceled)
	require.Regexp(t, `(?m)recalculation start +FAILED +`+b.Account+` rec_`, b.MustRun("audit", "list"))
}

// TestAudit_SaysHowACommandEndedThatItCannotWriteDown: what it did is done.
func TestAudit_SaysHowACommandEndedThatItCannotWriteDown(t *testing.T) {
	b := startertest.Setup(t)
	b.Exec(`ALTER TABLE operator_action ADD CHECK (outcome IS NULL) NOT VALID`)
	_, err := b.Try("organization", "create", "Second")
	require.ErrorContains(t, err, "the command has ended as DONE, but the audit log does not say so: ")
	require.Contains(t, b.MustRun("organization", "list"), "Second")
	require.Regexp(t, `(?m)organization create +-`, b.MustRun("audit", "list"))
}
