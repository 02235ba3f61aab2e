//go:build deep

package faults

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// load has the clients and records what they see.
type load struct {
	client   *requisite.Client
	accounts []*account
	sinks    *sinks
	sinkAt   string // the address of the sinks for the worker
	since    func() time.Duration
	pace     time.Duration
	names    atomic.Int64
	ctx      context.Context // of the requests of others
	others   sync.WaitGroup  // see beside

	mu       sync.Mutex
	ops      []Op
	shown    []Shown
	secrets  map[string][]byte // by account and key
	faulty   []Faulty
	accepted []sent // accepted requests, for replays
}

// account is an account with the records that clients use.
type account struct {
	id, zone string

	mu           sync.Mutex
	applications []*application
	endpoints    []*hook
}

type application struct {
	business, workflow string
	revision           atomic.Int64
	kept               bool // no client ends it
}

// hook is an endpoint, which only one client changes.
type hook struct {
	config, sink string
	status       string
	kept         bool // no client deletes it
}

// sent is a request that was sent.
type sent struct {
	url    string
	header http.Header
	body   []byte
}

func newLoad(accounts []string, signer requisite.Signer, api string, since func() time.Duration, pace time.Duration) *load {
	l := &load{since: since, pace: pace, secrets: map[string][]byte{}}
	for i, id := range accounts {
		l.accounts = append(l.accounts, &account{id: id, zone: zones[i]})
	}
	l.client = &requisite.Client{BaseURL: "http://" + api, Signer: signer, HTTP: &http.Client{
		Timeout: 15 * time.Second, Transport: &recorder{l: l, next: &http.Transport{MaxIdleConnsPerHost: 32}},
	}}
	return l
}

// recorder records some of the accepted requests.
type recorder struct {
	l    *load
	next http.RoundTripper
}

const remembered = 64

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	_ = request.Body.Close() // reads from memory
	request.Body = io.NopCloser(bytes.NewReader(body))
	response, err := r.next.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusOK {
		r.l.mu.Lock()
		defer r.l.mu.Unlock()
		if len(r.l.accepted) == remembered {
			r.l.accepted = r.l.accepted[1:]
		}
		r.l.accepted = append(r.l.accepted, sent{request.URL.String(), request.Header.Clone(), body})
	}
	return response, err
}

func (l *load) secret(account, key string) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.secrets[account+"/"+key]
}

func (l *load) record(o Op) Op {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ops = append(l.ops, o)
	return o
}

// ask sends a request until it gets a final response. read sets subject and value from the
// response. A request that is Once is sent once, and without an Idempotency-Key.
func (l *load) ask(ctx context.Context, o Op, request any, read func(*Op, json.RawMessage) error, options ...requisite.Option) Op {
	o.Span = Span{l.since(), Forever}
	body, err := json.Marshal(request)
	if err != nil {
		panic(err) // requests are maps of texts
	}
	if !o.Once {
		options = append(options, requisite.IdempotencyKey(fmt.Sprint("op-", l.names.Add(1))))
	}
	for {
		o.Tries++
		answer, err := l.client.Send(ctx, o.Operation, body, options...)
		if l.settles(&o, answer, err, read) || o.Once || !pause(ctx, 200*time.Millisecond) {
			return l.record(o)
		}
	}
}

