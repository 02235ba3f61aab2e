package requirement

import (
	"fmt"
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

// This file resolves operators and functions: it gives a call its shape, or reports a problem that
// says what to write instead.

// operatorSigns has the operators in their written form.
var operatorSigns = map[string]string{
	operators.Add: "+", operators.Conditional: "?", operators.Divide: "/", operators.Equals: "==",
	operators.Greater: ">", operators.GreaterEquals: ">=", operators.In: "in", operators.Less: "<",
	operators.LessEquals: "<=", operators.LogicalAnd: "&&", operators.LogicalNot: "!",
	operators.LogicalOr: "||", operators.Modulo: "%", operators.Multiply: "*", operators.Negate: "-",
	operators.NotEquals: "!=", operators.Subtract: "-",
}

// functionHints says what to write instead of a function that CEL or another language has and the
// rules do not have.
var functionHints = map[string]string{
	"any":               "use exists",
	"avg":               "average_individual_sale, average_monthly_credit_sales and average_yearly_credit_sales are on record",
	"bool":              "compare instead",
	"containsAny":       "write industry_category_code.exists(x, x in [\"5967\", \"7995\"])",
	"count":             "write size(list), or size(list.filter(x, …)) for how many match",
	"age":               countFromDates,
	"dateDiff":          countBetweenDates,
	"datediff":          countBetweenDates,
	"duration":          countFromDates,
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
	"now":               countFromDates,
	"round":             "numbers are compared as they are on record, cents included",
	"some":              "use exists",
	"string":            "numbers and dates are compared as they are",
	"substring":         "use startsWith, endsWith or contains",
	"today":             countFromDates,
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

// wordHints says what to write instead of a word that is used as a function, in upper or lower
// case.
var wordHints = map[string]string{
	"abs": "compare with both bounds: x > -5 && x < 5",
	"and": "write && between the two conditions",
	"if":  "write a ? b : c for \"if a then b else c\"",
	"not": "write ! before the brackets: !(…)",
	"or":  "write || between the two conditions",
	"xor": "write != between the two conditions",
}

// Texts that several hints contain.
const (
	missingIsAskedFor   = "because the service asks for missing facts before it evaluates rules"
	capitalsAreOnRecord = "a citizenship is on record in capital letters, such as \"US\""
	countFromDates      = "count from a date to today with days_since, months_since or years_since, as in years_since(established_date)"
	countBetweenDates   = "count between two dates with days_between, months_between or years_between, as in years_between(from, to), " +
		"and to today with years_since"
)

// functions has the functions and loops of conditions, with the first version of the language that
// has each. CEL's timestamp is also understood, but date is the better name.
var functions = map[string]int{
	"all": 1, "contains": 1, "date": 1, daysBetween: 3, daysSince: 2, "endsWith": 1, "exists": 1, "exists_one": 1, "filter": 1, "map": 1,
	monthsBetween: 3, monthsSince: 2, "size": 1, "startsWith": 1, sumName: 2, yearsBetween: 3, yearsSince: 2,
}

// functionNames returns the sorted names.
func (s scope) functionNames() []string {
	var names []string
	for name, since := range functions {
		if since <= s.version {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// The functions that count from a date to the day of the calculation, or from one date to another.
const (
	daysSince     = "days_since"
	monthsSince   = "months_since"
	yearsSince    = "years_since"
	daysBetween   = "days_between"
	monthsBetween = "months_between"
	yearsBetween  = "years_between"
)

// dateFunction counts completed units from its first date to its second, or to the day of the
// calculation. If the second date is earlier, the result is the negated count from it.
type dateFunction struct {
	unit  string
	count func(from, to fact.Date) int64
	bits  int // of the count between any two dates
	dates int // how many dates it takes
}

var dateFunctions = map[string]dateFunction{
	daysSince: {"day", fact.DaysSince, 22, 1}, monthsSince: {"month", fact.MonthsSince, 17, 1}, yearsSince: {"year", fact.YearsSince, 14, 1},
	daysBetween: {"day", fact.DaysSince, 22, 2}, monthsBetween: {"month", fact.MonthsSince, 17, 2}, yearsBetween: {"year", fact.YearsSince, 14, 2},
}

// CountsTime reports whether n counts the days, months or years between two days. CountsSince
// reports whether the second one is the day of the calculation.
func (n *Node) CountsTime() bool  { return n.Kind == CallKind && dateFunctions[n.Name].dates > 0 }
func (n *Node) CountsSince() bool { return n.Kind == CallKind && dateFunctions[n.Name].dates == 1 }

// CountedUnit is the unit that n counts, "day", "month" or "year", if n counts time.
func (n *Node) CountedUnit() string { return dateFunctions[n.Name].unit }

func (r *resolver) call(n *Node, call ast.CallExpr) {
	name := call.FunctionName()
	if sign, ok := operatorSigns[name]; ok {
		n.Kind, n.Name = CallKind, name
		for _, arg := range call.Args() {
			n.Args = append(n.Args, r.expr(arg))
		}
		r.operator(n, sign)
		return
	}
	n.Kind, n.Name = CallKind, name
	switch {
	case isLoop(name):
		// CEL has not expanded this loop. Its variable would look like a fact.
		example := rulefile.Pick(name == sumName, "persons.sum(p, p.ownership_percentage)", "persons.exists(p, p.ownership_percentage > 50)")
		r.reportAt(n.id, "%s looks at one element after the other and needs a name for it: write list.%s(x, …), as in %s", name, name, example)
		return
	case name != "timestamp" && !slices.Contains(r.functionNames(), name):
		r.unknownFunction(n, call)
		return
	}
	if call.IsMemberFunction() {
		n.Args = append(n.Args, r.expr(call.Target()))
	}
	for _, arg := range call.Args() {
		n.Args = append(n.Args, r.expr(arg))
	}
	r.function(n, call.IsMemberFunction())
}

func (r *resolver) operator(n *Node, sign string) {
	switch n.Name {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		n.Shape = fact.BoolShape
		for _, arg := range n.Args {
			if arg.Shape.Known() && arg.Shape != fact.BoolShape {
				r.report(arg, "is %s, and %s needs conditions that are true or false%s", arg.Shape, sign, junctionHint(n, arg))
			}
		}
	case operators.Conditional:
		r.conditional(n)
	case operators.Equals, operators.NotEquals:
		n.Shape = fact.BoolShape
		r.comparison(n, sign)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		n.Shape = fact.BoolShape
		r.comparison(n, sign)
		if n.Args[0].Shape == fact.BoolShape && n.Args[1].Shape == fact.BoolShape {
			r.reportAt(n.id, "%s compares two conditions, which have no order", sign)
		}
	case operators.In:
		n.Shape = fact.BoolShape
		r.membership(n)
	default:
		r.arithmetic(n, sign)
	}
}

func (r *resolver) conditional(n *Node) {
	test, yes, no := n.Args[0], n.Args[1], n.Args[2]
	if test.Shape.Known() && test.Shape != fact.BoolShape {
		r.report(test, "is %s, and the question before ? must be true or false", test.Shape)
	}
	n.Shape, n.whole = yes.Shape, yes.whole && no.whole
	switch {
	case !yes.Shape.Known() || !no.Shape.Known():
		n.Shape = fact.UnknownShape
	case yes.Shape.Base == fact.PersonBase || no.Shape.Base == fact.PersonBase:
		r.reportAt(n.id, "? cannot choose between persons: select a field of each, or use filter")
		n.Shape = fact.UnknownShape
	case yes.Shape != no.Shape:
		r.reportAt(n.id, "? chooses between %s and %s: both must be of one kind", yes.Shape, no.Shape)
		n.Shape = fact.UnknownShape
	}
}

func (r *resolver) comparison(n *Node, sign string) {
	left, right := n.Args[0], n.Args[1]
	switch {
	case left.Shape.List && right.Shape.List:
		r.reportAt(n.id, "%s compares two lists: use all, exists or in to look at their elements, and size(list) == 0 to ask for none", sign)
	case !left.Shape.Known() || !right.Shape.Known():
	case left.Shape == fact.PersonShape || right.Shape == fact.PersonShape:
		r.reportAt(n.id, "%s compares a whole person: compare a field, such as person_id", sign)
	case left.Shape != right.Shape:
		r.reportAt(n.id, "%s compares %s with %s%s", sign, left.Shape, right.Shape, comparisonHint(n))
	}
}

// comparisonHint says how to correct a comparison between two types of values.
func comparisonHint(n *Node) string {
	left, right := n.Args[0], n.Args[1]
	for _, pair := range [][2]*Node{{left, right}, {right, left}} {
		one, other := pair[0], pair[1]
		if other.Shape.List && !one.Shape.List {
			return listHint(n, one, other)
		}
		if other.Shape == fact.BoolShape && other.Row != fact.NoFact {
			return fmt.Sprintf(": write %s alone, or !%s", rulefile.Clip(other.Text()), rulefile.Clip(other.Text()))
		}
		if other.Shape == fact.DateShape && one.Shape.Number() && one.Kind != LiteralKind && one.Constant() {
			return ": write the date in quotes, date(\"2020-01-31\")"
		}
		if other.Shape == fact.DateShape && one.Shape == fact.NumberShape && one.whole && !one.Constant() {
			return ": compare the age with a number, or established_date with a date"
		}
		if one.Kind == LiteralKind {
			if hint := literalHint(one, other); hint != "" {
				return hint
			}
		}
	}
	if left.Kind == CallKind && left.Name == operators.LogicalNot {
		return ": put brackets around what ! denies, !(…)"
	}
	return ""
}

// listHint is for a value that is compared with a whole list.
func listHint(n, value, list *Node) string {
	text, how := rulefile.Clip(value.within(bindComparison+1)), ""
	switch {
	case list.Shape == fact.ListOf(fact.PersonShape) && value.Shape.Number():
		return ": write size(" + rulefile.Clip(list.Text()) + ") for how many there are"
	case list.Shape == fact.ListOf(fact.TextShape) && value.Kind == LiteralKind && value.Shape.Number():
		text, how = `"…"`, ", with the code in quotes and the zeros it begins with"
	case value.Shape != list.Shape.Element():
		return ""
	}
	in := text + " in " + rulefile.Clip(list.within(bindComparison+1))
	switch n.Name {
	case operators.Equals:
		return ": write " + in + how
	case operators.NotEquals:
		return ": write !(" + in + ")" + how
	}
	return ": write " + rulefile.Clip(list.within(bindMember)) + ".exists(x, …) to look at its elements"
}

// literalHint is for a literal that is compared with a value of another type.
func literalHint(one, other *Node) string {
	text, _ := one.Literal.(string)
	_, noDate := fact.ParseDate(text)
	switch {
	case one.Shape == fact.TextShape && text == "" && (other.Shape.Number() || other.Shape == fact.DateShape):
		return ": leave the comparison out, " + missingIsAskedFor
	case one.Shape == fact.TextShape && other.Shape.Number() && isNumber(text):
		return ": write the number without quotes"
	case one.Shape == fact.TextShape && other.Shape.Number():
		return ": write a plain number, without quotes, separators or signs"
	case one.Shape == fact.TextShape && other.Shape == fact.DateShape && noDate == nil:
		return ": write date(" + strconv.Quote(text) + ")"
	case one.Shape == fact.TextShape && other.Shape == fact.DateShape:
		return ": write a date as year, month and day, date(\"2020-01-31\")"
	case one.Shape.Number() && other.Shape == fact.TextShape:
		return ": put the number in quotes, with the zeros it begins with"
	case one.Shape.Number() && other.Shape == fact.DateShape:
		return ": write a whole date, such as date(\"" + yearOf(one) + "-01-31\")"
	case one.Shape.Number() && other.IsComparison():
		return ": write two comparisons joined by &&, such as 500 < evaluation_score && evaluation_score < 700"
	}
	return ""
}

// yearOf returns the number as the year of an example, if it can be a year.
func yearOf(n *Node) string {
	if year, ok := n.Literal.(fact.Number); ok && year.IsInt() && year.Cmp(rational.Int(1000)) >= 0 && year.Cmp(rational.Int(9999)) <= 0 {
		return year.String()
	}
	return "2020"
}

// junctionHint says how to correct an operand of &&, || or ! that is not a condition.
func junctionHint(n, arg *Node) string {
	switch {
	case n.Name == operators.LogicalNot:
		return ": put brackets around what ! denies, !(…)"
	case arg.Kind == LiteralKind:
		return ": repeat the comparison, as in x == 1 || x == 2, or write x in [1, 2]"
	}
	return ""
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

func (r *resolver) membership(n *Node) {
	value, list := n.Args[0], n.Args[1]
	switch {
	case value.Shape.List && list.Shape.List:
		r.report(value, "is a list: write %s.exists(x, x in %s)", rulefile.Clip(value.within(bindMember)), rulefile.Clip(list.within(bindComparison+1)))
	case !value.Shape.Known() || !list.Shape.Known():
	case !list.Shape.List:
		r.report(list, "is %s, and what follows in must be a list: put it in square brackets", list.Shape)
	case value.Shape == fact.PersonShape:
		r.report(value, "is a whole person: look for a field, such as person_id")
	case list.Shape.EmptyList():
	case value.Shape != list.Shape.Element():
		r.reportAt(n.id, "in looks for %s in %s%s", value.Shape, list.Shape, membershipHint(value, list))
	}
}

func membershipHint(value, list *Node) string {
	switch {
	case list.Shape == fact.ListOf(fact.PersonShape):
		return ": look at a field of each, as in persons.map(p, p.citizenship)"
	case value.Kind == LiteralKind && value.Shape.Number() && list.Shape == fact.ListOf(fact.TextShape):
		return ": put the number in quotes, with the zeros it begins with"
	case value.Kind == CallKind && value.Name == operators.LogicalNot:
		return ": put brackets around what ! denies, !(x in list)"
	case list.Kind != ArrayKind:
		return ""
	case value.Shape == fact.TextShape && list.Shape.Element().Number():
		return ": put each number in quotes, with the zeros it begins with"
	case value.Shape.Number() && list.Shape.Element() == fact.TextShape:
		return ": write the numbers without quotes"
	case value.Shape == fact.DateShape:
		return ": write each as date(\"2020-01-31\")"
	}
	return ""
}

// join resolves + on texts. It returns false if n adds anything else.
func (r *resolver) join(n *Node) bool {
	texts := 0
	for _, arg := range n.Args {
		if arg.Shape == fact.TextShape {
			texts++
		}
	}
	if n.Name != operators.Add || texts == 0 {
		return false
	}
	n.Shape = fact.TextShape
	for i, arg := range n.Args {
		if arg.Shape == fact.TextShape || !arg.Shape.Known() {
			continue
		}
		text, _ := n.Args[1-i].Literal.(string)
		hint := "compare the two apart, and join the comparisons with &&"
		switch {
		case arg.Shape.List:
			hint = "join one text, as in list.exists(x, x + \"/\" == …)"
		case arg.Shape == fact.PersonShape:
			hint = "join a field, such as " + rulefile.Clip(arg.Text()) + ".citizenship"
		case arg.Shape == fact.BoolShape:
			hint = "choose a text by it, as in (x ? \"yes\" : \"no\")"
		case arg.Shape.Number() && isNumber(text):
			hint = "write the number without quotes to calculate"
		case arg.Kind == LiteralKind && arg.Shape.Number():
			hint = "put it in quotes"
		}
		r.report(arg, "is %s, and + joins text with text only: %s", arg.Shape, hint)
		n.Shape = fact.UnknownShape
	}
	return true
}

// joined returns the texts that + joins, in order.
func (n *Node) joined() []*Node {
	if n.Kind == CallKind && n.Name == operators.Add && n.Shape == fact.TextShape {
		return slices.Concat(n.Args[0].joined(), n.Args[1].joined())
	}
	return []*Node{n}
}

func (r *resolver) arithmetic(n *Node, sign string) {
	if r.join(n) {
		return
	}
	n.Shape, n.whole = fact.NumberShape, n.Name != operators.Divide
	for _, arg := range n.Args {
		n.whole = n.whole && arg.whole
		switch {
		case !arg.Shape.Known():
			n.Shape = fact.UnknownShape
		case arg.Shape == fact.DateShape:
			r.reportAt(n.id, "%s cannot calculate with dates: %s", sign, dateHint(n))
			n.Shape = fact.UnknownShape
			return
		case arg.Shape.List && n.Name == operators.Add:
			r.reportAt(n.id, "+ cannot join lists: ask for each with ||, as in x in lists.one || x in lists.two")
			n.Shape = fact.UnknownShape
			return
		case !arg.Shape.Number():
			r.report(arg, "is %s, and %s calculates with numbers", arg.Shape, sign)
			n.Shape = fact.UnknownShape
		}
	}
	if n.Shape == fact.NumberShape && n.Name == operators.Modulo && !n.whole {
		r.reportAt(n.id, "%% needs whole numbers on both sides")
	}
}

// dateHint says how to count instead of calculating with dates: a - b is the number of days from b
// to a.
func dateHint(n *Node) string {
	to, from := n.Args[0], n.Args[len(n.Args)-1]
	if n.Name != operators.Subtract || to.Shape != fact.DateShape || from.Shape != fact.DateShape {
		return countFromDates
	}
	return fmt.Sprintf(
		"count between the two with days_between, months_between or years_between, as in days_between(%s, %s)",
		rulefile.Clip(from.Text()), rulefile.Clip(to.Text()))
}

func (r *resolver) function(n *Node, member bool) {
	switch n.Name {
	case "size":
		n.Shape, n.whole = fact.NumberShape, true
		if r.arity(n, 1, "size(list)") && n.Args[0].Shape.Known() && !n.Args[0].Shape.List && n.Args[0].Shape != fact.TextShape {
			r.report(n.Args[0], "is %s, and size counts the elements of a list or the characters of a text", n.Args[0].Shape)
		}
	case "contains", "startsWith", "endsWith":
		n.Shape = fact.BoolShape
		r.textTest(n, member)
	case daysSince, monthsSince, yearsSince, daysBetween, monthsBetween, yearsBetween:
		n.Shape, n.whole = fact.NumberShape, true
		r.countTime(n, member)
	case "date":
		n.Shape = fact.DateShape
		r.date(n, member)
	case "timestamp":
		n.Shape = fact.DateShape
		r.timestamp(n, member)
	}
}

// unknownFunction does not resolve the arguments: their meaning depends on the function.
func (r *resolver) unknownFunction(n *Node, call ast.CallExpr) {
	if n.Name == operators.Index && r.indexed(n, call) {
		return
	}
	if since := functions[n.Name]; since > r.version {
		r.tooNew(n, "function", since)
		return
	}
	hint, ok := functionHints[n.Name]
	if !ok {
		hint, ok = wordHints[strings.ToLower(n.Name)]
	}
	if ok {
		r.reportAt(n.id, "%s is not part of the rules: %s", functionText(n.Name), hint)
		return
	}
	names := r.functionNames()
	r.reportAt(n.id,
		"%s is not a function of the rules%s; the functions are %s",
		rulefile.Clip(n.Name), rulefile.DidYouMean(n.Name, names), strings.Join(names, ", "))
}

// indexed explains the uses of [ ] that do not select an element by its position.
func (r *resolver) indexed(n *Node, call ast.CallExpr) bool {
	of, by := call.Args()[0], call.Args()[1]
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
	return slices.Contains([]string{operators.All, operators.Exists, operators.ExistsOne, operators.Filter, operators.Map, sumName}, name)
}

func (r *resolver) arity(n *Node, want int, usage string) bool {
	if len(n.Args) == want {
		return true
	}
	r.reportAt(n.id, "%s is given %d values: write %s", n.Name, len(n.Args), usage)
	return false
}

func (r *resolver) textTest(n *Node, member bool) {
	if !member {
		r.reportAt(n.id, "write %s after the text that it looks at: x.%s(\"79\")", n.Name, n.Name)
		return
	}
	if !r.arity(n, 2, "x."+n.Name+"(\"79\")") {
		return
	}
	of, part := n.Args[0], n.Args[1]
	switch {
	case of.Shape.List && n.Name == "contains":
		r.reportAt(n.id,
			"%s is a list: write %s in %s",
			rulefile.Clip(of.Text()), rulefile.Clip(part.within(bindComparison+1)), rulefile.Clip(of.within(bindComparison+1)))
	case of.Shape.List:
		r.reportAt(n.id,
			"%s is a list: write %s.exists(x, x.%s(%s))",
			rulefile.Clip(of.Text()), rulefile.Clip(of.within(bindMember)), n.Name, rulefile.Clip(part.Text()))
	case of.Shape.Known() && of.Shape != fact.TextShape:
		r.report(of, "is %s, and %s looks at text", of.Shape, n.Name)
	case part.Shape.Known() && part.Shape != fact.TextShape:
		r.report(part, "is %s, and %s looks for text", part.Shape, n.Name)
	}
}

// countTime checks the dates in calls of days_since, days_between and similar functions.
func (r *resolver) countTime(n *Node, member bool) {
	dates, what, usage := dateFunctions[n.Name].dates, "the date", n.Name+"(established_date)"
	if dates == 2 {
		what, usage = "both dates", n.Name+"(established_date, date(\"2020-01-31\"))"
	}
	texts := make([]string, len(n.Args))
	for i, arg := range n.Args {
		texts[i] = rulefile.Clip(arg.Text())
	}
	if member && len(n.Args) == dates {
		r.reportAt(n.id, "write %s in brackets: %s(%s)", what, n.Name, strings.Join(texts, ", "))
		return
	}
	if !r.arity(n, dates, usage) {
		return
	}
	for i, arg := range n.Args {
		if !arg.Shape.Known() || arg.Shape == fact.DateShape {
			continue
		}
		form, date := "%s", "established_date"
		text, _ := arg.Literal.(string)
		if _, err := fact.ParseDate(text); err == nil {
			date = fmt.Sprintf("date(%q)", text)
		} else if arg.Shape == fact.PersonShape {
			date = r.ofPerson("date_of_birth")
		} else if arg.Shape == fact.ListOf(fact.PersonShape) {
			form, date = texts[i]+".exists(p, %s …)", "p.date_of_birth"
		}
		of := slices.Clone(texts)
		of[i] = date
		r.report(arg,
			"is %s, and %s counts %s: write "+form,
			arg.Shape, n.Name,
			rulefile.Pick(dates == 1, "from a date", "between two dates"),
			n.Name+"("+strings.Join(of, ", ")+")")
	}
}

// date turns date("2020-01-31") into a literal.
func (r *resolver) date(n *Node, member bool) {
	if member || len(n.Args) != 1 || n.Args[0].Kind != LiteralKind || n.Args[0].Shape != fact.TextShape {
		r.reportAt(n.id, "date takes one date written out in quotes: date(\"2020-01-31\")")
		return
	}
	date, err := fact.ParseDate(n.Args[0].Literal.(string))
	if err != nil {
		r.reportAt(n.id, "%v", err)
		return
	}
	n.Kind, n.Literal, n.Args = LiteralKind, date, nil
}

// timestamp turns CEL's timestamp("2020-01-31T00:00:00Z") into a date. A fact is a day and has no
// time. CEL represents a date as the first instant of the day in UTC, so it accepts only that time.
func (r *resolver) timestamp(n *Node, member bool) {
	if member || len(n.Args) != 1 || n.Args[0].Kind != LiteralKind || n.Args[0].Shape != fact.TextShape {
		r.reportAt(n.id, "timestamp takes one moment written out: write date(\"2020-01-31\")")
		return
	}
	text := n.Args[0].Literal.(string)
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
	n.Kind, n.Name, n.Literal, n.Args = LiteralKind, "date", date, nil
}

// Mirrors maps each comparison to the one with its sides exchanged.
var Mirrors = map[string]string{
	operators.Equals: operators.Equals, operators.NotEquals: operators.NotEquals,
	operators.Less: operators.Greater, operators.LessEquals: operators.GreaterEquals,
	operators.Greater: operators.Less, operators.GreaterEquals: operators.LessEquals,
}
