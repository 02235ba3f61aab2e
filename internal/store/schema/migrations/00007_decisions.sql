-- The record of what was decided, why and by whom: see docs/decision-record.md.
-- +goose Up
CREATE TABLE decision (
    id               uuid PRIMARY KEY,
    workflow_id      uuid NOT NULL REFERENCES workflow,
    number           bigint NOT NULL CHECK (number > 0),
    kind             text COLLATE "C" NOT NULL CHECK (kind IN ('CALCULATION', 'PRICING', 'DOCUMENT_STATUS', 'ERASURE')),
    outcome          text COLLATE "C" NOT NULL,
    decided_at       timestamptz NOT NULL,
    -- When the decision before it was made.
    previous_at      timestamptz CHECK (previous_at <= decided_at),
    -- The account's local date, by which ages were counted.
    as_of            date NOT NULL,
    -- Whether a caller of the sandbox named that date.
    sandbox_today    boolean NOT NULL DEFAULT false,
    user_id          text COLLATE "C" NOT NULL,
    user_type        text COLLATE "C" NOT NULL,
    trace_id         text COLLATE "C" NOT NULL,
    rule_set_id      uuid,
    rule_set_sha256  bytea,
    pricing_model_id uuid,
    pricing_model_sha256 bytea,
    -- Texts keep the bytes that the digest covers.
    changes          text COLLATE "C" NOT NULL,
    results          text COLLATE "C",
    -- Facts and reasons: NULL once erased.
    personal         text COLLATE "C",
    -- Of one size: the hash covers the salt and then the personal part, without a bound between them.
    salt             bytea CHECK (octet_length(salt) = 32),
    personal_sha256  bytea,
    -- Equal for decisions with the same facts, versions and results; NULL once erased.
    fingerprint      bytea,
    previous_digest  bytea,
    digest           bytea NOT NULL CHECK (octet_length(digest) = 32),
    UNIQUE (workflow_id, number),
    CHECK ((number = 1) = (previous_digest IS NULL)),
    CHECK ((number = 1) = (previous_at IS NULL)),
    CHECK ((rule_set_id IS NULL) = (rule_set_sha256 IS NULL)),
    CHECK ((pricing_model_id IS NULL) = (pricing_model_sha256 IS NULL)),
    CHECK ((results IS NULL) = (kind = 'ERASURE')),
    CHECK ((personal_sha256 IS NULL) = (results IS NULL)),
    CHECK ((personal IS NULL) = (salt IS NULL)),
    CHECK ((personal IS NULL) = (fingerprint IS NULL)),
    CHECK (personal IS NULL OR personal_sha256 IS NOT NULL)
);
-- Read to find the oldest, which are pruned.
CREATE INDEX decision_by_time ON decision (decided_at);
-- Read to find out whether a version of rules is needed.
CREATE INDEX decision_by_rule_set ON decision (rule_set_id);

-- A decision follows the last one of its workflow, which has its number, digest and time.
-- +goose StatementBegin
CREATE FUNCTION follow_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE workflow w SET decision_number = NEW.number, decision_digest = NEW.digest, decided_at = NEW.decided_at
        WHERE w.id = NEW.workflow_id AND w.decision_number = NEW.number - 1
            AND w.decision_digest IS NOT DISTINCT FROM NEW.previous_digest AND w.decided_at IS NOT DISTINCT FROM NEW.previous_at;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'decision % does not follow the last one of its workflow', NEW.number;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER decision_follows BEFORE INSERT ON decision FOR EACH ROW EXECUTE FUNCTION follow_decision();

CALL protect('decision', 'EXISTS (SELECT FROM workflow w WHERE w.id = workflow_id)');

-- Large texts are compressed when they are stored. lz4 takes a third of the time of the default,
-- and less room; some servers are built without it.
-- +goose StatementBegin
DO $$
BEGIN
    ALTER TABLE decision ALTER changes SET COMPRESSION lz4, ALTER results SET COMPRESSION lz4, ALTER personal SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END $$;
-- +goose StatementEnd

-- Deletes the oldest decisions of months (UTC) that ended before a time, which is at least 29
-- days ago: at most so many, and of each workflow the lowest numbers first, so that what is left
-- of a record has no gap. It returns how many. The roles that serve cannot delete a decision
-- themselves.
-- +goose StatementBegin
CREATE FUNCTION prune_decisions(before timestamptz, most int) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted bigint;
BEGIN
    -- No decision of a workflow is older than one with a lower number.
    DELETE FROM decision WHERE id IN (
        SELECT d.id FROM decision d WHERE d.decided_at < date_trunc('month', least(before, now() - interval '29 days'), 'UTC')
        ORDER BY d.decided_at, d.number LIMIT most);
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION prune_decisions FROM PUBLIC;

-- Which of some versions of rules are still needed: not replaced before a time, or named by the reason
-- of a document or a finding, or by a decision. The role that deletes the others may read none of
-- these.
-- +goose StatementBegin
CREATE FUNCTION needed_rule_versions(ids uuid[], names text[], before timestamptz) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT v.id FROM unnest(ids, names) AS v (id, name)
    WHERE EXISTS (SELECT FROM decision c WHERE c.rule_set_id = v.id)
        OR EXISTS (SELECT FROM workflow w WHERE w.documents_rule_set_id = v.id AND w.findings <> '[]')
        OR EXISTS (SELECT FROM required_document d WHERE jsonb_path_query_array(d.reasons, '$[*].version_id') ? v.name)
    UNION ALL
    SELECT v.id FROM (SELECT DISTINCT s.account_id FROM rule_set s WHERE s.id = ANY (ids)) a
        CROSS JOIN generate_series(-1, 1) AS n -- no time zone is more than a day from UTC
        CROSS JOIN LATERAL rules_not_replaced(a.account_id, (before AT TIME ZONE 'UTC')::date + n, before) v;
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION needed_rule_versions FROM PUBLIC;

-- +goose Down
DROP FUNCTION needed_rule_versions, prune_decisions;
DROP TABLE decision;
DROP FUNCTION follow_decision;
