package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/testsuite"

	"requisite/activities"
	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/temporaltest"
	"requisite/workflows"
)

// declared has the responses that /openapi.json describes. Its objects are closed, so that
// it finds fields that are not described.
type declared struct {
	api      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

var (
	declaredOnce sync.Once
	declaredHere *declared
)

func declaredAnswers(t testing.TB, api *reference.API) *declared {
	declaredOnce.Do(func() {
		description, err := json.Marshal(api.Describe())
		require.NoError(t, err)
		d := &declared{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
		require.NoError(t, json.Unmarshal(description, &d.api))
		walk(d.api, "", func(_ string, object map[string]any) {
			_, listed := object["properties"].(map[string]any)
			if _, stated := object["additionalProperties"]; object["type"] == "object" && listed && !stated {
				object["additionalProperties"] = false
			}
		})
		d.compiler.DefaultDraft(jsonschema.Draft2020)
		d.compiler.AssertFormat()
		require.NoError(t, d.compiler.AddResource("openapi.json", d.api))
		declaredHere = d
	})
	require.NotNil(t, declaredHere)
	return declaredHere
}

// holds requires that the description lists a response for its operation, with its status,
// its code or sub-code, and its form.
func (d *declared) holds(t testing.TB, operation string, w *httptest.ResponseRecorder) {
	t.Helper()
	path, known := d.api["paths"].(map[string]any)["/"+operation].(map[string]any)
	if !known {
		return
	}
	status := strconv.Itoa(w.Code)
	response, listed := path["post"].(map[string]any)["responses"].(map[string]any)[status].(map[string]any)
	require.True(t, listed, "%s answers %s, which the description does not list: %s", operation, status, w.Body)
	at := "openapi.json#/paths/~1" + operation + "/post/responses/" + status
	if reference, is := response["$ref"].(string); is {
		at = "openapi.json" + reference
		response = d.api["components"].(map[string]any)["responses"].(map[string]any)[status].(map[string]any)
	}
	var answer any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	require.NoError(t, d.schema(t, at+"/content/application~1json/schema").Validate(answer), "%s: %s", operation, w.Body)
	if w.Code == 200 {
		return
	}
	if w.Code == http.StatusTooManyRequests {
		require.NotEmpty(t, w.Header().Get("Retry-After"))
	}
	var refused struct{ Errors []refusal.Refusal }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &refused))
	require.Len(t, refused.Errors, 1)
	name := string(refused.Errors[0].Code)
	if sub := refused.Errors[0].SubCode; sub != "" {
		name = string(sub)
	}
	require.Contains(t, response["content"].(map[string]any)["application/json"].(map[string]any)["examples"], name,
		"%s returns it, and the description does not list it for %s", operation, status)
}

func (d *declared) schema(t testing.TB, at string) *jsonschema.Schema {
	d.mu.Lock()
	defer d.mu.Unlock()
	schema, known := d.schemas[at]
	if !known {
		var err error
		schema, err = d.compiler.Compile(at)
		require.NoError(t, err)
		d.schemas[at] = schema
	}
	return schema
}

// runsHere stands for Temporal. It executes a run as soon as it is started, with the
// workflows and activities of the service.
type runsHere struct {
	client.Client
	activities *activities.Activities
	// forget gives the outcomes of earlier runs other ids, because all runs have the same id here.
	forget func()
	// beforeStep, if it is set, is called with the name of each step that begins.
	beforeStep func(string)
}

type runHere struct {
	client.WorkflowRun
	env *testsuite.TestWorkflowEnvironment
}

func (c runsHere) ExecuteWorkflow(_ context.Context, _ client.StartWorkflowOptions, workflow any, args ...any) (client.WorkflowRun, error) {
	env := temporaltest.Workflows()
	if c.beforeStep != nil {
		env.SetOnLocalActivityStartedListener(func(info *activity.Info, _ context.Context, _ []any) {
			c.beforeStep(info.ActivityType.Name)
		})
	}
	workflows.Register(env, c.activities)
	c.forget()
	env.ExecuteWorkflow(workflow, args...)
	return runHere{env: env}, nil
}

// DescribeWorkflow finds no earlier run with the Idempotency-Key.
func (runsHere) DescribeWorkflow(context.Context, string, string) (*client.WorkflowExecutionDescription, error) {
	return nil, serviceerror.NewNotFound("no such run")
}

func (runHere) GetID() string    { return "run" }
func (runHere) GetRunID() string { return "run" }

func (r runHere) Get(_ context.Context, result any) error {
	if err := r.env.GetWorkflowError(); err != nil {
		return err
	}
	return r.env.GetWorkflowResult(result)
}

// refusing is a tenant with helpers that set up the state for a refusal.
type refusing struct{ *tenant }

// limited sets the quotas of the api.
func (c refusing) limited(q store.Quotas) {
	c.Server.store = database.Open(c.T, pgtest.As(c.url, pgtest.Serving), nil, store.Options{Quotas: q})
}

func (c refusing) scope() domain.Scope {
	return domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}
}

func (c refusing) business(rest string) string {
	return c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, rest))["business_id"].(string)
}

func (c refusing) erase(business string) {
	parsed, err := id.Parse(id.Business, business)
	require.NoError(c, err)
	_, err = c.operator.Erase(c.Context(), c.scope(), id.BusinessID{UUID: parsed}, false)
	require.NoError(c, err)
}

