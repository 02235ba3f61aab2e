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
	var account, as string
	var flags draftFlags
	c := new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use:   "propose FILE --account ID --comment WHY [--as NAME]",
		Short: "Propose a rule set, which another person approves",
		Long: `Propose a rule set for an account. It comes into force exactly as it is when
another person approves it. A version that is published before that makes the
proposal outdated.

It is proposed with a credential, as "starter call" does, or with --as by an
operator. What an operator has proposed, only a credential with the permission
approve_rules approves.`,
		Args: cobra.ExactArgs(1),
	}), func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		actor, err := cli.PersonActor(as)
		if err != nil {
			return err
		}
		if flags.comment == "" {
			return errNoComment
		}
		draft, err := flags.draft(out, args[0])
		if err != nil {
			return err
		}
		accountID, scope, err := cli.AccountScope(ctx, st, account)
		if err != nil {
			return err
		}
		var made store.Proposed
		_, err = st.Write(ctx, domain.Call{Scope: scope, Actor: actor}, func(r *store.Records) (any, error) {
			made, err = r.ProposeRules(ctx, accountID, draft)
			return nil, err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s awaits another person\n  %s\n", made.WireID(), changesText(made.Proposal))
		for _, w := range made.Warnings() {
			fmt.Fprintln(out, "  warning: "+w.Message)
		}
		return nil
	})
	accountFlag(c, &account)
	cli.AsFlag(c.Flags(), &as)
	flags.bind(c.Flags())
	return withCredential(c, &account, "account.documentRules.proposal.create", func(out io.Writer, args []string) (any, error) {
		if flags.comment == "" {
			return nil, errNoComment
		}
		draft, err := flags.draft(out, args[0])
		return struct {
			AccountID     string          `json:"account_id"`
			Rules         json.RawMessage `json:"rules"`
			EffectiveFrom *string         `json:"effective_from,omitempty"`
			AppliesTo     string          `json:"applies_to"`
			KeepApprovals []string        `json:"keep_approvals,omitempty"`
			Comment       string          `json:"comment"`
		}{account, draft.Content, draft.EffectiveFrom, string(draft.AppliesTo), draft.KeepApprovals, flags.comment}, err
	})
}

// withCredential lets a command of operators call an operation with a credential instead, where no --as names an operator.
// account chooses among the credentials of the stack.
func withCredential(c *cobra.Command, account *string, operation string, body func(out io.Writer, args []string) (any, error)) *cobra.Command {
	var credential cli.CredentialFlags
	byOperator := c.RunE
	credential.Bind(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("as") {
			return byOperator(c, args)
		}
		request, err := body(c.OutOrStdout(), args)
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(request)
		if err != nil {
			return fmt.Errorf("encode a request: %w", err)
		}
		client, err := credential.Client(*account)
		if err != nil {
			return err
		}
		answer, err := client.Send(c.Context(), operation, encoded)
		if err != nil {
			return err
		}
		return cli.PrintAnswer(c.OutOrStdout(), answer.Body, len(answer.Errors) == 0)
	}
	return c
}

func rulesApproveCommand() *cobra.Command {
	return decideCommand("approve", "account.documentRules.proposal.approve", "Put in force what another person has proposed", func(ctx context.Context, out io.Writer, r *store.Records, proposal id.ProposalID, comment string) (func(), error) {
		made, err := r.ApproveRules(ctx, proposal, &comment)
		return func() { printPublished(out, made) }, err
	})
}

func rulesRejectCommand() *cobra.Command {
	return decideCommand("reject", "account.documentRules.proposal.reject", "Reject proposed rules, or withdraw your own", func(ctx context.Context, out io.Writer, r *store.Records, proposal id.ProposalID, comment string) (func(), error) {
		return func() { fmt.Fprintln(out, "rejected", proposal) }, r.RejectRules(ctx, proposal, comment, false)
	})
}

// decideCommand is a command that decides about a proposal. What decide returns is called after the
// commit.
func decideCommand(verb, operation, short string, decide func(context.Context, io.Writer, *store.Records, id.ProposalID, string) (func(), error)) *cobra.Command {
	var as, comment, account string
	c := new(cli.Operator).Command(cli.Changing(&cobra.Command{
		Use: verb + " PROPOSAL_ID --comment WHY [--as NAME]", Short: short, Args: cobra.ExactArgs(1),
		Long: short + `.

It is decided with a credential that has the permission approve_rules, or with
--as by an operator, who can approve only what a credential has proposed.`,
	}), func(ctx context.Context, out io.Writer, st *store.Store, args []string) error {
		actor, err := cli.PersonActor(as)
		if err != nil {
			return err
		}
		if comment == "" {
			return errNoComment
		}
		proposal, scope, err := proposalScope(ctx, st, args[0])
		if err != nil {
			return err
		}
		var done func()
		_, err = st.Write(ctx, domain.Call{Scope: scope, Actor: actor}, func(r *store.Records) (any, error) {
			done, err = decide(ctx, out, r, proposal, comment)
			return nil, err
		})
		if err != nil {
			return err
		}
		done()
		return nil
	})
	cli.AsFlag(c.Flags(), &as)
	c.Flags().StringVar(&comment, "comment", "", "why; the record keeps it")
	c.Flags().StringVar(&account, "account", "", "the account whose credential of the running stack decides")
	return withCredential(c, &account, operation, func(_ io.Writer, args []string) (any, error) {
		if comment == "" {
			return nil, errNoComment
		}
		return struct {
			ProposalID string `json:"proposal_id"`
			Comment    string `json:"comment"`
		}{args[0], comment}, nil
	})
}

func proposalScope(ctx context.Context, st *store.Store, text string) (proposal id.ProposalID, scope domain.Scope, err error) {
	if err := proposal.Parse(text); err != nil {
		return proposal, scope, err
	}
	scope, err = st.ProposalScope(ctx, proposal)
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
		found, _, err := records.Proposals(ctx, accountID, calculation.ProposalState(state), domain.Page{Limit: cli.MostListed})
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
	p, err := st.Records(scope).Proposal(ctx, proposal)
	if err != nil {
		return err
	}
	set, problems := requirement.ParseStoredRuleSet([]byte(p.Content))
	if len(problems) > 0 {
		return fmt.Errorf("%s cannot be read: %s: %s", p.WireID(), problems[0].Path, problems[0].Message)
	}
	fmt.Fprintf(out, "# %s (%s), proposed %s by %s: %s\n", p.WireID(), p.State, p.ProposedAt.UTC().Format(time.RFC3339), visible.Line(p.Proposer().String()), visible.Line(p.Comment))
	if p.DecidedBy != nil {
		fmt.Fprintf(out, "# %s %s by %s", strings.ToLower(string(p.State)), cli.Moment(p.DecidedAt), visible.Line(p.Decider().String()))
		if p.DecisionComment != nil {
			fmt.Fprintf(out, ": %s", visible.Line(*p.DecisionComment))
		}
		fmt.Fprintln(out)
	}
	terms := "# once it is approved, it " + forceText(p.Force)
	if p.State != calculation.ProposalOpen {
		terms = "# as proposed, it " + forceText(p.Force)
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
