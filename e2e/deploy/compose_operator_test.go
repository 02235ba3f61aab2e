//go:build deep

package deploy_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/telemetry"
	"requisite/internal/testkit/needs"
	"requisite/workflows"
)

// operate runs the commands of the guide for Docker Compose, in the environment of the
// operator service.
func (s stand) operate(t *testing.T, account string, works func(when string)) {
	require.Contains(t, s.operator(t, "rules", "get", "--account", account), "# version")
	require.Contains(t, s.operator(t, "call", "account.get", `{"account_id":"`+account+`"}`, "--as-operator", account), account)
	s.operator(t, "delivery", "list", "--account", account, "--status", "FAILED")
	require.Contains(t, s.operator(t, "migrate"), "0 migration(s) applied")
	dir, tried, dump := t.TempDir(), 0, ""
	for _, line := range guided(t) {
		switch verb, rest := verbOf(line); verb {
		case "docker compose stop":
			s.stop(t, rest)
		case "docker compose start":
			s.start(t)
			works(fmt.Sprintf("after line %d", tried))
		case "docker compose restart":
			s.stop(t, rest)
			s.start(t)
			works(fmt.Sprintf("after line %d", tried))
		case "docker compose run --rm operator starter":
			if strings.Contains(line, "…") {
				continue // an example, which was run above
			}
			words := strings.Fields(s.here("operator", rest))
			if rest == "keyset drop --payload" {
				words = append(words, "--force") // the retention of the namespace has not passed
			}
			out := s.operator(t, words...)
			if strings.HasPrefix(rest, "keyset drop") {
				require.Contains(t, out, "1 old key(s) deleted")
			}
		case "docker compose run --rm --no-TTY backup":
			if rest == "" {
				dump = s.dump(t)
				continue
			}
			s.shell(t, dir, dumped.ReplaceAllString(strings.ReplaceAll(line, verb, ""), dump))
		case "docker compose run --rm --no-TTY backup-check":
			s.checkBackup(t)
		case "docker compose exec -T postgres":
			s.postgres(t, dir, line)
		case "docker run":
			s.tar(t, dir, line)
		case "docker compose create keys", "docker compose run --rm --volume":
		case "docker compose exec --no-TTY postgres /bin/sh /scripts/archive.sh", "docker compose run --rm --no-deps --no-TTY postgres /bin/sh /scripts/archive.sh",
			"docker compose up --detach", "docker compose logs": // TestArchiveScript_RecoversAnyPointInTime
		default:
			t.Fatalf("the guide has a command that this test does not know: %s", line)
		}
		tried++
	}
	require.Greater(t, tried, 15)
	require.Regexp(t, `(?m) Ada King +requisite +keyset rewrap +DONE$`, s.operator(t, "audit", "list"))
}

// verbOf splits a line of the guide into its command and the rest.
func verbOf(line string) (verb, rest string) {
	for _, verb := range []string{"docker compose stop", "docker compose start", "docker compose restart", "docker compose create keys",
		"docker compose run --rm operator starter", "docker compose run --rm --volume", "docker compose run --rm --no-TTY backup-check", "docker compose run --rm --no-TTY backup",
		"docker compose exec --no-TTY postgres /bin/sh /scripts/archive.sh", "docker compose run --rm --no-deps --no-TTY postgres /bin/sh /scripts/archive.sh",
		"docker compose up --detach", "docker compose logs", "docker compose exec -T postgres", "docker run"} {
		if _, rest, found := strings.Cut(line, verb+" "); found || strings.HasSuffix(line, verb) {
			return verb, rest
		}
	}
	return "", ""
}

var dumped = regexp.MustCompile(`/var/lib/postgresql/requisite-\S+\.dump`)

// dump runs the service that backs up, and returns the name of the dump.
func (s stand) dump(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(s.script(t, "backup"))
}

// script runs a service whose command is a script.
func (s stand) script(t *testing.T, name string) string {
	t.Helper()
	words := s.file.Services[name].Command
	command := exec.Command(words[0], append([]string{s.here(name, words[1])}, words[2:]...)...)
	command.Env = append(os.Environ(), s.env(name)...)
	return s.run(t, command)
}

// checkBackup runs the service that checks the newest dump, after those that it depends on.
func (s stand) checkBackup(t *testing.T) {
	t.Helper()
	for name, needs := range map[string]string{"backup-check": "backup-verify", "backup-verify": "backup-restore"} {
		require.Equal(t, "service_completed_successfully", s.file.Services[name].DependsOn[needs].Condition, name)
	}
	status := func() string { // other lines may be WRONG
		out, _ := s.Command(s.env("operator"), "starter", "status").CombinedOutput()
		return string(out)
	}
	require.Contains(t, status(), "none has been restored and verified since the schema was made")
	require.Contains(t, s.script(t, "backup-restore"), "restored /")
	require.Regexp(t, `(?m)^0 problems: [1-9]\d* decisions? of [1-9]\d* workflows?$`, s.run(t, s.command(t, "backup-verify")))
	s.script(t, "backup-check")
	require.Regexp(t, `OK +backup +taken .* ago; one was restored and verified .* ago`, status())
}

