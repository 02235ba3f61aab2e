package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
	"requisite/workflows"
)

type ConfigRequest struct {
	ConfigID id.WebhookConfigID `json:"config_id"`
}

type DeliveryRequest struct {
	DeliveryID id.WebhookDeliveryID `json:"delivery_id"`
}

// since is the time at which a period begins.
type since string

func (since) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "date-time",
		Pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$`, PatternDescription: "a date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ",
	}
}

// time parses the text, which the schema has checked. Empty text is the zero time.
func (s since) time() time.Time {
	at, _ := time.Parse(time.RFC3339, string(s))
	return at
}

// ConfigFields are the optional fields of an endpoint. The API calls an endpoint a config.
type ConfigFields struct {
	EventTypes  wire.Optional[[]domain.EventType] `json:"event_types,omitempty" minItems:"1" maxItems:"50" doc:"The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the account's other endpoints."`
	Description wire.Optional[string]             `json:"description,omitempty" maxLength:"500"`

	RatePerSecond wire.Optional[int] `json:"rate_per_second,omitempty" minimum:"1" maximum:"1000" doc:"How many attempts may begin in any second, retries included; no limit when left out or null."`
	Concurrency   wire.Optional[int] `json:"concurrency,omitempty" minimum:"1" maximum:"10" doc:"How many attempts may be in flight at once; ten when left out or null."`
}

func (f ConfigFields) apply(e *domain.Endpoint) {
	f.Description.Apply(&e.Description)
	f.RatePerSecond.Apply(&e.RatePerSecond)
	f.Concurrency.Apply(&e.Concurrency)
	if f.EventTypes.Sent {
		e.EventTypes = nil
		if f.EventTypes.Value != nil {
			for _, t := range *f.EventTypes.Value {
				e.EventTypes = append(e.EventTypes, string(t))
			}
		}
	}
}

// check returns the problems that the schema cannot express.
func (f ConfigFields) check() []refusal.Field {
	if f.EventTypes.Value == nil {
		return nil
	}
	var problems []refusal.Field
	for i, t := range *f.EventTypes.Value {
		if slices.Contains((*f.EventTypes.Value)[:i], t) {
			problems = append(problems, refusal.Field{Field: fmt.Sprintf("config.event_types[%d]", i), Message: "This event type is named already."})
		}
	}
	return problems
}

// checkURL returns the canonical spelling of an endpoint's URL, or its problem.
func (s *Server) checkURL(url string) (canonical string, problems []refusal.Field) {
	if url == "" {
		return "", nil // the schema reports that it is required
	}
	canonical, problem := s.guard.CheckURL(url)
	if problem != "" {
		return "", []refusal.Field{{Field: "config.url", Message: problem}}
	}
	return canonical, nil
}

type configCreateRequest struct {
	AccountRequest
	Config struct {
		URL string `json:"url" minLength:"1" doc:"https://, a public host, port 443 or 8443; no user name, password or fragment."`
		ConfigFields
	} `json:"config"`
	urlKey string
}

func (in *configCreateRequest) checkOn(_ context.Context, s *Server, _ *caller) (problems []refusal.Field, _ error) {
	in.urlKey, problems = s.checkURL(in.Config.URL)
	return append(problems, in.Config.check()...), nil
}

func configCreate(ctx context.Context, r *store.Records, in *configCreateRequest) (ConfigRequest, error) {
	e := domain.Endpoint{URL: in.Config.URL, URLKey: in.urlKey}
	in.Config.apply(&e)
	e, err := r.Webhooks.CreateEndpoint(ctx, in.AccountID, e)
	return ConfigRequest{e.WireID()}, err
}

type configUpdateRequest struct {
	ConfigRequest
	Config struct {
		URL *string `json:"url,omitempty" minLength:"1"`
		ConfigFields
		Status *domain.EndpointStatus `json:"status,omitempty" doc:"A disabled endpoint holds its deliveries until it is ACTIVE again."`
	} `json:"config"`
	urlKey string
}

func (in *configUpdateRequest) checkOn(_ context.Context, s *Server, _ *caller) (problems []refusal.Field, _ error) {
	if in.Config.URL != nil {
		in.urlKey, problems = s.checkURL(*in.Config.URL)
	}
	return append(problems, in.Config.check()...), nil
}

func (in *configUpdateRequest) warn() []refusal.Warning {
	return nothingToUpdate("config", in.Config)
}

func configUpdate(ctx context.Context, r *store.Records, in *configUpdateRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Webhooks.UpdateEndpoint(ctx, in.ConfigID, func(e *domain.Endpoint) {
		if in.Config.URL != nil {
			e.URL, e.URLKey = *in.Config.URL, in.urlKey
		}
		if in.Config.Status != nil {
			e.Status = *in.Config.Status
		}
		in.Config.apply(e)
	})
}

func configDelete(ctx context.Context, r *store.Records, in *ConfigRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Webhooks.DeleteEndpoint(ctx, in.ConfigID)
}

type configData struct {
	ConfigID       id.WebhookConfigID      `json:"config_id"`
	AccountID      id.AccountID            `json:"account_id"`
	URL            string                  `json:"url"`
	EventTypes     wire.Optional[[]string] `json:"event_types" doc:"null takes all but notices."`
	Description    *string                 `json:"description"`
	RatePerSecond  *int                    `json:"rate_per_second" doc:"null is no limit."`
	Concurrency    *int                    `json:"concurrency" doc:"null is ten."`
	Status         domain.EndpointStatus   `json:"status"`
	DisabledReason *string                 `json:"disabled_reason,omitempty"`
	Health         healthData              `json:"health"`
	CreatedAt      wire.DateTime           `json:"created_at"`
	UpdatedAt      wire.DateTime           `json:"updated_at"`
}

// healthData is the health of an endpoint.
type healthData struct {
	Status        domain.HealthStatus `json:"status" doc:"FAILING after five failures in a row: then one webhook at a time probes the endpoint, and the others wait. HELD while the account has no active key, DISABLED while the endpoint is disabled: then nothing is sent."`
	FailingSince  *wire.DateTime      `json:"failing_since,omitempty" doc:"The first of the failures in a row; absent until there are five."`
	LastError     *string             `json:"last_error,omitempty" doc:"Of the last attempt, if it failed."`
	NextAttemptAt *wire.DateTime      `json:"next_attempt_at,omitempty" doc:"When the endpoint is tried next after a failure; absent while that is due."`
	Waiting       int                 `json:"waiting" doc:"Deliveries that were never attempted, HELD ones not among them; counted up to 10,000."`
	Retrying      int                 `json:"retrying" doc:"Deliveries that are attempted again; counted up to 10,000."`
	Held          int                 `json:"held" doc:"Deliveries that wait for an active key, or for the endpoint to be enabled; counted up to 10,000."`
}

func healthView(r *store.Records, h domain.EndpointHealth) healthData {
	view := healthData{
		Status:       h.Status,
		FailingSince: (*wire.DateTime)(h.FailingSince),
		LastError:    h.LastError,
		Waiting:      h.Waiting,
		Retrying:     h.Retrying,
		Held:         h.Held,
	}
	if h.NextLook != nil && h.NextLook.After(r.Now()) {
		view.NextAttemptAt = (*wire.DateTime)(h.NextLook)
	}
	return view
}

func configView(r *store.Records, e domain.Endpoint, h domain.EndpointHealth) configData {
	data := configData{
		Health:   healthView(r, h),
		ConfigID: e.WireID(), AccountID: r.Environment().Account(e.AccountID), URL: e.URL, Description: e.Description,
		RatePerSecond: e.RatePerSecond, Concurrency: e.Concurrency,
		Status: e.Status, DisabledReason: e.DisabledReason, CreatedAt: wire.DateTime(e.CreatedAt), UpdatedAt: wire.DateTime(e.UpdatedAt),
	}
	if e.EventTypes != nil {
		data.EventTypes = wire.OrNull(&e.EventTypes)
	}
	return data
}

func configGet(ctx context.Context, r *store.Records, in *ConfigRequest) (configData, error) {
	e, err := r.Webhooks.Endpoint(ctx, in.ConfigID)
	if err != nil {
		return configData{}, err
	}
	health, err := r.Webhooks.EndpointHealth(ctx, e)
	return configView(r, e, health[e.ID]), err
}

type configListData struct {
	Configs []configData `json:"configs" nullable:"false"`
}

func configList(ctx context.Context, r *store.Records, in *AccountRequest) (configListData, error) {
	data := configListData{Configs: []configData{}}
	found, err := r.Webhooks.Endpoints(ctx, in.AccountID)
	if err != nil {
		return data, err
	}
	health, err := r.Webhooks.EndpointHealth(ctx, found...)
	for _, e := range found {
		data.Configs = append(data.Configs, configView(r, e, health[e.ID]))
	}
	return data, err
}

type eventIDData struct {
	EventID id.WebhookEventID `json:"event_id"`
}

type configTestRequest struct {
	ConfigRequest
	EventType domain.EventType `json:"event_type,omitempty" doc:"The type of the event, whether or not the endpoint takes it; WEBHOOK_TEST when left out. The content says test. WEBHOOK_TEST names the endpoint; an event of another type is an example, whose records do not exist."`
}

func configTest(ctx context.Context, r *store.Records, in *configTestRequest) (eventIDData, error) {
	kind := domain.WebhookTest
	if in.EventType != "" {
		kind = domain.EventType(in.EventType)
	}
	event, err := r.Webhooks.TestEndpoint(ctx, in.ConfigID, kind)
	return eventIDData{event}, err
}

// eventOrder is an order of events.
type eventOrder string

const (
	newestFirst eventOrder = "NEWEST_FIRST"
	oldestFirst eventOrder = "OLDEST_FIRST"
)

func (eventOrder) Schema(huma.Registry) *huma.Schema { return wire.OneOf(newestFirst, oldestFirst) }

type eventListRequest struct {
	AccountRequest
	Filters struct {
		EventType  domain.EventType `json:"event_type,omitempty"`
		Since      since            `json:"since,omitempty" doc:"Events from then on."`
		WorkflowID id.WorkflowID    `json:"workflow_id,omitzero"`
	} `json:"filters,omitempty"`
	Order       eventOrder `json:"order,omitempty" default:"NEWEST_FIRST" doc:"OLDEST_FIRST is the account's feed: going on from next misses no event and repeats none, however late a change is committed."`
	IncludeData bool       `json:"include_data,omitempty" doc:"true adds each event's data. A page then ends early when its data exceeds 1 MiB."`
	Page        page       `json:"page,omitempty"`
}

func (in *eventListRequest) check() []refusal.Field {
	if !in.oldestFirst() {
		return checkAfter[id.WebhookEventID](in.Page)
	}
	return store.CheckFeedCursor(in.Page.After)
}

func (in *eventListRequest) oldestFirst() bool { return in.Order == oldestFirst }

type eventRequest struct {
	EventID id.WebhookEventID `json:"event_id"`
}

// Event is an event as the clients' receivers yield it, so that one handler takes both.
type Event struct {
	ID            id.WebhookEventID `json:"id"`
	EventType     string            `json:"event_type"`
	Timestamp     wire.DateTime     `json:"timestamp"`
	AccountID     id.AccountID      `json:"account_id"`
	SchemaVersion string            `json:"schema_version"`
	Sequence      int64             `json:"sequence,omitempty" minimum:"1" doc:"The event's number within its workflow: 1, 2, 3, without gaps. Absent without a workflow."`
	// Replay is never set. A receiver sets it.
	Replay     bool          `json:"replay,omitempty" doc:"true when webhook.event.replay sent the event. Only a webhook says it."`
	Data       *eventContent `json:"data,omitempty" doc:"The content of the event, as receivers decrypt it: see the guide to webhooks. webhook.event.list answers it where include_data is true."`
	Position   int64         `json:"position,omitempty" minimum:"1" doc:"The event's position in the account's feed: it grows from event to event. Only with OLDEST_FIRST."`
	WorkflowID id.WorkflowID `json:"workflow_id,omitzero" doc:"Absent where the event concerns no workflow on record."`
	Test       bool          `json:"test,omitempty" doc:"true when webhook.config.test sent the event: it is an example, and has not happened."`
}

func eventView(r *store.Records, e domain.OutboxEvent) Event {
	view := Event{
		ID:            id.WebhookEventID{UUID: e.ID},
		EventType:     string(e.EventType),
		Timestamp:     wire.DateTime(e.OccurredAt),
		AccountID:     r.Environment().Account(e.AccountID),
		SchemaVersion: webhook.SchemaVersion,
		Sequence:      e.Sequence,
		Position:      e.Position,
		Test:          e.Test,
	}
	if e.Payload != nil {
		view.Data = &eventContent{e.Payload}
	}
	if e.WorkflowID.Valid {
		view.WorkflowID = id.WorkflowID{UUID: e.WorkflowID.UUID}
	}
	return view
}

// eventContent is the content of an event in clear.
type eventContent struct{ json.RawMessage }

func (eventContent) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

func eventGet(ctx context.Context, r *store.Records, in *eventRequest) (Event, error) {
	e, err := r.Webhooks.Event(ctx, in.EventID)
	return eventView(r, e), err
}

type eventListData struct {
	Events   []Event `json:"events" nullable:"false"`
	Next     *string `json:"next" doc:"Pass it as page.after for the next page; null on the last one. With OLDEST_FIRST never null: when caught_up is true, ask again later."`
	CaughtUp bool    `json:"caught_up" doc:"true when nothing was left to read. false when more follows, also after a page that filters left empty."`
}

func eventList(ctx context.Context, r *store.Records, in *eventListRequest) (eventListData, error) {
	f := in.Filters
	query := domain.EventQuery{
		EventFilter: domain.EventFilter{Type: domain.EventType(f.EventType), Since: f.Since.time(), WorkflowID: f.WorkflowID},
		OldestFirst: in.oldestFirst(), Payload: in.IncludeData,
	}
	found, err := r.Webhooks.Events(ctx, in.AccountID, query, in.Page.page())
	data := eventListData{Events: []Event{}, Next: orNull(found.Next), CaughtUp: found.CaughtUp}
	for _, e := range found.Events {
		data.Events = append(data.Events, eventView(r, e))
	}
	return data, err
}

func orNull(next string) *string {
	if next == "" {
		return nil
	}
	return &next
}

type deliveryListRequest struct {
	AccountRequest
	Filters struct {
		ConfigID id.WebhookConfigID `json:"config_id,omitzero"`
		EventID  id.WebhookEventID  `json:"event_id,omitzero"`
		Status   delivery.State     `json:"status,omitempty"`
		Since    since              `json:"since,omitempty" doc:"Deliveries that were created from then on."`

		Undelivered bool `json:"undelivered,omitempty" doc:"true for those that are PENDING, RETRYING, HELD or FAILED."`
	} `json:"filters,omitempty"`
	Page page `json:"page,omitempty"`
}

func (in *deliveryListRequest) check() []refusal.Field {
	return checkAfter[id.WebhookDeliveryID](in.Page)
}

// DeliveryView is a delivery without its attempts.
type DeliveryView struct {
	DeliveryID    id.WebhookDeliveryID `json:"delivery_id"`
	EventID       id.WebhookEventID    `json:"event_id"`
	EventType     string               `json:"event_type"`
	ConfigID      id.WebhookConfigID   `json:"config_id"`
	Status        delivery.State       `json:"status" doc:"PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint."`
	AttemptCount  int                  `json:"attempt_count"`
	NextAttemptAt *wire.DateTime       `json:"next_attempt_at,omitempty" doc:"Absent while the delivery is due, and once it has ended."`
	LastError     *string              `json:"last_error,omitempty"`
	CreatedAt     wire.DateTime        `json:"created_at"`
	UpdatedAt     wire.DateTime        `json:"updated_at"`
}

func deliveryView(r *store.Records, d delivery.Record) DeliveryView {
	return DeliveryView{
		DeliveryID: d.WireID(), EventID: id.WebhookEventID{UUID: d.EventID}, EventType: d.EventType, ConfigID: id.WebhookConfigID{UUID: d.EndpointID},
		Status: d.State, AttemptCount: d.AttemptCount, NextAttemptAt: (*wire.DateTime)(d.NextAfter(r.Now())), LastError: d.LastError,
		CreatedAt: wire.DateTime(d.CreatedAt), UpdatedAt: wire.DateTime(d.UpdatedAt),
	}
}

type deliveryListData struct {
	Deliveries []DeliveryView `json:"deliveries" nullable:"false"`
	Next       *string        `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func deliveryList(ctx context.Context, r *store.Records, in *deliveryListRequest) (deliveryListData, error) {
	f := in.Filters
	filter := delivery.Filter{ConfigID: f.ConfigID, EventID: f.EventID, State: delivery.State(f.Status), Undelivered: f.Undelivered, Since: f.Since.time()}
	found, next, err := r.Webhooks.Deliveries(ctx, in.AccountID, filter, in.Page.page())
	data := deliveryListData{Deliveries: []DeliveryView{}, Next: orNull(next)}
	for _, d := range found {
		data.Deliveries = append(data.Deliveries, deliveryView(r, d))
	}
	return data, err
}

