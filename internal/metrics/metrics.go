// Package metrics counts what the service does, for Prometheus. Labels are
// operations, codes and states: a handful of values each, never an id, a name or
// a URL.
package metrics

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.temporal.io/sdk/client"

	"requisite/internal/requests/refusal"
	"requisite/internal/secrets/codec"
	"requisite/internal/telemetry"
)

// Metrics are the metrics of one process. Methods on nil do nothing.
type Metrics struct {
	registry *prometheus.Registry

	requests        *prometheus.CounterVec
	requestDuration *prometheus.HistogramVec
	refusals        *prometheus.CounterVec
	limitsMet       *prometheus.CounterVec
	calculations    *prometheus.CounterVec
	gaps            *prometheus.CounterVec
	notEvaluable    *prometheus.CounterVec
	keys            *prometheus.CounterVec
	undecodable     *prometheus.CounterVec

	attempts        *prometheus.CounterVec
	attemptDuration prometheus.Histogram
	firstAttempt    prometheus.Histogram
	outcomeDelay    prometheus.Histogram
	outcomesFailed  prometheus.Counter
	pruneFailures   *prometheus.CounterVec

	temporal client.MetricsHandler
}

// Buckets in seconds. Prometheus interpolates percentiles within a bucket, so the limits
// of alerts must be bounds of buckets.
var (
	requestBuckets = []float64{.005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 25}
	attemptBuckets = []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30}
	delayBuckets   = []float64{.02, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600}
)

// NewProcess makes the metrics that every program has: about its build, Go and the process.
func NewProcess() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	b := telemetry.ThisBuild()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "requisite_build_info", Help: "Always 1; the labels say what the program was built from.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "go_version": b.GoVersion}})
	build.Set(1)
	m.registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// New makes the metrics of a program of the service.
func New() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: NewProcess().registry,
		requests: counter("requisite_http_requests_total",
			"Requests, by operation and HTTP status; 499 for those whose caller hung up before the answer.", "operation", "status"),
		requestDuration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "requisite_http_request_duration_seconds",
			Help:    "From the headers of a request to the end of its answer.",
			Buckets: requestBuckets}, []string{"operation"}),
		refusals:  counter("requisite_refusals_total", "Answers that were refusals, by code and sub_code.", "code", "sub_code"),
		limitsMet: counter("requisite_limits_met_total", "Answers of TOO_MANY_REQUESTS, by the limit that details name.", "limit"),
		calculations: counter("requisite_calculations_total",
			"Calculations of required documents, by outcome: CALCULATED, the code of the refusal, or CALLER_GONE.", "outcome"),
		gaps: counter("requisite_gaps_total", "Facts that were missing for a calculation or a price, by entity type and field.", "entity_type", "field"),
		notEvaluable: counter("requisite_rules_not_evaluable_total",
			"Answers of RULE_NOT_EVALUABLE, by operation: the account's own rule or pricing model has no answer for what is on file.", "operation"),
		keys: counter("requisite_webhook_keys_total", "Webhook keys asked for, by outcome: CREATED, the code of the refusal, or CALLER_GONE.", "outcome"),
		undecodable: counter("requisite_payloads_undecodable_total",
			"Payloads in Temporal that the program could not decode: their key is not in its keyset, or somebody else wrote them.", "program"),
		attempts: counter("requisite_webhook_attempts_total",
			"Attempts at deliveries, by outcome: SUCCEEDED, FAILED, or UNKNOWN when its end was lost.", "outcome"),
		attemptDuration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "requisite_webhook_attempt_duration_seconds", Help: "The duration of one attempt, including the answer's body.", Buckets: attemptBuckets}),
		firstAttempt: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "requisite_webhook_first_attempt_delay_seconds",
			Help:    "From when a delivery could be sent to its first attempt; attempts at failing endpoints are excluded.",
			Buckets: delayBuckets}),
		outcomeDelay: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "requisite_webhook_outcome_delay_seconds", Help: "From the end of an attempt until its outcome was written, or given up.", Buckets: delayBuckets}),
		outcomesFailed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "requisite_webhook_outcome_failures_total",
			Help: "Transactions with outcomes of attempts that failed although Postgres was reachable, a lock that was held for a second included; each was retried."}),
		pruneFailures: counter("requisite_prune_failures_total", "Steps of pruning that failed; each is retried.", "step"),
	}
	m.registry.MustRegister(m.requests, m.requestDuration, m.refusals, m.limitsMet, m.pruneFailures, m.calculations, m.gaps, m.notEvaluable, m.keys, m.undecodable,
		m.attempts, m.attemptDuration, m.firstAttempt, m.outcomeDelay, m.outcomesFailed)
	// Create these series with zero, for the same reason as beginAtZero. Limiters do it for their own.
	for _, limit := range []string{refusal.LimitRequestsPerSecond, refusal.LimitOutcomes, refusal.LimitDecisionBytesADay} {
		m.limitsMet.WithLabelValues(limit)
	}
	for _, step := range []string{"nonces", "outcomes", "replays", "events", "decisions", "rule versions", "attempts"} { // of Store.Prune
		m.pruneFailures.WithLabelValues(step)
	}
	var err error
	if m.temporal, err = newTemporal(m.registry); err != nil {
		panic(err) // a programming error: the registry is new
	}
	m.beginAtZero()
	return m
}

