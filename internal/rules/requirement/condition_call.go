package requirement

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Operators and functions. Input: a node that is a call. Output: its shape, or a
// problem that says what to write instead.

// operatorSigns are the operators as they are written.
var operatorSigns = map[string]string{
	operators.Add: "+", operators.Conditional: "?", operators.Divide: "/", operators.Equals: "==",
	operators.Greater: ">", operators.GreaterEquals: ">=", operators.In: "in", operators.Less: "<",
	operators.LessEquals: "<=", operators.LogicalAnd: "&&", operators.LogicalNot: "!",
	operators.LogicalOr: "||", operators.Modulo: "%", operators.Multiply: "*", operators.Negate: "-",
	operators.NotEquals: "!=", operators.Subtract: "-",
}

// functionHints say what to write instead of a function that CEL or another
// language has and the rules do not.
var functionHints = map[string]string{
	"any":               "use exists",
	"avg":               "average_individual_sale, average_monthly_credit_sales and average_yearly_credit_sales are on record",
	"bool":              "compare instead",
	"containsAny":       "write industry_category_code.exists(x, x in [\"5967\", \"7995\"])",
	"count":             "write size(list), or size(list.filter(x, …)) for how many match",
	"duration":          "use business_age_months or business_age_years for ages",
	"dyn":               "every value has a known type, so you do not need it",
	"existsOne":         "it is written exists_one",
	"getDate":           "compare with a date: established_date < date(\"2020-01-31\")",
	"getDayOfMonth":     "compare with a date: established_date < date(\"2020-01-31\")",
	"getFullYear":       "compare with a date: established_date < date(\"2020-01-01\")",
	"getMonth":          "compare with a date: established_date < date(\"2020-01-31\")",
	"has":               "leave it out, " + missingIsAskedFor,
	"int":               "numbers are compared as they are, and industry codes as texts: code >= \"7000\" && code <= \"7999\"",
	"isEmpty":           "write size(list) == 0",
	"len":               "write size(list)",
	"length":            "write size(list)",
	"lower":             capitalsAreOnRecord,
	"lowerAscii":        capitalsAreOnRecord,
	"matches":           "use startsWith, endsWith, contains or a list",
	"max":               "compare each with the limit, joined by ||",
	"min":               "compare each with the limit, joined by &&",
	"none":              "write !list.exists(x, …)",
	"now":               "use business_age_months or business_age_years for ages",
	"round":             "numbers are compared as they are on record, cents included",
	"some":              "use exists",
	"string":            "numbers and dates are compared as they are",
	"substring":         "use startsWith, endsWith or contains",
	"sum":               "lists have no sum; compare each person with exists or all",
	"today":             "use business_age_months or business_age_years for ages",
	"toLower":           capitalsAreOnRecord,
	"toUpper":           capitalsAreOnRecord,
	"type":              "every value has a known type, so you do not need it",
	"double":            "numbers are compared and divided as they are, exactly",
	"uint":              "numbers are compared as they are",
	"upper":             capitalsAreOnRecord,
	"upperAscii":        capitalsAreOnRecord,
	operators.Index:     "lists have no order; use exists, all or in",
	operators.OptIndex:  "lists have no order; use exists, all or in",
	operators.OptSelect: "leave it out, " + missingIsAskedFor,
}

// wordHints say what to write instead of a word that is used as a function, in
// capitals or not.
var wordHints = map[string]string{
	"abs": "compare with both bounds: x > -5 && x < 5",
	"and": "write && between the two conditions",
	"if":  "write a ? b : c for \"if a then b else c\"",
	"not": "write ! before the brackets: !(…)",
	"or":  "write || between the two conditions",
	"xor": "write != between the two conditions",
}

// Parts of hints that several of them share.
const (
	missingIsAskedFor   = "because the service asks for missing facts before it evaluates rules"
	capitalsAreOnRecord = "a citizenship is on record in capital letters, such as \"US\""
)

// functionNames are the functions and loops that a condition can use. CEL's
// timestamp is understood as well, and date is the better name for what it is.
func functionNames() []string {
	return []string{"all", "contains", "date", "endsWith", "exists", "exists_one", "filter", "map", "size", "startsWith"}
}

