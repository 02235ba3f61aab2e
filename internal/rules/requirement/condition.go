package requirement

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// One condition. Input: its text. Output: its checked tree with its needs and its
// cost, or problems.

// Condition is a compiled condition.
type Condition struct {
	source string
	Tree   *Node
	needs  fact.Needs
	Cost   uint64 // steps to decide it, at most
	// mostSaid bounds what a reason says of it, in bytes.
	mostSaid int
}

// language compiles conditions that share their names and limits.
type language struct {
	scope
	env       *cel.Env
	costLimit uint64
}

func openLanguage(names scope, opts Options) (*language, error) {
	opts = opts.withDefaults()
	names.version = opts.EnvironmentVersion
	environment, err := newLanguage(names)
	if err != nil {
		return nil, fmt.Errorf("open the language of conditions: %w", err)
	}
	return &language{scope: names, env: environment, costLimit: opts.CostLimit}, nil
}

// subjects is for how many subjects a condition is evaluated at most.
func (l *language) subjects() uint64 {
	if l.withPerson {
		return fact.MaxPersons
	}
	return 1
}

// compile checks one condition. Problems and warnings have their position in it.
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
	parsed, issues := l.env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxProblems(source, issues.Errors()), nil
	}
	tree, resolved := resolve(source, parsed.NativeRep(), l.scope)
	if len(resolved.problems) > 0 {
		outside, _ := blankQuoted(source)
		if spaced := spacedNames(source, outside, factNames(true, true)); len(spaced) > 0 {
			return nil, spaced, nil
		}
		return nil, resolved.problems, nil
	}
	if problems := unprintableTexts(tree, parsed.NativeRep()); len(problems) > 0 {
		return nil, problems, nil
	}
	checked, issues := l.env.Check(parsed)
	if issues.Err() != nil {
		return nil, celProblems(issues.Errors()), nil
	}
	if problems := l.mistyped(tree, checked.NativeRep()); len(problems) > 0 {
		return nil, problems, nil
	}
	estimated, steps := estimate(tree, l.lists)
	if n := estimated.tooLarge; n != nil {
		return nil, []Problem{{Message: fmt.Sprintf("%s may become %v, which no rule can calculate with: multiply and divide fewer numbers", rulefile.Clip(n.Text()), rational.ErrTooLarge), Line: n.Line, Column: n.Column}}, nil
	}
	c := &Condition{source: strings.TrimSpace(source), Tree: tree, needs: findNeeds(checked.NativeRep()), Cost: stepsOf(evaluationCost, steps)}
	c.mostSaid = len(c.source) + clauseBytes*tree.mostClauses()
	if steps := c.Cost * l.subjects(); steps > l.costLimit {
		return nil, []Problem{{Message: tooManySteps(estimated.longest, l.subjects(), steps, l.costLimit), Line: 1, Column: 1}}, nil
	}
	return c, nil, resolved.warnings
}

// findNeeds reads the needs off a checked expression: every variable and every
// field that occurs in it anywhere, evaluated or not.
func findNeeds(checked *ast.AST) fact.Needs {
	found := fact.Needs{Facts: map[string]bool{}, Fields: map[string]bool{}}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			name := e.AsIdent()
			if _, ok := fact.Find(name); ok {
				found.Facts[name] = true
			}
			found.People = found.People || name == fact.NamePersons
		case ast.ComprehensionKind:
			list := checked.GetType(e.AsComprehension().IterRange().ID())
			found.Looped = found.Looped || len(list.Parameters()) == 1 && list.Parameters()[0].TypeName() == personTypeName
		case ast.SelectKind:
			selected := e.AsSelect()
			if checked.GetType(selected.Operand().ID()).TypeName() == personTypeName {
				found.Fields[selected.FieldName()] = true
			}
		}
	}))
	return found
}

// unprintableTexts are texts in quotes that name a control character, such as
// "\x00": no fact holds one, and the sentence of a reason could not be kept.
func unprintableTexts(tree *Node, parsed *ast.AST) []Problem {
	var problems []Problem
	tree.Walk(func(n *Node) {
		text, ok := n.Literal.(string)
		if found := rulefile.Unprintable(text); ok && found != "" {
			at := parsed.SourceInfo().GetStartLocation(n.id)
			problems = append(problems, Problem{Message: "this text " + found, Line: max(at.Line(), 0), Column: at.Column() + 1})
		}
	})
	return problems
}

// mistyped holds the shapes of the tree against the types that CEL found. A
// difference, or a dynamic type anywhere, refuses the condition: what is not
// understood in the same way twice is not published.
func (l *language) mistyped(tree *Node, checked *ast.AST) []Problem {
	var problems []Problem
	differ := func(id int64, text, want, got string) {
		at := checked.SourceInfo().GetStartLocation(id)
		problems = append(problems, Problem{
			Message: fmt.Sprintf("%s should be %s and is %s: write it in another way", rulefile.Clip(text), want, got),
			Line:    max(at.Line(), 0), Column: at.Column() + 1,
		})
	}
	tree.Walk(func(n *Node) {
		found := checked.GetType(n.id)
		if !n.Shape.EmptyList() && !found.IsExactType(celType(n.Shape)) {
			differ(n.id, n.Text(), n.Shape.String(), found.String())
		}
	})
	if checked.GetType(checked.Expr().ID()) != types.BoolType {
		differ(checked.Expr().ID(), tree.Text(), fact.BoolShape.String(), checked.GetType(checked.Expr().ID()).String())
	}
	return problems
}
