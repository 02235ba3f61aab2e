// Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.

package requisite

import (
	"context"
	"encoding/json"
	"iter"
)

// Version is the version of the API that this package was made from.
const Version = "2025-03-24"

// The types of events.
const (
	EventWorkflowCreated             = "WORKFLOW_CREATED"
	EventWorkflowStarted             = "WORKFLOW_STARTED"
	EventWorkflowCompleted           = "WORKFLOW_COMPLETED"
	EventWorkflowPricingCalculated   = "WORKFLOW_PRICING_CALCULATED"
	EventRequiredDocumentsCalculated = "REQUIRED_DOCUMENTS_CALCULATED"
	EventRequiredDocumentAdded       = "REQUIRED_DOCUMENT_ADDED"
	EventRequiredDocumentUpdated     = "REQUIRED_DOCUMENT_UPDATED"
	EventRequiredDocumentOverdue     = "REQUIRED_DOCUMENT_OVERDUE"
	EventRequiredDocumentExpiring    = "REQUIRED_DOCUMENT_EXPIRING"
	EventRequiredDocumentExpired     = "REQUIRED_DOCUMENT_EXPIRED"
	EventWorkflowFindingsChanged     = "WORKFLOW_FINDINGS_CHANGED"
	EventDocumentRulesPublished      = "DOCUMENT_RULES_PUBLISHED"
	EventWebhookKeyActivated         = "WEBHOOK_KEY_ACTIVATED"
	EventWebhookTest                 = "WEBHOOK_TEST"
	EventWebhookEndpointFailing      = "WEBHOOK_ENDPOINT_FAILING"
	EventWebhookEndpointDisabled     = "WEBHOOK_ENDPOINT_DISABLED"
	EventWebhookEndpointRecovered    = "WEBHOOK_ENDPOINT_RECOVERED"
	EventWebhookDeliveryFailed       = "WEBHOOK_DELIVERY_FAILED"
)

// The codes of refusals.
const (
	CodeAuthElementRequired   = "AUTH_ELEMENT_REQUIRED"
	CodeAuthInvalidApiKey     = "AUTH_INVALID_API_KEY"
	CodeAuthInvalidAuthToken  = "AUTH_INVALID_AUTH_TOKEN"
	CodeAuthInvalidHeader     = "AUTH_INVALID_HEADER"
	CodeAuthMissingHeader     = "AUTH_MISSING_HEADER"
	CodeAuthNonceReused       = "AUTH_NONCE_REUSED"
	CodeAuthSignatureMismatch = "AUTH_SIGNATURE_MISMATCH"
	CodeAuthTimestampExpired  = "AUTH_TIMESTAMP_EXPIRED"
	CodeBadRequest            = "BAD_REQUEST"
	CodeEntityNotFound        = "ENTITY_NOT_FOUND"
	CodeForbidden             = "FORBIDDEN"
	CodeIdempotencyKeyReused  = "IDEMPOTENCY_KEY_REUSED"
	CodeInternalError         = "INTERNAL_ERROR"
	CodeMethodNotAllowed      = "METHOD_NOT_ALLOWED"
	CodeMissingRequirements   = "MISSING_REQUIREMENTS"
	CodeRequestInProgress     = "REQUEST_IN_PROGRESS"
	CodeRequestTooLarge       = "REQUEST_TOO_LARGE"
	CodeStillRunning          = "STILL_RUNNING"
	CodeSystemRuleViolation   = "SYSTEM_RULE_VIOLATION"
	CodeTooManyRequests       = "TOO_MANY_REQUESTS"
	CodeUnavailable           = "UNAVAILABLE"
	CodeUnknownOperation      = "UNKNOWN_OPERATION"
	CodeUnknownVersion        = "UNKNOWN_VERSION"
	CodeUnsupportedMediaType  = "UNSUPPORTED_MEDIA_TYPE"
)

// The sub-codes of SYSTEM_RULE_VIOLATION.
const (
	SubCodeApprovalRequired        = "APPROVAL_REQUIRED"
	SubCodeBusinessErased          = "BUSINESS_ERASED"
	SubCodeBusinessLimitExceeded   = "BUSINESS_LIMIT_EXCEEDED"
	SubCodeCursorUnknown           = "CURSOR_UNKNOWN"
	SubCodeDailyLimitExceeded      = "DAILY_LIMIT_EXCEEDED"
	SubCodeDecisionLimitExceeded   = "DECISION_LIMIT_EXCEEDED"
	SubCodeDeliveryCanceled        = "DELIVERY_CANCELED"
	SubCodeDeliveryEnded           = "DELIVERY_ENDED"
	SubCodeDeliveryHeld            = "DELIVERY_HELD"
	SubCodeDocumentsNotCalculated  = "DOCUMENTS_NOT_CALCULATED"
	SubCodeDocumentsNotCompleted   = "DOCUMENTS_NOT_COMPLETED"
	SubCodeDocumentsStale          = "DOCUMENTS_STALE"
	SubCodeDocumentChanged         = "DOCUMENT_CHANGED"
	SubCodeDocumentExists          = "DOCUMENT_EXISTS"
	SubCodeDocumentLimitExceeded   = "DOCUMENT_LIMIT_EXCEEDED"
	SubCodeEvidenceExpired         = "EVIDENCE_EXPIRED"
	SubCodeEvidenceRequired        = "EVIDENCE_REQUIRED"
	SubCodeEvidenceTooOld          = "EVIDENCE_TOO_OLD"
	SubCodeExternalIDExists        = "EXTERNAL_ID_EXISTS"
	SubCodeFactsKeepChanging       = "FACTS_KEEP_CHANGING"
	SubCodeFactLimitExceeded       = "FACT_LIMIT_EXCEEDED"
	SubCodeFindingsOpen            = "FINDINGS_OPEN"
	SubCodeInvalidStatusChange     = "INVALID_STATUS_CHANGE"
	SubCodeKeyActive               = "KEY_ACTIVE"
	SubCodeKeyDeleted              = "KEY_DELETED"
	SubCodeMaxWebhookURLLimit      = "MAX_WEBHOOK_URL_LIMIT"
	SubCodePersonsOnRecord         = "PERSONS_ON_RECORD"
	SubCodePersonLimitExceeded     = "PERSON_LIMIT_EXCEEDED"
	SubCodePricingNotConfigured    = "PRICING_NOT_CONFIGURED"
	SubCodeProposalDecided         = "PROPOSAL_DECIDED"
	SubCodeProposalLimitExceeded   = "PROPOSAL_LIMIT_EXCEEDED"
	SubCodeProposalOutdated        = "PROPOSAL_OUTDATED"
	SubCodeRecalculationInProgress = "RECALCULATION_IN_PROGRESS"
	SubCodeReplayInProgress        = "REPLAY_IN_PROGRESS"
	SubCodeRulesNotPublished       = "RULES_NOT_PUBLISHED"
	SubCodeRuleNotEvaluable        = "RULE_NOT_EVALUABLE"
	SubCodeSalesInfoExists         = "SALES_INFO_EXISTS"
	SubCodeSecondPersonRequired    = "SECOND_PERSON_REQUIRED"
	SubCodeSizeLimitExceeded       = "SIZE_LIMIT_EXCEEDED"
	SubCodeURLAlreadyExists        = "URL_ALREADY_EXISTS"
	SubCodeVersionLimitExceeded    = "VERSION_LIMIT_EXCEEDED"
	SubCodeWaitingLimitExceeded    = "WAITING_LIMIT_EXCEEDED"
	SubCodeWorkflowAlreadyStarted  = "WORKFLOW_ALREADY_STARTED"
	SubCodeWorkflowEnded           = "WORKFLOW_ENDED"
	SubCodeWorkflowLimitExceeded   = "WORKFLOW_LIMIT_EXCEEDED"
	SubCodeWorkflowNotEnded        = "WORKFLOW_NOT_ENDED"
	SubCodeWorkflowNotStarted      = "WORKFLOW_NOT_STARTED"
)

// The codes of the problems of BAD_REQUEST.
const (
	ProblemRequired     = "REQUIRED"
	ProblemUnknownField = "UNKNOWN_FIELD"
	ProblemUnknownValue = "UNKNOWN_VALUE"
	ProblemWrongType    = "WRONG_TYPE"
	ProblemTooLong      = "TOO_LONG"
	ProblemTooShort     = "TOO_SHORT"
	ProblemTooLarge     = "TOO_LARGE"
	ProblemTooSmall     = "TOO_SMALL"
	ProblemWrongFormat  = "WRONG_FORMAT"
	ProblemDuplicate    = "DUPLICATE"
	ProblemMalformed    = "MALFORMED"
	ProblemInvalidRule  = "INVALID_RULE"
	ProblemNotAllowed   = "NOT_ALLOWED"
)

// The codes of warnings.
const (
	WarningCategoryCodeWithoutDigit   = "CATEGORY_CODE_WITHOUT_DIGIT"
	WarningDateLooksLikeDefault       = "DATE_LOOKS_LIKE_DEFAULT"
	WarningDocumentsNotCalculated     = "DOCUMENTS_NOT_CALCULATED"
	WarningDocumentsNotCompleted      = "DOCUMENTS_NOT_COMPLETED"
	WarningDocumentsStale             = "DOCUMENTS_STALE"
	WarningEndpointDisabled           = "ENDPOINT_DISABLED"
	WarningFindingsOpen               = "FINDINGS_OPEN"
	WarningNameHasInvisibleCharacters = "NAME_HAS_INVISIBLE_CHARACTERS"
	WarningNothingFailed              = "NOTHING_FAILED"
	WarningNothingToUpdate            = "NOTHING_TO_UPDATE"
	WarningNoApprover                 = "NO_APPROVER"
	WarningOwnershipExceeds100        = "OWNERSHIP_EXCEEDS_100"
	WarningPersonMayBeOnRecord        = "PERSON_MAY_BE_ON_RECORD"
	WarningPhoneNumberTooShort        = "PHONE_NUMBER_TOO_SHORT"
	WarningReplacesComingVersion      = "REPLACES_COMING_VERSION"
	WarningSalesInfoExists            = "SALES_INFO_EXISTS"
	WarningScoreOutdated              = "SCORE_OUTDATED"
	WarningSecretAlreadyShown         = "SECRET_ALREADY_SHOWN"
	WarningSecretNotTaken             = "SECRET_NOT_TAKEN"
)

// Values of AttemptOutcome.
const (
	AttemptOutcomeSending   = "SENDING"
	AttemptOutcomeSucceeded = "SUCCEEDED"
	AttemptOutcomeFailed    = "FAILED"
	AttemptOutcomeUnknown   = "UNKNOWN"
)

// Values of CredentialPermission.
const (
	CredentialPermissionRead         = "read"
	CredentialPermissionWrite        = "write"
	CredentialPermissionRules        = "rules"
	CredentialPermissionApproveRules = "approve_rules"
	CredentialPermissionKeys         = "keys"
	CredentialPermissionWebhooks     = "webhooks"
)

// Values of CredentialSignaturePolicy.
const (
	CredentialSignaturePolicyStrict  = "strict"
	CredentialSignaturePolicyMinimal = "minimal"
)

// Values of DecidedByUserType.
const (
	DecidedByUserTypeApiKey = "API_KEY"
	DecidedByUserTypeSystem = "SYSTEM"
)

// Values of DecisionKind.
const (
	DecisionKindCalculation    = "CALCULATION"
	DecisionKindPricing        = "PRICING"
	DecisionKindDocumentStatus = "DOCUMENT_STATUS"
	DecisionKindErasure        = "ERASURE"
)

// Values of DecisionOutcome.
const (
	DecisionOutcomeCalculated          = "CALCULATED"
	DecisionOutcomePriced              = "PRICED"
	DecisionOutcomeUpdated             = "UPDATED"
	DecisionOutcomeCreated             = "CREATED"
	DecisionOutcomeWaived              = "WAIVED"
	DecisionOutcomeExpired             = "EXPIRED"
	DecisionOutcomeErased              = "ERASED"
	DecisionOutcomeMissingRequirements = "MISSING_REQUIREMENTS"
	DecisionOutcomeRuleNotEvaluable    = "RULE_NOT_EVALUABLE"
)

// Values of DocumentOrigin.
const (
	DocumentOriginRule   = "RULE"
	DocumentOriginManual = "MANUAL"
)

// Values of DocumentStatusReason.
const (
	DocumentStatusReasonTextChanged     = "TEXT_CHANGED"
	DocumentStatusReasonIdentityChanged = "IDENTITY_CHANGED"
	DocumentStatusReasonFactsChanged    = "FACTS_CHANGED"
	DocumentStatusReasonExpired         = "EXPIRED"
	DocumentStatusReasonRenewalDue      = "RENEWAL_DUE"
)

// Values of EventListOrder.
const (
	EventListOrderNewestFirst = "NEWEST_FIRST"
	EventListOrderOldestFirst = "OLDEST_FIRST"
)

// Values of FactState.
const (
	FactStateComing  = "COMING"
	FactStateInForce = "IN_FORCE"
	FactStateDropped = "DROPPED"
)

// Values of FactType.
const (
	FactTypeBoolean  = "BOOLEAN"
	FactTypeNumber   = "NUMBER"
	FactTypeAmount   = "AMOUNT"
	FactTypeDate     = "DATE"
	FactTypeText     = "TEXT"
	FactTypeTextList = "TEXT_LIST"
)

// Values of FactUsedBy.
const (
	FactUsedByRules   = "RULES"
	FactUsedByPricing = "PRICING"
)

// Values of FindingKind.
const (
	FindingKindReview  = "REVIEW"
	FindingKindHold    = "HOLD"
	FindingKindDecline = "DECLINE"
)

// Values of GapCode.
const (
	GapCodeCalculatedPricingRequired = "CALCULATED_PRICING_REQUIRED"
	GapCodeFieldsRequired            = "FIELDS_REQUIRED"
)

// Values of GapEntityType.
const (
	GapEntityTypeBusinessSalesInfo = "BusinessSalesInfo"
	GapEntityTypeWorkflow          = "Workflow"
	GapEntityTypeBusiness          = "Business"
	GapEntityTypePerson            = "Person"
)

// Values of HealthStatus.
const (
	HealthStatusHealthy  = "HEALTHY"
	HealthStatusFailing  = "FAILING"
	HealthStatusHeld     = "HELD"
	HealthStatusDisabled = "DISABLED"
)

// Values of LimitMetOf.
const (
	LimitMetOfBodyBytes           = "body_bytes"
	LimitMetOfDatabaseConnections = "database_connections"
	LimitMetOfDecisionBytesADay   = "decision_bytes_a_day"
	LimitMetOfEvaluations         = "evaluations"
	LimitMetOfOutcomes            = "outcomes"
	LimitMetOfRequests            = "requests"
	LimitMetOfRequestsPerSecond   = "requests_per_second"
	LimitMetOfRuleChecks          = "rule_checks"
	LimitMetOfRuns                = "runs"
	LimitMetOfWaitingCallers      = "waiting_callers"
)

// Values of LimitMetScope.
const (
	LimitMetScopeCredential   = "CREDENTIAL"
	LimitMetScopeAccount      = "ACCOUNT"
	LimitMetScopeOrganization = "ORGANIZATION"
	LimitMetScopeService      = "SERVICE"
)

// Values of MetaStatus.
const (
	MetaStatusSuccess = "SUCCESS"
	MetaStatusError   = "ERROR"
)

// Values of ProblemCode.
const (
	ProblemCodeRequired     = "REQUIRED"
	ProblemCodeUnknownField = "UNKNOWN_FIELD"
	ProblemCodeUnknownValue = "UNKNOWN_VALUE"
	ProblemCodeWrongType    = "WRONG_TYPE"
	ProblemCodeTooLong      = "TOO_LONG"
	ProblemCodeTooShort     = "TOO_SHORT"
	ProblemCodeTooLarge     = "TOO_LARGE"
	ProblemCodeTooSmall     = "TOO_SMALL"
	ProblemCodeWrongFormat  = "WRONG_FORMAT"
	ProblemCodeDuplicate    = "DUPLICATE"
	ProblemCodeMalformed    = "MALFORMED"
	ProblemCodeInvalidRule  = "INVALID_RULE"
	ProblemCodeNotAllowed   = "NOT_ALLOWED"
)

// Values of ProposalState.
const (
	ProposalStateOpen     = "OPEN"
	ProposalStateApproved = "APPROVED"
	ProposalStateRejected = "REJECTED"
	ProposalStateOutdated = "OUTDATED"
)

// Values of RecalculationState.
const (
	RecalculationStateRunning  = "RUNNING"
	RecalculationStateDone     = "DONE"
	RecalculationStateCanceled = "CANCELED"
)

// Values of RefusalEntityType.
const (
	RefusalEntityTypeAccount           = "Account"
	RefusalEntityTypeBusiness          = "Business"
	RefusalEntityTypeBusinessSalesInfo = "BusinessSalesInfo"
	RefusalEntityTypeDecision          = "Decision"
	RefusalEntityTypeDocumentRules     = "DocumentRules"
	RefusalEntityTypePerson            = "Person"
	RefusalEntityTypeRequiredDocument  = "RequiredDocument"
	RefusalEntityTypeWebhookKey        = "Webhook Key"
	RefusalEntityTypeWebhookConfig     = "WebhookConfig"
	RefusalEntityTypeWebhookDelivery   = "WebhookDelivery"
	RefusalEntityTypeWebhookEvent      = "WebhookEvent"
	RefusalEntityTypeRecalculation     = "Recalculation"
	RefusalEntityTypeRun               = "Run"
	RefusalEntityTypeWorkflow          = "Workflow"
)

// Values of ReplayedState.
const (
	ReplayedStateRunning   = "RUNNING"
	ReplayedStateCompleted = "COMPLETED"
	ReplayedStateCanceled  = "CANCELED"
)

// Values of RequiredDocumentEntityType.
const (
	RequiredDocumentEntityTypeWorkflow = "Workflow"
	RequiredDocumentEntityTypeBusiness = "Business"
	RequiredDocumentEntityTypePerson   = "Person"
)