func (r *resolver) call(n *node) {
	call := n.expr.AsCall()
	name := call.FunctionName()
	if sign, ok := operatorSigns[name]; ok {
		n.kind, n.name = callKind, name
		for _, arg := range call.Args() {
			n.args = append(n.args, r.expr(arg))
		}
		r.operator(n, sign)
		return
	}
	n.kind, n.name = callKind, name
	switch {
	case isLoop(name):
		// A loop that CEL has not expanded; its variable would look like a fact.
		r.reportAt(n.id, "%s looks at one element after the other and needs a name for it: write list.%s(x, …), as in persons.exists(p, p.ownership_percentage > 50)", name, name)
		return
	case name != "timestamp" && !slices.Contains(functionNames(), name):
		r.unknownFunction(n)
		return
	}
	if call.IsMemberFunction() {
		n.args = append(n.args, r.expr(call.Target()))
	}
	for _, arg := range call.Args() {
		n.args = append(n.args, r.expr(arg))
	}
	r.function(n, call.IsMemberFunction())
}

func (r *resolver) operator(n *node, sign string) {
	switch n.name {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		n.shape = fact.BoolShape
		for _, arg := range n.args {
			if arg.shape.Known() && arg.shape != fact.BoolShape {
				r.report(arg, "is %s, and %s needs conditions that are true or false%s", arg.shape, sign, junctionHint(n, arg))
			}
		}
	case operators.Conditional:
		r.conditional(n)
	case operators.Equals, operators.NotEquals:
		n.shape = fact.BoolShape
		r.comparison(n, sign)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		n.shape = fact.BoolShape
		r.comparison(n, sign)
		if n.args[0].shape == fact.BoolShape && n.args[1].shape == fact.BoolShape {
			r.reportAt(n.id, "%s compares two conditions, which have no order", sign)
		}
	case operators.In:
		n.shape = fact.BoolShape
		r.membership(n)
	default:
		r.arithmetic(n, sign)
	}
}

func (r *resolver) conditional(n *node) {
	test, yes, no := n.args[0], n.args[1], n.args[2]
	if test.shape.Known() && test.shape != fact.BoolShape {
		r.report(test, "is %s, and the question before ? must be true or false", test.shape)
	}
	n.shape, n.whole = yes.shape, yes.whole && no.whole
	switch {
	case !yes.shape.Known() || !no.shape.Known():
		n.shape = fact.UnknownShape
	case yes.shape.Base == fact.PersonBase || no.shape.Base == fact.PersonBase:
		r.reportAt(n.id, "? cannot choose between persons: select a field of each, or use filter")
		n.shape = fact.UnknownShape
	case yes.shape != no.shape:
		r.reportAt(n.id, "? chooses between %s and %s: both must be of one kind", yes.shape, no.shape)
		n.shape = fact.UnknownShape
	}
}

func (r *resolver) comparison(n *node, sign string) {
	left, right := n.args[0], n.args[1]
	switch {
	case left.shape.List && right.shape.List:
		r.reportAt(n.id, "%s compares two lists: use all, exists or in to look at their elements, and size(list) == 0 to ask for none", sign)
	case !left.shape.Known() || !right.shape.Known():
	case left.shape == fact.PersonShape || right.shape == fact.PersonShape:
		r.reportAt(n.id, "%s compares a whole person: compare a field, such as person_id", sign)
	case left.shape != right.shape:
		r.reportAt(n.id, "%s compares %s with %s%s", sign, left.shape, right.shape, comparisonHint(n))
	}
}

