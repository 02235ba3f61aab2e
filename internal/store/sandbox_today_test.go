package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// today makes a day that of the calls that follow; the zero date is the day of the clock.
func (b *bundle) today(d fact.Date) {
	b.Call.Scope.SandboxToday = ""
	if !d.IsZero() {
		b.Call.Scope.SandboxToday = d.String()
	}
}

// applyDeadlines does what workflow.deadlines.apply does.
func (b *bundle) applyDeadlines() (done domain.Deadlines) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) (err error) {
		done, err = r.Documents.ApplyDeadlines(b.Context(), b.Workflow.WireID())
		return err
	})
	return done
}

// TestSandboxToday_IsAsIfTheDayHadCome: an application whose calls name days becomes what another
// becomes on these days. Its decisions say that the days were named.
func TestSandboxToday_IsAsIfTheDayHadCome(t *testing.T) {
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		t.Run(zone, func(t *testing.T) {
			named, lived := setup(t), prepare(t)
			type seen struct {
				What                       any
				Status                     document.Status
				Reason                     document.StatusReason
				DueOn, ValidUntil          fact.Date
				Overdue                    bool
				Open, Completed, OverdueOf int
				Findings                   []calculation.Finding
				Told                       []string
			}
			year := func(b *bundle, goTo func(fact.Date), apply func() domain.Deadlines) (all []seen) {
				require.NoError(t, b.Exec(`UPDATE account SET time_zone = $1`, zone))
				begin := fact.DateOf(b.Began.UTC().AddDate(0, 0, 2))
				goTo(begin)
				b.Pass(0)
				b.publishText("one", requirement.Terms{
					RenewAfter: lasting("1 year"), RemindBefore: lasting("7 days"), DueWithin: lasting("10 days"), Hold: requirement.HoldWhenOverdue,
				})
				b.mustCalculate()
				see := func(what any) {
					d := b.document(b.Workflow.WireID(), "PASSPORT")
					s := seen{
						What: what, Status: d.Status, Reason: d.StatusReason, DueOn: d.Deadline(), ValidUntil: d.ValidUntil(), Overdue: d.Overdue,
						Findings: b.findings(), Told: b.told(),
					}
					for i := range s.Findings {
						s.Findings[i].RequiredDocumentID = id.RequiredDocumentID{}
					}
					s.Open, s.Completed, s.OverdueOf, _ = b.counted(t)
					all = append(all, s)
				}
				see("calculated")
				until := b.approvePassport(document.Evidence{IssuedOn: &begin})
				see("approved")
				for _, on := range []fact.Date{until, until.Next(), until.Next()} {
					goTo(on)
					see("before")
					see(apply())
				}
				due := b.document(b.Workflow.WireID(), "PASSPORT").Deadline()
				for _, on := range []fact.Date{due, due.Next(), due.Next()} {
					goTo(on)
					see(apply())
				}
				result := b.mustCalculate()
				see(*result.Documents)
				return all
			}
			ofNamed := year(named, named.today, named.applyDeadlines)
			ofLived := year(lived, func(d fact.Date) { lived.goTo(d, zone, time.Hour) }, lived.deadlines)
			require.Equal(t, ofLived, ofNamed)
			require.Len(t, ofNamed[len(ofNamed)-1].Told, 3)

			asOf := func(b *bundle, ofCaller bool) (days []string) {
				for _, d := range b.record() {
					require.Equal(t, ofCaller, d.SandboxToday)
					require.Equal(t, !ofCaller && d.Outcome == decision.Expired, d.UserType == domain.UserSystem)
					days = append(days, d.AsOf.String())
				}
				return days
			}
			named.today(fact.Date{})
			require.Equal(t, asOf(lived, false), asOf(named, true))
		})
	}
}