type attemptData struct {
	Number       int                     `json:"number"`
	StartedAt    wire.DateTime           `json:"started_at"`
	DurationMs   *int                    `json:"duration_ms,omitempty"`
	StatusCode   *int                    `json:"status_code,omitempty"`
	Error        *string                 `json:"error,omitempty"`
	ResponseBody *string                 `json:"response_body,omitempty" doc:"At most 4 KiB of the answer."`
	KeyID        string                  `json:"key_id"`
	Address      *string                 `json:"address,omitempty" doc:"The address that was connected to."`
	Outcome      delivery.AttemptOutcome `json:"outcome" doc:"UNKNOWN when the service did not see the end of the attempt: it may have arrived."`

	TemporalWorkflowID string `json:"temporal_workflow_id" doc:"The Temporal run that made the attempt."`
	TemporalRunID      string `json:"temporal_run_id"`
}

type waitData struct {
	Cause   delivery.Cause `json:"cause"`
	Message string         `json:"message" doc:"What the cause means, and what ends it."`
	Until   *wire.DateTime `json:"until,omitempty" doc:"When it ends, if that is known."`
}

type deliveryData struct {
	DeliveryView
	WaitsFor []waitData    `json:"waits_for" nullable:"false" doc:"Why it has not been sent yet: all of these must end first. Empty once it has ended."`
	Attempts []attemptData `json:"attempts" nullable:"false"`
}

