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

// Run runs compute and returns when it has ended. On Linux it runs on a thread
// that the system interrupts at once when any other has work to do, and that gets
// the processors that are left: without that, a request that is forwarded ten
// times between goroutines and processes waits for a turn each time.
//
// The context of compute ends with cause when it has taken limit of processor
// time, so that whether it ends does not depend on the load; on other systems,
// when so much time has passed. A limit of zero is none. A panic of compute
// panics here.
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

// start runs f on a thread of its own, which ends with it: a thread's priority
// cannot be raised again. The main thread never ends, so it is not the one.
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

// room is how many computations run, and for how many Go has been given threads
// in addition to those for everything else.
var room struct {
	sync.Mutex
	running, given int
}

// makeRoom lets one more goroutine run at once. A computation whose thread is
// interrupted still counts as running for Go, which would run nothing else in its
// place for ten milliseconds.
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
