package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
	"requisite/internal/webhook"
)

// answer is how a receiver answers one attempt.
type answer struct {
	status     int
	retryAfter time.Duration
}

func (b *bundle) endWith(a postgres.Attempt, with answer) postgres.Next {
	b.Helper()
	next, err := b.store.EndAttempt(b.Context(), a, webhook.Result{StatusCode: with.status, RetryAfter: with.retryAfter})
	require.NoError(b, err)
	return next
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.clock.Load())) }

// work does what the dispatcher and the runs do at this moment: those that are
// claimed and those whose sleep is over begin, and their attempts end as told.
func (b *bundle) work(with func(delivery uuid.UUID) answer) (attempts []postgres.Attempt) {
	b.Helper()
	working := map[uuid.UUID]bool{}
	for _, d := range b.claim() {
		working[d.ID] = true
	}
	rows, err := b.pool().Query(b.Context(), `SELECT id FROM webhook_delivery WHERE dispatched_at IS NOT NULL AND next_attempt_at <= $1`, b.now())
	require.NoError(b, err)
	for rows.Next() {
		var d uuid.UUID
		require.NoError(b, rows.Scan(&d))
		working[d] = true
	}
	require.NoError(b, rows.Err())
	for d := range working {
		if a := b.begin(d); a.Step == postgres.StepSend {
			attempts = append(attempts, a)
		}
	}
	for _, a := range attempts {
		b.endWith(a, with(a.DeliveryID))
	}
	return attempts
}

func always(with answer) func(uuid.UUID) answer { return func(uuid.UUID) answer { return with } }

// fail owes an endpoint as many events as it takes, and fails them all.
func (b *bundle) fail(e postgres.Endpoint) {
	b.Helper()
	b.owe(e, webhook.FailingAfter)
	require.Len(b, b.work(always(answer{status: 500})), webhook.FailingAfter)
	require.Equal(b, webhook.FailingAfter, b.failures(e))
}

func (b *bundle) failures(e postgres.Endpoint) int {
	return b.count(`SELECT failures FROM webhook_endpoint_health WHERE endpoint_id = $1`, e.ID)
}

func (b *bundle) retry(delivery uuid.UUID) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error {
		return r.RetryDelivery(b.Context(), postgres.Delivery{ID: delivery}.WireID())
	})
}

func (b *bundle) update(e postgres.Endpoint, change func(*postgres.Endpoint)) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error { return r.UpdateEndpoint(b.Context(), e.WireID(), change) })
}

func to(url string) func(*postgres.Endpoint) {
	return func(e *postgres.Endpoint) { e.URL, e.URLKey = url, url }
}

