package author

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Rules beside each other. Input: all rules of a set. Output: warnings about
// conditions and codes that look alike or out of line.

// lint finds what looks like a mistake in the rules beside each other. The examples,
// which came out as expected, vouch for rules that look alike.
func lint(ctx context.Context, rules []requirement.CompiledRule, rs requirement.RuleSet) []requirement.Problem {
	var found []requirement.Problem
	if len(rules) == 0 {
		found = append(found, requirement.Problem{Path: "documents", Message: "has no rules, so no document is ever required"})
	}
	for _, look := range []func() []requirement.Problem{
		func() []requirement.Problem { return sameConditions(ctx, rules, rs.Examples) }, func() []requirement.Problem { return similarCodes(rules) }, func() []requirement.Problem { return industryCodes(ctx, rules, rs.Lists) },
	} {
		if ctx.Err() != nil {
			break
		}
		found = append(found, look()...)
	}
	return found
}

// sameConditions are rules that require their documents of the same applications.
// That may be meant, and an example that expects both documents says so.
func sameConditions(ctx context.Context, rules []requirement.CompiledRule, examples []requirement.Example) []requirement.Problem {
	expected := make([]map[string]bool, len(examples)) // the documents of each
	for i, example := range examples {
		expected[i] = map[string]bool{}
		for _, document := range example.Expect.Documents {
			expected[i][document.DocumentTypeCode] = true
		}
	}
	type group struct {
		condition string
		ofPerson  bool
	}
	first := map[group]*requirement.CompiledRule{}
	var found []requirement.Problem
	for i := range rules {
		r := &rules[i]
		if r.Condition == nil || r.Condition.Tree.Constant() {
			continue
		}
		if ctx.Err() != nil {
			return found
		}
		of := group{canonical(r.Condition.Tree), r.EntityType == fact.EntityPerson}
		before, seen := first[of]
		if !seen {
			first[of] = r
			continue
		}
		if len(found) >= rulefile.MaxProblems {
			break
		}
		vouched := slices.ContainsFunc(expected, func(codes map[string]bool) bool {
			return codes[r.DocumentTypeCode] && codes[before.DocumentTypeCode]
		})
		switch {
		case sameText(r.Name, before.Name):
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s asks for the same as %s (%s), under the same condition: keep one of the two", r.DocumentTypeCode, before.Path, before.DocumentTypeCode)})
		case !vouched:
			found = append(found, requirement.Problem{Path: r.Path + ".when", Severity: requirement.SeverityHint, Message: fmt.Sprintf("is the condition of %s (%s) too: if it was copied, change it; if both documents are always asked for together, add an example that expects both", before.Path, before.DocumentTypeCode)})
		}
	}
	return found
}

func sameText(a, b string) bool {
	words := func(text string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !requirement.NameCharacter(c) }), " "))
	}
	return words(a) == words(b)
}

// canonical writes an expression so that it does not matter how loop variables are
// called, nor in which order the parts of && and || come.
func canonical(n *requirement.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == requirement.VariableKind:
		return fmt.Sprintf("$%d:%s", n.Slot, n.Origin)
	case n.Kind == requirement.ListKind:
		return fact.NameLists + "." + n.Name
	case n.Kind == requirement.LiteralKind:
		if number, ok := fact.Exact(n.Literal); ok && n.Shape != fact.DateShape {
			return number.RatString()
		}
		return requirement.LiteralText(n.Literal)
	}
	args := n.Args
	symmetric := n.Kind == requirement.CallKind && slices.Contains([]string{operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals, operators.Add, operators.Multiply}, n.Name)
	if n.Kind == requirement.CallKind && (n.Name == operators.LogicalAnd || n.Name == operators.LogicalOr) {
		args = joinedParts(n, nil)
	}
	parts := make([]string, len(args))
	for i, arg := range args {
		parts[i] = canonical(arg)
	}
	if symmetric {
		slices.Sort(parts)
	}
	return n.Name + "(" + strings.Join(parts, ",") + ")"
}

