package wire

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
)

type Embedded struct {
	ID string `json:"id" pattern:"^w_[a-z]+$" patternDescription:"an id"`
}

type address struct {
	City *string `json:"city" required:"false" nullable:"true" maxLength:"5"`
}

type sample struct {
	Embedded
	Name    string             `json:"name" minLength:"1" maxLength:"4"`
	Kind    string             `json:"kind,omitempty" enum:"A,B"`
	Color   string             `json:"color,omitempty" enum:"LIGHT_GREEN,LIGHT_BLUE"`
	Date    Optional[string]   `json:"date,omitempty" format:"date"`
	Since   string             `json:"since,omitempty" format:"date-time"`
	Codes   Optional[[]string] `json:"codes,omitempty" maxItems:"2"`
	Amount  *Decimal           `json:"amount,omitempty" minimum:"0" exclusiveMaximum:"10000000000000"`
	Share   Optional[Decimal]  `json:"share,omitempty" minimum:"0" maximum:"100"`
	Limit   *int               `json:"limit,omitempty" minimum:"1" maximum:"200"`
	Flag    bool               `json:"flag,omitempty"`
	Address Optional[address]  `json:"address,omitempty"`
	Inner   struct {
		Deep string `json:"deep"`
	} `json:"inner"`
	Rules *Raw `json:"rules,omitempty"`
}

func problems(t *testing.T, err error) map[string]string {
	if err == nil {
		return nil
	}
	var refused *refusal.Refusal
	require.True(t, errors.As(err, &refused), "%v", err)
	require.Equal(t, refusal.BadRequest, refused.Code)
	var fields []refusal.Field
	require.NoError(t, json.Unmarshal(refused.Details, &fields))
	found := map[string]string{}
	for _, f := range fields {
		found[f.Field] = f.Message
	}
	require.Len(t, found, len(fields), "each path is named once")
	return found
}

// TestDecode_SaysItForPrograms checks the codes of problems and their values.
func TestDecode_SaysItForPrograms(t *testing.T) {
	type request struct {
		Name   string   `json:"name" minLength:"2" maxLength:"4"`
		Color  string   `json:"color,omitempty" enum:"RED,BLUE"`
		Many   []string `json:"many,omitempty" minItems:"1" maxItems:"2" nullable:"false"`
		Number Integer  `json:"number,omitempty" minimum:"2" maximum:"3"`
		Code   string   `json:"code,omitempty" pattern:"^[A-Z]$"`
	}
	for body, want := range map[string]string{
		`{}`:                              `"field":"name","code":"REQUIRED"`,
		`{"name":"ab","nme":1}`:           `"field":"nme","code":"UNKNOWN_FIELD","suggestion":"name"`,
		`{"name":"ab","color":"BLEU"}`:    `"field":"color","code":"UNKNOWN_VALUE","suggestion":"BLUE","allowed":["RED","BLUE"]`,
		`{"name":1}`:                      `"field":"name","code":"WRONG_TYPE","expected":"string"`,
		`{"name":null}`:                   `"field":"name","code":"WRONG_TYPE","expected":"string"`,
		`[]`:                              `"field":"","code":"WRONG_TYPE","expected":"object"`,
		`{"name":"abcde"}`:                `"field":"name","code":"TOO_LONG","limit":4`,
		`{"name":"a"}`:                    `"field":"name","code":"TOO_SHORT","limit":2`,
		`{"name":"ab","many":["","",""]}`: `"field":"many","code":"TOO_LONG","limit":2`,
		`{"name":"ab","many":[]}`:         `"field":"many","code":"TOO_SHORT","limit":1`,
		`{"name":"ab","number":4}`:        `"field":"number","code":"TOO_LARGE","limit":3`,
		`{"name":"ab","number":1}`:        `"field":"number","code":"TOO_SMALL","limit":2`,
		`{"name":"ab","number":2.5}`:      `"field":"number","code":"WRONG_TYPE","expected":"integer"`,
		`{"name":"ab","code":"a"}`:        `"field":"code","code":"WRONG_FORMAT"`,
		`{"name":"ab","name":"ab"}`:       `"field":"name","code":"DUPLICATE"`,
		`{`:                               `"field":"","code":"MALFORMED"`,
	} {
		schemas := NewSchemas()
		schemas.Describe(reflect.TypeFor[request]())
		var refused *refusal.Refusal
		require.ErrorAs(t, schemas.Decode([]byte(body), &request{}), &refused, body)
		var found []map[string]any
		require.NoError(t, json.Unmarshal(refused.Details, &found))
		require.Len(t, found, 1, body)
		require.NotEmpty(t, found[0]["message"])
		delete(found[0], "message")
		told, err := json.Marshal(found[0])
		require.NoError(t, err)
		require.JSONEq(t, "{"+want+"}", string(told), body)
	}
}

