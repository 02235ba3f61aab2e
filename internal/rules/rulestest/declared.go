package rulestest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
)

// Values parses values of declared facts from JSON. It panics for anything else.
func Values(text string) (values fact.Values) {
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		panic(err)
	}
	return values
}

func value(text string) *fact.Value {
	v := Values(`{"v":` + text + `}`)["v"]
	return &v
}

// stated has values of each type. Conditions often compare with the second.
var stated = map[fact.DeclaredType][]string{
	fact.DeclaredBoolean: {"true", "false"}, fact.DeclaredNumber: {"0.000001", "12", "-3"}, fact.DeclaredAmount: {"0", "62000", "0.01"},
	fact.DeclaredDate: {`"2024-02-29"`, `"2025-02-01"`}, fact.DeclaredText: {`"B"`, `"A"`, `"C"`}, fact.DeclaredTextList: {`[]`, `["A"]`, `["C","A"]`},
}

// DrawDeclarations draws facts of each type and entity, with or without choices and defaults.
func DrawDeclarations(t *rapid.T) (declared []fact.Declaration) {
	for i := range rapid.IntRange(0, 6).Draw(t, "declared") {
		of := fact.DeclaredType(rapid.SampledFrom(fact.DeclaredTypes()).Draw(t, "type"))
		d := fact.Declaration{
			Name: fmt.Sprintf("f%d", i), EntityType: rapid.SampledFrom(fact.EntityTypes()).Draw(t, "of"), Type: of,
			Label: fmt.Sprintf("fact %d", i), Ask: fmt.Sprintf("The fact %d.", i),
		}
		if (of == fact.DeclaredText || of == fact.DeclaredTextList) && rapid.Bool().Draw(t, "chosen") {
			d.Choices = []string{"A", "B", "C"}
		}
		if rapid.IntRange(0, 3).Draw(t, "counts as a default") == 0 {
			d.Default = value(rapid.SampledFrom(stated[of]).Draw(t, "default"))
		}
		declared = append(declared, d)
	}
	return declared
}

// Counts reports whether a value fits a declared fact. It shares no code with the rules.
func Counts(d fact.Declaration, v fact.Value) bool {
	of := map[fact.DeclaredType]func() bool{
		fact.DeclaredBoolean: func() bool { _, ok := v.Stated().(bool); return ok },
		fact.DeclaredNumber:  func() bool { _, ok := v.Stated().(fact.Number); return ok },
		fact.DeclaredAmount:  func() bool { n, ok := v.Stated().(fact.Number); return ok && n.Sign() >= 0 && n.String() != "0.000001" },
		fact.DeclaredDate:    func() bool { text, ok := v.Stated().(string); return ok && len(text) == len("2024-02-29") },
		fact.DeclaredText: func() bool {
			text, ok := v.Stated().(string)
			return ok && (d.Choices == nil || slices.Contains(d.Choices, text))
		},
		fact.DeclaredTextList: func() bool {
			texts, ok := v.Stated().([]string)
			return ok && (d.Choices == nil || !slices.ContainsFunc(texts, func(text string) bool { return !slices.Contains(d.Choices, text) }))
		},
	}[d.Type]
	return of()
}

// DrawValues stores values of declared facts in f. Unless complete, some are missing, have another
// type, or are not a choice, and some belong to facts that are not declared.
func DrawValues(t *rapid.T, f *fact.Facts, declared []fact.Declaration, complete bool) {
	draw := func(values *fact.Values, d fact.Declaration) {
		if *values == nil {
			*values = fact.Values{}
		}
		of := d.Type
		switch {
		case complete:
		case rapid.Bool().Draw(t, "no "+d.Name):
			return
		case rapid.IntRange(0, 3).Draw(t, "of another type") == 0:
			of = fact.DeclaredType(rapid.SampledFrom(fact.DeclaredTypes()).Draw(t, "type on file"))
		}
		text := rapid.SampledFrom(stated[of]).Draw(t, "value")
		if !complete && rapid.IntRange(0, 5).Draw(t, "no choice") == 0 {
			text = cmp.Or(map[fact.DeclaredType]string{fact.DeclaredText: `"Z"`, fact.DeclaredTextList: `["A","Z"]`}[of], text)
		}
		(*values)[d.Name] = *value(text)
	}
	f.Persons = slices.Clone(f.Persons)
	for _, d := range append(slices.Clone(declared), fact.Declaration{Name: "undeclared", EntityType: fact.EntityBusiness, Type: fact.DeclaredText}) {
		if d.EntityType != fact.EntityPerson {
			draw(&f.Custom, d)
			continue
		}
		for i := range f.Persons {
			draw(&f.Persons[i].Custom, d)
		}
	}
}

