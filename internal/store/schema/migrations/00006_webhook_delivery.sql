-- Endpoints, the deliveries of each event to them, and every attempt.
-- +goose Up
ALTER TABLE webhook_event
    -- The W3C trace of whatever caused the event, for the receiver.
    ADD COLUMN traceparent text COLLATE "C" NOT NULL DEFAULT '',
    -- The first attempts at each of its deliveries that fail without being sent, as a caller of
    -- the sandbox has asked.
    ADD COLUMN failing_attempts int NOT NULL DEFAULT 0 CHECK (failing_attempts BETWEEN 0 AND 2);

-- The API calls an endpoint a config.
CREATE TABLE webhook_endpoint (
    id              uuid PRIMARY KEY,
    account_id      uuid NOT NULL REFERENCES account,
    url             text COLLATE "C" NOT NULL CHECK (url <> ''),
    -- The canonical spelling of the URL.
    url_key         text COLLATE "C" NOT NULL,
    event_types     text[] COLLATE "C" CHECK (event_types IS NULL OR cardinality(event_types) > 0), -- null takes all but notices
    description     text COLLATE "C",
    -- What the endpoint states for itself; null is no limit of its own.
    rate_per_second int CHECK (rate_per_second BETWEEN 1 AND 1000),
    concurrency     int CHECK (concurrency BETWEEN 1 AND 10),
    status          text COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
    disabled_reason text COLLATE "C",
    -- Twenty slots an account, one for each endpoint that is not deleted.
    slot            int CHECK (slot BETWEEN 1 AND 20),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    UNIQUE (account_id, id),
    CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
    CHECK ((deleted_at IS NULL) = (slot IS NOT NULL))
);
CREATE UNIQUE INDEX webhook_endpoint_url ON webhook_endpoint (account_id, url_key) WHERE deleted_at IS NULL;
-- It is partial, so that slot is no key column: writing it waits for no foreign key's lock,
-- of which writers of deliveries always hold some.
CREATE UNIQUE INDEX webhook_endpoint_slot ON webhook_endpoint (account_id, slot) WHERE deleted_at IS NULL;

-- The health of an endpoint. It is a separate table so that attempts and writers
-- of events never wait for each other.
CREATE TABLE webhook_endpoint_health (
    endpoint_id   uuid PRIMARY KEY REFERENCES webhook_endpoint,
    failures      int NOT NULL DEFAULT 0 CHECK (failures >= 0), -- attempts since the last success, all failed
    failing_since timestamptz,
    last_error    text COLLATE "C",
    -- While the endpoint fails, one attempt at a time may be made, from then on.
    probe_at      timestamptz,
    probes        int NOT NULL DEFAULT 0 CHECK (probes >= 0), -- made since it fails
    -- The latest Retry-After of the endpoint: until then it gets only attempts that somebody requested.
    retry_after   timestamptz,
    -- When it last stopped failing; the delay of what waited for that is not the
    -- service's.
    recovered_at  timestamptz,
    -- Grows when the health is reset: failures of attempts that began before no
    -- longer count, nor successes of those that began before the second number.
    epoch         int NOT NULL DEFAULT 0,
    successes_from int NOT NULL DEFAULT 0 CHECK (successes_from <= epoch),
    slow          boolean NOT NULL DEFAULT false, -- its last answer took a second or longer
    -- The last notice about the endpoint, until it has recovered, and since when it
    -- has been in that trouble.
    notified      text COLLATE "C" CHECK (notified IN ('WEBHOOK_ENDPOINT_FAILING', 'WEBHOOK_ENDPOINT_DISABLED')),
    notified_since timestamptz,
    -- The earliest time at which the endpoint's own rate lets an attempt begin.
    opens_at      timestamptz,
    -- When it was last enabled or flushed or got another URL, or its account its first active
    -- key. What was last changed until then is due at that time.
    released_at   timestamptz NOT NULL DEFAULT '-infinity',
    -- When the endpoint's own run looks next; null while none is needed.
    looks_at      timestamptz,
    -- When the run has to look, until it has; -infinity when somebody asked for it. And
    -- the lease of the worker that is waking it.
    wake_at       timestamptz,
    wake_lease    timestamptz,
    CHECK ((failures = 0) = (failing_since IS NULL)),
    CHECK ((notified IS NULL) = (notified_since IS NULL))
);
-- Read by workers that wake the endpoints' runs.
CREATE INDEX webhook_endpoint_wake ON webhook_endpoint_health (wake_at) WHERE wake_at IS NOT NULL;
-- Read by the reconciliation.
CREATE INDEX webhook_endpoint_in_trouble ON webhook_endpoint_health (looks_at) WHERE looks_at IS NOT NULL;

