package main

import "requisite/internal/domain"

// example is the example of one operation: a valid request, the data of its
// answer, and the refusals that are specific to it.
type example struct {
	request, data string
	refusals      []string // names of refusalExamples
}

const (
	exAccount  = `"account_id":"sb_3517wGo2vFZkUlmyh1meP"`
	exBusiness = `"business_id":"b_3517YD0aGgcZCEBmBoXin"`
	exPerson   = `"person_id":"p_3517YD8NUCRTf0PJou2uq"`
	exWorkflow = `"workflow_id":"w_3517YD0mEch3XgoqAzO2l"`
	exSales    = `"sales_info_id":"bsi_3517YD5A0iJeUxESuN6dM"`
	exDocument = `"required_document_id":"rd_3517cQJO4cb00O2yCRsv0"`
	exVersion  = `"version_id":"rul_3517cQGqmMUST1PmoPgGf"`
	exKey      = `"key_id":"whk_20261120_01"`
	exTimes    = `"created_at":"2026-11-20T09:30:00.000Z","updated_at":"2026-11-20T09:30:00.000Z"`
	exHint     = `{"path":"rules.examples","message":"there are none: write applications with the documents that must come out, so that publishing tries the rules","severity":"HINT"}`
	exRules    = `"rules":{"documents":[{"document_type_code":"BANK_STATEMENTS","name":"Bank statements, last three months","category":"FINANCIAL",` +
		`"requirement_text":"Three most recent statements of the settlement account.","entity_type":"Business","when":"average_monthly_credit_sales > 50000"}]}`
	exReasons = `"reasons":[{"rule":"average_monthly_credit_sales > 50000",` + exVersion + `,` +
		`"message":"Bank statements, last three months: required because average monthly credit sales are 60000, more than 50000.","facts":{"average_monthly_credit_sales":60000}}]`
	exBankStatements = `"document_type_code":"BANK_STATEMENTS","name":"Bank statements, last three months","category":"FINANCIAL",` +
		`"requirement_text":"Three most recent statements of the settlement account.","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin"`
	exGap = `{"code":"FIELDS_REQUIRED","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin",` +
		`"message":"Supply the date on which the business was established: call business.update with established_date.",` +
		`"related_endpoints":["business.update"],"fields":["established_date"],"missing":[{"field":"established_date"}]}`
	exPricingGap = `{"code":"FIELDS_REQUIRED","entity_type":"BusinessSalesInfo","entity_id":"b_3517YD0aGgcZCEBmBoXin",` +
		`"message":"The business has no sales info: call business.salesInfo.create with a sales_amount of type HIGHEST_TICKET_SALE in USD.",` +
		`"related_endpoints":["business.salesInfo.delete","business.salesInfo.create"],"fields":["sales_amount"],` +
		`"missing":[{"field":"sales_amount","type":"HIGHEST_TICKET_SALE","currency":"USD"}]}`
	exConfig      = `"config_id":"whc_3517YD5A0iJeUxESuN6dM"`
	exDelivery    = `"delivery_id":"whd_3517YD8O1yBC7Fm4MYr0z"`
	exConfigState = `{` + exConfig + `,` + exAccount + `,"url":"https://hooks.example.com/requisite","event_types":["REQUIRED_DOCUMENTS_CALCULATED"],"description":"Back office","rate_per_second":50,"concurrency":null,"status":"ACTIVE",` +
		`"health":{"status":"FAILING","failing_since":"2026-11-20T09:10:00.000Z","last_error":"HTTP 503","next_attempt_at":"2026-11-20T09:31:00.000Z","waiting":12,"retrying":4},` + exTimes + `}`
	exDeliveryState = exDelivery + `,"event_id":"wh_3517YD8NUCRTf0PJou2uq","event_type":"REQUIRED_DOCUMENTS_CALCULATED",` + exConfig + `,"status":"RETRYING","attempt_count":1,` +
		`"next_attempt_at":"2026-11-20T09:30:05.300Z","last_error":"HTTP 503",` + exTimes
	exEvent   = `"event_id":"wh_3517YD8NUCRTf0PJou2uq","event_type":"REQUIRED_DOCUMENT_UPDATED","timestamp":"2026-11-20T09:30:00.000Z","sequence":4,` + exWorkflow
	exPayload = `"payload":{"version":"1.0",` + exWorkflow + `,"sequence":4,"user_context":{"user_id":"back office","user_type":"API_KEY"},` +
		exDocument + `,"document_type_code":"BANK_STATEMENTS","status":"NEEDS_REVIEW","previous_status":"PENDING"}`
	exPlace     = `AAAAAfivrQ5W7ESnAAAAAAAAAv8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
	exNextPlace = `AAAAAfivrQ5W7ESnAAAAAAAAAwoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
	exRun       = `"run_id":"run_3517YD8NUCRTf0PJou2uq"`
	exKeyState  = `{` + exKey + `,` + exAccount + `,"status":"ACTIVE","created_at":"2026-11-20T09:30:00.000Z","activated_at":"2026-11-20T09:40:00.000Z"}`
	exState     = `{` + exWorkflow + `,` + exAccount + `,` + exBusiness + `,"state":"STARTED","evaluation_score":620,` +
		`"score_calculated_at":"2026-11-20T09:31:00.000Z","started_at":"2026-11-20T09:30:00.000Z",` +
		`"documents_calculated_at":"2026-11-20T09:32:00.000Z","documents_stale":false,` + exTimes + `}`
	exPublished = exVersion + `,"version":2,"comment":"Statements above 50,000","published_at":"2026-11-20T09:30:00.000Z","published_by":"compliance"`
)

