package fact

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"requisite/internal/rational"
)

// The types of facts: whether a record can hold a value that a file or a condition states,
// and why not.

// Type is what values a fact can have. Facts with the same values share one.
type Type struct {
	Shape Shape
	// Wire names the type to callers.
	Wire DeclaredType

	Whole  bool // of numbers that have no fraction
	Signed bool // of numbers that a record can hold below 0
	// Bits and decimals bound the numbers on record: they are below 2^bits, and have
	// so many decimals.
	Bits     int
	Decimals int64
	// Percent says that the number is a percentage; empty for others.
	Percent string
	// refuse says why no record can hold a number, and is empty when one can. exactly
	// tells that the number itself is looked for, and not a bound.
	refuse func(v Number, exactly bool) string
	// Domain are the numbers and dates that a record can hold; nil of texts.
	Domain *Domain

	// Future says of a date why none on record is after today; empty where one may be.
	Future string

	Text *TextForm // of texts, and of the texts of a list; nil when any can be on record
	List *ListForm

	Longest any // what takes most room of what records hold

	// schema is the form of a value as JSON Schema, guide the kind in the words of the
	// guide, and asked what the guide says that the applicant is asked for.
	schema, guide, asked string
}

// Domain are numbers, or dates in days: the multiples of a step between two bounds.
type Domain struct {
	Least, Most *big.Rat // nil where there is no bound
	Step        *big.Rat
	Words       string // which these are; may be empty
}

// Holds reports whether v is one of the numbers.
func (d *Domain) Holds(v *big.Rat) bool {
	return (d.Least == nil || v.Cmp(d.Least) >= 0) && (d.Most == nil || v.Cmp(d.Most) <= 0) && new(big.Rat).Quo(v, d.Step).IsInt()
}

// Exact is a number, and a date in days.
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
	pattern *regexp.Regexp // nil where Codes say it all
	part    *regexp.Regexp // of a part of such a text; nil with pattern
	Words   string
	// Shortest and longest are as short and as long as any on record.
	Shortest, Longest string
	// Ordered says that the texts between two others mean something, as with codes in
	// ranges.
	Ordered bool
	// Codes are all texts that can be on record; nil when there are too many to list.
	Codes []string
	known map[string]bool // of the codes
	// meant is what was probably meant by a text that cannot be on record.
	meant func(text string) (string, bool)
}

// recorded reports whether a text can be on record.
func (f *TextForm) recorded(text string) bool {
	return (f.pattern == nil || f.pattern.MatchString(text)) && (f.Codes == nil || f.known[text])
}

// Lengths are how many characters the shortest and the longest text on record have.
func (f *TextForm) Lengths() (least, most int) {
	least, most = utf8.RuneCountInString(f.Shortest), utf8.RuneCountInString(f.Longest)
	for _, code := range f.Codes {
		n := utf8.RuneCountInString(code)
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// HasPart reports whether a text on record can have such a part.
func (f *TextForm) HasPart(text string) bool {
	if f.part != nil {
		return f.part.MatchString(text)
	}
	return slices.ContainsFunc(f.Codes, func(code string) bool { return strings.Contains(code, text) })
}

// ListForm is what a list of texts on record is called, and how long it can be.
type ListForm struct {
	Least, Most   int
	One, Many     string // one of the texts, and several
	Article       string // before one
	Element       string // one of the texts, where the list is clear from the context
	schemaElement string // one of the texts in the schema, in a sentence
}

// What can be on record, and what an example may say of an amount and of a score.
// Amounts are below maxAmount.
var (
	maxAmount  = rational.Int(10_000_000_000_000)
	maxScore   = rational.Int(1_000_000_000_000)
	mostNumber = big.NewRat(0, 1).Sub(maxAmount.Rat(), big.NewRat(1, 1_000_000))
	// WholeShare is all of a business, in percent.
	WholeShare = rational.Int(100)
)

// What messages say of numbers that no record can hold.
const (
	FractionWords  = "so a quarter is 25, not 0.25"
	decimalsWords  = "has at most two decimals"
	ageWords       = "an age is 0 or more"
	completedWords = "an age is a whole number of completed months or years"
	numberWords    = "a number is above -10000000000000 and below 10000000000000, with at most 6 decimals"
	mostDecimals   = 2
)

// anyText is what a text can be that is none of several choices.
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

// dateFact are dates from one on. words say which, and future says why none is after today.
func dateFact(first Date, words, future string) *Type {
	return &Type{
		Shape: DateShape, Wire: DeclaredDate, Longest: "9999-12-31", Future: future,
		Domain: &Domain{Least: first.days(), Most: Date{Year: 9999, Month: 12, Day: 31}.days(), Step: big.NewRat(1, 1), Words: words},
		schema: `"$ref": "#/$defs/date"`, guide: "date", asked: "the date",
	}
}

// decimalFact are numbers from 0 to below maxAmount, with two decimals. noun begins a
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

// percentFact are percentages from 0 to 100, with two decimals. noun begins a sentence
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

// textFact are texts of one form. Where the form lists its codes, the rest of what is
// known of them follows from the list.
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

// textsFact are lists of texts of one form.
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

// UnrecordedNumber says why no record can hold a number: see refuse.
func (t *Type) UnrecordedNumber(v Number, exactly bool) string {
	if t.refuse == nil {
		return ""
	}
	return t.refuse(v, exactly)
}

// CanLack reports whether a person on record can lack the fact. An id never lacks, and what has a
// default counts as that.
func (row *Row) CanLack() bool { return !row.IsID() && row.Default == nil }

// IsID reports whether the service itself gives the value.
func (row *Row) IsID() bool { return row.Type == idFact }

// NeverOnRecord is what a message says before Unrecorded or UnrecordedNumber.
const NeverOnRecord = "but no record can contain it"

// Unrecorded says why no record can hold a text for a fact, and what was probably
// meant; it is empty when one can.
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

// ScoreDecimals is how many decimals a score, a base and points can have. They
// are added up exactly, and stored so.
const ScoreDecimals = 6

// Values on record in bits, which bound what can be calculated from them.
const (
	amountBits = 44 // below 10^13
	scoreBits  = 40 // up to 10^12
	shareBits  = 7  // up to 100
	ageBits    = 17 // in months, of 9999 years
	CountBits  = 16 // elements of a list, or characters of a text
)

// What takes most room of what records hold.
const (
	LongestEntityID = "p_0000000000000000000000"
	longestScore    = "-999999999999.999999"
)

var (
	longestAmount = rational.Hundredths(999999999999999)
	longestAge    = rational.Int(9999 * 12) // in months
	longestShare  = rational.Hundredths(9999)
)

// LongestText is as long as any text that records hold for a fact.
func (t *Type) LongestText() string {
	if t.Text != nil {
		return t.Text.Longest
	}
	return LongestEntityID
}
