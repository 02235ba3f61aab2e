package requirement

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// DefaultCostLimit bounds the work of evaluating one condition once, in CEL's
// cost units (about one name looked up or one comparison made). Publishing
// estimates the worst case, with MaxPersons persons and
// MaxIndustryCategoryCodes codes on file, and evaluation stops at the limit.
const DefaultCostLimit uint64 = 500_000

// A rule set as a whole may cost a multiple of the limit for one condition, with
// every Person rule counted once for each possible person, and with the reasons
// of what it requires; running all of its examples may cost as much again.
// Beginning an evaluation counts too. One unit takes 40 to 110 ns: see
// BenchmarkTheCostliestRules. So the costliest rule set that can be published
// takes about a quarter of a second, with everything on file that may be.
const (
	totalCostFactor = 12
	evaluationCost  = 10
)

// MaxResultBytes bounds the documents that one evaluation may require, with
// their texts and reasons, as JSON. Each person can need a document of each
// rule, so that a rule set of ordinary size could require more than a run can
// carry: Temporal keeps no payload beyond 2 MiB. A rule set that may exceed it
// for SizedPersons persons does not compile; for more, it is met by Evaluate.
const MaxResultBytes = 1_500_000

// Limits of the parser. A condition is also bounded by MaxConditionLength.
const (
	maxNesting          = 50
	maxExpressionNodes  = 5000
	maxSyntaxRecoveries = 5
	interruptEvery      = 100 // loop steps between two looks at the context
)

// personTypeName is the CEL type of person and of the elements of persons.
const personTypeName = "Person"

func personType() *types.Type { return types.NewObjectType(personTypeName) }

// The names under which conditions see the facts.
const (
	namePerson  = "person"
	namePersons = "persons"

	namePersonID  = "person_id"
	nameNoPersons = "no_persons_attested"

	// Facts of which a lint or a bound knows more than their rows say.
	nameCitizenship   = "citizenship"
	nameIndustryCodes = "industry_category_code"
	nameLists         = "lists"
)

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
		// whole numbers by that of exists_one. Of the operators that are for
		// numbers alone, one overload is kept: numbers need its implementation,
		// and nothing else in a condition is a whole number of CEL's.
		pick(operators.Add, overloads.AddInt64, overloads.AddList),
		pick(operators.Subtract, overloads.SubtractInt64),
		pick(operators.Multiply, overloads.MultiplyInt64),
		pick(operators.Divide, overloads.DivideInt64),
		pick(operators.Modulo, overloads.ModuloInt64),
		pick(operators.Negate, overloads.NegateInt64),
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
		dateFunction(),
	}
	options = append(options, numberFunctions()...)
	for _, row := range factTable {
		if names.has(row) {
			options = append(options, cel.Variable(row.name, row.shape.celType()))
		}
	}
	options = append(options, cel.Variable(namePersons, types.NewListType(personType())))
	if names.withPerson {
		options = append(options, cel.Variable(namePerson, personType()))
	}
	for _, name := range sortedKeys(names.lists) {
		options = append(options, cel.Variable(nameLists+"."+name, types.NewListType(types.StringType)))
	}
	return cel.NewCustomEnv(options...)
}

// dateFunction declares date("2020-01-31"): the first instant of that day in
// UTC. Its argument is checked when a rule set is compiled.
func dateFunction() cel.EnvOption {
	return cel.Function("date", cel.Overload("date_string", []*cel.Type{cel.StringType}, cel.TimestampType,
		cel.UnaryBinding(func(text ref.Val) ref.Val {
			date, err := ParseDate(string(text.(types.String)))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Timestamp{Time: date.UTC()}
		})))
}

// celReserved reports whether CEL keeps a word for itself.
func celReserved(word string) bool {
	return slices.Contains(strings.Fields(`as break const continue else false for function if import in let loop
		namespace null package return true var void while`), word)
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
	field, ok := findPersonField(fieldName)
	if !ok || !p.names.has(field) {
		return nil, false
	}
	return &types.FieldType{
		Type:  field.shape.celType(),
		IsSet: func(target any) bool { return field.valueOf(target.(*PersonFacts)) != nil },
		GetFrom: func(target any) (any, error) {
			value := field.valueOf(target.(*PersonFacts))
			if value == nil {
				return nil, fmt.Errorf("%s is not on record", field.name)
			}
			return celValue(value), nil
		},
	}, true
}

// estimator tells CEL's cost estimate how large facts can be.
type estimator struct {
	lists      map[string][]string
	magnitudes map[int64]magnitude
}

func (e estimator) EstimateCallCost(function, overload string, _ *cost.AstNode, args []cost.AstNode) *cost.CallEstimate {
	switch {
	case function == "date", function == overloads.Size:
		return &cost.CallEstimate{CostEstimate: cost.FixedCostEstimate(1)}
	case overload == overloads.InList && len(args) == 2 && len(args[1].Path()) == 1 && strings.HasPrefix(args[1].Path()[0], nameLists+"."):
		return &cost.CallEstimate{CostEstimate: cost.FixedCostEstimate(inListCost(e.listSize(args[1].Path())))}
	}
	if !slices.ContainsFunc(numberOverloads, func(o numberOverload) bool { return o.id == overload }) {
		return nil
	}
	bits := 0
	for _, arg := range args {
		bits += e.magnitudes[arg.Expr().ID()].bits()
	}
	return &cost.CallEstimate{CostEstimate: cost.Estimate{Min: 1, Max: calculationCost(bits)}}
}

// inListCost is that of looking for a text in a named list.
func inListCost(entries int) uint64 { return 1 + uint64(entries/listEntriesAStep) }

// namedListCost counts what evaluation does as estimator does.
type namedListCost struct{}

func (namedListCost) CallCost(_, overload string, args []ref.Val, _ ref.Val) *uint64 {
	if overload != overloads.InList || len(args) != 2 {
		return nil
	}
	if list, ok := args[1].(namedList); ok {
		spent := inListCost(int(list.Size().(types.Int)))
		return &spent
	}
	return nil
}

// namedList is a list of the rule set as CEL holds it.
type namedList struct{ traits.Lister }

func (e estimator) EstimateSize(element cost.AstNode) *cost.SizeEstimate {
	upTo := func(n int) *cost.SizeEstimate { return &cost.SizeEstimate{Max: uint64(n)} }
	if element.Type().IsExactType(numberType) {
		return upTo(1)
	}
	if element.Expr() != nil && element.Expr().Kind() == ast.LiteralKind {
		return nil
	}
	switch element.Type().Kind() {
	case types.StringKind:
		return upTo(MaxListEntryLength)
	case types.ListKind:
		return upTo(e.listSize(element.Path()))
	}
	return nil
}

// listSize is the size of a named list or fact, and for a list that an
// expression makes the size of the largest one it could be made from.
func (e estimator) listSize(path []string) int {
	if len(path) == 1 {
		switch name := path[0]; {
		case name == namePersons:
			return MaxPersons
		case lookup(name).list != nil:
			return lookup(name).list.most
		case strings.HasPrefix(name, nameLists+"."):
			return len(e.lists[strings.TrimPrefix(name, nameLists+".")])
		}
	}
	return MaxListEntries
}
