package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"requisite/internal/postgres"
)

// Store is what the collector asks.
type Store interface {
	PoolStat() *pgxpool.Stat
	Backlog(ctx context.Context) ([]postgres.Backlog, error)
}

// storeCollector reads the backlog at most every backlogLife, however often it
// is scraped, and by however many.
type storeCollector struct {
	store Store

	mu      sync.Mutex
	read    time.Time
	backlog []postgres.Backlog
}

const (
	backlogLife    = 15 * time.Second
	backlogTimeout = 5 * time.Second
)

var (
	backlogDesc  = prometheus.NewDesc("requisite_webhook_backlog", "Deliveries that have not ended, by state, and FAILED ones that are kept.", []string{"state"}, nil)
	oldestDesc   = prometheus.NewDesc("requisite_webhook_oldest_seconds", "How long the next attempt of the delivery that is most overdue has been due; HELD and FAILED ones: since they are.", []string{"state"}, nil)
	readableDesc = prometheus.NewDesc("requisite_database_readable", "1 when the backlog could be read, 0 when the database could not be asked.", nil, nil)
	poolDesc     = prometheus.NewDesc("requisite_database_connections", "Connections of the pool, by use: idle, in use, and the most there may be.", []string{"use"}, nil)
	poolWaitDesc = prometheus.NewDesc("requisite_database_waits_total", "Times that work waited for a connection.", nil, nil)
)

// NewStoreCollector measures a store.
func NewStoreCollector(s Store) prometheus.Collector { return &storeCollector{store: s} }

func (c *storeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{backlogDesc, oldestDesc, readableDesc, poolDesc, poolWaitDesc} {
		out <- d
	}
}

func (c *storeCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	pool := c.store.PoolStat()
	gauge(poolDesc, float64(pool.IdleConns()), "idle")
	gauge(poolDesc, float64(pool.AcquiredConns()), "in_use")
	gauge(poolDesc, float64(pool.MaxConns()), "max")
	out <- prometheus.MustNewConstMetric(poolWaitDesc, prometheus.CounterValue, float64(pool.EmptyAcquireCount()))
	backlog, err := c.fresh()
	if err != nil {
		gauge(readableDesc, 0)
		return
	}
	gauge(readableDesc, 1)
	for _, b := range backlog {
		gauge(backlogDesc, float64(b.Count), string(b.State))
		gauge(oldestDesc, b.Oldest.Seconds(), string(b.State))
	}
}

func (c *storeCollector) fresh() ([]postgres.Backlog, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) < backlogLife {
		return c.backlog, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), backlogTimeout)
	defer cancel()
	backlog, err := c.store.Backlog(ctx)
	if err != nil {
		return nil, err
	}
	c.read, c.backlog = time.Now(), backlog
	return backlog, nil
}
