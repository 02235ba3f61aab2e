package fact

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// This file has periods of days, months or years.

// MaxPeriod is the largest number of days, months or years of a period.
const MaxPeriod = 1000

// Period is a number of days, months or years. Its text form, also in JSON, is "90 days", "1 month"
// or "2 years". The zero Period means no period.
type Period struct {
	count int
	unit  string // day, month or year
}

const (
	unitDay   = "day"
	unitMonth = "month"
	unitYear  = "year"
)

const periodForm = `^([1-9][0-9]{0,2}|1000) (day|month|year)s?$`

var (
	periodPattern = regexp.MustCompile(periodForm)
	weeksPattern  = regexp.MustCompile(`^([1-9][0-9]?) weeks?$`)
)

// ParsePeriod parses the text form. Singular and plural mean the same: "1 months" is "1 month".
func ParsePeriod(text string) (Period, error) {
	if m := periodPattern.FindStringSubmatch(text); m != nil {
		count, err := strconv.Atoi(m[1])
		return Period{count, m[2]}, err
	}
	if m := weeksPattern.FindStringSubmatch(text); m != nil {
		weeks, _ := strconv.Atoi(m[1])
		return Period{}, fmt.Errorf("a period has days, months or years: write \"%d days\"", 7*weeks)
	}
	return Period{}, fmt.Errorf("is not a period: write a whole number from 1 to %d and a unit, such as \"90 days\", \"3 months\" or \"1 year\"", MaxPeriod)
}

// IsZero reports whether p is no period.
func (p Period) IsZero() bool { return p == Period{} }

func (p Period) String() string {
	if p.IsZero() {
		return ""
	}
	if p.count == 1 {
		return "1 " + p.unit
	}
	return fmt.Sprintf("%d %ss", p.count, p.unit)
}

// MarshalText writes p, and refuses the zero Period.
func (p Period) MarshalText() ([]byte, error) {
	if p.IsZero() {
		return nil, fmt.Errorf("no period has no text form: leave it out instead")
	}
	return []byte(p.String()), nil
}

// UnmarshalText reads what ParsePeriod reads.
func (p *Period) UnmarshalText(text []byte) error {
	parsed, err := ParsePeriod(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// Schema describes the text form.
func (Period) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: periodForm,
		PatternDescription: fmt.Sprintf(`a period of 1 to %d days, months or years, such as "90 days", "3 months" or "1 year"`, MaxPeriod),
	}
}

// Canonical is p in days or months. A year becomes 12 months.
func (p Period) Canonical() Period {
	if p.unit == unitYear {
		return Period{12 * p.count, unitMonth}
	}
	return p
}

// firstDate and lastDate are the first and the last day with the form YYYY-MM-DD.
var (
	firstDate = Date{Year: 1, Month: time.January, Day: 1}
	lastDate  = Date{Year: 9999, Month: time.December, Day: 31}
)

// After is the day that completes the period after a day, by the rule of monthsBetween. It is never
// after the year 9999.
func (p Period) After(d Date) Date {
	after := d
	switch p = p.Canonical(); p.unit {
	case unitDay:
		after = DateOf(d.UTC().AddDate(0, 0, p.count))
	case unitMonth:
		first := time.Date(d.Year, d.Month, 1, 0, 0, 0, 0, time.UTC).AddDate(0, p.count, 0)
		after = DateOf(first.AddDate(0, 0, d.Day-1))
		if after.Month != first.Month() { // the month has no such day
			after.Day = 1
		}
	}
	if lastDate.Before(after) {
		return lastDate
	}
	return after
}

// Before is the last day such that the period after it ends on or before the given day. It is never
// before the year 1.
func (p Period) Before(d Date) Date {
	before := d
	switch p = p.Canonical(); p.unit {
	case unitDay:
		before = DateOf(d.UTC().AddDate(0, 0, -p.count))
	case unitMonth:
		first := time.Date(d.Year, d.Month, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -p.count, 0)
		last := first.AddDate(0, 1, -1).Day()
		before = DateOf(first.AddDate(0, 0, min(d.Day, last)-1))
	}
	if before.Before(firstDate) {
		return firstDate
	}
	return before
}
