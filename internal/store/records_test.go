package store_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

func TestIdempotencyKey_RepeatGetsTheFirstResult(t *testing.T) {
	b := setup(t)
	call := b.keyed("key")
	create := func(r *store.Records) (any, error) {
		made, err := r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Idem"})
		return map[string]id.BusinessID{"business_id": made.WireID()}, err
	}
	replies := make([]string, 20)
	pgtest.AtOnce(len(replies), func(i int) {
		reply, err := b.Store.Write(t.Context(), call, create)
		if err != nil {
			replies[i] = err.Error()
			return
		}
		data, _ := json.Marshal(reply.Data)
		replies[i] = string(data)
	})
	for _, reply := range replies {
		require.JSONEq(t, replies[0], reply)
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM business WHERE legal_name = 'Idem'`))

	other := call
	other.BodySHA256 = append(make([]byte, 31), 1)
	_, err := b.Store.Write(t.Context(), other, create)
	require.Equal(t, refusal.IdempotencyKeyReused, pgtest.Refused(t, err).Code)
	for _, elsewhere := range []func(*domain.Call){
		func(c *domain.Call) { c.Operation = "another" },
		func(c *domain.Call) {
			_, second := b.NewAccount("second", "UTC")
			c.Scope.OrganizationID = second.Scope.OrganizationID
		},
		func(c *domain.Call) { c.Scope.Environment = domain.Live },
	} {
		c := other
		elsewhere(&c)
		require.NoError(t, b.Try(c, func(*store.Records) error { return nil }), "the key belongs to its organization, environment and operation")
	}
}

func TestIdempotencyKey_KeepsOnlyFinalRefusals(t *testing.T) {
	b := setup(t)
	call := b.keyed("key")
	err := b.Try(call, func(r *store.Records) error {
		return cmp.Or(only(r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Half"})), error(refusal.NotFound("Workflow", "w_1")))
	})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	require.Zero(t, b.Count(`SELECT count(*) FROM business WHERE legal_name = 'Half'`), "a refusal leaves nothing behind")
	require.NoError(t, b.Try(call, func(*store.Records) error { return nil }))

	call.IdempotencyKey = "ended"
	err = b.Try(call, func(*store.Records) error { return refusal.Ended("w_1") })
	require.Equal(t, refusal.WorkflowEnded, pgtest.Refused(t, err).SubCode)
	err = b.Try(call, func(*store.Records) error { t.Error("not tried again"); return nil })
	require.Equal(t, refusal.WorkflowEnded, pgtest.Refused(t, err).SubCode)
}

// A refusal is stored in a transaction of its own. All requests get the outcome that was stored
// first.
func TestIdempotencyKey_RepeatsAtOnceGetOneOutcome(t *testing.T) {
	b := setup(t)
	var tried atomic.Int64
	outcomes := make([]string, 20)
	pgtest.AtOnce(len(outcomes), func(i int) {
		reply, err := b.Store.Write(t.Context(), b.keyed("key"), func(*store.Records) (any, error) {
			if n := tried.Add(1); n%2 == 0 {
				return n, nil
			}
			return nil, refusal.Ended("w_1")
		})
		outcomes[i] = fmt.Sprintf("%s %v", reply.Data, err)
	})
	for _, outcome := range outcomes {
		require.Equal(t, outcomes[0], outcome)
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM outcome`))
}

func TestIdempotencyKey_RepeatOfARunningRequestIsInProgress(t *testing.T) {
	b := setup(t)
	b.Store = server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Connections: db.Connections{Lock: 100 * time.Millisecond}})
	nothing := func(*store.Records) error { return nil }
	run := b.Run()
	run.Call = b.keyed("key")
	require.NoError(t, b.Try(run.Call, func(*store.Records) error {
		require.Equal(t, refusal.RequestInProgress, pgtest.Refused(t, b.Try(run.Call, nothing)).Code)
		require.NoError(t, b.Try(b.keyed("another key"), nothing))
		err := only(b.Store.LongRuns.KeepRecovered(t.Context(), run, id.WebhookConfigID{}, domain.Recovered{}))
		require.True(t, db.Busy(err), "the step of a run is retried: %v", err)
		return nil
	}))
	require.NoError(t, b.Try(run.Call, func(*store.Records) error { t.Error("not tried again"); return nil }))
}

