package freeport_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/freeport"
)

func TestAFreePortIsNoneOfThoseForOutgoingConnections(t *testing.T) {
	t.Parallel()
	for range 100 {
		port, err := freeport.Choose(0)
		require.NoError(t, err)
		require.Less(t, port, 32768)
		listener, err := freeport.Listen(port)
		require.NoError(t, err)
		_, err = freeport.Choose(port)
		require.Error(t, err, "somebody listens")
		require.NoError(t, listener.Close())
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	address, err := freeport.Address()
	require.NoError(t, err)
	listener, err := net.Listen("tcp", address)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
}
