package author

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of values that no record can contain, and of values that were probably not
// intended.

// listUse is what the warnings about a list's entries depend on. A list that many comparisons name
// is checked once for each listUse.
type listUse struct {
	list              string
	fact              *fact.Row
	exactly, compares bool
}

// looksExactly reports whether n looks for a value itself, and not for a bound or a part of it.
func looksExactly(n *requirement.Node) bool {
	return isCall(n, operators.Equals, operators.NotEquals, operators.In)
}

// unrecorded warns of values in a comparison that no record can contain, or that were probably not
// intended.
func (c *condition) unrecorded(n *requirement.Node) {
	if n.Kind != requirement.CallKind || len(n.Args) != 2 {
		return
	}
	c.noteList(n.Args[0].ComparedFact(), n.Args[1])
	for i, arg := range n.Args {
		row := arg.ComparedFact()
		if row == fact.NoFact {
			continue
		}
		c.noteMention(n, row, n.Args[1-i].Constants(c.loops))
		for _, named := range n.Args[1-i].Constants(c.loops) {
			if named.Kind == requirement.ListKind {
				c.lookedFor[named.Name] = c.lookedFor[named.Name] || looksExactly(n) && !c.denied[n]
				c.unrecordedList(n, row, named)
				continue
			}
			at := requirement.Problem{Path: c.path, Line: named.Line, Column: named.Column}
			c.noteCode(n, row, named.Literal, at)
			if at.Message = c.doubt(n, row, named.Literal); at.Message != "" {
				c.valued[n] = true
				c.addAt(n, at)
			}
		}
	}
}

// unrecordedList compares the entries of a list with a fact.
func (c *condition) unrecordedList(n *requirement.Node, row *fact.Row, list *requirement.Node) {
	use := listUse{list.Name, row, looksExactly(n), n.IsComparison()}
	impossible, seen := c.seen[use]
	if !seen {
		countries := row.Name == fact.NameIndustryCodes && use.exactly
		for i, entry := range c.lists[list.Name] {
			at := requirement.Problem{Path: fmt.Sprintf("%s.%s[%d]", fact.NameLists, list.Name, i)}
			c.noteCode(n, row, entry, at)
			countries = countries && fact.IsCitizenship(entry)
			if why := c.unrecordedText(n, row, entry); why != "" {
				impossible = true
				at.Message = fmt.Sprintf("%q is compared with %s, %s: %s", entry, fact.Words(row.Name), fact.NeverOnRecord, why)
				c.addAt(nil, at)
			}
		}
		if countries && len(c.lists[list.Name]) > 0 {
			c.report(n, "compares industry category codes with "+list.Text()+", which holds countries"+comparesPersons)
		}
		c.seen[use] = impossible
	}
	c.valued[n] = c.valued[n] || impossible
}

// noteList records a list of texts that is written out. A fact whose codes are known checks them itself.
func (c *condition) noteList(row *fact.Row, list *requirement.Node) {
	if list.Kind != requirement.ArrayKind || row.KnowsCodes() {
		return
	}
	var texts []string
	for _, entry := range list.Args {
		if text, is := entry.Literal.(string); is {
			texts = append(texts, text)
		}
	}
	if len(texts) == len(list.Args) {
		c.written = append(c.written, codes{texts: texts, at: func(i int) requirement.Problem {
			return requirement.Problem{Path: c.path, Line: list.Args[i].Line, Column: list.Args[i].Column}
		}})
	}
}

// noteCode records an industry code that a condition looks for.
func (c *condition) noteCode(n *requirement.Node, row *fact.Row, literal any, at requirement.Problem) {
	if code, ok := literal.(string); ok && row.Name == fact.NameIndustryCodes && looksExactly(n) {
		c.codes = append(c.codes, codeUse{code, at})
	}
}

