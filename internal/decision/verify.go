package decision

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"requisite/internal/id"
)

// Problem is one place where a record differs from what was written.
type Problem struct {
	// Line is the line in an export, from 1; 0 elsewhere.
	Line       int64         `json:"line,omitzero"`
	WorkflowID id.WorkflowID `json:"workflow_id,omitzero"`
	DecisionID id.DecisionID `json:"decision_id,omitzero"`
	Number     int64         `json:"number,omitzero"`
	Message    string        `json:"message"`
}

func (p Problem) String() string {
	var names []string
	if p.Line > 0 {
		names = append(names, fmt.Sprintf("line %d", p.Line))
	}
	if !p.WorkflowID.IsZero() {
		names = append(names, "workflow "+p.WorkflowID.String())
	}
	switch {
	case p.DecisionID.IsZero():
	case p.Number == 0:
		names = append(names, "decision "+p.DecisionID.String())
	default:
		names = append(names, fmt.Sprintf("decision %d (%s)", p.Number, p.DecisionID))
	}
	return strings.Join(names, ", ") + ": " + p.Message
}

// Head is the end of a workflow's record, as it is stored with the workflow.
type Head struct {
	Number int64
	Digest []byte
	// DecidedAt is when the last decision was made; zero if that is not stored.
	DecidedAt time.Time
	// Erased reports whether the workflow's business was erased.
	Erased bool
}

// Chain checks the decisions of one workflow. Add them in the order of their numbers.
type Chain struct {
	WorkflowID id.WorkflowID
	// KeptSince is the time before which decisions may have been pruned. Missing decisions before
	// it are no problem.
	KeptSince time.Time
	// Received are digests that were received for decisions, by id.
	Received map[string]string

	first      *Decision // added first
	last       *Decision // the highest number so far
	absent     []absence
	missing    []Decision // have no personal part, and no erasure has followed yet
	erasure    *Decision  // the last erasure
	kept       *Decision  // the first with facts after erasure
	living     *Decision  // the first after erasure with facts of a business that was not erased
	erased     bool       // the business was erased
	problems   []Problem
	unreadable int64
	count      int64
}

// absence is a gap in the numbers before a decision. A number of the gap that comes later was moved.
type absence struct {
	first, last int64
	before      Decision
	moved       map[int64]bool
}

func (a absence) removed() int64 { return a.last - a.first + 1 - int64(len(a.moved)) }

func (c *Chain) report(d Decision, format string, args ...any) {
	c.problems = append(c.problems, Problem{WorkflowID: d.WorkflowID, DecisionID: d.ID, Number: d.Number, Message: fmt.Sprintf(format, args...)})
}

// Add checks the next decision.
func (c *Chain) Add(d Decision) {
	c.count++
	if computed := d.ComputeDigest(); !bytes.Equal(computed, d.Digest) {
		c.report(d, "was changed: its content has the digest %s, and it states %s", Hex(computed), Hex(d.Digest))
	}
	if digest, known := c.Received[d.ID.String()]; known && !strings.EqualFold(digest, Hex(d.Digest)) {
		c.report(d, "is not the one that was answered: the received digest is %s, and it states %s", digest, Hex(d.Digest))
	}
	if made, stated := madeAt(d.ID.UUID), d.DecidedAt.Truncate(time.Millisecond); !made.Equal(stated) {
		c.report(d, "was changed: its id was made at %s, and it was decided at %s", Time(made), Time(d.DecidedAt))
	}
	if c.first == nil {
		c.first = d.name()
	}
	if d.BusinessID != c.first.BusinessID {
		c.report(d, "is about another business than decision %d", c.first.Number)
	}
	c.fields(d)
	c.personal(d)
	c.follow(d)
}

// fields checks that a decision has the fields of its kind.
func (c *Chain) fields(d Decision) {
	erasure, personal := d.Kind == Erasure, d.Personal != ""
	switch {
	case (d.Results == "") != erasure, (d.PersonalSHA256 == nil) != erasure, personal && erasure,
		(d.Salt != nil) != personal, (d.Fingerprint != nil) != personal:
		c.report(d, "was changed: it has fields that do not belong together")
	case personal && !bytes.Equal(d.Fingerprint, d.ComputeFingerprint()):
		c.report(d, "was changed: its fingerprint is not that of its content")
	}
}

// Unreadable counts a line that could not be read, and that the caller has reported. Chain then does
// not report the decision of that line as removed.
func (c *Chain) Unreadable() { c.unreadable++ }

// follow checks that the decision follows the previous one.
func (c *Chain) follow(d Decision) {
	last := c.last
	if last != nil && d.Number <= last.Number {
		if c.wasMoved(d.Number) {
			c.report(d, "was moved: it comes after decision %d", last.Number)
		} else {
			c.report(d, "was inserted: there is another of this number")
		}
		return
	}
	c.last = &d
	switch {
	case last == nil && d.Number <= 1:
		if len(d.PreviousDigest) > 0 || d.PreviousAt != nil {
			c.report(d, "is the first, and names a decision before it")
		}
	case last == nil:
		if d.PreviousAt == nil || !Month(*d.PreviousAt).Before(Month(c.KeptSince)) {
			c.absent = append(c.absent, absence{first: 1, last: d.Number - 1, before: d})
		}
	case d.Number > last.Number+1:
		c.absent = append(c.absent, absence{first: last.Number + 1, last: d.Number - 1, before: d})
	case !bytes.Equal(d.PreviousDigest, last.Digest):
		c.report(d, "does not follow decision %d: one of the two was inserted, replaced or moved", last.Number)
	case d.PreviousAt == nil || !d.PreviousAt.Equal(last.DecidedAt) || d.DecidedAt.Before(last.DecidedAt):
		c.report(d, "was moved: its times do not follow those of decision %d", last.Number)
	}
}

