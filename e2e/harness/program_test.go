package harness

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

func TestProgram_ThatCrashesFailsTheWaitsOfTheStack(t *testing.T) {
	p := startProgram(t, t, exec.Command("true"), "")
	s := &Stack{Processes: &Processes{API: p}}
	require.Len(t, s.Running(), 1)
	await.Closed(t, "the end of the program", s.Running()[0].Ended)
}

func TestProgram_StoppedByATestFailsNoWait(t *testing.T) {
	p := startProgram(t, t, exec.Command("cat"), "") // runs until its input ends
	s := &Stack{Processes: &Processes{API: p}}
	depends := s.Running()
	p.Kill(t)
	require.Empty(t, s.Running())
	select {
	case <-depends[0].Ended:
		t.Fatal("a wait that began before would have ended")
	default:
	}
}
