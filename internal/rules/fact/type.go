package fact

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
)

// This file has the types of facts: whether a record can contain a value that a file or a condition
// states, and why not.

// Type is the set of values that a fact can have. Facts with the same values share a type.
type Type struct {
	Shape Shape
	// Wire names the type to callers.
	Wire DeclaredType

	Whole  bool // for numbers without a fraction
	Signed bool // for numbers that may be negative
	// Bits and decimals limit the stored numbers: they are below 2^bits, and have at most that many
	// decimals.
	Bits     int
	Decimals int64
	// Percent says that the number is a percentage. It is empty for others.
	Percent string
	// refuse returns why no record can contain a number. It is empty if one can. exactly says that
	// a condition looks for the number itself, and not for a bound.
	refuse func(v Number, exactly bool) string
	// Domain has the numbers and dates that a record can contain. It is nil for texts.
	Domain *Domain

	// Future says about a date why no stored one is after today. It is empty if one may be.
	Future string

	Text *TextForm // of texts, and of the texts of a list; nil if any text is possible
	List *ListForm

	Longest any // the largest value in a record

	// schema is the JSON Schema of a value. guide names the type in the guide, and asked is what
	// the guide says to ask the applicant.
	schema, guide, asked string
}

// Domain has numbers, or dates in days: the multiples of a step between two bounds.
type Domain struct {
	Least, Most *big.Rat // nil if there is no bound
	Step        *big.Rat
	Words       string // describes them; may be empty
}

// Holds reports whether v is in the domain.
func (d *Domain) Holds(v *big.Rat) bool {
	return (d.Least == nil || v.Cmp(d.Least) >= 0) && (d.Most == nil || v.Cmp(d.Most) <= 0) && new(big.Rat).Quo(v, d.Step).IsInt()
}

// Exact returns a number, or a date in days.
func Exact(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case Number:
		return new(big.Rat).Set(v.Rat()), true
	case Date:
		return v.days(), true
	}
	return nil, false
}

func (d Date) days() *big.Rat {
	const day = 24 * 60 * 60
	return big.NewRat(d.UTC().Unix()/day, 1)
}

// TextForm is the form of the texts that a fact can hold.
type TextForm struct {
	pattern *regexp.Regexp // nil if Codes has all texts
	part    *regexp.Regexp // of a part of such a text; nil if pattern is nil
	Words   string
	// Shortest and Longest are as short and as long as any stored text.
	Shortest, Longest string
	// Ordered reports that the texts between two others mean something, as with ranges of codes.
	Ordered bool
	// Codes has all texts that a record can contain. It is nil if there are too many to list.
	Codes []string
	known map[string]bool // of the codes
	// meant suggests what was probably meant by a text that no record can contain.
	meant func(text string) (string, bool)
}

// recorded reports whether a record can contain a text.
func (f *TextForm) recorded(text string) bool {
	return (f.pattern == nil || f.pattern.MatchString(text)) && (f.Codes == nil || f.known[text])
}