func (c refusing) erased() string {
	business := c.business(`,"persons":[{"first_name":"Ida","last_name":"Berg"}]`)
	c.erase(business)
	return business
}

// workflow makes a workflow of a business, in a state.
func (c refusing) workflow(business string, state domain.State) string {
	opened := state
	if state == domain.Ended {
		opened = domain.Started
	}
	workflow := c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"state":%q}}`, c.account, business, opened))["workflow_id"].(string)
	if state == domain.Ended {
		c.data("workflow.complete", c.naming("workflow_id", workflow))
	}
	return workflow
}

// in returns a request for a new workflow of a business, in a state.
func (c refusing) in(state domain.State, business string) string {
	return c.naming("workflow_id", c.workflow(business, state))
}

func (c refusing) started() string { return c.in(domain.Started, c.business("")) }
func (c refusing) ended() string   { return c.in(domain.Ended, c.business("")) }

// naming returns a request with an id and other fields of a JSON object.
func (refusing) naming(field string, id any, more ...string) string {
	return fmt.Sprintf(`{%q:%q%s}`, field, id, strings.Join(more, ""))
}

// ofErased returns a request for a workflow whose business was erased.
func (c refusing) ofErased() string {
	business := c.business("")
	body := c.in(domain.Started, business)
	c.erase(business)
	return body
}

// updating adds fields of a workflow to a request for one.
func (refusing) updating(of, fields string) string {
	return strings.TrimSuffix(of, "}") + `,"workflow":{` + fields + `}}`
}

// document returns the id of a required document of a workflow.
func (c refusing) document(workflow string) string {
	parsed, err := id.Parse(id.Workflow, workflow)
	require.NoError(c, err)
	document := id.New()
	c.exec(fmt.Sprintf(`INSERT INTO required_document (id, workflow_id, account_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, origin, due_since, approval, reasons, decision_id, created_at, updated_at)
		VALUES ('%[1]s', '%[2]s', (SELECT account_id FROM workflow WHERE id = '%[2]s'), 'D', 'n', 'c', 't', 'Workflow', '%[3]s', 'PENDING', 'RULE', now(), NULL, '[{"rule":"true","message":"m","facts":{}}]', gen_random_uuid(), now(), now())`, document, parsed, workflow))
	return id.Format(id.RequiredDocument, document)
}

func (c refusing) ofErasedDocument() string {
	business := c.business("")
	document := c.document(c.workflow(business, domain.Started))
	c.erase(business)
	return document
}

// evident returns a request that completes a document of some terms with evidence.
func (c refusing) evident(terms, evidence string) string {
	document := c.document(c.workflow(c.business(""), domain.Started))
	c.exec(fmt.Sprintf(`UPDATE required_document SET terms = '%s'`, terms))
	return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"COMPLETED","evidence":[%s]}}`, document, evidence)
}

func (c refusing) strictly(workflow string) string {
	return c.naming("workflow_id", workflow, `,"strict":true`)
}

func (c refusing) waiving(document string) string {
	return c.naming("required_document_id", document, `,"reason":"r"`)
}

func (c refusing) byHand(workflow string) string {
	return fmt.Sprintf(`{"workflow_id":%q,"document":{"document_type_code":"D","name":"n","category":"c","requirement_text":"t","entity_type":"Workflow","entity_id":%q},"reason":"r"}`, workflow, workflow)
}

// decided makes as many decisions of one day about a workflow as there may be. The day is not
// over soon: no decision is dated before the last one.
func (c refusing) decided(workflow string) {
	parsed, err := id.Parse(id.Workflow, workflow)
	require.NoError(c, err)
	c.exec(fmt.Sprintf(`
		INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, previous_at, as_of, user_id, user_type, trace_id, changes, results, personal_sha256, previous_digest, digest)
		SELECT gen_random_uuid(), '%s', n, 'DOCUMENT_STATUS', 'UPDATED', '2100-01-01Z', CASE WHEN n > 1 THEN '2100-01-01Z'::timestamptz END, '2100-01-01', 'x', 'SYSTEM', '',
			'{}', '[]', sha256('x'), CASE WHEN n > 1 THEN sha256((n - 1)::text::bytea) END, sha256(n::text::bytea)
		FROM generate_series(1, %d) n ORDER BY n`, parsed, store.MaxDecisionsADay))
}

func (c refusing) rules(when string) string {
	return fmt.Sprintf(`{"documents":[{"document_type_code":"D","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":%q}]}`, when)
}

// oneFactMore are rules that declare a fact of an account that has declared as many as it may.
func (c refusing) oneFactMore() string {
	c.declareMany()
	return oneFact
}

const oneFact = `{"documents":[],"facts":[{"name":"one_more","entity_type":"Business","type":"DATE","label":"l","ask":"a"}]}`

func (c refusing) declareMany() {
	c.exec(`INSERT INTO account_fact (account_id, name, entity_type, type, declared_in, declared_version, rules, rules_version)
		SELECT a.id, 'fact_' || i, 'Business', 'DATE', 'RULES', 1, '{}', 1 FROM account a, generate_series(1, 500) i`)
}

// proposing is a request that proposes rules.
func (c refusing) proposing(rules string) string {
	return c.naming("account_id", c.account, `,"comment":"c","rules":`+rules)
}

