package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"
)

type object = map[string]any

// values reads files of values. Later files have precedence.
func values(files ...string) (object, error) {
	all := object{}
	for _, file := range files {
		more, err := common.ReadValuesFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = util.CoalesceTables(more, all)
	}
	return all, nil
}

// render is what `helm template` does: it checks the values against the chart's
// schema and renders all objects, sorted by template. A cluster answers the chart's
// look-ups; without one, they find nothing.
func render(chart string, given object, cluster engine.ClientProvider) ([]object, error) {
	c, err := loader.Load(chart)
	if err != nil {
		return nil, err
	}
	release := common.ReleaseOptions{Name: "requisite", Namespace: "compliance", Revision: 1, IsInstall: true}
	all, err := util.ToRenderValues(c, given, release, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	var texts map[string]string
	if cluster == nil {
		texts, err = engine.Render(c, all)
	} else {
		texts, err = engine.RenderWithClientProvider(c, all, cluster)
	}
	if err != nil {
		return nil, err
	}
	var objects []object
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasSuffix(name, "NOTES.txt") {
			continue
		}
		more, err := parse(texts[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		objects = append(objects, more...)
	}
	return objects, nil
}

// parse reads documents of YAML. A name that is there twice is an error.
func parse(text string) ([]object, error) {
	var objects []object
	for document := range strings.SplitSeq("\n"+text, "\n---") {
		var o object
		if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
			return nil, err
		}
		if len(o) > 0 {
			objects = append(objects, o)
		}
	}
	return objects, nil
}

func write(to io.Writer, objects []object) error {
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, bytes.NewReader(append([]byte("---\n"), text...))); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: check CHART [VALUES.yaml]... prints what the chart renders, as helm template does")
		os.Exit(2)
	}
	given, err := values(os.Args[2:]...)
	if err == nil {
		var objects []object
		if objects, err = render(os.Args[1], given, nil); err == nil {
			err = write(os.Stdout, objects)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
