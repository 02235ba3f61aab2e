package docs

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersions_AreTheSameEverywhere: what is named in several files has one version, in each of them.
func TestVersions_AreTheSameEverywhere(t *testing.T) {
	for name, c := range map[string]struct {
		pattern string
		files   []string
	}{
		"the Go of images":               {`golang:([\d.]+)-bookworm`, []string{"../Dockerfile", "../deploy/image/build.sh", "../.devcontainer/Dockerfile", "../.github/workflows/ci.yml"}},
		"the oldest Go":                  {`(?:Go |^go )([\d.]+)(?: or newer|$)`, []string{"../README.md", "../CONTRIBUTING.md", "../devstack/go.mod"}},
		"the oldest Postgres":            {`(?:Postgres(?:QL)? |^const minServer = |^const oldest = |^oldest=)(\d+)(?: or newer| newest=|$)`, []string{"operating/postgres.md", "../internal/store/db/url.go", "../internal/localpostgres/binaries.go", "../.ci/run"}},
		"the Postgres of Docker Compose": {`postgres:([\d.]+-bookworm)`, []string{"operating/postgres.md", "../docker-compose.yml", "../deploy/helm/requisite/values.yaml"}},
		"the Postgres that is fetched":   {`(?:embeddedpostgres\.V|image: &postgres postgres:)(\d+)`, []string{"../internal/localpostgres/fetch/main.go", "../docker-compose.yml"}},
		"the oldest Node.js":             {`(?:Node\.js |"node": ">=)(\d+)`, []string{"../clients/typescript/README.md", "../clients/typescript/package.json", "../api/check/package.json", "../api/check/generators/package.json", "../examples/receivers/node/package.json", "../api/server/tools_test.go"}},
		"govulncheck":                    {`govulncheck@(v[\d.]+)`, []string{"operating/upgrade.md", "../.ci/run"}},
	} {
		versions := map[string]bool{}
		for _, file := range c.files {
			found := regexp.MustCompile(`(?m)`+c.pattern).FindAllStringSubmatch(read(t, file), -1)
			require.NotEmpty(t, found, "%s is not in %s", name, file)
			for _, m := range found {
				versions[m[1]] = true
			}
		}
		require.Len(t, versions, 1, "%s: %v", name, versions)
	}
}