// proposed returns a request about a new proposal. A second person makes it, who may approve.
func (c refusing) proposed(rules string) string {
	proposal := c.naming("proposal_id", c.data("account.documentRules.proposal.create", c.proposing(rules))["proposal_id"], `,"comment":"c"`)
	second := c.with(domain.NewCredential{Name: "second", Permissions: domain.AllPermissions()})
	c.tenant.key, c.tenant.signer = second.key, second.signer
	return proposal
}

func (c refusing) decidedProposal() string {
	proposal := c.proposed(c.rules("true"))
	c.data("account.documentRules.proposal.reject", proposal)
	return proposal
}

func (c refusing) outdatedProposal() string {
	proposal := c.proposed(c.rules("true"))
	c.publish("true")
	return proposal
}

func (c refusing) publish(when string) {
	c.data("account.documentRules.publish", c.withRules(c.rules(when)))
}

func (c refusing) price(when string) {
	model := requirement.PricingModel{Rules: []requirement.PricingRule{{Name: "n", When: when}}}
	account, err := id.Parse(id.AccountSandbox, c.account)
	require.NoError(c, err)
	_, err = c.operator.Write(c.Context(), domain.Call{Scope: c.scope(), Actor: domain.System}, func(r *store.Records) (any, error) {
		_, err := r.Rules.PublishPrices(c.Context(), id.Account(id.AccountSandbox, account), calculation.NewDraft(model.CanonicalJSON()))
		return nil, err
	})
	require.NoError(c, err)
}

// The rule divides by the sales, which are zero.
const (
	ratio     = "1000 / average_monthly_credit_sales > 10"
	zeroSales = `,"sales_info":{"sales_amount":[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":0,"currency":"USD"}]}`
)

func (c refusing) key() string {
	return c.naming("key_id", c.data("webhook.key.create", c.named())["key_id"])
}

// named returns a request with the id of the account.
func (c refusing) named() string { return c.naming("account_id", c.account) }

func (c refusing) withRules(rules string) string {
	return c.naming("account_id", c.account, `,"rules":`+rules)
}

func (c refusing) previewing(sales, rules string) string {
	return c.naming("workflow_id", c.workflow(c.business(sales), domain.Started), `,"rules":`+rules)
}

func (c refusing) active() (key string) {
	key = c.key()
	c.data("webhook.key.activate", key)
	return key
}

func (c refusing) endpoint(path string) string {
	return c.data("webhook.config.create", c.at(path))["config_id"].(string)
}

func (c refusing) at(path string) string {
	return fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/%s"}}`, c.account, path)
}

// tested returns the id of a delivery without an attempt.
func (c refusing) tested(config string) (delivery string) {
	event := c.data("webhook.config.test", c.naming("config_id", config))["event_id"]
	listed := c.data("webhook.delivery.list", fmt.Sprintf(`{"account_id":%q,"filters":{"event_id":%q}}`, c.account, event))["deliveries"].([]any)
	return c.naming("delivery_id", listed[0].(map[string]any)["delivery_id"])
}

// named is a person with an external_id.
const named = `{"first_name":"Ida","last_name":"Berg","external_id":"ours"}`

