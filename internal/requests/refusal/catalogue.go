package refusal

import (
	"maps"
	"slices"
)

// Words describe a code: its cause, and what the caller can do.
type Words struct{ Cause, Cure string }

// Codes lists every code, by name.
func Codes() []Code { return slices.Sorted(maps.Keys(statuses)) }

// SubCodes lists every sub-code, by name.
func SubCodes() []SubCode { return slices.Sorted(maps.Keys(subCodeWords)) }

// WarningCodes lists every code of a warning, by name.
func WarningCodes() []WarningCode { return slices.Sorted(maps.Keys(warningWords)) }

// EntityTypes lists the entity types of refusals, by name.
func EntityTypes() []string {
	return []string{
		EntityAccount, EntityBusiness, EntitySalesInfo, EntityDecision, EntityDocumentRules, EntityPerson, EntityRequiredDocument,
		EntityWebhookKey, EntityWebhookConfig, EntityWebhookDelivery, EntityWebhookEvent, EntityRecalculation, EntityRun, EntityWorkflow,
	}
}

// Words describe the code; false for one without.
func (c Code) Words() (Words, bool) { w, ok := codeWords[c]; return w, ok }

// Words describe the sub-code; false for one without.
func (c SubCode) Words() (Words, bool) { w, ok := subCodeWords[c]; return w, ok }

// WarningWords describe the code of a warning; false for one without.
func WarningWords(code WarningCode) (Words, bool) { w, ok := warningWords[code]; return w, ok }

var codeWords = map[Code]Words{
	AuthElementRequired: {
		"The credential must sign more than the request signs, or a header that belongs to an element was sent and its element is not listed.",
		"List the element that the message names in X-API-Signed-Elements, and sign again. " +
			"Sign all six: API-Key, HTTP-Verb, URL-Path, Timestamp, Nonce, Content-SHA256; and API-Version and Idempotency-Key when you send those headers.",
	},
	AuthInvalidAPIKey: {
		"X-API-Key names no credential, or one that was revoked or has expired.",
		"Check the key, and that it is of this environment: live keys begin with lv_, those of the sandbox with sb_. " +
			"Ask the operator for a new credential when it was revoked or has expired.",
	},
	AuthInvalidAuthToken: {
		"The auth token is not the one that belongs to the API key.",
		"Send the token that was shown with this API key when the credential was made.",
	},
	AuthInvalidHeader: {
		"A header of the signature is malformed: " +
			"another scheme, loose Base64, an unknown or repeated element, a malformed timestamp or nonce, or a header that was sent twice.",
		"Correct the header that the message names.",
	},
	AuthMissingHeader: {
		"Authorization, X-API-Key or X-API-Auth-Token is absent, or an element is listed and its header is not sent.",
		"Send the header that the message names. Check that no proxy removes it.",
	},
	AuthNonceReused: {
		"A request with this nonce was accepted from this API key during the last 15 minutes.",
		"Make a new nonce for every request, each retry included, and sign again.",
	},
	AuthSignatureMismatch: {
		"The signature is not that of this request, or the body does not have the hash that was signed.",
		"Compare received_path with the path that you signed: a proxy may have removed a prefix. " +
			"Sign the bytes that you send: the same body, the path as sent, the elements in the order in which they are listed, " +
			"joined by single line feeds. Decode the secret key from Base64 before you use it. " +
			"Sign a request for meta.whoami: the message of its refusal has the string to sign. " +
			"The signed request on this page shows each step.",
	},
	AuthTimestampExpired: {
		"X-API-Timestamp is more than five minutes from the server's clock. server_time is that clock, difference_seconds how far it is ahead of the timestamp.",
		"Set your clock, send Unix seconds (not milliseconds), and sign at the time of sending.",
	},
	BadRequest: {
		"The request cannot be understood, or a value in it is not allowed. details lists every problem: the field, and what is wrong with it.",
		"Correct the fields that details names. Names are case-sensitive, and unknown or repeated names are problems too.",
	},
	EntityNotFound: {
		"There is no record with this id among those of your credential. A record of another organization or environment answers the same.",
		"Check entity_id, and that the credential is of the environment in which the record was made.",
	},
	Forbidden: {
		"The credential lacks a permission that the operation needs.",
		"Use a credential that has the permissions that the message names, or ask the operator for one.",
	},
	IdempotencyKeyReused: {
		"This Idempotency-Key was sent before with another body.",
		"Use a new key for a new request. To repeat a request, send the same bytes.",
	},
	InternalError: {
		"The service failed. The request is not the cause.",
		"Repeat the request with the same Idempotency-Key; if that does not help, report meta.trace_id to the operator.",
	},
	MethodNotAllowed: {
		"The operation was called with another method than POST.",
		"Send POST.",
	},
	MissingRequirements: {
		"The account's rules, or its pricing model, need data that is not on record. " +
			"details lists every gap: whose data, which fields, and the operations that supply them.",
		"Supply what each entry of details asks for with its related_endpoints, then repeat the request. The same Idempotency-Key may be used.",
	},
	RequestInProgress: {
		"A request with the same Idempotency-Key is still running.",
		"Repeat the request in a second to get the outcome.",
	},
	RequestTooLarge: {
		"The body is larger than the operation accepts: 64 KiB, or 1 MiB where a request holds rules.",
		"Send less in one request.",
	},
	StillRunning: {
		"The run took longer than a request waits. It goes on; temporal_workflow_id and temporal_run_id name it for the operator.",
		"Repeat the request with the same Idempotency-Key to get its outcome; without one, read the record.",
	},
	SystemRuleViolation: {
		"The request is understood, and a rule of the system forbids it now. sub_code names the rule; entity_type and entity_id name the record.",
		"See the sub_code.",
	},
	TooManyRequests: {
		"You have reached a limit. details name its size, its scope and what it limits.",
		"Wait for as many seconds as Retry-After says, then sign and send the request again.",
	},
	Unavailable: {
		"The service, its database or its workflow engine is unavailable or overloaded.",
		"Wait for as many seconds as Retry-After says, then sign and send the request again with the same Idempotency-Key.",
	},
	UnknownOperation: {
		"The path names no operation.",
		"Check the spelling and the case: the path is the operation's name after one slash, such as /workflow.get.",
	},
	UnknownVersion: {
		"X-API-Version names a version that does not exist.",
		"Send a version that this page lists, or leave the header out. meta.version names the newest.",
	},
	UnsupportedMediaType: {
		"The body is not sent as plain JSON in UTF-8.",
		"Send Content-Type: application/json once, and no Content-Encoding.",
	},
}

