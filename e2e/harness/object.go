package harness

// Object is a JSON object of a request or a response.
type Object = map[string]any