// TestSandboxToday_EachCallStandsAlone: a day that a call names changes nothing of the days of others.
func TestSandboxToday_EachCallStandsAlone(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	today := fact.DateOf(b.Now())
	b.today(lasting("1 year").After(today))
	until := b.approvePassport()
	b.today(until.Next())
	open, completed, _, _ := b.counted(t)
	require.Equal(t, []int{2, 0}, []int{open, completed})
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "PASSPORT").Status, "the record changes when deadlines are applied")

	b.today(fact.Date{})
	open, completed, _, _ = b.counted(t)
	require.Equal(t, []int{1, 1}, []int{open, completed}, "the approval is of a later day, and holds")
	require.Zero(t, b.deadlines())
	require.Zero(t, b.applyDeadlines())
	calculated := b.mustCalculate()
	require.Equal(t, 2, calculated.Documents.Kept)
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "PASSPORT").Status)
	b.Pass(20 * day)
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "PASSPORT").Status)
	require.Zero(t, b.deadlines())
	require.False(t, b.record()[2].SandboxToday)
}

func TestSandboxToday_TwiceOnADayChangesNothing(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.today(lasting("30 days").After(fact.DateOf(b.Now())))
	b.mustCalculate()
	until := b.approvePassport()
	b.today(until.Next())
	require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.applyDeadlines())
	before, events := b.documents(), b.Count(`SELECT count(*) FROM webhook_event`)
	require.Zero(t, b.applyDeadlines())
	b.mustCalculate()
	require.Equal(t, before, b.documents())
	require.Equal(t, events, b.Count(`SELECT count(*) FROM webhook_event`))
}

// TestApplyDeadlines_AppliesAllThatADayBrings: a document whose approval lapses may be overdue at once.
func TestApplyDeadlines_AppliesAllThatADayBrings(t *testing.T) {
	b := setup(t)
	from := requirement.Terms{MustBeValid: true, DueWithin: lasting("10 days"), DueFrom: "established_date"}
	b.publishText("one", from)
	b.mustCalculate()
	expires := fact.DateOf(b.Now()).Next()
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Completed, Evidence: []document.Evidence{{ExpiresOn: &expires}}})
	b.today(expires.Next())
	require.Equal(t, domain.Deadlines{Expired: 1, Overdue: 1}, b.applyDeadlines())
	require.Len(t, b.told(), 2)
	require.Equal(t, domain.APIKey("tester").String(), domain.Actor{UserID: b.record()[2].UserID, UserType: b.record()[2].UserType}.String())
}

// TestApplyDeadlines_InAWorkflowThatHasEnded only tells that an approval has lapsed.
func TestApplyDeadlines_InAWorkflowThatHasEnded(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	until := b.approvePassport()
	require.NoError(t, b.completeWorkflow())
	b.today(until.Next())
	require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.applyDeadlines())
	require.Zero(t, b.applyDeadlines())
	require.Equal(t, []string{"REQUIRED_DOCUMENT_EXPIRED PASSPORT " + until.String()}, b.told())
	require.Len(t, b.record(), 2)
}

func TestSandboxToday_IsFromTodayToFiveYearsLater(t *testing.T) {
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		t.Run(zone, func(t *testing.T) {
			b := setup(t)
			require.NoError(t, b.Exec(`UPDATE account SET time_zone = $1`, zone))
			b.publish(rule("ALWAYS", ""))
			location, err := domain.Zone(zone)
			require.NoError(t, err)
			today := fact.DateOf(b.Now().In(location))
			last := fact.DateOf(today.UTC().AddDate(5, 0, 0))
			for on, possible := range map[fact.Date]bool{
				today: true, last: true, last.Next(): false, fact.DateOf(today.UTC().AddDate(0, 0, -1)): false,
			} {
				b.today(on)
				_, run := b.calculate(b.Run())
				_, read := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), b.Workflow.WireID())
				for _, err := range []error{run, read, b.tryWorkflow(domain.Started)} {
					if possible {
						require.NoError(t, err, on)
						continue
					}
					refused := pgtest.Refused(t, err)
					require.Equal(t, refusal.BadRequest, refused.Code)
					require.Contains(t, string(refused.Details), `"field":"X-Sandbox-Today"`)
					require.Contains(t, string(refused.Details), today.String())
				}
			}
		})
	}
}

