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
// about ten times, would wait for a computation each time.
//
// The context of compute ends with cause when compute has taken limit of processor
// time, so that the load does not decide whether it finishes. On other systems the
// limit is elapsed time. A limit of zero means none. A panic in compute panics here.
func Run(ctx context.Context, limit time.Duration, cause error, compute func(context.Context)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	makeRoom()
	defer leaveRoom()
	began, ended := make(chan clock, 1), make(chan any, 1)
	go start(func() {
		defer func() {
			failed := recover()
			if failed != nil {
				failed = fmt.Sprintf("%v\n%s", failed, debug.Stack())
			}
			ended <- failed
		}()
		began <- lower()
		compute(ctx)
	})
	thread := <-began
	check := time.NewTimer(limit)
	defer check.Stop()
	if limit == 0 {
		check.Stop()
	}
	for {
		select {
		case failed := <-ended:
			if failed != nil {
				panic(failed)
			}
			return
		case <-check.C:
			if left := limit - thread.taken(); left > 0 {
				check.Reset(max(left, time.Millisecond))
			} else {
				cancel(cause)
			}
		}
	}
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