// beginAtZero creates the series of alerts. Prometheus sees the first count after a start
// as an increase only if the series existed with zero before.
func (m *Metrics) beginAtZero() {
	for _, outcome := range []string{"SUCCEEDED", "FAILED", "UNKNOWN"} {
		m.attempts.WithLabelValues(outcome)
	}
	for _, operation := range []string{"account.documentRules.preview", "workflow.pricing.calculate", "workflow.requiredDocument.calculate"} {
		m.notEvaluable.WithLabelValues(operation)
	}
	m.calculations.WithLabelValues("CALCULATED")
	m.calculations.WithLabelValues(string(refusal.RuleNotEvaluable))
	m.keys.WithLabelValues("CREATED")
	for _, code := range []refusal.Code{refusal.InternalError, refusal.MissingRequirements, refusal.StillRunning, refusal.TooManyRequests, refusal.Unavailable} {
		m.refusals.WithLabelValues(string(code), "")
		m.calculations.WithLabelValues(string(code))
	}
	for _, code := range []refusal.Code{refusal.InternalError, refusal.StillRunning, refusal.TooManyRequests, refusal.Unavailable} {
		m.keys.WithLabelValues(string(code))
	}
	m.keys.WithLabelValues(string(refusal.DailyLimitExceeded))
}

// Operations creates the series of alerts for the operations, for the same reason as
// beginAtZero.
func (m *Metrics) Operations(names iter.Seq[string]) {
	if m == nil {
		return
	}
	begin := func(operation string) bool {
		for _, status := range []string{"200", "400", "401", "499", "500", "503", "504"} {
			m.requests.WithLabelValues(operation, status)
		}
		return true
	}
	begin("unknown")
	names(begin)
}

// Undecodable returns the counter of payloads that a program cannot decode. It begins at
// zero.
func (m *Metrics) Undecodable(program string) codec.Counter {
	if m == nil {
		return nil
	}
	return m.undecodable.WithLabelValues(program)
}

// Register adds a collector of another part, such as a pool.
func (m *Metrics) Register(c prometheus.Collector) {
	if m != nil {
		m.registry.MustRegister(c)
	}
}

