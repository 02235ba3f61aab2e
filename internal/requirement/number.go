package requirement

import (
	"errors"
	"fmt"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"requisite/internal/rational"
)

// Number is an exact number: an amount, a percentage, a score.
type Number = rational.Number

// numberType is the one type of numbers in conditions. CEL's own whole numbers
// occur only in what it makes of exists_one.
var numberType = types.NewObjectType("number",
	traits.AdderType, traits.SubtractorType, traits.MultiplierType, traits.DividerType, traits.ModderType, traits.NegatorType, traits.ComparerType)

// literalFunction makes a number of the text of a literal. It stands where a
// number was written, from the parsed condition to the checked one: CEL's type
// check knows no literals of other types than its own.
const literalFunction = "number"

// numberValue is a number as CEL holds it.
type numberValue struct{ Number }

func (v numberValue) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("a number cannot become a %s", target)
}

func (v numberValue) ConvertToType(ref.Type) ref.Val {
	return types.NewErr("a number cannot become another type")
}

func (v numberValue) Equal(other ref.Val) ref.Val {
	same, ok := other.(numberValue)
	return types.Bool(ok && v.Number.Equal(same.Number))
}

func (v numberValue) Type() ref.Type { return numberType }

func (v numberValue) Value() any { return v.Number }

func (v numberValue) Add(other ref.Val) ref.Val      { return v.with(other, Number.Add) }
func (v numberValue) Subtract(other ref.Val) ref.Val { return v.with(other, Number.Sub) }
func (v numberValue) Multiply(other ref.Val) ref.Val { return v.with(other, Number.Mul) }
func (v numberValue) Divide(other ref.Val) ref.Val   { return v.with(other, Number.Quo) }
func (v numberValue) Modulo(other ref.Val) ref.Val   { return v.with(other, Number.Rem) }
func (v numberValue) Negate() ref.Val                { return numberValue{v.Neg()} }

func (v numberValue) Compare(other ref.Val) ref.Val {
	with, ok := other.(numberValue)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Int(v.Cmp(with.Number))
}

// with is the result of an operation. Its error is that of package rational, and
// CEL adds where in the condition it came about.
func (v numberValue) with(other ref.Val, calculate func(Number, Number) (Number, error)) ref.Val {
	operand, ok := other.(numberValue)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	result, err := calculate(v.Number, operand.Number)
	if err != nil {
		return types.WrapErr(err)
	}
	return numberValue{result}
}

// noAnswer says why an operation has no answer.
func noAnswer(err error) string {
	switch {
	case errors.Is(err, rational.ErrDivisionByZero):
		return "divides by zero"
	case errors.Is(err, rational.ErrTooLarge):
		return "becomes " + rational.ErrTooLarge.Error()
	case errors.Is(err, rational.ErrNotWhole):
		return "needs whole numbers on both sides"
	}
	return err.Error()
}

// calculations are what calculates two numbers, by operator.
var calculations = map[string]func(Number, Number) (Number, error){
	operators.Add: Number.Add, operators.Subtract: Number.Sub, operators.Multiply: Number.Mul,
	operators.Divide: Number.Quo, operators.Modulo: Number.Rem,
}

// numberOverload is an overload of one of CEL's operators for numbers.
type numberOverload struct {
	operator, id string
	operands     int
	result       *types.Type
}

// numberOverloads reach their numbers by way of the traits of numberType.
var numberOverloads = []numberOverload{
	{operators.Add, "add_number", 2, numberType},
	{operators.Subtract, "subtract_number", 2, numberType},
	{operators.Multiply, "multiply_number", 2, numberType},
	{operators.Divide, "divide_number", 2, numberType},
	{operators.Modulo, "modulo_number", 2, numberType},
	{operators.Negate, "negate_number", 1, numberType},
	{operators.Less, "less_number", 2, types.BoolType},
	{operators.LessEquals, "less_equals_number", 2, types.BoolType},
	{operators.Greater, "greater_number", 2, types.BoolType},
	{operators.GreaterEquals, "greater_equals_number", 2, types.BoolType},
}

// numberFunctions declare numbers: their operators, and size, which gives one.
func numberFunctions() []cel.EnvOption {
	var options []cel.EnvOption
	for _, o := range numberOverloads {
		operands := []*types.Type{numberType, numberType}[:o.operands]
		options = append(options, cel.Function(o.operator, cel.Overload(o.id, operands, o.result)))
	}
	size := cel.UnaryBinding(func(of ref.Val) ref.Val {
		return numberValue{rational.Int(int64(of.(traits.Sizer).Size().(types.Int)))}
	})
	list := []*types.Type{types.NewListType(types.NewTypeParamType("A"))}
	text := []*types.Type{types.StringType}
	return append(options,
		cel.Function(overloads.Size,
			cel.Overload(overloads.SizeList, list, numberType, size), cel.MemberOverload(overloads.SizeListInst, list, numberType, size),
			cel.Overload(overloads.SizeString, text, numberType, size), cel.MemberOverload(overloads.SizeStringInst, text, numberType, size)),
		cel.Function(literalFunction, cel.Overload("number_string", text, numberType)),
	)
}

// foldLiterals puts the numbers into a checked condition, in the place of the
// calls that stand for them. numbers are the literals by the ids of the calls.
func foldLiterals(checked *ast.AST, numbers map[int64]Number) {
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if n, ok := numbers[e.ID()]; ok && e.Kind() == ast.CallKind {
			e.SetKindCase(ast.NewExprFactory().NewLiteral(e.ID(), numberValue{n}))
		}
	}))
}

// calculationCost is what an operation costs on numbers of so many bits, those of
// numerators and denominators together: about one name looked up for numbers as
// they are on record.
func calculationCost(bits int) uint64 { return 1 + uint64(bits)/64 }

// numberCosts measure what operations on numbers cost while a condition is
// evaluated; estimator foresees it.
func numberCosts() []cost.TrackerOption {
	costs := make([]uint64, calculationCost(4*rational.MaxBits)+1)
	for i := range costs {
		costs[i] = uint64(i)
	}
	track := func(args []ref.Val, _ ref.Val) *uint64 {
		total := 0
		for _, arg := range args {
			if v, ok := arg.(numberValue); ok {
				num, den := v.Bits()
				total += num + den
			}
		}
		return &costs[calculationCost(total)]
	}
	var options []cost.TrackerOption
	for _, o := range numberOverloads {
		options = append(options, cost.OverloadTracker(o.id, track))
	}
	return options
}