-- The endpoints that have PENDING deliveries, or may have. Writing deliveries adds the
-- endpoint; a worker removes it once there are none.
CREATE TABLE webhook_ready (
    endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoint,
    account_id  uuid NOT NULL,
    -- When a session looks at it next; the earliest is served first. It is the time when
    -- it was last served, or when its own rate or its Retry-After lets an attempt begin again,
    -- or infinity while no session may send to it.
    session_at  timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 10); -- Its few rows change often and writers of events hold them: on nearly empty pages, old versions go at once.
-- Read by sessions.
CREATE INDEX webhook_ready_next ON webhook_ready (session_at) WHERE session_at < 'infinity';

CREATE TABLE webhook_delivery (
    id              uuid PRIMARY KEY,
    account_id      uuid NOT NULL,
    event_id        uuid NOT NULL,
    endpoint_id     uuid NOT NULL,
    of_notice       boolean NOT NULL DEFAULT false, -- the event is a notice
    replay          boolean NOT NULL DEFAULT false, -- it was written or reopened by a replay
    -- What callers see is in webhook_delivery_shown.
    state           text COLLATE "C" NOT NULL CHECK (state IN ('PENDING', 'RETRYING', 'DELIVERED', 'FAILED', 'CANCELED')),
    attempt_count   int NOT NULL DEFAULT 0 CHECK (attempt_count >= 0), -- that have ended
    -- Attempts since the delivery was created, or last retried on request.
    round_attempts  int NOT NULL DEFAULT 0 CHECK (round_attempts BETWEEN 0 AND attempt_count),
    next_attempt_at timestamptz,
    -- When an immediate attempt was requested, whatever the endpoint's health.
    retry_requested_at timestamptz,
    last_error      text COLLATE "C",
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    -- One delivery for each event and endpoint; read to list those of an event.
    UNIQUE (event_id, endpoint_id),
    FOREIGN KEY (account_id, event_id) REFERENCES webhook_event (account_id, id),
    FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoint (account_id, id),
    CHECK ((state IN ('PENDING', 'RETRYING')) = (next_attempt_at IS NOT NULL)),
    CHECK (state IN ('PENDING', 'RETRYING') OR retry_requested_at IS NULL),
    CHECK (state <> 'PENDING' OR attempt_count = 0)
);
-- Read to list an account's deliveries, and an endpoint's.
CREATE INDEX webhook_delivery_by_account ON webhook_delivery (account_id, id DESC);
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint_id, id DESC);
-- Read to claim what is due, to find the endpoints that have some, and to count the backlog. It
-- stays small, however much was delivered.
CREATE INDEX webhook_delivery_unfinished ON webhook_delivery (state, endpoint_id, next_attempt_at, id)
    WHERE state IN ('PENDING', 'RETRYING', 'FAILED');
