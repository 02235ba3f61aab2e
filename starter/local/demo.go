package local

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/compile"
	"requisite/starter/progress"
	"requisite/starter/ruleset"
)

// demonstration is one organization of the demonstration. policy names its files under
// examples/rules and examples/pricing, and applications its directory under examples; it is empty for
// an organization without applications.
type demonstration struct{ name, policy, applications string }

var demonstrations = []demonstration{
	{"US card acquirer (demonstration)", "us-card-acquirer", "applications"},
	{"EU payment facilitator (demonstration)", "eu-payment-facilitator", "applications/eu-payment-facilitator"},
	{"Small seller marketplace (demonstration)", "small-seller-marketplace", ""},
}

// seed is what a persistent stack stores about its demonstration.
type seed struct {
	Accounts     []cli.StackAccount         `json:"accounts"`
	Applications map[string]seedApplication `json:"applications"`
	Troubled     string                     `json:"troubled"` // the account whose endpoint cannot be reached
}

type seedApplication struct {
	Hash       string `json:"hash"`
	WorkflowID string `json:"workflow_id"`
}

// demonstrate creates the demonstration's organizations, unless they exist, and calculates
// the required documents of applications to them through the API. It returns the id of one
// application to the first one.
func demonstrate(ctx context.Context, say *progress.Narrator, store *store.Store, f files, s *cli.Stack) (workflowID string, err error) {
	root, err := compile.Checkout(ctx)
	if err != nil {
		return "", err
	}
	examples := filepath.Join(root, "examples")
	d := &demonstrator{say: say, store: store, stack: s, seedFile: f.seed}
	if d.seed, err = readSeed(f.seed); err != nil {
		return "", err
	}
	if err := d.setUpOrganizations(ctx, examples); err != nil {
		return "", err
	}
	client, err := newClient(s, 0)
	if err != nil {
		return "", err
	}
	shown, err := receiveDemonstration(ctx, client, s.Accounts[0].AccountID, f.webhookKeys)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, shown.Close(ctx)) }()
	for i, one := range demonstrations {
		if one.applications == "" {
			continue
		}
		first, err := d.calculateAll(ctx, i, examples)
		if err != nil {
			return "", err
		}
		workflowID = cmp.Or(workflowID, first)
	}
	if err := shown.show(ctx, say); err != nil {
		return "", err
	}
	if err := d.leaveTrouble(ctx, client); err != nil {
		return "", err
	}
	return workflowID, nil
}

// demonstrator does the steps of demonstrate. It saves the seed after each step, so that the next start
// creates nothing twice.
type demonstrator struct {
	say      *progress.Narrator
	store    *store.Store
	stack    *cli.Stack
	seed     seed
	seedFile string
}

func (d *demonstrator) save() error { return cli.WritePrivate(d.seedFile, d.seed) }

// setUpOrganizations creates the organizations, unless they exist, and publishes their rules and prices.
func (d *demonstrator) setUpOrganizations(ctx context.Context, examples string) error {
	step := d.say.Begin("Set up three demonstration organizations, with rules and prices")
	if len(d.seed.Accounts) == 0 {
		for _, one := range demonstrations {
			account, err := createDemonstration(ctx, d.store, one)
			if err != nil {
				return err
			}
			d.seed.Accounts = append(d.seed.Accounts, account)
		}
		if err := d.save(); err != nil {
			return err
		}
	}
	d.stack.Accounts = d.seed.Accounts
	for i, one := range demonstrations {
		if err := publishPolicies(ctx, d.store, d.stack, i, examples, one.policy); err != nil {
			return err
		}
	}
	step.Done("ready")
	return nil
}