// settles reports whether a response is final, and records it in o.
func (l *load) settles(o *Op, answer requisite.Answer, err error, read func(*Op, json.RawMessage) error) bool {
	switch {
	case err != nil:
		return false
	case answer.HTTPStatus == http.StatusOK:
		if read != nil {
			if err := read(o, answer.Data); err != nil {
				o.Refusal = "the answer cannot be read: " + err.Error()
			}
		}
	case answer.HTTPStatus == http.StatusInternalServerError:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.faulty = append(l.faulty, Faulty{l.since(), o.Operation, string(answer.Body)})
		return false
	case answer.HTTPStatus >= 500, answer.HTTPStatus == http.StatusConflict, answer.HTTPStatus == http.StatusTooManyRequests:
		return false
	case answer.HTTPStatus == http.StatusUnauthorized && answer.Errors[0].Code == "AUTH_TIMESTAMP_EXPIRED":
		return false // the clock of the api is wrong
	default:
		o.Refusal = answer.Errors[0].Code
		if sub := answer.Errors[0].SubCode; sub != "" {
			o.Refusal += "/" + sub
		}
	}
	o.End = l.since()
	return true
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// text reads a field of a response into the subject or the value.
func text(field string, into func(*Op) *string) func(*Op, json.RawMessage) error {
	return func(o *Op, data json.RawMessage) error {
		var fields map[string]any
		if err := json.Unmarshal(data, &fields); err != nil {
			return err
		}
		value, ok := fields[field].(string)
		if !ok {
			return fmt.Errorf("no %s", field)
		}
		*into(o) = value
		return nil
	}
}

func subject(o *Op) *string { return &o.Subject }
func value(o *Op) *string   { return &o.Value }

// facts returns the fields of a revision.
func facts(token string, revision int) harness.Object {
	return harness.Object{
		"legal_name": fmt.Sprintf("%s/%d", token, revision), "established_date": day(revision),
		"industry_category_code": []string{class(revision)}, "no_persons_attested": true,
	}
}

// apply creates a business with its workflow.
func (l *load) apply(ctx context.Context, a *account, kept bool) *application {
	made := l.ask(ctx, Op{Operation: "business.create", Account: a.id, Value: "0"},
		harness.Object{"account_id": a.id, "business": facts(l.token(), 0)}, text("business_id", subject))
	if !made.done() {
		return nil
	}
	opened := l.open(ctx, a, made.Subject)
	if !opened.done() {
		return nil
	}
	p := &application{business: made.Subject, workflow: opened.Subject, kept: kept}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.applications = append(a.applications, p)
	return p
}

// token returns the part of a business's name that no other business has.
func (l *load) token() string { return fmt.Sprint("T", l.names.Add(1)) }

// open creates a workflow of a business.
func (l *load) open(ctx context.Context, a *account, business string) Op {
	return l.ask(ctx, Op{Operation: "workflow.create", Account: a.id, Value: business},
		harness.Object{"account_id": a.id, "workflow": harness.Object{"business_id": business}}, text("workflow_id", subject))
}

// open returns the applications that no client has ended.
func (a *account) open() []*application {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.applications)
}

func (a *account) any(random *rand.Rand) *application {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.applications) == 0 {
		return nil
	}
	return a.applications[random.IntN(len(a.applications))]
}

// letEnd lets clients end an application that was kept.
func (a *account) letEnd(p *application) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p.kept = false
}

// first returns the application that was made first, which is kept.
func (a *account) first() *application {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.applications[0]
}

func (l *load) update(ctx context.Context, a *account, p *application) {
	revision := int(p.revision.Add(1))
	l.ask(ctx, Op{Operation: "business.update", Account: a.id, Subject: p.business, Value: strconv.Itoa(revision)},
		harness.Object{"business_id": p.business, "business": facts("U"+strings.TrimPrefix(p.business, "b_"), revision)}, nil)
}

const calculateDocuments = "workflow.requiredDocument.calculate"

func (l *load) calculate(ctx context.Context, random *rand.Rand, a *account, p *application) {
	operation := calculateDocuments
	if random.IntN(4) == 0 {
		operation = "workflow.pricing.calculate"
	}
	l.ask(ctx, Op{Operation: operation, Account: a.id, Subject: p.workflow, Once: random.IntN(3) == 0}, harness.Object{"workflow_id": p.workflow}, nil)
	l.list(ctx, a, p)
}

// listed is a required document in a response.
type listed struct {
	ID      string `json:"required_document_id"`
	Code    string `json:"document_type_code"`
	Status  string `json:"status"`
	Reasons []struct {
		VersionID string `json:"version_id"`
		Facts     struct {
			Established string `json:"established_date"`
		} `json:"facts"`
	} `json:"reasons"`
}

// renew completes the document that expires, with evidence that is valid today.
func (l *load) renew(ctx context.Context, a *account, p *application) {
	var pending string
	l.ask(ctx, Op{Operation: "workflow.requiredDocument.list", Account: a.id, Subject: p.workflow, Field: unread, Once: true},
		harness.Object{"workflow_id": p.workflow, "filters": harness.Object{"required_document_status": "PENDING"}},
		func(_ *Op, data json.RawMessage) error {
			var list struct {
				Documents []listed `json:"required_documents"`
			}
			err := json.Unmarshal(data, &list)
			for _, d := range list.Documents {
				if d.Code == expiring {
					pending = d.ID
				}
			}
			return err
		})
	if pending != "" {
		evidence := []harness.Object{{"expires_on": time.Now().In(zone(a.zone)).Format(time.DateOnly)}}
		l.ask(ctx, Op{Operation: "workflow.requiredDocument.update", Account: a.id, Subject: pending, Field: renewal, Value: "COMPLETED", Once: true},
			harness.Object{"required_document_id": pending, "required_document": harness.Object{"status": "COMPLETED", "evidence": evidence}}, nil)
	}
}

