package requisite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// office is a service with one application, as far as gaps go. A fault may strike each request.
type office struct {
	t        *testing.T
	facts    record             // of the workflow
	amounts  map[string]float64 // of the sales info record
	sales    int                // the number of the sales info record
	persons  []record           // p_0, p_1 and so on
	deleted  int                // persons that were deleted
	scored   bool
	outcomes map[string][2]string // of Idempotency-Keys: body and answer
	strike   func() fault         // of the next request
	late     func()               // serves a request that was late
	abort    func()               // ends the program
}

// fault is what happens to a request.
type fault int

const (
	none         fault = iota
	unreached          // it does not arrive
	overload           // it is answered 503
	unanswered         // it takes effect, and its answer is lost
	aborted            // the caller gives up while it takes effect
	late               // the same, and it takes effect just before the next request that writes
	kindsOfFault       // is how many there are
)

type record = map[string]any

func newOffice(t *testing.T) *office {
	return &office{
		t: t, facts: record{}, amounts: map[string]float64{"AVERAGE_MONTHLY_CREDIT_SALES": 60000}, outcomes: map[string][2]string{},
		strike: func() fault { return none }, late: func() {},
	}
}

func (o *office) client() *Client {
	c, err := New("https://api.example.com", "sb_k", "c2VjcmV0", "token")
	if err != nil {
		o.t.Fatal(err)
	}
	c.HTTP = &http.Client{Transport: o}
	c.Retry = Retry{Attempts: 2, Wait: time.Nanosecond, MaxWait: time.Second}
	return c
}

func (o *office) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	status, answered := 503, unavailable
	serve := func() { status, answered = o.serve(r.URL.Path[1:], r.Header.Get("Idempotency-Key"), body) }
	fault := o.strike()
	switch fault {
	case none, unanswered, aborted:
		serve()
	case late:
		o.late = serve
	}
	switch fault {
	case aborted, late:
		o.abort()
		fallthrough
	case unreached, unanswered:
		return nil, errors.New("no answer")
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answered))}, nil
}

func (o *office) serve(operation, key string, body []byte) (int, string) {
	if len(body) > 64<<10 {
		o.t.Errorf("%s has %d bytes", operation, len(body))
	}
	var in record
	if err := json.Unmarshal(body, &in); err != nil {
		o.t.Error(err)
	}
	if operation == "workflow.requiredDocument.calculate" {
		if gaps := o.gaps(); len(gaps) > 0 {
			details, _ := json.Marshal(gaps)
			return 400, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"MISSING_REQUIREMENTS","message":"m","details":` + string(details) + `}]}`
		}
		return 200, done
	}
	arrived := o.late
	o.late = func() {}
	arrived()
	key += " " + operation
	if before, known := o.outcomes[key]; known {
		if before[0] != string(body) {
			o.t.Errorf("%s: another body has the key", key)
		}
		return 200, before[1]
	}
	data := o.write(operation, in)
	if data == nil {
		return 400, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"ENTITY_NOT_FOUND","message":"m"}]}`
	}
	text, _ := json.Marshal(record{"meta": record{"status": "SUCCESS", "trace_id": "t", "version": "v"}, "data": data})
	o.outcomes[key] = [2]string{string(body), string(text)}
	return 200, string(text)
}

func (o *office) write(operation string, in record) record {
	switch operation {
	case "workflow.update":
		maps.Copy(o.facts, in["workflow"].(record)["custom"].(record))
	case "business.salesInfo.create":
		if in["replaces"] != fmt.Sprintf("bsi_%d", o.sales) {
			return nil
		}
		o.sales, o.amounts = o.sales+1, map[string]float64{}
		for _, amount := range in["sales_info"].(record)["sales_amount"].([]any) {
			o.amounts[amount.(record)["type"].(string)] = amount.(record)["value"].(float64)
		}
	case "person.create":
		var ids []string
		for _, p := range in["persons"].([]any) {
			ids = append(ids, fmt.Sprintf("p_%d", o.deleted+len(o.persons)))
			o.persons = append(o.persons, p.(record))
		}
		return record{"person_ids": ids}
	case "person.update":
		person := o.person(in["person_id"].(string))
		if person == nil {
			return nil
		}
		maps.Copy(person, in["person"].(record))
	case "workflow.pricing.calculate":
		o.scored = o.facts["sells"] != nil
	default:
		o.t.Errorf("%s is not needed", operation)
	}
	return record{}
}

func (o *office) person(id string) record {
	var n int
	if _, err := fmt.Sscanf(id, "p_%d", &n); err != nil {
		o.t.Error(err)
	}
	if n < o.deleted {
		return nil
	}
	return o.persons[n-o.deleted]
}

func field(name, kind string) record { return record{"field": name, "value_type": kind} }

