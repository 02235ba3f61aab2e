package spec

import (
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/webhooks/delivery"
)

// Enum is a closed list of values in the API description.
type Enum struct {
	// Name is the name of the schema with the values. If it is empty, each field lists them.
	Name   string
	Values []string
	// Fields are properties of answers that have these values, but type string in Go. An entry is a
	// name, or SCHEMA.name if the name has different meanings. The first enum with an entry applies.
	Fields []string
	// of is the Go type of all other fields with these values; nil if there are none. schema is a
	// type that has the Schema of the enum.
	of, schema reflect.Type
}

// enum returns the enum of all fields of type T, and of the named fields.
func enum[T, V ~string](name string, values []V, fields ...string) Enum {
	return Enum{name, Texts(values...), fields, reflect.TypeFor[T](), reflect.TypeFor[enumOf[T]]()}
}

// enumOf gives the fields of type T the schema of their enum.
type enumOf[T ~string] struct{}

func (enumOf[T]) Schema(huma.Registry) *huma.Schema {
	all := Enums()
	return all[slices.IndexFunc(all, func(e Enum) bool { return e.of == reflect.TypeFor[T]() })].Schema()
}

// Texts are the values as plain strings.
func Texts[T ~string](values ...T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// Enums returns the enums of the API, from the lists that stand beside the constants.
func Enums() []Enum {
	return []Enum{
		enum[domain.EventType]("EventType", domain.EventTypes(), "event_type", "event_types"),
		enum[domain.State]("WorkflowState", domain.States()),
		enum[document.Status]("RequiredDocumentStatus", document.Statuses(), "DocumentUpdateRequestRequiredDocument.status"),
		{Name: "GapEntityType", Values: append([]string{fact.EntitySalesInfo}, fact.EntityTypes()...), Fields: []string{"Gap.entity_type", "FactData.entity_type"}},
		enum[EntityType]("RequiredDocumentEntityType", fact.EntityTypes(), "entity_type"),
		enum[domain.KeyStatus]("WebhookKeyStatus", domain.KeyStatuses()),
		enum[domain.EndpointStatus]("WebhookConfigStatus", domain.EndpointStatuses()),
		enum[delivery.State]("WebhookDeliveryStatus", delivery.States()),
		enum[delivery.Cause]("WebhookDeliveryCause", delivery.Causes()),
		enum[SalesAmountType]("SalesAmountType", fact.SalesAmountTypes(), "SalesAmountData.type", "MissingField.type", "sales_amount_type"),
		enum[refusal.WarningCode]("WarningCode", refusal.WarningCodes()),
		enum[refusal.ProblemCode]("ProblemCode", refusal.ProblemCodes()),
		enum[refusal.SubCode]("RefusalSubCode", refusal.SubCodes()),
		{Name: "RefusalEntityType", Values: refusal.EntityTypes()},
		{Name: "GapCode", Values: []string{fact.CodeCalculatedPricingRequired, fact.CodeFieldsRequired}, Fields: []string{"Gap.code"}},

		enum[calculation.AppliesTo]("", calculation.AllAppliesTo()),
		enum[calculation.ProposalState]("", calculation.ProposalStates()),
		enum[calculation.VersionState]("", calculation.VersionStates()),
		enum[decision.Kind]("", decision.Kinds()),
		enum[decision.Outcome]("", decision.Outcomes()),
		enum[delivery.AttemptOutcome]("", delivery.AttemptOutcomes()),
		enum[domain.Environment]("", domain.Environments()),
		enum[domain.HealthStatus]("", domain.HealthStatuses()),
		enum[domain.Permission]("", domain.AllPermissions()),
		enum[domain.Policy]("", domain.Policies()),
		enum[domain.RecalculationState]("", domain.RecalculationStates()),
		enum[domain.ReplayState]("", domain.ReplayStates()),
		enum[fact.DeclaredType]("", fact.DeclaredTypes()),
		enum[fact.FactState]("", fact.FactStates()),
		enum[fact.Set]("", fact.Sets()),
		enum[document.Origin]("", document.Origins()),
		enum[requirement.Severity]("", rulefile.Severities()),
		enum[document.StatusReason]("", document.StatusReasons()),
		{Values: domain.UserTypes(), Fields: []string{"user_type", "approved_by_type", "decided_by_type", "proposed_by_type"}},
	}
}

// Schema lists the values.
func (e Enum) Schema() *huma.Schema {
	return wire.OneOf(e.Values...)
}

// DescribeTypes registers the schemas of types of other packages.
func DescribeTypes(r huma.Registry) {
	for _, e := range Enums() {
		if e.of != nil {
			r.RegisterTypeAlias(e.of, e.schema)
		}
	}
	r.RegisterTypeAlias(reflect.TypeFor[rational.Number](), reflect.TypeFor[wire.Exact]())
}