// Values of RequiredDocumentStatus.
const (
	RequiredDocumentStatusPending     = "PENDING"
	RequiredDocumentStatusNeedsReview = "NEEDS_REVIEW"
	RequiredDocumentStatusCompleted   = "COMPLETED"
	RequiredDocumentStatusWaived      = "WAIVED"
	RequiredDocumentStatusInactive    = "INACTIVE"
)

// Values of RulesAppliesTo.
const (
	RulesAppliesToAll = "ALL"
	RulesAppliesToNew = "NEW"
)

// Values of RulesState.
const (
	RulesStateComing   = "COMING"
	RulesStateInForce  = "IN_FORCE"
	RulesStateReplaced = "REPLACED"
)

// Values of RulesWarningSeverity.
const (
	RulesWarningSeverityWarning = "WARNING"
	RulesWarningSeverityHint    = "HINT"
)

// Values of SalesAmountType.
const (
	SalesAmountTypeAverageIndividualSale     = "AVERAGE_INDIVIDUAL_SALE"
	SalesAmountTypeAverageMonthlyCreditSales = "AVERAGE_MONTHLY_CREDIT_SALES"
	SalesAmountTypeAverageYearlyCreditSales  = "AVERAGE_YEARLY_CREDIT_SALES"
	SalesAmountTypeHighestTicketSale         = "HIGHEST_TICKET_SALE"
)

// Values of SandboxAnswer.
const (
	SandboxAnswerRateLimited       = "RATE_LIMITED"
	SandboxAnswerUnavailable       = "UNAVAILABLE"
	SandboxAnswerStillRunning      = "STILL_RUNNING"
	SandboxAnswerSecretLost        = "SECRET_LOST"
	SandboxAnswerWebhookFailsTwice = "WEBHOOK_FAILS_TWICE"
)

// Values of WebhookConfigStatus.
const (
	WebhookConfigStatusActive   = "ACTIVE"
	WebhookConfigStatusDisabled = "DISABLED"
)

// Values of WebhookDeliveryCause.
const (
	WebhookDeliveryCauseAttemptInFlight     = "ATTEMPT_IN_FLIGHT"
	WebhookDeliveryCauseNoWorker            = "NO_WORKER"
	WebhookDeliveryCauseEndpointDisabled    = "ENDPOINT_DISABLED"
	WebhookDeliveryCauseNoActiveKey         = "NO_ACTIVE_KEY"
	WebhookDeliveryCauseRetryLater          = "RETRY_LATER"
	WebhookDeliveryCauseEndpointFailing     = "ENDPOINT_FAILING"
	WebhookDeliveryCauseRetryAfter          = "RETRY_AFTER"
	WebhookDeliveryCauseEndpointRate        = "ENDPOINT_RATE"
	WebhookDeliveryCauseEndpointConcurrency = "ENDPOINT_CONCURRENCY"
	WebhookDeliveryCauseEarlierDeliveries   = "EARLIER_DELIVERIES"
	WebhookDeliveryCauseDue                 = "DUE"
)

// Values of WebhookDeliveryStatus.
const (
	WebhookDeliveryStatusPending   = "PENDING"
	WebhookDeliveryStatusRetrying  = "RETRYING"
	WebhookDeliveryStatusHeld      = "HELD"
	WebhookDeliveryStatusDelivered = "DELIVERED"
	WebhookDeliveryStatusFailed    = "FAILED"
	WebhookDeliveryStatusCanceled  = "CANCELED"
)

// Values of WebhookKeyStatus.
const (
	WebhookKeyStatusInactive = "INACTIVE"
	WebhookKeyStatusActive   = "ACTIVE"
	WebhookKeyStatusDeleted  = "DELETED"
)

// Values of WhoamiEnvironment.
const (
	WhoamiEnvironmentLive    = "live"
	WhoamiEnvironmentSandbox = "sandbox"
)

// Values of WorkflowState.
const (
	WorkflowStateCreated = "CREATED"
	WorkflowStateStarted = "STARTED"
	WorkflowStateEnded   = "ENDED"
)

// operations are those that this package knows.
var operations = map[string]operation{
	"account.documentRules.get":              {writes: false},
	"account.documentRules.list":             {writes: false},
	"account.documentRules.preview":          {writes: false},
	"account.documentRules.proposal.approve": {writes: true},
	"account.documentRules.proposal.create":  {writes: true},
	"account.documentRules.proposal.get":     {writes: false},
	"account.documentRules.proposal.list":    {writes: false},
	"account.documentRules.proposal.reject":  {writes: true},
	"account.documentRules.publish":          {writes: true},
	"account.documentRules.validate":         {writes: false},
	"account.fact.list":                      {writes: false},
	"account.get":                            {writes: false},
	"account.list":                           {writes: false},
	"account.recalculation.cancel":           {writes: true},
	"account.recalculation.get":              {writes: false},
	"account.recalculation.start":            {writes: true},
	"business.create":                        {writes: true},
	"business.get":                           {writes: false},
	"business.list":                          {writes: false},
	"business.salesInfo.create":              {writes: true},
	"business.salesInfo.delete":              {writes: true},
	"business.update":                        {writes: true},
	"meta.checkVersion":                      {writes: false},
	"meta.whoami":                            {writes: false},
	"person.create":                          {writes: true},
	"person.delete":                          {writes: true},
	"person.get":                             {writes: false},
	"person.list":                            {writes: false},
	"person.update":                          {writes: true},
	"webhook.config.create":                  {writes: true},
	"webhook.config.delete":                  {writes: true},
	"webhook.config.flush":                   {writes: true},
	"webhook.config.get":                     {writes: false},
	"webhook.config.list":                    {writes: false},
	"webhook.config.test":                    {writes: true},
	"webhook.config.update":                  {writes: true},
	"webhook.delivery.cancel":                {writes: true},
	"webhook.delivery.get":                   {writes: false},
	"webhook.delivery.list":                  {writes: false},
	"webhook.delivery.recover":               {writes: true},
	"webhook.delivery.retry":                 {writes: true},
	"webhook.event.get":                      {writes: false},
	"webhook.event.list":                     {writes: false},
	"webhook.event.replay":                   {writes: true},
	"webhook.event.replayed":                 {writes: false},
	"webhook.key.activate":                   {writes: true},
	"webhook.key.create":                     {writes: true},
	"webhook.key.delete":                     {writes: true},
	"webhook.key.get":                        {writes: false},
	"webhook.key.list":                       {writes: false},
	"workflow.complete":                      {writes: true},
	"workflow.create":                        {writes: true},
	"workflow.deadlines.apply":               {writes: true},
	"workflow.decision.get":                  {writes: false},
	"workflow.decision.list":                 {writes: false},
	"workflow.get":                           {writes: false},
	"workflow.list":                          {writes: false},
	"workflow.pricing.calculate":             {writes: true},
	"workflow.requiredDocument.calculate":    {writes: true},
	"workflow.requiredDocument.create":       {writes: true},
	"workflow.requiredDocument.get":          {writes: false},
	"workflow.requiredDocument.list":         {writes: false},
	"workflow.requiredDocument.update":       {writes: true},
	"workflow.requiredDocument.waive":        {writes: true},
	"workflow.start":                         {writes: true},
	"workflow.update":                        {writes: true},
}

// AccountDocumentRulesGet calls account.documentRules.get: read a version of an account's rules: the one in force, or the one named.
func (c *Client) AccountDocumentRulesGet(ctx context.Context, in RulesGetRequest, options ...Option) (Result[RulesData], error) {
	return call[RulesData](ctx, c, "account.documentRules.get", in, options)
}

// AccountDocumentRulesList calls account.documentRules.list: list the versions of an account's rules, newest first.
func (c *Client) AccountDocumentRulesList(ctx context.Context, in RulesListRequest, options ...Option) (Result[RulesListData], error) {
	return call[RulesListData](ctx, c, "account.documentRules.list", in, options)
}

// AccountDocumentRulesListAll goes through all pages of account.documentRules.list. An error ends it.
func (c *Client) AccountDocumentRulesListAll(ctx context.Context, in RulesListRequest, options ...Option) iter.Seq2[RulesVersion, error] {
	return pages(func(after *string) ([]RulesVersion, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.AccountDocumentRulesList(ctx, in, options...)
		return r.Data.Versions, r.Data.Next, err
	})
}

// AccountDocumentRulesPreview calls account.documentRules.preview: show what a calculation would do to a workflow, by the rules in force or by rules not published yet; writes nothing.
func (c *Client) AccountDocumentRulesPreview(ctx context.Context, in RulesPreviewRequest, options ...Option) (Result[RulesPreviewData], error) {
	return call[RulesPreviewData](ctx, c, "account.documentRules.preview", in, options)
}

// AccountDocumentRulesProposalApprove calls account.documentRules.proposal.approve: put in force what another person has proposed.
func (c *Client) AccountDocumentRulesProposalApprove(ctx context.Context, in ProposalApproveRequest, options ...Option) (Result[ProposalApproved], error) {
	return call[ProposalApproved](ctx, c, "account.documentRules.proposal.approve", in, options)
}

// AccountDocumentRulesProposalCreate calls account.documentRules.proposal.create: propose a rule set for an account, which another person approves.
func (c *Client) AccountDocumentRulesProposalCreate(ctx context.Context, in ProposalCreateRequest, options ...Option) (Result[ProposalCreated], error) {
	return call[ProposalCreated](ctx, c, "account.documentRules.proposal.create", in, options)
}

// AccountDocumentRulesProposalGet calls account.documentRules.proposal.get: read a proposal with its rules, and which documents it changes.
func (c *Client) AccountDocumentRulesProposalGet(ctx context.Context, in ProposalRequest, options ...Option) (Result[ProposalData], error) {
	return call[ProposalData](ctx, c, "account.documentRules.proposal.get", in, options)
}

// AccountDocumentRulesProposalList calls account.documentRules.proposal.list: list the proposals of an account, newest first, without their rules.
func (c *Client) AccountDocumentRulesProposalList(ctx context.Context, in ProposalListRequest, options ...Option) (Result[ProposalListData], error) {
	return call[ProposalListData](ctx, c, "account.documentRules.proposal.list", in, options)
}

// AccountDocumentRulesProposalListAll goes through all pages of account.documentRules.proposal.list. An error ends it.
func (c *Client) AccountDocumentRulesProposalListAll(ctx context.Context, in ProposalListRequest, options ...Option) iter.Seq2[ProposalListed, error] {
	return pages(func(after *string) ([]ProposalListed, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.AccountDocumentRulesProposalList(ctx, in, options...)
		return r.Data.Proposals, r.Data.Next, err
	})
}

// AccountDocumentRulesProposalReject calls account.documentRules.proposal.reject: reject a proposal. For your own, the permission rules is enough.
func (c *Client) AccountDocumentRulesProposalReject(ctx context.Context, in ProposalRejectRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "account.documentRules.proposal.reject", in, options)
}

// AccountDocumentRulesPublish calls account.documentRules.publish: put a rule set in force for an account, as a new immutable version.
func (c *Client) AccountDocumentRulesPublish(ctx context.Context, in RulesPublishRequest, options ...Option) (Result[RulesPublished], error) {
	return call[RulesPublished](ctx, c, "account.documentRules.publish", in, options)
}

// AccountDocumentRulesValidate calls account.documentRules.validate: check a rule set without publishing it.
func (c *Client) AccountDocumentRulesValidate(ctx context.Context, in RulesValidateRequest, options ...Option) (Result[RulesChecked], error) {
	return call[RulesChecked](ctx, c, "account.documentRules.validate", in, options)
}

// AccountFactList calls account.fact.list: list the facts that the account declares itself, and the built-in ones where asked: what a form needs to ask for them.
func (c *Client) AccountFactList(ctx context.Context, in FactListRequest, options ...Option) (Result[FactListData], error) {
	return call[FactListData](ctx, c, "account.fact.list", in, options)
}

// AccountGet calls account.get: read an account.
func (c *Client) AccountGet(ctx context.Context, in AccountRequest, options ...Option) (Result[AccountData], error) {
	return call[AccountData](ctx, c, "account.get", in, options)
}

// AccountList calls account.list: list the accounts of the credential, newest first.
func (c *Client) AccountList(ctx context.Context, in AccountListRequest, options ...Option) (Result[AccountListData], error) {
	return call[AccountListData](ctx, c, "account.list", in, options)
}

// AccountListAll goes through all pages of account.list. An error ends it.
func (c *Client) AccountListAll(ctx context.Context, in AccountListRequest, options ...Option) iter.Seq2[AccountData, error] {
	return pages(func(after *string) ([]AccountData, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.AccountList(ctx, in, options...)
		return r.Data.Accounts, r.Data.Next, err
	})
}

// AccountRecalculationCancel calls account.recalculation.cancel: end a recalculation; what it has calculated stays.
func (c *Client) AccountRecalculationCancel(ctx context.Context, in RecalculationRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "account.recalculation.cancel", in, options)
}

// AccountRecalculationGet calls account.recalculation.get: read the progress of a recalculation.
func (c *Client) AccountRecalculationGet(ctx context.Context, in RecalculationRequest, options ...Option) (Result[RecalculationData], error) {
	return call[RecalculationData](ctx, c, "account.recalculation.get", in, options)
}

// AccountRecalculationStart calls account.recalculation.start: calculate the required documents of an account's workflows that have not ended; goes on in the background.
func (c *Client) AccountRecalculationStart(ctx context.Context, in RecalculationStartRequest, options ...Option) (Result[RecalculationRequest], error) {
	return call[RecalculationRequest](ctx, c, "account.recalculation.start", in, options)
}

// BusinessCreate calls business.create: put a business on record, with its persons and its sales if they are known: all or nothing. Warns as person.create does.
func (c *Client) BusinessCreate(ctx context.Context, in BusinessCreateRequest, options ...Option) (Result[BusinessCreateData], error) {
	return call[BusinessCreateData](ctx, c, "business.create", in, options)
}

// BusinessGet calls business.get: read a business with its sales and the ids of its persons.
func (c *Client) BusinessGet(ctx context.Context, in BusinessRequest, options ...Option) (Result[BusinessOnRecord], error) {
	return call[BusinessOnRecord](ctx, c, "business.get", in, options)
}

// BusinessList calls business.list: list an account's businesses, newest first.
func (c *Client) BusinessList(ctx context.Context, in BusinessListRequest, options ...Option) (Result[BusinessListData], error) {
	return call[BusinessListData](ctx, c, "business.list", in, options)
}

// BusinessListAll goes through all pages of business.list. An error ends it.
func (c *Client) BusinessListAll(ctx context.Context, in BusinessListRequest, options ...Option) iter.Seq2[BusinessOnRecord, error] {
	return pages(func(after *string) ([]BusinessOnRecord, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.BusinessList(ctx, in, options...)
		return r.Data.Businesses, r.Data.Next, err
	})
}

// BusinessSalesInfoCreate calls business.salesInfo.create: state the sales of a business, in place of earlier ones if replaces names them; or only check them.
func (c *Client) BusinessSalesInfoCreate(ctx context.Context, in SalesInfoCreateRequest, options ...Option) (Result[SalesInfoIDData], error) {
	return call[SalesInfoIDData](ctx, c, "business.salesInfo.create", in, options)
}

// BusinessSalesInfoDelete calls business.salesInfo.delete: remove the stated sales of a business.
func (c *Client) BusinessSalesInfoDelete(ctx context.Context, in SalesInfoDeleteRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "business.salesInfo.delete", in, options)
}

// BusinessUpdate calls business.update: change the fields of a business that are named; null clears one. Warns of a value that looks wrong.
func (c *Client) BusinessUpdate(ctx context.Context, in BusinessUpdateRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "business.update", in, options)
}

// MetaCheckVersion calls meta.checkVersion: show the version of the API that answers, and the newest.
func (c *Client) MetaCheckVersion(ctx context.Context, in Empty, options ...Option) (Result[VersionData], error) {
	return call[VersionData](ctx, c, "meta.checkVersion", in, options)
}

// MetaWhoami calls meta.whoami: show the credential that signs the request, and what it may do.
func (c *Client) MetaWhoami(ctx context.Context, in Empty, options ...Option) (Result[WhoamiData], error) {
	return call[WhoamiData](ctx, c, "meta.whoami", in, options)
}

// PersonCreate calls person.create: put a person of a business on record, or several: all or none. Warns when its persons own more than 100 percent together.
func (c *Client) PersonCreate(ctx context.Context, in PersonCreateRequest, options ...Option) (Result[PersonCreateData], error) {
	return call[PersonCreateData](ctx, c, "person.create", in, options)
}

// PersonDelete calls person.delete: remove a person, and what the documents and findings of the person say of them, in all workflows of the business.
func (c *Client) PersonDelete(ctx context.Context, in PersonRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "person.delete", in, options)
}

// PersonGet calls person.get: read a person.
func (c *Client) PersonGet(ctx context.Context, in PersonRequest, options ...Option) (Result[PersonOnRecord], error) {
	return call[PersonOnRecord](ctx, c, "person.get", in, options)
}

// PersonList calls person.list: list the persons of a business.
func (c *Client) PersonList(ctx context.Context, in PersonListRequest, options ...Option) (Result[PersonListData], error) {
	return call[PersonListData](ctx, c, "person.list", in, options)
}

// PersonListAll goes through all pages of person.list. An error ends it.
func (c *Client) PersonListAll(ctx context.Context, in PersonListRequest, options ...Option) iter.Seq2[PersonOnRecord, error] {
	return pages(func(after *string) ([]PersonOnRecord, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.PersonList(ctx, in, options...)
		return r.Data.Persons, r.Data.Next, err
	})
}

// PersonUpdate calls person.update: change the fields of a person that are named; null clears one. Warns as person.create does.
func (c *Client) PersonUpdate(ctx context.Context, in PersonUpdateRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "person.update", in, options)
}

// WebhookConfigCreate calls webhook.config.create: add an endpoint to which an account's webhooks are sent.
func (c *Client) WebhookConfigCreate(ctx context.Context, in ConfigCreateRequest, options ...Option) (Result[ConfigRequest], error) {
	return call[ConfigRequest](ctx, c, "webhook.config.create", in, options)
}

