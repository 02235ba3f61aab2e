package requirement

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"requisite/internal/rational"
)

// The types of facts. Input: a value that a file or a condition states. Output:
// whether a record can hold it, and why not.

// factType is what values a fact can have. Facts with the same values share one.
type factType struct {
	shape shape

	whole  bool // of numbers that have no fraction
	signed bool // of numbers that a record can hold below 0
	// bits and decimals bound the numbers on record: they are below 2^bits, and have
	// so many decimals.
	bits     int
	decimals int64
	// percent says that the number is a percentage; empty for others.
	percent string
	// refuse says why no record can hold a number, and is empty when one can. exactly
	// tells that the number itself is looked for, and not a bound.
	refuse func(v Number, exactly bool) string
	// domain are the numbers and dates that a record can hold, the step of which each is
	// a multiple, and words for both.
	domain func() (set, *big.Rat, string)

	text *textForm // of texts, and of the texts of a list; nil when any can be on record
	list *listForm

	longest any // what takes most room of what records hold

	// schema is the form of a value as JSON Schema, guide the kind in the words of the
	// guide, and asked what the guide says that the applicant is asked for.
	schema, guide, asked string
}

// textForm is the form of the texts that a fact can hold.
type textForm struct {
	pattern *regexp.Regexp
	part    *regexp.Regexp // of a part of such a text
	words   string
	// shortest and longest are as short and as long as any on record.
	shortest, longest string
	// ordered tells that the texts between two others mean something, as those of
	// codes in ranges do.
	ordered bool
	// codes are all texts that can be on record; nil when there are too many to list.
	codes []string
	known map[string]bool // of the codes
	// domain are the texts that can be on record, and perhaps others: every text
	// where it is left out.
	domain set
	// meant is what was probably meant by a text that cannot be on record.
	meant func(text string) (string, bool)
}

// recorded reports whether a text can be on record.
func (f *textForm) recorded(text string) bool {
	return f.pattern.MatchString(text) && (f.codes == nil || f.known[text])
}

// listForm is what a list of texts on record is called, and how long it can be.
type listForm struct {
	most          int
	one, many     string // one of the texts, and several
	article       string // before one
	element       string // one of the texts where it is clear of which list it is
	schemaElement string // one of the texts in the schema, in a sentence
}

// What can be on record, and what an example may say of an amount and of a score.
// Amounts are below maxAmount.
var (
	maxAmount = rational.Int(10_000_000_000_000)
	maxScore  = rational.Int(1_000_000_000_000)
	// wholeShare is all of a business, in percent.
	wholeShare = rational.Int(100)
)

const (
	fractionWords  = "so a quarter is 25, not 0.25"
	decimalsWords  = "has at most two decimals"
	ageWords       = "an age is 0 or more"
	completedWords = "an age is a whole number of completed months or years"
	mostDecimals   = 2
)

var (
	amountFact = decimalFact("an amount", "amount")

	scoreFact = &factType{
		shape: numberShape, signed: true, bits: scoreBits, decimals: ScoreDecimals, longest: longestScore,
		refuse: func(v Number, exactly bool) string {
			decimals, ends := v.Decimals()
			if exactly && (v.Cmp(maxScore) > 0 || v.Neg().Cmp(maxScore) > 0 || !ends || decimals > ScoreDecimals) {
				return scoreWords()
			}
			return ""
		},
		domain: func() (set, *big.Rat, string) { return everything(), big.NewRat(1, 1_000_000), scoreWords() },
		schema: "\"type\": \"number\",\n\"minimum\": -1000000000000,\n\"maximum\": 1000000000000", guide: "number", asked: "a calculated score",
	}

	ageFact = &factType{
		shape: numberShape, whole: true, bits: ageBits, longest: longestAge,
		refuse: func(v Number, exactly bool) string {
			switch {
			case v.Sign() < 0:
				return ageWords
			case !v.IsInt() && exactly:
				return completedWords
			}
			return ""
		},
		domain: func() (set, *big.Rat, string) {
			return set{beforeNumber(new(big.Rat)), highest}, big.NewRat(1, 1), ageWords + ", in whole months or years"
		},
		guide: "whole number",
	}

	dateFact = &factType{
		shape: dateShape, longest: "9999-12-31",
		domain: func() (set, *big.Rat, string) {
			first, _ := exact(Date{Year: 1, Month: 1, Day: 1})
			last, _ := exact(Date{Year: 9999, Month: 12, Day: 31})
			return set{beforeNumber(first), afterNumber(last)}, big.NewRat(1, 1), ""
		},
		schema: `"$ref": "#/$defs/date"`, guide: "date", asked: "the date",
	}

	idFact = &factType{shape: textShape, longest: longestEntityID, guide: "text"}

	citizenshipFact = textFact(&textForm{
		pattern: regexp.MustCompile(`^([A-Z]{2}|XX[ABC])$`),
		part:    regexp.MustCompile(`^([A-Z]{0,2}|XX[ABC])$`),
		words:   "a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC",
		codes:   Citizenships(), meant: countryMeant,
	})

	industryCodesFact = textsFact(&textForm{
		pattern:  regexp.MustCompile(`^[A-Za-z0-9.]{1,10}$`),
		part:     regexp.MustCompile(`^[A-Za-z0-9.]{0,10}$`),
		words:    "an industry category code is 1 to 10 letters, digits and points",
		shortest: "0", longest: "0000000000", ordered: true,
		domain: between(beforeText("."), beforeText("{")),
	}, &listForm{
		most: MaxIndustryCategoryCodes, one: "industry category code", many: "industry category codes", article: "an", element: "code",
		schemaElement: "One industry category code, in quotes: 1 to 10 letters, digits and points.",
	})
)

