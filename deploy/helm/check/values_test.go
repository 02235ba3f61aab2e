package main

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"sigs.k8s.io/yaml"
)

// everything turns on each part of the chart.
const everything = `
image: {repository: registry.example.com/requisite, pullSecrets: [registry]}
database: {host: db.example.com, tls: {ca: {configMap: database-ca}}, readRole: requisite_read, worker: {clientCertificate: worker}}
temporal: {apiKey: {secret: temporal}, tls: {enabled: true, serverName: temporal, ca: {secret: temporal-ca}, clientCertificate: client}}
keysets: {kmsKeyUri: "gcp-kms://projects/x"}
ca: {configMap: company-ca}
serviceAccount: {annotations: {a: b}}
proxy: {url: "http://proxy:3128", except: .svc}
traces: {endpoint: "https://collector:4318", headers: {secret: collector}}
api:
  tls: {secret: tls}
  service: {annotations: {a: b}}
  ingress: {enabled: true, className: nginx, host: api.example.com, tlsSecret: tls, annotations: {a: b}}
  httpRoute: {enabled: true, parentRefs: [{name: public}], hostnames: [api.example.com], annotations: {a: b}}
  autoscaling: {enabled: true}
worker: {autoscaling: {enabled: true, overdue: {enabled: true}}}
codec: {proxy: {port: 8443, containers: [{name: proxy, image: "proxy:1"}]}}
backup: {enabled: true, claim: backups}
networkPolicy:
  callers: [{podSelector: {}}]
  metrics: [{podSelector: {}}]
  codecCallers: [{podSelector: {}}]
  database: [{ipBlock: {cidr: 10.0.0.0/8}}]
  temporal: [{podSelector: {}}]
  collector: [{podSelector: {}}]
serviceMonitor: {enabled: true}
prometheusRule: {enabled: true, runbooks: "https://example.com/alerts.md"}
`

// typed are strings that YAML reads as something else, and hostile are strings that it reads in part, or not at all.
var (
	typed   = []string{"1e3", "true", "~"}
	hostile = []string{"*.example.com", "&a", "a: b", "a #b", `a" b: "c`, `\n`, "a\nb: c", "{{ .Values }}", "a?b&c=d/e@f"}
)

// TestValues_AreQuoted: whatever a value is, it is refused, or is in what is rendered as it was given.
func TestValues_AreQuoted(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(chart + "/values.schema.json")
	require.NoError(t, err)
	var root object
	require.NoError(t, yaml.Unmarshal(text, &root))
	k := schemas(t, "k8s.io/kubernetes@v1.36.3")
	paths := 0
	eachString(root, nil, func(path []string, schema object) {
		paths++
		rendered := 0
		pattern := regexp.MustCompile(fmt.Sprint(cmpOr(schema["pattern"], "")))
		for i, value := range slices.Concat(typed, hostile) {
			if schema["enum"] != nil || !pattern.MatchString(value) {
				continue
			}
			at := fmt.Sprintf("%s: %q", strings.Join(path, "."), value)
			var given object
			require.NoError(t, yaml.Unmarshal([]byte(everything), &given))
			switch last := len(path) - 1; path[last] { // CAs are in a Secret or in a ConfigMap
			case "configMap":
				put(given, append(slices.Clone(path[:last]), "secret"), "")
			case "secret":
				if path[last-1] == "ca" {
					put(given, append(slices.Clone(path[:last]), "configMap"), "")
				}
			}
			put(given, path, value)
			objects, err := try(given, nil)
			if err != nil {
				require.True(t, strings.Contains(err.Error(), "don't meet the specifications") || strings.Contains(err.Error(), "execution error at"), "%s: %s", at, err)
				continue
			}
			rendered++
			for _, o := range objects {
				if i < len(typed) {
					require.NoError(t, k.validate(o), "%s: %s %v", at, o["kind"], o["metadata"])
				}
			}
			require.True(t, contains(objects, value), "%s is not in what is rendered", at)
		}
		if schema["enum"] == nil && pattern.MatchString("1e3") {
			require.NotZero(t, rendered, "%s: every value was refused", strings.Join(path, "."))
		}
	})
	require.Greater(t, paths, 80)
}

func cmpOr(v any, or any) any {
	if v == nil {
		return or
	}
	return v
}

// eachString calls f for every value of the schema that is a string. A path has "[]" for an item of a list
// and "a" for a name that the schema does not know.
func eachString(schema object, path []string, f func(path []string, schema object)) {
	if schema["type"] == "string" {
		f(path, schema)
	}
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		eachString(properties[name].(object), append(slices.Clone(path), name), f)
	}
	if inner, ok := schema["items"].(object); ok {
		eachString(inner, append(slices.Clone(path), "[]"), f)
	}
	if inner, ok := schema["additionalProperties"].(object); ok && len(path) > 0 {
		name := "a"
		if path[len(path)-1] == "settings" {
			name = "REQUISITE_EXAMPLE"
		}
		eachString(inner, append(slices.Clone(path), name), f)
	}
}

func put(o object, path []string, value any) {
	for len(path) > 1 && path[1] != "[]" {
		inner, _ := o[path[0]].(object)
		if inner == nil {
			inner = object{}
			o[path[0]] = inner
		}
		o, path = inner, path[1:]
	}
	if len(path) > 2 { // a field of an item
		item := object{}
		if items := list(o[path[0]]); len(items) > 0 {
			item = items[0].(object)
		}
		put(item, path[2:], value)
		value = item
	}
	if len(path) > 1 {
		value = []any{value}
	}
	o[path[0]] = value
}

