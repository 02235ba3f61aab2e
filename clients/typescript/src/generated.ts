// Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.

import type { Event } from "./webhook.js";

/** The version of the API that this module was made from. */
export const VERSION = "2025-03-24";

/** The types of events. Later versions of the service may add some. */
export type EventType = "WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | (string & {});

/** The codes of refusals. Later versions of the service may add some. */
export type Code = "AUTH_ELEMENT_REQUIRED" | "AUTH_INVALID_API_KEY" | "AUTH_INVALID_AUTH_TOKEN" | "AUTH_INVALID_HEADER" | "AUTH_MISSING_HEADER" | "AUTH_NONCE_REUSED" | "AUTH_SIGNATURE_MISMATCH" | "AUTH_TIMESTAMP_EXPIRED" | "BAD_REQUEST" | "ENTITY_NOT_FOUND" | "FORBIDDEN" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_ERROR" | "METHOD_NOT_ALLOWED" | "MISSING_REQUIREMENTS" | "REQUEST_IN_PROGRESS" | "REQUEST_TOO_LARGE" | "STILL_RUNNING" | "SYSTEM_RULE_VIOLATION" | "TOO_MANY_REQUESTS" | "UNAVAILABLE" | "UNKNOWN_OPERATION" | "UNKNOWN_VERSION" | "UNSUPPORTED_MEDIA_TYPE" | (string & {});

/** The sub-codes of SYSTEM_RULE_VIOLATION. Later versions of the service may add some. */
export type SubCode = "APPROVAL_REQUIRED" | "BUSINESS_ERASED" | "BUSINESS_LIMIT_EXCEEDED" | "CURSOR_UNKNOWN" | "DAILY_LIMIT_EXCEEDED" | "DECISION_LIMIT_EXCEEDED" | "DELIVERY_CANCELED" | "DELIVERY_ENDED" | "DELIVERY_HELD" | "DOCUMENTS_NOT_CALCULATED" | "DOCUMENTS_NOT_COMPLETED" | "DOCUMENTS_STALE" | "DOCUMENT_CHANGED" | "DOCUMENT_EXISTS" | "DOCUMENT_LIMIT_EXCEEDED" | "EVIDENCE_EXPIRED" | "EVIDENCE_REQUIRED" | "EVIDENCE_TOO_OLD" | "EXTERNAL_ID_EXISTS" | "FACTS_KEEP_CHANGING" | "FACT_LIMIT_EXCEEDED" | "FINDINGS_OPEN" | "INVALID_STATUS_CHANGE" | "KEY_ACTIVE" | "KEY_DELETED" | "MAX_WEBHOOK_URL_LIMIT" | "PERSONS_ON_RECORD" | "PERSON_LIMIT_EXCEEDED" | "PRICING_NOT_CONFIGURED" | "PROPOSAL_DECIDED" | "PROPOSAL_LIMIT_EXCEEDED" | "PROPOSAL_OUTDATED" | "RECALCULATION_IN_PROGRESS" | "REPLAY_IN_PROGRESS" | "RULES_NOT_PUBLISHED" | "RULE_NOT_EVALUABLE" | "SALES_INFO_EXISTS" | "SECOND_PERSON_REQUIRED" | "SIZE_LIMIT_EXCEEDED" | "URL_ALREADY_EXISTS" | "VERSION_LIMIT_EXCEEDED" | "WAITING_LIMIT_EXCEEDED" | "WORKFLOW_ALREADY_STARTED" | "WORKFLOW_ENDED" | "WORKFLOW_LIMIT_EXCEEDED" | "WORKFLOW_NOT_ENDED" | "WORKFLOW_NOT_STARTED" | (string & {});

/** The codes of the problems of BAD_REQUEST. Later versions of the service may add some. */
export type ProblemCode = "REQUIRED" | "UNKNOWN_FIELD" | "UNKNOWN_VALUE" | "WRONG_TYPE" | "TOO_LONG" | "TOO_SHORT" | "TOO_LARGE" | "TOO_SMALL" | "WRONG_FORMAT" | "DUPLICATE" | "MALFORMED" | "INVALID_RULE" | "NOT_ALLOWED" | (string & {});

/** The codes of warnings. Later versions of the service may add some. */
export type WarningCode = "CATEGORY_CODE_WITHOUT_DIGIT" | "DATE_LOOKS_LIKE_DEFAULT" | "DOCUMENTS_NOT_CALCULATED" | "DOCUMENTS_NOT_COMPLETED" | "DOCUMENTS_STALE" | "ENDPOINT_DISABLED" | "FINDINGS_OPEN" | "NAME_HAS_INVISIBLE_CHARACTERS" | "NOTHING_FAILED" | "NOTHING_TO_UPDATE" | "NO_APPROVER" | "OWNERSHIP_EXCEEDS_100" | "PERSON_MAY_BE_ON_RECORD" | "PHONE_NUMBER_TOO_SHORT" | "REPLACES_COMING_VERSION" | "SALES_INFO_EXISTS" | "SCORE_OUTDATED" | "SECRET_ALREADY_SHOWN" | "SECRET_NOT_TAKEN" | (string & {});

/** The types of events that this module knows. */
export const EVENT_TYPES: readonly EventType[] = ["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"];

export interface AccountData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** When the record was made. */
  created_at: string;
  /** The currency of sales, ISO 4217. */
  currency: string;
  /** The name of the account. */
  name: string;
  /** The IANA name of the time zone in which days and ages count. */
  time_zone: string;
}

export interface AccountListData {
  /** The accounts, newest first. */
  accounts: Array<AccountData>;
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
}

export interface AccountListRequest {
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface AccountRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
}

export interface Address {
  /** The town. */
  city: string | null;
  /** ISO 3166-1 alpha-2, or XK for Kosovo. */
  country: string | null;
  /** The street and number. */
  line1: string | null;
  /** The rest of the street address. */
  line2: string | null;
  /** The postal code. */
  postal_code: string | null;
  /** The state, province or canton. */
  region: string | null;
}

export interface AddressFields {
  /** The town. */
  city?: string | null | undefined;
  /** An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo. */
  country?: string | null | undefined;
  /** The street and number. */
  line1?: string | null | undefined;
  /** The rest of the street address. */
  line2?: string | null | undefined;
  /** The postal code. */
  postal_code?: string | null | undefined;
  /** The state, province or canton. */
  region?: string | null | undefined;
}

export interface Approved {
  /** As the last calculation saw it; empty for a document of the workflow. */
  identity: Identity;
  /** What the document said when it was approved. */
  text: DocumentText;
  /** The version of the rules that has the text. */
  version_id?: string;
}

export interface AttemptData {
  /** The key that the webhook was encrypted with. */
  key_id: string;
  /** The number of the attempt: 1, 2, 3. */
  number: number;
  /** UNKNOWN when the service did not see the end of the attempt: it may have arrived. */
  outcome: "SENDING" | "SUCCEEDED" | "FAILED" | "UNKNOWN" | (string & {});
  /** When the attempt began. */
  started_at: string;
  /** The run of Temporal, for the operator. */
  temporal_run_id: string;
  /** The Temporal run that made the attempt. */
  temporal_workflow_id: string;
  /** The address that was connected to. */
  address?: string;
  /** How long the attempt took, in milliseconds. */
  duration_ms?: number;
  /** Why the attempt failed. Absent where it did not. */
  error?: string;
  /** At most 4 KiB of the answer. */
  response_body?: string;
  /** The HTTP status that the endpoint answered. Absent where it did not answer. */
  status_code?: number;
}

export interface BusinessCreateData {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** In the order of persons. Absent when none are stated. */
  person_ids?: Array<string>;
  /** A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when no sales are stated. */
  sales_info_id?: string;
}

export interface BusinessCreateRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** The fields of the business. */
  business: BusinessCreateRequestBusiness;
  /** The persons of the business, as in person.create. */
  persons?: Array<NewPerson> | undefined;
  /** The sales of the business, as in business.salesInfo.create. */
  sales_info?: NewSalesInfo | undefined;
}

export interface BusinessCreateRequestBusiness {
  /** The registered name of the business. */
  legal_name: string;
  /** Only the parts that are sent change; null removes a part, or the whole address. */
  address?: AddressFields | null | undefined;
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /** An e-mail address. */
  email?: string | null | undefined;
  /** Not after today in the account's time zone. */
  established_date?: string | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
  /** Leading zeros matter. A code stated twice is kept once. */
  industry_category_code?: Array<string> | null | undefined;
  /**
   * States that the business has no persons, so rules about persons do not report them as missing. Refused while
   * persons are on record. Adding a person sets it to false.
   */
  no_persons_attested?: boolean | null | undefined;
  /** The name that the business trades under. */
  operating_name?: string | null | undefined;
  /** The phone number of the business. */
  phone_number?: string | null | undefined;
  /** An http or https URL, such as https://www.example.com. */
  website?: string | null | undefined;
}

export interface BusinessData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** The business's address; null where none is on record. */
  address: Address | null;
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /** The e-mail address. */
  email: string | null;
  /** When the business was founded; null where it is not on record. */
  established_date: string | null;
  /** The codes of the business's industries. */
  industry_category_code: Array<string>;
  /** The registered name of the business. */
  legal_name: string;
  /** Whether the platform has stated that the business has no persons. */
  no_persons_attested: boolean;
  /** The name that the business trades under. */
  operating_name: string | null;
  /** The persons of the business. */
  person_ids: Array<string>;
  /** The phone number of the business. */
  phone_number: string | null;
  /** When the record was last changed. */
  updated_at: string;
  /** The address of the business's website. */
  website: string | null;
  /** When the operator erased the personal data. Nothing about the business changes from then on. */
  erased_at?: string;
  /** The stated sales. Absent where none are on record. */
  sales_info?: SalesInfoData;
}

export interface BusinessListData {
  /** The businesses, newest first. */
  businesses: Array<BusinessOnRecord>;
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
}

export interface BusinessListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Only what matches all of these. */
  filters?: ExternalIDFilter | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface BusinessOnRecord {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** The business's address; null where none is on record. */
  address: Address | null;
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /** The e-mail address. */
  email: string | null;
  /** When the business was founded; null where it is not on record. */
  established_date: string | null;
  /** Your own id of the record. */
  external_id: string | null;
  /** The codes of the business's industries. */
  industry_category_code: Array<string>;
  /** The registered name of the business. */
  legal_name: string;
  /** Whether the platform has stated that the business has no persons. */
  no_persons_attested: boolean;
  /** The name that the business trades under. */
  operating_name: string | null;
  /** The persons of the business. */
  person_ids: Array<string>;
  /** The phone number of the business. */
  phone_number: string | null;
  /** When the record was last changed. */
  updated_at: string;
  /** The address of the business's website. */
  website: string | null;
  /** When the operator erased the personal data. Nothing about the business changes from then on. */
  erased_at?: string;
  /** The stated sales. Absent where none are on record. */
  sales_info?: SalesInfoData;
}

export interface BusinessRequest {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
}

export interface BusinessUpdateRequest {
  /** The fields of the business. */
  business: BusinessUpdateRequestBusiness;
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
}

export interface BusinessUpdateRequestBusiness {
  /** Only the parts that are sent change; null removes a part, or the whole address. */
  address?: AddressFields | null | undefined;
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /** An e-mail address. */
  email?: string | null | undefined;
  /** Not after today in the account's time zone. */
  established_date?: string | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
  /** Leading zeros matter. A code stated twice is kept once. */
  industry_category_code?: Array<string> | null | undefined;
  /** The registered name of the business. */
  legal_name?: string | undefined;
  /**
   * States that the business has no persons, so rules about persons do not report them as missing. Refused while
   * persons are on record. Adding a person sets it to false.
   */
  no_persons_attested?: boolean | null | undefined;
  /** The name that the business trades under. */
  operating_name?: string | null | undefined;
  /** The phone number of the business. */
  phone_number?: string | null | undefined;
  /** An http or https URL, such as https://www.example.com. */
  website?: string | null | undefined;
}

export interface CarriedRef {
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The decision that approved. */
  from_decision_id: string;
  /** The id of the required document. */
  required_document_id: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /**
   * Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
   * evidence meets no option that is offered now.
   */
  changed_facts?: Array<string>;
  /** Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. */
  status_reason?: "TEXT_CHANGED" | "IDENTITY_CHANGED" | "FACTS_CHANGED" | "EXPIRED" | "RENEWAL_DUE" | (string & {});
}

