package decisions

import (
	"bufio"
	"bytes"
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
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
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
A line has the exact texts that the decision's digest covers, as
docs/decision-record.md describes. It holds personal data.

--since is moved to the beginning of its month (UTC), because a decision may
refer to an earlier one of its month.

With --out, the same command goes on after an interruption, behind the last
complete line in the file. "starter decision verify FILE" checks the result.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		accountID, scope, err := cli.AccountScope(ctx, store, account)
		if err != nil {
			return err
		}
		from, err := parseSince(since)
		if err != nil {
			return err
		}
		now := time.Now().UTC().Truncate(time.Second)
		e := &exporter{
			store: store, scope: scope, progress: c.ErrOrStderr(),
			header: decision.ExportHeader{Export: decision.ExportVersion, AccountID: accountID, KeptSince: now.Add(-keep), ExportedAt: now},
		}
		if from != nil {
			e.header.Since = decision.Month(*from)
			if !from.Equal(e.header.Since) {
				fmt.Fprintf(e.progress, "--since is moved to %s (UTC), because a decision may refer to an earlier one of its month.\n", e.header.Since.Format(time.DateOnly))
			}
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

// exporter writes one export.
type exporter struct {
	store    *store.Store
	scope    domain.Scope
	header   decision.ExportHeader
	out      *bufio.Writer
	progress io.Writer
	// written is what the file has already.
	written struct {
		decision.ExportSummary
		header, complete bool
		after            id.WorkflowID // the last one whose end is written
		open             id.WorkflowID // has decisions up to a number, and no end
		number           int64
	}
}

// toFile writes to a file, or goes on with it.
func (e *exporter) toFile(ctx context.Context, path string) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	keptSince := e.header.KeptSince
	end, err := e.readWritten(file)
	if err == nil && !e.written.complete && decision.Month(e.header.KeptSince) != decision.Month(keptSince) {
		// What was pruned since would look as if it had been removed.
		err = errors.New("it was begun in another month, and decisions may have been pruned since")
	}
	if err != nil {
		return fmt.Errorf("--out: %s: %w; name another file, or delete this one", visible.Line(path), err)
	}
	if e.written.complete {
		fmt.Fprintf(e.progress, "%s is complete already: %s\n", visible.Line(path), e.counts())
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

// readWritten finds out what a file has, and where its last complete line ends.
func (e *exporter) readWritten(file io.Reader) (end int64, err error) {
	lines := bufio.NewReader(file)
	w := &e.written
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // what is left is no complete line
			return end, nil
		}
		if err != nil {
			return end, err
		}
		line, err := decision.ReadExportLine(bytes.TrimSuffix(text, []byte("\n")))
		switch {
		case err != nil:
			return end, fmt.Errorf("line %d cannot be read: %w", number, err)
		case number == 1 && line.Header == nil:
			return end, decision.ErrNoExport
		case line.Header != nil:
			if line.Header.AccountID != e.header.AccountID || !line.Header.Since.Equal(e.header.Since) {
				return end, errors.New("it is an export of another account, or since another month")
			}
			e.header, w.header = *line.Header, true
		case line.Decision != nil:
			w.open, w.number = line.Decision.WorkflowID, line.Decision.Number
			w.Decisions++
		case line.End != nil:
			w.after, w.open, w.number = line.End.WorkflowID, id.WorkflowID{}, 0
			w.Workflows++
		case line.Summary != nil:
			w.complete = true
		}
		end += int64(len(text))
	}
}

func (e *exporter) counts() string {
	return fmt.Sprintf("%s of %s", cli.Counted(int(e.written.Decisions), "decision"), cli.Counted(int(e.written.Workflows), "workflow"))
}

// progressEvery is how often progress is shown.
const progressEvery = 200 * time.Millisecond

// run writes what is not written yet. What it has written is complete up to a line also when
// it fails.
func (e *exporter) run(ctx context.Context) error {
	step := (&cli.Narrator{Out: e.progress}).Start("Exporting the decisions of " + e.header.AccountID.String())
	if !e.written.header {
		if err := e.write(decision.ExportLine{Header: &e.header}); err != nil {
			return err
		}
	}
	told := time.Now()
	err := e.store.EachRecord(ctx, e.header.AccountID, id.WorkflowID{}, e.written.after, func(w id.WorkflowID) error {
		if time.Since(told) >= progressEvery {
			told = time.Now()
			step.Progress(e.counts())
		}
		return e.workflow(ctx, w)
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
	step.Done(e.counts())
	return nil
}

// workflow writes the record of one workflow, and its end.
func (e *exporter) workflow(ctx context.Context, w id.WorkflowID) error {
	var after int64
	if e.written.open == w {
		after = e.written.number
	}
	found := after > 0
	end, err := e.store.WholeRecord(ctx, e.scope, w, e.header.Since, after, func(d decision.Decision) error {
		found = true
		e.written.Decisions++
		return e.write(decision.ExportLine{Decision: &d})
	})
	// Where all were pruned nothing is left to say; where all were removed, the end tells.
	if err != nil || !found && decision.Month(end.DecidedAt).Before(decision.Month(e.header.Begins())) {
		return err
	}
	e.written.Workflows++
	return e.write(decision.ExportLine{End: &decision.ExportEnd{WorkflowID: w, Number: end.Number, Digest: decision.Hex(end.Digest)}})
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
