# Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.
"""The objects of the API."""
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union

#: The version of the API that this package was made from.
VERSION = "2025-03-24"

#: The types of events. Later versions of the service may add some.
EVENT_TYPES = ("WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED",)

#: The codes of refusals. Later versions of the service may add some.
CODES = ("AUTH_ELEMENT_REQUIRED", "AUTH_INVALID_API_KEY", "AUTH_INVALID_AUTH_TOKEN", "AUTH_INVALID_HEADER", "AUTH_MISSING_HEADER", "AUTH_NONCE_REUSED", "AUTH_SIGNATURE_MISMATCH", "AUTH_TIMESTAMP_EXPIRED", "BAD_REQUEST", "ENTITY_NOT_FOUND", "FORBIDDEN", "IDEMPOTENCY_KEY_REUSED", "INTERNAL_ERROR", "METHOD_NOT_ALLOWED", "MISSING_REQUIREMENTS", "REQUEST_IN_PROGRESS", "REQUEST_TOO_LARGE", "STILL_RUNNING", "SYSTEM_RULE_VIOLATION", "TOO_MANY_REQUESTS", "UNAVAILABLE", "UNKNOWN_OPERATION", "UNKNOWN_VERSION", "UNSUPPORTED_MEDIA_TYPE",)

#: The sub-codes of SYSTEM_RULE_VIOLATION. Later versions of the service may add some.
SUB_CODES = ("BUSINESS_ERASED", "BUSINESS_LIMIT_EXCEEDED", "CURSOR_UNKNOWN", "DAILY_LIMIT_EXCEEDED", "DECISION_LIMIT_EXCEEDED", "DELIVERY_CANCELED", "DELIVERY_ENDED", "DELIVERY_HELD", "DOCUMENTS_NOT_CALCULATED", "DOCUMENTS_NOT_COMPLETED", "DOCUMENTS_STALE", "DOCUMENT_CHANGED", "DOCUMENT_EXISTS", "DOCUMENT_LIMIT_EXCEEDED", "EVIDENCE_EXPIRED", "EVIDENCE_REQUIRED", "EVIDENCE_TOO_OLD", "EXTERNAL_ID_EXISTS", "FACTS_KEEP_CHANGING", "FACT_LIMIT_EXCEEDED", "INVALID_STATUS_CHANGE", "KEY_ACTIVE", "KEY_DELETED", "MAX_WEBHOOK_URL_LIMIT", "PERSONS_ON_RECORD", "PERSON_LIMIT_EXCEEDED", "PRICING_NOT_CONFIGURED", "REPLAY_IN_PROGRESS", "RULE_NOT_EVALUABLE", "SALES_INFO_EXISTS", "SIZE_LIMIT_EXCEEDED", "URL_ALREADY_EXISTS", "VERSION_LIMIT_EXCEEDED", "WAITING_LIMIT_EXCEEDED", "WORKFLOW_ALREADY_STARTED", "WORKFLOW_ENDED", "WORKFLOW_LIMIT_EXCEEDED", "WORKFLOW_NOT_ENDED", "WORKFLOW_NOT_STARTED",)

#: The codes of warnings. Later versions of the service may add some.
WARNING_CODES = ("DATE_LOOKS_LIKE_DEFAULT", "DOCUMENTS_NOT_CALCULATED", "DOCUMENTS_NOT_COMPLETED", "DOCUMENTS_STALE", "ENDPOINT_DISABLED", "OWNERSHIP_EXCEEDS_100", "SALES_INFO_EXISTS", "SCORE_OUTDATED", "SECRET_ALREADY_SHOWN",)

Number = Union[Decimal, int, float]


class AccountData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    created_at: str
    #: ISO 4217
    currency: str
    name: str
    #: IANA; ages are as of the current date in this zone
    time_zone: str


class AccountListData(TypedDict):
    """An object of the API."""
    accounts: List[AccountData]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class AccountListRequest(TypedDict):
    """An object of the API."""
    page: NotRequired[Page]


class AccountRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str


class Address(TypedDict):
    """An object of the API."""
    city: NotRequired[Optional[str]]
    #: ISO 3166-1 alpha-2, or XK for Kosovo.
    country: NotRequired[Optional[str]]
    line1: NotRequired[Optional[str]]
    line2: NotRequired[Optional[str]]
    postal_code: NotRequired[Optional[str]]
    region: NotRequired[Optional[str]]


class AddressFields(TypedDict):
    """An object of the API."""
    city: NotRequired[Optional[str]]
    #: An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
    country: NotRequired[Optional[str]]
    line1: NotRequired[Optional[str]]
    line2: NotRequired[Optional[str]]
    postal_code: NotRequired[Optional[str]]
    region: NotRequired[Optional[str]]


class Approved(TypedDict):
    """An object of the API."""
    #: As the last calculation saw it; empty for a document of the workflow.
    identity: Identity
    text: DocumentText
    #: The version of the rules that has the text.
    version_id: NotRequired[str]


class AttemptData(TypedDict):
    """An object of the API."""
    key_id: str
    number: int
    #: UNKNOWN when the service did not see the end of the attempt: it may have arrived. One of SENDING, SUCCEEDED,
    #: FAILED, UNKNOWN.
    outcome: str
    started_at: str
    temporal_run_id: str
    #: The Temporal run that made the attempt.
    temporal_workflow_id: str
    #: The address that was connected to.
    address: NotRequired[str]
    duration_ms: NotRequired[int]
    error: NotRequired[str]
    #: At most 4 KiB of the answer.
    response_body: NotRequired[str]
    status_code: NotRequired[int]


