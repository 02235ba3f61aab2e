package deliveries_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

func TestSchedule_IsTheDeliverysOwnWhileOthersSucceed(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	asked := b.work(always(pgtest.Answer{Status: 500}))[0].DeliveryID
	b.backOff(asked, time.Hour)
	for range 20 { // the others succeed, now and again after a failure
		b.SendTests(e, 2)
		first := true
		for range 3 {
			b.work(func(deliveries.Attempt) pgtest.Answer {
				if first {
					first = false
					return pgtest.Answer{Status: 500}
				}
				return pgtest.Answer{Status: 200}
			})
			b.Pass(time.Minute / 2)
		}
	}
	require.Equal(t, 1, b.Count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, asked), "its backoff is an hour")
	require.Equal(t, 40, b.CountIn(delivery.Delivered))
	b.Pass(31 * time.Minute)
	require.Len(t, b.work(always(pgtest.Answer{Status: 200})), 1)
	require.Equal(t, delivery.Delivered, b.StateOf(asked))
}

// TestSchedule_RecoveryMakesDueWhatTheOutagePutOff: and nothing else.
func TestSchedule_RecoveryMakesDueWhatTheOutagePutOff(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	own := b.work(always(pgtest.Answer{Status: 500}))[0].DeliveryID
	b.backOff(own, time.Hour)
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 200}))
	b.failEndpoint(e)
	b.SendTests(e, 8)
	require.Empty(t, b.work(always(pgtest.Answer{Status: 500})), "they wait for the endpoint")
	b.Pass(10 * time.Second)
	require.Len(t, b.work(always(pgtest.Answer{Status: 200})), 1, "the probe")
	require.Zero(t, b.failures(e))
	b.Pass(time.Minute) // what failed has a backoff of seconds
	for len(b.work(always(pgtest.Answer{Status: 200}))) > 0 {
	}
	require.Equal(t, delivery.FailingAfter+9, b.CountIn(delivery.Delivered))
	require.Equal(t, delivery.Retrying, b.StateOf(own))
	require.Greater(t, b.nextAfter(own), 50*time.Minute)
}

// TestProbe_OneDeliveryAtATime: after five failures one delivery at a time goes
// out, at the schedule's pace; a success lets all others go.
func TestProbe_OneDeliveryAtATime(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 30)
	first := b.Claim()
	require.Len(t, first, delivery.MaxInFlight, "so many in flight at once")
	require.Empty(t, b.Claim())
	for _, a := range first {
		b.End(a, 500)
	}
	require.Empty(t, b.Claim(), "nothing new goes out")
	require.Empty(t, b.ClaimForRun(e).Attempts)

	probes := 0
	var last time.Duration
	var probe deliveries.Attempt
	for range 12 { // the probes fail for hours
		claimed := b.ClaimForRun(e)
		require.Empty(t, claimed.Attempts, "no other goes out meanwhile")
		require.True(t, claimed.Failing)
		require.LessOrEqual(t, claimed.In, delivery.MaxDelay*12/10)
		require.Greater(t, claimed.In*3, last, "the pace slows down")
		last = claimed.In
		b.Pass(claimed.In + time.Second)
		due := b.ClaimForRun(e).Attempts
		require.Len(t, due, 1, "one when the endpoint's time has come")
		require.True(t, due[0].Probe)
		require.NotEqual(t, probe.DeliveryID, due[0].DeliveryID)
		require.Empty(t, b.ClaimForRun(e).Attempts)
		require.Empty(t, b.Claim())
		probe = due[0]
		probes++
		if probes < 12 {
			b.End(probe, 500)
		}
	}
	require.Equal(t, delivery.Delivered, b.End(probe, 200).State)
	require.Equal(t, 10+probes, b.Count(`SELECT count(*) FROM webhook_attempt`), "an endpoint that is down is probed, not hammered")
	for len(b.deliverDue(t)) > 0 {
	}
	require.Zero(t, b.CountIn(delivery.Pending), "all that had not been tried")
	b.Pass(2 * time.Hour)
	for range 3 {
		b.work(always(pgtest.Answer{Status: 200}))
	}
	require.Equal(t, 30, b.CountIn(delivery.Delivered), "the others by their own schedule")
}

// deliverDue claims and delivers.
func (b *bundle) deliverDue(t *testing.T) []deliveries.Attempt {
	attempts := b.Claim()
	require.LessOrEqual(t, len(attempts), delivery.MaxInFlight)
	for _, a := range attempts {
		require.Equal(t, delivery.Delivered, b.End(a, 200).State)
	}
	return attempts
}