// nextAfter is how long from now a delivery wants to be left alone.
func (b *bundle) nextAfter(delivery uuid.UUID) time.Duration {
	b.Helper()
	var next time.Time
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT next_attempt_at FROM webhook_delivery WHERE id = $1`, delivery).Scan(&next))
	return next.Sub(b.now())
}

func TestADeliveryKeepsItsOwnScheduleWhileOthersSucceed(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	asked := b.work(always(answer{429, time.Hour}))[0].DeliveryID
	for range 20 { // the others succeed, now and again after a failure
		b.owe(e, 2)
		first := true
		for range 3 {
			b.work(func(uuid.UUID) answer {
				if first {
					first = false
					return answer{status: 500}
				}
				return answer{status: 200}
			})
			b.pass(time.Minute / 2)
		}
	}
	require.Equal(t, 1, b.count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, asked), "it asked for an hour")
	require.Equal(t, 40, b.states(postgres.Delivered))
	b.pass(31 * time.Minute)
	require.Len(t, b.work(always(answer{status: 200})), 1)
	require.Equal(t, postgres.Delivered, b.state(asked))
}

// TestAnEndpointThatRecoversLetsGoWhatItHadPutOff: and nothing else.
func TestAnEndpointThatRecoversLetsGoWhatItHadPutOff(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	own := b.work(always(answer{429, time.Hour}))[0].DeliveryID
	b.owe(e, 1)
	b.work(always(answer{status: 200}))
	b.fail(e)
	b.owe(e, 8)
	require.Empty(t, b.work(always(answer{status: 500})), "they wait for the endpoint")
	b.pass(10 * time.Second)
	require.Len(t, b.work(always(answer{status: 200})), 1, "the probe")
	require.Zero(t, b.failures(e))
	b.pass(time.Minute) // what failed has a backoff of seconds
	for len(b.work(always(answer{status: 200}))) > 0 {
	}
	require.Equal(t, webhook.FailingAfter+9, b.states(postgres.Delivered))
	require.Equal(t, postgres.Retrying, b.state(own))
	require.Greater(t, b.nextAfter(own), 50*time.Minute)
}

// TestAFailingEndpointIsProbed: after five failures one delivery at a time goes
// out, at the schedule's pace; a success lets all others go.
func TestAFailingEndpointIsProbed(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 30)
	due := b.claim()
	require.Len(t, due, webhook.OnTheWire, "so many on the wire at once")
	var waiting, parked int
	for _, a := range b.beginAll(due) {
		next := b.end(a, 500)
		if next.Parked {
			parked++
		} else {
			waiting++
		}
	}
	require.Equal(t, webhook.OnTheWire, waiting+parked)
	require.Positive(t, parked, "those that failed when the endpoint was failing already wait in the database")
	require.Empty(t, b.claim(), "nothing new goes out")

	// The sleepers wake; one of them probes, the others wait in the database.
	b.pass(10 * time.Second)
	var probe postgres.Attempt
	steps := map[postgres.Step]int{}
	for _, d := range due {
		a := b.begin(d.ID)
		steps[a.Step]++
		if a.Step == postgres.StepSend {
			probe = a
			require.True(t, a.Probe)
		}
	}
	require.Equal(t, 1, steps[postgres.StepSend], "%v", steps)
	require.Empty(t, b.claim())
	probes := 1
	var last time.Duration
	for range 12 { // the probes fail for hours
		require.True(t, b.end(probe, 500).Parked, "another one has the next turn")
		var at time.Time
		require.NoError(t, b.pool().QueryRow(t.Context(), `SELECT probe_at FROM webhook_endpoint_health WHERE endpoint_id = $1`, e.ID).Scan(&at))
		wait := at.Sub(b.now())
		require.LessOrEqual(t, wait, webhook.MaxDelay*12/10)
		require.Greater(t, wait*3, last, "the pace slows down")
		last = wait
		require.Empty(t, b.claim(), "no other goes out meanwhile")
		b.pass(wait + time.Second)
		due := b.claim()
		require.Len(t, due, 1, "one when the endpoint's time has come")
		require.NotEqual(t, probe.DeliveryID, due[0].ID)
		probe = b.begin(due[0].ID)
		require.Equal(t, postgres.StepSend, probe.Step)
		probes++
	}
	require.Equal(t, postgres.Delivered, b.end(probe, 200).State)
	require.Equal(t, 10+probes, b.count(`SELECT count(*) FROM webhook_attempt`), "an endpoint that is down is probed, not hammered")

	delivered := 1
	for {
		due := b.claim()
		if len(due) == 0 {
			break
		}
		require.LessOrEqual(t, len(due), webhook.OnTheWire)
		for _, d := range due {
			require.Equal(t, postgres.Delivered, b.end(b.begin(d.ID), 200).State)
			delivered++
		}
	}
	waiting = b.states(postgres.Pending)
	require.Zero(t, waiting, "oldest first, all that had not been tried")
	b.pass(2 * time.Hour)
	delivered += len(b.work(always(answer{status: 200})))
	delivered += len(b.work(always(answer{status: 200})))
	require.Equal(t, 30, delivered, "the others by their own schedule")
}

func TestAFailingEndpointIsProbedInTurns(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.fail(e)
	b.owe(e, 7)
	seen := map[uuid.UUID]bool{}
	for range webhook.FailingAfter + 7 {
		b.pass(100 * time.Minute) // every delivery and the endpoint are due
		probes := b.work(always(answer{status: 400}))
		require.Len(t, probes, 1)
		seen[probes[0].DeliveryID] = true
	}
	require.Len(t, seen, webhook.FailingAfter+7, "each of them has had its turn")
}

func TestOneEventThatIsAlwaysRefusedHoldsNobodyBack(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	refused := b.claim()[0].ID
	for range webhook.FailingAfter {
		b.endWith(b.begin(refused), answer{status: 400})
		b.pass(b.nextAfter(refused) + time.Second)
	}
	b.owe(e, 30)
	probes := 0
	for b.failures(e) > 0 {
		b.pass(100 * time.Minute)
		probes += len(b.work(func(d uuid.UUID) answer {
			if d == refused {
				return answer{status: 400}
			}
			return answer{status: 200}
		}))
	}
	require.LessOrEqual(t, probes, 2)
}

func TestASleeperDoesNotHoldTheProbesPlace(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	asleep := b.claim()[0].ID
	for range 4 {
		b.end(b.begin(asleep), 500)
		b.pass(b.nextAfter(asleep) + time.Second)
	}
	b.endWith(b.begin(asleep), answer{status: 500})
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_delivery WHERE dispatched_at IS NOT NULL`), "its run sleeps")
	require.Greater(t, b.nextAfter(asleep), time.Minute)
	b.owe(e, 1)
	b.pass(7 * time.Second)
	due := b.claim()
	require.Len(t, due, 1, "the endpoint's time to be probed has come")
	require.NotEqual(t, asleep, due[0].ID)
	require.Empty(t, b.claim(), "one at a time")
	probe := b.begin(due[0].ID)
	require.True(t, probe.Probe)
	require.Equal(t, postgres.Delivered, b.end(probe, 200).State)
	require.Equal(t, postgres.StepWait, b.begin(asleep).Step, "it has its own backoff")
}

