package decisions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

func verifyCommand() *cobra.Command {
	var o cli.Operator
	var v verifier
	var account, workflow, received string
	var keep time.Duration
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "verify FILE | verify --account ID | verify --all",
		Short: "Check that no decision was changed, removed, inserted or moved",
		Long: `Check an export in a file, which needs no database, or the record of an account,
a workflow or all accounts in the database. Each decision's digest covers its
content and the digest before it. In the database, the rules and prices that
were used are compared with those that are stored.

It names each decision that was changed, removed, inserted or moved. A record
may begin late where the decisions before are older than what is kept: older
than --keep-decisions, or than the header of the file says.

With --received, it also looks for digests that the account received in answers
and events: lines DECISION_ID DIGEST, or JSON such as the contents of webhooks.
They prove the record up to the last one received. An export's own claim about
its times proves nothing: compare it with what you asked for.

It ends with 0 when all is right, and with 1 when there are problems.`,
		Args: cobra.MaximumNArgs(1),
	}
	o.BindDatabase(c.Flags())
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		given := len(args)
		for _, flag := range []string{account, workflow} {
			if flag != "" {
				given++
			}
		}
		if all {
			given++
		}
		if given != 1 {
			return errors.New("name one of these: the FILE of an export, --account, --workflow or --all")
		}
		if received != "" {
			text, err := os.ReadFile(received)
			if err != nil {
				return fmt.Errorf("--received: %w", err)
			}
			if v.received, err = decision.ReadReceived(text); err != nil {
				return fmt.Errorf("--received: %w", err)
			}
		}
		v.progress = c.ErrOrStderr()
		verify := func(ctx context.Context) error { return v.file(args[0]) }
		if len(args) == 0 {
			v.keptSince = time.Now().Add(-keep)
			store, err := o.Open(c.Context(), 0)
			if err != nil {
				return err
			}
			defer store.Close()
			v.store = store
			verify = func(ctx context.Context) error { return v.database(ctx, account, workflow, all) }
		}
		if err := verify(c.Context()); err != nil {
			return err
		}
		return v.tell(c.OutOrStdout(), asJSON)
	}
	c.Flags().StringVar(&account, "account", "", "the record of an account, lv_… or sb_…")
	c.Flags().StringVar(&workflow, "workflow", "", "the record of a workflow, w_…")
	c.Flags().BoolVar(&all, "all", false, "the records of all accounts, as of a restored backup")
	c.Flags().StringVar(&received, "received", "", "received digests; with --workflow, of it alone")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	keepFlag(c, &keep)
	return c
}

// verifier verifies one record.
type verifier struct {
	decision.Verified
	store     *store.Store
	scope     domain.Scope
	received  *decision.ReceivedDigests
	keptSince time.Time
	progress  io.Writer
	erasures  decision.Erasures
	versions  map[string]bool // checked already, by their kind, id and hash
}

func (v *verifier) file(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	v.Verified, err = decision.VerifyExport(file, v.received)
	return err
}

// database verifies the records of all accounts, of the named one, or of the named workflow.
func (v *verifier) database(ctx context.Context, account, workflow string, all bool) error {
	v.Problems, v.versions = []decision.Problem{}, map[string]bool{}
	var accounts []domain.Account
	var workflowID id.WorkflowID
	of := "all accounts"
	if all {
		var err error
		if accounts, err = v.store.Organizations.Accounts(ctx, nil); err != nil {
			return err
		}
	} else {
		accountID, scope, named, err := recordOwner(ctx, v.store, account, workflow)
		if err != nil {
			return err
		}
		of, workflowID = accountID.String(), named
		accounts = []domain.Account{{ID: accountID.UUID, OrganizationID: scope.OrganizationID, Environment: scope.Environment}}
	}
	step := (&progress.Narrator{Out: v.progress}).Start("Verifying the decisions of " + of)
	shownAt := time.Now()
	defer func() { step.Done(v.counts()) }()
	for _, a := range accounts {
		v.scope, v.erasures = domain.Scope{OrganizationID: a.OrganizationID, Environment: a.Environment}, decision.Erasures{}
		err := v.store.AllDecisions.EachRecord(ctx, a.WireID(), workflowID, id.BusinessID{}, func(b id.BusinessID) error {
			if time.Since(shownAt) >= progressEvery {
				shownAt = time.Now()
				step.Progress(v.counts())
			}
			return v.business(ctx, store.RecordPart{BusinessID: b, WorkflowID: workflowID})
		})
		if err != nil {
			return err
		}
		v.Problems = append(v.Problems, v.erasures.Problems()...)
	}
	v.received.End(&v.Verified, v.keptSince, time.Time{})
	return nil
}

