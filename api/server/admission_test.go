package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"

	"requisite/api/limits"
	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/webhook"
	"requisite/workflows"
)

// tenant is a caller of an api with a Postgres database. The api's clock stands still.
type tenant struct {
	*testing.T
	*Server
	url          string
	operator     *store.Store
	signer       requisite.Signer
	organization id.UUID
	account      string
	key          string // the API key
	at           time.Time
}

func newTenant(t *testing.T, set Settings) *tenant {
	serving, operator, url := database.Stores(t, nil)
	c := &tenant{T: t, operator: operator, url: url, at: time.Now()}
	c.belong("first")
	set.Patience, set.Guard = time.Hour, webhook.NewGuard(webhook.DefaultPorts(), nil)
	if set.Bounds.Share == 0 {
		set.Bounds.Share = 100
	}
	if set.MaxBodies == 0 {
		set.MaxBodies = 64 << 20
	}
	c.Server = New(serving, engine.New(serving.Versions, 1<<20), nil, nil, slog.New(slog.DiscardHandler), func() time.Time { return c.at }, set)
	c.slotPatience = time.Hour
	return c
}

// belong makes an organization with an account, and signs with a credential of it.
func (c *tenant) belong(name string) {
	c.Helper()
	account, call := pgtest.NewAccount(c, c.operator, name, "UTC")
	made, secrets, err := c.operator.Credentials.Create(c.Context(), call.Scope, domain.NewCredential{Name: "c"})
	require.NoError(c, err)
	c.organization, c.account, c.key = call.Scope.OrganizationID, account.WireID().String(), made.APIKey
	c.signer, err = requisite.NewSigner(made.APIKey, secrets.SecretKey, secrets.AuthToken)
	require.NoError(c, err)
}

// sign returns a function that sends the same signed request each time.
func (c *tenant) sign(operation, body string) func(context.Context) (status int, code string) {
	header := c.signed(operation, body)
	return func(ctx context.Context) (int, string) {
		w := c.send(ctx, operation, header, body)
		var envelope struct{ Errors []struct{ Code string } }
		require.NoError(c, json.Unmarshal(w.Body.Bytes(), &envelope))
		if len(envelope.Errors) > 0 {
			return w.Code, envelope.Errors[0].Code
		}
		return w.Code, ""
	}
}

// signed returns the header of a signed request, with an Idempotency-Key if one is given.
func (c *tenant) signed(operation, body string, idempotencyKey ...string) http.Header {
	header := http.Header{"Content-Type": {"application/json"}}
	if key := strings.Join(idempotencyKey, ""); key != "" {
		header.Set("Idempotency-Key", key)
	}
	c.signer.Sign("POST", "/"+operation, header, []byte(body), c.at)
	return header
}

func (c *tenant) send(ctx context.Context, operation string, header http.Header, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, "POST", "/"+operation, strings.NewReader(body))
	r.Header = header
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	declaredAnswers(c, c.api).holds(c, operation, w)
	return w
}

// with returns the same tenant with another credential.
func (c *tenant) with(wanted domain.NewCredential) *tenant {
	c.Helper()
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}
	made, secrets, err := c.operator.Credentials.Create(c.Context(), scope, wanted)
	require.NoError(c, err)
	other := *c
	other.key = made.APIKey
	other.signer, err = requisite.NewSigner(made.APIKey, secrets.SecretKey, secrets.AuthToken)
	require.NoError(c, err)
	return &other
}

func (c *tenant) answers(want int, code string, send func(context.Context) (int, string)) {
	c.Helper()
	status, found := send(c.Context())
	require.Equal(c, []any{want, code}, []any{status, found})
}

// becomes waits until get returns want.
func becomes[T comparable](t testing.TB, what string, want T, get func() T) {
	t.Helper()
	await.True(t, what, func(context.Context) error {
		if got := get(); got != want {
			return fmt.Errorf("%v, not %v", got, want)
		}
		return nil
	})
}

// exec runs a statement as the owner of the database.
func (c *tenant) exec(sql string) {
	c.Helper()
	conn, err := pgx.Connect(c.Context(), c.url)
	require.NoError(c, err)
	defer conn.Close(c.Context())
	_, err = conn.Exec(c.Context(), sql)
	require.NoError(c, err)
}

