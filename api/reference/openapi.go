package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/webhooks/event"
	"requisite/internal/webhooks/webhook"
)

const introduction = `Requisite decides which documents a business application must bring, by the platform's own rules over the facts on file,
and says why. Every operation is POST {base_url}/<name> with a signed JSON body, and answers in one envelope: meta, and data or errors.
How to sign a request, and everything else that a caller needs, is on the page /docs of the running service. A path that names no operation
is answered 404 UNKNOWN_OPERATION, and any method but POST 405 METHOD_NOT_ALLOWED.`

// Describe returns the OpenAPI description. Its schemas are those that check requests.
func (a *API) Describe() *huma.OpenAPI {
	answers := []*huma.Schema{a.Schemas.Describe(reflect.TypeFor[wire.Meta]()), a.Schemas.Describe(reflect.TypeFor[fact.Gap]())}
	for _, o := range a.published {
		answers = append(answers, a.Schemas.Describe(o.Data))
	}
	answers = append(answers,
		a.Schemas.Registry.Schema(webhook.EnvelopeType(), false, ""),
		a.Schemas.Registry.Schema(reflect.TypeFor[webhook.Common](), false, ""))
	for _, t := range domain.EventTypes() {
		about, _ := event.Describe(t)
		answers = append(answers, a.eventSchema(about))
	}
	p := newPublisher(a.Schemas.Registry, answers)
	for _, name := range []string{"Gap", "Warning"} {
		p.publish(name)
	}
	p.addAnswers()
	api := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Requisite", Version: wire.Version, Description: introduction,
			Contact: &huma.Contact{Name: "The operator of this service"},
			License: &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"},
		},
		Servers: []*huma.Server{{URL: "/", Description: "The service that serves this description."}},
		Paths:   map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas:         p.to,
			Responses:       map[string]*huma.Response{},
			Parameters:      map[string]*huma.Param{},
			SecuritySchemes: securitySchemes(),
		},
		Security: security(),
		Tags:     tags(),
		Webhooks: a.describeWebhooks(p),
	}
	for name, parameter := range parameters() {
		api.Components.Parameters[name] = parameter
	}
	api.Components.Headers = headers()
	var shared []refusal.Code
	for _, code := range GeneralCodes() {
		for _, o := range a.published {
			if slices.Contains(o.general(), code) {
				shared = append(shared, code)
				break
			}
		}
	}
	for status, codes := range byStatus(shared) {
		if status != 400 { // each operation has its own
			api.Components.Responses[strconv.Itoa(status)] = failureResponse(spec.Texts(codes...))
		}
	}
	for _, o := range a.published {
		api.Paths["/"+o.Name] = &huma.PathItem{Post: a.describeOperation(p, o)}
	}
	p.describe()
	return api
}

