package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
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

func newNotifier(pool *pgxpool.Pool) *notifier {
	n := &notifier{pending: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{})}
	go n.run(pool)
	return n
}

func (n *notifier) run(pool *pgxpool.Pool) {
	defer close(n.stopped)
	for {
		select {
		case <-n.pending:
			n.send(pool)
		case <-n.stop:
			select {
			case <-n.pending:
				n.send(pool)
			default:
			}
			return
		}
	}
}

func (n *notifier) send(pool *pgxpool.Pool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, _ = pool.Exec(ctx, `SELECT pg_notify($1, '')`, dueChannel) // the slow poll covers it
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
