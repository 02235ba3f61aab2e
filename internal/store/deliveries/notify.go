package deliveries

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/store/db"
)

// dueChannel is notified when deliveries have become due.
const dueChannel = "webhook_delivery_due"

// notifier notifies dispatchers that deliveries have become due. It does so after the commit,
// because NOTIFY inside a transaction serializes commits, and once for many deliveries. If a
// notification is lost, the dispatchers' slow poll finds the deliveries.
type notifier struct {
	pending chan struct{}
	stop    chan struct{}
	stopped chan struct{}
}

func newNotifier(conn *db.DB) *notifier {
	n := &notifier{pending: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{})}
	go n.run(conn)
	return n
}

func (n *notifier) run(conn *db.DB) {
	defer close(n.stopped)
	for {
		select {
		case <-n.pending:
			n.send(conn)
		case <-n.stop:
			select {
			case <-n.pending:
				n.send(conn)
			default:
			}
			return
		}
	}
}

func (n *notifier) send(conn *db.DB) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, `SELECT pg_notify($1, '')`, dueChannel) // if it fails, the slow poll finds the deliveries
}

// due requests a notification soon. It never blocks.
func (n *notifier) due() {
	select {
	case n.pending <- struct{}{}:
	default:
	}
}

// close sends the pending notification and returns.
func (n *notifier) close() {
	close(n.stop)
	<-n.stopped
}

// NotifyAfter notifies the dispatchers once a transaction is committed.
func (s Outbox) NotifyAfter(after *db.AfterCommit) {
	after.Do(func(context.Context) { s.notifier.due() })
}

// ListenForDue calls due whenever deliveries have become due. It uses its own connection, until ctx
// ends or the connection breaks. It returns nil when another connection must take over because the
// pool replaces this one.
func (s Outbox) ListenForDue(ctx context.Context, due func()) error {
	ctx, end := s.db.Beside(ctx)
	defer end()
	if err := s.listen(ctx, due); !db.Replaced(ctx) {
		return fmt.Errorf("listen for due deliveries: %w", err)
	}
	return nil
}

// listen listens on one connection until an error.
func (s Outbox) listen(ctx context.Context, due func()) error {
	config := s.db.Config().ConnConfig.Copy()
	config.RuntimeParams["application_name"] += "-listener"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `LISTEN `+dueChannel); err != nil {
		return err
	}
	for {
		due() // for notifications that were sent before the connection was open
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
	}
}