-- Read to find what became due when the endpoint was enabled or flushed.
CREATE INDEX webhook_delivery_retrying ON webhook_delivery (endpoint_id, updated_at, id) WHERE state = 'RETRYING';
-- Read to list deliveries by state, and to recover what failed.
CREATE INDEX webhook_delivery_by_state ON webhook_delivery (endpoint_id, state, id DESC) WHERE state IN ('PENDING', 'RETRYING', 'FAILED');
-- Read to find requested attempts: few at any time.
CREATE INDEX webhook_delivery_retry_requested ON webhook_delivery (endpoint_id, retry_requested_at) WHERE retry_requested_at IS NOT NULL;

-- Deliveries as callers see them. An open one is CANCELED when its endpoint is deleted, and HELD
-- while nothing may be sent to its endpoint. stored_state is the table's.
CREATE VIEW webhook_delivery_shown WITH (security_invoker) AS
    SELECT d.id, d.account_id, d.event_id, d.endpoint_id, s.state, d.state AS stored_state, d.attempt_count,
        CASE WHEN s.state IN ('PENDING', 'RETRYING') THEN CASE WHEN d.updated_at <= h.released_at THEN h.released_at ELSE d.next_attempt_at END END AS next_attempt_at,
        d.last_error, d.created_at,
        CASE WHEN s.state = d.state THEN CASE WHEN d.next_attempt_at IS NULL THEN d.updated_at ELSE greatest(d.updated_at, h.released_at) END
            ELSE greatest(d.updated_at, e.updated_at) END AS updated_at
    FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id JOIN webhook_endpoint_health h ON h.endpoint_id = e.id,
        LATERAL (SELECT CASE WHEN d.state NOT IN ('PENDING', 'RETRYING') THEN d.state
            WHEN e.deleted_at IS NOT NULL THEN 'CANCELED'
            WHEN e.status = 'ACTIVE' AND EXISTS (SELECT FROM webhook_key k WHERE k.account_id = e.account_id AND k.status = 'ACTIVE') THEN d.state
            ELSE 'HELD' END AS state OFFSET 0) s; -- evaluated once

CREATE TABLE webhook_attempt (
    delivery_id   uuid NOT NULL REFERENCES webhook_delivery ON DELETE CASCADE,
    number        int NOT NULL CHECK (number > 0),
    endpoint_id   uuid NOT NULL,
    -- SENDING until its outcome is written; UNKNOWN when it was lost.
    outcome       text COLLATE "C" NOT NULL CHECK (outcome IN ('SENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN')),
    key_id        text COLLATE "C" NOT NULL,
    started_at    timestamptz NOT NULL,
    duration_ms   int CHECK (duration_ms >= 0),
    status_code   int,
    error         text COLLATE "C",
    response_body text COLLATE "C" CHECK (octet_length(response_body) <= 4096),
    address       text COLLATE "C",
    probe         boolean NOT NULL, -- of a failing endpoint
    epoch         int NOT NULL,     -- of the endpoint's health when it began
    -- The Temporal run that made it, and which of the run's activities; empty for
    -- its local one.
    workflow_id   text COLLATE "C" NOT NULL,
    run_id        text COLLATE "C" NOT NULL,
    activity_id   text COLLATE "C" NOT NULL,
    PRIMARY KEY (delivery_id, number),
    CHECK (outcome <> 'SUCCEEDED' OR status_code BETWEEN 200 AND 299)
);
-- One attempt of a delivery at a time.
CREATE UNIQUE INDEX webhook_attempt_sending ON webhook_attempt (delivery_id) WHERE outcome = 'SENDING';
-- Read to count and find what is in flight at an endpoint, and to find what was lost.
CREATE INDEX webhook_attempt_in_flight ON webhook_attempt (endpoint_id, started_at) WHERE outcome = 'SENDING';
CREATE INDEX webhook_attempt_unknown ON webhook_attempt (endpoint_id, started_at) WHERE outcome = 'UNKNOWN';

