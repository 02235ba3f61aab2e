package author

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file warns of terms of documents that take effect at once, that never take effect, or that
// are longer than what they limit.

// termWarnings warns about the terms of each rule. conditions are those of the rules; nil for none.
func termWarnings(rs requirement.RuleSet, conditions []*condition) (found []requirement.Problem) {
	for i, rule := range rs.Documents {
		add := func(field, format string, args ...any) {
			found = append(found, requirement.Problem{Path: fmt.Sprintf("documents[%d].%s", i, field), Message: fmt.Sprintf(format, args...)})
		}
		if rule.RenewAfter != nil && rule.RemindBefore != nil && remindsAtOnce(*rule.RenewAfter, *rule.RemindBefore) {
			add("remind_before",
				"%s before the end of renew_after (%s) is the day of the approval or earlier, so the reminder is sent at once: write a shorter period",
				rule.RemindBefore, rule.RenewAfter)
		}
		if rule.RenewAfter != nil && rule.DueWithin != nil && rule.DueFrom == "" && longer(*rule.DueWithin, *rule.RenewAfter) {
			add("due_within",
				"%s is longer than renew_after (%s), so a renewal may take longer than the approval was valid: write a shorter period",
				rule.DueWithin, rule.RenewAfter)
		}
		if rule.DueFrom != "" && rule.DueWithin != nil {
			if rule.RenewAfter != nil && !longer(*rule.DueWithin, *rule.RenewAfter) {
				add("due_from",
					"%s stays the same when the approval is renewed after %s, so each renewal is overdue at once: leave due_from out, or renew_after",
					rule.DueFrom, rule.RenewAfter)
			}
			if since := conditions[i].beginsAfter(rule.DueFrom, *rule.DueWithin); since != "" {
				add("due_within",
					"%s after %s is over before the rule can hold (%s), so the document is overdue at once: write a longer period, or leave due_from out",
					rule.DueWithin, rule.DueFrom, since)
			}
		}
		if allStateTerms(rule.AnyOf) {
			for _, term := range []struct {
				field  string
				stated bool
			}{
				{"not_older_than", rule.NotOlderThan != nil}, {"must_be_valid", rule.MustBeValid},
				{"valid_for", rule.ValidFor != nil}, {"expired_at_most", rule.ExpiredAtMost != nil},
			} {
				if term.stated {
					add(term.field, "is the term of no option, because each option of any_of states terms of its own: leave it out, or leave those out")
				}
			}
		}
	}
	return found
}

// allStateTerms reports whether there are options, and all their parts state terms of their own.
func allStateTerms(options []requirement.DocumentOption) bool {
	return len(options) > 0 && !slices.ContainsFunc(options, func(o requirement.DocumentOption) bool {
		return slices.ContainsFunc(o.Parts(), func(part requirement.OptionPart) bool { return !part.StatesTerms() })
	})
}

// approvals returns days that represent all days: one in each month of a year that is not a leap
// year.
func approvals() (days []fact.Date) {
	for month := time.January; month <= time.December; month++ {
		days = append(days, fact.Date{Year: 2025, Month: month, Day: 1})
	}
	return days
}

// remindsAtOnce reports whether the reminder of an approval that lapses after a period can be due
// on its first day.
func remindsAtOnce(renewAfter, remindBefore fact.Period) bool {
	return slices.ContainsFunc(approvals(), func(day fact.Date) bool { return !day.Before(remindBefore.Before(renewAfter.After(day))) })
}

// longer reports whether a period is longer than another in every month.
func longer(a, b fact.Period) bool {
	return !slices.ContainsFunc(approvals(), func(day fact.Date) bool { return !b.After(day).Before(a.After(day)) })
}

// beginsAfter says when the condition begins to hold, if that is always later than a period after a
// date.
func (c *condition) beginsAfter(date string, period fact.Period) string {
	if c == nil || c.isKnown(c.tree) {
		return ""
	}
	for _, q := range c.quantities {
		if q.within != nil || q.domain == nil || q.loops != nil {
			continue
		}
		p := c.pass(q)
		holds := p.sides(c.tree).yes
		if holds.Sign() == 0 || c.left <= 0 {
			continue
		}
		first, last, _, _ := p.rangeOf(holds)
		counted := countOf(q.node)
		switch {
		case q.node.Text() == date && last != beyond:
			if period.After(dateOf(last)).Before(c.today) {
				return date + " until " + q.show(last)
			}
		case counted != nil && counted.to == "" && counted.from == date && first.Sign() > 0:
			age := new(big.Rat).SetInt64(min(first.Num().Int64(), fact.MaxPeriod))
			since, err := fact.ParsePeriod(fmt.Sprintf("%s %ss", age.RatString(), counted.unit))
			if err == nil && longer(since, period) {
				return q.node.Text() + " from " + q.show(first)
			}
		}
	}
	return ""
}