// TestSandboxToday_SelectsTheRules: of the versions by day, and for new workflows by their day of creation.
func TestSandboxToday_SelectsTheRules(t *testing.T) {
	b := setup(t)
	today := fact.DateOf(b.Now())
	in := func(days int) fact.Date { return fact.DateOf(today.UTC().AddDate(0, 0, days)) }
	b.publishFrom("A", 0, forAll)
	b.publishFrom("B", 30, forAll)
	b.publishFrom("C", 1000, forNew)
	b.mustCalculate()
	version := func(w id.WorkflowID) int {
		b.Helper()
		found, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), w)
		require.NoError(t, err)
		var number int
		require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT version FROM rule_set WHERE id = $1`, found.RuleSetID).Scan(&number))
		return number
	}
	for _, on := range []struct{ days, version int }{{0, 1}, {29, 1}, {30, 2}, {0, 1}, {1001, 2}} {
		b.today(in(on.days))
		require.Equal(t, on.version, version(b.Workflow.WireID()), on)
		found, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), b.Workflow.WireID())
		require.NoError(t, err)
		require.Equal(t, on.version != 1, *found.DocumentsStale, on)
	}
	require.Equal(t, []calculation.VersionState{"REPLACED", "IN_FORCE", "IN_FORCE"}, b.states())
	var opened domain.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		opened, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	require.Equal(t, 3, version(opened.WireID()), "it was created on that day")
	require.WithinDuration(t, b.Now(), opened.CreatedAt, time.Minute, "times are the clock's")
	b.Pass(time.Minute)
	b.publishFrom("D", 0, forNew)
	require.Equal(t, []calculation.VersionState{"REPLACED", "IN_FORCE", "IN_FORCE", "IN_FORCE"}, b.states(), "the third is in force for that workflow")
	b.today(fact.Date{})
	require.Equal(t, 1, version(opened.WireID()))

	b.today(in(40))
	b.publishFrom("E", 40, forAll)
	require.Equal(t, calculation.VersionState("IN_FORCE"), b.states()[4])
	b.today(fact.Date{})
	require.Equal(t, calculation.VersionState("COMING"), b.states()[4], "its day has come for that call alone")

	b.today(in(20))
	past := draft(rule("P", ""))
	past.EffectiveFrom = new(in(19).String())
	refused := pgtest.Refused(t, b.Try(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), past)) }))
	require.Contains(t, string(refused.Details), "This is before today, which is "+in(20).String())
}

// TestSandboxToday_CountsAges, and a fact may have a date until that day.
func TestSandboxToday_CountsAges(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years >= 2"))
	established := fact.DateOf(b.Now()).Next()
	update := func() error {
		return b.Try(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.EstablishedDate = new(established.String()) })
		})
	}
	require.Equal(t, refusal.BadRequest, pgtest.Refused(t, update()).Code)
	b.today(established)
	require.NoError(t, update())
	for _, on := range []struct {
		days  int
		added int
	}{{729, 0}, {731, 1}} {
		b.today(fact.DateOf(established.UTC().AddDate(0, 0, on.days)))
		require.Equal(t, on.added, b.mustCalculate().Documents.Added, on)
	}
}

// TestRecalculation_LooksForAnotherDay than that of the last calculation, which may be a later one.
func TestRecalculation_LooksForAnotherDay(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years >= 2"))
	byAnother := func() bool {
		run, err := b.tryRecalculation()
		require.NoError(t, err)
		at, err := b.Store.LongRuns.RunningRecalculation(t.Context(), run)
		require.NoError(t, err)
		found, _, err := b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.False(t, found[0].Stale)
		b.endRecalculations()
		return found[0].CalculatedBy.Valid
	}
	b.mustCalculate()
	require.False(t, byAnother())
	b.today(lasting("1 year").After(fact.DateOf(b.Now())))
	b.mustCalculate()
	b.today(fact.Date{})
	require.True(t, byAnother())
}
