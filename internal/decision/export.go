package decision

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"requisite/internal/id"
)

// ExportVersion is the form of exports that this package writes and reads.
const ExportVersion = 1

// ExportLine is one line of an export: exactly one of its fields is set. The header comes
// first. After the decisions of a workflow comes its end, and after all of them the summary.
type ExportLine struct {
	Header   *ExportHeader
	Decision *Decision
	End      *ExportEnd
	Summary  *ExportSummary
}

// ExportHeader says what an export is of.
type ExportHeader struct {
	Export    int          `json:"export"`
	AccountID id.AccountID `json:"account_id"`
	// Since is the beginning of a month; zero for everything that is kept.
	Since time.Time `json:"since,omitzero"`
	// KeptSince is the moment before which decisions may have been pruned.
	KeptSince  time.Time `json:"kept_since"`
	ExportedAt time.Time `json:"exported_at"`
}

// Begins is the moment before which decisions may be missing.
func (h ExportHeader) Begins() time.Time {
	if h.Since.After(h.KeptSince) {
		return h.Since
	}
	return h.KeptSince
}

// ExportEnd is where the record of a workflow ends.
type ExportEnd struct {
	WorkflowID id.WorkflowID `json:"workflow_id"`
	Number     int64         `json:"number"`
	Digest     string        `json:"digest"`
}

// ExportSummary counts what came before it.
type ExportSummary struct {
	Workflows int64 `json:"workflows"`
	Decisions int64 `json:"decisions"`
}

// exported are the fields of a decision in an export: what its digest covers, and the rest.
func (d Decision) exported() [][2]string {
	return append(d.fields(), [][2]string{
		{"digest", Hex(d.Digest)},
		{"personal", d.Personal},
		{"salt", Hex(d.Salt)},
		{"fingerprint", Hex(d.Fingerprint)},
	}...)
}

// Write is the line with its end, as a file has it. A decision's fields are texts, but for
// the number; absent ones are left out.
func (l ExportLine) Write() ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	var err error
	switch {
	case l.Header != nil:
		err = encoder.Encode(l.Header)
	case l.End != nil:
		err = encoder.Encode(map[string]*ExportEnd{"end": l.End})
	case l.Summary != nil:
		err = encoder.Encode(map[string]*ExportSummary{"summary": l.Summary})
	}
	if l.Decision == nil {
		return line.Bytes(), err
	}
	line.WriteByte('{')
	for _, f := range l.Decision.exported() {
		name, value := f[0], f[1]
		if value == "" {
			continue
		}
		if line.Len() > 1 {
			line.WriteByte(',')
		}
		fmt.Fprintf(&line, "%q:", name)
		if name == "number" {
			line.WriteString(value)
			continue
		}
		if err := encoder.Encode(value); err != nil {
			return nil, fmt.Errorf("write %s of a decision: %w", name, err)
		}
		line.Truncate(line.Len() - 1) // the end of line
	}
	line.WriteString("}\n")
	return line.Bytes(), nil
}

// ReadExportLine reads what Write wrote. It refuses a line that Write would write otherwise.
func ReadExportLine(text []byte) (ExportLine, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return ExportLine{}, err
	}
	var line ExportLine
	var err error
	switch {
	case given["export"] != nil:
		line.Header = &ExportHeader{}
		err = strictly(text, line.Header)
		if err == nil && line.Header.Export != ExportVersion {
			err = fmt.Errorf("the form of the export is %d, and this program reads %d", line.Header.Export, ExportVersion)
		}
	case given["end"] != nil && len(given) == 1:
		line.End = &ExportEnd{}
		err = strictly(given["end"], line.End)
	case given["summary"] != nil && len(given) == 1:
		line.Summary = &ExportSummary{}
		err = strictly(given["summary"], line.Summary)
	default:
		line.Decision, err = readDecision(given)
	}
	return line, err
}

func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// readDecision reads the fields of a decision. What it does not keep exactly is an error:
// the digest is of the texts in the file.
func readDecision(given map[string]json.RawMessage) (*Decision, error) {
	texts := make(map[string]string, len(given))
	for name, raw := range given {
		if name == "number" {
			texts[name] = string(raw)
			continue
		}
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[name] = text
	}
	var wrong error
	read := func(name string, parse func(text string) error) {
		if err := parse(texts[name]); err != nil && wrong == nil {
			wrong = fmt.Errorf("%s: %w", name, err)
		}
	}
	bytesOf := func(name string) (value []byte) {
		read(name, func(text string) (err error) {
			if text != "" {
				value, err = hex.DecodeString(text)
			}
			return err
		})
		return value
	}
	versionOf := func(name, hash string) *Version {
		if texts[name] == "" {
			return nil
		}
		v := &Version{SHA256: bytesOf(hash)}
		read(name, func(text string) error { return v.ID.UnmarshalText([]byte(text)) })
		return v
	}
	d := &Decision{
		Kind: Kind(texts["kind"]), Outcome: texts["outcome"], UserID: texts["user_id"], UserType: texts["user_type"], TraceID: texts["trace_id"],
		RuleSet: versionOf("rule_version_id", "rule_set_sha256"), PricingModel: versionOf("pricing_version_id", "pricing_model_sha256"),
		Changes: texts["changes"], Results: texts["results"], Personal: texts["personal"], PersonalSHA256: bytesOf("personal_sha256"),
		PreviousDigest: bytesOf("previous_digest"), Digest: bytesOf("digest"), Salt: bytesOf("salt"), Fingerprint: bytesOf("fingerprint"),
	}
	read("decision_id", func(text string) error { return d.ID.UnmarshalText([]byte(text)) })
	read("workflow_id", func(text string) error { return d.WorkflowID.UnmarshalText([]byte(text)) })
	read("same_as", func(text string) error { return d.SameAs.UnmarshalText([]byte(text)) })
	read("as_of", func(text string) error { return d.AsOf.UnmarshalText([]byte(text)) })
	read("number", func(text string) (err error) { d.Number, err = strconv.ParseInt(text, 10, 64); return err })
	read("decided_at", func(text string) (err error) { d.DecidedAt, err = time.Parse(timeForm, text); return err })
	read("previous_at", func(text string) error {
		if text == "" {
			return nil
		}
		at, err := time.Parse(timeForm, text)
		d.PreviousAt = &at
		return err
	})
	if wrong != nil {
		return nil, wrong
	}
	if d.ID.IsZero() || d.WorkflowID.IsZero() {
		return nil, errors.New("it has no decision_id or no workflow_id")
	}
	fields := d.exported()
	for _, f := range fields {
		if texts[f[0]] != f[1] {
			return nil, fmt.Errorf("%s: an export does not write it so", f[0])
		}
	}
	for name := range texts {
		if !slices.ContainsFunc(fields, func(f [2]string) bool { return f[0] == name }) {
			return nil, fmt.Errorf("%q is no field of a decision", name)
		}
	}
	return d, nil
}
