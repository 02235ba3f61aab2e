//go:build deep

package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// balancer sends each request to an api that says it is healthy, as a load
// balancer does.
type balancer struct {
	clients []*requisite.Client
	healthy []atomic.Bool
	next    atomic.Int64
}

func (s *stack) balance(ctx context.Context, wg *sync.WaitGroup, addresses ...string) *balancer {
	b := &balancer{healthy: make([]atomic.Bool, len(addresses))}
	for i, address := range addresses {
		client := *s.Client
		client.BaseURL = address
		client.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		b.clients = append(b.clients, &client)
		wg.Go(func() {
			for ctx.Err() == nil {
				b.healthy[i].Store(s.healthz(ctx, address))
				select {
				case <-ctx.Done():
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
	}
	return b
}

func (s *stack) healthz(ctx context.Context, address string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/healthz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	return response.Body.Close() == nil && response.StatusCode == http.StatusOK
}

// call sends to a healthy api, and waits for one.
func (b *balancer) call(ctx context.Context, operation string, in, out any) error {
	for {
		i := int(b.next.Add(1)) % len(b.clients)
		if b.healthy[i].Load() {
			_, err := b.clients[i].Call(ctx, operation, in, out)
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
}

// TestRestarts_FailNoRequestAndLoseNoWebhook restarts the apis and the worker, one after the
// other, during requests and webhooks. No request fails, and every webhook arrives once.
func TestRestarts_FailNoRequestAndLoseNoWebhook(t *testing.T) {
	t.Parallel()
	// The balancer must notice within the drain that an api stops.
	s := ownStack(t, "REQUISITE_DRAIN=30s")
	k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(30 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}, "REQUIRED_DOCUMENTS_CALCULATED")
	s.Application(t) // publishes the rule
	second, address := s.SecondAPI(t)
	s.Await(t, "the second api to be healthy", func(ctx context.Context) error {
		if !s.healthz(ctx, address) {
			return errors.New("it is not")
		}
		return nil
	})

	ctx, stop := context.WithCancel(t.Context())
	var polling, loading sync.WaitGroup
	b := s.balance(ctx, &polling, s.Client.BaseURL, address)
	var done, failed atomic.Int64
	loadCtx, stopLoad := context.WithCancel(t.Context())
	for range 6 {
		loading.Go(func() {
			for loadCtx.Err() == nil {
				// Each application gets one document, and its event is a webhook.
				var business struct {
					ID string `json:"business_id"`
				}
				var opened harness.Object
				err := b.call(t.Context(), "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Ltd", "established_date": "2001-01-01"}}, &business)
				if err == nil {
					err = b.call(t.Context(), "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, &opened)
				}
				if err == nil {
					err = b.call(t.Context(), "workflow.requiredDocument.calculate", opened, nil)
				}
				if err != nil {
					failed.Add(1)
					t.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	progress := func(n int64) {
		t.Helper()
		target := done.Load() + n
		s.Await(t, fmt.Sprintf("%d more calculations", n), func(context.Context) error {
			if now := done.Load(); now < target && failed.Load() == 0 {
				return fmt.Errorf("%d of them are missing", target-now)
			}
			return nil
		})
	}
	progress(20)
	s.API.Stop(t)
	progress(20)
	s.StartPrograms(t)
	progress(20)
	second.Stop(t)
	progress(20)
	s.Worker.Stop(t)
	progress(20)
	s.StartPrograms(t)
	progress(20)
	stopLoad()
	loading.Wait()
	stop()
	polling.Wait()
	require.Zero(t, failed.Load())

	total := int(done.Load())
	seen := k.await("every webhook", distinct(total))
	require.Len(t, ids(seen), total)
	s.awaitAllDelivered()
	var unknown int
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE a.outcome <> 'SUCCEEDED' AND d.account_id = $1`, &unknown, s.AccountKey()))
	require.LessOrEqual(t, len(k.seen())-total, unknown, "each repeated webhook has an UNKNOWN attempt in the log")
	t.Logf("%d requests for documents, %d webhooks, %d of them more than once", total, len(k.seen()), len(k.seen())-total)
}
