-- The record of what was decided, why and by whom: see docs/decision-record.md.
-- +goose Up
CREATE TABLE decision (
    id               uuid PRIMARY KEY,
    workflow_id      uuid NOT NULL REFERENCES workflow,
    number           bigint NOT NULL CHECK (number > 0),
    kind             text NOT NULL CHECK (kind IN ('CALCULATION', 'PRICING', 'DOCUMENT_STATUS', 'ERASURE')),
    outcome          text NOT NULL,
    decided_at       timestamptz NOT NULL,
    -- When the decision before it was made.
    previous_at      timestamptz CHECK (previous_at <= decided_at),
    -- The account's local date, by which ages were counted.
    as_of            date NOT NULL,
    user_id          text NOT NULL,
    user_type        text NOT NULL,
    trace_id         text NOT NULL,
    rule_set_id      uuid,
    rule_set_sha256  bytea,
    pricing_model_id uuid,
    pricing_model_sha256 bytea,
    -- An earlier decision of the workflow and the month with the same facts, versions and
    -- results, which are not stored again. A month is pruned whole.
    same_as          uuid,
    -- Texts keep the bytes that the digest covers.
    changes          text NOT NULL,
    results          text,
    -- Facts and reasons: NULL with same_as, and once erased.
    personal         text,
    salt             bytea,
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
    CHECK ((results IS NULL) = (same_as IS NOT NULL OR kind = 'ERASURE')),
    CHECK ((personal_sha256 IS NULL) = (results IS NULL)),
    CHECK ((personal IS NULL) = (salt IS NULL)),
    CHECK (personal IS NULL OR personal_sha256 IS NOT NULL)
);
-- Read to find the decision that another is the same as.
CREATE INDEX decision_complete ON decision (workflow_id, fingerprint, decided_at) WHERE fingerprint IS NOT NULL;
CREATE INDEX decision_by_month ON decision (date_trunc('month', decided_at AT TIME ZONE 'UTC'));
CREATE INDEX decision_by_rule_set ON decision (rule_set_id) WHERE same_as IS NULL;

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

-- Deletes the decisions of months (UTC) that ended before a time, which is at least 29 days
-- ago: of some of a workflow's months all at once, because decisions refer to others of their
-- month. It returns how many. The roles that serve cannot delete a decision themselves.
-- +goose StatementBegin
CREATE FUNCTION prune_decisions(before timestamptz, most int) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted bigint;
BEGIN
    WITH oldest AS MATERIALIZED (
        SELECT workflow_id, date_trunc('month', decided_at AT TIME ZONE 'UTC') AS month FROM decision
        WHERE date_trunc('month', decided_at AT TIME ZONE 'UTC') < date_trunc('month', least(before, now() - interval '29 days') AT TIME ZONE 'UTC')
        ORDER BY date_trunc('month', decided_at AT TIME ZONE 'UTC') LIMIT most),
    months AS (SELECT DISTINCT workflow_id, month FROM oldest)
    DELETE FROM decision d USING months m
        WHERE d.workflow_id = m.workflow_id AND date_trunc('month', d.decided_at AT TIME ZONE 'UTC') = m.month;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION prune_decisions FROM PUBLIC;

-- Which of some versions of rules are still needed: in force, or named by a
-- document's reason or by a decision. The role that deletes the others may read none of
-- these.
-- +goose StatementBegin
CREATE FUNCTION needed_rule_versions(ids uuid[], names text[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT v.id FROM unnest(ids, names) AS v (id, name)
    WHERE EXISTS (SELECT FROM account_policy p WHERE p.rule_set_id = v.id)
        OR EXISTS (SELECT FROM decision c WHERE c.rule_set_id = v.id AND c.same_as IS NULL)
        OR EXISTS (SELECT FROM required_document d WHERE jsonb_path_query_array(d.reasons, '$[*].version_id') ? v.name);
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION needed_rule_versions FROM PUBLIC;

-- +goose Down
DROP FUNCTION needed_rule_versions, prune_decisions;
DROP TABLE decision;
DROP FUNCTION follow_decision;
