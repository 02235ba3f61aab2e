// Devstack runs what Requisite needs on one machine, in one process: a PostgreSQL server, a Temporal server that keeps
// its state in it, and the Temporal UI.
//
// Everything listens on the loopback address only. State is kept under one directory between runs, or thrown away with
// --ephemeral. The log goes to standard error; standard output carries events for the program that started this one,
// one JSON object a line:
//
//	{"event":"progress","message":"starting Temporal"}
//	{"event":"ready","database_url":"…","temporal_address":"…","temporal_ui_url":"…","namespace":"…"}
//	{"event":"error","message":"…"}
//
// Any number of progress events come before ready; error comes at most once, last, and the exit code is then 1, or 2
// when the flags are wrong. Any of SIGINT, SIGTERM, SIGHUP and, with --stop-on-stdin-eof, the end of standard input
// stops everything in order, before ready too, and the exit code is 0.
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
	// The event stream keeps standard output for itself: what a library prints must not break it.
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
	// A parent that died closes the pipe; a write to it is then an error, and the stop an orderly one.
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

// serve starts the stack, says that it is ready, and stops it when the context ends or a part of it does.
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
			return nil // told to stop before it was ready
		}
		return err
	}
	events.ready(stack.endpoints())
	return stack.wait(ctx)
}
