-- +goose NO TRANSACTION
-- Built beside the running service, however many deliveries there are. One that
-- broke off leaves an index that nothing uses, and is made again.
-- +goose Up
-- Waiting for older transactions, such as a backup's, keeps nobody else waiting.
SET lock_timeout = 0;
-- Few at any time, and looked for often.
DROP INDEX CONCURRENTLY IF EXISTS webhook_delivery_forced;
CREATE INDEX CONCURRENTLY webhook_delivery_forced ON webhook_delivery (endpoint_id, id)
    WHERE forced AND state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;
-- Which endpoints have something due.
DROP INDEX CONCURRENTLY IF EXISTS webhook_delivery_due;
CREATE INDEX CONCURRENTLY webhook_delivery_due ON webhook_delivery (endpoint_id, next_attempt_at)
    WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;
-- Whose turn it is to probe.
DROP INDEX CONCURRENTLY IF EXISTS webhook_delivery_turn;
CREATE INDEX CONCURRENTLY webhook_delivery_turn ON webhook_delivery (endpoint_id, updated_at, id)
    WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL;
RESET lock_timeout;

-- +goose Down
DROP INDEX CONCURRENTLY webhook_delivery_turn;
DROP INDEX CONCURRENTLY webhook_delivery_due;
DROP INDEX CONCURRENTLY webhook_delivery_forced;