func TestDecode_NamesTheNearestFieldAndValue(t *testing.T) {
	const base = `"id":"w_a","name":"n","inner":{"deep":""}`
	for body, want := range map[string]map[string]string{
		`{` + base + `,"adress":null}`:                                                 {"adress": "There is no such field: did you mean address?"},
		`{` + base + `,"Address":null}`:                                                {"Address": "There is no such field; names are case-sensitive: did you mean address?"},
		`{` + base + `,"anything":1}`:                                                  {"anything": "There is no such field."},
		`{"id":"w_a","name":"n","inner":{"deep":"","dep":""}}`:                         {"inner.dep": "There is no such field: did you mean deep?"},
		`{` + base + `,"color":"LIGHT_GREEM"}`:                                         {"color": "This must be one of LIGHT_GREEN, LIGHT_BLUE: did you mean LIGHT_GREEN?"},
		`{` + base + `,"color":"light_blue"}`:                                          {"color": "This must be one of LIGHT_GREEN, LIGHT_BLUE: did you mean LIGHT_BLUE?"},
		`{` + base + `,"color":"RED"}`:                                                 {"color": "This must be one of LIGHT_GREEN, LIGHT_BLUE."},
		`{` + base + `,"color":"` + strings.Repeat("LIGHT_BLUE", 10) + `_","limit":1}`: {"color": "This must be one of LIGHT_GREEN, LIGHT_BLUE."},
	} {
		require.Equal(t, want, problems(t, NewSchemas().Decode([]byte(body), &sample{})), body)
	}
}

func TestDecode_FindsEveryProblemAtItsPath(t *testing.T) {
	const base = `"id":"w_a","name":"n","inner":{"deep":""}`
	for body, want := range map[string][]string{
		`{` + base + `}`: nil,
		`{` + base + `,"date":null,"codes":null}`:           nil,
		`{` + base + `,"address":null}`:                     nil,
		`{` + base + `,"address":{"city":null}}`:            nil,
		`{` + base + `,"amount":9999999999999.99}`:          nil,
		`{` + base + `,"amount":1e3}`:                       nil,
		`{` + base + `,"rules":{"any":[{"thing":1}]}}`:      nil,
		`{` + base + `,"since":"2026-01-02T03:04:05.678Z"}`: nil,
		``:                                   {""},
		`null`:                               {""},
		`[]`:                                 {""},
		`"x"`:                                {""},
		`{`:                                  {""},
		`{` + base + `} {}`:                  {""},
		`{` + base + `,}`:                    {""},
		"{\"name\":\"\xff\"}":                {""},
		`{"name":"\ud800"}`:                  {""},
		`{}`:                                 {"id", "name", "inner"},
		`{"id":"w_A","name":"","inner":{}}`:  {"id", "name", "inner.deep"},
		`{` + base + `,"ID":"w_a"}`:          {"ID"},
		`{` + base + `,"extra":1,"other":2}`: {"extra", "other"},
		`{` + base + `,"name":"m"}`:          {"name"},
		`{"id":"w_a","name":"n","inner":{"deep":1,"x":2}}`:   {"inner.deep", "inner.x"},
		`{"id":null,"name":1,"inner":"x"}`:                   {"id", "name", "inner"},
		`{"id":"w_a","name":"abcde","inner":{"deep":""}}`:    {"name"},
		`{"id":"w_a","name":"\u0000","inner":{"deep":""}}`:   {"name"},
		`{` + base + `,"kind":"a"}`:                          {"kind"},
		`{` + base + `,"date":"2026-02-30"}`:                 {"date"},
		`{` + base + `,"date":"2026-2-3"}`:                   {"date"},
		`{` + base + `,"since":"2026-01-02"}`:                {"since"},
		`{` + base + `,"codes":["a",1,null]}`:                {"codes"},
		`{` + base + `,"codes":[1,null]}`:                    {"codes[0]", "codes[1]"},
		`{` + base + `,"codes":"a"}`:                         {"codes"},
		`{` + base + `,"amount":-0.01}`:                      {"amount"},
		`{` + base + `,"amount":10000000000000}`:             {"amount"},
		`{` + base + `,"amount":0.001}`:                      {"amount"},
		`{` + base + `,"amount":"1"}`:                        {"amount"},
		`{` + base + `,"amount":null}`:                       {"amount"},
		`{` + base + `,"amount":1e-999999999}`:               {"amount"},
		`{` + base + `,"share":100.01}`:                      {"share"},
		`{` + base + `,"limit":0}`:                           {"limit"},
		`{` + base + `,"limit":1.5}`:                         {"limit"},
		`{` + base + `,"flag":"true"}`:                       {"flag"},
		`{` + base + `,"address":{"city":"abcdef","zip":1}}`: {"address.city", "address.zip"},
		`{` + base + `,"rules":[]}`:                          {"rules"},
		`{` + base + `,"rules":{"a":1,"a":2}}`:               {"rules.a"},
		`{` + base + `,"rules":` + strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 70) + `}`: {""},
	} {
		found := problems(t, NewSchemas().Decode([]byte(body), &sample{}))
		var paths []string
		for path := range found {
			paths = append(paths, path)
		}
		require.ElementsMatch(t, want, paths, "%s\n%v", body, found)
	}
}