// operationExamples has one entry for each operation.
var operationExamples = map[string]example{
	"account.get": {`{` + exAccount + `}`,
		`{` + exAccount + `,"name":"Onboarding","currency":"USD","time_zone":"America/New_York","created_at":"2026-11-20T09:30:00.000Z"}`, nil},
	"account.documentRules.get":      {`{` + exAccount + `}`, `{` + exPublished + `,` + exRules + `}`, nil},
	"account.documentRules.list":     {`{` + exAccount + `}`, `{"versions":[{` + exPublished + `}]}`, nil},
	"account.documentRules.publish":  {`{` + exAccount + `,` + exRules + `,"comment":"Statements above 50,000"}`, `{` + exVersion + `,"version":2,"changed":true,"warnings":[` + exHint + `]}`, []string{"rules", "SIZE_LIMIT_EXCEEDED", "VERSION_LIMIT_EXCEEDED"}},
	"account.documentRules.validate": {`{` + exAccount + `,` + exRules + `}`, `{"facts":["average_monthly_credit_sales"],"warnings":[` + exHint + `]}`, []string{"rules"}},
	"account.documentRules.preview": {`{` + exWorkflow + `,` + exRules + `}`,
		`{"added":[{` + exBankStatements + `,"status":"PENDING",` + exReasons + `}],"kept":[],"restored":[],"removed":[],"missing":[]}`, []string{"BUSINESS_ERASED", "rules", "RULE_NOT_EVALUABLE", "WORKFLOW_ENDED"}},
	"business.create": {`{` + exAccount + `,"business":{"legal_name":"Alder Works Ltd","established_date":"2010-06-15","industry_category_code":["0742"],` +
		`"email":"office@alder.example","address":{"line1":"1 Alder Road","city":"Portland","region":"OR","postal_code":"97205","country":"US"}},` +
		`"persons":[{"first_name":"Ida","last_name":"Berg","citizenship":"NO","ownership_percentage":33.33}],` +
		`"sales_info":{"sales_amount":[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000,"currency":"USD"}]}}`,
		`{` + exBusiness + `,"person_ids":["p_3517YD8NUCRTf0PJou2uq"],` + exSales + `}`, []string{"BUSINESS_LIMIT_EXCEEDED"}},
	"business.get": {`{` + exBusiness + `}`, `{` + exBusiness + `,` + exAccount + `,"legal_name":"Alder Works Ltd","operating_name":null,"established_date":"2010-06-15",` +
		`"industry_category_code":["0742"],"website":null,"phone_number":null,"email":"office@alder.example","address":null,"no_persons_attested":false,` +
		`"sales_info":{` + exSales + `,"sales_amount":[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000,"currency":"USD"}]},` +
		`"person_ids":["p_3517YD8NUCRTf0PJou2uq"],` + exTimes + `}`, nil},
	"business.update": {`{` + exBusiness + `,"business":{"established_date":"2010-06-15","website":null}}`, `{}`, []string{"BUSINESS_ERASED", "PERSONS_ON_RECORD"}},
	"business.salesInfo.create": {`{` + exBusiness + `,"sales_info":{"sales_amount":[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000,"currency":"USD"}]}}`,
		`{` + exSales + `}`, []string{"BUSINESS_ERASED", "SALES_INFO_EXISTS"}},
	"business.salesInfo.delete": {`{` + exSales + `}`, `{}`, []string{"BUSINESS_ERASED"}},
	"meta.checkVersion":         {`{}`, `{"current_version":"2025-03-24","latest_version":"2025-03-24"}`, nil},
	"person.create": {`{` + exBusiness + `,"person":{"first_name":"Ida","last_name":"Berg","citizenship":"NO","ownership_percentage":33.33}}`,
		`{` + exPerson + `}`, []string{"BUSINESS_ERASED", "PERSON_LIMIT_EXCEEDED"}},
	"person.delete": {`{` + exPerson + `}`, `{}`, []string{"BUSINESS_ERASED"}},
	"person.get": {`{` + exPerson + `}`, `{` + exPerson + `,` + exBusiness + `,"first_name":"Ida","last_name":"Berg","citizenship":"NO",` +
		`"ownership_percentage":33.33,"date_of_birth":null,"email":null,` + exTimes + `}`, nil},
	"person.update": {`{` + exPerson + `,"person":{"citizenship":"NO"}}`, `{}`, []string{"BUSINESS_ERASED"}},
	"webhook.config.create": {`{` + exAccount + `,"config":{"url":"https://hooks.example.com/requisite","event_types":["REQUIRED_DOCUMENTS_CALCULATED"],"description":"Back office"}}`,
		`{` + exConfig + `}`, []string{"MAX_WEBHOOK_URL_LIMIT", "URL_ALREADY_EXISTS"}},
	"webhook.config.delete": {`{` + exConfig + `}`, `{}`, nil},
	"webhook.event.replay": {`{` + exConfig + `,"since":"2026-11-01T00:00:00.000Z","event_types":["REQUIRED_DOCUMENTS_CALCULATED"]}`, `{` + exRun + `}`,
		[]string{"REPLAY_IN_PROGRESS", "WAITING_LIMIT_EXCEEDED"}},
	"webhook.event.replayed":  {`{` + exRun + `}`, `{"state":"RUNNING","done":2000,"total":5120,"started_at":"2026-11-20T09:30:00.000Z"}`, nil},
	"webhook.config.flush":    {`{` + exConfig + `}`, `{"count":16}`, nil},
	"webhook.config.get":      {`{` + exConfig + `}`, exConfigState, nil},
	"webhook.config.list":     {`{` + exAccount + `}`, `{"configs":[` + exConfigState + `]}`, nil},
	"webhook.config.test":     {`{` + exConfig + `}`, `{"event_id":"wh_3517YD8NUCRTf0PJou2uq"}`, []string{"WAITING_LIMIT_EXCEEDED"}},
	"webhook.config.update":   {`{` + exConfig + `,"config":{"status":"ACTIVE"}}`, `{}`, []string{"URL_ALREADY_EXISTS"}},
	"webhook.delivery.cancel": {`{` + exDelivery + `}`, `{}`, []string{"DELIVERY_ENDED"}},
	"webhook.delivery.get": {`{` + exDelivery + `}`, `{` + exDeliveryState + `,"attempts":[{"number":1,"started_at":"2026-11-20T09:30:00.120Z","duration_ms":84,"status_code":503,` +
		`"response_body":"maintenance","key_id":"whk_20261120_01","address":"203.0.113.10:443","outcome":"FAILED",` +
		`"temporal_workflow_id":"send/3517YDB0v1Ud6hJq0Zk2s","temporal_run_id":"019aa0c4-7d2e-7c51-9b0e-3f6a1c2d4e5f"}]}`, nil},
	"webhook.delivery.list":    {`{` + exAccount + `,"filters":{"status":"RETRYING","since":"2026-11-20T00:00:00.000Z"}}`, `{"deliveries":[{` + exDeliveryState + `}],"next":null}`, nil},
	"webhook.delivery.recover": {`{` + exConfig + `,"since":"2026-11-20T00:00:00.000Z"}`, `{"count":128}`, []string{"WAITING_LIMIT_EXCEEDED"}},
	"webhook.delivery.retry":   {`{` + exDelivery + `}`, `{}`, []string{"DELIVERY_CANCELED", "DELIVERY_HELD", "WAITING_LIMIT_EXCEEDED"}},
	"webhook.event.get":        {`{"event_id":"wh_3517YD8NUCRTf0PJou2uq"}`, `{` + exEvent + `,` + exPayload + `}`, nil},
	"webhook.event.list": {`{` + exAccount + `,"filters":{` + exWorkflow + `},"order":"OLDEST_FIRST","include_payload":true,"page":{"after":"` + exPlace + `"}}`,
		`{"events":[{` + exEvent + `,` + exPayload + `}],"next":"` + exNextPlace + `"}`, nil},
	"webhook.key.activate": {`{` + exKey + `}`, `{` + exKey + `,"status":"ACTIVE","activated_at":"2026-11-20T09:40:00.000Z"}`, []string{"KEY_DELETED"}},
	"webhook.key.create": {`{` + exAccount + `}`, `{` + exKey + `,"shared_secret":"oH3vYpfqTfO3vDAy2n5yFvWz0Zp1JQmHcF4H9Jbq3Lg=","status":"INACTIVE","created_at":"2026-11-20T09:30:00.000Z"}`,
		[]string{"DAILY_LIMIT_EXCEEDED"}},
	"webhook.key.delete":                  {`{` + exKey + `,` + exAccount + `}`, `{}`, []string{"KEY_ACTIVE"}},
	"webhook.key.get":                     {`{` + exKey + `,` + exAccount + `}`, exKeyState, nil},
	"webhook.key.list":                    {`{` + exAccount + `}`, `{"keys":[` + exKeyState + `]}`, nil},
	"workflow.complete":                   {`{` + exWorkflow + `}`, `{}`, []string{"WORKFLOW_ENDED", "WORKFLOW_NOT_STARTED"}},
	"workflow.create":                     {`{` + exAccount + `,"workflow":{` + exBusiness + `,"state":"STARTED"}}`, `{` + exWorkflow + `}`, []string{"BUSINESS_ERASED", "WORKFLOW_LIMIT_EXCEEDED"}},
	"workflow.get":                        {`{` + exWorkflow + `}`, exState, nil},
	"workflow.list":                       {`{` + exAccount + `,"filters":{"state":"STARTED"},"page":{"limit":50}}`, `{"workflows":[` + exState + `],"next":null}`, nil},
	"workflow.pricing.calculate":          {`{` + exWorkflow + `}`, `{}`, []string{"BUSINESS_ERASED", "MISSING_REQUIREMENTS", "PRICING_NOT_CONFIGURED", "RULE_NOT_EVALUABLE", "WORKFLOW_ENDED"}},
	"workflow.requiredDocument.calculate": {`{` + exWorkflow + `}`, `{}`, []string{"BUSINESS_ERASED", "MISSING_REQUIREMENTS", "RULE_NOT_EVALUABLE", "WORKFLOW_ENDED"}},
	"workflow.requiredDocument.list": {`{` + exWorkflow + `,"filters":{"required_document_status":"PENDING"},"page":{"limit":50}}`,
		`{"required_documents":[{` + exDocument + `,` + exBankStatements + `,"status":"PENDING",` + exReasons + `,` + exTimes + `}],"next":null}`, nil},
	"workflow.requiredDocument.update": {`{` + exDocument + `,"required_document":{"status":"NEEDS_REVIEW"}}`, `{}`, []string{"INVALID_STATUS_CHANGE", "WORKFLOW_ENDED"}},
	"workflow.start":                   {`{` + exWorkflow + `}`, `{}`, []string{"WORKFLOW_ALREADY_STARTED", "WORKFLOW_ENDED"}},
}

