-- Rule sets and pricing models: immutable versions, and which one is in force.
-- +goose Up
CREATE TABLE rule_set (
    id                  uuid PRIMARY KEY,
    account_id          uuid NOT NULL REFERENCES account,
    version             int NOT NULL CHECK (version > 0),
    content             text NOT NULL,
    content_sha256      bytea NOT NULL CHECK (octet_length(content_sha256) = 32),
    content_bytes       int NOT NULL GENERATED ALWAYS AS (octet_length(content)) STORED,
    comment             text,
    -- The language and the bound under which the content was checked; a stored
    -- rule set is compiled with them even when the language grows.
    environment_version int NOT NULL CHECK (environment_version > 0),
    cost_limit          bigint NOT NULL CHECK (cost_limit > 0),
    published_at        timestamptz NOT NULL,
    published_by        text NOT NULL,
    UNIQUE (account_id, version),
    UNIQUE (account_id, id)
);
-- Read to count what an account has published of late.
CREATE INDEX rule_set_by_time ON rule_set (account_id, published_at);

CREATE TABLE pricing_model (
    id                  uuid PRIMARY KEY,
    account_id          uuid NOT NULL REFERENCES account,
    version             int NOT NULL CHECK (version > 0),
    content             text NOT NULL,
    content_sha256      bytea NOT NULL CHECK (octet_length(content_sha256) = 32),
    environment_version int NOT NULL CHECK (environment_version > 0),
    cost_limit          bigint NOT NULL CHECK (cost_limit > 0),
    published_at        timestamptz NOT NULL,
    published_by        text NOT NULL,
    UNIQUE (account_id, version),
    UNIQUE (account_id, id)
);

-- What is in force for an account. A calculation shares an advisory lock while it writes, which
-- a publication takes alone, so that rules cannot change under it (locks.go).
CREATE TABLE account_policy (
    account_id       uuid PRIMARY KEY REFERENCES account,
    rule_set_id      uuid,
    pricing_model_id uuid,
    FOREIGN KEY (account_id, rule_set_id) REFERENCES rule_set (account_id, id),
    FOREIGN KEY (account_id, pricing_model_id) REFERENCES pricing_model (account_id, id)
);

-- The facts that an account has declared, in any version of its rules or prices. A name keeps its
-- entity type and its type for ever, so rows are never deleted. Publications write them under
-- the lock of the account's policy.
CREATE TABLE account_fact (
    account_id       uuid NOT NULL REFERENCES account,
    name             text NOT NULL CHECK (name ~ '^[a-z][a-z0-9_]{0,47}$'),
    entity_type      text NOT NULL CHECK (entity_type IN ('Workflow', 'Business', 'Person')),
    type             text NOT NULL CHECK (type IN ('BOOLEAN', 'NUMBER', 'AMOUNT', 'DATE', 'TEXT', 'TEXT_LIST')),
    -- The version that declared the name first.
    declared_in      text NOT NULL CHECK (declared_in IN ('RULES', 'PRICING')),
    declared_version int NOT NULL CHECK (declared_version > 0),
    -- The last declaration in a rule set and in a pricing model, with its version.
    rules            jsonb CHECK (jsonb_typeof(rules) = 'object'),
    rules_version    int,
    pricing          jsonb CHECK (jsonb_typeof(pricing) = 'object'),
    pricing_version  int,
    PRIMARY KEY (account_id, name),
    CHECK ((rules IS NULL) = (rules_version IS NULL)),
    CHECK ((pricing IS NULL) = (pricing_version IS NULL)),
    CHECK (rules IS NOT NULL OR pricing IS NOT NULL)
);

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is immutable: publish a new version', TG_TABLE_NAME;
END $$;
-- +goose StatementEnd
CREATE TRIGGER rule_set_is_immutable BEFORE UPDATE ON rule_set FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER pricing_model_is_immutable BEFORE UPDATE ON pricing_model FOR EACH ROW EXECUTE FUNCTION refuse_change();

CALL protect('rule_set', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('pricing_model', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('account_policy', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('account_fact', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- +goose Down
DROP TABLE account_fact, account_policy, pricing_model, rule_set;
DROP FUNCTION refuse_change;
