package id

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestID_IsAStringInJSON(t *testing.T) {
	type record struct {
		Workflow WorkflowID `json:"workflow_id"`
		Account  AccountID  `json:"account_id,omitzero"`
	}
	for _, r := range []record{
		{Workflow: WorkflowID{UUID: New()}, Account: Account(AccountLive, New())},
		{Workflow: WorkflowID{UUID: New()}, Account: Account(AccountSandbox, New())},
		{Workflow: Must[WorkflowID]("w_zzzzzzzzzzzzzzzzzzzzzz")},
		{},
	} {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		require.Contains(t, string(text), `"workflow_id":"`+r.Workflow.String()+`"`)
		var back record
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, r, back, "ids of the same thing are equal")
	}
	require.ErrorIs(t, json.Unmarshal([]byte(`{"workflow_id":"b_0193ABCDEFGHIJKLMNOPQ"}`), &record{}), ErrMalformed)
}

func TestID_UnknownOneKeepsItsText(t *testing.T) {
	for _, text := range []string{"w_zzzzzzzzzzzzzzzzzzzzzz", "w_7n42DGM5Tflk9n8mt7Fhc8", "w_00000000000000000001"} {
		i := Must[WorkflowID](text)
		require.Equal(t, text, i.String())
		require.Equal(t, uuid.Nil, i.UUID)
		require.False(t, i.IsZero())
		require.True(t, i.NullUUID().Valid, "a filter by it matches nothing")
	}
}

func TestAccountID_HasItsEnvironment(t *testing.T) {
	u := New()
	live, sandbox := Account(AccountLive, u), Account(AccountSandbox, u)
	require.NotEqual(t, live, sandbox)
	require.Equal(t, AccountLive, Must[AccountID](live.String()).Prefix())
	require.Equal(t, AccountSandbox, Must[AccountID](sandbox.String()).Prefix())
}

func TestParse_ErrorShowsTheForm(t *testing.T) {
	var account AccountID
	err := account.Parse("w_0193ABCDEFGHIJKLMNOPQ")
	require.ErrorIs(t, err, ErrMalformed)
	require.EqualError(t, err, `"w_0193ABCDEFGHIJKLMNOPQ" is not an account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z`)
	require.Panics(t, func() { Must[AccountID]("") })
}

// schemas of all kinds, with the parser that must agree with each.
func schemas() map[string]func(text string) (*huma.Schema, error) {
	all := map[string]func(string) (*huma.Schema, error){}
	add := func(name string, s huma.SchemaProvider, parse func(string) error) {
		all[name] = func(text string) (*huma.Schema, error) { return s.Schema(nil), parse(text) }
	}
	add("account", AccountID{}, new(AccountID).Parse)
	add("business", BusinessID{}, new(BusinessID).Parse)
	add("person", PersonID{}, new(PersonID).Parse)
	add("required document", RequiredDocumentID{}, new(RequiredDocumentID).Parse)
	add("rule set version", RuleSetVersionID{}, new(RuleSetVersionID).Parse)
	add("sales info", SalesInfoID{}, new(SalesInfoID).Parse)
	add("webhook config", WebhookConfigID{}, new(WebhookConfigID).Parse)
	add("webhook delivery", WebhookDeliveryID{}, new(WebhookDeliveryID).Parse)
	add("webhook event", WebhookEventID{}, new(WebhookEventID).Parse)
	add("workflow", WorkflowID{}, new(WorkflowID).Parse)
	return all
}

func TestSchema_AcceptsWhatParseAccepts(t *testing.T) {
	for name, parsed := range schemas() {
		shown, _ := parsed("")
		example := shown.Examples[0].(string)
		_, err := parsed(example)
		require.NoError(t, err, name)
		require.Contains(t, shown.Description, " "+name+" id: ")
		pattern := regexp.MustCompile(shown.Pattern)
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.OneOf(
				rapid.String(),
				rapid.StringMatching(`(lv_|sb_|b_|p_|rd_|rul_|bsi_|whc_|whd_|wh_|w_|org_)[0-9A-Za-z]{18,24}`),
				rapid.StringMatching(regexp.QuoteMeta(example)+`.{0,2}`),
			).Draw(t, "text")
			_, err := parsed(text)
			require.Equal(t, pattern.MatchString(text), err == nil, text)
		})
	}
}