// decimalFact are numbers from 0 to below maxAmount, with two decimals. noun begins a
// sentence about one: "an amount".
func decimalFact(noun, guide string) *factType {
	bound := noun + " is 0 or more, and below 10000000000000"
	return &factType{
		shape: numberShape, bits: amountBits, decimals: mostDecimals, longest: longestAmount,
		refuse: func(v Number, _ bool) string {
			switch decimals, ends := v.Decimals(); {
			case v.Sign() < 0 || v.Cmp(maxAmount) >= 0:
				return bound
			case !ends || decimals > mostDecimals:
				return noun + " " + decimalsWords
			}
			return ""
		},
		domain: func() (set, *big.Rat, string) {
			most, _ := exact(maxAmount)
			return set{beforeNumber(new(big.Rat)), beforeNumber(most)}, big.NewRat(1, 100), bound
		},
		schema: `"$ref": "#/$defs/amount"`, guide: guide, asked: "that " + guide,
	}
}

// percentFact are percentages from 0 to 100, with two decimals. noun begins a sentence
// about one: "ownership".
func percentFact(noun string) *factType {
	bound := noun + " is in percent, from 0 to 100"
	return &factType{
		shape: numberShape, bits: shareBits, decimals: mostDecimals, longest: longestShare, percent: bound,
		refuse: func(v Number, _ bool) string {
			switch decimals, ends := v.Decimals(); {
			case v.Sign() < 0 || v.Cmp(wholeShare) > 0:
				return bound
			case !ends || decimals > mostDecimals:
				return noun + " " + decimalsWords
			}
			return ""
		},
		domain: func() (set, *big.Rat, string) {
			return set{beforeNumber(new(big.Rat)), afterNumber(big.NewRat(100, 1))}, big.NewRat(1, 100), bound
		},
		schema: "\"type\": \"number\",\n\"minimum\": 0,\n\"maximum\": 100", guide: "number from 0 to 100", asked: "that percentage",
	}
}

// textFact are texts of one form. Where the form lists its codes, the rest of what is
// known of them follows from the list.
func textFact(form *textForm) *factType {
	if form.codes != nil {
		form.shortest, form.longest = form.codes[0], form.codes[0]
		form.known = map[string]bool{}
		var edges []edge
		for _, code := range form.codes {
			form.known[code] = true
			edges = append(edges, beforeText(code))
			if len(code) < len(form.shortest) {
				form.shortest = code
			}
			if len(code) > len(form.longest) {
				form.longest = code
			}
		}
		form.domain = points(edges)
	}
	if form.domain == nil {
		form.domain = everything()
	}
	return &factType{
		shape: textShape, text: form, longest: form.longest,
		schema: fmt.Sprintf("\"type\": \"string\",\n\"pattern\": %q", form.pattern), guide: "text", asked: "that text",
	}
}

// textsFact are lists of texts of one form.
func textsFact(form *textForm, list *listForm) *factType {
	of := textFact(form)
	longest := make([]string, list.most)
	for i := range longest {
		longest[i] = fmt.Sprintf("%0*d", len(form.longest), i)
	}
	return &factType{
		shape: listOf(textShape), text: form, list: list, longest: longest,
		schema: fmt.Sprintf("\"type\": \"array\",\n\"maxItems\": %d,\n\"items\": {\n  \"description\": %q,\n  %s\n}", list.most, list.schemaElement, strings.ReplaceAll(of.schema, "\n", "\n  ")),
		guide:  "list of texts", asked: "at least one " + list.element,
	}
}

func scoreWords() string {
	return fmt.Sprintf("a score is between -%s and %s, with at most %d decimals", maxScore, maxScore, ScoreDecimals)
}

// unrecordedNumber says why no record can hold a number: see refuse.
func (t *factType) unrecordedNumber(v Number, exactly bool) string {
	if t.refuse == nil {
		return ""
	}
	return t.refuse(v, exactly)
}

// canLack reports whether a person on record can lack the fact: the service itself
// gives the ids.
func (row *fact) canLack() bool { return row.factType != idFact }

const neverOnRecord = "but no record can contain it"

// unrecorded says why no record can hold a text for a fact, and what was probably
// meant; it is empty when one can.
func unrecorded(fact, text string) string {
	form := lookup(fact).text
	if form == nil || form.recorded(text) {
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

// ScoreDecimals is how many decimals a score, a base and points can have. They
// are added up exactly, and stored so.
const ScoreDecimals = 6

// Values on record in bits, which bound what can be calculated from them.
const (
	amountBits = 44 // below 10^13
	scoreBits  = 40 // up to 10^12
	shareBits  = 7  // up to 100
	ageBits    = 17 // in months, of 9999 years
	countBits  = 16 // elements of a list, or characters of a text
)

// What takes most room of what records hold.
const (
	longestEntityID = "p_0000000000000000000000"
	longestScore    = "-999999999999.999999"
)

var (
	longestAmount = rational.Hundredths(999999999999999)
	longestAge    = rational.Int(9999 * 12) // in months
	longestShare  = rational.Hundredths(9999)
)

// longestText is as long as any text that records hold for a fact.
func longestText(fact string) string {
	if form := lookup(fact).text; form != nil {
		return form.longest
	}
	return longestEntityID
}
