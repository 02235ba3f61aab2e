//go:build !linux

package background

import (
	"os"
	"time"
)

func threadID() int { return 0 }

func lower() clock { return clock{time.Now()} }

var executable, _ = os.Executable()

func alone() {}

func processClock(int) clock { return clock{time.Now()} }

// clock is the time since a computation began: that of its thread or process is not
// known.
type clock struct{ began time.Time }

func (c clock) taken() time.Duration { return time.Since(c.began) }
