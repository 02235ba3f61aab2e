// Package refusal holds refusals: a mistake of the caller, or something that the service
// cannot do now. A refusal travels through Temporal as a typed failure, and becomes an
// error entry of the envelope.
package refusal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"requisite/internal/id"
)

// Code is the value of errors[].code.
type Code string

// The codes of the contract and those that the service adds to it.
const (
	AuthElementRequired   Code = "AUTH_ELEMENT_REQUIRED"
	AuthInvalidAPIKey     Code = "AUTH_INVALID_API_KEY"
	AuthInvalidAuthToken  Code = "AUTH_INVALID_AUTH_TOKEN"
	AuthInvalidHeader     Code = "AUTH_INVALID_HEADER"
	AuthMissingHeader     Code = "AUTH_MISSING_HEADER"
	AuthNonceReused       Code = "AUTH_NONCE_REUSED"
	AuthSignatureMismatch Code = "AUTH_SIGNATURE_MISMATCH"
	AuthTimestampExpired  Code = "AUTH_TIMESTAMP_EXPIRED"
	BadRequest            Code = "BAD_REQUEST"
	EntityNotFound        Code = "ENTITY_NOT_FOUND"
	Forbidden             Code = "FORBIDDEN"
	IdempotencyKeyReused  Code = "IDEMPOTENCY_KEY_REUSED"
	InternalError         Code = "INTERNAL_ERROR"
	MethodNotAllowed      Code = "METHOD_NOT_ALLOWED"
	MissingRequirements   Code = "MISSING_REQUIREMENTS"
	RequestInProgress     Code = "REQUEST_IN_PROGRESS"
	RequestTooLarge       Code = "REQUEST_TOO_LARGE"
	StillRunning          Code = "STILL_RUNNING"
	SystemRuleViolation   Code = "SYSTEM_RULE_VIOLATION"
	TooManyRequests       Code = "TOO_MANY_REQUESTS"
	Unavailable           Code = "UNAVAILABLE"
	UnknownOperation      Code = "UNKNOWN_OPERATION"
	UnknownVersion        Code = "UNKNOWN_VERSION"
	UnsupportedMediaType  Code = "UNSUPPORTED_MEDIA_TYPE"
)

// statuses is the one table from code to HTTP status.
var statuses = map[Code]int{
	AuthElementRequired:   http.StatusUnauthorized,
	AuthInvalidAPIKey:     http.StatusUnauthorized,
	AuthInvalidAuthToken:  http.StatusUnauthorized,
	AuthInvalidHeader:     http.StatusUnauthorized,
	AuthMissingHeader:     http.StatusUnauthorized,
	AuthNonceReused:       http.StatusUnauthorized,
	AuthSignatureMismatch: http.StatusUnauthorized,
	AuthTimestampExpired:  http.StatusUnauthorized,
	BadRequest:            http.StatusBadRequest,
	EntityNotFound:        http.StatusBadRequest,
	Forbidden:             http.StatusForbidden,
	IdempotencyKeyReused:  http.StatusUnprocessableEntity,
	InternalError:         http.StatusInternalServerError,
	MethodNotAllowed:      http.StatusMethodNotAllowed,
	MissingRequirements:   http.StatusBadRequest,
	RequestInProgress:     http.StatusConflict,
	RequestTooLarge:       http.StatusRequestEntityTooLarge,
	StillRunning:          http.StatusGatewayTimeout,
	SystemRuleViolation:   http.StatusBadRequest,
	TooManyRequests:       http.StatusTooManyRequests,
	Unavailable:           http.StatusServiceUnavailable,
	UnknownOperation:      http.StatusNotFound,
	UnknownVersion:        http.StatusBadRequest,
	UnsupportedMediaType:  http.StatusUnsupportedMediaType,
}

// Status is the HTTP status that answers c.
func (c Code) Status() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// SubCode identifies a broken system rule.
type SubCode string

