package store

import (
	"fmt"
	"strings"
	"time"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
)

// day is an account's local date at a time. A statement that also reads the time zone does not know
// the date yet. It returns an answer for each of dates(), and in() selects the right one.
type day struct {
	at time.Time
	on fact.Date // replaces the date at that time, unless it is zero
	// named is the date that a call of the sandbox has named, which must be today or a later one. It
	// is empty if there is none, and on is zero if there is one.
	named string
}

// SandboxYears is how far ahead of the clock a call of the sandbox can be.
const SandboxYears = 5

// day is the account's day at a time: the one that the call names, or else the local date.
func (r *unit) day(at time.Time) day {
	if r.scope.Environment != domain.Sandbox {
		return day{at: at}
	}
	return day{at: at, named: r.scope.SandboxToday}
}

// today is the account's day, given its time zone.
func (r *unit) today(zone string) (fact.Date, error) {
	today, _, err := r.day(r.at).in(zone)
	return today, err
}

// dates returns all dates that the day may be, as texts, in ascending order. Time zones differ from
// UTC by less than a day.
func (d day) dates() []string {
	switch {
	case d.named != "":
		return []string{d.named}
	case !d.on.IsZero():
		return []string{d.on.String()}
	}
	utc := d.at.UTC()
	return []string{fact.DateOf(utc.AddDate(0, 0, -1)).String(), fact.DateOf(utc).String(), fact.DateOf(utc.AddDate(0, 0, 1)).String()}
}

// onEachDate is an SQL array with the answer for each of dates(), which are the given parameter of the
// statement.
func (d day) onEachDate(dates string, sql func(date string) string) string {
	answers := make([]string, len(d.dates()))
	for i := range answers {
		answers[i] = sql(fmt.Sprintf(`(%s::text[])[%d]::date`, dates, i+1))
	}
	return `ARRAY [` + strings.Join(answers, `, `) + `]`
}

// in returns the day in a time zone, and its index in dates.
func (d day) in(zone string) (fact.Date, int, error) {
	on := d.on
	if on.IsZero() {
		local, err := localDate(d.at, zone)
		if err != nil {
			return fact.Date{}, 0, err
		}
		if on, err = d.instead(local); err != nil {
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

// instead returns the date that the call has named, or else the local date. It refuses a date that
// has passed or is too far ahead.
func (d day) instead(local fact.Date) (fact.Date, error) {
	if d.named == "" {
		return local, nil
	}
	on, err := fact.ParseDate(d.named)
	if err != nil {
		return fact.Date{}, err
	}
	if last := fact.DateOf(local.UTC().AddDate(SandboxYears, 0, 0)); on.Before(local) || last.Before(on) {
		return fact.Date{}, refusal.Fields(refusal.At(wire.HeaderSandboxToday, refusal.NotAllowed,
			"This must be a day from today, which is %s in the account's time zone, to %s.", local, last))
	}
	return on, nil
}

func localDate(at time.Time, zone string) (fact.Date, error) {
	location, err := domain.Zone(zone)
	if err != nil {
		return fact.Date{}, err
	}
	return fact.DateOf(at.In(location)), nil
}
