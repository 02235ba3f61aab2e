package ruleset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"

	"requisite/internal/decision/replay"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// changesFile is a CSV file with a line for each application and change.
type changesFile struct {
	file *os.File
	csv  *csv.Writer
}

var changesColumns = []string{"workflow_id", "external_id", "decision_id", "change", "document_type_code", "finding_code", "entity_type", "entity_id", "detail"}

// createChanges creates a new file, readable by its owner only. Without a path it is nil, which
// writes nothing.
func createChanges(flag, path string) (*changesFile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	c := &changesFile{file, csv.NewWriter(file)}
	return c, c.csv.Write(changesColumns)
}

// close ends the file, and removes it where what it tells failed: half of the changes would mislead.
func (c *changesFile) close(failed error) error {
	if c == nil {
		return failed
	}
	c.csv.Flush()
	err := errors.Join(failed, c.csv.Error(), c.file.Close())
	if err != nil {
		err = errors.Join(err, os.Remove(c.file.Name()))
	}
	return err
}

// application names the application of a line.
type application struct {
	workflowID, externalID, decisionID string
}

func (c *changesFile) write(of application, change string, rule requirement.RuleKey, entityID, detail string) error {
	if c == nil {
		return nil
	}
	line := []string{of.workflowID, of.externalID, of.decisionID, change, rule.DocumentTypeCode, rule.FindingCode, rule.EntityType, entityID, detail}
	for i, cell := range line {
		line[i] = plainCell(cell)
	}
	return c.csv.Write(line)
}

// plainCell keeps a spreadsheet from reading a cell as a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// previewed writes what a preview changes.
func (c *changesFile) previewed(p calculation.WorkflowPreview) error {
	if c == nil {
		return nil
	}
	of := application{workflowID: p.WorkflowID, externalID: text(p.ExternalID)}
	if p.Err != nil {
		return c.write(of, "NOT_EVALUABLE", requirement.RuleKey{}, "", p.Err.Error())
	}
	var failed error
	for _, g := range p.Gaps {
		failed = errors.Join(failed, c.missing(of, g))
	}
	for _, part := range []struct {
		change    string
		documents []requirement.Document
	}{
		{"ADDED", p.Changes.Added}, {"RESTORED", p.Changes.Restored}, {"REMOVED", p.Changes.Removed},
		{"TEXT_CHANGED", p.Changes.TextChanged}, {"REOPENED", p.Changes.Reopened}, {"REINSTATED", p.Changes.Reinstated},
		{"CARRIED", p.Changes.Carried},
	} {
		for _, d := range part.documents {
			message := ""
			if len(d.Reasons) > 0 {
				message = d.Reasons[0].Message
			}
			failed = errors.Join(failed, c.write(of, part.change, requirement.RuleKey{DocumentTypeCode: d.DocumentTypeCode, EntityType: d.EntityType}, d.EntityID, message))
		}
	}
	for _, part := range []struct {
		change   string
		findings []requirement.Finding
	}{{"FINDING_ADDED", p.Changes.Findings.Added}, {"FINDING_REMOVED", p.Changes.Findings.Removed}} {
		for _, f := range part.findings {
			message := ""
			if len(f.Reasons) > 0 {
				message = f.Reasons[0].Message
			}
			failed = errors.Join(failed, c.write(of, part.change, requirement.RuleKey{FindingCode: f.FindingCode, EntityType: f.EntityType}, f.EntityID, message))
		}
	}
	return failed
}

func (c *changesFile) missing(of application, g fact.Gap) error {
	return c.write(of, "MISSING", requirement.RuleKey{EntityType: g.EntityType}, g.EntityID, g.Lacks())
}

// notCalculated writes why the documents of an application could not be calculated.
func (c *changesFile) notCalculated(n store.NotCalculated) error {
	of := application{n.WorkflowID.String(), text(n.ExternalID), n.DecisionID.String()}
	if n.Error != nil {
		return c.write(of, "NOT_EVALUABLE", requirement.RuleKey{}, "", n.Error.Message)
	}
	if len(n.Gaps) == 0 { // erased
		return c.write(of, n.Outcome, requirement.RuleKey{}, "", "")
	}
	var failed error
	for _, g := range n.Gaps {
		failed = errors.Join(failed, c.missing(of, g))
	}
	return failed
}

// backtested writes what a draft would have decided otherwise.
func (c *changesFile) backtested(b *replay.Backtest, found replay.Compared) error {
	if c == nil {
		return nil
	}
	of := application{found.WorkflowID.String(), text(found.ExternalID), found.DecisionID.String()}
	if found.Draft.Failure != "" {
		return c.write(of, "NOT_EVALUABLE", requirement.RuleKey{}, "", found.Draft.Failure)
	}
	var failed error
	for _, g := range found.Draft.Gaps {
		failed = errors.Join(failed, c.missing(of, g))
	}
	for _, change := range b.ChangesOf(found) {
		failed = errors.Join(failed, c.write(of, change.Change, change.RuleKey(), change.EntityID, change.Reason.Message))
	}
	return failed
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
