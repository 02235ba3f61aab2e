// Package document decides what becomes of the documents and findings on file of an application: by a calculation, by a
// reviewer, and by days that pass. It reads and writes nothing.
package document
