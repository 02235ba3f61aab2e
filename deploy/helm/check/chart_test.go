package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"
	"sigs.k8s.io/yaml"
)

const chart = "../requisite"

// sets are the values that the chart is checked with, by name.
func sets(t *testing.T) map[string]object {
	t.Helper()
	all := map[string]object{"defaults": {"image": object{"repository": "registry.example.com/requisite"}}}
	files, err := filepath.Glob(chart + "/ci/*-values.yaml")
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		all[strings.TrimSuffix(filepath.Base(file), "-values.yaml")], err = values(file)
		require.NoError(t, err)
	}
	return all
}

// try renders the chart, with an image unless one is given.
func try(given object, cluster engine.ClientProvider) ([]object, error) {
	return render(chart, util.CoalesceTables(given, object{"image": object{"repository": "registry.example.com/requisite"}}), cluster)
}

func rendered(t *testing.T, given object) []object {
	t.Helper()
	objects, err := try(given, nil)
	require.NoError(t, err)
	return objects
}

func TestChart_PassesLint(t *testing.T) {
	for name, given := range sets(t) {
		linter := lint.RunAll(chart, given, "compliance")
		for _, m := range linter.Messages {
			// An icon is for catalogs of charts.
			if m.Severity > support.InfoSev || !strings.Contains(m.Err.Error(), "icon is recommended") {
				t.Errorf("%s: %s", name, m)
			}
		}
	}
}

func TestChart_RendersValidObjects(t *testing.T) {
	for _, version := range []string{"k8s.io/kubernetes@v1.32.13", "k8s.io/kubernetes@v1.36.3"} {
		t.Run(version, func(t *testing.T) {
			k := schemas(t, version)
			for name, given := range sets(t) {
				objects := rendered(t, given)
				require.Greater(t, len(objects), 7)
				for _, o := range objects {
					require.NoError(t, k.validate(o), "%s: %s %v", name, o["kind"], o["metadata"])
				}
			}
			examples, err := filepath.Glob(chart + "/examples/*.yaml")
			require.NoError(t, err)
			require.NotEmpty(t, examples)
			for _, file := range examples {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				objects, err := parse(string(text))
				require.NoError(t, err)
				for _, o := range objects {
					require.NoError(t, k.validate(o), file)
				}
			}
			// The schemas refuse what is wrong.
			o := find(t, rendered(t, object{}), "Deployment", "requisite-api")
			pod(o)["terminationGracePeriodSecond"] = 1
			require.ErrorContains(t, k.validate(o), "additional properties 'terminationGracePeriodSecond' not allowed")
			delete(pod(o), "terminationGracePeriodSecond")
			pod(o)["terminationGracePeriodSeconds"] = "72"
			require.ErrorContains(t, k.validate(o), "got string, want integer")
		})
	}
}

func find(t *testing.T, objects []object, kind, name string) object {
	t.Helper()
	at := slices.IndexFunc(objects, func(o object) bool { return o["kind"] == kind && o["metadata"].(object)["name"] == name })
	require.GreaterOrEqual(t, at, 0, "%s %s", kind, name)
	return objects[at]
}

// pod is the specification of the pods that an object makes; nil if it makes none.
func pod(o object) object {
	spec, _ := o["spec"].(object)
	if o["kind"] == "Pod" {
		return spec
	}
	if job, ok := spec["jobTemplate"].(object); ok {
		spec, _ = job["spec"].(object)
	}
	template, _ := spec["template"].(object)
	p, _ := template["spec"].(object)
	return p
}

// programs are our containers, by the name of their object.
func programs(t *testing.T, objects []object) map[string]object {
	all := map[string]object{}
	for _, o := range objects {
		if p := pod(o); p != nil {
			all[fmt.Sprint(o["metadata"].(object)["name"])] = p["containers"].([]any)[0].(object)
		}
	}
	require.GreaterOrEqual(t, len(all), 4)
	return all
}

func TestPods_AreConfined(t *testing.T) {
	for name, given := range sets(t) {
		for _, o := range rendered(t, given) {
			p := pod(o)
			if p == nil {
				continue
			}
			at := fmt.Sprintf("%s: %v", name, o["metadata"].(object)["name"])
			s := p["securityContext"].(object)
			require.Equal(t, true, s["runAsNonRoot"], at)
			for _, id := range []string{"runAsUser", "runAsGroup", "fsGroup"} {
				if name == "openshift" {
					require.NotContains(t, s, id, "%s: its security context constraints refuse every id but those of the namespace", at)
				} else {
					require.EqualValues(t, 65532, s[id], at)
				}
			}
			require.Equal(t, object{"type": "RuntimeDefault"}, s["seccompProfile"], at)
			require.Equal(t, false, p["automountServiceAccountToken"], at)
			require.Equal(t, false, p["enableServiceLinks"], at)
			for _, c := range append(list(p["initContainers"]), p["containers"].([]any)...) {
				s := c.(object)["securityContext"].(object)
				require.Equal(t, false, s["allowPrivilegeEscalation"], at)
				require.Equal(t, true, s["readOnlyRootFilesystem"], at)
				require.Equal(t, object{"drop": []any{"ALL"}}, s["capabilities"], at)
				require.NotEmpty(t, c.(object)["resources"].(object)["limits"].(object)["memory"], at)
				require.NotContains(t, c.(object)["image"], ":latest", at)
			}
		}
	}
}