// list reads the documents of a workflow, and returns the one that is always required; nil
// if it was not read.
func (l *load) list(ctx context.Context, a *account, p *application) *listed {
	var base *listed
	l.ask(ctx, Op{Operation: "workflow.requiredDocument.list", Account: a.id, Subject: p.workflow, Once: true}, harness.Object{"workflow_id": p.workflow},
		func(o *Op, data json.RawMessage) error {
			var list struct {
				Documents []listed `json:"required_documents"`
			}
			if err := json.Unmarshal(data, &list); err != nil {
				return err
			}
			for _, d := range list.Documents {
				if d.Code == alwaysRequired {
					base, o.Field, o.Value = &d, d.Reasons[0].VersionID, d.Reasons[0].Facts.Established
				}
			}
			return nil
		})
	return base
}

func (l *load) read(ctx context.Context, a *account, p *application) {
	l.ask(ctx, Op{Operation: "business.get", Account: a.id, Subject: p.business, Once: true}, harness.Object{"business_id": p.business},
		func(o *Op, data json.RawMessage) error {
			var b struct {
				Name        string   `json:"legal_name"`
				Established string   `json:"established_date"`
				Codes       []string `json:"industry_category_code"`
			}
			err := json.Unmarshal(data, &b)
			_, o.Value, _ = strings.Cut(b.Name, "/")
			if revision := number(o.Value); b.Established != day(revision) || !slices.Equal(b.Codes, []string{class(revision)}) {
				o.Value = fmt.Sprintf("a mixture: %+v", b)
			}
			return err
		})
}

// end completes an application. No client uses it afterwards.
func (l *load) end(ctx context.Context, random *rand.Rand, a *account) {
	a.mu.Lock()
	var ending *application
	if i := random.IntN(len(a.applications)); !a.applications[i].kept {
		ending = a.applications[i]
		a.applications = slices.Delete(a.applications, i, i+1)
	}
	a.mu.Unlock()
	if ending == nil {
		return
	}
	l.ask(ctx, Op{Operation: "workflow.complete", Account: a.id, Subject: ending.workflow}, harness.Object{"workflow_id": ending.workflow}, nil)
	l.calculate(ctx, random, a, ending) // must be refused
}

var nextStatus = map[string]string{"PENDING": "NEEDS_REVIEW", "NEEDS_REVIEW": "COMPLETED", "COMPLETED": "PENDING"}

// review changes the status of the document that is always required.
func (l *load) review(ctx context.Context, a *account, id, from string) (now string) {
	o := l.ask(ctx, Op{Operation: "workflow.requiredDocument.update", Account: a.id, Subject: id, Value: nextStatus[from]},
		harness.Object{"required_document_id": id, "required_document": harness.Object{"status": nextStatus[from]}}, nil)
	if o.done() {
		return nextStatus[from]
	}
	return from
}

// createKey creates a key. It returns an empty id if that failed, or if the response with
// the secret was lost.
func (l *load) createKey(ctx context.Context, a *account) string {
	var usable string
	l.ask(ctx, Op{Operation: "webhook.key.create", Account: a.id, Subject: a.id}, harness.Object{"account_id": a.id}, func(o *Op, data json.RawMessage) error {
		var made struct {
			KeyID  string `json:"key_id"`
			Secret string `json:"shared_secret"`
		}
		if err := json.Unmarshal(data, &made); err != nil {
			return err
		}
		o.Value = made.KeyID
		if made.Secret == "" {
			return nil
		}
		secret, err := base64.StdEncoding.DecodeString(made.Secret)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.shown = append(l.shown, Shown{a.id, made.KeyID})
		l.secrets[a.id+"/"+made.KeyID] = secret
		usable = made.KeyID
		return err
	})
	return usable
}

func (l *load) activateKey(ctx context.Context, a *account, key string) {
	l.ask(ctx, Op{Operation: "webhook.key.activate", Account: a.id, Subject: key, Value: key}, harness.Object{"account_id": a.id, "key_id": key}, nil)
}

func (l *load) publish(ctx context.Context, a *account) Op {
	const known = `established_date < date("2100-01-01")`
	documents := []harness.Object{{
		"document_type_code": alwaysRequired, "name": "Base", "category": "C", "entity_type": "Business", "when": known,
		"requirement_text": fmt.Sprint("Edition ", l.names.Add(1)),
	}, {
		"document_type_code": due, "name": "Due", "category": "C", "entity_type": "Business", "when": known, "requirement_text": "T",
		"due_within": "1 day", "due_from": "established_date",
	}, {
		"document_type_code": expiring, "name": "Expiring", "category": "C", "entity_type": "Business", "when": known, "requirement_text": "T",
		"must_be_valid": true, "remind_before": "1 day",
	}, {
		"document_type_code": ofPerson, "name": "Of a person", "category": "C", "entity_type": "Person", "when": known, "requirement_text": "T",
	}}
	for c := range classes {
		documents = append(documents, harness.Object{
			"document_type_code": "CLASS_" + class(c), "name": "Class", "category": "C", "entity_type": "Business", "requirement_text": "T",
			"when": fmt.Sprintf("%s && industry_category_code.exists(c, c == %q)", known, class(c)),
		})
	}
	return l.ask(ctx, Op{Operation: "account.documentRules.publish", Account: a.id, Subject: a.id},
		harness.Object{"account_id": a.id, "rules": harness.Object{"documents": documents}}, text("version_id", value))
}