// WebhookConfigDelete calls webhook.config.delete: delete an endpoint; its open deliveries are canceled.
func (c *Client) WebhookConfigDelete(ctx context.Context, in ConfigRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "webhook.config.delete", in, options)
}

// WebhookConfigFlush calls webhook.config.flush: send all open deliveries of an endpoint now, after you have fixed it.
func (c *Client) WebhookConfigFlush(ctx context.Context, in ConfigRequest, options ...Option) (Result[DeliveryCount], error) {
	return call[DeliveryCount](ctx, c, "webhook.config.flush", in, options)
}

// WebhookConfigGet calls webhook.config.get: read an endpoint and its health.
func (c *Client) WebhookConfigGet(ctx context.Context, in ConfigRequest, options ...Option) (Result[ConfigData], error) {
	return call[ConfigData](ctx, c, "webhook.config.get", in, options)
}

// WebhookConfigList calls webhook.config.list: list an account's endpoints, newest first.
func (c *Client) WebhookConfigList(ctx context.Context, in AccountRequest, options ...Option) (Result[ConfigListData], error) {
	return call[ConfigListData](ctx, c, "webhook.config.list", in, options)
}

// WebhookConfigTest calls webhook.config.test: send an example of an event, WEBHOOK_TEST or of another type, to one endpoint alone.
func (c *Client) WebhookConfigTest(ctx context.Context, in ConfigTestRequest, options ...Option) (Result[EventIDData], error) {
	return call[EventIDData](ctx, c, "webhook.config.test", in, options)
}

// WebhookConfigUpdate calls webhook.config.update: change the fields of an endpoint that are named; disable or enable it.
func (c *Client) WebhookConfigUpdate(ctx context.Context, in ConfigUpdateRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "webhook.config.update", in, options)
}

// WebhookDeliveryCancel calls webhook.delivery.cancel: give up on a delivery: it is FAILED, and can be recovered.
func (c *Client) WebhookDeliveryCancel(ctx context.Context, in DeliveryRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "webhook.delivery.cancel", in, options)
}

// WebhookDeliveryGet calls webhook.delivery.get: read a delivery: what it waits for, and each of its attempts.
func (c *Client) WebhookDeliveryGet(ctx context.Context, in DeliveryRequest, options ...Option) (Result[DeliveryData], error) {
	return call[DeliveryData](ctx, c, "webhook.delivery.get", in, options)
}

// WebhookDeliveryList calls webhook.delivery.list: list an account's deliveries, newest first.
func (c *Client) WebhookDeliveryList(ctx context.Context, in DeliveryListRequest, options ...Option) (Result[DeliveryListData], error) {
	return call[DeliveryListData](ctx, c, "webhook.delivery.list", in, options)
}

// WebhookDeliveryListAll goes through all pages of webhook.delivery.list. An error ends it.
func (c *Client) WebhookDeliveryListAll(ctx context.Context, in DeliveryListRequest, options ...Option) iter.Seq2[DeliveryView, error] {
	return pages(func(after *string) ([]DeliveryView, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WebhookDeliveryList(ctx, in, options...)
		return r.Data.Deliveries, r.Data.Next, err
	})
}

// WebhookDeliveryRecover calls webhook.delivery.recover: send the FAILED deliveries of an endpoint again, for events since a given time.
func (c *Client) WebhookDeliveryRecover(ctx context.Context, in RecoverRequest, options ...Option) (Result[DeliveryCount], error) {
	return call[DeliveryCount](ctx, c, "webhook.delivery.recover", in, options)
}

// WebhookDeliveryRetry calls webhook.delivery.retry: try a delivery again at once, from the start of its schedule.
func (c *Client) WebhookDeliveryRetry(ctx context.Context, in DeliveryRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "webhook.delivery.retry", in, options)
}

// WebhookEventGet calls webhook.event.get: read an event with its content, which webhooks carry encrypted.
func (c *Client) WebhookEventGet(ctx context.Context, in EventRequest, options ...Option) (Result[Event], error) {
	return call[Event](ctx, c, "webhook.event.get", in, options)
}

// WebhookEventList calls webhook.event.list: list an account's events, newest first, or oldest first as a feed that misses none.
func (c *Client) WebhookEventList(ctx context.Context, in EventListRequest, options ...Option) (Result[EventListData], error) {
	return call[EventListData](ctx, c, "webhook.event.list", in, options)
}

// WebhookEventListAll goes through all pages of webhook.event.list. An error ends it.
func (c *Client) WebhookEventListAll(ctx context.Context, in EventListRequest, options ...Option) iter.Seq2[Event, error] {
	return pages(func(after *string) ([]Event, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WebhookEventList(ctx, in, options...)
		if r.Data.CaughtUp {
			r.Data.Next = nil // which it never is in a feed
		}
		return r.Data.Events, r.Data.Next, err
	})
}

// WebhookEventReplay calls webhook.event.replay: send events of a period to an endpoint again, or for the first time when it was added later; goes on in the background.
func (c *Client) WebhookEventReplay(ctx context.Context, in ReplayRequest, options ...Option) (Result[RunRequest], error) {
	return call[RunRequest](ctx, c, "webhook.event.replay", in, options)
}

// WebhookEventReplayed calls webhook.event.replayed: read the progress of a replay.
func (c *Client) WebhookEventReplayed(ctx context.Context, in RunRequest, options ...Option) (Result[ReplayedData], error) {
	return call[ReplayedData](ctx, c, "webhook.event.replayed", in, options)
}

// WebhookKeyActivate calls webhook.key.activate: make a key the account's only active one; the previous one is deleted. Warns if no answer has carried its secret.
func (c *Client) WebhookKeyActivate(ctx context.Context, in KeyRequest, options ...Option) (Result[KeyActivateData], error) {
	return call[KeyActivateData](ctx, c, "webhook.key.activate", in, options)
}

// WebhookKeyCreate calls webhook.key.create: create a webhook key, INACTIVE, and show its secret this once.
func (c *Client) WebhookKeyCreate(ctx context.Context, in AccountRequest, options ...Option) (Result[KeyCreateData], error) {
	return call[KeyCreateData](ctx, c, "webhook.key.create", in, options)
}

// WebhookKeyDelete calls webhook.key.delete: delete a key that is INACTIVE; it can never become active.
func (c *Client) WebhookKeyDelete(ctx context.Context, in KeyRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "webhook.key.delete", in, options)
}

// WebhookKeyGet calls webhook.key.get: read a webhook key, without its secret.
func (c *Client) WebhookKeyGet(ctx context.Context, in KeyRequest, options ...Option) (Result[KeyData], error) {
	return call[KeyData](ctx, c, "webhook.key.get", in, options)
}

// WebhookKeyList calls webhook.key.list: list an account's webhook keys, newest first.
func (c *Client) WebhookKeyList(ctx context.Context, in KeyListRequest, options ...Option) (Result[KeyListData], error) {
	return call[KeyListData](ctx, c, "webhook.key.list", in, options)
}

// WebhookKeyListAll goes through all pages of webhook.key.list. An error ends it.
func (c *Client) WebhookKeyListAll(ctx context.Context, in KeyListRequest, options ...Option) iter.Seq2[KeyData, error] {
	return pages(func(after *string) ([]KeyData, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WebhookKeyList(ctx, in, options...)
		return r.Data.Keys, r.Data.Next, err
	})
}

// WorkflowComplete calls workflow.complete: end a started workflow; warns when its required documents are not done, or with strict refuses.
func (c *Client) WorkflowComplete(ctx context.Context, in WorkflowCompleteRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.complete", in, options)
}

// WorkflowCreate calls workflow.create: open a workflow for a business.
func (c *Client) WorkflowCreate(ctx context.Context, in WorkflowCreateRequest, options ...Option) (Result[WorkflowRequest], error) {
	return call[WorkflowRequest](ctx, c, "workflow.create", in, options)
}

// WorkflowDeadlinesApply calls workflow.deadlines.apply: do for one workflow what the service does by itself on the day that X-Sandbox-Today names: expiry, renewal, overdue documents, reminders.
func (c *Client) WorkflowDeadlinesApply(ctx context.Context, in WorkflowRequest, options ...Option) (Result[DeadlinesApplyData], error) {
	return call[DeadlinesApplyData](ctx, c, "workflow.deadlines.apply", in, options)
}

// WorkflowDecisionGet calls workflow.decision.get: read a decision: the facts on file, each rule's result with its reason, and what was changed.
func (c *Client) WorkflowDecisionGet(ctx context.Context, in DecisionRequest, options ...Option) (Result[DecisionData], error) {
	return call[DecisionData](ctx, c, "workflow.decision.get", in, options)
}

// WorkflowDecisionList calls workflow.decision.list: list a workflow's decisions, newest first.
func (c *Client) WorkflowDecisionList(ctx context.Context, in DecisionListRequest, options ...Option) (Result[DecisionListData], error) {
	return call[DecisionListData](ctx, c, "workflow.decision.list", in, options)
}

// WorkflowDecisionListAll goes through all pages of workflow.decision.list. An error ends it.
func (c *Client) WorkflowDecisionListAll(ctx context.Context, in DecisionListRequest, options ...Option) iter.Seq2[ListedDecision, error] {
	return pages(func(after *string) ([]ListedDecision, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WorkflowDecisionList(ctx, in, options...)
		return r.Data.Decisions, r.Data.Next, err
	})
}

// WorkflowGet calls workflow.get: read a workflow, how many of its required documents are open, and whether they are up to date.
func (c *Client) WorkflowGet(ctx context.Context, in WorkflowRequest, options ...Option) (Result[WorkflowData], error) {
	return call[WorkflowData](ctx, c, "workflow.get", in, options)
}

// WorkflowList calls workflow.list: list an account's workflows, newest first.
func (c *Client) WorkflowList(ctx context.Context, in WorkflowListRequest, options ...Option) (Result[WorkflowListData], error) {
	return call[WorkflowListData](ctx, c, "workflow.list", in, options)
}

// WorkflowListAll goes through all pages of workflow.list. An error ends it.
func (c *Client) WorkflowListAll(ctx context.Context, in WorkflowListRequest, options ...Option) iter.Seq2[ListedWorkflow, error] {
	return pages(func(after *string) ([]ListedWorkflow, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WorkflowList(ctx, in, options...)
		return r.Data.Workflows, r.Data.Next, err
	})
}

// WorkflowPricingCalculate calls workflow.pricing.calculate: set a workflow's evaluation score from the account's pricing model.
func (c *Client) WorkflowPricingCalculate(ctx context.Context, in WorkflowRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.pricing.calculate", in, options)
}

// WorkflowRequiredDocumentCalculate calls workflow.requiredDocument.calculate: decide which documents a workflow requires.
func (c *Client) WorkflowRequiredDocumentCalculate(ctx context.Context, in WorkflowRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.requiredDocument.calculate", in, options)
}

// WorkflowRequiredDocumentCreate calls workflow.requiredDocument.create: require a document of a workflow by hand.
func (c *Client) WorkflowRequiredDocumentCreate(ctx context.Context, in DocumentCreateRequest, options ...Option) (Result[DocumentRequest], error) {
	return call[DocumentRequest](ctx, c, "workflow.requiredDocument.create", in, options)
}

// WorkflowRequiredDocumentGet calls workflow.requiredDocument.get: read a required document.
func (c *Client) WorkflowRequiredDocumentGet(ctx context.Context, in DocumentRequest, options ...Option) (Result[DocumentData], error) {
	return call[DocumentData](ctx, c, "workflow.requiredDocument.get", in, options)
}

// WorkflowRequiredDocumentList calls workflow.requiredDocument.list: list a workflow's required documents: all of them, or a page.
func (c *Client) WorkflowRequiredDocumentList(ctx context.Context, in DocumentsListRequest, options ...Option) (Result[DocumentsListData], error) {
	return call[DocumentsListData](ctx, c, "workflow.requiredDocument.list", in, options)
}

// WorkflowRequiredDocumentListAll goes through all pages of workflow.requiredDocument.list. An error ends it.
func (c *Client) WorkflowRequiredDocumentListAll(ctx context.Context, in DocumentsListRequest, options ...Option) iter.Seq2[DocumentData, error] {
	return pages(func(after *string) ([]DocumentData, *string, error) {
		if after != nil {
			var page Page
			if in.Page != nil {
				page = *in.Page
			}
			page.After, in.Page = after, &page
		}
		r, err := c.WorkflowRequiredDocumentList(ctx, in, options...)
		return r.Data.RequiredDocuments, r.Data.Next, err
	})
}

// WorkflowRequiredDocumentUpdate calls workflow.requiredDocument.update: review a required document: move it to another status, with evidence.
func (c *Client) WorkflowRequiredDocumentUpdate(ctx context.Context, in DocumentUpdateRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.requiredDocument.update", in, options)
}

// WorkflowRequiredDocumentWaive calls workflow.requiredDocument.waive: do without a required document.
func (c *Client) WorkflowRequiredDocumentWaive(ctx context.Context, in DocumentWaiveRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.requiredDocument.waive", in, options)
}

// WorkflowStart calls workflow.start: start a created workflow.
func (c *Client) WorkflowStart(ctx context.Context, in WorkflowRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.start", in, options)
}

// WorkflowUpdate calls workflow.update: change the declared facts or the external_id of a workflow that has not ended; null clears one.
func (c *Client) WorkflowUpdate(ctx context.Context, in WorkflowUpdateRequest, options ...Option) (Result[Empty], error) {
	return call[Empty](ctx, c, "workflow.update", in, options)
}

// AccountData is an object of the API.
type AccountData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The currency of sales, ISO 4217.
	Currency string `json:"currency"`
	// The name of the account.
	Name string `json:"name"`
	// The IANA name of the time zone in which days and ages count.
	TimeZone string `json:"time_zone"`
}

// AccountListData is an object of the API.
type AccountListData struct {
	// The accounts, newest first.
	Accounts []AccountData `json:"accounts"`
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
}

// AccountListRequest is an object of the API.
type AccountListRequest struct {
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// AccountRequest is an object of the API.
type AccountRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
}

// Address is an object of the API.
type Address struct {
	// The town.
	City *string `json:"city"`
	// ISO 3166-1 alpha-2, or XK for Kosovo.
	Country *string `json:"country"`
	// The street and number.
	Line1 *string `json:"line1"`
	// The rest of the street address.
	Line2 *string `json:"line2"`
	// The postal code.
	PostalCode *string `json:"postal_code"`
	// The state, province or canton.
	Region *string `json:"region"`
}

// AddressFields is an object of the API.
type AddressFields struct {
	// The town.
	City Optional[string] `json:"city,omitzero"`
	// An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
	Country Optional[string] `json:"country,omitzero"`
	// The street and number.
	Line1 Optional[string] `json:"line1,omitzero"`
	// The rest of the street address.
	Line2 Optional[string] `json:"line2,omitzero"`
	// The postal code.
	PostalCode Optional[string] `json:"postal_code,omitzero"`
	// The state, province or canton.
	Region Optional[string] `json:"region,omitzero"`
}

// Approved is an object of the API.
type Approved struct {
	// As the last calculation saw it; empty for a document of the workflow.
	Identity Identity `json:"identity"`
	// What the document said when it was approved.
	Text DocumentText `json:"text"`
	// The version of the rules that has the text.
	VersionID *string `json:"version_id,omitempty"`
}

// AttemptData is an object of the API.
type AttemptData struct {
	// The key that the webhook was encrypted with.
	KeyID string `json:"key_id"`
	// The number of the attempt: 1, 2, 3.
	Number int64 `json:"number"`
	// UNKNOWN when the service did not see the end of the attempt: it may have arrived. One of SENDING,
	// SUCCEEDED, FAILED, UNKNOWN.
	Outcome string `json:"outcome"`
	// When the attempt began.
	StartedAt string `json:"started_at"`
	// The run of Temporal, for the operator.
	TemporalRunID string `json:"temporal_run_id"`
	// The Temporal run that made the attempt.
	TemporalWorkflowID string `json:"temporal_workflow_id"`
	// The address that was connected to.
	Address *string `json:"address,omitempty"`
	// How long the attempt took, in milliseconds.
	DurationMS *int64 `json:"duration_ms,omitempty"`
	// Why the attempt failed. Absent where it did not.
	Error *string `json:"error,omitempty"`
	// At most 4 KiB of the answer.
	ResponseBody *string `json:"response_body,omitempty"`
	// The HTTP status that the endpoint answered. Absent where it did not answer.
	StatusCode *int64 `json:"status_code,omitempty"`
}

// BusinessCreateData is an object of the API.
type BusinessCreateData struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// In the order of persons. Absent when none are stated.
	PersonIDs []string `json:"person_ids,omitzero"`
	// A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when no sales are stated.
	SalesInfoID *string `json:"sales_info_id,omitempty"`
}

// BusinessCreateRequest is an object of the API.
type BusinessCreateRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// The fields of the business.
	Business BusinessCreateRequestBusiness `json:"business"`
	// The persons of the business, as in person.create.
	Persons []NewPerson `json:"persons,omitzero"`
	// The sales of the business, as in business.salesInfo.create.
	SalesInfo *NewSalesInfo `json:"sales_info,omitempty"`
}