// The system rules that an operation can break.
const (
	ApprovalRequired        SubCode = "APPROVAL_REQUIRED"
	BusinessErased          SubCode = "BUSINESS_ERASED"
	BusinessLimitExceeded   SubCode = "BUSINESS_LIMIT_EXCEEDED"
	CursorUnknown           SubCode = "CURSOR_UNKNOWN"
	DailyLimitExceeded      SubCode = "DAILY_LIMIT_EXCEEDED"
	DecisionLimitExceeded   SubCode = "DECISION_LIMIT_EXCEEDED"
	ExternalIDExists        SubCode = "EXTERNAL_ID_EXISTS"
	FactLimitExceeded       SubCode = "FACT_LIMIT_EXCEEDED"
	FactsKeepChanging       SubCode = "FACTS_KEEP_CHANGING"
	InvalidStatusChange     SubCode = "INVALID_STATUS_CHANGE"
	DocumentChanged         SubCode = "DOCUMENT_CHANGED"
	DocumentExists          SubCode = "DOCUMENT_EXISTS"
	DocumentLimitExceeded   SubCode = "DOCUMENT_LIMIT_EXCEEDED"
	DocumentsNotCalculated  SubCode = "DOCUMENTS_NOT_CALCULATED"
	DocumentsNotCompleted   SubCode = "DOCUMENTS_NOT_COMPLETED"
	DocumentsStale          SubCode = "DOCUMENTS_STALE"
	FindingsOpen            SubCode = "FINDINGS_OPEN"
	EvidenceExpired         SubCode = "EVIDENCE_EXPIRED"
	EvidenceRequired        SubCode = "EVIDENCE_REQUIRED"
	EvidenceTooOld          SubCode = "EVIDENCE_TOO_OLD"
	DeliveryCanceled        SubCode = "DELIVERY_CANCELED"
	DeliveryEnded           SubCode = "DELIVERY_ENDED"
	DeliveryHeld            SubCode = "DELIVERY_HELD"
	KeyActive               SubCode = "KEY_ACTIVE"
	KeyDeleted              SubCode = "KEY_DELETED"
	MaxWebhookURLLimit      SubCode = "MAX_WEBHOOK_URL_LIMIT"
	PersonLimitExceeded     SubCode = "PERSON_LIMIT_EXCEEDED"
	PersonsOnRecord         SubCode = "PERSONS_ON_RECORD"
	PricingNotConfigured    SubCode = "PRICING_NOT_CONFIGURED"
	ProposalDecided         SubCode = "PROPOSAL_DECIDED"
	ProposalLimitExceeded   SubCode = "PROPOSAL_LIMIT_EXCEEDED"
	ProposalOutdated        SubCode = "PROPOSAL_OUTDATED"
	RecalculationInProgress SubCode = "RECALCULATION_IN_PROGRESS"
	ReplayInProgress        SubCode = "REPLAY_IN_PROGRESS"
	RuleNotEvaluable        SubCode = "RULE_NOT_EVALUABLE"
	RulesNotPublished       SubCode = "RULES_NOT_PUBLISHED"
	SalesInfoExists         SubCode = "SALES_INFO_EXISTS"
	SecondPersonRequired    SubCode = "SECOND_PERSON_REQUIRED"
	SizeLimitExceeded       SubCode = "SIZE_LIMIT_EXCEEDED"
	URLAlreadyExists        SubCode = "URL_ALREADY_EXISTS"
	VersionLimitExceeded    SubCode = "VERSION_LIMIT_EXCEEDED"
	WaitingLimitExceeded    SubCode = "WAITING_LIMIT_EXCEEDED"
	WorkflowAlreadyStarted  SubCode = "WORKFLOW_ALREADY_STARTED"
	WorkflowEnded           SubCode = "WORKFLOW_ENDED"
	WorkflowLimitExceeded   SubCode = "WORKFLOW_LIMIT_EXCEEDED"
	WorkflowNotEnded        SubCode = "WORKFLOW_NOT_ENDED"
	WorkflowNotStarted      SubCode = "WORKFLOW_NOT_STARTED"
)

// Entity types, as spelled in errors; the webhook key's has a space.
const (
	EntityAccount          = "Account"
	EntityBusiness         = "Business"
	EntityDecision         = "Decision"
	EntityDocumentRules    = "DocumentRules"
	EntityPerson           = "Person"
	EntityRecalculation    = "Recalculation"
	EntityRequiredDocument = "RequiredDocument"
	EntitySalesInfo        = "BusinessSalesInfo"
	EntityWebhookConfig    = "WebhookConfig"
	EntityRun              = "Run"
	EntityWebhookDelivery  = "WebhookDelivery"
	EntityWebhookEvent     = "WebhookEvent"
	EntityWebhookKey       = "Webhook Key"
	EntityWorkflow         = "Workflow"
)