// provoked sets up each refusal that an operation lists as its own, and returns the
// request.
var provoked = map[string]map[string]func(refusing) string{
	"account.documentRules.preview": {
		"BUSINESS_ERASED":     refusing.ofErased,
		"FACT_LIMIT_EXCEEDED": func(c refusing) string { return c.previewing("", c.oneFactMore()) },
		"WORKFLOW_ENDED":      refusing.ended,
		"rules":               func(c refusing) string { return c.previewing("", c.rules("evaluaton_score > 1")) },
		"RULE_NOT_EVALUABLE":  func(c refusing) string { return c.previewing(zeroSales, c.rules(ratio)) },
	},
	"account.documentRules.proposal.approve": {
		"FACT_LIMIT_EXCEEDED": func(c refusing) string {
			proposal := c.proposed(oneFact)
			c.declareMany()
			return proposal
		},
		"PROPOSAL_DECIDED":  refusing.decidedProposal,
		"PROPOSAL_OUTDATED": refusing.outdatedProposal,
		"SECOND_PERSON_REQUIRED": func(c refusing) string {
			c.proposed(c.rules("true")) // the second person proposes too
			return c.proposed(c.rules("true"))
		},
		"SIZE_LIMIT_EXCEEDED": func(c refusing) string {
			proposal := c.proposed(c.rules("true"))
			c.limited(store.Quotas{RuleBytes: 10})
			return proposal
		},
		"VERSION_LIMIT_EXCEEDED": func(c refusing) string {
			c.proposed(c.rules("true"))
			proposal := c.proposed(c.rules("true"))
			c.exec(`UPDATE rule_proposal SET proposed_by = 'c'`)
			c.limited(store.Quotas{RuleVersionsADay: 1})
			return proposal
		},
	},
	"account.documentRules.proposal.create": {
		"rules":               func(c refusing) string { return c.proposing(c.rules("nothing")) },
		"FACT_LIMIT_EXCEEDED": func(c refusing) string { return c.proposing(c.oneFactMore()) },
		"PROPOSAL_LIMIT_EXCEEDED": func(c refusing) string {
			for range store.MaxOpenProposals {
				c.proposed(c.rules("true"))
			}
			return c.proposing(c.rules("true"))
		},
		"SIZE_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{RuleBytes: 10})
			return c.proposing(c.rules("true"))
		},
		"VERSION_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{RuleVersionsADay: 1})
			c.publish("business_age_years > 1")
			return c.proposing(c.rules("true"))
		},
	},
	"account.documentRules.proposal.reject": {
		"PROPOSAL_DECIDED":  refusing.decidedProposal,
		"PROPOSAL_OUTDATED": refusing.outdatedProposal,
	},
	"account.documentRules.publish": {
		"APPROVAL_REQUIRED": func(c refusing) string {
			c.exec(`UPDATE account SET rules_need_approval = true`)
			return c.withRules(c.rules("true"))
		},
		"rules":               func(c refusing) string { return c.withRules(c.rules("nothing")) },
		"FACT_LIMIT_EXCEEDED": func(c refusing) string { return c.withRules(c.oneFactMore()) },
		"SIZE_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{RuleBytes: 10})
			return c.withRules(c.rules("true"))
		},
		"VERSION_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{RuleVersionsADay: 1})
			c.publish("business_age_years > 1")
			return c.withRules(c.rules("business_age_years > 2"))
		},
	},
	"account.documentRules.validate": {
		"FACT_LIMIT_EXCEEDED": func(c refusing) string { return c.withRules(c.oneFactMore()) },
		"rules":               func(c refusing) string { return c.withRules(c.rules("nothing")) },
	},
	"account.recalculation.start": {
		"RECALCULATION_IN_PROGRESS": func(c refusing) string {
			c.publish("true")
			c.data("account.recalculation.start", c.naming("account_id", c.account))
			return c.naming("account_id", c.account)
		},
		"RULES_NOT_PUBLISHED": func(c refusing) string { return c.naming("account_id", c.account) },
	},
	"business.create": {
		"BUSINESS_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{Businesses: 1})
			c.business("")
			return c.applicant(`{"legal_name":"Ltd"}`, "")
		},
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			c.data("business.create", c.applicant(`{"legal_name":"Ltd","external_id":"ours"}`, ""))
			return c.applicant(`{"legal_name":"Ltd","external_id":"ours"}`, "")
		},
	},
	"business.salesInfo.create": {
		"BUSINESS_ERASED": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"sales_info":{"sales_amount":[]}}`, c.erased())
		},
		"SALES_INFO_EXISTS": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"sales_info":{"sales_amount":[]}}`, c.business(zeroSales))
		},
	},
	"business.salesInfo.delete": {
		"BUSINESS_ERASED": func(c refusing) string {
			business := c.business(zeroSales)
			sales := c.data("business.get", c.naming("business_id", business))["sales_info"].(map[string]any)["sales_info_id"]
			c.erase(business)
			return c.naming("sales_info_id", sales)
		},
	},
	"business.update": {
		"BUSINESS_ERASED": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"business":{"website":"https://x.example"}}`, c.erased())
		},
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			c.data("business.create", c.applicant(`{"legal_name":"Ltd","external_id":"ours"}`, ""))
			return fmt.Sprintf(`{"business_id":%q,"business":{"external_id":"ours"}}`, c.business(""))
		},
		"PERSONS_ON_RECORD": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"business":{"no_persons_attested":true}}`, c.business(`,"persons":[{"first_name":"Ida","last_name":"Berg"}]`))
		},
	},
	"person.create": {
		"BUSINESS_ERASED": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"person":{"first_name":"Ida","last_name":"Berg"}}`, c.erased())
		},
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			return fmt.Sprintf(`{"business_id":%q,"person":{"first_name":"Eva","last_name":"Lie","external_id":"ours"}}`, c.business(`,"persons":[`+named+`]`))
		},
		"PERSON_LIMIT_EXCEEDED": func(c refusing) string {
			person := `{"first_name":"Ida","last_name":"Berg"}`
			all := strings.Repeat(person+",", fact.MaxPersons-1) + person
			return fmt.Sprintf(`{"business_id":%q,"person":%s}`, c.business(`,"persons":[`+all+`]`), person)
		},
	},
	"person.delete": {"BUSINESS_ERASED": func(c refusing) string { return c.erasedPerson("") }},
	"person.update": {
		"BUSINESS_ERASED": func(c refusing) string { return c.erasedPerson(`,"person":{"first_name":"Eva"}`) },
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			business := c.business(`,"persons":[` + named + `,{"first_name":"Eva","last_name":"Lie"}]`)
			persons := c.data("business.get", c.naming("business_id", business))["person_ids"].([]any)
			return fmt.Sprintf(`{"person_id":%q,"person":{"external_id":"ours"}}`, persons[1])
		},
	},
	"webhook.config.create": {
		"MAX_WEBHOOK_URL_LIMIT": func(c refusing) string {
			for n := range 20 {
				c.endpoint(strconv.Itoa(n))
			}
			return c.at("more")
		},
		"URL_ALREADY_EXISTS": func(c refusing) string { c.endpoint("a"); return c.at("a") },
	},
	"webhook.config.test": {"WAITING_LIMIT_EXCEEDED": func(c refusing) string { return c.naming("config_id", c.crowded()) }},
	"webhook.config.update": {
		"URL_ALREADY_EXISTS": func(c refusing) string {
			c.endpoint("a")
			return fmt.Sprintf(`{"config_id":%q,"config":{"url":"https://hooks.example.com/a"}}`, c.endpoint("b"))
		},
	},
	"webhook.delivery.cancel": {
		"DELIVERY_ENDED": func(c refusing) string {
			delivery := c.tested(c.endpoint("a"))
			c.data("webhook.delivery.cancel", delivery)
			return delivery
		},
	},
	"webhook.delivery.recover": {"WAITING_LIMIT_EXCEEDED": func(c refusing) string {
		return fmt.Sprintf(`{"config_id":%q,"since":"2026-01-01T00:00:00Z"}`, c.crowded())
	}},
	"webhook.delivery.retry": {
		"DELIVERY_CANCELED": func(c refusing) string {
			c.active()
			config := c.endpoint("a")
			delivery := c.tested(config)
			c.data("webhook.config.delete", c.naming("config_id", config))
			return delivery
		},
		"DELIVERY_HELD": func(c refusing) string { return c.tested(c.endpoint("a")) }, // no key is active
		"WAITING_LIMIT_EXCEEDED": func(c refusing) string {
			c.active()
			config := c.endpoint("a")
			final := c.tested(config)
			c.data("webhook.delivery.cancel", final)
			c.tested(config)
			c.limited(store.Quotas{Waiting: 1})
			return final
		},
	},
	"webhook.event.list": {
		"CURSOR_UNKNOWN": func(c refusing) string {
			c.tested(c.endpoint("a"))
			next := c.data("webhook.event.list", c.naming("account_id", c.account, `,"order":"OLDEST_FIRST"`))["next"]
			c.exec(`DELETE FROM webhook_event_position`) // as if an older backup had been restored
			return c.naming("account_id", c.account, fmt.Sprintf(`,"order":"OLDEST_FIRST","page":{"after":%q}`, next))
		},
	},
	"webhook.event.replay": {
		"REPLAY_IN_PROGRESS": func(c refusing) string {
			replay := fmt.Sprintf(`{"config_id":%q,"since":"2026-01-01T00:00:00Z"}`, c.endpoint("a"))
			c.data("webhook.event.replay", replay)
			return replay
		},
		"WAITING_LIMIT_EXCEEDED": func(c refusing) string {
			return fmt.Sprintf(`{"config_id":%q,"since":"2026-01-01T00:00:00Z"}`, c.crowded())
		},
	},
	"webhook.key.activate": {
		"KEY_DELETED": func(c refusing) string {
			key := c.key()
			c.data("webhook.key.delete", key)
			return key
		},
	},
	"webhook.key.create": {
		"DAILY_LIMIT_EXCEEDED": func(c refusing) string {
			c.exec(`INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at)
				SELECT a.id, 'whk_' || to_char(at, 'YYYYMMDD') || '_00', at::date, 100, 'INACTIVE', '', at
				FROM account a, generate_series(-2, 2) d, LATERAL (SELECT (current_date + d)::timestamp AT TIME ZONE 'UTC' AS at) m`)
			return c.named()
		},
	},
	"webhook.key.delete": {"KEY_ACTIVE": refusing.active},
	"workflow.complete": {
		"DOCUMENTS_NOT_CALCULATED": func(c refusing) string {
			c.publish("true")
			return c.strictly(c.workflow(c.business(""), domain.Started))
		},
		"DOCUMENTS_NOT_COMPLETED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.document(workflow)
			return c.strictly(workflow)
		},
		"DOCUMENTS_STALE": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.data("workflow.requiredDocument.calculate", c.naming("workflow_id", workflow))
			c.publish("true")
			return c.strictly(workflow)
		},
		"FINDINGS_OPEN": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			parsed, err := id.Parse(id.Workflow, workflow)
			require.NoError(c, err)
			c.exec(fmt.Sprintf(`UPDATE workflow SET findings = '[{"finding_code":"F","kind":"DECLINE","since":"2026-01-01"}]' WHERE id = '%s'`, parsed))
			return c.strictly(workflow)
		},
		"WORKFLOW_ENDED":       refusing.ended,
		"WORKFLOW_NOT_STARTED": func(c refusing) string { return c.in(domain.Created, c.business("")) },
	},
	"workflow.create": {
		"BUSINESS_ERASED": func(c refusing) string {
			return fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, c.erased())
		},
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			body := fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"external_id":"ours"}}`, c.account, c.business(""))
			c.data("workflow.create", body)
			return body
		},
		"WORKFLOW_NOT_ENDED": func(c refusing) string {
			business := c.business("")
			return fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"previous_workflow_id":%q}}`, c.account, business, c.workflow(business, domain.Started))
		},
		"WORKFLOW_LIMIT_EXCEEDED": func(c refusing) string {
			c.limited(store.Quotas{Workflows: 1})
			business := c.business("")
			c.workflow(business, domain.Started)
			return fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business)
		},
	},
	"workflow.deadlines.apply": {
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			c.document(workflow)
			c.exec(`UPDATE required_document SET status = 'COMPLETED', approval = '{"status":"COMPLETED","on":"2020-01-01"}', valid_until = '2020-01-01', next_on = '2020-01-02',
				terms = '{"renew_after":"1 day"}'`)
			return c.naming("workflow_id", workflow)
		},
	},
	"workflow.pricing.calculate": {
		"BUSINESS_ERASED":        func(c refusing) string { c.price("true"); return c.ofErased() },
		"WORKFLOW_ENDED":         refusing.ended,
		"PRICING_NOT_CONFIGURED": refusing.started,
		"MISSING_REQUIREMENTS":   func(c refusing) string { c.price("business_age_years > 1"); return c.started() },
		"FACTS_KEEP_CHANGING": func(c refusing) string {
			c.price("true")
			c.changeBefore("SaveScore")
			return c.started()
		},
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			c.price("true")
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			return c.naming("workflow_id", workflow)
		},
		"RULE_NOT_EVALUABLE": func(c refusing) string { c.price(ratio); return c.in(domain.Started, c.business(zeroSales)) },
	},
	"workflow.requiredDocument.calculate": {
		"BUSINESS_ERASED":      refusing.ofErased,
		"WORKFLOW_ENDED":       refusing.ended,
		"MISSING_REQUIREMENTS": func(c refusing) string { c.publish("business_age_years > 1"); return c.started() },
		"FACTS_KEEP_CHANGING": func(c refusing) string {
			c.changeBefore("SaveRequiredDocuments")
			return c.started()
		},
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			return c.naming("workflow_id", workflow)
		},
		"RULE_NOT_EVALUABLE": func(c refusing) string { c.publish(ratio); return c.in(domain.Started, c.business(zeroSales)) },
	},
	"workflow.requiredDocument.create": {
		"BUSINESS_ERASED": func(c refusing) string {
			business := c.business("")
			workflow := c.workflow(business, domain.Started)
			c.erase(business)
			return c.byHand(workflow)
		},
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			return c.byHand(workflow)
		},
		"DOCUMENT_EXISTS": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.document(workflow)
			return c.byHand(workflow)
		},
		"DOCUMENT_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.document(workflow)
			c.exec(fmt.Sprintf(`INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'document_type_code', 'X' || n,
				'origin', 'MANUAL', 'own', '{}'::jsonb))).* FROM required_document d, generate_series(1, %d) n`, store.MaxManualDocuments))
			return strings.Replace(c.byHand(workflow), `"D"`, `"OTHER"`, 1)
		},
		"WORKFLOW_ENDED": func(c refusing) string { return c.byHand(c.workflow(c.business(""), domain.Ended)) },
	},
	"workflow.requiredDocument.waive": {
		"BUSINESS_ERASED": func(c refusing) string { return c.waiving(c.ofErasedDocument()) },
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			return c.waiving(c.document(workflow))
		},
		"DOCUMENT_CHANGED": func(c refusing) string {
			return c.naming("required_document_id", c.document(c.workflow(c.business(""), domain.Started)), `,"reason":"r","decision_id":"dec_3517cQJO4cb00O2yCRsw9"`)
		},
		"INVALID_STATUS_CHANGE": func(c refusing) string {
			document := c.document(c.workflow(c.business(""), domain.Started))
			c.data("workflow.requiredDocument.waive", c.waiving(document))
			return c.waiving(document)
		},
		"WORKFLOW_ENDED": func(c refusing) string { return c.waiving(c.document(c.workflow(c.business(""), domain.Ended))) },
	},
	"workflow.requiredDocument.update": {
		"BUSINESS_ERASED": func(c refusing) string {
			return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"NEEDS_REVIEW"}}`, c.ofErasedDocument())
		},
		"DOCUMENT_CHANGED": func(c refusing) string {
			return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"NEEDS_REVIEW"},"decision_id":"dec_3517cQJO4cb00O2yCRsw9"}`, c.document(c.workflow(c.business(""), domain.Started)))
		},
		"EVIDENCE_EXPIRED":  func(c refusing) string { return c.evident(`{"must_be_valid":true}`, `{"expires_on":"2020-01-01"}`) },
		"EVIDENCE_REQUIRED": func(c refusing) string { return c.evident(`{"must_be_valid":true}`, `{"reference":"r"}`) },
		"EVIDENCE_TOO_OLD":  func(c refusing) string { return c.evident(`{"not_older_than":"1 day"}`, `{"issued_on":"2020-01-01"}`) },
		"DECISION_LIMIT_EXCEEDED": func(c refusing) string {
			workflow := c.workflow(c.business(""), domain.Started)
			c.decided(workflow)
			return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"NEEDS_REVIEW"}}`, c.document(workflow))
		},
		"INVALID_STATUS_CHANGE": func(c refusing) string {
			return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"WAIVED"}}`, c.document(c.workflow(c.business(""), domain.Started)))
		},
		"WORKFLOW_ENDED": func(c refusing) string {
			return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"NEEDS_REVIEW"}}`, c.document(c.workflow(c.business(""), domain.Ended)))
		},
	},
	"workflow.start": {
		"WORKFLOW_ALREADY_STARTED": refusing.started,
		"WORKFLOW_ENDED":           refusing.ended,
	},
	"workflow.update": {
		"BUSINESS_ERASED": func(c refusing) string { return c.updating(c.ofErased(), "") },
		"EXTERNAL_ID_EXISTS": func(c refusing) string {
			c.data("workflow.update", c.updating(c.started(), `"external_id":"ours"`))
			return c.updating(c.started(), `"external_id":"ours"`)
		},
		"WORKFLOW_ENDED": func(c refusing) string { return c.updating(c.ended(), "") },
	},
}

