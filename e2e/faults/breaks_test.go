package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Step is one fault: what happens to what, for how long, and after how long
// without a fault. Two steps may overlap: one that begins while another holds
// has no time before it.
type Step struct {
	Number int
	Kind   Kind
	On     string // the part or the link
	Before time.Duration
	Hold   time.Duration
	Amount time.Duration // of a delay, or of a step of a clock
	Beside *Step         // another that holds at the same time
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

// The kinds.
const (
	Kill        Kind = "kill"
	Freeze      Kind = "freeze"
	Cut         Kind = "cut"         // connections are reset and refused
	Stall       Kind = "stall"       // connections stay, and nothing comes through
	Delay       Kind = "delay"       // everything takes longer
	DiskFull    Kind = "disk-full"   // nothing more can be written
	Connections Kind = "connections" // Postgres has none left
	Clock       Kind = "clock"       // one program's clock is hours off
	Lose        Kind = "lose"        // Temporal comes back without its data
	Upgrade     Kind = "upgrade"     // another build beside the first, which then ends
	Tenants     Kind = "tenants"     // endpoints of several organizations in trouble, beside one without any
)

// What there is to break: the parts, and the connections from one to another.
var (
	programs = []string{"api", "worker"}
	servers  = []string{"temporal", "postgres"}
	links    = []string{"client-api", "api-postgres", "worker-postgres", "api-temporal", "worker-temporal", "worker-sinks"}
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{Kill, Freeze, Cut, Stall, Delay, DiskFull, Connections, Clock, Lose, Upgrade, Tenants}
}

// deck has one of every fault.
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
		case Clock, Upgrade:
			on = programs
		}
		for _, target := range on {
			all = append(all, Step{Kind: kind, On: target})
		}
	}
	return all
}

// Schedule makes n faults out of a seed, always the same ones. Faults are dealt
// from a shuffled deck, so that each comes as often as the others.
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
			s.Hold += 3 * time.Second // Postgres has some room left in its own files
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

// compatible reports whether two faults can hold at once: not those of one part,
// nor two that restart parts. Trouble of tenants is alone: what the neighbor gets
// meanwhile shows what the tenants do to it, and nothing else.
func (s Step) compatible(o Step) bool {
	return s.Kind != Tenants && o.Kind != Tenants && s.On != o.On && !(s.restarts() && o.restarts())
}

func (s Step) restarts() bool {
	return slices.Contains([]Kind{DiskFull, Lose, Upgrade}, s.Kind) || s.On == "postgres" || s.On == "temporal"
}

func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(random.Int64N(int64(most-least))).Round(time.Millisecond)
}
