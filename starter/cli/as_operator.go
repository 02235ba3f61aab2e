package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"requisite/api/server"
	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/sig1"
	"requisite/internal/rules/engine"
	"requisite/internal/store"
	"requisite/internal/text/names"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/webhook"
)

// OperatorName is the default of --as.
const OperatorName = "OPERATOR"

// MaxOperatorName limits the name of --as, in characters.
const MaxOperatorName = 100

// AsFlag adds --as, the name of the operator.
func AsFlag(flags *pflag.FlagSet, name *string) {
	flags.StringVar(name, "as", OperatorName, "your `NAME`, on record")
}

// OperatorActor is the actor of an operator with the name of --as.
func OperatorActor(name string) (domain.Actor, error) {
	actor := domain.Operator(name)
	if err := names.Check(name); err != nil {
		return actor, fmt.Errorf("--as: %w", err)
	}
	if name == "" || visible.Line(name) != name || utf8.RuneCountInString(name) > MaxOperatorName || actor == domain.System {
		return actor, fmt.Errorf("--as must be a name of 1 to %d characters on one line, and not %s", MaxOperatorName, domain.System.UserID)
	}
	return actor, nil
}

// PersonActor is OperatorActor for what takes two persons: the name must be given.
func PersonActor(name string) (domain.Actor, error) {
	if name == OperatorName {
		return domain.Actor{}, errors.New("--as is not set: give your name, because two persons must agree on the rules")
	}
	return OperatorActor(name)
}

// AsOperator runs an operation of the API on the database, as an operator on one account.
type AsOperator struct {
	Operator
	apiRole, name string
	// Patience is how long an operation waits for its run.
	Patience time.Duration
	// Guard checks the URLs of endpoints, for operations that have one.
	Guard *webhook.Guard
	// SecretFile is where the secret of a new webhook key is written; the file must not exist.
	SecretFile string
}

// Bind adds the flags that each operation needs. Help leaves out what the api has too.
func (o *AsOperator) Bind(flags *pflag.FlagSet) {
	AsFlag(flags, &o.name)
	o.BindDatabase(flags)
	config.String(flags, &o.apiRole, "api-role", "REQUISITE_API_ROLE", "", "the api's database role, whose rights the operation has")
	config.BindQuotas(flags, &o.Quotas)
	o.BindTraces(flags)
	Hide(flags, "otlp-endpoint", "otlp-protocol", "quota")
}

// Hide leaves flags out of help.
func Hide(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flags.Lookup(name).Hidden = true
	}
}

// ScopeOf finds the tenant of a record with the rights of the operator.
type ScopeOf func(context.Context, *store.Store) (domain.Scope, error)

// Call runs an operation, and prints the answer as the API sends it.
func (o *AsOperator) Call(c *cobra.Command, of ScopeOf, operation string, body []byte, idempotencyKey string) (err error) {
	ctx := c.Context()
	as := server.Operator{}
	if as.Actor, err = OperatorActor(o.name); err != nil {
		return err
	}
	st, err := o.Open(ctx, 0)
	if err != nil {
		return err
	}
	defer st.Close()
	if as.Scope, err = o.scope(ctx, st, of); err != nil {
		return err
	}
	var dependencies needs
	writes := false
	if o.SecretFile != "" {
		dependencies |= Secrets
	}
	for _, known := range server.Operations() {
		writes = writes || known.Name == operation && known.Writes
		if known.Name == operation && known.Waits {
			dependencies |= Runs
		}
		if known.Name == operation && known.Writes && strings.HasPrefix(operation, "account.documentRules.proposal.") {
			if _, err := PersonActor(o.name); err != nil {
				return err
			}
		}
	}
	if err := o.check(dependencies); err != nil {
		return err
	}
	call := func(out io.Writer) error { return o.call(c, out, as, dependencies, operation, body, idempotencyKey) }
	if !writes {
		return call(c.OutOrStdout())
	}
	return Audited(ctx, st, c, "call "+operation, c.OutOrStdout(), []string{string(body)}, call)
}