// changeBefore changes all facts each time before runs execute a step.
func (c refusing) changeBefore(step string) {
	runs := c.Server.temporal.(runsHere)
	runs.beforeStep = func(begun string) {
		if begun == step {
			c.exec(`UPDATE business SET established_date = coalesce(established_date, '2020-01-01') - 1`)
		}
	}
	c.Server.temporal = runs
}

// erasedPerson returns a request for a person of an erased business.
func (c refusing) erasedPerson(rest string) string {
	business := c.erased()
	persons := c.data("business.get", c.naming("business_id", business))["person_ids"].([]any)
	return fmt.Sprintf(`{"person_id":%q%s}`, persons[0], rest)
}

// crowded returns an endpoint whose queue is full.
func (c refusing) crowded() (config string) {
	config = c.endpoint("a")
	c.tested(config)
	c.limited(store.Quotas{Waiting: 1})
	return config
}

// TestOperations_ReturnTheRefusalsThatTheyList provokes every refusal that an operation
// lists as its own. The opposite, that no other refusal occurs, is checked for each request
// of this package's tests: see declared.
func TestOperations_ReturnTheRefusalsThatTheyList(t *testing.T) {
	t.Parallel()
	for name, shown := range reference.OperationExamples() {
		require.ElementsMatch(t, shown.Refusals, slices.Collect(maps.Keys(provoked[name])), "%s: the listed refusals are those that this test provokes", name)
		for _, refused := range shown.Refusals {
			t.Run(name+" "+refused, func(t *testing.T) {
				t.Parallel()
				c := whole(t)
				body := provoked[name][refused](c)
				header := c.signed(name, body)
				w := c.send(t.Context(), name, header, body)
				var answer struct{ Errors []refusal.Refusal }
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
				require.Len(t, answer.Errors, 1, "%s", body)
				got := answer.Errors[0]
				if refused == "rules" {
					require.Equal(t, refusal.BadRequest, got.Code)
					require.Contains(t, string(got.Details), `"field":"rules.documents[0].when"`)
					return
				}
				require.Contains(t, []string{string(got.Code), string(got.SubCode)}, refused, "%s", w.Body)
				if got.SubCode != "" {
					require.NotEmpty(t, got.EntityType)
				}
				switch got.SubCode {
				case refusal.FindingsOpen:
					require.Equal(t, []string{"F"}, got.FindingCodes)
				case refusal.DocumentsNotCompleted:
					require.Len(t, got.RequiredDocumentIDs, 1)
				case refusal.URLAlreadyExists, refusal.ExternalIDExists:
					require.NotEmpty(t, got.EntityID, "names what is there already")
				}
				c.withoutReading(name, body, got)
			})
		}
	}
}

