package author

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of counts of time: ages for which a year has a fixed number of days, and
// differences of two ages. Both are off by one around the anniversary.

// span is a number that is calculated from a count of days, months or years, or a constant. per
// units make 1 of it, and an offset is added.
type span struct {
	unit       string // day, month or year; empty for a constant
	from, to   string // the dates as written; to is empty for the day of the calculation
	age        bool   // the count is a fact, from the date that it follows
	ofBirth    bool
	difference bool // of two counts to the day of the calculation
	per        *big.Rat
	offset     *big.Rat // nil if it is not constant
	length     string   // year or month, if a factor is its number of days
}

// counts writes a count of the same time in another unit.
func (s *span) counts(unit string) string {
	switch {
	case s.to != "":
		return fmt.Sprintf("%ss_between(%s, %s)", unit, s.from, s.to)
	case s.age && unit != "day":
		return "business_age_" + unit + "s"
	}
	return fmt.Sprintf("%ss_since(%s)", unit, s.from)
}

func (s *span) scaled(by *big.Rat) *span {
	scaled := *s
	if s.unit != "" {
		scaled.per = new(big.Rat).Quo(s.per, by)
	}
	if s.offset != nil {
		scaled.offset = new(big.Rat).Mul(s.offset, by)
	}
	return &scaled
}

// since reports whether s is a single count to the day of the calculation.
func (s *span) since() bool { return s != nil && s.unit != "" && s.to == "" && !s.difference }

func (s *span) constant() bool { return s != nil && s.unit == "" && s.offset != nil }

var (
	minusOne = big.NewRat(-1, 1)
	dozen    = big.NewRat(12, 1)
)

// lengthOf returns what has that many days: a year or a month.
func lengthOf(days *big.Rat) string {
	within := func(least, most int64) bool {
		return days.Cmp(big.NewRat(least, 1)) >= 0 && days.Cmp(big.NewRat(most, 1)) <= 0
	}
	switch {
	case within(365, 366) || within(360, 360): // 12 months of 30 days
		return "year"
	case within(30, 31):
		return "month"
	}
	return ""
}

// span analyzes n and everything below it. It is nil if n is neither a count of time nor a
// constant.
func (c *condition) span(n *requirement.Node) *span {
	if n == nil {
		return nil
	}
	c.left--
	if s := countOf(n); s != nil {
		return s
	}
	if v, ok := valueOf(n.Literal); ok && v.number != nil && n.Shape != fact.DateShape {
		return &span{offset: v.number}
	}
	parts := make([]*span, len(n.Args))
	for i, arg := range n.Args {
		parts[i] = c.span(arg)
	}
	switch {
	case n.Shape.Number() && n.Kind == requirement.CallKind:
		if s := calculatedSpan(n.Name, parts); s != nil {
			return s
		}
	case n.IsComparison():
		c.comparedSpans(n, parts[0], parts[1])
		return nil
	}
	for i, part := range parts {
		c.doubtSpan(n.Args[i], part)
	}
	return nil
}

// countOf returns n as a count of time, if it is one itself.
func countOf(n *requirement.Node) *span {
	s := &span{per: big.NewRat(1, 1), offset: new(big.Rat)}
	switch {
	case n.CountsTime():
		of := n.Args[0].ComparedFact()
		s.unit, s.from, s.ofBirth = n.CountedUnit(), n.Args[0].Text(), of.OfPerson() && of.Future != ""
		if len(n.Args) == 2 {
			s.to = n.Args[1].Text()
		}
	case n.Kind == requirement.FactKind && n.Row.Follows != "":
		s.unit, s.from, s.age = rulefile.Pick(strings.HasSuffix(n.Row.Name, "_years"), "year", "month"), n.Row.Follows, true
	default:
		return nil
	}
	return s
}

