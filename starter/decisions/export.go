package decisions

import (
	"bufio"
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
	"requisite/internal/text/visible"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

func exportCommand() *cobra.Command {
	var account, since, file string
	var keep time.Duration
	var c *cobra.Command
	c = new(cli.Operator).Command(&cobra.Command{
		Use:   "export --account ACCOUNT_ID",
		Short: "Write an account's decisions as JSON Lines",
		Long: `Write an account's decisions as JSON Lines, to keep or to verify elsewhere: a
header, then for each workflow its decisions and its end, and at last a summary.
A version of rules or prices comes before the first decision that names it.
A line has the exact texts that the decision's digest covers, as
docs/decision-export.md describes. It holds personal data.

--since is moved to the beginning of its month (UTC), because whole months are
pruned. The export ends five minutes before it began: the header names both
times. Decisions of the last minutes may not be committed yet.

With --out, the same command goes on after an interruption, behind the last
complete business in the file. "starter decision verify FILE" checks the result.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		accountID, scope, err := cli.AccountScope(ctx, store.Scopes, account)
		if err != nil {
			return err
		}
		from, err := parseSince(since)
		if err != nil {
			return err
		}
		now := time.Now().UTC()
		e := &exporter{
			versions: map[id.RuleSetVersionID]bool{},
			store:    store,
			scope:    scope,
			progress: c.ErrOrStderr(),
			since:    decision.Month(now.Add(-keep)),
			until:    now.Add(-settling).Truncate(time.Second),
		}
		if from != nil {
			month := decision.Month(*from)
			if !from.Equal(month) {
				fmt.Fprintf(e.progress, "--since is moved to %s (UTC), because whole months are pruned.\n", month.Format(time.DateOnly))
			}
			if month.After(e.since) { // older decisions may have been pruned
				e.since = month
			}
		}
		e.header = decision.ExportHeader{
			Export:        decision.ExportVersion,
			AccountID:     accountID,
			CompleteSince: decision.Moment(e.since),
			CompleteUntil: decision.Moment(e.until),
		}
		if file == "" {
			e.out = bufio.NewWriter(out)
			return e.run(ctx)
		}
		return e.toFile(ctx, file)
	})
	c.Flags().StringVar(&account, "account", "", "the account, lv_… or sb_…")
	c.Flags().StringVar(&since, "since", "", "only since the month of a date")
	c.Flags().StringVar(&file, "out", "", "write to this file, or go on with it")
	keepFlag(c, &keep)
	return c
}

func keepFlag(c *cobra.Command, keep *time.Duration) {
	c.Flags().DurationVar(keep, "keep-decisions", store.DefaultDecisionLife, "how long the worker keeps decisions")
	config.Env(c.Flags(), "keep-decisions", "REQUISITE_KEEP_DECISIONS")
}

// settling limits how long after its time a decision is committed. It is longer than a transaction
// and the difference between the clocks of two hosts together.
const settling = 5 * time.Minute

// exporter writes one export.
type exporter struct {
	store        *store.Store
	scope        domain.Scope
	header       decision.ExportHeader
	since, until time.Time // from the header
	out          *bufio.Writer
	progress     io.Writer
	versions     map[id.RuleSetVersionID]bool // already in the file
	// written is the complete part of the file, up to the last complete business.
	written struct {
		decision.ExportSummary
		header, complete bool
		after            id.BusinessID
	}
}

// toFile writes to a new file, or continues an interrupted export in a file.
func (e *exporter) toFile(ctx context.Context, path string) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	end, err := e.readWritten(file)
	if err != nil {
		return fmt.Errorf("--out: %s: %w; name another file, or delete this one", visible.Line(path), err)
	}
	if e.written.complete {
		fmt.Fprintf(e.progress, "Nothing was written: %s is complete already, until %s, with %s. For later decisions, name another file.\n",
			visible.Line(path), e.until.Format(time.RFC3339), e.counts())
		return nil
	}
	if err := file.Truncate(end); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if e.written.header {
		fmt.Fprintf(e.progress, "Going on with %s, which has %s\n", visible.Line(path), e.counts())
	}
	e.out = bufio.NewWriter(file)
	if err := e.run(ctx); err != nil {
		return fmt.Errorf("%w; the same command goes on with %s", err, visible.Line(path))
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// readWritten reads an existing file, and returns where its last complete business ends. The decisions
// of a business come from one snapshot, so an incomplete business is written again.
func (e *exporter) readWritten(file io.Reader) (end int64, err error) {
	lines := bufio.NewReader(file)
	w := &e.written
	var counted decision.ExportSummary
	// Versions belong to the decision that follows them. begun are the versions of the current business.
	// next are the versions since the last other line, and ahead is the position where they begin.
	var begun, next []id.RuleSetVersionID
	var current id.BusinessID
	var at, ahead int64
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // the rest is not a complete line
			return end, nil
		}
		if err != nil {
			return end, err
		}
		line, err := decision.ReadExportLine(text)
		if err == nil && (number == 1) != (line.Header != nil) {
			err = decision.ErrNoExport
		}
		if err != nil {
			return end, fmt.Errorf("line %d cannot be read: %w", number, err)
		}
		if business := line.BusinessID(); !business.IsZero() && business != current {
			for _, v := range begun {
				e.versions[v] = true
			}
			begun = nil
			w.after, w.ExportSummary, end = current, counted, ahead
			current = business
		}
		at += int64(len(text))
		if line.Version == nil {
			begun, next, ahead = append(begun, next...), nil, at
		}
		switch {
		case line.Header != nil:
			if line.Header.AccountID != e.header.AccountID || !time.Time(line.Header.CompleteSince).Equal(e.since) {
				return end, errors.New("it is an export of another account, or begins with another month")
			}
			e.header, e.until, w.header, end = *line.Header, time.Time(line.Header.CompleteUntil), true, at
		case line.Version != nil:
			next = append(next, line.Version.ID)
		case line.Decision != nil:
			counted.Decisions++
		case line.End != nil:
			counted.Workflows++
		case line.Summary != nil:
			w.ExportSummary, w.complete = counted, true
		}
	}
}

func (e *exporter) counts() string {
	return fmt.Sprintf("%s of %s", cli.Counted(int(e.written.Decisions), "decision"), cli.Counted(int(e.written.Workflows), "workflow"))
}

// progressEvery is how often progress is shown.
const progressEvery = 200 * time.Millisecond

// run writes the rest of the export. If it fails, the file still has only complete lines.
func (e *exporter) run(ctx context.Context) error {
	step := (&progress.Narrator{Out: e.progress}).Start(fmt.Sprintf("Exporting the decisions of %s until %s", e.header.AccountID, e.until.Format(time.RFC3339)))
	if !e.written.header {
		if err := e.write(decision.ExportLine{Header: &e.header}); err != nil {
			return err
		}
	}
	shownAt := time.Now()
	err := e.store.AllDecisions.EachRecord(ctx, e.header.AccountID, id.WorkflowID{}, e.written.after, func(b id.BusinessID) error {
		if time.Since(shownAt) >= progressEvery {
			shownAt = time.Now()
			step.Progress(e.counts())
		}
		return e.business(ctx, b)
	})
	if err == nil {
		err = e.write(decision.ExportLine{Summary: &e.written.ExportSummary})
	}
	if flushed := e.out.Flush(); flushed != nil {
		err = errors.Join(err, fmt.Errorf("write the export: %w", flushed))
	}
	if err != nil {
		step.Done("stopped after " + e.counts())
		return err
	}
	done := e.counts()
	if e.written.Decisions == 0 {
		done += fmt.Sprintf(": there is none since %s, and those of the last %.0f minutes are left out", e.since.Format(time.DateOnly), settling.Minutes())
	}
	step.Done(done)
	return nil
}

// business writes the record of one business.
func (e *exporter) business(ctx context.Context, b id.BusinessID) error {
	found := false
	return e.store.AllDecisions.WholeRecord(ctx, e.scope, store.RecordPart{BusinessID: b, Since: e.since, Until: e.until}, func(d decision.Decision) error {
		found = true
		e.written.Decisions++
		return errors.Join(
			e.version(ctx, d.RuleSet, decision.OfRules, e.store.Versions.RuleSetByID),
			e.version(ctx, d.PricingModel, decision.OfPrices, e.store.Versions.PricingModelByID),
			e.write(decision.ExportLine{Decision: &d}))
	}, func(w id.WorkflowID, head decision.Head) error {
		has := found
		found = false
		// Without a decision, either all are older than the export, or they were removed. In the second
		// case, write the line with the end, so that verification reports the removal.
		if !has && head.DecidedAt.Before(e.since) {
			return nil
		}
		e.written.Workflows++
		return e.write(decision.ExportLine{End: &decision.ExportEnd{
			WorkflowID: w,
			BusinessID: b,
			Number:     head.Number,
			Digest:     decision.Hex(head.Digest),
			Erased:     head.Erased,
		}})
	})
}

// version writes a version before the first decision that names it. It leaves out a version that is
// no longer stored: verification of the export reports it.
func (e *exporter) version(ctx context.Context, used *decision.Version, hashed hashedForm, find versionByID) error {
	if used == nil || e.versions[used.ID] {
		return nil
	}
	found, err := find(ctx, e.scope, used.ID.UUID)
	if errors.Is(err, calculation.ErrNoVersion) {
		return nil
	}
	if err != nil {
		return err
	}
	e.versions[used.ID] = true
	version := hashed(found)
	return e.write(decision.ExportLine{Version: &version})
}

func (e *exporter) write(line decision.ExportLine) error {
	text, err := line.Write()
	if err != nil {
		return err
	}
	if _, err := e.out.Write(text); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return nil
}