func TestDecode_DistinguishesAbsentNullAndSet(t *testing.T) {
	var in sample
	body := `{"id":"w_a","name":"n","inner":{"deep":"d"},"date":null,"share":12.5,"codes":["x"]}`
	require.NoError(t, NewSchemas().Decode([]byte(body), &in))
	require.True(t, in.Date.Sent)
	require.Nil(t, in.Date.Value)
	require.False(t, in.Address.Sent)
	require.Equal(t, rational.Decimal(1250), in.Share.Value.Decimal)
	require.Equal(t, []string{"x"}, *in.Codes.Value)

	kept, other := new(string), "2020-01-01"
	Optional[string]{}.Apply(&kept)
	require.NotNil(t, kept)
	Optional[string]{Sent: true, Value: &other}.Apply(&kept)
	require.Equal(t, other, *kept)
	Optional[string]{Sent: true}.Apply(&kept)
	require.Nil(t, kept)
}

func TestProblems_DoNotRepeatValues(t *testing.T) {
	const planted = "planted-personal-data"
	for _, body := range []string{
		`{"id":"` + planted + `","name":"` + planted + `","inner":{"deep":["` + planted + `"]},"kind":"` + planted + `"}`,
		`{"name":"` + planted + `"`, `{"name":"` + planted + `\x"}`, `"` + planted + `"`,
	} {
		err := NewSchemas().Decode([]byte(body), &sample{})
		var refused *refusal.Refusal
		require.ErrorAs(t, err, &refused)
		require.NotContains(t, refused.Error()+string(refused.Details), planted)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"w_a","name":"n","inner":{"deep":""},"amount":1e2,"address":{"city":"x"},"codes":["1"]}`))
	f.Add([]byte(`{"a":{"a":[[[{}]]]},"a":-0.0e1}`))
	schemas := NewSchemas()
	f.Fuzz(func(t *testing.T, body []byte) {
		var in sample
		err := schemas.Decode(body, &in)
		if err == nil {
			var want sample
			if json.Unmarshal(body, &want) == nil { // which does not know that 2.0 is a whole number
				require.Equal(t, want, in)
			}
			require.True(t, json.Valid(body))
			require.NotEmpty(t, in.Name)
			return
		}
		var refused *refusal.Refusal
		require.ErrorAs(t, err, &refused, "what is accepted by the check fits the type")
	})
}

func TestEnvelope_OfSuccessAndRefusal(t *testing.T) {
	w := httptest.NewRecorder()
	require.NoError(t, WriteReply(w, "trc_1", Reply{Data: Empty{}, Warnings: []refusal.Warning{{Code: "C", Message: "m"}}}))
	require.JSONEq(t, `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"2025-03-24","warnings":[{"code":"C","message":"m"}]},"data":{}}`, w.Body.String())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))

	w = httptest.NewRecorder()
	refused := refusal.Rule("Workflow", "w_1", refusal.WorkflowEnded, "ended <b>")
	refused.RetryAfter = 1500 * time.Millisecond
	require.NoError(t, WriteRefusal(w, "trc_1", refused))
	require.Equal(t, 400, w.Code)
	require.Equal(t, "2", w.Header().Get("Retry-After"), "whole seconds, never too soon")
	require.JSONEq(t, `{"meta":{"status":"ERROR","trace_id":"trc_1","version":"2025-03-24"},"errors":[{"code":"SYSTEM_RULE_VIOLATION",
		"message":"ended <b>","entity_type":"Workflow","entity_id":"w_1","sub_code":"WORKFLOW_ENDED",
		"doc_url":"/docs/errors#WORKFLOW_ENDED"}]}`, w.Body.String())
}

func TestDateTime_Form(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("x", 3600))
	data, err := json.Marshal(DateTime(at))
	require.NoError(t, err)
	require.Equal(t, `"2026-01-02T02:04:05.000Z"`, string(data))
}
