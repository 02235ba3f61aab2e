// Package neighbors_test lets one tenant do its worst, all at once, and looks at
// what another notices of it.
//
//	go test -v -run Neighbor ./e2e/neighbors
package neighbors_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/parts"
	"requisite/internal/apiclient"
)

type object = map[string]any

// What the test asserts is far from what it measures, for it runs on machines of
// any kind beside others; the ratios that it prints are the figures.
const (
	rounds = 60
	// slowest is what nothing that the quiet tenant asks for takes, a hog or not.
	slowest = 20 * time.Second
	// mostMemory is what docker-compose.yml gives each program.
	mostMemory = 1 << 30
)

// tenant is one organization with one account.
type tenant struct {
	*apiclient.Client
	accountID string
}

func (n tenant) call(ctx context.Context, operation string, in, out any) error {
	_, err := n.Call(ctx, operation, in, out)
	return err
}

// workflow opens one for a business with so many persons.
func (n tenant) workflow(t *testing.T, persons int) string {
	ctx := t.Context()
	var business struct {
		ID string `json:"business_id"`
	}
	require.NoError(t, n.call(ctx, "business.create", object{"account_id": n.accountID, "business": object{"legal_name": "Ltd", "established_date": "2001-01-01"}}, &business))
	for i := range persons {
		require.NoError(t, n.call(ctx, "person.create", object{"business_id": business.ID, "person": object{
			"first_name": "A", "last_name": fmt.Sprint("B", i), "citizenship": "US", "ownership_percentage": 0.5}}, nil))
	}
	var w struct {
		ID string `json:"workflow_id"`
	}
	require.NoError(t, n.call(ctx, "workflow.create", object{"account_id": n.accountID, "workflow": object{"business_id": business.ID}}, &w))
	return w.ID
}

func (n tenant) endpoint(t *testing.T, h http.HandlerFunc) (configID string) {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	var config struct {
		ID string `json:"config_id"`
	}
	require.NoError(t, n.call(t.Context(), "webhook.config.create", object{"account_id": n.accountID, "config": object{"url": server.URL}}, &config))
	return config.ID
}

func (n tenant) activateKey(t *testing.T) {
	var key struct {
		ID     string `json:"key_id"`
		Secret string `json:"shared_secret"`
	}
	require.NoError(t, n.call(t.Context(), "webhook.key.create", object{"account_id": n.accountID}, &key))
	_, err := base64.StdEncoding.DecodeString(key.Secret)
	require.NoError(t, err)
	require.NoError(t, n.call(t.Context(), "webhook.key.activate", object{"account_id": n.accountID, "key_id": key.ID}, nil))
}

func rules(n int, entityType, when string, lists map[string][]string) object {
	var documents []object
	for i := range n {
		documents = append(documents, object{"document_type_code": fmt.Sprint("D", i), "name": "n", "category": "c", "requirement_text": "t",
			"entity_type": entityType, "when": strings.ReplaceAll(when, "%d", fmt.Sprint(i))})
	}
	set := object{"documents": documents}
	if lists != nil {
		set["lists"] = lists
	}
	return set
}

func lists() map[string][]string {
	made := map[string][]string{}
	for i := range 48 {
		for j := range 1000 {
			made[fmt.Sprint("l", i)] = append(made[fmt.Sprint("l", i)], fmt.Sprintf("t%d_%d", i, j))
		}
	}
	return made
}

const pairs = `persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`

// worst is everything that a tenant can do to others, over and over. Refusals are
// what it is to get.
func (n tenant) worst(t *testing.T, ctx context.Context, group *sync.WaitGroup, workflowID, configID string) *sync.Map {
	slow := rules(48, "Person", "person.citizenship in lists.l%d", lists())
	var answers sync.Map // how often each operation was answered in which way
	version := atomic.Int64{}
	for _, attack := range []struct {
		operation string
		atOnce    int
		request   func() object
	}{
		{"account.documentRules.validate", 8, func() object { return object{"account_id": n.accountID, "rules": slow} }},
		{"account.documentRules.validate", 4, func() object {
			return object{"account_id": n.accountID, "rules": rules(31, "Business", pairs, nil)}
		}},
		{"account.documentRules.validate", 4, func() object {
			return object{"account_id": n.accountID, "rules": rules(60, "Business", "evaluation_score > "+strings.Repeat("1+", 2000)+"1", nil)}
		}},
		{"account.documentRules.publish", 4, func() object {
			set := rules(5, "Business", pairs, nil)
			set["lists"] = map[string][]string{"made": {fmt.Sprint("version", version.Add(1))}}
			return object{"account_id": n.accountID, "rules": set}
		}},
		{"account.documentRules.preview", 20, func() object { return object{"workflow_id": workflowID} }},
		{"workflow.requiredDocument.calculate", 120, func() object { return object{"workflow_id": workflowID} }},
		{"webhook.config.test", 20, func() object { return object{"config_id": configID} }},
		{"business.create", 20, func() object {
			return object{"account_id": n.accountID, "business": object{"legal_name": strings.Repeat("L", 200)}}
		}},
	} {
		for range attack.atOnce {
			group.Go(func() {
				for ctx.Err() == nil {
					err := n.call(ctx, attack.operation, attack.request(), nil)
					var refused apiclient.Error
					kind := "SUCCESS"
					if errors.As(err, &refused) {
						kind = refused.Code + " " + refused.SubCode
					} else if err != nil {
						kind = "no answer"
					}
					count, _ := answers.LoadOrStore(attack.operation+" "+kind, new(atomic.Int64))
					count.(*atomic.Int64).Add(1)
					if kind == "no answer" || refused.Code == "TOO_MANY_REQUESTS" {
						select { // nobody gains by asking sooner
						case <-ctx.Done():
						case <-time.After(50 * time.Millisecond):
						}
					}
				}
			})
		}
	}
	return &answers
}

