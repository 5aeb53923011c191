package main

// toy is the demonstration's filter: four hashes, and a bool where others have a
// bit.
type toy []bool

// HasString reports whether the word is probably already present.
func (t toy) HasString(word string) bool {
	for _, h := range hashes(word, int64(len(t))) {
		if !t[t.index(h)] {
			return false
		}
	}
	return true
}

func (t toy) AddString(word string) {
	for _, h := range hashes(word, int64(len(t))) {
		t[t.index(h)] = true
	}
}

// index counts negative hashes from the end; C++ would leave the array.
func (t toy) index(h int64) int64 {
	if h < 0 {
		return h + int64(len(t))
	}
	return h
}