// count returns the number of rows of a table.
func (c *tenant) count(table string) (n int) {
	c.Helper()
	conn, err := pgx.Connect(c.Context(), c.url)
	require.NoError(c, err)
	defer conn.Close(c.Context())
	require.NoError(c, conn.QueryRow(c.Context(), `SELECT count(*) FROM `+table).Scan(&n))
	return n
}

// nonces counts the stored nonces.
func (c *tenant) nonces() int { return c.count("nonce") }

// getAccount returns a request for the tenant's account.
func (c *tenant) getAccount() func(context.Context) (status int, code string) {
	return c.sign("account.get", `{"account_id":"`+c.account+`"}`)
}

// TestRateLimit_CostsNoNonce: the caller may resend the request unchanged. A copy of a
// request does not count against the rate.
func TestRateLimit_CostsNoNonce(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{RateLimit: 1, Bounds: limits.Bounds{Waiting: 1}})
	first := c.getAccount()
	c.answers(200, "", first)
	for range 5 {
		c.answers(401, "AUTH_NONCE_REUSED", first)
	}
	c.answers(200, "", c.getAccount())
	third := c.getAccount()
	for range 3 {
		c.answers(429, "TOO_MANY_REQUESTS", third)
	}
	require.Equal(t, 2, c.nonces())
	c.at = c.at.Add(time.Second)
	c.answers(200, "", third)
	require.Equal(t, 3, c.nonces())
}

