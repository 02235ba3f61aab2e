//go:build deep

package requirement

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	stdenv "cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/parser"
	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// CEL as a second opinion: the same conditions, checked by CEL's own type checker and
// evaluated by its interpreter.

// personTypeName is the CEL type of person and of the elements of persons.
const personTypeName = "Person"

func personType() *types.Type { return types.NewObjectType(personTypeName) }

// customTypeName is the CEL type of what custom of a person is.
const customTypeName = "PersonCustom"

// standardFunctions is the part of CEL's standard library that conditions may use.
func standardFunctions() *stdenv.LibrarySubset {
	pick := func(name string, overloadIDs ...string) *stdenv.Function {
		picked := make([]*stdenv.Overload, len(overloadIDs))
		for i, id := range overloadIDs {
			picked[i] = &stdenv.Overload{ID: id}
		}
		return stdenv.NewFunction(name, picked...)
	}
	return stdenv.NewLibrarySubset().SetDisableMacros(true).AddIncludedFunctions(
		pick(operators.LogicalAnd), pick(operators.LogicalOr), pick(operators.LogicalNot),
		pick(operators.NotStrictlyFalse), pick(operators.Conditional),
		pick(operators.Equals), pick(operators.NotEquals),
		pick(operators.Less, overloads.LessString, overloads.LessTimestamp),
		pick(operators.LessEquals, overloads.LessEqualsString, overloads.LessEqualsTimestamp),
		pick(operators.Greater, overloads.GreaterString, overloads.GreaterTimestamp),
		pick(operators.GreaterEquals, overloads.GreaterEqualsString, overloads.GreaterEqualsTimestamp),
		// Only the expansion of filter and map adds lists. Only the expansion of exists_one adds
		// CEL's own integers.
		pick(operators.Add, overloads.AddInt64, overloads.AddList, overloads.AddString),
		pick(operators.In, overloads.InList),
		pick(overloads.Contains), pick(overloads.StartsWith), pick(overloads.EndsWith),
	)
}

// celEnvironment checks and evaluates conditions that use the names of a scope.
func celEnvironment(t *testing.T, names scope) *cel.Env {
	registry, err := types.NewRegistry()
	require.NoError(t, err)
	options := []cel.EnvOption{
		cel.CustomTypeAdapter(registry),
		cel.CustomTypeProvider(personProvider{registry, names}),
		cel.StdLib(cel.StdLibSubset(standardFunctions())),
		cel.Macros(cel.AllMacro, cel.ExistsMacro, cel.ExistsOneMacro, cel.FilterMacro, cel.MapMacro, cel.MapFilterMacro, sumMacro(celZero)),
		cel.EnableMacroCallTracking(),
	}
	options = append(options, celFunctions()...)
	for unit, function := range map[string]func(from, to fact.Date) int64{"days": fact.DaysSince, "months": fact.MonthsSince, "years": fact.YearsSince} {
		count := func(from, to ref.Val) ref.Val {
			return celNumber{rational.Int(function(fact.DateOf(from.(types.Timestamp).Time), fact.DateOf(to.(types.Timestamp).Time)))}
		}
		today := types.Timestamp{Time: rulestest.CompleteFacts().AsOf.UTC()}
		options = append(options,
			cel.Function(unit+"_since", cel.Overload(unit+"_since_date", []*types.Type{types.TimestampType}, numberType, cel.UnaryBinding(func(of ref.Val) ref.Val { return count(of, today) }))),
			cel.Function(unit+"_between", cel.Overload(unit+"_between_dates", []*types.Type{types.TimestampType, types.TimestampType}, numberType, cel.BinaryBinding(count))))
	}
	for _, row := range names.table.Facts {
		if names.has(row) {
			options = append(options, cel.Variable(row.Name, celType(row.Shape)))
		}
	}
	options = append(options, cel.Variable(fact.NamePersons, types.NewListType(personType())))
	if names.withPerson {
		options = append(options, cel.Variable(fact.NamePerson, personType()))
	}
	for name := range names.lists {
		options = append(options, cel.Variable(fact.NameLists+"."+name, types.NewListType(types.StringType)))
	}
	env, err := cel.NewCustomEnv(options...)
	require.NoError(t, err)
	return env
}

// personProvider adds the Person type to a registry. It has no constructor, so
// a condition cannot make a person up.
type personProvider struct {
	*types.Registry
	names scope
}