// Request counts one answered request. operation must be a known one or empty;
// refused is nil for a success.
func (m *Metrics) Request(operation string, status int, took time.Duration, refused *refusal.Refusal) {
	if m == nil {
		return
	}
	operation = cmp.Or(operation, "unknown")
	m.requests.WithLabelValues(operation, fmt.Sprint(status)).Inc()
	m.requestDuration.WithLabelValues(operation).Observe(took.Seconds())
	outcome := ""
	if refused != nil {
		m.refusals.WithLabelValues(string(refused.Code), string(refused.SubCode)).Inc()
		outcome = refused.SpecificCode()
		m.missing(refused)
		m.limitMet(refused)
		if refused.SubCode == refusal.RuleNotEvaluable {
			m.notEvaluable.WithLabelValues(operation).Inc()
		}
	}
	m.outcome(operation, outcome)
}

// CallerGone is the outcome of a request whose caller hung up before the answer,
// and StatusCallerGone stands for its status.
const (
	CallerGone       = "CALLER_GONE"
	StatusCallerGone = 499
)

// CallerGone counts a request whose caller did not wait for the answer. operation is
// as for Request.
func (m *Metrics) CallerGone(operation string) {
	if m == nil {
		return
	}
	operation = cmp.Or(operation, "unknown")
	m.requests.WithLabelValues(operation, fmt.Sprint(StatusCallerGone)).Inc()
	m.outcome(operation, CallerGone)
}

// SandboxAnswer counts a request whose caller got a refusal that it had asked for. It counts neither
// as an outcome of the operation nor as a fault of the service. operation is a known one.
func (m *Metrics) SandboxAnswer(operation string) {
	if m != nil {
		m.requests.WithLabelValues(operation, "sandbox").Inc()
	}
}

// outcome counts the outcomes of some operations. An empty outcome is a success.
func (m *Metrics) outcome(operation, outcome string) {
	switch operation {
	case "workflow.requiredDocument.calculate":
		m.calculations.WithLabelValues(cmp.Or(outcome, "CALCULATED")).Inc()
	case "webhook.key.create":
		m.keys.WithLabelValues(cmp.Or(outcome, "CREATED")).Inc()
	}
}

// missing counts the gaps of a refusal.
func (m *Metrics) missing(r *refusal.Refusal) {
	var gaps []struct {
		EntityType string   `json:"entity_type"`
		Fields     []string `json:"fields"`
	}
	if r.Code != refusal.MissingRequirements || json.Unmarshal(r.Details, &gaps) != nil {
		return
	}
	for _, g := range gaps {
		field := "evaluation_score"
		if len(g.Fields) > 0 {
			field = g.Fields[0]
		}
		m.gaps.WithLabelValues(g.EntityType, field).Inc()
	}
}

// limitMet counts the limit that a refusal names.
func (m *Metrics) limitMet(r *refusal.Refusal) {
	var met []refusal.Limit
	if r.Code != refusal.TooManyRequests || json.Unmarshal(r.Details, &met) != nil {
		return
	}
	for _, limit := range met {
		m.limitsMet.WithLabelValues(limit.Of).Inc()
	}
}

// Attempt counts one attempt at a delivery. delay is how long ago the delivery
// could first have been sent, for a first attempt at a healthy endpoint;
// negative for others.
func (m *Metrics) Attempt(outcome string, took, delay time.Duration) {
	if m == nil {
		return
	}
	m.attempts.WithLabelValues(outcome).Inc()
	m.attemptDuration.Observe(took.Seconds())
	if delay >= 0 {
		m.firstAttempt.Observe(delay.Seconds())
	}
}

// OutcomeDelay measures how long after the end of an attempt its outcome was written,
// or given up.
func (m *Metrics) OutcomeDelay(delay time.Duration) {
	if m != nil {
		m.outcomeDelay.Observe(delay.Seconds())
	}
}

// OutcomesFailed counts a transaction with outcomes that failed although Postgres was
// reachable.
func (m *Metrics) OutcomesFailed() {
	if m != nil {
		m.outcomesFailed.Inc()
	}
}

// PruneFailed counts a step of pruning that failed.
func (m *Metrics) PruneFailed(step string) {
	if m != nil {
		m.pruneFailures.WithLabelValues(step).Inc()
	}
}