// BusinessCreateRequestBusiness is an object of the API.
type BusinessCreateRequestBusiness struct {
	// The registered name of the business.
	LegalName string `json:"legal_name"`
	// Only the parts that are sent change; null removes a part, or the whole address.
	Address Optional[AddressFields] `json:"address,omitzero"`
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// An e-mail address.
	Email Optional[string] `json:"email,omitzero"`
	// Not after today in the account's time zone.
	EstablishedDate Optional[string] `json:"established_date,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
	// Leading zeros matter. A code stated twice is kept once.
	IndustryCategoryCode Optional[[]string] `json:"industry_category_code,omitzero"`
	// States that the business has no persons, so rules about persons do not report them as missing.
	// Refused while persons are on record. Adding a person sets it to false.
	NoPersonsAttested Optional[bool] `json:"no_persons_attested,omitzero"`
	// The name that the business trades under.
	OperatingName Optional[string] `json:"operating_name,omitzero"`
	// The phone number of the business.
	PhoneNumber Optional[string] `json:"phone_number,omitzero"`
	// An http or https URL, such as https://www.example.com.
	Website Optional[string] `json:"website,omitzero"`
}

// BusinessData is an object of the API.
type BusinessData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// The business's address; null where none is on record.
	Address *Address `json:"address"`
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// The e-mail address.
	Email *string `json:"email"`
	// When the business was founded; null where it is not on record.
	EstablishedDate *string `json:"established_date"`
	// The codes of the business's industries.
	IndustryCategoryCode []string `json:"industry_category_code"`
	// The registered name of the business.
	LegalName string `json:"legal_name"`
	// Whether the platform has stated that the business has no persons.
	NoPersonsAttested bool `json:"no_persons_attested"`
	// The name that the business trades under.
	OperatingName *string `json:"operating_name"`
	// The persons of the business.
	PersonIDs []string `json:"person_ids"`
	// The phone number of the business.
	PhoneNumber *string `json:"phone_number"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// The address of the business's website.
	Website *string `json:"website"`
	// When the operator erased the personal data. Nothing about the business changes from then on.
	ErasedAt *string `json:"erased_at,omitempty"`
	// The stated sales. Absent where none are on record.
	SalesInfo *SalesInfoData `json:"sales_info,omitempty"`
}

// BusinessListData is an object of the API.
type BusinessListData struct {
	// The businesses, newest first.
	Businesses []BusinessOnRecord `json:"businesses"`
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
}

// BusinessListRequest is an object of the API.
type BusinessListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only what matches all of these.
	Filters *ExternalIDFilter `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// BusinessOnRecord is an object of the API.
type BusinessOnRecord struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// The business's address; null where none is on record.
	Address *Address `json:"address"`
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// The e-mail address.
	Email *string `json:"email"`
	// When the business was founded; null where it is not on record.
	EstablishedDate *string `json:"established_date"`
	// Your own id of the record.
	ExternalID *string `json:"external_id"`
	// The codes of the business's industries.
	IndustryCategoryCode []string `json:"industry_category_code"`
	// The registered name of the business.
	LegalName string `json:"legal_name"`
	// Whether the platform has stated that the business has no persons.
	NoPersonsAttested bool `json:"no_persons_attested"`
	// The name that the business trades under.
	OperatingName *string `json:"operating_name"`
	// The persons of the business.
	PersonIDs []string `json:"person_ids"`
	// The phone number of the business.
	PhoneNumber *string `json:"phone_number"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// The address of the business's website.
	Website *string `json:"website"`
	// When the operator erased the personal data. Nothing about the business changes from then on.
	ErasedAt *string `json:"erased_at,omitempty"`
	// The stated sales. Absent where none are on record.
	SalesInfo *SalesInfoData `json:"sales_info,omitempty"`
}

// BusinessRequest is an object of the API.
type BusinessRequest struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
}

// BusinessUpdateRequest is an object of the API.
type BusinessUpdateRequest struct {
	// The fields of the business.
	Business BusinessUpdateRequestBusiness `json:"business"`
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
}

// BusinessUpdateRequestBusiness is an object of the API.
type BusinessUpdateRequestBusiness struct {
	// Only the parts that are sent change; null removes a part, or the whole address.
	Address Optional[AddressFields] `json:"address,omitzero"`
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// An e-mail address.
	Email Optional[string] `json:"email,omitzero"`
	// Not after today in the account's time zone.
	EstablishedDate Optional[string] `json:"established_date,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
	// Leading zeros matter. A code stated twice is kept once.
	IndustryCategoryCode Optional[[]string] `json:"industry_category_code,omitzero"`
	// The registered name of the business.
	LegalName *string `json:"legal_name,omitempty"`
	// States that the business has no persons, so rules about persons do not report them as missing.
	// Refused while persons are on record. Adding a person sets it to false.
	NoPersonsAttested Optional[bool] `json:"no_persons_attested,omitzero"`
	// The name that the business trades under.
	OperatingName Optional[string] `json:"operating_name,omitzero"`
	// The phone number of the business.
	PhoneNumber Optional[string] `json:"phone_number,omitzero"`
	// An http or https URL, such as https://www.example.com.
	Website Optional[string] `json:"website,omitzero"`
}

// CarriedRef is an object of the API.
type CarriedRef struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The decision that approved.
	FromDecisionID string `json:"from_decision_id"`
	// The id of the required document.
	RequiredDocumentID string `json:"required_document_id"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent
	// where the evidence meets no option that is offered now.
	ChangedFacts []string `json:"changed_facts,omitzero"`
	// Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One
	// of TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
	StatusReason *string `json:"status_reason,omitempty"`
}

// ChangedCodes is an object of the API.
type ChangedCodes struct {
	// The codes that are new.
	Added []string `json:"added"`
	// The codes whose rules differ.
	Changed []string `json:"changed"`
	// The codes that are gone.
	Removed []string `json:"removed"`
}

// CommonUserContext is an object of the API.
type CommonUserContext struct {
	// The name of the credential, or SYSTEM.
	UserID string `json:"user_id"`
	// API_KEY: a credential. SYSTEM: the service or its operator. One of API_KEY, SYSTEM.
	UserType string `json:"user_type"`
}

// ConfigCreateRequest is an object of the API.
type ConfigCreateRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// The fields of the endpoint.
	Config ConfigCreateRequestConfig `json:"config"`
}

// ConfigCreateRequestConfig is an object of the API.
type ConfigCreateRequestConfig struct {
	// https://, a public host, port 443 or 8443; no user name, password or fragment.
	URL string `json:"url"`
	// How many attempts may be in flight at once; ten when left out or null.
	Concurrency Optional[int64] `json:"concurrency,omitzero"`
	// Your own words about the endpoint.
	Description Optional[string] `json:"description,omitzero"`
	// The events that this endpoint takes. When left out or null: all but the notices
	// WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and
	// WEBHOOK_DELIVERY_FAILED, which are about the account's other endpoints. One of WORKFLOW_CREATED,
	// WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED,
	// REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
	// REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED,
	// DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
	// WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventTypes Optional[[]string] `json:"event_types,omitzero"`
	// How many attempts may begin in any second, retries included; no limit when left out or null.
	RatePerSecond Optional[int64] `json:"rate_per_second,omitzero"`
}

// ConfigData is an object of the API.
type ConfigData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// null is ten.
	Concurrency *int64 `json:"concurrency"`
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// Your own words about the endpoint.
	Description *string `json:"description"`
	// null takes all but notices. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventTypes []string `json:"event_types"`
	// How deliveries to it go.
	Health HealthData `json:"health"`
	// null is no limit.
	RatePerSecond *int64 `json:"rate_per_second"`
	// Where it stands. One of ACTIVE, DISABLED.
	Status string `json:"status"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// Where webhooks are sent.
	URL string `json:"url"`
	// Why it is disabled. Absent where it is not.
	DisabledReason *string `json:"disabled_reason,omitempty"`
}

// ConfigListData is an object of the API.
type ConfigListData struct {
	// The endpoints, newest first.
	Configs []ConfigData `json:"configs"`
}

// ConfigRequest is an object of the API.
type ConfigRequest struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
}

// ConfigTestRequest is an object of the API.
type ConfigTestRequest struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// The type of the event, whether or not the endpoint takes it; WEBHOOK_TEST when left out. The content
	// says test. WEBHOOK_TEST names the endpoint; an event of another type is an example, whose records do
	// not exist. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventType *string `json:"event_type,omitempty"`
}

// ConfigUpdateRequest is an object of the API.
type ConfigUpdateRequest struct {
	// The fields of the endpoint.
	Config ConfigUpdateRequestConfig `json:"config"`
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
}

// ConfigUpdateRequestConfig is an object of the API.
type ConfigUpdateRequestConfig struct {
	// How many attempts may be in flight at once; ten when left out or null.
	Concurrency Optional[int64] `json:"concurrency,omitzero"`
	// Your own words about the endpoint.
	Description Optional[string] `json:"description,omitzero"`
	// The events that this endpoint takes. When left out or null: all but the notices
	// WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and
	// WEBHOOK_DELIVERY_FAILED, which are about the account's other endpoints. One of WORKFLOW_CREATED,
	// WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED,
	// REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
	// REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED,
	// DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
	// WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventTypes Optional[[]string] `json:"event_types,omitzero"`
	// How many attempts may begin in any second, retries included; no limit when left out or null.
	RatePerSecond Optional[int64] `json:"rate_per_second,omitzero"`
	// A disabled endpoint holds its deliveries until it is ACTIVE again. One of ACTIVE, DISABLED.
	Status *string `json:"status,omitempty"`
	// Where webhooks are sent.
	URL *string `json:"url,omitempty"`
}

// CredentialData is an object of the API.
type CredentialData struct {
	// The API key.
	ApiKey string `json:"api_key"`
	// The name of the credential.
	Name string `json:"name"`
	// What the credential may do. One of read, write, rules, approve_rules, keys, webhooks.
	Permissions []string `json:"permissions"`
	// strict signs all six elements, minimal may sign the API key alone. One of strict, minimal.
	SignaturePolicy string `json:"signature_policy"`
}

// DeadlinesApplyData is an object of the API.
type DeadlinesApplyData struct {
	// How many approvals have lapsed with their evidence.
	Expired int64 `json:"expired"`
	// How many reminders of approvals that lapse soon were sent.
	Expiring int64 `json:"expiring"`
	// How many documents became overdue.
	Overdue int64 `json:"overdue"`
	// How many approvals have lapsed because it is time to renew them.
	RenewalDue int64 `json:"renewal_due"`
}

// DecidedBy is an object of the API.
type DecidedBy struct {
	// The name of the credential, or SYSTEM for the operator.
	UserID string `json:"user_id"`
	// API_KEY: a credential. SYSTEM: the service or its operator. One of API_KEY, SYSTEM.
	UserType string `json:"user_type"`
}

// DecisionData is an object of the API.
type DecisionData struct {
	// The account's local date, by which ages were counted.
	AsOf string `json:"as_of"`
	// When it was decided.
	DecidedAt string `json:"decided_at"`
	// Who asked for the decision.
	DecidedBy DecidedBy `json:"decided_by"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// Whether the personal data was erased: facts and reasons are gone.
	Erased bool `json:"erased"`
	// What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
	Kind string `json:"kind"`
	// From 1, without gaps in the workflow.
	Number int64 `json:"number"`
	// What became of it, or the code of the refusal. One of CALCULATED, PRICED, UPDATED, CREATED, WAIVED,
	// EXPIRED, ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
	Outcome string `json:"outcome"`
	// The digest of the decision before; empty of the first.
	PreviousDigest string `json:"previous_digest"`
	// Names the request in the logs and the runs of the service.
	TraceID string `json:"trace_id"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// What is required now, and was not before.
	Added []DocumentRef `json:"added,omitzero"`
	// Of those added: whose approval is taken over from previous_workflow_id.
	Carried []CarriedRef `json:"carried,omitzero"`
	// Of a CREATED document.
	Created *DocumentAdded `json:"created,omitempty"`
	// Of an UPDATED or WAIVED document: what was moved.
	Document *DocumentMove `json:"document,omitempty"`
	// Why a rule had no answer.
	Error *RuleError `json:"error,omitempty"`
	// Of a PRICING.
	EvaluationScore *json.Number `json:"evaluation_score,omitempty"`
	// Of an EXPIRED decision, which no caller asked for: whose approvals have lapsed.
	Expired []DocumentExpired `json:"expired,omitzero"`
	// Everything on file then. Absent once erased.
	Facts *Facts `json:"facts,omitempty"`
	// Of a CALCULATION: all that it found.
	Findings []FindingRef `json:"findings,omitzero"`
	// What was missing.
	Gaps []Gap `json:"gaps,omitzero"`
	// What was required before, and still is.
	Kept []DocumentRef `json:"kept,omitzero"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's
	// pricing model that was used.
	PricingVersionID *string `json:"pricing_version_id,omitempty"`
	// Of those kept or restored: whose approval or waiver holds again.
	Reinstated []DocumentRef `json:"reinstated,omitzero"`
	// What is no longer required.
	Removed []DocumentRef `json:"removed,omitzero"`
	// Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the
	// identity or a fact that it is bound to has changed.
	Reopened []DocumentRef `json:"reopened,omitzero"`
	// What was INACTIVE, and is required again.
	Restored []DocumentRef `json:"restored,omitzero"`
	// What each rule gave: for each entity where it holds, and once where it holds for nobody.
	Results []RuleResult `json:"results,omitzero"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules
	// that was used.
	RuleVersionID *string `json:"rule_version_id,omitempty"`
	// Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live.
	SandboxToday *bool `json:"sandbox_today,omitempty"`
	// What was stated about the document, and what was approved. Absent once erased.
	Statement *Statement `json:"statement,omitempty"`
}

// DecisionListData is an object of the API.
type DecisionListData struct {
	// The decisions, newest first.
	Decisions []ListedDecision `json:"decisions"`
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
}

// DecisionListRequest is an object of the API.
type DecisionListRequest struct {
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// Only what matches all of these.
	Filters *DecisionListRequestFilters `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// DecisionListRequestFilters is an object of the API.
type DecisionListRequestFilters struct {
	// What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
	Kind *string `json:"kind,omitempty"`
	// Only decisions made then or later.
	Since *string `json:"since,omitempty"`
}

// DecisionRequest is an object of the API.
type DecisionRequest struct {
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
}

// DeliveryCount is an object of the API.
type DeliveryCount struct {
	// How many deliveries.
	Count int64 `json:"count"`
}

// DeliveryData is an object of the API.
type DeliveryData struct {
	// How many attempts were made.
	AttemptCount int64 `json:"attempt_count"`
	// Each attempt, oldest first.
	Attempts []AttemptData `json:"attempts"`
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
	DeliveryID string `json:"delivery_id"`
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID string `json:"event_id"`
	// What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventType string `json:"event_type"`
	// PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no
	// active key or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95
	// attempts, with webhook.delivery.cancel, or by the operator of the service), CANCELED with its
	// endpoint. One of PENDING, RETRYING, HELD, DELIVERED, FAILED, CANCELED.
	Status string `json:"status"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// Why it has not been sent yet: all of these must end first. Empty once it has ended.
	WaitsFor []WaitData `json:"waits_for"`
	// Why the last attempt failed. Absent where it did not.
	LastError *string `json:"last_error,omitempty"`
	// Absent while the delivery is due, and once it has ended.
	NextAttemptAt *string `json:"next_attempt_at,omitempty"`
}

// DeliveryListData is an object of the API.
type DeliveryListData struct {
	// The deliveries, newest first.
	Deliveries []DeliveryView `json:"deliveries"`
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
}

// DeliveryListRequest is an object of the API.
type DeliveryListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only what matches all of these.
	Filters *DeliveryListRequestFilters `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// DeliveryListRequestFilters is an object of the API.
type DeliveryListRequestFilters struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID *string `json:"config_id,omitempty"`
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID *string `json:"event_id,omitempty"`
	// A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Deliveries that were created from then on.
	Since *string `json:"since,omitempty"`
	// Where it stands. One of PENDING, RETRYING, HELD, DELIVERED, FAILED, CANCELED.
	Status *string `json:"status,omitempty"`
	// true for those that are PENDING, RETRYING, HELD or FAILED.
	Undelivered *bool `json:"undelivered,omitempty"`
}

// DeliveryRequest is an object of the API.
type DeliveryRequest struct {
	// A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
	DeliveryID string `json:"delivery_id"`
}

// DeliveryView is an object of the API.
type DeliveryView struct {
	// How many attempts were made.
	AttemptCount int64 `json:"attempt_count"`
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
	DeliveryID string `json:"delivery_id"`
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID string `json:"event_id"`
	// What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventType string `json:"event_type"`
	// PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no
	// active key or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95
	// attempts, with webhook.delivery.cancel, or by the operator of the service), CANCELED with its
	// endpoint. One of PENDING, RETRYING, HELD, DELIVERED, FAILED, CANCELED.
	Status string `json:"status"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// Why the last attempt failed. Absent where it did not.
	LastError *string `json:"last_error,omitempty"`
	// Absent while the delivery is due, and once it has ended.
	NextAttemptAt *string `json:"next_attempt_at,omitempty"`
}

// DocumentAdded is an object of the API.
type DocumentAdded struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The id of the required document.
	RequiredDocumentID string `json:"required_document_id"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// The last day on which it is due, in the account's time zone. Absent where it has none.
	DueOn *string `json:"due_on,omitempty"`
}

// DocumentCounts is an object of the API.
type DocumentCounts struct {
	// How many are COMPLETED, without those that count as pending.
	Completed int64 `json:"completed"`
	// How many are INACTIVE.
	Inactive int64 `json:"inactive"`
	// How many are NEEDS_REVIEW.
	NeedsReview int64 `json:"needs_review"`
	// How many are PENDING and were due before today, in the account's time zone.
	Overdue int64 `json:"overdue"`
	// How many are PENDING, or COMPLETED by an approval whose valid_until has passed. An ENDED workflow
	// counts the latter as COMPLETED.
	Pending int64 `json:"pending"`
	// How many are WAIVED.
	Waived int64 `json:"waived"`
}

// DocumentCreateRequest is an object of the API.
type DocumentCreateRequest struct {
	// The document to require.
	Document DocumentCreateRequestDocument `json:"document"`
	// A text that is not blank. Why the document is required, for colleagues. It stands in the document's
	// reasons.
	Reason string `json:"reason"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
}

// DocumentCreateRequestDocument is an object of the API.
type DocumentCreateRequestDocument struct {
	// A text that is not blank.
	Category string `json:"category"`
	// 1 to 64 of A-Z, 0-9 and _.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of a workflow, a business or a person. The workflow, its business, or a person of the
	// business.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// A text that is not blank.
	Name string `json:"name"`
	// A text that is not blank. What the document must show.
	RequirementText string `json:"requirement_text"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long
	// after today it is due.
	DueWithin *string `json:"due_within,omitempty"`
	// A text that is not blank. Why the document is needed, in words for the applicant.
	Explanation *string `json:"explanation,omitempty"`
}