-- Events that are sent to an endpoint again, or to one that was made after them.
CREATE TABLE webhook_replay (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    since       timestamptz NOT NULL,
    until       timestamptz NOT NULL CHECK (until > since),
    event_types text[] COLLATE "C" NOT NULL,
    state       text COLLATE "C" NOT NULL CHECK (state IN ('RUNNING', 'COMPLETED', 'CANCELED')),
    -- The event that was looked at last, and how many of how many are done; no total
    -- before they are counted, and when there are too many.
    cursor      uuid NOT NULL,
    counted     boolean NOT NULL DEFAULT false,
    done        bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
    total       bigint CHECK (total >= 0),
    traceparent text COLLATE "C" NOT NULL,
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    -- The transaction that requested it. Its run starts when all have ended that ran then: they
    -- may have written events without a delivery to the endpoint.
    begun       xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- Until then its run is taken to work, or to be about to start.
    lease       timestamptz NOT NULL DEFAULT '-infinity',
    FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoint (account_id, id),
    CHECK ((state = 'RUNNING') = (ended_at IS NULL))
);
-- Read by workers that start the runs; and one replay of an endpoint at a time.
CREATE UNIQUE INDEX webhook_replay_running ON webhook_replay (endpoint_id) WHERE state = 'RUNNING';

-- When Temporal schedules last succeeded, when the last backup was made, and when one was last restored and verified. The jobs of
-- backups record theirs.
CREATE TABLE schedule_success (
    schedule text COLLATE "C" PRIMARY KEY,
    at       timestamptz NOT NULL
);
-- One that never works is missed, counted from now on.
INSERT INTO schedule_success (schedule, at) VALUES ('prune', now()), ('reconcile', now()), ('deadlines', now()), ('recalculations', now()), ('backup', now()), ('restore', now());

