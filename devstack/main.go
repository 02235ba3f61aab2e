// Devstack runs what Requisite needs on one machine: a PostgreSQL server, a Temporal server that stores its state there,
// and the Temporal UI.
//
// Everything listens only on the loopback address. State is kept in one directory between runs, or discarded with
// --ephemeral. The log goes to standard error; standard output carries events for the parent process, one JSON object on
// each line:
//
//	{"event":"progress","message":"starting Temporal"}
//	{"event":"ready","database_url":"…","temporal_address":"…","temporal_ui_url":"…","namespace":"…"}
//	{"event":"error","message":"…"}
//
// Any number of progress events precede ready. There is at most one error event, and it is the last; the exit code is
// then 1, or 2 if the flags are wrong. SIGINT, SIGTERM, SIGHUP and, with --stop-on-stdin-eof, the end of standard input
// stop everything in order, also before ready, and the exit code is 0.
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// Standard output is only for events: what a library prints must not corrupt the stream.
	output := os.Stdout
	os.Stdout = os.Stderr
	os.Exit(run(os.Args[1:], os.Stdin, output, os.Stderr))
}

func run(arguments []string, input io.Reader, output, errorOutput *os.File) int {
	events := newEventStream(output)
	options, err := parseOptions(arguments, os.Getenv, errorOutput)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		events.failed(err)
		return 2
	}
	// A parent that dies closes the pipe. A write to the pipe then fails, and must not kill the process: it stops in order.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	if options.stopOnStdinEOF {
		go func() {
			_, _ = io.Copy(io.Discard, input)
			cancel()
		}()
	}
	if err := serve(ctx, options, events, errorOutput); err != nil {
		events.failed(err)
		return 1
	}
	return 0
}

// serve starts the stack, reports that it is ready, and stops it when the context or one of its parts ends.
func serve(ctx context.Context, options options, events *eventStream, errorOutput *os.File) (err error) {
	log, err := openLog(options.logFile, options.logLevel, errorOutput, events)
	if err != nil {
		return err
	}
	defer log.close()

	stack := &stack{options: options, events: events, log: log}
	defer func() { err = errors.Join(err, stack.stop()) }()
	if err := stack.start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // stopped before it was ready
		}
		return err
	}
	events.ready(stack.endpoints())
	return stack.wait(ctx)
}