func TestProbe_TakesTurns(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	b.SendTests(e, 7)
	seen := map[id.UUID]bool{}
	for range delivery.FailingAfter + 7 {
		b.Pass(100 * time.Minute) // every delivery and the endpoint are due
		probes := b.work(always(pgtest.Answer{Status: 400}))
		require.Len(t, probes, 1)
		seen[probes[0].DeliveryID] = true
	}
	require.Len(t, seen, delivery.FailingAfter+7, "each of them has had its turn")
}

func TestProbe_OneEventThatIsAlwaysRefusedHoldsNoOtherBack(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	refused := b.Oldest(e)
	for range delivery.FailingAfter {
		require.Len(t, b.work(always(pgtest.Answer{Status: 400})), 1)
		b.Pass(b.nextAfter(refused) + time.Second)
	}
	b.SendTests(e, 30)
	probes := 0
	for b.failures(e) > 0 {
		b.Pass(100 * time.Minute)
		probes += len(b.work(func(a deliveries.Attempt) pgtest.Answer {
			if a.DeliveryID == refused {
				return pgtest.Answer{Status: 400}
			}
			return pgtest.Answer{Status: 200}
		}))
	}
	require.LessOrEqual(t, probes, 2)
}

// TestSchedule_GoesOnWhenTheEndpointFails: one delivery alone at an endpoint
// that is down has its ninety-five attempts in three and a half days.
func TestSchedule_GoesOnWhenTheEndpointFails(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	d := b.work(always(pgtest.Answer{Status: 500}))[0].DeliveryID
	for n := 1; b.StateOf(d) == delivery.Retrying; {
		require.InDelta(t, delivery.Delay(n, 0.5).Seconds(), b.nextAfter(d).Seconds(), delivery.Delay(n, 0.5).Seconds()/5, "after attempt %d", n)
		for b.Pass(b.nextAfter(d)); len(b.work(always(pgtest.Answer{Status: 500}))) == 0; b.Pass(time.Minute) {
		}
		n++
	}
	require.Equal(t, delivery.Failed, b.StateOf(d))
	require.Equal(t, delivery.MaxAttempts, b.Count(`SELECT count(*) FROM webhook_attempt`))
	require.InDelta(t, 3.5*24, time.Duration(b.Clock.Load()).Hours(), 12)
	require.Zero(t, b.ClaimForRun(e).Next, "nothing is owed any more")
	b.SendTests(e, 1)
	b.tidy()
	require.Len(t, b.inTrouble(), 1, "and what comes then has a run again")
}

// TestRetryAfter_IsOfTheEndpoint: until then only what somebody requests is sent to it, of any
// workflow. A success of an attempt that was in flight ends it no sooner.
func TestRetryAfter_IsOfTheEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, other := b.Endpoint(), b.Endpoint()
	b.SendTests(e, 3)
	inFlight := b.Claim()
	require.Len(t, inFlight, 3)
	b.End(inFlight[0], 500)
	b.EndWith(inFlight[1], pgtest.Answer{Status: 429, RetryAfter: 20 * time.Minute})
	b.End(inFlight[2], 200)
	b.SendTests(e, 2)
	b.SendTests(other, 1)
	sent := func() (to []id.UUID) {
		for _, a := range b.work(always(pgtest.Answer{Status: 200})) {
			to = append(to, a.EndpointID)
		}
		return to
	}
	require.Equal(t, []id.UUID{other.ID}, sent(), "other endpoints do not wait")
	for range 19 {
		b.Pass(time.Minute)
		b.tidy()
		require.Empty(t, sent())
		require.Zero(t, b.overdue(), "that it waits is by design")
	}
	b.retry(b.LastOf(e))
	require.Len(t, sent(), 1, "a requested attempt does not wait")
	b.Pass(time.Minute)
	require.Len(t, sent(), 3, "what was written meanwhile, and what failed")
	require.Equal(t, 6, b.CountIn(delivery.Delivered))
}

// TestRetryAfter_EndsWithAFlush, and with another URL.
func TestRetryAfter_EndsWithAFlush(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	for name, end := range map[string]func(domain.Endpoint){
		"flush":       func(e domain.Endpoint) { b.Flush(e) },
		"another URL": func(e domain.Endpoint) { b.update(e, withURL("https://another.example/"+e.URLKey)) },
	} {
		e := b.Endpoint()
		b.SendTests(e, 1)
		b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Hour}))
		b.SendTests(e, 1)
		b.tidy()
		require.Empty(t, b.work(always(pgtest.Answer{Status: 200})), name)
		end(e)
		b.tidy()
		require.Len(t, b.work(always(pgtest.Answer{Status: 200})), 2, name)
	}
}

