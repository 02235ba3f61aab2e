package fact

import (
	"fmt"
	"time"
)

// This file has civil dates, and counts the months or years between two.

const dateLayout = "2006-01-02"

// Date is a civil date: a day of the Gregorian calendar, in no time zone. Its text form, also in
// JSON, is YYYY-MM-DD. The zero Date means no date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads YYYY-MM-DD. It refuses days that do not exist, such as
// 2023-02-29, and years outside 0001 to 9999.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(dateLayout, text)
	if err != nil || t.Year() < 1 {
		return Date{}, fmt.Errorf("%q is not a date: write an existing day as YYYY-MM-DD", text)
	}
	return DateOf(t), nil
}

// DateOf is the civil date of t in t's own location.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{Year: year, Month: month, Day: day}
}

// IsZero reports whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Before reports whether d is an earlier day than other.
func (d Date) Before(other Date) bool { return d.UTC().Before(other.UTC()) }

// String is d as YYYY-MM-DD.
func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// UTC is the first instant of d in UTC. Conditions use it as the value of a date.
func (d Date) UTC() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// Next is the next day. It is zero if that day does not have the form YYYY-MM-DD.
func (d Date) Next() Date {
	if d == lastDate {
		return Date{}
	}
	return DateOf(d.UTC().AddDate(0, 0, 1))
}

// MarshalText writes d as YYYY-MM-DD and refuses the zero Date.
func (d Date) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, fmt.Errorf("the zero date has no text form: leave the date out instead")
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads what ParseDate reads.
func (d *Date) UnmarshalText(text []byte) error {
	parsed, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// monthsBetween counts the completed months from one day to a later one. The same day of a
// following month completes a month. If that month is too short, the first day of the next month
// completes it. So 1 March completes a year that began on 29 February. The result is 0 if to is
// before from.
func monthsBetween(from, to Date) int64 {
	months := int64(to.Year-from.Year)*12 + int64(to.Month-from.Month)
	if to.Day < from.Day {
		months--
	}
	return max(months, 0)
}

// yearsBetween counts completed years by the same rule as monthsBetween.
func yearsBetween(from, to Date) int64 { return monthsBetween(from, to) / 12 }

// DaysSince counts the days from one day to another. It is negative if the other is earlier.
func DaysSince(from, to Date) int64 {
	const day = 24 * 60 * 60
	return (to.UTC().Unix() - from.UTC().Unix()) / day
}

// MonthsSince counts the completed months from one day to another, as ages are counted. If the
// other is earlier, it is the negated count from the other.
func MonthsSince(from, to Date) int64 { return monthsBetween(from, to) - monthsBetween(to, from) }

// YearsSince counts completed years by the same rule as MonthsSince.
func YearsSince(from, to Date) int64 { return yearsBetween(from, to) - yearsBetween(to, from) }