// DocumentData is an object of the API.
type DocumentData struct {
	// Options that are offered, of which any one suffices, or at_least many. Empty where there is one
	// document only.
	AnyOf []DocumentOption `json:"any_of"`
	// The category that the rule gives the document.
	Category string `json:"category"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision that last changed the
	// document: see workflow.decision.get. Send it with your own, so that you decide about what you have
	// read.
	DecisionID string `json:"decision_id"`
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// What was handed in, as a reviewer stated it.
	Evidence []Evidence `json:"evidence"`
	// The name, for people.
	Name string `json:"name"`
	// MANUAL: it was required with workflow.requiredDocument.create, and no rule makes it INACTIVE. One of
	// RULE, MANUAL.
	Origin string `json:"origin"`
	// Whether it is PENDING, and due_on has passed.
	Overdue bool `json:"overdue"`
	// Why it is required: one for each rule.
	Reasons []DocumentReason `json:"reasons"`
	// The id of the required document.
	RequiredDocumentID string `json:"required_document_id"`
	// What the document must show.
	RequirementText string `json:"requirement_text"`
	// PENDING: it is awaited. NEEDS_REVIEW: somebody must look at it. COMPLETED: it is approved. WAIVED:
	// it is not needed. INACTIVE: it is no longer required. An update may move PENDING to NEEDS_REVIEW or
	// COMPLETED, NEEDS_REVIEW to COMPLETED or PENDING, COMPLETED to PENDING, WAIVED to PENDING; or leave
	// PENDING and NEEDS_REVIEW as they are, with new evidence, reviewed_by or note.
	// workflow.requiredDocument.waive moves PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from
	// INACTIVE. Any other move is INVALID_STATUS_CHANGE. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED,
	// INACTIVE.
	Status string `json:"status"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// How many options of any_of are needed: with fewer options, all. Absent where one suffices.
	AtLeast *int64 `json:"at_least,omitempty"`
	// What an approval depends on besides the text and the identity. With other values the document is to
	// be reviewed again, FACTS_CHANGED.
	BoundTo []string `json:"bound_to,omitzero"`
	// Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent
	// where the evidence meets no option that is offered now.
	ChangedFacts []string `json:"changed_facts,omitzero"`
	// The last day on which it is due, in the account's time zone. Absent unless it is PENDING or
	// NEEDS_REVIEW.
	DueOn *string `json:"due_on,omitempty"`
	// The name of that person, or the legal_name of that business, as it is on record at the time of the
	// answer. Absent for a workflow, a record that is yet to be created or was deleted, and in a decision;
	// for a credential without the permission read always.
	EntityName *string `json:"entity_name,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long ago
	// evidence may have expired, by its expires_on.
	ExpiredAtMost *string `json:"expired_at_most,omitempty"`
	// Why the document is needed, in words for the applicant. reasons are for the platform: they name
	// lists and limits.
	Explanation *string `json:"explanation,omitempty"`
	// Whether evidence must be valid, by its expires_on.
	MustBeValid *bool `json:"must_be_valid,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How old
	// evidence may be, by its issued_on.
	NotOlderThan *string `json:"not_older_than,omitempty"`
	// The note of the last update.
	ReviewNote *string `json:"review_note,omitempty"`
	// Of the last update.
	ReviewedBy *string `json:"reviewed_by,omitempty"`
	// Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One
	// of TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
	StatusReason *string `json:"status_reason,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". For how long
	// evidence must still be valid when it is approved, by its expires_on.
	ValidFor *string `json:"valid_for,omitempty"`
	// The last day on which the approval is valid. Absent where it is not COMPLETED, or ends only by hand.
	ValidUntil *string `json:"valid_until,omitempty"`
}

// DocumentExpired is an object of the API.
type DocumentExpired struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	PreviousStatus string `json:"previous_status"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. One of EXPIRED,
	// RENEWAL_DUE.
	StatusReason string `json:"status_reason"`
	// The last day on which the approval was valid.
	ValidUntil string `json:"valid_until"`
	// The last day on which it is due, in the account's time zone. Absent where it has none.
	DueOn *string `json:"due_on,omitempty"`
}

// DocumentMove is an object of the API.
type DocumentMove struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	PreviousStatus string `json:"previous_status"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// The last day on which it is due, in the account's time zone. Absent where it has none.
	DueOn *string `json:"due_on,omitempty"`
	// The last day on which the approval is valid.
	ValidUntil *string `json:"valid_until,omitempty"`
}

// DocumentOption is an object of the API.
type DocumentOption struct {
	// Kinds of evidence that are needed together, in place of a code and a name.
	AllOf []OptionPart `json:"all_of,omitzero"`
	// The code of the document's type.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ExpiredAtMost *string `json:"expired_at_most,omitempty"`
	// Whether evidence must be valid, by its expires_on.
	MustBeValid *bool `json:"must_be_valid,omitempty"`
	// The name, for people.
	Name *string `json:"name,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	NotOlderThan *string `json:"not_older_than,omitempty"`
	// What evidence for this option must show. Absent where it is as for the document.
	RequirementText *string `json:"requirement_text,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ValidFor *string `json:"valid_for,omitempty"`
	// The condition under which the option is offered. Absent where it always is.
	When *string `json:"when,omitempty"`
}

// DocumentReason is an object of the API.
type DocumentReason struct {
	// The facts that decided, by the names that rules use.
	Facts json.RawMessage `json:"facts"`
	// One sentence for people. The wording may change.
	Message string `json:"message"`
	// The code of the rule.
	Rule string `json:"rule"`
	// The version of the rules.
	VersionID *string `json:"version_id,omitempty"`
}

// DocumentRef is an object of the API.
type DocumentRef struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The id of the required document.
	RequiredDocumentID string `json:"required_document_id"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent
	// where the evidence meets no option that is offered now.
	ChangedFacts []string `json:"changed_facts,omitzero"`
	// Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One
	// of TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
	StatusReason *string `json:"status_reason,omitempty"`
}

// DocumentRequest is an object of the API.
type DocumentRequest struct {
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
}

// DocumentRulesPublishedContent: A version of the account's rules was published. It is in force from
// effective_from on.
type DocumentRulesPublishedContent struct {
	// ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One
	// of ALL, NEW.
	AppliesTo string `json:"applies_to"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID string `json:"version_id"`
	// The version as account.documentRules.publish answers it; version is that of the content.
	VersionNumber int64 `json:"version_number"`
	// The first day in force, in the account's time zone. Absent: at once.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// DocumentText is an object of the API.
type DocumentText struct {
	// The name, for people.
	Name string `json:"name"`
	// What the document must show.
	RequirementText string `json:"requirement_text"`
	// Options, of which any one suffices, or at_least many.
	AnyOf []DocumentOption `json:"any_of,omitzero"`
	// How many options are needed: with fewer options, all. Absent where one suffices.
	AtLeast *int64 `json:"at_least,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ExpiredAtMost *string `json:"expired_at_most,omitempty"`
	// Whether evidence must be valid, by its expires_on.
	MustBeValid *bool `json:"must_be_valid,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	NotOlderThan *string `json:"not_older_than,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ValidFor *string `json:"valid_for,omitempty"`
}

// DocumentUpdateRequest is an object of the API.
type DocumentUpdateRequest struct {
	// The status to move to, and what was reviewed.
	RequiredDocument DocumentUpdateRequestRequiredDocument `json:"required_document"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you
	// have read it. When another decision has changed it since, the answer is DOCUMENT_CHANGED.
	DecisionID *string `json:"decision_id,omitempty"`
}

// DocumentUpdateRequestRequiredDocument is an object of the API.
type DocumentUpdateRequestRequiredDocument struct {
	// An update may move PENDING to NEEDS_REVIEW or COMPLETED, NEEDS_REVIEW to COMPLETED or PENDING,
	// COMPLETED to PENDING, WAIVED to PENDING; or leave PENDING and NEEDS_REVIEW as they are, with new
	// evidence, reviewed_by or note. workflow.requiredDocument.waive moves PENDING and NEEDS_REVIEW to
	// WAIVED. No update moves to or from INACTIVE. Any other move is INVALID_STATUS_CHANGE. One of
	// PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// It replaces what was there; absent keeps it. One entry that meets the terms of the document, or of
	// its option, suffices for COMPLETED, unless at_least or all_of ask for more. With COMPLETED for a
	// document that is COMPLETED it is a new approval.
	Evidence []Evidence `json:"evidence,omitzero"`
	// A text that is not blank. Shown as review_note. Absent clears it.
	Note *string `json:"note,omitempty"`
	// A text that is not blank. Who has reviewed. Absent clears it.
	ReviewedBy *string `json:"reviewed_by,omitempty"`
}

// DocumentWaiveRequest is an object of the API.
type DocumentWaiveRequest struct {
	// A text that is not blank. Why the document is not needed. The decision keeps it.
	Reason string `json:"reason"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you
	// have read it. When another decision has changed it since, the answer is DOCUMENT_CHANGED.
	DecisionID *string `json:"decision_id,omitempty"`
}

// DocumentsListData is an object of the API.
type DocumentsListData struct {
	// Pass it as page.after for the next page; null on the last one, and without page.
	Next *string `json:"next"`
	// In the order in which they were first required.
	RequiredDocuments []DocumentData `json:"required_documents"`
}

// DocumentsListRequest is an object of the API.
type DocumentsListRequest struct {
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// Only what matches all of these.
	Filters *DocumentsListRequestFilters `json:"filters,omitempty"`
	// Ask for a part of the list; without it the answer has all documents.
	Page *Page `json:"page,omitempty"`
}

// DocumentsListRequestFilters is an object of the API.
type DocumentsListRequestFilters struct {
	// The id of a workflow, a business or a person. The workflow, its business, or a person, also one who
	// was deleted.
	EntityID *string `json:"entity_id,omitempty"`
	// What kind of record the documents concern. One of Workflow, Business, Person.
	EntityType *string `json:"entity_type,omitempty"`
	// The status to list. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	RequiredDocumentStatus *string `json:"required_document_status,omitempty"`
}

// Empty is an object of the API.
type Empty struct {
}

// Event: An event, as a Receiver gets it and the feed answers it. Content decodes its data.
type Event struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventType string `json:"event_type"`
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	ID string `json:"id"`
	// The version of this form and of the content's.
	SchemaVersion string `json:"schema_version"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// The content of the event, as receivers decrypt it: see the guide to webhooks. webhook.event.list
	// answers it where include_data is true.
	Data json.RawMessage `json:"data,omitempty"`
	// The event's position in the account's feed: it grows from event to event. Only with OLDEST_FIRST.
	Position int64 `json:"position,omitempty"`
	// true when webhook.event.replay sent the event. Only a webhook says it.
	Replay bool `json:"replay,omitempty"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Absent without a workflow.
	Sequence int64 `json:"sequence,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test bool `json:"test,omitempty"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. Absent where the event concerns no workflow
	// on record.
	WorkflowID string `json:"workflow_id,omitempty"`
	// The id of the webhook key. Only a receiver gives it.
	KeyID string `json:"key_id,omitempty"`
	// How many attempts were made before. Only a receiver gives it.
	RetryCount int64 `json:"retry_count,omitempty"`
}

// EventEvidence is an object of the API.
type EventEvidence struct {
	// The code of the document's type.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// The last day on which the document is valid.
	ExpiresOn *string `json:"expires_on,omitempty"`
	// The day on which the document was issued.
	IssuedOn *string `json:"issued_on,omitempty"`
	// Whether the evidence is valid for ever.
	NeverExpires *bool `json:"never_expires,omitempty"`
}

// EventIDData is an object of the API.
type EventIDData struct {
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID string `json:"event_id"`
}

// EventListData is an object of the API.
type EventListData struct {
	// true when nothing was left to read. false when more follows, also after a page that filters left
	// empty.
	CaughtUp bool `json:"caught_up"`
	// The events, in the order that the request asks for.
	Events []Event `json:"events"`
	// Pass it as page.after for the next page; null on the last one. With OLDEST_FIRST never null: when
	// caught_up is true, ask again later.
	Next *string `json:"next"`
}

// EventListRequest is an object of the API.
type EventListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only what matches all of these.
	Filters *EventListRequestFilters `json:"filters,omitempty"`
	// true adds each event's data. A page then ends early when its data exceeds 1 MiB.
	IncludeData *bool `json:"include_data,omitempty"`
	// OLDEST_FIRST is the account's feed: going on from next misses no event and repeats none, however
	// late a change is committed. NEWEST_FIRST when left out. One of NEWEST_FIRST, OLDEST_FIRST.
	Order *string `json:"order,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// EventListRequestFilters is an object of the API.
type EventListRequestFilters struct {
	// What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
	// WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
	// REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING,
	// REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
	// WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
	// WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventType *string `json:"event_type,omitempty"`
	// A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events from then on.
	Since *string `json:"since,omitempty"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID *string `json:"workflow_id,omitempty"`
}

// EventRequest is an object of the API.
type EventRequest struct {
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID string `json:"event_id"`
}

// Evidence is an object of the API.
type Evidence struct {
	// 1 to 64 of A-Z, 0-9 and _. With any_of, the code of the option; else the document's own, or absent.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// The last day on which it is valid; not before issued_on.
	ExpiresOn *string `json:"expires_on,omitempty"`
	// Not after today in the account's time zone.
	IssuedOn *string `json:"issued_on,omitempty"`
	// In place of expires_on, for evidence that is valid for ever.
	NeverExpires *bool `json:"never_expires,omitempty"`
	// A text that is not blank. Your own name of the file: the service keeps no files. No event carries
	// it.
	Reference *string `json:"reference,omitempty"`
}

// ExternalIDFilter is an object of the API.
type ExternalIDFilter struct {
	// Printable ASCII without blanks.
	ExternalID *string `json:"external_id,omitempty"`
}

// FactData is an object of the API.
type FactData struct {
	// What to ask for.
	Ask string `json:"ask"`
	// The record that has the fact; the value of a declared one is in its custom. One of
	// BusinessSalesInfo, Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// What people call the fact.
	Label string `json:"label"`
	// The type of its values. One of BOOLEAN, NUMBER, AMOUNT, DATE, TEXT, TEXT_LIST.
	Type string `json:"type"`
	// The condition under which the absence of the fact is a gap all the same, in the language of rules.
	// While it does not hold, nobody needs to ask for the fact.
	AskedWhen *string `json:"asked_when,omitempty"`
	// All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text
	// is.
	Choices []string `json:"choices,omitzero"`
	// What the fact counts as while no value is on file. Without a default, its absence is a gap.
	Default json.RawMessage `json:"default,omitzero"`
	// Of a built-in fact: the field of the request that supplies it. What follows a point is a name within
	// it: address.country is country of address.
	Field *string `json:"field,omitempty"`
	// The name of the fact in custom, and in rules.
	Name *string `json:"name,omitempty"`
	// Of a built-in fact: the operation that supplies it. business.create and person.create take the same
	// fields.
	RelatedEndpoints []string `json:"related_endpoints,omitzero"`
	// Of the field sales_amount: the type of the amount. One of AVERAGE_INDIVIDUAL_SALE,
	// AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
	SalesAmountType *string `json:"sales_amount_type,omitempty"`
	// Absent for a built-in fact. COMING: a version that is published and not yet in force declares it.
	// DROPPED: no version in force declares it; its values stay on file, and nothing asks for them. One of
	// COMING, IN_FORCE, DROPPED.
	State *string `json:"state,omitempty"`
	// What declares the fact, and is in force or comes into force. Empty for one that was dropped, absent
	// for a built-in one. One of RULES, PRICING.
	UsedBy []string `json:"used_by,omitzero"`
}

// FactListData is an object of the API.
type FactListData struct {
	// The declared facts of workflows, of businesses and of persons, each by name; then the built-in ones,
	// in the order of gaps.
	Facts []FactData `json:"facts"`
}

// FactListRequest is an object of the API.
type FactListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Also list the facts of the service that a form can ask for.
	IncludeBuiltIn *bool `json:"include_built_in,omitempty"`
}

// Facts is an object of the API.
type Facts struct {
	// The business on file.
	Business BusinessData `json:"business"`
	// The persons of the business on file.
	Persons []PersonData `json:"persons"`
	// What is on file of the workflow itself.
	Workflow WorkflowFacts `json:"workflow"`
}

// FailingExample is an object of the API.
type FailingExample struct {
	// What it expects, and what the rules give.
	Message string `json:"message"`
	// The name of the example.
	Name string `json:"name"`
}

// FindingData is an object of the API.
type FindingData struct {
	// That of the rule, or DOCUMENT_OPEN or DOCUMENT_OVERDUE of a document with hold.
	FindingCode string `json:"finding_code"`
	// REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be
	// declined. One of REVIEW, HOLD, DECLINE.
	Kind string `json:"kind"`
	// The day in the account's time zone: on which it was first found; of DOCUMENT_OPEN, on which the
	// document was required, restored, or made PENDING by expiry or renewal, or the first after
	// valid_until; of DOCUMENT_OVERDUE, the first after due_on.
	Since string `json:"since"`
	// The id of the workflow, business or person.
	EntityID *string `json:"entity_id,omitempty"`
	// The name of that person, or the legal_name of that business, as it is on record at the time of the
	// answer. Absent for a workflow, a record that is yet to be created or was deleted, and in a decision;
	// for a credential without the permission read always.
	EntityName *string `json:"entity_name,omitempty"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType *string `json:"entity_type,omitempty"`
	// The text of the rule.
	Message *string `json:"message,omitempty"`
	// Why the rule found it. For the platform, not for applicants.
	Reasons []DocumentReason `json:"reasons,omitzero"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. The document that holds up the
	// application. Such a finding has no message, entity and reasons.
	RequiredDocumentID *string `json:"required_document_id,omitempty"`
}

