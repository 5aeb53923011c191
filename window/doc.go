// Package window holds filters that forget, and filters that are replaced while
// they serve.
package window
