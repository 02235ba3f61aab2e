package temporalclient

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/resolver"
)

// asked is a resolver that only remembers how it was asked.
type asked struct{ options chan resolver.BuildOptions }

func (asked) Scheme() string { return "asked" }

func (a asked) Build(_ resolver.Target, _ resolver.ClientConn, o resolver.BuildOptions) (resolver.Resolver, error) {
	select {
	case a.options <- o:
	default:
	}
	return nil, errors.New("it resolves nothing")
}

// A name server that does not answer TXT queries must not delay the connection.
func TestDial_LooksUpNoTXTRecord(t *testing.T) {
	a := asked{options: make(chan resolver.BuildOptions, 1)}
	resolver.Register(a)
	_, err := Dial(t.Context(), Options{Address: "asked:///temporal:7233", Namespace: "n"})
	require.ErrorContains(t, err, "it resolves nothing")
	require.True(t, (<-a.options).DisableServiceConfig)
}
