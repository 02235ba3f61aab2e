//go:build !linux

package background

import (
	"os"
	"time"
)

func threadID() int { return 0 }

func lower() {}

var executable, _ = os.Executable()

func nameProcess(string) {}

func giveWay(int) {}

// processorTime returns the time since: that of a thread is not known.
func processorTime() (taken func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
