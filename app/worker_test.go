package app

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"
)

// busy is a worker that stops only when all others are stopping too.
type busy struct {
	worker.Worker
	all     *sync.WaitGroup
	stopped *bool
}

func (b busy) Stop() {
	b.all.Done()
	b.all.Wait()
	*b.stopped = true
}

// While one worker finishes its work, the others take no new tasks.
func TestStopAll_StopsWorkersConcurrently(t *testing.T) {
	var all sync.WaitGroup
	all.Add(3)
	var stopped [3]bool
	var workers []worker.Worker
	for i := range stopped {
		workers = append(workers, busy{all: &all, stopped: &stopped[i]})
	}
	stopAll(workers)
	require.Equal(t, [3]bool{true, true, true}, stopped, "it waits for each")
}
