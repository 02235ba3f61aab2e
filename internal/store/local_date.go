package store

import (
	"fmt"
	"strings"
	"time"

	"requisite/internal/domain"
	"requisite/internal/rules/fact"
)

// day is an account's local date at a time. A statement that also reads the time zone does not know
// the date yet. It returns an answer for each of dates(), and in() selects the right one.
type day struct {
	at time.Time
	on fact.Date // replaces the date at that time, unless it is zero
}

// dates returns all dates that the day may be, as texts, in ascending order. Time zones differ from
// UTC by less than a day.
func (d day) dates() []string {
	if !d.on.IsZero() {
		return []string{d.on.String()}
	}
	utc := d.at.UTC()
	return []string{fact.DateOf(utc.AddDate(0, 0, -1)).String(), fact.DateOf(utc).String(), fact.DateOf(utc.AddDate(0, 0, 1)).String()}
}

// onEachDate is an SQL array with the answer for each of dates(), which are a parameter of the
// statement.
func onEachDate(dates string, sql func(date string) string) string {
	var answers [3]string // if there is only one date, the others are NULL
	for i := range answers {
		answers[i] = sql(fmt.Sprintf(`(%s::text[])[%d]::date`, dates, i+1))
	}
	return `ARRAY [` + strings.Join(answers[:], `, `) + `]`
}

// in returns the day in a time zone, and its index in dates.
func (d day) in(zone string) (fact.Date, int, error) {
	on := d.on
	if on.IsZero() {
		var err error
		if on, err = localDate(d.at, zone); err != nil {
			return fact.Date{}, 0, err
		}
	}
	for i, date := range d.dates() {
		if date == on.String() {
			return on, i, nil
		}
	}
	return fact.Date{}, 0, fmt.Errorf("time zone %s is %s at %s: more than a day from UTC", zone, on, d.at)
}

func localDate(at time.Time, zone string) (fact.Date, error) {
	location, err := domain.Zone(zone)
	if err != nil {
		return fact.Date{}, err
	}
	return fact.DateOf(at.In(location)), nil
}