// calculateAll calculates the required documents of applications to an organization, and shows them. It
// submits an application only if it is new, or if its file has changed. It returns the id of the first one.
func (d *demonstrator) calculateAll(ctx context.Context, organization int, examples string) (workflowID string, err error) {
	to := demonstrations[organization]
	applications, err := readApplications(filepath.Join(examples, filepath.FromSlash(to.applications)), time.Now().UTC())
	if err != nil {
		return "", err
	}
	client, err := newClient(d.stack, organization)
	if err != nil {
		return "", err
	}
	d.say.Begin(fmt.Sprintf("Calculate the required documents of %s to %s", cli.Counted(len(applications), "application"), to.name)).Done("through the HTTP API")
	for _, a := range applications {
		key := path.Join(to.applications, a.file)
		known, again := d.seed.Applications[key]
		if again = again && known.Hash == a.hash; !again {
			if known, err = submit(ctx, client, d.stack.Accounts[organization].AccountID, a); err != nil {
				return "", fmt.Errorf("%s: %w", a.file, err)
			}
			d.seed.Applications[key] = known
			if err := d.save(); err != nil {
				return "", err
			}
		}
		if workflowID == "" {
			workflowID = known.WorkflowID
		}
		if err := calculateAndShow(ctx, d.say, client, a, known, again); err != nil {
			return "", fmt.Errorf("%s: %w", a.file, err)
		}
	}
	return workflowID, nil
}

// leaveTrouble leaves an endpoint that cannot be reached and a failed run, as examples for operators.
func (d *demonstrator) leaveTrouble(ctx context.Context, client *requisite.Client) (err error) {
	step := d.say.Begin("Leave an endpoint in trouble and a fault, as examples for operators")
	if d.seed.Troubled == "" {
		if d.seed.Troubled, err = createFailingEndpoint(ctx, d.store, client, d.stack.Accounts[0].OrganizationID); err != nil {
			return err
		}
		if err := d.save(); err != nil {
			return err
		}
	}
	if err := startFailingRun(ctx, d.stack); err != nil {
		return err
	}
	step.Done("see the lists below")
	return nil
}

func readSeed(path string) (seed, error) {
	s := seed{Applications: map[string]seedApplication{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s cannot be read; remove the directory to start from nothing: %w", path, err)
	}
	return s, nil
}

func createDemonstration(ctx context.Context, store *store.Store, d demonstration) (cli.StackAccount, error) {
	// An interrupted start may have left an organization of this name.
	name := d.name
	existing, err := store.Organizations.List(ctx)
	if err != nil {
		return cli.StackAccount{}, err
	}
	for _, o := range existing {
		if o.Name == name {
			name = fmt.Sprintf("%s %s", d.name, time.Now().UTC().Format("2006-01-02 15:04:05"))
		}
	}
	o, err := store.Organizations.Create(ctx, name)
	if err != nil {
		return cli.StackAccount{}, err
	}
	in := domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}
	account, err := store.Organizations.CreateAccount(ctx, in, strings.TrimSuffix(d.name, " (demonstration)"), "USD", "UTC")
	if err != nil {
		return cli.StackAccount{}, err
	}
	credential, secrets, err := store.Credentials.Create(ctx, in, domain.NewCredential{Name: "demonstration"})
	if err != nil {
		return cli.StackAccount{}, err
	}
	return cli.StackAccount{
		OrganizationID: o.WireID(), AccountID: account.WireID().String(),
		APIKey: credential.APIKey, SecretKey: secrets.SecretKey, AuthToken: secrets.AuthToken,
	}, nil
}

func newClient(s *cli.Stack, account int) (*requisite.Client, error) {
	a := s.Accounts[account]
	signer, err := requisite.NewSigner(a.APIKey, a.SecretKey, a.AuthToken)
	if err != nil {
		return nil, err
	}
	return &requisite.Client{BaseURL: s.BaseURL, Signer: signer, HTTP: &http.Client{Timeout: time.Minute}, Retry: requisite.DefaultRetry()}, nil
}

