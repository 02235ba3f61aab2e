package refusal

// Warning is a note in a successful answer.
type Warning struct {
	Code    WarningCode `json:"code"`
	Message string      `json:"message"`
}

// WarningCode is the code of a warning: one of its own, or the sub-code of what would be refused otherwise.
type WarningCode string