var subCodeWords = map[SubCode]Words{
	ApprovalRequired: {
		"The rules of this account come into force only when a second person approves them.",
		"Propose the rules with account.documentRules.proposal.create, and have another person approve them.",
	},
	BusinessErased: {
		"The operator has erased the personal data of this business. Nothing about it changes any more.",
		"Create a new business if the applicant applies again.",
	},
	BusinessLimitExceeded: {
		"The account has as many businesses on record as it may have.",
		"Ask the operator for a higher quota.",
	},
	CursorUnknown: {
		"page.after belongs to a state that a restore from a backup has lost.",
		"Start without page.after, with filters.since five minutes before your last event, and drop events that you know by their id.",
	},
	DailyLimitExceeded: {
		"100 webhook keys were created for this account today (UTC).",
		"Use a key that you have, or create one tomorrow. This outcome is kept for the Idempotency-Key: use a new one then.",
	},
	DecisionLimitExceeded: {
		"1,000 decisions were made about this workflow today (UTC).",
		"Calculate when something has changed, and not in a loop. Try again tomorrow.",
	},
	ExternalIDExists: {
		"Another record has this external_id: a business or a workflow of the same account, or a person of the same business. entity_id names that record.",
		"Use the record that entity_id names, or another external_id.",
	},
	FactLimitExceeded: {
		"The account has declared 500 names of facts in its rules and its pricing models, or would with this version. A name counts for ever.",
		"Use names that the account has declared already: account.fact.list answers them.",
	},
	FindingsOpen: {
		"With strict: the workflow has findings of kind HOLD or DECLINE. details list all that is not done.",
		"See findings of workflow.get. " +
			"A finding ends when a calculation finds its condition false: state the fact that it waits for, then calculate and complete again.",
	},
	FactsKeepChanging: {
		"The facts or the rules changed each time before the result could be saved, for about a minute. " +
			"Nothing was written, and no outcome is kept for the Idempotency-Key.",
		"Finish the changes to the business, its persons and its sales info. Then repeat the request.",
	},
	InvalidStatusChange: {
		"The document cannot move from its status to the requested one. " +
			"PENDING moves to NEEDS_REVIEW or COMPLETED; NEEDS_REVIEW to COMPLETED or PENDING; COMPLETED and WAIVED to PENDING. " +
			"One that is PENDING or NEEDS_REVIEW can be waived, and may keep its status where evidence, reviewed_by or note is stated. " +
			"Only calculations set INACTIVE.",
		"Read the document's status, and make a move that the message names.",
	},
	DocumentChanged: {
		"Another decision has changed the document since the one that decision_id names.",
		"Read the document again, look at what has changed, and send its new decision_id.",
	},
	DocumentExists: {
		"The workflow requires a document with this code of the same entity already. entity_id names it.",
		"Use that document, or another document_type_code.",
	},
	DocumentLimitExceeded: {
		"The workflow has 200 documents that were required by hand, the most that there may be.",
		"Write a rule for documents that many applications need.",
	},
	DocumentsNotCalculated: {
		"With strict: the account has rules, and the required documents of the workflow were never calculated. details list all that is not done.",
		"Call workflow.requiredDocument.calculate, then complete the workflow again.",
	},
	DocumentsNotCompleted: {
		"With strict: required documents are PENDING or NEEDS_REVIEW, or their approval has lapsed.",
		"Complete or waive them, then complete the workflow again.",
	},
	DocumentsStale: {
		"With strict: facts or rules have changed since the required documents were calculated. details list all that is not done.",
		"Call workflow.requiredDocument.calculate, then complete the workflow again.",
	},
	EvidenceExpired: {
		"The evidence does not suffice, because an entry has expired, or expires sooner than valid_for allows.",
		"Ask the applicant for valid evidence. details name the entries.",
	},
	EvidenceRequired: {
		"The document asks for evidence, and the entries lack what it asks for: a code of any_of, issued_on, expires_on, or entries for at_least or all_of.",
		"State evidence with the fields that details name.",
	},
	EvidenceTooOld: {
		"No entry of the evidence suffices, because the evidence is older than not_older_than allows.",
		"Ask the applicant for newer evidence. details name the entries.",
	},
	DeliveryCanceled: {
		"The endpoint of this delivery was deleted.",
		"Create an endpoint; it gets the events from then on.",
	},
	DeliveryEnded: {
		"The delivery has ended, so it cannot be canceled.",
		"Nothing is left to do. webhook.delivery.retry sends a FAILED one again.",
	},
	DeliveryHeld: {
		"Nothing can be sent now: the account has no active key, or the endpoint is disabled.",
		"Activate a key, or enable the endpoint with webhook.config.update. The service then sends the deliveries that are HELD.",
	},
	KeyActive: {
		"The key is the account's active one.",
		"Activate another key first, which deletes this one.",
	},
	KeyDeleted: {
		"The key was deleted, or replaced by another, and cannot be used again.",
		"Create a new key with webhook.key.create.",
	},
	MaxWebhookURLLimit: {
		"The account has 20 endpoints, the most that there may be.",
		"Delete one with webhook.config.delete first.",
	},
	PersonLimitExceeded: {
		"The business has as many persons on record as it may have.",
		"Delete persons who no longer belong to it.",
	},
	PersonsOnRecord: {
		"no_persons_attested cannot be true while persons are on record.",
		"Delete the persons with person.delete, or leave no_persons_attested out.",
	},
	ProposalDecided: {
		"The proposal was approved or rejected before.",
		"Read it with account.documentRules.proposal.get. To try again, make another proposal.",
	},
	ProposalLimitExceeded: {
		"The account has 20 open proposals, the most that there may be.",
		"Approve or reject some first.",
	},
	ProposalOutdated: {
		"Rules were published after the proposal was made, or its effective_from has passed.",
		"Compare the proposed rules with the newest version, and propose them again.",
	},
	RecalculationInProgress: {
		"The account is being recalculated, and one recalculation at a time runs for each account.",
		"Ask account.recalculation.get for its progress, and start another when it has ended.",
	},
	ReplayInProgress: {
		"Events are being replayed to this endpoint, and one replay at a time goes to each.",
		"Ask webhook.event.replayed for its progress, and replay again when it has ended.",
	},
	PricingNotConfigured: {
		"The account has no pricing model.",
		"Ask the operator to publish one.",
	},
	RuleNotEvaluable: {
		"A condition has no result for the facts on record, for example because it divides by zero. Nothing was changed.",
		"Correct the data or the rule that the message names.",
	},
	RulesNotPublished: {
		"The account has no rules in force.",
		"Publish rules with account.documentRules.publish, or wait for the first day of those that are coming.",
	},
	SalesInfoExists: {
		"The business has a sales info record. It cannot be edited.",
		"Name it in replaces, which puts the new one in its place in one step. business.get has its id, sales_info_id.",
	},
	SecondPersonRequired: {
		"Somebody of the same name made the proposal: " +
			"names are one if they differ only in case, blanks, the form of accents or invisible characters. " +
			"Or both are operators: at least one of the two persons is a credential.",
		"Have another person approve it, with a credential of another name.",
	},
	SizeLimitExceeded: {
		"The account has published and proposed as many bytes of rules in the last 30 days as it may.",
		"Publish smaller rules, or publish when the oldest of these versions and proposals are 30 days old.",
	},
	URLAlreadyExists: {
		"The account has an endpoint with this URL.",
		"Change that endpoint with webhook.config.update, or use another URL.",
	},
	VersionLimitExceeded: {
		"The account has published and proposed as many versions of its rules today (UTC) as it may. " +
			"Or it has as many versions for NEW workflows, coming or in force, as it may.",
		"Try rules with account.documentRules.validate and .preview, and publish tomorrow. Or publish for ALL workflows, which replaces those for NEW ones.",
	},
	WaitingLimitExceeded: {
		"Too many deliveries wait at the account's endpoints.",
		"Enable the endpoints, activate a key or repair the receivers, and repeat the request when fewer wait.",
	},
	WorkflowAlreadyStarted: {
		"The workflow is STARTED already.",
		"Nothing is left to do: workflow.create starts a workflow unless it is told not to.",
	},
	WorkflowEnded: {
		"The workflow is ENDED, and accepts no further changes.",
		"Open a new workflow for the business. This outcome is kept for the Idempotency-Key.",
	},
	WorkflowLimitExceeded: {
		"The business has as many workflows as it may have.",
		"Continue one that it has, or ask the operator for a higher quota.",
	},
	WorkflowNotEnded: {
		"workflow.previous_workflow_id names a workflow that has not ended. entity_id names it.",
		"Complete that workflow first, or leave previous_workflow_id out.",
	},
	WorkflowNotStarted: {
		"The workflow is CREATED, and only a STARTED one can be completed.",
		"Call workflow.start first.",
	},
}

