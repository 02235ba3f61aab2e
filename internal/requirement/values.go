package requirement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
)

// textForm is the form of the texts that a fact can hold.
type textForm struct {
	pattern *regexp.Regexp
	part    *regexp.Regexp // of a part of such a text
	words   string
	longest string // as long as any on record
	// ordered tells that the texts between two others mean something, as those of
	// codes in ranges do.
	ordered bool
	// recorded reports whether a text of this form can be on record; nil when all
	// can. meant is what was probably meant by a text that cannot.
	recorded func(text string) bool
	meant    func(text string) (string, bool)
}

// textForms are those of the facts and fields that have one.
var textForms = map[string]textForm{
	"citizenship": {
		pattern:  regexp.MustCompile(`^([A-Z]{2}|XX[ABC])$`),
		part:     regexp.MustCompile(`^([A-Z]{0,2}|XX[ABC])$`),
		words:    "a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC",
		longest:  "XXA",
		recorded: isCitizenship, meant: countryMeant,
	},
	"industry_category_code": {
		pattern: regexp.MustCompile(`^[A-Za-z0-9.]{1,10}$`),
		part:    regexp.MustCompile(`^[A-Za-z0-9.]{0,10}$`),
		words:   "an industry category code is 1 to 10 letters, digits and points",
		longest: "0000000000",
		ordered: true,
	},
}

const (
	shareWords      = "ownership is in percent, from 0 to 100"
	fractionWords   = "so that a quarter is 25 and not 0.25"
	amountWords     = "an amount is 0 or more, and below 10000000000000"
	decimalsWords   = "has at most two decimals"
	ageWords        = "an age is 0 or more"
	completedWords  = "an age is a whole number of completed months or years"
	mostDecimals    = 2
	neverOnRecord   = "which no record can hold"
	comparesWithout = "compares with"
)

// wholeShare is all of a business, in percent.
var wholeShare = rational.Int(100)

// unrecorded says why no record can hold a text for a fact, and what was probably
// meant; it is empty when one can.
func unrecorded(fact, text string) string {
	form, ok := textForms[fact]
	if !ok || form.pattern.MatchString(text) && (form.recorded == nil || form.recorded(text)) {
		return ""
	}
	if form.meant != nil {
		if meant, ok := form.meant(text); ok {
			return form.words + "; did you mean " + meant + "?"
		}
	}
	if strings.ContainsAny(text, "*%?") {
		return form.words + "; for those that begin alike write x.startsWith(\"79\")"
	}
	return form.words
}

// unrecordedNumber is unrecorded for a number. exactly tells that the number
// itself is looked for, and not a bound.
func unrecordedNumber(fact string, v Number, exactly bool) string {
	entry, _ := findFact(fact)
	places, ends := v.Decimals()
	fine := !ends || places > mostDecimals
	age := slices.Contains(wholeFacts, fact)
	switch {
	case fact == "evaluation_score":
		if exactly && (v.Cmp(maxScore) > 0 || v.Neg().Cmp(maxScore) > 0 || !ends || places > ScoreDecimals) {
			return scoreWords()
		}
	case fact == "ownership_percentage":
		switch {
		case v.Sign() < 0 || v.Cmp(wholeShare) > 0:
			return shareWords
		case fine:
			return "ownership " + decimalsWords
		}
	case age && v.Sign() < 0:
		return ageWords
	case age && !v.IsInt() && exactly:
		return completedWords
	case age:
	case entry.shape == numberShape && (v.Sign() < 0 || v.Cmp(maxAmount) >= 0):
		return amountWords
	case entry.shape == numberShape && fine:
		return "an amount " + decimalsWords
	}
	return ""
}

func scoreWords() string {
	return fmt.Sprintf("a score is between -%s and %s, with at most %d decimals", maxScore, maxScore, ScoreDecimals)
}

// valueWarnings looks for values in a condition that no record can hold for the
// fact that they are compared with.
type valueWarnings struct {
	lists map[string][]string
	seen  map[listUse]bool // lists that have been looked through for a fact
	loops []*node          // around the node at hand, outermost first
	found []Problem
}

// listUse is what the warnings about a list's entries depend on. A list that
// many comparisons name is looked through once for each.
type listUse struct {
	list, fact string
	exactly    bool
	compares   bool
}

// looked reports whether the entries of a list have been held against a fact
// before, and notes that they are now.
func (v *valueWarnings) looked(list *node, comparison *node, fact string) bool {
	use := listUse{list.name, fact, comparison.exactly(), comparison.isComparison()}
	before := v.seen[use]
	if v.seen == nil {
		v.seen = map[listUse]bool{}
	}
	v.seen[use] = true
	return before
}

// exactly reports whether n looks for a value itself, and not for a bound or a
// part of it.
func (n *node) exactly() bool {
	return slices.Contains([]string{operators.Equals, operators.NotEquals, operators.In}, n.name)
}