// similarCodes are document type codes that differ as a slip of the pen makes two
// texts differ: by an underscore, the plural, a letter that looks like a digit, or
// one letter within a long word.
func similarCodes(rules []requirement.CompiledRule) []requirement.Problem {
	first := map[string]*requirement.CompiledRule{}
	var found []requirement.Problem
	for i := range rules {
		r := &rules[i]
		var near *requirement.CompiledRule
		for _, key := range slipKeys(r.DocumentTypeCode) {
			if before := first[key]; before != nil && before.DocumentTypeCode != r.DocumentTypeCode && slip(before.DocumentTypeCode, r.DocumentTypeCode) {
				near = before
			}
			if first[key] == nil {
				first[key] = r
			}
		}
		if near != nil && len(found) < rulefile.MaxProblems {
			found = append(found, requirement.Problem{Path: r.Path + ".document_type_code", Message: fmt.Sprintf("%s is nearly %s of %s: use one spelling if you mean one document, or choose codes that differ more", r.DocumentTypeCode, near.DocumentTypeCode, near.Path)})
		}
	}
	return found
}

// slipKeys are texts of which two codes share one if they can differ by a slip:
// the plain spelling, and the code without each of its letters.
func slipKeys(code string) []string {
	keys := []string{"=" + plainSpelling(code), code}
	for i := range len(code) {
		keys = append(keys, code[:i]+code[i+1:])
	}
	return keys
}

// plainSpelling is a code without what is easily written in two ways.
func plainSpelling(code string) string {
	var plain strings.Builder
	for _, word := range strings.Split(code, "_") {
		if letters := strings.Trim(word, "0123456789"); len(letters) > 3 {
			word = strings.NewReplacer("0", "O", "1", "I").Replace(word)
			word = strings.TrimSuffix(word, "S")
		}
		plain.WriteString(word)
	}
	return plain.String()
}