// TestRateLimit_IsInEachAuthenticatedAnswer, also in refusals.
func TestRateLimit_IsInEachAuthenticatedAnswer(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{RateLimit: 1, Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	fields := func(operation, body string, header http.Header) []any {
		w := c.send(t.Context(), operation, header, body)
		return []any{w.Code, w.Header().Get("RateLimit-Policy"), w.Header().Get("RateLimit")}
	}
	const operation, policy = "account.get", `"requests_per_second";q=2;w=2`
	for _, want := range [][]any{
		{200, policy, `"requests_per_second";r=1;t=1`}, {200, policy, `"requests_per_second";r=0;t=2`}, {429, policy, `"requests_per_second";r=0;t=2`},
	} {
		body := `{"account_id":"` + c.account + `"}`
		require.Equal(t, want, fields(operation, body, c.signed(operation, body)))
	}
	c.at = c.at.Add(time.Minute)
	require.Equal(t, []any{400, policy, `"requests_per_second";r=1;t=1`}, fields(operation, `{}`, c.signed(operation, `{}`)))
	forged := c.signed(operation, `{}`)
	forged.Set("Authorization", "Sig1-HMAC-SHA256 "+base64.StdEncoding.EncodeToString(make([]byte, 32)))
	require.Equal(t, []any{401, "", ""}, fields(operation, `{}`, forged), "a stranger learns nothing of the rate")

	unlimited := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	w := unlimited.send(t.Context(), operation, unlimited.signed(operation, `{}`), `{}`)
	require.NotContains(t, w.Header(), "Ratelimit")
}

// TestReplayed_MarksTheAnswerOfARepeat, a kept refusal too, and no other answer.
func TestReplayed_MarksTheAnswerOfARepeat(t *testing.T) {
	c := applicantTenant(t)
	_, workflow, _ := c.application(1)
	ask := func(operation, key, body string) (code int, replayed []string) {
		w := c.send(t.Context(), operation, c.signed(operation, body, key), body)
		return w.Code, w.Header().Values("Idempotent-Replayed")
	}
	for _, repeat := range []struct {
		operation, body string
		code            int
		kept            bool
	}{
		{"business.create", fmt.Sprintf(`{"account_id":%q,"business":{"legal_name":"Ltd"}}`, c.account), 200, true},
		{"workflow.start", fmt.Sprintf(`{"workflow_id":%q}`, workflow), 400, false}, // WORKFLOW_ALREADY_STARTED
		{"workflow.complete", fmt.Sprintf(`{"workflow_id":%q}`, workflow), 200, true},
		{"workflow.start", fmt.Sprintf(`{"workflow_id":%q}`, workflow), 400, true}, // WORKFLOW_ENDED
	} {
		key := fmt.Sprint(repeat.operation, repeat.kept)
		for _, key := range []string{key, ""} {
			code, replayed := ask(repeat.operation, key, repeat.body)
			if key != "" {
				require.Equal(t, repeat.code, code, repeat.operation)
			}
			require.Empty(t, replayed, "%s did it, or was refused itself", repeat.operation)
		}
		code, replayed := ask(repeat.operation, key, repeat.body)
		require.Equal(t, []any{repeat.code, repeat.kept}, []any{code, slices.Equal(replayed, []string{"true"})}, repeat.operation)
	}
}

// TestLackOfASlot_CostsNoNonce tries slots for requests and for waiting callers, and room
// for the body.
func TestLackOfASlot_CostsNoNonce(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	c.slotPatience, c.patience = time.Millisecond, time.Millisecond
	body := `{"account_id":"` + c.account + `"}`
	for operation, slots := range map[string]*limiter.Limiter{"account.get": c.Limiters.Requests, "webhook.key.create": c.Limiters.Waiting} {
		release, err := slots.Wait(t.Context(), c.organization.String(), 0)
		require.NoError(t, err)
		send := c.sign(operation, body)
		before := c.nonces()
		c.answers(429, "TOO_MANY_REQUESTS", send)
		c.answers(429, "TOO_MANY_REQUESTS", c.sign(operation, `{"malformed"`))
		require.Equal(t, before, c.nonces(), operation)
		release()
		require.Zero(t, c.Limiters.Runs.Stat().InUse)
		if operation == "account.get" {
			c.answers(200, "", send)
		}
	}
	tenant := c.organization.String()
	taken := c.Limiters.Bodies.Verified.Take(tenant, c.Limiters.Bodies.Verified.Free(tenant))
	send, before := c.sign("account.get", body), c.nonces()
	c.answers(429, "TOO_MANY_REQUESTS", send)
	require.Equal(t, before, c.nonces())
	c.Limiters.Bodies.Verified.Release(tenant, taken)
	c.answers(200, "", send)
	require.Zero(t, c.Limiters.Waiting.Stat().InUse+c.Limiters.Requests.Stat().InUse)
}

// TestRateLimit_CountsRequestsRefusedForLackOfASlot: otherwise a tenant at its limit could
// make the api verify any number of requests.
func TestRateLimit_CountsRequestsRefusedForLackOfASlot(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{RateLimit: 1, Bounds: limits.Bounds{Waiting: 5, Share: 20}})
	release, err := c.Limiters.Waiting.Wait(t.Context(), c.organization.String(), 0)
	require.NoError(t, err)
	send := c.sign("webhook.key.create", `{"account_id":"`+c.account+`"}`)
	for range 2 {
		c.answers(429, "TOO_MANY_REQUESTS", send)
	}
	release()
	c.answers(429, "TOO_MANY_REQUESTS", c.getAccount())
	require.Zero(t, c.nonces())
}

// TestRepeat_TakesNoSlotForARun: a repeat gets the stored outcome even while the
// organization has no slot for a run.
func TestRepeat_TakesNoSlotForARun(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	c.patience = time.Millisecond
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}
	var workflow domain.Workflow
	_, err := c.store.Write(t.Context(), domain.Call{Scope: scope, Actor: domain.System, Operation: "test"}, func(r *store.Records) (any, error) {
		var account id.AccountID
		require.NoError(t, account.Parse(c.account))
		business, err := r.Applicants.CreateBusiness(t.Context(), account, domain.Business{LegalName: "Ltd"})
		require.NoError(t, err)
		workflow, err = r.Workflows.Create(t.Context(), account, business.WireID(), domain.NewWorkflow{State: domain.Started})
		return struct{}{}, err
	})
	require.NoError(t, err)
	const operation = "workflow.requiredDocument.calculate"
	body := `{"workflow_id":"` + workflow.WireID().String() + `"}`
	hash := sha256.Sum256([]byte(body))
	_, err = c.store.Write(t.Context(), domain.Call{Scope: scope, Operation: operation, IdempotencyKey: "key", BodySHA256: hash[:]}, func(*store.Records) (any, error) {
		return calculation.RunResult{}, nil
	})
	require.NoError(t, err)
	release, err := c.Limiters.Runs.Wait(t.Context(), c.organization.String(), 0)
	require.NoError(t, err)
	c.answers(429, "TOO_MANY_REQUESTS", c.sign(operation, body))
	repeated := c.send(t.Context(), operation, c.signed(operation, body, "key"), body)
	require.Equal(t, []any{200, "true"}, []any{repeated.Code, repeated.Header().Get("Idempotent-Replayed")})
	release()
	require.Zero(t, c.Limiters.Runs.Stat().InUse)
}

