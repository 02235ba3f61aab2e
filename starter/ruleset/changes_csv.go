package ruleset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"

	"requisite/internal/rules/changes"
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

// close closes the file. After an error it removes the file, because a part of the changes would mislead.
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

func (c *changesFile) write(of changes.Application, change string, rule requirement.RuleKey, entityID, detail string) error {
	line := []string{of.WorkflowID, of.ExternalID, of.DecisionID, change, rule.DocumentTypeCode, rule.FindingCode, rule.EntityType, entityID, detail}
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

// application writes what a rule set changes for an application, or why it decides nothing.
func (c *changesFile) application(a changes.Application) (failed error) {
	if c == nil {
		return nil
	}
	if a.Failure != "" {
		return c.write(a, "NOT_EVALUABLE", requirement.RuleKey{}, "", a.Failure)
	}
	for _, g := range a.Gaps {
		failed = errors.Join(failed, c.write(a, "MISSING", requirement.RuleKey{EntityType: g.EntityType}, g.EntityID, g.Lacks()))
	}
	for _, change := range a.Changes {
		if change.Kind != changes.Kept {
			failed = errors.Join(failed, c.write(a, strings.ToUpper(string(change.Kind)), change.RuleKey, change.EntityID, change.Reason))
		}
	}
	return failed
}

// notCalculated writes why the documents of an application could not be calculated.
func (c *changesFile) notCalculated(n store.NotCalculated) error {
	a := changes.Application{WorkflowID: n.WorkflowID.String(), ExternalID: text(n.ExternalID), DecisionID: n.DecisionID.String()}
	a.Gaps = n.Gaps
	if n.Error != nil {
		a.Failure = n.Error.Message
	}
	if a.Decided() { // erased
		return c.write(a, n.Outcome, requirement.RuleKey{}, "", "")
	}
	return c.application(a)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
