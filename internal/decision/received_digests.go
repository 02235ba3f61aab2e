package decision

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"requisite/internal/id"
)

// ReceivedDigests are the digests of decisions that a caller received in answers and events.
type ReceivedDigests struct {
	byDecision map[string]string
	conflicts  []Problem
	found      map[string]bool
}

// ReadReceived reads lines DECISION_ID DIGEST, and JSON in which objects have a decision_id
// and a digest, such as the contents of webhooks.
func ReadReceived(text []byte) (*ReceivedDigests, error) {
	r := &ReceivedDigests{byDecision: map[string]string{}, found: map[string]bool{}}
	for rest := bytes.TrimSpace(text); len(rest) > 0; rest = bytes.TrimSpace(rest) {
		if rest[0] == '{' || rest[0] == '[' {
			decoder := json.NewDecoder(bytes.NewReader(rest))
			var value any
			if err := decoder.Decode(&value); err != nil {
				return nil, fmt.Errorf("received digests: %w", err)
			}
			if err := r.walk(value); err != nil {
				return nil, err
			}
			rest = rest[decoder.InputOffset():]
			continue
		}
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		words := strings.Fields(string(line))
		if len(words) != 2 {
			return nil, fmt.Errorf("received digests: a line is DECISION_ID DIGEST, or JSON, and not %q", line)
		}
		if err := r.add(words[0], words[1]); err != nil {
			return nil, err
		}
	}
	if len(r.byDecision) == 0 {
		return nil, errors.New("received digests: there is none")
	}
	return r, nil
}

func (r *ReceivedDigests) walk(value any) error {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := r.walk(element); err != nil {
				return err
			}
		}
	case map[string]any:
		decision, ok := value["decision_id"].(string)
		digest, alsoOK := value["digest"].(string)
		if ok && alsoOK {
			if err := r.add(decision, digest); err != nil {
				return err
			}
		}
		for _, field := range value {
			if err := r.walk(field); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *ReceivedDigests) add(decision, digest string) error {
	parsed, err := id.Parse(id.Decision, decision)
	if err != nil {
		return fmt.Errorf("received digests: %q is not a decision id", decision)
	}
	if known, has := r.byDecision[decision]; has && !strings.EqualFold(known, digest) {
		r.conflicts = append(r.conflicts, Problem{
			DecisionID: id.DecisionID{UUID: parsed},
			Message:    fmt.Sprintf("was received with two digests: %s and %s", known, digest),
		})
	}
	r.byDecision[decision] = digest
	return nil
}

// Digests returns the digests by decision, for Chain.
func (r *ReceivedDigests) Digests() map[string]string {
	if r == nil {
		return nil
	}
	return r.byDecision
}

// See notes that a decision is in the record.
func (r *ReceivedDigests) See(d Decision) {
	if r == nil {
		return
	}
	if text := d.ID.String(); r.byDecision[text] != "" {
		r.found[text] = true
	}
}

// End adds a problem to v for each received decision that is missing in the record, and counts the
// others. An id contains its time. A decision from before the month of keptSince may have been pruned.
// One from until or later need not be in the export. until is zero for a record in the database.
func (r *ReceivedDigests) End(v *Verified, keptSince, until time.Time) {
	if r == nil {
		return
	}
	v.Problems = append(v.Problems, r.conflicts...)
	for _, text := range sortedKeys(r.byDecision) {
		decision := id.Must[id.DecisionID](text)
		switch {
		case r.found[text]:
			v.Received++
		case madeAt(decision.UUID).Before(Month(keptSince)):
			v.ReceivedOlder++
		case !until.IsZero() && !madeAt(decision.UUID).Before(until):
			v.ReceivedNewer++
		default:
			v.Problems = append(v.Problems, Problem{DecisionID: decision, Message: "was received, and is not in the record: it was removed"})
		}
	}
}

// madeAt returns the time in the id of a decision or a version.
func madeAt(i id.UUID) time.Time {
	var ms int64
	for _, b := range i[:6] {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms)
}