export interface ChangedCodes {
  /** The codes that are new. */
  added: Array<string>;
  /** The codes whose rules differ. */
  changed: Array<string>;
  /** The codes that are gone. */
  removed: Array<string>;
}

export interface CommonUserContext {
  /** The name of the credential, or SYSTEM. */
  user_id: string;
  /** API_KEY: a credential. SYSTEM: the service or its operator. */
  user_type: "API_KEY" | "SYSTEM" | (string & {});
}

export interface ConfigCreateRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** The fields of the endpoint. */
  config: ConfigCreateRequestConfig;
}

export interface ConfigCreateRequestConfig {
  /** https://, a public host, port 443 or 8443; no user name, password or fragment. */
  url: string;
  /** How many attempts may be in flight at once; ten when left out or null. */
  concurrency?: number | null | undefined;
  /** Your own words about the endpoint. */
  description?: string | null | undefined;
  /**
   * The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
   * WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
   * account's other endpoints.
   */
  event_types?: Array<"WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED"> | null | undefined;
  /** How many attempts may begin in any second, retries included; no limit when left out or null. */
  rate_per_second?: number | null | undefined;
}

export interface ConfigData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** null is ten. */
  concurrency: number | null;
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** When the record was made. */
  created_at: string;
  /** Your own words about the endpoint. */
  description: string | null;
  /** null takes all but notices. */
  event_types: Array<"WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | (string & {})> | null;
  /** How deliveries to it go. */
  health: HealthData;
  /** null is no limit. */
  rate_per_second: number | null;
  /** Where it stands. */
  status: "ACTIVE" | "DISABLED" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** Where webhooks are sent. */
  url: string;
  /** Why it is disabled. Absent where it is not. */
  disabled_reason?: string;
}

export interface ConfigListData {
  /** The endpoints, newest first. */
  configs: Array<ConfigData>;
}

export interface ConfigRequest {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
}

export interface ConfigTestRequest {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /**
   * The type of the event, whether or not the endpoint takes it; WEBHOOK_TEST when left out. The content says
   * test. WEBHOOK_TEST names the endpoint; an event of another type is an example, whose records do not exist.
   */
  event_type?: "WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | undefined;
}

export interface ConfigUpdateRequest {
  /** The fields of the endpoint. */
  config: ConfigUpdateRequestConfig;
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
}

export interface ConfigUpdateRequestConfig {
  /** How many attempts may be in flight at once; ten when left out or null. */
  concurrency?: number | null | undefined;
  /** Your own words about the endpoint. */
  description?: string | null | undefined;
  /**
   * The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
   * WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
   * account's other endpoints.
   */
  event_types?: Array<"WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED"> | null | undefined;
  /** How many attempts may begin in any second, retries included; no limit when left out or null. */
  rate_per_second?: number | null | undefined;
  /** A disabled endpoint holds its deliveries until it is ACTIVE again. */
  status?: "ACTIVE" | "DISABLED" | undefined;
  /** Where webhooks are sent. */
  url?: string | undefined;
}

export interface CredentialData {
  /** The API key. */
  api_key: string;
  /** The name of the credential. */
  name: string;
  /** What the credential may do. */
  permissions: Array<"read" | "write" | "rules" | "approve_rules" | "keys" | "webhooks" | (string & {})>;
  /** strict signs all six elements, minimal may sign the API key alone. */
  signature_policy: "strict" | "minimal" | (string & {});
}

export interface DeadlinesApplyData {
  /** How many approvals have lapsed with their evidence. */
  expired: number;
  /** How many reminders of approvals that lapse soon were sent. */
  expiring: number;
  /** How many documents became overdue. */
  overdue: number;
  /** How many approvals have lapsed because it is time to renew them. */
  renewal_due: number;
}

export interface DecidedBy {
  /** The name of the credential, or SYSTEM for the operator. */
  user_id: string;
  /** API_KEY: a credential. SYSTEM: the service or its operator. */
  user_type: "API_KEY" | "SYSTEM" | (string & {});
}

export interface DecisionData {
  /** The account's local date, by which ages were counted. */
  as_of: string;
  /** When it was decided. */
  decided_at: string;
  /** Who asked for the decision. */
  decided_by: DecidedBy;
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** Whether the personal data was erased: facts and reasons are gone. */
  erased: boolean;
  /** What kind of decision it is. */
  kind: "CALCULATION" | "PRICING" | "DOCUMENT_STATUS" | "ERASURE" | (string & {});
  /** From 1, without gaps in the workflow. */
  number: number;
  /** What became of it, or the code of the refusal. */
  outcome: "CALCULATED" | "PRICED" | "UPDATED" | "CREATED" | "WAIVED" | "EXPIRED" | "ERASED" | "MISSING_REQUIREMENTS" | "RULE_NOT_EVALUABLE" | (string & {});
  /** The digest of the decision before; empty of the first. */
  previous_digest: string;
  /** Names the request in the logs and the runs of the service. */
  trace_id: string;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** What is required now, and was not before. */
  added?: Array<DocumentRef>;
  /** Of those added: whose approval is taken over from previous_workflow_id. */
  carried?: Array<CarriedRef>;
  /** Of a CREATED document. */
  created?: DocumentAdded;
  /** Of an UPDATED or WAIVED document: what was moved. */
  document?: DocumentMove;
  /** Why a rule had no answer. */
  error?: RuleError;
  /** Of a PRICING. */
  evaluation_score?: number;
  /** Of an EXPIRED decision, which no caller asked for: whose approvals have lapsed. */
  expired?: Array<DocumentExpired>;
  /** Everything on file then. Absent once erased. */
  facts?: Facts;
  /** Of a CALCULATION: all that it found. */
  findings?: Array<FindingRef>;
  /** What was missing. */
  gaps?: Array<Gap>;
  /** What was required before, and still is. */
  kept?: Array<DocumentRef>;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
   * that was used.
   */
  pricing_version_id?: string;
  /** Of those kept or restored: whose approval or waiver holds again. */
  reinstated?: Array<DocumentRef>;
  /** What is no longer required. */
  removed?: Array<DocumentRef>;
  /**
   * Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
   * a fact that it is bound to has changed.
   */
  reopened?: Array<DocumentRef>;
  /** What was INACTIVE, and is required again. */
  restored?: Array<DocumentRef>;
  /** What each rule gave: for each entity where it holds, and once where it holds for nobody. */
  results?: Array<RuleResult>;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
   * used.
   */
  rule_version_id?: string;
  /** Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live. */
  sandbox_today?: boolean;
  /** What was stated about the document, and what was approved. Absent once erased. */
  statement?: Statement;
}

export interface DecisionListData {
  /** The decisions, newest first. */
  decisions: Array<ListedDecision>;
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
}

