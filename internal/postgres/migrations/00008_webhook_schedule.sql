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

-- +goose Down
ALTER TABLE webhook_attempt DROP COLUMN maker;
ALTER TABLE webhook_endpoint_health DROP COLUMN epoch, DROP COLUMN retry_after;
