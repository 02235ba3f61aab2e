package reference

// Generator is a generator of clients that takes the OpenAPI description. A test compiles what this
// version of it makes.
type Generator struct {
	Name, Version string
	Arguments     string // after its name
	Notes         string
}

// Command runs this version of the generator.
func (g Generator) Command() string { return "npx " + g.Name + "@" + g.Version + " " + g.Arguments }

// Generators are those of api/check/generators, in the versions of its lock file.
var Generators = []Generator{
	{"openapi-typescript", "7.13.0", "openapi.json --output openapi.ts", "Types of operations, webhooks and their decrypted contents."},
	{"@hey-api/openapi-ts", "0.99.0", "--input openapi.json --output hey", "The same, with a function for each operation. Its imports need a moduleResolution of bundler."},
	{"orval", "8.38.0", "--input openapi.json --output api.ts --client fetch", "The same, with a function for each operation."},
}
