package ruleset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
)

var errNoComment = errors.New("--comment is not set: say why, for the other person and for later")

func rulesProposeCommand() *cobra.Command {
	var flags draftFlags
	return flags.command(&cobra.Command{
		Use:   "propose FILE --account ID --comment WHY",
		Short: "Propose a rule set, which another person approves",
		Long: `Propose a rule set for an account. It comes into force exactly as it is when
another person approves it. A version that is published before that makes the
proposal outdated.

` + byWhom + `
What an operator has proposed, only a credential with the permission
approve_rules approves.`,
	}, "account.documentRules.proposal.create", true, func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, a requisite.Answer) error {
		var made struct {
			ID id.ProposalID `json:"proposal_id"`
		}
		if err := json.Unmarshal(a.Data, &made); err != nil {
			return err
		}
		p, err := st.Records(scope).Rules.Proposal(ctx, made.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s awaits another person\n  %s\n", p.WireID(), changesText(p))
		printWarnings(out, a.Meta.Warnings)
		return nil
	})
}

func rulesApproveCommand() *cobra.Command {
	return decideCommand("approve", "Put in force what another person has proposed", `
The credential needs the permission approve_rules. An operator can approve only
what a credential has proposed.`)
}

func rulesRejectCommand() *cobra.Command {
	return decideCommand("reject", "Reject proposed rules, or withdraw your own", `
The credential needs the permission approve_rules, or rules for its own.`)
}

// decideCommand is a command that decides about a proposal.
func decideCommand(verb, short, who string) *cobra.Command {
	var caller cli.Caller
	var comment, account string
	c := &cobra.Command{
		Use: verb + " PROPOSAL_ID --comment WHY", Short: short, Args: cobra.ExactArgs(1),
		Long: short + ".\n\n" + byWhom + who,
	}
	caller.Bind(c)
	c.Flags().StringVar(&comment, "comment", "", "why; the record keeps it")
	c.Flags().StringVar(&account, "account", "", "use the running stack's credential for this `ACCOUNT_ID`")
	c.MarkFlagsMutuallyExclusive("account", "as-operator")
	c.RunE = func(c *cobra.Command, args []string) error {
		if comment == "" {
			return errNoComment
		}
		body, err := json.Marshal(map[string]string{"proposal_id": args[0], "comment": comment})
		if err != nil {
			return err
		}
		say := func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, a requisite.Answer) error {
			if verb == "reject" {
				_, err := fmt.Fprintln(out, "rejected", args[0])
				return err
			}
			_, err := printPublished(ctx, out, st, scope, a)
			return err
		}
		return caller.Call(c, account, "account.documentRules.proposal."+verb, body, say)
	}
	return c
}

func proposalScope(ctx context.Context, st *store.Store, text string) (proposal id.ProposalID, scope domain.Scope, err error) {
	if err := proposal.Parse(text); err != nil {
		return proposal, scope, err
	}
	scope, err = st.Scopes.Proposal(ctx, proposal)
	return proposal, scope, err
}

func rulesProposalsCommand() *cobra.Command {
	var account, state string
	var l cli.List
	c := l.Flag(new(cli.Operator).Command(&cobra.Command{
		Use:   "proposals PROPOSAL_ID | proposals --account ACCOUNT_ID",
		Short: "List the proposals of an account, or show one as YAML",
		Long: `List the proposals of an account, or show one with what an approver
needs to read. It prints a rule file, which "starter rules diff", "preview" and
"backtest" take.`,
		Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		if len(args) == 1 {
			return showProposal(ctx, out, st, args[0])
		}
		if state != "" && !slices.Contains(calculation.ProposalStates(), calculation.ProposalState(state)) {
			return fmt.Errorf("--state is one of %v", calculation.ProposalStates())
		}
		records, accountID, err := accountRecords(ctx, st, account)
		if err != nil {
			return err
		}
		found, _, err := records.Rules.Proposals(ctx, accountID, calculation.ProposalState(state), domain.Page{Limit: cli.MostListed})
		if err != nil {
			return err
		}
		var rows [][]any
		for _, p := range found {
			from := "-"
			if p.EffectiveFrom != nil {
				from = *p.EffectiveFrom
			}
			decided := "-"
			if p.DecidedBy != nil {
				decided = p.Decider().String()
			}
			rows = append(rows, []any{p.WireID(), p.State, p.ProposedAt.UTC().Format(time.RFC3339), p.Proposer(), from, decided, p.Comment})
		}
		return l.Print(out, "ID\tSTATE\tPROPOSED\tBY\tEFFECTIVE FROM\tDECIDED BY\tCOMMENT", rows...)
	}))
	accountFlag(c, &account)
	c.Flags().StringVar(&state, "state", "", "only those that are OPEN, APPROVED, REJECTED or OUTDATED")
	return c
}

func showProposal(ctx context.Context, out io.Writer, st *store.Store, text string) error {
	proposal, scope, err := proposalScope(ctx, st, text)
	if err != nil {
		return err
	}
	p, err := st.Records(scope).Rules.Proposal(ctx, proposal)
	if err != nil {
		return err
	}
	set, problems := requirement.ParseStoredRuleSet([]byte(p.Content))
	if len(problems) > 0 {
		return fmt.Errorf("%s cannot be read: %s: %s", p.WireID(), problems[0].Path, problems[0].Message)
	}
	fmt.Fprintf(out, "# %s (%s), proposed %s by %s: %s\n",
		p.WireID(), p.State, p.ProposedAt.UTC().Format(time.RFC3339), visible.Line(p.Proposer().String()), visible.Line(p.Comment))
	if p.DecidedBy != nil {
		fmt.Fprintf(out, "# %s %s by %s", strings.ToLower(string(p.State)), cli.Moment(p.DecidedAt), visible.Line(p.Decider().String()))
		if p.DecisionComment != nil {
			fmt.Fprintf(out, ": %s", visible.Line(*p.DecisionComment))
		}
		fmt.Fprintln(out)
	}
	terms := "# once it is approved, it " + forceText(p.Validity)
	if p.State != calculation.ProposalOpen {
		terms = "# as proposed, it " + forceText(p.Validity)
	}
	if len(p.KeepApprovals) > 0 {
		terms += "; approvals hold of " + strings.Join(p.KeepApprovals, ", ")
	}
	_, err = fmt.Fprintf(out, "%s\n# %s\n%s", terms, changesText(p), set.YAML())
	return err
}

// changesText names the documents and findings that a proposal changes.
func changesText(p calculation.Proposal) string {
	base := "no version"
	if p.BaseVersion != nil {
		base = fmt.Sprintf("version %d", *p.BaseVersion)
	}
	var parts []string
	for _, part := range []struct {
		verb  string
		codes []string
	}{{"adds", p.Changes.Added}, {"removes", p.Changes.Removed}, {"changes", p.Changes.Changed}} {
		if len(part.codes) > 0 {
			parts = append(parts, part.verb+" "+strings.Join(part.codes, ", "))
		}
	}
	if parts == nil {
		return "changes no document and no finding of " + base + "; `starter rules diff` shows what else may differ"
	}
	return "compared with " + base + ", it " + strings.Join(parts, "; it ")
}
