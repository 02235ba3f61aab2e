package spec

import (
	"fmt"
	"maps"
	"strings"

	"requisite/internal/rules/document"
)

// Words returns descriptions of fields and enums. The key of a field is SCHEMA.field if fields of the
// name have several meanings, or else its name. The key of an enum is its name. A description under
// SCHEMA.field replaces the one in the field's tag. One under the name applies if the tag has none. The
// description of the enum applies if the field has no other.
func Words() map[string]string {
	w := maps.Clone(words)
	w["RequiredDocumentStatus"] = documentStatuses
	w["DocumentData.status"] = documentStatuses + " " + documentMoves()
	w["DocumentUpdateRequestRequiredDocument.status"] = documentMoves()
	return w
}

const documentStatuses = "PENDING: it is awaited. NEEDS_REVIEW: somebody must look at it. COMPLETED: it is approved. " +
	"WAIVED: it is not needed. INACTIVE: it is no longer required."

// documentMoves says which moves of workflow.requiredDocument.update and waive are allowed.
func documentMoves() string {
	var moves []string
	for _, from := range []document.Status{document.Pending, document.NeedsReview, document.Completed, document.Waived} {
		moves = append(moves, fmt.Sprintf("%s to %s", from, strings.Join(Texts(document.Moves(from)...), " or ")))
	}
	return "An update may move " + strings.Join(moves, ", ") + "; or leave PENDING and NEEDS_REVIEW as they are, with new evidence, reviewed_by or note. " +
		"workflow.requiredDocument.waive moves PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from INACTIVE. Any other move is INVALID_STATUS_CHANGE."
}

