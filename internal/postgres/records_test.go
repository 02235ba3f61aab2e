package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

func TestARepeatGetsTheFirstOutcome(t *testing.T) {
	b := setup(t)
	call := b.call
	call.IdempotencyKey, call.BodySHA256 = "key", make([]byte, 32)
	create := func(r *postgres.Records) (any, error) {
		made, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Idem"})
		return map[string]id.BusinessID{"business_id": made.WireID()}, err
	}
	replies := make([]string, 20)
	var all sync.WaitGroup
	for i := range replies {
		all.Go(func() {
			reply, err := b.store.Write(t.Context(), call, create)
			if err != nil {
				replies[i] = err.Error()
				return
			}
			data, _ := json.Marshal(reply.Data)
			replies[i] = string(data)
		})
	}
	all.Wait()
	for _, reply := range replies {
		require.JSONEq(t, replies[0], reply)
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM business WHERE legal_name = 'Idem'`))

	other := call
	other.BodySHA256 = append(make([]byte, 31), 1)
	_, err := b.store.Write(t.Context(), other, create)
	require.Equal(t, refusal.IdempotencyKeyReused, refused(t, err).Code)
	for _, elsewhere := range []func(*domain.Call){
		func(c *domain.Call) { c.Operation = "another" },
		func(c *domain.Call) {
			_, second := b.newAccount("second", "UTC")
			c.Scope.OrganizationID = second.Scope.OrganizationID
		},
		func(c *domain.Call) { c.Scope.Environment = domain.Live },
	} {
		c := other
		elsewhere(&c)
		_, err := b.store.Write(t.Context(), c, func(*postgres.Records) (any, error) { return nil, nil })
		require.NoError(t, err, "the key belongs to its organization, environment and operation")
	}
}

func TestARefusalThatCanBeMendedIsNotKept(t *testing.T) {
	b := setup(t)
	call := b.call
	call.IdempotencyKey, call.BodySHA256 = "key", make([]byte, 32)
	err := b.try(call, func(r *postgres.Records) error {
		if _, err := r.CreateBusiness(t.Context(), b.account.WireID(), domain.Business{LegalName: "Half"}); err != nil {
			return err
		}
		return refusal.NotFound("Workflow", "w_1")
	})
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
	require.Zero(t, b.count(`SELECT count(*) FROM business WHERE legal_name = 'Half'`), "a refusal leaves nothing behind")
	require.NoError(t, b.try(call, func(*postgres.Records) error { return nil }))

	call.IdempotencyKey = "ended"
	err = b.try(call, func(*postgres.Records) error { return refusal.Ended("w_1") })
	require.Equal(t, refusal.WorkflowEnded, refused(t, err).SubCode)
	err = b.try(call, func(*postgres.Records) error { t.Error("not tried again"); return nil })
	require.Equal(t, refusal.WorkflowEnded, refused(t, err).SubCode)
}

// TestDispatchersAreToldOfEveryEvent: also when it was written under an idempotency
// key, in a part of the transaction.
func TestDispatchersAreToldOfEveryEvent(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.endpoint()
	conn := b.pool().Config().ConnConfig
	listening, err := pgx.ConnectConfig(t.Context(), conn)
	require.NoError(t, err)
	defer listening.Close(t.Context())
	_, err = listening.Exec(t.Context(), `LISTEN webhook_delivery_due`)
	require.NoError(t, err)
	for _, key := range []string{"", "key"} {
		call := b.call
		call.IdempotencyKey, call.BodySHA256 = key, make([]byte, 32)
		require.NoError(t, b.try(call, func(r *postgres.Records) error {
			_, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Started)
			return err
		}))
		within, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := listening.WaitForNotification(within)
		cancel()
		require.NoError(t, err, "with the key %q", key)
	}
}

func TestNothingIsVisibleFromOutside(t *testing.T) {
	b := setup(t)
	document := b.publishOne()
	_, stranger := b.newAccount("stranger", "UTC")
	live := b.call
	live.Scope.Environment = domain.Live
	ctx := t.Context()
	var info domain.SalesInfo
	b.write(b.call, func(r *postgres.Records) (err error) {
		info, err = r.CreateSalesInfo(ctx, b.business.WireID(), nil)
		return err
	})
	operations := map[string]func(r *postgres.Records) error{
		"Account":  func(r *postgres.Records) error { _, err := r.Account(ctx, b.account.WireID()); return err },
		"Business": func(r *postgres.Records) error { _, err := r.Business(ctx, b.business.WireID()); return err },
		"CreateBusiness": func(r *postgres.Records) error {
			_, err := r.CreateBusiness(ctx, b.account.WireID(), domain.Business{LegalName: "x"})
			return err
		},
		"UpdateBusiness": func(r *postgres.Records) error {
			return r.UpdateBusiness(ctx, b.business.WireID(), func(*domain.Business) {})
		},
		"Person": func(r *postgres.Records) error { _, err := r.Person(ctx, b.person.WireID()); return err },
		"CreatePerson": func(r *postgres.Records) error {
			_, err := r.CreatePerson(ctx, b.business.WireID(), domain.Person{FirstName: "x", LastName: "y"})
			return err
		},
		"UpdatePerson": func(r *postgres.Records) error {
			return r.UpdatePerson(ctx, b.person.WireID(), func(*domain.Person) {})
		},
		"DeletePerson": func(r *postgres.Records) error { return r.DeletePerson(ctx, b.person.WireID()) },
		"CreateSalesInfo": func(r *postgres.Records) error {
			_, err := r.CreateSalesInfo(ctx, b.business.WireID(), nil)
			return err
		},
		"DeleteSalesInfo": func(r *postgres.Records) error { return r.DeleteSalesInfo(ctx, info.WireID()) },
		"Workflow":        func(r *postgres.Records) error { _, err := r.Workflow(ctx, b.workflow.WireID()); return err },
		"CreateWorkflow": func(r *postgres.Records) error {
			_, err := r.CreateWorkflow(ctx, b.account.WireID(), b.business.WireID(), domain.Started)
			return err
		},
		"StartWorkflow":    func(r *postgres.Records) error { return r.StartWorkflow(ctx, b.workflow.WireID()) },
		"CompleteWorkflow": func(r *postgres.Records) error { return r.CompleteWorkflow(ctx, b.workflow.WireID()) },
		"Workflows": func(r *postgres.Records) error {
			_, _, err := r.Workflows(ctx, b.account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 1})
			return err
		},
		"RequiredDocuments": func(r *postgres.Records) error {
			_, _, err := r.RequiredDocuments(ctx, b.workflow.WireID(), "", nil)
			return err
		},
		"UpdateDocumentStatus": func(r *postgres.Records) error {
			return r.UpdateDocumentStatus(ctx, id.Must[id.RequiredDocumentID](document), "NEEDS_REVIEW")
		},
		"RuleSet": func(r *postgres.Records) error {
			_, err := r.RuleSet(ctx, b.account.WireID(), id.RuleSetVersionID{})
			return err
		},
		"RuleSets": func(r *postgres.Records) error { _, err := r.RuleSets(ctx, b.account.WireID()); return err },
		"PublishRuleSet": func(r *postgres.Records) error {
			_, _, err := r.PublishRuleSet(ctx, b.account.WireID(), draft())
			return err
		},
		"PublishPricingModel": func(r *postgres.Records) error {
			_, _, err := r.PublishPricingModel(ctx, b.account.WireID(), draft())
			return err
		},
	}
	for name, operation := range operations {
		for _, call := range []domain.Call{stranger, live} {
			err := b.try(call, operation)
			require.Equal(t, refusal.EntityNotFound, refused(t, err).Code, name)
		}
	}
	run := b.run()
	run.Call = stranger
	_, err := b.calculate(run)
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
	_, err = b.store.Preview(ctx, stranger.Scope, b.workflow.WireID(), nil, nil)
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
}

func TestANonceIsUsedOnce(t *testing.T) {
	b := setup(t)
	now := time.Now()
	var accepted atomic.Int64
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if fresh, err := b.store.UseNonce(t.Context(), "sb_key", fmt.Sprintf("nonce-%010d", i%10), now); err == nil && fresh {
				accepted.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 10, accepted.Load())
	for after, want := range map[time.Duration]bool{15*time.Minute - time.Second: false} {
		fresh, err := b.store.UseNonce(t.Context(), "sb_key", "nonce-0000000007", now.Add(after))
		require.NoError(t, err)
		require.Equal(t, want, fresh)
	}
	fresh, err := b.store.UseNonce(t.Context(), "sb_key", "nonce-0000000007", now.Add(15*time.Minute))
	require.NoError(t, err)
	require.True(t, fresh)
}

func TestCredentials(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	made, secrets, err := b.operator.CreateCredential(ctx, b.call.Scope, domain.NewCredential{Name: "name"})
	require.NoError(t, err)
	_, proof, ok, err := b.store.ActiveCredential(ctx, made.APIKey)
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, proof.Secret, 33)

	conn, err := pgx.Connect(ctx, b.url)
	require.NoError(t, err)
	defer conn.Close(ctx)
	var dump string
	require.NoError(t, conn.QueryRow(ctx, `SELECT string_agg(c::text, ' ') FROM credential c`).Scan(&dump))
	for _, planted := range []string{secrets.SecretKey, secrets.AuthToken, fmt.Sprintf("%x", proof.Secret), fmt.Sprintf("%x", secrets.AuthToken)} {
		require.NotContains(t, dump, planted)
	}

	require.NoError(t, b.operator.RevokeCredential(ctx, made.APIKey))
	_, _, ok, err = b.store.ActiveCredential(ctx, made.APIKey)
	require.NoError(t, err)
	require.False(t, ok, "revoked at once")

	live := domain.Scope{OrganizationID: b.call.Scope.OrganizationID, Environment: domain.Live}
	_, _, err = b.operator.CreateCredential(ctx, live, domain.NewCredential{Name: "x", Policy: domain.Minimal})
	require.Error(t, err)
	forced, _, err := b.operator.CreateCredential(ctx, live, domain.NewCredential{Name: "x", Policy: domain.Minimal, Force: true})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(forced.APIKey, "lv_"))
	minimal, err := b.store.MinimalCredentials(ctx)
	require.NoError(t, err)
	require.Len(t, minimal, 1)
}

func TestTheDatabaseRefusesWhatMustNeverBe(t *testing.T) {
	b := setup(t)
	b.publishOne()
	ctx := t.Context()
	_, _, err := b.operator.CreateCredential(ctx, b.call.Scope, domain.NewCredential{Name: "name"})
	require.NoError(t, err)
	conn, err := pgx.Connect(ctx, b.url)
	require.NoError(t, err)
	defer conn.Close(ctx)
	for name, sql := range map[string]string{
		"a minimal live credential":       `UPDATE credential SET policy = 'minimal', environment = 'live', api_key = 'lv_' || substr(api_key, 4)`,
		"a key of the wrong environment":  `UPDATE credential SET environment = 'live'`,
		"a changed rule set":              `UPDATE rule_set SET content = '{}'`,
		"an inactive document's status":   `UPDATE required_document SET status = 'INACTIVE'`,
		"a document without a reason":     `UPDATE required_document SET reasons = '[]'`,
		"a document twice":                `INSERT INTO required_document SELECT gen_random_uuid(), workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at FROM required_document`,
		"an ended workflow without a day": `UPDATE workflow SET state = 'ENDED'`,
		"a score without its moment":      `UPDATE workflow SET evaluation_score = 1`,
		"another account's business":      `UPDATE workflow SET account_id = gen_random_uuid()`,
		"a share above a hundred":         `UPDATE person SET ownership_percentage = 100.01`,
		"an unknown environment":          `UPDATE account SET environment = 'test'`,
	} {
		_, err := conn.Exec(ctx, sql)
		require.Error(t, err, name)
	}
}

func TestPagesHaveNeitherGapsNorRepeats(t *testing.T) {
	b := setup(t)
	made := []id.WorkflowID{b.workflow.WireID()}
	for range 9 {
		b.write(b.call, func(r *postgres.Records) error {
			w, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Created)
			made = append([]id.WorkflowID{w.WireID()}, made...)
			return err
		})
	}
	var seen []id.WorkflowID
	page := domain.Page{Limit: 3}
	for {
		found, next, err := b.store.Records(b.call.Scope).Workflows(t.Context(), b.account.WireID(), domain.WorkflowFilter{BusinessID: b.business.WireID()}, page)
		require.NoError(t, err)
		for _, w := range found {
			seen = append(seen, w.WireID())
		}
		if next == "" {
			break
		}
		page.After = next
		b.write(b.call, func(r *postgres.Records) error { // one more arrives while somebody reads
			_, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Created)
			return err
		})
	}
	require.Equal(t, made, seen)
}

func TestVersionsOfRules(t *testing.T) {
	b := setup(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { b.publish(rule(fmt.Sprintf("D%d", i), "")) })
	}
	all.Wait()
	versions, err := b.store.Records(b.call.Scope).RuleSets(t.Context(), b.account.WireID())
	require.NoError(t, err)
	require.Len(t, versions, 20)
	for i, v := range versions {
		require.Equal(t, 20-i, v.Version)
		require.Equal(t, "tester", v.PublishedBy)
	}
	current, err := b.store.Records(b.call.Scope).RuleSet(t.Context(), b.account.WireID(), id.RuleSetVersionID{})
	require.NoError(t, err)
	require.Equal(t, versions[0].ID, current.ID)
	b.write(b.call, func(r *postgres.Records) error {
		p, changed, err := r.PublishRuleSet(t.Context(), b.account.WireID(), domain.Draft{Content: []byte(current.Content), EnvironmentVersion: 1, CostLimit: 1})
		require.False(t, changed)
		require.Equal(t, current.ID, p.ID)
		return err
	})
}

func TestPruningKeepsWhatIsNotDue(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	call := b.call
	call.IdempotencyKey, call.BodySHA256 = "key", make([]byte, 32)
	b.write(call, func(*postgres.Records) error { return nil })
	b.publishOne()
	for nonce, used := range map[string]time.Duration{"nonce-0000000007": 0, "nonce-of-long-ago": 16 * time.Minute} {
		_, err := b.store.UseNonce(ctx, "sb_key", nonce, time.Now().Add(-used))
		require.NoError(t, err)
	}

	b.clock.Store(int64(-time.Hour))
	pruned, err := b.operator.Prune(ctx, postgres.Retention{}, func(domain.Pruned) {})
	require.NoError(t, err)
	require.Zero(t, pruned)
	b.clock.Store(int64(16 * time.Minute))
	pruned, err = b.operator.Prune(ctx, postgres.Retention{}, func(domain.Pruned) {})
	require.NoError(t, err)
	require.Equal(t, domain.Pruned{Nonces: 1}, pruned, "a clock that is ahead takes no nonce before its time")
	b.clock.Store(int64(25 * time.Hour))
	pruned, err = b.operator.Prune(ctx, postgres.Retention{}, func(domain.Pruned) {})
	require.NoError(t, err)
	require.Zero(t, pruned, "outcomes are kept for a day at least")
	b.clock.Store(int64(postgres.DefaultOutcomeLife + time.Hour))
	pruned, err = b.operator.Prune(ctx, postgres.Retention{}, func(domain.Pruned) {})
	require.NoError(t, err)
	require.Equal(t, domain.Pruned{Idempotency: 1, RunOutcomes: 1}, pruned)
}

func TestMigrationsRunOnceWhoeverComes(t *testing.T) {
	b := setup(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			applied, err := b.operator.Migrate(t.Context())
			if err != nil || applied != 0 {
				t.Errorf("applied %d: %v", applied, err)
			}
		})
	}
	all.Wait()
}

func TestAnIDIsNoSecondSpelling(t *testing.T) {
	b := setup(t)
	padded := string(id.Workflow) + "0" + strings.TrimPrefix(b.workflow.WireID().String(), "w_")
	_, err := b.store.Records(b.call.Scope).Workflow(t.Context(), id.Must[id.WorkflowID](padded))
	require.Equal(t, refusal.EntityNotFound, refused(t, err).Code)
}
