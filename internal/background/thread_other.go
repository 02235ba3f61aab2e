//go:build !linux

package background

import "time"

func threadID() int { return 0 }

func lower() clock { return clock{time.Now()} }

// clock is the time since a computation began: that of its thread is not known.
type clock struct{ began time.Time }

func (c clock) taken() time.Duration { return time.Since(c.began) }
