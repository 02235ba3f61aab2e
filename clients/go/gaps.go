package requisite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Question is what FillGaps asks for: the value of a missing field, or how many persons the
// business has.
type Question struct {
	MissingField
	// Gap is the gap with the field. It names the record.
	Gap Gap
	// Person is the index of the person, from 0, when the persons of a business are put on record.
	// It is 0 for every other record.
	Person int
}

// String names the field and the record, without an answer.
func (q Question) String() string {
	switch {
	case q.Field == "persons":
		return "the number of persons"
	case q.Gap.RelatedEndpoints[len(q.Gap.RelatedEndpoints)-1] == createPersons:
		return fmt.Sprintf("%s of persons[%d]", q.name(), q.Person)
	}
	return fmt.Sprintf("%s of %s %s", q.name(), q.Gap.EntityType, q.Gap.EntityID)
}

func (q Question) name() string {
	if q.Type != nil {
		return q.Field + " " + *q.Type
	}
	return q.Field
}

// RefusedAnswer is an answer that the service has refused, and why.
type RefusedAnswer struct {
	Question Question
	Problem  Problem
}

// Ask answers a question, from a form or a person. The value is encoded as JSON. For the field
// persons, which FillGaps asks before it puts persons on record, answer how many there are; 0
// attests that there is nobody. An error ends FillGaps before it has written anything.
type Ask func(ctx context.Context, q Question) (any, error)

// FillGaps calculates the required documents of a workflow. If facts are missing, it asks for
// them, puts them on record, and calculates again, until nothing is missing. It returns a refusal
// whose gaps stay the same. An Error for an answer that was refused has RefusedAnswers.
//
// Call it again after any error: it continues from what is on record. One request creates all persons of
// a business. One request replaces a sales info record by one that also has the old amounts. The same
// answers have the same Idempotency-Key, so no record is created twice.
//
// Each of its calls gets the options, such as SandboxToday. FillGaps returns ErrFillGapsKey if one is an IdempotencyKey.
func (c *Client) FillGaps(ctx context.Context, workflowID string, ask Ask, options ...Option) (Result[Empty], error) {
	headers := http.Header{}
	for _, option := range options {
		option(headers)
	}
	if _, given := headers[headerIdempotencyKey]; given {
		return Result[Empty]{}, ErrFillGapsKey
	}
	filler := filler{c, options, headers.Get(headerSandboxToday)}
	var before []byte
	var calls []filling
	for number := 0; ; {
		result, err := c.WorkflowRequiredDocumentCalculate(ctx, WorkflowRequest{WorkflowID: workflowID}, options...)
		var refused Error
		if !errors.As(err, &refused) || len(refused.Gaps()) == 0 {
			return result, err
		}
		if !bytes.Equal(before, refused.Details) {
			before, number = refused.Details, 0
			if calls, err = fill(ctx, workflowID, refused.Gaps(), ask); err != nil {
				return result, err
			}
		} else if calls = creating(calls); number == maxNumber || len(calls) == 0 {
			return result, err
		} else {
			number++
		}
		for _, one := range calls {
			if err := filler.fillOne(ctx, one, number); err != nil {
				return result, err
			}
		}
	}
}

// ErrFillGapsKey is the error of FillGaps with an IdempotencyKey. It has sent nothing.
var ErrFillGapsKey = errors.New("requisite: FillGaps takes no IdempotencyKey: each of its calls that creates a record has its own")

// maxNumber limits how often FillGaps creates records again. If gaps remain after records were
// created, the service has repeated its answer for earlier records, which were deleted since. An
// Idempotency-Key with the next number then creates new ones.
const maxNumber = 9

// filling is a call that puts facts on record.
type filling struct {
	operation string
	request   map[string]any
	// rest are the fields of each person for which the request of person.create has no room.
	rest []map[string]any
	// asked are the questions, by the path of the answer in the request.
	asked map[string]Question
}

// blame adds to a refusal which answers it is about. at is where the fields of the request are in asked.
func (f filling) blame(err error, at func(field string) string) error {
	var refused Error
	if !errors.As(err, &refused) {
		return err
	}
	for _, p := range refused.Problems() {
		field := at(p.Field)
		for end := len(field); end > 0; end = strings.LastIndexAny(field[:end], ".[") {
			if q, ok := f.asked[field[:end]]; ok {
				refused.RefusedAnswers = append(refused.RefusedAnswers, RefusedAnswer{q, p})
				break
			}
		}
	}
	return refused
}

