package requisite_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	requisite "requisite/clients/go"
)

var fenced = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// TestReadme_HasTheCodeOfThisFile, which the tests below run. The program of the quickstart
// is run against a service elsewhere.
func TestReadme_HasTheCodeOfThisFile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	flat := func(code string) string { return regexp.MustCompile(`\n\s*`).ReplaceAllString("\n"+code, "\n") }
	blocks := 0
	for _, b := range fenced.FindAllStringSubmatch(string(readme), -1) {
		if strings.HasPrefix(b[1], "package main") {
			continue
		}
		if blocks++; !strings.Contains(flat(string(here)), flat(b[1])) {
			t.Errorf("readme_test.go does not run\n%s", b[1])
		}
	}
	if blocks != 4 {
		t.Errorf("README.md has %d blocks", blocks)
	}
}

func use(ctx context.Context, baseURL, apiKey, secretKey, authToken, accountID, businessID string) error {
	client, err := requisite.New(baseURL, apiKey, secretKey, authToken)
	if err != nil {
		return err
	}
	for w, err := range client.WorkflowListAll(ctx, requisite.WorkflowListRequest{AccountID: accountID}) {
		if err != nil {
			return err
		}
		fmt.Println(w.WorkflowID, w.State)
	}
	cleared := requisite.BusinessUpdateRequestBusiness{Website: requisite.Null[string]()}
	_, err = client.BusinessUpdate(ctx, requisite.BusinessUpdateRequest{BusinessID: businessID, Business: cleared}, requisite.IdempotencyKey("order-4711"))
	return err
}

func handleErrors(ctx context.Context, client *requisite.Client, workflowID string) {
	_, err := client.WorkflowRequiredDocumentCalculate(ctx, requisite.WorkflowRequest{WorkflowID: workflowID})
	var refused requisite.Error
	if errors.As(err, &refused) {
		log.Println(refused.Code, refused.SubCode, refused.EntityType, refused.EntityID, refused.HTTPStatus, refused.TraceID, refused.DecisionID)
	}
}

func serveWebhooks(http *http.ServeMux, load func(accountID, keyID string) (string, error)) {
	http.Handle("/webhooks", &requisite.Receiver{
		Secrets: func(ctx context.Context, accountID, keyID string) (string, error) {
			return load(accountID, keyID) // Base64, or requisite.ErrUnknownKey
		},
		Processed: &requisite.Memory{}, // in production, a table of your database
		Handle: func(ctx context.Context, event requisite.Event) error {
			fmt.Println(event.EventType, string(event.Data))
			return nil
		},
	})
}

func receive(ctx context.Context, body []byte, header http.Header, secrets requisite.Secrets, seen requisite.Seen, process func(requisite.Event) error) int {
	event, err := requisite.VerifyAndDecrypt(ctx, body, header, time.Now(), secrets, seen)
	var refused *requisite.WebhookRefused
	switch {
	case errors.Is(err, requisite.ErrRepeat):
		return http.StatusOK
	case errors.As(err, &refused):
		return refused.Status
	case err != nil || process(event) != nil: // store event.ID in the same transaction
		return http.StatusInternalServerError
	}
	return http.StatusOK
}

func Example_use() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := `{"workflows":[{"workflow_id":"w_1","state":"STARTED"}],"next":null}`
		if r.URL.Path == "/business.update" {
			data = `{}`
			body, _ := io.ReadAll(r.Body)
			fmt.Println(string(body), r.Header.Get("Idempotency-Key"))
		}
		fmt.Fprintf(w, `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"v"},"data":%s}`, data)
	}))
	defer service.Close()
	fmt.Println(use(context.Background(), service.URL, "sb_k", "c2VjcmV0", "token", "sb_1", "b_1"))
	// Output:
	// w_1 STARTED
	// {"business":{"website":null},"business_id":"b_1"} order-4711
	// <nil>
}

func Example_errors() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Requisite-Decision-Id", "dec_1")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"meta":{"status":"ERROR","trace_id":"trc_1","version":"v"},"errors":[{"code":"MISSING_REQUIREMENTS","message":"m","details":[{"message":"State it."}]}]}`)
	}))
	defer service.Close()
	client, err := requisite.New(service.URL, "sb_k", "c2VjcmV0", "token")
	if err != nil {
		log.Fatal(err)
	}
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	defer log.SetOutput(os.Stderr)
	handleErrors(context.Background(), client, "w_1")
	// Output:
	// MISSING_REQUIREMENTS    400 trc_1 dec_1
}

func Example_webhooks() {
	mux := http.NewServeMux()
	serveWebhooks(mux, func(string, string) (string, error) { return "", requisite.ErrUnknownKey })
	body := `{"account_id":"sb_1","key_id":"whk_1","data":"a.b.c.d.e"}`
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body)))
	fmt.Println(w.Code)
	unknown := func(context.Context, string, string) (string, error) { return "", requisite.ErrUnknownKey }
	fmt.Println(receive(context.Background(), []byte(body), http.Header{}, unknown, nil, nil))
	// Output:
	// 401
	// 401
}