func (p personProvider) FindStructType(name string) (*types.Type, bool) {
	if name == personTypeName || name == customTypeName {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Registry.FindStructType(name)
}

func (p personProvider) FindStructFieldNames(name string) ([]string, bool) {
	if name == personTypeName {
		return p.names.fieldNames(), true
	}
	return p.Registry.FindStructFieldNames(name)
}

func (p personProvider) FindStructFieldType(typeName, fieldName string) (*types.FieldType, bool) {
	switch {
	case typeName == customTypeName:
		fieldName = fact.NameCustom + "." + fieldName
	case typeName != personTypeName:
		return p.Registry.FindStructFieldType(typeName, fieldName)
	case fieldName == fact.NameCustom:
		return &types.FieldType{
			Type: types.NewObjectType(customTypeName), IsSet: func(any) bool { return true },
			GetFrom: func(target any) (any, error) { return celCustom{celPerson{target.(*fact.PersonFacts)}}, nil },
		}, true
	}
	field, ok := p.names.table.FindField(fieldName)
	if !ok || !p.names.has(field) {
		return nil, false
	}
	return &types.FieldType{
		Type: celType(field.Shape), IsSet: func(any) bool { return true },
		GetFrom: func(target any) (any, error) { return celValue(field.ValueOf(target.(*fact.PersonFacts))), nil },
	}, true
}

// numberType is the one type of numbers in conditions. CEL's own whole numbers
// occur only in what it makes of exists_one.
var numberType = types.NewObjectType("number", traits.AdderType, traits.ComparerType)

// literalFunction makes a number of the text of a literal. It stands where a number
// was written: CEL's type checker knows no literals of other types than its own.
const literalFunction = "number"

// celZero is where sum begins: CEL's own zero is of another type.
func celZero(eh parser.ExprHelper) ast.Expr {
	return eh.NewCall(literalFunction, eh.NewLiteral(types.String("0")))
}

// celFunctions are numbers with their operators, size, which gives one, and dates.
func celFunctions() []cel.EnvOption {
	number := func(value fact.Number, err error) ref.Val {
		if err != nil {
			return types.WrapErr(err)
		}
		return celNumber{value}
	}
	var options []cel.EnvOption
	for operator, calculate := range map[string]func(a, b fact.Number) (fact.Number, error){
		operators.Add: fact.Number.Add, operators.Subtract: fact.Number.Sub, operators.Multiply: fact.Number.Mul, operators.Divide: fact.Number.Quo, operators.Modulo: fact.Number.Rem,
	} {
		binding := []cel.OverloadOpt{cel.BinaryBinding(func(a, b ref.Val) ref.Val { return number(calculate(a.(celNumber).Number, b.(celNumber).Number)) })}
		if operator == operators.Add {
			binding = nil // CEL calls celNumber.Add
		}
		options = append(options, cel.Function(operator, cel.Overload(operator+"number", []*types.Type{numberType, numberType}, numberType, binding...)))
	}
	for _, operator := range []string{operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals} {
		options = append(options, cel.Function(operator, cel.Overload(operator+"number", []*types.Type{numberType, numberType}, types.BoolType)))
	}
	size := cel.UnaryBinding(func(of ref.Val) ref.Val {
		return celNumber{rational.Int(int64(of.(traits.Sizer).Size().(types.Int)))}
	})
	list, text := []*types.Type{types.NewListType(types.NewTypeParamType("A"))}, []*types.Type{types.StringType}
	return append(options,
		cel.Function(operators.Negate, cel.Overload("-number", []*types.Type{numberType}, numberType, cel.UnaryBinding(func(of ref.Val) ref.Val { return celNumber{of.(celNumber).Neg()} }))),
		cel.Function(literalFunction, cel.Overload("number_string", text, numberType, cel.UnaryBinding(func(of ref.Val) ref.Val { return number(rational.Parse(string(of.(types.String)))) }))),
		cel.Function(overloads.Size,
			cel.Overload(overloads.SizeList, list, numberType, size), cel.MemberOverload(overloads.SizeListInst, list, numberType, size),
			cel.Overload(overloads.SizeString, text, numberType, size), cel.MemberOverload(overloads.SizeStringInst, text, numberType, size)),
		cel.Function("date", cel.Overload("date_string", text, cel.TimestampType, cel.UnaryBinding(func(of ref.Val) ref.Val {
			date, err := fact.ParseDate(string(of.(types.String)))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Timestamp{Time: date.UTC()}
		}))))
}

// celType is a shape in the types of CEL.
func celType(s fact.Shape) *types.Type {
	var t *types.Type
	switch s.Base {
	case fact.BoolBase:
		t = types.BoolType
	case fact.NumberBase:
		t = numberType
	case fact.TextBase:
		t = types.StringType
	case fact.DateBase:
		t = types.TimestampType
	case fact.PersonBase:
		t = personType()
	default:
		t = types.DynType
	}
	if s.List {
		return types.NewListType(t)
	}
	return t
}

// celNumber is a number as CEL holds it.
type celNumber struct{ fact.Number }

func (celNumber) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (celNumber) ConvertToType(ref.Type) ref.Val            { return types.NewErr("unsupported") }
func (celNumber) Type() ref.Type                            { return numberType }
func (v celNumber) Value() any                              { return v.Number }
func (v celNumber) Equal(other ref.Val) ref.Val {
	same, ok := other.(celNumber)
	return types.Bool(ok && v.Number.Equal(same.Number))
}
func (v celNumber) Compare(other ref.Val) ref.Val { return types.Int(v.Cmp(other.(celNumber).Number)) }
func (v celNumber) Add(other ref.Val) ref.Val {
	sum, err := v.Number.Add(other.(celNumber).Number)
	if err != nil {
		return types.WrapErr(err)
	}
	return celNumber{sum}
}

// celPerson is a person as CEL holds it.
type celPerson struct{ *fact.PersonFacts }

func (celPerson) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (celPerson) ConvertToType(ref.Type) ref.Val            { return types.NewErr("unsupported") }
func (celPerson) Equal(ref.Val) ref.Val                     { return types.NewErr("unsupported") }
func (celPerson) Type() ref.Type                            { return personType() }
func (p celPerson) Value() any                              { return p.PersonFacts }

// celCustom is what custom of a person is.
type celCustom struct{ celPerson }

func (celCustom) Type() ref.Type { return types.NewObjectType(customTypeName) }

func celValue(value any) ref.Val {
	switch v := value.(type) {
	case bool:
		return types.Bool(v)
	case fact.Number:
		return celNumber{v}
	case string:
		return types.String(v)
	case fact.Date:
		return types.Timestamp{Time: v.UTC()}
	case []string:
		return types.NewStringList(types.DefaultTypeAdapter, v)
	}
	return types.NewErr("no value of a fact is a %T", value)
}

// celChecked is a condition as CEL's type checker sees it. Numbers and dates that are
// written out become calls of functions, because CEL has no such literals.
func celChecked(t *testing.T, env *cel.Env, source string, names scope) (*Node, *cel.Ast) {
	parsed, issues := env.Parse(source)
	require.NoError(t, issues.Err(), source)
	tree, resolved := resolve(source, parsed.NativeRep(), names)
	require.Empty(t, resolved.problems, source)
	factory, id := ast.NewExprFactory(), ast.MaxID(parsed.NativeRep())
	calls := map[int64]ast.Expr{}
	tree.Walk(func(n *Node) {
		id++
		switch value := n.Literal.(type) {
		case fact.Number:
			calls[n.id] = factory.NewCall(n.id, literalFunction, factory.NewLiteral(id, types.String(value.String())))
		case fact.Date:
			calls[n.id] = factory.NewCall(n.id, "date", factory.NewLiteral(id, types.String(value.String())))
		}
	})
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if call := calls[e.ID()]; call != nil {
			e.SetKindCase(call)
		}
	}))
	checked, issues := env.Check(parsed)
	require.NoError(t, issues.Err(), source)
	return tree, checked
}