export interface DecisionListRequest {
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** Only what matches all of these. */
  filters?: DecisionListRequestFilters | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface DecisionListRequestFilters {
  /** What kind of decision it is. */
  kind?: "CALCULATION" | "PRICING" | "DOCUMENT_STATUS" | "ERASURE" | undefined;
  /** Only decisions made then or later. */
  since?: string | undefined;
}

export interface DecisionRequest {
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
}

export interface DeliveryCount {
  /** How many deliveries. */
  count: number;
}

export interface DeliveryData {
  /** How many attempts were made. */
  attempt_count: number;
  /** Each attempt, oldest first. */
  attempts: Array<AttemptData>;
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** When the record was made. */
  created_at: string;
  /** A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z. */
  delivery_id: string;
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id: string;
  /** What has happened. */
  event_type: "WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | (string & {});
  /**
   * PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
   * or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
   * webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint.
   */
  status: "PENDING" | "RETRYING" | "HELD" | "DELIVERED" | "FAILED" | "CANCELED" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** Why it has not been sent yet: all of these must end first. Empty once it has ended. */
  waits_for: Array<WaitData>;
  /** Why the last attempt failed. Absent where it did not. */
  last_error?: string;
  /** Absent while the delivery is due, and once it has ended. */
  next_attempt_at?: string;
}

export interface DeliveryListData {
  /** The deliveries, newest first. */
  deliveries: Array<DeliveryView>;
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
}

export interface DeliveryListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Only what matches all of these. */
  filters?: DeliveryListRequestFilters | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface DeliveryListRequestFilters {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id?: string | undefined;
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id?: string | undefined;
  /** A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Deliveries that were created from then on. */
  since?: string | undefined;
  /** Where it stands. */
  status?: "PENDING" | "RETRYING" | "HELD" | "DELIVERED" | "FAILED" | "CANCELED" | undefined;
  /** true for those that are PENDING, RETRYING, HELD or FAILED. */
  undelivered?: boolean | undefined;
}

export interface DeliveryRequest {
  /** A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z. */
  delivery_id: string;
}

export interface DeliveryView {
  /** How many attempts were made. */
  attempt_count: number;
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** When the record was made. */
  created_at: string;
  /** A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z. */
  delivery_id: string;
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id: string;
  /** What has happened. */
  event_type: "WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | (string & {});
  /**
   * PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
   * or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
   * webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint.
   */
  status: "PENDING" | "RETRYING" | "HELD" | "DELIVERED" | "FAILED" | "CANCELED" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** Why the last attempt failed. Absent where it did not. */
  last_error?: string;
  /** Absent while the delivery is due, and once it has ended. */
  next_attempt_at?: string;
}

export interface DocumentAdded {
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The id of the required document. */
  required_document_id: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** The last day on which it is due, in the account's time zone. Absent where it has none. */
  due_on?: string;
}

export interface DocumentCounts {
  /** How many are COMPLETED, without those that count as pending. */
  completed: number;
  /** How many are INACTIVE. */
  inactive: number;
  /** How many are NEEDS_REVIEW. */
  needs_review: number;
  /** How many are PENDING and were due before today, in the account's time zone. */
  overdue: number;
  /**
   * How many are PENDING, or COMPLETED by an approval whose valid_until has passed. An ENDED workflow counts the
   * latter as COMPLETED.
   */
  pending: number;
  /** How many are WAIVED. */
  waived: number;
}

export interface DocumentCreateRequest {
  /** The document to require. */
  document: DocumentCreateRequestDocument;
  /** A text that is not blank. Why the document is required, for colleagues. It stands in the document's reasons. */
  reason: string;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
}

export interface DocumentCreateRequestDocument {
  /** A text that is not blank. */
  category: string;
  /** 1 to 64 of A-Z, 0-9 and _. */
  document_type_code: string;
  /** The id of a workflow, a business or a person. The workflow, its business, or a person of the business. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person";
  /** A text that is not blank. */
  name: string;
  /** A text that is not blank. What the document must show. */
  requirement_text: string;
  /**
   * A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long after today
   * it is due.
   */
  due_within?: string | undefined;
  /** A text that is not blank. Why the document is needed, in words for the applicant. */
  explanation?: string | undefined;
}

export interface DocumentData {
  /** Options that are offered, of which any one suffices, or at_least many. Empty where there is one document only. */
  any_of: Array<DocumentOption>;
  /** The category that the rule gives the document. */
  category: string;
  /** When the record was made. */
  created_at: string;
  /**
   * A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision that last changed the document: see
   * workflow.decision.get. Send it with your own, so that you decide about what you have read.
   */
  decision_id: string;
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** What was handed in, as a reviewer stated it. */
  evidence: Array<Evidence>;
  /** The name, for people. */
  name: string;
  /** MANUAL: it was required with workflow.requiredDocument.create, and no rule makes it INACTIVE. */
  origin: "RULE" | "MANUAL" | (string & {});
  /** Whether it is PENDING, and due_on has passed. */
  overdue: boolean;
  /** Why it is required: one for each rule. */
  reasons: Array<DocumentReason>;
  /** The id of the required document. */
  required_document_id: string;
  /** What the document must show. */
  requirement_text: string;
  /**
   * PENDING: it is awaited. NEEDS_REVIEW: somebody must look at it. COMPLETED: it is approved. WAIVED: it is not
   * needed. INACTIVE: it is no longer required. An update may move PENDING to NEEDS_REVIEW or COMPLETED,
   * NEEDS_REVIEW to COMPLETED or PENDING, COMPLETED to PENDING, WAIVED to PENDING; or leave PENDING and
   * NEEDS_REVIEW as they are, with new evidence, reviewed_by or note. workflow.requiredDocument.waive moves
   * PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from INACTIVE. Any other move is
   * INVALID_STATUS_CHANGE.
   */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** How many options of any_of are needed: with fewer options, all. Absent where one suffices. */
  at_least?: number;
  /**
   * What an approval depends on besides the text and the identity. With other values the document is to be
   * reviewed again, FACTS_CHANGED.
   */
  bound_to?: Array<string>;
  /**
   * Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
   * evidence meets no option that is offered now.
   */
  changed_facts?: Array<string>;
  /** The last day on which it is due, in the account's time zone. Absent unless it is PENDING or NEEDS_REVIEW. */
  due_on?: string;
  /**
   * The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
   * Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
   * without the permission read always.
   */
  entity_name?: string;
  /**
   * A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long ago evidence
   * may have expired, by its expires_on.
   */
  expired_at_most?: string;
  /**
   * Why the document is needed, in words for the applicant. reasons are for the platform: they name lists and
   * limits.
   */
  explanation?: string;
  /** Whether evidence must be valid, by its expires_on. */
  must_be_valid?: boolean;
  /**
   * A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How old evidence may
   * be, by its issued_on.
   */
  not_older_than?: string;
  /** The note of the last update. */
  review_note?: string;
  /** Of the last update. */
  reviewed_by?: string;
  /** Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. */
  status_reason?: "TEXT_CHANGED" | "IDENTITY_CHANGED" | "FACTS_CHANGED" | "EXPIRED" | "RENEWAL_DUE" | (string & {});
  /**
   * A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". For how long evidence
   * must still be valid when it is approved, by its expires_on.
   */
  valid_for?: string;
  /** The last day on which the approval is valid. Absent where it is not COMPLETED, or ends only by hand. */
  valid_until?: string;
}

export interface DocumentExpired {
  /** The code of the document's type. */
  document_type_code: string;
  /** The status before. */
  previous_status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. */
  status_reason: "EXPIRED" | "RENEWAL_DUE" | (string & {});
  /** The last day on which the approval was valid. */
  valid_until: string;
  /** The last day on which it is due, in the account's time zone. Absent where it has none. */
  due_on?: string;
}

export interface DocumentMove {
  /** The code of the document's type. */
  document_type_code: string;
  /** The status before. */
  previous_status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** The last day on which it is due, in the account's time zone. Absent where it has none. */
  due_on?: string;
  /** The last day on which the approval is valid. */
  valid_until?: string;
}

export interface DocumentOption {
  /** Kinds of evidence that are needed together, in place of a code and a name. */
  all_of?: Array<OptionPart>;
  /** The code of the document's type. */
  document_type_code?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  expired_at_most?: string;
  /** Whether evidence must be valid, by its expires_on. */
  must_be_valid?: boolean;
  /** The name, for people. */
  name?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  not_older_than?: string;
  /** What evidence for this option must show. Absent where it is as for the document. */
  requirement_text?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  valid_for?: string;
  /** The condition under which the option is offered. Absent where it always is. */
  when?: string;
}

export interface DocumentReason {
  /** The facts that decided, by the names that rules use. */
  facts: Record<string, unknown>;
  /** One sentence for people. The wording may change. */
  message: string;
  /** The code of the rule. */
  rule: string;
  /** The version of the rules. */
  version_id?: string;
}

export interface DocumentRef {
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The id of the required document. */
  required_document_id: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /**
   * Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
   * evidence meets no option that is offered now.
   */
  changed_facts?: Array<string>;
  /** Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. */
  status_reason?: "TEXT_CHANGED" | "IDENTITY_CHANGED" | "FACTS_CHANGED" | "EXPIRED" | "RENEWAL_DUE" | (string & {});
}

export interface DocumentRequest {
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
}

/** A version of the account's rules was published. It is in force from effective_from on. */
export interface DocumentRulesPublishedContent {
  /** ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. */
  applies_to: "ALL" | "NEW" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id: string;
  /** The version as account.documentRules.publish answers it; version is that of the content. */
  version_number: number;
  /** The first day in force, in the account's time zone. Absent: at once. */
  effective_from?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface DocumentText {
  /** The name, for people. */
  name: string;
  /** What the document must show. */
  requirement_text: string;
  /** Options, of which any one suffices, or at_least many. */
  any_of?: Array<DocumentOption>;
  /** How many options are needed: with fewer options, all. Absent where one suffices. */
  at_least?: number;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  expired_at_most?: string;
  /** Whether evidence must be valid, by its expires_on. */
  must_be_valid?: boolean;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  not_older_than?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  valid_for?: string;
}

export interface DocumentUpdateRequest {
  /** The status to move to, and what was reviewed. */
  required_document: DocumentUpdateRequestRequiredDocument;
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you have read it.
   * When another decision has changed it since, the answer is DOCUMENT_CHANGED.
   */
  decision_id?: string | undefined;
}

export interface DocumentUpdateRequestRequiredDocument {
  /**
   * An update may move PENDING to NEEDS_REVIEW or COMPLETED, NEEDS_REVIEW to COMPLETED or PENDING, COMPLETED to
   * PENDING, WAIVED to PENDING; or leave PENDING and NEEDS_REVIEW as they are, with new evidence, reviewed_by or
   * note. workflow.requiredDocument.waive moves PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from
   * INACTIVE. Any other move is INVALID_STATUS_CHANGE.
   */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE";
  /**
   * It replaces what was there; absent keeps it. One entry that meets the terms of the document, or of its option,
   * suffices for COMPLETED, unless at_least or all_of ask for more. With COMPLETED for a document that is
   * COMPLETED it is a new approval.
   */
  evidence?: Array<Evidence> | undefined;
  /** A text that is not blank. Shown as review_note. Absent clears it. */
  note?: string | undefined;
  /** A text that is not blank. Who has reviewed. Absent clears it. */
  reviewed_by?: string | undefined;
}

export interface DocumentWaiveRequest {
  /** A text that is not blank. Why the document is not needed. The decision keeps it. */
  reason: string;
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you have read it.
   * When another decision has changed it since, the answer is DOCUMENT_CHANGED.
   */
  decision_id?: string | undefined;
}

export interface DocumentsListData {
  /** Pass it as page.after for the next page; null on the last one, and without page. */
  next: string | null;
  /** In the order in which they were first required. */
  required_documents: Array<DocumentData>;
}

export interface DocumentsListRequest {
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** Only what matches all of these. */
  filters?: DocumentsListRequestFilters | undefined;
  /** Ask for a part of the list; without it the answer has all documents. */
  page?: Page | undefined;
}

export interface DocumentsListRequestFilters {
  /**
   * The id of a workflow, a business or a person. The workflow, its business, or a person, also one who was
   * deleted.
   */
  entity_id?: string | undefined;
  /** What kind of record the documents concern. */
  entity_type?: "Workflow" | "Business" | "Person" | undefined;
  /** The status to list. */
  required_document_status?: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | undefined;
}

export interface Empty {
}

export interface EventFields {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  id: string;
  /** The version of this form and of the content's. */
  schema_version: string;
  /** When it happened. */
  timestamp: string;
  /** The event's position in the account's feed: it grows from event to event. Only with OLDEST_FIRST. */
  position?: number;
  /** true when webhook.event.replay sent the event. Only a webhook says it. */
  replay?: boolean;
  /** The event's number within its workflow: 1, 2, 3, without gaps. Absent without a workflow. */
  sequence?: number;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. Absent where the event concerns no workflow on record. */
  workflow_id?: string;
  /** The id of the webhook key. Only a receiver gives it. */
  key_id?: string;
  /** How many attempts were made before. Only a receiver gives it. */
  retry_count?: number;
}

export interface EventEvidence {
  /** The code of the document's type. */
  document_type_code?: string;
  /** The last day on which the document is valid. */
  expires_on?: string;
  /** The day on which the document was issued. */
  issued_on?: string;
  /** Whether the evidence is valid for ever. */
  never_expires?: boolean;
}

export interface EventIDData {
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id: string;
}

export interface EventListData {
  /** true when nothing was left to read. false when more follows, also after a page that filters left empty. */
  caught_up: boolean;
  /** The events, in the order that the request asks for. */
  events: Array<Event>;
  /**
   * Pass it as page.after for the next page; null on the last one. With OLDEST_FIRST never null: when caught_up is
   * true, ask again later.
   */
  next: string | null;
}

export interface EventListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Only what matches all of these. */
  filters?: EventListRequestFilters | undefined;
  /** true adds each event's data. A page then ends early when its data exceeds 1 MiB. */
  include_data?: boolean | undefined;
  /**
   * OLDEST_FIRST is the account's feed: going on from next misses no event and repeats none, however late a change
   * is committed. NEWEST_FIRST when left out.
   */
  order?: "NEWEST_FIRST" | "OLDEST_FIRST" | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface EventListRequestFilters {
  /** What has happened. */
  event_type?: "WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED" | undefined;
  /** A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events from then on. */
  since?: string | undefined;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id?: string | undefined;
}

export interface EventRequest {
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id: string;
}

export interface Evidence {
  /** 1 to 64 of A-Z, 0-9 and _. With any_of, the code of the option; else the document's own, or absent. */
  document_type_code?: string | undefined;
  /** The last day on which it is valid; not before issued_on. */
  expires_on?: string | undefined;
  /** Not after today in the account's time zone. */
  issued_on?: string | undefined;
  /** In place of expires_on, for evidence that is valid for ever. */
  never_expires?: boolean | undefined;
  /** A text that is not blank. Your own name of the file: the service keeps no files. No event carries it. */
  reference?: string | undefined;
}

export interface ExternalIDFilter {
  /** Printable ASCII without blanks. */
  external_id?: string | undefined;
}

export interface FactData {
  /** What to ask for. */
  ask: string;
  /** The record that has the fact; the value of a declared one is in its custom. */
  entity_type: "BusinessSalesInfo" | "Workflow" | "Business" | "Person" | (string & {});
  /** What people call the fact. */
  label: string;
  /** The type of its values. */
  type: "BOOLEAN" | "NUMBER" | "AMOUNT" | "DATE" | "TEXT" | "TEXT_LIST" | (string & {});
  /**
   * The condition under which the absence of the fact is a gap all the same, in the language of rules. While it
   * does not hold, nobody needs to ask for the fact.
   */
  asked_when?: string;
  /** All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text is. */
  choices?: Array<string>;
  /** What the fact counts as while no value is on file. Without a default, its absence is a gap. */
  default?: boolean | number | string | Array<string>;
  /**
   * Of a built-in fact: the field of the request that supplies it. What follows a point is a name within it:
   * address.country is country of address.
   */
  field?: string;
  /** The name of the fact in custom, and in rules. */
  name?: string;
  /** Of a built-in fact: the operation that supplies it. business.create and person.create take the same fields. */
  related_endpoints?: Array<string>;
  /** Of the field sales_amount: the type of the amount. */
  sales_amount_type?: "AVERAGE_INDIVIDUAL_SALE" | "AVERAGE_MONTHLY_CREDIT_SALES" | "AVERAGE_YEARLY_CREDIT_SALES" | "HIGHEST_TICKET_SALE" | (string & {});
  /**
   * Absent for a built-in fact. COMING: a version that is published and not yet in force declares it. DROPPED: no
   * version in force declares it; its values stay on file, and nothing asks for them.
   */
  state?: "COMING" | "IN_FORCE" | "DROPPED" | (string & {});
  /**
   * What declares the fact, and is in force or comes into force. Empty for one that was dropped, absent for a
   * built-in one.
   */
  used_by?: Array<"RULES" | "PRICING" | (string & {})>;
}

export interface FactListData {
  /**
   * The declared facts of workflows, of businesses and of persons, each by name; then the built-in ones, in the
   * order of gaps.
   */
  facts: Array<FactData>;
}

export interface FactListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Also list the facts of the service that a form can ask for. */
  include_built_in?: boolean | undefined;
}

export interface Facts {
  /** The business on file. */
  business: BusinessData;
  /** The persons of the business on file. */
  persons: Array<PersonData>;
  /** What is on file of the workflow itself. */
  workflow: WorkflowFacts;
}

export interface FailingExample {
  /** What it expects, and what the rules give. */
  message: string;
  /** The name of the example. */
  name: string;
}

export interface FindingData {
  /** That of the rule, or DOCUMENT_OPEN or DOCUMENT_OVERDUE of a document with hold. */
  finding_code: string;
  /** REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined. */
  kind: "REVIEW" | "HOLD" | "DECLINE" | (string & {});
  /**
   * The day in the account's time zone: on which it was first found; of DOCUMENT_OPEN, on which the document was
   * required, restored, or made PENDING by expiry or renewal, or the first after valid_until; of DOCUMENT_OVERDUE,
   * the first after due_on.
   */
  since: string;
  /** The id of the workflow, business or person. */
  entity_id?: string;
  /**
   * The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
   * Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
   * without the permission read always.
   */
  entity_name?: string;
  /** What kind of record it concerns. */
  entity_type?: "Workflow" | "Business" | "Person" | (string & {});
  /** The text of the rule. */
  message?: string;
  /** Why the rule found it. For the platform, not for applicants. */
  reasons?: Array<DocumentReason>;
  /**
   * A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. The document that holds up the application.
   * Such a finding has no message, entity and reasons.
   */
  required_document_id?: string;
}

export interface FindingRef {
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The code of the finding. */
  finding_code: string;
  /** REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined. */
  kind: "REVIEW" | "HOLD" | "DECLINE" | (string & {});
}

export interface Gap {
  /** FIELDS_REQUIRED: facts are missing. CALCULATED_PRICING_REQUIRED: workflow.pricing.calculate must run first. */
  code: "CALCULATED_PRICING_REQUIRED" | "FIELDS_REQUIRED" | (string & {});
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "BusinessSalesInfo" | "Workflow" | "Business" | "Person" | (string & {});
  /** One sentence for people. The wording may change. */
  message: string;
  /**
   * What to ask for, for a program: one entry a field, with all that the operation requires. Gaps with the same
   * entity_id and related_endpoints are one record: supply it in one call; person.create takes several persons.
   * Where there is none, business.update with no_persons_attested closes the gap.
   */
  missing: Array<MissingField>;
  /** The operations that fill the gap, in the order to call them. */
  related_endpoints: Array<string>;
  /** Where the last of related_endpoints creates a record: the business_id of its request. */
  business_id?: string;
  /** The id of the record that the new one stands in for: send it as replaces, or delete it before. */
  delete_first?: string;
  /**
   * The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
   * Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
   * without the permission read always.
   */
  entity_name?: string;
  /** The fields that are missing. */
  fields?: Array<string>;
  /** What that record holds. The new record needs it too. */
  present?: Array<MissingField>;
  /** Of CALCULATED_PRICING_REQUIRED: what workflow.pricing.calculate itself lacks. */
  pricing_missing?: Array<Gap>;
}

export interface HealthData {
  /** Deliveries that wait for an active key, or for the endpoint to be enabled; counted up to 10,000. */
  held: number;
  /** Deliveries that are attempted again; counted up to 10,000. */
  retrying: number;
  /**
   * FAILING after five failures in a row: then one webhook at a time probes the endpoint, and the others wait.
   * HELD while the account has no active key, DISABLED while the endpoint is disabled: then nothing is sent.
   */
  status: "HEALTHY" | "FAILING" | "HELD" | "DISABLED" | (string & {});
  /** Deliveries that were never attempted, HELD ones not among them; counted up to 10,000. */
  waiting: number;
  /** The first of the failures in a row; absent until there are five. */
  failing_since?: string;
  /** Of the last attempt, if it failed. */
  last_error?: string;
  /** When the endpoint is tried next after a failure; absent while that is due. */
  next_attempt_at?: string;
}

export interface Identity {
  /** The code of the person's citizenship. */
  citizenship?: string;
  /** The person's date of birth. */
  date_of_birth?: string;
  /** The person's first name. */
  first_name?: string;
  /** The person's last name. */
  last_name?: string;
  /** The registered name of the business. */
  legal_name?: string;
}

export interface KeyActivateData {
  /** When the key became ACTIVE. */
  activated_at: string;
  /** The id of the webhook key. */
  key_id: string;
  /** Where it stands. */
  status: "INACTIVE" | "ACTIVE" | "DELETED" | (string & {});
}

export interface KeyCreateData {
  /** When the record was made. */
  created_at: string;
  /** Opaque; order keys by created_at. */
  key_id: string;
  /** Where it stands. */
  status: "INACTIVE" | "ACTIVE" | "DELETED" | (string & {});
  /** 32 bytes in standard Base64, shown this once. */
  shared_secret: string;
}

export interface KeyData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** When the record was made. */
  created_at: string;
  /** The id of the webhook key. */
  key_id: string;
  /** Where it stands. */
  status: "INACTIVE" | "ACTIVE" | "DELETED" | (string & {});
  /** When the key became ACTIVE. Absent until then. */
  activated_at?: string;
  /** When the key was DELETED. Absent until then. */
  deleted_at?: string;
}