// declaredComparison draws a condition about a declared fact. ok is false if none can be read.
func (d *Drawn) declaredComparison(person string) (condition string, ok bool) {
	readable := slices.DeleteFunc(slices.Clone(d.Declared), func(of fact.Declaration) bool {
		return of.EntityType == fact.EntityPerson && person == "" && d.Loops >= 2
	})
	if len(readable) == 0 {
		return "", false
	}
	of := readable[d.pick("declared fact", len(readable))]
	name := "custom." + of.Name
	if of.EntityType == fact.EntityPerson {
		d.Fields[name] = true
		if person == "" || d.Loops < 2 && d.pick("sum", 3) == 0 {
			return d.sum(of), true
		}
		name = person + "." + name
	} else {
		d.Facts[name] = true
	}
	const chosen = "(%s ? true : evaluation_score > 600)"
	conditions := map[fact.DeclaredType][]string{
		fact.DeclaredBoolean: {"%s", "!%s", "%s == false", chosen},
		fact.DeclaredNumber:  {"%s > 12", "%s * 2 == 24", "%s in [-3, 12]", "-(%s) < 3"},
		fact.DeclaredAmount:  {"%s >= 62000", "%s / 3 > 0.01", "%s != 0"},
		fact.DeclaredDate: {
			`%s < date("2025-02-01")`, `%s == date("2024-02-29")`,
			"days_since(%s) > 400", "months_since(%s) >= 24", "years_since(%s) == 1",
			`years_between(%s, date("2025-02-28")) == 0`,
		},
		fact.DeclaredText: {`%s == "A"`, `%s != "B"`, `%s in ["A", "C"]`, `%s.startsWith("A")`, `%s + "/" != "A/"`, `("of " + %s) in ["of A", "of C"]`},
		fact.DeclaredTextList: {`"A" in %s`, `!("A" in %s)`, `%s.exists(e, e == "C")`, `%s.all(e, e != "B")`, "size(%s) == 1",
			`%s.filter(e, e != "A").size() > 0`, `%s.map(e, e + "/").exists(e, e == "A/")`},
	}[of.Type]
	condition = conditions[d.pick("declared", len(conditions))]
	if condition == chosen {
		d.Facts["evaluation_score"] = true
	}
	return fmt.Sprintf("("+condition+")", name), true
}

// sum draws a comparison of the sum of a fact of persons, for any type.
func (d *Drawn) sum(of fact.Declaration) string {
	d.Loops++
	variable := fmt.Sprintf("s%d", d.Loops)
	term := fmt.Sprintf(map[fact.DeclaredType]string{
		fact.DeclaredBoolean: "(%s ? 1 : 0)", fact.DeclaredNumber: "%s", fact.DeclaredAmount: "%s", fact.DeclaredDate: "months_since(%s)",
		fact.DeclaredText: `(%s == "A" ? 1 : 0)`, fact.DeclaredTextList: "size(%s)",
	}[of.Type], variable+".custom."+of.Name)
	persons := "persons"
	if d.pick("of some", 2) == 0 {
		persons = fmt.Sprintf(`persons.filter(%s, %s.person_id != "p_1")`, variable, variable)
	}
	return fmt.Sprintf("(%s.sum(%s, %s) > %s)", persons, variable, term, d.literal())
}

// defined draws a definition and its use. Its condition cannot read the variables of loops around
// the use.
func (d *Drawn) defined(depth int) string {
	condition := d.boolean(depth, "")
	name := fmt.Sprintf("d%d", len(d.Definitions)) // definitions that it uses are named already
	d.Definitions[name] = condition
	return "definitions." + name
}