// requireSameTypes holds the shapes and the needs of a tree against the types that CEL
// found, and against the names in its checked expression.
func requireSameTypes(t *testing.T, source string, tree *Node, checked *ast.AST, table *fact.Table) {
	require.Equal(t, types.BoolType, checked.GetType(checked.Expr().ID()), source)
	tree.Walk(func(n *Node) {
		found := checked.GetType(n.id)
		require.True(t, n.Shape.EmptyList() || found.IsExactType(celType(n.Shape)), "%s in %s: %s, and %s", n.Text(), source, n.Shape, found)
	})
	require.Equal(t, celNeeds(checked, table), tree.needs(), source)
}

// celNeeds reads the needs off a checked expression: every variable and every field that
// occurs in it anywhere, evaluated or not.
func celNeeds(checked *ast.AST, table *fact.Table) fact.Needs {
	found := fact.Needs{Facts: map[*fact.Row]bool{}, Fields: map[*fact.Row]bool{}}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			name := e.AsIdent()
			if row, ok := table.Find(name); ok {
				found.Facts[row] = true
			}
			found.People = found.People || name == fact.NamePersons
		case ast.CallKind:
			found.Counts = found.Counts || strings.HasSuffix(e.AsCall().FunctionName(), "s_since")
		case ast.ComprehensionKind:
			list := checked.GetType(e.AsComprehension().IterRange().ID())
			found.Looped = found.Looped || len(list.Parameters()) == 1 && list.Parameters()[0].TypeName() == personTypeName
		case ast.SelectKind:
			selected := e.AsSelect()
			switch of := checked.GetType(selected.Operand().ID()).TypeName(); {
			case of == personTypeName && selected.FieldName() != fact.NameCustom:
				found.Fields[table.Lookup(selected.FieldName())] = true
			case of == customTypeName:
				found.Fields[table.Lookup(fact.NameCustom+"."+selected.FieldName())] = true
			}
		}
	}))
	return found
}

