// Package temporalclient connects to Temporal, the same way for every program:
// options from the environment, encrypted payloads and failures, and the search
// attributes by which operators find a run.
package temporalclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	namespacepb "go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/telemetry"
)

// Task queues. Callers wait for the work on Sync, and Webhooks is for sessions: their
// runs start eagerly. Endpoints is for the runs of endpoints, and Upkeep for recoveries,
// replays of events, reconciliation and pruning. Only the worker serves the
// last three.
const (
	Sync      = "sync"
	Upkeep    = "upkeep"
	Webhooks  = "webhooks"
	Endpoints = "endpoints"
)

// Search attributes. They are plain text in Temporal and hold ids and codes
// only.
var (
	AccountID             = temporal.NewSearchAttributeKeyKeyword("AccountId")
	ApplicationWorkflowID = temporal.NewSearchAttributeKeyKeyword("ApplicationWorkflowId")
	Outcome               = temporal.NewSearchAttributeKeyKeyword("Outcome")
	TraceID               = temporal.NewSearchAttributeKeyKeyword("TraceId")

	// For runs that concern several accounts or endpoints: at most 50 of each are listed.
	AccountIDs  = temporal.NewSearchAttributeKeyKeywordList("AccountIds")
	EndpointIDs = temporal.NewSearchAttributeKeyKeywordList("EndpointIds")
	EventTypes  = temporal.NewSearchAttributeKeyKeywordList("EventTypes")
)

// SearchAttribute is a search attribute that a namespace must know.
type SearchAttribute struct {
	Name string
	Type enumspb.IndexedValueType
}

// SearchAttributes lists all of them.
func SearchAttributes() []SearchAttribute {
	var list []SearchAttribute
	for _, key := range []temporal.SearchAttributeKey{AccountID, ApplicationWorkflowID, Outcome, TraceID, AccountIDs, EndpointIDs, EventTypes} {
		list = append(list, SearchAttribute{key.GetName(), key.GetValueType()})
	}
	return list
}

// Options configure a client. Address and Namespace, when set, override the
// environment (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS…, and the
// profile files of the Temporal command line).
type Options struct {
	Address   string
	Namespace string
	Keys      *vault.Vault
	Logger    *slog.Logger
	Program   string                // api, worker or starter: a part of the identity that operators see
	Metrics   client.MetricsHandler // nil reports nothing
	// Interceptors of the client and its workers.
	Interceptors []interceptor.ClientInterceptor
	// Completions, when set, reports the results of the runs that this process executes.
	Completions *Completions
	// Undecodable, when set, counts the payloads that the client cannot decode.
	Undecodable codec.Counter
}

// Dial connects, and fails when the server cannot be reached.
func Dial(ctx context.Context, o Options) (client.Client, error) {
	if err := CheckEnvironment(); err != nil {
		return nil, err
	}
	options, err := envconfig.LoadDefaultClientOptions()
	if err != nil {
		return nil, fmt.Errorf("read Temporal's settings from the environment: %w", err)
	}
	if o.Address != "" {
		options.HostPort = o.Address
	}
	if o.Namespace != "" {
		options.Namespace = o.Namespace
	}
	options.DataConverter = codec.DataConverter(o.Keys, o.Undecodable)
	options.FailureConverter = codec.FailureConverter(o.Keys, o.Undecodable)
	options.Identity = identity(o.Program)
	options.MetricsHandler = o.Metrics
	options.Interceptors = o.Interceptors
	// Encrypted payloads cannot be compressed. Trying took a sixth of the processor time.
	options.ConnectionOptions.GrpcCompression = &client.GrpcCompressionNone{}
	// gRPC would look up a TXT record for each address. Some name servers, such as the one in
	// older Docker engines, do not answer, and then the connection fails.
	options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions, grpc.WithDisableServiceConfig())
	if o.Completions != nil {
		options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions, grpc.WithChainUnaryInterceptor(o.Completions.observe))
		options.Interceptors = append(slices.Clip(options.Interceptors), &steps{completions: o.Completions})
	}
	if o.Logger != nil {
		options.Logger = log.NewStructuredLogger(o.Logger)
	}
	c, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("reach Temporal at %s%s: %w%s", options.HostPort, throughProxy(options.HostPort), err, advice(err, options.ConnectionOptions.TLS))
	}
	if err := checkServer(ctx, c, options.HostPort); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// identity is the program, its host and its release, as operators see it in Temporal.