// calculatedSpan is the result of an operator on spans. It is nil if that is not a span.
func calculatedSpan(operator string, of []*span) *span {
	switch operator {
	case operators.Negate:
		if of[0] != nil {
			return of[0].scaled(minusOne)
		}
	case operators.Subtract:
		if of[1] != nil {
			return addedSpans(of[0], of[1].scaled(minusOne))
		}
	case operators.Add:
		return addedSpans(of[0], of[1])
	case operators.Multiply:
		a, b := of[0], of[1]
		if a.constant() {
			a, b = b, a
		}
		if !b.constant() || b.offset.Sign() == 0 {
			return nil
		}
		length := cmp.Or(lengthOf(b.offset), b.length)
		if a == nil {
			if length == "" {
				return nil
			}
			return &span{length: length}
		}
		if a.constant() {
			length = cmp.Or(length, lengthOf(a.offset))
		}
		product := a.scaled(b.offset)
		product.length = cmp.Or(length, a.length)
		return product
	case operators.Divide:
		if of[0] != nil && of[1].constant() && of[1].offset.Sign() != 0 {
			return of[0].scaled(new(big.Rat).Inv(of[1].offset))
		}
	}
	return nil
}

func addedSpans(a, b *span) *span {
	if a == nil || b == nil {
		return nil
	}
	if a.unit == "" {
		a, b = b, a
	}
	sum := *a
	if b.unit != "" {
		if !a.since() || !b.since() || a.unit != b.unit || new(big.Rat).Add(a.per, b.per).Sign() != 0 {
			return nil
		}
		if a.per.Sign() < 0 {
			a, b = b, a
		}
		sum = span{unit: a.unit, from: a.from, to: b.from, difference: true, per: a.per}
	}
	sum.length, sum.offset = cmp.Or(a.length, b.length), nil
	if a.offset != nil && b.offset != nil {
		sum.offset = new(big.Rat).Add(a.offset, b.offset)
	}
	return &sum
}

// doubtSpan warns if n is calculated from a count of time in a way that was probably not intended.
func (c *condition) doubtSpan(n *requirement.Node, s *span) (warned bool) {
	if s == nil || s.unit == "" {
		return false
	}
	per := new(big.Rat).Abs(s.per)
	inverse := new(big.Rat).Inv(per)
	text := rulefile.Clip(n.Text())
	switch {
	case s.unit == "day" && lengthOf(per) != "":
		c.fixedLength(n, n, lengthOf(per), s)
	case s.unit == "year" && inverse.Cmp(dozen) == 0, s.unit == "month" && lengthOf(inverse) == "month", s.unit == "year" && lengthOf(inverse) == "year":
		finer := rulefile.Pick(inverse.Cmp(dozen) == 0, "month", "day")
		c.add(nil, n, fmt.Sprintf(
			"%s is calculated from completed %ss, so it leaves out the %ss of the one that has begun: count with %s",
			text, s.unit, finer, s.counts(finer)))
	case s.difference && s.unit == "day":
		p := c.problem(n, fmt.Sprintf("%s is %s, which stays the same from day to day: write that", text, s.counts(s.unit)))
		p.Severity = requirement.SeverityHint
		c.addAt(nil, p)
	case s.difference:
		c.roundedTwice(n, s)
	default:
		return false
	}
	return true
}

// fixedLength warns that a year or a month has a fixed number of days at a node.
func (c *condition) fixedLength(n, at *requirement.Node, length string, s *span) {
	why := "leap years have a day more, so this decides wrongly around the anniversary"
	if length == "month" {
		why = "months have 28 to 31, so this decides wrongly around the end of the last one"
	}
	c.add(nil, n, fmt.Sprintf("%s takes a %s for a fixed number of days, but %s: count with %s", rulefile.Clip(at.Text()), length, why, s.counts(length)))
}

func (c *condition) roundedTwice(n *requirement.Node, s *span) {
	c.add(nil, n, fmt.Sprintf(
		"%s uses two numbers of completed %ss, each rounded down to today, so it is off by one on some days: count from one date to the other with %s",
		rulefile.Clip(n.Text()), s.unit, s.counts(s.unit)))
}

