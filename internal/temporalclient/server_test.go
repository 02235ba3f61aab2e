package temporalclient

import (
	"context"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"requisite/internal/telemetry"
)

// versioned is a server that only tells its version.
type versioned struct {
	workflowservice.UnimplementedWorkflowServiceServer
	version    string
	identities chan string // of those who cancel runs
}

func (v versioned) GetSystemInfo(context.Context, *workflowservice.GetSystemInfoRequest) (*workflowservice.GetSystemInfoResponse, error) {
	return &workflowservice.GetSystemInfoResponse{ServerVersion: v.version, Capabilities: &workflowservice.GetSystemInfoResponse_Capabilities{}}, nil
}

func (v versioned) RequestCancelWorkflowExecution(_ context.Context, in *workflowservice.RequestCancelWorkflowExecutionRequest) (*workflowservice.RequestCancelWorkflowExecutionResponse, error) {
	v.identities <- in.Identity
	return &workflowservice.RequestCancelWorkflowExecutionResponse{}, nil
}

// serve serves a server until the test ends.
func serve(t *testing.T, v versioned) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	workflowservice.RegisterWorkflowServiceServer(server, v)
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() { server.Stop(); require.NoError(t, <-served) })
	return listener.Addr().String()
}

func TestDial_IdentityNamesProgramHostAndRelease(t *testing.T) {
	identities := make(chan string, 1)
	c, err := Dial(t.Context(), Options{Address: serve(t, versioned{version: "1.32.1", identities: identities}), Namespace: "n", Program: "worker"})
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.CancelWorkflow(t.Context(), "w", ""))
	host, err := os.Hostname()
	require.NoError(t, err)
	require.Equal(t, "worker@"+host+"/"+telemetry.Version(), <-identities)
}

func TestDial_RefusesAnOldServer(t *testing.T) {
	dial := func(version string) error {
		c, err := Dial(t.Context(), Options{Address: serve(t, versioned{version: version}), Namespace: "n"})
		if err == nil {
			c.Close()
		}
		return err
	}
	for _, old := range []string{"1.27.9", "1.9.0", "0.28.0"} {
		err := dial(old)
		require.ErrorContains(t, err, "is Temporal "+old+", and Requisite needs 1.28 or newer; upgrade it")
		require.NotContains(t, err.Error(), "\n")
	}
	for _, fine := range []string{"1.28.0", "1.32.1", "2.0.0", "", "cloud"} {
		require.NoError(t, dial(fine), fine)
	}
}
