package server

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/testkit/constants"
)

// values are those of an enum: all constants of the groups in all but those in but, and some of
// those in some. A group is FOLDER.TYPE, FOLDER.NAME, or FOLDER.PREFIX* for constants without a type.
type values struct{ all, some, but []string }

// enums says of which constants each published enum consists, by SCHEMA.property, by property, or by
// the name of a schema or parameter.
var enums = map[string]values{
	"APIVersion":    {all: []string{"internal/requests/wire.Version"}},
	"SandboxAnswer": {all: []string{"api/spec.SandboxAnswer"}},

	"AttemptData.outcome":                 {all: []string{"internal/webhooks/delivery.AttemptOutcome"}},
	"CredentialData.permissions":          {all: []string{"internal/domain.Permission"}},
	"CredentialData.signature_policy":     {all: []string{"internal/domain.Policy"}},
	"WhoamiData.environment":              {all: []string{"internal/domain.Environment"}},
	"DecisionData.kind":                   {all: []string{"internal/decision.Kind"}},
	"DecisionListRequestFilters.kind":     {all: []string{"internal/decision.Kind"}},
	"ListedDecision.kind":                 {all: []string{"internal/decision.Kind"}},
	"DecisionData.outcome":                {all: []string{"internal/decision.Outcome"}, some: []string{"internal/requests/refusal.Code", "internal/requests/refusal.SubCode"}},
	"ListedDecision.outcome":              {all: []string{"internal/decision.Outcome"}, some: []string{"internal/requests/refusal.Code", "internal/requests/refusal.SubCode"}},
	"RuleError.code":                      {some: []string{"internal/requests/refusal.SubCode"}},
	"applies_to":                          {all: []string{"internal/rules/calculation.AppliesTo"}},
	"ProposalData.state":                  {all: []string{"internal/rules/calculation.ProposalState"}},
	"ProposalFilters.state":               {all: []string{"internal/rules/calculation.ProposalState"}},
	"ProposalListed.state":                {all: []string{"internal/rules/calculation.ProposalState"}},
	"RulesData.state":                     {all: []string{"internal/rules/calculation.VersionState"}},
	"RulesVersion.state":                  {all: []string{"internal/rules/calculation.VersionState"}},
	"RulesWarning.severity":               {all: []string{"internal/rules/rulefile.Severity"}},
	"RecalculationData.state":             {all: []string{"internal/domain.RecalculationState"}},
	"ReplayedData.state":                  {all: []string{"internal/domain.ReplayState"}},
	"HealthData.status":                   {all: []string{"internal/domain.HealthStatus"}},
	"EventListRequest.order":              {all: []string{"api/server.eventOrder"}},
	"EventType":                           {all: []string{"internal/domain.EventType"}},
	"event_type":                          {some: []string{"internal/domain.EventType"}},
	"user_type":                           {all: []string{"internal/domain.User*"}},
	"decided_by_type":                     {all: []string{"internal/domain.User*"}},
	"proposed_by_type":                    {all: []string{"internal/domain.User*"}},
	"approved_by_type":                    {all: []string{"internal/domain.User*"}},
	"WebhookKeyStatus":                    {all: []string{"internal/domain.KeyStatus"}},
	"WebhookConfigStatus":                 {all: []string{"internal/domain.EndpointStatus"}},
	"WebhookDeliveryCause":                {all: []string{"internal/webhooks/delivery.Cause"}},
	"WebhookDeliveryStatus":               {all: []string{"internal/webhooks/delivery.State"}},
	"WorkflowState":                       {all: []string{"internal/domain.State"}},
	"WorkflowCreateRequestWorkflow.state": {some: []string{"internal/domain.State"}},

	"DocumentData.origin":                          {all: []string{"internal/rules/document.Origin"}},
	"status_reason":                                {all: []string{"internal/rules/document.StatusReason"}},
	"DocumentExpired.status_reason":                {some: []string{"internal/rules/document.StatusReason"}},
	"RequiredDocumentExpiredContent.status_reason": {some: []string{"internal/rules/document.StatusReason"}},
	"RequiredDocumentStatus":                       {all: []string{"internal/rules/document.Status"}},
	"RequiredDocumentEntityType":                   {all: []string{"internal/rules/fact.Entity*"}, but: []string{"BusinessSalesInfo"}},
	"hold":                                         {all: []string{"internal/rules/requirement.Hold"}},
	"kind":                                         {all: []string{"internal/rules/requirement.FindingKind"}},
	"finding_code":                                 {all: []string{"internal/rules/requirement.Document*"}}, // which rules may not use
	"FactData.state":                               {all: []string{"internal/rules/fact.FactState"}},
	"FactData.type":                                {all: []string{"internal/rules/fact.DeclaredType"}},
	"FactData.used_by":                             {all: []string{"internal/rules/fact.Set"}},
	"RuleSetDeclaration.type":                      {all: []string{"internal/rules/fact.DeclaredType"}},
	"value_type":                                   {all: []string{"internal/rules/fact.DeclaredType"}},
	"GapCode":                                      {all: []string{"internal/rules/fact.Code*"}},
	"GapEntityType":                                {all: []string{"internal/rules/fact.Entity*"}},
	"RuleSetEntityType":                            {all: []string{"internal/rules/fact.Entity*"}, but: []string{"BusinessSalesInfo"}},
	"RuleSetExample.entity_type":                   {some: []string{"internal/rules/fact.Entity*"}},
	"RuleSetSomeDocument.entity_type":              {some: []string{"internal/rules/fact.Entity*"}},
	"RuleSetDeclaration.entity_type":               {all: []string{"internal/rules/fact.Entity*"}, but: []string{"BusinessSalesInfo"}},

	"code":              {some: []string{"internal/requests/refusal.Code"}},
	"scope":             {all: []string{"internal/requests/refusal.Scope"}},
	"RefusalEntityType": {all: []string{"internal/requests/refusal.Entity*"}},
	"RefusalSubCode":    {all: []string{"internal/requests/refusal.SubCode"}},
	"WarningCode":       {all: []string{"internal/requests/refusal.WarningCode"}, some: []string{"internal/requests/refusal.SubCode"}},
	"LimitMet.of":       {all: []string{"internal/requests/refusal.Limit*"}},
	"Meta.status":       {all: []string{"internal/requests/wire.Status*"}},
	"ErrorMeta.status":  {some: []string{"internal/requests/wire.Status*"}},
}