// comparisonHint says how to mend a comparison between two kinds of values.
func comparisonHint(n *node) string {
	left, right := n.args[0], n.args[1]
	for _, pair := range [][2]*node{{left, right}, {right, left}} {
		one, other := pair[0], pair[1]
		if other.shape.List && !one.shape.List {
			return listHint(n, one, other)
		}
		if other.shape == fact.DateShape && one.shape.Number() && one.kind != literalKind && one.constant() {
			return ": write the date in quotes, date(\"2020-01-31\")"
		}
		if other.shape == fact.DateShape && one.shape == fact.NumberShape && one.whole && !one.constant() {
			return ": compare the age with a number, or established_date with a date"
		}
		if one.kind == literalKind {
			if hint := literalHint(one, other); hint != "" {
				return hint
			}
		}
	}
	if left.kind == callKind && left.name == operators.LogicalNot {
		return ": put brackets around what ! denies, !(…)"
	}
	return ""
}

// listHint is for a value that is compared with a whole list.
func listHint(n, value, list *node) string {
	text, how := rulefile.Clip(value.within(bindComparison+1)), ""
	switch {
	case list.shape == fact.ListOf(fact.PersonShape) && value.shape.Number():
		return ": write size(" + rulefile.Clip(list.text()) + ") for how many there are"
	case list.shape == fact.ListOf(fact.TextShape) && value.kind == literalKind && value.shape.Number():
		text, how = `"…"`, ", with the code in quotes and the zeros it begins with"
	case value.shape != list.shape.Element():
		return ""
	}
	in := text + " in " + rulefile.Clip(list.within(bindComparison+1))
	switch n.name {
	case operators.Equals:
		return ": write " + in + how
	case operators.NotEquals:
		return ": write !(" + in + ")" + how
	}
	return ": write " + rulefile.Clip(list.within(bindMember)) + ".exists(x, …) to look at its elements"
}

// literalHint is for a literal that is compared with a value of another kind.
func literalHint(one, other *node) string {
	text, _ := one.literal.(string)
	_, noDate := fact.ParseDate(text)
	switch {
	case one.shape == fact.TextShape && text == "" && (other.shape.Number() || other.shape == fact.DateShape):
		return ": leave the comparison out, " + missingIsAskedFor
	case one.shape == fact.TextShape && other.shape.Number() && isNumber(text):
		return ": write the number without quotes"
	case one.shape == fact.TextShape && other.shape.Number():
		return ": write a plain number, without quotes, separators or signs"
	case one.shape == fact.TextShape && other.shape == fact.DateShape && noDate == nil:
		return ": write date(" + strconv.Quote(text) + ")"
	case one.shape == fact.TextShape && other.shape == fact.DateShape:
		return ": write a date as year, month and day, date(\"2020-01-31\")"
	case one.shape.Number() && other.shape == fact.TextShape:
		return ": put the number in quotes, with the zeros it begins with"
	case one.shape.Number() && other.shape == fact.DateShape:
		return ": write a whole date, such as date(\"" + yearOf(one) + "-01-31\")"
	case one.shape.Number() && other.isComparison():
		return ": write two comparisons joined by &&, such as 500 < evaluation_score && evaluation_score < 700"
	}
	return ""
}

// yearOf is the number as the year of an example, if it can be one.
func yearOf(n *node) string {
	if year, ok := n.literal.(fact.Number); ok && year.IsInt() && year.Cmp(rational.Int(1000)) >= 0 && year.Cmp(rational.Int(9999)) <= 0 {
		return year.String()
	}
	return "2020"
}

