package postgres

import (
	"context"
	"time"

	"requisite/internal/postgres/db"
)

// dueChannel is notified when deliveries have become due.
const dueChannel = "webhook_delivery_due"

// notifier tells dispatchers that deliveries have become due. It does so after
// the commit, because NOTIFY inside a transaction serializes commits, and once
// for many. If a notification is lost, the dispatchers' slow poll finds the
// deliveries.
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
	_, _ = conn.Exec(ctx, `SELECT pg_notify($1, '')`, dueChannel) // the slow poll covers it
}

// due requests a notification soon; it never blocks.
func (n *notifier) due() {
	select {
	case n.pending <- struct{}{}:
	default:
	}
}

// close sends what is pending and returns.
func (n *notifier) close() {
	close(n.stop)
	<-n.stopped
}