// celFacts are the values that a condition sees.
func celFacts(b *Bindings) map[string]any {
	values := map[string]any{}
	for _, row := range b.table.Facts {
		if value := row.Value(b.facts); value != nil {
			values[row.Name] = celValue(value)
		}
	}
	persons := make([]ref.Val, len(b.persons))
	for i := range b.persons {
		persons[i] = celPerson{&b.persons[i]}
	}
	values[fact.NamePersons] = types.NewRefValList(types.DefaultTypeAdapter, persons)
	for name, list := range b.lists {
		values[fact.NameLists+"."+name] = celValue(list.sorted)
	}
	if person := b.onePerson(); person != nil {
		values[fact.NamePerson] = celPerson{person}
	}
	return values
}

// drawer writes conditions at random. Many of them divide by what may be 0.
type drawer struct {
	*rand.Rand
	persons, texts, numbers []string // the loop variables at hand
	loops                   int
}

func (d *drawer) among(texts ...string) string { return texts[d.IntN(len(texts))] }

func (d *drawer) truth(depth int) string {
	if depth <= 0 {
		switch d.IntN(6) {
		case 0:
			truths := []string{"true", "false", "custom.sells_cbd", "person.custom.pep", "!custom.sells_cbd"}
			for _, variable := range d.persons {
				truths = append(truths, variable+".custom.pep")
			}
			return d.among(truths...)
		case 1:
			return d.text(0) + d.among(" == ", " != ", " < ", " <= ", " > ", " >= ") + d.text(0)
		case 2:
			return d.date() + d.among(" == ", " != ", " < ", " <= ", " > ", " >= ") + d.date()
		case 3:
			return d.text(0) + d.among(".contains(", ".startsWith(", ".endsWith(") + d.text(0) + ")"
		}
		return d.number(0) + d.among(" == ", " != ", " < ", " <= ", " > ", " >= ") + d.number(0)
	}
	switch d.IntN(12) {
	case 0, 1:
		return "(" + d.truth(depth-1) + " && " + d.truth(depth-1) + ")"
	case 2, 3:
		return "(" + d.truth(depth-1) + " || " + d.truth(depth-1) + ")"
	case 4:
		return "!(" + d.truth(depth-1) + ")"
	case 5:
		return "(" + d.truth(depth-1) + " ? " + d.truth(depth-1) + " : " + d.truth(depth-1) + ")"
	case 6:
		return "(" + d.truth(depth-1) + d.among(" == ", " != ") + d.truth(depth-1) + ")"
	case 7:
		return d.text(depth-1) + " in " + d.listOfTexts(depth-1)
	case 8:
		return d.number(depth-1) + " in " + d.listOfNumbers(depth-1)
	case 9:
		return d.number(depth-1) + d.among(" == ", " != ", " < ", " <= ", " > ", " >= ") + d.number(depth-1)
	}
	return d.loop(depth, d.among("exists", "all", "exists_one"), d.truth)
}