// TestRetryAfter_EndsWhenTheClockIsSetBack: it is an hour ahead at most.
func TestRetryAfter_EndsWhenTheClockIsSetBack(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.Pass(24 * time.Hour)
	b.SendTests(e, 2)
	b.work(always(pgtest.Answer{Status: 429, RetryAfter: time.Hour}))
	b.SendTests(e, 1)
	b.tidy()
	b.Pass(-24 * time.Hour)
	b.tidy()
	require.Len(t, b.work(always(pgtest.Answer{Status: 429, RetryAfter: time.Minute})), 1)
	b.SendTests(e, 1)
	require.Empty(t, b.work(always(pgtest.Answer{Status: 200})))
	b.Pass(time.Minute)
	b.tidy()
	require.NotEmpty(t, b.work(always(pgtest.Answer{Status: 200})), "the next Retry-After counts")
}

// TestRetryAfter_IsNoDelayOfTheService: what waited for the endpoint counts from its end.
func TestRetryAfter_IsNoDelayOfTheService(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Minute}))
	until := b.Now().Add(time.Minute)
	b.SendTests(e, 1)
	b.Pass(time.Minute)
	claimed := b.Claim()
	require.Len(t, claimed, 1)
	require.Equal(t, until, claimed[0].SendableAt)
}

func TestProbe_HonorsRetryAfter(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	down := always(pgtest.Answer{Status: 500})
	for name, fail := range map[string]func(domain.Endpoint){
		"by the failure that makes it fail": func(e domain.Endpoint) {
			b.SendTests(e, delivery.FailingAfter+1)
			b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Hour}))
		},
		"by an attempt that was in flight": func(e domain.Endpoint) {
			b.SendTests(e, delivery.FailingAfter+1)
			attempts := b.Claim()
			b.EndWith(attempts[0], pgtest.Answer{Status: 503, RetryAfter: time.Hour})
			for _, a := range attempts[1:] {
				b.End(a, 500)
			}
		},
		"by the probe": func(e domain.Endpoint) {
			b.failEndpoint(e)
			b.Pass(10 * time.Second)
			require.Len(t, b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Hour})), 1)
		},
		"by a retry that somebody asked for": func(e domain.Endpoint) {
			b.failEndpoint(e)
			b.SendTests(e, 1)
			require.Empty(t, b.Claim())
			waiting := b.LastOf(e)
			b.retry(waiting)
			require.Len(t, b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Hour})), 1, "at once")
			require.Greater(t, b.nextAfter(waiting), 59*time.Minute)
		},
	} {
		e := b.Endpoint()
		fail(e)
		b.SendTests(e, 1)
		b.Pass(59 * time.Minute)
		require.Empty(t, b.work(down), name)
		b.Pass(2 * time.Minute)
		require.Len(t, b.work(down), 1, name)
		b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	}
}

func TestRetry_AskedForDuringAnAttemptIsMadeAfterIt(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*bundle)
		end     func(*bundle, deliveries.Attempt)
	}{
		"it fails": {nil, func(b *bundle, a deliveries.Attempt) { b.End(a, 500) }},
		"its end is lost": {nil, func(b *bundle, a deliveries.Attempt) {
			require.NoError(b, b.Store.Deliveries.Ends.MarkAttemptsLost(b.Context(), []deliveries.Attempt{a}))
		}},
		"it is the last": {func(b *bundle) {
			require.NoError(b, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 94, round_attempts = 94`))
		}, func(b *bundle, a deliveries.Attempt) { b.End(a, 500) }},
		"at a failing one": {func(b *bundle) {
			require.NoError(b, b.Exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = now(), probe_at = now() + interval '1 hour'`))
		}, func(b *bundle, a deliveries.Attempt) { b.End(a, 500) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.ActiveKey()
			e := b.Endpoint()
			b.SendTests(e, 1)
			under := b.Claim()[0]
			if c.prepare != nil {
				c.prepare(b)
			}
			b.Pass(time.Second)
			b.retry(under.DeliveryID)
			b.retry(under.DeliveryID) // twice is once
			require.Empty(t, b.Claim())
			require.Empty(t, b.ClaimForRun(e).Attempts, "one attempt of a delivery at a time")
			c.end(b, under)
			require.Equal(t, delivery.Retrying, b.StateOf(under.DeliveryID))
			asked := b.ClaimForRun(e).Attempts
			require.Len(t, asked, 1, "at once")
			b.End(asked[0], 500)
			require.Greater(t, b.nextAfter(under.DeliveryID), 3*time.Second)
			require.Empty(t, b.ClaimForRun(e).Attempts, "and once")
		})
	}
	t.Run("not when the attempt succeeds", func(t *testing.T) {
		b := setup(t)
		b.ActiveKey()
		e := b.Endpoint()
		b.SendTests(e, 1)
		under := b.Claim()[0]
		b.Pass(time.Second)
		b.retry(under.DeliveryID)
		require.Equal(t, delivery.Delivered, b.End(under, 200).State)
		require.Empty(t, b.Claim())
		require.Empty(t, b.ClaimForRun(e).Attempts)
	})
}

