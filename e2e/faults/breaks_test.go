package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Step is one fault: its kind and target, how long it lasts, and the time without a fault
// before it. Two steps may overlap: Beside begins together with its step.
type Step struct {
	Number int
	Kind   Kind
	On     string // the process or the connection
	Before time.Duration
	Hold   time.Duration
	Amount time.Duration // of a delay, or of a change of a clock
	Beside *Step         // another fault at the same time
}

func (s Step) String() string {
	text := fmt.Sprintf("%d: after %s, %s %s for %s", s.Number, s.Before, s.Kind, s.On, s.Hold)
	if s.Amount != 0 {
		text += fmt.Sprintf(" (%s)", s.Amount)
	}
	if s.Beside != nil {
		text += fmt.Sprintf(", and %s %s", s.Beside.Kind, s.Beside.On)
	}
	return text
}

// Kind is a kind of fault.
type Kind string

// The kinds of faults.
const (
	Kill        Kind = "kill"
	Freeze      Kind = "freeze"
	Cut         Kind = "cut"         // connections are reset and refused
	Stall       Kind = "stall"       // connections stay open, but carry no data
	Delay       Kind = "delay"       // all data is delayed
	DiskFull    Kind = "disk-full"   // Postgres cannot write
	Connections Kind = "connections" // Postgres has no free connection
	Clock       Kind = "clock"       // one program's clock is hours off
	Midnight    Kind = "midnight"    // the worker is down over a midnight, and then its clock jumps by an hour
	Lose        Kind = "lose"        // Temporal loses its data
	Upgrade     Kind = "upgrade"     // another build starts, and then the first one stops
	Tenants     Kind = "tenants"     // the endpoints of some organizations fail, and another organization's work
	Keyset      Kind = "keyset"      // the keyset of secrets gets another key, and one process goes on with the key before

	// These are requests beside those of the clients.
	Recalculation Kind = "recalculation" // an account is recalculated, and that is canceled while rules are published
	SandboxToday  Kind = "sandbox-today" // a day that requests name comes beside the day of the clock
	DeletePerson  Kind = "delete-person" // a person is deleted while a calculation runs
)

// The targets of faults: processes, and connections between them.
var (
	programs = []string{"api", "worker"}
	servers  = []string{"temporal", "postgres"}
	links    = []string{"client-api", "api-postgres", "worker-postgres", "api-temporal", "worker-temporal", "worker-sinks"}
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		Kill, Freeze, Cut, Stall, Delay, DiskFull, Connections, Clock, Midnight, Lose, Upgrade, Tenants, Keyset,
		Recalculation, SandboxToday, DeletePerson,
	}
}

// deck returns one fault of each kind and target.
func deck(kinds []Kind) []Step {
	var all []Step
	for _, kind := range kinds {
		var on []string
		switch kind {
		case Kill, Freeze:
			on = slices.Concat(programs, servers)
		case Cut, Stall, Delay:
			on = links
		case DiskFull, Connections:
			on = []string{"postgres"}
		case Lose:
			on = []string{"temporal"}
		case Tenants:
			on = []string{"endpoints"}
		case Recalculation, SandboxToday, DeletePerson:
			on = []string{string(kind)}
		case Clock, Upgrade, Keyset:
			on = programs
		case Midnight:
			on = []string{"worker"}
		}
		for _, target := range on {
			all = append(all, Step{Kind: kind, On: target})
		}
	}
	return all
}

// Schedule returns n faults, which depend only on the seed. It takes them from shuffled
// decks, so that all faults are equally frequent.
func Schedule(seed uint64, n int, kinds []Kind) []Step {
	random := rand.New(rand.NewPCG(seed, 13))
	var cards []Step
	deal := func() Step {
		if len(cards) == 0 {
			cards = deck(kinds)
			random.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		}
		s := cards[0]
		cards = cards[1:]
		switch s.Kind {
		case Delay:
			s.Amount = between(random, 20*time.Millisecond, 300*time.Millisecond)
		case Clock:
			s.Amount = between(random, 3*time.Hour, 12*time.Hour).Round(time.Minute)
			if random.IntN(2) == 0 {
				s.Amount = -s.Amount
			}
		}
		return s
	}
	var steps []Step
	for len(steps) < n {
		s := deal()
		s.Number = len(steps) + 1
		s.Before = between(random, 500*time.Millisecond, 2*time.Second).Round(time.Millisecond)
		s.Hold = between(random, 500*time.Millisecond, 4*time.Second).Round(time.Millisecond)
		if s.Kind == DiskFull {
			s.Hold += 3 * time.Second // Postgres first uses the free space in its own files
		}
		if s.Kind == Tenants {
			s.Hold += 10 * time.Second
		}
		if random.IntN(5) == 0 {
			if other := deal(); other.compatible(s) {
				s.Beside = &other
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// compatible reports whether two faults can happen at once. Two faults of one process
// cannot, nor can two that restart processes. A fault of tenants is always alone, because
// it measures the effect of the tenants on their neighbor, and so is the rotation of a keyset,
// whose steps need healthy programs.
func (s Step) compatible(o Step) bool {
	alone := []Kind{Tenants, Keyset}
	return !slices.Contains(alone, s.Kind) && !slices.Contains(alone, o.Kind) && s.On != o.On && !(s.restarts() && o.restarts())
}

func (s Step) restarts() bool {
	return slices.Contains([]Kind{DiskFull, Lose, Upgrade}, s.Kind) || s.On == "postgres" || s.On == "temporal"
}

func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(random.Int64N(int64(most-least))).Round(time.Millisecond)
}
