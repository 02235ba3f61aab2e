package deploy_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// TestImage_HasLabels with the values for a commit.
func TestImage_HasLabels(t *testing.T) {
	dockerfile, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	_, image, found := strings.Cut(string(dockerfile), "\nFROM scratch\n")
	require.True(t, found)
	labels := map[string]string{}
	for _, m := range regexp.MustCompile(`org\.opencontainers\.image\.([a-z]+)="([^"]*)"`).FindAllStringSubmatch(image, -1) {
		labels[m[1]] = m[2]
	}
	require.Equal(t, map[string]string{
		"title": "Requisite", "description": "Required documents for compliance workflows, with signed webhooks", "licenses": "Apache-2.0",
		"version": "${VERSION}", "revision": "${REVISION}", "source": "${SOURCE}", "created": "${CREATED}",
	}, labels)
	for _, label := range labels {
		if name, variable := strings.CutPrefix(label, "${"); variable {
			require.Regexp(t, "(?m)^ARG "+strings.TrimSuffix(name, "}")+"=", image, "a build argument is valid only in its stage")
		}
	}
	require.Contains(t, image, "\nUSER 65532:65532\n")
	license, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	require.Contains(t, string(license), "Apache License\n                           Version 2.0")
}

// TestImageBuild_RecordsTheCommit runs the script in a new repository, with a docker that
// prints its arguments.
func TestImageBuild_RecordsTheCommit(t *testing.T) {
	repository, bin := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(repository, "deploy/image"), 0o755))
	script, err := os.ReadFile("../../deploy/image/build.sh")
	require.NoError(t, err)
	at := filepath.Join(repository, "deploy/image/build.sh")
	require.NoError(t, os.WriteFile(at, script, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "docker"), []byte("#!/bin/sh\nprintf '%s\\n' \"$SOURCE_DATE_EPOCH\" \"$@\"\n"), 0o755))
	git := func(args ...string) string {
		command := exec.Command("git", append([]string{"-C", repository, "-c", "user.name=n", "-c", "user.email=e@example.com"}, args...)...)
		command.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-11-20T10:00:00+02:00", "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message=m")
	git("tag", "v1.2.3", "--annotate", "--message=m")
	git("remote", "add", "origin", "https://user:secret@example.com/requisite.git")
	build := func(env ...string) []string {
		command := exec.Command(at, "requisite:1.2.3", "--output", "type=docker")
		command.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null"), env...)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	asked := build("SOURCE_DATE_EPOCH=", "VERSION=", "REVISION=", "SOURCE=")
	require.Equal(t, "1795161600", asked[0])
	require.Equal(t, []string{"build", "--tag", "requisite:1.2.3",
		"--build-arg", "VERSION=v1.2.3", "--build-arg", "REVISION=" + git("rev-parse", "HEAD"), "--build-arg", "SOURCE=https://example.com/requisite.git",
		"--build-arg", "SOURCE_DATE_EPOCH=1795161600", "--build-arg", "CREATED=2026-11-20T08:00:00Z", "--output", "type=docker", "."}, asked[1:])
	require.Contains(t, build("SOURCE_DATE_EPOCH=0"), "CREATED=1970-01-01T00:00:00Z")
	require.NoError(t, os.WriteFile(at, append(script, '\n'), 0o755))
	changed := build("VERSION=", "REVISION=")
	require.Contains(t, changed, "VERSION=v1.2.3-dirty", "there are uncommitted files")
	require.Contains(t, changed, "REVISION="+git("rev-parse", "HEAD")+"-dirty")
}

// TestImage_HasTheLicensesOfWhatIsLinked runs the script of the image on its programs.
func TestImage_HasTheLicensesOfWhatIsLinked(t *testing.T) {
	dockerfile, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	require.Contains(t, string(dockerfile), " sh deploy/image/notices.sh /out/image/usr/local/bin /out/image/usr/local/share/licenses\n")
	bin, err := harness.Programs()
	require.NoError(t, err)
	programs, made, modules := t.TempDir(), t.TempDir(), map[string]bool{}
	for _, name := range []string{"api", "worker", "starter"} {
		require.NoError(t, os.Symlink(filepath.Join(bin, name), filepath.Join(programs, name)))
		build, err := buildinfo.ReadFile(filepath.Join(bin, name))
		require.NoError(t, err)
		for _, m := range build.Deps {
			if !strings.HasPrefix(m.Path, "requisite/") {
				modules[m.Path+"@"+m.Version] = true
			}
		}
	}
	require.Greater(t, len(modules), 20)
	out, err := exec.Command("../../deploy/image/notices.sh", programs, made).CombinedOutput()
	require.NoError(t, err, "%s", out)
	texts := func(dir string) (names string) {
		entries, err := os.ReadDir(filepath.Join(made, dir))
		require.NoError(t, err)
		for _, e := range entries {
			names += e.Name() + "\n"
		}
		return names
	}
	for module := range modules {
		require.Regexp(t, `(?i)^(licen[cs]e|copying|notice)`, texts(module), module)
	}
	require.Contains(t, texts("go"), "LICENSE\n")
	ours, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	copied, err := os.ReadFile(filepath.Join(made, "LICENSE"))
	require.NoError(t, err)
	require.Equal(t, string(ours), string(copied))

	// A module without a license stops the build.
	bare, bin := t.TempDir(), t.TempDir()
	text := "#!/bin/sh\ncase $1 in version) printf '\\tdep\\texample.com/bare\\tv1.0.0\\n' ;; *) echo " + bare + " ;; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(text), 0o755))
	command := exec.Command("../../deploy/image/notices.sh", programs, t.TempDir())
	command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err = command.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, "example.com/bare@v1.0.0 has no license\n", string(out))
}