// eventExamples are the fields of each event's content beside the common ones.
var eventExamples = map[domain.EventType]string{
	domain.WorkflowCreated:           `{"state":"CREATED"}`,
	domain.WorkflowStarted:           `{"state":"STARTED"}`,
	domain.WorkflowCompleted:         `{"state":"ENDED"}`,
	domain.WorkflowPricingCalculated: `{"evaluation_score":620}`,
	domain.RequiredDocumentsCalculated: `{"added":[{` + exDocument + `,"document_type_code":"BANK_STATEMENTS","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin","status":"PENDING"}],` +
		`"kept":[],"restored":[],"removed":[]}`,
	domain.RequiredDocumentUpdated:  `{` + exDocument + `,"document_type_code":"BANK_STATEMENTS","status":"NEEDS_REVIEW","previous_status":"PENDING"}`,
	domain.WebhookKeyActivated:      `{` + exKey + `}`,
	domain.WebhookTest:              `{` + exConfig + `}`,
	domain.WebhookEndpointFailing:   `{` + exConfig + `,"url_host":"hooks.example.com","since":"2026-11-20T09:10:00.000Z","last_error":"HTTP 503","waiting":12}`,
	domain.WebhookEndpointDisabled:  `{` + exConfig + `,"url_host":"hooks.example.com","since":"2026-11-20T09:10:00.000Z","last_error":"HTTP 410","disabled_reason":"The endpoint answered 410.","waiting":12}`,
	domain.WebhookEndpointRecovered: `{` + exConfig + `,"url_host":"hooks.example.com","since":"2026-11-20T09:10:00.000Z","last_error":"HTTP 503","waiting":0}`,
	domain.WebhookDeliveryFailed:    `{` + exDelivery + `,"event_id":"wh_3517YD8NUCRTf0PJou2uq",` + exConfig + `,"attempt_count":95,"last_error":"HTTP 503"}`,
}

