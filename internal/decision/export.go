package decision

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/id"
)

// ExportVersion is the form of exports that this package writes and reads.
const ExportVersion = 2

// ExportLine is one line of an export: exactly one of its fields is set. The header comes
// first. A version comes before the first decision that names it. After the decisions of a workflow
// comes its end, and after all of them the summary.
type ExportLine struct {
	Header   *ExportHeader
	Version  *PublishedVersion
	Decision *Decision
	End      *ExportEnd
	Summary  *ExportSummary
}

// BusinessID is the business that a line is about; zero for the header and the summary.
func (l ExportLine) BusinessID() (b id.BusinessID) {
	switch {
	case l.Decision != nil:
		b = l.Decision.BusinessID
	case l.End != nil:
		b = l.End.BusinessID
	}
	return b
}

// ExportHeader says what an export claims to hold: every decision of an account from CompleteSince
// until CompleteUntil. No digest covers it.
type ExportHeader struct {
	Export    int          `json:"export"`
	AccountID id.AccountID `json:"account_id"`
	// CompleteSince is the beginning of a month.
	CompleteSince Moment `json:"complete_since"`
	// CompleteUntil is excluded. The export has later decisions of a workflow only if its business was
	// erased while the export ran: then the record of the workflow ends with the erasure.
	CompleteUntil Moment `json:"complete_until"`
}

// String says to an examiner what the export claims.
func (h ExportHeader) String() string {
	return fmt.Sprintf("The export claims to hold every decision of %s from %s until %s.",
		h.AccountID, h.since().Format(time.RFC3339), h.until().Format(time.RFC3339))
}

func (h ExportHeader) since() time.Time { return time.Time(h.CompleteSince) }
func (h ExportHeader) until() time.Time { return time.Time(h.CompleteUntil) }

// Moment is a time whose JSON is the text that Time writes.
type Moment time.Time

// MarshalText writes a moment as Time does.
func (m Moment) MarshalText() ([]byte, error) { return []byte(Time(time.Time(m))), nil }

// UnmarshalText reads what MarshalText wrote.
func (m *Moment) UnmarshalText(text []byte) error {
	at, err := time.Parse(timeForm, string(text))
	*m = Moment(at)
	return err
}

// ExportEnd is the end of the record of a workflow.
type ExportEnd struct {
	WorkflowID id.WorkflowID `json:"workflow_id"`
	BusinessID id.BusinessID `json:"business_id"`
	Number     int64         `json:"number"`
	Digest     string        `json:"digest"`
	// Erased reports whether the business was erased.
	Erased bool `json:"erased"`
}

// ExportSummary counts the workflows and decisions of an export.
type ExportSummary struct {
	Workflows int64 `json:"workflows"`
	Decisions int64 `json:"decisions"`
}

// exported lists the fields of a decision in an export: those that its digest covers, then the others.
func (d Decision) exported() [][2]string {
	return append(d.fields(), [][2]string{
		{"digest", Hex(d.Digest)},
		{"personal", d.Personal},
		{"salt", Hex(d.Salt)},
		{"fingerprint", Hex(d.Fingerprint)},
	}...)
}

// Write returns the line for a file, with a line feed. All fields of a decision are texts, except
// the number. Absent fields are left out.
func (l ExportLine) Write() ([]byte, error) {
	var line []byte
	var err error
	switch {
	case l.Header != nil:
		line, err = json.Marshal(l.Header)
	case l.Version != nil:
		line, err = writeTexts([]byte(`{"version":`), l.Version.exported())
		line = append(line, '}')
	case l.Decision != nil:
		line, err = writeTexts(nil, l.Decision.exported())
	case l.End != nil:
		line, err = json.Marshal(map[string]*ExportEnd{"end": l.End})
	case l.Summary != nil:
		line, err = json.Marshal(map[string]*ExportSummary{"summary": l.Summary})
	}
	return append(line, '\n'), err
}

// isNumber reports whether exports write a field as a number. All others are texts.
func isNumber(name string) bool { return name == "number" || name == "version" || name == "form" }

