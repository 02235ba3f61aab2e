// Package background runs long computations, such as checking rules, so that
// nothing else waits for them.
package background

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Run runs compute and returns when it has ended. On Linux, compute runs on a
// thread that uses at most half of the processors (a single one whole), and those only
// while they are idle. The kernel preempts it as soon as another thread of the process
// has work to do. Otherwise a request, which is handed between goroutines and processes
// about ten times, would wait for a computation each time. A panic in compute panics
// here.
func Run(compute func()) {
	makeRoom()
	defer leaveRoom()
	ended := make(chan any, 1)
	go start(func() {
		defer func() {
			failed := recover()
			if failed != nil {
				failed = fmt.Sprintf("%v\n%s", failed, debug.Stack())
			}
			ended <- failed
		}()
		lower()
		compute()
	})
	if failed := <-ended; failed != nil {
		panic(failed)
	}
}

// Limit runs compute. Its context ends with cause when compute has taken limit of
// processor time, so that the load does not decide whether it finishes. On other
// systems than Linux the limit is elapsed time. A limit of zero means none.
func Limit(ctx context.Context, limit time.Duration, cause error, compute func(context.Context)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if limit > 0 {
		runtime.LockOSThread() // whose time is measured
		defer runtime.UnlockOSThread()
		taken, ended := processorTime(), make(chan struct{})
		defer close(ended)
		go func() {
			for left := limit; left > 0; left = limit - taken() {
				select {
				case <-ended:
					return
				case <-time.After(max(left, time.Millisecond)):
				}
			}
			cancel(cause)
		}()
	}
	compute(ctx)
}

// start runs f on its own thread, which ends with f, because a thread's priority
// cannot be raised again. It never uses the main thread, which cannot end.
func start(f func()) {
	runtime.LockOSThread()
	if !onMainThread() {
		f()
		return
	}
	begun := make(chan struct{})
	go start(func() {
		close(begun)
		f()
	})
	<-begun
	runtime.UnlockOSThread()
}

var onMainThread = func() bool { return threadID() == os.Getpid() }

// room is how many computations are running, and for how many GOMAXPROCS has been
// raised.
var room struct {
	sync.Mutex
	running, given int
}

// makeRoom lets one more goroutine run at the same time. To Go, a computation whose
// thread the kernel has preempted still counts as running: nothing else would run in
// its place for ten milliseconds.
func makeRoom() {
	room.Lock()
	defer room.Unlock()
	if room.running++; room.running > room.given && room.given < 2*runtime.NumCPU() {
		room.given++
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
}

func leaveRoom() {
	room.Lock()
	defer room.Unlock()
	room.running--
}
