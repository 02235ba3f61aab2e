-- What alerts are told by: when things that run by the clock last worked, and
-- since when an endpoint is well.
-- +goose Up
CREATE TABLE schedule_success (
    schedule text PRIMARY KEY,
    at       timestamptz NOT NULL
);
-- One that never works is missed, counted from now on.
INSERT INTO schedule_success (schedule, at) VALUES ('prune', now()), ('reconcile', now());

-- When the endpoint last ceased to fail; what waited for that is late by no fault
-- of the service.
ALTER TABLE webhook_endpoint_health ADD COLUMN recovered_at timestamptz;

-- +goose Down
ALTER TABLE webhook_endpoint_health DROP COLUMN recovered_at;
DROP TABLE schedule_success;