func identity(program string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return program + "@" + host + "/" + telemetry.Version()
}

// minServer is the oldest minor version of Temporal's server 1 that is accepted.
const minServer = 28

// checkServer refuses a server that is too old. It accepts an unknown version, because
// not every service reports one.
func checkServer(ctx context.Context, c client.Client, address string) error {
	system, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	if err != nil {
		return fmt.Errorf("ask Temporal at %s for its version: %w", address, err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(system.ServerVersion, "%d.%d", &major, &minor); err == nil && (major < 1 || major == 1 && minor < minServer) {
		return fmt.Errorf("the server at %s is Temporal %s, and Requisite needs 1.%d or newer; upgrade it, or name another with TEMPORAL_ADDRESS",
			address, system.ServerVersion, minServer)
	}
	return nil
}

// How long histories of ended runs are kept in a new namespace by default, and
// the minimum that Temporal accepts.
const (
	DefaultRetention = 7 * 24 * time.Hour
	MinRetention     = 24 * time.Hour
)

// EnsureNamespace registers the namespace and the search attributes, unless they exist. It
// returns the namespace's retention once they can be used. A retention of zero leaves an
// existing namespace unchanged, and means the default for a new one. Another value
// applies to runs that end from then on. Running it again changes nothing. Before a change
// it calls changing, and changes nothing if that fails.
func EnsureNamespace(ctx context.Context, c client.Client, namespace string, retention time.Duration,
	changing func(context.Context) error) (time.Duration, error) {
	kept, err := ensureRetention(ctx, c.WorkflowService(), namespace, retention, changing)
	if err != nil {
		return 0, err
	}
	return kept, ensureSearchAttributes(ctx, c, namespace, changing)
}

// Lack says what a namespace lacks for the runs of the service, and what to do. Anyone may read its text.
type Lack string

func (l Lack) Error() string { return string(l) }

// CheckNamespace returns what a namespace lacks as a Lack, or the error of the connection. It checks the search attributes only
// if whole is true and the server lists them to the caller.
func CheckNamespace(ctx context.Context, c client.Client, namespace string, whole bool) error {
	found, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	var none *serviceerror.NamespaceNotFound
	switch {
	case errors.As(err, &none):
		return Lack(fmt.Sprintf("no namespace %s at Temporal; run `starter migrate`", namespace))
	case err != nil:
		return fmt.Errorf("look for namespace %s: %w", namespace, err)
	case found.GetNamespaceInfo().GetState() > enumspb.NAMESPACE_STATE_REGISTERED:
		return Lack(fmt.Sprintf("namespace %s at Temporal is %s and starts no runs; name another with TEMPORAL_NAMESPACE, and run `starter migrate`",
			namespace, strings.ToLower(found.GetNamespaceInfo().GetState().String())))
	case !whole:
		return nil
	}
	known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	var denied *serviceerror.PermissionDenied
	var unknown *serviceerror.Unimplemented
	switch {
	case errors.As(err, &denied), errors.As(err, &unknown):
		return nil
	case err != nil:
		return fmt.Errorf("list the search attributes of namespace %s: %w", namespace, err)
	}
	if missing := missingSearchAttributes(known); len(missing) > 0 {
		return Lack(fmt.Sprintf("namespace %s at Temporal lacks the search attributes %s; run `starter migrate`, or add them (docs/operating/temporal.md)",
			namespace, strings.Join(slices.Sorted(maps.Keys(missing)), ", ")))
	}
	return checkTypes(known, namespace)
}

// checkTypes refuses search attributes of another type, because no run would start with them.
func checkTypes(known *operatorservice.ListSearchAttributesResponse, namespace string) error {
	for _, a := range SearchAttributes() {
		if found, ok := known.GetCustomAttributes()[a.Name]; ok && found != a.Type {
			return Lack(fmt.Sprintf("the search attribute %[1]s of namespace %[2]s at Temporal is of type %[3]s, and must be of type %[4]s; "+
				"run `temporal operator search-attribute remove --namespace %[2]s --name %[1]s`, then `starter migrate`", a.Name, namespace, found, a.Type))
		}
	}
	return nil
}

func missingSearchAttributes(known *operatorservice.ListSearchAttributesResponse) map[string]enumspb.IndexedValueType {
	missing := map[string]enumspb.IndexedValueType{}
	for _, a := range SearchAttributes() {
		if _, ok := known.GetCustomAttributes()[a.Name]; !ok {
			missing[a.Name] = a.Type
		}
	}
	return missing
}

func ensureSearchAttributes(ctx context.Context, c client.Client, namespace string, changing func(context.Context) error) error {
	known, err := knownSearchAttributes(ctx, c, namespace)
	if err != nil {
		return fmt.Errorf("list the search attributes of namespace %s: %w", namespace, err)
	}
	if err := checkTypes(known, namespace); err != nil {
		return err
	}
	if missing := missingSearchAttributes(known); len(missing) > 0 {
		if err := changing(ctx); err != nil {
			return err
		}
		request := &operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: missing}
		if _, err := c.OperatorService().AddSearchAttributes(ctx, request); err != nil {
			return fmt.Errorf("add search attributes to namespace %s: %w", namespace, err)
		}
	}
	return waitUntilSearchable(ctx, c, namespace)
}

func ensureRetention(ctx context.Context, service workflowservice.WorkflowServiceClient, namespace string, retention time.Duration,
	changing func(context.Context) error) (time.Duration, error) {
	if retention != 0 && retention < MinRetention {
		return 0, fmt.Errorf("a retention of %s is too short: Temporal keeps histories for at least %s", retention, MinRetention)
	}
	found, err := service.DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	var none *serviceerror.NamespaceNotFound
	switch {
	case errors.As(err, &none):
		if err := changing(ctx); err != nil {
			return 0, err
		}
		return register(ctx, service, namespace, cmp.Or(retention, DefaultRetention))
	case err != nil:
		return 0, fmt.Errorf("look for Temporal namespace %s: %w", namespace, err)
	}
	kept := found.Config.GetWorkflowExecutionRetentionTtl().AsDuration()
	if retention == 0 || retention == kept {
		return kept, nil
	}
	if err := changing(ctx); err != nil {
		return 0, err
	}
	_, err = service.UpdateNamespace(ctx, &workflowservice.UpdateNamespaceRequest{
		Namespace: namespace, Config: &namespacepb.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(retention)},
	})
	if err != nil {
		return 0, fmt.Errorf("set the retention of Temporal namespace %s: %w", namespace, err)
	}
	return retention, nil
}