// refusalExamples are entries of errors, by the name that operationExamples
// uses; those of every operation are named by their code.
var refusalExamples = map[string]string{
	"AUTH_ELEMENT_REQUIRED":   `{"code":"AUTH_ELEMENT_REQUIRED","message":"This credential requires Nonce to be signed: list it in X-API-Signed-Elements."}`,
	"AUTH_INVALID_API_KEY":    `{"code":"AUTH_INVALID_API_KEY","message":"X-API-Key names no credential in force."}`,
	"AUTH_INVALID_AUTH_TOKEN": `{"code":"AUTH_INVALID_AUTH_TOKEN","message":"X-API-Auth-Token is not the token of this API key."}`,
	"AUTH_INVALID_HEADER":     `{"code":"AUTH_INVALID_HEADER","message":"The signature in Authorization is not standard Base64."}`,
	"AUTH_MISSING_HEADER":     `{"code":"AUTH_MISSING_HEADER","message":"The header X-API-Key is missing."}`,
	"AUTH_NONCE_REUSED":       `{"code":"AUTH_NONCE_REUSED","message":"This X-API-Nonce was used already; send a new one with each request."}`,
	"AUTH_SIGNATURE_MISMATCH": `{"code":"AUTH_SIGNATURE_MISMATCH","message":"The signature does not match the request: check the secret key, the listed elements and their order."}`,
	"AUTH_TIMESTAMP_EXPIRED":  `{"code":"AUTH_TIMESTAMP_EXPIRED","message":"X-API-Timestamp is more than five minutes from the server's clock."}`,
	"BAD_REQUEST":             `{"code":"BAD_REQUEST","message":"The request has a problem; see details.","details":[{"field":"business.established_date","message":"This must be a date of the form YYYY-MM-DD."}]}`,
	"BUSINESS_ERASED":         `{"code":"SYSTEM_RULE_VIOLATION","message":"The personal data of this business was erased; nothing about it changes any more, and nothing is calculated for it.","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin","sub_code":"BUSINESS_ERASED"}`,
	"BUSINESS_LIMIT_EXCEEDED": `{"code":"SYSTEM_RULE_VIOLATION","message":"An account has at most 1000000 businesses on record.","entity_type":"Account","entity_id":"sb_3517wGo2vFZkUlmyh1meP","sub_code":"BUSINESS_LIMIT_EXCEEDED"}`,
	"DAILY_LIMIT_EXCEEDED":    `{"code":"SYSTEM_RULE_VIOLATION","message":"100 webhook keys have been created for this account on 2026-11-20 (UTC), the most that a day allows.","entity_type":"Webhook Key","sub_code":"DAILY_LIMIT_EXCEEDED"}`,
	"DELIVERY_CANCELED":       `{"code":"SYSTEM_RULE_VIOLATION","message":"The endpoint was deleted; nothing more is sent to it.","entity_type":"WebhookDelivery","entity_id":"whd_3517YD8O1yBC7Fm4MYr0z","sub_code":"DELIVERY_CANCELED"}`,
	"DELIVERY_ENDED":          `{"code":"SYSTEM_RULE_VIOLATION","message":"The delivery is DELIVERED: there is nothing left to give up.","entity_type":"WebhookDelivery","entity_id":"whd_3517YD8O1yBC7Fm4MYr0z","sub_code":"DELIVERY_ENDED"}`,
	"DELIVERY_HELD":           `{"code":"SYSTEM_RULE_VIOLATION","message":"Nothing can be sent now: activate a webhook key, or enable the endpoint with webhook.config.update; what is held then goes out by itself.","entity_type":"WebhookDelivery","entity_id":"whd_3517YD8O1yBC7Fm4MYr0z","sub_code":"DELIVERY_HELD"}`,
	"ENTITY_NOT_FOUND":        `{"code":"ENTITY_NOT_FOUND","message":"There is no Workflow with this id among the records of this credential.","entity_type":"Workflow","entity_id":"w_3517YD0mEch3XgoqAzO2l"}`,
	"FORBIDDEN":               `{"code":"FORBIDDEN","message":"workflow.create needs the permission write, which this credential does not have: use one that has it, or ask whoever operates the service for one."}`,
	"IDEMPOTENCY_KEY_REUSED":  `{"code":"IDEMPOTENCY_KEY_REUSED","message":"This Idempotency-Key was sent before with another body; use a new key for a new request."}`,
	"INTERNAL_ERROR":          `{"code":"INTERNAL_ERROR","message":"Something went wrong on our side; quote the trace_id when you report it."}`,
	"INVALID_STATUS_CHANGE":   `{"code":"SYSTEM_RULE_VIOLATION","message":"A document that is PENDING cannot be moved to COMPLETED; it can be moved to NEEDS_REVIEW.","entity_type":"RequiredDocument","entity_id":"rd_3517cQJO4cb00O2yCRsv0","sub_code":"INVALID_STATUS_CHANGE"}`,
	"KEY_ACTIVE":              `{"code":"SYSTEM_RULE_VIOLATION","message":"This key protects the account's webhooks: activate another one first, which deletes it.","entity_type":"Webhook Key","entity_id":"whk_20261120_01","sub_code":"KEY_ACTIVE"}`,
	"KEY_DELETED":             `{"code":"SYSTEM_RULE_VIOLATION","message":"This key was replaced by another and cannot be used again; create a new one with webhook.key.create.","entity_type":"Webhook Key","entity_id":"whk_20261120_01","sub_code":"KEY_DELETED"}`,
	"MAX_WEBHOOK_URL_LIMIT":   `{"code":"SYSTEM_RULE_VIOLATION","message":"The account has 20 webhook URLs, the most there may be; delete one first.","entity_type":"WebhookConfig","sub_code":"MAX_WEBHOOK_URL_LIMIT"}`,
	"METHOD_NOT_ALLOWED":      `{"code":"METHOD_NOT_ALLOWED","message":"Every operation takes POST."}`,
	"MISSING_REQUIREMENTS": `{"code":"MISSING_REQUIREMENTS","message":"The account's rules need data that is not on file (2 missing); details says how to supply it.","details":[` +
		`{"code":"CALCULATED_PRICING_REQUIRED","entity_type":"Workflow","entity_id":"w_3517YD0mEch3XgoqAzO2l","message":"The evaluation score of this workflow has not been calculated, and pricing lacks the highest ticket sale: supply what pricing_missing lists. Then call workflow.pricing.calculate, and calculate the required documents again.",` +
		`"related_endpoints":["workflow.pricing.calculate"],"missing":[{"field":"evaluation_score"}],"pricing_missing":[` + exPricingGap + `]},` + exGap + `]}`,
	"PERSON_LIMIT_EXCEEDED":    `{"code":"SYSTEM_RULE_VIOLATION","message":"A business has at most 200 persons on record.","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin","sub_code":"PERSON_LIMIT_EXCEEDED"}`,
	"PERSONS_ON_RECORD":        `{"code":"SYSTEM_RULE_VIOLATION","message":"The business has persons on record (2), so no_persons_attested cannot be true: remove them with person.delete first, or leave it out.","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin","sub_code":"PERSONS_ON_RECORD"}`,
	"PRICING_NOT_CONFIGURED":   `{"code":"SYSTEM_RULE_VIOLATION","message":"The account has no pricing model; its operator publishes one.","entity_type":"Account","entity_id":"sb_3517wGo2vFZkUlmyh1meP","sub_code":"PRICING_NOT_CONFIGURED"}`,
	"REQUEST_IN_PROGRESS":      `{"code":"REQUEST_IN_PROGRESS","message":"A request with this Idempotency-Key is still being worked on; try again in a moment."}`,
	"REQUEST_TOO_LARGE":        `{"code":"REQUEST_TOO_LARGE","message":"The body may have at most 65536 bytes."}`,
	"RULE_NOT_EVALUABLE":       `{"code":"SYSTEM_RULE_VIOLATION","message":"The account's rules cannot be evaluated for what is on file, and nothing was changed: rule documents[0] (BANK_STATEMENTS): the condition has no answer for these facts: highest_ticket_sale / average_individual_sale divides by zero.","entity_type":"DocumentRules","entity_id":"rul_3517YD0aGgcZCEBmBoXin","sub_code":"RULE_NOT_EVALUABLE"}`,
	"SALES_INFO_EXISTS":        `{"code":"SYSTEM_RULE_VIOLATION","message":"The business has sales info already; remove it with business.salesInfo.delete first.","entity_type":"BusinessSalesInfo","entity_id":"b_3517YD0aGgcZCEBmBoXin","sub_code":"SALES_INFO_EXISTS"}`,
	"SIZE_LIMIT_EXCEEDED":      `{"code":"SYSTEM_RULE_VIOLATION","message":"The versions of this account's rules take 67000000 bytes; with the 500000 of this one they would take more than 67108864. Old versions that no document names go by themselves.","entity_type":"DocumentRules","entity_id":"sb_3517wGo2vFZkUlmyh1meP","sub_code":"SIZE_LIMIT_EXCEEDED"}`,
	"STILL_RUNNING":            `{"code":"STILL_RUNNING","message":"There is no result yet; the run continues. Repeat the request to get its outcome.","temporal_workflow_id":"calculate/w_3517YD0mEch3XgoqAzO2l/3516kW4YeC8xLc3b768VM","temporal_run_id":"01a1fb27-b89a-775d-8316-0152ce8135c5"}`,
	"TOO_MANY_REQUESTS":        `{"code":"TOO_MANY_REQUESTS","message":"Too many requests are waiting for their results; try again shortly."}`,
	"UNAVAILABLE":              `{"code":"UNAVAILABLE","message":"The service cannot reach one of its dependencies at the moment; try again shortly."}`,
	"UNKNOWN_OPERATION":        `{"code":"UNKNOWN_OPERATION","message":"There is no such operation; every operation is POST {base_url}/<name>."}`,
	"UNKNOWN_VERSION":          `{"code":"UNKNOWN_VERSION","message":"X-API-Version must be 2025-03-24, or left out."}`,
	"UNSUPPORTED_MEDIA_TYPE":   `{"code":"UNSUPPORTED_MEDIA_TYPE","message":"The body must be sent as Content-Type: application/json, once, in UTF-8."}`,
	"REPLAY_IN_PROGRESS":       `{"code":"SYSTEM_RULE_VIOLATION","message":"Events are being replayed to this endpoint: webhook.event.replayed tells when that has ended.","entity_type":"WebhookConfig","entity_id":"whc_3517YD5A0iJeUxESuN6dM","sub_code":"REPLAY_IN_PROGRESS"}`,
	"URL_ALREADY_EXISTS":       `{"code":"SYSTEM_RULE_VIOLATION","message":"The account has a webhook with this URL already.","entity_type":"WebhookConfig","sub_code":"URL_ALREADY_EXISTS"}`,
	"VERSION_LIMIT_EXCEEDED":   `{"code":"SYSTEM_RULE_VIOLATION","message":"This account has published 100 versions of its rules today (UTC), and may publish 100. account.documentRules.validate and .preview try rules without publishing them.","entity_type":"DocumentRules","entity_id":"sb_3517wGo2vFZkUlmyh1meP","sub_code":"VERSION_LIMIT_EXCEEDED"}`,
	"WAITING_LIMIT_EXCEEDED":   `{"code":"SYSTEM_RULE_VIOLATION","message":"10000 deliveries or more wait at this account's endpoints: enable them, activate a webhook key or mend what answers, and ask again when less waits.","entity_type":"WebhookDelivery","sub_code":"WAITING_LIMIT_EXCEEDED"}`,
	"WORKFLOW_ALREADY_STARTED": `{"code":"SYSTEM_RULE_VIOLATION","message":"The workflow has been started already.","entity_type":"Workflow","entity_id":"w_3517YD0mEch3XgoqAzO2l","sub_code":"WORKFLOW_ALREADY_STARTED"}`,
	"WORKFLOW_ENDED":           `{"code":"SYSTEM_RULE_VIOLATION","message":"The workflow has ended and accepts no further changes.","entity_type":"Workflow","entity_id":"w_3517YD0mEch3XgoqAzO2l","sub_code":"WORKFLOW_ENDED"}`,
	"WORKFLOW_LIMIT_EXCEEDED":  `{"code":"SYSTEM_RULE_VIOLATION","message":"A business has at most 1000 workflows.","entity_type":"Business","entity_id":"b_3517YD0aGgcZCEBmBoXin","sub_code":"WORKFLOW_LIMIT_EXCEEDED"}`,
	"WORKFLOW_NOT_STARTED":     `{"code":"SYSTEM_RULE_VIOLATION","message":"The workflow has not been started yet; call workflow.start first.","entity_type":"Workflow","entity_id":"w_3517YD0mEch3XgoqAzO2l","sub_code":"WORKFLOW_NOT_STARTED"}`,
	"rules":                    `{"code":"BAD_REQUEST","message":"The request has a problem; see details.","details":[{"field":"rules.documents[1].when","message":"Line 1, column 1: evaluaton_score is not the name of a fact; did you mean evaluation_score?"}]}`,
}
