# Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.
"""The objects of the API."""
from __future__ import annotations

import enum
from decimal import Decimal
from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union

#: The version of the API that this package was made from.
VERSION = "2025-03-24"

#: The types of events. Later versions of the service may add some.
EVENT_TYPES = ("WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED",)

#: The codes of refusals. Later versions of the service may add some.
CODES = ("AUTH_ELEMENT_REQUIRED", "AUTH_INVALID_API_KEY", "AUTH_INVALID_AUTH_TOKEN", "AUTH_INVALID_HEADER", "AUTH_MISSING_HEADER", "AUTH_NONCE_REUSED", "AUTH_SIGNATURE_MISMATCH", "AUTH_TIMESTAMP_EXPIRED", "BAD_REQUEST", "ENTITY_NOT_FOUND", "FORBIDDEN", "IDEMPOTENCY_KEY_REUSED", "INTERNAL_ERROR", "METHOD_NOT_ALLOWED", "MISSING_REQUIREMENTS", "REQUEST_IN_PROGRESS", "REQUEST_TOO_LARGE", "STILL_RUNNING", "SYSTEM_RULE_VIOLATION", "TOO_MANY_REQUESTS", "UNAVAILABLE", "UNKNOWN_OPERATION", "UNKNOWN_VERSION", "UNSUPPORTED_MEDIA_TYPE",)

#: The sub-codes of SYSTEM_RULE_VIOLATION. Later versions of the service may add some.
SUB_CODES = ("APPROVAL_REQUIRED", "BUSINESS_ERASED", "BUSINESS_LIMIT_EXCEEDED", "CURSOR_UNKNOWN", "DAILY_LIMIT_EXCEEDED", "DECISION_LIMIT_EXCEEDED", "DELIVERY_CANCELED", "DELIVERY_ENDED", "DELIVERY_HELD", "DOCUMENTS_NOT_CALCULATED", "DOCUMENTS_NOT_COMPLETED", "DOCUMENTS_STALE", "DOCUMENT_CHANGED", "DOCUMENT_EXISTS", "DOCUMENT_LIMIT_EXCEEDED", "EVIDENCE_EXPIRED", "EVIDENCE_REQUIRED", "EVIDENCE_TOO_OLD", "EXTERNAL_ID_EXISTS", "FACTS_KEEP_CHANGING", "FACT_LIMIT_EXCEEDED", "FINDINGS_OPEN", "INVALID_STATUS_CHANGE", "KEY_ACTIVE", "KEY_DELETED", "MAX_WEBHOOK_URL_LIMIT", "PERSONS_ON_RECORD", "PERSON_LIMIT_EXCEEDED", "PRICING_NOT_CONFIGURED", "PROPOSAL_DECIDED", "PROPOSAL_LIMIT_EXCEEDED", "PROPOSAL_OUTDATED", "RECALCULATION_IN_PROGRESS", "REPLAY_IN_PROGRESS", "RULES_NOT_PUBLISHED", "RULE_NOT_EVALUABLE", "SALES_INFO_EXISTS", "SECOND_PERSON_REQUIRED", "SIZE_LIMIT_EXCEEDED", "URL_ALREADY_EXISTS", "VERSION_LIMIT_EXCEEDED", "WAITING_LIMIT_EXCEEDED", "WORKFLOW_ALREADY_STARTED", "WORKFLOW_ENDED", "WORKFLOW_LIMIT_EXCEEDED", "WORKFLOW_NOT_ENDED", "WORKFLOW_NOT_STARTED",)

#: The codes of the problems of BAD_REQUEST. Later versions of the service may add some.
PROBLEM_CODES = ("REQUIRED", "UNKNOWN_FIELD", "UNKNOWN_VALUE", "WRONG_TYPE", "TOO_LONG", "TOO_SHORT", "TOO_LARGE", "TOO_SMALL", "WRONG_FORMAT", "DUPLICATE", "MALFORMED", "INVALID_RULE", "NOT_ALLOWED",)

#: The codes of warnings. Later versions of the service may add some.
WARNING_CODES = ("CATEGORY_CODE_WITHOUT_DIGIT", "DATE_LOOKS_LIKE_DEFAULT", "DOCUMENTS_NOT_CALCULATED", "DOCUMENTS_NOT_COMPLETED", "DOCUMENTS_STALE", "ENDPOINT_DISABLED", "FINDINGS_OPEN", "NAME_HAS_INVISIBLE_CHARACTERS", "NOTHING_FAILED", "NOTHING_TO_UPDATE", "NO_APPROVER", "OWNERSHIP_EXCEEDS_100", "PERSON_MAY_BE_ON_RECORD", "PHONE_NUMBER_TOO_SHORT", "REPLACES_COMING_VERSION", "SALES_INFO_EXISTS", "SCORE_OUTDATED", "SECRET_ALREADY_SHOWN", "SECRET_NOT_TAKEN",)

Number = Union[Decimal, int, float]


class AccountData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: When the record was made.
    created_at: str
    #: The currency of sales, ISO 4217.
    currency: str
    #: The name of the account.
    name: str
    #: The IANA name of the time zone in which days and ages count.
    time_zone: str


class AccountListData(TypedDict):
    """An object of the API."""
    #: The accounts, newest first.
    accounts: List[AccountData]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class AccountListRequest(TypedDict):
    """An object of the API."""
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class AccountRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str


class Address(TypedDict):
    """An object of the API."""
    #: The town.
    city: Optional[str]
    #: ISO 3166-1 alpha-2, or XK for Kosovo.
    country: Optional[str]
    #: The street and number.
    line1: Optional[str]
    #: The rest of the street address.
    line2: Optional[str]
    #: The postal code.
    postal_code: Optional[str]
    #: The state, province or canton.
    region: Optional[str]


class AddressFields(TypedDict):
    """An object of the API."""
    #: The town.
    city: NotRequired[Optional[str]]
    #: An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
    country: NotRequired[Optional[str]]
    #: The street and number.
    line1: NotRequired[Optional[str]]
    #: The rest of the street address.
    line2: NotRequired[Optional[str]]
    #: The postal code.
    postal_code: NotRequired[Optional[str]]
    #: The state, province or canton.
    region: NotRequired[Optional[str]]


class Approved(TypedDict):
    """An object of the API."""
    #: As the last calculation saw it; empty for a document of the workflow.
    identity: Identity
    #: What the document said when it was approved.
    text: DocumentText
    #: The version of the rules that has the text.
    version_id: NotRequired[str]


class AttemptData(TypedDict):
    """An object of the API."""
    #: The key that the webhook was encrypted with.
    key_id: str
    #: The number of the attempt: 1, 2, 3.
    number: int
    #: UNKNOWN when the service did not see the end of the attempt: it may have arrived. One of SENDING, SUCCEEDED,
    #: FAILED, UNKNOWN.
    outcome: Literal["SENDING", "SUCCEEDED", "FAILED", "UNKNOWN"]
    #: When the attempt began.
    started_at: str
    #: The run of Temporal, for the operator.
    temporal_run_id: str
    #: The Temporal run that made the attempt.
    temporal_workflow_id: str
    #: The address that was connected to.
    address: NotRequired[str]
    #: How long the attempt took, in milliseconds.
    duration_ms: NotRequired[int]
    #: Why the attempt failed. Absent where it did not.
    error: NotRequired[str]
    #: At most 4 KiB of the answer.
    response_body: NotRequired[str]
    #: The HTTP status that the endpoint answered. Absent where it did not answer.
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
    #: The fields of the business.
    business: BusinessCreateRequestBusiness
    #: The persons of the business, as in person.create.
    persons: NotRequired[List[NewPerson]]
    #: The sales of the business, as in business.salesInfo.create.
    sales_info: NotRequired[NewSalesInfo]


class BusinessCreateRequestBusiness(TypedDict):
    """An object of the API."""
    #: The registered name of the business.
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
    #: The name that the business trades under.
    operating_name: NotRequired[Optional[str]]
    #: The phone number of the business.
    phone_number: NotRequired[Optional[str]]
    #: An http or https URL, such as https://www.example.com.
    website: NotRequired[Optional[str]]


class BusinessData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: The business's address; null where none is on record.
    address: Optional[Address]
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: The e-mail address.
    email: Optional[str]
    #: When the business was founded; null where it is not on record.
    established_date: Optional[str]
    #: The codes of the business's industries.
    industry_category_code: List[str]
    #: The registered name of the business.
    legal_name: str
    #: Whether the platform has stated that the business has no persons.
    no_persons_attested: bool
    #: The name that the business trades under.
    operating_name: Optional[str]
    #: The persons of the business.
    person_ids: List[str]
    #: The phone number of the business.
    phone_number: Optional[str]
    #: When the record was last changed.
    updated_at: str
    #: The address of the business's website.
    website: Optional[str]
    #: When the operator erased the personal data. Nothing about the business changes from then on.
    erased_at: NotRequired[str]
    #: The stated sales. Absent where none are on record.
    sales_info: NotRequired[SalesInfoData]


