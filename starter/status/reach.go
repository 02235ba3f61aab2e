package status

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"requisite/internal/telemetry"
)

// unreachable says why there is no connection, in words; empty if the error has another cause. It names no address, but
// the host name that does not resolve.
func unreachable(err error) string {
	var lookup *net.DNSError
	var slow net.Error
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return fmt.Sprintf("the host name %s does not resolve", lookup.Name)
	case lookup != nil:
		return fmt.Sprintf("no name server resolves the host name %s: %s", lookup.Name, lookup.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no route to its address"
	case errors.As(err, &slow) && slow.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return ""
}

// unreached connects to an address to find out why a client of it failed; empty if it connects. gRPC says of a name that
// does not resolve, and of a name server that is slow, only that there is no connection.
func unreached(ctx context.Context, address string) string {
	if telemetry.GRPCProxy(address) != "" {
		return "" // the proxy looks up the name
	}
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return unreachable(err)
	}
	_ = connection.Close()
	return ""
}
