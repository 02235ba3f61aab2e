package localpostgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const childDirVariable = "LOCALPOSTGRES_TEST_CHILD_DIR"

// The test binary is also the process that starts a server and is then killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childDirVariable); dir != "" {
		startAndHang(dir)
		return
	}
	os.Exit(m.Run())
}

func startAndHang(dir string) {
	server, err := Start(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(server.Port())
	<-server.Done()
}

// reachableDir is a directory that the server's user may enter, which testing's own is not for another user than the
// test's.
func reachableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "localpostgres-test-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func start(t *testing.T, options Options) *Server {
	t.Helper()
	server, err := Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return server
}

func exec1(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func query1(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var answer string
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&answer))
	return answer
}

func listens(port int) bool {
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

func TestServer_DataSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")

	first := start(t, Options{Dir: dir})
	require.NoError(t, first.CreateDatabase(t.Context(), "kept"))
	exec1(t, first.URL("kept"), "CREATE TABLE note AS SELECT 'still here' AS text")
	require.NoError(t, first.Stop())
	require.False(t, listens(first.Port()))

	second := start(t, Options{Dir: dir})
	require.Equal(t, "still here", query1(t, second.URL("kept"), "SELECT text FROM note"))
	require.Equal(t, "on", query1(t, second.URL("kept"), "SHOW fsync"))
	require.Equal(t, strconv.Itoa(MaxConnections), query1(t, second.URL("kept"), "SHOW max_connections"))
}

func TestCreateDatabase_KeepsAnExistingOne(t *testing.T) {
	t.Parallel()
	server := start(t, Options{})
	require.NoError(t, server.CreateDatabase(t.Context(), "odd \"name\""))
	exec1(t, server.URL("odd \"name\""), "CREATE TABLE kept AS SELECT 'yes' AS answer")
	require.NoError(t, server.CreateDatabase(t.Context(), "odd \"name\""))
	require.Equal(t, "yes", query1(t, server.URL("odd \"name\""), "SELECT answer FROM kept"))
}

func TestTemporary_RemovesItsFiles(t *testing.T) {
	t.Parallel()
	server := start(t, Options{})
	require.DirExists(t, server.home.data())
	require.NoError(t, server.Stop())
	require.NoError(t, server.Stop(), "a second stop changes nothing")
	require.NoDirExists(t, server.home.dir)
	require.False(t, listens(server.Port()))
}

func TestServer_NeedsThePassword(t *testing.T) {
	t.Parallel()
	server := start(t, Options{})
	_, err := pgx.Connect(t.Context(), strings.Replace(server.URL("postgres"), server.password, "guess", 1))
	require.ErrorContains(t, err, "password authentication failed")

	secret, err := os.Stat(filepath.Join(server.home.dir, passwordFile))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), secret.Mode().Perm())
	data, err := os.Stat(server.home.data())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), data.Mode().Perm())
}

func TestDirectory_IsLockedByOneProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	first := start(t, Options{Dir: dir})
	_, err := Start(t.Context(), Options{Dir: dir})
	require.ErrorIs(t, err, ErrInUse)
	require.True(t, listens(first.Port()), "the first server is left alone")
}

func TestServer_PortInUseIsAnError(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	_, err = Start(t.Context(), Options{Port: port})
	require.ErrorContains(t, err, fmt.Sprintf("port %d for PostgreSQL is not free", port))
}

func TestDirectory_WithOtherContentIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.txt")
	require.NoError(t, os.WriteFile(precious, []byte("text"), 0o600))
	_, err := Start(t.Context(), Options{Dir: dir})
	require.ErrorContains(t, err, "not empty")
	require.FileExists(t, precious)
}

func TestServer_OfAKilledParentIsReplaced(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childDirVariable+"="+dir)
	stdout, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	orphanPort, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err, line)
	require.True(t, listens(orphanPort))

	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	if runtime.GOOS == "linux" {
		limit := time.Hour
		if deadline, has := t.Deadline(); has {
			limit = time.Until(deadline) - 10*time.Second
		}
		require.Eventually(t, func() bool { return !listens(orphanPort) }, limit, 20*time.Millisecond, "the server ends with its parent")
	}

	server := start(t, Options{Dir: dir})
	require.Equal(t, "1", query1(t, server.URL("postgres"), "SELECT '1'"))
	require.NotEqual(t, orphanPort, server.Port())
	require.False(t, listens(orphanPort))
}

func TestServer_OfAnEarlierProcessIsStopped(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	left := start(t, Options{Dir: dir})
	require.NoError(t, left.CreateDatabase(t.Context(), "kept"))
	require.NoError(t, left.home.lock.Close()) // what the kernel does when a process dies

	var said []string
	server := start(t, Options{Dir: dir, Progress: func(message string) { said = append(said, message) }})
	require.Contains(t, strings.Join(said, "\n"), "of an earlier run")
	select {
	case <-left.Done():
	default:
		require.Fail(t, "the server left behind still runs")
	}
	require.Equal(t, "kept", query1(t, server.URL("kept"), "SELECT current_database()"))
	left.stop.Do(func() {}) // its lock is gone already
}

func TestServer_StartsDespiteAStalePidFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	crashed := start(t, Options{Dir: dir})
	require.NoError(t, crashed.CreateDatabase(t.Context(), "kept"))
	require.NoError(t, crashed.process.cmd.Process.Kill())
	<-crashed.Done()
	require.FileExists(t, filepath.Join(crashed.home.data(), "postmaster.pid"))
	require.NoError(t, crashed.Stop())

	server := start(t, Options{Dir: dir})
	require.Equal(t, "kept", query1(t, server.URL("kept"), "SELECT current_database()"))
}

func TestDirectory_ThatPostgresCannotEnterKeepsItsDataElsewhere(t *testing.T) {
	t.Parallel()
	outer := reachableDir(t)
	closed := filepath.Join(outer, "closed")
	require.NoError(t, os.Mkdir(closed, 0o700))
	dir := filepath.Join(closed, "pg")
	m := thisMachine()
	m.stateDir = filepath.Join(outer, "state")
	require.NoError(t, os.Mkdir(m.stateDir, 0o755))

	first, err := m.start(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	require.NoError(t, first.CreateDatabase(t.Context(), "kept"))
	require.NoError(t, first.Stop())
	if os.Geteuid() == 0 {
		require.Equal(t, m.stateDir, filepath.Dir(first.home.root))
	} else {
		require.Equal(t, dir, first.home.root)
	}
	kept, err := os.Stat(closed)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), kept.Mode().Perm(), "the directory above is not opened")

	second, err := m.start(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	require.Equal(t, "kept", query1(t, second.URL("kept"), "SELECT current_database()"))
	require.NoError(t, second.Stop())

	require.NoError(t, os.RemoveAll(dir))
	third, err := m.start(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	_, err = pgx.Connect(t.Context(), third.URL("kept"))
	require.ErrorContains(t, err, "does not exist", "data whose directory was removed is not found again")
	require.NoError(t, third.Stop())
}

func TestInitialization_StartsOverAfterAnInterruption(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	h, err := thisMachine().openHome(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	half := filepath.Join(h.root, "initdb", dataName)
	require.NoError(t, os.MkdirAll(half, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(half, "PG_VERSION"), []byte("15\n"), 0o600))
	require.NoError(t, h.close())

	server := start(t, Options{Dir: dir})
	require.Equal(t, "1", query1(t, server.URL("postgres"), "SELECT '1'"))
	require.NoDirExists(t, filepath.Join(server.home.root, "initdb"))
}

func TestSweep_RemovesOnlyUnlockedDirectories(t *testing.T) {
	t.Parallel()
	base := reachableDir(t)
	m := thisMachine()
	m.tempDirs = []string{base}
	abandoned, err := m.openTemporary(t.Context(), false)
	require.NoError(t, err)
	require.NoError(t, abandoned.lock.Close())
	foreign := filepath.Join(base, temporaryPrefix+"of-someone")
	require.NoError(t, os.Mkdir(foreign, 0o700))

	held, err := m.openTemporary(t.Context(), false)
	require.NoError(t, err)
	require.NoDirExists(t, abandoned.dir)
	require.DirExists(t, foreign)

	other, err := m.openTemporary(t.Context(), false)
	require.NoError(t, err)
	require.DirExists(t, held.dir)
	require.NoError(t, errors.Join(held.close(), other.close()))
}

// TestTemporaryData_AreInMemoryWhereThereIsRoom, for a caller that wants that. What killed processes left there is removed
// by every start, because it takes memory.
func TestTemporaryData_AreInMemoryWhereThereIsRoom(t *testing.T) {
	base := reachableDir(t)
	t.Setenv("TMPDIR", "")
	m := thisMachine()
	m.tempDirs = []string{base}
	in := func(want bool) (dir string) {
		h, err := m.openTemporary(t.Context(), want)
		require.NoError(t, err)
		require.NoError(t, h.close())
		require.Equal(t, h.inMemory, filepath.Dir(h.dir) == m.memoryDir)
		return filepath.Dir(h.dir)
	}
	m.memoryRoom = math.MaxUint64
	require.Equal(t, base, in(true), "no memory has so much room")
	m.memoryRoom = 0
	if !hasMemory(m.memoryDir, 0) {
		t.Skip("this system has no file system in memory at " + m.memoryDir)
	}
	require.Equal(t, base, in(false))
	require.Equal(t, m.memoryDir, in(true))
	abandoned, err := m.openTemporary(t.Context(), true)
	require.NoError(t, err)
	require.NoError(t, abandoned.lock.Close())
	t.Setenv("TMPDIR", base)
	require.Equal(t, base, in(true), "TMPDIR is what its user wants")
	require.NoDirExists(t, abandoned.dir)
	require.False(t, hasMemory("/proc", 0), "it is not in memory")
}

func TestAvailable_IsWhatProgramsMayTake(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 12<<10, available("MemTotal:       24 kB\nMemFree:        1 kB\nMemAvailable:   12 kB\n"))
	require.Zero(t, available("MemTotal: 24 kB\n"))
	require.Zero(t, available(""))
}