// contains reports whether a string, a name or a part of a URL of what was rendered has the value.
func contains(v any, value string) bool {
	switch v := v.(type) {
	case []object:
		return slices.ContainsFunc(v, func(o object) bool { return contains(o, value) })
	case []any:
		return slices.ContainsFunc(v, func(o any) bool { return contains(o, value) })
	case object:
		for name, inner := range v {
			if name == value || contains(inner, value) {
				return true
			}
		}
	case string:
		if u, err := url.Parse(v); err == nil && u.Scheme == "postgres" {
			return u.User.Username() == value || u.Path == "/"+value || u.Hostname() == value
		}
		return strings.Contains(v, value)
	}
	return false
}

// databaseURL is the URL of the api's database.
func databaseURL(t *testing.T, given object) string {
	t.Helper()
	for _, e := range programs(t, rendered(t, given))["requisite-api"]["env"].([]any) {
		if e.(object)["name"] == "DATABASE_URL" {
			return e.(object)["value"].(string)
		}
	}
	return ""
}

func TestAddresses_AreBuiltFromHostAndPort(t *testing.T) {
	t.Parallel()
	open := object{"database": []any{object{"podSelector": object{}}}}
	for host, want := range map[string]string{
		"db.example.com": "db.example.com:5433", "10.0.0.1": "10.0.0.1:5433", "fd00::1": "[fd00::1]:5433", "::ffff:10.0.0.1": "[::ffff:10.0.0.1]:5433",
		"db1.example.com,fd00::2": "db1.example.com:5433,[fd00::2]:5433",
	} {
		given := set(set(object{"networkPolicy": open}, "database.host", host), "database.port", 5433)
		got := databaseURL(t, given)
		several := strings.Contains(host, ",")
		require.True(t, strings.HasPrefix(got, "postgres://requisite_api@"+want+"/requisite?sslmode=verify-full"), got)
		require.Equal(t, several, strings.Contains(got, "target_session_attrs=read-write"), got)
		if !several {
			u, err := url.Parse(got)
			require.NoError(t, err)
			require.Equal(t, host, u.Hostname())
		}
	}
	objects := rendered(t, object{"temporal": object{"host": "fd00::1"}})
	require.Contains(t, programs(t, objects)["requisite-api"]["env"], object{"name": "TEMPORAL_ADDRESS", "value": "[fd00::1]:7233"})
	require.Equal(t, "postgres://a%2Bb%20c%40d%2Fe@postgresql:5432/f%20g%3Fh?sslmode=verify-full",
		databaseURL(t, set(set(object{}, "database.api.user", "a+b c@d/e"), "database.name", "f g?h")))
}

// TestHosts_AreOnlyHosts: a port, a scheme or a blank would end up within an address.
func TestHosts_AreOnlyHosts(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"database.host", "temporal.host", "temporal.tls.serverName", "api.ingress.host", "traces.endpoint", "proxy.url", "image.repository"} {
		for _, value := range []string{"db.example.com:5432", "10.0.0.1:5432", "[fd00::1]:5432", "[fd00::1]", "https://db.example.com", "db.example.com/x", "user@db.example.com", "db example.com", " db.example.com",
			"db.example.com ", "db.example.com\n", "db..example.com", "-db.example.com", "?", "db.example.com?x", "db1.example.com, db2.example.com", "*"} {
			var given object
			require.NoError(t, yaml.Unmarshal([]byte(everything), &given))
			switch allowed := path + " " + value; allowed {
			case "traces.endpoint https://db.example.com", "proxy.url https://db.example.com", "image.repository db.example.com/x", "image.repository db.example.com:5432", "image.repository 10.0.0.1:5432", "image.repository db..example.com":
				continue
			}
			put(given, strings.Split(path, "."), value)
			_, err := try(given, nil)
			require.ErrorContains(t, err, "does not match pattern", "%s: %q", path, value)
		}
	}
	for _, value := range []string{"api.example.com:443", "https://api.example.com", "API.example.com", "api..example.com", "*", "api.*.com", ""} {
		given := set(object{}, "api.httpRoute", object{"enabled": true, "parentRefs": []any{object{"name": "public"}}, "hostnames": []any{value}})
		_, err := try(given, nil)
		require.ErrorContains(t, err, "does not match pattern", value)
	}
	for _, value := range []string{"*.example.com", "api.example.com", "api"} {
		given := set(set(object{}, "api.ingress", object{"enabled": true, "host": value, "tlsSecret": "tls"}), "networkPolicy.callers", []any{object{"podSelector": object{}}})
		spec := find(t, rendered(t, given), "Ingress", "requisite-api")["spec"].(object)
		require.Equal(t, value, spec["rules"].([]any)[0].(object)["host"])
		require.Equal(t, []any{value}, spec["tls"].([]any)[0].(object)["hosts"])
	}
}

// TestImageRepository_HasNoDefault that could be pulled from somebody else.
func TestImageRepository_HasNoDefault(t *testing.T) {
	t.Parallel()
	_, err := render(chart, object{}, nil)
	require.ErrorContains(t, err, "image.repository is empty: build the image (deploy/image/build.sh REPOSITORY:TAG), push it, and set image.repository to REPOSITORY")
	defaults, err := common.ReadValuesFile(chart + "/values.yaml")
	require.NoError(t, err)
	require.Empty(t, defaults["image"].(object)["repository"])
}
