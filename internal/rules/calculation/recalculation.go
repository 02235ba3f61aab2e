package calculation

import (
	"time"

	"requisite/internal/domain"
	"requisite/internal/rules/fact"
)

// RecalculationDue reports whether a recalculation is due because of the days that have begun in an
// account's time zone since the last one started. last is nil if there was none. starts are the
// first days of its versions of rules in force. It compares dates, so it needs no special case for days that
// are skipped or begin late.
func RecalculationDue(setting domain.RecalculationSetting, zone *time.Location, last *time.Time, now time.Time, starts []string) bool {
	today := fact.DateOf(now.In(zone)).String()
	before := "" // before all days
	if last != nil {
		before = fact.DateOf(last.In(zone)).String()
	}
	switch setting {
	case domain.RecalculationDaily:
		return before < today
	case domain.RecalculationOnForce:
		for _, start := range starts {
			if before < start && start <= today {
				return true
			}
		}
	}
	return false
}

// BeginsOnCancel reports whether an automatic start that was requested during a recalculation
// begins at once when that recalculation is canceled. again is nil if none was requested. Canceling
// an automatic recalculation also cancels the start of its day.
func BeginsOnCancel(automatic bool, zone *time.Location, asked time.Time, again *time.Time) bool {
	return again != nil && (!automatic || RecalculationDue(domain.RecalculationDaily, zone, &asked, *again, nil))
}