// loop looks at the elements of a list of some kind.
func (d *drawer) loop(depth int, name string, test func(int) string) string {
	d.loops++
	variable := fmt.Sprintf("v%d", d.loops)
	kind, list := &d.persons, ""
	switch d.IntN(4) {
	case 0:
		list, kind = d.listOfTexts(depth-1), &d.texts
	case 1:
		list, kind = d.listOfNumbers(depth-1), &d.numbers
	default:
		list = d.listOfPersons(depth - 1)
	}
	*kind = append(*kind, variable)
	defer func() { *kind = (*kind)[:len(*kind)-1] }()
	return list + "." + name + "(" + variable + ", " + test(depth-1) + ")"
}

func (d *drawer) filtered(list string, kind *[]string, depth int) string {
	if depth <= 0 || d.IntN(3) > 0 {
		return list
	}
	d.loops++
	variable := fmt.Sprintf("v%d", d.loops)
	*kind = append(*kind, variable)
	defer func() { *kind = (*kind)[:len(*kind)-1] }()
	return list + ".filter(" + variable + ", " + d.truth(depth-1) + ")"
}

func (d *drawer) listOfPersons(depth int) string {
	return d.filtered(fact.NamePersons, &d.persons, depth)
}

func (d *drawer) listOfTexts(depth int) string {
	list := d.among("industry_category_code", "custom.markets", "person.custom.roles", "lists.some", "lists.others", `["US", "5967", "CA"]`, "["+d.text(0)+", "+d.text(0)+"]")
	if depth > 0 && d.IntN(3) == 0 {
		list = d.loop(depth, "map", func(depth int) string {
			return d.among("", d.truth(depth)+", ") + d.text(depth)
		})
	}
	if depth > 0 && d.IntN(6) == 0 {
		list = "(" + d.truth(depth-1) + " ? " + list + " : lists.some)"
	}
	return d.filtered(list, &d.texts, depth)
}

func (d *drawer) listOfNumbers(depth int) string {
	list := d.among("[1, 2, 3.5]", "["+d.number(1)+", "+d.number(0)+"]", "["+d.number(depth)+", 2]")
	if depth > 0 && d.IntN(2) == 0 {
		list = d.loop(depth, "map", func(depth int) string {
			return d.among("", d.truth(depth)+", ") + d.number(depth)
		})
	}
	return d.filtered(list, &d.numbers, depth)
}

func (d *drawer) text(depth int) string {
	if depth > 0 && d.IntN(5) == 0 {
		return "(" + d.truth(depth-1) + " ? " + d.text(depth-1) + " : " + d.text(depth-1) + ")"
	}
	if depth > 0 && d.IntN(5) == 0 {
		return "(" + d.text(depth-1) + " + " + d.text(depth-1) + ")"
	}
	texts := []string{`"US"`, `"CA"`, `"5967"`, `"USCA"`, `"59"`, `""`, `"p_1"`, "person.citizenship", "person.person_id", "country", "person.country_of_residence", "custom.note"}
	for _, variable := range d.persons {
		texts = append(texts, variable+".citizenship", variable+".person_id", variable+".country_of_residence")
	}
	return d.among(append(append(texts, d.texts...), d.texts...)...)
}

func (d *drawer) date() string {
	dates := []string{"established_date", "custom.first_sale_date", "person.date_of_birth", `date("2020-02-29")`, `date("2024-01-01")`, `timestamp("2021-06-30T00:00:00Z")`, `date("2026-04-01")`}
	for _, variable := range d.persons {
		dates = append(dates, variable+".date_of_birth")
	}
	return d.among(dates...)
}