// Lengths returns the number of characters of the shortest and the longest text.
func (f *TextForm) Lengths() (least, most int) {
	least, most = utf8.RuneCountInString(f.Shortest), utf8.RuneCountInString(f.Longest)
	for _, code := range f.Codes {
		n := utf8.RuneCountInString(code)
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// HasPart reports whether a text in a record can have such a part.
func (f *TextForm) HasPart(text string) bool {
	if f.part != nil {
		return f.part.MatchString(text)
	}
	return slices.ContainsFunc(f.Codes, func(code string) bool { return strings.Contains(code, text) })
}

// ListForm has the words for a list of texts, and its maximum length.
type ListForm struct {
	Least, Most   int
	One, Many     string // a single text, and several
	Article       string // before a single one
	Element       string // a single text, when the list is clear from the context
	schemaElement string // a single text, in a sentence of the schema
}

// The values that a record can contain, and what an example may say of an amount and of a score.
// Amounts are below maxAmount.
var (
	maxAmount  = rational.Int(10_000_000_000_000)
	maxScore   = rational.Int(1_000_000_000_000)
	mostNumber = big.NewRat(0, 1).Sub(maxAmount.Rat(), big.NewRat(1, 1_000_000))
	// WholeShare is all of a business in percent.
	WholeShare = rational.Int(100)
)

// What messages say about numbers that no record can contain.
const (
	FractionWords  = "so a quarter is 25, not 0.25"
	decimalsWords  = "has at most two decimals"
	ageWords       = "an age is 0 or more"
	completedWords = "an age is a whole number of completed months or years"
	numberWords    = "a number is above -10000000000000 and below 10000000000000, with at most 6 decimals"
	mostDecimals   = 2
)

// anyText is the form of texts without choices.
var (
	anyText = regexp.MustCompile(fmt.Sprintf(`^(?s:.{1,%d})$`, MaxDeclaredText))
	anyPart = regexp.MustCompile(fmt.Sprintf(`^(?s:.{0,%d})$`, MaxDeclaredText))
)

// The types of the facts.
var (
	// AmountFact is the type of the facts that are amounts.
	AmountFact = decimalFact("an amount", "amount")

	scoreFact = &Type{
		Shape: NumberShape, Wire: DeclaredNumber, Signed: true, Bits: scoreBits, Decimals: ScoreDecimals, Longest: longestScore,
		refuse: func(v Number, exactly bool) string {
			decimals, ends := v.Decimals()
			if exactly && (v.Cmp(maxScore) > 0 || v.Neg().Cmp(maxScore) > 0 || !ends || decimals > ScoreDecimals) {
				return scoreWords()
			}
			return ""
		},
		Domain: &Domain{Step: big.NewRat(1, 1_000_000), Words: scoreWords()},
		schema: "\"type\": \"number\",\n\"minimum\": -1000000000000,\n\"maximum\": 1000000000000", guide: "number", asked: "a calculated score",
	}

	// numberFact is the type of declared numbers.
	numberFact = &Type{
		Shape: NumberShape, Wire: DeclaredNumber, Signed: true, Bits: amountBits, Decimals: ScoreDecimals, Longest: "-9999999999999.999999",
		refuse: func(v Number, exactly bool) string {
			decimals, ends := v.Decimals()
			if v.Cmp(maxAmount) >= 0 || v.Neg().Cmp(maxAmount) >= 0 || exactly && (!ends || decimals > ScoreDecimals) {
				return numberWords
			}
			return ""
		},
		Domain: &Domain{Least: new(big.Rat).Neg(mostNumber), Most: mostNumber, Step: big.NewRat(1, 1_000_000), Words: numberWords},
	}

	booleanFact = &Type{Shape: BoolShape, Wire: DeclaredBoolean, Longest: false}

	ageFact = &Type{
		Shape: NumberShape, Wire: DeclaredNumber, Whole: true, Bits: ageBits, Longest: longestAge,
		refuse: func(v Number, exactly bool) string {
			switch {
			case v.Sign() < 0:
				return ageWords
			case !v.IsInt() && exactly:
				return completedWords
			}
			return ""
		},
		Domain: &Domain{Least: new(big.Rat), Step: big.NewRat(1, 1), Words: ageWords + ", in whole months or years"},
		guide:  "whole number",
	}

	establishedFact = dateFact(Date{Year: 1500, Month: 1, Day: 1},
		"no business on record is established before 1500",
		"no business on record is established then")
	birthFact        = dateFact(Date{Year: 1900, Month: 1, Day: 1}, "nobody on record is born before 1900", "nobody on record is born then")
	declaredDateFact = dateFact(Date{Year: 1, Month: 1, Day: 1}, "", "")

	idFact = &Type{Shape: TextShape, Wire: DeclaredText, Longest: LongestEntityID, guide: "text"}

	citizenshipFact = textFact(&TextForm{
		pattern: regexp.MustCompile(`^([A-Z]{2}|XX[ABC])$`),
		part:    regexp.MustCompile(`^([A-Z]{0,2}|XX[ABC])$`),
		Words:   "a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC",
		Codes:   Citizenships(), meant: CountryMeant,
	})

	countryFact = textFact(&TextForm{
		pattern: regexp.MustCompile(`^[A-Z]{2}$`),
		part:    regexp.MustCompile(`^[A-Z]{0,2}$`),
		Words:   "a country is an ISO 3166-1 code of two capital letters, such as US, or XK",
		Codes:   Countries(), meant: CountryMeant,
	})

	industryCodesFact = textsFact(&TextForm{
		pattern:  regexp.MustCompile(`^[A-Za-z0-9.]{1,10}$`),
		part:     regexp.MustCompile(`^[A-Za-z0-9.]{0,10}$`),
		Words:    "an industry category code is 1 to 10 letters, digits and points",
		Shortest: "0", Longest: "0000000000", Ordered: true,
	}, &ListForm{
		Least: 1, Most: MaxIndustryCategoryCodes, One: "industry category code", Many: "industry category codes", Article: "an", Element: "code",
		schemaElement: "One industry category code, in quotes: 1 to 10 letters, digits and points.",
	})
)

// dateFact is the type of dates from first on. words describe the limit, and future says
// why none is after today.
func dateFact(first Date, words, future string) *Type {
	return &Type{
		Shape: DateShape, Wire: DeclaredDate, Longest: "9999-12-31", Future: future,
		Domain: &Domain{Least: first.days(), Most: Date{Year: 9999, Month: 12, Day: 31}.days(), Step: big.NewRat(1, 1), Words: words},
		schema: `"$ref": "#/$defs/date"`, guide: "date", asked: "the date",
	}
}

// decimalFact is the type of numbers from 0 to below maxAmount, with two decimals. noun begins a
// sentence about one: "an amount".
func decimalFact(noun, guide string) *Type {
	bound := noun + " is 0 or more, and below 10000000000000"
	return &Type{
		Shape: NumberShape, Wire: DeclaredAmount, Bits: amountBits, Decimals: mostDecimals, Longest: longestAmount,
		refuse: func(v Number, _ bool) string {
			switch decimals, ends := v.Decimals(); {
			case v.Sign() < 0 || v.Cmp(maxAmount) >= 0:
				return bound
			case !ends || decimals > mostDecimals:
				return noun + " " + decimalsWords
			}
			return ""
		},
		Domain: &Domain{Least: new(big.Rat), Most: longestAmount.Rat(), Step: big.NewRat(1, 100), Words: bound},
		schema: `"$ref": "#/$defs/amount"`, guide: guide, asked: "that " + guide,
	}
}

// percentFact is the type of percentages from 0 to 100, with two decimals. noun begins a sentence
// about one: "ownership".
func percentFact(noun string) *Type {
	bound := noun + " is in percent, from 0 to 100"
	return &Type{
		Shape: NumberShape, Wire: DeclaredNumber, Bits: shareBits, Decimals: mostDecimals, Longest: longestShare, Percent: bound,
		refuse: func(v Number, _ bool) string {
			switch decimals, ends := v.Decimals(); {
			case v.Sign() < 0 || v.Cmp(WholeShare) > 0:
				return bound
			case !ends || decimals > mostDecimals:
				return noun + " " + decimalsWords
			}
			return ""
		},
		Domain: &Domain{Least: new(big.Rat), Most: WholeShare.Rat(), Step: big.NewRat(1, 100), Words: bound},
		schema: "\"type\": \"number\",\n\"minimum\": 0,\n\"maximum\": 100", guide: "number from 0 to 100", asked: "that percentage",
	}
}

// textFact is the type of texts of one form. If the form lists its codes, the rest of the form is
// derived from the list.
func textFact(form *TextForm) *Type {
	if form.Codes != nil {
		form.Shortest, form.Longest = form.Codes[0], form.Codes[0]
		form.known = map[string]bool{}
		for _, code := range form.Codes {
			form.known[code] = true
			if len(code) < len(form.Shortest) {
				form.Shortest = code
			}
			if len(code) > len(form.Longest) {
				form.Longest = code
			}
		}
	}
	of := &Type{Shape: TextShape, Wire: DeclaredText, Text: form, Longest: form.Longest, guide: "text", asked: "that text"}
	if form.pattern != nil {
		of.schema = fmt.Sprintf("\"type\": \"string\",\n\"pattern\": %q", form.pattern)
	}
	return of
}

// textsFact is the type of lists of texts of one form.
func textsFact(form *TextForm, list *ListForm) *Type {
	of := textFact(form)
	longest := make([]string, list.Most)
	for i := range longest {
		longest[i] = fmt.Sprintf("%0*d", len(form.Longest), i)
	}
	return &Type{
		Shape: ListOf(TextShape), Wire: DeclaredTextList, Text: form, List: list, Longest: longest,
		schema: fmt.Sprintf(
			"\"type\": \"array\",\n\"maxItems\": %d,\n\"items\": {\n  \"description\": %q,\n  %s\n}",
			list.Most, list.schemaElement, strings.ReplaceAll(of.schema, "\n", "\n  ")),
		guide: "list of texts", asked: "at least one " + list.Element,
	}
}

func scoreWords() string {
	return fmt.Sprintf("a score is between -%s and %s, with at most %d decimals", maxScore, maxScore, ScoreDecimals)
}

// KnowsCodes reports whether all texts that a record can contain are known.
func (t *Type) KnowsCodes() bool { return t.Text != nil && t.Text.Codes != nil }

// UnrecordedNumber returns why no record can contain a number: see refuse.
func (t *Type) UnrecordedNumber(v Number, exactly bool) string {
	if t.refuse == nil {
		return ""
	}
	return t.refuse(v, exactly)
}

// beyond is UnrecordedNumber of an exact number for a caller.
func (t *Type) beyond(v Number) refusal.Problem {
	words := t.UnrecordedNumber(v, true)
	if words == "" {
		return refusal.Problem{}
	}
	if least := t.Domain.Least; least != nil && v.Rat().Cmp(least) < 0 {
		limit, _ := least.Float64()
		return refusal.Beyond(refusal.TooSmall, limit, "%s", words)
	}
	if most := t.Domain.Most; most != nil && v.Rat().Cmp(most) > 0 {
		limit, _ := most.Float64()
		return refusal.Beyond(refusal.TooLarge, limit, "%s", words)
	}
	return refusal.Wrong(refusal.WrongFormat, "%s", words)
}

// CanLack reports whether a stored person can lack the fact. An id is never missing. A fact with a
// default counts as its default, unless it is asked for.
func (row *Row) CanLack() bool { return !row.IsID() && row.MayBeGap() }

// IsID reports whether the service itself assigns the value.
func (row *Row) IsID() bool { return row.Type == idFact }

// NeverOnRecord is what a message says before Unrecorded or UnrecordedNumber.
const NeverOnRecord = "but no record can contain it"

// Unrecorded returns why no record can contain a text for a fact, and what was probably meant. It
// is empty if a record can.
func (t *Type) Unrecorded(text string) string {
	form := t.Text
	if form == nil || form.recorded(text) {
		return ""
	}
	if form.meant != nil {
		if meant, ok := form.meant(text); ok {
			return form.Words + "; did you mean " + meant + "?"
		}
	}
	if strings.ContainsAny(text, "*%?") {
		return form.Words + "; for those that begin alike write x.startsWith(\"79\")"
	}
	return form.Words
}

// ScoreDecimals is how many decimals a score, a base and points can have. They are added and stored
// exactly.
const ScoreDecimals = 6

// The size of stored values in bits. It limits what can be calculated from them.
const (
	amountBits = 44 // below 10^13
	scoreBits  = 40 // up to 10^12
	shareBits  = 7  // up to 100
	ageBits    = 17 // in months, of 9999 years
	CountBits  = 16 // elements of a list, or characters of a text
)

// The largest values in a record.
const (
	LongestEntityID = "p_0000000000000000000000"
	longestScore    = "-999999999999.999999"
)

var (
	longestAmount = rational.Hundredths(999999999999999)
	longestAge    = rational.Int(9999 * 12) // in months
	longestShare  = rational.Hundredths(9999)
)

// LongestText is as long as any stored text of a fact.
func (t *Type) LongestText() string {
	if t.Text != nil {
		return t.Text.Longest
	}
	return LongestEntityID
}