var typeChoices = []string{
	allTypes, "WORKFLOW_CREATED WORKFLOW_COMPLETED WEBHOOK_TEST", "REQUIRED_DOCUMENTS_CALCULATED WEBHOOK_KEY_ACTIVATED", "WORKFLOW_STARTED REQUIRED_DOCUMENT_UPDATED",
}

func typesOf(choice string) any {
	if choice == allTypes {
		return nil
	}
	return strings.Split(choice, " ")
}

func (l *load) createEndpoint(ctx context.Context, a *account, types string, kept bool) *hook {
	name := fmt.Sprint("sink-", l.names.Add(1))
	l.sinks.add(name, a.id)
	config := harness.Object{"url": "http://" + l.sinkAt + "/" + name}
	if types != allTypes {
		config["event_types"] = typesOf(types)
	}
	o := l.ask(ctx, Op{Operation: "webhook.config.create", Account: a.id, Field: types, Value: name},
		harness.Object{"account_id": a.id, "config": config}, text("config_id", subject))
	if !o.done() {
		return nil
	}
	h := &hook{config: o.Subject, sink: name, status: "ACTIVE", kept: kept}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.endpoints = append(a.endpoints, h)
	return h
}

func (l *load) updateEndpoint(ctx context.Context, a *account, h *hook, field, to string, v any) Op {
	return l.ask(ctx, Op{Operation: "webhook.config.update", Account: a.id, Subject: h.config, Field: field, Value: to},
		harness.Object{"config_id": h.config, "config": harness.Object{field: v}}, nil)
}

func (l *load) setStatus(ctx context.Context, a *account, h *hook, status string) {
	if l.updateEndpoint(ctx, a, h, "status", status, status).done() {
		h.status = status
	}
}

func (l *load) deleteEndpoint(ctx context.Context, a *account, h *hook) {
	a.mu.Lock()
	a.endpoints = slices.DeleteFunc(a.endpoints, func(o *hook) bool { return o == h })
	a.mu.Unlock()
	l.ask(ctx, Op{Operation: "webhook.config.delete", Account: a.id, Subject: h.config}, harness.Object{"config_id": h.config}, nil)
}

func (l *load) test(ctx context.Context, a *account, h *hook) {
	l.ask(ctx, Op{Operation: "webhook.config.test", Account: a.id, Subject: h.config}, harness.Object{"config_id": h.config}, text("event_id", value))
}

// enable enables an endpoint that the service has disabled, as its owner does after fixing
// it.
func (l *load) enable(ctx context.Context, a *account, h *hook) {
	var now struct {
		Status string `json:"status"`
	}
	if _, err := l.client.Call(ctx, "webhook.config.get", harness.Object{"config_id": h.config}, &now); err == nil && now.Status == "DISABLED" {
		l.setStatus(ctx, a, h, "ACTIVE")
	}
}

func (a *account) hooks() []*hook {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.endpoints)
}

// replay sends a copy of an accepted request.
func (l *load) replay(ctx context.Context, random *rand.Rand) {
	l.mu.Lock()
	if len(l.accepted) == 0 {
		l.mu.Unlock()
		return
	}
	copied := l.accepted[random.IntN(len(l.accepted))]
	l.mu.Unlock()
	o := Op{Span: Span{l.since(), Forever}, Operation: "replay", Subject: copied.url, Once: true, Tries: 1}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, copied.url, bytes.NewReader(copied.body))
	if err != nil {
		panic(err) // it was sent before
	}
	request.Header = copied.header.Clone()
	transport := l.client.HTTP.Transport.(*recorder).next
	response, err := (&http.Client{Timeout: 15 * time.Second, Transport: transport}).Do(request)
	if err != nil {
		l.record(o)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 500 {
		l.record(o)
		return
	}
	var answer requisite.Answer
	_ = json.Unmarshal(body, &answer) // without an envelope, the copy counts as accepted
	o.End, o.Value = l.since(), string(body)
	if len(answer.Errors) > 0 && strings.HasPrefix(answer.Errors[0].Code, "AUTH_") {
		o.Refusal = answer.Errors[0].Code
	}
	l.record(o)
}