// wasMoved reports whether a number was skipped before, and comes now for the first time.
func (c *Chain) wasMoved(number int64) bool {
	for i := range c.absent {
		if a := &c.absent[i]; a.first <= number && number <= a.last {
			if a.moved[number] {
				return false
			}
			if a.moved == nil {
				a.moved = map[int64]bool{}
			}
			a.moved[number] = true
			return true
		}
	}
	return false
}

// personal checks the personal part.
func (c *Chain) personal(d Decision) {
	switch {
	case d.Kind == Erasure:
		if c.kept != nil {
			c.report(*c.kept, "keeps its facts, although decision %d says that they were erased", d.Number)
		}
		c.erasure, c.missing, c.kept, c.living = d.name(), nil, nil, nil
	case d.Personal == "":
		c.missing = append(c.missing, d)
	default:
		if len(d.Salt) != SaltSize {
			c.report(d, "was changed: its salt has %d bytes, and not %d", len(d.Salt), SaltSize)
		}
		if !bytes.Equal(HashPersonal(d.Salt, d.Personal), d.PersonalSHA256) {
			c.report(d, "was changed: its personal part is not the one that was recorded")
		}
		if c.kept == nil {
			c.kept = d.name()
		}
		if c.living == nil && !d.afterErasure() {
			c.living = d.name()
		}
	}
}

// End returns the problems of the chain, including those of the record as a whole. head is nil if the
// end is not known.
func (c *Chain) End(head *Head) []Problem {
	for _, a := range c.absent {
		removed := a.removed()
		if hidden := min(removed, c.unreadable); hidden > 0 {
			removed, c.unreadable = removed-hidden, c.unreadable-hidden
		}
		switch {
		case removed <= 0:
		case a.first == 1:
			c.report(a.before, "the %d before it were removed, although they are to be kept", removed)
		default:
			c.report(a.before, "the %d between decision %d and it were removed", removed, a.first-1)
		}
	}
	for _, d := range c.missing {
		c.report(d, "its personal part was removed without an erasure")
	}
	c.erased = c.erasure != nil || head != nil && head.Erased
	if head != nil {
		if c.erasure != nil && !head.Erased {
			c.report(*c.erasure, "records an erasure, although the business was not erased")
		}
		c.end(*head)
	}
	return c.problems
}

// Erasures checks that a business was erased in all of its workflows, or in none. The chains of a
// business must be read in one snapshot.
type Erasures struct {
	erased map[id.BusinessID]bool
	living []*Decision
}

// Add adds a chain after its End.
func (e *Erasures) Add(c *Chain) {
	if c.first == nil {
		return
	}
	if e.erased == nil {
		e.erased = map[id.BusinessID]bool{}
	}
	if c.erased {
		e.erased[c.first.BusinessID] = true
	}
	if c.living != nil {
		e.living = append(e.living, c.living)
	}
}

// Problems names, for each workflow that kept its facts, the first decision that has them.
func (e *Erasures) Problems() []Problem {
	var found []Problem
	for _, d := range e.living {
		if e.erased[d.BusinessID] {
			found = append(found, Problem{WorkflowID: d.WorkflowID, DecisionID: d.ID, Number: d.Number,
				Message: fmt.Sprintf("keeps its facts, although its business %s was erased", d.BusinessID)})
		}
	}
	return found
}

func (c *Chain) end(head Head) {
	switch last := c.last; {
	case last == nil:
		if !Month(head.DecidedAt).Before(Month(c.KeptSince)) {
			c.problems = append(c.problems, Problem{
				WorkflowID: c.WorkflowID,
				Message:    fmt.Sprintf("all of its %d decisions were removed, although they are to be kept", head.Number),
			})
		}
	case last.Number < head.Number && head.Number-last.Number <= c.unreadable:
	case last.Number < head.Number:
		c.report(*last, "the %d after it were removed: the workflow has decided %d times", head.Number-last.Number, head.Number)
	case last.Number > head.Number:
		c.report(*last, "was inserted: the workflow has decided %d times", head.Number)
	case !bytes.Equal(head.Digest, last.Digest):
		c.report(*last, "is not the last one of its workflow, whose digest is %s", Hex(head.Digest))
	case !head.DecidedAt.IsZero() && !head.DecidedAt.Equal(last.DecidedAt):
		c.report(*last, "is not the last one of its workflow, which was decided at %s", Time(head.DecidedAt))
	}
}

// Count returns how many decisions were added.
func (c *Chain) Count() int64 { return c.count }
