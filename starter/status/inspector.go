package status

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"go.temporal.io/sdk/client"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
)

// Inspector runs the checks.
type Inspector struct {
	Service             config.Service
	APIRole, WorkerRole string
	Programs            []string      // addresses of --metrics-listen or --health-listen
	Timeout             time.Duration // of one check
	HTTP                *http.Client

	asked        []func() []answer // of each program
	openStore    func() (*store.Store, error)
	dialTemporal func() (client.Client, error)
}

// check is one check. The lines with its findings begin with its name.
type check struct {
	name string
	look func(ctx context.Context, name string) []Finding
}

func one(f Finding) []Finding { return []Finding{f} }

// Inspect runs all checks concurrently, each for at most the Timeout. The order of the findings is
// always the same. What one cause makes WRONG is WRONG in one finding.
func (i *Inspector) Inspect(ctx context.Context) []Finding {
	defer i.open(ctx)()
	checks := i.checks()
	found := make([][]Finding, len(checks))
	var looking sync.WaitGroup
	for k, c := range checks {
		looking.Go(func() { found[k] = i.within(ctx, c) })
	}
	looking.Wait()
	var all []Finding
	for _, f := range found {
		all = append(all, f...)
	}
	return explain(all)
}

func (i *Inspector) checks() []check {
	return append(append(i.ofPrograms(), i.ofTemporal()...), i.ofPostgres()...)
}

// open prepares the connections that the checks share. The first check that needs a connection makes it,
// within half of the Timeout, so that each check has time to report that there is none.
func (i *Inspector) open(ctx context.Context) (closeAll func()) {
	i.openStore = sync.OnceValues(func() (*store.Store, error) { return i.connect(ctx) })
	i.dialTemporal = sync.OnceValues(func() (client.Client, error) { return i.connectTemporal(ctx) })
	i.asked = nil
	for _, base := range i.Programs {
		i.asked = append(i.asked, sync.OnceValue(func() []answer { return i.ask(ctx, base) }))
	}
	return func() {
		if s, err := i.openStore(); err == nil {
			s.Close()
		}
		if c, err := i.dialTemporal(); err == nil {
			c.Close()
		}
	}
}

// connect opens the database.
func (i *Inspector) connect(ctx context.Context) (*store.Store, error) {
	if err := config.Required(i.Service.DatabaseURL, "database-url", "DATABASE_URL"); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, i.Timeout/2)
	defer cancel()
	return app.OpenStore(ctx, &i.Service, "starter", false)
}

// connectTemporal connects to Temporal. Its error says whether the host cannot be reached at all.
func (i *Inspector) connectTemporal(ctx context.Context) (client.Client, error) {
	address := i.Service.TemporalAddress
	dialing, cancel := context.WithTimeout(ctx, i.Timeout/2)
	defer cancel()
	c, err := temporalclient.Dial(dialing, temporalclient.Options{Address: address, Namespace: i.Service.TemporalNamespace, Program: "starter"})
	if err == nil {
		return c, nil
	}
	probing, cancel := context.WithTimeout(ctx, i.Timeout/4)
	defer cancel()
	if why := unreached(probing, address); why != "" {
		return nil, fmt.Errorf("reach Temporal at %s: %s", address, why)
	}
	return nil, err
}

// within runs a check. It does not wait for a check that ignores the end of its context, which ends a little
// earlier, so that the check can say what it waits for.
func (i *Inspector) within(ctx context.Context, c check) []Finding {
	ctx, cancel := context.WithTimeout(ctx, i.Timeout)
	defer cancel()
	done := make(chan []Finding, 1)
	go func() {
		ctx, cancel := context.WithTimeout(ctx, i.Timeout*9/10)
		defer cancel()
		done <- c.look(ctx, c.name)
	}()
	select {
	case found := <-done:
		return found
	case <-ctx.Done():
		return one(wrong(c.name, "see why it hangs, or give a longer --timeout", "no answer within %s", i.Timeout))
	}
}

// away is the finding of a check that needs a part that cannot be reached.
func away(name, part string) Finding {
	return unknown(name, see(part), "%s cannot be reached", part)
}