// FindingRef is an object of the API.
type FindingRef struct {
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The code of the finding.
	FindingCode string `json:"finding_code"`
	// REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be
	// declined. One of REVIEW, HOLD, DECLINE.
	Kind string `json:"kind"`
}

// Gap is an object of the API.
type Gap struct {
	// FIELDS_REQUIRED: facts are missing. CALCULATED_PRICING_REQUIRED: workflow.pricing.calculate must run
	// first. One of CALCULATED_PRICING_REQUIRED, FIELDS_REQUIRED.
	Code string `json:"code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of BusinessSalesInfo, Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// One sentence for people. The wording may change.
	Message string `json:"message"`
	// What to ask for, for a program: one entry a field, with all that the operation requires. Gaps with
	// the same entity_id and related_endpoints are one record: supply it in one call; person.create takes
	// several persons. Where there is none, business.update with no_persons_attested closes the gap.
	Missing []MissingField `json:"missing"`
	// The operations that fill the gap, in the order to call them.
	RelatedEndpoints []string `json:"related_endpoints"`
	// Where the last of related_endpoints creates a record: the business_id of its request.
	BusinessID *string `json:"business_id,omitempty"`
	// The id of the record that the new one stands in for: send it as replaces, or delete it before.
	DeleteFirst *string `json:"delete_first,omitempty"`
	// The name of that person, or the legal_name of that business, as it is on record at the time of the
	// answer. Absent for a workflow, a record that is yet to be created or was deleted, and in a decision;
	// for a credential without the permission read always.
	EntityName *string `json:"entity_name,omitempty"`
	// The fields that are missing.
	Fields []string `json:"fields,omitzero"`
	// What that record holds. The new record needs it too.
	Present []MissingField `json:"present,omitzero"`
	// Of CALCULATED_PRICING_REQUIRED: what workflow.pricing.calculate itself lacks.
	PricingMissing []Gap `json:"pricing_missing,omitzero"`
}

// HealthData is an object of the API.
type HealthData struct {
	// Deliveries that wait for an active key, or for the endpoint to be enabled; counted up to 10,000.
	Held int64 `json:"held"`
	// Deliveries that are attempted again; counted up to 10,000.
	Retrying int64 `json:"retrying"`
	// FAILING after five failures in a row: then one webhook at a time probes the endpoint, and the others
	// wait. HELD while the account has no active key, DISABLED while the endpoint is disabled: then
	// nothing is sent. One of HEALTHY, FAILING, HELD, DISABLED.
	Status string `json:"status"`
	// Deliveries that were never attempted, HELD ones not among them; counted up to 10,000.
	Waiting int64 `json:"waiting"`
	// The first of the failures in a row; absent until there are five.
	FailingSince *string `json:"failing_since,omitempty"`
	// Of the last attempt, if it failed.
	LastError *string `json:"last_error,omitempty"`
	// When the endpoint is tried next after a failure; absent while that is due.
	NextAttemptAt *string `json:"next_attempt_at,omitempty"`
}

// Identity is an object of the API.
type Identity struct {
	// The code of the person's citizenship.
	Citizenship *string `json:"citizenship,omitempty"`
	// The person's date of birth.
	DateOfBirth *string `json:"date_of_birth,omitempty"`
	// The person's first name.
	FirstName *string `json:"first_name,omitempty"`
	// The person's last name.
	LastName *string `json:"last_name,omitempty"`
	// The registered name of the business.
	LegalName *string `json:"legal_name,omitempty"`
}

// KeyActivateData is an object of the API.
type KeyActivateData struct {
	// When the key became ACTIVE.
	ActivatedAt string `json:"activated_at"`
	// The id of the webhook key.
	KeyID string `json:"key_id"`
	// Where it stands. One of INACTIVE, ACTIVE, DELETED.
	Status string `json:"status"`
}

// KeyCreateData is an object of the API.
type KeyCreateData struct {
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// Opaque; order keys by created_at.
	KeyID string `json:"key_id"`
	// Where it stands. One of INACTIVE, ACTIVE, DELETED.
	Status string `json:"status"`
	// 32 bytes in standard Base64, shown this once.
	SharedSecret string `json:"shared_secret"`
}

// KeyData is an object of the API.
type KeyData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The id of the webhook key.
	KeyID string `json:"key_id"`
	// Where it stands. One of INACTIVE, ACTIVE, DELETED.
	Status string `json:"status"`
	// When the key became ACTIVE. Absent until then.
	ActivatedAt *string `json:"activated_at,omitempty"`
	// When the key was DELETED. Absent until then.
	DeletedAt *string `json:"deleted_at,omitempty"`
}

// KeyListData is an object of the API.
type KeyListData struct {
	// The keys, newest first.
	Keys []KeyData `json:"keys"`
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
}

// KeyListRequest is an object of the API.
type KeyListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// KeyRequest is an object of the API.
type KeyRequest struct {
	// A webhook key id: whk_, eight digits, _ and two digits.
	KeyID string `json:"key_id"`
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. Needed only when more than one of
	// your accounts has a key with this key_id.
	AccountID *string `json:"account_id,omitempty"`
}

// LimitMet is an object of the API.
type LimitMet struct {
	// Its size, in the process that has answered.
	Limit json.Number `json:"limit"`
	// What it limits: requests_per_second; at once, requests, waiting_callers (requests that wait for a
	// run), runs, body_bytes, rule_checks, evaluations (of rules) and database_connections; outcomes,
	// which are kept for Idempotency-Keys; and decision_bytes_a_day, the bytes of the decisions that it
	// records in a day. One of body_bytes, database_connections, decision_bytes_a_day, evaluations,
	// outcomes, requests, requests_per_second, rule_checks, runs, waiting_callers.
	Of string `json:"of"`
	// For whom it is; SERVICE is for all callers together. One of CREDENTIAL, ACCOUNT, ORGANIZATION,
	// SERVICE.
	Scope string `json:"scope"`
}

// ListedDecision is an object of the API.
type ListedDecision struct {
	// The account's local date, by which ages were counted.
	AsOf string `json:"as_of"`
	// When it was decided.
	DecidedAt string `json:"decided_at"`
	// Who asked for the decision.
	DecidedBy DecidedBy `json:"decided_by"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// Whether the personal data was erased: facts and reasons are gone.
	Erased bool `json:"erased"`
	// What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
	Kind string `json:"kind"`
	// From 1, without gaps in the workflow.
	Number int64 `json:"number"`
	// What became of it, or the code of the refusal. One of CALCULATED, PRICED, UPDATED, CREATED, WAIVED,
	// EXPIRED, ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
	Outcome string `json:"outcome"`
	// The digest of the decision before; empty of the first.
	PreviousDigest string `json:"previous_digest"`
	// Names the request in the logs and the runs of the service.
	TraceID string `json:"trace_id"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's
	// pricing model that was used.
	PricingVersionID *string `json:"pricing_version_id,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules
	// that was used.
	RuleVersionID *string `json:"rule_version_id,omitempty"`
	// Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live.
	SandboxToday *bool `json:"sandbox_today,omitempty"`
}

// ListedWorkflow is an object of the API.
type ListedWorkflow struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// How many required documents have each status. Nothing is open when documents_calculated_at is set,
	// documents_stale is false, and pending and needs_review are 0.
	Documents DocumentCounts `json:"documents"`
	// Your own id of the record.
	ExternalID *string `json:"external_id"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State string `json:"state"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// When the required documents were last calculated. Absent before the first calculation: an empty list
	// then means nothing.
	DocumentsCalculatedAt *string `json:"documents_calculated_at,omitempty"`
	// Whether the application, its business, persons or sales, its score or the account's rules have
	// changed since: calculate again. It may be true although the documents would stay the same; that days
	// pass does not count. Absent before the first calculation, false when the workflow has ended.
	DocumentsStale *bool `json:"documents_stale,omitempty"`
	// When it ended. Absent until then.
	EndedAt *string `json:"ended_at,omitempty"`
	// The score that workflow.pricing.calculate has set. Absent until then.
	EvaluationScore *json.Number `json:"evaluation_score,omitempty"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first
	// calculation takes over.
	PreviousWorkflowID *string `json:"previous_workflow_id,omitempty"`
	// When the score was set. Absent until then.
	ScoreCalculatedAt *string `json:"score_calculated_at,omitempty"`
	// When it was started. Absent until then.
	StartedAt *string `json:"started_at,omitempty"`
}

// ManualText is an object of the API.
type ManualText struct {
	// The category that the rule gives the document.
	Category string `json:"category"`
	// The name, for people.
	Name string `json:"name"`
	// Why the document was required by hand.
	Reason string `json:"reason"`
	// What the document must show.
	RequirementText string `json:"requirement_text"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	DueWithin *string `json:"due_within,omitempty"`
	// Why the document is needed, in words for the applicant.
	Explanation *string `json:"explanation,omitempty"`
}

// Meta is an object of the API.
type Meta struct {
	// SUCCESS, or ERROR of a refusal. One of SUCCESS, ERROR.
	Status string `json:"status"`
	// Names the request in the logs and the runs of the service.
	TraceID string `json:"trace_id"`
	// The version of the API that answers.
	Version string `json:"version"`
	// What is worth reading about a request that succeeded. Absent where there is nothing.
	Warnings []Warning `json:"warnings,omitzero"`
}

// MissingField is an object of the API.
type MissingField struct {
	// The field of the request. What follows a point is a name within it: custom.legal_form is legal_form
	// of custom.
	Field string `json:"field"`
	// The type of the value: BOOLEAN, NUMBER, AMOUNT, DATE (YYYY-MM-DD), TEXT or TEXT_LIST. One of
	// BOOLEAN, NUMBER, AMOUNT, DATE, TEXT, TEXT_LIST.
	ValueType string `json:"value_type"`
	// What to ask the applicant for. Absent for the evaluation score, which nobody is asked for.
	Ask *string `json:"ask,omitempty"`
	// Of a fact that the account declares: all values that count.
	Choices []string `json:"choices,omitzero"`
	// Of sales_amount: the account's currency, which the amount must be in.
	Currency *string `json:"currency,omitempty"`
	// What the fact is, in a few words. With ask and choices only in the first gap of each fact.
	Label *string `json:"label,omitempty"`
	// Of sales_amount: the SALES_AMOUNT_TYPE. One of AVERAGE_INDIVIDUAL_SALE,
	// AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
	Type *string `json:"type,omitempty"`
	// Only in present: what is on file. Absent for a credential without the permission read: ask for it
	// again.
	Value *json.Number `json:"value,omitempty"`
}

// NewPerson is an object of the API.
type NewPerson struct {
	// An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless
	// person, a refugee or another refugee.
	Citizenship Optional[string] `json:"citizenship,omitzero"`
	// An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
	CountryOfResidence Optional[string] `json:"country_of_residence,omitzero"`
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// The person's date of birth.
	DateOfBirth Optional[string] `json:"date_of_birth,omitzero"`
	// An e-mail address.
	Email Optional[string] `json:"email,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
	// A person has a first name, a last name or both.
	FirstName Optional[string] `json:"first_name,omitzero"`
	// A person has a first name, a last name or both.
	LastName Optional[string] `json:"last_name,omitzero"`
	// At most two decimals.
	OwnershipPercentage Optional[json.Number] `json:"ownership_percentage,omitzero"`
}

// NewSalesInfo is an object of the API.
type NewSalesInfo struct {
	// Each type at most once.
	SalesAmount []StatedAmount `json:"sales_amount"`
}

// OptionPart is an object of the API.
type OptionPart struct {
	// The code of the document's type.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ExpiredAtMost *string `json:"expired_at_most,omitempty"`
	// Whether evidence must be valid, by its expires_on.
	MustBeValid *bool `json:"must_be_valid,omitempty"`
	// The name, for people.
	Name *string `json:"name,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	NotOlderThan *string `json:"not_older_than,omitempty"`
	// What this evidence must show. Absent where it is as for the document.
	RequirementText *string `json:"requirement_text,omitempty"`
	// A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
	ValidFor *string `json:"valid_for,omitempty"`
}

// Page is an object of the API.
type Page struct {
	// The next value of an earlier response.
	After *string `json:"after,omitempty"`
	// 50 when left out.
	Limit *int64 `json:"limit,omitempty"`
}

// PersonCreateData is an object of the API.
type PersonCreateData struct {
	// A person id: p_ and 20 to 22 characters of 0-9A-Za-z. Absent when persons are stated.
	PersonID *string `json:"person_id,omitempty"`
	// In the order of persons. Absent when person is stated.
	PersonIDs []string `json:"person_ids,omitzero"`
}

// PersonCreateRequest is an object of the API.
type PersonCreateRequest struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// The fields of the person. Send either person or persons.
	Person *NewPerson `json:"person,omitempty"`
	// Several persons: all are put on record, or none.
	Persons []NewPerson `json:"persons,omitzero"`
}

// PersonData is an object of the API.
type PersonData struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// The code of the person's citizenship.
	Citizenship *string `json:"citizenship"`
	// The code of the country where the person lives.
	CountryOfResidence *string `json:"country_of_residence"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// The person's date of birth.
	DateOfBirth *string `json:"date_of_birth"`
	// The e-mail address.
	Email *string `json:"email"`
	// The person's first name.
	FirstName *string `json:"first_name"`
	// The person's last name.
	LastName *string `json:"last_name"`
	// At most two decimals.
	OwnershipPercentage *json.Number `json:"ownership_percentage"`
	// A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
	PersonID string `json:"person_id"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
}

// PersonListData is an object of the API.
type PersonListData struct {
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
	// The newest first.
	Persons []PersonOnRecord `json:"persons"`
}

// PersonListRequest is an object of the API.
type PersonListRequest struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// Only what matches all of these.
	Filters *ExternalIDFilter `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// PersonOnRecord is an object of the API.
type PersonOnRecord struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// The code of the person's citizenship.
	Citizenship *string `json:"citizenship"`
	// The code of the country where the person lives.
	CountryOfResidence *string `json:"country_of_residence"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// The person's date of birth.
	DateOfBirth *string `json:"date_of_birth"`
	// The e-mail address.
	Email *string `json:"email"`
	// Your own id of the record.
	ExternalID *string `json:"external_id"`
	// The person's first name.
	FirstName *string `json:"first_name"`
	// The person's last name.
	LastName *string `json:"last_name"`
	// At most two decimals.
	OwnershipPercentage *json.Number `json:"ownership_percentage"`
	// A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
	PersonID string `json:"person_id"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
}

// PersonRequest is an object of the API.
type PersonRequest struct {
	// A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
	PersonID string `json:"person_id"`
}

// PersonUpdateRequest is an object of the API.
type PersonUpdateRequest struct {
	// The fields of the person.
	Person PersonUpdateRequestPerson `json:"person"`
	// A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
	PersonID string `json:"person_id"`
}

// PersonUpdateRequestPerson is an object of the API.
type PersonUpdateRequestPerson struct {
	// An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless
	// person, a refugee or another refugee.
	Citizenship Optional[string] `json:"citizenship,omitzero"`
	// An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
	CountryOfResidence Optional[string] `json:"country_of_residence,omitzero"`
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// The person's date of birth.
	DateOfBirth Optional[string] `json:"date_of_birth,omitzero"`
	// An e-mail address.
	Email Optional[string] `json:"email,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
	// A person has a first name, a last name or both.
	FirstName Optional[string] `json:"first_name,omitzero"`
	// A person has a first name, a last name or both.
	LastName Optional[string] `json:"last_name,omitzero"`
	// At most two decimals.
	OwnershipPercentage Optional[json.Number] `json:"ownership_percentage,omitzero"`
}

// PreviewedDocument is an object of the API.
type PreviewedDocument struct {
	// The category that the rule gives the document.
	Category string `json:"category"`
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The name, for people.
	Name string `json:"name"`
	// Why it is required: one for each rule.
	Reasons []DocumentReason `json:"reasons"`
	// What the document must show.
	RequirementText string `json:"requirement_text"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent
	// where the evidence meets no option that is offered now.
	ChangedFacts []string `json:"changed_facts,omitzero"`
	// The name of that person, or the legal_name of that business, as it is on record at the time of the
	// answer. Absent for a workflow, a record that is yet to be created or was deleted, and in a decision;
	// for a credential without the permission read always.
	EntityName *string `json:"entity_name,omitempty"`
	// Why the document is needed, in words for the applicant.
	Explanation *string `json:"explanation,omitempty"`
	// The id of the required document. Absent where it would be new.
	RequiredDocumentID *string `json:"required_document_id,omitempty"`
	// Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One
	// of TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
	StatusReason *string `json:"status_reason,omitempty"`
	// In kept: the document would demand something else than it does now.
	TextChanged *bool `json:"text_changed,omitempty"`
}

// PreviewedFindings is an object of the API.
type PreviewedFindings struct {
	// What would be found, and is not on record.
	Added []FindingData `json:"added"`
	// All that would be found, those on record with the day since which they are.
	Now []FindingData `json:"now"`
	// What is on record, and would no longer be found.
	Removed []FindingData `json:"removed"`
}

// PreviewedRule is an object of the API.
type PreviewedRule struct {
	// What is required now, and was not before.
	Added int64 `json:"added"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// What was required before, and still is.
	Kept int64 `json:"kept"`
	// How many documents would be overdue, and are not now.
	OverdueAtOnce int64 `json:"overdue_at_once"`
	// What is no longer required.
	Removed int64 `json:"removed"`
	// Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the
	// identity or a fact that it is bound to has changed.
	Reopened int64 `json:"reopened"`
	// How many documents would be required, or findings found.
	Required int64 `json:"required"`
	// What was INACTIVE, and is required again.
	Restored int64 `json:"restored"`
	// The condition.
	Rule string `json:"rule"`
	// The code of the document's type.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// The code of the finding.
	FindingCode *string `json:"finding_code,omitempty"`
	// Of a finding. One of REVIEW, HOLD, DECLINE.
	Kind *string `json:"kind,omitempty"`
}