// figures are what the quiet tenant measures.
type figures struct{ calculations, webhooks, health []time.Duration }

func p95(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)*95/100]
}

type watcher struct {
	tenant
	workflowID, configID string
	arrived              chan string
}

func (w *watcher) measure(t *testing.T) (f figures) {
	ctx := t.Context()
	timed := func(what string, do func(context.Context) error) time.Duration {
		within, cancel := context.WithTimeout(ctx, slowest)
		defer cancel()
		begun := time.Now()
		require.NoError(t, do(within), what)
		return time.Since(begun)
	}
	for range rounds {
		f.calculations = append(f.calculations, timed("a calculation", func(ctx context.Context) error {
			return w.call(ctx, "workflow.requiredDocument.calculate", object{"workflow_id": w.workflowID}, nil)
		}))
		f.webhooks = append(f.webhooks, timed("a webhook", func(ctx context.Context) error {
			var made struct {
				ID string `json:"event_id"`
			}
			if err := w.call(ctx, "webhook.config.test", object{"config_id": w.configID}, &made); err != nil {
				return err
			}
			for {
				select {
				case <-ctx.Done():
					return fmt.Errorf("%s did not arrive: %w", made.ID, ctx.Err())
				case id := <-w.arrived:
					if id == made.ID {
						return nil
					}
				}
			}
		}))
		f.health = append(f.health, timed("/healthz", func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.BaseURL+"/healthz", nil)
			if err != nil {
				return err
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				return err
			}
			if response.StatusCode != http.StatusOK {
				err = fmt.Errorf("it says %s", response.Status)
			}
			return errors.Join(err, response.Body.Close())
		}))
	}
	return f
}

func TestANoisyNeighborIsNotHeard(t *testing.T) {
	s := parts.New(t, "GOMEMLIMIT=900MiB", "REQUISITE_PATIENCE=25s")
	hogClient, hogAccount := s.Tenant(t, "hog")
	quiet, hog := tenant{s.Client, s.AccountID}, tenant{hogClient, hogAccount}

	w := &watcher{tenant: quiet, arrived: make(chan string, 10_000)}
	quiet.activateKey(t)
	require.NoError(t, quiet.call(t.Context(), "account.documentRules.publish", object{"account_id": quiet.accountID, "rules": rules(5, "Business", "business_age_years >= 5", nil)}, nil))
	w.workflowID = quiet.workflow(t, 2)
	w.configID = quiet.endpoint(t, func(answer http.ResponseWriter, r *http.Request) {
		var envelope struct {
			ID string `json:"id"`
		}
		if json.NewDecoder(r.Body).Decode(&envelope) == nil {
			w.arrived <- envelope.ID
		}
		answer.WriteHeader(http.StatusNoContent)
	})

	hog.activateKey(t)
	require.NoError(t, hog.call(t.Context(), "account.documentRules.publish", object{"account_id": hog.accountID, "rules": rules(5, "Business", pairs, nil)}, nil))
	large := hog.workflow(t, 200)
	hanging := hog.endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its caller is gone once it has read the body
		<-r.Context().Done()
	})

	w.measure(t) // so that everything is warm
	before := w.measure(t)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	answers := hog.worst(t, ctx, &group, large, hanging)
	during := w.measure(t)
	cancel()
	group.Wait()

	for _, of := range []struct {
		what         string
		alone, noisy []time.Duration
	}{{"calculations", before.calculations, during.calculations}, {"webhooks", before.webhooks, during.webhooks}, {"/healthz", before.health, during.health}} {
		t.Logf("%-12s p95 %8s alone, %8s beside the neighbor: %.1f times", of.what, p95(of.alone).Round(time.Millisecond/10), p95(of.noisy).Round(time.Millisecond/10), float64(p95(of.noisy))/float64(p95(of.alone)))
	}
	refusedForShare := false
	answers.Range(func(kind, n any) bool {
		t.Logf("the neighbor: %6d %s", n.(*atomic.Int64).Load(), kind)
		refusedForShare = refusedForShare || strings.Contains(kind.(string), "TOO_MANY_REQUESTS")
		return true
	})
	require.True(t, refusedForShare, "the neighbor takes no more than its share")
	for name, p := range map[string]*parts.Program{"api": s.API, "worker": s.Worker} {
		memory := p.PeakMemory(t)
		t.Logf("%s: at most %d MiB of memory", name, memory>>20)
		require.Less(t, memory, int64(mostMemory), name)
	}
}
