// Step 2: read your account.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	requisite "requisite/clients/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx, accountID := context.Background(), os.Getenv("ACCOUNT_ID")
	client := must(requisite.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"), os.Getenv("SECRET_KEY"), os.Getenv("AUTH_TOKEN")))
	account := must(client.AccountGet(ctx, requisite.AccountRequest{AccountID: accountID}))
	fmt.Println("Account:", account.Data.Name)

	// Step 3: record an applicant, and open a workflow, which is an application.
	business := must(client.BusinessCreate(ctx, requisite.BusinessCreateRequest{
		AccountID: accountID,
		Business: requisite.BusinessCreateRequestBusiness{
			LegalName: "Alder Works Ltd", EstablishedDate: requisite.Set("2010-06-15"), IndustryCategoryCode: requisite.Set([]string{"0742"}),
		},
		Persons: []requisite.NewPerson{{FirstName: requisite.Set("Ida"), LastName: requisite.Set("Berg"), Citizenship: requisite.Set("NO"), OwnershipPercentage: requisite.Set(json.Number("33.33"))}},
		SalesInfo: &requisite.NewSalesInfo{SalesAmount: []requisite.StatedAmount{
			{Type: "AVERAGE_INDIVIDUAL_SALE", Value: "120", Currency: account.Data.Currency},
			{Type: "AVERAGE_MONTHLY_CREDIT_SALES", Value: "100000", Currency: account.Data.Currency},
			{Type: "AVERAGE_YEARLY_CREDIT_SALES", Value: "1200000", Currency: account.Data.Currency},
			{Type: "HIGHEST_TICKET_SALE", Value: "900", Currency: account.Data.Currency},
		}},
	}))
	workflow := must(client.WorkflowCreate(ctx, requisite.WorkflowCreateRequest{
		AccountID: accountID, Workflow: requisite.WorkflowCreateRequestWorkflow{BusinessID: business.Data.BusinessID},
	})).Data
	fmt.Println("Workflow:", workflow.WorkflowID)

	// Step 4: decide which documents it requires, and read why. Or learn which facts are missing.
	_, err := client.WorkflowPricingCalculate(ctx, workflow) // only if the rules use the evaluation score
	if err == nil {
		_, err = client.WorkflowRequiredDocumentCalculate(ctx, workflow)
	}
	var refused requisite.Error
	if errors.As(err, &refused) && refused.Code == "MISSING_REQUIREMENTS" {
		for _, gap := range refused.Gaps() {
			fmt.Println("Missing:", gap.Message)
		}
	} else if err != nil {
		log.Fatal(err)
	}
	for document, err := range client.WorkflowRequiredDocumentListAll(ctx, requisite.DocumentsListRequest{WorkflowID: workflow.WorkflowID}) {
		fmt.Println("Required:", must(document, err).Name, "-", document.Reasons[0].Message)
	}

	// Step 5: end the workflow, and receive its webhook. The receiver verifies, decrypts and drops repeats.
	key := must(client.WebhookKeyCreate(ctx, requisite.AccountRequest{AccountID: accountID})).Data // SecretLost if an answer with the secret was lost
	secrets := map[string]string{accountID + "/" + key.KeyID: key.SharedSecret}                    // shown this once: store it before you activate the key
	received := make(chan requisite.Event)
	receiver := &requisite.Receiver{
		Secrets: func(_ context.Context, accountID, keyID string) (string, error) {
			if secret, known := secrets[accountID+"/"+keyID]; known {
				return secret, nil
			}
			return "", requisite.ErrUnknownKey
		},
		Processed: &requisite.Memory{}, // in production, a table: it remembers the ids of events that were processed
		Handle: func(_ context.Context, event requisite.Event) error {
			received <- event
			return nil
		},
	}
	listener := must(net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT")))
	go http.Serve(listener, receiver)
	must(client.WebhookKeyActivate(ctx, requisite.KeyRequest{KeyID: key.KeyID, AccountID: &accountID}))
	config := must(client.WebhookConfigCreate(ctx, requisite.ConfigCreateRequest{
		AccountID: accountID,
		Config:    requisite.ConfigCreateRequestConfig{URL: os.Getenv("WEBHOOK_URL"), EventTypes: requisite.Set([]string{"WORKFLOW_COMPLETED"})},
	})).Data
	must(client.WorkflowComplete(ctx, requisite.WorkflowCompleteRequest{WorkflowID: workflow.WorkflowID}))
	event := <-received
	fmt.Println("Received:", event.EventType, string(event.Data))
	must(client.WebhookConfigDelete(ctx, config))
}