// Problem is an object of the API.
type Problem struct {
	// What kind of problem it is. The list is closed. REQUIRED: It is missing. UNKNOWN_FIELD: There is no
	// such field. suggestion is the name that was probably meant, where one is near. UNKNOWN_VALUE: It is
	// none of the allowed values. allowed lists them, unless they are very many; suggestion is the one
	// that was probably meant. WRONG_TYPE: It is of another type of JSON. expected names the type: object,
	// array, string, number, integer or boolean. TOO_LONG: A text, a list or custom has more than limit
	// characters, elements or bytes. TOO_SHORT: A text or a list has fewer than limit characters or
	// elements. TOO_LARGE: A number is larger than limit, or equal to it where the message says less than.
	// TOO_SMALL: A number is smaller than limit. WRONG_FORMAT: It is of the right type, and not of the
	// right form, such as a date that does not exist. DUPLICATE: It stands twice. MALFORMED: The body is
	// not JSON, or ended early. INVALID_RULE: A rule or another part of a set of rules is wrong. The
	// message says what to write. NOT_ALLOWED: Its form is right, and it may not be sent here or now, such
	// as a date in the future. One of REQUIRED, UNKNOWN_FIELD, UNKNOWN_VALUE, WRONG_TYPE, TOO_LONG,
	// TOO_SHORT, TOO_LARGE, TOO_SMALL, WRONG_FORMAT, DUPLICATE, MALFORMED, INVALID_RULE, NOT_ALLOWED.
	Code string `json:"code"`
	// Where, in dotted form with indexes, such as rules.documents[1].when; empty for the whole body.
	Field string `json:"field"`
	// What is wrong, and what to do about it. The wording may change.
	Message string `json:"message"`
	// Of UNKNOWN_VALUE: all values. Left out where they are very many.
	Allowed []string `json:"allowed,omitzero"`
	// Of WRONG_TYPE: the type of JSON that is expected, such as string; several are separated by commas.
	Expected *string `json:"expected,omitempty"`
	// Of TOO_LONG, TOO_SHORT, TOO_LARGE and TOO_SMALL: the bound. Of a text it counts characters, of a
	// list elements, and of custom bytes. A number may be equal to it unless the message says less than.
	Limit *json.Number `json:"limit,omitempty"`
	// Of UNKNOWN_FIELD and UNKNOWN_VALUE: the name or the value that was probably meant, where one is
	// near.
	Suggestion *string `json:"suggestion,omitempty"`
}

// ProposalApproveRequest is an object of the API.
type ProposalApproveRequest struct {
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
	// Why; kept with the version.
	Comment Optional[string] `json:"comment,omitzero"`
}

// ProposalApproved is an object of the API.
type ProposalApproved struct {
	// The number of the version: 1, 2, 3.
	Version int64 `json:"version"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID string `json:"version_id"`
}

// ProposalCreateRequest is an object of the API.
type ProposalCreateRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Why; for the person who approves the rules.
	Comment string `json:"comment"`
	// A rule set; see the guide to rules.
	Rules any `json:"rules"`
	// ALL when left out. NEW: only workflows that are created from then on. One of ALL, NEW.
	AppliesTo *string `json:"applies_to,omitempty"`
	// The first day on which the rules are in force, in the account's time zone; today, or left out, is at
	// once. They replace coming versions that would be in force no earlier and for no more workflows.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// The document type codes whose approvals hold although their text changes; ["*"] is all.
	KeepApprovals []string `json:"keep_approvals,omitzero"`
}

// ProposalCreated is an object of the API.
type ProposalCreated struct {
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
	// As account.documentRules.validate answers them.
	Warnings []RulesWarning `json:"warnings"`
}

// ProposalData is an object of the API.
type ProposalData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One
	// of ALL, NEW.
	AppliesTo string `json:"applies_to"`
	// The codes of the documents and findings that differ from the base version: their rules, or a
	// definition, a list or a declared fact that these read.
	Changes ChangedCodes `json:"changes"`
	// Why the rules are proposed.
	Comment string `json:"comment"`
	// The document type codes whose approvals hold although their text changes; * is all.
	KeepApprovals []string `json:"keep_approvals"`
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
	// When the rules were proposed.
	ProposedAt string `json:"proposed_at"`
	// Who proposed the rules.
	ProposedBy string `json:"proposed_by"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	ProposedByType string `json:"proposed_by_type"`
	// The rule set, as it was published or proposed.
	Rules json.RawMessage `json:"rules"`
	// OUTDATED: rules were published after it was made, or its effective_from has passed. One of OPEN,
	// APPROVED, REJECTED, OUTDATED.
	State string `json:"state"`
	// The number of the newest version when the rules were proposed.
	BaseVersion *int64 `json:"base_version,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules
	// were proposed. Absent where there was none.
	BaseVersionID *string `json:"base_version_id,omitempty"`
	// When it was approved or rejected, or other rules were published.
	DecidedAt *string `json:"decided_at,omitempty"`
	// Who approved or rejected it.
	DecidedBy *string `json:"decided_by,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	DecidedByType *string `json:"decided_by_type,omitempty"`
	// What the person said who approved or rejected it.
	DecisionComment *string `json:"decision_comment,omitempty"`
	// The first day in force, in the account's time zone. Absent: from its approval on.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// The number of the version that it became, when it was approved.
	Version *int64 `json:"version,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was
	// approved.
	VersionID *string `json:"version_id,omitempty"`
}

// ProposalFilters is an object of the API.
type ProposalFilters struct {
	// Where it stands. One of OPEN, APPROVED, REJECTED, OUTDATED.
	State *string `json:"state,omitempty"`
}

// ProposalListData is an object of the API.
type ProposalListData struct {
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
	// The proposals, newest first.
	Proposals []ProposalListed `json:"proposals"`
}

// ProposalListRequest is an object of the API.
type ProposalListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only what matches all of these.
	Filters *ProposalFilters `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// ProposalListed is an object of the API.
type ProposalListed struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One
	// of ALL, NEW.
	AppliesTo string `json:"applies_to"`
	// The codes of the documents and findings that differ from the base version: their rules, or a
	// definition, a list or a declared fact that these read.
	Changes ChangedCodes `json:"changes"`
	// Why the rules are proposed.
	Comment string `json:"comment"`
	// The document type codes whose approvals hold although their text changes; * is all.
	KeepApprovals []string `json:"keep_approvals"`
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
	// When the rules were proposed.
	ProposedAt string `json:"proposed_at"`
	// Who proposed the rules.
	ProposedBy string `json:"proposed_by"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	ProposedByType string `json:"proposed_by_type"`
	// OUTDATED: rules were published after it was made, or its effective_from has passed. One of OPEN,
	// APPROVED, REJECTED, OUTDATED.
	State string `json:"state"`
	// The number of the newest version when the rules were proposed.
	BaseVersion *int64 `json:"base_version,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules
	// were proposed. Absent where there was none.
	BaseVersionID *string `json:"base_version_id,omitempty"`
	// When it was approved or rejected, or other rules were published.
	DecidedAt *string `json:"decided_at,omitempty"`
	// Who approved or rejected it.
	DecidedBy *string `json:"decided_by,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	DecidedByType *string `json:"decided_by_type,omitempty"`
	// What the person said who approved or rejected it.
	DecisionComment *string `json:"decision_comment,omitempty"`
	// The first day in force, in the account's time zone. Absent: from its approval on.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// The number of the version that it became, when it was approved.
	Version *int64 `json:"version,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was
	// approved.
	VersionID *string `json:"version_id,omitempty"`
}

// ProposalRejectRequest is an object of the API.
type ProposalRejectRequest struct {
	// Why.
	Comment string `json:"comment"`
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
}

// ProposalRequest is an object of the API.
type ProposalRequest struct {
	// A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
	ProposalID string `json:"proposal_id"`
}

// RateLimitData is an object of the API.
type RateLimitData struct {
	// How many may come at once after a pause.
	Burst int64 `json:"burst"`
	// How many requests a second.
	PerSecond json.Number `json:"per_second"`
}

// Reason is an object of the API.
type Reason struct {
	// The facts that decided, by the names that rules use.
	Facts json.RawMessage `json:"facts"`
	// One sentence for people. The wording may change.
	Message string `json:"message"`
}

// RecalculationData is an object of the API.
type RecalculationData struct {
	// Workflows with other documents or findings than before, or whose documents or findings differ in
	// more than reasons.
	Changed int64 `json:"changed"`
	// The sum of the four that follow.
	Done int64 `json:"done"`
	// Workflows that could not be calculated for another reason, for example because a rule has no result
	// for their facts. Their documents stay as they were.
	NotEvaluable int64 `json:"not_evaluable"`
	// When it was started.
	StartedAt string `json:"started_at"`
	// Where it stands. One of RUNNING, DONE, CANCELED.
	State string `json:"state"`
	// Workflows where at most reasons have changed.
	Unchanged int64 `json:"unchanged"`
	// Workflows that lack facts. Their documents stay as they were.
	WithGaps int64 `json:"with_gaps"`
	// When it ended. Absent until then.
	EndedAt *string `json:"ended_at,omitempty"`
	// How many workflows it calculates. Absent until they are counted, and while they are among more than
	// 100,000.
	Total *int64 `json:"total,omitempty"`
}

// RecalculationRequest is an object of the API.
type RecalculationRequest struct {
	// A recalculation id: rec_ and 20 to 22 characters of 0-9A-Za-z.
	RunID string `json:"run_id"`
}

// RecalculationStartRequest is an object of the API.
type RecalculationStartRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only workflows whose documents are stale, or were calculated on an earlier day in the account's time
	// zone by rules that count days; true when left out. With false, all that have not ended.
	OnlyStale *bool `json:"only_stale,omitempty"`
}

// RecoverRequest is an object of the API.
type RecoverRequest struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. FAILED deliveries of events since then are sent
	// again.
	Since string `json:"since"`
}

// ReplayRequest is an object of the API.
type ReplayRequest struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events since then are sent.
	Since string `json:"since"`
	// Of those that the endpoint takes; all of them when left out. One of WORKFLOW_CREATED,
	// WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED,
	// REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
	// REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED,
	// DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
	// WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
	EventTypes []string `json:"event_types,omitzero"`
	// A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events before then; up to now when left out.
	Until *string `json:"until,omitempty"`
}

// ReplayedData is an object of the API.
type ReplayedData struct {
	// Events that were sent to the endpoint's queue, or waited there already.
	Done int64 `json:"done"`
	// When it was started.
	StartedAt string `json:"started_at"`
	// CANCELED by the operator of the service, or because the endpoint was deleted. One of RUNNING,
	// COMPLETED, CANCELED.
	State string `json:"state"`
	// When it ended. Absent until then.
	EndedAt *string `json:"ended_at,omitempty"`
	// Absent until they are counted, and when they are among more than 100,000 events.
	Total *int64 `json:"total,omitempty"`
}

// RequiredDocumentAddedContent: A document was required by hand, with
// workflow.requiredDocument.create.
type RequiredDocumentAddedContent struct {
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The id of the workflow, business or person.
	EntityID string `json:"entity_id"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType string `json:"entity_type"`
	// The id of the required document.
	RequiredDocumentID string `json:"required_document_id"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// The last day on which it is due, in the account's time zone. Absent where it has none.
	DueOn *string `json:"due_on,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// RequiredDocumentExpiredContent: The approval of a required document has lapsed, and the document is
// PENDING again. In a workflow that has ended it stays as it is. It is sent once for each valid_until.
type RequiredDocumentExpiredContent struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	PreviousStatus string `json:"previous_status"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. One of EXPIRED,
	// RENEWAL_DUE.
	StatusReason string `json:"status_reason"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The last day on which the approval was valid.
	ValidUntil string `json:"valid_until"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// ENDED: the document stays as it is. Create the next workflow, with previous_workflow_id. One of
	// CREATED, STARTED, ENDED.
	WorkflowState string `json:"workflow_state"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. Absent where workflow_state is ENDED:
	// nothing was decided.
	DecisionID *string `json:"decision_id,omitempty"`
	// The decision's digest in the record, SHA-256 in hex.
	Digest *string `json:"digest,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// RequiredDocumentExpiringContent: The approval of a required document ends soon: remind_before of its
// rule says how soon. It is sent once for each valid_until.
type RequiredDocumentExpiringContent struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The last day on which the approval is valid.
	ValidUntil string `json:"valid_until"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// RequiredDocumentOverdueContent: A required document is PENDING, and its due_on has passed. It is
// sent once for each due_on.
type RequiredDocumentOverdueContent struct {
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The last day on which it was due.
	DueOn string `json:"due_on"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// RequiredDocumentUpdatedContent: A required document was updated with
// workflow.requiredDocument.update, or waived with .waive.
type RequiredDocumentUpdatedContent struct {
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// The code of the document's type.
	DocumentTypeCode string `json:"document_type_code"`
	// The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	PreviousStatus string `json:"previous_status"`
	// A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
	RequiredDocumentID string `json:"required_document_id"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
	Status string `json:"status"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// The last day on which it is due, in the account's time zone. Absent where it has none.
	DueOn *string `json:"due_on,omitempty"`
	// What was handed in, as a reviewer stated it.
	Evidence []EventEvidence `json:"evidence,omitzero"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
	// The last day on which the approval is valid.
	ValidUntil *string `json:"valid_until,omitempty"`
}

// RequiredDocumentsCalculatedContent: A calculation has changed the documents that a workflow
// requires. One that changes nothing sends no event.
type RequiredDocumentsCalculatedContent struct {
	// What is required now, and was not before.
	Added []DocumentRef `json:"added"`
	// Of those added: whose approval is taken over from previous_workflow_id.
	Carried []CarriedRef `json:"carried"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// What was required before, and still is.
	Kept []DocumentRef `json:"kept"`
	// Of those kept or restored: whose approval or waiver holds again.
	Reinstated []DocumentRef `json:"reinstated"`
	// What is no longer required.
	Removed []DocumentRef `json:"removed"`
	// Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the
	// identity or a fact that it is bound to has changed.
	Reopened []DocumentRef `json:"reopened"`
	// What was INACTIVE, and is required again.
	Restored []DocumentRef `json:"restored"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// RuleError is an object of the API.
type RuleError struct {
	// Always RULE_NOT_EVALUABLE. One of RULE_NOT_EVALUABLE.
	Code string `json:"code"`
	// One sentence for people. The wording may change.
	Message string `json:"message"`
}

// RuleResult is an object of the API.
type RuleResult struct {
	// Whether the rule's condition is true.
	Holds bool `json:"holds"`
	// The code of the rule.
	Rule string `json:"rule"`
	// The code of the document's type.
	DocumentTypeCode *string `json:"document_type_code,omitempty"`
	// The id of the workflow, business or person.
	EntityID *string `json:"entity_id,omitempty"`
	// What kind of record it concerns. One of Workflow, Business, Person.
	EntityType *string `json:"entity_type,omitempty"`
	// The code of the finding.
	FindingCode *string `json:"finding_code,omitempty"`
	// What the rule adds to the evaluation score.
	Points *json.Number `json:"points,omitempty"`
	// Why. Absent once the personal data was erased.
	Reason *Reason `json:"reason,omitempty"`
}

// RulesChecked is an object of the API.
type RulesChecked struct {
	// The facts that the rules need. One with a default is among them only if it has an asked_when.
	Facts []string `json:"facts"`
	// What is allowed, and probably not what was meant.
	Warnings []RulesWarning `json:"warnings"`
}

// RulesData is an object of the API.
type RulesData struct {
	// ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One
	// of ALL, NEW.
	AppliesTo string `json:"applies_to"`
	// What the person who published or proposed the rules said about them.
	Comment *string `json:"comment"`
	// The document type codes whose approvals hold although their text changes; * is all.
	KeepApprovals []string `json:"keep_approvals"`
	// When the version was published.
	PublishedAt string `json:"published_at"`
	// Who published the version.
	PublishedBy string `json:"published_by"`
	// The rule set, as it was published or proposed.
	Rules json.RawMessage `json:"rules"`
	// IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for
	// NEW ones leaves the one before it in force for the others. REPLACED: no workflow that has not ended
	// could have it. One of COMING, IN_FORCE, REPLACED.
	State string `json:"state"`
	// The number of the version: 1, 2, 3.
	Version int64 `json:"version"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID string `json:"version_id"`
	// The second person. published_by is who proposed the rules, and comment is what the approver said.
	// Absent, as the next four, where one person published.
	ApprovedBy *string `json:"approved_by,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. One of
	// API_KEY, SYSTEM.
	ApprovedByType *string `json:"approved_by_type,omitempty"`
	// The first day in force, in the account's time zone. Absent: from published_at on.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// What the person said who proposed the rules.
	ProposalComment *string `json:"proposal_comment,omitempty"`
	// When the rules were proposed.
	ProposedAt *string `json:"proposed_at,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	ProposedByType *string `json:"proposed_by_type,omitempty"`
}

// RulesGetRequest is an object of the API.
type RulesGetRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID *string `json:"version_id,omitempty"`
}

// RulesListData is an object of the API.
type RulesListData struct {
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
	// The versions, newest first.
	Versions []RulesVersion `json:"versions"`
}

// RulesListRequest is an object of the API.
type RulesListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// RulesPreviewData is an object of the API.
type RulesPreviewData struct {
	// What is required now, and was not before.
	Added []PreviewedDocument `json:"added"`
	// Of those added: whose approval is taken over from previous_workflow_id.
	Carried []PreviewedDocument `json:"carried"`
	// The examples of rules that fail. account.documentRules.publish refuses them.
	FailingExamples []FailingExample `json:"failing_examples"`
	// The findings of the rules.
	Findings PreviewedFindings `json:"findings"`
	// What was required before, and still is.
	Kept []PreviewedDocument `json:"kept"`
	// As the details of MISSING_REQUIREMENTS; when there are any, nothing would change.
	Missing []Gap `json:"missing"`
	// Of those kept or restored: whose approval or waiver holds again.
	Reinstated []PreviewedDocument `json:"reinstated"`
	// What is no longer required.
	Removed []PreviewedDocument `json:"removed"`
	// Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the
	// identity or a fact that it is bound to has changed.
	Reopened []PreviewedDocument `json:"reopened"`
	// What was INACTIVE, and is required again.
	Restored []PreviewedDocument `json:"restored"`
	// Every rule, also one that gives nobody a document. Empty where facts are missing.
	Rules []PreviewedRule `json:"rules"`
}

