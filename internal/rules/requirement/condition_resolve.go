package requirement

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file resolves names and literals. It makes the tree of the condition, in which each node has
// a shape, and reports problems.

// scope has what the names of a condition can mean.
type scope struct {
	version int // of the language
	table   *fact.Table
	lists   map[string]*TextList
	// definitions is nil if there can be none.
	definitions *definitions
	withPerson  bool
	withScore   bool
	asking      bool        // the condition is an asked_when
	asked       []AskedFact // the facts that have one; a condition needs what theirs need
	// constant evaluates an expression that refers to no fact. It returns nil if that takes too
	// much work. It may be nil in a scope that is only used for its names.
	constant func(*Node) any
}

// factNames returns the names that a new condition can use at its top level.
func factNames(withPerson, withScore bool) []string {
	return newestScope(withPerson, withScore).factNames()
}

func newestScope(withPerson, withScore bool) scope {
	return scope{version: newestVersion, table: fact.BuiltIn, withPerson: withPerson, withScore: withScore}
}

func (s scope) factNames() []string {
	var names []string
	if !s.asking {
		names = append(names, fact.NamePersons)
	}
	for _, row := range s.table.Facts {
		if s.has(row) {
			names = append(names, row.Name)
		}
	}
	if s.withPerson {
		names = append(names, fact.NamePerson)
	}
	return names
}

func (s scope) fieldNames() []string {
	var names []string
	for _, row := range s.table.Fields {
		if s.has(row) {
			names = append(names, row.Name)
		}
	}
	return names
}

// knows reports whether the version of the language has a fact. Nothing else compares a version
// with the facts of the language.
func (s scope) knows(row *fact.Row) bool { return row.Since <= s.version }

// has reports whether a condition of this scope can refer to a fact.
func (s scope) has(row *fact.Row) bool { return s.knows(row) && (!row.Priced || s.withScore) }

// words has the names of the language that are not facts, with the first version of each.
var words = map[string]int{fact.NameLists: 1, nameDefinitions: 2}

// reserves reports whether a name is a word of the version.
func (s scope) reserves(name string) bool { return words[name] > 0 && words[name] <= s.version }

// MaxConditionProblems limits how many problems of one condition are reported.
const MaxConditionProblems = 10

// resolver turns a parsed condition into its tree. It is also the type checker: it gives every
// expression its shape, and reports everything that the language does not have or whose types do
// not fit. If it reports nothing, every node has a known shape. It reads literal numbers exactly.
type resolver struct {
	scope
	source               []rune
	info                 *ast.SourceInfo
	variables            []*Node // the loops around the current expression, outermost first
	problems             []Problem
	warnings             []Problem
	usedParts, usedBytes int  // of the definitions that it uses
	refused              bool // one of these definitions was refused
}

func resolve(source string, parsed *ast.AST, names scope) (*Node, *resolver) {
	r := &resolver{scope: names, source: []rune(source), info: parsed.SourceInfo()}
	root := r.expr(parsed.Expr())
	if root.Shape.Known() && root.Shape != fact.BoolShape {
		r.report(root, "is %s, and a condition must be true or false: compare it with something", root.Shape)
	}
	if len(r.problems) == 0 {
		r.divisions(root, nil)
		r.thousandsIn(root, nil, false)
		r.choices(root, nil)
	}
	r.comment(source)
	return root, r
}

// report adds a problem of a node. The message continues the node's text.
func (r *resolver) report(n *Node, format string, args ...any) {
	r.reportAt(n.id, "%s %s", rulefile.Clip(n.Text()), fmt.Sprintf(format, args...))
}

func (r *resolver) reportAt(id int64, format string, args ...any) {
	if len(r.problems) == MaxConditionProblems {
		return
	}
	r.problems = append(r.problems, r.problem(id, fmt.Sprintf(format, args...)))
}

func (r *resolver) warn(n *Node, format string, args ...any) {
	r.warnings = append(r.warnings, r.problem(n.id, fmt.Sprintf(format, args...)))
}

// problem puts a message at the beginning of a name. CEL points at the bracket after a function or
// the point before a field.
func (r *resolver) problem(id int64, message string) Problem {
	offsets, known := r.info.GetOffsetRange(id)
	if !known {
		return Problem{Message: message}
	}
	at := int(offsets.Start)
	switch {
	case at >= len(r.source):
	case r.source[at] == '.':
		at++
	case r.source[at] == '(':
		for at > 0 && NameCharacter(r.source[at-1]) {
			at--
		}
	}
	where := r.info.GetLocationByOffset(int32(at))
	return Problem{Message: message, Line: where.Line(), Column: where.Column() + 1}
}

