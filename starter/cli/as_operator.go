package cli

import (
	"bytes"
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
	requisite "requisite/clients/go"
	"requisite/internal/config"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
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
	config.String(flags, name, "as", "REQUISITE_OPERATOR", OperatorName, "your `NAME`, on record")
}

// OperatorActor is the actor of an operator with the name of --as, without surplus blanks.
func OperatorActor(name string) (domain.Actor, error) {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' }), " ")
	actor := domain.Operator(name)
	if err := names.Check(name); err != nil {
		return actor, fmt.Errorf("--as: %w (REQUISITE_OPERATOR sets it too)", err)
	}
	if name == "" || visible.Line(name) != name || utf8.RuneCountInString(name) > MaxOperatorName || actor == domain.System {
		return actor, fmt.Errorf("--as must be a name of 1 to %d characters on one line, and not %s (REQUISITE_OPERATOR sets it too)",
			MaxOperatorName, domain.System.UserID)
	}
	return actor, nil
}

// AsOperator runs an operation of the API on the database, as an operator on one account.
type AsOperator struct {
	Operator
	apiRole, name string
	// Patience is how long an operation waits for its run.
	Patience time.Duration
	// Guard checks the URLs of endpoints, for operations that have one.
	Guard *webhook.Guard
	// SecretFile is the file for the secret of a new webhook key. It must not exist.
	SecretFile string
}

// Bind adds the flags that each operation needs. It hides flags that the help of the api explains.
func (o *AsOperator) Bind(flags *pflag.FlagSet) {
	AsFlag(flags, &o.name)
	o.BindDatabase(flags)
	config.String(flags, &o.apiRole, "api-role", "REQUISITE_API_ROLE", "", "the api's database role, whose rights the operation has")
	config.BindQuotas(flags, &o.Quotas)
	o.BindTraces(flags)
	Hide(flags, "otlp-endpoint", "otlp-protocol", "quota")
}

// Caller calls an operation with a credential, or with --as-operator on the database.
type Caller struct {
	Credential CredentialFlags
	Operator   AsOperator
	// Account is the account in --as-operator; empty for a credential.
	Account string
}

// Bind adds the flags of both ways.
func (f *Caller) Bind(c *cobra.Command) {
	f.Credential.Bind(c)
	f.Operator.Bind(c.Flags())
	c.Flags().StringVar(&f.Account, "as-operator", "", "run it on the database, for the account `ACCOUNT_ID`")
}

// Call calls an operation. With --as-operator, it is AsOperator.Call. Otherwise it signs with a credential, by default
// the running stack's for the account, and prints the answer as the API sends it.
func (f *Caller) Call(c *cobra.Command, account, operation string, body []byte, say Say, options ...requisite.Option) error {
	if f.Account != "" {
		return f.Operator.Call(c, OfAccount(f.Account), operation, body, say, options...)
	}
	if c.Flags().Changed("as") {
		return errors.New("--as belongs to --as-operator: give both, or leave --as out to use a credential")
	}
	client, err := f.Credential.Client(account)
	if err != nil {
		return fmt.Errorf("%w; an operator gives --as-operator ACCOUNT_ID and --as NAME instead", err)
	}
	answer, err := client.Send(c.Context(), operation, body, options...)
	if err != nil {
		return err
	}
	return PrintAnswer(c.OutOrStdout(), answer.Body, len(answer.Errors) == 0)
}

// Hide leaves flags out of help.
func Hide(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flags.Lookup(name).Hidden = true
	}
}

// ScopeOf finds the tenant of a record with the rights of the operator.
type ScopeOf func(context.Context, *store.Store) (domain.Scope, error)

// OfAccount finds the tenant of an account.
func OfAccount(account string) ScopeOf {
	return func(ctx context.Context, st *store.Store) (domain.Scope, error) {
		_, scope, err := AccountScope(ctx, st.Scopes, account)
		return scope, err
	}
}

// AboutCommand makes a command that runs an operation about one record of any account. say makes the Say for a record; it
// may be nil.
func AboutCommand[ID any, P interface {
	*ID
	Parse(text string) error
}](c *cobra.Command, operation, field string, of func(store.Scopes, context.Context, ID) (domain.Scope, error), say func(ID) Say) *cobra.Command {
	var o AsOperator
	o.Bind(c.Flags())
	c.Args, c.PreRunE = cobra.ExactArgs(1), config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		record := new(ID)
		if err := P(record).Parse(args[0]); err != nil {
			return err
		}
		body, err := json.Marshal(map[string]string{field: args[0]})
		if err != nil {
			return err
		}
		var tell Say
		if say != nil {
			tell = say(*record)
		}
		return o.Call(c, func(ctx context.Context, st *store.Store) (domain.Scope, error) { return of(st.Scopes, ctx, *record) }, operation, body, tell)
	}
	return c
}

