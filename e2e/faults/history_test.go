// Package faults runs the service under load while its parts are killed, frozen,
// cut off and starved by a seeded schedule, and then compares what clients were
// told, what receivers got and what the tables hold. docs/reliability.md
// explains each check.
//
// It sees the service from outside: its API, its webhooks, and only those
// columns of its tables that the checks name.
package faults

import (
	"encoding/json"
	"math"
	"time"
)

// Times are counted from the beginning of the history, by a clock that is never
// set. Forever is the end of what was never answered.
const Forever = time.Duration(math.MaxInt64)

// Span is from when something was first asked for to when it was answered.
type Span struct{ Start, End time.Duration }

// Answered reports whether there was an answer at all.
func (s Span) Answered() bool { return s.End != Forever }

func (s Span) overlaps(o Span) bool { return s.Start <= o.End && o.Start <= s.End }

// Op is one thing that a client asked for, repeated under one idempotency key
// until it was answered for good.
type Op struct {
	Span
	Operation string
	Account   string
	Subject   string // the id of what it made, or is about
	Field     string // of an update: which of the subject's fields
	Value     string // what it wrote, made or saw
	Refusal   string // the code of a refusal, with its sub_code; empty for success
	Tries     int
	// Once marks a request that is not repeated: without an answer, nobody knows
	// whether it was done.
	Once bool
}

func (o Op) done() bool { return o.Answered() && o.Refusal == "" }

// may reports whether it was or may still be done, as far as its client knows.
func (o Op) may() bool { return o.Refusal == "" }

// Shown is an answer that held a secret.
type Shown struct{ Account, KeyID string }

// Arrival is one request that a receiver got.
type Arrival struct {
	Span
	Sink      string
	Account   string
	EventID   string
	EventType string
	KeyID     string
	Sequence  int64  // 0 for an event of no workflow
	Retry     int    // retry_count
	Status    int    // that it was answered with; 0 when its sender hung up before
	Wrong     string // what a careful receiver refuses it for
}

// Stale is why a receiver refuses a webhook whose sender's clock is wrong.
const Stale = "its iat is not of the last five minutes"

// History is all that is known after a run of the fault program.
type History struct {
	Began    time.Time
	Ended    time.Duration
	Ops      []Op
	Shown    []Shown
	Arrivals []Arrival
	// Faulty are answers that blame the service itself.
	Faulty []Faulty
	// Stepped are the times when a worker's clock was not right, with as long as
	// its effects may last; Lost those when Temporal's data went.
	Stepped, Lost []Span
	// Panics are lines of the programs' logs.
	Panics []string
	Runs   []OpenRun
	Tables
}

// Faulty is an answer with a status of 500.
type Faulty struct {
	At              time.Duration
	Operation, Body string
}

// OpenRun is a Temporal run that has not ended.
type OpenRun struct {
	ID, Type string
	Age      time.Duration
	Reason   string // what it waits for; empty when nothing says so
}

// Tables are what is on record at the end.
type Tables struct {
	Businesses []Business
	Workflows  []Workflow
	Documents  []Document
	Keys       []Key
	Events     []Event
	Deliveries []Delivery
	Attempts   []Attempt
}

// Business is one, with the three fields that every update writes together.
type Business struct {
	ID, Account string
	Name        string   // token/revision
	Established string   // the revision's day
	Codes       []string // the revision's class
}

// Workflow is an application.
type Workflow struct {
	ID, BusinessID, Account, State string
	Score                          *float64
}

// Document is a required document, with the facts and rules of its reason.
type Document struct {
	ID, WorkflowID, Code, Status string
	Version                      string // of the rules
	Established                  string // the fact by which it was decided
}

// Key is a webhook key.
type Key struct {
	Account, KeyID, Day, Status string
	Activated                   bool
}

// Event is a row of the outbox.
type Event struct {
	ID, Account, Type, WorkflowID string
	Sequence                      int64 // 0 for one of no workflow
	Fields                        json.RawMessage
}

// Delivery is the delivery of one event to one endpoint.
type Delivery struct{ ID, EventID, EndpointID, State string }

// Attempt is one entry of the log.
type Attempt struct {
	DeliveryID string
	Number     int
	Outcome    string
	StartedAt  time.Duration // by the clock of the worker
}

// A revision of a business's facts: all three fields follow from its number, so
// that a mixture of two shows.
const classes = 4

var firstDay = time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC)

// revisions is how many there are: days that are past everywhere.
const revisions = 25_000

func day(revision int) string {
	return firstDay.AddDate(0, 0, revision%revisions).Format(time.DateOnly)
}

func class(revision int) string { return string(rune('0' + revision%classes)) }

// revisionOf is the number of a day's revision; -1 for none.
func revisionOf(established string) int {
	at, err := time.Parse(time.DateOnly, established)
	if err != nil || at.Before(firstDay) {
		return -1
	}
	return int(at.Sub(firstDay) / (24 * time.Hour))
}

// score is what the pricing model gives a revision.
func score(revision int) float64 { return 500 + 100*float64(revision%classes) }
