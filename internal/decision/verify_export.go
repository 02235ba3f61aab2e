package decision

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"requisite/internal/id"
)

// Verified is what came of verifying a record.
type Verified struct {
	Workflows int64 `json:"workflows"`
	Decisions int64 `json:"decisions"`
	// Received are the received digests that were found in the record, ReceivedOlder those of
	// decisions that are older than what is kept, and ReceivedNewer of those made after the export.
	Received      int64     `json:"received"`
	ReceivedOlder int64     `json:"received_older,omitzero"`
	ReceivedNewer int64     `json:"received_newer,omitzero"`
	Problems      []Problem `json:"problems"`
}

// ErrNoExport is of a file that does not begin as an export.
var ErrNoExport = errors.New("the file is no export of decisions")

// exportCheck verifies an export line by line.
type exportCheck struct {
	Verified
	header   ExportHeader
	received *ReceivedDigests
	line     int64
	current  *Chain
	hidden   int64 // lines that could not be read, with no workflow at hand
	garbled  bool  // a line could not be read
	begun    map[id.WorkflowID]bool
	summary  *ExportSummary
}

// VerifyExport verifies an export, and the received digests unless they are nil.
func VerifyExport(r io.Reader, received *ReceivedDigests) (ExportHeader, Verified, error) {
	c := exportCheck{received: received, begun: map[id.WorkflowID]bool{}, Verified: Verified{Problems: []Problem{}}}
	lines := bufio.NewReader(r)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return c.header, c.Verified, fmt.Errorf("read the export: %w", err)
		}
		if len(text) > 0 {
			c.line++
			if err := c.read(text); err != nil {
				return c.header, c.Verified, err
			}
		}
		if err != nil {
			break
		}
	}
	if c.line == 0 {
		return c.header, c.Verified, ErrNoExport
	}
	c.close(nil)
	switch {
	case c.summary == nil:
		c.report(id.WorkflowID{}, "the export is not complete: its last line is missing")
	case !c.garbled && (c.summary.Workflows != c.Workflows || c.summary.Decisions != c.Decisions):
		c.report(id.WorkflowID{}, "lines were removed or inserted: the export was of %d workflow(s) with %d decision(s), and has %d with %d",
			c.summary.Workflows, c.summary.Decisions, c.Workflows, c.Decisions)
	}
	received.End(&c.Verified, c.header.Begins(), c.header.ExportedAt)
	return c.header, c.Verified, nil
}

func (c *exportCheck) report(w id.WorkflowID, format string, args ...any) {
	c.Problems = append(c.Problems, Problem{Line: c.line, WorkflowID: w, Message: fmt.Sprintf(format, args...)})
}

func (c *exportCheck) read(text []byte) error {
	line, err := ReadExportLine(text)
	if c.line == 1 {
		if err != nil || line.Header == nil {
			return errors.Join(ErrNoExport, err)
		}
		c.header = *line.Header
		return nil
	}
	switch {
	case err != nil && !bytes.HasSuffix(text, []byte("\n")):
		c.report(id.WorkflowID{}, "the file was cut off: its last line is not complete")
		c.unreadable()
	case err != nil:
		c.report(id.WorkflowID{}, "was changed, and cannot be read: %s", err)
		c.unreadable()
	case line.Header != nil:
		c.report(id.WorkflowID{}, "was inserted: it is a second header")
	case c.summary != nil:
		c.report(id.WorkflowID{}, "was inserted or moved: it comes after the last line of the export")
	case line.Decision != nil:
		c.decision(*line.Decision)
	case line.End != nil:
		c.end(*line.End)
	case line.Summary != nil:
		c.summary = line.Summary
	}
	return nil
}

func (c *exportCheck) unreadable() {
	c.garbled = true
	if c.current != nil {
		c.current.Unreadable()
	} else {
		c.hidden++
	}
}

func (c *exportCheck) decision(d Decision) {
	c.Decisions++
	c.received.See(d)
	if c.current != nil && c.current.WorkflowID != d.WorkflowID {
		c.close(nil)
	}
	if c.current == nil {
		c.current = &Chain{WorkflowID: d.WorkflowID, KeptSince: c.header.Begins(), Received: c.received.Digests(), unreadable: c.hidden}
		c.hidden = 0
		if c.begun[d.WorkflowID] {
			c.Problems = append(c.Problems, Problem{c.line, d.WorkflowID, d.ID, d.Number, "was inserted or moved: it comes after the end of its workflow"})
			c.current.unreadable = d.Number // those before it are where they belong
		} else {
			c.Workflows++
		}
		c.begun[d.WorkflowID] = true
	}
	c.current.Add(d)
}

func (c *exportCheck) end(e ExportEnd) {
	digest, err := hex.DecodeString(e.Digest)
	if err != nil {
		c.report(e.WorkflowID, "was changed: its digest is not in hex")
	}
	if c.current == nil || c.current.WorkflowID != e.WorkflowID {
		c.close(nil)
		if c.begun[e.WorkflowID] {
			c.report(e.WorkflowID, "was inserted or moved: it is a second end of its workflow")
		} else {
			c.report(e.WorkflowID, "all decisions of the workflow were removed")
			c.begun[e.WorkflowID] = true
			c.Workflows++
		}
		return
	}
	c.close(&Head{Number: e.Number, Digest: digest})
}

// close ends the workflow at hand, where the export tells its end or should have.
func (c *exportCheck) close(head *Head) {
	if c.current == nil {
		return
	}
	if head == nil && c.current.unreadable == 0 {
		c.report(c.current.WorkflowID, "the line with the end of the workflow was removed or moved")
	}
	c.Problems = append(c.Problems, c.current.End(head)...)
	c.current = nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