var words = map[string]string{
	// Enums.
	"EventType":                  "What has happened.",
	"WorkflowState":              "CREATED, then STARTED by workflow.start, then ENDED by workflow.complete.",
	"RequiredDocumentEntityType": "What the document, finding or rule concerns: the workflow, its business, or a person of the business.",
	"WebhookKeyStatus":           "INACTIVE: never activated. ACTIVE: webhooks are encrypted with it. DELETED: another was activated since, or it was deleted.",
	"WebhookConfigStatus":        "ACTIVE: webhooks are sent to it. DISABLED: its events wait until it is enabled.",
	"WebhookDeliveryStatus":      "PENDING: not attempted yet. RETRYING: attempted again. HELD: waits for an active key, or for the endpoint to be enabled. DELIVERED: the endpoint took it. FAILED: given up, and can be recovered. CANCELED: the endpoint is deleted.",
	"WebhookDeliveryCause":       "Why it waits.",
	"SalesAmountType":            "Which figure of the business's sales it is.",
	"RefusalEntityType":          "What kind of record the refusal concerns.",
	"GapCode":                    "FIELDS_REQUIRED: facts are missing. CALCULATED_PRICING_REQUIRED: workflow.pricing.calculate must run first.",
	"GapEntityType":              "What kind of record has the facts, or lacks them.",
	"RefusalSubCode":             "Which rule of the service the request breaks.",
	"WarningCode":                "What the warning is about.",

	// Fields of many records.
	"account_id":     "The account.",
	"address":        "The business's address; null where none is on record.",
	"created_at":     "When the record was made.",
	"currency":       "The currency of the amount, ISO 4217.",
	"custom":         "The values of facts that the account declares itself, by name.",
	"ended_at":       "When it ended. Absent until then.",
	"external_id":    "Your own id of the record.",
	"started_at":     "When it was started. Absent until then.",
	"state":          "Where it stands.",
	"updated_at":     "When the record was last changed.",
	"workflow_id":    "The workflow.",
	"page":           "Which page of the list: see Lists and pages.",
	"filters":        "Only what matches all of these.",
	"rule":           "The code of the rule.",
	"entity_id":      "The id of the workflow, business or person.",
	"entity_name":    "The name of that person, or the legal_name of that business, as it is on record at the time of the answer. Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential without the permission read always.",
	"message":        "One sentence for people. The wording may change.",
	"reasons":        "Why it is required: one for each rule.",
	"facts":          "The facts that decided, by the names that rules use.",
	"trace_id":       "Names the request in the logs and the runs of the service.",
	"user_type":      "API_KEY: a credential. SYSTEM: the service or its operator.",
	"digest":         "The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later.",
	"decided_by":     "Who asked for the decision.",
	"decided_at":     "When it was decided.",
	"version":        "The number of the version: 1, 2, 3.",
	"version_id":     "The version of the rules.",
	"warnings":       "What is worth reading about a request that succeeded. Absent where there is nothing.",
	"key_id":         "The id of the webhook key.",
	"activated_at":   "When the key became ACTIVE. Absent until then.",
	"deleted_at":     "When the key was DELETED. Absent until then.",
	"status":         "Where it stands.",
	"event_type":     "What has happened.",
	"first_name":     "The person's first name.",
	"last_name":      "The person's last name.",
	"date_of_birth":  "The person's date of birth.",
	"citizenship":    "The code of the person's citizenship.",
	"email":          "The e-mail address.",
	"url":            "Where webhooks are sent.",
	"kind":           "What kind of decision it is.",
	"code":           "Which refusal it is.",
	"entity_type":    "What kind of record it concerns.",
	"attempt_count":  "How many attempts were made.",
	"last_error":     "Why the last attempt failed. Absent where it did not.",
	"applies_to":     "ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on.",
	"keep_approvals": "The document type codes whose approvals hold although their text changes; * is all.",
	"comment":        "What the person who published or proposed the rules said about them.",
	"proposed_at":    "When the rules were proposed.",
	"name":           "The name, for people.",
	"category":       "The category that the rule gives the document.",
	"evidence":       "What was handed in, as a reviewer stated it.",
	"reviewed_by":    "Who has reviewed.",
	"note":           "The reviewer's note.",
	"explanation":    "Why the document is needed, in words for the applicant.",
	"any_of":         "Options, of which any one suffices, or at_least many.",
	"all_of":         "Kinds of evidence that are needed together, in place of a code and a name.",
	"at_least":       "How many options are needed: with fewer options, all. Absent where one suffices.",
	"never_expires":  "Whether the evidence is valid for ever.",
	"must_be_valid":  "Whether evidence must be valid, by its expires_on.",

	// Requests and lists.
	"accounts":                          "The accounts, newest first.",
	"businesses":                        "The businesses, newest first.",
	"configs":                           "The endpoints, newest first.",
	"decisions":                         "The decisions, newest first.",
	"deliveries":                        "The deliveries, newest first.",
	"events":                            "The events, in the order that the request asks for.",
	"keys":                              "The keys, newest first.",
	"proposals":                         "The proposals, newest first.",
	"versions":                          "The versions, newest first.",
	"workflows":                         "The workflows, newest first.",
	"business":                          "The fields of the business.",
	"config":                            "The fields of the endpoint.",
	"document":                          "The document to require.",
	"person":                            "The fields of the person.",
	"sales_info":                        "The stated sales. Absent where none are on record.",
	"workflow":                          "The fields of the workflow.",
	"SalesInfoCreateRequest.sales_info": "The sales of the business.",
	"required_document":                 "The status to move to, and what was reviewed.",

	// Businesses, persons and sales.
	"AccountData.name":       "The name of the account.",
	"legal_name":             "The registered name of the business.",
	"operating_name":         "The name that the business trades under.",
	"established_date":       "When the business was founded; null where it is not on record.",
	"industry_category_code": "The codes of the business's industries.",
	"website":                "The address of the business's website.",
	"phone_number":           "The phone number of the business.",
	"no_persons_attested":    "Whether the platform has stated that the business has no persons.",
	"person_ids":             "The persons of the business.",
	"country_of_residence":   "The code of the country where the person lives.",
	"line1":                  "The street and number.",
	"line2":                  "The rest of the street address.",
	"city":                   "The town.",
	"region":                 "The state, province or canton.",
	"postal_code":            "The postal code.",
	"sales_amount":           "The stated amounts, each type once.",
	"Facts.business":         "The business on file.",
	"Facts.persons":          "The persons of the business on file.",
	"Facts.workflow":         "What is on file of the workflow itself.",
	"WorkflowFacts.currency": "The currency of the account, ISO 4217.",
	"FactData.label":         "What people call the fact.",
	"FactData.name":          "The name of the fact in custom, and in rules.",
	"FactData.type":          "The type of its values.",

	// Workflows, documents and findings.
	"evaluation_score":                        "The score that workflow.pricing.calculate has set. Absent until then.",
	"score_calculated_at":                     "When the score was set. Absent until then.",
	"document_type_code":                      "The code of the document's type.",
	"required_document_id":                    "The id of the required document.",
	"DocumentOption.when":                     "The condition under which the option is offered. Absent where it always is.",
	"OptionPart.requirement_text":             "What this evidence must show. Absent where it is as for the document.",
	"DocumentOption.requirement_text":         "What evidence for this option must show. Absent where it is as for the document.",
	"requirement_text":                        "What the document must show.",
	"previous_status":                         "The status before.",
	"due_on":                                  "The last day on which it is due, in the account's time zone. Absent where it has none.",
	"issued_on":                               "The day on which the document was issued.",
	"expires_on":                              "The last day on which the document is valid.",
	"status_reason":                           "EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew.",
	"finding_code":                            "The code of the finding.",
	"FindingData.kind":                        "REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined.",
	"FindingRef.kind":                         "REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined.",
	"required_document_status":                "The status to list.",
	"DocumentsListRequestFilters.entity_type": "What kind of record the documents concern.",
	"pending":                                 "How many are PENDING, or COMPLETED by an approval whose valid_until has passed. An ENDED workflow counts the latter as COMPLETED.",
	"needs_review":                            "How many are NEEDS_REVIEW.",
	"completed":                               "How many are COMPLETED, without those that count as pending.",
	"waived":                                  "How many are WAIVED.",
	"inactive":                                "How many are INACTIVE.",

	// Decisions.
	"added":                                  "What is required now, and was not before.",
	"kept":                                   "What was required before, and still is.",
	"carried":                                "Of those added: whose approval is taken over from previous_workflow_id.",
	"reinstated":                             "Of those kept or restored: whose approval or waiver holds again.",
	"removed":                                "What is no longer required.",
	"reopened":                               "Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or a fact that it is bound to has changed.",
	"restored":                               "What was INACTIVE, and is required again.",
	"holds":                                  "Whether the rule's condition is true.",
	"points":                                 "What the rule adds to the evaluation score.",
	"RuleResult.reason":                      "Why. Absent once the personal data was erased.",
	"ManualText.reason":                      "Why the document was required by hand.",
	"RuleError.code":                         "Always RULE_NOT_EVALUABLE.",
	"text":                                   "What the document said when it was approved.",
	"PreviewedFindings.added":                "What would be found, and is not on record.",
	"PreviewedFindings.removed":              "What is on record, and would no longer be found.",
	"WorkflowFindingsChangedContent.added":   "The findings that are new.",
	"WorkflowFindingsChangedContent.removed": "The findings that no longer hold.",

	// Rules.
	"ChangedCodes.added":             "The codes that are new.",
	"ChangedCodes.changed":           "The codes whose rules differ.",
	"ChangedCodes.removed":           "The codes that are gone.",
	"base_version":                   "The number of the newest version when the rules were proposed.",
	"decision_comment":               "What the person said who approved or rejected it.",
	"proposal_comment":               "What the person said who proposed the rules.",
	"approved_by_type":               "API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential.",
	"decided_by_type":                "API_KEY: a credential. SYSTEM: an operator.",
	"proposed_by":                    "Who proposed the rules.",
	"proposed_by_type":               "API_KEY: a credential. SYSTEM: an operator.",
	"published_at":                   "When the version was published.",
	"published_by":                   "Who published the version.",
	"ProposalData.version":           "The number of the version that it became, when it was approved.",
	"ProposalListed.version":         "The number of the version that it became, when it was approved.",
	"ProposalData.comment":           "Why the rules are proposed.",
	"ProposalListed.comment":         "Why the rules are proposed.",
	"ProposalApproveRequest.comment": "Why; kept with the version.",
	"RulesPublishRequest.comment":    "Why; kept with the version.",
	"RulesChecked.warnings":          "What is allowed, and probably not what was meant.",
	"rules":                          "The rule set, as it was published or proposed.",
	"path":                           "Where in the rule set.",
	"FailingExample.name":            "The name of the example.",
	"FailingExample.message":         "What it expects, and what the rules give.",

	// Webhooks.
	"attempts":               "Each attempt, oldest first.",
	"number":                 "The number of the attempt: 1, 2, 3.",
	"AttemptData.started_at": "When the attempt began.",
	"AttemptData.key_id":     "The key that the webhook was encrypted with.",
	"duration_ms":            "How long the attempt took, in milliseconds.",
	"status_code":            "The HTTP status that the endpoint answered. Absent where it did not answer.",
	"error":                  "Why the attempt failed. Absent where it did not.",
	"temporal_run_id":        "The run of Temporal, for the operator.",
	"cause":                  "Why the delivery waits.",
	"count":                  "How many deliveries.",
	"description":            "Your own words about the endpoint.",
	"disabled_reason":        "Why it is disabled. Absent where it is not.",
	"health":                 "How deliveries to it go.",
	"timestamp":              "When it happened.",
	"id":                     "The event's id, which is webhook-id too. Every attempt and replay has the same: drop repeats by it.",
	"schema_version":         "The version of this form and of the content's.",
	"retry_count":            "How many attempts were made before.",
	"replay":                 "true when webhook.event.replay sent the event. Otherwise absent.",
	"user_context":           "Who caused the event.",

	// The API itself.
	"api_key":                  "The API key.",
	"CredentialData.name":      "The name of the credential.",
	"credential":               "The credential that signs the request.",
	"permissions":              "What the credential may do.",
	"environment":              "live or sandbox.",
	"organization_id":          "The organization of the credential.",
	"per_second":               "How many requests a second.",
	"current_version":          "The version that answers.",
	"latest_version":           "The newest version.",
	"Meta.status":              "SUCCESS, or ERROR of a refusal.",
	"ErrorMeta.status":         "Always ERROR.",
	"Failure.meta":             "About the answer.",
	"Failure.errors":           "One refusal.",
	"Warning.code":             "What the warning is about.",
	"RuleViolationDetail.code": "Of workflow.complete with strict: what is not done.",
	"Gap.code":                 "FIELDS_REQUIRED: facts are missing. CALCULATED_PRICING_REQUIRED: workflow.pricing.calculate must run first.",
	"fields":                   "The fields that are missing.",
	"related_endpoints":        "The operations that fill the gap, in the order to call them.",
	"sub_code":                 "Which rule of the service the request breaks.",

	// Fields that other records have too, with another description.
	"KeyActivateData.activated_at":                      "When the key became ACTIVE.",
	"PreviewedDocument.required_document_id":            "The id of the required document. Absent where it would be new.",
	"RecalculationData.started_at":                      "When it was started.",
	"ReplayedData.started_at":                           "When it was started.",
	"WorkflowPricingCalculatedContent.evaluation_score": "The score that was calculated.",
}