func (d *drawer) number(depth int) string {
	if depth <= 0 {
		numbers := []string{"0", "1", "2", "25", "0.5", "1e3", "-3", "average_monthly_credit_sales", "average_individual_sale", "highest_ticket_sale", "evaluation_score", "business_age_months", "business_age_years", "size(persons)", "person.ownership_percentage", "custom.chargebacks", "custom.reserve", "person.custom.shares",
			d.among(daysSince, monthsSince, yearsSince) + "(" + d.date() + ")", d.among(daysBetween, monthsBetween, yearsBetween) + "(" + d.date() + ", " + d.date() + ")"}
		for _, variable := range d.persons {
			numbers = append(numbers, variable+".ownership_percentage", variable+".custom.shares")
		}
		return d.among(append(append(numbers, d.numbers...), d.numbers...)...)
	}
	switch d.IntN(9) {
	case 8:
		return d.loop(depth, sumName, d.number)
	case 0:
		return "-(" + d.number(depth-1) + ")"
	case 1:
		return "(" + d.truth(depth-1) + " ? " + d.number(depth-1) + " : " + d.number(depth-1) + ")"
	case 2:
		return "size(" + d.among(d.listOfPersons(depth), d.listOfTexts(depth), d.listOfNumbers(depth), d.text(depth)) + ")"
	case 3:
		return "(business_age_months % (size(persons) - " + d.among("1", "2", "3") + "))"
	case 4:
		return d.number(0)
	}
	return "(" + d.number(depth-1) + d.among(" + ", " - ", " * ", " / ", " / ") + d.number(depth-1) + ")"
}

func (d *drawer) facts() fact.Facts {
	amount := func() *fact.Number { return rulestest.Decimal([]float64{0, 0, 1, 2, 25, 50000.55}[d.IntN(6)]) }
	f := rulestest.CompleteFacts()
	f.EvaluationScore, f.AverageMonthlyCreditSales, f.AverageIndividualSale, f.HighestTicketSale = amount(), amount(), amount(), amount()
	established := []fact.Date{{Year: 2020, Month: 2, Day: 29}, {Year: 2024, Month: 1, Day: 1}, {Year: 2021, Month: 6, Day: 30}}[d.IntN(3)]
	f.EstablishedDate = &established
	f.IndustryCategoryCode, f.Persons = nil, nil
	f.Custom = rulestest.Values(fmt.Sprintf(`{"legal_form":"LLC","sells_cbd":%v,"chargebacks":%v,"reserve":%v,"markets":%s,"first_sale_date":"%s","note":%q}`,
		d.IntN(2) == 0, d.among("0", "-2", "0.5", "25"), d.among("0", "1", "50000.55"), d.among("[]", `["US"]`, `["CA","US","59"]`), d.among("2020-02-29", "2024-01-01"), d.among("US", "5967")))
	f.Country = rulestest.Ptr(d.among("US", "CA"))
	for _, code := range []string{"5967", "7995", "59"} {
		if d.IntN(2) == 0 {
			f.IndustryCategoryCode = append(f.IndustryCategoryCode, code)
		}
	}
	if len(f.IndustryCategoryCode) == 0 {
		f.IndustryCategoryCode = []string{"US"}
	}
	for i := range 1 + d.IntN(4) {
		roles := []string{`[]`, `["DIRECTOR"]`, `["SIGNATORY","DIRECTOR"]`}[d.IntN(3)]
		custom := rulestest.Values(fmt.Sprintf(`{"roles":%s,"pep":%v,"shares":%v}`, roles, d.IntN(2) == 0, d.among("0", "1", "0.5")))
		f.Persons = append(f.Persons, fact.PersonFacts{Custom: custom, PersonID: fmt.Sprintf("p_%d", i), Citizenship: rulestest.Ptr(d.among("US", "CA", "MX")), OwnershipPercentage: rulestest.Decimal([]float64{0, 0, 1, 25, 50, 33.33}[d.IntN(6)]),
			DateOfBirth: rulestest.Ptr(rulestest.Date(d.among("2020-02-29", "1980-03-15", "2008-03-16"))), CountryOfResidence: rulestest.Ptr(d.among("US", "CA"))})
	}
	return f
}

// celTable has declared facts of each type and entity.
func celTable(t *testing.T) *fact.Table {
	return fact.NewTable(declaring(t, declaredFacts+"  - {name: note, entity_type: Workflow, type: TEXT, label: note, ask: A note.}\n", fact.EntityBusiness, "").Facts)
}