// RulesPreviewRequest is an object of the API.
type RulesPreviewRequest struct {
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// The day at which days are counted: today in the account's time zone, or later.
	AsOf *string `json:"as_of,omitempty"`
	// A rule set to try; without it and version_id, the one in force. Its examples may fail.
	Rules any `json:"rules,omitzero"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. A version of the account's rules
	// to try.
	VersionID *string `json:"version_id,omitempty"`
}

// RulesPublishRequest is an object of the API.
type RulesPublishRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// A rule set; see the guide to rules.
	Rules any `json:"rules"`
	// ALL when left out. NEW: only workflows that are created from then on. One of ALL, NEW.
	AppliesTo *string `json:"applies_to,omitempty"`
	// Why; kept with the version.
	Comment Optional[string] `json:"comment,omitzero"`
	// The first day on which the rules are in force, in the account's time zone; today, or left out, is at
	// once. They replace coming versions that would be in force no earlier and for no more workflows.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// The document type codes whose approvals hold although their text changes; ["*"] is all.
	KeepApprovals []string `json:"keep_approvals,omitzero"`
}

// RulesPublished is an object of the API.
type RulesPublished struct {
	// False when the newest version says the same, from the same day and for the same workflows: no new
	// version was made.
	Changed bool `json:"changed"`
	// The number of the version: 1, 2, 3.
	Version int64 `json:"version"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID string `json:"version_id"`
	// As account.documentRules.validate answers them.
	Warnings []RulesWarning `json:"warnings"`
}

// RulesValidateRequest is an object of the API.
type RulesValidateRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// A rule set; see the guide to rules.
	Rules any `json:"rules"`
}

// RulesVersion is an object of the API.
type RulesVersion struct {
	// ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One
	// of ALL, NEW.
	AppliesTo string `json:"applies_to"`
	// What the person who published or proposed the rules said about them.
	Comment *string `json:"comment"`
	// The document type codes whose approvals hold although their text changes; * is all.
	KeepApprovals []string `json:"keep_approvals"`
	// When the version was published.
	PublishedAt string `json:"published_at"`
	// Who published the version.
	PublishedBy string `json:"published_by"`
	// IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for
	// NEW ones leaves the one before it in force for the others. REPLACED: no workflow that has not ended
	// could have it. One of COMING, IN_FORCE, REPLACED.
	State string `json:"state"`
	// The number of the version: 1, 2, 3.
	Version int64 `json:"version"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
	VersionID string `json:"version_id"`
	// The second person. published_by is who proposed the rules, and comment is what the approver said.
	// Absent, as the next four, where one person published.
	ApprovedBy *string `json:"approved_by,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. One of
	// API_KEY, SYSTEM.
	ApprovedByType *string `json:"approved_by_type,omitempty"`
	// The first day in force, in the account's time zone. Absent: from published_at on.
	EffectiveFrom *string `json:"effective_from,omitempty"`
	// What the person said who proposed the rules.
	ProposalComment *string `json:"proposal_comment,omitempty"`
	// When the rules were proposed.
	ProposedAt *string `json:"proposed_at,omitempty"`
	// API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
	ProposedByType *string `json:"proposed_by_type,omitempty"`
}

// RulesWarning is an object of the API.
type RulesWarning struct {
	// One sentence for people. The wording may change.
	Message string `json:"message"`
	// Where in the rule set.
	Path string `json:"path"`
	// WARNING: probably not what was meant. HINT: advice, such as a rule that no example tries. One of
	// WARNING, HINT.
	Severity string `json:"severity"`
}

// RunRequest is an object of the API.
type RunRequest struct {
	// A run id: run_ and 20 to 22 characters of 0-9A-Za-z.
	RunID string `json:"run_id"`
}

// SalesAmountData is an object of the API.
type SalesAmountData struct {
	// The currency of the amount, ISO 4217.
	Currency string `json:"currency"`
	// Which figure of the business's sales it is. One of AVERAGE_INDIVIDUAL_SALE,
	// AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
	Type string `json:"type"`
	// At most two decimals.
	Value json.Number `json:"value"`
}

// SalesInfoCreateRequest is an object of the API.
type SalesInfoCreateRequest struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// The sales of the business.
	SalesInfo NewSalesInfo `json:"sales_info"`
	// A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. The sales info of the business that this
	// one replaces, in one step. Amounts of the old record that are not stated are not kept. If it was
	// removed or replaced before, the answer is ENTITY_NOT_FOUND.
	Replaces *string `json:"replaces,omitempty"`
	// Check everything and write nothing. If sales info is on record and replaces does not name it, the
	// response has the warning SALES_INFO_EXISTS instead of a refusal. The request does not use up an
	// Idempotency-Key.
	ValidateOnly *bool `json:"validate_only,omitempty"`
}

// SalesInfoData is an object of the API.
type SalesInfoData struct {
	// The stated amounts, each type once.
	SalesAmount []SalesAmountData `json:"sales_amount"`
	// A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z.
	SalesInfoID string `json:"sales_info_id"`
}

// SalesInfoDeleteRequest is an object of the API.
type SalesInfoDeleteRequest struct {
	// A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z.
	SalesInfoID string `json:"sales_info_id"`
}

// SalesInfoIDData is an object of the API.
type SalesInfoIDData struct {
	// A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when only validated.
	SalesInfoID *string `json:"sales_info_id,omitempty"`
}

// StatedAmount is an object of the API.
type StatedAmount struct {
	// An ISO 4217 code in upper case.
	Currency string `json:"currency"`
	// Which figure of the business's sales it is. One of AVERAGE_INDIVIDUAL_SALE,
	// AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
	Type string `json:"type"`
	// At most two decimals.
	Value json.Number `json:"value"`
}

// Statement is an object of the API.
type Statement struct {
	// What was approved or waived.
	Approved *Approved `json:"approved,omitempty"`
	// The evidence on record then.
	Evidence []Evidence `json:"evidence,omitzero"`
	// The reviewer's note.
	Note *string `json:"note,omitempty"`
	// Why the document was waived.
	Reason *string `json:"reason,omitempty"`
	// What was required by hand, and why.
	Required *ManualText `json:"required,omitempty"`
	// Who has reviewed.
	ReviewedBy *string `json:"reviewed_by,omitempty"`
}

// VersionData is an object of the API.
type VersionData struct {
	// The version that answers.
	CurrentVersion string `json:"current_version"`
	// The newest version.
	LatestVersion string `json:"latest_version"`
}

// WaitData is an object of the API.
type WaitData struct {
	// Why the delivery waits. One of ATTEMPT_IN_FLIGHT, NO_WORKER, ENDPOINT_DISABLED, NO_ACTIVE_KEY,
	// RETRY_LATER, ENDPOINT_FAILING, RETRY_AFTER, ENDPOINT_RATE, ENDPOINT_CONCURRENCY, EARLIER_DELIVERIES,
	// DUE.
	Cause string `json:"cause"`
	// What the cause means, and what ends it.
	Message string `json:"message"`
	// When it ends, if that is known.
	Until *string `json:"until,omitempty"`
}

// Warning is an object of the API.
type Warning struct {
	// What the warning is about. One of CATEGORY_CODE_WITHOUT_DIGIT, DATE_LOOKS_LIKE_DEFAULT,
	// DOCUMENTS_NOT_CALCULATED, DOCUMENTS_NOT_COMPLETED, DOCUMENTS_STALE, ENDPOINT_DISABLED,
	// FINDINGS_OPEN, NAME_HAS_INVISIBLE_CHARACTERS, NOTHING_FAILED, NOTHING_TO_UPDATE, NO_APPROVER,
	// OWNERSHIP_EXCEEDS_100, PERSON_MAY_BE_ON_RECORD, PHONE_NUMBER_TOO_SHORT, REPLACES_COMING_VERSION,
	// SALES_INFO_EXISTS, SCORE_OUTDATED, SECRET_ALREADY_SHOWN, SECRET_NOT_TAKEN.
	Code string `json:"code"`
	// One sentence for people. The wording may change.
	Message string `json:"message"`
}

// WebhookDeliveryFailedContent: A delivery to another endpoint of the account was given up.
type WebhookDeliveryFailedContent struct {
	// How many attempts were made.
	AttemptCount int64 `json:"attempt_count"`
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
	DeliveryID string `json:"delivery_id"`
	// A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
	EventID string `json:"event_id"`
	// Null when no attempt has failed.
	LastError *string `json:"last_error"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WebhookEndpointDisabledContent: Another endpoint of the account was disabled. Its events wait until
// it is enabled.
type WebhookEndpointDisabledContent struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// Null when no attempt has failed.
	LastError *string `json:"last_error"`
	// When the trouble began.
	Since string `json:"since"`
	// The host of the endpoint's URL.
	URLHost string `json:"url_host"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// Deliveries that wait for the endpoint; counted up to 10,000.
	Waiting int64 `json:"waiting"`
	// Only of WEBHOOK_ENDPOINT_DISABLED.
	DisabledReason *string `json:"disabled_reason,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WebhookEndpointFailingContent: Five attempts in a row at another endpoint of the account have
// failed. From now on it is probed.
type WebhookEndpointFailingContent struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// Null when no attempt has failed.
	LastError *string `json:"last_error"`
	// When the trouble began.
	Since string `json:"since"`
	// The host of the endpoint's URL.
	URLHost string `json:"url_host"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// Deliveries that wait for the endpoint; counted up to 10,000.
	Waiting int64 `json:"waiting"`
	// Only of WEBHOOK_ENDPOINT_DISABLED.
	DisabledReason *string `json:"disabled_reason,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WebhookEndpointRecoveredContent: Another endpoint of the account has answered 2xx for the first time
// since it failed or was disabled.
type WebhookEndpointRecoveredContent struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// Null when no attempt has failed.
	LastError *string `json:"last_error"`
	// When the trouble began.
	Since string `json:"since"`
	// The host of the endpoint's URL.
	URLHost string `json:"url_host"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// Deliveries that wait for the endpoint; counted up to 10,000.
	Waiting int64 `json:"waiting"`
	// Only of WEBHOOK_ENDPOINT_DISABLED.
	DisabledReason *string `json:"disabled_reason,omitempty"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WebhookKeyActivatedContent: A webhook key became the account's active one. Like every webhook it is
// encrypted with the key that is active when it is sent.
type WebhookKeyActivatedContent struct {
	// The id of the webhook key.
	KeyID string `json:"key_id"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WebhookTestContent: webhook.config.test was called without an event_type, or with this one. The
// event goes to that endpoint alone.
type WebhookTestContent struct {
	// A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
	ConfigID string `json:"config_id"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WhoamiData is an object of the API.
type WhoamiData struct {
	// The credential that signs the request.
	Credential CredentialData `json:"credential"`
	// live or sandbox. One of live, sandbox.
	Environment string `json:"environment"`
	// The organization of the credential.
	OrganizationID string `json:"organization_id"`
	// How often the credential may send requests to each api process. Absent without a limit.
	RateLimit *RateLimitData `json:"rate_limit,omitempty"`
}

// WorkflowCompleteRequest is an object of the API.
type WorkflowCompleteRequest struct {
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// Refuse, where the answer would have warnings other than FINDINGS_OPEN for findings of kind REVIEW.
	Strict *bool `json:"strict,omitempty"`
}

// WorkflowCompletedContent: A workflow has ended.
type WorkflowCompletedContent struct {
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State string `json:"state"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WorkflowCreateRequest is an object of the API.
type WorkflowCreateRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// The fields of the workflow.
	Workflow WorkflowCreateRequestWorkflow `json:"workflow"`
}

// WorkflowCreateRequestWorkflow is an object of the API.
type WorkflowCreateRequestWorkflow struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. An ENDED workflow of the business. The first
	// calculation takes over its approvals that still hold: the same document, entity, text, identity and
	// bound facts, and still valid.
	PreviousWorkflowID *string `json:"previous_workflow_id,omitempty"`
	// STARTED when left out. One of CREATED, STARTED.
	State *string `json:"state,omitempty"`
}

// WorkflowCreatedContent: A workflow was created.
type WorkflowCreatedContent struct {
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State string `json:"state"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WorkflowData is an object of the API.
type WorkflowData struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID string `json:"business_id"`
	// When the record was made.
	CreatedAt string `json:"created_at"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// How many required documents have each status. Nothing is open when documents_calculated_at is set,
	// documents_stale is false, and pending and needs_review are 0.
	Documents DocumentCounts `json:"documents"`
	// Your own id of the record.
	ExternalID *string `json:"external_id"`
	// What the last calculation found by the rules, and the documents that hold up the application today.
	// Findings advise: they change no state.
	Findings []FindingData `json:"findings"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State string `json:"state"`
	// When the record was last changed.
	UpdatedAt string `json:"updated_at"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// When the required documents were last calculated. Absent before the first calculation: an empty list
	// then means nothing.
	DocumentsCalculatedAt *string `json:"documents_calculated_at,omitempty"`
	// Whether the application, its business, persons or sales, its score or the account's rules have
	// changed since: calculate again. It may be true although the documents would stay the same; that days
	// pass does not count. Absent before the first calculation, false when the workflow has ended.
	DocumentsStale *bool `json:"documents_stale,omitempty"`
	// When it ended. Absent until then.
	EndedAt *string `json:"ended_at,omitempty"`
	// The score that workflow.pricing.calculate has set. Absent until then.
	EvaluationScore *json.Number `json:"evaluation_score,omitempty"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first
	// calculation takes over.
	PreviousWorkflowID *string `json:"previous_workflow_id,omitempty"`
	// A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules
	// that is in force for this workflow today; once it has ENDED, the one that its last calculation used.
	// Absent where there is none.
	RuleVersionID *string `json:"rule_version_id,omitempty"`
	// When the score was set. Absent until then.
	ScoreCalculatedAt *string `json:"score_calculated_at,omitempty"`
	// When it was started. Absent until then.
	StartedAt *string `json:"started_at,omitempty"`
}

// WorkflowFacts is an object of the API.
type WorkflowFacts struct {
	// The currency of the account, ISO 4217.
	Currency string `json:"currency"`
	// The values of facts that the account declares itself, by name.
	Custom map[string]json.RawMessage `json:"custom"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
	// The score that workflow.pricing.calculate has set. Absent until then.
	EvaluationScore *json.Number `json:"evaluation_score,omitempty"`
}

// WorkflowFindingsChangedContent: A calculation has changed the findings of a workflow. workflow.get
// has their messages and reasons.
type WorkflowFindingsChangedContent struct {
	// The findings that are new.
	Added []FindingRef `json:"added"`
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// The findings that no longer hold.
	Removed []FindingRef `json:"removed"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WorkflowListData is an object of the API.
type WorkflowListData struct {
	// Pass it as page.after for the next page; null on the last one.
	Next *string `json:"next"`
	// The workflows, newest first.
	Workflows []ListedWorkflow `json:"workflows"`
}

// WorkflowListRequest is an object of the API.
type WorkflowListRequest struct {
	// An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
	AccountID string `json:"account_id"`
	// Only what matches all of these.
	Filters *WorkflowListRequestFilters `json:"filters,omitempty"`
	// Which page of the list: see Lists and pages.
	Page *Page `json:"page,omitempty"`
}

// WorkflowListRequestFilters is an object of the API.
type WorkflowListRequestFilters struct {
	// A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
	BusinessID *string `json:"business_id,omitempty"`
	// Only workflows with this documents_stale, which a workflow has from its first calculation on.
	DocumentsStale *bool `json:"documents_stale,omitempty"`
	// Printable ASCII without blanks.
	ExternalID *string `json:"external_id,omitempty"`
	// Whether documents.pending or documents.needs_review is more than 0.
	OpenDocuments *bool `json:"open_documents,omitempty"`
	// Whether documents.overdue is more than 0.
	Overdue *bool `json:"overdue,omitempty"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State *string `json:"state,omitempty"`
}

// WorkflowPricingCalculatedContent: The evaluation score of a workflow was calculated.
type WorkflowPricingCalculatedContent struct {
	// A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
	DecisionID string `json:"decision_id"`
	// The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
	Digest string `json:"digest"`
	// The score that was calculated.
	EvaluationScore json.Number `json:"evaluation_score"`
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WorkflowRequest is an object of the API.
type WorkflowRequest struct {
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
}

// WorkflowStartedContent: A workflow was started. One that is created as STARTED sends this event
// after WORKFLOW_CREATED.
type WorkflowStartedContent struct {
	// The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record,
	// the higher is right.
	Sequence int64 `json:"sequence"`
	// Where it stands. One of CREATED, STARTED, ENDED.
	State string `json:"state"`
	// Who caused the event.
	UserContext CommonUserContext `json:"user_context"`
	// The version of the content's form.
	Version string `json:"version"`
	// The workflow.
	WorkflowID string `json:"workflow_id"`
	// true when webhook.event.replay sent the event.
	Replay *bool `json:"replay,omitempty"`
	// true when webhook.config.test sent the event: it is an example, and has not happened.
	Test *bool `json:"test,omitempty"`
}

// WorkflowUpdateRequest is an object of the API.
type WorkflowUpdateRequest struct {
	// The fields of the workflow.
	Workflow WorkflowUpdateRequestWorkflow `json:"workflow"`
	// A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
	WorkflowID string `json:"workflow_id"`
}

// WorkflowUpdateRequestWorkflow is an object of the API.
type WorkflowUpdateRequestWorkflow struct {
	// Values of facts that the account declares itself, by name; see account.fact.list. Only the names
	// that are sent change; null removes a value.
	Custom Optional[map[string]any] `json:"custom,omitzero"`
	// Printable ASCII without blanks. Your own id of the record, unique in the account (business,
	// workflow) or in the business (person). It is no fact, so it changes neither updated_at nor a
	// calculation, and no event carries it.
	ExternalID Optional[string] `json:"external_id,omitzero"`
}
