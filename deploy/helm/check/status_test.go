package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStatus_ReachesThePrograms: starter status knows where they answer, and it and helm test may ask them.
func TestStatus_ReachesThePrograms(t *testing.T) {
	objects := rendered(t, object{"networkPolicy": object{"enabled": true}})
	env := programs(t, objects)["requisite-operator"]["env"]
	require.Contains(t, env, object{"name": "REQUISITE_PROGRAMS", "value": "http://requisite-api-metrics:9090,http://requisite-worker-metrics:9090,http://requisite-codec-metrics:9090"})
	policy := func(component string) object {
		return find(t, objects, "NetworkPolicy", "requisite-"+component)["spec"].(object)
	}
	at9090 := func(component, direction, peers string) (found []any) {
		for _, rule := range policy(component)[direction].([]any) {
			if fmt.Sprint(rule.(object)["ports"].([]any)[0].(object)["port"]) == "9090" {
				found = append(found, rule.(object)[peers].([]any)...)
			}
		}
		return found
	}
	pods := func(component string) any { return object{"podSelector": policy(component)["podSelector"]} }
	require.Equal(t, []any{pods("api"), pods("worker"), pods("codec")}, at9090("operator", "egress", "to"))
	require.Equal(t, []any{pods("api"), pods("worker")}, at9090("test", "egress", "to"))
	find(t, objects, "Service", "requisite-codec-metrics")
	require.Equal(t, []any{pods("operator")}, at9090("codec", "ingress", "from"), "its keys")
	for _, component := range []string{"api", "worker"} {
		find(t, objects, "Service", "requisite-"+component+"-metrics")
		require.Equal(t, []any{pods("operator"), pods("test")}, at9090(component, "ingress", "from"))
	}
	objects = rendered(t, object{"operator": object{"enabled": false}})
	require.Equal(t, []any{pods("test")}, at9090("api", "ingress", "from"))
	require.Empty(t, at9090("codec", "ingress", "from"))
	objects = rendered(t, object{"codec": object{"enabled": false}})
	require.NotContains(t, fmt.Sprint(programs(t, objects)["requisite-operator"]["env"]), "codec")
}