// tellsFile is what these refusals tell of what is on file here: dates, names, texts and codes of findings.
var tellsFile = map[refusal.SubCode][]string{
	refusal.EvidenceExpired:      {"2020-01-01"},
	refusal.EvidenceTooOld:       {"2020-01-01"},
	refusal.FindingsOpen:         {"DECLINE", " F."},
	refusal.ProposalDecided:      {"second", " at 2"},
	refusal.RuleNotEvaluable:     {"average_monthly_credit_sales", "divides by zero"},
	refusal.SecondPersonRequired: {"second"},
}

// withoutReading sends a refused request again with all permissions but read. The refusal is the
// same, without what is on file.
func (c refusing) withoutReading(operation, body string, got refusal.Refusal) {
	if slices.Contains(c.operations[operation].Permissions, domain.PermissionRead) {
		return
	}
	unread := c.with(domain.NewCredential{Name: "second", Permissions: domain.AllPermissions().Without(domain.Permissions{domain.PermissionRead})})
	w := unread.send(c.Context(), operation, unread.signed(operation, body), body)
	var answer struct{ Errors []refusal.Refusal }
	require.NoError(c, json.Unmarshal(w.Body.Bytes(), &answer))
	require.Len(c, answer.Errors, 1)
	without := answer.Errors[0]
	require.Equal(c, []any{got.Code, got.SubCode, got.EntityType, got.EntityID}, []any{without.Code, without.SubCode, without.EntityType, without.EntityID}, "%s", w.Body)
	require.Empty(c, without.FindingCodes)
	require.Equal(c, got.RequiredDocumentIDs, without.RequiredDocumentIDs)
	for _, told := range tellsFile[got.SubCode] {
		require.Contains(c, got.Message+string(got.Details), told)
	}
	for _, told := range slices.Concat(slices.Collect(maps.Values(tellsFile))...) {
		require.NotContains(c, without.Message+string(without.Details), told)
	}
	if tellsFile[got.SubCode] == nil && got.SubCode != refusal.EvidenceRequired && got.SubCode != "" {
		require.Equal(c, got.Message+string(got.Details), without.Message+string(without.Details))
	}
}

