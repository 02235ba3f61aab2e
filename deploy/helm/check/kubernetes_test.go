package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// The Go modules that contain the API's schemas, with their checksums: the oldest
// version of Kubernetes that the chart supports and the newest.
var modules = map[string]string{
	"k8s.io/kubernetes@v1.32.13":                                 "h1:5TGYdZ6YZqdp6h/Rp1vX/4TIoybMPdgv97LCZCtPuNQ=",
	"k8s.io/kubernetes@v1.36.3":                                  "h1:qDQdoMiluAE2Eab6Fa52YV+WjiGz9mZFFoagEA6cI+o=",
	"github.com/prometheus-operator/prometheus-operator@v0.85.0": "h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=",
	"github.com/kedacore/keda/v2@v2.20.2":                        "h1:SR60v8uIcelbveS8n/1jcl8tLdBBIbHMxmdOHw8tKqA=",
	"sigs.k8s.io/gateway-api@v1.6.3":                             "h1:lKpJa5bGlraC/QeACvCpsHLdmO6y0iKfzVl6gzaFEYc=", // 1.7.0 needs Go 1.27
}

// downloaded is the directory of a module, which nothing requires: its packages
// are not needed, only its files.
func downloaded(t *testing.T, module string) string {
	t.Helper()
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = t.TempDir() // outside of any module
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := command.Output()
	require.NoError(t, err, "%s", out)
	var found struct{ Dir, Sum string }
	require.NoError(t, json.Unmarshal(out, &found))
	require.Equal(t, modules[module], found.Sum, module)
	return found.Dir
}

// kubernetes are the schemas of a version of the API, by what they describe.
type kubernetes struct {
	compiler *jsonschema.Compiler
	where    map[string]string // apiVersion and kind: where the schema is
}

func schemas(t *testing.T, module string) kubernetes {
	t.Helper()
	k := kubernetes{compiler: jsonschema.NewCompiler(), where: map[string]string{}}
	k.compiler.DefaultDraft(jsonschema.Draft2020)
	files, err := filepath.Glob(filepath.Join(downloaded(t, module), "api/openapi-spec/v3/*_openapi.json"))
	require.NoError(t, err)
	require.Greater(t, len(files), 20)
	for _, file := range files {
		base := filepath.Base(file)
		if base != "api__v1_openapi.json" && !strings.HasPrefix(base, "apis__") {
			continue
		}
		k.addAPI(t, file)
	}
	operator := downloaded(t, "github.com/prometheus-operator/prometheus-operator@v0.85.0")
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		k.addDefinition(t, filepath.Join(operator, "example/prometheus-operator-crd/monitoring.coreos.com_"+kind+".yaml"))
	}
	keda := downloaded(t, "github.com/kedacore/keda/v2@v2.20.2")
	k.addDefinition(t, filepath.Join(keda, "config/crd/bases/keda.sh_scaledobjects.yaml"))
	gateway := downloaded(t, "sigs.k8s.io/gateway-api@v1.6.3")
	k.addDefinition(t, filepath.Join(gateway, "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"))
	return k
}

func (k *kubernetes) addAPI(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	at := "mem:///" + filepath.Base(file)
	strict(doc)
	require.NoError(t, k.compiler.AddResource(at, doc))
	all, _ := doc.(object)["components"].(object)["schemas"].(object)
	for name, schema := range all {
		for _, kind := range list(schema.(object)["x-kubernetes-group-version-kind"]) {
			group, version := kind.(object)["group"], kind.(object)["version"]
			apiVersion := fmt.Sprint(version)
			if group != "" {
				apiVersion = fmt.Sprintf("%s/%s", group, version)
			}
			k.where[fmt.Sprintf("%s %s", apiVersion, kind.(object)["kind"])] = at + "#/components/schemas/" + name
		}
	}
}

// addDefinition adds the schemas of a CustomResourceDefinition.
func (k *kubernetes) addDefinition(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var d struct {
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema object }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(data, &d))
	for _, v := range d.Spec.Versions {
		at := "mem:///" + d.Spec.Group + "/" + v.Name + "/" + d.Spec.Names.Kind
		schema := v.Schema.OpenAPIV3Schema
		schema["properties"].(object)["metadata"] = object{"type": "object"}
		strict(schema)
		text, err := json.Marshal(schema)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, k.compiler.AddResource(at, doc))
		k.where[d.Spec.Group+"/"+v.Name+" "+d.Spec.Names.Kind] = at
	}
}

func list(v any) []any { l, _ := v.([]any); return l }

// strict makes schemas refuse what they do not name, as the API does with strict
// field validation.
func strict(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, v := range s {
			strict(v)
		}
	case object:
		_, named := s["properties"].(object)
		_, more := s["additionalProperties"]
		if named && !more && s["x-kubernetes-preserve-unknown-fields"] != true {
			s["additionalProperties"] = false
		}
		for _, v := range s {
			strict(v)
		}
	}
}

// validate says what the API would refuse of an object.
func (k *kubernetes) validate(o object) error {
	kind := fmt.Sprintf("%s %s", o["apiVersion"], o["kind"])
	at, ok := k.where[kind]
	if !ok {
		return fmt.Errorf("no such kind: %s", kind)
	}
	schema, err := k.compiler.Compile(at)
	if err != nil {
		return err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}