// publishPolicies publishes the example rules through the API, and the prices as an operator. It does nothing if the
// account has rules, because a user may have published their own before a restart.
func publishPolicies(ctx context.Context, st *store.Store, s *cli.Stack, account int, examples, policy string) error {
	id, scope, err := cli.AccountScope(ctx, st.Scopes, s.Accounts[account].AccountID)
	if err != nil {
		return err
	}
	if versions, _, err := st.Records(scope).Rules.List(ctx, id, domain.Page{Limit: 1}); err != nil || len(versions) > 0 {
		return err
	}
	var problems bytes.Buffer
	model, err := ruleset.ReadPricing(&problems, filepath.Join(examples, "pricing", policy+".yaml"))
	if err != nil {
		return fmt.Errorf("%w: %s", err, problems.String())
	}
	accountID := s.Accounts[account].AccountID
	if err := ruleset.PublishPricing(ctx, &problems, st, accountID, cli.OperatorName, model.Model); err != nil {
		return err
	}
	found, err := ruleset.ReadRuleSet(&problems, filepath.Join(examples, "rules", policy+".yaml"))
	if err != nil {
		return fmt.Errorf("%w: %s", err, problems.String())
	}
	client, err := newClient(s, account)
	if err != nil {
		return err
	}
	_, err = client.Call(ctx, "account.documentRules.publish", map[string]any{
		"account_id": accountID, "rules": json.RawMessage(found.Set.CanonicalJSON()), "comment": "examples/rules/" + policy + ".yaml",
	}, nil)
	return err
}

// submit sends an application: its business, sales and persons, and opens a
// workflow for it.
func submit(ctx context.Context, c *requisite.Client, accountID string, a application) (seedApplication, error) {
	made := seedApplication{Hash: a.hash}
	var business struct {
		ID string `json:"business_id"`
	}
	if _, err := c.Call(ctx, "business.create", map[string]any{"account_id": accountID, "business": a.Business}, &business); err != nil {
		return made, err
	}
	if a.SalesInfo != nil {
		if _, err := c.Call(ctx, "business.salesInfo.create", map[string]any{"business_id": business.ID, "sales_info": a.SalesInfo}, nil); err != nil {
			return made, err
		}
	}
	if len(a.Persons) > 0 {
		if _, err := c.Call(ctx, "person.create", map[string]any{"business_id": business.ID, "persons": a.Persons}, nil); err != nil {
			return made, err
		}
	}
	var workflow struct {
		ID string `json:"workflow_id"`
	}
	_, err := c.Call(ctx, "workflow.create", map[string]any{"account_id": accountID, "workflow": map[string]string{"business_id": business.ID}}, &workflow)
	made.WorkflowID = workflow.ID
	return made, err
}

// calculateAndShow scores and calculates one application, and approves the documents of which it has
// evidence. It prints the required documents with their reasons, or the missing facts and how to supply
// them.
func calculateAndShow(ctx context.Context, say *progress.Narrator, c *requisite.Client, a application, known seedApplication, again bool) error {
	say.Line("\n  %s", a.Title)
	for line := range cli.Wrapped(a.Story, 90) {
		say.Line("    %s", line)
	}
	if again {
		say.Line("    (on file since an earlier start, as %s)", known.WorkflowID)
	}
	request := map[string]string{"workflow_id": known.WorkflowID}
	var refused requisite.Error
	if _, err := c.Call(ctx, "workflow.pricing.calculate", request, nil); err != nil && !errors.As(err, &refused) {
		return err
	}
	started := time.Now()
	_, err := c.Call(ctx, "workflow.requiredDocument.calculate", request, nil)
	took := time.Since(started).Round(time.Millisecond)
	switch {
	case errors.As(err, &refused) && refused.Code == "MISSING_REQUIREMENTS":
		return showGaps(say, refused, took)
	case err != nil:
		return err
	}
	if err := approve(ctx, c, a.Reviews, request); err != nil {
		return err
	}
	return showDocuments(ctx, say, c, request, took)
}

