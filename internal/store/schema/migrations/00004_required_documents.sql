-- Required documents, and the outbox of what happened.
-- +goose Up
CREATE TABLE required_document (
    id                 uuid PRIMARY KEY,
    workflow_id        uuid NOT NULL REFERENCES workflow,
    account_id         uuid NOT NULL, -- the workflow's
    document_type_code text COLLATE "C" NOT NULL CHECK (document_type_code ~ '^[A-Z0-9_]{1,64}$'),
    name               text COLLATE "C" NOT NULL,
    category           text COLLATE "C" NOT NULL,
    requirement_text   text COLLATE "C" NOT NULL,
    entity_type        text COLLATE "C" NOT NULL CHECK (entity_type IN ('Workflow', 'Business', 'Person')),
    entity_id          text COLLATE "C" NOT NULL,
    -- What suffices as evidence, until when and by when; NULL where its rule says nothing of it.
    terms              jsonb,
    -- The options as its rule publishes them, where one of them has a condition; those of terms are offered.
    published          jsonb,
    status             text COLLATE "C" NOT NULL CHECK (status IN ('PENDING', 'NEEDS_REVIEW', 'COMPLETED', 'WAIVED', 'INACTIVE')),
    -- The status that an INACTIVE document had.
    previous_status    text COLLATE "C" CHECK (previous_status IN ('PENDING', 'NEEDS_REVIEW', 'COMPLETED', 'WAIVED')),
    -- Why a calculation or a day gave it its status, or its previous one; NULL where a person did.
    status_reason      text COLLATE "C" CHECK (status_reason IN ('TEXT_CHANGED', 'IDENTITY_CHANGED', 'FACTS_CHANGED', 'EXPIRED', 'RENEWAL_DUE')),
    origin             text COLLATE "C" NOT NULL CHECK (origin IN ('RULE', 'MANUAL')),
    -- What a MANUAL document says while no rule requires it.
    own                jsonb,
    reasons            jsonb NOT NULL CHECK (jsonb_array_length(reasons) > 0),
    -- The number of the version of the rules whose text it says; NULL for its own.
    version            int CHECK (version > 0),
    -- Who its person or business was when it was last calculated. Personal, as all that follows.
    identity           jsonb,
    -- The digests of what bound_to of its rule names, at its last calculation.
    bound              jsonb,
    -- What was approved or waived, until somebody changes the status or the evidence.
    approval           jsonb,
    evidence           jsonb,
    -- Of the last update.
    reviewed_by        text COLLATE "C",
    review_note        text COLLATE "C",
    -- The day from which its time counts, and the last day on which it is due while it is open.
    due_since          date NOT NULL,
    due_on             date,
    -- The last day on which the approval of a COMPLETED document is valid; NULL where it does not end by itself.
    valid_until        date CHECK (valid_until IS NULL OR status = 'COMPLETED'),
    -- The dates that events have announced, and the first day in the account's time zone that brings
    -- something; NULL where none does.
    notified           jsonb NOT NULL DEFAULT '{}',
    next_on            date,
    -- The decision that last changed it; decisions are pruned after it.
    decision_id        uuid NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    UNIQUE (workflow_id, document_type_code, entity_type, entity_id),
    CHECK ((status = 'INACTIVE') = (previous_status IS NOT NULL)),
    CHECK ((origin = 'MANUAL') = (own IS NOT NULL)),
    CHECK (coalesce(previous_status, status) NOT IN ('COMPLETED', 'WAIVED') OR approval IS NOT NULL)
);
-- Which versions of rules the reasons name: those are kept.
CREATE INDEX required_document_by_version ON required_document USING gin (jsonb_path_query_array(reasons, '$[*].version_id'));
-- Read every minute to find what days have brought.
CREATE INDEX required_document_next ON required_document (account_id, next_on, workflow_id) WHERE next_on IS NOT NULL;

-- Written in the transaction of the change: never one without the other.
CREATE TABLE webhook_event (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES account,
    event_type  text COLLATE "C" NOT NULL CHECK (event_type ~ '^[A-Z_]+$'),
    occurred_at timestamptz NOT NULL,
    workflow_id uuid REFERENCES workflow,
    -- The event's number within its workflow: 1, 2, 3, without gaps. 0 for an event of
    -- no workflow.
    sequence    bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
    user_id     text COLLATE "C" NOT NULL,
    user_type   text COLLATE "C" NOT NULL CHECK (user_type IN ('API_KEY', 'SYSTEM')),
    fields      jsonb NOT NULL,
    -- It was sent to try an endpoint. Such an event may be of any type, and is of no
    -- workflow: fields name one that does not exist, and a sequence.
    test        boolean NOT NULL DEFAULT false,
    -- Its business was erased: what receivers answer to it is not kept.
    erased      boolean NOT NULL DEFAULT false,
    UNIQUE (workflow_id, sequence),
    UNIQUE (account_id, id), -- also read backwards, for lists
    CHECK ((workflow_id IS NULL) = (sequence = 0)),
    CHECK (NOT test OR workflow_id IS NULL)
);

