package temporalclient

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	namespacepb "go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
)

// namespaced is a server with the namespace n, its search attributes and nothing else.
type namespaced struct {
	workflowservice.UnimplementedWorkflowServiceServer
	operatorservice.UnimplementedOperatorServiceServer
	attributes map[string]enumspb.IndexedValueType
	state      enumspb.NamespaceState
	fails      error
	asked      int // for search attributes
}

func (s *namespaced) DescribeNamespace(_ context.Context, in *workflowservice.DescribeNamespaceRequest) (*workflowservice.DescribeNamespaceResponse, error) {
	if in.Namespace != "n" {
		return nil, serviceerror.ToStatus(serviceerror.NewNamespaceNotFound(in.Namespace)).Err()
	}
	return &workflowservice.DescribeNamespaceResponse{NamespaceInfo: &namespacepb.NamespaceInfo{State: s.state}}, nil
}

func (s *namespaced) ListSearchAttributes(context.Context, *operatorservice.ListSearchAttributesRequest) (*operatorservice.ListSearchAttributesResponse, error) {
	s.asked++
	return &operatorservice.ListSearchAttributesResponse{CustomAttributes: s.attributes}, serviceerror.ToStatus(s.fails).Err()
}

func TestCheckNamespace_NamesWhatIsMissingAndWhatToDo(t *testing.T) {
	s := &namespaced{attributes: map[string]enumspb.IndexedValueType{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	workflowservice.RegisterWorkflowServiceServer(server, s)
	operatorservice.RegisterOperatorServiceServer(server, s)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() { server.Stop(); require.NoError(t, <-served) }()
	c, err := client.NewLazyClient(client.Options{HostPort: listener.Addr().String()})
	require.NoError(t, err)
	defer c.Close()
	check := func(namespace string) error { return CheckNamespace(t.Context(), c, namespace, true) }

	require.Equal(t, Lack("no namespace other at Temporal; run `starter migrate`"), check("other"))
	for _, a := range SearchAttributes() {
		s.attributes[a.Name] = a.Type
	}
	require.NoError(t, check("n"))
	s.state = enumspb.NAMESPACE_STATE_DEPRECATED
	require.ErrorContains(t, check("n"), "namespace n at Temporal is deprecated and starts no runs; name another")
	s.state = enumspb.NAMESPACE_STATE_REGISTERED
	delete(s.attributes, "TraceId")
	delete(s.attributes, "AccountIds")
	require.Equal(t, Lack("namespace n at Temporal lacks the search attributes AccountIds, TraceId; "+
		"run `starter migrate`, or add them (docs/operating/temporal.md)"), check("n"))
	asked := s.asked
	require.NoError(t, CheckNamespace(t.Context(), c, "n", false))
	require.Equal(t, asked, s.asked, "it does not look at them")
	s.attributes["TraceId"], s.attributes["AccountIds"] = enumspb.INDEXED_VALUE_TYPE_TEXT, enumspb.INDEXED_VALUE_TYPE_KEYWORD_LIST
	require.Equal(t, Lack("the search attribute TraceId of namespace n at Temporal is of type Text, and must be of type Keyword; "+
		"run `temporal operator search-attribute remove --namespace n --name TraceId`, then `starter migrate`"), check("n"))
	require.ErrorContains(t, ensureSearchAttributes(t.Context(), c, "n", nil), "is of type Text", "migrate does not say that all is well")

	s.fails = serviceerror.NewUnavailable("planted")
	require.ErrorContains(t, check("n"), "planted")
	s.fails = serviceerror.NewPermissionDenied("planted", "")
	require.NoError(t, check("n"), "a caller who may not list them cannot know")
	s.fails = serviceerror.NewUnimplemented("planted")
	require.NoError(t, check("n"), "nor can one of a server without that service")
}
