package harness

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
)

// Publish puts one rule in force, which requires a document of the Business if the
// condition is true.
func (s *Stack) Publish(t testing.TB, when string) {
	s.Must(t, "account.documentRules.publish", Object{"account_id": s.AccountID, "rules": Object{
		"documents": []Object{{
			"document_type_code": "OLD", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Business", "when": when,
		}},
	}}, nil)
}

// Application creates a business and a workflow for it. It also publishes one rule, which
// requires one document.
func (s *Stack) Application(t testing.TB) Request {
	var business struct {
		ID string `json:"business_id"`
	}
	s.Publish(t, "business_age_years >= 5")
	s.Must(t, "business.create", Object{"account_id": s.AccountID, "business": Object{"legal_name": "Outage Ltd", "established_date": "2001-01-01"}}, &business)
	var w Request
	s.Must(t, "workflow.create", Object{"account_id": s.AccountID, "workflow": Object{"business_id": business.ID}}, &w)
	return w
}

// CopyApplication copies a workflow that was never calculated n times, each with a business of its own.
func (s *Stack) CopyApplication(t testing.TB, workflowID string, n int) {
	t.Helper()
	of := id.Must[id.WorkflowID](workflowID).UUID
	_, err := s.Exec(t.Context(), `
		WITH copied AS (SELECT w.*, g FROM workflow w, generate_series(1, $2::int) g WHERE w.id = $1), businesses AS (
			INSERT INTO business
			SELECT (jsonb_populate_record(b, jsonb_build_object('id', md5('business' || c.g || c.id)::uuid))).*
			FROM copied c JOIN business b ON b.id = c.business_id)
		INSERT INTO workflow
		SELECT (jsonb_populate_record(w, jsonb_build_object(
			'id', md5('workflow' || c.g || c.id)::uuid, 'business_id', md5('business' || c.g || c.id)::uuid))).*
		FROM copied c JOIN workflow w ON w.id = c.id`, of, n)
	require.NoError(t, err)
	_, err = s.Exec(t.Context(), `ANALYZE`)
	require.NoError(t, err)
}

// Documents lists the documents of a workflow. It retries, because the first requests after
// an outage may get broken connections.
func (s *Stack) Documents(t testing.TB, w Request) []json.RawMessage {
	t.Helper()
	var list struct {
		Documents []json.RawMessage `json:"required_documents"`
	}
	s.Await(t, "a list of the documents", func(ctx context.Context) error {
		_, err := s.Client.Call(ctx, "workflow.requiredDocument.list", w, &list)
		return err
	})
	return list.Documents
}

// Deliveries lists the account's deliveries that match filters, newest first, at most 200.
func (s *Stack) Deliveries(ctx context.Context, filters requisite.DeliveryListRequestFilters) ([]requisite.DeliveryView, error) {
	list, err := s.Client.WebhookDeliveryList(ctx, requisite.DeliveryListRequest{
		AccountID: s.AccountID, Filters: &filters, Page: &requisite.Page{Limit: new(int64(200))},
	})
	return list.Data.Deliveries, err
}

// Events counts the events of calculations that changed something.
func (s *Stack) Events(t testing.TB) int {
	var n int
	err := s.Query(t.Context(), `SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED' AND account_id = $1`, &n, s.AccountKey())
	require.NoError(t, err)
	return n
}

// AccountKey returns the id of the account in the database.
func (s *Stack) AccountKey() string { return id.Must[id.AccountID](s.AccountID).UUID.String() }

// Query reads one row of one column, as a superuser.
func (s *Stack) Query(ctx context.Context, sql string, target any, args ...any) error {
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.QueryRow(ctx, sql, args...).Scan(target)
}

// Exec runs a statement as a superuser, and returns the number of changed rows.
func (s *Stack) Exec(ctx context.Context, sql string, args ...any) (rows int64, err error) {
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	tag, err := conn.Exec(ctx, sql, args...)
	return tag.RowsAffected(), err
}

// Must calls an operation that must succeed.
func (s *Stack) Must(t testing.TB, operation string, in, out any, options ...requisite.Option) requisite.Answer {
	t.Helper()
	answer, err := s.Client.Call(t.Context(), operation, in, out, options...)
	require.NoError(t, err, operation)
	return answer
}