// addAnswers adds the schemas of the envelope and of the entries of errors.
func (p *publisher) addAnswers() {
	schemas := p.to.Map()
	meta := func(status []string, more map[string]*huma.Schema) *huma.Schema {
		properties := map[string]*huma.Schema{
			"status":   wire.OneOf(status...),
			"trace_id": described(text(), "Names the request in the logs and the runs of the service."),
			"version":  described(&huma.Schema{Type: huma.TypeString, Format: "date"}, "The version of the API that answers."),
		}
		maps.Copy(properties, more)
		return object(properties)
	}
	schemas["Meta"] = meta([]string{wire.StatusSuccess, wire.StatusError}, map[string]*huma.Schema{"warnings?": listOf(ref("Warning"))})
	schemas["ErrorMeta"] = meta([]string{wire.StatusError}, nil)
	schemas["Problem"] = object(map[string]*huma.Schema{
		"field":       described(text(), "Where, in dotted form with indexes, such as rules.documents[1].when; empty for the whole body."),
		"code":        ref("ProblemCode"),
		"message":     described(text(), "What is wrong, and what to do about it. The wording may change."),
		"suggestion?": described(text(), "Of UNKNOWN_FIELD and UNKNOWN_VALUE: the name or the value that was probably meant, where one is near."),
		"allowed?":    described(listOf(text()), "Of UNKNOWN_VALUE: all values. Left out where they are very many."),
		"expected?":   described(text(), "Of WRONG_TYPE: the type of JSON that is expected, such as string; several are separated by commas."),
		"limit?": described(&huma.Schema{Type: huma.TypeNumber}, "Of TOO_LONG, TOO_SHORT, TOO_LARGE and TOO_SMALL: the bound. "+
			"Of a text it counts characters, of a list elements, and of custom bytes. A number may be equal to it unless the message says less than."),
	})
	schemas["RuleViolationDetail"] = object(map[string]*huma.Schema{
		"field?":  described(text(), "Of evidence: the field of the request, in dotted form with indexes."),
		"code?":   ref("WarningCode"),
		"message": described(text(), "What is wrong, and what to do about it."),
	})
	schemas["LimitMet"] = object(map[string]*huma.Schema{
		"limit": described(&huma.Schema{Type: huma.TypeNumber}, "Its size, in the process that has answered."),
		"scope": described(wire.OneOf(refusal.Scopes()...), "For whom it is; SERVICE is for all callers together."),
		"of": described(wire.OneOf(refusal.Limits()...), "What it limits: requests_per_second; "+
			"at once, requests, waiting_callers (requests that wait for a run), runs, body_bytes, rule_checks, "+
			"evaluations (of rules) and database_connections; outcomes, which are kept for Idempotency-Keys; "+
			"and decision_bytes_a_day, the bytes of the decisions that it records in a day."),
	})
	message := described(text(), "For people; the wording may change.")
	page := described(text(), "Where the documentation describes the error: a path, after the base address of the API.")
	id := described(text(), "The record's id.")
	entry := func(fields map[string]*huma.Schema, codes ...refusal.Code) *huma.Schema {
		fields["code"], fields["message"], fields["doc_url"] = wire.OneOf(codes...), message, page
		return object(fields)
	}
	own := map[refusal.Code]string{}
	for code, e := range map[refusal.Code]struct {
		name   string
		fields map[string]*huma.Schema
	}{
		refusal.BadRequest: {"BadRequestError", map[string]*huma.Schema{"details": described(listOf(ref("Problem")), "Every problem of the request.")}},
		refusal.Forbidden: {"ForbiddenError", map[string]*huma.Schema{
			"permission": described(wire.OneOf(domain.AllPermissions()...), "A permission that the credential lacks. The message names all of them."),
		}},
		refusal.EntityNotFound: {"EntityNotFoundError", map[string]*huma.Schema{"entity_type": ref("RefusalEntityType"), "entity_id": id}},
		refusal.MissingRequirements: {"MissingRequirementsError", map[string]*huma.Schema{
			"details": described(listOf(ref("Gap")), "Every gap, and how to fill it."),
		}},
		refusal.SystemRuleViolation: {"SystemRuleViolationError", map[string]*huma.Schema{
			"entity_type":    ref("RefusalEntityType"),
			"entity_id?":     id,
			"sub_code":       ref("RefusalSubCode"),
			"finding_codes?": described(listOf(text()), "Of workflow.complete with strict: the codes of the findings, each once. Only with the permission read."),
			"required_document_ids?": described(listOf(text()),
				"Of workflow.complete with strict: the documents that are open, oldest first, at most 1,000."),
			"details?": described(listOf(ref("RuleViolationDetail")),
				"Of EVIDENCE_REQUIRED, EVIDENCE_TOO_OLD and EVIDENCE_EXPIRED, and of workflow.complete with strict."),
		}},
		refusal.TooManyRequests: {"TooManyRequestsError", map[string]*huma.Schema{
			"details": described(listOf(ref("LimitMet")), "The limit that the request has met."),
		}},
		refusal.StillRunning: {"StillRunningError", map[string]*huma.Schema{
			"temporal_workflow_id": described(text(), "The run that goes on, for the operator."), "temporal_run_id": text(),
		}},
		refusal.AuthTimestampExpired: {"TimestampExpiredError", map[string]*huma.Schema{
			"server_time": described(&huma.Schema{Type: huma.TypeString, Format: "date-time"}, "The time of the service's clock."),
			"difference_seconds": described(&huma.Schema{Type: huma.TypeInteger, Format: "int64"},
				"How many seconds the service's clock is ahead of X-API-Timestamp; negative where it is behind. "+
					"Added to your clock, it gives a timestamp that the service accepts."),
		}},
		refusal.AuthSignatureMismatch: {"SignatureMismatchError", map[string]*huma.Schema{
			"received_path": described(text(), "The path and query of the request as they arrived. If you signed others, a proxy between has changed them."),
		}},
	} {
		own[code] = e.name
		schemas[e.name] = entry(e.fields, code)
	}
	const plain = "PlainError"
	var rest []refusal.Code
	mapping := map[string]string{}
	for _, code := range refusal.Codes() {
		if own[code] == "" {
			own[code] = plain
			rest = append(rest, code)
		}
		mapping[string(code)] = SchemaPrefix + own[code]
	}
	schemas[plain] = entry(map[string]*huma.Schema{}, rest...)
	union := &huma.Schema{Discriminator: &huma.Discriminator{PropertyName: "code", Mapping: mapping}}
	for _, name := range slices.Compact(slices.Sorted(maps.Values(own))) {
		union.OneOf = append(union.OneOf, ref(name))
	}
	schemas["Refusal"] = union
	one := 1
	errors := listOf(ref("Refusal"))
	errors.MinItems = &one
	schemas["Failure"] = object(map[string]*huma.Schema{"meta": ref("ErrorMeta"), "errors": errors})
}