-- The feed of each account: its row is locked by whoever gives positions to events,
-- and never pruned (docs/decisions/022).
CREATE TABLE webhook_feed (
    account_id    uuid PRIMARY KEY REFERENCES account,
    last_position bigint NOT NULL CHECK (last_position >= 0)
);

-- Where each event is in its account's feed. Writers insert a row without a
-- position; a reader gives the position.
CREATE TABLE webhook_event_position (
    event_id   uuid PRIMARY KEY REFERENCES webhook_event ON DELETE CASCADE,
    account_id uuid NOT NULL,
    -- Drawn under the lock on the workflow, so it rises with the workflow's sequence.
    written    bigint NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 1),
    position   bigint CHECK (position > 0),
    -- Drawn at random for all positions that were given together.
    batch      uuid,
    CHECK ((position IS NULL) = (batch IS NULL))
);
CREATE UNIQUE INDEX webhook_event_position_in_order ON webhook_event_position (account_id, position) WHERE position IS NOT NULL;
-- Read to find what has no position yet.
CREATE INDEX webhook_event_position_to_give ON webhook_event_position (account_id, written) WHERE position IS NULL;

CALL protect('required_document', 'EXISTS (SELECT FROM workflow w WHERE w.id = workflow_id)');
CALL protect('webhook_event', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_feed', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_event_position', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- The accounts in which a day has brought something, given the day in each time zone. The role that
-- asks for all tenants sees no document of any.
-- +goose StatementBegin
CREATE FUNCTION accounts_with_documents_due(zones text[], days text[]) RETURNS TABLE (account_id uuid, organization_id uuid, environment text, today text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT a.id, a.organization_id, a.environment, z.day FROM unnest(zones, days) AS z (zone, day)
    JOIN account a ON a.time_zone = z.zone
    CROSS JOIN LATERAL (SELECT FROM required_document d WHERE d.account_id = a.id AND d.next_on <= z.day::date LIMIT 1) AS due
    ORDER BY a.id;
END;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION accounts_with_documents_due FROM PUBLIC;

-- Gives positions to events of the tenant's account that have none, up to 10,000 of
-- them; true when more may be left. Only what is seen after the lock was granted gets
-- a position, so nothing is committed later that belongs before a position given.
-- +goose StatementBegin
CREATE FUNCTION give_event_positions(account uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    most CONSTANT int := 10000;
    last bigint;
    given int;
    drawn uuid := gen_random_uuid();
BEGIN
    IF NOT EXISTS (SELECT FROM account a WHERE a.id = give_event_positions.account AND a.organization_id = requisite_organization() AND a.environment = requisite_environment()) THEN
        RAISE insufficient_privilege USING MESSAGE = 'the account of a feed is not the tenant''s';
    END IF;
    IF NOT EXISTS (SELECT FROM webhook_event_position p WHERE p.account_id = give_event_positions.account AND p.position IS NULL) THEN
        RETURN false;
    END IF;
    IF current_setting('transaction_read_only') = 'on' THEN
        RETURN true;
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN -- the snapshot would be older than the lock
        RAISE 'positions of events are given in a READ COMMITTED transaction';
    END IF;
    INSERT INTO webhook_feed (account_id, last_position) VALUES (give_event_positions.account, 0) ON CONFLICT DO NOTHING;
    SELECT f.last_position INTO last FROM webhook_feed f WHERE f.account_id = give_event_positions.account FOR UPDATE;
    -- A statement of its own: its snapshot is younger than the lock.
    WITH lowest AS MATERIALIZED (
        SELECT p.event_id, row_number() OVER (ORDER BY p.written) AS n FROM webhook_event_position p
        WHERE p.account_id = give_event_positions.account AND p.position IS NULL ORDER BY p.written LIMIT most),
    placed AS (
        UPDATE webhook_event_position p SET position = last + l.n, batch = drawn FROM lowest l WHERE p.event_id = l.event_id)
    SELECT count(*) INTO given FROM lowest;
    UPDATE webhook_feed f SET last_position = last + given WHERE f.account_id = give_event_positions.account;
    RETURN given = most;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION give_event_positions FROM PUBLIC;

-- +goose Down
DROP FUNCTION give_event_positions, accounts_with_documents_due;
DROP TABLE webhook_event_position, webhook_feed, webhook_event, required_document;