func (v *valueWarnings) visit(n *node) {
	if n == nil {
		return
	}
	if n.isComparison() || n.states() {
		v.comparison(n)
	}
	if n.kind != loopKind {
		for _, arg := range n.args {
			v.visit(arg)
		}
		return
	}
	v.visit(n.list())
	v.loops = append(v.loops, n)
	for _, arg := range n.args[1:] {
		v.visit(arg)
	}
	v.loops = v.loops[:len(v.loops)-1]
}

func (v *valueWarnings) comparison(n *node) {
	for i, arg := range n.args {
		fact := arg.comparedFact()
		if fact == "" || len(v.found) >= maxProblems {
			continue
		}
		for _, c := range v.constants(n.args[1-i], func(list *node) bool { return v.looked(list, n, fact) }) {
			v.compare(n, fact, c)
		}
	}
}

// comparedFact is the fact or field whose values n has, as they are on record.
func (n *node) comparedFact() string {
	switch {
	case n.kind == factKind && !n.shape.list:
		return n.name
	case n.kind == callKind || n.shape.base == personBase:
		return ""
	}
	return n.origin
}

// constantValue is a value that a condition or a list holds.
type constantValue struct {
	value any
	node  *node
	path  string // of an entry of a list
}

// constants are the values that n can have, where it is written out or comes from
// a list that is. Named lists that skip reports are left out.
func (v *valueWarnings) constants(n *node, skip func(list *node) bool) []constantValue {
	switch n.kind {
	case literalKind:
		return []constantValue{{value: n.literal, node: n}}
	case arrayKind:
		var found []constantValue
		for _, arg := range n.args {
			found = append(found, v.constants(arg, skip)...)
		}
		return found
	case listKind:
		if skip(n) {
			return nil
		}
		found := make([]constantValue, 0, len(v.lists[n.name]))
		for i, text := range v.lists[n.name] {
			found = append(found, constantValue{text, n, fmt.Sprintf("%s.%s[%d]", nameLists, n.name, i)})
		}
		return found
	case callKind:
		if n.name == operators.Conditional {
			return slices.Concat(v.constants(n.args[1], skip), v.constants(n.args[2], skip))
		}
	case variableKind:
		for _, loop := range slices.Backward(v.loops) {
			if loop.variable == n.name {
				return v.constants(loop.list(), skip)
			}
		}
	}
	return nil
}

func (v *valueWarnings) compare(n *node, fact string, c constantValue) {
	exactly := n.exactly()
	verb := pick(exactly || !n.isComparison(), "looks for", comparesWithout)
	switch value := c.value.(type) {
	case string:
		why := unrecorded(fact, value)
		switch {
		case !exactly && !n.isComparison() && textForms[fact].part != nil:
			why = pick(textForms[fact].part.MatchString(value), "", textForms[fact].words)
		case !exactly && (!textForms[fact].ordered || value == ""):
			why = "" // an order of texts, of which none need be on record
		}
		v.warn(n, c, why, verb, fmt.Sprintf("%q", value), fact)
	case Number:
		if share := fact == "ownership_percentage"; share && value.Sign() > 0 && value.Cmp(rational.Int(1)) < 0 {
			v.found = append(v.found, Problem{Message: fmt.Sprintf("%s: %s, %s", clip(n.text()), shareWords, fractionWords), Line: c.node.line, Column: c.node.column})
			return
		}
		v.warn(n, c, unrecordedNumber(fact, value, exactly), verb, value.String(), fact)
	}
}

func (v *valueWarnings) warn(n *node, c constantValue, why, verb, value, fact string) {
	switch {
	case why == "":
	case c.path != "":
		v.found = append(v.found, Problem{Path: c.path, Message: fmt.Sprintf("%s is compared with %s, %s: %s", value, words(fact), neverOnRecord, why)})
	default:
		v.found = append(v.found, Problem{
			Message: fmt.Sprintf("%s %s %s, %s: %s", clip(n.text()), verb, value, neverOnRecord, why),
			Line:    c.node.line, Column: c.node.column,
		})
	}
}

// exampleWarnings are about examples of what hardly is on record. What cannot be is
// refused as the file is read.
func exampleWarnings(examples []Example) []Problem {
	var found []Problem
	for i, example := range examples {
		if share := ownedTogether(example.Facts.Persons); share.Cmp(wholeShare) > 0 {
			found = append(found, Problem{
				Path:    fmt.Sprintf("examples[%d].facts.%s", i, namePersons),
				Message: fmt.Sprintf("own %s percent together, more than 100: of a real business the service would warn too", share.Words()),
			})
		}
	}
	return found
}

// ownedTogether is the sum of the shares. No sum of so few of them goes beyond
// the bounds of a number.
func ownedTogether(persons []PersonFacts) Number {
	var sum Number
	for _, person := range persons {
		if share := person.OwnershipPercentage; share != nil {
			if more, err := sum.Add(*share); err == nil {
				sum = more
			}
		}
	}
	return sum
}

// constantTexts are the texts that a literal or a list holds.
func constantTexts(n *node, lists map[string][]string) []string {
	var texts []string
	for _, c := range (&valueWarnings{lists: lists}).constants(n, func(*node) bool { return false }) {
		if text, ok := c.value.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
