package refusal

// Warning tells the caller of a success something worth knowing.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