// securitySchemes describes the headers of a signed request.
func securitySchemes() map[string]*huma.SecurityScheme {
	schemes := map[string]*huma.SecurityScheme{}
	for name, header := range map[string][2]string{
		"Signature": {sig1.HeaderAuthorization, sig1.Scheme + " and the signature in standard Base64: " +
			"HMAC-SHA256, keyed with the decoded secret key, over the value of X-API-Signed-Elements and those of its elements, one a line."},
		"APIKey":    {sig1.HeaderAPIKey, "The API key."},
		"AuthToken": {sig1.HeaderAuthToken, "The auth token of the API key."},
		"SignedElements": {sig1.HeaderSignedElements, "What is signed, separated by semicolons, API-Key first: " +
			"API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256, and API-Version and Idempotency-Key when those headers are sent."},
		"Timestamp":     {sig1.HeaderTimestamp, "Unix seconds, at most five minutes from the server's clock."},
		"Nonce":         {sig1.HeaderNonce, "16 to 64 characters of A-Z, a-z, 0-9, _ and -, new with each request."},
		"ContentSHA256": {sig1.HeaderContentSHA256, "Standard Base64 of the SHA-256 of the body."},
	} {
		schemes[name] = &huma.SecurityScheme{Type: "apiKey", In: "header", Name: header[0], Description: header[1]}
	}
	return schemes
}

// security requires all headers of a signature.
func security() []map[string][]string {
	all := map[string][]string{}
	for name := range securitySchemes() {
		all[name] = []string{}
	}
	return []map[string][]string{all}
}

// about describes an operation.
func (o operation) about() string {
	words := []string{o.Summary}
	if o.Writes {
		words = append(words, "Takes an `Idempotency-Key`.")
	} else {
		words = append(words, "Changes nothing.")
	}
	if o.Waits {
		words = append(words, "Waits for its result; where that takes too long, it answers `STILL_RUNNING` and the work goes on.")
	}
	listed := "`" + strings.Join(spec.Texts(o.Permissions...), "` and `") + "`"
	switch len(o.Permissions) {
	case 0:
		words = append(words, "Any credential may call it.")
	case 1:
		words = append(words, "Needs the permission "+listed+".")
	default:
		words = append(words, "Needs the permissions "+listed+".")
	}
	if o.Sandbox {
		words = append(words, "Only credentials of the sandbox may call it.")
	}
	words = append(words, fmt.Sprintf("The body has at most %d KiB.", o.BodyLimit>>10))
	return strings.Join(words, " ")
}

// answers returns the schema of an operation's successful response.
func (p *publisher) answers(a *API, o operation) *huma.Schema {
	return object(map[string]*huma.Schema{
		"meta": described(ref("Meta"), "About the answer."),
		"data": described(p.convert(a.Schemas.Describe(o.Data), "", ""), "What the operation answers."),
	})
}