// doubt returns what is wrong with a value that is compared with a fact.
func (c *condition) doubt(n *requirement.Node, row *fact.Row, literal any) string {
	exactly := looksExactly(n)
	text, why := "", ""
	switch v := literal.(type) {
	case string:
		text, why = fmt.Sprintf("%q", v), c.unrecordedText(n, row, v)
		if why == "" && exactly && row.Name == fact.NameIndustryCodes && twoCapitals.MatchString(v) {
			return fmt.Sprintf("%s compares an industry category code with %q, which looks like a country%s", rulefile.Clip(n.Text()), v, comparesPersons)
		}
	case fact.Number:
		if percent := row.Percent; percent != "" && v.Sign() > 0 && v.Cmp(rational.Int(1)) < 0 {
			return fmt.Sprintf("%s: %s, %s", rulefile.Clip(n.Text()), percent, fact.FractionWords)
		}
		text, why = v.String(), row.UnrecordedNumber(v, exactly)
	case fact.Date:
		return c.doubtDate(n, row, v)
	}
	if why == "" {
		return ""
	}
	return fmt.Sprintf("%s %s %s, %s: %s",
		rulefile.Clip(n.Text()), rulefile.Pick(exactly || !n.IsComparison(), "looks for", "compares with"),
		text, fact.NeverOnRecord, why)
}

var twoCapitals = regexp.MustCompile(`^[A-Z]{2}$`)

const comparesPersons = `: compare citizenship with countries, as in persons.exists(p, p.citizenship == "US")`

// unrecordedText returns why no record can contain a text that is looked for. A record may contain
// texts between two texts that it cannot contain.
func (c *condition) unrecordedText(n *requirement.Node, row *fact.Row, text string) string {
	form := row.Text
	switch {
	case !n.IsComparison() && form != nil:
		return rulefile.Pick(form.HasPart(text), "", form.Words)
	case !looksExactly(n) && (form == nil || !form.Ordered || text == ""):
		return ""
	}
	return row.Unrecorded(text)
}

// defaultDates are dates that programs write for an unknown date.
var defaultDates = []string{"0001-01-01", "1899-12-30", "1900-01-01", "1970-01-01", "9999-12-31"}

func (c *condition) doubtDate(n *requirement.Node, row *fact.Row, date fact.Date) string {
	why := ""
	if slices.Contains(defaultDates, date.String()) {
		why = fmt.Sprintf(": programs write %s where no date is known, so it is hardly meant", date)
	} else if row.Future != "" && c.today.Before(date) {
		why = fmt.Sprintf(": %s is after today, and %s", date, row.Future)
	}
	return rulefile.Pick(why == "", "", rulefile.Clip(n.Text())+why)
}

// sumOfShares warns of a comparison that rounding can decide: three owners of a third each have
// 99.99 percent together.
func (c *condition) sumOfShares(n *requirement.Node) {
	if !n.IsComparison() || len(n.Args) != 2 {
		return
	}
	of, with, operator := n.Args[0], n.Args[1], n.Name
	if of.Constant() {
		of, with, operator = with, of, cmp.Or(requirement.Mirrors[operator], operator)
	}
	bound, _ := with.Literal.(fact.Number)
	whole := with.Kind == requirement.LiteralKind && bound.Equal(rational.Int(100))
	decides := looksExactly(n) || whole && (operator == operators.Less || operator == operators.GreaterEquals)
	if c.fractionOfPercent(n, of, with) || !decides || !with.Constant() || !sumsUp(of) {
		return
	}
	from := of.CalculatedFrom(c.loops)
	shares := slices.ContainsFunc(from, statedAsShare) && (whole || with.Kind == requirement.LiteralKind && bound.Equal(rational.Int(1)))
	if !of.Percentage(c.loops) && !shares {
		return
	}
	hint := "compare with a number a little below or above it"
	if whole && of.Kind == requirement.LoopKind && operator != operators.In {
		below := operator == operators.NotEquals || operator == operators.Less
		hint = "write " + rulefile.Clip(of.Text()) + rulefile.Pick(below, " < 99.5", " >= 99.5")
	}
	c.add(nil, n, fmt.Sprintf("%s: shares are rounded on record, so three owners of a third each have 99.99 percent together: %s", rulefile.Clip(n.Text()), hint))
}