func deliveryGet(ctx context.Context, r *store.Records, in *DeliveryRequest) (deliveryData, error) {
	d, err := r.Webhooks.Delivery(ctx, in.DeliveryID)
	if err != nil {
		return deliveryData{}, err
	}
	data := deliveryData{DeliveryView: deliveryView(r, d), WaitsFor: []waitData{}, Attempts: []attemptData{}}
	waits, err := r.Webhooks.Waits(ctx, d)
	if err != nil {
		return data, err
	}
	for _, w := range waits {
		data.WaitsFor = append(data.WaitsFor, waitData{w.Cause, w.Cause.Text(), (*wire.DateTime)(w.EndsAt())})
	}
	log, err := r.Webhooks.Attempts(ctx, d)
	for _, a := range log {
		data.Attempts = append(data.Attempts, attemptData{
			a.Number, wire.DateTime(a.StartedAt), a.DurationMs, a.StatusCode, a.Error, a.ResponseBody, a.KeyID, a.Address, a.Outcome, a.WorkflowID, a.RunID,
		})
	}
	return data, err
}

func deliveryRetry(ctx context.Context, r *store.Records, in *DeliveryRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Webhooks.RetryDelivery(ctx, in.DeliveryID)
}

type recoverRequest struct {
	ConfigRequest
	Since since `json:"since" doc:"FAILED deliveries of events since then are sent again."`
}

