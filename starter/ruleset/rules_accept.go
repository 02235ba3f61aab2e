package ruleset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"requisite/internal/rules/author"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/text/visible"
)

// acceptExample replaces the expectation of one example in a file by the result of the rules. It does not
// change the rest of the file.
func acceptExample(ctx context.Context, out io.Writer, path, name string) error {
	source, err := openFile(path)
	if err != nil {
		return err
	}
	ran, problems := author.RunExamples(ctx, source)
	if len(problems) > 0 {
		return report(out, path, problems)
	}
	index := slices.IndexFunc(ran.Results, func(r requirement.ExampleResult) bool { return r.Name == name })
	if index < 0 {
		return fmt.Errorf("--accept: %s has no example %q", path, visible.Line(name))
	}
	if slices.ContainsFunc(ran.Results[index+1:], func(r requirement.ExampleResult) bool { return r.Name == name }) {
		return fmt.Errorf("--accept: %s has two examples %q; give each a name of its own", path, visible.Line(name))
	}
	result := ran.Results[index]
	switch {
	case result.Failure == "":
		fmt.Fprintf(out, "%s: %q holds already; nothing was written\n", path, visible.Line(name))
		return nil
	case result.Given.Documents == nil && result.Given.Gaps == nil:
		return fmt.Errorf("--accept: %s", result.Failure)
	}
	text := expectationText(result.Given)
	if !isJSON(path) {
		text = requirement.FlowYAML([]byte(text))
	}
	changed, ok := source.Replace(fmt.Sprintf("examples[%d].expect", index), text)
	if ok {
		ok, err = onlyExpects(path, source, changed, index, result.Given)
	}
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("--accept: the expectation of %q in %s cannot be replaced where it stands; nothing was written. Write it yourself:\n  expect: %s",
			visible.Line(name), path, text)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, changed, info.Mode().Perm()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %q expects from now on\n  %s\n", path, visible.Line(name), text)
	return nil
}

// onlyExpects reports whether a changed file differs only in one expectation.
func onlyExpects(path string, before *rulefile.File, after []byte, index int, expected requirement.Expectation) (bool, error) {
	file := rulefile.YAMLFile(after)
	if isJSON(path) {
		file = rulefile.JSONFile(after)
	}
	was, _ := requirement.ReadRuleSet(before)
	is, problems := requirement.ReadRuleSet(file)
	if len(problems) > 0 || index >= len(is.Examples) {
		return false, nil
	}
	was.Examples = slices.Clone(was.Examples)
	was.Examples[index].Expect = expected
	return bytes.Equal(was.CanonicalJSON(), is.CanonicalJSON()), nil
}

// expectationText is an expectation as JSON on one line.
func expectationText(e requirement.Expectation) string {
	var lists []string
	add := func(name string, entries []string) {
		lists = append(lists, quoted(name)+": ["+strings.Join(entries, ", ")+"]")
	}
	if e.Gaps != nil {
		add("gaps", texts(e.Gaps, func(g requirement.ExpectedGap) string { return entryText("fact", g.Fact, "person_id", g.PersonID) }))
	} else {
		add("documents", texts(e.Documents, func(d requirement.ExpectedDocument) string {
			text := entryText("document_type_code", d.DocumentTypeCode, "entity_type", d.EntityType, "person_id", d.PersonID)
			return withOptions(text, d.AnyOf)
		}))
	}
	if e.Findings != nil {
		add("findings", texts(e.Findings, func(f requirement.ExpectedFinding) string {
			return entryText("finding_code", f.FindingCode, "entity_type", f.EntityType, "person_id", f.PersonID)
		}))
	}
	return "{" + strings.Join(lists, ", ") + "}"
}

// withOptions adds the options to the text of a document.
func withOptions(document string, options []requirement.ExpectedOption) string {
	if options == nil {
		return document
	}
	members, isObject := strings.CutSuffix(document, "}")
	if !isObject {
		members = `{"document_type_code": ` + document
	}
	return members + `, "any_of": [` + strings.Join(texts(options, optionText), ", ") + "]}"
}

// optionText is an object, or only the code if the option has nothing else.
func optionText(o requirement.ExpectedOption) string {
	if alone := (requirement.ExpectedOption{DocumentTypeCode: o.DocumentTypeCode}); reflect.DeepEqual(o, alone) {
		return quoted(o.DocumentTypeCode)
	}
	return string(fact.CanonicalJSON(o))
}

func texts[T any](of []T, text func(T) string) []string {
	list := make([]string, len(of))
	for i, one := range of {
		list[i] = text(one)
	}
	return list
}

// entryText is an object of names and texts, or only its first text if all others are empty.
func entryText(names ...string) string {
	var members []string
	for i := 0; i < len(names); i += 2 {
		if names[i+1] != "" {
			members = append(members, quoted(names[i])+": "+quoted(names[i+1]))
		}
	}
	if len(members) == 1 {
		return quoted(names[1])
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func quoted(text string) string {
	json, _ := json.Marshal(text) // encoding a text cannot fail
	return string(json)
}
