package heldport

import (
	"errors"
	"os"
	"syscall"
)

// hold binds a socket without listening. Linux does not assign such a port. A second socket
// may bind it by number if both set SO_REUSEADDR and no other listens. Go's listeners and
// Postgres set it.
func hold(port int) (number int, release func() error, err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, os.NewSyscallError("socket", err)
	}
	release = func() error { return os.NewSyscallError("close", syscall.Close(fd)) }
	if number, err = bind(fd, port); err != nil {
		return 0, nil, errors.Join(err, release())
	}
	return number, release, nil
}

func bind(fd, port int) (int, error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	return bound.(*syscall.SockaddrInet4).Port, nil
}
