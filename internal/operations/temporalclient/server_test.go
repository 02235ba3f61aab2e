package temporalclient

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// versioned is a server that only tells its version.
type versioned struct {
	workflowservice.UnimplementedWorkflowServiceServer
	version string
}

func (v versioned) GetSystemInfo(context.Context, *workflowservice.GetSystemInfoRequest) (*workflowservice.GetSystemInfoResponse, error) {
	return &workflowservice.GetSystemInfoResponse{ServerVersion: v.version, Capabilities: &workflowservice.GetSystemInfoResponse_Capabilities{}}, nil
}

func TestAServerThatIsTooOldIsRefused(t *testing.T) {
	dial := func(version string) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		server := grpc.NewServer()
		workflowservice.RegisterWorkflowServiceServer(server, versioned{version: version})
		grpc_health_v1.RegisterHealthServer(server, health.NewServer())
		served := make(chan error, 1)
		go func() { served <- server.Serve(listener) }()
		defer func() { server.Stop(); require.NoError(t, <-served) }()
		c, err := Dial(t.Context(), Options{Address: listener.Addr().String(), Namespace: "n"})
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
