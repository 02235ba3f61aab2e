package ruleset

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// usedFacts are the facts of an explanation, and others to compare them with.
type usedFacts struct {
	used   fact.Facts
	file   string // where they were given; empty for those on file
	then   bool   // those that were on file when it was decided
	onFile fact.Facts
	last   map[factName]any // of the last calculation, from the reasons of documents
	// required are the facts in the reasons of documents that are no longer required.
	required map[factName]lastRequired
}

// lastRequired is a fact for which a document was last required.
type lastRequired struct {
	DocumentTypeCode string `json:"document_type_code"`
	Value            any    `json:"value"`
}

// factName names a fact, or a field of a person.
type factName struct{ name, personID string }

// currentFacts reads the facts from a file, for rules with a table, or else the facts on record
// today.
func currentFacts(ctx context.Context, out io.Writer, records *store.Records, w domain.Workflow, snapshot calculation.Snapshot, file string, table *fact.Table) (usedFacts, error) {
	facts := usedFacts{used: snapshot.Facts, onFile: snapshot.Facts, file: file, last: map[factName]any{}, required: map[factName]lastRequired{}}
	documents, _, err := records.RequiredDocuments(ctx, w.WireID(), calculation.DocumentFilter{}, nil)
	if err != nil {
		return facts, err
	}
	slices.SortStableFunc(documents, func(a, b calculation.RequiredDocument) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
	for _, d := range documents {
		for _, reason := range d.Reasons {
			eachFact(reason.Facts, func(name factName, value any) {
				if d.Status == requirement.Inactive {
					facts.required[name] = lastRequired{d.DocumentTypeCode, value}
				} else {
					facts.last[name] = value
				}
			})
		}
	}
	if file == "" {
		return facts, nil
	}
	source, err := openFile(file)
	if err != nil {
		return facts, err
	}
	given, problems := requirement.ReadFacts(source, table)
	if len(problems) > 0 {
		return facts, report(out, file, problems)
	}
	given.WorkflowID, given.BusinessID, given.SalesInfoID, given.Currency = facts.used.WorkflowID, facts.used.BusinessID, facts.used.SalesInfoID, facts.used.Currency
	if given.AsOf.IsZero() {
		given.AsOf = facts.used.AsOf
	}
	facts.used = given
	return facts, nil
}

// eachFact calls see for each fact of a reason.
func eachFact(facts map[string]any, see func(factName, any)) {
	for name, value := range facts {
		persons, ok := value.(map[string]any)
		if !ok {
			see(factName{name: name}, value)
			continue
		}
		for id, fields := range persons {
			fields, _ := fields.(map[string]any)
			for field, value := range fields {
				see(factName{field, id}, value)
			}
		}
	}
}

// factsReport describes the facts of an explanation.
type factsReport struct {
	Source string         `json:"source"` // ON_FILE, GIVEN or RECORDED
	File   string         `json:"file,omitempty"`
	Values []reportedFact `json:"values"`
}

// reportedFact is a used fact, with its other values.
type reportedFact struct {
	requirement.FactValue
	OnFile *any `json:"on_file,omitempty"`
	Last   *any `json:"last_calculation,omitempty"`
	// LastRequired is set if only documents that are no longer required have the fact in
	// their reasons.
	LastRequired *lastRequired `json:"last_required,omitempty"`
}

func (f reportedFact) differs() bool {
	return f.OnFile != nil || f.Last != nil || f.LastRequired != nil
}

func (u *usedFacts) report(program *requirement.Program) factsReport {
	r := factsReport{Source: "ON_FILE", File: u.file, Values: []reportedFact{}}
	switch {
	case u.file != "":
		r.Source = "GIVEN"
	case u.then:
		r.Source = "RECORDED"
	}
	if program == nil {
		return r
	}
	onFile := map[factName]any{}
	for _, f := range program.FactValues(u.onFile) {
		onFile[factName{f.Name, f.PersonID}] = f.Value
	}
	for _, f := range program.FactValues(u.used) {
		reported, name := reportedFact{FactValue: f}, factName{f.Name, f.PersonID}
		if value := onFile[name]; u.file != "" && !sameFact(value, f.Value) {
			reported.OnFile = &value
		}
		// A reason has only the codes that matched.
		value, known := u.last[name]
		before, ended := u.required[name]
		switch {
		case known && !sameFact(value, f.Value) && !within(value, f.Value):
			reported.Last = &value
		case !known && ended && !sameFact(before.Value, f.Value) && !within(before.Value, f.Value):
			reported.LastRequired = &before
		}
		r.Values = append(r.Values, reported)
	}
	return r
}

// sameFact compares values as JSON, because some come from the database.
func sameFact(a, b any) bool {
	one, err := plainJSON(a)
	other, alsoErr := plainJSON(b)
	return err == nil && alsoErr == nil && one == other
}

// within reports whether all entries of a list are in another.
func within(some, all any) bool {
	entries, ok := some.([]any)
	codes, alsoOK := all.([]string)
	return ok && alsoOK && !slices.ContainsFunc(entries, func(entry any) bool { return !slices.Contains(codes, fmt.Sprint(entry)) })
}

// shownDifferences limits the printed fields of persons that differ.
const shownDifferences = 5

func (u *usedFacts) print(out io.Writer, program *requirement.Program) {
	report := u.report(program)
	fmt.Fprintln(out, u.title())
	var fields []string
	differing := 0
	for _, f := range report.Values {
		if f.PersonID != "" {
			if !slices.Contains(fields, f.Name) {
				fields = append(fields, f.Name)
			}
			if f.differs() {
				if differing++; differing <= shownDifferences {
					fmt.Fprintf(out, "  %s of person %s = %s\n", f.Name, f.PersonID, f.text())
				}
			}
			continue
		}
		is := " = "
		if f.DefaultBecause != "" {
			is = " " + f.DefaultBecause + ", counted as "
		}
		fmt.Fprintf(out, "  %s%s%s\n", f.Name, is, f.text())
	}
	if more := differing - shownDifferences; more > 0 {
		fmt.Fprintf(out, "  and %d more of persons differ; --json shows each\n", more)
	}
	if len(fields) > 0 {
		fmt.Fprintf(out, "  of each person %s\n", strings.Join(fields, ", "))
	}
}

func (u *usedFacts) title() string {
	if u.file != "" {
		return "Facts: those given in " + u.file
	}
	if u.then {
		return "Facts: those on file then"
	}
	return "Facts: those on file today"
}

func (f reportedFact) text() string {
	text := factText(f.Value)
	var others []string
	if f.OnFile != nil {
		others = append(others, "on file today "+factText(*f.OnFile))
	}
	if f.Last != nil {
		others = append(others, "at the last calculation "+factText(*f.Last))
	}
	if f.LastRequired != nil {
		others = append(others, "when "+f.LastRequired.DocumentTypeCode+" was last required "+factText(f.LastRequired.Value))
	}
	if len(others) == 0 {
		return text
	}
	return text + "  (" + strings.Join(others, "; ") + ")"
}

func factText(v any) string {
	if v == nil {
		return "missing"
	}
	if codes, ok := v.([]string); ok {
		list := make([]any, len(codes))
		for i, code := range codes {
			list[i] = code
		}
		v = list
	}
	return valueText(v)
}
