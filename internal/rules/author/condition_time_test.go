package author

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

const (
	yearOfDays   = " takes a year for a fixed number of days, but leap years have a day more, so this decides wrongly around the anniversary: count with "
	monthOfDays  = " takes a month for a fixed number of days, but months have 28 to 31, so this decides wrongly around the end of the last one: count with "
	roundedTwice = ", each rounded down to today, so it is off by one on some days: count from one date to the other with "
)

func TestWarnings_OfCountsOfTime(t *testing.T) {
	for condition, want := range map[string]string{
		// A year or a month of so many days.
		`days_since(person.date_of_birth) / 365 >= 18`:                                    "WARNING days_since(person.date_of_birth) / 365" + yearOfDays + "years_since(person.date_of_birth)",
		`18 <= days_since(person.date_of_birth) / 365.25`:                                 "WARNING days_since(person.date_of_birth) / 365.25" + yearOfDays + "years_since(person.date_of_birth)",
		`!persons.all(p, days_since(p.date_of_birth) / 366 >= 18)`:                        "WARNING days_since(p.date_of_birth) / 366" + yearOfDays + "years_since(p.date_of_birth)",
		`-(days_since(established_date) + 1) / 365.2425 < -2`:                             "WARNING -(days_since(established_date) + 1) / …" + yearOfDays + "years_since(established_date)",
		`days_since(established_date) / 30 < 6`:                                           "WARNING days_since(established_date) / 30" + monthOfDays + "months_since(established_date)",
		`days_since(established_date) / 365 * 12 < 6`:                                     "WARNING days_since(established_date) / 365 * 12" + monthOfDays + "months_since(established_date)",
		`days_since(established_date) / 30 / 12 < 6`:                                      "WARNING days_since(established_date) / 30 / 12" + yearOfDays + "years_since(established_date)",
		`days_since(established_date) / (30 * 12) < 6`:                                    "WARNING days_since(established_date) / (30 * 12)" + yearOfDays + "years_since(established_date)",
		`days_since(person.date_of_birth) < 18 * 365`:                                     "WARNING days_since(person.date_of_birth) < 18 * 365" + yearOfDays + "years_since(person.date_of_birth)",
		`18 * 365.25 + 1 > days_since(person.date_of_birth)`:                              "WARNING 18 * 365.25 + 1 > …" + yearOfDays + "years_since(person.date_of_birth)",
		`days_since(established_date) - 2 * 365 < 0`:                                      "WARNING days_since(established_date) - 2 * 365 < 0" + yearOfDays + "years_since(established_date)",
		`days_since(established_date) < 30 * size(persons)`:                               "WARNING days_since(established_date) < 30 * size(persons)" + monthOfDays + "months_since(established_date)",
		`days_between(person.date_of_birth, established_date) / 365 < 18`:                 "WARNING days_between(person…" + yearOfDays + "years_between(person.date_of_birth, established_date)",
		`(days_since(person.date_of_birth) - days_since(established_date)) / 365.25 < 18`: "WARNING (days_since(person…" + yearOfDays + "years_between(person.date_of_birth, established_date)",
		`days_since(person.date_of_birth) >= days_since(established_date) + 18 * 365`:     "WARNING days_since(person.date_of_birth) >= days_since…" + yearOfDays + "years_between(person.date_of_birth, established_date)",
		`evaluation_score > (size(persons) > 1 ? days_since(established_date) / 365 : 0)`: "WARNING days_since(established_date) / 365" + yearOfDays + "years_since(established_date)",
		`persons.sum(p, days_since(p.date_of_birth) / 365) > 36`:                          "WARNING days_since(p.date_of_birth) / 365" + yearOfDays + "years_since(p.date_of_birth)",
		`days_since(person.date_of_birth) / 365 in [18, 19]`:                              "WARNING days_since(person.date_of_birth) / 365" + yearOfDays + "years_since(person.date_of_birth)",
		`days_since(person.date_of_birth) < 6570`:                                         "WARNING days_since(person.date_of_birth) < 6570 counts an age in days, but leap years have a day more: if years are meant, count with years_since(person.date_of_birth)",
		`6575 > days_since(person.date_of_birth)`:                                         "WARNING 6575 > days_since(person.date_of_birth) counts an age in days, but leap years have a day more: if years are meant, count with years_since(person.date_of_birth)",
		`days_since(established_date) < 730`:                                              "HINT days_since(established_date) < 730 counts an age in days, but leap years have a day more: if years are meant, count with years_since(established_date)",
		// Differences of two counts that are rounded.
		`years_since(person.date_of_birth) - years_since(established_date) < 18`: "WARNING years_since(person.date_of_birth) - years_since… uses two numbers of completed years" + roundedTwice + "years_between(person.date_of_birth, established_date)",
		`years_since(established_date) + 18 > years_since(person.date_of_birth)`: "WARNING years_since(established_date) + 18 > … uses two numbers of completed years" + roundedTwice + "years_between(established_date, person.date_of_birth)",
		`business_age_months - months_since(person.date_of_birth) > -216`:        "WARNING business_age_months - months… uses two numbers of completed months" + roundedTwice + "months_between(established_date, person.date_of_birth)",
		`(years_since(person.date_of_birth) - business_age_years) * 2 < 36`:      "WARNING (years_since(person.date_of_birth) - … uses two numbers of completed years" + roundedTwice + "years_between(person.date_of_birth, established_date)",
		`-business_age_years + years_since(person.date_of_birth) in [17, 18]`:    "WARNING -business_age_years + years… uses two numbers of completed years" + roundedTwice + "years_between(person.date_of_birth, established_date)",
		`days_since(person.date_of_birth) - days_since(established_date) < 90`:   "HINT days_since(person.date_of_birth) - days_since… is days_between(person.date_of_birth, established_date), which stays the same from day to day: write that",
		// Rounded before a finer unit is calculated from it.
		`years_since(established_date) * 12 < 18`:       "WARNING years_since(established_date) * 12 is calculated from completed years, so it leaves out the months of the one that has begun: count with months_since(established_date)",
		`business_age_years * 12 < 18`:                  "WARNING business_age_years * 12 is calculated from completed years, so it leaves out the months of the one that has begun: count with business_age_months",
		`business_age_years * 365 < 100`:                "WARNING business_age_years * 365 is calculated from completed years, so it leaves out the days of the one that has begun: count with days_since(established_date)",
		`months_since(established_date) * 30 < 100`:     "WARNING months_since(established_date) * 30 is calculated from completed months, so it leaves out the days of the one that has begun: count with days_since(established_date)",
		`business_age_years >= 1.5`:                     "WARNING business_age_years >= 1.5: completed years are whole numbers, so this is the same as at least 2: write that, or count with business_age_months",
		`1.5 > years_since(established_date)`:           "WARNING 1.5 > years_since(established_date): completed years are whole numbers, so this is the same as less than 2: write that, or count with months_since(established_date)",
		`business_age_months / 12 == 2`:                 "WARNING business_age_months / 12 == 2 looks for whole years in a number of months divided by 12, which is whole in one month of twelve: count with business_age_years",
		`months_since(established_date) / 12 in [1, 2]`: "WARNING months_since(established_date) / 12 in [1, 2] looks for whole years in a number of months divided by 12, which is whole in one month of twelve: count with years_since(established_date)",
		// What is right, or may be meant.
		`business_age_months / 12 >= 2`:                                                          "",
		`business_age_months / 12 > 1.5`:                                                         "",
		`months_since(established_date) >= 18 * 12`:                                              "",
		`days_since(established_date) <= 90`:                                                     "",
		`days_since(established_date) / 7 < 26`:                                                  "",
		`days_since(established_date) < 365`:                                                     "",
		`years_since(person.date_of_birth) > business_age_years`:                                 "",
		`days_since(person.date_of_birth) > days_since(established_date) + 90`:                   "",
		`business_age_months % 12 == 0`:                                                          "",
		`average_yearly_credit_sales / 365 > 100 && average_monthly_credit_sales / 30 > 3 * 365`: "",
		`average_yearly_credit_sales > 365 * average_individual_sale`:                            "",
		`business_age_years + size(persons) > 2`:                                                 "",
		`years_between(person.date_of_birth, established_date) < 18`:                             "",
		`days_since(established_date) * size(persons) < 100`:                                     "",
	} {
		var said []string
		for _, w := range warned(t, oneRule(fact.EntityPerson, condition)) {
			if w.Path == "documents[0].when" && !strings.Contains(w.Message, "no example") {
				require.NotZero(t, w.Line, condition)
				said = append(said, string(w.Severity)+" "+w.Message)
			}
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
		require.Regexp(t, "^"+pattern+"$", strings.Join(said, "\n"), condition)
	}
}

// TestDatesAroundAnniversaries_ArithmeticOnCountsDiffers from what the warnings offer: they are no pedantry.
func TestDatesAroundAnniversaries_ArithmeticOnCountsDiffers(t *testing.T) {
	for wrong, right := range map[string]string{
		`days_since(person.date_of_birth) / 365 >= 18`:                            `years_since(person.date_of_birth) >= 18`,
		`days_since(person.date_of_birth) / 365.25 >= 18`:                         `years_since(person.date_of_birth) >= 18`,
		`years_since(person.date_of_birth) - years_since(established_date) >= 17`: `years_between(person.date_of_birth, established_date) >= 17`,
		`business_age_years * 12 >= 18`:                                           `business_age_months >= 18`,
		`days_since(established_date) / 30 >= 6`:                                  `months_since(established_date) >= 6`,
	} {
		differs := false
		for day := (fact.Date{Year: 2026, Month: 1, Day: 1}); day.Year < 2028; day = day.Next() {
			born, founded := fact.Date{Year: 2009, Month: 6, Day: 15}, fact.Date{Year: 2025, Month: 9, Day: 30}
			facts := fact.Facts{AsOf: day, BusinessID: "b", EstablishedDate: &founded, Persons: []fact.PersonFacts{{PersonID: "p", DateOfBirth: &born}}}
			holds := func(condition string) bool {
				program, problems := requirement.Compile(oneRule(fact.EntityPerson, condition), requirement.Options{})
				require.Empty(t, problems)
				result, err := program.Evaluate(t.Context(), facts)
				require.NoError(t, err)
				require.Empty(t, result.Gaps)
				return len(result.Required) > 0
			}
			if differs = holds(wrong) != holds(right); differs {
				break
			}
		}
		require.True(t, differs, "%s and %s", wrong, right)
	}
}