// TestConditions_AgreeWithCEL: 320,000 evaluations give what CEL gives, and the same
// refusal where there is no answer. Explanations and reasons agree with both.
func TestConditions_AgreeWithCEL(t *testing.T) {
	t.Parallel()
	const conditions, cases = 20_000, 16
	d := &drawer{Rand: rand.New(rand.NewPCG(31, 1))}
	lists := ListsOf(map[string][]string{"some": {"US", "5967", "US"}, "others": {"7995", "CA", "p_1", "59"}})
	language := newLanguage(scope{table: celTable(t), lists: lists, constant: constants(lists), withScore: true, withPerson: true}, Options{CostLimit: 1 << 40})
	env := celEnvironment(t, language.scope)
	seen := map[string]int{}
	for tried := 0; tried < conditions; {
		d.loops = 0
		source := d.truth(1 + d.IntN(4))
		if len(source) > 2000 {
			continue
		}
		compiled, problems, _ := language.compile(source)
		if len(problems) > 0 {
			seen["refused"]++
			require.Less(t, seen["refused"], conditions, "%s: %v", source, problems)
			continue
		}
		tried++
		tree, checked := celChecked(t, env, source, language.scope)
		requireSameTypes(t, source, tree, checked.NativeRep(), language.table)
		program, err := env.Program(checked)
		require.NoError(t, err, source)
		for range cases {
			b := Bind(language.table, d.facts(), lists, 1<<40)
			b = b.withPerson(d.IntN(len(b.persons)))
			got, err := compiled.Holds(t.Context(), b)
			require.LessOrEqual(t, *b.spent, compiled.Cost, source)
			want, _, failed := program.Eval(celFacts(b))
			explained := walk(compiled.Tree, b, MaxExplainedSteps).datum
			if failed != nil {
				seen["no answer"]++
				require.ErrorIs(t, err, ErrUndecided, "%s: %v", source, failed)
				require.EqualError(t, err, ErrUndecided.Error()+": "+celCause(tree, failed), source)
				require.NotNil(t, explained.failed, source)
				continue
			}
			require.NoError(t, err, source)
			require.Equal(t, bool(want.(types.Bool)), got, source)
			require.Equal(t, got, explained.truth(), source)
			seen[fmt.Sprint(got)]++
			if got {
				reason, _, ok := walkWithin(compiled.Tree, b, 1<<40)
				require.True(t, ok && reason.failed == nil && reason.truth(), source)
			}
		}
	}
	t.Log(seen)
	for _, outcome := range []string{"true", "false", "no answer"} {
		require.Greater(t, seen[outcome], conditions/2, "%s comes up: %v", outcome, seen)
	}
}

// TestResolver_AcceptsWhatCELChecks: CEL accepts every condition that the resolver accepts,
// and finds the same types and needs, also in conditions with mistakes.
func TestResolver_AcceptsWhatCELChecks(t *testing.T) {
	t.Parallel()
	const accepted = 1000
	d := &drawer{Rand: rand.New(rand.NewPCG(31, 2))}
	lists := ListsOf(map[string][]string{"some": {"US", "5967"}, "others": {"7995", "CA"}})
	language := newLanguage(scope{table: celTable(t), lists: lists, constant: constants(lists), withScore: true, withPerson: true}, Options{CostLimit: 1 << 40})
	env := celEnvironment(t, language.scope)
	words := regexp.MustCompile(`"[^"]*"|[A-Za-z_.0-9]+|&&|\|\||[<>=!]=|\S`)
	mistakes := strings.Fields(`[] [[]] {} null 1u person persons lists.some lists.others lists ( ) [ ] , ? : ! - + % in established_date date("2020-01-31") true 1.5 "" .p
		evaluation_score industry_category_code .size() .map(q,q) .map(q,[]) .filter(q,true) .exists(q,q) .all(q, has( dyn( size( 0]`)
	for seen := 0; seen < accepted; {
		d.loops = 0
		written := words.FindAllString(d.truth(1+d.IntN(3)), -1)
		for range 1 + d.IntN(3) {
			at := d.IntN(len(written))
			switch d.IntN(3) {
			case 0:
				written[at] = d.among(mistakes...)
			case 1:
				written[at] = d.among(written...)
			default:
				written = slices.Insert(written, at, d.among(mistakes...))
			}
		}
		source := strings.Join(written, " ")
		if compiled, _, _ := language.compile(source); compiled != nil {
			seen++
			tree, checked := celChecked(t, env, source, language.scope)
			requireSameTypes(t, source, tree, checked.NativeRep(), language.table)
		}
	}
}

// celCause says which part has no answer for CEL.
func celCause(tree *Node, err error) string {
	var failed *types.Err
	if !errors.As(err, &failed) {
		return err.Error()
	}
	text := ""
	tree.Walk(func(n *Node) {
		if n.id == failed.NodeID() {
			text = (&failure{n, err}).text()
		}
	})
	return strings.TrimSpace(text)
}
