package decisions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// replayOptions are the flags of `starter decision replay`.
type replayOptions struct {
	account, workflow, corpus string
	json                      bool
}

// ReplayCommand is `starter decision replay`.
func ReplayCommand() *cobra.Command {
	var o cli.Operator
	var f replayOptions
	c := &cobra.Command{
		Use:   "replay (--account ID | --workflow ID | --corpus DIR)",
		Short: "Evaluate recorded decisions again, which must find the same",
		Long: `Evaluate recorded calculations and pricings again, each with its facts, its date
and its version of the rules. It must find the same documents, points and score,
the same facts that decided, and the same missing facts. Texts are not compared.
It writes nothing.

It skips erased decisions, and those that no rules make. --corpus replays a
folder of recordings, without a database.

Exit code 1: a decision differs, or its rules are gone.`,
		Args: cobra.NoArgs,
	}
	o.BindDatabase(c.Flags())
	c.Flags().StringVar(&f.account, "account", "", "replay the decisions of this account, lv_… or sb_…")
	c.Flags().StringVar(&f.workflow, "workflow", "", "replay the decisions of this workflow, w_…")
	c.Flags().StringVar(&f.corpus, "corpus", "", "replay the recordings in this folder")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := f.check(); err != nil {
			return err
		}
		step := (&progress.Narrator{Out: c.ErrOrStderr()}).Start("Replay decisions")
		var found *replayReport
		var err error
		if f.corpus != "" {
			found, err = replayCorpus(c.Context(), f.corpus, step)
		} else {
			found, err = replayRecord(c.Context(), &o, f, step)
		}
		if err != nil {
			return err
		}
		step.Done(cli.Counted(found.Replayed, "decision") + " replayed")
		if f.json {
			err = cli.PrintJSON(c.OutOrStdout(), found)
		} else {
			found.print(c.OutOrStdout())
		}
		if err == nil && found.Differing > 0 {
			err = &cli.ExitError{Code: cli.ExitFailed}
		}
		return err
	}
	return c
}

func (f replayOptions) check() error {
	given := 0
	for _, of := range []string{f.account, f.workflow, f.corpus} {
		if of != "" {
			given++
		}
	}
	if given != 1 {
		return errors.New("name what to replay by one of --account, --workflow and --corpus; `starter account list` shows ids of accounts")
	}
	return nil
}

// shownDifferences limits how many differing decisions a report names.
const shownDifferences = 100

// replayReport is what `starter decision replay --json` prints.
type replayReport struct {
	// Decisions counts the decisions that were read. Each is in Replayed, Erased or WithoutRules.
	Decisions int `json:"decisions"`
	Replayed  int `json:"replayed"`
	Erased    int `json:"erased"`
	// WithoutRules counts changes of status, and erasures.
	WithoutRules int `json:"without_rules"`
	// Differing counts those of Replayed that differ. Differences has the first of them.
	Differing   int         `json:"differing"`
	Differences []differing `json:"differences"`
}

// differing is a decision whose replay has another result.
type differing struct {
	DecisionID string `json:"decision_id,omitempty"`
	WorkflowID string `json:"workflow_id,omitempty"`
	// File is a file of a corpus. Number is the number in the workflow or in the file, from 1.
	File        string              `json:"file,omitempty"`
	Number      int64               `json:"number"`
	Kind        decision.Kind       `json:"kind"`
	Differences []replay.Difference `json:"differences"`
}

func newReplayReport() *replayReport { return &replayReport{Differences: []differing{}} }

func (r *replayReport) add(d differing) {
	r.Replayed++
	if len(d.Differences) == 0 {
		return
	}
	r.Differing++
	if len(r.Differences) < shownDifferences {
		r.Differences = append(r.Differences, d)
	}
}

func (r *replayReport) print(out io.Writer) {
	fmt.Fprintf(out, "Of %s, %d were replayed: %d the same, %d different.\n",
		cli.Counted(r.Decisions, "decision"), r.Replayed, r.Replayed-r.Differing, r.Differing)
	for _, part := range []struct {
		count int
		text  string
	}{
		{r.Erased, "erased"}, {r.WithoutRules, "made without rules"},
	} {
		if part.count > 0 {
			fmt.Fprintf(out, "  skipped: %d, %s\n", part.count, part.text)
		}
	}
	for _, d := range r.Differences {
		name := fmt.Sprintf("%s, number %d of workflow %s", d.DecisionID, d.Number, d.WorkflowID)
		if d.File != "" {
			name = fmt.Sprintf("%s, decision %d", d.File, d.Number)
		}
		fmt.Fprintf(out, "\n%s (%s)\n", name, d.Kind)
		for _, difference := range d.Differences {
			fmt.Fprintf(out, "  %s\n    recorded: %s\n    now:      %s\n", difference.Of, difference.Recorded, difference.Now)
		}
	}
	if more := r.Differing - len(r.Differences); more > 0 {
		fmt.Fprintf(out, "\n… and %s more\n", cli.Counted(more, "decision"))
	}
}