func (f filling) creates() bool { return strings.HasSuffix(f.operation, ".create") }

func creating(calls []filling) (creates []filling) {
	for _, one := range calls {
		if one.creates() {
			creates = append(creates, one)
		}
	}
	return creates
}

// filler makes the calls of FillGaps.
type filler struct {
	client  *Client
	options []Option
	day     string // of SandboxToday
}

func (f filler) fillOne(ctx context.Context, one filling, number int) error {
	options := slices.Clone(f.options)
	body, err := json.Marshal(one.request)
	if err != nil {
		return fmt.Errorf("encode a request for %s: %w", one.operation, err)
	}
	if one.creates() {
		key := fmt.Sprintf("fill-gaps-%d-%x", number, sha256.Sum256(body))
		if f.day != "" { // a key belongs to one day
			key += "-" + f.day
		}
		options = append(options, IdempotencyKey(key))
	}
	var made PersonCreateData
	if _, err := f.client.Call(ctx, one.operation, json.RawMessage(body), &made, options...); err != nil {
		var refused Error
		if one.operation == calculatePricing && errors.As(err, &refused) && len(refused.Gaps()) > 0 {
			return nil // what is on record now asks for more: the next calculation tells it
		}
		return one.blame(err, func(field string) string { return field })
	}
	for i, fields := range one.rest { // after an error, gaps tell which persons lack them
		if len(fields) == 0 || i >= len(made.PersonIDs) {
			continue
		}
		_, err := f.client.Call(ctx, "person.update", map[string]any{"person_id": made.PersonIDs[i], "person": fields}, nil, f.options...)
		var refused Error
		if errors.As(err, &refused) && refused.Code == "ENTITY_NOT_FOUND" {
			return nil // deleted since: the gaps come back
		} else if err != nil {
			return one.blame(err, func(field string) string { return personPath(i) + strings.TrimPrefix(field, "person") })
		}
	}
	return nil
}

const createPersons = "person.create"

func personPath(i int) string { return fmt.Sprintf("persons[%d]", i) }

const calculatePricing = "workflow.pricing.calculate"

// maxRequest is the most bytes of a request that the service takes.
const maxRequest = 64 << 10

// putPersons returns the call that puts all persons of a business on record. If only some of them
// were on record, no gap would ask for the others. So a request that is too large has only the names.
func putPersons(businessID *string, persons []map[string]any, asked map[string]Question) (filling, error) {
	request := func(persons []map[string]any) (request map[string]any, size int, err error) {
		request = map[string]any{"business_id": businessID, "persons": persons}
		body, err := json.Marshal(request)
		return request, len(body), err
	}
	whole, size, err := request(persons)
	if err != nil || size <= maxRequest {
		return filling{operation: createPersons, request: whole, asked: asked}, err
	}
	names, rest := make([]map[string]any, len(persons)), make([]map[string]any, len(persons))
	for i, person := range persons {
		names[i], rest[i] = map[string]any{}, map[string]any{}
		for field, value := range person {
			if field == "first_name" || field == "last_name" {
				names[i][field] = value
			} else {
				rest[i][field] = value
			}
		}
	}
	named, size, err := request(names)
	if err == nil && size > maxRequest {
		err = errors.New("requisite: the names of the persons do not fit into one request: put the persons on record before, with person.create")
	}
	return filling{createPersons, named, rest, asked}, err
}