export interface KeyListData {
  /** The keys, newest first. */
  keys: Array<KeyData>;
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
}

export interface KeyListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface KeyRequest {
  /** A webhook key id: whk_, eight digits, _ and two digits. */
  key_id: string;
  /**
   * An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. Needed only when more than one of your
   * accounts has a key with this key_id.
   */
  account_id?: string | undefined;
}

export interface LimitMet {
  /** Its size, in the process that has answered. */
  limit: number;
  /**
   * What it limits: requests_per_second; at once, requests, waiting_callers (requests that wait for a run), runs,
   * body_bytes, rule_checks, evaluations (of rules) and database_connections; outcomes, which are kept for
   * Idempotency-Keys; and decision_bytes_a_day, the bytes of the decisions that it records in a day.
   */
  of: "body_bytes" | "database_connections" | "decision_bytes_a_day" | "evaluations" | "outcomes" | "requests" | "requests_per_second" | "rule_checks" | "runs" | "waiting_callers" | (string & {});
  /** For whom it is; SERVICE is for all callers together. */
  scope: "CREDENTIAL" | "ACCOUNT" | "ORGANIZATION" | "SERVICE" | (string & {});
}

export interface ListedDecision {
  /** The account's local date, by which ages were counted. */
  as_of: string;
  /** When it was decided. */
  decided_at: string;
  /** Who asked for the decision. */
  decided_by: DecidedBy;
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** Whether the personal data was erased: facts and reasons are gone. */
  erased: boolean;
  /** What kind of decision it is. */
  kind: "CALCULATION" | "PRICING" | "DOCUMENT_STATUS" | "ERASURE" | (string & {});
  /** From 1, without gaps in the workflow. */
  number: number;
  /** What became of it, or the code of the refusal. */
  outcome: "CALCULATED" | "PRICED" | "UPDATED" | "CREATED" | "WAIVED" | "EXPIRED" | "ERASED" | "MISSING_REQUIREMENTS" | "RULE_NOT_EVALUABLE" | (string & {});
  /** The digest of the decision before; empty of the first. */
  previous_digest: string;
  /** Names the request in the logs and the runs of the service. */
  trace_id: string;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
   * that was used.
   */
  pricing_version_id?: string;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
   * used.
   */
  rule_version_id?: string;
  /** Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live. */
  sandbox_today?: boolean;
}

export interface ListedWorkflow {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /**
   * How many required documents have each status. Nothing is open when documents_calculated_at is set,
   * documents_stale is false, and pending and needs_review are 0.
   */
  documents: DocumentCounts;
  /** Your own id of the record. */
  external_id: string | null;
  /** Where it stands. */
  state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /**
   * When the required documents were last calculated. Absent before the first calculation: an empty list then
   * means nothing.
   */
  documents_calculated_at?: string;
  /**
   * Whether the application, its business, persons or sales, its score or the account's rules have changed since:
   * calculate again. It may be true although the documents would stay the same; that days pass does not count.
   * Absent before the first calculation, false when the workflow has ended.
   */
  documents_stale?: boolean;
  /** When it ended. Absent until then. */
  ended_at?: string;
  /** The score that workflow.pricing.calculate has set. Absent until then. */
  evaluation_score?: number;
  /**
   * A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
   * takes over.
   */
  previous_workflow_id?: string;
  /** When the score was set. Absent until then. */
  score_calculated_at?: string;
  /** When it was started. Absent until then. */
  started_at?: string;
}

export interface ManualText {
  /** The category that the rule gives the document. */
  category: string;
  /** The name, for people. */
  name: string;
  /** Why the document was required by hand. */
  reason: string;
  /** What the document must show. */
  requirement_text: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  due_within?: string;
  /** Why the document is needed, in words for the applicant. */
  explanation?: string;
}

export interface Meta {
  /** SUCCESS, or ERROR of a refusal. */
  status: "SUCCESS" | "ERROR" | (string & {});
  /** Names the request in the logs and the runs of the service. */
  trace_id: string;
  /** The version of the API that answers. */
  version: string;
  /** What is worth reading about a request that succeeded. Absent where there is nothing. */
  warnings?: Array<Warning>;
}

export interface MissingField {
  /** The field of the request. What follows a point is a name within it: custom.legal_form is legal_form of custom. */
  field: string;
  /** The type of the value: BOOLEAN, NUMBER, AMOUNT, DATE (YYYY-MM-DD), TEXT or TEXT_LIST. */
  value_type: "BOOLEAN" | "NUMBER" | "AMOUNT" | "DATE" | "TEXT" | "TEXT_LIST" | (string & {});
  /** What to ask the applicant for. Absent for the evaluation score, which nobody is asked for. */
  ask?: string;
  /** Of a fact that the account declares: all values that count. */
  choices?: Array<string>;
  /** Of sales_amount: the account's currency, which the amount must be in. */
  currency?: string;
  /** What the fact is, in a few words. With ask and choices only in the first gap of each fact. */
  label?: string;
  /** Of sales_amount: the SALES_AMOUNT_TYPE. */
  type?: "AVERAGE_INDIVIDUAL_SALE" | "AVERAGE_MONTHLY_CREDIT_SALES" | "AVERAGE_YEARLY_CREDIT_SALES" | "HIGHEST_TICKET_SALE" | (string & {});
  /** Only in present: what is on file. Absent for a credential without the permission read: ask for it again. */
  value?: number;
}

export interface NewPerson {
  /**
   * An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a
   * refugee or another refugee.
   */
  citizenship?: string | null | undefined;
  /** An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo. */
  country_of_residence?: string | null | undefined;
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /** The person's date of birth. */
  date_of_birth?: string | null | undefined;
  /** An e-mail address. */
  email?: string | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
  /** A person has a first name, a last name or both. */
  first_name?: string | null | undefined;
  /** A person has a first name, a last name or both. */
  last_name?: string | null | undefined;
  /** At most two decimals. */
  ownership_percentage?: number | null | undefined;
}

export interface NewSalesInfo {
  /** Each type at most once. */
  sales_amount: Array<StatedAmount>;
}

export interface OptionPart {
  /** The code of the document's type. */
  document_type_code?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  expired_at_most?: string;
  /** Whether evidence must be valid, by its expires_on. */
  must_be_valid?: boolean;
  /** The name, for people. */
  name?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  not_older_than?: string;
  /** What this evidence must show. Absent where it is as for the document. */
  requirement_text?: string;
  /** A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". */
  valid_for?: string;
}

export interface Page {
  /** The next value of an earlier response. */
  after?: string | undefined;
  /** 50 when left out. */
  limit?: number | undefined;
}

export interface PersonCreateData {
  /** A person id: p_ and 20 to 22 characters of 0-9A-Za-z. Absent when persons are stated. */
  person_id?: string;
  /** In the order of persons. Absent when person is stated. */
  person_ids?: Array<string>;
}

export interface PersonCreateRequest {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** The fields of the person. Send either person or persons. */
  person?: NewPerson | undefined;
  /** Several persons: all are put on record, or none. */
  persons?: Array<NewPerson> | undefined;
}

export interface PersonData {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** The code of the person's citizenship. */
  citizenship: string | null;
  /** The code of the country where the person lives. */
  country_of_residence: string | null;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /** The person's date of birth. */
  date_of_birth: string | null;
  /** The e-mail address. */
  email: string | null;
  /** The person's first name. */
  first_name: string | null;
  /** The person's last name. */
  last_name: string | null;
  /** At most two decimals. */
  ownership_percentage: number | null;
  /** A person id: p_ and 20 to 22 characters of 0-9A-Za-z. */
  person_id: string;
  /** When the record was last changed. */
  updated_at: string;
}

export interface PersonListData {
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
  /** The newest first. */
  persons: Array<PersonOnRecord>;
}

