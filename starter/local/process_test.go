package local

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
	"requisite/starter/cli"
	"requisite/starter/progress"
)

// It prints the program, its exit status and the end of its log, and exits with 1.
func TestUp_OtherProgramsRunOnWhenOneEnds(t *testing.T) {
	dir := t.TempDir()
	f := files{bin: dir, logs: dir}
	start := func(name, script string) *process {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
		p, _, err := startProcess(f, name, nil, nil, false)
		require.NoError(t, err)
		return p
	}
	api := start("api", "read line") // until its standard input ends
	worker := start("worker", "echo out of luck >&2; exit 3")

	read, write := io.Pipe()
	lines := make(chan string)
	go func() {
		for s := bufio.NewScanner(read); s.Scan(); {
			lines <- s.Text()
		}
	}()
	ctx, interrupt := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- wait(ctx, &progress.Narrator{Out: write}, []*process{api, worker}) }()
	var said []string
	for len(said) < 4 {
		said = append(said, await.Next(t, "what starter up says", lines))
	}
	require.Equal(t, "worker ended unexpectedly (exit status 3); the end of "+filepath.Join(dir, "worker.log")+" says:\nout of luck\nThe other programs run on. To restart worker, stop with Ctrl-C, and run starter up again.",
		strings.Join(said[1:], "\n"))
	select {
	case <-api.exited:
		t.Fatal("the api ended, too")
	default:
	}
	interrupt()
	require.Empty(t, await.Next(t, "an empty line", lines))
	require.Contains(t, await.Next(t, "the end", lines), "Stopping: ")
	var failed *cli.ExitError
	require.ErrorAs(t, await.Next(t, "the result", result), &failed)
	require.Equal(t, cli.ExitFailed, failed.Code)
	require.NoError(t, worker.stop())
	require.NoError(t, api.stdin.Close())
	await.Closed(t, "the end of the api", api.exited)
}