// Field is one problem of a request: its path, such as rules.documents[1].when, and what to
// do about it.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Refusal is an error that the caller can act on. Its JSON form is an entry of the
// envelope's errors, and its form in Temporal.
type Refusal struct {
	Code       Code    `json:"code"`
	Message    string  `json:"message"`
	EntityType string  `json:"entity_type,omitempty"`
	EntityID   string  `json:"entity_id,omitempty"`
	SubCode    SubCode `json:"sub_code,omitempty"`
	// Details is a JSON array: []Field of a BAD_REQUEST, the gaps of a
	// MISSING_REQUIREMENTS, []Limit of a TOO_MANY_REQUESTS, []Field of evidence that does not
	// suffice, []Warning of a workflow that is not complete.
	Details            json.RawMessage `json:"details,omitempty"`
	TemporalWorkflowID string          `json:"temporal_workflow_id,omitempty"`
	TemporalRunID      string          `json:"temporal_run_id,omitempty"`
	// ServerTime and DifferenceSeconds belong to AUTH_TIMESTAMP_EXPIRED: the service's clock, and
	// how far it is ahead of the request's timestamp.
	ServerTime        string `json:"server_time,omitempty"`
	DifferenceSeconds int64  `json:"difference_seconds,omitempty"`
	// ReceivedPath belongs to AUTH_SIGNATURE_MISMATCH: the path and query that arrived, as sent.
	ReceivedPath string `json:"received_path,omitempty"`

	// RetryAfter goes to the header of the same name; zero leaves it out.
	RetryAfter time.Duration `json:"retry_after,omitempty" hidden:"true"`
	// Allow is the Allow header of a METHOD_NOT_ALLOWED.
	Allow string `json:"-"`
	// Decision goes to the headers of the answer; nil for a refusal that is no decision.
	Decision *DecisionRef `json:"decision,omitempty" hidden:"true"`
	// Replayed goes to a header: an earlier request with the Idempotency-Key was refused, and this one did no work.
	Replayed bool `json:"-"`
}

// AsReplayed returns the refusal for a repeat of the request.
func (r *Refusal) AsReplayed() *Refusal {
	replayed := *r
	replayed.Replayed = true
	return &replayed
}

// DecisionRef names a recorded decision in an answer.
type DecisionRef struct {
	DecisionID id.DecisionID `json:"decision_id"`
	// Digest is the SHA-256 of the decision and of those before it, in hex.
	Digest string `json:"digest" doc:"The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later."`
}

// Decided reports whether the refusal of a calculation is a decision and therefore recorded: facts
// are missing, or a rule has no answer for them.
func (r *Refusal) Decided() bool {
	return r.Code == MissingRequirements || r.SubCode == RuleNotEvaluable
}

func (r *Refusal) Error() string {
	if r.SubCode != "" {
		return fmt.Sprintf("%s/%s: %s", r.Code, r.SubCode, r.Message)
	}
	return fmt.Sprintf("%s: %s", r.Code, r.Message)
}

// SpecificCode is the refusal in one word: its sub-code, or else its code.
func (r *Refusal) SpecificCode() string {
	if r.SubCode != "" {
		return string(r.SubCode)
	}
	return string(r.Code)
}

// Final reports whether a repeat of the request must get the same refusal. After other
// refusals the caller may fix the cause and use the same idempotency key.
func (r *Refusal) Final() bool { return r.SubCode == WorkflowEnded || r.SubCode == DailyLimitExceeded }

