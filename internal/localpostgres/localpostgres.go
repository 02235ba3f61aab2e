// Package localpostgres runs a PostgreSQL server of its own, for development and for tests.
//
// The server uses the PostgreSQL programs installed on the machine, or downloads them once when there are none. It
// listens on the loopback address only and takes connections with a password that it generates. It runs on Linux and
// macOS, as an ordinary user or as root; started by root, the server runs as the user postgres, or nobody, because
// PostgreSQL refuses to be root.
//
// A server ends with the process that started it. On Linux the kernel tells it to shut down even when that process is
// killed; elsewhere a server left behind by a killed process is shut down by the next Start on its directory.
package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"requisite/internal/localpostgres/heldport"
)

const (
	// MaxConnections is the number of connections that a server accepts at the same time.
	MaxConnections = 300

	superuser           = "requisite"
	maintenanceDatabase = "postgres"
	readyTimeout        = 2 * time.Minute
	launchAttempts      = 5
)

// Options says where a server keeps its data and where it listens.
type Options struct {
	// Dir is a directory that belongs to the server alone and holds its data between runs. It is created when
	// absent; a directory that holds anything else is refused. Only one server uses it at a time.
	//
	// When root starts the server and the directory lies below one that the server's user may not enter (such as
	// /root), the data is kept in /var/lib/requisite instead and Dir holds a file, location, that names the
	// directory. If Dir is removed, the next Start discards that data and makes new data.
	//
	// Empty means a temporary directory, removed by Stop, on a server that trades durability for speed.
	Dir string

	// InMemory puts a temporary directory into memory where Linux has some gigabytes for it and TMPDIR is not set. It
	// is for short-lived data, such as those of tests: the data take memory until Stop.
	InMemory bool

	// Port is the TCP port on 127.0.0.1. Zero picks a free one.
	Port int

	// LogFile receives the server's log, appended. Empty means postgres.log in the directory.
	LogFile string

	// Settings of the server, as name=value. They override the usual ones.
	Settings []string

	// Progress, when set, is called with a sentence before a step that can take more than a second.
	Progress func(message string)
}

// Server is a running PostgreSQL server. Its methods may be called from several goroutines.
type Server struct {
	home     *home
	process  *process
	port     int
	password string

	stop    sync.Once
	stopErr error
}

// Start starts a server and returns when it accepts connections. A server that an earlier, killed process left running
// on the same directory is shut down first; one whose process still lives makes Start fail with ErrInUse.
//
// The context bounds the start only; the server runs until Stop.
func Start(ctx context.Context, options Options) (*Server, error) {
	return thisMachine().start(ctx, options)
}

// Port is the TCP port the server listens on.
func (s *Server) Port() int { return s.port }

// InMemory reports whether Options.InMemory has found room.
func (s *Server) InMemory() bool { return s.home.inMemory }

// PID is the id of the server's main process.
func (s *Server) PID() int { return s.process.cmd.Process.Pid }

// URL is the connection string of a database on this server, password included. The database need not exist.
func (s *Server) URL(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(superuser, s.password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// CreateDatabase creates an empty database; one that exists already is left as it is.
func (s *Server) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.URL(maintenanceDatabase))
	if err != nil {
		return fmt.Errorf("create database %q: %w", name, err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists)
	if err == nil && !exists {
		_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	}
	if err != nil && !alreadyExists(err) {
		return fmt.Errorf("create database %q: %w", name, err)
	}
	return nil
}

// alreadyExists also covers the unique violation that PostgreSQL reports when two sessions create the same database at
// the same moment.
func alreadyExists(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == "42P04" || pgErr.Code == "23505")
}

// Done is closed when the server's process has ended, by Stop or on its own.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Stop closes all connections, shuts the server down cleanly and waits for it. A temporary directory is removed. Later
// calls return what the first one did.
func (s *Server) Stop() error {
	s.stop.Do(func() { s.stopErr = errors.Join(s.process.shutDown(), s.home.close()) })
	return s.stopErr
}

