// Package store stores the service's data. The queries of each kind of record are the methods of a
// room: of Records for callers, and of Store for operators, runs and upkeep. Every query that serves
// a caller takes the caller's scope, and finds nothing outside it. Invariants are constraints of the
// schema. The code here only turns their violations into messages.
package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/limiter"
	"requisite/internal/secrets/vault"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
)

// Store reads and writes everything that the service stores. It is safe for concurrent use. Its own
// methods serve callers and the runs that they wait for. Each field is a room: the methods for one
// kind of record or work. All rooms share one base. A room calls only rooms that are declared before
// it.
type Store struct {
	*base
	Deliveries    *deliveries.Store // has rooms of its own, for the senders
	Database      Database
	Audit         Audit
	Scopes        Scopes
	Organizations Organizations
	Secrets       Secrets
	Credentials   Credentials
	WebhookKeys   WebhookKeys
	AllWebhooks   AllWebhooks
	AllDecisions  AllDecisions
	Versions      Versions
	LongRuns      LongRuns
	Upkeep        Upkeep
}

// base is what the rooms of a Store share.
type base struct {
	db            *db.DB
	vault         *vault.Vault
	deliveries    *deliveries.Store
	quotas        Quotas
	counts        counts
	decisionBytes *limiter.Buckets
}

// Options configure a Store. The zero value is suitable for production.
type Options struct {
	Connections db.Connections
	// ApplicationName is how the connections show in pg_stat_activity.
	ApplicationName string
	// Now is the clock for timestamps such as created_at. If it is nil, time.Now is used.
	Now func() time.Time
	// Tracer traces every statement. It may be nil.
	Tracer pgx.QueryTracer
	// Quotas limit what callers add. The zero value is no limit.
	Quotas Quotas
	// Log tells operators about endpoints in trouble and failed deliveries. It may be nil.
	Log *slog.Logger
}

// Open connects to the database and checks that it answers.
func Open(ctx context.Context, url string, keys *vault.Vault, o Options) (*Store, error) {
	conn, err := db.Open(ctx, url, db.Options{Connections: o.Connections, ApplicationName: o.ApplicationName, Now: o.Now, Tracer: o.Tracer})
	if err != nil {
		return nil, err
	}
	b := &base{
		db:            conn,
		vault:         keys,
		quotas:        o.Quotas,
		decisionBytes: newDecisionBytes(o.Quotas.DecisionBytesADay),
		deliveries:    deliveries.New(conn, keys, o.Quotas.Waiting, o.Log),
	}
	return &Store{
		base:          b,
		Deliveries:    b.deliveries,
		Database:      Database{b},
		Audit:         Audit{b},
		Scopes:        Scopes{b},
		Organizations: Organizations{b},
		Secrets:       b.secrets(),
		Credentials:   Credentials{base: b, nonces: new(nonces), uses: new(uses)},
		WebhookKeys:   WebhookKeys{b},
		AllWebhooks:   AllWebhooks{b},
		AllDecisions:  AllDecisions{b},
		Versions:      Versions{b},
		LongRuns:      LongRuns{b},
		Upkeep:        Upkeep{b},
	}, nil
}

// Close waits until the connections in use are returned, and closes all.
func (s *Store) Close() {
	s.Credentials.uses.close()
	s.deliveries.Close()
	s.db.Close()
}