func (o *AsOperator) call(c *cobra.Command, out io.Writer, as server.Operator, dependencies needs, operation string, body []byte, idempotencyKey string) (err error) {
	ctx := c.Context()
	log := slog.New(slog.NewJSONHandler(c.ErrOrStderr(), nil)).With("program", "starter")
	o.Connections.Role = o.apiRole
	o.Quotas.DecisionBytesADay = 0 // each process loses the rest of its part of the tenant's quota
	deps, err := app.OpenCall(ctx, &o.Service, "starter", dependencies&Secrets != 0, dependencies&Runs != 0, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer deps.Close()
	if o.SecretFile != "" {
		file, err := newSecretFile(o.SecretFile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.close()) }()
		as.KeepSecret = file.keep
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/"+operation, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if idempotencyKey != "" {
		request.Header.Set(sig1.HeaderIdempotencyKey, idempotencyKey)
	}
	answer := &answer{header: http.Header{}}
	server.ForOperator(as, deps.Store, engine.New(deps.Store, config.RuleCache()), deps.Temporal, deps.Converter, log,
		server.Settings{Patience: o.Patience, Guard: o.Guard, Spans: deps.Spans}).ServeHTTP(answer, request)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refusedBy(answer.body.Bytes(), PrintAnswer(out, answer.body.Bytes(), answer.status == http.StatusOK))
}

// refusedAnswer is ErrRefused with the code of the answer.
type refusedAnswer struct {
	error
	code string
}

func (r *refusedAnswer) Unwrap() error { return r.error }

func refusedBy(answer []byte, err error) error {
	var refused struct {
		Errors []struct {
			Code    string `json:"code"`
			SubCode string `json:"sub_code"`
		} `json:"errors"`
	}
	if !errors.Is(err, ErrRefused) || json.Unmarshal(answer, &refused) != nil || len(refused.Errors) == 0 {
		return err
	}
	return &refusedAnswer{err, cmp.Or(refused.Errors[0].SubCode, refused.Errors[0].Code)}
}

// scope finds the tenant, and checks that the api's role is bound to one.
func (o *AsOperator) scope(ctx context.Context, store *store.Store, of ScopeOf) (domain.Scope, error) {
	if err := config.Required(o.apiRole, "api-role", "REQUISITE_API_ROLE"); err != nil {
		return domain.Scope{}, fmt.Errorf("%w: name the role to which `starter migrate --api-role` gave the rights of the api", err)
	}
	why, err := store.Schema().Bypass(ctx, o.apiRole)
	switch {
	case err != nil:
		return domain.Scope{}, err
	case why != "":
		return domain.Scope{}, fmt.Errorf("--api-role must name the role of the api: row-level security does not bind %s: %s", o.apiRole, why)
	}
	scope, err := of(ctx, store)
	if refused, is := refusal.FromError(err); is {
		return scope, &ExitError{ExitRefused, refused}
	}
	return scope, err
}

// answer is the answer to a request in this process.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header            { return a.header }
func (a *answer) WriteHeader(status int)         { a.status = status }
func (a *answer) Write(text []byte) (int, error) { return a.body.Write(text) }

// PrintAnswer prints an answer of the API with indents.
func PrintAnswer(out io.Writer, body []byte, success bool) error {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, body, "", "  "); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	fmt.Fprint(out, pretty.String())
	if !success {
		return ErrRefused
	}
	return nil
}

// secretFile is a new file for a secret. It is made before the secret, which can be read only
// once.
type secretFile struct {
	*os.File
	kept bool
}

func newSecretFile(path string) (*secretFile, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--secret-file: %w", err)
	}
	return &secretFile{File: file}, nil
}

func (f *secretFile) keep(secret string) error {
	f.kept = true
	_, err := f.WriteString(secret + "\n")
	return errors.Join(err, f.Sync())
}

// close removes the file if it has no secret.
func (f *secretFile) close() error {
	err := f.Close()
	if !f.kept {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
