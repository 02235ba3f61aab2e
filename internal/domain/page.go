package domain

// Page asks for at most Limit records that were made before After, a wire id;
// newest first. An empty After begins at the newest.
type Page struct {
	Limit int
	After string
}