export interface PersonListRequest {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** Only what matches all of these. */
  filters?: ExternalIDFilter | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface PersonOnRecord {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** The code of the person's citizenship. */
  citizenship: string | null;
  /** The code of the country where the person lives. */
  country_of_residence: string | null;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /** The person's date of birth. */
  date_of_birth: string | null;
  /** The e-mail address. */
  email: string | null;
  /** Your own id of the record. */
  external_id: string | null;
  /** The person's first name. */
  first_name: string | null;
  /** The person's last name. */
  last_name: string | null;
  /** At most two decimals. */
  ownership_percentage: number | null;
  /** A person id: p_ and 20 to 22 characters of 0-9A-Za-z. */
  person_id: string;
  /** When the record was last changed. */
  updated_at: string;
}

export interface PersonRequest {
  /** A person id: p_ and 20 to 22 characters of 0-9A-Za-z. */
  person_id: string;
}

export interface PersonUpdateRequest {
  /** The fields of the person. */
  person: PersonUpdateRequestPerson;
  /** A person id: p_ and 20 to 22 characters of 0-9A-Za-z. */
  person_id: string;
}

export interface PersonUpdateRequestPerson {
  /**
   * An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a
   * refugee or another refugee.
   */
  citizenship?: string | null | undefined;
  /** An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo. */
  country_of_residence?: string | null | undefined;
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /** The person's date of birth. */
  date_of_birth?: string | null | undefined;
  /** An e-mail address. */
  email?: string | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
  /** A person has a first name, a last name or both. */
  first_name?: string | null | undefined;
  /** A person has a first name, a last name or both. */
  last_name?: string | null | undefined;
  /** At most two decimals. */
  ownership_percentage?: number | null | undefined;
}

export interface PreviewedDocument {
  /** The category that the rule gives the document. */
  category: string;
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The name, for people. */
  name: string;
  /** Why it is required: one for each rule. */
  reasons: Array<DocumentReason>;
  /** What the document must show. */
  requirement_text: string;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /**
   * Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
   * evidence meets no option that is offered now.
   */
  changed_facts?: Array<string>;
  /**
   * The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
   * Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
   * without the permission read always.
   */
  entity_name?: string;
  /** Why the document is needed, in words for the applicant. */
  explanation?: string;
  /** The id of the required document. Absent where it would be new. */
  required_document_id?: string;
  /** Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. */
  status_reason?: "TEXT_CHANGED" | "IDENTITY_CHANGED" | "FACTS_CHANGED" | "EXPIRED" | "RENEWAL_DUE" | (string & {});
  /** In kept: the document would demand something else than it does now. */
  text_changed?: boolean;
}

export interface PreviewedFindings {
  /** What would be found, and is not on record. */
  added: Array<FindingData>;
  /** All that would be found, those on record with the day since which they are. */
  now: Array<FindingData>;
  /** What is on record, and would no longer be found. */
  removed: Array<FindingData>;
}

export interface PreviewedRule {
  /** What is required now, and was not before. */
  added: number;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** What was required before, and still is. */
  kept: number;
  /** How many documents would be overdue, and are not now. */
  overdue_at_once: number;
  /** What is no longer required. */
  removed: number;
  /**
   * Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
   * a fact that it is bound to has changed.
   */
  reopened: number;
  /** How many documents would be required, or findings found. */
  required: number;
  /** What was INACTIVE, and is required again. */
  restored: number;
  /** The condition. */
  rule: string;
  /** The code of the document's type. */
  document_type_code?: string;
  /** The code of the finding. */
  finding_code?: string;
  /** Of a finding. */
  kind?: "REVIEW" | "HOLD" | "DECLINE" | (string & {});
}

export interface Problem {
  /**
   * What kind of problem it is. The list is closed. REQUIRED: It is missing. UNKNOWN_FIELD: There is no such
   * field. suggestion is the name that was probably meant, where one is near. UNKNOWN_VALUE: It is none of the
   * allowed values. allowed lists them, unless they are very many; suggestion is the one that was probably meant.
   * WRONG_TYPE: It is of another type of JSON. expected names the type: object, array, string, number, integer or
   * boolean. TOO_LONG: A text, a list or custom has more than limit characters, elements or bytes. TOO_SHORT: A
   * text or a list has fewer than limit characters or elements. TOO_LARGE: A number is larger than limit, or equal
   * to it where the message says less than. TOO_SMALL: A number is smaller than limit. WRONG_FORMAT: It is of the
   * right type, and not of the right form, such as a date that does not exist. DUPLICATE: It stands twice.
   * MALFORMED: The body is not JSON, or ended early. INVALID_RULE: A rule or another part of a set of rules is
   * wrong. The message says what to write. NOT_ALLOWED: Its form is right, and it may not be sent here or now,
   * such as a date in the future.
   */
  code: "REQUIRED" | "UNKNOWN_FIELD" | "UNKNOWN_VALUE" | "WRONG_TYPE" | "TOO_LONG" | "TOO_SHORT" | "TOO_LARGE" | "TOO_SMALL" | "WRONG_FORMAT" | "DUPLICATE" | "MALFORMED" | "INVALID_RULE" | "NOT_ALLOWED" | (string & {});
  /** Where, in dotted form with indexes, such as rules.documents[1].when; empty for the whole body. */
  field: string;
  /** What is wrong, and what to do about it. The wording may change. */
  message: string;
  /** Of UNKNOWN_VALUE: all values. Left out where they are very many. */
  allowed?: Array<string>;
  /** Of WRONG_TYPE: the type of JSON that is expected, such as string; several are separated by commas. */
  expected?: string;
  /**
   * Of TOO_LONG, TOO_SHORT, TOO_LARGE and TOO_SMALL: the bound. Of a text it counts characters, of a list
   * elements, and of custom bytes. A number may be equal to it unless the message says less than.
   */
  limit?: number;
  /** Of UNKNOWN_FIELD and UNKNOWN_VALUE: the name or the value that was probably meant, where one is near. */
  suggestion?: string;
}

export interface ProposalApproveRequest {
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
  /** Why; kept with the version. */
  comment?: string | null | undefined;
}

export interface ProposalApproved {
  /** The number of the version: 1, 2, 3. */
  version: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id: string;
}

export interface ProposalCreateRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Why; for the person who approves the rules. */
  comment: string;
  /** A rule set; see the guide to rules. */
  rules: unknown;
  /** ALL when left out. NEW: only workflows that are created from then on. */
  applies_to?: "ALL" | "NEW" | undefined;
  /**
   * The first day on which the rules are in force, in the account's time zone; today, or left out, is at once.
   * They replace coming versions that would be in force no earlier and for no more workflows.
   */
  effective_from?: string | undefined;
  /** The document type codes whose approvals hold although their text changes; ["*"] is all. */
  keep_approvals?: Array<string> | undefined;
}

export interface ProposalCreated {
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
  /** As account.documentRules.validate answers them. */
  warnings: Array<RulesWarning>;
}

export interface ProposalData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. */
  applies_to: "ALL" | "NEW" | (string & {});
  /**
   * The codes of the documents and findings that differ from the base version: their rules, or a definition, a
   * list or a declared fact that these read.
   */
  changes: ChangedCodes;
  /** Why the rules are proposed. */
  comment: string;
  /** The document type codes whose approvals hold although their text changes; * is all. */
  keep_approvals: Array<string>;
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
  /** When the rules were proposed. */
  proposed_at: string;
  /** Who proposed the rules. */
  proposed_by: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  proposed_by_type: "API_KEY" | "SYSTEM" | (string & {});
  /** The rule set, as it was published or proposed. */
  rules: unknown;
  /** OUTDATED: rules were published after it was made, or its effective_from has passed. */
  state: "OPEN" | "APPROVED" | "REJECTED" | "OUTDATED" | (string & {});
  /** The number of the newest version when the rules were proposed. */
  base_version?: number;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules were
   * proposed. Absent where there was none.
   */
  base_version_id?: string;
  /** When it was approved or rejected, or other rules were published. */
  decided_at?: string;
  /** Who approved or rejected it. */
  decided_by?: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  decided_by_type?: "API_KEY" | "SYSTEM" | (string & {});
  /** What the person said who approved or rejected it. */
  decision_comment?: string;
  /** The first day in force, in the account's time zone. Absent: from its approval on. */
  effective_from?: string;
  /** The number of the version that it became, when it was approved. */
  version?: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was approved. */
  version_id?: string;
}

export interface ProposalFilters {
  /** Where it stands. */
  state?: "OPEN" | "APPROVED" | "REJECTED" | "OUTDATED" | undefined;
}

export interface ProposalListData {
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
  /** The proposals, newest first. */
  proposals: Array<ProposalListed>;
}

export interface ProposalListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Only what matches all of these. */
  filters?: ProposalFilters | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface ProposalListed {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. */
  applies_to: "ALL" | "NEW" | (string & {});
  /**
   * The codes of the documents and findings that differ from the base version: their rules, or a definition, a
   * list or a declared fact that these read.
   */
  changes: ChangedCodes;
  /** Why the rules are proposed. */
  comment: string;
  /** The document type codes whose approvals hold although their text changes; * is all. */
  keep_approvals: Array<string>;
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
  /** When the rules were proposed. */
  proposed_at: string;
  /** Who proposed the rules. */
  proposed_by: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  proposed_by_type: "API_KEY" | "SYSTEM" | (string & {});
  /** OUTDATED: rules were published after it was made, or its effective_from has passed. */
  state: "OPEN" | "APPROVED" | "REJECTED" | "OUTDATED" | (string & {});
  /** The number of the newest version when the rules were proposed. */
  base_version?: number;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules were
   * proposed. Absent where there was none.
   */
  base_version_id?: string;
  /** When it was approved or rejected, or other rules were published. */
  decided_at?: string;
  /** Who approved or rejected it. */
  decided_by?: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  decided_by_type?: "API_KEY" | "SYSTEM" | (string & {});
  /** What the person said who approved or rejected it. */
  decision_comment?: string;
  /** The first day in force, in the account's time zone. Absent: from its approval on. */
  effective_from?: string;
  /** The number of the version that it became, when it was approved. */
  version?: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was approved. */
  version_id?: string;
}

export interface ProposalRejectRequest {
  /** Why. */
  comment: string;
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
}

export interface ProposalRequest {
  /** A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z. */
  proposal_id: string;
}

export interface RateLimitData {
  /** How many may come at once after a pause. */
  burst: number;
  /** How many requests a second. */
  per_second: number;
}

export interface Reason {
  /** The facts that decided, by the names that rules use. */
  facts: Record<string, unknown>;
  /** One sentence for people. The wording may change. */
  message: string;
}

export interface RecalculationData {
  /**
   * Workflows with other documents or findings than before, or whose documents or findings differ in more than
   * reasons.
   */
  changed: number;
  /** The sum of the four that follow. */
  done: number;
  /**
   * Workflows that could not be calculated for another reason, for example because a rule has no result for their
   * facts. Their documents stay as they were.
   */
  not_evaluable: number;
  /** When it was started. */
  started_at: string;
  /** Where it stands. */
  state: "RUNNING" | "DONE" | "CANCELED" | (string & {});
  /** Workflows where at most reasons have changed. */
  unchanged: number;
  /** Workflows that lack facts. Their documents stay as they were. */
  with_gaps: number;
  /** When it ended. Absent until then. */
  ended_at?: string;
  /** How many workflows it calculates. Absent until they are counted, and while they are among more than 100,000. */
  total?: number;
}

export interface RecalculationRequest {
  /** A recalculation id: rec_ and 20 to 22 characters of 0-9A-Za-z. */
  run_id: string;
}

export interface RecalculationStartRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /**
   * Only workflows whose documents are stale, or were calculated on an earlier day in the account's time zone by
   * rules that count days; true when left out. With false, all that have not ended.
   */
  only_stale?: boolean | undefined;
}

export interface RecoverRequest {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. FAILED deliveries of events since then are sent again. */
  since: string;
}

export interface ReplayRequest {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events since then are sent. */
  since: string;
  /** Of those that the endpoint takes; all of them when left out. */
  event_types?: Array<"WORKFLOW_CREATED" | "WORKFLOW_STARTED" | "WORKFLOW_COMPLETED" | "WORKFLOW_PRICING_CALCULATED" | "REQUIRED_DOCUMENTS_CALCULATED" | "REQUIRED_DOCUMENT_ADDED" | "REQUIRED_DOCUMENT_UPDATED" | "REQUIRED_DOCUMENT_OVERDUE" | "REQUIRED_DOCUMENT_EXPIRING" | "REQUIRED_DOCUMENT_EXPIRED" | "WORKFLOW_FINDINGS_CHANGED" | "DOCUMENT_RULES_PUBLISHED" | "WEBHOOK_KEY_ACTIVATED" | "WEBHOOK_TEST" | "WEBHOOK_ENDPOINT_FAILING" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_RECOVERED" | "WEBHOOK_DELIVERY_FAILED"> | undefined;
  /** A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events before then; up to now when left out. */
  until?: string | undefined;
}