// register creates the namespace, unless a concurrent process does, perhaps with
// another retention.
func register(ctx context.Context, service workflowservice.WorkflowServiceClient, namespace string, retention time.Duration) (time.Duration, error) {
	_, err := service.RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace:                        namespace,
		Description:                      "Requisite: required documents and webhooks",
		WorkflowExecutionRetentionPeriod: durationpb.New(retention),
	})
	var exists *serviceerror.NamespaceAlreadyExists
	if err != nil && !errors.As(err, &exists) {
		return 0, fmt.Errorf("register Temporal namespace %s: %w", namespace, err)
	}
	return retention, nil
}

// knownSearchAttributes waits until the server's caches know a new namespace.
func knownSearchAttributes(ctx context.Context, c client.Client, namespace string) (*operatorservice.ListSearchAttributesResponse, error) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
		var none *serviceerror.NamespaceNotFound
		if !errors.As(err, &none) {
			return known, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-ticker.C:
		}
	}
}

// waitUntilSearchable polls until queries by the attributes work. The server allows ten
// queries a second for a namespace, so one query has all attributes.
func waitUntilSearchable(ctx context.Context, c client.Client, namespace string) error {
	var conditions []string
	for _, a := range SearchAttributes() {
		conditions = append(conditions, a.Name+" = 'none'")
	}
	query := strings.Join(conditions, " OR ")
	ticker := time.NewTicker(500 * time.Millisecond)
	defer ticker.Stop()
	for {
		_, err := c.WorkflowService().CountWorkflowExecutions(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace, Query: query})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("search attributes of namespace %s do not become usable: %w", namespace, err)
		case <-ticker.C:
		}
	}
}
