-- Endpoints, the deliveries that each event owes them, and every attempt.
-- +goose Up
ALTER TABLE webhook_event
    -- The W3C trace of whatever caused the event, for the receiver.
    ADD COLUMN traceparent text NOT NULL DEFAULT '',
    ADD UNIQUE (account_id, id);

-- The wire calls an endpoint a config.
CREATE TABLE webhook_endpoint (
    id              uuid PRIMARY KEY,
    account_id      uuid NOT NULL REFERENCES account,
    url             text NOT NULL CHECK (url <> ''),
    -- The one spelling of the URL by which two are the same.
    url_key         text NOT NULL,
    event_types     text[] CHECK (event_types IS NULL OR cardinality(event_types) > 0), -- null takes all
    description     text,
    status          text NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
    disabled_reason text,
    -- Twenty places an account, one for each endpoint that is not deleted.
    place           int CHECK (place BETWEEN 1 AND 20),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    UNIQUE (account_id, id),
    CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
    CHECK ((deleted_at IS NULL) = (place IS NOT NULL))
);
CREATE UNIQUE INDEX webhook_endpoint_url ON webhook_endpoint (account_id, url_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX webhook_endpoint_place ON webhook_endpoint (account_id, place);

-- How an endpoint does. Apart from the endpoint, so that attempts never wait for
-- those who write events, nor they for attempts.
CREATE TABLE webhook_endpoint_health (
    endpoint_id   uuid PRIMARY KEY REFERENCES webhook_endpoint,
    failures      int NOT NULL DEFAULT 0 CHECK (failures >= 0), -- attempts since the last success, all failed
    failing_since timestamptz,
    -- While the endpoint fails, one attempt at a time may be made, from then on.
    probe_at      timestamptz,
    probes        int NOT NULL DEFAULT 0 CHECK (probes >= 0), -- made since it fails
    CHECK ((failures = 0) = (failing_since IS NULL))
);

CREATE TABLE webhook_delivery (
    id              uuid PRIMARY KEY,
    account_id      uuid NOT NULL,
    event_id        uuid NOT NULL,
    endpoint_id     uuid NOT NULL,
    state           text NOT NULL CHECK (state IN ('PENDING', 'RETRYING', 'HELD', 'DELIVERED', 'FAILED', 'CANCELED')),
    attempt_count   int NOT NULL DEFAULT 0 CHECK (attempt_count >= 0),
    -- Attempts since the delivery began, or was asked for again.
    round_attempts  int NOT NULL DEFAULT 0 CHECK (round_attempts BETWEEN 0 AND attempt_count),
    next_attempt_at timestamptz,
    -- Set while a Temporal run works on the delivery; null while it waits here.
    dispatched_at   timestamptz,
    -- Somebody asked for an attempt now, whatever the endpoint's health.
    forced          boolean NOT NULL DEFAULT false,
    last_error      text,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    UNIQUE (event_id, endpoint_id),
    FOREIGN KEY (account_id, event_id) REFERENCES webhook_event (account_id, id),
    FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoint (account_id, id),
    CHECK ((state IN ('PENDING', 'RETRYING')) = (next_attempt_at IS NOT NULL)),
    CHECK (state IN ('PENDING', 'RETRYING') OR dispatched_at IS NULL),
    CHECK (state <> 'PENDING' OR attempt_count = 0)
);
CREATE INDEX webhook_delivery_by_account ON webhook_delivery (account_id, id DESC);
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint_id, state, id DESC);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, id)
    WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;
CREATE INDEX webhook_delivery_dispatched ON webhook_delivery (endpoint_id, next_attempt_at)
    WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NOT NULL;
CREATE INDEX webhook_delivery_held ON webhook_delivery (account_id) WHERE state = 'HELD';

CREATE TABLE webhook_attempt (
    delivery_id   uuid NOT NULL REFERENCES webhook_delivery ON DELETE CASCADE,
    number        int NOT NULL CHECK (number > 0),
    endpoint_id   uuid NOT NULL,
    -- SENDING until its end is written; UNKNOWN when that never came.
    outcome       text NOT NULL CHECK (outcome IN ('SENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN')),
    key_id        text NOT NULL,
    started_at    timestamptz NOT NULL,
    duration_ms   int CHECK (duration_ms >= 0),
    status_code   int,
    error         text,
    response_body text CHECK (octet_length(response_body) <= 4096),
    address       text,
    PRIMARY KEY (delivery_id, number),
    CHECK (outcome <> 'SUCCEEDED' OR status_code BETWEEN 200 AND 299)
);
-- One attempt of a delivery at a time.
CREATE UNIQUE INDEX webhook_attempt_sending ON webhook_attempt (delivery_id) WHERE outcome = 'SENDING';
CREATE INDEX webhook_attempt_on_the_wire ON webhook_attempt (endpoint_id, started_at) WHERE outcome = 'SENDING';

CALL protect('webhook_endpoint', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_endpoint_health', 'EXISTS (SELECT FROM webhook_endpoint e WHERE e.id = endpoint_id)');
CALL protect('webhook_delivery', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('webhook_attempt', 'EXISTS (SELECT FROM webhook_delivery d WHERE d.id = delivery_id)');

-- +goose Down
DROP TABLE webhook_attempt, webhook_delivery, webhook_endpoint_health, webhook_endpoint;
ALTER TABLE webhook_event DROP CONSTRAINT webhook_event_account_id_id_key, DROP COLUMN traceparent;
