-- What an endpoint's failing means for it and for its deliveries, kept apart.
-- +goose Up
ALTER TABLE webhook_endpoint_health
    -- Grows when the endpoint gets another URL or is enabled: attempts that began
    -- before say nothing about it any more.
    ADD COLUMN epoch int NOT NULL DEFAULT 0,
    -- Until then the endpoint has asked to be left alone; heeded while it fails.
    ADD COLUMN retry_after timestamptz;

-- Which activity makes the attempt, so that another one knows whether it was
-- given up on.
ALTER TABLE webhook_attempt ADD COLUMN maker text;

-- Few at any time, and looked for often.
CREATE INDEX webhook_delivery_forced ON webhook_delivery (endpoint_id, id)
    WHERE forced AND state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;
-- Whose turn it is to probe.
CREATE INDEX webhook_delivery_turn ON webhook_delivery (endpoint_id, updated_at, id)
    WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;

-- +goose Down
DROP INDEX webhook_delivery_turn;
DROP INDEX webhook_delivery_forced;
ALTER TABLE webhook_attempt DROP COLUMN maker;
ALTER TABLE webhook_endpoint_health DROP COLUMN epoch, DROP COLUMN retry_after;