// others are enums of tables, or of another language, which tests beside them hold.
var others = map[string][]string{
	// The words that the Common Expression Language reserves.
	"RuleSet.definitions":     celReserved,
	"RuleSet.lists":           celReserved,
	"RuleSetDeclaration.name": celReserved,

	"SalesAmountType":    fact.SalesAmountTypes(),
	"RuleSetBuiltInFact": fact.NewTable(nil).GapNames(),
}

var celReserved = strings.Fields("as break const continue else false for function if import in let loop namespace null package return true var void while")

// TestEnums_AreTheConstants holds each enum of the description, which the clients are made from,
// against the constants of the code. A condition in the rules' schema may name some of them.
func TestEnums_AreTheConstants(t *testing.T) {
	group := func(of string) []string {
		at := strings.LastIndex(of, ".")
		name, prefix := strings.CutSuffix(of[at+1:], "*")
		return constants.Of(t, filepath.Join("..", "..", of[:at]), func(constant, typeName string) bool {
			return typeName == name || typeName == "" && (constant == name || prefix && strings.HasPrefix(constant, name))
		})
	}
	groups := func(list []string) (all []string) {
		for _, of := range list {
			all = append(all, group(of)...)
		}
		return all
	}
	used := map[string]bool{}
	walk(description(t), "", func(at string, object map[string]any) {
		listed, is := object["enum"].([]any)
		if one, has := object["const"].(string); has {
			listed, is = []any{one}, true
		}
		if !is || strings.HasSuffix(at, "/properties") {
			return
		}
		published := make([]string, len(listed))
		for i, v := range listed {
			published[i] = fmt.Sprint(v)
		}
		names := enumNames(at)
		for _, name := range names {
			if want, ok := others[name]; ok {
				used[name] = true
				assert.ElementsMatch(t, want, published, at)
				return
			}
			of, ok := enums[name]
			if !ok {
				continue
			}
			used[name] = true
			all := slices.DeleteFunc(groups(of.all), func(v string) bool { return slices.Contains(of.but, v) })
			if !condition.MatchString(at) {
				assert.Subset(t, published, all, "%s: a constant is not published", at)
			}
			assert.Subset(t, append(all, groups(of.some)...), published, "%s: no constant has this value", at)
			return
		}
		assert.Fail(t, "an enum without constants", "%s lists %q: say in enums which constants these are", names, published)
	})
	for name := range enums {
		require.True(t, used[name], "no enum is %s", name)
	}
}

// place finds the schema, or the parameter, and the innermost property in a path of the description.
var place = regexp.MustCompile(`^/components/(?:schemas|parameters)/([^/]+)(?:.*/properties/([^/]+))?`)

// enumNames are the names of an enum in enums, the most exact first. The rules of requests and of
// answers have the same.
func enumNames(at string) []string {
	found := place.FindStringSubmatch(at)
	if found == nil {
		return []string{at}
	}
	schema := strings.TrimPrefix(found[1], "Published")
	if found[2] == "" {
		return []string{schema}
	}
	return []string{schema + "." + found[2], found[2]}
}
