package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
