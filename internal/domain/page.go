package domain

// Page asks for at most Limit records that were created before After, a wire
// id; newest first. An empty After starts at the newest.
type Page struct {
	Limit int
	After string
}
