//go:build deep

package requirement

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// CEL as a second opinion: the same conditions, evaluated by CEL's own interpreter.

var celNumberType = types.NewObjectType("number", traits.AdderType, traits.ComparerType)

// celNumber is a number as CEL holds it.
type celNumber struct{ fact.Number }

func (celNumber) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (celNumber) ConvertToType(ref.Type) ref.Val            { return types.NewErr("unsupported") }
func (celNumber) Type() ref.Type                            { return celNumberType }
func (v celNumber) Value() any                              { return v.Number }
func (v celNumber) Equal(other ref.Val) ref.Val {
	same, ok := other.(celNumber)
	return types.Bool(ok && v.Number.Equal(same.Number))
}
func (v celNumber) Compare(other ref.Val) ref.Val { return types.Int(v.Cmp(other.(celNumber).Number)) }
func (v celNumber) Add(other ref.Val) ref.Val     { return celCalculation(fact.Number.Add)(v, other) }

func celCalculation(calculate func(fact.Number, fact.Number) (fact.Number, error)) func(a, b ref.Val) ref.Val {
	return func(a, b ref.Val) ref.Val {
		result, err := calculate(a.(celNumber).Number, b.(celNumber).Number)
		if err != nil {
			return types.WrapErr(err)
		}
		return celNumber{result}
	}
}

// celPerson is a person as CEL holds it.
type celPerson struct{ *fact.PersonFacts }

func (celPerson) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (celPerson) ConvertToType(ref.Type) ref.Val            { return types.NewErr("unsupported") }
func (celPerson) Equal(ref.Val) ref.Val                     { return types.NewErr("unsupported") }
func (celPerson) Type() ref.Type                            { return personType() }
func (p celPerson) Value() any                              { return p.PersonFacts }

func celValue(value any) ref.Val {
	switch v := value.(type) {
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

// celProvider reads the fields of persons.
type celProvider struct{ personProvider }

func (p celProvider) FindStructFieldType(typeName, name string) (*types.FieldType, bool) {
	found, ok := p.personProvider.FindStructFieldType(typeName, name)
	if field, isField := fact.FindPersonField(name); ok && isField {
		found.IsSet = func(any) bool { return true }
		found.GetFrom = func(target any) (any, error) { return celValue(field.ValueOf(target.(*fact.PersonFacts))), nil }
	}
	return found, ok
}

// celEnvironment can run what the language only checks.
func celEnvironment(t *testing.T, l *language) *cel.Env {
	registry, err := types.NewRegistry()
	require.NoError(t, err)
	binary := func(operator string, calculate func(fact.Number, fact.Number) (fact.Number, error)) cel.EnvOption {
		return cel.Function(operator, cel.Overload(operator+"number", []*types.Type{numberType, numberType}, numberType, cel.BinaryBinding(celCalculation(calculate))))
	}
	size := cel.UnaryBinding(func(of ref.Val) ref.Val {
		return celNumber{rational.Int(int64(of.(traits.Sizer).Size().(types.Int)))}
	})
	list, text := []*types.Type{types.NewListType(types.NewTypeParamType("A"))}, []*types.Type{types.StringType}
	env, err := l.env.Extend(
		cel.CustomTypeAdapter(registry), cel.CustomTypeProvider(celProvider{personProvider{registry, l.scope}}),
		binary(operators.Subtract, fact.Number.Sub), binary(operators.Multiply, fact.Number.Mul), binary(operators.Divide, fact.Number.Quo), binary(operators.Modulo, fact.Number.Rem),
		cel.Function(operators.Negate, cel.Overload("-number", []*types.Type{numberType}, numberType, cel.UnaryBinding(func(of ref.Val) ref.Val { return celNumber{of.(celNumber).Neg()} }))),
		cel.Function(overloads.Size, cel.Overload(overloads.SizeList, list, numberType, size), cel.Overload(overloads.SizeString, text, numberType, size)),
		cel.Function("date", cel.Overload("date_string", text, cel.TimestampType, cel.UnaryBinding(func(of ref.Val) ref.Val {
			date, err := fact.ParseDate(string(of.(types.String)))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Timestamp{Time: date.UTC()}
		}))),
	)
	require.NoError(t, err)
	return env
}

// celProgram is a condition that the language has accepted.
func celProgram(t *testing.T, l *language, env *cel.Env, source string) cel.Program {
	parsed, issues := l.env.Parse(source)
	require.NoError(t, issues.Err(), source)
	_, resolved := resolve(source, parsed.NativeRep(), l.scope)
	require.Empty(t, resolved.problems, source)
	checked, issues := env.Check(parsed)
	require.NoError(t, issues.Err(), source)
	ast.PostOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == literalFunction {
			number, err := rational.Parse(string(e.AsCall().Args()[0].AsLiteral().(types.String)))
			require.NoError(t, err)
			e.SetKindCase(ast.NewExprFactory().NewLiteral(e.ID(), celNumber{number}))
		}
	}))
	program, err := env.Program(checked)
	require.NoError(t, err, source)
	return program
}