// TestEvent_NotifiesDispatchers: also when it was written under an idempotency
// key, in a part of the transaction.
func TestEvent_NotifiesDispatchers(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.Endpoint()
	listening, err := pgx.Connect(t.Context(), b.URL)
	require.NoError(t, err)
	defer listening.Close(t.Context())
	require.NoError(t, only(listening.Exec(t.Context(), `LISTEN webhook_delivery_due`)))
	for _, key := range []string{"", "key"} {
		arrived := make(chan error, 1)
		go func() { arrived <- only(listening.WaitForNotification(await.Context(t))) }()
		for n, notified := 0, false; !notified; n++ { // one that could not be sent for two seconds is given up
			call := b.Call
			if key != "" {
				call = b.keyed(fmt.Sprint(key, n))
			}
			require.NoError(t, b.Try(call, func(r *store.Records) error {
				return only(r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started}))
			}))
			select {
			case err := <-arrived:
				require.NoError(t, err, "with the key %q", key)
				notified = true
			case <-time.After(5 * time.Second):
			}
		}
	}
}

func TestRecords_OfOtherTenantsAreNotFound(t *testing.T) {
	b := setup(t)
	required := b.publishOne()
	_, stranger := b.NewAccount("stranger", "UTC")
	live := b.Call
	live.Scope.Environment = domain.Live
	ctx := t.Context()
	var info domain.SalesInfo
	b.Write(b.Call, func(r *store.Records) (err error) {
		info, err = r.Businesses.CreateSalesInfo(ctx, b.Business.WireID(), id.SalesInfoID{}, nil)
		return err
	})
	operations := map[string]func(r *store.Records) error{
		"Account":          func(r *store.Records) error { return only(r.Tenants.Get(ctx, b.Account.WireID())) },
		"Business":         func(r *store.Records) error { return only(r.Businesses.Get(ctx, b.Business.WireID())) },
		"BusinessOnRecord": func(r *store.Records) error { return only(r.Businesses.Stored(ctx, b.Business.WireID())) },
		"Businesses": func(r *store.Records) error {
			return only2(r.Businesses.List(ctx, b.Account.WireID(), "", domain.Page{Limit: 1}))
		},
		"Persons": func(r *store.Records) error {
			return only2(r.Persons.List(ctx, b.Business.WireID(), "", domain.Page{Limit: 1}))
		},
		"CreateBusiness": func(r *store.Records) error {
			return only(r.Applicants.CreateBusiness(ctx, b.Account.WireID(), domain.Business{LegalName: "x"}))
		},
		"UpdateBusiness": func(r *store.Records) error {
			return r.Businesses.Update(ctx, b.Business.WireID(), domain.CustomChange{}, func(*domain.Business) {})
		},
		"Person": func(r *store.Records) error { return only(r.Persons.Get(ctx, b.Person.WireID())) },
		"CreatePerson": func(r *store.Records) error {
			return only(r.Persons.Create(ctx, b.Business.WireID(), store.PersonPath, domain.Person{FirstName: new("x"), LastName: new("y")}))
		},
		"UpdatePerson": func(r *store.Records) error {
			return r.Persons.Update(ctx, b.Person.WireID(), domain.CustomChange{}, func(*domain.Person) {})
		},
		"DeletePerson": func(r *store.Records) error { return r.Persons.Delete(ctx, b.Person.WireID()) },
		"CreateSalesInfo": func(r *store.Records) error {
			return only(r.Businesses.CreateSalesInfo(ctx, b.Business.WireID(), id.SalesInfoID{}, nil))
		},
		"DeleteSalesInfo": func(r *store.Records) error { return r.Businesses.DeleteSalesInfo(ctx, info.WireID()) },
		"Workflow":        func(r *store.Records) error { return only(r.Workflows.Get(ctx, b.Workflow.WireID())) },
		"CreateWorkflow": func(r *store.Records) error {
			return only(r.Workflows.Create(ctx, b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started}))
		},
		"StartWorkflow":    func(r *store.Records) error { return r.Workflows.Start(ctx, b.Workflow.WireID()) },
		"CompleteWorkflow": func(r *store.Records) error { return only(r.Workflows.Complete(ctx, b.Workflow.WireID(), false)) },
		"Workflows": func(r *store.Records) error {
			return only2(r.Workflows.List(ctx, b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 1}))
		},
		"RequiredDocuments": func(r *store.Records) error {
			return only2(r.Documents.List(ctx, b.Workflow.WireID(), calculation.DocumentFilter{}, nil))
		},
		"RequiredDocument": func(r *store.Records) error {
			return only(r.Documents.Get(ctx, id.Must[id.RequiredDocumentID](required)))
		},
		"WorkflowWithFindings": func(r *store.Records) error {
			return only(r.Workflows.WithFindings(ctx, b.Workflow.WireID()))
		},
		"UpdateDocumentStatus": func(r *store.Records) error {
			return only(r.Documents.Update(ctx, id.Must[id.RequiredDocumentID](required), document.Review{Status: "NEEDS_REVIEW"}, id.DecisionID{}))
		},
		"CountOpen": func(r *store.Records) error { return only(r.Previews.CountOpen(ctx, b.Account.WireID())) },
		"RuleSet": func(r *store.Records) error {
			return only(r.Rules.Version(ctx, b.Account.WireID(), id.RuleSetVersionID{}))
		},
		"RuleSets": func(r *store.Records) error {
			return only2(r.Rules.List(ctx, b.Account.WireID(), domain.Page{Limit: 1}))
		},
		"PublishRuleSet":      func(r *store.Records) error { return only(r.Rules.Publish(ctx, b.Account.WireID(), draft())) },
		"PublishPricingModel": func(r *store.Records) error { return only(r.Rules.PublishPrices(ctx, b.Account.WireID(), draft())) },
	}
	for name, operation := range operations {
		for _, call := range []domain.Call{stranger, live} {
			err := b.Try(call, operation)
			require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, name)
		}
	}
	run := b.Run()
	run.Call = stranger
	for name, err := range map[string]error{
		"calculate":   only(b.calculate(run)),
		"Preview":     only(b.Store.Preview(ctx, stranger.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, nil)),
		"PreviewOpen": only(b.Store.PreviewOpen(ctx, stranger.Scope, b.Account.WireID(), domain.Page{Limit: 1}, store.Tried{}, b.Now(), nil, nil)),
		"LoadFacts":   only(b.Store.LoadFacts(ctx, stranger, b.Workflow.WireID(), b.Now())),
	} {
		require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code, name)
	}
}