func replayCorpus(ctx context.Context, dir string, step *progress.StepLine) (*replayReport, error) {
	files, err := replay.Recordings(dir)
	if err != nil {
		return nil, err
	}
	report := newReplayReport()
	for i, file := range files {
		recording, err := replay.ReadRecording(file)
		if err != nil {
			return nil, err
		}
		rules, err := recording.Rules(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for k, c := range recording.Decisions {
			found, err := replay.Replay(ctx, c, rules)
			if err != nil {
				return nil, fmt.Errorf("%s, decision %d: %w", file, k+1, err)
			}
			report.Decisions++
			report.add(differing{File: filepath.Base(file), Number: int64(k + 1), Kind: c.Kind, Differences: found})
		}
		step.Progress(fmt.Sprintf("%d of %s", i+1, cli.Counted(len(files), "file")))
	}
	return report, nil
}

// replayRecord replays the decisions of an account, or of one of its workflows.
func replayRecord(ctx context.Context, o *cli.Operator, f replayOptions, step *progress.StepLine) (*replayReport, error) {
	store, err := o.Open(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	accountID, scope, workflowID, err := recordOwner(ctx, store, f.account, f.workflow)
	if err != nil {
		return nil, err
	}
	workflows := 1
	if f.workflow == "" {
		if workflows, err = store.AllDecisions.CountDecidedSince(ctx, accountID, time.Time{}); err != nil {
			return nil, err
		}
	}
	report, from, begun := newReplayReport(), &versions{store: store, scope: scope, loaded: map[versionKey]replay.Rules{}}, 0
	var last id.WorkflowID
	err = replay.Each(ctx, decisionsOf(store, scope, accountID, workflowID), from.replay, func(r replayed) error {
		report.Decisions++
		if r.WorkflowID != last.String() {
			last = id.Must[id.WorkflowID](r.WorkflowID)
			begun++
		}
		switch {
		case r.withoutRules:
			report.WithoutRules++
		case r.erased:
			report.Erased++
		default:
			report.add(r.differing)
		}
		if report.Decisions%replayBatch == 0 {
			step.Progress(fmt.Sprintf("workflow %d of %d, %s", begun, max(workflows, begun), cli.Counted(report.Decisions, "decision")))
		}
		return nil
	})
	return report, err
}

// replayBatch is how many decisions are replayed at once.
const replayBatch = 200

// batches reads decisions and sends them in batches.
type batches = func(ctx context.Context, send func([]decision.Decision) error) error

// decisionsOf reads the decisions of an account, or of one workflow of it.
func decisionsOf(records *store.Store, scope domain.Scope, accountID id.AccountID, workflowID id.WorkflowID) batches {
	return func(ctx context.Context, send func([]decision.Decision) error) error {
		var batch []decision.Decision
		err := records.AllDecisions.EachRecord(ctx, accountID, workflowID, id.BusinessID{}, func(b id.BusinessID) error {
			return records.AllDecisions.WholeRecord(ctx, scope, store.RecordPart{BusinessID: b, WorkflowID: workflowID}, func(d decision.Decision) error {
				if batch = append(batch, d); len(batch) < replayBatch {
					return nil
				}
				full := batch
				batch = nil
				return send(full)
			}, func(id.WorkflowID, decision.Head) error { return nil })
		})
		if err != nil || len(batch) == 0 {
			return err
		}
		return send(batch)
	}
}

// replayed is the result of replaying one decision.
type replayed struct {
	differing
	erased, withoutRules bool
}

// versions loads the rules that decisions name, and caches them. It is safe for concurrent use.
type versions struct {
	store  *store.Store
	scope  domain.Scope
	mutex  sync.Mutex
	loaded map[versionKey]replay.Rules
	bytes  int64
}

type versionKey struct {
	kind decision.Kind
	id   id.RuleSetVersionID
}

// mostLoaded limits the memory of the cached rules, in bytes.
const mostLoaded = 256 << 20

func (v *versions) replay(ctx context.Context, d decision.Decision) (replayed, error) {
	r := replayed{differing: differing{DecisionID: d.ID.String(), WorkflowID: d.WorkflowID.String(), Number: d.Number, Kind: d.Kind}}
	used := d.RuleSet
	switch d.Kind {
	case decision.Calculation:
	case decision.Pricing:
		used = d.PricingModel
	default:
		r.withoutRules = true
		return r, nil
	}
	if r.erased = d.Erased(); r.erased {
		return r, nil
	}
	rules, err := v.load(ctx, d.Kind, used)
	switch {
	case errors.Is(err, calculation.ErrNoVersion):
		r.Differences = []replay.Difference{{Of: "rules", Recorded: "version " + used.ID.String(), Now: "not stored any more"}}
		return r, nil
	case errors.Is(err, replay.ErrNotLoaded):
		r.Differences = []replay.Difference{{Of: "rules", Recorded: "version " + used.ID.String(), Now: err.Error()}}
		return r, nil
	case err != nil:
		return r, err
	}
	c, err := replay.Read(d)
	if err != nil {
		return r, err
	}
	r.Differences, err = replay.Replay(ctx, c, rules)
	return r, err
}

func (v *versions) load(ctx context.Context, kind decision.Kind, used *decision.Version) (replay.Rules, error) {
	if used == nil {
		return replay.Rules{}, nil
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	key := versionKey{kind, used.ID}
	if rules, ok := v.loaded[key]; ok {
		return rules, nil
	}
	find, load := v.store.Versions.RuleSetByID, replay.LoadRuleSet
	if kind == decision.Pricing {
		find, load = v.store.Versions.PricingModelByID, replay.LoadPricing
	}
	p, err := find(ctx, v.scope, used.ID.UUID)
	if err != nil {
		return replay.Rules{}, err
	}
	rules, err := load(ctx, p)
	if err != nil {
		return replay.Rules{}, err
	}
	bytes := rules.MemoryBytes()
	if v.bytes += bytes; v.bytes > mostLoaded {
		clear(v.loaded)
		v.bytes = bytes
	}
	v.loaded[key] = rules
	return rules, nil
}
