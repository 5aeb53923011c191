package main

// heapAdvised tells whether rivals are given huge pages. Most of them keep their
// memory in fields that cannot be reached from outside, so their users get small
// pages unless the system gives huge ones to all; -smallpages measures that.
var heapAdvised = true

// hugeFrom is the size of filters from which linebloom asks for huge pages, and
// the rivals get them.
const hugeFrom = 4 << 20

// adviseHeap asks for huge pages for the whole heap of Go, which serves every
// rival however it hides its memory. It must be called between the allocation
// of a filter of that many bytes and its first use, which brings the pages in.
func adviseHeap(bytes int) {
	if heapAdvised && bytes >= hugeFrom {
		adviseMappings()
	}
}
