package requisite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

const gapsOfAll = `[
	{"code":"FIELDS_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"m","related_endpoints":["workflow.update"],
		"missing":[{"field":"custom.first_sale","value_type":"DATE","label":"first sale","ask":"The day."}]},
	{"code":"FIELDS_REQUIRED","entity_type":"BusinessSalesInfo","entity_id":"bsi_1","business_id":"b_1","delete_first":"bsi_1","message":"m",
		"related_endpoints":["business.salesInfo.delete","business.salesInfo.create"],
		"missing":[{"field":"sales_amount","value_type":"AMOUNT","type":"HIGHEST_TICKET_SALE","currency":"USD"}],
		"present":[{"field":"sales_amount","value_type":"AMOUNT","type":"AVERAGE_MONTHLY_CREDIT_SALES","currency":"USD","value":60000}]},
	` + gapOfPersons + `,
	{"code":"CALCULATED_PRICING_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"m","related_endpoints":["workflow.pricing.calculate"],"missing":[],
		"pricing_missing":[{"code":"FIELDS_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"m","related_endpoints":["workflow.update"],
			"missing":[{"field":"custom.first_sale","value_type":"DATE"},{"field":"custom.sells","value_type":"BOOLEAN"}]}]}]`

const gapOfPersons = `{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"b_1","business_id":"b_1","message":"m","related_endpoints":["person.create"],
	"missing":[{"field":"first_name","value_type":"TEXT"},{"field":"citizenship","value_type":"TEXT"}]}`