func deliveryRecover(ctx context.Context, s *Server, c *caller, in *recoverRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, job{
		kind: workflows.Recovery,
		find: func(ctx context.Context, r *store.Records) (workflows.Start, error) {
			e, err := r.Webhooks.Endpoint(ctx, in.ConfigID)
			if err == nil {
				err = r.Webhooks.MayAskForMore(ctx, e.AccountID)
			}
			request := workflows.RecoverRequest{
				Call:      c.call,
				AccountID: r.Environment().Account(e.AccountID),
				ConfigID:  in.ConfigID,
				Since:     string(in.Since),
			}
			return workflows.StartRecovery(request), err
		},
		reply:   recovered,
		shownBy: "webhook.delivery.list",
	})
}

type replayRequest struct {
	ConfigRequest
	Since      since              `json:"since" doc:"Events since then are sent."`
	Until      since              `json:"until,omitempty" doc:"Events before then; up to now when left out."`
	EventTypes []domain.EventType `json:"event_types,omitempty" minItems:"1" maxItems:"50" nullable:"false" doc:"Of those that the endpoint takes; all of them when left out."`
}

func (in *replayRequest) check() []refusal.Field {
	var problems []refusal.Field
	if in.Until != "" && !in.Since.time().Before(in.Until.time()) {
		problems = append(problems, refusal.Field{Field: "until", Message: "This must be later than since."})
	}
	for i, t := range in.EventTypes {
		if slices.Contains(in.EventTypes[:i], t) {
			problems = append(problems, refusal.Field{Field: fmt.Sprintf("event_types[%d]", i), Message: "This event type is named already."})
		}
	}
	return problems
}

