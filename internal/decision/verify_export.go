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

// Verified is the result of verifying a record.
type Verified struct {
	Workflows int64 `json:"workflows"`
	Decisions int64 `json:"decisions"`
	// Claim is what an export claims to hold. Only the received digests can prove it.
	Claim *ExportHeader `json:"claim,omitzero"`
	// Received are the received digests that were found in the record. ReceivedOlder and
	// ReceivedNewer were not checked: the record does not claim to hold decisions of their time.
	Received      int64     `json:"received"`
	ReceivedOlder int64     `json:"received_older,omitzero"`
	ReceivedNewer int64     `json:"received_newer,omitzero"`
	Problems      []Problem `json:"problems"`
}

// ErrNoExport reports a file that does not begin as an export.
var ErrNoExport = errors.New("the file is no export of decisions")

// exportCheck verifies an export line by line.
type exportCheck struct {
	Verified
	header   ExportHeader
	received *ReceivedDigests
	line     int64
	current  *Chain
	hidden   int64 // unreadable lines since the end of the last workflow
	garbled  bool  // a line could not be read
	begun    map[id.WorkflowID]bool
	versions map[id.RuleSetVersionID]hashed // read so far
	reported map[string]bool                // by version and hash
	pending  []id.RuleSetVersionID          // the next decision must name these
	erasures Erasures
	summary  *ExportSummary
}

// hashed is the form and the hash of a version.
type hashed struct {
	form Form
	hash []byte
}

// VerifyExport verifies an export, and the received digests unless they are nil.
func VerifyExport(r io.Reader, received *ReceivedDigests) (Verified, error) {
	c := exportCheck{
		received: received,
		begun:    map[id.WorkflowID]bool{},
		versions: map[id.RuleSetVersionID]hashed{},
		reported: map[string]bool{},
		Verified: Verified{Problems: []Problem{}},
	}
	lines := bufio.NewReader(r)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return c.Verified, fmt.Errorf("read the export: %w", err)
		}
		if len(text) > 0 {
			c.line++
			if err := c.read(text); err != nil {
				return c.Verified, err
			}
		}
		if err != nil {
			break
		}
	}
	if c.line == 0 {
		return c.Verified, ErrNoExport
	}
	c.close(nil)
	switch {
	case c.summary == nil:
		c.report(id.WorkflowID{}, "the export is not complete: its last line is missing")
	case !c.garbled && (c.summary.Workflows != c.Workflows || c.summary.Decisions != c.Decisions):
		c.report(id.WorkflowID{}, "lines were removed or inserted: the export was of %d workflow(s) with %d decision(s), and has %d with %d",
			c.summary.Workflows, c.summary.Decisions, c.Workflows, c.Decisions)
	}
	c.Problems = append(c.Problems, c.erasures.Problems()...)
	received.End(&c.Verified, c.header.since(), c.header.until())
	return c.Verified, nil
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
		c.Claim, c.header = line.Header, *line.Header
		return nil
	}
	if err == nil && line.Version == nil && line.Decision == nil {
		c.named()
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
	case line.Version != nil:
		c.version(*line.Version)
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

func (c *exportCheck) version(v PublishedVersion) {
	if _, known := c.versions[v.ID]; known {
		c.report(id.WorkflowID{}, "version %s was inserted: it comes twice", v.ID)
		return
	}
	c.versions[v.ID] = hashed{v.Form, v.Hash()}
	c.pending = append(c.pending, v.ID)
	for _, text := range v.contradictions() {
		c.report(id.WorkflowID{}, "version %s was changed: %s", v.ID, text)
	}
}

// named reports the pending versions that by does not contain, and empties pending.
func (c *exportCheck) named(by ...*Version) {
	for _, v := range c.pending {
		if !slices.ContainsFunc(by, func(used *Version) bool { return used != nil && used.ID == v }) {
			c.report(id.WorkflowID{}, "version %s was inserted or moved: what follows it does not name it", v)
		}
	}
	c.pending = nil
}

// used checks a version that a decision names. It reports each version once.
func (c *exportCheck) used(d Decision, of string, used *Version) {
	if used == nil {
		return
	}
	has, known := c.versions[used.ID]
	key := used.ID.String() + Hex(used.SHA256)
	same := bytes.Equal(has.hash, used.SHA256)
	if known && same && has.form == formOf(of) || c.reported[key] {
		return
	}
	c.reported[key] = true
	problem := Problem{Line: c.line, WorkflowID: d.WorkflowID, DecisionID: d.ID, Number: d.Number}
	switch {
	case !known:
		problem.Message = fmt.Sprintf("version %s of the %s was removed or moved: it does not come before", used.ID, of)
	case !same:
		problem.Message = has.form.changed(of, used.ID, has.hash, used.SHA256)
	default:
		problem.Message = fmt.Sprintf("version %s of the %s was changed: it is of form %d", used.ID, of, has.form)
	}
	c.Problems = append(c.Problems, problem)
}

func (c *exportCheck) decision(d Decision) {
	c.Decisions++
	c.used(d, "rules", d.RuleSet)
	c.used(d, "prices", d.PricingModel)
	c.named(d.RuleSet, d.PricingModel)
	c.received.See(d)
	if c.current != nil && c.current.WorkflowID != d.WorkflowID {
		c.close(nil)
	}
	if c.current == nil {
		c.current = &Chain{WorkflowID: d.WorkflowID, KeptSince: c.header.since(), Received: c.received.Digests(), unreadable: c.hidden}
		c.hidden = 0
		if c.begun[d.WorkflowID] {
			c.Problems = append(c.Problems, Problem{c.line, d.WorkflowID, d.ID, d.Number, "was inserted or moved: it comes after the end of its workflow"})
			c.current.unreadable = d.Number // the decisions before it have come already
		} else {
			c.Workflows++
		}
		c.begun[d.WorkflowID] = true
	}
	if d.DecidedAt.Before(c.header.since()) {
		c.current.report(d, "was decided at %s, before the export begins", Time(d.DecidedAt))
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
			c.report(e.WorkflowID, "all decisions of the workflow were removed or moved")
			c.begun[e.WorkflowID] = true
			c.Workflows++
		}
		return
	}
	if first := c.current.first; e.BusinessID != first.BusinessID {
		c.report(e.WorkflowID, "is about another business than decision %d", first.Number)
	}
	c.close(&Head{Number: e.Number, Digest: digest, Erased: e.Erased})
}

// close ends the current workflow. head is nil if the export lacks the line with its end.
func (c *exportCheck) close(head *Head) {
	if c.current == nil {
		return
	}
	if head == nil && c.current.unreadable == 0 {
		c.report(c.current.WorkflowID, "the line with the end of the workflow was removed or moved")
	}
	// An erasure while the export ran is part of it.
	if last := c.current.last; !last.DecidedAt.Before(c.header.until()) && last.Kind != Erasure {
		c.current.report(*last, "was decided at %s, after the export ends", Time(last.DecidedAt))
	}
	c.Problems = append(c.Problems, c.current.End(head)...)
	c.erasures.Add(c.current)
	c.current = nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
