package id

import (
	"encoding"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// ID identifies a thing of one kind. In JSON it is the text that the API writes. The zero
// value is no id; its text is empty. IDs of the same thing are equal.
type ID[K kind] struct {
	// UUID is the key of the record. It is the nil UUID, which no record has, for an id that
	// can name nothing: see Parse.
	UUID   uuid.UUID
	prefix Prefix // of an account
	text   string // only of an id that can name nothing
}

// The kinds of id in the API.
type (
	AccountID          = ID[account]
	BusinessID         = ID[business]
	DecisionID         = ID[decision]
	PersonID           = ID[person]
	RecalculationID    = ID[recalculation]
	RequiredDocumentID = ID[requiredDocument]
	ProposalID         = ID[proposal]
	RuleSetVersionID   = ID[ruleSetVersion]
	RunID              = ID[run]
	SalesInfoID        = ID[salesInfo]
	WebhookConfigID    = ID[webhookConfig]
	WebhookDeliveryID  = ID[webhookDelivery]
	WebhookEventID     = ID[webhookEvent]
	WorkflowID         = ID[workflow]
)

// kind says what an id is called and how it begins.
type kind interface {
	form() (name string, prefixes []Prefix)
}

type (
	account          struct{}
	business         struct{}
	decision         struct{}
	person           struct{}
	recalculation    struct{}
	requiredDocument struct{}
	proposal         struct{}
	ruleSetVersion   struct{}
	run              struct{}
	salesInfo        struct{}
	webhookConfig    struct{}
	webhookDelivery  struct{}
	webhookEvent     struct{}
	workflow         struct{}
)

func (account) form() (string, []Prefix) {
	return "an account id", []Prefix{AccountLive, AccountSandbox}
}
func (business) form() (string, []Prefix) { return "a business id", []Prefix{Business} }
func (decision) form() (string, []Prefix) { return "a decision id", []Prefix{Decision} }
func (person) form() (string, []Prefix)   { return "a person id", []Prefix{Person} }
func (recalculation) form() (string, []Prefix) {
	return "a recalculation id", []Prefix{Recalculation}
}
func (requiredDocument) form() (string, []Prefix) {
	return "a required document id", []Prefix{RequiredDocument}
}
func (proposal) form() (string, []Prefix) { return "a proposal id", []Prefix{RuleProposal} }
func (ruleSetVersion) form() (string, []Prefix) {
	return "a rule set version id", []Prefix{RuleSetVersion}
}
func (run) form() (string, []Prefix)           { return "a run id", []Prefix{Run} }
func (salesInfo) form() (string, []Prefix)     { return "a sales info id", []Prefix{SalesInfo} }
func (webhookConfig) form() (string, []Prefix) { return "a webhook config id", []Prefix{WebhookConfig} }
func (webhookDelivery) form() (string, []Prefix) {
	return "a webhook delivery id", []Prefix{WebhookDelivery}
}
func (webhookEvent) form() (string, []Prefix) { return "a webhook event id", []Prefix{WebhookEvent} }
func (workflow) form() (string, []Prefix)     { return "a workflow id", []Prefix{Workflow} }

// Account is the id of an account of the environment that the prefix states. Ids of other
// kinds are made from the UUID alone: WorkflowID{UUID: u}.
func Account(p Prefix, u uuid.UUID) AccountID { return AccountID{UUID: u, prefix: p} }

// Prefix begins the id's text.
func (i ID[K]) Prefix() Prefix {
	if i.prefix != "" {
		return i.prefix
	}
	_, prefixes := (*new(K)).form()
	return prefixes[0]
}

// IsZero reports whether there is no id.
func (i ID[K]) IsZero() bool { return i == ID[K]{} }

// NullUUID is the UUID, or null without an id.
func (i ID[K]) NullUUID() uuid.NullUUID { return uuid.NullUUID{UUID: i.UUID, Valid: !i.IsZero()} }

// String is the id as the API writes it.
func (i ID[K]) String() string {
	switch {
	case i.text != "":
		return i.text
	case i.IsZero():
		return ""
	}
	return Format(i.Prefix(), i.UUID)
}

// MarshalText writes the id as String does.
func (i ID[K]) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (i *ID[K]) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*i = ID[K]{}
		return nil
	}
	return i.Parse(string(text))
}

// Parse reads an id of this kind. Other text is ErrMalformed, with a description of the form.
func (i *ID[K]) Parse(text string) error {
	_, prefixes := (*new(K)).form()
	for _, p := range prefixes {
		u, err := Parse(p, text)
		if err != nil {
			continue
		}
		*i = ID[K]{UUID: u}
		if len(prefixes) > 1 {
			i.prefix = p
		}
		if u == uuid.Nil {
			i.text = text
		}
		return nil
	}
	return malformed(fmt.Sprintf("%q is not %s", text, i.words()))
}

// malformed is ErrMalformed with words about the kind.
type malformed string

func (m malformed) Error() string { return string(m) }

func (malformed) Is(target error) bool { return target == ErrMalformed }

var (
	_ encoding.TextUnmarshaler = (*WorkflowID)(nil)
	_ huma.SchemaProvider      = WorkflowID{}
)

// exampleUUID is the UUID in the examples of all kinds.
var exampleUUID = uuid.MustParse("0199f3c2-7b1e-7c55-9d0a-3f2b8e6c4a11")

// Schema describes ids of this kind.
func (i ID[K]) Schema(huma.Registry) *huma.Schema {
	_, prefixes := (*new(K)).form()
	begin := texts(prefixes)
	pattern := begin[0]
	if len(begin) > 1 {
		pattern = "(" + strings.ReplaceAll(strings.Join(begin, "|"), "_", "") + ")_"
	}
	words := i.words()
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^" + pattern + TailPattern + "$", PatternDescription: words,
		Description: strings.ToUpper(words[:1]) + words[1:] + ".",
		Examples:    []any{Format(prefixes[len(prefixes)-1], exampleUUID)},
	}
}

func (ID[K]) words() string {
	name, prefixes := (*new(K)).form()
	return name + ": " + strings.Join(texts(prefixes), " or ") + " and 20 to 22 characters of 0-9A-Za-z"
}

func texts(prefixes []Prefix) []string {
	list := make([]string, len(prefixes))
	for i, p := range prefixes {
		list[i] = string(p)
	}
	return list
}

// Must is Parse for ids that are known to be well formed, as in Must[WorkflowID](text). It
// panics on other text.
func Must[T any, P interface {
	*T
	Parse(text string) error
}](text string) T {
	var i T
	if err := P(&i).Parse(text); err != nil {
		panic(err)
	}
	return i
}