class BusinessListData(TypedDict):
    """An object of the API."""
    #: The businesses, newest first.
    businesses: List[BusinessOnRecord]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class BusinessListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only what matches all of these.
    filters: NotRequired[ExternalIDFilter]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class BusinessOnRecord(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: The business's address; null where none is on record.
    address: Optional[Address]
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: The e-mail address.
    email: Optional[str]
    #: When the business was founded; null where it is not on record.
    established_date: Optional[str]
    #: Your own id of the record.
    external_id: Optional[str]
    #: The codes of the business's industries.
    industry_category_code: List[str]
    #: The registered name of the business.
    legal_name: str
    #: Whether the platform has stated that the business has no persons.
    no_persons_attested: bool
    #: The name that the business trades under.
    operating_name: Optional[str]
    #: The persons of the business.
    person_ids: List[str]
    #: The phone number of the business.
    phone_number: Optional[str]
    #: When the record was last changed.
    updated_at: str
    #: The address of the business's website.
    website: Optional[str]
    #: When the operator erased the personal data. Nothing about the business changes from then on.
    erased_at: NotRequired[str]
    #: The stated sales. Absent where none are on record.
    sales_info: NotRequired[SalesInfoData]


class BusinessRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str


class BusinessUpdateRequest(TypedDict):
    """An object of the API."""
    #: The fields of the business.
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
    #: The registered name of the business.
    legal_name: NotRequired[str]
    #: States that the business has no persons, so rules about persons do not report them as missing. Refused while
    #: persons are on record. Adding a person sets it to false.
    no_persons_attested: NotRequired[Optional[bool]]
    #: The name that the business trades under.
    operating_name: NotRequired[Optional[str]]
    #: The phone number of the business.
    phone_number: NotRequired[Optional[str]]
    #: An http or https URL, such as https://www.example.com.
    website: NotRequired[Optional[str]]


class CarriedRef(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The decision that approved.
    from_decision_id: str
    #: The id of the required document.
    required_document_id: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
    #: evidence meets no option that is offered now.
    changed_facts: NotRequired[List[str]]
    #: Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One of
    #: TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
    status_reason: NotRequired[Literal["TEXT_CHANGED", "IDENTITY_CHANGED", "FACTS_CHANGED", "EXPIRED", "RENEWAL_DUE"]]


class ChangedCodes(TypedDict):
    """An object of the API."""
    #: The codes that are new.
    added: List[str]
    #: The codes whose rules differ.
    changed: List[str]
    #: The codes that are gone.
    removed: List[str]


class CommonUserContext(TypedDict):
    """An object of the API."""
    #: The name of the credential, or SYSTEM.
    user_id: str
    #: API_KEY: a credential. SYSTEM: the service or its operator. One of API_KEY, SYSTEM.
    user_type: Literal["API_KEY", "SYSTEM"]


class ConfigCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: The fields of the endpoint.
    config: ConfigCreateRequestConfig


class ConfigCreateRequestConfig(TypedDict):
    """An object of the API."""
    #: https://, a public host, port 443 or 8443; no user name, password or fragment.
    url: str
    #: How many attempts may be in flight at once; ten when left out or null.
    concurrency: NotRequired[Optional[int]]
    #: Your own words about the endpoint.
    description: NotRequired[Optional[str]]
    #: The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
    #: account's other endpoints. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED,
    #: WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST,
    #: WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[Optional[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]]
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
    #: When the record was made.
    created_at: str
    #: Your own words about the endpoint.
    description: Optional[str]
    #: null takes all but notices. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED,
    #: WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST,
    #: WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: Optional[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]
    #: How deliveries to it go.
    health: HealthData
    #: null is no limit.
    rate_per_second: Optional[int]
    #: Where it stands. One of ACTIVE, DISABLED.
    status: Literal["ACTIVE", "DISABLED"]
    #: When the record was last changed.
    updated_at: str
    #: Where webhooks are sent.
    url: str
    #: Why it is disabled. Absent where it is not.
    disabled_reason: NotRequired[str]


class ConfigListData(TypedDict):
    """An object of the API."""
    #: The endpoints, newest first.
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
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
    #: REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
    #: WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
    #: WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_type: NotRequired[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]


class ConfigUpdateRequest(TypedDict):
    """An object of the API."""
    #: The fields of the endpoint.
    config: ConfigUpdateRequestConfig
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str


class ConfigUpdateRequestConfig(TypedDict):
    """An object of the API."""
    #: How many attempts may be in flight at once; ten when left out or null.
    concurrency: NotRequired[Optional[int]]
    #: Your own words about the endpoint.
    description: NotRequired[Optional[str]]
    #: The events that this endpoint takes. When left out or null: all but the notices WEBHOOK_ENDPOINT_FAILING,
    #: WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED and WEBHOOK_DELIVERY_FAILED, which are about the
    #: account's other endpoints. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED,
    #: WORKFLOW_PRICING_CALCULATED, REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED,
    #: REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED,
    #: WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST,
    #: WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[Optional[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]]
    #: How many attempts may begin in any second, retries included; no limit when left out or null.
    rate_per_second: NotRequired[Optional[int]]
    #: A disabled endpoint holds its deliveries until it is ACTIVE again. One of ACTIVE, DISABLED.
    status: NotRequired[Literal["ACTIVE", "DISABLED"]]
    #: Where webhooks are sent.
    url: NotRequired[str]


class CredentialData(TypedDict):
    """An object of the API."""
    #: The API key.
    api_key: str
    #: The name of the credential.
    name: str
    #: What the credential may do. One of read, write, rules, approve_rules, keys, webhooks.
    permissions: List[Literal["read", "write", "rules", "approve_rules", "keys", "webhooks"]]
    #: strict signs all six elements, minimal may sign the API key alone. One of strict, minimal.
    signature_policy: Literal["strict", "minimal"]


class DeadlinesApplyData(TypedDict):
    """An object of the API."""
    #: How many approvals have lapsed with their evidence.
    expired: int
    #: How many reminders of approvals that lapse soon were sent.
    expiring: int
    #: How many documents became overdue.
    overdue: int
    #: How many approvals have lapsed because it is time to renew them.
    renewal_due: int


class DecidedBy(TypedDict):
    """An object of the API."""
    #: The name of the credential, or SYSTEM for the operator.
    user_id: str
    #: API_KEY: a credential. SYSTEM: the service or its operator. One of API_KEY, SYSTEM.
    user_type: Literal["API_KEY", "SYSTEM"]


class DecisionData(TypedDict):
    """An object of the API."""
    #: The account's local date, by which ages were counted.
    as_of: str
    #: When it was decided.
    decided_at: str
    #: Who asked for the decision.
    decided_by: DecidedBy
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: Whether the personal data was erased: facts and reasons are gone.
    erased: bool
    #: What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: Literal["CALCULATION", "PRICING", "DOCUMENT_STATUS", "ERASURE"]
    #: From 1, without gaps in the workflow.
    number: int
    #: What became of it, or the code of the refusal. One of CALCULATED, PRICED, UPDATED, CREATED, WAIVED, EXPIRED,
    #: ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
    outcome: Literal["CALCULATED", "PRICED", "UPDATED", "CREATED", "WAIVED", "EXPIRED", "ERASED", "MISSING_REQUIREMENTS", "RULE_NOT_EVALUABLE"]
    #: The digest of the decision before; empty of the first.
    previous_digest: str
    #: Names the request in the logs and the runs of the service.
    trace_id: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: What is required now, and was not before.
    added: NotRequired[List[DocumentRef]]
    #: Of those added: whose approval is taken over from previous_workflow_id.
    carried: NotRequired[List[CarriedRef]]
    #: Of a CREATED document.
    created: NotRequired[DocumentAdded]
    #: Of an UPDATED or WAIVED document: what was moved.
    document: NotRequired[DocumentMove]
    #: Why a rule had no answer.
    error: NotRequired[RuleError]
    #: Of a PRICING.
    evaluation_score: NotRequired[Union[Decimal, int]]
    #: Of an EXPIRED decision, which no caller asked for: whose approvals have lapsed.
    expired: NotRequired[List[DocumentExpired]]
    #: Everything on file then. Absent once erased.
    facts: NotRequired[Facts]
    #: Of a CALCULATION: all that it found.
    findings: NotRequired[List[FindingRef]]
    #: What was missing.
    gaps: NotRequired[List[Gap]]
    #: What was required before, and still is.
    kept: NotRequired[List[DocumentRef]]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
    #: that was used.
    pricing_version_id: NotRequired[str]
    #: Of those kept or restored: whose approval or waiver holds again.
    reinstated: NotRequired[List[DocumentRef]]
    #: What is no longer required.
    removed: NotRequired[List[DocumentRef]]
    #: Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
    #: a fact that it is bound to has changed.
    reopened: NotRequired[List[DocumentRef]]
    #: What was INACTIVE, and is required again.
    restored: NotRequired[List[DocumentRef]]
    #: What each rule gave: for each entity where it holds, and once where it holds for nobody.
    results: NotRequired[List[RuleResult]]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
    #: used.
    rule_version_id: NotRequired[str]
    #: Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live.
    sandbox_today: NotRequired[bool]
    #: What was stated about the document, and what was approved. Absent once erased.
    statement: NotRequired[Statement]


class DecisionListData(TypedDict):
    """An object of the API."""
    #: The decisions, newest first.
    decisions: List[ListedDecision]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class DecisionListRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: Only what matches all of these.
    filters: NotRequired[DecisionListRequestFilters]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class DecisionListRequestFilters(TypedDict):
    """An object of the API."""
    #: What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: NotRequired[Literal["CALCULATION", "PRICING", "DOCUMENT_STATUS", "ERASURE"]]
    #: Only decisions made then or later.
    since: NotRequired[str]


class DecisionRequest(TypedDict):
    """An object of the API."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str


class DeliveryCount(TypedDict):
    """An object of the API."""
    #: How many deliveries.
    count: int


class DeliveryData(TypedDict):
    """An object of the API."""
    #: How many attempts were made.
    attempt_count: int
    #: Each attempt, oldest first.
    attempts: List[AttemptData]
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: When the record was made.
    created_at: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
    #: REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
    #: WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
    #: WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_type: Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]
    #: PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
    #: or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
    #: webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint. One of PENDING,
    #: RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: Literal["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"]
    #: When the record was last changed.
    updated_at: str
    #: Why it has not been sent yet: all of these must end first. Empty once it has ended.
    waits_for: List[WaitData]
    #: Why the last attempt failed. Absent where it did not.
    last_error: NotRequired[str]
    #: Absent while the delivery is due, and once it has ended.
    next_attempt_at: NotRequired[str]


class DeliveryListData(TypedDict):
    """An object of the API."""
    #: The deliveries, newest first.
    deliveries: List[DeliveryView]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class DeliveryListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only what matches all of these.
    filters: NotRequired[DeliveryListRequestFilters]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class DeliveryListRequestFilters(TypedDict):
    """An object of the API."""
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: NotRequired[str]
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: NotRequired[str]
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Deliveries that were created from then on.
    since: NotRequired[str]
    #: Where it stands. One of PENDING, RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: NotRequired[Literal["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"]]
    #: true for those that are PENDING, RETRYING, HELD or FAILED.
    undelivered: NotRequired[bool]


class DeliveryRequest(TypedDict):
    """An object of the API."""
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str


class DeliveryView(TypedDict):
    """An object of the API."""
    #: How many attempts were made.
    attempt_count: int
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: When the record was made.
    created_at: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
    #: REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
    #: WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
    #: WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_type: Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]
    #: PENDING until the first attempt has ended, RETRYING after one that failed, HELD while there is no active key
    #: or the endpoint is disabled, DELIVERED, FAILED when it was given up on (after 95 attempts, with
    #: webhook.delivery.cancel, or by the operator of the service), CANCELED with its endpoint. One of PENDING,
    #: RETRYING, HELD, DELIVERED, FAILED, CANCELED.
    status: Literal["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"]
    #: When the record was last changed.
    updated_at: str
    #: Why the last attempt failed. Absent where it did not.
    last_error: NotRequired[str]
    #: Absent while the delivery is due, and once it has ended.
    next_attempt_at: NotRequired[str]


class DocumentAdded(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The id of the required document.
    required_document_id: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: The last day on which it is due, in the account's time zone. Absent where it has none.
    due_on: NotRequired[str]


class DocumentCounts(TypedDict):
    """An object of the API."""
    #: How many are COMPLETED, without those that count as pending.
    completed: int
    #: How many are INACTIVE.
    inactive: int
    #: How many are NEEDS_REVIEW.
    needs_review: int
    #: How many are PENDING and were due before today, in the account's time zone.
    overdue: int
    #: How many are PENDING, or COMPLETED by an approval whose valid_until has passed. An ENDED workflow counts the
    #: latter as COMPLETED.
    pending: int
    #: How many are WAIVED.
    waived: int


class DocumentCreateRequest(TypedDict):
    """An object of the API."""
    #: The document to require.
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
    #: What kind of record it concerns. One of Workflow, Business, Person.
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
    #: Options that are offered, of which any one suffices, or at_least many. Empty where there is one document only.
    any_of: List[DocumentOption]
    #: The category that the rule gives the document.
    category: str
    #: When the record was made.
    created_at: str
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision that last changed the document: see
    #: workflow.decision.get. Send it with your own, so that you decide about what you have read.
    decision_id: str
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: What was handed in, as a reviewer stated it.
    evidence: List[Evidence]
    #: The name, for people.
    name: str
    #: MANUAL: it was required with workflow.requiredDocument.create, and no rule makes it INACTIVE. One of RULE,
    #: MANUAL.
    origin: Literal["RULE", "MANUAL"]
    #: Whether it is PENDING, and due_on has passed.
    overdue: bool
    #: Why it is required: one for each rule.
    reasons: List[DocumentReason]
    #: The id of the required document.
    required_document_id: str
    #: What the document must show.
    requirement_text: str
    #: PENDING: it is awaited. NEEDS_REVIEW: somebody must look at it. COMPLETED: it is approved. WAIVED: it is not
    #: needed. INACTIVE: it is no longer required. An update may move PENDING to NEEDS_REVIEW or COMPLETED,
    #: NEEDS_REVIEW to COMPLETED or PENDING, COMPLETED to PENDING, WAIVED to PENDING; or leave PENDING and
    #: NEEDS_REVIEW as they are, with new evidence, reviewed_by or note. workflow.requiredDocument.waive moves
    #: PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from INACTIVE. Any other move is
    #: INVALID_STATUS_CHANGE. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: When the record was last changed.
    updated_at: str
    #: How many options of any_of are needed: with fewer options, all. Absent where one suffices.
    at_least: NotRequired[int]
    #: What an approval depends on besides the text and the identity. With other values the document is to be
    #: reviewed again, FACTS_CHANGED.
    bound_to: NotRequired[List[str]]
    #: Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
    #: evidence meets no option that is offered now.
    changed_facts: NotRequired[List[str]]
    #: The last day on which it is due, in the account's time zone. Absent unless it is PENDING or NEEDS_REVIEW.
    due_on: NotRequired[str]
    #: The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
    #: Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
    #: without the permission read always.
    entity_name: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". How long ago evidence
    #: may have expired, by its expires_on.
    expired_at_most: NotRequired[str]
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
    #: Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One of
    #: TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
    status_reason: NotRequired[Literal["TEXT_CHANGED", "IDENTITY_CHANGED", "FACTS_CHANGED", "EXPIRED", "RENEWAL_DUE"]]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year". For how long evidence
    #: must still be valid when it is approved, by its expires_on.
    valid_for: NotRequired[str]
    #: The last day on which the approval is valid. Absent where it is not COMPLETED, or ends only by hand.
    valid_until: NotRequired[str]


class DocumentExpired(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: str
    #: The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. One of EXPIRED, RENEWAL_DUE.
    status_reason: Literal["EXPIRED", "RENEWAL_DUE"]
    #: The last day on which the approval was valid.
    valid_until: str
    #: The last day on which it is due, in the account's time zone. Absent where it has none.
    due_on: NotRequired[str]


class DocumentMove(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: str
    #: The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: The last day on which it is due, in the account's time zone. Absent where it has none.
    due_on: NotRequired[str]
    #: The last day on which the approval is valid.
    valid_until: NotRequired[str]


class DocumentOption(TypedDict):
    """An object of the API."""
    #: Kinds of evidence that are needed together, in place of a code and a name.
    all_of: NotRequired[List[OptionPart]]
    #: The code of the document's type.
    document_type_code: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    expired_at_most: NotRequired[str]
    #: Whether evidence must be valid, by its expires_on.
    must_be_valid: NotRequired[bool]
    #: The name, for people.
    name: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    not_older_than: NotRequired[str]
    #: What evidence for this option must show. Absent where it is as for the document.
    requirement_text: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    valid_for: NotRequired[str]
    #: The condition under which the option is offered. Absent where it always is.
    when: NotRequired[str]


class DocumentReason(TypedDict):
    """An object of the API."""
    #: The facts that decided, by the names that rules use.
    facts: Dict[str, Any]
    #: One sentence for people. The wording may change.
    message: str
    #: The code of the rule.
    rule: str
    #: The version of the rules.
    version_id: NotRequired[str]


class DocumentRef(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The id of the required document.
    required_document_id: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
    #: evidence meets no option that is offered now.
    changed_facts: NotRequired[List[str]]
    #: Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One of
    #: TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
    status_reason: NotRequired[Literal["TEXT_CHANGED", "IDENTITY_CHANGED", "FACTS_CHANGED", "EXPIRED", "RENEWAL_DUE"]]


class DocumentRequest(TypedDict):
    """An object of the API."""
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str


class DocumentRulesPublishedContent(TypedDict):
    """A version of the account's rules was published. It is in force from effective_from on."""
    #: ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One of ALL,
    #: NEW.
    applies_to: Literal["ALL", "NEW"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str
    #: The version as account.documentRules.publish answers it; version is that of the content.
    version_number: int
    #: The first day in force, in the account's time zone. Absent: at once.
    effective_from: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class DocumentText(TypedDict):
    """An object of the API."""
    #: The name, for people.
    name: str
    #: What the document must show.
    requirement_text: str
    #: Options, of which any one suffices, or at_least many.
    any_of: NotRequired[List[DocumentOption]]
    #: How many options are needed: with fewer options, all. Absent where one suffices.
    at_least: NotRequired[int]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    expired_at_most: NotRequired[str]
    #: Whether evidence must be valid, by its expires_on.
    must_be_valid: NotRequired[bool]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    not_older_than: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    valid_for: NotRequired[str]


class DocumentUpdateRequest(TypedDict):
    """An object of the API."""
    #: The status to move to, and what was reviewed.
    required_document: DocumentUpdateRequestRequiredDocument
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. The decision_id of the document as you have read it.
    #: When another decision has changed it since, the answer is DOCUMENT_CHANGED.
    decision_id: NotRequired[str]


class DocumentUpdateRequestRequiredDocument(TypedDict):
    """An object of the API."""
    #: An update may move PENDING to NEEDS_REVIEW or COMPLETED, NEEDS_REVIEW to COMPLETED or PENDING, COMPLETED to
    #: PENDING, WAIVED to PENDING; or leave PENDING and NEEDS_REVIEW as they are, with new evidence, reviewed_by or
    #: note. workflow.requiredDocument.waive moves PENDING and NEEDS_REVIEW to WAIVED. No update moves to or from
    #: INACTIVE. Any other move is INVALID_STATUS_CHANGE. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: It replaces what was there; absent keeps it. One entry that meets the terms of the document, or of its option,
    #: suffices for COMPLETED, unless at_least or all_of ask for more. With COMPLETED for a document that is
    #: COMPLETED it is a new approval.
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
    #: Only what matches all of these.
    filters: NotRequired[DocumentsListRequestFilters]
    #: Ask for a part of the list; without it the answer has all documents.
    page: NotRequired[Page]


class DocumentsListRequestFilters(TypedDict):
    """An object of the API."""
    #: The id of a workflow, a business or a person. The workflow, its business, or a person, also one who was
    #: deleted.
    entity_id: NotRequired[str]
    #: What kind of record the documents concern. One of Workflow, Business, Person.
    entity_type: NotRequired[Literal["Workflow", "Business", "Person"]]
    #: The status to list. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    required_document_status: NotRequired[Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]]


class Empty(TypedDict):
    """An object of the API."""
    pass


class EventFields(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    id: str
    #: The version of this form and of the content's.
    schema_version: str
    #: When it happened.
    timestamp: str
    #: The event's position in the account's feed: it grows from event to event. Only with OLDEST_FIRST.
    position: NotRequired[int]
    #: true when webhook.event.replay sent the event. Only a webhook says it.
    replay: NotRequired[bool]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Absent without a workflow.
    sequence: NotRequired[int]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. Absent where the event concerns no workflow on record.
    workflow_id: NotRequired[str]
    #: The id of the webhook key. Only a receiver gives it.
    key_id: NotRequired[str]
    #: How many attempts were made before. Only a receiver gives it.
    retry_count: NotRequired[int]


class EventEvidence(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: NotRequired[str]
    #: The last day on which the document is valid.
    expires_on: NotRequired[str]
    #: The day on which the document was issued.
    issued_on: NotRequired[str]
    #: Whether the evidence is valid for ever.
    never_expires: NotRequired[bool]


class EventIDData(TypedDict):
    """An object of the API."""
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str


class EventListData(TypedDict):
    """An object of the API."""
    #: true when nothing was left to read. false when more follows, also after a page that filters left empty.
    caught_up: bool
    #: The events, in the order that the request asks for.
    events: List[Event]
    #: Pass it as page.after for the next page; null on the last one. With OLDEST_FIRST never null: when caught_up is
    #: true, ask again later.
    next: Optional[str]


class EventListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only what matches all of these.
    filters: NotRequired[EventListRequestFilters]
    #: true adds each event's data. A page then ends early when its data exceeds 1 MiB.
    include_data: NotRequired[bool]
    #: OLDEST_FIRST is the account's feed: going on from next misses no event and repeats none, however late a change
    #: is committed. NEWEST_FIRST when left out. One of NEWEST_FIRST, OLDEST_FIRST.
    order: NotRequired[Literal["NEWEST_FIRST", "OLDEST_FIRST"]]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class EventListRequestFilters(TypedDict):
    """An object of the API."""
    #: What has happened. One of WORKFLOW_CREATED, WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_PRICING_CALCULATED,
    #: REQUIRED_DOCUMENTS_CALCULATED, REQUIRED_DOCUMENT_ADDED, REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE,
    #: REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED, WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED,
    #: WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST, WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED,
    #: WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_type: NotRequired[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]
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
    #: In place of expires_on, for evidence that is valid for ever.
    never_expires: NotRequired[bool]
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
    #: The record that has the fact; the value of a declared one is in its custom. One of BusinessSalesInfo,
    #: Workflow, Business, Person.
    entity_type: Literal["BusinessSalesInfo", "Workflow", "Business", "Person"]
    #: What people call the fact.
    label: str
    #: The type of its values. One of BOOLEAN, NUMBER, AMOUNT, DATE, TEXT, TEXT_LIST.
    type: Literal["BOOLEAN", "NUMBER", "AMOUNT", "DATE", "TEXT", "TEXT_LIST"]
    #: The condition under which the absence of the fact is a gap all the same, in the language of rules. While it
    #: does not hold, nobody needs to ask for the fact.
    asked_when: NotRequired[str]
    #: All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text is.
    choices: NotRequired[List[str]]
    #: What the fact counts as while no value is on file. Without a default, its absence is a gap.
    default: NotRequired[Union[bool, Union[Decimal, int], str, List[str]]]
    #: Of a built-in fact: the field of the request that supplies it. What follows a point is a name within it:
    #: address.country is country of address.
    field: NotRequired[str]
    #: The name of the fact in custom, and in rules.
    name: NotRequired[str]
    #: Of a built-in fact: the operation that supplies it. business.create and person.create take the same fields.
    related_endpoints: NotRequired[List[str]]
    #: Of the field sales_amount: the type of the amount. One of AVERAGE_INDIVIDUAL_SALE,
    #: AVERAGE_MONTHLY_CREDIT_SALES, AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
    sales_amount_type: NotRequired[Literal["AVERAGE_INDIVIDUAL_SALE", "AVERAGE_MONTHLY_CREDIT_SALES", "AVERAGE_YEARLY_CREDIT_SALES", "HIGHEST_TICKET_SALE"]]
    #: Absent for a built-in fact. COMING: a version that is published and not yet in force declares it. DROPPED: no
    #: version in force declares it; its values stay on file, and nothing asks for them. One of COMING, IN_FORCE,
    #: DROPPED.
    state: NotRequired[Literal["COMING", "IN_FORCE", "DROPPED"]]
    #: What declares the fact, and is in force or comes into force. Empty for one that was dropped, absent for a
    #: built-in one. One of RULES, PRICING.
    used_by: NotRequired[List[Literal["RULES", "PRICING"]]]


class FactListData(TypedDict):
    """An object of the API."""
    #: The declared facts of workflows, of businesses and of persons, each by name; then the built-in ones, in the
    #: order of gaps.
    facts: List[FactData]


class FactListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Also list the facts of the service that a form can ask for.
    include_built_in: NotRequired[bool]


class Facts(TypedDict):
    """An object of the API."""
    #: The business on file.
    business: BusinessData
    #: The persons of the business on file.
    persons: List[PersonData]
    #: What is on file of the workflow itself.
    workflow: WorkflowFacts


class FailingExample(TypedDict):
    """An object of the API."""
    #: What it expects, and what the rules give.
    message: str
    #: The name of the example.
    name: str


class FindingData(TypedDict):
    """An object of the API."""
    #: That of the rule, or DOCUMENT_OPEN or DOCUMENT_OVERDUE of a document with hold.
    finding_code: str
    #: REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined.
    #: One of REVIEW, HOLD, DECLINE.
    kind: Literal["REVIEW", "HOLD", "DECLINE"]
    #: The day in the account's time zone: on which it was first found; of DOCUMENT_OPEN, on which the document was
    #: required, restored, or made PENDING by expiry or renewal, or the first after valid_until; of DOCUMENT_OVERDUE,
    #: the first after due_on.
    since: str
    #: The id of the workflow, business or person.
    entity_id: NotRequired[str]
    #: The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
    #: Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
    #: without the permission read always.
    entity_name: NotRequired[str]
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: NotRequired[Literal["Workflow", "Business", "Person"]]
    #: The text of the rule.
    message: NotRequired[str]
    #: Why the rule found it. For the platform, not for applicants.
    reasons: NotRequired[List[DocumentReason]]
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z. The document that holds up the application.
    #: Such a finding has no message, entity and reasons.
    required_document_id: NotRequired[str]


class FindingRef(TypedDict):
    """An object of the API."""
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The code of the finding.
    finding_code: str
    #: REVIEW: a person must look at it. HOLD: the application waits. DECLINE: the application should be declined.
    #: One of REVIEW, HOLD, DECLINE.
    kind: Literal["REVIEW", "HOLD", "DECLINE"]


class Gap(TypedDict):
    """An object of the API."""
    #: FIELDS_REQUIRED: facts are missing. CALCULATED_PRICING_REQUIRED: workflow.pricing.calculate must run first.
    #: One of CALCULATED_PRICING_REQUIRED, FIELDS_REQUIRED.
    code: Literal["CALCULATED_PRICING_REQUIRED", "FIELDS_REQUIRED"]
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of BusinessSalesInfo, Workflow, Business, Person.
    entity_type: Literal["BusinessSalesInfo", "Workflow", "Business", "Person"]
    #: One sentence for people. The wording may change.
    message: str
    #: What to ask for, for a program: one entry a field, with all that the operation requires. Gaps with the same
    #: entity_id and related_endpoints are one record: supply it in one call; person.create takes several persons.
    #: Where there is none, business.update with no_persons_attested closes the gap.
    missing: List[MissingField]
    #: The operations that fill the gap, in the order to call them.
    related_endpoints: List[str]
    #: Where the last of related_endpoints creates a record: the business_id of its request.
    business_id: NotRequired[str]
    #: The id of the record that the new one stands in for: send it as replaces, or delete it before.
    delete_first: NotRequired[str]
    #: The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
    #: Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
    #: without the permission read always.
    entity_name: NotRequired[str]
    #: The fields that are missing.
    fields: NotRequired[List[str]]
    #: What that record holds. The new record needs it too.
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
    status: Literal["HEALTHY", "FAILING", "HELD", "DISABLED"]
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
    #: The code of the person's citizenship.
    citizenship: NotRequired[str]
    #: The person's date of birth.
    date_of_birth: NotRequired[str]
    #: The person's first name.
    first_name: NotRequired[str]
    #: The person's last name.
    last_name: NotRequired[str]
    #: The registered name of the business.
    legal_name: NotRequired[str]


class KeyActivateData(TypedDict):
    """An object of the API."""
    #: When the key became ACTIVE.
    activated_at: str
    #: The id of the webhook key.
    key_id: str
    #: Where it stands. One of INACTIVE, ACTIVE, DELETED.
    status: Literal["INACTIVE", "ACTIVE", "DELETED"]


class KeyCreateData(TypedDict):
    """An object of the API."""
    #: When the record was made.
    created_at: str
    #: Opaque; order keys by created_at.
    key_id: str
    #: Where it stands. One of INACTIVE, ACTIVE, DELETED.
    status: Literal["INACTIVE", "ACTIVE", "DELETED"]
    #: 32 bytes in standard Base64, shown this once.
    shared_secret: str


class KeyData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: When the record was made.
    created_at: str
    #: The id of the webhook key.
    key_id: str
    #: Where it stands. One of INACTIVE, ACTIVE, DELETED.
    status: Literal["INACTIVE", "ACTIVE", "DELETED"]
    #: When the key became ACTIVE. Absent until then.
    activated_at: NotRequired[str]
    #: When the key was DELETED. Absent until then.
    deleted_at: NotRequired[str]


class KeyListData(TypedDict):
    """An object of the API."""
    #: The keys, newest first.
    keys: List[KeyData]
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]


class KeyListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


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
    #: Idempotency-Keys; and decision_bytes_a_day, the bytes of the decisions that it records in a day. One of
    #: body_bytes, database_connections, decision_bytes_a_day, evaluations, outcomes, requests, requests_per_second,
    #: rule_checks, runs, waiting_callers.
    of: Literal["body_bytes", "database_connections", "decision_bytes_a_day", "evaluations", "outcomes", "requests", "requests_per_second", "rule_checks", "runs", "waiting_callers"]
    #: For whom it is; SERVICE is for all callers together. One of CREDENTIAL, ACCOUNT, ORGANIZATION, SERVICE.
    scope: Literal["CREDENTIAL", "ACCOUNT", "ORGANIZATION", "SERVICE"]


class ListedDecision(TypedDict):
    """An object of the API."""
    #: The account's local date, by which ages were counted.
    as_of: str
    #: When it was decided.
    decided_at: str
    #: Who asked for the decision.
    decided_by: DecidedBy
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The digest of the decision, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: Whether the personal data was erased: facts and reasons are gone.
    erased: bool
    #: What kind of decision it is. One of CALCULATION, PRICING, DOCUMENT_STATUS, ERASURE.
    kind: Literal["CALCULATION", "PRICING", "DOCUMENT_STATUS", "ERASURE"]
    #: From 1, without gaps in the workflow.
    number: int
    #: What became of it, or the code of the refusal. One of CALCULATED, PRICED, UPDATED, CREATED, WAIVED, EXPIRED,
    #: ERASED, MISSING_REQUIREMENTS, RULE_NOT_EVALUABLE.
    outcome: Literal["CALCULATED", "PRICED", "UPDATED", "CREATED", "WAIVED", "EXPIRED", "ERASED", "MISSING_REQUIREMENTS", "RULE_NOT_EVALUABLE"]
    #: The digest of the decision before; empty of the first.
    previous_digest: str
    #: Names the request in the logs and the runs of the service.
    trace_id: str
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's pricing model
    #: that was used.
    pricing_version_id: NotRequired[str]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that was
    #: used.
    rule_version_id: NotRequired[str]
    #: Whether as_of is the X-Sandbox-Today of a call; absent otherwise. Never in live.
    sandbox_today: NotRequired[bool]


class ListedWorkflow(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: How many required documents have each status. Nothing is open when documents_calculated_at is set,
    #: documents_stale is false, and pending and needs_review are 0.
    documents: DocumentCounts
    #: Your own id of the record.
    external_id: Optional[str]
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: Literal["CREATED", "STARTED", "ENDED"]
    #: When the record was last changed.
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
    #: When it ended. Absent until then.
    ended_at: NotRequired[str]
    #: The score that workflow.pricing.calculate has set. Absent until then.
    evaluation_score: NotRequired[Union[Decimal, int]]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
    #: takes over.
    previous_workflow_id: NotRequired[str]
    #: When the score was set. Absent until then.
    score_calculated_at: NotRequired[str]
    #: When it was started. Absent until then.
    started_at: NotRequired[str]


class ManualText(TypedDict):
    """An object of the API."""
    #: The category that the rule gives the document.
    category: str
    #: The name, for people.
    name: str
    #: Why the document was required by hand.
    reason: str
    #: What the document must show.
    requirement_text: str
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    due_within: NotRequired[str]
    #: Why the document is needed, in words for the applicant.
    explanation: NotRequired[str]


class Meta(TypedDict):
    """An object of the API."""
    #: SUCCESS, or ERROR of a refusal. One of SUCCESS, ERROR.
    status: Literal["SUCCESS", "ERROR"]
    #: Names the request in the logs and the runs of the service.
    trace_id: str
    #: The version of the API that answers.
    version: str
    #: What is worth reading about a request that succeeded. Absent where there is nothing.
    warnings: NotRequired[List[Warning]]


class MissingField(TypedDict):
    """An object of the API."""
    #: The field of the request. What follows a point is a name within it: custom.legal_form is legal_form of custom.
    field: str
    #: The type of the value: BOOLEAN, NUMBER, AMOUNT, DATE (YYYY-MM-DD), TEXT or TEXT_LIST. One of BOOLEAN, NUMBER,
    #: AMOUNT, DATE, TEXT, TEXT_LIST.
    value_type: Literal["BOOLEAN", "NUMBER", "AMOUNT", "DATE", "TEXT", "TEXT_LIST"]
    #: What to ask the applicant for. Absent for the evaluation score, which nobody is asked for.
    ask: NotRequired[str]
    #: Of a fact that the account declares: all values that count.
    choices: NotRequired[List[str]]
    #: Of sales_amount: the account's currency, which the amount must be in.
    currency: NotRequired[str]
    #: What the fact is, in a few words. With ask and choices only in the first gap of each fact.
    label: NotRequired[str]
    #: Of sales_amount: the SALES_AMOUNT_TYPE. One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES,
    #: AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
    type: NotRequired[Literal["AVERAGE_INDIVIDUAL_SALE", "AVERAGE_MONTHLY_CREDIT_SALES", "AVERAGE_YEARLY_CREDIT_SALES", "HIGHEST_TICKET_SALE"]]
    #: Only in present: what is on file. Absent for a credential without the permission read: ask for it again.
    value: NotRequired[Union[Decimal, int]]


class NewPerson(TypedDict):
    """An object of the API."""
    #: An ISO 3166-1 alpha-2 country code in upper case, XK for Kosovo, or XXA, XXB or XXC for a stateless person, a
    #: refugee or another refugee.
    citizenship: NotRequired[Optional[str]]
    #: An ISO 3166-1 alpha-2 country code in upper case, or XK for Kosovo.
    country_of_residence: NotRequired[Optional[str]]
    #: Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent
    #: change; null removes a value.
    custom: NotRequired[Optional[Dict[str, Optional[Union[bool, Number, str, List[str]]]]]]
    #: The person's date of birth.
    date_of_birth: NotRequired[Optional[str]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: A person has a first name, a last name or both.
    first_name: NotRequired[Optional[str]]
    #: A person has a first name, a last name or both.
    last_name: NotRequired[Optional[str]]
    #: At most two decimals.
    ownership_percentage: NotRequired[Optional[Number]]


class NewSalesInfo(TypedDict):
    """An object of the API."""
    #: Each type at most once.
    sales_amount: List[StatedAmount]


class OptionPart(TypedDict):
    """An object of the API."""
    #: The code of the document's type.
    document_type_code: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    expired_at_most: NotRequired[str]
    #: Whether evidence must be valid, by its expires_on.
    must_be_valid: NotRequired[bool]
    #: The name, for people.
    name: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    not_older_than: NotRequired[str]
    #: What this evidence must show. Absent where it is as for the document.
    requirement_text: NotRequired[str]
    #: A period of 1 to 1000 days, months or years, such as "90 days", "3 months" or "1 year".
    valid_for: NotRequired[str]


class Page(TypedDict):
    """An object of the API."""
    #: The next value of an earlier response.
    after: NotRequired[str]
    #: 50 when left out.
    limit: NotRequired[int]


class PersonCreateData(TypedDict):
    """An object of the API."""
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z. Absent when persons are stated.
    person_id: NotRequired[str]
    #: In the order of persons. Absent when person is stated.
    person_ids: NotRequired[List[str]]


class PersonCreateRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: The fields of the person. Send either person or persons.
    person: NotRequired[NewPerson]
    #: Several persons: all are put on record, or none.
    persons: NotRequired[List[NewPerson]]


class PersonData(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: The code of the person's citizenship.
    citizenship: Optional[str]
    #: The code of the country where the person lives.
    country_of_residence: Optional[str]
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: The person's date of birth.
    date_of_birth: Optional[str]
    #: The e-mail address.
    email: Optional[str]
    #: The person's first name.
    first_name: Optional[str]
    #: The person's last name.
    last_name: Optional[str]
    #: At most two decimals.
    ownership_percentage: Optional[Union[Decimal, int]]
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str
    #: When the record was last changed.
    updated_at: str


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
    #: Only what matches all of these.
    filters: NotRequired[ExternalIDFilter]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class PersonOnRecord(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: The code of the person's citizenship.
    citizenship: Optional[str]
    #: The code of the country where the person lives.
    country_of_residence: Optional[str]
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: The person's date of birth.
    date_of_birth: Optional[str]
    #: The e-mail address.
    email: Optional[str]
    #: Your own id of the record.
    external_id: Optional[str]
    #: The person's first name.
    first_name: Optional[str]
    #: The person's last name.
    last_name: Optional[str]
    #: At most two decimals.
    ownership_percentage: Optional[Union[Decimal, int]]
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str
    #: When the record was last changed.
    updated_at: str


class PersonRequest(TypedDict):
    """An object of the API."""
    #: A person id: p_ and 20 to 22 characters of 0-9A-Za-z.
    person_id: str


class PersonUpdateRequest(TypedDict):
    """An object of the API."""
    #: The fields of the person.
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
    #: The person's date of birth.
    date_of_birth: NotRequired[Optional[str]]
    #: An e-mail address.
    email: NotRequired[Optional[str]]
    #: Printable ASCII without blanks. Your own id of the record, unique in the account (business, workflow) or in
    #: the business (person). It is no fact, so it changes neither updated_at nor a calculation, and no event carries
    #: it.
    external_id: NotRequired[Optional[str]]
    #: A person has a first name, a last name or both.
    first_name: NotRequired[Optional[str]]
    #: A person has a first name, a last name or both.
    last_name: NotRequired[Optional[str]]
    #: At most two decimals.
    ownership_percentage: NotRequired[Optional[Number]]


class PreviewedDocument(TypedDict):
    """An object of the API."""
    #: The category that the rule gives the document.
    category: str
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The name, for people.
    name: str
    #: Why it is required: one for each rule.
    reasons: List[DocumentReason]
    #: What the document must show.
    requirement_text: str
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the
    #: evidence meets no option that is offered now.
    changed_facts: NotRequired[List[str]]
    #: The name of that person, or the legal_name of that business, as it is on record at the time of the answer.
    #: Absent for a workflow, a record that is yet to be created or was deleted, and in a decision; for a credential
    #: without the permission read always.
    entity_name: NotRequired[str]
    #: Why the document is needed, in words for the applicant.
    explanation: NotRequired[str]
    #: The id of the required document. Absent where it would be new.
    required_document_id: NotRequired[str]
    #: Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did. One of
    #: TEXT_CHANGED, IDENTITY_CHANGED, FACTS_CHANGED, EXPIRED, RENEWAL_DUE.
    status_reason: NotRequired[Literal["TEXT_CHANGED", "IDENTITY_CHANGED", "FACTS_CHANGED", "EXPIRED", "RENEWAL_DUE"]]
    #: In kept: the document would demand something else than it does now.
    text_changed: NotRequired[bool]


class PreviewedFindings(TypedDict):
    """An object of the API."""
    #: What would be found, and is not on record.
    added: List[FindingData]
    #: All that would be found, those on record with the day since which they are.
    now: List[FindingData]
    #: What is on record, and would no longer be found.
    removed: List[FindingData]


class PreviewedRule(TypedDict):
    """An object of the API."""
    #: What is required now, and was not before.
    added: int
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: What was required before, and still is.
    kept: int
    #: How many documents would be overdue, and are not now.
    overdue_at_once: int
    #: What is no longer required.
    removed: int
    #: Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
    #: a fact that it is bound to has changed.
    reopened: int
    #: How many documents would be required, or findings found.
    required: int
    #: What was INACTIVE, and is required again.
    restored: int
    #: The condition.
    rule: str
    #: The code of the document's type.
    document_type_code: NotRequired[str]
    #: The code of the finding.
    finding_code: NotRequired[str]
    #: Of a finding. One of REVIEW, HOLD, DECLINE.
    kind: NotRequired[Literal["REVIEW", "HOLD", "DECLINE"]]


class Problem(TypedDict):
    """An object of the API."""
    #: What kind of problem it is. The list is closed. REQUIRED: It is missing. UNKNOWN_FIELD: There is no such
    #: field. suggestion is the name that was probably meant, where one is near. UNKNOWN_VALUE: It is none of the
    #: allowed values. allowed lists them, unless they are very many; suggestion is the one that was probably meant.
    #: WRONG_TYPE: It is of another type of JSON. expected names the type: object, array, string, number, integer or
    #: boolean. TOO_LONG: A text, a list or custom has more than limit characters, elements or bytes. TOO_SHORT: A
    #: text or a list has fewer than limit characters or elements. TOO_LARGE: A number is larger than limit, or equal
    #: to it where the message says less than. TOO_SMALL: A number is smaller than limit. WRONG_FORMAT: It is of the
    #: right type, and not of the right form, such as a date that does not exist. DUPLICATE: It stands twice.
    #: MALFORMED: The body is not JSON, or ended early. INVALID_RULE: A rule or another part of a set of rules is
    #: wrong. The message says what to write. NOT_ALLOWED: Its form is right, and it may not be sent here or now,
    #: such as a date in the future. One of REQUIRED, UNKNOWN_FIELD, UNKNOWN_VALUE, WRONG_TYPE, TOO_LONG, TOO_SHORT,
    #: TOO_LARGE, TOO_SMALL, WRONG_FORMAT, DUPLICATE, MALFORMED, INVALID_RULE, NOT_ALLOWED.
    code: Literal["REQUIRED", "UNKNOWN_FIELD", "UNKNOWN_VALUE", "WRONG_TYPE", "TOO_LONG", "TOO_SHORT", "TOO_LARGE", "TOO_SMALL", "WRONG_FORMAT", "DUPLICATE", "MALFORMED", "INVALID_RULE", "NOT_ALLOWED"]
    #: Where, in dotted form with indexes, such as rules.documents[1].when; empty for the whole body.
    field: str
    #: What is wrong, and what to do about it. The wording may change.
    message: str
    #: Of UNKNOWN_VALUE: all values. Left out where they are very many.
    allowed: NotRequired[List[str]]
    #: Of WRONG_TYPE: the type of JSON that is expected, such as string; several are separated by commas.
    expected: NotRequired[str]
    #: Of TOO_LONG, TOO_SHORT, TOO_LARGE and TOO_SMALL: the bound. Of a text it counts characters, of a list
    #: elements, and of custom bytes. A number may be equal to it unless the message says less than.
    limit: NotRequired[Union[Decimal, int]]
    #: Of UNKNOWN_FIELD and UNKNOWN_VALUE: the name or the value that was probably meant, where one is near.
    suggestion: NotRequired[str]


class ProposalApproveRequest(TypedDict):
    """An object of the API."""
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str
    #: Why; kept with the version.
    comment: NotRequired[Optional[str]]


class ProposalApproved(TypedDict):
    """An object of the API."""
    #: The number of the version: 1, 2, 3.
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str


class ProposalCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Why; for the person who approves the rules.
    comment: str
    #: A rule set; see the guide to rules.
    rules: Any
    #: ALL when left out. NEW: only workflows that are created from then on. One of ALL, NEW.
    applies_to: NotRequired[Literal["ALL", "NEW"]]
    #: The first day on which the rules are in force, in the account's time zone; today, or left out, is at once.
    #: They replace coming versions that would be in force no earlier and for no more workflows.
    effective_from: NotRequired[str]
    #: The document type codes whose approvals hold although their text changes; ["*"] is all.
    keep_approvals: NotRequired[List[str]]


class ProposalCreated(TypedDict):
    """An object of the API."""
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str
    #: As account.documentRules.validate answers them.
    warnings: List[RulesWarning]


class ProposalData(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One of ALL,
    #: NEW.
    applies_to: Literal["ALL", "NEW"]
    #: The codes of the documents and findings that differ from the base version: their rules, or a definition, a
    #: list or a declared fact that these read.
    changes: ChangedCodes
    #: Why the rules are proposed.
    comment: str
    #: The document type codes whose approvals hold although their text changes; * is all.
    keep_approvals: List[str]
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str
    #: When the rules were proposed.
    proposed_at: str
    #: Who proposed the rules.
    proposed_by: str
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    proposed_by_type: Literal["API_KEY", "SYSTEM"]
    #: The rule set, as it was published or proposed.
    rules: Any
    #: OUTDATED: rules were published after it was made, or its effective_from has passed. One of OPEN, APPROVED,
    #: REJECTED, OUTDATED.
    state: Literal["OPEN", "APPROVED", "REJECTED", "OUTDATED"]
    #: The number of the newest version when the rules were proposed.
    base_version: NotRequired[int]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules were
    #: proposed. Absent where there was none.
    base_version_id: NotRequired[str]
    #: When it was approved or rejected, or other rules were published.
    decided_at: NotRequired[str]
    #: Who approved or rejected it.
    decided_by: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    decided_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]
    #: What the person said who approved or rejected it.
    decision_comment: NotRequired[str]
    #: The first day in force, in the account's time zone. Absent: from its approval on.
    effective_from: NotRequired[str]
    #: The number of the version that it became, when it was approved.
    version: NotRequired[int]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was approved.
    version_id: NotRequired[str]


class ProposalFilters(TypedDict):
    """An object of the API."""
    #: Where it stands. One of OPEN, APPROVED, REJECTED, OUTDATED.
    state: NotRequired[Literal["OPEN", "APPROVED", "REJECTED", "OUTDATED"]]


class ProposalListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]
    #: The proposals, newest first.
    proposals: List[ProposalListed]


class ProposalListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only what matches all of these.
    filters: NotRequired[ProposalFilters]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class ProposalListed(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One of ALL,
    #: NEW.
    applies_to: Literal["ALL", "NEW"]
    #: The codes of the documents and findings that differ from the base version: their rules, or a definition, a
    #: list or a declared fact that these read.
    changes: ChangedCodes
    #: Why the rules are proposed.
    comment: str
    #: The document type codes whose approvals hold although their text changes; * is all.
    keep_approvals: List[str]
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str
    #: When the rules were proposed.
    proposed_at: str
    #: Who proposed the rules.
    proposed_by: str
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    proposed_by_type: Literal["API_KEY", "SYSTEM"]
    #: OUTDATED: rules were published after it was made, or its effective_from has passed. One of OPEN, APPROVED,
    #: REJECTED, OUTDATED.
    state: Literal["OPEN", "APPROVED", "REJECTED", "OUTDATED"]
    #: The number of the newest version when the rules were proposed.
    base_version: NotRequired[int]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The newest version when the rules were
    #: proposed. Absent where there was none.
    base_version_id: NotRequired[str]
    #: When it was approved or rejected, or other rules were published.
    decided_at: NotRequired[str]
    #: Who approved or rejected it.
    decided_by: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    decided_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]
    #: What the person said who approved or rejected it.
    decision_comment: NotRequired[str]
    #: The first day in force, in the account's time zone. Absent: from its approval on.
    effective_from: NotRequired[str]
    #: The number of the version that it became, when it was approved.
    version: NotRequired[int]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. What it became, when it was approved.
    version_id: NotRequired[str]


class ProposalRejectRequest(TypedDict):
    """An object of the API."""
    #: Why.
    comment: str
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str


class ProposalRequest(TypedDict):
    """An object of the API."""
    #: A proposal id: prp_ and 20 to 22 characters of 0-9A-Za-z.
    proposal_id: str


class RateLimitData(TypedDict):
    """An object of the API."""
    #: How many may come at once after a pause.
    burst: int
    #: How many requests a second.
    per_second: Union[Decimal, int]


class Reason(TypedDict):
    """An object of the API."""
    #: The facts that decided, by the names that rules use.
    facts: Dict[str, Any]
    #: One sentence for people. The wording may change.
    message: str


class RecalculationData(TypedDict):
    """An object of the API."""
    #: Workflows with other documents or findings than before, or whose documents or findings differ in more than
    #: reasons.
    changed: int
    #: The sum of the four that follow.
    done: int
    #: Workflows that could not be calculated for another reason, for example because a rule has no result for their
    #: facts. Their documents stay as they were.
    not_evaluable: int
    #: When it was started.
    started_at: str
    #: Where it stands. One of RUNNING, DONE, CANCELED.
    state: Literal["RUNNING", "DONE", "CANCELED"]
    #: Workflows where at most reasons have changed.
    unchanged: int
    #: Workflows that lack facts. Their documents stay as they were.
    with_gaps: int
    #: When it ended. Absent until then.
    ended_at: NotRequired[str]
    #: How many workflows it calculates. Absent until they are counted, and while they are among more than 100,000.
    total: NotRequired[int]


class RecalculationRequest(TypedDict):
    """An object of the API."""
    #: A recalculation id: rec_ and 20 to 22 characters of 0-9A-Za-z.
    run_id: str


class RecalculationStartRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only workflows whose documents are stale, or were calculated on an earlier day in the account's time zone by
    #: rules that count days; true when left out. With false, all that have not ended.
    only_stale: NotRequired[bool]


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
    #: REQUIRED_DOCUMENT_UPDATED, REQUIRED_DOCUMENT_OVERDUE, REQUIRED_DOCUMENT_EXPIRING, REQUIRED_DOCUMENT_EXPIRED,
    #: WORKFLOW_FINDINGS_CHANGED, DOCUMENT_RULES_PUBLISHED, WEBHOOK_KEY_ACTIVATED, WEBHOOK_TEST,
    #: WEBHOOK_ENDPOINT_FAILING, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_RECOVERED, WEBHOOK_DELIVERY_FAILED.
    event_types: NotRequired[List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]]]
    #: A date-time of the form YYYY-MM-DDTHH:mm:ss.SSSZ. Events before then; up to now when left out.
    until: NotRequired[str]


class ReplayedData(TypedDict):
    """An object of the API."""
    #: Events that were sent to the endpoint's queue, or waited there already.
    done: int
    #: When it was started.
    started_at: str
    #: CANCELED by the operator of the service, or because the endpoint was deleted. One of RUNNING, COMPLETED,
    #: CANCELED.
    state: Literal["RUNNING", "COMPLETED", "CANCELED"]
    #: When it ended. Absent until then.
    ended_at: NotRequired[str]
    #: Absent until they are counted, and when they are among more than 100,000 events.
    total: NotRequired[int]


class RequiredDocumentAddedContent(TypedDict):
    """A document was required by hand, with workflow.requiredDocument.create."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: The code of the document's type.
    document_type_code: str
    #: The id of the workflow, business or person.
    entity_id: str
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: Literal["Workflow", "Business", "Person"]
    #: The id of the required document.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: The last day on which it is due, in the account's time zone. Absent where it has none.
    due_on: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RequiredDocumentExpiredContent(TypedDict):
    """The approval of a required document has lapsed, and the document is PENDING again. In a workflow that has ended it stays as it is. It is sent once for each valid_until."""
    #: The code of the document's type.
    document_type_code: str
    #: The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: EXPIRED: its evidence has expired. RENEWAL_DUE: the rule asks for it anew. One of EXPIRED, RENEWAL_DUE.
    status_reason: Literal["EXPIRED", "RENEWAL_DUE"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The last day on which the approval was valid.
    valid_until: str
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: ENDED: the document stays as it is. Create the next workflow, with previous_workflow_id. One of CREATED,
    #: STARTED, ENDED.
    workflow_state: Literal["CREATED", "STARTED", "ENDED"]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z. Absent where workflow_state is ENDED: nothing was
    #: decided.
    decision_id: NotRequired[str]
    #: The decision's digest in the record, SHA-256 in hex.
    digest: NotRequired[str]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RequiredDocumentExpiringContent(TypedDict):
    """The approval of a required document ends soon: remind_before of its rule says how soon. It is sent once for each valid_until."""
    #: The code of the document's type.
    document_type_code: str
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Who caused the event.
    user_context: CommonUserContext
    #: The last day on which the approval is valid.
    valid_until: str
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RequiredDocumentOverdueContent(TypedDict):
    """A required document is PENDING, and its due_on has passed. It is sent once for each due_on."""
    #: The code of the document's type.
    document_type_code: str
    #: The last day on which it was due.
    due_on: str
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
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
    #: The code of the document's type.
    document_type_code: str
    #: The status before. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    previous_status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: A required document id: rd_ and 20 to 22 characters of 0-9A-Za-z.
    required_document_id: str
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Where it stands. One of PENDING, NEEDS_REVIEW, COMPLETED, WAIVED, INACTIVE.
    status: Literal["PENDING", "NEEDS_REVIEW", "COMPLETED", "WAIVED", "INACTIVE"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: The last day on which it is due, in the account's time zone. Absent where it has none.
    due_on: NotRequired[str]
    #: What was handed in, as a reviewer stated it.
    evidence: NotRequired[List[EventEvidence]]
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]
    #: The last day on which the approval is valid.
    valid_until: NotRequired[str]


class RequiredDocumentsCalculatedContent(TypedDict):
    """A calculation has changed the documents that a workflow requires. One that changes nothing sends no event."""
    #: What is required now, and was not before.
    added: List[DocumentRef]
    #: Of those added: whose approval is taken over from previous_workflow_id.
    carried: List[CarriedRef]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: What was required before, and still is.
    kept: List[DocumentRef]
    #: Of those kept or restored: whose approval or waiver holds again.
    reinstated: List[DocumentRef]
    #: What is no longer required.
    removed: List[DocumentRef]
    #: Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
    #: a fact that it is bound to has changed.
    reopened: List[DocumentRef]
    #: What was INACTIVE, and is required again.
    restored: List[DocumentRef]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class RuleError(TypedDict):
    """An object of the API."""
    #: Always RULE_NOT_EVALUABLE. One of RULE_NOT_EVALUABLE.
    code: Literal["RULE_NOT_EVALUABLE"]
    #: One sentence for people. The wording may change.
    message: str


class RuleResult(TypedDict):
    """An object of the API."""
    #: Whether the rule's condition is true.
    holds: bool
    #: The code of the rule.
    rule: str
    #: The code of the document's type.
    document_type_code: NotRequired[str]
    #: The id of the workflow, business or person.
    entity_id: NotRequired[str]
    #: What kind of record it concerns. One of Workflow, Business, Person.
    entity_type: NotRequired[Literal["Workflow", "Business", "Person"]]
    #: The code of the finding.
    finding_code: NotRequired[str]
    #: What the rule adds to the evaluation score.
    points: NotRequired[Union[Decimal, int]]
    #: Why. Absent once the personal data was erased.
    reason: NotRequired[Reason]


class RulesChecked(TypedDict):
    """An object of the API."""
    #: The facts that the rules need. One with a default is among them only if it has an asked_when.
    facts: List[str]
    #: What is allowed, and probably not what was meant.
    warnings: List[RulesWarning]


class RulesData(TypedDict):
    """An object of the API."""
    #: ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One of ALL,
    #: NEW.
    applies_to: Literal["ALL", "NEW"]
    #: What the person who published or proposed the rules said about them.
    comment: Optional[str]
    #: The document type codes whose approvals hold although their text changes; * is all.
    keep_approvals: List[str]
    #: When the version was published.
    published_at: str
    #: Who published the version.
    published_by: str
    #: The rule set, as it was published or proposed.
    rules: Any
    #: IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for NEW ones
    #: leaves the one before it in force for the others. REPLACED: no workflow that has not ended could have it. One
    #: of COMING, IN_FORCE, REPLACED.
    state: Literal["COMING", "IN_FORCE", "REPLACED"]
    #: The number of the version: 1, 2, 3.
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str
    #: The second person. published_by is who proposed the rules, and comment is what the approver said. Absent, as
    #: the next four, where one person published.
    approved_by: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. One of API_KEY,
    #: SYSTEM.
    approved_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]
    #: The first day in force, in the account's time zone. Absent: from published_at on.
    effective_from: NotRequired[str]
    #: What the person said who proposed the rules.
    proposal_comment: NotRequired[str]
    #: When the rules were proposed.
    proposed_at: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    proposed_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]


class RulesGetRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: NotRequired[str]


class RulesListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]
    #: The versions, newest first.
    versions: List[RulesVersion]


class RulesListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class RulesPreviewData(TypedDict):
    """An object of the API."""
    #: What is required now, and was not before.
    added: List[PreviewedDocument]
    #: Of those added: whose approval is taken over from previous_workflow_id.
    carried: List[PreviewedDocument]
    #: The examples of rules that fail. account.documentRules.publish refuses them.
    failing_examples: List[FailingExample]
    #: The findings of the rules.
    findings: PreviewedFindings
    #: What was required before, and still is.
    kept: List[PreviewedDocument]
    #: As the details of MISSING_REQUIREMENTS; when there are any, nothing would change.
    missing: List[Gap]
    #: Of those kept or restored: whose approval or waiver holds again.
    reinstated: List[PreviewedDocument]
    #: What is no longer required.
    removed: List[PreviewedDocument]
    #: Of those added, kept or restored: whose approval or waiver no longer holds, because the text, the identity or
    #: a fact that it is bound to has changed.
    reopened: List[PreviewedDocument]
    #: What was INACTIVE, and is required again.
    restored: List[PreviewedDocument]
    #: Every rule, also one that gives nobody a document. Empty where facts are missing.
    rules: List[PreviewedRule]


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
    #: ALL when left out. NEW: only workflows that are created from then on. One of ALL, NEW.
    applies_to: NotRequired[Literal["ALL", "NEW"]]
    #: Why; kept with the version.
    comment: NotRequired[Optional[str]]
    #: The first day on which the rules are in force, in the account's time zone; today, or left out, is at once.
    #: They replace coming versions that would be in force no earlier and for no more workflows.
    effective_from: NotRequired[str]
    #: The document type codes whose approvals hold although their text changes; ["*"] is all.
    keep_approvals: NotRequired[List[str]]


class RulesPublished(TypedDict):
    """An object of the API."""
    #: False when the newest version says the same, from the same day and for the same workflows: no new version was
    #: made.
    changed: bool
    #: The number of the version: 1, 2, 3.
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
    #: ALL: to every workflow that has not ended. NEW: only to workflows that are created from then on. One of ALL,
    #: NEW.
    applies_to: Literal["ALL", "NEW"]
    #: What the person who published or proposed the rules said about them.
    comment: Optional[str]
    #: The document type codes whose approvals hold although their text changes; * is all.
    keep_approvals: List[str]
    #: When the version was published.
    published_at: str
    #: Who published the version.
    published_by: str
    #: IN_FORCE: for some workflows that have not ended, or for those that will be created. A version for NEW ones
    #: leaves the one before it in force for the others. REPLACED: no workflow that has not ended could have it. One
    #: of COMING, IN_FORCE, REPLACED.
    state: Literal["COMING", "IN_FORCE", "REPLACED"]
    #: The number of the version: 1, 2, 3.
    version: int
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z.
    version_id: str
    #: The second person. published_by is who proposed the rules, and comment is what the approver said. Absent, as
    #: the next four, where one person published.
    approved_by: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. Of the two persons at least one is a credential. One of API_KEY,
    #: SYSTEM.
    approved_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]
    #: The first day in force, in the account's time zone. Absent: from published_at on.
    effective_from: NotRequired[str]
    #: What the person said who proposed the rules.
    proposal_comment: NotRequired[str]
    #: When the rules were proposed.
    proposed_at: NotRequired[str]
    #: API_KEY: a credential. SYSTEM: an operator. One of API_KEY, SYSTEM.
    proposed_by_type: NotRequired[Literal["API_KEY", "SYSTEM"]]


class RulesWarning(TypedDict):
    """An object of the API."""
    #: One sentence for people. The wording may change.
    message: str
    #: Where in the rule set.
    path: str
    #: WARNING: probably not what was meant. HINT: advice, such as a rule that no example tries. One of WARNING,
    #: HINT.
    severity: Literal["WARNING", "HINT"]


class RunRequest(TypedDict):
    """An object of the API."""
    #: A run id: run_ and 20 to 22 characters of 0-9A-Za-z.
    run_id: str


class SalesAmountData(TypedDict):
    """An object of the API."""
    #: The currency of the amount, ISO 4217.
    currency: str
    #: Which figure of the business's sales it is. One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES,
    #: AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
    type: Literal["AVERAGE_INDIVIDUAL_SALE", "AVERAGE_MONTHLY_CREDIT_SALES", "AVERAGE_YEARLY_CREDIT_SALES", "HIGHEST_TICKET_SALE"]
    #: At most two decimals.
    value: Union[Decimal, int]


class SalesInfoCreateRequest(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: str
    #: The sales of the business.
    sales_info: NewSalesInfo
    #: A sales info id: bsi_ and 20 to 22 characters of 0-9A-Za-z. The sales info of the business that this one
    #: replaces, in one step. Amounts of the old record that are not stated are not kept. If it was removed or
    #: replaced before, the answer is ENTITY_NOT_FOUND.
    replaces: NotRequired[str]
    #: Check everything and write nothing. If sales info is on record and replaces does not name it, the response has
    #: the warning SALES_INFO_EXISTS instead of a refusal. The request does not use up an Idempotency-Key.
    validate_only: NotRequired[bool]


class SalesInfoData(TypedDict):
    """An object of the API."""
    #: The stated amounts, each type once.
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
    #: Which figure of the business's sales it is. One of AVERAGE_INDIVIDUAL_SALE, AVERAGE_MONTHLY_CREDIT_SALES,
    #: AVERAGE_YEARLY_CREDIT_SALES, HIGHEST_TICKET_SALE.
    type: Literal["AVERAGE_INDIVIDUAL_SALE", "AVERAGE_MONTHLY_CREDIT_SALES", "AVERAGE_YEARLY_CREDIT_SALES", "HIGHEST_TICKET_SALE"]
    #: At most two decimals.
    value: Number


class Statement(TypedDict):
    """An object of the API."""
    #: What was approved or waived.
    approved: NotRequired[Approved]
    #: The evidence on record then.
    evidence: NotRequired[List[Evidence]]
    #: The reviewer's note.
    note: NotRequired[str]
    #: Why the document was waived.
    reason: NotRequired[str]
    #: What was required by hand, and why.
    required: NotRequired[ManualText]
    #: Who has reviewed.
    reviewed_by: NotRequired[str]


class VersionData(TypedDict):
    """An object of the API."""
    #: The version that answers.
    current_version: str
    #: The newest version.
    latest_version: str


class WaitData(TypedDict):
    """An object of the API."""
    #: Why the delivery waits. One of ATTEMPT_IN_FLIGHT, NO_WORKER, ENDPOINT_DISABLED, NO_ACTIVE_KEY, RETRY_LATER,
    #: ENDPOINT_FAILING, RETRY_AFTER, ENDPOINT_RATE, ENDPOINT_CONCURRENCY, EARLIER_DELIVERIES, DUE.
    cause: Literal["ATTEMPT_IN_FLIGHT", "NO_WORKER", "ENDPOINT_DISABLED", "NO_ACTIVE_KEY", "RETRY_LATER", "ENDPOINT_FAILING", "RETRY_AFTER", "ENDPOINT_RATE", "ENDPOINT_CONCURRENCY", "EARLIER_DELIVERIES", "DUE"]
    #: What the cause means, and what ends it.
    message: str
    #: When it ends, if that is known.
    until: NotRequired[str]


class Warning(TypedDict):
    """An object of the API."""
    #: What the warning is about. One of CATEGORY_CODE_WITHOUT_DIGIT, DATE_LOOKS_LIKE_DEFAULT,
    #: DOCUMENTS_NOT_CALCULATED, DOCUMENTS_NOT_COMPLETED, DOCUMENTS_STALE, ENDPOINT_DISABLED, FINDINGS_OPEN,
    #: NAME_HAS_INVISIBLE_CHARACTERS, NOTHING_FAILED, NOTHING_TO_UPDATE, NO_APPROVER, OWNERSHIP_EXCEEDS_100,
    #: PERSON_MAY_BE_ON_RECORD, PHONE_NUMBER_TOO_SHORT, REPLACES_COMING_VERSION, SALES_INFO_EXISTS, SCORE_OUTDATED,
    #: SECRET_ALREADY_SHOWN, SECRET_NOT_TAKEN.
    code: Literal["CATEGORY_CODE_WITHOUT_DIGIT", "DATE_LOOKS_LIKE_DEFAULT", "DOCUMENTS_NOT_CALCULATED", "DOCUMENTS_NOT_COMPLETED", "DOCUMENTS_STALE", "ENDPOINT_DISABLED", "FINDINGS_OPEN", "NAME_HAS_INVISIBLE_CHARACTERS", "NOTHING_FAILED", "NOTHING_TO_UPDATE", "NO_APPROVER", "OWNERSHIP_EXCEEDS_100", "PERSON_MAY_BE_ON_RECORD", "PHONE_NUMBER_TOO_SHORT", "REPLACES_COMING_VERSION", "SALES_INFO_EXISTS", "SCORE_OUTDATED", "SECRET_ALREADY_SHOWN", "SECRET_NOT_TAKEN"]
    #: One sentence for people. The wording may change.
    message: str


class WebhookDeliveryFailedContent(TypedDict):
    """A delivery to another endpoint of the account was given up."""
    #: How many attempts were made.
    attempt_count: int
    #: A webhook config id: whc_ and 20 to 22 characters of 0-9A-Za-z.
    config_id: str
    #: A webhook delivery id: whd_ and 20 to 22 characters of 0-9A-Za-z.
    delivery_id: str
    #: A webhook event id: wh_ and 20 to 22 characters of 0-9A-Za-z.
    event_id: str
    #: Null when no attempt has failed.
    last_error: Optional[str]
    #: Who caused the event.
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
    #: Who caused the event.
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
    #: Who caused the event.
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
    #: Who caused the event.
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
    #: The id of the webhook key.
    key_id: str
    #: Who caused the event.
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
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WhoamiData(TypedDict):
    """An object of the API."""
    #: The credential that signs the request.
    credential: CredentialData
    #: live or sandbox. One of live, sandbox.
    environment: Literal["live", "sandbox"]
    #: The organization of the credential.
    organization_id: str
    #: How often the credential may send requests to each api process. Absent without a limit.
    rate_limit: NotRequired[RateLimitData]


class WorkflowCompleteRequest(TypedDict):
    """An object of the API."""
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: Refuse, where the answer would have warnings other than FINDINGS_OPEN for findings of kind REVIEW.
    strict: NotRequired[bool]


class WorkflowCompletedContent(TypedDict):
    """A workflow has ended."""
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: Literal["CREATED", "STARTED", "ENDED"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowCreateRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: The fields of the workflow.
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
    #: calculation takes over its approvals that still hold: the same document, entity, text, identity and bound
    #: facts, and still valid.
    previous_workflow_id: NotRequired[str]
    #: STARTED when left out. One of CREATED, STARTED.
    state: NotRequired[Literal["CREATED", "STARTED"]]


class WorkflowCreatedContent(TypedDict):
    """A workflow was created."""
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: Literal["CREATED", "STARTED", "ENDED"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
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
    #: When the record was made.
    created_at: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: How many required documents have each status. Nothing is open when documents_calculated_at is set,
    #: documents_stale is false, and pending and needs_review are 0.
    documents: DocumentCounts
    #: Your own id of the record.
    external_id: Optional[str]
    #: What the last calculation found by the rules, and the documents that hold up the application today. Findings
    #: advise: they change no state.
    findings: List[FindingData]
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: Literal["CREATED", "STARTED", "ENDED"]
    #: When the record was last changed.
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
    #: When it ended. Absent until then.
    ended_at: NotRequired[str]
    #: The score that workflow.pricing.calculate has set. Absent until then.
    evaluation_score: NotRequired[Union[Decimal, int]]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z. The workflow whose approvals the first calculation
    #: takes over.
    previous_workflow_id: NotRequired[str]
    #: A rule set version id: rul_ and 20 to 22 characters of 0-9A-Za-z. The version of the account's rules that is
    #: in force for this workflow today; once it has ENDED, the one that its last calculation used. Absent where
    #: there is none.
    rule_version_id: NotRequired[str]
    #: When the score was set. Absent until then.
    score_calculated_at: NotRequired[str]
    #: When it was started. Absent until then.
    started_at: NotRequired[str]


class WorkflowFacts(TypedDict):
    """An object of the API."""
    #: The currency of the account, ISO 4217.
    currency: str
    #: The values of facts that the account declares itself, by name.
    custom: Dict[str, Union[bool, Union[Decimal, int], str, List[str]]]
    #: A workflow id: w_ and 20 to 22 characters of 0-9A-Za-z.
    workflow_id: str
    #: The score that workflow.pricing.calculate has set. Absent until then.
    evaluation_score: NotRequired[Union[Decimal, int]]


class WorkflowFindingsChangedContent(TypedDict):
    """A calculation has changed the findings of a workflow. workflow.get has their messages and reasons."""
    #: The findings that are new.
    added: List[FindingRef]
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: The findings that no longer hold.
    removed: List[FindingRef]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowListData(TypedDict):
    """An object of the API."""
    #: Pass it as page.after for the next page; null on the last one.
    next: Optional[str]
    #: The workflows, newest first.
    workflows: List[ListedWorkflow]


class WorkflowListRequest(TypedDict):
    """An object of the API."""
    #: An account id: lv_ or sb_ and 20 to 22 characters of 0-9A-Za-z.
    account_id: str
    #: Only what matches all of these.
    filters: NotRequired[WorkflowListRequestFilters]
    #: Which page of the list: see Lists and pages.
    page: NotRequired[Page]


class WorkflowListRequestFilters(TypedDict):
    """An object of the API."""
    #: A business id: b_ and 20 to 22 characters of 0-9A-Za-z.
    business_id: NotRequired[str]
    #: Only workflows with this documents_stale, which a workflow has from its first calculation on.
    documents_stale: NotRequired[bool]
    #: Printable ASCII without blanks.
    external_id: NotRequired[str]
    #: Whether documents.pending or documents.needs_review is more than 0.
    open_documents: NotRequired[bool]
    #: Whether documents.overdue is more than 0.
    overdue: NotRequired[bool]
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: NotRequired[Literal["CREATED", "STARTED", "ENDED"]]


class WorkflowPricingCalculatedContent(TypedDict):
    """The evaluation score of a workflow was calculated."""
    #: A decision id: dec_ and 20 to 22 characters of 0-9A-Za-z.
    decision_id: str
    #: The decision's digest in the record, SHA-256 in hex. Keep it: it proves the decision later.
    digest: str
    #: The score that was calculated.
    evaluation_score: Union[Decimal, int]
    #: The event's number within its workflow: 1, 2, 3, without gaps. Of two that state the same record, the higher
    #: is right.
    sequence: int
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
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
    #: Where it stands. One of CREATED, STARTED, ENDED.
    state: Literal["CREATED", "STARTED", "ENDED"]
    #: Who caused the event.
    user_context: CommonUserContext
    #: The version of the content's form.
    version: str
    #: The workflow.
    workflow_id: str
    #: true when webhook.event.replay sent the event.
    replay: NotRequired[bool]
    #: true when webhook.config.test sent the event: it is an example, and has not happened.
    test: NotRequired[bool]


class WorkflowUpdateRequest(TypedDict):
    """An object of the API."""
    #: The fields of the workflow.
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


class LaterEventType(enum.Enum):
    """The type of an event that this package does not know: a later version of the service may send some. It is text: no value of this class exists."""

    _ = ""


class LaterEvent(EventFields):
    """An event of a type that this package does not know."""
    event_type: Literal[LaterEventType._]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: Dict[str, Any]


class DocumentRulesPublishedEvent(EventFields):
    """A version of the account's rules was published. It is in force from effective_from on."""
    event_type: Literal["DOCUMENT_RULES_PUBLISHED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: DocumentRulesPublishedContent


class RequiredDocumentsCalculatedEvent(EventFields):
    """A calculation has changed the documents that a workflow requires. One that changes nothing sends no event."""
    event_type: Literal["REQUIRED_DOCUMENTS_CALCULATED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentsCalculatedContent


class RequiredDocumentAddedEvent(EventFields):
    """A document was required by hand, with workflow.requiredDocument.create."""
    event_type: Literal["REQUIRED_DOCUMENT_ADDED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentAddedContent


class RequiredDocumentExpiredEvent(EventFields):
    """The approval of a required document has lapsed, and the document is PENDING again. In a workflow that has ended it stays as it is. It is sent once for each valid_until."""
    event_type: Literal["REQUIRED_DOCUMENT_EXPIRED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentExpiredContent


class RequiredDocumentExpiringEvent(EventFields):
    """The approval of a required document ends soon: remind_before of its rule says how soon. It is sent once for each valid_until."""
    event_type: Literal["REQUIRED_DOCUMENT_EXPIRING"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentExpiringContent


class RequiredDocumentOverdueEvent(EventFields):
    """A required document is PENDING, and its due_on has passed. It is sent once for each due_on."""
    event_type: Literal["REQUIRED_DOCUMENT_OVERDUE"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentOverdueContent


class RequiredDocumentUpdatedEvent(EventFields):
    """A required document was updated with workflow.requiredDocument.update, or waived with .waive."""
    event_type: Literal["REQUIRED_DOCUMENT_UPDATED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: RequiredDocumentUpdatedContent


class WebhookDeliveryFailedEvent(EventFields):
    """A delivery to another endpoint of the account was given up."""
    event_type: Literal["WEBHOOK_DELIVERY_FAILED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookDeliveryFailedContent


class WebhookEndpointDisabledEvent(EventFields):
    """Another endpoint of the account was disabled. Its events wait until it is enabled."""
    event_type: Literal["WEBHOOK_ENDPOINT_DISABLED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookEndpointDisabledContent


class WebhookEndpointFailingEvent(EventFields):
    """Five attempts in a row at another endpoint of the account have failed. From now on it is probed."""
    event_type: Literal["WEBHOOK_ENDPOINT_FAILING"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookEndpointFailingContent


class WebhookEndpointRecoveredEvent(EventFields):
    """Another endpoint of the account has answered 2xx for the first time since it failed or was disabled."""
    event_type: Literal["WEBHOOK_ENDPOINT_RECOVERED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookEndpointRecoveredContent


class WebhookKeyActivatedEvent(EventFields):
    """A webhook key became the account's active one. Like every webhook it is encrypted with the key that is active when it is sent."""
    event_type: Literal["WEBHOOK_KEY_ACTIVATED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookKeyActivatedContent


class WebhookTestEvent(EventFields):
    """webhook.config.test was called without an event_type, or with this one. The event goes to that endpoint alone."""
    event_type: Literal["WEBHOOK_TEST"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WebhookTestContent


class WorkflowCompletedEvent(EventFields):
    """A workflow has ended."""
    event_type: Literal["WORKFLOW_COMPLETED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WorkflowCompletedContent


class WorkflowCreatedEvent(EventFields):
    """A workflow was created."""
    event_type: Literal["WORKFLOW_CREATED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WorkflowCreatedContent


class WorkflowFindingsChangedEvent(EventFields):
    """A calculation has changed the findings of a workflow. workflow.get has their messages and reasons."""
    event_type: Literal["WORKFLOW_FINDINGS_CHANGED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WorkflowFindingsChangedContent


class WorkflowPricingCalculatedEvent(EventFields):
    """The evaluation score of a workflow was calculated."""
    event_type: Literal["WORKFLOW_PRICING_CALCULATED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WorkflowPricingCalculatedContent


class WorkflowStartedEvent(EventFields):
    """A workflow was started. One that is created as STARTED sends this event after WORKFLOW_CREATED."""
    event_type: Literal["WORKFLOW_STARTED"]
    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.
    data: WorkflowStartedContent


#: An event, as a receiver gets it and the feed answers it. A comparison of event_type with a name gives data its type:
#: event["event_type"] == "WORKFLOW_COMPLETED".
Event = Union[
    LaterEvent,
    DocumentRulesPublishedEvent,
    RequiredDocumentsCalculatedEvent,
    RequiredDocumentAddedEvent,
    RequiredDocumentExpiredEvent,
    RequiredDocumentExpiringEvent,
    RequiredDocumentOverdueEvent,
    RequiredDocumentUpdatedEvent,
    WebhookDeliveryFailedEvent,
    WebhookEndpointDisabledEvent,
    WebhookEndpointFailingEvent,
    WebhookEndpointRecoveredEvent,
    WebhookKeyActivatedEvent,
    WebhookTestEvent,
    WorkflowCompletedEvent,
    WorkflowCreatedEvent,
    WorkflowFindingsChangedEvent,
    WorkflowPricingCalculatedEvent,
    WorkflowStartedEvent,
]


#: The decrypted contents of webhooks, by type of event.
CONTENTS = {
    "DOCUMENT_RULES_PUBLISHED": DocumentRulesPublishedContent,
    "REQUIRED_DOCUMENTS_CALCULATED": RequiredDocumentsCalculatedContent,
    "REQUIRED_DOCUMENT_ADDED": RequiredDocumentAddedContent,
    "REQUIRED_DOCUMENT_EXPIRED": RequiredDocumentExpiredContent,
    "REQUIRED_DOCUMENT_EXPIRING": RequiredDocumentExpiringContent,
    "REQUIRED_DOCUMENT_OVERDUE": RequiredDocumentOverdueContent,
    "REQUIRED_DOCUMENT_UPDATED": RequiredDocumentUpdatedContent,
    "WEBHOOK_DELIVERY_FAILED": WebhookDeliveryFailedContent,
    "WEBHOOK_ENDPOINT_DISABLED": WebhookEndpointDisabledContent,
    "WEBHOOK_ENDPOINT_FAILING": WebhookEndpointFailingContent,
    "WEBHOOK_ENDPOINT_RECOVERED": WebhookEndpointRecoveredContent,
    "WEBHOOK_KEY_ACTIVATED": WebhookKeyActivatedContent,
    "WEBHOOK_TEST": WebhookTestContent,
    "WORKFLOW_COMPLETED": WorkflowCompletedContent,
    "WORKFLOW_CREATED": WorkflowCreatedContent,
    "WORKFLOW_FINDINGS_CHANGED": WorkflowFindingsChangedContent,
    "WORKFLOW_PRICING_CALCULATED": WorkflowPricingCalculatedContent,
    "WORKFLOW_STARTED": WorkflowStartedContent,
}

#: The operations that write, and so take an Idempotency-Key.
WRITES = frozenset({
    "account.documentRules.proposal.approve",
    "account.documentRules.proposal.create",
    "account.documentRules.proposal.reject",
    "account.documentRules.publish",
    "account.recalculation.cancel",
    "account.recalculation.start",
    "business.create",
    "business.salesInfo.create",
    "business.salesInfo.delete",
    "business.update",
    "person.create",
    "person.delete",
    "person.update",
    "webhook.config.create",
    "webhook.config.delete",
    "webhook.config.flush",
    "webhook.config.test",
    "webhook.config.update",
    "webhook.delivery.cancel",
    "webhook.delivery.recover",
    "webhook.delivery.retry",
    "webhook.event.replay",
    "webhook.key.activate",
    "webhook.key.create",
    "webhook.key.delete",
    "workflow.complete",
    "workflow.create",
    "workflow.deadlines.apply",
    "workflow.pricing.calculate",
    "workflow.requiredDocument.calculate",
    "workflow.requiredDocument.create",
    "workflow.requiredDocument.update",
    "workflow.requiredDocument.waive",
    "workflow.start",
    "workflow.update",
})

#: All operations, and the method of each.
OPERATIONS = {
    "account.documentRules.get": "account_document_rules_get",
    "account.documentRules.list": "account_document_rules_list",
    "account.documentRules.preview": "account_document_rules_preview",
    "account.documentRules.proposal.approve": "account_document_rules_proposal_approve",
    "account.documentRules.proposal.create": "account_document_rules_proposal_create",
    "account.documentRules.proposal.get": "account_document_rules_proposal_get",
    "account.documentRules.proposal.list": "account_document_rules_proposal_list",
    "account.documentRules.proposal.reject": "account_document_rules_proposal_reject",
    "account.documentRules.publish": "account_document_rules_publish",
    "account.documentRules.validate": "account_document_rules_validate",
    "account.fact.list": "account_fact_list",
    "account.get": "account_get",
    "account.list": "account_list",
    "account.recalculation.cancel": "account_recalculation_cancel",
    "account.recalculation.get": "account_recalculation_get",
    "account.recalculation.start": "account_recalculation_start",
    "business.create": "business_create",
    "business.get": "business_get",
    "business.list": "business_list",
    "business.salesInfo.create": "business_sales_info_create",
    "business.salesInfo.delete": "business_sales_info_delete",
    "business.update": "business_update",
    "meta.checkVersion": "meta_check_version",
    "meta.whoami": "meta_whoami",
    "person.create": "person_create",
    "person.delete": "person_delete",
    "person.get": "person_get",
    "person.list": "person_list",
    "person.update": "person_update",
    "webhook.config.create": "webhook_config_create",
    "webhook.config.delete": "webhook_config_delete",
    "webhook.config.flush": "webhook_config_flush",
    "webhook.config.get": "webhook_config_get",
    "webhook.config.list": "webhook_config_list",
    "webhook.config.test": "webhook_config_test",
    "webhook.config.update": "webhook_config_update",
    "webhook.delivery.cancel": "webhook_delivery_cancel",
    "webhook.delivery.get": "webhook_delivery_get",
    "webhook.delivery.list": "webhook_delivery_list",
    "webhook.delivery.recover": "webhook_delivery_recover",
    "webhook.delivery.retry": "webhook_delivery_retry",
    "webhook.event.get": "webhook_event_get",
    "webhook.event.list": "webhook_event_list",
    "webhook.event.replay": "webhook_event_replay",
    "webhook.event.replayed": "webhook_event_replayed",
    "webhook.key.activate": "webhook_key_activate",
    "webhook.key.create": "webhook_key_create",
    "webhook.key.delete": "webhook_key_delete",
    "webhook.key.get": "webhook_key_get",
    "webhook.key.list": "webhook_key_list",
    "workflow.complete": "workflow_complete",
    "workflow.create": "workflow_create",
    "workflow.deadlines.apply": "workflow_deadlines_apply",
    "workflow.decision.get": "workflow_decision_get",
    "workflow.decision.list": "workflow_decision_list",
    "workflow.get": "workflow_get",
    "workflow.list": "workflow_list",
    "workflow.pricing.calculate": "workflow_pricing_calculate",
    "workflow.requiredDocument.calculate": "workflow_required_document_calculate",
    "workflow.requiredDocument.create": "workflow_required_document_create",
    "workflow.requiredDocument.get": "workflow_required_document_get",
    "workflow.requiredDocument.list": "workflow_required_document_list",
    "workflow.requiredDocument.update": "workflow_required_document_update",
    "workflow.requiredDocument.waive": "workflow_required_document_waive",
    "workflow.start": "workflow_start",
    "workflow.update": "workflow_update",
}

#: The operations that answer in pages, and the field of the elements.
PAGED = {
    "account.documentRules.list": "versions",
    "account.documentRules.proposal.list": "proposals",
    "account.list": "accounts",
    "business.list": "businesses",
    "person.list": "persons",
    "webhook.delivery.list": "deliveries",
    "webhook.event.list": "events",
    "webhook.key.list": "keys",
    "workflow.decision.list": "decisions",
    "workflow.list": "workflows",
    "workflow.requiredDocument.list": "required_documents",
}
