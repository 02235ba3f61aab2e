package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

func all(t *testing.T) map[string]object {
	t.Helper()
	more := sets(t)
	var given object
	require.NoError(t, yaml.Unmarshal([]byte(everything), &given))
	more["everything"] = given
	return more
}

// TestNetworkPolicies_AreClosed: one policy selects each pod, in both directions, and each of its rules names peers and ports.
// The names are those of Kubernetes: a rule without peers allows everybody.
func TestNetworkPolicies_AreClosed(t *testing.T) {
	t.Parallel()
	for name, given := range all(t) {
		objects := rendered(t, given)
		policies := map[string]object{}
		for _, o := range objects {
			if o["kind"] != "NetworkPolicy" {
				continue
			}
			spec := o["spec"].(object)
			require.Equal(t, []any{"Ingress", "Egress"}, spec["policyTypes"])
			selected := fmt.Sprint(spec["podSelector"].(object)["matchLabels"])
			require.NotContains(t, policies, selected)
			policies[selected] = spec
			for direction, peers := range map[string]string{"ingress": "from", "egress": "to"} {
				for _, rule := range spec[direction].([]any) {
					at := fmt.Sprintf("%s: %v: %v", name, o["metadata"], rule)
					require.NotEmpty(t, rule.(object)[peers], at)
					require.NotEmpty(t, rule.(object)["ports"], at)
				}
			}
		}
		pods := map[string]bool{} // by their labels: the two jobs of backups share a policy
		for _, o := range objects {
			if pod(o) == nil {
				continue
			}
			spec := o["spec"].(object)
			if job, ok := spec["jobTemplate"].(object); ok {
				spec = job["spec"].(object)
			}
			made := o // a Pod is made as it is
			if template, ok := spec["template"].(object); ok {
				made = template
			}
			labels := maps.Clone(made["metadata"].(object)["labels"].(object))
			maps.DeleteFunc(labels, func(k string, _ any) bool {
				return !slices.Contains([]string{"app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component"}, k)
			})
			require.Contains(t, policies, fmt.Sprint(labels), "%s: %v", name, o["metadata"])
			pods[fmt.Sprint(labels)] = true
		}
		require.Len(t, policies, len(pods), name)
	}
}

// ports are the ports of a direction of a policy, in its order.
func ports(policy object, direction string) (found []string) {
	for _, rule := range policy["spec"].(object)[direction].([]any) {
		for _, p := range rule.(object)["ports"].([]any) {
			found = append(found, fmt.Sprint(p.(object)["port"]))
		}
	}
	return found
}

