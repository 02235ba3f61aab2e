package parts

// Object is a JSON object, as tests write requests and read answers.
type Object = map[string]any