func TestEndpoint_AnotherURLBeginsWithCleanHealth(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 10)
	late := b.Claim()
	for _, a := range late[:6] {
		b.End(a, 500)
	}
	late = late[6:]
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failing_since = now() - interval '4.99 days', probe_at = now() + interval '1 hour'`))
	b.SendTests(e, 3)
	require.Empty(t, b.Claim())

	b.update(e, func(e *domain.Endpoint) { e.Description = new(string) })
	require.Equal(t, 6, b.failures(e), "a change of something else is none of its health")
	b.update(e, withURL("https://new.example/"))
	require.Zero(t, b.failures(e))
	fresh := b.Claim()
	require.Len(t, fresh, 3, "what waited for the old URL goes to the new one")
	require.Equal(t, "https://new.example/", fresh[0].URL)

	b.End(late[0], 410)
	b.Pass(time.Hour)
	b.End(late[1], 500)
	require.Equal(t, domain.EndpointActive, b.endpointNow(e).Status, "it is the old URL that is gone")
	require.Zero(t, b.failures(e))
	b.End(fresh[0], 500)
	require.Equal(t, 1, b.failures(e))
	require.Equal(t, delivery.Delivered, b.End(late[2], 200).State)
	require.Equal(t, 1, b.failures(e), "nor does the old URL's success speak for the new one")
	b.End(fresh[1], 410)
	require.Equal(t, domain.EndpointDisabled, b.endpointNow(e).Status)

	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Zero(t, b.failures(e))
	b.End(late[3], 410)
	require.Equal(t, domain.EndpointActive, b.endpointNow(e).Status, "what was sent before the enabling disables nothing")
}

func TestLostAttempts_BackOff(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	d := b.Oldest(e)
	var passed time.Duration
	for b.StateOf(d) != delivery.Failed {
		require.NoError(t, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), append(b.Claim(), b.ClaimForRun(e).Attempts...)))
		next := max(time.Minute, b.ClaimForRun(e).In)
		b.Pass(next)
		passed += next
	}
	require.Equal(t, delivery.MaxAttempts, b.Count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, d))
	require.Greater(t, passed, 3*24*time.Hour, "the schedule is three and a half days long, whoever breaks the attempts off")
}

// TestRun_IsWokenOnlyWhenItsTimeBecomesEarlier: each waking costs Temporal.
func TestRun_IsWokenOnlyWhenItsTimeBecomesEarlier(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	wakes := func() int { return b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`) }
	b.SendTests(e, 3)
	attempts := b.Claim()
	require.Zero(t, wakes())
	b.End(attempts[0], 500)
	require.Equal(t, 1, wakes(), "there is no run")
	some, err := b.Store.Deliveries.Runs.ToWake(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, some, 1)
	require.Equal(t, e.WireID().String(), some[0].EndpointID)
	again, err := b.Store.Deliveries.Runs.ToWake(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, again, "somebody is waking it")
	b.Pass(time.Minute)
	again, err = b.Store.Deliveries.Runs.ToWake(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, again, 1, "and did not")

	b.Pass(-time.Minute)
	claimed := b.ClaimForRun(e)
	require.Zero(t, wakes(), "it has looked")
	require.Equal(t, b.nextAfter(attempts[0].DeliveryID), claimed.In)
	b.EndWith(attempts[1], pgtest.Answer{Status: 503, RetryAfter: time.Hour})
	require.Zero(t, wakes(), "that is later")
	b.EndWith(attempts[2], pgtest.Answer{Status: 200})
	require.Zero(t, wakes())
	b.retry(attempts[1].DeliveryID)
	require.Equal(t, 1, wakes())
}

// TestRetryNow_IsAnsweredByTheAttemptAfterALostOne: the endpoint asked for time, so nothing else would send it.
func TestRetryNow_IsAnsweredByTheAttemptAfterALostOne(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 503, RetryAfter: time.Hour}))
	for range 2 { // the second while the first is in flight
		b.Pass(time.Second)
		require.NoError(t, b.Store.Deliveries.Runs.RetryEndpointNow(t.Context(), e.ID))
		b.ClaimForRun(e)
	}
	lost, err := b.Store.Deliveries.Ends.MarkLost(t.Context(), pgtest.InRun)
	require.NoError(t, err)
	require.Equal(t, 1, lost)
	b.Pass(time.Minute)
	require.Len(t, b.work(always(pgtest.Answer{Status: 200})), 1)
	require.Equal(t, 1, b.CountIn(delivery.Delivered))
}