// endedRun is a run that has ended with an answer.
type endedRun struct {
	client.WorkflowRun
	answer workflows.Answer[json.RawMessage]
}

func (r endedRun) Get(_ context.Context, answer any) error {
	*answer.(*workflows.Answer[json.RawMessage]) = r.answer
	return nil
}

// TestReplayed_MarksTheAnswerOfAnOpenRun that an earlier request with the Idempotency-Key has started.
func TestReplayed_MarksTheAnswerOfAnOpenRun(t *testing.T) {
	result := json.RawMessage(`{}`)
	for _, earlier := range []bool{false, true} {
		replyOf := func(answer workflows.Answer[json.RawMessage]) (wire.Reply, error) {
			return (&Server{}).replyOf(t.Context(), &openRun{WorkflowRun: endedRun{answer: answer}, earlier: earlier}, job{reply: replyWithResult}, inProgress())
		}
		reply, err := replyOf(workflows.Answer[json.RawMessage]{Result: &result})
		require.NoError(t, err)
		require.Equal(t, earlier, reply.Replayed)
		_, err = replyOf(workflows.Answer[json.RawMessage]{Refusal: refusal.Ended("w_1")})
		var refused *refusal.Refusal
		require.ErrorAs(t, err, &refused)
		require.Equal(t, earlier, refused.Replayed)
	}
}

// TestStillRunning_SaysWhatToDo, which depends on the Idempotency-Key.
func TestStillRunning_SaysWhatToDo(t *testing.T) {
	j := job{shownBy: "workflow.requiredDocument.list"}
	run := &openRun{WorkflowRun: runUntil{}}
	c := &caller{}
	require.Contains(t, j.stillRunning(run, c).Message, "read workflow.requiredDocument.list")
	c.call.IdempotencyKey = "key"
	require.Contains(t, j.stillRunning(run, c).Message, "Repeat the request with the same Idempotency-Key")
}

// runUntil is a run that ends when the test closes a channel.
type runUntil struct {
	client.WorkflowRun
	ended chan struct{}
}