// fill asks for everything, and returns the calls that put it on record.
func fill(ctx context.Context, workflowID string, gaps []Gap, ask Ask) (calls []filling, err error) {
	var keys []string
	records, scored := map[string][]Gap{}, false
	add := func(gap Gap) {
		if gap.Code == "CALCULATED_PRICING_REQUIRED" {
			scored = true
			return
		}
		key := gap.EntityID + " " + strings.Join(gap.RelatedEndpoints, " ")
		if records[key] == nil {
			keys = append(keys, key)
		}
		records[key] = append(records[key], gap)
	}
	for _, gap := range gaps {
		add(gap)
	}
	for _, gap := range gaps {
		for _, missing := range gap.PricingMissing {
			add(missing)
		}
	}
	words := map[string]MissingField{} // the first entry of a field alone has them
	for _, key := range keys {
		gap := records[key][0]
		save := gap.RelatedEndpoints[len(gap.RelatedEndpoints)-1] // such as business.salesInfo.create
		name := nameOf(save)                                      // such as sales_info
		count := 1
		if save == createPersons {
			if count, err = countPersons(ctx, gap, ask); err != nil {
				return nil, err
			}
		}
		asked := map[string]Question{}
		if count == 0 {
			calls = append(calls, filling{operation: "business.update", request: map[string]any{
				"business_id": gap.BusinessID, "business": map[string]any{"no_persons_attested": true},
			}, asked: map[string]Question{"business.no_persons_attested": howMany(gap)}})
		}
		var persons []map[string]any
		for person := range count {
			fields, path := map[string]any{}, name
			if save == createPersons {
				path = personPath(person)
			}
			for _, m := range fieldsOf(records[key]) {
				field, part, within := strings.Cut(m.Field, ".") // such as custom and legal_form
				amounts, _ := fields[field].([]any)
				value := any(m.Value)
				if m.Value == nil {
					if m.Label == nil && m.Ask == nil && m.Choices == nil {
						m.Label, m.Ask, m.Choices = words[m.Field].Label, words[m.Field].Ask, words[m.Field].Choices
					}
					words[m.Field] = m
					question, answered := Question{m, gap, person}, path+"."+m.Field
					if m.Type != nil {
						answered += fmt.Sprintf("[%d]", len(amounts))
					}
					if value, err = ask(ctx, question); err != nil {
						return nil, err
					}
					asked[answered] = question
				}
				switch {
				case m.Type != nil:
					fields[field] = append(amounts, map[string]any{"type": m.Type, "value": value, "currency": m.Currency})
				case within:
					parts, ok := fields[field].(map[string]any)
					if !ok {
						parts = map[string]any{}
						fields[field] = parts
					}
					parts[part] = value
				default:
					fields[field] = value
				}
			}
			if save == createPersons {
				persons = append(persons, fields)
				continue
			}
			request := map[string]any{name: fields}
			if gap.BusinessID != nil {
				request["business_id"] = gap.BusinessID
			} else {
				request[name+"_id"] = gap.EntityID
			}
			if gap.DeleteFirst != nil {
				request["replaces"] = gap.DeleteFirst
			}
			calls = append(calls, filling{operation: save, request: request, asked: asked})
		}
		if len(persons) > 0 {
			put, err := putPersons(gap.BusinessID, persons, asked)
			if err != nil {
				return nil, err
			}
			calls = append(calls, put)
		}
	}
	if scored {
		calls = append(calls, filling{operation: calculatePricing, request: map[string]any{"workflow_id": workflowID}})
	}
	return calls, nil
}

// nameOf returns the field of the record in the request of an operation that saves it.
func nameOf(operation string) string {
	parts := strings.Split(operation, ".")
	var name strings.Builder
	for _, c := range parts[len(parts)-2] {
		if c >= 'A' && c <= 'Z' {
			name.WriteByte('_')
			c += 'a' - 'A'
		}
		name.WriteRune(c)
	}
	return name.String()
}

// fieldsOf returns the fields in the gaps of one record: those present, and each missing one once.
func fieldsOf(record []Gap) []MissingField {
	fields := append([]MissingField(nil), record[0].Present...)
	had := map[string]bool{}
	for _, gap := range record {
		for _, m := range gap.Missing {
			key := m.Field
			if m.Type != nil {
				key += " " + *m.Type
			}
			if !had[key] {
				had[key], fields = true, append(fields, m)
			}
		}
	}
	return fields
}

func howMany(gap Gap) Question {
	return Question{MissingField{
		Field: "persons", ValueType: "NUMBER", Label: Ptr("number of persons"), Ask: Ptr("How many persons does the business have?"),
	}, gap, 0}
}

func countPersons(ctx context.Context, gap Gap, ask Ask) (int, error) {
	answered, err := ask(ctx, howMany(gap))
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(answered)
	count, fault := strconv.Atoi(string(text))
	if err != nil || fault != nil || count < 0 {
		return 0, errors.New("requisite: the answer to persons is how many there are")
	}
	return count, nil
}