// TestSecrets_AreMountedAsFiles: a Secret is a file that only the programs' group reads,
// and every file that a setting names is in a volume.
func TestSecrets_AreMountedAsFiles(t *testing.T) {
	secretive := regexp.MustCompile(`PASSWORD|TOKEN|SECRET|KEY|KEK|HEADERS`)
	for name, given := range sets(t) {
		for _, o := range rendered(t, given) {
			p := pod(o)
			if p == nil {
				continue
			}
			at := fmt.Sprintf("%s: %v", name, o["metadata"].(object)["name"])
			volumes := map[string]object{}
			for _, v := range list(p["volumes"]) {
				volumes[v.(object)["name"].(string)] = v.(object)
				if s, ok := v.(object)["secret"].(object); ok {
					require.EqualValues(t, 0o440, s["defaultMode"], at)
				}
			}
			used := map[string]bool{}
			for _, container := range append(list(p["initContainers"]), p["containers"].([]any)[0]) {
				c := container.(object)
				files, named := map[string]bool{}, map[string]bool{}
				for _, m := range list(c["volumeMounts"]) {
					mount := m.(object)
					v := volumes[mount["name"].(string)]
					require.NotNil(t, v, "%s: %v", at, mount)
					used[mount["name"].(string)] = true
					if v["persistentVolumeClaim"] != nil {
						require.Equal(t, c["name"] == "backup", mount["readOnly"] == nil, "%s: who writes dumps", at)
						continue
					}
					require.Equal(t, true, mount["readOnly"], at)
					source, _ := v["secret"].(object)
					if source == nil {
						source = v["configMap"].(object)
					}
					if source["items"] == nil {
						files[mount["mountPath"].(string)+"/tls.crt"], files[mount["mountPath"].(string)+"/tls.key"] = true, true
					}
					for _, i := range list(source["items"]) {
						files[fmt.Sprintf("%s/%s", mount["mountPath"], i.(object)["path"])] = true
					}
				}
				names := map[string]bool{}
				for _, e := range list(c["env"]) {
					variable, value := fmt.Sprint(e.(object)["name"]), fmt.Sprint(e.(object)["value"])
					require.False(t, names[variable], "%s: %s twice", at, variable)
					names[variable] = true
					if variable == "SSL_CERT_DIR" {
						value += "/ca.crt"
					}
					for _, file := range regexp.MustCompile(`/etc/requisite/[a-z./-]+`).FindAllString(value, -1) {
						require.True(t, files[file], "%s: %s names %s, which is not mounted", at, variable, file)
						named[file] = true
					}
					if secretive.MatchString(variable) && variable != "REQUISITE_KMS_KEY_URI" && e.(object)["valueFrom"] == nil {
						require.Regexp(t, `^/etc/requisite/`, value, "%s: %s is not a file's name", at, variable)
					}
					require.NotRegexp(t, `://[^@/ ]*:[^@/ ]*@`, value, at)
				}
				require.Equal(t, files, named, "%s: mounted and not used", at)
			}
			for v := range volumes {
				require.True(t, used[v] || p["containers"].([]any)[len(p["containers"].([]any))-1].(object)["name"] == "proxy", "%s: volume %s", at, v)
			}
		}
	}
}

func TestPods_HaveTimeToStop(t *testing.T) {
	objects := rendered(t, object{"api": object{"drainSeconds": 20, "patienceSeconds": 55}})
	require.EqualValues(t, 110, pod(find(t, objects, "Deployment", "requisite-api"))["terminationGracePeriodSeconds"])
	require.EqualValues(t, 120, pod(find(t, objects, "Deployment", "requisite-worker"))["terminationGracePeriodSeconds"])
	require.Contains(t, programs(t, objects)["requisite-api"]["env"], object{"name": "REQUISITE_DRAIN", "value": "20s"})
	require.Contains(t, programs(t, objects)["requisite-api"]["env"], object{"name": "REQUISITE_PATIENCE", "value": "55s"})
}

func TestGoMemoryLimit_IsHalfOfTheContainerLimit(t *testing.T) {
	for limit, want := range map[string]string{"1Gi": "512MiB", "384Mi": "192MiB", "3Gi": "1536MiB"} {
		objects := rendered(t, object{"worker": object{"resources": object{"limits": object{"memory": limit}}}})
		require.Contains(t, programs(t, objects)["requisite-worker"]["env"], object{"name": "GOMEMLIMIT", "value": want})
	}
	// The schema says so of the programs that have one, and of no other.
	var described struct {
		Properties map[string]struct {
			Properties struct {
				Resources struct {
					Properties struct {
						Limits struct {
							Properties struct{ Memory struct{ Description string } }
						}
					}
				}
			}
		}
	}
	text, err := os.ReadFile(chart + "/values.schema.json")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &described))
	for _, component := range []string{"api", "worker", "codec", "migrate", "backup"} {
		c := programs(t, rendered(t, sets(t)["openshift"]))["requisite-"+component]
		said := strings.Contains(described.Properties[component].Properties.Resources.Properties.Limits.Properties.Memory.Description, "Go's own limit is half of it")
		require.Equal(t, strings.Contains(fmt.Sprint(c["env"]), "GOMEMLIMIT"), said, component)
	}
}