// TestNetworkPolicies_AllowWhatEachProgramNeeds, and nothing else.
func TestNetworkPolicies_AllowWhatEachProgramNeeds(t *testing.T) {
	t.Parallel()
	credentials := []string{"443", "80", "988"} // a key management service, and where the cloud gives credentials
	for name, want := range map[string]map[string][2][]string{
		"defaults": {
			"api": {{"9090"}, {"53", "53", "5432", "7233"}}, "worker": {{"9090"}, {"53", "53", "5432", "7233", "443", "8443"}}, "migrate": {nil, {"53", "53", "5432", "7233"}},
			"operator": {nil, {"53", "53", "5432", "7233", "9090"}}, "codec": {{"9090"}, nil}, "test": {nil, {"53", "53", "9090"}},
		},
		"everything": {
			"api":     {{"8080", "9090"}, append([]string{"53", "53", "5432", "7233", "4318", "3128"}, credentials...)},
			"worker":  {{"9090"}, append([]string{"53", "53", "5432", "7233", "4318", "3128", "443", "8443"}, credentials...)},
			"migrate": {nil, {"53", "53", "5432", "7233", "3128"}}, "operator": {nil, append([]string{"53", "53", "5432", "7233", "9090", "3128"}, credentials...)},
			"backup": {nil, {"53", "53", "5432"}}, "codec": {{"8443", "9090"}, append([]string{"53", "53", "3128", "443"}, credentials...)}, "test": {nil, {"53", "53", "9090"}},
		},
	} {
		objects := rendered(t, all(t)[name])
		for component, w := range want {
			policy := find(t, objects, "NetworkPolicy", "requisite-"+component)
			require.Equal(t, w[0], ports(policy, "ingress"), "%s: %s", name, component)
			require.Equal(t, w[1], ports(policy, "egress"), "%s: %s", name, component)
		}
	}
	for _, rule := range find(t, rendered(t, object{}), "NetworkPolicy", "requisite-worker")["spec"].(object)["egress"].([]any)[3:] {
		require.Contains(t, rule.(object)["to"].([]any)[0].(object)["ipBlock"].(object)["except"], "10.0.0.0/8", "webhooks go to public addresses")
	}
	api := find(t, rendered(t, sets(t)["openshift"]), "NetworkPolicy", "requisite-api")
	require.Equal(t, []string{"5353", "5353"}, ports(api, "egress")[:2], "its name servers listen on no lower port")
	for endpoint, port := range map[string]string{"http://collector:4317/": "4317", "https://collector/v1": "443", "http://10.0.0.1": "80", "http://[fd00::1]:4318": "4318"} {
		api := find(t, rendered(t, object{"traces": object{"endpoint": endpoint}}), "NetworkPolicy", "requisite-api")
		require.Equal(t, []string{"53", "53", "5432", "7233", port}, ports(api, "egress"), endpoint)
	}
}

func TestNetworkPolicies_FollowFromHosts(t *testing.T) {
	t.Parallel()
	other := object{"namespaceSelector": object{"matchLabels": object{"kubernetes.io/metadata.name": "data"}}}
	for host, want := range map[string][]any{
		"postgresql": {object{"podSelector": object{}}}, "10.0.0.1": {object{"ipBlock": object{"cidr": "10.0.0.1/32"}}}, "fd00::1": {object{"ipBlock": object{"cidr": "fd00::1/128"}}},
		"db.data.svc": {other}, "db.data.svc.cluster.local": {other}, "db.data.svc.cluster.local,10.0.0.2": {other, object{"ipBlock": object{"cidr": "10.0.0.2/32"}}},
	} {
		policy := find(t, rendered(t, set(object{}, "database.host", host)), "NetworkPolicy", "requisite-migrate")["spec"].(object)
		require.Equal(t, want, policy["egress"].([]any)[1].(object)["to"], host)
	}
	mine := []any{object{"ipBlock": object{"cidr": "10.20.0.0/16"}}}
	policy := find(t, rendered(t, set(set(object{}, "database.host", "db.example.com"), "networkPolicy.database", mine)), "NetworkPolicy", "requisite-migrate")["spec"].(object)
	require.Equal(t, mine, policy["egress"].([]any)[1].(object)["to"])
	// What is reached through a proxy needs no rule of its own.
	through := object{"proxy": object{"url": "http://10.0.0.3:3128"}, "temporal": object{"host": "x.tmprl.cloud"}, "traces": object{"endpoint": "https://collector.example.com"}}
	api := find(t, rendered(t, through), "NetworkPolicy", "requisite-api")
	require.Equal(t, []string{"53", "53", "5432", "3128"}, ports(api, "egress"))
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY"} {
		require.Contains(t, programs(t, rendered(t, through))["requisite-worker"]["env"], object{"name": name, "value": "http://10.0.0.3:3128"})
	}
	for path, value := range map[string]string{"database.host": "db.example.com", "proxy.url": "http://proxy.example.com", "temporal.host": "x.tmprl.cloud", "traces.endpoint": "https://collector.example.com"} {
		_, err := try(set(object{}, path, value), nil)
		require.ErrorContains(t, err, "is empty, and "+path+" is ")
		require.ErrorContains(t, err, ": say where that is, such as [{ipBlock: {cidr: 10.20.0.0/16}}]")
	}
}