// The codes of warnings.
const (
	CategoryCodeWithoutDigit WarningCode = "CATEGORY_CODE_WITHOUT_DIGIT"

	DateLooksLikeDefault WarningCode = "DATE_LOOKS_LIKE_DEFAULT"
	EndpointDisabled     WarningCode = "ENDPOINT_DISABLED"

	NameHasInvisibleCharacters WarningCode = "NAME_HAS_INVISIBLE_CHARACTERS"

	NoApprover            WarningCode = "NO_APPROVER"
	NothingFailed         WarningCode = "NOTHING_FAILED"
	NothingToUpdate       WarningCode = "NOTHING_TO_UPDATE"
	OwnershipExceeds100   WarningCode = "OWNERSHIP_EXCEEDS_100"
	PersonMayBeOnRecord   WarningCode = "PERSON_MAY_BE_ON_RECORD"
	PhoneNumberTooShort   WarningCode = "PHONE_NUMBER_TOO_SHORT"
	ReplacesComingVersion WarningCode = "REPLACES_COMING_VERSION"
	ScoreOutdated         WarningCode = "SCORE_OUTDATED"
	SecretAlreadyShown    WarningCode = "SECRET_ALREADY_SHOWN"
	SecretNotTaken        WarningCode = "SECRET_NOT_TAKEN"
)