// fractionOfPercent warns of a sum of percentages that is compared with a fraction. A single percentage
// has its warning from doubt.
func (c *condition) fractionOfPercent(n, of, with *requirement.Node) (warned bool) {
	if !with.Shape.Number() || !with.Constant() {
		return false
	}
	one := big.NewRat(1, 1)
	bound, known := c.linear(with)
	scaled := false
	of.Walk(func(part *requirement.Node) { scaled = scaled || isCall(part, operators.Multiply, operators.Divide) })
	if !known || bound.of != nil || scaled || bound.plus.Sign() <= 0 || bound.plus.Cmp(one) > 0 {
		return false
	}
	percent := ""
	for _, row := range of.CalculatedFrom(c.loops) {
		switch {
		case row.Percent != "":
			percent = cmp.Or(percent, row.Percent)
		case statedInPercent(row):
			percent = cmp.Or(percent, row.Name+" is in percent")
		default:
			return false
		}
	}
	whole := bound.plus.Cmp(one) == 0
	single := of.ComparedFact().Percent != "" && with.Kind == requirement.LiteralKind
	if percent == "" || single || whole && !sumsUp(of) {
		return false
	}
	c.add(nil, n, fmt.Sprintf("%s: %s, %s", rulefile.Clip(n.Text()), percent, rulefile.Pick(whole, "so all of it is 100, not 1", fact.FractionWords)))
	return true
}

// statedInPercent reports whether a declared number is a share in percent by its name or its label.
// A rate in percent may well be below 1.
func statedInPercent(row *fact.Row) bool {
	says := func(words ...string) bool {
		return slices.ContainsFunc(declaredWords(row), func(word string) bool { return slices.Contains(words, word) })
	}
	return says("percent", "percentage", "%") && says("share", "shares", "stake", "ownership", "owned", "voting", "votes", "capital", "equity")
}

// sumsUp reports whether n is a sum over a list, or is calculated from one.
func sumsUp(n *requirement.Node) bool {
	args := n.Args
	switch {
	case n.Kind == requirement.LoopKind:
		return n.Name == "sum"
	case n.Kind != requirement.CallKind || !n.Shape.Number():
		return false
	case n.Name == operators.Conditional:
		args = args[1:]
	}
	return slices.ContainsFunc(args, sumsUp)
}

// statedAsShare reports whether the name or the label of a declared number says that it is a share.
func statedAsShare(row *fact.Row) bool {
	return slices.ContainsFunc(declaredWords(row), func(word string) bool {
		return slices.Contains([]string{"share", "shares", "stake", "ownership", "percent", "percentage", "%"}, word)
	})
}

// declaredWords are the words of the name and the label of a declared number.
func declaredWords(row *fact.Row) []string {
	if row.Declared == nil || row.Declared.Type != fact.DeclaredNumber {
		return nil
	}
	return strings.FieldsFunc(strings.ToLower(row.Name+" "+row.Label), func(r rune) bool { return strings.ContainsRune(" _.-,()", r) })
}

// loopMistakes finds loops whose test ignores the element, and loops that look for any code other
// than one.
func (c *condition) loopMistakes() {
	c.tree.Walk(func(n *requirement.Node) {
		if n.Kind != requirement.LoopKind {
			return
		}
		c.otherCode(n)
		used, person := false, false
		for _, arg := range n.Args[1:] {
			arg.Walk(func(part *requirement.Node) {
				c.left--
				used = used || part.Kind == requirement.VariableKind && part.Name == n.Variable
				person = person || part.Kind == requirement.FactKind && part.Name == fact.NamePerson
			})
		}
		if used {
			return
		}
		hint := "leave the loop out, or look at " + n.Variable
		switch {
		case person && n.List().Shape == fact.ListOf(fact.PersonShape):
			hint = fmt.Sprintf("person is the person whom the rule is about; write %s.… for each person of the list", n.Variable)
		case n.List().Shape == fact.ListOf(fact.PersonShape):
			hint += fmt.Sprintf(", as in %s.ownership_percentage", n.Variable)
		}
		c.add(nil, n, fmt.Sprintf("%s never looks at %s, so its result is the same for every element: %s", rulefile.Clip(n.Text()), n.Variable, hint))
	})
}

