package main

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"
	"go.uber.org/dig"
)

const (
	clusterName         = "active"
	temporalReadyWithin = time.Minute
)

// temporalServer is a Temporal server with all its services in this process.
type temporalServer struct {
	server  temporal.Server
	address string
}

// servicePorts are the gRPC ports of Temporal's services.
type servicePorts map[primitives.ServiceName]int

// startTemporal starts the server on its prepared store and returns once the namespace can be used.
func startTemporal(ctx context.Context, d *database, o options, held stackPorts, logger log.Logger) (*temporalServer, error) {
	ports := held.services()
	cfg := temporalConfig(d, o, ports)
	server, err := temporal.NewServer(
		temporal.WithConfig(cfg),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(staticHosts(ports)),
		temporal.WithDynamicConfigClient(dynamicConfig()),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return authorization.NewNoopClaimMapper() }),
		temporal.WithLogger(logger),
	)
	if err != nil {
		return nil, fmt.Errorf("set up Temporal: %w", dig.RootCause(err))
	}
	t := &temporalServer{server: server, address: cfg.PublicClient.HostPort}
	if err := server.Start(); err != nil {
		return t, fmt.Errorf("start Temporal: %w", dig.RootCause(err))
	}
	if err := t.waitReady(ctx, o, logger); err != nil {
		return t, fmt.Errorf("start Temporal: %w", err)
	}
	return t, nil
}

// stop shuts the services down, the frontend first.
func (t *temporalServer) stop() error { return t.server.Stop() }

func (t *temporalServer) waitReady(ctx context.Context, o options, logger log.Logger) error {
	secure, err := o.tls.client()
	if err != nil {
		return err
	}
	namespace := o.namespace
	ctx, cancel := context.WithTimeout(ctx, temporalReadyWithin)
	defer cancel()
	c, err := client.DialContext(ctx, client.Options{
		HostPort:          t.address,
		Namespace:         namespace,
		Logger:            sdklog.With(log.NewSdkLogger(logger)),
		ConnectionOptions: client.ConnectionOptions{TLS: secure},
	})
	if err != nil {
		return fmt.Errorf("reach it at %s: %w", t.address, err)
	}
	defer c.Close()
	describe := &workflowservice.DescribeNamespaceRequest{Namespace: namespace}
	if _, err := c.WorkflowService().DescribeNamespace(ctx, describe); err != nil {
		return fmt.Errorf("find the namespace %s: %w", namespace, err)
	}
	if _, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace}); err != nil {
		return fmt.Errorf("count the workflows of %s: %w", namespace, err)
	}
	return nil
}

func (p stackPorts) services() servicePorts {
	return servicePorts{
		primitives.FrontendService: p.frontend.Number(),
		primitives.HistoryService:  p.history.Number(),
		primitives.MatchingService: p.matching.Number(),
		primitives.WorkerService:   p.worker.Number(),
	}
}

// staticHosts gives each service the addresses of the others, instead of the gossip that a real cluster needs.
func staticHosts(ports servicePorts) map[primitives.ServiceName]static.Hosts {
	hosts := map[primitives.ServiceName]static.Hosts{}
	for service, port := range ports {
		hosts[service] = static.SingleLocalHost(address(port))
	}
	return hosts
}

func temporalConfig(d *database, o options, ports servicePorts) *config.Config {
	frontend := address(ports[primitives.FrontendService])
	services := map[string]config.Service{}
	for service, port := range ports {
		services[string(service)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnLocalHost: true}}
	}
	return &config.Config{
		Global:       config.Global{TLS: o.tls.temporal()},
		Services:     services,
		PublicClient: config.PublicClient{HostPort: frontend},
		Persistence: config.Persistence{
			DefaultStore:     storeDatabase,
			VisibilityStore:  visibilityDatabase,
			NumHistoryShards: int32(o.historyShards),
			DataStores: map[string]config.DataStore{
				storeDatabase:      {SQL: d.sqlConfig(storeDatabase)},
				visibilityDatabase: {SQL: d.sqlConfig(visibilityDatabase)},
			},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: "disabled"},
			Visibility: config.VisibilityArchival{State: "disabled"},
		},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
			},
		},
	}
}