class BusinessCreateData(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: In the order of persons. Absent when none are stated.
    person_ids: NotRequired[List[str]]
    #: A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when no sales are stated.
    sales_info_id: NotRequired[str]


class BusinessCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    business: BusinessCreateRequestBusiness
    #: The persons of the business, as in person.create.
    persons: NotRequired[List[NewPerson]]
    #: The sales of the business, as in business.salesInfo.create.
    sales_info: NotRequired[NewSalesInfo]


class BusinessCreateRequestBusiness(TypedDict):
    """An object of the API."""
    legal_name: str
    #: Only the parts that are sent change; null removes a part, or the whole address.
    address: NotRequired[Optional[AddressFields]]
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Not after today in the account's time zone.
    established_date: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: Leading zeros matter. A code stated twice is kept once.
    industry_category_code: NotRequired[Optional[List[str]]]
    #: States that the business has no persons, so rules about persons do not report them as missing. Refused while
    #: persons are on record. Adding a person sets it to false.
    no_persons_attested: NotRequired[Optional[bool]]
    operating_name: NotRequired[Optional[str]]
    phone_number: NotRequired[Optional[str]]
    website: NotRequired[Optional[str]]


class BusinessData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    address: Optional[Address]
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    email: Optional[str]
    established_date: Optional[str]
    industry_category_code: List[str]
    legal_name: str
    no_persons_attested: bool
    operating_name: Optional[str]
    person_ids: List[str]
    phone_number: Optional[str]
    updated_at: str
    website: Optional[str]
    #: When the operator erased the personal data. Nothing about the business changes from then on.
    erased_at: NotRequired[str]
    sales_info: NotRequired[SalesInfoData]


class BusinessListData(TypedDict):
    """An object of the API."""
    businesses: List[BusinessOnRecord]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class BusinessListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    filters: NotRequired[ExternalIDFilter]
    page: NotRequired[Page]


class BusinessOnRecord(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    address: Optional[Address]
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    email: Optional[str]
    established_date: Optional[str]
    external_id: Optional[str]
    industry_category_code: List[str]
    legal_name: str
    no_persons_attested: bool
    operating_name: Optional[str]
    person_ids: List[str]
    phone_number: Optional[str]
    updated_at: str
    website: Optional[str]
    #: When the operator erased the personal data. Nothing about the business changes from then on.
    erased_at: NotRequired[str]
    sales_info: NotRequired[SalesInfoData]


class BusinessRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str


class BusinessUpdateRequest(TypedDict):
    """An object of the API."""
    business: BusinessUpdateRequestBusiness
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str


class BusinessUpdateRequestBusiness(TypedDict):
    """An object of the API."""
    #: Only the parts that are sent change; null removes a part, or the whole address.
    address: NotRequired[Optional[AddressFields]]
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Not after today in the account's time zone.
    established_date: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: Leading zeros matter. A code stated twice is kept once.
    industry_category_code: NotRequired[Optional[List[str]]]
    legal_name: NotRequired[str]
    #: States that the business has no persons, so rules about persons do not report them as missing. Refused while
    #: persons are on record. Adding a person sets it to false.
    no_persons_attested: NotRequired[Optional[bool]]
    operating_name: NotRequired[Optional[str]]
    phone_number: NotRequired[Optional[str]]
    website: NotRequired[Optional[str]]


class CarriedRef(TypedDict):
    """An object of the API."""
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    #: The decision that approved.
    from_decision_id: str
    required_document_id: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str


class CommonUserContext(TypedDict):
    """An object of the API."""
    #: The name of the credential, or SYSTEM.
    user_id: str
    #: One of API_KEY, SYSTEM.
    user_type: str


class ConfigCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    config: ConfigCreateRequestConfig


class ConfigCreateRequestConfig(TypedDict):
    """An object of the API."""
    #: https://, a public host, port 443 or 8443; no user name, password or fragment.
    url: str
    #: How many attempts may be in flight at once; ten when left out or null.
    concurrency: NotRequired[Optional[int]]
    description: NotRequired[Optional[str]]
    #: The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
    #: account's other endpoints. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[Optional[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]]
    #: How many attempts may begin in any second, retries included; no limit when left out or null.
    rate_per_second: NotRequired[Optional[int]]


class ConfigData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: null is ten.
    concurrency: Optional[int]
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    created_at: str
    description: Optional[str]
    #: null takes all but notices. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: Optional[List[str]]
    health: HealthData
    #: null is no limit.
    rate_per_second: Optional[int]
    #: One of ACTIVE, DISABLED.
    status: str
    updated_at: str
    url: str
    disabled_reason: NotRequired[str]


class ConfigListData(TypedDict):
    """An object of the API."""
    configs: List[ConfigData]


class ConfigRequest(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str


class ConfigTestRequest(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: The type of the event, whether or not the endpoint takes it; WEBHOOK_TEST when left out. The content says
    #: test. WEBHOOK_TEST names the endpoint; an event of another type is an example, whose records do not exist. One
    #: of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: NotRequired[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]


class ConfigUpdateRequest(TypedDict):
    """An object of the API."""
    config: ConfigUpdateRequestConfig
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str


class ConfigUpdateRequestConfig(TypedDict):
    """An object of the API."""
    #: How many attempts may be in flight at once; ten when left out or null.
    concurrency: NotRequired[Optional[int]]
    description: NotRequired[Optional[str]]
    #: The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
    #: account's other endpoints. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[Optional[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]]
    #: How many attempts may begin in any second, retries included; no limit when left out or null.
    rate_per_second: NotRequired[Optional[int]]
    #: A disabled endpoint holds its deliveries until it is ACTIVE again. One of ACTIVE, DISABLED.
    status: NotRequired[Literal["ACTIVE", "DISABLED"]]
    url: NotRequired[str]


class CredentialData(TypedDict):
    """An object of the API."""
    api_key: str
    name: str
    #: One of read, write, rules, keys, webhooks.
    permissions: List[str]
    #: strict signs all six elements, minimal may sign the API key alone. One of strict, minimal.
    signature_policy: str


class DecidedBy(TypedDict):
    """An object of the API."""
    #: The name of the credential, or SYSTEM for the operator.
    user_id: str
    #: One of API_KEY, SYSTEM.
    user_type: str


class DecisionData(TypedDict):
    """An object of the API."""
    #: The account's local date, by which ages were counted.
    as_of: str
    decided_at: str
    decided_by: DecidedBy
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    digest: str
    #: Whether the personal data was erased: facts and reasons are gone.
    erased: bool
    #: One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: str
    #: From 1, without gaps in the workflow.
    number: int
    #: CALCULATED, PRICED, UPDATED, CREATED, WAIVED or ERASED, or the code of the refusal. One of CALCULATED, PRICED,
    #: UPDATED, CREATED, WAIVED, ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
    outcome: str
    #: The digest of the decision before; empty of the first.
    previous_digest: str
    trace_id: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    added: NotRequired[List[DocumentRef]]
    #: Of those added: whose approval is one of previous_workflow_id.
    carried: NotRequired[List[CarriedRef]]
    #: Of a CREATED document.
    created: NotRequired[DocumentAdded]
    #: Of an UPDATED or WAIVED document: what was moved.
    document: NotRequired[DocumentMove]
    #: Why a rule had no answer.
    error: NotRequired[RuleError]
    #: Of a PRICING.
    evaluation_score: NotRequired[Union[Decimal, int]]
    #: Everything on file then. Absent once erased.
    facts: NotRequired[Facts]
    #: What was missing.
    gaps: NotRequired[List[Gap]]
    kept: NotRequired[List[DocumentRef]]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
    #: that was used.
    pricing_version_id: NotRequired[str]
    #: Of those kept or restored: whose approval or waiver holds again.
    reinstated: NotRequired[List[DocumentRef]]
    removed: NotRequired[List[DocumentRef]]
    #: Of those added, kept or restored: whose approval or waiver no longer holds.
    reopened: NotRequired[List[DocumentRef]]
    restored: NotRequired[List[DocumentRef]]
    #: What each rule gave: for each entity where it holds, and once where it holds for nobody.
    results: NotRequired[List[RuleResult]]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
    #: used.
    rule_version_id: NotRequired[str]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. An earlier decision of the month with the same
    #: facts, versions and results.
    same_as: NotRequired[str]
    #: What was stated about the document, and what was approved. Absent once erased.
    statement: NotRequired[Statement]


class DecisionListData(TypedDict):
    """An object of the API."""
    decisions: List[ListedDecision]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class DecisionListRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    filters: NotRequired[DecisionListRequestFilters]
    page: NotRequired[Page]


class DecisionListRequestFilters(TypedDict):
    """An object of the API."""
    #: One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: NotRequired[Literal["CALCULATION", "PRICING", "DOCUMENT_STATUS", "ERASURE"]]
    #: Only decisions made then or later.
    since: NotRequired[str]


class DecisionRequest(TypedDict):
    """An object of the API."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str


class DeliveryCount(TypedDict):
    """An object of the API."""
    count: int


class DeliveryData(TypedDict):
    """An object of the API."""
    attempt_count: int
    attempts: List[AttemptData]
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    created_at: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: str
    #: PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
    #: or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
    #: webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint. One of PENDING,
    #: RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: str
    updated_at: str
    last_error: NotRequired[str]
    #: Absent while the delivery is due, and once it has ended.
    next_attempt_at: NotRequired[str]


class DeliveryListData(TypedDict):
    """An object of the API."""
    deliveries: List[DeliveryView]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class DeliveryListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    filters: NotRequired[DeliveryListRequestFilters]
    page: NotRequired[Page]


class DeliveryListRequestFilters(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: NotRequired[str]
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: NotRequired[str]
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Deliveries that were created from then on.
    since: NotRequired[str]
    #: One of PENDING, RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: NotRequired[Literal["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"]]


class DeliveryRequest(TypedDict):
    """An object of the API."""
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str


class DeliveryView(TypedDict):
    """An object of the API."""
    attempt_count: int
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    created_at: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: str
    #: PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
    #: or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
    #: webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint. One of PENDING,
    #: RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: str
    updated_at: str
    last_error: NotRequired[str]
    #: Absent while the delivery is due, and once it has ended.
    next_attempt_at: NotRequired[str]


class DocumentAdded(TypedDict):
    """An object of the API."""
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    required_document_id: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    due_on: NotRequired[str]


class DocumentCounts(TypedDict):
    """An object of the API."""
    completed: int
    inactive: int
    needs_review: int
    #: How many of those PENDING were due before today, in the account's time zone.
    overdue: int
    pending: int
    waived: int


class DocumentCreateRequest(TypedDict):
    """An object of the API."""
    document: DocumentCreateRequestDocument
    #: A text that is not blank. Why the document is required, for colleagues. It stands in the document's reasons.
    reason: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str


class DocumentCreateRequestDocument(TypedDict):
    """An object of the API."""
    #: A text that is not blank.
    category: str
    #: 1 to 64 of A-Z, 0-9 and _.
    document_type_code: str
    #: The id of a workflow, a business or a person. The workflow, its business, or a person of the business.
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: A text that is not blank.
    name: str
    #: A text that is not blank. What the document must show.
    requirement_text: str
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long after today
    #: it is due.
    due_within: NotRequired[str]
    #: A text that is not blank. Why the document is needed, in words for the applicant.
    explanation: NotRequired[str]


class DocumentData(TypedDict):
    """An object of the API."""
    #: Options, of which any one suffices. Empty where there is one document only.
    any_of: List[DocumentOption]
    category: str
    created_at: str
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision that last changed the document: see
    #: workflow.decision.get. Send it with your own, so that you decide about what you have read.
    decision_id: str
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    evidence: List[Evidence]
    name: str
    #: MANUAL: it was required with workflow.requiredDocument.create, and no rule makes it INACTIVE. One of RULE,
    #: MANUAL.
    origin: str
    #: Whether it is PENDING, and due_on has passed.
    overdue: bool
    reasons: List[DocumentReason]
    required_document_id: str
    requirement_text: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    updated_at: str
    #: The last day on which it is due, in the account's time zone. Absent unless it is PENDING or NEEDS_REVIEW.
    due_on: NotRequired[str]
    #: Why the document is needed, in words for the applicant. reasons are for the platform: they name lists and
    #: limits.
    explanation: NotRequired[str]
    #: Whether evidence must be valid, by its expires_on.
    must_be_valid: NotRequired[bool]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How old evidence may
    #: be, by its issued_on.
    not_older_than: NotRequired[str]
    #: The note of the last update.
    review_note: NotRequired[str]
    #: Of the last update.
    reviewed_by: NotRequired[str]
    #: Why a calculation gave it this status; absent where a reviewer did. One of TEXT_CHANGED, IDENTITY_CHANGED,
    #: EXPIRED, RENEWAL_DUE.
    status_reason: NotRequired[str]
    #: The last day on which the approval is valid. Absent where it is not COMPLETED, or ends only by hand.
    valid_until: NotRequired[str]


class DocumentMove(TypedDict):
    """An object of the API."""
    document_type_code: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: str
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    due_on: NotRequired[str]
    #: The last day on which the approval is valid.
    valid_until: NotRequired[str]


class DocumentOption(TypedDict):
    """An object of the API."""
    document_type_code: str
    name: str
    must_be_valid: NotRequired[bool]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    not_older_than: NotRequired[str]
    #: write what the evidence must show, or leave it out
    requirement_text: NotRequired[str]


class DocumentReason(TypedDict):
    """An object of the API."""
    facts: Dict[str, Any]
    message: str
    rule: str
    version_id: NotRequired[str]


class DocumentRef(TypedDict):
    """An object of the API."""
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    required_document_id: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str


class DocumentRequest(TypedDict):
    """An object of the API."""
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str


class DocumentText(TypedDict):
    """An object of the API."""
    name: str
    requirement_text: str
    any_of: NotRequired[Optional[List[DocumentOption]]]
    must_be_valid: NotRequired[bool]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    not_older_than: NotRequired[str]


class DocumentUpdateRequest(TypedDict):
    """An object of the API."""
    required_document: DocumentUpdateRequestRequiredDocument
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you have read it.
    #: When another decision has changed it since, the answer is DOCUMENT_CHANGED.
    decision_id: NotRequired[str]


class DocumentUpdateRequestRequiredDocument(TypedDict):
    """An object of the API."""
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: It replaces what was there; absent keeps it. One entry that meets the terms of the document, or of its option,
    #: suffices for COMPLETED.
    evidence: NotRequired[List[Evidence]]
    #: A text that is not blank. Shown as review_note. Absent clears it.
    note: NotRequired[str]
    #: A text that is not blank. Who has reviewed. Absent clears it.
    reviewed_by: NotRequired[str]


class DocumentWaiveRequest(TypedDict):
    """An object of the API."""
    #: A text that is not blank. Why the document is not needed. The decision keeps it.
    reason: str
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you have read it.
    #: When another decision has changed it since, the answer is DOCUMENT_CHANGED.
    decision_id: NotRequired[str]


class DocumentsListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one, and without page.
    next: Optional[str]
    #: In the order in which they were first required.
    required_documents: List[DocumentData]


class DocumentsListRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    filters: NotRequired[DocumentsListRequestFilters]
    #: Ask for a part of the list; without it the answer has all documents.
    page: NotRequired[Page]


class DocumentsListRequestFilters(TypedDict):
    """An object of the API."""
    #: The id of a workflow, a business or a person. The workflow, its business, or a person, also one who was
    #: deleted.
    entity_id: NotRequired[str]
    #: One of Workflow, Business, Person.
    entity_type: NotRequired[Literal["Workflow", "Business", "Person"]]
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    required_document_status: NotRequired[Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]]


class Empty(TypedDict):
    """An object of the API."""
    pass


class EventEvidence(TypedDict):
    """An object of the API."""
    document_type_code: NotRequired[str]
    expires_on: NotRequired[str]
    issued_on: NotRequired[str]


class EventFullData(TypedDict):
    """An object of the API."""
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: str
    #: The content of the event, as receivers decrypt it: see the guide to webhooks.
    payload: Dict[str, Any]
    timestamp: str
    #: The event's number within its workflow: 1, 2, 3, without gaps.
    sequence: NotRequired[int]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. Absent where the event concerns no workflow on record.
    workflow_id: NotRequired[str]


class EventIDData(TypedDict):
    """An object of the API."""
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str


class EventListData(TypedDict):
    """An object of the API."""
    #: true when nothing was left to read. false when more follows, also after a page that filters left empty.
    caught_up: bool
    events: List[ListedEventData]
    #: Pass it as page.after for the next page; null on the last one. With OLDEST_FIRST never null: when caught_up is
    #: true, ask again later.
    next: Optional[str]


class EventListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    filters: NotRequired[EventListRequestFilters]
    #: true adds each event's payload. A page then ends early when its payloads exceed 1 MiB.
    include_payload: NotRequired[bool]
    #: OLDEST_FIRST is the account's feed: going on from next misses no event and repeats none, however late a change
    #: is committed. NEWEST_FIRST when left out. One of NEWEST_FIRST, OLDEST_FIRST.
    order: NotRequired[Literal["NEWEST_FIRST", "OLDEST_FIRST"]]
    page: NotRequired[Page]


class EventListRequestFilters(TypedDict):
    """An object of the API."""
    #: One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: NotRequired[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events from then on.
    since: NotRequired[str]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: NotRequired[str]


class EventRequest(TypedDict):
    """An object of the API."""
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str


class Evidence(TypedDict):
    """An object of the API."""
    #: 1 to 64 of A-Z, 0-9 and _. With any_of, the code of the option; else the document's own, or absent.
    document_type_code: NotRequired[str]
    #: The last day on which it is valid; not before issued_on.
    expires_on: NotRequired[str]
    #: Not after today in the account's time zone.
    issued_on: NotRequired[str]
    #: A text that is not blank. Your own name of the file: the service keeps no files. No event carries it.
    reference: NotRequired[str]


class ExternalIDFilter(TypedDict):
    """An object of the API."""
    #: Printable ASCII without blanks.
    external_id: NotRequired[str]


class FactData(TypedDict):
    """An object of the API."""
    #: What to ask for.
    ask: str
    #: Whose custom has the value. One of Workflow, Business, Person.
    entity_type: str
    label: str
    name: str
    #: COMING: a version that is published and not yet in force declares it. DROPPED: no version in force declares
    #: it; its values stay on file, and nothing asks for them. One of COMING, IN_FORCE, DROPPED.
    state: str
    #: One of BOOLEAN, NUMBER, AMOUNT, DATE, TEXT, TEXT_LIST.
    type: str
    #: What declares the fact and is in force. Empty for one that was dropped. One of RULES, PRICING.
    used_by: List[str]
    #: All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text is.
    choices: NotRequired[List[str]]
    #: What the fact counts as while no value is on file. Without a default, its absence is a gap.
    default: NotRequired[Union[bool, Union[Decimal, int], str, List[str]]]


class FactListData(TypedDict):
    """An object of the API."""
    #: Those of workflows, of businesses and of persons, each by name.
    facts: List[FactData]


class Facts(TypedDict):
    """An object of the API."""
    business: BusinessData
    persons: List[PersonData]
    workflow: WorkflowFacts


class FailingExample(TypedDict):
    """An object of the API."""
    message: str
    name: str


class Gap(TypedDict):
    """An object of the API."""
    #: One of CALCULATED_PRICING_REQUIRED, FIELDS_REQUIRED.
    code: str
    entity_id: str
    #: One of Workflow, BusinessSalesInfo, Business, Person.
    entity_type: str
    message: str
    #: What to ask for, for a program: one entry a field, with all that the operation requires. Gaps with the same
    #: entity_id and related_endpoints are one record: supply it in one call, or person.create in one call for each
    #: person. Where there is none, business.update with no_persons_attested closes the gap.
    missing: List[MissingField]
    related_endpoints: List[str]
    #: Where the last of related_endpoints creates a record: the business_id of its request.
    business_id: NotRequired[str]
    #: The id of the record to delete before the new one is created.
    delete_first: NotRequired[str]
    fields: NotRequired[List[str]]
    #: What the record to delete holds. The new record needs it too.
    present: NotRequired[List[MissingField]]
    #: Of CALCULATED_PRICING_REQUIRED: what workflow.pricing.calculate itself lacks.
    pricing_missing: NotRequired[List[Gap]]


class HealthData(TypedDict):
    """An object of the API."""
    #: Deliveries that wait for an active key, or for the endpoint to be enabled; counted up to 10,000.
    held: int
    #: Deliveries that are attempted again; counted up to 10,000.
    retrying: int
    #: FAILING after five failures in a row: then one webhook at a time probes the endpoint, and the others wait.
    #: HELD while the account has no active key, DISABLED while the endpoint is disabled: then nothing is sent. One
    #: of HEALTHY, FAILING, HELD, DISABLED.
    status: str
    #: Deliveries that were never attempted, HELD ones not among them; counted up to 10,000.
    waiting: int
    #: The first of the failures in a row; absent until there are five.
    failing_since: NotRequired[str]
    #: Of the last attempt, if it failed.
    last_error: NotRequired[str]
    #: When the endpoint is tried next after a failure; absent while that is due.
    next_attempt_at: NotRequired[str]


class Identity(TypedDict):
    """An object of the API."""
    citizenship: NotRequired[str]
    date_of_birth: NotRequired[str]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    legal_name: NotRequired[str]


class KeyActivateData(TypedDict):
    """An object of the API."""
    activated_at: str
    key_id: str
    #: One of INACTIVE, ACTIVE, DELETED.
    status: str


class KeyCreateData(TypedDict):
    """An object of the API."""
    created_at: str
    #: Opaque; order keys by created_at.
    key_id: str
    #: One of INACTIVE, ACTIVE, DELETED.
    status: str
    #: 32 bytes in standard Base64, shown this once.
    shared_secret: NotRequired[str]


class KeyData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    created_at: str
    key_id: str
    #: One of INACTIVE, ACTIVE, DELETED.
    status: str
    activated_at: NotRequired[str]
    deleted_at: NotRequired[str]


class KeyListData(TypedDict):
    """An object of the API."""
    keys: List[KeyData]


class KeyRequest(TypedDict):
    """An object of the API."""
    #: A webhook key id: whk_, eight digits, _ and two digits.
    key_id: str
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z. Needed only when more than one of your
    #: accounts has a key with this key_id.
    account_id: NotRequired[str]


class LimitMet(TypedDict):
    """An object of the API."""
    #: Its size, in the process that has answered.
    limit: Union[Decimal, int]
    #: What it limits: requests_per_second; at once, requests, waiting_callers (requests that wait for a run), runs,
    #: body_bytes, rule_checks, evaluations (of rules) and database_connections; outcomes, which are kept for
    #: Idempotency-Keys; and decision_bytes_a_day, the bytes of the decisions that are recorded on a day (UTC). One
    #: of body_bytes, database_connections, decision_bytes_a_day, evaluations, outcomes, requests,
    #: requests_per_second, rule_checks, runs, waiting_callers.
    of: str
    #: For whom it is; SERVICE is for all callers together. One of CREDENTIAL, ACCOUNT, ORGANIZATION, SERVICE.
    scope: str


class ListedDecision(TypedDict):
    """An object of the API."""
    #: The account's local date, by which ages were counted.
    as_of: str
    decided_at: str
    decided_by: DecidedBy
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    digest: str
    #: Whether the personal data was erased: facts and reasons are gone.
    erased: bool
    #: One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: str
    #: From 1, without gaps in the workflow.
    number: int
    #: CALCULATED, PRICED, UPDATED, CREATED, WAIVED or ERASED, or the code of the refusal. One of CALCULATED, PRICED,
    #: UPDATED, CREATED, WAIVED, ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
    outcome: str
    #: The digest of the decision before; empty of the first.
    previous_digest: str
    trace_id: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
    #: that was used.
    pricing_version_id: NotRequired[str]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
    #: used.
    rule_version_id: NotRequired[str]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. An earlier decision of the month with the same
    #: facts, versions and results.
    same_as: NotRequired[str]


class ListedEventData(TypedDict):
    """An object of the API."""
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED,
    #: WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED,
    #: WEBHOOK_DELIVERY_FAILED.
    event_type: str
    timestamp: str
    #: Present when include_payload is true.
    payload: NotRequired[Dict[str, Any]]
    #: The event's number within its workflow: 1, 2, 3, without gaps.
    sequence: NotRequired[int]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. Absent where the event concerns no workflow on record.
    workflow_id: NotRequired[str]


class ListedWorkflow(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: One of CREATED, STARTED, ENDED.
    state: str
    updated_at: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: When the required documents were last calculated. Absent before the first calculation: an empty list then
    #: means nothing.
    documents_calculated_at: NotRequired[str]
    #: Whether the application, its business, persons or sales, its score or the account's rules have changed since:
    #: calculate again. It may be true although the documents would stay the same; that days pass does not count.
    #: Absent before the first calculation, false when the workflow has ended.
    documents_stale: NotRequired[bool]
    ended_at: NotRequired[str]
    evaluation_score: NotRequired[Union[Decimal, int]]
    external_id: NotRequired[str]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
    #: takes over.
    previous_workflow_id: NotRequired[str]
    score_calculated_at: NotRequired[str]
    started_at: NotRequired[str]


class ManualText(TypedDict):
    """An object of the API."""
    category: str
    name: str
    reason: str
    requirement_text: str
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    due_within: NotRequired[str]
    explanation: NotRequired[str]


class Meta(TypedDict):
    """An object of the API."""
    #: One of SUCCESS, ERROR.
    status: str
    #: Names the request in the logs and the runs of the service.
    trace_id: str
    #: The version of the API that answers.
    version: str
    warnings: NotRequired[List[Warning]]


class MissingField(TypedDict):
    """An object of the API."""
    #: The field of the request. What follows a point is a name within it: custom.legal_form is legal_form of custom.
    field: str
    #: The type of the value: BOOLEAN, NUMBER, AMOUNT, DATE (YYYY-MM-DD), TEXT or TEXT_LIST. One of BOOLEAN, NUMBER,
    #: AMOUNT, DATE, TEXT, TEXT_LIST.
    value_type: str
    #: What to ask the applicant for.
    ask: NotRequired[str]
    #: All values that count.
    choices: NotRequired[List[str]]
    #: Of sales_amount: the account's currency, which the amount must be in.
    currency: NotRequired[str]
    #: Of a fact that the account declares: its label. With ask and choices only in the first gap of each fact.
    label: NotRequired[str]
    #: Of sales_amount: the SALES_AMOUNT_TYPE. One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES,
    #: AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
    type: NotRequired[str]
    #: Only in present: what is on file. Absent for a credential without the permission read: ask for it again.
    value: NotRequired[Union[Decimal, int]]


class NewPerson(TypedDict):
    """An object of the API."""
    first_name: str
    last_name: str
    #: An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a
    #: refugee or another refugee.
    citizenship: NotRequired[Optional[str]]
    #: An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
    country_of_residence: NotRequired[Optional[str]]
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    date_of_birth: NotRequired[Optional[str]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: At most two decimals.
    ownership_percentage: NotRequired[Optional[Number]]


class NewSalesInfo(TypedDict):
    """An object of the API."""
    #: Each type at most once.
    sales_amount: List[StatedAmount]


class Page(TypedDict):
    """An object of the API."""
    #: The next value of an earlier response.
    after: NotRequired[str]
    #: 50 when left out.
    limit: NotRequired[int]


class PersonCreateRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    person: NewPerson


class PersonData(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    citizenship: Optional[str]
    country_of_residence: Optional[str]
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    date_of_birth: Optional[str]
    email: Optional[str]
    first_name: str
    last_name: str
    #: At most two decimals.
    ownership_percentage: Optional[Union[Decimal, int]]
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str
    updated_at: str


class PersonIDData(TypedDict):
    """An object of the API."""
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str


class PersonListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]
    #: The newest first.
    persons: List[PersonOnRecord]


class PersonListRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    filters: NotRequired[ExternalIDFilter]
    page: NotRequired[Page]


class PersonOnRecord(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    citizenship: Optional[str]
    country_of_residence: Optional[str]
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    date_of_birth: Optional[str]
    email: Optional[str]
    external_id: Optional[str]
    first_name: str
    last_name: str
    #: At most two decimals.
    ownership_percentage: Optional[Union[Decimal, int]]
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str
    updated_at: str


class PersonRequest(TypedDict):
    """An object of the API."""
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str


class PersonUpdateRequest(TypedDict):
    """An object of the API."""
    person: PersonUpdateRequestPerson
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str


class PersonUpdateRequestPerson(TypedDict):
    """An object of the API."""
    #: An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a
    #: refugee or another refugee.
    citizenship: NotRequired[Optional[str]]
    #: An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
    country_of_residence: NotRequired[Optional[str]]
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    date_of_birth: NotRequired[Optional[str]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    #: At most two decimals.
    ownership_percentage: NotRequired[Optional[Number]]


class PreviewedDocument(TypedDict):
    """An object of the API."""
    category: str
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    name: str
    reasons: List[DocumentReason]
    requirement_text: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    #: Why the document is needed, in words for the applicant.
    explanation: NotRequired[str]
    required_document_id: NotRequired[str]
    #: Why a calculation would give it this status, or has given it. One of TEXT_CHANGED, IDENTITY_CHANGED, EXPIRED,
    #: RENEWAL_DUE.
    status_reason: NotRequired[str]
    #: In kept: the document would demand something else than it does now.
    text_changed: NotRequired[bool]


class RateLimitData(TypedDict):
    """An object of the API."""
    #: How many may come at once after a pause.
    burst: int
    per_second: Union[Decimal, int]


class Reason(TypedDict):
    """An object of the API."""
    facts: Dict[str, Any]
    message: str


class RecoverRequest(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. FAILED deliveries of events since then are sent again.
    since: str


class ReplayRequest(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events since then are sent.
    since: str
    #: Of those that the endpoint takes; all of them when left out. One of WORKFLOW_CREATED, WORKFLOW_STARTED,
    #: WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events before then; up to now when left out.
    until: NotRequired[str]


class ReplayedData(TypedDict):
    """An object of the API."""
    #: Events that were sent to the endpoint's queue, or waited there already.
    done: int
    started_at: str
    #: CANCELED by the operator of the service, or because the endpoint was deleted. One of RUNNING, COMPLETED,
    #: CANCELED.
    state: str
    ended_at: NotRequired[str]
    #: Absent until they are counted, and when they are among more than 100,000 events.
    total: NotRequired[int]


class RequiredDocumentAddedContent(TypedDict):
    """A document was required by hand, with workflow.requiredDocument.create."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    document_type_code: str
    entity_id: str
    #: One of Workflow, Business, Person.
    entity_type: str
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    due_on: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RequiredDocumentUpdatedContent(TypedDict):
    """A required document was updated with workflow.requiredDocument.update, or waived with .waive."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    document_type_code: str
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: str
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    due_on: NotRequired[str]
    evidence: NotRequired[List[EventEvidence]]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]
    #: The last day on which the approval is valid.
    valid_until: NotRequired[str]


class RequiredDocumentsCalculatedContent(TypedDict):
    """A calculation has changed the documents that a workflow requires. One that changes nothing sends no event."""
    added: List[DocumentRef]
    #: Of those added: whose approval was taken over from previous_workflow_id.
    carried: List[CarriedRef]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    kept: List[DocumentRef]
    #: Of those kept or restored: whose approval or waiver holds again.
    reinstated: List[DocumentRef]
    removed: List[DocumentRef]
    #: Of those added, kept or restored: whose approval or waiver no longer holds, because the text or the identity
    #: has changed.
    reopened: List[DocumentRef]
    restored: List[DocumentRef]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RuleError(TypedDict):
    """An object of the API."""
    #: One of RULE_NOT_EVALUABLE.
    code: str
    message: str


class RuleResult(TypedDict):
    """An object of the API."""
    holds: bool
    rule: str
    document_type_code: NotRequired[str]
    entity_id: NotRequired[str]
    #: One of Workflow, Business, Person.
    entity_type: NotRequired[str]
    points: NotRequired[Union[Decimal, int]]
    reason: NotRequired[Reason]


class RulesChecked(TypedDict):
    """An object of the API."""
    #: The facts that the rules need. One with a default is not among them.
    facts: List[str]
    warnings: List[RulesWarning]


class RulesData(TypedDict):
    """An object of the API."""
    comment: Optional[str]
    published_at: str
    published_by: str
    rules: Any
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str


class RulesGetRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: NotRequired[str]


class RulesListData(TypedDict):
    """An object of the API."""
    versions: List[RulesVersion]


class RulesPreviewData(TypedDict):
    """An object of the API."""
    added: List[PreviewedDocument]
    #: Those of added whose approval would be taken over from previous_workflow_id.
    carried: List[PreviewedDocument]
    #: The examples of rules that fail. account.documentRules.publish refuses them.
    failing_examples: List[FailingExample]
    kept: List[PreviewedDocument]
    #: As the details of MISSING_REQUIREMENTS; when there are any, nothing would change.
    missing: List[Gap]
    #: Those of kept and restored whose approval or waiver would hold again.
    reinstated: List[PreviewedDocument]
    removed: List[PreviewedDocument]
    #: Those of kept and restored whose approval or waiver would no longer hold.
    reopened: List[PreviewedDocument]
    restored: List[PreviewedDocument]


class RulesPreviewRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: The day at which days are counted: today in the account's time zone, or later.
    as_of: NotRequired[str]
    #: A rule set to try; without it and version_id, the one in force. Its examples may fail.
    rules: NotRequired[Any]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. A version of the account's rules to try.
    version_id: NotRequired[str]


class RulesPublishRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A rule set; see the guide to rules.
    rules: Any
    comment: NotRequired[Optional[str]]


class RulesPublished(TypedDict):
    """An object of the API."""
    #: False when the content is the one in force: no new version was made.
    changed: bool
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str
    #: As account.documentRules.validate answers them.
    warnings: List[RulesWarning]


class RulesValidateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A rule set; see the guide to rules.
    rules: Any


class RulesVersion(TypedDict):
    """An object of the API."""
    comment: Optional[str]
    published_at: str
    published_by: str
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str


class RulesWarning(TypedDict):
    """An object of the API."""
    message: str
    path: str
    #: WARNING: probably not what was meant. HINT: advice, such as a rule that no example tries. One of WARNING,
    #: HINT.
    severity: str


class RunRequest(TypedDict):
    """An object of the API."""
    #: A run id: run_ and 20 to 22 characters of 0-9A-Za-z.
    run_id: str


class SalesAmountData(TypedDict):
    """An object of the API."""
    currency: str
    #: One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES,
    #: HIGHEST_TICKET_SALE.
    type: str
    #: At most two decimals.
    value: Union[Decimal, int]


class SalesInfoCreateRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    sales_info: NewSalesInfo
    #: Check everything and write nothing. If sales info is on record, the response has the warning SALES_INFO_EXISTS
    #: instead of a refusal: check a new record before you delete the old one. The request does not use up an
    #: Idempotency-Key.
    validate_only: NotRequired[bool]


class SalesInfoData(TypedDict):
    """An object of the API."""
    sales_amount: List[SalesAmountData]
    #: A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z.
    sales_info_id: str


class SalesInfoDeleteRequest(TypedDict):
    """An object of the API."""
    #: A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z.
    sales_info_id: str


class SalesInfoIDData(TypedDict):
    """An object of the API."""
    #: A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. Absent when only validated.
    sales_info_id: NotRequired[str]


class StatedAmount(TypedDict):
    """An object of the API."""
    #: An ISO 4217 code in upper case.
    currency: str
    #: One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES,
    #: HIGHEST_TICKET_SALE.
    type: Literal["AVERAGE_INDIVIDUAL_SALE", "AVERAGE_MONTHLY_CREDIT_SALES", "AVERAGE_YEARLY_CREDIT_SALES", "HIGHEST_TICKET_SALE"]
    #: At most two decimals.
    value: Number


class Statement(TypedDict):
    """An object of the API."""
    #: What was approved or waived.
    approved: NotRequired[Approved]
    #: The evidence on record then.
    evidence: NotRequired[List[Evidence]]
    note: NotRequired[str]
    #: Why the document was waived.
    reason: NotRequired[str]
    #: What was required by hand, and why.
    required: NotRequired[ManualText]
    reviewed_by: NotRequired[str]


class VersionData(TypedDict):
    """An object of the API."""
    current_version: str
    latest_version: str


class Warning(TypedDict):
    """An object of the API."""
    #: One of DATE_LOOKS_LIKE_DEFAULT, DOCUMENTS_NOT_CALCULATED, DOCUMENTS_NOT_COMPLETED, DOCUMENTS_STALE,
    #: ENDPOINT_DISABLED, OWNERSHIP_EXCEEDS_100, SALES_INFO_EXISTS, SCORE_OUTDATED, SECRET_ALREADY_SHOWN.
    code: str
    message: str


class WebhookDeliveryFailedContent(TypedDict):
    """A delivery to another endpoint of the account was given up."""
    attempt_count: int
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: Null when no attempt has failed.
    last_error: Optional[str]
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WebhookEndpointDisabledContent(TypedDict):
    """Another endpoint of the account was disabled. Its events wait until it is enabled."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: Null when no attempt has failed.
    last_error: Optional[str]
    #: When the trouble began.
    since: str
    #: The host of the endpoint's URL.
    url_host: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: Deliveries that wait for the endpoint; counted up to 10,000.
    waiting: int
    #: Only of WEBHOOK_ENDPOINT_DISABLED.
    disabled_reason: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WebhookEndpointFailingContent(TypedDict):
    """Five attempts in a row at another endpoint of the account have failed. From now on it is probed."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: Null when no attempt has failed.
    last_error: Optional[str]
    #: When the trouble began.
    since: str
    #: The host of the endpoint's URL.
    url_host: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: Deliveries that wait for the endpoint; counted up to 10,000.
    waiting: int
    #: Only of WEBHOOK_ENDPOINT_DISABLED.
    disabled_reason: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WebhookEndpointRecoveredContent(TypedDict):
    """Another endpoint of the account has answered 2xx for the first time since it failed or was disabled."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: Null when no attempt has failed.
    last_error: Optional[str]
    #: When the trouble began.
    since: str
    #: The host of the endpoint's URL.
    url_host: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: Deliveries that wait for the endpoint; counted up to 10,000.
    waiting: int
    #: Only of WEBHOOK_ENDPOINT_DISABLED.
    disabled_reason: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WebhookKeyActivatedContent(TypedDict):
    """A webhook key became the account's active one. Like every webhook it is encrypted with the key that is active when it is sent."""
    key_id: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WebhookTestContent(TypedDict):
    """webhook.config.test was called without an event_type, or with this one. The event goes to that endpoint alone."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WhoamiData(TypedDict):
    """An object of the API."""
    credential: CredentialData
    #: One of live, sandbox.
    environment: str
    organization_id: str
    #: How often the credential may send requests to each api process. Absent without a limit.
    rate_limit: NotRequired[RateLimitData]


class WorkflowCompleteRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: Refuse, where the answer would have warnings.
    strict: NotRequired[bool]


class WorkflowCompletedContent(TypedDict):
    """A workflow has ended."""
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: One of CREATED, STARTED, ENDED.
    state: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    workflow: WorkflowCreateRequestWorkflow


class WorkflowCreateRequestWorkflow(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. An ENDED workflow of the business. The first
    #: calculation takes over its approvals that still hold: the same document, entity, text and identity, and still
    #: valid.
    previous_workflow_id: NotRequired[str]
    #: STARTED when left out. One of CREATED, STARTED.
    state: NotRequired[Literal["CREATED", "STARTED"]]


class WorkflowCreatedContent(TypedDict):
    """A workflow was created."""
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: One of CREATED, STARTED, ENDED.
    state: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: How many required documents have each status. Nothing is open when documents_calculated_at is set,
    #: documents_stale is false, and pending and needs_review are 0.
    documents: DocumentCounts
    #: One of CREATED, STARTED, ENDED.
    state: str
    updated_at: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: When the required documents were last calculated. Absent before the first calculation: an empty list then
    #: means nothing.
    documents_calculated_at: NotRequired[str]
    #: Whether the application, its business, persons or sales, its score or the account's rules have changed since:
    #: calculate again. It may be true although the documents would stay the same; that days pass does not count.
    #: Absent before the first calculation, false when the workflow has ended.
    documents_stale: NotRequired[bool]
    ended_at: NotRequired[str]
    evaluation_score: NotRequired[Union[Decimal, int]]
    external_id: NotRequired[str]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
    #: takes over.
    previous_workflow_id: NotRequired[str]
    score_calculated_at: NotRequired[str]
    started_at: NotRequired[str]


class WorkflowFacts(TypedDict):
    """An object of the API."""
    currency: str
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    evaluation_score: NotRequired[Union[Decimal, int]]


class WorkflowListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]
    workflows: List[ListedWorkflow]


class WorkflowListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    filters: NotRequired[WorkflowListRequestFilters]
    page: NotRequired[Page]


class WorkflowListRequestFilters(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: NotRequired[str]
    #: Printable ASCII without blanks.
    external_id: NotRequired[str]
    #: One of CREATED, STARTED, ENDED.
    state: NotRequired[Literal["CREATED", "STARTED", "ENDED"]]


class WorkflowPricingCalculatedContent(TypedDict):
    """The evaluation score of a workflow was calculated."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    evaluation_score: Union[Decimal, int]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str


class WorkflowStartedContent(TypedDict):
    """A workflow was started. One that is created as STARTED sends this event after WORKFLOW_CREATED."""
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: One of CREATED, STARTED, ENDED.
    state: str
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowUpdateRequest(TypedDict):
    """An object of the API."""
    workflow: WorkflowUpdateRequestWorkflow
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str


class WorkflowUpdateRequestWorkflow(TypedDict):
    """An object of the API."""
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]


#: The decrypted contents of webhooks, by type of event.
CONTENTS = {
    "REQUIRED_DOCUMENTS_CALCULATED": RequiredDocumentsCalculatedContent,
    "REQUIRED_DOCUMENT_ADDED": RequiredDocumentAddedContent,
    "REQUIRED_DOCUMENT_UPDATED": RequiredDocumentUpdatedContent,
    "WEBHOOK_DELIVERY_FAILED": WebhookDeliveryFailedContent,
    "WEBHOOK_ENDPOINT_DISABLED": WebhookEndpointDisabledContent,
    "WEBHOOK_ENDPOINT_FAILING": WebhookEndpointFailingContent,
    "WEBHOOK_ENDPOINT_RECOVERED": WebhookEndpointRecoveredContent,
    "WEBHOOK_KEY_ACTIVATED": WebhookKeyActivatedContent,
    "WEBHOOK_TEST": WebhookTestContent,
    "WORKFLOW_COMPLETED": WorkflowCompletedContent,
    "WORKFLOW_CREATED": WorkflowCreatedContent,
    "WORKFLOW_PRICING_CALCULATED": WorkflowPricingCalculatedContent,
    "WORKFLOW_STARTED": WorkflowStartedContent,
}