func (a *API) describeOperation(p *publisher, o operation) *huma.Operation {
	shown := OperationExamples()[o.Name]
	described := &huma.Operation{
		OperationID: o.Name,
		Summary:     o.Summary,
		Description: o.about(),
		Extensions:  map[string]any{"x-permissions": o.Permissions},
		Tags:        []string{o.tag()},
		Parameters:  []*huma.Param{parameterRef("APIVersion"), parameterRef("TraceParent"), parameterRef("SandboxAnswer")},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: p.request(a.Schemas.Describe(o.Request)), Example: json.RawMessage(shown.Request)},
		}},
		Responses: map[string]*huma.Response{"200": {
			Description: "It is done.",
			Headers:     answerHeaders(),
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: p.answers(a, o), Example: answerExample{Meta: exampleMeta(wire.StatusSuccess), Data: json.RawMessage(shown.Data)},
			}},
		}},
	}
	if !o.ByTheClock() {
		described.Parameters = append(described.Parameters, parameterRef("SandboxToday"))
	}
	for status := range byStatus(o.general()) {
		code := strconv.Itoa(status)
		described.Responses[code] = &huma.Response{Ref: "#/components/responses/" + code}
	}
	described.Responses["400"] = failureResponse(o.refusals())
	if o.Writes {
		described.Parameters = append(described.Parameters, parameterRef("IdempotencyKey"))
		for _, status := range []string{"200", "400"} {
			described.Responses[status].Headers[wire.HeaderReplayed] = headerRef(wire.HeaderReplayed)
		}
	}
	if o.Decides {
		for _, status := range []string{"200", "400"} {
			headers := described.Responses[status].Headers
			headers[wire.HeaderDecisionID] = &huma.Param{
				Schema:      text(),
				Description: "The recorded decision: see workflow.decision.get. Absent where nothing was decided.",
			}
			headers[wire.HeaderDecisionDigest] = &huma.Param{
				Schema:      text(),
				Description: "The decision's digest, SHA-256 in hex. Keep it: it proves the decision later.",
			}
		}
	}
	return described
}

// refusals returns the names, in RefusalExamples, of an operation's refusals with status
// 400.
func (o operation) refusals() []string {
	return append(spec.Texts(byStatus(o.general())[400]...), OperationExamples()[o.Name].Refusals...)
}

// byStatus groups codes by HTTP status.
func byStatus(codes []refusal.Code) map[int][]refusal.Code {
	groups := map[int][]refusal.Code{}
	for _, code := range codes {
		groups[code.Status()] = append(groups[code.Status()], code)
	}
	return groups
}

// failureResponse describes a refusal, with a whole response for each name in
// RefusalExamples.
func failureResponse(names []string) *huma.Response {
	examples := map[string]*huma.Example{}
	var words []string
	for _, name := range names {
		examples[name] = &huma.Example{Summary: refusalWords(name).Cause, Value: RefusalExample(name)}
		words = append(words, strings.ReplaceAll(name, "rules", "BAD_REQUEST of a rule set"))
	}
	response := &huma.Response{
		Description: strings.Join(words, ", ") + ".",
		Headers:     answerHeaders(),
		Content:     map[string]*huma.MediaType{"application/json": {Schema: ref("Failure"), Examples: examples}},
	}
	has := func(code refusal.Code) bool { return slices.Contains(names, string(code)) }
	if has(refusal.Unavailable) || has(refusal.TooManyRequests) {
		response.Headers["Retry-After"] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeInteger}, Description: "Seconds to wait before trying again."}
	}
	return response
}

// RefusalExample returns the whole response of a refusal.
func RefusalExample(name string) answerExample {
	return answerExample{Meta: exampleMeta(wire.StatusError), Errors: []json.RawMessage{json.RawMessage(RefusalExamples()[name])}}
}

// refusalWords returns the words of a refusal's sub-code, or else of its code.
func refusalWords(name string) refusal.Words {
	var entry refusal.Refusal
	if err := json.Unmarshal([]byte(RefusalExamples()[name]), &entry); err != nil {
		panic(fmt.Sprintf("example of the refusal %s: %v", name, err))
	}
	if words, ok := entry.SubCode.Words(); ok {
		return words
	}
	words, _ := entry.Code.Words()
	return words
}