func (o *office) gaps() (gaps []record) {
	gap := func(entityType, id string, save []string, more record, missing ...record) {
		one := record{"code": "FIELDS_REQUIRED", "entity_type": entityType, "entity_id": id, "message": "m", "related_endpoints": save, "missing": missing}
		maps.Copy(one, more)
		gaps = append(gaps, one)
	}
	if o.facts["first_sale"] == nil {
		gap("Workflow", "w_1", []string{"workflow.update"}, nil, field("custom.first_sale", "DATE"))
	}
	if len(o.amounts) == 1 {
		id := fmt.Sprintf("bsi_%d", o.sales)
		amount := func(of string) record {
			return record{"field": "sales_amount", "value_type": "AMOUNT", "type": of, "currency": "USD"}
		}
		present := amount("AVERAGE_MONTHLY_CREDIT_SALES")
		present["value"] = o.amounts["AVERAGE_MONTHLY_CREDIT_SALES"]
		gap("BusinessSalesInfo", id, []string{"business.salesInfo.delete", "business.salesInfo.create"},
			record{"business_id": "b_1", "delete_first": id, "present": []record{present}}, amount("HIGHEST_TICKET_SALE"))
	}
	if len(o.persons) == 0 {
		gap("Person", "b_1", []string{"person.create"}, record{"business_id": "b_1"}, field("first_name", "TEXT"), field("last_name", "TEXT"), field("citizenship", "TEXT"), field("custom.note", "TEXT"))
	}
	for i, p := range o.persons {
		var missing []record
		for _, name := range []string{"citizenship", "custom"} {
			if p[name] == nil {
				missing = append(missing, field(strings.Replace(name, "custom", "custom.note", 1), "TEXT"))
			}
		}
		if len(missing) > 0 {
			gap("Person", fmt.Sprintf("p_%d", o.deleted+i), []string{"person.update"}, nil, missing...)
		}
	}
	if !o.scored {
		scored := record{"code": "CALCULATED_PRICING_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": []string{"workflow.pricing.calculate"}, "missing": []record{}}
		if o.facts["sells"] == nil {
			scored["pricing_missing"] = []record{{"code": "FIELDS_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": []string{"workflow.update"},
				"missing": []record{field("custom.sells", "BOOLEAN")}}}
		}
		gaps = append(gaps, scored)
	}
	return gaps
}

// form answers for so many owners, each with a note of so many bytes.
func (o *office) form(owners, note int) Ask {
	return func(_ context.Context, q Question) (any, error) {
		of := q.Person
		if strings.HasPrefix(q.Gap.EntityID, "p_") {
			_, _ = fmt.Sscanf(o.person(q.Gap.EntityID)["first_name"].(string), "Owner %d", &of)
		}
		return map[string]any{
			"persons": owners, "first_name": fmt.Sprint("Owner ", of), "last_name": "Lie", "citizenship": fmt.Sprint("N", of), "custom.note": strings.Repeat("n", note) + fmt.Sprint(of),
			"sales_amount": 98.5, "custom.sells": false, "custom.first_sale": "2026-01-02",
		}[q.Field], nil
	}
}

// onFile is what is on record.
func (o *office) onFile() record {
	return record{"facts": o.facts, "amounts": o.amounts, "sales": o.sales, "persons": o.persons, "scored": o.scored}
}

// TestFillGaps_ContinuesAfterAnyFault: the program fails at any of its requests, before the request
// arrives or before its answer does, and runs again until it succeeds. What is on record is the same
// as without faults, and nothing is lost meanwhile.
func TestFillGaps_ContinuesAfterAnyFault(t *testing.T) {
	for _, size := range []struct{ owners, note int }{{3, 5}, {4, 17000}} {
		whole := newOffice(t)
		requests := 0
		whole.strike = func() fault { requests++; return none }
		if _, err := whole.client().FillGaps(t.Context(), "w_1", whole.form(size.owners, size.note)); err != nil {
			t.Fatal(err)
		}
		first := requests * int(kindsOfFault-1) // each fault at each request, and then random ones
		for seed := range first + 60 {
			o, random := newOffice(t), rand.New(rand.NewPCG(uint64(seed), 1))
			failed := true
			for runs := 0; failed; runs++ {
				at, kind := random.IntN(2*requests), 1+fault(random.IntN(int(kindsOfFault-1)))
				if seed < first && runs == 0 {
					at, kind = seed%requests, 1+fault(seed/requests)
				}
				lasts := random.IntN(2) == 0 // until the program ends; otherwise a retry mends it
				came := 0
				o.strike = func() fault {
					if came++; came == at+1 {
						return kind
					} else if came > at+1 && lasts {
						return unreached
					}
					return none
				}
				ctx, abort := context.WithCancel(t.Context())
				o.abort = abort
				_, err := o.client().FillGaps(ctx, "w_1", o.form(size.owners, size.note))
				abort()
				failed = err != nil
				if n := len(o.persons); n != 0 && n != size.owners || o.amounts["AVERAGE_MONTHLY_CREDIT_SALES"] != 60000 {
					t.Fatalf("seed %d, run %d: %d persons and the amounts %v are on record", seed, runs, n, o.amounts)
				}
				if runs == 100 {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if !reflect.DeepEqual(o.onFile(), whole.onFile()) {
				t.Fatalf("seed %d: %v is on record, not %v", seed, o.onFile(), whole.onFile())
			}
		}
	}
}

// TestFillGaps_CreatesDeletedPersonsAgain, although the service answers for the deleted ones at first.
func TestFillGaps_CreatesDeletedPersonsAgain(t *testing.T) {
	for _, size := range []struct{ owners, note int }{{3, 5}, {4, 17000}} {
		o := newOffice(t)
		for range 4 {
			if _, err := o.client().FillGaps(t.Context(), "w_1", o.form(size.owners, size.note)); err != nil || len(o.persons) != size.owners {
				t.Fatal(err, len(o.persons))
			}
			o.deleted, o.persons = o.deleted+len(o.persons), nil
		}
	}
}