// slip reports whether two codes differ by a slip of the pen.
func slip(a, b string) bool {
	if plainSpelling(a) == plainSpelling(b) {
		return true
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	start := 0
	for start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	differsA, differsB := a[start:len(a)-end], b[start:len(b)-end]
	swapped := len(differsA) == 2 && len(differsB) == 2 && differsA[0] == differsB[1] && differsA[1] == differsB[0]
	if len(differsA) > 1 && !swapped || strings.ContainsAny(differsA+differsB, "_0123456789") {
		return false
	}
	// The first and the last letter of a word tell words apart, and short words
	// differ by one letter often.
	const longWord = 8
	from := strings.LastIndexByte(a[:start], '_') + 1
	to := len(a)
	if at := strings.IndexByte(a[start:], '_'); at >= 0 {
		to = start + at
	}
	return to-from >= longWord && start > from && len(a)-end < to
}

// unusedVariables are loops whose test does not look at the element at hand.
func unusedVariables(c *requirement.Condition) []requirement.Problem {
	var found []requirement.Problem
	c.Tree.Walk(func(n *requirement.Node) {
		if n.Kind != requirement.LoopKind || len(found) >= requirement.MaxConditionProblems {
			return
		}
		used, person := false, false
		for _, arg := range n.Args[1:] {
			arg.Walk(func(part *requirement.Node) {
				used = used || part.Kind == requirement.VariableKind && part.Name == n.Variable
				person = person || part.Kind == requirement.FactKind && part.Name == fact.NamePerson
			})
		}
		if used {
			return
		}
		line, column := startOf(n)
		hint := "leave the loop out, or look at " + n.Variable
		switch {
		case person && n.List().Shape == fact.ListOf(fact.PersonShape):
			hint = fmt.Sprintf("person is the person whom the rule is about; write %s.… for each person of the list", n.Variable)
		case n.List().Shape == fact.ListOf(fact.PersonShape):
			hint += fmt.Sprintf(", as in %s.ownership_percentage", n.Variable)
		}
		found = append(found, requirement.Problem{Message: fmt.Sprintf("%s never looks at %s, so its result is the same for every element: %s", rulefile.Clip(n.Text()), n.Variable, hint), Line: line, Column: column})
	})
	return found
}

// otherCodes are loops that ask whether there is an industry code other than some,
// where that none is one of them may be meant.
func otherCodes(c *requirement.Condition) []requirement.Problem {
	var found []requirement.Problem
	var visit func(n *requirement.Node, holds bool)
	visit = func(n *requirement.Node, holds bool) {
		if n == nil {
			return
		}
		if n.Kind == requirement.CallKind && n.Name == operators.LogicalNot {
			visit(n.Args[0], !holds)
			return
		}
		if n.Kind == requirement.LoopKind && n.Name == rulefile.Pick(holds, operators.Exists, operators.All) && n.List().Kind == requirement.FactKind && n.List().Shape == fact.ListOf(fact.TextShape) && len(found) < requirement.MaxConditionProblems {
			if of, ok := excluded(n.Test(), n.Variable, holds); ok {
				found = append(found, of.problem(n, holds))
			}
		}
		for _, arg := range n.Args {
			visit(arg, holds)
		}
	}
	visit(c.Tree, true)
	return found
}

func clipTo(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// excludedCodes are what a test says a code differs from: codes, as they are written,
// or a list.
type excludedCodes struct {
	codes []string
	list  string // instead of them
	array bool   // the codes are written as a list
}

// problem is about a loop that asks for a code other than these. Of one code, or of
// several one by one, hardly anything else can be meant than that there is none of
// them; that all codes are of a list is asked for, too.
func (e excludedCodes) problem(n *requirement.Node, exists bool) requirement.Problem {
	of, set := n.List().Text(), e.list
	if set == "" {
		set = "[" + strings.Join(e.codes, ", ") + "]"
	}
	none := fmt.Sprintf("!%s.exists(%s, %s in %s)", of, n.Variable, n.Variable, set)
	if len(e.codes) == 1 {
		none = fmt.Sprintf("!(%s in %s)", e.codes[0], of)
	}
	p := requirement.Problem{}
	p.Line, p.Column = startOf(n)
	text := rulefile.Clip(n.Text())
	if !exists {
		text = rulefile.Clip("!" + n.Text())
	}
	if e.list == "" && (!e.array || len(e.codes) == 1) {
		p.Message = fmt.Sprintf("%s is true for every business that has any other code: if none of its codes may be %s, write %s", text, strings.Join(e.codes, " or "), clipTo(none, 200))
		return p
	}
	p.Severity = requirement.SeverityHint
	all := fmt.Sprintf("!%s.all(%s, %s in %s)", of, n.Variable, n.Variable, set)
	p.Message = fmt.Sprintf("%s is also true for a business with a code in the list, if it has another code outside: if you mean that no code is in the list, write %s; if you mean that not every code is in it, write %s", text, clipTo(none, 200), clipTo(all, 200))
	return p
}

// excluded are the codes that a test says a variable differs from, if it says
// nothing else; of a test that is denied as a whole, those that it says the variable
// is one of.
func excluded(test *requirement.Node, variable string, differs bool) (excludedCodes, bool) {
	var found excludedCodes
	parts := []*requirement.Node{test}
	if test.Kind == requirement.CallKind && test.Name == rulefile.Pick(differs, operators.LogicalAnd, operators.LogicalOr) {
		parts = joinedParts(test, nil)
	}
	for _, part := range parts {
		denied := !differs
		for part.Kind == requirement.CallKind && part.Name == operators.LogicalNot {
			part, denied = part.Args[0], !denied
		}
		if part.Kind != requirement.CallKind || len(part.Args) != 2 {
			return found, false
		}
		one, other := part.Args[0], part.Args[1]
		if one.Kind == requirement.LiteralKind {
			one, other = other, one
		}
		if one.Kind != requirement.VariableKind || one.Name != variable {
			return found, false
		}
		switch {
		case part.Name == operators.NotEquals && !denied && differs, part.Name == operators.Equals && denied:
			if other.Kind != requirement.LiteralKind {
				return found, false
			}
			found.codes = append(found.codes, other.Text())
		case part.Name == operators.In && denied && differs && other.Kind == requirement.ListKind && len(parts) == 1:
			found.list = other.Text()
		case part.Name == operators.In && denied && other.Kind == requirement.ArrayKind && (differs || len(other.Args) == 1):
			found.array = true
			for _, code := range other.Args {
				if code.Kind != requirement.LiteralKind {
					return found, false
				}
				found.codes = append(found.codes, code.Text())
			}
		default:
			return found, false
		}
	}
	return found, found.list != "" || len(found.codes) > 0
}

// codeUse is one use of an industry code in the rules.
type codeUse struct {
	code string
	at   requirement.Problem
}

// industryCodes are warnings about the codes that the rules name, held against
// each other: codes of another length than the rest, the letter O for a zero, and
// ranges of texts that mean something else than ranges of numbers.
func industryCodes(ctx context.Context, rules []requirement.CompiledRule, lists map[string][]string) []requirement.Problem {
	codes, ranges := namedCodes(ctx, rules, lists)
	length, most, numeric, lettered := usualLength(codes)
	var found []requirement.Problem
	add := func(at requirement.Problem, severity requirement.Severity, format string, args ...any) {
		if len(found) < rulefile.MaxProblems {
			at.Severity, at.Message = severity, fmt.Sprintf(format, args...)
			found = append(found, at)
		}
	}
	for _, use := range codes {
		if ctx.Err() != nil {
			break
		}
		digits := lookAlike.Replace(use.code)
		switch {
		case digits != use.code && isDigits(digits) && strings.ContainsAny(use.code, "0123456789") && !lettered && (len(digits) == length || most == 0):
			add(use.at, requirement.SeverityWarning, "%q has a letter that looks like a digit: did you mean %q?", use.code, digits)
		case isDigits(use.code) && len(use.code) == shortened && (most == 0 || 3*most < 2*numeric):
			add(use.at, requirement.SeverityHint, "%q has three digits, and merchant category codes have four: did you mean %q? The zeros that a code begins with are part of it", use.code, "0"+use.code)
		case !isDigits(use.code) || most == 0 || len(use.code) == length || 3*most < 2*numeric:
		case len(use.code) < length:
			add(use.at, requirement.SeverityWarning, "%q has %d characters, and the other codes of these rules have %d: did you mean %q? The zeros that a code begins with are part of it", use.code, len(use.code), length, strings.Repeat("0", length-len(use.code))+use.code)
		default:
			add(use.at, requirement.SeverityWarning, "%q has %d characters, and the other codes of these rules have %d", use.code, len(use.code), length)
		}
	}
	for _, r := range ranges {
		r.judge(length, add)
	}
	return found
}

// lookAlike turns letters into the digits that they look like.
var lookAlike = strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1")

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// shortened is the length of a merchant category code that has lost the zero that
// it began with, as spreadsheets make it.
const shortened = 3

// usualLength is the length that most of the codes made of digits have, how many
// have it, and how many such codes there are. Merchant category codes, which have
// four digits, are the ones to expect. lettered reports codes that mean their
// letters.
func usualLength(codes []codeUse) (length, most, numeric int, lettered bool) {
	counts := map[int]int{}
	seen := map[string]bool{}
	for _, use := range codes {
		if seen[use.code] {
			continue
		}
		seen[use.code] = true
		switch {
		case isDigits(use.code):
			counts[len(use.code)]++
			numeric++
		case !isDigits(lookAlike.Replace(use.code)):
			lettered = true
		}
	}
	const merchantCategory = 4
	length = merchantCategory
	for l, n := range counts {
		if n > most || n == most && (l == merchantCategory || length != merchantCategory && l > length) {
			length, most = l, n
		}
	}
	if most == 1 && length != merchantCategory {
		return merchantCategory, 0, numeric, lettered
	}
	return length, most, numeric, lettered
}

// namedCodes are the codes that the rules look for exactly, each use once, and
// the ranges of codes.
func namedCodes(ctx context.Context, rules []requirement.CompiledRule, lists map[string][]string) ([]codeUse, []codeRange) {
	var codes []codeUse
	var ranges []codeRange
	listed := map[string]bool{}
	for _, r := range rules {
		if ctx.Err() != nil {
			break
		}
		if r.Condition == nil {
			continue
		}
		joined := map[*requirement.Node]bool{}
		r.Condition.Tree.Walk(func(n *requirement.Node) {
			if n.Kind == requirement.CallKind && n.Name == operators.LogicalAnd && !joined[n] {
				parts := chain(n, joined)
				ranges = append(ranges, codeRanges(parts, r.Path+".when")...)
			}
			if !slices.Contains([]string{operators.Equals, operators.NotEquals, operators.In}, n.Name) || n.Kind != requirement.CallKind {
				return
			}
			for i, arg := range n.Args {
				if arg.ComparedFact() != fact.NameIndustryCodes {
					continue
				}
				other := n.Args[1-i]
				if other.Kind == requirement.ListKind {
					if !listed[other.Name] {
						listed[other.Name] = true
						for j, entry := range lists[other.Name] {
							codes = append(codes, codeUse{entry, requirement.Problem{Path: fmt.Sprintf("%s.%s[%d]", fact.NameLists, other.Name, j)}})
						}
					}
					continue
				}
				for _, c := range (&valueWarnings{}).constants(other, func(*requirement.Node) bool { return false }) {
					if text, ok := c.value.(string); ok {
						codes = append(codes, codeUse{text, requirement.Problem{Path: r.Path + ".when", Line: c.node.Line, Column: c.node.Column}})
					}
				}
			}
		})
	}
	return codes, ranges
}

// codeRange is a range of codes that a condition asks for.
type codeRange struct {
	of           *requirement.Node
	low, high    string
	exclusive    bool // the end does not belong to the range
	lengthAsked  bool // the condition asks for the length of the code as well
	line, column int
	path         string
}

// codeRanges are the ranges of codes within the parts that && joins.
func codeRanges(parts []*requirement.Node, path string) []codeRange {
	type bound struct {
		n    *requirement.Node
		text string
	}
	lows, highs := map[string]bound{}, map[string]bound{}
	sized := map[string]bool{}
	for _, part := range parts {
		part.Walk(func(n *requirement.Node) {
			if n.Kind == requirement.CallKind && n.Name == "size" && n.Args[0].Kind == requirement.VariableKind {
				sized[n.Args[0].Name] = true
			}
		})
		if of, text, ok := textBound(part, true); ok && of.Kind == requirement.VariableKind && of.ComparedFact() == fact.NameIndustryCodes {
			lows[of.Name] = bound{part, text}
		}
		if of, text, ok := textBound(part, false); ok && of.Kind == requirement.VariableKind && of.ComparedFact() == fact.NameIndustryCodes {
			highs[of.Name] = bound{part, text}
		}
	}
	var ranges []codeRange
	for _, name := range slices.Sorted(maps.Keys(lows)) {
		low, high := lows[name], highs[name]
		if high.n == nil || low.text > high.text || !isDigits(low.text) || !isDigits(high.text) {
			continue
		}
		r := codeRange{of: high.n.Args[0], low: low.text, high: high.text, lengthAsked: sized[name], path: path}
		if r.of.Kind == requirement.LiteralKind {
			r.of = high.n.Args[1]
		}
		r.exclusive = high.n.Name == rulefile.Pick(r.of == high.n.Args[0], operators.Less, operators.Greater)
		r.line, r.column = startOf(low.n)
		ranges = append(ranges, r)
	}
	return ranges
}

// judge warns of a range that means something else among texts than among numbers.
func (r codeRange) judge(length int, add func(requirement.Problem, requirement.Severity, string, ...any)) {
	at := requirement.Problem{Path: r.path, Line: r.line, Column: r.column}
	switch {
	case len(r.high) < length && !r.exclusive && !r.lengthAsked:
		longer := r.high + strings.Repeat("0", length-len(r.high))
		add(at, requirement.SeverityWarning, "codes compare character by character, so the range from %q to %q leaves out %q: write the last code in full, as in %s <= %q", r.low, r.high, longer, r.of.Text(), r.high+strings.Repeat("9", length-len(r.high)))
	case len(r.low) != len(r.high):
		short, most := r.low, len(r.high)
		if len(r.high) < len(r.low) {
			short, most = r.high, len(r.low)
		}
		add(at, requirement.SeverityWarning, "the ends of the range from %q to %q differ in length, and codes compare character by character, so %q comes just before %q: write both ends with all %d characters", r.low, r.high, short, short+strings.Repeat("0", most-len(short)), most)
	case r.lengthAsked:
	case len(r.low) == length && r.low < r.high:
		add(at, requirement.SeverityHint, "codes compare character by character, so the range from %q to %q includes longer codes too, such as %q: if such codes exist, add size(%s) == %d", r.low, r.high, r.low+"0", r.of.Text(), length)
	case len(r.low) > length:
		add(at, requirement.SeverityWarning, "the range from %q to %q has ends of another length than the codes of these rules, which have %d characters: codes compare character by character", r.low, r.high, length)
	}
}
