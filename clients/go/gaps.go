package requisite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Question is what FillGaps asks for: the value of a missing field, or how many persons the
// business has.
type Question struct {
	MissingField
	// Gap is the gap that the field is of. It says which record it is about.
	Gap Gap
	// Person says which person it is, if the persons of a business are put on record: 0 for the
	// first. It is 0 for every other record.
	Person int
}

// Ask answers a question, from a form or a person. The value is encoded as JSON. For the field
// persons, which FillGaps asks before it puts persons on record, answer how many there are; 0
// attests that there is nobody. An error ends FillGaps before it has written anything.
type Ask func(ctx context.Context, q Question) (any, error)

// FillGaps calculates the required documents of a workflow. If facts are missing, it asks for
// them, puts them on record, and calculates again, until nothing is missing. A sales info record
// is created anew with what it holds. It returns a refusal whose gaps stay the same. If a person is
// refused, it removes the persons that it has put on record.
func (c *Client) FillGaps(ctx context.Context, workflowID string, ask Ask) (Result[Empty], error) {
	var before []byte
	for {
		result, err := c.WorkflowRequiredDocumentCalculate(ctx, WorkflowRequest{WorkflowID: workflowID})
		var refused Error
		if !errors.As(err, &refused) || len(refused.Gaps()) == 0 || bytes.Equal(before, refused.Details) {
			return result, err
		}
		before = refused.Details
		calls, err := fill(ctx, workflowID, refused.Gaps(), ask)
		if err != nil {
			return result, err
		}
		var made []string // persons
		for _, one := range calls {
			var person PersonCreateData
			_, err := c.Call(ctx, one.operation, one.request, &person)
			if one.operation == "person.create" && errors.As(err, &refused) { // if some persons stayed, no gap would tell of the others
				for _, id := range made {
					_, undone := c.PersonDelete(ctx, PersonRequest{PersonID: id})
					err = errors.Join(err, undone)
				}
			}
			if err != nil {
				return result, err
			}
			if person.PersonID != nil {
				made = append(made, *person.PersonID)
			}
		}
	}
}

type filling struct {
	operation string
	request   map[string]any
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
		if save == "person.create" {
			if count, err = countPersons(ctx, gap, ask); err != nil {
				return nil, err
			}
		}
		if count == 0 {
			calls = append(calls, filling{"business.update", map[string]any{"business_id": gap.BusinessID, "business": map[string]any{"no_persons_attested": true}}})
		}
		for person := range count {
			fields := map[string]any{}
			for _, m := range fieldsOf(records[key]) {
				value := any(m.Value)
				if m.Value == nil {
					if m.Label == nil && m.Ask == nil && m.Choices == nil {
						m.Label, m.Ask, m.Choices = words[m.Field].Label, words[m.Field].Ask, words[m.Field].Choices
					}
					words[m.Field] = m
					if value, err = ask(ctx, Question{m, gap, person}); err != nil {
						return nil, err
					}
				}
				field, part, within := strings.Cut(m.Field, ".") // such as custom and legal_form
				switch {
				case m.Type != nil:
					amounts, _ := fields[field].([]any)
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
			request := map[string]any{name: fields}
			if gap.BusinessID != nil {
				request["business_id"] = gap.BusinessID
			} else {
				request[name+"_id"] = gap.EntityID
			}
			if gap.DeleteFirst != nil {
				check := map[string]any{"business_id": gap.BusinessID, name: fields, "validate_only": true}
				calls = append(calls, filling{save, check}, filling{gap.RelatedEndpoints[0], map[string]any{name + "_id": gap.DeleteFirst}})
			}
			calls = append(calls, filling{save, request})
		}
	}
	if scored {
		calls = append(calls, filling{"workflow.pricing.calculate", map[string]any{"workflow_id": workflowID}})
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

// fieldsOf returns what the gaps of one record need: what is present, and each missing field once.
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

func countPersons(ctx context.Context, gap Gap, ask Ask) (int, error) {
	question := MissingField{Field: "persons", ValueType: "NUMBER", Label: Ptr("number of persons"), Ask: Ptr("How many persons does the business have?")}
	answered, err := ask(ctx, Question{question, gap, 0})
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