func (v *verifier) business(ctx context.Context, part store.RecordPart) error {
	chain := v.chain()
	return v.store.AllDecisions.WholeRecord(ctx, v.scope, part, func(d decision.Decision) error {
		chain.Add(d)
		v.received.See(d)
		return errors.Join(
			v.version(ctx, d, "rules", d.RuleSet, decision.OfRules, v.store.Versions.RuleSetByID),
			v.version(ctx, d, "prices", d.PricingModel, decision.OfPrices, v.store.Versions.PricingModelByID))
	}, func(w id.WorkflowID, head decision.Head) error {
		chain.WorkflowID = w
		v.Problems = append(v.Problems, chain.End(&head)...)
		v.erasures.Add(chain)
		if chain.Count() > 0 {
			v.Workflows++
			v.Decisions += chain.Count()
		}
		chain = v.chain()
		return nil
	})
}

func (v *verifier) chain() *decision.Chain {
	return &decision.Chain{KeptSince: v.keptSince, Received: v.received.Digests()}
}

// hashedForm converts a publication to the form whose hash decisions store: decision.OfRules or decision.OfPrices.
type hashedForm = func(calculation.Publication) decision.PublishedVersion

// versionByID reads a version of rules or of prices.
type versionByID = func(context.Context, domain.Scope, id.UUID) (calculation.Publication, error)

// version compares the version that a decision used with the stored one. It reports each version
// once, with the first decision that names it.
func (v *verifier) version(
	ctx context.Context, d decision.Decision, kind string, used *decision.Version, hashed hashedForm, find versionByID,
) error {
	if used == nil {
		return nil
	}
	key := fmt.Sprintf("%s %s %x", kind, used.ID, used.SHA256)
	if v.versions[key] {
		return nil
	}
	v.versions[key] = true
	found, err := find(ctx, v.scope, used.ID.UUID)
	var wrong []string
	switch {
	case errors.Is(err, calculation.ErrNoVersion):
		wrong = []string{fmt.Sprintf("version %s of the %s was removed: it is not stored any more", used.ID, kind)}
	case err != nil:
		return err
	default:
		wrong = hashed(found).Changed(kind, used.SHA256)
	}
	for _, text := range wrong {
		v.Problems = append(v.Problems, decision.Problem{WorkflowID: d.WorkflowID, DecisionID: d.ID, Number: d.Number, Message: text})
	}
	return nil
}

func (v *verifier) counts() string {
	return fmt.Sprintf("%s of %s", cli.Counted(int(v.Decisions), "decision"), cli.Counted(int(v.Workflows), "workflow"))
}

// tell prints the problems, and the counts in the last line.
func (v *verifier) tell(out io.Writer, asJSON bool) error {
	if asJSON {
		if err := cli.PrintJSON(out, v.Verified); err != nil {
			return err
		}
	} else {
		for _, p := range v.Problems {
			fmt.Fprintln(out, p)
		}
		if c := v.Claim; c != nil {
			fmt.Fprintln(out, c)
		}
		text := fmt.Sprintf("%s: %s", cli.Counted(len(v.Problems), "problem"), v.counts())
		if v.received != nil {
			text += fmt.Sprintf(", %d of %s found", v.Received, cli.Counted(len(v.received.Digests()), "received digest"))
		}
		if v.ReceivedOlder > 0 {
			text += fmt.Sprintf(", %d too old to be in the record", v.ReceivedOlder)
		}
		if v.ReceivedNewer > 0 {
			text += fmt.Sprintf(", %d too new to be in the export", v.ReceivedNewer)
		}
		fmt.Fprintln(out, text)
	}
	if len(v.Problems) > 0 {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
