package calls

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"requisite/api/reference"
	"requisite/api/server"
	"requisite/internal/text/typo"
	"requisite/internal/text/visible"
)

const mediaJSON = "application/json"

// completeOperation completes the name of an operation.
func completeOperation(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return operations(), cobra.ShellCompDirectiveNoFileComp
}

func operations() (names []string) {
	for _, o := range server.Operations() {
		names = append(names, o.Name)
	}
	return names
}

// explain writes the page of an operation as text: what it does, its fields and an example.
func explain(out io.Writer, name string) error {
	if !slices.Contains(operations(), name) {
		hint := "/docs of the service lists them"
		if near, is := typo.Meant(name, operations()); is {
			hint = "did you mean " + near + "?"
		}
		return fmt.Errorf("the API has no operation %s; %s", visible.Line(name), hint)
	}
	api := reference.NewAPI(server.Operations()).Describe()
	about := api.Paths["/"+name].Post
	body := about.RequestBody.Content[mediaJSON]
	out = visible.NewWriter(out)
	fmt.Fprintf(out, "%s: %s\n\nFields:\n", name, about.Description)
	fields := reference.Fields{Schemas: api.Components.Schemas}.List("", body.Schema)
	if len(fields) == 0 {
		fmt.Fprintln(out, "  none")
	}
	for _, f := range fields {
		required := ""
		if f.Required {
			required = ", required"
		}
		fmt.Fprintf(out, "  %s (%s%s)\n", f.Name, f.Type, required)
		if f.Notes != "" {
			fmt.Fprintf(out, "      %s\n", f.Notes)
		}
	}
	day := ""
	for _, o := range server.Operations() {
		if on := reference.ExampleDay(o); o.Name == name && on != "" {
			day = " --sandbox-today " + on
		}
	}
	_, err := fmt.Fprintf(out, "\nExample:\n  starter call %s '%s'%s\n", name, body.Example, day)
	return err
}