// headers describes the headers of answers that many operations have.
func headers() map[string]*huma.Param {
	return map[string]*huma.Param{
		"traceparent": {Schema: text(), Description: "The trace of the request, W3C form."},
		wire.HeaderReplayed: {
			Schema: text(), Example: "true",
			Description: "true in an answer for work that this request did not do: an earlier request with the same Idempotency-Key did it. " +
				"Otherwise absent.",
		},
		wire.HeaderRateLimitPolicy: {
			Schema: text(), Example: `"requests_per_second";q=10;w=2`,
			Description: "The rate of the credential at the process that answers, as draft-ietf-httpapi-ratelimit-headers says: " +
				"q requests in w seconds. Absent without a limit.",
		},
		wire.HeaderRateLimit: {
			Schema: text(), Example: `"requests_per_second";r=7;t=1`,
			Description: "What is left of the rate: r requests now, and all q again in t seconds. Absent without a limit.",
		},
	}
}

// answerHeaders returns the headers that answers of every operation have.
func answerHeaders() map[string]*huma.Param {
	all := map[string]*huma.Param{}
	for _, name := range []string{"traceparent", wire.HeaderRateLimitPolicy, wire.HeaderRateLimit} {
		all[name] = headerRef(name)
	}
	return all
}

func headerRef(name string) *huma.Param { return &huma.Param{Ref: "#/components/headers/" + name} }

func parameterRef(name string) *huma.Param {
	return &huma.Param{Ref: "#/components/parameters/" + name}
}

// parameters describes the headers that do not belong to the signature.
func parameters() map[string]*huma.Param {
	one, most := 1, 255
	return map[string]*huma.Param{
		"APIVersion": {
			Name: sig1.HeaderVersion, In: "header", Schema: wire.OneOf(wire.Version), Example: wire.Version,
			Description: "The version wanted; the newest when left out. Sign it as API-Version when you send it.",
		},
		"TraceParent": {
			Name: "traceparent", In: "header", Schema: text(), Example: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
			Description: "A W3C trace to go on with.",
		},
		"SandboxAnswer": {
			Name: spec.HeaderSandboxAnswer, In: "header", Schema: wire.OneOf(spec.SandboxAnswers()...), Example: string(spec.AnswerRateLimited),
			Description: "Only with a credential of the sandbox, to test what your program does with such an answer; it is not signed. " +
				"RATE_LIMITED and UNAVAILABLE, and STILL_RUNNING of operations that wait for their result, answer so and do nothing. " +
				"SECRET_LOST creates the key of webhook.key.create and answers without its secret. " +
				"With WEBHOOK_FAILS_TWICE, two attempts fail at each delivery of the events that the request causes, before one is sent.",
		},
		"SandboxToday": {
			Name: wire.HeaderSandboxToday, In: "header", Schema: &huma.Schema{Type: huma.TypeString, Format: "date"}, Example: exampleDay,
			Description: "Only with a credential of the sandbox, to try what days bring; it is not signed. The account's day of this call alone: " +
				"today in the account's time zone, or up to five years later. All that depends on today counts by it. Times stay the clock's. " +
				"workflow.deadlines.apply does what the service does by itself when such a day comes.",
		},
		"IdempotencyKey": {
			Name: sig1.HeaderIdempotencyKey, In: "header", Schema: &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: &most, Pattern: `^[ -~]+$`},
			Description: "1 to 255 printable ASCII characters: a repeat with the same body, and the same X-Sandbox-Today, gets the first outcome, for 24 hours at least. " +
				"Sign it as Idempotency-Key when you send it.",
			Example: "onboarding-4711-create",
		},
	}
}