// NameCharacter reports whether a name may contain a character.
func NameCharacter(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

func (r *resolver) expr(e ast.Expr) *Node {
	n := newNode(e.ID())
	beginning := r.problem(n.id, "")
	n.Line, n.Column = beginning.Line, beginning.Column
	switch e.Kind() {
	case ast.LiteralKind:
		r.literal(n, e.AsLiteral())
	case ast.IdentKind:
		r.ident(n, e.AsIdent(), "")
	case ast.SelectKind:
		r.selection(n, e.AsSelect())
	case ast.ListKind:
		r.array(n, e.AsList())
	case ast.CallKind:
		r.call(n, e.AsCall())
	case ast.ComprehensionKind:
		r.loop(n, e.AsComprehension())
	default:
		r.reportAt(n.id, "rules have no maps or objects in braces: write a list with [ ], or a ? b : c for each case")
	}
	return n
}

func (r *resolver) literal(n *Node, value ref.Val) {
	n.Kind = LiteralKind
	switch value := value.(type) {
	case types.Bool:
		n.Shape, n.Literal = fact.BoolShape, bool(value)
	case types.Double:
		n.Shape = fact.NumberShape
		r.decimal(n, float64(value))
	case types.Int:
		n.Shape = fact.NumberShape
		r.number(n, rational.Int(int64(value)))
	case types.String:
		n.Shape, n.Literal = fact.TextShape, string(value)
		// A control character can be written as an escape, as in "\x00". No fact contains one, and
		// Postgres could not store the sentence of a reason.
		if found := rulefile.Unprintable(string(value)); found != "" {
			r.reportAt(n.id, "this text %s", found)
		}
	case types.Uint:
		r.reportAt(n.id, "write the number %d without the letter u", uint64(value))
	case types.Null:
		r.reportAt(n.id, "null is not part of the rules: leave the comparison out, %s", missingIsAskedFor)
	default:
		r.reportAt(n.id, "this kind of literal is not part of the rules: write a number, true, false or a text in quotes")
	}
}

// decimal reads a number with a fraction from the source, because CEL has only the nearest binary
// number.
func (r *resolver) decimal(n *Node, nearest float64) {
	written := r.written(n)
	text := strings.TrimLeft(strings.TrimPrefix(written, "-"), " \t\r\n")
	if strings.HasPrefix(written, "-") {
		text = "-" + text
	}
	number, err := rational.Parse(text)
	if close, _ := number.Rat().Float64(); err != nil || close != nearest {
		r.reportAt(n.id, "%s is a number too long to be read: write at most 40 digits, with a point if need be", rulefile.Clip(cmp.Or(written, "this")))
		n.Shape = fact.UnknownShape
		return
	}
	r.number(n, number)
}

// written returns the number that begins where n does, as it is written.
func (r *resolver) written(n *Node) string {
	offsets, known := r.info.GetOffsetRange(n.id)
	if !known || int(offsets.Start) > len(r.source) {
		return ""
	}
	source := r.source[offsets.Start:]
	end := 0
	if end < len(source) && source[end] == '-' {
		for end++; end < len(source) && strings.ContainsRune(" \t\r\n", source[end]); end++ {
		}
	}
	for end < len(source) {
		sign := (source[end] == '-' || source[end] == '+') && end > 0 && (source[end-1] == 'e' || source[end-1] == 'E')
		if !sign && source[end] != '.' && !NameCharacter(source[end]) {
			break
		}
		end++
	}
	return string(source[:end])
}

func (r *resolver) number(n *Node, number fact.Number) {
	n.Literal, n.whole = number, number.IsInt()
}

// ident resolves a name. selected is the field that is selected from it, if any.
func (r *resolver) ident(n *Node, name, selected string) {
	n.Name = name
	for i, loop := range slices.Backward(r.variables) {
		if loop.Variable == name {
			n.Slot = i
			n.Kind, n.Shape, n.Origin, n.whole = VariableKind, loop.List().Shape.Element(), loop.List().Origin, loop.List().whole
			return
		}
	}
	n.Kind = FactKind
	row, known := r.table.Find(name)
	n.Row = row
	switch {
	case known && r.has(row):
		n.Shape, n.whole = row.Shape, row.Whole
		if row.Shape.List {
			n.Origin = row
		}
	case known && !r.knows(row):
		r.tooNew(n, "fact", row.Since)
	case known:
		r.reportAt(n.id, "%s is what pricing calculates, so %s cannot refer to it", name, rulefile.Pick(r.asking, "asked_when", "a pricing rule"))
	case r.asking && (name == fact.NamePersons || name == fact.NamePerson && !r.withPerson):
		r.reportAt(n.id, "%s: %s", name, askedWhenReads)
	case name == fact.NamePersons:
		n.Shape, n.Origin = fact.ListOf(fact.PersonShape), fact.Persons
	case name == fact.NamePerson && r.withPerson:
		n.Shape, n.Origin = fact.PersonShape, fact.Persons
	case name == fact.NamePerson && slices.ContainsFunc(r.variables, func(loop *Node) bool { return loop.List().Shape == fact.ListOf(fact.PersonShape) }):
		r.reportAt(n.id, "person exists only in a rule with entity_type Person: in this loop write %s", r.ofPerson("…"))
	case name == fact.NamePerson:
		r.reportAt(n.id, "person exists only in a rule with entity_type Person: write persons.exists(p, …) to look at every person")
	case name == fact.NameLists:
		r.reportAt(n.id, "lists is not a value by itself: write lists.NAME")
	case name == nameDefinitions && r.reserves(name):
		r.reportAt(n.id, "definitions is not a value by itself: write definitions.NAME")
	case name == fact.NameCustom:
		r.reportAt(n.id, "custom is not a value by itself: write custom.NAME")
	default:
		r.unknownName(n, selected)
	}
}

// tooNew reports what the version of the language does not have yet.
func (r *resolver) tooNew(n *Node, kind string, since int) {
	r.reportAt(n.id,
		"%s is a %s since version %d of the language, and these rules were published under version %d: publish them again to use it",
		n.Name, kind, since, r.version)
}

func (r *resolver) unknownName(n *Node, selected string) {
	names := r.factNames()
	for _, loop := range r.variables {
		names = append(names, loop.Variable)
	}
	if _, isField := r.table.FindField(n.Name); isField {
		r.reportAt(n.id, "%s belongs to a person: write %s", n.Name, r.ofPerson(n.Name))
		return
	}
	if _, isList := r.lists[n.Name]; isList {
		r.reportAt(n.id, "%s is a list of this rule set: write lists.%s", n.Name, n.Name)
		return
	}
	if slices.Contains(r.definitions.names(), n.Name) {
		r.reportAt(n.id, "%s is a definition of this rule set: write definitions.%s", n.Name, n.Name)
		return
	}
	if agePattern.MatchString(n.Name) {
		r.reportAt(n.id,
			"%s is not the name of a fact: write days_since(established_date) for the age of the business in days, "+
				"and business_age_months or business_age_years for months or years",
			rulefile.Clip(n.Name))
		return
	}
	if row := r.table.Lookup(fact.NameCustom + "." + n.Name); row.Declared != nil {
		r.reportAt(n.id, "%s is a declared fact: write %s", n.Name, r.declaredName(row))
		return
	}
	if alone := r.withoutOwner(selected); alone == "" &&
		(recorded(n.Name) ||
			slices.Contains([]string{"business", "account", "workflow"}, n.Name) && recorded(selected)) {
		r.reportAt(n.id,
			"%s is on record, but rules cannot use it: declare what you need of it under facts; the facts are %s",
			cmp.Or(selected, n.Name), strings.Join(names, ", "))
		return
	}
	if _, isField := r.table.FindField(selected); isField || len(n.Name) == 1 && (selected == fact.NameCustom || selected == nameDefinitions && r.version >= definitionsSince) {
		r.reportAt(n.id,
			"%s stands for a person only within a loop: write persons.exists(%s, %s.%s …)",
			rulefile.Clip(n.Name), rulefile.Clip(n.Name), rulefile.Clip(n.Name), selected)
		return
	}
	known := append(slices.Clone(names), fact.NameLists, fact.NameCustom)
	if selected != "" {
		near := rulefile.DidYouMean(n.Name, known)
		if near == "" {
			near = r.withoutOwner(selected) + "; the facts are " + strings.Join(names, ", ")
		}
		r.reportAt(n.id, "%s is not the name of a fact%s", rulefile.Clip(n.Name), near)
		return
	}
	if near := meant(n.Name, known); near != "" {
		r.reportAt(n.id, "%s is not the name of a fact%s", rulefile.Clip(n.Name), near)
		return
	}
	if fields := meantNames(n.Name, r.fieldNames()); len(fields) > 0 {
		r.reportAt(n.id,
			"%s is not the name of a fact; on record is the %s of each person: write %s",
			rulefile.Clip(n.Name), fact.Words(strings.TrimPrefix(fields[0], fact.NameCustom+".")), r.ofPerson(fields[0]))
		return
	}
	if hint, ok := strangeWords[strings.ToLower(n.Name)]; ok && !fact.IsCitizenship(n.Name) {
		r.reportAt(n.id, "%s is not part of the rules: %s", n.Name, hint)
		return
	}
	if near, ok := nearestDeclared(n.Name, slices.Concat(r.table.DeclaredNames(false), r.table.DeclaredNames(true))); ok {
		r.reportAt(n.id, "%s is not the name of a fact; did you mean %s?", rulefile.Clip(n.Name), r.declaredName(r.table.Lookup(near)))
		return
	}
	if declarable.MatchString(n.Name) {
		r.reportAt(n.id,
			"%s is not the name of a fact: declare it under facts and write custom.%s; or if it is text, put it in quotes: %q; the facts are %s",
			n.Name, n.Name, n.Name, strings.Join(names, ", "))
		return
	}
	r.reportAt(n.id,
		"%s is not the name of a fact; if it is text, put it in quotes: %q; the facts are %s",
		rulefile.Clip(n.Name), rulefile.Clip(n.Name), strings.Join(names, ", "))
}

// agePattern matches an age in a unit that the rules do not count. A guess of business_age_years
// would be dangerous.
var agePattern = regexp.MustCompile(`^(?:business_)?age_?(?:in_)?(?:days?|weeks?|hours?|quarters?)$`)

// recorded reports whether a name belongs to a stored value that rules cannot use.
func recorded(name string) bool {
	return slices.Contains([]string{
		"address", "city", "currency", "email", "first_name", "last_name", "legal_name", "line1", "line2",
		"operating_name", "phone_number", "postal_code", "region", "time_zone", "website",
	}, name)
}

// strangeWords says what to write instead of a word that is not a name, in upper or lower case.
var strangeWords = map[string]string{
	"always":           "leave when out, and the document is always required",
	"empty":            "leave the comparison out, " + missingIsAskedFor,
	"false":            "write false in small letters, or deny the condition with !(…)",
	"never":            "write false, or take the rule out",
	"nil":              "leave the comparison out, " + missingIsAskedFor,
	fact.NameNoPersons: "write size(persons) == 0",
	"no":               "leave the comparison out and deny the condition, !(…), or write false",
	"none":             "leave the comparison out, " + missingIsAskedFor,
	"now":              countFromDates,
	"null":             "leave the comparison out, " + missingIsAskedFor,
	"today":            countFromDates,
	"true":             "write true in small letters, or leave the comparison out: a condition is true or false by itself",
	"undefined":        "leave the comparison out, " + missingIsAskedFor,
	"unknown":          "leave the comparison out, " + missingIsAskedFor,
	"yes":              "leave the comparison out, for a condition is true or false by itself, or write true",
}

// ofPerson writes the name of a person's field for this condition.
func (r *resolver) ofPerson(field string) string {
	for _, loop := range slices.Backward(r.variables) {
		if loop.List().Shape == fact.ListOf(fact.PersonShape) {
			return loop.Variable + "." + field
		}
	}
	if r.withPerson {
		return "person." + field
	}
	return "persons.exists(p, p." + field + " …)"
}

// withoutOwner is the hint for a fact that is written with its owner, as in
// workflow.evaluation_score.
func (r *resolver) withoutOwner(selected string) string {
	if row, ok := r.table.Find(selected); ok && r.has(row) {
		return ": write " + selected + " alone"
	}
	return ""
}

// europeanThousands matches a number with a point where some countries separate the thousands.
var europeanThousands = regexp.MustCompile(`^[1-9][0-9]{0,2}\.[0-9]{3}$`)

// thousandsIn looks for such numbers. It skips those that are compared or calculated with a
// percentage, because these are never in the thousands. loops are the loops around n.
func (r *resolver) thousandsIn(n *Node, loops []*Node, percentage bool) {
	if n == nil {
		return
	}
	if n.Kind == LiteralKind && n.Shape == fact.NumberShape && !percentage {
		r.thousands(n)
	}
	if n.Shape == fact.BoolShape {
		percentage = slices.ContainsFunc(n.Args, func(arg *Node) bool { return arg.Percentage(loops) })
	}
	for i, arg := range n.Args {
		if n.Kind == LoopKind && i == 1 {
			loops = append(slices.Clip(loops), n)
		}
		r.thousandsIn(arg, loops, percentage)
	}
}

// thousands warns of 50.000, which is 50: no amount has three decimals.
func (r *resolver) thousands(n *Node) {
	written := r.written(n)
	if europeanThousands.MatchString(written) {
		r.warn(n, "%s is %s, with a decimal point: write %s for thousands", written, LiteralText(n.Literal), strings.Replace(written, ".", "", 1))
	}
}

func (r *resolver) listNames() string {
	if len(r.lists) == 0 {
		return "; it has none"
	}
	return "; its lists are " + strings.Join(slices.Sorted(maps.Keys(r.lists)), ", ")
}

func (r *resolver) selection(n *Node, selected ast.SelectExpr) {
	operand := selected.Operand()
	if operand.Kind() == ast.IdentKind && operand.AsIdent() == fact.NameLists {
		r.namedList(n, selected.FieldName())
		return
	}
	if operand.Kind() == ast.IdentKind && operand.AsIdent() == nameDefinitions && r.reserves(nameDefinitions) {
		r.definition(n, nil, selected.FieldName())
		return
	}
	if owner, ok := r.definitionOf(operand); ok {
		r.definition(n, owner, selected.FieldName())
		return
	}
	if owner, ok := r.custom(operand); ok {
		r.declared(n, operand.ID(), owner, selected.FieldName())
		return
	}
	var of *Node
	if operand.Kind() == ast.IdentKind {
		of = newNode(operand.ID())
		r.ident(of, operand.AsIdent(), selected.FieldName())
	} else {
		of = r.expr(operand)
	}
	n.Kind, n.Name, n.Args = FieldKind, selected.FieldName(), []*Node{of}
	field, known := r.table.FindField(n.Name)
	n.Row = field
	ofBusiness, isOfBusiness := r.table.Find(n.Name)
	isOfBusiness = isOfBusiness && r.has(ofBusiness)
	switch {
	case of.Shape == fact.PersonShape && known && r.has(field):
		n.Shape, n.whole, n.Origin = field.Shape, field.Whole, field
	case of.Shape == fact.PersonShape && known:
		r.tooNew(n, "fact", field.Since)
	case of.Shape == fact.PersonShape && n.Name == fact.NameCustom:
		r.reportAt(n.id, "custom is not a value by itself: write %s.custom.NAME", rulefile.Clip(of.Text()))
	case of.Shape == fact.PersonShape && r.table.Lookup(fact.NameCustom+"."+n.Name).Declared != nil:
		r.reportAt(n.id, "%s is a declared fact: write %s", n.Name, r.declaredName(r.table.Lookup(fact.NameCustom+"."+n.Name)))
	case of.Shape == fact.PersonShape && isOfBusiness:
		hint := strings.Join(meantNames(n.Name, r.fieldNames()), " or ")
		r.reportAt(n.id,
			"%s is a fact of the business, and no field of a person: write %s alone%s",
			n.Name, n.Name, rulefile.Pick(hint == "", "", ", or for a person "+hint))
	case of.Shape == fact.PersonShape && recorded(n.Name):
		r.reportAt(n.id,
			"%s is on record, but rules cannot use it: declare what you need of it under facts; the fields of a person are %s",
			rulefile.Clip(n.Name), strings.Join(r.fieldNames(), ", "))
	case of.Shape == fact.PersonShape && n.Name == "age":
		r.reportAt(n.id, "a person has no field age: write years_since(%s.date_of_birth)", rulefile.Clip(of.Text()))
	case of.Shape == fact.PersonShape:
		r.reportAt(n.id, "a person has no field %s%s; the fields are %s", rulefile.Clip(n.Name), meant(n.Name, r.fieldNames()), strings.Join(r.fieldNames(), ", "))
	case of.Shape.List && slices.Contains([]string{"size", "length", "count"}, n.Name):
		r.reportAt(n.id, "write size(%s) for how many there are", rulefile.Clip(of.Text()))
	case of.Shape == fact.DateShape:
		r.reportAt(n.id,
			"%s is a date and has no field %s: compare it with a date, established_date < date(\"2020-01-31\"), or count from it, as in years_since(%s)",
			rulefile.Clip(of.Text()), rulefile.Clip(n.Name), rulefile.Clip(of.Text()))
	case of.Shape == fact.ListOf(fact.PersonShape):
		field := n.Name
		if r.table.Lookup(fact.NameCustom+"."+field).Declared != nil {
			field = fact.NameCustom + "." + field
		}
		r.reportAt(n.id,
			"%s is a list of persons and has no field %s: write %s.exists(p, p.%s …)",
			rulefile.Clip(of.Text()), rulefile.Clip(n.Name), rulefile.Clip(of.Text()), rulefile.Clip(field))
	case of.Shape.Known():
		r.reportAt(n.id, "%s is %s and has no field %s", rulefile.Clip(of.Text()), of.Shape, rulefile.Clip(n.Name))
	}
}

func (r *resolver) namedList(n *Node, name string) {
	n.Kind, n.Name = ListKind, name
	if _, ok := r.lists[name]; !ok {
		hint := rulefile.DidYouMean(name, slices.Sorted(maps.Keys(r.lists)))
		r.reportAt(n.id, "lists.%s is not a list of this rule set%s", rulefile.Clip(name), cmp.Or(hint, r.listNames()))
		return
	}
	n.Shape = fact.ListOf(fact.TextShape)
}

func (r *resolver) array(n *Node, list ast.ListExpr) {
	n.Kind = ArrayKind
	for _, element := range list.Elements() {
		n.Args = append(n.Args, r.expr(element))
	}
	n.Shape, n.whole = fact.Shape{List: true}, true
	for _, element := range n.Args {
		n.whole = n.whole && element.whole
		switch {
		case !element.Shape.Known():
		case element.Shape.List || element.Shape == fact.PersonShape:
			r.report(element, "is %s, which a list in brackets cannot hold", element.Shape)
		case n.Shape.EmptyList():
			n.Shape = fact.ListOf(element.Shape)
		case element.Shape != n.Shape.Element():
			r.report(element,
				"is %s, and the list begins with %s: all entries of a list must be of one kind%s",
				element.Shape, n.Shape.Element(),
				rulefile.Pick(n.Shape.Element() == fact.TextShape && element.Shape.Number(), ", so put it in quotes", ""))
		}
		if element.Kind == CallKind && element.Name == operators.Subtract && element.whole && element.Constant() {
			r.warn(element, "%s is a difference, and no range: write x >= 500 && x <= 600 for \"from 500 to 600\"", rulefile.Clip(element.Text()))
		}
	}
	if len(n.Args) > 0 && n.Shape.EmptyList() {
		n.Shape = fact.UnknownShape
	}
	n.items = literals(n.Args)
}

// literals returns the values of nodes if all are literals, and nil otherwise.
func literals(nodes []*Node) []datum {
	items := make([]datum, len(nodes))
	for i, n := range nodes {
		if n.Kind != LiteralKind {
			return nil
		}
		items[i].value = n.Literal
	}
	return items
}

// denied maps each comparison to the one that holds when it does not.
var denied = map[string]string{
	operators.Equals: operators.NotEquals, operators.NotEquals: operators.Equals, operators.Less: operators.GreaterEquals,
	operators.LessEquals: operators.Greater, operators.Greater: operators.LessEquals, operators.GreaterEquals: operators.Less,
}

// comment warns of a comment that extends to the end of the condition. When the lines of a file are
// folded into one, everything after // becomes a comment. A comment with && or || has hidden a part
// of the condition.
func (r *resolver) comment(source string) {
	last := source[strings.LastIndex(source, "\n")+1:]
	outside, _ := blankQuoted(last)
	at := strings.Index(outside, "//")
	if at < 0 {
		return
	}
	comment := strings.TrimSpace(last[at:])
	problem := problemAt(source, len(source)-len(last)+at, "")
	if strings.Contains(comment, "&&") || strings.Contains(comment, "||") {
		problem.Message = fmt.Sprintf(
			"everything after // is a comment, and this one contains a part of the condition (%s): begin the condition with when: | to keep its lines apart, "+
				"or write the comment above it with #",
			rulefile.Clip(comment))
		r.problems = append(r.problems, problem)
		return
	}
	problem.Message = fmt.Sprintf("the text after // is a comment, and the check ignores it: %s", rulefile.Clip(comment))
	r.warnings = append(r.warnings, problem)
}