// RunRequest names a replay, which runs in the background.
type RunRequest struct {
	RunID id.RunID `json:"run_id"`
}

func eventReplay(ctx context.Context, r *store.Records, in *replayRequest) (RunRequest, error) {
	replay := domain.ReplayRequest{ConfigID: in.ConfigID, Since: in.Since.time(), Until: in.Until.time()}
	for _, t := range in.EventTypes {
		replay.EventTypes = append(replay.EventTypes, string(t))
	}
	run, err := r.Webhooks.Replay(ctx, replay)
	return RunRequest{run}, err
}

type replayedData struct {
	State     domain.ReplayState `json:"state" doc:"CANCELED by the operator of the service, or because the endpoint was deleted."`
	Done      int64              `json:"done" doc:"Events that were sent to the endpoint's queue, or waited there already."`
	Total     *int64             `json:"total,omitempty" doc:"Absent until they are counted, and when they are among more than 100,000 events."`
	StartedAt wire.DateTime      `json:"started_at"`
	EndedAt   *wire.DateTime     `json:"ended_at,omitempty"`
}

func eventReplayed(ctx context.Context, r *store.Records, in *RunRequest) (replayedData, error) {
	found, err := r.Webhooks.Replayed(ctx, in.RunID)
	return replayedData{found.State, found.Done, found.Total, wire.DateTime(found.StartedAt), (*wire.DateTime)(found.EndedAt)}, err
}

func configFlush(ctx context.Context, r *store.Records, in *ConfigRequest) (DeliveryCount, []refusal.Warning, error) {
	count, warnings, err := r.Webhooks.FlushEndpoint(ctx, in.ConfigID)
	return DeliveryCount{count}, warnings, err
}

// DeliveryCount is the response of a recovery or a flush: how many deliveries are sent.
type DeliveryCount struct {
	Count int `json:"count"`
}

// recovered makes the response from the result of a recovery.
func recovered(result json.RawMessage) (wire.Reply, error) {
	var done domain.Recovered
	err := json.Unmarshal(result, &done)
	reply := wire.Reply{Data: DeliveryCount{done.Count}}
	if done.OthersWait {
		reply.Warnings = []refusal.Warning{{
			Code: refusal.NothingFailed,
			Message: "No delivery of an event since then is FAILED, and others to this endpoint wait: " +
				"webhook.config.flush sends those that are PENDING or RETRYING now.",
		}}
	}
	return reply, err
}

func deliveryCancel(ctx context.Context, r *store.Records, in *DeliveryRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Webhooks.CancelDelivery(ctx, in.DeliveryID, "given up with webhook.delivery.cancel")
}