// describeWebhooks describes every event: its body and its decrypted content.
func (a *API) describeWebhooks(p *publisher) map[string]*huma.PathItem {
	envelope := a.Schemas.Registry.Schema(webhook.EnvelopeType(), false, "")
	common := a.Schemas.Registry.Schema(reflect.TypeFor[webhook.Common](), false, "")
	webhooks := map[string]*huma.PathItem{}
	for _, t := range domain.EventTypes() {
		about, _ := event.Describe(t)
		name := Camel(string(t))
		p.to.Map()[name+"Content"] = p.content(a, common, about)
		p.answered[name+"Event"] = true
		body := p.convert(envelope, name+"Event", "")
		body.Properties["event_type"] = wire.OneOf(t)
		body.Properties["data"] = &huma.Schema{
			Type:        huma.TypeString,
			Description: "A compact JWE (RFC 7516, alg dir, enc A256GCM). Decrypted with the secret of key_id, it is the content.",
			Extensions:  map[string]any{"contentMediaType": "application/jose", "contentSchema": ref(name + "Content")},
		}
		p.to.Map()[name+"Event"] = body
		webhooks[string(t)] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "event." + string(t),
			Summary:     about.About,
			Description: about.About + " The content, once it is decrypted, is " + name + "Content.",
			Tags:        []string{webhooksPart},
			Security:    []map[string][]string{{}},
			Parameters: []*huma.Param{
				{Name: "webhook-id", In: "header", Required: true, Schema: text(), Description: "The event's id, as in the body."},
				{
					Name: "webhook-timestamp", In: "header", Required: true, Schema: text(),
					Description: "The time of the attempt in Unix seconds: iat of the protected header.",
				},
				parameterRef("TraceParent"),
			},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
				"application/json": {Schema: ref(name + "Event"), Example: eventExample(t, about)},
			}},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "Processed. Answer within 30 seconds."},
				"410": {Description: "The endpoint is gone: it is disabled, and its events wait until it is enabled again."},
				"4XX": {Description: "A failure, as 3xx and 5xx are: the event is sent again. Retry-After of 429 and 503 is honored up to an hour."},
			},
		}}
	}
	return webhooks
}

// content returns the schema of an event's content: the common fields and its own.
func (p *publisher) content(a *API, common *huma.Schema, about event.Description) *huma.Schema {
	both := *p.convert(common, "", "")
	both.Properties, both.Required = maps.Clone(both.Properties), slices.Clone(both.Required)
	if about.OfWorkflow() {
		both.Required = append(both.Required, "workflow_id", "sequence")
	} else {
		delete(both.Properties, "workflow_id")
		delete(both.Properties, "sequence")
	}
	own := p.convert(a.eventSchema(about), "", "")
	maps.Copy(both.Properties, own.Properties)
	both.Required = append(both.Required, own.Required...)
	slices.Sort(both.Required)
	both.Description = about.About
	both.Examples = []any{EventContentExample(about)}
	return &both
}

// eventSchema returns the schema of an event's own fields.
func (a *API) eventSchema(about event.Description) *huma.Schema {
	return a.Schemas.Registry.Schema(reflect.TypeOf(about.Example(exampleRecords())), false, "")
}

// EventContentExample returns an example of an event's decrypted content.
func EventContentExample(about event.Description) json.RawMessage {
	fields, err := about.Fields(exampleRecords())
	if err != nil {
		panic(err) // it consists of constants, and a test reads them all
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	content, err := webhook.Payload("", 0, "back office", "API_KEY", text)
	if err != nil {
		panic(err)
	}
	return content
}

// eventExample returns an example of a webhook's body, with a shortened token.
func eventExample(t domain.EventType, about event.Description) map[string]any {
	example := map[string]any{
		"id":             "wh_3517YD8NUCRTf0PJou2uq",
		"event_type":     string(t),
		"timestamp":      "2026-11-20T09:30:00.000Z",
		"account_id":     "sb_3517wGo2vFZkUlmyh1meP",
		"schema_version": webhook.SchemaVersion,
		"key_id":         "whk_20261120_01",
		"data":           "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..dmVjdG9yIG5vbmMB.MZ7J57kOrdsuopNz.3DtFsqkg2jWSp7aoOQX6eA",
		"retry_count":    0,
	}
	if about.OfWorkflow() {
		example["sequence"] = about.Sequence
	}
	return example
}

// Camel writes WORKFLOW_CREATED as WorkflowCreated.
func Camel(name string) string {
	var out strings.Builder
	for _, word := range strings.Split(strings.ToLower(name), "_") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// answerExample is a whole response, in the order in which the service writes it.
type answerExample struct {
	Meta   wire.Meta         `json:"meta"`
	Data   json.RawMessage   `json:"data,omitempty"`
	Errors []json.RawMessage `json:"errors,omitempty"`
}

func exampleMeta(status string) wire.Meta {
	return wire.Meta{Status: status, TraceID: "trc_6EYQlVXUP50PZrpouErhta", Version: wire.Version}
}

// Parsed reads an example. It panics if the example is invalid; a test reads them all.
func Parsed(example string) any {
	var value any
	if err := json.Unmarshal([]byte(example), &value); err != nil {
		panic(fmt.Sprintf("example %q: %v", example, err))
	}
	return value
}