// writeTexts appends an object with the fields that are not absent.
func writeTexts(object []byte, fields [][2]string) ([]byte, error) {
	begin := '{'
	for _, f := range fields {
		name, value := f[0], f[1]
		if value == "" {
			continue
		}
		object = fmt.Appendf(object, "%c%q:", begin, name)
		begin = ','
		if isNumber(name) {
			object = append(object, value...)
			continue
		}
		var err error
		if object, err = jsontext.AppendQuote(object, value); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return append(object, '}'), nil
}

// readTexts reads the fields of an object that writeTexts wrote.
func readTexts(given map[string]jsontext.Value) (map[string]string, error) {
	texts := make(map[string]string, len(given))
	for name, raw := range given {
		if isNumber(name) {
			texts[name] = string(raw)
			continue
		}
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil || len(text) == 0 {
			return nil, fmt.Errorf("%s: it is no text, or an empty one", name)
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// sameTexts refuses texts that differ from the fields that an export would write, and unknown names.
func sameTexts(texts map[string]string, fields [][2]string, of string) error {
	for _, f := range fields {
		if texts[f[0]] != f[1] {
			return fmt.Errorf("%s: an export does not write it so", f[0])
		}
		delete(texts, f[0])
	}
	for name := range texts {
		return fmt.Errorf("%q is no field of a %s", name, of)
	}
	return nil
}

// ReadExportLine reads what Write wrote. It refuses a line that Write would write in another form,
// because another program may read that line as something else. Only escapes in texts may differ.
func ReadExportLine(text []byte) (ExportLine, error) {
	var given map[string]jsontext.Value // the decoder refuses repeated names
	if err := json.Unmarshal(text, &given); err != nil {
		return ExportLine{}, err
	}
	switch {
	case given["decision_id"] != nil:
		d, err := readDecision(given)
		return ExportLine{Decision: d}, err
	case given["version"] != nil && len(given) == 1:
		var fields map[string]jsontext.Value
		if err := json.Unmarshal(given["version"], &fields); err != nil {
			return ExportLine{}, err
		}
		v, err := readVersion(fields)
		return ExportLine{Version: v}, err
	}
	var line ExportLine
	var err error
	switch {
	case given["export"] != nil:
		err = json.Unmarshal(text, &line.Header)
		if err == nil && line.Header.Export != ExportVersion {
			return line, fmt.Errorf("the form of the export is %d, and this program reads %d", line.Header.Export, ExportVersion)
		}
		if err == nil && !line.Header.since().Equal(Month(line.Header.since())) {
			err = errors.New("complete_since: it is not the beginning of a month")
		}
	case given["end"] != nil:
		err = json.Unmarshal(given["end"], &line.End)
	case given["summary"] != nil:
		err = json.Unmarshal(given["summary"], &line.Summary)
	}
	if err != nil {
		return ExportLine{}, err
	}
	if again, err := line.Write(); err != nil || !bytes.Equal(bytes.TrimSpace(text), bytes.TrimSpace(again)) {
		return ExportLine{}, errors.Join(errors.New("an export does not write it so"), err)
	}
	return line, nil
}

// readDecision reads the fields of a decision. It refuses a text that Decision cannot hold exactly,
// because the digest covers the texts in the file.
func readDecision(given map[string]jsontext.Value) (*Decision, error) {
	texts, err := readTexts(given)
	if err != nil {
		return nil, err
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
		Kind: Kind(texts["kind"]), Outcome: Outcome(texts["outcome"]), UserID: texts["user_id"], UserType: texts["user_type"], TraceID: texts["trace_id"],
		RuleSet: versionOf("rule_version_id", "rule_set_sha256"), PricingModel: versionOf("pricing_version_id", "pricing_model_sha256"),
		Changes: texts["changes"], Results: texts["results"], Personal: texts["personal"], PersonalSHA256: bytesOf("personal_sha256"),
		PreviousDigest: bytesOf("previous_digest"), Digest: bytesOf("digest"), Salt: bytesOf("salt"), Fingerprint: bytesOf("fingerprint"),
	}
	read("decision_id", func(text string) error { return d.ID.UnmarshalText([]byte(text)) })
	read("workflow_id", func(text string) error { return d.WorkflowID.UnmarshalText([]byte(text)) })
	read("business_id", func(text string) error { return d.BusinessID.UnmarshalText([]byte(text)) })
	read("as_of", func(text string) error { return d.AsOf.UnmarshalText([]byte(text)) })
	d.SandboxToday = texts[sandboxToday] != "" // sameTexts refuses all but "true"
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
	if d.ID.IsZero() || d.WorkflowID.IsZero() || d.BusinessID.IsZero() {
		return nil, errors.New("it has no decision_id, workflow_id or business_id")
	}
	if err := sameTexts(texts, d.exported(), "decision"); err != nil {
		return nil, err
	}
	return d, nil
}
