package refusal

// Warning is a note in a successful answer.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