// Say prints for an operator what an operation has done. It may read records that the operation has written.
type Say func(ctx context.Context, out io.Writer, st *store.Store, scope domain.Scope, answer requisite.Answer) error

// Call runs an operation. If it writes, the audit log has it under the name of the command. Without say, Call prints the
// answer as the API sends it. With say, it returns a refusal as the error.
func (o *AsOperator) Call(c *cobra.Command, of ScopeOf, operation string, body []byte, say Say, options ...requisite.Option) (err error) {
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
		if known.Name == operation && known.Writes && strings.HasPrefix(operation, "account.documentRules.proposal.") && as.Actor.UserID == OperatorName {
			return errors.New("--as is not set, nor REQUISITE_OPERATOR: give your name, because two persons must agree on the rules")
		}
	}
	if err := o.check(dependencies); err != nil {
		return err
	}
	call := func(out io.Writer) error {
		answer, err := o.call(c, as, dependencies, operation, body, say != nil, options)
		if err != nil {
			return err
		}
		refused := refusedBy(answer)
		switch {
		case say == nil:
			return errors.Join(PrintAnswer(out, answer.Body, refused == nil), refused)
		case refused != nil:
			return refused
		}
		return say(ctx, out, st, as.Scope, answer)
	}
	if !writes {
		return call(c.OutOrStdout())
	}
	name := commandName(c)
	if name == "call" {
		name += " " + operation
	}
	return Audited(ctx, st.Audit, c, name, c.OutOrStdout(), []string{string(body)}, call)
}

// call runs an operation, and returns the answer. With quiet it logs only problems.
func (o *AsOperator) call(c *cobra.Command, as server.Operator, dependencies needs, operation string, body []byte, quiet bool,
	options []requisite.Option) (answer requisite.Answer, err error) {
	ctx := c.Context()
	level := slog.LevelInfo
	if quiet {
		level = slog.LevelWarn
	}
	log := slog.New(slog.NewJSONHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level})).With("program", "starter")
	o.Connections.Role = o.apiRole
	deps, err := app.OpenCall(ctx, &o.Service, "starter", dependencies&Secrets != 0, dependencies&Runs != 0, slog.New(slog.DiscardHandler))
	if err != nil {
		return answer, err
	}
	defer deps.Close()
	if o.SecretFile != "" {
		file, err := newSecretFile(o.SecretFile)
		if err != nil {
			return answer, err
		}
		defer func() { err = errors.Join(err, file.close()) }()
		as.KeepSecret = file.keep
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/"+operation, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Content-Type", "application/json")
	for _, option := range options {
		option(request.Header)
	}
	w := &response{header: http.Header{}}
	server.ForOperator(as, deps.Store, engine.New(deps.Store.Versions, config.RuleCache()), deps.Temporal, deps.Converter, log,
		server.Settings{Patience: o.Patience, Guard: o.Guard, Spans: deps.Spans}).ServeHTTP(w, request)
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	answer.Body = w.body.Bytes()
	return answer, json.Unmarshal(answer.Body, &answer)
}

// refusedBy returns the refusal of an answer; nil if there is none.
func refusedBy(a requisite.Answer) error {
	if len(a.Errors) == 0 {
		return nil
	}
	e := a.Errors[0]
	return &refusal.Refusal{
		Code: refusal.Code(e.Code), SubCode: refusal.SubCode(e.SubCode), Message: e.Message, EntityType: e.EntityType, EntityID: e.EntityID, Details: e.Details,
	}
}

// scope finds the tenant, and checks that the api's role is bound to one.
func (o *AsOperator) scope(ctx context.Context, store *store.Store, of ScopeOf) (domain.Scope, error) {
	if err := config.Required(o.apiRole, "api-role", "REQUISITE_API_ROLE"); err != nil {
		return domain.Scope{}, fmt.Errorf("%w: name the role to which `starter migrate --api-role` gave the rights of the api", err)
	}
	why, err := store.Database.Schema().Bypass(ctx, o.apiRole)
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

// response takes the answer to a request in this process.
type response struct {
	header http.Header
	body   bytes.Buffer
}

func (r *response) Header() http.Header            { return r.header }
func (r *response) WriteHeader(int)                {}
func (r *response) Write(text []byte) (int, error) { return r.body.Write(text) }

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

// secretFile is a new file for a secret. It is created before the secret is read, because the secret
// can be read only once.
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