// comparedSpans analyzes a comparison. Its sides may be nil.
func (c *condition) comparedSpans(n *requirement.Node, left, right *span) {
	if c.doubtSpan(n.Args[0], left) || c.doubtSpan(n.Args[1], right) {
		return
	}
	if left.since() && right.since() {
		c.comparedCounts(n, left, right)
		return
	}
	s, bound, operator := left, right, n.Name
	if s == nil || s.unit == "" {
		s, bound, operator = right, left, cmp.Or(requirement.Mirrors[n.Name], n.Name)
	}
	if s == nil || s.unit == "" || bound != nil && bound.unit != "" {
		return
	}
	if s.unit == "month" && new(big.Rat).Abs(s.per).Cmp(dozen) == 0 && looksExactly(n) {
		c.add(nil, n, fmt.Sprintf(
			"%s looks for whole years in a number of months divided by 12, which is whole in one month of twelve: count with %s",
			rulefile.Clip(n.Text()), s.counts("year")))
		return
	}
	if per := new(big.Rat).Abs(s.per); !per.IsInt() || per.Num().Int64() != 1 {
		return
	}
	length := s.length
	if bound != nil {
		length = cmp.Or(length, bound.length)
	}
	if s.unit == "day" && length != "" {
		c.fixedLength(n, n, length, s)
		return
	}
	if !bound.constant() || s.offset == nil {
		return
	}
	at := new(big.Rat).Sub(bound.offset, s.offset)
	if s.per.Sign() < 0 {
		at.Neg(at)
		operator = cmp.Or(requirement.Mirrors[operator], operator)
	}
	c.boundedCount(n, s, operator, at)
}

// comparedCounts handles a comparison of two counts to the day of the calculation. Without a number
// between them, the author may want to know which is greater.
func (c *condition) comparedCounts(n *requirement.Node, left, right *span) {
	both := addedSpans(left, right.scaled(minusOne))
	switch {
	case both == nil || both.offset != nil && both.offset.Sign() == 0:
	case both.unit == "day" && both.length != "":
		c.fixedLength(n, n, both.length, both)
	case both.unit != "day":
		c.roundedTwice(n, both)
	}
}

// boundedCount handles a comparison of a count with a constant.
func (c *condition) boundedCount(n *requirement.Node, s *span, operator string, at *big.Rat) {
	switch {
	case s.unit == "day" && (isYears(at) || s.ofBirth && at.Cmp(big.NewRat(365, 1)) >= 0):
		p := c.problem(n, fmt.Sprintf(
			"%s counts an age in days, but leap years have a day more: if years are meant, count with %s",
			rulefile.Clip(n.Text()), s.counts("year")))
		if !s.ofBirth {
			p.Severity = requirement.SeverityHint
		}
		c.addAt(nil, p)
	case s.unit != "day" && !at.IsInt() && !looksExactly(n):
		whole := new(big.Int).Add(new(big.Int).Div(at.Num(), at.Denom()), big.NewInt(1))
		finer := rulefile.Pick(s.unit == "year", "month", "day")
		c.add(nil, n, fmt.Sprintf("%s: completed %ss are whole numbers, so this is the same as %s %s: write that, or count with %s", rulefile.Clip(n.Text()), s.unit,
			rulefile.Pick(operator == operators.Less || operator == operators.LessEquals, "less than", "at least"), whole, s.counts(finer)))
	}
}

// isYears reports whether a number of days is at least two years of 365 days.
func isYears(days *big.Rat) bool {
	years := new(big.Rat).Quo(days, big.NewRat(365, 1))
	return years.IsInt() && years.Cmp(big.NewRat(2, 1)) >= 0
}

// relateAges relates a count in months with those in years from the same date.
func (c *condition) relateAges() {
	for _, months := range c.quantities {
		of := countOf(months.node)
		if of == nil || of.unit != "month" {
			continue
		}
		for _, years := range c.quantities {
			if s := countOf(years.node); s == nil || s.unit != "year" || s.from != of.from || s.to != of.to || years.within != months.within {
				continue
			}
			months.years = append(months.years, years)
			for _, at := range years.constants {
				first := new(big.Int).Div(at.number.Num(), at.number.Denom())
				for i := int64(-1); i <= 2; i++ { // years begin and end there, those before the date too
					year := new(big.Rat).SetInt(new(big.Int).Add(first, big.NewInt(i)))
					months.constants = append(months.constants, value{number: year.Mul(year, dozen)})
				}
			}
		}
	}
}

// inYears is a number of completed months in completed years.
func inYears(months *big.Rat) *big.Rat {
	years := new(big.Rat).Quo(months, dozen)
	return new(big.Rat).SetInt(new(big.Int).Quo(years.Num(), years.Denom()))
}
