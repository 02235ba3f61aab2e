package requirement

import (
	"fmt"
	"strings"
	"sync"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/parser"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file compiles the text of one condition to a checked tree with its needs and its cost, or to
// problems.

// Condition is a compiled condition.
type Condition struct {
	source string
	Tree   *Node
	needs  fact.Needs
	Cost   uint64 // the most steps that deciding it for one subject takes
	// own is the part of Cost without once, the definitions that are evaluated once for a workflow.
	own  uint64
	once []*CompiledDefinition
	// mostSaid is the most bytes of what a reason says about it.
	mostSaid int
	// parts counts its nodes and numbers, and written its bytes. Both include the definitions that
	// it uses.
	parts, written int
	readsPerson    bool
}

// language compiles conditions with the same names and limits.
type language struct {
	scope
	costLimit uint64
	defines   bool // definitions, whose steps count where they are used
}

func newLanguage(names scope, opts Options) *language {
	opts = opts.withDefaults()
	names.version = opts.EnvironmentVersion
	return &language{scope: names, costLimit: opts.CostLimit}
}

// Limits of the parser. MaxConditionLength limits a condition, too.
const (
	maxNesting          = 50
	maxExpressionNodes  = 5000
	maxSyntaxRecoveries = 5
)

// syntax is CEL's parser with its loops over lists. It leaves out has(), which would hide that a
// fact is missing. resolve decides what the expressions mean.
var syntax = sync.OnceValue(func() *parser.Parser {
	made, err := parser.NewParser(
		parser.Macros(parser.AllMacro, parser.ExistsMacro, parser.ExistsOneMacro, parser.FilterMacro, parser.MapMacro, parser.MapFilterMacro, sumMacro(numberZero)),
		parser.PopulateMacroCalls(true),
		parser.MaxRecursionDepth(maxNesting), parser.ErrorRecoveryLimit(maxSyntaxRecoveries),
		parser.MaxExpressionNodeCount(maxExpressionNodes),
	)
	if err != nil {
		panic(err) // the options are constants
	}
	return made
})

// sumName is the loop that adds up a number for each element.
const sumName = "sum"

// sumMacro parses list.sum(x, number) in the way CEL parses its own loops.
func sumMacro(zero func(parser.ExprHelper) ast.Expr) parser.Macro {
	return parser.NewReceiverMacro(sumName, 2, func(eh parser.ExprHelper, list ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
		as, failed := parser.MakeMap(eh, list, args) // checks the variable
		if failed != nil {
			return nil, failed
		}
		sum := eh.NewCall(operators.Add, eh.NewAccuIdent(), args[1])
		loop := as.AsComprehension()
		return eh.NewComprehension(list, loop.IterVar(), loop.AccuVar(), zero(eh), eh.NewLiteral(types.True), sum, eh.NewAccuIdent()), nil
	})
}

func numberZero(eh parser.ExprHelper) ast.Expr { return eh.NewLiteral(types.IntZero) }

// subjects is the largest number of subjects for which a condition is evaluated.
func (l *language) subjects() uint64 {
	if l.withPerson && !l.defines {
		return fact.MaxPersons
	}
	return 1
}

// compile checks one condition. Problems and warnings have positions in the condition.
func (l *language) compile(source string) (*Condition, []Problem, []Problem) {
	if rulefile.TooLong(source, MaxConditionLength) {
		return nil, []Problem{{Message: fmt.Sprintf("is longer than %d characters: move codes into lists, and split the rule", MaxConditionLength)}}, nil
	}
	if strings.TrimSpace(source) == "" {
		return nil, []Problem{{Message: "is empty: " + writeWhatMustHold}}, nil
	}
	if found := rulefile.Unprintable(source); found != "" {
		return nil, []Problem{{Message: found}}, nil
	}
	parsed, errs := syntax().Parse(common.NewTextSource(source))
	if found := errs.GetErrors(); len(found) > 0 {
		return nil, syntaxProblems(source, found), nil
	}
	tree, resolved := resolve(source, parsed, l.scope)
	if len(resolved.problems) > 0 {
		outside, _ := blankQuoted(source)
		if spaced := spacedNames(source, outside, factNames(true, true)); len(spaced) > 0 {
			return nil, spaced, nil
		}
		return nil, resolved.problems, nil
	}
	if resolved.refused {
		return nil, nil, nil
	}
	parts := ast.NodeCount(parsed) + tree.numbers() + resolved.usedParts
	if parts > maxExpressionNodes {
		return nil, tooManyParts(), nil
	}
	estimated, steps := estimate(tree, l.lists)
	if n := estimated.tooLarge; n != nil {
		return nil, []Problem{{
			Message: fmt.Sprintf(
				"%s may become %v, which no rule can calculate with: %s",
				rulefile.Clip(n.Text()), rational.ErrTooLarge,
				rulefile.Pick(n.Name == sumName, "divide the sum, and not each of its parts", "multiply and divide fewer numbers")),
			Line:   n.Line,
			Column: n.Column,
		}}, nil
	}
	if n := estimated.tooLong; n != nil {
		return nil, []Problem{{
			Message: fmt.Sprintf(
				"%s may become a text of more than %d bytes: join fewer or shorter texts",
				rulefile.Clip(n.Text()), maxJoinedText),
			Line:   n.Line,
			Column: n.Column,
		}}, nil
	}
	c := &Condition{
		source: strings.TrimSpace(source), Tree: tree, needs: l.needsOf(tree), own: stepsOf(evaluationCost, steps), once: tree.once(),
		parts: parts, written: len(source) + resolved.usedBytes, readsPerson: tree.readsPerson(),
	}
	c.mostSaid = len(c.source) + resolved.usedBytes + clauseBytes*tree.mostClauses()
	c.Cost = c.stepsFor(1)
	if steps := c.stepsFor(l.subjects()); steps > l.costLimit {
		return nil, []Problem{{Message: tooManySteps(estimated.longest, l.subjects(), steps, l.costLimit), Line: 1, Column: 1}}, nil
	}
	return c, nil, resolved.warnings
}

// stepsFor is the most steps that deciding the condition for this many subjects takes.
func (c *Condition) stepsFor(subjects uint64) uint64 {
	steps := c.own * subjects
	for _, d := range c.once {
		steps = stepsOf(steps, d.Condition.own)
	}
	return steps
}