// TestWarnings_TellWhatIsOnFileToReaders, at the time of the answer: a repeat of a request too.
func TestWarnings_TellWhatIsOnFileToReaders(t *testing.T) {
	t.Parallel()
	c := whole(t)
	unread := c.with(domain.NewCredential{Name: "unread", Permissions: domain.AllPermissions().Without(domain.Permissions{domain.PermissionRead})})
	warning := func(caller *tenant, operation, body, key string) string {
		w := caller.send(c.Context(), operation, caller.signed(operation, body, key), body)
		var answer struct {
			Meta struct{ Warnings []refusal.Warning }
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
		require.Len(t, answer.Meta.Warnings, 1, "%s", w.Body)
		return answer.Meta.Warnings[0].Message
	}
	business := c.business("")
	owner := fmt.Sprintf(`{"business_id":%q,"person":{"first_name":"Ida","last_name":"Berg","ownership_percentage":62.5}}`, business)
	c.data("person.create", owner)
	require.Equal(t, "The persons of this business own more than 100 percent together; correct ownership_percentage with person.update.", warning(unread, "person.create", owner, "owner"))
	require.Contains(t, warning(c.tenant, "person.create", owner, "owner"), ": they own 125")

	workflow := c.workflow(business, domain.Started)
	parsed, err := id.Parse(id.Workflow, workflow)
	require.NoError(t, err)
	c.exec(fmt.Sprintf(`UPDATE workflow SET findings = '[{"finding_code":"F","kind":"REVIEW","since":"2026-01-01"}]' WHERE id = '%s'`, parsed))
	complete := c.naming("workflow_id", workflow)
	require.Equal(t, "The workflow has 1 finding(s).", warning(unread, "workflow.complete", complete, "end"))
	require.Equal(t, "The workflow has 1 finding(s): REVIEW F.", warning(c.tenant, "workflow.complete", complete, "end"))
}

// TestOpenAPI_ListsTheGeneralRefusalsOfEachOperation, and so does the page.
func TestOpenAPI_ListsTheGeneralRefusalsOfEachOperation(t *testing.T) {
	s := testServer()
	_, pages := docsPages(t, false)
	paths := description(t)["paths"].(map[string]any)
	unnamed := []string{"account.list", "meta.checkVersion", "meta.whoami"}
	for name, o := range s.operations {
		responses := paths["/"+name].(map[string]any)["post"].(map[string]any)["responses"].(map[string]any)
		for status, able := range map[string]bool{
			"200": true, "400": true, "401": true, "403": true, "404": false, "405": false, "413": true, "415": true, "429": true, "500": true, "503": true,
			"409": o.Writes, "422": o.Writes, "504": o.Waits,
		} {
			require.Equal(t, able, responses[status] != nil, "%s %s", name, status)
		}
		examples := responses["400"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["examples"].(map[string]any)
		require.Equal(t, !slices.Contains(unnamed, name), examples["ENTITY_NOT_FOUND"] != nil, name)
		_, refusals, found := strings.Cut(pages[reference.Address(o.Operation)], `<section id="refusals">`)
		require.True(t, found)
		for code, able := range map[refusal.Code]bool{
			refusal.EntityNotFound: !slices.Contains(unnamed, name), refusal.IdempotencyKeyReused: o.Writes, refusal.RequestInProgress: o.Writes, refusal.StillRunning: o.Waits,
		} {
			require.Equal(t, able, strings.Contains(refusals, `<a href="/docs/errors#`+string(code)+`">`), "%s %s", name, code)
		}
	}
	for code, of := range map[refusal.Code]string{
		refusal.StillRunning: reference.Waiting.Words, refusal.IdempotencyKeyReused: reference.Writing.Words, refusal.EntityNotFound: reference.Naming.Words, refusal.UnknownOperation: reference.NoOperation.Words,
		refusal.BadRequest: reference.AnyOperation.Words, refusal.TooManyRequests: reference.AnyOperation.Words,
	} {
		_, article, found := strings.Cut(pages[errorsPage], `<article class="code" id="`+string(code)+`">`)
		require.True(t, found)
		article, _, _ = strings.Cut(article, "</article>")
		require.Contains(t, article, "Of "+of+".", code)
	}
}

// whole returns a tenant whose runs are executed.
func whole(t *testing.T) refusing {
	c := refusing{newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})}
	c.Server.rules = engine.New(c.Server.store.Versions, 1<<20)
	c.Server.temporal = runsHere{activities: activities.New(c.Server.store, c.Server.rules), forget: func() { c.exec(`UPDATE outcome SET run_id = gen_random_uuid()`) }}
	return c
}

