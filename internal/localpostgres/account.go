package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the user that runs the server's programs.
type account struct {
	uid, gid int
	// dropped reports that this process is root, and the user is another one.
	dropped bool
}

// serverAccount is the user of this process. For root it is the owner of existing data, or another user, because
// PostgreSQL refuses root.
func serverAccount(data string) (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	if info, err := os.Stat(data); err == nil {
		if owner := ownerOf(info); owner.uid != 0 {
			owner.dropped = true
			return owner, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		entry, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(entry.Uid)
		gid, gidErr := strconv.Atoi(entry.Gid)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return account{}, fmt.Errorf("read the ids of the user %s: %w", name, err)
		}
		return account{uid: uid, gid: gid, dropped: true}, nil
	}
	return account{}, errors.New("PostgreSQL refuses to run as root and there is no user postgres or nobody; " +
		"run as an ordinary user")
}

func ownerOf(info os.FileInfo) account {
	stat := info.Sys().(*syscall.Stat_t)
	return account{uid: int(stat.Uid), gid: int(stat.Gid)}
}

// chown gives a file or directory to the account.
func (a account) chown(path string) error {
	if !a.dropped {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// mayEnter reports whether the account may enter a directory and all of its parents.
func (a account) mayEnter(dir string) bool {
	if !a.dropped {
		return true
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || !a.mayExecute(info) {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

func (a account) mayExecute(info os.FileInfo) bool {
	owner := ownerOf(info)
	switch {
	case owner.uid == a.uid:
		return info.Mode().Perm()&0o100 != 0
	case owner.gid == a.gid:
		return info.Mode().Perm()&0o010 != 0
	default:
		return info.Mode().Perm()&0o001 != 0
	}
}

// command returns a program that the account runs. It inherits only the search paths of the caller's environment. The end
// of the context kills it. It has its own process group, so that Ctrl-C reaches only the caller.
func (a account) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC"}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH":
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a.dropped {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return cmd
}