// New makes a refusal without further fields.
func New(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Scope says to what a limit applies.
type Scope string

// The scopes of limits.
const (
	ScopeCredential   Scope = "CREDENTIAL"
	ScopeAccount      Scope = "ACCOUNT"
	ScopeOrganization Scope = "ORGANIZATION"
	ScopeService      Scope = "SERVICE"
)

// Scopes lists all of them.
func Scopes() []Scope { return []Scope{ScopeCredential, ScopeAccount, ScopeOrganization, ScopeService} }

// The values of Limit.Of. A limit on concurrent work is named after its limiter.
const (
	LimitBodyBytes           = "body_bytes"
	LimitDatabaseConnections = "database_connections"
	LimitDecisionBytesADay   = "decision_bytes_a_day"
	LimitEvaluations         = "evaluations"
	LimitOutcomes            = "outcomes"
	LimitRequests            = "requests"
	LimitRequestsPerSecond   = "requests_per_second"
	LimitRuleChecks          = "rule_checks"
	LimitRuns                = "runs"
	LimitWaitingCallers      = "waiting_callers"
)

// Limits lists the values of Limit.Of.
func Limits() []string {
	return []string{
		LimitBodyBytes, LimitDatabaseConnections, LimitDecisionBytesADay, LimitEvaluations, LimitOutcomes, LimitRequests, LimitRequestsPerSecond,
		LimitRuleChecks, LimitRuns, LimitWaitingCallers,
	}
}

// Limit is a limit that a request has reached: its size, its scope, and what it limits.
type Limit struct {
	Limit float64 `json:"limit"`
	Scope Scope   `json:"scope"`
	Of    string  `json:"of"`
}

// TooMany makes a TOO_MANY_REQUESTS.
func TooMany(met Limit, retryAfter time.Duration, format string, args ...any) *Refusal {
	refused := New(TooManyRequests, format, args...)
	refused.Details, refused.RetryAfter = details([]Limit{met}), retryAfter
	return refused
}

// Limits of the problems in one BAD_REQUEST. A request can have many of them,
// and each can quote it: an answer stays below 256 KiB.
const (
	MaxFields    = 100
	maxPath      = 512       // bytes of a path
	maxMessage   = 2000      // bytes of a message
	maxAllFields = 192 << 10 // bytes of all, as JSON
)

// Fields makes a BAD_REQUEST from a request's problems, or from the first when
// there are too many.
func Fields(problems ...Field) *Refusal {
	entries := make([]json.RawMessage, 0, min(len(problems), MaxFields))
	size := 0
	for _, p := range problems[:min(len(problems), MaxFields)] {
		entry := details(Field{ClipPath(p.Field), clip(p.Message, maxMessage, 0)})
		if size += len(entry); size > maxAllFields {
			break
		}
		entries = append(entries, entry)
	}
	message := "The request has a problem; see details."
	switch {
	case len(entries) < len(problems):
		message = fmt.Sprintf("The request has more than %d problems; details lists the first %d.", len(entries), len(entries))
	case len(problems) > 1:
		message = fmt.Sprintf("The request has %d problems; see details.", len(problems))
	}
	return &Refusal{Code: BadRequest, Message: message, Details: details(entries)}
}

// ClipPath shortens the path of a problem and keeps its beginning and its end.
func ClipPath[T string | []byte](path T) string { return clip(path, maxPath, maxPath/2) }

// clip shortens a text to a number of bytes and keeps some of them at its end.
func clip[T string | []byte](text T, most, tail int) string {
	if len(text) <= most {
		return string(text)
	}
	const cut = "…"
	return strings.ToValidUTF8(string(text[:most-tail-len(cut)]), "") + cut + strings.ToValidUTF8(string(text[len(text)-tail:]), "")
}

// Missing answers with every gap in the facts that the rules need.
func Missing[Gap any](gaps []Gap) *Refusal { return missing("rules need", gaps) }

// MissingForPrice is Missing for the facts that the pricing model needs.
func MissingForPrice[Gap any](gaps []Gap) *Refusal { return missing("pricing model needs", gaps) }

func missing[Gap any](what string, gaps []Gap) *Refusal {
	return &Refusal{
		Code:    MissingRequirements,
		Message: fmt.Sprintf("The account's %s data that is not on file (%d missing); details says how to supply it.", what, len(gaps)),
		Details: details(gaps),
	}
}

// details cannot fail: it encodes only strings and finite numbers. It is deterministic, so it may
// be used in workflows.
//
//workflowcheck:ignore
func details(list any) json.RawMessage {
	data, err := json.Marshal(list)
	if err != nil {
		panic(fmt.Sprintf("encode the details of a refusal: %v", err))
	}
	return data
}

// NotFound is the refusal for records that do not exist and, with the same
// message, for records of another organization or environment.
func NotFound(entityType, entityID string) *Refusal {
	return &Refusal{
		Code:       EntityNotFound,
		Message:    fmt.Sprintf("There is no %s with this id among the records of this credential.", entityType),
		EntityType: entityType,
		EntityID:   entityID,
	}
}

// Rule is the refusal for a broken system rule.
func Rule(entityType, entityID string, sub SubCode, format string, args ...any) *Refusal {
	return &Refusal{
		Code:       SystemRuleViolation,
		Message:    fmt.Sprintf(format, args...),
		EntityType: entityType,
		EntityID:   entityID,
		SubCode:    sub,
	}
}

// With returns the refusal with details.
func (r *Refusal) With(list any) *Refusal {
	r.Details = details(list)
	return r
}

// Ended is the refusal of every operation on an ENDED workflow.
func Ended(workflowID string) *Refusal {
	return Rule(EntityWorkflow, workflowID, WorkflowEnded, "The workflow has ended and accepts no further changes.")
}

// KeepChanging is the refusal of a calculation whose facts or rules changed before each try to
// save.
func KeepChanging(workflowID string) *Refusal {
	return Rule(EntityWorkflow, workflowID, FactsKeepChanging,
		"The facts or the rules changed each time before the result could be saved. Nothing was written: repeat the request when the changes have ended.")
}

// Erased is the refusal of a change or a calculation after the personal data of the
// business was erased.
func Erased(businessID string) *Refusal {
	return Rule(EntityBusiness, businessID, BusinessErased, "The personal data of this business was erased: "+
		"the business cannot change, and the service calculates nothing for it.")
}
