package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/domain"
	"requisite/internal/share"
)

// Connections bound what a store opens, and what one organization holds of it.
type Connections struct {
	// Max is the size of the pool; 20 when zero.
	Max int32
	// Each is how many of them one organization holds at once, whatever it holds
	// them for; zero is no bound.
	Each int
	// Apart are connections of a pool of their own, for authentication and Ping:
	// whoever holds the others does not hold these. Zero takes the other pool.
	Apart int32
}

const defaultConnections = 20

// unnamedConnections is how many connections stay for what no tenant is named for, such as
// sending webhooks, however many tenants want some.
const unnamedConnections = 2

// connectionPatience is how long a tenant waits for a connection while it holds
// its share. It is longer than a statement may take.
const connectionPatience = 20 * time.Second

// newTenants makes the places of those who hold connections.
func newTenants(c Connections) *share.Places {
	if c.Each == 0 {
		return nil
	}
	return share.New("database_connections", max(1, int(c.Max)-unnamedConnections), c.Each)
}

// Shared is what organizations hold of the connections; nil when that has no
// bound.
func (s *Store) Shared() *share.Places { return s.tenants }

// borrow waits for a place among the connections of an organization. Whoever has
// one asks for no other, or both would wait for ever.
func (s *Store) borrow(ctx context.Context, scope domain.Scope) (giveBack func(), err error) {
	if s.tenants == nil {
		return func() {}, nil
	}
	within, cancel := context.WithTimeoutCause(ctx, connectionPatience, share.ErrBusy)
	defer cancel()
	giveBack, err = s.tenants.Take(within, scope.OrganizationID.String(), -1)
	if err != nil {
		return nil, fmt.Errorf("wait for a connection: %w", err)
	}
	return giveBack, nil
}

// borrowed runs a transaction of an organization.
func (s *Store) borrowed(ctx context.Context, scope domain.Scope, mode string, fn func(pgx.Tx) error) error {
	giveBack, err := s.borrow(ctx, scope)
	if err != nil {
		return err
	}
	defer giveBack()
	return inTransaction(ctx, s.pool, setting{scope: scope}.begin("BEGIN "+mode), fn)
}

// lentBatch gives the place back with the connection.
type lentBatch struct {
	pgx.BatchResults
	giveBack func()
}

func (b lentBatch) Close() error {
	defer b.giveBack()
	return b.BatchResults.Close()
}

// noBatch is one that there was no connection for.
type noBatch struct {
	pgx.BatchResults
	err error
}

func (b noBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }
func (b noBatch) Query() (pgx.Rows, error)         { return nil, b.err }
func (b noBatch) QueryRow() pgx.Row                { return failedRow{b.err} }
func (b noBatch) Close() error                     { return b.err }

// openApart opens the connections apart, as the others are.
func openApart(ctx context.Context, config *pgxpool.Config, size int32) (*pgxpool.Pool, error) {
	config = config.Copy()
	config.MaxConns = size
	if name := config.ConnConfig.RuntimeParams["application_name"]; name != "" {
		config.ConnConfig.RuntimeParams["application_name"] = name + "-apart"
	}
	return pgxpool.NewWithConfig(ctx, config)
}