// TestOperationsWithRuns_AnswerAsDescribed: send compares each response with the
// description.
func TestOperationsWithRuns_AnswerAsDescribed(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.active()
	c.price("business_age_years > 1")
	c.data("account.documentRules.publish", fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[
		{"document_type_code":"ALWAYS","name":"n","category":"c","requirement_text":"t","entity_type":"Workflow"},
		{"document_type_code":"SALES","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"average_monthly_credit_sales < 1"},
		{"document_type_code":"PASSPORT","name":"n","category":"c","requirement_text":"t","entity_type":"Person","when":"person.citizenship != \"US\" && evaluation_score < 1"}]}}`, c.account))
	business := c.business(`,"persons":[{"first_name":"Ida","last_name":"Berg"}]` + zeroSales)
	workflow := c.in(domain.Started, business)
	gaps := c.ask("workflow.requiredDocument.calculate", "", workflow).Errors
	require.Len(t, gaps, 1)
	require.Equal(t, "MISSING_REQUIREMENTS", gaps[0].Code)
	person := c.data("business.get", c.naming("business_id", business))["person_ids"].([]any)[0]
	c.data("person.update", fmt.Sprintf(`{"person_id":%q,"person":{"citizenship":"NO"}}`, person))
	c.data("business.update", fmt.Sprintf(`{"business_id":%q,"business":{"established_date":"2001-02-03","address":{"city":"Oslo"}}}`, business))
	c.data("workflow.pricing.calculate", workflow)
	require.Len(t, c.data("account.documentRules.preview", workflow)["added"], 3)
	c.data("workflow.requiredDocument.calculate", workflow)
	require.Len(t, c.data("workflow.requiredDocument.list", workflow)["required_documents"], 3)
	require.Len(t, c.data("account.documentRules.preview", workflow)["kept"], 3)
	c.data("workflow.get", workflow)
	c.data("account.documentRules.get", c.named())
	for _, event := range c.data("webhook.event.list", c.named())["events"].([]any) {
		c.data("webhook.event.get", fmt.Sprintf(`{"event_id":%q}`, event.(map[string]any)["id"]))
	}
}