// TestTheBackoffGoesOnWhenTheEndpointFails: one delivery alone at an endpoint
// that is down has its ninety-five attempts in three and a half days.
func TestTheBackoffGoesOnWhenTheEndpointFails(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	delivery := b.work(always(answer{status: 500}))[0].DeliveryID
	for n := 1; b.state(delivery) == postgres.Retrying; {
		require.InDelta(t, webhook.Delay(n, 0.5).Seconds(), b.nextAfter(delivery).Seconds(), webhook.Delay(n, 0.5).Seconds()/5+1, "after attempt %d", n)
		for b.pass(b.nextAfter(delivery)); len(b.work(always(answer{status: 500}))) == 0; b.pass(time.Minute) {
		}
		n++
	}
	require.Equal(t, postgres.Failed, b.state(delivery))
	require.Equal(t, webhook.MaxAttempts, b.count(`SELECT count(*) FROM webhook_attempt`))
	require.InDelta(t, 3.5*24, time.Duration(b.clock.Load()).Hours(), 12)
}

func TestRetryAfterIsHonoredAtAFailingEndpoint(t *testing.T) {
	b := setup(t)
	b.activeKey()
	down := always(answer{status: 500})
	for name, fail := range map[string]func(postgres.Endpoint){
		"by the failure that makes it fail": func(e postgres.Endpoint) {
			b.owe(e, webhook.FailingAfter+1)
			b.work(always(answer{503, time.Hour}))
		},
		"by an attempt that was on the wire": func(e postgres.Endpoint) {
			b.owe(e, webhook.FailingAfter+1)
			attempts := b.beginAll(b.claim())
			b.endWith(attempts[0], answer{503, time.Hour})
			for _, a := range attempts[1:] {
				b.end(a, 500)
			}
		},
		"by the probe": func(e postgres.Endpoint) {
			b.fail(e)
			b.pass(10 * time.Second)
			require.Len(t, b.work(always(answer{503, time.Hour})), 1)
		},
		"by a retry that somebody asked for": func(e postgres.Endpoint) {
			b.fail(e)
			b.owe(e, 1)
			require.Empty(t, b.claim())
			var waiting uuid.UUID
			require.NoError(t, b.pool().QueryRow(t.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND attempt_count = 0`, e.ID).Scan(&waiting))
			b.retry(waiting)
			require.Len(t, b.work(always(answer{503, time.Hour})), 1, "at once")
			require.Greater(t, b.nextAfter(waiting), 59*time.Minute)
		},
	} {
		e := b.endpoint()
		fail(e)
		b.owe(e, 1)
		b.pass(59 * time.Minute)
		require.Empty(t, b.work(down), name)
		b.pass(2 * time.Minute)
		require.Len(t, b.work(down), 1, name)
		b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointDisabled })
	}
}

func TestARetryAskedForDuringAnAttemptIsMadeAfterIt(t *testing.T) {
	for name, c := range map[string]struct {
		ask func(*bundle, uuid.UUID)
		end func(*bundle, postgres.Attempt)
	}{
		"asked for with the API": {
			func(b *bundle, d uuid.UUID) { b.retry(d) },
			func(b *bundle, a postgres.Attempt) { b.end(a, 500) },
		},
		"asked for of the run": {
			func(b *bundle, d uuid.UUID) {
				waits, err := b.store.BeginAttempt(b.Context(), d, postgres.Begin{Force: true})
				require.NoError(b, err)
				require.Equal(b, postgres.StepWait, waits.Step, "one attempt of a delivery at a time")
			},
			func(b *bundle, a postgres.Attempt) { b.end(a, 500) },
		},
		"the attempt is lost": {
			func(b *bundle, d uuid.UUID) { b.retry(d) },
			func(b *bundle, a postgres.Attempt) { require.NoError(b, b.store.LoseAttempt(b.Context(), a)) },
		},
		"at a failing endpoint": {
			func(b *bundle, d uuid.UUID) {
				require.NoError(b, b.exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = now(), probe_at = now() + interval '1 hour'`))
				b.retry(d)
			},
			func(b *bundle, a postgres.Attempt) { require.False(b, b.end(a, 500).Parked) },
		},
		"during the last attempt": {
			func(b *bundle, d uuid.UUID) {
				require.NoError(b, b.exec(`UPDATE webhook_delivery SET attempt_count = 95, round_attempts = 95`))
				b.retry(d)
			},
			func(b *bundle, a postgres.Attempt) { b.end(a, 500) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.activeKey()
			b.owe(b.endpoint(), 1)
			delivery := b.claim()[0].ID
			under := b.begin(delivery)
			c.ask(b, delivery)
			c.ask(b, delivery) // twice is once
			require.Empty(t, b.claim(), "its run has it already")
			require.Equal(t, postgres.StepWait, b.begin(delivery).Step, "one attempt of a delivery at a time")
			c.end(b, under)
			require.Equal(t, postgres.Retrying, b.state(delivery))
			asked := b.begin(delivery)
			require.Equal(t, postgres.StepSend, asked.Step, "at once")
			b.end(asked, 500)
			require.Greater(t, b.nextAfter(delivery), 3*time.Second)
			require.NotEqual(t, postgres.StepSend, b.begin(delivery).Step, "and once")
		})
	}
	t.Run("not when the attempt succeeds", func(t *testing.T) {
		b := setup(t)
		b.activeKey()
		b.owe(b.endpoint(), 1)
		delivery := b.claim()[0].ID
		under := b.begin(delivery)
		b.retry(delivery)
		require.Equal(t, postgres.Delivered, b.end(under, 200).State)
		require.Empty(t, b.claim())
		require.Equal(t, postgres.StepEnded, b.begin(delivery).Step)
	})
}

