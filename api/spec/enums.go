package spec

import (
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/webhooks/delivery"
)

// Enum is a set of values that the description names once.
type Enum struct {
	Name   string
	Values []string
	// Fields are properties with these values that have type string in Go: a name, or
	// SCHEMA.name if the name has different meanings.
	Fields []string
}

// Texts are the values as plain strings.
func Texts[T ~string](values ...T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// Enums returns the enums of the API, from the tables that the service uses.
func Enums() []Enum {
	return []Enum{
		{"EventType", Texts(domain.EventTypes()...), []string{"event_type", "event_types"}},
		{"WorkflowState", Texts(domain.Created, domain.Started, domain.Ended), nil},
		{"RequiredDocumentStatus", Texts(requirement.Pending, requirement.NeedsReview, requirement.Completed, requirement.Waived, requirement.Inactive), nil},
		{"RequiredDocumentEntityType", Texts(fact.EntityWorkflow, fact.EntityBusiness, fact.EntityPerson),
			[]string{"DocumentData.entity_type", "PreviewedDocument.entity_type", "RuleResult.entity_type"}},
		{"WebhookKeyStatus", Texts(domain.KeyInactive, domain.KeyActive, domain.KeyDeleted), nil},
		{"WebhookConfigStatus", Texts(domain.EndpointActive, domain.EndpointDisabled), nil},
		{"WebhookDeliveryStatus", Texts(delivery.Pending, delivery.Retrying, delivery.Held, delivery.Delivered, delivery.Failed, delivery.Canceled), nil},
		{"WebhookDeliveryCause", Texts(delivery.Causes()...), nil},
		{"SalesAmountType", fact.SalesAmountTypes(), []string{"SalesAmountData.type", "MissingField.type"}},
		{"RefusalEntityType", refusal.EntityTypes(), nil},
		{"GapCode", Texts(fact.CodeCalculatedPricingRequired, fact.CodeFieldsRequired), []string{"Gap.code"}},
		{"GapEntityType", Texts(fact.EntityWorkflow, fact.EntitySalesInfo, fact.EntityBusiness, fact.EntityPerson), []string{"Gap.entity_type"}},
		{"RefusalSubCode", Texts(refusal.SubCodes()...), nil},
		{"WarningCode", refusal.WarningCodes(), []string{"Warning.code"}},
	}
}

// Schema lists the values.
func (e Enum) Schema() *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range e.Values {
		s.Enum = append(s.Enum, v)
	}
	return s
}

// These give the types of domain packages the schema of an enum.
type (
	stateSchema          struct{}
	documentStatusSchema struct{}
	keyStatusSchema      struct{}
	endpointStatusSchema struct{}
	deliveryStateSchema  struct{}
	deliveryCauseSchema  struct{}
)

func (stateSchema) Schema(huma.Registry) *huma.Schema { return EnumNamed("WorkflowState") }
func (documentStatusSchema) Schema(huma.Registry) *huma.Schema {
	return EnumNamed("RequiredDocumentStatus")
}
func (keyStatusSchema) Schema(huma.Registry) *huma.Schema { return EnumNamed("WebhookKeyStatus") }
func (endpointStatusSchema) Schema(huma.Registry) *huma.Schema {
	return EnumNamed("WebhookConfigStatus")
}
func (deliveryStateSchema) Schema(huma.Registry) *huma.Schema {
	return EnumNamed("WebhookDeliveryStatus")
}
func (deliveryCauseSchema) Schema(huma.Registry) *huma.Schema {
	return EnumNamed("WebhookDeliveryCause")
}

// EnumNamed is the schema of an enum of Enums.
func EnumNamed(name string) *huma.Schema {
	all := Enums()
	return all[slices.IndexFunc(all, func(e Enum) bool { return e.Name == name })].Schema()
}

// DescribeTypes registers the schemas of types of other packages.
func DescribeTypes(r huma.Registry) {
	for t, as := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[domain.State]():          reflect.TypeFor[stateSchema](),
		reflect.TypeFor[requirement.Status]():    reflect.TypeFor[documentStatusSchema](),
		reflect.TypeFor[domain.KeyStatus]():      reflect.TypeFor[keyStatusSchema](),
		reflect.TypeFor[domain.EndpointStatus](): reflect.TypeFor[endpointStatusSchema](),
		reflect.TypeFor[delivery.State]():        reflect.TypeFor[deliveryStateSchema](),
		reflect.TypeFor[delivery.Cause]():        reflect.TypeFor[deliveryCauseSchema](),
		reflect.TypeFor[rational.Number]():       reflect.TypeFor[wire.Exact](),
	} {
		r.RegisterTypeAlias(t, as)
	}
}
