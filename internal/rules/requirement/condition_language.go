package requirement

import (
	"maps"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	"requisite/internal/rules/fact"
)

// The language of conditions. Input: the names that a condition can use. Output: the
// CEL environment that parses and checks it.

// Limits of the parser. A condition is also bounded by MaxConditionLength.
const (
	maxNesting          = 50
	maxExpressionNodes  = 5000
	maxSyntaxRecoveries = 5
)

// personTypeName is the CEL type of person and of the elements of persons.
const personTypeName = "Person"

func personType() *types.Type { return types.NewObjectType(personTypeName) }

// macros are the loops over a list. has() is left out: it would hide that a
// fact is missing.
var macros = []cel.Macro{cel.AllMacro, cel.ExistsMacro, cel.ExistsOneMacro, cel.FilterMacro, cel.MapMacro, cel.MapFilterMacro}

// standardFunctions is the part of CEL's standard library that conditions may
// use. Lists cannot be indexed, because neither persons nor codes have an order
// that means anything. What builds text, matches patterns, converts to and from
// dynamic types or reads parts of a date is left out.
func standardFunctions() *env.LibrarySubset {
	pick := func(name string, overloadIDs ...string) *env.Function {
		picked := make([]*env.Overload, len(overloadIDs))
		for i, id := range overloadIDs {
			picked[i] = &env.Overload{ID: id}
		}
		return env.NewFunction(name, picked...)
	}
	return env.NewLibrarySubset().SetDisableMacros(true).AddIncludedFunctions(
		pick(operators.LogicalAnd), pick(operators.LogicalOr), pick(operators.LogicalNot),
		pick(operators.NotStrictlyFalse), pick(operators.Conditional),
		pick(operators.Equals), pick(operators.NotEquals),
		pick(operators.Less, overloads.LessString, overloads.LessTimestamp),
		pick(operators.LessEquals, overloads.LessEqualsString, overloads.LessEqualsTimestamp),
		pick(operators.Greater, overloads.GreaterString, overloads.GreaterTimestamp),
		pick(operators.GreaterEquals, overloads.GreaterEqualsString, overloads.GreaterEqualsTimestamp),
		// Lists are added by the expansion of filter and map only, and CEL's own
		// whole numbers by that of exists_one.
		pick(operators.Add, overloads.AddInt64, overloads.AddList),
		pick(operators.In, overloads.InList),
		pick(overloads.Contains), pick(overloads.StartsWith), pick(overloads.EndsWith),
	)
}

// newLanguage is the environment of conditions that use the names of a scope.
func newLanguage(names scope) (*cel.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{
		cel.CustomTypeAdapter(registry),
		cel.CustomTypeProvider(personProvider{registry, names}),
		cel.StdLib(cel.StdLibSubset(standardFunctions())),
		cel.Macros(macros...),
		cel.EnableMacroCallTracking(),
		cel.ParserRecursionLimit(maxNesting),
		cel.ParserErrorRecoveryLimit(maxSyntaxRecoveries),
		cel.ParserExpressionSizeLimit(MaxConditionLength),
		cel.ExpressionNodeLimit(maxExpressionNodes),
		cel.Function("date", cel.Overload("date_string", []*cel.Type{cel.StringType}, cel.TimestampType)),
	}
	options = append(options, numberFunctions()...)
	for _, row := range fact.Table {
		if names.has(row) {
			options = append(options, cel.Variable(row.Name, celType(row.Shape)))
		}
	}
	options = append(options, cel.Variable(fact.NamePersons, types.NewListType(personType())))
	if names.withPerson {
		options = append(options, cel.Variable(fact.NamePerson, personType()))
	}
	for _, name := range slices.Sorted(maps.Keys(names.lists)) {
		options = append(options, cel.Variable(fact.NameLists+"."+name, types.NewListType(types.StringType)))
	}
	return cel.NewCustomEnv(options...)
}

// personProvider adds the Person type to a registry. It has no constructor, so
// a condition cannot make a person up.
type personProvider struct {
	*types.Registry
	names scope
}

func (p personProvider) FindStructType(name string) (*types.Type, bool) {
	if name == personTypeName {
		return types.NewTypeTypeWithParam(personType()), true
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
	if typeName != personTypeName {
		return p.Registry.FindStructFieldType(typeName, fieldName)
	}
	field, ok := fact.FindPersonField(fieldName)
	if !ok || !p.names.has(field) {
		return nil, false
	}
	return &types.FieldType{Type: celType(field.Shape)}, true
}

// numberType is the one type of numbers in conditions. CEL's own whole numbers
// occur only in what it makes of exists_one.
var numberType = types.NewObjectType("number")

// literalFunction makes a number of the text of a literal. It stands where a number
// was written: CEL's type check knows no literals of other types than its own.
const literalFunction = "number"

// numberFunctions declare numbers: their operators, and size, which gives one.
func numberFunctions() []cel.EnvOption {
	var options []cel.EnvOption
	declare := func(name string, result *types.Type, overloadID string, operands ...*types.Type) {
		options = append(options, cel.Function(name, cel.Overload(overloadID, operands, result)))
	}
	for _, operator := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo} {
		declare(operator, numberType, operator+"number", numberType, numberType)
	}
	declare(operators.Negate, numberType, "-number", numberType)
	for _, operator := range []string{operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals} {
		declare(operator, types.BoolType, operator+"number", numberType, numberType)
	}
	declare(literalFunction, numberType, "number_string", types.StringType)
	list := []*types.Type{types.NewListType(types.NewTypeParamType("A"))}
	text := []*types.Type{types.StringType}
	return append(options, cel.Function(overloads.Size,
		cel.Overload(overloads.SizeList, list, numberType), cel.MemberOverload(overloads.SizeListInst, list, numberType),
		cel.Overload(overloads.SizeString, text, numberType), cel.MemberOverload(overloads.SizeStringInst, text, numberType)))
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