func TestNonce_IsAcceptedOnce(t *testing.T) {
	b := setup(t)
	now := time.Now()
	var accepted atomic.Int64
	use := func(nonce int, at time.Time) bool {
		fresh, err := b.Store.Credentials.UseNonce(t.Context(), "sb_key", fmt.Sprintf("nonce-%010d", nonce), at)
		assert.NoError(t, err)
		return fresh
	}
	pgtest.AtOnce(200, func(i int) {
		if use(i%10, now) {
			accepted.Add(1)
		}
	})
	require.EqualValues(t, 10, accepted.Load())
	require.False(t, use(7, now.Add(15*time.Minute-time.Second)))
	require.True(t, use(7, now.Add(15*time.Minute)))
}

func TestCredential_CreateAndRevoke(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	made, secrets := b.newCredential(domain.NewCredential{})
	_, proof := b.authenticate(made.APIKey)
	require.Len(t, proof.Secret, 33)

	var dump string
	require.NoError(t, b.Pool().QueryRow(ctx, `SELECT string_agg(c::text, ' ') FROM credential c`).Scan(&dump))
	for _, planted := range []string{secrets.SecretKey, secrets.AuthToken, fmt.Sprintf("%x", proof.Secret), fmt.Sprintf("%x", secrets.AuthToken)} {
		require.NotContains(t, dump, planted)
	}

	require.NoError(t, b.Operator.Credentials.Revoke(ctx, made.APIKey))
	_, _, ok, err := b.Store.Credentials.Active(ctx, made.APIKey)
	require.NoError(t, err)
	require.False(t, ok, "revoked at once")

	live := domain.Scope{OrganizationID: b.Call.Scope.OrganizationID, Environment: domain.Live}
	require.Error(t, only2(b.Operator.Credentials.Create(ctx, live, domain.NewCredential{Name: "x", Policy: domain.Minimal})))
	forced, _, err := b.Operator.Credentials.Create(ctx, live, domain.NewCredential{Name: "x", Policy: domain.Minimal, Force: true})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(forced.APIKey, "lv_"))
	minimal, err := b.Store.Credentials.Minimal(ctx)
	require.NoError(t, err)
	require.Len(t, minimal, 1)
}

