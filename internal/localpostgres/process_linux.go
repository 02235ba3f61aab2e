package localpostgres

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// shutDownWithParent has the kernel ask for a fast shutdown when this process dies, however it dies.
func shutDownWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
}

// serves says whether a process is alive and a postmaster of the data directory, which is its working directory.
func serves(pid int, data string) bool {
	cwd, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	if err != nil {
		return false
	}
	resolved, err := filepath.EvalSymlinks(data)
	return err == nil && cwd == resolved
}