// TestARetryIsNotLostWithTheTryThatWasToMakeIt: the activity that was asked may
// fail before it begins an attempt, and is tried again.
func TestARetryIsNotLostWithTheTryThatWasToMakeIt(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	delivery := b.work(always(answer{503, time.Hour}))[0].DeliveryID
	begin := func() postgres.Attempt {
		a, err := b.store.BeginAttempt(t.Context(), delivery, postgres.Begin{ForceFirst: true, Maker: "asked"})
		require.NoError(t, err)
		return a
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.store.BeginAttempt(canceled, delivery, postgres.Begin{ForceFirst: true, Maker: "asked"})
	require.Error(t, err)
	asked := begin()
	require.Equal(t, postgres.StepSend, asked.Step)
	b.endWith(asked, answer{503, time.Hour})
	require.Equal(t, postgres.StepWait, begin().Step, "once")
}

func TestAnotherURLBeginsWithCleanHealth(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 10)
	late := b.beginAll(b.claim())
	for _, a := range late[:6] {
		b.end(a, 500)
	}
	late = late[6:]
	require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failing_since = now() - interval '4.99 days', probe_at = now() + interval '1 hour'`))
	b.owe(e, 3)
	require.Empty(t, b.claim())

	b.update(e, func(e *postgres.Endpoint) { e.Description = new(string) })
	require.Equal(t, 6, b.failures(e), "a change of something else is none of its health")
	b.update(e, to("https://new.example/"))
	require.Zero(t, b.failures(e))
	fresh := b.beginAll(b.claim())
	require.Len(t, fresh, 3, "what waited for the old URL goes to the new one")
	require.Equal(t, "https://new.example/", fresh[0].URL)

	b.end(late[0], 410)
	b.pass(time.Hour)
	b.end(late[1], 500)
	require.Equal(t, postgres.EndpointActive, b.endpointNow(e).Status, "it is the old URL that is gone")
	require.Zero(t, b.failures(e))
	b.end(fresh[0], 500)
	require.Equal(t, 1, b.failures(e))
	require.Equal(t, postgres.Delivered, b.end(late[2], 200).State)
	require.Equal(t, 1, b.failures(e), "nor does the old URL's success speak for the new one")
	b.end(fresh[1], 410)
	require.Equal(t, postgres.EndpointDisabled, b.endpointNow(e).Status)

	b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointActive })
	require.Zero(t, b.failures(e))
	b.end(late[3], 410)
	require.Equal(t, postgres.EndpointActive, b.endpointNow(e).Status, "what was sent before the enabling disables nothing")
}