// celFacts are the values that a condition sees.
func celFacts(b *Bindings) map[string]any {
	values := map[string]any{}
	for _, row := range fact.Table {
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
			return d.among("true", "false")
		case 1:
			return d.text(0) + d.among(" == ", " != ", " < ", " <= ", " > ", " >= ") + d.text(0)
		case 2:
			return "established_date " + d.among("==", "!=", "<", "<=", ">", ">=") + d.among(` date("2020-02-29")`, ` date("2024-01-01")`, ` timestamp("2021-06-30T00:00:00Z")`)
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
	list := d.among("industry_category_code", "lists.some", "lists.others", `["US", "5967", "CA"]`, "["+d.text(0)+", "+d.text(0)+"]")
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
	texts := []string{`"US"`, `"CA"`, `"5967"`, `"59"`, `""`, `"p_1"`, "person.citizenship", "person.person_id"}
	for _, variable := range d.persons {
		texts = append(texts, variable+".citizenship", variable+".person_id")
	}
	return d.among(append(append(texts, d.texts...), d.texts...)...)
}

func (d *drawer) number(depth int) string {
	if depth <= 0 {
		numbers := []string{"0", "1", "2", "25", "0.5", "1e3", "-3", "average_monthly_credit_sales", "average_individual_sale", "highest_ticket_sale", "evaluation_score", "business_age_months", "business_age_years", "size(persons)", "person.ownership_percentage"}
		for _, variable := range d.persons {
			numbers = append(numbers, variable+".ownership_percentage", variable+".ownership_percentage")
		}
		return d.among(append(append(numbers, d.numbers...), d.numbers...)...)
	}
	switch d.IntN(8) {
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
	for _, code := range []string{"5967", "7995", "59"} {
		if d.IntN(2) == 0 {
			f.IndustryCategoryCode = append(f.IndustryCategoryCode, code)
		}
	}
	if len(f.IndustryCategoryCode) == 0 {
		f.IndustryCategoryCode = []string{"US"}
	}
	for i := range 1 + d.IntN(4) {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%d", i), Citizenship: rulestest.Ptr(d.among("US", "CA", "MX")), OwnershipPercentage: rulestest.Decimal([]float64{0, 0, 1, 25, 50, 33.33}[d.IntN(6)])})
	}
	return f
}

// TestConditions_AgreeWithCEL: 320,000 evaluations give what CEL gives, and the same
// refusal where there is no answer. Explanations and reasons agree with both.
func TestConditions_AgreeWithCEL(t *testing.T) {
	t.Parallel()
	const conditions, cases = 20_000, 16
	d := &drawer{Rand: rand.New(rand.NewPCG(31, 1))}
	lists := ListsOf(map[string][]string{"some": {"US", "5967", "US"}, "others": {"7995", "CA", "p_1", "59"}})
	language, err := openLanguage(scope{lists: lists, constant: constants(lists), withScore: true, withPerson: true}, Options{CostLimit: 1 << 40})
	require.NoError(t, err)
	env := celEnvironment(t, language)
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
		program := celProgram(t, language, env, source)
		for range cases {
			b := Bind(d.facts(), lists, 1<<40)
			b = b.withPerson(d.IntN(len(b.persons)))
			got, err := compiled.Holds(t.Context(), b)
			require.LessOrEqual(t, *b.spent, compiled.Cost, source)
			want, _, failed := program.Eval(celFacts(b))
			explained := walk(compiled.Tree, b, MaxExplainedSteps).datum
			if failed != nil {
				seen["no answer"]++
				require.ErrorIs(t, err, ErrUndecided, "%s: %v", source, failed)
				require.EqualError(t, err, ErrUndecided.Error()+": "+celCause(compiled.Tree, failed), source)
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
