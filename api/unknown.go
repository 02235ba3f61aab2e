package main

import (
	"regexp"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// unknownKeys remembers API keys that name no credential in force, so that whoever
// repeats one does not ask the database each time. It is safe for concurrent use.
type unknownKeys struct{ until *lru.Cache[string, time.Time] }

const (
	// unknownFor is how long a key is remembered. One that was tried before it was
	// made works no later than that.
	unknownFor = 2 * time.Second
	// unknownKept is how many are; those that were tried longest ago are forgotten.
	unknownKept = 10_000
)

// apiKeyForm is that of every key that was ever made.
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

// add remembers one for which the database was asked at that time.
func (u *unknownKeys) add(apiKey string, asked time.Time) { u.until.Add(apiKey, asked.Add(unknownFor)) }