func (m *machine) start(ctx context.Context, options Options) (server *Server, err error) {
	h, err := m.openHome(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
		}
	}()
	progress := options.Progress
	if progress == nil {
		progress = func(string) {}
	}
	bin, err := m.findBinaries(ctx, h, progress)
	if err != nil {
		return nil, err
	}
	if err := stopLeftover(ctx, h.data(), progress); err != nil {
		return nil, err
	}
	password, err := h.password()
	if err != nil {
		return nil, err
	}
	if err := h.initialize(ctx, bin, password); err != nil {
		return nil, err
	}
	return h.launch(ctx, bin, password, options)
}

// launch starts the server's process. It retries if processes of a killed server still run, or if another program has
// taken the chosen port.
func (h *home) launch(ctx context.Context, bin binaries, password string, options Options) (*Server, error) {
	var err error
	for attempt := range launchAttempts {
		if attempt > 0 {
			if waitErr := pause(ctx, time.Duration(attempt)*200*time.Millisecond); waitErr != nil {
				return nil, errors.Join(waitErr, err)
			}
		}
		var server *Server
		server, err = h.launchOnce(ctx, bin, password, options)
		if err == nil {
			return server, nil
		}
		if !isTransient(err, options.Port) {
			return nil, err
		}
	}
	return nil, err
}

func isTransient(err error, fixedPort int) bool {
	text := err.Error()
	return strings.Contains(text, "pre-existing shared memory block") ||
		fixedPort == 0 && strings.Contains(text, "could not bind")
}

func (h *home) launchOnce(ctx context.Context, bin binaries, password string, options Options) (*Server, error) {
	port, err := heldport.Hold(options.Port)
	if err != nil {
		return nil, fmt.Errorf("port %d for PostgreSQL is not free; choose another, or 0 for any: %w", options.Port, err)
	}
	defer port.Release() // the server has it, or nobody needs it
	logPath := options.LogFile
	if logPath == "" {
		logPath = filepath.Join(h.dir, "postgres.log")
	}
	logFile, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the PostgreSQL log: %w", err)
	}
	defer logFile.Close()
	logStart := size(logFile)

	cmd := h.account.command(context.WithoutCancel(ctx), bin.postgres(), h.serverArguments(port.Number(), options.Settings)...)
	cmd.Dir = h.root
	cmd.Stdout, cmd.Stderr = logFile, logFile
	p, err := startProcess(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", bin.postgres(), err)
	}
	server := &Server{home: h, process: p, port: port.Number(), password: password}
	if err := server.waitReady(ctx); err != nil {
		_ = p.shutDown()
		return nil, fmt.Errorf("PostgreSQL did not start (log %s): %w\n%s", logPath, err, tail(logPath, logStart))
	}
	return server, nil
}

func (h *home) serverArguments(port int, more []string) []string {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"unix_socket_directories=",
		"port=" + strconv.Itoa(port),
		"max_connections=" + strconv.Itoa(MaxConnections),
		"shared_buffers=128MB",
		"jit=off",
		"timezone=UTC",
		"log_timezone=UTC",
		"log_checkpoints=off",
		// Clients get errors whole; the log gets no values of rows.
		"log_error_verbosity=terse",
		"log_min_error_statement=panic",
	}
	if h.ephemeral {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	if h.inMemory {
		settings = append(settings, "max_wal_size=128MB", "min_wal_size=32MB") // files of it that wait to be used again take memory
	}
	arguments := []string{"-D", h.data()}
	for _, setting := range append(settings, more...) { // the last one of a name applies
		arguments = append(arguments, "-c", setting)
	}
	return arguments
}

func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL(maintenanceDatabase))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.process.done:
			return fmt.Errorf("the server ended: %w", s.process.err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func size(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// tail returns the last lines of the log after an offset.
func tail(path string, from int64) string {
	content, err := os.ReadFile(path)
	if err != nil || int64(len(content)) < from {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(content[from:])), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}
