// Package faults runs the service under load. A seeded schedule kills, freezes, cuts off
// and starves its processes. The package then compares the responses to clients, the
// webhooks of receivers and the tables. docs/reliability.md explains each check.
//
// It uses only the API, webhooks, and those columns of tables that the checks name.
package faults

import (
	"encoding/json"
	"math"
	"time"
)

// Forever is the end of a request without a response. All times are since the beginning of
// the history, by a clock that no fault changes.
const Forever = time.Duration(math.MaxInt64)

// Span is the time from the first attempt of a request to its response.
type Span struct{ Start, End time.Duration }

// Answered reports whether there was a response.
func (s Span) Answered() bool { return s.End != Forever }

func (s Span) overlaps(o Span) bool { return s.Start <= o.End && o.Start <= s.End }

// Op is a request of a client, with its repeats under one Idempotency-Key.
type Op struct {
	Span
	Operation string
	Account   string
	Subject   string // the id of the record that it created or names
	Field     string // the updated field of the subject
	Value     string // the written, created or read value
	Refusal   string // code and sub_code of a refusal; empty for success
	Tries     int
	// Once marks a request without repeats: if it has no response, it may have been
	// executed or not.
	Once bool
}

func (o Op) done() bool { return o.Answered() && o.Refusal == "" }

// may reports whether the request was executed or may have been, as far as its client knows.
func (o Op) may() bool { return o.Refusal == "" }

// Shown is a response with a secret.
type Shown struct{ Account, KeyID string }

// Arrival is a webhook that a receiver got.
type Arrival struct {
	Span
	Sink      string
	Account   string
	EventID   string
	EventType string
	KeyID     string
	Sequence  int64  // 0 if the event has no workflow
	Retry     int    // retry_count
	Status    int    // of the response; 0 if the sender hung up before
	Wrong     string // why a careful receiver refuses it
}

// Stale is the reason for which a receiver refuses a webhook of a worker with a wrong clock.
const Stale = "its iat is not of the last five minutes"

// History is the record of a run of the fault program.
type History struct {
	Began    time.Time
	Ended    time.Duration
	Ops      []Op
	Shown    []Shown
	Arrivals []Arrival
	// Faulty are responses with status 500.
	Faulty []Faulty
	// Stepped are the times when a worker's clock was wrong, extended by the time that the
	// effects may last. Lost are the times when Temporal lost its data.
	Stepped, Lost []Span
	// Panics are log lines of panics.
	Panics []string
	Runs   []OpenRun
	// Today is the day that had begun in each account before everything that a day brings was done.
	Today map[string]string
	// Repeats are calculations of open workflows that were repeated when no client worked any more.
	Repeats []Repeat
	Tables
}

// Faulty is a response with status 500.
type Faulty struct {
	At              time.Duration
	Operation, Body string
}

// OpenRun is a Temporal run that has not ended.
type OpenRun struct {
	ID, Type string
	Age      time.Duration
	Reason   string // what it waits for; empty if unknown
}

// Repeat is a calculation that was made twice, with nothing in between. Before and After are the documents as the API
// lists them, without the time of the calculation. Events is how many events followed the second calculation.
type Repeat struct {
	WorkflowID, Before, After string
	Events                    int64
}

// Tables are the records at the end.
type Tables struct {
	Businesses []Business
	Persons    []Person
	Workflows  []Workflow
	Decisions  []Decision
	Documents  []Document
	Keys       []Key
	Events     []Event
	Deliveries []Delivery
	Attempts   []Attempt
}

// Business is a business with the three fields that each update writes.
type Business struct {
	ID, Account string
	Name        string   // token/revision
	Established string   // the revision's day
	Codes       []string // the revision's class
}

// Person is a person of a business.
type Person struct{ ID, BusinessID string }

// Decision is a decision about an application. Facts is a hash of the facts.
type Decision struct {
	ID, WorkflowID string
	Number         int64
	Kind, Outcome  string
	Version        string // of the rules
	Facts          string
	AsOf           string
	SandboxToday   bool // the request named AsOf
	Changes        json.RawMessage
}

// Workflow is an application.
type Workflow struct {
	ID, BusinessID, Account, State string
	Score                          *float64
}

// Document is a required document with the facts and rules of its reason.
type Document struct {
	ID, WorkflowID, Code, Status string
	EntityID                     string
	Version                      string // of the rules
	Established                  string // established_date in its reason
	DueOn, ValidUntil            string // while it is PENDING or COMPLETED
}

// Key is a webhook key.
type Key struct {
	Account, KeyID, Day, Status string
	Activated                   bool
}

// Event is a row of the outbox.
type Event struct {
	ID, Account, Type, WorkflowID string
	Sequence                      int64 // 0 if the event has no workflow
	Fields                        json.RawMessage
}

// Delivery is the delivery of one event to one endpoint.
type Delivery struct{ ID, EventID, EndpointID, State string }

// Attempt is an entry of the log of attempts.
type Attempt struct {
	DeliveryID string
	Number     int
	Outcome    string
	StartedAt  time.Duration // by the worker's clock
}

// A revision is a number from which all three fields of a business follow. The checker
// therefore notices a mixture of two revisions.
const classes = 4

var firstDay = time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC)

// revisions is the number of revisions. Their days are in the past in every time zone.
const revisions = 25_000

func day(revision int) string {
	return firstDay.AddDate(0, 0, revision%revisions).Format(time.DateOnly)
}

func class(revision int) string { return string(rune('0' + revision%classes)) }

// revisionOf returns the revision of a day; -1 for none.
func revisionOf(established string) int {
	at, err := time.Parse(time.DateOnly, established)
	if err != nil || at.Before(firstDay) {
		return -1
	}
	return int(at.Sub(firstDay) / (24 * time.Hour))
}

// score returns the score that the pricing model gives a revision.
func score(revision int) float64 { return 500 + 100*float64(revision%classes) }