// TestSecurityContexts_CanBeReplaced: null drops a default, other fields are added, and large ids stay numbers.
func TestSecurityContexts_CanBeReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "values.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
podSecurityContext: {runAsUser: 1000680000, runAsGroup: null, fsGroup: 1000680000, seLinuxOptions: {level: "s0:c26,c5"}, seccompProfile: {type: Localhost, localhostProfile: "a: b"}}
securityContext: {privileged: null, capabilities: {add: [NET_BIND_SERVICE]}}
backup: {enabled: true, claim: backups}
database: {tls: {ca: {secret: ca}}}
`), 0o600))
	given, err := values(file)
	require.NoError(t, err)
	k := schemas(t, "k8s.io/kubernetes@v1.36.3")
	seen := 0
	for _, o := range rendered(t, given) {
		require.NoError(t, k.validate(o), o["metadata"])
		if p := pod(o); p != nil {
			seen++
			require.EqualValues(t, object{
				"runAsNonRoot": true, "runAsUser": 1000680000., "fsGroup": 1000680000., "fsGroupChangePolicy": "OnRootMismatch", "seLinuxOptions": object{"level": "s0:c26,c5"},
				"seccompProfile": object{"type": "Localhost", "localhostProfile": "a: b"},
			}, p["securityContext"], o["metadata"])
			require.Equal(t, object{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": object{"drop": []any{"ALL"}, "add": []any{"NET_BIND_SERVICE"}}},
				p["containers"].([]any)[0].(object)["securityContext"], o["metadata"])
		}
	}
	require.Equal(t, 8, seen)
	for _, o := range rendered(t, object{"podSecurityContext": nil, "securityContext": nil}) {
		if p := pod(o); p != nil {
			require.NotContains(t, p, "securityContext")
			require.NotContains(t, p["containers"].([]any)[0], "securityContext")
		}
	}
}

// TestCAs_AreReadByEveryProgramOfOurs: the directory is mounted where Go looks. pg_dump does not look there.
func TestCAs_AreReadByEveryProgramOfOurs(t *testing.T) {
	for _, source := range []string{"secret", "configMap"} {
		given := set(all(t)["everything"], "ca", object{"secret": "", "configMap": "", "key": "bundle.pem", source: "company"})
		for name, c := range programs(t, rendered(t, given)) {
			if name == "requisite-backup" || name == "requisite-backup-check" || name == "requisite-test" { // Postgres's programs know no directory, the test speaks no TLS
				require.NotContains(t, fmt.Sprint(c), "/etc/requisite/ca ", name)
				continue
			}
			require.Contains(t, c["env"], object{"name": "SSL_CERT_DIR", "value": "/etc/requisite/ca"}, name)
			require.Contains(t, c["volumeMounts"], object{"name": "ca", "mountPath": "/etc/requisite/ca", "readOnly": true}, name)
		}
		for _, o := range rendered(t, given) {
			if p := pod(o); p != nil && strings.HasSuffix(fmt.Sprint(o["metadata"].(object)["name"]), "-backup-check") {
				verify := p["initContainers"].([]any)[1].(object)
				require.Contains(t, verify["env"], object{"name": "SSL_CERT_DIR", "value": "/etc/requisite/ca"}, "starter verifies the decisions")
			}
		}
	}
	for name, c := range programs(t, rendered(t, object{})) {
		require.NotContains(t, fmt.Sprint(c["env"]), "SSL_CERT", name)
	}
}

// TestHTTPRoute_LeadsToTheService, with the time that a request may take.
func TestHTTPRoute_LeadsToTheService(t *testing.T) {
	route := find(t, rendered(t, sets(t)["openshift"]), "HTTPRoute", "requisite-api")["spec"].(object)
	require.Equal(t, []any{object{"name": "public", "namespace": "openshift-ingress", "sectionName": "https"}}, route["parentRefs"])
	require.Equal(t, []any{"api.example.com"}, route["hostnames"])
	service := find(t, rendered(t, sets(t)["openshift"]), "Service", "requisite-api")
	rule := route["rules"].([]any)[0].(object)
	require.Equal(t, []any{object{"name": "requisite-api", "port": service["spec"].(object)["ports"].([]any)[0].(object)["port"]}}, rule["backendRefs"])
	require.Equal(t, object{"request": "30s"}, rule["timeouts"])
	given := set(set(sets(t)["openshift"], "api.httpRoute.requestTimeout", false), "api.httpRoute.hostnames", []any{})
	route = find(t, rendered(t, given), "HTTPRoute", "requisite-api")["spec"].(object)
	require.NotContains(t, route, "hostnames")
	require.NotContains(t, route["rules"].([]any)[0], "timeouts")
	given = set(sets(t)["openshift"], "api.patienceSeconds", 55)
	route = find(t, rendered(t, given), "HTTPRoute", "requisite-api")["spec"].(object)
	require.Equal(t, object{"request": "60s"}, route["rules"].([]any)[0].(object)["timeouts"])
}

// TestSettings_CannotRepeatAVariable that the chart sets.
func TestSettings_CannotRepeatAVariable(t *testing.T) {
	for _, component := range []string{"api", "worker"} {
		for _, e := range programs(t, rendered(t, all(t)["everything"]))["requisite-"+component]["env"].([]any) {
			variable := e.(object)["name"].(string)
			_, err := try(set(all(t)["everything"], component+".settings", object{variable: "1"}), nil)
			require.Error(t, err, "%s: %s", component, variable)
		}
	}
}

// TestDeployments_TolerateTheLossOfOneReplica: with the defaults, one replica at least serves
// while a node is drained or a new version rolled out.
func TestDeployments_TolerateTheLossOfOneReplica(t *testing.T) {
	objects := rendered(t, object{})
	for _, name := range []string{"requisite-api", "requisite-worker"} {
		d := find(t, objects, "Deployment", name)["spec"].(object)
		require.EqualValues(t, 2, d["replicas"])
		require.EqualValues(t, 0, d["strategy"].(object)["rollingUpdate"].(object)["maxUnavailable"])
		budget := find(t, objects, "PodDisruptionBudget", name)["spec"].(object)
		require.EqualValues(t, 1, budget["maxUnavailable"])
		require.Equal(t, d["selector"], budget["selector"])
		require.Len(t, d["template"].(object)["spec"].(object)["topologySpreadConstraints"], 2)
	}
	for _, o := range rendered(t, sets(t)["production"]) {
		if o["kind"] == "HorizontalPodAutoscaler" {
			target := o["spec"].(object)["scaleTargetRef"].(object)["name"].(string)
			require.NotContains(t, find(t, rendered(t, sets(t)["production"]), "Deployment", target)["spec"], "replicas", "an upgrade would undo the scaling")
		}
	}
}

// TestProbes: what restarts a pod asks only whether its process answers.
func TestProbes(t *testing.T) {
	all := programs(t, rendered(t, object{}))
	for _, name := range []string{"requisite-api", "requisite-worker", "requisite-codec"} {
		for probe, path := range map[string]string{"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"} {
			require.Equal(t, object{"path": path, "port": "health"}, all[name][probe].(object)["httpGet"], "%s: %s", name, probe)
		}
		require.Contains(t, fmt.Sprint(all[name]["ports"]), "map[containerPort:8081 name:health]", name)
		require.Contains(t, all[name]["env"], object{"name": "REQUISITE_HEALTH_LISTEN", "value": ":8081"}, name)
	}
}

// TestHelmTest_AsksWhetherTheProgramsAreReady, by the Services of their metrics, which serve /readyz too.
func TestHelmTest_AsksWhetherTheProgramsAreReady(t *testing.T) {
	objects := rendered(t, object{})
	test := find(t, objects, "Pod", "requisite-test")
	require.Equal(t, "test", test["metadata"].(object)["annotations"].(object)["helm.sh/hook"])
	require.Equal(t, "Never", pod(test)["restartPolicy"])
	require.Len(t, pod(test)["containers"], 2)
	for _, c := range pod(test)["containers"].([]any) {
		service := fmt.Sprintf("requisite-%s-metrics", c.(object)["name"])
		require.Equal(t, []any{"starter", "healthz", "http://" + service + ":9090"}, c.(object)["command"])
		port := find(t, objects, "Service", service)["spec"].(object)["ports"].([]any)[0].(object)
		require.EqualValues(t, 9090, port["port"])
	}
	require.Nil(t, pod(test)["volumes"], "it needs no secret")
}

// TestCodecEndpoint_IsClosedToTheNetwork: users reach it through kubectl port-forward, or through
// a proxy that admits only those who may read payloads.
func TestCodecEndpoint_IsClosedToTheNetwork(t *testing.T) {
	for name, given := range sets(t) {
		objects := rendered(t, given)
		for _, o := range objects {
			if o["kind"] == "Service" && o["metadata"].(object)["name"] == "requisite-codec" {
				require.Equal(t, "shared-temporal", name)
				require.EqualValues(t, 8443, o["spec"].(object)["ports"].([]any)[0].(object)["targetPort"])
			}
		}
		if c := programs(t, objects)["requisite-codec"]; c != nil {
			require.Contains(t, c["env"], object{"name": "REQUISITE_CODEC_LISTEN", "value": "127.0.0.1:8234"})
			require.Len(t, c["ports"], 2, "those of its probes and its metrics")
		}
	}
	policy := find(t, rendered(t, object{}), "NetworkPolicy", "requisite-codec")["spec"].(object)
	require.Len(t, policy["ingress"], 1, "starter status asks for its keys, at a port that decrypts nothing")
	require.Equal(t, []any{}, policy["egress"])
	policy = find(t, rendered(t, object{"operator": object{"enabled": false}}), "NetworkPolicy", "requisite-codec")["spec"].(object)
	require.Equal(t, []any{}, policy["ingress"])
}

// TestMigrateJob_NeedsNothingElseOfTheChart: hooks run before everything else.
func TestMigrateJob_NeedsNothingElseOfTheChart(t *testing.T) {
	for name, given := range sets(t) {
		job := find(t, rendered(t, given), "Job", "requisite-migrate")
		require.Equal(t, "pre-install,pre-upgrade", job["metadata"].(object)["annotations"].(object)["helm.sh/hook"], name)
		require.Equal(t, "default", pod(job)["serviceAccountName"], name)
		require.NotRegexp(t, "KEK|PAYLOAD", fmt.Sprint(pod(job)), "%s: it needs no keyset", name)
		require.NotContains(t, fmt.Sprint(pod(job)["volumes"]), "kek", name)
	}
	job := programs(t, rendered(t, sets(t)["shared-temporal"]))["requisite-migrate"]
	require.Equal(t, []any{"starter", "migrate", "--database-only"}, job["command"])
	for _, e := range job["env"].([]any) {
		require.NotRegexp(t, "TEMPORAL|KEK|PAYLOAD", e.(object)["name"], "it needs neither Temporal nor a keyset")
	}
}

func set(o object, path string, value any) object {
	name, rest, more := strings.Cut(path, ".")
	if !more {
		o[name] = value
		return o
	}
	inner, _ := o[name].(object)
	if inner == nil {
		inner = object{}
	}
	o[name] = set(inner, rest, value)
	return o
}

func TestValues_MistakesAreExplained(t *testing.T) {
	for path, c := range map[string]struct {
		value any
		want  string
	}{
		"image.repository":                    {"", "image.repository is empty: build the image (deploy/image/build.sh REPOSITORY:TAG), push it, and set image.repository to REPOSITORY"},
		"database.owner.secret":               {"", "database.owner.secret is empty: name a Secret with the key password. Make it with: kubectl create secret generic requisite-database-owner --from-file=password=FILE_WITH_THE_PASSWORD"},
		"database.api.secret":                 {"", "database.api.secret is empty: name a Secret with the key password"},
		"database.worker.secret":              {"", "database.worker.secret is empty: name a Secret with the key password"},
		"database.worker.key":                 {"", "the key of the Secret of database.worker.secret is empty: name the key in Secret requisite-database-worker"},
		"keysets.kek.secret":                  {"", "keysets.kek.secret is empty: name a Secret with the key kek.json. Make it with: starter keyset create kek.json && kubectl create secret generic requisite-kek --from-file=kek.json=kek.json"},
		"keysets.payload.secret":              {"", "keysets.payload.secret is empty: name a Secret with the key payload.json"},
		"codec.token.secret":                  {"", "codec.token.secret is empty: name a Secret with the key token. Make it with: openssl rand -hex 32 | kubectl create secret generic requisite-codec"},
		"temporal.tls.clientCertificate":      {"mine", "set temporal.tls.enabled to true"},
		"temporal.tls.ca":                     {object{"secret": "a", "configMap": "b"}, "temporal.tls.ca: secret and configMap are both set; use one"},
		"database.tls":                        {object{"mode": "require", "ca": object{"secret": "ca"}}, "use verify-full"},
		"api.autoscaling":                     {object{"enabled": true, "minReplicas": 5, "maxReplicas": 4}, "api.autoscaling.maxReplicas is less than minReplicas"},
		"api":                                 {object{"ingress": object{"enabled": true}}, "networkPolicy.callers is empty, so nobody reaches the api: name the pods of the ingress controller, such as [{namespaceSelector: "},
		"api.service.type":                    {"LoadBalancer", "networkPolicy.callers is empty"},
		"api.httpRoute.enabled":               {true, "networkPolicy.callers is empty, so nobody reaches the api"},
		"api.httpRoute.parentRefs":            {[]any{object{"namespace": "gateways"}}, "missing property 'name'"},
		"ca":                                  {object{"secret": "a", "configMap": "b"}, "ca: secret and configMap are both set; use one"},
		"ca.configMap":                        {"Company", "does not match pattern"},
		"podSecurityContext.runAsUser":        {"65532", "got string, want integer"},
		"securityContext":                     {object{"capabilities": object{"drop": "ALL"}}, "got string, want array"},
		"networkPolicy.dnsPorts":              {[]any{}, "minItems: got 0, want 1"},
		"serviceMonitor.enabled":              {true, "networkPolicy.metrics is empty, so Prometheus reads no metrics: name its pods"},
		"codec.proxy":                         {object{"port": 8443, "containers": []any{object{"name": "proxy"}}}, "networkPolicy.codecCallers is empty, so nobody reaches codec.proxy"},
		"backup":                              {object{"enabled": true}, "backup.claim is empty: name a PersistentVolumeClaim for the dumps, which exists"},
		"worker.autoscaling":                  {object{"overdue": object{"enabled": true}}, "set worker.autoscaling.enabled to true"},
		"api.settings":                        {object{"REQUISITE_LISTEN": ":80"}, "the chart sets this variable from a value of its own"},
		"worker.settings":                     {object{"OTEL_EXPORTER_OTLP_HEADERS": "authorization=x"}, "worker.settings.OTEL_EXPORTER_OTLP_HEADERS is a secret: put the headers into a Secret, and name it in traces.headers.secret"},
		"api.settings.REQUISITE_CODEC_TOKEN":  {"x", "is a secret: the chart takes secrets from Secrets"},
		"traces":                              {object{"headers": object{"secret": "collector"}}, "traces.headers.secret is set, but traces.endpoint is empty: set it to the collector that gets the headers"},
		"traces.headers":                      {"authorization=x", "got string, want object"},
		"codec.proxy.port":                    {8443, "is not published without one"},
		"codec.proxy.containers":              {[]any{object{"name": "proxy"}}, "set codec.proxy.port to the port on which the proxy listens"},
		"api.replicas":                        {"2", "got string, want integer"},
		"api.replica":                         {2, "additional properties 'replica' not allowed"},
		"api.rateLimit":                       {"100", "got string, want number"},
		"api.resources.limits.memory":         {"1G", "does not match pattern"},
		"api.settings.DATABASE_URL":           {"postgres://u:p@h/d", "'DATABASE_URL' does not match pattern"},
		"database.tls.mode":                   {"verify", "value must be one of 'disable', 'require', 'verify-ca', 'verify-full'"},
		"database.port":                       {70000, "maximum"},
		"networkPolicy.callers":               {object{}, "got object, want array"},
		"migrate.retention":                   {"7d", "does not match pattern"},
		"codec.origins":                       {[]any{"https://ui.example.com/"}, "does not match pattern"},
		"worker.disruptionBudget.enabled":     {"yes", "got string, want boolean"},
		"traces.endpoint":                     {"collector:4318", "does not match pattern"},
		"database.api.password":               {"x", "additional properties 'password' not allowed"},
		"api.disruptionBudget.maxUnavailable": {"half", "does not match pattern"},
	} {
		_, err := try(set(object{}, path, c.value), nil)
		require.ErrorContains(t, err, c.want, path)
	}
	_, err := try(set(set(object{}, "networkPolicy.enabled", false), "api.ingress.enabled", true), nil)
	require.ErrorContains(t, err, "set api.ingress.host to the name by which callers reach the api")
	_, err = try(set(set(object{}, "networkPolicy.enabled", false), "api.httpRoute.enabled", true), nil)
	require.ErrorContains(t, err, "name in api.httpRoute.parentRefs the Gateway that callers reach, such as [{name: GATEWAY, namespace: NAMESPACE}]")
	_, err = try(object{"ca": object{"configMap": "company", "key": ""}}, nil)
	require.ErrorContains(t, err, "ca.key is empty: name the key in ConfigMap company")
	_, err = try(object{"ca": object{"secret": "company"}}, withSecrets(defaultSecrets()))
	require.ErrorContains(t, err, "ca.secret: there is no Secret company in namespace compliance. Make it with: kubectl create secret generic company --from-file=ca.crt=CA.pem")
	_, err = try(object{"backup": object{"enabled": true, "claim": "backups"}}, nil)
	require.ErrorContains(t, err, "set database.tls.ca, because pg_dump does not know the system's CAs")
	_, err = render(chart, object{"image": object{"repository": "requisite"}, "webhooks": nil, "api": nil}, nil)
	require.Error(t, err, "a value that was removed")
}

// cluster answers look-ups of Secrets and service accounts.
type cluster struct{ client dynamic.Interface }

func (c cluster) GetClientFor(_, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	resource := map[string]string{"Secret": "secrets", "ServiceAccount": "serviceaccounts"}[kind]
	return c.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: resource}), true, nil
}

func withSecrets(secrets map[string][]string) engine.ClientProvider {
	made := func(kind, name string, data object) runtime.Object {
		return &unstructured.Unstructured{Object: object{"apiVersion": "v1", "kind": kind, "metadata": object{"name": name, "namespace": "compliance"}, "data": data}}
	}
	all := []runtime.Object{made("ServiceAccount", "default", nil)}
	for name, keys := range secrets {
		data := object{}
		for _, k := range keys {
			data[k] = "eA=="
		}
		all = append(all, made("Secret", name, data))
	}
	return cluster{fake.NewSimpleDynamicClient(runtime.NewScheme(), all...)}
}

// defaultSecrets are what the defaults need: Secrets, with their keys.
func defaultSecrets() map[string][]string {
	return map[string][]string{"requisite-database-owner": {"password"}, "requisite-database-api": {"password"}, "requisite-database-worker": {"password"},
		"requisite-kek": {"kek.json"}, "requisite-payload": {"payload.json"}, "requisite-codec": {"token"}}
}

func TestChart_NamesMissingSecretsBeforeInstall(t *testing.T) {
	secrets := defaultSecrets()
	_, err := try(object{}, withSecrets(secrets))
	require.NoError(t, err)
	for name, keys := range secrets {
		delete(secrets, name)
		_, err = try(object{}, withSecrets(secrets))
		require.ErrorContains(t, err, "there is no Secret "+name+" in namespace compliance. Make it with: ")
		secrets[name] = []string{"other"}
		_, err = try(object{}, withSecrets(secrets))
		require.ErrorContains(t, err, "Secret "+name+" in namespace compliance has no key "+keys[0]+". Make it with: ")
		_, err = try(object{"checkSecrets": false}, withSecrets(secrets))
		require.NoError(t, err)
		secrets[name] = keys
	}
}

// TestValues_AreAllDescribed: the schema has all defaults, and each has a
// description.
func TestValues_AreAllDescribed(t *testing.T) {
	text, err := os.ReadFile(chart + "/values.schema.json")
	require.NoError(t, err)
	var root object
	require.NoError(t, yaml.Unmarshal(text, &root))
	text, err = os.ReadFile(chart + "/values.yaml")
	require.NoError(t, err)
	var defaults object
	require.NoError(t, yaml.UnmarshalStrict(text, &defaults))
	var walk func(at string, schema, value any)
	walk = func(at string, schema, value any) {
		s := schema.(object)
		require.NotEmpty(t, s["description"], at)
		properties, _ := s["properties"].(object)
		given, _ := value.(object)
		for name, inner := range properties {
			if name != "global" && !strings.HasSuffix(at, ".limits") {
				require.Contains(t, given, name, "%s has no default", at)
			}
			walk(at+"."+name, inner, given[name])
		}
	}
	walk("values", root, defaults)
}

// TestTraces_HeadersComeFromASecret, for the programs that send traces, and
// for no other.
func TestTraces_HeadersComeFromASecret(t *testing.T) {
	traces := object{"endpoint": "https://collector:4318", "headers": object{"secret": "collector", "key": "line"}}
	want := object{"name": "OTEL_EXPORTER_OTLP_HEADERS", "valueFrom": object{"secretKeyRef": object{"name": "collector", "key": "line"}}}
	for name, c := range programs(t, rendered(t, object{"traces": traces})) {
		if name == "requisite-api" || name == "requisite-worker" {
			require.Contains(t, c["env"], want, name)
		} else {
			require.NotContains(t, list(c["env"]), want, name)
		}
	}
	_, err := try(object{"traces": traces}, withSecrets(defaultSecrets()))
	require.ErrorContains(t, err, "traces.headers.secret: there is no Secret collector in namespace compliance. Make it with: kubectl create secret generic collector --from-file=line=FILE_WITH_THE_HEADERS, which has one line such as authorization=Bearer%20TOKEN")
	secrets := defaultSecrets()
	secrets["collector"] = []string{"line"}
	_, err = try(object{"traces": traces}, withSecrets(secrets))
	require.NoError(t, err)
}

// TestOperator_IsNamedByWhoRunsACommand: the function of README.md adds the name; migrate, which nobody runs, has one.
func TestOperator_IsNamedByWhoRunsACommand(t *testing.T) {
	found := programs(t, rendered(t, object{}))
	require.Contains(t, found["requisite-migrate"]["env"], object{"name": "REQUISITE_OPERATOR", "value": "Helm"})
	require.NotContains(t, fmt.Sprint(found["requisite-operator"]["env"]), "REQUISITE_OPERATOR")
}

// TestPrometheusRule_EqualsTheAlertsFile that Prometheus reads without the operator.
func TestPrometheusRule_EqualsTheAlertsFile(t *testing.T) {
	for _, o := range rendered(t, object{}) {
		require.NotEqual(t, "PrometheusRule", o["kind"], "the defaults need no CustomResourceDefinition")
	}
	objects := rendered(t, object{"prometheusRule": object{"enabled": true, "labels": object{"release": "prometheus"}}})
	rule := find(t, objects, "PrometheusRule", "requisite")
	require.Equal(t, "prometheus", rule["metadata"].(object)["labels"].(object)["release"])
	text, err := os.ReadFile("../../alerts.yml")
	require.NoError(t, err)
	var want object
	require.NoError(t, yaml.UnmarshalStrict(text, &want))
	require.Greater(t, len(want["groups"].([]any)[0].(object)["rules"].([]any)), 10)
	require.Equal(t, want, rule["spec"])
	const page = "https://git.example.com/requisite/docs/operating/alerts.md"
	rule = find(t, rendered(t, object{"prometheusRule": object{"enabled": true, "runbooks": page}}), "PrometheusRule", "requisite")
	for _, r := range rule["spec"].(object)["groups"].([]any)[0].(object)["rules"].([]any) {
		name := r.(object)["alert"].(string)
		require.Equal(t, page+"#"+strings.ToLower(name), r.(object)["annotations"].(object)["runbook_url"], name)
	}
	// Their jobs have the names that the ServiceMonitors give.
	jobs := map[string]bool{}
	for _, m := range regexp.MustCompile(`job="([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		jobs[m[1]] = true
	}
	for _, exporter := range []string{"requisite-host", "requisite-postgres"} { // which the chart does not bring
		require.Contains(t, jobs, exporter)
		delete(jobs, exporter)
	}
	for _, o := range rendered(t, set(set(object{}, "serviceMonitor.enabled", true), "networkPolicy.metrics", []any{object{"podSelector": object{}}})) {
		if o["kind"] == "ServiceMonitor" {
			endpoint := o["spec"].(object)["endpoints"].([]any)[0].(object)
			delete(jobs, fmt.Sprint(endpoint["relabelings"].([]any)[0].(object)["replacement"]))
		}
	}
	require.Empty(t, jobs)
}

