-- The backlog is counted by state without a look at what was delivered.
-- +goose Up
CREATE INDEX webhook_delivery_open ON webhook_delivery (state, next_attempt_at) WHERE state IN ('PENDING', 'RETRYING', 'HELD', 'FAILED');

-- +goose Down
DROP INDEX webhook_delivery_open;
