// Package document decides how the stored documents and findings of an application change: by a
// calculation, by a reviewer, and with time. It reads and writes nothing.
package document