// Call calls an operation. It repeats the request with one Idempotency-Key until the service has time for it: on a slow
// machine, the service gives up what takes longer than some seconds. No other refusal or failure is repeated. The key
// changes the id of a run, and costs a row.
func Call(ctx context.Context, c *requisite.Client, operation string, in, out any, options ...requisite.Option) (requisite.Answer, error) {
	// A key of the caller overrides this one.
	options = append([]requisite.Option{requisite.IdempotencyKey(rand.Text())}, options...)
	for {
		answer, err := c.Call(ctx, operation, in, out, options...)
		if len(answer.Errors) == 0 || !LaterCode(answer.Errors[0].Code) {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, err
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// LaterCode reports whether a request that was refused with a code may succeed later, if it is the same.
func LaterCode(code string) bool {
	switch code {
	case requisite.CodeTooManyRequests, requisite.CodeUnavailable, requisite.CodeStillRunning, requisite.CodeRequestInProgress:
		return true
	default:
		return false
	}
}

type createdKey struct {
	KeyID        string `json:"key_id"`
	SharedSecret []byte `json:"shared_secret"`
}

// CreateKey creates an INACTIVE webhook key of an account, as Call does. If its secret was in an answer that came too late,
// it creates another one, because no second answer has it.
func CreateKey(ctx context.Context, c *requisite.Client, accountID string) (keyID string, secret []byte, err error) {
	for {
		var made createdKey
		_, err := Call(ctx, c, "webhook.key.create", Object{"account_id": accountID}, &made)
		if lost := (*requisite.SecretLost)(nil); !errors.As(err, &lost) {
			return made.KeyID, made.SharedSecret, err
		}
	}
}

// CreateKey creates an INACTIVE webhook key.
func (s *Stack) CreateKey(t testing.TB) (keyID string, secret []byte) {
	t.Helper()
	var made createdKey
	s.Must(t, "webhook.key.create", Object{"account_id": s.AccountID}, &made)
	return made.KeyID, made.SharedSecret
}

// ActivateKey activates a webhook key.
func (s *Stack) ActivateKey(t testing.TB, keyID string) {
	t.Helper()
	s.Must(t, "webhook.key.activate", Object{"account_id": s.AccountID, "key_id": keyID}, nil)
}

// Bound is the time in which the api must answer any request, even during an outage: its
// patience of 25 seconds, and the time for the start of a run.
const Bound = 40 * time.Second

// Within sends a request that the api must answer within limit.
func (s *Stack) Within(t testing.TB, limit time.Duration, operation string, in any, options ...requisite.Option) requisite.Answer {
	t.Helper()
	body, err := json.Marshal(in)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	answer, err := s.Client.Send(ctx, operation, body, options...)
	require.NoError(t, err, "%s was not answered in time", operation)
	return answer
}

// Send sends a request, and returns the response, which may be a refusal.
func (s *Stack) Send(t testing.TB, operation string, in any, options ...requisite.Option) requisite.Answer {
	t.Helper()
	body, err := json.Marshal(in)
	require.NoError(t, err)
	answer, err := s.Client.Send(await.Context(t), operation, body, options...)
	require.NoError(t, err, operation)
	return answer
}

// Eventually repeats a request until it succeeds.
func (s *Stack) Eventually(t testing.TB, operation string, in any, options ...requisite.Option) {
	t.Helper()
	s.Await(t, "a success of "+operation, func(ctx context.Context) error {
		_, err := s.Client.Call(ctx, operation, in, nil, options...)
		return err
	})
}

// Answered is the result of a request.
type Answered struct {
	requisite.Answer
	Err error
}

// InBackground sends a request without waiting for the response.
func (s *Stack) InBackground(operation string, in any, options ...requisite.Option) <-chan Answered {
	result := make(chan Answered, 1)
	go func() {
		body, err := json.Marshal(in)
		if err != nil {
			result <- Answered{Err: err}
			return
		}
		answer, err := s.Client.Send(context.Background(), operation, body, options...)
		result <- Answered{answer, err}
	}()
	return result
}

func (s *Stack) AwaitDocuments(t testing.TB, w Request) {
	t.Helper()
	s.Await(t, "documents of the workflow", func(context.Context) error {
		if len(s.Documents(t, w)) == 0 {
			return errors.New("there are none")
		}
		return nil
	})
}

func (s *Stack) AwaitDocumentsInDatabase(t testing.TB) {
	t.Helper()
	s.Await(t, "documents in the database", func(ctx context.Context) error {
		var there bool
		err := s.Query(ctx, `SELECT EXISTS (SELECT FROM required_document d JOIN workflow w ON w.id = d.workflow_id WHERE w.account_id = $1)`, &there, s.AccountKey())
		if err == nil && !there {
			err = errors.New("there are none")
		}
		return err
	})
}