CALL protect('webhook_endpoint', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_endpoint_health', 'EXISTS (SELECT FROM webhook_endpoint e WHERE e.id = endpoint_id)');
CALL protect('webhook_ready', 'EXISTS (SELECT FROM webhook_endpoint e WHERE e.id = endpoint_id)');
CALL protect('webhook_delivery', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_replay', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_attempt', 'EXISTS (SELECT FROM webhook_delivery d WHERE d.id = delivery_id)');

-- Writes events of an account of the tenant that the transaction names, each with a
-- delivery for each endpoint that takes it. A test event has one for the endpoint that is
-- tested, whatever that takes. A notice, which is about an endpoint, goes to the account's
-- other endpoints that name its type. Programs write events in no other way: an event always
-- has its deliveries, and only to endpoints of its tenant.
--
-- A transaction writes all of its events with one call. So it takes the rows of the ready
-- endpoints once, in the order of their ids, and no two writers are in a deadlock. It holds
-- them until it ends, so that no worker removes one before the deliveries are visible. A writer
-- that lost the race to insert a row does not hold it yet: therefore the loop.
--
-- The events of a workflow get its next sequences, under the lock on the
-- workflow's row, and are not earlier than the one before them. ids are the deliveries', as
-- many for each event as an account may have endpoints. Returns the number of deliveries.
-- +goose StatementBegin
CREATE FUNCTION emit_events(moment timestamptz, account uuid, workflow uuid, tested uuid, actor text, actor_type text, occurred timestamptz,
        events uuid[], kinds text[], contents jsonb[], traces text[], abouts uuid[], ids uuid[], failing int DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    many CONSTANT int := cardinality(emit_events.events);
    last bigint; -- sequence of the workflow
    takers uuid[];
    ready int;
    written bigint;
    earlier timestamptz;
BEGIN
    IF NOT EXISTS (SELECT FROM account a WHERE a.id = emit_events.account AND a.organization_id = requisite_organization() AND a.environment = requisite_environment()) THEN
        RAISE insufficient_privilege USING MESSAGE = 'the account of an event is not the tenant''s';
    END IF;
    IF emit_events.failing > 0 AND requisite_environment() <> 'sandbox' THEN
        RAISE insufficient_privilege USING MESSAGE = 'deliveries fail on request in the sandbox alone';
    END IF;
    IF emit_events.workflow IS NOT NULL THEN
        UPDATE workflow w SET event_sequence = w.event_sequence + many
            WHERE w.id = emit_events.workflow AND w.account_id = emit_events.account RETURNING w.event_sequence - many INTO last;
        IF NOT found THEN
            RAISE insufficient_privilege USING MESSAGE = 'the workflow of an event is not the account''s';
        END IF;
        SELECT v.occurred_at INTO earlier FROM webhook_event v WHERE v.workflow_id = emit_events.workflow AND v.sequence = last;
    END IF;
    INSERT INTO webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, traceparent, failing_attempts, test, erased)
        SELECT u.event, emit_events.account, u.kind, greatest(emit_events.occurred, earlier), emit_events.workflow, coalesce(last + u.n, 0),
            emit_events.actor, emit_events.actor_type, u.content, u.trace, emit_events.failing, emit_events.tested IS NOT NULL,
            EXISTS (SELECT FROM workflow w JOIN business b ON b.id = w.business_id WHERE w.id = emit_events.workflow AND b.erased_at IS NOT NULL)
        FROM unnest(emit_events.events, emit_events.kinds, emit_events.contents, emit_events.traces) WITH ORDINALITY AS u (event, kind, content, trace, n);
    INSERT INTO webhook_event_position (event_id, account_id)
        SELECT u.event, emit_events.account FROM unnest(emit_events.events) WITH ORDINALITY AS u (event, n) ORDER BY u.n;
    WITH endpoints AS MATERIALIZED (
        SELECT e.id, e.event_types, row_number() OVER (ORDER BY e.id) AS n FROM webhook_endpoint e WHERE e.account_id = emit_events.account AND e.deleted_at IS NULL),
    takers AS MATERIALIZED (
        SELECT e.id, u.event, u.about, emit_events.ids[(u.n - 1) * (cardinality(emit_events.ids) / many) + e.n] AS delivery
        FROM unnest(emit_events.events, emit_events.kinds, emit_events.abouts) WITH ORDINALITY AS u (event, kind, about, n), endpoints e
        WHERE CASE WHEN emit_events.tested IS NOT NULL THEN e.id = emit_events.tested
            WHEN u.about IS NOT NULL THEN e.id <> u.about AND u.kind = ANY (e.event_types)
            ELSE e.event_types IS NULL OR u.kind = ANY (e.event_types) END),
    owed AS (
        INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, state, next_attempt_at, created_at, updated_at)
        SELECT t.delivery, emit_events.account, t.event, t.id, t.about IS NOT NULL, 'PENDING', m.at, emit_events.occurred, m.at
        FROM takers t, (SELECT coalesce(emit_events.moment, date_trunc('milliseconds', clock_timestamp())) AS at) m)
    SELECT count(*), array_agg(DISTINCT t.id ORDER BY t.id) INTO written, takers FROM takers t;
    LOOP
        PERFORM FROM webhook_ready q WHERE q.endpoint_id = ANY (takers) ORDER BY q.endpoint_id FOR KEY SHARE;
        GET DIAGNOSTICS ready = ROW_COUNT;
        EXIT WHEN ready = coalesce(cardinality(takers), 0);
        INSERT INTO webhook_ready (endpoint_id, account_id)
            SELECT t.id, emit_events.account FROM unnest(takers) AS t (id)
            WHERE NOT EXISTS (SELECT FROM webhook_ready q WHERE q.endpoint_id = t.id) ORDER BY t.id ON CONFLICT DO NOTHING;
    END LOOP;
    RETURN written;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION emit_events FROM PUBLIC;

-- +goose Down
DROP FUNCTION emit_events;
DROP VIEW webhook_delivery_shown;
DROP TABLE schedule_success, webhook_replay, webhook_attempt, webhook_delivery, webhook_ready, webhook_endpoint_health, webhook_endpoint;
ALTER TABLE webhook_event DROP COLUMN traceparent, DROP COLUMN failing_attempts;
