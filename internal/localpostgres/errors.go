package localpostgres

import "errors"

var (
	// ErrInUse reports that the server of a living process uses the directory.
	ErrInUse = errors.New("the PostgreSQL directory is in use by another process")

	// ErrNoBinaries reports that no PostgreSQL programs were found or could be downloaded. The message says what to
	// install.
	ErrNoBinaries = errors.New("no PostgreSQL programs found")
)
