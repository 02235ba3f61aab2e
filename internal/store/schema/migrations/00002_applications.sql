-- Businesses, their persons and sales, and the workflows that onboard them.
-- +goose Up
CREATE TABLE business (
    id                     uuid PRIMARY KEY,
    account_id             uuid NOT NULL REFERENCES account,
    -- The caller's own name of the record; no fact, so version does not count it.
    external_id            text COLLATE "C" CHECK (external_id ~ '^[!-~]{1,64}$'),
    legal_name             text COLLATE "C" NOT NULL CHECK (legal_name <> ''),
    operating_name         text COLLATE "C",
    established_date       date,
    industry_category_code text[] COLLATE "C" NOT NULL DEFAULT '{}',
    website                text COLLATE "C",
    phone_number           text COLLATE "C",
    email                  text COLLATE "C",
    address                jsonb,
    -- The business has stated that it has no persons. Adding one clears it.
    no_persons_attested    boolean NOT NULL DEFAULT false,
    -- Values of facts that the account declares itself, by name. Requests are held to half of the
    -- bound, of JSON without blanks.
    custom                 jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(custom) = 'object' AND octet_length(custom::text) <= 32768),
    -- Grows with every change of a fact of the business, its persons or its sales
    -- info: documents_stale compares it.
    version                bigint NOT NULL DEFAULT 1,
    -- When the personal data was erased; nothing changes from then on.
    erased_at              timestamptz,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL,
    UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX business_external_id ON business (account_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE person (
    id                   uuid PRIMARY KEY,
    business_id          uuid NOT NULL REFERENCES business,
    external_id          text COLLATE "C" CHECK (external_id ~ '^[!-~]{1,64}$'),
    first_name           text COLLATE "C" CHECK (first_name <> ''),
    last_name            text COLLATE "C" CHECK (last_name <> ''),
    citizenship          text COLLATE "C" CHECK (citizenship ~ '^([A-Z]{2}|XX[ABC])$'),
    ownership_percentage numeric(5, 2) CHECK (ownership_percentage BETWEEN 0 AND 100),
    date_of_birth        date,
    country_of_residence text COLLATE "C" CHECK (country_of_residence ~ '^[A-Z]{2}$'),
    email                text COLLATE "C",
    custom               jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(custom) = 'object' AND octet_length(custom::text) <= 8192),
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    CHECK (first_name IS NOT NULL OR last_name IS NOT NULL)
);
CREATE INDEX person_by_business ON person (business_id, id);
CREATE UNIQUE INDEX person_external_id ON person (business_id, external_id) WHERE external_id IS NOT NULL;

-- A business has at most one sales info record.
CREATE TABLE sales_info (
    id          uuid PRIMARY KEY,
    business_id uuid NOT NULL UNIQUE REFERENCES business,
    created_at  timestamptz NOT NULL
);

CREATE TABLE sales_amount (
    sales_info_id uuid NOT NULL REFERENCES sales_info ON DELETE CASCADE,
    type          text COLLATE "C" NOT NULL CHECK (type IN ('AVERAGE_INDIVIDUAL_SALE', 'AVERAGE_MONTHLY_CREDIT_SALES',
                                                'AVERAGE_YEARLY_CREDIT_SALES', 'HIGHEST_TICKET_SALE')),
    value         numeric(15, 2) NOT NULL CHECK (value >= 0),
    currency      text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    position      int NOT NULL,
    PRIMARY KEY (sales_info_id, type)
);

CREATE TABLE workflow (
    id                       uuid PRIMARY KEY,
    account_id               uuid NOT NULL,
    business_id              uuid NOT NULL,
    -- An ENDED workflow of the business, whose approvals the first calculation takes over.
    previous_workflow_id     uuid REFERENCES workflow,
    external_id              text COLLATE "C" CHECK (external_id ~ '^[!-~]{1,64}$'),
    state                    text COLLATE "C" NOT NULL CHECK (state IN ('CREATED', 'STARTED', 'ENDED')),
    evaluation_score         numeric(18, 6),
    score_calculated_at      timestamptz,
    -- The facts that the score was calculated from, as a fingerprint.
    score_facts              text COLLATE "C",
    custom                   jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(custom) = 'object' AND octet_length(custom::text) <= 32768),
    -- Grows when the score is set or custom changes: part of the facts of a calculation.
    version                  bigint NOT NULL DEFAULT 1,
    -- The last calculation of the required documents, and the versions of what it
    -- was made from.
    documents_calculated_at    timestamptz,
    documents_as_of            date, -- the day by which it counted, in the account's time zone
    documents_workflow_version bigint,
    documents_business_version bigint,
    documents_rule_set_id      uuid,
    -- What that calculation found beside the documents: what is advised, why and since when. The reasons
    -- are personal.
    findings                   jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(findings) = 'array'),
    -- The sequence of the workflow's latest event.
    event_sequence           bigint NOT NULL DEFAULT 0,
    -- The last decision: its number, its digest and its time.
    decision_number          bigint NOT NULL DEFAULT 0,
    decision_digest          bytea,
    decided_at               timestamptz,
    created_at               timestamptz NOT NULL,
    -- In the account's time zone. In the sandbox a caller may have named it, up to five years ahead.
    created_on               date NOT NULL,
    started_at               timestamptz,
    ended_at                 timestamptz,
    updated_at               timestamptz NOT NULL,
    FOREIGN KEY (account_id, business_id) REFERENCES business (account_id, id),
    CHECK ((evaluation_score IS NULL) = (score_calculated_at IS NULL)),
    CHECK ((documents_calculated_at IS NULL) = (documents_as_of IS NULL)),
    CHECK ((documents_calculated_at IS NULL) = (documents_workflow_version IS NULL)),
    CHECK ((documents_calculated_at IS NULL) = (documents_business_version IS NULL)),
    CHECK (documents_calculated_at IS NOT NULL OR documents_rule_set_id IS NULL),
    CHECK ((decision_number = 0) = (decision_digest IS NULL)),
    CHECK ((decision_number = 0) = (decided_at IS NULL)),
    CHECK ((state = 'CREATED') = (started_at IS NULL)),
    CHECK ((state = 'ENDED') = (ended_at IS NOT NULL)),
    -- No time zone is a day from UTC, and five years are less than 1830 days. rules_not_replaced relies on both.
    CHECK (created_on BETWEEN (created_at AT TIME ZONE 'UTC')::date - 1 AND (created_at AT TIME ZONE 'UTC')::date + 1830)
);
CREATE INDEX workflow_by_account ON workflow (account_id, id DESC);
CREATE INDEX workflow_by_business ON workflow (business_id, id DESC);
-- Read to find out whether a version of rules is in force for a workflow (rules_not_replaced).
CREATE INDEX workflow_open ON workflow (account_id, created_at, created_on) WHERE state <> 'ENDED';
-- Read to find out whether a version of rules is needed.
CREATE INDEX workflow_with_findings ON workflow (documents_rule_set_id) WHERE findings <> '[]';
CREATE UNIQUE INDEX workflow_external_id ON workflow (account_id, external_id) WHERE external_id IS NOT NULL;

CALL protect('business', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('person', 'EXISTS (SELECT FROM business b WHERE b.id = business_id)');
CALL protect('sales_info', 'EXISTS (SELECT FROM business b WHERE b.id = business_id)');
CALL protect('sales_amount', 'EXISTS (SELECT FROM sales_info s WHERE s.id = sales_info_id)');
CALL protect('workflow', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- +goose Down
DROP TABLE workflow, sales_amount, sales_info, person, business;
