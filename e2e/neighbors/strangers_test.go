//go:build deep

package neighbors_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/id"
)

// The attacks of callers without a credential.
const (
	unknownKeys     = "unknown keys"
	idleConnections = "idle connections"
)

// askWithUnknownKeys sends signed requests whose API keys name no credential.
func (n neighbor) askWithUnknownKeys(ctx context.Context, client *requisite.Client, inFull func()) {
	var once sync.Once
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			for ctx.Err() == nil {
				unknown := id.New()
				signer, err := requisite.NewSigner("sb_"+id.Base62(unknown[:]), base64.StdEncoding.EncodeToString([]byte(rand.Text())), "token")
				if err != nil {
					panic(err)
				}
				stranger := *client
				stranger.Signer = signer
				_, _ = stranger.Call(ctx, "account.get", harness.Object{"account_id": n.AccountID}, nil)
				once.Do(inFull)
			}
		})
	}
	group.Wait()
}

// holdConnections opens as many connections as an api accepts, and sends nothing.
func (n neighbor) holdConnections(ctx context.Context, inFull func()) {
	const connections = 2100
	var begun, group sync.WaitGroup
	begun.Add(connections)
	dialer := net.Dialer{Timeout: time.Minute}
	for range connections {
		group.Go(func() {
			var once sync.Once
			for ctx.Err() == nil {
				conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(n.BaseURL, "http://"))
				once.Do(begun.Done)
				if err != nil {
					continue
				}
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = io.Copy(io.Discard, conn) // until the api closes the connection
				stop()
				_ = conn.Close()
			}
		})
	}
	begun.Wait()
	inFull()
	group.Wait()
}

// stranger runs an attack without a credential. It returns false for other attacks.
func (n neighbor) stranger(ctx context.Context, client *requisite.Client, inFull func()) bool {
	switch n.Attacks {
	case unknownKeys:
		n.askWithUnknownKeys(ctx, client, inFull)
	case idleConnections:
		n.holdConnections(ctx, inFull)
	default:
		return false
	}
	return true
}
