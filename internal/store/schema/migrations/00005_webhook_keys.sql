-- Webhook keys.
-- +goose Up
CREATE TABLE webhook_key (
    account_id    uuid NOT NULL REFERENCES account,
    key_id        text COLLATE "C" NOT NULL,
    -- The day in UTC of created_at, and which of that day's keys this is.
    day           date NOT NULL,
    iteration     int NOT NULL CHECK (iteration BETWEEN 1 AND 100),
    status        text COLLATE "C" NOT NULL CHECK (status IN ('INACTIVE', 'ACTIVE', 'DELETED')),
    -- Sealed, and bound to account and key id.
    secret_sealed bytea NOT NULL,
    created_at    timestamptz NOT NULL,
    -- When the secret was revealed, which happens once.
    revealed_at   timestamptz,
    activated_at  timestamptz,
    deleted_at    timestamptz,
    PRIMARY KEY (account_id, key_id),
    UNIQUE (account_id, day, iteration),
    CHECK (day = (created_at AT TIME ZONE 'UTC')::date),
    CHECK (key_id = 'whk_' || to_char(day, 'YYYYMMDD') || '_' || lpad((iteration % 100)::text, 2, '0')),
    CHECK (status <> 'INACTIVE' OR activated_at IS NULL),
    CHECK (status <> 'ACTIVE' OR activated_at IS NOT NULL),
    CHECK ((status = 'DELETED') = (deleted_at IS NOT NULL))
);
CREATE UNIQUE INDEX webhook_key_active ON webhook_key (account_id) WHERE status = 'ACTIVE';
CREATE INDEX webhook_key_by_id ON webhook_key (key_id);
CREATE INDEX webhook_key_by_age ON webhook_key (account_id, created_at DESC);
-- The first five bytes of what Tink seals name the key that sealed it.
CREATE INDEX webhook_key_by_sealing_key ON webhook_key (substring(secret_sealed FROM 1 FOR 5));
CREATE INDEX credential_by_sealing_key ON credential (substring(secret_sealed FROM 1 FOR 5));

CALL protect('webhook_key', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- One sealed secret of every sealing key, of any tenant: a program that starts
-- tests its keyset with them, and may read no others.
-- +goose StatementBegin
CREATE FUNCTION sealed_webhook_keys() RETURNS TABLE (account_id uuid, name text, sealed bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT ON (substring(k.secret_sealed FROM 1 FOR 5)) k.account_id, k.key_id, k.secret_sealed
        FROM webhook_key k ORDER BY substring(k.secret_sealed FROM 1 FOR 5);
END;
CREATE FUNCTION sealed_credentials() RETURNS TABLE (account_id uuid, name text, sealed bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT ON (substring(c.secret_sealed FROM 1 FOR 5)) '00000000-0000-0000-0000-000000000000'::uuid, c.api_key, c.secret_sealed
        FROM credential c ORDER BY substring(c.secret_sealed FROM 1 FOR 5);
END;
-- The keys that sealed credentials: a role that may not read credentials compares them with its own.
CREATE FUNCTION sealing_marks() RETURNS TABLE (mark bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT substring(c.secret_sealed FROM 1 FOR 5) FROM credential c;
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION sealed_webhook_keys, sealed_credentials, sealing_marks FROM PUBLIC;

-- +goose Down
DROP FUNCTION sealing_marks, sealed_credentials, sealed_webhook_keys;
DROP INDEX credential_by_sealing_key;
DROP TABLE webhook_key;