// demonstratedDocument is a required document as the demonstration shows it.
type demonstratedDocument struct {
	ID         string                    `json:"required_document_id"`
	Code       string                    `json:"document_type_code"`
	Name       string                    `json:"name"`
	EntityType string                    `json:"entity_type"`
	EntityName string                    `json:"entity_name"`
	Status     document.Status           `json:"status"`
	ValidUntil string                    `json:"valid_until"`
	DueOn      string                    `json:"due_on"`
	Reasons    []document.DocumentReason `json:"reasons"`
}

// line says whose document it is, until when its approval is valid, or when it is due.
func (d demonstratedDocument) line() string {
	text := fmt.Sprintf("%-28s %s", d.Code, d.Name)
	if d.EntityType == fact.EntityPerson && d.EntityName != "" {
		text += " of " + d.EntityName
	}
	if d.Status != document.Pending {
		text += ", " + string(d.Status)
	}
	if d.ValidUntil != "" {
		text += " until " + d.ValidUntil
	}
	if d.DueOn != "" {
		text += ", due on " + d.DueOn
	}
	return text
}

func listDocuments(ctx context.Context, c *requisite.Client, workflow any) ([]demonstratedDocument, error) {
	var list struct {
		Documents []demonstratedDocument `json:"required_documents"`
	}
	_, err := c.Call(ctx, "workflow.requiredDocument.list", workflow, &list)
	return list.Documents, err
}

// approve completes the pending documents of which there is evidence.
func approve(ctx context.Context, c *requisite.Client, reviews []review, workflow any) error {
	if len(reviews) == 0 {
		return nil
	}
	documents, err := listDocuments(ctx, c, workflow)
	if err != nil {
		return err
	}
	for _, d := range documents {
		of := slices.IndexFunc(reviews, func(r review) bool { return r.DocumentTypeCode == d.Code })
		if of < 0 || d.Status != document.Pending {
			continue
		}
		if _, err := c.Call(ctx, "workflow.requiredDocument.update", map[string]any{
			"required_document_id": d.ID,
			"required_document":    map[string]any{"status": document.Completed, "evidence": reviews[of].Evidence, "reviewed_by": "demonstration"},
		}, nil); err != nil {
			return fmt.Errorf("approve %s: %w", d.Code, err)
		}
	}
	return nil
}

func showGaps(say *progress.Narrator, refused requisite.Error, took time.Duration) error {
	var gaps []fact.Gap
	if err := json.Unmarshal(refused.Details, &gaps); err != nil {
		return err
	}
	say.Line("    → nothing can be decided yet: %d facts are missing (%s)", len(gaps), took)
	for _, gap := range gaps {
		for i, line := range cli.Enumerate(cli.Wrapped(gap.Message, 96)) {
			say.Line("      %s %s", []string{"•", " "}[min(i, 1)], line)
		}
	}
	return nil
}

func showDocuments(ctx context.Context, say *progress.Narrator, c *requisite.Client, request any, took time.Duration) error {
	var workflow struct {
		Score    *rational.Number `json:"evaluation_score"`
		Findings []struct {
			Code       string `json:"finding_code"`
			Kind       string `json:"kind"`
			EntityName string `json:"entity_name"`
			Message    string `json:"message"`
		} `json:"findings"`
	}
	if _, err := c.Call(ctx, "workflow.get", request, &workflow); err != nil {
		return err
	}
	documents, err := listDocuments(ctx, c, request)
	if err != nil {
		return err
	}
	score := "not needed"
	if workflow.Score != nil {
		score = fmt.Sprint(*workflow.Score)
	}
	say.Line("    → %d documents are required; evaluation score %s (%s)", len(documents), score, took)
	for _, d := range documents {
		say.Line("      %s", d.line())
		for _, reason := range d.Reasons {
			for line := range cli.Wrapped(reason.Message, 92) {
				say.Line("          %s", line)
			}
		}
	}
	for _, f := range workflow.Findings {
		if f.Message != "" { // the others are of documents above
			say.Line("      %-28s %s of %s: %s", f.Code, f.Kind, cmp.Or(f.EntityName, "the application"), f.Message)
		}
	}
	return nil
}
