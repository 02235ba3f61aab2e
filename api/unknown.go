package main

import (
	"regexp"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// unknownKeys remembers API keys without an active credential, so that repeating
// one does not query the database each time. It is safe for concurrent use.
type unknownKeys struct{ until *lru.Cache[string, time.Time] }

const (
	// unknownFor is how long a key is remembered. A key that was tried before it
	// was created works after at most that long.
	unknownFor = 2 * time.Second
	// unknownKept is how many are remembered; the oldest are forgotten.
	unknownKept = 10_000
)

// apiKeyForm is the form of every valid API key.
var apiKeyForm = regexp.MustCompile(`^(lv|sb)_[0-9A-Za-z]{20,22}$`)

func newUnknownKeys() (*unknownKeys, error) {
	until, err := lru.New[string, time.Time](unknownKept)
	return &unknownKeys{until}, err
}

// has reports whether a key names no credential, as far as is known.
func (u *unknownKeys) has(apiKey string, now time.Time) bool {
	if !apiKeyForm.MatchString(apiKey) {
		return true
	}
	until, known := u.until.Get(apiKey)
	return known && now.Before(until)
}

// add remembers a key that the database was queried for at the given time.
func (u *unknownKeys) add(apiKey string, asked time.Time) { u.until.Add(apiKey, asked.Add(unknownFor)) }
