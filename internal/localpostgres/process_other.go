//go:build unix && !linux

package localpostgres

import (
	"os/exec"
	"strconv"
	"strings"
)

// shutDownWithParent does nothing, because the kernel does not signal a parent's death. The next start on the same
// directory shuts the server down.
func shutDownWithParent(*exec.Cmd) {}

// serves says whether a process is alive and a postmaster of the data directory, which stands on its command line.
func serves(pid int, data string) bool {
	line, err := exec.Command("ps", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(line), data)
}