func (r runUntil) Get(ctx context.Context, _ any) error {
	select {
	case <-r.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (runUntil) GetRunID() string { return "run" }

func (runUntil) GetID() string { return "id" }

// TestRun_KeepsItsSlotUntilItEnds, even if its caller has gone.
func TestRun_KeepsItsSlotUntilItEnds(t *testing.T) {
	t.Parallel()
	s := &Server{Limiters: limits.Limiters{Runs: limiter.New("runs", 5, 1)}}
	take := func() (func(), error) { return s.Limiters.Runs.Wait(t.Context(), "a", 0) }
	release, err := take()
	require.NoError(t, err)
	s.releaseWhenEnded(&openRun{WorkflowRun: runUntil{}, ended: true}, release)
	release, err = take()
	require.NoError(t, err, "the run had ended when its caller was answered")
	run := runUntil{ended: make(chan struct{})}
	s.releaseWhenEnded(&openRun{WorkflowRun: run}, release)
	_, err = take()
	require.ErrorIs(t, err, limiter.ErrBusy)
	close(run.ended)
	becomes(t, "runs in progress", 0, func() int { return s.Limiters.Runs.Stat().InUse })
}

// TestRun_IsAnsweredBeforeItEnds, and keeps its slot until it ends.
func TestRun_IsAnsweredBeforeItEnds(t *testing.T) {
	t.Parallel()
	s := &Server{Limiters: limits.Limiters{Runs: limiter.New("runs", 5, 1)}}
	release, err := s.Limiters.Runs.Wait(t.Context(), "a", 0)
	require.NoError(t, err)
	committed, ended := make(chan any, 1), make(chan *commonpb.Payloads, 1)
	run := &openRun{WorkflowRun: runUntil{}, followed: &temporalclient.Followed{Committed: committed, Ended: ended}}
	committed <- domain.CreatedKey{KeyID: "whk_20261120_01", Status: domain.KeyInactive}
	reply, err := s.replyOf(t.Context(), run, job{reply: replyWithResult}, inProgress())
	require.NoError(t, err)
	require.Contains(t, string(reply.Data.(json.RawMessage)), `"key_id":"whk_20261120_01"`)
	require.False(t, run.ended)
	s.releaseWhenEnded(run, release)
	require.Equal(t, 1, s.Limiters.Runs.Stat().InUse)
	ended <- nil
	becomes(t, "runs in progress", 0, func() int { return s.Limiters.Runs.Stat().InUse })
}

// TestRun_IsAnsweredWhenALongStepCommits, also after the api has asked Temporal, and also
// if another process gets the next task of the run.
func TestRun_IsAnsweredWhenALongStepCommits(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []time.Duration{0, askTemporalAfter / 2, 2 * askTemporalAfter} {
		synctest.Test(t, func(t *testing.T) {
			committed, ended := make(chan any, 1), make(chan *commonpb.Payloads)
			run := &openRun{WorkflowRun: runUntil{ended: make(chan struct{})}, followed: &temporalclient.Followed{Committed: committed, Ended: ended}}
			go func() {
				if elsewhere > 0 {
					time.Sleep(elsewhere)
					close(ended)
				}
				time.Sleep(3 * askTemporalAfter)
				committed <- domain.ActivatedKey{KeyID: "whk_20261120_01"}
			}()
			patience, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			started := time.Now()
			reply, err := (&Server{}).replyOf(patience, run, job{reply: replyWithResult}, inProgress())
			require.NoError(t, err)
			require.Contains(t, string(reply.Data.(json.RawMessage)), "whk_20261120_01")
			require.Equal(t, elsewhere+3*askTemporalAfter, time.Since(started))
		})
	}
}

// TestRun_IsAnsweredLateWhenPatienceEnds, before and after the api has asked Temporal.
func TestRun_IsAnsweredLateWhenPatienceEnds(t *testing.T) {
	t.Parallel()
	for _, patience := range []time.Duration{askTemporalAfter / 2, 2 * askTemporalAfter} {
		synctest.Test(t, func(t *testing.T) {
			run := &openRun{WorkflowRun: runUntil{ended: make(chan struct{})}, followed: &temporalclient.Followed{Committed: make(chan any), Ended: make(chan *commonpb.Payloads)}}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err := (&Server{}).replyOf(ctx, run, job{reply: replyWithResult}, inProgress())
			refused, is := refusal.FromError(err)
			require.True(t, is, "%v", err)
			require.Equal(t, refusal.RequestInProgress, refused.Code)
			require.False(t, run.ended)
		})
	}
}

// TestVerifiedBody_CountsUntilItIsDecoded: bodies of requests that wait for a slot occupy
// their tenant's own room.
func TestVerifiedBody_CountsUntilItIsDecoded(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 1, Requests: 5, Share: 20}})
	release, err := c.Limiters.Requests.Wait(t.Context(), c.organization.String(), 0)
	require.NoError(t, err)
	held := func() int { return c.Limiters.Bodies.Verified.Stat().InUse }
	ctx, cancel := context.WithCancel(t.Context())
	var sent sync.WaitGroup
	large := `{"account_id":"` + c.account + `","padding":"` + strings.Repeat("x", 1<<20-200) + `"}`
	for range 3 {
		send := c.sign("account.documentRules.publish", large)
		sent.Go(func() { send(ctx) })
	}
	becomes(t, "waiting callers", 3, func() int { return c.Limiters.Requests.Stat().Waiting })
	require.GreaterOrEqual(t, held(), 3*len(large))
	cancel()
	sent.Wait()
	require.Zero(t, held())
	release()
	c.answers(400, "BAD_REQUEST", c.sign("account.documentRules.publish", large))
	require.Zero(t, held()+c.Limiters.Bodies.Unverified.Stat().InUse)
}
