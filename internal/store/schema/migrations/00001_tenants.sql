-- Organizations, their accounts and the credentials that act on them.
-- +goose Up
-- The tenant whose rows a transaction may see: the service sets both in every
-- transaction, and they end with it. Without them no row of a tenant is
-- visible.
CREATE FUNCTION requisite_organization() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('requisite.organization', true), '')::uuid;
CREATE FUNCTION requisite_environment() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN current_setting('requisite.environment', true);

-- Every table that holds data of tenants is protected: a query without a
-- condition on the tenant still gets only that tenant's rows. own is the
-- condition by which a row belongs to the tenant of the transaction. The owner of
-- the schema, as whom operators work, sees all rows. Further policies are granted
-- with each role (roles.go).
-- +goose StatementBegin
CREATE PROCEDURE protect(t regclass, own text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY operator ON %s TO CURRENT_ROLE USING (true)', t);
    EXECUTE format('CREATE POLICY tenant ON %s USING (%s)', t, own);
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON PROCEDURE protect FROM PUBLIC;

CREATE TABLE organization (
    id         uuid PRIMARY KEY,
    name       text COLLATE "C" NOT NULL UNIQUE CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE account (
    id              uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organization,
    environment     text COLLATE "C" NOT NULL CHECK (environment IN ('live', 'sandbox')),
    name            text COLLATE "C" NOT NULL CHECK (name <> ''),
    currency        text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    time_zone       text COLLATE "C" NOT NULL CHECK (time_zone <> ''),
    -- Rules come into force only when a second person approves them. Changed under the lock of the policy.
    rules_need_approval boolean NOT NULL DEFAULT false,
    -- When the service recalculates the account by itself: never, when rules come into force, or every day.
    recalculation   text COLLATE "C" NOT NULL DEFAULT 'MANUAL' CHECK (recalculation IN ('MANUAL', 'ON_FORCE', 'DAILY')),
    created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX account_by_organization ON account (organization_id, environment);

-- The secret key is sealed and bound to the API key; only a hash of the auth
-- token is stored.
CREATE TABLE credential (
    api_key         text COLLATE "C" PRIMARY KEY CHECK (api_key ~ '^(lv|sb)_[0-9A-Za-z]{20,22}$'),
    organization_id uuid NOT NULL REFERENCES organization,
    environment     text COLLATE "C" NOT NULL CHECK (environment IN ('live', 'sandbox')),
    name            text COLLATE "C" NOT NULL CHECK (name <> ''),
    policy          text COLLATE "C" NOT NULL CHECK (policy IN ('strict', 'minimal')),
    policy_forced   boolean NOT NULL DEFAULT false,
    -- Which operations the credential may call. approve_rules is given by name alone.
    permissions     text[] COLLATE "C" NOT NULL DEFAULT '{read,write,rules,keys,webhooks}'
                    CHECK (permissions <@ ARRAY['read', 'write', 'rules', 'approve_rules', 'keys', 'webhooks'] AND cardinality(permissions) > 0),
    secret_sealed   bytea NOT NULL,
    token_sha256    bytea NOT NULL CHECK (octet_length(token_sha256) = 32),
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz,
    -- Written at most once an hour, so that a request costs no write to the row
    -- that every request of the credential reads.
    last_used_at    timestamptz,
    revoked_at      timestamptz,
    CHECK (api_key LIKE CASE environment WHEN 'live' THEN 'lv\_%' ELSE 'sb\_%' END),
    CHECK (policy = 'strict' OR environment = 'sandbox' OR policy_forced)
);
CREATE INDEX credential_by_organization ON credential (organization_id);

-- A nonce is accepted once per API key while its row stands.
CREATE TABLE nonce (
    api_key    text COLLATE "C" NOT NULL,
    nonce      text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (api_key, nonce)
);
CREATE INDEX nonce_by_expiry ON nonce (expires_at);

-- What a Temporal run has committed, or a request with an idempotency key, which has an id of its
-- own. An activity that runs twice writes once, and so does a request that is repeated. The
-- row is written first, in the transaction of the change: the second one waits for it. A
-- refusal that a repeat need not meet has no key.
CREATE TABLE outcome (
    run_id          text COLLATE "C" PRIMARY KEY,
    organization_id uuid NOT NULL,
    environment     text COLLATE "C" NOT NULL CHECK (environment IN ('live', 'sandbox')),
    operation       text COLLATE "C" NOT NULL,
    key             text COLLATE "C" CHECK (key ~ '^[ -~]{1,255}$'),
    body_sha256     bytea CHECK (octet_length(body_sha256) = 32),
    content         jsonb,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CHECK ((key IS NULL) = (body_sha256 IS NULL))
);
CREATE UNIQUE INDEX outcome_by_key ON outcome (organization_id, environment, operation, key) WHERE key IS NOT NULL; -- repeats, and the quota of keys
CREATE INDEX outcome_by_age ON outcome (created_at); -- pruning

CALL protect('organization', 'id = requisite_organization()');
CALL protect('outcome', 'organization_id = requisite_organization() AND environment = requisite_environment()');

-- A role that may read an account may lock it, which Postgres treats as an
-- update, but may not change it.
CALL protect('account', 'organization_id = requisite_organization() AND environment = requisite_environment()');
ALTER POLICY tenant ON account WITH CHECK (false);

-- Authentication happens before the tenant is known: a transaction that names
-- an API key sees only that credential, and its nonces.
CALL protect('credential', 'false');
CREATE POLICY authentication ON credential FOR SELECT USING (api_key = current_setting('requisite.api_key', true));
CREATE POLICY last_use ON credential FOR UPDATE USING (api_key = current_setting('requisite.api_key', true));
CALL protect('nonce', 'api_key = current_setting(''requisite.api_key'', true)');

-- What operators have run that changes something: ids, and no other content. Nothing of it is changed or deleted,
-- and of the programs' roles none has a right on it.
CREATE TABLE operator_action (
    id            uuid PRIMARY KEY,
    started_at    timestamptz NOT NULL,
    operator      text COLLATE "C" NOT NULL CHECK (operator <> ''),
    database_role text COLLATE "C" NOT NULL DEFAULT session_user,
    command       text COLLATE "C" NOT NULL,
    subjects      text[] COLLATE "C" NOT NULL,
    ended_at      timestamptz,
    -- NULL until it has ended, and if it was killed.
    outcome       text COLLATE "C" CHECK (outcome ~ '^(DONE|FAILED|REFUSED( [A-Z_]+)?)$'),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
-- +goose StatementBegin
CREATE FUNCTION keep_operator_action() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.outcome IS NULL
        AND (NEW.id, NEW.started_at, NEW.operator, NEW.database_role, NEW.command) = (OLD.id, OLD.started_at, OLD.operator, OLD.database_role, OLD.command)
        AND NEW.subjects @> OLD.subjects THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log of operators keeps what it has';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER keep_operator_action BEFORE UPDATE OR DELETE ON operator_action FOR EACH ROW EXECUTE FUNCTION keep_operator_action();
CREATE TRIGGER keep_operator_actions BEFORE TRUNCATE ON operator_action EXECUTE FUNCTION keep_operator_action();

-- The names of the minimal credentials in force, of which each start of the api
-- warns.
-- +goose StatementBegin
CREATE FUNCTION minimal_credentials() RETURNS TABLE (api_key text, name text, environment text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT c.api_key, c.name, c.environment FROM credential c WHERE c.policy = 'minimal' AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) ORDER BY c.api_key;
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION minimal_credentials FROM PUBLIC;

-- The names of the credentials that may approve rules at a time. The api's role sees no other credential
-- than that of a request.
-- +goose StatementBegin
CREATE FUNCTION rule_approvers(at timestamptz) RETURNS TABLE (name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT c.name FROM credential c
        WHERE c.organization_id = requisite_organization() AND c.environment = requisite_environment() AND 'approve_rules' = ANY (c.permissions)
            AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > at);
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION rule_approvers FROM PUBLIC;

-- +goose Down
DROP FUNCTION minimal_credentials, rule_approvers;
DROP TABLE operator_action, outcome, nonce, credential, account, organization;
DROP FUNCTION keep_operator_action;
DROP PROCEDURE protect;
DROP FUNCTION requisite_organization, requisite_environment;
