package delivery

import (
	"maps"
	"time"
)

// Offer is what an endpoint's run may begin now.
type Offer struct {
	Room  int  // attempts, requested ones first
	Probe bool // the endpoint is failing, and one attempt that nobody requested may begin
	Retry bool // the endpoint is healthy, its Retry-After has passed, and attempts at due deliveries may begin
}

// NewOffer counts what may begin at an endpoint.
func NewOffer(h Health, l Limits, inFlight int, now time.Time) Offer {
	return Offer{
		Room:  l.Room(inFlight, now),
		Probe: h.Failing() && inFlight == 0 && !h.AttemptDue(now).After(now),
		Retry: !h.Failing() && !h.AttemptDue(now).After(now),
	}
}

// Backlog is the open work of an endpoint.
type Backlog struct {
	RetryRequested bool      // an attempt was requested and is not yet in flight
	Retrying       time.Time // the earliest time at which a RETRYING delivery is due; zero without any
	Pending        bool      // there are PENDING deliveries; the run sends them while the endpoint fails
	InFlight       int       // all attempts at the endpoint
}

// slotPollInterval is how soon the run looks again while all slots are taken.
const slotPollInterval = time.Second

// NextLook is when an endpoint's run may begin an attempt; false if the run has no more
// work.
func NextLook(h Health, l Limits, backlog Backlog, now time.Time) (time.Time, bool) {
	due := backlog.Retrying
	if h.Failing() && backlog.Pending {
		due = earlier(due, now)
	}
	switch {
	case backlog.RetryRequested:
		due = now
	case due.IsZero():
		return time.Time{}, false
	default:
		due = later(due, h.AttemptDue(now))
	}
	due = later(due, l.Opens(now))
	full := backlog.InFlight >= l.MostInFlight() || h.Failing() && !backlog.RetryRequested && backlog.InFlight > 0
	if full {
		due = later(due, now.Add(slotPollInterval))
	}
	return due, true
}

// Ready is an endpoint from which a session may claim.
type Ready struct {
	Account      string // any value that identifies the account
	Organization string // the one that the account belongs to
	Room         int    // attempts that may begin there
}

// Share divides a batch among endpoints, one slot at a time, round robin over accounts and
// over the endpoints of each account, in the given order. So no account with many
// endpoints and no endpoint with a long backlog crowds out others. It returns how many
// attempts each endpoint may begin: at most its Room, and for an organization at most its
// entry in room. An organization without an entry has no limit.
func Share(endpoints []Ready, batch int, room map[string]int) []int {
	room = maps.Clone(room)
	given := make([]int, len(endpoints))
	queues := map[string][]int{}
	var accounts []string
	for i, e := range endpoints {
		if e.Room <= 0 {
			continue
		}
		if _, known := queues[e.Account]; !known {
			accounts = append(accounts, e.Account)
		}
		queues[e.Account] = append(queues[e.Account], i)
	}
	for len(accounts) > 0 {
		var next []string
		for _, account := range accounts {
			if batch == 0 {
				return given
			}
			queue := queues[account]
			i := queue[0]
			if left, bounded := room[endpoints[i].Organization]; bounded {
				if left <= 0 {
					continue
				}
				room[endpoints[i].Organization] = left - 1
			}
			given[i]++
			batch--
			queue = queue[1:]
			if given[i] < endpoints[i].Room {
				queue = append(queue, i)
			}
			if len(queue) > 0 {
				queues[account] = queue
				next = append(next, account)
			}
		}
		accounts = next
	}
	return given
}