// otherCode warns of exists with a test that denies codes, as in code != "7995" or !(code in
// lists.risky): the author almost always means that no such code exists.
func (c *condition) otherCode(n *requirement.Node) {
	if n.Name != operators.Exists || c.denied[n] {
		return
	}
	parts := []*requirement.Node{n.Test()}
	if isCall(n.Test(), operators.LogicalAnd) {
		parts = joinedParts(n.Test())
	}
	industry := n.List().Kind == requirement.FactKind && n.List().Row.Name == fact.NameIndustryCodes
	var lists, meant []string
	for _, part := range parts {
		of, code := deniedCode(part)
		switch {
		case of == nil || of.Kind == requirement.VariableKind && of.Name != n.Variable || of.Kind == requirement.FieldKind && of.Args[0].Name != n.Variable:
			return
		case code.Kind == requirement.ListKind:
			lists, meant = append(lists, code.Name), append(meant, of.Text()+" in "+code.Text())
		case !industry || code.Kind != requirement.LiteralKind:
			return // another word or place may well be meant
		case len(parts) == 1:
			c.add(nil, n, fmt.Sprintf(
				"%s is true for every business that has any other code: if none of its codes may be %s, write !(%s in %s)",
				rulefile.Clip(n.Text()), code.Text(), code.Text(), n.List().Text()))
		default:
			meant = append(meant, of.Text()+" == "+code.Text())
		}
	}
	if lists != nil {
		test := fmt.Sprintf("(%s, %s)", n.Variable, strings.Join(meant, " || "))
		c.outside = append(c.outside, outsideUse{lists, industry, c.problem(n, fmt.Sprintf(
			"%s is true as soon as one of several is another: if none may be one of these, write !%s.exists%s; if you mean it, write !%s.all%s",
			rulefile.Clip(n.Text()), n.List().Text(), test, n.List().Text(), test))})
	}
}

// outsideUse is a loop that asks for something outside of lists.
type outsideUse struct {
	lists    []string
	industry bool // for an industry code
	at       requirement.Problem
}

// outsideLists warns of loops that ask for something outside of lists of what is forbidden, or for
// industry codes outside of lists in which other conditions look for them. Other lists may have what is
// allowed or expected.
func (l *linter) outsideLists() (found []requirement.Problem) {
	for _, use := range l.outside {
		likely := !slices.ContainsFunc(use.lists, func(list string) bool {
			return saysAllowed(list) || !saysForbidden(list) && !(use.industry && l.lookedFor[list])
		})
		if likely && len(found) < rulefile.MaxProblems {
			found = append(found, use.at)
		}
	}
	return found
}

// deniedCode returns what n says is not a code or in a list, and the code or the list.
func deniedCode(n *requirement.Node) (of, code *requirement.Node) {
	switch {
	case isCall(n, operators.NotEquals):
		of, code = n.Args[0], n.Args[1]
		if of.Kind == requirement.LiteralKind {
			of, code = code, of
		}
	case isCall(n, operators.LogicalNot) && isCall(n.Args[0], operators.In, operators.Equals):
		of, code = n.Args[0].Args[0], n.Args[0].Args[1]
	default:
		return nil, nil
	}
	if of.Kind != requirement.VariableKind && of.Kind != requirement.FieldKind || !code.Constant() {
		return nil, nil
	}
	return of, code
}

func saysAllowed(name string) bool {
	return hasWord(name, "accept", "allow", "approv", "cover", "eligible", "exempt", "free", "home", "known", "low", "no", "ordinary", "own", "permit",
		"regular", "safe", "serve", "standard", "support", "white", "without")
}

func saysForbidden(name string) bool {
	return hasWord(name, "ban", "black", "block", "den", "embargo", "exclu", "forbid", "high", "illegal", "prohibit", "refus", "restrict", "risk", "sanction")
}

// hasWord reports whether a word of a name begins with one of these.
func hasWord(name string, beginnings ...string) bool {
	return slices.ContainsFunc(strings.Split(name, "_"), func(word string) bool {
		return slices.ContainsFunc(beginnings, func(beginning string) bool { return strings.HasPrefix(word, beginning) })
	})
}
