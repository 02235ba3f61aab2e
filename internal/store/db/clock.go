package db

import "time"

// Clock is the current time for timestamps of records, in the precision of the API.
func (d *DB) Clock() time.Time {
	now := d.now
	if now == nil {
		now = time.Now
	}
	return now().UTC().Truncate(time.Millisecond)
}

// MomentSQL is the current time for decisions about deliveries. It is the database's time, so that
// processes whose clocks differ agree, or $1 if a test controls the clock.
const MomentSQL = `coalesce($1::timestamptz, date_trunc('milliseconds', clock_timestamp()))`

// Moment is the argument of MomentSQL.
func (d *DB) Moment() *time.Time {
	if d.now == nil {
		return nil
	}
	at := d.Clock()
	return &at
}

// ClockSkew is how far the clocks of two hosts, Temporal's among them, may differ.
const ClockSkew = time.Minute