func TestSchema_RejectsInvalidRows(t *testing.T) {
	b := setup(t)
	b.publishOne()
	b.newCredential(domain.NewCredential{})
	key, unused := b.MustKey().KeyID, b.MustKey().KeyID
	require.NoError(t, only(b.Activate(key)))
	for name, sql := range map[string]string{
		"a minimal live credential":       `UPDATE credential SET policy = 'minimal', environment = 'live', api_key = 'lv_' || substr(api_key, 4)`,
		"a key of the wrong environment":  `UPDATE credential SET environment = 'live'`,
		"a changed rule set":              `UPDATE rule_set SET content = '{}'`,
		"an inactive document's status":   `UPDATE required_document SET status = 'INACTIVE'`,
		"a document without a reason":     `UPDATE required_document SET reasons = '[]'`,
		"a document twice":                `INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).* FROM required_document d`,
		"an ended workflow without a day": `UPDATE workflow SET state = 'ENDED'`,
		"a score without its moment":      `UPDATE workflow SET evaluation_score = 1`,
		"another account's business":      `UPDATE workflow SET account_id = gen_random_uuid()`,
		"a share above a hundred":         `UPDATE person SET ownership_percentage = 100.01`,
		"an unknown environment":          `UPDATE account SET environment = 'test'`,
		"two active keys":                 `UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE key_id = '` + unused + `'`,
		"a 101st key":                     `UPDATE webhook_key SET iteration = 101, key_id = regexp_replace(key_id, '..$', '01') WHERE key_id = '` + unused + `'`,
		"a number of another day":         `UPDATE webhook_key SET day = day + 1`,
		"an id of another number":         `UPDATE webhook_key SET iteration = 99`,
		"one number twice":                `UPDATE webhook_key SET iteration = 1, key_id = regexp_replace(key_id, '..$', '01')`,
		"active but not activated":        `UPDATE webhook_key SET activated_at = NULL WHERE status = 'ACTIVE'`,
		"deleted at no time":              `UPDATE webhook_key SET status = 'DELETED' WHERE status = 'ACTIVE'`,
	} {
		require.Error(t, b.Exec(sql), name)
	}
}

func TestWorkflows_PagesHaveNoGapsOrRepeats(t *testing.T) {
	b := setup(t)
	made := []id.WorkflowID{b.Workflow.WireID()}
	for range 9 {
		b.Pass(time.Millisecond)
		b.Write(b.Call, func(r *store.Records) error {
			w, err := r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Created})
			made = append([]id.WorkflowID{w.WireID()}, made...)
			return err
		})
	}
	var seen []id.WorkflowID
	page := domain.Page{Limit: 3}
	for {
		found, next, err := b.Store.Records(b.Call.Scope).Workflows.List(t.Context(), b.Account.WireID(), domain.WorkflowFilter{BusinessID: b.Business.WireID()}, page)
		require.NoError(t, err)
		for _, w := range found {
			seen = append(seen, w.WireID())
		}
		if next == "" {
			break
		}
		page.After = next
		require.NoError(t, b.tryWorkflow(domain.Created), "one more arrives while somebody reads")
	}
	require.Equal(t, made, seen)
}

func TestRuleSets_AreNumbered(t *testing.T) {
	b := setup(t)
	pgtest.AtOnce(20, func(i int) { assert.NoError(t, b.tryPublish(rule(fmt.Sprintf("D%d", i), ""))) })
	versions, _, err := b.Store.Records(b.Call.Scope).Rules.List(t.Context(), b.Account.WireID(), domain.Page{Limit: 100})
	require.NoError(t, err)
	require.Len(t, versions, 20)
	for i, v := range versions {
		require.Equal(t, 20-i, v.Version)
		require.Equal(t, "tester", v.PublishedBy)
	}
	current, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), id.RuleSetVersionID{})
	require.NoError(t, err)
	require.Equal(t, versions[0].ID, current.ID)
	b.Write(b.Call, func(r *store.Records) error {
		p, err := r.Rules.Publish(t.Context(), b.Account.WireID(), calculation.NewDraft([]byte(current.Content)))
		require.False(t, p.Changed)
		require.Equal(t, current.ID, p.ID)
		return err
	})
}

func TestPrune_KeepsRecentRecords(t *testing.T) {
	b := setup(t)
	b.Write(b.keyed("key"), func(*store.Records) error { return nil })
	b.publishOne()
	for nonce, used := range map[string]time.Duration{"nonce-0000000007": 0, "nonce-of-long-ago": 16 * time.Minute} {
		require.NoError(t, only(b.Store.Credentials.UseNonce(t.Context(), "sb_key", nonce, time.Now().Add(-used))))
	}

	for _, one := range []struct {
		at   time.Duration
		want domain.Pruned
		why  string
	}{
		{-time.Hour, domain.Pruned{}, "everything is young"},
		{16 * time.Minute, domain.Pruned{Nonces: 1}, "a clock that is ahead takes no nonce before its time"},
		{25 * time.Hour, domain.Pruned{}, "outcomes are kept for a day at least"},
		{store.DefaultOutcomeLife + time.Hour, domain.Pruned{Outcomes: 3}, "all have reached their age: a write, and a calculation with its repeat"},
	} {
		b.Clock.Store(int64(one.at))
		require.Equal(t, one.want, b.prune(store.Retention{}), one.why)
	}
}

func TestID_HasOneSpelling(t *testing.T) {
	b := setup(t)
	padded := string(id.Workflow) + "0" + strings.TrimPrefix(b.Workflow.WireID().String(), "w_")
	_, err := b.Store.Records(b.Call.Scope).Workflows.Get(t.Context(), id.Must[id.WorkflowID](padded))
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}
