//go:build deep

package store_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// TestFeed_SurvivesCrashesOfPostgres: 32 writers and 4 readers go on while the server
// is killed again and again. Each reader sees each event once, in order.
func TestFeed_SurvivesCrashesOfPostgres(t *testing.T) {
	own := pgtest.Own(t)
	b := &bundle{pgtest.NewBundle(t, own)}
	b.Store = own.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Connections: db.Connections{Max: 45}})
	var up atomic.Pointer[chan struct{}]
	back := make(chan struct{})
	close(back)
	up.Store(&back)
	each, crashes := 60, 6
	b.writeAndRead(each, func() <-chan struct{} { return *up.Load() }, func(seen *atomic.Int64, failed <-chan struct{}) {
		for n := range crashes {
			least := int64((n + 1) * 32 * each / (crashes + 2))
			await.True(t, fmt.Sprint("readers to have seen ", least, " events"), func(context.Context) error {
				if seen.Load() < least {
					return fmt.Errorf("they have seen %d", seen.Load())
				}
				return nil
			}, await.Process{Name: "a reader or a writer", Ended: failed})
			away := make(chan struct{})
			up.Store(&away)
			own.Crash(t)
			close(away)
		}
	})
}
