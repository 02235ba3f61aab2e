-- Required documents, and the outbox of what happened.
-- +goose Up
CREATE TABLE required_document (
    id                 uuid PRIMARY KEY,
    workflow_id        uuid NOT NULL REFERENCES workflow,
    document_type_code text NOT NULL CHECK (document_type_code ~ '^[A-Z0-9_]{1,64}$'),
    name               text NOT NULL,
    category           text NOT NULL,
    requirement_text   text NOT NULL,
    entity_type        text NOT NULL CHECK (entity_type IN ('Workflow', 'Business', 'Person')),
    entity_id          text NOT NULL,
    status             text NOT NULL CHECK (status IN ('PENDING', 'NEEDS_REVIEW', 'COMPLETED', 'INACTIVE')),
    -- The status to which an INACTIVE document returns when it is required again.
    previous_status    text CHECK (previous_status IN ('PENDING', 'NEEDS_REVIEW', 'COMPLETED')),
    reasons            jsonb NOT NULL CHECK (jsonb_array_length(reasons) > 0),
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    UNIQUE (workflow_id, document_type_code, entity_type, entity_id),
    CHECK ((status = 'INACTIVE') = (previous_status IS NOT NULL))
);
-- Which versions of rules the reasons name: those are kept.
CREATE INDEX required_document_by_version ON required_document USING gin (jsonb_path_query_array(reasons, '$[*].version_id'));

-- Events are read in the order of their transactions, whose ids a restore may
-- use again: they are compared within an epoch. An epoch is a server and its
-- timeline, or begins with `starter restored` (docs/decisions/022).
CREATE TABLE event_epoch (
    number  int PRIMARY KEY CHECK (number > 0),
    cluster text NOT NULL,
    -- Tells epochs of the same number apart, of which one was lost in a restore.
    tag     bigint NOT NULL
);

-- This server and its timeline: another after a restore to another server, a
-- restore to a point in time, or a failover.
CREATE FUNCTION event_cluster() RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT system_identifier FROM pg_control_system())::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);

-- A tag from a text.
CREATE FUNCTION event_tag(source text) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN ('x' || left(md5(source), 16))::bit(64)::bigint;

-- The epoch of what is written now. The first event on another server begins one.
-- +goose StatementBegin
CREATE FUNCTION event_epoch_now() RETURNS int LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    here text := event_cluster();
    last event_epoch;
BEGIN
    LOOP
        SELECT * INTO last FROM event_epoch ORDER BY number DESC LIMIT 1;
        IF last.cluster = here THEN
            RETURN last.number;
        END IF;
        INSERT INTO event_epoch (number, cluster, tag) VALUES (coalesce(last.number, 0) + 1, here, event_tag(here)) ON CONFLICT DO NOTHING;
    END LOOP;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION event_epoch_now FROM PUBLIC;

-- Written in the transaction of the change: never one without the other.
CREATE TABLE webhook_event (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES account,
    event_type  text NOT NULL CHECK (event_type ~ '^[A-Z_]+$'),
    occurred_at timestamptz NOT NULL,
    workflow_id uuid REFERENCES workflow,
    -- The event's number within its workflow: 1, 2, 3, without gaps. 0 for an event of
    -- no workflow.
    sequence    bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
    user_id     text NOT NULL,
    user_type   text NOT NULL CHECK (user_type IN ('API_KEY', 'SYSTEM')),
    fields      jsonb NOT NULL,
    -- It was sent to try an endpoint. Such an event may be of any type, and is of no
    -- workflow: fields name one that does not exist, and a sequence.
    test        boolean NOT NULL DEFAULT false,
    -- Its business was erased: what receivers answer to it is not kept.
    erased      boolean NOT NULL DEFAULT false,
    -- The transaction that wrote it, and that transaction's epoch; a later transaction
    -- where that wrote an earlier event of the workflow.
    epoch       int NOT NULL DEFAULT event_epoch_now(),
    xid         xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (workflow_id, sequence),
    CHECK ((workflow_id IS NULL) = (sequence = 0)),
    CHECK (NOT test OR workflow_id IS NULL)
);
CREATE INDEX webhook_event_by_account ON webhook_event (account_id, id DESC);
-- Read to list events in the order of their transactions.
CREATE INDEX webhook_event_in_order ON webhook_event (account_id, epoch, xid, sequence, id);

CALL protect('required_document', 'EXISTS (SELECT FROM workflow w WHERE w.id = workflow_id)');
CALL protect('webhook_event', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- Which of some versions of rules are still needed: in force, or named by a
-- document's reason. The role that deletes the others may read neither policies
-- nor documents.
-- +goose StatementBegin
CREATE FUNCTION needed_rule_versions(ids uuid[], names text[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT v.id FROM unnest(ids, names) AS v (id, name)
    WHERE EXISTS (SELECT FROM account_policy p WHERE p.rule_set_id = v.id)
        OR EXISTS (SELECT FROM required_document d WHERE jsonb_path_query_array(d.reasons, '$[*].version_id') ? v.name);
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION needed_rule_versions FROM PUBLIC;

-- +goose Down
DROP FUNCTION needed_rule_versions;
DROP TABLE webhook_event, required_document;
DROP FUNCTION event_epoch_now, event_tag, event_cluster;
DROP TABLE event_epoch;