const beforeCompleting = "Before workflow.complete, see workflow.get: " +
	"nothing is open when documents_calculated_at is set, documents_stale is false, pending and needs_review of documents are 0, " +
	"and findings is empty. With strict, workflow.complete refuses."

var warningWords = map[WarningCode]Words{
	CategoryCodeWithoutDigit: {
		"A code in industry_category_code has no digit. Codes of MCC, NAICS, SIC, NACE and ISIC have some. It was accepted, as codes of your own are.",
		"Check the code that the message names. Rules compare codes as texts, so a name such as banana is in none of their lists.",
	},
	DateLooksLikeDefault: {
		"A date is one that programs write when they know none: 1899-12-30, 1900-01-01 or 1970-01-01. It was accepted.",
		"Check the date that the message names. If it is not known, clear it with null.",
	},
	WarningCode(DocumentsNotCalculated): {
		"The workflow was completed although the account has rules and its required documents were never calculated.",
		beforeCompleting,
	},
	WarningCode(DocumentsNotCompleted): {
		"The workflow was completed although required documents are PENDING or NEEDS_REVIEW, or their approval has lapsed.",
		beforeCompleting,
	},
	WarningCode(FindingsOpen): {
		"The workflow was completed although it has findings.",
		beforeCompleting,
	},
	WarningCode(DocumentsStale): {
		"The workflow was completed although facts or rules have changed since its required documents were calculated.",
		beforeCompleting,
	},
	EndpointDisabled: {
		"The endpoint is disabled, so nothing was sent.",
		"Enable it with webhook.config.update. The service then sends its deliveries.",
	},
	NameHasInvisibleCharacters: {
		"A name has a soft hyphen, a zero-width space, a word joiner, a byte order mark, or a character that changes the direction of text. It was accepted.",
		"Check the name in the field that the message names, and send it without these characters.",
	},
	NoApprover: {
		"No credential of the account may approve the proposal: " +
			"the permission approve_rules is given by name alone, and needs a credential of another name than the proposer's.",
		"Ask the operators of the service for a credential with approve_rules. An operator can approve only what a credential has proposed.",
	},
	NothingFailed: {
		"No delivery to the endpoint was FAILED, so nothing was sent again. Other deliveries to it wait.",
		"Send those that are PENDING or RETRYING now with webhook.config.flush. HELD ones follow when the account has an active key and the endpoint is enabled.",
	},
	NothingToUpdate: {
		"The update names no field of the record, so nothing has changed.",
		"Name the fields to change, in the object that the message names. null clears one. A field that you leave out stays.",
	},
	OwnershipExceeds100: {
		"The persons of this business own more than 100 percent together.",
		"Correct ownership_percentage with person.update.",
	},
	PersonMayBeOnRecord: {
		"A person with these names and this date of birth is on record in the business, or stands twice in the request. The person was recorded.",
		"If the two are one person, delete one with person.delete.",
	},
	PhoneNumberTooShort: {
		"A telephone number has fewer than 7 digits. It was accepted.",
		"Check the number in the field that the message names, and send it with its country code.",
	},
	ReplacesComingVersion: {
		"A version of the rules that was to come into force is replaced by one that does so no later and for no fewer workflows: it never comes into force.",
		"Nothing, if that was meant. Otherwise publish the rules of that version again, with their effective_from.",
	},
	WarningCode(SalesInfoExists): {
		"With validate_only: the business has a sales info record that replaces does not name, so the service would refuse the same request without validate_only.",
		"Name the record in replaces, or remove it with business.salesInfo.delete before you create the new one.",
	},
	ScoreOutdated: {
		"Facts have changed since evaluation_score was calculated. The calculation used the old score.",
		"Call workflow.pricing.calculate, then calculate the required documents again.",
	},
	SecretAlreadyShown: {
		"The response has no shared_secret. It is shown only once, and an earlier response to this request was given it; " +
			"or the request asked for such a response with X-Sandbox-Answer.",
		"If you do not have the secret, create another key and leave this one INACTIVE.",
	},
	SecretNotTaken: {
		"A key was activated although no response of webhook.key.create has contained its shared_secret: nobody can decrypt the account's webhooks.",
		"Create another key, store its shared_secret, and activate it: every later attempt uses it.",
	},
}