func refusedFor(gaps string) func(http.ResponseWriter) {
	return answer(400, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"MISSING_REQUIREMENTS","message":"m","details":`+gaps+`}]}`)
}

func TestFillGaps_AsksFillsAndCalculates(t *testing.T) {
	empty := answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{}}`)
	decided := answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{}}`, "Requisite-Decision-Id", "dec_1")
	c, got := serve(t, refusedFor(gapsOfAll), empty, empty, empty, empty, decided)
	var asked []string
	values := map[string]any{"persons": 2, "sales_amount": 98.5, "first_name": "Ida", "citizenship": "NO", "custom.sells": false, "custom.first_sale": "2026-01-02"}
	result, err := c.FillGaps(t.Context(), "w_1", func(_ context.Context, q Question) (any, error) {
		label := ""
		if q.Label != nil {
			label = *q.Label + " " + *q.Ask
		}
		asked = append(asked, fmt.Sprint(q.Field, " ", q.Person, " ", label, q.Gap.EntityType))
		return values[q.Field], nil
	})
	if err != nil || result.DecisionID != "dec_1" {
		t.Fatal(result, err)
	}
	if want := []string{
		"custom.first_sale 0 first sale The day.Workflow", "custom.sells 0 Workflow", "sales_amount 0 BusinessSalesInfo", "persons 0 number of persons How many persons does the business have?Person",
		"first_name 0 Person", "citizenship 0 Person", "first_name 1 Person", "citizenship 1 Person",
	}; !reflect.DeepEqual(asked, want) {
		t.Error(strings.Join(asked, "\n"))
	}
	amounts := `"sales_info":{"sales_amount":[{"currency":"USD","type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000},{"currency":"USD","type":"HIGHEST_TICKET_SALE","value":98.5}]}`
	want := []string{
		`/v1/workflow.requiredDocument.calculate {"workflow_id":"w_1"}`,
		`/v1/workflow.update {"workflow":{"custom":{"first_sale":"2026-01-02","sells":false}},"workflow_id":"w_1"}`,
		`/v1/business.salesInfo.create {"business_id":"b_1","replaces":"bsi_1",` + amounts + `}`,
		`/v1/person.create {"business_id":"b_1","persons":[{"citizenship":"NO","first_name":"Ida"},{"citizenship":"NO","first_name":"Ida"}]}`,
		`/v1/workflow.pricing.calculate {"workflow_id":"w_1"}`,
		`/v1/workflow.requiredDocument.calculate {"workflow_id":"w_1"}`,
	}
	for i, one := range *got {
		if sent := one.path + " " + one.body; sent != want[i] {
			t.Errorf("request %d is\n%s, not\n%s", i, sent, want[i])
		}
	}
}

// TestFillGaps_GoesOnIfPricingAsksForMore: a fact that is only asked for when another is on record.
func TestFillGaps_GoesOnIfPricingAsksForMore(t *testing.T) {
	gap := func(field string) string {
		return `{"code":"FIELDS_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"m","related_endpoints":["workflow.update"],"missing":[{"field":"custom.` + field + `","value_type":"TEXT"}]}`
	}
	score := func(missing string) func(http.ResponseWriter) {
		return refusedFor(`[{"code":"CALCULATED_PRICING_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"m","related_endpoints":["workflow.pricing.calculate"],"missing":[],"pricing_missing":[` + gap(missing) + `]}]`)
	}
	empty := answer(200, done)
	c, got := serve(t, score("form"), empty, refusedFor("["+gap("shares")+"]"), score("shares"), empty, empty, empty)
	if _, err := c.FillGaps(t.Context(), "w_1", func(_ context.Context, q Question) (any, error) { return q.Field, nil }); err != nil {
		t.Fatal(err)
	}
	if len(*got) != 7 || !strings.Contains((*got)[4].body, `"shares":"custom.shares"`) {
		t.Error(*got)
	}
	failing := answer(400, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"SYSTEM_RULE_VIOLATION","message":"m"}]}`)
	c, got = serve(t, score("form"), empty, failing)
	if _, err := c.FillGaps(t.Context(), "w_1", func(context.Context, Question) (any, error) { return 0, nil }); err == nil || len(*got) != 3 {
		t.Error(err, *got)
	}
}

func TestFillGaps_ReturnsGapsThatStay(t *testing.T) {
	gaps := refusedFor("[" + gapOfPersons + "]")
	c, got := serve(t, gaps, answer(200, done), gaps)
	_, err := c.FillGaps(t.Context(), "w_1", func(context.Context, Question) (any, error) { return 0, nil })
	var refused Error
	if !errors.As(err, &refused) || len(refused.Gaps()) != 1 || (*got)[1].body != `{"business":{"no_persons_attested":true},"business_id":"b_1"}` {
		t.Error(err, *got)
	}
}

// TestFillGaps_NamesTheDayInEachCall, also where the persons need several. A key belongs to one day.
func TestFillGaps_NamesTheDayInEachCall(t *testing.T) {
	made := answer(200, `{"meta":{"status":"SUCCESS","trace_id":"t","version":"v"},"data":{"person_ids":["p_0","p_1"]}}`)
	empty := answer(200, done)
	values := map[string]any{"persons": 2, "citizenship": strings.Repeat("x", 40_000)}
	keys := map[string][]string{}
	for _, day := range []string{"2027-06-01", "2027-06-02", "2027-06-02"} {
		c, got := serve(t, refusedFor(gapsOfAll), empty, empty, made, empty, empty, empty, empty)
		if _, err := c.FillGaps(t.Context(), "w_1", func(_ context.Context, q Question) (any, error) { return values[q.Field], nil }, SandboxToday(day)); err != nil {
			t.Fatal(err)
		}
		for _, one := range *got {
			if sent := one.header.Get("X-Sandbox-Today"); sent != day {
				t.Errorf("%s names %q, not %s", one.path, sent, day)
			}
			if strings.HasSuffix(one.path, ".create") {
				keys[one.path] = append(keys[one.path], one.header.Get("Idempotency-Key"))
			}
		}
		if len(*got) != 8 {
			t.Error(len(*got))
		}
	}
	for path, of := range keys {
		if of[0] == of[1] || of[1] != of[2] {
			t.Error(path, of)
		}
	}
	if len(keys) != 2 {
		t.Error(keys)
	}
}

func TestFillGaps_TakesNoIdempotencyKey(t *testing.T) {
	c, got := serve(t)
	if _, err := c.FillGaps(t.Context(), "w_1", nil, IdempotencyKey("order-4711")); !errors.Is(err, ErrFillGapsKey) || len(*got) > 0 {
		t.Error(err, *got)
	}
}

func TestFillGaps_SaysWhichAnswersAreRefused(t *testing.T) {
	bad := func(fields ...string) func(http.ResponseWriter) {
		for i, field := range fields {
			fields[i] = `{"field":"` + field + `","code":"WRONG_FORMAT","message":"m"}`
		}
		problems := strings.Join(fields, ",")
		return answer(400, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"BAD_REQUEST","message":"m","details":[`+problems+`]}]}`)
	}
	for _, of := range []struct {
		operation string
		given     []func(http.ResponseWriter)
		want      []string
	}{
		{"workflow.update", []func(http.ResponseWriter){bad("workflow.custom.first_sale", "workflow_id")}, []string{"custom.first_sale of Workflow w_1"}},
		{"business.salesInfo.create", []func(http.ResponseWriter){answer(200, done), bad("sales_info.sales_amount[1].value")},
			[]string{"sales_amount HIGHEST_TICKET_SALE of BusinessSalesInfo bsi_1"}},
		{"person.create", []func(http.ResponseWriter){answer(200, done), answer(200, done), bad("persons[1].citizenship", "persons[0].first_name")},
			[]string{"citizenship of persons[1]", "first_name of persons[0]"}},
	} {
		c, _ := serve(t, append([]func(http.ResponseWriter){refusedFor(gapsOfAll)}, of.given...)...)
		_, err := c.FillGaps(t.Context(), "w_1", func(context.Context, Question) (any, error) { return 2, nil })
		var refused Error
		if !errors.As(err, &refused) || refused.Operation != of.operation {
			t.Fatal(err)
		}
		var told []string
		for _, a := range refused.RefusedAnswers {
			if told = append(told, a.Question.String()); a.Problem.Code != ProblemWrongFormat {
				t.Error(a.Problem)
			}
			if line := of.operation + " refused the answer for " + a.Question.String(); !strings.Contains(err.Error(), line) {
				t.Error(err)
			}
		}
		if !reflect.DeepEqual(told, of.want) {
			t.Error(told)
		}
	}
}

func TestFillGaps_WritesNothingIfAskFails(t *testing.T) {
	closed := errors.New("the form is closed")
	for _, ask := range []Ask{
		func(_ context.Context, q Question) (any, error) {
			if q.Person == 1 {
				return nil, closed
			}
			return 2, nil
		},
		func(context.Context, Question) (any, error) { return "two", nil },
	} {
		c, got := serve(t, refusedFor("["+gapOfPersons+"]"))
		if _, err := c.FillGaps(t.Context(), "w_1", ask); err == nil || len(*got) != 1 {
			t.Error(err, *got)
		}
	}
}
