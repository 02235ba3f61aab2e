// Package deliveries stores how webhooks are sent: what a worker claims, how attempts end, and how
// both change deliveries and endpoints. Package delivery decides; this package locks, asks it, and
// saves. Its Store works for all tenants, in transactions that name no tenant. The package's
// functions serve queries of one tenant, which change deliveries too.
package deliveries

import (
	"log/slog"

	"requisite/internal/secrets/vault"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// Store claims deliveries of all tenants and saves how attempts end. It is safe for concurrent use.
// Each field is a room: the methods for one kind of work. All rooms share one base. A room calls only
// rooms that are declared before it.
type Store struct {
	*base
	Overview Overview
	Outbox   Outbox
	Claims   Claims
	Ends     Ends
	Runs     Runs
	Repairs  Repairs
	Replays  Replays
}

// base is what the rooms of a Store share.
type base struct {
	db          *db.DB
	vault       *vault.Vault
	mostWaiting int64 // at an account's endpoints; zero is no limit
	notifier    *notifier
	ended       tally[delivery.State]
	noticed     tally[delivery.NoticeType]
	log         *slog.Logger // may be nil
}

// New returns the deliveries of a database. A replay waits while mostWaiting deliveries wait at an
// account's endpoints; zero is no limit.
func New(conn *db.DB, keys *vault.Vault, mostWaiting int64, log *slog.Logger) *Store {
	b := &base{db: conn, vault: keys, mostWaiting: mostWaiting, notifier: newNotifier(conn), log: log}
	return &Store{
		base:     b,
		Overview: b.overview(),
		Outbox:   b.outbox(),
		Claims:   b.claims(),
		Ends:     b.ends(),
		Runs:     Runs{b},
		Repairs:  Repairs{b},
		Replays:  Replays{b},
	}
}

// Close sends the last notification and returns.
func (s *Store) Close() { s.notifier.close() }
