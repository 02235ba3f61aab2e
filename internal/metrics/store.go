package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"requisite/internal/store"
	"requisite/internal/webhooks/delivery"
)

// Pool is the connections to the database.
type Pool interface {
	PoolStat() *pgxpool.Stat
	ConnectionWaits() int64
}

// Counts is what this process has written about deliveries.
type Counts interface {
	Ended() map[delivery.State]int64
	Noticed() map[delivery.NoticeType]int64
}

// Background is the state of background work.
type Background interface {
	BackgroundState(ctx context.Context, deliveries bool) (store.BackgroundState, error)
}

// storeCollector queries the database at most once per standingLife, however
// often it is scraped.
type storeCollector struct {
	pool       Pool
	counts     Counts
	background Background
	deliveries bool

	mu    sync.Mutex
	read  time.Time
	state store.BackgroundState
}

const (
	standingLife    = 15 * time.Second
	standingTimeout = 5 * time.Second
)

var (
	deliveriesDesc = prometheus.NewDesc("requisite_webhook_deliveries_total",
		"Deliveries that this process moved to a final state, DELIVERED, FAILED or CANCELED, by state.", []string{"state"}, nil)
	noticesDesc = prometheus.NewDesc("requisite_webhook_notices_total",
		"Notices that this process wrote about endpoints in trouble and failed deliveries, by type; "+
			"FAILING, DISABLED and RECOVERED once for each change of an endpoint.", []string{"type"}, nil)
	backlogDesc = prometheus.NewDesc("requisite_webhook_backlog",
		"Deliveries that have not ended, by state, and FAILED ones that are kept.", []string{"state"}, nil)
	oldestDesc = prometheus.NewDesc("requisite_webhook_oldest_seconds",
		"How long the most overdue delivery has been due; for HELD and FAILED ones, how long they have been so.", []string{"state"}, nil)
	overdueDesc = prometheus.NewDesc("requisite_webhook_overdue",
		"Deliveries that have been due for two minutes at healthy endpoints to which nothing is being sent; at most 1000 for each endpoint.", nil, nil)
	endpointsDesc = prometheus.NewDesc("requisite_webhook_endpoints",
		"Enabled endpoints, by state: FAILING after five failures in a row, HEALTHY otherwise, also those to which nothing was sent yet.", []string{"state"}, nil)
	lastSuccessDesc = prometheus.NewDesc("requisite_schedule_last_success_timestamp_seconds",
		"When each Temporal schedule last succeeded, in any worker, the last backup, and the last restore of one that was verified.", []string{"schedule"}, nil)
	readableDesc = prometheus.NewDesc("requisite_database_readable", "1 when the database could be read, 0 when it could not.", nil, nil)
	poolDesc     = prometheus.NewDesc("requisite_database_connections", "Connections of the pool, by use: idle, in use, and the maximum.", []string{"use"}, nil)
	poolWaitDesc = prometheus.NewDesc("requisite_database_waits_total", "How often work waited for a connection.", nil, nil)
)

// NewStoreCollector measures a store. deliveries is true for programs whose database role
// sees the deliveries of all tenants, and counts them.
func NewStoreCollector(pool Pool, counts Counts, background Background, deliveries bool) prometheus.Collector {
	return &storeCollector{pool: pool, counts: counts, background: background, deliveries: deliveries}
}

func (c *storeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		deliveriesDesc, noticesDesc, backlogDesc, oldestDesc, overdueDesc, endpointsDesc,
		lastSuccessDesc, readableDesc, poolDesc, poolWaitDesc,
	} {
		out <- d
	}
}

func (c *storeCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, n int64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	pool := c.pool.PoolStat()
	gauge(poolDesc, float64(pool.IdleConns()), "idle")
	gauge(poolDesc, float64(pool.AcquiredConns()), "in_use")
	gauge(poolDesc, float64(pool.MaxConns()), "max")
	counter(poolWaitDesc, c.pool.ConnectionWaits())
	for state, n := range c.counts.Ended() {
		counter(deliveriesDesc, n, string(state))
	}
	for notice, n := range c.counts.Noticed() {
		counter(noticesDesc, n, string(notice))
	}
	state, err := c.fresh()
	if err != nil {
		gauge(readableDesc, 0)
		return
	}
	gauge(readableDesc, 1)
	for _, b := range state.Backlog {
		gauge(backlogDesc, float64(b.Count), string(b.State))
		gauge(oldestDesc, b.Oldest.Seconds(), string(b.State))
	}
	if c.deliveries {
		gauge(overdueDesc, float64(state.Overdue))
		gauge(endpointsDesc, float64(state.Endpoints.Healthy), "HEALTHY")
		gauge(endpointsDesc, float64(state.Endpoints.Failing), "FAILING")
	}
	for schedule, at := range state.LastSuccess {
		gauge(lastSuccessDesc, float64(at.UnixMilli())/1000, string(schedule))
	}
}

func (c *storeCollector) fresh() (store.BackgroundState, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) < standingLife {
		return c.state, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), standingTimeout)
	defer cancel()
	state, err := c.background.BackgroundState(ctx, c.deliveries)
	if err != nil {
		return state, err
	}
	c.read, c.state = time.Now(), state
	return state, nil
}
