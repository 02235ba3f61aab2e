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

-- What is in force for an account. A calculation holds the row FOR SHARE while
-- it writes, so that rules cannot change under it.
CREATE TABLE account_policy (
    account_id       uuid PRIMARY KEY REFERENCES account,
    rule_set_id      uuid,
    pricing_model_id uuid,
    FOREIGN KEY (account_id, rule_set_id) REFERENCES rule_set (account_id, id),
    FOREIGN KEY (account_id, pricing_model_id) REFERENCES pricing_model (account_id, id)
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

-- +goose Down
DROP TABLE account_policy, pricing_model, rule_set;
DROP FUNCTION refuse_change;