// junctionHint says how to mend an operand of &&, || or ! that is no condition.
func junctionHint(n, arg *node) string {
	switch {
	case n.name == operators.LogicalNot:
		return ": put brackets around what ! denies, !(…)"
	case arg.kind == literalKind:
		return ": repeat the comparison, as in x == 1 || x == 2, or write x in [1, 2]"
	}
	return ""
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

func (r *resolver) membership(n *node) {
	value, list := n.args[0], n.args[1]
	switch {
	case value.shape.List && list.shape.List:
		r.report(value, "is a list: write %s.exists(x, x in %s)", rulefile.Clip(value.within(bindMember)), rulefile.Clip(list.within(bindComparison+1)))
	case !value.shape.Known() || !list.shape.Known():
	case !list.shape.List:
		r.report(list, "is %s, and what follows in must be a list: put it in square brackets", list.shape)
	case value.shape == fact.PersonShape:
		r.report(value, "is a whole person: look for a field, such as person_id")
	case list.shape.EmptyList():
	case value.shape != list.shape.Element():
		r.reportAt(n.id, "in looks for %s in %s%s", value.shape, list.shape, membershipHint(value, list))
	}
}

func membershipHint(value, list *node) string {
	switch {
	case list.shape == fact.ListOf(fact.PersonShape):
		return ": look at a field of each, as in persons.map(p, p.citizenship)"
	case value.kind == literalKind && value.shape.Number() && list.shape == fact.ListOf(fact.TextShape):
		return ": put the number in quotes, with the zeros it begins with"
	case value.kind == callKind && value.name == operators.LogicalNot:
		return ": put brackets around what ! denies, !(x in list)"
	case list.kind != arrayKind:
		return ""
	case value.shape == fact.TextShape && list.shape.Element().Number():
		return ": put each number in quotes, with the zeros it begins with"
	case value.shape.Number() && list.shape.Element() == fact.TextShape:
		return ": write the numbers without quotes"
	case value.shape == fact.DateShape:
		return ": write each as date(\"2020-01-31\")"
	}
	return ""
}

func (r *resolver) arithmetic(n *node, sign string) {
	n.shape, n.whole = fact.NumberShape, n.name != operators.Divide
	for _, arg := range n.args {
		n.whole = n.whole && arg.whole
		switch {
		case !arg.shape.Known():
			n.shape = fact.UnknownShape
		case arg.shape == fact.DateShape:
			r.reportAt(n.id, "%s cannot calculate with dates: use business_age_months or business_age_years", sign)
			n.shape = fact.UnknownShape
			return
		case arg.shape.List && n.name == operators.Add:
			r.reportAt(n.id, "+ cannot join lists: ask for each with ||, as in x in lists.one || x in lists.two")
			n.shape = fact.UnknownShape
			return
		case !arg.shape.Number():
			r.report(arg, "is %s, and %s calculates with numbers", arg.shape, sign)
			n.shape = fact.UnknownShape
		}
	}
	if n.shape == fact.NumberShape && n.name == operators.Modulo && !n.whole {
		r.reportAt(n.id, "%% needs whole numbers on both sides")
	}
}

func (r *resolver) function(n *node, member bool) {
	switch n.name {
	case "size":
		n.shape, n.whole = fact.NumberShape, true
		if r.arity(n, 1, "size(list)") && n.args[0].shape.Known() && !n.args[0].shape.List && n.args[0].shape != fact.TextShape {
			r.report(n.args[0], "is %s, and size counts the elements of a list or the characters of a text", n.args[0].shape)
		}
	case "contains", "startsWith", "endsWith":
		n.shape = fact.BoolShape
		r.textTest(n, member)
	case "date":
		n.shape = fact.DateShape
		r.date(n, member)
	case "timestamp":
		n.shape = fact.DateShape
		r.timestamp(n, member)
	}
}

// unknownFunction leaves the arguments alone: what they mean depends on the
// function.
func (r *resolver) unknownFunction(n *node) {
	if n.name == operators.Index && r.indexed(n) {
		return
	}
	hint, ok := functionHints[n.name]
	if !ok {
		hint, ok = wordHints[strings.ToLower(n.name)]
	}
	if ok {
		r.reportAt(n.id, "%s is not part of the rules: %s", functionText(n.name), hint)
		return
	}
	r.reportAt(n.id, "%s is not a function of the rules%s; the functions are %s", rulefile.Clip(n.name), didYouMean(n.name, functionNames()), strings.Join(functionNames(), ", "))
}

// indexed explains the uses of [ ] that are not about the order of a list.
func (r *resolver) indexed(n *node) bool {
	of, by := n.expr.AsCall().Args()[0], n.expr.AsCall().Args()[1]
	switch of.Kind() {
	case ast.MapKind:
		r.expr(of)
		return true
	case ast.IdentKind:
		if name, ok := by.AsLiteral().(types.String); ok {
			r.reportAt(n.id, "write %s.%s", rulefile.Clip(of.AsIdent()), rulefile.Clip(string(name)))
			return true
		}
	}
	return false
}

func functionText(name string) string {
	switch name {
	case operators.Index, operators.OptIndex:
		return "[…]"
	case operators.OptSelect:
		return ".?"
	}
	return name + "()"
}

func isLoop(name string) bool {
	return slices.Contains([]string{operators.All, operators.Exists, operators.ExistsOne, operators.Filter, operators.Map}, name)
}

func (r *resolver) arity(n *node, want int, usage string) bool {
	if len(n.args) == want {
		return true
	}
	r.reportAt(n.id, "%s is given %d values: write %s", n.name, len(n.args), usage)
	return false
}

func (r *resolver) textTest(n *node, member bool) {
	if !member {
		r.reportAt(n.id, "write %s after the text that it looks at: x.%s(\"79\")", n.name, n.name)
		return
	}
	if !r.arity(n, 2, "x."+n.name+"(\"79\")") {
		return
	}
	of, part := n.args[0], n.args[1]
	switch {
	case of.shape.List && n.name == "contains":
		r.reportAt(n.id, "%s is a list: write %s in %s", rulefile.Clip(of.text()), rulefile.Clip(part.within(bindComparison+1)), rulefile.Clip(of.within(bindComparison+1)))
	case of.shape.List:
		r.reportAt(n.id, "%s is a list: write %s.exists(x, x.%s(%s))", rulefile.Clip(of.text()), rulefile.Clip(of.within(bindMember)), n.name, rulefile.Clip(part.text()))
	case of.shape.Known() && of.shape != fact.TextShape:
		r.report(of, "is %s, and %s looks at text", of.shape, n.name)
	case part.shape.Known() && part.shape != fact.TextShape:
		r.report(part, "is %s, and %s looks for text", part.shape, n.name)
	}
}

// date turns date("2020-01-31") into a literal.
func (r *resolver) date(n *node, member bool) {
	if member || len(n.args) != 1 || n.args[0].kind != literalKind || n.args[0].shape != fact.TextShape {
		r.reportAt(n.id, "date takes one date written out in quotes: date(\"2020-01-31\")")
		return
	}
	date, err := fact.ParseDate(n.args[0].literal.(string))
	if err != nil {
		r.reportAt(n.id, "%v", err)
		return
	}
	n.kind, n.literal, n.args = literalKind, date, nil
}

// timestamp turns CEL's timestamp("2020-01-31T00:00:00Z") into the date that it
// is. A fact is a day and has no time, so only the first instant of a day in
// UTC, which is how CEL sees a date, can be meant.
func (r *resolver) timestamp(n *node, member bool) {
	if member || len(n.args) != 1 || n.args[0].kind != literalKind || n.args[0].shape != fact.TextShape {
		r.reportAt(n.id, "timestamp takes one moment written out: write date(\"2020-01-31\")")
		return
	}
	text := n.args[0].literal.(string)
	if _, err := fact.ParseDate(text); err == nil {
		r.reportAt(n.id, "%q is a date without a time: write date(%q)", text, text)
		return
	}
	moment, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil || moment.UTC().Year() < 1:
		r.reportAt(n.id, "%q is not a moment that exists: write date(\"2020-01-31\")", rulefile.Clip(text))
		return
	}
	date := fact.DateOf(moment.UTC())
	if !moment.Equal(date.UTC()) {
		r.reportAt(n.id, "established_date is a day without a time: write date(%q)", fact.DateOf(moment))
		return
	}
	n.expr.SetKindCase(r.factory.NewCall(n.id, "date", r.factory.NewLiteral(n.args[0].id, types.String(date.String()))))
	n.kind, n.name, n.literal, n.args = literalKind, "date", date, nil
}

// mirrors are the comparisons with their sides exchanged.
var mirrors = map[string]string{
	operators.Equals: operators.Equals, operators.NotEquals: operators.NotEquals,
	operators.Less: operators.Greater, operators.LessEquals: operators.GreaterEquals,
	operators.Greater: operators.Less, operators.GreaterEquals: operators.LessEquals,
}