export interface ReplayedData {
  /** Events that were sent to the endpoint's queue, or waited there already. */
  done: number;
  /** When it was started. */
  started_at: string;
  /** CANCELED by the operator of the service, or because the endpoint was deleted. */
  state: "RUNNING" | "COMPLETED" | "CANCELED" | (string & {});
  /** When it ended. Absent until then. */
  ended_at?: string;
  /** Absent until they are counted, and when they are among more than 100,000 events. */
  total?: number;
}

/** A document was required by hand, with workflow.requiredDocument.create. */
export interface RequiredDocumentAddedContent {
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** The code of the document's type. */
  document_type_code: string;
  /** The id of the workflow, business or person. */
  entity_id: string;
  /** What kind of record it concerns. */
  entity_type: "Workflow" | "Business" | "Person" | (string & {});
  /** The id of the required document. */
  required_document_id: string;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** The last day on which it is due, in the account's time zone. Absent where it has none. */
  due_on?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/**
 * The approval of a required document has lapsed, and the document is PENDING again. In a workflow that has
 * ended it stays as it is. It is sent once for each valid_until.
 */
export interface RequiredDocumentExpiredContent {
  /** The code of the document's type. */
  document_type_code: string;
  /** The status before. */
  previous_status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. */
  status_reason: "EXPIRED" | "RENEWAL_DUE" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The last day on which the approval was valid. */
  valid_until: string;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** ENDED: the document stays as it is. Create the next workflow, with previous_workflow_id. */
  workflow_state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /**
   * A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. Absent where workflow_state is ENDED: nothing was
   * decided.
   */
  decision_id?: string;
  /** The decision's digest in the record, SHA-256 in hex. */
  digest?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/**
 * The approval of a required document ends soon: remind_before of its rule says how soon. It is sent once for
 * each valid_until.
 */
export interface RequiredDocumentExpiringContent {
  /** The code of the document's type. */
  document_type_code: string;
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The last day on which the approval is valid. */
  valid_until: string;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** A required document is PENDING, and its due_on has passed. It is sent once for each due_on. */
export interface RequiredDocumentOverdueContent {
  /** The code of the document's type. */
  document_type_code: string;
  /** The last day on which it was due. */
  due_on: string;
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** A required document was updated with workflow.requiredDocument.update, or waived with .waive. */
export interface RequiredDocumentUpdatedContent {
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** The code of the document's type. */
  document_type_code: string;
  /** The status before. */
  previous_status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. */
  required_document_id: string;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  status: "PENDING" | "NEEDS_REVIEW" | "COMPLETED" | "WAIVED" | "INACTIVE" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** The last day on which it is due, in the account's time zone. Absent where it has none. */
  due_on?: string;
  /** What was handed in, as a reviewer stated it. */
  evidence?: Array<EventEvidence>;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
  /** The last day on which the approval is valid. */
  valid_until?: string;
}

/** A calculation has changed the documents that a workflow requires. One that changes nothing sends no event. */
export interface RequiredDocumentsCalculatedContent {
  /** What is required now, and was not before. */
  added: Array<DocumentRef>;
  /** Of those added: whose approval is taken over from previous_workflow_id. */
  carried: Array<CarriedRef>;
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** What was required before, and still is. */
  kept: Array<DocumentRef>;
  /** Of those kept or restored: whose approval or waiver holds again. */
  reinstated: Array<DocumentRef>;
  /** What is no longer required. */
  removed: Array<DocumentRef>;
  /**
   * Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
   * a fact that it is bound to has changed.
   */
  reopened: Array<DocumentRef>;
  /** What was INACTIVE, and is required again. */
  restored: Array<DocumentRef>;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface RuleError {
  /** Always RULE_NOT_EVALUABLE. */
  code: "RULE_NOT_EVALUABLE" | (string & {});
  /** One sentence for people. The wording may change. */
  message: string;
}

export interface RuleResult {
  /** Whether the rule's condition is true. */
  holds: boolean;
  /** The code of the rule. */
  rule: string;
  /** The code of the document's type. */
  document_type_code?: string;
  /** The id of the workflow, business or person. */
  entity_id?: string;
  /** What kind of record it concerns. */
  entity_type?: "Workflow" | "Business" | "Person" | (string & {});
  /** The code of the finding. */
  finding_code?: string;
  /** What the rule adds to the evaluation score. */
  points?: number;
  /** Why. Absent once the personal data was erased. */
  reason?: Reason;
}

export interface RulesChecked {
  /** The facts that the rules need. One with a default is among them only if it has an asked_when. */
  facts: Array<string>;
  /** What is allowed, and probably not what was meant. */
  warnings: Array<RulesWarning>;
}

export interface RulesData {
  /** ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. */
  applies_to: "ALL" | "NEW" | (string & {});
  /** What the person who published or proposed the rules said about them. */
  comment: string | null;
  /** The document type codes whose approvals hold although their text changes; * is all. */
  keep_approvals: Array<string>;
  /** When the version was published. */
  published_at: string;
  /** Who published the version. */
  published_by: string;
  /** The rule set, as it was published or proposed. */
  rules: unknown;
  /**
   * IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for NEW ones
   * leaves the one before it in force for the others. REPLACED: no workflow that has not ended could have it.
   */
  state: "COMING" | "IN_FORCE" | "REPLACED" | (string & {});
  /** The number of the version: 1, 2, 3. */
  version: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id: string;
  /**
   * The second person. published_by is who proposed the rules, and comment is what the approver said. Absent, as
   * the next four, where one person published.
   */
  approved_by?: string;
  /** API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. */
  approved_by_type?: "API_KEY" | "SYSTEM" | (string & {});
  /** The first day in force, in the account's time zone. Absent: from published_at on. */
  effective_from?: string;
  /** What the person said who proposed the rules. */
  proposal_comment?: string;
  /** When the rules were proposed. */
  proposed_at?: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  proposed_by_type?: "API_KEY" | "SYSTEM" | (string & {});
}

export interface RulesGetRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id?: string | undefined;
}

export interface RulesListData {
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
  /** The versions, newest first. */
  versions: Array<RulesVersion>;
}

export interface RulesListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface RulesPreviewData {
  /** What is required now, and was not before. */
  added: Array<PreviewedDocument>;
  /** Of those added: whose approval is taken over from previous_workflow_id. */
  carried: Array<PreviewedDocument>;
  /** The examples of rules that fail. account.documentRules.publish refuses them. */
  failing_examples: Array<FailingExample>;
  /** The findings of the rules. */
  findings: PreviewedFindings;
  /** What was required before, and still is. */
  kept: Array<PreviewedDocument>;
  /** As the details of MISSING_REQUIREMENTS; when there are any, nothing would change. */
  missing: Array<Gap>;
  /** Of those kept or restored: whose approval or waiver holds again. */
  reinstated: Array<PreviewedDocument>;
  /** What is no longer required. */
  removed: Array<PreviewedDocument>;
  /**
   * Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
   * a fact that it is bound to has changed.
   */
  reopened: Array<PreviewedDocument>;
  /** What was INACTIVE, and is required again. */
  restored: Array<PreviewedDocument>;
  /** Every rule, also one that gives nobody a document. Empty where facts are missing. */
  rules: Array<PreviewedRule>;
}

export interface RulesPreviewRequest {
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** The day at which days are counted: today in the account's time zone, or later. */
  as_of?: string | undefined;
  /** A rule set to try; without it and version_id, the one in force. Its examples may fail. */
  rules?: unknown;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. A version of the account's rules to try. */
  version_id?: string | undefined;
}

export interface RulesPublishRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A rule set; see the guide to rules. */
  rules: unknown;
  /** ALL when left out. NEW: only workflows that are created from then on. */
  applies_to?: "ALL" | "NEW" | undefined;
  /** Why; kept with the version. */
  comment?: string | null | undefined;
  /**
   * The first day on which the rules are in force, in the account's time zone; today, or left out, is at once.
   * They replace coming versions that would be in force no earlier and for no more workflows.
   */
  effective_from?: string | undefined;
  /** The document type codes whose approvals hold although their text changes; ["*"] is all. */
  keep_approvals?: Array<string> | undefined;
}

export interface RulesPublished {
  /**
   * False when the newest version says the same, from the same day and for the same workflows: no new version was
   * made.
   */
  changed: boolean;
  /** The number of the version: 1, 2, 3. */
  version: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id: string;
  /** As account.documentRules.validate answers them. */
  warnings: Array<RulesWarning>;
}

export interface RulesValidateRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A rule set; see the guide to rules. */
  rules: unknown;
}

export interface RulesVersion {
  /** ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. */
  applies_to: "ALL" | "NEW" | (string & {});
  /** What the person who published or proposed the rules said about them. */
  comment: string | null;
  /** The document type codes whose approvals hold although their text changes; * is all. */
  keep_approvals: Array<string>;
  /** When the version was published. */
  published_at: string;
  /** Who published the version. */
  published_by: string;
  /**
   * IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for NEW ones
   * leaves the one before it in force for the others. REPLACED: no workflow that has not ended could have it.
   */
  state: "COMING" | "IN_FORCE" | "REPLACED" | (string & {});
  /** The number of the version: 1, 2, 3. */
  version: number;
  /** A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. */
  version_id: string;
  /**
   * The second person. published_by is who proposed the rules, and comment is what the approver said. Absent, as
   * the next four, where one person published.
   */
  approved_by?: string;
  /** API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. */
  approved_by_type?: "API_KEY" | "SYSTEM" | (string & {});
  /** The first day in force, in the account's time zone. Absent: from published_at on. */
  effective_from?: string;
  /** What the person said who proposed the rules. */
  proposal_comment?: string;
  /** When the rules were proposed. */
  proposed_at?: string;
  /** API_KEY: a credential. SYSTEM: an operator. */
  proposed_by_type?: "API_KEY" | "SYSTEM" | (string & {});
}

export interface RulesWarning {
  /** One sentence for people. The wording may change. */
  message: string;
  /** Where in the rule set. */
  path: string;
  /** WARNING: probably not what was meant. HINT: advice, such as a rule that no example tries. */
  severity: "WARNING" | "HINT" | (string & {});
}

export interface RunRequest {
  /** A run id: run_ and 20 to 22 characters of 0-9A-Za-z. */
  run_id: string;
}

export interface SalesAmountData {
  /** The currency of the amount, ISO 4217. */
  currency: string;
  /** Which figure of the business's sales it is. */
  type: "AVERAGE_INDIVIDUAL_SALE" | "AVERAGE_MONTHLY_CREDIT_SALES" | "AVERAGE_YEARLY_CREDIT_SALES" | "HIGHEST_TICKET_SALE" | (string & {});
  /** At most two decimals. */
  value: number;
}

export interface SalesInfoCreateRequest {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** The sales of the business. */
  sales_info: NewSalesInfo;
  /**
   * A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. The sales info of the business that this one
   * replaces, in one step. Amounts of the old record that are not stated are not kept. If it was removed or
   * replaced before, the answer is ENTITY_NOT_FOUND.
   */
  replaces?: string | undefined;
  /**
   * Check everything and write nothing. If sales info is on record and replaces does not name it, the response has
   * the warning SALES_INFO_EXISTS instead of a refusal. The request does not use up an Idempotency-Key.
   */
  validate_only?: boolean | undefined;
}

export interface SalesInfoData {
  /** The stated amounts, each type once. */
  sales_amount: Array<SalesAmountData>;
  /** A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. */
  sales_info_id: string;
}

export interface SalesInfoDeleteRequest {
  /** A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. */
  sales_info_id: string;
}

export interface SalesInfoIDData {
  /** A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when only validated. */
  sales_info_id?: string;
}

export interface StatedAmount {
  /** An ISO 4217 code in upper case. */
  currency: string;
  /** Which figure of the business's sales it is. */
  type: "AVERAGE_INDIVIDUAL_SALE" | "AVERAGE_MONTHLY_CREDIT_SALES" | "AVERAGE_YEARLY_CREDIT_SALES" | "HIGHEST_TICKET_SALE";
  /** At most two decimals. */
  value: number;
}

export interface Statement {
  /** What was approved or waived. */
  approved?: Approved;
  /** The evidence on record then. */
  evidence?: Array<Evidence>;
  /** The reviewer's note. */
  note?: string;
  /** Why the document was waived. */
  reason?: string;
  /** What was required by hand, and why. */
  required?: ManualText;
  /** Who has reviewed. */
  reviewed_by?: string;
}

export interface VersionData {
  /** The version that answers. */
  current_version: string;
  /** The newest version. */
  latest_version: string;
}

export interface WaitData {
  /** Why the delivery waits. */
  cause: "ATTEMPT_IN_FLIGHT" | "NO_WORKER" | "ENDPOINT_DISABLED" | "NO_ACTIVE_KEY" | "RETRY_LATER" | "ENDPOINT_FAILING" | "RETRY_AFTER" | "ENDPOINT_RATE" | "ENDPOINT_CONCURRENCY" | "EARLIER_DELIVERIES" | "DUE" | (string & {});
  /** What the cause means, and what ends it. */
  message: string;
  /** When it ends, if that is known. */
  until?: string;
}

export interface Warning {
  /** What the warning is about. */
  code: "CATEGORY_CODE_WITHOUT_DIGIT" | "DATE_LOOKS_LIKE_DEFAULT" | "DOCUMENTS_NOT_CALCULATED" | "DOCUMENTS_NOT_COMPLETED" | "DOCUMENTS_STALE" | "ENDPOINT_DISABLED" | "FINDINGS_OPEN" | "NAME_HAS_INVISIBLE_CHARACTERS" | "NOTHING_FAILED" | "NOTHING_TO_UPDATE" | "NO_APPROVER" | "OWNERSHIP_EXCEEDS_100" | "PERSON_MAY_BE_ON_RECORD" | "PHONE_NUMBER_TOO_SHORT" | "REPLACES_COMING_VERSION" | "SALES_INFO_EXISTS" | "SCORE_OUTDATED" | "SECRET_ALREADY_SHOWN" | "SECRET_NOT_TAKEN" | (string & {});
  /** One sentence for people. The wording may change. */
  message: string;
}

/** A delivery to another endpoint of the account was given up. */
export interface WebhookDeliveryFailedContent {
  /** How many attempts were made. */
  attempt_count: number;
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z. */
  delivery_id: string;
  /** A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z. */
  event_id: string;
  /** Null when no attempt has failed. */
  last_error: string | null;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** Another endpoint of the account was disabled. Its events wait until it is enabled. */
export interface WebhookEndpointDisabledContent {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** Null when no attempt has failed. */
  last_error: string | null;
  /** When the trouble began. */
  since: string;
  /** The host of the endpoint's URL. */
  url_host: string;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** Deliveries that wait for the endpoint; counted up to 10,000. */
  waiting: number;
  /** Only of WEBHOOK_ENDPOINT_DISABLED. */
  disabled_reason?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** Five attempts in a row at another endpoint of the account have failed. From now on it is probed. */
export interface WebhookEndpointFailingContent {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** Null when no attempt has failed. */
  last_error: string | null;
  /** When the trouble began. */
  since: string;
  /** The host of the endpoint's URL. */
  url_host: string;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** Deliveries that wait for the endpoint; counted up to 10,000. */
  waiting: number;
  /** Only of WEBHOOK_ENDPOINT_DISABLED. */
  disabled_reason?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** Another endpoint of the account has answered 2xx for the first time since it failed or was disabled. */
export interface WebhookEndpointRecoveredContent {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** Null when no attempt has failed. */
  last_error: string | null;
  /** When the trouble began. */
  since: string;
  /** The host of the endpoint's URL. */
  url_host: string;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** Deliveries that wait for the endpoint; counted up to 10,000. */
  waiting: number;
  /** Only of WEBHOOK_ENDPOINT_DISABLED. */
  disabled_reason?: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/**
 * A webhook key became the account's active one. Like every webhook it is encrypted with the key that is active
 * when it is sent.
 */
export interface WebhookKeyActivatedContent {
  /** The id of the webhook key. */
  key_id: string;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

/** webhook.config.test was called without an event_type, or with this one. The event goes to that endpoint alone. */
export interface WebhookTestContent {
  /** A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z. */
  config_id: string;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WhoamiData {
  /** The credential that signs the request. */
  credential: CredentialData;
  /** live or sandbox. */
  environment: "live" | "sandbox" | (string & {});
  /** The organization of the credential. */
  organization_id: string;
  /** How often the credential may send requests to each api process. Absent without a limit. */
  rate_limit?: RateLimitData;
}

export interface WorkflowCompleteRequest {
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** Refuse, where the answer would have warnings other than FINDINGS_OPEN for findings of kind REVIEW. */
  strict?: boolean | undefined;
}

/** A workflow has ended. */
export interface WorkflowCompletedContent {
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WorkflowCreateRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** The fields of the workflow. */
  workflow: WorkflowCreateRequestWorkflow;
}

export interface WorkflowCreateRequestWorkflow {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
  /**
   * A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. An ENDED workflow of the business. The first
   * calculation takes over its approvals that still hold: the same document, entity, text, identity and bound
   * facts, and still valid.
   */
  previous_workflow_id?: string | undefined;
  /** STARTED when left out. */
  state?: "CREATED" | "STARTED" | undefined;
}

/** A workflow was created. */
export interface WorkflowCreatedContent {
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WorkflowData {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id: string;
  /** When the record was made. */
  created_at: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /**
   * How many required documents have each status. Nothing is open when documents_calculated_at is set,
   * documents_stale is false, and pending and needs_review are 0.
   */
  documents: DocumentCounts;
  /** Your own id of the record. */
  external_id: string | null;
  /**
   * What the last calculation found by the rules, and the documents that hold up the application today. Findings
   * advise: they change no state.
   */
  findings: Array<FindingData>;
  /** Where it stands. */
  state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /** When the record was last changed. */
  updated_at: string;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /**
   * When the required documents were last calculated. Absent before the first calculation: an empty list then
   * means nothing.
   */
  documents_calculated_at?: string;
  /**
   * Whether the application, its business, persons or sales, its score or the account's rules have changed since:
   * calculate again. It may be true although the documents would stay the same; that days pass does not count.
   * Absent before the first calculation, false when the workflow has ended.
   */
  documents_stale?: boolean;
  /** When it ended. Absent until then. */
  ended_at?: string;
  /** The score that workflow.pricing.calculate has set. Absent until then. */
  evaluation_score?: number;
  /**
   * A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
   * takes over.
   */
  previous_workflow_id?: string;
  /**
   * A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that is
   * in force for this workflow today; once it has ENDED, the one that its last calculation used. Absent where
   * there is none.
   */
  rule_version_id?: string;
  /** When the score was set. Absent until then. */
  score_calculated_at?: string;
  /** When it was started. Absent until then. */
  started_at?: string;
}

export interface WorkflowFacts {
  /** The currency of the account, ISO 4217. */
  currency: string;
  /** The values of facts that the account declares itself, by name. */
  custom: Record<string, boolean | number | string | Array<string>>;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
  /** The score that workflow.pricing.calculate has set. Absent until then. */
  evaluation_score?: number;
}

/** A calculation has changed the findings of a workflow. workflow.get has their messages and reasons. */
export interface WorkflowFindingsChangedContent {
  /** The findings that are new. */
  added: Array<FindingRef>;
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** The findings that no longer hold. */
  removed: Array<FindingRef>;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WorkflowListData {
  /** Pass it as page.after for the next page; null on the last one. */
  next: string | null;
  /** The workflows, newest first. */
  workflows: Array<ListedWorkflow>;
}

export interface WorkflowListRequest {
  /** An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. */
  account_id: string;
  /** Only what matches all of these. */
  filters?: WorkflowListRequestFilters | undefined;
  /** Which page of the list: see Lists and pages. */
  page?: Page | undefined;
}

export interface WorkflowListRequestFilters {
  /** A business id: b_ and 20 to 22 characters of 0-9A-Za-z. */
  business_id?: string | undefined;
  /** Only workflows with this documents_stale, which a workflow has from its first calculation on. */
  documents_stale?: boolean | undefined;
  /** Printable ASCII without blanks. */
  external_id?: string | undefined;
  /** Whether documents.pending or documents.needs_review is more than 0. */
  open_documents?: boolean | undefined;
  /** Whether documents.overdue is more than 0. */
  overdue?: boolean | undefined;
  /** Where it stands. */
  state?: "CREATED" | "STARTED" | "ENDED" | undefined;
}

/** The evaluation score of a workflow was calculated. */
export interface WorkflowPricingCalculatedContent {
  /** A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. */
  decision_id: string;
  /** The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later. */
  digest: string;
  /** The score that was calculated. */
  evaluation_score: number;
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WorkflowRequest {
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
}

/** A workflow was started. One that is created as STARTED sends this event after WORKFLOW_CREATED. */
export interface WorkflowStartedContent {
  /**
   * The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
   * is right.
   */
  sequence: number;
  /** Where it stands. */
  state: "CREATED" | "STARTED" | "ENDED" | (string & {});
  /** Who caused the event. */
  user_context: CommonUserContext;
  /** The version of the content's form. */
  version: string;
  /** The workflow. */
  workflow_id: string;
  /** true when webhook.event.replay sent the event. */
  replay?: boolean;
  /** true when webhook.config.test sent the event: it is an example, and has not happened. */
  test?: boolean;
}

export interface WorkflowUpdateRequest {
  /** The fields of the workflow. */
  workflow: WorkflowUpdateRequestWorkflow;
  /** A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. */
  workflow_id: string;
}

export interface WorkflowUpdateRequestWorkflow {
  /**
   * Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
   * change; null removes a value.
   */
  custom?: Record<string, boolean | number | string | Array<string> | null> | null | undefined;
  /**
   * Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
   * the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
   * it.
   */
  external_id?: string | null | undefined;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Read a version of an account's rules: the one in force, or the one named. */
  "account.documentRules.get": { request: RulesGetRequest; data: RulesData };
  /** List the versions of an account's rules, newest first. */
  "account.documentRules.list": { request: RulesListRequest; data: RulesListData };
  /**
   * Show what a calculation would do to a workflow, by the rules in force or by rules not published yet; writes
   * nothing.
   */
  "account.documentRules.preview": { request: RulesPreviewRequest; data: RulesPreviewData };
  /** Put in force what another person has proposed. */
  "account.documentRules.proposal.approve": { request: ProposalApproveRequest; data: ProposalApproved };
  /** Propose a rule set for an account, which another person approves. */
  "account.documentRules.proposal.create": { request: ProposalCreateRequest; data: ProposalCreated };
  /** Read a proposal with its rules, and which documents it changes. */
  "account.documentRules.proposal.get": { request: ProposalRequest; data: ProposalData };
  /** List the proposals of an account, newest first, without their rules. */
  "account.documentRules.proposal.list": { request: ProposalListRequest; data: ProposalListData };
  /** Reject a proposal. For your own, the permission rules is enough. */
  "account.documentRules.proposal.reject": { request: ProposalRejectRequest; data: Empty };
  /** Put a rule set in force for an account, as a new immutable version. */
  "account.documentRules.publish": { request: RulesPublishRequest; data: RulesPublished };
  /** Check a rule set without publishing it. */
  "account.documentRules.validate": { request: RulesValidateRequest; data: RulesChecked };
  /**
   * List the facts that the account declares itself, and the built-in ones where asked: what a form needs to ask
   * for them.
   */
  "account.fact.list": { request: FactListRequest; data: FactListData };
  /** Read an account. */
  "account.get": { request: AccountRequest; data: AccountData };
  /** List the accounts of the credential, newest first. */
  "account.list": { request: AccountListRequest; data: AccountListData };
  /** End a recalculation; what it has calculated stays. */
  "account.recalculation.cancel": { request: RecalculationRequest; data: Empty };
  /** Read the progress of a recalculation. */
  "account.recalculation.get": { request: RecalculationRequest; data: RecalculationData };
  /** Calculate the required documents of an account's workflows that have not ended; goes on in the background. */
  "account.recalculation.start": { request: RecalculationStartRequest; data: RecalculationRequest };
  /**
   * Put a business on record, with its persons and its sales if they are known: all or nothing. Warns as
   * person.create does.
   */
  "business.create": { request: BusinessCreateRequest; data: BusinessCreateData };
  /** Read a business with its sales and the ids of its persons. */
  "business.get": { request: BusinessRequest; data: BusinessOnRecord };
  /** List an account's businesses, newest first. */
  "business.list": { request: BusinessListRequest; data: BusinessListData };
  /** State the sales of a business, in place of earlier ones if replaces names them; or only check them. */
  "business.salesInfo.create": { request: SalesInfoCreateRequest; data: SalesInfoIDData };
  /** Remove the stated sales of a business. */
  "business.salesInfo.delete": { request: SalesInfoDeleteRequest; data: Empty };
  /** Change the fields of a business that are named; null clears one. Warns of a value that looks wrong. */
  "business.update": { request: BusinessUpdateRequest; data: Empty };
  /** Show the version of the API that answers, and the newest. */
  "meta.checkVersion": { request: Empty; data: VersionData };
  /** Show the credential that signs the request, and what it may do. */
  "meta.whoami": { request: Empty; data: WhoamiData };
  /**
   * Put a person of a business on record, or several: all or none. Warns when its persons own more than 100
   * percent together.
   */
  "person.create": { request: PersonCreateRequest; data: PersonCreateData };
  /**
   * Remove a person, and what the documents and findings of the person say of them, in all workflows of the
   * business.
   */
  "person.delete": { request: PersonRequest; data: Empty };
  /** Read a person. */
  "person.get": { request: PersonRequest; data: PersonOnRecord };
  /** List the persons of a business. */
  "person.list": { request: PersonListRequest; data: PersonListData };
  /** Change the fields of a person that are named; null clears one. Warns as person.create does. */
  "person.update": { request: PersonUpdateRequest; data: Empty };
  /** Add an endpoint to which an account's webhooks are sent. */
  "webhook.config.create": { request: ConfigCreateRequest; data: ConfigRequest };
  /** Delete an endpoint; its open deliveries are canceled. */
  "webhook.config.delete": { request: ConfigRequest; data: Empty };
  /** Send all open deliveries of an endpoint now, after you have fixed it. */
  "webhook.config.flush": { request: ConfigRequest; data: DeliveryCount };
  /** Read an endpoint and its health. */
  "webhook.config.get": { request: ConfigRequest; data: ConfigData };
  /** List an account's endpoints, newest first. */
  "webhook.config.list": { request: AccountRequest; data: ConfigListData };
  /** Send an example of an event, WEBHOOK_TEST or of another type, to one endpoint alone. */
  "webhook.config.test": { request: ConfigTestRequest; data: EventIDData };
  /** Change the fields of an endpoint that are named; disable or enable it. */
  "webhook.config.update": { request: ConfigUpdateRequest; data: Empty };
  /** Give up on a delivery: it is FAILED, and can be recovered. */
  "webhook.delivery.cancel": { request: DeliveryRequest; data: Empty };
  /** Read a delivery: what it waits for, and each of its attempts. */
  "webhook.delivery.get": { request: DeliveryRequest; data: DeliveryData };
  /** List an account's deliveries, newest first. */
  "webhook.delivery.list": { request: DeliveryListRequest; data: DeliveryListData };
  /** Send the FAILED deliveries of an endpoint again, for events since a given time. */
  "webhook.delivery.recover": { request: RecoverRequest; data: DeliveryCount };
  /** Try a delivery again at once, from the start of its schedule. */
  "webhook.delivery.retry": { request: DeliveryRequest; data: Empty };
  /** Read an event with its content, which webhooks carry encrypted. */
  "webhook.event.get": { request: EventRequest; data: Event };
  /** List an account's events, newest first, or oldest first as a feed that misses none. */
  "webhook.event.list": { request: EventListRequest; data: EventListData };
  /**
   * Send events of a period to an endpoint again, or for the first time when it was added later; goes on in the
   * background.
   */
  "webhook.event.replay": { request: ReplayRequest; data: RunRequest };
  /** Read the progress of a replay. */
  "webhook.event.replayed": { request: RunRequest; data: ReplayedData };
  /**
   * Make a key the account's only active one; the previous one is deleted. Warns if no answer has carried its
   * secret.
   */
  "webhook.key.activate": { request: KeyRequest; data: KeyActivateData };
  /** Create a webhook key, INACTIVE, and show its secret this once. */
  "webhook.key.create": { request: AccountRequest; data: KeyCreateData };
  /** Delete a key that is INACTIVE; it can never become active. */
  "webhook.key.delete": { request: KeyRequest; data: Empty };
  /** Read a webhook key, without its secret. */
  "webhook.key.get": { request: KeyRequest; data: KeyData };
  /** List an account's webhook keys, newest first. */
  "webhook.key.list": { request: KeyListRequest; data: KeyListData };
  /** End a started workflow; warns when its required documents are not done, or with strict refuses. */
  "workflow.complete": { request: WorkflowCompleteRequest; data: Empty };
  /** Open a workflow for a business. */
  "workflow.create": { request: WorkflowCreateRequest; data: WorkflowRequest };
  /**
   * Do for one workflow what the service does by itself on the day that X-Sandbox-Today names: expiry, renewal,
   * overdue documents, reminders.
   */
  "workflow.deadlines.apply": { request: WorkflowRequest; data: DeadlinesApplyData };
  /** Read a decision: the facts on file, each rule's result with its reason, and what was changed. */
  "workflow.decision.get": { request: DecisionRequest; data: DecisionData };
  /** List a workflow's decisions, newest first. */
  "workflow.decision.list": { request: DecisionListRequest; data: DecisionListData };
  /** Read a workflow, how many of its required documents are open, and whether they are up to date. */
  "workflow.get": { request: WorkflowRequest; data: WorkflowData };
  /** List an account's workflows, newest first. */
  "workflow.list": { request: WorkflowListRequest; data: WorkflowListData };
  /** Set a workflow's evaluation score from the account's pricing model. */
  "workflow.pricing.calculate": { request: WorkflowRequest; data: Empty };
  /** Decide which documents a workflow requires. */
  "workflow.requiredDocument.calculate": { request: WorkflowRequest; data: Empty };
  /** Require a document of a workflow by hand. */
  "workflow.requiredDocument.create": { request: DocumentCreateRequest; data: DocumentRequest };
  /** Read a required document. */
  "workflow.requiredDocument.get": { request: DocumentRequest; data: DocumentData };
  /** List a workflow's required documents: all of them, or a page. */
  "workflow.requiredDocument.list": { request: DocumentsListRequest; data: DocumentsListData };
  /** Review a required document: move it to another status, with evidence. */
  "workflow.requiredDocument.update": { request: DocumentUpdateRequest; data: Empty };
  /** Do without a required document. */
  "workflow.requiredDocument.waive": { request: DocumentWaiveRequest; data: Empty };
  /** Start a created workflow. */
  "workflow.start": { request: WorkflowRequest; data: Empty };
  /** Change the declared facts or the external_id of a workflow that has not ended; null clears one. */
  "workflow.update": { request: WorkflowUpdateRequest; data: Empty };
}

/** The elements of the operations that answer in pages. */
export interface Pages {
  "account.documentRules.list": RulesVersion;
  "account.documentRules.proposal.list": ProposalListed;
  "account.list": AccountData;
  "business.list": BusinessOnRecord;
  "person.list": PersonOnRecord;
  "webhook.delivery.list": DeliveryView;
  "webhook.event.list": Event;
  "webhook.key.list": KeyData;
  "workflow.decision.list": ListedDecision;
  "workflow.list": ListedWorkflow;
  "workflow.requiredDocument.list": DocumentData;
}

/** The decrypted contents of webhooks, by type of event. */
export interface Contents {
  DOCUMENT_RULES_PUBLISHED: DocumentRulesPublishedContent;
  REQUIRED_DOCUMENTS_CALCULATED: RequiredDocumentsCalculatedContent;
  REQUIRED_DOCUMENT_ADDED: RequiredDocumentAddedContent;
  REQUIRED_DOCUMENT_EXPIRED: RequiredDocumentExpiredContent;
  REQUIRED_DOCUMENT_EXPIRING: RequiredDocumentExpiringContent;
  REQUIRED_DOCUMENT_OVERDUE: RequiredDocumentOverdueContent;
  REQUIRED_DOCUMENT_UPDATED: RequiredDocumentUpdatedContent;
  WEBHOOK_DELIVERY_FAILED: WebhookDeliveryFailedContent;
  WEBHOOK_ENDPOINT_DISABLED: WebhookEndpointDisabledContent;
  WEBHOOK_ENDPOINT_FAILING: WebhookEndpointFailingContent;
  WEBHOOK_ENDPOINT_RECOVERED: WebhookEndpointRecoveredContent;
  WEBHOOK_KEY_ACTIVATED: WebhookKeyActivatedContent;
  WEBHOOK_TEST: WebhookTestContent;
  WORKFLOW_COMPLETED: WorkflowCompletedContent;
  WORKFLOW_CREATED: WorkflowCreatedContent;
  WORKFLOW_FINDINGS_CHANGED: WorkflowFindingsChangedContent;
  WORKFLOW_PRICING_CALCULATED: WorkflowPricingCalculatedContent;
  WORKFLOW_STARTED: WorkflowStartedContent;
}

/** Whether an operation writes, and where it answers in pages, the field with the elements. */
export const OPERATIONS: { readonly [N in keyof Operations]: { readonly writes: boolean; readonly items?: string } } = {
  "account.documentRules.get": { writes: false },
  "account.documentRules.list": { writes: false, items: "versions" },
  "account.documentRules.preview": { writes: false },
  "account.documentRules.proposal.approve": { writes: true },
  "account.documentRules.proposal.create": { writes: true },
  "account.documentRules.proposal.get": { writes: false },
  "account.documentRules.proposal.list": { writes: false, items: "proposals" },
  "account.documentRules.proposal.reject": { writes: true },
  "account.documentRules.publish": { writes: true },
  "account.documentRules.validate": { writes: false },
  "account.fact.list": { writes: false },
  "account.get": { writes: false },
  "account.list": { writes: false, items: "accounts" },
  "account.recalculation.cancel": { writes: true },
  "account.recalculation.get": { writes: false },
  "account.recalculation.start": { writes: true },
  "business.create": { writes: true },
  "business.get": { writes: false },
  "business.list": { writes: false, items: "businesses" },
  "business.salesInfo.create": { writes: true },
  "business.salesInfo.delete": { writes: true },
  "business.update": { writes: true },
  "meta.checkVersion": { writes: false },
  "meta.whoami": { writes: false },
  "person.create": { writes: true },
  "person.delete": { writes: true },
  "person.get": { writes: false },
  "person.list": { writes: false, items: "persons" },
  "person.update": { writes: true },
  "webhook.config.create": { writes: true },
  "webhook.config.delete": { writes: true },
  "webhook.config.flush": { writes: true },
  "webhook.config.get": { writes: false },
  "webhook.config.list": { writes: false },
  "webhook.config.test": { writes: true },
  "webhook.config.update": { writes: true },
  "webhook.delivery.cancel": { writes: true },
  "webhook.delivery.get": { writes: false },
  "webhook.delivery.list": { writes: false, items: "deliveries" },
  "webhook.delivery.recover": { writes: true },
  "webhook.delivery.retry": { writes: true },
  "webhook.event.get": { writes: false },
  "webhook.event.list": { writes: false, items: "events" },
  "webhook.event.replay": { writes: true },
  "webhook.event.replayed": { writes: false },
  "webhook.key.activate": { writes: true },
  "webhook.key.create": { writes: true },
  "webhook.key.delete": { writes: true },
  "webhook.key.get": { writes: false },
  "webhook.key.list": { writes: false, items: "keys" },
  "workflow.complete": { writes: true },
  "workflow.create": { writes: true },
  "workflow.deadlines.apply": { writes: true },
  "workflow.decision.get": { writes: false },
  "workflow.decision.list": { writes: false, items: "decisions" },
  "workflow.get": { writes: false },
  "workflow.list": { writes: false, items: "workflows" },
  "workflow.pricing.calculate": { writes: true },
  "workflow.requiredDocument.calculate": { writes: true },
  "workflow.requiredDocument.create": { writes: true },
  "workflow.requiredDocument.get": { writes: false },
  "workflow.requiredDocument.list": { writes: false, items: "required_documents" },
  "workflow.requiredDocument.update": { writes: true },
  "workflow.requiredDocument.waive": { writes: true },
  "workflow.start": { writes: true },
  "workflow.update": { writes: true },
};