// TestReadme_ListsWhatUninstallLeaves: what the chart deletes and what it leaves when it is
// uninstalled. Helm deletes every object without a hook and without a resource policy.
func TestReadme_ListsWhatUninstallLeaves(t *testing.T) {
	text, err := os.ReadFile(chart + "/README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## Uninstall\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	for name, given := range sets(t) {
		for _, o := range rendered(t, given) {
			annotations, _ := o["metadata"].(object)["annotations"].(object)
			require.Nil(t, annotations["helm.sh/resource-policy"], "%s: %v stays, and the section does not say so", name, o["metadata"])
			require.NotContains(t, []any{"Secret", "PersistentVolumeClaim", "Namespace", "CustomResourceDefinition"}, o["kind"], "%s: deleting it would lose something", name)
			if annotations["helm.sh/hook"] != nil {
				require.Contains(t, section, fmt.Sprintf("kubectl delete %s %s\n", strings.ToLower(o["kind"].(string)), o["metadata"].(object)["name"]), "Helm does not delete hooks")
			}
		}
	}
	for secret := range defaultSecrets() {
		require.Contains(t, section, secret)
	}
}

// TestWorkers_ScaleByTheirBacklog, by a metric that the workers expose and the example of the adapter serves.
func TestWorkers_ScaleByTheirBacklog(t *testing.T) {
	scaler := find(t, rendered(t, sets(t)["production"]), "HorizontalPodAutoscaler", "requisite-worker")
	metrics := scaler["spec"].(object)["metrics"].([]any)
	external := metrics[1].(object)["external"].(object)
	require.Equal(t, object{"name": "requisite_webhook_overdue"}, external["metric"])
	require.Equal(t, "Value", external["target"].(object)["type"])
	target, err := strconv.Atoi(external["target"].(object)["value"].(string))
	require.NoError(t, err)
	source, err := os.ReadFile("../../../internal/store/deliveries/backlog.go")
	require.NoError(t, err)
	counted := regexp.MustCompile(`overdueCounted = (\d+)`).FindSubmatch(source)
	require.NotNil(t, counted)
	most, err := strconv.Atoi(string(counted[1]))
	require.NoError(t, err)
	require.LessOrEqual(t, 2*target, most, "the backlog of one endpoint, of which no more are counted, makes workers")
	api := find(t, rendered(t, sets(t)["production"]), "HorizontalPodAutoscaler", "requisite-api")
	require.Len(t, api["spec"].(object)["metrics"], 1)
	require.Len(t, find(t, rendered(t, object{"worker": object{"autoscaling": object{"enabled": true}}}), "HorizontalPodAutoscaler", "requisite-worker")["spec"].(object)["metrics"], 1)

	text, err := os.ReadFile(chart + "/examples/prometheus-adapter.yaml")
	require.NoError(t, err)
	objects, err := parse(string(text))
	require.NoError(t, err)
	var adapter struct {
		ExternalRules []struct {
			SeriesQuery string
			Name        struct{ As string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(objects[0]["data"].(object)["config.yaml"].(string)), &adapter))
	require.Equal(t, "requisite_webhook_overdue", adapter.ExternalRules[0].Name.As)
	require.Contains(t, adapter.ExternalRules[0].SeriesQuery, `{job="requisite-worker"`)
	text, err = os.ReadFile("../../../docs/operating/metrics.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "| `requisite_webhook_overdue` |", "the workers expose it")
}

// TestBackup_RunsTheScriptOfCompose, one run at a time, with the same Postgres.
func TestBackup_RunsTheScriptOfCompose(t *testing.T) {
	for _, o := range rendered(t, object{}) {
		require.NotContains(t, o["metadata"].(object)["name"], "backup", "dumps hold all personal data: somebody says where they may be")
	}
	objects := rendered(t, sets(t)["production"])
	require.Equal(t, "Forbid", find(t, objects, "CronJob", "requisite-backup")["spec"].(object)["concurrencyPolicy"])
	c := programs(t, objects)["requisite-backup"]
	script, err := os.ReadFile("../../postgres/backup.sh")
	require.NoError(t, err)
	require.Equal(t, []any{"/bin/sh", "-c", string(script)}, c["command"])
	for _, variable := range regexp.MustCompile(`\$\{?([A-Z_]{8,})`).FindAllStringSubmatch(string(script), -1) {
		require.True(t, slices.ContainsFunc(c["env"].([]any), func(e any) bool { return e.(object)["name"] == variable[1] }), variable[1])
	}
	compose, err := os.ReadFile("../../../docker-compose.yml")
	require.NoError(t, err)
	require.Contains(t, string(compose), fmt.Sprintf("image: &postgres %s\n", c["image"]))
	require.NotContains(t, fmt.Sprint(c["env"]), "KEK", "it dumps no keyset")
}

// TestBackupCheck_TakesTheStepsOfTheScript, with the image that has the programs of each.
func TestBackupCheck_TakesTheStepsOfTheScript(t *testing.T) {
	objects := rendered(t, sets(t)["production"])
	check := find(t, objects, "CronJob", "requisite-backup-check")
	require.Equal(t, "Forbid", check["spec"].(object)["concurrencyPolicy"])
	script, err := os.ReadFile("../../postgres/backup-check.sh")
	require.NoError(t, err)
	backup, api := programs(t, objects)["requisite-backup"], programs(t, objects)["requisite-api"]
	steps := append(list(pod(check)["initContainers"]), list(pod(check)["containers"])...)
	require.Len(t, steps, 3)
	for i, want := range []struct {
		image   any
		command []any
	}{
		{backup["image"], []any{"/bin/sh", "-c", string(script), "backup-check.sh", "restore"}},
		{api["image"], []any{"starter", "decision", "verify", "--all", "--database-url", "$(SCRATCH_URL)"}},
		{backup["image"], []any{"/bin/sh", "-c", string(script), "backup-check.sh", "record"}},
	} {
		step := steps[i].(object)
		require.Equal(t, want.image, step["image"])
		require.Equal(t, want.command, step["command"])
		urls := map[any]string{}
		for _, e := range step["env"].([]any) {
			urls[e.(object)["name"]], _ = e.(object)["value"].(string)
		}
		require.Equal(t, strings.Replace(urls["DATABASE_URL"], "/requisite?", "/requisite_scratch?", 1), urls["SCRATCH_URL"], "the same server and certificates")
		require.NotEqual(t, urls["DATABASE_URL"], urls["SCRATCH_URL"])
	}
	backupOnly := sets(t)["production"]
	backupOnly["backup"].(object)["checkSchedule"] = ""
	for _, o := range rendered(t, backupOnly) {
		require.NotEqual(t, "requisite-backup-check", o["metadata"].(object)["name"])
	}
}
