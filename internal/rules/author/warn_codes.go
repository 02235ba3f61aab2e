package author

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Industry codes. Input: the codes and ranges of codes that conditions name. Output:
// warnings about codes that have lost a zero, and about ranges of codes.

// codeUse is one use of an industry code.
type codeUse struct {
	code string
	at   requirement.Problem
}

// merchantCategory is the length of a merchant category code. Spreadsheets take the zero
// away that one begins with.
const merchantCategory = 4

// industryCodes are warnings about the codes of all rules. Where most of them have three
// digits, three are meant.
func (l *linter) industryCodes() []requirement.Problem {
	counts, seen := map[int]int{}, map[string]bool{}
	for _, use := range l.codes {
		if !seen[use.code] {
			counts[digits(use.code)]++
		}
		seen[use.code] = true
	}
	short, full := counts[merchantCategory-1], counts[merchantCategory]
	var found []requirement.Problem
	for _, use := range l.codes {
		meant := lookAlike.Replace(use.code)
		switch {
		case len(found) >= rulefile.MaxProblems:
		case digits(use.code) == merchantCategory-1 && short <= max(1, full):
			use.at.Severity = requirement.SeverityHint
			if full >= 2*short {
				use.at.Severity = requirement.SeverityWarning
			}
			use.at.Message = fmt.Sprintf("%q has three digits, and merchant category codes have four: did you mean %q? The zeros that a code begins with are part of it", use.code, "0"+use.code)
			found = append(found, use.at)
		case meant != use.code && digits(meant) == merchantCategory && strings.ContainsAny(use.code, "0123456789"):
			use.at.Message = fmt.Sprintf("%q has a letter that looks like a digit: did you mean %q?", use.code, meant)
			found = append(found, use.at)
		}
	}
	for _, r := range l.ranges {
		short, long := r.low, len(r.high)
		if len(r.high) < len(r.low) {
			short, long = r.high, len(r.low)
		}
		if len(found) < rulefile.MaxProblems {
			r.at.Message = fmt.Sprintf("the ends of the range from %q to %q differ in length, and codes compare character by character, so %q comes just before %q: write both ends with all %d characters", r.low, r.high, short, short+strings.Repeat("0", long-len(short)), long)
			found = append(found, r.at)
		}
	}
	return found
}

// lookAlike turns letters into the digits that they look like.
var lookAlike = strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1")

// digits is how many a text has that consists of them, and 0 of others.
func digits(text string) int {
	if strings.Trim(text, "0123456789") != "" {
		return 0
	}
	return len(text)
}

// codeRange is a range of codes whose ends differ in length.
type codeRange struct {
	low, high string
	at        requirement.Problem
}

// codeRanges notes such ranges among the parts of &&.
func (c *condition) codeRanges(parts []*requirement.Node) {
	low, high := map[string]*requirement.Node{}, map[string]*requirement.Node{}
	text := map[*requirement.Node]string{}
	for _, part := range parts {
		for i, bounds := range []map[string]*requirement.Node{low, high} {
			if of, bound, ok := textBound(part, i == 0); ok && of.ComparedFact() == fact.NameIndustryCodes && digits(bound) > 0 {
				bounds[of.Text()], text[part] = part, bound
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(low)) {
		first, last := text[low[name]], text[high[name]]
		if first <= last && len(first) != len(last) {
			line, column := startOf(low[name])
			c.ranges = append(c.ranges, codeRange{first, last, requirement.Problem{Path: c.path, Line: line, Column: column}})
		}
	}
}

// otherCodes warns of loops that ask for any other code than some, where that none is one of
// them is meant. truth tells how the loop must come out.
func (c *condition) otherCodes(n *requirement.Node, truth bool) {
	if n == nil {
		return
	}
	if isCall(n, operators.LogicalNot) {
		truth = !truth
	}
	if n.Kind == requirement.LoopKind && n.Name == rulefile.Pick(truth, operators.Exists, operators.All) && n.List().Kind == requirement.FactKind && n.List().Name == fact.NameIndustryCodes {
		if codes := c.excepted(n, truth); len(codes) > 0 {
			none := fmt.Sprintf("!(%s in %s)", codes[0], n.List().Text())
			if len(codes) > 1 {
				none = fmt.Sprintf("!%s.exists(%s, %s in [%s])", n.List().Text(), n.Variable, n.Variable, strings.Join(codes, ", "))
			}
			text := rulefile.Clip(rulefile.Pick(truth, "", "!") + n.Text())
			c.add(nil, n, fmt.Sprintf("%s is true for every business that has any other code: if none of its codes may be %s, write %s", text, strings.Join(codes, " or "), none))
		}
	}
	for _, arg := range n.Args {
		c.otherCodes(arg, truth)
	}
}

// excepted are the codes that are all for which a test does not come out so, if they are
// written one by one.
func (c *condition) excepted(loop *requirement.Node, truth bool) (codes []string) {
	var of *quantity
	single := true
	loop.Test().Walk(func(n *requirement.Node) {
		if t := c.tests[n]; t != nil {
			single = single && t.of != nil && t.of.within == loop && t.of.isText && (of == nil || of == t.of)
			of = t.of
		}
		single = single && n.Kind != requirement.ListKind && n.Kind != requirement.LoopKind && (n.Kind != requirement.ArrayKind || len(n.Args) == 1)
	})
	if !single || of == nil {
		return nil
	}
	p := c.pass(of)
	except := p.sides(loop.Test()).no
	if !truth {
		except = p.sides(loop.Test()).yes
	}
	for i, v := range p.points {
		if except.Bit(i) == 1 {
			if !slices.ContainsFunc(of.constants, func(c value) bool { return c.compare(v) == 0 }) {
				return nil
			}
			codes = append(codes, strconv.Quote(v.text))
		}
	}
	return codes
}