func (s stand) stop(t *testing.T, names string) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		s.running[name].Stop(t)
		delete(s.running, name)
	}
}

// postgres runs a line of the guide with the programs of this machine, if it has them.
func (s stand) postgres(t *testing.T, dir, line string) {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_restore")
	require.NoError(t, err)
	path := os.Getenv("PATH")
	if len(found) > 0 {
		path = filepath.Dir(found[len(found)-1]) + ":" + path
	} else if _, err := exec.LookPath("pg_restore"); err != nil {
		needs.LeftOut(t, "pg_dump and pg_restore of the guide: apt-get install postgresql-client")
		return
	}
	super, err := url.Parse(s.SuperuserURL("postgres"))
	require.NoError(t, err)
	s.shell(t, dir, strings.ReplaceAll(line, "docker compose exec -T postgres ", ""),
		"PATH="+path, "PGHOST="+super.Hostname(), "PGPORT="+super.Port(), "PGPASSWORD="+planted("postgres_password"), "PGSSLMODE=disable")
}

var inImage = regexp.MustCompile(`docker run --rm (?:--interactive )?--volume requisite_kek:/keys/kek(?::ro)? --volume requisite_payload:/keys/payload(?::ro)? (\S+) `)

// tar runs a line of the guide on the directory that replaces the volume.
func (s stand) tar(t *testing.T, dir, line string) {
	t.Helper()
	image := inImage.FindStringSubmatch(line)
	require.Len(t, image, 2, line)
	require.Equal(t, s.file.Services["postgres"].Image, image[1], "the command uses an image that is already present")
	keys := s.here("operator", "/keys")
	before, err := os.ReadFile(filepath.Join(keys, "kek", "kek.json"))
	require.NoError(t, err)
	if strings.Contains(line, "--interactive") {
		require.NoError(t, os.RemoveAll(keys))
	}
	s.shell(t, dir, strings.ReplaceAll(inImage.ReplaceAllString(line, ""), "-C /", "-C "+filepath.Dir(keys)))
	after, err := os.ReadFile(filepath.Join(keys, "kek", "kek.json"))
	require.NoError(t, err)
	require.Equal(t, before, after)
	info, err := os.Stat(filepath.Join(keys, "kek", "kek.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(filepath.Join(dir, "keys.tar"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "only the operator can read the backup")
}

func (s stand) shell(t *testing.T, dir, line string, env ...string) {
	t.Helper()
	command := exec.Command("sh", "-c", line)
	command.Dir, command.Env = dir, append(os.Environ(), env...)
	s.run(t, command)
}

// guided returns the commands of the guide for Docker Compose that rotate keysets, back up
// and restore.
func guided(t *testing.T) (lines []string) {
	t.Helper()
	for line := range strings.Lines(operating(t, "keysets.md", "backup.md")) {
		if command, ok := strings.CutPrefix(line, "$ "); ok && strings.Contains(command, "docker ") {
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

// requireTimeToStop requires that the engine gives a program enough time to stop. The four
// workers of the worker program stop at the same time. Each waits for its workflow tasks and
// then for its activities. Attempts are the longest of them.
func (s stand) requireTimeToStop(t *testing.T) {
	const margin = 5 * time.Second
	atMost := map[string]time.Duration{
		"api":    s.duration(t, "api", "drain") + s.duration(t, "api", "patience") + 5*time.Second + 2*workflows.StopTimeout + telemetry.CloseGrace,
		"worker": 2*max(workflows.DeliveryStopTimeout, workflows.StopTimeout, workflows.UpkeepStopTimeout) + telemetry.CloseGrace,
	}
	for name, needs := range atMost {
		require.GreaterOrEqual(t, s.file.Services[name].StopGrace, needs+margin, name)
	}
	require.Contains(t, strings.Join(strings.Fields(operating(t)), " "), "`--drain`, `--patience` and 35 seconds more, and the worker two minutes")
	require.LessOrEqual(t, 2*workflows.StopTimeout+telemetry.CloseGrace+margin, 30*time.Second)
	require.LessOrEqual(t, atMost["worker"]+margin, 2*time.Minute)
}

// duration returns a setting of a program, from docker-compose.yml or the default.
func (s stand) duration(t *testing.T, program, flag string) time.Duration {
	t.Helper()
	out, err := s.Command(nil, program, "--help").CombinedOutput()
	require.NoError(t, err)
	m := regexp.MustCompile(`--` + flag + ` duration .*\[([A-Z_]+)\] \(default ([0-9a-z]+)\)`).FindStringSubmatch(string(out))
	require.Len(t, m, 3, "%s", out)
	value := m[2]
	if set, ok := s.file.Services[program].Environment[m[1]]; ok {
		value = set
	}
	d, err := time.ParseDuration(value)
	require.NoError(t, err)
	return d
}
