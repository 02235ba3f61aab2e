package local

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// application is one file of examples/applications: what a platform would send,
// in the fields of the operations that take it.
type application struct {
	Title     string            `json:"title"`
	Story     string            `json:"story"`
	Business  json.RawMessage   `json:"business"`
	SalesInfo json.RawMessage   `json:"sales_info"`
	Persons   []json.RawMessage `json:"persons"`
	Reviews   []review          `json:"reviews"`

	file string // its name, which identifies it at a later start
	hash string // of the file; an edited file is sent again
}

// review is the evidence with which a document of an application is approved.
type review struct {
	DocumentTypeCode string          `json:"document_type_code"`
	Evidence         json.RawMessage `json:"evidence"`
}

// readApplications reads every application of a directory, in the order of
// their names. today is the accounts' local date.
func readApplications(dir string, today time.Time) ([]application, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no applications in %s", dir)
	}
	applications := make([]application, len(paths))
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		a := application{file: filepath.Base(path), hash: hex.EncodeToString(sum[:])}
		if err := json.Unmarshal(fillDates(data, today), &a); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		applications[i] = a
	}
	return applications, nil
}

var months = regexp.MustCompile(`\{\{months_(ago|ahead) ([0-9]{1,4})\}\}`)

// fillDates replaces {{months_ago N}} and {{months_ahead N}} with the date N months before or after
// today, so that a young business stays young, and evidence stays valid.
func fillDates(data []byte, today time.Time) []byte {
	return months.ReplaceAllFunc(data, func(token []byte) []byte {
		found := months.FindSubmatch(token)
		n, err := strconv.Atoi(string(found[2]))
		if err != nil {
			return token
		}
		if string(found[1]) == "ahead" {
			n = -n
		}
		return []byte(monthsBefore(today, n).Format(time.DateOnly))
	})
}

// monthsBefore is the same day n months earlier, or later if n is negative, or the last day of a
// month that has no such day.
func monthsBefore(day time.Time, n int) time.Time {
	first := time.Date(day.Year(), day.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}
