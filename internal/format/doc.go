// Package format reads and writes the parts of a filter at rest: header, chunk
// checksums and trailer. docs/FORMAT.md describes them for other languages; this
// package is the same in Go. It knows bytes and numbers, and neither files nor
// filters.
package format
